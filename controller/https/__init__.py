"""https for the panel: the board's own authority, certificates, and those that an owner brings."""
