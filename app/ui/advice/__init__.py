"""The page of recommendations."""
