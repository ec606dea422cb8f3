"""A kept game to show to others: its people, its figures, and a picture of any position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from controller.from_profile import bare_profile
from controller.game_setup import Opponents
from controller.lessons.puzzle_files import Puzzle, puzzle_for
from controller.panel.diagrams import Diagram, drawn
from controller.rules.game import Piece, View
from controller.sentences import ENGLISH, say
from controller.table.session import Session, begin

DAY = 10  # letters of a date in front of a time
US_A_MINUTE = 60_000_000


def shape_after(session: Session, ply: int) -> Mapping[str, Piece]:
    """Return the pieces that everybody may see after ``ply`` moves."""
    return seen_after(session, ply).pieces


def seen_after(session: Session, ply: int) -> View:
    """Return what everybody may see after ``ply`` moves."""
    return session.game.look(session.positions[ply].state, None)


def changed(session: Session, ply: int) -> tuple[str, ...]:
    """Return the sites that move number ``ply`` changed, as everybody may see."""
    after, before = shape_after(session, ply), shape_after(session, max(0, ply - 1))
    return tuple(sorted(site for site in {*after, *before} if after.get(site) != before.get(site)))


def people(names: Sequence[str], session: Session, opponents: Opponents) -> tuple[tuple[str, str], ...]:
    """Return the name of each seat that takes part, and who played it: the board among ``opponents``, or who sat there;
    "" where that is not known.
    """
    seats = session.game.facts.seats[: session.game.facts.players(session.options)]
    board = [say("the board") if opponents.level(n) else "" for n in range(len(seats))]
    return tuple((say(seat), board[n] or (names[n] if n < len(names) else "")) for n, seat in enumerate(seats))


def figures(session: Session, t_us: int) -> dict[str, Any]:
    """Return what there is to count: ``minutes`` until ``t_us``, pieces captured by each seat and kind, in order."""
    counts: dict[tuple[int, Piece], int] = {}
    for taken in session.positions[-1].captures:
        counts[taken] = counts.get(taken, 0) + 1
    captured = [
        {"by": by, "seat": piece.seat, "kind": piece.kind, "count": count} for (by, piece), count in counts.items()
    ]
    return {"minutes": -(-t_us // US_A_MINUTE), "captured": captured}


def position_picture(session: Session, ply: int) -> Diagram:
    """Return the position after ``ply`` moves as a diagram, the last move's sites marked "last"."""
    marks = dict.fromkeys(changed(session, ply), "last") if ply else {}
    profile = bare_profile(session.name, session.options)
    found = drawn(session.game, profile, seen_after(session, ply), marks, "")
    return msgspec.structs.replace(found, title=session.title)


def puzzle_asks(puzzle: Puzzle) -> str:
    """Return who is to move in a puzzle, by the colour where players change it, and what for."""
    order, aim = puzzle.order, puzzle.aim
    session = begin(order.game, order.options, order.seed or 0).through(order.lesson.plies if order.lesson else ())
    seat = say(session.game.side(session.positions[-1].state, session.mover or 0))
    if aim == "once":
        return say("{seat} to move: win at once.", seat=seat)
    if aim == "win":
        return say("{seat} to move: win by force.", seat=seat)
    if aim == "save":
        return say("{seat} to move: all moves but one lose.", seat=seat)
    if aim == "turn":
        return say("{seat} to move: reach the goal within this turn.", seat=seat)
    return say("{seat} to move: one move is far better than all others.", seat=seat)


def puzzle_picture(game: str, number: str) -> dict[str, Any]:
    """Return the position of a puzzle as plain data; raises `Refused`."""
    order = puzzle_for(game, number)
    assert order.lesson
    plies = order.lesson.plies
    shown = position_picture(begin(game, order.options, order.seed or 0).through(plies), len(plies))
    found: dict[str, Any] = msgspec.to_builtins(shown, enc_hook=ENGLISH)
    return {**found, "title": shown.title}
