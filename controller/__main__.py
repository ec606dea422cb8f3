"""``python -m controller`` is the command ``beaconboard``."""

from controller.app.cli import cli

if __name__ == "__main__":
    cli()
