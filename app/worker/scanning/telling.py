"""What a scan says between two blocks, which is also where it is cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.core.types.text import Text, phrase
from app.core.types.units import format_bytes
from app.worker.channel import Channel

Tell = Callable[[float, Text], None]
"""Takes the share that is done, 0 for unknown, and what is happening; raises what ends the scan."""
_INTERVAL_S = 0.1


def to_parent(channel: Channel) -> Tell:
    """Tells the parent ten times a second, and ends the job if the parent asked for that."""
    next_s = 0.0

    def tell(share: float, words: Text) -> None:
        nonlocal next_s
        channel.check()
        if (now_s := time.monotonic()) >= next_s:
            next_s = now_s + _INTERVAL_S
            channel.progress(share, words)

    return tell


def nobody(share: float, words: Text) -> None:
    """Nobody listens."""


def tell_bytes(tell: Tell, done_bytes: int, of_bytes: int) -> None:
    """So much of a file is read."""
    words = phrase("{done} of {all} read", done=format_bytes(done_bytes), all=format_bytes(of_bytes))
    tell(min(1.0, done_bytes / max(1, of_bytes)), words)
