"""Players that are programs: they search the plies of any game and know only what their seat may know."""
