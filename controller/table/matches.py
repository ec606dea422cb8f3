"""A match: several games in a row, with a tally of who has won how many.

Pure.
"""

from __future__ import annotations

import msgspec

from controller.game_setup import Match, Reseat
from controller.table.state import Play


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


def following(play: Play, seats: Reseat) -> Match | None:
    """Return the match as it stands before the next game, for which the people change ``seats``; None without one.

    Where lots are drawn nobody at the table knows whose games were whose: a new match begins.
    """
    match = play.match
    if match is None:
        return None
    if decided(play) is not None or seats == "lots":
        return Match(match.to)
    won = tally(play)
    if seats == "turn":
        won = (*won[1:], *won[:1])
    return msgspec.structs.replace(match, won=won, games=match.games + play.result.over)
