"""The panel of this machine and its live values."""
