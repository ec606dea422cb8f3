"""Lessons and puzzles: read from the folders of the games, and put before the table as orders."""
