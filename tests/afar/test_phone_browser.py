"""A phone far away in Chromium: the page of a relay, a broker, and the real service at home. Whole games of all six."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.broker import Broker, BrokerLine, BrokerMessage
from controller.panel.pieces_needed import expected
from controller.panel.table_backend import TableBackend
from tests.afar.brokers import Cable
from tests.afar.relays import PATIENCE_MS, Home, far_page, home_and_relay, sees
from tests.waiting import until
from tests.web_panel.real_backend import made, tap, write
from tests.web_panel.real_table import stream_of
from tests.web_panel.test_play_games import CIRCLE, GIANTSLAYER

GAMES: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "tides-of-war": ("square144", {}, "c3-d3; e3xc3xa1", "You win: a town is conquered"),
    "giantslayer": ("hex91", {"rounds": 1}, GIANTSLAYER, "all giants slain"),
    "circle": ("square144", {}, CIRCLE, "You win"),
    "cyvasse": ("hex91", {}, "i3-g7; c9xg7; h3-i3; g7xi3; k1-j1; i3xh2", "the king is taken"),
    "tam-ruat-chess": ("square144", {}, "j1-j3; c11-c10; j3-i6; h11-g10; i6-h9", "checkmate"),
}  # those that are played in the open; the others below
AT_WATCH = """
    window.seen = [];
    const Plain = MessageEvent;
    window.MessageEvent = class extends Plain {
        constructor(kind, more) { super(kind, more); window.seen.push(more.data); }
    };
"""


@pytest.fixture
def cable(port: int) -> Iterator[Cable]:
    """The way of home and relay to the broker."""
    cable = Cable(port)
    yield cable
    cable.close()


def mover(home: Home) -> int | None:
    play = home.real.running.service.look().table.play
    assert play is not None
    return play.session.game.seat(play.session.state)


def told(home: Home) -> dict[str, Any]:
    """Return what the people at home are told of the only link."""
    (phone,) = home.page.request.get(f"{home.real.address}api/afar").json()["phones"]
    return dict(phone)


def over(page: Page, sentence: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-phase", "over", timeout=PATIENCE_MS)
    expect(page.locator("#sentence")).to_have_text(re.compile(sentence))


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_a_phone_far_away(browser: Browser, tmp_path: Path, port: int, game: str) -> None:
    board, options, text, ending = GAMES[game]
    with home_and_relay(browser, tmp_path, board, port) as home:
        home.new_game(game, **options)
        far = far_page(browser, home.invite(1))
        expect(far.locator("#mine, #others").get_by_text("Ada")).to_be_visible(timeout=PATIENCE_MS)
        plies = text.split(";")
        for number, ply in enumerate(plies, 1):
            if mover(home) == 1:
                write(far, ply.strip())
            else:
                home.order(do="ply", text=ply.strip())
            made(far, number)
        over(far, ending)
        assert home.real.plies == tuple(ply.strip() for ply in plies)
        far.context.close()


def test_tides_of_war_is_played_with_taps(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tides-of-war")
        far = far_page(browser, home.invite(1))
        sees(far, "Tides of War")
        tap(far, "c3")  # it is not this phone's turn
        expect(far.locator("#toast")).to_have_text("It is not your turn.")
        home.order(do="ply", text="c3-d3")
        home.page.request.post(f"{home.real.address}api/set_up", data={})
        made(far, 1)
        tap(far, "e3")
        tap(far, "a1")
        over(far, "You win: a town is conquered")
        assert home.real.plies == ("c3-d3", "e3xc3xa1")
        far.context.close()


def test_beacons_is_played_from_the_bids_to_the_tally_and_home_never_shows_a_bid(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    with home_and_relay(browser, tmp_path, "shell19", port) as home:
        home.new_game("beacons", rounds=1, seed=5)
        home.page.request.post(f"{home.real.address}api/seat", data={"seat": 0})
        browser_of_far = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        browser_of_far.add_init_script(AT_WATCH)
        far = browser_of_far.new_page()
        far.goto(home.invite(1))
        expect(far.locator("#share")).to_contain_text("12 of 12 left", timeout=PATIENCE_MS)
        home.order(do="ply", text="bid 3 9", seat=0)
        for player, times in ((1, 9), (2, 3)):
            for _ in range(times):
                far.locator(".share-row").nth(player - 1).get_by_role("button", name="One more").click()
        expect(far.locator("#share")).to_contain_text("All 12 shared out")
        seen = far.evaluate("window.seen.join()")
        assert '"phase"' in seen
        assert "bid 3 9" not in seen
        far.get_by_role("button", name="Confirm").click()
        made(far, 2)
        assert home.real.plies == ("bid 3 9", "bid 9 3")
        ended = 2
        while far.locator("body").get_attribute("data-phase") != "over" and ended < 14:
            if mover(home) == 1:
                far.locator("#acts").get_by_role(
                    "button", name=re.compile("^(End turn|Done )|: end turn|: done ")
                ).click()
                sheet = far.get_by_role("dialog")
                if sheet.is_visible():  # units would be lost
                    sheet.get_by_role("button", name=re.compile("^Done |: done ")).click()
            else:
                home.order(do="ply", text="end", seat=0)
            ended += 1
            made(far, ended)
        over(far, "points and dominant cells are equal")
        browser_of_far.close()


def test_cyvasse_is_set_up_in_secret_by_a_phone_far_away(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "hex91", port) as home:
        home.new_game("cyvasse", setup="secret")
        home.page.request.post(f"{home.real.address}api/seat", data={"seat": 0})
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        context.add_init_script(AT_WATCH)
        far = context.new_page()
        far.goto(home.invite(1))
        expect(far.get_by_role("button", name="Corner")).to_be_visible(timeout=PATIENCE_MS)
        home.page.reload()
        home.page.get_by_role("button", name="Wall").click()
        home.page.get_by_role("button", name="Ready").click()
        expect(far.locator("#waits")).to_contain_text("Still to choose: Ada.", timeout=PATIENCE_MS)
        assert "K@" not in far.evaluate("window.seen.join()")
        home.new_game("cyvasse", setup="secret")  # the same link plays on
        expect(far.locator("#waits")).to_contain_text("Still to choose: White and Ada.", timeout=PATIENCE_MS)
        far.get_by_role("button", name="Corner").click(timeout=PATIENCE_MS)
        far.get_by_role("button", name="Ready").click()
        expect(far.locator("#waits")).to_contain_text("Your choice is sealed. Still to choose in secret: White.")
        home.page.reload()
        home.page.get_by_role("button", name="Standard").click()
        home.page.get_by_role("button", name="Ready").click()
        for page, whites in ((home.page, "Your"), (far, "White's")):
            expect(page.locator("#arrange")).to_have_count(0, timeout=PATIENCE_MS)
            expect(page.locator("#lines")).to_contain_text(f"{whites} fortress: h2")
        assert len(home.real.plies) == 2 * 26
        context.close()


def test_a_line_that_is_cut_in_the_middle_loses_and_doubles_nothing(
    browser: Browser, tmp_path: Path, cable: Cable
) -> None:
    with home_and_relay(browser, tmp_path, "square144", cable.port) as home:
        home.new_game("tam-ruat-chess")
        far = far_page(browser, home.invite(1))
        sees(far, "Chess of Tam Ruat")
        home.order(do="ply", text="j1-j3")
        made(far, 1)
        cable.cut()
        expect(far.locator("#banner")).to_contain_text("reconnecting", timeout=PATIENCE_MS)
        write(far, "c11-c10")  # into no line: it arrives when there is one again
        far.wait_for_timeout(500)
        assert len(home.real.plies) == 1
        cable.plug_in()
        made(far, 2)
        expect(far.locator("#banner")).to_be_hidden(timeout=PATIENCE_MS)
        cable.cut()
        home.order(do="ply", text="j3-i6")  # the phone hears of it when the line is back
        cable.plug_in()
        expect(far.locator("#plies li")).to_have_count(3, timeout=30_000)
        assert "; ".join(home.real.plies) == "j1-j3; c11-c10; j3-i6"
        far.context.close()


def test_a_link_that_was_ended_shows_and_does_nothing_more(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tides-of-war")
        link = home.invite(0)
        far = far_page(browser, link)
        sees(far, "Tides of War")
        home.end()
        expect(far.locator("#far-told")).to_have_text("The board has ended this link.", timeout=PATIENCE_MS)
        write(far, "c3-d3")
        expect(far.locator("#writing .refusal")).not_to_be_empty(timeout=PATIENCE_MS)
        assert home.real.plies == ()
        assert home.page.request.get(f"{home.real.address}api/afar").json()["phones"] == []
        far.goto("about:blank")
        far.goto(link)
        expect(far.locator("#far-told")).to_contain_text("The board does not answer.", timeout=20_000)
        home.order(do="ply", text="c3-d3")  # the seat is free again
        far.context.close()


def test_a_phone_that_its_owner_sends_away_has_no_link_any_more(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tides-of-war")
        far = far_page(browser, home.invite(0))
        sees(far, "Tides of War")
        (id,) = re.findall(r'"id":"(\w+)","name":"Ada"', stream_of(home.page))
        assert home.page.request.post(f"{home.real.address}api/revoke", data={"id": id}).ok
        expect(far.locator("#far-told")).to_have_text("The board has ended this link.", timeout=PATIENCE_MS)
        assert home.page.request.get(f"{home.real.address}api/afar").json()["phones"] == []
        far.context.close()


def test_a_wrong_key_shows_nothing_and_an_incomplete_one_is_told_at_once(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tides-of-war")
        link = home.invite(1)
        far = far_page(browser, link[:-9])
        expect(far.locator("#far-told")).to_have_text("The key of this link is incomplete: copy the whole link.")
        far.goto("about:blank")
        far.goto(home.relay)
        expect(far.locator("#far-told")).to_contain_text("Open this page by the link that you were sent")
        far.goto("about:blank")
        far.goto(link[:-3] + ("AAA" if not link.endswith("AAA") else "BBB"))
        expect(far.locator("#far-told")).to_contain_text("The board does not answer.", timeout=20_000)
        expect(far.locator("#title")).to_be_empty()
        assert told(home)["there"] is False
        far.context.close()


def test_whoever_repeats_or_forges_messages_at_the_broker_changes_nothing(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    crossed, stands = list[BrokerMessage](), list[bool]()
    other = BrokerLine(
        Broker("127.0.0.1", port), "", ("#",), crossed.append, lambda up, _: stands.append(up), most_bytes=1 << 24
    )
    other.start()
    until(lambda: stands == [True])
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tam-ruat-chess")
        far = far_page(browser, home.invite(0))
        sees(far, "Chess of Tam Ruat")
        write(far, "j1-j3")
        made(far, 1)
        home.order(do="take_back", to=0, made=1)
        far.get_by_role("button", name="Agree: take it back").click()
        made(far, 0)
        captured = list(crossed)
        for message in (*captured, *reversed(captured)):
            other.send(message)
        until(lambda: "it is not heard" in told(home)["said"])
        far.wait_for_timeout(500)  # until the answers to old questions who is there have come, too
        (room,) = {message.topic.split("/")[1] for message in captured}
        other.send(BrokerMessage(f"bb/{room}/up", bytes(100)))
        other.send(BrokerMessage(f"bb/{room}/down", b"no message at all, but as long as one"))
        expect(far.locator("#far-told")).to_contain_text("was not sealed with the key of this link")
        until(lambda: "was not sealed with the key of this link" in told(home)["said"])
        assert not home.real.plies
        made(far, 0)
        write(far, "j1-j3")  # and the line goes on
        made(far, 1)
        expect(far.locator("#far-told")).to_be_hidden()
        far.context.close()
    other.close()


def test_the_same_link_works_on_a_second_device(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tides-of-war")
        link = home.invite(0)
        one, other = far_page(browser, link), far_page(browser, link)
        for page in (one, other):
            sees(page, "Tides of War")
        write(one, "c3-d3")
        made(other, 1)
        other.reload()
        made(other, 1)
        for page in (one, other):
            page.context.close()


def test_at_a_board_whose_pieces_people_move_a_move_is_chosen_from_those_of_a_cell(
    browser: Browser, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_with_hand = TableBackend.__init__

    def without_hand(backend: TableBackend, *args: Any, **more: Any) -> None:
        made_with_hand(backend, *args, **more)
        backend.hand = None  # as where the board has real sensors

    monkeypatch.setattr(TableBackend, "__init__", without_hand)
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.order(do="new_game", game="tides-of-war", options={}, seed=1)
        far = far_page(browser, home.invite(0))
        sees(far, "Tides of War")
        service = home.real.running.service
        home.real.running.hand.set_up(expected(service.look().table))
        expect(far.locator("#sentence")).to_contain_text("Your turn", timeout=PATIENCE_MS)
        tap(far, "c3")
        far.get_by_role("dialog").get_by_role("button", name="d3", exact=False).first.click()
        made(far, 1)
        assert home.real.plies == ("c3-d3",)
        far.context.close()


def test_a_phone_is_invited_and_sent_away_on_the_page(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        here = home.page
        here.goto(f"{home.real.address}afar")
        expect(here.locator("#phone")).to_be_hidden()
        home.new_game("tides-of-war")
        here.get_by_label("Name of who plays there").fill("Ada")
        here.get_by_role("button", name="A phone plays Black").click()
        card = here.get_by_role("region", name="Black: Ada, on a phone far away")
        expect(card).to_contain_text("Nobody has opened this link yet.")
        link = card.get_by_role("textbox", name="The link").input_value()
        here.get_by_text("As a QR code").click()
        assert here.request.get(here.locator("#links img").evaluate("img => img.src")).status == 200
        expect(here.get_by_role("button", name="A phone plays Black")).to_have_count(0)
        far = far_page(browser, link)
        expect(card).to_contain_text("The phone is there.", timeout=PATIENCE_MS)
        here.get_by_role("button", name="A phone watches").click()
        expect(here.get_by_role("region", name="A phone far away looks on")).to_be_visible()
        card.get_by_role("button", name="End the link").click()
        here.locator("dialog").get_by_role("button", name="End the link").click()
        expect(card).to_have_count(0)
        expect(far.locator("#far-told")).to_have_text("The board has ended this link.", timeout=PATIENCE_MS)
        expect(here.get_by_role("button", name="A phone plays Black")).to_be_enabled()
        far.context.close()


def test_who_looks_on_sees_the_game_and_plays_nothing_of_it(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tides-of-war")
        far = far_page(browser, home.invite(None))
        sees(far, "Tides of War")
        home.order(do="ply", text="c3-d3")
        made(far, 1)
        ply = {"do": "ply", "text": "e3xc3xa1"}
        for path, body in (("order", ply), ("seat", {"seat": 1}), ("lift", {"site": "e3"})):
            status = far.evaluate(
                "([path, body]) => fetch(`/api/${path}`, {method: 'POST', body}).then((answer) => answer.status)",
                [path, json.dumps(body)],
            )
            assert status == 403, path
        assert home.real.plies == ("c3-d3",)
        far.context.close()


def test_a_phone_far_away_orders_for_its_own_seat_alone(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tides-of-war")
        far = far_page(browser, home.invite(1))
        sees(far, "Tides of War")
        asked = """([method, path, body]) => fetch(path, {method, ...(body && {body})})
            .then(async (answer) => [answer.status, (await answer.json()).error])"""
        orders = [
            ('{"do": "ply", "text": "c3-d3"}', "This link is for another seat."),
            ('{"do": "ply", "text": "c3-d3", "seat": 0}', "This link is for another seat."),
            ('{"do": "resign", "seat": 0}', "This link is for another seat."),
            ('{"do": "new_game", "game": "circle"}', "This can be done only at the board or on a phone there."),
            ('{"do": "brightness", "percent": 1}', "This can be done only at the board or on a phone there."),
        ]
        for order, refused in orders:
            assert far.evaluate(asked, ["POST", "/api/order", order]) == [409, refused]
        for path in ("/api/people", "/api/history", "/api/afar", "/api/watch", "/api/games", "/api/../api/afar"):
            status, sentence = far.evaluate(asked, ["GET", path, ""])
            assert (status, sentence) == (403, "This can be done only at the board or on a phone there."), path
        for path in ("/api/seat", "/api/afar/end", "/api/me", "/api/pair", "/api/finish", "/api/leave"):
            assert far.evaluate(asked, ["POST", path, "{}"])[0] == 403, path
        assert not home.real.plies
        home.order(do="ply", text="c3-d3")
        made(far, 1)
        far.get_by_role("button", name="Take back").click()  # White's: White is asked
        expect(home.page.get_by_role("button", name="Agree: take it back")).to_be_visible()
        assert home.real.plies == ("c3-d3",)
        far.context.close()
