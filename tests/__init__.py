"""The tests, a folder for each room of the program; what several of a folder need lies beside them as a module."""
