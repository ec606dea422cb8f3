"""All stories, telling one of them, and writing it as a recording."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from controller.journal.recording import Header, Line, write
from tests.hands import answers, back, breaks, captures, moves, noise, second_looks, seen, turns
from tests.hands.judge import Outcome, judge
from tests.hands.positions import position
from tests.hands.sensors import KINDS
from tests.hands.teller import NotHere, Teller
from tests.hands.telling import Story

STORIES_AN_EVENING = 5


def an_evening(teller: Teller) -> None:
    """Several of the other stories are told one after the other at one board, each with its own truth."""
    raise NotHere  # it has no one truth: `tell` tells it


SINGLE = (
    *moves.STORIES,
    *captures.STORIES,
    *noise.STORIES,
    *turns.STORIES,
    *answers.STORIES,
    *back.STORIES,
    *second_looks.STORIES,
    *breaks.STORIES,
)
BOOK: tuple[Story, ...] = (*SINGLE, *breaks.BEGINNINGS, Story(an_evening))
EVERY = (*BOOK, *second_looks.OPEN)


class BookedGesture(NamedTuple):
    """One gesture: which, and what became of it; ``outcome`` is None where the game has no such ply now."""

    game: str
    story: str
    sensors: str
    seed: int
    outcome: Outcome | None
    teller: Teller


def stories_of(game: str) -> tuple[Story, ...]:
    """Return the stories that ``game`` has."""
    return tuple(story for story in BOOK if game in story.games)


def story_named(name: str) -> Story:
    """Return the story of that name; raises KeyError."""
    return {story.name: story for story in EVERY}[name]


def tell(game: str, story: str, sensors: str, seed: int) -> BookedGesture:
    """Tell one story; the same every time."""
    teller = Teller(game, story, KINDS[sensors], seed)
    try:
        outcome = _evening(teller) if story == an_evening.__name__ else _told(teller, story)
    except NotHere:
        return BookedGesture(game, story, sensors, seed, None, teller)
    return BookedGesture(game, story, sensors, seed, outcome, teller)


def _told(teller: Teller, story: str) -> Outcome:
    story_named(story).tell(teller)
    return judge(teller)


def _evening(first: Teller) -> Outcome:
    """Tell stories at one board as long as each comes out right."""
    names = [story.name for story in SINGLE if first.name in story.games]
    outcome, teller = Outcome("right"), first
    for number in range(STORIES_AN_EVENING):
        name = first.random.choice(names)
        if number:
            place = position(seen.play_of(first.world.table).session, first.place.options)
            if place is None:
                break
            teller = Teller(first.name, f"{number} {name}", first.kind, first.seed)
            teller.take_over(first.world, place)
        try:
            outcome = _told(teller, name)
        except NotHere:
            continue
        if outcome.kind not in ("right", "asked"):
            return Outcome(outcome.kind, f"story {number + 1}, {name}: {outcome.why}")
    return outcome


def recording(told: BookedGesture) -> Iterator[str]:
    """Yield the lines of a recording of the gesture, until all was put right and has come to rest.

    It lies on a bare board of the game's sites.
    """
    place, world = told.teller.place, told.teller.world
    header = Header(
        place.session.name,
        options=dict(place.options),
        plies=place.plies,
        seed=place.session.seed,
        occupied=None if told.teller.stood else (),
    )
    yield from write(header, [*world.lines, Line(world.t_us, end=True)])
