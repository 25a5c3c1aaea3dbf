"""``python -m tests.benchmarks.NAME``, the older name of ``python -m studies.benchmarks.NAME``: it runs the same file.

For `runpy` only, which looks for NAME in this path; nothing imports a benchmark by this name.
"""

from studies import benchmarks

__path__ = benchmarks.__path__
