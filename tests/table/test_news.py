"""What a move has set off by itself, such as a harvest, is told to each until that one plays on."""

from __future__ import annotations

from typing import Any

from controller.game_setup import Opponents
from controller.orders import BoardPlays, NewGame, PlayPly, Resign, TakeBack
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.test_lessons import Pupil


def begun(opponents: Opponents | None = None, **options: Any) -> Pupil:
    order = NewGame(game="beacons", options=options, seed=1, opponents=opponents or Opponents())
    return Pupil(order).set_up()


def told(pupil: Pupil, seat: int | None) -> str:
    return picture(pupil.table, CALM, 1, seat).seating


def test_a_harvest_is_told_to_each_until_that_one_plays_on() -> None:
    pupil = begun(template="duel")
    first = pupil.play.session.game.seat(pupil.play.session.state)
    assert first is not None
    pupil.order(PlayPly(text="end"))
    assert [told(pupil, seat) for seat in (0, 1, None)] == ["", "", ""]
    pupil.order(PlayPly(text="end"))
    assert told(pupil, 0).startswith("Harvest: Player 1 +")
    assert told(pupil, 0) == told(pupil, 1) == told(pupil, None)
    pupil.order(PlayPly(text="end"))
    assert [bool(told(pupil, seat)) for seat in (first, 1 - first, None)] == [False, True, False]
    pupil.order(TakeBack(to=2))
    assert told(pupil, first)


def test_what_the_board_plays_next_hides_no_harvest_and_it_is_called_the_board() -> None:
    pupil = begun(Opponents((3, 0)), template="duel")
    assert pupil.play.session.game.seat(pupil.play.session.state) == 0
    pupil.order(BoardPlays(text="end", made=0))
    pupil.order(PlayPly(text="end"))
    assert told(pupil, 1).startswith("Harvest: the board +")
    pupil.order(BoardPlays(text="end", made=2))
    assert told(pupil, 1).startswith("Harvest: the board +")
    assert told(pupil, None).startswith("Harvest: the board +")


def test_whoever_gave_up_is_told_the_last_harvest_and_not_all_since() -> None:
    pupil = begun(template="trio", players=3, rounds=5)
    pupil.order(PlayPly(text="end"))
    pupil.order(Resign(seat=0))
    for _ in range(8):
        pupil.order(PlayPly(text="end"))
    assert pupil.play.session.game.result(pupil.play.session.state).over is False
    assert told(pupil, 0).count("Harvest: ") == 1


def test_the_list_of_moves_has_words_where_a_move_is_no_way_from_cell_to_cell() -> None:
    def listed(game: str, *made: str, seat: int | None = None) -> list[tuple[str, str]]:
        pupil = Pupil(NewGame(game=game, seed=1)).set_up()
        for text in made:
            pupil.order(PlayPly(text=text))
        return [(ply.text, ply.words) for ply in picture(pupil.table, CALM, 1, seat).plies]

    assert listed("circle", "a3-a2", "c1+", "end") == [
        ("a3-a2", ""),
        ("c1+", "c1 becomes class 2 (leaf)"),
        ("end", "End turn"),
    ]
    assert listed("cyvasse", "D-h1") == [("D-h1", "The dragon comes in on h1")]
    assert listed("beacons", "bid 6 6", seat=0) == [("bid 6 6", "Bid 6 for Player 1, 6 for Player 2")]
    assert listed("beacons", "bid 6 6", seat=1) == [("bid", "chooses in secret")]
