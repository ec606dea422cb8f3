"""The network of a Pi that has no keyboard: a Wi-Fi of its own while it is in none, and the way into the home's.

Owns when that Wi-Fi is open, and the one process that may speak with NetworkManager. It knows nothing of the panel,
which asks it (`controller.appliance.asking`) and finds the words.
"""
