"""Makes the pictures of the docs: ``make pictures``. The real service on the simulated board, in a real browser."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"


def post(address: str, path: str, body: dict[str, Any]) -> Any:
    """Send ``body`` to the panel's API and return the answer."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/api/{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def play(address: str) -> None:
    """Bring a game of Giantslayer to a position with captures, and lift a giant that can trample."""
    post(address, "order", {"do": "new_game", "game": "giantslayer", "seed": 1})
    post(address, "set_up", {})
    time.sleep(0.5)  # as long as a person looks before the first ply
    for site, onto in (("d10", "d8"), ("f7", "g7"), ("e3", "e5")):
        post(address, "place", {"piece": post(address, "lift", {"site": site})["id"], "site": onto})
        time.sleep(0.5)  # a slide could go on: it counts after a quiet moment
    post(address, "lift", {"site": "f5"})


def main() -> None:
    """Take the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "controller", "play", "--board", "hex91", "--port", "8765"]
        command += ["--journal", f"{folder}/games.sqlite3"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
            try:
                assert service.stdout is not None
                address = service.stdout.readline().split(" at ")[1].split()[0]
                play(address)
                shoot(address)
            finally:
                service.terminate()


def shoot(address: str) -> None:
    """Photograph the panel as it is."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": 1180, "height": 780})
        page.goto(address)
        page.get_by_text("Second player to move.").first.wait_for()
        page.screenshot(path=PICTURES / "board.png")
        browser.close()


if __name__ == "__main__":
    main()
