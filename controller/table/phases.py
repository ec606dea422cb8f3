"""What a table is doing: known to the state and to those who are shown it."""

from typing import Literal

Phase = Literal["idle", "setup", "play", "fix", "pause", "over"]
"""``idle``: there is no game; ``setup``: its board is put up; ``fix``: the board stands otherwise than the game."""
