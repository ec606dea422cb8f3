"""Who tells a story: picks a ply that fits it, fixes what is true before anything is touched, and moves the pieces.

Owns how a ply is made by hand and what else could be meant by the same pieces. Must not know how it is judged.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from controller.orders import NewGame, PlayPly
from controller.rules.game import AnyGame
from controller.table.orders import new_game
from controller.table.state import Table
from tests.hands.magnets import Fields
from tests.hands.positions import PER_POOL, POOL, Made, Pole, Position, all_made, bare, occupancy, poles, pool, table_at
from tests.hands.sensors import Kind
from tests.hands.world import World

Plies = tuple[str, ...]
BEACONS, CYVASSE = "beacons", "cyvasse"
PAUSES_MS = (60, 90, 120, 200, 350, 600, 1500)
EXCHANGE_MS = 300  # a piece that is adjusted is off its cell for less


class NotHere(Exception):
    """No position of the pool has what the story needs."""


class Truth:
    """What may come out, fixed before the first touch.

    ``finals`` are the acceptable lists of plies, the intended one first; ``undone`` lists that may have been on record
    for a while, since people made them and took them back, each with the time from which on it may have been; ``ask``
    says whether a question is acceptable, ``led`` whether the story cannot be told without one, ``blind`` whether the
    table could not see all of it, so that what goes wrong is a needless complaint.
    """

    def __init__(self, finals: Iterable[Plies], undone: Iterable[Plies], ask: bool, blind: bool) -> None:
        self.finals = tuple(dict.fromkeys(finals))
        self.undone: dict[Plies, int] = dict.fromkeys(undone, 0)
        self.ask, self.blind = ask, blind


@lru_cache(maxsize=4 * POOL)
def _table(game: str, number: int, index: int, hall: bool) -> Table:
    return table_at(pool(game, number * PER_POOL)[index], hall)


def _is_other(lies: int | None, pole: Pole) -> bool:
    return isinstance(lies, Pole) and lies == pole and lies.kind != pole.kind


def _promotes(ply: Made) -> list[tuple[str, str]]:
    return [(ply.origin if name == ply.landing else name, pole.kind) for name, pole in ply.becomes]


class Teller:
    """Tells one story of one game on one kind of sensors; the same for the same seed.

    The hands may believe in other sensors, ``believed``: what they choose and how long they wait is as for those. Where
    they ``exchange`` pieces, those that become others are taken off for them: mostly, at one time or another.
    """

    def __init__(
        self, game: str, story: str, kind: Kind, seed: int, believed: Kind | None = None, exchanges: bool = False
    ) -> None:
        self.exchanges = exchanges
        self.name, self.kind, self.seed, self.believed = game, kind, seed, believed or kind
        self.random = random.Random(f"{game} {story} {self.believed.name} {seed}")
        self.positions = pool(game, seed)
        self.at = self.random.randrange(POOL)
        self.truth: Truth | None = None
        self.stood = True  # whether the story begins with its position on the board
        self._world: World | None = None

    # ---- what there is --------------------------------------------------------------------------------------

    @property
    def place(self) -> Position:
        """Where the story begins."""
        return self.positions[self.at]

    @property
    def game(self) -> AnyGame:
        return self.place.session.game

    @property
    def state(self) -> Any:
        """The position in which the story begins."""
        return self.place.session.state

    @property
    def hall(self) -> bool:
        """Whether sensors tell the poles, as far as the hands believe."""
        return self.believed.poles

    @property
    def world(self) -> World:
        """The board, with the position standing on it."""
        if self._world is None:
            table = _table(self.name, self.seed // PER_POOL, self.at, self.kind.poles)
            self._world = World(table, self.kind, dict(self.place.lying), self.random, self.beside, self._fields())
            self._world.wait(self.between(1000, 3000))
        return self._world

    def new_game(self) -> World:
        """Begin the game of the position anew, with an empty board."""
        self.positions, self.stood, self.at = (self.first(),), False, 0
        place = self.place
        table = bare(self.name, place.options, self.kind.poles)
        table, _ = new_game(table, NewGame(game=self.name, options=dict(place.options), seed=place.session.seed))
        self._world = World(table, self.kind, {}, self.random, self.beside, self._fields())
        return self._world

    def _fields(self) -> Fields | None:
        return Fields(self.kind.kinds, self.game.facts.magnets, f"{self.name} {self.seed}") if self.kind.kinds else None

    def take_over(self, world: World, place: Position) -> None:
        """Go on with a game at a board where another story has been told."""
        self.positions, self.at, self._world = (place,), 0, world
        world.notes.clear()
        world.touched = False

    def beside(self, name: str, other: str) -> bool:
        """Whether two sites are neighbours, so that a piece can be slid from one to the other."""
        return other in self.near(name)

    def at_the_start(self) -> None:
        """Go to the position in which the game of this place begins, standing on the board."""
        self.positions, self.at = (self.first(),), 0
        table = table_at(self.place, self.kind.poles)
        self._world = World(table, self.kind, dict(self.place.lying), self.random, self.beside, self._fields())
        self._world.wait(self.between(1000, 3000))

    def first(self) -> Position:
        """Return the position in which the game of this place began."""
        session = self.place.session.back(0)
        game, state = session.game, session.state
        lying = poles(game.shape(state))
        return Position(session, self.place.options, (), lying, (), "")

    # ---- choosing -------------------------------------------------------------------------------------------

    def pick(self, fits: Callable[[Made], object]) -> Made:
        """Choose a ply that ``fits``, from this position or the next ones; raises `NotHere`.

        Plies that end the game, and those that put things back as they were a ply before, belong to other stories.
        """
        assert self._world is None or len(self.positions) == 1, "the position is settled"
        for _ in self.positions:
            found = [each for each in self.usual(self.place.made) if fits(each)]
            if found:
                return self._settled_on(self.random.choice(found), fits)
            self.at = (self.at + 1) % len(self.positions)
        raise NotHere

    def _settled_on(self, ply: Made, fits: Callable[[Made], object]) -> Made:
        """Return ``ply``; where hands make its promotion, no other one is meant from now on. Raises `NotHere`."""
        if self.exchanges and ply.becomes:
            alike = [each for each in self.place.made if _promotes(each) == _promotes(ply)]
            place = replace(self.place)
            place.__dict__["made"] = tuple(alike)
            self.positions = (*self.positions[: self.at], place, *self.positions[self.at + 1 :])
            if not fits(ply):
                raise NotHere
        return ply

    def usual(self, plies: Iterable[Made]) -> list[Made]:
        """Return those that do not end the game, take nothing back and go on with no piece moved this very turn."""
        earlier = {occupancy(lying, self.hall) for lying in self.place.earlier[-1:]}
        if self.name == BEACONS:  # a shell turned back looks like any ply before it taken back
            earlier = {occupancy(lying, self.hall) for lying in self.place.earlier}
        return [
            each
            for each in plies
            if each.seen
            and not each.over
            and each.occupies(self.hall) not in earlier
            and (not each.origin or each.origin != self.place.last)
        ]

    def goals(self, origin: str, kind: str = "") -> set[str]:
        """Return the sites where the piece on ``origin`` (from beside the board: "", one of ``kind``) may be put."""
        made = (each for each in self.place.made if each.path and each.origin == origin)
        return {each.landing for each in made if kind in ("", each.kind)}

    def goals_of(self, ply: Made) -> set[str]:
        """Return the sites where the piece that makes ``ply`` may be put, that one among them."""
        return self.goals(ply.origin, "" if ply.origin else ply.kind)

    def reached(self, origin: str, landing: str) -> Made | None:
        """Return the ply that takes a piece from one site to the other and takes nothing."""
        for each in self.place.made:
            if each.path and each.origin == origin and each.landing == landing and not each.captures:
                return each
        return None

    def explained(self, lying: dict[str, int]) -> list[Made]:
        """Return the plies that would leave the pieces as they lie so, as far as these sensors tell."""
        shown = occupancy(lying, self.hall)
        return [each for each in self.place.made if each.seen and each.occupies(self.hall) == shown]

    def doubtful(self, ply: Made, among: Iterable[Made] | None = None) -> bool:
        """Whether another ply looks the same: it touches the same sites and leaves the same to see."""
        plies = self.place.made if among is None else among
        shown, touched = ply.occupies(self.hall), ply.touched
        alike = (each for each in plies if each.occupies(self.hall) == shown)
        return any(each.text != ply.text and each.touched == touched for each in alike)

    def alike(self, ply: Made, among: Iterable[Made] | None = None) -> bool:
        """Whether another ply leaves the same to see, however it is made."""
        shown = ply.occupies(self.hall)
        plies = self.place.made if among is None else among
        return any(other.text != ply.text and other.occupies(self.hall) == shown for other in plies)

    def free(self, *but: str) -> list[str]:
        """Return the sites on which nothing stands, of the kind on which pieces do; in random order."""
        taken = {*self.place.lying, *but}
        cells = [name for name in self.game.mesh(self.game.options(**self.place.options)).cells if name not in taken]
        self.random.shuffle(cells)
        return cells

    def near(self, name: str) -> list[str]:
        """Return the neighbours of a cell."""
        mesh = self.game.mesh(self.game.options(**self.place.options))
        if name not in mesh.cells:
            return []
        row = mesh.neighbours[mesh.cells.index(name)]
        return [mesh.cells[n] for n in row if 0 <= n < len(mesh.cells)]

    def after(self, *plies: Made) -> tuple[Any, tuple[Made, ...]]:
        """Return the state after these plies and what is legal then."""
        state = self.state
        for each in plies:
            state = self.game.after(state, each.ply)
        return state, all_made(self.game, state)

    def reply(self, ply: Made, fits: Callable[[Made], object]) -> tuple[Plies, Made]:
        """Choose a ply of the next player after ``ply``; return the texts of all, with the `end` that it implies.

        It looks like nothing that the first player could go on with. Raises `NotHere`.
        """
        state, legal = self.after(ply)
        texts: Plies = (ply.text,)
        own: tuple[Made, ...] = ()
        if self.game.seat(state) == ply.seat:
            end = next((each for each in legal if each.text == "end"), None)
            if end is None:
                raise NotHere
            own, texts = legal, (*texts, "end")
            legal = all_made(self.game, self.game.after(state, end.ply))
        back = occupancy(self.place.lying, self.hall)
        found = [
            each
            for each in legal
            if each.seen and not each.over and each.occupies(self.hall) != back and fits(each)
            and not self.alike(each, own) and not self.doubtful(each, legal)
        ]  # fmt: skip
        if not found:
            raise NotHere
        answer = self.random.choice(found)
        return (*texts, answer.text), answer

    # ---- telling --------------------------------------------------------------------------------------------

    def says(self, *finals: Plies, undone: Iterable[Plies] = (), ask: bool = False, blind: bool = False) -> None:
        """Fix the truth; nothing may have been touched before."""
        assert self._world is None or not self._world.touched, "the truth comes first"
        self.truth = Truth(finals, undone, ask, blind)
        if self.exchanges and self.name == CYVASSE and finals[0] and self.chance(0.8):
            self._exchange(self._promoted(before=True))  # the turn begins with it

    def end(self) -> None:
        """Exchange pieces that have become others, mostly, where that was not done yet."""
        if self.exchanges and self.truth is not None and self.truth.finals[0] and self.chance(0.8):
            lying, due = self.world.lying, self._promoted(before=False)
            self._exchange({name: pole for name, pole in due.items() if _is_other(lying.get(name), pole)})

    def _promoted(self, before: bool) -> dict[str, Pole]:
        """Return the pieces that the true ply makes of others: where they are ``before`` its move, or after it."""
        assert self.truth is not None
        ply = next((each for each in self.place.made if each.text == self.truth.finals[0][0]), None)
        pieces = ply.becomes if ply else ()
        return {ply.origin if ply and before and name == ply.landing else name: pole for name, pole in pieces}

    def lain(self, plies: Plies, ms: float = 1000) -> None:
        """The pieces lie now as after ``plies``: what is on record from ``ms`` later on may be taken back by hand."""
        assert self.truth is not None
        self.truth.undone[plies] = self.world.acted_us + round(ms * 1000)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def between(self, low: float, high: float) -> float:
        return self.random.uniform(low, high)

    def pause(self) -> None:
        """Wait as long as a hand takes from one touch to the next."""
        self.world.wait(self.random.choice(PAUSES_MS))

    def order(self, text: str) -> None:
        """Make a ply on the phone."""
        self.world.order(PlayPly(text=text))

    def take(self, sites: Iterable[str]) -> None:
        """Take the pieces on ``sites`` off, in any order."""
        for name in self.shuffled(sites):
            self.world.lift(name)
            self.pause()

    def shuffled(self, sites: Iterable[str]) -> list[str]:
        found = sorted(sites)
        self.random.shuffle(found)
        return found

    def make(self, ply: Made, order: str = "", chores: bool = True) -> None:
        """Make ``ply`` straight: victims ``first``, ``both`` once the attacker is up, or ``last`` where they can.

        A piece from beside the board that takes leaves no trace but the gap: contacts cannot tell a shorter one from a
        piece that was adjusted.
        """
        if not ply.path:
            self.turn(ply)
            return
        order = order or self.random.choice(("first", "both", "last"))
        victims = [*ply.takes, *filter(None, [ply.victim])]
        if order == "first":
            self.take(victims)
        pole = self.world.lift(ply.origin) if ply.origin else ply.pole
        self.pause()
        if order == "both":
            self.take(victims)
        elif order == "last" and ply.victim:
            self.take([ply.victim])
        if ply.victim and not ply.origin and not self.hall:
            self.world.wait(EXCHANGE_MS)
        self.world.put(ply.landing, pole)
        if order == "last":
            self.pause()
            self.take(ply.takes)
        if chores:
            self.pause()
            self.chores(ply)

    def _exchange(self, anew: Mapping[str, int]) -> None:
        """Take the pieces off that have become others, and put those there."""
        for name in self.shuffled(anew):
            self.world.lift(name)
            self.world.wait(self.between(300, 1500))
            self.world.put(name, anew[name])
            self.pause()

    def chores(self, ply: Made) -> None:
        """Do what the ply leaves to do beside moving and taking; a piece that is taken where it landed has rested."""
        if ply.landing in ply.off:
            self.world.wait(self.between(600, 1500))
        for name in self.shuffled(ply.off):
            self.world.lift(name)
            self.pause()
        for name, pole in ply.on:
            if name in self.world.lying:
                self.world.lift(name)
                self.pause()
            self.world.put(name, pole)
            self.pause()

    def turn(self, ply: Made) -> None:
        """Make a ply in which nothing travels: a shell is turned, all its nodes at once, or single pieces change."""
        cells = {name.partition(":")[0] for name in (*ply.off, *(name for name, _ in ply.on)) if ":" in name}
        for cell in cells:
            nodes = [name for name in sorted(self.world.lying) if name.startswith(f"{cell}:")]
            new = [name for name in sorted(ply.after) if name.startswith(f"{cell}:")]
            if abs(len(nodes) - len(new)) > 0:
                continue  # a node is added or removed, the ring stays
            for name in self.shuffled(nodes):
                self.world.lift(name)
                self.world.wait(self.between(0, 8))
            self.world.wait(self.between(40, 200))
            for name in self.shuffled(new):
                self.world.put(name, ply.after[name])
                self.world.wait(self.between(0, 8))
        for name in [name for name in self.world.lying if name not in ply.after]:
            self.pause()
            self.world.lift(name)
        for name, pole in ply.after.items():
            if self.world.lying.get(name) != pole:
                self.pause()
                if name in self.world.lying:
                    self.world.lift(name)
                    self.world.wait(self.between(600, 1500))  # one hand takes the old piece away and brings the new
                self.world.put(name, pole)
