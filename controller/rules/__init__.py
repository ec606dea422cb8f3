"""The rules core: meshes, the game interface, the games. It does no I/O and imports no other room."""
