"""The launcher's pip: what it installs from the lock, what it says meanwhile, and what its failures mean.

No syntax newer than Python 3.6 (see `launch`).
"""

import os
import re
import subprocess

LOCK = os.path.join("packaging", "lock.txt")
REQUIREMENTS = "willittrain-requirements.txt"
"""In the environment: what of the lock was installed into it."""
_LOCKED = ("--require-hashes", "--only-binary", ":all:", "--requirement")

_HINTS = (
    ("No space left on device", "The disk is full: the program with TensorFlow needs about 3 GB (8 GB with CUDA)."),
    ("Temporary failure in name resolution", "This machine seems to be offline; connect it and start again."),
    ("Failed to establish a new connection", "This machine seems to be offline; connect it and start again."),
    ("Network is unreachable", "This machine seems to be offline; connect it and start again."),
    ("getaddrinfo failed", "This machine seems to be offline; connect it and start again."),
    ("Read timed out", "The network is slow or blocked; start again, what was fetched is kept."),
    ("ProxyError", "A proxy stands in the way; set HTTPS_PROXY to its address and start again."),
    ("CERTIFICATE_VERIFY_FAILED", "A proxy replaces certificates here; point PIP_CERT at its certificate file."),
    ("Permission denied", "A folder may not be written; make sure that this checkout belongs to you."),
    ("THESE PACKAGES DO NOT MATCH THE HASHES", "A file is not the one that was tried; report it before you go on."),
    ("No matching distribution found", "A package was not found: offline, or no build for this system and Python."),
)
"""What pip says, and what helps; the first that occurs counts."""


class CannotPrepare(Exception):
    """The environment cannot be made; the text says why and what to do."""


def locked(text, extras):
    """The part of the lock that the program with ``extras`` needs; a line "# NAME …" begins each of its packages."""
    wanted = {"base", *extras}
    packages = re.split(r"^# ", text, flags=re.MULTILINE)
    return "".join("# " + one for one in packages if "==" in one and wanted & set(one.partition("\n")[0].split()))


def install_commands(python, requirements, wheels=None):
    """The two commands of pip, to be run in the checkout: all from outside by its hash, then the checkout itself.

    Args:
        python: The environment's Python.
        requirements: A file with the text of `locked`.
        wheels: A folder that everything is taken from, and nothing from a network; None fetches.
    """
    pip = [*_pip(python, "install"), *(["--no-index", "--find-links", wheels] if wheels else [])]
    return [
        [*pip, *_LOCKED, requirements],
        # Its builder is among what was just installed: pip would fetch another one, by no hash.
        [*pip, "--no-deps", "--no-build-isolation", "--editable", "."],
    ]


def _pip(python, verb):
    """The beginning of a command of pip."""
    # -I: the folder "packaging" in the checkout must not hide the library of that name, nor may PYTHONPATH.
    return [python, "-I", "-m", "pip", verb, "--disable-pip-version-check", "--no-input", "--progress-bar", "off"]


def size_words(extras):
    """How much is fetched, and how much it takes unpacked."""
    if "cuda" in extras:
        return "about 3 GB", "8 GB"
    return ("about 700 MB", "2.5 GB") if "tensorflow" in extras else ("about 120 MB", "450 MB")


def fetch(root, python, extras, folder, say):
    """Collect the wheels that an installation without a network takes: those of the lock, for this system and Python.

    Args:
        root: The checkout.
        python: A Python with pip, of the version that will run the program.
        extras: Names of extras, all of which the lock knows.
        folder: Where they go; need not be there yet.
        say: Prints a line for the user.

    Raises:
        CannotPrepare: pip failed; the text has its last lines and a hint.
    """
    names = ", ".join(["Will It Train?", *extras])
    say(f"Fetching what {names} needs: {size_words(extras)[0]}, into {folder} …")
    requirements = _write_locked(root, python, extras)
    _run_pip([*_pip(python, "download"), "--dest", folder, *_LOCKED, requirements], root, say)
    say(f"Ready. Without a network: python3 packaging/launch.py --offline {folder}")


def install(root, python, extras, say, held=(), wheels=None):
    """Install the program and what it needs, saying before what is fetched, how much, and into which folder.

    Args:
        root: The checkout.
        python: The environment's Python.
        extras: Names of extras, all of which the lock knows.
        say: Prints a line for the user.
        held: Open files that pip keeps open too; see `launch_environment.alone`.
        wheels: A folder that `fetch` filled, instead of the network.

    Raises:
        CannotPrepare: pip failed; the text has its last lines and a hint.
    """
    fetched, unpacked = size_words(extras)
    source = f"nothing to fetch, all from {wheels}" if wheels else f"{fetched} to fetch"
    folder, names = os.path.dirname(os.path.dirname(python)), ", ".join(["Will It Train?", *extras])
    say(f"Installing {names}: {source}, {unpacked} on disk, into {folder}; once, some minutes …")
    requirements = _write_locked(root, python, extras)
    for command in install_commands(python, requirements, wheels):
        _run_pip(command, root, say, held, wheels)
    # pip compiles what it copies, and an editable checkout is not copied: the first start would.
    subprocess.call([python, "-I", "-m", "compileall", "-q", "app"], cwd=root, pass_fds=held)


def _write_locked(root, python, extras):
    """The part of the lock that is wanted, as a file in the environment; returns its path."""
    requirements = os.path.join(os.path.dirname(os.path.dirname(python)), REQUIREMENTS)
    with open(os.path.join(root, LOCK), encoding="utf-8") as lock:
        text = locked(lock.read(), extras)
    with open(requirements, "w", encoding="utf-8") as file:
        file.write(text)
    return requirements


def _run_pip(command, root, say, held=(), wheels=None):
    """Run a command of pip.

    Raises:
        CannotPrepare: It failed.
    """
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    lines = []
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables, pass_fds=held
    ) as process:
        for raw in process.stdout:
            line = raw.decode(errors="replace").rstrip()
            lines.append(line)
            words = progress_words(line)
            if words:
                say("  " + words)
    if process.returncode != 0:
        tail = "\n".join("    " + line for line in lines[-12:])
        hint = pip_hint("\n".join(lines), wheels)
        raise CannotPrepare(f"pip could not install everything.\n{tail}\n{hint}")


def progress_words(line):
    """A line of pip in plain words, or None if it is of no interest."""
    match = re.match(r"\s*Downloading (?:\S*/)?([A-Za-z0-9_.]+?)-\d\S* \(([\d.]+) (MB|GB)\)", line)
    if match and (match.group(3) == "GB" or float(match.group(2)) >= 5):
        return "fetching {}, {} {}".format(*match.groups())
    if line.startswith("Installing collected packages"):
        return "unpacking"
    return None


def pip_hint(output, wheels=None):
    """What helps, judged by pip's words."""
    if wheels and "No matching distribution found" in output:
        again = f"python3 packaging/launch.py fetch {wheels}"
        return f"The folder lacks a package for this system and Python; on a like machine with a network: {again}"
    for sign, hint in _HINTS:
        if sign in output:
            return hint
    return "Start again; if it fails the same way, remove the folder .venv first."
