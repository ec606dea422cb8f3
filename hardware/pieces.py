"""Which pieces a game needs: how many of each kind in each colour, with a token's short name. And its marked cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from controller.rules.drawings import Polygon, drawings_of, outline, polygons
from controller.rules.game import AnyGame, Facts
from controller.rules.places import LOOKS
from controller.rules.registry import all_games
from hardware.profile import Profile
from hardware.site_layout import Kind

SEATS = 2  # a set is for two players; print the sheet of a seat again for more

# By game and kind: pieces of each colour at most, where that is more than stand at the start.
MOST = {
    ("circle", "2"): 7,  # every unit may change its class
    ("circle", "3"): 7,
    ("circle", "4"): 7,
    ("tam-ruat-chess", "g"): 2,  # one for each Warlock
    ("beacons", "units"): 10,  # occupied cells; how many units a store has is told by chips stacked on the token
    ("beacons", "beacon"): 6,
}
# Pieces of each colour that stand on the board together, where one stands for several kinds in turn.
STANDING = {"circle": 7}
# Chips without a magnet, of each colour.
CHIPS = {"beacons": 24}
# On which kind of site a kind of piece stands; cells, if not named.
PLACES: dict[str, Kind] = {"node": "node", "beacon": "vertex"}
NEUTRAL = ("node",)


class Stock(msgspec.Struct, frozen=True):
    """So many tokens of a kind in the colour of a seat (0-based; None: nobody's), and the site they stand on."""

    game: str
    seat: int | None
    kind: str
    name: str
    mark: str  # at most four letters, different for each kind of the game
    number: int
    place: Kind
    edge: tuple[Polygon, ...]  # of its seat's pieces, and what is drawn on it: as `controller.rules.drawings` has them
    drawing: tuple[Polygon, ...]  # empty where the game has no drawing of the kind


class Marked(msgspec.Struct, frozen=True):
    """A cell, by the board's name, that a game treats apart: with the tint and the sign that screens show."""

    cell: str
    name: str
    ground: str  # as "#rrggbb"
    sign: tuple[Polygon, ...]  # within 100 of the middle of the cell, y downwards


def stock(game: AnyGame, nodes: int = 0, seats: int = SEATS) -> tuple[Stock, ...]:
    """Return the tokens of a game for ``seats`` players, in the order of its kinds.

    ``nodes`` are the shell nodes of the board.
    """
    facts = game.facts
    shape = game.shape(game.start(game.options(), 0))
    start = Counter((piece.seat, piece.kind) for piece in shape.values())
    marks, drawn = _marks(facts), drawings_of(facts.name)
    drawing = {kind: polygons(drawn[kind]) if kind in drawn else () for kind in facts.kinds}
    return tuple(
        Stock(facts.name, seat, kind, name, marks[kind], number, PLACES.get(kind, "cell"), polygons(outline(seat)),
              drawing[kind])
        for kind, name in facts.kinds.items()
        for seat, number in _numbers(facts, kind, start, nodes, seats)
        if number
    )  # fmt: skip


def _numbers(
    facts: Facts, kind: str, start: Counter[tuple[int | None, str]], nodes: int, players: int
) -> Iterator[tuple[int | None, int]]:
    if kind in NEUTRAL:
        yield None, nodes or start[None, kind]
        return
    seats = [seat for seat in (*range(players), None) if start[seat, kind]]
    if players > SEATS:  # of whom the position at the start, of two, has not all
        seats = []
    begins = max((start[seat, kind] for seat in range(SEATS)), default=0)
    for seat in seats or range(players):
        yield seat, max(start[seat, kind] if seats else begins, MOST.get((facts.name, kind), 1))


def _marks(facts: Facts) -> dict[str, str]:
    """Return for each kind the fewest first letters of its name that no other kind begins with.

    Of a name of two words the first letters of both; of "class 2" the number.
    """
    short = {kind: _short(name) for kind, name in facts.kinds.items()}
    return {
        kind: word.upper() if " " in facts.kinds[kind] else _cut(word, [w for key, w in short.items() if key != kind])
        for kind, word in short.items()
    }


def _short(name: str) -> str:
    words = name.lower().split()
    if len(words) == 1:
        return words[0]
    return words[1] if words[1].isdigit() else "".join(word[0] for word in words)


def _cut(word: str, others: Sequence[str]) -> str:
    lengths = (n for n in range(1, len(word)) if not any(other.startswith(word[:n]) for other in others))
    return word[: next(lengths, len(word))].capitalize()


def bases(game: AnyGame, nodes: int = 0) -> dict[tuple[int | None, Kind], int]:
    """Return how many bases with a magnet a game needs, by seat and kind of site."""
    found: Counter[tuple[int | None, Kind]] = Counter()
    for row in stock(game, nodes):
        found[row.seat, row.place] += row.number
    standing = STANDING.get(game.facts.name)
    return {key: min(number, standing or number) for key, number in found.items()}


def games(profile: Profile) -> tuple[AnyGame, ...]:
    """Return the games that can be played on a board."""
    return tuple(game for name, game in all_games().items() if profile.placement(name) is not None)


def largest_game(profile: Profile) -> AnyGame:
    """Return the game that wants most cells of a board, the last of several."""
    cells = set(profile.mesh().cells)

    def wanted(game: AnyGame) -> int:
        return len(cells.intersection((profile.placement(game.facts.name) or {}).values()))

    return max(reversed(games(profile)), key=wanted)


def marked(profile: Profile, game: AnyGame) -> tuple[Marked, ...]:
    """Return the cells of a board that ``game`` treats apart as it begins with its usual options."""
    at = profile.placement(game.facts.name)
    if at is None:
        return ()
    places = game.look(game.start(game.options(), 0), None).places
    return tuple(
        Marked(
            at[cell], place.name, LOOKS[place.kind].ground, polygons(sign) if (sign := LOOKS[place.kind].sign) else ()
        )
        for place in places
        for cell in place.cells
    )


def node_count(profile: Profile) -> int:
    """Return how many shell nodes a board has."""
    return sum(site.kind == "node" for site in profile.sites)
