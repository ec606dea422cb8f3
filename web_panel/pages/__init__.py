"""The pages beside the board, each with its addresses and what it asks of the backend. Nothing here imports the app."""
