"""What greets somebody who comes back: true, with one thing to do, and only after some hours."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from controller.game_setup import Opponents
from controller.orders import NewGame, Resign
from tests.service.evenings import begun
from tests.web_panel.real_table import RealTable
from tests.web_panel.test_people import guest, phone
from web_panel.backend import Finished, Learnt
from web_panel.people.welcome import last_here, long_ago, welcomes

TODAY = {"game": "circle", "title": "Circle", "number": "p1", "hard": 1, "solved": False}


def game(*seats: str | int, winner: int | None, started: str = "2026-03-01 20:00:00") -> Finished:
    """A game of people, by id, and of the board, by level."""
    held = tuple(("", seat) if isinstance(seat, int) else (seat, 0) for seat in seats)
    return Finished("tides-of-war", "Tides of War", held, winner, started)


def known(id: str) -> str:
    """Bea has merged with Ben."""
    return {"bea": "ben"}.get(id, id)


def greets(
    *games: Finished, learnt: tuple[Learnt, ...] = (), today: Any = None, streak: int = 0, missed: Any = ()
) -> Any:
    return welcomes("ben", "Ben", games, learnt, known, today, streak, missed)


def said(*games: Finished, **more: Any) -> list[str]:
    return [each["sentence"].removeprefix("Welcome back, Ben. ") for each in greets(*games, **more)]


@pytest.mark.parametrize(
    ("last", "told", "level"),
    [
        (game("ben", 1, winner=0), "Last time you beat level 1 of Tides of War: try level 2.", 2),
        (game(3, "bea", winner=0), "Last time the board won Tides of War at level 3: try it again.", 3),
        (game("ben", "ann", winner=0), "Last time you won Tides of War: who dares this time?", 0),
        (game("ben", "ann", winner=1), "Last time you lost Tides of War: ask for revenge.", 0),
    ],
)
def test_the_last_game_leads_on(last: Finished, told: str, level: int) -> None:
    (found,) = greets(game("ben", 7, winner=0), last, game("ann", 5, winner=0))
    assert (found["sentence"], found["level"]) == (f"Welcome back, Ben. {told}", level)


def test_what_is_not_true_of_this_person_is_not_said() -> None:
    assert said(game("ann", 1, winner=0)) == []
    assert said(game("ben", "ben", winner=0)) == []  # who played both sides has beaten nobody
    assert said(game("ben", "ann", winner=None)) == []
    assert said(game("ben", 8, winner=0)) == []  # there is no ninth level
    assert said(today={**TODAY, "solved": True}, streak=4) == []
    other = {"name": "Ann", "title": "Circle", "game": "circle", "number": "own-1", "id": 4, "ply": 7}
    assert said(game("ben", "ann", winner=None), missed=[other]) == []


def test_more_than_one_thing_may_be_true() -> None:
    missed = [{"name": "Ben", "title": "Circle", "game": "circle", "number": "own-1", "id": 4, "ply": 7}]
    learnt = (Learnt("bea", "beacons", "Beacons", "", "2026-03-01 19:00:00"),)
    assert said(game("ben", 1, winner=0), learnt=learnt, today=TODAY, streak=3, missed=missed) == [
        "Last time you beat level 1 of Tides of War: try level 2.",
        "A move that you missed in Circle is to be found.",
        "You have found a puzzle 3 days in a row: today's waits.",
        "You have learnt Beacons: play it now.",
    ]
    assert said(today=TODAY, streak=1) == ["The puzzle of the day is of Circle."]


def test_somebody_is_greeted_who_has_begun_nothing_for_some_hours() -> None:
    games = [
        game("bea", 1, winner=0, started="2026-03-01 20:00:00"),
        game("ann", 1, winner=0, started="2026-03-02 20:00:00"),
    ]
    assert last_here("ben", games, [], known) == "2026-03-01 20:00:00"
    learnt = [Learnt("ben", "circle", "Circle", "p1", "2026-03-01 22:00:00")]
    assert last_here("ben", games, learnt, known) == "2026-03-01 22:00:00"
    for hour, away in ((1, False), (2, True)):
        assert long_ago("2026-03-01 22:00:00", datetime(2026, 3, 2, hour, 0, 1, tzinfo=UTC)) == away
    assert not long_ago("", datetime(2026, 3, 2, tzinfo=UTC))


def told(client: FlaskClient) -> list[str]:
    return [each["sentence"] for each in client.get("/api/progress").get_json()["welcome"]]


def test_who_comes_back_next_week_is_greeted_by_name_and_nobody_else(tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    try:
        mara, stranger = phone(table, 0, name="Mara"), guest(table, 60)
        mara.post("/api/order", json={"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 1]}})
        table.running.service.submit(Resign(seat=1))
        assert told(mara) == []  # she is here
        begun(tmp_path / "games.sqlite3", "-7 days")
        first, *_ = told(mara)
        assert first == "Welcome back, Mara. Last time you beat level 1 of Tides of War: try level 2."
        assert told(stranger) == []
        table.running.service.submit(NewGame("tides-of-war", opponents=Opponents((0, 1))))
        table.running.service.submit(Resign(seat=1))
        assert told(mara) == []
    finally:
        table.close()
