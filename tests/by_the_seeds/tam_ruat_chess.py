"""Chess of Tam Ruat, from 001 and docs/rules/tam-ruat-chess.md."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .referee import EIGHT, Cell, Referee, add, name

BOARD = {(x, y) for x in range(12) for y in range(12)}
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
SLANTED = ((1, 1), (1, -1), (-1, -1), (-1, 1))
RIDERS = {"C": STRAIGHT, "c": SLANTED, "Q": EIGHT, "E": EIGHT}  # 001: as rook, bishop, queen; "similarly to a queen"
CAMEL = tuple((dx, dy) for dx in (-3, -1, 1, 3) for dy in (-3, -1, 1, 3) if abs(dx) != abs(dy))
LEAPERS = {
    "K": EIGHT,
    "k": tuple((dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)),
    "P": STRAIGHT + tuple((2 * dx, 2 * dy) for dx, dy in SLANTED),  # 001: "wazir and alfil"
    "X": SLANTED + tuple((2 * dx, 2 * dy) for dx, dy in STRAIGHT) + CAMEL,  # 001: "ferz, camel and dabbaba"
}
BROUGHT_BACK = "QCckPXW"  # Ruling, promotion
ROYALS = "KE"

Piece = tuple[int, str]
Board = dict[Cell, Piece]


class Move(NamedTuple):
    """A piece goes from ``start`` to ``end``, takes what is on ``taken`` and becomes ``into``."""

    start: Cell
    end: Cell
    taken: Cell | None = None
    into: str = ""

    def text(self) -> str:
        """Return the ply as it is written."""
        sign = "-" if self.taken is None else "x"
        return f"{name(self.start)}{sign}{name(self.end)}" + (f"={self.into}" if self.into else "")


def forward(seat: int) -> int:
    """Return the way a seat's Warriors and Barbarians go."""
    return 1 if seat == 0 else -1


class TamRuatChess(Referee):
    """Seat 0 is White."""

    def __init__(self) -> None:
        super().__init__(2)
        # 001, the board as printed: rank 12 on top.
        rows = {0: "CPXkcQKckXPC", 1: "WwbwbwbwbwbW", 10: "WbwbwbwbwbwW", 11: "CPXkcQKckXPC"}
        self.board: Board = {(x, y): (int(y > 5), kind) for y, row in rows.items() for x, kind in enumerate(row)}
        self.spare = [2, 2]  # 001: "Each player has two ghost pieces"
        self.lost: list[Counter[str]] = [Counter(), Counter()]
        self.passed: tuple[Cell, Cell] | None = None  # the square passed by a double step, and where the piece is
        self.quiet = 0  # plies without a capture or a move of a Warrior or Barbarian
        self.moves = {move.text(): move for move in self.generate()}
        self.thrice(self.position())

    def position(self) -> object:
        """Return what repeats: en passant counts only when such a ply is legal."""
        passing = any(self.in_passing(move) for move in self.moves.values())
        back = tuple(tuple(sorted((+lost).items())) for lost in self.lost)
        passed = self.passed if passing else None
        return frozenset(self.board.items()), self.to_move, passed, tuple(self.spare), back

    def in_passing(self, move: Move) -> bool:
        """Return whether ``move`` captures en passant."""
        return move.taken is not None and move.taken != move.end and self.board[move.start][1] in "wb"

    def claimable(self) -> bool:
        """Return whether the one to move may claim a draw. Ruling: threefold, or 50 moves a side."""
        return not self.over and (self.seen[self.position()] >= 3 or self.quiet >= 100)

    # --- how pieces go, check left out ---

    def pseudo(self, at: Cell) -> Iterator[Move]:
        """Give what the piece ``at`` can do but for check; no royal is ever taken."""
        seat, kind = self.board[at]
        if kind in "wb":
            yield from self.foot(at, seat, kind)
        elif kind in "Wg":
            yield from self.warlock(at, seat) if kind == "W" else self.ghost(at, seat)
        else:
            for step in LEAPERS.get(kind) or RIDERS[kind]:
                to = add(at, step)
                while to in BOARD:
                    if to in self.board:
                        yield from self.take(at, to, to)
                        break
                    yield Move(at, to)
                    if kind in LEAPERS:
                        break
                    to = add(to, step)

    def take(self, at: Cell, to: Cell, taken: Cell) -> Iterator[Move]:
        """Give the capture if an enemy that is no royal is there."""
        if taken in self.board and self.board[taken][0] != self.board[at][0] and self.board[taken][1] not in ROYALS:
            yield Move(at, to, taken)

    def warlock(self, at: Cell, seat: int) -> Iterator[Move]:
        """001: "can move one square in any direction", "captures by jumping over an adjacent enemy piece"."""
        for step in EIGHT:
            near, behind = add(at, step), add(at, step, 2)
            if near in BOARD and near not in self.board:
                yield Move(at, near)
            elif behind in BOARD and behind not in self.board:  # 001: "cannot land on an occupied square"
                yield from self.take(at, behind, near)

    def ghost(self, at: Cell, seat: int) -> Iterator[Move]:
        """001: "only over another piece, landing in the square immediately after that piece"."""
        for step in EIGHT:
            to = add(at, step)
            while to in BOARD and to not in self.board:
                to = add(to, step)
            behind = add(to, step)
            if to in BOARD and behind in BOARD:
                if behind not in self.board:
                    yield Move(at, behind)
                else:
                    yield from self.take(at, behind, behind)

    def foot(self, at: Cell, seat: int, kind: str) -> Iterator[Move]:
        """Give the moves of a Warrior or Barbarian. 001: a pawn, and "like an inverted pawn"."""
        ahead = forward(seat)
        straight, slanted = [(0, ahead)], [(-1, ahead), (1, ahead)]
        goes, takes = (straight, slanted) if kind == "w" else (slanted, straight)
        found: list[Move] = []
        for step in goes:
            one, two = add(at, step), add(at, step, 2)
            if one in BOARD and one not in self.board:
                found.append(Move(at, one))
                first = at[1] == (1 if seat == 0 else 10)  # 001: "can move two squares on its first move"
                if first and two in BOARD and two not in self.board:
                    found.append(Move(at, two))
        for step in takes:
            to = add(at, step)
            found += self.take(at, to, to)
            if self.passed and self.passed[0] == to and self.board[self.passed[1]][0] != seat:
                found.append(Move(at, to, self.passed[1]))  # 001: "can capture en passant"
        for move in found:
            if move.end[1] not in (0, 11):
                yield move
            else:  # Ruling: compulsory there, only into what was lost; else not to the last rank
                yield from (move._replace(into=kind) for kind in BROUGHT_BACK if self.lost[seat][kind] > 0)

    # --- check ---

    def hits(self, at: Cell, king: Cell) -> bool:
        """Return whether the piece ``at`` gives check to the royal on ``king``."""
        seat, kind = self.board[at]
        dx, dy = king[0] - at[0], king[1] - at[1]
        if kind == "E":
            return False  # 001: "except it still cannot check"; ruling: from any distance
        if kind in LEAPERS:
            return (dx, dy) in LEAPERS[kind]
        if kind == "w":
            return abs(dx) == 1 and dy == forward(seat)
        if kind == "b":
            return dx == 0 and dy == forward(seat)
        if kind == "W":
            behind = (king[0] + dx, king[1] + dy)
            return max(abs(dx), abs(dy)) == 1 and behind in BOARD and behind not in self.board
        if dx and dy and abs(dx) != abs(dy):
            return False
        step = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
        far = max(abs(dx), abs(dy))
        between = [add(at, step, n) for n in range(1, far)]
        stand = [one for one in between if one in self.board]
        if kind == "g":
            return len(stand) == 1 and stand[0] == between[-1]
        return step in RIDERS[kind] and not stand

    def royal(self, seat: int) -> Cell:
        """Return where the king or emperor of ``seat`` is."""
        return next(at for at, (whose, kind) in self.board.items() if whose == seat and kind in ROYALS)

    def checked(self, seat: int) -> bool:
        """Return whether the royal of ``seat`` is in check."""
        king = self.royal(seat)
        return any(whose != seat and self.hits(at, king) for at, (whose, _) in self.board.items())

    def touching(self) -> bool:
        """Return whether the royals are on neighbouring squares."""
        a, b = self.royal(0), self.royal(1)
        return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1

    def generate(self) -> Iterator[Move]:
        """Give the legal plies: the own royal is not left in check, nor next to the other."""
        assert self.to_move is not None
        seat, before = self.to_move, self.board
        for at in [at for at, (whose, _) in before.items() if whose == seat]:
            for move in list(self.pseudo(at)):
                self.board = self.moved(move)
                legal = not self.checked(seat) and not self.touching()
                self.board = before
                if legal:
                    yield move

    def legal(self) -> list[str]:
        return [] if self.over else list(self.moves)

    # --- a ply ---

    def moved(self, move: Move) -> Board:
        """Return the board after ``move``, with the ghost that a Warlock summons."""
        board = dict(self.board)
        seat, kind = board.pop(move.start)
        if move.taken is not None:
            del board[move.taken]
            if kind == "W" and self.spare[seat]:
                board[move.taken] = (seat, "g")  # 001: "it is summoned on the square of the captured piece"
        if kind == "K" and move.end[1] == (11 if seat == 0 else 0):
            kind = "E"  # 001: "a king who reaches the opposite side of the board is promoted to an emperor"
        board[move.end] = (seat, move.into or kind)
        return board

    def play(self, text: str) -> None:
        assert self.to_move is not None
        move, seat = self.moves[text], self.to_move
        kind, board = self.board[move.start][1], self.moved(move)
        self.quiet = 0 if move.taken is not None or kind in "wb" else self.quiet + 1
        if move.taken is not None:
            self.captured(self.board[move.taken][1], 1 - seat)
            self.spare[seat] -= kind == "W" and self.spare[seat] > 0
        if move.into:
            self.lost[seat][move.into] -= 1
        double = kind in "wb" and abs(move.end[1] - move.start[1]) == 2
        middle = ((move.start[0] + move.end[0]) // 2, (move.start[1] + move.end[1]) // 2)
        self.passed = (middle, move.end) if double else None
        self.board, self.to_move = board, 1 - seat
        self.moves = {one.text(): one for one in self.generate()}
        self.test(seat)

    def captured(self, kind: str, seat: int) -> None:
        """Note what ``seat`` has lost."""
        if kind == "g":
            self.spare[seat] += 1  # 001: "if a ghost is captured, it can be re-summoned again"
        elif kind in BROUGHT_BACK:
            self.lost[seat][kind] += 1

    def test(self, seat: int) -> None:
        """Test for the end after a ply of ``seat``, in the order of the ruling."""
        repeats = self.position()
        self.thrice(repeats)
        if sum(whose != seat for whose, _ in self.board.values()) == 1:
            return self.ends(seat, "bared")  # 001: "bares the opponent's king wins"
        if not self.moves:
            mate = self.checked(1 - seat)
            return self.ends(seat if mate else None, "checkmate" if mate else "stalemate")
        if self.seen[repeats] >= 5:
            return self.ends(None, "repetition")
        if self.quiet >= 150:
            return self.ends(None, "75 moves")
        return None

    def pieces(self) -> dict[str, int] | None:
        return {name(at): whose for at, (whose, _) in self.board.items()}
