"""The boards of one house, as each says of itself to the broker that they share.

Owns what is believed of such a message: anybody who may write to the broker can have written it.
"""

from __future__ import annotations

import logging
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.broker import BrokerMessage
from controller.house.discovery import OF_A_BOARD, ONLINE
from controller.typed import ready

log = logging.getLogger(__name__)

MOST_BOARDS = 64
Short = Annotated[str, Meta(max_length=120)]


class Announced(msgspec.Struct, frozen=True):
    """What of another board's `controller.house.telling.BoardStanding` is shown."""

    name: Short
    address: Annotated[str, Meta(max_length=200, pattern=r"^(https?://[A-Za-z0-9._~:\[\]-]+(/[A-Za-z0-9._~/-]*)?)?\Z")]
    game: Short
    phase: Literal["idle", "setup", "play", "fix", "pause", "over"]
    turn: Short | None
    told: Annotated[str, Meta(max_length=1000)]


class HouseBoard(msgspec.Struct, frozen=True):
    """A board of the house: ``on`` while it is connected, ``here`` the one whose panel is asked."""

    id: str
    said: Announced
    on: bool
    here: bool


class Boards:
    """The boards that a broker has told of. Every method may be called from any thread."""

    def __init__(self, own: str = "") -> None:
        """``own`` is the id of this board."""
        self._own = own
        self._said: dict[str, Announced] = {}
        self._on: dict[str, bool] = {}
        self._unreadable: set[str] = set()

    def hear(self, message: BrokerMessage) -> None:
        """Take what another board says; nothing at all means that it has left the house."""
        read = OF_A_BOARD.fullmatch(message.topic)
        if read is None or read[1] == self._own:  # of itself a board knows without being told
            return
        id, kind = read.groups()
        if kind == "status":
            self._hear_status(id, message.payload)
        elif not message.payload:
            self._said.pop(id, None)
        elif id in self._said or len(self._said) < MOST_BOARDS:
            self._hear_said(id, message.payload)

    def show_own(self, payload: bytes) -> None:
        """Show of this board what it tells the others."""
        self._hear_said(self._own, payload)
        self._on[self._own] = True

    def _hear_said(self, id: str, payload: bytes) -> None:
        try:
            self._said[id] = msgspec.json.decode(payload, type=ready(Announced))
        except (ValueError, RecursionError):  # as msgspec raises for what is no UTF-8, too, and for what is nested deep
            self._cannot_be_read(id)

    def _hear_status(self, id: str, payload: bytes) -> None:
        if not payload:
            self._on.pop(id, None)
        elif id in self._on or len(self._on) < MOST_BOARDS:
            self._on[id] = payload == ONLINE

    def _cannot_be_read(self, id: str) -> None:
        if id not in self._unreadable and len(self._unreadable) < MOST_BOARDS:
            self._unreadable.add(id)
            log.warning("the board %s says something of itself that cannot be read: has it another version?", id)

    def all(self) -> list[HouseBoard]:
        """Return all boards, those that are on first, in the order of their names."""
        found = [
            HouseBoard(id, said, self._on.get(id, False), id == self._own) for id, said in list(self._said.items())
        ]
        return sorted(found, key=lambda board: (not board.on, board.said.name.casefold(), board.id))
