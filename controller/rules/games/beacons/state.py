"""Beacons: its options, its state, its plies as values, and the tables of a board, made once."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.rules.games.beacons.templates import TEMPLATES, TemplateName, read_start
from controller.rules.mesh import BadMesh, Mesh, vertex_names
from controller.rules.options import for_designers
from controller.rules.shells import Adjacency, Mode, Ring, Seam, adjacencies, ring, ring_of, seams
from controller.rules.tilings import build
from controller.sentences import Sentence, say

Phase = Literal["bid", "place", "active", "harvest", "buy-in", "over"]
NOBODY = -1
NUMBER = re.compile("[0-9]{1,5}|-")  # of games, "-" where it is not known
BOARD = "hex 3"  # where nobody asks for another
ACTIONS = "tdsmbp"  # the six kinds, by the letter with which each is written


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """Every number of the ruling. A template brings its own board, number of players and order of play."""

    players: Annotated[int, Meta(ge=2, le=6, description="Number of players.")] = 2
    board: Annotated[str, Meta(max_length=300, description="Cells: hex 3, square 4 4, 4.8.8 2, cube …")] = BOARD
    template: Annotated[
        TemplateName, Meta(description="Start from a fixed position, without bidding, placing or drawing lots.")
    ] = ""
    seed: Annotated[
        int, Meta(ge=-1, le=2**31 - 1, description="Random seed for shells and ties; -1: a new one each game.")
    ] = -1
    mode: Annotated[Mode, Meta(description="Shells face each other mirrored (reflect) or turned (rotate).")] = "reflect"
    rounds: Annotated[int, Meta(ge=1, le=20, description="Number of rounds.")] = 3
    limit: Annotated[int, Meta(ge=1, le=50, description="Most units that a store can hold.")] = 10
    bid: Annotated[int, Meta(ge=0, le=20, description="Units that each player shares out among the coffers.")] = 12
    bonus: Annotated[int, Meta(ge=0, le=20, description="Units that every coffer gets after the bids.")] = 1
    kinds: Annotated[int, Meta(ge=1, le=6, description="How many of the six kinds of action one turn may have.")] = 2
    destroy: Annotated[int, Meta(ge=1, le=10, description="Units spent to destroy one unit.")] = 1
    shift: Annotated[int, Meta(ge=1, le=10, description="Units spent to turn a shell by one node.")] = 1
    modify: Annotated[int, Meta(ge=1, le=10, description="Units spent to change a node of a shell.")] = 1
    beacon: Annotated[int, Meta(ge=1, le=10, description="Units spent from each store round a new beacon.")] = 3
    buy_in: Annotated[int, Meta(ge=0, le=20, description="Units with which an eliminated player may come back.")] = 0
    owned_nodes: Annotated[bool, Meta(description="Units put on a shell keep their player's colour.")] = False
    experience: Annotated[
        str,
        Meta(
            max_length=40,
            description="Games that each player has finished, e.g. 3 0; the less experienced go later of equal bids.",
        ),
    ] = ""
    actions: Annotated[
        str,
        for_designers(
            "Kinds of action that there are: t transfer, d destroy, s shift, m modify, b beacon, p pay.", max_length=6
        ),
    ] = ACTIONS
    growth: Annotated[
        int, for_designers("Units that a harvest brings to the dominant player of each cell.", ge=0, le=10)
    ] = 1
    neighbour_growth: Annotated[
        int,
        for_designers(
            "Units that it brings besides for each neighbouring cell that this player occupies.", ge=0, le=10
        ),
    ] = 1
    openings: Annotated[
        int,
        for_designers(
            "Most cells on which a player may place units at the start; 0: an equal share of the board.", ge=0, le=64
        ),
    ] = 0
    tie: Annotated[
        Literal["dominance", "nobody", "first", "last"],
        for_designers(
            "Who wins of equal tallies: whoever dominates most cells, nobody, or the first or last in the "
            "order of play."
        ),
    ] = "dominance"
    start: Annotated[
        str,
        for_designers(
            "A template of one's own: stores as cell:player x units and shells, such as a3:1x6 e3:2x6 "
            "a3=101000; other shells are drawn, and there are no bids.",
            max_length=600,
        ),
    ] = ""

    def __post_init__(self) -> None:
        self._check_actions()
        try:
            cells = len(build(self.board).cells)
        except BadMesh as error:
            raise ValueError(str(error)) from error
        if cells < self.players:
            raise ValueError(f"board '{self.board}' has {cells} cells, fewer than the {self.players} players")
        told = self.experience.split()
        if told and not (len(told) == self.players and all(NUMBER.fullmatch(games) for games in told)):
            wanted = f"a number, or -, for each of {self.players} players"
            raise ValueError(f"experience '{self.experience}' is not {wanted}")
        if self.template:
            self._check_template()
        if self.start:
            self._check_start()

    @property
    def played(self) -> tuple[int | None, ...]:
        """How many games each player has finished, None where that is not known."""
        told = self.experience.split() or ["-"] * self.players
        return tuple(None if games == "-" else int(games) for games in told)

    def _check_template(self) -> None:
        template = TEMPLATES[self.template]
        if (self.board, self.players) != (template.board, len(template.order)):
            wanted = f"board '{template.board}' and {len(template.order)} players"
            raise ValueError(f"template '{self.template}' is made for {wanted}: choose these")
        most = max(units for _, _, units in template.stores)
        if most > self.limit:
            raise ValueError(f"template '{self.template}' puts {most} units on a cell, over the limit of {self.limit}")

    def _check_actions(self) -> None:
        for letter in self.actions:
            if letter not in ACTIONS or self.actions.count(letter) > 1:
                wrong = "is there twice" if letter in ACTIONS else "is no kind of action"
                raise ValueError(f"actions '{self.actions}': {letter} {wrong}; write each kind once, of {ACTIONS}")
        if not self.actions:
            raise ValueError(f"actions: a game has at least one kind of action; write some letters of {ACTIONS}")

    def _check_start(self) -> None:
        if self.template:
            raise ValueError(f"template '{self.template}' and start both say how the game begins: leave one out")
        start, mesh = read_start(self.start), build(self.board)
        nodes, units = ring_of(mesh), dict.fromkeys(mesh.cells, 0)
        if not start.stores:
            raise ValueError("start: it puts no units on the board; add a store, like a3:1x6")
        for name in (*(cell for cell, _, _ in start.stores), *(cell for cell, _ in start.shells)):
            if name not in units:
                raise ValueError(f"start: there is no cell {name} on board '{self.board}'")
        for name, seat, count in start.stores:
            units[name] += count
            if seat >= self.players:
                raise ValueError(f"start: {name} has units of player {seat + 1}, and there are {self.players} players")
            if units[name] > self.limit:
                raise ValueError(f"start: it puts {units[name]} units on {name}, over the limit of {self.limit}")
        for name, written in start.shells:
            if len(written) != nodes:
                raise ValueError(f"start: the shell of {name} has {len(written)} digits, and shells here {nodes} nodes")


class State(msgspec.Struct, frozen=True, kw_only=True):
    """One position. Seats count from 0; ``stores[cell][seat]`` are units; shells are integers, bit j is node j.

    ``order`` are the players in play, in order of play; ``queue`` those whose turn or part is still to come, who is
    to move first. ``ties`` is the order of seats drawn by lot, for equal bids.
    """

    options: Options
    ties: tuple[int, ...]
    phase: Phase
    order: tuple[int, ...]
    queue: tuple[int, ...]
    stores: tuple[tuple[int, ...], ...]
    shells: tuple[int, ...]
    colours: tuple[tuple[int, ...], ...]  # by cell and seat: the occupied nodes that hold that player's unit
    beacons: tuple[int, ...]  # by beacon: the seat, or NOBODY
    coffers: tuple[int, ...]
    tally: tuple[int, ...]
    bids: tuple[tuple[int, ...], ...] = ()  # those made so far, by seat
    round: int = 1
    used: tuple[str, ...] = ()  # kinds of action of this turn, by their letter
    spent: bool = False  # in this turn
    passed: tuple[int, ...] = ()  # seats that had a cost-free turn since the last turn that spent
    placed: tuple[int, ...] = ()  # cells on which the player to move has placed in this part
    fed: tuple[int, ...] = ()  # seats that got units in this harvest
    out: tuple[int, ...] = ()  # seats found out in this harvest, as long as they have not bought in
    why: str = ""


# ---- plies ------------------------------------------------------------------------------------------------


class Bid(msgspec.Struct, frozen=True):
    """Units into the coffers, by seat."""

    shares: tuple[int, ...]


class Place(msgspec.Struct, frozen=True):
    """Units from the coffer onto a cell, at the start or when buying in."""

    cell: int
    units: int


class Move(msgspec.Struct, frozen=True):
    """Units from the coffer onto an occupied cell, in the harvest."""

    cell: int
    units: int


class Transfer(msgspec.Struct, frozen=True):
    """Units from one cell to a neighbour; the cost is paid besides."""

    cell: int
    to: int
    units: int


class Destroy(msgspec.Struct, frozen=True):
    """One unit of ``seat`` goes."""

    cell: int
    seat: int


class Shift(msgspec.Struct, frozen=True):
    """The shell of a cell turns by one node: ``by`` is 1 (clockwise) or -1."""

    cell: int
    by: int


class Modify(msgspec.Struct, frozen=True):
    """A node of the cell's shell is filled (``on``) or emptied."""

    cell: int
    node: int
    on: bool


class Beacon(msgspec.Struct, frozen=True):
    """A unit on a vertex, by the number of the beacon in `Table.beacons`."""

    beacon: int


class Pay(msgspec.Struct, frozen=True):
    """Units from a cell's store into the coffer of ``seat``."""

    cell: int
    seat: int
    units: int


class End(msgspec.Struct, frozen=True):
    """The end of a turn, or of a part of setup or harvest."""


class Out(msgspec.Struct, frozen=True):
    """The seat gives up; nobody makes it by hand."""

    seat: int


Ply = Bid | Place | Move | Transfer | Destroy | Shift | Modify | Beacon | Pay | End | Out
END = End()
# The six kinds of action, by the letter with which each is written.
LETTERS: dict[type, str] = {Transfer: "t", Destroy: "d", Shift: "s", Modify: "m", Beacon: "b", Pay: "p"}


# ---- tables -----------------------------------------------------------------------------------------------


class CellTables(msgspec.Struct, frozen=True):
    """What is known of a board. A beacon is a vertex that two or more cells share, numbered in the mesh's order."""

    mesh: Mesh
    nodes: int  # of every shell
    ring: Ring
    seams: tuple[tuple[Seam, ...], ...]
    between: tuple[Adjacency, ...]
    cells: dict[str, int]  # by name
    beacons: dict[str, int]  # by name
    beacon_names: tuple[str, ...]
    circles: tuple[tuple[int, ...], ...]  # by beacon: the cells round it
    corners: tuple[tuple[int, ...], ...]  # by cell: the beacons at its corners


@lru_cache(maxsize=16)
def table(board: str, mode: Mode) -> CellTables:
    """Return the tables of a board that `build` accepts."""
    mesh = build(board)
    names = vertex_names(mesh)
    number = {vertex: beacon for beacon, vertex in enumerate(names)}
    nodes = ring_of(mesh)
    return CellTables(
        mesh,
        nodes,
        ring(nodes, mode),
        seams(mesh, mode),
        adjacencies(mesh, mode),
        {name: cell for cell, name in enumerate(mesh.cells)},
        {name: number[vertex] for vertex, name in names.items()},
        tuple(names.values()),
        tuple(mesh.vertices[vertex] for vertex in names),
        tuple(tuple(number[v] for v in dict.fromkeys(row) if v in number) for row in mesh.corners),
    )


def table_of(state: State) -> CellTables:
    """Return the tables of the state's board."""
    return table(state.options.board, state.options.mode)


# ---- helpers ----------------------------------------------------------------------------------------------


def units_told(number: int) -> Sentence:
    """Return so many units in words."""
    return say("1 unit") if number == 1 else say("{number} units", number=number)


def player(seat: int) -> str:
    """Return what the rules call ``seat``, so that it can be called by its person's name."""
    return say("Player {number}", number=seat + 1)


Stores = tuple[tuple[int, ...], ...]


def dominant(store: tuple[int, ...]) -> int:
    """Return the seat with strictly more units in ``store`` than any other, or NOBODY."""
    most = max(store)
    return store.index(most) if store.count(most) == 1 else NOBODY


def added(row: tuple[int, ...], place: int, units: int) -> tuple[int, ...]:
    """Return ``row`` with ``units`` (less than 0: removed) more at ``place``."""
    return (*row[:place], row[place] + units, *row[place + 1 :])


def stored(stores: Stores, cell: int, seat: int, units: int) -> Stores:
    """Return ``stores`` with ``units`` (less than 0: removed) more of ``seat`` in ``cell``."""
    return (*stores[:cell], added(stores[cell], seat, units), *stores[cell + 1 :])
