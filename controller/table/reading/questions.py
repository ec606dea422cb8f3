"""Questions and reproofs: which sites answer a question, and which rule a piece that went astray has broken."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from controller.sentences import capital, say, together
from controller.table.board import GameArea
from controller.table.gestures.resolver import TouchEvidence, Verdict
from controller.table.pieces_named import piece_called
from controller.table.reading.concerned import paid_from
from controller.table.reading.last_ply import onward
from controller.table.state import Play, Table

MOST_CHOICES = 12  # more lit cells than that help nobody; the phone asks
MOST_NAMED = 5  # cells; the lights show more of them better
NOTICED_US = 250_000  # from the touch that raises a question until a hand can have put a piece on a lit cell
UNDO = "take back"  # the answer that the last ply was taken back


def choices(table: Table, play: Play, verdict: Verdict) -> tuple[tuple[int, str], ...]:
    """Return a free site for each ply that is asked for, in the order of the sites and of the plies' texts.

    None where pieces are moved by taps: a lit cell names no answer, and the page that was tapped lists them in words.
    """
    answers = [footprint.text for footprint in verdict.asked] + [UNDO] * (verdict.undo is not None)
    if table.by_taps or not 0 < len(answers) <= MOST_CHOICES:
        return ()
    landings = onward(play, table.now)
    for earlier in play.standings[-2:-1]:  # where the last ply came from: a piece put back there takes it back
        landings |= earlier & ~play.standings[-1]
    for footprint in (*verdict.asked, *verdict.possible):
        landings |= footprint.involved
    taken = play.game_area.both(table.now | play.settled.position.standing | landings)
    free = [bit for bit in play.game_area.bit.values() if not bit & taken]
    # Rather not where some other ply puts a piece: it would choose instead.
    legal = play.game_area.both(reduce(or_, (f.involved for f in play.settled.position.footprints), 0))
    free.sort(key=lambda bit: bool(bit & legal))
    return tuple(zip(free, answers, strict=False)) if len(free) >= len(answers) else ()


def answerers(play: Play) -> dict[str, int | None]:
    """Return the answers to the open question, each with the seat whose it is to give: what is about the last ply is
    for who made that, all else for who is to move. None where that is nobody's.
    """
    verdict, session = play.verdict, play.session
    last, mover = session.positions[-1].seat, session.mover
    if last is None:
        last = mover
    asked: dict[str, int | None] = {each.text: last if verdict.again else mover for each in verdict.asked}
    return asked | ({UNDO: last} if verdict.undo is not None else {})


def lit_answer(play: Play, seen: TouchEvidence) -> tuple[str, int] | None:
    """Return the answer on whose lit cell a piece was put, and since when it rests there.

    Nobody sees a light and answers it within `NOTICED_US`: what came so soon after another touch belongs to that.
    """
    found = rests_on(play.choices, play.game_area, seen)
    if found is None:
        return None
    text, landed_us = found
    lit = play.game_area.both(sum(bit for bit, answer in play.choices if answer == text))
    before = any(landed_us - NOTICED_US < c.t_us <= landed_us for c in seen.changes if not c.bit & lit)
    return None if before else found


def rests_on(lit: Iterable[tuple[int, str]], game_area: GameArea, seen: TouchEvidence) -> tuple[str, int] | None:
    """Return what belongs to the one of the ``lit`` cells on which a piece was put, and since when it rests there."""
    for cell, text in lit:
        landed = [us for bit, us in seen.last_on.items() if bit & game_area.both(cell) & seen.now]
        if landed:
            return text, max(landed)
    return None


def why_wrong(play: Play, missing: tuple[str, ...], extra: tuple[str, ...], by_taps: bool = False) -> str:
    """Return one sentence about pieces that no ply explains: the rule, where one piece went astray.

    Where a site is both ``missing`` and ``extra``, something of another side lies on it.
    """
    if foreign := tuple(name for name in missing if name in extra):
        return _foreign(play, foreign, missing, extra)
    if len(missing) == len(extra) == 1:
        written, why = play.session.game.refusal(play.session.state, missing[0], extra[0])
        if why:
            return say(
                "{ply} is not allowed. {why}. Put the piece back on {cell}.",
                ply=written, why=capital(why), cell=missing[0],
            )  # fmt: skip
    if not extra and len(missing) == 1:
        return _cannot_move(play, missing[0], by_taps)
    if max(len(missing), len(extra)) > MOST_NAMED:
        return say(
            "pieces missing: {missing}; pieces too many: {extra}. The lights show where.",
            missing=len(missing),
            extra=len(extra),
        )
    return together(_missing(missing), capital(_too_many(extra)) if missing and extra else _too_many(extra))


def _foreign(play: Play, foreign: tuple[str, ...], missing: tuple[str, ...], extra: tuple[str, ...]) -> str:
    """Return what is wrong where something of another side lies on the ``foreign`` cells: a capture that is none, or
    pieces that were mixed up.
    """
    missing = tuple(name for name in missing if name not in foreign)
    extra = tuple(name for name in extra if name not in foreign)
    if len(missing) == len(foreign) == 1 and not extra:
        written, why = play.session.game.refusal(play.session.state, missing[0], foreign[0])
        if why:
            return say("{ply} is not allowed. {why}. Put both pieces back.", ply=written, why=capital(why))
    told = other_side(play, foreign)
    return together(told, capital(why_wrong(play, missing, extra))) if missing or extra else told


def other_side(play: Play, cells: tuple[str, ...]) -> str:
    """Return that something of another side lies on the ``cells``, as far as sensors tell by the magnet's pole."""
    if len(cells) > MOST_NAMED:
        return say(
            "pieces of another side, or with the magnet upside down: {count}. The lights show where.", count=len(cells)
        )
    if len(cells) > 1:
        return say("the pieces on {cells} are of another side, or their magnets are upside down.", cells=cells)
    piece = piece_called(play.session.game, play.settled.position.shape.get(cells[0]))
    return say(
        "the piece on {cell} is of another side, or its magnet is upside down: {piece} belongs there.",
        cell=cells[0],
        piece=piece,
    )


def _cannot_move(play: Play, cell: str, by_taps: bool) -> str:
    """Return that the piece on ``cell`` cannot move, because it is another player's, or how its units can."""
    game, state = play.session.game, play.session.state
    piece, seat = play.settled.position.shape.get(cell), game.seat(state)
    stays = any(ply.at & play.game_area.bit[cell] for ply in play.settled.position.footprints)  # no sensor can see it
    if by_taps and paid_from(play, cell):
        told = say("tap a lit cell to send units there, or {cell} again to put them back.", cell=cell)
        more = say("What else can be done there is listed under “What can I do here?”.")
        return together(told, more) if stays else told
    if piece is not None and piece.seat is not None and seat is not None and piece.seat != game.colour_of(state, seat):
        name, called = say(game.facts.seats[seat]), piece_called(game, piece)
        return say("it is {seat}'s turn: put {piece} back on {cell}.", seat=name, piece=called, cell=cell)
    if stays:
        if by_taps:
            return say(
                "nothing can go anywhere from {cell}: tap it again. What else can be done there is listed under “What "
                "can I do here?”.",
                cell=cell,
            )
        return say("put it back on {cell}: what to do there is chosen on the phone.", cell=cell)
    if why := game.stays(state, cell):
        return say("this piece cannot move, because {why}. Put it back on {cell}.", why=why, cell=cell)
    return say("this piece cannot move now: put it back on {cell}.", cell=cell)


def _missing(cells: tuple[str, ...]) -> str:
    if len(cells) == 1:
        return say("a piece is missing on {missing}.", missing=cells)
    return say("pieces are missing on {missing}.", missing=cells) if cells else ""


def _too_many(cells: tuple[str, ...]) -> str:
    if len(cells) == 1:
        return say("there is a piece too many on {extra}.", extra=cells)
    return say("there are pieces too many on {extra}.", extra=cells) if cells else ""
