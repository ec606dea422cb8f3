"""What a ply has cost, as the coach sees it."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from controller.engine.coach import MUCH, judged
from controller.engine.judgement import weights_of
from controller.engine.player import Player
from controller.engine.think import BadRequest, Costed, Lines, Request, Thinker, answer
from controller.rules.game import Illegal, Unreadable
from controller.rules.options import parse
from controller.rules.registry import advice_of, all_games, game_named

TIDES = "tides-of-war"
QUIET = {  # features that tell nothing to a person who lost them
    "to_move", "black_to_move", "goes", "king", "lost_king", "out", "few", "checked", "flanked", "tally",
    "escaped_flanked", "inside_1", "inside_2", "class_1",
}  # fmt: skip


def cost(plies: str, made: str, nodes: int = 3000, game: str = TIDES) -> Costed:
    found = answer(Request(game=game, plies=plies.split(), made=made, nodes=nodes, seed=1), lambda: False)
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
    with pytest.raises(BadRequest):
        answer(Request(game=TIDES, made="c3-c4", nodes=0), lambda: False)


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
    thinker = Thinker(Lines(0), out)
    thinker.lines.over = True
    asked = {"id": 7, "game": TIDES, "made": "b3-c4", "nodes": 1500}
    thinker.lines.waiting.append(json.dumps(asked).encode())
    thinker.run()
    said = json.loads(out.getvalue())
    assert said["id"] == 7
    assert said["cost"]["much"] is True
