"""What is asked and not recorded, because the pieces may have come there in more than one way; and what is no doubt."""

from __future__ import annotations

import pytest

from controller.table.notes import TakenBack
from tests.hands.book import tell
from tests.table.scenes import Scene, answers, asked, nothing_made, standing

CUT = {"link": False}
BACK = {"link": True}

# What looks like something else, too: that it is asked about is the most that the sensors allow.
ASKED_NOW = (
    # The other hand does a chore instead of answering.
    ("giantslayer", "chores_late", "clean-hall", 20271152),
    # Two plies after a knock look like a capture whose answer was down first.
    ("tides-of-war", "restored_after_plies", "slow-hall", 20295568),
)


@pytest.mark.parametrize(("game", "story", "sensors", "seed"), ASKED_NOW)
def test_gestures_that_were_once_read_wrongly_are_asked_about(game: str, story: str, sensors: str, seed: int) -> None:
    outcome = tell(game, story, sensors, seed).outcome
    assert outcome is not None
    assert outcome.kind in ("asked", "needless"), outcome.why


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


SET_ASIDE = "-f1 +e2@600 -e2@7000 +e1@150"


def test_a_piece_that_moves_on_late_may_have_been_set_aside_by_who_takes_it() -> None:
    scene = Scene("giantslayer", after="e1-e3; f5-g4; d2-d4; e4-f3").hands(SET_ASIDE)
    assert scene.plies() == ["f1-e2"]
    assert asked(scene.run()) == ["f1-e1"]
    assert scene.hands("-d4@1200 -d5@600 +f1@1500 -e1@1500").plies() == ["f1-e2", "d5xd3xf1"]


def test_a_piece_that_moves_on_late_has_moved_on_if_that_is_the_answer() -> None:
    scene = Scene("giantslayer", after="e1-e3; f5-g4; d2-d4; e4-f3").hands(SET_ASIDE)
    scene.t_ms += 2000
    for answered in answers(scene, "f1-e1"):
        assert answered.plies() == ["f1-e1"]


def test_a_victim_set_aside_on_the_way_before_its_taker_is_lifted_is_no_dragon_that_answers() -> None:
    """Black's dragon may enter where the victim was set aside, but nobody answers a capture before it has begun."""
    scene = Scene("cyvasse", after="i3-g7; h7-f6; i5xf6; c7xf6").hands("-f6 +e6@212 -d5@1146 +f6@60 -e6@722")
    assert scene.plies(3000) == ["d5xf6"]


def taken(script: str) -> Scene:
    return Scene("cyvasse", after="d5-d6").hands(script)


def test_a_piece_that_was_up_for_a_moment_while_its_taker_was_may_have_been_straightened() -> None:
    assert taken("-d8 -d6@200 +d6@400").plies(1100) == []
    assert taken("-d8 -d6@200 +d6@400").plies(1300) == ["d8xd6"]


@pytest.mark.parametrize("script", ["-d6 -d8@200 +d6@400", "-d8 -d6@200 +d6@800"])
def test_a_piece_that_was_lifted_first_or_away_for_long_was_taken(script: str) -> None:
    assert taken(script).plies(1100) == ["d8xd6"]


def test_while_both_hands_hold_a_piece_the_one_that_is_put_down_may_be_either() -> None:
    both_up = "-c3 -d4@200 +c4@200"
    assert Scene("tides-of-war").hands(both_up).plies(1700) == []
    assert Scene("tides-of-war").hands(both_up).plies(1900) == ["c3-c4"]
    assert Scene("tides-of-war").hands(f"{both_up} +d3@800").plies(400) == ["c3-c4", "d4-d3"]


def test_who_plays_on_after_a_capture_that_no_sensor_saw_says_that_it_was_made() -> None:
    scene = taken("-d8 -i3@2000 +k5@700")
    assert scene.plies() == []
    assert asked(scene.run()) == ["d8xd6"]
    assert scene.hands("-b9@2500 +b8@600").plies() == ["d8xd6", "i3-k5", "b9-b8"]


def sticking(script: str) -> Scene:
    """A piece comes to d7 while the contact of c7, which it left, is stuck; it looks like the dragon from beside."""
    return Scene("cyvasse", after="d5-d6").hands(f"+d7 {script}")


def test_a_cell_that_opens_late_is_the_one_that_the_last_piece_left() -> None:
    assert sticking("-c7@1200").plies(4000) == ["c7-d7"]
    assert standing(sticking("-c7@1200").run(4000))


def test_a_cell_that_opens_late_is_understood_where_the_next_player_answers_at_once() -> None:
    assert sticking("-c7@1200 -i3@500 +k5@600").plies() == ["c7-d7", "i3-k5"]


def test_a_cell_that_opens_late_is_understood_where_the_answer_hangs_on_a_sensor_that_is_not_believed() -> None:
    """Whether that one was made is asked for, and says nothing of who has left the cell."""
    scene = Scene("cyvasse", after="d5-d6").hands("-i3 +i3@60 " * 6 + "+d7@2000 -c7@1200 -i3@500 +k5@600")
    assert scene.plies(4000) == ["c7-d7"]
    assert asked(scene.run(4000)) == ["i3-k5"]


def test_a_piece_that_was_lifted_for_a_moment_had_not_moved() -> None:
    assert sticking("-c7@1200 +c7@1500").plies() == ["D-d7"]


def test_a_piece_that_is_lifted_later_had_not_moved() -> None:
    assert sticking("-c7@2600").plies(4000) == ["D-d7"]


def test_a_cell_that_opens_late_is_the_one_that_a_piece_left_which_stands_already() -> None:
    late = Scene("tides-of-war").hands("+c4 -c3@1200")
    assert late.plies(400) == []
    assert asked(late.run(400)) == ["c3-c4"]
    assert late.plies(4000) == ["c3-c4"]
    assert standing(late.run(4000))


def test_a_piece_that_comes_back_after_a_strange_one_has_come_to_its_goal_has_not_moved() -> None:
    assert Scene("tides-of-war").hands("+c4 -c3@1200 +c3@1500 -c4@900").plies() == []


def test_what_comes_to_the_last_origin_before_the_last_piece_has_left_may_be_another_one() -> None:
    scene = Scene("tides-of-war", after="c3-c4").hands("+c3 -c4@400")
    assert scene.plies(4000) == []
    table = scene.run(4000)
    assert table.play is not None
    assert len(table.play.session.plies) == 1
    assert table.play.verdict.undo == 0


def test_a_ply_that_a_person_has_confirmed_stays_when_its_piece_goes_on() -> None:
    scene = Scene("giantslayer", after="e1-e3; f5-g4; d2-d4; e4-f3").hands(SET_ASIDE)
    scene.t_ms += 2000
    for answered in answers(scene, "f1-e1"):
        table = answered.hands("-e1@700 +e2@150").run(4000)
        assert table.play is not None
        assert table.play.session.plies[-1] == "f1-e1"
        assert "e1" in table.advice
