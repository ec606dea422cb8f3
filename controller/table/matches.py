"""A match: several games in a row, with a tally of who has won how many.

Pure.
"""

from __future__ import annotations

import msgspec

from controller.events import Seating
from controller.game_setup import NAMELESS, Match, Reseat
from controller.table.state import Play

NOBODY_KNOWN = Seating()


def tally(play: Play) -> tuple[int, ...]:
    """Return how many games each seat has won, this one with them once it is over; a draw counts for nobody."""
    won = list(play.match.won if play.match else ())
    won += [0] * (play.seats - len(won))
    result = play.result
    if result.over and result.winner is not None:
        won[result.winner] += 1
    return tuple(won[: play.seats])


def decided(play: Play) -> int | None:
    """Return the seat that has won the match, None while nobody has."""
    won = tally(play)
    return next((seat for seat, games in enumerate(won) if play.match and games >= play.match.to), None)


def seats_changed(play: Play, before: Seating, now: Seating) -> Play:
    """Return ``play``, of a match, with whose it is: after its end others may sit down before the next game begins.

    Whoever says only then who they are is the same person.
    """
    if play.match is None or not play.result.over:
        return play
    sat, sit = _ids(before, play.seats), _ids(now, play.seats)
    said = {who: sit[seat] for seat, who in enumerate(sat) if who.startswith(NAMELESS) and sit[seat]}
    return msgspec.structs.replace(play, played_by=tuple(said.get(who, who) for who in play.played_by or sat))


def _ids(seating: Seating, seats: int) -> tuple[str, ...]:
    """Return by what the people of a match are known, by seat; "" where no phone holds it."""
    profiles, people = ((*each, *("",) * seats)[:seats] for each in (seating.profiles, seating.people))
    return tuple(profile or name for profile, name in zip(profiles, people, strict=True))


def following(play: Play, seats: Reseat, seating: Seating = NOBODY_KNOWN) -> Match | None:
    """Return the match as it stands before the next game, for which the people change ``seats``; None without one.

    ``seating`` is how they sit now. A new match begins where somebody of it has left, and where lots are drawn: then
    nobody at the table knows whose games were whose.
    """
    match = play.match
    if match is None:
        return None
    if decided(play) is not None or seats == "lots":
        return Match(match.to)
    won, now = tally(play), _ids(seating, play.seats)
    if any(who and who not in now for who in play.played_by):
        return Match(match.to)
    won = tuple(won[play.played_by.index(who) if who in play.played_by else n] for n, who in enumerate(now))
    if seats == "turn":
        won = (*won[1:], *won[:1])
    return msgspec.structs.replace(match, won=won, games=match.games + play.result.over)
