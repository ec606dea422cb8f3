"""Players are called by the names that they gave, wherever something is told of the game on the table.

Owns which answers tell of it; others tell of other games, which other people have played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from flask import Flask, g, request

from controller.sentences import called, say
from web_panel.backend import Standing, TableAccess
from web_panel.people.far_phones import CHANGES, READS
from web_panel.people.named_seats import NamedSeats

OF_THE_TABLE = READS | CHANGES  # a phone far away asks for nothing else


def names_of(seats: Sequence[str], given: Mapping[int, str], board: Collection[int] = ()) -> dict[str, str]:
    """Return how people call the players in ``seats`` who have ``given`` names: seat's name → theirs.

    Who plays several seats is called by name with each; who plays them all, by the seats' names alone. Of two seats the
    one that the ``board`` plays is called so; among more each keeps the name that all else says.
    """
    if len(seats) == 2 and len(board) == 1:
        own = {seats[seat]: say("the board") for seat in board}
        return own | names_of(seats, {seat: name for seat, name in given.items() if seat not in board})
    held = [given.get(n, "") for n in range(len(seats))]
    counts = Counter(held)
    return {
        seat: name if counts[name] == 1 else say("{person} ({seat})", person=name, seat=say(seat))
        for seat, name in zip(seats, held, strict=True)
        if name and (counts[name] == 1 or counts[name] < len(seats))
    }


def own_name(seats: Sequence[str], held: Sequence[int]) -> str:
    """Return what the rules call the one seat of a game that a phone has ``held``; who plays several is told of each by
    name.
    """
    own = [seats[seat] for seat in held if seat < len(seats)]  # others it keeps from another game
    return own[0] if len(own) == 1 else ""


def _names(standing: Standing, named: NamedSeats) -> dict[str, str]:
    """Return how players are called now; in a lesson, whose steps name seats, nobody is called by a name."""
    given = {seat: phone.name for seat, phone in named.of(standing).items()}
    return {} if standing.lesson else names_of(standing.seats, given, standing.board)


def call_by_name(app: Flask, backend: TableAccess, named: NamedSeats) -> None:
    """Let every answer and refusal of ``app`` that is of the game on the table call its players by their names."""

    @app.before_request
    def choose() -> None:
        if request.url_rule is None or request.url_rule.rule not in OF_THE_TABLE:
            return
        plain, held = g.spoken, g.visitor.seats

        @cache
        def names() -> tuple[dict[str, str], str]:  # many answers say no sentence
            standing = backend.standing()
            return _names(standing, named), "" if standing.lesson else own_name(standing.seats, held)

        g.spoken = lambda value: plain(called(value, *names()))
