"""Chess of Tam Ruat: which rule forbids a ply that is not legal, in one sentence."""

from __future__ import annotations

from controller.rules.games.tam_ruat_chess.check import danger_at
from controller.rules.games.tam_ruat_chess.pieces import CELLS, FAR_RANK, KINDS, MARCHES, SIDE, named, reach
from controller.rules.games.tam_ruat_chess.plies import Ply
from controller.rules.games.tam_ruat_chess.state import SEATS, State
from controller.rules.games.tam_ruat_chess.takes import peril, victim
from controller.rules.mesh import NONE
from controller.sentences import say

RULES = {
    "C": say("the Chariot goes any distance along a rank or file"),
    "c": say("the Cleric goes any distance diagonally"),
    "Q": say("the Queen goes any distance along a rank, file or diagonal"),
    "k": say("the Knight jumps one square one way and two the other"),
    "P": say("the Paladin steps one square along a rank or file, or jumps exactly two diagonally"),
    "X": say(
        "the Wizard steps one square diagonally, jumps exactly two along a rank or file, or jumps one square one "
        "way and three the other"
    ),
    "w": say(
        "the Warrior moves one square forward, or two from its first rank, and takes one square diagonally forward"
    ),
    "b": say(
        "the Barbarian moves one square diagonally forward, or two from its first rank, and takes one "
        "square straight forward"
    ),
    "W": say("the Warlock steps to a neighbouring vacant square, and takes by jumping over a neighbouring enemy"),
    "g": say("the Ghost jumps along a rank, file or diagonal over the first piece it meets"),
    "K": say("the King steps one square in any direction"),
    "E": say("the Emperor goes any distance along a rank, file or diagonal"),
}


def no_jump(board: str, ply: Ply, line: list[int], met: int) -> str:
    """Return why a Ghost does not jump along ``line`` as far as ``ply``; ``met`` is the first piece there, or NONE."""
    if met == NONE:
        return say(
            "there is no piece to jump over from {begin} towards {end}", begin=CELLS[ply.begin], end=CELLS[ply.end]
        )
    landing = line[line.index(met) + 1 :][:1]
    if ply.end in landing:
        return ""
    piece = named(board, met)
    if not landing:
        return say(
            "a Ghost jumps over the first piece it meets: the square behind the {piece} is off the board", piece=piece
        )
    where = CELLS[landing[0]]
    return say(
        "a Ghost jumps over the first piece it meets: right behind the {piece} is {cell}", piece=piece, cell=where
    )


def why_not(state: State, ply: Ply) -> str:
    """Return which rule forbids ``ply``."""
    return whose(state, ply) or way(state, ply) or promotion(state, ply) or peril_told(state, ply)


def whose(state: State, ply: Ply) -> str:
    own, enemy = state.sets[state.turn], state.sets[1 - state.turn]
    if enemy >> ply.begin & 1:
        return say(
            "the {piece} is {enemy}'s, and {mover} is to move",
            piece=named(state.board, ply.begin),
            enemy=SEATS[1 - state.turn],
            mover=SEATS[state.turn],
        )
    if not own >> ply.begin & 1:
        return say("there is no piece on {begin}", begin=CELLS[ply.begin])
    if own >> ply.end & 1:
        return say("the {piece} is {mover}'s own", piece=named(state.board, ply.end), mover=SEATS[state.turn])
    if ply.captures and victim(state, ply) == state.royals[1 - state.turn]:
        return say(
            "a King or Emperor can never be taken, so the {piece} cannot be",
            piece=named(state.board, victim(state, ply)),
        )
    return ""


def way(state: State, ply: Ply) -> str:
    """Return why the piece does not go that way, "" if it does."""
    kind, enemy = state.board[ply.begin], state.sets[1 - state.turn]
    occupied = state.sets[state.turn] | enemy
    here = reach(kind, state.turn, ply.begin)
    strikes = kind == "W" or kind in MARCHES
    lines = tuple((step,) for step in here.strikes) if strikes and ply.captures else here.lines
    line = next((cells for line in lines if ply.end in (cells := [move.end for _, move, _ in line])), None)
    if line is None:
        return RULES[kind]
    met = next((cell for cell in line if occupied >> cell & 1), NONE)
    if kind == "g":
        if reason := no_jump(state.board, ply, line, met):
            return reason
    elif met not in (NONE, ply.end) and line.index(met) < line.index(ply.end):
        return say("blocked by the {piece}", piece=named(state.board, met))
    if not ply.captures and enemy >> ply.end & 1:
        if strikes:
            return say("blocked by the {piece}: {rule}", piece=named(state.board, ply.end), rule=RULES[kind])
        return say(
            "the {piece} would be taken: write '{begin}x{end}'",
            piece=named(state.board, ply.end),
            begin=CELLS[ply.begin],
            end=CELLS[ply.end],
        )
    if kind == "W" and ply.captures and occupied >> ply.end & 1:
        return say("blocked by the {piece}: a Warlock lands on a vacant square", piece=named(state.board, ply.end))
    if ply.captures and not enemy >> (gone := victim(state, ply)) & 1:
        return say("there is nothing to take on {cell}", cell=CELLS[gone])
    return ""


def peril_told(state: State, ply: Ply) -> str:
    royal, cell = peril(state, ply)
    name, other = KINDS[state.board[state.royals[state.turn]]], state.royals[1 - state.turn]
    if danger_at(0, royal).around >> other & 1:
        beside = named(state.board, other)
        return say("the {piece} on {cell} would stand next to the {other}", piece=name, cell=CELLS[royal], other=beside)
    if cell == NONE:
        return ""
    return say("the {piece} would stand in check from the {other}", piece=name, other=named(state.board, cell))


def promotion(state: State, ply: Ply) -> str:
    mover, name, lost = SEATS[state.turn], KINDS[state.board[ply.begin]], state.lost[state.turn]
    goes_there = state.board[ply.begin] in MARCHES and ply.end % SIDE == FAR_RANK[state.turn]
    if not state.options.promotion and (goes_there or ply.becomes):
        return say("nothing is promoted in this game, so no Warrior or Barbarian may move to the last rank")
    if not goes_there:
        return say("only a Warrior or Barbarian that reaches the last rank is promoted") if ply.becomes else ""
    if not lost:
        return say(
            "{mover} has lost nothing that could come back, so the {piece} may not move to the last rank",
            mover=mover,
            piece=name,
        )
    if not ply.becomes:
        return say(
            "the {piece} is promoted on the last rank: add '=' and one of {kinds}",
            piece=name,
            kinds=tuple(sorted(set(lost))),
        )
    return (
        ""
        if ply.becomes in lost
        else say("{mover} has lost no {piece} that could come back", mover=mover, piece=KINDS[ply.becomes])
    )
