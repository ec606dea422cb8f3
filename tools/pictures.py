"""Makes the pictures of the docs: ``make pictures``. The real service on the simulated board, in a real browser.

One of the whole panel, and one of the board for each game, in the middle of play with a piece in the hand. Three are of
a phone: in a lesson, in a game against the board, and when it is won.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page, sync_playwright

from controller.rules.tilings import build
from tests.chromium import chromium

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
PHONE_WIDE = 390  # pixels of a phone's picture
LESSON_STEPS = 1  # steps of the lesson before the one that is photographed
WIDE = 400  # pixels of a game's picture: three stand side by side in the README
SEED = 7  # of what is dealt by lot
COLOURS = 128  # of a picture: wood, pieces and lights need no more, and the file is a third


class PictureScene(NamedTuple):
    """A position: ``tiling`` is the board, ``plies`` lead to it, ``lift`` is the site of the piece in the hand."""

    tiling: str
    plies: str
    lift: str
    options: Mapping[str, Any] = {}


GAMES = {
    "tides-of-war": PictureScene(
        "square 6 6",
        "a5-a6; f2-f1; c2-d3; e4xc2xe2; c3-d3; e3xc3xa5; b3-c3; f5-e4",
        "e1",
    ),
    "giantslayer": PictureScene(
        "hex 5",
        "b4-b7; d6-c7; h1-h3; e4-d4; c3-c6; c7xc5; b7-c6; c5xc7; f8-f6; e6xg6; f1-e2; f5-g5; h3-c3; d5-c6",
        "b9",
    ),
    "tam-ruat-chess": PictureScene(
        "square 12 12",
        "c1-d4; j12-i9; d4-b4; f11-d9; e2-g4; f12xf2; g1xf2; i9-j12; f1-e2; l11-k10; b4-e5; b11-c10; "
        "e2-c4; l12xl2; l1xl2; c12-f11; c4xj11; f11-g8; f2-e2; k12-l12; j11xj12; e11-e10; j12-j7; g8-g6; "
        "l2-l5; g6-d5; e2-f3; d5-e8; g2-i4; e12xj7",
        "l5",
    ),
    "circle": PictureScene(
        "square 9 9",
        "c2-c3; c1-d2; a4-b5; h7-g7; f9-e8; e8-e7; b3-c4; d2-e3; g8-f7; g9-f9; b2+; e3-d2; f7-e6; e7-e8; "
        "c4-c5; c3-d3; e6-f5; e8-f7; d3-e2; b5-c6; f7-e7; f5-e6; e2-f3; c5-d4; e6-f7; h8-g8; d4-e4; "
        "f3-f2; g8-h8; e7-f6; c6-c5; f2-e2; f7-e7; g7-f7; a3+; e4-e5; i6-h5; f9-e8; e2-f3; e5-e4; f6-e6; "
        "e7+; e4-e5; d2-e1; e6-d6; h5-h4; a3-b4; c5-d5; e8-d7; e7-f6; f3-f4; d1-e2; f6xe5; d7-e6; d5-c4; "
        "b4-b5",
        "e5",
    ),
    "cyvasse": PictureScene(
        "hex 6",
        "g3-g4; c9-e8; i5-i6; e8xg4; i4-j4; f9-h8; i3xg4; a11-c11; i2-j1; h8xi6; k1-k2; b10-a9; j2xg8; "
        "c7-c6; g4xc6; Dxg8; k2-j2; g8xh4; f4-d6; h4xj2; f3-d4; i6xj4; f2-h4; j2xh4; j3-i3; h4xg2; "
        "i3-i4; g2xf1; e4-e5; b9-b11",
        "i4",
    ),
    "beacons": PictureScene(
        "hex 3",
        "bid 5 5 5; bid 5 5 5; bid 5 5 5; place b4 4; place d1 5; place c5 5; place b3 1; place c5 1; "
        "place e1 6; place d3 4; place e3 4; place d2 1; place a4 1; place c3 5; place a3 4; place e2 4; "
        "place c2 1; place c1 1; place d4 1; p d1 3 4; t b4 b3 2",
        "b3",
        {"players": 3, "bid": 15},
    ),
}


def post(address: str, path: str, body: dict[str, Any]) -> Any:
    """Send ``body`` to the panel's API and return the answer."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/api/{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@contextmanager
def playing(board: str, folder: str) -> Iterator[str]:
    """Run the service on ``board``, with its files in ``folder``, and give its address."""
    command = [sys.executable, "-m", "controller", "play", "--board", board, "--port", "8765"]
    command += ["--journal", f"{folder}/games.sqlite3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            yield service.stdout.readline().split(" at ")[1].split()[0]
        finally:
            service.terminate()


def play(address: str) -> None:
    """Bring a game of Giantslayer to a position with captures, and lift a giant that can trample."""
    post(address, "order", {"do": "new_game", "game": "giantslayer", "seed": 1})
    post(address, "set_up", {})
    time.sleep(0.5)  # as long as a person looks before the first ply
    for site, onto in (("d10", "d8"), ("f7", "g7"), ("e3", "e5")):
        post(address, "place", {"piece": post(address, "lift", {"site": site})["id"], "site": onto})
        time.sleep(0.5)  # a slide could go on: it counts after a quiet moment
    post(address, "lift", {"site": "f5"})


def board_file(game: str, scene: PictureScene, folder: str) -> str:
    """Write a board of exactly the cells of ``scene``, and return its path."""
    cells = build(scene.tiling).cells
    rows = {int(cell.lstrip("abcdefghijklmnopqrstuvwxyz")) for cell in cells}
    names, spare = " ".join(cells), " -" * (-len(cells) % 8)
    path = Path(folder) / f"{game}.toml"
    path.write_text(
        f'title = "{game}"\ntiling = "{scene.tiling}"\npitch_mm = 40\nsensor = "reed"\nfacing = [1, {max(rows)}]\n'
        f'max_milliamps = 9000\nchain = ["{names}{spare}"]\nlights = ["{names}"]\n'
        f'[games]\n{game} = {{ tiling = "{scene.tiling}" }}\n',
        encoding="utf-8",
    )
    return str(path)


def take_game(browser: Browser, game: str, scene: PictureScene) -> None:
    """Bring ``game`` into its scene and photograph the board."""
    with tempfile.TemporaryDirectory() as folder:
        board = "shell19" if game == "beacons" else board_file(game, scene, folder)
        with playing(board, folder) as address:
            plies = [ply for ply in scene.plies.split("; ") if ply]
            order = {"do": "new_game", "game": game, "seed": SEED, "options": dict(scene.options), "plies": plies}
            post(address, "order", order)
            post(address, "set_up", {})
            time.sleep(0.5)
            if scene.lift:
                post(address, "lift", {"site": scene.lift})
            page = browser.new_page(viewport={"width": 1180, "height": 780}, device_scale_factor=2)
            page.goto(address)
            page.locator("#board polygon").first.wait_for()
            page.wait_for_timeout(500)  # the lights fade in
            save(page.locator("#board").screenshot(), PICTURES / f"game-{game}.png", WIDE, cropped=True)
            page.close()


def shoot(page: Page, address: str) -> None:
    """Photograph the panel as it is."""
    page.goto(address)
    page.get_by_text("Second player to move.").first.wait_for()
    save(page.screenshot(), PICTURES / "board.png", 1180)


# Ann, who is White, beats the board with the last of these.
WON = (
    "d2-d3; c5-c4; d3xb5; d4-c5; e1-e2; e3-d4; c3-d2; f2-f1; e2-d3; f3-f2; d3-c3; e4-e3; b5-c4; e3-e4; d2-e1; f2-e3; "
    "e1-f2; f1xf3; c4-d3; c5-b5; d1-d2; b5-c4; d3xb5; b6-c5; c2-d1; e3-e2; c3-c2; e2-d3; b5-a6; c5-c4; b4-c5; d4xb6; "
    "d2xd4xf6"
)


def take_phone(browser: Browser) -> None:
    """Photograph a phone three times: learning Tides of War, playing it against the board, and winning."""
    plies = WON.split("; ")
    game = {"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 3]}}
    with tempfile.TemporaryDirectory() as folder, playing("square144", folder) as address:
        page = browser.new_page(viewport={"width": 390, "height": 760}, device_scale_factor=2, has_touch=True)
        page.goto(address)
        page.get_by_role("button", name="Enter your name").click()
        page.get_by_label("Your name").fill("Ann")
        page.keyboard.press("Enter")
        post(address, "order", {"do": "start_lesson", "game": "tides-of-war"})
        for _ in range(LESSON_STEPS):
            page.get_by_role("button", name="Next").click()
        photograph(page, "phone-learns")
        post(address, "order", {**game, "plies": plies[:-1]})
        page.get_by_text("Your turn").wait_for()
        page.locator("#board [data-site=d2]").first.tap()
        photograph(page, "phone-plays")
        for site in ("d4", "f6"):
            page.locator(f"#board [data-site={site}]").first.tap()
        page.get_by_text("You win").first.wait_for()
        photograph(page, "phone-wins")
        page.close()


def photograph(page: Page, name: str) -> None:
    """Photograph what a phone shows, once its lights and pieces stand still."""
    page.wait_for_timeout(2500)
    save(page.screenshot(), PICTURES / f"{name}.png", PHONE_WIDE)


def take_care(browser: Browser, board: str) -> None:
    """Photograph what *Board care* says of a board of fields on which two pieces stand, as a phone has it."""
    with tempfile.TemporaryDirectory() as folder, playing(board, folder) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844}, device_scale_factor=2)
        page.goto(f"{address}/care")
        page.locator("#board text").first.wait_for()
        page.wait_for_timeout(1500)  # until the sensors have told their fields
        save(page.screenshot(), PICTURES / f"care-{board}.png", WIDE)
        page.close()


def save(taken: bytes, path: Path, wide: int, cropped: bool = False) -> None:
    """Write a photograph ``wide`` pixels wide, ``cropped`` to what lies on its ground, as a small file."""
    with Image.open(io.BytesIO(taken)) as picture:
        whole = picture.convert("RGB")
        ground = Image.new("RGB", whole.size, whole.getpixel((0, 0)))
        part = whole.crop(ImageChops.difference(whole, ground).getbbox()) if cropped else whole
        small = part.resize((wide, round(wide * part.height / part.width)), Image.Resampling.LANCZOS)
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Take the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        with tempfile.TemporaryDirectory() as folder, playing("hex91", folder) as address:
            play(address)
            shoot(browser.new_page(viewport={"width": 1180, "height": 780}), address)
        take_care(browser, "cell36")
        take_phone(browser)
        for game, scene in GAMES.items():
            take_game(browser, game, scene)
        browser.close()


if __name__ == "__main__":
    main()
