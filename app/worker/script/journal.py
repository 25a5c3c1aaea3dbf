"""What the trainings of a program have left so far, shared by all processes that it starts.

A program may train in processes that it forked or spawned, which share no memory; they share the child's own temporary
folder.
"""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
import threading
from typing import Any

from app.core.types.captured import Training
from app.core.types.text import to_plain

_TRAINING = "training-"


class Journal:
    """Trainings in the order in which they were begun, and the answer that waits for the program's end.

    Args:
        folder: Of another process's journal; a new one if None.
    """

    def __init__(self, folder: str | None = None) -> None:
        self.folder = folder or tempfile.mkdtemp(prefix="journal-")
        self._lock = threading.Lock()

    def begin(self) -> int:
        """Another training begins: its number, from 1."""
        with self._lock:
            number = 1
            while not self._claimed(number):
                number += 1
        return number

    def add(self, training: Training) -> None:
        """What one of them would have done."""
        self.write(f"{_TRAINING}{training.fit}", dataclasses.asdict(training))

    def trainings(self) -> tuple[Training, ...]:
        """All that were added."""
        names = [name for name in os.listdir(self.folder) if name.startswith(_TRAINING) and "." not in name]
        found = [Training(**self.read(name)) for name in names]
        return tuple(sorted(found, key=lambda one: one.fit))

    def hold(self, answer: dict[str, Any]) -> None:
        """Keep an answer until the program ends."""
        self.write("answer", to_plain(answer))

    def held(self) -> dict[str, Any] | None:
        """That answer; None before there is one."""
        found: dict[str, Any] | None = self.read("answer") if self.has("answer") else None
        return found

    def write(self, name: str, value: dict[str, Any]) -> None:
        """Keep a value under a name."""
        self.keep_text(name, json.dumps(value))

    def keep_text(self, name: str, text: str) -> None:
        """Whole, or not at all for whoever reads meanwhile."""
        path = os.path.join(self.folder, name)
        with open(f"{path}.new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(f"{path}.new", path)

    def has(self, name: str) -> bool:
        """Was something kept under a name?"""
        return os.path.exists(os.path.join(self.folder, name))

    def read(self, name: str) -> Any:
        """What was kept."""
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return json.load(file)

    def _claimed(self, number: int) -> bool:
        """Is a number this training's: nobody else has it?"""
        try:
            os.mkdir(os.path.join(self.folder, str(number)))
        except FileExistsError:
            return False
        return True
