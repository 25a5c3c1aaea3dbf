"""Runs some of everything of a ``fit`` and says what each phase needs and takes."""
