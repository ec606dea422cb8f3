"""Positions of Cyvasse for tests: put up by hand or at random, and handed to the naive second opinion."""

from __future__ import annotations

import random

from controller.rules.games.cyvasse.board import CELLS, CORNERS, NOWHERE, PLACES
from controller.rules.games.cyvasse.state import HAND, MEN, TILES, Options, State
from tests.rules.naive_cyvasse import Naive


def cell(name: str) -> int:
    """Return the number of a cell; "" is NOWHERE."""
    return CELLS.index(name) if name else NOWHERE


def position(
    white: str,
    black: str,
    *,
    turn: int = 0,
    fortresses: tuple[str, str] = ("h2", "d10"),
    centres: tuple[str, str] | None = None,
    reserve: tuple[str, str] = ("", ""),
    tiles: str = "",
    quiet: int = 0,
    options: Options | None = None,
) -> State:
    """Return a position in play from words such as ``Kh2 Rg3 Mc4``; tiles are words such as ``hf4`` for a hill."""
    board = list("." * len(CELLS))
    for side, words in enumerate((white, black)):
        for word in words.split():
            board[cell(word[1:])] = word[0].lower() if side and word[0] != "M" else word[0]
    ground = list("." * len(CELLS))
    for word in tiles.split():
        ground[cell(word[1:])] = word[0]
    homes = (cell(fortresses[0]), cell(fortresses[1]))
    middle = homes if centres is None else (cell(centres[0]), cell(centres[1]))
    text = "".join(board)
    return State(
        text, "".join(ground), homes, middle, reserve, (True, True), turn, options or Options(), (text,), quiet
    )


def at_random(seed: int) -> State:
    """Return a crowded position: any pieces on any cells, perhaps no king, a ruin, a corner owed, ports."""
    rng = random.Random(seed)
    turn = rng.randrange(2)
    options = Options(flank=rng.choice(("halves", "online")), sea_ports=rng.random() < 0.5)
    free = rng.sample(range(len(CELLS)), len(CELLS))
    rim = [i for i, (x, y) in enumerate(PLACES) if 0 in (x, y) or 10 in (x, y) or x + y in (5, 15)]
    forts = rng.sample(rim if rng.random() < 0.3 else range(len(CELLS)), 2)
    board, tiles = ["."] * len(CELLS), ["."] * len(CELLS)
    pieces = [(side, kind) for side in (0, 1) for kind in HAND if rng.random() < 0.75 and kind not in "KD"]
    lost = rng.random() < 0.35
    pieces += [(side, "K") for side in (0, 1) if side != turn or not lost]
    pieces += [(side, "D") for side in (0, 1) if rng.random() < 0.5]
    for side, kind in rng.sample(pieces, len(pieces)):
        spot = free.pop()
        for fort in forts:
            if board[fort] == "." and kind not in "MD" and rng.random() < 0.15:
                spot = fort
        if board[spot] == ".":
            board[spot] = kind if kind == "M" or not side else kind.lower()
    for kind, count in (("h", 6), ("f", 6), ("g", 6)):
        for spot in rng.sample(range(len(CELLS)), count):
            tiles[spot] = kind if spot not in forts else "."
    centres = list(forts)
    for side in (0, 1):
        if rng.random() < 0.2:
            owed = side != turn and rng.random() < 0.5
            forts[side], centres[side] = NOWHERE, NOWHERE if owed else rng.choice(CORNERS)
    text = "".join(board)
    reserve = ("" if "D" in text else "D", "" if "d" in text else "D")
    pairs = ((forts[0], forts[1]), (centres[0], centres[1]))
    return State(text, "".join(tiles), *pairs, reserve, (True, True), turn, options, (text,))


def naive_of(state: State) -> Naive:
    """Return the same position for the naive rules; its history begins here."""
    other = Naive("open", state.options.flank == "online", state.options.sea_ports)
    for number, piece in enumerate(state.board):
        if piece != ".":
            other.pieces[PLACES[number]] = (None if piece == "M" else int(piece in MEN[1]), piece.upper())
        if state.tiles[number] != ".":
            other.tiles[PLACES[number]] = TILES[state.tiles[number]]
    for side in (0, 1):
        other.fortress[side] = PLACES[state.fortresses[side]] if state.fortresses[side] != NOWHERE else None
        other.centre[side] = PLACES[state.centres[side]] if state.centres[side] != NOWHERE else None
        other.dragon_waits[side] = bool(state.reserve[side])
        other.ready[side] = True
    other.mover, other.idle = state.turn, state.quiet
    other.past[other.signature()] += 1
    return other
