"""Whose piece is whose is seen at a glance: in every game of two sides the dark pieces are dark as a whole."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.orders import NewGame
from tests.chromium import painted
from tests.web_panel.real_backend import real_panel

GAMES = ("tides-of-war", "circle", "giantslayer", "tam-ruat-chess", "cyvasse")
# Where the pieces of each side lie.
BODIES = """() => [0, 1].map((seat) =>
    [...document.querySelectorAll(`#board .token.seat-${seat} .body`)].map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y, width, height];
    }))"""
# How light what is drawn on each side's pieces is on the average, of 255: of the round within each of their places.
LIGHT = """async ([picture, sides]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const drawn = canvas.getContext("2d");
    drawn.drawImage(image, 0, 0);
    return sides.map((places) => {
        let [sum, count] = [0, 0];
        for (const [left, top, width, height] of places) {
            const { data } = drawn.getImageData(left, top, width, height), across = Math.floor(width);
            for (let n = 0; n < data.length / 4; n++) {
                if (Math.hypot((n % across) - width / 2, Math.floor(n / across) - height / 2) > width / 2) continue;
                sum += 0.3 * data[4 * n] + 0.59 * data[4 * n + 1] + 0.11 * data[4 * n + 2];
                count++;
            }
        }
        return sum / count;
    });
}"""


@pytest.mark.parametrize("game", GAMES)
def test_the_sides_differ_at_a_glance(page: Page, tmp_path: Path, game: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    with real_panel("any", tmp_path, finishes=True) as real:
        real.running.service.submit(NewGame(game=game, seed=1))
        page.goto(real.address)
        expect(page.locator("body")).to_have_attribute("data-phase", "play")
        expect(page.locator("#board .token.seat-1 .drawing").first).to_be_attached()
        painted(page)
        picture = b64encode(page.screenshot()).decode()
        sides = page.evaluate(BODIES)
    blank = page.context.new_page()
    white, black = blank.evaluate(LIGHT, [picture, sides])
    assert black < 0.68 * white, (white, black)
