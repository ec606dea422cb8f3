"""The promises that a game from elsewhere is held to before it is listed: one short game at random.

It is held to them before it can be chosen and not only when it is begun, so that one that is listed can be played. What
it may take of time and memory is bounded by the process in which it is tried, see `controller.app.package_trial`.
"""

from __future__ import annotations

from controller.rules.conformance import play
from controller.rules.conformance.facts import check_facts
from controller.rules.conformance.samples import Broken, play_at_random
from controller.rules.game import AnyGame

SHORT = 4  # positions that are looked at closely
PLIES = 200  # after which a game need not be over
CHECKS = (
    play.plies_are_unique_and_read_back,
    play.states_survive_encoding,
    play.play_leaves_the_position,
    play.shapes_keep_to_the_facts,
    play.walks_tell_what_the_hand_does,
)


def broken_promise(game: AnyGame) -> str:
    """Return the first promise that ``game`` breaks, or what it raises; "" where a short game meets neither.

    Raises MemoryError where there is not enough memory for it.
    """
    try:
        check_facts(game)
        sample = play_at_random(game, {}, 1, PLIES, SHORT)
        for check in CHECKS:
            check(sample)
        if sample.plies < PLIES:
            play.random_play_ends(sample)
    except MemoryError:
        raise
    except Broken as broken:
        return str(broken)
    except BaseException as error:  # noqa: BLE001  whatever one game raises, it is reported of that game
        return f"nothing fails in a short game: {type(error).__name__}: {error}"
    return ""
