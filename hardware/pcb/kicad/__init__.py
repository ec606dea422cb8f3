"""The file formats of KiCad: schematic, board, symbols. Must not know any particular board."""
