"""What the page of the board's health shows of a guided check and of what it found, and what can be learned from it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.diagnostics.guided_check import CheckRequest, GuidedCheck, hear, run
from controller.diagnostics.planted_faults import world
from controller.events import Touch
from controller.from_profile import table_board
from controller.panel import import_process
from controller.panel.diagnostics_backend import DiagnosticsBackend
from controller.refused import Later, Refused
from controller.sentences import in_language
from controller.table.state import Table
from hardware.profile import Profile, load, read
from tests.table.scenes import Scene

BOARD = load("first36")
SWAPPED = f"swap {BOARD.sites[0].name} {BOARD.sites[1].name}"
replace = msgspec.structs.replace


class Page:
    """The page at a board of which nothing is being played, with what was asked of the service."""

    def __init__(self, folder: Path, table: Table | None = None) -> None:
        self.check: GuidedCheck | None = None
        self.table = table or Table(table_board(BOARD))
        self.asked: list[CheckRequest] = []
        self.refuses = ""
        service: Any = SimpleNamespace(
            look=lambda: SimpleNamespace(table=self.table, check=self.check), check=self._ask, write_down=lambda: None
        )
        health: Any = SimpleNamespace(report=lambda: {"weak": []})
        log: Any = SimpleNamespace(lines=lambda: ["a line"])
        history: Any = SimpleNamespace(last_recording=lambda: "the last game")
        self.page = DiagnosticsBackend(BOARD, "first36", health, log, history, service, folder)

    def _look(self) -> Any:
        return SimpleNamespace(table=self.table, check=self.check)

    def _ask(self, request: CheckRequest) -> None:
        if self.refuses:
            raise Refused(self.refuses)
        self.asked.append(request)

    def walk(self, who: str = "ann") -> dict[str, Any]:
        found = self.page.report(who)["walk"]
        assert found is not None
        return dict(found)

    def began(self, of: Any, few: bool = True) -> None:
        self.check = run(None, CheckRequest(what="begin", who="ann", board=BOARD, of=of, few=few), self.table, 0)


def sensors_checked(profile: Profile, *faults: str) -> GuidedCheck:
    """Return a check in which a magnet was put on each sensor of a board that is wired with some ``faults``."""
    real, table = world(profile, faults), Table(table_board(profile))
    check = run(None, CheckRequest(what="begin", who="ann", board=profile, of="sensors"), table, 0)
    t_us = 0
    while check.who:
        site = check.asked_site
        assert site is not None
        heard = profile.by_bit()[real.chain.index(site)]
        assert heard is not None
        for on in (True, False):
            t_us += 1000
            check, _ = hear(replace(check, until_us=t_us + 9), Touch(t_us, heard, on))
            if not check.who:
                break
    return check


# ---- the report -------------------------------------------------------------------------------------------


def test_the_report_has_the_figures_the_board_and_whether_a_game_is_being_played(tmp_path: Path) -> None:
    found = Page(tmp_path).page.report()
    assert (found["weak"], found["log"], found["walk"], found["playing"]) == ([], ["a line"], None, False)
    assert found["flicker_ms"] == Table(table_board(BOARD)).timing.flicker_ms
    assert set(found["board"]["geometry"]["sites"]) == {site.name for site in BOARD.sites}
    assert Page(tmp_path, Scene("tides-of-war").run()).page.report()["playing"]
    assert Page(tmp_path, Scene("tides-of-war").hands("-c3 +f6").run()).page.report()["playing"]  # to be put right
    over = Scene("tides-of-war").order(do="resign", seat=0).run()
    assert not Page(tmp_path, over).page.report()["playing"]


def test_another_board_is_looked_at_from_now_on(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.page.now_on(load("hex91"))
    assert len(page.page.report()["board"]["geometry"]["sites"]) == 91
    page.page.begin("ann", "lights", few=True, again=False)
    assert page.asked[0].board.name == "hex91"


def test_a_check_is_shown_to_everybody_and_is_run_by_one(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.began("sensors")
    ann, ben, nobody = page.walk("ann"), page.walk("ben"), page.walk("")
    assert (ann["running"], ann["of"], ann["number"], ann["count"]) == (True, "sensors", 0, 36)
    assert [each["yours"] for each in (ann, ben, nobody)] == [True, False, False]
    assert ann["asked"] == BOARD.sites[0].name
    assert "findings" not in ann
    page.began("lights", few=True)
    assert page.walk()["count"] is None  # how many it takes depends on what is seen
    page.began("lights", few=False)
    assert page.walk()["count"] == 36
    assert page.walk()["asked"] is None


def test_a_check_that_is_over_shows_what_it_found(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.check = sensors_checked(BOARD)
    found = page.walk()
    assert (found["running"], found["done"], found["all"], found["learn"]) == (False, True, True, False)
    assert list(found["findings"]) == []
    page.began("lights")
    assert page.check is not None
    page.check = replace(page.check, who="", ended="the phone went away")
    stopped = page.walk()
    assert (stopped["done"], stopped["all"], stopped["ended"]) == (False, False, "the phone went away")


# ---- what is asked ----------------------------------------------------------------------------------------


def test_what_the_phone_wants_is_asked_of_the_service_in_its_name(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.page.begin("ann", "sensors", few=False, again=True)
    page.page.stay("ann")
    page.page.answer("ann", 3, BOARD.sites[4].name, back=False)
    page.page.answer("ann", 4, None, back=True)
    page.page.end("ann")
    assert [each.what for each in page.asked] == ["begin", "stay", "answer", "answer", "end"]
    assert {each.who for each in page.asked} == {"ann"}
    assert all(each.board is BOARD for each in page.asked)
    begin, _, third, fourth, _ = page.asked
    assert (begin.of, begin.few, begin.again) == ("sensors", False, True)
    assert (third.number, third.site, third.back) == (3, BOARD.sites[4].name, False)
    assert (fourth.number, fourth.site, fourth.back) == (4, None, True)


def test_a_site_that_the_board_has_not_is_no_answer_and_a_refusal_is_a_sentence(tmp_path: Path) -> None:
    page = Page(tmp_path)
    with pytest.raises(Refused, match="This board has no site z9"):
        page.page.answer("ann", 0, "z9", back=False)
    assert page.asked == []
    page.refuses = "another phone is running a board check"
    with pytest.raises(Refused) as refused:
        page.page.end("ann")
    assert str(refused.value) == "Another phone is running a board check."


# ---- what is learned --------------------------------------------------------------------------------------


def test_a_board_that_is_wired_otherwise_is_written_down_as_it_is(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.check = sensors_checked(BOARD, SWAPPED)
    assert page.walk()["learn"]
    told = page.page.learn()
    file = tmp_path / "learned" / "first36.toml"
    assert str(file) in told
    assert "make flash" in told  # the chain is another one
    on_panel = in_language(told, {})
    assert "Whoever built the board has to flash it with that first." in on_panel
    assert "make flash" not in on_panel
    assert "restarts" in told
    written = read("first36", file.read_bytes())
    swapped = {0: BOARD.sites[1].name, 1: BOARD.sites[0].name}
    bits = [BOARD.by_bit().index(site.name) for site in BOARD.sites[:2]]
    assert {n: written.by_bit()[bit] for n, bit in enumerate(bits)} == swapped


def test_what_was_learned_before_is_written_over_and_a_new_check_is_judged_anew(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.check = sensors_checked(BOARD, SWAPPED)
    page.page.learn()
    page.page.learn()
    page.check = sensors_checked(BOARD)
    assert not page.walk()["learn"]
    with pytest.raises(Refused, match="no other wiring order to learn"):
        page.page.learn()


def test_where_nothing_is_otherwise_there_is_nothing_to_learn(tmp_path: Path) -> None:
    page = Page(tmp_path)
    for check in (None, sensors_checked(BOARD)):
        page.check = check
        with pytest.raises(Refused, match="no other wiring order to learn"):
            page.page.learn()
    page.began("sensors")
    with pytest.raises(Refused, match="no other wiring order to learn"):
        page.page.learn()


def test_a_place_that_takes_no_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "learned").write_text("a file", encoding="utf-8")
    page = Page(tmp_path)
    page.check = sensors_checked(BOARD, SWAPPED)
    with pytest.raises(Refused, match=r"first36.toml cannot be written \(File exists\): make room on the card"):
        page.page.learn()


# ---- the last minutes -------------------------------------------------------------------------------------


def test_the_last_minutes_are_cut_apart_and_a_failure_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, asked = Page(tmp_path), []

    def do(self: Any, work: str, text: str) -> tuple[str, str]:
        asked.append((work, text))
        return "cut", ""

    monkeypatch.setattr(import_process.Apart, "do", do)
    assert page.page.last_minutes() == "cut"
    assert asked == [("last-minutes", "the last game")]
    failures: list[tuple[Exception, type[Exception], str]] = [
        (Later("wait a moment"), Later, "wait a moment"),
        (Refused("it is too long"), Refused, "be cut: it is too long"),
    ]
    for raised, told, why in failures:

        def fails(self: Any, work: str, text: str, raised: Exception = raised) -> tuple[str, str]:
            raise raised

        monkeypatch.setattr(import_process.Apart, "do", fails)
        with pytest.raises(told, match=why):
            page.page.last_minutes()


def test_what_refuses_the_recording_itself_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(tmp_path)

    def secret() -> str:
        raise Refused("Part of this game is secret.")

    monkeypatch.setattr(page.page._history, "last_recording", secret)
    with pytest.raises(Refused, match=r"^Part of this game is secret\.$"):
        page.page.last_minutes()


def test_a_board_whose_sensors_tell_no_strength_measures_none(tmp_path: Path) -> None:
    page = Page(tmp_path).page
    said = r"^The sensors of this board do not tell how strong a magnet is\.$"
    with pytest.raises(Refused, match=said):
        page.measure_kinds(2)
    with pytest.raises(Refused, match=said):
        page.measure_rests(without_far=False)
    page.measured_back()
    page.end_kinds()
    assert page.report()["fields"] is None
