"""The page that trains for some seconds and shows what was measured."""
