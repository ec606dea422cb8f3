"""Breakthrough. A set of squares is an integer with one bit a square, in cell order: a1, a2, …, b1 and so on."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.rules.game import Facts, Game, Piece, Result, Unreadable, Walk
from controller.rules.mesh import Mesh, squares
from controller.rules.notation import bits, split_path
from controller.sentences import say

SIDE = 8
CELLS = squares(SIDE, SIDE).cells
FAR = tuple(sum(1 << SIDE * x + rank for x in range(SIDE)) for rank in (SIDE - 1, 0))  # where White and Black want to
HOMES = (FAR[1] | FAR[1] << 1, FAR[0] | FAR[0] >> 1)
SEATS = (say("White"), say("Black"))


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat begins."""

    begins: Annotated[Literal["White", "Black"], Meta(description="Who moves first.")] = "White"


class State(msgspec.Struct, frozen=True):
    """The stones of White and of Black, and whose turn it is."""

    stones: tuple[int, int]
    turn: int


class Ply(msgspec.Struct, frozen=True):
    """From one square to another, with a capture there or without."""

    begin: int
    end: int
    takes: bool


# ---- plies ------------------------------------------------------------------------------------------------


def start(options: Options, seed: int) -> State:
    """Return the first position: two full ranks of stones each."""
    return State(HOMES, SEATS.index(options.begins))


def moves(state: State) -> list[Ply]:
    """Return the legal plies: one square forward, straight or diagonally, onto a vacant square; captures diagonally."""
    if result(state).over:
        return []
    own, enemy = state.stones[state.turn], state.stones[1 - state.turn]
    found = []
    for begin in bits(own):
        for aside in (-1, 0, 1):
            x, y = begin // SIDE + aside, begin % SIDE + (-1 if state.turn else 1)
            end = SIDE * x + y
            if 0 <= x < SIDE and not own >> end & 1 and (aside or not enemy >> end & 1):
                found.append(Ply(begin, end, bool(enemy >> end & 1)))
    return found


def after(state: State, ply: Ply) -> State:
    """Return the state after a legal ``ply``."""
    own = state.stones[state.turn] ^ 1 << ply.begin ^ 1 << ply.end
    enemy = state.stones[1 - state.turn] & ~(1 << ply.end)
    return State((enemy, own) if state.turn else (own, enemy), 1 - state.turn)


def result(state: State) -> Result:
    """Return how things stand: a stone on the far rank wins, and so does the capture of the last enemy."""
    for side in (0, 1):
        if state.stones[side] & FAR[side]:
            return Result(True, side, "breakthrough")
        if not state.stones[1 - side]:
            return Result(True, side, "massacre")
    return Result()


def seat(state: State) -> int | None:
    """Return who is to move."""
    return None if result(state).over else state.turn


def sound(state: State, options: Options) -> bool:
    """Return whether a game can come to ``state``."""
    white, black = state.stones
    return (
        state.turn in (0, 1)
        and all(0 <= side < 1 << SIDE * SIDE and side.bit_count() <= 2 * SIDE for side in (white, black))
        and not white & black
        and not (white & FAR[0] and black & FAR[1])
        and bool(white | black)
    )


# ---- text -------------------------------------------------------------------------------------------------


def text(state: State, ply: Ply) -> str:
    """Return ``b2-b3`` or ``b6xc7``."""
    return f"{CELLS[ply.begin]}{'x' if ply.takes else '-'}{CELLS[ply.end]}"


def read(state: State, written: str) -> Ply:
    """Return the ply written ``b2-b3`` or ``b6xc7``; it need not be legal."""
    names, takes = split_path(written, CELLS)
    if len(names) != 2:
        raise Unreadable(say("'{written}': a stone goes from one square to another", written=written))
    return Ply(CELLS.index(names[0]), CELLS.index(names[1]), takes)


def why_not(state: State, ply: Ply) -> str:
    """Return which rule forbids ``ply``."""
    own, enemy = state.stones[state.turn], state.stones[1 - state.turn]
    begin, end = CELLS[ply.begin], CELLS[ply.end]
    aside, ahead = (ply.end // SIDE - ply.begin // SIDE, ply.end % SIDE - ply.begin % SIDE)
    if not own >> ply.begin & 1:
        return say("{seat} has no stone on {begin}", seat=SEATS[state.turn], begin=begin)
    if abs(aside) > 1 or ahead != (-1 if state.turn else 1):
        return say("a stone goes one square forward, straight or diagonally: {end} is not one of these", end=end)
    if own >> ply.end & 1:
        return say("{end} is held by {seat}'s own stone", end=end, seat=SEATS[state.turn])
    if enemy >> ply.end & 1:
        return (
            say("the stone on {end} would be taken: write {begin}x{end}", begin=begin, end=end)
            if aside
            else say("a stone takes diagonally: {end} is straight ahead", end=end)
        )
    return say("there is no stone on {end} to take", end=end)


# ---- what stands where, and how a hand makes a ply ----------------------------------------------------------


def mesh(options: Options) -> Mesh:
    """Return 8×8 squares."""
    return squares(SIDE, SIDE)


def shape(state: State) -> dict[str, Piece]:
    """Return the stones by square."""
    return {CELLS[cell]: Piece(side, "stone") for side in (0, 1) for cell in bits(state.stones[side])}


def walk(state: State, ply: Ply) -> Walk:
    """Return the two squares."""
    return Walk((CELLS[ply.begin], CELLS[ply.end]))


GAME = Game(
    facts=Facts(
        name="breakthrough",
        title="Breakthrough",
        blurb="Bring one stone to the far side before your opponent does.",
        seats=SEATS,
        minutes=15,
        kinds={"stone": say("stone")},
        signs={"stone": "▲"},
        endings=("breakthrough", "massacre"),
        longest=2 * 2 * SIDE * (SIDE - 1),
        begins=None,
    ),
    options=Options,
    state=State,
    mesh=mesh,
    start=start,
    seat=seat,
    moves=moves,
    after=after,
    result=result,
    text=text,
    read=read,
    why_not=why_not,
    shape=shape,
    walk=walk,
    sound=sound,
)
