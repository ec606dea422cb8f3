"""Acres, a game of cells: huts, towers and mills on four by four squares, and what can be wrong with it.

In turn everybody builds: a hut on a free cell, one of two towers there, or a mill on a rock, one each. A tower makes
the others' huts beside it its owner's. Who is five cells ahead has won. Else the most cells win as soon as somebody
cannot build; of equal ones those that a die has named. The board draws who begins, and where two or three rocks lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import msgspec

from controller.rules.game import AnyGame, Piece, Result
from controller.rules.mesh import squares
from tests.lab.planted.small import KEPT, REST, Options, facts, game

SIDE = 4
MESH = squares(SIDE, SIDE)
CELLS = MESH.cells
AT = {name: at for at, name in enumerate(CELLS)}
BESIDE = tuple(tuple(other for other in row if other >= 0) for row in MESH.neighbours)
SIGNS = {"h": "Hh1", "t": "Tt2", "m": "Mm3", "c": "Cc4", "d": "Dd5"}  # by kind: a character for each seat
PIECES = {sign: Piece(seat, kind) for kind, signs in SIGNS.items() for seat, sign in enumerate(signs)}
SEATS = ("White", "Black", "Green")
NAMES = {"h": "hut", "t": "tower", "m": "mill", "c": "crown", "d": "drummer"}
TOWERS, MILLS, AHEAD = 2, 1, 5
CROWN_FROM = 6  # free cells, from which on the crown may be built


@dataclass(frozen=True)
class Rules:
    """What differs between this game and its variants: Acres itself has all as it is here."""

    seats: int = 2
    rocks: tuple[int, ...] = (2, 2, 3)  # one of which is drawn
    until_full: bool = False
    given: int = 0  # cells given to White at the count
    green_halved: bool = False
    dice: bool = False
    in_order: bool = False
    crown: bool = False
    drummer: bool = False  # there is one for each seat, and everybody has as many turns as there is to build


class State(msgspec.Struct, frozen=True):
    """What stands where, whose turn it is, who began, what each has in stock, what the die says, and how it ended."""

    board: str
    turn: int
    began: int
    towers: tuple[int, ...]
    mills: tuple[int, ...]
    die: int
    turns: int  # in which all could be built, of those that are left
    why: str = ""
    winner: int | None = None


class Acres:
    """Acres, or a variant of it."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.seats = rules, rules.seats
        self.own = tuple("".join(signs[seat] for signs in SIGNS.values()) for seat in range(self.seats))
        self.kept = lru_cache(KEPT)(self.legal)

    def legal(self, board: str, turn: int, tower: bool, mill: bool) -> list[str]:
        free = [CELLS[at] for at, sign in enumerate(board) if sign == "."]
        if self.rules.in_order:
            return [f"h@{cell}" for cell in free[:1]]
        found = [f"h@{cell}" for cell in free]
        if tower:
            found += [f"t@{cell}" for cell in free]
        if mill:
            found += [f"m@{CELLS[at]}" for at, sign in enumerate(board) if sign == "#"]
        if self.rules.crown and len(free) <= CROWN_FROM:
            found += [f"c@{cell}" for cell in free]
        return found

    def builds(self, board: str, turn: int, towers: Sequence[int], mills: Sequence[int]) -> list[str]:
        return self.kept(board, turn, towers[turn] > 0, mills[turn] > 0)

    def start(self, options: Options, seed: int) -> State:
        dice = Random(seed)
        began, rocks = dice.randrange(self.seats), dice.choice(self.rules.rocks)
        board = ["."] * SIDE * SIDE
        drawn = dice.sample(range(SIDE * SIDE), rocks + self.seats)
        for at in drawn[:rocks]:
            board[at] = "#"
        if self.rules.drummer:
            for seat, at in enumerate(drawn[rocks:]):
                board[at] = SIGNS["d"][seat]
        die, turns = dice.randrange(self.seats), board.count(".") + self.seats * MILLS
        return State("".join(board), began, began, (TOWERS,) * self.seats, (MILLS,) * self.seats, die, turns)

    def moves(self, state: State) -> list[str]:
        if state.why:
            return []
        found = [*self.builds(state.board, state.turn, state.towers, state.mills)]
        if self.rules.drummer:
            found.append(f"{CELLS[state.board.index(SIGNS['d'][state.turn])]}*")
        return found or [REST]

    def after(self, state: State, ply: str) -> State:
        turn, board = state.turn, list(state.board)
        towers, mills = state.towers, state.mills
        kind = ply[0] if "@" in ply else ""
        if kind:
            at = AT[ply[2:]]
            board[at] = SIGNS[kind][turn]
        if kind == "t":
            towers = self.less(towers, turn)
            for beside in BESIDE[at]:
                if board[beside] in SIGNS["h"]:
                    board[beside] = SIGNS["h"][turn]
        elif kind == "m":
            mills = self.less(mills, turn)
        drawn, then = "".join(board), (turn + 1) % self.seats
        why, winner = ("crowned", turn) if kind == "c" else self.ended(state, drawn, then, towers, mills)
        return State(drawn, then, state.began, towers, mills, state.die, state.turns - 1, why, winner)

    def less(self, stock: tuple[int, ...], turn: int) -> tuple[int, ...]:
        return (*stock[:turn], stock[turn] - 1, *stock[turn + 1 :])

    def ended(
        self, state: State, board: str, then: int, towers: Sequence[int], mills: Sequence[int]
    ) -> tuple[str, int | None]:
        counts: list[float] = [sum(map(board.count, signs)) for signs in self.own]
        if self.rules.green_halved:
            counts[2] /= 2
        first, second = sorted(counts, reverse=True)[:2]
        if first - second >= AHEAD and not (self.rules.dice or self.rules.in_order or self.rules.until_full):
            return "ahead", counts.index(first)
        over = not self.builds(board, then, towers, mills) or (self.rules.drummer and state.turns == 1)
        if self.rules.until_full:
            over = "." not in board and "#" not in board
        if not over:
            return "", None
        if self.rules.dice:
            return "full", state.die
        counts[0] += self.rules.given
        most = max(counts)
        order = [(state.die + later) % self.seats for later in range(self.seats)]
        best = [seat for seat in order if counts[seat] == most]
        return "level" if len(best) > 1 else "full", best[0]

    def result(self, state: State) -> Result:
        return Result(bool(state.why), state.winner, state.why)


def acres(name: str, rules: Rules) -> AnyGame:
    """Return Acres, or a variant of it."""
    letters = "h" if rules.in_order else "htm" + "c" * rules.crown + "d" * rules.drummer
    endings = ("full", "level", "ahead") + ("crowned",) * rules.crown
    if rules.dice:
        endings = ("full",)
    elif rules.in_order or rules.until_full:
        endings = ("full", "level")
    about = facts(name, SEATS[: rules.seats], {letter: NAMES[letter] for letter in letters}, endings, 60)
    made = Acres(rules)
    return game(about, State, (SIDE, SIDE), made.start, made.moves, made.after, made.result, PIECES)


ACRES = {
    "acres": Rules(),
    "acres-until-full": Rules(until_full=True, rocks=(2, 3)),
    "acres-head-start": Rules(given=1),
    "acres-third": Rules(seats=3, green_halved=True),
    "acres-in-order": Rules(in_order=True),
    "acres-dice": Rules(dice=True),
    "acres-crown": Rules(crown=True),
    "acres-drummer": Rules(drummer=True),
}
GAMES = [acres(name, rules) for name, rules in ACRES.items()]
