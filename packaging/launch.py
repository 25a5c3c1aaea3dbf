#!/usr/bin/env python3
"""Start Will It Train? from a fresh checkout, on a machine that has nothing but Python.

::

    python3 packaging/launch.py                  the window (or, without a screen, a real job in the terminal)
    python3 packaging/launch.py estimate NAME    any command of the program
    python3 packaging/launch.py test [ARGS]      the tests, side by side; ARGS go to pytest, which then runs alone
    python3 packaging/launch.py --yes …          any of these, and packages of the system that lack may be installed
    python3 packaging/launch.py fetch FOLDER     collect what a like machine without a network installs
    python3 packaging/launch.py --offline FOLDER …    any of these, installed from such a folder alone

The first start makes ``.venv`` beside this folder and installs the program and TensorFlow into it, each file by the
hash that ``lock.txt`` has; later starts only compare a stamp.  Nothing outside of the checkout changes without a yes:
that of a person, of ``--yes`` or of ``CI=true``.  Everything said here goes to stderr, so that ``--json`` stays pure.

Only the standard library, and no syntax newer than Python 3.6, so that an old Python gets a clear word
instead of a SyntaxError.
"""

import functools
import os
import subprocess
import sys

import launch_environment as environment
import launch_system as system

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

SAMPLE_JOB = tuple("advise fashion_mnist_cnn --dataset fashion_mnist --batch-size 256 --epochs 15 --bench 10".split())
"""What runs where no window can open: the sample workload, measured for ten seconds."""

SIDE_BY_SIDE = ("-n", "logical", "--maxprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder")
"""All tests in as many processes as there are processors, a file of tests in one of them (pytest-xdist), in the order
of `tests/conftest.py`: what starts children takes longest and begins first, so that no process ends minutes before the
others.

Each process may start a TensorFlow child that takes a GiB and as many threads as there are processors.
"""


def say(text):
    """Tell the user what happens, on stderr."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def use_a_suitable_python(arguments):
    """Return if this Python will do; otherwise start over in one that does, or leave with a clear word."""
    here = sys.version_info[:2]
    if system.is_supported(here):
        return
    other = system.find_python()
    if other is None:
        say(system.unsupported_message(here))
        raise SystemExit(2)
    say(f"Python {here[0]}.{here[1]} is not supported; using {other} instead.")
    hand_over([other, os.path.abspath(__file__), *arguments])


def hand_over(command, cwd=None, extra_environment=None):
    """Become ``command``; on Windows, where a process cannot, run it and leave with its exit code."""
    if cwd is not None:
        os.chdir(cwd)
    variables = dict(os.environ, **(extra_environment or {}))
    if "PYTHONPATH" in variables:
        variables["PYTHONPATH"] = absolute_entries(variables["PYTHONPATH"])
    sys.stdout.flush()
    if os.name == "nt":
        raise SystemExit(subprocess.call(command, env=variables))
    os.execve(command[0], command, variables)


def absolute_entries(search_path):
    """A search path without the entries that mean the folder in which the user happens to stand, or one below it."""
    return os.pathsep.join(entry for entry in search_path.split(os.pathsep) if os.path.isabs(entry))


def installer(yes):
    """What installs packages of the system, once the user agrees."""
    terminal = sys.stdin.readline if sys.stdin and sys.stdin.isatty() and sys.stderr.isatty() else None
    agree = functools.partial(system.agrees, say=say, yes=yes, variables=os.environ, terminal=terminal)
    return functools.partial(system.install_packages, say=say, agree=agree)


def check_qt(for_window, install_packages):
    """Install or name the system libraries that Qt lacks; leave if they stay missing."""
    missing = system.missing_qt_libraries(os.environ, for_window)
    if not missing:
        return
    say("Qt lacks {} of this system's libraries: {}".format(len(missing), ", ".join(missing)))
    packages = system.packages_for(missing)
    if install_packages(packages) and not system.missing_qt_libraries(os.environ, for_window):
        return
    say(f"Please run this once, then start again:\n\n    {system.install_command(missing)}\n")
    if for_window:
        say(
            "Until then every command works in the terminal, for example:\n\n"
            "    python3 packaging/launch.py advise fashion_mnist_cnn\n"
        )
    raise SystemExit(4)


def taken_apart(arguments):
    """What is the launcher's of the arguments: is everything agreed to, and where do the wheels lie; then the others.

    Behind a ``--`` stands what is a script's own.

    Raises:
        SystemExit: ``--offline`` names no folder.
    """
    ours = arguments[: arguments.index("--")] if "--" in arguments else arguments
    rest, wheels = list(arguments), None
    if "--offline" in ours:
        place = ours.index("--offline")
        wheels = os.path.abspath(rest[place + 1]) if place + 1 < len(ours) else None
        if wheels is None or not os.path.isdir(wheels):
            received = wheels or "nothing"
            say(f"error: --offline names a folder that `launch.py fetch FOLDER` filled; received {received}")
            raise SystemExit(2)
        del rest[place : place + 2]
    yes = rest[:1] == ["--yes"]
    return yes, wheels, rest[1:] if yes else rest


def main(arguments):
    """Prepare the environment, then hand over to the program or to pytest."""
    use_a_suitable_python(arguments)
    yes, wheels, arguments = taken_apart(arguments)
    install_packages = installer(yes=yes)
    fetching = arguments[1] if arguments[:1] == ["fetch"] and len(arguments) > 1 else None
    testing = "test" in (arguments[2:3] if fetching else arguments[:1])
    extras = system.extras_for(sys.platform, system.machine_name(), system.has_nvidia_driver(), testing)
    if not system.tensorflow_exists(sys.platform, system.machine_name()):
        say("TensorFlow offers no package for this kind of machine; name one that has it with --python.")
    try:
        if fetching:
            environment.collect(ROOT, extras, os.path.abspath(fetching), say, install_packages)
            return
        python = environment.prepare(ROOT, extras, say, install_packages, wheels)
    except environment.CannotPrepare as problem:
        say(f"error: {problem}")
        raise SystemExit(4) from None
    if testing:
        check_qt(False, install_packages)
        command = [python, "-m", "pytest", *(arguments[1:] or SIDE_BY_SIDE)]
        hand_over(command, cwd=ROOT, extra_environment={"QT_QPA_PLATFORM": "offscreen"})
    if not arguments and not system.has_display(sys.platform, os.environ):
        say("No screen here, so this runs in the terminal:\n    willittrain {}\n".format(" ".join(SAMPLE_JOB)))
        arguments = list(SAMPLE_JOB)
    elif not arguments:
        check_qt(True, install_packages)
    # -P: a folder "app" where the user happens to stand must not be taken for ours.
    hand_over([python, "-P", "-m", "app", *arguments])


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        say("\nStopped. The next start goes on from here.")
        raise SystemExit(130) from None
