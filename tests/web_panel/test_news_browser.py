"""What others did beside moving, told once on the other phones: with the moves of this game and of no other."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from controller.orders import NewGame, Resign
from tests.web_panel.fake_backend import FakeBackend
from tests.web_panel.real_backend import made, write
from tests.web_panel.real_table import OpenTable, Pages, RealTable, join, view

TOLD = """async (steps) => {
  const { News } = await import("/static/play/news.js");
  const said = [];
  const news = new News((sentence) => said.push(sentence));
  const told = { number: 1, who: "Ben", what: "took_back", mine: false };
  news.hear([{ ...told, number: 0 }]);
  for (const [what, data] of steps) {
    if (what === "view") news.see({ game_id: data[0], plies: data[1].map((text) => ({ text })), seats: [] });
    else await news.hear([{ ...told, ...data }]);
  }
  return said;
}"""


def seen(game: int, *plies: str) -> list[Any]:
    return ["view", [game, plies]]


def heard(made: int, left: int, **more: Any) -> list[Any]:
    return ["told", {"made": made, "left": left, **more}]


def test_a_take_back_tells_what_the_service_says_of_it_and_of_a_secret_one_only_that_it_was(
    square: FakeBackend, page: Page
) -> None:
    said = "Ben took back: stone from c3 to d3."
    assert page.evaluate(TOLD, [seen(1, "a"), heard(1, 0, words=said)]) == [said]
    assert page.evaluate(TOLD, [seen(1, "a"), heard(1, 0)]) == ["Ben took back a move."]


def test_one_that_was_told_already_says_nothing_of_the_next_one(square: FakeBackend, page: Page) -> None:
    steps = [seen(1, "a", "b"), heard(3, 2, mine=True, words="c"), heard(2, 1, number=2, words="b")]
    assert page.evaluate(TOLD, steps) == ["b"]


def test_an_ending_that_is_taken_back_is_told_at_once(square: FakeBackend, page: Page) -> None:
    assert page.evaluate(TOLD, [seen(1, "a"), heard(1, 1), seen(2)]) == ["Ben took back the ending."]


def test_a_game_that_another_one_was_begun_over_is_kept_and_it_is_told_where(square: FakeBackend, page: Page) -> None:
    began = [seen(1, "a", "b"), seen(2), heard(2, 0, what="began", words="Beacons")]
    kept = "Ben has begun another game: Beacons. The one before is kept among the games played."
    assert page.evaluate(TOLD, began) == [kept]
    alone = [seen(1), heard(0, 0, what="began", words="Beacons")]
    assert page.evaluate(TOLD, alone) == ["Ben has begun another game: Beacons."]


BACK = """async (found) => {
  const { News } = await import("/static/play/news.js");
  localStorage.clear();
  const said = [];
  const told = { number: 4, who: "Ben", what: "began", mine: false, made: 3, left: 0, words: "Beacons" };
  await new News((sentence) => said.push(sentence)).hear([told]);
  for (const each of found) await new News((sentence) => said.push(sentence)).hear([{ ...told, ...each }]);
  return said;
}"""


def test_who_comes_back_reads_that_another_game_was_begun_once(square: FakeBackend, page: Page) -> None:
    kept = "Ben has begun another game: Beacons. The one before is kept among the games played."
    assert page.evaluate(BACK, []) == []  # a phone that comes for the first time
    assert page.evaluate(BACK, [{"number": 5}, {"number": 5}]) == [kept]
    assert page.evaluate(BACK, [{"number": 5, "what": "withdrew"}, {"number": 6, "mine": True}]) == []
    assert page.evaluate(BACK, [{"number": 1}, {"number": 2}]) == [kept]  # the service began anew between


def test_who_comes_back_reads_who_has_released_whose_seat(square: FakeBackend, page: Page) -> None:
    released = {"number": 5, "who": "Olga", "what": "released", "words": "Bo"}
    assert page.evaluate(BACK, [released]) == ["Olga has released the seat of Bo."]


def test_who_has_given_a_seat_up_and_who_plays_now_is_read(square: FakeBackend, page: Page) -> None:
    news = [
        {"number": 5, "who": "Bo", "what": "gave_up", "words": "Black"},
        {"number": 6, "who": "Olga", "what": "other_players", "words": "Olga lets the board play Black from now on."},
        {"number": 7, "who": "Olga", "what": "is_again", "words": "Bo"},
        {"number": 8, "who": "Olga", "what": "is_not", "words": "Bo"},
        {"number": 9, "who": "Bo", "what": "returned", "words": "Black"},
    ]
    assert page.evaluate(TOLD, [["told", each] for each in news]) == [
        "Bo no longer plays Black: anybody may take that seat.", "Olga lets the board play Black from now on.",
        "Olga has confirmed it: Bo is back with another phone.", "Olga has said that it is not Bo who asks.",
        "Bo is back and plays Black again.",
    ]  # fmt: skip


def test_an_earlier_game_that_is_resumed_is_not_called_a_new_one(square: FakeBackend, page: Page) -> None:
    resumed = [seen(1, "a", "b"), seen(2), heard(2, 0, what="resumed", words="Beacons")]
    kept = "Ben goes on with an earlier game: Beacons. The one before is kept among the games played."
    assert page.evaluate(TOLD, resumed) == [kept]
    alone = [seen(1), heard(0, 0, what="resumed", words="Beacons")]
    assert page.evaluate(TOLD, alone) == ["Ben goes on with an earlier game: Beacons."]


def seat_two(table: RealTable, pages: Pages) -> tuple[Page, Page]:
    table.new_game("tides-of-war")
    ann, ben = pages(), pages()
    join(ann, table.url, "White")
    join(ben, table.url, "Black")
    return ann, ben


def test_the_other_phone_reads_what_was_taken_back(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("first36", finishes=True)
    ann, ben = seat_two(table, pages)
    write(ann, "c3-c4")
    made(ben, 1)
    table.new_game("tides-of-war")
    write(ann, "c2-d3")
    made(ben, 1)
    write(ben, "f2-f1")
    made(ann, 2)
    ben.get_by_role("button", name="Take back").click()
    expect(ann.locator("#toast")).to_have_text("Black took back: stone from f2 to f1.")
    table.running.service.submit(Resign(seat=1))
    ben.locator("#acts").get_by_role("button", name="Go on with this game").click()
    expect(ann.locator("#toast")).to_have_text("Black took back the ending.")


def test_after_an_ending_all_read_who_began_what_and_the_game_before_stays_in_reach(
    open_table: OpenTable, pages: Pages
) -> None:
    table = open_table("first36", finishes=True)
    ann, ben = seat_two(table, pages)
    write(ann, "c3-c4")
    made(ben, 1)
    table.running.service.submit(Resign(seat=1))
    ann.locator("#acts").get_by_role("button", name="Play again", exact=True).click()
    kept = "Phone 1 has begun another game: Tides of War. The one before is kept among the games played."
    expect(ben.locator("#toast")).to_have_text(kept)
    expect(ann.locator("#toast")).not_to_have_text(kept)
    ben.goto(f"{table.url}history/1")
    ben.get_by_role("button", name="Go on with this game").click()
    ben.get_by_role("dialog").get_by_role("button", name="Start anyway").click()
    ben.locator("#acts").get_by_role("button", name="Go on with this game").click()
    expect(ann.locator("body")).to_have_attribute("data-phase", "play")
    made(ann, 1)
    table.running.service.submit(Resign(seat=1))
    ann.get_by_role("button", name="Solve a puzzle").click()
    expect(ben.locator("#toast")).to_have_text("Phone 1 has begun a puzzle. The game is kept among the games played.")


def test_a_view_has_the_number_of_its_game(open_table: OpenTable, pages: Pages) -> None:
    table = open_table("first36", local=True)
    page = pages()
    page.goto(table.url)
    table.new_game("tides-of-war")
    first = view(page)["game_id"]
    table.running.service.submit(NewGame(game="tides-of-war", seed=1))
    assert view(page)["game_id"] == first + 1


def test_another_game_is_no_sound_of_a_move(square: FakeBackend, page: Page) -> None:
    sounds = """async ([was, now]) => (await import("/static/play/heard.js")).soundOf(was, now)"""
    empty = {"phase": "play", "plies": [], "sites": {}, "game_id": 1}
    assert page.evaluate(sounds, [empty, {**empty, "plies": [{}]}]) == "put"
    assert page.evaluate(sounds, [empty, {**empty, "plies": [{}], "game_id": 2}]) == ""


def test_looking_back_ends_when_another_game_begins(open_table: OpenTable, pages: Pages) -> None:
    table, page = open_table("first36", local=True), pages()
    table.new_game("tides-of-war")
    page.goto(table.url)
    write(page, "c3-c4")
    made(page, 1)
    page.locator("#plies button").first.click()
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("#look-back")).to_contain_text("The start.")
    table.new_game("tides-of-war")
    expect(page.locator("#look-back")).to_be_hidden()
