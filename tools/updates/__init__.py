"""What maintainers do for updates: make and change keys, collect wheels, sign and publish. docs/updates.md says when."""
