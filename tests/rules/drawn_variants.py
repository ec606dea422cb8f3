"""Variants of a game, drawn at random from its options, and what each of them is held to."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.conformance import CHECKS, play_at_random
from controller.rules.game import AnyGame
from controller.rules.options import BadOption, Described, describe, parse
from controller.rules.registry import advice_of

Draw = Callable[[random.Random, Mapping[str, Any]], str]  # a text for an option, knowing those drawn before


def some_cells(cells: Sequence[str], most: int, dice: random.Random) -> str:
    """Return up to so many cells, as an option names them; now and then none."""
    return " ".join(dice.sample(cells, dice.randrange(most + 1))) if dice.random() < 0.6 else ""


def drawn(game: AnyGame, dice: random.Random, texts: Mapping[str, Draw]) -> dict[str, Any]:
    """Return options that the game takes, about half of them not the usual ones; ``texts`` draw those that are text."""
    while True:
        given: dict[str, Any] = {}
        for option in describe(game.options):
            if dice.random() < 0.5:
                given[option.name] = _value(option, dice, texts, given)
        try:
            parse(game.options, given)
        except BadOption:
            continue
        return given


def _value(option: Described, dice: random.Random, texts: Mapping[str, Draw], given: Mapping[str, Any]) -> Any:
    if option.kind == "int":
        assert option.low is not None
        assert option.high is not None
        return dice.randint(option.low, option.high)
    if option.kind == "bool":
        return dice.random() < 0.5
    return dice.choice(option.choices) if option.choices else texts[option.name](dice, given)


def hold_to_its_promises(game: AnyGame, given: Mapping[str, Any], seed: int) -> None:
    """Hold a variant to all that every game promises, and let the board play a ply of it."""
    sample = play_at_random(game, given, seed)
    for check in CHECKS:
        check(sample)
    advice, options = advice_of(game.facts.name), parse(game.options, dict(given))
    assert advice is not None
    for state, ply in sample.positions:
        rows = advice.count(state)
        assert all(len(row) == len(advice.names) for row in rows)
        assert advice.tactics is not None
        advice.tactics.key(state), advice.tactics.loud(state, ply)
        assert not advice.tactics.urgent or advice.tactics.urgent(state) in (True, False)
    seats = game.facts.players(msgspec.to_builtins(options))
    state = sample.positions[seed % len(sample.positions)][0]
    choice = Player(game, seats, options=options).choose(state, LEVELS[-1], seed, 60)
    assert choice.ply in game.moves(state)
