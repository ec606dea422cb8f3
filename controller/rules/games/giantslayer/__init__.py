"""Giantslayer (seed 001; ruling ``giantslayer``). The whole game lies in this folder."""

from controller.rules.games.giantslayer.game import GAME

__all__ = ["GAME"]
