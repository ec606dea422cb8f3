"""Circle, "Rules v1.1.2" (seed 004; ruling ``circle``). The whole game lies in this folder."""

from controller.rules.games.circle.game import GAME

__all__ = ["GAME"]
