"""Beacons: whether a state that somebody wrote can be one of a game.

Owns the bounds on every field, so that no other function meets a seat, a cell or a number of units that there is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.rules.games.beacons.state import NOBODY, CellTables, Options, State, table


def sound(state: State, options: Options) -> bool:
    """Return whether a game with ``options`` can come to ``state``, as far as the fields alone show."""
    if state.options != options:
        return False
    known, seats = table(options.board, options.mode), range(options.players)
    all_units = len(known.mesh.cells) * options.limit + options.players * (options.players * options.bid + 100)
    return (
        sorted(state.ties) == list(seats)
        and _some(state.order, seats)
        and _some(state.queue, seats)
        and bool(state.queue) == (state.phase != "over")
        and bool(state.why) == (state.phase == "over")
        and state.why in ("", "tally", *(("last",) if state.order else ()))
        and _board_sound(state, known, seats, all_units)
        and _counts(state.coffers, len(seats), all_units)
        and _counts(state.tally, len(seats), options.rounds * len(known.circles))
        and _bids_sound(state, options)
        and 1 <= state.round <= options.rounds
        and _some(state.used, tuple(options.actions))
        and _some(state.passed, seats)
        and _some(state.placed, range(len(known.mesh.cells)))
        and _some(state.fed, seats)
        and _some(state.out, seats)
    )


def _some(found: Sequence[object], of: Sequence[object]) -> bool:
    """Return whether ``found`` are some of ``of``, each once."""
    return len(set(found)) == len(found) <= len(of) and all(each in of for each in found)


def _counts(found: Sequence[int], length: int, most: int) -> bool:
    return len(found) == length and all(0 <= each <= most for each in found)


def _board_sound(state: State, known: CellTables, seats: range, all_units: int) -> bool:
    cells, full = len(known.mesh.cells), (1 << known.nodes) - 1
    return (
        len(state.stores) == len(state.shells) == len(state.colours) == cells
        and all(_counts(store, len(seats), all_units) for store in state.stores)
        and sum(map(sum, state.stores)) <= all_units
        and all(0 <= shell <= full for shell in state.shells)
        and all(
            len(rings) == len(seats) and all(ring >= 0 and ring & shell == ring for ring in rings)
            for rings, shell in zip(state.colours, state.shells, strict=True)
        )
        and len(state.beacons) == len(known.circles)
        and all(holder == NOBODY or holder in seats for holder in state.beacons)
    )


def _bids_sound(state: State, options: Options) -> bool:
    """Only the player whose bid comes next is to bid; afterwards there are the bids of all, or none with a template."""
    players, made = options.players, len(state.bids)
    to_come = [seat for seat in range(made, players) if seat in state.order]
    in_order = state.phase != "bid" or (made < players and list(state.queue) == to_come)
    return (
        in_order
        and made <= players
        and all(_counts(bid, players, options.bid) and sum(bid) in (options.bid, 0) for bid in state.bids)
    )
