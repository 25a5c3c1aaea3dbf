"""Tables that ship with the program and the user's own rows over them: cards, datasets, models, clouds, prices."""
