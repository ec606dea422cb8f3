"""When the board says what: to the millisecond, after the last touch of a gesture.

A hand that is too slow for the board is a fault, and so is a board that makes a move while the piece is on its way.
How long hands and contacts take is said beside each name of such a time, in `controller.table.gestures`.
"""

from __future__ import annotations

from typing import Any

import pytest

from controller.events import Tick
from controller.table.gestures.timing import Timing
from controller.table.state import Table
from controller.table.table import step
from tests.table.scenes import Scene, asked

BEACONS, CHESS, CIRCLE = "beacons", "tam-ruat-chess", "circle"
CYVASSE, GIANTS, TIDES = "cyvasse", "giantslayer", "tides-of-war"
MOST_MOMENTS = 200

TAKING = "d2-d4; e11-e9; d4-d5; e9-e8; d5-d6; e8-e7"  # d6xe7 is next
TWO = f"{TAKING}; a2-a3; c11-c9; a3-a4; c9-c8; a4-a5; c8-c7"  # or d6xc7
FLANKED = "e1-e3; f5-g4; d2-d4"
SLIDES = "l2-k3; a11-a10"
KING = "D-h6; f10-d11; h6xe9; c10-c11"  # e9xd10 is next, and wins


def said(scene: Scene, table: Table) -> dict[str, str]:
    """Return what is on record since the story began, asked, said, and offered by the board's menu."""
    play = table.play
    assert play is not None
    plies, before = play.session.plies, len(scene.after)
    back = [] if play.verdict.undo is None else [f"back to {play.verdict.undo}"]
    return {
        "made": "; ".join(plies[before:]) if plies[:before] == tuple(scene.after) else _instead(plies),
        "asks": " or ".join([*asked(table), *back]),
        "says": table.advice,
        "menu": " ".join(sorted(wish for _, wish in play.menu)),
    }


def _instead(plies: tuple[str, ...]) -> str:
    return f"instead {'; '.join(plies)}" if plies else "nothing"


def moments(scene: Scene, until_ms: int = 9000) -> list[str]:
    """Return what changes, as ``300 made c3-c4``, each with the milliseconds since the last touch."""
    table = scene.run(0)
    begun_us, was, found = table.t_us, dict.fromkeys(("made", "asks", "says", "menu"), ""), list[str]()
    for _ in range(MOST_MOMENTS):
        now = said(scene, table)
        found += [
            f"{(table.t_us - begun_us) / 1000:g} {word} {now[word]}".strip() for word in now if now[word] != was[word]
        ]
        was, wake_us = now, table.wake_us
        if wake_us is None or wake_us > begun_us + until_ms * 1000:
            return found
        table, _ = step(table, Tick(wake_us))
    pytest.fail(f"the board never comes to rest: {found}")


def on(game: str, script: str, after: str = "", **more: Any) -> Scene:
    return Scene(game, after=after, **more).hands(script)


def called(each: Any) -> str:
    """Return how a test of a scene is called."""
    if not isinstance(each, Scene):
        return ""
    return " ".join(f"{'+' if line['on'] else '-'}{line['site']}@{line['t_us'] // 1000}" for line in each.lines)


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        # A piece rests, since fingers may be on it yet.
        (on(TIDES, "-c3 +c4"), ["300 made c3-c4"]),
        (on(TIDES, "-c3 +c4", timing=Timing(settle_ms=800)), ["800 made c3-c4"]),
        (on(GIANTS, "-e4 -d4 +c4", "b4-d4"), ["300 made e4xc4"]),
        (on(GIANTS, "-e4 +c4 -d4", "b4-d4"), ["300 made e4xc4"]),
        (on(BEACONS, "-b3 +b4", options={"template": "trial"}),
         ["0 asks p b3 2 6", "8 asks", "300 made t b3 b4 1"]),  # until it was put down it may have been taken off
        # One that was pushed may be on its way.
        (on(TIDES, "-c3 +c4@119"), ["1200 made c3-c4"]),
        (on(TIDES, "-c3 +c4@121"), ["300 made c3-c4"]),
        (on(GIANTS, "-c3 +c4@60"), ["1200 made c3-c4"]),
        # So may one that slides, or that was set down on the stops of a longer way.
        (on(CHESS, "-l1 +l3", SLIDES), ["1200 made l1-l3"]),
        (on(TIDES, "-f1 +d3 -e2", "e1-f1; f3-e2"), ["300 made f1xd3"]),
        # Who could take more, and is slow, is given a little longer than from one touch to the next.
        (on(TIDES, "-e3 -d3 +c3", "c3-d3"), ["300 made e3xc3"]),
        (on(TIDES, "-e3 -d3@450 +c3@450", "c3-d3"), ["300 made e3xc3"]),
        (on(TIDES, "-e3 -d3@460 +c3@460", "c3-d3"), ["575 made e3xc3"]),
        (on(TIDES, "-e3 -d3@800 +c3@800", "c3-d3"), ["1000 made e3xc3"]),
        (on(TIDES, "-e3 -d3@3000 +c3@800", "c3-d3"), ["1500 made e3xc3"]),
        (on(CHESS, "-l1 +l3@2000", SLIDES), ["1500 made l1-l3"]),
        # What moves no piece rests in nobody's hand.
        (on(CIRCLE, "-c1 +c1@499"), []),
        (on(CIRCLE, "-c1 +c1@500"), ["38 made c1+"]),
        (on(CIRCLE, "-c1 +c1@300", timing=Timing(hold_ms=300)), ["38 made c1+"]),
        (on(CIRCLE, "-c1 +c1@3100"), ["38 made c1+"]),
        # What was set down elsewhere in between was not held; what came there before it was lifted is another piece.
        (on(CIRCLE, "+d2 -c1@60 -d2@600 +c1@60"), []),
        (on(CIRCLE, "+d2 -c1@61 -d2@600 +c1@60"), ["38 made c1+"]),
    ],
    ids=called,
)  # fmt: skip
def test_a_move_counts_once_the_hand_is_done(scene: Scene, told: list[str]) -> None:
    assert moments(scene) == told


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        # Where sensors tell sides, the taker is seen to stand where its victim stood.
        (on(CHESS, "-d6 -e7 +e7<d6", TAKING, poles=True), ["100 made d6xe7"]),
        (on(CHESS, "-d6 -e7 +e7<d6", TAKING, poles=True, timing=Timing(settle_ms=60)), ["60 made d6xe7"]),
        (on(CHESS, "-d6 -e7 +e7<d6", TAKING, poles=True, timing=Timing(settle_ms=20)), ["38 made d6xe7"]),
        # Where they do not, the victim may have been put straight: the more so if lifted last, for a moment.
        (on(CHESS, "-e7 -d6 +e7", TAKING), ["600 made d6xe7"]),
        (on(CHESS, "-d6 -e7 +e7", TAKING), ["1200 made d6xe7"]),
        (on(CHESS, "-d6 -e7 +e7@690", TAKING), ["1200 made d6xe7"]),
        (on(CHESS, "-d6 -e7 +e7@710", TAKING), ["887.5 made d6xe7"]),  # a slow hand has a little longer
        # For less than an exchange takes, it was only bumped: as if nothing had been seen of it.
        (on(CHESS, "-d6 -e7 +e7@219", TAKING), ["1500 asks d6xe7"]),
        (on(CHESS, "-d6 -e7 +e7@220", TAKING), ["1200 made d6xe7"]),
        # Nor has it been taken that was put straight before its taker was lifted, but for a slow sensor.
        (on(CHESS, "-e7 +e7 -d6@60", TAKING), ["1200 made d6xe7"]),
        (on(CHESS, "-e7 +e7 -d6@61", TAKING), ["3000 asks d6xe7"]),
        # A dragon that takes it from beside the board leaves no other trace.
        (on(CYVASSE, "-d6 +d6@219", "d5-d6"), []),
        (on(CYVASSE, "-d6 +d6@220", "d5-d6"), ["8 asks Dxd6"]),
        (on(CHESS, "-d6", TAKING), ["3000 asks d6xe7"]),
        # Of two that it could have taken the one that let go is likelier.
        (on(CHESS, "-d6", TWO), ["3000 asks d6xc7 or d6xe7"]),
        (on(CHESS, "-d6 -c7@400 +c7@100", TWO), ["1500 asks d6xc7"]),
        (on(CHESS, "-d6 -e7@400 +e7@100", TWO), ["1500 asks d6xe7"]),
        (on(CHESS, "-d6 +d6@2900", TAKING), []),
        (on(CHESS, "-d6 +d6@3100", TAKING), ["0 asks d6xe7", "8 asks"]),  # who puts it back says no
        # The answer makes it likelier, and the ply after that sure.
        (on(CYVASSE, "-d8 -i3@2000 +k5@700", "d5-d6"), [
            "0 says pieces are missing on d8, i3.", "8 asks d8xd6", "8 says",
            "300 says pieces are missing on d8, i3. There is a piece too many on k5."]),
        (on(CYVASSE, "-d8 -i3@2000 +k5@700 -b9@2500", "d5-d6"), ["150 made d8xd6; i3-k5"]),
        (on(CHESS, "-d6 -e7 +e7 -a11@100", TAKING), ["150 made d6xe7"]),
    ],
    ids=called,
)  # fmt: skip
def test_a_piece_that_takes_the_place_of_another_counts_when_it_can_be_no_other(scene: Scene, told: list[str]) -> None:
    assert moments(scene) == told


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        # A slow sensor lets go up to 60 ms after its neighbour has closed. Later it may have stuck: that is asked.
        (on(TIDES, "+c4 -c3@60"), ["1200 made c3-c4"]),
        (on(TIDES, "+c4 -c3@61"), ["300 asks c3-c4", "2400 made c3-c4", "2400 asks"]),
        (on(TIDES, "+c4 -c3@2500"), ["300 asks c3-c4", "2400 made c3-c4", "2400 asks"]),
        (on(TIDES, "+c4 -c3@2501"), ["300 says a piece is missing on c3. There is a piece too many on c4."]),
        # What only passes over the cell that was left is carried low, whatever a contact bounces; what rests there for
        # 200 ms may be the piece itself, which left later.
        (on(TIDES, "-c3 +c4 +c3@100 -c3@199"), ["1200 made c3-c4"]),
        (on(TIDES, "-c3 +c4 +c3@100 -c3@200"), ["300 asks c3-c4", "2400 made c3-c4", "2400 asks"]),
        (on(TIDES, "-c3 +c4 +c3@100 -c3@122 +c3@39 -c3@39"), ["300 asks c3-c4", "2400 made c3-c4", "2400 asks"]),
        (on(TIDES, "-c3 +c4 +c3@100 -c3@130 +c3@40 -c3@39"), ["1200 made c3-c4"]),
        # So may that of a piece which seemed to come from beside the board.
        (on(CYVASSE, "+d7 -c7@1200", "d5-d6"), [
            "0 made D-d7", "300 says it is White's turn: put Black's light horse back on c7.",
            "2400 made c7-d7", "2400 says"]),
        (on(CYVASSE, "+d7 -c7@2501", "d5-d6"), [
            "0 made D-d7", "300 says it is White's turn: put Black's light horse back on c7."]),
    ],
    ids=called,
)  # fmt: skip
def test_a_contact_that_opens_late_is_waited_for(scene: Scene, told: list[str]) -> None:
    assert moments(scene) == told


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        # The lift of an answer is sure when no hand could have put the piece back.
        (on(TIDES, "-c3 +c4 -c6@50"), ["150 made c3-c4"]),
        (on(TIDES, "-c3 +c4 -c6@50 +b5@100"), ["50 made c3-c4", "300 made c3-c4; c6-b5"]),
        # While both are up, either may have come down.
        (on(TIDES, "-c3 -d4@200 +c4@200"), ["1800 made c3-c4"]),
        (on(TIDES, "-c3 -d4@200 +c4@200 +d3@800"), ["300 made c3-c4; d4-d3"]),
        # Either of both may have moved there, the first one a second time: which one is put back tells.
        (on(TIDES, "-c3 +d3 -d5@900 -d3@100 +c4@200"), ["0 made c3-d3", "1800 made c3-d3; d5-c4"]),
        (on(TIDES, "-c3 +d3 -d5@900 -d3@100 +c4@200 +d3"), ["0 made c3-d3", "300 made c3-d3; d5-c4"]),
        (on(TIDES, "-c3 +d3 -d5@900 -d3@100 +c4@200 +d5"), ["0 made c3-d3", "300 made c3-c4"]),
        # Two hands at once end within three seconds; what takes longer is no answer.
        (on(TIDES, "-c3 -c6@10 +c4@400 +b5@10"), ["300 made c3-c4; c6-b5"]),
        (on(TIDES, "-c3 -c6@10 +b5@400 +c4@10"), ["300 made c3-c4; c6-b5"]),
        (on(TIDES, "-c3 -c6@10 +b5@400 +c4@2990"), [
            "0 says pieces are missing on c3, c6. There is a piece too many on b5.", "8 says",
            "300 made c3-c4; c6-b5"]),
        (on(TIDES, "-c3 -c6@10 +b5@400 +c4@3010"), [
            "0 says pieces are missing on c3, c6. There is a piece too many on b5.", "8 says",
            "300 says pieces are missing on c3, c6. There are pieces too many on b5, c4."]),
        # Where sensors tell that a piece of the other side lies there now, it has taken, whatever is up besides.
        (on(CHESS, "-d6 -a11@100 -e7@300 +e7<d6@600", TAKING, poles=True), [
            "0 says pieces are missing on a11, d6, e7.", "8 says", "100 made d6xe7"]),
        # A turn that could go on is over when the next player's piece has come down.
        (on(CIRCLE, "-c1 +d2 -g9@2000"), ["0 made c1-d2"]),
        (on(CIRCLE, "-c1 +d2 -g9@2000 +f8"), ["0 made c1-d2", "300 made c1-d2; end; g9-f8"]),
    ],
    ids=called,
)  # fmt: skip
def test_who_answers_at_once_says_that_the_move_was_made(scene: Scene, told: list[str]) -> None:
    assert moments(scene) == told


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        (on(TIDES, "-c4 +c3", "c3-c4"), ["300 made nothing"]),
        # Who has put it back may have the next one up at once, as soon as the first is not only carried over its cell.
        (on(TIDES, "-c4 +c3 -d2@201", "c3-c4"), ["150 made nothing"]),
        (on(TIDES, "-c4 +c3 -d2@250 +d3", "c3-c4"), ["0 made nothing", "300 made instead d2-d3"]),
        # Two may be up then, as for a capture, and no more.
        (on(TIDES, "-c4 +c3 -d2@250 -e3@50", "c3-c4"), ["150 made nothing", "300 says pieces are missing on d2, e3."]),
        (on(TIDES, "-c4 +c3 -d2@250 -e3@50 -b2@50", "c3-c4"), [
            "300 says pieces are missing on b2, c4, d2, e3. There is a piece too many on c3."]),
        # The piece that comes back must have left before, but for a slow sensor.
        (on(TIDES, "+c3 -c4@60", "c3-c4"), ["300 made nothing"]),
        (on(TIDES, "+c3 -c4@61", "c3-c4"), [
            "300 asks back to 0", "300 says c4 to c3 is not allowed. The stone on c4 is White's, and Black is to move. "
            "Put the piece back on c4."]),
        # Two moves that went back so stand as before: only that they were meant to is asked, and late.
        (on(TIDES, "+c6 -b5 +c3 -c4", "c3-c4; c6-b5"), [
            "300 says pieces are missing on b5, c4. There are pieces too many on c3, c6.",
            "1200 asks back to 0", "1200 says"]),
        # A piece from beside the board may be taken up to be put better: that takes a while longer.
        (on(CYVASSE, "+d7 -d7@2000", "d5-d6"), ["0 made D-d7", "900 made"]),
        (on(CYVASSE, "+d7 -d7@100", "d5-d6"), []),
        # A piece that goes on from where it stood has gone there, also with the answer in the air, until it may be the
        # next hand's.
        (on(TIDES, "-c3 +c4 -c4@900 -c6@50 +d3@200 +b5@310"), ["640 made c3-d3; c6-b5"]),
        (on(TIDES, "-c3 +c4 -c6@200 -c4@900 +d3@200 +b5@310"), ["690 made c3-d3; c6-b5"]),
        (on(TIDES, "-c3 +c4 -c4@900 -c6@200 +d3@200"), ["0 made c3-c4", "300 made", "1800 made c3-d3"]),
        (on(TIDES, "-c3 +c4 -c4@900 +c3 -c3@250 +d3"), ["0 made c3-c4", "300 made c3-d3"]),
        (on(TIDES, "-c3 +c4 -c4@900 +d3"), ["0 made c3-c4", "300 made c3-d3"]),
        # The answer that is lifted once it is down there says that it stays, however soon that is.
        (on(TIDES, "-c3 +c4 -c4@900 +d3@200 -c6@50"), ["0 made c3-c4", "150 made c3-d3"]),
        (on(TIDES, "-c3 +c4 -c4@900 +d3@200 -c6@200"), ["0 made c3-c4", "150 made c3-d3"]),
        (on(TIDES, "-c3 +c4 -c4@900 +d3@200 -c6@50 +b5"), ["0 made c3-d3", "300 made c3-d3; c6-b5"]),
        # Where the answer was up already when the piece that had rested is lifted again, its player may have played on.
        (on(TIDES, "-c3 +c4 -c6@200 -c4@1000 +d3@200"), [
            "0 made c3-c4", "300 says pieces are missing on c4, c6. There is a piece too many on d3."]),
        (on(TIDES, "-c3 +c4 -c6@200 -c4@999 +d3@200"), ["0 made c3-c4", "300 made", "1800 made c3-d3"]),
        (on(TIDES, "-c3 +c4 -c6@200 -c4@1000 +d3@200 +b5"), [
            "0 made c3-c4", "0 says pieces are missing on c4, c6. There is a piece too many on d3.", "8 says",
            "300 made c3-c4; c6-b5; c4-d3"]),
        (on(TIDES, "-c3 +c4 -c6@200 -c4@1000 +d3@200 +c6"), [
            "0 made c3-c4", "0 says pieces are missing on c4, c6. There is a piece too many on d3.", "8 says",
            "1250 made c3-d3"]),
        (on(GIANTS, "-f1 +e2@600 -e2@3990 +e1@150", f"{FLANKED}; e4-f3"), ["0 made f1-e2", "300 made f1-e1"]),
        (on(GIANTS, "-f1 +e2@600 -e2@4010 +e1@150", f"{FLANKED}; e4-f3"), ["0 made f1-e2", "300 asks f1-e1"]),
        # Where another piece seems to have come in instead, too.
        (on(CYVASSE, "-d5 +d6 +d5@3990"), ["0 made d5-d6", "300 made D-d6"]),
        (on(CYVASSE, "-d5 +d6 +d5@4010"), [
            "0 made d5-d6", "300 asks D-d6", "300 says there is a piece too many on d5."]),
        # Whoever plays on says nothing of what is asked; put back, the piece has stood where it was all along.
        (on(TIDES, "-c3 +c4 -c4@3990 +d3@10 -c6@2000 +b5 -d3@2000 +c4"), [
            "0 made c3-d3; c6-b5", "300 made c3-d3; c6-b5; d3-c4"]),
        (on(TIDES, "-c3 +c4 -c4@4010 +d3@10 -c6@2000 +b5"), [
            "0 made c3-c4", "0 asks c3-d3", "8 asks", "300 asks c3-d3",
            "300 says pieces are missing on c4, c6. There are pieces too many on b5, d3."]),
        (on(TIDES, "-c3 +c4 -c4@4010 +d3@10 -c6@2000 +b5 -d3@2000 +c4"), [
            "0 made c3-c4", "0 says pieces are missing on c4, c6. There is a piece too many on b5.", "8 says",
            "300 made c3-c4; c6-b5"]),
    ],
    ids=called,
)  # fmt: skip
def test_second_thoughts_are_followed_as_long_as_they_can_be_one_hands(scene: Scene, told: list[str]) -> None:
    assert moments(scene) == told


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        (on(TIDES, "-a2 -b1"), ["300 says pieces are missing on a2, b1.", "2000 menu draw help pause resign"]),
        (on(TIDES, "-a2 -b1", timing=Timing(menu_ms=900)),
         ["300 says pieces are missing on a2, b1.", "900 menu draw help pause resign"]),
        (on(TIDES, "-a2 -b1 -c1"), ["300 says pieces are missing on a2, b1, c1."]),
        (on(TIDES, "-a2 -f2"), ["300 says pieces are missing on a2, f2."]),  # of two colours
        (on(TIDES, "-a2 -b1 +a2@3000 +b1"), [
            "0 says this piece cannot move, because the only square open to it is its own town a1, which no stone "
            "enters. Put it back on b1.", "8 says"]),
    ],
    ids=called,
)  # fmt: skip
def test_the_menu_opens_for_two_pieces_of_one_player_that_are_kept_up(scene: Scene, told: list[str]) -> None:
    assert moments(scene) == told


CHECKED = "c4 to c3 is not allowed. The stone on c4 is White's, and Black is to move. Put the piece back on c4."


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        # Of two moves the last may be taken back, or both; while both are up it is not known yet.
        (on(TIDES, "-d3 +d4 -c4 +c3", "c3-c4; d4-d3"), ["0 made instead c3-c4", "300 made nothing"]),
        (on(TIDES, "-d3 -c4@60 +c3@300 +d4@60", "c3-c4; d4-d3"), [
            "300 asks c4-c3 or back to 0",
            "300 says pieces are missing on c4, d3. There are pieces too many on c3, d4."]),
        (on(TIDES, "-d3 +d4 -c4 +c3 -d2 +d3", "c3-c4; d4-d3"), ["0 made nothing", "300 made instead d2-d3"]),
        (on(TIDES, "-c4 +c3", "c3-c4; d4-d3"), ["300 made c4-c3"]),  # the first alone goes on as a move
        # Who plays on from what was asked has answered.
        (on(TIDES, "+c6 -b5 +c3 -c4 -d2@1500 +d3", "c3-c4; c6-b5"), [
            "0 says pieces are missing on b5, c4, d2. There are pieces too many on c3, c6.", "8 says",
            "300 made instead d2-d3"]),
        # Whose hand had not rested in between has shown no earlier position.
        (on(TIDES, "+c6 -b5 +c3 -c4 -d2@290 +d3", "c3-c4; c6-b5"), [
            "0 says pieces are missing on b5, c4, d2. There are pieces too many on c3, c6.", "8 says",
            "300 says pieces are missing on b5, c4, d2. There are pieces too many on c3, c6, d3."]),
        # So has who puts a piece on the cell that is lit for an answer.
        (on(TIDES, "+c3 -c4 +f6", "c3-c4"), [
            "0 asks back to 0", f"0 says {CHECKED}", "300 made nothing", "300 asks", "300 says"]),
        # In a turn of several actions the same unit may go on, or back.
        (on(CIRCLE, "-d3 +c2", "c2-d3"), ["300 made nothing"]),
        (on(CIRCLE, "-d3 +c2 -c1 +b1", "c2-d3"), ["0 made nothing", "300 made instead c1-b1"]),
        (on(CIRCLE, "-c1 +d2 -d2@200 +e3@200"), ["300 made c1-d2; d2-e3"]),
        (on(CIRCLE, "-c1 +d2 -d2@600 +e3@200"), ["0 made c1-d2", "300 made c1-d2; d2-e3"]),
        (on(CIRCLE, "-c1 +d2 -d2@4000 +c1"), ["0 made c1-d2", "300 made"]),
    ],
    ids=called,
)  # fmt: skip
def test_what_goes_back_is_followed_move_by_move(scene: Scene, told: list[str]) -> None:
    assert moments(scene) == told


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        # What lies beside the goal is the victim, or the attacker, which has taken nothing.
        (on(CYVASSE, "-h6 -f8 +h6@300 +g7@300", "i5-h6"), ["8 asks f8-g7 or f8xh6"]),
        (on(CYVASSE, "-f8 -h6 +g7@300 +h6", "i5-h6"), ["8 asks f8-g7 or f8xh6"]),
        (on(CYVASSE, "-f8 -h6 +h6 +g7@2000", "i5-h6"), ["0 made f8xh6", "300 asks f8-g7 or f8xh6"]),
        # So it is where that captures the king, and the answer counts though the game is over.
        (on(CYVASSE, "-d10 -e9 +d10 +e8@1500", KING), ["0 made e9xd10", "300 asks e9-e8 or e9xd10"]),
        (on(CYVASSE, "-d10 -e9 +d10 +e8@1500 +a6@2000", KING), [
            "0 made e9xd10", "0 asks e9-e8 or e9xd10", "300 made e9-e8", "300 asks"]),
        (on(CYVASSE, "-d10 -e9 +d10 +e8@1500 +a7@2000", KING), [
            "0 made e9xd10", "0 asks e9-e8 or e9xd10", "300 asks"]),
        # With its attacker up a piece is put straight, and seems taken; then the attacker comes down elsewhere.
        (on(CYVASSE, "-d8 -d6 +d6 +d7@4000", "d5-d6"), ["0 made d8xd6", "300 asks d8-d7 or d8xd6"]),
        # The taker is up for so long that it may have taken unseen, and the answer comes to where it could have gone.
        (on(CHESS, "-l1 -j11@2900 +l9@100", SLIDES), ["8 asks l1-l9 or l1xl11"]),
        (on(CHESS, "-l1 -j11@2899 +l9@100", SLIDES), ["1800 made l1-l9"]),
        # The answer comes to where the taker stood, and nobody saw what that one took.
        (on(CYVASSE, "-h6 -f8 +h6", "i5-h6; c7-f6"), [
            "0 says pieces are missing on f8, h6.", "8 says",
            "300 says it is White's turn: put Black's crossbow back on f8.", "3000 asks h6xf6"]),
        # What comes in where the taker stood may be that one, put back.
        (on(CYVASSE, "+h6", "i5-h6; c7-f6; h6xf6"), ["300 asks D-h6 or back to 2"]),
        # White's piece moves on while Black takes another: White has thought better of it, or answered already.
        (on(CHESS, "-c1 +b4 -b4@900 -e7@100 -d6@200 +c3@50 +d6@250", TAKING), [
            "0 made c1-b4", "8 asks e7xd6", "300 asks e7xd6 or c1-c3"]),
        # Two ways round take the same three stones.
        (on(TIDES, "-f1 -e2 -e3 -f2 +f1", "e1-f1; f3-e2"), ["8 asks f1xd3xf3xf1 or f1xf3xd3xf1"]),
        # A chain goes on though it counted already, until it may be another hand that moves the piece.
        (on(TIDES, "-e3 +c3 -d3 -c3@1000 +a1 -b2", "c3-d3"), ["0 made e3xc3", "300 made e3xc3xa1"]),
        (on(TIDES, "-e3 +c3 -c3@2000 +a1 -d3 -b2", "c3-d3"), ["300 made e3xc3xa1"]),
        (on(TIDES, "-e3 +a1 -d3 -b2", "c3-d3"), ["300 made e3xc3xa1"]),
        # What the last units of a store have become no sensor tells.
        (on(BEACONS, "-a3", options={"template": "trial"}), ["0 asks p a3 2 6"]),
        (on(BEACONS, "+a3 -b3", options={"template": "trial"}), ["0 asks p b3 2 6"]),
        # A dragon that comes in where the attacker stood may be the attacker.
        (on(CYVASSE, "-h6 -f6 +f6@600 -f6@4000 +h6@60 +f6@120", "i5-h6; c7-f6"), [
            "0 made h6xf6", "300 asks D-h6 or back to 2"]),
    ],
    ids=called,
)  # fmt: skip
def test_what_can_be_more_than_one_thing_is_asked(scene: Scene, told: list[str]) -> None:
    assert moments(scene) == told


def test_a_piece_that_was_lifted_before_a_phone_made_a_move_was_not_held() -> None:
    scene = on(CIRCLE, "-c1").order(do="ply", text="b2+").hands("+c1@600")
    assert moments(scene) == ["0 made b2+"]


def test_the_board_may_move_its_piece_back_to_where_it_came_from() -> None:
    after = "l2-k3; a11-a10; k3-l2"
    scene = on(CHESS, "", after, opponents={"levels": [0, 3]}).order(do="board_plays", text="a10-a11", made=3)
    assert moments(scene.hands("-a10 +a11")) == ["300 made a10-a11"]


@pytest.mark.parametrize(
    ("scene", "weak"),
    [("-a2 +a2@60 " * 5, 0), ("-a2 +a2@60 " * 6, 1), ("-a2 +a2@149 " * 6, 1), ("-a2 +a2@150 " * 6, 0)],
)
def test_a_contact_that_lets_go_six_times_as_no_hand_does_is_not_believed(scene: str, weak: int) -> None:
    assert on(TIDES, scene).run(100).weak.bit_count() == weak


def test_a_contact_is_believed_again_when_it_has_kept_still_for_twenty_seconds() -> None:
    scene = on(TIDES, "-a2 +a2@60 " * 6)
    first_us = 1_460_000  # when it closed for the first time
    begun_us = scene.run(0).t_us
    kept_ms = (first_us + 20_000_000 - begun_us) // 1000
    assert [bool(scene.run(ms).weak) for ms in (kept_ms, kept_ms + 1)] == [True, False]
