"""Which plies a hint shows only where no other is as good, and what follows for who is helped through a game."""

from __future__ import annotations

import pytest

from controller.engine.think import EngineQuestion, answer
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


def test_where_much_hangs_on_it_a_ply_is_made_whatever_was_shown_before() -> None:
    assert last("beacons", "bid 6 6; bid 6 6") == set()  # its units are no pieces that go to and fro


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
