"""Strips of lights, and the limiter of their brightness and current."""
