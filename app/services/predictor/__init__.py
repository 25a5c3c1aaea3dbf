"""Asks a child for what is not known yet: the graph of a model, and a sharper answer."""
