"""Cyvasse (seed 003, Mikelepage's rules v5.0; ruling ``cyvasse``). The whole game lies in this folder."""

from controller.rules.games.cyvasse.game import GAME

__all__ = ["GAME"]
