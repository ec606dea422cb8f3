"""A variant made on the page of a phone, saved, chosen for a new game and played, by its name at the table."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.web_panel.axe import complaints
from tests.web_panel.real_backend import real_panel


def test_a_variant_is_made_saved_and_played(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(real.address)
        page.get_by_role("button", name="New game").click()
        page.locator("#dialog").get_by_role("radio", name="Beacons", exact=True).check()
        page.locator("#dialog").get_by_role("link", name="Change the rules").click()
        page.wait_for_url("**/workshop/rules/beacons")
        # What is wrong is said beside it, and what was typed stays.
        page.get_by_label("Template").select_option(label="Duel")
        page.get_by_label("Limit").fill("99")
        page.get_by_role("button", name="Look at it").click()
        expect(page.locator("#wrong-limit")).to_contain_text("it must be a whole number from 1 to 50")
        expect(page.get_by_label("Limit")).to_be_focused()
        expect(page.get_by_label("Limit")).to_have_value("99")
        page.get_by_label("Limit").fill("7")
        page.keyboard.press("Enter")  # saves, and says what is missing
        expect(page.locator("#wrong-title")).to_have_text("The title is missing: write a few words.")
        expect(page.get_by_label("Title")).to_be_focused()
        page.get_by_label("Title").fill("Duel with sevens")
        page.get_by_label("What it tries").fill("Whether a duel is quicker with small stores.")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#saved")).to_contain_text("Duel with sevens is saved", timeout=60_000)
        expect(page.locator("#looked")).to_contain_text("Pieces on the board")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert complaints(page) == []
        # It is chosen in a new game, where what it is made of cannot be changed.
        page.get_by_role("link", name="Play it", exact=True).click()
        dialog = page.locator("#dialog")
        expect(dialog.get_by_label("Rules")).to_have_value("duel-with-sevens")
        dialog.locator("details").evaluate("details => details.open = true")
        expect(dialog.locator("[name=limit]")).to_have_value("7")
        expect(dialog.locator("[name=limit]")).to_be_disabled()
        dialog.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator("#title")).to_contain_text("Beacons: Duel with sevens")
        expect(page.locator("body")).not_to_have_attribute("data-phase", "setup")
        session = real.running.service.look().table.play.session
        assert (session.options["limit"], session.options["template"]) == (7, "duel")
        first = session.game.plies(session.state)[0]
        text = session.game.text(session.state, first)
        page.evaluate(
            """text => fetch("/api/order", {method: "POST", headers: {"Content-Type": "application/json"},
                body: JSON.stringify({do: "ply", text})})""",
            text,
        )
        expect(page.locator("#plies li")).to_have_count(1)
        page.goto(f"{real.address}history")
        expect(page.locator("body")).to_contain_text("Beacons: Duel with sevens")


def test_the_usual_rules_are_chosen_again_and_ones_own_is_deleted(page: Page, tmp_path: Path) -> None:
    with real_panel("any", tmp_path, finishes=True) as real:
        page.goto(f"{real.address}#new=beacons/small-stores")
        rules = page.locator("#dialog").get_by_label("Rules")
        expect(rules).to_have_value("small-stores")
        expect(page.locator("#blurb")).to_contain_text("nobody can sit on a hoard")
        assert "#new" not in page.url
        rules.select_option(label="The usual rules")
        expect(page.locator("#dialog [name=variant]")).to_be_focused()
        page.locator("#dialog details").evaluate("details => details.open = true")
        expect(page.locator("#dialog [name=limit]")).to_be_enabled()
        expect(page.locator("#dialog [name=limit]")).to_have_value("10")
        page.goto(f"{real.address}workshop/rules/circle")
        page.get_by_label("Any unit").check()
        page.get_by_label("Title").fill("Free classes")
        page.get_by_label("What it tries").fill("Changing the other's units.")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#saved")).to_contain_text("is saved", timeout=60_000)
        page.get_by_role("button", name="Delete").click()
        page.locator("#sure").get_by_role("button", name="Delete").click()
        page.wait_for_url("**/workshop/rules/circle")
        expect(page.locator("#variants")).not_to_contain_text("Free classes")
