"""The launcher's decisions, and that an old Python can read it."""

import ast
import contextlib
import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.strangers import plant

FOLDER = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture(scope="module")
def launcher():
    """The four modules, importable as they are for the script."""
    sys.path.insert(0, str(FOLDER))
    try:
        import launch
        import launch_environment
        import launch_pip
        import launch_system
    finally:
        sys.path.remove(str(FOLDER))
    return launch, launch_environment, launch_system, launch_pip


@pytest.fixture
def launch(launcher):
    return launcher[0]


@pytest.fixture
def environment(launcher):
    return launcher[1]


@pytest.fixture
def system(launcher):
    return launcher[2]


@pytest.fixture
def pip(launcher):
    return launcher[3]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("launch*.py")), ids=lambda path: path.name)
def test_an_old_python_can_read_it(path):
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {"launch", "launch_environment", "launch_pip", "launch_system"}
    assert {name.split(".")[0] for name in imported | froms} - ours <= set(sys.stdlib_module_names)
    assert "__future__" not in froms


@pytest.mark.parametrize(
    ("version", "bits", "expected"),
    [
        ((3, 11), 64, True),
        ((3, 12, 1), 64, True),
        ((3, 13), 64, True),
        ((3, 10), 64, False),
        ((3, 14), 64, False),
        ((3, 6), 64, False),
        ((2, 7), 64, False),
        ((3, 12), 32, False),
    ],
)
def test_which_python_will_do(system, version, bits, expected):
    assert system.is_supported(version, bits) is expected


def test_the_newest_other_python_that_answers_is_taken(system):
    on_path = {"python3.13": "/shims/python3.13", "python3.12": "/bin/python3.12", "python3.11": "/bin/python3.11"}
    found = system.find_python(on_path.get, lambda path, version: "shims" not in path)
    assert found == "/bin/python3.12"
    assert system.find_python(lambda name: None, lambda path, version: True) is None


def test_a_python_is_proved_by_running_it(system, tmp_path):
    assert system.answers_as(sys.executable, sys.version_info[:2])
    assert not system.answers_as(sys.executable, (3, 6))
    assert not system.answers_as(str(tmp_path / "nothing"), (3, 11))


def test_the_word_on_other_versions_says_what_to_do(system):
    message = system.unsupported_message((3, 9, 2))
    assert "3.11, 3.12 or 3.13" in message
    assert "received Python 3.9" in message
    assert "python3.11 packaging/launch.py" in message


@pytest.mark.parametrize(
    ("name", "machine", "driver", "testing", "extras"),
    [
        ("linux", "x86_64", False, False, ["tensorflow"]),
        ("linux", "x86_64", True, False, ["cuda"]),
        ("linux", "x86_64", True, True, ["cuda", "dev"]),
        ("linux", "aarch64", True, False, ["tensorflow"]),
        ("win32", "amd64", True, False, ["tensorflow"]),
        ("win32", "arm64", False, False, []),
        ("darwin", "arm64", False, True, ["dev", "tensorflow"]),
        ("darwin", "x86_64", False, True, ["dev"]),
    ],
)
def test_extras(system, name, machine, driver, testing, extras):
    assert system.extras_for(name, machine, driver, testing) == extras


def test_where_a_window_can_open(system):
    assert not system.has_display("linux", {})
    assert not system.has_display("linux", {"DISPLAY": ""})
    assert system.has_display("linux", {"DISPLAY": ":0"})
    assert system.has_display("linux", {"WAYLAND_DISPLAY": "wayland-0"})
    assert system.has_display("win32", {})
    assert system.has_display("darwin", {})


def test_what_qt_needs_depends_on_how_it_draws(system):
    offscreen = system.needed_qt_libraries({}, for_window=False)
    assert "libEGL.so.1" in offscreen
    assert "libxcb-cursor.so.0" not in offscreen
    assert "libxcb-cursor.so.0" in system.needed_qt_libraries({"DISPLAY": ":0"}, for_window=True)
    wayland = system.needed_qt_libraries({"WAYLAND_DISPLAY": "w"}, for_window=True)
    assert "libwayland-client.so.0" in wayland
    assert "libxcb-cursor.so.0" not in wayland


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the wheels bring everything")
def test_missing_libraries_and_fonts_are_named(system):
    missing = system.missing_qt_libraries({}, False, load=lambda name: name != "libEGL.so.1", fonts=False)
    assert missing == ["libEGL.so.1", system.FONTS]
    assert system.packages_for(missing) == ["libegl1", "fonts-dejavu-core"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libqxcb.so is Linux's")
def test_the_list_has_every_library_that_this_qt_asks_for(system):
    import PySide6

    folder = Path(PySide6.__file__).parent / "Qt"
    known = {name for name, _ in system.BASE_LIBRARIES + system.XCB_LIBRARIES}
    always_there = set(
        "libc.so.6 libm.so.6 libgcc_s.so.1 libz.so.1 libgthread-2.0.so.0 libpthread.so.0 libdl.so.2 librt.so.1".split()
    )
    for name in (
        "lib/libQt6Gui.so.6",
        "lib/libQt6Widgets.so.6",
        "lib/libQt6DBus.so.6",
        "plugins/platforms/libqxcb.so",
        "plugins/platforms/libqoffscreen.so",
    ):
        content = (folder / name).read_bytes()
        start = content.index(b"\0lib")
        names = {
            word.decode()
            for word in content[start : start + 400_000].split(b"\0")
            if word.startswith(b"lib") and b".so." in word and len(word) < 40
        }
        assert {n for n in names if "Qt6" not in n and "icu" not in n and "ld-linux" not in n} <= known | always_there


def test_the_one_command_to_run(system):
    libraries = ["libEGL.so.1", system.FONTS]
    only = lambda tool: lambda name: "/bin/" + tool if name == tool else None  # noqa: E731
    assert system.install_command(libraries, only("apt-get")) == (
        "sudo apt-get update && sudo apt-get install -y libegl1 fonts-dejavu-core"
    )
    assert system.install_command(libraries, only("dnf")) == "sudo dnf install 'libEGL.so.1()(64bit)' dejavu-sans-fonts"
    assert "libEGL.so.1" in system.install_command(libraries, only("pacman"))


def test_the_stamp_knows_what_is_installed(environment, tmp_path):
    assert environment.read_stamp(str(tmp_path)) == {}
    environment.write_stamp(str(tmp_path), "mark", ["dev", "tensorflow"])
    stamp = environment.read_stamp(str(tmp_path))
    assert environment.is_current(stamp, "mark", ["tensorflow"])
    assert not environment.is_current(stamp, "mark", ["cuda"])
    assert not environment.is_current(stamp, "other", ["tensorflow"])
    environment.remove_stamp(str(tmp_path))
    environment.remove_stamp(str(tmp_path))
    assert environment.read_stamp(str(tmp_path)) == {}


@pytest.mark.parametrize("content", ["", "[]", "{", "null"])
def test_a_damaged_stamp_means_install_again(environment, tmp_path, content):
    (tmp_path / environment.STAMP).write_text(content)
    assert not environment.is_current(environment.read_stamp(str(tmp_path)), "mark", [])


def _checkout(folder):
    (folder / "packaging").mkdir()
    (folder / "pyproject.toml").write_text("[project]\n")
    (folder / "packaging" / "lock.txt").write_text("# base\nnumpy==2\n")
    return str(folder)


def test_the_fingerprint_follows_the_two_files_and_the_place(environment, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, other = _checkout(tmp_path / "a"), _checkout(tmp_path / "b")
    mark = environment.fingerprint(first)
    assert mark == environment.fingerprint(first)
    assert mark != environment.fingerprint(other)
    (tmp_path / "a" / "packaging" / "lock.txt").write_text("# base\nnumpy==3\n")
    assert mark != environment.fingerprint(first)


def test_a_current_environment_is_used_as_it_is(environment, tmp_path):
    root = _checkout(tmp_path)
    python = Path(environment.python_of(str(tmp_path / ".venv")))
    python.parent.mkdir(parents=True)
    python.touch()
    environment.write_stamp(str(tmp_path / ".venv"), environment.fingerprint(root), ["tensorflow"])
    said = []
    assert environment.prepare(root, ["tensorflow"], said.append, None) == str(python)
    assert said == []


def test_without_venv_the_one_command_is_said(environment, tmp_path, monkeypatch):
    monkeypatch.setattr(environment, "has_venv", lambda: False)
    package = "python{}.{}-venv".format(*sys.version_info[:2])
    with pytest.raises(environment.CannotPrepare, match=f"apt-get install -y {package}"):
        environment.create(str(tmp_path / ".venv"), print, lambda packages: False)


def test_paths_of_the_environment(environment):
    assert environment.python_of("v", windows=False) == os.path.join("v", "bin", "python")
    assert environment.python_of("v", windows=True) == os.path.join("v", "Scripts", "python.exe")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "  Downloading tensorflow-2.21.0-cp311-cp311-manylinux_2_27_x86_64.whl (572.4 MB)",
            "fetching tensorflow, 572.4 MB",
        ),
        ("Downloading https://host/a/b/numpy-2.4.6-cp311-x.whl (16.9 MB)", "fetching numpy, 16.9 MB"),
        ("  Downloading nvidia_cudnn_cu12-9.3.0-py3-none-manylinux.whl (1.1 GB)", "fetching nvidia_cudnn_cu12, 1.1 GB"),
        ("  Downloading six-1.17.0-py2.py3-none-any.whl (11 kB)", None),
        ("  Downloading gast-0.7.0-py3-none-any.whl (2.0 MB)", None),
        ("Installing collected packages: six, numpy", "unpacking"),
        ("Collecting numpy", None),
    ],
)
def test_pip_in_plain_words(pip, line, words):
    assert pip.progress_words(line) == words


@pytest.mark.parametrize(
    ("output", "hint"),
    [
        ("... Temporary failure in name resolution ...\nERROR: No matching distribution found", "offline"),
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "not the one that was tried"),
        ("ERROR: No matching distribution found for tensorflow", "no build for this system"),
        ("something else", "remove the folder .venv"),
    ],
)
def test_a_failure_of_pip_comes_with_a_hint(pip, output, hint):
    assert hint in pip.pip_hint(output)


def test_the_sample_job_is_a_command_that_exists(launch):
    from app.cli.main import command_line

    assert launch.SAMPLE_JOB[0] in {command.callback.__name__ for command in command_line().registered_commands}


def _fake_checkout(folder, environment):
    """A checkout whose installed Python prints how it was called."""
    root = _checkout(folder)
    for path in FOLDER.glob("*.py"):
        (folder / "packaging" / path.name).write_text(path.read_text())
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nprintf "%s\\n" "$@" "platform=$QT_QPA_PLATFORM" "folder=$PWD"\n')
    python.chmod(0o755)
    environment.write_stamp(str(folder / ".venv"), environment.fingerprint(root), ["cuda", "dev", "tensorflow"])
    return folder / "packaging" / "launch.py"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["estimate", "a b", "--json"], ["-P", "-m", "app", "estimate", "a b", "--json"]),
        (["test", "-k", "x"], ["-m", "pytest", "-k", "x", "platform=offscreen"]),
        (["test"], ["-m", "pytest", "-n", "logical"]),
        ([], ["-P", "-m", "app", "advise", "fashion_mnist_cnn"]),
    ],
)
def test_what_takes_over(environment, tmp_path, arguments, expected):
    script = _fake_checkout(tmp_path, environment)
    here = tmp_path / "elsewhere"
    here.mkdir()
    variables = {name: value for name, value in os.environ.items() if "DISPLAY" not in name and name[:3] != "QT_"}
    done = subprocess.run(
        [sys.executable, str(script), *arguments], capture_output=True, text=True, check=True, cwd=here, env=variables
    )
    lines = done.stdout.splitlines()
    assert lines[: len(expected)] == expected
    assert lines[-1] == f"folder={tmp_path if arguments[:1] == ['test'] else here}"


def test_the_launchers_pythons_import_nothing_of_the_folder_where_the_user_stands(
    environment, pip, system, tmp_path, monkeypatch
):
    strangers = plant(tmp_path)
    monkeypatch.chdir(strangers.folder)
    monkeypatch.setenv("PYTHONPATH", strangers.python_path)
    folder = str(tmp_path / ".venv")
    assert system.answers_as(sys.executable, sys.version_info[:2])
    environment.create(folder, lambda text: None, None)
    assert environment.is_usable(folder)
    for command in pip.install_commands(environment.python_of(folder), "requirements.txt"):
        asked = [*command[: command.index("install")], "--version"]
        told = subprocess.run(asked, capture_output=True, text=True, check=True)
        assert told.stdout.startswith("pip ")
    assert strangers.imported == []


def test_what_takes_over_gets_no_search_path_that_depends_on_the_place(launch, tmp_path):
    entries = ["", ".", "src", str(tmp_path)]
    assert launch.absolute_entries(os.pathsep.join(entries)) == str(tmp_path)


QUESTION = "Install libegl1 for the whole system with apt-get?"


@pytest.mark.parametrize(
    ("yes", "variables", "typed", "expected", "said"),
    [
        (True, {}, None, True, []),
        (False, {"CI": "true"}, None, True, []),
        (False, {"CI": "false"}, None, False, [QUESTION + " Nobody is here to answer; --yes as the first word does."]),
        (False, {}, "y\n", True, [QUESTION + " [y/N]"]),
        (False, {}, "Yes\n", True, [QUESTION + " [y/N]"]),
        (False, {}, "\n", False, [QUESTION + " [y/N]"]),
        (False, {}, "", False, [QUESTION + " [y/N]"]),
    ],
)
def test_nothing_of_the_system_changes_without_a_yes(system, yes, variables, typed, expected, said):
    heard = []
    terminal = None if typed is None else lambda: typed
    assert system.agrees(QUESTION, heard.append, yes, variables, terminal) is expected
    assert heard == said


APT = """#!/bin/sh
echo "$@" >> "$0.called"
"""


def test_programs_of_the_folder_where_the_user_stands_are_not_found_by_name(system, tmp_path, monkeypatch):
    for name in ("python3.11", "sudo", "apt-get"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join(("", ".")))
    assert [system.on_path(name) for name in ("python3.11", "sudo", "apt-get")] == [None] * 3
    assert system.find_python(answers=lambda path, version: True) is None
    monkeypatch.setenv("PATH", os.pathsep.join(("", str(tmp_path))))
    assert system.on_path("sudo") == str(tmp_path / "sudo")


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() != 0, reason="apt-get needs root")
@pytest.mark.parametrize(("flag", "called"), [([], False), (["--yes"], True)])
def test_a_start_without_a_terminal_asks_apt_get_for_nothing(environment, tmp_path, flag, called):
    script = _fake_checkout(tmp_path, environment)
    place = tmp_path / "packaging" / "launch_system.py"
    place.write_text(
        place.read_text() + '\nBASE_LIBRARIES += (("libnowhere.so", "libnowhere"),)\n'
        '_PACKAGES["libnowhere.so"] = "libnowhere"\n'
    )
    apt = tmp_path / "tools" / "apt-get"
    apt.parent.mkdir()
    apt.write_text(APT)
    apt.chmod(0o755)
    variables = {**os.environ, "PATH": f"{apt.parent}:{os.environ['PATH']}"}
    variables.pop("CI", None)
    done = subprocess.run(
        [sys.executable, str(script), *flag, "test"], capture_output=True, text=True, check=False, env=variables
    )
    assert done.returncode == 4
    assert "sudo apt-get update && sudo apt-get install -y libnowhere" in done.stderr
    assert ("Nobody is here to answer" in done.stderr) is not called
    assert (apt.parent / "apt-get.called").exists() is called


_SECOND_START = """
import sys, time
sys.path.insert(0, sys.argv[1])
import launch_environment as environment
def create(folder, say, install_packages, held=()):
    print("begins", flush=True)
    time.sleep(float(sys.argv[3]))
def install(root, python, extras, say, held=(), wheels=None):
    import os
    os.makedirs(os.path.dirname(python), exist_ok=True)
    open(python, "w").close()
    print("installed", flush=True)
environment.create, environment.install = create, install
environment.prepare(sys.argv[2], ["tensorflow"], lambda text: print(text, flush=True), None)
"""


def _start(root, seconds):
    command = [sys.executable, "-c", _SECOND_START, str(FOLDER), root, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


WAITS = "Another start is making .venv; waiting until it is done …\n"


def test_of_two_first_starts_the_second_waits_and_uses_what_the_first_made(tmp_path):
    root = _checkout(tmp_path)
    with _start(root, 1.5) as first:
        assert first.stdout.readline() == "begins\n"
        with _start(root, 0) as second:
            assert second.stdout.readline() == WAITS
            assert first.poll() is None
            assert second.stdout.read() == ""
        assert first.stdout.read() == "installed\nReady.\n"
    assert (first.returncode, second.returncode) == (0, 0)


def test_a_start_that_is_killed_leaves_the_lock_to_the_next(tmp_path):
    root = _checkout(tmp_path)
    with _start(root, 60) as first:
        assert first.stdout.readline() == "begins\n"
        with _start(root, 0) as second:
            assert second.stdout.readline() == WAITS
            first.kill()
            assert second.stdout.read() == "begins\ninstalled\nReady.\n"


@pytest.mark.skipif(os.name == "nt", reason="a file cannot be passed on there")
def test_a_pip_that_outlives_its_launcher_keeps_the_environment_to_itself(environment, tmp_path):
    path, heard = str(tmp_path / ".venv.lock"), []
    with environment.alone(path, heard.append) as held:
        orphan = subprocess.Popen(["sleep", "60"], pass_fds=held)
    with open(path, "a") as file:
        assert not environment.take(file)
        orphan.kill()
        orphan.wait()
        assert environment.take(file)


LOCK = (FOLDER / "lock.txt").read_text()


def _pins(text):
    return dict(re.findall(r"^([A-Za-z0-9_.-]+)==([^ ;\n]+)", text, re.MULTILINE))


def _plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_constraints_pin_everything_and_name_no_host():
    lines = [line for line in (FOLDER / "constraints.txt").read_text().splitlines() if line and line[0] != "#"]
    assert all("==" in line for line in lines)
    assert not any(word in line for line in lines for word in ("://", "--hash", "--index", " @ "))
    pins = dict(line.split(";")[0].strip().split("==") for line in lines)
    assert pins["PySide6_Essentials"] not in {"6.11.0", "6.11.1"}
    assert {"tensorflow", "keras", "pytest", "ruff", "mypy"} <= set(pins)


def test_lock_and_constraints_say_the_same():
    pins = {_plain(name): version for name, version in _pins((FOLDER / "constraints.txt").read_text()).items()}
    locked = _pins(LOCK)
    assert {name: pins[name] for name in locked if name in pins} == {n: v for n, v in locked.items() if n in pins}
    assert all(name.startswith("nvidia-") for name in locked if name not in pins)


def test_the_lock_has_a_hash_for_everything_and_names_no_host(pip):
    packages = [one for one in LOCK.split("\n# ") if "==" in one]
    assert len(packages) == len(_pins(LOCK)) > 70
    for one in packages:
        assert re.search(r"\\\n    --hash=sha256:[0-9a-f]{64}", one), one
    rest = re.sub(r"--hash=sha256:[0-9a-f]{64}", "", LOCK)
    assert not any(word in rest for word in ("://", "--index", "--find-links", "--extra-index", " @ ", "www."))


@pytest.mark.parametrize("extras", [[], ["tensorflow"], ["dev"], ["cuda", "dev"]])
def test_what_the_lock_gives_an_extra_is_all_that_it_requires(pip, extras):
    """Walked through the requirements of what is installed here, for this system."""
    locked = {_plain(name) for name in _pins(pip.locked(LOCK, extras))}
    declared = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())
    asked = [*declared["build-system"]["requires"], *declared["project"]["dependencies"]]
    asked += [line for extra in extras for line in declared["project"]["optional-dependencies"][extra]]
    seen = set()
    while asked:
        requirement = Requirement(asked.pop())
        name = _plain(requirement.name)
        if name in seen or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        assert name in locked
        with contextlib.suppress(metadata.PackageNotFoundError):
            asked += [line for line in metadata.requires(name) or [] if "extra ==" not in line]
    assert ("tensorflow" in locked) is bool({"tensorflow", "cuda"} & set(extras))
    assert ("pytest" in locked) is ("dev" in extras)
    assert any(name.startswith("nvidia-cudnn") for name in locked) is ("cuda" in extras)


@pytest.mark.skipif(os.name == "nt", reason="the folder of the environment's programs has another name")
def test_a_file_that_is_not_the_locked_one_is_not_installed(environment, pip, tmp_path):
    """Without network: a package beside its lock, with the right hash and with a wrong one."""
    root = tmp_path / "checkout"
    root.mkdir()
    _checkout(root)
    wheel = _wheel(tmp_path / "wheels")
    environment.create(str(tmp_path / "env"), lambda text: None, None)
    python = environment.python_of(str(tmp_path / "env"))
    options = f"--no-index --find-links {wheel.parent}\n"
    for digest, right in (("0" * 64, False), (hashlib.sha256(wheel.read_bytes()).hexdigest(), True)):
        requirements = tmp_path / "requirements.txt"
        requirements.write_text(f"{options}# base\nlonely==1.0 \\\n    --hash=sha256:{digest}\n")
        command = pip.install_commands(python, str(requirements))[0]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) is right, done.stderr
        assert ("DO NOT MATCH THE HASHES" in done.stderr) is not right


@pytest.fixture
def lonely(environment, tmp_path, monkeypatch):
    """A checkout that needs one package, its environment, and the only place that offers the package."""
    root = tmp_path / "checkout"
    root.mkdir()
    _checkout(root)
    wheel = _wheel(tmp_path / "offered")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock = f"# base\nlonely==1.0 \\\n    --hash=sha256:{digest}\n# dev\nabsent==2.0 \\\n    --hash=sha256:{digest}\n"
    (root / "packaging" / "lock.txt").write_text(lock)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    return root, wheel.parent


def test_what_fetch_collects_is_all_that_an_installation_without_a_network_takes(
    environment, pip, lonely, tmp_path, monkeypatch
):
    root, offered = lonely
    folder, said = str(tmp_path / "wheels"), []
    environment.collect(str(root), [], folder, said.append, None)
    assert os.listdir(folder) == ["lonely-1.0-py3-none-any.whl"]
    assert said[-2:] == [
        f"Fetching what Will It Train? needs: {pip.size_words([])[0]}, into {folder} …",
        f"Ready. Without a network: python3 packaging/launch.py --offline {folder}",
    ]
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", offered.as_uri())
    for wheel in offered.iterdir():
        wheel.unlink()
    python = environment.python_of(str(root / ".venv"))
    requirements = str(root / ".venv" / pip.REQUIREMENTS)
    for wheels, code in ((None, 1), (folder, 0)):
        command = pip.install_commands(python, requirements, wheels)[0]
        assert subprocess.run(command, capture_output=True, check=False).returncode == code
    assert subprocess.run([python, "-c", "import lonely"], check=False).returncode == 0


def test_one_line_says_what_how_large_and_where_before_anything_is_fetched(environment, pip, lonely, tmp_path):
    root, _ = lonely
    environment.create(str(root / ".venv"), lambda text: None, None)
    said = []
    with pytest.raises(pip.CannotPrepare, match="fetch /somewhere") as caught:
        pip.install(str(root), environment.python_of(str(root / ".venv")), ["dev"], said.append, wheels="/somewhere")
    assert "No matching distribution found" in str(caught.value)
    (line,) = said
    assert line.startswith("Installing Will It Train?, dev: nothing to fetch, all from /somewhere, ")
    assert str(root / ".venv") in line
    assert pip.size_words(["cuda"]) == ("about 3 GB", "8 GB")


def test_the_launchers_own_arguments_are_told_from_the_programs(launch, tmp_path, capsys):
    folder = str(tmp_path)
    assert launch.taken_apart(["--yes", "--offline", folder, "test", "-k", "x"]) == (True, folder, ["test", "-k", "x"])
    assert launch.taken_apart(["--offline", folder, "--yes"]) == (True, folder, [])
    assert launch.taken_apart(["doctor", "--offline", folder]) == (False, folder, ["doctor"])
    own = ["estimate", "train.py", "--", "--offline", "--yes"]
    assert launch.taken_apart(own) == (False, None, own)
    for wrong in (["--offline"], ["--offline", str(tmp_path / "none")]):
        with pytest.raises(SystemExit) as caught:
            launch.taken_apart(wrong)
        assert caught.value.code == 2
        assert "fetch FOLDER" in capsys.readouterr().err


def _wheel(folder):
    """A package of one empty module."""
    folder.mkdir()
    path = folder / "lonely-1.0-py3-none-any.whl"
    about = "Metadata-Version: 2.1\nName: lonely\nVersion: 1.0\n"
    kind = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {"lonely.py": "", "lonely-1.0.dist-info/METADATA": about, "lonely-1.0.dist-info/WHEEL": kind}
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        archive.writestr("lonely-1.0.dist-info/RECORD", "".join(f"{name},,\n" for name in files))
    return path
