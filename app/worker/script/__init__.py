"""The author's own program, run as it would run by itself until it trains."""
