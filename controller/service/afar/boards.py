"""Play between two boards: the links of this board, each with its line to a broker.

Nothing of it runs, and no library of it is in memory, before somebody invites, joins, or has done so before.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar

import msgspec
from msgspec import UNSET

from controller.afar import keys
from controller.afar.keys import KEY_BYTES, BadLink, GameLink
from controller.afar.log import Begun
from controller.afar.messages import MOST_BYTES
from controller.broker import Broker, BrokerLine, BrokerMessage
from controller.game_setup import Afar
from controller.orders import HoldAfar
from controller.refused import Refused
from controller.sentences import say, together
from controller.service.afar.checks import check_handed, check_invited
from controller.service.afar.far_link import FarLink
from controller.service.afar.files import BoardLinkFile, LinkFile, links
from controller.service.afar.home_link import HomeLink
from controller.service.afar.one_thread import WaitingRoom, done_by
from controller.service.afar.turns import RoomTurns, Turn
from controller.service.loop import Service

log = logging.getLogger(__name__)

T = TypeVar("T")
QUIET_S = 5.0
MOST_SEATS = 16
JOIN = "join"  # in the folder of links: one that `beaconboard join` hands over


class LinkShown(msgspec.Struct, frozen=True):
    """A link as people may see it: ``text`` is the link itself, "" where it is not this board's to hand on. It was made
    here where it ``invited``; this board is ``home`` now, and where it ``hands`` can make the other one home.
    """

    room: str
    invited: bool
    home: bool
    seat: int
    game: str
    text: str
    state: str
    said: str
    there: bool
    turn: Turn = ""
    game_id: int | None = None
    on_table: bool = False
    hands: bool = False


class BoardLine:
    """A link with its line to the broker. ``send`` carries bytes to the other board."""

    def __init__(self, at_work: HomeLink | FarLink, send: Callable[[bytes], None]) -> None:
        self.at_work, self.send, self.waiting = at_work, send, WaitingRoom(2 * MOST_BYTES)
        self.broker: BrokerLine | None = None


class BetweenBoards:
    """Follows ``service``. ``folder`` keeps the links; ``broker`` is where new invitations lead, None without one.
    ``relay`` is the address whose page opens links to this board in any browser, "" where there is none.
    """

    def __init__(
        self, service: Service, folder: Path, broker: Broker | None, relay: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._relay = relay
        self._service, self._folder, self._broker, self._clock = service, folder, broker, clock
        self._lines: dict[str, BoardLine] = {}
        self._todo: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._looking = False
        self._turns = RoomTurns()
        self._left: int | None = None  # the game whose link the other board has ended

    # ---- for everybody

    def start(self) -> None:
        """Go on with the links of earlier; the game on the table is held from afar again when this returns."""
        if any(self._folder.glob("*.link")):
            self._do(lambda: None)
        self.take_handed()

    def stop(self) -> None:
        """Hang up."""
        if self._thread is not None:
            self._todo.put(None)
            self._thread.join()

    def links(self) -> list[LinkShown]:
        """Return the links there are."""
        return [] if self._thread is None else self._do(self._shown)

    def invite(self, seat: int | None) -> str:
        """Return a link by which another board plays ``seat`` of the game on the table, or with None shows that game.

        Raises `Refused`.
        """
        if self._broker is None:
            raise Refused(say("No broker is set: name one on the page Another board."))
        return self._do(lambda: self._invite(keys.WATCHES if seat is None else seat))

    def adjust(self, broker: Broker | None, relay: str) -> None:
        """Let new invitations lead to ``broker``, and ``relay`` open them; links that lead there already go on with its
        name and password.
        """
        if self._thread is None:
            self._broker, self._relay = broker, relay
        else:
            self._do(lambda: self._adjust(broker, relay))

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

    def hand_over(self, room: str) -> None:
        """Make the board at the other end of the link of that ``room`` home; raises `Refused`."""
        self._do(lambda: self._hand_over(room))

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
        return done_by(self._todo.put, do)

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

    def _next(self) -> Callable[[], object] | None:
        due = [line.at_work.wake_s for line in self._lines.values()]
        wake_s = min((each for each in due if each is not None), default=None)
        try:
            return self._todo.get(timeout=None if wake_s is None else max(0.0, wake_s - self._clock()))
        except Empty:
            return self._pass_time

    def _guarded(self, do: Callable[[], object]) -> None:
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
            self._turn(line)
        self._hold()

    def _hold(self) -> None:
        """Let the table know which seats of a game to which this board is home are held elsewhere."""
        frame = self._service.look()
        play = frame.table.play
        if play is None or (play.session.afar.follows and not self._home_links(frame.game_id)):
            return
        held = tuple(sorted({seat for line in self._lines.values() for seat in line.at_work.seats_held()}))
        if msgspec.structs.replace(play.session.afar, phones=()) != Afar(held):
            self._service.submit(HoldAfar(afar=Afar(held)))

    def _home_links(self, game_id: int | None) -> list[HomeLink]:
        """Return the links of a game to which this board is home."""
        found = (line.at_work for line in self._lines.values())
        return [each for each in found if isinstance(each, HomeLink) and each.file.kept.game_id == game_id]

    def _turn(self, line: BoardLine) -> None:
        """Let the other role go on with a link where home has been handed over."""
        before = line.at_work
        if not before.turned:
            return
        home = isinstance(before, FarLink)
        role = HomeLink if home else FarLink
        line.at_work = role(self._service, before.file, line.send, self._clock, before.sealing)
        line.at_work.line, line.at_work.heard_s = before.line, before.heard_s
        log.info("%s is home to a game between two boards now", "this board" if home else "the other board")
        line.at_work.look(self._service.look())
        self._hold()
        line.at_work.connected()

    # ---- links

    def _open(self, file: LinkFile) -> None:
        room = file.link.room
        out = f"bb/{room}/{'down' if file.invited else 'up'}"

        def send(data: bytes) -> None:
            if line.broker is not None:
                line.broker.send(BrokerMessage(out, data))  # into no connection: who waits for an answer sends again

        role = HomeLink if file.is_home(file.log()) else FarLink
        line = BoardLine(role(self._service, file, send, self._clock), send)
        self._lines[room] = line
        self._dial(line, file)

    def _dial(self, line: BoardLine, file: LinkFile) -> None:
        """Connect ``line`` to the broker to which its link leads."""

        def came(message: BrokerMessage) -> None:
            if line.waiting.let_in(len(message.payload)):
                self._todo.put(lambda: self._heard(line, message.payload))

        back = f"bb/{file.link.room}/{'up' if file.invited else 'down'}"
        line.broker = BrokerLine(
            self._broker_of(file.link), "", (back,), came,
            lambda up, why: self._todo.put(lambda: self._stands(line, why)), most_bytes=MOST_BYTES,
        )  # fmt: skip
        line.broker.start()

    def _adjust(self, broker: Broker | None, relay: str) -> None:
        before = {room: self._broker_of(line.at_work.file.link) for room, line in self._lines.items()}
        self._broker, self._relay = broker, relay
        for room, line in self._lines.items():
            if line.broker is not None and self._broker_of(line.at_work.file.link) != before[room]:
                line.broker.close()
                self._dial(line, line.at_work.file)

    def _broker_of(self, link: GameLink) -> Broker:
        """Return where ``link`` leads, with this board's user and password only for this board's own broker."""
        own = self._broker
        there = Broker(link.host.strip("[]"), link.port, link.tls)
        return own if own is not None and own.address == there.address else there

    def _heard(self, line: BoardLine, data: bytes) -> None:
        line.waiting.let_out(len(data))
        line.at_work.hear(data)
        if line.at_work.closed:
            told, self._left = line.at_work.remarks.last, line.at_work.file.kept.game_id
            self._forget(line)
            self._service.report("afar", told)
        self._turn(line)
        self._hold()

    def _stands(self, line: BoardLine, why: str) -> None:
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
        check_invited(play, seat, self._home_links(game_id))
        assert broker is not None
        if seat != keys.WATCHES:  # any number of boards can look on
            self._end_of_seat(game_id, seat)
        host = broker.address.rpartition(":")[0]
        link = GameLink(host, broker.port, broker.tls, seat, secrets.token_bytes(KEY_BYTES))
        session = play.session
        clock = play.clock.rule if play.clock else UNSET
        variant = session.variant or UNSET
        begun = Begun(session.name, dict(session.options), session.seed, session.open_plies, clock, variant)
        kept = BoardLinkFile("home", keys.written(link), game_id, begun)
        file = LinkFile(self._folder, kept)
        file.save(kept)
        self._open(file)
        self._look()
        return keys.written(link, self._relay)

    def _hand_over(self, room: str) -> None:
        line = self._lines.get(room)
        if line is None:
            raise Refused(say("This link has been ended already."))
        at_work = line.at_work
        if isinstance(at_work, FarLink):
            raise Refused(say("The other board is home already."))
        at_work.look(self._service.look())
        play = self._service.look().table.play
        check_handed(play, at_work, self._home_links(at_work.file.kept.game_id))
        at_work.hand_over()
        self._turn(line)

    def _end_of_seat(self, game_id: int, seat: int) -> None:
        """End the invitation that there is to a seat: a new one takes its place."""
        for line in tuple(self._lines.values()):
            file = line.at_work.file
            if file.invited and (file.kept.game_id, file.link.seat) == (game_id, seat):
                self._end(file.link.room)

    def _join(self, link: GameLink) -> None:
        if link.room in self._lines:
            raise Refused(say("This board plays this game already."))
        file = LinkFile(self._folder, BoardLinkFile("far", keys.written(link)))
        file.save(file.kept)
        self._open(file)

    def _end(self, room: str) -> None:
        line = self._lines.get(room)
        if line is None:
            raise Refused(say("This link has been ended already."))
        self._forget(line)
        self._service.report("afar", "")

    def _forget(self, line: BoardLine) -> None:
        """Hang up, delete the link, and let the game on the table be this board's own."""
        at_work, room = line.at_work, line.at_work.file.link.room
        if line.broker is not None:
            out = "down" if at_work.file.invited else "up"
            word = b"" if at_work.closed else at_work.last_word()
            line.broker.close((BrokerMessage(f"bb/{room}/{out}", word),) if word else ())
        at_work.file.forget()
        del self._lines[room]
        frame = self._service.look()
        play = frame.table.play
        if play is not None and play.session.afar.follows and frame.game_id == at_work.file.kept.game_id:
            self._service.submit(HoldAfar(afar=Afar()))
        self._hold()

    def _shown(self) -> list[LinkShown]:
        found = []
        for room, line in self._lines.items():
            work = line.at_work
            kept = work.file.kept
            name = kept.begun.game if kept.begun else ""
            invited, home = work.file.invited, isinstance(work, HomeLink)
            link, game_id = work.file.link, kept.game_id
            text, seat = keys.written(link, self._relay) if invited else "", link.seat
            turn = self._turns.of(room, work.known, self._elsewhere(kept, seat))
            on_table = game_id is not None and game_id == self._service.look().game_id
            found.append(
                LinkShown(room, invited, home, seat, name, text, work.state, work.remarks.last, work.there, turn,
                          game_id, on_table, on_table and isinstance(work, HomeLink) and work.takes)
            )  # fmt: skip
        return found

    def _elsewhere(self, kept: BoardLinkFile, seat: int) -> set[int]:
        """Return the seats of a game that are not held at this board."""
        if kept.role == "far":
            return set(range(MOST_SEATS)) - {seat}
        same = (line.at_work.file for line in self._lines.values() if line.at_work.file.kept.game_id == kept.game_id)
        return {file.link.seat for file in same if file.kept.role == "home"}
