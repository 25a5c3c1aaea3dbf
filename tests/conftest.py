"""What all tests share."""

from hypothesis import settings

# A busy machine may take a second for an example: how long an example takes is not what is tested.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
