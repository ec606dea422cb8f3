"""Boards as SVG: a position, a game that moves, a ring. They are drawn from plain data; no request is known here."""
