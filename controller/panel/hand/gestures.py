"""The touches of the hand that finishes moves on a simulated board: a piece is taken off, or goes home."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from controller.devices.sensors.virtual_hand import VirtualHand
from controller.panel.hand import moves
from controller.panel.pieces_needed import site_names, sites_of, steady_s
from controller.table.state import Play, Table

STOP_S = 0.1  # in the air
HELD_S = 0.2  # a piece in the hand for less was only touched

Theirs = Callable[[Mapping[str, Any]], bool]
"""Whether a token is theirs who touch."""


def everything(_: Mapping[str, Any]) -> bool:
    """Where nobody asks, all tokens are theirs who touch."""
    return True


class Gestures:
    """What one hand does with the pieces of ``hand`` before the table that ``look`` returns. Not for several threads.

    ``rest`` waits for so many seconds while the sensors go on, ``clock`` tells seconds.
    """

    def __init__(
        self,
        hand: Callable[[], VirtualHand],
        look: Callable[[], Table],
        rest: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hand_now, self._look, self._rest, self._clock = hand, look, rest, clock
        self._lifted_s: dict[str, float] = {}

    @property
    def _hand(self) -> VirtualHand:
        return self._hand_now()

    def in_hand(self) -> dict[str, str]:
        """Return the tokens in the hand, with the sites from which they came."""
        return {token["id"]: token["from"] for token in self._hand.pieces()["held"]}

    def lift(self, site: str) -> dict[str, Any]:
        """Take the token at ``site`` into the hand and return it; raises `CannotMove` where there is none."""
        token = self._hand.lift(site)
        self._lifted_s[token["id"]] = self._clock()
        return token

    def take_off(self, site: str) -> None:
        """Put what stands at ``site`` beside the board."""
        token = self._hand.pieces()["on"].get(site)
        if token:
            self._hand.set_aside(token["id"])

    def put_back(self, piece: str) -> None:
        """Put a held token back. What could be read as held on purpose touches another cell on its way home."""
        home = self.in_hand().get(piece)
        if home is None:
            return
        if home in self._hand.pieces()["on"]:
            self._hand.set_aside(piece)
            return
        table = self._look()
        play, lifted_s = table.play, self._lifted_s.get(piece, 0.0)
        if play and self._clock() - lifted_s >= HELD_S:
            names = site_names(table, play)
            if home in names and moves.may_mean_holding(play, names[home]):
                self._pass_by(table, play, piece, names[home])
        self._hand.place(piece, home)

    def free(self, theirs: Theirs = everything) -> None:
        """Put back what is held of all that is ``theirs``: this hand holds a single piece."""
        for token in self._hand.pieces()["held"]:
            if theirs(token):
                self.put_back(token["id"])

    def _pass_by(self, table: Table, play: Play, piece: str, home: str) -> None:
        place, standing = sites_of(table, play), self._hand.pieces()["on"]
        used = 0
        for footprint in play.settled.position.footprints:
            used |= footprint.involved if footprint.origin & play.game_area.at(home) else 0
        free = [name for name, bit in play.game_area.bit.items() if place[name] not in standing and name != home]
        free.sort(key=lambda name: bool(play.game_area.at(name) & used))
        if not free:
            return
        self._hand.place(piece, place[free[0]])
        self._rest(steady_s(table))
        self._hand.lift(place[free[0]])
        self._rest(STOP_S / 2)
