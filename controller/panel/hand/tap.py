"""What one tap on a simulated board means, and doing it: a ply is ordered, a piece lifted, put down or put back, or the
phone is told what to show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from controller.orders import PlayPly
from controller.panel.hand import moves
from controller.panel.hand.gestures import Theirs
from controller.panel.hand.own_hands import OwnHands
from controller.panel.looks import along, look_at, on_to, ways_to
from controller.panel.pieces_needed import home_of, site_names, waits, why_not
from controller.refused import Refused
from controller.rules.game import Piece
from controller.sentences import capital, say
from controller.table.gestures.footprints import PlyFootprint
from controller.table.reading.concerned import concerned
from controller.table.state import Play
from controller.table.views.lights import Theme

Order = Callable[[str, int | None], PlayPly]
"""Returns the order of a person to make that ply, for a seat or, with None, for whoever is to move; raises `Refused`
where it is not theirs.
"""


class Moving(Protocol):
    """What moves the pieces."""

    def make(self, order: PlayPly) -> None:
        """Make a ply; raises `Refused`."""

    def counts(self, play: Play) -> bool:
        """Whether the last ply of hands counts within a moment, and another position stands than that of ``play``."""

    def lift(self, site: str, theirs: Theirs) -> dict[str, Any]:
        """Take the token at ``site`` into the hand and return it, in place of what is held of all that is theirs."""

    def place(self, piece: str, site: str) -> None:
        """Put a token on ``site``."""

    def put_back(self, piece: str) -> None:
        """Put a held token back where it came from."""


class Tap:
    """A tap on ``site`` with the token ``piece``, by the ``own`` hands of whoever orders plies by ``order``.

    It is about the ``ply`` that was chosen of several, "" where none was. The plies of somebody who plays in secret are
    ``hidden``. Looks that the phone shows have the colours of ``theme``.
    """

    def __init__(
        self, hand: Moving, own: OwnHands, theme: Theme, site: str, piece: str, ply: str, order: Order, hidden: bool
    ) -> None:
        self._hand, self._own, self._theme, self._site = hand, own, theme, site
        self._ply, self._order, self._hidden = ply, order, hidden
        self._table, self._there = own.table, own.pieces["on"].get(site)
        if own.table.play and not piece and self._there is not None:
            _check_goes_on(own.table.play)
        self._held, self._piece = own.holds(piece)

    def done(self) -> dict[str, Any] | None:
        """Do what it means, as `FinishingHand.tap` says; None where the table has moved on: look again.

        Raises `Refused` and `CannotMove`.
        """
        table, play = self._table, self._table.play
        if not self._piece and self._there is not None and not self._own.may_lift(self._site):
            return self._look()
        if self._held and self._held["from"] == self._site and not self._there and not self._ply:
            return self._tapped_again(self._held)  # a way round is tapped by its landings
        if play is None or table.phase not in ("play", "fix") or table.link:
            return self._by_hand()
        names = site_names(table, play)
        if not (name := names.get(self._site, "")):
            return self._off_the_game()
        meant = () if self._hidden or not self._own.moves else self._meant(play, names, name)
        if self._held and not meant and waits(table, play) and self._hand.counts(play):
            return None
        return self._chosen(play, names, name, meant)

    def _chosen(
        self, play: Play, names: Mapping[str, str], name: str, meant: tuple[PlyFootprint, ...]
    ) -> dict[str, Any]:
        """Make the one of the plies that are ``meant`` by a tap on the cell ``name``, or ask which."""
        if self._ply:
            if moves.awaited(play) not in ("", self._ply):
                self._hand.make(self._order(self._ply, None))  # the table refuses it, and says why
            meant = tuple(footprint for footprint in meant if footprint.text == self._ply)
        elif self._held and moves.by_landings(play):
            meant = moves.in_one_step(meant)
        origin = names.get(self._held["from"], "") if self._held else ""
        meant, clear = moves.told_apart(play, meant, self._piece, origin, self._ply)
        if clear:
            self._hand.make(self._order(meant[0].text, None))
            return {}
        if meant:
            return self._which(play, name, meant)
        if not self._piece and self._there is None and (longer := moves.further(play, name)):
            self._hand.make(self._order(longer, play.session.positions[-1].seat))
            return {}
        return self._no_ply(play, names, name)

    def _meant(self, play: Play, names: Mapping[str, str], target: str) -> tuple[PlyFootprint, ...]:
        """Return the plies that a tap on ``target`` may mean; one on a piece that is not lifted, those about which it
        was asked.
        """
        if self._held:
            origin = home_of(play, self._held, names)
            if not origin:
                return ()
            return moves.plies_between(play, origin, target) or moves.plies_taking(play, origin, target)
        if self._piece:
            token = next(token for token in self._own.pieces["off"] if token["id"] == self._piece)
            return moves.plies_onto(play, target, Piece(token["seat"], token["kind"]))
        if self._there is None or (moves.stays_put(play, target) and not moves.taps_twice(play)):
            return moves.plies_onto(play, target)
        return moves.plies_staying(play, target) if self._ply else ()

    def _which(self, play: Play, target: str, meant: tuple[PlyFootprint, ...]) -> dict[str, Any]:
        """Ask which is meant: by the landings of their ways, or by name where that was asked already."""
        if ways := moves.ways_by_landing(play, meant) if not self._ply and moves.by_landings(play) else {}:
            return {"look": ways_to(self._table, self._theme, target, ways)}
        return {"choices": moves.choices_of(play, meant)}

    # ---- a piece, and no ply ------------------------------------------------------------------------------

    def _tapped_again(self, held: Mapping[str, Any]) -> dict[str, Any]:
        """Put the piece that was lifted back where it stood, and do what a second tap on it means."""
        self._hand.put_back(held["id"])
        play = self._table.play
        if play is None or not self._own.moves or self._hidden:
            return {}
        if not (name := site_names(self._table, play).get(self._site, "")):
            return {}
        led, twice = moves.is_led_to_hold(play, name), moves.taps_twice(play)
        if led and not twice:
            self._hand.make(PlayPly(text=play.session.expected))
            return {}
        return self._staying(play, name) if twice and (led or self._table.phase == "play") else {}

    def _staying(self, play: Play, name: str) -> dict[str, Any]:
        """Change the piece on the cell ``name``, which was tapped twice, where it can do nothing else; ask first where
        the tap may have put it back.
        """
        staying = moves.plies_staying(play, name)
        if len(staying) == 1 and not moves.may_leave(play, name):
            self._hand.make(self._order(staying[0].text, None))
            return {}
        return {"choices": moves.choices_of(play, staying)} if staying else {}

    def _look(self) -> dict[str, Any]:
        """Show where a piece could go that is not theirs, and say why it is not moved."""
        there, play = self._own.pieces["on"][self._site], self._table.play
        name = site_names(self._table, play).get(self._site, "") if play and self._own.moves else ""
        why = (play and name and play.session.game.bars(play.session.state, name)) or self._own.refusal(there)
        return {"look": look_at(self._table, self._theme, self._site, there, why)}

    def _by_hand(self) -> dict[str, Any]:
        """Lift what stands there, and put another one back first; or put down what is in the hand."""
        if self._there is not None:
            self._own.check_lift(self._site)
            return self._hand.lift(self._site, self._own.owns)
        if self._piece:
            self._own.check_put(self._piece, self._site)
            self._hand.place(self._piece, self._site)
        return {}

    def _off_the_game(self) -> dict[str, Any]:
        if self._there is not None:
            return self._hand.lift(self._site, self._own.owns)
        raise Refused(
            say("This game does not use this cell: put the piece on a cell of the game.")
            if self._piece
            else say("This game does not use this cell.")
        )

    # ---- what fits no ply ---------------------------------------------------------------------------------

    def _no_ply(self, play: Play, names: Mapping[str, str], name: str) -> dict[str, Any]:
        """Choose another piece, or say which rule forbids what was tapped: the piece stays in the hand.

        Where the game cannot say why, it is put down, and the table says what it can.
        """
        own, there, held = self._own, self._there, self._held
        # Where a lesson waits for a ply, what stands wrong goes back first. Elsewhere a piece may be lifted meanwhile.
        if moves.awaited(play) and not self._piece and self._table.advice and own.amiss(play):
            if there is not None and own.astray(play, name, there):
                return self._by_hand()
            raise Refused(say("{why}.", why=capital(self._table.advice.rstrip("."))))
        if held and (onward := moves.landing_after(play, name)):
            return {"look": along(self._table, self._theme, name, onward, moves.taken_until(play, name))}
        if moves.is_led_to(play, name, self._table.now):
            return self._led(play, name)
        if not self._piece:
            return self._no_piece(play, name)
        if held and there and there["seat"] == held["seat"]:
            return self._by_hand()
        if held and (origin := home_of(play, held, names)):
            self._check_way(play, origin, name)
        if there is None:
            return self._by_hand()
        raise Refused(say("This piece cannot go to {cell}.", cell=name))

    def _led(self, play: Play, name: str) -> dict[str, Any]:
        """Make the ply of a lesson, or of the board, that leads to ``name``; one whose piece was not tapped yet goes on
        there, and counts once all of it was tapped.
        """
        if self._held or not (origin := moves.origin_of_lesson(play)):
            self._hand.make(PlayPly(text=play.session.expected))
            return {}
        words = say("This belongs to the move: tap {cell}.", cell=origin)
        return {"look": on_to(self._table, self._theme, name, origin, words)}

    def _no_piece(self, play: Play, name: str) -> dict[str, Any]:
        """Lift what stands on ``name``, with nothing in the hand; show or say why it cannot be moved."""
        own, there = self._own, self._there
        if there is not None and (waits(self._table, play) or concerned(play, name)):
            return self._by_hand()
        if there is not None and not own.owns(there):
            return self._look()
        raise Refused(why_not(play, name, there) if own.moves else own.turn())

    def _check_way(self, play: Play, origin: str, goal: str) -> None:
        """Raise `Refused` with what the game says against the way of a piece from ``origin`` to ``goal``."""
        if other := moves.strays(play, origin, goal):
            self._hand.make(PlayPly(text=other))  # the table refuses it, and says why: the piece stays in the hand
        if end := moves.end_of_way(play, origin, goal):
            raise Refused(say("The piece lands here on its way. Tap where it stops: {cell}.", cell=end))
        written, why = play.session.game.refusal(play.session.state, origin, goal)
        if why:
            raise Refused(capital(say("{ply} is not allowed. {why}.", ply=written, why=capital(why))))


def _check_goes_on(play: Play) -> None:
    """Raise `Refused` where nothing is moved on the board, as it stands right and the game is paused or over."""
    if play.verdict.missing | play.verdict.extra:
        return
    if play.result.over:
        raise Refused(say("The game is over."))
    if play.paused:
        raise Refused(say("The game is paused: choose Continue to go on."))
