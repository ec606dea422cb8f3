"""https with the board's own certificate: who trusts it, what it may certify, and how it is kept up over the years."""

from __future__ import annotations

import json
import socket
import ssl
import stat
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

from controller.https.jobs import Issue
from controller.https.papers import PapersApart
from controller.https.secure_pages import BOARD_DAYS, NETWORKS, RENEWED_DAYS, SecurePages, ServedAt
from controller.limited_process import Limits
from controller.refused import Refused
from tests.https.papers_brought import NOW
from tests.https.served import BOARD, Served
from web_panel.serving.tls import context


def test_a_phone_that_trusts_the_authority_is_served_and_one_that_does_not_is_warned(secured: Served) -> None:
    names = dict.fromkeys(value for _, value in secured.greeted(secured.trusting())["subjectAltName"])
    assert list(names) == [BOARD, "127.0.0.1"]
    assert secured.greeted(secured.trusting(), "127.0.0.1")
    with pytest.raises(ssl.SSLCertVerificationError, match=r"self.signed|issuer"):
        secured.greeted(ssl.create_default_context())
    with pytest.raises(ssl.SSLCertVerificationError, match=r"not valid for 'other\.local'"):
        secured.greeted(secured.trusting(), "other.local")


def test_http_goes_on_as_it_was_and_nothing_makes_browsers_insist_on_https(secured: Served) -> None:
    for https in (False, True):
        answer = secured.ask("/api/board", https=https)
        assert answer.status == 200
        assert "Strict-Transport-Security" not in answer.headers


@pytest.mark.parametrize("elsewhere", ["bank.example", "8.8.8.8", "other.local", "notbeaconboard.local"])
def test_who_steals_the_authority_can_certify_nothing_but_this_board_and_home_addresses(
    secured: Served, elsewhere: str, tmp_path: Path
) -> None:
    """What is stolen is the only key that there is, and OpenSSL keeps it to its bounds."""
    stolen = (secured.folder / "https" / "authority.pem").read_text()
    address = elsewhere.replace(".", "").isdigit()
    names, addresses = ((), (elsewhere,)) if address else ((elsewhere,), ())
    seconds = int(NOW.timestamp())
    made = PapersApart()(Issue(stolen, names, addresses, seconds - 100, seconds + 86_400 * 90))
    (tmp_path / "evil.pem").write_text(made.pem)
    secured.tls.open("127.0.0.1", 0, context(tmp_path / "evil.pem"))
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        secured.greeted(secured.trusting(), elsewhere)


def test_the_only_key_is_below_what_is_trusted_and_bounded_there_itself(secured: Served) -> None:
    """Some devices do not ask what bounds an authority that they trust: then those of the one below it count."""
    held = (secured.folder / "https" / "authority.pem").read_bytes()
    key = load_pem_private_key(held, None).public_key()
    issuer, trusted = x509.load_pem_x509_certificates(held)
    assert held.count(b"PRIVATE KEY") == 2  # where it begins and ends
    assert issuer.public_key() == key != trusted.public_key()
    assert trusted.public_bytes(Encoding.DER) == secured.secure.authority()
    bounds = issuer.extensions.get_extension_for_class(x509.NameConstraints)
    assert bounds.critical
    assert bounds.value.excluded_subtrees is None
    assert {str(each.value) for each in bounds.value.permitted_subtrees or ()} == {BOARD, *NETWORKS, "127.0.0.0/8"}
    assert secured.shown().issuer == issuer.subject


def test_keys_are_for_the_services_user_alone_and_are_told_nowhere(
    secured: Served, caplog: pytest.LogCaptureFixture
) -> None:
    folder = secured.folder / "https"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert "PRIVATE" in (folder / "authority.pem").read_text()
    told = json.dumps(secured.secure.report()) + caplog.text
    assert "PRIVATE" not in told + secured.ask("/secure", https=False).body.decode()
    for name in ("authority.pem", "board.pem", "chosen.json", "..%2fhttps%2fauthority.pem"):
        assert secured.ask(f"/secure/{name}", https=False).status == 404


def expiry(secured: Served) -> datetime:
    return secured.shown().not_valid_after_utc


def test_the_certificate_is_renewed_long_before_its_end_and_served_at_once(secured: Served) -> None:
    first, authority = expiry(secured), secured.secure.authority()
    assert first == NOW + timedelta(days=BOARD_DAYS)
    assert BOARD_DAYS <= 200
    secured.clock = NOW + timedelta(days=BOARD_DAYS - RENEWED_DAYS - 1)
    secured.secure.look()
    assert expiry(secured) == first
    secured.clock = NOW + timedelta(days=BOARD_DAYS - RENEWED_DAYS)
    secured.secure.look()
    assert expiry(secured) == secured.clock + timedelta(days=BOARD_DAYS)
    assert secured.secure.authority() == authority  # phones have nothing to do


def test_another_address_is_in_the_certificate_within_a_minute_and_lines_go_on(secured: Served) -> None:
    trusting = secured.trusting()
    secured.addresses = ("192.168.7.9", "8.8.8.8")  # one of a home, and one that the authority may not certify
    secured.secure.look()
    assert [value for _, value in secured.greeted(trusting)["subjectAltName"]] == [BOARD, "192.168.7.9", "127.0.0.1"]
    number = secured.shown().serial_number
    for addresses in ((), ("127.0.0.1",), ("192.168.7.9",)):  # a network that comes and goes needs no other certificate
        secured.addresses = addresses
        secured.secure.look()
    assert secured.shown().serial_number == number
    for last in range(20):
        secured.addresses = (f"10.0.0.{last}",)
        secured.secure.look()
    names = [value for _, value in secured.greeted(trusting)["subjectAltName"]]
    assert names == [BOARD, *(f"10.0.0.{last}" for last in range(19, 10, -1))]


def test_it_is_on_again_after_a_restart_with_the_same_certificate(secured: Served, tmp_path: Path) -> None:
    shown = secured.greeted(secured.trusting())["serialNumber"]
    secured.tls.close()
    again = SecurePages(
        secured.folder / "https", secured.secure._place, PapersApart(), context, now=lambda: secured.clock
    )
    again._front = secured.tls
    again.look()
    assert secured.greeted(secured.trusting())["serialNumber"] == shown


def test_switched_off_nothing_listens_and_switched_on_again_phones_still_trust_it(secured: Served) -> None:
    trusting, port = secured.trusting(), secured.tls.port
    secured.secure.switch_off()
    assert secured.tls.port == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 20)
    secured.secure.switch_on()
    assert secured.greeted(trusting)


def test_a_new_authority_is_not_trusted_by_the_old_ones_phones(secured: Served) -> None:
    old, print_ = secured.trusting(), secured.secure.report()["fingerprint"]
    secured.secure.switch_on(anew=True)
    with pytest.raises(ssl.SSLCertVerificationError):
        secured.greeted(old)
    assert secured.greeted(secured.trusting())
    assert secured.secure.report()["fingerprint"] != print_


@pytest.mark.parametrize("year", [1970, 2000, 2025])
def test_a_board_that_does_not_know_the_day_makes_nothing_and_renews_nothing(secured: Served, year: int) -> None:
    shown = secured.greeted(secured.trusting())["serialNumber"]
    secured.clock = datetime(year, 1, 1, tzinfo=UTC)
    with pytest.raises(Refused, match="what day it is"):
        secured.secure.switch_on()
    secured.secure.look()
    assert secured.greeted(secured.trusting())["serialNumber"] == shown


def test_a_board_with_another_name_says_so_and_is_mended_by_a_new_authority(board: Served) -> None:
    board.secure.switch_on()
    board.secure._place = ServedAt("127.0.0.1", 0, ("other.local",), tuple)
    board.secure.look()
    assert board.told[-1].startswith("The board has another name than when its authority was made")
    board.secure.switch_on(anew=True)
    assert board.told[-1] == ""
    assert board.greeted(board.trusting(), "other.local")


def test_a_damaged_key_or_a_taken_port_is_one_sentence(board: Served) -> None:
    board.secure.switch_on()
    board.secure.switch_off()
    folder = board.folder / "https"
    (folder / "authority.pem").write_bytes(b"\xff\x00")
    with pytest.raises(Refused, match="authority cannot be read: press “Make a new authority”"):
        board.secure.switch_on()
    board.secure.switch_on(anew=True)
    board.secure.switch_off()
    board.secure._place = ServedAt("127.0.0.1", board.server.port, (BOARD,), tuple, networks=NETWORKS)
    with pytest.raises(Refused, match=rf"Port {board.server.port} cannot be opened .* https_port"):
        board.secure.switch_on()
    assert board.ask("/api/board", https=False).status == 200


def test_without_the_package_and_without_an_answer_there_is_a_sentence(
    board: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.secure._papers = PapersApart(Limits(megabytes=8))
    with pytest.raises(Refused, match="No certificate could be made"):
        board.secure.switch_on()
    from controller.https import certify

    monkeypatch.setitem(__import__("sys").modules, "cryptography", None)
    assert certify.done(Issue("", (), (), 0, 0)).wrong == "missing"


def test_a_board_that_only_its_own_computer_reaches_says_what_to_do_first(tmp_path: Path) -> None:
    served = Served(tmp_path, "Let phones in first.")
    try:
        with pytest.raises(Refused, match="Let phones in first"):
            served.secure.switch_on()
    finally:
        served.close()


def test_it_is_watched_by_itself(board: Served) -> None:
    board.secure.switch_on()
    board.tls.close()
    board.secure._watching = None
    board.secure.start(board.tls)
    until = time.monotonic() + 20
    while not board.tls.port and time.monotonic() < until:
        time.sleep(0.01)
    assert board.greeted(board.trusting())
