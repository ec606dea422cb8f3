"""`beaconboard think`, which does not give way to the tests beside it."""

from __future__ import annotations

from controller.app.cli import cli
from controller.engine import think

if __name__ == "__main__":
    think.POLITE = 0
    cli(["think"])
