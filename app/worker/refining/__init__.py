"""A sharper answer for seconds of work: the step compiled, probed or timed operation by operation."""
