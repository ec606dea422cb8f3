"""Finished games and what was found out about them, as the page of a game shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from controller.engine.turning_points import Analysis, Fall, turn_in_words
from controller.journal import analyses
from controller.journal.archive import Saved
from controller.panel.history_backend import HistoryBackend
from controller.refused import Refused
from controller.rules.game import Illegal, Unreadable
from controller.sentences import capital, say
from controller.service.thinking.analyst import Analyst
from controller.table.session import Session
from controller.typed import ready

FEWEST = 2  # plies


class AnalysesBackend:
    """A `web_panel.analyses.AnalysisAccess`."""

    def __init__(self, history: HistoryBackend, analyst: Analyst, journal: Path) -> None:
        self._history, self._analyst, self._journal = history, analyst, journal

    def analysis(self, game_id: int) -> dict[str, Any]:
        """Return ``{"state", "done", "of", "chances", "turns", …}`` of a game.

        ``state`` is "none", "waits", "runs", "failed" (with the ``sentence``) or "done".
        """
        saved, session = self._opened(game_id)
        if (file := analyses.analysis_of(self._journal, saved)) is not None:
            try:
                return _shown(msgspec.json.decode(file, type=ready(Analysis)), session, saved)
            except (msgspec.DecodeError, Illegal, Unreadable, IndexError):
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

    def _opened(self, game_id: int) -> tuple[Saved, Session]:
        """Return a game that may be looked at; raises `Refused`."""
        saved, session = self._history.opened(game_id)
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
    turns = [_turn(turn, session, names[turn.seat]) for turn in analysis.turns]
    chances = [[round(chance, 3) for chance in each] for each in analysis.chances]
    return {"state": "done", "seats": names, "chances": chances, "turns": turns}


def _name(seat: int, session: Session, saved: Saved) -> str:
    """Return what the player of ``seat`` is called: the person's name, the board with its level, else the seat's."""
    if level := saved.header.opponents.level(seat):
        return say("Board, level {level}", level=level)
    name = next(iter(saved.seating.people[seat : seat + 1]), "")
    return name or capital(say(session.game.facts.seats[seat]))


def _turn(turn: Fall, session: Session, name: str) -> dict[str, Any]:
    game, before = session.game, session.positions[turn.number - 1].state
    played = session.positions[turn.number].text

    def words(text: str) -> str:
        return game.say(before, game.read(before, text)) if game.say else text

    def path(text: str) -> list[str]:
        walk = game.walk(before, game.read(before, text))
        return list(walk.path or ((walk.at,) if walk.at else ()))

    return {
        "ply": turn.number, "seat": turn.seat, "before": round(turn.before, 3), "after": round(turn.after, 3),
        "sentence": turn_in_words(turn, name, words(played), words(turn.better)),
        "better": path(turn.better), "played": path(played),
    }  # fmt: skip
