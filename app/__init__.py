"""Will It Train? — a hardware advisor for deep learning."""

__version__ = "0.1.0"
