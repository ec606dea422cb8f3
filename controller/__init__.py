"""The service: rules, table, devices, and the loop that joins them. The rooms are drawn in docs/architecture.md."""

from controller import compiled

compiled.use()  # before any of its modules is imported
