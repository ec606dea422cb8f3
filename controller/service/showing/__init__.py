"""The table to the lights, and to all who watch it."""
