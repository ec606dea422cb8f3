"""Breakthrough, a game of Dan Troyka's: be the first to bring a stone to the far side."""

from beaconboard_breakthrough.game import GAME

__all__ = ["GAME"]
