"""What a game plans for the turn that is on: a hint goes on with the one before. A pure function of the session."""

from __future__ import annotations

from itertools import takewhile

from controller.rules.registry import advice_of
from controller.table.session import Session


def planned(session: Session) -> tuple[str, str] | None:
    """Return the ply that comes next in the plan of the turn that is on, and why, as a clause; None where there is no
    plan.
    """
    advice = advice_of(session.name)
    if advice is None or advice.plan is None or session.secret or session.mover is None:
        return None
    game, positions = session.game, session.positions
    made = [*takewhile(lambda each: each.seat == session.mover, positions[:0:-1])][::-1]
    states = [each.state for each in positions[-1 - len(made) :]]
    plies = [game.read(before, each.text) for before, each in zip(states, made, strict=False)]
    found = advice.plan(states, plies)
    return found and (game.text(session.state, found[0]), found[1])
