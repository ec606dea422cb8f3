"""A certificate over the years: when it is made anew, for whom, how often it is served, and what is said meanwhile.

The clock, the front and who makes certificates are the test's own; `test_secure_pages.py` has real ones.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.https import secure_pages
from controller.https.jobs import Issue, LookAtPem, MadeCertificate, MakeAuthority, Wrong
from controller.https.papers import PapersApart
from controller.https.secure_pages import SecurePages, ServedAt
from controller.refused import Refused
from tests.waiting import Pauses

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
NAME, HOME = "board.local", "192.168.1.20"


def s(time: datetime) -> int:
    return int(time.timestamp())


class Front:
    """What listens: a `controller.https.secure_pages.Front`, which notes with what it was opened."""

    def __init__(self) -> None:
        self.port, self.opened, self.fails = 0, list[str](), list[OSError]()

    def open(self, host: str, port: int, greeting: Any) -> None:
        if self.fails:
            raise self.fails.pop()
        assert (host, port) == ("0.0.0.0", 8443)
        self.port = port
        self.opened.append(greeting)

    def close(self) -> None:
        self.port = 0
        self.opened.append("closed")


class Papers(PapersApart):
    """Makes certificates that only say for whom they are, and notes what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[MakeAuthority | Issue | LookAtPem] = []
        self.wrong: Wrong = ""

    def __call__(self, job: MakeAuthority | Issue | LookAtPem) -> MadeCertificate:
        self.asked.append(job)
        if self.wrong:
            return MadeCertificate(self.wrong, begins=s(NOW), ends=s(NOW + timedelta(days=9)))
        if isinstance(job, MakeAuthority):
            return MadeCertificate("", "authority", b"der", begins=0, ends=job.ends)
        if isinstance(job, LookAtPem):
            return MadeCertificate("", job.pem, b"", ("bank.example",), s(NOW), s(NOW + timedelta(days=90)))
        return MadeCertificate(
            "", f"number {len(self.issued)}", b"", (*job.names, *job.addresses), job.begins, job.ends
        )

    @property
    def issued(self) -> list[Issue]:
        return [job for job in self.asked if isinstance(job, Issue)]


class Board:
    """A board by https, in a home whose addresses and days a test moves."""

    def __init__(self, folder: Path, names: tuple[str, ...] = (NAME, "board"), hindrance: str = "") -> None:
        self.folder, self.now = folder / "https", NOW
        self.addresses: tuple[str, ...] = (HOME,)
        self.papers, self.front, self.told = Papers(), Front(), list[str]()
        place = ServedAt("0.0.0.0", 8443, names, lambda: self.addresses, hindrance)
        written: Any = Path.read_text  # what a greeting is made of will do for it
        self.secure = SecurePages(self.folder, place, self.papers, written, self.told.append, lambda: self.now)
        self.secure._front = self.front  # as `start` has it, without a thread that looks by itself

    def looked_after(self, **time: float) -> int:
        """Return how many certificates are made at a look so much later."""
        self.now += timedelta(**time)
        before = len(self.papers.issued)
        self.secure.look()
        return len(self.papers.issued) - before


@pytest.fixture(autouse=True)
def watches(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """What would look each minute in threads of their own: here the test looks."""
    begun: list[Callable[[], None]] = []

    def thread(target: Callable[[], None], name: str, daemon: bool) -> Any:
        assert daemon  # a look that hangs keeps no board from its end
        return SimpleNamespace(start=lambda: begun.append(target))

    monkeypatch.setattr(secure_pages, "threading", SimpleNamespace(
        Thread=thread, Lock=threading.Lock, Event=threading.Event
    ))  # fmt: skip
    return begun


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """A board that was switched on today."""
    board = Board(tmp_path)
    board.secure.switch_on()
    assert board.front.opened == ["number 1"]
    return board


# ---- when it is made anew ----


def test_what_is_made_is_for_120_days_and_for_clocks_that_are_a_day_behind(board: Board) -> None:
    authority, issued = board.papers.asked
    assert isinstance(authority, MakeAuthority)
    assert authority.ends == s(NOW + timedelta(days=3650))
    assert isinstance(issued, Issue)
    assert (issued.begins, issued.ends) == (s(NOW - timedelta(days=1)), s(NOW + timedelta(days=120)))
    assert (issued.names, issued.addresses, issued.authority) == ((NAME, "board"), (HOME,), "authority")


def test_sixty_days_before_its_end_it_is_made_anew_and_served_at_once(board: Board) -> None:
    assert board.looked_after(minutes=1) == 0
    assert board.looked_after(days=59) == 0
    assert board.front.opened == ["number 1"]  # phones that are being served notice nothing
    assert board.looked_after(days=1) == 1
    assert board.front.opened == ["number 1", "number 2"]
    assert board.looked_after(minutes=1) == 0
    assert board.front.opened == ["number 1", "number 2"]


def test_a_clock_that_was_set_back_before_its_beginning_has_it_made_anew(board: Board) -> None:
    assert board.looked_after(days=-1) == 0
    assert board.looked_after(seconds=-1) == 1


def test_a_clock_that_is_not_set_makes_one_where_there_is_none_and_renews_nothing(board: Board) -> None:
    assert board.looked_after(days=-3000) == 0
    (board.folder / "board.pem").unlink()
    assert board.looked_after(minutes=1) == 1
    with pytest.raises(Refused, match="does not know what day it is"):
        board.secure.switch_on()


def test_a_file_that_is_gone_is_made_again(board: Board) -> None:
    (board.folder / "board.pem").unlink()
    assert board.looked_after(minutes=1) == 1
    (board.folder / "authority.pem").unlink()
    (board.folder / "board.pem").unlink()
    board.looked_after(minutes=1)
    assert board.told[-1].startswith("The board's authority cannot be read: press")
    board.secure.switch_on()
    assert board.told[-1] == ""
    assert [type(job) for job in board.papers.asked].count(MakeAuthority) == 2


def test_switched_on_again_phones_trust_what_they_trusted_unless_a_new_one_is_wished(board: Board) -> None:
    def authorities() -> int:
        return sum(isinstance(job, MakeAuthority) for job in board.papers.asked)

    board.secure.switch_off()
    assert (board.front.port, board.secure.hosts, board.secure.port) == (0, (), 0)
    board.secure.switch_on()
    assert authorities() == 1
    assert (board.secure.hosts, board.secure.port) == ((NAME, "board", HOME), 8443)
    board.secure.switch_on(anew=True)
    assert authorities() == 2


def test_who_switches_it_off_by_a_page_that_comes_by_https_has_its_answer_first(board: Board) -> None:
    board.secure.switch_off(soon=True)
    assert board.front.port == 8443
    board.secure.look()
    assert board.front.port == 0


def test_what_was_wrong_is_so_no_longer_once_it_is_switched_off(board: Board) -> None:
    board.front.port = 0
    board.front.fails = [OSError(98, "Address already in use")]
    board.looked_after(minutes=1)
    assert board.secure.report()["wrong"]
    board.secure.switch_off(soon=True)
    board.secure.look()
    assert (board.told[-1], board.secure.report()["wrong"], board.front.port) == ("", "", 0)


def test_keys_and_what_was_chosen_are_for_the_services_user_alone(board: Board) -> None:
    board.secure.give("mine")
    assert board.folder.stat().st_mode & 0o777 == 0o700
    files = list(board.folder.iterdir())
    assert {"authority.pem", "board.pem", "chosen.json", "given.pem"} <= {file.name for file in files}
    assert {oct(file.stat().st_mode & 0o7777) for file in files} == {"0o600"}


# ---- for whom it is ----


def test_another_address_is_in_it_within_a_minute_beside_the_last_few(board: Board) -> None:
    for number in range(21, 40):
        board.addresses = (f"192.168.1.{number}",)
        assert board.looked_after(minutes=1) == 1
        assert board.papers.issued[-1].addresses[0] == f"192.168.1.{number}"
    last = board.papers.issued[-1]
    assert (last.names, len(last.names) + len(last.addresses)) == ((NAME, "board"), 10)
    assert last.addresses == tuple(f"192.168.1.{number}" for number in range(39, 31, -1))
    board.addresses = ("192.168.1.35",)
    assert board.looked_after(minutes=1) == 0  # it is in there still
    board.addresses = ()
    assert board.looked_after(minutes=1) == 0


@pytest.mark.parametrize("private", ["10.1.2.3", "172.31.0.9", "192.168.0.1", "169.254.7.7", "fd00::7", "fe80::7"])
def test_home_addresses_are_certified_and_no_others(board: Board, private: str) -> None:
    board.addresses = ("8.8.8.8", private, "172.32.0.1", "2001:db8::1", "no address")
    assert board.looked_after(minutes=1) == 1
    assert board.papers.issued[-1].addresses == (private, HOME)


def test_a_board_that_was_renamed_says_so_and_serves_what_it_has(board: Board, tmp_path: Path) -> None:
    other = Board(tmp_path, names=("other.local", "other"))
    other.secure.look()
    assert other.told == ["The board has another name than when its authority was made: press “Make a new authority”."]
    assert (other.front.opened, other.papers.issued) == (["number 1"], [])
    other.secure.switch_on(anew=True)
    assert other.told[-1] == ""
    assert other.papers.issued[-1].names == ("other.local", "other")


@pytest.mark.parametrize("names", [("board",), ()])
def test_a_board_that_is_found_by_a_short_name_or_by_its_address_alone_is_certified_for_that(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    """A panel of one network is known by its address; that it has no name is not that it has another one."""
    board = Board(tmp_path, names=names)
    board.secure.switch_on()
    board.looked_after(minutes=1)
    (issued,) = board.papers.issued
    assert (issued.names, issued.addresses) == (names, (HOME,))
    assert board.told == [""]


# ---- what is said ----


def test_what_is_wrong_is_said_once_and_that_it_is_over_once(board: Board) -> None:
    board.told.clear()
    board.front.port = 0
    board.front.fails = [OSError(98, "Address already in use")] * 2
    for _ in range(4):
        board.looked_after(minutes=1)
    assert board.told == [
        "Port 8443 cannot be opened for secure pages (Address already in use): choose another with the setting "
        "https_port.",
        "",
    ]
    assert board.secure.report()["wrong"] == ""


def test_a_certificate_that_cannot_be_used_is_told_apart_from_a_port(board: Board) -> None:
    board.front.port = 0
    broken = ssl.SSLError(1, "[SSL] no")
    broken.reason = "KEY_VALUES_MISMATCH"
    board.front.fails = [broken]
    board.looked_after(minutes=1)
    assert board.told[-1] == "The certificate cannot be used (KEY_VALUES_MISMATCH): make a new one."


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("late", "The certificate ended on 2027-03-10: bring a newer one."),
        ("early", "The certificate counts only from 2027-03-01 on: check the board's date."),
        ("apart", "do not belong together"),
        ("failed", "No certificate could be made or read: try again in a minute."),
    ],
)
def test_what_was_brought_in_vain_leaves_what_is_served(board: Board, wrong: Wrong, told: str) -> None:
    board.papers.wrong = wrong
    with pytest.raises(Refused, match=told):
        board.secure.give("mine")
    assert not (board.folder / "given.pem").exists()
    assert board.front.opened == ["number 1"]
    assert board.secure.report()["given"] is False


def test_what_was_brought_is_served_with_its_names_and_the_boards_own_comes_back(board: Board) -> None:
    board.secure.give("mine")
    assert (board.front.opened[-1], board.secure.hosts) == ("mine", ("bank.example",))
    assert board.looked_after(days=76) == 0  # it is for its owner to renew: fourteen days are left
    assert board.told[-1] == ""
    board.looked_after(days=1)
    assert board.told[-1] == "The certificate that was brought ends in 13 days: bring a new one."
    assert board.front.opened == ["number 1", "mine"]
    board.secure.switch_on()
    assert (board.front.opened[-1], board.told[-1]) == ("number 2", "")


def test_where_there_can_be_none_neither_way_makes_one(tmp_path: Path) -> None:
    board = Board(tmp_path, hindrance="A proxy does it.")
    ways: list[Callable[[], None]] = [board.secure.switch_on, lambda: board.secure.give("mine")]
    for way in ways:
        with pytest.raises(Refused, match="A proxy does it"):
            way()
    assert (board.papers.asked, board.folder.exists()) == ([], False)


def test_an_authority_that_cannot_be_read_is_none(board: Board) -> None:
    assert (board.folder / "authority.pem").read_text() == "authority"  # no certificate is in it
    with pytest.raises(Refused, match="has made no authority yet"):
        board.secure.authority()


# ---- who looks ----


def test_a_board_without_https_has_no_thread_for_it_and_one_with_it_one(
    tmp_path: Path, watches: list[Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board(tmp_path)
    board.secure.start(board.front)
    assert watches == []
    board.secure.switch_on()
    board.secure.give("mine")
    assert len(watches) == 1
    again = Board(tmp_path)
    again.secure.start(again.front)
    assert len(watches) == 2
    pauses = Pauses(2)
    monkeypatch.setattr(again.secure, "_closing", pauses)
    watches[1]()
    assert pauses.over
    assert again.front.opened == ["mine"]
    ended = Board(tmp_path)
    ended.secure.close()
    ended.secure.start(ended.front)
    assert len(watches) == 2
