"""The process that thinks, and who asks it: the board's own play, help and analysis."""
