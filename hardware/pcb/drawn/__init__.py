"""A circuit as a drawing for people: blocks with pins, symbols of small parts, wires, one page a board."""
