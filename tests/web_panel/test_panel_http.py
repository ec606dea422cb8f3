"""The panel's addresses: what they answer, and whom they turn away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import web_panel.app
from controller.orders import NewGame, PlayPly, Resume, SetBrightness, TakeBack
from tests.web_panel.fake_backend import FakeBackend, square_backend
from web_panel.app import create_app
from web_panel.security import MOST_BODY_BYTES

STATIC = Path(web_panel.app.__file__).parent / "static"


@pytest.fixture
def backend() -> FakeBackend:
    return square_backend()


@pytest.fixture
def client(backend: FakeBackend) -> FlaskClient:
    return create_app(backend, ["board.example"]).test_client()


def sentence(answer: TestResponse) -> str:
    assert answer.is_json
    text = answer.get_json()["error"]
    assert text.endswith(".")
    return text


def table_only(response: Any) -> Iterator[bytes]:
    """Leave out what a stream tells a browser of itself (test_join.py)."""
    return (told for told in response if not told.startswith(b"event: you"))


# ---- what it answers ----


def test_the_page_loads_nothing_from_elsewhere(client: FlaskClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert b"//" not in page.data.replace(b"<!doctype html>", b"")
    for file in STATIC.rglob("*.*"):
        if file.suffix != ".png":
            text = file.read_text().replace("http://www.w3.org/2000/svg", "").replace("(https://paulmillr.com)", "")
            assert "http:" not in text
            assert "https:" not in text


def test_the_board_is_told_for_drawing(client: FlaskClient) -> None:
    board = client.get("/api/board").get_json()
    assert len(board["sites"]) == 144
    a1, l12 = board["sites"]["a1"], board["sites"]["l12"]
    assert (a1["x"], a1["y"]) == (20, 460)
    assert (l12["x"], l12["y"]) == (460, 20)


def test_the_games_are_told_with_their_options(client: FlaskClient) -> None:
    games = client.get("/api/games").get_json()
    assert [game["name"] for game in games] == ["tides-of-war", "circle"]
    assert games[0]["options"][0] == {
        "name": "side", "kind": "int", "default": 6, "help": "Cells a side.", "choices": [], "low": 4, "high": 12,
        "title": "Side", "titles": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "order"),
    [
        ({"do": "new_game", "game": "circle", "options": {"a": 1}}, NewGame(game="circle", options={"a": 1})),
        ({"do": "ply", "text": "a1-a2"}, PlayPly(text="a1-a2", seat=0)),
        ({"do": "take_back"}, TakeBack(by=(0, 1))),
        ({"do": "take_back", "to": 3, "made": 4, "by": [7]}, TakeBack(to=3, made=4, by=(0, 1))),
        ({"do": "brightness", "percent": 30}, SetBrightness(percent=30)),
        ({"do": "resume", "game_id": 7}, Resume(game_id=7)),
    ],
)
def test_an_order_reaches_the_backend(client: FlaskClient, backend: FakeBackend, body: Any, order: Any) -> None:
    answer = client.post("/api/order", json=body)
    assert (answer.status_code, answer.get_json()) == (200, {})
    assert backend.orders == [order]


def test_a_refused_order_is_told_in_the_desks_words(client: FlaskClient, backend: FakeBackend) -> None:
    backend.refusal = "The game is over; start a new one."
    answer = client.post("/api/order", json={"do": "take_back"})
    assert answer.status_code == 409
    assert sentence(answer) == backend.refusal


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"3", b'"take_back"', b"{}", b'{"do":"dance"}', b'{"do":"ply"}', b'{"do":"ply","text":3}',
        b'{"do":"take_back","to":-1}', b'{"do":"take_back","too":1}', b'{"do":"brightness","percent":101}',
        b'{"do":"brightness","percent":"50"}', b'{"do":"take_back"} {}', b'{"do":"ply","text":"\xff"}',
        b'{"do":"ply","text":"' + b"x" * 201 + b'"}',
        b'{"do":"new_game","game":"x","options":{"a":' + b"[" * 20_000 + b"]" * 20_000 + b"}}",
    ],
)  # fmt: skip
def test_an_order_that_cannot_be_read_is_refused_with_a_sentence(
    client: FlaskClient, backend: FakeBackend, body: Any
) -> None:
    answer = client.post("/api/order", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert sentence(answer).startswith("The request cannot be read: ")
    assert backend.orders == []


def test_a_piece_is_lifted_placed_and_set_aside(client: FlaskClient, backend: FakeBackend) -> None:
    stone = {"id": "p0", "seat": 0, "kind": "stone"}
    lifted = client.post("/api/lift", json={"site": "b3"}).get_json()
    assert lifted.pop("pieces") == client.get("/api/pieces").get_json()
    assert lifted == stone
    assert client.get("/api/pieces").get_json()["held"] == [stone]
    assert client.post("/api/place", json={"piece": "p0", "site": "b4"}).get_json()["pieces"]["on"]["b4"] == stone
    assert client.get("/api/pieces").get_json()["on"]["b4"] == stone
    assert client.post("/api/set_aside", json={"piece": "p0"}).get_json()["pieces"]["off"] == [stone]
    assert client.get("/api/pieces").get_json()["off"] == [stone]
    assert client.post("/api/set_up", json={}).status_code == 200
    assert client.get("/api/pieces").get_json()["on"]["b3"] == stone


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("lift", {"site": "a1"}),
        ("place", {"piece": "p0", "site": "c3"}),
        ("place", {"piece": "p0", "site": "z9"}),
        ("place", {"piece": "nobody", "site": "a1"}),
        ("set_aside", {"piece": "nobody"}),
    ],
)
def test_what_hands_cannot_do_is_refused(client: FlaskClient, backend: FakeBackend, path: str, body: Any) -> None:
    before = backend.hand.pieces()
    answer = client.post(f"/api/{path}", json=body)
    assert answer.status_code == 409
    assert sentence(answer)
    assert backend.hand.pieces() == before


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("lift", {}),
        ("lift", {"site": 3}),
        ("lift", {"site": "a1", "by": "me"}),
        ("lift", {"site": ""}),
        ("place", {"site": "a1"}),
        ("place", {"piece": "p" * 65, "site": "a1"}),
        ("set_aside", []),
        ("set_up", {"now": True}),
    ],
)
def test_a_touch_that_cannot_be_read_moves_nothing(
    client: FlaskClient, backend: FakeBackend, path: str, body: Any
) -> None:
    answer = client.post(f"/api/{path}", json=body)
    assert answer.status_code == 400
    assert sentence(answer)
    assert backend.hand.log == []


def test_a_board_with_real_sensors_has_no_hands() -> None:
    client = create_app(square_backend(with_hand=False)).test_client()
    assert client.get("/api/pieces").status_code == 404
    for path in ("lift", "place", "set_aside", "set_up"):
        answer = client.post(f"/api/{path}", json={"site": "b3", "piece": "p0"})
        assert answer.status_code == 404
        assert sentence(answer)


# ---- the stream ----


def test_the_stream_tells_the_pieces_and_the_view_and_then_what_changes(
    client: FlaskClient, backend: FakeBackend
) -> None:
    answer = client.get("/api/watch")
    assert answer.mimetype == "text/event-stream"
    stream = table_only(answer.response)
    assert next(stream) == b"retry: 1000\n\n"
    assert next(stream).startswith(b'event: pieces\ndata: {"on":{"b3":')  # the page draws both with the view
    assert next(stream).startswith(b'event: view\ndata: {"version":1,')
    backend.change(sentence="Black to move.")
    told = next(stream)
    assert told.startswith(b'event: view\ndata: {"version":2,')
    assert b'"Black to move."' in told
    assert told.endswith(b"}\n\n")
    assert told.count(b"\n") == 3
    answer.close()


def test_the_stream_of_a_board_with_real_sensors_tells_no_pieces() -> None:
    backend = square_backend(with_hand=False)
    backend.keep_alive_s = 0.01
    answer = create_app(backend).test_client().get("/api/watch")
    stream = table_only(answer.response)
    told = [next(stream) for _ in range(3)]
    assert told[1].startswith(b"event: view\n")
    assert told[2] == b": nothing new\n\n"
    answer.close()


def test_the_stream_ends_with_the_service(client: FlaskClient, backend: FakeBackend) -> None:
    answer = client.get("/api/watch")
    stream = table_only(answer.response)
    for _ in range(3):
        next(stream)
    backend.close()
    assert list(stream) == []


def test_more_watchers_than_threads_are_turned_away_until_one_leaves(backend: FakeBackend) -> None:
    client = create_app(backend, streams=2).test_client()
    first, second = client.get("/api/watch"), client.get("/api/watch")
    third = client.get("/api/watch")
    assert third.status_code == 503
    assert sentence(third)
    first.close()
    again = client.get("/api/watch")
    assert again.status_code == 200
    again.close()
    second.close()


def test_a_head_request_does_not_keep_a_place(backend: FakeBackend) -> None:
    client = create_app(backend, streams=1).test_client()
    for _ in range(3):
        answer = client.head("/api/watch")
        assert answer.status_code == 200
        answer.close()


# ---- whom it turns away ----


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8080", "LOCALHOST", "127.0.0.1:5000", "[::1]:8080", "192.168.1.20", "10.0.0.7:80",
     "[fe80::1]:8080", "[fd00::5]", "board.example", "board.example:8080"],
)  # fmt: skip
def test_it_answers_under_its_own_names_and_addresses(client: FlaskClient, host: str) -> None:
    assert client.get("/api/board", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "8.8.8.8", "board.example.evil", "", "[::1",
     "[2606:4700::1]", "evil.example:8080", "board.example@evil.example"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/api/board", "/api/watch", "/static/play/panel.js"])
def test_it_does_not_answer_under_a_name_that_another_site_points_at_it(
    client: FlaskClient, host: str, path: str
) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code in (400, 421)
    assert sentence(answer)


POSTS = [
    ("/api/order", {"do": "take_back"}),
    ("/api/lift", {"site": "b3"}),
    ("/api/place", {"piece": "p0", "site": "b4"}),
    ("/api/set_aside", {"piece": "p0"}),
    ("/api/set_up", {}),
]


@pytest.mark.parametrize(("path", "body"), POSTS)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:81"},
        {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_another_web_site_moves_nothing(
    client: FlaskClient, backend: FakeBackend, path: str, body: Any, headers: dict[str, str]
) -> None:
    answer = client.post(path, json=body, headers=headers)
    assert answer.status_code == 403
    assert sentence(answer)
    assert backend.orders == []
    assert backend.hand.log == []


@pytest.mark.parametrize(("path", "body"), POSTS[:2] + POSTS[4:])
def test_the_panels_own_page_is_let_through(client: FlaskClient, path: str, body: Any) -> None:
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post(path, json=body, headers=headers).status_code == 200


@pytest.mark.parametrize(("path", "body"), POSTS)
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None])
def test_a_form_of_another_site_is_turned_away_for_its_type(
    client: FlaskClient, backend: FakeBackend, path: str, body: Any, kind: str | None
) -> None:
    answer = client.post(path, data=b"{}", content_type=kind)
    assert answer.status_code == 415
    assert sentence(answer)
    assert backend.hand.log == []


@pytest.mark.parametrize(("path", "body"), POSTS)
def test_nothing_is_changed_by_get(client: FlaskClient, backend: FakeBackend, path: str, body: Any) -> None:
    answer = client.get(path, query_string=body)
    assert answer.status_code == 405
    assert sentence(answer)
    assert backend.orders == []
    assert backend.hand.log == []


def test_a_body_that_is_too_big_is_not_read(client: FlaskClient, backend: FakeBackend) -> None:
    answer = client.post("/api/order", data=b" " * (MOST_BODY_BYTES + 1), content_type="application/json")
    assert answer.status_code == 413
    assert sentence(answer) == f"This is too large: the limit here is {MOST_BODY_BYTES // 1024} kB."


@pytest.mark.parametrize("path", ["/", "/static/play/panel.js", "/api/board", "/api/watch", "/nowhere", "/api/lift"])
def test_every_answer_forbids_inline_code_framing_and_guessing(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    answer.close()


@pytest.mark.parametrize("path", ["/nowhere", "/static/../app.py", "/static/nothing.js", "/api/nothing"])
def test_what_is_not_there_is_said_in_a_sentence(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert sentence(answer)
