"""A second, slow Circle, straight from the ruling, to hold the fast one against.

Owns a position as a dictionary of units and its legal plies by their text. Shares no code with the game's own file, and
must not import it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

BEATEN_BY = {4: {3, 2}, 3: {2, 1}, 2: {1}, 1: {4}}
NAMES = {(x, y): f"{'abcdefghi'[x]}{y + 1}" for x in range(9) for y in range(9)}
SQUARES = {name: square for square, name in NAMES.items()}


@dataclass(frozen=True)
class Position:
    units: dict[str, tuple[int, int]]  # seat and class
    players: int
    victory: str
    any_unit: bool
    turn: int = 0
    goes: int = 3  # left in this turn
    made: int = 0
    had_go: frozenset[str] = frozenset()
    taken: bool = False
    begun: frozenset[int] = frozenset({0})  # the seats that have begun their first turn
    first_turn: bool = True
    history: tuple[object, ...] = field(default=())
    why: str = ""
    winner: int | None = None


def first(players: int, victory: str, any_unit: bool) -> Position:
    corners = {2: ["a1", "i9"], 4: ["a1", "a9", "i9", "i1"]}[players]
    diagonals = {2: (3, 4), 4: (2, 3)}[players]
    units = {}
    for seat, corner in enumerate(corners):
        (cx, cy) = SQUARES[corner]
        for (x, y), name in NAMES.items():
            if abs(x - cx) + abs(y - cy) + 1 in diagonals:
                units[name] = (seat, 1)
    position = Position(units, players, victory, any_unit)
    return replace(position, history=(key(position),))


def key(position: Position) -> object:
    return frozenset(position.units.items()), position.turn


def legal(position: Position) -> list[str]:
    """Return the texts of the legal plies."""
    if position.why:
        return []
    found = ["end"] if position.made else []
    for name, (seat, kind) in position.units.items():
        if name in position.had_go and not position.first_turn:
            continue
        if seat == position.turn or position.any_unit:
            found.append(name + "+")
        if seat != position.turn:
            continue
        x, y = SQUARES[name]
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                there = NAMES.get((x + dx, y + dy))
                if there is None or there == name:
                    continue
                if there not in position.units:
                    found.append(f"{name}-{there}")
                elif not position.taken:
                    owner, other = position.units[there]
                    if owner != position.turn and other in BEATEN_BY[kind]:
                        found.append(f"{name}x{there}")
    return sorted(found)


def play(position: Position, text: str) -> Position:
    if text == "end":
        return next_turn(position)
    units, had_go = dict(position.units), set(position.had_go)
    if text.endswith("+"):
        seat, kind = units[text[:-1]]
        units[text[:-1]] = (seat, kind % 4 + 1)
        had_go.add(text[:-1])
    else:
        begin, end = text.replace("x", "-").split("-")
        units[end] = units.pop(begin)
        had_go.add(end)
    after = replace(
        position,
        units=units,
        had_go=frozenset(had_go),
        goes=position.goes - 1,
        made=position.made + 1,
        taken=position.taken or "x" in text,
    )
    if "x" in text:
        enough = 1 if position.victory == "annihilation" else 2
        counts = [sum(seat == s for seat, _ in units.values()) for s in range(position.players)]
        left = [s for s, count in enumerate(counts) if count >= enough]
        if len(left) == 1:
            return replace(after, why=position.victory, winner=left[0])
    return after if after.goes else next_turn(after)


def next_turn(position: Position) -> Position:
    turn = (position.turn + 1) % position.players
    while not any(seat == turn for seat, _ in position.units.values()):
        turn = (turn + 1) % position.players
    is_first = turn not in position.begun
    after = replace(
        position,
        turn=turn,
        goes=3 if is_first else 2,
        made=0,
        had_go=frozenset(),
        taken=False,
        begun=position.begun | {turn},
        first_turn=is_first,
    )
    after = replace(after, history=(*position.history, key(after)))
    return replace(after, why="repetition") if after.history.count(after.history[-1]) >= 3 else after
