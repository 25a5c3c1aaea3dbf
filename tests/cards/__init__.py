"""The whole program on an emulated card."""
