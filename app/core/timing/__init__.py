"""How long a step takes: on this machine from operations timed here, on cards from what their kernels reach."""
