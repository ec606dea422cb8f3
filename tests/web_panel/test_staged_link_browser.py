"""A link that is given away: others must be able to open it, and it can be copied where it is shown."""

from __future__ import annotations

import pytest

from tests.web_panel.staged import Stage

GIVE = """async () => {
  Object.defineProperty(navigator, "clipboard", { value: null, configurable: true });
  const { give } = await import("/static/common/link.js");
  const said = document.createElement("p");
  document.body.replaceChildren(said);
  window.copied = [];
  document.execCommand = () => (copied.push(document.activeElement.value), true);
  await give(said, { url: location.origin + "/history/7", title: "Cyvasse" });
  await stage.settled();
}"""
PRESS = """async ([text]) => { [...document.querySelectorAll("button")].find((e) => e.textContent === text).click();
  await stage.settled(); }"""


def test_on_a_phone_the_address_is_that_of_the_page(stage: Stage) -> None:
    stage.open()
    stage.js(GIVE)
    assert stage.texts("p") == ["Copied: http://panel.test/history/7"]
    assert stage.texts("button") == ["Copy"]
    stage.js(PRESS, "Copy")
    assert stage.js("() => copied") == ["http://panel.test/history/7"] * 2


def test_where_nothing_can_be_copied_the_address_is_there_to_be_selected(stage: Stage) -> None:
    stage.open()
    stage.js(GIVE)
    stage.js("() => { document.execCommand = () => false; }")
    stage.js(PRESS, "Copy")
    assert stage.texts("p") == ["Copy this address: http://panel.test/history/7"]


@pytest.mark.parametrize(("address", "near"), [
    ("http://192.168.1.7:8000/history/7", True), ("http://[fd00::7]:8000/", True), ("http://beaconboard.local/", True),
    ("https://boards.example/history/7", False),
])  # fmt: skip
def test_of_an_address_in_the_boards_own_network_it_is_said_that_it_opens_there_alone(
    stage: Stage, address: str, near: bool
) -> None:
    stage.open()
    assert stage.js("async ([url]) => (await import('/static/common/link.js')).isNearby(url)", address) is near


def test_what_is_said_of_an_address_stands_on_a_line_of_its_own_and_goes_when_a_picture_is_saved(stage: Stage) -> None:
    stage.open()
    near = GIVE.replace('location.origin + "/history/7"', '"http://192.168.1.7:8000/history/7"')
    stage.js(near)
    told = "Copied: http://192.168.1.7:8000/history/7\nIt opens only in the network that the board is in."
    assert stage.js("() => document.querySelector('p').innerText") == told
    stage.js("""async () => { const { handPicture } = await import("/static/common/film.js");
      await handPicture(new Blob(["x"]), "game.png", document.querySelector("p")); }""")
    assert stage.texts("button") == []


def test_each_address_on_the_page_of_people_has_its_button(stage: Stage) -> None:
    address = '<code class="address">http://raspberrypi.local:8000</code>'
    stage.pages["/addresses"] = f"<!doctype html><body><ul><li>{address}</li></ul></body>"
    stage.open("/addresses")
    stage.js("""async () => { window.copied = [];
      Object.defineProperty(navigator, "clipboard", { value: null, configurable: true });
      document.execCommand = () => (copied.push(document.activeElement.value), true);
      (await import("/static/common/link.js")).addCopyButtons(); await stage.settled(); }""")
    assert stage.texts("button") == ["Copy"]
    stage.js(PRESS, "Copy")
    assert stage.js("() => copied") == ["http://raspberrypi.local:8000"]
    assert stage.texts("button") == ["Copied"]
