"""A player that is a program: which ply to make, from what its seat may know.

Owns which way of searching fits a position: the book, a bid, guesses where something is hidden, else best first.
Pure: the same position, level, nodes and seed give the same ply on every machine, as long as ``stop`` says no.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from controller.engine.alpha_beta import AlphaBeta
from controller.engine.best_first import BestFirst
from controller.engine.bidding import bid
from controller.engine.found import Found
from controller.engine.guessed import Guessed
from controller.engine.judgement import Judge, Weights, difference_of, judge_of, outcome, weights_of
from controller.engine.learned import shipped
from controller.engine.levels import Level
from controller.engine.proof import Proof
from controller.rules.characters import slant_of
from controller.rules.game import AnyAdvice, AnyGame, Result
from controller.rules.registry import advice_of

NEAR_WINS = 1_500  # positions in which a win in two is looked for beside those of the level
STEP = 256  # positions between two questions whether it is enough, at most
SLICE = 1_000  # positions after which the ways of searching take turns
MOST_NODES = 80_000  # of one search, whatever is asked for: what it keeps stays below 50 MB


class ChosenPly(msgspec.Struct, frozen=True):
    """The ply, what the game is then worth to its seat from -1 (lost) to 1 (won), the line, the positions judged."""

    ply: Any
    value: float
    line: tuple[Any, ...]
    nodes: int


class Player:
    """A player of one game with ``seats`` seats; it keeps the game's advice and weights, and nothing of a position."""

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        weights: Weights | None = None,
        advice: AnyAdvice | None = None,
        character: str = "",
    ) -> None:
        """``character`` is one of the game's, "" for none; raises `BadCharacter`."""
        self.game, self.seats = game, seats
        self.advice = advice or advice_of(game.facts.name)
        weighed = weights_of(game.facts.name) if weights is None else weights
        self.judge: Judge = judge_of(game, seats, self.advice, weighed)
        slant = slant_of(game.facts.name, character)
        self._differences = []
        if seats == 2 and self.advice and self.advice.tactics and weighed:
            self._differences = [difference_of(self.advice, weighed, slant, seat) for seat in (0, 1)]
        self._network, self.why_not = shipped(game.facts.name) if self._differences and weights is None else (None, "")
        self._judges = [judge_of(game, seats, self.advice, weighed, slant, seat) for seat in range(seats)]

    def choose(
        self, state: Any, level: Level, seed: int, nodes: int | None = None, stop: Callable[[], bool] = lambda: False
    ) -> ChosenPly:
        """Return what the seat to move does in ``state``, of which it is told what it may know; the game is not over.

        ``nodes`` is the most positions to judge, the level's where it is None; ``stop`` is asked after each step.
        """
        game, seat = self.game, self.game.seat(state)
        assert seat is not None
        known = game.known(state, seat) if game.known else state
        book = self.advice.book(known, seed) if self.advice and self.advice.book else None
        if book is not None:
            return ChosenPly(book, 0.0, (book,), 0)
        most = min(level.nodes if nodes is None else nodes, MOST_NODES)
        found = self._found(known, seat, level, seed, most, stop)
        return ChosenPly(found.ply, 2 * found.shares[seat] - 1, found.line, found.nodes)

    def _found(self, known: Any, seat: int, level: Level, seed: int, nodes: int, stop: Callable[[], bool]) -> Found:
        game = self.game
        if game.secret and game.secret(known):
            if game.shared(known) is not None and game.imagine:
                return bid(game, known, seat, self.seats, self._judges[seat], nodes, seed, stop)
            hidden = Guessed(game, known, seat, self.seats, self._judges[seat], level.sight, seed)
            hidden.run(nodes, stop)
            return hidden.found()
        return self.searched(known, seat, level, seed, nodes, stop)

    def searched(self, known: Any, seat: int, level: Level, seed: int, nodes: int, stop: Callable[[], bool]) -> Found:
        """Search a state in which all is open, and for a forced win beside it, until ``stop`` says so."""
        if self._differences:
            return self._by_alpha_beta(known, seat, level, seed, nodes, stop)
        proof = Proof(self.game, known)
        search = BestFirst(self.game, known, self.seats, self._judges[seat], level.sight, seed)
        spent = search.looked_at
        while not search.root.done and spent < nodes and not stop():
            part = min(SLICE, nodes - spent)
            if level.proves:
                proof.run(proof.looked_at + part * level.proves // 100, stop)
                if proof.line():
                    return self._proved(proof, search.looked_at)
            search.run(search.looked_at + max(1, part * (100 - level.proves) // 100), stop)
            spent = search.looked_at + proof.looked_at
        found = search.found()
        if level.proves and found.decided and found.shares[seat] > 0.5:  # a win, and perhaps there is a nearer one
            proof.run(nodes * level.proves // 100, stop)
            spent = search.looked_at + proof.looked_at
            if 0 < len(proof.line()) < len(found.line):
                return self._proved(proof, search.looked_at)
        return msgspec.structs.replace(found, nodes=spent)

    def _by_alpha_beta(
        self, known: Any, seat: int, level: Level, seed: int, nodes: int, stop: Callable[[], bool]
    ) -> Found:
        """Search by alpha-beta, and for a forced win beside it; ``nodes`` are the positions of both."""
        assert self.advice is not None
        assert self.advice.tactics is not None
        proofs = [Proof(self.game, known, nearest) for nearest in (3, 2)]
        finer = self._network.worth if self._network and level.learned else None
        search = AlphaBeta(self.game, known, self.advice.tactics, self._differences[seat], level.sight, seed, finer)
        proves, rest = level.proves, 2 * (100 - level.proves)

        def proved() -> Proof | None:
            return next((proof for proof in proofs if proof.line()), None)

        def enough() -> bool:
            spent = search.looked_at + sum(proof.looked_at for proof in proofs)
            if spent + STEP >= nodes:
                return True
            for proof in proofs:
                if search.looked_at * proves > proof.looked_at * rest and not proof.over:
                    proof.run(search.looked_at * proves // rest, stop)
            return proved() is not None or stop()

        if level.sight.wins_in > 1:
            for proof in proofs:
                proof.run(NEAR_WINS, stop, proof.reach)
        if not proved():
            search.run(nodes, enough)
        win, beside = proved(), search.looked_at
        if win and not (search.done and len(search.found().line) <= len(win.line())):
            return self._proved(win, beside)
        return msgspec.structs.replace(search.found(), nodes=beside + sum(proof.looked_at for proof in proofs))

    def _proved(self, proof: Proof, beside: int) -> Found:
        """Return the win that is proved; ``beside`` positions were looked at besides."""
        line, seat = proof.line(), proof.seat
        assert seat is not None
        sure = outcome(Result(True, seat), self.seats, len(line))
        return Found(line[0], sure, ((line[0], sure[seat]),), line, beside + proof.looked_at, True)
