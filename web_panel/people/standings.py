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

    ``known`` says which id a person of a game has now, "" where the board no longer knows that one. Who held more than
    one seat of a game is not known to have played it: several people may have shared one phone.
    """
    found: dict[str, Record] = {}
    for game in games:
        players = _players(game, known)
        for seat, who in enumerate(players):
            if isinstance(who, str) and who != UNKNOWN:
                others = [other for n, other in enumerate(players) if n != seat]
                won, lost = game.winner == seat, game.winner not in (None, seat)
                beaten_by = UNKNOWN if game.winner is None else players[game.winner]
                found[who] = _with_game(found.get(who, Record()), game.name, others, won, beaten_by if lost else None)
    return found


def _players(game: Finished, known: Callable[[str], str]) -> list[str | int]:
    """Return who played, by seat."""
    seats: list[str | int] = [level or known(id) if id or level else UNKNOWN for id, level in game.seats]
    return [UNKNOWN if isinstance(who, str) and seats.count(who) > 1 else who for who in seats]


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
