"""Who can reach the panel: what is chosen on the page is kept, and who decides otherwise has the last word."""

from __future__ import annotations

import errno
import os
import re
import socket
from pathlib import Path

import pytest

from controller.app import reach as module
from controller.app.reach import Reach
from controller.refused import Refused
from controller.settings import Settings

WHY = os.strerror(errno.EADDRINUSE)
IN_USE = OSError(errno.EADDRINUSE, WHY)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "reach.json"


def test_at_first_only_this_computer_opens_the_panel(file: Path) -> None:
    reach = Reach(Settings(), file)
    assert (reach.host, reach.open, reach.changeable, reach.unread) == ("127.0.0.1", False, True, "")


def test_what_is_chosen_counts_from_the_next_start_and_is_taken_back(file: Path) -> None:
    before = Reach(Settings(), file)
    before.choose(open=True)
    assert (before.open, before.changing, before.again) == (False, True, False)
    before.start_again()
    assert before.again
    opened = Reach(Settings(), file)
    assert (opened.host, opened.open, opened.changing) == ("0.0.0.0", True, False)
    opened.choose(open=False)
    assert Reach(Settings(), file).host == "127.0.0.1"


@pytest.mark.parametrize(
    ("settings", "given", "told", "cause"),
    [
        (Settings(host="0.0.0.0"), True, "has let phones in", "--host 0.0.0.0"),
        (Settings(), True, "keeps phones out", "--host 127.0.0.1"),
        (Settings(host="localhost"), False, "keeps phones out",
         "The settings file decides who can open the panel: host = localhost."),
        (Settings(panel_address="https://board.example"), False, "by another address", "proxy"),
    ],
)  # fmt: skip
def test_who_decides_otherwise_is_told_in_a_familys_words_and_has_the_last_word(
    file: Path, settings: Settings, given: bool, told: str, cause: str
) -> None:
    Reach(Settings(), file).choose(open=True)
    reach = Reach(settings, file, given)
    assert (reach.host, reach.changeable) == (settings.host, False)
    assert told in reach.told()
    assert not re.search("--|host|settings|proxy", reach.told())  # that is for experts
    assert cause in reach.cause()


def test_a_file_that_cannot_be_read_lets_nobody_in_and_is_told(file: Path) -> None:
    file.write_text('{"open": "yes"}')
    reach = Reach(Settings(), file)
    assert not reach.open
    assert reach.unread


def test_a_choice_that_cannot_be_saved_is_refused(tmp_path: Path) -> None:
    reach = Reach(Settings(), tmp_path / "missing" / "reach.json")
    with pytest.raises(Refused, match="cannot be saved"):
        reach.choose(open=True)
    assert not Reach(Settings(), tmp_path / "reach.json").open


def test_a_port_that_is_taken_in_the_network_alone_closes_the_panel_again_and_is_told(file: Path) -> None:
    with socket.create_server(("127.0.0.2", 0)) as other:
        settings = Settings(port=other.getsockname()[1])
        Reach(settings, file).choose(open=True)
        assert Reach(settings, file).given_up(IN_USE)
        after = Reach(settings, file)
        assert not after.open
        assert f"({WHY}): another program may use port {settings.port}" in after.cause()
        after.choose(open=True)
        assert WHY not in after.cause()


def test_a_port_that_is_taken_everywhere_leaves_the_choice_as_it_is(file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        settings = Settings(port=other.getsockname()[1])
        Reach(settings, file).choose(open=True)
        assert not Reach(settings, file).given_up(IN_USE)
        assert Reach(settings, file).open
    assert not Reach(Settings(), file, host_given=True).given_up(IN_USE)  # nor is it the page's to close


def test_a_panel_that_is_open_to_nobody_has_nothing_to_close(file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        settings = Settings(port=free.getsockname()[1])
    reach = Reach(settings, file)
    assert not reach.given_up(IN_USE)
    assert not file.exists()
    assert reach.cause() == ""


def test_what_cannot_be_kept_does_not_close_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        settings = Settings(port=free.getsockname()[1])
    Reach(settings, file).choose(open=True)
    reach = Reach(settings, file)
    monkeypatch.setattr(os, "replace", lambda *_: os.stat(file.with_name("gone")))
    assert not reach.given_up(IN_USE)
    assert reach.open


def test_a_computer_in_no_network_says_so(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "own_address", lambda: "")
    assert "in no network" in Reach(Settings(), file).told()
    monkeypatch.setattr(module, "own_address", lambda: "192.168.1.20")
    assert Reach(Settings(), file).told() == ""
