"""Measurements of speed: perft of the rules, and how long a touch takes to become light. Nothing is judged here."""
