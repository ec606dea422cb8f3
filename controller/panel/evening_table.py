"""An evening's table: of each person how many games, how many of them won, and the best moment of all.

Moments are read off the games as they were played. A game may word its own, in `Facts.moments`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from controller.journal.database import Saved
from controller.rules.game import OF_A_KIND, OWN_AT_END, Result
from controller.sentences import filled, form, say
from controller.table.captures import captured
from controller.table.session import Position, Session
from web_panel.backend import Learnt

Moment = tuple[int, str]
"""How much it is worth telling, and the sentence."""

QUIET: Moment = (0, "")
TAKEN = form("{person} took {count} pieces in one move.")  # where a game has no words of its own for that
LATE = 12  # what a win of many moves is worth, where there is nothing else to tell of it
LONG = 10  # moves of one's own after which who has lost has held out
BEHIND = 3  # pieces or points by which somebody was behind who has won nevertheless


class Part(msgspec.Struct, frozen=True):
    """What somebody had of a game: by their name, "" for the board, whether it was won, and the best moment in it."""

    name: str
    won: bool
    best: Moment


class Row(msgspec.Struct, frozen=True):
    """Somebody's evening so far."""

    games: int = 0
    won: int = 0
    best: Moment = QUIET

    def joined(self, part: Part) -> Row:
        """Return the row with one game more; of two moments the later one is told where both are worth the same."""
        best = max(part.best, self.best, key=lambda moment: moment[0])
        return Row(self.games + 1, self.won + part.won, best)


def parts_of(session: Session, saved: Saved) -> tuple[Part, ...]:
    """Return who has had which part in a game that is over: people with a name, and the board."""
    result = saved.left.outcome or session.result
    count = session.game.facts.players(session.options)
    names = (*saved.seating.names, *("",) * count)[:count]
    found: dict[str, Part] = {}
    for seat, person in enumerate(names):
        board = bool(saved.header.opponents.level(seat))
        if not board and (not person or names.count(person) == count):
            continue  # nobody knows who that was
        name = "" if board else person
        moments = () if board else _moments(session, saved, result, seat, name)
        best, known = max(moments, key=_worth, default=QUIET), found.get(name)
        won = seat == result.winner
        found[name] = Part(
            name, won or (known is not None and known.won), max(best, known.best if known else QUIET, key=_worth)
        )
    return tuple(found.values())


def rows_of(games: Iterable[Sequence[Part]], learnt: Iterable[tuple[str, Learnt]] = ()) -> list[dict[str, Any]]:
    """Return the rows of an evening, the best first, of ``games``, the oldest first, and of what was ``learnt``: by
    the name of whom. Names are unique among people whom the board knows.

    Who has won the most leads, where somebody has won less; the board has a row beside those of people.
    """
    rows: dict[str, Row] = {}
    for parts in games:
        for part in parts:
            rows[part.name] = rows.get(part.name, Row()).joined(part)
    for name, best in _learnt(learnt):
        row = rows.get(name, Row())
        rows[name] = Row(row.games, row.won, max(row.best, best, key=_worth))
    if not any(rows):
        return []
    most, least = max(row.won for row in rows.values()), min(row.won for row in rows.values())
    ordered = sorted(rows.items(), key=lambda each: (-each[1].won, each[1].games, each[0]))
    return [
        {"name": name or say("The board"), "games": row.games, "won": row.won, "best": row.best[1],
         "leads": row.won == most > least}
        for name, row in ordered
    ]  # fmt: skip


def _worth(moment: Moment) -> int:
    return moment[0]


def _learnt(learnt: Iterable[tuple[str, Learnt]]) -> Iterator[tuple[str, Moment]]:
    solved: Counter[str] = Counter()
    for name, each in learnt:
        if not each.puzzle:
            yield name, (20, say("{person} has learnt {game}.", person=name, game=each.title))
            continue
        solved[name] += 1
        if solved[name] == 1:
            yield name, (25, say("{person} solved a puzzle of {game}.", person=name, game=each.title))
        else:
            yield name, (26 + solved[name], say("{person} solved {count} puzzles.", person=name, count=solved[name]))


# ---- the moments of one seat in one game -------------------------------------------------------------------


def _moments(session: Session, saved: Saved, result: Result, seat: int, name: str) -> Iterator[Moment]:
    yield from _taking(session, seat, name)
    yield from _scoring(session, seat, name)
    own = sum(position.seat == seat for position in session.positions[1:])
    if result.winner == seat:
        yield from _winning(session, saved, result, seat, name, own)
    elif result.winner is not None and own >= LONG and not session.game.facts.several:
        yield 5, say("{person} held out for {count} moves.", person=name, count=own)


def _winning(session: Session, saved: Saved, result: Result, seat: int, name: str, own: int) -> Iterator[Moment]:
    header, facts = saved.header, session.game.facts
    count = facts.players(session.options)
    if header.match:
        score = [*header.match.won, *(0,) * count][:count]
        score[seat] += 1
        if score[seat] >= header.match.to:
            told = "–".join(map(str, (score[seat], *(won for other, won in enumerate(score) if other != seat))))
            yield 90, say("{person} won a match {score}.", person=name, score=told)
    yield from holding(session, seat, name)
    if count > 2 and not result.scores:
        yield 60 + count, say("{person} outlasted {count} others.", person=name, count=count - 1)
    if saved.left.outcome:
        if count == 2 and result.why == "resigned":
            yield 15, say("{person} played until the other side gave up.", person=name)
    else:
        if told := _told_of_end(session, result, seat):
            yield 55, filled(told, person=name)
        if not header.came and not facts.several and own > 1:
            yield max(70 - own, LATE), say("{person} won in {count} moves.", person=name, count=own)
    if (levels := [level for level in header.opponents.levels[:count] if level]) and not header.came:
        yield 32 + 4 * min(levels), say("{person} beat the board at level {level}.", person=name, level=min(levels))
    if count == 2:
        yield from _behind(session, seat, name)


def holding(session: Session, seat: int, name: str) -> Iterator[Moment]:
    """Yield how many pieces of a kind who has won has at the end, where the game tells of that."""
    game, state = session.game, session.state
    colour = game.colour_of(state, seat)
    for key, told in game.facts.moments.items():
        if key.startswith(OWN_AT_END):
            kind = key.removeprefix(OWN_AT_END)
            count = sum(piece.kind == kind and piece.seat == colour for piece in game.shape(state).values())
            if count > 1:
                yield 50 + 5 * count, filled(told, person=name, count=count)


def _told_of_end(session: Session, result: Result, seat: int) -> str:
    """Return what is told of who has won by the ending, if the last ply was theirs; "" for nothing."""
    moments, last = session.game.facts.moments, session.positions[-1]
    if last.seat != seat:
        return ""
    took = len(last.captures) > len(session.positions[-2].captures)
    return (took and moments.get(f"{result.why} taking")) or moments.get(result.why, "")


def _behind(session: Session, seat: int, name: str) -> Iterator[Moment]:
    """Yield by how much at most who has won was behind: in points where the game has such, else in pieces taken."""
    pieces, points = 0, 0
    for position in session.positions:
        scores = session.game.result(position.state).scores
        if scores is not None:
            points = max(points, scores[1 - seat] - scores[seat])
        else:
            pieces = max(pieces, sum(1 if taker != seat else -1 for taker, _ in position.captures))
    if points >= BEHIND:
        yield 65 + points, say("{person} was {count} points behind and won.", person=name, count=points)
    elif pieces >= BEHIND:
        yield 65 + pieces, say("{person} was {count} pieces behind and won.", person=name, count=pieces)


def _taking(session: Session, seat: int, name: str) -> Iterator[Moment]:
    """Yield the most taken in one move, and how many of the kinds of which the game tells."""
    moments, steps = session.game.facts.moments, list(pairwise(session.positions))
    most = max((_taken(session, *step) for step in steps if step[1].seat == seat), default=0)
    if most > 1:
        told = moments.get("taken", TAKEN)
        yield 15 + 15 * most, filled(told, person=name, count=most)
    for key, told in moments.items():
        if key.startswith(OF_A_KIND):
            kind = key.removeprefix(OF_A_KIND)
            count = sum(_gone(session, before, after, seat, kind) for before, after in steps)
            if count > ("{count}" in told):
                yield 60 + 5 * count, filled(told, person=name, count=count)


def _taken(session: Session, before: Position, after: Position) -> int:
    """Return how many pieces the ply between two positions took, also where it has ended a round."""
    ended = _ended(session, before, after)
    captures = after.captures if ended is after.state else captured(session.game, before.state, ended, before.captures)
    taken = Counter(captures) - Counter(before.captures)
    return sum(taker == after.seat for taker, _ in taken.elements())


def _gone(session: Session, before: Position, after: Position, seat: int, kind: str) -> int:
    """Return how many pieces of a kind that are not of ``seat`` have left the board, by whose ply ever."""
    game, own = session.game, session.game.colour_of(before.state, seat)
    stood, stand = (
        sum(piece.kind == kind and piece.seat not in (own, None) for piece in game.shape(state).values())
        for state in (before.state, _ended(session, before, after))
    )
    return max(stood - stand, 0)


def _ended(session: Session, before: Position, after: Position) -> Any:
    """Return the state that a ply led to, before the board was set up for a next round."""
    game = session.game
    if game.sets_up is None or game.round_over is None or not game.sets_up(after.state):
        return after.state
    return game.round_over(before.state, game.read(before.state, after.text))


def _scoring(session: Session, seat: int, name: str) -> Iterator[Moment]:
    """Yield the most points at once, where the game tells of that."""
    told = session.game.facts.moments.get("scored")
    if not told:
        return
    scores = [session.game.result(position.state).scores or () for position in session.positions]
    most = max((after[seat] - before[seat] for before, after in pairwise(scores) if before and after), default=0)
    if most > 1:
        yield 30 + 4 * most, filled(told, person=name, count=most)
