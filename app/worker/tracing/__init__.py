"""One training step as TensorFlow's optimised graph, read into a `StepGraph` without running it."""
