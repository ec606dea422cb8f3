"""Cyvasse as it is written, refused and shown.

Owns the text of plies and what a seat may see. The rules themselves, in the ruling's order, are in
`controller.rules.games.cyvasse.turns`, the sentences for illegal plies in `controller.rules.games.cyvasse.reasons`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from controller.magnet_kinds import Magnet
from controller.rules.game import Credit, Facts, Game, Piece, Unreadable, View, Walk, seen_once
from controller.rules.games.cyvasse.arrays import arrange
from controller.rules.games.cyvasse.board import CELLS, NOWHERE, SIDE, way
from controller.rules.games.cyvasse.cards import MOVES, against, card
from controller.rules.games.cyvasse.hidden import imagine, known, secret
from controller.rules.games.cyvasse.reasons import NAMES, SEATS, why_not
from controller.rules.games.cyvasse.state import END, KINGS, MEN, TILES, Options, Ply, State
from controller.rules.games.cyvasse.stays import why_stays
from controller.rules.games.cyvasse.turns import (
    after,
    begun,
    moves,
    passed,
    promotions,
    result,
    sea_ports,
    seat,
    setting_up,
    start,
)
from controller.rules.mesh import Mesh, hexes
from controller.rules.places import Place, PlaceKind
from controller.rules.way_told import way_told
from controller.sentences import Sentence, any_of, form, say, to_player

TERRAIN: dict[PlaceKind, str] = {"hill": say("hill"), "forest": say("forest"), "grassland": say("grassland")}

PIECES = {letter: Piece(seat, letter.upper()) for seat in (0, 1) for letter in MEN[seat]} | {"M": Piece(None, "M")}
ENDINGS = ("king", "stuck", "repetition", "100 turns", "turns")
ENDS = {
    "king": say("the king is taken"),
    "stuck": say("the side to move cannot move"),
    "repetition": say("the same position came back too often"),
    "100 turns": say("100 turns without progress"),
    "turns": say("too many turns without progress"),
}


def sound(state: State, options: Options) -> bool:
    """Return whether a game with ``options`` can come to ``state``, as far as the fields alone show."""
    pieces, cells = Counter(state.board), range(NOWHERE, len(CELLS))
    whole = options.hand
    most = Counter(whole) + Counter(whole.replace("M", "").lower()) + Counter(M=whole.count("M"))
    return (
        state.options == options
        and len(state.board) == len(state.tiles) == len(CELLS)
        and pieces - Counter({".": len(CELLS)}) <= most
        and set(state.tiles) <= {".", *TILES}
        and all(cell in cells for cell in (*state.fortresses, *state.centres))
        and all(Counter(hand) <= Counter(whole) for hand in state.reserve)
        and state.turn in (0, 1)
        and 0 <= state.quiet <= options.patience
        and state.why in ("", *ENDINGS)
    )


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


def in_words(state: State, ply: Ply) -> str:
    """Return the ply in words: ``king on h2``, ``h2 becomes spears, then g5 takes g7``."""
    if ply.end == NOWHERE:
        return say("ready, the dragon stays in the reserve")
    end = CELLS[ply.end]
    if ply.places:
        return say("{piece} on {end}", piece=NAMES[ply.places], end=end)
    if ply.begin != NOWHERE:
        move = way_told((CELLS[ply.begin], end), captures=ply.takes)
    elif ply.takes:
        move = say("the dragon comes in and captures {cell}", cell=end)
    else:
        move = say("the dragon comes in on {cell}", cell=end)
    corner = say("the horses' centre is {cell}", cell=CELLS[ply.corner]) if ply.corner != NOWHERE else ""
    promotion = say("{cell} becomes {piece}", cell=CELLS[ply.at], piece=NAMES[ply.into]) if ply.into else ""
    first = tuple(filter(None, (corner, promotion)))
    return say("{first}, then {move}", first=first, move=move) if first else move


def feat(state: State, ply: Ply) -> str:
    """Return that the dragon or the king is captured; "" of any other ply."""
    kind = state.board[ply.end].upper() if ply.takes else ""
    return say("The dragon has fallen!") if kind == "D" else say("The king has fallen!") if kind == "K" else ""


def read(state: State, written: str) -> Ply:
    """Return the ply written like those of `text`; it need not be legal."""
    words = " ".join(written.split())
    if words == "end":
        return END
    if placing := PLACING.fullmatch(words):
        return Ply(end=_cell(written, placing[2]), places=placing[1])
    if not (turn := TURN.fullmatch(words)):
        examples = (
            any_of(("'K@h2'", "'end'"))
            if setting_up(state)
            else any_of(("'h3-h5', 'f4xf7', 'D-h4'", "'@f11 h2=S g5xg7'"))
        )
        raise Unreadable(
            say("'{written}' is not a valid move: write it like {examples}", written=written, examples=examples)
        )
    corner, at, into, begin, sign, end = turn.groups()
    cells = [_cell(written, name) for name in (begin, end, corner, at)]
    return Ply(cells[0], cells[1], sign == "x", cells[2], cells[3], into or "")


def _cell(written: str, name: str | None) -> int:
    if name is None:
        return NOWHERE
    if name not in CELLS:
        raise Unreadable(say("'{written}': there is no cell {name} on this board", written=written, name=name))
    return CELLS.index(name)


# ---- what stands where, and how a hand makes a ply --------------------------------------------------------


def shape(state: State) -> dict[str, Piece]:
    """Return the pieces by cell; arrays set up in secret are on nobody's table until both are ready."""
    return _pieces(known(state, None))


def _pieces(state: State) -> dict[str, Piece]:
    return {cell: PIECES[piece] for cell, piece in zip(CELLS, state.board, strict=True) if piece != "."}


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


def opens(state: State, ply: Ply) -> bool:
    """Tell whether ``ply`` shows the arrays: that with which both sides are ready does."""
    return secret(state) and not setting_up(after(state, ply))


def lies_open(state: State) -> bool:
    """Tell whether the arrays that were set up in secret stand on the board for all to see."""
    return not setting_up(state)


def glimpse(state: State, ply: Ply, viewer: int | None) -> str:
    """Return the ply's text; "?" for what another side sets up in secret."""
    return "?" if secret(state) and viewer != state.turn else text(state, ply)


def view(state: State, viewer: int | None) -> View:
    """Return what ``viewer`` may know. ``data`` has cells by name; pairs in it are by seat, None for none."""
    array = arrange(state, viewer)
    state = known(state, viewer)
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
    told = _setup_lines(state, viewer) if setting_up(state) else _turn_lines(state)
    return View(_pieces(state), tuple(told), data, arrange=array)


def places(state: State) -> tuple[Place, ...]:
    """Return the terrain, the fortresses, and the corners that have replaced them as the horses' centres."""
    return tuple(_places(state))


def _places(state: State) -> Iterator[Place]:
    for tile, name in TERRAIN.items():
        if cells := tuple(CELLS[cell] for cell, here in enumerate(state.tiles) if TILES.get(here) == tile):
            yield Place(cells, tile, name)
    for side, (fortress, centre) in enumerate(zip(state.fortresses, state.centres, strict=True)):
        if fortress != NOWHERE:
            named = to_player(SEATS[side], say("your fortress"), say("{seat}'s fortress", seat=SEATS[side]))
            yield Place((CELLS[fortress],), "fortress", named, side)
        if centre not in (NOWHERE, fortress):
            own = say("centre of your horses")
            named = to_player(SEATS[side], own, say("centre of {seat}'s horses", seat=SEATS[side]))
            yield Place((CELLS[centre],), "centre", named, side)


def _setup_lines(state: State, viewer: int | None) -> list[str]:
    """Return who is ready, and what others still place; to who sets up in secret a form tells that."""
    told: list[str] = []
    for side, hand in enumerate(state.reserve):
        if state.options.setup == "secret" and side == viewer and not state.ready[side]:
            continue
        if state.ready[side]:
            told.append(to_player(SEATS[side], say("You are ready."), say("{seat} is ready.", seat=SEATS[side])))
        elif state.options.setup == "secret" and side != viewer:
            told.append(say("{seat} sets up in secret.", seat=SEATS[side]))
        else:
            left = tuple(say("{piece} ×{n}", piece=NAMES[kind], n=n) for kind, n in Counter(hand).items())
            if state.options.dragons:
                own = say("You still have to place: {left} (the dragon may stay in the reserve).", left=left)
                others = say("{seat} still has to place: {left} (the dragon may stay in the reserve).",
                             seat=SEATS[side], left=left)  # fmt: skip
            else:
                own = say("You still have to place: {left}.", left=left)
                others = say("{seat} still has to place: {left}.", seat=SEATS[side], left=left)
            told.append(to_player(SEATS[side], own, others))
    return told


def _fortress_line(state: State, side: int) -> str:
    name, fortress, centre = SEATS[side], state.fortresses[side], state.centres[side]
    if fortress != NOWHERE:
        cell = CELLS[fortress]
        own, others = say("Your fortress: {cell}", cell=cell), say("{seat}'s fortress: {cell}", seat=name, cell=cell)
    elif centre != NOWHERE:
        cell = CELLS[centre]
        own = say("Your fortress is ruined; the horses' centre is {cell}", cell=cell)
        others = say("{seat}'s fortress is ruined; the horses' centre is {cell}", seat=name, cell=cell)
    else:
        own = say("Your fortress is ruined; {enemy} names a corner", enemy=SEATS[1 - side])
        others = say("{seat}'s fortress is ruined; {enemy} names a corner", seat=name, enemy=SEATS[1 - side])
    return to_player(name, own, others)


def _turn_lines(state: State) -> list[str]:
    told: list[str] = []
    lost, mover = KINGS[state.turn] not in state.board, SEATS[state.turn]
    over = result(state).over
    if lost and over:
        own = say("Your king has been captured for good.")
        told.append(to_player(mover, own, say("{seat}'s king has been captured for good.", seat=mover)))
    elif lost:
        own = say("Your king has been captured and must be replaced this turn.")
        others = say("{seat}'s king has been captured and must be replaced this turn.", seat=mover)
        told.append(to_player(mover, own, others))
    for side, name in enumerate(SEATS):
        told.append(_fortress_line(state, side))
        if state.reserve[side] and state.fortresses[side] == NOWHERE:
            own = say("Your dragon is in the reserve.")
            told.append(to_player(name, own, say("{seat}'s dragon is in the reserve.", seat=name)))
        elif state.reserve[side]:
            own = say("Your dragon is in the reserve: it may come in within 4 cells of its fortress.")
            others = say("{seat}'s dragon is in the reserve: it may come in within 4 cells of its fortress.", seat=name)
            told.append(to_player(name, own, others))
    if over:
        return told
    if due := [into for _, into in promotions(state) if into]:
        cell = CELLS[state.fortresses[state.turn]]
        told.append(say("Promotion is due on {cell}: {kinds}.", cell=cell, kinds=any_of(NAMES[into] for into in due)))
    return [*told, say("Turns without progress: {turns} of {most}", turns=state.quiet, most=state.options.patience)]


def due(state: State) -> str:
    """Return what is to be set up, or what a turn begins with; "" for a plain turn."""
    told = _due(state, state.turn, state.fortresses[state.turn])
    return to_player(SEATS[state.turn], *told) if told else ""


def _due(state: State, side: int, fortress: int) -> tuple[Sentence, Sentence] | None:
    """Return what is to be done, as an order to who does it and as others read what they do; None for a plain turn."""
    if setting_up(state):
        left, (low, high) = len(state.reserve[side].replace("D", "")), ((1, 5), (7, 11))[side]
        if left:
            own = say("set up your pieces in rows {low} to {high}: {left} are left", low=low, high=high, left=left)
            others = say("sets up pieces in rows {low} to {high}: {left} are left", low=low, high=high, left=left)
        else:
            own = say("put your dragon on a home cell, or leave it in the reserve")
            others = say("may put the dragon on a home cell, or leave it in the reserve")
        if state.options.setup == "secret":
            both = say("sets up in secret, and so does {seat}", seat=SEATS[1 - side])
            others = say("sets up in secret") if state.ready[1 - side] else both
        return own, others
    if KINGS[side] not in state.board:
        cell = CELLS[fortress]
        own = say("bring a king back to {cell} in this turn", cell=cell)
        return own, say("brings a king back to {cell} in this turn", cell=cell)
    if state.centres[1 - side] == NOWHERE:
        own = say("name a corner as the new centre of the horses, and move")
        return own, say("names a corner as the new centre of the horses, and moves")
    if any(into for _, into in promotions(state)):
        own = say("promote the piece on {cell}, and move", cell=CELLS[fortress])
        return own, say("promotes the piece on {cell}, and moves", cell=CELLS[fortress])
    return None


def mesh(options: Options) -> Mesh:
    """Return a hex board of side 6."""
    return hexes(SIDE)


THREAD = "http://asoiaf.westeros.org/index.php/topic/58545-complete-cyvasse-rules/?p=3407508"
CREDIT = Credit(
    say("Mikelepage's Cyvasse, Rules v5.0 of 24 June 2014, inspired by George R. R. Martin's A Song of Ice and Fire:"),
    {
        say("the rules and their author's answers"): THREAD,
        say("the author's printed set"): "https://www.shapeways.com/shops/mikelepage?section=Cyvasse+Set&s=0",
    },
)

# What rabble becomes is told apart: spears as weak as it is, crossbow, light horse; and so what these become in turn.
MAGNETS: dict[str, Magnet] = {
    **dict.fromkeys("RSEM", "weak"), **dict.fromkeys("CBK", "medium"), **dict.fromkeys("LHD", "strong"),
}  # fmt: skip

GAME = Game(
    facts=Facts(
        name="cyvasse",
        title="Cyvasse",
        blurb="Ten kinds of pieces, flanking, terrain and a dragon: capture the king for good.",
        credit=CREDIT,
        seats=SEATS,
        minutes=90,
        complexity=4,
        kinds=NAMES,
        magnets=MAGNETS,
        moves=MOVES,
        endings=ENDINGS,
        ends=ENDS,
        moments={"king": form("{person} took the king."), "kind_D": form("{person} took the dragon.")},
        # 40 captures, 72 promotions, 2 dragons, 2 ruins: no more progress is possible, with 100 turns for each.
        # Other options allow for more, of which play at random needs a twentieth.
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
    feat=feat,
    why_not=why_not,
    why_stays=why_stays,
    due=due,
    shape=shape,
    walk=walk,
    view=view,
    say=in_words,
    glimpse=glimpse,
    lies_open=lies_open,
    secret=secret,
    opens=opens,
    sound=sound,
    card=card,
    against=against,
    known=known,
    imagine=imagine,
    passed=passed,
    afresh=seen_once,
    places=places,
    aim=lambda state: say("Whoever takes the enemy king for good wins: no piece can become king in its place."),
)
