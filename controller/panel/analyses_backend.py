"""Finished games and what was found out about them, as the page of a game shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.turning_points import (
    Analysis,
    Fall,
    at_once,
    calm_in_words,
    gave_up_in_words,
    given_back,
    lets_go,
    proves,
    slip_in_words,
    turn_in_words,
)
from controller.game_setup import MOST_LESSON_PLIES
from controller.journal import analyses
from controller.journal.archive import Saved
from controller.lessons.puzzle_files import number_of, own_puzzle
from controller.orders import NewGame
from controller.panel.history_backend import HistoryBackend
from controller.refused import Refused
from controller.rules.game import Illegal, Unreadable
from controller.sentences import capital, say, together
from controller.service.thinking.analyst import Analyst
from controller.table.session import Session
from controller.table.views.hint_reasons import WINS, reason
from controller.typed import ready

FEWEST = 2  # plies
MOST_GAMES, MOST_PUZZLES = 40, 12  # of which puzzles are told, and how many
MISSED = 0.05  # of the game: whose answer gives away more has not made the most of a mistake


class AnalysesBackend:
    """A `web_panel.pages.analyses.AnalysisAccess`."""

    def __init__(self, history: HistoryBackend, analyst: Analyst, journal: Path) -> None:
        self._history, self._analyst, self._journal = history, analyst, journal

    def analysis(self, game_id: int) -> dict[str, Any]:
        """Return ``{"state", "done", "of", "chances", "turns", …}`` of a game.

        ``state`` is "none", "waits", "runs", "failed" (the ``sentence`` says why) or "done" (it says, if not "", that
        somebody gave up too early).
        """
        saved, session = self._opened(game_id)
        if (found := self._found(saved)) is not None:
            try:
                return _shown(found, session, saved)
            except (Illegal, Unreadable, IndexError):
                pass  # of other rules: it is made again when somebody asks for it
        at = self._analyst.progress(game_id)
        if at is None:
            return {"state": "none"}
        if at.error:
            return {"state": "failed", "sentence": _cannot(at.error)}
        return {"state": "runs" if at.done else "waits", "done": at.done, "of": at.of}

    def analyse(self, game_id: int) -> dict[str, Any]:
        """Have a game looked at, unless that was done; return what `analysis` returns."""
        found = self.analysis(game_id)
        if found["state"] in ("none", "failed"):
            self._analyst.ask(game_id)
            return self.analysis(game_id)
        return found

    def puzzle(self, game_id: int, ply: int) -> dict[str, Any]:
        """Return the order that sets up the position before ``ply``, the number of a move, as a puzzle."""
        saved, session = self._opened(game_id)
        for turn in self._puzzles_of(saved):
            if turn.number == ply:
                found: dict[str, Any] = msgspec.to_builtins(_puzzle(turn, saved, session))
                return found
        raise Refused(
            say("Move {ply} of this game is no puzzle: no other move is far better than all the rest.", ply=ply)
        )

    def puzzles(self, wanted: Callable[[int], bool] = lambda game_id: True) -> list[dict[str, Any]]:
        """Return the puzzles in the newest ``wanted`` games that were looked at, of games that fit on this board."""
        fitting = {game["name"]: game["title"] for game in self._history.games() if game["fits"]}
        found: list[dict[str, Any]] = []
        for game_id in analyses.looked_at(self._journal)[:MOST_GAMES]:
            try:
                if not wanted(game_id):
                    continue
                saved, session = self._opened(game_id)
            except Refused:
                continue  # it is on the table again, or its rules are others now
            if session.name in fitting:
                found += [
                    {"id": game_id, "ply": turn.number, "game": session.name, "title": fitting[session.name],
                     "number": number_of(_puzzle(turn, saved, session)), "name": _name(turn.seat, session, saved)}
                    for turn in self._puzzles_of(saved)
                ]  # fmt: skip
        return found[:MOST_PUZZLES]

    def _puzzles_of(self, saved: Saved) -> list[Fall]:
        """Return the turning points of a game that are puzzles; none where it was not looked at."""
        found = self._found(saved)
        return [turn for turn in found.turns if _is_puzzle(turn)] if found else []

    def _found(self, saved: Saved) -> Analysis | None:
        """Return what was found out about a game, if that can be read."""
        file = analyses.analysis_of(self._journal, saved)
        try:
            return msgspec.json.decode(file, type=ready(Analysis)) if file else None
        except msgspec.DecodeError:
            return None

    def _opened(self, game_id: int) -> tuple[Saved, Session]:
        """Return a game that may be looked at; raises `Refused`."""
        saved, session = self._history.opened(game_id, asked="analyse")
        over = session.final or saved.left.outcome is not None
        if saved.header.lesson:
            raise Refused(_cannot(say("it is a lesson")))
        if not over and self._history.last() == game_id:
            raise Refused(say("This game is still being played: it can be analysed once it is over."))
        if saved.flaw:
            raise Refused(_cannot(saved.flaw.strip("()")))
        if len(session.plies) < FEWEST:
            raise Refused(_cannot(say("there is nothing to analyse before the second move")))
        return saved, session


def _cannot(why: str) -> str:
    return say("This game cannot be analysed: {why}.", why=why)


def _shown(analysis: Analysis, session: Session, saved: Saved) -> dict[str, Any]:
    names = [_name(seat, session, saved) for seat in range(len(analysis.chances[0]))]
    back = ["", *(_let_back(*pair, analysis, session, names) for pair in pairwise(analysis.turns))]
    boards = [bool(saved.header.opponents.level(turn.seat)) for turn in analysis.turns]
    seen = [_seen(turn, analysis, session, saved, names) for turn in analysis.turns]
    told = [_turn(*each, session, names) for each in zip(analysis.turns, back, boards, seen, strict=False)]
    end = _end(analysis, session, saved)
    let_go = [lets_go(turn, end) for turn in analysis.turns]  # of all that happened they would want to know that first
    turns = [turn for _, turn in sorted(zip(let_go, told, strict=True), key=lambda each: not each[0])]
    chances = [[round(chance, 3) for chance in each] for each in analysis.chances]
    early = _too_early(analysis, names, saved, session)
    calm = _slip(analysis, session, saved, names) if turns else _calm(analysis, session, names)
    return {"state": "done", "sentence": early, "seats": names, "chances": chances, "turns": turns, "calm": calm}


def _calm(analysis: Analysis, session: Session, names: Sequence[str]) -> str:
    return calm_in_words(analysis.chances, names, [session.game.result(state) for state in session.states])


def _end(analysis: Analysis, session: Session, saved: Saved) -> tuple[float, ...]:
    """Return the chances with which the game ended, by its players' word or by its rules."""
    winner = (saved.left.outcome or session.result).winner
    end = analysis.chances[-1]
    return end if winner is None else tuple(float(seat == winner) for seat in range(len(end)))


def _slip(analysis: Analysis, session: Session, saved: Saved, names: list[str]) -> str:
    """Return how the game was lost where no turning point is of who lost it; "" where one is, or nobody has won."""
    winner = (saved.left.outcome or session.result).winner
    losers = [seat for seat in range(len(names)) if seat != winner]
    if winner is None or any(turn.seat in losers for turn in analysis.turns):
        return ""
    return slip_in_words(analysis.chances, names, losers)


def _too_early(analysis: Analysis, names: list[str], saved: Saved, session: Session) -> str:
    """Return that somebody resigned who stood no worse than the others; "" where nobody did."""
    ended = saved.left.outcome
    if ended is None or ended.why != "resigned" or len(ended.by) != 1:
        return ""
    name, chance = names[ended.by[0]], analysis.chances[-1][ended.by[0]]
    if chance * len(names) < 1:
        return ""
    return gave_up_in_words(name, chance, proves(session.game, len(names)))


def _is_puzzle(turn: Fall) -> bool:
    return turn.aim is not None and turn.number <= MOST_LESSON_PLIES


def _puzzle(turn: Fall, saved: Saved, session: Session) -> NewGame:
    """Return the order that sets up the position before a turning point that is a puzzle."""
    assert turn.aim  # as `_is_puzzle` has it
    options, plies = dict(saved.header.options), session.plies[: turn.number - 1]
    after = session.game.play_text(session.states[turn.number - 1], turn.better)
    aim = at_once(session.game, after, turn.aim)
    return own_puzzle(session.name, options, saved.header.seed, plies, turn.better, aim)


def _name(seat: int, session: Session, saved: Saved) -> str:
    """Return what the player of ``seat`` is called: the person's name, the board with its level, else the seat's."""
    if level := saved.header.opponents.level(seat):
        return say("Board, level {level}", level=level)
    name = next(iter(saved.seating.names[seat : seat + 1]), "")
    return name or capital(say(session.game.facts.seats[seat]))


def _seen(turn: Fall, analysis: Analysis, session: Session, saved: Saved, names: Sequence[str]) -> str:
    """Return that the next to move made the most of a turning point, "" where that is not so, or it was the board."""
    chances, number = analysis.chances, turn.number + 1
    if number >= len(chances):
        return ""
    answer = session.positions[number]
    seat = answer.seat
    if seat is None or seat == turn.seat or answer.secret or saved.header.opponents.level(seat):
        return ""
    if chances[number][seat] < chances[turn.number][seat] - MISSED:
        return ""
    game, before = session.game, session.positions[turn.number].state
    if game.walk(before, game.read(before, answer.text)).nowhere:
        return ""  # there is nothing to see in the end of a turn
    words = game.words_of(before, answer.text)
    return say("{name} saw it: “{played}”.", name=names[seat], played=words)


def _turn(turn: Fall, back: str, board: bool, seen: str, session: Session, names: Sequence[str]) -> dict[str, Any]:
    """Return a turning point for the panel; ``back`` says how that seat had got its chance, and ``seen`` what is said
    of the answer.

    Whoever could have asked for a hint is told what it would have said: not the ``board``, where that seat is its own.
    """
    game, before = session.game, session.positions[turn.number - 1].state
    played = session.positions[turn.number].text

    def words(text: str) -> str:
        return game.words_of(before, text)

    def path(text: str) -> list[str]:
        walk = game.walk(before, game.read(before, text))
        return list(walk.path or ((walk.at,) if walk.at else ()))

    proven = proves(session.game, len(names))
    told = turn_in_words(turn, names[turn.seat], words(played), words(turn.better), proven)
    why = "" if board else reason(session.game, before, turn.better, len(names))
    if why == reason(session.game, before, played, len(names)):
        why = ""  # so does the move that was played
    hint = say("Why: {why}.", why=why) if why and why != WINS else ""  # that it would have won is told
    return {
        "ply": turn.number, "seat": turn.seat, "before": round(turn.before, 3), "after": round(turn.after, 3),
        "sentence": together(back, told, hint, seen), "parts": [part for part in (back, told, hint, seen) if part],
        "better": path(turn.better), "played": path(played), "puzzle": _is_puzzle(turn),
    }  # fmt: skip


def _let_back(before: Fall, turn: Fall, analysis: Analysis, session: Session, names: Sequence[str]) -> str:
    number = given_back(analysis.chances, before, turn)
    mover = session.positions[number].seat if number else None
    if number is None or mover is None:
        return ""
    return say(
        "The mistake of move {earlier} went unpunished: {name} gave the chance back with move {number}.",
        earlier=before.number, name=names[mover], number=number,
    )  # fmt: skip
