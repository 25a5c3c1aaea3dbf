"""How far to trust a prediction, from how earlier ones came out."""
