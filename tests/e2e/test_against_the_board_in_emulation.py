"""A person against the board, on the emulated sensor board: its lights lead the hand, and the game comes to an end."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles
from controller.engine.levels import level_of
from controller.engine.player import Player
from controller.game_setup import Opponents
from hardware.profile import load
from tests.e2e.evening import Evening
from tests.e2e.hand_in_lockstep import LockstepHand

Files = Callable[[str], EmulatorFiles]
LEVEL, NODES, MOST_PLIES = 6, 300, 300


@pytest.mark.parametrize(
    ("name", "board", "seat", "seed"),
    [("tides-of-war", "square144", 1, 3), ("tides-of-war", "square144", 0, 4), ("giantslayer", "hex91", 1, 5)],
)
def test_a_whole_game_against_the_board(files: Files, name: str, board: str, seat: int, seed: int) -> None:
    """The person draws each ply, the board holds ``seat``; it has won by the end, or is not beaten."""
    dice = random.Random(seed)
    with Emulator(files(board)) as emulator:
        evening = Evening(emulator, load(board))
        evening.new_game(name, Opponents(tuple(LEVEL if each == seat else 0 for each in (0, 1))))
        hand, player = LockstepHand(evening, seed), Player(evening.game, 2)
        hand.set_up()
        game, state, theirs = evening.game, evening.state, 0
        while (mover := game.seat(state)) is not None and len(hand.plies) < MOST_PLIES:
            if mover == seat:
                ply = player.choose(state, level_of(LEVEL, name), seed + len(hand.plies), NODES).ply
                hand.make_for_the_board(ply)
                theirs += 1
            else:
                ply = dice.choice(game.plies(state))
                hand.make(ply)
            state = game.after(state, ply)
        assert evening.plies == hand.plies
        assert theirs > 2
        assert game.result(state).over
        assert game.result(state).winner in (seat, None)
