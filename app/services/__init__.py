"""The use cases, free of Qt."""
