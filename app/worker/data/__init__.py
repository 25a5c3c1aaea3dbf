"""The user's data as batches that the model takes, through a real input pipeline."""
