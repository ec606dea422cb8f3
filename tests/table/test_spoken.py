"""What the table says aloud: moves with their cells in words, pieces with what attacks them, and no secret."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from controller.rules.registry import game_named
from controller.sentences import in_language
from controller.table.session import begin
from controller.table.state import Table
from controller.table.views.spoken import aloud, move_aloud, piece_aloud
from controller.table.views.threats import attackers
from tests.table.scenes import Scene


def site_of(table: Table, label: str) -> str:
    """Return the board's name of the cell that the game calls ``label``."""
    assert table.play is not None
    area = table.play.game_area
    return next(site for site in table.board.sites if label in area.names(table.board.bit(site)))


def spoken(game: str, *plies: str, number: int = 0, seat: int | None = None, **options: Any) -> str:
    """Return the move with that number, else the last one, as it is said to ``seat``."""
    table = Scene(game, options, after="; ".join(plies)).run()
    return move_aloud(table, number or len(plies), seat)


def test_a_move_names_piece_and_cells_in_words() -> None:
    assert spoken("tam-ruat-chess", "d2-d4") == "Warrior from D two to D four."
    assert spoken("circle", "c1-b1") == "Drop from C one to B one."
    assert spoken("giantslayer", "d2-e2") == "Halogai from D two to E two."


def test_a_move_into_a_town_or_a_fortress_names_it() -> None:
    conquest = spoken("tides-of-war", "c3-c4", "c5xc3xa1")
    way = "Stone from C five to C three, then to A one, White's town"
    assert conquest == f"{way}, takes stone on C four and stone on B two."


def test_a_ply_that_moves_no_piece_is_said_in_the_words_of_its_game() -> None:
    assert spoken("circle", "b2+") == "B two becomes class 2 (leaf)."
    assert spoken("beacons", "bid 6 6", number=1, seat=1) == "Player 1 has moved in secret."


def test_who_gave_what_is_not_said_when_all_bids_are_in_either() -> None:
    assert spoken("beacons", "bid 6 6", "bid 5 7", number=2, seat=0) == "Player 2 has moved in secret."


def test_what_else_leaves_the_board_is_said() -> None:
    line = ["c3-c5", "e4-d4", "i2-g4", "d6-c6", "b4-b6", "e6-d7"]
    assert spoken("giantslayer", *line) == "Giant from E six to D seven; slain: giant on C six."


def test_a_path_of_captures_is_said_cell_by_cell() -> None:
    assert aloud("c4xb5xa16") == "C four takes B five, takes A sixteen"
    assert aloud("c4xb5x") == "c4xb5x"
    assert aloud("a25-a26") == "A 25 to A 26"


def test_another_language_says_it_in_its_own_words() -> None:
    texts = {"{letter} {number}": "{number} {letter}", "two": "zwei"}
    assert in_language(aloud("d2"), texts) == "zwei D"


@pytest.mark.parametrize("seat", [None, 1])
def test_a_secret_move_is_said_to_nobody_else(seat: int | None) -> None:
    assert spoken("cyvasse", "K@h2", seat=seat, setup="secret") == "White has moved in secret."
    assert spoken("cyvasse", "K@h2", seat=0, setup="secret") == "King on H two."
    table = Scene("cyvasse", {"setup": "secret"}, after="K@h2").run()
    site = site_of(table, "h2")
    assert piece_aloud(table, site, seat) == "H two: empty."
    assert "king" in piece_aloud(table, site, 0)


def test_a_touched_cell_says_what_stands_there() -> None:
    table = Scene("tides-of-war").run()
    assert piece_aloud(table, site_of(table, "c3"), None).startswith("C three: White stone.")
    assert piece_aloud(table, site_of(table, "c4"), None) == "C four: empty. River."
    assert piece_aloud(table, site_of(table, "f6"), None) == "F six: empty. Black's town."
    assert piece_aloud(table, "nowhere", None) == ""
    assert move_aloud(table, 0, None) == move_aloud(table, 1, None) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tam-ruat-chess", "cyvasse", "circle", "giantslayer", "tides-of-war"])
def test_what_can_be_taken_now_is_attacked_from_where_it_can(name: str) -> None:
    """In a game at random each piece that the mover can take is said to be attacked by what takes it."""
    game, dice, met = game_named(name), Random(5), 0
    session = begin(name, {}, 5)
    for _ in range(80):
        plies = game.plies(session.state)
        if not plies:
            break
        walks = [game.walk(session.state, ply) for ply in plies]
        shape = game.shape(session.state)
        for walk in walks:
            end = walk.path[-1] if walk.path else ""
            if end in shape and shape[end].seat != shape[walk.path[0]].seat:
                found = attackers(game, session.state, end)
                assert found is not None
                assert walk.path[0] in found
                met += 1
        session = session.played(game.text(session.state, dice.choice(plies)))
    assert met or name in ("tides-of-war", "giantslayer")  # these jump over what they take
