"""What the board says and lights while hands move, as kept; ``python -m tests.table.kept_evenings`` keeps it anew.

The transcripts say nothing of what is right: other tests know each story's truth. They say that something is told or
lit otherwise than before, and what, so that nobody changes it by mistake, and a change that is meant can be read.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from controller.events import Tick
from controller.journal.recording import parse, replay
from controller.table.state import Table
from controller.table.table import step
from controller.table.views.lights import CALM, blinks, meanings
from controller.table.views.look_back import position_after
from controller.table.views.panel_view import picture, plies_at
from controller.table.views.spoken import move_aloud, piece_aloud
from tests.hands.book import BOOK, recording, story_named, tell
from tests.hands.telling import Story
from tests.transcripts import BEGINS, keep

FILE = Path(__file__).with_suffix(".txt")
REEDS = ("clean-reed", "bad-reed")  # a bare board does not tell poles
TRIES = 40  # positions in which a story is tried
MOST_SITES = 4  # that are asked about at the end


def told(name: str) -> list[str]:
    """Return the transcript of a story, line by line: in one game, with one kind of sensors, drawn from its name."""
    return list(_evening(random.Random(name).randrange(1000), story_named(name)))


def _evening(number: int, story: Story) -> Iterator[str]:
    games, sensors = sorted(story.games), REEDS[number % len(REEDS)]
    for attempt in range(TRIES):
        game = games[(number + attempt) % len(games)]
        told = tell(game, story.name, sensors, number + attempt)
        if told.outcome is not None:
            yield f"{BEGINS}{story.name}: {game}, {sensors}"
            yield from _transcript([table for table, _ in replay(parse("\n".join(recording(told))))])
            return


def _transcript(tables: Sequence[Table]) -> Iterator[str]:
    before: dict[str, str] = {}
    for table in moments(tables):
        now = _shown(table)
        changed = [f"{key}: {value}" for key, value in now.items() if before.get(key) != value]
        if changed:
            yield f"{table.t_us / 1e6:.3f} s"
            yield from (f"  {line}" for line in changed)
        before = now
    yield from _asked(tables[-1])


def moments(tables: Sequence[Table]) -> Iterator[Table]:
    """Yield each of ``tables``, and what becomes of it in time until the next one."""
    for table, following in pairwise(tables):
        yield table
        while (wake_us := table.wake_us) is not None and wake_us < following.t_us:
            table, _ = step(table, Tick(wake_us))
            yield table
    yield tables[-1]


def _shown(table: Table) -> dict[str, str]:
    """Return what a watcher sees and what is lit, as words."""
    view, lit = picture(table, CALM, 0), defaultdict[str, list[str]](list)
    for site, meaning in meanings(table).items():
        lit[meaning].append(site)
    return {
        "phase": view.phase,
        "says": " | ".join(filter(None, (view.sentence, view.advice, view.waits, view.question))),
        "choices": "; ".join(each.words for each in view.choices),
        "taps": "; ".join(each.words for each in view.taps),
        "lights": "; ".join(f"{meaning} {' '.join(sites)}" for meaning, sites in sorted(lit.items())),
        "blinks": str(blinks(table, CALM)),
        "seats": "; ".join(
            f"{seat.name}{' to move' if seat.to_move else ''} {seat.score or ''}" for seat in view.seats
        ),
        "moves": " ".join(ply.text for ply in view.plies),
        "game": " | ".join((*view.lines, view.why, view.claim, f"back to {view.back}, again {view.redo}")),
        "taken": "; ".join(f"{seat} {piece.kind}" for seat, piece in view.captures),
        "turn": "; ".join(f"{ply.words} ({' '.join(ply.way)})" for ply in view.last.plies) if view.last else "",
        "other": _other(table),
    }


def _other(table: Table) -> str:
    """Return what is different for who holds the second seat, and what this one may ask for."""
    view = picture(table, CALM, 1)
    taps = " ".join(each.ply for each in view.taps)
    held = " ".join(holds for seat in view.seats for holds in seat.holds)
    return " | ".join((view.asks, taps, held, view.seating, " ".join(view.help.offers), view.stage))


def _asked(table: Table) -> Iterator[str]:
    """Yield what is told to who asks about some sites, the last move and how the game stood before it."""
    made = len(table.play.session.plies) if table.play else 0
    yield f"  aloud: {move_aloud(table, made, None)}"
    for site in [site for site in table.board.sites if table.board.mask([site]) & table.now][:MOST_SITES]:
        here = "; ".join(choice.words for choice in plies_at(table, site, None))
        yield f"  {site}: {piece_aloud(table, site, None)} {here}"
    if made:
        stood = position_after(table, made - 1, None)
        yield f"  before: {len(stood.pieces)} pieces; changed {' '.join(stood.changed)}; {stood.words}"


if __name__ == "__main__":
    keep(FILE, (story.name for story in BOOK), told)
