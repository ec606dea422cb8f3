"""A hand that plays whole games at an `Evening`, in the many ways of hands, and looks at the lights all the time."""

from __future__ import annotations

import random
from typing import Any

from controller.benchmarks.gestures import Gesture, Move, gesture
from controller.table.views.lights import CALM
from tests.e2e.evening import SETTLED_MS, Evening, changed, goes_on, offers, painted, some


class LockstepHand:
    """Sets up, plays, tidies. Raises AssertionError when the table or its lights say anything else than the rules."""

    def __init__(self, evening: Evening, seed: int) -> None:
        self.at = evening
        self.dice = random.Random(seed)
        self.last: set[str] = set()  # sites that the last ply changed
        self.loose: set[str] = set()  # sites where a chore waits
        self.hurried = False  # the ply before was not waited for
        self.reach: set[str] = set()  # of the piece that was moved last, while it is not waited for
        self.plies: list[str] = []

    # ---- set-up

    def set_up(self) -> None:
        """Put every piece where it begins, in any order, led by the lights."""
        wanted = set(self.at.game.shape(self.at.state))
        standing = self._standing()
        moves = [(site, False) for site in sorted(standing - wanted)] + [(s, True) for s in sorted(wanted - standing)]
        self.dice.shuffle(moves)
        for site, on in moves:
            assert self.at.table.phase == "setup"
            assert self.at.lit() == painted(("missing", wanted - standing), ("too_much", standing - wanted))
            assert self.at.lit(half=False) == {}
            self._touch(site, on, 15)
            standing ^= {site}
        assert self.at.table.phase == "play"
        self.last = set()
        assert self.at.lit() == {}

    def _standing(self) -> set[str]:
        now = self.at.table.now
        return {name for name, bit in self.at.play.game_area.bit.items() if bit & now}

    # ---- plies

    def make(self, ply: Any) -> None:
        """Make ``ply``; when this returns it is on record, unless the next one is to follow in a hurry."""
        game, state = self.at.game, self.at.state
        if self.hurried:  # the table still waits whether the last ply goes on
            state = game.play_text(state, self.plies[-1]) if len(self.at.plies) < len(self.plies) else state
        elif some(self.dice, 0.15):
            self._fidget(state)
        way = gesture(game, state, ply, self.dice)
        if self.hurried and (way.moves[0][0] != game.walk(state, ply).path[0] or way.moves[0][0] in self.reach):
            self._wait()  # what is lifted so soon would be a hand in the other's ply, or the victim of a longer one
        self._moves(state, ply, way)
        self.plies.append(game.text(state, ply))
        after = game.after(state, ply)
        on_its_way = goes_on(game, state, ply)
        if on_its_way and not way.chores and game.seat(after) is not None and some(self.dice, 0.4):
            self.last, self.hurried = changed(game, state, after), True
            self.reach = self._reach(state, game.walk(state, ply).path[0])
            return
        self._wait()
        self.last = changed(game, state, after)
        self._tidy_up(after, way)

    def make_for_the_board(self, ply: Any) -> None:
        """Make the ply that the board has just decided, led by its lights: the piece, its goal, what is taken off."""
        if self.hurried:
            self._wait()
        game, state = self.at.game, self.at.state
        text, walk = game.text(state, ply), game.walk(state, ply)
        self.at.decide(text)
        self.plies.append(text)
        way = gesture(game, state, ply, self.dice)
        if self.at.play.session.decided:
            lit, other_half = self.at.lit(), self.at.lit(half=False)
            assert lit[walk.path[0]] == CALM["choice"].colour
            assert walk.path[0] not in other_half, "it blinks"
            for site, on in way.moves:
                assert self.at.table.phase == "play"
                self._touch(site, on, self.dice.randrange(130, 240))
        self._wait()
        assert not self.at.play.session.decided
        self.last = changed(game, state, game.after(state, ply))
        self._tidy_up(game.after(state, ply), way)

    def _moves(self, state: Any, ply: Any, way: Gesture) -> None:
        walk = self.at.game.walk(state, ply)
        origin, landing = walk.path[0], walk.path[-1]
        lifted: set[str] = set()
        for n, (site, on) in enumerate(way.moves):
            is_last = n == len(way.moves) - 1
            self._touch(site, on, 15 if is_last else self.dice.randrange(130, 240))
            lifted ^= {site}
            if self.hurried:
                self._wait()
            if is_last:
                continue
            if lifted == {origin}:
                self._offers_are_lit(state, origin)
            elif origin not in lifted:
                assert self.at.lit()[origin] == CALM["may_move"].colour
            elif not on and (landing, True) not in way.moves[: n + 1]:
                assert self.at.lit()[landing] in (CALM["may_go"].colour, CALM["may_take"].colour)

    def _reach(self, state: Any, origin: str) -> set[str]:
        """Return every site that a ply of the piece on ``origin`` may have to do with."""
        walks = [self.at.game.walk(state, ply) for ply in self.at.game.plies(state)]
        return {site for walk in walks if walk.path[0] == origin for site in (*walk.path, *walk.takes)}

    def _wait(self) -> None:
        """Let the table make up its mind about the last ply."""
        self.at.let(SETTLED_MS)
        self.hurried = False
        assert self.at.plies == self.plies, self.at.table.advice

    def _offers_are_lit(self, state: Any, origin: str) -> None:
        go, take = offers(self.at.game, state, origin)
        assert self.at.lit() == painted(("last", self.last), ("may_go", go), ("may_take", take))

    def _fidget(self, state: Any) -> None:
        """Lift a piece that may move, look, and put it back."""
        walks = [self.at.game.walk(state, ply) for ply in self.at.game.plies(state)]
        site = self.dice.choice([walk.path[0] for walk in walks if len(walk.path) > 1])
        self._touch(site, False, self.dice.randrange(60, 600))
        self._offers_are_lit(state, site)
        self._touch(site, True, self.dice.randrange(60, 400))
        assert self.at.plies == self.plies, self.at.table.advice
        assert self.at.lit() == painted(("last", self.last))

    # ---- after a ply

    def _tidy_up(self, after: Any, way: Gesture) -> None:
        game = self.at.game
        if game.seat(after) is None:
            self._chores(way.chores, ("won", self._winners(after)))
        elif game.sets_up is not None and game.sets_up(after):
            self.set_up()
        else:
            self._chores(way.chores, ("last", self.last))

    def _chores(self, chores: tuple[Move, ...], below: Any) -> None:
        """Put right what the ply left to do, each light going out as it is done."""
        for n, (site, on) in enumerate(chores):
            off = [site for site, placing in chores[n:] if not placing]
            onto = [site for site, placing in chores[n:] if placing]
            for half in (True, False):
                assert self.at.lit(half) == painted(below, ("chore_off", off), ("chore_on", onto), half=half)
            self._touch(site, on, self.dice.randrange(30, 200))
        for half in (True, False):
            assert self.at.lit(half) == painted(below, half=half)

    def _winners(self, state: Any) -> set[str]:
        """Return the sites of the pieces that the winner played with last; all of them in a draw."""
        winner, shape = self.at.game.result(state).winner, self.at.game.shape(state)
        swapped = getattr(state, "round", 0) % 2
        return {site for site, piece in shape.items() if winner is None or piece.seat == winner ^ swapped}

    def _touch(self, site: str, on: bool, wait_ms: int) -> None:
        self.at.touch(site, on, wait_ms)
