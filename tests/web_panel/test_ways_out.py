"""In which form an answer leaves the panel, and what it says to phones far away that may not have what they ask."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from controller.afar.phone import Call
from controller.panel.history_backend import HistoryBackend
from controller.refused import Refused
from tests.web_panel.fake_backend import FakeBackend, square_backend
from web_panel.app import create_app, short
from web_panel.backend import Finished, Standing
from web_panel.people.far_phones import FarPanel
from web_panel.people.joining import WaysIn
from web_panel.people.phones import GUEST, Phones
from web_panel.people.standings import UNKNOWN, Tally, counted
from web_panel.relay import create_relay
from web_panel.serving.http import LEAST_BYTES

replace = msgspec.structs.replace
GZIP = {"Accept-Encoding": "gzip"}
STYLE = "/static/common/panel.css"


@pytest.fixture
def backend() -> FakeBackend:
    return square_backend()


@pytest.fixture
def client(backend: FakeBackend) -> FlaskClient:
    return create_app(backend).test_client()


# ---- compressed -------------------------------------------------------------------------------------------


def test_a_page_leaves_compressed_for_who_reads_that_and_plain_for_others(client: FlaskClient) -> None:
    plain, packed = client.get("/"), client.get("/", headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Content-Encoding" not in client.get("/", headers={"Accept-Encoding": "gzip;q=0"}).headers
    assert "Content-Encoding" not in client.head("/", headers=GZIP).headers


def test_what_is_short_a_part_a_refusal_or_no_text_leaves_as_it_is(client: FlaskClient) -> None:
    short_answer = client.get("/api/levels", headers=GZIP)
    assert len(short_answer.data) < LEAST_BYTES
    assert "Content-Encoding" not in short_answer.headers
    board = client.get("/api/board", headers=GZIP)
    assert board.headers["Content-Encoding"] == "gzip"
    for path, headers in (
        ("/nowhere", GZIP),
        ("/static/pictures/icon.png", GZIP),
        ("/", {**GZIP, "Range": "bytes=0-10"}),
    ):
        assert "Content-Encoding" not in client.get(path, headers=headers).headers, path


# ---- refusals ---------------------------------------------------------------------------------------------


def test_every_refusal_is_one_sentence_with_its_status(client: FlaskClient) -> None:
    for answer, status in (
        (client.get("/api/order"), 405),
        (client.get("/api/nowhere"), 404),
        (client.post("/api/order", data="{", content_type="application/json"), 400),
        (client.post("/api/order", data="[" * 10_000, content_type="application/json"), 400),
        (client.get("/api/plies?site=a1&site=a2"), 400),
        (client.get("/api/plies?seat=x"), 400),
        (client.get("/api/plies?site=a1&seat=1"), 403),
    ):
        assert answer.status_code == status
        assert answer.is_json
        assert str(answer.get_json()["error"]).endswith("."), answer.get_json()


def test_what_is_lost_is_a_page_for_people_and_json_for_programs(client: FlaskClient) -> None:
    page = {"Accept": "text/html"}
    assert client.get("/nowhere", headers=page).mimetype == "text/html"
    for path, headers in (("/api/nowhere", page), ("/nowhere", {"Accept": "application/json"})):
        assert client.get(path, headers=headers).mimetype == "application/json", path
    refused = client.get("/api/order", headers=page)
    assert (refused.status_code, refused.mimetype) == (405, "application/json")


def test_a_fault_of_the_panel_is_a_sentence_without_its_words_and_in_the_log(
    backend: FakeBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def games() -> list[dict[str, Any]]:
        raise KeyError("a secret")

    monkeypatch.setattr(backend, "games", games)
    answer = create_app(backend).test_client().get("/api/games")
    assert answer.status_code == 500
    told = answer.get_json()["error"]
    assert told.startswith("There was an internal error (KeyError in test_ways_out.py, line ")
    assert "a secret" not in told
    assert "an internal error, at /api/games" in caplog.text


def test_the_board_in_the_page_has_its_sites_in_the_order_of_the_board(
    client: FlaskClient, backend: FakeBackend
) -> None:
    """So that a page that comes back, and asks for the board again, finds that nothing is to be drawn anew."""
    told = backend.geometry()
    turned = {**told, "sites": dict(reversed(told["sites"].items()))}
    backend.geometry = lambda: turned  # type: ignore[method-assign]
    in_page = re.findall(r'"([a-z]\d+)": ?\[ ?"cell"', client.get("/").text)
    assert in_page == list(turned["sites"])
    assert in_page != sorted(in_page)


def test_a_shape_of_the_board_is_told_once_and_every_site_has_its_own() -> None:
    geometry = square_backend().geometry()
    told = short(geometry)
    assert len(told["shapes"]) == 1
    for name, (kind, x, y, number) in told["sites"].items():
        site = geometry["sites"][name]
        assert (kind, x, y) == (site["kind"], site["x"], site["y"])
        for (dx, dy), (px, py) in zip(told["shapes"][number], site["outline"], strict=True):
            assert (x + dx, y + dy) == pytest.approx((px, py), abs=0.01)


# ---- phones far away --------------------------------------------------------------------------------------

SEATS = Standing(seats=("White", "Black"), to_move=0)


class Far:
    """A panel for phones far away, at a table that stands as the test says."""

    def __init__(self, standing: Standing = SEATS, answers: bool = False) -> None:
        """One that ``answers`` has all its addresses."""
        backend: Any = square_backend()
        backend.standing = lambda: standing
        self.phones = Phones()
        entry = WaysIn(self.phones)
        app = create_app(backend, entry=entry) if answers else Flask(__name__)
        self.panel = FarPanel(app, backend, entry)

    def asks(self, secret: str, method: Any, path: str, language: str = "") -> tuple[int, Any]:
        status, body = self.panel.answer(secret, Call("0" * 16, method, path, "{}", language))
        return status, msgspec.json.decode(body)


def test_a_phone_far_away_gets_its_seat_until_it_is_sent_away() -> None:
    far = Far()
    secret = far.panel.invite(1, "Ann")
    assert far.panel.seats(secret) == (1,)
    visitor = far.phones.who(secret)
    assert (visitor.name, visitor.role, visitor.afar) == ("Ann", "player", True)
    with pytest.raises(Refused, match="This seat is held by Ann"):
        far.panel.invite(1, "Ben")
    assert [phone.name for phone in far.phones.all()] == ["Ann"]  # whom nobody let in for nothing
    far.panel.leave(secret)
    far.panel.leave(secret)
    assert far.panel.seats(secret) is None
    assert far.phones.who(secret) == GUEST
    assert far.panel.seats(far.panel.invite(1, "")) == (1,)
    assert [phone.name for phone in far.phones.all()] == ["Phone 1"]
    assert far.panel.invite(None, "who looks on") == ""


@pytest.mark.parametrize(
    ("standing", "seat", "why"),
    [
        (Standing(), None, "Begin a game first"),
        (SEATS, 2, "there is no seat 3 in this game"),
        (replace(SEATS, board=frozenset({1})), 1, "The board plays this seat"),
        (replace(SEATS, afar=frozenset({1})), 1, "People at another board play this seat"),
        (replace(SEATS, unsealed=True), 1, "Secret moves have been made here already"),
    ],
)
def test_a_phone_that_cannot_be_invited_is_told_why_and_nobody_comes(
    standing: Standing, seat: int | None, why: str
) -> None:
    far = Far(standing)
    with pytest.raises(Refused, match=why):
        far.panel.invite(seat, "Ann")
    assert far.phones.all() == ()


def test_a_phone_far_away_reads_and_plays_and_does_nothing_that_belongs_to_the_board() -> None:
    far = Far(answers=True)
    secret = far.panel.invite(0, "Ann")
    assert far.asks(secret, "GET", "/api/board")[0] == 200
    status, told = far.asks(secret, "GET", "/api/settings")
    assert (status, list(told)) == (200, ["colours"])
    for method, path in (("GET", "/api/people"), ("POST", "/api/seat"), ("GET", "/api/order"), ("POST", "/api/plies")):
        status, told = far.asks(secret, method, path)
        assert (status, told["error"]) == (403, "This can be done only at the board or on a phone there.")
    german = far.asks(secret, "GET", "/api/people", "de")[1]["error"]
    assert german != told["error"]
    assert german.endswith(".")
    assert far.asks(secret, "GET", "/api/people", "xx")[1] == told


def test_who_watches_from_afar_sees_the_view_until_the_page_is_gone() -> None:
    far = Far(answers=True)
    secret = far.panel.invite(0, "Ann")
    asked = Call("0" * 16, "GET", "/api/board", "", "")
    gone = [False]
    seen: list[str] = []
    for event, data in far.panel.watch(secret, _Watch(), lambda: gone[0]):
        assert msgspec.json.decode(data) is not None
        seen.append(event)
        if event == "view":
            break
    assert seen[0] == "you"
    assert "view" in seen
    assert far.panel.tells_nothing(asked)
    assert not far.panel.tells_nothing(replace(asked, method="POST"))


class _Watch:
    language = "de"


# ---- a relay ----------------------------------------------------------------------------------------------


class Bridge:
    """A way to the broker that stands or does not."""

    stands = False

    def listen(self, room: str, address: str, most: int) -> None:
        return None

    def send(self, room: str, message: bytes) -> bool:
        return self.stands


def test_a_relay_that_is_full_or_has_no_line_says_so_in_a_sentence(tmp_path: Path) -> None:
    bridge = Bridge()
    relay = create_relay(bridge, HistoryBackend(None, tmp_path / "no-games.sqlite3")).test_client()
    room, sealed = "/line?room=" + 32 * "0", "application/octet-stream"
    for answer, status in (
        (relay.get(room), 503),
        (relay.post(room, data=b"x", content_type=sealed), 503),
        (relay.post(room, data=b"x", content_type="application/json"), 415),
        (relay.post(room[:-1], data=b"x", content_type=sealed), 400),
        (relay.get(room + "0"), 400),
        (relay.get("/line"), 400),
    ):
        assert answer.status_code == status
        assert answer.get_json()["error"].endswith(".")
    bridge.stands = True
    assert relay.post(room, data=b"x", content_type=sealed).status_code == 200


# ---- standings --------------------------------------------------------------------------------------------


def game(*seats: tuple[str, int], winner: int | None, name: str = "circle") -> Finished:
    return Finished(name, name.title(), seats, winner)


def test_whom_one_has_beaten_drawn_with_and_lost_to() -> None:
    ann, ben, level = ("ann", 0), ("ben", 0), ("", 3)
    games = [
        game(ann, ben, winner=0),
        game(ann, ben, winner=1),
        game(ann, ben, winner=None),
        game(level, ann, winner=0),
        game(ann, ("gone", 0), winner=1),
    ]
    record = counted(games, lambda id: "" if id == "gone" else id)
    assert record["ann"].all == Tally(5, 1, 3)
    assert record["ann"].by_opponent == {"ben": Tally(3, 1, 1), 3: Tally(1, 0, 1), UNKNOWN: Tally(1, 0, 1)}
    assert record["ben"].all == Tally(3, 1, 1)
    assert record.keys() == {"ann", "ben"}


def test_of_three_only_the_winner_has_beaten_anybody() -> None:
    games = [game(("ann", 0), ("ben", 0), ("cid", 0), winner=2)]
    record = counted(games, str)
    assert record["ann"].by_opponent == {"ben": Tally(1, 0, 0), "cid": Tally(1, 0, 1)}
    assert record["cid"].by_opponent == {"ann": Tally(1, 1, 0), "ben": Tally(1, 1, 0)}


def test_who_held_two_seats_of_a_game_has_played_it_once() -> None:
    record = counted([game(("ann", 0), ("ann", 0), ("ben", 0), winner=0)], str)
    assert record["ann"].by_opponent == {"ben": Tally(1, 1, 0)}
    assert record["ben"].by_opponent == {"ann": Tally(1, 0, 1)}


def test_what_begins_a_game_is_stopped_where_there_are_too_many_and_a_move_is_not(backend: FakeBackend) -> None:
    client = create_app(backend).test_client()
    statuses = [client.post("/api/order", json={"do": "new_game", "game": "circle"}).status_code for _ in range(40)]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    assert client.post("/api/order", json={"do": "ply", "text": "a1-a2"}).status_code == 200
