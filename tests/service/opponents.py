"""Games against the board at an `Evening`: its player with a thinker that answers at once, and a simulated hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from controller.game_setup import Opponents
from controller.orders import NewGame
from controller.rules.registry import game_named
from controller.service.thinking.board_player import BoardPlayer
from controller.service.thinking.guide import Guide
from controller.service.thinking.process import CoachCost, ProcessAnswer, Question
from controller.service.thinking.shared import SharedThinker
from tests.panel.finger import STEP_S, Finger

PATIENCE_S = 12.0


class FixedThinker:
    """A `Thinker` that draws each ply from the question's seed, from what was sent alone; ``mood`` may change it.

    ``mood`` returns what is said instead, None where it says nothing at all.
    """

    def __init__(self) -> None:
        self.heard: Callable[[ProcessAnswer | None], None] = lambda said: None
        self.questions: list[Question] = []
        self.awake, self.closed, self.stopped = False, 0, 0
        self.value, self.cost = 0.0, CoachCost()
        self.mood: Callable[[ProcessAnswer], ProcessAnswer | None] = lambda said: said

    def wake(self) -> None:
        self.awake = True

    def ask(self, question: Question) -> None:
        self.questions.append(question)
        cost = self.cost if question.made else CoachCost()
        said = self.mood(ProcessAnswer(question.id, self.chosen(question), self.value, cost=cost))
        if said is not None:
            self.heard(said)

    def chosen(self, question: Question) -> str:
        game = game_named(question.game)
        options = msgspec.convert(question.options, game.options)
        state = game.taken_over(bytes(question.known), options)
        seat = game.seat(state)
        assert seat == question.seat - 1
        assert game.known is None or game.known(state, seat) == state
        plies = [game.read(state, text) for text in question.among] or game.plies(state)
        doing = [ply for ply in plies if game.text(state, ply) != "end"]
        return game.text(state, random.Random(question.seed).choice(doing or plies))

    def stop(self, id: int) -> None:
        self.stopped += 1

    def close(self) -> None:
        self.closed += self.awake
        self.awake = False

    def rest(self) -> None:
        self.close()


class Solo(Finger):
    """A finger against the board; ``taps`` also lets the hand of the board's seats do its work."""

    def __init__(self, path: Path, board: str, thinker: Any = None, by_taps: bool = True) -> None:
        super().__init__(path, board, by_taps=by_taps)
        self.thinker = thinker or FixedThinker()
        shared = SharedThinker(self.thinker)
        self.guide = Guide(self.at.service, shared.part(), self._seconds)
        self.player = BoardPlayer(self.at.service, shared.part(), self._seconds, self.guide)

    def _seconds(self) -> float:
        return self.at.clock() / 1e6

    def against(self, game: str, *levels: int, answers: bool = False, coach: bool = False, **more: Any) -> None:
        held = Opponents(levels, answers, coach)
        self.at.order(NewGame(game=game, seed=1, opponents=held, **more))
        self.rest(0.5)

    def rest(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / STEP_S))):
            self.at.wait(STEP_S * 1000)
            self.guide.follow(self.at.seen)
            self.player.follow(self.at.seen)
            self.finisher.follow(self.at.seen)
            self.finisher.play_for_board()

    @property
    def mine(self) -> bool:
        """Whether a person is to move, or nobody, and all stands."""
        session = self.play.session
        return not (session.thinking or session.decided) and not self.play.setting_up and self.right()

    def stands(self, plies: tuple[str, ...]) -> None:
        """Let the board answer."""
        self.until(lambda: self.play.session.plies[: len(plies)] == plies and self.mine)

    def until(self, true: Callable[[], bool]) -> None:
        for _ in range(round(PATIENCE_S / STEP_S)):
            self.rest(STEP_S)
            if true():
                return
        play, table = self.play, self.at.table
        raise AssertionError((play.session.plies, play.session.decided, play.verdict, table.advice, self.at.seen.fault))
