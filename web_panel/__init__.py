"""The panel for the phones: the table's views and commands over HTTP, never devices or rules."""
