"""Power cuts: what a real run has done to its files is cut at any place, and the board is started on what is left."""
