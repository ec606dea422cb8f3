"""Breakthrough, installed beside Beaconboard: its promises, a game by hand on the simulated board, lights, the panel.

`test_outside_games` runs this in a process of its own, whose path has what pip installed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from controller.from_profile import placement
from controller.lessons.lesson_files import all_lessons
from controller.orders import NewGame, StartLesson
from controller.rules.conformance import CHECKS, OF_THE_GAME, Sample, play_at_random, variants
from controller.rules.game import AnyGame, Illegal
from controller.rules.options import parse
from controller.rules.registry import all_games, broken_games, game_named
from controller.service.running_board import RunningBoard
from controller.service.showing.broadcast import ShownTable
from controller.table.state import Table
from controller.table.views.lights import meanings
from controller.table.views.panel_view import picture, plies_at
from hardware.profile import load, names
from tests.web_panel.real_backend import real_app

NAME = "breakthrough"
LONGEST_WAIT_S = 20
A_HAND_S = 0.3  # from cell to cell, well over what counts as a flicker


def test_it_is_found_and_every_other_game_is_still_there() -> None:
    assert broken_games() == {}
    assert set(all_games()) == {
        NAME, "beacons", "circle", "cyvasse", "giantslayer", "tam-ruat-chess", "tides-of-war",
    }  # fmt: skip


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("given", [{}, {"begins": "Black"}], ids=str)
def test_it_keeps_the_promises_of_play(check: Callable[[Sample], None], given: dict[str, Any]) -> None:
    assert given in list(variants(game_named(NAME)))
    check(play_at_random(game_named(NAME), given, seed=1))


@pytest.mark.parametrize("check", OF_THE_GAME, ids=lambda check: check.__name__)
def test_it_says_of_itself_what_every_game_says(check: Callable[[AnyGame], None]) -> None:
    check(game_named(NAME))


def test_perft_has_the_figures_that_were_counted_by_hand_at_depth_one_and_two() -> None:
    # 8 stones of the front rank: 3 ways each, the two at the rim 2; so has the answer, whatever White did.
    game = game_named(NAME)
    state = game.start(parse(game.options, {}), 0)
    assert [game.perft(state, depth) for depth in (1, 2)] == [22, 22 * 22]


def test_it_lies_at_the_corner_of_each_board_that_has_room_for_it() -> None:
    found = {board: placement(load(board), game_named(NAME)) for board in names()}
    fitting = {board: laid for board, laid in found.items() if laid is not None}
    assert set(fitting) == {"square144", "field144"}
    assert fitting["square144"] == {name: name for name in (f"{x}{y}" for x in "abcdefgh" for y in range(1, 9))}


# ---- on the simulated board ---------------------------------------------------------------------------------


class Room:
    """The real service on a simulated board, behind its panel."""

    def __init__(self, app: Any, rig: RunningBoard) -> None:
        self.client, self.rig = app.test_client(), rig

    def until(self, wanted: Callable[[Table], bool]) -> ShownTable:
        """Return the first picture in which the table is as ``wanted``."""
        end = time.monotonic() + LONGEST_WAIT_S
        for seen in self.rig.service.watch(0.1):
            if seen is not None and wanted(seen.table):
                return seen
            assert time.monotonic() < end, self.rig.service.look().table
        raise AssertionError("the service has stopped")

    def begin(self, order: NewGame | StartLesson) -> None:
        self.rig.service.submit(order)
        assert self.client.post("/api/set_up", json={}).status_code < 300
        self.until(lambda table: table.phase == "play")

    def lift(self, site: str) -> str:
        assert self.rig.hand is not None
        return str(self.rig.hand.lift(site)["id"])

    def place(self, piece: str, site: str) -> None:
        assert self.rig.hand is not None
        self.rig.hand.place(piece, site)

    def rest(self) -> None:
        """Wait until nothing was new for as long as a hand takes: what is back sooner was never gone."""
        next(seen for seen in self.rig.service.watch(A_HAND_S) if seen is None)

    def move(self, ply: str) -> None:
        begin, end = ply.replace("x", "-").split("-")
        made = len(self.plies)
        self.rest()
        piece = self.lift(begin)
        if "x" in ply:
            self.lift(end)
        self.rest()
        self.place(piece, end)
        self.until(lambda table: table.play is not None and len(table.play.session.plies) > made)

    @property
    def plies(self) -> tuple[str, ...]:
        play = self.rig.service.look().table.play
        return play.session.plies if play else ()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as held:
        app, rig, _ = real_app("square144", tmp_path, held)
        yield Room(app, rig)


PLIES = ("d2-d3", "d7-d6", "d3-d4", "d6-d5", "c2-c3", "d5-c4", "b2-b3", "c4xb3", "d4-d5", "b3xa2", "d5-d6", "a2xb1")


def test_a_whole_game_is_played_by_hand(room: Room) -> None:
    room.begin(NewGame(game=NAME))
    piece = room.lift("d2")
    seen = room.until(lambda table: bool(meanings(table).get("e3")))
    assert {site for site, what in meanings(seen.table).items() if what == "may_go"} == {"c3", "d3", "e3"}
    along = room.rig.profile.by_light()
    lit = dict(zip(along, seen.display.frame(along, seen.table), strict=True))
    assert lit["e3"] == seen.display.theme["may_go"].colour
    assert lit["e4"] == (0, 0, 0)
    room.place(piece, "d3")
    room.until(lambda table: room.plies == PLIES[:1])
    for ply in PLIES[1:]:
        room.move(ply)
    seen = room.until(lambda table: table.phase == "over")
    assert room.plies == PLIES
    view = picture(seen.table, seen.display.theme, 1)
    assert view.sentence == "Black wins: breakthrough."
    assert meanings(seen.table)["b1"] == "won"
    assert "d6" not in meanings(seen.table)
    history = room.client.get("/api/history/1").get_json()
    assert [ply["text"] for ply in history["plies"]] == list(PLIES)
    assert history["signs"] == {"stone": "▲"}


def test_a_stone_that_goes_astray_is_told_its_own_rule(room: Room) -> None:
    room.begin(NewGame(game=NAME))
    room.place(room.lift("d2"), "d4")
    seen = room.until(lambda table: bool(table.advice))
    assert seen.table.advice == (
        "d2 to d4 is not allowed. A stone goes one square forward, straight or diagonally: d4 is not one of these. "
        "Put the piece back on d2."
    )


def test_a_phone_lists_the_plies_of_a_cell_and_refuses_what_is_not_allowed(room: Room) -> None:
    room.begin(NewGame(game=NAME, options={"begins": "Black"}))
    table = room.rig.service.look().table
    assert [choice.ply for choice in plies_at(table, "a7", None)] == ["a7-a6", "a7-b6"]
    refused = room.client.post("/api/order", json={"do": "ply", "text": "a7-a5"})
    assert refused.get_json()["error"].startswith("a stone goes one square forward")
    with pytest.raises(Illegal):
        game_named(NAME).play_text(table.play.session.state, "a2-a3")


def test_its_lesson_is_gone_through_by_hand(room: Room) -> None:
    assert [file.game for file in all_lessons()].count(NAME) == 1
    room.begin(StartLesson(game=NAME))
    room.client.post("/api/order", json={"do": "next_step"})
    for ply in ("d2-e3", "d7-d6"):
        room.move(ply)
    view = picture(room.rig.service.look().table, room.rig.service.look().display.theme, 1)
    assert view.lesson is not None
    assert "massacre" in view.lesson.sentence


def test_the_panel_has_it_in_its_list_its_picture_and_its_page(room: Room) -> None:
    listed = {game["name"]: game for game in room.client.get("/api/games").get_json()}
    assert (listed[NAME]["title"], listed[NAME]["fits"]) == ("Breakthrough", True)
    assert listed[NAME]["options"][0]["choices"] == ["Black", "White"]
    page = room.client.get(f"/rules/{NAME}").get_data(as_text=True)
    assert "Whoever first brings a stone to the far side wins." in page
    assert sorted(mark for mark in ("c7", "e7") if f'data-mark="take" data-name="{mark}"' in page) == ["c7", "e7"]
    assert page.count("<figure") == 2
    picture_of_it = room.client.get(f"/pictures/{NAME}.svg").get_data(as_text=True)
    assert picture_of_it.count("▲") == 32
    assert f'href="/rules/{NAME}"' in room.client.get("/rules").get_data(as_text=True)
    german = room.client.get(f"/rules/{NAME}", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Whoever first brings a stone" in german  # what nobody has translated stays English
