"""Certificates as they are made and read: each in this process, where the board has one of its own for them."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

from controller.https import papers
from controller.https.certify import AUTHORITY_BEGINS, done
from controller.https.jobs import Issue, LookAtPem, MadeCertificate, MakeAuthority, Wrong
from controller.https.papers import PapersApart
from controller.https.secure_pages import NETWORKS, Paper, SecurePages, ServedAt
from controller.limited_process import ProcessEnd
from controller.refused import Refused
from tests.https.papers_brought import NAME, NOW, Issuer, fresh_key, pem_of, weak_key

NOW_S = int(NOW.timestamp())
DAY_S = 86_400
ENDS = NOW_S + 3650 * DAY_S
ASKED = MakeAuthority("Beaconboard", ("board.local", "board"), ("192.168.0.0/16", "fe80::/10"), ENDS)

Bring = Callable[[Issuer], str]


@pytest.fixture(scope="module")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture(scope="module")
def authority() -> MadeCertificate:
    return done(ASKED)


def certificates(made: MadeCertificate) -> list[x509.Certificate]:
    return x509.load_pem_x509_certificates(made.pem.encode())


def usage(of: x509.Certificate) -> tuple[bool, bool, bool]:
    """Return whether it may sign certificates, lists of revoked ones, and what is said; it may do nothing else."""
    told = of.extensions.get_extension_for_class(x509.KeyUsage)
    value = told.value
    assert told.critical
    others = (value.content_commitment, value.key_encipherment, value.data_encipherment, value.key_agreement)
    assert not any(others)
    return value.key_cert_sign, value.crl_sign, value.digital_signature


# ---- made ----


def test_what_phones_trust_may_have_one_below_it_which_has_none_and_both_are_bounded(
    authority: MadeCertificate,
) -> None:
    below, trusted = certificates(authority)
    bounds = x509.NameConstraints(
        [x509.DNSName("board.local"), x509.DNSName("board"), *(
            x509.IPAddress(ipaddress.ip_network(each)) for each in ASKED.networks
        )], None,
    )  # fmt: skip
    for each, length in ((trusted, 1), (below, 0)):
        basic = each.extensions.get_extension_for_class(x509.BasicConstraints)
        assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, length)
        named = each.extensions.get_extension_for_class(x509.NameConstraints)
        assert (named.critical, named.value) == (True, bounds)
        assert usage(each) == (True, True, False)
        assert (each.not_valid_before_utc, int(each.not_valid_after_utc.timestamp())) == (AUTHORITY_BEGINS, ENDS)
        each.verify_directly_issued_by(trusted)
    assert authority.der == trusted.public_bytes(Encoding.DER)
    assert (authority.wrong, authority.begins, authority.ends) == ("", int(AUTHORITY_BEGINS.timestamp()), ENDS)


def test_a_certificate_of_the_board_is_for_its_pages_alone_and_led_to_by_its_authority(
    authority: MadeCertificate,
) -> None:
    made = done(Issue(authority.pem, ("board.local",), ("192.168.7.9", "fe80::1"), NOW_S - DAY_S, NOW_S + 9 * DAY_S))
    own, above = certificates(made)
    own.verify_directly_issued_by(above)
    assert above == certificates(authority)[0]
    basic = own.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (basic.critical, basic.value.ca) == (True, False)
    assert usage(own) == (False, False, True)
    uses = own.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
    assert list(uses.value) == [x509.ExtendedKeyUsageOID.SERVER_AUTH]
    assert (made.names, made.begins, made.ends) == (
        ("board.local", "192.168.7.9", "fe80::1"), NOW_S - DAY_S, NOW_S + 9 * DAY_S,
    )  # fmt: skip
    key = load_pem_private_key(made.pem.encode(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    assert key.public_key() == own.public_key()


def test_what_must_be_understood_is_marked_so_and_nothing_else_which_devices_would_stumble_over(
    authority: MadeCertificate,
) -> None:
    """RFC 5280, 4.2.1: identifiers of keys are never critical, and names are not where there is a subject."""
    own, issuer = certificates(done(Issue(authority.pem, ("board.local",), (), NOW_S, NOW_S + DAY_S)))
    always = {x509.BasicConstraints, x509.KeyUsage}
    for each, due in ((own, always), *((each, always | {x509.NameConstraints}) for each in certificates(authority))):
        assert {type(found.value) for found in each.extensions if found.critical} == due
    key = own.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value.key_identifier
    assert key == issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest


def test_the_longest_name_that_a_machine_can_have_is_cut_in_the_title_alone(authority: MadeCertificate) -> None:
    """A label has 63 letters at most (RFC 1035), a title 64 (RFC 5280, ub-common-name)."""
    name = f"{'b' * 63}.local"
    made = done(Issue(authority.pem, (name,), (), NOW_S, NOW_S + DAY_S))
    (title,) = certificates(made)[0].subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    assert (title.value, made.names) == (name[:64], (name,))


def test_none_outlives_its_authority_and_one_of_addresses_alone_is_named_after_the_first(
    authority: MadeCertificate,
) -> None:
    made = done(Issue(authority.pem, (), ("192.168.7.9",), NOW_S, ENDS + DAY_S))
    assert made.ends == ENDS
    (title,) = certificates(made)[0].subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    assert title.value == "192.168.7.9"


# ---- brought ----


def good(issuer: Issuer) -> str:
    key = fresh_key()
    return issuer.certificate(key) + issuer.between + pem_of(key)


def of(key: object, names: tuple[str, ...] = (NAME,), days: int = 90, begins: int = -1, mail: bool = False) -> Bring:
    use = x509.ExtendedKeyUsageOID.EMAIL_PROTECTION if mail else x509.ExtendedKeyUsageOID.SERVER_AUTH
    at = NOW + timedelta(days=begins)
    return lambda issuer: issuer.certificate(key, names, at, days, use) + issuer.between + pem_of(key)


def looked(pem: str, now: datetime = NOW) -> MadeCertificate:
    return done(LookAtPem(pem, int(now.timestamp())))


@pytest.mark.parametrize(
    ("wrong", "bring"),
    [
        ("no key", lambda issuer: issuer.between),
        ("no certificate", lambda issuer: pem_of(fresh_key())),
        ("apart", lambda issuer: issuer.certificate(fresh_key()) + pem_of(fresh_key())),
        ("locked key", lambda issuer: issuer.between + pem_of(fresh_key(), "secret")),
        ("weak key", of(weak_key())),
        ("weak key", of(fresh_key(ec.SECP521R1()))),
        ("weak key", lambda issuer: issuer.between + pem_of(ed25519.Ed25519PrivateKey.generate())),
        ("no names", of(fresh_key(), names=())),
        ("purpose", of(fresh_key(), mail=True)),
        ("unreadable", lambda issuer: good(issuer).replace("MII", "MIX", 1)),
        ("unreadable", lambda issuer: good(issuer).replace("MIG", "MIX", 1)),
        ("unreadable", lambda issuer: issuer.between * 7 + good(issuer)),
    ],
)
def test_what_cannot_be_served_is_told_by_what_is_wrong_with_it(issuer: Issuer, wrong: Wrong, bring: Bring) -> None:
    made = looked(bring(issuer))
    assert (made.wrong, made.pem) == (wrong, "")


@pytest.mark.parametrize("key", [fresh_key(), fresh_key(ec.SECP384R1()), rsa.generate_private_key(65537, 2048)])
def test_keys_that_every_browser_takes_are_taken(issuer: Issuer, key: object) -> None:
    made = looked(of(key)(issuer))
    assert (made.wrong, made.names) == ("", (NAME,))
    assert load_pem_private_key(made.pem.encode(), None)


def test_it_counts_from_its_first_second_to_before_its_last(issuer: Issuer) -> None:
    pem = of(fresh_key(), begins=0, days=10)(issuer)
    ends, second = NOW + timedelta(days=10), timedelta(seconds=1)
    for now, wrong in ((NOW - second, "early"), (NOW, ""), (ends - second, ""), (ends, "late")):
        made = looked(pem, now)
        assert made.wrong == wrong, now
        assert (made.begins, made.ends) == (NOW_S, NOW_S + 10 * DAY_S)


def test_what_leads_to_its_authority_is_served_in_order_and_what_does_not_is_left_out(issuer: Issuer) -> None:
    key = fresh_key()
    own, stranger = issuer.certificate(key), Issuer().between.replace("\n", "\r\n")
    made = looked(issuer.root + stranger + pem_of(key) + issuer.between * 5 + own)
    names = [each.subject.rfc4514_string() for each in certificates(made)]
    assert names == [f"CN={NAME}", "CN=between", "CN=root"]


# ---- around it ----


def pages(folder: Path, names: tuple[str, ...], apart: PapersApart) -> SecurePages:
    place = ServedAt("127.0.0.1", 0, names, lambda: ("192.168.7.9",), networks=NETWORKS)
    return SecurePages(folder, place, apart, lambda _: pytest.fail("nobody listens"), now=lambda: NOW)


class Here(PapersApart):
    """What does it in this process."""

    def __call__(self, job: MakeAuthority | Issue | LookAtPem) -> MadeCertificate:
        return done(job)


def test_an_authority_is_called_by_the_name_that_others_find_the_board_by(tmp_path: Path) -> None:
    for names, told in ((("board", "board.local"), "board.local"), (("board",), "board")):
        secure = pages(tmp_path / told, names, Here())
        secure.switch_on()
        found = x509.load_der_x509_certificate(secure.authority())
        (title,) = found.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
        assert title.value == f"Beaconboard {told} {NOW:%Y-%m-%d}"
        secure.look()
        assert secure.report()["wrong"] == ""
        secure.close()


def test_a_card_that_takes_nothing_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "https").write_text("a file, where the folder would be")
    with pytest.raises(Refused, match=r"^The certificate cannot be saved \(File exists\): make room on the card\.$"):
        pages(tmp_path / "https", ("board.local",), Here()).switch_on()


def test_what_is_told_of_it_begins_with_what_is_served_now(tmp_path: Path, issuer: Issuer) -> None:
    secure = pages(tmp_path / "https", ("board.local",), Here())
    assert (secure.report()["on"], secure.report()["given"], secure.report()["ends"], secure.port) == (
        False,
        False,
        "",
        0,
    )
    secure.switch_on()
    assert (tmp_path / "https").stat().st_mode & 0o777 == 0o700
    assert secure.report()["ends"] == f"{NOW + timedelta(days=120):%Y-%m-%d}"
    secure.give(of(fresh_key(), days=31)(issuer))
    assert (secure.report()["given"], secure.report()["ends"]) == (True, f"{NOW + timedelta(days=30):%Y-%m-%d}")
    secure.switch_off()
    assert (secure.report()["on"], secure.report()["ends"]) == (False, "")
    secure.close()


def test_a_board_of_another_name_makes_no_certificate_that_nobody_would_trust(tmp_path: Path) -> None:
    secure = pages(tmp_path, ("board.local",), Here())
    secure.switch_on()
    secure.close()
    before = (tmp_path / "board.pem").read_bytes()
    place = ServedAt("127.0.0.1", 0, ("other.local",), tuple, networks=NETWORKS)
    other = SecurePages(tmp_path, place, Here(), lambda _: pytest.fail("nobody listens"), now=lambda: NOW)
    other._chosen = msgspec.structs.replace(other._chosen, board=Paper())
    other.look()
    assert other.report()["wrong"].startswith("The board has another name than when its authority was made")
    assert (tmp_path / "board.pem").read_bytes() == before
    other.close()


def test_what_is_being_done_ends_when_the_board_does(monkeypatch: pytest.MonkeyPatch) -> None:
    apart, wanted = PapersApart(), list[bool]()

    def running(*given: Any) -> ProcessEnd:
        gone = given[-1]
        wanted.append(not gone())
        apart.close()
        wanted.append(not gone())
        return ProcessEnd(b"", -9, "waits", b"", 0)

    monkeypatch.setattr(papers, "run", running)
    assert apart(ASKED).wrong == "failed"
    assert wanted == [True, False]


def test_the_last_day_is_no_end_yet(tmp_path: Path, issuer: Issuer) -> None:
    clock = [NOW]
    place = ServedAt("127.0.0.1", 0, ("board.local",), tuple, networks=NETWORKS)
    told: list[str] = []
    secure = SecurePages(
        tmp_path, place, Here(), lambda _: pytest.fail("nobody listens"), told.append, lambda: clock[0]
    )
    secure.give(of(fresh_key(), begins=0, days=30)(issuer))
    for days, said in ((16, ""), (16.5, "ends in 13 days"), (29.5, "ends in 0 days"), (30.5, "has ended")):
        clock[0] = NOW + timedelta(days=days)
        secure.look()
        assert said in secure.report()["wrong"]
        assert bool(secure.report()["wrong"]) == bool(said)
    secure.close()
