"""What should stand on a simulated board, held against the tokens that do.

Pure functions of a table and of `Hand.pieces`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.rules.game import Piece
from controller.rules.way_told import site_called
from controller.sentences import say
from controller.table import lesson_guide
from controller.table.pieces_named import stays_told
from controller.table.state import Play, Table

STEADY_S = 0.05  # more than the sensors need, so that a piece certainly lies there


def expected(table: Table) -> Mapping[str, Piece]:
    """Return what should stand on the board, by the board's names of the sites."""
    play = table.play
    if play is None:
        return {}
    place = sites_of(table, play)
    return {place[name]: piece for name, piece in play.settled.position.shape.items()}


def site_names(table: Table, play: Play) -> dict[str, str]:
    """Return the game's name of each site of the board that it uses."""
    return {where: name for name, where in sites_of(table, play).items()}


def sites_of(table: Table, play: Play) -> dict[str, str]:
    """Return the board's name of each site of the game."""
    return {name: table.board.site(bit) for name, bit in play.game_area.bit.items()}


def waits(table: Table, play: Play) -> bool:
    """Whether a ply was made that does not count yet: here, or at home, which was asked for it."""
    made = play.verdict.made is not None or play.held is not None or play.sent is not None
    return made or table.due_us is not None


def why_not(play: Play, cell: str, there: Mapping[str, Any] | None) -> str:
    """Return why nothing begins at ``cell`` while the game goes on."""
    game, state = play.session.game, play.session.state
    seat = game.seat(state)
    assert seat is not None
    if play.session.lesson and (expected := play.session.expected):  # there: what else could move does not matter
        if not lesson_guide.waits(play):
            return say("Read on first: press Next.")
        return say("Now another move is wanted: {ply}.", ply=game.words_of(state, expected))
    if there is not None and there["seat"] in (game.colour_of(state, seat), None):
        return stays_told(game, there["kind"], cell, game.stays(state, cell))
    name = say(game.facts.seats[seat])
    if why := game.bars(state, cell):
        return why
    if there is not None:
        return say("{seat} to move.", seat=name)
    if any(footprint.origin for footprint in play.settled.position.footprints):
        return say("{cell} is empty: tap a piece to see where it may go.", cell=cell)
    return say("Nothing can be done on {cell} now.", cell=site_called(cell))


def steady_s(table: Table) -> float:
    """Return after how many seconds a piece that was put down certainly lies there."""
    return (table.timing.flicker_ms + table.timing.steady_ms) / 1000 + STEADY_S


def home_of(play: Play, held: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the site at which the position has the held piece, "" where that is not clear.

    A piece that was set down elsewhere meanwhile belongs where one like it is missing.
    """
    shape = play.settled.position.shape
    name = names.get(held["from"], "")
    if same(held, shape.get(name)):
        return name
    return ""


def same(token: Mapping[str, Any] | None, wanted: Piece | None) -> bool:
    if token is None or wanted is None:
        return token is None and wanted is None
    return (token["seat"], token["kind"]) == (wanted.seat, wanted.kind)


def wrong_sites(
    play: Play, place: Mapping[str, str], pieces: Mapping[str, Any], whole: bool
) -> dict[str, Piece | None]:
    """Return the game's sites that are to be put right, each with what should stand there.

    ``place`` has the board's names of the sites. After a ply only what it left to do, as a ``whole`` everything; what
    is in a hand is left to that.
    """
    on, held = pieces["on"], {token["from"] for token in pieces["held"]}
    touched = 0
    for change in play.settled.changes:
        touched |= change.bit
    shape, wrong = play.settled.position.shape, dict[str, Piece | None]()
    for name, bit in play.game_area.bit.items():
        wanted, there = shape.get(name), on.get(place[name])
        if place[name] in held or same(there, wanted):
            continue
        both = play.game_area.both(bit)
        left_to_do = (there and wanted and not both & touched) or both & play.settled.pending_chores
        if whole or left_to_do:
            wrong[name] = wanted
    return wrong
