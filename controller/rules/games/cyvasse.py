"""Cyvasse as it is written, refused and shown.

Owns the text of plies and what a seat may see. The rules themselves, in the ruling's order, are in
`controller.rules.cyvasse_turns`, the sentences for illegal plies in `controller.rules.cyvasse_reasons`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec

from controller.rules.cyvasse_board import CELLS, HOMES, NOWHERE, SIDE, way
from controller.rules.cyvasse_reasons import NAMES, SEATS, why_not
from controller.rules.cyvasse_turns import (
    END,
    HAND,
    KINGS,
    MEN,
    PATIENCE,
    TILES,
    Options,
    Ply,
    State,
    after,
    begun,
    moves,
    promotions,
    result,
    sea_ports,
    seat,
    setting_up,
    start,
)
from controller.rules.game import Facts, Game, Piece, Unreadable, View, Walk
from controller.rules.mesh import Mesh, hexes

# ---- text -------------------------------------------------------------------------------------------------

CELL = "([a-k][1-9][01]?)"
PLACING = re.compile(f"([{''.join(NAMES)}])@{CELL}")
TURN = re.compile(f"(?:@{CELL} )?(?:{CELL}=([{''.join(NAMES)}]) )?(?:D|{CELL})([-x]){CELL}")


def text(state: State, ply: Ply) -> str:
    """Return ``h3-h5``, ``f4xf7``, ``D-h4``, ``@f11 h2=S g5xg7``; in the setup ``K@h2`` and ``end``."""
    if ply.end == NOWHERE:
        return "end"
    if ply.places:
        return f"{ply.places}@{CELLS[ply.end]}"
    corner = f"@{CELLS[ply.corner]} " if ply.corner != NOWHERE else ""
    promotion = f"{CELLS[ply.at]}={ply.into} " if ply.into else ""
    begin = "D" if ply.begin == NOWHERE else CELLS[ply.begin]
    return f"{corner}{promotion}{begin}{'x' if ply.takes else '-'}{CELLS[ply.end]}"


def say(state: State, ply: Ply) -> str:
    """Return the ply in words: ``king on h2``, ``h2 becomes spears, then g5 takes g7``."""
    if ply.end == NOWHERE:
        return "ready, the dragon stays in reserve"
    end = CELLS[ply.end]
    if ply.places:
        return f"{NAMES[ply.places]} on {end}"
    corner = f"the horses' centre is {CELLS[ply.corner]}, " if ply.corner != NOWHERE else ""
    promotion = f"{CELLS[ply.at]} becomes {NAMES[ply.into]}, " if ply.into else ""
    begin = "the dragon" if ply.begin == NOWHERE else CELLS[ply.begin]
    return f"{corner}{promotion}{'then ' if corner or promotion else ''}{begin} {'takes' if ply.takes else 'to'} {end}"


def read(state: State, written: str) -> Ply:
    """Return the ply written like those of `text`; it need not be legal."""
    words = " ".join(written.split())
    if words == "end":
        return END
    if placing := PLACING.fullmatch(words):
        return Ply(end=_cell(written, placing[2]), places=placing[1])
    if not (turn := TURN.fullmatch(words)):
        examples = "'K@h2' or 'end'" if setting_up(state) else "'h3-h5', 'f4xf7', 'D-h4' or '@f11 h2=S g5xg7'"
        raise Unreadable(f"'{written}' is no ply: write it like {examples}")
    corner, at, into, begin, sign, end = turn.groups()
    cells = [_cell(written, name) for name in (begin, end, corner, at)]
    return Ply(cells[0], cells[1], sign == "x", cells[2], cells[3], into or "")


def _cell(written: str, name: str | None) -> int:
    if name is None:
        return NOWHERE
    if name not in CELLS:
        raise Unreadable(f"'{written}': there is no cell {name} on this board")
    return CELLS.index(name)


# ---- what stands where, and how a hand makes a ply --------------------------------------------------------


def shape(state: State) -> dict[str, Piece]:
    """Return the pieces by cell; arrays set up in secret are on nobody's table until both are ready."""
    return _pieces(_known(state, None))


def _pieces(state: State) -> dict[str, Piece]:
    return {
        CELLS[cell]: Piece(None if piece == "M" else int(piece in MEN[1]), piece.upper())
        for cell, piece in enumerate(state.board)
        if piece != "."
    }


def walk(state: State, ply: Ply) -> Walk:
    """Return the cells that the piece passes; a dragon's are those of one shortest way."""
    if ply == END:
        return Walk()
    if ply.places and state.options.setup == "secret":
        return Walk(at=CELLS[ply.end])
    if ply.begin == NOWHERE:
        return Walk((CELLS[ply.end],))
    board, centres = begun(state, ply.corner, ply.at, ply.into)
    onward = way(board, centres, sea_ports(state), ply.begin, ply.end) or (ply.end,)
    return Walk(tuple(CELLS[cell] for cell in (ply.begin, *onward)))


# ---- what a seat may know ---------------------------------------------------------------------------------


def _known(state: State, viewer: int | None) -> State:
    """Return ``state`` without what ``viewer`` may not know: during a secret setup, the other side's."""
    if not setting_up(state) or state.options.setup != "secret":
        return state
    for side in {0, 1} - {viewer}:
        state = msgspec.structs.replace(
            state,
            board="".join("." if cell in HOMES[side] else piece for cell, piece in enumerate(state.board)),
            tiles="".join("." if cell in HOMES[side] else tile for cell, tile in enumerate(state.tiles)),
            fortresses=tuple(NOWHERE if i == side else cell for i, cell in enumerate(state.fortresses)),
            centres=tuple(NOWHERE if i == side else cell for i, cell in enumerate(state.centres)),
            reserve=tuple(HAND if i == side else hand for i, hand in enumerate(state.reserve)),
        )
    return state


def glimpse(state: State, ply: Ply, viewer: int | None) -> str:
    """Return the ply's text; "?" for what another side sets up in secret."""
    hidden = setting_up(state) and state.options.setup == "secret" and viewer != state.turn
    return "?" if hidden else text(state, ply)


def view(state: State, viewer: int | None) -> View:
    """Return what ``viewer`` may know. ``data`` has cells by name; pairs in it are by seat, None for none."""
    state = _known(state, viewer)
    tiles = {CELLS[cell]: TILES[tile] for cell, tile in enumerate(state.tiles) if tile != "."}
    due = () if setting_up(state) else tuple((CELLS[at], into) for at, into in promotions(state) if into)
    data: dict[str, Any] = {
        "tiles": tiles,
        "fortresses": [CELLS[cell] if cell != NOWHERE else None for cell in state.fortresses],
        "centres": [CELLS[cell] if cell != NOWHERE else None for cell in state.centres],
        "reserve": list(state.reserve),
        "promotion": [f"{at}={into}" for at, into in due],
        "quiet": state.quiet,
    }
    words = [f"{tile.capitalize()}: {' '.join(c for c in tiles if tiles[c] == tile)}" for tile in TILES.values()]
    told = _setup_lines(state, viewer) if setting_up(state) else _turn_lines(state)
    return View(_pieces(state), (*(words if tiles else ()), *told), data)


def _setup_lines(state: State, viewer: int | None) -> list[str]:
    told = []
    for side, hand in enumerate(state.reserve):
        if state.ready[side]:
            told.append(f"{SEATS[side]} is ready.")
        elif state.options.setup == "secret" and side != viewer:
            told.append(f"{SEATS[side]} sets up in secret.")
        else:
            left = ", ".join(f"{NAMES[kind]} ×{n}" for kind, n in Counter(hand).items())
            told.append(f"{SEATS[side]} has to place: {left} (the dragon may stay in reserve).")
    return told


def _turn_lines(state: State) -> list[str]:
    told = []
    for side, name in enumerate(SEATS):
        fortress, centre = state.fortresses[side], state.centres[side]
        instead = f"the horses' centre is {CELLS[centre]}" if centre != NOWHERE else f"{SEATS[1 - side]} names a corner"
        told.append(
            f"{name}'s fortress: {CELLS[fortress]}"
            if fortress != NOWHERE
            else f"{name}'s fortress is ruined; {instead}"
        )
        if state.reserve[side]:
            told.append(f"{name}'s dragon is in reserve.")
    lost = KINGS[state.turn] not in state.board
    if result(state).over:
        return [*told, f"{SEATS[state.turn]}'s king is captured for good."] if lost else told
    if due := [into for _, into in promotions(state) if into]:
        cell = CELLS[state.fortresses[state.turn]]
        told.append(f"Promotion due on {cell}: {' or '.join(NAMES[into] for into in due)}.")
    if lost:
        told.append(f"{SEATS[state.turn]}'s king is captured and must be replaced in this turn.")
    return [*told, f"Turns without progress: {state.quiet} of {PATIENCE}"]


def mesh(options: Options) -> Mesh:
    """Return a hex board of side 6."""
    return hexes(SIDE)


GAME = Game(
    facts=Facts(
        name="cyvasse",
        title="Cyvasse",
        blurb="Ten kinds of pieces, flanking, terrain and a dragon: capture the king for good.",
        seats=SEATS,
        minutes=90,
        kinds=NAMES,
        endings=("king", "stuck", "repetition", "100 turns"),
        # 40 captures, 72 promotions, 2 dragons, 2 ruins: no more progress is possible, with 100 turns for each.
        longest=12_000,
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
    view=view,
    say=say,
    glimpse=glimpse,
)
