"""Circle (ruling: docs/rules/circle.md).

Owns the rules of this game alone, in the ruling's order. A set of squares is an integer with one bit a square,
in cell order: a1 is bit 0, a2 bit 1, b1 bit 9.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

import re
from functools import cache, lru_cache

import msgspec
from msgspec import UNSET

from controller.rules.game import Against, Credit, Facts, Game, Piece, Result, Ring, Unreadable, View, Walk, seen_once
from controller.rules.games.circle.cards import (
    SHAPES,
    STEP,
    STEP_TAPPED,
    changed,
    compared,
    in_words_against,
    named,
    shaped,
    told,
)
from controller.rules.games.circle.state import (
    BEATS,
    CELLS,
    CORNERS,
    END,
    ENDINGS,
    ENDS,
    FULL,
    NUMBER,
    REPEATS,
    SEATS,
    SIDE,
    USUAL,
    AnyPly,
    Options,
    Out,
    Ply,
    Rules,
    State,
    carried,
    rules_of,
    sound,
    table,
)
from controller.rules.mesh import Mesh, squares
from controller.rules.notation import CELL, bits, split_path
from controller.rules.places import Place
from controller.rules.way_told import way_told
from controller.sentences import Sentence, form, say, to_player

# ---- start ------------------------------------------------------------------------------------------------


def start(options: Options, seed: int) -> State:
    """Return the first position: everybody's units on two diagonals of their corner, in class 1."""
    units = options.starts()
    classes = (sum(units), 0, 0, 0)
    fresh = (1 << options.players) - 1
    seen = (_key(units, classes, 0),)
    quick = options.victory == "quick"
    return State(units, classes, 0, options.first_goes, fresh, seen, quick, options.any_unit, options=carried(options))


def _key(units: tuple[int, ...], classes: tuple[int, ...], turn: int) -> int:
    key = turn
    for part in (*units, *classes):
        key = key << SIDE * SIDE | part
    return key


# ---- plies ------------------------------------------------------------------------------------------------


def moves(state: State) -> list[AnyPly]:
    """Return the legal goes, and the end of the turn once a go has been made."""
    if state.why:
        return []
    everybody = sum(state.units)
    own, vacant = state.units[state.turn], FULL & ~everybody
    known = table()
    rules = rules_of(state.options) if state.options else USUAL
    can_change = (everybody if state.any_unit else own) & ~state.gone if rules.changes else 0
    found: list[AnyPly] = [known[cell].change for cell in bits(can_change)]
    for kind, of_class in enumerate(state.classes, 1):
        if to_go := own & of_class & ~state.gone:
            prey = 0 if state.taken else everybody & ~own & _beaten(state, rules, kind)
            for cell in bits(to_go):
                around = known[cell].around
                found += _steps(cell, around & vacant, around & prey)
    if state.began or not found:  # by the ruling something can be done as a turn begins
        found.append(END)
    return found


@lru_cache(maxsize=1 << 12)
def _steps(cell: int, vacant: int, prey: int) -> tuple[Ply, ...]:
    """Return the moves and takings from ``cell``: what stands elsewhere than around it does not change them."""
    steps = table()[cell].steps
    return tuple(move if bit & vacant else taking for bit, move, taking in steps if bit & (vacant | prey))


def _beaten(state: State, rules: Rules, kind: int) -> int:
    """Return the squares of all units that class ``kind`` beats."""
    return sum(state.classes[beaten - 1] for beaten in rules.beats[kind])


def class_of(state: State, cell: int) -> int:
    """Return the class of the unit on ``cell``, 0 where there is none."""
    return next((kind for kind, of_class in enumerate(state.classes, 1) if of_class >> cell & 1), 0)


def after(state: State, ply: AnyPly) -> State:
    """Return the state after a legal ``ply``: the next go, or the next player's turn, or the end."""
    if isinstance(ply, Out):
        return _after_out(state, ply.seat)
    if ply == END:
        return _next_turn(state)
    here, there = 1 << ply.begin, 1 << ply.end
    units, classes = list(state.units), [of_class & ~there for of_class in state.classes]
    kind = class_of(state, ply.begin)
    if ply.begin == ply.end:
        classes[kind % 4] |= there
    else:
        units = [squares & ~there for squares in units]
        units[state.turn] ^= here | there
        classes[kind - 1] ^= here | there
    first = state.fresh >> state.turn & 1
    taken, took = state.taken or ply.takes, state.took
    if state.options and state.options.takes > 1:
        made = (took or 0) + ply.takes
        taken, took = made >= state.options.takes, made or UNSET
    following = State(
        tuple(units),
        (classes[0], classes[1], classes[2], classes[3]),
        state.turn,
        state.goes - 1,
        state.fresh,
        () if ply.takes else state.seen,
        state.quick,
        state.any_unit,
        0 if first else state.gone | there,
        True,
        taken,
        "",
        None,
        state.options,
        took,
    )
    if ply.takes and (left := _victors(following)) is not None:
        why = "quick" if state.quick else "annihilation"
        return msgspec.structs.replace(following, why=why, winner=left)
    return following if following.goes else _next_turn(following)


def leaves(state: State, seat: int) -> Out | None:
    """Return the ply by which ``seat`` gives up in a game of four."""
    playing = not state.why and len(state.units) > 2
    return Out(seat) if playing and state.units[seat] else None


def _after_out(state: State, seat: int) -> State:
    """Return ``state`` without the units of ``seat``: as after a taking, the end is looked for."""
    lost = state.units[seat]
    units = tuple(0 if number == seat else squares for number, squares in enumerate(state.units))
    one, two, three, four = (of_class & ~lost for of_class in state.classes)
    classes, gone = (one, two, three, four), state.gone & ~lost
    left = msgspec.structs.replace(state, units=units, classes=classes, seen=(), gone=gone)
    if (winner := _victors(left)) is not None:
        return msgspec.structs.replace(left, why="quick" if state.quick else "annihilation", winner=winner)
    return _next_turn(left) if seat == state.turn else left


def _victors(state: State) -> int | None:
    """Return the only seat that has enough units to go on, whoever moved; None while there are more."""
    enough = 2 if state.quick else 1
    left = [number for number, squares in enumerate(state.units) if squares.bit_count() >= enough]
    return left[0] if len(left) == 1 else None


def _next_turn(state: State) -> State:
    """Return the start of the next turn, of whoever still has units, or the draw by repetition."""
    players = len(state.units)
    turn = next(t for n in range(1, players + 1) if state.units[t := (state.turn + n) % players])
    fresh = state.fresh & ~(1 << state.turn)
    key = _key(state.units, state.classes, turn)
    seen = (*state.seen, key)
    rules = rules_of(state.options) if state.options else USUAL
    goes = rules.first_goes if fresh >> turn & 1 else rules.goes
    why = "repetition" if seen.count(key) == rules.repeats else ""
    return State(
        state.units,
        state.classes,
        turn,
        goes,
        fresh,
        seen,
        state.quick,
        state.any_unit,
        why=why,
        options=state.options,
    )


def passed(state: State) -> State | None:
    """Return the start of the next player's turn, None where the game is over."""
    return None if state.why else _next_turn(msgspec.structs.replace(state, seen=()))


def result(state: State) -> Result:
    """Return how things stand; a repetition is a draw for all."""
    return Result(bool(state.why), state.winner, state.why)


def seat(state: State) -> int | None:
    """Return the seat to move."""
    return None if state.why else state.turn


# ---- text -------------------------------------------------------------------------------------------------


def text(state: State, ply: AnyPly) -> str:
    """Return ``c1-c2``, ``c4xd5``, ``c1+``, ``end`` or ``out 3``."""
    if isinstance(ply, Out):
        return f"out {ply.seat + 1}"
    if ply == END:
        return "end"
    if ply.begin == ply.end:
        return f"{CELLS[ply.begin]}+"
    return f"{CELLS[ply.begin]}{'x' if ply.takes else '-'}{CELLS[ply.end]}"


def in_words(state: State, ply: AnyPly) -> str:
    """Return the ply in words: ``b2 becomes class 2 (leaf)``."""
    if isinstance(ply, Out):
        return say("{seat} is out", seat=SEATS[ply.seat])
    if ply == END:
        return say("End turn")
    begin, end = CELLS[ply.begin], CELLS[ply.end]
    if ply.begin == ply.end:
        kind = class_of(state, ply.begin) % len(BEATS) + 1
        return say("{begin} becomes class {kind}", begin=begin, kind=shaped(kind))
    return way_told((begin, end), captures=ply.takes)


def made(state: State, ply: AnyPly) -> str:
    """Return what whoever makes ``ply`` does, where that is no move of a unit; else ""."""
    if isinstance(ply, Out):
        return say("gives up")
    return say("ends the turn") if ply == END else ""


def read(state: State, written: str) -> AnyPly:
    """Return the ply written ``c1-c2``, ``c4xd5``, ``c1+``, ``end`` or ``out 3``; it need not be legal."""
    if out := re.fullmatch("out ([1-4])", written):
        return Out(int(out[1]) - 1)
    if written == "end":
        return END
    if written.endswith("+") and CELL.fullmatch(written[:-1]):
        if written[:-1] not in NUMBER:
            raise Unreadable(
                say("'{written}': there is no cell {name} on this board", written=written, name=written[:-1])
            )
        return table()[NUMBER[written[:-1]]].change
    names, takes = split_path(written, NUMBER)
    if len(names) != 2 or names[0] == names[1]:
        raise Unreadable(
            say("'{written}': a move goes from one square to another; a class change is 'c1+'", written=written)
        )
    return Ply(NUMBER[names[0]], NUMBER[names[1]], takes)


# ---- why not ----------------------------------------------------------------------------------------------


def why_not(state: State, ply: AnyPly) -> str:
    """Return which rule forbids ``ply``."""
    if isinstance(ply, Out):
        return say("nobody is out by a move")
    if ply == END:
        return say("a turn can end only after at least one action")
    begin, end = CELLS[ply.begin], CELLS[ply.end]
    owner = _owner(state, ply.begin)
    if owner is None:
        return say("there is no unit on {begin}", begin=begin)
    if owner != state.turn and not (ply.begin == ply.end and state.any_unit):
        return say(
            "the unit on {begin} is {seat}'s, and {mover} is to move",
            begin=begin,
            seat=SEATS[owner],
            mover=SEATS[state.turn],
        )
    if ply.begin == ply.end and not rules_of(state.options).changes:
        return say("in this game a unit keeps its class, and so does the one on {begin}", begin=begin)
    if state.gone >> ply.begin & 1:
        return say("the unit on {begin} has already acted this turn", begin=begin)
    if not table()[ply.begin].around >> ply.end & 1:
        return say("{begin} and {end} are not neighbours: a unit moves one square", begin=begin, end=end)
    return _why_no_landing(state, ply)


def _why_no_landing(state: State, ply: Ply) -> str:
    """Return why the unit may not go to that neighbouring square."""
    end, there = CELLS[ply.end], _owner(state, ply.end)
    ours, theirs = class_of(state, ply.begin), class_of(state, ply.end)
    if there is None:
        return say("there is no unit on {end} to capture", end=end)
    if there == state.turn:
        return say("the unit on {end} is {seat}'s own", end=end, seat=SEATS[there])
    rules = rules_of(state.options)
    if theirs not in rules.beats[ours]:
        return say(
            "a class {ours} unit cannot capture the class {theirs} unit on {end}",
            ours=shaped(ours),
            theirs=shaped(theirs),
            end=end,
        )
    if state.taken and rules.takes > 1:
        return say(
            "{count} units have already been captured this turn, so the one on {end} is safe: that is all a turn has",
            count=rules.takes,
            end=end,
        )
    if state.taken:
        return say(
            "a unit has already been captured this turn, so the one on {end} is safe: a turn has at most one capture",
            end=end,
        )
    return say("the unit on {end} would be captured: write '{begin}x{end}'", end=end, begin=CELLS[ply.begin])


def why_stays(state: State, site: str) -> str:
    """Return why the unit on ``site`` cannot act: any other one could at least change its class, by the ruling."""
    if state.gone >> NUMBER[site] & 1:
        return say("it has already acted this turn")
    if rules_of(state.options).changes:
        return ""
    return say("every square around it is occupied, and it can capture no unit there")


def _owner(state: State, cell: int) -> int | None:
    return next((number for number, squares in enumerate(state.units) if squares >> cell & 1), None)


# ---- what stands where, and how a hand makes a ply --------------------------------------------------------


def shape(state: State) -> dict[str, Piece]:
    """Return the units by square; their kind is their class."""
    owned = [(number, cell) for number, squares in enumerate(state.units) for cell in bits(squares)]
    return {CELLS[cell]: Piece(number, str(class_of(state, cell))) for number, cell in owned}


def walk(state: State, ply: AnyPly) -> Walk:
    """Return the two squares of a move or taking, the one square of a class change, nothing for the turn's end."""
    if isinstance(ply, Out) or ply == END:
        return Walk()
    if ply.begin == ply.end:
        return Walk(at=CELLS[ply.begin])
    return Walk((CELLS[ply.begin], CELLS[ply.end]))


@cache
def _corners(players: int) -> tuple[Place, ...]:
    named = enumerate(CORNERS[players])
    return tuple(Place((cell,), "corner", say("{seat}'s corner", seat=SEATS[seat]), seat) for seat, cell in named)


def corners(state: State) -> tuple[Place, ...]:
    """Return the corner of each player, which stays as it is when that player is out."""
    return _corners(len(state.units))


def view(state: State, seat: int | None) -> View:
    """Return everything: the game is open. The lines show which class beats which where that is as usual, the actions
    left, units that have acted, and who is out.
    """
    lines, ring = [], None
    if not state.why:
        if rules_of(state.options).beats == BEATS:
            whom = say("Who beats whom: drop → star → arrow → leaf → drop; also star → leaf and arrow → drop.")
            ring = Ring(whom, tuple((str(one), str(other)) for one, beaten in BEATS.items() for other in beaten))
            lines.append(whom)
        lines.append(_goes_told(SEATS[state.turn], state.goes))
        if state.gone:
            lines.append(
                say("Already acted this turn: {cells}.", cells=tuple(CELLS[cell] for cell in bits(state.gone)))
            )
        rules = rules_of(state.options)
        if state.taken and rules.takes == 1:
            lines.append(say("One unit has been captured this turn: no more captures."))
        elif state.taken:
            lines.append(say("{count} units have been captured this turn: no more captures.", count=rules.takes))
        if state.seen and state.seen.count(state.seen[-1]) == rules.repeats - 1 > 1:
            if rules.repeats == REPEATS:
                often = say("This position has occurred twice at the start of a turn; a third time is a draw.")
            else:
                often = say(
                    "This position has occurred {count} times at the start of a turn; once more is a draw.",
                    count=rules.repeats - 1,
                )
            lines.append(often)
    out = (number for number, squares in enumerate(state.units) if not squares and number != seat)  # that one knows
    lines += [say("{seat} is out.", seat=SEATS[number]) for number in out]
    return View(shape(state), tuple(lines), holds=_left(state), ring=ring)


def _left(state: State) -> tuple[tuple[str, ...], ...]:
    """Return how many actions each player has left in this turn, in words."""
    if state.why:
        return ()
    left = say("1 action left") if state.goes == 1 else say("{goes} actions left", goes=state.goes)
    return tuple((left,) if seat == state.turn else () for seat in range(len(state.units)))


def _goes_told(seat: str, goes: int) -> Sentence:
    if goes == 1:
        return to_player(
            seat, say("You have 1 action left this turn."), say("{seat}: 1 action left this turn.", seat=seat)
        )
    own = say("You have {goes} actions left this turn.", goes=goes)
    return to_player(seat, own, say("{seat}: {goes} actions left this turn.", seat=seat, goes=goes))


def aim(state: State) -> str:
    """Return how one wins."""
    quick = say("Whoever takes units until no other player has two left wins.")
    return quick if state.quick else say("Whoever takes all enemy units wins.")


def against(state: State, site: str) -> tuple[Against, ...]:
    """Return how the unit on ``site`` compares with each enemy beside it, where it may still take one in this turn."""
    cell = NUMBER[site]
    if state.why or state.taken or state.gone >> cell & 1 or _owner(state, cell) != state.turn:
        return ()
    ours, enemies = class_of(state, cell), sum(state.units) & ~state.units[state.turn]
    beats, beside = rules_of(state.options).beats, bits(table()[cell].around & enemies)
    return tuple(compared(CELLS[other], ours, class_of(state, other), beats) for other in beside)


def card(state: State, site: str, seat: int | None) -> tuple[str, ...]:
    """Return whom the unit on ``site`` beats, and by whom it is beaten; first of those that stand beside it."""
    kind = class_of(state, NUMBER[site])
    beside = (in_words_against(kind, class_of(state, NUMBER[each.site]), each) for each in against(state, site))
    rules = rules_of(state.options)
    return (*beside, *told(kind, rules.beats), *changed(rules))


def mesh(options: Options) -> Mesh:
    """Return 9×9 squares."""
    return squares(SIDE, SIDE)


CREDIT = Credit(
    say(
        "After 'Rules v1.1.2', told on 12 October 2011 in the blog of the group that designed it. Its text "
        "does not name them."
    ),
)

GAME = Game(
    facts=Facts(
        name="circle",
        title="Circle",
        blurb="Units of four classes, each beaten by another, for two or four players.",
        credit=CREDIT,
        seats=SEATS,
        around=True,
        minutes=20,
        complexity=3,
        kinds={str(kind): named(kind) for kind in sorted(SHAPES)},
        briefly={str(kind): shape for kind, shape in SHAPES.items()},
        moves=dict.fromkeys(map(str, BEATS), STEP),
        moves_tapped=dict.fromkeys(map(str, BEATS), STEP_TAPPED),
        endings=ENDINGS,
        ends=ENDS,
        moments={"taken": form("{person} took {count} units in one move.")},
        hold=True,
        players_option="players",
        several=True,
        longest=20000,
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
    why_stays=why_stays,
    shape=shape,
    walk=walk,
    view=view,
    sound=sound,
    say=in_words,
    made=made,
    leaves=leaves,
    passed=passed,
    afresh=seen_once,
    places=corners,
    aim=aim,
    card=card,
    against=against,
)
