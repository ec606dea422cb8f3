"""Games that somebody played without a name: whoever has one may say that it was them, and take that back.

Whose such a seat is, the people's file keeps; the journal stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Protocol

import msgspec
from flask import Flask, Response, g

from controller.game_setup import Seat
from controller.typed import decoder
from web_panel.answers_of_pages import NamelessSeat
from web_panel.people.people import People
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import as_json, takes


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whoever played ``seat`` without a name was the person of this phone, or was not after all."""

    seat: Seat
    mine: bool


class NamelessAccess(Protocol):
    """Who keeps the games."""

    def people_of(self, game_id: int) -> Sequence[str]:
        """Return the ids of the people of a game, one for each seat, "" for nobody known; raises `Refused`."""

    def nameless(self, game_id: int) -> Mapping[int, str]:
        """Return under which id somebody played a seat without a name, by seat; raises `Refused`."""


def add_claims(app: Flask, past: NamelessAccess, people: People, turns: OneAtATime) -> None:
    """Add their addresses to ``app``; games are read from the journal in ``turns``."""

    @app.get("/api/history/<int:game_id>/nameless")
    @turns.costly
    def nameless_seats(game_id: int) -> Annotated[Response, list[NamelessSeat]]:
        """The seats of a game that were played without a name and may be claimed with this phone, or are."""
        return as_json(people.claimable(g.visitor, past.nameless(game_id)))

    @app.post("/api/history/<int:game_id>/nameless")
    @takes(decoder(Claim))
    @turns.costly
    def claim_seat(what: Claim, game_id: int) -> None:
        """Say that the games which somebody played without a name are those of this phone's person, or no longer."""
        people.claim(g.visitor, past.nameless(game_id).get(what.seat, ""), what.mine)
