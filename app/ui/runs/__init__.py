"""The page of stored runs, and saving them as reports."""
