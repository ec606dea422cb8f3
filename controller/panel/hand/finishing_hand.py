"""The hand of a simulated board: a tap orders the move that it names, and the pieces follow."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from controller.devices.sensors.virtual_hand import CannotMove, VirtualHand
from controller.orders import PlayPly
from controller.panel.hand import moves
from controller.panel.hand.gestures import STOP_S, Gestures, Theirs, everything
from controller.panel.hand.own_hands import Acts, OwnHands
from controller.panel.hand.putting_right import complete, left_behind, put_right
from controller.panel.hand.tap import Order, Tap
from controller.panel.pieces_needed import site_names, sites_of
from controller.refused import Refused
from controller.service.loop import Service
from controller.service.showing.broadcast import ShownTable
from controller.table.lesson_guide import read_by_touch
from controller.table.state import Play, Table

log = logging.getLogger(__name__)

LOOK_S = 0.5  # so often it is seen whether a gesture was understood
MOST_AT_ONCE = 2  # plies that one gesture makes: a turn's end may be implied
COUNTS_STEPS = 20  # looks, half a stop apart, until a ply counts that was made by hand
PAUSE_S = 0.6  # for people to see which ply the board has decided, before its piece is moved
PATIENCE_S = 5.0  # after that the board no longer waits for what somebody has in the hand
SEVERAL_S = 0.4  # the same where several seats are the board's: people wait for all of them
ALIKE_S = 0.15  # where that seat goes on with what it has just done, such as placing units


class FinishingHand:
    """Moves the pieces of ``hand`` as the table of ``service`` needs them. Any thread may call it.

    ``hand`` returns the one there is now: a simulated board may become another. ``rest`` waits for so many seconds
    while the sensors go on, ``clock`` tells seconds.
    """

    def __init__(
        self,
        hand: Callable[[], VirtualHand],
        service: Service,
        rest: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hand_now, self._service, self._rest, self._clock = hand, service, rest, clock
        self._lock = threading.RLock()
        self._gestures = Gestures(hand, lambda: service.look().table, rest, clock)
        self._tidied: object = None  # the position for which the pieces were put right
        self._game: object = None  # the first position of its game
        self._over: object = None  # the position before which it was shown how a round ended
        self._goes_on: object = None  # the one for which somebody would not wait
        self._made = 0
        self._outcome: object = None  # how the players ended it
        self._read_to = 0  # how far its lesson was read
        self._caught_up = -1  # how many moves of pieces there were when all was put right last
        self._left = -1  # the same when the pieces had followed the last position
        self._shown: tuple[object, float] = (None, 0.0)  # the position with the board's ply, and since when it is lit
        self.finishes = True  # whether chores are done, too: not while people feel every touch themselves

    @property
    def _hand(self) -> VirtualHand:
        return self._hand_now()

    def finish(self, on: bool, theirs: Theirs = everything) -> None:
        """Finish moves from now on, putting back what is held of all that is ``theirs``; or leave all to people."""
        with self._lock:
            self.finishes = on
            if on:
                self._tidied = None
                self._gestures.free(theirs)

    def run(self) -> None:
        """Follow the table until the service ends."""
        for frame in self._service.watch(LOOK_S):
            try:
                self.follow(frame or self._service.look())
                if (left_s := self.pause_s()) is not None:
                    self._rest(left_s)
                    self.play_for_board()
            except Exception:  # whatever the rules or a device raise: the pieces stay where they are
                log.exception("the simulated hand cannot finish")

    # ---- what people do -----------------------------------------------------------------------------------

    def tap(
        self,
        site: str,
        piece: str,
        ply: str,
        order: Order,
        hidden: bool = False,
        acts: Acts = None,
        open: frozenset[int] = frozenset(),
    ) -> dict[str, Any]:
        """Do what a tap on ``site`` means, with the token ``piece`` in the hand or chosen, "" for none, of somebody who
        ``acts`` for these seats, of which nobody holds those that are ``open``.

        Returns ``{"choices": [Choice, …]}`` where several plies fit; one of them is then given as ``ply``. What the
        phone alone shows is a ``{"look": …}``: the landings by one of which several ways go (`ways_to`), how a lesson's
        ply goes on (`on_to`), or where a piece could go that is not theirs (`look_at`). The plies of somebody who plays
        in secret are ``hidden``. Raises `Refused`.
        """
        with self._lock:
            try:
                answer = None
                while answer is None:
                    shown = self._service.look()
                    if shown.table.play and shown.table.round_us:
                        self._goes_on = shown.table.play.settled.position
                        self.follow(shown)
                        return {}
                    own = OwnHands(shown.table, self._hand.pieces(), acts, open)
                    answer = Tap(self, own, shown.display.theme, site, piece, ply, order, hidden).done()
                return answer
            except CannotMove as refused:
                raise Refused(str(refused)) from refused
            finally:
                self._service.poke()

    def lift(self, site: str, theirs: Theirs = everything) -> dict[str, Any]:
        """Take the token at ``site`` into the hand and return it, in place of what is held of all that is ``theirs``.

        Raises `CannotMove` where there is none; then nothing else moves either.
        """
        with self._lock:
            self.follow(self._service.look())  # else a game that has just begun takes the piece out of the hand again
            if self.finishes and site in self._hand.pieces()["on"]:
                self._gestures.free(theirs)
            return self._gestures.lift(site)

    def place(self, piece: str, site: str) -> None:
        """Put a token on ``site``; raises `CannotMove` as `VirtualHand.place` does."""
        with self._lock:  # never between two touches of this hand's own
            self._hand.place(piece, site)

    def set_aside(self, piece: str) -> None:
        """Put a token beside the board; raises `CannotMove` where there is none."""
        with self._lock:
            self._hand.set_aside(piece)

    def put_back(self, piece: str) -> None:
        """Put a held token back where it came from, so that it is read as a change of mind."""
        with self._lock:
            self._gestures.put_back(piece)

    def put_right(self) -> None:
        """Finish a capture that was begun; else make the pieces stand as the table expects."""
        with self._lock:
            table = self._service.look().table
            left = moves.victims_left(table.play, table.now) if table.play else ()
            if left and table.play:
                for name in left:
                    self._gestures.take_off(sites_of(table, table.play)[name])
                return
            if table.play:
                self._let_go()
                self._put_right(table, table.play, whole=True)

    def _let_go(self) -> None:
        for piece in self._gestures.in_hand():
            self._hand.set_aside(piece)

    @property
    def unfinished(self) -> bool:
        """Whether only captured pieces are left to take off."""
        table = self._service.look().table
        return table.play is not None and bool(moves.victims_left(table.play, table.now))

    def counts(self, play: Play) -> bool:
        """Whether the ply before counts within a moment, now that the next piece is in the hand."""
        for _ in range(COUNTS_STEPS):
            self._rest(STOP_S / 2)
            table = self._service.look().table
            if table.play is None or table.play.settled.position is not play.settled.position:
                return True
            if table.due_us is None and not table.arrivals:  # nothing will come of it by waiting
                return False
        return False

    def make(self, order: PlayPly) -> None:
        """Make a ply: the table has it first, the pieces follow; while another board is asked, as if it had it."""
        self._service.submit(order)
        table = self._service.look().table
        if table.play is None:
            return
        if table.play.sent:
            self._put_right(table, moves.as_if_made(table.play, order.text), whole=True)
            return
        if table.round_us:
            self._show_round(table, table.play)
        else:
            self._put_right(table, table.play, whole=False)
        self._gestures.free()

    # ---- what comes after a ply ---------------------------------------------------------------------------

    def follow(self, frame: ShownTable) -> None:
        """Do the chores of a position that has just come to be."""
        with self._lock:
            table = self._service.look().table if frame.version < self._service.look().version else frame.table
            play = table.play
            if play is None or table.link:
                return
            position, first = play.settled.position, play.session.positions[0]
            if not self.finishes:
                return
            if play.session.read_to != self._read_to:
                self._read_to = play.session.read_to
                self._put_back_read(table, play)
            if play.paused:
                self._gestures.free()  # what was in a hand when the game stopped would be no move when it goes on
            if play.outcome != self._outcome:
                self._outcome = play.outcome
                self._end(play)
            if table.round_us and position is not self._goes_on:
                self._show_round(table, play)
                return
            if position is self._tidied:
                self._catch_up(table, play)
                return
            made, before = len(play.standings) - 1, self._made
            anew = first is not self._game or play.setting_up
            self._tidied, self._game, self._made = position, first, made
            if anew:
                self._let_go()
            self._put_right(table, play, whole=anew or not before <= made <= before + MOST_AT_ONCE)
            if anew:
                self._hand.clear_away()
                complete(self._hand, play)
            self._hand_over(play)
            self._left = self._hand.pieces()["moves"]
            self._service.poke()

    def _show_round(self, table: Table, play: Play) -> None:
        """Let the pieces stand as they do at the end of a round, which is seen for a while."""
        if play.settled.position is self._over:
            return
        self._over = play.settled.position
        self._let_go()
        shape = play.session.game.shape(play.session.round_over)
        self._put_right(table, moves.standing_as(play, shape), whole=True)
        self._service.poke()

    def _hand_over(self, play: Play) -> None:
        """Put back what a player whose turn is over has still in the hand, for others are to move."""
        session, last = play.session, play.session.positions[-1].seat
        if last is None or session.mover == last:
            return
        colour = session.game.colour_of(session.state, last)
        for token in self._hand.pieces()["held"]:
            if token["seat"] == colour:
                self._gestures.put_back(token["id"])

    def _end(self, play: Play) -> None:
        """Put back what somebody has in the hand when the players, or their time, have ended the game."""
        for token in self._hand.pieces()["held"] if play.outcome else ():
            self._gestures.put_back(token["id"])

    def _put_back_read(self, table: Table, play: Play) -> None:
        """Put back what was lifted while the last page of a lesson was read, but what would turn this one, too."""
        sites, turns = site_names(table, play), read_by_touch(play)
        for piece, site in self._gestures.in_hand().items():
            if not play.game_area.bit.get(sites.get(site, ""), 0) & play.game_area.both(turns):
                self._gestures.put_back(piece)

    def _catch_up(self, table: Table, play: Play) -> None:
        """Put right what other touches have left behind; once, if nothing moves by that.

        So is what the sensors had not told yet when a ply was written, unless people have touched anything since.
        """
        moved = self._hand.pieces()["moves"]
        if self._caught_up == moved or not left_behind(self._hand, table, play, alone=moved == self._left):
            return
        self._put_right(table, play, whole=True)
        self._caught_up = self._hand.pieces()["moves"]
        self._service.poke()

    def pause_s(self) -> float | None:
        """Return for how long the board's ply is still only to be seen; None where it is none of this hand's."""
        with self._lock:
            play = self._service.look().table.play
            if play is None or not play.session.decided or not self.finishes:
                return None
            position = play.settled.position
            if position is not self._shown[0]:
                self._shown = position, self._clock()
            return max(0.0, self._shown[1] + _to_see_s(play) - self._clock())

    def play_for_board(self) -> None:
        """Make the ply that the board has decided, once it has been seen and unless people have begun to make it."""
        with self._lock:
            table = self._service.look().table
            play = table.play
            if play is None or table.link or self.pause_s() != 0.0:
                return
            if self._clock() - self._shown[1] > PATIENCE_S:
                self._give_back(table, play)
            if table.phase != "play":
                return
            if not play.differs(table.now) and not self._gestures.in_hand():
                text, seat = play.session.decided, play.session.mover
                try:
                    self.make(PlayPly(text=text, seat=seat))
                except Refused as refused:  # the game went on meanwhile
                    log.info("the board's move was not made: %s", refused)
                self._service.poke()

    def _give_back(self, table: Table, play: Play) -> None:
        """Put back what is in the hand and has no part in the board's ply: that is made when it stands again."""
        names, (made,) = site_names(table, play), play.settled.position.footprints
        for piece, site in self._gestures.in_hand().items():
            if not play.game_area.bit.get(names.get(site, ""), 0) & made.involved:
                self._gestures.put_back(piece)

    def _put_right(self, table: Table, play: Play, whole: bool) -> None:
        put_right(self._hand, table, play, whole, self._rest)


def _to_see_s(play: Play) -> float:
    """Return for how long the ply that the board has decided is only to be seen."""
    session, game, last = play.session, play.session.game, play.session.positions[-1]
    if game.made_alike and last.seat == session.mover and not last.secret:
        before = session.positions[-2].state
        plies = [game.read(before, last.text), game.read(session.state, session.decided)]
        if game.made_alike(before, plies):
            return ALIKE_S
    return SEVERAL_S if sum(map(bool, session.opponents.levels)) > 1 else PAUSE_S
