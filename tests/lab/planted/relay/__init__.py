"""Relay, a race past each other: walkers, a horse and an ox on four files, and what can be wrong with it.

A walker steps forward or aside, a horse leaps two squares forward over whatever, or steps diagonally forward. An ox
steps forward, and pushes an enemy back that stands before it, if there is room behind. Nothing is taken. Three pieces
on the far rank win. After 50 plies, or where somebody cannot move, whoever has come further wins; if both have come as
far, whoever did not begin. The board draws how the pieces stand, and whether whoever did not begin has a step ahead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import msgspec

from controller.rules.game import AnyGame, Piece, Result
from controller.rules.mesh import squares
from tests.lab.planted.small import KEPT, REST, Options, facts, game

RANKS = 5
LETTERS = {"W": "walker", "H": "horse", "O": "ox"}
PIECES = {s: Piece(0, kind) for s, kind in LETTERS.items()} | {s.lower(): Piece(1, k) for s, k in LETTERS.items()}
FAR = (RANKS - 1, 0)
LAST = 50
HOME = 3  # pieces on the far rank, with which the game is won


@dataclass(frozen=True)
class Rules:
    """What differs between this game and its variants: Relay itself has all as it is here."""

    ahead: int = 0  # steps that Black has ahead
    lanes: bool = False  # everybody walks on files of its own, straight ahead, and all pieces have to arrive


class State(msgspec.Struct, frozen=True):
    """What stands where, whose turn it is, who began, and how it ended."""

    board: str
    turn: int
    began: int
    plies: int = 0
    why: str = ""
    winner: int | None = None


def progress(board: str) -> list[int]:
    """Return how many steps the pieces of each seat have made together."""
    found = [0, 0]
    for at, piece in enumerate(board):
        if piece in "WHO":
            found[0] += at % RANKS
        elif piece in "who":
            found[1] += RANKS - 1 - at % RANKS
    return found


def home(board: str) -> list[int]:
    """Return how many pieces of each seat have arrived."""
    return [sum(piece in "WHO" for piece in board[FAR[0] :: RANKS]), sum(p in "who" for p in board[FAR[1] :: RANKS])]


class Relay:
    """Relay, or a variant of it."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.files, self.needed = (8, 4) if rules.lanes else (4, HOME)
        self.cells = squares(self.files, RANKS).cells
        self.at_name = {name: at for at, name in enumerate(self.cells)}
        self.kept = lru_cache(KEPT)(self.legal)

    def steps(self, piece: str, seat: int, rank: int) -> list[tuple[int, int]]:
        """Return by how many self.files and ranks a piece may go, if there is room."""
        on = 1 if seat == 0 else -1
        if rank == FAR[seat]:
            return []
        if self.rules.lanes or piece == "O":
            return [(0, on)]
        if piece == "W":
            return [(0, on), (-1, 0), (1, 0)]
        return [(0, 2 * on), (-1, on), (1, on)]

    def legal(self, board: str, turn: int) -> list[str]:
        found = []
        on = 1 if turn == 0 else -1
        for at, piece in enumerate(board):
            if piece not in ("who" if turn else "WHO"):
                continue
            file, rank = divmod(at, RANKS)
            for x, y in self.steps(piece.upper(), turn, rank):
                to_file, to_rank = file + x, rank + y
                if not (0 <= to_file < self.files and 0 <= to_rank < RANKS):
                    continue
                end = RANKS * to_file + to_rank
                pushes = piece in "Oo" and board[end] in ("WHO" if turn else "who")
                behind = to_rank + on
                if board[end] == "." or (pushes and 0 <= behind < RANKS and board[end + on] == "."):
                    found.append(f"{self.cells[at]}-{self.cells[end]}")
        return found

    def start(self, options: Options, seed: int) -> State:
        dice = Random(seed)
        began = dice.randrange(2)
        kinds = dice.sample("WWHO", 4)
        forward = [0, 0, 0, 0]  # steps that each piece of Black's has ahead
        ours = [0, 0, 0, 0]
        if dice.randrange(2):
            (ours if began == 1 else forward)[dice.randrange(4)] = 1
        for each in range(self.rules.ahead):
            forward[each % 4] += 1
        board = ["."] * self.files * RANKS
        for file, kind in enumerate(kinds):
            board[RANKS * file + ours[file]] = kind
            board[RANKS * (self.files - 1 - file) + RANKS - 1 - forward[file]] = kind.lower()
        return State("".join(board), began, began)

    def moves(self, state: State) -> list[str]:
        if state.why:
            return []
        return [*self.kept(state.board, state.turn)] or [REST]

    def after(self, state: State, ply: str) -> State:
        turn, board = state.turn, list(state.board)
        if ply != REST:
            begin, end = self.at_name[ply[:2]], self.at_name[ply[3:]]
            if board[end] != ".":
                board[end + (1 if turn == 0 else -1)] = board[end]
            board[end], board[begin] = board[begin], "."
        drawn, plies = "".join(board), state.plies + 1
        why, winner = self.ended(state, drawn, plies)
        return State(drawn, 1 - turn, state.began, plies, why, winner)

    def ended(self, state: State, board: str, plies: int) -> tuple[str, int | None]:
        arrived = home(board)
        for seat in (state.turn, 1 - state.turn):
            if arrived[seat] >= self.needed:
                return "home", seat
        if plies >= LAST or not self.kept(board, 1 - state.turn):
            white, black = progress(board)
            return "count", 1 - state.began if white == black else int(black > white)
        return "", None

    def result(self, state: State) -> Result:
        return Result(bool(state.why), state.winner, state.why)


def relay(name: str, rules: Rules) -> AnyGame:
    """Return Relay, or a variant of it."""
    made = Relay(rules)
    kinds = {name: name for name in LETTERS.values()}
    endings = ("home",) if rules.lanes else ("home", "count")
    about = facts(name, ("White", "Black"), kinds, endings, LAST)
    return game(about, State, (made.files, RANKS), made.start, made.moves, made.after, made.result, PIECES)


RELAYS = {"relay": Rules(), "relay-ahead": Rules(ahead=6), "relay-lanes": Rules(lanes=True)}
GAMES = [relay(name, rules) for name, rules in RELAYS.items()]
