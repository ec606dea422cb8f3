"""Which plies of Beacons a program thinks of: those that serve a purpose, and never none."""

from __future__ import annotations

import random
from typing import Any

from controller.rules.game import AnyGame
from controller.rules.games.beacons.advice import ADVICE
from controller.rules.options import parse
from controller.rules.registry import game_named
from tests.rules.beacons_positions import stand


def thought_of(state: Any) -> set[str]:
    game: AnyGame = game_named("beacons")
    assert ADVICE.thinks_of is not None
    return {game.text(state, ply) for ply in ADVICE.thinks_of(state, game.moves(state))}


def test_a_ply_is_thought_of_in_every_position_and_each_is_legal() -> None:
    game = game_named("beacons")
    for seed in range(4):
        dice = random.Random(seed)
        state = game.start(parse(game.options, {"players": 2 + seed % 2, "buy_in": seed}), seed)
        for _ in range(150):
            plies = game.moves(state)
            if not plies:
                break
            texts = thought_of(state)
            assert texts
            assert texts <= {game.text(state, ply) for ply in plies}
            state = game.after(state, dice.choice(plies))


def test_beside_the_end_of_a_turn_something_is_thought_of_too() -> None:
    game, dice = game_named("beacons"), random.Random(5)
    state = game.start(game.options(), 0)
    assert ADVICE.thinks_of is not None
    while plies := game.moves(state):
        others = [ply for ply in plies if game.text(state, ply) != "end"]
        assert not others or ADVICE.thinks_of(state, others)
        state = game.after(state, dice.choice(game.plies(state)))


def test_who_has_units_to_place_does_not_throw_them_away() -> None:
    game = game_named("beacons")
    state = game.start(game.options(), 1)
    for bid in ("bid 12 0", "bid 0 12"):
        state = game.play_text(state, bid)
    assert thought_of(state) == {f"place {cell} {units}" for cell in game.mesh(state.options).cells for units in (1, 2)}


def test_a_transfer_is_thought_of_where_its_units_rule_a_cell_or_keep_another_from_ruling_it() -> None:
    texts = thought_of(stand("a3=9/0 a4=0/2"))
    assert {text for text in texts if text.startswith("t a3 a4")} == {"t a3 a4 2", "t a3 a4 3"}
    assert {text for text in texts if text.startswith("t a3 b3")} == {"t a3 b3 1"}, "a cell that nobody has"


def test_in_the_last_round_a_cell_that_nobody_has_is_good_for_a_beacon_or_for_nothing() -> None:
    assert thought_of(stand("a3=2/0 e3=0/2", rounds=1)) == {"end"}, "two units pay for no beacon"
    assert thought_of(stand("a3=9/0 e3=0/2", rounds=1)) == {"t a3 a4 3", "t a3 b2 3", "end"}


def test_a_transfer_is_thought_of_where_it_completes_what_a_beacon_costs() -> None:
    transfers = {text for text in thought_of(stand("a3=9/0 a4=1/0", rounds=1)) if text.startswith("t ")}
    assert transfers == {"t a3 a4 2", "t a3 b2 3"}
    assert "b a3.a4" in thought_of(stand("a3=9/0 a4=3/0", rounds=1))


def test_gifts_and_shells_are_not_thought_of() -> None:
    texts = thought_of(stand("a3=9/1 e3=0/2"))
    assert {text.split()[0] for text in texts} == {"t", "d", "end"}
