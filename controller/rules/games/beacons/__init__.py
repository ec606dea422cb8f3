"""Beacons (ruling: docs/rules/beacons.md). The whole game lies in this folder: rules, page, lesson."""

from controller.rules.games.beacons.game import GAME

__all__ = ["GAME"]
