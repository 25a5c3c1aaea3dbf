"""Predictions against the truth: ``python -m studies.accuracy.NAME [--data FOLDER] [--json]``."""
