"""Diagrams of positions: what stands where, where one piece may go, and what a kept game shows of itself."""

from __future__ import annotations

from typing import Any

import pytest

from controller.game_setup import Opponents
from controller.panel.diagrams import Diagram, diagram, movable, reached
from controller.panel.game_info import card, in_words
from controller.panel.pictures import changed, figures, people, position_picture, shape_after
from controller.refused import Refused
from controller.rules.game import Piece
from controller.rules.games.tam_ruat_chess.game import GAME as TAM_RUAT
from controller.rules.registry import all_games, game_named
from controller.table.session import begin
from hardware.profile import load
from tests.rules.tam_ruat_scenes import stand

TIDES = "tides-of-war"


def marks(shown: Diagram) -> dict[str, str]:
    return {cell.name: cell.mark for cell in shown.cells if cell.mark}


# ---- where a piece may go ---------------------------------------------------------------------------------


def test_a_diagram_shows_where_a_piece_may_go_and_whom_it_may_take() -> None:
    shown = diagram(TIDES, {}, ["c3-c4"], "c5")  # it jumps over c4 onto c3, and on over b2 into the town
    assert marks(shown) == {"c5": "from", "b5": "go", "c4": "take", "c3": "go", "b2": "take", "a1": "go"}
    assert (shown.title, shown.at, shown.kind) == ("Tides of War", "c5", "stone")
    assert marks(diagram(TIDES, {}, ["c3-c4"])) == {}
    assert marks(diagram(TIDES, {}, [], "c5")) == {"c5": "from"}  # it is not to move


def test_who_takes_by_moving_onto_a_piece_is_shown_to_take_there() -> None:
    found = reached(TAM_RUAT, stand("wKa1 wCd1 bkd4 bKl12 bwa9"), "d1")
    along = [f"{file}1" for file in "bcefghijkl"]
    assert found == {"d1": "from", "d4": "take", **dict.fromkeys([*along, "d2", "d3"], "go")}


def test_a_round_trip_leaves_the_piece_where_it_was() -> None:
    game = game_named(TIDES)
    state = game.start(game.options(), 0)
    cells = game.mesh(game.options()).cells
    sets = [sum(1 << cells.index(name) for name in names.split()) for names in ("c3", "d3 d4 c4 f2")]
    found = reached(game, type(state)((sets[0], sets[1]), 0, ()), "c3")
    assert found["c3"] == "from"
    assert {name for name, how in found.items() if how == "take"} == {"d3", "d4", "c4"}


def test_a_diagram_stands_with_the_first_player_below() -> None:
    shown = diagram(TIDES, {})
    cells = {cell.name: cell for cell in shown.cells}
    assert cells["a1"].y > cells["a6"].y
    assert cells["a1"].x < cells["f1"].x
    assert cells["c4"].piece is None
    white, black = cells["c3"], cells["c6"]
    assert (white.piece, black.piece) == (Piece(0, "stone"), Piece(1, "stone"))
    assert (white.colour, black.colour) == (0, 1)
    assert white.body
    assert white.body != black.body
    assert shown.width > 0 < shown.height


def test_what_is_nobodys_has_no_colour() -> None:
    cells = {cell.name: cell for cell in diagram("cyvasse", {}).cells}
    assert (cells["c4"].piece, cells["c4"].colour) == (Piece(None, "M"), None)


@pytest.mark.parametrize(
    ("name", "options", "plies", "at", "why"),
    [
        ("ludo", {}, [], "", "ludo"),
        (TIDES, {"size": 3}, [], "", "unknown option 'size'"),
        (TIDES, {}, ["c3-c5"], "", "c3 and c5 are not neighbours"),
        (TIDES, {}, ["c3"], "", "not a valid move"),
        (TIDES, {}, [], "g1", "Tides of War has no site g1"),
    ],
)
def test_what_there_is_not_has_no_diagram(
    name: str, options: dict[str, Any], plies: list[str], at: str, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        diagram(name, options, plies, at)


@pytest.mark.parametrize("name", all_games())
def test_a_kind_that_can_move_as_a_game_begins_is_shown_by_one_piece(name: str) -> None:
    game = game_named(name)
    state = game.start(game.options(), 7)
    titles = list(game.facts.kinds.values())
    found = movable(name)
    assert [title for _, title in found] == sorted({title for _, title in found}, key=titles.index)
    for site, title in found:
        assert game.facts.kinds[game.shape(state)[site].kind] == title
        assert {"go", "take"} & set(reached(game, state, site).values())
    moving = {game.walk(state, ply).path[:1] for ply in game.moves(state) if len(game.walk(state, ply).path) > 1}
    kinds = {game.shape(state)[path[0]].kind for path in moving if path[0] in game.shape(state)}
    assert {title for _, title in found} == {game.facts.kinds[kind] for kind in kinds}


# ---- a kept game ------------------------------------------------------------------------------------------

LINE = ("c3-c4", "c5xc3", "c2xc4")  # Black takes the stone that advanced, and White the one that took it


def test_the_figures_of_a_game_are_minutes_begun_and_what_was_captured_by_whom() -> None:
    session = begin(TIDES, {}, 0).through(LINE)
    captured = [
        {"by": 1, "seat": 0, "kind": "stone", "count": 1},
        {"by": 0, "seat": 1, "kind": "stone", "count": 1},
    ]
    assert figures(session, 60_000_000) == {"minutes": 1, "captured": captured}
    assert figures(session, 60_000_001)["minutes"] == 2
    assert figures(begin(TIDES, {}, 0), 0) == {"minutes": 0, "captured": []}


def test_of_each_seat_that_takes_part_it_is_said_who_sat_there() -> None:
    session = begin("circle", {"players": 2}, 0)
    assert people(("Ann", "Ben"), session, Opponents()) == (("White", "Ann"), ("Black", "Ben"))
    assert people(("Ann",), session, Opponents()) == (("White", "Ann"), ("Black", ""))
    assert people(("Ann",), session, Opponents((0, 3))) == (("White", "Ann"), ("Black", "the board"))
    assert len(people((), begin("circle", {"players": 4}, 0), Opponents())) == 4


def test_a_picture_of_a_position_marks_the_last_move() -> None:
    session = begin(TIDES, {}, 0).through(LINE)
    assert changed(session, 0) == ()
    assert changed(session, 1) == ("c3", "c4")
    assert changed(session, 2) == ("c3", "c4", "c5")
    assert marks(position_picture(session, 2)) == dict.fromkeys(("c3", "c4", "c5"), "last")
    assert marks(position_picture(session, 0)) == {}
    assert shape_after(session, 1)["c4"] == Piece(0, "stone")
    shown = {cell.name: cell.piece for cell in position_picture(session, 2).cells if cell.piece}
    assert shown == dict(shape_after(session, 2))


# ---- a game in the list of games --------------------------------------------------------------------------


def field(name: str, option: str, board: str = "") -> dict[str, Any]:
    fields = card(game_named(name), load(board) if board else None)["options"]
    return next(each for each in fields if each["name"] == option)


def test_a_card_says_what_a_game_is_and_what_can_be_chosen() -> None:
    found = card(game_named("circle"), None)
    assert (found["name"], found["title"], found["minutes"], found["players_option"]) == (
        "circle",
        "Circle",
        20,
        "players",
    )
    assert found["seats"] == ["White", "Black", "Blue", "Orange"]
    assert [each["name"] for each in found["options"]] == ["players", "victory", "any_unit"]
    assert field("circle", "any_unit")["title"] == "Any unit"
    assert set(field("circle", "victory")["titles"]) == {"Quick", "Annihilation"}
    assert in_words("") == "None"


def test_people_begin_with_a_match_of_two_rounds_though_programs_play_one() -> None:
    assert field("giantslayer", "rounds")["default"] == 2
    assert game_named("giantslayer").options().rounds == 1


def test_nobody_is_asked_for_the_experience_that_the_board_knows() -> None:
    names = [each["name"] for each in card(game_named("beacons"), None)["options"]]
    assert "experience" not in names
    assert {"players", "board", "template"} <= set(names)


def test_players_are_not_asked_for_what_makes_another_game_of_it() -> None:
    assert card(game_named("tides-of-war"), None)["options"] == []
    assert [each["name"] for each in card(game_named("giantslayer"), None)["options"]] == ["rounds"]


def test_a_board_offers_its_own_tiling_alone_and_what_fits_there() -> None:
    anywhere = field("beacons", "board")
    assert anywhere["kind"] == "choice"
    assert {"hex 3", "square 4 4"} <= set(anywhere["choices"])
    assert len(set(anywhere["titles"])) == len(anywhere["choices"])
    here = field("beacons", "board", "shellsquare16")
    assert (here["choices"], here["default"]) == (("square 4 4",), "square 4 4")
    assert field("beacons", "template", "shellsquare16")["choices"] == ("",)  # the templates lie on hex 3
    assert set(field("beacons", "template", "shell19")["choices"]) == {"", "trial", "duel", "trio"}  # one for three
    assert set(field("beacons", "template")["choices"]) == {"", "trial", "duel", "trio"}
    assert set(field("circle", "victory", "square144")["choices"]) == {"quick", "annihilation"}
