"""Board care: what is counted from events alone, the last minutes, and the page in Chromium on the real service."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.diagnostics.sensor_health import BOUNCE_US, LastLines, SensorHealth
from controller.diagnostics.strength import CELLS
from controller.events import SOUTH, Link, Snapshot, Touch
from controller.journal.excerpt import tail
from controller.journal.recording import parse, replay
from controller.journal.recording import write as lines_of
from controller.orders import NewGame, PlayPly
from controller.table.state import Table
from tests.waiting import until
from tests.web_panel.real_backend import begin, do_it, made, real_app, real_panel, write

SECOND_US = 1_000_000


class Board:
    """The figures of a board, with a clock of its own."""

    def __init__(self) -> None:
        self.t_us = 0
        self.health = SensorHealth(("a1", "b1", "c1"), lambda: self.t_us)

    def touch(self, site: str, on: bool, after_us: int = SECOND_US) -> None:
        self.t_us += after_us
        self.health.take(Touch(self.t_us, site, on))


def test_a_magnet_that_lies_well_has_no_bounces_and_its_dwell() -> None:
    board = Board()
    for _ in range(3):
        board.touch("a1", True)
        board.touch("a1", False, 2 * SECOND_US)
    told = board.health.report()
    assert told["sites"]["a1"] == {"changes": 6, "bounces": 0, "on": False, "shortest_ms": 2000, "mean_ms": 2000}
    assert told["weak"] == []


def test_weak_magnets_are_ranked_by_how_much_of_what_they_do_is_bouncing() -> None:
    board = Board()
    for _ in range(4):
        board.touch("b1", True)
        board.touch("b1", False, BOUNCE_US - 1)
    for _ in range(4):
        board.touch("a1", True)
        board.touch("a1", False)
    board.touch("a1", True, BOUNCE_US - 1)
    told = board.health.report()
    assert told["weak"] == ["b1", "a1"]
    assert (told["sites"]["b1"]["bounces"], told["sites"]["a1"]["bounces"]) == (4, 1)
    assert told["sites"]["b1"]["shortest_ms"] == (BOUNCE_US - 1) // 1000


def test_a_change_as_slow_as_a_hand_is_none() -> None:
    board = Board()
    board.touch("a1", True)
    board.touch("a1", False, BOUNCE_US)
    assert board.health.report()["weak"] == []


def test_the_longest_gap_of_a_bounce_is_told() -> None:
    board = Board()
    assert board.health.report()["gap_ms"] is None
    board.touch("a1", True)
    board.touch("a1", False)
    for gap_us in (20_000, 44_100, BOUNCE_US):
        board.touch("a1", True, gap_us)
        board.touch("a1", False)
    assert board.health.report()["gap_ms"] == 45


def test_what_came_to_be_unseen_has_no_dwell() -> None:
    board = Board()
    board.health.take(Snapshot(5, frozenset({"a1"})))
    board.touch("a1", False, 10)
    told = board.health.report()["sites"]["a1"]
    assert (told["bounces"], told["shortest_ms"], told["on"]) == (0, None, False)


def test_the_link_is_told_with_its_losses() -> None:
    board = Board()
    board.health.take(Link(1, up=True))
    assert board.health.report()["link"]["up"]
    board.health.take(Link(2, up=False, sentence="it is unplugged"))
    told = board.health.report()["link"]
    assert (told["up"], told["losses"], told["last_losses"]) == (False, 1, ["it is unplugged"])


def test_touches_of_the_last_minute_are_counted() -> None:
    board = Board()
    for _ in range(5):
        board.touch("a1", True)
        board.touch("a1", False)
    board.t_us += 55 * SECOND_US
    link = board.health.report()["link"]
    assert (link["touches"], link["touches_per_minute"]) == (10, 5)


def test_an_ear_hears_everything_after_the_table_does() -> None:
    board = Board()
    passed: list[object] = []
    hear: Callable[[Touch], None] = board.health.counting(passed.append)
    hear(Touch(1, "a1", True))
    assert passed == [Touch(1, "a1", True)]
    assert board.health.report()["sites"]["a1"]["on"]


def test_the_log_that_everybody_sees_leaves_out_the_words_of_an_exception() -> None:
    kept, log = LastLines(), logging.getLogger("test_diagnostics")
    log.setLevel(logging.INFO)
    log.addHandler(kept)
    log.info("the board is set up")
    try:
        raise KeyError("bid 5 7")
    except KeyError:
        log.exception("it failed")
    log.removeHandler(kept)
    first, second = (line.split(" ", 1)[1] for line in kept.lines())
    assert first == "the board is set up"
    assert second.startswith("it failed\n")
    assert second.endswith("\nKeyError")
    assert "bid 5 7" not in second.replace('raise KeyError("bid 5 7")', "")  # the line of code is there, not its values


# ---- the last minutes ----


def stands(table: Table) -> bool:
    """Whether the pieces stand as they should."""
    play = table.play
    return play is not None and not play.setting_up and table.now & play.game_area.area == play.standings[-1]


def evening(folder: Path, plies: list[str]) -> str:
    """Play on the real service, by the phone with pieces that follow; returns the whole recording."""
    with ExitStack() as held:
        app, running, _ = real_app("square144", folder, held)
        client = app.test_client()
        running.service.submit(NewGame(game="tides-of-war", seed=1))
        for text in ["", *plies]:
            if text:
                running.service.submit(PlayPly(text))
            assert client.post("/api/set_up", json={}).status_code == 200
            next(seen for seen in running.service.watch() if seen is not None and stands(seen.table))
        return str(client.get("/api/history/1/recording").get_data(as_text=True))


PLIES = ["c2-d3", "e4xc2xc4", "b4-b5", "f2-f1"]


@pytest.mark.slow
@pytest.mark.parametrize("keep", [0.0, 0.2, 0.5, 0.8, 1.0])
def test_the_end_of_a_recording_replays_to_the_same_game(tmp_path: Path, keep: float) -> None:
    whole = parse(evening(tmp_path, PLIES))
    span_us = int(whole.lines[-1].t_us * keep)
    header, lines = tail(whole, span_us)
    assert len(lines) <= len(whole.lines)
    again = parse("\n".join(lines_of(header, lines)))
    ends = [list(replay(each))[-1][0] for each in (whole, again)]
    plays = [end.play for end in ends]
    assert all(play is not None for play in plays)
    assert [play.session.plies for play in plays if play] == [tuple(PLIES)] * 2
    assert ends[0].now == ends[1].now


def test_a_short_end_leaves_the_beginning_out(tmp_path: Path) -> None:
    whole = parse(evening(tmp_path, PLIES))
    header, lines = tail(whole, 1)
    assert header.plies
    assert len(lines) < len(whole.lines) / 2
    assert all(line.t_us >= 0 for line in lines)


# ---- the page ----


def test_the_map_shows_magnets_and_bounces_as_they_come(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as real:
        page.goto(real.address + "care")
        expect(page.locator("#link")).to_have_text("The sensor board answers.")
        expect(page.locator("#board .site")).to_have_count(144)
        board = real.switch
        board.set_sensor("d4", True)
        expect(page.locator('#board [data-site="d4"]')).to_have_accessible_name("d4, a magnet, bounces: 0")
        board.chatter("d4", 3)
        expect(page.locator("#weak tr")).to_have_count(2)
        expect(page.locator("#weak tr").last).to_contain_text("d4")
        expect(page.locator("#board .mark.between")).to_have_count(1)
        board.unplug()
        expect(page.locator("#link")).to_contain_text("unplugged")
        expect(page.locator("#figures")).to_contain_text("Connection losses: 1")


def test_fields_of_linear_sensors_are_shown_and_judged_while_somebody_looks(page: Page, tmp_path: Path) -> None:
    with real_panel("cell36", tmp_path) as real:
        board = real.switch
        board.set_sensor("a1", True, 1)
        board.set_field("c3", 3.4)
        board.set_sensor("c3", True, -1)
        board.stick("f1", True)
        board.set_rest("f6", 2.0)
        page.goto(real.address + "care")
        figures = page.locator("#board [data-field]")
        expect(figures).to_have_count(36)
        for site, figure in (("a1", "+7.3"), ("c3", "−3.4"), ("e2", "+0.0")):
            expect(page.locator(f'#board [data-field="{site}"]')).to_have_text(figure)
        expect(page.locator('#board [data-site="a1"]')).to_have_accessible_name("a1, a magnet, +7.3 mT, bounces: 0")
        expect(page.locator("#field-findings li")).to_have_count(3)
        for site, words in (("c3", "reaches only −3.4 mT"), ("f1", "sticks at the end"), ("f6", "rests at +2.0 mT")):
            expect(page.locator("#field-findings li").filter(has_text=f"{site}:")).to_contain_text(words)
        board.set_rest("f6", 0.0)
        expect(page.locator("#field-findings li")).to_have_count(2)


def test_a_magnet_upside_down_is_named_by_what_the_game_wants_there(tmp_path: Path) -> None:
    with ExitStack() as held:
        app, running, _ = real_app("cell36", tmp_path, held)
        running.service.submit(NewGame(game="tides-of-war", seed=1))
        table, board, client = running.service.look().table, running.sensors, app.test_client()
        assert isinstance(board, SimulatedBoard)
        assert table.play is not None
        marks = table.board.marks(table.play.standings[-1])
        sensed = {site.name for site in running.profile.sites}
        for mark in marks:
            if mark.removeprefix(SOUTH) in sensed:
                board.set_sensor(mark.removeprefix(SOUTH), True, -1 if mark.startswith(SOUTH) else 1)
        until(lambda: client.get("/api/care").get_json()["fields"]["sites"])
        assert client.get("/api/care").get_json()["fields"]["findings"] == []
        north = next(mark for mark in marks if not mark.startswith(SOUTH) and mark in sensed)
        board.set_sensor(north, False)
        board.set_sensor(north, True, -1)
        (found,) = until(lambda: client.get("/api/care").get_json()["fields"]["findings"])
        assert found["what"] == f"{north}: −7.3 mT, but the piece that belongs there has its north pole down."


def test_kinds_are_measured_by_a_walk_and_the_page_says_how_sure_they_are(page: Page, tmp_path: Path) -> None:
    with real_panel("cell36", tmp_path) as real:
        page.goto(real.address + "care")
        page.get_by_role("button", name="Measure two kinds").click()
        asked = page.locator("#kinds-asked")
        for kind, field_mt in (("A", 7.7), ("B", 16.5)):
            for number in range(CELLS):
                expect(asked).to_contain_text(f"Kind {kind}, {number + 1} of {CELLS}: put a piece on ")
                site = asked.inner_text().split("put a piece on ")[1].split()[0]
                expect(page.locator(f'#board [data-site="{site}"]')).to_have_class(re.compile(r"\blit\b"))
                real.switch.set_field(site, field_mt + 0.3 * (number % 3 - 1))
                real.switch.set_sensor(site, True, 1)
                real.switch.set_sensor(site, False)
                if (kind, number) == ("A", 2):
                    expect(asked).to_contain_text("4 of")
                    page.locator("#kinds-back").click()
                    expect(asked).to_contain_text("3 of")
                    real.switch.set_sensor(site, True, 1)
                    real.switch.set_sensor(site, False)
        rows = page.locator("#kinds-known tr")
        expect(rows).to_have_count(3)
        expect(rows.nth(1)).to_contain_text("Kind A: 7.7 ±")
        shares = rows.nth(1).locator("td").all_inner_texts()[1:]
        right, wrong = (float(share.removeprefix("> ").removesuffix("%")) for share in shares)
        assert right > 99 > 1 > wrong
        expect(asked).to_have_text("")
        page.reload()
        expect(rows).to_have_count(3)


def test_nothing_is_measured_while_a_game_is_being_played(page: Page, tmp_path: Path) -> None:
    with real_panel("cell36", tmp_path) as real:
        page.goto(real.address)
        begin(page, "Tides of War")
        page.goto(real.address + "care")
        for button, told in (("Measure three kinds", "#kinds-told"), ("Measure the empty board", "#rests-told")):
            page.get_by_role("button", name=button).click()
            expect(page.locator(told)).to_have_text("A game is being played: pause it first.")


def test_a_cell_that_rests_far_off_is_mended_by_a_tap_on_an_empty_board(page: Page, tmp_path: Path) -> None:
    with real_panel("cell36", tmp_path) as real:
        board = real.switch
        board.set_rest("c3", -3.5)
        board.set_sensor("a1", True, 1)
        page.goto(real.address + "care")
        cell, now = page.locator('#board [data-site="c3"]'), page.locator("#rests-now")
        expect(page.locator("#rests")).to_contain_text("Take every piece off the board, then tap.")
        expect(cell).to_have_accessible_name("c3, a magnet, −3.5 mT, bounces: 0")
        expect(now).to_have_text("Not measured yet.")
        page.get_by_role("button", name="Measure the empty board").click()
        expect(now).to_contain_text("a1 +7.3 mT: no good sensor rests more than 4 mT off.")
        expect(page.get_by_role("button", name="Measure without these cells")).to_be_visible()
        board.set_sensor("a1", False)
        page.get_by_role("button", name="Measure the empty board").click()
        expect(now).to_contain_text("The rests of 36 of 36 sensors are kept. Far off: c3 −3.5 mT.")
        expect(page.get_by_role("button", name="Measure without these cells")).to_be_hidden()
        expect(cell).to_have_accessible_name("c3, empty, +0.0 mT, bounces: 0")
        expect(page.locator("#field-findings li")).to_have_count(0)
    with real_panel("cell36", tmp_path) as real:  # as after the power came back
        page.goto(real.address + "care")
        expect(now).to_have_text("Measured: 36 of 36 sensors.")


def test_a_board_of_reeds_shows_no_fields(page: Page, tmp_path: Path) -> None:
    with real_panel("first36", tmp_path) as real:
        page.goto(real.address + "care")
        expect(page.locator("#link")).to_have_text("The sensor board answers.")
        expect(page.locator("#fields")).to_be_hidden()
        expect(page.locator("#kinds")).to_be_hidden()
        expect(page.locator("#rests")).to_be_hidden()
        told = page.request.post(real.address + "api/care/kinds/begin", data={"kinds": 2})
        assert "do not tell how strong a magnet is" in told.json()["error"]
        expect(page.locator("#board [data-field]")).to_have_count(0)


def test_a_magnet_that_bounces_longer_than_is_forgiven_is_told_with_the_setting_that_does(
    page: Page, tmp_path: Path
) -> None:
    with real_panel("first36", tmp_path) as real:
        page.goto(real.address + "care")
        expect(page.locator("#link")).to_have_text("The sensor board answers.")
        expect(page.locator("#calibrate")).to_be_hidden()
        for t_us, on in ((1_000_000, True), (3_000_000, False), (3_050_000, True)):
            real.health.take(Touch(t_us, "b2", on))
        words = "disappeared for 50 ms. Seat it better, or raise flicker in the settings from 30 to 60 ms."
        expect(page.locator("#calibrate")).to_contain_text(words)


def test_the_last_minutes_are_saved_with_one_tap(page: Page, tmp_path: Path) -> None:
    with real_panel("square144", tmp_path) as real:
        answer = page.request.get(real.address + "api/care/recording")
        assert (answer.status, "No game" in answer.json()["error"]) == (409, True)
        page.goto(real.address)
        begin(page, "Tides of War")
        write(page, PLIES[0])
        made(page, 1)
        do_it(page)
        page.goto(real.address + "care")
        with page.expect_download() as loading:
            page.get_by_role("link", name="Save a recording of the last few minutes").click()
        last, _ = list(replay(parse(Path(loading.value.path()).read_text(encoding="utf-8"))))[-1]
        assert last.play is not None
        assert last.play.session.plies == (PLIES[0],)
