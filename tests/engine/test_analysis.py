"""Looking at finished games: the chances, what turned them, how that is told, and the process that does it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.engine.analysing import Played, look_at, opened
from controller.engine.cannot_think import CannotThink
from controller.engine.judgement import lost, won
from controller.engine.player import Player
from controller.engine.puzzles import stands_out
from controller.engine.turning_points import (
    APART,
    Fall,
    calm_in_words,
    given_back,
    proves,
    turn_in_words,
    turning_points,
)
from controller.rules.game import Illegal, Result
from controller.rules.registry import all_games, game_named

TIDES = "tides-of-war"
EVEN = (0.5, 0.5)
# White jumps and jumps, and Black's third move lets the winner into the town: c5xc3xa1 was there for Black before.
GIFT = ("c3-c4", "c6-b5", "c4xa6")
COMMAND = [sys.executable, "-m", "controller", "analyse", "--lines"]


def fall(number: int, before: float, after: float, seat: int = 0) -> Fall:
    return Fall(number, seat, before, after, "a1-a2")


def test_the_three_worst_are_the_turning_points_in_the_order_of_the_game() -> None:
    falls = [fall(40, 0.6, 0.3), fall(3, 0.5, 0.35), fall(20, 0.9, 0.1), fall(30, 0.5, 0.25), fall(50, 0.5, 0.32)]
    assert [turn.number for turn in turning_points(falls, EVEN)] == [20, 30, 40]


def test_of_two_that_lie_close_together_one_is_told() -> None:
    close = [fall(20, 0.9, 0.1), fall(20 + APART - 1, 0.3, 0.1), fall(20 - APART, 0.4, 0.2)]
    assert [turn.number for turn in turning_points(close, EVEN)] == [15, 20]
    close[1] = fall(20 + APART - 1, 0.3, 0.1, seat=1)
    assert [turn.number for turn in turning_points(close, EVEN)] == [15, 20]


def test_who_got_back_what_one_mistake_had_cost_made_another_soon_after() -> None:
    falls = [fall(1, 0.5, 0), fall(3, 0.6, 0.2), fall(5, 0.45, 0.02), fall(15, 0.09, 0)]
    assert [turn.number for turn in turning_points(falls, (0, 1))] == [1, 3, 15]


def test_the_mistake_that_decided_is_told_even_just_after_as_bad_a_one() -> None:
    falls = [fall(10, 0.9, 0.1), fall(18, 1, 0, seat=1), fall(19, 1, 0), fall(23, 0.2, 0.05)]
    assert [turn.number for turn in turning_points(falls, (0, 1))] == [10, 19]  # 23 came too late to decide
    assert [turn.number for turn in turning_points(falls, EVEN)] == [10, 18, 23]


def test_the_mistake_that_lost_by_force_is_told_whatever_chance_was_left() -> None:
    worst = [fall(10, 0.9, 0.1, seat=1), fall(16, 0.9, 0.2, seat=1), fall(22, 0.9, 0.3, seat=1)]
    assert [turn.number for turn in turning_points([*worst, fall(31, 0.4, 0)], (0, 1))] == [10, 16, 31]
    assert [turn.number for turn in turning_points([fall(28, 0.6, 0.4), fall(31, 0.4, 0)], (0, 1))] == [31]
    assert [turn.number for turn in turning_points([*worst, fall(31, 0.08, 0)], (0, 1))] == [10, 16, 31]
    assert [turn.number for turn in turning_points([*worst, fall(31, 0.45, 0.2)], (0.1, 0.9))] == [10, 16, 31]


def test_what_changed_little_is_none() -> None:
    assert turning_points([fall(9, 0.5, 0.41)], EVEN) == ()


def test_who_had_next_to_nothing_left_did_not_turn_the_game_by_losing_it() -> None:
    assert turning_points([fall(20, 0.6, 0.1), fall(125, 0.03, 0)], (0, 1)) == (fall(20, 0.6, 0.1),)


def test_where_a_lost_seat_was_let_back_the_ply_is_found_that_did_so() -> None:
    chances = [(white, 1 - white) for white in (0.5, 0.5, 0.1, 0.1, 0.12, 0.4, 0.42, 0.2)]
    lost, again = fall(2, 0.5, 0.1), fall(7, 0.42, 0.2)
    assert given_back(chances, lost, again) == 5
    assert given_back(chances, lost, fall(7, 0.15, 0.0)) is None  # what came back is little
    assert given_back(chances, fall(2, 0.9, 0.1, seat=1), again) is None  # that was the other's own mistake
    assert given_back(chances, lost, fall(3, 0.42, 0.2)) is None  # nothing was played between them


def slow(*whites: float) -> str:
    return calm_in_words([(white, 1 - white) for white in whites], ("White", "Black"))


def test_a_chance_that_slipped_away_bit_by_bit_is_told_by_its_worst_ten_moves() -> None:
    kept, going = [0.6] * 20, [*(0.6 - 0.01 * n for n in range(1, 6)), *(0.55 - 0.025 * n for n in range(1, 11))]
    told = "No single move changed much. From move {} to move {} the chance of {} slipped from {}% to {}%."
    assert slow(*kept, *going) == told.format(25, 34, "White", 55, 30)
    assert slow(*kept, 0.62, 0.66, 0.72, *[0.74] * 20) == told.format(20, 23, "Black", 40, 26)


def test_a_game_in_which_nothing_slipped_is_only_called_calm() -> None:
    assert slow(*[0.6 - 0.009 * n for n in range(20)]) == "No single move changed much."
    assert slow(0.5) == "No single move changed much."


def test_a_game_of_points_is_told_by_who_led_after_each_of_them() -> None:
    results = [Result(scores=each) for each in ((0, 0), (0, 0), (2, 2), (2, 2), (2, 5))]
    even = [(0.5, 0.5)] * len(results)
    told = calm_in_words(even, ("Mara", "Jonas"), results)
    assert told == "After move 2 nobody led: the most points were 2. After move 4 Jonas led 5 to 2."
    assert calm_in_words(even, ("Mara", "Jonas"), results[:2]) == "No single move changed much."
    three = [Result(scores=(0, 0, 0)), Result(scores=(1, 4, 3))]
    assert calm_in_words([(1 / 3,) * 3] * 2, ("A", "B", "C"), three) == "After move 1 B led 4 to 3."
    assert calm_in_words(even, ("Mara", "Jonas"), [Result()] * 3) == "No single move changed much."


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        (
            fall(7, 0.72, 0.31),
            "Move 7, White: “c3-c4” lowered the chance to win from 72% to 31%; better was “d2-d3”.",
        ),
        (fall(7, 1.0, 0.0), "Move 7, White: “d2-d3” would have won; “c3-c4” gave the win away."),
        (fall(7, 1.0, 0.31), "Move 7, White: “d2-d3” would have won; “c3-c4” left a chance of 31%."),
        (
            fall(7, 0.72, 0.0),
            "Move 7, White: “c3-c4” lost by force; “d2-d3” would have kept a chance of 72%.",
        ),
    ],
)
def test_a_turning_point_in_words(turn: Fall, sentence: str) -> None:
    assert turn_in_words(turn, "White", "c3-c4", "d2-d3", proven=True) == sentence


@pytest.mark.parametrize(
    ("before", "after", "told"), [(1.0, 0.0, (99, 1)), (0.28, 0.0, (28, 1)), (1.0, 0.31, (99, 31))]
)
def test_nothing_is_told_as_certain_that_the_search_has_not_proven(
    before: float, after: float, told: tuple[int, int]
) -> None:
    sentence = "Move 7, White: “c3-c4” lowered the chance to win from {}% to {}%; better was “d2-d3”."
    assert turn_in_words(fall(7, before, after), "White", "c3-c4", "d2-d3", proven=False) == sentence.format(*told)


def test_a_win_at_once_is_certain_also_where_the_search_proves_nothing() -> None:
    at_once = Fall(7, 0, 0.99999, 0.2, "d2-d3", ("d2-d3",))
    assert "“d2-d3” would have won at once;" in turn_in_words(at_once, "White", "c3-c4", "d2-d3", proven=False)


def test_a_search_proves_a_win_with_two_seats_where_it_looks_behind_every_ply() -> None:
    assert proves(game_named(TIDES), 2)
    assert not proves(game_named("circle"), 4)  # each of the others might want something else than its own best
    assert not proves(game_named("beacons"), 2)  # plies that no good player would make are left out


def test_a_win_that_was_left_is_found_with_the_move_that_wins() -> None:
    analysis = look_at(Played(TIDES, plies=GIFT))
    assert len(analysis.chances) == 4
    assert all(sum(chances) == pytest.approx(1) for chances in analysis.chances)
    assert won(analysis.chances[1][1])  # with the best move, from Black's side
    (turn,) = analysis.turns
    assert (turn.number, turn.seat, turn.better) == (2, 1, "c5xc3xa1")
    assert turn.after < 0.5 < turn.before
    assert turn.aim == "once"  # it can be set as a puzzle


# A family's game: White could have gone into the town with its third move, and with others could still have won later.
TOWN = "d2-d3 e3-d2 c2xe2 d4-c4 b2-c2 f2xd2xd4 c1-d2 b6-a6 d1-e2 e4-e3 b4-b5 d4xb2 b5-b4 e3xc1xa1"


def test_a_win_at_once_that_was_left_is_a_puzzle_even_where_others_win_by_force() -> None:
    played = Played(TIDES, plies=tuple(TOWN.split()))
    game, states, _, _ = opened(played)
    turn = next(each for each in look_at(played).turns if each.better == "b4xd4xf6")
    state = states[turn.number - 1]
    assert stands_out(Player(game, 2), state, game.read(state, turn.better), 1) == (None, ())
    assert turn.aim == "once"


# White can jump into the town with its fourth move, steps elsewhere and gives up.
LET_GO = "c2-d3 d5-c4 d3xd5 c4xc2 d5xb5 e4-d3 "


@pytest.mark.parametrize("rest", ["b5-a6 d3-d4", "b5-c4 e5-d4 c4xe4 f4xd4"])
def test_of_who_gave_up_the_win_at_once_that_was_let_go_is_told(rest: str) -> None:
    found = look_at(Played(TIDES, plies=tuple((LET_GO + rest).split()), winner=2))
    turn = next(each for each in found.turns if each.number == 7)
    assert (turn.seat, turn.better, turn.aim, turn.once) == (0, "d2xd4xf6", "once", True)
    told = turn_in_words(turn, "Ann", "b5 to a6", "d2 to d4, then to f6", proven=True)
    assert told.startswith("Move 7, Ann: “d2 to d4, then to f6” would have won at once; ")


def test_a_win_at_once_that_was_let_go_is_told_even_where_it_was_still_to_be_had() -> None:
    """As a shallow search sees it: what follows is worth as much, and the game is given up."""
    plies = (*LET_GO.split(), "b5-a6")
    found = look_at(Played(TIDES, plies=plies, winner=2, nodes=5000))
    assert found.chances[6] == pytest.approx((1, 0))
    assert [(turn.number, turn.seat, turn.aim) for turn in found.turns if turn.seat == 0] == [(7, 0, "once")]
    later = Fall(7, 0, 0.99999, 0.9999, "d2xd4xf6", ("d2xd4xf6",))
    told = turn_in_words(later, "Ann", "b5 to a6", "d2 to d4", proven=True)
    assert told == "Move 7, Ann: “d2 to d4” would have won at once; “b5 to a6” put that off."
    assert turning_points([later], (0, 1)) == (later,)
    assert turning_points([later], (1, 0)) == ()  # who won in the end has let nothing go


def test_a_seat_that_is_not_there_has_won_nothing() -> None:
    with pytest.raises(CannotThink, match="there is no seat 3"):
        look_at(Played(TIDES, plies=GIFT, winner=3))


# Black's fifth move lets a giant be slain, where the one on f3 could have trampled two halogai. Soon all are slain.
SLAIN = (
    "b4-d4 f5-g4 a7-c7 d5xd3 g1-g3 g4-g5 i2-g4 f4-f3 d9-h5 e6-f5 e1-e3 f3xd3 "
    "g7-d7 d6-e6 c9-f6 f5xf7 i3-e7 e6xc8 h6-f6 e4-e3 h1-e4 e3-f2 i1-g1 f2-f3"
)


def test_giantslayer_begins_open_so_that_giants_given_away_turn_it() -> None:
    found = look_at(Played(game="giantslayer", plies=tuple(SLAIN.split()), nodes=60))
    assert 0.2 < found.chances[0][0] < 0.6  # it was 0.88, and whatever Black lost then was next to nothing
    turn = next(each for each in found.turns if each.number == 10)
    assert (turn.seat, turn.better) == (1, "f3xh3xf5")
    assert turn.before - turn.after > 0.3


def test_where_several_moves_are_as_good_nothing_is_a_puzzle() -> None:
    game, states, _, _ = opened(Played("tam-ruat-chess", {}, 0, some_plies("tam-ruat-chess", 2)))
    for best in game.plies(states[0])[:3]:
        assert stands_out(Player(game, 2), states[0], best, 1) == (None, ())


def test_the_same_game_is_judged_the_same_again() -> None:
    assert look_at(Played(TIDES, plies=GIFT, nodes=300)) == look_at(Played(TIDES, plies=GIFT, nodes=300))


def some_plies(name: str, count: int) -> tuple[str, ...]:
    game, dice = game_named(name), random.Random(5)
    state = game.start(game.options(), 0)
    made: list[str] = []
    while game.seat(state) is not None and len(made) < count:
        ply = dice.choice(game.plies(state))
        made.append(game.text(state, ply))
        state = game.after(state, ply)
    return tuple(made)


@pytest.mark.parametrize("name", all_games())
def test_every_game_can_be_looked_at_also_where_moves_were_secret(name: str) -> None:
    plies = some_plies(name, 14)
    game, states, _, _ = opened(Played(name, {}, 0, plies))
    analysis = look_at(Played(name, {}, 0, plies, nodes=60))
    assert len(analysis.chances) == len(plies) + 1
    assert all(-1e-9 <= chance <= 1 + 1e-9 for chances in analysis.chances for chance in chances)
    for turn in analysis.turns:
        before = states[turn.number - 1]
        assert not (game.secret and game.secret(before))
        assert turn.better in [game.text(before, ply) for ply in game.plies(before)]


def test_the_curve_of_beacons_moves_once_in_a_turn_where_it_left_the_best_one() -> None:
    plies = some_plies("beacons", 40)
    _, states, _, _ = opened(Played("beacons", {}, 0, plies))
    analysis = look_at(Played("beacons", {}, 0, plies, nodes=60))
    seats = [game_named("beacons").seat(state) for state in states]
    moves = [number for number in range(1, len(plies)) if analysis.chances[number] != analysis.chances[number - 1]]
    turns = [sum(seats[n] != seats[n - 1] for n in range(1, number)) for number in moves]
    assert len(moves) > 1
    assert len(turns) == len(set(turns)), "each fell in another turn"


def test_a_game_that_was_won_ends_at_certainty() -> None:
    plies = ("c3-c4", "c6-b5", "c2-d3", "c5xc3xa1")
    analysis = look_at(Played(TIDES, plies=plies))
    assert won(analysis.chances[-1][1])
    assert lost(analysis.chances[-1][0])


def test_what_cannot_be_looked_at_says_why() -> None:
    with pytest.raises(CannotThink, match="nothing to analyse"):
        look_at(Played(TIDES, plies=("c3-c4",)))
    with pytest.raises(Illegal, match="move 2, 'c6-c4'"):
        look_at(Played(TIDES, plies=("c3-c4", "c6-c4")))


# ---- the process ------------------------------------------------------------------------------------------


def asked(*lines: object) -> list[dict[str, Any]]:
    given = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(given)
        process.stdin.flush()
        said: list[dict[str, Any]] = []
        wanted = sum(1 for line in lines if not (isinstance(line, dict) and "hold" in line))
        while sum(1 for each in said if "error" in each or "analysis" in each) < wanted:
            said.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        assert process.wait(60) == 0  # it is nice to all others, which are many here
    return said


def test_the_process_tells_how_far_it_is_and_goes_on_after_what_is_wrong() -> None:
    game = {"game": TIDES, "plies": GIFT, "nodes": 300}
    said = asked("no JSON", {"game": "ludo", "plies": GIFT}, {**game, "plies": ["c3-c4", "x"]}, game)
    errors = [each["error"] for each in said if "error" in each]
    assert len(errors) == 3
    assert "ludo" in errors[1]
    assert "move 2, 'x'" in errors[2]
    assert [each["done"] for each in said if "done" in each][:4] == [1, 2, 3, 4]
    assert said[-1]["analysis"]["turns"][0]["better"] == "c5xc3xa1"


def test_work_that_is_held_goes_on_when_it_may() -> None:
    game = {"game": TIDES, "plies": GIFT, "nodes": 300}
    assert "analysis" in asked({"hold": True}, game, {"hold": False})[-1]


# ---- the command ------------------------------------------------------------------------------------------


def analysed(path: Path, text: str) -> tuple[int, str]:
    path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["analyse", str(path), "--nodes", "300"])
    return done.exit_code, done.output


def test_the_command_prints_the_curve_and_the_turning_points(tmp_path: Path) -> None:
    status, said = analysed(tmp_path / "game.txt", f"game: {TIDES}\nplies: {'; '.join(GIFT)}\n")
    lines = said.splitlines()
    assert status == 0
    assert lines[0].split() == ["move", "White", "Black"]
    assert [line.split()[0] for line in lines[1:5]] == ["0", "1", "2", "3"]
    won = "Move 2, Black: “c5 to c3, then to a1, takes c4 and b2” would have won at once; “c6 to b5” left a "
    assert lines[5].startswith(won)


def test_the_command_says_that_a_game_had_no_turning_point(tmp_path: Path) -> None:
    status, said = analysed(tmp_path / "game.txt", f"game: {TIDES}\nplies: a5-a6; f2-f1\n")
    curve, last = said.splitlines()[:-1], said.splitlines()[-1]
    assert (status, len(curve)) == (0, 4)
    assert last.startswith("No single move changed much.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("game: ludo\nplies: a1-a2; a2-a3\n", "unknown game 'ludo'"),
        (f"game: {TIDES}\nplies: c3-c4\n", "there is nothing to analyse before the second move"),
        (f"game: {TIDES}\nplies: c3-c4; c6-c4\n", "move 2, 'c6-c4'"),
        ('{"game": "tides-of-war"}\n{"t_us": 1, "si', "line 2"),
        ("not a game", "line 1"),
    ],
)
def test_the_command_refuses_in_one_sentence(tmp_path: Path, text: str, why: str) -> None:
    status, said = analysed(tmp_path / "game.txt", text)
    assert status == 2
    assert said.startswith("beaconboard: ")
    assert why in said
    assert said.count("\n") == 1
