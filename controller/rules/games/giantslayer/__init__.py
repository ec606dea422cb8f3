"""Giantslayer (ruling: docs/rules/giantslayer.md). The whole game lies in this folder: rules, page, lesson."""

from controller.rules.games.giantslayer.game import GAME

__all__ = ["GAME"]
