"""Circle (ruling: docs/rules/circle.md). The whole game lies in this folder: rules, page, lesson."""

from controller.rules.games.circle.game import GAME

__all__ = ["GAME"]
