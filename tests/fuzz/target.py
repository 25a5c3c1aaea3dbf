"""A thing to fuzz: what it is given, and a check of what it makes of that."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.mutation import mutated

CORPUS = Path(__file__).parent / "corpus"
_COMES_BACK_S = 15.0
"""On a busy machine; reading takes milliseconds."""


@dataclass(frozen=True)
class Target:
    """One parser.

    Attributes:
        raw: Its input is bytes, so that a fuzzer that watches the code may make them up itself.
        ready: Loads what every input needs, so that the first one is not taken for large.
    """

    name: str
    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]
    raw: bool = False
    ready: Callable[[], object] | None = None


def of_bytes(name: str, seeds: list[bytes], check: Callable[[bytes], None]) -> Target:
    """A target whose input is bytes: the seeds and the findings of earlier rounds, mutated."""
    kept = [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]
    return Target(name, mutated([*seeds, *kept]), check, raw=True)


def comes_back(check: Callable[[Any], None], value: Any) -> bool:
    """Does a check end at all; for C code that may not, which the product ends in a way of its own.

    Args:
        check: A function of a module.
        value: Its input.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([check.__module__])
    tried = context.Process(target=_quietly, args=(check, value), daemon=True)
    tried.start()
    tried.join(_COMES_BACK_S)
    ended = tried.exitcode is not None
    tried.kill()
    tried.join()
    return ended


def _quietly(check: Callable[[Any], None], value: Any) -> None:
    """What it finds is found again by whoever looks at the input afterwards."""
    with suppress(Exception):
        check(value)


@contextmanager
def given_file(content: bytes, name: str) -> Iterator[Path]:
    """A file with this content in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        yield path
