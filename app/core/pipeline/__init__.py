"""The step as a pipeline from the disk to the device: what its input costs, and what it waits for."""
