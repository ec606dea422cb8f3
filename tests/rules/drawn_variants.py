"""Variants of a game, drawn at random from its options, and what each of them is held to; what stories ask of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.conformance import CHECKS, play_at_random
from controller.rules.conformance.samples import SAMPLES
from controller.rules.game import AnyGame
from controller.rules.options import BadOption, Described, describe, parse
from controller.rules.registry import advice_of

FEWEST = 0.3  # a share of options that are other than the ruling's
FEW = 10  # positions that are looked at closely, where a look takes long
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


def chosen(choices: Mapping[str, Any], dice: random.Random) -> dict[str, Any]:
    """Return some of the options ``choices``, each with one of its values."""
    share = dice.uniform(FEWEST, 1)
    return {name: dice.choice(values) for name, values in choices.items() if dice.random() < share}


def keeps_every_promise(game: AnyGame, seed: int, options: Callable[[random.Random], dict[str, Any]]) -> None:
    """Hold the first of the ``options`` that the game takes to all promises; of others each refusal is one line."""
    dice = random.Random(seed)
    while True:
        given = options(dice)
        try:
            parse(game.options, given)
        except BadOption as refused:
            assert len(str(refused).splitlines()) == 1  # noqa: PT017  refusals are one sentence, whatever was asked for
        else:
            break
    hold_to_its_promises(game, given, seed, FEW)


def hold_to_its_promises(game: AnyGame, given: Mapping[str, Any], seed: int, kept: int = SAMPLES) -> None:
    """Hold a variant to all that every game promises, in so many positions, and let the board play a ply of it."""
    sample = play_at_random(game, given, seed, kept=kept)
    for check in CHECKS:
        check(sample)
    advice, options = advice_of(game.facts.name), parse(game.options, dict(given))
    assert advice is not None
    for state, ply in sample.positions:
        rows = advice.count(state)
        assert all(len(row) == len(advice.names) for row in rows)
        if advice.tactics:
            advice.tactics.key(state), advice.tactics.loud(state, ply)
            assert not advice.tactics.urgent or advice.tactics.urgent(state) in (True, False)
    seats = game.facts.players(msgspec.to_builtins(options))
    state = sample.positions[seed % len(sample.positions)][0]
    choice = Player(game, seats, options=options).choose(state, LEVELS[-1], seed, 60)
    assert choice.ply in game.moves(state)


def refusal_of(game: AnyGame, **given: Any) -> str:
    """Return why the game does not take these options."""
    with pytest.raises(BadOption) as wrong:
        parse(game.options, given)
    return str(wrong.value)


def counts_of(game: AnyGame, state: Any, seat: int) -> dict[str, int]:
    """Return by name what programs count for ``seat``."""
    advice = advice_of(game.facts.name)
    assert advice is not None
    return dict(zip(advice.names, advice.count(state)[seat], strict=True))


def card_of(game: AnyGame, state: Any, site: str) -> tuple[str, ...]:
    """Return what everybody is told of the piece on ``site``."""
    assert game.card is not None
    return game.card(state, site, None)
