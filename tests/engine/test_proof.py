"""The search for a win by force, in a game that fits on one hand: whatever the other one answers, and the nearest."""

from __future__ import annotations

from typing import Any, cast

from controller.engine.proof import Proof
from controller.rules.game import AnyGame
from tests.engine.tree import Position, Tree

WON, LOST = {"worth": 1.0, "winner": 0}, {"worth": 0.0, "winner": 1}
QUIET: Position = {"worth": 0.5}  # it goes on for ever


def proof_of(root: Position, nodes: int = 300) -> Proof:
    tree = Tree(root)
    proof = Proof(cast(AnyGame, tree), tree.root)
    proof.run(nodes, lambda: False)
    return proof


def after(**answers: Any) -> Position:
    return {"worth": 0.5, **answers}


MATE_NEXT = after(wait=QUIET, mate=WON)


def test_a_win_at_hand_is_proved_by_looking_at_the_moves_alone() -> None:
    proof = proof_of(after(wait=QUIET, win=WON))
    assert (proof.line(), proof.looked_at) == (("win",), 2)


def test_a_win_against_every_answer_is_proved_whatever_it_costs() -> None:
    proof = proof_of(after(wait=QUIET, give=after(take=MATE_NEXT, run=MATE_NEXT)))
    assert proof.line()[0] == "give"
    assert proof.line()[1] in ("take", "run")
    assert proof.line()[2:] == ("mate",)


def test_one_answer_that_escapes_is_enough_that_nothing_is_proved() -> None:
    proof = proof_of(after(wait=QUIET, give=after(take=MATE_NEXT, run=QUIET)))
    assert proof.line() == ()
    assert 250 <= proof.looked_at <= 310, "it has looked as far as it may"


def test_an_answer_that_wins_for_the_other_one_proves_nothing_and_ends_the_search() -> None:
    proof = proof_of(after(give=after(take=MATE_NEXT, strike=LOST), wait=LOST))
    assert proof.line() == ()
    assert proof.looked_at < 10, "there is nothing left to look at"


def test_a_draw_is_no_win() -> None:
    proof = proof_of(after(draw={"worth": 0.5, "winner": None}))
    assert (proof.line(), proof.looked_at) == ((), 1)


def test_the_nearest_win_is_found_though_a_farther_one_leaves_fewer_answers() -> None:
    """Forcing is one answer to each of its moves; the direct way leaves two, and is four plies shorter."""
    forced = after(only=after(on=after(only=after(on=after(only=after(mate=WON))))))
    direct = after(left=after(mate=WON), right=after(mate=WON))
    proof = proof_of(after(force=forced, direct=direct))
    assert proof.line()[0] == "direct"
    assert len(proof.line()) == 3


def test_where_there_is_no_nearer_win_it_looks_farther_until_it_may_look_no_more() -> None:
    deep = after(only=after(on=after(only=after(mate=WON))))
    assert len(proof_of(after(force=deep)).line()) == 5
    assert proof_of(after(force=deep), nodes=3).line() == ()


def test_it_goes_on_where_it_was_left_and_stops_when_told() -> None:
    tree = Tree(after(force=after(only=after(on=after(only=after(mate=WON))))))
    proof = Proof(cast(AnyGame, tree), tree.root)
    proof.run(300, lambda: True)
    assert proof.looked_at == 0
    for nodes in range(1, 30):
        proof.run(nodes, lambda: False)
    assert proof.line()[-1] == "mate"
    looked = proof.looked_at
    proof.run(1000, lambda: False)
    assert proof.looked_at == looked, "it is proved"


def test_it_looks_at_no_position_more_than_it_may() -> None:
    """But for the answers to the one that it has opened, which are looked at together."""
    tree = Tree(after(wait=QUIET, give=after(take=MATE_NEXT, run=QUIET)))
    proof = Proof(cast(AnyGame, tree), tree.root)
    for _ in range(20):
        proof.run(proof.looked_at, lambda: False)
        before = proof.looked_at
        proof.run(before + 1, lambda: False)
        assert before < proof.looked_at <= before + 2, "one position was opened, and none has more than two answers"
