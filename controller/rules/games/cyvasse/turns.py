"""The rules of Cyvasse (ruling: docs/rules/cyvasse.md), in the ruling's order.

Setup, turns and ends; how a ply is written and shown is in `game`, the state in `state`, the geometry in `board`, the
arithmetic of captures in `captures`. A board is text, one character a cell in cell order:
"." empty, "M" a mountain, White's pieces in capitals, Black's in small letters.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

import msgspec

from controller.rules.game import Result
from controller.rules.games.cyvasse.board import (
    CELLS,
    CORNERS,
    HOMES,
    NOWHERE,
    flights,
    holding,
    lines,
    ports,
    sight,
    within_flight,
)
from controller.rules.games.cyvasse.captures import captures
from controller.rules.games.cyvasse.state import (
    END,
    HEAVY,
    KINGS,
    MEN,
    PATIENCE,
    PROMOTIONS,
    TILE_UNDER,
    Options,
    Ply,
    State,
    array_of,
    coloured,
    put,
    replaced,
)
from controller.rules.notation import bits

HORSES = "LHlh"
ANY_CENTRES = (NOWHERE, NOWHERE)  # centres that do not matter
Reach = tuple[tuple[Ply, ...], tuple[int, ...]]  # of a piece: its moves to empty cells, and the enemies that it meets

# ---- setup ------------------------------------------------------------------------------------------------


def start(options: Options, seed: int) -> State:
    """Return the first position: the array `standard`, dragons in reserve, or a bare board to set up."""
    bare, hand = "." * len(CELLS), options.hand
    state = State(bare, bare, (NOWHERE, NOWHERE), (NOWHERE, NOWHERE), (hand, hand), (False, False), 0, options)
    if options.setup != "standard":
        return state
    for side in (0, 1):
        for kind, cell in array_of(options.start):
            state = with_piece(state, side, kind, len(CELLS) - 1 - cell if side else cell)
    return msgspec.structs.replace(state, ready=(True, True), seen=(state.board,))


def with_piece(state: State, side: int, kind: str, cell: int) -> State:
    """Return ``state`` with a piece of the reserve on ``cell`` and the tile that lies where it starts."""
    fortress = cell if kind == "K" else state.fortresses[side]
    return msgspec.structs.replace(
        state,
        board=put(state.board, cell, coloured(kind, side)),
        tiles=put(state.tiles, cell, TILE_UNDER.get(kind, ".")),
        fortresses=replaced(state.fortresses, side, fortress),
        centres=replaced(state.centres, side, fortress),
        reserve=replaced(state.reserve, side, state.reserve[side].replace(kind, "", 1)),
    )


def setting_up(state: State) -> bool:
    """Tell whether a side still sets up."""
    return state.ready != (True, True)


def _placings(state: State) -> list[Ply]:
    hand = state.reserve[state.turn]
    free = [cell for cell in HOMES[state.turn] if state.board[cell] == "."]
    found = [Ply(end=cell, places=kind) for kind in dict.fromkeys(hand) for cell in free]
    return [*found, END] if hand == "D" else found


def _after_placing(state: State, ply: Ply) -> State:
    side = state.turn
    if ply != END:
        state = with_piece(state, side, ply.places, ply.end)
    ready = replaced(state.ready, side, ply == END or not state.reserve[side])
    if all(ready):
        return msgspec.structs.replace(state, ready=ready, turn=0, seen=(state.board,))
    passes = state.options.setup == "open" or ready[side]
    turn = 1 - side if passes and not ready[1 - side] else side
    return msgspec.structs.replace(state, ready=ready, turn=turn)


# ---- a turn -----------------------------------------------------------------------------------------------


def moves(state: State) -> list[Ply]:
    """Return the legal plies."""
    if setting_up(state):
        return _placings(state)
    return [] if state.why else _turns(state)


def _turns(state: State) -> list[Ply]:
    """Corner choice, promotion, then one move or the bringing-out of the dragon."""
    found: list[Ply] = []
    for corner in owed_corners(state):
        for at, into in promotions(state):
            board, centres = begun(state, corner, at, into)
            plies, hits = reaches(state, board, centres)
            plies += [Ply(begin, end, True) for begin, end in captures(state, board, hits)]
            plies += _landings(state, board)
            if corner != NOWHERE or into:
                plies = [Ply(ply.begin, ply.end, ply.takes, corner, at, into) for ply in plies]
            found += plies
    if KINGS[state.turn] not in state.board:
        return [ply for ply in found if has_king(state, ply)]
    return found


def _can_move(state: State) -> bool:
    """Return whether the mover has a turn to make: all are listed only where no piece has an empty cell to go to."""
    if KINGS[state.turn] in state.board:
        walkers, foes = MEN[state.turn].strip("Dd"), MEN[1 - state.turn]  # flights take long
        at, into = promotions(state)[0]
        board, centres = begun(state, owed_corners(state)[0], at, into)
        vacant, prey = holding(board, "."), holding(board, foes)
        if any(reach(board, begin, centres, vacant, prey)[0] for begin in bits(holding(board, walkers))):
            return True
    return bool(_turns(state))


def begun(state: State, corner: int, at: int, into: str) -> tuple[str, tuple[int, int]]:
    """Return the board and the horses' centres after what a turn begins with."""
    board, centres = state.board, state.centres
    if corner != NOWHERE:
        centres = replaced(centres, 1 - state.turn, corner)
    if into:
        board = put(board, at, coloured(into, state.turn))
    return board, centres


def moved(state: State, ply: Ply, board: str) -> str:
    """Return ``board``, on which the turn has begun, after the move or bringing-out of ``ply``."""
    if ply.begin == NOWHERE:
        return put(board, ply.end, coloured("D", state.turn))
    return put(put(board, ply.end, board[ply.begin]), ply.begin, ".")


def after(state: State, ply: Ply) -> State:
    """Return the state after a legal ``ply``: move, replacement of the king, ruin, test for the end."""
    if setting_up(state):
        return _after_placing(state, ply)
    turn = state.turn
    board, centres = begun(state, ply.corner, ply.at, ply.into)
    board = moved(state, ply, board)
    fortresses, reserve = state.fortresses, state.reserve
    fortress, ruin = fortresses[turn], False
    if ply.begin == NOWHERE:
        reserve = replaced(reserve, turn, "")
    if fortress != NOWHERE:
        if board[fortress] in HEAVY[turn] and KINGS[turn] not in board:
            board = put(board, fortress, KINGS[turn])
        if ruin := board[fortress] in MEN[1 - turn]:
            fortresses, centres = replaced(fortresses, turn, NOWHERE), replaced(centres, turn, NOWHERE)
    progress = ply.takes or ply.into or ply.begin == NOWHERE or ruin
    quiet = 0 if progress else state.quiet + 1
    # Neither progress nor a named corner is ever undone, so no board from before is the same position again.
    seen = (board,) if progress or ply.corner != NOWHERE else (*state.seen, board)
    options = state.options
    why = ""
    if seen[::-2].count(board) == options.repeats:
        why = "repetition"
    elif quiet == options.patience:
        why = "100 turns" if quiet == PATIENCE else "turns"
    return State(board, state.tiles, fortresses, centres, reserve, state.ready, 1 - turn, options, seen, quiet, why)


def passed(state: State) -> State | None:
    """Return ``state`` with the other side to move, None in the setup and while a king is to be replaced."""
    if setting_up(state) or state.why or any(king not in state.board for king in KINGS):
        return None
    other = msgspec.structs.replace(state, turn=1 - state.turn, seen=(state.board,))
    return other if moves(other) else None


# ---- moves ------------------------------------------------------------------------------------------------


def reaches(state: State, board: str, centres: tuple[int, int]) -> tuple[list[Ply], dict[int, list[int]]]:
    """Return the moves to empty cells, and by enemy all pieces that could move there if tiers did not matter."""
    vacant, prey = holding(board, "."), holding(board, MEN[1 - state.turn])
    hops = sea_ports(state)
    quiet: list[Ply] = []
    hits: dict[int, list[int]] = {}
    for begin in bits(holding(board, MEN[state.turn])):
        plies, met = reach(board, begin, centres, vacant, prey)
        quiet += plies
        for end in met:
            hits.setdefault(end, []).append(begin)
        if hops:
            ends = [ply.end for ply in plies]
            for hop in {hop for port in ends if port in hops for hop in hops[port]}.difference(ends, met):
                if vacant >> hop & 1:
                    quiet.append(_quiet(begin, hop))
                elif prey >> hop & 1:
                    hits.setdefault(hop, []).append(begin)
    return quiet, hits


def sea_ports(state: State) -> Mapping[int, tuple[int, int]]:
    """Return the ports with their neighbours; there are none unless the option is on."""
    return ports(state.fortresses) if state.options.sea_ports else {}


def reach(board: str, begin: int, centres: tuple[int, int], vacant: int, prey: int) -> Reach:
    """Return the moves by land or air of the piece on ``begin``, and the enemies to which it comes, each once."""
    piece = board[begin]
    if piece in "Dd":
        known = flights(board, begin)
        return tuple(_quiet(begin, c) for c in known if vacant >> c & 1), tuple(c for c in known if prey >> c & 1)
    if piece not in HORSES:
        centres = ANY_CENTRES  # so that what is known of other pieces holds when a centre changes
    seen = sight(piece, centres, begin)
    return _by_land(piece, centres, begin, vacant & seen, prey & seen)


@lru_cache(maxsize=1 << 13)
def _by_land(piece: str, centres: tuple[int, int], begin: int, vacant: int, prey: int) -> Reach:
    """Return what a piece reaches that is no dragon.

    ``vacant`` and ``prey`` have cells in its sight and no others: then an answer holds, whatever happens elsewhere.
    """
    ends: list[int] = []
    met: list[int] = []
    for line in lines(piece, centres, begin):
        for cell in line:
            if vacant >> cell & 1:
                ends.append(cell)
                continue
            if prey >> cell & 1:
                met.append(cell)
            break
    return tuple(_quiet(begin, end) for end in dict.fromkeys(ends)), tuple(dict.fromkeys(met))


@cache
def _quiet(begin: int, end: int) -> Ply:
    """Return the move to an empty cell, made once: most plies are such."""
    return Ply(begin, end)


def _landings(state: State, board: str) -> tuple[Ply, ...]:
    """Return the bringing-out of the dragon; its tier takes whatever it lands on."""
    fortress = state.fortresses[state.turn]
    if fortress == NOWHERE or not state.reserve[state.turn]:
        return ()
    within = within_flight(fortress)
    return _landings_on(holding(board, ".") & within, holding(board, MEN[1 - state.turn]) & within)


@lru_cache(maxsize=1 << 10)
def _landings_on(vacant: int, prey: int) -> tuple[Ply, ...]:
    return tuple(Ply(NOWHERE, end, bool(prey >> end & 1)) for end in bits(vacant | prey))


# ---- captures ---------------------------------------------------------------------------------------------


# ---- promotion, ruin --------------------------------------------------------------------------------------


def promotions(state: State) -> list[tuple[int, str]]:
    """Return the cell and the new kinds of the promotion that is due, or one that is none."""
    at = state.fortresses[state.turn]
    if at == NOWHERE or state.board[at] not in MEN[state.turn]:
        return [(NOWHERE, "")]
    kinds = PROMOTIONS.get(state.board[at].upper(), "")
    if not state.options.promotion:
        kinds = "K" if "K" in kinds else ""  # a lost king is replaced
    return [(at, kind) for kind in kinds if fewer(state, kind)] or [(NOWHERE, "")]


def fewer(state: State, kind: str) -> bool:
    """Tell whether fewer of the mover's ``kind`` stand on the board than at the start."""
    return state.board.count(coloured(kind, state.turn)) < state.options.hand.count(kind)


def owed_corners(state: State) -> tuple[int, ...]:
    """Return what a turn can name as the horses' new centre: NOWHERE unless a corner is owed."""
    return CORNERS if state.centres[1 - state.turn] == NOWHERE else (NOWHERE,)


# ---- end --------------------------------------------------------------------------------------------------


def has_king(state: State, ply: Ply) -> bool:
    """Tell whether the mover has a king again at the end of the turn ``ply``."""
    board = moved(state, ply, begun(state, ply.corner, ply.at, ply.into)[0])
    fortress = state.fortresses[state.turn]
    return KINGS[state.turn] in board or (fortress != NOWHERE and board[fortress] in HEAVY[state.turn])


def result(state: State) -> Result:
    """Return how things stand; who cannot replace the captured king has lost at once."""
    if setting_up(state):
        return Result()
    if not _can_move(state):
        lost = KINGS[state.turn] not in state.board
        return Result(True, 1 - state.turn, "king") if lost else Result(True, None, "stuck")
    return Result(bool(state.why), None, state.why)


def seat(state: State) -> int | None:
    """Return the seat to move."""
    return None if result(state).over else state.turn
