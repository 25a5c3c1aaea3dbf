"""The same step as XLA compiles it: instructions, fusion, buffers."""
