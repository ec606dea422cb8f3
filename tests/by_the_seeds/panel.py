"""The whole program behind its panel, asked over HTTP as phones ask it: one phone for each seat, and this computer."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from tests.web_panel.real_backend import real_app

MOST_SEATS = 6
PATIENCE_S = 20.0


class Panel:
    """A service on a simulated board. ``holder[seat]`` is the phone that holds the seat."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self.app, self.running, _ = real_app("any", folder, held)
        for limiter in self.app.extensions["limiter"]:
            limiter.enabled = False
        self.own = self.client("127.0.0.1")
        self.begun = 0
        self.phones = [self.client(f"192.168.1.{10 + number}") for number in range(MOST_SEATS)]
        self.holder: list[int] = []
        self.joined = False

    def client(self, address: str) -> FlaskClient:
        """Return what asks from ``address``."""
        client: FlaskClient = self.app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        return client

    def phone(self, seat: int) -> FlaskClient:
        """Return the phone that holds ``seat``."""
        return self.phones[self.holder[seat]]

    def post(self, client: FlaskClient, path: str, **body: Any) -> str:
        """Post, and return "" where that is taken, else why not."""
        answer = client.post(f"/api/{path}", json=body)
        return "" if answer.status_code == 200 else str(answer.get_json()["error"])

    def begin(self, game: str, options: dict[str, Any], to: int = 0) -> None:
        """Begin a game, one of a match where ``to`` wins decide one, and let the phones sit down in their order."""
        match = {"match": {"to": to}} if to else {}
        self.begun += 1  # from one address only so many games are begun a minute
        self.own = self.client(f"127.0.{self.begun // 250 % 250}.{self.begun % 250 + 1}")
        refused = self.post(self.own, "order", do="new_game", game=game, options=options, seed=1, **match)
        assert not refused, refused
        self.sit_down(len(self.view()["seats"]))

    def sit_down(self, seats: int) -> None:
        """Let every phone join once, and let the first ``seats`` of them have these seats."""
        for number, phone in enumerate(self.phones):
            if not self.joined:
                refused = self.post(phone, "pair", name=f"Phone {number}") or self.post(phone, "pair/touch")
                assert not refused, refused
            for seat in self.seats_of(number):
                self.post(phone, "seat", seat=seat, take=False)
        self.joined = True
        for seat in range(seats):
            refused = self.post(self.phones[seat], "seat", seat=seat)
            assert not refused, refused
        self.holder = list(range(seats))

    def again(self) -> None:
        """Begin the next game of the match. docs/rules: the players move on by one seat."""
        refused = self.post(self.own, "order", do="play_again", seats="turn")
        assert not refused, refused
        self.holder = [*self.holder[1:], self.holder[0]]

    def set_up(self) -> None:
        """Let the pieces be put where the table wants them."""
        self.post(self.own, "set_up")
        end_s = time.monotonic() + PATIENCE_S
        while self.view()["phase"] == "setup":
            assert time.monotonic() < end_s, "the board is not set up"

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Return what the phone of ``seat`` is shown, or this computer."""
        return self.events(self.own if seat is None else self.phone(seat), "view")

    def seats_of(self, number: int) -> list[int]:
        """Return the seats that a phone holds."""
        return list(self.events(self.phones[number], "you")["seats"]) if self.joined else []

    def events(self, client: FlaskClient, name: str) -> dict[str, Any]:
        """Return the first event called ``name`` of a phone's stream."""
        answer = client.get("/api/watch")
        try:
            for chunk in answer.response:
                text = chunk.decode() if isinstance(chunk, bytes) else str(chunk)
                for part in text.split("\n\n"):
                    if part.startswith(f"event: {name}\n"):
                        found: dict[str, Any] = json.loads(part.split("\ndata: ", 1)[1])
                        return found
        finally:
            answer.close()
        raise AssertionError(f"no {name} came")

    def legal(self, seat: int) -> list[str]:
        """Return all plies that the phone of ``seat`` is offered, asked site by site."""
        found = []
        for site in ("", *self.view(seat)["sites"]):
            answer = self.phone(seat).get("/api/plies", query_string={"seat": seat, **({"site": site} if site else {})})
            found += [one["ply"] for one in answer.get_json()]
        return sorted(set(found))
