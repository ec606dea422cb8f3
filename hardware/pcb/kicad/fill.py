"""Fills the pours of a board file with copper, through KiCad's own module. For the system's Python: fill.py FILE."""

import importlib
import sys


def main(file: str) -> None:
    """Fill the pours of a board file and write it again."""
    pcbnew = importlib.import_module("pcbnew")  # by name: it is not in the project's own environment
    board = pcbnew.LoadBoard(file)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    board.Save(file)


if __name__ == "__main__":
    main(sys.argv[1])
