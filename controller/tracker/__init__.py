"""The shell-cost tracker: its circuit on paper, its readings, and whether they agree with the rules."""
