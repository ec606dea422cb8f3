"""The first evening of a board without a network, on the phone that has found it: what is tapped, and what it reads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from controller.appliance.network.questions import Forget, Join, WifiFound
from controller.panel.network_backend import NetworkBackend
from tests.appliance.network.stand_in import HOME, IN_OWN, StandIn, answering
from tests.web_panel.axe import complaints
from tests.web_panel.fake_backend import STREAMS, square_backend
from web_panel.app import create_app
from web_panel.people.joining import WaysIn
from web_panel.people.phones import Phones
from web_panel.serve import listen

replace = msgspec.structs.replace
AROUND = (
    HOME,
    WifiFound(b"Caf\xc3\xa9 downstairs", 45, "open"),
    WifiFound(b"University", 30, "unsuitable"),
    WifiFound(b"<b>A neighbour who writes long</b>", 12, "password"),
    WifiFound(b"Grandmother", 0, "password", True),
)
WIDTHS = ((320, 568), (390, 844), (1440, 900))


class InOwn(NetworkBackend):
    """The network of a board in whose own Wi-Fi everybody is."""

    def from_own(self, address: str) -> bool:
        return self._is_open()


@pytest.fixture
def helper(tmp_path: Path) -> Iterator[StandIn]:
    with answering(tmp_path / "network.sock", replace(IN_OWN, networks=AROUND)) as helper:
        yield helper


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[[type[NetworkBackend], bool], str]]:
    """Return a function that serves a panel with such a network, whose guests are owners where ``local``."""
    ends: list[Callable[[], None]] = []

    def start(kind: type[NetworkBackend], local: bool) -> str:
        network = kind(tmp_path / "network.sock", lambda: ("http://192.168.1.20", "http://beaconboard.local"))
        backend = square_backend()
        app = create_app(backend, streams=STREAMS, entry=WaysIn(Phones(), local=local), network=network)
        server = listen(app, "127.0.0.1", 0, streams=STREAMS)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        ends.extend((backend.close, server.close, thread.join))
        return f"http://127.0.0.1:{server.port}"

    yield start
    for end in ends:
        end()


def test_a_guest_in_the_own_wifi_leads_the_board_home(
    page: Page, helper: StandIn, served: Callable[[type[NetworkBackend], bool], str]
) -> None:
    page.goto(served(InOwn, False) + "/wifi")
    expect(page.locator("#now")).to_have_text(
        "The board is in no network of the home. Its own Wi-Fi “Beaconboard ab3d” is open."
    )
    rows = page.locator("#networks li")
    expect(rows).to_have_count(5)
    expect(rows.nth(3)).to_contain_text("<b>A neighbour who writes long</b>")
    expect(rows.nth(4)).to_contain_text("known, out of reach")
    rows.nth(0).locator("button").click()
    expect(page.get_by_role("heading", name="Familie Müller")).to_be_visible()
    expect(page.locator("#password")).to_be_focused()
    page.locator("#password").fill("short")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#wrong")).to_have_text("A Wi-Fi password has at least 8 letters: type it again.")
    page.locator("#password").fill("not the password")
    page.get_by_label("Show the password").check()
    expect(page.locator("#password")).to_have_attribute("type", "text")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#now")).to_have_text(
        "The board is joining “Familie Müller”: this takes up to a minute. Then connect this phone to “Familie Müller” "
        "as well, and open http://beaconboard.local. If it fails, “Beaconboard ab3d” is back within a minute: join it "
        "again to see why."
    )
    assert helper.asked == [Join(HOME.ssid, "not the password")]
    helper.told = replace(helper.told, asked=HOME.ssid, wrong="password")
    page.reload()  # as a phone does that has joined it again
    expect(page.locator("#wrong")).to_have_text("The password for “Familie Müller” was not accepted: type it again.")
    page.get_by_role("button", name="Another one, or a hidden one").click()
    page.get_by_label("Name of the Wi-Fi").fill('Attic "5"')
    page.get_by_label("Password of the Wi-Fi").fill("battery staple")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#now")).to_contain_text('Then connect this phone to “Attic "5"” as well')
    assert helper.asked[1:] == [Join(b'Attic "5"', "battery staple", True)]


def test_a_guest_stays_to_play(
    page: Page, helper: StandIn, served: Callable[[type[NetworkBackend], bool], str]
) -> None:
    url = served(InOwn, False)
    page.goto(url + "/wifi")
    page.get_by_role("button", name="Play here").click()
    page.wait_for_url(url + "/")
    assert page.request.get(url + "/hotspot-detect.html", headers={"Host": "captive.apple.com"}).status == 200


def test_an_owner_at_home_sees_the_card_and_forgets_a_wifi(
    page: Page, helper: StandIn, served: Callable[[type[NetworkBackend], bool], str]
) -> None:
    helper.told = replace(helper.told, state="wifi", ssid=HOME.ssid, networks=(replace(HOME, known=True), *AROUND[1:]))
    page.goto(served(NetworkBackend, True) + "/settings")
    page.get_by_role("link", name="Wi-Fi").click()
    expect(page.locator("#now")).to_have_text("The board is in the Wi-Fi “Familie Müller”.")
    expect(page.locator("#own-told")).to_have_text("Name: Beaconboard ab3d · Password: card4pass9")
    assert page.locator("#own img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    expect(page.get_by_role("button", name="Play here")).to_have_count(0)
    page.locator("#networks button").nth(0).click()
    page.get_by_role("button", name="Forget this Wi-Fi").click()
    expect(page.locator("#choose")).to_be_visible()
    assert helper.asked == [Forget(HOME.ssid)]


@pytest.mark.parametrize("kind", [InOwn, NetworkBackend])
def test_it_has_room_at_every_width_and_axe_has_no_complaint(
    page: Page, helper: StandIn, served: Callable[[type[NetworkBackend], bool], str], kind: type[NetworkBackend]
) -> None:
    url = served(kind, kind is NetworkBackend) + "/wifi"
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(url)
        expect(page.locator("#networks li")).to_have_count(5)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator("#networks button").nth(3).click()
        expect(page.locator("#join")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints(page) == []
    page.get_by_role("button", name="Cancel").click()
    assert complaints(page) == []
