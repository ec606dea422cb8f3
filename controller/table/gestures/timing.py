"""How long hands and magnets take, as settings have it."""

import msgspec


class Timing(msgspec.Struct, frozen=True):
    """When a change counts.

    A magnet counts as there after ``steady_ms``; gone and back within ``flicker_ms`` was never gone. A piece rests for
    ``settle_ms``, or some times as long, before its ply counts (`certainty`). A piece put back after ``hold_ms`` was
    held, and two pieces in the hand for ``menu_ms`` open the menu.
    """

    steady_ms: int = 8
    flicker_ms: int = 30
    settle_ms: int = 300
    hold_ms: int = 500
    menu_ms: int = 2000
