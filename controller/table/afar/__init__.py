"""Seats that are held at another board, and choices that are secret until all have chosen. Pure."""
