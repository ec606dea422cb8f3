"""Why a ply of Cyvasse is not legal, in a sentence that names the rule and the cells.

Must not know more of the rules than `controller.rules.games.cyvasse.turns`
and `controller.rules.games.cyvasse.board` say.
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from controller.rules.games.cyvasse.board import CELLS, CORNERS, HOMES, NOWHERE, PLACES, lines, way, within_flight
from controller.rules.games.cyvasse.captures import TIERS, attack, defence
from controller.rules.games.cyvasse.state import END, MEN, PROMOTIONS, Ply, State
from controller.rules.games.cyvasse.turns import begun, promotions, reaches, sea_ports, setting_up
from controller.rules.mesh import hex_distance
from controller.sentences import all_of, any_of, say

SEATS = (say("White"), say("Black"))
NAMES = {
    "K": say("king"),
    "R": say("rabble"),
    "M": say("mountain"),
    "C": say("crossbow"),
    "S": say("spears"),
    "L": say("light horse"),
    "B": say("trebuchet"),
    "E": say("elephant"),
    "H": say("heavy horse"),
    "D": say("dragon"),
}
STEPS = {
    "K": say("the king moves one step across an edge"),
    "R": say("rabble moves one step across an edge"),
    "C": say("a crossbow moves up to 3 cells straight across edges"),
    "B": say("a trebuchet moves straight across edges"),
    "S": say("spears move up to 2 diagonal steps in a line"),
    "E": say("an elephant moves diagonally in a line"),
    "L": say("a light horse moves up to 3 cells along its ring"),
    "H": say("a heavy horse moves along its ring"),
}


def why_not(state: State, ply: Ply) -> str:
    """Return which rule forbids ``ply``."""
    if setting_up(state):
        return _why_not_placed(state, ply)
    if ply.places or ply == END:
        return say("the setup is over: write a move like h3-h5, or D-h4 to bring the dragon out")
    side = SEATS[state.turn]
    board, centres = begun(state, ply.corner, ply.at, ply.into)
    return (
        _why_not_begun(state, ply)
        or (_why_not_brought_out(state, ply) if ply.begin == NOWHERE else _why_not_begin(state, board, ply.begin))
        or _why_not_end(state, board, ply)
        or (why_not_moved(state, board, centres, _as_it_stands(board, ply)) if ply.begin != NOWHERE else "")
        or _why_not_written(state, board, ply)
        or say(
            "{side}'s king has been captured: a piece of tier 3 must stand in {side}'s fortress {cell} "
            "at the end of this turn",
            side=side,
            cell=CELLS[state.fortresses[state.turn]],
        )
    )


def _why_not_placed(state: State, ply: Ply) -> str:
    side, hand = SEATS[state.turn], state.reserve[state.turn]
    if ply == END:
        left = Counter(hand.replace("D", ""))
        pieces = tuple(say("{piece} ×{n}", piece=NAMES[kind], n=n) for kind, n in left.items())
        return say("{side} still has to place {pieces}", side=side, pieces=pieces)
    if not ply.places:
        return say("{side} is still setting up: write a piece and its cell, like K@h2", side=side)
    if ply.end not in HOMES[state.turn]:
        low, high = ((1, 5), (7, 11))[state.turn]
        return say(
            "{cell} is not one of {side}'s home cells: those have the numbers {low} to {high}",
            cell=CELLS[ply.end],
            side=side,
            low=low,
            high=high,
        )
    home = {cell: state.board[cell].upper() for cell in sorted(HOMES[state.turn])}
    of_the_kind = state.options.hand.count(ply.places)
    if not of_the_kind:
        return say("there is no {piece} in this game", piece=NAMES[ply.places])
    if ply.places not in hand:
        stand = " ".join(CELLS[cell] for cell, kind in home.items() if kind == ply.places)
        return say(
            "{side} has no {piece} left to place; already placed (×{count}): {cells}",
            side=side,
            piece=NAMES[ply.places],
            count=of_the_kind,
            cells=stand,
        )
    return say("{end} already holds {side}'s {piece}", end=CELLS[ply.end], side=side, piece=NAMES[home[ply.end]])


def _why_not_begun(state: State, ply: Ply) -> str:
    """Corner choice and promotion; "" where both are in order."""
    other = SEATS[1 - state.turn]
    owed = state.centres[1 - state.turn] == NOWHERE
    if owed and ply.corner not in CORNERS:
        corners = " ".join(f"@{CELLS[corner]}" for corner in CORNERS)
        return say(
            "{side}'s fortress is ruined: first name a corner as the horses' new centre, one of {corners}",
            side=other,
            corners=corners,
        )
    if not owed and ply.corner != NOWHERE:
        return say("no corner is to be named now: that happens only in the turn after the enemy's fortress was ruined")
    due = promotions(state)
    if (ply.at, ply.into) in due:
        return ""
    if not ply.into:
        ways = any_of(f"{CELLS[at]}={into}" for at, into in due)
        return say("promotion on {cell} is compulsory: begin the turn with {ways}", cell=CELLS[due[0][0]], ways=ways)
    return _why_not_promoted(state, ply)


def _why_not_promoted(state: State, ply: Ply) -> str:
    side, fortress = SEATS[state.turn], state.fortresses[state.turn]
    if fortress == NOWHERE:
        return say("{side}'s fortress is ruined: nothing can be promoted any more", side=side)
    if ply.at != fortress:
        return say(
            "a piece can be promoted only in {side}'s fortress {fortress}, not on {at}",
            side=side,
            fortress=CELLS[fortress],
            at=CELLS[ply.at],
        )
    piece = state.board[fortress]
    if piece not in MEN[state.turn]:
        return say("{side} has no piece in the fortress {fortress}", side=side, fortress=CELLS[fortress])
    return _why_not_into(state, ply, piece.upper())


def _why_not_into(state: State, ply: Ply, kind: str) -> str:
    """Return why the piece of a ``kind`` in its fortress does not become what the ply says."""
    side, fortress = SEATS[state.turn], ply.at
    if not state.options.promotion and ply.into != "K":
        return say("no piece is promoted in this game: only a lost king is replaced")
    known = [NAMES[into] for into in PROMOTIONS.get(kind, "")]
    if ply.into not in PROMOTIONS.get(kind, ""):
        return say(
            "{cell} cannot be promoted to {piece}: {kind} becomes {ways}",
            cell=CELLS[fortress],
            piece=NAMES[ply.into],
            kind=NAMES[kind],
            ways=any_of(known) if known else say("nothing else"),
        )
    if ply.into == "K":
        return say(
            "{piece} on {fortress} becomes king only in the turn right after its own king was captured",
            piece=NAMES[kind],
            fortress=CELLS[fortress],
        )
    if not (count := state.options.hand.count(ply.into)):
        return say("there is no {piece} in this game", piece=NAMES[ply.into])
    if count != 2:
        return say(
            "{fortress} cannot be promoted to {piece}: as many of {side}'s as at the start are on the board",
            fortress=CELLS[fortress],
            piece=NAMES[ply.into],
            side=side,
        )
    return say(
        "{fortress} cannot be promoted to {piece}: both of {side}'s are on the board",
        fortress=CELLS[fortress],
        piece=NAMES[ply.into],
        side=side,
    )


def _why_not_brought_out(state: State, ply: Ply) -> str:
    side, fortress = SEATS[state.turn], state.fortresses[state.turn]
    if not state.reserve[state.turn]:
        return say("{side}'s dragon is not in the reserve", side=side)
    if fortress == NOWHERE:
        return say("{side}'s fortress is ruined: the dragon cannot be brought out any more", side=side)
    if not within_flight(fortress) >> ply.end & 1:
        far = hex_distance(PLACES[fortress], PLACES[ply.end])
        return say(
            "{end} is {far} cells from {side}'s fortress {fortress}: the dragon comes out at most 4 cells away",
            end=CELLS[ply.end],
            far=far,
            side=side,
            fortress=CELLS[fortress],
        )
    return ""


def _why_not_begin(state: State, board: str, begin: int) -> str:
    piece = board[begin]
    if piece == ".":
        return say("there is no piece on {begin}", begin=CELLS[begin])
    if piece == "M":
        return say("the mountain on {begin} never moves", begin=CELLS[begin])
    if piece in MEN[1 - state.turn]:
        whose, mover = SEATS[1 - state.turn], SEATS[state.turn]
        return say(
            "the {piece} on {begin} is {whose}'s, and {mover} is to move",
            piece=NAMES[piece.upper()],
            begin=CELLS[begin],
            whose=whose,
            mover=mover,
        )
    return ""


def _why_not_end(state: State, board: str, ply: Ply) -> str:
    piece, end = board[ply.end], CELLS[ply.end]
    if piece == "M":
        return say("there is a mountain on {end}: no piece can end there", end=end)
    if piece in MEN[state.turn]:
        return say("{end} holds {mover}'s own {piece}", end=end, mover=SEATS[state.turn], piece=NAMES[piece.upper()])
    return ""


def _as_it_stands(board: str, ply: Ply) -> Ply:
    """Return ``ply`` as a capture where a piece stands on its end, however it was written."""
    return replace(ply, takes=board[ply.end] != ".")


def _why_not_written(state: State, board: str, ply: Ply) -> str:
    """Return how a ply that could be made is to be written."""
    piece, end = board[ply.end], CELLS[ply.end]
    begin = "D" if ply.begin == NOWHERE else CELLS[ply.begin]
    if ply.takes and piece == ".":
        return say("there is nothing to capture on {end}: write {begin}-{end}", end=end, begin=begin)
    if not ply.takes and piece != ".":
        return say(
            "{end} holds {enemy}'s {piece}: to capture it, write {begin}x{end}",
            end=end,
            enemy=SEATS[1 - state.turn],
            piece=NAMES[piece.upper()],
            begin=begin,
        )
    return ""


def why_not_moved(state: State, board: str, centres: tuple[int, int], ply: Ply) -> str:
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
    tiers = say("tier {tier} against {needed} on {cell}", tier=TIERS[kind], needed=needed, cell=CELLS[ply.end])
    if len(attackers) > 1:
        return say("{tiers}; even with its support it has a strength of only {power}", tiers=tiers, power=f"{power:g}")
    return say("{tiers}, and it has no support", tiers=tiers)


def _why_no_way(board: str, centres: tuple[int, int], ply: Ply) -> str:
    kind, begin, end = board[ply.begin].upper(), CELLS[ply.begin], CELLS[ply.end]
    if kind == "D":
        return say(
            "no path of up to 4 steps over empty cells and mountains leads the dragon from {begin} to {end}",
            begin=begin,
            end=end,
        )
    found = [line[: line.index(ply.end)] for line in lines(kind, centres, ply.begin) if ply.end in line]
    if not found:
        steps = STEPS[kind]
        if kind in "LH":
            rings = any_of(dict.fromkeys(CELLS[centre] for centre in centres))
            steps = say("{steps} around {cells}", steps=steps, cells=rings)
        return say("{steps}: that does not lead from {begin} to {end}", steps=steps, begin=begin, end=end)
    blockers = dict.fromkeys(next(cell for cell in line if board[cell] != ".") for line in found)
    met = (say("the {piece} on {cell}", piece=NAMES[board[c].upper()], cell=CELLS[c]) for c in blockers)
    return say("blocked by {pieces}", pieces=all_of(met))
