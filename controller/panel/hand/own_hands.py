"""Which pieces of a simulated board somebody may touch who acts for some seats: their own, and what is to be put right.

Owns that alone; sensors cannot tell hands apart, so it is held to before a piece moves. Pure functions of a table and
of `Hand.pieces`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.panel.pieces_needed import same, site_names, waits
from controller.refused import Refused
from controller.rules.game import Piece
from controller.sentences import say
from controller.table.people.board_menu import wisher
from controller.table.reading.concerned import paid_from
from controller.table.reading.questions import UNDO
from controller.table.state import Play, Table

Acts = frozenset[int] | None
"""Seats of the game for which somebody acts; None: all of them, and the board's too."""


class OwnHands(msgspec.Struct, frozen=True):
    """What somebody may touch at ``table`` while its pieces are as `Hand.pieces` says."""

    table: Table
    pieces: Mapping[str, Any]
    acts: Acts
    open: frozenset[int] = frozenset()  # those of their seats that are nobody's: lifted in these seats' turn alone

    @property
    def bound(self) -> Play | None:
        """The game in which not everybody may touch everything: one that is going on, and not paused."""
        play = self.table.play
        if self.acts is None or play is None or play.setting_up or play.paused or play.result.over:
            return None
        return play

    @property
    def moves(self) -> bool:
        """Whether it is for them to move, or for whoever is at the table to make the ply that was made elsewhere."""
        play = self.bound
        if play is None:
            return True
        return bool(play.session.decided) or self._theirs(play.session.mover)

    def owns(self, piece: Mapping[str, Any]) -> bool:
        """Whether ``piece`` is theirs; what belongs to nobody is of whoever is to move."""
        play = self.bound
        if play is None:
            return True
        owner = self._owner(play, piece)
        return self.moves if owner is None else self._theirs(owner)

    def holds(self, piece: str) -> tuple[Mapping[str, Any] | None, str]:
        """Return the piece with that id if they hold it, and the id of what they move: "" where that is nothing."""
        held = next((token for token in self.pieces["held"] if token["id"] == piece), None)
        if held and not (self.moves or self.owns(held)):
            held = None
        return held, piece if held or any(token["id"] == piece for token in self.pieces["off"]) else ""

    def may_lift(self, site: str) -> bool:
        """Whether what stands at ``site`` is theirs to take up."""
        play, there = self.bound, self.pieces["on"].get(site)
        if play is None or there is None:
            return True
        waits_its_turn = self._awaits_turn(play, there)
        if self.owns(there) and not waits_its_turn:
            return True
        name = self._name(play, site)
        if name is None or self.astray(play, name, there):
            return True
        both = play.game_area.at(name)
        touched = any((f.involved | f.at) & both for f in play.settled.position.footprints)
        if self.moves and (touched or paid_from(play, name)):
            return True
        return not waits_its_turn and self._made_last(play) and not same(there, self._before(play).get(name))

    def check_lift(self, site: str) -> None:
        """Raise `Refused` where what stands at ``site`` is not theirs to take up."""
        if not self.may_lift(site):
            raise Refused(self.refusal(self.pieces["on"][site]))

    def check_put(self, piece: str, site: str) -> None:
        """Raise `Refused` where it is not for them to put the piece with that id on ``site``."""
        play, token = self.bound, self._token(piece)
        if play is None or token is None:
            return
        name = self._name(play, site)
        cell = play.game_area.bit[name] if name else 0
        if cell and any(cell == lit for lit, _ in play.menu):
            if self._theirs(wisher(play)):
                return
            raise Refused(self.refusal(token))
        right = name is not None and same(token, play.settled.position.shape.get(name))
        undoes = not right and self._undoes(play, name, token)
        if self._made_last(play) and (undoes or self._answers(play, cell)):
            return
        if self.moves and (self.owns(token) or not undoes):
            return
        if name and right and (self.owns(token) or self.astray(play, name, None)):
            return
        if not self.owns(token):
            raise Refused(self.refusal(token))
        if not waits(self.table, play) and not self._goes_on(play, token):
            raise Refused(self.turn())

    def check_aside(self, piece: str) -> None:
        """Raise `Refused` where the piece with that id, held or on the board, is not theirs to put beside it."""
        play, token = self.bound, self._token(piece)
        if play is None or token is None:
            return
        site = next((site for site, there in self.pieces["on"].items() if there["id"] == piece), None)
        if site is not None:
            self.check_lift(site)
        elif "from" in token and not (self.owns(token) or self.moves):
            raise Refused(self.refusal(token))

    def check_all(self) -> None:
        """Raise `Refused` where others are moving, and nothing is to be put right."""
        play = self.bound
        if play and not (self.moves or self.table.phase == "fix" or play.settled.pending_chores):
            raise Refused(self.turn())

    def amiss(self, play: Play) -> bool:
        """Whether a piece stands wrong, and the table has seen it; not while it is yet to see what is right."""
        if self.table.phase != "fix":
            return False
        on = [(self._name(play, site), there) for site, there in self.pieces["on"].items()]
        return any(name and self.astray(play, name, there) for name, there in on)

    def turn(self) -> str:
        """Return whose turn it is."""
        play = self.table.play
        seat = play.session.mover if play else None
        if play and play.session.opponents.level(seat):
            if play.help and play.help.about == "coach":
                return say("The coach has a word for you: take the move back, or play on.")
            return say("It is the board's turn: one moment.")
        return (
            say("{seat} to move.", seat=say(play.session.game.facts.seats[seat])) if play and seat is not None else ""
        )

    def refusal(self, piece: Mapping[str, Any]) -> str:
        """Return why ``piece`` is not moved by them."""
        play = self.table.play
        owner = self._owner(play, piece) if play else None
        if play is None or owner is None:
            return self.turn()
        seat = say(play.session.game.facts.seats[owner])
        if self._awaits_turn(play, piece):
            return self.turn()
        if play.session.opponents.level(owner):
            return say("The board plays these pieces.")
        return say("{seat}'s pieces are not moved on this phone.", seat=seat)

    def _awaits_turn(self, play: Play, piece: Mapping[str, Any]) -> bool:
        """Whether ``piece`` is of a seat that is nobody's, while another one is to move."""
        owner = self._owner(play, piece)
        return owner in self.open and owner != play.session.mover

    def _theirs(self, seat: int | None) -> bool:
        return self.acts is None or seat in self.acts

    def _owner(self, play: Play, piece: Mapping[str, Any]) -> int | None:
        return play.session.game.player_of(play.session.state, piece["seat"])

    def _name(self, play: Play, site: str) -> str | None:
        return site_names(self.table, play).get(site)

    def _token(self, piece: str) -> Mapping[str, Any] | None:
        tokens = (*self.pieces["held"], *self.pieces["on"].values(), *self.pieces["off"])
        return next((token for token in tokens if token["id"] == piece), None)

    def astray(self, play: Play, name: str, there: Any) -> bool:
        """Whether ``there`` on the site ``name`` is something to put right, and no part of a ply in the making."""
        both = play.game_area.at(name)
        wrong = self.table.phase == "fix" or play.settled.pending_chores & both
        return bool(wrong) and not same(there, play.settled.position.shape.get(name))

    def _made_last(self, play: Play) -> bool:
        return self._theirs(play.session.positions[-1].seat)  # nobody's, where there is none

    def _before(self, play: Play) -> Mapping[str, Piece]:
        """Return what stood before the last ply."""
        positions = play.session.positions
        return play.session.game.shape(positions[-2].state) if len(positions) > 1 else {}

    def _undoes(self, play: Play, name: str | None, token: Mapping[str, Any]) -> bool:
        return name is not None and same(token, self._before(play).get(name))

    def _answers(self, play: Play, cell: int) -> bool:
        """Whether a piece on ``cell`` answers a question about the last ply, to whoever has made that."""
        return any(cell and cell == lit and (text == UNDO or play.verdict.again) for lit, text in play.choices)

    def _goes_on(self, play: Play, token: Mapping[str, Any]) -> bool:
        """Whether the hand that made the last ply moves on with the same piece."""
        if not self._made_last(play) or "from" not in token:
            return False
        text, before = play.session.positions[-1].text, play.session.positions[-2].state
        path = play.session.game.walk(before, play.session.game.read(before, text)).path
        return bool(path) and self._name(play, token["from"]) == path[-1]
