"""What somebody did beside moving that all others are told: a move taken back, a draw declined, another game begun.

Several may come at once, as where who owned the table leaves a game: the newest few are kept.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from controller.orders import (
    AgreeBack,
    AnyOrder,
    Beginning,
    NewGame,
    OfferDraw,
    Pause,
    PlayAgain,
    RefuseBack,
    RefuseDraw,
    Resume,
    StartLesson,
    StartPuzzle,
    TakeBack,
    WhoPlays,
)
from controller.sentences import all_of, say
from web_panel.answers import What
from web_panel.backend import Standing, TableAccess
from web_panel.people.phones import Visitor, shown_name
from web_panel.people.phones_file import Phone

replace = msgspec.structs.replace

KEPT = 6


class PieceOfNews(msgspec.Struct, frozen=True):
    """Its ``number`` grows with each, ``by`` is the id of the phone that did it. ``new`` is the phone that has got
    something by that or asked for it, ``old`` the one that has lost it.

    Of a take-back ``made`` is how many moves there had been, and ``left`` how many were then; the same for an ending.
    Of a game begun or resumed ``made`` is how many moves the one before had, which is kept with them; 0 of a lesson.
    ``words`` say what was taken back, "" where that is secret, who plays now, which game was begun, which one of a
    match, or whose seat was released, which was given up or is played again, or who somebody is or is not; ``asks``
    says which phone said to be theirs. Where nobody was there to be asked whether it is, ``who`` is "".
    """

    what: What
    number: int = 0
    who: str = ""
    by: str = ""
    made: int = 0
    left: int = 0
    words: str = ""
    asks: str = ""
    new: str = ""
    old: str = ""

    def part_of(self, id: str) -> Literal["", "new", "old"]:
        """Return which part the phone ``id`` has in it, "" for none, or where that one is a guest's."""
        if not id:
            return ""
        return "new" if id == self.new else "old" if id == self.old else ""


class News:
    """Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: tuple[PieceOfNews, ...] = ()

    def ahead(self, order: AnyOrder, visitor: Visitor, standing: Standing, backend: TableAccess) -> str:
        """Return what others are to be told of what ``order`` takes back or changes, gone once it is carried out."""
        if isinstance(order, TakeBack):
            return backend.taken_back(order.to, _called(visitor, standing))
        if isinstance(order, WhoPlays):
            return _changed(order, _called(visitor, standing), standing)
        return backend.taken_back(order.to, "") if isinstance(order, AgreeBack) else ""

    def heard(self, order: AnyOrder, visitor: Visitor, standing: Standing, made: int, words: str = "") -> bool:
        """Note that ``visitor`` has given ``order`` while the table stood so; returns whether that is news. So many
        moves are ``made`` now; ``words`` are from `ahead`, or the title of what has begun. What the table says itself
        is none: that somebody does not agree.
        """
        what: What | None = "took_back" if isinstance(order, TakeBack) else None
        if isinstance(order, AgreeBack) and made < standing.made:
            what = "agreed_back"  # everybody is told: who agreed first does not know it yet
        if isinstance(order, WhoPlays):
            what = "other_players"
        if isinstance(order, Beginning) and _goes(standing):
            what = "next_game" if is_next_game(order, standing) else _begun(order)
        if isinstance(order, RefuseBack) and order.seat in (standing.asking_back or ()):
            what = "asks_no_longer"
        if isinstance(order, OfferDraw) and not standing.offers:
            what = "offers"
        if isinstance(order, Pause) and order.on:
            what = "paused"
        if isinstance(order, RefuseDraw) and order.seat in standing.offers:
            what = "withdrew"
        if what:
            who = shown_name(visitor) if isinstance(order, Beginning) else _called(visitor, standing)
            before, left = _taken(order, standing.made, made, standing.lesson)
            by = "" if what == "agreed_back" else visitor.id
            piece = PieceOfNews(who=who, what=what, by=by, made=before, left=left, words=words)
            self._add(piece, anew=isinstance(order, Beginning))
        return bool(what)

    def released(self, visitor: Visitor, holder: Phone, seat: int, standing: Standing) -> None:
        """Note that ``visitor`` frees the ``seat`` of ``holder``."""
        whose = holder.name if holder.named or seat >= len(standing.seats) else say(standing.seats[seat])
        who = _called(visitor, standing)
        self._add(PieceOfNews(who=who, what="released", by=visitor.id, words=whose, old=holder.id))

    def gave_up(self, holder: Phone, seats: Sequence[int], standing: Standing) -> bool:
        """Note that ``holder`` has given up ``seats``; returns whether that is of a game that goes on."""
        freed = [say(standing.seats[seat]) for seat in seats if seat < len(standing.seats)]
        if standing.to_move is None or standing.lesson or not freed:
            return False
        who = holder.name if holder.named else say("Somebody")
        self._add(PieceOfNews(who=who, what="gave_up", by=holder.id, words=all_of(freed)))
        return True

    def returned(self, visitor: Visitor, seats: Sequence[int], standing: Standing) -> None:
        """Note that ``visitor`` plays ``seats`` again, which the board has played meanwhile."""
        who = visitor.name if visitor.named else say("Somebody")
        words = all_of([say(standing.seats[seat]) for seat in seats])
        self._add(PieceOfNews(who=who, what="returned", by=visitor.id, words=words))

    def is_again(
        self, asks: Phone | Visitor, holder: Phone, standing: Standing, visitor: Visitor | None, let_in: bool = True
    ) -> None:
        """Note what ``visitor`` has answered the question whether ``asks`` is of the same person as ``holder``; None
        where nobody was there to be asked.
        """
        seats = [say(standing.seats[seat]) for seat in holder.seats if seat < len(standing.seats)]
        whose = holder.name if holder.named or not seats else all_of(seats)
        piece = PieceOfNews(
            who=_called(visitor, standing) if visitor else "",
            what="is_again" if let_in else "is_not",
            by=(visitor or asks).id,
            words=whose,
            asks=asks.name if asks.named else say("Another phone"),
            new=asks.id,
            old=holder.id if let_in else "",
        )
        self._add(piece)

    def owns(self, owner: Phone, standing: Standing, by: str = "") -> None:
        """Note that the table is that of the phone ``owner`` from now on, by what the phone ``by`` did."""
        self._add(PieceOfNews(who=_called(owner, standing), what="owns", by=by, new=owner.id))

    def left_out(self, visitor: Visitor, phone: Phone, standing: Standing) -> None:
        """Note that ``visitor`` has begun a game in which ``phone`` has no seat, though it had one before."""
        self._add(PieceOfNews(who=_called(visitor, standing), what="left_out", by=visitor.id, old=phone.id))

    def _add(self, piece: PieceOfNews, anew: bool = False) -> None:
        """Keep ``piece``; where a game begins ``anew``, of those before only what concerns a phone."""
        with self._lock:
            kept = [each for each in self._told if not anew or each.new or each.old]
            self._told = (*kept, replace(piece, number=self._told[-1].number + 1 if self._told else 1))[-KEPT:]

    def to(self, visitor: Visitor) -> list[dict[str, Any]]:
        """Return what ``visitor`` is told, the newest last: ``mine`` is what they did, and which ``part`` they have."""
        return [
            {"number": told.number, "who": told.who, "what": told.what, "mine": told.by == visitor.id,
             "part": told.part_of(visitor.id), "made": told.made, "left": told.left, "words": told.words,
             "asks": told.asks}
            for told in self._told
        ]  # fmt: skip


def is_next_game(order: AnyOrder, standing: Standing) -> bool:
    """Whether the order begins the next game of the match that is on."""
    return bool(standing.match) and isinstance(order, PlayAgain)


def _changed(order: WhoPlays, who: str, standing: Standing) -> str:
    """Return the sentence for how ``who`` changes who plays; it has the seats' own names beside theirs."""
    if order.seats == "turn":
        return say("{person} has changed sides with the board.", person=who)
    boards = {seat for seat, level in enumerate(order.levels[: len(standing.seats)]) if level}
    if given := [say(standing.seats[seat]) for seat in sorted(boards - standing.board)]:
        return say("{person} lets the board play {seats} from now on.", person=who, seats=all_of(given))
    if taken := [say(standing.seats[seat]) for seat in sorted(standing.board - boards)]:
        return say("{person} has changed who plays: {seats} is for people now.", person=who, seats=all_of(taken))
    return say("{person} has changed how well the board plays.", person=who)


def _goes(standing: Standing) -> bool:
    """Whether others see something go from the table when another game begins: all but a lesson that is over."""
    return standing.to_move is not None or (bool(standing.seats) and not standing.lesson)


def _begun(order: AnyOrder) -> What:
    if isinstance(order, Resume):
        return "resumed"
    if isinstance(order, StartLesson):
        return "lesson"
    return "puzzle" if isinstance(order, StartPuzzle) or (isinstance(order, NewGame) and order.lesson) else "began"


def _taken(order: AnyOrder, before: int, now: int, lesson: bool) -> tuple[int, int]:
    """Return how many moves there were before a take-back or another game, and after it; another board has not carried
    it out yet.
    """
    if isinstance(order, Beginning) and not lesson:
        return before, 0
    if isinstance(order, AgreeBack):
        return before, now
    if not isinstance(order, TakeBack):
        return 0, 0
    before = before if order.made is None else order.made
    return before, now if now < before or order.to is None else order.to


def _called(visitor: Visitor | Phone, standing: Standing) -> str:
    """Return the person's name, else the seat's; who has neither is somebody."""
    if visitor.named:
        return visitor.name
    seats = [standing.seats[seat] for seat in visitor.seats if seat < len(standing.seats)]
    return say(seats[0]) if seats else say("Somebody")
