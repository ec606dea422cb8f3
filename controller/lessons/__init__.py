"""Lessons: the files that teach each game, and how they are read."""
