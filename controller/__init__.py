"""The service: rules, table, devices, and the loop that joins them. The rooms are drawn in docs/architecture.md."""
