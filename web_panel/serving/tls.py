"""Lines with TLS: what is said on them is handed to the panel's server, which itself speaks plain HTTP alone.

A line counts among `connections` like any other, under the address from which it comes, from its first byte. All
of them are served by one thread; the certificate can be exchanged while they are open.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from web_panel.serving.connections import ByTls, Connection, Connections, Door, Peer, doors

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HANDSHAKE_S = 10.0  # for all of a greeting: who says nothing, or a byte a second, holds a line no longer
GOODBYE_S = 2.0
CHUNK_BYTES = 16 * 1024  # what one record of TLS holds at most
BACKLOG = 128
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # how this machine reaches a door that is open to all addresses
OWN_TLS = "beaconboard.own_tls"  # in the environment of a request that came on such a line

T = TypeVar("T")


def context(path: Path) -> ssl.SSLContext:
    """Return how to greet with the key and the certificates in the file at ``path``. Raises OSError, also as SSLError,
    where they cannot be used.
    """
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.options |= ssl.OP_NO_RENEGOTIATION
    made.set_alpn_protocols(["http/1.1"])
    made.load_cert_chain(path, password="")  # a key with a password fails instead of asking on the console
    return made


def by_own_tls(environ: WSGIEnvironment) -> bool:
    """Whether a request came by https to this very program, and not through a proxy."""
    return OWN_TLS in environ


def noting(app: WSGIApplication) -> WSGIApplication:
    """Return ``app`` so that it learns which requests came with TLS."""

    def noted(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if isinstance(environ["REMOTE_ADDR"], ByTls):
            environ[OWN_TLS], environ["wsgi.url_scheme"] = True, "https"
        return app(environ, start_response)

    return noted


class _Tls:
    """What is said on one line, in the clear. `receive` and `send` may be awaited side by side."""

    def __init__(self, greeting: ssl.SSLContext, line: Connection) -> None:
        self._line, self._loop = line, asyncio.get_running_loop()
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._said = greeting.wrap_bio(self._in, self._out, server_side=True)
        self._sending = asyncio.Lock()

    async def greet(self) -> None:
        """Exchange what TLS begins with; raises OSError."""
        await self._until_done(self._said.do_handshake)

    async def receive(self) -> bytes:
        """Return what comes next, b"" at the end; raises OSError."""
        try:
            return await self._until_done(lambda: self._said.read(CHUNK_BYTES))
        except ssl.SSLZeroReturnError:
            return b""

    async def send(self, data: bytes) -> None:
        """Return once ``data`` is on its way; raises OSError."""
        while data:
            data = data[self._said.write(data) :]
        await self._flush()

    async def say_goodbye(self) -> None:
        """Say that nothing more comes, where the other side still hears it."""
        with suppress(ssl.SSLError):
            self._said.unwrap()
        with suppress(OSError):
            async with asyncio.timeout(GOODBYE_S):
                await self._flush()

    async def _until_done(self, act: Callable[[], T]) -> T:
        while True:
            try:
                done = act()
            except ssl.SSLWantReadError:
                await self._flush()
                if came := await self._loop.sock_recv(self._line, CHUNK_BYTES):
                    self._in.write(came)
                else:
                    self._in.write_eof()
            except ssl.SSLError:
                with suppress(OSError):
                    await self._flush()  # it says why
                raise
            else:
                await self._flush()
                return done

    async def _flush(self) -> None:
        async with self._sending:
            if self._out.pending:
                await self._loop.sock_sendall(self._line, self._out.read())


class TlsFront:
    """Listens for lines with TLS, and hands what is said on them to whoever listens at ``inner``. Its methods may be
    called from any thread, one at a time.
    """

    def __init__(self, lines: Connections, inner: Door) -> None:
        self._lines, self._inner = lines, inner
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serving: threading.Thread | None = None
        self._greeting: ssl.SSLContext | None = None
        self._doors: list[Door] = []
        self._open: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        """Where it listens, 0 where it does not."""
        return int(self._doors[0].getsockname()[1]) if self._doors else 0

    def open(self, host: str, port: int, greeting: ssl.SSLContext) -> None:
        """Greet with that on ``port`` of ``host``, "*" for all addresses. Raises OSError where the port is taken. Where
        it listens already, new lines are greeted with that.
        """
        self._greeting = greeting
        if self._doors:
            return
        opened = doors(self._lines, host, port)
        for door in opened:
            door.setblocking(False)
            door.listen(BACKLOG)
        self._doors = opened
        running = threading.Event()
        self._serving = threading.Thread(
            target=lambda: asyncio.run(self._serve(opened, running)), name="panel by https", daemon=True
        )
        self._serving.start()
        running.wait()

    def close(self) -> None:
        """End all lines, and listen no longer."""
        loop, serving = self._loop, self._serving
        if loop is None or serving is None:
            return
        with suppress(RuntimeError):  # it has ended
            loop.call_soon_threadsafe(self._end)
        serving.join()
        for door in self._doors:
            door.close()
        self._doors, self._loop, self._serving = [], None, None

    def _end(self) -> None:
        for task in asyncio.all_tasks():
            task.cancel()

    async def _serve(self, opened: list[Door], running: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        running.set()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*(self._accept(door) for door in opened))

    async def _accept(self, door: Door) -> None:
        loop = asyncio.get_running_loop()
        while True:
            line, peer = await loop.sock_accept(door)
            assert isinstance(line, Connection)
            task = loop.create_task(self._hold(line, peer[:2]))
            self._open.add(task)
            task.add_done_callback(self._open.discard)

    async def _hold(self, line: Connection, peer: Peer) -> None:
        """Serve one line until either side ends it; what is wrong with it ends it alone."""
        try:
            assert self._greeting is not None
            tls = _Tls(self._greeting, line)
            async with asyncio.timeout(HANDSHAKE_S):
                await tls.greet()
            with socket.socket(self._inner.family) as inner:
                await self._hand_on(tls, inner, peer)
                await tls.say_goodbye()
        except OSError:  # hung up, too slow, or no TLS
            pass
        finally:
            line.close()

    async def _hand_on(self, tls: _Tls, inner: socket.socket, peer: Peer) -> None:
        loop = asyncio.get_running_loop()
        inner.setblocking(False)
        inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        host, port = self._inner.getsockname()[:2]
        host = ANYWHERE.get(host, host)
        inner.bind((host, 0))
        near = inner.getsockname()[:2]
        self._lines.hand_on(near, peer)
        try:
            await loop.sock_connect(inner, (host, port))
        except OSError:
            self._lines.hand_on_no_longer(near)
            raise
        # From now on it is said until the line is taken in: else what is said on it would come from this machine.
        ways = [loop.create_task(_up(tls, inner)), loop.create_task(_down(inner, tls))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)


async def _up(tls: _Tls, inner: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while said := await tls.receive():
        await loop.sock_sendall(inner, said)


async def _down(inner: socket.socket, tls: _Tls) -> None:
    loop = asyncio.get_running_loop()
    while answered := await loop.sock_recv(inner, CHUNK_BYTES):
        await tls.send(answered)
