"""Tides of War (seed 001; ruling ``tides-of-war``). The whole game lies in this folder."""

from controller.rules.games.tides_of_war.game import GAME

__all__ = ["GAME"]
