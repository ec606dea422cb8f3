"""What is believed of the boards of a house, by what anybody may have written to the broker."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import msgspec
import pytest

from controller.broker import BrokerMessage
from controller.house.boards import MOST_BOARDS, Boards
from controller.house.discovery import Topics
from controller.house.identity import own_id
from controller.house.telling import BoardStanding

OWN, OTHER = "0" * 8, "1" * 8


def id_of(number: int) -> str:
    return f"{number:08x}"


def says(id: str, name: str = "Kitchen") -> BrokerMessage:
    return BrokerMessage(Topics(id).state, msgspec.json.encode(BoardStanding(name)))


def status(id: str, word: bytes = b"online") -> BrokerMessage:
    return BrokerMessage(Topics(id).status, word)


def test_a_board_keeps_the_id_that_it_made_once_also_where_its_file_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "house-id"
    first = own_id(file)
    assert re.fullmatch("[0-9a-f]{8}", first)
    assert own_id(file) == first
    file.write_text("not an id")
    assert own_id(file) == first, "the last good one"


def test_a_full_disk_is_told_and_the_id_lasts_for_this_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert len(own_id(tmp_path / "no" / "such" / "folder" / "house-id")) == 8
    assert "the house meets another board after a restart" in caplog.text


def test_a_board_is_listed_by_what_it_says_and_on_while_it_is_connected() -> None:
    boards = Boards(OWN)
    boards.hear(says(OTHER))
    (board,) = boards.all()
    assert (board.id, board.said.name, board.on, board.here) == (OTHER, "Kitchen", False, False)
    boards.hear(status(OTHER))
    assert boards.all()[0].on
    boards.hear(status(OTHER, b"offline"))
    assert not boards.all()[0].on
    boards.hear(status(OTHER))
    boards.hear(status(OTHER, b""))
    assert not boards.all()[0].on, "it has said nothing"


def test_a_board_that_left_the_house_is_listed_no_more() -> None:
    boards = Boards(OWN)
    boards.hear(says(OTHER))
    boards.hear(BrokerMessage(Topics(OTHER).state, b""))
    boards.hear(BrokerMessage(Topics(OTHER).state, b""))
    assert boards.all() == []


def test_of_itself_a_board_believes_what_it_says_and_nothing_that_others_write_in_its_name() -> None:
    boards = Boards(OWN)
    boards.show_own(msgspec.json.encode(BoardStanding("Attic")))
    boards.hear(says(OWN, "Forged"))
    boards.hear(status(OWN, b"offline"))
    (board,) = boards.all()
    assert (board.said.name, board.on, board.here) == ("Attic", True, True)


def test_what_is_about_no_board_is_left_alone() -> None:
    boards = Boards(OWN)
    boards.hear(BrokerMessage("weather/outside", b"rain"))
    assert boards.all() == []


def test_boards_that_are_on_come_first_by_their_names() -> None:
    boards = Boards(OWN)
    for number, name in ((1, "Zoo"), (2, "attic"), (3, "Bath"), (4, "cellar")):
        boards.hear(says(id_of(number), name))
    boards.hear(status(id_of(1)))
    boards.hear(status(id_of(4)))
    assert [board.said.name for board in boards.all()] == ["cellar", "Zoo", "attic", "Bath"]


def test_a_house_has_64_boards_at_most_and_those_that_are_known_speak_on() -> None:
    boards = Boards(OWN)
    for number in range(1, MOST_BOARDS + 10):
        boards.hear(says(id_of(number), f"Board {number}"))
        boards.hear(status(id_of(number)))
    assert len(boards.all()) == MOST_BOARDS == 64
    boards.hear(says(id_of(1), "Renamed"))
    boards.hear(status(id_of(1), b"offline"))
    assert [(board.said.name, board.on) for board in boards.all() if board.id == id_of(1)] == [("Renamed", False)]
    boards.hear(BrokerMessage(Topics(id_of(2)).state, b""))
    boards.hear(says(id_of(500), "Instead"))
    assert "Instead" in {board.said.name for board in boards.all()}


@pytest.mark.parametrize(
    "payload",
    [
        b"\xff",
        b"[" * 100_000,
        b'{"name": "Kitchen"}',
        msgspec.json.encode(BoardStanding("x" * 121)),
        msgspec.json.encode(BoardStanding("Kitchen", address="javascript:alert(1)")),
        msgspec.json.encode(BoardStanding("Kitchen", phase="asleep")),
    ],
)
def test_what_cannot_be_read_is_logged_once_and_changes_nothing(
    payload: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    boards = Boards(OWN)
    boards.hear(says(OTHER))
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            boards.hear(BrokerMessage(Topics(OTHER).state, payload))
    assert [board.said.name for board in boards.all()] == ["Kitchen"]
    assert len(caplog.records) == 1
    assert OTHER in caplog.text


def test_a_flood_of_what_cannot_be_read_is_logged_64_times_at_most(caplog: pytest.LogCaptureFixture) -> None:
    boards = Boards(OWN)
    with caplog.at_level(logging.WARNING):
        for number in range(1, 200):
            boards.hear(BrokerMessage(Topics(id_of(number)).state, msgspec.json.encode(number)))
    assert len(caplog.records) == MOST_BOARDS
