"""Somebody who plays by taps alone at an `Evening`: tap a piece, tap where it goes, choose where that is asked."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from controller.devices.sensors.virtual_hand import VirtualHand
from controller.orders import NewGame, PlayPly
from controller.panel.hand.finishing_hand import FinishingHand
from controller.panel.pieces_needed import expected
from tests.service.evenings import Evening

STEP_S = 0.05
PATIENCE_S = 8.0
MOST_TAPS = 3  # from, to, and which of several: a promotion, how many units


def order(text: str, seat: int | None = None) -> PlayPly:
    return PlayPly(text=text, seat=seat)


class Finger:
    """A simulated board, its finishing hand, and a finger. ``taps`` counts what the last ply took."""

    def __init__(
        self, path: Path, board: str, seed: int = 1, evening: type[Evening] = Evening, by_taps: bool = True
    ) -> None:  # fmt: skip
        self.at = evening(path, board, by_taps=by_taps).start()
        self.dice = random.Random(seed)
        self.hand = VirtualHand(self.at.board)
        self.finisher = FinishingHand(
            lambda: self.hand, self.at.service, rest=lambda s: (self.at.wait(s * 1000), None)[1],
            clock=lambda: self.at.clock() / 1e6,
        )  # fmt: skip
        self.taps = 0

    def begin(self, game: str, **options: Any) -> None:
        self.at.order(NewGame(game=game, options=options, seed=1))
        self.rest(0.5)
        assert self.at.table.phase == "play", self.at.table

    @property
    def play(self) -> Any:
        return self.at.table.play

    def rest(self, seconds: float) -> None:
        """Let time pass, with the hand at work."""
        for _ in range(max(1, round(seconds / STEP_S))):
            self.at.wait(STEP_S * 1000)
            self.finisher.follow(self.at.seen)

    def where(self, name: str) -> str:
        return str(self.at.table.board.where(self.play.game_area.bit[name])[0])

    def held(self) -> str:
        held = self.hand.pieces()["held"]
        return held[-1]["id"] if held else ""

    def tap(self, name: str, ply: str = "") -> dict[str, Any]:
        self.taps += 1
        return self.finisher.tap(self.where(name), self.held(), ply, order)

    def make(self, ply: Any) -> None:
        """Make ``ply`` with taps, and hold the table and the pieces to it."""
        game, state, made = self.play.session.game, self.play.session.state, self.play.session.plies
        text, walk = game.text(state, ply), game.walk(state, ply)
        self.taps = 0
        sites = walk.path[:1] + walk.path[-1:] if len(walk.path) > 1 else (*walk.path, *filter(None, [walk.at]))
        if len(set(self.ways(walk.path))) > 1 and not self.play.session.afar.seats:
            sites = walk.path  # who means one of several ways taps its landings; between boards it is chosen in a list
        if len(walk.path) < 2 and walk.concerns and ":" not in "".join(sites):
            sites = (walk.concerns[0], *walk.path) if walk.path else (sites[0], walk.concerns[0])
        answer: dict[str, Any] = {}
        for site in sites:
            answer = self.tap(site)
            self.rest(self.dice.choice((0.1, 0.3, 1.0)) if site is not sites[-1] else 0)
        if choices := answer.get("choices"):
            assert text in {choice.ply for choice in choices}, (text, choices)
            self.tap(sites[-1], text)
        elif len(sites) < 2 and self.play.session.plies == made:  # held, or nowhere: chosen in the list of the cell
            if self.held():
                self.finisher.put_back(self.held())
                self.rest(0.1)
            self.at.service.submit(order(text))
        assert self.taps <= max(MOST_TAPS, len(sites))
        self.stands((*made, text))

    def ways(self, path: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the paths of all legal plies that begin and end where ``path`` does."""
        game, state = self.play.session.game, self.play.session.state
        paths = [game.walk(state, ply).path for ply in game.plies(state)]
        return [each for each in paths if each and (each[0], each[-1]) == (path[:1] + path[-1:])]

    def make_text(self, text: str) -> None:
        session = self.play.session
        self.make(session.game.read(session.state, text))

    def stands(self, plies: tuple[str, ...]) -> None:
        for _ in range(round(PATIENCE_S / STEP_S)):
            self.rest(STEP_S)
            if self.play.session.plies[: len(plies)] == plies and self.right():
                break
        self.rest(0.5)
        assert self.play.session.plies[: len(plies)] == plies, (
            plies[-1],
            self.play.session.plies[len(plies) - 1 :],
            self.at.table.advice,
            self.play.verdict,
        )
        assert self.right(), (plies[-1], self.hand.pieces(), expected(self.at.table))

    def right(self) -> bool:
        pieces = self.hand.pieces()
        standing = {site: (token["seat"], token["kind"]) for site, token in pieces["on"].items()}
        return not pieces["held"] and standing == {s: (p.seat, p.kind) for s, p in expected(self.at.table).items()}

    def stop(self) -> None:
        self.at.stop()
