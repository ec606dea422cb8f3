"""A second, slow Beacons, straight from the ruling, to hold the fast one against.

Owns a position as dictionaries by cell names, on hex and square grids worked out from coordinates, and its legal
plies by their text. Shares no code with the game's own files, and must not import them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import product

HEX_SIDES = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]
SQUARE_SIDES = [(0, 1), (1, 0), (0, -1), (-1, 0)]
RULING: dict[str, object] = {"players": 2, "mode": "reflect", "rounds": 3, "limit": 10, "owned_nodes": False}
RULING |= {"bid": 12, "bonus": 1, "kinds": 2, "buy_in": 0, "destroy": 1, "shift": 1, "modify": 1, "beacon": 3}


class Grid:
    """Cells by name in cell order, what lies beyond each of their sides, and their shared vertices by name."""

    def __init__(self, board: str) -> None:
        kind, *sizes = board.split()
        if kind == "hex":
            span = int(sizes[0]) * 2 - 1
            low, high = int(sizes[0]) - 1, int(sizes[0]) * 3 - 3
            places = [(x, y) for x in range(span) for y in range(span) if low <= x + y <= high]
            self.directions = HEX_SIDES
        else:
            places = list(product(range(int(sizes[0])), range(int(sizes[1]))))
            self.directions = SQUARE_SIDES
        self.nodes = len(self.directions)
        self.names = {place: "abcdefghijklmnopqrstuvwxyz"[place[0]] + str(place[1] + 1) for place in places}
        self.places = {name: place for place, name in self.names.items()}
        self.cells = sorted(self.places, key=lambda name: (name[0], int(name[1:])))
        self.vertices: dict[str, list[str]] = {}
        self._name_vertices()

    def beyond(self, cell: str, side: int) -> str | None:
        x, y = self.places[cell]
        dx, dy = self.directions[side]
        return self.names.get((x + dx, y + dy))

    def neighbours(self, cell: str) -> list[str]:
        return [name for side in range(self.nodes) if (name := self.beyond(cell, side))]

    def _name_vertices(self) -> None:
        done = set()
        for cell in self.cells:
            for corner in range(self.nodes):
                # The places round a corner, on the board or off it, tell it from all others.
                (x, y), ways = self.places[cell], [(0, 0), self.directions[corner - 1], self.directions[corner]]
                if self.nodes == 4:
                    ways.append((ways[1][0] + ways[2][0], ways[1][1] + ways[2][1]))
                spot = frozenset((x + dx, y + dy) for dx, dy in ways)
                there = [c for c in self.cells if self.places[c] in spot]
                if spot in done or len(there) < 2:
                    continue
                done.add(spot)
                name = ".".join(there)
                self.vertices[f"{name}#2" if name in self.vertices else name] = there


def price(grid: Grid, mode: str, shells: dict[str, str], a: str, b: str) -> tuple[int, int]:
    """Return p and m of the cost from a to b, from shells written node by node."""
    n = grid.nodes
    side_a = next(side for side in range(n) if grid.beyond(a, side) == b)
    side_b = next(side for side in range(n) if grid.beyond(b, side) == a)
    differ = 0
    for i in range(n):
        other = (side_b - i if mode == "reflect" else side_b + i) % n
        differ += (shells[a][(side_a + i) % n] == ".") != (shells[b][other] == ".")
    if differ == 0:
        return 0, 1
    if differ == n:
        return 1, 0
    common = math.gcd(differ, n - differ)
    return differ // common, (n - differ) // common


@dataclass
class Table:
    """A position. Players are numbered from 1; a shell has "." for an empty node, "u" or the player's number."""

    grid: Grid
    rules: dict[str, object]
    lot: list[int]
    shells: dict[str, str]
    stores: dict[str, dict[int, int]] = field(default_factory=dict)
    beacons: dict[str, int] = field(default_factory=dict)
    coffers: dict[int, int] = field(default_factory=dict)
    tally: dict[int, int] = field(default_factory=dict)
    phase: str = "bids"
    order: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    bids: list[list[int]] = field(default_factory=list)
    round: int = 1
    kinds: set[str] = field(default_factory=set)
    paid: bool = False
    free_turns: int = 0
    opened: set[str] = field(default_factory=set)
    fed: set[int] = field(default_factory=set)
    lost: list[int] = field(default_factory=list)
    winner: int | None = None
    why: str = ""

    def __post_init__(self) -> None:
        everybody = range(1, self.number("players") + 1)
        self.stores = {c: dict.fromkeys(everybody, 0) | self.stores.get(c, {}) for c in self.grid.cells}
        self.coffers = dict.fromkeys(everybody, 0)
        self.tally = dict.fromkeys(everybody, 0)
        self.waiting = list(self.order or everybody)
        self.phase = "active" if self.order else "bids"

    def number(self, name: str) -> int:
        return int(str(self.rules[name]))

    def ruler(self, cell: str) -> int | None:
        store = self.stores[cell]
        for player, units in store.items():
            if units and all(units > other for p, other in store.items() if p != player):
                return player
        return None

    def full(self, cell: str) -> int:
        return sum(self.stores[cell].values())

    # ---- what is legal ----

    def legal(self) -> set[str]:
        if self.phase == "over":
            return set()
        me = self.waiting[0]
        if self.phase == "bids":
            units = range(self.number("bid") + 1)
            every = product(units, repeat=self.number("players"))
            return {"bid " + " ".join(map(str, b)) for b in every if sum(b) == self.number("bid")}
        if self.phase != "active":
            return {"end"} | self.from_coffer(me)
        found = {"end"}
        for cell in self.grid.cells:
            if self.stores[cell][me]:
                found |= self.in_cell(me, cell)
        for vertex, cells in self.grid.vertices.items():
            rich = all(self.stores[c][me] >= self.number("beacon") for c in cells)
            if rich and all(self.ruler(c) == me for c in cells) and self.beacons.get(vertex) != me:
                found.add(f"b {vertex}")
        if len(self.kinds) == self.number("kinds"):
            found = {ply for ply in found if ply == "end" or ply[0] in self.kinds}
        return found

    def in_cell(self, me: int, cell: str) -> set[str]:
        own, found = self.stores[cell][me], set()
        for other in self.grid.neighbours(cell):
            p, m = price(self.grid, str(self.rules["mode"]), self.shells, cell, other)
            for units in range(1, own - p + 1):
                if units <= m or p == 0:
                    found.add(f"t {cell} {other} {units}")
        for player, units in self.stores[cell].items():
            if player != me and units and own >= self.number("destroy"):
                found.add(f"d {cell} {player}")
            if player != me and player in self.order:
                found |= {f"p {cell} {player} {paid}" for paid in range(1, own + 1)}
        if own >= self.number("shift"):
            found |= {f"s {cell} +", f"s {cell} -"}
        near = any(cell in cells and self.beacons.get(v) == me for v, cells in self.grid.vertices.items())
        if near and own >= self.number("modify"):
            found |= {f"m {cell} {j} {'+' if held == '.' else '-'}" for j, held in enumerate(self.shells[cell])}
        return found

    def from_coffer(self, me: int) -> set[str]:
        found = set()
        for cell in self.grid.cells:
            others = self.full(cell) - self.stores[cell][me]
            if self.phase == "place":
                most = len(self.grid.cells) // self.number("players")
                allowed = not others and (cell in self.opened or len(self.opened) < most)
            else:
                allowed = self.phase == "buy in" or self.stores[cell][me] > 0
            if allowed:
                word = "move" if self.phase == "harvest" else "place"
                room = min(self.coffers[me], self.number("limit") - self.full(cell))
                found |= {f"{word} {cell} {units}" for units in range(1, room + 1)}
        return found

    # ---- what a ply does ----

    def play(self, ply: str) -> None:
        me, words = self.waiting[0], ply.split()
        match words:
            case ["bid", *shares]:
                self.bids.append([int(s) for s in shares])
                self.waiting.pop(0)
                if not self.waiting:
                    self.open_bids()
            case ["place" | "move", cell, units]:
                self.stores[cell][me] += int(units)
                self.coffers[me] -= int(units)
                self.opened.add(cell)
                if self.phase == "harvest":
                    self.fed.add(me)
                self.go_on()
            case ["end"] if self.phase == "active":
                self.end_turn(me)
            case ["end"]:
                self.close()
                self.go_on()
            case _:
                self.kinds.add(words[0])
                self.act(me, words)

    def act(self, me: int, words: list[str]) -> None:
        match words:
            case ["t", a, b, units]:
                p, _ = price(self.grid, str(self.rules["mode"]), self.shells, a, b)
                self.stores[a][me] -= p + int(units)
                self.stores[b][me] += int(units)
                self.paid = self.paid or p > 0
                return
            case ["d", cell, player]:
                self.stores[cell][me] -= self.number("destroy")
                self.stores[cell][int(player)] -= 1
            case ["s", cell, way]:
                self.stores[cell][me] -= self.number("shift")
                old = self.shells[cell]
                self.shells[cell] = old[-1] + old[:-1] if way == "+" else old[1:] + old[0]
            case ["m", cell, node, way]:
                self.stores[cell][me] -= self.number("modify")
                filled = str(me) if self.rules["owned_nodes"] else "u"
                shell = list(self.shells[cell])
                shell[int(node)] = filled if way == "+" else "."
                self.shells[cell] = "".join(shell)
            case ["b", vertex]:
                for cell in self.grid.vertices[vertex]:
                    self.stores[cell][me] -= self.number("beacon")
                self.beacons[vertex] = me
            case ["p", cell, player, units]:
                self.stores[cell][me] -= int(units)
                self.coffers[int(player)] += int(units)
        self.paid = True

    def open_bids(self) -> None:
        for bid in self.bids:
            for player, units in enumerate(bid, 1):
                self.coffers[player] += units
        self.order = sorted(self.coffers, key=lambda p: (self.coffers[p], self.lot.index(p)))
        for player in self.coffers:
            self.coffers[player] += self.number("bonus")
        self.phase, self.waiting = "place", list(self.order)
        self.go_on()

    def close(self) -> None:
        me = self.waiting.pop(0)
        if self.phase == "buy in" and self.opened:
            self.lost.remove(me)
        self.coffers[me] = 0
        self.opened = set()

    def go_on(self) -> None:
        while self.waiting and not self.from_coffer(self.waiting[0]):
            self.close()
        if self.waiting:
            return
        if self.phase == "place":
            self.phase, self.waiting = "active", list(self.order)
        elif self.phase == "harvest":
            self.find_lost()
        else:
            self.next_round()

    def end_turn(self, me: int) -> None:
        for cell in self.grid.cells:
            while self.full(cell) > self.number("limit") and self.stores[cell][me]:
                self.stores[cell][me] -= 1
        self.free_turns = 0 if self.paid else self.free_turns + 1
        self.paid, self.kinds = False, set()
        self.waiting = [*self.waiting[1:], me]
        if self.free_turns == len(self.order):
            self.free_turns = 0
            self.harvest()

    def harvest(self) -> None:
        for holder in self.beacons.values():
            if holder in self.order:
                self.tally[holder] += 1
        rulers = {c: self.ruler(c) for c in self.grid.cells}
        held = {c: {p for p, units in self.stores[c].items() if units} for c in self.grid.cells}
        self.fed = set()
        for cell, player in rulers.items():
            if player is None:
                continue
            for _ in range(1 + sum(player in held[other] for other in self.grid.neighbours(cell))):
                if self.full(cell) < self.number("limit"):
                    self.stores[cell][player] += 1
                    self.fed.add(player)
        self.order.sort(key=lambda p: self.coffers[p])
        self.phase, self.waiting = "harvest", list(self.order)
        self.go_on()

    def find_lost(self) -> None:
        rulers = {self.ruler(c) for c in self.grid.cells}
        self.lost = [p for p in self.order if p not in self.fed and p not in rulers]
        for player in self.lost:
            self.coffers[player] = self.number("buy_in")
            for store in self.stores.values():
                store[player] = 0
        self.phase, self.waiting = "buy in", list(self.lost)
        self.go_on()

    def next_round(self) -> None:
        self.order = [p for p in self.order if p not in self.lost]
        self.lost, self.waiting = [], list(self.order)
        if self.round == self.number("rounds") or not self.order:
            ruled = {p: sum(self.ruler(c) == p for c in self.grid.cells) for p in self.tally}
            best = max((self.tally[p], ruled[p]) for p in self.tally)
            first = [p for p in self.tally if (self.tally[p], ruled[p]) == best]
            self.phase, self.why, self.winner = "over", "tally", first[0] if len(first) == 1 else None
        elif len(self.order) == 1:
            self.phase, self.why, self.winner = "over", "last", self.order[0]
        else:
            self.phase, self.round = "active", self.round + 1
