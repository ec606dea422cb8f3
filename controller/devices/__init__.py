"""Devices, each with its twin. They know events and sites, never rules or the table."""
