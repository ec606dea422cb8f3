"""Alpha-beta search of an open game of two: every ply, deeper and deeper, and what is taken to its end.

It is for games whose `Tactics` say which plies are ``loud``: an exchange that has begun is followed until it is quiet,
so that no piece that hangs is counted as one that stands. Worths are whole numbers, thousandths as in `weights.toml`,
so the same position, number of positions and seed give the same ply on every machine. Pure, as `best_first` is.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from controller.engine.endgames import OPEN
from controller.engine.found import Enough, Found, Sight
from controller.engine.judgement import Difference, outcome, shares, wins
from controller.engine.network import Network
from controller.rules.game import DECIDES, AnyGame, AnyTactics, Result

WON = 1 << 40  # the worth of a win at once; each ply before it takes one off
SURE = WON - 10_000  # what is above it is a win for certain
ENDLESS = 1 << 41
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
LOOK_EVERY = 64  # positions between two questions whether it is enough
EXCHANGE = 6  # plies of taking behind the last one that is looked at whatever it is
DEEPEST = 60  # plies of one line, and of a search
MOST_KEPT = 40_000  # positions that are kept, and as many older ones: what there is in memory stays below 70 MB
ERROR = 40  # thousandths by which a hundredth of the game is misjudged
HAIR = 30  # thousandths: plies that are worth so much less than the best are as good
AT_HAND = 60  # the same of one that takes, for a hint, in an even game: twice as long a search changes as much
FALL, FAR = 150, 300  # thousandths: a worth that falls so far is doubtful, a ply ahead of all others by so much is not
LOSSES = tuple(180 * 3**step >> step for step in range(8))  # thousandths: who loses less than the first has saved all
STEADY = 4  # depths in which the best ply stays the same before it can be clear
SHORT, USUAL, LONG = 0.3, 1.0, 2.0  # parts of the usual time, where the best ply is clear and where it is doubtful
FADES = 8  # histories count for so many times less in the next search


class AlphaBeta:
    """One search from one position. `run` may be called again to go on; `found` tells the best so far."""

    def __init__(
        self,
        game: AnyGame,
        state: Any,
        tactics: AnyTactics,
        difference: Difference,
        sight: Sight,
        seed: int,
        before: AlphaBeta | None = None,
        network: Network | None = None,
        solved: Callable[[Any], int] | None = None,
    ) -> None:
        """``difference`` is how much more a position is worth to the first seat than to the second.

        What a search ``before`` has found, of the same game by the same difference, serves this one. What a ``network``
        adds to the difference costs more, so it is asked only where that can change anything. ``solved`` returns in how
        many plies a position is decided: odd where the seat to move wins, even where it loses, `OPEN` where that is not
        known or neither can force it.
        """
        self.solved = solved
        self.game, self.exact, self.network, self.sight = game, difference, network, sight
        self.loud: Callable[[Any, Any], int] = tactics.loud
        self.key: Callable[[Any], Any] = tactics.key
        self.urgent, self.swing, self.rests = tactics.urgent, tactics.swing, tactics.rests
        # What a weak level overlooks is drawn for each ply that is listed: there all are.
        self.takings: Callable[[Any], list[Any]] | None = None if sight.overlooks else tactics.takings
        self.mover: Callable[[Any], int | None] = tactics.mover or game.seat
        self.state, self.dice = state, Random(seed)
        seat = game.seat(state)
        assert seat is not None
        self.seat: int = seat
        self.looked_at = 0
        self.most = 0
        self.stop: Callable[[], bool] = lambda: False
        self.table: dict[Any, tuple[int, int, int, Any]] = {} if before is None else before.table
        self.older: dict[Any, tuple[int, int, int, Any]] = {} if before is None else before.older
        self.histories: dict[Any, int] = {}
        if before is not None:
            self.histories = {ply: count // FADES for ply, count in before.histories.items() if count >= FADES}
        self.killers: list[Any] = [None] * (DEEPEST + 2)
        self.overlooked: dict[Any, bool] = {}
        self.errors: dict[Any, int] = {}
        self.difference = self._mistaken if sight.errs else difference
        self.threats = _threats(game, state, self.loud) if sight.overlooks else frozenset()
        self.reached: str | None = None  # the site on which the ply of the root that is looked at has set its piece
        self.plies = self._seen_first()
        if sight.saves and sight.overlooks:
            saving = AlphaBeta(game, state, tactics, difference, Sight(), 0).saving(self.threats)
            if saving is not None:
                self.plies = saving
        self.dice.shuffle(self.plies)  # so that of equals no one is always first
        self.plies.sort(key=lambda ply: -self.loud(state, ply))
        self.charms = [self._charm(ply) for ply in self.plies]
        self.worths: dict[Any, int] = {}
        self.depth, self.done = 0, False
        self.steady, self.ahead = 0, 0
        self.doubtful = self.was_doubtful = False

    def _charm(self, ply: Any) -> int:
        """Return by how much ``ply`` may be worth less than another one and yet be made."""
        if self.sight.varies:
            return self.dice.randrange(HAIR)
        charm = 0 if ply in self.sight.last else HAIR - 1
        return charm + self._at_hand() if 0 < self.loud(self.state, ply) < DECIDES else charm

    def _at_hand(self) -> int:
        """Return how many thousandths change the odds here as little as `AT_HAND` does in an even game."""
        first, second = shares((self.exact(self.state), 0))
        return round(AT_HAND / (4 * first * second))

    def part(self) -> float:
        """Return what part of the usual time this position is worth by what has been found so far."""
        if self.doubtful or self.was_doubtful:
            return LONG
        return SHORT if self.steady >= STEADY and self.ahead >= FAR else USUAL

    def run(self, nodes: int, stop: Callable[[], bool]) -> None:
        """Search until ``nodes`` positions have been looked at in all, it is decided, or ``stop`` says so."""
        self.most, self.stop = nodes, stop
        deepest = min(DEEPEST, self.sight.depth)
        while not self.done and self.looked_at < nodes and self.depth < deepest:
            try:
                self._deeper(self.depth + 1)
            except Enough:
                if self.worths:
                    return
                # Nobody has a whole look at the first ply: the order is all that is known.
                self.worths = {self.plies[0]: 0}
                return

    def saving(self, threats: frozenset[Any]) -> list[Any] | None:
        """Return the plies of the root after which none of ``threats``, plies of the other seat, costs anything.

        A ply may lose what it wins as much for. Where nothing can be saved altogether, those are left that lose little;
        None where nothing hangs or all do as well. What is lost with the ply itself, as is a flanked giant, counts too.
        """
        game, plies = self.game, list(self.game.moves(self.state))
        other = game.passed(self.state) if game.passed else None
        if other is None:  # in check, for example: there are few plies, and what is attacked is not known
            return None
        self.most = ENDLESS  # exchanges are short, and half of one says nothing
        stands, still = (self._stands(each, self.seat, 0, 0) for each in (self.state, other))
        hurting = {ply for ply in threats if not self._still_has(game.after(other, ply), stands - LOSSES[0])}
        for loss in LOSSES if hurting or (self.urgent and self.urgent(self.state)) else ():
            if kept := [ply for ply in plies if self._saves(ply, hurting, stands, still, loss)]:
                return kept if len(kept) < len(plies) else None
        return None

    def _saves(self, ply: Any, hurting: set[Any], stands: int, still: int, loss: int) -> bool:
        """Whether after ``ply``, whichever of ``hurting`` is the answer, the seat loses less than ``loss``.

        It had what ``stands``, and ``still`` once it passed. Where something hurts, what ``ply`` itself makes worse is
        another matter.
        """
        game, seat = self.game, self.seat
        child = game.after(self.state, ply)
        mover = self.mover(child)
        if mover is None:
            return self._ended(child, seat, 0) > stands - loss
        other = child if mover != seat or game.passed is None else game.passed(child)
        if other is None:
            return True
        more: int = self._stands(other, seat, 0, 0) - still
        if not hurting:
            return more > -loss
        least = stands + min(0, more) - loss
        answers = [answer for answer in game.moves(other) if answer in hurting]
        return all(self._still_has(game.after(other, answer), least) for answer in answers)

    def _still_has(self, state: Any, least: int) -> bool:
        """Whether the seat that searches comes out of an exchange, begun in ``state``, with more than ``least``."""
        mover = self.mover(state)
        if mover is None:
            return self._ended(state, self.seat, 0) > least
        if mover == self.seat:
            return self._quiet(state, mover, least, least + 1, 0, EXCHANGE) > least
        return -self._quiet(state, mover, -least - 1, -least, 0, EXCHANGE) > least

    def _seen_first(self) -> list[Any]:
        """Return the plies of the root that this player sees: at least one, and a win at once where it knows such."""
        plies, overlooks = list(self.game.moves(self.state)), self.sight.overlooks // 2
        if not overlooks:
            return plies
        kept = [
            ply
            for ply in plies
            if self.dice.randrange(100) >= overlooks or (self.sight.wins_in and wins(self.game, self.state, ply))
        ]
        return kept or [self.dice.choice(plies)]

    def _seen(self, state: Any, plies: list[Any], at: int) -> list[Any]:
        """Return the plies that are not overlooked in this search; what threatened already before it never is.

        Nor is what takes the piece just moved, by whoever sees ``recaptures``.
        """
        overlooked, dice, overlooks = self.overlooked, self.dice, self.sight.overlooks
        kept = []
        for ply in plies:
            if at == 1 and ply in self.threats:
                kept.append(ply)
                continue
            unseen = overlooked.get(ply)
            if unseen is None:
                unseen = overlooked[ply] = dice.randrange(100) < overlooks
            if not unseen or (at == 1 and self._takes_back(state, ply)):
                kept.append(ply)
        return kept

    def _takes_back(self, state: Any, ply: Any) -> bool:
        """Whether ``ply``, an answer to one of the root, takes what that has just moved, and the player sees such."""
        game, site = self.game, self.reached
        if site is None or self.loud(state, ply) <= 0 or self.mover(state) == self.seat:
            return False
        return game.shape(game.after(state, ply)).get(site) != game.shape(state).get(site)

    def _mistaken(self, state: Any) -> int:
        """Return the difference as somebody sees it who errs, about the same position always alike."""
        key = self.key(state)
        error = self.errors.get(key)
        if error is None:
            error = self.errors[key] = self.dice.randrange(-self.sight.errs, self.sight.errs + 1) * ERROR
        return self.exact(state) + error

    def _deeper(self, depth: int) -> None:
        """Look at every ply once more; the best of them, with its charm, comes first afterwards."""
        best, first, before = -ENDLESS, self.plies[0], self.worths
        self.doubtful, self.was_doubtful = False, self.doubtful
        for number, ply in enumerate(self.plies):
            floor = best - self.charms[number] if abs(best) < SURE else best
            less = 1 if depth > 2 and number > 5 and self.loud(self.state, ply) == 0 else 0
            if self.sight.recaptures:
                self.reached = self._site(ply)
            worth = self._behind(self.state, ply, self.seat, depth, floor, ENDLESS, 0, number > 0, less)
            if number == 0:
                self.worths = {}  # those of the last round; the first ply is the best of them
            self.worths[ply] = worth
            best = max(best, self._charmed(number, worth))
            if depth > 1 and (worth < before[first] - FALL if number == 0 else worth > self.worths[first] + HAIR):
                self.doubtful = True
        order = sorted(range(len(self.plies)), key=lambda n: -self._charmed(n, self.worths[self.plies[n]]))
        self.plies, self.charms = [self.plies[n] for n in order], [self.charms[n] for n in order]
        self.depth, self.done = depth, self._nearest(best, depth) or len(self.plies) == 1
        self.steady = self.steady + 1 if self.plies[0] == first and not self.doubtful else 0
        self.ahead = min((self.worths[first] - worth for ply, worth in self.worths.items() if ply != first), default=0)

    def _nearest(self, best: int, depth: int) -> bool:
        """Whether ``best``, found ``depth`` plies deep, is the nearest win, or a loss.

        A ply to a position that is solved may win later than another one that has not been looked at so far.
        """
        if abs(best) <= SURE:
            return False
        return self.solved is None or self.solved(self.state) != OPEN or WON - abs(best) <= depth

    def _site(self, ply: Any) -> str | None:
        """Return where the piece stands that ``ply`` of the root has moved, or changed; None where it has none."""
        walk = self.game.walk(self.state, ply)
        return walk.path[-1] if walk.path else walk.at

    def _charmed(self, number: int, worth: int) -> int:
        """Return the worth with the charm of a ply, which decides between those that are worth nearly the same."""
        return worth + self.charms[number] if abs(worth) < SURE else worth

    def _behind(
        self, state: Any, ply: Any, seat: int, depth: int, low: int, high: int, at: int, narrow: bool, less: int
    ) -> int:
        """Return what ``ply`` is worth to ``seat``; a ``narrow`` look first asks whether it is more than ``low``."""
        child = self.game.after(state, ply)
        mover = self.mover(child)
        if mover is None:
            self.looked_at += 1
            return self._ended(child, seat, at)
        same = mover == seat
        if narrow:
            for depth_now in (depth - 1 - less, depth - 1) if less else (depth - 1,):
                if same:
                    worth = self._search(child, seat, depth_now, low, low + 1, at + 1)
                else:
                    worth = -self._search(child, mover, depth_now, -low - 1, -low, at + 1)
                if worth <= low:
                    return worth
            if worth >= high:
                return worth
        if same:
            return self._search(child, seat, depth - 1, low, high, at + 1)
        return -self._search(child, mover, depth - 1, -high, -low, at + 1)

    def _search(self, state: Any, seat: int, depth: int, low: int, high: int, at: int, rested: bool = False) -> int:
        """Return what ``state`` is worth to ``seat``, which is to move: exactly, where it is between the bounds."""
        self._count()
        if self.solved is not None and (left := self.solved(state)) != OPEN:
            return _decided_in(left, at)
        urgent = self.urgent is not None and at < DEEPEST and self.urgent(state)
        if depth <= 0:
            if not urgent:
                return self._quiet(state, seat, low, high, at, at + EXCHANGE)
            depth = 1
        key = self.key(state)
        kept = self.table.get(key) or self.older.get(key)
        first = None
        if kept is not None:
            kept_depth, kind, worth, first = kept
            if kept_depth >= depth:
                worth = worth - at if worth > SURE else worth + at if worth < -SURE else worth
                if kind == EXACT or (kind == AT_LEAST and worth >= high) or (kind == AT_MOST and worth <= low):
                    return worth
        if not urgent and abs(low) < SURE and abs(high) < SURE and (depth < 3 or self.rests):
            stands = self._stands(state, seat, low - depth * self.swing, high)
            if depth < 3 and stands + depth * self.swing <= low:  # no quiet ply makes that good
                return self._quiet(state, seat, low, high, at, at + EXCHANGE)
            if depth > 2 and stands >= high and not rested and self._even_at_rest(state, seat, depth, high, at):
                return high
        plies = self.game.moves(state)
        if not plies:
            return self._ended(state, seat, at - 1)
        if self.sight.overlooks:
            plies = self._seen(state, plies, at) or plies[:1]
        ordered = self._ordered(state, plies, first, at)
        best, best_ply = -ENDLESS, None
        for number, (order, ply) in enumerate(ordered):
            less = 0
            if order < 0 and not urgent and depth > 2 and number > 3:
                less = 1 + (number > 12 and depth > 3) + (number > 30 and depth > 4)
            worth = self._behind(state, ply, seat, depth, max(low, best), high, at, number > 0, less)
            if worth > best:
                best, best_ply = worth, ply
                if best >= high:
                    if order < 0:
                        self.killers[at] = ply
                        self.histories[ply] = self.histories.get(ply, 0) + depth * depth
                    break
        kind = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
        if len(self.table) >= MOST_KEPT:
            self.older, self.table = self.table, {}
        kept_worth = best + at if best > SURE else best - at if best < -SURE else best
        self.table[key] = (depth, kind, kept_worth, best_ply)
        return best

    def _even_at_rest(self, state: Any, seat: int, depth: int, high: int, at: int) -> bool:
        """Whether ``seat`` would have ``high`` even if it passed: then it has that with a ply, too."""
        other = self.game.passed(state) if self.game.passed else None
        mover = None if other is None else self.mover(other)
        if mover is None or mover == seat:
            return False
        return -self._search(other, mover, depth - 3, -high, 1 - high, at + 1, rested=True) >= high

    def _quiet(self, state: Any, seat: int, low: int, high: int, at: int, farthest: int) -> int:
        """Return the worth once nothing more is to be taken with gain; the seat to move need not take anything."""
        if self.solved is not None and (left := self.solved(state)) != OPEN:
            return _decided_in(left, at)
        best = self._stands(state, seat, low, high)
        if best >= high or at >= farthest:
            return best
        loud, plies = self.loud, self.takings(state) if self.takings else self.game.moves(state)
        if not plies:
            stuck = not self.takings or (self.urgent and self.urgent(state) and not self.game.moves(state))
            return self._ended(state, seat, at - 1) if stuck else best
        if self.sight.overlooks:
            plies = self._seen(state, plies, at)
        short = low - best - self.swing  # what gains less than that changes nothing
        taking = [(value, ply) for ply in plies if (value := loud(state, ply)) > 0 and value > short]
        taking.sort(key=_order, reverse=True)
        for _, ply in taking:
            child = self.game.after(state, ply)
            mover = self.mover(child)
            self._count()
            floor = max(low, best)
            if mover is None:
                worth = self._ended(child, seat, at)
            elif mover == seat:
                worth = self._quiet(child, seat, floor, high, at + 1, farthest)
            else:
                worth = -self._quiet(child, mover, -high, -floor, at + 1, farthest)
            if worth > best:
                best = worth
                if best >= high:
                    break
        return best

    def _stands(self, state: Any, seat: int, low: int, high: int) -> int:
        """Return what ``state`` is worth to ``seat``, which is to move, as it stands; exactly between the bounds."""
        rough = self.difference(state)
        if seat:
            rough = -rough
        network = self.network
        if network is None:
            return rough
        if rough - network.bound >= high:
            return rough - network.bound
        if rough + network.bound <= low:
            return rough + network.bound
        return rough + network.worth(state)

    def _ended(self, state: Any, seat: int, at: int) -> int:
        """Return what the end of the game in ``state`` is worth to ``seat``, ``at`` plies and one from the root."""
        winner = self.game.result(state).winner
        return 0 if winner is None else WON - at if winner == seat else at - WON

    def _ordered(self, state: Any, plies: list[Any], first: Any, at: int) -> list[tuple[int, Any]]:
        """Return the plies, those first that probably are best; below 0 is the order of a quiet one."""
        loud, histories, killer = self.loud, self.histories, self.killers[at]
        found = []
        for ply in plies:
            value = loud(state, ply)
            if ply == first:
                order = 1 << 30
            elif value > 0:
                order = value
            elif ply == killer:
                order = 0
            else:
                order = histories.get(ply, 0) - (1 << 30)
            found.append((order, ply))
        found.sort(key=_order, reverse=True)
        return found

    def _count(self) -> None:
        self.looked_at += 1
        if self.looked_at % LOOK_EVERY == 0 and (self.looked_at >= self.most or self.stop()):
            raise Enough

    def found(self) -> Found:
        """Return the best so far: of plies within a hair of each other any one."""
        worths = self.worths
        number = max((n for n, ply in enumerate(self.plies) if ply in worths), key=self._of_number)
        ply = self.plies[number]
        worth = worths[ply]
        found = tuple((each, self._shares(worth)[self.seat]) for each, worth in worths.items())
        return Found(ply, self._shares(worth), found, self._line(ply), self.looked_at, abs(worth) > SURE)

    def _of_number(self, number: int) -> int:
        return self._charmed(number, self.worths[self.plies[number]])

    def _shares(self, worth: int) -> tuple[float, ...]:
        """Return the shares of a position that is worth so much to the seat that searches."""
        if abs(worth) > SURE:
            return outcome(Result(True, self.seat if worth > 0 else 1 - self.seat), 2, WON - abs(worth) + 1)
        return shares((worth, 0) if self.seat == 0 else (0, worth))

    def _line(self, ply: Any) -> tuple[Any, ...]:
        """Return how it goes on, as far as it is kept."""
        line, state = [ply], self.game.after(self.state, ply)
        while len(line) < DEEPEST and not self.game.result(state).over:
            key = self.key(state)
            kept = self.table.get(key) or self.older.get(key)
            if kept is None or kept[3] is None or kept[1] == AT_MOST or kept[3] not in self.game.moves(state):
                break
            line.append(kept[3])
            state = self.game.after(state, kept[3])
        return tuple(line)


def _threats(game: AnyGame, state: Any, loud: Callable[[Any, Any], int]) -> frozenset[Any]:
    """Return what the other seat would take if the one to move passed: everybody sees that its piece is attacked."""
    other = game.passed(state) if game.passed else None
    return frozenset(ply for ply in game.moves(other) if loud(other, ply) > 0) if other is not None else frozenset()


def _decided_in(plies: int, at: int) -> int:
    """Return the worth, ``at`` plies from the root, of a position that is decided in ``plies``: see `AlphaBeta`."""
    return WON - at - plies + 1 if plies & 1 else at + plies - 1 - WON


def _order(each: tuple[int, Any]) -> int:
    return each[0]
