"""An owner's phone puts an update on: chosen, shown, put on, watched; and one that went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.appliance.updates.asks import Stand, UpdateOutcome
from controller.appliance.updates.manifest import Installed, UpdateMachine
from controller.appliance.updates.told import SentenceTold
from tests.panel.test_updates import Helper, Network
from tests.web_panel.axe import complaints
from tests.web_panel.real_backend import Real, real_panel

pytestmark = pytest.mark.realtime


@pytest.fixture
def helper() -> Helper:
    return Helper()


@pytest.fixture
def panel(tmp_path: Path, helper: Helper) -> Iterator[Real]:
    with real_panel("square144", tmp_path, asked=helper) as found:
        yield found


def test_an_update_is_chosen_shown_and_put_on(page: Page, panel: Real, helper: Helper, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{panel.address}settings")
    page.get_by_role("link", name="Updates").click()
    expect(page.locator("#version")).to_have_text("1.2.3")
    expect(page.get_by_role("button", name="Go back to version 1.1.0")).to_be_visible()
    (file := tmp_path / "beaconboard-1.3.0.bbupdate").write_bytes(b"x" * 5000)
    page.locator("#file").set_input_files(file)
    shown = page.get_by_role("region", name="Put this on?")
    expect(shown.get_by_role("listitem")).to_have_text(["A new game."])
    expect(shown).to_contain_text("It takes up to 10 min, in which the board can be played.")
    assert complaints(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    shown.get_by_role("button", name="Put on when nobody plays").click()
    expect(page.locator("#goes-on")).to_have_text("Version 1.3.0 is being set up beside this one. The board plays on.")
    expect(page.get_by_role("button", name="Go back")).to_be_hidden()
    helper.stand = Stand("1.2.0", "1.1.0", "built", "1.3.0", 1.0)
    expect(page.locator("#goes-on")).to_have_text(
        "Version 1.3.0 is ready, and put on once nobody has played for half an hour."
    )
    helper.stand = Stand("1.3.0", "", "trial", "1.3.0")
    expect(page.locator("#goes-on")).to_contain_text("For five minutes the board watches")
    helper.stand = Stand("1.3.0", "1.2.0", to="1.3.0", ended=UpdateOutcome("1.3.0", True))
    expect(page.locator("#told")).to_have_text("Version 1.3.0 was put on and plays.")
    expect(page.locator("#goes-on")).to_be_empty()


def test_an_update_that_went_wrong_says_why(page: Page, panel: Real, helper: Helper) -> None:
    why = "Version {version} does not start here: the version before is back."
    ended = UpdateOutcome("1.3.0", False, SentenceTold(why, {"version": "1.3.0"}))
    helper.stand = Stand("1.2.0", "1.1.0", "trial", "1.3.0")
    page.goto(f"{panel.address}updates")
    expect(page.locator("#goes-on")).to_contain_text("Version 1.3.0 plays.")
    helper.stand = Stand("1.2.0", "1.1.0", to="1.3.0", ended=ended)
    expect(page.locator("#wrong")).to_have_text("Version 1.3.0 does not start here: the version before is back.")
    page.reload()  # and whoever looks later reads it, too
    expect(page.locator("#last")).to_have_text("Version 1.3.0 does not start here: the version before is back.")


def test_what_is_no_update_is_refused_in_a_sentence(page: Page, panel: Real, helper: Helper, tmp_path: Path) -> None:
    page.goto(f"{panel.address}updates")
    expect(page.locator("#file")).to_be_attached()
    (photo := tmp_path / "photo.jpg").write_bytes(b"\xff\xd8 no update")
    expect(page.locator("#from-file")).to_be_visible()
    helper.refuses_to_look = "photo.jpg is no update of a Beaconboard: choose a file that ends in .bbupdate."
    page.locator("#file").set_input_files(photo)
    expect(page.locator("#wrong")).to_have_text(helper.refuses_to_look)
    expect(page.locator("#shown")).to_be_hidden()


def test_a_board_that_was_not_installed_says_how_it_is_updated(page: Page, panel: Real, helper: Helper) -> None:
    helper.there = False
    page.goto(f"{panel.address}updates")
    expect(page.locator("#elsewhere")).to_contain_text("update it in the way in which it was installed")
    expect(page.locator("#from-file")).to_be_hidden()


def test_an_update_that_was_found_is_fetched_and_shown(page: Page, tmp_path: Path, helper: Helper) -> None:
    helper.stand = Stand("1.2.0", here=Installed(UpdateMachine("pi5", "aarch64", "3.13"), "1.2.0", 1), root="{}")
    with real_panel("square144", tmp_path, asked=helper, find=Network()) as panel:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{panel.address}updates")
        offered = page.get_by_role("region", name="There is a new version")
        expect(offered.get_by_role("listitem")).to_have_text(["A new game."])
        assert complaints(page) == []
        offered.get_by_role("button", name="Fetch it").click()
        shown = page.get_by_role("region", name="Put this on?")
        expect(shown).to_contain_text("beaconboard-1.3.0.bbupdate")
        expect(offered).to_be_hidden()


def test_the_firmware_of_a_sensor_board_that_does_not_answer_is_written_from_the_page(page: Page, panel: Real) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{panel.address}updates")
    part = page.get_by_role("region", name="Sensor board")
    write = part.get_by_role("button", name="Write the firmware")
    expect(part.get_by_role("status")).to_have_text("The sensor board has not answered.")
    assert complaints(page) == []
    write.click()
    expect(part.get_by_role("status")).to_have_text("The firmware is being written.")
    expect(write).to_be_disabled()
    expect(part.get_by_role("status")).to_have_text("The firmware fits.")
    expect(write).to_be_enabled()
