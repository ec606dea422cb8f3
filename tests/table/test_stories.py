"""The stories that people live at a board: each is told by what the sensors saw, and has one right outcome.

The letters are those of the list of fifteen that boards are compared by.
"""

from __future__ import annotations

import pytest

from controller.table.state import Table
from controller.table.views.lights import meanings
from tests.table.scenes import Scene, answers, asked, names, standing

TIDES, GIANTS = "tides-of-war", "giantslayer"


def lit(table: Table, meaning: str) -> set[str]:
    return {site for site, found in meanings(table).items() if found == meaning}


def plies(game: str, script: str, after: str = "", pace: int = 400, until_ms: int = 2000) -> list[str]:
    return Scene(game, after=after, pace=pace).hands(script).plies(until_ms)


@pytest.mark.parametrize(
    ("game", "script", "made"),
    [
        (TIDES, "-c3 +c4", ["c3-c4"]),
        (GIANTS, "-c3 +c8", ["c3-c8"]),
    ],
)
def test_a_plain_move(game: str, script: str, made: list[str]) -> None:
    assert plies(game, script) == made


@pytest.mark.parametrize(
    ("game", "script", "made"),
    [
        (TIDES, "-b3 +c4", ["b3-c4"]),
        (TIDES, "-e1 +e2 -e2 +f1", ["e1-f1"]),
        (GIANTS, "-c3 +c4 -c4 +c5 -c5 +c6 -c6 +c7", ["c3-c7"]),
        (GIANTS, "-c3 +d3 -d3 +c4", ["c3-c4"]),
    ],
)
@pytest.mark.parametrize("pace", [60, 250, 900])
def test_b_slow_slide_through_cells_that_are_legal_themselves(
    game: str, script: str, made: list[str], pace: int
) -> None:
    assert plies(game, script, pace=pace) == made


@pytest.mark.parametrize(
    ("game", "knocked", "move", "made"), [(TIDES, "a2", "-c3 +c4", "c3-c4"), (GIANTS, "a5", "-c3 +c8", "c3-c8")]
)
def test_c_own_piece_knocked_off_elsewhere_then_a_move(game: str, knocked: str, move: str, made: str) -> None:
    scene = Scene(game).hands(f"-{knocked} {move}")
    table = scene.run()
    assert table.phase == "fix"
    assert knocked in names(table, table.play.verdict.missing)
    assert scene.hands(f"+{knocked}").plies() == [made]
    assert standing(scene.run())


@pytest.mark.parametrize(
    ("game", "knocked", "move", "made"), [(TIDES, "f2", "-c3 +c4", "c3-c4"), (GIANTS, "e6", "-c3 +c8", "c3-c8")]
)
def test_d_enemy_piece_knocked_off_then_a_move(game: str, knocked: str, move: str, made: str) -> None:
    scene = Scene(game).hands(f"-{knocked} {move}")
    assert scene.plies() == [made]
    table = scene.hands(f"+{knocked}").run()
    assert standing(table)
    assert table.phase == "play"


CAPTURE = [
    (TIDES, "c3-d3", "e3", "d3", "c3", "e3xc3"),
    (GIANTS, "d2-d4", "e4", "d4", "c4", "e4xc4"),
]


@pytest.mark.parametrize(("game", "after", "origin", "victim", "landing", "made"), CAPTURE)
def test_e_capture_attacker_lifted_first(
    game: str, after: str, origin: str, victim: str, landing: str, made: str
) -> None:
    assert plies(game, f"-{origin} +{landing} -{victim}", after) == [made]
    assert plies(game, f"-{origin} -{victim} +{landing}", after) == [made]


@pytest.mark.parametrize(("game", "after", "origin", "victim", "landing", "made"), CAPTURE)
def test_f_capture_victim_lifted_first(
    game: str, after: str, origin: str, victim: str, landing: str, made: str
) -> None:
    assert plies(game, f"-{victim} -{origin} +{landing}", after) == [made]


@pytest.mark.parametrize(("game", "after", "origin", "victim", "landing", "made"), CAPTURE)
def test_g_capture_begun_then_own_piece_put_back(
    game: str, after: str, origin: str, victim: str, landing: str, made: str
) -> None:
    for script in (f"-{origin} -{victim} +{origin} +{victim}", f"-{victim} -{origin} +{victim} +{origin}"):
        scene = Scene(game, after=after).hands(script)
        assert scene.plies() == []
        assert standing(scene.run())


@pytest.mark.parametrize(("game", "after", "origin", "victim", "landing", "made"), CAPTURE)
def test_h_everything_within_one_scan(game: str, after: str, origin: str, victim: str, landing: str, made: str) -> None:
    assert plies(game, f"-{origin} -{victim}@0 +{landing}@0", after) == [made]


@pytest.mark.parametrize(("game", "after", "origin", "victim", "landing", "made"), CAPTURE)
def test_m_both_up_then_one_down(game: str, after: str, origin: str, victim: str, landing: str, made: str) -> None:
    scene = Scene(game, after=after).hands(f"-{origin} -{victim} +{origin}")
    assert scene.plies() == []
    assert scene.hands(f"-{origin} +{landing}").plies() == [made]


@pytest.mark.parametrize(
    ("game", "script", "made"),
    [
        (TIDES, "-c3 +c4 -c4 +c3 -d2 +d3", ["d2-d3"]),
        (TIDES, "-c3 +c4 +c3 -c4 -d2 +d3", ["d2-d3"]),
        (TIDES, "-c3 +c4 -c4 +d3", ["c3-d3"]),  # in one go, without stopping where it came from
        (GIANTS, "-c3 +c8 -c8 +c3 -c3 +c7", ["c3-c7"]),
    ],
)
def test_n_last_move_taken_back_another_played(game: str, script: str, made: list[str]) -> None:
    assert plies(game, script) == made


@pytest.mark.parametrize(
    ("game", "script", "made"),
    [
        (TIDES, "-c3 +c5", []),
        (TIDES, "-c3 +b6 -b6 +c4", ["c3-c4"]),
        (GIANTS, "-c3 +g4 -g4 +c8", ["c3-c8"]),
    ],
)
def test_o_illegal_placing_then_straight_on_to_a_legal_cell(game: str, script: str, made: list[str]) -> None:
    assert plies(game, script) == made


def test_a_piece_in_the_way_is_called_by_its_name() -> None:
    table = Scene(GIANTS).hands("-a6 +g6").run()
    assert table.advice == "a6 to g6 is not allowed. Blocked by the giant on d6. Put the piece back on a6."


def test_an_illegal_placing_is_explained_by_the_rule() -> None:
    table = Scene(GIANTS).hands("-c3 +g4").run()
    assert table.phase == "fix"
    why = "No straight line leads from c3 to g4, or the centre e5 blocks it"
    assert table.advice == f"c3 to g4 is not allowed. {why}. Put the piece back on c3."
    assert names(table, table.play.verdict.missing) == {"c3"}
    assert names(table, table.play.verdict.extra) == {"g4"}


def test_a_chain_of_jumps_with_stops_is_one_ply() -> None:
    assert plies(TIDES, "-e3 +c3 -d3 -c3 +a1 -b2", "c3-d3") == ["e3xc3xa1"]
    assert plies(TIDES, "-e3 +c3 -c3 +a1 -d3 -b2", "c3-d3", pace=150) == ["e3xc3xa1"]
    assert plies(TIDES, "-e3 -d3 -b2 +a1", "c3-d3") == ["e3xc3xa1"]


def test_a_chain_that_could_go_on_waits_for_quiet_or_for_the_next_player() -> None:
    scene = Scene(TIDES, after="c3-d3").hands("-e3 -d3 +c3")
    assert scene.plies(until_ms=200) == []
    assert scene.plies(until_ms=320) == ["e3xc3"]
    assert scene.hands("-a4@100 +b5").plies() == ["e3xc3", "a4-b5"]


def test_a_piece_rests_before_its_ply_counts() -> None:
    # No sensor tells that the fingers are off it: until then it may go on, or back.
    scene = Scene(TIDES).hands("-c3 +c4")
    assert scene.plies(until_ms=290) == []
    assert scene.plies(until_ms=310) == ["c3-c4"]


def test_an_answer_makes_a_ply_count_as_soon_as_the_lift_is_sure() -> None:
    scene = Scene(TIDES).hands("-c3 +c4 -c6@50")
    assert scene.plies(until_ms=145) == []
    assert {"b5", "c5"} & lit(scene.run(until_ms=5), "may_go")
    assert scene.plies(until_ms=155) == ["c3-c4"]


def test_what_moves_no_piece_counts_as_soon_as_the_sensors_are_sure() -> None:
    assert shell_turned().plies(until_ms=45) == ["s a3 +"]


def test_the_clock_is_handed_on_from_when_the_piece_was_put_down() -> None:
    clock = {"kind": "sudden", "minutes": 1}
    table = Scene(TIDES, clock=clock).hands("-c3 +c4 -c6@10000 +b5").run(until_ms=1000)
    assert table.play.session.plies == ("c3-c4", "c6-b5")
    assert table.play.clock.left_us[1] == 60_000_000 - 10_400_000


def test_a_ply_made_in_time_counts_though_the_flag_falls_before_it_is_sure() -> None:
    clock = {"kind": "sudden", "minutes": 1}
    scene = Scene(TIDES, clock=clock).hands("-c3 +c4 -c6@59500 +b5@400")
    assert scene.plies(until_ms=1000) == ["c3-c4", "c6-b5"]


def test_the_next_player_may_answer_before_the_first_hand_is_gone() -> None:
    assert plies(TIDES, "-c3 -c6 +c4 +b5", pace=120) == ["c3-c4", "c6-b5"]
    assert plies(GIANTS, "-c3 +c8 -e6@50 +f6", pace=120) == ["c3-c8", "e6-f6"]


def test_bounce_makes_no_ply() -> None:
    assert plies(TIDES, "-c3 +c3@2 -c3@1 +c4 -c4@2 +c4@3") == ["c3-c4"]
    assert plies(TIDES, "-c3 +c4 -c4@3 +d3") == ["c3-d3"]  # three milliseconds over c4 are no landing
    assert plies(TIDES, "-e3 -d3 +d3@2 -d3@3 +d3", "c3-d3") == []


def test_flanked_giants_are_a_chore_and_white_may_answer_at_once() -> None:
    # Black stays between two white stones: the giant on e4 is captured as White's turn begins.
    after = "e1-e3; f5-g4; d2-d4"
    scene = Scene(GIANTS, after=after).hands("-d6 +c7")
    table = scene.run()
    assert names(table, table.play.settled.pending_chores) == {"e4"}
    assert table.phase == "play"
    assert scene.hands("-c3 +c6").plies() == ["d6-c7", "c3-c6"]
    table = scene.hands("-e4").run()
    assert standing(table)
    assert table.play.settled.pending_chores == 0


def test_a_stone_may_be_put_where_a_captured_giant_still_stands() -> None:
    after = "e1-e3; f5-g4; d2-d4"
    assert Scene(GIANTS, after=after).hands("-d6 +c7 -d4 -e4 +e4").plies() == ["d6-c7", "d4-e4"]


CIRCLE = "circle"


def test_holding_a_unit_and_putting_it_back_changes_its_class() -> None:
    assert Scene(CIRCLE).hands("-c1 +c1@700").plies() == ["c1+"]
    assert Scene(CIRCLE).hands("-c1 +c1@300").plies() == []


def test_a_unit_that_is_put_back_once_it_has_been_asked_about_has_not_changed_its_class() -> None:
    after = "c2-d3; d3-e4; e4-f5; h7-g6; g6+"
    assert asked(Scene(CIRCLE, after=after).hands("-g6").run(3200)) == ["g6xf5"]
    assert Scene(CIRCLE, after=after).hands("-g6 +g6@3500").plies() == []


def test_a_unit_that_cannot_move_is_not_asked_back_while_it_may_change_its_class() -> None:
    after = (
        "b3-a2; c1-b1; a4-a5; i7-i8; h8-i7; i6-h5; a2-a1; d1-d2; h5-g6; h7-i6; a5-b4; d2-c3; g9+; i8-i9; b1+; c2-d3;"
        "g8+; g9-h9; b4-b3; a3-a2; f9-g9; i9+"
    )
    table = Scene(CIRCLE, after=after).hands("-a1").run()
    assert (table.advice, table.phase) == ("", "play")
    assert Scene(CIRCLE, after=after).hands("-a1 +a1@700").plies() == ["a1+"]


def test_the_next_players_go_ends_a_turn_that_could_go_on() -> None:
    scene = Scene(CIRCLE).hands("-c1 +d2")
    assert scene.plies() == ["c1-d2"]
    scene.hands("-g9")
    table = scene.run()
    assert table.play.verdict.possible  # the cells for the next player's unit are lit already
    assert scene.plies() == ["c1-d2"]
    assert scene.hands("+f8").plies() == ["c1-d2", "end", "g9-f8"]


def test_a_unit_put_back_where_it_came_from_takes_the_go_back() -> None:
    assert Scene(CIRCLE).hands("-c1 +d2 -d2 +c1").plies() == []


def test_a_go_stays_on_record_though_the_boards_piece_is_lifted_for_it_at_once() -> None:
    scene = Scene(CIRCLE, after="a3+; b3+", opponents={"levels": [0, 3]}).hands("-c1 +c1@700 -g9@20 +g9@1100")
    assert scene.plies() == ["c1+"]
    scene.order(do="board_plays", text="g9-f8", made=3).hands("-g9 +f8")
    assert scene.plies() == ["c1+", "g9-f8"]
    assert scene.order(do="take_back", to=3).plies() == ["c1+"]


def test_a_piece_of_ones_own_that_has_acted_ends_no_turn_while_it_is_up() -> None:
    """Against the board a turn is over once one of its pieces is lifted; the own one cannot move, and is put back."""
    after = "b2-b1; end; g8+; g9-h9; f9-e9; a3-b2"
    scene = Scene(CIRCLE, after=after, opponents={"levels": [0, 3]})
    assert scene.hands("-b2").plies(8000) == []
    assert scene.hands("+b2@3000 -g8").plies(8000) == ["end"]


def test_a_piece_that_goes_on_to_where_it_stood_long_before_takes_nothing_else_back() -> None:
    scene = Scene("tides-of-war", after="a5-a6; e3-e2; a6-b5; e2-e3").hands("-b5 +c4 -c4@700 +a5")
    assert scene.plies() == ["b5-a5"]


def test_a_question_is_answered_by_a_piece_on_a_choice_cell() -> None:
    # Two round trips take the same three stones; the hand did not stop on the way.
    scene = Scene(TIDES, after="e1-f1; f3-e2").hands("-f1 -e2 -e3 -f2 +f1")
    table = scene.run()
    texts = [f.text for f in table.play.verdict.asked]
    assert len(texts) > 1
    cell = {text: names(table, bit).pop() for bit, text in table.play.choices}
    scene.hands(f"+{cell[texts[1]]}")
    assert scene.plies() == [texts[1]]
    assert names(scene.run(), scene.run().play.settled.pending_chores) == {cell[texts[1]]}
    assert standing(scene.hands(f"-{cell[texts[1]]}").run())


CHESS = "tam-ruat-chess"


def test_h_a_replacement_faster_than_a_scan_is_asked_for_once_it_was_answered() -> None:
    scene = Scene(CHESS, after="d2-d4; e11-e9; d4-d5; e9-e8; d5-d6; e8-e7").hands("-d6")
    assert scene.plies() == []
    scene.hands("-a11 +a10")
    table = scene.run()
    assert [f.text for f in table.play.verdict.asked] == ["d6xe7"]
    assert scene.plies() == []
    scene.order(do="ply", text="d6xe7")
    assert scene.plies() == ["d6xe7", "a11-a10"]


def test_a_weak_magnet_is_not_believed_and_play_goes_on() -> None:
    scene = Scene(TIDES).hands("-a2 +a2@60 " * 7)
    table = scene.run(until_ms=100)
    assert names(table, table.weak) == {"a2"}
    assert table.phase == "play"
    scene.hands("-a2 -c3 +c4")  # it stays away now; the ply does not hang on it
    assert scene.plies() == ["c3-c4"]
    assert not scene.run(until_ms=30_000).weak


def test_a_ply_that_hangs_on_a_weak_magnet_is_asked_for() -> None:
    scene = Scene(TIDES).hands("-c3 +c3@60 " * 7 + "-c3 +c4")
    table = scene.run(until_ms=500)
    assert table.play.session.plies == ()
    assert [f.text for f in table.play.verdict.asked] == ["c3-c4"]
    assert scene.order(do="ply", text="c3-c4").plies() == ["c3-c4"]


def test_setting_up_again_after_the_end_begins_a_new_game() -> None:
    scene = Scene(TIDES, after="c3-d3").hands("-e3 -d3 -b2 +a1")
    assert scene.run().phase == "over"
    table = scene.hands("-a1 +b2 +c3 +e3").run()
    assert table.phase == "play"
    assert table.play.session.plies == ()


def test_a_game_that_ended_as_it_began_is_begun_anew_by_touching_it() -> None:
    there_and_back = "c3-c4; c6-b5; c4-c3; b5-c6; c3-c4; c6-b5; c4-c3; b5-c6"
    scene = Scene(TIDES, after=there_and_back)
    assert scene.run().phase == "over"
    assert scene.hands("-a2 +a2").run().play.session.plies == ()


BEACONS = "beacons"
TRIAL = {"template": "trial"}


def shell_turned() -> Scene:
    scene = Scene(BEACONS, TRIAL)
    before = scene.run().play.session.state
    game = scene.run().play.session.game
    after = game.play_text(before, "s a3 +")
    off, on = game.shape(before).keys() - game.shape(after).keys(), game.shape(after).keys() - game.shape(before).keys()
    return scene.hands(" ".join([f"-{name}@1" for name in sorted(off)] + [f"+{name}@1" for name in sorted(on)]))


def test_turning_a_shell_is_sensed_node_by_node() -> None:
    assert shell_turned().plies() == ["s a3 +"]


def test_taking_the_last_units_off_a_store_asks_what_it_was() -> None:
    table = Scene(BEACONS, TRIAL).hands("-a3").run()
    assert table.play.session.plies == ()
    assert "p a3 2 6" in [f.text for f in table.play.verdict.asked]


def test_a_chain_that_goes_on_after_it_won_is_asked_for() -> None:
    scene = Scene(TIDES, after="b3-c4; c5-b5; a3-b3; b6-a6; c3-d3").hands("-e3 +a1 -d3 -b2")
    assert scene.plies() == ["e3xc3xa1"]
    scene.hands("-b3 -b4 -c4")
    both = ["e3xc3xa3xc5xc3xa1", "e3xc3xc5xa3xc3xa1"]
    assert asked(scene.run()) == both
    for text in both:
        for told in answers(scene, text):
            table = told.run()
            assert (list(table.play.session.plies[5:]), table.phase, standing(table)) == ([text], "over", True)


def test_a_chain_that_goes_on_after_it_counted_is_no_answer_of_the_next_player() -> None:
    scene = Scene(TIDES, after="e1-f1; f3-e2").hands("-f1 +d3 -e2")
    assert scene.plies() == ["f1xd3"]
    scene.hands("-d3@900 +f1 -f2@900 -e3")
    assert [f.text for f in scene.run().play.verdict.asked] == ["f1xd3xf3xf1", "f1xf3xd3xf1"]
    scene.order(do="ply", text="f1xd3xf3xf1")
    assert scene.plies() == ["f1xd3xf3xf1"]
