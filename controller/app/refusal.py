"""How a command ends that is not carried out."""

from __future__ import annotations

from typing import NoReturn

import click


def refuse(sentence: object) -> NoReturn:
    """End with status 2 and one sentence."""
    click.echo(f"beaconboard: {sentence}", err=True)
    raise SystemExit(2)
