"""Games of Cyvasse for tests: begun, played and asked by plies as text."""

from __future__ import annotations

from controller.rules.games.cyvasse.game import GAME
from controller.rules.games.cyvasse.state import Options, State
from controller.rules.options import parse
from tests.rules.cyvasse_positions import position


def begin(**options: str) -> State:
    state: State = GAME.start(parse(Options, options), 0)
    return state


def play(state: State, *texts: str) -> State:
    for text in texts:
        state = GAME.play_text(state, text)
    return state


def texts(state: State) -> list[str]:
    return [GAME.text(state, ply) for ply in GAME.plies(state)]


def ruined(white: str, reserve: tuple[str, str] = ("", "")) -> State:
    """White's fortress is ruined, and its corner named."""
    return position(white, "Ka11", fortresses=("", "d10"), centres=("f1", "d10"), reserve=reserve)
