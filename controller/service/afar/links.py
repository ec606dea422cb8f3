"""One link at work: the game on the table, the log on disk and the other board are brought together.

Owns what both ends have in common: `home_link` is the one that has the last word, `far_link` follows. Everything
happens in one thread, which calls.
"""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from controller.afar.log import Log
from controller.afar.messages import Closed, LogHello, Message
from controller.afar.sealing import OpenedMessage, Sealing, Unsealed
from controller.afar.seats import HeldSeats
from controller.sentences import say
from controller.service.afar.files import LinkFile
from controller.service.afar.remarks import Remarks
from controller.service.loop import Service
from controller.service.showing.broadcast import ShownTable
from controller.table.state import Play

log = logging.getLogger(__name__)

AWAY_S = 60.0  # without a word, after which the other board counts as away
SOON_S = 1.0  # between two answers to one who cannot be known yet


class LinkAtWork(ABC):
    """What both roles have in common. ``send`` carries bytes to the other board, ``clock`` tells seconds."""

    def __init__(
        self, service: Service, file: LinkFile, send: Callable[[bytes], None], clock: Callable[[], float],
        sealing: Sealing | None = None,
    ) -> None:  # fmt: skip
        """``sealing`` is that of the one whose place this takes, while home is handed over."""
        self.file, self.line = file, ""
        self.remarks = Remarks(log, "play between two boards", clock)
        seat = file.link.seat
        self.here_seats = HeldSeats(seat, others=file.invited)
        self.there_seats = HeldSeats(seat, others=not file.invited)
        self._service, self._send, self._clock = service, send, clock
        self.sealing = sealing or Sealing(file.link, "down" if file.invited else "up", os.urandom)
        self.heard_s: float | None = None
        self._hello_s = -SOON_S
        self._off_table = False

    @property
    def there(self) -> bool:
        """Whether the other board was heard a short while ago."""
        return self.heard_s is not None and self._clock() - self.heard_s < AWAY_S

    @property
    def state(self) -> str:
        """How it stands with the link, in one sentence."""
        if self.line:
            return self.line
        if self.heard_s is None:
            return say("The other board has not answered yet.")
        if not self.there:
            return say("The other board does not answer at the moment: the game goes on when it does.")
        if self._off_table:
            return say("The other board is there, but this game is not on the table: take it up under Games played.")
        return say("The other board is there.")

    def post(self, messages: Sequence[Message], to: str | None = None) -> None:
        """Send ``messages``; while nobody is known who could hear them, only a hello is of use."""
        for message in messages:
            if to or self.sealing.peer or isinstance(message, LogHello):
                self._send(self.sealing.seal(message, to))

    def last_word(self) -> bytes:
        """Return the message that this board has ended the link."""
        return self.sealing.seal(Closed()) if self.sealing.peer else b""

    def hear(self, data: bytes) -> None:
        """Take a message that has come."""
        try:
            heard = self.sealing.open(data)
        except Unsealed as wrong:
            self.remarks.note(str(wrong))
            if wrong.from_:
                self.post((self._hello(),), wrong.from_)
            return
        if heard.known:
            self.heard_s = self._clock()
        self._answer(heard)
        self.look(self._service.look())

    @abstractmethod
    def _hello(self) -> LogHello:
        """Return what this board says when the line is up."""

    @abstractmethod
    def _answer(self, heard: OpenedMessage) -> None:
        """Do what the other board's message asks for."""

    def look(self, frame: ShownTable) -> None:
        """Bring table, log and the other board together."""
        play = frame.table.play
        self._off_table = play is None or self.file.kept.game_id is None or frame.game_id != self.file.kept.game_id
        if play is not None and not self._off_table:
            self._join(frame, play)

    @abstractmethod
    def _join(self, frame: ShownTable, play: Play) -> None:
        """Bring the game on the table and the log together."""

    @abstractmethod
    def pass_time(self) -> None:
        """Do what time alone asks for."""

    @property
    def wake_s(self) -> float | None:
        """When `pass_time` has something to do at the latest."""
        return None

    @property
    @abstractmethod
    def turned(self) -> bool:
        """Whether this board is what the other one was: home, or no longer."""

    @property
    @abstractmethod
    def closed(self) -> bool:
        """Whether the other board has ended the link."""

    @property
    @abstractmethod
    def known(self) -> Log | None:
        """The log of the game, None before it is known."""

    def connected(self) -> None:
        """The line is up: say so to the other board."""
        self.post((self._hello(),))

    def seats_held(self) -> tuple[int, ...]:
        """Return the seats of the game on the table that the other board holds, by this link."""
        return ()
