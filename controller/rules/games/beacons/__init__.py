"""Beacons (seed 002; ruling ``beacons``). The whole game lies in this folder."""

from controller.rules.games.beacons.game import GAME

__all__ = ["GAME"]
