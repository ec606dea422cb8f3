"""The springs of a shell's guide: what clicks into the notches of its ring."""

RING_MM = 5.0  # high, as the guide
BUMP_MM = 0.9  # radius of what clicks into a notch
ARM_MM = 1.0  # thick: at 1.4 mm a ring took 9 N at its rim, more than two fingers like to give
SLIT_MM = 1.6  # behind an arm, in which it gives way
