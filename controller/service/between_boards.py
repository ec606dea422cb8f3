"""Play between two boards: the links of this board, each with its line to a broker.

Owns which links there are, and the one thread in which all of them are at work. Nothing of it runs, and no library of
it is in memory, before somebody invites, joins, or has done so before. Must not know what is said on a link.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar

import msgspec

from controller.afar import keys
from controller.afar.keys import KEY_BYTES, BadLink, Link
from controller.afar.log import Begun
from controller.afar.sealing import MOST_BYTES
from controller.broker import Broker, BrokerLine, Message
from controller.events import Afar, HoldAfar
from controller.refused import Refused
from controller.sentences import say, together
from controller.service.afar_files import Kept, LinkFile, links
from controller.service.afar_links import FarLink, HomeLink
from controller.service.loop import Service
from controller.table.state import Play

log = logging.getLogger(__name__)

T = TypeVar("T")
ANSWER_S = 10.0
QUIET_S = 5.0
JOIN = "join"  # in the folder of links: one that `beaconboard join` hands over


class Told(msgspec.Struct, frozen=True):
    """A link as people may see it: ``text`` is the link itself, "" where it is not this board's to hand on."""

    room: str
    home: bool
    seat: int
    game: str
    text: str
    state: str
    said: str
    there: bool


class Line:
    """A link with its line to the broker."""

    def __init__(self, at_work: HomeLink | FarLink) -> None:
        self.at_work = at_work
        self.broker: BrokerLine | None = None


class BetweenBoards:
    """Follows ``service``. ``folder`` keeps the links; ``broker`` is where new invitations lead, None without one."""

    def __init__(
        self, service: Service, folder: Path, broker: Broker | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._service, self._folder, self._broker, self._clock = service, folder, broker, clock
        self._lines: dict[str, Line] = {}
        self._todo: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._looking = False
        self._left: int | None = None  # the game whose link the other board has ended

    # ---- for everybody

    def start(self) -> None:
        """Go on with the links of earlier; the game on the table is held from afar again when this returns."""
        if self._folder.is_dir() and any(self._folder.glob("*.link")):
            self._do(lambda: None)
        self.take_handed()

    def stop(self) -> None:
        """Hang up."""
        if self._thread is not None:
            self._todo.put(None)
            self._thread.join()

    def links(self) -> list[Told]:
        """Return the links there are."""
        return [] if self._thread is None else self._do(self._told)

    @property
    def invites(self) -> bool:
        """Whether people can be invited: a broker is set."""
        return self._broker is not None

    def invite(self, seat: int | None) -> str:
        """Return a link by which another board plays ``seat`` of the game on the table, or with None shows that game.

        Raises `Refused`.
        """
        if self._broker is None:
            raise Refused(say("No broker is set: name one in the settings file, as docs/afar.md tells."))
        return self._do(lambda: self._invite(keys.WATCHES if seat is None else seat))

    def join(self, text: str) -> None:
        """Play the game to which the link ``text`` leads; raises `Refused`."""
        try:
            link = keys.read(text)
        except BadLink as wrong:
            raise Refused(str(wrong)) from wrong
        self._do(lambda: self._join(link))

    def end(self, room: str) -> None:
        """End the link of that ``room``; both boards keep the game as it is. Raises `Refused`."""
        self._do(lambda: self._end(room))

    def take_handed(self) -> None:
        """Take up the link that `beaconboard join` has left, if there is one."""
        file = self._folder / JOIN
        if not file.exists():
            return
        try:
            text = file.read_text(encoding="utf-8")
            file.unlink()
            self.join(text)
        except Refused as refused:
            self._service.report("afar", str(refused))
        except (OSError, UnicodeDecodeError) as error:
            log.warning("the link that was handed over cannot be read: %s", error)

    # ---- the thread

    def _do(self, do: Callable[[], T]) -> T:
        """Do something in the thread, and return or raise what comes of it."""
        self._wake()
        answer: Future[T] = Future()

        def work() -> None:
            try:
                answer.set_result(do())
            except Exception as error:  # noqa: BLE001  it belongs to who asked
                answer.set_exception(error)

        self._todo.put(work)
        try:
            return answer.result(ANSWER_S)
        except TimeoutError as late:
            raise Refused(say("the service is too busy: try again")) from late
        except OSError as error:
            raise Refused(say("the link cannot be kept: {why}", why=str(error.strerror))) from error

    def _wake(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="afar", daemon=True)
                self._thread.start()
                threading.Thread(target=self._watch, name="afar watch", daemon=True).start()

    def _watch(self) -> None:
        for frame in self._service.watch(QUIET_S):
            if frame is not None and not self._looking:
                self._looking = True
                self._todo.put(self._look)
        self._todo.put(None)

    def _run(self) -> None:
        for file in links(self._folder):
            self._guarded(partial(self._open, file))
        self._guarded(self._look)
        while (do := self._next()) is not None:
            self._guarded(do)
            self._guarded(self._pass_time)
        for line in self._lines.values():
            if line.broker is not None:
                line.broker.close()

    def _next(self) -> Callable[[], None] | None:
        due = [line.at_work.wake_s for line in self._lines.values()]
        wake_s = min((each for each in due if each is not None), default=None)
        try:
            return self._todo.get(timeout=None if wake_s is None else max(0.0, wake_s - self._clock()))
        except Empty:
            return self._pass_time

    def _guarded(self, do: Callable[[], None]) -> None:
        try:
            do()
        except Refused as refused:  # as at the end of the service
            log.info("play between two boards: %s", refused)
        except Exception:  # whatever rules or a disk raise: the other links go on, and this one at the next message
            log.exception("a fault in play between two boards")

    def _pass_time(self) -> None:
        for line in tuple(self._lines.values()):
            line.at_work.pass_time()

    def _look(self) -> None:
        self._looking = False
        frame = self._service.look()
        if self._left is not None and frame.game_id != self._left:  # what was said of it has been seen
            self._left = None
            self._service.report("afar", "")
        for line in tuple(self._lines.values()):
            self._guarded(partial(line.at_work.look, frame))
        self._hold()

    def _hold(self) -> None:
        """Let the table know which seats of a game that was begun here are held elsewhere."""
        play = self._service.look().table.play
        if play is None or play.session.afar.follows:
            return
        held = tuple(sorted({seat for line in self._lines.values() for seat in line.at_work.held()}))
        if play.session.afar.seats != held:
            self._service.submit(HoldAfar(afar=Afar(held)))

    # ---- links

    def _open(self, file: LinkFile) -> None:
        link = file.link
        room, home = link.room, file.kept.role == "home"
        out, back = (f"bb/{room}/{way}" for way in (("down", "up") if home else ("up", "down")))
        broker = BrokerLine(
            self._broker_of(link), "", (back,),
            lambda message: self._todo.put(lambda: self._heard(line, message.payload)),
            lambda up, why: self._todo.put(lambda: self._stands(line, why)),
            most_bytes=MOST_BYTES,
        )  # fmt: skip

        def send(data: bytes) -> None:
            broker.send(Message(out, data))  # into no connection: who waits for an answer sends again

        line = Line((HomeLink if home else FarLink)(self._service, file, send, self._clock))
        line.broker = broker
        self._lines[room] = line
        line.broker.start()

    def _broker_of(self, link: Link) -> Broker:
        """Return where ``link`` leads, with this board's user and password only for this board's own broker."""
        own = self._broker
        there = Broker(link.host.strip("[]"), link.port, link.tls)
        return own if own is not None and own.address == there.address else there

    def _heard(self, line: Line, data: bytes) -> None:
        line.at_work.hear(data)
        if line.at_work.closed:
            told, self._left = line.at_work.said, line.at_work.file.kept.game_id
            self._forget(line)
            self._service.report("afar", told)
        self._hold()

    def _stands(self, line: Line, why: str) -> None:
        line.at_work.line = say("{why} It is tried again, and the game waits.", why=why) if why else ""
        if not why:
            line.at_work.connected()
        self._service.report("afar", together(*{each.at_work.line: None for each in self._lines.values()}))

    def _invite(self, seat: int) -> str:
        frame = self._service.look()
        play, game_id, broker = frame.table.play, frame.game_id, self._broker
        if play is None or game_id is None or play.result.over:
            raise Refused(say("Begin a game first: then others can be invited to it."))
        if game_id < 0:
            raise Refused(say("This game is not being saved: nobody can be invited to it."))
        _check(play, seat)
        assert broker is not None
        if seat != keys.WATCHES:  # any number of boards can look on
            self._end_of_seat(game_id, seat)
        host = broker.address.rpartition(":")[0]
        link = Link(host, broker.port, broker.tls, seat, secrets.token_bytes(KEY_BYTES))
        session = play.session
        begun = Begun(session.name, dict(session.options), session.seed, session.plies)
        kept = Kept("home", keys.written(link), game_id, begun)
        file = LinkFile(self._folder, kept)
        file.save(kept)
        self._open(file)
        self._look()
        return kept.link

    def _end_of_seat(self, game_id: int, seat: int) -> None:
        """End the invitation that there is to a seat: a new one takes its place."""
        for line in tuple(self._lines.values()):
            file = line.at_work.file
            if file.kept.role == "home" and (file.kept.game_id, file.link.seat) == (game_id, seat):
                self._end(file.link.room)

    def _join(self, link: Link) -> None:
        if link.room in self._lines:
            raise Refused(say("This board plays this game already."))
        file = LinkFile(self._folder, Kept("far", keys.written(link)))
        file.save(file.kept)
        self._open(file)

    def _end(self, room: str) -> None:
        line = self._lines.get(room)
        if line is None:
            raise Refused(say("This link has been ended already."))
        self._forget(line)
        self._service.report("afar", "")

    def _forget(self, line: Line) -> None:
        """Hang up, delete the link, and let the game on the table be this board's own."""
        at_work, room = line.at_work, line.at_work.file.link.room
        if line.broker is not None:
            out = "down" if at_work.file.kept.role == "home" else "up"
            word = b"" if at_work.closed else at_work.last_word()
            line.broker.close((Message(f"bb/{room}/{out}", word),) if word else ())
        at_work.file.forget()
        del self._lines[room]
        frame = self._service.look()
        play = frame.table.play
        if play is not None and play.session.afar.follows and frame.game_id == at_work.file.kept.game_id:
            self._service.submit(HoldAfar(afar=Afar()))
        self._hold()

    def _told(self) -> list[Told]:
        found = []
        for room, line in self._lines.items():
            work = line.at_work
            kept = work.file.kept
            name = kept.begun.game if kept.begun else ""
            text = kept.link if kept.role == "home" else ""
            found.append(
                Told(room, kept.role == "home", work.file.link.seat, name, text, work.state, work.said, work.there)
            )
        return found


def _check(play: Play, seat: int) -> None:
    """Raise `Refused` where nobody can be invited to ``seat``, nor to look on."""
    session = play.session
    if seat >= play.seats:
        raise Refused(say("there is no seat {seat} in this game", seat=seat + 1))
    if session.afar.follows:
        raise Refused(say("This game was begun at another board: only people there can invite others."))
    if seat != keys.WATCHES and session.opponents.level(seat):
        raise Refused(say("The board plays this seat: choose who plays it in a new game."))
    if session.lesson or play.clock:
        raise Refused(say("A lesson or a game with a clock cannot be played between two boards yet."))
    if session.game.secret is not None:
        raise Refused(say("A game with secrets cannot be played between two boards yet."))
