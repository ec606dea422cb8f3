"""Whole games by hand on the emulated sensor board: every lift is answered, every ply on record, every chore lit."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles
from controller.table import notes
from hardware.profile import load
from tests.e2e.evening import Evening
from tests.e2e.hand_in_lockstep import LockstepHand

Files = Callable[[str], EmulatorFiles]


def play_out(evening: Evening, hand: LockstepHand, seed: int) -> None:
    """Play at random to the end of the game."""
    dice = random.Random(seed)
    game, state = evening.game, evening.state
    while game.seat(state) is not None:
        ply = dice.choice(game.plies(state))
        hand.make(ply)
        state = game.after(state, ply)


def whole_game(files: Files, board: str, name: str, seed: int, **options: Any) -> Evening:
    with Emulator(files(board)) as emulator:
        evening = Evening(emulator, load(board))
        evening.new_game(name, **options)
        hand = LockstepHand(evening, seed)
        hand.set_up()
        play_out(evening, hand, seed)
        assert evening.plies == hand.plies
        return evening


def ending(evening: Evening) -> tuple[str, int | None]:
    over = [note for note in evening.said if isinstance(note, notes.GameOver)]
    assert len(over) == 1
    return over[0].why, over[0].winner


@pytest.mark.parametrize(
    ("seed", "why", "winner"),
    [(12, "conquest", 1), (2003, "conquest", 1), (1270, "massacre", 1), (1350, "massacre", 1), (2, "repetition", None)],
)
def test_a_whole_game_of_tides_of_war(files: Files, seed: int, why: str, winner: int | None) -> None:
    assert ending(whole_game(files, "square144", "tides-of-war", seed)) == (why, winner)


@pytest.mark.parametrize(("seed", "why", "winner"), [(84, "slain", 0), (131, "slain", 0), (13, "escape", 0)])
def test_a_whole_round_of_giantslayer(files: Files, seed: int, why: str, winner: int) -> None:
    assert ending(whole_game(files, "hex91", "giantslayer", seed)) == (why, winner)


@pytest.mark.parametrize(("seed", "why", "winner"), [(52, "slain", 1), (9, "escape", 0), (1, "slain", None)])
def test_a_match_of_two_rounds_with_the_board_set_up_between_them(
    files: Files, seed: int, why: str, winner: int | None
) -> None:
    evening = whole_game(files, "hex91", "giantslayer", seed, rounds=2)
    assert ending(evening) == (why, winner)
    assert sum(isinstance(note, notes.BoardStands) for note in evening.said) == 2
