"""Chess of Tam Ruat (seed 001; ruling ``tam-ruat-chess``). The whole game lies in this folder."""

from controller.rules.games.tam_ruat_chess.game import GAME

__all__ = ["GAME"]
