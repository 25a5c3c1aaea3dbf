"""This machine: what it has, what its frameworks can use, what children measured of it, and others in its place."""
