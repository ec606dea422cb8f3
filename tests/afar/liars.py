"""Who lies on a link between two boards: either end, with the key, in a game as it is at that moment."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from controller.afar.log import Log, LogEntry
from controller.afar.messages import VERSION, Ask, Closed, Declined, LogEntries, LogHello, Message
from controller.afar.sealing import NONCE_BYTES, Envelope, Sealing
from controller.commitments import with_plies
from controller.orders import (
    FromAfar,
    HomeBack,
    HomeEnded,
    HomeNow,
    OfferDraw,
    PlayPlies,
    PlayPly,
    TakeBack,
    Wish,
)
from controller.table.state import Play
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.afar.lies import encoded, lies, sample
from tests.afar.secret_soak import Game, any_choice
from tests.afar.wire import LINK

TIDES: tuple[str, dict[str, Any]] = ("tides-of-war", {})
CYVASSE: tuple[str, dict[str, Any]] = ("cyvasse", {"setup": "secret"})
ENDS = (
    HomeEnded(True, 0, "resigned", None, (1,)), HomeEnded(True, None, "agreed", None, (0, 1)),
    HomeEnded(True, 0, "time", None, (0,)), HomeEnded(True, None, "claimed", None, (1,)),
)  # fmt: skip
HASH = "0" * 64
NO = '{"template":"no"}'


class Liar(Sealing):
    """Has the key of the link, and a name of its own for every message, so that none of its numbers is too low."""

    def __init__(self, scene: Scene, to_home: bool) -> None:
        super().__init__(LINK, "up" if to_home else "down", os.urandom)
        self.scene, self.to_home = scene, to_home

    @property
    def at(self) -> Any:
        return self.scene.game.at_home if self.to_home else self.scene.game.at_far

    def envelope(self, what: Any) -> dict[str, Any]:
        return {"v": VERSION, "from_": os.urandom(8).hex(), "to": self.at.sealing.name, "n": 1, "what": what}

    def says(self, envelope: Any) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        data = nonce + self._encrypt(encoded(envelope), self._about, nonce, self._out)
        self.at.hear(data)
        return data


class Scene:
    """A game between two boards, as it is when somebody begins to lie. The far board plays seat 1."""

    def __init__(
        self, folder: Path, game: tuple[str, dict[str, Any]], plies: int = 0, asks: bool = False, chosen: bool = False
    ) -> None:
        """With ``chosen`` the far board has chosen in secret, and home has not."""
        self.made = itertools.count()
        self.folder, self.start, self.plies, self.asks, self.chosen = folder, game, plies, asks, chosen
        self.again()

    def again(self) -> None:
        folder = self.folder / f"{next(self.made)}"
        folder.mkdir()
        self.game = Game(folder, *self.start, random.Random(7))
        self.game.line.loses = self.game.line.doubles = self.game.line.slow_s = 0.0
        self.game.run(10.0)
        for _ in range(self.plies):
            session = self.game.home.session
            game, state = session.game, session.state
            ply = PlayPly(text=game.text(state, next(iter(game.plies(state)))), seat=game.seat(state))
            self.game.home.submit(ply if ply.seat == 0 else FromAfar(what=ply))
        if self.chosen:
            texts = any_choice(self.game.far.session, 1, random.Random(7))
            self.game.far.submit(PlayPlies(texts=texts, seat=1))
        if self.asks:
            self.game.home.submit(OfferDraw(seat=0))
            self.game.home.submit(TakeBack(to=0, by=(0,), asks=True))
        self.game.run(10.0)
        self.note()

    def note(self) -> None:
        """Take both boards as they are now for what they were before the next lie."""
        self.before = self.game.home.table, self.game.far.table
        self.heads = self.logs()

    def logs(self) -> tuple[Any, ...]:
        game = self.game
        return tuple((at.known.head() if at.known else "", at.closed) for at in (game.at_home, game.at_far))

    @property
    def changed(self) -> bool:
        return (self.game.home.table, self.game.far.table) != self.before or self.logs() != self.heads


def wishes(play: Play) -> list[Wish]:
    """Return one of each order, as a lie of who plays seat 1."""
    session = play.session
    text = session.game.text(session.state, next(iter(session.game.plies(session.state))))
    fit = {"seat": 1, "by": [1], "to": 0, "made": 0, "text": text, "plies": [text], "commit": HASH, "nonce": HASH}
    found = []
    for kind in get_args(Wish):
        whole = sample(inspect.type_info(kind))
        found.append(msgspec.convert(whole | {name: fit[name] for name in whole if name in fit}, kind))
    return found


def asks(scene: Scene) -> list[Message]:
    """Return one of each message, as home would believe it now."""
    log = scene.game.at_home.known
    n, head = log.n, log.head()
    told = LogEntries(0, log.head(0), log.since(0), head, log.begun)
    play = scene.game.home.table.play
    assert play is not None
    return [
        LogHello(n, head, True), LogHello(), told, LogEntries(n, head, (), head), Declined("x", "no", NO),
        *(Ask(f"{n}", n, head, 1, wish, 5) for n, wish in enumerate(wishes(play))), Closed(),
    ]  # fmt: skip


def answers(scene: Scene) -> list[Message]:
    """Return one of each message, as the far board would believe it now, with each kind of entry in turn."""
    log, play = scene.game.at_home.known, scene.game.home.table.play
    assert play is not None
    n, head, session = log.n, log.head(), play.session
    asked = scene.game.at_far._far.asked
    id, now = asked.id if asked else "x", HomeNow((0,), HomeBack(0, (0,), ()) if log.n else None)
    text = session.game.text(session.state, next(iter(session.game.plies(session.state))))
    shown = with_plies(session.name, session.seed, 0, 0, (text,), HASH)
    entries = [
        LogEntry(ply=text), LogEntry(back=0), *(LogEntry(ended=end) for end in ENDS),
        LogEntry(committed=shown.veiled), LogEntry(settled=1), LogEntry(handed=True),
    ]  # fmt: skip
    return [
        LogHello(n, head, True), LogHello(), LogEntries(0, log.head(0), log.since(0), head, log.begun, id, now),
        *(LogEntries(n, head, (entry,), head) for entry in entries),
        LogEntries(n, head, (LogEntry(committed=shown.veiled), LogEntry(committed=shown)), head),
        Declined(id, "no", NO), Ask("x", n, head, 0, wishes(play)[0]), Closed(),
    ]  # fmt: skip


def told_lies(liar: Liar, of: Callable[[Scene], list[Message]]) -> Iterator[tuple[str, Any]]:
    """Yield every message, altered in every field; and the whole envelope."""
    for number in range(len(of(liar.scene))):
        what = of(liar.scene)[number]
        for where, lie in lies(Envelope, liar.envelope(msgspec.to_builtins(what))):
            told_before = isinstance(what, LogEntries) and number > 2 and not where.startswith(".what.entries")
            if number == 0 or (where.startswith(".what") and not told_before):
                if not where.startswith(".from_"):
                    lie["from_"] = os.urandom(8).hex()
                if not where.startswith(".to"):
                    lie["to"] = liar.at.sealing.name  # it may have taken another one meanwhile
                if where.startswith((".what.entries", ".what.begun")):
                    lie["what"] = following(lie["what"], liar.scene.game.at_home.known)
                yield f"{type(what).__name__} {getattr(type(getattr(what, 'what', None)), '__name__', '')}{where}", lie


def following(told: Any, log: Log) -> Any:
    """Return ``told`` with the heads that follow from what it tells: a lie that holds together."""
    try:
        read = msgspec.convert(told, LogEntries)
        before = Log(read.begun) if read.begun else log
        if not 0 <= read.since <= before.n:
            return told
        after = before.with_since(read.since, read.entries)
    except (ValueError, RecursionError):
        return told
    return {**told, "at": before.head(read.since), "head": after.head()}


def check_shown(scene: Scene) -> None:
    """Whoever looks at either board sees something."""
    for board in (scene.game.home, scene.game.far):
        for seat in (0, 1):
            if board.table.play is not None:
                picture(board.table, CALM, seat)


def check_log(caplog: pytest.LogCaptureFixture) -> None:
    assert not [record for record in caplog.records if record.exc_info]
    assert len(caplog.records) <= 16  # a line for each kind of remark of either board
    assert max(map(len, (record.getMessage() for record in caplog.records)), default=0) < 1000
