"""Which plies are shown as a hint only where no other is worth nearly as much: none that leads a piece back, and none
of which nothing can be told. A pure function of the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from typing import Any

from controller.rules.game import AnyAdvice
from controller.rules.registry import advice_of
from controller.table.state import Play
from controller.table.views.hint_reasons import reason

TURNS = 3  # of the seat to move, the one it is at among them where that has begun
ALIKE = 2  # plies one after the other that move no piece: after that one that moves a piece says more


def last_of_hints(play: Play) -> tuple[str, ...]:
    """Return the plies that lead a piece back to where the seat to move has had it in its last turns.

    Of a game with numbers of units they are those that send some back the way that others came.

    Of those that move none it also returns the ones for which nothing speaks, and all of them after some of these.
    """
    session, area = play.session, play.game_area
    advice, state = advice_of(session.name), session.state
    if session.secret or advice is None:
        return ()
    if advice.tactics is None:
        return _sent_back(play, advice)
    walks = (session.game.walk(before, ply) for before, ply in reversed(list(_made(play))))
    made = [walk for walk in walks if not walk.nowhere]
    changed = len(made) >= ALIKE and not any(walk.path for walk in made[-ALIKE:])
    left: dict[str, set[str]] = {}  # where a piece stands now, and where it has come from
    for walk in made:
        if len(walk.path) > 1:
            left[walk.path[-1]] = {*left.pop(walk.path[0], ()), walk.path[0]}
    back = {(area.at(now), area.at(then)) for now, before in left.items() for then in before}
    found = []
    for ply in play.settled.position.footprints:
        leads_back = any(ply.origin & now and ply.landing & then for now, then in back)
        unsaid = ply.silent and ply.at and (changed or not reason(session.game, state, ply.text, play.seats))
        if leads_back or unsaid:
            found.append(ply.text)
    return tuple(found)


def _sent_back(play: Play, advice: AnyAdvice) -> tuple[str, ...]:
    """Return the plies that send units the other way than the seat to move has sent some in its last turns: what it
    goes for is not to change with every ply.
    """
    game, state, part = play.session.game, play.session.state, advice.part
    made = ((before, ply) for before, ply in _made(play) if part is None or part(before) == part(state))
    back = {way[::-1] for before, ply in made if (way := game.sent(before, ply))}
    texts = (ply.text for ply in play.settled.position.footprints)
    return tuple(text for text in texts if back and game.sent(state, game.read(state, text)) in back)


def _made(play: Play) -> Iterator[tuple[Any, Any]]:
    """Yield the plies of the last turns of the seat to move, each with the position before it, the latest first."""
    session, game = play.session, play.session.game
    positions = session.positions
    made = ((before.state, after) for before, after in zip(positions[-2::-1], positions[:0:-1], strict=True))
    turns: Iterator[tuple[Any, Iterator[tuple[Any, Any]]]] = groupby(made, key=lambda each: each[1].seat)
    for _, turn in islice((each for each in turns if each[0] == session.mover), TURNS):
        yield from ((before, game.read(before, after.text)) for before, after in turn)
