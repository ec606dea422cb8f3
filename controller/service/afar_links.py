"""One link at work: the game on the table, the log on disk and the other board are brought together.

Owns what becomes of the table when the other board speaks, and what the other board is told of the table. Everything
happens in one thread, which calls. Must not know how messages get across.
"""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import msgspec

from controller.afar.far import Far, Waits
from controller.afar.home import Home
from controller.afar.keys import WATCHES, Way
from controller.afar.log import Log, leading_to
from controller.afar.messages import Closed, Hello, Message
from controller.afar.sealing import Heard, Sealing, Unsealed
from controller.events import HERE, Afar, FollowHome, FromAfar, HoldAfar, NewGame, NotTaken, PlayPly, Wish
from controller.refused import Refused
from controller.sentences import say
from controller.service.afar_files import LinkFile
from controller.service.broadcast import Frame
from controller.service.loop import Service
from controller.table.afar_seats import ended_of, now_of
from controller.table.state import Play

log = logging.getLogger(__name__)

AWAY_S = 60.0  # without a word, after which the other board counts as away
SOON_S = 1.0  # between two answers to one who cannot be known yet

replace = msgspec.structs.replace


class LinkAtWork(ABC):
    """What both roles have in common. ``send`` carries bytes to the other board, ``clock`` tells seconds."""

    out: Way = "down"

    def __init__(
        self, service: Service, file: LinkFile, send: Callable[[bytes], None], clock: Callable[[], float],
        random: Callable[[int], bytes] = os.urandom,
    ) -> None:  # fmt: skip
        self.file, self.said, self.line = file, "", ""
        self._service, self._send, self._clock = service, send, clock
        self._sealing = Sealing(file.link, self.out, random)
        self._heard_s: float | None = None
        self._hello_s = -SOON_S
        self._off_table = False

    @property
    def there(self) -> bool:
        """Whether the other board was heard a short while ago."""
        return self._heard_s is not None and self._clock() - self._heard_s < AWAY_S

    @property
    def state(self) -> str:
        """How it stands with the link, in one sentence."""
        if self.line:
            return self.line
        if self._heard_s is None:
            return say("The other board has not answered yet.")
        if not self.there:
            return say("The other board does not answer at the moment: the game goes on when it does.")
        if self._off_table:
            return say("The other board is there, but this game is not on the table: take it up under Games played.")
        return say("The other board is there.")

    def says(self, sentence: str) -> None:
        """Note what whoever looks after this board is to know."""
        if sentence != self.said:
            log.warning("play between two boards: %s", sentence)
        self.said = sentence

    def post(self, messages: Sequence[Message], to: str | None = None) -> None:
        """Send ``messages``; while nobody is known who could hear them, only a hello is of use."""
        for message in messages:
            if to or self._sealing.peer or isinstance(message, Hello):
                self._send(self._sealing.seal(message, to))

    def last_word(self) -> bytes:
        """Return the message that this board has ended the link."""
        return self._sealing.seal(Closed()) if self._sealing.peer else b""

    def hear(self, data: bytes) -> None:
        """Take a message that has come."""
        try:
            heard = self._sealing.open(data)
        except Unsealed as wrong:
            self.says(str(wrong))
            if wrong.from_:
                self.post((self._hello(),), wrong.from_)
            return
        if heard.known:
            self._heard_s = self._clock()
        self._answer(heard)
        self.look(self._service.look())

    @abstractmethod
    def _hello(self) -> Hello:
        """Return what this board says when the line is up."""

    @abstractmethod
    def _answer(self, heard: Heard) -> None:
        """Do what the other board's message asks for."""

    def look(self, frame: Frame) -> None:
        """Bring table, log and the other board together."""
        play = frame.table.play
        self._off_table = play is None or self.file.kept.game_id is None or frame.game_id != self.file.kept.game_id
        if play is not None and not self._off_table:
            self._join(frame, play)

    @abstractmethod
    def _join(self, frame: Frame, play: Play) -> None:
        """Bring the game on the table and the log together."""

    @abstractmethod
    def pass_time(self) -> None:
        """Do what time alone asks for."""

    @property
    def wake_s(self) -> float | None:
        """When `pass_time` has something to do at the latest."""
        return None

    def connected(self) -> None:
        """The line is up: say so to the other board."""
        self.post((self._hello(),))

    def held(self) -> tuple[int, ...]:
        """Return the seats of the game on the table that the other board holds, by this link."""
        return ()


class HomeLink(LinkAtWork):
    """A far board plays a seat of a game that was begun here, or shows it."""

    out: Way = "down"

    def __init__(
        self, service: Service, file: LinkFile, send: Callable[[bytes], None], clock: Callable[[], float]
    ) -> None:
        super().__init__(service, file, send, clock)
        found = file.log()
        assert found is not None
        self._home = Home(found, file.link.seat, self._carry_out, self.says)

    @property
    def closed(self) -> bool:
        """Whether the other board has left."""
        return self._home.closed

    def pass_time(self) -> None:
        """Home only answers: it has nothing to say again."""
        return

    def held(self) -> tuple[int, ...]:
        return () if self._off_table or self.file.link.seat == WATCHES else (self.file.link.seat,)

    def _hello(self) -> Hello:
        return self._home.hello()

    def _answer(self, heard: Heard) -> None:
        self.post(self._home.hear(heard.what), heard.from_)

    def _carry_out(self, wish: Wish) -> str:
        frame = self._service.look()
        if frame.table.play is None or frame.game_id != self.file.kept.game_id:
            return say("this game is not on the table at the other board now")
        try:
            unsaved = self._service.submit(FromAfar(what=wish))
        except Refused as refused:
            return str(refused)
        self.look(self._service.look())
        return unsaved

    def _join(self, frame: Frame, play: Play) -> None:
        if self._service.unsaved:  # nobody is told of what a power cut could take back
            return
        entries = leading_to(self._home.log, play.session.plies, ended_of(play))
        if entries:
            self.file.add(entries)
        self.post(self._home.grown(entries, now_of(play)))


class FarLink(LinkAtWork):
    """This board plays a seat of a game that was begun at another board, or only shows that game."""

    out: Way = "up"

    def __init__(
        self, service: Service, file: LinkFile, send: Callable[[bytes], None], clock: Callable[[], float]
    ) -> None:
        super().__init__(service, file, send, clock)
        self._far = Far(file.link.seat, self._sealing.name, file.log(), self.says)
        self._given: Wish | None = None  # what of the table's wishes was sent
        self._failed: object = None  # the log that the table could not follow

    @property
    def closed(self) -> bool:
        """Whether home has ended the invitation."""
        return self._far.closed

    @property
    def wake_s(self) -> float | None:
        return self._far.wake_s

    def pass_time(self) -> None:
        if self._clock() >= self._far.wake_s:
            self.post(self._far.pass_time(self._clock()))

    def _hello(self) -> Hello:
        return self._far.hello(self._clock())

    def _answer(self, heard: Heard) -> None:
        now_s = self._clock()
        if not heard.known:
            if now_s - self._hello_s >= SOON_S:
                self._hello_s = now_s
                self.post((self._hello(),), heard.from_)
            return
        before = self._far.log
        answers = self._far.met(now_s) if heard.first else ()
        answers += self._far.hear(heard.what, now_s)
        if self._far.log is not None and self._far.log is not before:
            self._keep(before, self._far.log)
        self.post(answers)

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
        self._service.submit(NewGame(game=begun.game, options=begun.options, seed=begun.seed, plies=known.plies))
        self.file.save(replace(self.file.kept, game_id=self._service.look().game_id))
        self._failed = None

    def look(self, frame: Frame) -> None:
        if self.file.kept.game_id is None and self._far.log is not None and self._failed is not self._far.log.begun:
            try:
                self.begin()
            except Refused as refused:
                self._failed = self._far.log.begun
                self.says(say("The game of the other board cannot be played here: {why}", why=str(refused)))
            frame = self._service.look()
        super().look(frame)

    def _join(self, frame: Frame, play: Play) -> None:
        others = tuple(seat for seat in range(play.seats) if seat != self.file.link.seat)
        if play.session.afar != Afar(others, follows=True):
            self._service.submit(HoldAfar(afar=Afar(others, follows=True)))
            return self._again()
        if self._far.log is not None and self._failed is not self._far.log and self._differs(play, self._far.log):
            return self._follow(play, self._far.log)
        if play.sent is None:
            self._given = None
        elif self._far.asked is None:
            return self._wish(play, play.sent)
        return None

    def _again(self) -> None:
        self.look(self._service.look())

    def _differs(self, play: Play, known: Log) -> bool:
        """Whether the table is not as home has it, and something can be done about that now."""
        session, now = play.session, (self._far.now, known.ended)
        if play.setting_up or play.paused:
            return False
        if (now_of(play), ended_of(play)) != now:
            return True
        led = (*session.plies, session.decided) if session.decided else session.plies
        return known.plies[: len(led)] != led if session.decided else known.plies != led

    def _follow(self, play: Play, known: Log) -> None:
        made, plies, at = play.session.plies, known.plies, 0
        while at < min(len(made), len(plies)) and made[at] == plies[at]:
            at += 1
        try:
            self._service.submit(FollowHome(at=at, plies=plies[at:], ended=known.ended, now=self._far.now))
        except Refused as refused:
            self._failed = known
            self.says(say("This board cannot follow the other one: {why}", why=str(refused)))
            return
        self._again()

    def _wish(self, play: Play, sent: Wish) -> None:
        """Send what hands or people here want; or say what became of it."""
        if self._given == sent:
            self._given = None
            return self._not_taken(self._far.declined)
        known = self._far.log
        if isinstance(sent, PlayPly) and known is not None and known.plies != play.session.plies:
            return self._not_taken(say("The game has gone on meanwhile: look again."))
        try:
            self.post(self._far.wish(sent, self._clock()))
        except Waits as waits:
            return self._not_taken(str(waits))
        self._given = sent
        return None

    def _not_taken(self, why: str) -> None:
        self._service.submit(NotTaken(why=why[:]))


def released(frame: Frame) -> bool:
    """Whether nobody from afar plays in the game on the table."""
    play = frame.table.play
    return play is None or play.session.afar == HERE
