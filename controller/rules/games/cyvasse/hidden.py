"""Cyvasse: what a side may not know, how it is struck out of a state, and how it may be."""

from __future__ import annotations

from random import Random

import msgspec

from controller.rules.games.cyvasse.board import HOMES, NOWHERE
from controller.rules.games.cyvasse.state import State
from controller.rules.games.cyvasse.turns import setting_up, with_piece


def secret(state: State) -> bool:
    """Tell whether a ply made now is for its own side to know: a secret setup is."""
    return setting_up(state) and state.options.setup == "secret"


def known(state: State, viewer: int | None) -> State:
    """Return ``state`` without what ``viewer`` may not know: during a secret setup, the other side's."""
    if not secret(state):
        return state
    whole = state.options.hand
    for side in {0, 1} - {viewer}:
        state = msgspec.structs.replace(
            state,
            board="".join("." if cell in HOMES[side] else piece for cell, piece in enumerate(state.board)),
            tiles="".join("." if cell in HOMES[side] else tile for cell, tile in enumerate(state.tiles)),
            fortresses=tuple(NOWHERE if i == side else cell for i, cell in enumerate(state.fortresses)),
            centres=tuple(NOWHERE if i == side else cell for i, cell in enumerate(state.centres)),
            reserve=tuple(whole if i == side else hand for i, hand in enumerate(state.reserve)),
        )
    return state


def imagine(state: State, viewer: int | None, seed: int) -> State:
    """Return what ``viewer`` knows with an array at random for each other side that is ready.

    Of a side that is still setting up nothing is known, not even how far it is: it is taken to begin.
    """
    if not secret(state):
        return state
    dice, whole = Random(seed), state.options.hand
    for side in (0, 1):
        if side != viewer and state.ready[side]:
            cells = dice.sample(sorted(HOMES[side]), len(whole))
            hand = whole if dice.random() < 0.5 else whole.replace("D", "")
            for kind, cell in zip(hand, cells, strict=False):
                state = with_piece(state, side, kind, cell)
    return state
