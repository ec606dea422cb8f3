"""A fault planted in each function of each game: that game is set aside with a sentence, all others are played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from controller.orders import NewGame, Resume, TakeBack
from controller.panel.history_backend import HistoryBackend
from controller.panel.pieces_needed import expected
from controller.panel.table_backend import TableBackend
from controller.refused import Refused
from controller.rules.registry import all_games, game_named
from controller.service.running_board import RunningBoard
from tests.service.evenings import Evening, kept, with_function

BOARDS = {
    "beacons": ("shell19", ""), "circle": ("square144", "tides-of-war"), "cyvasse": ("hex91", "giantslayer"),
    "giantslayer": ("hex91", "cyvasse"), "tam-ruat-chess": ("square144", "tides-of-war"),
    "tides-of-war": ("square144", "circle"),
}  # fmt: skip
DATA = ("facts", "options", "state")
PLANTS = [
    (name, field.name)
    for name, game in all_games().items()
    for field in fields(game)
    if field.name not in DATA and getattr(game, field.name) is not None
]


class Planted(Exception):
    """A fault that a test planted in the rules."""


@dataclass
class Plant:
    """A fault in one function of a game. ``met`` counts how often it was run into."""

    patch: pytest.MonkeyPatch
    name: str
    field: str
    met: int = 0

    def sow(self) -> None:
        def faulty(*_: Any) -> Any:
            self.met += 1
            raise Planted(f"in {self.field}")

        self.patch.setitem(all_games(), self.name, with_function(game_named(self.name), self.field, faulty))


@pytest.fixture(params=PLANTS, ids=lambda plant: "-".join(plant))
def plant(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Plant:
    return Plant(monkeypatch, *request.param)


class Steady(Evening):
    """An evening at which the order that waits for all before it may itself run into a planted fault."""

    def settle(self) -> Evening:
        with pytest.raises(Refused):
            self.service.submit(Resume(game_id=-1))
        return self


def first_ply(evening: Evening) -> str:
    session = evening.table.play.session
    return session.game.text(session.state, session.game.plies(session.state)[0])


def board_of(name: str) -> str:
    return BOARDS[name][0]


def try_all(evening: Evening, plant: Plant, ply: str) -> list[str]:
    """Do what people do at a table and on phones; returns every sentence that they are told."""
    rig = RunningBoard(evening.profile, evening.service, evening.board, None)
    backend, library = TableBackend(rig), HistoryBackend(evening.profile, evening.path)
    told: list[str] = []

    def look() -> None:
        view = next(change for change in backend.watch(lambda now: 0) if change is not None)[1]
        told.extend((view.sentence, view.link))

    site = next(iter(expected(evening.table)), evening.table.board.sites[0])
    deeds: list[Callable[[], Any]] = [
        look,
        lambda: backend.plies(site, lambda now: 0),
        lambda: backend.plies(""),
        backend.standing,
        lambda: evening.touch(site, False),
        look,
        lambda: evening.touch(site, True),
        lambda: evening.ply("not such a move"),
        lambda: evening.ply(ply),
        look,
        lambda: evening.order(TakeBack()),
        lambda: told.extend(each["sentence"] for each in library.played()["games"]),
    ]
    for deed in deeds:
        try:
            deed()
        except Refused as refused:
            told.append(str(refused))
    return [sentence for sentence in told if sentence]


def assert_told(told: list[str], plant: Plant) -> None:
    """What was run into was told, with its kind and place; its words may quote what is secret."""
    assert not plant.met or any("Planted in test_faulty_games.py" in sentence for sentence in told), told
    assert not any(f"in {plant.field}" in sentence for sentence in told), told


def assert_plays_the_rest(evening: Evening, plant: Plant) -> None:
    """Another game begins, is set up and takes a ply; where the board has no other, the mended one does."""
    other = BOARDS[plant.name][1]
    if not other:
        plant.patch.undo()
    evening.laid_out(other or plant.name)
    ply = first_ply(evening)
    evening.ply(ply)
    assert evening.plies == [ply]
    assert evening.service.running
    assert evening.seen.fault == ""


def test_a_game_that_cannot_be_begun_is_told_and_another_is_played(plant: Plant, tmp_path: Path) -> None:
    evening = Steady(tmp_path / "games.sqlite3", board_of(plant.name)).start()
    plant.sow()
    told = []
    try:
        evening.order(NewGame(game=plant.name, seed=1))
    except Refused as refused:
        told.append(str(refused))
    told.extend((*try_all(evening, plant, "a1"), evening.seen.fault))
    assert_told(told, plant)
    assert_plays_the_rest(evening, plant)
    evening.stop()


def test_a_game_that_fails_in_the_middle_is_told_and_another_is_played(plant: Plant, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    evening = Steady(path, board_of(plant.name)).start().laid_out(plant.name)
    first = first_ply(evening)
    evening.ply(first)
    second = first_ply(evening)
    plant.sow()
    told = [*try_all(evening, plant, second), evening.seen.fault]
    assert_told(told, plant)
    assert_plays_the_rest(evening, plant)
    evening.stop()
    assert kept(path, 1)[:1] in ((first,), ())  # () where it was taken back


def test_a_restart_with_that_game_last_shows_a_board_that_plays(plant: Plant, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    before = Steady(path, board_of(plant.name)).start().laid_out(plant.name)
    first = first_ply(before)
    before.ply(first)
    before.stop()
    plant.sow()
    evening = Steady(path, board_of(plant.name)).start()
    if plant.met:
        assert evening.table.play is None
        assert "Planted in test_faulty_games.py" in evening.seen.fault
        assert "beaconboard record 1" in evening.seen.fault
        with pytest.raises(Refused, match=f"in {plant.field}|fault"):
            evening.order(Resume(game_id=1))
    assert_told([*try_all(evening, plant, "a1"), evening.seen.fault], plant)
    assert_plays_the_rest(evening, plant)
    evening.stop()
    assert kept(path, 1)[:1] in ((first,), ())
