"""Fifteen stories that boards are compared by, I to O, in each of the six games, and what only some games have.

A to H are in `test_fifteen_stories`. Where a game has no such ply, a comment says what stands for it.
"""

from __future__ import annotations

import pytest

from tests.table.scenes import Scene, Story, answers, asked, names, nothing_made, plies_in, rests_at, told
from tests.table.test_fifteen_stories import (
    BEACONS,
    BEATEN,
    CHEAP,
    CHESS,
    CIRCLE,
    CYVASSE,
    GIANTS,
    HELD,
    JUMP,
    LATER,
    SHOT,
    TAKING,
    TIDES,
    TRAMPLE,
    TRIAL,
    V,
)

# The Warrior on c9 has just passed c10; White's on d9 may take it there.
PASSED = "d2-d4; a11-a10; d4-d5; a10-a9; d5-d6; a9-a8; d6-d7; a8-a7; d7-d8; a7-a6; d8-d9; c11-c9"
WARLOCK = "a2-b3; g11-g10; a1-a10"  # Black's Warlock jumps from a11 over a10; a ghost comes onto a10
PROMOTES = (
    "a2-b3; g11-g10; a1-a10; a11xa9; d2-d4; a10xj1; d4-d5; a9-a8; d5-d6; a8-a9; d6-d7; a9-a8; "
    "d7-d8; a8-a9; d8-d9; a9-a8; d9-d10; a8-a9; d10xe11; a9-a8"
)
KING_UP = (
    "g2-h3; a11-a10; g1-g2; f11-e10; g2-g3; a12-a11; g3-h4; b11-c10; h4-i5; i11-i10; i5-j6; c12-b11; "
    "j6-k7; i12-h10; k7-k8; h10-j9; k8-l9; e12-f11; l9-k10; j12-k9; k10xj11; k11-k10"
)
TWO_TRAMPLED = "h6-h3; f5-g5; g1-g4"
FLANKS = "e1-e3; f5-g4; d2-d4"  # d6-c7 leaves the giant on e4 between two stones
ONE_UP = "f4-d6; D-c11; D-k2; d10-d11; i5-k3; h7-h6; k3xh6; e10-d10; h2-h1"  # d10 becomes a light horse, no choice
TWO_UP = "d5-d6; d8xd6; f4-e5; d6xe5; h2-h1; h7-g7; g2-h2; g7-h7"  # h2 becomes crossbow or light horse
POOR = "t a3 b3 1; t a3 b2 1"  # a beacon takes the last units of a3 and b2


# In Circle and Cyvasse every victim stands on the landing cell: there it is parked elsewhere on the board for a while.
@told(
    Story(BEACONS, f"-{V} +{V}<1 -b3 -c2 -c3", f"b {V}", HELD, CHEAP),  # what is spent leaves last
    Story(CHESS, "-d9 +c10 -c9", "d9xc10", PASSED),
    Story(CHESS, "-a11 +a9 -a10 +a10<1", "a11xa9", WARLOCK, what="warlock"),
    Story(CIRCLE, "-g6 -f5 +h4<f5 +f5<g6 -h4", "g6xf5", BEATEN),
    Story(CYVASSE, "-f8 -h6 +d4<h6 +h6<f8 -d4", "f8xh6", SHOT),
    Story(GIANTS, "-e4 +c4 -d4", "e4xc4", TRAMPLE),
    Story(TIDES, "-e3 +c3 -d3", "e3xc3", JUMP),
)
def test_i_capture_beside_the_landing_cell_victim_last(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


@told(
    Story(BEACONS, f"-b3 -c2 -c3 -{V} +{V}<1", f"b {V}", HELD, CHEAP),
    Story(CHESS, "-c9 -d9 +c10<d9", "d9xc10", PASSED),
    Story(CHESS, "-a10 -a11 +a9<a11 +a10<1", "a11xa9", WARLOCK, what="warlock"),
    Story(CIRCLE, "-f5 +h4<f5 -g6 +f5<g6 -h4", "g6xf5", BEATEN),
    Story(CYVASSE, "-h6 +d4<h6 -f8 +h6<f8 -d4", "f8xh6", SHOT),
    Story(GIANTS, "-d4 -e4 +c4<e4", "e4xc4", TRAMPLE),
    Story(TIDES, "-d3 -e3 +c3<e3", "e3xc3", JUMP),
)
def test_j_capture_beside_the_landing_cell_victim_first(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


@told(
    Story(BEACONS, "+a3.b2.b3<0 -a3 -b2", "b a3.b2.b3", POOR, CHEAP),  # the beacon, then two stores that are spent
    Story(CHESS, "-a11 -a10 +a9<a11 +a10<1", "a11xa9", WARLOCK),  # the Warlock, then its ghost
    Story(CIRCLE, "-c1 +d2 -c2 +c3", "c1-d2; c2-c3"),  # two goes of one turn
    Story(CYVASSE, "-a11 +a10 -d10 +d10<1", "d10=L a11-a10", ONE_UP),  # the move, then the promotion that opened it
    Story(GIANTS, "-f4 +h2<f4 -g4 -h3 -h2", "f4xh4xh2", TWO_TRAMPLED),  # two victims, and the giant itself is flanked
    Story(GIANTS, "-d6 +c7 -e4", "d6-c7", FLANKS, what="flanked"),
    Story(TIDES, "-e4 +c4 -d3 -c3", "e4xc2xc4", "c2-d3"),  # two victims
)
def test_k_a_move_of_two_pieces(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


@told(
    Story(BEACONS, "-b2 -a3 +a3.b2.b3<0", "b a3.b2.b3", POOR, CHEAP),
    Story(CHESS, "-a10 +a10<1 -a11 +a9<a11", "a11xa9", WARLOCK),
    Story(CIRCLE, "-c2 +c3 -c1 +d2", "c2-c3; c1-d2"),
    Story(CYVASSE, "-d10 +d10<1 -a11 +a10<a11", "d10=L a11-a10", ONE_UP),
    Story(GIANTS, "-h3 -g4 -f4 +h2<f4 -h2", "f4xh4xh2", TWO_TRAMPLED),
    Story(GIANTS, "-e4 -d6 +c7<d6", "d6-c7", FLANKS, what="flanked"),
    Story(TIDES, "-c3 -d3 -e4 +c4<e4", "e4xc2xc4", "c2-d3"),
)
def test_l_a_move_of_two_pieces_in_the_other_order(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


@told(
    Story(BEACONS, f"-b3 -{V} +b3 | -b3 +{V}<1 -c2 -c3", f"b {V}", HELD, CHEAP),
    Story(CHESS, "-d6 -e7 +d6 | -d6 +e7<d6", "d6xe7", TAKING),
    Story(CIRCLE, "-g6 -f5 +g6 | -g6 +f5<g6", "g6xf5", BEATEN),
    Story(CYVASSE, "-f8 -h6 +f8 | -f8 +h6<f8", "f8xh6", SHOT),
    Story(GIANTS, "-e4 -d4 +e4 | -e4 +c4<e4", "e4xc4", TRAMPLE),
    Story(TIDES, "-e3 -d3 +e3 | -e3 +c3<e3", "e3xc3", JUMP),
)
def test_m_both_up_then_one_down(story: Story, poles: bool) -> None:
    begun, then = story.script.split("|")
    scene = Scene(story.game, story.options, story.after, poles=poles).hands(begun)
    nothing_made(scene)
    rests_at(scene.hands(then), story.made)


@told(
    Story(BEACONS, "-b3 +b4 -b4 +b3 +c2<0", "t b3 c2 1", options=TRIAL, undone="t b3 b4 1"),
    Story(CHESS, "-d2 +d4 -d4 +d2 -f2 +f4", "f2-f4", undone="d2-d4"),
    Story(CHESS, "-d2 +d4 -d4 +d3", "d2-d3", undone="d2-d4", what="moved-on"),
    Story(CHESS, "-a11 +a9 -a10 -a9 +a11 +a10<a10 -b11 +c10", "b11-c10", WARLOCK, undone="a11xa9", what="capture"),
    Story(CIRCLE, "-c1 +d2 -d2 +c1 -c2 +c3", "c2-c3", undone="c1-d2"),
    Story(CIRCLE, "-c1 +d2 -d2 +b1", "c1-b1", undone="c1-d2", what="moved-on"),
    Story(CYVASSE, "-f4 +e5 -e5 +f4 -h4 +h5", "h4-h5", undone="f4-e5"),
    Story(CYVASSE, "-f8 -h6 +h6<f8 -h6 +f8<h6 +h6<0 -h7 -h6 +h6<h7", "h7xh6", SHOT, undone="f8xh6", what="capture"),
    Story(GIANTS, "-c3 +c8 -c8 +c3 -c3 +c7", "c3-c7", undone="c3-c8"),
    Story(GIANTS, "-d6 +c7 -c7 +d6 -d5 +c5 -e4", "d5-c5", FLANKS, undone="d6-c7", what="flanked"),
    Story(TIDES, "-c3 +c4 -c4 +c3 -d2 +d3", "d2-d3", undone="c3-c4"),
    Story(TIDES, "-c3 +c4 -c4 +d3", "c3-d3", undone="c3-c4", what="moved-on"),
)
def test_n_last_move_taken_back_another_played(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made, story.undone)


@told(
    Story(BEACONS, "-b3 +d4 | -d4 +b4", "t b3 b4 1", options=TRIAL),
    Story(CHESS, "-d2 +d6 | -d6 +d4", "d2-d4"),
    Story(CIRCLE, "-c1 +e5 | -e5 +d2", "c1-d2"),
    Story(CYVASSE, "-f4 +j6 | -j6 +e5", "f4-e5"),
    Story(GIANTS, "-c3 +g4 | -g4 +c8", "c3-c8"),
    Story(TIDES, "-c3 +a6 | -a6 +c4", "c3-c4"),
)
def test_o_illegal_placing_then_straight_on_to_a_legal_cell(story: Story, poles: bool) -> None:
    astray, then = story.script.split("|")
    scene = Scene(story.game, story.options, story.after, poles=poles).hands(astray)
    table = nothing_made(scene)
    assert table.phase == "fix"
    assert astray.split()[-1][1:] in names(table, table.play.verdict.extra)
    rests_at(scene.hands(then), story.made)


# ---- several goes, and plies that no sensor sees ----------------------------------------------------------


@told(
    Story(CIRCLE, "-c1 +d2 -b3 +c4 -a4 +b5 -g9 +f8", "c1-d2; b3-c4; a4-b5; g9-f8", what="three-in-the-first-turn"),
    Story(CIRCLE, "-c1 +d2 -b3 +c4 -g9 +f8", "c1-d2; b3-c4; g9-f8", LATER, what="two-later"),
    Story(CIRCLE, "-c1 +d2 -g9 +f8", "c1-d2; end; g9-f8", LATER, what="ended-by-the-next-go"),
    Story(CIRCLE, "-c1 +d2 -g9 -a3 +f8<g9 +b4<a3", "c1-d2; end; g9-f8; end; a3-b4", LATER, what="early-hand"),
    Story(CIRCLE, "-c1 +c1@700 -c2 +c3 -g9 +f8", "c1+; c2-c3; g9-f8", LATER, what="class-changed-by-holding"),
    Story(CIRCLE, "-c1 +c1@700 -g9 +f8", "c1+; end; g9-f8", LATER, what="class-changed-then-ended"),
    Story(CIRCLE, "-c1 +c1@700 -c1 +c1@700", "c1+", LATER, what="one-go-a-unit"),
    Story(CIRCLE, "-c1 +c1@700 -c1 +c1@700", "c1+; c1+", what="twice-in-the-first-turn"),
    Story(BEACONS, "-b3 +b4 -d3 +d2", "t b3 b4 1; end; t d3 d2 5", options=TRIAL, what="ended-by-the-next-go"),
)
def test_several_goes_a_turn(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


@told(
    Story(BEACONS, "+d2<1", "t d3 d2 1; t d3 d2 2; t d3 d2 3; t d3 d2 4", "end", TRIAL, what="how-many-units"),
    Story(BEACONS, "-a3 +a4<a3 +a3<0", "t a3 a4 1; t b3 a4 1", "", TRIAL, what="from-which-store"),
    Story(
        BEACONS, "-b3 +b3@700", "p b3 2 1; p b3 2 2; p b3 2 3; p b3 2 4; p b3 2 5; t b3 a3 1", "", TRIAL, what="held"
    ),
    Story(CHESS, "-e11 -d12 +d12<e11", "e11xd12=C; e11xd12=X", PROMOTES, what="promotion"),
    Story(CYVASSE, "-e4 +d4", "h2=C e4-d4; h2=L e4-d4", TWO_UP, what="promotion"),
    Story(CYVASSE, "-h2 +g2", "h2=C h2-g2; h2=L h2-g2", TWO_UP, what="promoted-piece-moves"),
)
def test_what_the_pieces_do_not_tell_is_asked_for(story: Story, poles: bool) -> None:
    scene = story.scene(poles)
    assert asked(nothing_made(scene)) == plies_in(story.made)
    for choice in plies_in(story.made):
        for answered in answers(scene, choice):
            rests_at(answered, choice)


@told(Story(BEACONS, "-a3 +a4<a3", "", "", TRIAL))
def test_a_store_that_is_lifted_for_a_moment_pays_nobody(story: Story, poles: bool) -> None:
    nothing_made(story.scene(poles))


# ---- what only one game has -------------------------------------------------------------------------------


@told(
    Story(CYVASSE, "+d3<0 -c7 +d6", "D-d3; c7-d6", what="enters"),
    Story(CYVASSE, "+d3<0 -c7 +d6 -d3 +c6", "D-d3; c7-d6; d3-c6", what="enters-and-flies"),
    Story(CHESS, "-j11 +i12", "j11-i12", KING_UP, what="emperor"),
    Story(CHESS, "-j11 +i12 -b11 +c12 -i12 -k10 +k10<i12", "j11-i12; b11-c12; i12xk10", KING_UP, what="emperor-takes"),
)
def test_what_comes_in_and_what_is_crowned(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


@pytest.mark.parametrize("poles", [False, True])
def test_a_dragon_that_takes_from_beside_the_board(poles: bool) -> None:
    scene = Scene(CYVASSE, after="d5-d6", poles=poles).hands("-d6 +d6<1")
    if poles:
        rests_at(scene, "Dxd6")
        return
    assert asked(nothing_made(scene)) == ["Dxd6"]
    for answered in answers(scene, "Dxd6"):
        rests_at(answered, "Dxd6")


@pytest.mark.parametrize("poles", [False, True])
def test_a_ghost_is_a_chore_that_the_next_player_need_not_wait_for(poles: bool) -> None:
    scene = Scene(CHESS, after=WARLOCK, poles=poles).hands("-a11 -a10 +a9<a11 -b3 +b4")
    table = scene.run()
    assert list(table.play.session.plies[-2:]) == ["a11xa9", "b3-b4"]
    assert table.phase == "play"
    assert names(table, table.play.settled.pending_chores) == {"a10"}
    rests_at(scene.hands("+a10<1"), "a11xa9; b3-b4")


@pytest.mark.parametrize("poles", [False, True])
def test_an_open_setup_asks_which_piece_was_put_down(poles: bool) -> None:
    scene = Scene(CYVASSE, {"setup": "open"}, poles=poles).hands("+e5<0")
    assert asked(nothing_made(scene)) == [f"{kind}@e5" for kind in "BCDEHKLMRS"]
    for answered in answers(scene, "S@e5"):
        rests_at(answered, "S@e5")
