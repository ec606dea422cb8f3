"""Beacons: what the end of a turn brings about by itself, in words: the harvest, and who is out after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.rules.games.beacons.actions import actions, turn_ended
from controller.rules.games.beacons.leaving import without
from controller.rules.games.beacons.rounds import grown, harvest_due
from controller.rules.games.beacons.state import END, End, Out, Ply, State, Stores, dominant, player, table_of
from controller.sentences import Sentence, all_of, or_you, say, to_player, together


def news(state: State, ply: Ply, after: State) -> str:
    """Return what each got by the harvest that ``ply`` has set off, who is out and why, and that the round is over; ""
    where nothing of it is so. What matters most goes first: a small phone shows the beginning.
    """
    closed = _closed(state, ply)
    last = state.round == state.options.rounds  # then being out takes nothing away
    out = () if last else _out_told(state, closed, ply, after)
    if not closed:
        return together(*out)
    over = after.phase == "over"
    ended = "" if last else say("The round is over: nobody spent anything in their last turn.")
    return together(_harvest_told(closed, over), *out, ended, "" if over else _why_so_many(closed))


def _out_told(state: State, closed: State | None, ply: Ply, after: State) -> Iterator[str]:
    """Yield who is out of the game after ``ply``, and why; not who has given up."""
    for seat in state.order:
        if isinstance(ply, Out) and ply.seat == seat:
            continue
        if state.phase == "buy-in" and seat not in after.order:
            yield say("Out of the game: {players}.", players=or_you(player(seat)))
        elif state.phase != "buy-in" and (seat not in after.order or seat in after.out):
            yield _fallen_told(closed or state, seat)


def falls(state: State) -> str:
    """Return what ending this turn may cost who makes it: all, where the harvest comes before their next turn. ""
    where it costs nothing, or nobody may still do anything about it.
    """
    me, options = state.queue[0], state.options
    closed = turn_ended(state)
    if me not in closed.passed or state.round == options.rounds or options.buy_in or actions(state) == [END]:
        return ""
    stores, fed = grown(closed)
    brings = closed.coffers[me] and any(store[me] and sum(store) < options.limit for store in stores)
    if me in fed or brings or me in map(dominant, stores):
        return ""
    cells = _cells_of(closed, me)
    own = say("You are strongest on no cell: what you have on {cells} would be lost, and you would be out of the game.",
              cells=cells)  # fmt: skip
    told = say("{player} is strongest on no cell: what is theirs on {cells} would be lost, and they would be out of "
               "the game.", player=player(me), cells=cells)  # fmt: skip
    now = say("The harvest comes now.")
    may = say("If all others end their turn without spending, too, the harvest comes.")
    return together(now if harvest_due(closed) else may, to_player(player(me), own, told))


def _cells_of(state: State, seat: int) -> str:
    """Return the cells on which ``seat`` has units; "" for none."""
    cells = [name for name, store in zip(table_of(state).mesh.cells, state.stores, strict=True) if store[seat]]
    return all_of(cells) if cells else ""


def _fallen_told(state: State, seat: int) -> str:
    """Return why the harvest from ``state`` has left ``seat`` nothing."""
    called, cells = player(seat), _cells_of(state, seat)
    if not cells:
        own = say("You are out of the game: you had no units left when the harvest came.")
        told = say("{player} is out of the game: no units were left when the harvest came.", player=called)
    else:
        own = say("You are out of the game: you were strongest on no cell, so the harvest brought you nothing, and "
                  "what you had on {cells} was lost.", cells=cells)  # fmt: skip
        told = say("{player} is out of the game: strongest on no cell, so the harvest brought nothing, and what was "
                   "theirs on {cells} was lost.", player=called, cells=cells)  # fmt: skip
    return to_player(called, own, told)


def closes_round(state: State, ply: Ply) -> bool:
    """Tell whether the harvest follows ``ply`` at once."""
    return _closed(state, ply) is not None


def _closed(state: State, ply: Ply) -> State | None:
    """Return the state from which the harvest that ``ply`` sets off is reckoned; None where it sets off none."""
    if state.phase != "active" or not state.queue or not isinstance(ply, End | Out):
        return None
    closed = turn_ended(state) if isinstance(ply, End) else without(state, ply.seat)
    return closed if harvest_due(closed) else None


def _harvest_told(closed: State, over: bool) -> str:
    """Return who got how many units and points; where the game is ``over``, units do not count any more."""
    held = ((seat, closed.beacons.count(seat)) for seat in closed.order)
    scored = tuple(
        say("{player} +{count}", player=or_you(player(seat)), count=points) for seat, points in held if points
    )
    points = say("Points: {points}.", points=scored) if scored else ""
    if over:
        return say("The last harvest. {points}", points=points) if points else ""
    stores, _ = grown(closed)
    gains = {seat: _gain(closed, seat, stores) for seat in closed.order}
    told = _gains_told(gains, next(iter(gains)))
    for seat in gains:
        told = to_player(player(seat), _gains_told(gains, seat), say("{told}", told=told))
    return together(told, points)


def _gains_told(gains: Mapping[int, int], reader: int) -> Sentence:
    """Return what each seat has got, ``reader`` first and the others in their order of play."""
    seats = sorted(gains, key=lambda seat: seat != reader)
    return say("Harvest: {gains}.", gains=tuple(
        say("{player} +{count}", player=or_you(player(seat)), count=gains[seat]) for seat in seats
    ))  # fmt: skip


def _why_so_many(closed: State) -> str:
    """Return by which rule a harvest brings as many units as it does; "" from the second one on."""
    options = closed.options
    if closed.round > 1 or not (options.growth and options.neighbour_growth):
        return ""
    return say("Per cell: {own} for the strongest there, {more} more for each cell beside it with units of theirs, "
               "up to {limit}.",
               own=options.growth, more=options.neighbour_growth, limit=options.limit)  # fmt: skip


def _gain(closed: State, seat: int, stores: Stores) -> int:
    """Return how many units ``seat`` got, where its harvest leaves ``stores``."""
    return sum(after[seat] - store[seat] for store, after in zip(closed.stores, stores, strict=True))
