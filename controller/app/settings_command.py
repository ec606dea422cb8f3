"""The command line of the settings."""

from __future__ import annotations

import click

from controller.settings import page


@click.command()
def settings() -> None:
    """Print the reference of all settings (docs/settings.md is generated this way)."""
    click.echo(page(), nl=False)
