"""What maintainers do for updates: make and change keys, collect wheels, sign, publish. docs/updates.md says when."""
