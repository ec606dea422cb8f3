"""Every reason that is told of a move holds in the positions before and after it.

The claims are read from the sentence and looked at again on the board: which pieces stand where, how far that is, and
what the rules would let the players take if the other passed. Nothing here counts as the programs do.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.game import AnyGame, Piece
from controller.rules.games.beacons.state import table_of
from controller.rules.games.circle.state import BEATS
from controller.rules.registry import all_games, game_named
from controller.table.views.hint_reasons import reason

HEX = ("cyvasse", "giantslayer")
POSITIONS = 30
NUMBER = {"two": 2, "three": 3, "four": 4}
Shape = dict[str, Piece]


@cache
def steps(name: str) -> dict[str, dict[str, int]]:
    """Return how many steps each cell of a board of hexagons is from each other one, over edges."""
    game = game_named(name)
    mesh = game.mesh(game.options())
    found = {}
    for begin in range(len(mesh.cells)):
        seen, edge = {begin: 0}, [begin]
        while edge:
            cell = edge.pop(0)
            for other in mesh.neighbours[cell]:
                if other >= 0 and other not in seen:
                    seen[other] = seen[cell] + 1
                    edge.append(other)
        found[mesh.cells[begin]] = {mesh.cells[cell]: far for cell, far in seen.items()}
    return found


def far(name: str, one: str, other: str) -> int:
    """Return the steps between two cells; on squares as a king of chess goes."""
    if name in HEX:
        return steps(name)[one][other]
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:])))


class Told:
    """A move, what was said for it, and what stands on the board before and after it."""

    def __init__(self, game: AnyGame, state: Any, ply: Any) -> None:
        self.game, self.state, self.ply, self.name = game, state, ply, game.facts.name
        self.after = game.after(state, ply)
        seat = game.seat(state)
        assert seat is not None
        self.seat, self.colour = seat, game.colour_of(state, seat)
        self.before: Shape = dict(game.shape(state))
        self.now: Shape = dict(game.shape(self.after))
        path = game.walk(state, ply).path
        self.begin, self.end = (path[0] if len(path) > 1 else "", path[-1]) if path else ("", "")

    def own(self, shape: Shape) -> Shape:
        return {site: piece for site, piece in shape.items() if piece.seat == self.colour}

    def theirs(self, shape: Shape) -> Shape:
        return {site: piece for site, piece in shape.items() if piece.seat not in (None, self.colour)}

    def gone(self) -> list[str]:
        """Return the kinds of the enemy's pieces that are on the board no longer."""
        left = Counter(p.kind for p in self.theirs(self.before).values())
        left.subtract(p.kind for p in self.theirs(self.now).values())
        return [str(self.game.facts.kinds[kind]) for kind in left.elements()]

    def takable(self, state: Any, passing: bool, victim: int) -> set[str] | None:
        """Return from where pieces of the colour ``victim`` can be taken, or would be lost by the rules, if who moves
        in ``state`` passed; with ``passing`` the other then moves.
        """
        turn = self.game.passed(state) if passing and self.game.passed else state
        if turn is None:
            return None
        stood = self.game.shape(turn)
        found = set[str]()
        for ply in self.game.moves(turn):
            stands, moved = self.game.shape(self.game.after(turn, ply)), self.game.walk(turn, ply).path[:1]
            found |= {
                site
                for site, piece in stood.items()
                if piece.seat == victim and site not in moved and (site not in stands or stands[site].seat != victim)
            }
        return found


def sites_in(clause: str) -> list[str]:
    return re.findall(r" on ([a-l]\d+)", clause)


def nearer(told: Told, goal: str, own: bool = True) -> bool:
    return bool(told.begin) and far(told.name, told.end, goal) < far(told.name, told.begin, goal)


def only(shape: Shape, kind: str, colour: int) -> str:
    return next((site for site, piece in shape.items() if (piece.seat, piece.kind) == (colour, kind)), "")


def holds(told: Told, clause: str) -> bool | None:
    """Whether ``clause`` is true of the move; None where nothing here knows such a clause."""
    game = told.game
    if clause == "it wins":
        return bool(game.result(told.after).winner == told.seat)
    if found := re.fullmatch(r"it takes (\d+) pieces", clause):
        return len(told.gone()) == int(found[1]) > 1
    if found := re.fullmatch(r"it takes the (?:enemy's )?(.+)", clause):
        return told.gone() == [found[1]]
    if clause.startswith("it saves "):
        return _saves(told, sites_in(clause))
    if clause.startswith("it threatens "):
        return _threatens(told, sites_in(clause))
    if clause == "it gives check":
        royals = {site for site, p in told.theirs(told.now).items() if p.kind in ("king", "emperor", "K", "E")}
        return bool(game.checked and game.checked(told.after)) and bool(royals)
    if clause == "it ends the check":
        royal = next(site for site, piece in told.own(told.now).items() if piece.kind in "KE")
        return bool(game.checked and game.checked(told.state)) and royal not in (
            told.takable(told.after, False, told.colour) or set()
        )
    if clause.startswith("most other moves would put"):
        return _safer(told)
    known = OF_GAME.get(told.name)
    return (known(told, clause) if known else None) or _of_ways(told, clause)


def _of_ways(told: Told, clause: str) -> bool | None:
    """Whether what is said of guarding and of ways holds: the same side to move is looked at before and after."""
    game, sites = told.game, sites_in(clause)
    then, instead = game.passed(told.after) if game.passed else None, game.passed(told.state) if game.passed else None
    if game.facts.several:
        return None
    if clause.startswith("it guards "):
        guarded = [
            (_lost_for_nothing(game, instead, site), _lost_for_nothing(game, told.after, site)) for site in sites
        ]
        return guarded == [(True, False)] * len(sites)
    if clause.startswith("it opens a way for "):
        (site,) = sites
        return _goes(game, then, site) > _goes(game, told.state, site) and site != told.end
    if clause.startswith("it hems in "):
        (site,) = sites
        return _goes(game, told.after, site) < _goes(game, instead, site) and site in told.theirs(told.now)
    if found := re.fullmatch(r"from there the (.+) has more moves: (\d+), not (\d+)", clause):
        assert str(game.facts.kinds[told.now[told.end].kind]) == found[1]
        now, before = _goes(game, then, told.end), _goes(game, told.state, told.begin)
        return (now, before) == (int(found[2]), int(found[3])) and now > before
    return None


def _goes(game: AnyGame, state: Any, site: str) -> int:
    return sum(game.walk(state, ply).path[:1] == (site,) for ply in game.moves(state) if game.walk(state, ply).path[1:])


def _lost_for_nothing(game: AnyGame, state: Any, site: str) -> bool:
    """Whether some move takes the piece on ``site``, and no answer takes the piece that did."""
    piece = game.shape(state)[site]
    for ply in game.moves(state):
        then, path = game.after(state, ply), game.walk(state, ply).path
        if path and game.shape(then).get(site) != piece:
            taker = game.shape(then)[path[-1]]
            if all(game.shape(game.after(then, answer)).get(path[-1]) == taker for answer in game.moves(then)):
                return True
    return False


def _saves(told: Told, sites: list[str]) -> bool:
    could = told.takable(told.state, True, told.colour)
    if told.name == "giantslayer" and told.colour == 1:  # flanked ones are lost at the end of this turn
        could = (could or set()) | {s for s in told.own(told.before) if _halogai_beside(told, told.before, s) >= 2}
    if could is None:
        return True  # in check nobody may pass
    if not set(sites) <= could:
        return False
    can = told.takable(told.after, told.game.seat(told.after) == told.seat, told.colour) or set()
    stands = [told.end if site == told.begin else site for site in sites]
    return all(site in told.own(told.now) and site not in can for site in stands)


def _threatens(told: Told, sites: list[str]) -> bool:
    victims = {piece.seat for site, piece in told.theirs(told.now).items() if site in sites}
    if len(victims) != 1:
        return False
    (victim,) = victims
    assert victim is not None
    can, could = told.takable(told.after, True, victim), told.takable(told.state, False, victim) or set()
    if told.name == "giantslayer" and victim == 1:
        flanked = {s for s in told.theirs(told.now) if _halogai_beside(told, told.now, s) >= 2}
        can, could = (can or set()) | flanked, set()
    return can is None or (set(sites) <= can and not set(sites) & could)


def _safer(told: Told) -> bool:
    game, others, risky = told.game, [ply for ply in told.game.plies(told.state) if ply != told.ply], 0
    for ply in (told.ply, *others):
        each = Told(game, told.state, ply)
        if game.result(each.after).over:
            continue
        could = each.takable(each.state, True, each.colour) or set()
        could = {each.end if site == each.begin else site for site in could}
        at_risk = (each.takable(each.after, False, each.colour) or set()) & set(each.own(each.now)) - could
        if ply == told.ply and at_risk:
            return False
        risky += bool(at_risk)
    return 2 * risky > len(others)


def _of_tides(told: Told, clause: str) -> bool | None:
    town = {"its own": ("a1", "f6"), "the enemy's": ("f6", "a1")}
    if found := re.fullmatch(r"it brings a (?:stone|guard) (?:beside|within (\w+) squares of) (.+) town", clause):
        goal = town[found[2]][told.colour]
        return nearer(told, goal) and far(told.name, told.end, goal) == NUMBER.get(found[1], 1)
    return None


def _halogai_beside(told: Told, shape: Shape, site: str) -> int:
    return sum(piece.seat == 0 and far(told.name, site, other) == 1 for other, piece in shape.items())


def _of_giantslayer(told: Told, clause: str) -> bool | None:
    cells, shapes = steps(told.name), (told.before, told.now)
    rim = {cell for cell in cells if far(told.name, cell, "e5") == 4}
    giants = [{s for s, piece in shape.items() if piece.seat == 1} for shape in shapes]
    touched = [{s for s in each if _halogai_beside(told, shape, s)} for each, shape in zip(giants, shapes, strict=True)]
    open_to = [
        sum(far(told.name, s, cell) == 1 and cell not in shape and cell != "e5" for s in each for cell in cells)
        for each, shape in zip(giants, shapes, strict=True)
    ]
    alive = len(giants[1]) == len(giants[0])
    numbers = [int(each) for each in re.findall(r"\d+", clause)]
    if clause.startswith("it brings more giants on the rim"):
        return [len(giants[1] & rim), len(giants[0] & rim)] == numbers
    if clause == "it brings a halogai beside one more giant":
        return len(touched[1]) > len(touched[0]) and any(far(told.name, told.end, s) == 1 for s in giants[1])
    if clause == "fewer of its own giants have a halogai beside them":
        return len(touched[1]) < len(touched[0]) and alive
    if clause == "it brings a giant nearer to the rim":
        return far(told.name, told.end, "e5") > far(told.name, told.begin, "e5")
    if clause == "its own giants can step onto more cells":
        return open_to[1] > open_to[0]
    if clause == "the giants can step onto fewer cells":
        return open_to[1] < open_to[0]
    if clause.startswith("it brings more free cells on the rim"):
        return [len(rim - shape.keys()) for shape in reversed(shapes)] == numbers
    return None


def _of_circle(told: Told, clause: str) -> bool | None:
    def beats(one: Piece, other: Piece) -> bool:
        return int(other.kind) in BEATS[int(one.kind)]

    def beside(shape: Shape, taking: bool) -> int:
        return sum(
            any(
                far(told.name, site, at) == 1 and (beats(piece, other) if taking else beats(other, piece))
                for at, other in told.theirs(shape).items()
            )
            for site, piece in told.own(shape).items()
        )

    numbers = [int(each) for each in re.findall(r"\d+", clause)]
    if clause == "it brings a unit nearer to the middle":
        return _from_edge(told.end) > _from_edge(told.begin)
    if clause == "it brings a unit nearer to the enemy":
        then, now = (
            min(far(told.name, at, other) for other in told.theirs(told.before)) for at in (told.begin, told.end)
        )
        return now < then
    if clause.startswith("it brings more units beside one that they can capture"):
        return [beside(told.now, True), beside(told.before, True)] == numbers
    if clause == "fewer of its own units stand beside one that can capture them":
        return beside(told.now, False) < beside(told.before, False)
    at = told.game.walk(told.state, told.ply).at or told.end
    kinds = [shape[at] for shape in (told.now, told.before) if at in shape]
    for which, way in (("nearer to one that it beats", True), ("farther from one that beats it", False)):
        if clause == f"it brings a unit {which}":
            own = told.before[told.begin]
            met = [at for at, it in told.theirs(told.before).items() if (beats(own, it) if way else beats(it, own))]
            then, now = (min(far(told.name, cell, other) for other in met) for cell in (told.begin, told.end))
            return now < then if way else now > then
    if "within two squares" in clause:
        near = [other for site, other in told.theirs(told.now).items() if far(told.name, at, site) <= 2]
        taking = clause.startswith("it then beats")
        return [sum(beats(own, it) if taking else beats(it, own) for it in near) for own in kinds] == numbers
    if clause.startswith("it then beats more of"):
        return [sum(beats(own, other) for other in told.theirs(told.now).values()) for own in kinds] == numbers
    if clause.startswith("fewer of the others' units then beat it"):
        return [sum(beats(other, own) for other in told.theirs(told.now).values()) for own in kinds] == numbers
    if clause.startswith("it then beats more classes"):
        return [len(BEATS[int(own.kind)]) for own in kinds] == numbers
    if clause.startswith("it brings more units in danger that are guarded"):
        return numbers[0] > numbers[1]  # the rule of thumb has no other word in the rules
    return None


def _from_edge(site: str) -> int:
    x, y = ord(site[0]) - ord("a"), int(site[1:]) - 1
    return min(x, y, 8 - x, 8 - y)


def _of_cyvasse(told: Told, clause: str) -> bool | None:
    cells = tuple(steps(told.name))
    kings = [only(shape, "K", colour) for colour in (told.colour, 1 - told.colour) for shape in (told.before, told.now)]

    def within(shape: Shape, goal: str, most: int) -> int:
        return sum(1 <= far(told.name, site, goal) <= most for site in told.own(shape))

    numbers = [int(each) for each in re.findall(r"\d+", clause)]
    if clause == "it brings the dragon into play":
        return told.end in told.own(told.now) and sum(p.kind == "D" for p in told.own(told.before).values()) == 0
    if clause.startswith("it brings a piece within two cells of its own king"):
        return (
            told.begin != kings[1]
            and told.end != kings[1]
            and far(told.name, told.end, kings[1]) <= 2
            and not (told.begin and far(told.name, told.begin, kings[1]) <= 2)
        )
    if clause == "it brings a piece forward":
        rows = [int(re.sub(r"\D", "", site)) for site in (told.begin, told.end) if site]
        return len(rows) == 2 and (rows[1] > rows[0] if told.colour == 0 else rows[1] < rows[0])
    if clause.startswith("it brings more pieces near the enemy's king"):
        return [within(told.now, kings[3], 3), within(told.before, kings[2], 3)] == numbers
    if clause.startswith("it brings more pieces near the enemy's fortress"):
        goals = [cells[state.fortresses[1 - told.colour]] for state in (told.after, told.state)]
        return [within(shape, goal, 3) for shape, goal in zip((told.now, told.before), goals, strict=True)] == numbers
    if clause.startswith("it brings more pieces on their terrain"):
        fits = {"h": "CB", "f": "SE", "g": "LH"}  # heath, forest, grass: letters of the board
        return [
            sum(
                piece.kind in fits.get(told.state.tiles[cells.index(site)], "")
                for site, piece in told.own(shape).items()
            )
            for shape in (told.now, told.before)
        ] == numbers
    return None


def _of_tam_ruat(told: Told, clause: str) -> bool | None:
    royals = [
        next((site for site, piece in shape.items() if piece.seat == colour and piece.kind in "KE"), "")
        for colour in (told.colour, 1 - told.colour)
        for shape in (told.before, told.now)
    ]
    moved = told.before.get(told.begin)
    ranks = [int(site[1:]) if told.colour == 0 else 13 - int(site[1:]) for site in (told.begin, told.end) if site]
    if clause == "it brings a piece beside its own royal":
        return told.end != royals[1] and far(told.name, told.end, royals[1]) == 1 < far(
            told.name, told.begin, royals[1]
        )
    if clause == "it brings a piece near the enemy's royal":
        return far(told.name, told.end, royals[3]) <= 3 < far(told.name, told.begin, royals[2])
    if clause == "it brings a Warrior or Barbarian forward":
        return moved is not None and moved.kind in "wb" and ranks[1] > ranks[0]
    if clause == "it brings a Warrior or Barbarian beyond the middle":
        return moved is not None and moved.kind in "wb" and ranks[1] > max(6, ranks[0])
    if clause == "it brings a piece nearer to the middle":

        def rim(site: str) -> int:
            x, y = ord(site[0]) - ord("a"), int(site[1:]) - 1
            return min(x, y, 11 - x, 11 - y)

        return moved is not None and rim(told.end) > rim(told.begin)
    if clause == "it brings a piece forward":
        return moved is not None and ranks[1] > ranks[0]
    return None


def _of_beacons(told: Told, clause: str) -> bool | None:
    numbers = [int(each) for each in re.findall(r"\d+", re.sub(r"\b[a-l]\d+\b", "", clause))]
    seat, mesh = told.seat, told.game.mesh(told.state.options)

    def rules(state: Any, of: int, cell: int) -> bool:
        store = state.stores[cell]
        return store[of] > max((units for other, units in enumerate(store) if other != of), default=0)

    def ruled(state: Any, of: Iterable[int]) -> int:
        return sum(rules(state, each, cell) for each in of for cell in range(len(state.stores)))

    others = [each for each in range(told.state.options.players) if each != seat]
    both, circles = (told.after, told.state), table_of(told.state).circles

    def corners(state: Any, short: int) -> list[tuple[int, ...]]:
        """Return the cells round each corner without a beacon of the seat, all of which it rules but so many."""
        return [
            cells
            for cells, holder in zip(circles, state.beacons, strict=True)
            if holder != seat and sum(not rules(state, seat, cell) for cell in cells) == short
        ]

    def paid(state: Any) -> int:
        return sum(all(state.stores[cell][seat] >= 3 for cell in cells) for cells in corners(state, 0))

    if clause.startswith("it brings more dominated cells"):
        return [ruled(state, [seat]) for state in both] == numbers
    if clause == "the others dominate fewer cells":
        return ruled(told.after, others) < ruled(told.state, others)
    if found := re.fullmatch(r"a unit of the others goes, for (\d+) of its own", clause):
        own, theirs = (
            [sum(store[each] for store in state.stores for each in of) for state in (told.state, told.after)]
            for of in ([seat], others)
        )
        return (own[0] - own[1], theirs[0] - theirs[1]) == (int(found[1]), 1)
    if clause.startswith("it brings more beacons in reach"):
        return [len(corners(state, 0)) for state in both] == numbers
    if clause.startswith("it brings more corners one cell short of a beacon"):
        return [len(corners(state, 1)) for state in both] == numbers
    if clause.startswith("it brings more beacons that could be built at once"):
        return [paid(state) for state in both] == numbers
    if clause.startswith("it brings more beacons"):
        return [state.beacons.count(seat) for state in both] == numbers
    if clause.startswith("it brings more units from the next harvest"):
        return [_harvest(state, seat) for state in both] == numbers
    if clause == "the harvest follows at once":
        return told.after.round > told.state.round or told.after.phase != "active"
    if clause.startswith("it brings more cells with units"):
        return [sum(store[seat] > 0 for store in state.stores) for state in both] == numbers
    if found := re.search(r"(\w+) of its own units (?:is|are) then in ([a-l]\d+)", clause):
        units = told.after.stores[mesh.cells.index(found[2])][seat]
        return units == (1 if found[1] == "one" else int(found[1]))
    if found := re.fullmatch(r"it keeps (?:all|the) units(?: that are left)? \((\d+)\)", clause):
        return sum(store[seat] for store in told.state.stores) == int(found[1])
    if clause == "no units are left to spend":
        return sum(store[seat] for store in told.state.stores) == 0
    if clause.startswith("the nearest beacon then needs"):
        return numbers[0] < numbers[1]
    return None


def _harvest(state: Any, seat: int) -> int:
    """Return what a harvest would bring to ``seat`` now: one unit, and one for each neighbour that it occupies."""
    mesh, found = game_named("beacons").mesh(state.options), 0
    for cell, store in enumerate(state.stores):
        if all(store[seat] > units for other, units in enumerate(store) if other != seat):
            beside = sum(other >= 0 and state.stores[other][seat] > 0 for other in mesh.neighbours[cell])
            found += max(0, min(1 + beside, 10 - sum(store)))
    return found


OF_GAME = {
    "tides-of-war": _of_tides,
    "giantslayer": _of_giantslayer,
    "circle": _of_circle,
    "cyvasse": _of_cyvasse,
    "tam-ruat-chess": _of_tam_ruat,
    "beacons": _of_beacons,
}


def positions(name: str, seed: int, count: int, level: int) -> Iterable[tuple[AnyGame, Any]]:
    """Yield positions of games, played at random or by a ``level`` of the board."""
    game, dice = game_named(name), random.Random(seed)
    player, state = Player(game, 2), game.start(game.options(), seed)
    for number in range(count):
        if game.seat(state) is None:
            state = game.start(game.options(), seed + number)
        yield game, state
        plies = game.plies(state)
        by_board = level and not (game.secret and game.secret(state))
        ply = (
            player.choose(state, LEVELS[level - 1], seed + number, 60, lambda: False).ply
            if by_board
            else dice.choice(plies)
        )
        state = game.after(state, ply)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("name", all_games())
def test_each_reason_is_true_on_the_board(name: str, level: int) -> None:
    dice, told = random.Random(level), 0
    for game, state in positions(name, 7 + level, POSITIONS, level):
        plies = game.plies(state)
        for ply in dice.sample(plies, min(2, len(plies))):
            clause = str(reason(game, state, game.text(state, ply), 2))
            if not clause:
                continue
            each = Told(game, state, ply)
            assert holds(each, clause), (game.text(state, ply), clause)
            # What is taken is said first, unless the words of a game whose pieces are all alike have said it. In
            # Beacons nothing is taken: units that meet destroy each other.
            if name != "beacons" and len(each.gone()) > (len(game.facts.kinds) == 1):
                assert re.match("it (takes|wins)", clause), (game.text(state, ply), clause)
            told += 1
    assert told > POSITIONS // 2


def test_a_dragon_from_beside_the_board_tells_what_it_takes() -> None:
    game = game_named("cyvasse")
    state = game.start(game.options(), 0)
    for text in ("D-f6",):
        state = game.play_text(state, text)
    assert reason(game, state, "Dxf6", 2) == "it takes the dragon"
