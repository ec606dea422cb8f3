"""What a game promises of states from elsewhere: damaged ones are refused, or do no harm."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from controller.rules.conformance.samples import SAMPLES, Sample, require
from controller.rules.game import AnyGame, Illegal
from controller.rules.options import parse

TRIES = 40  # at each position
MOST_PLIES = 100_000  # of a state that was taken over
LEAST_REFUSED = 20
NO_STATES = (b"", b"null", b"\xff", b"[" * 100_000, b'{"a":' * 5_000 + b"1" + b"}" * 5_000)


def damaged_states_are_harmless(sample: Sample) -> None:
    """What is taken over can be looked at and played on: nothing fails, and nothing takes without end."""
    game, options, rng, refused = sample.game, sample.options, random.Random(3), 0
    for state, _ in sample.positions[:: SAMPLES // 6]:
        plain = msgspec.json.decode(game.encode(state))
        for _ in range(TRIES):
            try:
                odd = game.taken_over(msgspec.json.encode(_damaged(plain, rng)), options)
            except Illegal:
                refused += 1
                continue
            _use(game, odd)
    require(refused > LEAST_REFUSED, "damaged states are refused: let sound say which can come of a game")


def _use(game: AnyGame, state: Any) -> None:
    """Do with ``state`` what a table does; whatever that raises means that it should have been refused."""
    for seat in (None, 0, 1):
        game.look(state, seat)
    game.shape(state), game.result(state), game.seat(state)
    legal = game.moves(state)
    require(len(legal) < MOST_PLIES, "a state that is taken over has a number of plies that a table can bear")
    for ply in legal[:20]:
        game.text(state, ply), game.walk(state, ply), game.after(state, ply)


def _damaged(value: Any, rng: random.Random) -> Any:
    """Return ``value`` with one number or text of it out of all bounds, or a part missing or doubled."""
    if isinstance(value, list | dict) and value:
        place = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if isinstance(value, list) and rng.random() < 0.3:
            return rng.choice([value[:-1], [*value, *value[-1:]], [*value, value[0]]])
        if isinstance(value, dict):
            return {**value, place: _damaged(value[place], rng)}
        return [*value[:place], _damaged(value[place], rng), *value[place + 1 :]]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([-7, 10**12, -(10**30), 1 << 200])
    return rng.choice(["?", "", f"{value}?"])


def no_state_is_refused(game: AnyGame) -> None:
    """What is not a state at all is refused."""
    for text in NO_STATES:
        try:
            game.taken_over(text, parse(game.options, {}))
        except Illegal:
            continue
        require(False, f"{text[:8]!r} is not taken over as a state")
