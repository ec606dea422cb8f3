"""A visit at the house without a broker: when a board says everything again, what it obeys, and whom it forgets."""

from __future__ import annotations

from typing import Any, cast

import msgspec
import pytest

from controller.broker import BrokerLine, BrokerMessage
from controller.house.discovery import BIRTH, Topics
from controller.house.house import AGAIN_S, BoardForHouse, Visit, _Stands
from controller.house.telling import BoardStanding
from controller.refused import Refused
from controller.settings import Settings
from tests.house.test_telling import view

OWN, OTHER = "0" * 8, "1" * 8
TOPICS = Topics(OWN)


class SaidLine:
    """What was said to the broker; ``up`` is whether it takes anything."""

    def __init__(self) -> None:
        self.sent: list[BrokerMessage] = []
        self.up = True

    def send(self, message: BrokerMessage) -> bool:
        self.sent += [message] if self.up else []
        return self.up


class Guest:
    """A connected visit of which a test hands over everything, at a time of its own."""

    def __init__(self, seen: bool = True) -> None:
        self.now_s, self.line, self.shone = 100.0, SaidLine(), list[int]()
        around = BoardForHouse(
            views=lambda: iter(()), shine=self.shone.append, keep=lambda percent: None, id=lambda: OWN,
            address=lambda: "http://attic", words=str, aloud=str, now_s=lambda: self.now_s,
        )  # fmt: skip
        self.visit = Visit(around, Settings(brightness=60, house_name="Attic"))
        self.visit._line = cast(BrokerLine, self.line)
        if seen:
            self.visit._take(view(1))
        self.visit._take(_Stands(True, ""))

    def hears(self, topic: str, payload: bytes, retained: bool = False) -> list[BrokerMessage]:
        """Hear it; return what is said then."""
        self.line.sent.clear()
        self.visit._take(BrokerMessage(topic, payload, retained))
        if self.visit._again_s(self.now_s) == 0.0:
            self.visit._introduce()
        return self.line.sent

    def knows(self, id: str, on: bool = False) -> None:
        self.hears(Topics(id).state, msgspec.json.encode(BoardStanding("Kitchen")), retained=True)
        self.hears(Topics(id).status, b"online" if on else b"offline", retained=True)


@pytest.fixture
def guest() -> Guest:
    guest = Guest()
    guest.now_s += AGAIN_S
    return guest


def topics(said: list[BrokerMessage]) -> list[str]:
    return [message.topic for message in said]


EVERYTHING = [TOPICS.config, TOPICS.status, TOPICS.state, TOPICS.light]


def test_who_is_let_in_says_everything_and_lists_itself() -> None:
    guest = Guest()
    assert topics(guest.line.sent[-4:]) == EVERYTHING
    assert all(message.retained for message in guest.line.sent)
    (board,) = guest.visit.boards.all()
    assert (board.said.name, board.on, board.here) == ("Attic", True, True)
    assert (guest.visit.connected, guest.visit.told) == (True, "Connected to the MQTT broker.")


def test_where_no_table_was_seen_yet_only_the_board_is_introduced() -> None:
    assert topics(Guest(seen=False).line.sent) == EVERYTHING[:2]


def test_a_state_that_is_the_same_is_said_once(guest: Guest) -> None:
    guest.line.sent.clear()
    guest.visit._take(view(1))
    assert guest.line.sent == []
    guest.visit._take(view(1, "c3-c4"))
    assert topics(guest.line.sent) == [TOPICS.state, TOPICS.event]


def test_home_assistant_that_starts_is_told_everything_and_one_that_started_long_ago_is_not(guest: Guest) -> None:
    assert topics(guest.hears(BIRTH, b"online")) == EVERYTHING
    guest.now_s += AGAIN_S
    assert guest.hears(BIRTH, b"online", retained=True) == []
    assert guest.hears(BIRTH, b"offline") == []


def test_what_somebody_wrote_in_its_name_is_said_anew_and_what_the_broker_kept_is_not(guest: Guest) -> None:
    for topic in (TOPICS.config, TOPICS.light):
        assert topics(guest.hears(topic, b"forged")) == EVERYTHING
        guest.now_s += AGAIN_S
        assert guest.hears(topic, b"kept", retained=True) == []


def test_whoever_asks_everything_is_said_every_two_seconds_at_most(guest: Guest) -> None:
    assert guest.hears(BIRTH, b"online") != []
    guest.now_s += 0.5
    assert guest.hears(BIRTH, b"online") == []
    assert guest.visit._wait_s(guest.now_s) == 1.5
    guest.now_s += 10.0
    assert guest.visit._wait_s(guest.now_s) == 0.0
    assert topics(guest.hears(BIRTH, b"online")) == EVERYTHING
    assert guest.visit._wait_s(guest.now_s) is None


def test_a_command_that_the_broker_kept_and_one_before_the_first_view_are_not_obeyed(guest: Guest) -> None:
    command = b'{"state": "ON", "brightness": 30}'
    guest.hears(TOPICS.set_light, command, retained=True)
    early = Guest(seen=False)
    early.hears(TOPICS.set_light, command)
    assert guest.shone == early.shone == []
    guest.hears(TOPICS.set_light, b"what?")
    guest.hears(TOPICS.set_light, command)
    assert guest.shone == [30]


def test_a_board_that_is_off_is_forgotten_wherever_the_broker_keeps_something_of_it(guest: Guest) -> None:
    guest.knows(OTHER)
    guest.line.sent.clear()
    guest.visit.forget(OTHER)
    assert guest.line.sent == [BrokerMessage(topic, b"", True) for topic in Topics(OTHER).retained]
    assert [board.id for board in guest.visit.boards.all()] == [OWN]


@pytest.mark.parametrize(
    ("id", "do", "why"),
    [
        ("2" * 8, lambda guest: None, "There is no such board in the house any more."),
        (OWN, lambda guest: None, "Attic is on: only a board that is off is forgotten."),
        (OTHER, lambda guest: guest.knows(OTHER, on=True), "Kitchen is on: only a board that is off is forgotten."),
        (OTHER, lambda guest: guest.visit._take(_Stands(False, "It is gone.")), "It is gone."),
        (OTHER, lambda guest: setattr(guest.line, "up", False), "The MQTT broker was lost meanwhile: try again."),
    ],
)
def test_what_cannot_be_forgotten_is_told_and_stays(guest: Guest, id: str, do: Any, why: str) -> None:
    guest.knows(OTHER)
    do(guest)
    with pytest.raises(Refused) as refused:
        guest.visit.forget(id)
    assert str(refused.value) == why
    assert {board.id for board in guest.visit.boards.all()} == {OWN, OTHER}
