"""What the program says to a script when it ends (a contract of the command line)."""

DOES_NOT_FIT = 1
"""The answer of ``--check``; of a benchmark: out of memory."""
USAGE = 2
BAD_INPUT = 3
WORKER_FAILED = 4
INTERRUPTED = 130
"""What a shell calls a command that Ctrl+C ended."""
