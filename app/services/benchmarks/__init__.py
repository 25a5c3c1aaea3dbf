"""Real runs: one, variants in turns, trials for the largest batch; watched from outside."""
