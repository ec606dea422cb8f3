"""What hands did: changes of sites, the footprint of every legal ply, and which ply explains them.

Pure functions of occupancies and times.
"""
