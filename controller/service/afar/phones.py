"""Phones far away: the links of this board by which they play a seat or look on, each with its line to the broker.

Owns which links there are, and the files that keep them, beside those of `boards`. Nothing of it runs before somebody
invites a phone, or has done so before.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import msgspec

from controller import atomic_file
from controller.afar.keys import KEY_BYTES
from controller.afar.phone import phone_link, phone_text
from controller.broker import Broker, BrokerLine, BrokerMessage
from controller.refused import Refused
from controller.sentences import say
from controller.service.afar.one_thread import OneThread, WaitingRoom
from controller.service.afar.phone_link import PanelForPhones, PhoneAtWork
from controller.typed import ready

log = logging.getLogger(__name__)

MOST_LINKS = 16
ANSWERING = 3  # requests of phones far away that are worked out at once
MOST_BYTES = 256 * 1024  # of one message from a page
MOST_WAITING_BYTES = 4 * MOST_BYTES  # of those of one link that are not heard yet
FILES = "*.phone"


class PhoneLinkFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a link. ``secret`` is that of the phone, "" where it looks on."""

    key: bytes
    relay: str
    secret: str
    name: str


class ToldPhone(msgspec.Struct, frozen=True):
    """A link as people may see it; ``text`` is the link itself. Without ``seats`` it looks on."""

    room: str
    seats: tuple[int, ...]
    name: str
    text: str
    state: str
    said: str
    there: bool


class PhoneLine(msgspec.Struct, frozen=True):
    """A link with its line to the broker."""

    kept: PhoneLinkFile
    at_work: PhoneAtWork
    broker: BrokerLine


class AfarPhones:
    """``folder`` keeps the links, ``relay`` is the address at which their page lies; "" where none is set."""

    def __init__(
        self, panel: PanelForPhones, folder: Path, broker: Broker | None, relay: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._panel, self._folder, self._broker, self._relay, self._clock = panel, folder, broker, relay, clock
        self._thread = OneThread("phones afar", clock)
        self._pool = ThreadPoolExecutor(ANSWERING, "phones afar")
        self._lines: dict[str, PhoneLine] = {}
        self._started = False

    def start(self) -> None:
        """Go on with the links of earlier."""
        if any(self._folder.glob(FILES)):
            self._started = True
            self._thread.put(self._open_all)

    def adjust(self, broker: Broker | None, relay: str) -> None:
        """Let new links lead to ``relay``, and those that there are go by ``broker``; raises `Refused`."""
        if self._started:
            self._thread.ask(partial(self._adjust, broker, relay))
        else:
            self._broker, self._relay = broker, relay

    def stop(self) -> None:
        """Hang up."""
        if self._started:
            self._thread.put(self._hang_up)
            self._thread.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def links(self) -> list[ToldPhone]:
        """Return the links there are; raises `Refused`."""
        return self._thread.ask(self._shown) if self._started else []

    def invite(self, seat: int | None, name: str) -> str:
        """Return a link by which a phone called ``name`` plays ``seat``, or with None looks on; raises `Refused`."""
        if self._broker is None or not self._relay:
            raise Refused(say("No relay is set: name one on the page Another board."))
        self._started = True
        return self._thread.ask(partial(self._invite, seat, name))

    def end(self, room: str) -> bool:
        """End the link of that ``room``; returns whether there was one. Raises `Refused`."""
        return self._started and self._thread.ask(partial(self._end, room))

    # ---- in the thread

    def _adjust(self, broker: Broker | None, relay: str) -> None:
        other = broker != self._broker
        self._broker, self._relay = broker, relay
        if other:
            self._hang_up()
            self._open_all()

    def _open_all(self) -> None:
        for path in sorted(self._folder.glob(FILES)):
            try:
                self._open(msgspec.json.decode(path.read_bytes(), type=ready(PhoneLinkFile)))
            except (OSError, ValueError) as wrong:
                log.warning("a link of a phone far away cannot be read: %s", wrong)

    def _open(self, kept: PhoneLinkFile) -> None:
        if self._broker is None:
            return
        link = phone_link(kept.key)
        room = link.room

        def send(data: bytes) -> None:
            broker.send(BrokerMessage(f"bb/{room}/down", data))  # into no connection: the page asks again

        waiting = WaitingRoom(MOST_WAITING_BYTES)

        def came(message: BrokerMessage) -> None:
            if waiting.let_in(len(message.payload)):
                self._thread.put(partial(self._heard, room, message.payload, waiting))

        at_work = PhoneAtWork(self._panel, link, kept.secret, send, self._thread, self._pool, self._clock)
        broker = BrokerLine(
            self._broker, "", (f"bb/{room}/up",), came,
            lambda up, why: self._thread.put(partial(self._stands, at_work, why)),
            most_bytes=MOST_BYTES,
        )  # fmt: skip
        at_work.over = partial(self._end, room)
        self._lines[room] = PhoneLine(kept, at_work, broker)
        broker.start()

    def _heard(self, room: str, data: bytes, waiting: WaitingRoom) -> None:
        waiting.let_out(len(data))
        line = self._lines.get(room)
        if line is None:
            return
        if line.at_work.sent_away:
            self._end(room)
        else:
            line.at_work.hear(data)

    def _stands(self, at_work: PhoneAtWork, why: str) -> None:
        at_work.line = say("{why} It is tried again, and the game waits.", why=why) if why else ""
        if not why:
            at_work.connected()

    def _invite(self, seat: int | None, name: str) -> str:
        if len(self._lines) >= MOST_LINKS:
            raise Refused(say("There are {most} links to phones already: end one first.", most=MOST_LINKS))
        key = secrets.token_bytes(KEY_BYTES)
        secret = self._panel.invite(seat, name)
        kept = PhoneLinkFile(key, self._relay, secret, name)
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            atomic_file.replace(self._path(phone_link(key).room), msgspec.json.encode(kept), 0o600)
        except OSError:
            self._panel.leave(secret)
            raise
        self._open(kept)
        return phone_text(self._relay, key)

    def _path(self, room: str) -> Path:
        return self._folder / f"{room}{FILES[1:]}"

    def _end(self, room: str) -> bool:
        line = self._lines.pop(room, None)
        if line is None:
            return False
        if line.kept.secret:
            self._panel.leave(line.kept.secret)
        line.broker.close([BrokerMessage(f"bb/{room}/down", word) for word in line.at_work.close(for_good=True)])
        path = self._path(room)
        for each in (path, path.with_name(f"{path.name}.last-good")):
            each.unlink(missing_ok=True)
        return True

    def _hang_up(self) -> None:
        for line in self._lines.values():
            line.at_work.close(for_good=False)
            line.broker.close()
        self._lines.clear()

    def _shown(self) -> list[ToldPhone]:
        found = []
        for room, line in self._lines.items():
            kept, work = line.kept, line.at_work
            seats = (self._panel.seats(kept.secret) if kept.secret else ()) or ()
            text = phone_text(kept.relay, kept.key)
            found.append(ToldPhone(room, seats, kept.name, text, work.state, work.remarks.last, work.there))
        return found
