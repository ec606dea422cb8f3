"""Who lies on a link: each message altered in each field, said again, and out of order."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from controller.afar.messages import VERSION, Ask, Closed, Declined, Hello, Message, Told
from controller.afar.sealing import NONCE_BYTES, Envelope, Sealing
from controller.orders import (
    AgreeBack,
    ClaimDraw,
    Commit,
    FromAfar,
    OfferDraw,
    PlayPly,
    RefuseBack,
    RefuseDraw,
    Resign,
    Reveal,
    TakeBack,
    Wish,
)
from controller.table.state import Play
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.afar.lies import encoded, lies
from tests.afar.secret_soak import Game
from tests.afar.wire import LINK

TIDES: tuple[str, dict[str, Any]] = ("tides-of-war", {})
CYVASSE: tuple[str, dict[str, Any]] = ("cyvasse", {"setup": "secret"})



class Liar(Sealing):
    """Has the key of the link, and a name of its own for every message, so that none of its numbers is too low."""

    def __init__(self, game: Game, to_home: bool) -> None:
        super().__init__(LINK, "up" if to_home else "down", os.urandom)
        self.game, self.to_home = game, to_home

    @property
    def at(self) -> Any:
        return self.game.at_home if self.to_home else self.game.at_far

    def envelope(self, what: Any) -> dict[str, Any]:
        return {"v": VERSION, "from_": os.urandom(8).hex(), "to": self.at.sealing.name, "n": 1, "what": what}

    def says(self, envelope: Any) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        data = nonce + self._encrypt(encoded(envelope), self._about, nonce, self._out)
        self.at.hear(data)
        return data


class Scene:
    """A game between two boards, as it is when somebody begins to lie. The far board plays seat 1."""

    def __init__(self, folder: Path, game: tuple[str, dict[str, Any]], plies: int = 0, asks: bool = False) -> None:
        self.made = itertools.count()
        self.folder, self.start, self.plies, self.asks = folder, game, plies, asks
        self.again()

    def again(self) -> None:
        folder = self.folder / f"{next(self.made)}"
        folder.mkdir()
        self.game = Game(folder, *self.start, random.Random(7))
        self.game.line.loses = 0.0
        self.game.run(10.0)
        for _ in range(self.plies):
            session = self.game.home.session
            game, state = session.game, session.state
            ply = PlayPly(text=game.text(state, next(iter(game.plies(state)))), seat=game.seat(state))
            self.game.home.submit(ply if ply.seat == 0 else FromAfar(what=ply))
        if self.asks:
            self.game.home.submit(OfferDraw(seat=0))
            self.game.home.submit(TakeBack(to=0, by=(0,), asks=True))
        self.game.run(10.0)
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
    game, state = session.game, session.state
    text = game.text(state, next(iter(game.plies(state))))
    return [
        PlayPly(text=text, seat=1, phone="x", nonce="0" * 64), TakeBack(to=0, by=(1,), asks=False), Resign(seat=1),
        OfferDraw(seat=1), RefuseDraw(seat=1), AgreeBack(seat=1, to=0), RefuseBack(seat=1), ClaimDraw(seat=1),
        Commit(seat=1, made=0, commit="0" * 64, phone="x"), Reveal(seat=1, nonce="0" * 64, plies=(text,)),
    ]  # fmt: skip


def messages(scene: Scene) -> list[Message]:
    """Return one of each message, as it would be believed now."""
    log = scene.game.at_home.known
    n, head = log.n, log.head()
    told = Told(0, log.head(0), log.since(0), head, log.begun)
    asked = scene.game.at_far._far.asked
    play = scene.game.home.table.play
    assert play is not None
    return [
        Hello(n, head, True), Hello(), told, Told(n, head, (), head, None, asked.id if asked else ""),
        Declined(asked.id if asked else "x", "no", '{"template":"no"}'),
        *(Ask(f"{n}", n, head, 1, wish, 5) for n, wish in enumerate(wishes(play))), Closed(),
    ]  # fmt: skip


def told_lies(liar: Liar, scene: Scene) -> Iterator[tuple[str, Any]]:
    """Yield every message, altered in every field; and the whole envelope."""
    for number in range(len(messages(scene))):
        what = messages(scene)[number]
        for where, lie in lies(Envelope, liar.envelope(msgspec.to_builtins(what))):
            if where.startswith(".what") or number == 0:
                if not where.startswith(".from_"):
                    lie["from_"] = os.urandom(8).hex()
                if not where.startswith(".to"):
                    lie["to"] = liar.at.sealing.name  # it may have taken another one meanwhile
                yield f"{type(what).__name__} {getattr(type(getattr(what, 'what', None)), '__name__', '')}{where}", lie


def check_home(before: Play, after: Play | None) -> None:
    """Nothing has happened but what seat 1 may do for itself."""
    assert after is not None
    was, now = before.session, after.session
    assert (now.name, now.seed, now.options, now.afar, now.opponents) == (
        was.name, was.seed, was.options, was.afar, was.opponents,
    )  # fmt: skip
    if now.plies != was.plies:
        own = now.plies[:-1] == was.plies and was.game.seat(was.state) == 1 and not now.positions[-1].kept
        agreed = before.back_asked is not None and now.plies == was.plies[: before.back_asked.to]
        assert own or agreed, (was.plies, now.plies)
    if after.outcome and not before.outcome:
        end = after.outcome
        assert (end.why, end.winner, end.by) == ("resigned", 0, (1,)) or (end.why == "agreed" and 0 in before.offers)
    assert set(after.offers) - set(before.offers) <= {1}
    if after.back_asked and after.back_asked != before.back_asked:
        assert after.back_asked.by == (1,) or before.back_asked
        assert 0 not in set(after.back_asked.agreed) - set(before.back_asked.agreed if before.back_asked else ())
    others = ([each for each in promises.all if each.what.seat != 1] for promises in (was.promises, now.promises))
    assert next(others) == next(others)
    assert all(each.phone == "" for each in now.promises.all if each.what.seat == 1)


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


SCENES = [(TIDES, 0, False), (TIDES, 1, False), (TIDES, 3, False), (TIDES, 2, True), (CYVASSE, 0, False)]


def test_the_list_has_every_message_and_every_order(tmp_path: Path) -> None:
    scene = Scene(tmp_path, TIDES)
    kinds = {type(what) for what in messages(scene)}
    assert kinds == set(get_args(Message))
    asked = {type(what.what) for what in messages(scene) if isinstance(what, Ask)}
    assert asked == set(get_args(Wish))


@pytest.mark.parametrize(("game", "plies", "asks"), SCENES)
def test_a_far_board_that_lies(
    game: Any, plies: int, asks: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scene = Scene(tmp_path, game, plies, asks)
    liar, count = Liar(scene.game, to_home=True), 0
    for where, lie in told_lies(liar, scene):
        liar.says(lie)
        count += 1
        try:
            before = scene.before[0].play
            assert before is not None
            check_home(before, scene.game.home.table.play)
            if scene.changed:
                check_shown(scene)
                check_log(caplog)
                scene.again()
                caplog.clear()
                liar.game = scene.game
        except (AssertionError, IndexError, KeyError) as wrong:
            raise AssertionError(where, str(lie)[:500]) from wrong
    assert count > 3000
    check_log(caplog)
