"""A thing to fuzz: what it is given, and a check of what it makes of that."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.mutation import mutated

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Target:
    """One parser.

    Attributes:
        raw: Its input is bytes, so that a fuzzer that watches the code may make them up itself.
        ready: Loads what every input needs, so that the first one is not taken for large.
        may_not_end: It reads by C code that some inputs keep for ever, which the product ends in a way of its own.
    """

    name: str
    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]
    raw: bool = False
    ready: Callable[[], object] | None = None
    may_not_end: bool = False


def of_bytes(name: str, seeds: list[bytes], check: Callable[[bytes], None], *, may_not_end: bool = False) -> Target:
    """A target whose input is bytes: the seeds and the findings of earlier rounds, mutated."""
    kept = [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]
    return Target(name, mutated([*seeds, *kept]), check, raw=True, may_not_end=may_not_end)


@contextmanager
def given_file(content: bytes, name: str) -> Iterator[Path]:
    """A file with this content in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        yield path
