"""Tides of War, from 001 and docs/rules/tides-of-war.md."""

from itertools import pairwise

from .referee import EIGHT, Cell, Referee, add, cell, name, path

BOARD = {(x, y) for x in range(6) for y in range(6)}  # 001: "a six by six square board"
TOWNS = (cell("a1"), cell("f6"))  # 001: "The corner square closest to each player ... is called the town"


class TidesOfWar(Referee):
    """Seat 0 is White, who moves first."""

    def __init__(self) -> None:
        super().__init__(2)
        # Ruling, board and setup: file + rank, from 1, is below or above 7. 001: "14 stones on both sides".
        self.stones = {(x, y): int(x + y + 2 > 7) for x, y in BOARD if x + y + 2 != 7 and (x, y) not in TOWNS}
        self.thrice(self.position())

    def position(self) -> object:
        """Return what repeats: the same stones, the same player to move."""
        return frozenset(self.stones.items()), self.to_move

    def free(self, at: Cell, stones: dict[Cell, int]) -> bool:
        """Return whether a stone of the one to move may stand on ``at``."""
        assert self.to_move is not None
        # 001: "The player cannot move her own stones into her town"
        return at in BOARD and at not in stones and at != TOWNS[self.to_move]

    def jumps(self, so_far: list[Cell], stones: dict[Cell, int]) -> list[list[Cell]]:
        """Return the chains that go on from ``so_far``; the jumping stone is not among ``stones``."""
        assert self.to_move is not None
        if len(so_far) > 1 and so_far[-1] == TOWNS[1 - self.to_move]:
            return []  # 001: "the game ends when an enemy stone manages to enter the town"
        found = []
        for step in EIGHT:
            over, onto = add(so_far[-1], step), add(so_far[-1], step, 2)
            # 001: "jumping over an adjacent enemy stone onto a vacant square"
            if stones.get(over) == 1 - self.to_move and self.free(onto, stones):
                chain = [*so_far, onto]
                left = {at: whose for at, whose in stones.items() if at != over}
                found += [chain, *self.jumps(chain, left)]  # 001: "neither you have to continue capturing"
        return found

    def legal(self) -> list[str]:
        if self.over:
            return []
        found = []
        for at in [at for at, whose in self.stones.items() if whose == self.to_move]:
            # 001: "one square horizontally, vertically, or diagonally onto a vacant square"
            steps = [[at, add(at, step)] for step in EIGHT if self.free(add(at, step), self.stones)]
            found += [path(step, False) for step in steps]
            others = {one: whose for one, whose in self.stones.items() if one != at}
            found += [path(chain, True) for chain in self.jumps([at], others)]
        return found

    def play(self, text: str) -> None:
        way = [cell(one) for one in text.replace("x", "-").split("-")]
        mover = self.stones.pop(way[0])
        if "x" in text:
            for a, b in pairwise(way):
                del self.stones[(a[0] + b[0]) // 2, (a[1] + b[1]) // 2]
        self.stones[way[-1]] = mover
        self.to_move = 1 - mover
        if way[-1] == TOWNS[1 - mover]:
            return self.ends(mover, "conquest")
        if 1 - mover not in self.stones.values():
            return self.ends(mover, "massacre")  # 001: "to capture all enemy stones, also called a massacre"
        if not self.legal():
            return self.ends(mover, "stuck")  # Ruling: who cannot move loses
        if self.thrice(self.position()):
            self.ends(None, "repetition")
        return None

    def pieces(self) -> dict[str, int] | None:
        return {name(at): whose for at, whose in self.stones.items()}
