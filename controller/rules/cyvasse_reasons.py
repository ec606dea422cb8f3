"""Why a ply of Cyvasse is not legal, in a sentence that names the rule and the cells.

Owns the readable names and these sentences. Must not know more of the rules than `controller.rules.cyvasse_turns`
and `controller.rules.cyvasse_board` say.
"""

from __future__ import annotations

from collections import Counter

from controller.rules.cyvasse_board import CELLS, CORNERS, HOMES, NOWHERE, PLACES, TIERS, lines, way, within_flight
from controller.rules.cyvasse_turns import (
    END,
    HAND,
    MEN,
    PROMOTIONS,
    Ply,
    State,
    attack,
    begun,
    defence,
    promotions,
    reaches,
    sea_ports,
    setting_up,
)
from controller.rules.mesh import hex_distance

SEATS = ("White", "Black")
NAMES = {
    "K": "king",
    "R": "rabble",
    "M": "mountain",
    "C": "crossbow",
    "S": "spears",
    "L": "light horse",
    "B": "trebuchet",
    "E": "elephant",
    "H": "heavy horse",
    "D": "dragon",
}
STEPS = {
    "K": "one edge step",
    "R": "one edge step",
    "C": "up to 3 cells in an edge direction",
    "B": "in an edge direction",
    "S": "up to 2 diagonal steps in a line",
    "E": "diagonally in a line",
    "L": "up to 3 cells along its ring",
    "H": "along its ring",
}


def why_not(state: State, ply: Ply) -> str:
    """Return which rule forbids ``ply``."""
    if setting_up(state):
        return _why_not_placed(state, ply)
    if ply.places or ply == END:
        return "the setup is over: write a move like h3-h5, or D-h4 to bring the dragon out"
    side = SEATS[state.turn]
    board, centres = begun(state, ply.corner, ply.at, ply.into)
    return (
        _why_not_begun(state, ply)
        or (_why_not_brought_out(state, ply) if ply.begin == NOWHERE else _why_not_begin(state, board, ply.begin))
        or _why_not_end(state, board, ply)
        or (_why_not_moved(state, board, centres, ply) if ply.begin != NOWHERE else "")
        or f"{side}'s king has been captured: a piece of tier 3 must stand in {side}'s fortress "
        f"{CELLS[state.fortresses[state.turn]]} at the end of this turn"
    )


def _why_not_placed(state: State, ply: Ply) -> str:
    side, hand = SEATS[state.turn], state.reserve[state.turn]
    if ply == END:
        left = Counter(hand.replace("D", ""))
        return f"{side} still has to place " + ", ".join(f"{NAMES[kind]} ×{n}" for kind, n in left.items())
    if not ply.places:
        return f"{side} is still setting up: write a piece and its cell, like K@h2"
    if ply.end not in HOMES[state.turn]:
        return (
            f"{CELLS[ply.end]} is no home cell of {side}'s: those have the numbers {('1 to 5', '7 to 11')[state.turn]}"
        )
    home = {cell: state.board[cell].upper() for cell in sorted(HOMES[state.turn])}
    if ply.places not in hand:
        stand = " ".join(CELLS[cell] for cell, kind in home.items() if kind == ply.places)
        return f"{side}'s {NAMES[ply.places]} ×{HAND.count(ply.places)} is all placed already: {stand}"
    return f"{CELLS[ply.end]} holds {side}'s {NAMES[home[ply.end]]} already"


def _why_not_begun(state: State, ply: Ply) -> str:
    """Corner choice and promotion; "" where both are in order."""
    other = SEATS[1 - state.turn]
    owed = state.centres[1 - state.turn] == NOWHERE
    if owed and ply.corner not in CORNERS:
        return f"{other}'s fortress is ruined: name a corner as the horses' new centre first, one of " + " ".join(
            f"@{CELLS[corner]}" for corner in CORNERS
        )
    if not owed and ply.corner != NOWHERE:
        return "no corner is owed: one is named only in the turn after the enemy's fortress was ruined"
    due = promotions(state)
    if (ply.at, ply.into) in due:
        return ""
    if not ply.into:
        ways = " or ".join(f"{CELLS[at]}={into}" for at, into in due)
        return f"promotion of {CELLS[due[0][0]]} is compulsory: begin the turn with {ways}"
    return _why_not_promoted(state, ply)


def _why_not_promoted(state: State, ply: Ply) -> str:
    side, fortress = SEATS[state.turn], state.fortresses[state.turn]
    if fortress == NOWHERE:
        return f"{side}'s fortress is ruined: nothing is promoted any more"
    if ply.at != fortress:
        return f"a piece is promoted only in {side}'s fortress {CELLS[fortress]}, not on {CELLS[ply.at]}"
    piece = state.board[fortress]
    if piece not in MEN[state.turn]:
        return f"no piece of {side}'s stands in the fortress {CELLS[fortress]}"
    kind = piece.upper()
    ways = " or ".join(NAMES[into] for into in PROMOTIONS.get(kind, ""))
    if ply.into not in PROMOTIONS.get(kind, ""):
        return f"{CELLS[fortress]} is not promoted to {NAMES[ply.into]}: {NAMES[kind]} becomes {ways or 'nothing else'}"
    if ply.into == "K":
        return f"{NAMES[kind]} on {CELLS[fortress]} becomes king only in the turn right after the own king's capture"
    return f"{CELLS[fortress]} is not promoted to {NAMES[ply.into]}: both of {side}'s stand on the board"


def _why_not_brought_out(state: State, ply: Ply) -> str:
    side, fortress = SEATS[state.turn], state.fortresses[state.turn]
    if not state.reserve[state.turn]:
        return f"{side}'s dragon is not in the reserve"
    if fortress == NOWHERE:
        return f"{side}'s fortress is ruined: the dragon cannot be brought out any more"
    if ply.end not in within_flight(fortress):
        far = hex_distance(PLACES[fortress], PLACES[ply.end])
        return (
            f"{CELLS[ply.end]} is {far} cells from {side}'s fortress {CELLS[fortress]}: the dragon comes out within 4"
        )
    return ""


def _why_not_begin(state: State, board: str, begin: int) -> str:
    piece = board[begin]
    if piece == ".":
        return f"there is no piece on {CELLS[begin]}"
    if piece == "M":
        return f"the mountain on {CELLS[begin]} stays where it is"
    if piece in MEN[1 - state.turn]:
        whose, mover = SEATS[1 - state.turn], SEATS[state.turn]
        return f"the {NAMES[piece.upper()]} on {CELLS[begin]} is {whose}'s, and {mover} is to move"
    return ""


def _why_not_end(state: State, board: str, ply: Ply) -> str:
    piece, end = board[ply.end], CELLS[ply.end]
    if piece == "M":
        return f"on {end} is a mountain: no piece ends there"
    if piece in MEN[state.turn]:
        return f"{end} holds {SEATS[state.turn]}'s own {NAMES[piece.upper()]}"
    begin = "D" if ply.begin == NOWHERE else CELLS[ply.begin]
    if ply.takes and piece == ".":
        return f"there is nothing to capture on {end}: write {begin}-{end}"
    if not ply.takes and piece != ".":
        return f"{end} holds {SEATS[1 - state.turn]}'s {NAMES[piece.upper()]}: to capture it, write {begin}x{end}"
    return ""


def _why_not_moved(state: State, board: str, centres: tuple[int, int], ply: Ply) -> str:
    """Way and tier; "" where both are in order."""
    if way(board, centres, sea_ports(state), ply.begin, ply.end) is None:
        return _why_no_way(board, centres, ply)
    if not ply.takes:
        return ""
    attackers = reaches(state, board, centres)[1][ply.end]
    needed, kind = defence(state, board, ply.end), board[ply.begin].upper()
    power = attack(state, board, ply.begin, attackers)
    if max(TIERS[kind], power) >= needed:
        return ""
    flank = f"even with its support it has a strength of {power:g}" if len(attackers) > 1 else "and nothing supports it"
    return f"tier {TIERS[kind]} against {needed} on {CELLS[ply.end]}, {flank}"


def _why_no_way(board: str, centres: tuple[int, int], ply: Ply) -> str:
    kind, begin, end = board[ply.begin].upper(), CELLS[ply.begin], CELLS[ply.end]
    if kind == "D":
        return f"no way of up to 4 steps over empty cells and mountains leads the dragon from {begin} to {end}"
    found = [line[: line.index(ply.end)] for line in lines(kind, centres)[ply.begin] if ply.end in line]
    if not found:
        rings = f" round {' or '.join(dict.fromkeys(CELLS[centre] for centre in centres))}" if kind in "LH" else ""
        return f"{NAMES[kind]} moves {STEPS[kind]}{rings}: that does not lead from {begin} to {end}"
    blockers = dict.fromkeys(next(cell for cell in line if board[cell] != ".") for line in found)
    return "blocked by " + " and ".join(f"the {NAMES[board[c].upper()]} on {CELLS[c]}" for c in blockers)
