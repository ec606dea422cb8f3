"""The page in Chromium: what people order with it, and that other web sites cannot."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from controller.orders import NewGame, PlayPly, SetBrightness, TakeBack
from controller.table.views.types import Choice, PlyView
from tests.web_panel.fake_backend import FakeBackend

# ---- orders ----


def test_a_new_game_is_started_with_its_options(square: FakeBackend, page: Page) -> None:
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio", name="Tides of War")).to_be_checked()
    expect(dialog).to_contain_text("Cells a side. 4 to 12")
    dialog.get_by_label("Side").fill("8")
    dialog.get_by_label("Swap").uncheck()
    dialog.locator("[name=start]").select_option(label="3")
    dialog.get_by_label("Toast").fill("mead")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_be_hidden()
    assert square.orders == [
        NewGame(game="tides-of-war", options={"side": 8, "swap": False, "start": 3, "toast": "mead"})
    ]


def test_another_game_is_chosen_and_a_bound_is_kept(square: FakeBackend, page: Page) -> None:
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Side").fill("13")
    dialog.get_by_role("button", name="Start").click()
    assert dialog.locator(":invalid[name=side]").count() == 1
    dialog.get_by_role("radio", name="Circle").check()
    expect(dialog).to_contain_text("Round and round. About 45 minutes")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_be_hidden()
    assert square.orders == [NewGame(game="circle", options={})]


def test_a_refused_new_game_keeps_the_form_and_shows_why(square: FakeBackend, page: Page) -> None:
    square.refusal = "There are not enough pieces for this game."
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_have_text(square.refusal)
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()


def test_a_question_is_answered_by_a_button(square: FakeBackend, page: Page) -> None:
    choices = (Choice("b11-b12=Q", "a Queen"), Choice("b11-b12=k", "a Knight"))
    square.change(question="Into which piece?", choices=choices)
    group = page.locator("#question")
    expect(group).to_contain_text("Into which piece?")
    with page.expect_response("**/api/order"):
        page.get_by_role("group", name="Into which piece?").get_by_role("button", name="a Knight").click()
    assert square.orders == [PlayPly(text="b11-b12=k", seat=0)]
    square.change(question="", choices=())
    expect(group).to_be_hidden()


def test_a_ply_is_taken_back_and_a_refusal_is_told(square: FakeBackend, page: Page) -> None:
    button = page.get_by_role("button", name="Take back")
    expect(button).to_be_disabled()
    square.change(plies=(PlyView(0, "b3-b4"), PlyView(1, "b6-b5")), back=1)
    with page.expect_response("**/api/order"):
        button.click()
    assert square.orders == [TakeBack(to=1, made=2, by=(0, 1))]  # it says which ply: pressed twice, it takes one
    square.refusal = "The other player has to agree first."
    button.click()
    expect(page.locator("#toast")).to_have_text(square.refusal)
    expect(page.locator("#toast")).to_have_role("alert")


def test_the_lights_are_dimmed_with_the_slider(square: FakeBackend, page: Page) -> None:
    slider = page.get_by_label("Lights")
    expect(slider).to_have_value("60")
    slider.focus()
    with page.expect_response("**/api/order"):
        page.keyboard.press("ArrowLeft")
    assert square.orders == [SetBrightness(percent=55)]
    square.change(brightness=20)
    expect(slider).to_have_value("20")


# ---- other web sites ----


def another_web_site(page: Page) -> None:
    page.context.route("http://localhost:9/", lambda route: route.fulfill(body="<p>", content_type="text/html"))
    page.goto("http://localhost:9/")


def test_a_script_of_another_web_site_moves_no_piece_and_reads_nothing(square: FakeBackend, page: Page) -> None:
    address = page.url
    another_web_site(page)
    for method, path in (("POST", "api/lift"), ("GET", "api/pieces")):
        answer = page.evaluate(
            """([address, method]) => fetch(address, { method, body: method === "POST" ? '{"site":"b3"}' : undefined })
                .then(() => "answered", () => "kept out")""",
            [address + path, method],
        )
        assert answer == "kept out"
    assert square.hand.log == []


def test_a_form_of_another_web_site_moves_no_piece(square: FakeBackend, page: Page) -> None:
    address = page.url
    another_web_site(page)
    with page.expect_response("**/api/lift") as answer:
        page.evaluate(
            """address => {
                document.body.innerHTML = `<form method="post" enctype="text/plain" action="${address}api/lift">
                    <input name='{"site":"b3","x":"' value='"}'></form>`;
                document.forms[0].submit();
            }""",
            address,
        )
    assert answer.value.status == 403
    assert square.hand.log == []
