"""Joining over HTTP: who is let in, what each may do, what survives a restart, and what never leaves."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from flask.testing import FlaskClient

from controller.orders import OfferDraw, PlayPly, Resign
from controller.rules.game import Piece
from controller.sentences import say
from controller.table.views.types import Card, Choice
from tests.web_panel.fake_backend import (
    FakeAfar,
    FakeBackend,
    FakeBackups,
    FakeDiagnostics,
    FakeFirmware,
    FakeHealth,
    FakeRuns,
    FakeSecure,
    FakeUpdates,
    FakeVariants,
    FakeWired,
    square_backend,
)
from web_panel.app import create_app
from web_panel.people import presence
from web_panel.people.joining import COOKIE, WaysIn
from web_panel.people.phones import Phones, new_secret

CODE = "12345678"


class Room:
    """A panel that lets nobody in unasked, and phones that look at it."""

    def __init__(self, path: Path | None = None, **backend: Any) -> None:
        self.backend: FakeBackend = square_backend(**backend)
        self.backend.keep_alive_s = 0.01
        self.phones = Phones(path)
        self.entry = WaysIn(self.phones, CODE, addresses=lambda: ("http://board.local:8000",))
        self.health = FakeHealth()
        self.app = create_app(self.backend, entry=self.entry, diagnostics=FakeDiagnostics(), afar=FakeAfar(),
                              variants=FakeVariants(), runs=FakeRuns(), health=self.health,
                              backups=FakeBackups(), updates=FakeUpdates(), firmware=FakeFirmware(),
                              wired=FakeWired(), secure=FakeSecure())  # fmt: skip

    def phone(self, address: str = "192.168.1.7") -> FlaskClient:
        client = self.app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        return client

    def joined(self, address: str = "192.168.1.7", name: str | None = None) -> FlaskClient:
        client = self.phone(address)
        assert client.post("/api/pair", json={"name": name} if name else {}).status_code == 200
        self.touch()
        assert you(client)["role"] != "guest"
        return client

    def touch(self) -> None:
        """Put a piece on every cell that is asked for."""
        for site, _ in list(self.backend.calls.values()):
            self.backend.hand.touch(site)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path / "phones.json")


def you(client: FlaskClient, path: str = "/api/watch", **more: Any) -> dict[str, Any]:
    """Return what the stream tells a phone of itself."""
    answer = client.get(path, **more)
    told = next(line for line in cast("Iterable[bytes]", answer.response) if line.startswith(b"event: you"))
    answer.close()
    return json.loads(told.split(b"data: ")[1])


def newest(client: FlaskClient) -> dict[str, Any]:
    """Return the newest of what others have done, as a phone is told it."""
    told: dict[str, Any] = you(client)["told"][-1]
    return told


def sentence(answer: Any) -> str:
    return answer.get_json()["error"]


# ---- names ----


@pytest.mark.parametrize(
    "other",
    [
        "Ann ", " Ann", "Ann\n", "A\u200bnn", "\u202eAnn", "\u0410nn", "\u0391nn", "\uff21\uff4e\uff4e", "ann", "A nn",
        "A\ufe0fnn", "A\u0301nn",
    ],
)  # fmt: skip
def test_a_name_that_looks_like_anothers_gets_a_number(room: Room, other: str) -> None:
    room.joined(name="Ann")
    name = you(room.joined("192.168.1.8", other))["name"]
    assert name.endswith(" 2")
    assert not set(name) & set("\u200b\u202e\ufe0f\n")


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("  Ann   Lee ", "Ann Lee"),
        ("Zo\u00eb", "Zo\u00eb"),
        ("\u5c0f\u6797", "\u5c0f\u6797"),
        ("\u0418\u0432\u0430\u043d", "\u0418\u0432\u0430\u043d"),
        ("e" + "\u0301" * 20, "\u00e9\u0301\u0301"),
    ],
)
def test_a_name_is_kept_as_it_is_seen(room: Room, wanted: str, name: str) -> None:
    assert you(room.joined(name=wanted))["name"] == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("\u200b\u200e", "This name would be invisible"),
        (" ", "This name would be invisible"),
        ("\u3164", "This name would be invisible"),
        ("\u5c0f" * 21, "too long"),
    ],
)
def test_a_name_of_which_nothing_is_seen_or_that_is_too_wide_is_refused(room: Room, name: str, why: str) -> None:
    answer = room.phone().post("/api/pair", json={"name": name})
    assert answer.status_code == 409
    assert why in sentence(answer)


# ---- the way in ----


def test_where_moves_need_every_cell_a_simulated_board_is_joined_by_the_press_alone(room: Room) -> None:
    room.backend.free = False
    for number in range(4):  # one after the other, and from one address
        phone = room.phone()
        assert phone.post("/api/pair", json={}).get_json() == {"site": ""}
        assert you(phone)["role"] == ("player" if number else "owner")
    assert room.backend.calls == {}


def test_anybody_may_watch_and_nobody_may_touch_anything(room: Room) -> None:
    guest = room.phone()
    assert you(guest)["role"] == "guest"
    for path, body in (("order", {"do": "take_back"}), ("lift", {"site": "b3"}), ("seat", {"seat": 0}), ("leave", {})):
        answer = guest.post(f"/api/{path}", json=body)
        assert answer.status_code == 403
        assert "Join first" in sentence(answer)
    assert (room.backend.orders, room.backend.hand.log) == ([], [])


def test_a_phone_is_in_when_the_cell_it_was_told_is_touched(room: Room) -> None:
    phone = room.phone()
    assert phone.post("/api/pair", json={}).get_json() == {"site": "k1"}
    told = you(phone)
    assert (told["role"], told["asked"]["site"]) == ("guest", "k1")
    room.touch()
    told = you(phone)
    assert (told["role"], told["name"], told["asked"]) == ("owner", "Phone 1", None)
    assert phone.post("/api/order", json={"do": "take_back"}).status_code == 200


def test_on_a_simulated_board_the_phone_touches_its_cell_itself_and_no_other(room: Room) -> None:
    asking, other = room.phone(), room.phone("192.168.1.8")
    assert other.post("/api/pair/touch", json={}).status_code == 409
    asking.post("/api/pair", json={})
    assert other.post("/api/pair/touch", json={}).status_code == 409
    assert asking.post("/api/pair/touch", json={}).status_code == 200
    assert you(asking)["role"] == "owner"
    assert you(other)["role"] == "guest"
    assert room.backend.hand.log == [("touch", "k1")]


def test_a_touch_by_phone_is_not_there_on_a_board_with_real_sensors() -> None:
    room = Room(with_hand=False)
    phone = room.phone()
    phone.post("/api/pair", json={})
    assert phone.post("/api/pair/touch", json={}).status_code == 409


def test_the_first_is_the_owner_and_the_next_are_players(room: Room) -> None:
    roles = [you(room.joined(f"192.168.1.{n}"))["role"] for n in range(3)]
    assert roles == ["owner", "player", "player"]


def test_the_code_on_the_console_lets_in_an_owner(room: Room) -> None:
    room.joined()
    phone = room.phone("192.168.1.9")
    wrong = phone.post("/api/pair/code", json={"code": "87654321"})
    assert (wrong.status_code, COOKIE in wrong.headers.get("Set-Cookie", "")) == (409, False)
    assert phone.post("/api/pair/code", json={"code": "1234 5678"}).status_code == 200
    assert you(phone)["role"] == "owner"


def test_a_phone_that_is_in_owns_the_table_by_the_code_and_stays_what_it_was(room: Room) -> None:
    room.joined()
    player = room.joined("192.168.1.8", "Ben")
    player.post("/api/seat", json={"seat": 1})
    assert player.post("/api/pair/code", json={"code": "87654321"}).status_code == 409
    assert player.post("/api/pair/code", json={"code": CODE}).status_code == 200
    now = you(player)
    assert (now["role"], now["name"], now["seats"], len(room.phones.all())) == ("owner", "Ben", [1], 2)


def test_a_phone_that_is_in_does_not_join_again(room: Room) -> None:
    owner, player = room.joined(), room.joined("192.168.1.8")
    for phone, path, body in (
        (owner, "pair", {}), (owner, "pair/code", {"code": CODE}), (player, "pair", {}),
    ):  # fmt: skip
        assert phone.post(f"/api/{path}", json=body).status_code == 409
    assert len(room.phones.all()) == 2


def test_asking_again_or_no_longer_forgets_the_first_asking(room: Room) -> None:
    phone = room.phone()
    phone.post("/api/pair", json={})
    phone.post("/api/pair", json={})
    assert len(room.backend.calls) == 1
    phone.post("/api/pair/stop", json={})
    assert room.backend.calls == {}
    assert you(phone)["asked"] is None


def test_a_browser_of_this_machine_owns_a_simulated_board_that_only_it_can_reach() -> None:
    app = create_app(square_backend(), entry=WaysIn(Phones(), local=True))
    here = app.test_client()
    assert you(here)["role"] == "owner"
    assert here.post("/api/order", json={"do": "take_back"}).status_code == 200
    for header in ("X-Forwarded-For", "Forwarded", "Via"):
        assert here.post("/api/order", json={"do": "take_back"}, headers={header: "10.0.0.9"}).status_code == 403
    here.environ_base["REMOTE_ADDR"] = "192.168.1.7"
    assert here.post("/api/order", json={"do": "take_back"}).status_code == 403


# ---- seats ----


def test_a_seat_is_taken_by_one_phone_and_given_up_again(room: Room) -> None:
    ann, bo = room.joined(name="Ann"), room.joined("192.168.1.8", "Bo")
    assert ann.post("/api/seat", json={"seat": 0}).status_code == 200
    taken = bo.post("/api/seat", json={"seat": 0})
    assert (taken.status_code, sentence(taken)) == (409, "This seat is held by Ann.")
    assert bo.post("/api/seat", json={"seat": 0, "take": False}).status_code == 409
    assert you(bo)["held"] == {"0": "Ann"}
    assert ann.post("/api/seat", json={"seat": 0, "take": False}).status_code == 200
    assert bo.post("/api/seat", json={"seat": 0}).status_code == 200


def test_the_owner_frees_a_seat_that_somebody_left_behind(room: Room) -> None:
    owner, bo = room.joined(), room.joined("192.168.1.8")
    bo.post("/api/seat", json={"seat": 1})
    assert owner.post("/api/seat", json={"seat": 1, "take": False}).status_code == 200
    assert you(bo)["seats"] == []


def test_whoever_sits_at_the_table_frees_the_seat_of_a_phone_that_is_long_gone(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.joined()  # the owner
    ann, bo = room.joined("192.168.1.8", "Ann"), room.joined("192.168.1.9", "Bo")
    bo.post("/api/seat", json={"seat": 1})
    monkeypatch.setattr(presence, "LATELY_S", 0.0)
    assert ann.post("/api/seat", json={"seat": 1, "take": False}).status_code == 409  # who only watches
    ann.post("/api/seat", json={"seat": 0})
    assert you(ann)["releases"] == [0, 1]
    monkeypatch.setattr(presence, "LATELY_S", 600.0)
    assert you(ann)["releases"] == [0]
    assert ann.post("/api/seat", json={"seat": 1, "take": False}).status_code == 409
    monkeypatch.setattr(presence, "LATELY_S", 0.0)
    assert ann.post("/api/seat", json={"seat": 1, "take": False}).status_code == 200
    told = you(bo)
    assert (told["seats"], told["told"][-1]["what"], told["told"][-1]["who"]) == ([], "released", "Ann")


def test_only_who_holds_a_seat_plays_it(room: Room) -> None:
    ann, bo = room.joined(name="Ann"), room.joined("192.168.1.8", "Bo")
    ann.post("/api/seat", json={"seat": 0})
    bo.post("/api/seat", json={"seat": 1})
    for body in (
        {"do": "ply", "text": "a1-a2"}, {"do": "ply", "text": "a1-a2", "seat": 0}, {"do": "resign", "seat": 0},
        {"do": "offer_draw", "seat": 0}, {"do": "refuse_draw", "seat": 0}, {"do": "hints", "seat": 0, "level": "none"},
    ):  # fmt: skip
        answer = bo.post("/api/order", json=body)
        assert (answer.status_code, sentence(answer)) == (
            409, "Ann plays White: only that phone can do this.",
        )  # fmt: skip
    assert room.backend.orders == []
    ann.post("/api/order", json={"do": "ply", "text": "a1-a2"})
    ann.post("/api/order", json={"do": "offer_draw", "seat": 0})
    bo.post("/api/order", json={"do": "resign", "seat": 1})
    assert room.backend.orders == [PlayPly(text="a1-a2", seat=0), OfferDraw(seat=0, by=(0,)), Resign(seat=1)]


def test_a_seat_that_nobody_holds_is_played_by_whoever_is_at_the_table(room: Room) -> None:
    ann = room.joined()
    ann.post("/api/seat", json={"seat": 1})
    assert ann.post("/api/order", json={"do": "ply", "text": "a1-a2"}).status_code == 200
    assert room.backend.orders == [PlayPly(text="a1-a2", seat=0)]


def watched(client: FlaskClient, language: str = "en") -> dict[str, Any]:
    """Return the view that the stream sends first."""
    answer = client.get("/api/watch", headers={"Accept-Language": language})
    told = next(line for line in cast("Iterable[bytes]", answer.response) if line.startswith(b"event: view"))
    answer.close()
    return json.loads(told.split(b"data: ")[1])


def test_sentences_call_players_by_their_names_and_pieces_by_their_colours(room: Room) -> None:
    white, black = say("White"), say("Black")
    seats = tuple(
        msgspec.structs.replace(seat, name=name)
        for seat, name in zip(room.backend.view.seats, (white, black), strict=True)
    )
    stone = say("{seat} {kind}", seat=black, kind=say("stone"))
    room.backend.view = msgspec.structs.replace(
        room.backend.view, seats=seats, sentence=say("{loser} resigned. {winner} wins.", loser=white, winner=black),
        advice=say("it is {seat}'s turn: put {piece} back on {cell}.", seat=black, piece=stone, cell="a1"),
    )  # fmt: skip
    ann, bo = room.joined(name="Ann"), room.joined("192.168.1.8", "{seat}")
    assert watched(ann)["sentence"] == "White resigned. Black wins."
    ann.post("/api/seat", json={"seat": 0})
    assert watched(bo)["sentence"] == "Ann resigned. Black wins."
    assert watched(bo, "de")["sentence"] == "Ann gibt auf. Schwarz gewinnt."
    bo.post("/api/seat", json={"seat": 1})
    told = watched(bo)
    assert told["sentence"] == "Ann resigned. {seat} wins."
    assert told["advice"] == "it is {seat}'s turn: put Black stone back on a1."
    assert [seat["name"] for seat in told["seats"]] == ["White", "Black"]
    bo.post("/api/seat", json={"seat": 1, "take": False})
    ann.post("/api/seat", json={"seat": 1})  # both are hers: her name would tell nothing
    assert watched(bo)["sentence"] == "White resigned. Black wins."


def test_refusals_and_answers_call_players_by_their_names_too(room: Room) -> None:
    player = say("Player {number}", number=2)
    white, black = room.backend.view.seats
    seats = (white, msgspec.structs.replace(black, name=player))
    room.backend.view = msgspec.structs.replace(room.backend.view, seats=seats)
    ann, bo = room.joined(name="Ann"), room.joined("192.168.1.8")
    bo.post("/api/seat", json={"seat": 1})
    room.backend.refusal = say("it is {seat}'s turn", seat=player)
    room.backend.plies_of["b3"] = (Choice("pay 1", say("pay {player}", player=player)),)
    room.backend.cards["b3"] = Card(Piece(1, "stone"), "stone", "", (say("belongs to {player}", player=player), player))
    ply = {"do": "ply", "text": "a1-a2", "seat": 0}
    assert sentence(ann.post("/api/order", json=ply)) == "it is Player 2's turn"
    bo.post("/api/me", json={"name": "Bo", "colour": ""})
    assert sentence(ann.post("/api/order", json=ply)) == "it is Bo's turn"
    assert sentence(ann.post("/api/order", json=ply, headers={"Accept-Language": "de"})) == "Am Zug ist Bo"
    assert ann.get("/api/plies?site=b3").get_json()[0]["words"] == "pay Bo"
    assert ann.get("/api/card?site=b3").get_json()["facts"] == ["belongs to Bo", "Player 2"]  # a seat by itself is one
    own = {"do": "resign", "seat": 1}
    assert sentence(ann.post("/api/order", json=own)) == "Bo plays Player 2: only that phone can do this."


@pytest.mark.parametrize("path", ["/api/watch?seat=0", "/api/plies?site=b3&seat=0"])
def test_what_a_seat_knows_goes_to_its_phone_alone(room: Room, path: str) -> None:
    ann, bo, guest = room.joined(), room.joined("192.168.1.8"), room.phone("192.168.1.9")
    ann.post("/api/seat", json={"seat": 0})
    for other in (bo, guest):
        assert other.get(path).status_code == 403
    mine = ann.get(path)
    assert mine.status_code == 200
    mine.close()


def test_a_stream_sees_no_more_for_its_seat_once_the_phone_is_sent_away(room: Room) -> None:
    owner, bo = room.joined(), room.joined("192.168.1.8")
    bo.post("/api/seat", json={"seat": 1})
    answer = bo.get("/api/watch?seat=1")
    stream = iter(answer.response)
    assert next(stream) == b"retry: 1000\n\n"
    next(stream)
    assert room.backend.seats_watched[-1] == 1
    id = next(phone["id"] for phone in you(owner)["phones"] if not phone["owner"])
    assert owner.post("/api/revoke", json={"id": id}).status_code == 200
    assert any(b'"role":"guest"' in told for _, told in zip(range(9), stream, strict=False))
    assert room.backend.seats_watched[-1] is None
    answer.close()
    assert bo.post("/api/order", json={"do": "take_back"}).status_code == 403
    assert bo.get("/api/watch?seat=1").status_code == 403


def test_only_an_owner_sends_phones_away_and_sets_things(room: Room) -> None:
    owner, bo = room.joined(), room.joined("192.168.1.8")
    id = next(phone["id"] for phone in you(bo)["phones"] if phone["owner"])
    for path, body in (("revoke", {"id": id}), ("settings", {"values": {"brightness": 5}})):
        answer = bo.post(f"/api/{path}", json=body)
        assert (answer.status_code, "Only the owner's phone" in sentence(answer)) == (403, True)
    assert you(owner)["role"] == "owner"


def test_when_the_only_owner_leaves_who_is_there_longest_owns_the_table_and_not_the_next_to_join(room: Room) -> None:
    owner, gone, ann, bo = (room.joined(f"192.168.1.{n}") for n in range(7, 11))
    for phone in (ann, bo):
        phone.get("/api/watch")  # their pages are open
    assert owner.post("/api/leave", json={}).status_code == 200
    stranger = room.joined("192.168.1.66")
    assert [you(each)["role"] for each in (gone, ann, bo, stranger)] == ["player", "owner", "player", "player"]
    assert [(newest(each)["what"], newest(each)["part"]) for each in (ann, bo)] == [("owns", "new"), ("owns", "")]


def test_where_nobody_is_there_when_the_only_owner_leaves_the_next_to_join_owns_the_table(room: Room) -> None:
    owner, gone = room.joined(), room.joined("192.168.1.8")
    assert owner.post("/api/leave", json={}).status_code == 200
    assert [you(each)["role"] for each in (gone, room.joined("192.168.1.9"))] == ["player", "owner"]


def test_a_phone_far_away_that_is_let_in_first_owns_nothing(tmp_path: Path) -> None:
    """The owner is whoever stands at the board first; a link can be sent to anybody before that."""
    room = Room(tmp_path / "phones.json")
    secret = new_secret()
    room.phones.admit(room.phones.ask(secret, "Ada", afar=True))
    assert room.phones.who(secret).role == "player"
    assert you(room.joined())["role"] == "owner"
    assert room.phones.who(secret).role == "player"
    assert Phones(tmp_path / "phones.json").who(secret).role == "player"


def test_only_a_phone_at_the_table_can_be_sent_away(room: Room) -> None:
    owner = room.joined()
    waits = room.phone("192.168.1.8")
    assert waits.post("/api/pair", json={}).status_code == 200
    changes: list[object] = []
    room.phones.changed = changes.append
    for id in ("nobody", next(iter(room.phones._asking.values())).id):
        answer = owner.post("/api/revoke", json={"id": id})
        assert answer.status_code == 409
        assert sentence(answer) == "This phone is not at the table, or no longer is."
    assert changes == []


def test_a_phone_that_leaves_is_a_guest_again(room: Room) -> None:
    phone = room.joined()
    answer = phone.post("/api/leave", json={})
    assert f"{COOKIE}=;" in answer.headers["Set-Cookie"]
    assert you(phone)["role"] == "guest"


# ---- what is kept ----


def test_a_restart_keeps_phones_and_seats(tmp_path: Path) -> None:
    path = tmp_path / "phones.json"
    before = Room(path)
    ann = before.joined(name="Ann")
    ann.post("/api/seat", json={"seat": 1})
    after = Room(path).phone()
    after.set_cookie(COOKIE, ann.get_cookie(COOKIE).value)
    told = you(after)
    assert (told["role"], told["name"], told["seats"]) == ("owner", "Ann", [1])


def test_a_restart_keeps_who_sits_at_this_machine_itself(tmp_path: Path) -> None:
    phones = Phones(tmp_path / "phones.json")
    here = phones.who("", local=True)
    phones.call(here.id, "Ann", "")
    phones.take(here.id, 0)
    again = Phones(tmp_path / "phones.json").who("", local=True)
    assert (again.name, again.role, again.seats) == ("Ann", "owner", (0,))


def test_the_file_has_no_secret_and_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "phones.json"
    phone = Room(path).joined()
    assert phone.get_cookie(COOKIE).value not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    stolen = Room(path).phone()
    stolen.set_cookie(COOKIE, json.loads(path.read_text())["phones"][0]["secret"])
    assert you(stolen)["role"] == "guest"


@pytest.mark.parametrize("damage", [b"", b"{", b'{"phones":[{"id":"x"}]}', b"\xff\xfe"])
def test_a_damaged_file_lets_nobody_in_and_is_replaced(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "phones.json"
    path.write_bytes(damage)
    room = Room(path)
    assert room.phones.all() == ()
    assert you(room.joined())["role"] == "owner"
    assert len(json.loads(path.read_text())["phones"]) == 1


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", None])
def test_the_last_good_file_stands_in_for_a_damaged_one_which_is_kept_and_told(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "phones.json"
    ann = Room(path).joined(name="Ann")
    path.unlink()
    if damage is None:
        path.mkdir()
    else:
        path.write_bytes(damage)
    room = Room(path)
    assert room.phones.told.startswith("phones.json.damaged-1 cannot be read (")
    assert str(tmp_path) not in room.phones.told
    after = room.phone()
    after.set_cookie(COOKIE, ann.get_cookie(COOKIE).value)
    assert you(after)["name"] == "Ann"
    room.joined(name="Bo")
    assert len(json.loads(path.read_text())["phones"]) == 2
    assert path.with_name("phones.json.last-good").stat().st_mode & 0o777 == 0o600
    assert Room(path).phones.told == ""


def test_the_cookie_is_strict_and_no_secret_is_ever_told(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    phone = room.phone()
    answer = phone.post("/api/pair", json={})
    cookie = answer.headers["Set-Cookie"]
    for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="):
        assert part in cookie
    assert "Secure" not in cookie
    room.touch()
    secret = phone.get_cookie(COOKIE).value
    assert len(secret) == 43
    for path in ("/", "/join", "/join.svg", "/api/settings"):
        assert secret not in phone.get(path).get_data(as_text=True)
    told = json.dumps(you(phone))
    for phone_kept in room.phones.all():
        assert phone_kept.secret not in told
    assert secret not in told + answer.get_data(as_text=True) + caplog.text
    assert CODE not in told + caplog.text
    over_https = room.phone().post("/api/pair", json={}, base_url="https://localhost")
    assert "Secure" in over_https.headers["Set-Cookie"]


def test_a_secret_is_given_anew_with_every_asking(room: Room) -> None:
    phone = room.phone()
    planted = "planted" * 6
    phone.set_cookie(COOKIE, planted)
    phone.post("/api/pair", json={})
    room.touch()
    thief = room.phone()
    thief.set_cookie(COOKIE, planted)
    assert (you(phone)["role"], you(thief)["role"]) == ("owner", "guest")


# ---- the page of people ----


def test_the_page_shows_the_address_by_which_it_was_found(room: Room) -> None:
    page = room.phone().get("/join", headers={"Host": "192.168.1.20:8000"}).get_data(as_text=True)
    assert "http://192.168.1.20:8000" in page
    assert CODE not in page
    picture = room.phone().get("/join.svg", headers={"Host": "192.168.1.20:8000"})
    assert picture.mimetype == "image/svg+xml"
    assert b"<script" not in picture.data


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
@pytest.mark.parametrize("proxied", [{}, {"X-Forwarded-For": "192.168.1.9"}])
def test_nobody_is_told_an_address_that_leads_to_their_own_phone(
    room: Room, host: str, proxied: dict[str, str]
) -> None:
    here, headers = room.phone("127.0.0.1"), {"Host": host, **proxied}
    page = here.get("/join", headers=headers).get_data(as_text=True)
    assert host not in page
    assert "http://board.local:8000" in page
    assert here.get("/api/reach", headers=headers).get_json()["address"] == "http://board.local:8000"


def test_where_only_this_machine_can_open_the_panel_there_is_nothing_to_scan() -> None:
    client = create_app(square_backend()).test_client()
    page = client.get("/join").get_data(as_text=True)
    assert "Only this computer can open the panel at the moment." in page
    assert "join.svg" not in page
    assert client.get("/join.svg").status_code == 404


# ---- bodies ----


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("pair", []), ("pair", {"name": ""}), ("pair", {"name": "x" * 41}), ("pair", {"name": "a\nb"}),
        ("pair", {"as": 1}),
        ("pair/code", {}), ("pair/code", {"code": 12345678}), ("pair/code", {"code": "1" * 25}),
        ("pair/touch", {"site": "a1"}), ("pair/stop", {"who": "me"}),
    ],
)  # fmt: skip
def test_what_cannot_be_read_lets_nobody_in(room: Room, path: str, body: Any) -> None:
    answer = room.phone().post(f"/api/{path}", json=body)
    assert answer.status_code == 400
    assert sentence(answer).startswith("The request cannot be read: ")
    assert room.backend.calls == {}


def test_a_name_is_shown_as_text(room: Room) -> None:
    evil = "<img src=x>"
    told = you(room.joined(name=evil))
    assert told["name"] == evil
    assert msgspec.json.encode(told["phones"][0]["name"]) == b'"<img src=x>"'
