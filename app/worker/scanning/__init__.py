"""Looks into files that others made: what they hold, without loading them, within limits."""
