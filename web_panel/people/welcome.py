"""What greets somebody who comes back: lines with one thing to do each, from what the journal knows of them.

Pure: what time it is comes in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from controller.game_setup import BEST_LEVEL
from controller.sentences import say
from web_panel.backend import Finished, Learnt

AWAY = timedelta(hours=4)  # as between two evenings


def welcomes(
    person: str, name: str, games: Sequence[Finished], learnt: Sequence[Learnt], known: Callable[[str], str],
    today: Mapping[str, Any] | None, streak: int, missed: Iterable[Mapping[str, Any]],
    left: Iterable[Mapping[str, Any]] = (),
) -> list[dict[str, Any]]:  # fmt: skip
    """Return what is true of the ``person`` called ``name``, the best first: ``{"what", "sentence", "game", "level",
    "puzzle", "id", "ply"}`` each.

    ``known`` says which id a person of a game has now, ``today`` is the puzzle of the day, and ``missed`` are the
    puzzles in games played here, the newest first. So are the games that this person has ``left`` before their end.
    """
    own = [game for game in games if _seat(person, game, known) is not None]
    found = [*_waits(name, left), *_last(person, name, own, known), *_missed(name, own, missed)]
    return [
        *found,
        *_today(name, today, streak),
        *_unplayed(name, own, [each for each in learnt if known(each.person) == person]),
    ]


def last_here(person: str, games: Iterable[Finished], learnt: Iterable[Learnt], known: Callable[[str], str]) -> str:
    """Return when the ``person`` last began a game that was finished, a lesson or a puzzle; "" for never."""
    played = [game.started for game in games if any(known(id) == person for id, _ in game.seats if id)]
    return max([*played, *(each.started for each in learnt if known(each.person) == person)], default="")


def long_ago(started: str, now: datetime) -> bool:
    """Whether ``started``, a date and a time in UTC, was some hours before ``now``; not where that is not known."""
    try:
        return now - datetime.fromisoformat(started).replace(tzinfo=UTC) > AWAY
    except ValueError:
        return False


def _seat(person: str, game: Finished, known: Callable[[str], str]) -> int | None:
    seats = [seat for seat, (id, level) in enumerate(game.seats) if id and not level and known(id) == person]
    return seats[0] if len(seats) == 1 else None  # who has played several has beaten themselves


def _told(what: str, sentence: str, game: str, **more: Any) -> dict[str, Any]:
    return {"what": what, "sentence": sentence, "game": game, "level": 0, "puzzle": "", "id": 0, "ply": 0, **more}


def _waits(name: str, left: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    if game := next(iter(left), None):
        told = say("Welcome back, {person}. Your game of {game} waits for you.", person=name, game=game["title"])
        yield _told(f"left {game['id']}", told, game["game"], id=game["id"])


def _last(person: str, name: str, own: Sequence[Finished], known: Callable[[str], str]) -> Iterator[dict[str, Any]]:
    if not own:
        return
    game = own[-1]
    title, won = game.title, game.winner is not None and game.winner == _seat(person, game, known)
    levels = [level for _, level in game.seats if level]
    if len(levels) == 1 and len(game.seats) == 2:
        level = levels[0]
        if won and game.whole and level < BEST_LEVEL:
            told = say(
                "Welcome back, {person}. Last time you beat level {level} of {game}: try level {next}.",
                person=name, level=level, game=title, next=level + 1,
            )  # fmt: skip
            yield _told(f"last {game.started}", told, game.name, level=level + 1)
        elif game.winner is not None and not won:
            told = say(
                "Welcome back, {person}. Last time the board won {game} at level {level}: try it again.",
                person=name, level=level, game=title,
            )  # fmt: skip
            yield _told(f"last {game.started}", told, game.name, level=level)
    elif won and not levels:
        told = say("Welcome back, {person}. Last time you won {game}: who dares this time?", person=name, game=title)
        yield _told(f"last {game.started}", told, game.name)
    elif game.winner is not None and not levels:
        told = say("Welcome back, {person}. Last time you lost {game}: ask for revenge.", person=name, game=title)
        yield _told(f"last {game.started}", told, game.name)


def _missed(name: str, own: Sequence[Finished], missed: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the newest move that this person missed, where games of theirs were looked at."""
    found = next((each for each in missed if own and each["name"] == name), None)
    if found:
        told = say(
            "Welcome back, {person}. A move that you missed in {game} is to be found.", person=name, game=found["title"]
        )
        yield _told(
            f"missed {found['number']}", told, found["game"], puzzle=found["number"], id=found["id"], ply=found["ply"]
        )


def _today(name: str, today: Mapping[str, Any] | None, streak: int) -> Iterator[dict[str, Any]]:
    if not today or today["solved"]:
        return
    told = say("Welcome back, {person}. The puzzle of the day is of {game}.", person=name, game=today["title"])
    if streak > 1:
        told = say(
            "Welcome back, {person}. You have found a puzzle {count} days in a row: today's waits.",
            person=name, count=streak,
        )  # fmt: skip
    yield _told(f"today {today['number']}", told, today["game"], puzzle=today["number"])


def _unplayed(name: str, own: Sequence[Finished], learnt: Sequence[Learnt]) -> Iterator[dict[str, Any]]:
    """Yield the game that was learnt last and never played to its end."""
    played = {game.name for game in own}
    for each in reversed(learnt):
        if not each.puzzle and each.name not in played:
            told = say("Welcome back, {person}. You have learnt {game}: play it now.", person=name, game=each.title)
            yield _told(f"learnt {each.name}", told, each.name, level=1)
            return
