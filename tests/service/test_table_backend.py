"""What the panel is told of the table: who is to move, pictures drawn once for all who see the same, and refusals."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from controller.from_profile import table_board
from controller.journal.recording import parse, replay
from controller.orders import SetBrightness
from controller.panel import table_backend
from controller.panel.table_backend import TableBackend, standing
from controller.refused import Refused
from controller.service.preferences import Preferences
from controller.service.showing.broadcast import ShownTable
from controller.service.sifting.join_by_touch import JoinByTouch, JoinRequest
from controller.settings import Settings
from controller.table.reading.questions import UNDO
from controller.table.state import Table
from controller.table.views.panel_view import picture
from controller.table.views.types import PanelView
from hardware.profile import load
from tests.table.scenes import Scene
from web_panel.backend import AskedCell, Standing

replace = msgspec.structs.replace
BOARD = load("first36")
IDLE = Table(table_board(BOARD))


# ---- who is to move ---------------------------------------------------------------------------------------


def stands(scene: Scene) -> Standing:
    return standing(scene.run())


def test_without_a_game_nobody_is_to_move() -> None:
    assert standing(IDLE) == Standing()


def test_who_plays_and_is_to_move() -> None:
    found = stands(Scene("tides-of-war").hands("-c3 +c4"))
    assert (found.seats, found.to_move, found.made) == (("White", "Black"), 1, 1)
    assert (found.secret, found.offers, found.board, found.asking_back) == (False, frozenset(), frozenset(), None)
    assert stands(Scene("circle", {"players": 2})).seats == ("White", "Black")
    assert len(stands(Scene("circle", {"players": 4})).seats) == 4


def test_after_the_end_nobody_is_to_move() -> None:
    found = stands(Scene("tides-of-war").order(do="resign", seat=0))
    assert (found.to_move, found.seats) == (None, ("White", "Black"))


def test_who_is_out_while_others_play_on_is_told() -> None:
    assert stands(Scene("circle", {"players": 4})).out == frozenset()
    assert stands(Scene("circle", {"players": 4}).order(do="resign", seat=2)).out == {2}
    assert stands(Scene("tides-of-war").order(do="resign", seat=0)).out == frozenset()  # that game is over


def test_offers_and_seats_of_the_board_are_told() -> None:
    assert stands(Scene("tides-of-war").order(do="offer_draw", seat=1)).offers == {1}
    assert stands(Scene("tides-of-war", opponents={"levels": [0, 3]})).board == {1}


def test_a_ply_in_secret_is_told_to_be_one_and_of_whom() -> None:
    begun = Scene("beacons", {"players": 2})
    assert stands(begun).secret
    bid = Scene("beacons", {"players": 2}).order(do="ply", text="bid 6 6", seat=0, phone="ann")
    found = stands(bid)
    assert (found.to_move, dict(found.kept)) == (1, {0: "ann"})
    both = bid.order(do="ply", text="bid 6 6", seat=1, phone="ben")
    assert not stands(both).secret


def test_a_question_about_the_last_ply_is_for_who_made_it_to_answer() -> None:
    """Two pieces of White may have come to f6, with Black to move by now; or both plies before were undone."""
    script = "-h6 -f6 +f6@600 -f6@4000 +h6@60 +f6@120"
    asked = stands(Scene("cyvasse", after="i5-h6; c7-f6").hands(script))
    assert (asked.to_move, dict(asked.answers)) == (1, {UNDO: 0})
    assert stands(Scene("cyvasse", after="i5-h6; c7-f6")).answers == {}


# ---- a running board --------------------------------------------------------------------------------------


class Running:
    """A board that shows one frame after the other, and notes what is asked of it."""

    def __init__(self, table: Table = IDLE, **more: Any) -> None:
        self.frames: list[ShownTable | None] = [ShownTable(1, table, **more)]
        self.asked: list[Any] = []
        self.now_us = table.t_us
        self.profile, self.becomes_any, self.hand = BOARD, False, None
        self.service: Any = SimpleNamespace(
            look=lambda: next(frame for frame in reversed(self.frames) if frame),
            watch=lambda quiet_s: iter(self.frames),
            now_us=lambda: self.now_us,
            still_us=lambda table: 0,
            submit=lambda order: self.asked.append(order) or "kept",
            poke=lambda: self.asked.append("poke"),
            watched=self._watched,
            heart=SimpleNamespace(at=lambda *_: nullcontext()),
        )

    def adjust(self, settings: Settings) -> None:
        self.asked.append(settings)

    def _watched(self, who: str, there: bool) -> None:
        raise Refused("the service has ended")


def seen_by(seat: int | None, _: Standing) -> int | None:
    return seat


def backend(running: Running, preferences: Preferences | None = None) -> TableBackend:
    made: Any = running
    return TableBackend(made, preferences)


def seen_now(page: TableBackend, seat: int | None = None) -> PanelView:
    ((_, view),) = [each for each in page.watch(partial(seen_by, seat)) if each]
    return cast(PanelView, view)


def test_a_picture_is_drawn_once_for_all_who_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int | None] = []

    def drawn_for(table: Table, theme: Any, version: int, seat: int | None) -> Any:
        drawn.append(seat)
        return picture(table, theme, version, seat)

    monkeypatch.setattr(table_backend, "picture", drawn_for)
    running = Running(Scene("tides-of-war").run())
    page = backend(running)

    def seen(seat: int | None) -> list[Any]:
        return list(page.watch(partial(seen_by, seat)))

    first = seen(0)
    assert seen(0) == first
    assert drawn == [0]
    seen(1)
    assert drawn == [0, 1]
    running.frames = [replace(first_frame, version=2) for first_frame in running.frames if first_frame]
    seen(0)
    assert drawn == [0, 1, 0]
    running.frames = [replace(frame, version=1) for frame in running.frames if frame]
    seen(0)  # a page that lags draws its own, and the newest one stays known
    running.frames = [replace(frame, version=2) for frame in running.frames if frame]
    seen(0)
    assert drawn == [0, 1, 0, 0]


def test_a_page_opened_ten_seconds_into_a_turn_shows_what_the_others_show() -> None:
    """So does one that comes back, and a television, with the table as it was shown last or shown again as it was."""
    table = Scene("tides-of-war", clock={"kind": "sudden", "minutes": 1}).hands("-c3 +c4").run()
    running = Running(table)
    page = backend(running)

    def left_ms(seat: int | None) -> Sequence[Any]:
        return [each.left_ms for each in seen_now(page, seat).seats]

    first = left_ms(None)
    assert first == [60_000, 58_000]
    running.now_us += 10_000_000
    assert left_ms(None) == left_ms(0) == [60_000, 48_000]
    running.now_us += 10_000_000
    running.frames = [ShownTable(2, table)]
    assert left_ms(None) == left_ms(0) == [60_000, 38_000]


def test_a_page_opened_while_no_clock_runs_shares_the_view_of_the_others() -> None:
    clock = {"kind": "sudden", "minutes": 1}
    running = Running(Scene("tides-of-war", clock=clock).hands("-c3 +c4").order(do="pause", on=True).run())
    page = backend(running)
    first = seen_now(page)
    running.now_us += 10_000_000
    assert seen_now(page) is first


def test_a_picture_says_what_is_wrong_with_the_board_and_which_game_it_is() -> None:
    running = Running(IDLE, faults=(("lights", "The lights do not answer."),), game_id=7, measured={"a3-b3": "1:2"})
    ((kind, view),) = [each for each in backend(running).watch() if each]
    assert (kind, view.link, view.game_id) == ("view", "The lights do not answer.", 7)
    assert view.data["measured"] == {"a3-b3": "1:2"}
    ((_, plain),) = [each for each in backend(Running()).watch() if each]
    assert (plain.link, plain.game_id) == ("", None)
    assert "measured" not in plain.data


def test_a_quiet_time_is_told_and_pieces_come_before_the_picture_where_they_have_moved() -> None:
    running = Running()
    running.frames = [None, *running.frames, *running.frames]
    page = backend(running)
    lying = [{"on": 1}, {"on": 2}, {"on": 2}]
    page.hand = SimpleNamespace(pieces=lambda: lying.pop(0))
    found = list(page.watch())
    assert [each and each[0] for each in found] == [None, "pieces", "view", "pieces", "view"]
    running.frames = running.frames[1:]
    again = backend(running)
    again.hand = SimpleNamespace(pieces=lambda: {"on": 1})
    assert [each and each[0] for each in again.watch()] == ["pieces", "view", "view"]


def test_where_the_rules_fail_there_is_the_board_and_a_sentence(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(table: Table, theme: Any, version: int, seat: int | None, tidied: bool = False) -> Any:
        if table.play is not None:
            raise ZeroDivisionError
        return picture(table, theme, version, seat)

    monkeypatch.setattr(table_backend, "picture", failing)
    running = Running(Scene("tides-of-war").run())
    page = backend(running)
    for seat in (0, 1):
        ((_, view),) = [each for each in page.watch(partial(seen_by, seat)) if each]
        assert view.sentence.startswith("There is an error in the rules of Tides of War (ZeroDivisionError in")
        assert view.advice == ""
        assert view.sites
    assert len([said for said in caplog.records if said.levelno >= logging.WARNING]) == 1


def test_what_the_rules_do_not_answer_is_refused_and_nobody_is_known_to_be_to_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: Any) -> Any:
        raise ZeroDivisionError

    for name in ("standing", "plies_at", "card_at"):
        monkeypatch.setattr(table_backend, name, fails)
    page = backend(Running(Scene("tides-of-war").run()))
    for ask in (page.plies, page.card):
        with pytest.raises(Refused, match="There is an error in the rules of Tides of War"):
            ask("c3")
    found = page.standing()
    assert (found.seats, found.to_move, found.secret) == (("White", "Black"), None, True)
    assert backend(Running()).standing() == Standing()


def test_an_earlier_position_that_there_is_not_is_refused() -> None:
    page = backend(Running(Scene("tides-of-war").hands("-c3 +c4").run()))
    assert page.look_back(0).pieces != page.look_back(1).pieces
    with pytest.raises(Refused, match=r"^[A-Z].*\.$"):
        page.look_back(2)


def test_who_asks_to_join_is_told_the_cell_as_the_game_names_it() -> None:
    table = Scene("tides-of-war").run()
    page = backend(Running(table, joining=JoinByTouch(requests={"ann": JoinRequest("c4", 9)})))
    assert page.asked_cell("ann") == AskedCell("c4", "c4", answered=False)
    assert page.asked_cell("ben") is None
    idle = backend(Running(joining=JoinByTouch(requests={"ann": JoinRequest(BOARD.sites[0].name, 9)})))
    assert idle.asked_cell("ann") == AskedCell(BOARD.sites[0].name, BOARD.sites[0].name, answered=False)


def test_the_cell_to_touch_is_called_as_the_game_on_the_board_calls_it_and_beside_the_game_as_the_board_does() -> None:
    """Giantslayer lies on the inner cells of hex91, so that d4 of the board is its c3."""
    lines = ({"game": "giantslayer", "board": "hex91"}, {"t_us": 1, "end": True})
    (table, _), *_ = replay(parse("\n".join(map(json.dumps, lines))))
    asked = JoinByTouch(requests={"ann": JoinRequest("d4", 9), "ben": JoinRequest("a6", 9)})
    page = backend(Running(table, joining=asked))
    assert page.asked_cell("ann") == AskedCell("d4", "c3", answered=False)
    assert page.asked_cell("ben") == AskedCell("a6", "a6", answered=False)


def test_a_cell_is_free_to_be_asked_for_unless_moves_may_need_all_of_them() -> None:
    table = Scene("tides-of-war").run()
    assert backend(Running(table)).cell_free()
    full = msgspec.structs.replace(table, now=sum(table.board.bit(site) for site in table.board.sites))
    assert not backend(Running(full)).cell_free()


def test_a_page_that_goes_when_the_service_has_ended_harms_nobody() -> None:
    backend(Running()).watched("ann", there=False)


# ---- settings ---------------------------------------------------------------------------------------------


def test_what_is_chosen_goes_to_the_lights_and_to_who_watches_the_house_alone() -> None:
    running = Running()
    page = backend(running, Preferences(Settings()))
    page.choose({"brightness": 30})
    order, settings = running.asked
    assert order == SetBrightness(percent=30)
    assert settings.brightness == 30
    running.asked.clear()
    page.choose({"theme": "contrast"})
    assert [each.theme for each in running.asked] == ["contrast"]
    running.asked.clear()
    with pytest.raises(Refused, match="3000 cannot be used here"):
        page.choose({"brightness": 3000})
    assert running.asked == []


def test_the_form_has_each_setting_with_its_value_and_the_colours_of_the_lights() -> None:
    running = Running(replace(IDLE, brightness=42))
    form = backend(running, Preferences(Settings())).form()
    values = {field["name"]: field["value"] for field in form["fields"]}
    assert values["brightness"] == 42
    assert form["colours"]["may_go"] == "#006eff"
    assert backend(running).settings()["brightness"] == 42


# ---- what there is ----------------------------------------------------------------------------------------


def test_the_games_of_a_board_are_those_that_fit_it() -> None:
    page = backend(Running())
    assert "tides-of-war" in {game["name"] for game in page.games()}
    assert "cyvasse" not in {game["name"] for game in page.games()}
    puzzles = {game["name"]: game["puzzles"] for game in page.puzzles()}
    assert puzzles.keys() <= {game["name"] for game in page.games()}
    assert {puzzle["hard"] for puzzle in puzzles["tides-of-war"]} == {1, 2, 3}
    any_board = Running()
    any_board.becomes_any = True
    assert {"cyvasse", "beacons"} <= {game["name"] for game in backend(any_board).games()}
    assert "cyvasse" in {game["name"] for game in backend(any_board).puzzles()}
    assert [each["level"] for each in page.levels()] == list(range(1, len(page.levels()) + 1))


def test_the_drawing_is_that_of_the_board_that_there_is_now() -> None:
    running = Running()
    page = backend(running)
    assert page.geometry() is page.geometry()
    assert len(page.geometry()["sites"]) == 36
    running.profile = load("hex91")
    assert len(page.geometry()["sites"]) == 91
    assert page.geometry() is page.geometry()
