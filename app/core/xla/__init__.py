"""Memory of a step that XLA compiles: what the compiler would make of it."""
