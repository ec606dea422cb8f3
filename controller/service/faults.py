"""What is wrong with a service now, and the sentences for rules that fail.

For the service's loop and its maker.
"""

from __future__ import annotations

import logging

from controller.journal.marker import Hung
from controller.sentences import say, tapped_or_typed
from controller.service.game_called import title

log = logging.getLogger(__name__)


class Faults:
    """The faults that stand: of "lights", "journal", "damage", "game", "table", "tracker", "player" (who thinks for
    the board), "afar" (the line to other boards), and of files and settings at the start.

    Those of "damage" are of what was found, and stand until a game is begun.
    """

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def __contains__(self, where: str) -> bool:
        return where in self._told

    def tell(self, where: str, sentence: str) -> None:
        """Let ``sentence`` stand for ``where``; "" mends it."""
        if not sentence:
            self.mended(where)
            return
        if self._told.get(where) != sentence:
            log.warning("%s", sentence)
        self._told[where] = sentence

    def of(self, where: str) -> str:
        """Return what is wrong with ``where``, "" where nothing is."""
        return self._told.get(where, "")

    def mended(self, *where: str) -> None:
        """Let the faults of ``where`` stand no longer."""
        for each in where:
            self._told.pop(each, None)

    @property
    def stands(self) -> tuple[tuple[str, str], ...]:
        """What watchers can distinguish."""
        return tuple(self._told.items())


def report(game_id: int) -> str:
    """Return how to report a game."""
    return tapped_or_typed(
        say("To report this, choose the game under Games played and save the recording."),
        f"Report it with: beaconboard record {game_id}",
    )


def set_aside(game: str, game_id: int | None, error: str, when: str = "") -> str:
    """Return the sentence for a game whose rules failed while it was on the table, or being begun; ``when`` it was."""
    if game_id is None:
        return say(
            "There is an error in the rules of {game} ({error}): it cannot be started; all other games can. "
            "Report it with the service's log.",
            game=title(game),
            error=error,
        )
    if not when:
        return say(
            "There is an error in the rules of {game} ({error}): this game has been set aside; all other games can be "
            "played. {report}",
            game=title(game),
            error=error,
            report=report(game_id),
        )
    return say(
        "There is an error in the rules of {game} ({error}): the game of {when} has been set aside; all other games "
        "can be played. {report}",
        game=title(game),
        error=error,
        when=when,
        report=report(game_id),
    )


def never_ended(hung: Hung) -> str:
    """Return what is reported of work for which a service was restarted, in place of an error."""
    return f"{'it ended the program' if hung.ended else 'it did not come to an end'} at {hung.doing}"
