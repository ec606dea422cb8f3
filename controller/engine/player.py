"""A player that is a program: which ply to make, from what its seat may know.

Owns which way of searching fits a position: the book, a bid, guesses where something is hidden, alpha-beta, best first.
The same position, level, nodes and seed give the same ply on every machine, as long as ``stop`` says no. Only a player
that is told how its time passes goes on with what it has found before.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.alpha_beta import LONG, USUAL, AlphaBeta
from controller.engine.best_first import BestFirst
from controller.engine.bidding import bid, evenly
from controller.engine.cannot_think import CannotThink
from controller.engine.endgames import solved_for
from controller.engine.forced import Forced
from controller.engine.found import Found, Sight
from controller.engine.guessed import Guessed
from controller.engine.judgement import Judge, Weights, difference_of, judge_of, outcome, weights_of
from controller.engine.learned import network_in, shipped_for
from controller.engine.levels import LEVELS, Level
from controller.engine.proof import Proof
from controller.rules.characters import slant_of
from controller.rules.game import AnyAdvice, AnyGame, Result
from controller.rules.registry import advice_of
from controller.sentences import say, together

NEAR_WINS = 3_000  # positions in which a win in two is looked for beside those of the level
STEP = 256  # positions between two questions whether it is enough, at most
SLICE = 1_000  # positions after which the ways of searching take turns
MOST_NODES = 80_000  # of one search, whatever is asked for: what it keeps stays below 50 MB
FAR = 0.72  # the share of who is two stones of Tides of War ahead: from there on a game is to be ended
MOST_AHEAD = 400_000  # of one search while another seat thinks: alpha-beta keeps no more, however long it looks
Stop = Callable[[], bool]
Passed = Callable[[float], bool]  # whether such a part of the usual time for a ply is over


class ChosenPly(msgspec.Struct, frozen=True):
    """The ply, what the game is then worth to its seat from -1 (lost) to 1 (won), the line, the positions judged."""

    ply: Any
    value: float
    line: tuple[Any, ...]
    nodes: int


class Player:
    """A player of one game with ``seats`` seats; it keeps the game's advice and weights.

    Of positions it keeps its last search by alpha-beta, where its time was told or another seat's was used.
    """

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        weights: Weights | None = None,
        advice: AnyAdvice | None = None,
        character: str = "",
        options: Any = None,
        learned: Path | None = None,
    ) -> None:
        """``character`` is one of the game's, "" for none; raises `BadCharacter`.

        ``options`` are those of the game that it plays, None for the usual ones. ``learned`` is a folder with a network
        to play by, None for the game's own; who has ``weights`` plays by them alone.
        """
        self.game, self.seats, self.options = game, seats, options
        self.advice = advice or advice_of(game.facts.name)
        weighed = weights_of(game.facts.name) if weights is None else weights
        self.judge: Judge = judge_of(game, seats, self.advice, weighed)
        self.thinks_of = self.advice.thinks_of if self.advice else None
        slant = slant_of(game.facts.name, character)
        self._differences = []
        if seats == 2 and self.advice and self.advice.tactics and weighed:
            self._differences = [difference_of(self.advice, weighed, slant, seat) for seat in (0, 1)]
        self._network, self._solved, self.why_not = None, None, ""
        if self._differences and weights is None:
            played = game.options() if options is None else options
            shipped = shipped_for(game, played) if learned is None else network_in(learned, game.facts.name)
            self._network, not_learned = shipped
            self._solved, not_solved = solved_for(game, played)
            self.why_not = together(not_learned, not_solved)
        self._judges = [judge_of(game, seats, self.advice, weighed, slant, seat) for seat in range(seats)]
        self._last: dict[int, AlphaBeta] = {}  # by the seat for which it was, one at most

    def choose(
        self,
        state: Any,
        level: Level,
        seed: int,
        nodes: int | None = None,
        stop: Stop = lambda: False,
        passed: Passed | None = None,
        made: int | None = None,
    ) -> ChosenPly:
        """Return what the seat to move does in ``state``, of which it is told what it may know; the game is not over.

        ``nodes`` is the most positions to judge, the level's where it is None; ``stop`` is asked after each step. Who
        is told how much of its usual time has ``passed`` takes less where its ply is clear, and more where it is not.
        ``made`` is how many plies the game has, for a level that spares beginners; None where that does not matter.
        """
        game, seat = self.game, self.game.seat(state)
        assert seat is not None
        known = game.known(state, seat) if game.known else state
        book = self.advice.book(known, seed) if self.advice and self.advice.book else None
        if book is not None:
            return ChosenPly(book, 0.0, (book,), 0)
        most = min(level.nodes if nodes is None else nodes, MOST_NODES)
        if game.secret and game.secret(known):
            found = self._guessed(known, seat, level, seed, most, _or_passed(stop, passed))
        else:
            found = self.searched(known, seat, level, seed, most, stop, passed)
            if made is not None and made < level.spares:
                found = self._spared(known, seat, found)
        return ChosenPly(found.ply, 2 * found.shares[seat] - 1, found.line, found.nodes)

    def _spared(self, known: Any, seat: int, found: Found) -> Found:
        """Return ``found``, with the ply that judges best of those after which the game goes on, if any does."""
        game = self.game
        if not game.result(game.after(known, found.ply)).over:
            return found
        after = [(ply, game.after(known, ply)) for ply in game.moves(known)]
        on = [(self._judges[seat](state), ply) for ply, state in after if not game.result(state).over]
        if not on:
            return found
        shares, ply = max(on, key=lambda each: each[0][seat])
        return msgspec.structs.replace(found, ply=ply, shares=shares, line=(ply,), decided=False)

    def ahead(self, state: Any, seed: int, stop: Stop) -> ChosenPly:
        """Search for the other seat of two while the one to move thinks, and return what that one is expected to do.

        What is found serves the next ply of the other seat. Raises `CannotThink` where something is hidden, and in a
        game that is not searched by alpha-beta.
        """
        game, mover = self.game, self.game.seat(state)
        assert mover is not None
        if not self._differences or (game.secret and game.secret(state)):
            raise CannotThink(say("nothing can be thought out ahead here"))
        search = self._search(state, 1 - mover, LEVELS[-1], seed, keeps=True)
        search.run(MOST_AHEAD, stop)
        found = search.found()
        return ChosenPly(found.ply, 2 * found.shares[mover] - 1, found.line, found.nodes)

    def _search(self, state: Any, seat: int, level: Level, seed: int, keeps: bool) -> AlphaBeta:
        """Return a search for ``seat``; one that ``keeps`` what it finds goes on with the last such one."""
        assert self.advice is not None
        assert self.advice.tactics is not None
        last = self._last.get(seat) if keeps else None
        network, solved = (self._network, self._solved) if level.learned else (None, None)
        counts, tactics, sight = self._differences[seat], self.advice.tactics, self._sight(state, seat, level)
        search = AlphaBeta(self.game, state, tactics, counts, sight, seed, last, network, solved)
        if keeps:
            self._last = {seat: search}
        return search

    def _sight(self, state: Any, seat: int, level: Level) -> Sight:
        """Return how well ``seat`` sees in ``state``: who is far ahead knows a win at once, and errs less and less.

        What then tells positions apart is small, so that the errors of an even game would hide every way to its end.
        """
        sight = level.sight
        if not sight.errs or (share := self._judges[seat](state)[seat]) < FAR:
            return sight
        errs = max(1, round(sight.errs * share * (1 - share) / (FAR * (1 - FAR))))
        return msgspec.structs.replace(sight, errs=errs, wins_in=max(1, sight.wins_in))

    def _guessed(self, known: Any, seat: int, level: Level, seed: int, nodes: int, stop: Stop) -> Found:
        """Decide where something is hidden: a bid that all make in secret, else by guesses of what others have."""
        game, judge = self.game, self._judges[seat]
        if game.shared(known) is not None and game.imagine:
            if level.spares:
                return evenly(game, known, self.seats, seed)
            return bid(game, known, seat, self.seats, judge, nodes, seed, stop)
        hidden = Guessed(game, known, seat, self.seats, judge, level.sight, seed)
        hidden.run(nodes, stop)
        return hidden.found()

    def searched(
        self, known: Any, seat: int, level: Level, seed: int, nodes: int, stop: Stop, passed: Passed | None = None
    ) -> Found:
        """Search a state in which all is open, and for a forced win beside it, until ``stop`` says so."""
        if self._differences:
            return self._by_alpha_beta(known, seat, level, seed, nodes, stop, passed)
        proof, sight = Proof(self.game, known), self._sight(known, seat, level)
        search = BestFirst(self.game, known, self.seats, self._judges[seat], sight, seed, self.thinks_of)
        spent, stop = search.looked_at, _or_passed(stop, passed)
        nodes = spent if passed and len(search.root.plies) == 1 else nodes
        while not search.root.done and spent < nodes and not stop():
            part = min(SLICE, nodes - spent)
            if level.proves:
                proof.run(proof.looked_at + part * level.proves // 100, stop)
                if line := proof.line():
                    return self._proved(line, seat, search.looked_at + proof.looked_at)
            search.run(search.looked_at + max(1, part * (100 - level.proves) // 100), stop)
            spent = search.looked_at + proof.looked_at
        found = search.found()
        if level.proves and found.decided and found.shares[seat] > 0.5:  # a win, and perhaps there is a nearer one
            proof.run(nodes * level.proves // 100, stop)
            spent = search.looked_at + proof.looked_at
            if 0 < len(line := proof.line()) < len(found.line):
                return self._proved(line, seat, spent)
        return msgspec.structs.replace(found, nodes=spent)

    def _by_alpha_beta(
        self, known: Any, seat: int, level: Level, seed: int, nodes: int, stop: Stop, passed: Passed | None
    ) -> Found:
        """Search by alpha-beta, and for a forced win beside it; ``nodes`` are the positions of both.

        Those in which a win in two is looked for first come on top. Where the time is told, as many as belong to the
        part of the time that the position is worth.
        """
        forced = Forced(self.game, known)
        search = self._search(known, seat, level, seed, keeps=passed is not None)
        proves = level.proves

        def enough() -> bool:
            part = search.part() if passed else USUAL
            if search.looked_at + forced.looked_at - on_top + STEP >= nodes * part or (passed and passed(part)):
                return True
            if proves:
                forced.run(search.looked_at * proves // (100 - proves), stop, search.plies)
            return bool(forced.line()) or stop()

        if level.sight.wins_in > 1:
            forced.near(NEAR_WINS, stop, level.sight.wins_in)
        on_top = forced.looked_at
        if not forced.line():
            search.run(round(nodes * LONG) if passed else nodes, enough)
        line, beside = forced.line(), search.looked_at
        if line and not (search.done and len(search.found().line) <= len(line)):
            return self._proved(line, seat, beside + forced.looked_at)
        return msgspec.structs.replace(search.found(), nodes=beside + forced.looked_at)

    def _proved(self, line: tuple[Any, ...], seat: int, nodes: int) -> Found:
        """Return the win that is proved, by ``line``, after so many positions."""
        sure = outcome(Result(True, seat), self.seats, len(line))
        return Found(line[0], sure, ((line[0], sure[seat]),), line, nodes, True)


def _or_passed(stop: Stop, passed: Passed | None) -> Stop:
    """Return what says that it is enough where no more than the usual time is taken."""
    return stop if passed is None else lambda: passed(USUAL) or stop()
