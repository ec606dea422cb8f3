"""Chess of Tam Ruat (ruling: docs/rules/tam-ruat-chess.md). The whole game lies in this folder: rules, page, lesson."""

from controller.rules.games.tam_ruat_chess.game import GAME

__all__ = ["GAME"]
