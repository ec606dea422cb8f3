"""Limits hold whatever the time of the day does, and over all addresses where that is what counts."""

from __future__ import annotations

import time
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web_panel.fake_backend import square_backend
from tests.web_panel.test_join import CODE, Room, sentence
from web_panel.app import create_app
from web_panel.people.console_code import GUESSES, LOCK_S, ROUNDS
from web_panel.serving import counting
from web_panel.serving.counting import MOST, SteadyCounts
from web_panel.stream import LEAST_EACH, StreamSlots


class Hours:
    """A clock that only goes on, and one that is set now and then."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steady, self.set_by = 1000.0, 0.0
        began = time.time()
        monkeypatch.setattr(counting, "monotonic", lambda: self.steady)
        monkeypatch.setattr("web_panel.people.console_code.monotonic", lambda: self.steady)
        monkeypatch.setattr(counting, "time", lambda: time.time())
        monkeypatch.setattr(time, "time", lambda: began + self.steady + self.set_by)


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    return Hours(monkeypatch)


def order(phone: FlaskClient) -> int:
    return phone.post("/api/order", json={"do": "take_back"}).status_code


def test_a_clock_that_is_set_back_by_an_hour_stops_no_orders(hours: Hours) -> None:
    room = Room()
    phone = room.joined()
    assert {order(phone) for _ in range(80)} == {200, 429}
    hours.set_by = -3600.0
    hours.steady += 61
    assert [order(phone) for _ in range(20)] == [200] * 20


def test_a_clock_that_is_set_forward_opens_no_door(hours: Hours) -> None:
    room = Room()
    thief = room.phone("192.168.1.66")
    tries = [thief.post("/api/pair/code", json={"code": "0"}).status_code for _ in range(8)]
    hours.set_by = 3600.0
    tries.append(thief.post("/api/pair/code", json={"code": CODE}).status_code)
    assert tries == [409] * 6 + [429] * 3


def test_each_phone_at_the_table_has_limits_of_its_own_also_at_one_address(hours: Hours) -> None:
    """Behind a proxy or a router all share an address, and one could use up the limits of the others."""
    room = Room()
    ann, ben = room.joined(name="Ann"), room.joined(name="Ben")
    assert {order(ann) for _ in range(80)} == {200, 429}
    assert order(ben) == 200


def test_guests_share_the_limits_of_their_address(hours: Hours) -> None:
    room = Room()
    assert [order(room.phone("192.168.1.66")) for _ in range(61)] == [403] * 61
    tries = [room.phone("192.168.1.66").post("/api/pair/stop", json={}).status_code for _ in range(61)]
    assert tries == [200] * 60 + [429]
    assert room.phone("192.168.1.67").post("/api/pair/stop", json={}).status_code == 200


def test_one_phone_has_few_streams_wherever_it_goes() -> None:
    slots = StreamSlots(64)
    held = [slots.acquire(f"192.168.1.{number}", "ann") for number in range(LEAST_EACH + 1)]
    assert [slot is None for slot in held] == [False] * LEAST_EACH + [True]
    assert slots.acquire("192.168.1.1", "ben") is not None
    assert held[0] is not None
    held[0]()
    assert slots.acquire("192.168.2.1", "ann") is not None


def test_the_browsers_of_this_machine_are_not_one_phone() -> None:
    app = create_app(square_backend(), streams=64)
    opened = [
        app.test_client().get("/api/watch", environ_overrides={"REMOTE_ADDR": f"127.0.0.{1 + n // 8}"})
        for n in range(2 * LEAST_EACH)
    ]
    assert [answer.status_code for answer in opened] == [200] * 2 * LEAST_EACH
    for answer in opened:
        answer.close()


def test_guests_at_one_address_never_take_all_streams() -> None:
    slots = StreamSlots(64)
    held = [slots.acquire("192.168.1.66") for _ in range(20)]
    assert [slot is None for slot in held] == [False] * 16 + [True] * 4
    for number in range(6):
        assert [slots.acquire(f"192.168.3.{number}") for _ in range(8)].count(None) == 0
    assert slots.acquire("192.168.4.1") is None
    assert held[0] is not None
    held[0]()
    assert slots.acquire("192.168.4.1") is not None


def test_counts_are_bounded_and_forget_the_oldest_first(hours: Hours) -> None:
    counts = SteadyCounts()
    for number in range(MOST + 10):
        counts.incr(f"{number}", 60)
    assert (counts.get("5"), counts.get("15"), counts.reset()) == (0, 1, MOST)
    counts.incr("a", 60)
    hours.steady += 59
    assert (counts.incr("a", 60), round(counts.get_expiry("a") - time.time())) == (2, 1)
    hours.steady += 1
    assert counts.get("a") == 0


def test_games_begun_without_end_stop_that_and_nothing_else(hours: Hours) -> None:
    room = Room()
    phone = room.joined()
    again = [phone.post("/api/order", json={"do": "play_again"}) for _ in range(33)]
    assert [answer.status_code for answer in again] == [200] * 30 + [429] * 3
    assert sentence(again[-1]) == "Many games have just been started from here: try again in a minute."
    assert order(phone) == 200
    hours.steady += 60
    assert phone.post("/api/order", json={"do": "play_again"}).status_code == 200


# ---- the console's code ----


def wrong(room: Room, count: int, first: int = 0) -> list[int]:
    """Try wrong codes, each from an address that was not seen before."""
    return [
        room.phone(f"10.{n >> 8}.{n & 255}.1").post("/api/pair/code", json={"code": f"x{n}"}).status_code
        for n in range(first, first + count)
    ]


def give(room: Room, code: str, address: str = "192.168.1.5") -> Any:
    return room.phone(address).post("/api/pair/code", json={"code": code})


def test_codes_guessed_from_ever_new_addresses_end_the_code_and_in_the_end_all_codes(hours: Hours) -> None:
    room = Room()
    told: list[str] = []
    room.entry.code.tell = told.append
    for turn in range(ROUNDS):
        assert wrong(room, GUESSES, 1000 * turn) == [409] * GUESSES
    assert wrong(room, 5, 9000) == [429] * 5
    assert len({CODE, *told}) == ROUNDS + 1
    fresh = told[-1]
    assert len(fresh) == 8
    locked = give(room, fresh)
    assert locked.status_code == 429
    assert sentence(locked) == (
        "Too many wrong codes were tried, so no code is accepted for 10 minutes. Press Join and touch the "
        "glowing cell, or come back then with the new code shown on the console."
    )
    hours.steady += LOCK_S
    assert give(room, CODE).status_code == 409
    assert give(room, fresh).status_code == 200


def test_guesses_from_a_few_addresses_shut_these_out_and_not_the_host_with_the_new_code(hours: Hours) -> None:
    """Twenty wrong codes of four addresses shut the code for everybody, the new one too."""
    room = Room()
    told: list[str] = []
    room.entry.code.tell = told.append
    guests = [f"192.168.1.{66 + number}" for number in range(4)]
    answers = [give(room, f"x{n}", guest).status_code for n in range(GUESSES // 4) for guest in guests]
    assert answers == [409] * GUESSES
    (fresh,) = told
    assert give(room, CODE).status_code == 409
    for guest in guests:
        shut = give(room, fresh, guest)
        assert shut.status_code == 429
        assert sentence(shut) == (
            "Too many wrong codes came from this phone, so none is accepted from it for 10 minutes. "
            "Press Join and touch the glowing cell."
        )
    assert room.phone(guests[0]).post("/api/pair", json={}).status_code == 200
    assert give(room, fresh).status_code == 200
    hours.steady += LOCK_S
    assert give(room, fresh, guests[0]).status_code == 200


def test_who_mistyped_once_is_not_shut_out_with_those_who_guess(hours: Hours) -> None:
    room = Room()
    assert give(room, "12345679").status_code == 409
    assert wrong(room, GUESSES - 1) == [409] * (GUESSES - 1)
    assert give(room, room.entry.code.now).status_code == 200


def test_who_knows_the_code_makes_up_for_who_mistyped_it(hours: Hours) -> None:
    room = Room()
    assert wrong(room, GUESSES - 1) == [409] * (GUESSES - 1)
    assert room.phone("192.168.1.5").post("/api/pair/code", json={"code": CODE}).status_code == 200
    assert wrong(room, 5, 1000) == [409] * 5


# ---- the cells that are asked for ----


def test_a_guest_with_many_cookies_holds_two_cells_and_leaves_the_rest(hours: Hours) -> None:
    room = Room()
    answers = [room.phone("192.168.1.66").post("/api/pair", json={}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 2 + [409] * 4
    assert sentence(answers[-1]) == "Two phones are already joining from this address: touch their cells first."
    assert len(room.backend.calls) == 2
    assert room.phone("192.168.1.7").post("/api/pair", json={}).status_code == 200


def test_who_waits_is_not_pushed_out_by_askings_from_many_addresses(hours: Hours) -> None:
    room = Room()
    ann = room.phone("192.168.1.7")
    assert ann.post("/api/pair", json={"name": "Ann"}).status_code == 200
    for number in range(40):
        guest = room.phone(f"192.168.2.{number}")
        assert guest.post("/api/pair", json={}).status_code == 200
        room.backend.calls.popitem()  # its cell waited in vain
    room.touch()
    assert ann.post("/api/order", json={"do": "take_back"}).status_code == 200
    assert len(room.phones._asking) <= 2


def test_who_finds_no_cell_leaves_nothing_behind(hours: Hours, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room()

    def full(who: str, came: object) -> str:
        from controller.refused import Refused

        raise Refused("6 phones are joining already: try again in a minute")

    monkeypatch.setattr(room.backend, "ask_touch", full)
    assert room.phone().post("/api/pair", json={}).status_code == 409
    assert room.phones._asking == {}
