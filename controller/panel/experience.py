"""Games in which experience decides something: where an order that begins one needs to be told whose, and how it is."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.orders import NewGame, PlayAgain
from controller.rules.options import BadOption, check_size, parse
from controller.rules.registry import NoSuchGame, game_named
from controller.table.state import Play
from web_panel.backend import Played

UNKNOWN = "-"


def experienced(order: NewGame | PlayAgain, play: Play | None, played: Played) -> NewGame | PlayAgain:
    """Return ``order`` with the experience of the players, where the game asks for it; else as it is.

    ``play`` is on the table now. A game with plies goes on as it had begun, and what the order says itself counts.
    """
    name, options = _begun(order, play)
    try:
        game = game_named(name)
        option = game.facts.experience_option
        if not option or option in order.options or (isinstance(order, NewGame) and (order.plies or order.lesson)):
            return order
        check_size(game, options)
        seats = game.facts.players(msgspec.to_builtins(parse(game.options, {**options, option: ""})))
    except (NoSuchGame, BadOption):
        return order  # the table says what is wrong with it
    found = played(name, seats)
    known = any(games is not None for games in found)
    text = " ".join(UNKNOWN if games is None else str(games) for games in found) if known else ""
    return msgspec.structs.replace(order, options={**order.options, option: text})


def _begun(order: NewGame | PlayAgain, play: Play | None) -> tuple[str, dict[str, Any]]:
    """Return the name of the game that ``order`` begins, "" where there is none, and the options it will have."""
    if isinstance(order, NewGame):
        return order.game, order.options
    return (play.session.name, {**play.session.options, **order.options}) if play else ("", {})
