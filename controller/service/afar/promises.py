"""What a far board lets home know of the choice that its seat has made in secret.

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.afar.log import Log
from controller.commitments import Committed
from controller.orders import Commit, Reveal, Wish
from controller.rules.registry import NoSuchGame, game_named
from controller.table.afar.committing import missing
from controller.table.state import Play


def may_promise(known: Log) -> bool:
    """Whether there are secrets in the game of that log."""
    try:
        return game_named(known.begun.game).secret is not None
    except NoSuchGame:
        return False


def unknown(here: Sequence[Committed], known: Sequence[Committed]) -> bool:
    """Whether home knows of something that was chosen in secret, and this board does not."""
    return any(each not in here for each in known)


def next_word(play: Play, seat: int, known: Log) -> Wish | None:
    """Return to what ``seat`` is bound, while home does not know that; once all are bound, what it is; else None."""
    one = play.session.promises.of(seat)
    if one is None:
        return None
    told = next((each for each in known.committed[known.settled :] if each.seat == seat), None)
    if told is None:
        return Commit(seat=seat, made=one.what.made, commit=one.what.commit)
    if one.known and not told.nonce and not missing(play):
        return Reveal(seat=seat, nonce=one.what.nonce, plies=one.what.plies)
    return None
