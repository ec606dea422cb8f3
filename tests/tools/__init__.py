"""What only maintainers run, tested."""
