"""Run a program as ``python train.py …`` or ``python -m package.train …`` would."""

from __future__ import annotations

import atexit
import os
import runpy
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.core.types.errors import BadModel
from app.core.types.notebook import SUFFIX, Cell, cells_of, program_of
from app.core.types.text import Text, phrase, verbatim
from app.worker.channel import JobFailed
from app.worker.models.own.beside import module_of
from app.worker.script.cells import run_cells, skipped_words
from app.worker.script.said import KEPT_CHARACTERS, LastWords


@dataclass(frozen=True)
class Program:
    """What is run.

    Attributes:
        path: The file.
        consent: SHA-256 of what the user let run: the file, and modules of its folder.
        arguments: The program's own, behind its name.
        module: Its name, if it is run as ``python -m`` does.
        folder: Where it runs; where we are if None.
    """

    path: str
    consent: Sequence[str] = ()
    arguments: Sequence[str] = ()
    module: str | None = None
    folder: str | None = None

    def run(self, before_exit: Callable[[], None]) -> None:
        """Run to the end, threads and what it asked for at its exit included.

        Args:
            before_exit: Called at the end, while libraries still work: some take themselves down at the exit.

        Raises:
            JobFailed: It left with an exit code, or asked for input.
            BaseException: Whatever the program raises.
        """
        if self.folder:
            os.chdir(self.folder)
        sys.argv[:] = [self.path, *self.arguments]
        words = LastWords()
        try:
            self._run_module() if self.module else self._run_file()
            _wait_for_threads()
        except SystemExit as ending:
            _wait_for_threads()
            if ending.code not in (None, 0):
                raise JobFailed("bad_model", _left(ending.code, words.text())) from None
        except EOFError as error:
            if str(error) and "reading a line" not in str(error):
                raise  # no wish for input: pickle says so of a file that ends too soon
            hint = phrase("give it as an argument, behind --")
            raise JobFailed("bad_model", phrase("the script asks for input, and nobody answers"), hint=hint) from error
        before_exit()
        atexit._run_exitfuncs()

    def _run_module(self) -> None:
        """As ``python -m``: the folder where the user stands comes first."""
        assert self.module is not None
        sys.path.insert(0, os.getcwd())
        module_of("__main__", Path(self.path), self.consent, BadModel)
        runpy.run_module(self.module, run_name="__main__", alter_sys=True)

    def told(self) -> list[Text]:
        """What of it was not run as it stands."""
        return [skipped_words(self._cells())] if self._is_notebook and any(c.skipped for c in self._cells()) else []

    def _run_file(self) -> None:
        """As ``python FILE``: the file's folder comes first."""
        sys.path.insert(0, os.path.dirname(os.path.realpath(self.path)))
        main, loader = module_of("__main__", Path(self.path), self.consent, BadModel)
        main.__spec__ = None
        if self._is_notebook:
            run_cells(cells_of(loader.get_source("__main__"), self.path), self.path, main.__dict__)
        else:
            exec(loader.get_code("__main__"), main.__dict__)

    def source(self) -> str:
        """Its text; of a notebook that of its cells."""
        if self._is_notebook:
            return program_of(self._cells())
        return Path(self.path).read_text("utf-8", "replace")

    @property
    def _is_notebook(self) -> bool:
        return self.path.lower().endswith(SUFFIX)

    def _cells(self) -> tuple[Cell, ...]:
        """Of a notebook."""
        return cells_of(Path(self.path).read_text("utf-8"), self.path)


def _wait_for_threads() -> None:
    """As Python does at its end: threads that are no daemons run on."""
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join()


def _left(code: object, said: str) -> Text:
    """An exit code and the program's last words, or the words that it left instead of a code."""
    words = verbatim(said if isinstance(code, int) else str(code)[:KEPT_CHARACTERS])
    number = code if isinstance(code, int) else 1
    return phrase("the script ended with exit code {code} before it trained: {words}", code=number, words=words)
