"""The lines of a list of games: what was played when, how long, and who won."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from controller.fault_report import place
from controller.journal.database import Archive, JournalFailed, Listed, Saved, without_folder
from controller.panel.finished_games import standing_session
from controller.rules.game import Illegal, Result, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.sentences import all_of, called, capital, say, together
from controller.table.session import Session

log = logging.getLogger(__name__)

BETWEEN_EVENINGS = timedelta(hours=4)  # without a game


def of_one_evening(archive: Archive, newest: Sequence[Listed]) -> Sequence[Listed]:
    """Return those of the ``newest`` games, the last one first, between which nobody paused for long: an evening.

    Midnight ends none. Nor does a clock that was set back meanwhile, as that of a board that had no network.
    """
    for number, (later, earlier) in enumerate(pairwise(newest), 1):
        between = _when(later) - _when(earlier)
        if between > BETWEEN_EVENINGS:
            played = timedelta(microseconds=archive.saved(earlier.game_id, lines=False).t_us)
            if between - played > BETWEEN_EVENINGS:
                return newest[:number]
    return newest


def _when(listed: Listed) -> datetime:
    try:
        return datetime.fromisoformat(listed.started).replace(tzinfo=None)
    except ValueError:
        return datetime.min  # a damaged time: it is shown as it is, and begins an evening


def line_of(listed: Listed, archive: Archive) -> dict[str, Any]:
    """Return the line of a game in the list; one that cannot be read has a line that says why, and harms no other."""
    try:
        return _line(listed, archive.saved(listed.game_id, lines=False))
    except JournalFailed as damaged:
        why = without_folder(str(damaged), archive.path)
    except Exception as error:  # whatever the rules of one game raise
        log.exception("game %s cannot be read by its rules", listed.game_id)
        why = str(say("an error in its rules ({error})", error=place(error)))
    return _unreadable(listed, say("A game"), "", say("cannot be read: {why}", why=why))


def _unreadable(listed: Listed, title: str, game: str, sentence: str) -> dict[str, Any]:
    return {
        "id": listed.game_id, "game": game, "title": title, "started": listed.started, "count": 0,
        "over": False, "winner": "", "result": sentence, "sentence": sentence,
    }  # fmt: skip


def _line(listed: Listed, saved: Saved) -> dict[str, Any]:
    header = saved.header
    try:
        session = standing_session(saved)
    except (NoSuchGame, BadOption, Illegal, Unreadable) as wrong:
        sentence = say("cannot be read under the current rules: {why}", why=str(wrong))
        return _unreadable(listed, header.game, header.game, sentence)
    line = described(listed.game_id, listed.started, session, saved)
    return {**line, "played": not header.lesson and (line["over"] or line["count"] > 0)}


def described(game_id: int, started: str, session: Session, saved: Saved) -> dict[str, Any]:
    """Return the line of the game ``session``, as it was ``saved``."""
    facts = session.game.facts
    result = saved.left.outcome or session.result
    winner = ""
    if result.winner is not None:
        board = say("the board") if saved.header.opponents.level(result.winner) else ""
        alone = sum(not saved.header.opponents.level(seat) for seat in range(facts.players(session.options))) == 1
        seat = say("you") if alone else facts.seats[result.winner]
        winner = board or _person(session, saved, result.winner) or seat
    count = len(session.plies)
    players = _players(session, saved)
    told: str = say("1 move, unfinished") if count == 1 else say("{count} moves, unfinished", count=count)
    if players:
        told = say("{players}, {moves}", players=players, moves=told)
    sentence = told
    if result.over:
        told = _ended(session, saved, result)
        sentence = _and_why(told, session, saved, result)
    flaw = say("({flaw})", flaw=saved.flaw) if saved.flaw else ""
    scores = "" if result.over and saved.left.outcome else _points(session, saved, result)
    return {
        "id": game_id, "game": session.name, "title": session.title, "started": started, "count": count,
        "over": result.over, "winner": winner, "result": told,
        "sentence": together(sentence, scores, _of_match(session, saved, result), flaw),
        "seats": list(facts.seats), "players": players,
    }  # fmt: skip


def _and_why(told: str, session: Session, saved: Saved, result: Result) -> str:
    """Return the result as it was ``told`` with how it came about: by the players' word, or by the rules."""
    if saved.left.outcome is None:
        why = called(session.how_ended(result.why), _names(session, saved))
        return say("{result}: {why}", result=told, why=why)
    if result.why == "resigned":
        return say("{result}, by resignation", result=told)
    if result.why == "agreed":
        return say("{result}, by agreement", result=told)
    if result.why == "claimed":
        return say("{result}, claimed", result=told)
    return say("{result}, on time", result=told)


def _of_match(session: Session, saved: Saved, result: Result) -> str:
    """Return which game of a match it was, of the one that decided it how that came out; "" for a game by itself."""
    match, count = saved.header.match, session.game.facts.players(session.options)
    if match is None:
        return ""
    won, winner = [*match.won, *(0,) * count][:count], result.winner
    if result.over and winner is not None and won[winner] + 1 >= match.to:
        won[winner] += 1
        score = "–".join(map(str, sorted(won, reverse=True)))
        who = _player(session, saved, winner) or say(session.game.facts.seats[winner])
        return say("({person} wins the match {score})", person=who, score=score)
    return say("(game {game} of a match)", game=match.games + 1)


def _names(session: Session, saved: Saved) -> dict[str, str]:
    """Return how those are called by seat's name who are known and play one seat alone."""
    seats = session.game.facts.seats[: session.game.facts.players(session.options)]
    players = [_player(session, saved, seat) for seat in range(len(seats))]
    known = zip(seats, players, strict=True)
    return {seat: player for seat, player in known if player and players.count(player) == 1}


def _points(session: Session, saved: Saved, result: Result) -> str:
    """Return the points, the winner's first, those of more than two players with their names; "" where nobody has any,
    or they are equal and decided nothing: what did says how many they are.
    """
    points, winner = result.scores or (), result.winner
    if not any(points) or (winner is not None and len(set(points)) == 1):
        return ""
    order = sorted(range(len(points)), key=lambda seat: seat != winner)
    if len(points) == 2:
        return f"({' : '.join(str(points[seat]) for seat in order)})"
    seats = session.game.facts.seats
    named = ((_player(session, saved, seat) or say(seats[seat]), points[seat]) for seat in order)
    return say("({points})", points=tuple(say("{player}: {points}", player=who, points=some) for who, some in named))


def _players(session: Session, saved: Saved) -> str:
    """Return who plays, people by their names and the board by its level; "" where none of them is known."""
    players = [_player(session, saved, seat) for seat in range(session.game.facts.players(session.options))]
    known = [player for player in dict.fromkeys(players) if player]
    if len(players) == 2 and len(known) == 2:
        return say("{one} against {other}", one=known[0], other=known[1])
    if len(players) == 2 and any(map(saved.header.opponents.level, (0, 1))):
        return say("against {other}", other=known[0])
    return all_of(known) if known else ""


def _ended(session: Session, saved: Saved, result: Result) -> str:
    """Return who won against whom, people by their names and the board by its level, where they are known."""
    facts = session.game.facts
    players = [_player(session, saved, seat) for seat in range(facts.players(session.options))]
    others = {seat: player for seat, player in enumerate(players) if player and seat != result.winner}
    if result.winner is None:
        if result.why in ("resigned", "time"):
            return say("no winner")
        if len(others) == len(players) == 2:
            return say("a draw between {one} and {other}", one=others[0], other=others[1])
        return say("a draw")
    winner, seat = players[result.winner], facts.seats[result.winner]
    if saved.header.opponents.level(result.winner):
        winner = capital(winner)
    other = next(iter(others.values())) if len(players) == 2 and others else ""
    beaten = dict.fromkeys(player for player in others.values() if player != winner)
    if winner and len(players) > 2 and beaten and len(others) == len(players) - 1:
        return say("{winner} won against {other}", winner=winner, other=all_of(beaten))
    if not winner or session.game.colour:  # who has played both sides won as neither
        winner, seat = "", winner or seat
    if not other and winner:
        return say("{person} won as {seat}", person=winner, seat=seat)
    if not other:
        return say("{winner} won", winner=seat)
    if winner:
        return say("{person} won as {seat} against {other}", person=winner, seat=seat, other=other)
    return say("{winner} won against {other}", winner=seat, other=other)


def _player(session: Session, saved: Saved, seat: int) -> str:
    """Return who played ``seat``: a person, or the board with its level; "" where it is not known."""
    level = saved.header.opponents.level(seat)
    return say("the board (level {level})", level=level) if level else _person(session, saved, seat)


def _person(session: Session, saved: Saved, seat: int) -> str:
    """Return who sat on ``seat``; "" where it is not known, as behind a phone on which all have played."""
    count = session.game.facts.players(session.options)
    names = saved.seating.names[:count]
    name = names[seat] if seat < len(names) else ""
    return name if names.count(name) < count else ""
