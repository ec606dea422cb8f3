"""Foray, a race to take three: spears, a rider and guards on five by five squares, and what can be wrong with it.

A spear steps one square forward, straight or diagonally, and takes diagonally. A rider leaps as a knight, a guard steps
as a king. Three taken pieces win, and so does a spear on the far rank. After 40 plies, or where somebody cannot move,
whoever has lost fewer wins; if both have lost as many, whoever did not begin. The board draws how the pieces stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import msgspec

from controller.rules.game import AnyGame, Piece, Result
from controller.rules.mesh import squares
from tests.lab.planted.small import KEPT, REST, Options, facts, game

SIDE = 5
CELLS = squares(SIDE, SIDE).cells
AT = {name: at for at, name in enumerate(CELLS)}
LETTERS = {"S": "spear", "R": "rider", "G": "guard", "D": "dragon", "M": "mule", "T": "statue"}
PIECES = {s: Piece(0, kind) for s, kind in LETTERS.items()} | {s.lower(): Piece(1, k) for s, k in LETTERS.items()}
ROUND = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
LEAPS = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))
FAR = (SIDE - 1, 0)
TAKEN = 3  # pieces, with which the game is won


@dataclass(frozen=True)
class Rules:
    """What differs between this game and its variants: Foray itself has all as it is here."""

    pieces: str = "GGRSS"
    last: int = 40  # ply; 0: none
    takes: bool = True
    first_blood: bool = False  # nothing is taken after the first piece, and nothing but the count decides
    obedient: bool = False  # Black has no choice but what to take
    pits: tuple[str, ...] = ()
    peace: bool = False


class State(msgspec.Struct, frozen=True):
    """What stands where, whose turn it is, who began, how many each has lost, and how it ended."""

    board: str
    turn: int
    began: int
    lost: tuple[int, int] = (0, 0)
    plies: int = 0
    why: str = ""
    winner: int | None = None


class Foray:
    """Foray, or a variant of it."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.pits = rules, {AT[pit] for pit in rules.pits}
        self.reach = {
            (letter.lower() if seat else letter, at): self.ways(letter, seat, at)
            for letter in LETTERS for seat in (0, 1) for at in range(SIDE * SIDE)
        }  # fmt: skip
        self.kept = lru_cache(KEPT)(self.legal)

    def ways(self, letter: str, seat: int, at: int) -> list[tuple[int, bool, bool]]:
        """Return where a piece may go: the cell, whether it may step there, and whether it may take there."""
        ahead = 1 if seat == 0 else -1
        steps: list[tuple[int, int, bool, bool]] = []
        if letter == "S":
            steps = [(-1, ahead, True, True), (0, ahead, True, False), (1, ahead, True, True)]
        elif letter in "RD":
            steps = [(x, y, True, letter == "R") for x, y in LEAPS]
        elif letter in "GM":
            steps = [(x, y, True, letter == "G") for x, y in ROUND]
        if letter == "D":
            steps += [(far * x, far * y, False, True) for x, y in ROUND for far in range(1, SIDE)]
        found = []
        for x, y, may_step, may_take in steps:
            file, rank = at // SIDE + x, at % SIDE + y
            if 0 <= file < SIDE and 0 <= rank < SIDE and SIDE * file + rank not in self.pits:
                found.append((SIDE * file + rank, may_step, may_take))
        return found

    def legal(self, board: str, turn: int, takes: bool) -> list[str]:
        own = str.islower if turn else str.isupper
        enemy = str.isupper if turn else str.islower
        steps, captures = [], []
        for at, piece in enumerate(board):
            if piece != "." and own(piece):
                for end, may_step, may_take in self.reach[piece, at]:
                    there = board[end]
                    if there == ".":
                        if may_step:
                            steps.append(f"{CELLS[at]}-{CELLS[end]}")
                    elif takes and may_take and enemy(there):
                        captures.append(f"{CELLS[at]}x{CELLS[end]}")
        if self.rules.obedient and turn == 1:
            return captures or steps[:1]
        return captures + steps

    def open_to(self, board: str, turn: int, lost: tuple[int, int]) -> list[str]:
        return self.kept(board, turn, self.rules.takes and not (self.rules.first_blood and any(lost)))

    def start(self, options: Options, seed: int) -> State:
        dice = Random(seed)
        kinds = dice.sample(self.rules.pieces, len(self.rules.pieces))
        board = ["."] * SIDE * SIDE
        home = 1 if self.rules.first_blood else 0
        for file, kind in enumerate(kinds, start=SIDE - len(kinds)):
            board[SIDE * file + home] = kind
            board[SIDE * (SIDE - 1 - file) + SIDE - 1 - home] = kind.lower()
        began = dice.randrange(2)
        return State("".join(board), began, began)

    def moves(self, state: State) -> list[str]:
        if state.why:
            return []
        return [*self.open_to(state.board, state.turn, state.lost)] or [REST]

    def after(self, state: State, ply: str) -> State:
        turn, lost, board = state.turn, list(state.lost), list(state.board)
        if ply != REST:
            begin, end = AT[ply[:2]], AT[ply[3:]]
            if ply[2] == "x":
                lost[1 - turn] += 1
            board[end], board[begin] = board[begin], "."
            if board[end] in "Mm":
                other = next((at for at, piece in enumerate(board) if self.own_other(piece, turn)), end)
                board[other] = "."
                lost[turn] += 1
        drawn, gone, plies = "".join(board), (lost[0], lost[1]), state.plies + 1
        why, winner = self.ended(state, drawn, gone, plies)
        return State(drawn, 1 - turn, state.began, gone, plies, why, winner)

    def own_other(self, piece: str, turn: int) -> bool:
        return piece in ("grs" if turn else "GRS")

    def ended(self, state: State, board: str, lost: tuple[int, int], plies: int) -> tuple[str, int | None]:
        turn = state.turn
        if not self.rules.takes:
            return "", None
        if not self.rules.first_blood:
            for seat in (turn, 1 - turn):
                if lost[1 - seat] >= TAKEN:
                    return "rout", seat
            if ("s" if turn else "S") in board[FAR[turn] :: SIDE]:
                return "breakthrough", turn
            if self.rules.peace and not set(board) & set("SRsr"):
                return "peace", None
        stuck = not self.rules.first_blood and not self.open_to(board, 1 - turn, lost)
        if stuck or plies >= self.rules.last:
            return "count", 1 - state.began if lost[0] == lost[1] else int(lost[0] > lost[1])
        return "", None

    def result(self, state: State) -> Result:
        return Result(bool(state.why), state.winner, state.why)


def foray(name: str, rules: Rules) -> AnyGame:
    """Return Foray, or a variant of it."""
    kinds = {LETTERS[letter]: LETTERS[letter] for letter in dict.fromkeys(rules.pieces)}
    endings: tuple[str, ...] = ("rout", "breakthrough", "count") + ("peace",) * rules.peace
    if rules.first_blood:
        endings = ("count",)
    elif not rules.takes:
        endings = ("never",)
    about = facts(name, ("White", "Black"), kinds, endings, rules.last)
    made = Foray(rules)
    return game(about, State, (SIDE, SIDE), made.start, made.moves, made.after, made.result, PIECES)


FORAYS = {
    "foray": Rules(),
    "foray-endless": Rules(takes=False),
    "foray-obedient": Rules(obedient=True),
    "foray-first-blood": Rules(first_blood=True, last=120),
    "foray-dragon": Rules(pieces="GDDSS"),
    "foray-mule": Rules(pieces="GGRSM"),
    "foray-statue": Rules(pieces="GRSST"),
    "foray-pits": Rules(pieces="GRSS", pits=("a1", "e5")),
    "foray-peace": Rules(peace=True),
}
GAMES = [foray(name, rules) for name, rules in FORAYS.items()]
