"""One entry: a window, a command, or (``--worker``, and ``--print-pdf`` of a built program) a child process.

Imports stand inside the branches: the child must not load Qt or the command line, and the other two
must never load a framework.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Start what the arguments ask for and return the exit code."""
    if getattr(sys, "frozen", False):
        from app.services.child.built import keep_libraries_to_ourselves

        keep_libraries_to_ourselves()
    arguments = sys.argv[1:]
    if arguments[:1] == ["--worker"]:
        from app.worker.main import main as run_worker

        run_worker()
    if arguments[:1] == ["--print-pdf"]:
        from app.ui.runs.print_pdf import main as print_pdf

        return print_pdf(arguments)
    if not arguments:
        return _open_window()
    from app.cli.main import run as run_command

    return run_command(arguments)


def _open_window() -> int:
    """The window, or one line that says why Qt cannot be loaded."""
    try:
        from PySide6 import QtGui  # noqa: F401 - the first that needs libraries of the system
    except ImportError as problem:
        from app.ui.shell.screen import no_qt

        error = no_qt(problem)
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    from app.ui.shell.application import run as run_window

    return run_window()


if __name__ == "__main__":
    sys.exit(main())
