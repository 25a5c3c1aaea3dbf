"""How long a test waits for what the product promises within one or two seconds.

The promises themselves are measured by `studies.benchmarks.cancel` and `studies.benchmarks.startup`; a test on a busy
machine only tells "soon" from "when all the work was done", which takes half a minute and more in each of them.
"""

from __future__ import annotations

import time
from contextlib import suppress

import psutil

SOON_S = 15.0


def gone(pid: int, within_s: float = SOON_S) -> bool:
    """Does a process end in time?  One that nobody has waited for yet has ended."""
    deadline = time.monotonic() + within_s
    with suppress(psutil.NoSuchProcess):
        while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
    return True
