"""Trying a variant before people do: games at random, and what they say against its rules.

Knows no clock: whoever tries a variant says when the time is over. A single question to the rules is not interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from controller.rules.game import AnyGame, Illegal
from controller.rules.options import BadOption, parse
from controller.rules.registry import game_named
from controller.rules.variants import Variant
from controller.sentences import all_of, say

GAMES = 40
PLIES = 40_000  # in all games together
GAMES_A_SEAT = 10  # that have to be over before it means anything who has won none


class Trial(msgspec.Struct, frozen=True):
    """What a trial found: with a refusal the variant cannot be played, with a remark it may be no good game.

    ``well`` says what speaks for it, where there is neither; "" where too few games were played to tell.
    """

    refusals: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    well: str = ""


class _PlayedGame(msgspec.Struct, frozen=True):
    """A game at random: how many ``plies`` it took, whether it is over and who won, and the seats that moved.

    ``stuck``: nobody could move, and yet it was not over.
    """

    plies: int
    over: bool
    winner: int | None
    moved: frozenset[int | None]
    stuck: bool


def tried(variant: Variant, over: Callable[[], bool]) -> Trial:
    """Return what games at random say of ``variant``; none begins, and none goes on, once the time is ``over``.

    The games are the same every time, as many of them as the time allows.
    """
    if not variant.options:
        return Trial((say("it changes nothing: give at least one option another value"),))
    game = game_named(variant.game)
    try:
        options = parse(game.options, variant.options)
        if refusal := _refused_at_start(game, game.start(options, 0)):
            return Trial((refusal,))
        games = _played(game, options, over)
    except (BadOption, Illegal) as wrong:  # what the rules themselves have a sentence for
        return Trial((str(wrong),))
    except Exception as error:  # noqa: BLE001  whatever the rules raise at such options, the variant is refused
        return Trial((say("the rules fail at it ({error})", error=f"{type(error).__name__}: {error}"[:200]),))
    seats = game.facts.seats[: game.facts.players(msgspec.to_builtins(options))]
    refusal = _refused(seats, games)
    if refusal:
        return Trial((refusal,))
    remarks = _remarks(game, seats, games)
    return Trial(remarks=remarks, well="" if remarks else _well(seats, games))


def _refused_at_start(game: AnyGame, state: Any) -> str:
    result = game.result(state)
    if result.over:
        return say("it is over as it begins ({why})", why=say(result.why))
    return "" if game.moves(state) else say("nobody can move as it begins")


def _played(game: AnyGame, options: Any, over: Callable[[], bool]) -> list[_PlayedGame]:
    games: list[_PlayedGame] = []
    left = PLIES
    for seed in range(GAMES):
        if over() or left <= 0:
            break
        games.append(_at_random(game, game.start(options, seed), seed, min(left, game.facts.longest + 1), over))
        left -= games[-1].plies
    return games


def _at_random(game: AnyGame, state: Any, seed: int, most: int, over: Callable[[], bool]) -> _PlayedGame:
    dice, plies, moved, stuck = Random(seed), 0, set[int | None](), False
    while not (result := game.result(state)).over and plies < most and not over():
        moves = game.moves(state)
        if stuck := not moves:
            break
        moved.add(game.seat(state))
        state, plies = game.after(state, dice.choice(moves)), plies + 1
    return _PlayedGame(plies, result.over, result.winner, frozenset(moved), stuck)


def _refused(seats: Sequence[str], games: Sequence[_PlayedGame]) -> str:
    stuck = next((game for game in games if game.stuck), None)
    if stuck is not None:
        return say("at random nobody can move after move {count}, and the game is not over", count=stuck.plies)
    still = [name for seat, name in enumerate(seats) if all(seat not in game.moved for game in games)]
    if not still or not any(game.over for game in games):
        return ""
    return say("{seats} can never move: every game at random is over before", seats=all_of(map(say, still)))


def _remarks(game: AnyGame, seats: Sequence[str], games: Sequence[_PlayedGame]) -> tuple[str, ...]:
    ended = [each for each in games if each.over]
    endless = [each for each in games if not each.over and each.plies > game.facts.longest]
    found: list[str] = []
    if endless:
        found.append(
            say("{count} of {games} games at random were not over after {plies} moves",
                count=len(endless), games=len(games), plies=game.facts.longest)
        )  # fmt: skip
    elif not ended:
        found.append(say("no game at random came to its end in the time for a trial: nobody knows whether one does"))
    won = [name for seat, name in enumerate(seats) if any(each.winner == seat for each in ended)]
    if len(ended) >= GAMES_A_SEAT * len(seats) and len(won) < len(seats):
        found.append(
            say("in {games} games at random nobody but {seats} won", games=len(ended), seats=all_of(map(say, won)))
            if won else say("in {games} games at random nobody won", games=len(ended))
        )  # fmt: skip
    return tuple(found)


def _well(seats: Sequence[str], games: Sequence[_PlayedGame]) -> str:
    """Return what speaks for a variant against which nothing was found: its games ended, and who won."""
    ended = [each for each in games if each.over]
    won = [name for seat, name in enumerate(seats) if any(each.winner == seat for each in ended)]
    if len(won) < len(seats):
        return say("{games} games at random came to their end", games=len(ended))
    return say("{games} games at random came to their end, and {seats} won some each",
               games=len(ended), seats=all_of(map(say, won)))  # fmt: skip
