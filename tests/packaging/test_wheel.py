"""The wheel carries the program and its tables, and nothing else.

Built for real, without the network, where the build backend is installed; `packaging/README.md` says how the sdist
and an installation into an empty environment are tried.
"""

import json
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

import app

ROOT = Path(__file__).resolve().parents[2]
NOT_SHIPPED = {"screenshots"}
"""Folders of resources that only the README shows."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    if find_spec("hatchling") is None:
        pytest.skip("hatchling, the build backend, is not installed: pip install -e '.[dev]'")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def tracked(folder: str) -> set[str]:
    """Files of a folder that are in version control; in an unpacked sdist, all of them."""
    done = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=False)
    names = done.stdout.split() or [str(p.relative_to(ROOT)) for p in (ROOT / folder).rglob("*") if p.is_file()]
    return {name for name in names if "__pycache__" not in name and (ROOT / name).exists()}


def test_every_source_file_is_in_it(wheel: zipfile.ZipFile):
    assert tracked("app") | tracked("willittrain") <= set(wheel.namelist())


def test_every_resource_is_in_it(wheel: zipfile.ZipFile):
    wanted = {f"app/{name}" for name in tracked("resources") if Path(name).parts[1] not in NOT_SHIPPED}
    assert wanted <= set(wheel.namelist())


def test_nothing_else_is_in_it(wheel: zipfile.ZipFile):
    info = f"willittrain-{app.__version__}.dist-info"
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops == {"app", "willittrain", info}
    strays = {name for name in wheel.namelist() if "screenshots/" in name or "__pycache__" in name or "/tests/" in name}
    assert strays == set()


def test_it_is_small_and_says_its_version_licence_and_command(wheel: zipfile.ZipFile):
    info = f"willittrain-{app.__version__}.dist-info"
    metadata = wheel.read(f"{info}/METADATA").decode()
    assert f"\nVersion: {app.__version__}\n" in metadata
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert f"{info}/licenses/LICENSE" in wheel.namelist()
    assert "willittrain = app.__main__:main" in wheel.read(f"{info}/entry_points.txt").decode()
    assert (
        sum(entry.compress_size for entry in wheel.infolist()) < 10 * 2**20
    )  # each graph of the catalog as a processor and as a card runs it


def test_every_extra_of_the_readme_is_there(wheel: zipfile.ZipFile):
    metadata = wheel.read(f"willittrain-{app.__version__}.dist-info/METADATA").decode()
    extras = {line.split(": ")[1] for line in metadata.splitlines() if line.startswith("Provides-Extra: ")}
    assert {"tensorflow", "cuda", "hub", "jax", "torch"} <= extras


def test_the_program_runs_from_the_unpacked_wheel_alone(wheel: zipfile.ZipFile, tmp_path: Path):
    wheel.extractall(tmp_path)
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import app; from app.__main__ import main;"
        "assert app.__file__.startswith(sys.path[0]); sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(tmp_path), "models", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["models"]) > 40
