"""``python -m tests.power_cuts [CUTS] [--story STORY] [--seed SEED]``: cuts every story, CUTS (10,000) in all.

Prints a line for each story, and each disk on which the board was not as promised, which is kept.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

import click

from tests.power_cuts.cuts import cut
from tests.power_cuts.disk import MODELS
from tests.power_cuts.stories import STORIES
from tests.power_cuts.trace import built

MOST_SHOWN = 8


@click.command()
@click.argument("cuts", default=10_000)
@click.option("--story", type=click.Choice(list(STORIES)), multiple=True, help="This one alone; may be repeated.")
@click.option("--seed", default=0, show_default=True, help="Other cuts of the same stories.")
def main(cuts: int, story: tuple[str, ...], seed: int) -> None:
    """Cut the stories CUTS times in all."""
    stories = story or tuple(STORIES)
    folder = Path(tempfile.mkdtemp(prefix="power-cuts-"))
    library, failed = built(folder), 0
    print(f"{'story':24}{'acts':>7}" + "".join(f"{model:>9}" for model in MODELS) + f"{'failed':>8}{'s':>7}")
    for number, name in enumerate(stories):
        count = cuts // len(stories) + (number < cuts % len(stories))
        begun_s = time.monotonic()
        outcome = cut(name, count, library, folder, seed)
        failed += len(outcome.failed)
        made = "".join(f"{outcome.cuts[model]:9}" for model in MODELS)
        took_s = time.monotonic() - begun_s
        print(f"{name:24}{outcome.acts:7}{made}{len(outcome.failed):8}{took_s:7.0f}", flush=True)
        for model, place, disk, why in outcome.failed[:MOST_SHOWN]:
            print(f"  {model}, act {place}: {why}\n    {disk}")
    if not failed:
        shutil.rmtree(folder)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
