"""Forced wins in one to four plies, found by the solver and not by the engine: level 8 wins all of them."""

from __future__ import annotations

