"""Games with other boards and with phones far away, on this board's side of the line."""
