"""The panel's app over a service on which four moves of a game were made, asked without a browser."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import msgspec
from flask.testing import FlaskClient

from controller.events import Seating
from controller.orders import NewGame, PlayPly
from controller.panel.pieces_needed import expected
from controller.service.running_board import RunningBoard
from tests.web_panel.real_backend import real_app

PLIES = ("c3-c4", "c6-b5", "c2-d3", "b6-a6")


class Played(msgspec.Struct, frozen=True):
    """The panel of that service; nothing limits how often it is asked."""

    client: FlaskClient
    running: RunningBoard

    @property
    def plies(self) -> tuple[str, ...]:
        play = self.running.service.look().table.play
        return play.session.plies if play else ()


def played_app(folder: Path, held: ExitStack, seating: Seating | None = None) -> Played:
    """Play the four moves by people who sit as ``seating`` says; the service runs until ``held`` ends."""
    app, running, _ = real_app("square144", folder, held)
    for limiter in app.extensions["limiter"]:
        limiter.enabled = False
    running.service.submit(NewGame(game="tides-of-war", seed=1))
    assert running.hand is not None
    running.hand.set_up(expected(running.service.look().table))
    next(seen for seen in running.service.watch(20) if seen is not None and not seen.table.play.setting_up)
    if seating:
        running.service.seated(seating)
    for ply in PLIES:
        running.service.submit(PlayPly(text=ply))
    return Played(app.test_client(), running)
