"""How long a step takes whose operations run side by side: TensorFlow's executor on a few cores.

As many operations run at once as there are threads between operations; all of them share the cores.  An operation
that spreads over ``p`` cores when it is alone is slowed to ``cores / sum of p`` of its speed when all together want
more than there are.  That factor is the same for all that run, so the simulation keeps one clock of progress beside
the real one (processor sharing, Kleinrock 1967).  Ready operations wait in one queue, first in, first out (the ready
queue of core/common_runtime/executor.cc).
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence

from app.core.simulate.program import successors_of


def elapsed_s(
    after: Sequence[Sequence[int]], alone_s: Sequence[float], spread: Sequence[float], *, threads: int, cores: int
) -> float:
    """Seconds from the first operation's start to the last one's end.

    Args:
        after: For each operation those that must have ended before, all of lower number or not.
        alone_s: Seconds of each operation when it has the machine for itself.
        spread: Cores that each operation keeps busy then, at least 1.
        threads: Operations that may run at once.
        cores: Cores that share the work.
    """
    waiting = [len(before) for before in after]
    successors = successors_of(after)
    ready = deque(index for index, count in enumerate(waiting) if count == 0)
    running: list[tuple[float, int]] = []
    progress = now = wanted = 0.0
    while ready or running:
        while ready and len(running) < threads:
            index = ready.popleft()
            wanted += spread[index]
            heapq.heappush(running, (progress + alone_s[index], index))
        ended, index = heapq.heappop(running)
        now += (ended - progress) * max(1.0, wanted / cores)
        progress = ended
        wanted -= spread[index]
        for follower in successors[index]:
            waiting[follower] -= 1
            if not waiting[follower]:
                ready.append(follower)
    return now
