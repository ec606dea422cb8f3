"""What a board needs that nobody ever types a command to: helpers with one task and one right each, beside the service.

Owns the network of the Pi, and updates. A helper knows nothing of games; the service asks it over a socket, and has
none of its rights.
"""
