"""A run or an answer to show to other people: the preview, and drawings as pictures."""
