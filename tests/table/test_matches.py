"""Matches of several games, players who give up alone, draws that are claimed: at the table, and over a restart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from controller.events import Command, Seated, Seating, Snapshot, Tick
from controller.from_profile import table_board
from controller.game_setup import ClockRule, Match, Opponents
from controller.journal.recording import Header
from controller.orders import AnyOrder, ClaimDraw, NewGame, OfferDraw, PlayAgain, PlayPlies, PlayPly, Resign, TakeBack
from controller.table import notes
from controller.table.orders import resume
from controller.table.people.arbiter import claim
from controller.table.session import Left
from controller.table.starting_plies import reach
from controller.table.state import Table
from controller.table.table import step
from controller.table.views.endings_told import ended
from controller.table.views.panel_view import match_view
from hardware.profile import load


class Evening:
    """A table whose pieces stand wherever they should: ``said`` are the notes of the last order."""

    def __init__(self, board: str = "square144") -> None:
        self.table = Table(table_board(load(board)))
        self.said: Sequence[notes.AnyNote] = ()
        self._t_us = 0

    def order(self, *orders: AnyOrder) -> Evening:
        for each in orders:
            self._t_us += 1_000_000
            self.table, self.said = step(self.table, Command(self._t_us, each))
            self.stand()
        return self

    def stand(self) -> None:
        play = self.table.play
        if play is not None:
            here = frozenset(self.table.board.marks(play.settled.position.standing))
            self.table, _ = step(self.table, Snapshot(self._t_us, here))

    def sit(self, *profiles: str) -> Evening:
        """Let the people with these ids sit here now, "" for nobody."""
        seating = Seating(tuple(id and f"name of {id}" for id in profiles), profiles=profiles)
        self.table, _ = step(self.table, Seated(self._t_us, seating))
        return self

    def think(self, us: int) -> None:
        self._t_us += us
        self.table, self.said = step(self.table, Tick(self._t_us))

    @property
    def play(self) -> Any:
        return self.table.play

    @property
    def match(self) -> Any:
        return match_view(self.play)

    @property
    def refused(self) -> str:
        return next((note.reason for note in self.said if isinstance(note, notes.Refusal)), "")


# ---- a game, and the next one -----------------------------------------------------------------------------


def test_a_game_goes_on_from_moves_that_were_made_elsewhere() -> None:
    evening = Evening().order(NewGame(game="tides-of-war", plies=("c3-c4",)))
    assert (evening.play.session.plies, evening.play.session.given) == (("c3-c4",), 1)
    assert [note.plies for note in evening.said if isinstance(note, notes.GameStarted)] == [("c3-c4",)]
    assert evening.order(PlayPly(text="c6-b5", seat=1)).play.session.plies == ("c3-c4", "c6-b5")


def test_where_moves_lead_was_found_for_this_board_and_these_moves_alone() -> None:
    board, order, left = table_board(load("square144")), NewGame(game="tides-of-war", seed=1), Left(("c3-c4",), given=1)
    found = reach(board, order, left)
    assert found.is_of(board, order, left)
    assert not found.is_of(table_board(load("square144")), order, left)
    assert not found.is_of(board, order, Left())


@pytest.mark.parametrize(
    ("order", "why"),
    [
        (NewGame(game="tides-of-war", plies=("c3-c4", "c4-c5")), "move 2, 'c4-c5': the stone on c4 is White's"),
        (NewGame(game="tides-of-war", opponents=Opponents((0, 0, 3))), "there is no seat 3 in this game"),
        (NewGame(game="tides-of-war", opponents=Opponents((0, 3), characters=("", "nobody"))), "tides-of-war has no"),
        (OfferDraw(seat=2), "there is no seat 3 in this game"),
    ],
)
def test_what_the_game_has_not_is_refused_and_the_game_before_goes_on(order: AnyOrder, why: str) -> None:
    evening = Evening().order(NewGame(game="tides-of-war"), PlayPly(text="c3-c4"), order)
    assert evening.refused.startswith(why)
    assert evening.play.session.plies == ("c3-c4",)


def test_the_boards_seats_may_be_stronger_in_the_next_game() -> None:
    evening = Evening().order(NewGame(game="circle", options={"players": 4}, opponents=Opponents((0, 3, 0, 2))))
    assert evening.order(PlayAgain()).play.session.opponents.levels == (0, 3, 0, 2)
    assert evening.order(PlayAgain(level=5)).play.session.opponents.levels == (0, 5, 0, 5)


# ---- matches ----------------------------------------------------------------------------------------------


def test_best_of_three_is_decided_by_two_games_and_the_tally_moves_with_the_people() -> None:
    evening = Evening().order(NewGame(game="tides-of-war", match=Match(2)))
    assert (evening.match.game, evening.match.won, evening.match.winner) == (1, (0, 0), None)
    evening.order(Resign(seat=1))
    assert evening.match.won == (1, 0)
    evening.order(PlayAgain(seats="turn"))  # who had White has Black now
    assert (evening.match.game, evening.match.won) == (2, (0, 1))
    evening.order(Resign(seat=1), PlayAgain(seats="turn"))
    assert (evening.match.game, evening.match.won) == (3, (1, 1))
    evening.order(Resign(seat=0))
    assert (evening.match.won, evening.match.winner) == ((1, 2), 1)
    evening.order(PlayAgain(seats="turn"))
    assert (evening.match.game, evening.match.won, evening.match.winner) == (1, (0, 0), None)


def test_a_draw_counts_for_nobody_and_an_end_taken_back_does_not_count() -> None:
    evening = Evening().order(NewGame(game="tides-of-war", match=Match(2)), PlayPly(text="c3-c4"))
    evening.order(Resign(seat=1))
    assert evening.match.won == (1, 0)
    evening.order(TakeBack())
    assert evening.match.won == (0, 0)
    evening.order(OfferDraw(seat=0), OfferDraw(seat=1), PlayAgain(seats="turn"))
    assert (evening.match.game, evening.match.won) == (2, (0, 0))


def test_a_game_that_is_begun_anew_in_the_middle_counts_for_nobody() -> None:
    evening = Evening().order(NewGame(game="tides-of-war", match=Match(3)), Resign(seat=1), PlayAgain(seats="turn"))
    evening.order(PlayPly(text="c3-c4"), PlayAgain())
    assert (evening.match.game, evening.match.won) == (2, (0, 1))


ANN, BEN, CID = "a1", "b2", "c3"


@pytest.mark.parametrize(
    ("sit", "won", "game"),
    [
        ([("", ""), (ANN, BEN)], (1, 0), 2),  # both got up, and are back
        ([("", ""), (BEN, ANN)], (0, 1), 2),  # the other way round
        ([("", "")], (0, 0), 1),  # both have left
        ([("", BEN), (CID, BEN)], (0, 0), 1),
        ([(ANN, ""), (ANN, CID)], (0, 0), 1),
        ([(CID, BEN)], (0, 0), 1),
        ([], (1, 0), 2),
    ],
)
def test_the_score_of_a_match_follows_its_people_and_ends_when_one_leaves(
    sit: list[tuple[str, ...]], won: tuple[int, ...], game: int
) -> None:
    evening = Evening().order(NewGame(game="tides-of-war", match=Match(2)))
    evening.sit(ANN, BEN).order(Resign(seat=1))
    for people in sit:
        evening.sit(*people)
    assert evening.match.won == (1, 0)  # as it ended, until the next one
    evening.order(PlayAgain())
    assert (evening.match.game, evening.match.won) == (game, won)


def test_who_says_a_name_after_a_game_of_a_match_is_the_same_person() -> None:
    evening = Evening().order(NewGame(game="tides-of-war", match=Match(2)))
    evening.sit("_0", BEN).order(Resign(seat=1))
    evening.sit(ANN, BEN).sit(ANN, "").sit(ANN, BEN).order(PlayAgain(seats="turn"))
    assert (evening.match.game, evening.match.won) == (2, (0, 1))


def test_a_match_is_kept_with_its_game_and_old_journals_have_none() -> None:
    evening = Evening().order(NewGame(game="tides-of-war", match=Match(2)), Resign(seat=1), PlayAgain(seats="turn"))
    note = next(note for note in evening.said if isinstance(note, notes.GameStarted))
    header = Header(note.game, note.options, seed=note.seed, match=note.match)
    again, _ = resume(Table(evening.table.board), header.order, Left())
    assert again.play is not None
    assert match_view(again.play) == evening.match
    assert Header("tides-of-war").order.match is None


# ---- who gives up in a game of more than two ---------------------------------------------------------------


def test_who_resigns_in_a_game_of_four_is_out_alone() -> None:
    evening = Evening().order(NewGame(game="circle", options={"players": 4}), PlayPly(text="b1-c2"))
    assert evening.play.session.plies == ("b1-c2",), evening.refused
    evening.order(Resign(seat=2))
    assert evening.play.session.plies == ("b1-c2", "out 3")
    assert evening.table.phase == "play"
    assert {piece.seat for piece in evening.play.settled.position.shape.values()} == {0, 1, 3}
    evening.order(Resign(seat=2))
    assert evening.refused == "Blue is out already"
    evening.order(TakeBack())
    assert evening.play.session.plies == ("b1-c2",)
    evening.order(Resign(seat=0), Resign(seat=1), Resign(seat=2))
    assert evening.play.result.winner == 3
    assert ended(evening.play, evening.play.result) == "Orange wins: all others have given up."


def test_the_pieces_of_who_is_out_are_to_be_taken_off() -> None:
    evening = Evening().order(NewGame(game="circle", options={"players": 4}))
    before = evening.table.now
    evening.table, _ = step(evening.table, Command(9_000_000, Resign(seat=2)))
    assert evening.table.now == before
    assert evening.play.settled.pending_chores.bit_count() == 5
    assert evening.table.phase == "play"


def test_a_flag_that_falls_puts_out_that_player_alone() -> None:
    evening = Evening().order(NewGame(game="circle", options={"players": 4}, clock=ClockRule(minutes=1)))
    evening.order(PlayPly(text="b1-c2"))
    evening.think(61_000_000)
    assert evening.play.session.plies == ("b1-c2", "out 1")
    assert evening.play.clock.running == 1
    assert evening.play.left_us[-1][0] == 0


def test_who_gives_up_in_the_bids_gives_nothing_and_the_others_play_on() -> None:
    evening = Evening("shell19").order(NewGame(game="beacons", options={"players": 3}, seed=1))
    evening.order(PlayPly(text="bid 4 4 4"), Resign(seat=1), PlayPly(text="bid 0 0 12"))
    state = evening.play.session.state
    assert state.coffers == (5, 0, 17)
    assert state.order == (0, 2)
    evening.order(Resign(seat=0))
    assert (evening.play.result.winner, evening.play.result.why) == (2, "last")


def test_a_seat_is_put_out_by_nobodys_move() -> None:
    for players in (2, 4):
        evening = Evening().order(NewGame(game="circle", options={"players": players}), PlayPly(text="out 2"))
        assert evening.refused == "nobody is out by a move"


# ---- draws that are claimed --------------------------------------------------------------------------------


def test_a_draw_is_claimed_from_the_third_time_on_by_whoever_is_to_move() -> None:
    evening = Evening().order(NewGame(game="tam-ruat-chess"))
    evening.order(ClaimDraw(seat=0))
    assert evening.refused == "no draw can be claimed now"
    texts = knights(evening)
    evening.order(*(PlayPly(text=text) for text in texts * 2))
    assert claim(evening.play) == "This position has occurred three times: a draw can be claimed."
    evening.order(ClaimDraw(seat=1))
    assert evening.refused == "no draw can be claimed now"
    evening.order(ClaimDraw(seat=0))
    assert str(evening.table.phase) == "over"
    assert ended(evening.play, evening.play.result) == "Draw, claimed by White."
    evening.order(TakeBack())
    assert not evening.play.result.over


def knights(evening: Evening) -> tuple[str, ...]:
    """Return four plies after which the first position stands again."""
    game, state = evening.play.session.game, evening.play.session.state
    back: list[str] = []
    texts: list[str] = []
    for _ in range(2):
        text = next(
            text
            for text in (game.text(state, ply) for ply in game.plies(state))
            if game.shape(state)[text.split("-")[0]].kind == "k"
        )
        texts.append(text)
        back.append("-".join(reversed(text.split("-"))))
        state = game.play_text(state, text)
    return (*texts, *back)


# ---- several plies at once ---------------------------------------------------------------------------------


def test_an_array_is_placed_whole_or_not_at_all() -> None:
    evening = Evening("hex91").order(NewGame(game="cyvasse", options={"setup": "secret"}))
    state = evening.play.session.state
    for seat in (0, 1):
        array = evening.play.session.game.look(state, seat).arrange.arrays[0].at
        texts = tuple(f"{kind}@{cell}" for cell, kind in array.items())
        before = evening.play.session.plies
        evening.order(PlayPlies(texts=(*texts[:-1], "K@f6"), seat=seat))
        assert evening.refused
        assert evening.play.session.plies == before
        evening.order(PlayPlies(texts=(*texts, "end"), seat=1 - seat))
        assert evening.refused.startswith("it is ")
        evening.order(PlayPlies(texts=(*texts, "end"), seat=seat, phone="p"))
        assert not evening.refused
    assert len(evening.play.session.plies) == len(evening.play.standings) - 1 == 52
    assert not evening.play.session.secret


def test_only_secret_moves_are_made_several_at_once() -> None:
    evening = Evening().order(NewGame(game="tides-of-war"), PlayPlies(texts=("c3-c4", "c6-b5")))
    assert evening.refused == "only moves made in secret can be made all at once"


@pytest.mark.parametrize("seat", [0, 1])
def test_every_array_of_the_book_has_the_whole_hand_on_home_cells(seat: int) -> None:
    evening = Evening("hex91").order(NewGame(game="cyvasse", options={"setup": "secret"}))
    arrange = evening.play.session.game.look(evening.play.session.state, seat).arrange
    hand = sorted(kind for kind, count in arrange.pieces.items() for _ in range(count) if kind != "D")
    for array in arrange.arrays:
        assert sorted(array.at.values()) == hand
        assert {*array.at} <= {*arrange.cells}
