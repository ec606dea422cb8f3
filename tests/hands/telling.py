"""What a story is: a name, what the hands do, and the games that have such plies. And words that stories share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.hands.positions import GAMES, Made
from tests.hands.teller import Teller

BEACONS, CHESS, CIRCLE = "beacons", "tam-ruat-chess", "circle"
CYVASSE, GIANTS, TIDES = "cyvasse", "giantslayer", "tides-of-war"
TRAVELLING = GAMES
TAKING = tuple(game for game in GAMES if game != BEACONS)
MOVING = TAKING


class Story(NamedTuple):
    """``tell`` fixes the truth, then moves the pieces; it raises `NotHere` where the game has no such ply now."""

    tell: Callable[[Teller], None]
    games: tuple[str, ...] = GAMES

    @property
    def name(self) -> str:
        return self.tell.__name__


def moves(ply: Made) -> bool:
    """A piece goes from one site to a free one, and nothing else happens."""
    return bool(ply.origin and ply.origin != ply.landing and not ply.captures and not ply.chores)


def enters(ply: Made) -> bool:
    """A piece comes from beside the board on to a free site."""
    return len(ply.path) == 1 and not ply.captures and not ply.chores


def travels(ply: Made) -> bool:
    """A piece comes to stand on a free site."""
    return moves(ply) or enters(ply)


def takes(ply: Made) -> bool:
    """A piece goes from one site to another and takes, with nothing else to do."""
    return bool(ply.origin and ply.origin != ply.landing and ply.captures and not ply.chores)


def takes_there(ply: Made) -> bool:
    """The victim stands where the attacker lands."""
    return takes(ply) and bool(ply.victim)


def takes_beside(ply: Made) -> bool:
    """The victims stand beside the landing."""
    return takes(ply) and bool(ply.takes) and not ply.victim


def turns(ply: Made) -> bool:
    """Nothing travels, but sensors see it: a shell, a node, a store."""
    return not ply.path and ply.seen


def chain(ply: Made) -> bool:
    """A piece jumps several times and takes."""
    return bool(len(ply.path) > 2 and ply.takes and ply.origin != ply.landing)


def goals_after_the_turn(t: Teller) -> set[str]:
    """Return where the other player's pieces may go once this turn has ended by itself, where it may: a piece that
    is set aside or knocked there looks as one of theirs that was moved.
    """
    ends = [each for each in t.place.made if each.text == "end"]
    return {each.landing for end in ends for each in t.after(end)[1] if each.landing}
