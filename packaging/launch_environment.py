"""The launcher's ``.venv``: made once, filled once, and known by a stamp from then on.

Its Pythons are started with ``-I``: no module of the folder in which the user stands, or of ``PYTHONPATH``, is theirs.
No syntax newer than Python 3.6 (see `launch`).
"""

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys

STAMP = "willittrain-stamp.json"
CONSTRAINTS = os.path.join("packaging", "constraints.txt")

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
    ("No matching distribution found", "A package was not found: offline, or no build for this system and Python."),
)
"""What pip says, and what helps; the first that occurs counts."""


class CannotPrepare(Exception):
    """The environment cannot be made; the text says why and what to do."""


def prepare(root, extras, say, install_packages):
    """Make sure that ``.venv`` holds the program with ``extras``.

    Args:
        root: The checkout.
        extras: Names of extras in pyproject.toml.
        say: Prints a line for the user.
        install_packages: Installs system packages if allowed; see `launch_system.install_packages`.

    Returns:
        The path of the environment's Python.

    Raises:
        CannotPrepare: No ``venv`` module, or pip failed.
    """
    folder = os.path.join(root, ".venv")
    python = python_of(folder)
    mark = fingerprint(root)
    stamp = read_stamp(folder)
    if os.path.exists(python) and is_current(stamp, mark, extras):
        return python
    if not is_usable(folder):
        create(folder, say, install_packages)
        stamp = {}
    wanted = sorted(set(extras) | set(stamp.get("extras", [])))
    remove_stamp(folder)
    install(root, python, wanted, say)
    write_stamp(folder, mark, wanted)
    say("Ready.")
    return python


def python_of(folder, windows=os.name == "nt"):
    """The Python of the environment in ``folder``."""
    return os.path.join(folder, "Scripts", "python.exe") if windows else os.path.join(folder, "bin", "python")


def fingerprint(root):
    """What the installation depends on: the two files that say what to install, and where the checkout is."""
    digest = hashlib.sha256(os.path.abspath(root).encode("utf-8", "surrogateescape"))
    for name in ("pyproject.toml", CONSTRAINTS):
        with open(os.path.join(root, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def is_current(stamp, mark, extras):
    """Does the stamp say that everything wanted is installed?"""
    return stamp.get("fingerprint") == mark and set(extras) <= set(stamp.get("extras", []))


def read_stamp(folder):
    """What was installed, or an empty dict."""
    try:
        with open(os.path.join(folder, STAMP), encoding="utf-8") as file:
            stamp = json.load(file)
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(folder, mark, extras):
    """Remember what was installed, last of all."""
    with open(os.path.join(folder, STAMP), "w", encoding="utf-8") as file:
        json.dump({"fingerprint": mark, "extras": list(extras)}, file)


def remove_stamp(folder):
    """Forget what was installed, before changing it: an interrupted installation must not look finished."""
    with contextlib.suppress(OSError):
        os.remove(os.path.join(folder, STAMP))


def is_usable(folder):
    """Does ``folder`` hold an environment of a supported Python with pip?"""
    code = "import sys, pip; sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, 13)))"
    try:
        return subprocess.call([python_of(folder), "-I", "-c", code], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def create(folder, say, install_packages):
    """Make the environment; on bare Debian, get the ``venv`` module first.

    Raises:
        CannotPrepare: There is no ``venv`` and it may not be installed, or making it failed.
    """
    if not has_venv():
        package = venv_package(sys.version_info)
        if not (install_packages([package], say) and has_venv()):
            command = "sudo apt-get update && sudo apt-get install -y " + package
            raise CannotPrepare(f"this Python lacks its venv module. Run this once:\n\n    {command}\n")
    say("Making the environment .venv …")
    command = [sys.executable, "-I", "-m", "venv", "--clear", folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        text = done.stdout.decode(errors="replace").strip()
        raise CannotPrepare(f"cannot make {folder}.\n{text}")


def has_venv():
    """Can this Python make environments with pip?  Debian keeps ``ensurepip`` in a package of its own."""
    importlib.invalidate_caches()
    return importlib.util.find_spec("venv") is not None and importlib.util.find_spec("ensurepip") is not None


def venv_package(version):
    """Debian's package with the ``venv`` of Python ``version``."""
    return "python{}.{}-venv".format(*version[:2])


def install_arguments(python, extras):
    """The pip command, to be run in the checkout."""
    target = ".[{}]".format(",".join(extras)) if extras else "."
    # -I: the folder "packaging" in the checkout must not hide the library of that name, nor may PYTHONPATH.
    options = ["install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    return [python, "-I", "-m", "pip", *options, "--constraint", CONSTRAINTS, "--editable", target]


def install(root, python, extras, say):
    """Install the program and what it needs, saying what is fetched.

    Raises:
        CannotPrepare: pip failed; the text has its last lines and a hint.
    """
    size = "with CUDA about 3 GB" if "cuda" in extras else "about 700 MB"
    say("Installing Will It Train? ({}) – once, {} to fetch, some minutes …".format(", ".join(extras), size))
    command = install_arguments(python, extras)
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = []
    for raw in process.stdout:
        line = raw.decode(errors="replace").rstrip()
        lines.append(line)
        words = progress_words(line)
        if words:
            say("  " + words)
    if process.wait() != 0:
        tail = "\n".join("    " + line for line in lines[-12:])
        raise CannotPrepare("pip could not install everything.\n{}\n{}".format(tail, pip_hint("\n".join(lines))))


def progress_words(line):
    """A line of pip in plain words, or None if it is of no interest."""
    match = re.match(r"\s*Downloading (?:\S*/)?([A-Za-z0-9_.]+?)-\d\S* \(([\d.]+) (MB|GB)\)", line)
    if match and (match.group(3) == "GB" or float(match.group(2)) >= 5):
        return "fetching {}, {} {}".format(*match.groups())
    if line.startswith("Installing collected packages"):
        return "unpacking"
    return None


def pip_hint(output):
    """What helps, judged by pip's words."""
    for sign, hint in _HINTS:
        if sign in output:
            return hint
    return "Start again; if it fails the same way, remove the folder .venv first."
