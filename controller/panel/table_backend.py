"""The service as the panel sees it. Owns the step from the panel's seam to the service and the hand."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, TypeVar

import msgspec

from controller.devices.sensors.virtual_hand import CannotMove, Hand
from controller.events import AnyOrder, Seating, SetBrightness
from controller.fault_report import place
from controller.panel.game_info import card
from controller.rules.game import Piece
from controller.rules.registry import all_games
from controller.sentences import say, together
from controller.service import loop as running
from controller.service.broadcast import Frame
from controller.service.faults import title
from controller.service.join_by_touch import PROOF_US
from controller.service.preferences import Preferences
from controller.service.running_board import RunningBoard
from controller.settings import BadSetting, Settings
from controller.table.state import Play, Table
from controller.table.views.panel_view import picture, plies_at
from controller.table.views.types import Choice, PanelView
from hardware.profile import geometry
from web_panel import backend as seam
from web_panel.backend import QUIET_S, Asked, Eyes, Refused, Standing, watcher

T = TypeVar("T")
log = logging.getLogger(__name__)


class HandAtDesk:
    """A `web_panel.backend.Hand`: the pieces of a board without real sensors; every move shows at once."""

    def __init__(self, hand: Hand, service: running.Service) -> None:
        self._hand = hand
        self._service = service

    def pieces(self) -> dict[str, Any]:
        """Return where the pieces are."""
        return self._hand.pieces()

    def lift(self, site: str) -> dict[str, Any]:
        """Take the piece at ``site`` into the hand."""
        return self._moved(lambda: self._hand.lift(site))

    def place(self, piece: str, site: str) -> None:
        """Put ``piece`` on ``site``."""
        self._moved(lambda: self._hand.place(piece, site))

    def set_aside(self, piece: str) -> None:
        """Put ``piece`` beside the board."""
        self._moved(lambda: self._hand.set_aside(piece))

    def set_up(self) -> None:
        """Make the board stand as the table expects it."""
        self._moved(lambda: self._hand.set_up(expected(self._service.look().table)))

    def touch(self, site: str) -> None:
        """Hold a magnet over ``site`` for a moment."""
        try:
            self._hand.touch(site, 1.5 * PROOF_US / 1e6)
        except CannotMove as refused:
            raise Refused(str(refused)) from refused

    def _moved(self, move: Callable[[], T]) -> T:
        try:
            found = move()
        except CannotMove as refused:
            raise Refused(str(refused)) from refused
        self._service.poke()
        return found


def expected(table: Table) -> Mapping[str, Piece]:
    """Return what should stand on the board, by the board's names of the sites."""
    play = table.play
    if play is None:
        return {}
    place = {name: table.board.where(bit)[0] for name, bit in play.ground.bit.items()}
    return {place[name]: piece for name, piece in play.settled.outlook.shape.items()}


def standing(table: Table) -> Standing:
    """Return who plays and who is to move. Once the rules have ended a game, nothing in it is secret any more."""
    play = table.play
    if play is None:
        return Standing()
    session = play.session
    to_move = None if play.result.over else session.game.seat(session.state)
    kept = {} if session.final else dict(session.positions[-1].kept)
    return Standing(session.game.facts.seats[: play.seats], to_move, kept, session.secret)


def _not_shown(table: Table, error: Exception) -> str:
    game = title(table.play.session.name) if table.play else ""
    what = place(error)
    return say("There is a fault in the rules of {game} ({error}): this cannot be shown.", game=game, error=what)


class TableBackend:
    """A `web_panel.backend.TableAccess` over a rig."""

    def __init__(self, rig: RunningBoard, preferences: Preferences | None = None) -> None:
        self._rig = rig
        self._preferences = preferences or Preferences(Settings())
        self._geometry = geometry(rig.profile)
        self._drawing = threading.Lock()
        self._drawn: dict[int | None, tuple[int, PanelView]] = {}  # by seat: the newest view and its version
        self._failed: Play | None = None  # the play whose picture could not be made last, told in the log once
        self.hand: seam.Hand | None = HandAtDesk(rig.hand, rig.service) if rig.hand else None

    def geometry(self) -> dict[str, Any]:
        """Return the board for drawing."""
        return self._geometry

    def games(self) -> list[dict[str, Any]]:
        """Return the games that fit the board."""
        return [
            card(game, self._rig.profile)
            for name, game in all_games().items()
            if self._rig.profile.placement(name) is not None
        ]

    def standing(self) -> Standing:
        """Return who plays and who is to move."""
        return self._standing(self._rig.service.look().table)

    def _standing(self, table: Table) -> Standing:
        try:
            with self._at_work(table, "whose turn it is"):
                return standing(table)
        except Exception:  # whatever the rules raise: nobody is known to be to move, and what is kept stays so
            log.exception("the rules do not tell whose turn it is")
            if table.play is None:
                return Standing()
            session = table.play.session
            seats = session.game.facts.seats[: table.play.seats]
            return Standing(seats, None, dict(session.positions[-1].kept), secret=True)

    def ask_touch(self, who: str, came: Callable[[], None]) -> str:
        """Let a free cell glow until it is touched."""
        try:
            return self._rig.service.ask_touch(who, came)
        except running.Refused as refused:
            raise Refused(str(refused)) from refused

    def unask(self, who: str) -> None:
        """Ask ``who`` no longer."""
        try:
            self._rig.service.unask(who)
        except running.Refused as refused:
            raise Refused(str(refused)) from refused

    def watched(self, who: str, there: bool) -> None:
        """Note that the page of ``who`` was opened or closed; once the service has ended nobody minds."""
        with suppress(running.Refused):
            self._rig.service.watched(who, there)

    def asked(self, who: str) -> Asked | None:
        """Return the cell that ``who`` is asked to touch."""
        seen = self._rig.service.look()
        call = seen.door.calls.get(who)
        if call is None:
            return None
        ground = seen.table.play.ground if seen.table.play else None
        labels = ground.names(seen.table.board.bit(call.site)) if ground else ()
        return Asked(call.site, labels[0] if labels else call.site, call.answered)

    def settings(self) -> dict[str, Any]:
        """Return what the panel can set, with its values now."""
        now = self._rig.service.look().table.brightness
        return {**self._preferences.values(), "brightness": now}

    def form(self) -> dict[str, Any]:
        """Return the settings for a form, and the colours of the lights."""
        theme = self._rig.service.look().showing.theme
        colours = {meaning: "#{:02x}{:02x}{:02x}".format(*look.colour) for meaning, look in theme.items()}
        now = self.settings()
        return {"fields": [{**f, "value": now[f["name"]]} for f in self._preferences.fields()], "colours": colours}

    def choose(self, values: dict[str, Any]) -> None:
        """Set what is named in ``values``, in the file first and then on the running table."""
        try:
            settings = self._preferences.choose(values)
            if "brightness" in values:
                self._rig.service.submit(SetBrightness(percent=settings.brightness))
            self._rig.adjust(settings)
        except (BadSetting, running.Refused) as refused:
            raise Refused(str(refused)) from refused

    def poke(self) -> None:
        """Let every watcher look again."""
        self._rig.service.poke()

    def seated(self, seating: Seating) -> None:
        """Take down who sits where now."""
        self._rig.service.seated(seating)

    def watch(self, eyes: Eyes = watcher, quiet_s: float = QUIET_S) -> Iterator[tuple[str, Any] | None]:
        """Yield pictures, and before each one the pieces of a simulated board where those have moved."""
        pieces: dict[str, Any] = {}
        for seen in self._rig.service.watch(quiet_s):
            if seen is None:
                yield None
                continue
            view = self._view(seen, eyes(self._standing(seen.table)))
            if self.hand is not None and (now := self.hand.pieces()) != pieces:
                pieces = now
                yield "pieces", pieces
            yield "view", view

    def _view(self, seen: Frame, seat: int | None) -> PanelView:
        """Return what ``seat`` sees: drawn once for all who see the same, and one view after the other.

        Else fifty phones would draw it fifty times, all at once, beside the order that is answered just then.
        """
        with self._drawing:
            known = self._drawn.get(seat)
            if known is not None and known[0] == seen.version:
                return known[1]
            view = self._picture(seen, seat)
            view = msgspec.structs.replace(view, link=together(view.link, seen.fault))
            if seen.measured:
                view = msgspec.structs.replace(view, data={**view.data, "measured": dict(seen.measured)})
            if known is None or known[0] < seen.version:
                self._drawn[seat] = seen.version, view
            return view

    def _picture(self, seen: Frame, seat: int | None) -> PanelView:
        """Return what ``seat`` sees; where the game's rules fail at that, the board without the game and a sentence."""
        table, showing = seen.table, seen.showing
        try:
            with self._at_work(table, "its picture"):
                return showing.laid_over(picture(table, showing.theme, seen.version, seat))
        except Exception as error:  # whatever the rules raise: the stream goes on, with the next picture
            if self._failed is not table.play:
                log.exception("the picture of the table cannot be made")
            self._failed = table.play
            bare = showing.laid_over(
                picture(msgspec.structs.replace(table, play=None), showing.theme, seen.version, seat)
            )
            return msgspec.structs.replace(bare, sentence=_not_shown(table, error), advice="")

    def _at_work(self, table: Table, doing: str) -> AbstractContextManager[None]:
        play = table.play
        return self._rig.service.heart.at(play.session.name if play else "", None, doing)

    def plies(self, site: str, eyes: Eyes = watcher) -> Sequence[Choice]:
        """Return the plies that begin at or concern ``site``."""
        table = self._rig.service.look().table
        try:
            with self._at_work(table, "its plies"):
                return plies_at(table, site, eyes(self._standing(table)))
        except Exception as error:  # whatever the rules raise: who asked is told
            log.exception("the plies at a site cannot be told")
            raise Refused(_not_shown(table, error)) from error

    def submit(self, order: AnyOrder) -> str:
        """Carry out ``order``; returns "", or a sentence where it is not on disk."""
        try:
            return self._rig.service.submit(order)
        except running.Refused as refused:
            raise Refused(str(refused)) from refused
