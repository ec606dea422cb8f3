"""What a ply has cost, as the coach sees it."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace
from typing import Any

import pytest

from controller.engine.cannot_think import CannotThink
from controller.engine.coach import MUCH, PlyCost, judged
from controller.engine.judgement import weights_of
from controller.engine.player import ChosenPly, Player
from controller.engine.think import Costed, EngineQuestion, PipeLines, QuestionLoop, answer
from controller.rules.game import Illegal, Unreadable
from controller.rules.options import parse
from controller.rules.registry import advice_of, all_games, game_named
from tests.engine.tree import Position, Tree

TIDES = "tides-of-war"
QUIET = {  # features that tell nothing to a person who lost them
    "to_move", "black_to_move", "goes", "lost_king", "out", "few", "checked", "flanked", "tally",
    "escaped_flanked", "inside_1", "inside_2", "class_1",
    "beacons_to_come", "stock", "lightable", "in_reach", "regrowth",  # times the harvests to come, which nobody counts
}  # fmt: skip


def cost(plies: str, made: str, nodes: int = 3000, game: str = TIDES) -> Costed:
    found = answer(EngineQuestion(game=game, plies=plies.split(), made=made, nodes=nodes, seed=1), lambda: False)
    assert isinstance(found, Costed)
    return found


@pytest.mark.parametrize("name", all_games())
def test_what_a_program_counts_has_names_for_people(name: str) -> None:
    advice = advice_of(name)
    if advice is None:
        return
    assert set(advice.told) <= set(advice.names)
    counted = {feature for feature, weight in weights_of(name).items() if weight}
    assert counted - set(advice.told) <= QUIET
    assert all(advice.told.values())


@pytest.mark.parametrize("name", all_games())
def test_what_is_at_stake_has_a_name_and_a_worth(name: str) -> None:
    advice = advice_of(name)
    if advice is None:
        return
    assert advice.stakes, "else the coach would have nothing to tell"
    assert set(advice.stakes) <= set(advice.told)
    assert min(advice.stakes.values()) > 0


def test_stones_that_a_ply_leaves_to_be_jumped_over_are_named() -> None:
    found = cost("", "b3-c4").cost
    assert found.much
    assert found.loss >= MUCH
    assert (found.feature, found.theirs, found.end) == ("stones", False, "")
    assert found.now < found.could == 14


def test_a_ply_that_opens_the_own_town_is_told_as_lost() -> None:
    assert cost("", "c3-c4").cost.end == "lost"
    assert cost("c3-c4", "c6-b5").cost.end == "won"


def test_the_best_ply_costs_nothing() -> None:
    best = cost("", "c3-c4").ply
    found = cost("", best)
    assert (found.ply, found.cost.loss, found.cost.much) == (best, 0.0, False)


def test_a_ply_that_is_none_is_told_and_nothing_else_happens() -> None:
    with pytest.raises(Illegal, match="is not vacant"):
        cost("", "b2-b3")
    with pytest.raises(Unreadable):
        cost("", "castle")
    with pytest.raises(CannotThink):
        answer(EngineQuestion(game=TIDES, made="c3-c4", nodes=0), lambda: False)


def test_the_same_question_has_the_same_answer() -> None:
    one, other = cost("", "b3-c4"), cost("", "b3-c4")
    assert (one.ply, one.value, one.cost, one.nodes) == (other.ply, other.value, other.cost, other.nodes)


def test_after_a_secret_ply_nothing_is_judged() -> None:
    game = game_named("beacons")
    options = parse(game.options, {})
    state = game.start(options, 1)
    assert game.secret is not None
    assert game.secret(state)
    player = Player(game, options.players)
    made: Any = game.plies(state)[0]
    found = judged(player, state, made, 1, 300, lambda part: lambda: False)
    assert (found.cost.loss, found.cost.feature) == (0.0, "")


def test_a_line_of_the_process_has_what_a_ply_cost() -> None:
    out = io.BytesIO()
    thinker = QuestionLoop(PipeLines(0), out)
    thinker.lines.over = True
    asked = {"id": 7, "game": TIDES, "made": "b3-c4", "nodes": 1500}
    thinker.lines.waiting.append(json.dumps(asked).encode())
    thinker.run()
    said = json.loads(out.getvalue())
    assert said["id"] == 7
    assert said["cost"]["much"] is True


# ---- in a game that fits on one hand --------------------------------------------------------------------------


def told(best: Position, made: Position, part: Any = None, stakes: Any = None) -> PlyCost:
    """Return what "made" has cost where "best" is the best ply, both with a position that they lead to.

    ``part`` says in which part of the game a position is, ``stakes`` what one of a feature is worth to people.
    """
    tree = Tree({"worth": 0.5, "best": best, "made": made})
    choice = ChosenPly("best", 2 * best["worth"] - 1, ("best",), 10)
    advice = SimpleNamespace(names=NAMES, stakes=stakes, count=tree.count, part=part)
    player: Any = SimpleNamespace(
        game=tree, seats=2, judge=tree.judge, advice=advice, thinks_of=None, choose=lambda *given: choice
    )
    return judged(player, tree.root, "made", 1, 40, lambda part: lambda: False).cost


NAMES = ("stones", "towns", "pace")
STAKES = {"stones": 1000, "towns": 4000}  # pace is none: nobody feels it
SAME = [(14, 2, 5), (14, 2, 5)]  # what each of the two has of these


def at(worth: float, *rows: tuple[int, int, int], **below: Any) -> Position:
    return {"worth": worth, "has": rows or SAME, **below}


def test_a_quarter_of_the_game_is_much_and_less_is_not() -> None:
    assert told(at(0.5), at(0.37)).much
    assert told(at(0.5), at(0.37)).loss == pytest.approx(0.26)
    assert not told(at(0.5), at(0.38)).much
    assert told(at(0.5), at(0.38)).loss == pytest.approx(0.24)
    assert told(at(0.4), at(0.5)).loss == 0.0, "it was better than what looked best"


def test_who_still_wins_is_told_nothing() -> None:
    assert not told(at(0.95), at(0.76)).much
    assert told(at(0.95), at(0.74)).much


def test_where_all_is_lost_no_move_is_blamed() -> None:
    assert not told(at(0.12), at(0.011)).much


def test_a_win_let_go_and_a_loss_allowed_are_told_apart_from_a_worse_position() -> None:
    assert told(at(0.9), at(0.3)).end == ""
    assert told(at(0.6), at(0.3, mate={"worth": 0.3, "winner": 1})).end == "lost"
    won_at_once = at(0.9, winner=0)
    assert told(won_at_once, at(0.3)).end == "won"
    assert told(won_at_once, at(0.3)).loss == pytest.approx(1.4, abs=0.001)


def cost_of_having(*rows: tuple[int, int, int], stakes: Any = STAKES) -> PlyCost:
    """Return what is told of a bad ply after which, some plies later, both have this."""
    return told(at(0.5), at(0.3, *rows), stakes=stakes)


def named(cost: PlyCost) -> tuple[str, int, int, bool]:
    return cost.feature, cost.now, cost.could, cost.theirs


def test_the_stake_of_which_most_is_lost_is_named_with_what_is_left_of_it() -> None:
    assert named(cost_of_having((11, 2, 5), (14, 2, 5))) == ("stones", 11, 14, False)
    assert named(cost_of_having((11, 1, 5), (14, 2, 5))) == ("towns", 1, 2, False), "worth more than three stones"
    assert named(cost_of_having((14, 2, 5), (14, 3, 5))) == ("towns", 3, 2, True), "the other one's, which has grown"
    assert named(cost_of_having((13, 2, 1), (14, 2, 5))) == ("stones", 13, 14, False), "pace is no stake"


def test_of_what_nobody_feels_the_coach_is_silent() -> None:
    """It fell by a quarter of the game as the board judges, and yet neither stone nor town is lost."""
    soft = cost_of_having((14, 2, 1), (14, 2, 5))
    assert (soft.much, soft.feature) == (False, "")
    assert soft.loss >= MUCH
    exchanged = cost_of_having((13, 2, 5), (13, 2, 5))
    assert not exchanged.much, "a stone for a stone"
    assert cost_of_having((14, 2, 1), stakes={}).much, "of a game without stakes nobody knows what is felt"


def test_what_is_won_back_in_the_line_is_not_lost() -> None:
    back = at(0.3, (13, 2, 5), (14, 2, 5), reply=at(0.3, (13, 2, 5), (14, 2, 5), again=at(0.3)))
    kept = at(0.5, reply=at(0.5, reply=at(0.5)))
    assert not told(kept, back, stakes=STAKES).much
    lasting = at(
        0.3, (13, 2, 5), (14, 2, 5), reply=at(0.3, (13, 2, 5), (14, 2, 5), again=at(0.3, (13, 2, 5), (14, 2, 5)))
    )
    assert named(told(kept, lasting, stakes=STAKES)) == ("stones", 13, 14, False)


def test_counts_are_compared_within_a_part_of_the_game_alone() -> None:
    """A harvest that comes with one line and not yet with the other brings everybody much, and says nothing."""
    best, made = at(0.5), at(0.3, (14, 2, 5), (40, 2, 5))
    assert told(best, made, stakes=STAKES).feature == "stones"
    harvested = told(best, made, part=lambda state: state[0]["has"] == SAME, stakes=STAKES)
    assert (harvested.much, harvested.feature) == (False, "")


class TwoPlies(Tree):
    """A game in which each turn has two plies."""

    def seat(self, state: tuple[Position, int]) -> int:
        return state[1] // 2 % self.seats


def cost_of_turn(*turn: str) -> PlyCost:
    """Return what a turn has cost in which the best is to save first: what is saved looks well until the turn ends."""
    saved, paid = at(0.95, end=at(0.5)), at(0.1, build=at(0.5), end=at(0.1))
    tree = TwoPlies({"worth": 0.5, "save": saved, "pay": paid})

    def choose(state: Any, *given: Any) -> ChosenPly:
        ply = tree.moves(state)[0]
        return ChosenPly(ply, 0.0, (ply,), 10)

    advice = SimpleNamespace(names=NAMES, stakes={}, count=tree.count, part=None)
    player: Any = SimpleNamespace(game=tree, seats=2, judge=tree.judge, advice=advice, thinks_of=None, choose=choose)
    return judged(player, tree.root, turn[-1], 1, 400, lambda part: lambda: False, turn[:-1]).cost


def test_a_turn_is_judged_by_what_it_ends_in() -> None:
    assert cost_of_turn("pay", "build").loss == 0.0, "what was paid has come back as a beacon"
    assert cost_of_turn("pay", "end").much
    assert cost_of_turn("save", "end").loss == 0.0


def test_half_of_what_may_be_looked_at_goes_to_the_best_ply_and_the_rest_to_both_lines() -> None:
    asked, until = list[int](), list[float]()
    tree = Tree({"worth": 0.5, "best": at(0.5), "made": at(0.3)})

    def choose(state: Any, level: Any, seed: int, nodes: int, stop: Any) -> ChosenPly:
        asked.append(nodes)
        return ChosenPly("best", 0.0, ("best",), nodes)

    def stop_after(part: float) -> Any:
        until.append(part)
        return lambda: False

    advice = SimpleNamespace(names=NAMES, stakes={}, count=tree.count, part=None)
    player: Any = SimpleNamespace(game=tree, seats=2, judge=tree.judge, advice=advice, thinks_of=None, choose=choose)
    found = judged(player, tree.root, "made", 1, 400, stop_after)
    assert asked == [200]
    assert until == [0.5, 0.75, 1.0], "and so does the time"
    assert 390 <= found.nodes <= 410


def test_the_answer_to_fear_is_named_where_another_seat_has_one() -> None:
    assert cost("", "c3-c4").cost.answer == "c5xc3xa1"
    feared = cost("", "b3-c4").cost.answer
    assert "x" in feared
    game = game_named(TIDES)
    game.play_text(game.play_text(game.start(game.options(), 0), "b3-c4"), feared)
    assert cost("", cost("", "c3-c4").ply).cost.answer == ""  # the best ply needs no fear
