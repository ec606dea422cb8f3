"""What all tests share."""

from hypothesis import settings

# A slow machine is no failure: how long an example takes is measured elsewhere, never asserted.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
