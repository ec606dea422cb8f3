"""What the finished games say of the people who played them: how many, and how many won, by game and by opponent.

Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from web_panel.backend import Finished

UNKNOWN = ""  # who sat there is not known, or no longer


class Tally(msgspec.Struct, frozen=True):
    """Games, of which some were won and some lost; the others were drawn, or a third one won them."""

    games: int = 0
    won: int = 0
    lost: int = 0

    def with_one(self, won: bool, lost: bool) -> Tally:
        """Return the tally with one game more."""
        return Tally(self.games + 1, self.won + won, self.lost + lost)


class Record(msgspec.Struct, frozen=True):
    """All games of one person, ``by_game`` by the game's name, ``by_opponent`` by who that was.

    An opponent is the id of a person, the board's level as a number, or `UNKNOWN`. With more than one opponent a game
    counts for each of them.
    """

    all: Tally = Tally()
    by_game: Mapping[str, Tally] = {}
    by_opponent: Mapping[str | int, Tally] = {}


def counted(games: Iterable[Finished], known: Callable[[str], str]) -> dict[str, Record]:
    """Return the record of each person in ``games``, by id.

    ``known`` says which id a person of a game has now, "" where the board no longer knows that one. Who held several
    seats of a game has played it once, against all others; who held them all, not at all.
    """
    found: dict[str, Record] = {}
    for game in games:
        players: list[str | int] = [level or known(id) if id or level else UNKNOWN for id, level in game.seats]
        winner = None if game.winner is None else players[game.winner]
        for who in dict.fromkeys(players):
            others = [other for other in players if other != who]
            if isinstance(who, str) and who != UNKNOWN and others:
                beaten_by = None if winner == who else winner
                found[who] = _with_game(found.get(who, Record()), game.name, others, winner == who, beaten_by)
    return found


def _with_game(
    record: Record, name: str, others: Sequence[str | int], won: bool, beaten_by: str | int | None
) -> Record:
    lost = beaten_by is not None
    by_game = {**record.by_game, name: record.by_game.get(name, Tally()).with_one(won, lost)}
    by_opponent = dict(record.by_opponent)
    for other in dict.fromkeys(others):
        by_opponent[other] = by_opponent.get(other, Tally()).with_one(won, other == beaten_by)
    return Record(record.all.with_one(won, lost), by_game, by_opponent)


def experience(games: Iterable[Finished], name: str, known: Callable[[str], str]) -> dict[str, int]:
    """Return how many games called ``name`` each person has finished, by id."""
    records = counted((game for game in games if game.name == name), known)
    return {id: record.all.games for id, record in records.items()}
