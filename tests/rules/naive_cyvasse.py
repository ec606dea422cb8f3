"""A second Cyvasse, slow and plain, for holding the real one against: dictionaries, coordinates, fractions.

Written from the ruling alone. It shares no code with `controller.rules`, on purpose; keep it so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from copy import copy
from fractions import Fraction

At = tuple[int, int]
EDGE = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]
DIAGONAL = [(-1, 2), (1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1)]
BOARD = [(x, y) for x in range(11) for y in range(11) if 5 <= x + y <= 15]
NEAR = {(x, y): [(x + dx, y + dy) for dx, dy in EDGE if (x + dx, y + dy) in BOARD] for x, y in BOARD}
TIER = {"R": 1, "K": 1, "C": 2, "S": 2, "L": 2, "B": 3, "E": 3, "H": 3, "D": 4}
COUNT = {"M": 6, "R": 6, "K": 1, "C": 2, "S": 2, "L": 2, "B": 2, "E": 2, "H": 2, "D": 1}
NEXT_KINDS = {"R": ["C", "S", "L"], "C": ["B"], "S": ["E"], "L": ["H"]}
ARRAY = "K h2; R g2 i2 g3 h3 e4 i4; M c4 k4 c5 j5 f5 g5; C f4 h4; S f3 i3; L d5 i5; B e3 j3; E f2 j2; H f1 k1"


def name(at: At) -> str:
    return "abcdefghijk"[at[0]] + str(at[1] + 1)


def place(name: str) -> At:
    return "abcdefghijk".index(name[0]), int(name[1:]) - 1


CORNERS = [place(corner) for corner in ("f1", "k1", "k6", "f11", "a11", "a6")]


def distance(a: At, b: At) -> int:
    dx, dy = a[0] - b[0], a[1] - b[1]
    return max(abs(dx), abs(dy), abs(dx + dy))


def home(side: int, at: At) -> bool:
    return at[1] + 1 <= 5 if side == 0 else at[1] + 1 >= 7


class Naive:
    """A position with its history. ``legal`` gives every ply's text with the position after it."""

    def __init__(self, setup: str = "standard", online: bool = False, by_sea: bool = False) -> None:
        self.setup, self.online, self.by_sea = setup, online, by_sea
        self.pieces: dict[At, tuple[int | None, str]] = {}
        self.tiles: dict[At, str] = {}
        self.fortress: dict[int, At | None] = {0: None, 1: None}
        self.centre: dict[int, At | None] = {0: None, 1: None}
        self.dragon_waits = {0: True, 1: True}
        self.ready = {0: False, 1: False}
        self.mover = 0
        self.past: Counter[object] = Counter()
        self.idle = 0
        self.draw = ""
        if setup == "standard":
            for group in ARRAY.split("; "):
                kind, *names = group.split()
                for x, y in map(place, names):
                    self.stand(0, kind, (x, y))
                    self.stand(1, kind, (10 - x, 10 - y))
            self.ready = {0: True, 1: True}
            self.past[self.signature()] += 1

    def twin(self) -> Naive:
        other = copy(self)
        for field in ("pieces", "tiles", "fortress", "centre", "dragon_waits", "ready"):
            setattr(other, field, dict(getattr(self, field)))
        other.past = Counter(self.past)
        return other

    def signature(self) -> object:
        everything = (self.pieces, self.fortress, self.centre, self.dragon_waits)
        return (self.mover, *(tuple(sorted(part.items())) for part in everything))

    # ---- setup

    def stand(self, side: int, kind: str, at: At) -> None:
        self.pieces[at] = (None if kind == "M" else side, kind)
        if kind in "CSL":
            self.tiles[at] = {"C": "hill", "S": "forest", "L": "grassland"}[kind]
        if kind == "K":
            self.fortress[side] = self.centre[side] = at
        if kind == "D":
            self.dragon_waits[side] = False

    def missing(self, side: int) -> list[str]:
        there = Counter(kind for at, (_, kind) in self.pieces.items() if home(side, at))
        return [kind for kind in COUNT if there[kind] < COUNT[kind]]

    def placings(self) -> Iterator[tuple[str, Naive]]:
        side = self.mover
        for kind in self.missing(side):
            for at in BOARD:
                if home(side, at) and at not in self.pieces:
                    then = self.twin()
                    then.stand(side, kind, at)
                    yield f"{kind}@{name(at)}", then.passed_on(done=not then.missing(side))
        if self.missing(side) == ["D"]:
            yield "end", self.twin().passed_on(done=True)

    def passed_on(self, done: bool) -> Naive:
        side = self.mover
        self.ready[side] = done
        if self.ready[0] and self.ready[1]:
            self.mover = 0
            self.past[self.signature()] += 1
        elif not self.ready[1 - side] and (self.setup == "open" or done):
            self.mover = 1 - side
        return self

    # ---- where a piece could go if tiers did not matter

    def lines(self, at: At, kind: str) -> Iterator[list[At]]:
        straight = {
            "R": (EDGE, 1),
            "K": (EDGE, 1),
            "C": (EDGE, 3),
            "B": (EDGE, 99),
            "S": (DIAGONAL, 2),
            "E": (DIAGONAL, 99),
        }
        if kind in straight:
            directions, reach = straight[kind]
            for dx, dy in directions:
                yield [(at[0] + n * dx, at[1] + n * dy) for n in range(1, min(reach, 11) + 1)]
        else:
            for centre in self.centre.values():
                assert centre is not None
                d = distance(at, centre)
                for first in NEAR[at]:
                    if d > 0 and distance(first, centre) == d:
                        yield self.ring(at, first, centre)[: 3 if kind == "L" else 99]

    def ring(self, at: At, first: At, centre: At) -> list[At]:
        way = [at, first]
        while True:
            onward = [c for c in NEAR[way[-1]] if distance(c, centre) == distance(at, centre) and c != way[-2]]
            if not onward or onward[0] == at:
                return way[1:]
            way.append(onward[0])

    def goals(self, at: At) -> set[At]:
        side, kind = self.pieces[at]
        found, dry = set(), set()
        if kind == "D":
            edge = {at}
            for _ in range(4):
                beyond = {c for b in edge for c in NEAR[b] if c != at}
                found |= beyond
                edge = {c for c in beyond if c not in self.pieces or self.pieces[c][1] == "M"}
        else:
            for line in self.lines(at, kind):
                for cell in line:
                    if cell not in NEAR:
                        break
                    found.add(cell)
                    if cell in self.pieces:
                        break
        found = {c for c in found if c not in self.pieces or self.pieces[c][0] == 1 - (side or 0)}
        if self.by_sea:
            dry = {c for c in found if c not in self.pieces}
        order = self.port_order() if self.by_sea else []
        for port in dry & set(order):
            for step in (-1, 1):
                hop = order[(order.index(port) + step) % len(order)]
                if hop not in self.pieces or self.pieces[hop][0] == 1 - (side or 0):
                    found.add(hop)
        return found

    def port_order(self) -> list[At]:
        harbours = set(CORNERS) | {f for f in self.fortress.values() if f and distance(f, (5, 5)) == 5}

        def angle(at: At) -> float:
            return math.atan2(1.5 * (at[1] - 5), math.sqrt(3) * (at[0] - 5 + (at[1] - 5) / 2))

        return sorted(harbours, key=angle)

    # ---- capture

    def defence(self, at: At) -> int:
        side, kind = self.pieces[at]
        matching = {"hill": "CB", "forest": "SE", "grassland": "LH"}.get(self.tiles.get(at, ""), "")
        if kind != "D" and (kind in matching or self.fortress[side or 0] == at):
            return min(TIER[kind] + 1, 4)
        return TIER[kind]

    def can_take(self, a: At, target: At) -> bool:
        side, kind = self.pieces[a]
        comrades = [at for at, (whose, _) in self.pieces.items() if whose == side and at != a]
        kinds = [self.pieces[at][1] for at in comrades if target in self.goals(at)]
        tiers = [TIER[k] for k in kinds if k != "K"]
        strengths = [Fraction(TIER[kind])]
        if kind == "K":
            strengths += [m + self.support(tiers, m) for m in tiers]
        else:
            strengths.append(TIER[kind] + self.support(tiers, TIER[kind]) + kinds.count("K"))
        return max(strengths) >= self.defence(target)

    def support(self, tiers: list[int], top: int) -> Fraction:
        if self.online:
            counts = {tier: tiers.count(tier) for tier in (1, 2, 3, 4)}
            for tier in (1, 2, 3):
                if tier < top and counts[tier] > 1:
                    counts[tier + 1] += counts[tier] - 1
            return Fraction(counts[top])
        return sum((Fraction(2) ** (tier - top) for tier in tiers if tier <= top), Fraction(0))

    # ---- a turn

    def legal(self) -> dict[str, Naive]:
        """Return every legal ply with the position after it; none when the game is over."""
        if not (self.ready[0] and self.ready[1]):
            return dict(self.placings())
        return {} if self.draw else self.turns()

    def turns(self) -> dict[str, Naive]:
        side, found = self.mover, {}
        needs_king = (side, "K") not in self.pieces.values()
        for words, begun in self.beginnings(needs_king):
            for word, moved, took, out in begun.acts():
                moved.finish(progress=took or out or "=" in words)
                if (side, "K") in moved.pieces.values():
                    found[f"{words} {word}".strip()] = moved
        return found

    def beginnings(self, needs_king: bool) -> Iterator[tuple[str, Naive]]:
        side = self.mover
        for corner in CORNERS if self.centre[1 - side] is None else [None]:
            start = self.twin()
            words = ""
            if corner:
                start.centre[1 - side] = corner
                words = "@" + name(corner)
            fortress = self.fortress[side]
            choices = []
            if fortress in self.pieces and self.pieces[fortress][0] == side:
                kind = self.pieces[fortress][1]
                for into in NEXT_KINDS.get(kind, []):
                    if list(self.pieces.values()).count((side, into)) < 2:
                        choices.append(into)
                if kind in "BEH" and needs_king:
                    choices = ["K"]
            for into in choices:
                assert fortress is not None
                promoted = start.twin()
                promoted.pieces[fortress] = (side, into)
                yield f"{words} {name(fortress)}={into}".strip(), promoted
            if not choices:
                yield words, start

    def acts(self) -> Iterator[tuple[str, Naive, bool, bool]]:
        side = self.mover
        for at, (whose, _) in self.pieces.items():
            if whose == side:
                for goal in self.goals(at):
                    took = goal in self.pieces
                    if not took or self.can_take(at, goal):
                        then = self.twin()
                        then.pieces[goal] = then.pieces.pop(at)
                        yield f"{name(at)}{'x' if took else '-'}{name(goal)}", then, took, False
        fortress = self.fortress[side]
        if fortress and self.dragon_waits[side]:
            for goal in BOARD:
                took = goal in self.pieces
                if distance(goal, fortress) <= 4 and (not took or self.pieces[goal][0] == 1 - side):
                    then = self.twin()
                    then.pieces[goal] = (side, "D")
                    then.dragon_waits[side] = False
                    yield f"D{'x' if took else '-'}{name(goal)}", then, took, True

    def finish(self, progress: bool) -> None:
        side = self.mover
        fortress = self.fortress[side]
        stands = self.pieces.get(fortress) if fortress else None
        if fortress and stands in [(side, "B"), (side, "E"), (side, "H")] and (side, "K") not in self.pieces.values():
            self.pieces[fortress] = (side, "K")
        if fortress and stands and stands[0] == 1 - side:
            self.fortress[side] = self.centre[side] = None
            progress = True
        self.mover = 1 - side
        self.idle = 0 if progress else self.idle + 1
        self.past[self.signature()] += 1
        if self.past[self.signature()] == 3:
            self.draw = "repetition"
        elif self.idle == 100:
            self.draw = "100 turns"

    def verdict(self) -> tuple[bool, int | None, str]:
        """Return whether the game is over, the winner and why."""
        if not (self.ready[0] and self.ready[1]):
            return False, None, ""
        if not self.turns():
            lost = (self.mover, "K") not in self.pieces.values()
            return (True, 1 - self.mover, "king") if lost else (True, None, "stuck")
        return bool(self.draw), None, self.draw
