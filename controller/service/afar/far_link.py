"""The link of a far board: it plays a seat of a game to which another board is home, or only shows that game."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import UNSET

from controller.afar.far import Far, Waits
from controller.afar.log import Log
from controller.afar.messages import LogHello
from controller.afar.sealing import OpenedMessage, Sealing
from controller.game_setup import Afar
from controller.orders import FollowHome, HoldAfar, HomeClock, NewGame, NotTaken, PlayPly, Wish
from controller.refused import Refused
from controller.sentences import say
from controller.service.afar.files import LinkFile
from controller.service.afar.links import SOON_S, LinkAtWork
from controller.service.afar.promises import may_promise, next_word, unknown
from controller.service.loop import Service
from controller.service.off_table import promised
from controller.service.showing.broadcast import ShownTable
from controller.table import afar_clocks
from controller.table.afar.seats import ended_of, now_of
from controller.table.clock import left_us
from controller.table.state import Play

PROMISE_S = 5.0  # after which a promise that home has declined is told again

replace = msgspec.structs.replace


class FarLink(LinkAtWork):
    """The other board is home; this one follows, until that is handed to it and its table has the whole game."""

    def __init__(
        self, service: Service, file: LinkFile, send: Callable[[bytes], None], clock: Callable[[], float],
        sealing: Sealing | None = None,
    ) -> None:  # fmt: skip
        super().__init__(service, file, send, clock, sealing)
        self._far = Far(self.sealing.name, file.log(), self.remarks.note)
        self._turned = False
        self._given: Wish | None = None  # what of the table's wishes was sent
        self._failed: object = None  # the log that the table could not follow
        self._promised: Wish | None = None  # what of its seat's promise home was told last
        self._promise_s = 0.0  # from when on it may be told again
        self._off_table_at = ""  # the head of the log with which that was looked at off the table
        self._clock_told: HomeClock | None = None  # the clocks as home told them last,
        self._clock_us = 0  # when that was,
        self._clock_shown = True  # and whether the table has them

    @property
    def known(self) -> Log | None:
        return self._far.log

    @property
    def turned(self) -> bool:
        return self._turned

    @property
    def closed(self) -> bool:
        return self._far.closed

    @property
    def wake_s(self) -> float | None:
        return self._far.wake_s

    def pass_time(self) -> None:
        if self._clock() >= self._far.wake_s:
            self.post(self._far.pass_time(self._clock()))

    def _hello(self) -> LogHello:
        return self._far.hello(self._clock())

    def connected(self) -> None:
        self.post(self._far.met(self._clock()))

    def _answer(self, heard: OpenedMessage) -> None:
        now_s = self._clock()
        if not heard.known:
            if now_s - self._hello_s >= SOON_S:
                self._hello_s = now_s
                self.post((self._hello(),), heard.from_)
            else:
                self._far.hello_by(self._hello_s + SOON_S)
            return
        before = self._far.log
        answers = self._far.met(now_s) if heard.first else ()
        answers += self._far.hear(heard.what, now_s)
        if self._far.log is not None and self._far.log is not before:
            self._keep(before, self._far.log)
        self._note_clocks()
        self.post(answers)

    def _note_clocks(self) -> None:
        told = self._far.clock
        if told is not None and told is not self._clock_told:
            self._clock_told, self._clock_us, self._clock_shown = told, self._service.now_us(), False

    def _clocks(self) -> HomeClock | None:
        """Return how the clocks stand at home, as far as it is known here."""
        told = self._clock_told
        if told is None or told.running is None:
            return told
        return replace(told, ran_us=told.ran_us + max(0, self._service.now_us() - self._clock_us))

    def _clock_differs(self, play: Play) -> bool:
        """Whether the table is to be told how the clocks stand."""
        clocks = self._clocks()
        if self._clock_shown or clocks is None:
            return False
        self._clock_shown = not afar_clocks.differ(play, clocks, self._service.now_us())
        return not self._clock_shown

    def _keep(self, before: Log | None, now: Log) -> None:
        """Write what home has told, before anybody sees it; the first time the game begins here, too."""
        if before is None:
            self.file.save(replace(self.file.kept, begun=now.begun))
        if before is not None and now.holds(before.n, before.head()):
            self.file.add(now.since(before.n))
        else:
            self.file.rewrite(now.since(0))

    def begin(self) -> None:
        """Begin the game on this table, as home has told it; raises `Refused`."""
        known = self._far.log
        if known is None or self.file.kept.game_id is not None:
            return
        begun = known.begun
        clock = None if begun.clock is UNSET else begun.clock
        variant = "" if begun.variant is UNSET else begun.variant
        self._service.submit(
            NewGame(
                game=begun.game,
                options=begun.options,
                seed=begun.seed,
                plies=known.plies,
                clock=clock,
                variant=variant,
            )
        )
        self.file.save(replace(self.file.kept, game_id=self._service.look().game_id))
        self._failed = None

    def look(self, frame: ShownTable) -> None:
        if self.file.kept.game_id is None and self._far.log is not None and self._failed is not self._far.log.begun:
            try:
                self.begin()
            except Refused as refused:
                self._failed = self._far.log.begun
                self.remarks.note(say("The game of the other board cannot be played here: {why}", why=str(refused)))
            frame = self._service.look()
        super().look(frame)
        if self._off_table:
            self._keep_promise()

    def _keep_promise(self) -> None:
        """Let home know what is promised in this game also while another one is on the table."""
        known, game_id = self._far.log, self.file.kept.game_id
        if known is None or game_id is None or self._far.asked is not None or self._off_table_at == known.head():
            return
        if self.file.is_home(known):
            return
        self._off_table_at = known.head()
        if not may_promise(known):
            return
        found: list[Play] = []
        try:
            self._service.play_off_table(promised(game_id, self.there_seats, known.committed, found.append))
        except Refused as refused:
            self.remarks.note(say("This board cannot follow the other one: {why}", why=str(refused)))
        for play in found:
            self._tell_promise(play)

    def _join(self, frame: ShownTable, play: Play) -> None:
        follows = Afar(self.there_seats.of(play.seats), follows=True)
        if replace(play.session.afar, phones=()) != follows:
            self._clock_shown = False
            self._service.submit(HoldAfar(afar=follows))
            return self._again()
        if self._far.log is not None and self._failed is not self._far.log and self._differs(play, self._far.log):
            return self._follow(play, self._far.log)
        if play.sent is None:
            self._given = None
        elif self._far.asked is None:
            return self._wish(play, play.sent)
        if self._far.log is not None and self.file.is_home(self._far.log):
            self._turned = self._is_at(play, self._far.log)
            return None
        return self._tell_promise(play)

    @staticmethod
    def _is_at(play: Play, known: Log) -> bool:
        """Whether the table is where the log ends, so that this board can go on from there as home."""
        session = play.session
        return session.plies == known.plies and not session.decided and ended_of(play) == known.ended

    def _tell_promise(self, play: Play) -> None:
        """Let home know to what this board's seat is bound; and, once all are, what that is."""
        known = self._far.log
        if known is None or self._far.asked is not None or self._failed is known:
            return
        words = (next_word(play, seat, known) for seat in self.here_seats.of(play.seats))
        wish = next((word for word in words if word is not None), None)
        now_s = self._clock()
        if wish is not None and (wish != self._promised or now_s >= self._promise_s):
            # Where home has declined it, perhaps since its game is not on the table, it is told again after a while.
            self._promised, self._promise_s = wish, now_s + PROMISE_S
            self.post(self._far.wish(wish, now_s))

    def _again(self) -> None:
        self.look(self._service.look())

    def _differs(self, play: Play, known: Log) -> bool:
        """Whether the table is not as home has it, and something can be done about that now."""
        session, now = play.session, (self._far.now, known.ended)
        if unknown(session.promises.public, known.committed) or known.settled > session.promises.settled:
            return True
        if play.setting_up or play.paused:
            return False
        if self._clock_differs(play):
            return True
        if (now_of(play), ended_of(play)) != now:
            return True
        led = (*session.plies, session.decided) if session.decided else session.plies
        return known.plies[: len(led)] != led if session.decided else known.plies != led

    def _follow(self, play: Play, known: Log) -> None:
        made, plies, at = play.session.plies, known.plies, 0
        while at < min(len(made), len(plies)) and made[at] == plies[at]:
            at += 1
        try:
            self._service.submit(
                FollowHome(at=at, plies=plies[at:], ended=known.ended, now=self._far.now,
                           committed=known.committed, settled=known.settled, clock=self._clocks())
            )  # fmt: skip
            self._clock_shown = True
        except Refused as refused:
            self._failed = known
            return self.remarks.note(say("This board cannot follow the other one: {why}", why=str(refused)))
        if self._service.look().table.play != play:
            return self._again()
        return self._tell_promise(play)  # the table is further than what home has told last: that comes

    def _wish(self, play: Play, sent: Wish) -> None:
        """Send what hands or people here want; or say what became of it."""
        if self._given == sent:
            self._given = None
            self._clock_shown = False  # it stood while the order was on its way
            return self._not_taken(self._far.declined)
        known = self._far.log
        gone_on = isinstance(sent, PlayPly) and known is not None and known.plies != play.session.plies
        if gone_on or (known is not None and self.file.is_home(known)):
            return self._not_taken(say("The game has gone on meanwhile: look again."))
        try:
            self.post(self._far.wish(sent, self._clock(), self._left_us(play, sent)))
        except Waits as waits:
            return self._not_taken(str(waits))
        self._given = sent
        return None

    def _left_us(self, play: Play, sent: Wish) -> int | None:
        """Return what the clock of the seat that moved shows, None where no clock runs down for a ply."""
        if play.clock is None or not isinstance(sent, PlayPly):
            return None
        return left_us(play.clock, self._service.now_us())[sent.seat or 0]

    def _not_taken(self, why: str) -> None:
        self._service.submit(NotTaken(why=why))
