"""``python -m tests.accuracy.NAME``, the older name of ``python -m studies.accuracy.NAME``: it runs the same file.

For `runpy` only, which looks for NAME in this path; nothing imports a table by this name.
"""

from studies import accuracy

__path__ = accuracy.__path__
