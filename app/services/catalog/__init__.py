"""What can be picked: the tables, and models and data by what the user typed."""
