"""Reads this machine; every reading that fails is None with a reason."""
