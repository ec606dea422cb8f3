"""Fifteen stories that boards are compared by, A to H, in each of the six games, on reed and on hall sensors.

I to O, and what only some games have, are in `test_fifteen_stories_on`. Where a game has no such ply, a comment says
what stands for it.
"""

from __future__ import annotations

import pytest

from tests.table.scenes import Story, answers, asked, names, nothing_made, plies_in, rests_at, told

BEACONS, CHESS, CIRCLE = "beacons", "tam-ruat-chess", "circle"
CYVASSE, GIANTS, TIDES = "cyvasse", "giantslayer", "tides-of-war"

TRIAL = {"template": "trial"}
CHEAP = {**TRIAL, "beacon": 1}

LATER = "a3+; end; g9+; end"  # Circle: the first turns, in which a unit may have several goes, are over

# Each with a capture that is next.
JUMP = "c3-d3"
TRAMPLE = "b4-d4"
TAKING = "d2-d4; e11-e9; d4-d5; e9-e8; d5-d6; e8-e7"
BEATEN = "c2-d3; d3-e4; e4-f5; h7-g6; g6+"
SHOT = "i5-h6"
# Player 2 can put a beacon in place of player 1's; it costs the last unit of each of three stores.
HELD = "t b3 c3 1; t b3 c2 1; b b3.c2.c3; end; t d3 c3 1; t d3 c3 2; t c3 b3 1; t e3 e2 3; t e2 d2 2; t d2 c2 1"
V = "b3.c2.c3"


@told(
    Story(BEACONS, "-b3 +b4", "t b3 b4 1", options=TRIAL),
    Story(CHESS, "-d2 +d4", "d2-d4"),
    Story(CIRCLE, "-c1 +d2", "c1-d2"),
    Story(CYVASSE, "-d5 +d6", "d5-d6"),
    Story(GIANTS, "-c3 +c8", "c3-c8"),
    Story(TIDES, "-c3 +c4", "c3-c4"),
)
def test_a_plain_move(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


@told(
    # Units carried over cells on which others could be put; no ply leads through them.
    Story(BEACONS, "-b3 +a4 -a4 +b4", "t b3 b4 1", options=TRIAL),
    Story(CHESS, "-d2 +d3 -d3 +d4", "d2-d4", undone="d2-d3"),
    Story(CHESS, "-l1 +l3 -l3 +l5 -l5 +l6", "l1-l6", "l2-k3; a11-a10", undone="l1-l3; l1-l5", what="chariot"),
    Story(CIRCLE, "-c2 +c3 -c3 +d3", "c2-d3", LATER, undone="c2-c3"),
    Story(CYVASSE, "-f4 +e5 -e5 +d6", "f4-d6", undone="f4-e5"),
    Story(GIANTS, "-c3 +c4 -c4 +c5 -c5 +c6 -c6 +c7", "c3-c7", undone="c3-c4; c3-c5; c3-c6"),
    Story(GIANTS, "-c3 +d3 -d3 +c4", "c3-c4", undone="c3-d3", what="astray"),
    Story(TIDES, "-e1 +e2 -e2 +f1", "e1-f1", undone="e1-e2"),
)
@pytest.mark.parametrize("pace", [60, 250, 900])
def test_b_slow_slide_through_cells_that_are_legal_themselves(story: Story, poles: bool, pace: int) -> None:
    rests_at(story.scene(poles, pace), story.made, story.undone)


@told(
    Story(BEACONS, "-a3 -b3 +b4", "t b3 b4 1", options=TRIAL),
    Story(CHESS, "-a1 -d2 +d4", "d2-d4"),
    Story(CIRCLE, "-a3 -c1 +d2", "c1-d2"),
    Story(CYVASSE, "-i2 -d5 +d6", "d5-d6"),
    Story(GIANTS, "-a5 -c3 +c8", "c3-c8"),
    Story(TIDES, "-a2 -c3 +c4", "c3-c4"),
)
def test_c_own_piece_knocked_off_elsewhere_then_a_move(story: Story, poles: bool) -> None:
    knocked = story.script.split()[0][1:]
    scene = story.scene(poles)
    table = nothing_made(scene)
    assert table.phase == "fix"
    assert knocked in names(table, table.play.verdict.missing)
    rests_at(scene.hands(f"+{knocked}"), story.made)


@told(
    Story(BEACONS, "-e3 -b3 +b4", "t b3 b4 1", options=TRIAL),
    Story(CHESS, "-e11 -d2 +d4", "d2-d4"),
    Story(CIRCLE, "-g9 -c1 +d2", "c1-d2"),
    Story(CYVASSE, "-c8 -d5 +d6", "d5-d6"),
    Story(GIANTS, "-e6 -c3 +c8", "c3-c8"),
    Story(TIDES, "-f2 -c3 +c4", "c3-c4"),
)
def test_d_enemy_piece_knocked_off_then_a_move(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles).hands(f"+{story.script.split()[0][1:]}"), story.made)


@told(
    # The units that pay leave first; the beacon that is replaced is the victim.
    Story(BEACONS, f"-b3 -{V} +{V}<1 -c2 -c3", f"b {V}", HELD, CHEAP),
    Story(CHESS, "-d6 -e7 +e7<d6", "d6xe7", TAKING),
    Story(CIRCLE, "-g6 -f5 +f5<g6", "g6xf5", BEATEN),
    Story(CYVASSE, "-f8 -h6 +h6<f8", "f8xh6", SHOT),
    Story(GIANTS, "-e4 -d4 +c4<e4", "e4xc4", TRAMPLE),
    Story(GIANTS, "-e4 +c4 -d4", "e4xc4", TRAMPLE, what="landed"),
    Story(TIDES, "-e3 -d3 +c3<e3", "e3xc3", JUMP),
    Story(TIDES, "-e3 +c3 -d3", "e3xc3", JUMP, what="landed"),
)
def test_e_capture_attacker_lifted_first(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


@told(
    Story(BEACONS, f"-{V} -b3 +{V}<1 -c2 -c3", f"b {V}", HELD, CHEAP),
    Story(CHESS, "-e7 -d6 +e7<d6", "d6xe7", TAKING),
    Story(CIRCLE, "-f5 -g6 +f5<g6", "g6xf5", BEATEN),
    Story(CYVASSE, "-h6 -f8 +h6<f8", "f8xh6", SHOT),
    Story(GIANTS, "-d4 -e4 +c4<e4", "e4xc4", TRAMPLE),
    Story(TIDES, "-d3 -e3 +c3<e3", "e3xc3", JUMP),
)
def test_f_capture_victim_lifted_first(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


# Where the victim is back before the attacker, a reed sensor has seen the capture until that one is back too.
@told(
    Story(BEACONS, f"-b3 -{V} +b3 +{V}", "", HELD, CHEAP),
    Story(BEACONS, f"-{V} -b3 +{V} +b3", "", HELD, CHEAP, undone=f"b {V}", what="victim"),
    Story(CHESS, "-d6 -e7 +d6 +e7", "", TAKING),
    Story(CHESS, "-e7 -d6 +e7 +d6", "", TAKING, undone="d6xe7", what="victim"),
    Story(CIRCLE, "-g6 -f5 +g6 +f5", "", BEATEN),
    Story(CIRCLE, "-f5 -g6 +f5 +g6", "", BEATEN, undone="g6xf5", what="victim"),
    Story(CYVASSE, "-f8 -h6 +f8 +h6", "", SHOT),
    Story(CYVASSE, "-h6 -f8 +h6 +f8", "", SHOT, undone="f8xh6", what="victim"),
    Story(GIANTS, "-e4 -d4 +e4 +d4", "", TRAMPLE),
    Story(GIANTS, "-d4 -e4 +d4 +e4", "", TRAMPLE, what="victim"),
    Story(TIDES, "-e3 -d3 +e3 +d3", "", JUMP),
    Story(TIDES, "-d3 -e3 +d3 +e3", "", JUMP, what="victim"),
)
def test_g_capture_begun_then_own_piece_put_back(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), "", "" if poles else story.undone)


@told(
    Story(BEACONS, "-b3 +b4@0", "t b3 b4 1", options=TRIAL),
    Story(GIANTS, "-e4 -d4@0 +c4<e4@0", "e4xc4", TRAMPLE),
    Story(TIDES, "-e3 -d3@0 +c3<e3@0", "e3xc3", JUMP),
)
def test_h_everything_within_one_scan(story: Story, poles: bool) -> None:
    rests_at(story.scene(poles), story.made)


# Pieces change places on the landing cell unseen: a reed sensor sees only the attacker leave, a hall sensor the pole.
@told(
    Story(CHESS, "-d6 +e7<d6 -a11 +a10", "d6xe7; a11-a10", TAKING),
    Story(CIRCLE, "-g6 +f5<g6 -a3 +b4", "g6xf5; a3-b4", BEATEN),
    Story(CYVASSE, "-f8 +h6<f8 -h4 +h5", "f8xh6; h4-h5", SHOT),
)
def test_h_swap_faster_than_a_scan(story: Story, poles: bool) -> None:
    scene = story.scene(poles)
    if poles:
        rests_at(scene, story.made)
        return
    capture = plies_in(story.made)[0]
    assert asked(nothing_made(scene)) == [capture]
    for answered in answers(scene, capture):
        rests_at(answered, story.made)


def test_h_a_beacon_swapped_faster_than_a_scan_is_told_on_the_panel() -> None:
    # It comes from beside the board: a reed sensor sees nothing of it, and stores that are cleared prove no beacon.
    scene = Story(BEACONS, f"+{V}<1 -b3 -c2 -c3", after=HELD, options=CHEAP).scene(poles=False)
    assert asked(nothing_made(scene)) == []
    rests_at(scene.order(do="ply", text=f"b {V}"), f"b {V}")


def test_h_a_beacon_swapped_faster_than_a_scan_is_seen_by_its_pole() -> None:
    rests_at(Story(BEACONS, f"+{V}<1 -b3 -c2 -c3", after=HELD, options=CHEAP).scene(poles=True), f"b {V}")
