"""Best-first search of an open game: the line that looks best for everybody is followed one ply further, again.

Owns the tree: which position is opened next, how its worth goes back to the root, which plies are decided and need
no further look. Every seat is taken to choose what is best for itself, so that it serves two seats and more. After
Cohen-Solal's unbounded minimax with completion. Pure: it reads no clock, and ends when its budget is spent,
everything is decided, or ``stop`` says so.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from controller.engine.found import Found, Sight
from controller.engine.judgement import Judge, Shares, lost, outcome, wins, won
from controller.rules.game import AnyGame

GAIN = 0.02  # of a chance c, times c (1 - c): a ply that betters it by no more gains nothing
ThinksOf = Callable[[Any, Sequence[Any]], list[Any]]  # (state, its plies) -> those worth a thought, at least one


class _OpenedNode:
    """An opened position: a worth, a flag and the node for each ply; ``done`` where nothing can change its worth."""

    __slots__ = ("depth", "done", "flags", "nodes", "plies", "seat", "state", "visits", "worth", "worths")

    def __init__(self, state: Any, seat: int, depth: int) -> None:
        self.state, self.seat, self.depth = state, seat, depth
        self.plies: list[Any] = []
        self.worths: list[Shares] = []
        self.flags = bytearray()  # 1: this ply needs no further look
        self.nodes: dict[int, _OpenedNode] = {}
        self.visits: dict[int, int] = {}
        self.worth: Shares = ()
        self.done = False


class BestFirst:
    """One search from one position. `run` may be called again to go on; `found` tells the best so far."""

    def __init__(
        self,
        game: AnyGame,
        state: Any,
        seats: int,
        judge: Judge,
        sight: Sight,
        seed: int,
        thinks_of: ThinksOf | None = None,
    ) -> None:
        self.game, self.seats, self.judge, self.sight, self.thinks_of = game, seats, judge, sight, thinks_of
        self.dice = Random(seed)
        self.looked_at = 0
        self.table: dict[Any, _OpenedNode] = {}
        self.root = self._opened(state, 0)
        self.first_sight = list(self.root.worths)

    def run(self, nodes: int, stop: Callable[[], bool]) -> None:
        """Search until ``nodes`` positions have been judged in all, or ``stop`` says so after any step."""
        root = self.root
        while not root.done and self.looked_at < nodes and not stop():
            self._step()

    def _step(self) -> None:
        """Go down the best line to a ply that has not been looked behind, open it, and take its worth back up."""
        node, path = self.root, []
        while True:
            index = _next(node)
            path.append((node, index))
            node.visits[index] = node.visits.get(index, 0) + 1
            below = node.nodes.get(index)
            if below is None:
                break
            if below.done:  # reached by another way in the meantime
                break
            node = below
        if below is None:
            state = self.game.after(node.state, node.plies[index])
            at = (node.depth + 1, state)  # with the depth, so that no way leads back to itself
            below = self.table.get(at)
            if below is None:
                below = self.table[at] = self._opened(state, node.depth + 1)
            node.nodes[index] = below
        for above, index in reversed(path):
            above.worths[index] = below.worth
            if below.done:
                above.flags[index] = 1
            _settle(above)
            below = above

    def _opened(self, state: Any, depth: int) -> _OpenedNode:
        game, judge, seats, dice, sight = self.game, self.judge, self.seats, self.dice, self.sight
        seat = game.seat(state)
        assert seat is not None
        node = _OpenedNode(state, seat, depth)
        after, result, last = game.after, game.result, depth + 1 >= sight.depth
        plies = self._seen(state, depth)
        for ply in plies:
            child = after(state, ply)
            how = result(child)
            if how.over:
                node.worths.append(outcome(how, seats, depth + 1))
                node.flags.append(1)
            else:
                worth = judge(child)
                node.worths.append(_mistaken(worth, sight.errs, dice) if sight.errs else worth)
                node.flags.append(last)
        node.plies = plies
        self.looked_at += len(plies)
        _settle(node)
        return node

    def _seen(self, state: Any, depth: int) -> list[Any]:
        """Return the plies that this player sees: at least one, and a win at once where it knows such."""
        plies = self.game.moves(state)
        if self.thinks_of:
            plies = self.thinks_of(state, plies)
        overlooked = self.sight.overlooks if depth else self.sight.overlooks // 2
        if not overlooked:
            return plies
        knows = self.sight.wins_in and not depth
        seen = [
            ply for ply in plies if self.dice.randrange(100) >= overlooked or (knows and wins(self.game, state, ply))
        ]
        seen = seen or [self.dice.choice(plies)]
        if depth:
            return seen
        gaining = self._gaining(state, plies)
        if gaining and not any(ply in gaining for ply in seen):
            seen.append(self.dice.choice(gaining))
        return seen + self._ends(state, plies, seen)

    def _gaining(self, state: Any, plies: Sequence[Any]) -> list[Any]:
        """Return those of ``plies`` that better the odds at once, judged without errors, and go on with the turn.

        Who errs might end the turn before them out of a mistake. None for who sees so little that this is meant.
        """
        game, seat = self.game, self.game.seat(state)
        if seat is None or (self.sight.errs and not self.sight.saves):
            return []
        now = self.judge(state)[seat]
        afters = ((ply, game.after(state, ply)) for ply in plies)
        ahead = ((ply, after) for ply, after in afters if game.seat(after) == seat)
        return [ply for ply, after in ahead if self.judge(after)[seat] - now > GAIN * now * (1 - now)]

    def _ends(self, state: Any, plies: Sequence[Any], seen: Sequence[Any]) -> list[Any]:
        """Return a ply by which the turn passes, where no ``seen`` one does: nobody overlooks how to end a turn."""
        game = self.game
        seat = game.seat(state)
        if any(game.seat(game.after(state, ply)) != seat for ply in seen):
            return []
        return [ply for ply in plies if game.seat(game.after(state, ply)) != seat][:1]

    def found(self) -> Found:
        """Return the best so far."""
        root = self.root
        best = self._chosen()
        line, node = [root.plies[best]], root.nodes.get(best)
        while node is not None:
            index = _best(node)
            line.append(node.plies[index])
            node = node.nodes.get(index)
        worths = tuple((ply, worth[root.seat]) for ply, worth in zip(root.plies, root.worths, strict=True))
        return Found(root.plies[best], root.worths[best], worths, tuple(line), self.looked_at, root.done)

    def _chosen(self) -> int:
        """The ply that has been looked at most, one that gains before all others, unless one that is decided is better.

        Where all is lost, the longest way; of equally long ones the one that looked best. None that leads in a circle,
        none to no purpose, where a turn may be ended instead, and none that is to come last.
        """
        root, seat = self.root, self.root.seat
        worths = [worth[seat] for worth in root.worths]
        order = sorted(range(len(worths)), key=lambda i: (worths[i], self.first_sight[i][seat], -i), reverse=True)
        best = order[0]
        if not (won(worths[best]) or lost(worths[best])):
            if not root.flags[best]:
                order.sort(key=lambda i: (not root.flags[i], root.visits.get(i, 0)), reverse=True)
            gaining = self._gaining(root.state, root.plies)
            order.sort(key=lambda i: root.plies[i] in gaining, reverse=True)
        may_end = self._may_end()
        order = [i for i in order if not (self._circles(i) or root.plies[i] in self.sight.last)]
        return next((i for i in order if not (may_end and self._to_no_purpose(i))), best)

    def _may_end(self) -> bool:
        """Whether one of the plies is seen to end the turn of a seat that could go on."""
        game, root = self.game, self.root
        passes = [game.seat(game.after(root.state, ply)) != root.seat for ply in root.plies]
        return any(passes) and not all(passes)

    def _to_no_purpose(self, index: int) -> bool:
        """Whether the turn goes on with a ply, and betters nothing until it ends, on the line that looks best.

        Who errs about positions would else carry units to and fro: of many plies one always looks better than it is.
        Of a hint, that it betters something has to be worth what it costs: whoever asks sees units go.
        """
        game, root = self.game, self.root
        now, state, node = self._plain(root.state), game.after(root.state, root.plies[index]), root.nodes.get(index)
        if game.seat(state) != root.seat:
            return False
        least = now if self.sight.varies else now + GAIN * now * (1 - now)
        while self._plain(state) <= least:
            if node is None or node.seat != root.seat:
                return True
            best = _best(node)
            state, node = game.after(node.state, node.plies[best]), node.nodes.get(best)
        return False

    def _plain(self, state: Any) -> float:
        """What a position is worth to the seat to move, without errors."""
        seat, how = self.root.seat, self.game.result(state)
        return outcome(how, self.seats, 0)[seat] if how.over else self.judge(state)[seat]

    def _circles(self, index: int) -> bool:
        """Whether a ply can be undone by the next one of the same seat, and betters nothing by itself.

        A player who may make several plies in a turn would else put off its end for ever: what comes then is seen, and
        what comes after another ply and back is not.
        """
        game, root = self.game, self.root
        after = game.after(root.state, root.plies[index])
        if game.seat(after) != root.seat or self.judge(after)[root.seat] > self.judge(root.state)[root.seat]:
            return False
        return any(game.after(after, back) == root.state for back in game.moves(after))


def _next(node: _OpenedNode) -> int:
    """Return the ply to look behind: the best of those that are not decided."""
    seat, best, index = node.seat, -1.0, -1
    flags = node.flags
    for i, worth in enumerate(node.worths):
        if worth[seat] > best and not flags[i]:
            best, index = worth[seat], i
    return index


def _best(node: _OpenedNode) -> int:
    """Return the first of the plies that are worth most to the seat to move."""
    seat, best, index = node.seat, -1.0, 0
    for i, worth in enumerate(node.worths):
        if worth[seat] > best:
            best, index = worth[seat], i
    return index


def _settle(node: _OpenedNode) -> None:
    """Take the worth of the best ply for the whole node, and note whether anything can still change it."""
    node.worth = node.worths[_best(node)]
    node.done = won(node.worth[node.seat]) or 0 not in node.flags


def _mistaken(worth: Shares, errs: int, dice: Random) -> Shares:
    """Return ``worth`` as somebody sees it who errs: still of a game that is not decided."""
    amount = errs / 100
    wrong = [min(max(share + amount * (2 * dice.random() - 1), 0.01), 0.99) for share in worth]
    if len(wrong) == 2:
        return wrong[0], 1 - wrong[0]
    return tuple(wrong)
