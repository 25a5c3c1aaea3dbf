"""The window itself: start, composition, commands, dialogs."""
