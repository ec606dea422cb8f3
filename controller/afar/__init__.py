"""A game with people at another board: the log that both keep, what they say to each other, and how it is sealed."""
