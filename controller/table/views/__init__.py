"""What the table looks like: lights, the panel's picture, move costs, threats. Pure; nothing here changes a table."""
