"""The household over HTTP, with the real service: who plays is known, counted, renamed, merged and removed."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from controller.game_setup import Opponents
from controller.orders import NewGame, PlayPly, Resign
from controller.panel.analyses_backend import AnalysesBackend
from tests.web_panel.real_table import CODE, RealTable
from tests.web_panel.test_join import newest, sentence, you
from web_panel.language import read
from web_panel.people import presence
from web_panel.people.joining import AskToJoin, WaysIn
from web_panel.people.people import Me
from web_panel.people.phones import GUEST, Phones
from web_panel.people.profiles import KnownPerson, Profiles

NASTY = "<b>Änne-Marie</b> von und zu 小林 Überli"  # as wide as 40 letters


@pytest.fixture
def table(open_table: Callable[..., RealTable]) -> RealTable:
    opened = open_table("first36")
    opened.new_game("tides-of-war")
    return opened


def guest(table: RealTable, n: int = 66) -> FlaskClient:
    client = table.app.test_client()
    client.environ_base["REMOTE_ADDR"] = f"192.168.1.{n}"
    return client


def phone(table: RealTable, seat: int | None = None, **who: str) -> FlaskClient:
    """Let a phone in by touch, as the person ``who``; the first one is the owner."""
    client = guest(table, 10 + len(table.phones.all()))
    assert client.post("/api/pair", json=who).status_code == 200
    assert client.post("/api/pair/touch", json={}).status_code == 200
    assert you(client)["role"] != "guest"
    if seat is not None:
        assert client.post("/api/seat", json={"seat": seat}).status_code == 200
    return client


def people(client: FlaskClient) -> dict[str, dict[str, Any]]:
    """Return everybody with their games, by name."""
    return {person["name"]: person for person in client.get("/api/people/games").get_json()}


def numbers(told: dict[str, Any]) -> tuple[int, int, int]:
    return told["games"], told["won"], told["lost"]


def opponents(person: dict[str, Any]) -> dict[str, tuple[int, int, int]]:
    return {line["name"]: numbers(line) for line in person["by_opponent"]}


def finish(table: RealTable, loser: int, **more: Any) -> None:
    """Play a game of one move, which ``loser`` gives up."""
    table.new_game("tides-of-war") if not more else table.running.service.submit(NewGame("tides-of-war", **more))
    if not more:
        table.running.service.submit(PlayPly(text="c3-d3"))
    table.running.service.submit(Resign(seat=loser))


def test_who_joins_with_a_name_is_known_and_their_games_are_counted(table: RealTable) -> None:
    ann, _ = phone(table, 0, name="Ann", colour="#e4572e"), phone(table, 1, name="Ben")
    finish(table, loser=1)
    finish(table, loser=0)
    finish(table, loser=1)
    found = people(ann)
    assert (numbers(found["Ann"]), numbers(found["Ben"])) == ((3, 2, 1), (3, 1, 2))
    assert opponents(found["Ann"]) == {"Ben": (3, 2, 1)}
    further = {"level": 0, "lesson": False, "solved": 0}
    assert found["Ann"]["by_game"] == [{"name": "Tides of War", "games": 3, "won": 2, "lost": 1, **further}]
    assert [found[name][key] for name in ("Ann", "Ben") for key in ("you", "here", "may")] == [
        True, True, True, False, True, True,
    ]  # fmt: skip


def test_whoever_leaves_after_the_game_is_named_until_another_one_begins(table: RealTable) -> None:
    ann, ben = phone(table, 0, name="Ann"), phone(table, 1, name="Ben")
    finish(table, loser=1)
    assert ben.post("/api/leave", json={}).status_code == 200
    assert {seat: person["name"] for seat, person in you(ann)["people"].items()} == {"0": "Ann", "1": "Ben"}
    assert you(ann)["held"].keys() == {"0"}  # whoever comes may take the seat
    assert ann.post("/api/seat", json={"seat": 0, "take": False}).status_code == 200
    assert {person["name"] for person in you(ann)["people"].values()} == {"Ann", "Ben"}
    table.new_game("tides-of-war")
    assert you(ann)["people"] == {}


def test_who_left_after_the_game_is_named_after_a_restart_too(tmp_path: Path) -> None:
    with closing(RealTable(tmp_path)) as table:
        ann, ben = phone(table, 0, name="Ann"), phone(table, 1, name="Ben")
        finish(table, loser=1)
        for client in (ben, ann):
            assert client.post("/api/leave", json={}).status_code == 200
    with closing(RealTable(tmp_path)) as again:
        watcher = guest(again, 50)
        assert {seat: person["name"] for seat, person in you(watcher)["people"].items()} == {"0": "Ann", "1": "Ben"}
        again.new_game("tides-of-war")
        assert you(watcher)["people"] == {}


def progress(client: FlaskClient) -> dict[str, dict[str, Any]]:
    """Return what a phone is told of its person's progress, by game."""
    return {game["name"]: game for game in client.get("/api/progress").get_json()["games"]}


def test_how_far_somebody_has_come_is_told_to_their_own_phone_and_to_the_family(table: RealTable) -> None:
    ann, ben = phone(table, name="Ann"), phone(table, name="Ben")
    ann.post("/api/order", json={"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 2]}})
    assert (you(ann)["seats"], you(ben)["seats"]) == ([0], [])  # who plays the board alone sits there unasked
    table.running.service.submit(Resign(seat=1))
    today = ben.get("/api/progress").get_json()["today"]
    order = {"do": "start_puzzle", "game": today["game"], "puzzle": today["number"], "learner": "somebody else"}
    assert ben.post("/api/order", json=order).status_code == 200
    table.set_up()
    lesson = table.table.play.session.lesson
    assert lesson.learner == people(ben)["Ben"]["id"]
    table.running.service.submit(PlayPly(text=lesson.steps[0].ply))
    come = {"name": "tides-of-war", "level": 2, "lesson": False, "solved": []}
    assert progress(ann) == {"tides-of-war": come}
    assert progress(ben) == {
        today["game"]: {"name": today["game"], "level": 0, "lesson": False, "solved": [today["number"]]}
    }
    told = [client.get("/api/progress").get_json() for client in (ann, ben, guest(table))]
    assert [(each["streak"], each["today"]["solved"]) for each in told] == [(0, False), (1, True), (0, False)]
    found = people(ann)
    assert [(line["level"], line["solved"]) for line in found["Ann"]["by_game"] + found["Ben"]["by_game"]] == [
        (2, 0),
        (0, 1),
    ]
    assert (found["Ann"]["streak"], found["Ben"]["streak"], numbers(found["Ben"])) == (0, 1, (0, 0, 0))


@pytest.fixture
def long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has closed a page did so long ago."""
    monkeypatch.setattr(presence, "LATELY_S", 0.0)


@pytest.mark.usefixtures("long_ago")
def test_whoever_begins_against_the_board_plays_even_where_another_phone_kept_the_seat(table: RealTable) -> None:
    """Luc played White and has gone; Ann, who has given no name, begins against the board, and goes on next week."""
    luc, ann = phone(table, 0, name="Luc"), phone(table)
    against = {"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 1]}}
    assert ann.post("/api/order", json=against).status_code == 200
    assert (you(luc)["seats"], you(ann)["seats"]) == ([], [0])
    table.set_up()
    assert ann.post("/api/order", json={"do": "ply", "text": "c3-d3"}).status_code == 200
    game = ann.get("/api/history").get_json()["games"][0]["id"]
    assert ann.post("/api/order", json={"do": "new_game", "game": "tides-of-war"}).status_code == 200
    assert you(ann)["seats"] == [0]  # between people everybody keeps the seat
    assert luc.post("/api/order", json={"do": "resume", "game_id": game}).status_code == 200
    assert (you(luc)["seats"], you(ann)["seats"]) == ([0], [])


def test_a_game_goes_on_with_its_own_people_whoever_sits_where_now(table: RealTable) -> None:
    """Mia and Léo play, then each begins something else; Mia goes on with the first game."""
    mia, leo = phone(table, 0, name="Mia"), phone(table, 1, name="Léo")
    assert mia.post("/api/order", json={"do": "new_game", "game": "tides-of-war"}).status_code == 200
    table.set_up()
    assert mia.post("/api/order", json={"do": "ply", "text": "c3-c4"}).status_code == 200
    game = mia.get("/api/history").get_json()["games"][0]["id"]
    assert mia.post("/api/order", json={"do": "play_again", "seats": "turn"}).status_code == 200
    assert (you(mia)["seats"], you(leo)["seats"]) == ([1], [0])
    assert mia.post("/api/order", json={"do": "resume", "game_id": game}).status_code == 200
    assert (you(mia)["seats"], you(leo)["seats"]) == ([0], [1])
    assert mia.get(f"/api/history/{game}").get_json()["people"] == [["White", "Mia"], ["Black", "Léo"]]


def test_a_game_that_was_left_says_to_whom_it_is_of_others(table: RealTable) -> None:
    mia, leo, ann = phone(table, 0, name="Mia"), phone(table, 1), phone(table, name="Ann")
    assert mia.post("/api/order", json={"do": "new_game", "game": "tides-of-war"}).status_code == 200
    table.set_up()
    assert mia.post("/api/order", json={"do": "ply", "text": "c3-c4"}).status_code == 200

    def of_others(client: FlaskClient) -> bool:
        (left,) = client.get("/api/progress").get_json()["left"]
        return bool(left["others"])

    assert [of_others(client) for client in (mia, leo, ann)] == [False, False, True]
    leo.post("/api/me", json={"name": "Léo"})
    assert not of_others(leo)


@pytest.mark.usefixtures("long_ago")
def test_ones_own_game_is_offered_before_the_newer_ones_of_others(table: RealTable) -> None:
    mia, ann = phone(table, 0, name="Mia"), phone(table, name="Ann")

    def leaves(who: FlaskClient) -> None:
        alone = {"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 1]}}
        assert who.post("/api/order", json=alone).status_code == 200
        table.set_up()
        assert who.post("/api/order", json={"do": "ply", "text": "c3-c4"}).status_code == 200

    for who in (mia, ann, ann):
        leaves(who)
    left = mia.get("/api/progress").get_json()["left"]
    assert [each["others"] for each in left] == [False, True]
    assert left[0]["id"] < left[1]["id"]


def test_puzzles_from_games_are_of_those_that_one_has_played(table: RealTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def puzzles(_: AnalysesBackend, wanted: Callable[[int], bool]) -> list[dict[str, Any]]:
        return [{"id": game_id} for game_id in (1,) if wanted(game_id)]

    mia, leo, ann = phone(table, 0, name="Mia"), phone(table, 1), phone(table, name="Ann")
    assert mia.post("/api/order", json={"do": "new_game", "game": "tides-of-war"}).status_code == 200
    monkeypatch.setattr(AnalysesBackend, "puzzles", puzzles)
    assert [client.get("/api/puzzles/own").get_json() for client in (mia, leo, ann)] == [[{"id": 1}], [{"id": 1}], []]


def test_a_seat_that_a_phone_keeps_from_a_game_of_four_is_none_of_a_game_of_two(table: RealTable) -> None:
    ann = phone(table)
    table.phones.take(table.phones.all()[0].id, 2)
    assert you(ann)["seats"] == []
    against = {"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 1]}}
    assert ann.post("/api/order", json=against).status_code == 200
    assert you(ann)["seats"] == [0]  # and so it reads whose turn it is


NEW = {"do": "new_game", "game": "tides-of-war"}


def test_whoever_begins_a_game_with_others_sits_in_the_first_seat_that_is_free(table: RealTable) -> None:
    """Ann owns the board, and has watched so far; another phone played White, and its page is open."""
    ann, other, cid = phone(table, name="Ann"), phone(table, 0), phone(table, name="Cid")
    with other.get("/api/watch"):
        assert ann.post("/api/order", json=NEW).status_code == 200
    assert (you(other)["seats"], you(ann)["seats"]) == ([0], [1])
    assert ann.post("/api/order", json=NEW).status_code == 200
    assert (you(other)["seats"], you(ann)["seats"], you(cid)["seats"]) == ([0], [1], [])


def test_nobody_takes_the_seat_of_somebody_there_nor_a_seat_where_all_are_free(table: RealTable) -> None:
    ann, bo, cy = phone(table, name="Ann"), phone(table, 0, name="Bo"), phone(table, 1, name="Cy")
    assert ann.post("/api/order", json=NEW).status_code == 200
    assert [you(each)["seats"] for each in (ann, bo, cy)] == [[], [0], [1]]
    for each in (bo, cy):
        assert each.post("/api/leave", json={}).status_code == 200
    assert ann.post("/api/order", json=NEW).status_code == 200
    assert you(ann)["seats"] == []  # all move all pieces, as with one phone that goes round


def test_a_new_game_waits_for_no_nameless_phone_that_has_gone_and_for_somebody_with_a_name_a_while(
    table: RealTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "AWAY_S", 0.0)
    ann, bo, other = phone(table, name="Ann"), phone(table, 1, name="Bo"), phone(table, 0)
    assert ann.post("/api/order", json=NEW).status_code == 200
    assert [you(each)["seats"] for each in (ann, bo, other)] == [[0], [1], []]
    monkeypatch.setattr(presence, "LATELY_S", 0.0)
    assert ann.post("/api/order", json=NEW).status_code == 200
    assert [you(each)["seats"] for each in (ann, bo)] == [[0], []]


def test_a_nameless_phone_that_has_gone_keeps_nobody_from_another_game(
    table: RealTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann owns the board, and does nothing; the second phone plays, the third one would like to."""
    _, plays, waits = phone(table, name="Ann"), phone(table, 0), phone(table)
    plays.get("/api/watch").close()
    assert you(waits)["barred"]  # a page that is reloaded is not gone
    assert waits.post("/api/order", json=NEW).status_code == 409
    monkeypatch.setattr(presence, "AWAY_S", 0.0)
    assert not you(waits)["barred"]
    assert waits.post("/api/order", json=NEW).status_code == 200
    assert (you(plays)["seats"], you(waits)["seats"]) == ([], [])


@pytest.mark.usefixtures("long_ago")
def test_who_is_not_in_a_game_that_goes_on_holds_no_seat_in_it(table: RealTable) -> None:
    """Léo has taken White for another game; Mia goes on with hers against the board, and it stays hers."""
    mia = phone(table, name="Mia")
    against = {"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 1]}}
    assert mia.post("/api/order", json=against).status_code == 200
    table.set_up()
    assert mia.post("/api/order", json={"do": "ply", "text": "c3-c4"}).status_code == 200
    game = mia.get("/api/history").get_json()["games"][0]["id"]
    leo = phone(table, name="Léo")
    assert leo.post("/api/order", json=against).status_code == 200
    assert you(leo)["seats"] == [0]
    assert mia.post("/api/order", json={"do": "resume", "game_id": game}).status_code == 200
    assert (you(mia)["seats"], you(leo)["seats"]) == ([0], [])
    assert mia.get(f"/api/history/{game}").get_json()["people"][0] == ["White", "Mia"]


def test_a_game_that_ends_because_another_one_is_begun_is_told_to_the_others(table: RealTable) -> None:
    ann, ben = phone(table, 0, name="Ann"), phone(table, 1, name="Ben")
    lesson = {"do": "start_lesson", "game": "tides-of-war"}
    assert ben.post("/api/order", json=lesson).status_code == 200
    table.set_up()
    assert ann.post("/api/order", json={"do": "new_game", "game": "tides-of-war"}).status_code == 200
    told = newest(ben)
    assert (told["who"], told["what"], told["mine"], newest(ann)["mine"]) == ("Ann", "began", False, True)


def test_the_next_game_of_a_match_is_told_as_that_and_who_begins_it(table: RealTable) -> None:
    ann, ben = phone(table, 0, name="Ann"), phone(table, 1, name="Ben")
    begun = {"do": "new_game", "game": "tides-of-war", "match": {"to": 2}}
    assert ann.post("/api/order", json=begun).status_code == 200
    table.set_up()
    assert ann.post("/api/order", json={"do": "resign", "seat": 0}).status_code == 200
    assert ann.post("/api/order", json={"do": "play_again", "seats": "turn"}).status_code == 200
    told = newest(ben)
    assert (told["what"], told["words"]) == ("next_game", "Game 2 of the match: Ben begins.")


def test_the_others_read_whose_phone_is_gone_and_that_it_is_back(
    table: RealTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = phone(table, 0, name="Ann"), phone(table, 1, name="Ben")
    assert you(ann)["away"] == []  # he may reload the page
    monkeypatch.setattr(presence, "AWAY_S", 0.0)
    assert you(ann)["away"] == [1]
    assert [people(ann)[name]["here"] for name in ("Ann", "Ben")] == [False, False]  # at the table is who looks
    with ben.get("/api/watch") as looks:
        next(iter(looks.response))
        assert you(ann)["away"] == []
        assert [people(ann)[name]["here"] for name in ("Ann", "Ben")] == [False, True]


@pytest.mark.parametrize("who", [{"name": "Ann"}, {}])
def test_a_lesson_ends_for_all_when_who_began_it_leaves_and_for_no_other_while_they_look(
    table: RealTable, who: dict[str, str]
) -> None:
    leave, go_on = ({"do": "leave_lesson", "on": on} for on in (True, False))
    ann, ben = phone(table, None, **who), phone(table, name="Ben")
    assert ann.post("/api/order", json={"do": "start_lesson", "game": "tides-of-war"}).status_code == 200
    with ann.get("/api/watch") as looks:
        next(iter(looks.response))
        refused = ben.post("/api/order", json=leave)
        assert refused.get_json()["error"] == "Somebody else has begun this lesson: it goes on until they leave it."
        assert ann.post("/api/order", json=leave).status_code == 200
        assert table.table.phase == "idle"
        assert (you(ann)["waits"], you(ben)["waits"]) == (True, False)  # it is offered to whose it is
        assert ben.post("/api/order", json=go_on).status_code == 200
        assert table.table.play.session.lesson is not None
    assert ben.post("/api/order", json=leave).status_code == 200  # her page is closed: nobody else is in it
    assert table.table.phase == "idle"


def test_nobody_sits_down_where_the_board_plays(table: RealTable) -> None:
    ann = phone(table, 0, name="Ann")
    table.running.service.submit(NewGame("tides-of-war", opponents=Opponents((0, 1))))
    refused = ann.post("/api/seat", json={"seat": 1})
    why = "The board plays this seat: choose who plays it in a new game."
    assert (refused.status_code, refused.get_json()["error"]) == (409, why)
    assert you(ann)["seats"] == [0]


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_holds_a_seat_makes_every_move_of_a_lesson_whose_ever_it_is(table: RealTable, seat: int) -> None:
    """A phone says for which seat it plays; in a lesson it plays them all."""
    ann, movers = phone(table, seat, name="Ann"), set()
    assert ann.post("/api/order", json={"do": "start_lesson", "game": "tides-of-war"}).status_code == 200
    table.set_up()
    while text := table.table.play.session.expected:
        movers.add(table.table.play.session.game.seat(table.table.play.session.state))
        assert ann.post("/api/order", json={"do": "ply", "text": text, "seat": seat}).get_json() == {}
    assert movers == {0, 1}


def seen(client: FlaskClient, language: str = "en") -> dict[str, Any]:
    """Return the view that a phone is sent when it comes."""
    parts = client.get("/api/watch", buffered=False, headers={"Accept-Language": language}).iter_encoded()
    told = next(part for part in parts if part.startswith(b"event: view"))
    return dict(msgspec.json.decode(told.split(b"data: ", 1)[1]))


@pytest.mark.parametrize(("name", "waits"), [("Anna", "En attente d’Anna."), ("Ben", "En attente de Ben.")])
def test_in_french_a_name_that_begins_with_a_vowel_takes_that_of_the_word_before(
    table: RealTable, name: str, waits: str
) -> None:
    phone(table, 0, name=name)
    assert seen(phone(table, 1, name="Cem"), "fr")["waits"] == waits


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_script_knows_whose_turn_is_told_whatever_the_name(table: RealTable, language: str) -> None:
    """banner.js puts "Your turn" in place of the sentence that it writes the same way."""
    ben = phone(table, 1, name="Ben")
    phone(table, 0, name="Anna")
    turn = read()[language].scripts["banner"]["{seat} to move."]
    assert seen(ben, language)["sentence"] == turn.replace("{seat}", "Anna")


def test_in_a_lesson_all_that_is_told_names_seats_as_its_steps_do(open_table: Callable[..., RealTable]) -> None:
    """In a game it names the people, but for who reads it."""
    table = open_table("shell19")
    ann, ben = phone(table, 0, name="Ann"), phone(table, 1, name="Ben")
    game, lesson = {"do": "new_game", "game": "beacons"}, {"do": "start_lesson", "game": "beacons"}
    for order, names in ((game, {"you", "Ben"}), (lesson, {"Player 1", "Player 2"})):
        assert ann.post("/api/order", json=order).status_code == 200
        table.set_up()
        if order is game:
            for client in (ann, ben):
                assert client.post("/api/order", json={"do": "ply", "text": "bid 6 6"}).get_json() == {}
        lines = " ".join(seen(ann)["lines"])
        told = re.findall(r"\b(?:you|Ann|Ben|Player [12])\b", lines.partition("Order of play:")[2])
        assert set(told) == names, lines


def go_through(table: RealTable, client: FlaskClient, game: str = "tides-of-war") -> None:
    """Begin the lesson of a game on a phone, and make all its moves."""
    assert client.post("/api/order", json={"do": "start_lesson", "game": game}).status_code == 200
    table.set_up()
    while text := table.table.play.session.expected:
        table.running.service.submit(PlayPly(text=text))


def lessons(table: RealTable, client: FlaskClient) -> dict[str, bool]:
    """Return who has gone through the lesson of Tides of War, by name."""
    return {name: any(line["lesson"] for line in told["by_game"]) for name, told in people(client).items()}


def test_a_lesson_counts_for_whoever_says_a_name_on_its_phone_afterwards_and_for_nobody_else(table: RealTable) -> None:
    first, second = phone(table), phone(table)
    go_through(table, first)
    assert second.post("/api/me", json={"name": "Ben"}).status_code == 200
    assert (lessons(table, first), progress(second)) == ({"Ben": False}, {})
    assert progress(first)["tides-of-war"]["lesson"]  # its own phone knows, before anybody says a name
    assert first.post("/api/me", json={"name": "Ann"}).status_code == 200
    assert lessons(table, first) == {"Ann": True, "Ben": False}
    assert progress(first)["tides-of-war"]["lesson"]
    assert first.post("/api/me", json={"name": "Cid"}).status_code == 200  # the phone is handed on
    assert lessons(table, first) == {"Ann": True, "Ben": False, "Cid": False}


def beat_the_board(table: RealTable, client: FlaskClient) -> None:
    against = {"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 1]}}
    assert client.post("/api/order", json=against).status_code == 200
    table.running.service.submit(Resign(seat=1))


def evening(client: FlaskClient) -> tuple[list[str], str]:
    """Return what is told of the evening's games, the first one first, and who won how many."""
    told = client.get("/api/evening").get_json()
    return [line["sentence"] for line in reversed(told["games"])], told["tally"]


def test_games_count_for_whoever_says_a_name_on_their_phone_afterwards(table: RealTable) -> None:
    """Two phones without names, of which one says its name, and a third person who had one before."""
    first, second = phone(table), phone(table)
    beat_the_board(table, first)
    beat_the_board(table, first)
    beat_the_board(table, second)
    assert evening(first) == (["White won against the board (level 1), by resignation"] * 3, "Won: you (3).")
    assert first.post("/api/me", json={"name": "Ann"}).status_code == 200
    found = people(first)["Ann"]
    assert (numbers(found), opponents(found)) == ((2, 2, 0), {"Board, level 1": (2, 2, 0)})
    assert progress(first)["tides-of-war"]["level"] == 1
    sentences, tally = evening(first)
    assert sentences[:2] == ["Ann won as White against the board (level 1), by resignation"] * 2
    assert sentences[2] == "White won against the board (level 1), by resignation"
    assert tally == "Won: Ann (2), somebody without a name (1)."  # "you" would be Ann again
    assert evening(second)[1] == "Won: Ann (2), you (1)."
    assert second.post("/api/me", json={"name": "Ben"}).status_code == 200
    assert first.post("/api/me", json={"name": "Cid"}).status_code == 200  # the phone is handed on
    beat_the_board(table, first)
    assert evening(first)[1] == "Won: Ann (2), Ben (1), Cid (1)."
    assert {name: numbers(told) for name, told in people(first).items()} == {
        "Ann": (2, 2, 0), "Ben": (1, 1, 0), "Cid": (1, 1, 0),
    }  # fmt: skip


def test_a_game_goes_with_a_name_that_was_touched_by_mistake_until_another_one_begins(table: RealTable) -> None:
    phone(table, name="Mia")
    otto = phone(table)
    mia = people(otto)["Mia"]["id"]
    beat_the_board(table, otto)
    assert otto.post("/api/me", json={"profile": mia}).status_code == 200
    assert numbers(people(otto)["Mia"]) == (1, 1, 0)
    assert otto.post("/api/me", json={"name": "Otto"}).status_code == 200
    assert {name: numbers(told) for name, told in people(otto).items()} == {"Mia": (0, 0, 0), "Otto": (1, 1, 0)}
    assert otto.post("/api/me", json={"profile": mia}).status_code == 200  # handed on
    beat_the_board(table, otto)
    assert otto.post("/api/me", json={"name": "Pia"}).status_code == 200
    assert {name: numbers(told) for name, told in people(otto).items()} == {
        "Mia": (1, 1, 0), "Otto": (1, 1, 0), "Pia": (0, 0, 0),
    }  # fmt: skip


def test_the_game_in_which_both_say_a_name_counts_for_both_and_what_one_phone_played_for_two_for_nobody(
    table: RealTable,
) -> None:
    first, second = phone(table, 0), phone(table, 1)
    finish(table, loser=1)
    assert (first.post("/api/me", json={"name": "Ann"}).status_code, numbers(people(first)["Ann"])) == (200, (1, 1, 0))
    assert opponents(people(first)["Ann"]) == {"others": (1, 1, 0)}
    assert second.post("/api/me", json={"name": "Ben"}).status_code == 200
    assert opponents(people(first)["Ann"]) == {"Ben": (1, 1, 0)}
    assert second.post("/api/seat", json={"seat": 1, "take": False}).status_code == 200
    assert first.post("/api/seat", json={"seat": 1}).status_code == 200
    finish(table, loser=1)
    assert numbers(people(first)["Ann"]) == (1, 1, 0)


def test_nobody_is_offered_to_a_phone_who_sits_at_the_table_with_another(table: RealTable) -> None:
    ann, ben = phone(table, 0, name="Ann"), phone(table, name="Ben")
    third = phone(table)

    def elsewhere(client: FlaskClient) -> dict[str, bool]:
        return {person["name"]: person["elsewhere"] for person in client.get("/api/people").get_json()}

    assert elsewhere(third) == elsewhere(ben) == {"Ann": True, "Ben": False}  # Ben only watches: he may change phones
    assert elsewhere(ann) == {"Ann": False, "Ben": False}
    refused = third.post("/api/me", json={"name": "Ann"})
    assert sentence(refused) == (
        "Ann plays in this game with another phone: choose another name. If that is you, say so on the page “People”"
        " once that phone is away."
    )
    her_id = {person["name"]: person["id"] for person in third.get("/api/people").get_json()}["Ann"]
    assert sentence(third.post("/api/me", json={"profile": her_id})) == sentence(refused)
    table.running.service.submit(Resign(seat=0))  # the game is over: she may go on with another phone
    assert elsewhere(third) == {"Ann": False, "Ben": False}
    table.new_game("tides-of-war")
    assert elsewhere(third) == {"Ann": True, "Ben": False}
    assert ann.post("/api/seat", json={"seat": 0, "take": False}).status_code == 200
    assert elsewhere(third) == {"Ann": False, "Ben": False}
    assert third.post("/api/me", json={"profile": people(ann)["Ann"]["id"]}).status_code == 200


def test_nobody_is_somebody_who_is_there_with_a_page_open(table: RealTable) -> None:
    """A stranger touched the owner's name in the list, and played games that counted for her."""
    ann = phone(table, name="Ann")
    ann_id = people(ann)["Ann"]["id"]
    watching = ann.get("/api/watch")
    third = phone(table, profile=ann_id)
    assert you(third)["profile"] == ""  # in, but as nobody yet
    assert [person["elsewhere"] for person in third.get("/api/people").get_json()] == [True]
    why = "Ann is at the table with another phone: choose another name. If that is you, close the page there first."
    for said in ({"profile": ann_id}, {"name": "Ann"}):
        assert sentence(third.post("/api/me", json=said)) == why
    watching.close()
    assert third.post("/api/me", json={"profile": ann_id}).status_code == 200


def test_two_lessons_without_a_name_count_for_who_is_chosen_from_the_list(table: RealTable) -> None:
    ann, other = phone(table, name="Ann"), phone(table)
    go_through(table, other)
    go_through(table, other)
    known = people(ann)["Ann"]["id"]
    assert other.post("/api/me", json={"profile": known}).status_code == 200
    assert lessons(table, ann) == {"Ann": True}
    (person,) = table.people.all()
    assert len(person.once) == 1  # it was one nameless person


def test_who_has_said_a_name_before_the_lesson_is_over_has_gone_through_it_once(table: RealTable) -> None:
    first, second = phone(table), phone(table, name="Ben")
    first.post("/api/order", json={"do": "start_lesson", "game": "tides-of-war"})
    assert second.post("/api/order", json={"do": "next_step"}).status_code == 200  # Ben reads it with a stranger
    table.set_up()
    while text := table.table.play.session.expected:
        table.running.service.submit(PlayPly(text=text))
    assert lessons(table, second) == {"Ben": True}


def test_a_phone_without_a_name_keeps_its_lessons_over_a_restart(tmp_path: Path) -> None:
    phones = Phones(tmp_path / "phones.json")
    entry = WaysIn(phones, profiles=Profiles(tmp_path / "people.json"))
    id = entry.ask("a secret", AskToJoin())
    entry.admit(id)
    nameless = phones.learner(phones.who("a secret"))
    assert phones.learner(GUEST) == ""
    again = Phones(tmp_path / "phones.json")
    people = WaysIn(again, profiles=Profiles(tmp_path / "people.json")).people
    visitor = again.who("a secret")
    assert again.learner(visitor) == nameless
    ann = people.call(visitor, Me(name="Ann"))
    assert (people.of(nameless), again.learner(again.who("a secret"))) == (ann.id, ann.id)


def test_this_machines_own_browser_keeps_them_too_whether_it_was_a_phone_before_or_not(tmp_path: Path) -> None:
    def started() -> tuple[Phones, WaysIn]:
        phones = Phones(tmp_path / "phones.json")
        return phones, WaysIn(phones, profiles=Profiles(tmp_path / "people.json"))

    phones, _ = started()
    nameless = phones.learner(phones.who("", local=True))
    again, entry = started()
    visitor = again.who("", local=True)
    assert again.learner(visitor) == nameless
    ann = entry.people.call(visitor, Me(name="Ann"))
    assert entry.people.of(nameless) == ann.id
    last, entry = started()
    another = last.learner(last.who("", local=True))
    assert another == ann.id  # as on a phone, it is hers until somebody else says who they are
    last.keep_local("a secret")
    last.only_here()
    host, _ = started()
    host.only_here()
    assert host.learner(host.who("", local=True)) == another


def test_nobody_ever_sees_a_phone_that_was_let_in_without_its_person() -> None:
    seen = []

    class Looking(Profiles):
        """Looks at who is at the table while somebody new is written down."""

        def add(self, name: str, colour: str = "") -> KnownPerson:
            seen.append((entry.phones.who("ann's secret").role, entry.phones.asking("ann's secret") == id))
            return super().add(name, colour)

    phones = Phones()
    entry = WaysIn(phones, profiles=Looking())
    phones.changed = lambda seating: seen.append((phones.who("ann's secret").role, bool(phones.all()[0].profile)))
    id = entry.ask("ann's secret", AskToJoin(name="Ann"))
    entry.admit(id)
    assert seen == [("guest", True), ("owner", True)]


def test_a_person_is_known_again_on_another_day_and_on_another_phone(
    table: RealTable, open_table: Callable[..., RealTable]
) -> None:
    phone(table, 0, name="Ann"), phone(table, 1, name="Ben")
    finish(table, loser=1)
    table.close()
    again = open_table("first36")
    tablet = phone(again, name="Somebody", profile=people(guest(again))["Ann"]["id"])
    assert you(tablet)["name"] == "Ann 2"  # two phones have two names
    found = people(tablet)
    assert (numbers(found["Ann"]), found["Ann"]["you"]) == ((1, 1, 0), True)


def test_who_comes_with_another_phone_is_called_as_before_once_the_one_before_is_away(
    table: RealTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben's phone has forgotten everything: it joins, sits down, and Ben chooses himself."""
    phone(table, 0, name="Ann")
    before = phone(table, name="Ben")
    ben = you(before)["profile"]
    page = before.get("/api/watch")
    monkeypatch.setattr(presence, "AWAY_S", 0.0)
    wiped = phone(table, 1)
    assert wiped.post("/api/me", json={"profile": ben}).status_code == 409  # the other one is there still
    page.close()
    wiped.post("/api/me", json={"profile": ben})
    assert (you(wiped)["name"], you(wiped)["profile"]) == ("Ben", ben)
    assert you(wiped)["people"]["1"]["name"] == "Ben"
    assert (you(before)["named"], you(before)["profile"]) == (False, "")
    wiped.post("/api/seat", json={"seat": 1, "take": False})
    tablet = phone(table, name="Ben", profile=ben)  # it remembers who he is
    assert you(tablet)["name"] == "Ben"
    tablet.post("/api/seat", json={"seat": 1})
    finish(table, loser=0)
    assert numbers(people(tablet)["Ben"]) == (1, 1, 0)


def test_a_phone_that_is_away_keeps_its_name_with_its_seat(table: RealTable, monkeypatch: pytest.MonkeyPatch) -> None:
    before, other = phone(table, 0, name="Ben"), phone(table)
    monkeypatch.setattr(presence, "AWAY_S", 0.0)
    table.running.service.submit(Resign(seat=0))  # while he plays he is nobody else
    other.post("/api/me", json={"profile": you(before)["profile"]})
    assert (you(before)["name"], you(other)["name"]) == ("Ben", "Ben 2")


def test_a_name_that_is_known_is_asked_about_and_taken_for_nobody(table: RealTable) -> None:
    phone(table, name="Ann")
    other = phone(table, name="Ann")
    assert you(other)["profile"] == ""
    twice = other.post("/api/me", json={"name": "Änn"})
    assert "There is Ann already" in sentence(twice)
    assert you(other)["profile"] == ""
    known = other.get("/api/people").get_json()[0]
    assert other.post("/api/me", json={"profile": known["id"]}).get_json()["name"] == "Ann"
    assert you(other)["profile"] == known["id"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"profile": "nobody"}, "no longer in the list"),
        ({"profile": "../x"}, "cannot be read"),
        ({"name": "\u200b"}, "invisible"),
        ({"name": "小" * 21}, "too long"),
        ({"name": ""}, "cannot be read"),
        ({}, "Choose a person, or give a name."),
    ],
)
def test_who_cannot_be_is_refused_in_one_sentence_and_nothing_changes(
    table: RealTable, body: dict[str, str], why: str
) -> None:
    ann = phone(table, name="Ann")
    before = table.people.all(), you(ann)
    answer = ann.post("/api/me", json=body)
    assert answer.status_code in (400, 409)
    assert why in sentence(answer)
    assert (table.people.all(), you(ann)) == before


def test_a_name_of_forty_letters_with_markup_is_text(table: RealTable) -> None:
    ann = phone(table, 0, name=NASTY)
    assert (you(ann)["name"], list(people(ann))) == (NASTY, [NASTY])


def test_a_phone_that_another_person_takes_is_that_persons_from_then_on(table: RealTable) -> None:
    ann = phone(table, 0, name="Ann")
    finish(table, loser=1)
    assert ann.post("/api/me", json={"name": "Cid"}).status_code == 200
    finish(table, loser=0)
    found = people(ann)
    assert {name: numbers(found[name]) for name in found} == {"Ann": (1, 1, 0), "Cid": (1, 0, 1)}
    assert opponents(found["Cid"]) == {"others": (1, 0, 1)}


def test_two_who_are_one_person_have_their_games_together(table: RealTable) -> None:
    owner = phone(table, 0, name="Ann")
    ben = phone(table, 1, name="Ben")
    finish(table, loser=1)
    owner.post("/api/me", json={"name": "Anna"})
    finish(table, loser=0)
    ids = {name: person["id"] for name, person in people(owner).items()}
    body = {"id": ids["Anna"], "into": ids["Ann"]}
    assert owner.post("/api/people/merge", json=body).status_code == 200
    found = people(owner)
    assert (set(found), numbers(found["Ann"]), found["Ann"]["you"]) == ({"Ann", "Ben"}, (2, 1, 1), True)
    assert opponents(found["Ben"]) == {"Ann": (2, 1, 1)}
    assert you(owner)["name"] == "Ann"
    assert sentence(ben.post("/api/people/merge", json=body)).endswith("can change this.")
    assert sentence(owner.post("/api/people/merge", json=body)) == "These two are one person already."


def test_a_new_name_is_in_the_list_of_games_and_a_removed_one_no_longer(table: RealTable) -> None:
    owner, ben = phone(table, name="Eve"), phone(table, 1, name="Ben")
    ann = phone(table, 0, name="Ann")
    finish(table, loser=1)
    ids = {name: person["id"] for name, person in people(ann).items()}
    for path in ("history", "evening", "history/1/text", "history/1/recording", "history/1"):
        assert "Anneliese" not in owner.get(f"/api/{path}").get_data(as_text=True)
    assert ann.post("/api/people/change", json={"id": ids["Ann"], "name": "Anneliese"}).status_code == 200
    assert you(ann)["name"] == "Anneliese"
    assert "Anneliese won as White" in owner.get("/api/history").get_data(as_text=True)
    assert "Anneliese" in owner.get("/api/history/2/recording").get_data(as_text=True)
    ann.post("/api/leave", json={})
    assert owner.post("/api/people/remove", json={"id": ids["Ann"]}).status_code == 200
    for path in ("history", "evening", "history/2/text", "history/2/recording", "history/2", "people"):
        assert "Ann" not in owner.get(f"/api/{path}").get_data(as_text=True), path
    found = people(ben)
    assert (set(found), opponents(found["Ben"])) == ({"Ben", "Eve"}, {"others": (1, 0, 1)})


def test_whoever_watches_may_look_and_change_nothing(table: RealTable) -> None:
    ann = phone(table, 0, name="Ann")
    finish(table, loser=1)
    watcher = guest(table)
    assert numbers(people(watcher)["Ann"]) == (1, 1, 0)
    assert not people(watcher)["Ann"]["may"]
    own = people(ann)["Ann"]["id"]
    for path, body in (
        ("me", {"profile": own}),
        ("people/change", {"id": own, "name": "Thief"}),
        ("people/merge", {"id": own, "into": own}),
        ("people/remove", {"id": own}),
    ):
        answer = watcher.post(f"/api/{path}", json=body)
        assert (answer.status_code, "Join first" in sentence(answer)) == (403, True)
    assert list(people(ann)) == ["Ann"]


def tries(client: FlaskClient, whom: str, into: str) -> set[str]:
    """Let ``client`` change, merge and remove the person ``whom``, and return how that is refused."""
    orders: list[tuple[str, dict[str, str]]] = [
        ("change", {"id": whom, "name": "Thief"}),
        ("merge", {"id": whom, "into": into}),
        ("merge", {"id": into, "into": whom}),
        ("remove", {"id": whom}),
    ]
    return {sentence(client.post(f"/api/people/{path}", json=body)) for path, body in orders}


def test_who_is_at_the_table_is_changed_by_their_own_phone_or_the_owners_alone(table: RealTable) -> None:
    owner, ben, cid = phone(table, name="Ann"), phone(table, name="Ben"), phone(table, name="Cid")
    ids = {name: person["id"] for name, person in people(owner).items()}
    why = "Cid is at the table: only their phone or the owner's can change this."
    assert tries(ben, ids["Cid"], ids["Ben"]) == {why}
    cid.post("/api/leave", json={})
    assert ben.post("/api/people/change", json={"id": ids["Cid"], "name": "Sid"}).status_code == 200
    assert owner.post("/api/people/change", json={"id": ids["Ben"], "name": "Benno"}).status_code == 200
    assert you(ben)["name"] == "Benno"


def test_who_is_there_with_a_phone_of_their_own_is_changed_by_no_other_that_says_it_is_theirs(table: RealTable) -> None:
    """A guest called himself by the name of somebody who only watched, and then gave her another one."""
    phone(table, name="Ann")
    ben, cid = phone(table, name="Ben"), phone(table, name="Cid")
    ids = {name: person["id"] for name, person in people(ben).items()}
    assert ben.post("/api/me", json={"profile": ids["Cid"]}).status_code == 200  # as if he were at two phones
    assert not people(ben)["Cid"]["may"]
    assert tries(ben, ids["Cid"], ids["Ben"]) == {
        "Cid is at the table with another phone, too: close the page there first, or let the owner's phone do this."
    }
    assert you(cid)["name"] == "Cid"
    cid.post("/api/leave", json={})
    assert people(ben)["Cid"]["may"]
    assert ben.post("/api/people/change", json={"id": ids["Cid"], "name": "Sid"}).status_code == 200


def test_the_board_is_an_opponent_by_its_level(table: RealTable) -> None:
    owner = guest(table)
    owner.post("/api/pair/code", json={"code": CODE, "name": "Ann"})
    owner.post("/api/seat", json={"seat": 0})
    table.new_game("tides-of-war")
    table.running.service.submit(NewGame("tides-of-war", opponents=Opponents((0, 2), answers=True)))
    table.running.service.submit(Resign(seat=0))
    assert opponents(people(owner)["Ann"]) == {"Board, level 2": (1, 0, 1)}


# ---- a game in which experience decides ----


def begun(client: FlaskClient, table: RealTable, **order: Any) -> str:
    """Begin a game and return the experience with which it began."""
    assert client.post("/api/order", json=order).status_code == 200
    return str(table.table.play.session.options.get("experience"))


def test_of_equal_bids_who_has_finished_fewer_of_these_games_goes_later(open_table: Callable[..., RealTable]) -> None:
    table = open_table("shell19")
    ann, ben = phone(table, name="Ann"), phone(table, name="Ben")
    game = {"do": "new_game", "game": "beacons", "options": {"board": "hex 3"}}
    assert begun(ann, table, **game) == ""  # nobody sits anywhere yet
    ann.post("/api/seat", json={"seat": 0})
    ben.post("/api/seat", json={"seat": 1})
    assert begun(ann, table, **game) == "0 0"
    table.running.service.submit(Resign(seat=1))
    ben.post("/api/me", json={"name": "Cid"})
    assert begun(ann, table, do="play_again") == "1 0"
    table.set_up()
    for client, seat in ((ann, 0), (ben, 1)):
        bid = {"do": "plies", "texts": ["bid 6 6"], "seat": seat}
        assert client.post("/api/order", json=bid).status_code == 200
    assert table.table.play.session.state.order == (0, 1)
    assert begun(ann, table, do="play_again", seats="turn") == "0 1"
    seen = {begun(ann, table, do="play_again", seats="lots") for _ in range(12)}
    assert seen == {"0 1", "1 0"}
    first = you(ann)["people"]["0"]["name"]  # lots were drawn before the game began, and for it
    assert table.table.play.session.options["experience"] == {"Cid": "0 1", "Ann": "1 0"}[first]
    assert begun(ann, table, **game, seats="keep") in seen
    own = {**game, "options": {"board": "hex 3", "experience": "5 -"}}
    assert begun(ann, table, **own) == "5 -"  # what the order says itself counts


def test_a_game_played_without_a_name_is_claimed_by_whoever_played_it_and_given_back(table: RealTable) -> None:
    ada, once = phone(table, 0, name="Ada"), phone(table, 1)
    finish(table, 0)
    address = "/api/history/1/nameless"
    assert ada.get(address).get_json() == []  # whose phone it is may say so there
    assert ada.post(address, json={"seat": 1, "mine": True}).status_code == 409
    assert once.post("/api/leave", json={}).status_code == 200
    bea = phone(table, name="Bea")
    assert bea.get(address).get_json() == [{"seat": 1, "yours": False}]
    assert bea.post(address, json={"seat": 1, "mine": True}).status_code == 200
    assert numbers(people(bea)["Bea"]) == (1, 1, 0)
    assert bea.get("/api/history/1").get_json()["people"] == [["White", "Ada"], ["Black", "Bea"]]
    assert (bea.get(address).get_json(), ada.get(address).get_json()) == ([{"seat": 1, "yours": True}], [])
    assert ada.post(address, json={"seat": 1, "mine": False}).status_code == 409
    assert bea.post(address, json={"seat": 1, "mine": False}).status_code == 200
    assert numbers(people(bea)["Bea"]) == (0, 0, 0)


def test_nobody_without_a_name_claims_a_game(table: RealTable) -> None:
    once, other = phone(table, 1), phone(table)
    finish(table, 0)
    assert once.post("/api/leave", json={}).status_code == 200
    assert other.get("/api/history/1/nameless").get_json() == []
    for seat in (0, 1):
        assert other.post("/api/history/1/nameless", json={"seat": seat, "mine": True}).status_code == 409
