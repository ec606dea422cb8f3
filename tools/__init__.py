"""What only maintainers run; no part of the wheel."""
