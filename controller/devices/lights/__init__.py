"""Strips of lights, and the limiter of their brightness and current. Must not know what a colour means."""
