"""Networks from games that the program plays against itself: played, fitted, compared. No part of the product.

Owns how games are played for it, the fit with numpy and scipy, and the figures of the result. What is learned lies in a
game's folder (`network.bin`) and is read by `controller/engine/learned.py`; the data stay out of the repository.
"""
