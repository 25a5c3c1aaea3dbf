"""What the program costs, promises and withstands: ``python -m studies.benchmarks.NAME [--json]``."""
