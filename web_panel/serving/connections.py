"""Lines to the panel: how many there may be, and which one ends when there are too many.

A server accepts from a `Door` as from any other socket, and ends a line that was shut as if the other side had hung up.
"""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from werkzeug.wsgi import ClosingIterator

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

SPARE_LINES = 16  # of an address, beside its streams
NO_FILES_S = 0.05  # how long nobody is let in where the system has no file left and no line can be ended
# A phone that went out of reach is found within some ten seconds, whether anything is sent to it or not.
SOCKET_OPTIONS = [
    (level, getattr(socket, name), value)
    for level, name, value in (
        (socket.IPPROTO_TCP, "TCP_NODELAY", 1),
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", 4),
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 2),
        (socket.IPPROTO_TCP, "TCP_KEEPCNT", 3),
        (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", 10_000),
    )
    if hasattr(socket, name)
]

Peer = tuple[str, int]


class ByTls(str):
    """The address from which a line with TLS came, of which another line within this machine has what is said on it."""


class Connection(socket.socket):
    """A line to ``peer``. ``used_s`` is when it began or something was last sent on it: who never says a whole request
    never gets an answer, so that slow talk keeps no line.
    """

    def __init__(self, lines: Connections, peer: Peer, fileno: int) -> None:
        super().__init__(fileno=fileno)
        self.peer, self.used_s, self.shut = peer, monotonic(), False
        self._lines = lines

    def send(self, data: Any, flags: int = 0) -> int:
        """Send ``data``, or the first bytes of it."""
        self.used_s = monotonic()
        return super().send(data, flags)

    def hang_up(self) -> None:
        """End the line; whoever serves it hears that there is nothing more to come, and closes it."""
        self.shut = True
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it, and count it no longer."""
        self._lines.left(self)
        super().close()


class Connections:
    """All lines: ``most``, and of one address ``most_each``. Every method may be called from any thread."""

    def __init__(self, most: int, most_each: Callable[[str], int]) -> None:
        self._most, self._most_each = most, most_each
        self._lock = threading.Lock()
        self._lines: set[Connection] = set()
        self._answered: Counter[Peer] = Counter()
        self._handed: dict[Peer, Peer] = {}
        self.ending = False

    def enter(self, line: Connection) -> bool:
        """Count ``line``; returns whether it may stay. Where there are too many, the longest idle of its own address
        ends, or of the address that has most; one that is being answered never does.
        """
        with self._lock:
            open_lines = [other for other in self._lines if not other.shut]
            own = [other for other in open_lines if other.peer[0] == line.peer[0]]
            full = len(own) >= self._most_each(line.peer[0])
            if (full or len(open_lines) >= self._most) and not self._end_one(own if full else open_lines):
                return False
            self._lines.add(line)
            return True

    def end_one(self) -> bool:
        """End the longest idle line of the address that has most; returns whether there was one."""
        with self._lock:
            return self._end_one([line for line in self._lines if not line.shut])

    def _end_one(self, among: list[Connection]) -> bool:
        many = Counter(line.peer[0] for line in among)
        idle = [line for line in among if not self._answered[line.peer]]
        if not idle:
            return False
        max(idle, key=lambda line: (many[line.peer[0]], -line.used_s)).hang_up()
        return True

    def hand_on(self, near: Peer, peer: Peer) -> None:
        """Take the next line from ``near``, within this machine, for what is said with TLS on one from ``peer``."""
        self._handed[near] = peer

    def hand_on_no_longer(self, near: Peer) -> None:
        """Take it as from anybody, since none was opened there."""
        self._handed.pop(near, None)

    def handed_on(self, near: Peer) -> tuple[ByTls, int] | None:
        """Return from where that comes in truth which is said on a line from ``near``, once; None: from there."""
        peer = self._handed.pop(near, None)
        return (ByTls(peer[0]), peer[1]) if peer else None

    def left(self, line: Connection) -> None:
        """Count ``line`` no longer."""
        with self._lock:
            self._lines.discard(line)

    def end(self) -> None:
        """Close all of them."""
        with self._lock:
            lines = list(self._lines)
        for line in lines:
            line.close()

    def noting(self, app: WSGIApplication) -> WSGIApplication:
        """Return ``app`` so that a line whose request it answers is known not to be idle."""

        def noted(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            peer = (environ["REMOTE_ADDR"], int(environ.get("REMOTE_PORT") or 0))
            self._count(peer, 1)
            try:
                return ClosingIterator(app(environ, start_response), lambda: self._count(peer, -1))
            except BaseException:
                self._count(peer, -1)
                raise

        return noted

    def _count(self, peer: Peer, change: int) -> None:
        with self._lock:
            self._answered[peer] += change
            if not self._answered[peer]:
                del self._answered[peer]


class Door(socket.socket):
    """A socket that listens, and lets in as many as `Connections` has room for."""

    def __init__(self, lines: Connections, family: int, address: Any, fileno: int | None = None) -> None:
        """Listen at ``address``, or as ``fileno`` does already; raises OSError where that cannot be."""
        super().__init__(family, socket.SOCK_STREAM, fileno=fileno)
        self._lines = lines
        if fileno is not None:
            return
        try:
            self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                self.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            self.bind(address)
        except OSError:
            self.close()
            raise

    def accept(self) -> tuple[socket.socket, Any]:
        """Let the next one in. Raises BlockingIOError where that one may not stay, as where nobody is there, and
        SystemExit, by which whoever serves comes to an end, where `Connections` does.
        """
        if self._lines.ending:
            raise SystemExit
        try:
            came, address = super().accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE) and not self._lines.end_one():
                time.sleep(NO_FILES_S)
            raise BlockingIOError(errno.EAGAIN, "nobody can be let in") from error
        if (peer := self._lines.handed_on(address[:2])) is not None:
            return came, peer
        line = Connection(self._lines, address[:2], came.detach())
        try:
            for level, option, value in SOCKET_OPTIONS:
                line.setsockopt(level, option, value)
            if self._lines.enter(line):
                return line, address
        except OSError as gone:
            line.close()
            raise BlockingIOError(errno.EAGAIN, "it hung up already") from gone
        line.close()
        raise BlockingIOError(errno.EAGAIN, "it has too many lines")

    def wake(self) -> None:
        """Let `accept` be called, from any thread."""
        with suppress(OSError), socket.socket(self.family, socket.SOCK_STREAM) as caller:
            caller.settimeout(1.0)
            caller.connect(self.getsockname())


def doors(lines: Connections, host: str, port: int) -> list[Door]:
    """Return sockets that listen at each address of ``host``, ``*`` for all of this machine. Raises OSError."""
    everywhere = host == "*"
    found = socket.getaddrinfo(
        None if everywhere else host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    opened: list[Door] = []
    for family, _, _, _, address in dict.fromkeys(found):
        if opened and not port:  # the same for all, whichever the first one got
            address = (address[0], opened[0].getsockname()[1], *address[2:])
        try:
            opened.append(Door(lines, family, address))
        except OSError as error:
            if everywhere and error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                continue  # a machine without IPv6
            for door in opened:
                door.close()
            raise
    if not opened:
        raise OSError(errno.EADDRNOTAVAIL, "this machine has no such address")
    return opened
