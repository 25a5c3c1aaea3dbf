"""One training step as a flat program, and what running it does to memory."""
