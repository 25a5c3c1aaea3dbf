"""Puts simulation, timing and pipeline together to a prediction, and corrects it by what runs have shown."""
