"""What TensorFlow's profiler wrote down: operations, and every request to the allocator."""
