"""The launcher's pip: what it installs from the lock, what it says meanwhile, and what its failures mean.

No syntax newer than Python 3.6 (see `launch`).
"""

import os
import re
import subprocess

LOCK = os.path.join("packaging", "lock.txt")
REQUIREMENTS = "willittrain-requirements.txt"
"""In the environment: what of the lock was installed into it."""

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


def install_commands(python, requirements):
    """The two commands of pip, to be run in the checkout: all from outside by its hash, then the checkout itself.

    Args:
        python: The environment's Python.
        requirements: A file with the text of `locked`.
    """
    # -I: the folder "packaging" in the checkout must not hide the library of that name, nor may PYTHONPATH.
    pip = [python, "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    return [
        [*pip, "--require-hashes", "--only-binary", ":all:", "--requirement", requirements],
        # Its builder is among what was just installed: pip would fetch another one, by no hash.
        [*pip, "--no-deps", "--no-build-isolation", "--editable", "."],
    ]


def install(root, python, extras, say, held=()):
    """Install the program and what it needs, saying what is fetched.

    Args:
        root: The checkout.
        python: The environment's Python.
        extras: Names of extras, all of which the lock knows.
        say: Prints a line for the user.
        held: Open files that pip keeps open too; see `launch_environment.alone`.

    Raises:
        CannotPrepare: pip failed; the text has its last lines and a hint.
    """
    size = "with CUDA about 3 GB" if "cuda" in extras else "about 700 MB"
    say("Installing Will It Train? ({}) – once, {} to fetch, some minutes …".format(", ".join(extras), size))
    requirements = os.path.join(os.path.dirname(os.path.dirname(python)), REQUIREMENTS)
    with open(os.path.join(root, LOCK), encoding="utf-8") as lock:
        text = locked(lock.read(), extras)
    with open(requirements, "w", encoding="utf-8") as file:
        file.write(text)
    for command in install_commands(python, requirements):
        _run_pip(command, root, say, held)


def _run_pip(command, root, say, held):
    """Run a command of pip.

    Raises:
        CannotPrepare: It failed.
    """
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    process = subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables, pass_fds=held
    )
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
