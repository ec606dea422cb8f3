"""``python -m controller`` is the command ``beaconboard``."""

from controller.main import cli

if __name__ == "__main__":
    cli()
