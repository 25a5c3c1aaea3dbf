"""Runs and advice as documents, and the words they share with the command line."""
