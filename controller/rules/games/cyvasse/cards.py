"""Cyvasse: how each kind moves, and its tier against each target, for the card of a piece in somebody's hand."""

from __future__ import annotations

from collections.abc import Iterator

from controller.rules.game import Against
from controller.rules.games.cyvasse.board import CELLS, NOWHERE
from controller.rules.games.cyvasse.captures import TIERS, attack, defence
from controller.rules.games.cyvasse.reasons import NAMES
from controller.rules.games.cyvasse.state import KINGS, MEN, State
from controller.rules.games.cyvasse.turns import owed_corners, promotions, reaches, setting_up
from controller.sentences import all_of, capital, say

MOVES = {
    "K": say("One cell across an edge. Its support adds 1."),
    "R": say("One cell across an edge."),
    "M": say("Stays where it is, and stops all but a dragon in flight."),
    "C": say("Up to 3 cells in a line across edges."),
    "S": say("Up to 2 diagonal steps in a line."),
    "L": say("Up to 3 cells along its ring round a fortress."),
    "B": say("Any distance in a line across edges."),
    "E": say("Any distance diagonally in a line."),
    "H": say("Any distance along its ring round a fortress."),
    "D": say("4 steps across edges, by any way, over mountains too."),
}


def card(state: State, site: str, seat: int | None) -> tuple[str, ...]:
    """Return tier and defence of the piece on ``site``, what they mean, and of each enemy in reach if it may capture.

    Nothing while arrays are set up, which is secret. Where a turn begins with a choice, what may be captured depends on
    that choice and is not told.
    """
    cell = CELLS.index(site)
    kind = state.board[cell].upper()
    if setting_up(state) or kind not in TIERS:
        return ()
    tier, needed = TIERS[kind], defence(state, state.board, cell)
    own = say("Tier {tier}, defence {defence} on {cell}.", tier=tier, defence=needed, cell=site)
    meant = say(
        "Alone it captures up to defence {tier}, and pieces from tier {defence} on capture it; support adds to that.",
        tier=tier, defence=needed,
    )  # fmt: skip
    return (own, meant, *_targets(state, cell))


def _targets(state: State, cell: int) -> Iterator[str]:
    for end, attackers in _met(state, cell):
        yield _against(state, cell, end, attackers)


def _met(state: State, cell: int) -> Iterator[tuple[int, list[int]]]:
    """Yield the enemies to which the piece on ``cell`` could go, each with all that could."""
    free = owed_corners(state) == (NOWHERE,) and promotions(state) == [(NOWHERE, "")]
    if not free or state.why or state.board[cell] not in MEN[state.turn] or KINGS[state.turn] not in state.board:
        return
    _, hits = reaches(state, state.board, state.centres)
    yield from ((end, attackers) for end, attackers in hits.items() if cell in attackers)


def against(state: State, site: str) -> tuple[Against, ...]:
    """Return the strength of the piece on ``site``, with its support, beside the defence of each enemy in its reach."""
    cell = CELLS.index(site)
    if setting_up(state) or state.board[cell].upper() not in TIERS:
        return ()
    found = []
    for end, attackers in _met(state, cell):
        needed = defence(state, state.board, end)
        power = max(TIERS[state.board[cell].upper()], attack(state, state.board, cell, attackers))
        takes = power >= needed
        found.append(Against(CELLS[end], f"{power:g} {'≥' if takes else '<'} {needed}", takes))
    return tuple(found)


def _against(state: State, cell: int, end: int, attackers: list[int]) -> str:
    board = state.board
    tier, needed = TIERS[board[cell].upper()], defence(state, board, end)
    target = capital(NAMES[board[end].upper()])
    common: dict[str, str | int] = {"target": target, "cell": CELLS[end], "defence": needed}
    if tier >= needed:
        return say("{target} on {cell}, defence {defence}: may be captured.", **common)
    friends = [NAMES[board[other].upper()] for other in attackers if other != cell]
    if not friends:
        return say("{target} on {cell}, defence {defence}: too strong without support.", **common)
    strength, support = f"{attack(state, board, cell, attackers):g}", all_of(friends)
    if float(strength) >= needed:
        return say(
            "{target} on {cell}, defence {defence}: may be captured, {strength} with support by {support}.",
            **common, strength=strength, support=support,
        )  # fmt: skip
    return say(
        "{target} on {cell}, defence {defence}: too strong, only {strength} with support by {support}.",
        **common, strength=strength, support=support,
    )  # fmt: skip
