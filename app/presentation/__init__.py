"""What window, terminal and reports have in common: how things are said to people, without Qt."""
