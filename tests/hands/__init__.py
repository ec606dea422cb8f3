"""Hands as bad as real ones on sensors as bad as real ones: stories with a truth of their own, for every game.

Knows the rules, the pieces as they lie and what sensors do. Must not know how the table reads hands.
"""
