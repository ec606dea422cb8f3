"""Giantslayer (ruling: docs/rules/giantslayer.md).

Owns the rules of this game alone, in the ruling's order; its board is in `cells`. White and Black are the colours;
which seat plays which changes with every round.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec
from msgspec import UNSET

from controller.rules.game import Chore, Credit, Facts, Game, Piece, Result, Unreadable, View, Walk, seen_once
from controller.rules.games.giantslayer.cards import MOVES, changed
from controller.rules.games.giantslayer.cells import MARKED, USUAL, arounds, line_of, rules_of, tables
from controller.rules.games.giantslayer.state import (
    CELLS,
    CENTRE,
    OPEN,
    PLACES,
    RING,
    SIDE,
    Options,
    Ply,
    Rules,
    State,
    StepTables,
)
from controller.rules.games.giantslayer.stays import why_not_onto, why_stays
from controller.rules.mesh import HEX_EDGES, Mesh, hexes
from controller.rules.notation import bits, split_path
from controller.rules.way_told import way_told
from controller.sentences import all_of, form, say, to_player

WHITE, BLACK = 0, 1
ENDINGS = ("slain", "escape", "stuck", "repetition")
ENDS = {
    "slain": say("all giants slain"),
    "escape": say("no giant is left inside the ring"),
    "stuck": say("White cannot move"),
    "repetition": say("the same position came back too often"),
}
HALOGAI, GIANT = Piece(WHITE, "halogai"), Piece(BLACK, "giant")
SEATS = (say("First player"), say("Second player"))


def sound(state: State, options: Options) -> bool:
    """Return whether a match with ``options`` can come to ``state``, as far as the fields alone show."""
    rules = rules_of(state.options)
    return (
        state.rounds == options.rounds
        and rules.options == msgspec.structs.replace(options, rounds=1)
        and 0 <= state.round < state.rounds
        and 0 <= state.white <= OPEN
        and 0 <= state.black <= OPEN
        and not (state.white & state.black or (state.white | state.black) & ~OPEN)
        and state.turn in (WHITE, BLACK)
        and all(0 <= points <= rules.giants * state.rounds for points in state.tally)
        and (not state.why or state.why in ENDINGS)
    )


# ---- start ------------------------------------------------------------------------------------------------


def start(options: Options, seed: int) -> State:
    """Return the first position of the first round: 24 white stones on the ring, 6 black ones round the centre."""
    of_a_round = msgspec.structs.replace(options, rounds=1)
    carried = UNSET if of_a_round == Options() else of_a_round
    rules = rules_of(carried)
    seen = (_key(rules.white, rules.black, WHITE),)
    return State(rules.white, rules.black, WHITE, seen, options.rounds, options=carried)


def _key(white: int, black: int, turn: int) -> int:
    return white | black << 61 | turn << 122


# ---- plies ------------------------------------------------------------------------------------------------


def moves(state: State) -> list[Ply]:
    """Return the legal plies. Moving is compulsory, trampling is not."""
    if state.why:
        return []
    vacant, rules = OPEN & ~(state.white | state.black), rules_of(state.options) if state.options else USUAL
    if state.turn == WHITE:
        return _white_moves(rules.tables, state.white, vacant)
    return _black_moves(rules, state.white, state.black, vacant)


def _white_moves(known: tuple[StepTables, ...], white: int, vacant: int) -> list[Ply]:
    """Any number of vacant cells in a straight line, or as many as the tables have."""
    found: list[Ply] = []
    for cell in bits(white):
        if known[cell].around & vacant:
            for slide in known[cell].slides:
                for end, ply in slide:
                    if not vacant & end:
                        break
                    found.append(ply)
    return found


def _black_moves(rules: Rules, white: int, black: int, vacant: int) -> list[Ply]:
    """To a vacant neighbouring cell, or trampling."""
    known, chains = rules.tables, rules.options.chains
    found: list[Ply] = []
    for cell in bits(black):
        found += [ply for end, ply in known[cell].steps if vacant & end]
        if known[cell].around & white:
            found += _tramples(known, (cell,), white, vacant | 1 << cell, chains)
    return found


def tramplings(state: State) -> list[Ply]:
    """Return those of Black's plies that trample."""
    white, black, rules = state.white, state.black, rules_of(state.options) if state.options else USUAL
    known, vacant = rules.tables, OPEN & ~(white | black)
    found: list[Ply] = []
    for cell in bits(black):
        if known[cell].around & white:
            found += _tramples(known, (cell,), white, vacant | 1 << cell, rules.options.chains)
    return found


def _tramples(
    known: tuple[StepTables, ...], path: tuple[int, ...], white: int, vacant: int, chains: bool
) -> Iterator[Ply]:
    """Yield the chains that go on from ``path``; the white stone jumped over is gone at once."""
    for over, onto, cell in known[path[-1]].jumps:
        if white & over and vacant & onto:
            longer = (*path, cell)
            yield trample(longer)
            if chains:
                yield from _tramples(known, longer, white ^ over, vacant | over, chains)


def trample(path: tuple[int, ...]) -> Ply:
    """Return the chain over the stones between the cells of ``path``, neighbours of both in a straight line."""
    takes = 0
    for cell in _between(path):
        takes |= 1 << cell
    return Ply(path, True, 1 << path[0] ^ 1 << path[-1], takes)


def _between(path: tuple[int, ...]) -> list[int]:
    """Return the cells over which a chain leads, one after the other."""
    places = ((PLACES[a], PLACES[b]) for a, b in pairwise(path))
    return [PLACES.index(((ax + bx) // 2, (ay + by) // 2)) for (ax, ay), (bx, by) in places]


def flanked(white: int, black: int, flankers: int) -> int:
    """Return the black stones with ``flankers`` or more white stones next to them."""
    around, found = arounds(), 0
    for cell in bits(black):
        if (around[cell] & white).bit_count() >= flankers:
            found |= 1 << cell
    return found


def after(state: State, ply: Ply) -> State:
    """Return the state after a legal ``ply``, with what follows: flanking, the round's end, the next round."""
    rules = rules_of(state.options) if state.options else USUAL
    if state.turn == WHITE:
        white = state.white ^ ply.moved
        if state.options and not _black_can_move(rules, white, state.black):  # by the ruling Black always can
            return _whites_turn(state, rules, white, state.black, state.seen)
        return _settled(state, rules, white, state.black, BLACK, state.seen)
    white, black = state.white & ~ply.takes, state.black ^ ply.moved
    return _whites_turn(state, rules, white, black, () if ply.takes else state.seen)


def _whites_turn(state: State, rules: Rules, white: int, black: int, seen: tuple[int, ...]) -> State:
    """Return what comes of White's turn: flanking, the end of the round, or a position in which White moves."""
    if not black & ~RING:
        return _round_over(state, rules, white, black, "escape")
    taken = flanked(white, black, rules.flankers)
    if taken:
        black, seen = black ^ taken, ()
    if not black:
        return _round_over(state, rules, white, black, "slain")
    if not black & ~RING:
        return _round_over(state, rules, white, black, "escape")
    vacant = OPEN & ~(white | black)
    if not _open_to(white, vacant):
        return _round_over(state, rules, white, black, "stuck")
    return _settled(state, rules, white, black, WHITE, seen)


def _black_can_move(rules: Rules, white: int, black: int) -> bool:
    """Return whether a giant has a ply. Where none has, Black waits: White's turn begins as after a ply of Black."""
    return bool(_black_moves(rules, white, black, OPEN & ~(white | black)))


def _open_to(white: int, vacant: int) -> bool:
    """Return whether a white stone stands beside a ``vacant`` cell."""
    around = arounds()
    while white:
        low = white & -white
        if around[low.bit_length() - 1] & vacant:
            return True
        white ^= low
    return False


def passed(state: State) -> State | None:
    """Return ``state`` with the other colour to move, None where that one could not."""
    turn = BLACK if state.turn == WHITE else WHITE
    key = _key(state.white, state.black, turn)
    other = msgspec.structs.replace(state, turn=turn, seen=(key,))
    return None if state.why or not moves(other) else other


def _settled(state: State, rules: Rules, white: int, black: int, turn: int, seen: tuple[int, ...]) -> State:
    """Return the position, or the end of the round when it stands for the third time."""
    key = _key(white, black, turn)
    if len(seen) > 3 and seen.count(key) == rules.repeats - 1:
        return _round_over(state, rules, white, black, "repetition")
    longer = seen + (key,)  # noqa: RUF005  quicker than to unpack it
    return State(white, black, turn, longer, state.rounds, state.round, state.tally, "", state.options)


def _round_over(state: State, rules: Rules, white: int, black: int, why: str) -> State:
    """Return the first position of the next round, or the last one of the match, with the points counted."""
    slain = rules.giants - black.bit_count()
    escaped = (black if why == "stuck" else black & RING).bit_count()
    points = (slain, escaped) if state.round % 2 == 0 else (escaped, slain)
    tally = (state.tally[0] + points[0], state.tally[1] + points[1])
    if state.round + 1 < state.rounds:
        first = (_key(rules.white, rules.black, WHITE),)
        number = state.round + 1
        return State(rules.white, rules.black, WHITE, first, state.rounds, number, tally, "", state.options)
    return State(white, black, WHITE, (), state.rounds, state.round, tally, why, state.options)


def result(state: State) -> Result:
    """Return how the match stands; the higher tally wins, between equal ones nobody, or whom the options name."""
    if not state.why:
        return Result(scores=state.tally)
    ours, theirs = state.tally
    tied = {"nobody": None, "first": 0, "second": 1}[rules_of(state.options).options.tied]
    return Result(True, tied if ours == theirs else int(theirs > ours), state.why, state.tally)


def ending(state: State) -> str:
    """Return as a clause why somebody won with equal points; "" where more of them, or nobody, won."""
    ours, theirs = state.tally
    if ours != theirs or result(state).winner is None:
        return ""
    return say("points are equal at {points}, and the rules of this match name the winner", points=ours)


def seat(state: State) -> int | None:
    """Return who is to move: the players swap sides after each round."""
    return None if state.why else (state.turn + state.round) % 2


# ---- text -------------------------------------------------------------------------------------------------


def text(state: State, ply: Ply) -> str:
    """Return the whole path: ``a5-c5``, ``e4xe2xg2``."""
    return ("x" if ply.tramples else "-").join(CELLS[c] for c in ply.path)


def read(state: State, written: str) -> Ply:
    """Return the ply written ``a5-c5`` or ``e4xe2xg2``; it need not be legal."""
    names, tramples = split_path(written, CELLS)
    path = tuple(CELLS.index(name) for name in names)
    if not tramples:
        return Ply(path, False, 1 << path[0] ^ 1 << path[1], 0)
    for a, b in pairwise(path):
        (ax, ay), (bx, by) = PLACES[a], PLACES[b]
        if ((bx - ax) / 2, (by - ay) / 2) not in HEX_EDGES:
            raise Unreadable(
                say(
                    "'{written}': {a} to {b} is not a jump of two cells in a line",
                    written=written,
                    a=CELLS[a],
                    b=CELLS[b],
                )
            )
    return trample(path)


# ---- why not ----------------------------------------------------------------------------------------------


def why_not(state: State, ply: Ply) -> str:
    """Return which rule forbids ``ply``."""
    own, enemy = (state.white, state.black) if state.turn == WHITE else (state.black, state.white)
    begin = ply.path[0]
    if enemy >> begin & 1:
        if state.turn == WHITE:
            return say("the giant on {begin} is Black's, and White is to move", begin=CELLS[begin])
        return say("the halogai on {begin} is White's, and Black is to move", begin=CELLS[begin])
    if not own >> begin & 1:
        return say("nothing stands on {begin}", begin=CELLS[begin])
    if any(1 << c == CENTRE for c in ply.path) or ply.takes & CENTRE:
        return say("the centre e5 is blocked: nothing enters, passes or jumps it")
    if ply.tramples:
        return _why_no_trample(state, ply, enemy)
    return _why_no_slide(state, ply, own | enemy)


def _why_no_trample(state: State, ply: Ply, enemy: int) -> str:
    if state.turn == WHITE:
        return say("halogai do not jump: they capture by flanking")
    vacant, options = OPEN & ~(state.white | state.black) | 1 << ply.path[0], rules_of(state.options).options
    for a, b in pairwise(ply.path):
        if a != ply.path[0] and not options.chains:
            return say("a giant does not jump on here: the move ends on {a}", a=CELLS[a])
        over = trample((a, b)).takes
        if not enemy & over:
            return say("there is no halogai on {cell} to trample", cell=CELLS[over.bit_length() - 1])
        if not vacant >> b & 1:
            return say("{b} is not vacant", b=CELLS[b])
        enemy, vacant = enemy ^ over, vacant | over
    return say("this move is not legal here")


def _why_no_slide(state: State, ply: Ply, occupied: int) -> str:
    begin, end = ply.path
    line = next((line for dx, dy in HEX_EDGES if end in (line := line_of(begin, dx, dy))), None)
    if state.turn == BLACK and not tables()[begin].around >> end & 1:
        return say("{begin} and {end} are not neighbours: a giant steps one cell", begin=CELLS[begin], end=CELLS[end])
    if line is None:
        return say(
            "no straight line leads from {begin} to {end}, or the centre e5 blocks it",
            begin=CELLS[begin],
            end=CELLS[end],
        )
    way = line[: line.index(end) + 1]
    blocker = next((c for c in way if occupied >> c & 1), None)
    if blocker is None:  # only too far away: else the move were legal
        return say(
            "{begin} to {end} is {count} cells: a halogai moves {most} at most here",
            begin=CELLS[begin],
            end=CELLS[end],
            count=len(way),
            most=rules_of(state.options).options.slide,
        )
    if state.white >> blocker & 1:
        return say("blocked by the halogai on {blocker}", blocker=CELLS[blocker])
    return say("blocked by the giant on {blocker}", blocker=CELLS[blocker])


# ---- what stands where, and how a hand makes a ply --------------------------------------------------------


def shape(state: State) -> dict[str, Piece]:
    """Return the stones by cell."""
    found = {CELLS[c]: HALOGAI for c in bits(state.white)}
    for c in bits(state.black):
        found[CELLS[c]] = GIANT
    return found


def walk(state: State, ply: Ply) -> Walk:
    """Return the cells that the stone slides over or lands on, and those that it tramples."""
    path = ply.path
    over = _between(path) if ply.tramples else []
    if not ply.tramples:
        begin, end = path
        slide = next(slide for slide in tables()[begin].slides if any(each.path == path for _, each in slide))
        way = [each.path[1] for _, each in slide]
        path = (begin, *way[: way.index(end) + 1])
    return Walk(tuple(CELLS[c] for c in path), tuple(CELLS[c] for c in over))


def _slain(state: State, ply: Ply) -> int:
    """Return the giants that are flanked as White's turn begins, after ``ply``."""
    rules, white, black = rules_of(state.options), state.white & ~ply.takes, state.black
    if state.turn == BLACK:
        black ^= ply.moved
    else:
        white ^= ply.moved
        if not state.options or _black_can_move(rules, white, black):
            return 0
    return flanked(white, black, rules.flankers) if black & ~RING else 0


def feat(state: State, ply: Ply) -> str:
    """Return that a giant tramples several halogai at one go; "" of any other ply."""
    count = ply.takes.bit_count()
    return say("The giant tramples {count}!", count=count) if count > 1 else ""


def in_words(state: State, ply: Ply) -> str:
    """Return ``ply`` in words, with the giants that fall as it is made."""
    way = walk(state, ply)
    told, slain = way_told(way.path, way.takes), [CELLS[number] for number in bits(_slain(state, ply))]
    if len(slain) > 1:
        return say("{move}; the giants on {cells} are slain", move=told, cells=all_of(slain))
    return say("{move}; the giant on {cell} is slain", move=told, cell=slain[0]) if slain else told


def chores(state: State, ply: Ply) -> tuple[Chore, ...]:
    """Return that the giants which are flanked as White's turn begins, after ``ply``, are to be taken off."""
    slain = _slain(state, ply)
    begin, end = CELLS[ply.path[0]], CELLS[ply.path[-1]]
    found = []
    for cell in (CELLS[number] for number in bits(slain)):
        if cell == end:
            told = say("The giant from {begin} is flanked on {end} and slain: take it off.", begin=begin, end=end)
            found.append(Chore((begin, end), told))
        else:
            found.append(Chore((cell,), say("The giant on {cell} is flanked and slain: take it off.", cell=cell)))
    return tuple(found)


def view(state: State, watcher: int | None) -> View:
    """Return the stones, who plays which colour in this round of a match, and what it would bring each colour.

    In a single round, as in a lesson, the seats keep their colours. Once the match is over nobody plays any more.
    """
    hunts = SEATS[state.round % 2]
    plays = to_player(hunts, say("You play White."), say("{seat} plays White.", seat=hunts))
    match = say("Round {round} of {rounds}: {plays}", round=state.round + 1, rounds=state.rounds, plays=plays)
    slain = rules_of(state.options).giants - state.black.bit_count()
    escaped = (state.black & RING).bit_count()
    rim = say("Giants on the rim: {escaped}.", escaped=escaped)
    if escaped and not state.why:
        rim = say("Giants on the rim: {escaped}. They count when the round ends.", escaped=escaped)
    stage = say("Round {round} of {rounds}", round=state.round + 1, rounds=state.rounds) if state.rounds > 1 else ""
    lines: tuple[str, ...] = say("Giants slain: {slain}.", slain=slain), rim
    if state.rounds > 1 and not state.why:
        lines = match, *lines
    if state.why:
        return View(shape(state), lines, stage=stage)
    hunter = state.round % 2  # however the round ends, the slain stay points of its White
    scores = tuple(tally + slain * (each == hunter) for each, tally in enumerate(state.tally))
    return View(shape(state), lines, scores=scores, stage=stage)


def colour(state: State, seat: int) -> int:
    """Return which colour ``seat`` plays in this round."""
    return (seat + state.round) % 2


def sets_up(state: State) -> bool:
    """Whether this is the first position of a round."""
    rules = rules_of(state.options)
    return state.seen == (_key(rules.white, rules.black, WHITE),)


def round_over(state: State, ply: Ply) -> State:
    """Return the last position of the round that ``ply`` ends, as if no other one followed."""
    return after(msgspec.structs.replace(state, rounds=state.round + 1), ply)


def card(state: State, site: str, seat: int | None) -> tuple[str, ...]:
    """Return in what the piece on ``site`` moves otherwise than by the ruling."""
    kind = "halogai" if state.white >> CELLS.index(site) & 1 else "giant"
    return tuple(changed(kind, rules_of(state.options).options))


def mesh(options: Options) -> Mesh:
    """Return a hex board of side 5."""
    return hexes(SIDE)


CREDIT = Credit(
    say(
        "First told on 20 January 2020 in the blog that has Tides of War, as a game of Haloglan and Hardakan."
        " Its text does not name the author."
    ),
)

GAME = Game(
    facts=Facts(
        name="giantslayer",
        title="Giantslayer",
        blurb="Many swift warriors, the halogai, hunt six giants: flank them, or break out.",
        credit=CREDIT,
        seats=SEATS,
        minutes=20,
        complexity=2,
        kinds={"halogai": say("halogai"), "giant": say("giant")},
        fallen=say("slain"),
        moves=MOVES,
        signs={"halogai": "", "giant": "G"},
        endings=ENDINGS,
        on_panel={"rounds": 2},
        ends=ENDS,
        moments={"kind_giant": form("{person} slew {count} giants.")},
        longest=4000,
    ),
    options=Options,
    state=State,
    mesh=mesh,
    start=start,
    seat=seat,
    moves=moves,
    after=after,
    result=result,
    ending=ending,
    text=text,
    say=in_words,
    feat=feat,
    read=read,
    why_not=why_not,
    why_stays=why_stays,
    why_not_onto=why_not_onto,
    shape=shape,
    walk=walk,
    sound=sound,
    view=view,
    colour=colour,
    chores=chores,
    sets_up=sets_up,
    round_over=round_over,
    passed=passed,
    afresh=seen_once,
    places=lambda state: MARKED,
    aim=lambda state: say("White's halogai slay giants, Black's giants flee to the rim: each is a point."),
    card=card,
)
