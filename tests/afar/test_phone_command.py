"""`beaconboard relay` and `beaconboard play` as programs: a phone far away plays on after either was started again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.afar.brokers import free_port
from tests.afar.relays import far_page, sees
from tests.waiting import until
from tests.web_panel.real_backend import made, write


@contextmanager
def program(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen([sys.executable, "-m", "controller", *words], stdout=subprocess.DEVNULL)
    try:
        yield running
    finally:
        running.kill()
        running.wait(10)


def answers(address: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(address, timeout=2):
        return True
    return False


def there(home: str) -> bool:
    """Whether the phone has been heard since home was started."""
    with urllib.request.urlopen(f"{home}/api/afar", timeout=5) as answer:
        return bool(json.loads(answer.read())["phones"][0]["there"])


def post(address: str, what: dict[str, Any]) -> dict[str, Any]:
    asked = urllib.request.Request(address, json.dumps(what).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return json.loads(answer.read())


@pytest.mark.realtime
def test_a_phone_far_away_plays_on_after_home_and_relay_were_started_again(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    home_port, relay_port = free_port(), free_port()
    home, relay = f"http://127.0.0.1:{home_port}", f"http://127.0.0.1:{relay_port}"
    file = tmp_path / "settings.toml"
    file.write_text(f'afar_broker = "127.0.0.1:{port}"\nafar_relay = "{relay}"\n')
    play = ("play", "--settings", str(file), "--port", str(home_port), "--journal", str(tmp_path / "games.sqlite3"))
    serve = ("relay", "--settings", str(file), "--port", str(relay_port))
    with ExitStack() as held:
        board, line = held.enter_context(program(*play)), held.enter_context(program(*serve))
        until(lambda: answers(home) and answers(relay))
        post(f"{home}/api/order", {"do": "new_game", "game": "tides-of-war"})
        post(f"{home}/api/set_up", {})
        link = post(f"{home}/api/afar/phone", {"seat": 1, "name": "Ada"})["link"]
        assert link.startswith(f"{relay}/#k=")
        (kept,) = (tmp_path / "games.sqlite3.afar").glob("*.phone")
        assert oct(kept.stat().st_mode)[-3:] == "600"
        far = far_page(browser, link)
        sees(far, "Tides of War")
        post(f"{home}/api/order", {"do": "ply", "text": "c3-c4", "seat": 0})
        made(far, 1)

        board.send_signal(signal.SIGKILL)
        board.wait(10)
        held.enter_context(program(*play))
        until(lambda: answers(home))
        until(lambda: there(home))
        expect(far.locator("#plies li")).to_have_count(1)
        write(far, "d4-d3")
        made(far, 2)

        line.send_signal(signal.SIGTERM)
        assert line.wait(10) == 0
        expect(far.locator("#banner")).to_be_visible(timeout=30_000)
        held.enter_context(program(*serve))
        expect(far.locator("#banner")).to_be_hidden(timeout=30_000)
        post(f"{home}/api/order", {"do": "ply", "text": "c2-c3", "seat": 0})
        expect(far.locator("#plies li")).to_have_count(3, timeout=15_000)
        far.context.close()
