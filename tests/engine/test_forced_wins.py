"""Forced wins in one to four plies, found by the solver and not by the engine: level 8 wins all of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from solver import random_states, wins_within

from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.options import parse
from controller.rules.registry import game_named
from forced_wins import WINS
