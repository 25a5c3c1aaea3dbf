"""A table of truths in a CSV file beside the commands, and the child that takes one of them."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

CHECKOUT = Path(__file__).resolve().parents[2]
TIMEOUT_S = 600

Key = tuple[str, ...]


def key_of(row: DataclassInstance) -> Key:
    """The key of a row all of whose fields are columns."""
    return tuple(str(value) for value in asdict(row).values())


@dataclass(frozen=True)
class TruthTable:
    """Answers by the key of their row; both are columns of text.

    Args:
        file: The CSV file; need not be there yet.
        key: Columns that say which row it is.
        answer: Columns of what was found.
    """

    file: Path
    key: tuple[str, ...]
    answer: tuple[str, ...]

    def load(self) -> dict[Key, dict[str, str]]:
        """The stored truths by the key of their row."""
        if not self.file.exists():
            return {}
        with self.file.open(newline="", encoding="utf-8") as file:
            return {tuple(r[n] for n in self.key): {n: r[n] for n in self.answer} for r in csv.DictReader(file)}

    def store(self, truths: Mapping[Key, Mapping[str, Any]]) -> None:
        """Write all truths."""
        with self.file.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*self.key, *self.answer])
            writer.writerows([*key, *(answer[n] for n in self.answer)] for key, answer in truths.items())


class ChildFailed(Exception):
    """The process ended badly; its text says how.

    Args:
        text: What it wrote last, or what is wrong with what it said.
        code: Its exit code, the negative number of a signal; None where it ended well.
    """

    def __init__(self, text: str, code: int | None = None) -> None:
        super().__init__(text if code is None else f"exit code {code}: {text}")
        self.code = code


def ask_child(command: Sequence[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """Run a process from the checkout's root and read the JSON in its last line.

    Raises:
        ChildFailed: It ended with another code than 0.
    """
    ended = subprocess.run(
        command, env=environment, cwd=CHECKOUT, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    if ended.returncode:
        raise ChildFailed(ended.stderr[-300:], ended.returncode)
    answer: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return answer
