"""A temporary folder for one child, gone when the child is.

A child ends without Python's or a framework's tear-down, or is killed, so that what it meant to remove at its end would
stay: TensorFlow's autograph writes a file for every function that it converts
(tensorflow/python/autograph/pyct/loader.py, ``delete_on_exit``), hundreds in a week of use.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from app.services.held_folder import held_folder

PREFIX = "willittrain-child-"
VARIABLES = ("TMPDIR", "TEMP", "TMP")
"""Where programs look for the place of temporary files: POSIX, and Windows by two names."""


@contextmanager
def temporary_files() -> Iterator[dict[str, str]]:
    """The variables that send a child's temporary files to a folder of its own; none if no folder can be made."""
    with ExitStack() as held:
        try:
            folder = held.enter_context(held_folder(Path(tempfile.gettempdir()), PREFIX))
        except OSError:
            yield {}
        else:
            yield dict.fromkeys(VARIABLES, str(folder))
