"""What systemd is told, how a program becomes a fresh one, and how it notices that its panel is silent."""

from __future__ import annotations

import os
import socket
import sys
import threading
from pathlib import Path

import pytest

from controller.app import supervisor
from controller.app.supervisor import felt, notify, start_again
from tests.waiting import until
from web_panel.serving import pulse


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_hears_at_a_file_or_at_a_name_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abstract: bool
) -> None:
    """As sd_notify(3) has it: where the name begins with @, a zero byte stands in the address for that."""
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{path}" if abstract else path)
        systemd.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{path}" if abstract else path)
        notify("READY=1")
        assert systemd.recv(100) == b"READY=1"


def test_where_nobody_listens_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    notify("WATCHDOG=1")
    monkeypatch.delenv("NOTIFY_SOCKET")
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("opened a line"))
    notify("WATCHDOG=1")


def test_the_same_program_is_started_again_with_all_that_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(os, "execv", lambda path, words: started.append((path, words)))
    monkeypatch.setattr(sys, "orig_argv", ["python3", "-X", "utf8", "-m", "controller", "play", "--port", "80"])
    start_again()
    assert started == [(sys.executable, [sys.executable, "-X", "utf8", "-m", "controller", "play", "--port", "80"])]


def test_the_pulse_of_a_panel_is_felt_until_the_program_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(supervisor, "answers_page", lambda where: not asked.append(where))
    monkeypatch.setattr(pulse, "EVERY_S", 0.001)
    before, ended = set(threading.enumerate()), threading.Event()
    found = felt(("127.0.0.1", 8000), ended)
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon  # a page that hangs keeps no program from its end
    until(lambda: asked)
    ended.set()
    thread.join(5)
    assert not thread.is_alive()
    assert (set(asked), found.answers) == ({("127.0.0.1", 8000)}, True)
