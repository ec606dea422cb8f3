"""A game looked at once it is over: each seat's chance after every ply, and the plies that turned it.

All of a game is open here, what was secret too. Pure, as the search is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from controller.engine.judgement import Shares, outcome
from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.engine.puzzles import stands_out, texts
from controller.engine.turning_points import Analysis, Fall, matters, turning_points
from controller.engine.whole_turn import after_all, whole_turn
from controller.rules.game import AnyGame, Result

replace = msgspec.structs.replace

NODES = 2_000  # positions judged for each ply of a game
IN_ALL = 400_000  # positions judged for a whole game, about: a long one is looked at less closely
FEWEST = 200
FEW = 3  # of so many plies one at most wins where that is to be found
LONGER = 4  # times as many positions, where a turn of several plies seems a mistake


def analysed(
    game: AnyGame,
    states: Sequence[Any],
    plies: Sequence[Any],
    seats: int,
    nodes: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    told: Callable[[int], None] = lambda done: None,
    options: Any = None,
    winner: int | None = None,
) -> Analysis:
    """Return the analysis of a game: ``states`` are its positions, ``plies`` those between them.

    ``winner`` is the seat that won where somebody gave up or ran out of time, None where the last position says it.
    ``nodes`` positions are judged for each ply; ``told`` is called with how many positions are done, out of all.
    ``options`` are those of the game, None for the usual ones.
    """
    each = nodes or max(FEWEST, min(NODES, IN_ALL // max(1, len(plies))))
    look = _Look(game, seats, each, stop, options)
    chances = [look.end(states[-1])]
    falls: list[Fall] = []
    told(1)
    left = len(plies)  # plies to go back over
    while left:
        turn = look.turn_to(states, plies, left)
        here, fall = look.back(states[left - turn], tuple(plies[left - turn : left]), left - turn + 1, chances[-1])
        erred = fall.number if fall else 0  # with that ply the chance fell, and with no other of its turn
        chances += [here if number <= erred else chances[-1] for number in range(left, left - turn, -1)]
        falls += [fall] if fall else []
        left -= turn
        told(len(plies) - left + 1)
    end = chances[0] if winner is None else outcome(Result(True, winner), seats, 0)
    missed = look.missed(states, plies, chances[::-1], end)
    falls = [*missed.values(), *(fall for fall in falls if fall.number not in missed)]
    turns = tuple(look.as_puzzle(states[fall.number - 1], fall) for fall in look.sure(falls, end))
    return Analysis(tuple(chances[::-1]), turns)


class _Look:
    """How positions of one game are judged."""

    def __init__(self, game: AnyGame, seats: int, nodes: int, stop: Callable[[], bool], options: Any) -> None:
        self.game, self.seats, self.nodes, self.stop = game, seats, nodes, stop
        self.player = Player(game, seats, options=options)
        self.ends: dict[int, tuple[Any, Any]] = {}  # by number of a fall: where the best turn led, and that played

    def end(self, state: Any, times: int = 1) -> Shares:
        """Return the chances where a game ends, or breaks off."""
        result = self.game.result(state)
        if result.over:
            return outcome(result, self.seats, 0)
        return self.player.judge(state) if self._hidden(state) else self._found(state, times)[0]

    def turn_to(self, states: Sequence[Any], plies: Sequence[Any], last: int) -> int:
        """Return of how many plies the turn was that ended with ply ``last``; one that is nobody's to blame is alone.

        In the middle of a turn, units in a coffer or a beacon half paid for are worth little or much by where a search
        breaks off, so that a curve would jump with each ply. What a turn came to is seen where it is over.
        """
        if not self._blamed(states[last - 1], plies[last - 1]):
            return 1
        first, seat = last, self.game.seat(states[last - 1])
        while (
            first > 1
            and self.game.seat(states[first - 2]) == seat
            and self._blamed(states[first - 2], plies[first - 2])
        ):
            first -= 1
        return last - first + 1

    def _blamed(self, state: Any, ply: Any) -> bool:
        """Whether a ply may be a mistake: what was chosen in secret is none, nor is giving up."""
        return not (self.game.seat(state) is None or self._hidden(state) or self.game.leaver(state, ply) is not None)

    def back(self, state: Any, turn: tuple[Any, ...], number: int, after: Shares) -> tuple[Shares, Fall | None]:
        """Return the chances before a ``turn`` that began with ply ``number`` and led to ``after``, and what was lost.

        Its mistake is the ply by which it left the best turn.
        """
        game, seat = self.game, self.game.seat(state)
        if seat is None or not self._blamed(state, turn[0]):
            return after, None
        _, first, line = self._found(state)
        best = whole_turn(self.player, state, first, 0, self.nodes, self.stop)
        same = next((n for n, (one, other) in enumerate(zip(best, turn, strict=False)) if one != other), None)
        if same is None:  # it was played, as far as the game went
            return after, None
        better = self.end(after_all(game, state, best))
        if better[seat] <= after[seat]:  # what was played is as good, seen from where it led
            return after, None
        if len(best) > 1:
            self.ends[number + same] = after_all(game, state, best), after_all(game, state, turn)
        written = texts(game, after_all(game, state, best[:same]), best[same:] if len(best) > 1 else line)
        return better, Fall(number + same, seat, better[seat], after[seat], written[0], written)

    def missed(
        self, states: Sequence[Any], plies: Sequence[Any], chances: Sequence[Shares], end: Shares
    ) -> dict[int, Fall]:
        """Return, by number, where a seat that has not won in the ``end`` could have won with one ply, and did not.

        That it could still win afterwards makes it no less: a search does not see how easily a win slips away.
        """
        game, found = self.game, dict[int, Fall]()
        for number, (state, ply) in enumerate(zip(states, plies, strict=False), 1):
            seat = game.seat(state)
            if seat is None or end[seat] >= 1 / self.seats or game.shared(state) or not self._blamed(state, ply):
                continue
            won = sorted(game.text(state, each) for each in self._wins(state, seat))
            if won and game.text(state, ply) not in won:
                before = outcome(Result(True, seat), self.seats, 1)[seat]
                found[number] = Fall(number, seat, before, chances[number][seat], won[0], (won[0],))
        return found

    def _wins(self, state: Any, seat: int) -> list[Any]:
        """Return the plies by which ``seat`` wins at once."""
        game = self.game
        return [ply for ply in game.moves(state) if game.result(game.after(state, ply)).winner == seat]

    def sure(self, falls: Sequence[Fall], end: Shares) -> tuple[Fall, ...]:
        """Return the turning points among ``falls``, without those of which a longer look sees less than a mistake."""
        turns = turning_points(falls, end)
        doubted = [fall for fall in turns if not self._holds(fall)]
        return self.sure([fall for fall in falls if fall not in doubted], end) if doubted else turns

    def _holds(self, fall: Fall) -> bool:
        """Whether a longer look, as long at both, sees the best turn so much better than the one played.

        A turn of several plies has so many others like it that the best of them looks better by chance.
        """
        if fall.number not in self.ends:
            return True
        best, played = (self.end(state, LONGER)[fall.seat] for state in self.ends[fall.number])
        return matters(replace(fall, before=best, after=played))

    def as_puzzle(self, state: Any, fall: Fall) -> Fall:
        """Return a turning point with what its better ply does, if the position before is a puzzle.

        A win at once that was left is one even where others win, too: each of those that do so at once is right then.
        """
        game, better = self.game, self.game.read(state, fall.better)
        plies = game.moves(state)
        wins = self._wins(state, fall.seat)
        if better in wins and len(wins) * FEW <= len(plies):
            return replace(fall, aim="once")
        aim, _ = stands_out(self.player, state, better, fall.number, self.stop)
        return replace(fall, aim=aim)

    def _found(self, state: Any, times: int = 1) -> tuple[Shares, Any, tuple[Any, ...]]:
        seat = self.game.seat(state)
        assert seat is not None
        found = self.player.searched(state, seat, LEVELS[-1], 0, times * self.nodes, self.stop)
        return found.shares, found.ply, found.line

    def _hidden(self, state: Any) -> bool:
        return bool(self.game.secret and self.game.secret(state))
