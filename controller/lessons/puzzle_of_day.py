"""The puzzle of a day, and how a board without a game draws its position by light. Which day it is comes in."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from random import Random

from controller.lessons.puzzle_files import Puzzle, all_puzzles, there_on
from controller.orders import NewGame
from controller.rules.game import AnyGame, Piece
from controller.rules.options import parse
from controller.rules.registry import easiest_first, game_named
from controller.table.board import Board

log = logging.getLogger(__name__)

Colour = tuple[int, int, int]
FirstDays = Mapping[str, date]
"""On which day something was first at this table, by the name of a game."""

EASY = 1

# Of the pieces of each seat, and of those of nobody. None is the colour of a hint.
SEATS: tuple[Colour, ...] = ((255, 190, 110), (90, 0, 200), (0, 150, 60), (150, 0, 90), (0, 120, 130), (120, 90, 0))
NOBODY: Colour = (40, 40, 40)


def puzzle_of(day: date, games: Iterable[str], met: FirstDays, found: FirstDays) -> tuple[str, Puzzle] | None:
    """Return the game and the puzzle of a ``day`` among those of ``games``.

    It is of a game that was learnt or played here before that day (``met``), where none was of the easiest. The games
    take turns, and no puzzle comes again before all of its game came. None where there is none. Of a game of which
    nobody here had ``found`` a puzzle before that day it is an easy one.
    """
    puzzles = all_puzzles()
    there = [game.facts.name for game in easiest_first() if game.facts.name in set(games) & puzzles.keys()]
    if not there:
        return None
    there = sorted(game for game in there if met.get(game, day) < day) or there[:1]
    turn, which = divmod(day.toordinal(), len(there))
    own = puzzles[there[which]]
    if found.get(there[which], day) >= day:
        own = tuple(puzzle for puzzle in own if puzzle.hard == EASY) or own
    order = Random(there[which]).sample(range(len(own)), len(own))
    return there[which], own[order[turn % len(order)]]


def drawn(board: Board, day: date, met: FirstDays, first: FirstDays) -> Mapping[str, Colour]:
    """Return the colour of each site of ``board`` on which a piece stands in the puzzle of a ``day`` that fits it."""
    found = puzzle_of(day, [name for name, place in board.placements.items() if there_on(name, place)], met, first)
    if found is None:
        return {}
    name, puzzle = found
    try:
        shape = _shape(game_named(name), puzzle.order)
    except Exception:  # whatever the rules of one game raise: the board stays dark
        log.exception("the puzzle of the day cannot be set up by the rules of %s", name)
        return {}
    place = board.placements[name]
    return {place[site]: _colour(piece.seat) for site, piece in shape.items() if site in place}


class PictureOfDay:
    """What a board shows while nobody plays: the puzzle of ``today``, worked out once for each board and day.

    It is drawn anew once ``known`` says what was met and found before.
    """

    def __init__(self, today: Callable[[], date]) -> None:
        self._today = today
        self.known: tuple[FirstDays, FirstDays] = {}, {}
        self._drawn: tuple[tuple[str, date, FirstDays, FirstDays], Mapping[str, Colour]] | None = None

    def __call__(self, board: Board) -> Mapping[str, Colour]:
        """Return the colours by the sites of ``board``."""
        now = (board.name, self._today(), *self.known)
        if self._drawn is None or self._drawn[0] != now:
            self._drawn = (now, drawn(board, *now[1:]))
        return self._drawn[1]


def _shape(game: AnyGame, order: NewGame) -> Mapping[str, Piece]:
    """Return what stands where the puzzle of ``order`` begins."""
    state = game.start(parse(game.options, order.options), order.seed or 0)
    for text in order.lesson.plies if order.lesson else ():
        state = game.play_text(state, text)
    return game.shape(state)


def _colour(seat: int | None) -> Colour:
    return NOBODY if seat is None else SEATS[seat % len(SEATS)]
