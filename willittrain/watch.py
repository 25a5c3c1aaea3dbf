"""What was seen of one memory while a training ran, when to stop, and how that is written; no framework."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path

RECENT = 16
"""Readings whose growth counts for the next one."""
MOSTLY = 0.75
"""Of the last readings so many must have grown before a card's memory counts as leaking."""
MOST_SAMPLES = 512
"""Beyond that every second one is dropped, so that a week of training fits a small file."""


@dataclass
class Seen:
    """One memory from reading to reading, in bytes.

    Attributes:
        device: ``host`` or the framework's name of a card.
        headroom_bytes: What shall stay free.
        leaks_only: Stop only if it grows steadily: a training may fill a card to its edge and stay there.
        limit: What leaves the least room.
        samples: Step, what was held after it, and what could still be taken.
        grown_bytes: By how much each epoch ended above the one before.
    """

    device: str
    headroom_bytes: int
    leaks_only: bool = False
    limit: str = ""
    first_bytes: int | None = None
    last_bytes: int = 0
    peak_bytes: int = 0
    least_room_bytes: int | None = None
    grown_bytes: list[int] = field(default_factory=list)
    samples: list[tuple[int, int, int]] = field(default_factory=list)
    _steps: list[int] = field(default_factory=list)
    _room_bytes: int = 0
    _epoch_end: tuple[int, int] | None = None
    _every: int = 1

    def add(self, step: int, used_bytes: int, room_bytes: int, *, peak_bytes: int = 0) -> None:
        """Note a reading after a step; what others took of the same room counts as well."""
        if self.first_bytes is None:
            self.first_bytes = used_bytes
        else:
            taken_bytes = max(used_bytes - self.last_bytes, self._room_bytes - room_bytes)
            self._steps = [*self._steps[1 - RECENT :], taken_bytes]
        self.last_bytes, self._room_bytes = used_bytes, room_bytes
        self.peak_bytes = max(self.peak_bytes, used_bytes, peak_bytes)
        self.least_room_bytes = room_bytes if self.least_room_bytes is None else min(self.least_room_bytes, room_bytes)
        if step % self._every == 0:
            self.samples.append((step, used_bytes, room_bytes))
        if len(self.samples) > MOST_SAMPLES:
            self.samples, self._every = self.samples[::2], self._every * 2

    def end_epoch(self) -> None:
        """Note by how much the epoch has grown; the first warms up and is compared with nothing."""
        if self._epoch_end is not None:
            used_bytes, room_bytes = self._epoch_end
            self.grown_bytes.append(max(self.last_bytes - used_bytes, room_bytes - self._room_bytes))
        self._epoch_end = (self.last_bytes, self._room_bytes)

    @property
    def next_step_bytes(self) -> int:
        """What may be added until the next reading: the most that was between two of the last."""
        return max(0, *self._steps) if self._steps else 0

    @property
    def leaking(self) -> bool:
        """Has it grown between most of the last readings."""
        return len(self._steps) == RECENT and sum(grown > 0 for grown in self._steps) >= MOSTLY * RECENT

    @property
    def next_epoch_bytes(self) -> int:
        """What the next epoch will add: nothing unless the last two both grew, and then the smaller of the two."""
        return max(0, min(self.grown_bytes[-2:])) if len(self.grown_bytes) > 1 else 0

    def wall(self, room_bytes: int, *, epoch_ends: bool) -> str:
        """Why training must stop here; empty if it may go on."""
        free = room_bytes - self.headroom_bytes
        if self.leaks_only and not self.leaking:
            return ""
        said = f"{self.device}: {_mib(room_bytes)} are left ({self.limit}), {_mib(self.headroom_bytes)} shall stay free"
        if free < self.next_step_bytes:
            return f"{said}, and a step has added up to {_mib(self.next_step_bytes)}"
        if epoch_ends and free < self.next_epoch_bytes:
            return f"{said}, and each epoch adds {_mib(self.next_epoch_bytes)}"
        return ""

    def told(self) -> dict[str, object]:
        """What is written."""
        return {name: value for name, value in asdict(self).items() if not name.startswith("_")}


def write_whole(path: Path, document: dict[str, object]) -> None:
    """Write JSON whole or not at all: no reader sees half of it, and no link that somebody put there is followed."""
    text = json.dumps(document, indent=1) + "\n"
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with beside.open("x", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _mib(size_bytes: int) -> str:
    """A size for people."""
    return f"{size_bytes / 1024**2:,.0f} MiB"
