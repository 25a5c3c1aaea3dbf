"""Pythons that could train: those of this machine, and one made for it."""
