"""The gestures of the hand that finishes moves: touch after touch on a simulated board, with a person's pauses.

Owns in which order the sensors learn of a ply, and how a piece that was held goes home. Must not know which ply is
meant, nor who ordered it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from controller.devices.sensors.virtual_hand import Hand
from controller.panel import hand_moves
from controller.panel.hand_moves import HandMove
from controller.panel.pieces_needed import same, sites_of, steady_s
from controller.table.state import Play, Table

EXCHANGE_S = 0.28  # a victim is gone for so long before another piece stands there: less could be the same piece
STOP_S = 0.1  # on each stop of a chain, and in the air after it
HELD_S = 0.2  # a piece in the hand for less was only touched


class Gestures:
    """What one hand does with the pieces of ``hand`` before the table that ``look`` returns. Not for several threads.

    ``rest`` waits for so many seconds while the sensors go on, ``clock`` tells seconds.
    """

    def __init__(
        self,
        hand: Callable[[], Hand],
        look: Callable[[], Table],
        rest: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hand_now, self._look, self._rest, self._clock = hand, look, rest, clock
        self._lifted_s: dict[str, float] = {}

    @property
    def _hand(self) -> Hand:
        return self._hand_now()

    def held(self) -> dict[str, str]:
        """Return the tokens in the hand, with the sites from which they came."""
        return {token["id"]: token["from"] for token in self._hand.pieces()["held"]}

    def lift(self, site: str) -> dict[str, Any]:
        """Take the token at ``site`` into the hand and return it; raises `CannotMove` where there is none."""
        token = self._hand.lift(site)
        self._lifted_s[token["id"]] = self._clock()
        return token

    def make(self, table: Table, play: Play, move: HandMove, piece: str) -> None:
        """Make a ply with all that belongs to it; the token ``piece`` is in the hand or chosen, "" for none."""
        place = sites_of(table, play)
        mover = self._mover(play, move, place, piece)
        for name in move.takes:
            self.take_off(place[name])
        if move.takes and move.swaps:
            self._rest(EXCHANGE_S)
        for name in move.stops[:-1]:
            self._hand.place(mover, place[name])
            self._rest(STOP_S)
            self._hand.lift(place[name])
            self._rest(STOP_S)
        for name in move.stops[-1:]:
            self._hand.place(mover, place[name])
        for name, wanted in move.fills:
            self._hand.place(self._hand.bring(wanted), place[name])

    def take_off(self, site: str) -> None:
        """Put what stands at ``site`` beside the board."""
        token = self._hand.pieces()["on"].get(site)
        if token:
            self._hand.set_aside(token["id"])

    def put_back(self, piece: str) -> None:
        """Put a held token back. What could be read as held on purpose touches another cell on its way home."""
        home = self.held().get(piece)
        if home is None:
            return
        if home in self._hand.pieces()["on"]:
            self._hand.set_aside(piece)
            return
        table = self._look()
        play, lifted_s = table.play, self._lifted_s.get(piece, 0.0)
        if play and self._clock() - lifted_s >= HELD_S:
            names = {where: name for name, where in sites_of(table, play).items()}
            if home in names and hand_moves.may_mean_holding(play, names[home]):
                self._pass_by(table, play, piece, names[home])
        self._hand.place(piece, home)

    def free(self, but: str = "") -> None:
        """Put back all that is held ``but`` one: this hand holds a single piece, whoever has lifted others."""
        for piece in self.held():
            if piece != but:
                self.put_back(piece)

    def _mover(self, play: Play, move: HandMove, place: Mapping[str, str], piece: str) -> str:
        """Return the token that moves, in the hand; what was held for another reason is put back."""
        self.free(but=piece)
        held = self.held()
        if move.origin:
            if piece in held:
                return piece
            return str(self.lift(place[move.origin])["id"])
        if piece in held:
            if held[piece] in {place[name] for name in move.takes}:
                self._hand.set_aside(piece)
            else:
                self.put_back(piece)
        if not move.stops:
            return ""
        wanted = hand_moves.shape_after(play, move.text)[move.stops[-1]]
        beside = {token["id"] for token in self._hand.pieces()["off"] if same(token, wanted)}
        return piece if piece in beside else self._hand.bring(wanted)

    def _pass_by(self, table: Table, play: Play, piece: str, home: str) -> None:
        place, standing = sites_of(table, play), self._hand.pieces()["on"]
        used = 0
        for footprint in play.settled.position.footprints:
            used |= footprint.involved if footprint.origin & play.game_area.both(play.game_area.bit[home]) else 0
        free = [name for name, bit in play.game_area.bit.items() if place[name] not in standing and name != home]
        free.sort(key=lambda name: bool(play.game_area.both(play.game_area.bit[name]) & used))
        if not free:
            return
        self._hand.place(piece, place[free[0]])
        self._rest(steady_s(table))
        self._hand.lift(place[free[0]])
        self._rest(STOP_S / 2)
