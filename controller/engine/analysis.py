"""A game looked at once it is over: each seat's chance after every ply, and the plies that turned it.

Owns how a kept game is judged from its end backwards, so that what came later is known of what came before, and which
plies are its turning points. All of a game is open here, what was secret too. Pure, as the search is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from controller.engine.judgement import Shares, lost, outcome, won
from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.game import AnyGame
from controller.sentences import say

NODES = 2_000  # positions judged for each ply of a game
IN_ALL = 400_000  # positions judged for a whole game, about: a long one is looked at less closely
FEWEST = 200
TURNS = 3  # turning points of a game at most
APART = 5  # plies that lie between two of them at least: one mistake often brings about the next
LEAST = 0.1  # of the game: what a ply loses that counts as one


class Fall(msgspec.Struct, frozen=True):
    """A ply by which its ``seat`` lost: its chance was ``before`` with the ``better`` ply, and is ``after``.

    ``number`` counts plies from 1; ``line`` is how the game might have gone on, beginning with the better ply.
    """

    number: int
    seat: int
    before: float
    after: float
    better: str
    line: tuple[str, ...] = ()


class Analysis(msgspec.Struct, frozen=True):
    """``chances[n]`` has each seat's chance of winning after n plies, from 0 to 1, in all 1; a draw counts as a part.

    ``turns`` are the turning points, in the order of the game.
    """

    chances: tuple[Shares, ...]
    turns: tuple[Fall, ...]


def analysed(
    game: AnyGame,
    states: Sequence[Any],
    plies: Sequence[Any],
    seats: int,
    nodes: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    told: Callable[[int], None] = lambda done: None,
) -> Analysis:
    """Return the analysis of a game: ``states`` are its positions, ``plies`` those between them.

    ``nodes`` positions are judged for each ply; ``told`` is called with how many positions are done, out of all.
    """
    each = nodes or max(FEWEST, min(NODES, IN_ALL // max(1, len(plies))))
    look = _Look(game, seats, each, stop)
    chances = [look.end(states[-1])]
    falls: list[Fall] = []
    told(1)
    for number in range(len(plies), 0, -1):
        here, fall = look.back(states[number - 1], plies[number - 1], number, chances[-1])
        chances.append(here)
        falls += [fall] if fall else []
        told(len(plies) - number + 2)
    return Analysis(tuple(chances[::-1]), turning_points(falls))


def turning_points(falls: Sequence[Fall]) -> tuple[Fall, ...]:
    """Return the worst of ``falls``, at most `TURNS`, no two of them close together, in the order of the game."""
    chosen: list[Fall] = []
    for fall in sorted(falls, key=lambda fall: (fall.after - fall.before, fall.number)):
        near = any(abs(fall.number - other.number) < APART for other in chosen)
        if fall.before - fall.after >= LEAST and not near and len(chosen) < TURNS:
            chosen.append(fall)
    return tuple(sorted(chosen, key=lambda fall: fall.number))


class _Look:
    """How positions of one game are judged."""

    def __init__(self, game: AnyGame, seats: int, nodes: int, stop: Callable[[], bool]) -> None:
        self.game, self.seats, self.nodes, self.stop = game, seats, nodes, stop
        self.player = Player(game, seats)

    def end(self, state: Any) -> Shares:
        """Return the chances where a game ends, or breaks off."""
        result = self.game.result(state)
        if result.over:
            return outcome(result, self.seats, 0)
        return self.player.judge(state) if self._hidden(state) else self._found(state)[0]

    def back(self, state: Any, ply: Any, number: int, after: Shares) -> tuple[Shares, Fall | None]:
        """Return the chances before ``ply``, which led to ``after``, and what was lost by it.

        Nobody can be blamed for what was chosen in secret: such a ply changes nothing before it.
        """
        game, seat = self.game, self.game.seat(state)
        if seat is None or self._hidden(state) or game.leaver(state, ply) is not None:
            return after, None
        _, best, line = self._found(state)
        if best == ply:
            return after, None
        then = game.after(state, best)
        better = self.end(then)
        if better[seat] <= after[seat]:  # what was played is as good, seen from where it led
            return after, None
        written = tuple(_texts(game, state, line))
        return better, Fall(number, seat, better[seat], after[seat], written[0], written)

    def _found(self, state: Any) -> tuple[Shares, Any, tuple[Any, ...]]:
        seat = self.game.seat(state)
        assert seat is not None
        found = self.player.searched(state, seat, LEVELS[-1], 0, self.nodes, self.stop)
        return found.shares, found.ply, found.line

    def _hidden(self, state: Any) -> bool:
        return bool(self.game.secret and self.game.secret(state))


def _texts(game: AnyGame, state: Any, line: Sequence[Any]) -> list[str]:
    texts = []
    for ply in line:
        texts.append(game.text(state, ply))
        state = game.after(state, ply)
    return texts


# ---- in words ---------------------------------------------------------------------------------------------


def told(fall: Fall, name: str, played: str, better: str) -> str:
    """Return a turning point as a sentence; ``name`` is the seat's, ``played`` and ``better`` are plies in words."""
    number, before, after = fall.number, percent(fall.before), percent(fall.after)
    if won(fall.before):
        return say("Move {number}, {name}: {better} would have won by force; {played} left a chance of {after} %.",
                   number=number, name=name, better=better, played=played, after=after)  # fmt: skip
    if lost(fall.after):
        return say("Move {number}, {name}: {played} lost by force; {better} would have kept a chance of {before} %.",
                   number=number, name=name, better=better, played=played, before=before)  # fmt: skip
    return say("Move {number}, {name}: {played} took the chance from {before} % to {after} %; better was {better}.",
               number=number, name=name, better=better, played=played, before=before, after=after)  # fmt: skip


def percent(chance: float) -> int:
    """Return a chance in whole per cent."""
    return round(100 * min(max(chance, 0.0), 1.0))
