"""What is asked and not recorded, because the pieces may have come there in more than one way; and what is no doubt."""

from __future__ import annotations

import pytest

from controller.table.notes import TakenBack
from tests.hands.book import tell
from tests.table.scenes import Scene, asked, nothing_made, standing

CUT = {"link": False}
BACK = {"link": True}

ONCE_WRONG = (
    ("beacons", "an_evening", "clean-hall", 200186),
    ("cyvasse", "capture_swapped_unseen", "slow-hall", 200715),
    ("giantslayer", "knocked_over_the_board", "bad-reed", 200391),
    ("tides-of-war", "knocked_over_the_board", "bad-reed", 201005),
    ("cyvasse", "choice_answered", "bad-reed", 106317),
    ("cyvasse", "take_back_a_capture", "clean-hall", 9103328),
    ("cyvasse", "cut_over_the_landing", "bad-reed", 9100041),
    # A halogai slides on from cells on which it would have been trampled, that is, taken off: it was not set aside.
    ("giantslayer", "slow_slide", "clean-hall", 7101943),
    ("giantslayer", "slow_slide", "slow-hall", 7102405),
    ("giantslayer", "slow_slide", "polarity-hall", 7202197),
    ("giantslayer", "slow_slide", "clean-reed", 7202274),
    # A capture that no sensor saw, then the end of a turn that could have gone on, and the next player's move.
    ("circle", "capture_swapped_unseen", "clean-hall", 8100970),
    ("circle", "capture_swapped_unseen", "bad-reed", 8101609),
)


@pytest.mark.parametrize(("game", "story", "sensors", "seed"), ONCE_WRONG)
def test_gestures_that_were_once_read_wrongly(game: str, story: str, sensors: str, seed: int) -> None:
    outcome = tell(game, story, sensors, seed).outcome
    assert outcome is not None
    assert outcome.kind in ("right", "asked"), outcome.why


def taken_back(scene: Scene) -> list[int]:
    return [note.to for _, said in scene.steps(3000) for note in said if isinstance(note, TakenBack)]


def unplugged(scene: Scene, gone: str, come: str) -> Scene:
    """Add that the wire is lost, and that a piece has gone and one has come when it is back."""
    play = scene.run().play
    assert play is not None
    names = {name for name, bit in play.game_area.bit.items() if bit & play.settled.position.standing}
    scene.t_ms += 1000
    scene.lines.append({"t_us": scene.t_ms * 1000, **CUT})
    scene.t_ms += 2000
    scene.lines.append({"t_us": scene.t_ms * 1000, **BACK})
    scene.lines.append({"t_us": scene.t_ms * 1000, "occupied": sorted(names - {gone} | {come})})
    return scene


def test_two_plies_undone_out_of_turn_are_asked_for_where_an_exchange_and_its_answer_look_the_same() -> None:
    scene = Scene("cyvasse", after="d5-d6; D-d7; i3-k5").hands("-d7 -k5@1600 +i3")
    table = nothing_made(scene)
    assert table.play is not None
    assert not taken_back(scene)
    assert "d7xf4" in asked(table)
    assert table.play.verdict.undo == 1


def test_a_piece_that_comes_in_where_the_attacker_came_from_may_be_the_attacker() -> None:
    scene = Scene("cyvasse", after="i5-h6; c7-f6").hands("-h6 -f6 +f6@600 -f6@4000 +h6@60 +f6@120")
    table = scene.run()
    assert table.play is not None
    assert not taken_back(scene)
    assert table.play.session.plies[-1] == "h6xf6"
    assert asked(table) == ["D-h6"]
    assert table.play.verdict.undo == 2


def test_what_lay_astray_before_a_ply_is_no_answer_to_it_though_its_contact_bounces() -> None:
    knocked = "-c6 +b5@100 -c3@2000 +c4 -b5@2000 +b5@2 -b5@12 +c6@500"
    assert Scene("tides-of-war").hands(knocked).plies() == ["c3-c4"]


def test_a_move_that_nobody_saw_is_asked_for_and_made_where_it_is_the_only_one_and_nobody_objects() -> None:
    scene = unplugged(Scene("tides-of-war"), "c3", "c4")
    assert scene.plies(2300) == []
    assert asked(scene.run(2300)) == ["c3-c4"]
    assert scene.plies(2500) == ["c3-c4"]
    assert standing(scene.run(2500))


def test_a_move_that_nobody_saw_is_not_made_if_the_piece_is_put_back() -> None:
    scene = unplugged(Scene("tides-of-war"), "c3", "c4").hands("-c4@2000 +c3")
    assert scene.plies(5000) == []
    assert standing(scene.run(5000))


def test_where_nobody_saw_whether_a_unit_went_on_or_back_it_is_asked() -> None:
    scene = unplugged(Scene("circle", after="c2-d3"), "d3", "c2")
    table = scene.run()
    assert table.play is not None
    assert scene.plies() == []
    assert asked(table) == ["d3-c2"]
    assert table.play.verdict.undo == 0
