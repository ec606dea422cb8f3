"""The board in the house that it stands in: what Home Assistant and the other boards are told of it."""
