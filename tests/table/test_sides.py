"""What a board that knows the sides need not ask or wait for, beside one that knows only where pieces stand.

Pieces of the first player lie north pole down, the other's south pole down. What both boards read alike is in
`test_fifteen_stories`.
"""

from __future__ import annotations

import json

import pytest

from controller.journal.recording import parse, replay
from controller.table.state import Table
from controller.table.views.sentences_of_play import advice
from tests.table.scenes import Scene, Story, asked, names, notes_of, rests_at

CHESS, TIDES = "tam-ruat-chess", "tides-of-war"
TAKING = "d2-d4; e11-e9; d4-d5; e9-e8; d5-d6; e8-e7"  # d6 takes e7 next, if it likes


@pytest.mark.parametrize(("poles", "counts_ms"), [(True, 300), (False, 1800)])
def test_a_move_that_lands_while_the_answer_is_in_the_hand(poles: bool, counts_ms: int) -> None:
    """Which of the two pieces in the air has come down, only its pole tells."""
    scene = Scene(TIDES, poles=poles).hands("-c3 -c6@200 +c4<c3@200")
    assert scene.plies(counts_ms - 1) == []
    assert scene.plies(counts_ms) == ["c3-c4"]


@pytest.mark.parametrize(("poles", "counts_ms"), [(True, 100), (False, 600)])
def test_a_capture_by_a_piece_that_takes_the_others_place(poles: bool, counts_ms: int) -> None:
    scene = Scene(CHESS, after=TAKING, poles=poles).hands("-e7 -d6 +e7<d6")
    assert scene.plies(counts_ms - 1) == []
    assert scene.plies(counts_ms) == ["d6xe7"]


def test_who_has_set_a_shorter_rest_waits_no_longer_for_a_capture() -> None:
    scene = Scene(CHESS, after=TAKING, poles=True).hands("-e7 -d6 +e7<d6")
    header = {"game": CHESS, "plies": scene.after, "timing": {"settle_ms": 50}}
    for wait_ms, made in ((49, ()), (50, ("d6xe7",))):
        end = {"t_us": (scene.t_ms + wait_ms) * 1000, "end": True}
        recording = parse("\n".join(json.dumps(line) for line in (header, *scene.lines, end)))
        table = list(replay(recording))[-1][0]
        assert table.play is not None
        assert table.play.session.plies[len(scene.after) :] == made


@pytest.mark.parametrize("over_ms", [20, 60, 99])
def test_a_piece_that_passes_over_the_cell_of_a_lifted_enemy_takes_nothing(over_ms: int) -> None:
    """Black straightens e7 while White carries the piece from d6 to d7 low over that cell."""
    scene = Scene(CHESS, after=TAKING, poles=True).hands(f"-d6 -e7 +e7<d6 -e7@{over_ms} +d7<e7@200")
    scene.touch("e7", True, 150, pole=-1)
    steps = scene.steps()
    kept, taken_back = notes_of((note for _, said in steps for note in said), len(scene.after))
    assert (kept, taken_back) == (["d6-d7"], [])


def test_a_capture_is_taken_back_as_ever() -> None:
    story = Story(CHESS, "-e7 -d6 +e7<d6 -e7 +d6<e7", "", TAKING, undone="d6xe7")
    scene = story.scene(poles=True)
    rests_at(scene.touch("e7", True, pole=-1), "", story.undone)


def without_power(scene: Scene, lying: list[str]) -> Scene:
    """The sensor board is out for five seconds; then it says what lies there."""
    scene.t_ms += 5000
    scene.lines.append({"t_us": (scene.t_ms - 5000) * 1000, "link": False})
    scene.lines.append({"t_us": scene.t_ms * 1000, "link": True})
    scene.lines.append({"t_us": scene.t_ms * 1000, "occupied": lying})
    return scene


def moved(poles: bool, gone: str, came: str) -> list[str]:
    """Return what lies on the board of Tides of War once a piece has moved at the start."""
    lying = dict(Scene(TIDES, poles=True).lying)
    lying[came] = lying.pop(gone)
    return [("-" if poles and pole < 0 else "") + site for site, pole in lying.items()]


def test_a_move_that_nobody_saw_counts_without_a_question_where_the_piece_is_known_to_be_that_players() -> None:
    scene = without_power(Scene(TIDES, poles=True), moved(True, "c3", "c4"))
    assert scene.plies(1199) == []
    assert scene.plies(1200) == ["c3-c4"]
    assert all(not asked(table) for table, _ in scene.steps() if table.play)


def test_a_move_that_nobody_saw_is_asked_for_where_it_may_be_anybodys_piece() -> None:
    scene = without_power(Scene(TIDES), moved(False, "c3", "c4"))
    assert scene.plies(1200) == []
    assert asked(scene.run(1200)) == ["c3-c4"]


def test_an_enemy_piece_where_a_move_would_end_is_no_move() -> None:
    """On a board that knows no sides it looks as if c3 had gone to c4."""
    swapped = [mark.replace("c3", "-c4") for mark in moved(True, "c3", "c3")]
    scene = without_power(Scene(TIDES, poles=True), swapped)
    table = scene.run(5000)
    assert scene.plies(5000) == []
    assert not asked(table)


# ---- what is said -----------------------------------------------------------------------------------------


def said(table: Table) -> str:
    """Return what the board asks for."""
    assert table.play is not None
    return advice(table, table.play)


def set_up(*changed: str) -> Scene:
    """Return a board of Tides of War that is set up, with other magnets on some cells."""
    scene = Scene(TIDES, poles=True)
    lying = {mark.removeprefix("-"): mark for mark in moved(True, "c3", "c3")}
    lying |= {mark.removeprefix("-"): mark for mark in changed}
    scene.occupied = list(lying.values())
    return scene


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            ("-c3",),
            "The piece on c3 is of another side, or its magnet is upside down: White's stone belongs there.",
        ),
        (("-c3", "-d2"), "The pieces on c3, d2 are of another side, or their magnets are upside down."),
        (
            ("-c3", "c4"),
            "The piece on c3 is of another side, or its magnet is upside down: White's stone belongs there. "
            "Take the piece off c4.",
        ),
    ],
)  # fmt: skip
def test_pieces_of_another_side_are_named_when_the_board_is_set_up(changed: tuple[str, ...], words: str) -> None:
    table = set_up(*changed).run()
    assert table.play is not None
    assert table.phase == "setup"
    assert said(table) == words


def test_a_set_of_magnets_that_are_all_upside_down_is_told_as_that() -> None:
    marks = [mark[1:] if mark.startswith("-") else f"-{mark}" for mark in moved(True, "c3", "c3")]
    words = f"Pieces of another side, or with the magnet upside down: {len(marks)}. The lights show where."
    assert said(set_up(*marks).run()) == words


def test_the_game_begins_once_the_right_side_stands_there() -> None:
    scene = set_up("-c3").touch("c3", False).touch("c3", True, pole=1)
    table = scene.run()
    assert table.phase == "play"
    assert not names(table, table.play.verdict.missing | table.play.verdict.extra)


def test_a_capture_that_is_none_is_told_with_its_rule() -> None:
    """White's c3 takes the place of a stone that is too far away."""
    scene = Scene(TIDES, poles=True).hands("-c3 -c6 +c6<c3")
    words = "c3 to c6 is not allowed. c3 and c6 are not neighbours: a stone steps one square. Put both pieces back."
    assert said(scene.run()) == words


def test_a_piece_of_another_side_in_the_middle_of_a_game_is_told() -> None:
    words = "The piece on c3 is of another side, or its magnet is upside down: White's stone belongs there."
    assert said(Scene(TIDES, poles=True).hands("-c3 +c3<1").run()) == words
    other = "c6 to c3 is not allowed. The stone on c6 is Black's, and White is to move. Put both pieces back."
    assert said(Scene(TIDES, poles=True).hands("-c3 -c6 +c3<c6").run()) == other
