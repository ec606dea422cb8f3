"""What a laser or an office printer makes of a board profile: board tops and paper tokens."""
