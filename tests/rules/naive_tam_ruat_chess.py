"""A second, slow Chess of Tam Ruat, straight from the ruling, to hold the fast one against.

Owns a position as a dictionary of men and its legal plies by their text. Shares no code with the game's own file, and
must not import it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import product

Square = tuple[int, int]  # file and rank, from 1
Man = tuple[int, str]  # seat, kind

STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
SLANTED = [(1, 1), (1, -1), (-1, -1), (-1, 1)]


def leaps(*sizes: tuple[int, int]) -> list[Square]:
    """Return every (dx, dy) whose sizes, in either order, are among ``sizes``."""
    span = range(-3, 4)
    return [(x, y) for x, y in product(span, span) if (abs(x), abs(y)) in sizes or (abs(y), abs(x)) in sizes]


LEAPS = {"k": leaps((1, 2)), "P": leaps((0, 1), (2, 2)), "X": leaps((1, 1), (0, 2), (1, 3)), "K": leaps((0, 1), (1, 1))}
SLIDES = {"C": STRAIGHT, "c": SLANTED, "Q": STRAIGHT + SLANTED, "E": STRAIGHT + SLANTED}


def name(square: Square) -> str:
    return "abcdefghijkl"[square[0] - 1] + str(square[1])


def on_board(square: Square) -> bool:
    return 1 <= square[0] <= 12 and 1 <= square[1] <= 12


@dataclass
class Position:
    men: dict[Square, Man]
    turn: int = 0
    passed: Square | None = None
    runner: Square | None = None
    lost: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    quiet: int = 0
    history: list[object] = field(default_factory=list)

    def spare(self, seat: int) -> int:
        return 2 - sum(man == (seat, "g") for man in self.men.values())

    def royal(self, seat: int) -> Square:
        return next(square for square, man in self.men.items() if man in ((seat, "K"), (seat, "E")))


def first() -> Position:
    men: dict[Square, Man] = {}
    for file, (a, b, k) in enumerate(zip("CPXkcQKckXPC", "WwbwbwbwbwbW", "WbwbwbwbwbwW", strict=True), 1):
        men[file, 1], men[file, 2], men[file, 11], men[file, 12] = (0, a), (0, b), (1, k), (1, a)
    position = Position(men)
    position.history.append(key(position))
    return position


def goes(men: dict[Square, Man], start: Square) -> Iterator[Square]:
    """Yield where the man on ``start`` moves without taking."""
    seat, kind = men[start]
    x, y = start
    up = 1 if seat == 0 else -1
    if kind in SLIDES:
        for dx, dy in SLIDES[kind]:
            square = (x + dx, y + dy)
            while on_board(square) and square not in men:
                yield square
                square = (square[0] + dx, square[1] + dy)
    elif kind in LEAPS or kind == "W":
        for dx, dy in LEAPS["K" if kind == "W" else kind]:
            if on_board((x + dx, y + dy)) and (x + dx, y + dy) not in men:
                yield (x + dx, y + dy)
    elif kind == "g":
        yield from (square for square in landings(men, start) if square not in men)
    else:
        for dx in [0] if kind == "w" else [-1, 1]:
            one, two = (x + dx, y + up), (x + 2 * dx, y + 2 * up)
            if on_board(one) and one not in men:
                yield one
                if y == (2 if seat == 0 else 11) and on_board(two) and two not in men:
                    yield two


def landings(men: dict[Square, Man], start: Square) -> Iterator[Square]:
    """Yield the squares right behind the first man that a ghost on ``start`` meets in each direction."""
    for dx, dy in STRAIGHT + SLANTED:
        met = [n for n in range(1, 12) if (start[0] + n * dx, start[1] + n * dy) in men]
        if met:
            behind = (start[0] + (met[0] + 1) * dx, start[1] + (met[0] + 1) * dy)
            if on_board(behind):
                yield behind


def takes(men: dict[Square, Man], start: Square) -> Iterator[tuple[Square, Square]]:
    """Yield (where it lands, whom it takes) for the man on ``start``, en passant left out, royals like any other."""
    seat, kind = men[start]
    x, y = start
    up = 1 if seat == 0 else -1
    enemies = {square for square, man in men.items() if man[0] != seat}
    if kind in SLIDES:
        for dx, dy in SLIDES[kind]:
            met = [n for n in range(1, 12) if (x + n * dx, y + n * dy) in men]
            if met and (x + met[0] * dx, y + met[0] * dy) in enemies:
                yield (x + met[0] * dx, y + met[0] * dy), (x + met[0] * dx, y + met[0] * dy)
    elif kind in LEAPS:
        yield from (((x + dx, y + dy), (x + dx, y + dy)) for dx, dy in LEAPS[kind] if (x + dx, y + dy) in enemies)
    elif kind == "g":
        yield from ((square, square) for square in landings(men, start) if square in enemies)
    elif kind == "W":
        for dx, dy in LEAPS["K"]:
            over, onto = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if over in enemies and on_board(onto) and onto not in men:
                yield onto, over
    else:
        aside = [-1, 1] if kind == "w" else [0]
        yield from (((x + dx, y + up), (x + dx, y + up)) for dx in aside if (x + dx, y + up) in enemies)


def checkers(position: Position, seat: int) -> list[Square]:
    """Return who could take the royal of ``seat`` where it stands; an emperor gives no check."""
    royal = position.royal(seat)
    others = [square for square, man in position.men.items() if man[0] != seat and man[1] not in "KE"]
    return [square for square in others if royal in {victim for _, victim in takes(position.men, square)}]


def touching(position: Position) -> bool:
    (a, b), (c, d) = position.royal(0), position.royal(1)
    return abs(a - c) <= 1 and abs(b - d) <= 1


def candidates(position: Position) -> Iterator[tuple[str, Square, Square, Square | None, str]]:
    """Yield (text, from, to, victim, kind brought back), check not looked at."""
    men, turn = position.men, position.turn
    royal = position.royal(1 - turn)
    for start in [square for square, man in men.items() if man[0] == turn]:
        kind, last = men[start][1], 12 if turn == 0 else 1
        found: list[tuple[str, Square, Square | None]] = [("-", to, None) for to in goes(men, start)]
        found += [("x", to, victim) for to, victim in takes(men, start) if victim != royal]
        if position.passed and kind in "wb":
            # As if somebody stood on the passed square.
            ghostly = {**men, position.passed: (1 - turn, "w")}
            found += [("x", to, position.runner) for to, _ in takes(ghostly, start) if to == position.passed]
        for sign, to, victim in found:
            back = [""]
            if kind in "wb" and to[1] == last:
                back = ["=" + lost for lost, count in position.lost[turn].items() if count]
            for mark in back:
                yield f"{name(start)}{sign}{name(to)}{mark}", start, to, victim, mark[1:]


def played(position: Position, start: Square, to: Square, victim: Square | None, back: str) -> Position:
    """Return the position after the ply, without its history."""
    men, turn = dict(position.men), position.turn
    lost = (Counter(position.lost[0]), Counter(position.lost[1]))
    seat, kind = men.pop(start)
    if victim:
        taken = men.pop(victim)[1]
        if taken not in "wbg":
            lost[1 - turn][taken] += 1
        if kind == "W" and position.spare(turn):
            men[victim] = (turn, "g")
    if back:
        lost[turn][back] -= 1
    crowned = kind == "K" and to[1] == (12 if turn == 0 else 1)
    men[to] = (seat, "E" if crowned else back or kind)
    after = Position(men, 1 - turn, lost=lost, quiet=0 if victim or kind in "wb" else position.quiet + 1)
    if kind in "wb" and abs(to[1] - start[1]) == 2:
        after.passed = ((start[0] + to[0]) // 2, (start[1] + to[1]) // 2)
        after.runner = to
    return after


def legal(position: Position) -> dict[str, Position]:
    """Return the positions after all legal plies by their texts, were the game not over; their history is empty."""
    found = {}
    for text, start, to, victim, back in candidates(position):
        after = played(position, start, to, victim, back)
        if not checkers(after, position.turn) and not touching(after):
            found[text] = after
    return found


def key(position: Position) -> object:
    """Return what makes two positions the same."""
    passed = None
    if position.passed:
        allowed = legal(position)
        way = (position.passed, position.runner)
        onto = [text for text, _, to, victim, _ in candidates(position) if (to, victim) == way]
        passed = position.passed if any(text in allowed for text in onto) else None
    lost = tuple(tuple(sorted((+counter).items())) for counter in position.lost)
    return frozenset(position.men.items()), position.turn, passed, position.spare(0), position.spare(1), lost


def go_on(position: Position, after: Position) -> Position:
    """Return ``after`` with the history that leads to it."""
    after.history = [*position.history, key(after)]
    return after


def ending(position: Position, legal: Collection[str]) -> tuple[str, int | None]:
    """Return why the game is over and who has won: ("", None) until then. The tests in the ruling's order."""
    for seat in (0, 1):
        if sum(man[0] == seat for man in position.men.values()) == 1:
            return "bared", 1 - seat
    if not legal:
        return ("checkmate", 1 - position.turn) if checkers(position, position.turn) else ("stalemate", None)
    if position.history.count(position.history[-1]) >= 5:
        return "repetition", None
    return ("75 moves", None) if position.quiet >= 150 else ("", None)
