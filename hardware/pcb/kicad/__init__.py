"""The file formats of KiCad: schematic, board, symbols."""
