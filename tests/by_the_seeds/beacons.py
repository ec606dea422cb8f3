"""Beacons, from 002 and docs/rules/beacons.md: setup and the active phase; `harvest` has the rest of a round."""

from dataclasses import dataclass
from itertools import combinations, pairwise
from math import gcd

from .grid import Grid
from .referee import Referee

NODE = "unit"  # an unassigned unit on a node; a player's, with owned nodes, is the seat


@dataclass(frozen=True)
class Setting:
    """The options, named as the program's."""

    players: int = 2
    mode: str = "reflect"
    rounds: int = 3
    limit: int = 10
    bid: int = 12
    bonus: int = 1
    kinds: int = 2
    destroy: int = 1
    shift: int = 1
    modify: int = 1
    beacon: int = 3
    buy_in: int = 0
    owned_nodes: bool = False
    experience: str = ""


class ActivePhase(Referee):
    """What is on the board, and turns. ``stores[cell][seat]`` are units, ``shells[cell][node]`` what a node holds.

    ``phase`` is bid, place, active, move (coffers, in the harvest) or buy; ``waiting`` are those whose part of place,
    move or buy is still to come, the one to move first.
    """

    def __init__(self, grid: Grid, setting: Setting, shells: dict[str, list[str | int | None]]) -> None:
        super().__init__(setting.players)
        self.grid, self.setting, self.shells = grid, setting, shells
        self.stores = {at: [0] * self.players for at in grid.cells}
        self.beacons: dict[str, int] = {}
        self.coffers = [0] * self.players
        self.tally = [0] * self.players
        self.scores = tuple(self.tally)
        self.order: list[int] = []
        self.phase, self.round = "bid", 1
        self.waiting: list[int] = []
        self.passed: set[int] = set()  # who has had a cost-free turn since the last one that spent
        self.used: set[str] = set()
        self.spent = False

    # --- words of 002 ---

    def total(self, at: str) -> int:
        """Return how many units a store holds."""
        return sum(self.stores[at])

    def room(self, at: str) -> int:
        """Return how many more units go into a store."""
        return max(0, self.setting.limit - self.total(at))

    def dominant(self, at: str) -> int | None:
        """Return who has most units. 002: "If a tie exist for the highest number of units, neither"."""
        most = max(self.stores[at])
        leading = [seat for seat, units in enumerate(self.stores[at]) if units == most]
        return leading[0] if most and len(leading) == 1 else None

    def occupied(self, seat: int) -> list[str]:
        """Return the cells that ``seat`` occupies."""
        return [at for at in self.grid.cells if self.stores[at][seat]]

    def cost(self, a: str, b: str) -> tuple[int, int]:
        """Return p and m of moving from ``a`` to ``b``. 002: "Calculating Costs"."""
        n = self.grid.nodes
        on_a, on_b = self.grid.facing(a, b)
        way = -1 if self.setting.mode == "reflect" else 1  # 002: "in a reflective manner"
        differ = 0
        for i in range(n):
            one, other = self.shells[a][(on_a + i) % n], self.shells[b][(on_b + way * i) % n]
            differ += (one is None) != (other is None)
        common = gcd(differ, n - differ)
        return differ // common, (n - differ) // common

    # --- the active phase ---

    def begin_turn(self, seat: int) -> None:
        """Begin a turn: each has its own kinds. 002: "only 2 types of the 6"."""
        self.to_move, self.used, self.spent = seat, set(), False

    def actions(self) -> list[str]:
        """Return the plies of a turn."""
        seat = self.to_move
        assert seat is not None
        by_kind = {
            "t": self.transfers, "d": self.destructions, "s": self.shifts,
            "m": self.modifications, "b": self.new_beacons, "p": self.payments,
        }  # fmt: skip
        found = ["end"]
        for kind, plies in by_kind.items():
            if kind in self.used or len(self.used) < self.setting.kinds:
                found += plies(seat)
        return found

    def transfers(self, seat: int) -> list[str]:
        """002: "The cost p must be paid in full ... before any the units are moved, up to the amount m"."""
        found = []
        for a in self.occupied(seat):
            for b in self.grid.neighbours(a):
                pay, move = self.cost(a, b)
                own = self.stores[a][seat]
                most = own if pay == 0 else min(move, own - pay)  # 002: "If the cost for movement is 0:n"
                found += [f"t {a} {b} {units}" for units in range(1, most + 1)]
        return found

    def destructions(self, seat: int) -> list[str]:
        """002: "spend one unit of their store to destroy and discard one of other player's units"."""
        cells = [at for at in self.grid.cells if self.stores[at][seat] >= self.setting.destroy]
        others = [one for one in range(self.players) if one != seat]
        return [f"d {at} {one + 1}" for at in cells for one in others if self.stores[at][one]]

    def shifts(self, seat: int) -> list[str]:
        """002: "At a cost of one unit from the cell store in question (or more, ...)"."""
        cells = [at for at in self.grid.cells if self.stores[at][seat] >= self.setting.shift]
        return [f"s {at} {way}" for at in cells for way in "+-"]

    def modifications(self, seat: int) -> list[str]:
        """002: "If a beacon occupied by the active player is adjacent to a cell"."""
        lit = {at for word, whose in self.beacons.items() if whose == seat for at in self.grid.vertices[word]}
        found = []
        for at in [at for at in lit if self.stores[at][seat] >= self.setting.modify]:
            found += [f"m {at} {node} {'+' if held is None else '-'}" for node, held in enumerate(self.shells[at])]
        return found

    def new_beacons(self, seat: int) -> list[str]:
        """002: "if and only if they are the dominant player in all cells encompassing/adjacent to the beacon"."""
        price, found = self.setting.beacon, []
        for word, cells in self.grid.vertices.items():
            held = all(self.dominant(at) == seat and self.stores[at][seat] >= price for at in cells)
            if held and self.beacons.get(word) != seat:  # "regardless if it is occupied or not"; ruling: not one's own
                found.append(f"b {word}")
        return found

    def payments(self, seat: int) -> list[str]:
        """002: "into any other player's coffer from any cell's store any amount of units"; ruling: who is in play."""
        found = []
        for at in self.occupied(seat):
            for other in [one for one in self.order if one != seat]:
                found += [f"p {at} {other + 1} {units}" for units in range(1, self.stores[at][seat] + 1)]
        return found

    def act(self, text: str) -> None:
        """Make an action, or end the turn."""
        seat = self.to_move
        assert seat is not None
        kind, *words = text.split()
        if kind == "end":
            return self.end_turn()
        self.used.add(kind)
        self.spent = self.spent or kind != "t" or self.cost(words[0], words[1])[0] > 0
        at = words[0]
        if kind == "t":
            units = int(words[2])
            self.stores[at][seat] -= self.cost(at, words[1])[0] + units
            self.stores[words[1]][seat] += units
        elif kind == "d":
            self.stores[at][seat] -= self.setting.destroy
            self.stores[at][int(words[1]) - 1] -= 1
        elif kind == "s":
            self.stores[at][seat] -= self.setting.shift
            shell = self.shells[at]  # Ruling: clockwise, what node j held goes to j + 1
            self.shells[at] = [shell[-1], *shell[:-1]] if words[1] == "+" else [*shell[1:], shell[0]]
        elif kind == "m":
            self.stores[at][seat] -= self.setting.modify
            put: str | int = seat if self.setting.owned_nodes else NODE
            self.shells[at][int(words[1])] = put if words[2] == "+" else None
        elif kind == "b":
            for one in self.grid.vertices[at]:
                self.stores[one][seat] -= self.setting.beacon
            self.beacons[at] = seat
        else:
            self.stores[at][seat] -= int(words[2])
            self.coffers[int(words[1]) - 1] += int(words[2])
        return None

    def end_turn(self) -> None:
        """End the turn: cut stores, and see whether everybody has had a cost-free turn."""
        seat = self.to_move
        assert seat is not None
        for at in self.grid.cells:  # 002: "reducing the last player's count such that the store total is below"
            over = max(0, self.total(at) - self.setting.limit)
            self.stores[at][seat] -= min(over, self.stores[at][seat])
        # 002: "until every player has consecutively either had a cost-free turn or has passed"
        self.passed = set() if self.spent else self.passed | {seat}
        self.next_turn(seat)

    def next_turn(self, seat: int) -> None:
        """Go on after the turn of ``seat``."""
        if self.passed >= set(self.order) - self.gone:
            return self.harvest()
        after = self.order[self.order.index(seat) + 1 :] + self.order[: self.order.index(seat)]
        return self.begin_turn(next(one for one in after if one not in self.gone))

    def harvest(self) -> None:
        """Begin the harvest."""
        raise NotImplementedError


def shares(units: int, among: int) -> list[str]:
    """Return all ways to share ``units`` out, as they are written in a bid."""
    found = []
    for bars in combinations(range(units + among - 1), among - 1):
        edges = (-1, *bars, units + among - 1)
        found.append(" ".join(str(b - a - 1) for a, b in pairwise(edges)))
    return found
