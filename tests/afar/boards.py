"""Two families: a simulated board each, with a hand, and a broker between them. Time at each table moves by hand; what
crosses takes as long as it takes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from controller.broker import Broker
from controller.game_setup import ClockRule
from controller.orders import NewGame, PlayPly
from controller.service.afar.boards import BetweenBoards
from tests.panel.finger import Finger

PATIENCE_S = 20.0
BEAT_S = 0.004  # of real time, in which something may come across


class Family(Finger):
    """A board at which a hand plays one seat; what was played at the other board it does as the lights say."""

    def __init__(self, path: Path, board: str, port: int | None, user: str = "", password: str = "") -> None:
        super().__init__(path / "games.sqlite3", board)
        address = Broker("127.0.0.1", port, user=user, password=password) if port else None
        self.afar = BetweenBoards(self.at.service, path / "afar", address)
        self.afar.start()
        self.path, self.name, self.port = path, board, port

    def rest(self, seconds: float) -> None:
        super().rest(seconds)
        if hasattr(self, "afar"):
            self.finisher.play_for_board()
            time.sleep(BEAT_S)

    def until(self, true: Callable[[], bool]) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not true():
            play = self.play
            assert time.monotonic() < end_s, (
                play and (play.session.plies, play.session.decided, play.sent, play.session.afar),
                self.at.table.advice, self.at.seen.fault, self.afar.links(),
                play and self.at.table.now ^ play.settled.position.standing,
            )  # fmt: skip
            self.rest(0.05)

    def order_any(self) -> str:
        """Order any ply that may be made here, as a phone would; returns it."""
        game, state = self.play.session.game, self.play.session.state
        text = str(game.text(state, next(iter(game.plies(state)))))
        self.at.order(PlayPly(text=text))
        return text

    def follows(self, link: str) -> None:
        """Join the game behind ``link``, and wait until it is here."""
        self.afar.join(link)
        self.until(lambda: self.play is not None and self.play.session.afar.follows and not self.play.setting_up)

    def stands(self, plies: tuple[str, ...]) -> None:
        self.until(lambda: self.play.session.plies[: len(plies)] == plies and self.right())

    def stop(self) -> None:
        self.at.stop()
        self.afar.stop()

    def again(self) -> Family:
        """Start this board again, as after a power cut."""
        self.stop()
        return type(self)(self.path, self.name, self.port)


class Families:
    """A game between two boards; the far one plays the second seat."""

    def __init__(self, path: Path, home: str, far: str, port: int, far_port: int | None = None, seed: int = 1) -> None:
        (path / "home").mkdir()
        (path / "far").mkdir()
        self.home, self.far = Family(path / "home", home, port), Family(path / "far", far, None)
        self.dice, self._far_port, self._port = random.Random(seed), far_port or port, port

    def begin(self, game: str, clock: ClockRule | None = None, **options: object) -> None:
        self.home.at.order(NewGame(game=game, options=options, seed=1, clock=clock))
        self.home.rest(0.5)
        self.far.follows(self.home.afar.invite(1).replace(f":{self._port}/", f":{self._far_port}/"))

    @property
    def plies(self) -> tuple[str, ...]:
        return tuple(self.home.play.session.plies)

    def together(self) -> None:
        """Wait until both tables have the same game, and all pieces stand."""
        self.far.until(lambda: self.far.play.session.plies == self.plies and self.far.right())
        self.home.until(self.home.right)
        assert self.far.play.result == self.home.play.result
        for family in (self.home, self.far):
            family.rest(0.2)  # until the last piece counts

    def move(self, before_it_stands: Callable[[Family], None] = lambda family: None) -> str:
        """Let the hand whose turn it is make a ply, and the other board follow; returns it."""
        self.together()
        session = self.home.play.session
        family = self.far if session.game.seat(session.state) == 1 else self.home
        game, state = session.game, session.state
        doing = [ply for ply in game.plies(state) if game.text(state, ply) != "end"]
        ply = self.dice.choice(doing or list(game.plies(state)))
        before_it_stands(family)
        family.make(ply)
        self.together()
        return str(game.text(state, ply))

    def play(self, most: int) -> None:
        """Play on until the game is over, or for so many plies."""
        made = 0
        while not self.home.play.result.over and made < most:
            self.move()
            made += 1

    def stop(self) -> None:
        self.far.stop()
        self.home.stop()
