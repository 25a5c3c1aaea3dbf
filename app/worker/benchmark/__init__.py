"""Real training for some seconds: what is run, timed, taken apart and told."""
