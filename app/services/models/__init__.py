"""Finding a model by what the user typed, and which files of code the user allowed to run."""
