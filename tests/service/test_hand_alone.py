"""The hand that finishes moves on a simulated board, at a table that it feels itself: no service, no thread."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from controller.devices.sensors.virtual_hand import VirtualHand
from controller.events import Command, Tick, Touch
from controller.game_setup import Opponents
from controller.orders import BoardPlays, NewGame, PlayPly, TakeBack
from controller.panel.hand.finishing_hand import ALIKE_S, PATIENCE_S, PAUSE_S, SEVERAL_S, FinishingHand
from controller.panel.hand.gestures import HELD_S
from controller.panel.pieces_needed import expected
from controller.refused import Refused
from controller.service.showing.broadcast import ShownTable
from controller.table.board import Board
from controller.table.notes import Refusal
from controller.table.state import Table
from controller.table.table import step
from tests.table.scenes import Scene

STEP_US = 10_000


def order(text: str, seat: int | None = None) -> PlayPly:
    return PlayPly(text=text, seat=seat)


class Alone:
    """A board whose sensors and time are moved here; ``finisher`` has its pieces."""

    def __init__(self, game: str = "tides-of-war", **options: Any) -> None:
        self.options = options
        self.table = Table(bare_board(game, options))
        self.version, self.pokes = 1, 0
        self.hand = VirtualHand(self)
        service: Any = SimpleNamespace(look=self.look, submit=self.submit, poke=self._poke)
        self.finisher = FinishingHand(lambda: self.hand, service, rest=self.rest, clock=lambda: self.table.t_us / 1e6)
        self.submit(NewGame(game=game, options=options, seed=1))
        self.settle()

    def look(self) -> ShownTable:
        return ShownTable(self.version, self.table)

    def _poke(self) -> None:
        self.pokes += 1

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        """A magnet comes or goes."""
        if site not in self.table.board.sites:
            raise KeyError(site)
        self._happens(Touch(self.table.t_us, site, on, 0))

    def submit(self, order: Any) -> str:
        for note in self._happens(Command(self.table.t_us, order)):
            if isinstance(note, Refusal):
                raise Refused(note.reason)
        return ""

    def _happens(self, event: Any) -> Any:
        self.table, said = step(self.table, event)
        self.version += 1
        return said

    def rest(self, seconds: float) -> None:
        until_us = self.table.t_us + round(seconds * 1e6)
        while self.table.t_us < until_us:
            self._happens(Tick(min(until_us, self.table.t_us + STEP_US)))

    def settle(self, seconds: float = 1.5) -> None:
        """Let time pass, with the hand at work."""
        for _ in range(round(seconds / 0.05)):
            self.rest(0.05)
            self.finisher.follow(self.look())

    @property
    def plies(self) -> list[str]:
        assert self.table.play is not None
        return list(self.table.play.session.plies)

    @property
    def held(self) -> str:
        held = self.hand.pieces()["held"]
        return held[-1]["id"] if held else ""

    def tap(self, site: str, ply: str = "", **more: Any) -> dict[str, Any]:
        found = self.finisher.tap(site, self.held, ply, order, **more)
        self.settle(0.1)  # a finger takes a moment
        return found

    def right(self) -> bool:
        pieces = self.hand.pieces()
        standing = {site: (token["seat"], token["kind"]) for site, token in pieces["on"].items()}
        return not pieces["held"] and standing == {s: (p.seat, p.kind) for s, p in expected(self.table).items()}


def bare_board(game: str, options: dict[str, Any]) -> Board:
    return Scene(game, options).run().board


def refusal(alone: Alone, site: str, **more: Any) -> str:
    with pytest.raises(Refused) as refused:
        alone.tap(site, **more)
    return str(refused.value)


# ---- moves ------------------------------------------------------------------------------------------------


def test_a_piece_is_tapped_and_then_where_it_goes() -> None:
    alone = Alone()
    assert alone.table.phase == "play"
    assert alone.right()
    assert alone.tap("c3")["from"] == "c3"
    assert alone.held
    assert alone.tap("c4") == {}
    assert alone.plies == ["c3-c4"]
    assert alone.right()


def test_what_is_taken_lies_beside_the_board_until_it_is_taken_back() -> None:
    alone = Alone()
    for site in ("c3", "d3", "e3", "c3"):
        alone.tap(site)
    alone.settle()
    assert alone.plies == ["c3-d3", "e3xc3"]
    assert alone.right()
    assert [token["seat"] for token in alone.hand.pieces()["off"]] == [0]
    alone.submit(TakeBack(to=1))
    alone.settle()
    assert alone.right()
    assert alone.hand.pieces()["off"] == []


def test_a_tap_on_the_piece_that_is_jumped_is_the_jump_over_it_alone() -> None:
    alone = Alone()
    for site in ("c3", "d3", "e3", "d3"):
        alone.tap(site)
    assert alone.plies == ["c3-d3", "e3xc3"]  # e3xc3xa1 takes it too
    alone.settle()
    assert alone.right()


def test_a_chain_goes_on_where_it_is_tapped_on() -> None:
    alone = Alone()
    for site in ("c3", "d3", "e3", "c3"):
        alone.tap(site)
    alone.settle()
    alone.tap("a1")
    assert alone.plies == ["c3-d3", "e3xc3xa1"]
    alone.settle()
    assert alone.right()


# ---- what is no move --------------------------------------------------------------------------------------


def test_what_is_no_move_is_refused_by_its_rule_and_the_piece_stays_in_the_hand() -> None:
    alone = Alone()
    alone.tap("c3")
    assert refusal(alone, "c5") == "c3 to c5 is not allowed. c3 and c5 are not neighbours: a stone steps one square."
    assert alone.held
    assert refusal(alone, "f6").startswith("c3 to f6 is not allowed")
    assert alone.plies == []


def test_another_own_piece_is_another_choice_and_the_first_one_goes_home() -> None:
    alone = Alone()
    alone.tap("c3")
    alone.tap("b4")
    held = alone.hand.pieces()["held"]
    assert [token["from"] for token in held] == ["b4"]
    assert "c3" in alone.hand.pieces()["on"]
    alone.settle()
    assert alone.plies == []


def test_where_nothing_begins_it_is_said_why() -> None:
    alone = Alone()
    town = "the only square open to it is its own town a1, which no stone enters"
    assert refusal(alone, "a2") == f"The stone on a2 cannot move, because {town}."
    assert refusal(alone, "c4") == "c4 is empty: tap a piece to see where it may go."
    assert refusal(alone, "c6") == "White to move."


def test_a_piece_that_is_tapped_again_goes_home() -> None:
    alone = Alone()
    alone.tap("c3")
    alone.settle(0.5)
    assert alone.tap("c3") == {}
    assert not alone.held
    alone.settle()
    assert (alone.plies, alone.right()) == ([], True)


def test_a_unit_that_was_held_for_long_goes_home_without_changing_its_class() -> None:
    alone = Alone("circle")
    for seconds in (HELD_S / 2, 1.5):
        alone.tap("c1")
        alone.rest(seconds)
        alone.finisher.put_back(alone.held)
        alone.settle()
        assert (alone.plies, alone.right()) == ([], True)


def test_pieces_of_others_are_only_looked_at() -> None:
    alone = Alone()
    shown = alone.tap("c6", acts=frozenset({0}))["look"]
    assert shown["site"] == "c6"
    assert set(shown["sites"]) == {"b5"}
    assert not alone.held
    assert refusal(alone, "c4", acts=frozenset({1})) == "White to move."


def test_a_cell_that_the_game_does_not_use_takes_no_piece() -> None:
    scene = Scene("tides-of-war").run()
    wide = Board("wide", (*scene.board.sites, "z9"), scene.board.placements)
    alone = Alone()
    alone.table = Table(wide)
    alone.hand = VirtualHand(alone)
    alone.submit(NewGame(game="tides-of-war", seed=1))
    alone.settle()
    assert refusal(alone, "z9") == "This game does not use this cell."
    alone.tap("c3")
    assert refusal(alone, "z9") == "This game does not use this cell: put the piece on a cell of the game."
    alone.tap("c3")
    alone.finisher.finishes = False
    alone.hand.place(alone.hand.lift("c3")["id"], "z9")
    alone.rest(2)
    alone.finisher.put_right()
    alone.rest(2)
    assert alone.right()
    assert "z9" not in alone.hand.pieces()["on"]


# ---- putting right ----------------------------------------------------------------------------------------


def test_pieces_that_lie_wrong_are_put_right_when_somebody_asks() -> None:
    alone = Alone()
    alone.finisher.finishes = False
    alone.hand.place(alone.hand.lift("c3")["id"], "f6")
    alone.rest(2)
    assert alone.table.phase == "fix"
    alone.finisher.put_right()
    alone.settle()
    assert alone.right()
    assert alone.plies == []


def test_a_capture_that_was_begun_is_finished() -> None:
    alone = Alone()
    alone.tap("c3")
    alone.tap("d3")
    alone.finisher.finishes = False
    alone.hand.place(alone.hand.lift("e3")["id"], "c3")
    alone.rest(0.3)
    assert alone.finisher.unfinished
    alone.finisher.put_right()
    alone.rest(2)
    assert alone.plies == ["c3-d3", "e3xc3"]
    assert not alone.finisher.unfinished
    assert alone.right()


def test_whoever_feels_every_touch_is_left_alone_until_the_hand_finishes_again() -> None:
    alone = Alone()
    alone.finisher.finish(False)
    alone.hand.lift("c3")
    alone.submit(order("d2-e2"))
    alone.settle()
    assert alone.hand.pieces()["held"]
    assert not alone.right()
    alone.finisher.finish(True)
    alone.settle()
    assert alone.right()


def test_in_a_new_game_all_pieces_are_its_own() -> None:
    alone = Alone()
    for site in ("c3", "d3", "e3", "c3"):
        alone.tap(site)
    assert alone.hand.pieces()["off"]
    alone.submit(NewGame(game="tides-of-war", seed=2))
    alone.settle()
    assert alone.right()
    assert alone.hand.pieces()["off"] == []
    assert alone.table.phase == "play"


def test_a_piece_in_the_hand_is_put_where_the_next_game_wants_it() -> None:
    alone = Alone()
    alone.tap("c3")
    assert alone.hand.pieces()["held"]
    alone.submit(NewGame(game="tides-of-war", seed=2))
    alone.settle()
    assert alone.hand.pieces()["held"] == []
    assert alone.right()
    assert alone.table.phase == "play"


# ---- the board's own moves --------------------------------------------------------------------------------


def decided() -> Alone:
    alone = Alone()
    alone.submit(NewGame(game="tides-of-war", seed=1, opponents=Opponents(levels=(1, 0))))
    alone.settle()
    assert alone.finisher.pause_s() is None
    alone.submit(BoardPlays(text="c3-c4", made=0))
    return alone


def test_the_boards_move_is_seen_for_a_while_before_its_piece_moves() -> None:
    alone = decided()
    assert alone.finisher.pause_s() == pytest.approx(PAUSE_S)
    alone.rest(PAUSE_S / 2)
    assert alone.finisher.pause_s() == pytest.approx(PAUSE_S / 2)
    alone.finisher.play_for_board()
    assert alone.plies == []
    alone.rest(PAUSE_S)
    assert alone.finisher.pause_s() == 0.0
    alone.finisher.play_for_board()
    assert alone.plies == ["c3-c4"]
    alone.settle()
    assert alone.right()
    assert alone.finisher.pause_s() is None


def test_a_piece_that_was_in_the_hand_as_the_turn_ended_goes_back() -> None:
    alone = Alone("circle")
    alone.tap("c1")
    alone.tap("d2")
    alone.tap("d1")
    assert alone.held
    alone.submit(order("end"))
    alone.settle(0.2)
    assert alone.plies == ["c1-d2", "end"]
    assert alone.right()


def test_what_the_next_player_has_lifted_already_stays_in_the_hand() -> None:
    alone = Alone()
    alone.finisher.lift("d4")
    alone.submit(order("c3-c4"))
    alone.settle(0.2)
    assert alone.held


def test_the_board_waits_for_a_piece_in_the_hand_but_not_for_ever() -> None:
    alone = decided()
    alone.rest(2 * PAUSE_S)
    alone.finisher.pause_s()
    alone.finisher.lift("d4")  # no part of the board's move
    for _ in range(round(0.8 * PATIENCE_S)):
        alone.rest(1)
        alone.finisher.play_for_board()
    assert alone.plies == []
    for _ in range(4):
        alone.rest(1)
        alone.finisher.play_for_board()
    alone.settle()
    assert alone.plies == ["c3-c4"]
    assert alone.right()


def test_what_the_board_goes_on_with_and_several_seats_of_the_board_keep_people_waiting_for_less() -> None:
    alone = Alone("beacons", players=3, start="a3:1x9 c3:2x6 e3:3x6 a3=000000 a4=000000 b3=000000")

    def waits_s(*texts: str, levels: tuple[int, ...] = (1, 1, 0)) -> float | None:
        plies = texts[:-1]
        alone.submit(NewGame(game="beacons", options=alone.options, plies=plies, opponents=Opponents(levels=levels)))
        alone.settle()
        alone.submit(BoardPlays(text=texts[-1], made=len(plies)))
        return alone.finisher.pause_s()

    assert waits_s("t a3 a4 1", levels=(1, 0, 0)) == pytest.approx(PAUSE_S)
    assert waits_s("t a3 a4 1") == pytest.approx(SEVERAL_S)
    assert waits_s("t a3 a4 1", "t a3 b3 1") == pytest.approx(ALIKE_S)
    assert waits_s("t a3 a4 4", "b a3.a4") == pytest.approx(SEVERAL_S)
    assert ALIKE_S < SEVERAL_S < PAUSE_S


def test_the_board_leaves_its_move_to_people_who_have_begun_it_or_move_every_piece() -> None:
    alone = decided()
    alone.rest(2 * PAUSE_S)
    alone.finisher.pause_s()
    alone.tap("c3")
    alone.rest(2 * PAUSE_S)
    alone.finisher.play_for_board()
    assert alone.plies == []
    felt = decided()
    felt.finisher.finish(False)
    assert felt.finisher.pause_s() is None
