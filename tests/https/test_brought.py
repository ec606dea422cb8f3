"""A certificate that an owner brings: looked through before it is served, and each wrong thing one sentence."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from controller.refused import Refused
from tests.https.papers_brought import NAME, NOW, Issuer, fresh_key, pem_of, weak_key
from tests.https.served import BOARD, Served


@pytest.fixture(scope="module")
def issuer() -> Issuer:
    return Issuer()


def trusting(issuer: Issuer) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.load_verify_locations(cadata=issuer.root)
    return made


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_it_is_served_at_once_with_what_leads_to_its_authority_in_whatever_order_it_came(
    board: Served, issuer: Issuer, order: tuple[int, ...]
) -> None:
    key = fresh_key()
    parts = (issuer.certificate(key), issuer.between, pem_of(key))
    board.secure.give("\n".join(parts[each] for each in order))
    assert board.greeted(trusting(issuer), NAME)
    assert board.secure.report()["given"]
    assert board.ask("/api/board", host=NAME).status == 200
    assert board.ask("/api/board", host="evil.example").status == 421
    assert board.ask("/api/board", host=NAME, https=False).status == 421


def test_it_takes_the_place_of_the_boards_own_and_back(board: Served, issuer: Issuer) -> None:
    board.secure.switch_on()
    key = rsa.generate_private_key(65537, 2048)
    board.secure.give(issuer.certificate(key, ("*.board.example",)) + issuer.between + pem_of(key))
    assert board.greeted(trusting(issuer), "blue.board.example")
    assert board.ask("/api/board", host="blue.board.example").status == 200
    assert board.ask("/api/board", host="very.blue.board.example").status == 421
    board.secure.switch_on()
    assert board.greeted(board.trusting(), BOARD)


Bring = Callable[[Issuer], str]


def of(key: object, more: str = "", **other: object) -> Bring:
    return lambda issuer: issuer.certificate(key, **other) + (more or pem_of(key))  # type: ignore[arg-type]


WRONG: dict[str, tuple[Bring, str]] = {
    "nothing": (lambda issuer: "", "There is no key in these files"),
    "a photo": (lambda issuer: "\ufffd\ufffdJFIF" * 999, "There is no key in these files"),
    "no key": (lambda issuer: issuer.certificate(fresh_key()), "There is no key in these files"),
    "a key alone": (lambda issuer: pem_of(fresh_key()), "There is no certificate in these files"),
    "the key of another": (of(fresh_key(), pem_of(fresh_key())), "do not belong together"),
    "a locked key": (lambda issuer: issuer.between + pem_of(fresh_key(), "secret"), "The key has a password"),
    "a weak key": (of(weak_key()), "of a kind that phones refuse"),
    "an odd curve": (of(fresh_key(ec.SECP521R1())), "of a kind that phones refuse"),
    "a key for nothing": (
        lambda issuer: issuer.between + pem_of(ed25519.Ed25519PrivateKey.generate()), "of a kind that phones refuse"
    ),
    "expired": (of(fresh_key(), begins=NOW - timedelta(days=90), days=89), "The certificate ended on 20"),
    "too early": (of(fresh_key(), begins=NOW + timedelta(days=2)), "counts only from 20"),
    "no names": (of(fresh_key(), names=()), "names no address"),
    "for mail": (of(fresh_key(), use=x509.ExtendedKeyUsageOID.EMAIL_PROTECTION), "not for web pages"),
    "damaged": (
        lambda issuer: issuer.between.replace("MII", "MIX", 1) + pem_of(fresh_key()), "These files cannot be read"
    ),
    "a damaged key": (
        lambda issuer: issuer.between + pem_of(fresh_key()).replace("MIG", "MIX", 1), "These files cannot be read"
    ),
    "a chain without end": (lambda issuer: issuer.between * 9 + pem_of(fresh_key()), "These files cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_each_wrong_thing_is_one_sentence_and_what_was_served_is_served_still(
    board: Served, issuer: Issuer, what: str
) -> None:
    board.secure.switch_on()
    bring, sentence = WRONG[what]
    with pytest.raises(Refused, match=sentence) as refused:
        board.secure.give(bring(issuer))
    assert str(refused.value).count(". ") == 0
    assert board.greeted(board.trusting())
    assert not (board.folder / "https" / "given.pem").exists()


def test_an_authority_that_signs_itself_round_and_round_ends(board: Served, issuer: Issuer) -> None:
    key = fresh_key()
    board.secure.give(issuer.certificate(key) + issuer.between + issuer.root + issuer.between + pem_of(key))
    assert board.greeted(trusting(issuer), NAME)


def test_ten_megabytes_are_refused_before_they_are_read(secured: Served) -> None:
    for https in (False, True):
        cookie = secured.joined(https=https)
        with suppress(OSError):  # the board hangs up in the midst of them
            assert secured.ask("/api/secure/bring", {"pem": "x" * 10_000_000}, https=https, cookie=cookie).status == 413
        assert secured.ask("/api/secure/bring", {"pem": "x" * 100_000}, https=https, cookie=cookie).status == 413
    answer = secured.ask("/api/secure/bring", {"pem": "x" * 50_000}, cookie=cookie)
    assert answer.status == 400


def test_the_owner_hears_before_it_ends_and_pages_by_http_go_on(board: Served, issuer: Issuer) -> None:
    key = fresh_key()
    board.secure.give(issuer.certificate(key) + issuer.between + pem_of(key))
    for days, told in ((70, None), (80, "ends in 9 days: bring a new one"), (90, "has ended: bring a new one")):
        board.told.clear()
        board.clock = NOW + timedelta(days=days)
        board.secure.look()
        assert board.told == [] if told is None else told in board.told[0]
    board.secure.look()
    assert len(board.told) == 1  # once
    assert board.ask("/api/board", https=False).status == 200
