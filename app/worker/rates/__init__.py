"""What this machine's device really takes and achieves, measured once."""
