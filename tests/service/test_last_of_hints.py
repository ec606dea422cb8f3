"""Which plies a hint shows only where no other is as good, and what follows for who is helped through a game."""

from __future__ import annotations

import pytest

from controller.engine.think import EngineQuestion, answer
from controller.rules.registry import game_named
from controller.service.thinking.last_of_hints import last_of_hints
from controller.table.state import Play
from tests.table.scenes import Scene

NODES = 1500


def after(game: str, plies: str) -> Play:
    play = Scene(game, after=plies).run(10).play
    assert play is not None
    return play


def last(game: str, plies: str) -> set[str]:
    return set(last_of_hints(after(game, plies)))


def test_a_piece_is_not_led_back_to_where_it_has_been_in_the_last_turns() -> None:
    assert last("tides-of-war", "b4-c4; f2-f1") == {"c4-b4"}
    assert last("tides-of-war", "b4-c4; f2-f1; c4-b5; f1-f2") == {"b5-b4", "b5-c4"}
    later = "b4-c4; f2-f1; a5-a6; f1-f2; a6-a5; f2-f1; a5-a6; f1-f2"
    assert last("tides-of-war", later) == {"a6-a5"}  # what moved four turns ago may go where it was


def legal(game: str, plies: str) -> tuple[str, ...]:
    return tuple(ply.text for ply in after(game, plies).settled.position.footprints)


def test_what_others_have_moved_may_be_moved_anyhow() -> None:
    assert last("tides-of-war", "") == last("tides-of-war", "b3-c4") == set()


def test_a_class_change_for_which_nothing_speaks_comes_last_and_after_two_every_one() -> None:
    assert last("circle", "b2+; a3-b4; b2+; i6+; i7+; i6+") == {"b2+", "b4-a3"}  # to class 4, which beats few
    assert last("circle", "b2+; c1+") == {text for text in legal("circle", "b2+; c1+") if text.endswith("+")}


def test_units_are_not_sent_back_in_the_round_in_which_others_were_sent_that_way() -> None:
    game, scene = game_named("beacons"), Scene("beacons", {"start": "a3:1x6 a3=101010 a4:1x6 e3:2x6"})
    play = scene.run(10).play
    assert play is not None
    state = play.session.state
    there = next(ply for ply in game.plies(state) if game.sent(state, ply) == ("a3", "a4"))
    later = Scene("beacons", {"start": "a3:1x6 a3=101010 a4:1x6 e3:2x6"}, after=game.text(state, there)).run(10).play
    assert later is not None
    found = last_of_hints(later)
    assert found
    assert {text.split()[1:3] == ["a4", "a3"] for text in found} == {True}
    assert last_of_hints(play) == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_who_follows_the_hints_in_circle_marches_after_two_class_changes_at_most(seed: int) -> None:
    plies: list[str] = []
    for made in range(9):
        play = after("circle", "; ".join(plies))
        if play.session.mover != 0:
            break
        question = EngineQuestion(
            game="circle", plies=plies, nodes=NODES, seed=seed + made, best=True, last=list(last_of_hints(play))
        )
        plies.append(answer(question, lambda: False).ply)
    changes = "".join("+" if ply.endswith("+") else "-" for ply in plies)
    assert "-" in changes
    assert "+++" not in changes
