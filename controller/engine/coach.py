"""What a ply has cost, and in what: how the coach judges what a person has played.

Pure, as the searches are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from controller.engine.best_first import BestFirst
from controller.engine.found import Sight
from controller.engine.judgement import lost, outcome, won
from controller.engine.levels import LEVELS
from controller.engine.player import MOST_NODES, Player
from controller.engine.whole_turn import after_all, whole_turn
from controller.rules.game import AnyAdvice

# Of the value from -1 to 1: in an even position about as much as a stone, or a knight. Who stands below -0.75 is told
# nothing either, having no longer so much to lose.
MUCH = 0.25
WELL = 0.5  # who stands at least so well after all is told nothing: the game is being won
PARTS = (0.5, 0.75, 1.0)  # of the budget: until the best ply is found, until its worth is, and that of the one made
FARTHEST = 6  # plies after which the two lines are compared at the latest


class PlyCost(msgspec.Struct, frozen=True):
    """What a ply has cost its seat: ``loss`` of a value from -1 to 1, and whether that is ``much``.

    ``end`` says that it let go a win by force ("won") or allows one ("lost"). Else ``feature`` is the stake that is
    lost by it, against the best one, some plies later: the seat has ``now`` of it where it ``could`` have had so many,
    or, if ``theirs``, another seat. ``answer`` is the ply to fear, with which another seat can go on; "" where there is
    none.
    """

    loss: float = 0.0
    much: bool = False
    end: Literal["", "won", "lost"] = ""
    feature: str = ""
    now: int = 0
    could: int = 0
    theirs: bool = False
    answer: str = ""


class Judged(msgspec.Struct, frozen=True):
    """The best ply, what the game was worth with it to its seat from -1 to 1, what the one made has cost.

    If that is much, ``answer`` is the ply that looks best to the seat that comes after; None where it is the same seat.
    """

    best: Any
    value: float
    cost: PlyCost
    nodes: int
    answer: Any = None


class _Line(msgspec.Struct, frozen=True):
    """A ply and what it leads to: the share of its seat, the positions along the line that looks best after it, and the
    ``first`` ply of that line, None where the game is over.
    """

    share: float
    states: tuple[Any, ...]
    nodes: int
    first: Any = None


def judged(
    player: Player,
    state: Any,
    made: Any,
    seed: int,
    nodes: int,
    stop_after: Callable[[float], Callable[[], bool]],
    turn: Sequence[Any] = (),
) -> Judged:
    """Return what the ply ``made`` has cost the seat to move in ``state``, of which it is told what it may know.

    Where it ended a ``turn`` of several plies, which began in ``state``, that is what the whole turn has cost.
    ``nodes`` is the most positions to judge in all; ``stop_after`` returns, for a part of the time there is, what says
    that it is over. What follows on a secret ply is not judged: it costs nothing.
    """
    game, seat = player.game, player.game.seat(state)
    assert seat is not None
    nodes = min(nodes, MOST_NODES)
    led = after_all(game, state, (*turn, made))
    budget, stop = round(nodes * PARTS[0]), stop_after(PARTS[0])
    choice = player.choose(state, LEVELS[-1], seed, budget, stop)
    over = game.seat(led) != seat
    best_turn = whole_turn(player, state, choice.ply, seed, budget // 2, stop) if over else (choice.ply,)
    after = [after_all(game, state, best_turn), led]
    if best_turn == (*turn, made) or (game.secret and any(game.secret(each) for each in (state, *after))):
        return Judged(choice.ply, choice.value, PlyCost(), choice.nodes)
    part = round(nodes * (1 - PARTS[0]) / 2)
    best, other = (
        _line(player, each, seat, seed, part, stop_after(until)) for each, until in zip(after, PARTS[1:], strict=True)
    )
    share = max(best.share, (choice.value + 1) / 2) if won((choice.value + 1) / 2) else best.share
    loss = max(0.0, 2 * (share - other.share))
    cost = PlyCost(loss, _much(other.share, loss), _end(share, other.share))
    if cost.much and not cost.end:
        cost = _explained(player, seat, cost, best.states, other.states)
    answer = other.first if cost.much and game.seat(after[1]) != seat else None
    return Judged(choice.ply, 2 * share - 1, cost, choice.nodes + best.nodes + other.nodes, answer)


def _much(made: float, loss: float) -> bool:
    return loss >= MUCH and 2 * made - 1 < WELL


def _end(best: float, made: float) -> Literal["", "won", "lost"]:
    if lost(made) and not lost(best):
        return "lost"
    return "won" if won(best) and not won(made) else ""


def _line(player: Player, state: Any, seat: int, seed: int, nodes: int, stop: Callable[[], bool]) -> _Line:
    """Return what ``state`` is worth to ``seat``, with the positions of the line that looks best, itself the first."""
    game = player.game
    how = game.result(state)
    if how.over:
        return _Line(outcome(how, player.seats, 1)[seat], (state,), 1)
    search = BestFirst(game, state, player.seats, player.judge, Sight(), seed, player.thinks_of)
    search.run(nodes, stop)
    found = search.found()
    states = [state]
    for ply in found.line:
        following = game.after(states[-1], ply)
        if game.result(following).over or (game.secret and game.secret(following)):
            break
        states.append(following)
    return _Line(found.shares[seat], tuple(states), found.nodes, found.line[0])


def _explained(player: Player, seat: int, cost: PlyCost, best: Sequence[Any], made: Sequence[Any]) -> PlyCost:
    """Return ``cost`` with the stake that is lost by it; it is not much where none is, for nobody would feel it.

    That is looked for as far as both lines go, after as many plies of each seat where two take turns, and within one
    part of the game: what is won back by then is not lost. A game that names no stakes has none to tell.
    """
    advice = player.advice
    if advice is None or not advice.stakes:
        return cost
    found = msgspec.structs.replace(cost, much=False)
    for n in range(1, min(len(best), len(made), FARTHEST), 2):
        if advice.part and advice.part(made[n]) != advice.part(best[n]):
            continue
        rows, others = advice.count(made[n]), advice.count(best[n])
        told = _lost(advice, seat, rows, others)
        found = msgspec.structs.replace(cost, much=told is not None)
        if told is not None:
            feature, whose = told
            at = advice.names.index(feature)
            found = msgspec.structs.replace(
                found, feature=feature, now=rows[whose][at], could=others[whose][at], theirs=whose != seat
            )
    return found


def _lost(
    advice: AnyAdvice, seat: int, rows: Sequence[Sequence[int]], others: Sequence[Sequence[int]]
) -> tuple[str, int] | None:
    """Return the stake of which ``seat`` has lost most in ``rows`` against ``others``, or others have won it, with the
    seat that has it; None where all stakes together are worth as much.
    """
    whole, most, found = 0, 0, None
    for feature, worth in advice.stakes.items():
        at = advice.names.index(feature)
        for whose, (row, other) in enumerate(zip(rows, others, strict=True)):
            share = worth * (other[at] - row[at]) // (1 if whose == seat else -max(1, len(rows) - 1))
            whole += share
            if share > most:
                most, found = share, (feature, whose)
    return found if whole > 0 else None
