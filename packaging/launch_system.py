"""What the launcher asks of the operating system: Python, packages, Qt's libraries, driver, display.

No syntax newer than Python 3.6 (see `launch`).  Everything that decides is a pure function of its
arguments; what asks the machine stands beside it.
"""

import ctypes
import os
import platform
import shutil
import subprocess
import sys

SUPPORTED = ((3, 13), (3, 12), (3, 11))
"""Versions that TensorFlow 2.21 and the program run on, newest first."""

BASE_LIBRARIES = (
    ("libEGL.so.1", "libegl1"),
    ("libGL.so.1", "libgl1"),
    ("libX11.so.6", "libx11-6"),
    ("libglib-2.0.so.0", "libglib2.0-0"),
    ("libxkbcommon.so.0", "libxkbcommon0"),
    ("libfontconfig.so.1", "libfontconfig1"),
    ("libfreetype.so.6", "libfreetype6"),
    ("libdbus-1.so.3", "libdbus-1-3"),
    ("libstdc++.so.6", "libstdc++6"),
)
"""What QtGui itself is linked to (``objdump -p libQt6Gui.so.6``), with Debian's package of each."""

XCB_LIBRARIES = (
    ("libxcb-cursor.so.0", "libxcb-cursor0"),
    ("libxcb-icccm.so.4", "libxcb-icccm4"),
    ("libxcb-util.so.1", "libxcb-util1"),
    ("libxcb-image.so.0", "libxcb-image0"),
    ("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    ("libxcb-randr.so.0", "libxcb-randr0"),
    ("libxcb-render.so.0", "libxcb-render0"),
    ("libxcb-render-util.so.0", "libxcb-render-util0"),
    ("libxcb-shape.so.0", "libxcb-shape0"),
    ("libxcb-shm.so.0", "libxcb-shm0"),
    ("libxcb-sync.so.1", "libxcb-sync1"),
    ("libxcb.so.1", "libxcb1"),
    ("libxcb-xfixes.so.0", "libxcb-xfixes0"),
    ("libxcb-xkb.so.1", "libxcb-xkb1"),
    ("libX11-xcb.so.1", "libx11-xcb1"),
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
)
"""What Qt's window plugin for X11 needs besides (``objdump -p libqxcb.so``)."""

WAYLAND_LIBRARIES = (
    ("libwayland-client.so.0", "libwayland-client0"),
    ("libwayland-cursor.so.0", "libwayland-cursor0"),
    ("libwayland-egl.so.1", "libwayland-egl1"),
)

FONTS = "a font"
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")

_PACKAGES = dict(BASE_LIBRARIES + XCB_LIBRARIES + WAYLAND_LIBRARIES + ((FONTS, "fonts-dejavu-core"),))


def on_path(name):
    """The path of a program by its name, or None; not one of the folder in which the user happens to stand.

    `shutil.which` looks there too: for an empty or relative entry of PATH, and on Windows always.
    """
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    return next((found for found in (shutil.which(os.path.join(folder, name)) for folder in folders) if found), None)


def is_supported(version, bits=64 if sys.maxsize > 2**32 else 32):
    """Can the program run on Python ``version``, a pair such as ``(3, 11)``?  TensorFlow needs 64 bits."""
    return tuple(version[:2]) in SUPPORTED and bits == 64


def find_python(which=on_path, answers=None):
    """The path of a suitable other Python on PATH, newest first, or None.

    ``answers(path, version)`` proves it by running it: a shim of a version manager may be on PATH
    without a Python behind it.
    """
    answers = answers or answers_as
    for version in SUPPORTED:
        path = which("python{}.{}".format(*version))
        if path and answers(path, version):
            return path
    return None


def answers_as(path, version):
    """Does running ``path`` show Python ``version`` with 64 bits?"""
    code = "import sys; print(sys.version_info[0], sys.version_info[1], sys.maxsize > 2**32)"
    try:
        answer = subprocess.check_output([path, "-I", "-c", code], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return False
    return answer.decode().split() == [str(version[0]), str(version[1]), "True"]


def unsupported_message(version):
    """A clear word on a Python that will not do."""
    return (
        "error: Will It Train? needs Python 3.11, 3.12 or 3.13 (64 bits), the versions TensorFlow supports; "
        "received Python {}.{}.\nInstall one of them (Debian/Ubuntu: sudo apt-get install python3.11 python3.11-venv; "
        "Windows and macOS: from python.org), then run\n\n    python3.11 packaging/launch.py".format(*version[:2])
    )


def machine_name():
    """The processor architecture in lower case: ``x86_64``, ``amd64``, ``arm64`` or ``aarch64``."""
    return platform.machine().lower()


def tensorflow_exists(system, machine):
    """Is there a TensorFlow package for this machine?  None for Intel Macs since 2.17, none for Windows on ARM."""
    return (system, machine) not in {("darwin", "x86_64"), ("win32", "arm64")}


def extras_for(system, machine, nvidia_driver, testing):
    """Which extras of pyproject.toml to install, sorted.

    CUDA comes as Python packages for Linux on x86-64 only; elsewhere TensorFlow computes on the CPU.
    """
    extras = []
    if tensorflow_exists(system, machine):
        cuda = nvidia_driver and system.startswith("linux") and machine in {"x86_64", "amd64"}
        extras.append("cuda" if cuda else "tensorflow")
    if testing:
        extras.append("dev")
    return sorted(extras)


def has_nvidia_driver():
    """Is NVIDIA's driver loaded here (also through WSL2)?"""
    if not sys.platform.startswith("linux"):
        return False
    marks = ("/proc/driver/nvidia/version", "/usr/lib/wsl/lib/libnvidia-ml.so.1")
    return any(os.path.exists(mark) for mark in marks) or can_load("libnvidia-ml.so.1")


def has_display(system, variables):
    """Can a window open?  Only Linux and its like are asked; Windows and macOS always have a screen."""
    if system in {"win32", "darwin"}:
        return True
    return bool(variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY"))


def can_load(library):
    """Does the dynamic loader find ``library``?"""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def needed_qt_libraries(variables, for_window):
    """Names of the libraries Qt will ask for, given how it will draw."""
    groups = BASE_LIBRARIES
    if for_window and variables.get("QT_QPA_PLATFORM") != "offscreen":
        groups += WAYLAND_LIBRARIES if variables.get("WAYLAND_DISPLAY") else XCB_LIBRARIES
    return [name for name, _ in groups]


def missing_qt_libraries(variables, for_window, load=can_load, fonts=None):
    """Names of what Qt lacks on this system; empty on Windows and macOS, where wheels bring everything."""
    if not sys.platform.startswith("linux"):
        return []
    missing = [name for name in needed_qt_libraries(variables, for_window) if not load(name)]
    if not (has_fonts() if fonts is None else fonts):
        missing.append(FONTS)
    return missing


def has_fonts(folders=FONT_FOLDERS):
    """Is there any font?  Without one, Qt draws a window without letters."""
    for folder in folders:
        for _, _, files in os.walk(os.path.expanduser(folder)):
            if any(name.lower().endswith((".ttf", ".otf", ".ttc", ".pfb")) for name in files):
                return True
    return False


def packages_for(libraries):
    """Debian's packages for the libraries named, each once, in order."""
    packages = []
    for name in libraries:
        if _PACKAGES[name] not in packages:
            packages.append(_PACKAGES[name])
    return packages


def install_command(libraries, which=on_path):
    """The one command that a person can run to get these libraries."""
    if which("apt-get"):
        return apt_command(packages_for(libraries))
    sonames = [name for name in libraries if name != FONTS]
    fonts = ["dejavu-sans-fonts"] if FONTS in libraries else []
    for tool in ("dnf", "zypper"):  # both resolve a library's name to its package
        if which(tool):
            wanted = [f"'{name}()(64bit)'" for name in sonames] + fonts
            return "sudo {} install {}".format(tool, " ".join(wanted))
    return "(your system's way to install) " + " ".join(sonames + fonts)


def apt_command(packages):
    """Debian's and Ubuntu's command for ``packages``, as a person would type it."""
    return "sudo apt-get update && sudo apt-get install -y " + " ".join(packages)


def install_packages(packages, say, agree):
    """Install Debian packages where that needs no password, if the user agrees.

    Args:
        packages: Their names.
        say: Prints a line for the user.
        agree: Answers a question with yes or no; see `agrees`.

    Returns:
        True if apt-get succeeded; False if there is no apt-get, no right to use it, no consent, or it failed.
    """
    prefix = rights_prefix()
    apt_get, env = on_path("apt-get"), on_path("env")
    if prefix is None or not apt_get or not env:
        return False
    if not agree("Install {} for the whole system with apt-get?".format(", ".join(packages))):
        return False
    say("Installing {} with apt-get …".format(", ".join(packages)))
    apt = [*prefix, env, "DEBIAN_FRONTEND=noninteractive", apt_get, "-qq"]
    install = [*apt, "install", "-y", "--no-install-recommends", *packages]
    if _quietly(install) == 0:
        return True
    return _quietly([*apt, "update"]) == 0 and _quietly(install) == 0


def agrees(question, say, yes, variables, terminal):
    """Does the user want what changes the system?

    Args:
        question: What would be done.
        say: Prints a line for the user.
        yes: They have said so, by ``--yes``.
        variables: Of the environment; ``CI=true`` is a machine that is made for it and thrown away.
        terminal: Reads a line that somebody types; None where nobody can.
    """
    if yes or variables.get("CI", "").lower() == "true":
        return True
    if terminal is None:
        say(question + " Nobody is here to answer; --yes as the first word does.")
        return False
    say(question + " [y/N]")
    return terminal().strip().lower() in {"y", "yes"}


def rights_prefix():
    """Words to put before a command so that it runs as root without a password, or None."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return []
    sudo = on_path("sudo")
    if sudo and _quietly([sudo, "-n", "true"]) == 0:
        return [sudo, "-n"]
    return None


def _quietly(command):
    """Run without output or input; the exit code."""
    return subprocess.call(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
