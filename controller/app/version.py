"""Which version of the program this is."""

from __future__ import annotations

from importlib import metadata


def installed_version() -> str:
    """Return the version that was installed, "" where the files are run as they lie."""
    try:
        return metadata.version("beaconboard")
    except metadata.PackageNotFoundError:
        return ""
