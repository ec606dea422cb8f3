"""Notices without a push service: moments, bounds, what is remembered, and what goes wrong on the way."""

from __future__ import annotations

import email.utils
import io
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import pywebpush
import requests
from urllib3.exceptions import NewConnectionError

from controller.notices import post, push
from controller.notices.due import AGAIN_S, GRACE_S, MOST_AGAIN_S, Due, TableSight
from controller.notices.letters import Became, Done, Job, Keys, Letter
from controller.notices.notices import BoardForNotices, Notices
from controller.notices.post import Post, missing
from controller.notices.subscriptions import MOST, MOST_EACH, SeatTurn, Subscription, Subscriptions
from controller.refused import Refused
from tests.waiting import until

ADA = Subscription("ada", "https://push.example/ada", "point", "auth", "de")
BO = Subscription("bo", "https://push.example/bo", "point", "auth")
SEATS = {"ada": (1,), "bo": (1, 2)}
TURN = TableSight(5, 1, "Tides of War", 1, 3, "White", ready=True, afar=True)
KEYS = Keys("number", "point")

replace = msgspec.structs.replace


@pytest.fixture
def known(tmp_path: Path) -> Subscriptions:
    known = Subscriptions(tmp_path / "notices.json")
    known.add(ADA)
    return known


def names(found: tuple[Subscription, ...]) -> list[str]:
    return [each.phone for each in found]


# ---- when -------------------------------------------------------------------------------------------------


def test_a_turn_is_told_when_its_few_seconds_are_over_and_not_before(known: Subscriptions) -> None:
    due = Due(known)
    assert due.look(TURN, SEATS, 100.0) == ()
    assert due.look(TURN, SEATS, 100.0 + GRACE_S - 0.001) == ()
    assert names(due.look(TURN, SEATS, 100.0 + GRACE_S)) == ["ada"]
    assert names(due.look(TURN, SEATS, 100.0 + GRACE_S)) == ["ada"]  # nobody has noted yet that it was told


def test_a_pause_in_the_few_seconds_lets_them_begin_anew(known: Subscriptions) -> None:
    due = Due(known)
    due.look(TURN, SEATS, 100.0)
    due.look(replace(TURN, ready=False), SEATS, 104.0)
    due.look(TURN, SEATS, 105.0)
    assert due.look(TURN, SEATS, 109.9) == ()
    assert names(due.look(TURN, SEATS, 110.0)) == ["ada"]


def test_only_who_holds_the_seat_is_told_and_nobody_where_it_is_nobodys_turn(known: Subscriptions) -> None:
    known.add(BO)
    due = Due(known, grace_s=0.0)
    assert names(due.look(TURN, SEATS, 0.0)) == ["ada", "bo"]
    assert names(due.look(replace(TURN, seat=2), SEATS, 1.0)) == ["bo"]
    assert due.look(replace(TURN, seat=None), SEATS, 2.0) == ()
    assert due.look(replace(TURN, afar=False), SEATS, 3.0) == ()
    assert due.look(replace(TURN, over=True), SEATS, 4.0) == ()
    assert known.all == ()


def test_a_page_that_shows_the_turn_counts_and_one_that_shows_what_was_before_does_not(known: Subscriptions) -> None:
    due = Due(known, grace_s=0.0)
    due.look(replace(TURN, version=4, seat=0), SEATS, 0.0)
    due.seen("ada", 4)
    assert names(due.look(TURN, SEATS, 1.0)) == ["ada"]
    due.seen("ada", 5)
    assert due.look(TURN, SEATS, 2.0) == ()


def test_what_was_not_taken_is_sent_again_after_half_a_minute_then_four_times_as_long_up_to_an_hour(
    known: Subscriptions,
) -> None:
    due, now_s, waits = Due(known, grace_s=0.0), 0.0, list[float]()
    due.look(TURN, SEATS, now_s)
    for wait_s in (AGAIN_S, 4 * AGAIN_S, 16 * AGAIN_S, 64 * AGAIN_S, MOST_AGAIN_S, MOST_AGAIN_S):
        due.note_told(known.all)
        assert due.look(TURN, SEATS, now_s) == ()
        due.became(known.all[0], Became("later"), now_s)
        assert due.look(TURN, SEATS, now_s + wait_s - 0.1) == ()
        now_s += wait_s
        assert names(due.look(TURN, SEATS, now_s)) == ["ada"]
        waits.append(wait_s)
    due.became(known.all[0], Became("later", after_s=7200.0), now_s)  # the service says when
    assert due.look(TURN, SEATS, now_s + 7199) == ()
    assert names(due.look(TURN, SEATS, now_s + 7200)) == ["ada"]
    due.look(replace(TURN, began=5), SEATS, now_s + 7300)
    due.became(known.all[0], Became("later"), now_s + 7300)
    assert names(due.look(replace(TURN, began=5), SEATS, now_s + 7300 + AGAIN_S)) == ["ada"]  # another turn


# ---- who --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_phone_has_four_browsers_and_the_board_writes_to_sixty_four(known: Subscriptions) -> None:
    own = [replace(BO, endpoint=f"https://push.example/{number}") for number in range(MOST_EACH + 1)]
    for each in own:
        known.add(each)
    assert known.all == (ADA, *own[1:])
    for number in range(MOST - len(known.all)):
        known.add(replace(BO, phone=f"p{number}", endpoint=f"https://push.example/p{number}"))
    assert known.all[0] == ADA
    assert len(known.all) == MOST
    known.add(replace(BO, phone="last", endpoint="https://push.example/last"))
    assert len(known.all) == MOST
    assert known.all[0] == own[1]


def test_of_a_browser_that_is_known_what_it_was_told_stays_unless_another_phone_has_it(
    known: Subscriptions, tmp_path: Path
) -> None:
    turn = SeatTurn(1, 1, 3)
    known.note(frozenset({ADA.endpoint}), turn)
    known.add(replace(ADA, language="fr"))
    assert known.all == (replace(ADA, language="fr", told=turn),)
    assert Subscriptions(tmp_path / "notices.json").all == known.all
    known.add(replace(ADA, phone="cy"))
    assert known.all == (replace(ADA, phone="cy"),)


def test_nothing_is_written_where_nothing_changes(known: Subscriptions, tmp_path: Path) -> None:
    file = tmp_path / "notices.json"
    file.unlink()
    known.add(ADA)
    known.drop(lambda each: each.phone == "bo")
    known.note(frozenset({"elsewhere"}), SeatTurn(1, 1, 3))
    known.note(frozenset({ADA.endpoint}), None)
    assert not file.exists()
    known.drop(lambda each: each.phone == "ada")
    assert file.exists()
    assert known.all == ()


def test_keys_are_made_once_and_not_where_none_can_be(known: Subscriptions) -> None:
    made: list[Keys] = []

    def make(keys: Keys) -> Callable[[], Keys]:
        def made_now() -> Keys:
            made.append(keys)
            return keys

        return made_now

    assert known.keys(make(Keys())) == Keys()
    assert names(known.all) == ["ada"]
    assert known.keys(make(KEYS)) == KEYS
    assert names(known.all) == []  # whoever subscribed with other keys
    assert known.keys(make(Keys("another", "key"))) == KEYS
    assert made == [Keys(), KEYS]


# ---- the thread -------------------------------------------------------------------------------------------


class Noting:
    """Somebody who sends, and notes what; ``became`` is what he says of each letter."""

    def __init__(self, *became: Became) -> None:
        self.jobs, self.became, self.fails, self.closed = list[Job](), became, False, False
        self.made = KEYS

    def do(self, job: Job) -> Done | None:
        self.jobs.append(job)
        if self.fails:
            raise OSError("no memory")
        return Done(became=self.became or (Became("sent"),) * len(job.letters)) if job.letters else None

    def keys(self) -> Keys:
        return self.made

    def close(self) -> None:
        self.closed = True


class Board:
    """A table whose sights the test hands in."""

    def __init__(self, folder: Path, post: Noting | None = None, lacks: str = "") -> None:
        self.sights = queue.Queue[TableSight | None]()
        self.post = post or Noting()
        around = BoardForNotices(self._watch, lambda: SEATS, lambda text, code: f"{code}:{text}", "mailto:x@y.example")
        self.notices = Notices(around, folder / "notices.json", self.post, lambda: lacks, grace_s=0.0)

    def _watch(self, quiet_s: float) -> Iterator[TableSight | None]:
        assert quiet_s == 1.0
        while (sight := self.sights.get()) is not None:
            yield sight
            yield None  # a quiet second: what was seen last still stands

    def wants(self, who: Subscription = ADA) -> bool:
        return self.notices.subscribe(who.phone, who.language, who.endpoint, who.p256dh, who.auth)

    @property
    def runs(self) -> bool:
        return self.notices._thread is not None


def test_who_wants_notices_is_written_to_in_its_language_and_who_does_not_any_more_is_not(tmp_path: Path) -> None:
    board = Board(tmp_path)
    assert not board.runs
    assert board.notices.offer() == ("point", "")
    assert board.wants(ADA)
    assert board.wants(BO)
    assert board.runs
    board.notices.forget("bo", ADA.endpoint)  # it is not theirs
    board.notices.forget("bo", BO.endpoint)
    board.sights.put(TURN)
    until(lambda: board.post.jobs)
    (job,) = board.post.jobs
    assert (job.keys, job.contact) == (KEYS, "mailto:x@y.example")
    (letter,) = job.letters
    assert (letter.endpoint, letter.p256dh, letter.auth) == (ADA.endpoint, "point", "auth")
    text = {"title": "de:Your turn", "body": "de:Tides of War: White has moved."}
    assert msgspec.json.decode(letter.text) == text
    board.notices.stop()
    assert board.post.closed
    board.sights.put(None)


def test_what_a_push_service_did_not_take_is_in_the_log_and_what_it_took_is_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    board = Board(tmp_path, Noting(Became("sent"), Became("gone", "410 Gone")))
    board.notices.offer()
    board.wants(ADA)
    board.wants(BO)
    board.sights.put(TURN)
    until(lambda: names(board.notices._subscriptions.all) == ["ada"])
    assert caplog.messages == ["a notice: gone (410 Gone)"]
    board.sights.put(None)


def test_a_fault_on_the_way_costs_one_notice_and_not_the_next(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    board = Board(tmp_path)
    board.notices.offer()
    board.wants()
    board.post.fails = True
    board.sights.put(TURN)
    until(lambda: "a fault in notices" in caplog.text)
    board.post.fails = False
    board.sights.put(replace(TURN, version=6, seat=0))
    board.sights.put(replace(TURN, version=7, began=5))
    until(lambda: len(board.post.jobs) == 2)
    board.sights.put(None)


def test_nothing_runs_where_nobody_wants_notices_or_none_can_be_sent(tmp_path: Path) -> None:
    board = Board(tmp_path)
    board.notices.start()
    assert not board.runs
    assert not board.wants(replace(ADA, phone="cy"))  # who holds no seat
    assert not board.runs
    board.notices.offer()
    board.wants()
    again = Board(tmp_path)
    again.notices.start()
    assert again.runs
    lacking = Board(tmp_path, lacks="install the extra")
    lacking.notices.start()
    assert not lacking.runs
    assert lacking.notices.offer() == ("", "install the extra")
    with pytest.raises(Refused, match="install the extra"):
        lacking.wants()
    for each in (board, again):
        each.sights.put(None)


def test_where_no_key_could_be_made_that_is_said(tmp_path: Path) -> None:
    board = Board(tmp_path)
    board.post.made = Keys()
    assert board.notices.offer() == ("", "The board could not make its key for notices; its log says why.")


# ---- the way to push services -----------------------------------------------------------------------------


def test_what_sends_may_be_missing_and_cannot_be_started(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(post, "NEEDS", "no_such_library")
    assert "installs the extra 'push'" in missing()
    assert Post(("/nowhere/python",)).do(Job()) is None
    assert caplog.messages == ["no notice can be sent: No such file or directory"]
    assert Post(("/nowhere/python",)).keys() == Keys()


def test_a_post_that_was_closed_takes_no_more_and_ends_what_it_is_at() -> None:
    hangs = Post((sys.executable, "-c", "import time; time.sleep(60)"))
    found: list[Done | None] = []
    doing = threading.Thread(target=lambda: found.append(hangs.do(Job(KEYS))))
    doing.start()
    until(lambda: hangs._process is not None)
    hangs.close()
    doing.join(10)
    assert found == [None]
    assert hangs.do(Job(KEYS)) is None
    Post().close()  # it never began


def answer(status: int, retry_after: str = "", text: str = "why") -> Became:
    headers = {"Retry-After": retry_after} if retry_after else {}
    return push._answered(SimpleNamespace(status_code=status, text=text, headers=headers))


def test_what_an_answer_means() -> None:
    meant = {404: "gone", 410: "gone", 429: "later", 499: "refused", 500: "later", 503: "later", 400: "refused"}
    assert {status: answer(status).what for status in meant} == meant
    assert answer(404).why == "404 why"
    assert len(answer(400, text="x" * 1000).why) == len("400 ") + 200
    assert answer(503).after_s is None
    assert answer(503, "120").after_s == 120
    assert answer(503, "-5").after_s == 0
    assert answer(503, "soon").after_s is None
    assert answer(429, email.utils.formatdate(time.time() + 120, usegmt=True)).after_s == pytest.approx(120, abs=3)
    assert answer(429, email.utils.formatdate(time.time() - 120, usegmt=True)).after_s == 0


def test_what_silence_means() -> None:
    """What was never sent may be sent again; of what may have come nobody knows."""
    unreached = requests.ConnectionError(SimpleNamespace(reason=NewConnectionError(None, "refused")))
    for wrong, what in (
        (requests.ConnectTimeout(), "later"),
        (requests.exceptions.SSLError(), "later"),
        (unreached, "later"),
        (requests.ConnectionError("cut"), "unknown"),
        (requests.ReadTimeout(), "unknown"),
        (requests.TooManyRedirects(), "refused"),
    ):
        assert push._failed(wrong).what == what, wrong
    assert push._short(ValueError("x" * 1000)) == f"ValueError: {'x' * 188}"


def test_keys_are_a_number_and_a_point_of_the_curve() -> None:
    made = push.done(Job()).keys
    assert (len(made.private), len(made.public)) == (43, 87)  # 32 and 65 bytes in base64url
    assert made != push.done(Job()).keys


def test_who_looks_at_the_page_of_the_turn_is_not_written_to(tmp_path: Path) -> None:
    board = Board(tmp_path)
    board.notices.offer()
    board.wants(ADA)
    board.wants(BO)
    board.sights.put(replace(TURN, version=4, seat=0))
    board.notices.seen("ada", TURN.version)
    board.sights.put(TURN)
    until(lambda: board.post.jobs)
    assert [letter.endpoint for letter in board.post.jobs[0].letters] == [BO.endpoint]
    board.sights.put(None)


def test_of_a_job_that_ended_nobody_knows_how_nothing_is_said_and_it_is_not_sent_twice(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Lost(Noting):
        def do(self, job: Job) -> Done | None:
            super().do(job)
            return None

    board = Board(tmp_path, Lost())
    board.notices.offer()
    board.wants(ADA)
    board.sights.put(TURN)
    until(lambda: board.post.jobs)
    board.wants(BO)
    board.sights.put(replace(TURN, version=6))
    until(lambda: len(board.post.jobs) == 2)
    assert [letter.endpoint for letter in board.post.jobs[1].letters] == [BO.endpoint]
    assert caplog.messages == []
    board.sights.put(None)


# ---- the process that sends -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("response", "what"),
    [(SimpleNamespace(status_code=410, text="Gone", headers={}), "gone"),
     (SimpleNamespace(status_code=503, text="", headers={}), "later"), (None, "refused")],
)  # fmt: skip
def test_what_a_push_service_answers_to_a_letter_is_understood(
    monkeypatch: pytest.MonkeyPatch, response: object, what: str
) -> None:
    def webpush(*_: object, **__: object) -> None:
        raise pywebpush.WebPushException("no", response=response)

    monkeypatch.setattr(pywebpush, "webpush", webpush)
    letter = Letter(ADA.endpoint, ADA.p256dh, ADA.auth, "text")
    (became,) = push.done(Job(KEYS, "mailto:x@y.example", (letter,))).became
    assert became.what == what


def test_a_letter_is_sealed_for_its_browser_padded_and_goes_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    monkeypatch.setattr(pywebpush, "webpush", lambda *given, **more: sent.append((given, more)))
    letter = Letter(ADA.endpoint, ADA.p256dh, ADA.auth, "short")
    (became,) = push.done(Job(KEYS, "mailto:x@y.example", (letter,), 3.0)).became
    assert became == Became("sent")
    ((told, text), more) = sent[0]
    assert told == {"endpoint": ADA.endpoint, "keys": {"p256dh": "point", "auth": "auth"}}
    assert (text.strip(), len(text)) == (b"short", 512)
    assert (more["ttl"], more["timeout"]) == (7 * 24 * 3600, (10.0, 3.0))
    assert (more["vapid_private_key"], more["vapid_claims"]) == ("number", {"sub": "mailto:x@y.example"})
    assert more["requests_session"].max_redirects == 0


def test_a_job_comes_in_and_what_became_of_it_goes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    limited: list[object] = []
    given, told = io.BytesIO(msgspec.json.encode(Job())), io.BytesIO()
    monkeypatch.setattr(push, "limit", limited.append)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=given))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=told))
    push.main()
    done = msgspec.json.decode(told.getvalue(), type=Done)
    assert len(done.keys.private) == 43
    assert done.became == ()
    assert limited == [push.LIMITS]
