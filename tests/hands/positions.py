"""Positions to tell stories from, and what each legal ply does to the pieces.

Owns the pools of positions that random play reaches, the same for a seed every time. Must not know hands, sensors or
stories; of tables it makes one on which a position stands.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from controller.events import Snapshot
from controller.from_profile import bare_profile, table_board
from controller.orders import NewGame
from controller.rules.game import AnyGame, Piece
from controller.table.orders import resume
from controller.table.session import Left, Session, begin
from controller.table.state import Table
from controller.table.table import step

TRIAL: dict[str, Any] = {"template": "trial"}
CHEAP: dict[str, Any] = {**TRIAL, "beacon": 1}
POOL = 32  # positions of one pool
PER_POOL = 1024  # seeds that share a pool
WALKS = (0, 0, 1, 2, 4, 8, 16, 30)  # how many plies random play goes on from an opening

# Where random play begins: the game's options and plies made already, so that what is rare comes up too.
OPENINGS: dict[str, tuple[tuple[dict[str, Any], str], ...]] = {
    "beacons": (
        (TRIAL, ""),
        (CHEAP, ""),
        (CHEAP, "t a3 b3 1; t a3 b2 1"),
        (CHEAP, "t b3 c3 1; t b3 c2 1; b b3.c2.c3; end; t d3 c3 1; t d3 c3 2; t c3 b3 1; t e3 e2 3; t e2 d2 2"),
    ),
    "circle": (({}, ""), ({}, "a3+; end; g9+; end"), ({}, "c2-d3; d3-e4; e4-f5; h7-g6; g6+"), ({"any_unit": True}, "")),
    "cyvasse": (
        ({}, ""),
        ({}, "d5-d6"),
        ({}, "i5-h6"),
        ({}, "D-d3; c7-d6"),
        ({}, "f4-d6; D-c11; D-k2; d10-d11; i5-k3; h7-h6; k3xh6; e10-d10; h2-h1"),
        ({}, "d5-d6; d8xd6; f4-e5; d6xe5; h2-h1; h7-g7; g2-h2; g7-h7"),
    ),
    "giantslayer": (
        ({}, ""),
        ({}, "b4-d4"),
        ({}, "h6-h3; f5-g5; g1-g4"),
        ({}, "e1-e3; f5-g4; d2-d4"),
        ({}, "h6-h3; f5-f6; g1-b6; f4-f5; f8-f7"),
        ({}, "a6-b6; f4-f3; b6-b7; d6-d7; g1-g3; d7-d8; d9-e8; f3xh3; c3-c5; d5-c6"),
    ),
    "tam-ruat-chess": (
        ({}, ""),
        ({}, "d2-d4; e11-e9; d4-d5; e9-e8; d5-d6; e8-e7"),
        ({}, "a2-b3; g11-g10; a1-a10"),
        ({}, "d2-d4; a11-a10; d4-d5; a10-a9; d5-d6; a9-a8; d6-d7; a8-a7; d7-d8; a7-a6; d8-d9; c11-c9"),
        (
            {},
            "a2-b3; g11-g10; a1-a10; a11xa9; d2-d4; a10xj1; d4-d5; a9-a8; d5-d6; a8-a9; d6-d7; a9-a8; "
            "d7-d8; a8-a9; d8-d9; a9-a8; d9-d10; a8-a9; d10xe11; a9-a8",
        ),
        ({}, "f2-f4; g11-g9; f4-f5; g9-g8; f5-f6; h11-f9; f6-f7"),
    ),
    "tides-of-war": (({}, ""), ({}, "c3-d3"), ({}, "e1-f1; f3-e2"), ({}, "c2-d3"), ({}, "c3-d3; e3xc3")),
}
GAMES = tuple(OPENINGS)


Shown = frozenset[tuple[str, int]]


class Pole(int):
    """Which pole of a piece's magnet lies down, 1 north or -1 south; and of which ``kind`` that piece is."""

    kind: str

    def __new__(cls, pole: int, kind: str) -> Pole:
        made = super().__new__(cls, pole)
        made.kind = kind
        return made


@dataclass(frozen=True)
class Made:
    """What making one ply does to the pieces. Sites are the game's.

    ``path`` as in `Walk`; empty where no piece travels. ``victim`` stood on the landing, ``takes`` beside it. What else
    the hands must do is in ``off`` (sites to clear) and ``on`` (sites to fill, with the pole). ``after`` are the poles
    of all pieces when all is done. ``kind`` and ``pole`` are those of the piece that travels. On the sites ``becomes``
    a piece is to be exchanged for one of the same side, as the poles there have it.
    """

    ply: Any
    text: str
    seat: int
    path: tuple[str, ...]
    kind: str
    pole: int
    victim: str
    takes: tuple[str, ...]
    off: tuple[str, ...]
    on: tuple[tuple[str, int], ...]
    after: Mapping[str, int]
    over: bool
    becomes: tuple[tuple[str, Pole], ...] = ()

    @property
    def origin(self) -> str:
        """Where the piece comes from; "" where it comes from beside the board, or nothing travels."""
        return self.path[0] if len(self.path) > 1 else ""

    @property
    def landing(self) -> str:
        """Where the piece comes to stand, "" where nothing travels."""
        return self.path[-1] if self.path else ""

    @property
    def captures(self) -> bool:
        return bool(self.victim or self.takes)

    @property
    def chores(self) -> bool:
        """Whether something is left to do beside moving and taking."""
        return bool(self.path and (self.off or self.on))

    @property
    def seen(self) -> bool:
        """Whether any sensor can see it."""
        return bool(self.path or self.off or self.on)

    @cached_property
    def touched(self) -> frozenset[str]:
        """The sites that a hand touches that makes it straight."""
        return frozenset({self.origin, self.landing, *self.takes, *self.off, *(name for name, _ in self.on)} - {""})

    @cached_property
    def sites_left(self) -> Shown:
        """What sensors show when all is done that do not tell the poles."""
        return occupancy(self.after, False)

    @cached_property
    def poles_left(self) -> Shown:
        """What sensors show that do."""
        return occupancy(self.after, True)

    def occupies(self, poles: bool) -> Shown:
        """Return what sensors show when all is done."""
        return self.poles_left if poles else self.sites_left


def occupancy(lying: Mapping[str, int], poles: bool) -> Shown:
    """Return what sensors show of pieces that lie so."""
    return frozenset((name, pole if poles else 1) for name, pole in lying.items())


def pole_of(piece: Piece) -> Pole:
    """Return which pole of a piece's magnet lies down: north of the first seat's and of nobody's, else south."""
    return Pole(-1 if piece.seat else 1, piece.kind)


def poles(shape: Mapping[str, Piece]) -> dict[str, Pole]:
    """Return the pole of every piece of a shape."""
    return {name: pole_of(piece) for name, piece in shape.items()}


def made(game: AnyGame, state: Any, shape: Mapping[str, Piece], ply: Any) -> Made:
    """Return what making ``ply`` does in a state of that shape."""
    after_state, walk = game.after(state, ply), game.walk(state, ply)
    left, path = game.shape(after_state), walk.path
    before, after = poles(shape), poles(left)
    origin, landing = (path[0] if len(path) > 1 else ""), (path[-1] if path else "")
    travels = {origin, landing} - {""}
    takes = tuple(name for name in walk.takes if name not in travels)
    told = travels | set(takes)
    victim = landing if landing in before and landing != origin else ""
    off = [name for name, pole in before.items() if name not in told and after.get(name) != pole]
    on = [(name, pole) for name, pole in after.items() if name not in told and before.get(name) != pole]
    on += [(name, after[name]) for name in takes if name in after]
    off += [origin] if origin and origin in after and origin != landing and after[origin] != before.get(origin) else []
    if origin and origin != landing and origin in after:
        on.append((origin, after[origin]))
        off = [name for name in off if name != origin]
    if landing and landing not in after:  # flanked where it landed
        off.append(landing)
    travelled = shape.get(origin) or left.get(landing)
    there = {**before, landing: before[origin]} if origin else before
    becomes = tuple((name, pole) for name, pole in after.items() if _exchanged(there.get(name), pole))
    return Made(
        ply,
        game.text(state, ply),
        game.seat(state) or 0,
        path,
        travelled.kind if travelled else "",
        before.get(origin, after.get(landing, 1)),
        victim,
        takes,
        tuple(sorted(off)),
        tuple(sorted(on)),
        after,
        game.result(after_state).over,
        becomes,
    )


def _exchanged(lies: Pole | None, pole: Pole) -> bool:
    return lies is not None and lies == pole and lies.kind != pole.kind


def all_made(game: AnyGame, state: Any) -> tuple[Made, ...]:
    """Return what each legal ply does, sorted by text."""
    shape = game.shape(state)
    return tuple(made(game, state, shape, ply) for ply in game.plies(state))


@dataclass(frozen=True)
class Position:
    """A game in progress: how to come to it, and what can be played. ``earlier`` is how the pieces lay before each ply.

    ``last`` is the site of the piece that the player to move has moved in this very turn, "" where there is none.
    """

    session: Session
    options: Mapping[str, Any]
    plies: tuple[str, ...]
    lying: Mapping[str, int]
    earlier: tuple[Mapping[str, int], ...]
    last: str

    @cached_property
    def made(self) -> tuple[Made, ...]:
        """What each legal ply does; of most positions of a pool no story asks for it."""
        return all_made(self.session.game, self.session.state)

    @property
    def order(self) -> NewGame:
        """The order that begins its game."""
        return NewGame(game=self.session.name, options=dict(self.options), seed=self.session.seed)


def pool(game: str, seed: int) -> tuple[Position, ...]:
    """Return the positions that stories with ``seed`` begin from."""
    return _pool(game, seed // PER_POOL)


@lru_cache(maxsize=8)
def _pool(name: str, number: int) -> tuple[Position, ...]:
    chance = random.Random(f"{name} {number}")
    openings, found = OPENINGS[name], list[Position]()
    while len(found) < POOL:
        options, opening = openings[len(found) % len(openings)]
        walked = _walk(name, options, opening, chance)
        if walked is not None:
            found.append(walked)
    return tuple(found)


def _walk(name: str, options: Mapping[str, Any], opening: str, chance: random.Random) -> Position | None:
    """Play on from an opening, with a liking for what is rare; None where the game is soon over."""
    session = begin(name, options, chance.randrange(1 << 30) if name == "beacons" else 0)
    for text in filter(None, (text.strip() for text in opening.split(";"))):
        session = session.played(text)
    for _ in range(chance.choice(WALKS)):
        game, state = session.game, session.state
        plies, shape = game.plies(state), game.shape(state)
        some = [made(game, state, shape, ply) for ply in chance.sample(plies, min(8, len(plies)))]
        some = [each for each in some if not each.over and each.seen] or [each for each in some if not each.over]
        if not some:
            return None
        session = session.played(max(some, key=_rare).text if chance.random() < 0.5 else chance.choice(some).text)
    return position(session, options)


def position(session: Session, options: Mapping[str, Any]) -> Position | None:
    """Return where ``session`` stands, None where it is over."""
    game, state = session.game, session.state
    if game.result(state).over:
        return None
    earlier = tuple(poles(game.shape(before.state)) for before in session.positions[:-1])
    lying = poles(game.shape(state))
    return Position(session, options, session.plies, lying, earlier, _last(session))


def _last(session: Session) -> str:
    """Return where the player to move has put a piece with the ply before."""
    if len(session.positions) < 2:
        return ""
    before, now = session.positions[-2:]
    game = session.game
    path = game.walk(before.state, game.read(before.state, now.text)).path
    return path[-1] if path and game.seat(now.state) == now.seat else ""


def _rare(ply: Made) -> tuple[int, int, int]:
    return len(ply.takes) + bool(ply.victim), len(ply.off) + len(ply.on), len(ply.path)


@lru_cache(maxsize=64)
def _bare(game: str, board_options: str, hall: bool) -> Table:
    options = msgspec.json.decode(board_options)
    return Table(msgspec.structs.replace(table_board(bare_profile(game, options)), poles=hall))


def bare(game: str, options: Mapping[str, Any], hall: bool) -> Table:
    """Return a table with nothing on it: a bare board of the game's own sites."""
    return _bare(game, msgspec.json.encode(dict(options), order="sorted").decode(), hall)


def table_at(place: Position, hall: bool) -> Table:
    """Return a table on which ``place`` stands, as a recording would begin."""
    empty = bare(place.session.name, place.options, hall)
    table, _ = resume(empty, place.order, Left(place.plies))
    assert table.play is not None
    marks = _marks(table, table.play.game_area.bit, place.lying, hall)
    table, _ = step(table, Snapshot(table.t_us, frozenset(marks)))
    return table


def _marks(table: Table, bit: Mapping[str, int], lying: Mapping[str, int], hall: bool) -> Iterable[str]:
    for name, pole in lying.items():
        yield ("-" if hall and pole < 0 else "") + table.board.where(bit[name])[0]
