"""Games at random at the table, as phones give their orders to the panel."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random

from .at_the_table import Table, replayed
from .compare import Played, shrunk
from .panel import Panel
from .variants import LONGEST, choose, draw, tastes

OFTEN = 12  # in one of so many positions it is asked which plies the phone is offered, or what is refused


def evening(games: int, seed: int, which: list[str]) -> int:
    """Compare so many games of each kind, print what differs and the figures; return 1 where anything does."""
    differ = 0
    with ExitStack() as held:
        panel = Panel(Path(held.enter_context(tempfile.TemporaryDirectory())), held)
        for game in which:
            counts: Counter[str] = Counter()
            for number in range(games):
                random = Random(f"{seed} {game} table {number}")
                played, to = play(panel, game, random)
                counts["games"] += 1 + played.events.count("again")
                counts["positions"] += played.positions
                counts["resignations"] += sum(event.startswith("out ") for event in played.events)
                counts["offers of a draw"] += sum(event.startswith("draw ") for event in played.events)
                if played.differences:
                    counts["differences"] += 1
                    replay = partial(replayed, panel, to)
                    match = f", match to {to}" if to else ""
                    print(f"game {number}, seed {seed}{match}: {shrunk(played, replay).told()}", flush=True)
            differ += counts["differences"]
            words = ("games", "positions", "resignations", "offers of a draw", "differences")
            print(f"{game}: " + ", ".join(f"{counts[word]} {word}" for word in words), flush=True)
    return 1 if differ else 0


def play(panel: Panel, game: str, random: Random, longest: int = 120) -> tuple[Played, int]:
    """Play a game, or a match to so many as the second number says, until its end or the first difference."""
    many = game in ("circle", "beacons") and random.random() < 0.8
    options = draw(game, random, giving_up=many)
    to = random.choice((0, 0, 2, 3))
    table = Table(panel, game, options, to)
    played = Played(game, options, differences=table.unlike(), positions=1)
    taste = tastes(game, random)
    haste = random.choice((0.0, 0.02, 0.1, 0.4))
    longest = min(longest, max(LONGEST[game])) * (2 if to else 1)
    while not played.differences and len(played.events) < longest:
        event = happens(table, random, taste, haste)
        if not event:
            break
        played.events.append(event)
        played.differences = table.step(event)
        played.positions += 1
    return played, to


def happens(table: Table, random: Random, taste: dict[str, float], haste: float) -> str:
    """Return what happens next, "" when nothing does."""
    if table.referee.over:
        return "again" if table.may("again") else ""
    if table.may("ask") and random.random() < 1 / OFTEN:
        return random.choice(("ask", "try"))
    leaver = f"out {random.choice(table.here()) + 1}"
    if table.setting_up:
        return leaver if table.players > 2 and len(table.here()) > 2 and random.random() < 0.1 else "set up"
    if table.offers:  # most agree; a ply withdraws what was offered
        left = [seat for seat in table.here() if seat not in table.offers]
        if left and random.random() < 0.8:
            return f"draw {random.choice(left) + 1}"
    elif random.random() < (haste if table.players > 2 or random.random() < 0.1 else 0):
        return leaver
    elif random.random() < 0.02:
        return f"draw {random.choice(table.here()) + 1}"
    return choose(table.game, table.referee.legal(), table.plies, random, taste)
