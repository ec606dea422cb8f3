"""What the six games share here: a referee that knows the legal plies, whose turn it is and how the game ends."""

from collections import Counter
from collections.abc import Iterable

EIGHT = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
HEX_EDGES = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))  # docs/rules: NE, E, SE, SW, W, NW
HEX_DIAGONALS = ((-1, 2), (1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1))

Cell = tuple[int, int]


class Referee:
    """One game that goes on: it is changed by `play` and `out`. Seats count from 0."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.to_move: int | None = 0
        self.over = False
        self.winner: int | None = None
        self.why = ""
        self.scores: tuple[int, ...] | None = None
        self.gone: set[int] = set()
        self.seen: Counter[object] = Counter()

    def legal(self) -> list[str]:
        """Return the texts of all legal plies, none when the game is over."""
        raise NotImplementedError

    def play(self, text: str) -> None:
        """Make the legal ply ``text``."""
        raise NotImplementedError

    def claimable(self) -> bool:
        """Return whether the one to move may claim a draw. docs/rules, claims: only where a page says so."""
        return False

    def out(self, seat: int) -> None:
        """Let ``seat`` give up alone; only where `may_leave` has it."""
        raise NotImplementedError

    def may_leave(self) -> list[int]:
        """Return who can give up alone: nobody in a game of two, where the other one has won."""
        return []

    def pieces(self) -> dict[str, int] | None:
        """Return whose piece stands on which cell, -1 for nobody's; None where `known` has more."""
        raise NotImplementedError

    def known(self, seat: int | None) -> dict[str, object]:
        """Return what ``seat`` (None: a watcher) has to be shown, by the words of the program's view."""
        return {}

    def ends(self, winner: int | None, why: str) -> None:
        """End the game."""
        self.over, self.winner, self.why, self.to_move = True, winner, why, None

    def thrice(self, position: object) -> bool:
        """Count ``position`` and return whether it stands for the third time (docs/rules: the first time counts)."""
        self.seen[position] += 1
        return self.seen[position] >= 3


def name(cell: Cell) -> str:
    """Return the name of a cell: its letter and its number from 1."""
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def cell(text: str) -> Cell:
    """Return the cell that is called ``text``."""
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def cells(texts: str) -> list[Cell]:
    """Return the cells named in ``texts``, parted by spaces."""
    return [cell(one) for one in texts.split()]


def add(a: Cell, step: Cell, times: int = 1) -> Cell:
    """Return the cell ``times`` steps from ``a``."""
    return a[0] + step[0] * times, a[1] + step[1] * times


def hex_board(side: int) -> set[Cell]:
    """Return the cells of a hex board (docs/rules: S - 1 <= x + y <= 3S - 3)."""
    across = range(2 * side - 1)
    return {(x, y) for x in across for y in across if side - 1 <= x + y <= 3 * side - 3}


def apart(a: Cell, b: Cell) -> int:
    """Return the distance of two hexes."""
    dx, dy = a[0] - b[0], a[1] - b[1]
    return max(abs(dx), abs(dy), abs(dx + dy))


def path(ply: Iterable[Cell], captures: bool) -> str:
    """Return a ply as it is written: `-` between its cells, `x` where it captures."""
    return ("x" if captures else "-").join(name(one) for one in ply)
