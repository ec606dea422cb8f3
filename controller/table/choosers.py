"""Who chooses in secret from a position on, and where the rules would have each of them do so.

Nothing that others have chosen bears on what a seat may choose: any legal plies stand for theirs. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from controller.rules.game import AnyGame


@lru_cache(maxsize=4)
def choosers(game: AnyGame, state: Any) -> Mapping[int, Any]:
    """Return by seat the position in which it is to choose, in the order in which these plies are made afterwards."""
    found = dict[int, Any]()
    while game.secret is not None and game.secret(state) and (seat := game.seat(state)) is not None:
        found.setdefault(seat, state)
        state = _any_made(game, state)
    return found


@lru_cache(maxsize=4)
def by_form(game: AnyGame, state: Any) -> bool:
    """Whether all of them choose in a form, which says itself what is legal: then a page without rules can seal it."""
    return all(
        game.shared(at) is not None or game.look(at, seat).arrange is not None
        for seat, at in choosers(game, state).items()
    )


def _any_made(game: AnyGame, state: Any) -> Any:
    share = game.shared(state)
    if share is not None:  # there may be a great many ways to share
        return game.play_text(state, " ".join([share.word, str(share.units), *"0" * (len(share.among) - 1)]))
    return game.after(state, game.moves(state)[0])
