"""Positions of the open games of two, written as the pieces of one side and those of the other."""

from __future__ import annotations

from typing import Any

from controller.rules.games.circle import state as circle
from controller.rules.games.cyvasse import state as cyvasse
from controller.rules.games.cyvasse.board import CELLS as CYVASSE
from controller.rules.games.giantslayer import state as giantslayer
from controller.rules.games.tam_ruat_chess import state as tam
from controller.rules.games.tam_ruat_chess.pieces import NUMBER as TAM
from controller.rules.games.tides_of_war import state as tides
from controller.rules.mesh import squares

TIDES = squares(6, 6).cells


def cells(names: tuple[str, ...], *wanted: str) -> int:
    return sum(1 << names.index(name) for name in wanted)


def tides_state(white: str, black: str) -> Any:
    return tides.State((cells(TIDES, *white.split()), cells(TIDES, *black.split())), 0, ())


def giants_state(halogai: str, giants: str) -> Any:
    white, black = cells(giantslayer.CELLS, *halogai.split()), cells(giantslayer.CELLS, *giants.split())
    return giantslayer.State(white, black, 1, (), 1)


def circle_state(own: str, enemy: str, twos: str, threes: str = "") -> Any:
    units = cells(circle.CELLS, *own.split()), cells(circle.CELLS, *enemy.split())
    second, third = cells(circle.CELLS, *twos.split()), cells(circle.CELLS, *threes.split())
    return circle.State(units, (sum(units) ^ second ^ third, second, third, 0), 0, 2, 0, (), True, False)


def tam_state(white: str, black: str) -> Any:
    board, sets, royals = ["."] * 144, [0, 0], [0, 0]
    for seat, men in enumerate((white, black)):
        for word in men.split():
            cell = TAM[word[1:]]
            board[cell] = word[0]
            sets[seat] |= 1 << cell
            royals[seat] = cell if word[0] == "K" else royals[seat]
    return tam.State("".join(board), (sets[0], sets[1]), (royals[0], royals[1]), 0, ())


def cyvasse_state(men: str) -> Any:
    """Both fortresses are ruined: a king that is taken is lost."""
    board = ["."] * len(CYVASSE)
    for word in men.split():
        board[CYVASSE.index(word[1:])] = word[0]
    corners = CYVASSE.index("f1"), CYVASSE.index("f11")
    return cyvasse.State(
        "".join(board), "." * len(CYVASSE), (-1, -1), corners, ("", ""), (True, True), 0, cyvasse.Options()
    )
