"""A game saved as a moving picture: its frames are its positions, as the service draws them."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from controller.orders import PlayPly
from tests.web_panel.real_table import OpenTable, Pages

PLIES = ("c3-d3", "e3-e2", "b4-b5")


def frames(file: Path) -> list[Image.Image]:
    """Return what is seen one after the other."""
    with Image.open(file) as film:
        found = []
        for number in range(film.n_frames):
            film.seek(number)
            found.append(film.convert("RGB"))
        return found


def saved(page: Page, to: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Animation (GIF)").click()
    download.value.save_as(to)
    return to


DRAWN = """async src => {
  const image = Object.assign(new Image(), { src });
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 480, height: 470 });
  canvas.getContext("2d").drawImage(image, 0, 0, 480, 480 * image.naturalHeight / image.naturalWidth);
  return canvas.toDataURL("image/png").split(",")[1];
}"""


def drawn(page: Page, ply: int) -> Image.Image:
    """Return the picture of a position as the browser draws it, as wide as the film."""
    with Image.open(BytesIO(b64decode(page.evaluate(DRAWN, f"/history/1/position.svg?ply={ply}")))) as picture:
        return picture.convert("RGB")


def apart(one: Image.Image, other: Image.Image) -> float:
    """Return by how much two pictures of the board differ: mean of the differences of all colours, 0 to 255."""
    pairs = list(zip(one.crop((0, 0, 480, 470)).tobytes(), other.crop((0, 0, 480, 470)).tobytes(), strict=True))
    return sum(abs(a - b) for a, b in pairs) / len(pairs)


def test_each_frame_is_the_position_after_its_move(open_table: OpenTable, pages: Pages, tmp_path: Path) -> None:
    table, page = open_table(), pages(viewport={"width": 1000, "height": 900})
    table.new_game("tides-of-war")
    for text in PLIES:
        table.running.service.submit(PlayPly(text=text))
    page.goto(f"{table.url}history/1")
    film = frames(saved(page, tmp_path / "game.gif"))
    expect(page.locator("#copied")).to_have_text("Saved as game-1.gif.")
    assert len(film) == len(PLIES) + 1
    positions = [drawn(page, ply) for ply in range(len(film))]
    for number, frame in enumerate(film):
        differences = [apart(frame, position) for position in positions]
        assert differences.index(min(differences)) == number


def test_a_browser_that_makes_no_picture_says_what_else_there_is(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table(), pages()
    table.new_game("tides-of-war")
    table.running.service.submit(PlayPly(text=PLIES[0]))
    page.route("**/position.svg*", lambda route: route.abort())
    page.goto(f"{table.url}history/1")
    page.get_by_role("button", name="Animation (GIF)").click()
    expect(page.locator("#copied")).to_contain_text("This browser made no picture.")
