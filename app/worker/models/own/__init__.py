"""Models of the user's own: saved files and functions, read with care."""
