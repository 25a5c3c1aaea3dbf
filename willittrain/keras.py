"""A callback that ends a training before its memory runs out, and writes what it saw.

::

    from willittrain.keras import Guard

    model.fit(x, y, epochs=30, callbacks=[Guard()])

Keras lets the callback stop between two batches: the weights are those of the last whole step, ``fit`` returns as after
any last epoch, and what saves or evaluates behind it still runs.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import keras

from willittrain.room import HostRoom
from willittrain.watch import Seen, write_whole

SCHEMA = 1
SHARE_FREE = 0.05
LEAST_FREE_BYTES = 256 * 1024**2
"""A twentieth of what there was, and no less: what a batch takes while nobody reads, and saving needs afterwards."""
READ_EVERY_S = 0.05
"""Batches that end sooner after a reading are not read: a reading shall cost a percent of a training at most."""


class Guard(keras.callbacks.Callback):  # type: ignore[misc]
    """Stops before the wall.

    After a batch it reads what the process holds and may still take: of its container, of ``ulimit -v``, of the
    machine, and of TensorFlow's cards.  It stops if what is left, less the headroom, is less than was lately added
    from one reading to the next; at the end of an epoch also if the next one would not fit, each of the last two
    having grown.  A card may be full from the first step on: only one that fills up steadily is a reason to stop.

    Args:
        report: Where to write what was seen, after each epoch and at the end; None writes nothing.
        headroom_bytes: What shall stay free; by default a twentieth of what is free at the start, at
            least 256 MiB or a quarter of it.
        limit_bytes: The most that the process shall hold, if that is less than the system allows.

    Attributes:
        stopped: Why it ended the training; empty if it did not.
        seen: What it saw of each memory.
    """

    def __init__(
        self,
        report: str | Path | None = "willittrain-guard.json",
        *,
        headroom_bytes: int | None = None,
        limit_bytes: int | None = None,
    ) -> None:
        super().__init__()
        self.stopped = ""
        self.seen: list[Seen] = []
        self._report = None if report is None else Path(report)
        self._headroom_bytes = headroom_bytes
        self._host = HostRoom(limit_bytes)
        self._step = self._epoch = 0
        self._read_at_s = 0.0
        self._cards: dict[str, int] = {}

    def on_train_begin(self, logs: Any = None) -> None:
        """Look at what there is."""
        self.stopped, self._step, self._epoch, self._read_at_s = "", 0, 0, 0.0
        self._cards = _cards()
        self.seen = [Seen("host", self._headroom(self._host.read().room_bytes))]
        self.seen += [
            Seen(name, self._headroom(most_bytes), leaks_only=True) for name, most_bytes in self._cards.items()
        ]

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Read, and stop if the next step may not fit."""
        self._step += 1
        if time.monotonic() - self._read_at_s >= READ_EVERY_S:
            self._look(epoch_ends=False)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Compare with the epoch before, and stop if the next one may not fit."""
        self._epoch = epoch + 1
        self._look(epoch_ends=True)
        self._write()

    def on_train_end(self, logs: Any = None) -> None:
        """Write what was seen, whatever ended the training."""
        self._write()

    def told(self) -> dict[str, object]:
        """What the report holds."""
        return {
            "schema": SCHEMA,
            "stopped": bool(self.stopped),
            "why": self.stopped,
            "steps": self._step,
            "epochs": self._epoch,
            "memory": [one.told() for one in self.seen],
        }

    def _look(self, *, epoch_ends: bool) -> None:
        """Read every memory, and stop if one comes to its end."""
        self._read_at_s = time.monotonic()
        for one in self.seen:
            left_bytes = self._read(one)
            if epoch_ends:
                one.end_epoch()
            why = one.wall(left_bytes, epoch_ends=epoch_ends)
            if why and not self.stopped:
                self.stopped = why
                self.model.stop_training = True
                sys.stderr.write(f"willittrain: stopped after step {self._step}: {why}\n")

    def _read(self, one: Seen) -> int:
        """Note one memory; returns what is left of it in bytes."""
        if one.device == "host":
            room = self._host.read()
            one.limit = room.limit
            one.add(self._step, room.used_bytes, room.room_bytes)
            return room.room_bytes
        held = _held(one.device)
        one.limit, left_bytes = "card", self._cards[one.device] - held["current"]
        one.add(self._step, held["current"], left_bytes, peak_bytes=held["peak"])
        return left_bytes

    def _headroom(self, free_bytes: int) -> int:
        """What shall stay free of a memory."""
        if self._headroom_bytes is not None:
            return self._headroom_bytes
        return max(round(SHARE_FREE * free_bytes), min(LEAST_FREE_BYTES, max(0, free_bytes) // 4))

    def _write(self) -> None:
        """Write the report; a disk that takes nothing is no reason to lose a training."""
        if self._report is None:
            return
        try:
            write_whole(self._report, self.told())
        except OSError as error:
            sys.stderr.write(f"willittrain: cannot write {self._report}: {error.strerror}\n")


def _cards() -> dict[str, int]:
    """TensorFlow's cards and what its allocator may take of each; none with another framework or without a card."""
    if keras.backend.backend() != "tensorflow":
        return {}
    import tensorflow as tf

    if not tf.config.list_logical_devices("GPU"):
        return {}
    from tensorflow.python.client import device_lib

    # Its allocator's limit is told nowhere else; the devices are there already, so that this makes none.
    found = [one for one in device_lib.list_local_devices() if one.device_type == "GPU"]
    return {one.name.rpartition("/device:")[2]: one.memory_limit for one in found}


def _held(device: str) -> dict[str, int]:
    """What TensorFlow's tensors take of a card now, and took at most."""
    import tensorflow as tf

    told: dict[str, int] = tf.config.experimental.get_memory_info(device)
    return told
