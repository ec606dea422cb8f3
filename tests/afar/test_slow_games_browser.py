"""What tells a phone that it is its turn: the title of the page, a notice of the phone's own, and the list of games."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from controller.orders import NewGame
from tests.afar.test_secrets_browser import tell, two_phones

SHOWN = """() => {
    window.shown = [];
    Object.defineProperty(document, "hidden", { value: true });
    const show = async (title, what) => void window.shown.push([title, what.body]);
    ServiceWorkerRegistration.prototype.showNotification = show;
}"""
# A browser without a window asks nobody, and grants nothing.
GRANTS = """
    const asked = () => JSON.parse(sessionStorage.getItem("asked") ?? "false");
    window.Notification = {
        get permission() { return asked() ? "granted" : "default"; },
        requestPermission: async () => (sessionStorage.setItem("asked", "true"), "granted"),
    };
"""
TIDES = NewGame(game="tides-of-war", seed=1)


def test_a_phone_tells_that_it_is_its_turn(browser: Browser, tmp_path: Path, port: int) -> None:
    with two_phones(browser, tmp_path, port, "square144", TIDES, "to move") as (here, there):
        there.context.add_init_script(GRANTS)
        home = there.url
        there.goto(f"{home}afar")
        expect(there.locator("#links")).to_contain_text("The other board is to move.", timeout=15_000)
        there.get_by_role("button", name="Notices on this device").click()
        expect(there.locator("#notices")).to_contain_text("This device tells you when it is your turn")
        there.screenshot(path=tmp_path / "notices.png", full_page=True)
        there.goto(home)
        expect(there.locator("#waits")).to_contain_text("at the other board")
        there.wait_for_timeout(3000)  # what few views have is loaded after all else
        there.evaluate(SHOWN)
        tell(here, "/api/order", do="ply", text="c3-c4")
        expect(there).to_have_title("● Your turn – Tides of War", timeout=15_000)
        there.wait_for_function("() => window.shown.length")
        assert there.evaluate("window.shown") == [["Your turn", "Tides of War – stone from c3 to c4"]]
        tell(there, "/api/order", do="ply", text="c6-b5")
        expect(there).to_have_title("Tides of War – Beaconboard", timeout=15_000)
        assert len(there.evaluate("window.shown")) == 1


def test_a_game_that_waits_is_in_the_list_with_whose_turn_it_is(browser: Browser, tmp_path: Path, port: int) -> None:
    with two_phones(browser, tmp_path, port, "square144", TIDES, "to move") as (here, there):
        tell(here, "/api/order", do="ply", text="c3-c4")
        expect(there.locator("#plies")).to_contain_text("c3-c4", timeout=15_000)
        tell(here, "/api/order", do="new_game", game="tides-of-war", seed=2)
        tell(there, "/api/order", do="ply", text="c6-b5")
        expect(there.locator("#plies")).to_contain_text("c6-b5", timeout=15_000)
        home = here.url
        here.goto(f"{home}afar")
        expect(here.locator("#links .turn")).to_have_text("Your turn", timeout=15_000)
        here.screenshot(path=tmp_path / "list.png", full_page=True)
        here.get_by_role("button", name="Take this game up").click()
        expect(here.get_by_role("button", name="Take this game up")).to_have_count(0, timeout=15_000)
        here.goto(home)
        expect(here.locator("#plies")).to_contain_text("c6-b5")
