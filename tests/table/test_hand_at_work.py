"""What a hand at work sees and reads: the lights of each moment, and the one sentence that says what to do next."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import pytest

from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from tests.table.scenes import Scene

BEACONS, CHESS, CIRCLE, GIANTS, TIDES = "beacons", "tam-ruat-chess", "circle", "giantslayer", "tides-of-war"

TAKING = "d2-d4; e11-e9; d4-d5; e9-e8; d5-d6; e8-e7"  # d6xe7 is next
FLANKED = "e1-e3; f5-g4; d2-d4"  # d6-c7 slays the giant on e4


class Moment(NamedTuple):
    """Hands as they are at a moment of a scene."""

    scene: Scene
    script: str
    by_taps: bool
    until_ms: int

    def seen(self) -> tuple[str, str]:
        """Return what the page says that the board waits for, and what is lit, each meaning with its sites."""
        table = msgspec.structs.replace(self.scene.run(self.until_ms), by_taps=self.by_taps)
        lit: dict[str, list[str]] = {}
        for site, meaning in meanings(table).items():
            lit.setdefault(meaning, []).append(site)
        lights = "; ".join(" ".join([meaning, *sorted(sites)]) for meaning, sites in sorted(lit.items()))
        return picture(table, CALM, 1).waits, lights


def at(
    game: str,
    script: str,
    after: str = "",
    options: dict[str, Any] | None = None,
    orders: tuple[dict[str, Any], ...] = (),
    levels: tuple[int, ...] = (),
    poles: bool = False,
    by_taps: bool = False,
    until_ms: int = 1500,
) -> Moment:
    scene = Scene(game, options, after=after, poles=poles, opponents={"levels": levels} if levels else None)
    for order in orders:
        scene.order(**order)
    return Moment(scene.hands(script), f"{game} {script}", by_taps, until_ms)


def called(each: Any) -> str:
    return each.script if isinstance(each, Moment) else ""


@pytest.mark.parametrize(
    ("moment", "waits", "lights"),
    [
        (at(TIDES, ""), "Lift a piece to see where it may go.", ""),
        (at(TIDES, "-c3"), "Put White's stone where it may go, or back on c3.", "may_go c4 d3"),
        (at(CIRCLE, "-c1"), "Put White's class 1 (drop) where it may go, or back on c1.", "may_go b1 d2"),
        (at(TIDES, "-e3 -d3", "c3-d3"),
         "In the hand: White's stone on d3, Black's stone on e3. Put the piece that moves on its cell, or all "
         "of them back.",
         "last d3; may_go a1 c3; may_take b2"),
        (at(TIDES, "", by_taps=True), "Tap a piece to see where it may go.", ""),
        (at(TIDES, "-c3", by_taps=True), "Tap the cell where it goes.", "may_go c4 d3"),
        (at(CIRCLE, "-c1", by_taps=True),
         "Tap the cell where it goes, or c1 again: c1 becomes class 2 (leaf).",
         "may_go b1 d2"),
        (at(TIDES, "-e3", "c3-d3"),
         "Put Black's stone where it may go, or back on e3.",
         "may_go a1 c3 e2; may_take b2 d3"),
        (at(TIDES, "-d3", "c3-d3"),
         "In the hand: White's stone on d3. Make the move that takes it, or put it back.",
         "last c3 d3; may_move e3"),
        (at(TIDES, "-e3 +c3", "c3-d3"),
         "The move counts once this is off the board: White's stone on d3.",
         "last c3; may_go a1; may_take b2 d3"),
        (at(CHESS, "-d6", TAKING),
         "Put White's Warrior where it may go, or back on d6.",
         "last e8; may_go d7; may_take e7"),
        (at(BEACONS, "-a3", options={"template": "duel"}),
         "Was this move made? Answer here or put a piece on the lit cell; if not, put the pieces back.",
         "choice a5; cost_1 a4 b2 b3; may_go a3.b2 a3.b2.b3"),
        (at(TIDES, "-c3 +c4", until_ms=100), "Wait a moment and the move counts, or go on with it.", ""),
        (at(TIDES, "-c3 +c4 -d4", until_ms=100),
         "Put Black's stone where it may go, or back on d4.",
         "last c4; may_go c3 d3"),
        (at(CHESS, "-d6 -e7 +e7", TAKING, until_ms=100),
         "Wait a moment and the move counts, or go on with it.",
         "last e7 e8"),
        (at(TIDES, "-a2 -b1", until_ms=2500),
         "Put a piece on: a1 to pause or resume, a6 to offer or accept a draw, b5 to resign, c4 for help. Or "
         "put both pieces back.",
         "choice a1 a6 b5 c4; missing a2 b1"),
    ],
    ids=called,
)  # fmt: skip
def test_who_moves_sees_where_the_piece_may_go_and_reads_what_to_do_next(
    moment: Moment, waits: str, lights: str
) -> None:
    assert moment.seen() == (waits, lights)


@pytest.mark.parametrize(
    ("moment", "waits", "lights"),
    [
        (at(TIDES, "", "c3-c4", orders=({"do": "board_plays", "text": "c6-b5", "made": 1},), levels=(0, 3)),
         "The board's move: c6 to b5. Lift the glowing piece.",
         "choice c6; last c3 c4; may_go b5"),
        (at(TIDES, "-c6", "c3-c4", orders=({"do": "board_plays", "text": "c6-b5", "made": 1},), levels=(0, 3)),
         "The board's move: c6 to b5. Put its piece on b5.",
         "last c3 c4; may_go b5"),
        (at(TIDES, "", "c3-c4",
            orders=({"do": "board_plays", "text": "c6-b5", "made": 1},), levels=(0, 3), by_taps=True),
         "The board's move: c6 to b5.",
         "choice c6; last c3 c4; may_go b5"),
        (at(TIDES, "-c6", "c3-c4",
            orders=({"do": "board_plays", "text": "c6-b5", "made": 1},), levels=(0, 3), by_taps=True),
         "The board's move: c6 to b5. It is made once you tap c6 to put back what is in the hand.",
         "last c3 c4; may_go b5"),
        (at(TIDES, "", "c3-c4", levels=(0, 3)), "The board is thinking about its move.", "last c3 c4"),
        (at(TIDES, "-f2", "c3-c4", orders=({"do": "board_plays", "text": "c6-b5", "made": 1},), levels=(0, 3)),
         "Put the piece from f2 back. The board's move: c6 to b5.",
         "blocked f2"),
        (at(TIDES, "-c5", "c3-c4", orders=({"do": "board_plays", "text": "c5xc3xa1", "made": 1},), levels=(0, 3)),
         "The board's move: c5 to c3, then to a1, takes c4 and b2. Put its piece on a1.",
         "last c3 c4; may_go a1"),
        (at(TIDES, "-c5 +a1", "c3-c4", orders=({"do": "board_plays", "text": "c5xc3xa1", "made": 1},), levels=(0, 3)),
         "The board's move: c5 to c3, then to a1, takes c4 and b2. Take the piece off b2, c4.",
         "last c3; may_take b2 c4"),
        (at(TIDES, "-c5 +a1 -b2", "c3-c4",
            orders=({"do": "board_plays", "text": "c5xc3xa1", "made": 1},), levels=(0, 3)),
         "The board's move: c5 to c3, then to a1, takes c4 and b2. Take the piece off c4.",
         "last c3; may_take c4"),
        (at(CHESS, "", TAKING, orders=({"do": "board_plays", "text": "d6xe7", "made": 6},), levels=(3, 0)),
         "The board's move: d6 captures e7. Lift the glowing piece.",
         "choice d6; last e8; may_take e7"),
        (at(CHESS, "-d6", TAKING, orders=({"do": "board_plays", "text": "d6xe7", "made": 6},), levels=(3, 0)),
         "The board's move: d6 captures e7. Put its piece on e7 in place of the one there.",
         "last e8; may_take e7"),
        (at(CIRCLE, "-g9", "a3+; end", levels=(0, 3)),
         "The board is thinking: put the pieces back as they were.",
         "blocked g9"),
    ],
    ids=called,
)  # fmt: skip
def test_a_hand_is_led_through_the_boards_move(moment: Moment, waits: str, lights: str) -> None:
    assert moment.seen() == (waits, lights)


@pytest.mark.parametrize(
    ("moment", "waits", "lights"),
    [
        (at(TIDES, "-c6"), "It is White's turn: put Black's stone back on c6.", "blocked c6"),
        (at(TIDES, "-b2"),
         "This piece cannot move, because the only square open to it is its own town a1, which no stone "
         "enters. Put it back on b2.",
         "blocked b2"),
        (at(TIDES, "-c3 +e2"),
         "c3 to e2 is not allowed. c3 and e2 are not neighbours: a stone steps one square. Put the piece back "
         "on c3.",
         "missing c3; too_much e2"),
        (at(TIDES, "-c3 -d2 +e2 +f1"),
         "Pieces are missing on c3, d2. There are pieces too many on e2, f1.",
         "missing c3 d2; too_much e2 f1"),
        (at(TIDES, "-a2 -f2", until_ms=2500), "Pieces are missing on a2, f2.", "missing a2 f2"),
        (at(CHESS, "-d6 +d6<1", TAKING, poles=True),
         "The piece on d6 is of another side, or its magnet is upside down: White's Warrior belongs there.",
         "too_much d6"),
        (at(TIDES, "-c3 +c4", orders=({"do": "pause", "on": True},)),
         "The game is paused. To go on: Take the piece off c4. Put White's stone on c3.",
         "missing c3; too_much c4"),
    ],
    ids=called,
)  # fmt: skip
def test_what_lies_wrong_is_shown_where_it_is_and_told_by_its_rule(moment: Moment, waits: str, lights: str) -> None:
    assert moment.seen() == (waits, lights)


@pytest.mark.parametrize(
    ("moment", "waits", "lights"),
    [
        (at(GIANTS, "-d6 +c7", FLANKED),
         "The giant on e4 is flanked and slain: take it off.",
         "chore_off e4; last c7 d6"),
        (at(GIANTS, "-d6 +c7 -e4", FLANKED), "Lift a piece to see where it may go.", "last c7 d6 e4"),
        (at(TIDES, "", orders=({"do": "ply", "text": "c3-c4"},)),
         "Move White's stone from c3 to c4.",
         "chore_off c3; chore_on c4"),
        (at(TIDES, "", orders=({"do": "ply", "text": "c3-c4"}, {"do": "ply", "text": "c5xc3"},)),
         "Take Black's stone off c5.",
         "chore_off c5; last c3 c4"),
        (at(TIDES, "", orders=({"do": "ply", "text": "c3-c4"}, {"do": "take_back", "to": 0},)),
         "Lift a piece to see where it may go.",
         ""),
        (at(TIDES, "", orders=({"do": "offer_draw", "seat": 0},)),
         "White offers a draw: Black may accept or decline it.",
         ""),
        (at(TIDES, "", orders=({"do": "resign", "seat": 0},)),
         "For another game, choose Play again or New game, or set up the start position.",
         "won b6 c5 c6 d4 d5 d6 e3 e4 e5 e6 f2 f3 f4 f5"),
        (at(TIDES, "", orders=({"do": "resign", "seat": 0},), by_taps=True),
         "For another game, choose Play again or New game.",
         "won b6 c5 c6 d4 d5 d6 e3 e4 e5 e6 f2 f3 f4 f5"),
    ],
    ids=called,
)  # fmt: skip
def test_what_a_move_leaves_to_do_is_lit_and_named(moment: Moment, waits: str, lights: str) -> None:
    assert moment.seen() == (waits, lights)
