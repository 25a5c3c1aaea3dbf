"""Which kernels wait for which, while kernels become one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from app.core.simulate.xla.fusion import Kernel, ancestors

BITS = 8


class Waiting:
    """A table of bits, a row for each kernel: for which others it waits, directly or by way of others.

    Args:
        kernels: By the index of their last instruction, in topological order.
    """

    def __init__(self, kernels: Mapping[int, Kernel]) -> None:
        self._place = {index: place for place, index in enumerate(kernels)}
        place = self._place
        before = ancestors({place[i]: tuple(place[o] for o in k.operands) for i, k in kernels.items()})
        width = len(before) // BITS + 1
        packed = b"".join(waits.to_bytes(width, "little") for waits in before.values())
        self._rows = np.frombuffer(packed, np.uint8).reshape(len(before), width).copy()

    def waits(self, kernel: int, other: int) -> bool:
        """Does a kernel wait for another."""
        byte, bit = divmod(self._place[other], BITS)
        return bool(self._rows[self._place[kernel], byte] >> bit & 1)

    def connected(self, one: int, other: int) -> bool:
        """Does one of two kernels wait for the other."""
        return self.waits(one, other) or self.waits(other, one)

    def join(self, members: Sequence[int]) -> None:
        """Each waits for all that any of them waits for, and whoever waits for one waits for all."""
        places = np.array([self._place[member] for member in members])
        together = np.bitwise_or.reduce(self._rows[places], axis=0)
        own = np.zeros_like(together)
        np.bitwise_or.at(own, places // BITS, (1 << places % BITS).astype(np.uint8))
        together &= ~own
        self._rows[places] = together
        waited_for = self._rows[:, places // BITS] >> places % BITS & 1
        behind = waited_for.any(axis=1) & ~waited_for.all(axis=1)  # who waits for all waits for the rest, too
        self._rows[behind] |= together | own
