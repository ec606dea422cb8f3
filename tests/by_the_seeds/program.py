"""The program as the referees see it: in process through what docs/api.md names, or by its command line."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.registry import game_named

NONE = -1  # docs/api.md, Mesh: no cell beyond a side


class Answer(NamedTuple):
    """What is known of a position; seats count from 0. What a way of asking does not tell is None."""

    legal: list[str] | None
    to_move: int | None
    over: bool
    winner: int | None
    why: str
    scores: tuple[int, ...] | None
    leavers: list[int] | None = None
    pieces: dict[str, int] | None = None
    claimable: bool | None = None


class Refused(Exception):
    """The program does not take a ply; the text is its sentence."""


class InProcess:
    """A game in process: the state and the functions of `Game`."""

    def __init__(self, name: str, options: Mapping[str, Any]) -> None:
        self.game: AnyGame = game_named(name)
        self.options = self.game.options(**options)
        self.state = self.game.start(self.options, int(options.get("seed", 0)))
        self.players = int(options.get("players", 2))

    def play(self, text: str) -> None:
        """Make a ply, or `out 3`; raises `Refused`."""
        try:
            self.state = self.game.play_text(self.state, text)
        except (Illegal, Unreadable) as refused:
            raise Refused(str(refused)) from refused

    def refuses(self, text: str) -> bool:
        """Return whether ``text`` cannot be played."""
        try:
            self.game.play_text(self.state, text)
        except (Illegal, Unreadable):
            return True
        return False

    def answer(self) -> Answer:
        """Return what is known of the position."""
        game, state = self.game, self.state
        result = game.result(state)
        leavers = [seat for seat in range(self.players) if game.leaves and game.leaves(state, seat) is not None]
        pieces = {at: NONE if piece.seat is None else piece.seat for at, piece in game.shape(state).items()}
        legal = [game.text(state, ply) for ply in game.plies(state)]
        claimable = bool(game.claim and game.claim(state))
        return Answer(
            legal, game.seat(state), result.over, result.winner, result.why, result.scores, leavers, pieces, claimable
        )

    def seen(self, seat: int | None) -> dict[str, Any]:
        """Return what ``seat`` is shown, with the costs of all adjacencies where there are any."""
        view = self.game.look(self.state, seat)
        if view.shells is None:
            return dict(view.data)
        costs = {pair: (cost.pay, cost.move) for pair, cost in view.shells.costs.items()}
        return {**view.data, "costs": costs | {(b, a): cost for (a, b), cost in costs.items()}}

    def pieces(self, seat: int | None) -> dict[str, int]:
        """Return whose pieces ``seat`` sees."""
        pieces = self.game.look(self.state, seat).pieces
        return {at: NONE if piece.seat is None else piece.seat for at, piece in pieces.items()}

    def look(self, seat: int | None) -> object:
        """Return all that ``seat`` may know, to be compared with what it sees of another game."""
        return self.game.look(self.state, seat)

    def sides(self) -> tuple[list[str], dict[str, list[tuple[str, int] | None]]]:
        """Return the cells of the board, and which side of which cell lies beyond each of their sides."""
        mesh = self.game.mesh(self.options)
        names = list(mesh.cells)
        beyond: dict[str, list[tuple[str, int] | None]] = {}
        for at, name in enumerate(names):
            pairs = zip(mesh.neighbours[at], mesh.facing[at], strict=True)
            beyond[name] = [None if to == NONE else (names[to], there) for to, there in pairs]
        return names, beyond


class CommandLine:
    """The same game asked for with `beaconboard legal` and `result`, each time from the start."""

    def __init__(self, name: str, options: Mapping[str, Any]) -> None:
        self.name = name
        self.given = [part for key, value in options.items() for part in ("--option", f"{key}={str(value).lower()}")]
        self.plies: list[str] = []

    def ask(self, command: str, plies: list[str]) -> str:
        """Return what the command prints; raises `Refused`."""
        after = ["--after", "; ".join(plies)] if plies else []
        words = [sys.executable, "-m", "controller", command, self.name, *self.given, *after]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            raise Refused(done.stderr.strip())
        return done.stdout

    def play(self, text: str) -> None:
        """Make a ply; raises `Refused`."""
        self.ask("result", [*self.plies, text])
        self.plies.append(text)

    def refuses(self, text: str) -> bool:
        """Return whether ``text`` cannot be played."""
        try:
            self.ask("result", [*self.plies, text])
        except Refused:
            return True
        return False

    def answer(self) -> Answer:
        """Return what is known of the position."""
        result = json.loads(self.ask("result", self.plies))
        legal = self.ask("legal", self.plies).splitlines()
        winner, to_move = [result[word] and result[word] - 1 for word in ("winner", "to_move")]
        scores = None if result["scores"] is None else tuple(result["scores"])
        return Answer(legal, to_move, result["over"], winner, result["why"] or "", scores)
