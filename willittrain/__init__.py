"""What other people's programs import: ``from willittrain.keras import Guard``.

It stands apart from `app`, the program itself: it runs in somebody else's training, where a package called ``app`` may
be theirs, and needs psutil and Keras only.
"""
