"""One training step replayed: the program it runs, the order of its operations, the memory its allocator needs."""
