"""The running service: the loop that takes events to the table, the journal, the lights and the watchers."""
