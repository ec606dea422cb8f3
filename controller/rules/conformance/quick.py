"""The promises that a game from elsewhere is held to when it is loaded: one short game at random, within a bound.

Owns that bound. It is counted in lines of Python that the game runs: so the answer is the same on every machine, and a
function that never comes back ends here instead of holding up the service. A game is held to them when it is loaded and
not only when it is begun, so that one that is listed can be played. Must not know where games come from.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from controller.rules.conformance import play
from controller.rules.conformance.facts import check_facts
from controller.rules.conformance.samples import Broken, play_at_random
from controller.rules.game import AnyGame

MOST_LINES = 2_000_000  # of Python: some tenths of a second
SHORT = 4  # positions that are looked at closely
PLIES = 200  # after which a game need not be over
CHECKS = (
    play.plies_are_unique_and_read_back,
    play.states_survive_encoding,
    play.play_leaves_the_position,
    play.shapes_keep_to_the_facts,
    play.walks_tell_what_the_hand_does,
)


class _TooLong(BaseException):
    """The bound is reached; nothing within a game catches it by mistake."""


def broken_promise(game: AnyGame) -> str:
    """Return the first promise that ``game`` breaks, or what it raises; "" where a short game meets neither."""
    try:
        with _at_most(MOST_LINES):
            check_facts(game)
            sample = play_at_random(game, {}, 1, PLIES, SHORT)
            for check in CHECKS:
                check(sample)
            if sample.plies < PLIES:
                play.random_play_ends(sample)
    except _TooLong:
        return f"a short game comes to an end; this one was still at it after {MOST_LINES:,} lines of Python"
    except Broken as broken:
        return str(broken)
    except Exception as error:  # noqa: BLE001  whatever one game raises, it is reported of that game
        return f"nothing fails in a short game: {type(error).__name__}: {error}"
    return ""


@contextmanager
def _at_most(lines: int) -> Iterator[None]:
    """Raise `_TooLong` within the block once the functions that it calls have run so many lines of Python."""
    left = lines

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise _TooLong
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
