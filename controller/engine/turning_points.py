"""What is kept of a game that was looked at afterwards: each seat's chance after every ply, and what turned it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from controller.engine.judgement import Shares, lost, won
from controller.game_setup import Aim
from controller.rules.game import AnyGame, Result
from controller.rules.registry import advice_of
from controller.sentences import say, together

TURNS = 3  # turning points of a game at most
APART = 5  # plies that lie between two of them at least, for one mistake often brings about the next, unless BACK
BACK = 0.25  # of the game: what a seat has got back since its first mistake where its second is one of its own
LEAST = 0.1  # of the game: what a ply loses that counts as one, but for one that loses all that is left
HOPE = 0.05  # of the game: what is left at least where losing it counts, for nobody misses less
LEAST_CHANCE = 0.01  # what is told where a loss is not proven
STRETCH = 10  # plies in which a chance is seen to slip away


class Fall(msgspec.Struct, frozen=True):
    """A ply by which its ``seat`` lost: its chance was ``before`` with the ``better`` ply, and is ``after``.

    ``number`` counts plies from 1; ``line`` is how the game might have gone on, beginning with the better ply. Where
    that one is a puzzle, since all others are worse, ``aim`` says what it does.
    """

    number: int
    seat: int
    before: float
    after: float
    better: str
    line: tuple[str, ...] = ()
    aim: Aim | None = None

    @property
    def once(self) -> bool:
        """Whether the better ply would have won the game at once."""
        return won(self.before) and len(self.line) == 1


class Analysis(msgspec.Struct, frozen=True):
    """``chances[n]`` has each seat's chance of winning after n plies, from 0 to 1, in all 1; a draw counts as a part.

    ``turns`` are the turning points, in the order of the game.
    """

    chances: tuple[Shares, ...]
    turns: tuple[Fall, ...]


def turning_points(falls: Sequence[Fall], end: Shares) -> tuple[Fall, ...]:
    """Return the worst of ``falls``, at most `TURNS`, no two of them close together, in the order of the game.

    First come those of the seats that stand worse in the ``end``: the last that let a win go, the last that lost by
    force, the last by which one gave away as good a chance as any, and the worst.
    """
    even = 1 / len(end)
    worst = sorted((fall for fall in falls if matters(fall)), key=lambda fall: (fall.after - fall.before, fall.number))
    let_go = sorted((fall for fall in falls if lets_go(fall, end)), key=lambda fall: -fall.number)[:1]
    theirs = [fall for fall in worst if end[fall.seat] < even]
    late = sorted(theirs, key=lambda fall: -fall.number)
    lost_by = [fall for fall in late if lost(fall.after)][:1]
    decided = [fall for fall in late if fall.before >= even][:1]
    chosen: list[Fall] = []
    for fall in (*let_go, *lost_by, *decided, *theirs[:1], *worst):
        if len(chosen) < TURNS and all(_apart(fall, other) for other in chosen):
            chosen.append(fall)
    return tuple(sorted(chosen, key=lambda fall: fall.number))


def lets_go(fall: Fall, end: Shares) -> bool:
    """Whether a seat that has not won in the ``end`` let a win go, or one at once that it may still have had later."""
    return end[fall.seat] < 1 / len(end) and won(fall.before) and (fall.once or matters(fall))


def _apart(one: Fall, other: Fall) -> bool:
    first, second = sorted((one, other), key=lambda fall: fall.number)
    plies = second.number - first.number
    return plies >= APART or (plies > 0 and first.seat == second.seat and second.before - first.after >= BACK)


def matters(fall: Fall) -> bool:
    """Whether a ply lost enough to be told: a good part of the game, or what was left of it and could be missed."""
    return fall.before - fall.after >= LEAST or (lost(fall.after) and fall.before >= HOPE)


def given_back(chances: Sequence[Shares], before: Fall, turn: Fall) -> int | None:
    """Return the number of the ply that gave a seat back most of what it had lost by ``before``, until its next
    ``turn``; None where nothing came back, or those turns are of two seats.
    """
    seat, between = turn.seat, range(before.number + 1, turn.number)
    if before.seat != seat or turn.before - before.after < LEAST or not between:
        return None
    return max(between, key=lambda number: chances[number][seat] - chances[number - 1][seat])


def calm_in_words(chances: Sequence[Shares], names: Sequence[str], results: Sequence[Result] = ()) -> str:
    """Return what to say of a game without a turning point: whose chance slipped away most, and in which moves.

    Where the ``results`` after each ply have points, as after a harvest, it is told who led after these instead of
    that no single move changed much.
    """
    points = _points_in_words(results, names)
    return together(points or say("No single move changed much."), slip_in_words(chances, names, range(len(names))))


def _points_in_words(results: Sequence[Result], names: Sequence[str]) -> str:
    """Return who led after each ply with which the points changed, a sentence for each; "" where none did."""
    told = []
    for number, (before, now) in enumerate(pairwise(results), 1):
        if not now.scores or now.scores == before.scores:
            continue
        most, behind, *_ = sorted(now.scores, reverse=True)
        if most == behind:
            told.append(
                say("After move {number} nobody led: the most points were {points}.", number=number, points=most)
            )
        else:
            name = names[now.scores.index(most)]
            told.append(say("After move {number} {name} led {most} to {behind}.", number=number, name=name, most=most,
                            behind=behind))  # fmt: skip
    return together(*told)


def slip_in_words(chances: Sequence[Shares], names: Sequence[str], seats: Sequence[int]) -> str:
    """Return in which moves the chance of one of ``seats`` slipped away most; "" where none did by much."""
    slips = [
        (percent(before[seat] - chances[start + plies][seat]), -plies, start, seat)
        for start, before in enumerate(chances)
        for plies in range(2, min(STRETCH, len(chances) - 1 - start) + 1)
        for seat in seats
    ]
    fall, shortest, start, seat = max(slips, default=(0, 0, 0, 0))
    if fall < percent(LEAST):
        return ""
    end = start - shortest
    before, after = percent(chances[start][seat]), percent(chances[end][seat])
    return say(
        "From move {first} to move {last} the chance of {name} slipped from {before}% to {after}%.",
        first=start + 1, last=end, name=names[seat], before=before, after=after,
    )  # fmt: skip


def turn_in_words(fall: Fall, name: str, played: str, better: str, proven: bool) -> str:
    """Return a turning point as a sentence; ``name`` is the seat's, ``played`` and ``better`` are plies in words.

    Where what the search found is not ``proven``, a win or loss farther than the next ply is told as a chance.
    """
    if not (proven or fall.once):
        fall = msgspec.structs.replace(fall, before=_unproven(fall.before), after=_unproven(fall.after))
    number, before, after = fall.number, percent(fall.before), percent(fall.after)
    if fall.once and won(fall.after):
        return say(
            "Move {number}, {name}: “{better}” would have won at once; “{played}” put that off.",
            number=number, name=name, better=better, played=played,
        )  # fmt: skip
    if won(fall.before) and not after:
        return say(
            "Move {number}, {name}: “{better}” would have won; “{played}” gave the win away.",
            number=number, name=name, better=better, played=played,
        )  # fmt: skip
    if fall.once:
        return say(
            "Move {number}, {name}: “{better}” would have won at once; “{played}” left a chance of {after}%.",
            number=number, name=name, better=better, played=played, after=after,
        )  # fmt: skip
    if won(fall.before):
        return say(
            "Move {number}, {name}: “{better}” would have won; “{played}” left a chance of {after}%.",
            number=number, name=name, better=better, played=played, after=after,
        )  # fmt: skip
    if lost(fall.after):
        return say(
            "Move {number}, {name}: “{played}” lost by force; “{better}” would have kept a chance of "
            "{before}%.",
            number=number, name=name, better=better, played=played, before=before,
        )  # fmt: skip
    return say(
        "Move {number}, {name}: “{played}” lowered the chance to win from {before}% to {after}%; better "
        "was “{better}”.",
        number=number, name=name, better=better, played=played, before=before, after=after,
    )  # fmt: skip


def gave_up_in_words(name: str, chance: float, proven: bool) -> str:
    """Return that ``name`` resigned, who stood no worse than the others; a win is told where it is ``proven``."""
    chance = chance if proven else _unproven(chance)
    if won(chance):
        return say("{name} resigned, and had a forced win.", name=name)
    return say("{name} resigned, and still had a chance of {chance}%.", name=name, chance=percent(chance))


def proves(game: AnyGame, seats: int) -> bool:
    """Whether a win or loss that the search finds in ``game`` is certain, whatever is played: with two ``seats``, where
    it looks behind every ply. Among more each is taken to want nothing but its own best.
    """
    advice = advice_of(game.facts.name)
    return seats == 2 and not (advice and advice.thinks_of)


def _unproven(chance: float) -> float:
    """Return a chance that tells neither a win nor a loss for certain."""
    return min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)


def percent(chance: float) -> int:
    """Return a chance in whole per cent."""
    return round(100 * min(max(chance, 0.0), 1.0))


def at_once(game: AnyGame, after: Any, aim: Aim) -> Aim:
    """Return ``aim``, or "once" where it is to win and the game is over ``after`` the ply."""
    return "once" if aim == "win" and game.result(after).over else aim
