"""Once all have bid, everybody reads what each received and who begins by that; who gave what stays secret."""

from __future__ import annotations

import re
from typing import Any

from controller.game_setup import Opponents
from controller.orders import BoardPlays, NewGame, PlayPly, TakeBack
from controller.sentences import called
from controller.table.views.last_turn import last_turn
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from controller.table.views.types import PanelView
from tests.table.test_lessons import Pupil

BOTH = "Received: Player 1: 11, Player 2: 13. Every coffer gets 1 more. Player 1 begins."


def begun(opponents: Opponents | None = None, **options: Any) -> Pupil:
    return Pupil(NewGame(game="beacons", options=options, seed=1, opponents=opponents or Opponents())).set_up()


def seen(pupil: Pupil, seat: int | None) -> PanelView:
    return picture(pupil.table, CALM, 1, seat)


def bid(pupil: Pupil, seat: int, *shares: int) -> None:
    pupil.order(PlayPly(text=f"bid {' '.join(map(str, shares))}", seat=seat, phone=f"p{seat}"))


def test_bids_are_told_when_the_last_one_is_in_until_a_person_plays_on() -> None:
    pupil = begun()
    bid(pupil, 0, 5, 7)
    assert [seen(pupil, seat).plies[0].text for seat in (0, 1, None)] == ["bid 5 7", "bid", "bid"]
    assert [seen(pupil, seat).seating for seat in (0, 1, None)] == ["", "", ""]
    bid(pupil, 1, 6, 6)
    for seat, known in ((0, ["bid 5 7", "bid"]), (1, ["bid", "bid 6 6"]), (None, ["bid", "bid"])):
        assert [ply.text for ply in seen(pupil, seat).plies] == known
        assert seen(pupil, seat).seating == BOTH
    assert last_turn(pupil.play, 0) is None  # there is nothing more to tell
    pupil.order(PlayPly(text="place a3 2", seat=0))
    assert seen(pupil, 0).seating == ""
    pupil.order(TakeBack(to=2))
    assert seen(pupil, 0).seating == BOTH


def test_the_board_is_called_so_and_what_it_plays_at_once_hides_nothing() -> None:
    pupil = begun(Opponents((0, 1)))
    bid(pupil, 0, 0, 12)
    pupil.order(BoardPlays(text="bid 0 12", made=1))
    assert seen(pupil, 0).seating == "Received: Player 1: 0, the board: 24. Every coffer gets 1 more. Player 1 begins."
    pupil = begun(Opponents((0, 1)))
    bid(pupil, 0, 12, 0)
    pupil.order(BoardPlays(text="bid 12 0", made=1))
    told = seen(pupil, 0).seating
    assert told.endswith("Received: the board: 0, Player 1: 24. Every coffer gets 1 more. The board begins.")
    pupil.order(BoardPlays(text="place a3 1", made=2))
    assert seen(pupil, 0).seating.endswith("The board begins.")


def test_in_every_line_the_board_is_called_so_and_whoever_reads_is_spoken_to() -> None:
    pupil = begun(Opponents((0, 1)))
    bid(pupil, 0, 6, 6)
    pupil.order(BoardPlays(text="bid 6 6", made=1))
    told = called(seen(pupil, 0).seating, {}, "Player 1")
    assert re.search("You and the board received|The board and you received", told)
    lines = [called(line, {}, "Player 1") for line in seen(pupil, 0).lines]
    assert not [line for line in lines if "Player" in line]
    assert any(line.startswith("The board: points 0, units 0") for line in lines)


def test_of_three_equal_ones_are_told_with_what_has_decided() -> None:
    pupil = begun(players=3)
    for seat, shares in enumerate(((4, 4, 4), (4, 4, 4), (6, 6, 0))):
        assert seen(pupil, None).seating == ""
        bid(pupil, seat, *shares)
    told = seen(pupil, None).seating
    assert told.startswith("Received: ")
    assert "Player 2 received the same: the lot decided." in told or "Player 1 received" in told
    assert told.endswith("Player 3 begins.")
