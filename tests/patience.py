"""How long a test waits for what the product promises within one or two seconds.

The promises themselves are measured by `studies.benchmarks.cancel` and `studies.benchmarks.startup`; a test on a busy
machine only tells "soon" from "when all the work was done", which takes half a minute and more in each of them.
"""

from __future__ import annotations

SOON_S = 15.0
