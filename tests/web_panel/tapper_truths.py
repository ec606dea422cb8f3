"""What has to be true of a panel whatever was tapped: known to somebody who knows the world and not the program.

Owns the truths, each a pure function of what a page shows, what the table knows and where the pieces of wood lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from controller.journal.archive import Archive
from controller.journal.recording import parse, replay, write
from controller.panel.pieces_needed import expected, waits
from controller.rules.game import Piece
from controller.table.state import Play, Table
from tests.web_panel.real_backend import Real

Seen = dict[str, Any]  # what `tapper.look()` in a page returns
Pieces = dict[str, Any]  # what `Hand.pieces()` returns


def kind(token: dict[str, Any]) -> tuple[int | None, str]:
    return token["seat"], token["kind"]


def wanted(piece: Piece) -> tuple[int | None, str]:
    return piece.seat, piece.kind


def standing_right(table: Table, pieces: Pieces) -> bool:
    """Whether the pieces stand as the position has them, and no hand holds one."""
    stands = {site: kind(token) for site, token in pieces["on"].items()}
    return not pieces["held"] and stands == {site: wanted(piece) for site, piece in expected(table).items()}


def faults_of(seen: Seen, table: Table, pieces: Pieces) -> Iterator[str]:
    """Yield what is wrong with a panel on which nothing moves any more."""
    if table.play is not None:
        yield from silent(seen)
        yield from lost(table.play, pieces)
        yield from elsewhere(table, table.play, seen, pieces)
    yield from drawn_otherwise(seen, pieces)
    if pieces.get("finishes") and len(pieces["held"]) > 1:
        yield f"{len(pieces['held'])} pieces are in one hand"
    on = table.board.mask(pieces["on"])
    if on != table.now and not table.board.poles:
        yield f"the sensors see {table.board.marks(on ^ table.now)} otherwise than the pieces lie"


def silent(seen: Seen) -> Iterator[str]:
    """Hold the banner to what it owes: a sentence, and something to do, in words, by light or as a button."""
    if not seen["sentence"] and not seen["forms"]:
        yield "silent: no sentence"
    words = [seen[name] for name in ("advice", "waits", "question", "lesson", "forms")]
    if not any(words) and not seen["acts"]:
        yield f"silent: {seen['sentence']!r} stands alone with {seen['lit']} lights and nothing offered"


def lost(play: Play, pieces: Pieces) -> Iterator[str]:
    """Count the pieces: what the position has and what was captured are all there, each in one place."""
    tokens = [*pieces["on"].values(), *pieces["held"], *pieces["off"]]
    if len({token["id"] for token in tokens}) != len(tokens):
        yield "a piece is in two places"
    there = Counter(kind(token) for token in tokens)
    have = Counter(wanted(piece) for piece in play.settled.position.shape.values())
    have += Counter(wanted(piece) for _, piece in play.session.positions[-1].captures)
    if play.setting_up:
        return
    missing = have - there
    # What has not been brought yet, of a position that has just come to be, is no loss: it is a chore that is named.
    if missing and not play.settled.pending_chores:
        yield f"lost: {dict(missing)} of {sum(have.values())}"


def elsewhere(table: Table, play: Play, seen: Seen, pieces: Pieces) -> Iterator[str]:
    """Where the table says that all is well, it is; where it is not, the way out is offered."""
    if standing_right(table, pieces):
        if table.phase == "fix":
            yield f"all stands right, and the panel says {seen['sentence']!r} {seen['advice']!r}"
        return
    if play.session.game.sets_up and play.session.game.sets_up(play.session.state):
        return
    stands = {site: kind(token) for site, token in pieces["on"].items()}
    should = {site: wanted(piece) for site, piece in expected(table).items()}
    if waits(table, play) or play.verdict.asked or play.verdict.possible:
        return
    if pieces["held"]:
        if stands == should:  # what the hand holds was captured
            return
        with_held = stands | {token["from"]: kind(token) for token in pieces["held"]}
        if table.phase == "play" and with_held != should and not seen["advice"]:
            yield f"{differing(with_held, should)} stand otherwise with {pieces['held']} held: {seen['waits']!r}"
        return
    if not any(word in act.lower() for act in seen["acts"] for word in ("put", "finish", "set up")):
        said = [seen[name] for name in ("sentence", "advice", "waits", "acts")]
        yield f"{differing(stands, should)} stand otherwise in phase {table.phase}, and nothing mends it: {said}"


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return sorted(site for site in {*one, *other} if one.get(site) != other.get(site))


def drawn_otherwise(seen: Seen, pieces: Pieces) -> Iterator[str]:
    """Hold the page's picture of the pieces to where they are."""
    tokens = {piece: at for piece, at in seen["tokens"].items() if not piece.startswith("draft")}
    # What is still secret has no token of wood yet: it is named as its site.
    drawn = {piece: site for piece, (site, state) in tokens.items() if state == "set" and piece != site}
    there = {token["id"]: site for site, token in pieces["on"].items()}
    if drawn != there:
        odd = {piece: (drawn.get(piece), there.get(piece)) for piece in differing(drawn, there)}
        yield f"drawn otherwise than they stand (drawn, there): {odd}"
    held = {piece for piece, (_, state) in tokens.items() if state in ("lifted", "dragged")}
    if pieces.get("finishes") and held != {token["id"] for token in pieces["held"]}:
        yield f"{held} are drawn in the hand, {pieces['held']} are"
    if seen["tray"] != len(pieces["off"]):
        yield f"{seen['tray']} pieces are drawn beside the board, {len(pieces['off'])} lie there"


def journal_faults(real: Real) -> Iterator[str]:
    """Read the journal as another program would: its plies are the table's, and its recording plays to the same."""
    table = real.running.service.look().table
    if table.play is None:
        return
    archive = Archive(real.running.service._journal.path)
    try:
        saved = archive.last()
        plies = table.play.session.plies
        if saved is None or saved.plies != plies:
            yield f"the journal has {saved and len(saved.plies)} plies, the table {len(plies)}"
            return
        header, lines = archive.recording(saved.game_id)
    finally:
        archive.close()
    *_, (last, _) = replay(parse("\n".join(write(header, lines))))
    if last.play is None or last.play.session.plies != plies:
        yield "the recording is replayed to other plies"
    elif last.play.session.game.shape(last.play.session.state) != table.play.settled.position.shape:
        yield "the recording is replayed to another position"
