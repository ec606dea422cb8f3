"""What touches mean beside the table: who joins, what is checked, which contact chatters."""
