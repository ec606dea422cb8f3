"""Cyvasse (ruling: docs/rules/cyvasse.md). The whole game lies in this folder: rules, page, lesson."""

from controller.rules.games.cyvasse.game import GAME

__all__ = ["GAME"]
