"""One entry: a window, a command, or a child process (``--worker``; of a built program others too).

Imports stand inside the branches: the child must not load Qt or the command line, and the other two
must never load a framework.

``python -m app`` puts the working folder first on the path.  It is taken off before anything of ours is imported,
`__future__` included; our own package is found by its place by then.  What Python itself imports before this file
only ``python -P`` can protect; the installed ``willittrain`` needs neither.
"""

import os
import sys


def main() -> int:
    """Start what the arguments ask for and return the exit code."""
    _leave_out_the_working_folder()
    if getattr(sys, "frozen", False):
        from app.services.child.built import keep_libraries_to_ourselves

        keep_libraries_to_ourselves()
    arguments = sys.argv[1:]
    if arguments[:1] == ["--worker"]:
        from app.worker.main import main as run_worker

        run_worker()
    if arguments[:1] == ["--warden"]:
        from app.services.child.warden import main as run_warden

        run_warden(arguments[1:])
    if arguments[:1] == ["--print-pdf"]:
        from app.ui.runs.print_pdf import main as print_pdf

        return print_pdf(arguments)
    if arguments[:1] == ["--draw-png"]:
        from app.ui.share.draw_png import main as draw_png

        return draw_png(arguments)
    from app.presentation.streams import keep_visible

    keep_visible()
    if not arguments:
        return _open_window()
    from app.cli.main import collect_no_more, collect_rarely, end_with_signals
    from app.cli.main import run as run_command

    end_with_signals()
    collect_rarely()
    code = run_command(arguments)
    collect_no_more()
    return code


def _leave_out_the_working_folder() -> None:
    """Let no later import find a file of the folder in which the user stands.

    ``-m`` puts it first by its full name; further down it may be an installation.  Relative entries of
    ``PYTHONPATH`` have become full names by now.
    """
    listed = [] if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "").split(os.pathsep)
    relative = {os.path.abspath(path) for path in listed if not os.path.isabs(path)} - set(listed)
    if not sys.flags.safe_path and sys.path and _is_working_folder(sys.path[0]):
        del sys.path[0]
    sys.path[:] = [path for path in sys.path if path and path not in relative]


def _is_working_folder(path: str) -> bool:
    """Does a path mean the folder in which the user stands?"""
    try:
        return os.path.samefile(path or os.curdir, os.curdir)
    except OSError:
        return False


def _open_window() -> int:
    """The window, or one line that says why Qt cannot be loaded."""
    try:
        from PySide6 import QtGui  # noqa: F401 - the first that needs libraries of the system
    except ImportError as problem:
        from app.presentation.streams import tell_error
        from app.ui.shell.screen import no_qt

        error = no_qt(problem)
        tell_error(str(error))
        return error.exit_code
    from app.ui.shell.application import run as run_window

    return run_window()


if __name__ == "__main__":
    sys.exit(main())
