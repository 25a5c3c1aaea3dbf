"""The launcher's ``.venv``: made once, filled once, and known by a stamp from then on.

Its Pythons are started with ``-I``: no module of the folder in which the user stands, or of ``PYTHONPATH``, is theirs.
No syntax newer than Python 3.6 (see `launch`).
"""

import contextlib
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import time

from launch_pip import LOCK, CannotPrepare, fetch, install

STAMP = "willittrain-stamp.json"
_POLL_S = 0.5


def prepare(root, extras, say, install_packages, wheels=None):
    """Make sure that ``.venv`` holds the program with ``extras``.

    Args:
        root: The checkout.
        extras: Names of extras in pyproject.toml.
        say: Prints a line for the user.
        install_packages: Installs system packages if allowed; see `launch_system.install_packages`.
        wheels: A folder that `launch_pip.fetch` filled, instead of the network.

    Returns:
        The path of the environment's Python.

    Raises:
        CannotPrepare: No ``venv`` module, or pip failed.
    """
    folder = os.path.join(root, ".venv")
    python = python_of(folder)
    mark = fingerprint(root)
    if is_ready(folder, mark, extras):
        return python
    with alone(folder + ".lock", say) as held:
        if is_ready(folder, mark, extras):  # by the start that this one has waited for
            return python
        stamp = read_stamp(folder)
        if not is_usable(folder):
            create(folder, say, install_packages, held)
            stamp = {}
        wanted = sorted(set(extras) | set(stamp.get("extras", [])))
        remove_stamp(folder)
        install(root, python, wanted, say, held, wheels)
        write_stamp(folder, mark, wanted)
    say("Ready.")
    return python


def collect(root, extras, folder, say, install_packages):
    """Fill a folder with the wheels of ``extras``, by the pip of ``.venv``, which is made if there is none.

    Raises:
        CannotPrepare: No ``venv`` module, or pip failed.
    """
    environment = os.path.join(root, ".venv")
    with alone(environment + ".lock", say) as held:
        if not is_usable(environment):
            create(environment, say, install_packages, held)
        fetch(root, python_of(environment), extras, folder, say)


@contextlib.contextmanager
def alone(path, say):
    """Let one start at a time make or change the environment; a second one says that it waits.

    The system lets go of the lock when this process has ended, however it did, and so have those that it passed
    the file on to: a pip that outlives its launcher still writes.

    Args:
        path: The lock's file, beside the environment.
        say: Prints a line for the user.

    Yields:
        The open files to pass on to child processes.

    Raises:
        CannotPrepare: The checkout cannot be written.
    """
    try:
        file = open(path, "a")  # noqa: SIM115 - the second "with" closes it
    except OSError as error:
        hint = "Make sure that this checkout belongs to you."
        raise CannotPrepare(f"cannot write {path}: {error.strerror}. {hint}") from None
    with file:
        if not take(file):
            say("Another start is making .venv; waiting until it is done …")
            while not take(file):
                time.sleep(_POLL_S)
        yield () if os.name == "nt" else (file.fileno(),)


def take(file):
    """Lock an open file; False if somebody else has."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def is_ready(folder, mark, extras):
    """Is the environment there, with everything that is wanted?"""
    return os.path.exists(python_of(folder)) and is_current(read_stamp(folder), mark, extras)


def python_of(folder, windows=os.name == "nt"):
    """The Python of the environment in ``folder``."""
    return os.path.join(folder, "Scripts", "python.exe") if windows else os.path.join(folder, "bin", "python")


def fingerprint(root):
    """What the installation depends on: the two files that say what to install, and where the checkout is."""
    digest = hashlib.sha256(os.path.abspath(root).encode("utf-8", "surrogateescape"))
    for name in ("pyproject.toml", LOCK):
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


def create(folder, say, install_packages, held=()):
    """Make the environment; on bare Debian, get the ``venv`` module first.

    Raises:
        CannotPrepare: There is no ``venv`` and it may not be installed, or making it failed.
    """
    if not has_venv():
        package = venv_package(sys.version_info)
        if not (install_packages([package]) and has_venv()):
            command = "sudo apt-get update && sudo apt-get install -y " + package
            raise CannotPrepare(f"this Python lacks its venv module. Run this once:\n\n    {command}\n")
    say("Making the environment .venv …")
    command = [sys.executable, "-I", "-m", "venv", "--clear", folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, pass_fds=held)
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
