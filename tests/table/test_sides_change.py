"""Players who change sides from round to round: whose pieces are whose follows the round, wherever it is told."""

from __future__ import annotations

from msgspec import UNSET

from controller.rules.game import Piece
from controller.sentences import in_language
from controller.table.state import Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from controller.table.views.spoken import piece_aloud
from tests.table.scenes import Scene

# White slays six.
FIRST_ROUND = "i4-g4; e6-d7; d2-d4; d6-e6; a6-c6; e4xc4; e9-e7; f5-g5; a9-d6; g5-h5; e1-e2; f4-f5; i3-h4; f5-e6"


def second_round(*plies: str) -> Table:
    return Scene("giantslayer", {"rounds": 2}, after="; ".join((FIRST_ROUND, *plies))).run()


def aloud(table: Table, label: str) -> str:
    area = table.play.game_area if table.play else None
    assert area is not None
    site = next(site for site in table.board.sites if label in area.names(table.board.bit(site)))
    return in_language(piece_aloud(table, site, None), {})


def test_the_picture_says_which_colour_each_seat_plays_now() -> None:
    first, second = Scene("giantslayer", {"rounds": 2}).run(), second_round()
    assert [seat.colour for seat in picture(first, CALM, 1).seats] == [0, 1]
    assert [seat.colour for seat in picture(second, CALM, 1).seats] == [1, 0]


def test_a_move_keeps_the_colour_with_which_it_was_made() -> None:
    plies = picture(second_round("d2-e2", "d6-c6"), CALM, 1).plies
    assert [(ply.seat, ply.colour) for ply in plies[-4:]] == [(0, 0), (1, 1), (1, 0), (0, 1)]


def test_a_piece_is_named_aloud_by_its_colour_in_each_round() -> None:
    for table in (Scene("giantslayer", {"rounds": 2}).run(), second_round()):
        assert aloud(table, "e1").startswith("E one: White halogai.")
        assert aloud(table, "e4").startswith("E four: Black giant.")


def test_the_picture_says_what_the_colour_of_each_seat_is_called_where_players_change_them() -> None:
    first, second = Scene("giantslayer", {"rounds": 2}).run(), second_round()
    assert [seat.side for seat in picture(first, CALM, 1).seats] == ["White", "Black"]
    assert [seat.side for seat in picture(second, CALM, 1).seats] == ["Black", "White"]
    assert [seat.side for seat in picture(Scene("tides-of-war").run(), CALM, 1).seats] == [UNSET, UNSET]


def test_each_of_four_seats_round_the_board_has_it_turned_so_that_its_own_side_is_near() -> None:
    assert [seat.turn for seat in picture(Scene("circle", {"players": 4}).run(), CALM, 1).seats] == [0, 270, 180, 90]
    assert [seat.turn for seat in picture(Scene("beacons", {"players": 4}).run(), CALM, 1).seats] == [UNSET] * 4


def test_a_piece_of_nobody_has_no_player() -> None:
    play = Scene("giantslayer", {"rounds": 2}).run().play
    assert play is not None
    game, state = play.session.game, play.session.state
    assert game.player_of(state, None) is None
    assert game.player_of(state, Piece(1, "giant").seat) == 1
