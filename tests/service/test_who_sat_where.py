"""Who sits where: told when it is new, written down with the game, kept over a restart, and credited with the win."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal

import pytest

from controller.events import Seating
from controller.game_setup import ClockRule
from controller.journal.database import Archive
from controller.orders import NewGame, PlayAgain, Resign
from controller.panel.history_backend import HistoryBackend
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from hardware.profile import load
from tests.service.evenings import Evening, assert_replays

LOTS = "Drawn by lot: Ben (White), Ann (Black)."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def told(evening: Evening) -> str:
    return picture(evening.table, CALM, 1).seating


def sit(evening: Evening, *people: str, by: Literal["", "turn", "lots"] = "") -> Evening:
    evening.service.seated(Seating(people, by))
    return evening.settle()


def tally(path: Path) -> str:
    return HistoryBackend(load("square144"), path).evening()["tally"]


def test_lots_are_told_until_the_first_ply_and_are_in_the_log(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "controller.service.loop")
    evening = Evening(path).start()
    sit(evening, "Ann", "Ben").new_game()
    assert told(evening) == ""
    sit(evening, "Ben", "Ann", by="lots")
    assert told(evening) == LOTS
    assert caplog.messages.count(LOTS) == 1
    evening.ply("c3-d3")
    assert told(evening) == ""
    evening.stop()
    assert_replays(path, 1)


@pytest.mark.parametrize(
    ("people", "words"),
    [
        (("", "Ann"), "New seats: Ann (Black)."),
        (("Ann", "Ann"), "New seats: Ann (White and Black)."),
        (("Ann", "Ben", "Cid"), "New seats: Ann (White), Ben (Black)."),
        ((), ""),
    ],
)
def test_one_sentence_names_every_phone_once_and_no_empty_seat(path: Path, people: tuple[str, ...], words: str) -> None:
    evening = Evening(path).start().new_game()
    assert told(sit(evening, *people, by="turn")) == words
    evening.stop()


def test_the_next_game_and_another_seat_end_the_sentence(path: Path) -> None:
    evening = sit(Evening(path).start().new_game(), "Ben", "Ann", by="lots")
    sit(evening, "Ben", "Cid")
    assert told(evening) == ""
    sit(evening, "Ben", "Ann", by="lots").order(PlayAgain())
    assert told(evening) == ""
    evening.stop()


def test_a_restart_keeps_the_sentence_when_the_phones_tell_the_same_again(path: Path) -> None:
    evening = sit(Evening(path).start().new_game(), "Ben", "Ann", by="lots")
    magnets = evening.magnets
    evening.stop()
    again = Evening(path, magnets=tuple(magnets))
    again.service.seated(Seating(("Ben", "Ann")))  # as the panel does, before the service has begun
    again.start()
    assert told(again) == LOTS
    again.ply("c3-d3").order(Resign(seat=1)).stop()
    assert_replays(path, 1)
    assert tally(path) == "Won: Ben (1)."


def test_a_game_is_played_again_with_its_options_and_its_clock(path: Path) -> None:
    evening = Evening(path).start()
    clock = ClockRule("delay", minutes=7, seconds=3)
    evening.order(NewGame(game="circle", options={"players": 4}, clock=clock)).set_up().ply("a2+")
    evening.order(PlayAgain())
    play = evening.table.play
    assert (play.session.name, play.seats, play.clock.rule, play.session.plies) == ("circle", 4, clock, ())
    evening.stop()


# ---- who won ----


def test_the_tally_credits_the_people_and_not_the_colours(path: Path) -> None:
    evening = sit(Evening(path).start(), "Ann", "Ben").new_game()
    evening.ply("c3-d3").order(Resign(seat=1))
    evening.order(PlayAgain())
    sit(evening, "Ben", "Ann", by="turn").set_up().ply("c3-d3").order(Resign(seat=0))
    assert tally(path) == "Won: Ann (2)."
    assert [line["sentence"].split(":")[0] for line in HistoryBackend(load("square144"), path).evening()["games"]] == [
        "Ann won as Black against Ben, by resignation",
        "Ann won as White against Ben, by resignation",
    ]
    evening.stop()


def test_who_sits_down_in_the_middle_has_won_and_who_does_so_afterwards_has_not(path: Path) -> None:
    evening = Evening(path).start().new_game().ply("c3-d3")
    sit(evening, "Ann", "Ben").order(Resign(seat=1))
    sit(evening, "Cid", "Ben")
    assert tally(path) == "Won: Ann (1)."
    evening.back()
    evening.order(Resign(seat=1))
    assert tally(path) == "Won: Cid (1)."
    evening.stop()
    assert_replays(path, 1)


@pytest.mark.parametrize("people", [(), ("", "Ben"), ("Ann", "Ann")])
def test_the_colour_is_credited_where_nobody_is_known_to_have_sat_there_alone(
    path: Path, people: tuple[str, ...]
) -> None:
    evening = sit(Evening(path).start(), *people).new_game().ply("c3-d3").order(Resign(seat=1))
    assert tally(path) == "Won: White (1)."
    evening.stop()


def test_the_journal_has_who_sat_where_at_last(path: Path) -> None:
    evening = sit(Evening(path).start(), "Ann").new_game()
    sit(evening, "Ann", "Ben").ply("c3-d3").stop()
    archive = Archive(path)
    assert archive.saved(1).seating == Seating(("Ann", "Ben"))
    archive.close()
