"""Which ply, or what else, hands have meant. Pure."""
