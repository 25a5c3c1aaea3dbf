"""One page per tab; a page renders one state and emits intents."""
