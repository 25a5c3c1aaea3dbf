"""From what the user typed to a `Dataset`: looking into folders and files without a framework."""
