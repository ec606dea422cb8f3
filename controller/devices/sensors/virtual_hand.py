"""The physical pieces of a simulated or emulated board, and the hands that move them."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping
from typing import Any, Protocol

import msgspec

from controller.devices.interfaces import SensorSwitch
from controller.sentences import say


class CannotMove(ValueError):
    """A token that cannot be moved so; the sentence says why."""


class PieceLike(Protocol):
    """What should stand on a site."""

    @property
    def seat(self) -> int | None: ...

    @property
    def kind(self) -> str: ...


class WoodenPiece(msgspec.Struct, frozen=True):
    """A piece of wood with a magnet. ``id`` never changes."""

    id: str
    seat: int | None
    kind: str

    def shown(self) -> dict[str, Any]:
        """Return the token as plain data."""
        return {"id": self.id, "seat": self.seat, "kind": self.kind}


class VirtualHand:
    """Tokens on a board and beside it. Every method may be called from any thread; sensors change in that order."""

    def __init__(self, switch: SensorSwitch, before: VirtualHand | None = None) -> None:
        """``before`` had the board that was here before: no token of this one has the id of one of that."""
        self._switch = switch
        self._moves: int = before._moves + 1 if before else 0  # so many times a piece has come elsewhere
        self._lock = threading.Lock()
        self._tokens: dict[str, WoodenPiece] = {}
        self._on: dict[str, str] = {}  # site → id
        self._held: dict[str, str] = {}  # ids in the hand → the site they left, the latest last; others lie beside
        self._made: int = before._made if before else 0  # tokens so far: an id is never given twice

    def pieces(self) -> dict[str, Any]:
        """Return ``{"on": {site: token}, "held": [token, …], "off": [token, …], "moves": n}``; off is beside the board.

        A token that is held has ``from`` as well, the site from which it was lifted. The more ``moves``, the newer.
        """
        with self._lock:
            elsewhere = {*self._on.values(), *self._held}
            return {
                "on": {site: self._tokens[piece].shown() for site, piece in self._on.items()},
                "held": [self._lifted(piece) for piece in self._held],
                "off": [token.shown() for token in self._tokens.values() if token.id not in elsewhere],
                "moves": self._moves,
            }

    def lift(self, site: str) -> dict[str, Any]:
        """Take the token at ``site`` into the hand and return it; raises `CannotMove` where there is none."""
        with self._lock:
            if site not in self._on:
                raise CannotMove(say("there is no piece on {site}", site=site))
            token = self._take(site)
            self._held[token.id] = site
            self._moves += 1
            return self._lifted(token.id)

    def place(self, piece: str, site: str) -> None:
        """Put the token with that id, from the hand or from beside the board, on ``site``.

        Raises `CannotMove` where there is no such token or site, a token stands there, or it stands elsewhere.
        """
        with self._lock:
            token = self._token(piece)
            standing = self._site_of(piece)
            if standing is not None:
                raise CannotMove(say("that piece stands on {site}: lift it first", site=standing))
            if site in self._on:
                raise CannotMove(say("there is already a piece on {site}", site=site))
            self._put(token, site)

    def set_aside(self, piece: str) -> None:
        """Put the token with that id beside the board; raises `CannotMove` where there is none."""
        with self._lock:
            self._token(piece)
            self._held.pop(piece, None)
            self._moves += 1
            site = self._site_of(piece)
            if site is not None:
                self._take(site)

    def touch(self, site: str, seconds: float) -> None:
        """Hold a magnet over the free ``site`` for so long; raises `CannotMove` where that cannot be."""
        with self._lock:
            if site in self._on:
                raise CannotMove(say("there is already a piece on {site}", site=site))
            self._sense(site, True, 1)
        time.sleep(seconds)
        with self._lock:
            if site not in self._on:
                self._sense(site, False)

    def set_up(self, expected: Mapping[str, PieceLike]) -> None:
        """Make the board stand as ``expected`` with as few tokens moved as can be; missing tokens are made.

        First everything that is in the wrong place is lifted, then what is missing is placed; the hand is empty then.
        """
        with self._lock:
            self._held.clear()
            self._moves += 1
            wrong = [site for site, piece in self._on.items() if not self._right(piece, expected.get(site))]
            # A lifted token is placed before one from beside the board: it has to be moved in any case.
            lifted = [self._take(site) for site in wrong]
            busy = {*self._on.values(), *(token.id for token in lifted)}
            free = lifted + [token for token in self._tokens.values() if token.id not in busy]
            for site, wanted in expected.items():
                if site in self._on:
                    continue
                token = next((token for token in free if _fits(token, wanted)), None)
                if token is None:
                    token = self._make(wanted)
                else:
                    free.remove(token)
                self._put(token, site)

    def bring(self, like: PieceLike, rather: Collection[str] = ()) -> str:
        """Return the id of a token like that from beside the board, one of ``rather`` if it can be.

        It is made where none lies there.
        """
        with self._lock:
            busy = {*self._on.values(), *self._held}
            free = [token for token in self._tokens.values() if token.id not in busy and _fits(token, like)]
            free.sort(key=lambda token: token.id not in rather)
            token = free[0] if free else self._make(like)
            return token.id

    def lay_beside(self, like: PieceLike) -> None:
        """Lay a new token like that beside the board."""
        with self._lock:
            self._make(like)

    def clear_away(self, only: Collection[str] | None = None) -> None:
        """Forget the tokens beside the board, ``only`` these of them: they belong to another game, or became others."""
        with self._lock:
            kept = {*self._on.values(), *self._held}
            self._moves += 1
            self._tokens = {
                name: token
                for name, token in self._tokens.items()
                if name in kept or (only is not None and name not in only)
            }

    def _lifted(self, piece: str) -> dict[str, Any]:
        return {**self._tokens[piece].shown(), "from": self._held[piece]}

    def _right(self, piece: str, wanted: PieceLike | None) -> bool:
        return wanted is not None and _fits(self._tokens[piece], wanted)

    def _token(self, piece: str) -> WoodenPiece:
        try:
            return self._tokens[piece]
        except KeyError:
            raise CannotMove(say("there is no piece '{piece}'", piece=piece)) from None

    def _site_of(self, piece: str) -> str | None:
        return next((site for site, there in self._on.items() if there == piece), None)

    def _make(self, like: PieceLike) -> WoodenPiece:
        self._made += 1
        token = WoodenPiece(f"t{self._made}", like.seat, like.kind)
        self._tokens[token.id] = token
        self._moves += 1
        return token

    def _take(self, site: str) -> WoodenPiece:
        token = self._tokens[self._on.pop(site)]
        self._switch.set_sensor(site, False)
        return token

    def _put(self, token: WoodenPiece, site: str) -> None:
        # White's magnets lie north pole down, the other seats' south: a hall board can distinguish them.
        self._sense(site, True, -1 if token.seat else 1)
        self._on[site] = token.id
        self._held.pop(token.id, None)
        self._moves += 1

    def _sense(self, site: str, on: bool, pole: int = 0) -> None:
        try:
            self._switch.set_sensor(site, on, pole)
        except KeyError:
            raise CannotMove(say("there is no site {site} on this board", site=site)) from None


def _fits(token: WoodenPiece, wanted: PieceLike) -> bool:
    return (token.seat, token.kind) == (wanted.seat, wanted.kind)
