"""How hard a shell is to turn: the springs of its guide, as beams that are held at one end."""

from __future__ import annotations

import math

from hardware.printables import ring_springs as spring

PLA_MPA = 3000.0  # Young's modulus of printed PLA, 2.7 to 3.5 GPa in makers' data sheets
FRICTION = 0.35  # PLA on PLA, dry
STEPS = 100


def arm_long_mm(springs: int, guide_mm: float) -> float:
    """Return how long an arm of a guide of this radius is, from its root to its bump."""
    return math.radians(60 / springs) * guide_mm


def spring_newton_mm(long_mm: float) -> float:
    """Return the stiffness of one arm in N/mm: E b t³ / 4 L³."""
    return PLA_MPA * spring.RING_MM * spring.ARM_MM**3 / (4 * long_mm**3)


def strain(long_mm: float, gap_mm: float) -> float:
    """Return the greatest strain of an arm while its bump passes between two notches: 3 t d / 2 L²."""
    return 3 * spring.ARM_MM * (spring.BUMP_MM - gap_mm) / (2 * long_mm**2)


def rim_newton(springs: int, inner_mm: float, rim_mm: float, gap_mm: float) -> float:
    """Return the force at the ring's rim that lifts all bumps out of their notches.

    The ring's inner radius is ``inner_mm``, ``gap_mm`` more than the guide's; its rim is at ``rim_mm``. The edge of
    the notch climbs the round bump; its slope and friction make the push along the rim of the push against the spring.
    """
    stiff = spring_newton_mm(arm_long_mm(springs, inner_mm - gap_mm))
    most = 0.0
    for step in range(STEPS):
        bent = (spring.BUMP_MM - gap_mm) * step / STEPS
        height = gap_mm + bent
        slope = math.sqrt(spring.BUMP_MM**2 - height**2) / height
        if slope * FRICTION < 1:
            most = max(most, stiff * bent * (slope + FRICTION) / (1 - slope * FRICTION))
    return springs * most * inner_mm / rim_mm
