"""What is written to a push service, and how its answers are understood: by the process that sends, as it runs."""

from __future__ import annotations

import email.utils
import time

import msgspec
import pytest
from cryptography.exceptions import InvalidTag

from controller.notices.letters import Became, Job, Keys, Letter
from controller.notices.post import Post, missing
from tests.afar.brokers import free_port
from tests.notices.push_service import Browser, PushService, written

pytestmark = pytest.mark.realtime  # a push service, and the process that writes to it

TEXT = '{"title":"Du bist am Zug","body":"Gezeiten des Krieges"}'
CONTACT = "https://board.example"


@pytest.fixture(scope="module")
def keys() -> Keys:
    return Post().keys()


def letter(browser: Browser) -> Letter:
    told = browser.subscription
    return Letter(told["endpoint"], told["keys"]["p256dh"], told["keys"]["auth"], TEXT)


def became(keys: Keys, *letters: Letter, answer_s: float = 10.0) -> tuple[Became, ...]:
    done = Post().do(Job(keys, CONTACT, letters, answer_s))
    assert done is not None
    return done.became


def test_the_extra_is_there() -> None:
    assert missing() == ""


def test_what_is_sent_can_be_read_by_the_browser_alone_and_its_length_tells_nothing(
    service: PushService, keys: Keys
) -> None:
    browser, other = service.browser(keys.public), service.browser(keys.public)
    short = msgspec.structs.replace(letter(other), text='{"title":"x"}')
    assert [each.what for each in became(keys, letter(browser), short)] == ["sent", "sent"]
    assert browser.read == [{"title": "Du bist am Zug", "body": "Gezeiten des Krieges"}]
    assert b"Gezeiten" not in browser.sealed[0]
    assert len(browser.sealed[0]) == len(other.sealed[0])
    with pytest.raises(InvalidTag):
        other.opened(browser.sealed[0])
    assert {name: browser.asked[0][name] for name in ("topic", "urgency")} == {"topic": "turn", "urgency": "normal"}


ANSWERS = {
    200: "sent", 202: "sent", 301: "refused", 307: "refused", 400: "refused", 403: "refused", 404: "gone", 410: "gone",
    413: "refused", 429: "later", 500: "later", 503: "later",
}  # fmt: skip


def test_each_answer_is_understood_and_none_leads_elsewhere(service: PushService, keys: Keys) -> None:
    browsers = [service.browser(keys.public) for _ in ANSWERS]
    for browser, status in zip(browsers, ANSWERS, strict=True):
        browser.status, browser.headers = status, {"Location": f"{service.origin}/push/elsewhere"}
    found = became(keys, *map(letter, browsers))
    assert [each.what for each in found] == list(ANSWERS.values())
    assert [str(status) in each.why for status, each in zip(ANSWERS, found, strict=True)] == [
        status >= 400 for status in ANSWERS
    ]
    assert [len(browser.read) for browser in browsers] == [1] * len(ANSWERS)


def test_when_to_come_again_may_be_seconds_a_date_or_nonsense(service: PushService, keys: Keys) -> None:
    browsers = [service.browser(keys.public) for _ in range(3)]
    given = ("120", email.utils.formatdate(time.time() + 120, usegmt=True), "soon")
    for browser, after in zip(browsers, given, strict=True):
        browser.status, browser.headers = 429, {"Retry-After": after}
    number, date, nonsense = became(keys, *map(letter, browsers))
    assert (number.after_s, nonsense.after_s) == (120.0, None)
    assert 90 < (date.after_s or 0) <= 120


def test_a_service_that_hangs_is_not_waited_for_and_the_others_get_theirs(service: PushService, keys: Keys) -> None:
    hangs, works = service.browser(keys.public), service.browser(keys.public)
    hangs.hangs = True
    began_s = time.monotonic()
    assert [each.what for each in became(keys, letter(hangs), letter(works), answer_s=0.5)] == ["unknown", "sent"]
    assert time.monotonic() - began_s < 5
    assert len(works.read) == 1


def test_a_job_takes_only_so_long(service: PushService, keys: Keys) -> None:
    browser = service.browser(keys.public)
    browser.hangs = True
    began_s = time.monotonic()
    assert Post(limit_s=1.5).do(Job(keys, CONTACT, (letter(browser),), answer_s=60)) is None
    assert time.monotonic() - began_s < 5


def test_what_was_never_sent_may_be_sent_again(keys: Keys) -> None:
    browser = Browser(f"https://localhost:{free_port()}", "nobody", keys.public)
    nowhere = Browser("https://nobody.invalid", "nobody", keys.public)
    assert [each.what for each in became(keys, letter(browser), letter(nowhere))] == ["later", "later"]


def test_a_service_with_a_certificate_that_nobody_vouches_for_gets_nothing(
    service: PushService, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    browser = service.browser(keys.public)
    assert [each.what for each in became(keys, letter(browser))] == ["later"]
    assert browser.read == []


def test_keys_that_are_none_are_refused_and_the_others_get_theirs(service: PushService, keys: Keys) -> None:
    browser = service.browser(keys.public)
    off_the_curve = Letter(browser.endpoint, written(b"\4" + b"\1" * 64), written(b"\1" * 16), TEXT)
    assert [each.what for each in became(keys, off_the_curve, letter(browser))] == ["refused", "sent"]


def test_a_process_that_fails_says_nothing_of_the_keys(keys: Keys, caplog: pytest.LogCaptureFixture) -> None:
    assert Post(("/bin/sh", "-c", "cat >/dev/null; echo broken >&2; exit 3")).do(Job(keys)) is None
    assert "ended with 3: broken" in caplog.text
    assert Post(("/nowhere/at/all",)).do(Job(keys)) is None
    assert keys.private not in caplog.text
    closed = Post()
    closed.close()
    assert closed.keys() == Keys()
