"""A phone far away that lies to its board: each message altered in each field, and each order in its name."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from controller.afar.messages import LogHello
from controller.afar.phone import MOST_LETTERS, PHONE_VERSION, Call, FromPage, Here, PageEnvelope, WatchTable
from controller.afar.sealing import NONCE_BYTES, Sealing
from controller.orders import AnyOrder, NewGame, PlayPly
from controller.panel.afar_backend import AfarBackend
from controller.service.afar.phone_link import MOST_ANSWERS, MOST_KNOWN, MOST_LOOKING, MOST_PAGES
from controller.service.running_board import RunningBoard
from controller.table.state import Play
from tests.afar.liars import HASH, check_log
from tests.afar.lies import encoded, lies, sample
from tests.afar.test_phone_link import Phone
from tests.web_panel.real_backend import real_app
from web_panel.people.far_phones import FarPanel
from web_panel.serving import counting

SOME = 7  # of so many lies one is told by day, all by night
MESSAGES: list[FromPage] = [
    LogHello(), Call("0" * 16, "POST", "/api/order", "{}"), WatchTable("0" * 16), Here("0" * 16), Here(),
]  # fmt: skip


class Liar(Sealing):
    """Has the key of a phone's link."""

    def lie(self, envelope: Any) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._encrypt(encoded(envelope), self._about, nonce, self._out)


def test_the_list_has_every_message() -> None:
    assert {type(what) for what in MESSAGES} == set(get_args(FromPage))


def test_a_page_that_lies_in_any_field(caplog: pytest.LogCaptureFixture) -> None:
    phone, before, count = Phone(), threading.active_count(), 0
    liar = Liar(phone.link, "up", os.urandom, PageEnvelope, PHONE_VERSION)
    for what in MESSAGES:
        whole = {"v": PHONE_VERSION, "from_": "", "to": "", "n": 1, "what": msgspec.to_builtins(what)}
        for where, lie in lies(PageEnvelope, whole):
            if not where.startswith(".from_"):
                lie["from_"] = os.urandom(8).hex()
            if not where.startswith(".to"):
                lie["to"] = phone.home._sealing.name
            phone.tell(liar.lie(lie))
            phone.sent.clear()
            count += 1
            assert len(phone.home._pages) <= MOST_KNOWN + 1, where
            assert len(phone.home._answers) <= MOST_ANSWERS, where
            assert sum(page.watching is not None for page in phone.home._pages.values()) <= MOST_PAGES, where
            assert threading.active_count() <= before + MOST_LOOKING, where
    assert count > 1000
    check_log(caplog)
    order = Call("f" * 16, "POST", "/api/order", "after all that")
    phone.say(LogHello())
    phone.heard()
    phone.say(order)
    assert phone.panel.carried_out[-1] == "after all that"
    phone.home.close(for_good=False)
    phone.until(lambda: threading.active_count() <= before)


# ---- orders ----


@pytest.fixture
def held() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class Evening:
    """A game at a board whose second seat a phone far away holds; home has made the first ply."""

    def __init__(self, folder: Path, held: ExitStack, patch: pytest.MonkeyPatch, board: str) -> None:
        panels: list[FarPanel] = []
        patch.setattr(AfarBackend, "answered_by", lambda _, panel: panels.append(panel))
        now = [0.0]
        patch.setattr(counting, "monotonic", lambda: now[0])
        self.now = now
        self.app, self.running, _ = real_app(board, folder, held)
        (self.panel,) = panels
        self.secret = ""

    def begin(self, game: str, first: str, **options: Any) -> None:
        self.running.service.submit(NewGame(game=game, options=options, seed=1))
        assert self.app.test_client().post("/api/set_up", json={}).status_code == 200
        for seen in self.running.service.watch(5):
            assert seen is not None
            if seen.table.play is not None and not seen.table.play.setting_up:
                break
        self.secret = self.secret or self.panel.invite(1, "Ada")
        self.running.service.submit(PlayPly(text=first, seat=0))

    @property
    def play(self) -> Play:
        play = self.running.service.look().table.play
        assert play is not None
        return play

    def says(self, path: str, body: bytes) -> tuple[int, bytes]:
        self.now[0] += 100  # so that no limit of requests stands before what is looked at here
        return self.panel.answer(self.secret, Call(os.urandom(8).hex(), "POST", path, body.decode()))


def orders(play: Play) -> Iterator[tuple[type, dict[str, Any]]]:
    """Yield one of each order there is, as a phone for seat 1 would have it carried out."""
    session = play.session
    text = session.game.text(session.state, next(iter(session.game.plies(session.state))))
    fit = {"seat": 1, "by": [1], "to": 0, "made": len(session.plies), "text": text, "texts": [text], "plies": [text],
           "commit": HASH, "nonce": HASH, "game": session.name, "asks": False}  # fmt: skip
    for kind in get_args(AnyOrder):
        whole = sample(inspect.type_info(kind))
        yield kind, whole | {name: fit[name] for name in whole if name in fit}


def check_own(before: Play, after: Play) -> None:
    """Nothing has happened but what seat 1 may do for itself."""
    was, now = before.session, after.session
    assert (now.name, now.seed, now.options, now.afar, now.opponents) == (
        was.name, was.seed, was.options, was.afar, was.opponents,
    )  # fmt: skip
    assert now.plies[: len(was.plies)] == was.plies
    assert {each.seat for each in now.positions[len(was.positions) :]} <= {1}
    if after.outcome != before.outcome:
        assert after.outcome is not None
        assert (after.outcome.why, after.outcome.by) == ("resigned", (1,))
    assert set(after.offers) - set(before.offers) <= {1}
    assert after.back_asked is None or after.back_asked.by == (1,)
    assert after.clock == before.clock
    others = ([each.what for each in promises.all if each.what.seat != 1] for promises in (was.promises, now.promises))
    assert next(others) == next(others)


@pytest.mark.slow
@pytest.mark.parametrize("every", [SOME, pytest.param(1, marks=pytest.mark.night)])
@pytest.mark.parametrize(("board", "game", "first", "options"), [
    ("square144", "tides-of-war", "c3-d3", {}), ("shell19", "beacons", "bid 3 9", {"rounds": 1}),
])  # fmt: skip
def test_a_phone_that_lies_in_any_order(
    board: str, game: str, first: str, options: dict[str, Any], every: int, tmp_path: Path, held: ExitStack,
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    evening, count = Evening(tmp_path, held, monkeypatch, board), 0
    evening.begin(game, first, **options)
    running: RunningBoard = evening.running
    shown = running.service.look().display
    for kind, whole in orders(evening.play):
        for where, lie in islice(lies(kind, whole), 0, None, every):
            body, before = encoded(lie), evening.play
            if len(body) > MOST_LETTERS:
                continue
            status, answer = evening.says("/api/order", body)
            count += 1
            told = kind.__name__, where, body[:300], answer[:300]
            assert status < 500, told
            assert game != "beacons" or first.encode() not in answer or first.encode() in body, told
            after = evening.play
            if after != before:
                try:
                    check_own(before, after)
                except AssertionError as wrong:
                    raise AssertionError(*told) from wrong
                evening.begin(game, first, **options)
    assert count > 3000 // every
    assert running.service.look().display == shown
    assert not [record for record in caplog.records if record.exc_info]
