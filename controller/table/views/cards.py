"""The card of a piece: what somebody who lifts it may want to know."""

from __future__ import annotations

from msgspec.structs import replace

from controller.sentences import capital, say
from controller.table.pieces_named import stays_told
from controller.table.state import Play, Table
from controller.table.views.panel_view import plies_at
from controller.table.views.types import Card


def card_at(table: Table, site: str, seat: int | None) -> Card | None:
    """Return the card of the piece at a site of the board; None where ``seat`` (None: a watcher) knows of none."""
    play = table.play
    if play is None or site not in table.board.sites:
        return None
    game, state = play.session.game, play.session.state
    seen = game.look(state, seat).pieces
    name = next((name for name in play.game_area.names(table.board.bit(site)) if name in seen), None)
    if name is None:
        return None
    kind, facts = seen[name].kind, game.card(state, name, seat) if game.card else ()
    where, bits = table.board.where, play.game_area.bit
    met = game.against(state, name) if game.against else ()
    against = tuple(replace(each, site=where(bits[each.site])[0]) for each in met)
    tapped = game.facts.moves_tapped.get(kind, "") if table.by_taps else ""
    moves, stays = say(tapped or game.facts.moves.get(kind, "")), _stays(table, play, name, seat)
    return Card(seen[name], capital(say(game.facts.kinds[kind])), moves, facts, against, stays)


def _stays(table: Table, play: Play, name: str, seat: int | None) -> str:
    """Return in a sentence why the piece on ``name`` takes part in no ply of the seat to move, "" where it does."""
    game, state = play.session.game, play.session.state
    mover, piece = game.seat(state), game.shape(state).get(name)
    if mover is None or piece is None or table.phase != "play" or (play.session.secret and seat != mover):
        return ""
    site = table.board.site(play.game_area.bit[name])
    if piece.seat not in (None, game.colour_of(state, mover)) or plies_at(table, site, mover):
        return ""
    why = game.stays(state, name)
    return stays_told(game, piece.kind, name, why) if why else ""
