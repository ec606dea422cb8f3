"""Giantslayer, from 001 and docs/rules/giantslayer.md."""

from collections import Counter
from itertools import pairwise

from .referee import HEX_EDGES, Cell, Referee, add, apart, cell, hex_board, name, path

MIDDLE = cell("e5")
BOARD = hex_board(5) - {MIDDLE}  # 001: "The middle hex cannot be passed by any stone"
RIM = {at for at in BOARD if apart(at, MIDDLE) == 4}
WHITE, BLACK = 0, 1  # sides, not seats: these change after each round


class Giantslayer(Referee):
    """A match of ``rounds``; ``sides[s]`` is the seat that plays side s in this round."""

    def __init__(self, rounds: int = 1) -> None:
        super().__init__(2)
        self.left = rounds
        self.tally = [0, 0]
        self.sides = (0, 1)
        self.scores = (0, 0)
        self.set_up()

    def set_up(self) -> None:
        """Begin a round. 001: "24 white stones and 6 black stones", "White player starts"."""
        self.stones = dict.fromkeys(RIM, WHITE) | {at: BLACK for at in BOARD if apart(at, MIDDLE) == 1}
        self.side = WHITE
        self.captured = 0
        self.seen = Counter()  # Ruling: counted afresh in each round
        self.to_move = self.sides[WHITE]
        self.thrice(self.position())

    def position(self) -> object:
        """Return what repeats."""
        return frozenset(self.stones.items()), self.side

    def giants(self) -> set[Cell]:
        """Return where the black stones in play are."""
        return {at for at, whose in self.stones.items() if whose == BLACK}

    def slides(self, at: Cell) -> list[str]:
        """Return the moves of a white stone. 001: "any number of vacant hexes in a row, in any direction"."""
        found = []
        for step in HEX_EDGES:
            to = add(at, step)
            while to in BOARD and to not in self.stones:
                found.append(path([at, to], False))
                to = add(to, step)
        return found

    def tramples(self, so_far: list[Cell], stones: dict[Cell, int]) -> list[str]:
        """Return the chains that go on from ``so_far``. 001: ""jump" her stone over any adjacent white stone"."""
        found = []
        for step in HEX_EDGES:
            over, onto = add(so_far[-1], step), add(so_far[-1], step, 2)
            if stones.get(over) == WHITE and onto in BOARD and onto not in stones:
                chain = [*so_far, onto]
                left = {one: whose for one, whose in stones.items() if one != over}
                found += [path(chain, True), *self.tramples(chain, left)]  # 001: "she can stop trampling"
        return found

    def legal(self) -> list[str]:
        if self.over:
            return []
        found = []
        for at in [at for at, whose in self.stones.items() if whose == self.side]:
            if self.side == WHITE:
                found += self.slides(at)
                continue
            around = [add(at, step) for step in HEX_EDGES]  # 001: "only a single hex ... onto a vacant hex"
            found += [path([at, to], False) for to in around if to in BOARD and to not in self.stones]
            found += self.tramples([at], {one: whose for one, whose in self.stones.items() if one != at})
        return found

    def play(self, text: str) -> None:
        way = [cell(one) for one in text.replace("x", "-").split("-")]
        self.stones[way[-1]] = self.stones.pop(way[0])
        if "x" in text:
            for a, b in pairwise(way):
                del self.stones[(a[0] + b[0]) // 2, (a[1] + b[1]) // 2]
        self.side = 1 - self.side
        self.to_move = self.sides[self.side]
        self.test()

    def test(self) -> None:
        """Test for the end of the round, in the order of the ruling; White's turn begins with flanking."""
        if self.side == WHITE:
            if self.giants() <= RIM:
                return self.round_ends("escape", self.giants())  # 001: "the game ended immediately"
            self.flank()
            if not self.giants():
                return self.round_ends("slain", set())
            if self.giants() <= RIM:
                return self.round_ends("escape", self.giants())  # Ruling: looked at again after flanking
            if not self.legal():
                return self.round_ends("stuck", self.giants())  # Ruling: every giant in play escapes
        if self.thrice(self.position()):
            return self.round_ends("repetition", self.giants() & RIM)
        return None

    def flank(self) -> None:
        """Capture, all at once, each giant with two halogai beside it. 001: "two or more white stones adjacent"."""
        caught = [at for at in self.giants() if sum(self.stones.get(add(at, step)) == WHITE for step in HEX_EDGES) > 1]
        for at in caught:
            del self.stones[at]
        self.captured += len(caught)

    def round_ends(self, why: str, escaped: set[Cell]) -> None:
        """Add the points up, and begin the next round with the sides changed."""
        self.tally[self.sides[WHITE]] += self.captured  # 001: "a point for each captured black stone"
        self.tally[self.sides[BLACK]] += len(escaped)  # 001: "a points for each "escaped" black stone"
        self.scores = (self.tally[0], self.tally[1])
        self.left -= 1
        if self.left:
            self.sides = (self.sides[1], self.sides[0])  # 001: "the player switching sides after each round"
            return self.set_up()
        first, second = self.scores
        return self.ends(None if first == second else int(second > first), why)

    def pieces(self) -> dict[str, int] | None:
        return {name(at): whose for at, whose in self.stones.items()}
