"""Chess of Tam Ruat (ruling: docs/rules/tam-ruat-chess.md).

Owns the rules of this game alone, in the ruling's order. A board is a text with the kind of the piece on each
square, in cell order (a1, a2, … b1 …), and ``.`` where it is vacant. Two sets of squares say who owns the pieces, each
an integer with one bit a square.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

import msgspec

from controller.magnet_kinds import Magnet
from controller.rules.game import Credit, Facts, Game, Piece, Result, Unreadable, View, Walk, seen_once
from controller.rules.games.tam_ruat_chess.camps import board_of, ranks_of, royals_of
from controller.rules.games.tam_ruat_chess.cards import MOVES
from controller.rules.games.tam_ruat_chess.check import checker, danger_at, guard_of, remedies
from controller.rules.games.tam_ruat_chess.pieces import (
    CELLS,
    COMES_BACK,
    FAR_RANK,
    FORWARD,
    FULL,
    KINDS,
    MARCHES,
    NUMBER,
    SIDE,
    jumps,
    named,
    promotions,
    put,
    reach,
    takes,
    ways,
)
from controller.rules.games.tam_ruat_chess.plies import Ply
from controller.rules.games.tam_ruat_chess.reasons import why_not
from controller.rules.games.tam_ruat_chess.state import PATIENCE, SEATS, Options, State
from controller.rules.games.tam_ruat_chess.stays import why_stays
from controller.rules.games.tam_ruat_chess.takes import peril, sets_after, victim
from controller.rules.mesh import NONE, Mesh, squares
from controller.rules.notation import bits, split_path
from controller.rules.way_told import way_told
from controller.sentences import form, say, to_player

PIECES = tuple({kind: Piece(turn, kind) for kind in KINDS} for turn in (0, 1))
ENDINGS = ("bared", "bare", "checkmate", "stalemate", "repetition", "75 moves", "moves")
ENDS = {
    "bared": say("the other side has only its royal left"),
    "bare": say("one side has only its royal left"),
    "checkmate": say("checkmate"),
    "stalemate": say("stalemate"),
    "repetition": say("the same position came back too often"),
    "75 moves": say("75 moves by each side without a capture or a march"),
    "moves": say("too many moves by each side without a capture or a march"),
}


def sound(state: State, options: Options) -> bool:
    """Return whether a game can come to ``state``, as far as the fields alone show."""
    white, black = state.sets
    spares = options.ghosts + options.start.count("g")
    standing = sum(1 << cell for cell, kind in enumerate(state.board[: SIDE * SIDE]) if kind != ".")
    return (
        state.options == options
        and len(state.board) == SIDE * SIDE
        and len(state.seen) > 0
        and set(state.board) <= {".", *KINDS}
        and (white ^ black, white & black) == (standing, 0)
        and all(0 <= cell < SIDE * SIDE and own >> cell & 1 for cell, own in zip(state.royals, state.sets, strict=True))
        and all(state.board[cell] in "KE" for cell in state.royals)
        and state.turn in (0, 1)
        and all(0 <= spare <= spares for spare in state.spare)
        and all(set(lost) <= set(COMES_BACK) and len(lost) <= max(2 * SIDE, len(options.start)) for lost in state.lost)
        and (options.promotion or state.lost == ("", ""))
        and all(NONE <= cell < SIDE * SIDE for cell in (state.passed, state.runner))
        and (state.passed == NONE) == (state.runner == NONE)
        and (options.in_passing or state.passed == NONE)
        and state.quiet >= 0
        and state.winner in (None, 0, 1)
        and (state.why in ENDINGS if state.why else state.winner is None)
    )


# ---- start ------------------------------------------------------------------------------------------------


def start(options: Options, seed: int) -> State:
    """Return the first position. White moves first."""
    board, white, black = board_of(ranks_of(options.start))
    spare = (options.ghosts, options.ghosts)
    return State(board, (white, black), royals_of(board), 0, ((board, white, 0, NONE),), spare, options=options)


# ---- plies ------------------------------------------------------------------------------------------------


def moves(state: State) -> list[Ply]:
    """Return the legal plies: those that leave the own royal neither in check nor next to the other one."""
    return [] if state.why else _safe(state, *_unchecked(state, state.sets[state.turn]))


def takings(state: State) -> list[Ply]:
    """Return those of `moves` that take or bring back a piece, in the same order."""
    return [] if state.why else _safe(state, *_unchecked(state, state.sets[state.turn], taking=True))


def _safe(state: State, plain: list[Ply], doubtful: list[Ply]) -> list[Ply]:
    """Return those plies of `_unchecked` that are legal."""
    if not plain and not doubtful:
        return []
    own, enemy = state.sets[state.turn], state.sets[1 - state.turn]
    royal = state.royals[state.turn]
    danger = danger_at(1 - state.turn, royal)
    attacker = checker(state.board, own, enemy, 1 - state.turn, royal)
    if attacker != NONE:
        doubtful += _parted(plain, remedies(danger, attacker))[0]
        plain = []
    elif guard := guard_of(state.board, enemy, danger):
        touching, plain = _parted(plain, guard)
        doubtful += touching
    return plain + [ply for ply in doubtful if not _unsafe(state, ply)]


def _parted(plies: list[Ply], squares: int) -> tuple[list[Ply], list[Ply]]:
    """Return the ``plies`` that begin or end on one of the ``squares``, and the others."""
    touched = frozenset(bits(squares))
    touching: list[Ply] = []
    others: list[Ply] = []
    for ply in plies:
        (touching if ply.begin in touched or ply.end in touched else others).append(ply)
    return touching, others


def _can_move(state: State) -> bool:
    """Return whether there is a legal ply: `moves` without listing them, for the first piece often has one."""
    left = state.sets[state.turn]
    while left:
        low = left & -left
        left ^= low
        plain, doubtful = _unchecked(state, low)
        if not all(_unsafe(state, ply) for ply in plain + doubtful):
            return True
    return False


def _unchecked(state: State, pieces: int, taking: bool = False) -> tuple[list[Ply], list[Ply]]:
    """Return the plies of those own ``pieces`` by their moves alone, check not looked at, and all en passant.

    With ``taking`` they are those that take or bring back a piece.

    The first list changes nothing but the squares that a ply begins and ends on; the second has the rest: moves of the
    royal, jumps of Warlocks, en passant.
    """
    turn, board = state.turn, state.board
    own, enemy = state.sets[turn], state.sets[1 - turn]
    vacant, prey = FULL & ~(own | enemy), enemy & ~(1 << state.royals[1 - turn])
    within = vacant | prey
    eve = FAR_RANK[turn] - FORWARD[turn]
    plain: list[Ply] = []
    doubtful = _en_passant(state)
    for cell in bits(pieces):
        kind = board[cell]
        here = reach(kind, turn, cell)
        at_end = kind in MARCHES and cell % SIDE == eve
        if not here.near & within or (taking and not at_end and not here.sight & prey):
            continue
        found = (takes if taking and not at_end else ways)(kind, turn, cell, vacant & here.sight, prey & here.sight)
        if kind in "KE":
            doubtful += found
        elif at_end:
            plain += promotions(found, state.lost[turn])
        else:
            plain += found
            if kind == "W" and prey & here.sight:
                doubtful += jumps(here, vacant, prey)
    return plain, doubtful


def _en_passant(state: State) -> list[Ply]:
    """A Warrior or Barbarian takes onto the square that an enemy one has just passed."""
    if state.passed == NONE:
        return []
    there = danger_at(state.turn, state.passed)
    from_where = [cell for cell in bits(there.near & state.sets[state.turn]) if state.board[cell] in MARCHES]
    return [Ply(cell, state.passed, True) for cell in from_where if state.board[cell] in there.leapers[cell]]


def _unsafe(state: State, ply: Ply) -> bool:
    """Whether ``ply`` leaves the own royal next to the other one or in check."""
    royal, checked_from = peril(state, ply)
    return checked_from != NONE or bool(danger_at(0, royal).around >> state.royals[1 - state.turn] & 1)


# ---- what a ply does --------------------------------------------------------------------------------------


def after(state: State, ply: Ply) -> State:
    """Return the state after a legal ``ply``, with what follows: ghosts, crowning, the end."""
    turn, board, kind, options = state.turn, state.board, state.board[ply.begin], state.options
    spare, lost, royals = list(state.spare), list(state.lost), list(state.royals)
    gone = victim(state, ply)
    taken = "" if gone == NONE else board[gone]
    own, enemy = sets_after(state, ply, gone)
    if taken:
        appears = kind == "W" and spare[turn] > 0
        board = put(board, gone, "g" if appears else ".")
        spare[turn] -= appears
        spare[1 - turn] += taken == "g"
        if taken in COMES_BACK and options.promotion:
            lost[1 - turn] = "".join(sorted(lost[1 - turn] + taken))
    lost[turn] = lost[turn].replace(ply.becomes, "", 1)
    crowned = kind == "K" and ply.end % SIDE == FAR_RANK[turn]
    board = put(put(board, ply.begin, "."), ply.end, "E" if crowned else ply.becomes or kind)
    if kind in "KE":
        royals[turn] = ply.end
    ran = kind in MARCHES and abs(ply.end % SIDE - ply.begin % SIDE) == 2 and options.in_passing
    following = State(
        board,
        (enemy, own) if turn else (own, enemy),
        (royals[0], royals[1]),
        1 - turn,
        () if kind in MARCHES or crowned or taken not in ("", "g") else state.seen,
        (spare[0], spare[1]),
        (lost[0], lost[1]),
        (ply.begin + ply.end) // 2 if ran else NONE,
        ply.end if ran else NONE,
        0 if taken or kind in MARCHES else state.quiet + 1,
        options=options,
    )
    return _settled(following, bared=not enemy & enemy - 1)


def _settled(state: State, bared: bool) -> State:
    """Return ``state`` with its position counted, and ended if this ply ended the game.

    A position that has come as often as it may had a legal ply before, so it is neither mate nor stalemate.
    """
    counts = state.passed != NONE and any(not _unsafe(state, ply) for ply in _en_passant(state))
    position = (state.board, state.sets[0], state.turn, state.passed if counts else NONE)
    seen, options = (*state.seen, position), state.options
    if bared and options.bared == "lost":
        return msgspec.structs.replace(state, seen=seen, why="bared", winner=1 - state.turn)
    if bared and options.bared == "draw":
        return msgspec.structs.replace(state, seen=seen, why="bare")
    if seen.count(position) == options.repeats:
        return msgspec.structs.replace(state, seen=seen, why="repetition")
    if state.quiet >= 2 * options.patience and moves(state):
        why = "75 moves" if options.patience == PATIENCE else "moves"
        return msgspec.structs.replace(state, seen=seen, why=why)
    return msgspec.structs.replace(state, seen=seen)


def passed(state: State) -> State | None:
    """Return ``state`` with the other side to move, None where the one to move is in check, or the other is stuck."""
    if state.why or in_check(state) != NONE:
        return None
    position = (state.board, state.sets[0], 1 - state.turn, NONE)
    other = msgspec.structs.replace(state, turn=1 - state.turn, passed=NONE, runner=NONE, seen=(position,))
    return other if moves(other) else None


def in_check(state: State) -> int:
    """Return the square of a piece that gives check to the player to move, else NONE."""
    turn = state.turn
    return checker(state.board, state.sets[turn], state.sets[1 - turn], 1 - turn, state.royals[turn])


def checked(state: State) -> tuple[str, ...]:
    """Return the square of the royal that is in check."""
    return () if state.why or in_check(state) == NONE else (CELLS[state.royals[state.turn]],)


def result(state: State) -> Result:
    """Return how things stand; without a legal ply it is checkmate or stalemate."""
    if state.why:
        return Result(True, state.winner, state.why)
    if _can_move(state):
        return Result()
    return Result(True, None, "stalemate") if in_check(state) == NONE else Result(True, 1 - state.turn, "checkmate")


def seat(state: State) -> int | None:
    """Return the seat to move."""
    return None if result(state).over else state.turn


# ---- text -------------------------------------------------------------------------------------------------


def text(state: State, ply: Ply) -> str:
    """Return ``e2-e4``, ``c3xd4`` or ``a11-a12=Q``."""
    promotion = f"={ply.becomes}" if ply.becomes else ""
    return f"{CELLS[ply.begin]}{'x' if ply.captures else '-'}{CELLS[ply.end]}{promotion}"


def in_words(state: State, ply: Ply) -> str:
    """Return the ply in words: ``d4 to f6, takes e5``, and what it becomes."""
    gone = victim(state, ply)
    elsewhere = () if gone in (NONE, ply.end) else (CELLS[gone],)
    moved = way_told((CELLS[ply.begin], CELLS[ply.end]), elsewhere, ply.captures and gone == ply.end)
    return say("{ply}, becomes {piece}", ply=moved, piece=KINDS[ply.becomes]) if ply.becomes else moved


def feat(state: State, ply: Ply) -> str:
    """Return that the Queen is captured; "" of any other ply."""
    return say("The Queen has fallen!") if ply.captures and state.board[victim(state, ply)] == "Q" else ""


def read(state: State, written: str) -> Ply:
    """Return the ply written ``e2-e4``, ``c3xd4`` or ``a11-a12=Q``; it need not be legal."""
    path, mark, becomes = written.partition("=")
    if mark and (len(becomes) != 1 or becomes not in COMES_BACK):
        raise Unreadable(say("'{written}': after '=' write one of {kinds}", written=written, kinds=tuple(COMES_BACK)))
    names, captures = split_path(path, CELLS)
    if len(names) != 2 or names[0] == names[1]:
        raise Unreadable(say("'{written}': a move goes from one square to another", written=written))
    return Ply(NUMBER[names[0]], NUMBER[names[1]], captures, becomes)


# ---- what stands where, and how a hand makes a ply --------------------------------------------------------


def shape(state: State) -> dict[str, Piece]:
    """Return the pieces by square."""
    board = state.board
    return {CELLS[c]: PIECES[turn][board[c]] for turn in (0, 1) for c in bits(state.sets[turn])}


def walk(state: State, ply: Ply) -> Walk:
    """Return the squares that the piece slides over or lands on, and the one that it takes elsewhere."""
    kind, path = state.board[ply.begin], [ply.begin, ply.end]
    if kind != "g":
        lines = ([move.end for _, move, _ in line] for line in reach(kind, state.turn, ply.begin).lines)
        line = next((line for line in lines if ply.end in line), [ply.end])  # Warriors and Warlocks strike off theirs
        path = [ply.begin, *line[: line.index(ply.end) + 1]]
    gone = victim(state, ply)
    return Walk(tuple(CELLS[c] for c in path), () if gone in (NONE, ply.end) else (CELLS[gone],))


def view(state: State, seat: int | None) -> View:
    """Return everything: the game is open. The lines show checks, claims, ghosts and what can come back."""
    lines = [*filter(None, [warns(state)]), *_claims(state)]
    for turn, name in enumerate(SEATS):
        ghosts, lost = state.spare[turn], tuple(KINDS[kind] for kind in state.lost[turn])
        if lost:
            own = say("Your ghosts in reserve: {ghosts}; can bring back: {kinds}.", ghosts=ghosts, kinds=lost)
            told = say("{seat}: ghosts in reserve: {ghosts}; can bring back: {kinds}.",
                       seat=name, ghosts=ghosts, kinds=lost)  # fmt: skip
        else:
            own = say("Your ghosts in reserve: {ghosts}.", ghosts=ghosts)
            told = say("{seat}: ghosts in reserve: {ghosts}.", seat=name, ghosts=ghosts)
        lines.append(to_player(name, own, told))
    return View(shape(state), tuple(lines))


def warns(state: State) -> str:
    """Return from what the side to move is in check; "" where it is not."""
    if state.why or (cell := in_check(state)) == NONE:
        return ""
    piece, mover = named(state.board, cell), SEATS[state.turn]
    own = say("You are in check from the {piece}.", piece=piece)
    return to_player(mover, own, say("{mover} is in check from the {piece}.", mover=mover, piece=piece))


def _claims(state: State) -> list[str]:
    """Return for which reasons the side to move may claim a draw."""
    if state.why:
        return []
    told: list[str] = []
    times = state.seen.count(state.seen[-1])
    if times >= 3:
        third = say("This position has occurred three times: a draw can be claimed.")
        fourth = say("This position has occurred four times: a draw can be claimed.")
        more = say("This position has occurred {times} times: a draw can be claimed.", times=times)
        told.append(third if times == 3 else fourth if times == 4 else more)
    to_claim = state.options.patience * 2 // 3  # moves by each side
    if state.quiet >= 2 * to_claim:
        told.append(
            say("50 moves by each side without a capture or a Warrior or Barbarian move: a draw can be claimed.")
            if to_claim == 50
            else say(
                "Moves by each side without a capture or a Warrior or Barbarian move: {moves}. A draw can be claimed.",
                moves=to_claim,
            )
        )
    return told


def claim(state: State) -> str:
    """Return the first of the reasons for which the side to move may claim a draw, "" where it may not."""
    return next(iter(_claims(state)), "")


def mesh(options: Options) -> Mesh:
    """Return 12×12 squares."""
    return squares(SIDE, SIDE)


CREDIT = Credit(
    say(
        "First told on 28 September 2020 in the blog that has Tides of War, as one of the chess variants of "
        "the Magpie Museum in Tam Ruat. Its text does not name the author."
    ),
)

# Whoever is promoted is weak; what comes back in its place is not.
MAGNETS: dict[str, Magnet] = {
    **dict.fromkeys("wbg", "weak"), **dict.fromkeys("ckPX", "medium"), **dict.fromkeys("QCWKE", "strong"),
}  # fmt: skip

GAME = Game(
    facts=Facts(
        name="tam-ruat-chess",
        title="Chess of Tam Ruat",
        blurb="Chess on 12×12 with wizards, warlocks, ghosts, and kings that become emperors.",
        credit=CREDIT,
        seats=SEATS,
        minutes=90,
        complexity=4,
        kinds=KINDS,
        magnets=MAGNETS,
        moves=MOVES,
        endings=ENDINGS,
        ends=ENDS,
        moments={
            "checkmate": form("{person} won by checkmate."),
            "bared": form("{person} left the other side nothing but its royal."),
        },
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
    sound=sound,
    view=view,
    aim=lambda state: say("Checkmate wins: an attack on the enemy King from which no move saves it."),
    say=in_words,
    feat=feat,
    checked=checked,
    warns=warns,
    claim=claim,
    passed=passed,
    afresh=seen_once,
)
