"""Another board and the house, set up on a phone in three steps, with a real broker and a real relay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from controller.orders import NewGame
from tests.afar.brokers import PASSWORD, USER, free_port, mosquitto
from tests.afar.relays import far_page, relay_at, sees
from tests.web_panel.real_table import OpenTable, Pages

PATIENCE_MS = 20_000


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """A broker that asks for a password."""
    with mosquitto(tmp_path / "broker", passwords=True) as port:
        yield port


def test_a_phone_far_away_is_invited_with_nothing_typed_but_addresses(
    browser: Browser, open_table: OpenTable, pages: Pages, tmp_path: Path
) -> None:
    table = open_table(local=True)
    table.new_game("tides-of-war")
    with mosquitto(tmp_path / "broker") as port, relay_at(port) as relay:
        page = pages()
        page.goto(f"{table.url}afar")
        page.get_by_text("How others reach this board").click()
        expect(page.get_by_role("button", name="A phone plays White")).to_be_hidden()
        expect(page.locator("#no-broker .owners")).to_have_text(re.compile("^You own this table"))
        page.get_by_label("Address of the broker").fill(f"127.0.0.1:{free_port()}")
        page.get_by_label("Address of the relay").fill(relay)
        page.get_by_role("button", name="Save and try it").click()
        tried = page.locator("#tried")
        expect(tried).to_contain_text("cannot be reached", timeout=PATIENCE_MS)

        page.get_by_label("Address of the broker").fill(f"127.0.0.1:{port}")
        page.get_by_role("button", name="Save and try it").click()
        expect(tried.locator(".well")).to_have_count(2, timeout=PATIENCE_MS)
        expect(tried).to_contain_text("carries messages between phones and this board")

        page.get_by_role("button", name="A phone plays White").click()
        link = page.get_by_label("The link", exact=True).input_value()
        assert link.startswith(f"{relay}#k=")
        far = far_page(browser, link)
        sees(far, "Tides of War")
        far.context.close()

        page.reload()
        page.get_by_text("How others reach this board").click()
        expect(page.get_by_label("Address of the relay")).to_have_value(relay)


def test_who_has_no_broker_takes_one_that_is_open_to_everybody(open_table: OpenTable, pages: Pages) -> None:
    table = open_table(local=True)
    page = pages()
    page.goto(f"{table.url}afar")
    page.get_by_text("How others reach this board").click()
    page.get_by_text("None of us has a broker").click()
    page.get_by_role("button", name="broker.emqx.io").click()
    expect(page.get_by_label("Address of the broker")).to_have_value("mqtts://broker.emqx.io")
    assert table.preferences.now.afar_broker == ""  # until it is saved


def test_a_word_that_is_no_address_is_told_and_nothing_is_saved(open_table: OpenTable, pages: Pages) -> None:
    table = open_table(local=True)
    page = pages()
    page.goto(f"{table.url}afar")
    page.get_by_text("How others reach this board").click()
    page.get_by_label("Address of the broker").fill("http://example")
    page.get_by_role("button", name="Save and try it").click()
    expect(page.locator("#tried .unwell")).to_have_text(
        "'http://example' cannot be used here: it must be an address such as homeassistant.local or "
        "mqtts://broker.example:8883, or nothing."
    )
    assert table.preferences.now.afar_broker == ""


def test_the_house_is_joined_on_its_page_and_left_again(open_table: OpenTable, pages: Pages, port: int) -> None:
    table = open_table(local=True)
    page = pages()
    page.goto(f"{table.url}house")
    page.get_by_text("Connect this board").click()
    page.get_by_label("Address of the broker").fill(f"127.0.0.1:{port}")
    page.get_by_label("Name of this board in the house").fill("Attic")
    page.get_by_role("button", name="Connect and try it").click()
    expect(page.locator("#tried")).to_contain_text("refuse", timeout=PATIENCE_MS)

    page.get_by_text("It asks for a name and a password").click()
    page.get_by_label("Name", exact=True).fill(USER)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Connect and try it").click()
    expect(page.locator("#tried .well")).to_have_text("Connected to the MQTT broker.", timeout=PATIENCE_MS)
    expect(page.locator("#boards li")).to_contain_text(re.compile("Attic"))

    page.reload()
    page.get_by_text("Connect this board").click()
    expect(page.get_by_label("Password")).to_have_attribute("placeholder", "••••••••")
    page.get_by_role("button", name="Disconnect").click()
    expect(page.locator("#stands")).to_have_text("This board is not connected to the house.")
    assert table.preferences.now.house_password == PASSWORD


def test_whoever_is_no_owner_sees_no_steps_and_cannot_try(open_table: OpenTable, pages: Pages) -> None:
    table = open_table()
    table.running.service.submit(NewGame(game="tides-of-war"))
    page = pages()
    page.goto(f"{table.url}afar")
    expect(page.locator("#no-broker")).to_contain_text("ask whoever set up this board")
    expect(page.locator("#no-broker .owners")).to_be_hidden()
    expect(page.locator("#invite, #phone, #way").filter(visible=True)).to_have_count(0)  # nothing grey that cannot be
    expect(page.locator("#way")).to_be_hidden()
    answer = page.request.post(f"{table.url}api/afar/try", data={})
    assert answer.status == 403
