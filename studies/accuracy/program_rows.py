"""The programs of the table: our own of every kind, and what others wrote, which is not in this repository.

Others' were chosen before any of them was run.  Left out beforehand was what needs a library besides TensorFlow's own
that is not at hand (`tensorflow_datasets`, KerasHub, `transformers`) or data that nobody documents the shape of.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

OWN_FOLDER = Path(__file__).with_name("programs")
OTHERS_FILE = Path(__file__).with_name("program_others.csv")


@dataclass(frozen=True)
class ProgramRow:
    """One program.

    Attributes:
        name: For the table.
        path: Below its repository.
        root: The folder of it that is copied and in which the program runs, below its repository.
        arguments: The program's own.
        module: Its name, if it is run as ``python -m`` does.
        repository: Whose it is, ``owner/name``; empty for our own.
        commit: Which version.
        made_up: What stands in its working folder, by `studies.accuracy.program_made_up.BESIDE`.
    """

    name: str
    path: str
    root: str = "."
    arguments: tuple[str, ...] = ()
    module: str | None = None
    repository: str = ""
    commit: str = ""
    made_up: tuple[str, ...] = ()

    def source(self, others: Path) -> Path:
        """The folder that is copied; that of a repository is called ``owner+name``."""
        return (others / self.repository.replace("/", "+") if self.repository else OWN_FOLDER) / self.root


_ARGUMENTS = {"with_arguments.py": ("--batch", "16", "--depth", "3", "--epochs", "4")}
_PACKAGES = (ProgramRow("kit.train", "kit/train.py", arguments=("--config", "kit/small.json"), module="kit.train"),)


def own() -> list[ProgramRow]:
    """Our own programs, by name."""
    files = sorted(path.name for path in OWN_FOLDER.iterdir() if path.suffix in (".py", ".ipynb"))
    alone = [ProgramRow(name, name, arguments=_ARGUMENTS.get(name, ())) for name in files]
    return sorted([*alone, *_PACKAGES], key=lambda row: row.name)


def others() -> list[ProgramRow]:
    """Others' programs, as they were chosen."""
    with OTHERS_FILE.open(newline="", encoding="utf-8") as file:
        return [_other(record) for record in csv.DictReader(file)]


def _other(record: dict[str, str]) -> ProgramRow:
    """A row of the file."""
    return ProgramRow(
        name=f"{record['repository'].split('/')[0]}: {record['path']}",
        path=record["path"],
        root=record["root"],
        arguments=tuple(record["arguments"].split()),
        repository=record["repository"],
        commit=record["commit"],
        made_up=tuple(record["made_up"].split()),
    )
