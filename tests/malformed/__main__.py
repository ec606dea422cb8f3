"""Sends malformed requests to a panel or a relay that runs: ``python -m tests.malformed 127.0.0.1:8000``.

Meanwhile pages are asked for; ends with status 1 where one was not answered.
"""

from __future__ import annotations

import sys

import click

from tests.malformed.evening import EveningRequest, evening


@click.command()
@click.argument("where")
@click.option("--count", default=10_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--page", "pages", multiple=True, default=("/", "/static/icon.svg"), show_default=True)
def main(where: str, count: int, seed: int, pages: tuple[str, ...]) -> None:
    """Send COUNT lines to WHERE, host and port."""
    host, _, port = where.rpartition(":")
    told = evening((host, int(port)), tuple(EveningRequest("GET", page) for page in pages), seed, count)
    click.echo(f"answers to what was no request: {dict(told.kinds.most_common())}")
    click.echo(f"pages: {dict(told.answered.most_common())}, the slowest after {told.slowest_ms:.0f} ms")
    sys.exit(any(not answer.endswith(" 200") for answer in told.answered))


main()
