"""Whether the packages of the extra 'workshop' are there; they are only looked for, as they take long to import."""

from __future__ import annotations

from importlib.util import find_spec

PACKAGES = ("distributed", "duckdb", "pyarrow")  # of all of them those that nothing else brings


def is_missing() -> bool:
    """Whether runs cannot be played here."""
    return any(find_spec(package) is None for package in PACKAGES)
