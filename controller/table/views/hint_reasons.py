"""Why a ply is a good one, as a clause: what it wins, takes, saves, threatens, brings or, unlike most others, does not
risk, seen in the positions before and after it. What was not computed is not claimed.

A pure function of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from controller.rules.game import AnyAdvice, AnyGame, Gain, Piece
from controller.rules.registry import advice_of
from controller.sentences import all_of, say
from controller.table.views.threats import exposed, in_danger, losses, lost
from controller.table.views.ways_opened import freer, guarded, hemmed_in, opened

MOST_NAMED = 2  # pieces

WINS = say("it wins")


@lru_cache(maxsize=32)
def reason(game: AnyGame, state: Any, text: str, seats: int) -> str:
    """Return why the ply ``text`` may be a good one for the seat to move; "" where nothing shows it."""
    seat, ply = game.seat(state), game.read(state, text)
    if seat is None or (game.secret and game.secret(state)):
        return ""
    after = game.after(state, ply)
    how = game.result(after)
    if how.over:
        return WINS if how.winner == seat else ""
    return (
        (_takes(game, state, ply) if len(game.facts.kinds) > 1 or len(game.walk(state, ply).takes) > 1 else "")
        or _saves(game, state, ply, after)
        or (_attacks(game, state, after) if seats == 2 else "")
        or _ends_a_round(game, state, ply, after)
        or _gains(game, seat, state, after)
        or _else(game, state, ply, after, seats)
    )


def _takes(game: AnyGame, state: Any, ply: Any) -> str:
    """Return what it takes: its own words name no more than cells, and of several pieces that is what counts."""
    own, stood = game.colour_of(state, game.seat(state) or 0), game.shape(state)
    sites = lost(game.walk(state, ply), set(stood))
    taken = [stood[site] for site in sorted(sites) if stood[site].seat not in (None, own)]
    if len(taken) > 1:
        return say("it takes {count} pieces", count=len(taken))
    if not taken:
        return ""
    return say("it takes the {kind}", kind=say(game.facts.kinds[taken[0].kind]))


def _saves(game: AnyGame, state: Any, ply: Any, after: Any) -> str:
    """Return which pieces could have been taken and can be no longer."""
    own, stood, stands = game.colour_of(state, game.seat(state) or 0), game.shape(state), game.shape(after)
    walk = game.walk(state, ply)
    moved = {walk.path[0]: walk.path[-1]} if walk.path else {}
    endangered = [site for site in sorted(in_danger(game, state)) if site in stood and stood[site].seat == own]
    if not endangered:
        return ""
    still = losses(game, after) if game.seat(after) != game.seat(state) else in_danger(game, after)
    saved = [site for site in endangered if (now := moved.get(site, site)) in stands and now not in still]
    return say("it saves {pieces}", pieces=_named(game, stood, saved)) if 0 < len(saved) <= MOST_NAMED else ""


def _attacks(game: AnyGame, state: Any, after: Any) -> str:
    """Return the check that it gives, or which pieces it threatens and did not before. It is for two players: among
    more of them others may come in between.
    """
    seat = game.seat(state)
    if seat is None or game.seat(after) in (None, seat):
        return ""
    if game.checked and game.checked(after):
        return say("it gives check")
    own, stands = game.colour_of(state, seat), game.shape(after)
    found = in_danger(game, after) - losses(game, state)
    enemies = [site for site in sorted(found) if site in stands and stands[site].seat not in (None, own)]
    return say("it threatens {pieces}", pieces=_named(game, stands, enemies)) if 0 < len(enemies) <= MOST_NAMED else ""


def _gains(game: AnyGame, seat: int, state: Any, after: Any) -> str:
    """Return of what it brings more, of that which the game's advice counts and is always good."""
    advice = advice_of(game.facts.name)
    if advice is None or not advice.gains:
        return ""
    rows_before, rows_now = advice.count(state), advice.count(after)
    for gain in advice.gains:
        at = advice.names.index(gain.feature)
        before, now = _counted(rows_before, seat, at, gain), _counted(rows_now, seat, at, gain)
        if (now < before if gain.fewer else now > before) and not _fewer(advice, gain, rows_before, rows_now):
            return say(gain.clause) if gain.clause else _numbers(say(advice.told[gain.feature]), now, before)
    return ""


def _ends_a_round(game: AnyGame, state: Any, ply: Any, after: Any) -> str:
    """Return what its game says of a ply by which a round is over: all else that it brings comes with that."""
    over, advice = game.news and game.news(state, ply, after), advice_of(game.facts.name)
    return advice.why(state, ply) if over and advice is not None and advice.why is not None else ""


def _else(game: AnyGame, state: Any, ply: Any, after: Any, seats: int) -> str:
    """Return what speaks for a ply that brings nothing of that: that it ends a check, what its game says, what it
    takes.

    Of two players also that most other plies would put a piece in danger, and it does not; then what it does for the
    ways of pieces.
    """
    advice = advice_of(game.facts.name)
    own = advice.why(state, ply) if advice and advice.why else ""
    found = _ends_a_check(game, state, after) or own or _takes(game, state, ply)
    if found or seats != 2:
        return found
    return _is_safer(game, state, ply, after) or _of_ways(game, state, ply, after)


def _ends_a_check(game: AnyGame, state: Any, after: Any) -> str:
    if game.checked is None or not game.checked(state) or game.passed is None:
        return ""
    again = game.passed(after)
    return "" if again is None or game.checked(again) else say("it ends the check")


def _of_ways(game: AnyGame, state: Any, ply: Any, after: Any) -> str:
    """Return what a ply does for the ways of pieces, its own and others; "" where it may be one of several in a turn:
    what has acted by then has no ways.
    """
    if game.facts.several or game.seat(after) in (None, game.seat(state)):
        return ""
    stands = game.shape(after)
    if 0 < len(sites := guarded(game, state, ply, after)) <= MOST_NAMED:
        return say("it guards {pieces}", pieces=_named(game, stands, sites))
    if site := opened(game, state, ply, after):
        return say("it opens a way for {piece}", piece=_named(game, stands, [site]))
    now, before = freer(game, state, ply, after)
    if now > before:
        kind = say(game.facts.kinds[stands[game.walk(state, ply).path[-1]].kind])
        return say("from there the {kind} has more moves: {now}, not {before}", kind=kind, now=now, before=before)
    if site := hemmed_in(game, state, ply, after):
        return say("it hems in {piece}", piece=_named(game, stands, [site]))
    return ""


def _is_safer(game: AnyGame, state: Any, ply: Any, after: Any) -> str:
    """Return that ``ply`` puts no piece in danger where more than half of the other plies do; else "".

    Where it does not end the turn, what comes of it is still open.
    """
    if game.seat(after) == game.seat(state) or not _risks_nothing(game, state, ply, after):
        return ""
    others = [other for other in game.plies(state) if other != ply]
    risky = 0
    for number, other in enumerate(others, 1):
        then = game.after(state, other)
        risky += not game.result(then).over and not _risks_nothing(game, state, other, then)
        if 2 * risky > len(others):
            return say("most other moves would put one of its own pieces in danger")
        if 2 * (risky + len(others) - number) <= len(others):
            break
    return ""


def _risks_nothing(game: AnyGame, state: Any, ply: Any, after: Any) -> bool:
    own, path, stands = game.colour_of(state, game.seat(state) or 0), game.walk(state, ply).path, game.shape(after)
    before = {path[-1] if path[:1] == (site,) else site for site in exposed(game, state)}
    return not any(site in stands and stands[site].seat == own for site in losses(game, after) - before)


def _counted(rows: Sequence[Sequence[int]], seat: int, at: int, gain: Gain) -> int:
    return sum(row[at] for number, row in enumerate(rows) if (number != seat) == gain.theirs)


def _fewer(advice: AnyAdvice, gain: Gain, before: Sequence[Sequence[int]], now: Sequence[Sequence[int]]) -> bool:
    """Whether a seat has fewer of what ``gain`` may not cost."""
    held = [advice.names.index(feature) for feature in gain.holds]
    return any(row[at] < other[at] for row, other in zip(now, before, strict=True) for at in held)


def _numbers(feature: str, now: int, before: int) -> str:
    return say("it brings more {feature}: {now}, not {before}", feature=feature, now=now, before=before)


def _named(game: AnyGame, shape: Mapping[str, Piece], sites: Sequence[str]) -> str:
    """Return pieces that are all of one side, which the sentence tells."""
    return all_of(say("the {kind} on {cell}", kind=say(game.facts.kinds[shape[s].kind]), cell=s) for s in sites)
