"""The table: sites, gestures, the session, what to light and say. Pure: no I/O, no threads, no clock."""
