"""What the board adds to the story of a first evening, asked without a browser: where lessons were left, no names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient

from controller.journal.game_text import from_text
from controller.lessons.puzzle_files import all_puzzles
from controller.orders import NextStep, PlayPly, Resign, StartLesson, StartPuzzle
from tests.web_panel.documented import check
from tests.web_panel.real_table import RealTable
from tests.web_panel.test_people import guest, phone
from web_panel.pages.first_evening import FORM, issues_in

ROOT = Path(__file__).parents[2]
# Of controller/rules/games/tides_of_war/lesson.toml: eleven steps, of which the 2nd, 3rd, 4th, 8th and 9th have a move.
MOVES = ("c4xa6", "e3-d3", "a6xc6xc4xe2", "d4-d3", "d2xd4xf6")
FOURTH = (
    "A stone may jump on from where it landed, and stop after any jump. Jump from a6 to c6, on to c4, and on to e2: "
)
NOTHING: dict[str, Any] = {"lessons": [], "games": [], "puzzles": [], "unread": 0}


@pytest.fixture
def table(open_table: Callable[..., RealTable]) -> RealTable:
    return open_table("first36")


def asked(client: FlaskClient) -> Any:
    """Return what the board adds, held to its document."""
    answer = client.get("/api/first-evening")
    assert answer.status_code == 200, answer.get_json()
    document = client.get("/api/openapi.json").get_json()
    told = document["paths"]["/api/first-evening"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    check(document, told, answer.get_json())
    return answer.get_json()


def lesson(table: RealTable, *moves: str) -> None:
    """Begin the lesson, read its first step and make the ``moves``."""
    table.running.service.submit(StartLesson(game="tides-of-war"))
    table.set_up()
    play(table, *moves, reads=(3,))


def play(table: RealTable, *moves: str, reads: tuple[int, ...] = ()) -> None:
    table.running.service.submit(NextStep())
    for number, move in enumerate(moves):
        for _ in range(3 if number in reads else 0):  # the 5th to the 7th step are only read
            table.running.service.submit(NextStep())
        table.running.service.submit(PlayPly(text=move))


def test_a_lesson_that_was_left_says_how_far_it_had_come_and_which_step_was_to_come(table: RealTable) -> None:
    lesson(table, *MOVES[:2])
    found = asked(guest(table))
    (left,) = found["lessons"]
    assert (left["title"], left["made"], left["of"], left["step"]) == ("Tides of War", 2, 5, 4)
    assert left["words"].startswith(FOURTH)
    assert (found["games"], found["puzzles"], found["unread"]) == ([], [], 0)


def test_the_newest_lesson_is_told_first_and_one_that_was_gone_through_was_left_at_no_step(table: RealTable) -> None:
    lesson(table)
    lesson(table, *MOVES)
    whole, begun = asked(guest(table))["lessons"]
    assert whole == {"title": "Tides of War", "made": 5, "of": 5, "step": None, "words": ""}
    assert (begun["made"], begun["step"]) == (0, 2)


def test_games_and_puzzles_are_counted_by_their_titles(table: RealTable) -> None:
    easy, other = all_puzzles()["tides-of-war"][:2]
    for puzzle in (easy, other):
        table.running.service.submit(StartPuzzle(game="tides-of-war", puzzle=puzzle.number))
        table.set_up()
    assert other.order.lesson is not None
    table.running.service.submit(PlayPly(text=other.order.lesson.steps[0].ply))
    table.new_game("tides-of-war")
    table.running.service.submit(Resign(seat=0))
    table.new_game("tides-of-war")
    found = asked(guest(table))
    assert found["puzzles"] == [{"title": "Tides of War", "begun": 2, "finished": 1}]
    assert found["games"] == [{"title": "Tides of War", "begun": 2, "finished": 1}]
    assert found["lessons"] == []


@pytest.mark.slow
def test_no_name_is_told_though_it_stands_on_phones_seats_and_the_board(table: RealTable) -> None:
    table.backend.choose({"house_name": "Zora"})
    phone(table, 0, name="Zora")
    ben = phone(table, 1, name="Benedikt")
    table.new_game("tides-of-war")
    for move in ("c3-c4", "c6-b5"):
        table.running.service.submit(PlayPly(text=move))
    table.running.service.submit(Resign(seat=1))
    for path in ("text", "recording"):  # so the names are there to be told
        assert "Zora" in ben.get(f"/api/history/1/{path}").get_data(as_text=True)
    ids = [person["id"] for person in ben.get("/api/people").get_json()]
    assert len(ids) == 2
    told = ben.get("/api/first-evening").get_data(as_text=True)
    page = ben.get("/first-evening").get_data(as_text=True)
    for name in ("Zora", "Benedikt", *ids):
        assert name not in told
        assert name not in page
    order = from_text(asked(ben)["last"]["text"])  # nothing else of the game is lost
    assert (order.game, order.plies) == ("tides-of-war", ("c3-c4", "c6-b5"))


def test_the_last_game_is_neither_a_lesson_nor_a_puzzle_nor_one_without_a_move(table: RealTable) -> None:
    table.new_game("tides-of-war")
    table.running.service.submit(PlayPly(text="c3-c4"))
    table.new_game("tides-of-war")
    lesson(table, *MOVES[:1])
    last = asked(guest(table))["last"]
    assert (last["id"], last["why"]) == (1, "")
    assert from_text(last["text"]).plies == ("c3-c4",)


@pytest.mark.slow
def test_a_game_with_secrets_is_not_told_before_the_rules_have_ended_it(open_table: Callable[..., RealTable]) -> None:
    table = open_table("shell19")
    table.new_game("beacons")
    last = asked(guest(table))["last"]
    assert (last["id"], last["text"]) == (1, "")
    assert last["why"] == "Part of this game is secret; it can be downloaded once the rules have ended the game."


def test_a_new_board_has_nothing_to_add_and_says_so(table: RealTable) -> None:
    why = "No game has been played on this board yet."
    assert asked(guest(table)) == {**NOTHING, "last": {"id": None, "text": "", "why": why}}
    german = guest(table).get("/api/first-evening", headers={"Accept-Language": "de"})
    assert german.get_json()["last"]["why"] == "Auf diesem Brett wurde noch nicht gespielt."


def test_a_step_is_told_in_the_language_of_who_asks(table: RealTable) -> None:
    lesson(table)
    answer = guest(table).get("/api/first-evening", headers={"Accept-Language": "de"}).get_json()
    assert answer["lessons"][0]["words"].startswith("Schlage einen Stein: Spring über einen gegnerischen")


def test_the_page_is_there_for_guests_and_takes_nothing_from_anybody(table: RealTable) -> None:
    """What people write stays in their browser: no address takes it."""
    client = guest(table)
    assert client.get("/first-evening").status_code == 200
    assert client.post("/first-evening", json={}).status_code == 405
    assert client.post("/api/first-evening", json={}).status_code == 405


def test_the_form_on_github_has_a_field_for_the_text_under_the_name_that_the_link_uses() -> None:
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / FORM).read_text(encoding="utf-8"))
    fields = {field["id"]: field for field in form["body"] if field["type"] != "markdown"}
    assert list(fields) == ["told", "who", "tried", "stopped", "loved", "browser", "checks"]
    assert not any(field.get("validations", {}).get("required") for field in fields.values())  # all may be left empty
    script = (ROOT / "web_panel" / "static" / "pages" / "first_evening.js").read_text(encoding="utf-8")
    assert "${issue}&told=" in script


@pytest.mark.parametrize(
    ("urls", "issues"),
    [
        ([], ""),
        (["Homepage, https://github.com/somebody/board"], ""),
        (["Issues, https://github.com/somebody/board/issues/"], "https://github.com/somebody/board/issues"),
        (["Issues, https://tracker.example/board"], ""),
        (["Issues, javascript:alert(1)"], ""),
        (["nonsense"], ""),
    ],
)
def test_a_link_to_the_issues_is_offered_only_where_the_project_names_them_on_github(
    urls: list[str], issues: str
) -> None:
    assert issues_in(urls) == issues
