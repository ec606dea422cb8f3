"""Tides of War (ruling: docs/rules/tides-of-war.md). The whole game lies in this folder: rules, page, lesson."""

from controller.rules.games.tides_of_war.game import GAME

__all__ = ["GAME"]
