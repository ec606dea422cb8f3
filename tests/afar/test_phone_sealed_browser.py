"""What a phone far away chooses in secret, in Chromium: sealed on its page, opened by it alone when all are sealed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from controller.app.cli import cli
from controller.commitments import commitment
from controller.table.session import Session
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.afar.brokers import Cable
from tests.afar.relays import PATIENCE_MS, Home, far_page, home_and_relay, relay_at, sees
from tests.service.evenings import recorded
from tests.waiting import until
from tests.web_panel.real_backend import made, write

pytestmark = pytest.mark.realtime

STORED = """() => Object.entries(localStorage)
    .filter(([name]) => name.startsWith("beaconboard sealed ")).map(([, each]) => each)"""
STORE = """(changed) => {
    const name = Object.keys(localStorage).find((each) => each.startsWith("beaconboard sealed "));
    localStorage.setItem(name, changed);
}"""
TOLD = """([what]) => fetch("/api/order", {method: "POST", body: JSON.stringify(what)})
    .then(async (answer) => [answer.status, (await answer.json()).error])"""
BEHIND = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"


def session(home: Home) -> Session:
    play = home.real.running.service.look().table.play
    assert play is not None
    return play.session


def begin_bids(home: Home, **options: object) -> None:
    """Begin Beacons, with the page at home in the first seat."""
    home.new_game("beacons", rounds=1, **options)
    assert home.page.request.post(f"{home.real.address}api/seat", data={"seat": 0}).ok


def bid(page: Page, *units: int) -> None:
    """Fill the form in and confirm."""
    expect(page.locator("#share")).to_be_visible(timeout=PATIENCE_MS)
    for player, each in enumerate(units, 1):
        page.get_by_role("spinbutton", name=f"Player {player}").fill(str(each))
    page.get_by_role("button", name="Confirm").click()


def stored(page: Page) -> dict[str, Any]:
    """Return the only choice that the page keeps, with its hash."""
    (kept,) = page.evaluate(STORED)
    ((commit, choice),) = json.loads(kept)["choices"].items()
    return {"commit": commit, **choice}


def shows(page: Page, words: str, place: str = "#lines") -> None:
    expect(page.locator(place)).to_contain_text(words, timeout=PATIENCE_MS)


def everything(home: Home, folder: Path) -> bytes:
    """Return all that there is of the game at home: files, the table, and what each seat sees."""
    frame = home.real.running.service.look()
    views = [picture(frame.table, CALM, 1, seat) for seat in (None, 0, 1)]
    files = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    return b"\n".join([*files, repr([session(home), frame.table.advice, *views]).encode()])


def test_a_bid_is_opened_by_a_page_that_was_reloaded_and_closed_and_can_be_checked(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    (tmp_path / "home").mkdir()
    with home_and_relay(browser, tmp_path / "home", "shell19", port) as home:
        begin_bids(home)
        link = home.invite(1)
        far = far_page(browser, link)
        bid(far, 9, 3)
        shows(far, "Your choice is sealed. Still to choose in secret: Player 1.", "#waits")
        shows(far, "You have sealed: bid 9 3.")
        expect(far.locator("#share")).to_have_count(0)
        far.screenshot(path=tmp_path / "sealed.png")
        choice = stored(far)
        there = everything(home, tmp_path / "home")
        assert choice["commit"].encode() in there
        assert choice["nonce"].encode() not in there
        assert b"bid 9 3" not in there
        far.reload()
        shows(far, "You have sealed: bid 9 3.")
        far.goto("about:blank")
        bid(home.page, 3, 9)
        shows(home.page, "they are opened as soon as Ada's page answers", "#waits")
        home.page.screenshot(path=tmp_path / "home.png")
        assert choice["nonce"].encode() not in everything(home, tmp_path / "home")
        assert session(home).plies == ()
        far.goto(link)
        made(far, 2)
        assert home.real.plies == ("bid 3 9", "bid 9 3")
        far.screenshot(path=tmp_path / "opened.png")
        expect(far.locator("#advice")).not_to_contain_text("believe")
        far.context.close()
    file = tmp_path / "evening.jsonl"
    file.write_text(recorded(tmp_path / "home" / "games.sqlite3", 1))
    said = CliRunner().invoke(cli, ["verify", str(file)])
    assert said.exit_code == 0, said.output
    assert f"as {choice['commit']}, opened" in said.output
    assert said.output.count("(as sealed): bid ") == 2


def test_an_array_is_set_up_with_a_reload_in_the_middle(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "hex91", port) as home:
        home.new_game("cyvasse", setup="secret")
        home.page.request.post(f"{home.real.address}api/seat", data={"seat": 0})
        far = far_page(browser, home.invite(1))
        far.get_by_role("button", name="Corner").click(timeout=PATIENCE_MS)
        far.reload()  # before it is sealed: the draft is there still
        far.get_by_role("button", name="Ready").click(timeout=PATIENCE_MS)
        shows(far, "Your choice is sealed. Still to choose in secret: White.", "#waits")
        expect(far.locator("#arrange")).to_have_count(0)
        far.screenshot(path=tmp_path / "sealed.png")
        array = stored(far)["plies"]
        assert len(array) == 26
        far.reload()
        shows(far, f"You have sealed: {', '.join(array)}.")
        write(far, "K@e10")
        expect(far.locator("#writing .refusal")).to_have_text("Your choice is sealed: it cannot be changed any more.")
        home.page.reload()
        home.page.get_by_role("button", name="Wall").click(timeout=PATIENCE_MS)
        home.page.get_by_role("button", name="Ready").click()
        made(far, 52)
        assert list(home.real.plies[26:]) == array
        expect(far.locator("#lines")).not_to_contain_text("sealed")
        far.screenshot(path=tmp_path / "opened.png")
        far.context.close()


def test_what_is_sealed_without_a_line_is_told_when_the_page_is_there_again(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    cable = Cable(port)
    with home_and_relay(browser, tmp_path, "shell19", port, cable.port) as home:
        begin_bids(home)
        link = home.invite(1)
        far = far_page(browser, link)
        expect(far.locator("#share")).to_be_visible(timeout=PATIENCE_MS)
        cable.cut()
        bid(far, 9, 3)
        shows(far, "Your choice is sealed, and on its way to the board.", "#waits")
        assert session(home).promises.all == ()
        far.goto("about:blank")
        cable.plug_in()
        far.goto(link)
        shows(far, "Your choice is sealed. Still to choose in secret: Player 1.", "#waits")
        home.order(do="ply", text="bid 3 9", seat=0)
        made(far, 2)
        assert home.real.plies == ("bid 3 9", "bid 9 3")
        far.context.close()
    cable.close()


def test_a_page_behind_others_opens_what_it_has_sealed(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "shell19", port) as home:
        begin_bids(home)
        far = far_page(browser, home.invite(1))
        bid(far, 9, 3)
        shows(far, "Your choice is sealed. Still to choose in secret: Player 1.", "#waits")
        far.evaluate(BEHIND, True)
        home.order(do="ply", text="bid 3 9", seat=0)
        until(lambda: session(home).plies == ("bid 3 9", "bid 9 3"))
        assert far.locator("#plies li").count() == 0  # nobody looks: nothing is drawn
        far.evaluate(BEHIND, False)
        made(far, 2)
        far.context.close()


def test_two_phones_and_the_board_bid_at_once(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "shell19", port) as home:
        begin_bids(home, players=3)
        one, other = (far_page(browser, home.invite(seat, name)) for seat, name in ((1, "Ada"), (2, "Bob")))
        bid(other, 0, 0, 12)
        shows(one, "Still to choose: Player 1 and Ada.", "#waits")
        bid(home.page, 4, 4, 4)
        assert session(home).plies == ()
        bid(one, 9, 3, 0)
        for page in (one, other, home.page):
            made(page, 3)
        assert home.real.plies == ("bid 4 4 4", "bid 9 3 0", "bid 0 0 12")
        for page in (one, other):
            page.context.close()


def test_a_choice_that_was_changed_after_it_was_sealed_is_refused(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "shell19", port) as home:
        begin_bids(home)
        link = home.invite(1)
        far = far_page(browser, link)
        bid(far, 9, 3)
        shows(far, "You have sealed: bid 9 3.")
        kept = stored(far)
        choice = {"nonce": kept["nonce"], "plies": kept["plies"]}
        far.evaluate(STORE, json.dumps({"choices": {kept["commit"]: {**choice, "plies": ["bid 3 9"]}}}))
        home.order(do="ply", text="bid 3 9", seat=0)
        shows(far, "What this seat has sealed is not kept in this browser", "#advice")
        before = session(home)
        assert before.plies == ()
        words: list[tuple[dict[str, object], str]] = [
            ({"do": "reveal", "seat": 1, "nonce": "00" * 32, "plies": kept["plies"]}, "what was opened is not"),
            ({"do": "reveal", "seat": 1, "nonce": kept["nonce"], "plies": ["bid 3 9"]}, "what was opened is not"),
            ({"do": "reveal", "seat": 1, "nonce": "00" * 31, "plies": kept["plies"]}, "nonce"),
            ({"do": "reveal", "seat": 0, "nonce": kept["nonce"], "plies": kept["plies"]}, "This link is for another"),
            ({"do": "commit", "seat": 1, "made": 0, "commit": "ab" * 32}, "cannot be changed any more"),
            ({"do": "commit", "seat": 0, "made": 0, "commit": kept["commit"]}, "This link is for another seat."),
        ]
        for word, why in words:
            status, error = far.evaluate(TOLD, [word])
            assert status in (400, 409), word
            assert why in error
        assert far.evaluate(TOLD, [{"do": "commit", "seat": 1, "made": 0, "commit": kept["commit"]}])[0] == 200
        assert session(home) == before
        at_home = home.page.request.post(f"{home.real.address}api/order", data={**words[0][0], "seat": 0})
        assert at_home.json()["error"] == "Only the other board itself says what is played there."
        far.evaluate(STORE, json.dumps({"choices": {kept["commit"]: choice}}))
        far.reload()
        made(far, 2)
        assert home.real.plies == ("bid 3 9", "bid 9 3")
        far.context.close()


def test_a_browser_that_has_lost_its_choice_says_what_to_do(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "shell19", port) as home:
        begin_bids(home)
        link = home.invite(1)
        far = far_page(browser, link)
        bid(far, 9, 3)
        shows(far, "You have sealed: bid 9 3.")
        other = far_page(browser, link)
        shows(other, "What this seat has sealed is not kept in this browser", "#advice")
        far.evaluate("localStorage.clear()")
        far.reload()
        shows(far, "or let the people at the board end this link.", "#advice")
        far.screenshot(path=tmp_path / "lost.png")
        home.order(do="ply", text="bid 3 9", seat=0)
        home.end()
        until(lambda: not session(home).bound)
        again = far_page(browser, home.invite(1))
        bid(again, 6, 6)
        shows(again, "Your choice is sealed. Still to choose in secret: Player 1.", "#waits")
        home.order(do="ply", text="bid 2 10", seat=0)
        made(again, 2)
        assert home.real.plies == ("bid 2 10", "bid 6 6")
        for page in (far, other, again):
            page.context.close()


def test_a_browser_that_keeps_nothing_seals_nothing(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "shell19", port) as home:
        begin_bids(home)
        context = browser.new_context(viewport={"width": 390, "height": 844})
        context.add_init_script(FULL)
        far = context.new_page()
        far.goto(home.invite(1))
        bid(far, 9, 3)
        shows(far, "This browser keeps nothing", "#toast")
        expect(far.locator("#share")).to_be_visible()
        assert session(home).promises.all == ()
        context.close()


def test_half_a_choice_and_one_in_clear_go_no_further_than_the_page(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    with home_and_relay(browser, tmp_path, "shell19", port) as home:
        begin_bids(home)
        far = far_page(browser, home.invite(1))
        expect(far.locator("#share")).to_be_visible(timeout=PATIENCE_MS)
        for text in ("bid 9", "bid 9 4", "bid -1 13", "bid 9 3 0", "end", "bid 1e1 2"):
            write(far, text)
            expect(far.locator("#writing .refusal")).to_have_text("This is not a whole choice: make it with the form.")
        assert session(home).promises.all == ()
        write(far, " bid  09 3")
        shows(far, "You have sealed: bid 9 3.")
        home.order(do="ply", text="bid 3 9", seat=0)
        made(far, 2)
        far.context.close()


def test_nobody_is_invited_to_a_seat_after_a_choice_that_was_not_sealed(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    with home_and_relay(browser, tmp_path, "shell19", port) as home:
        begin_bids(home)
        home.order(do="ply", text="bid 3 9", seat=0)
        answer = home.page.request.post(f"{home.real.address}api/afar/phone", data={"seat": 1, "name": "Ada"})
        assert answer.json()["error"] == (
            "Secret moves have been made here already: begin a new game and invite the others first."
        )
        assert home.page.request.get(f"{home.real.address}api/afar").json()["phones"] == []
        looks_on = far_page(browser, home.invite(None))
        sees(looks_on, "Beacons")
        looks_on.context.close()


# ---- the script by itself ---------------------------------------------------------------------------------

SEALER = """async ([views, kept]) => {
    const { Sealer } = await import("/static/far/far_sealed.js");
    const given = [];
    localStorage.setItem("beaconboard sealed room", JSON.stringify(kept));
    const order = (what) => (given.push(what), new Promise(() => {}));
    const sealer = new Sealer({ room: "room", changed: () => {}, order });
    const seen = views.map((view) => sealer.see(view));
    return { given, seen, kept: JSON.parse(localStorage.getItem("beaconboard sealed room")) };
}"""
OWN: dict[str, Any] = {"nonce": "11" * 32, "plies": ["bid 9 3"]}
THEIRS: dict[str, Any] = {"nonce": "22" * 32, "plies": ["bid 3 9"]}
COMMITS = [commitment("beacons", 5, n, 0, each["plies"], each["nonce"]) for n, each in enumerate((THEIRS, OWN))]
KEPT = {"choices": {COMMITS[1]: OWN}}
DISBELIEF = "do not believe this game."


@pytest.fixture
def page(browser: Browser) -> Any:
    with relay_at(1) as relay:  # nobody is there
        page = browser.new_page()
        page.goto(relay)
        yield page
        page.close()


def view(*sealed: dict[str, Any], seats: tuple[int, ...] = (0, 1)) -> dict[str, Any]:
    sealing = {"seat": 1, "seed": "5", "made": 0, "seats": list(seats), "sealed": list(sealed)}
    return {"game": "beacons", "phase": "play", "plies": [], "lines": [], "advice": "", "waits": "", "sealing": sealing}


def told(seat: int, commit: str = "", **more: Any) -> dict[str, Any]:
    return {"seat": seat, "made": 0, "commit": commit or COMMITS[seat], **more}


def test_a_page_opens_only_when_everybody_is_bound(page: Page) -> None:
    early = [view(), view(told(1)), view(told(1), seats=(1,)), view(told(1), told(0), seats=(0, 1, 2))]
    assert page.evaluate(SEALER, [early, KEPT])["given"] == []
    found = page.evaluate(SEALER, [[*early, view(told(1), told(0)), view(told(1), told(0))], KEPT])
    assert found["given"] == [{"do": "reveal", "seat": 1, **OWN}]
    assert found["kept"]["choices"][COMMITS[1]]["against"] == {"0": COMMITS[0]}


@pytest.mark.parametrize(
    ("after", "believed"),
    [
        (view(told(0, **THEIRS), told(1, **OWN), seats=()), True),
        (view(told(0, commit="ab" * 32), told(1)), False),
        (view(told(1)), False),
        (view(told(0), told(1), told(2, commit="cd" * 32)), False),
        (view(told(0, **{**THEIRS, "plies": ["bid 0 12"]}), told(1, **OWN), seats=()), False),
        (view(told(0, **{**THEIRS, "nonce": "33" * 32}), told(1, **OWN), seats=()), False),
        (view(told(0, **{**THEIRS, "nonce": "22" * 80}), told(1, **OWN), seats=()), False),
        (view(), True),  # another game
    ],
)
def test_who_has_opened_holds_the_others_to_what_they_had_sealed(
    page: Page, after: dict[str, Any], believed: bool
) -> None:
    found = page.evaluate(SEALER, [[view(told(1), told(0)), after], KEPT])
    assert len(found["given"]) == 1
    assert found["seen"][1]["advice"].endswith(DISBELIEF) != believed


def test_a_choice_of_another_position_is_not_sent(page: Page) -> None:
    waiting = {**KEPT, "waiting": {"at": "beacons 5 1 0", "commit": COMMITS[1]}}
    given = page.evaluate(SEALER, [[view(), view()], waiting])["given"]
    assert given == [{"do": "commit", "seat": 1, "made": 0, "commit": COMMITS[1]}]
    later = {**waiting, "waiting": {"at": "beacons 6 1 0", "commit": COMMITS[1]}}
    assert page.evaluate(SEALER, [[view()], later])["given"] == []


def test_what_the_page_is_bound_to_is_what_the_board_holds_it_to(page: Page) -> None:
    known = [anything(random.Random(seed)) for seed in range(300)]
    hashed = page.evaluate(
        "async (all) => (await import('/static/far/far_sealed.js').then(({ commitment }) => all.map(commitment)))",
        known,
    )
    for one, found in zip(known, hashed, strict=True):
        assert found == commitment(**{**one, "seed": int(one["seed"])})


def anything(dice: random.Random) -> dict[str, Any]:
    plies = ["".join(dice.choices('aK@9 ;"\\/é😀', k=dice.randrange(9))) for _ in range(dice.randrange(30))]
    seed = str(dice.getrandbits(dice.choice((1, 32, 53, 80))))
    game, nonce = dice.choice(["beacons", "cyvasse"]), dice.randbytes(32).hex()
    return {"game": game, "seed": seed, "seat": dice.randrange(16), "made": dice.randrange(999), "plies": plies,
            "nonce": nonce}  # fmt: skip
