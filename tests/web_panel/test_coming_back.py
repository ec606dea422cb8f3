"""Somebody whose browser has forgotten its cookie comes back to their seat: those at the table say whether it is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from flask.testing import FlaskClient

from controller.game_setup import Opponents
from controller.orders import NewGame
from tests.web_panel.real_table import RealTable
from tests.web_panel.test_join import newest, sentence, you
from tests.web_panel.test_people import phone
from web_panel.people import presence
from web_panel.people.joining import COOKIE

CODE = "1234 5678"


class Evening:
    """Ann and Paul sit at the board; Paul's phone is away, and ``again`` is the one that it is now, as a guest came."""

    def __init__(self, table: RealTable, held: ExitStack) -> None:
        self.table, self._held = table, held
        self.ann, self.paul = phone(table, 0, name="Ann"), phone(table, 1, name="Paul")
        self.again = phone(table)

    def looks(self, client: FlaskClient) -> None:
        """Let a phone have its page open."""
        page = client.get("/api/watch")
        self._held.callback(page.close)
        next(iter(page.response))

    def ask(self, seat: int = 1) -> str:
        """Let the new phone ask for a seat; returns why it may not, "" where it may."""
        answer = self.again.post("/api/seat/again", json={"seat": seat})
        return "" if answer.status_code == 200 else sentence(answer)

    def answer(self, client: FlaskClient, let_in: bool) -> int:
        knock = you(self.ann)["knock"] or {"id": you(self.again)["phones"][-1]["id"]}
        return client.post("/api/pair/answer", json={"id": knock["id"], "let_in": let_in}).status_code

    def seats(self) -> list[list[int]]:
        return [you(each)["seats"] for each in (self.ann, self.paul, self.again)]


@pytest.fixture
def evening(open_table: Callable[..., RealTable], monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    monkeypatch.setattr(presence, "AWAY_S", 0.0)
    table = open_table("first36")
    table.new_game("tides-of-war")
    with ExitStack() as held:
        yield Evening(table, held)


def test_who_comes_back_with_another_phone_has_the_seat_once_those_at_the_table_agree(evening: Evening) -> None:
    evening.looks(evening.ann)
    assert (you(evening.again)["again"], you(evening.paul)["again"]) == ([1], [])
    assert evening.ask() == ""
    knock = you(evening.ann)["knock"]
    assert (knock["name"], knock["again"]) == ("Paul", True)
    assert (you(evening.again)["knocking"], you(evening.again)["knock"]) == ("waits", None)
    assert evening.seats() == [[0], [1], []]  # nothing is taken unseen
    assert evening.answer(evening.again, True) == 409  # nor by the word of who asks
    assert evening.answer(evening.ann, True) == 200
    assert evening.seats() == [[0], [], [1]]
    now, before = you(evening.again), you(evening.paul)
    assert (now["name"], now["named"], now["again"], now["knocking"]) == ("Paul", True, [], "")
    assert (before["named"], before["profile"], before["role"]) == (False, "", "player")  # and may ask for it again
    paul = next(each for each in evening.ann.get("/api/people").get_json() if each["name"] == "Paul")
    assert now["profile"] == paul["id"]


def test_who_is_believed_owns_the_table_again_and_the_phone_before_is_listed_no_more(evening: Evening) -> None:
    evening.looks(evening.paul)
    owner = you(evening.ann)["phones"][0]["id"]
    assert evening.paul.post("/api/pair/code", json={"code": CODE}).status_code == 200  # another owner
    assert evening.ask(0) == ""
    knock = you(evening.paul)["knock"]
    assert (knock["name"], knock["owner"]) == ("Ann", True)
    answer = evening.paul.post("/api/pair/answer", json={"id": knock["id"], "let_in": True})
    assert answer.status_code == 200
    listed = you(evening.paul)["phones"]
    assert [(each["name"], each["owner"]) for each in listed] == [("Paul", True), ("Ann", True)]
    assert owner not in [each["id"] for each in listed]
    assert (you(evening.again)["role"], you(evening.ann)["role"]) == ("owner", "player")
    for each, parts in ((evening.again, ["new", "new"]), (evening.ann, ["old", ""])):
        told = you(each)["told"][-2:]
        assert [(piece["what"], piece["part"]) for piece in told] == [("is_again", parts[0]), ("owns", parts[1])]
    assert newest(evening.paul)["mine"]  # who gave it away was asked
    evening.looks(evening.ann)  # the phone before, after all
    assert [each["name"] for each in you(evening.paul)["phones"]] == ["Ann's phone", "Paul", "Ann"]


def test_who_reads_the_rules_is_not_away_and_nobody_else_is_offered_their_seat(evening: Evening) -> None:
    assert (1 in you(evening.ann)["away"], 1 in you(evening.again)["again"]) == (True, True)
    assert evening.paul.post("/api/here", json={}).status_code == 200
    assert (1 in you(evening.ann)["away"], 1 in you(evening.again)["again"]) == (False, False)
    guest = evening.table.app.test_client()
    assert guest.post("/api/here", json={}).status_code == 403


def test_those_who_play_say_who_somebody_is_and_all_are_told_what_they_said(evening: Evening) -> None:
    """One who only watches would give a seat away while the others still wonder."""
    cy = phone(evening.table, name="Cy")
    evening.looks(cy)
    evening.looks(evening.ann)
    assert evening.ask() == ""
    assert (you(evening.ann)["knock"]["name"], you(cy)["knock"]) == ("Paul", None)
    assert evening.answer(cy, True) == 409
    assert evening.answer(evening.ann, False) == 200
    told = newest(cy)
    assert (told["who"], told["what"], told["words"], told["mine"]) == ("Ann", "is_not", "Paul", False)
    assert [newest(each)["part"] for each in (evening.again, evening.paul, cy)] == ["new", "", ""]


def test_where_nobody_who_plays_is_there_whoever_watches_is_asked(evening: Evening) -> None:
    cy = phone(evening.table, name="Cy")
    evening.looks(cy)
    assert evening.ask() == ""
    knock = you(cy)["knock"]
    assert cy.post("/api/pair/answer", json={"id": knock["id"], "let_in": True}).status_code == 200
    told = newest(evening.ann)
    assert (told["who"], told["what"], told["words"]) == ("Cy", "is_again", "Paul")


def test_whose_seat_is_on_another_phone_now_is_told_which_and_by_whose_word(evening: Evening) -> None:
    evening.looks(evening.ann)
    assert evening.again.post("/api/me", json={"name": "Mallory"}).status_code == 200
    assert evening.ask() == ""
    assert evening.answer(evening.ann, True) == 200
    told = newest(evening.paul)
    assert (told["what"], told["asks"], told["who"], told["part"]) == ("is_again", "Mallory", "Ann", "old")
    assert (newest(evening.again)["part"], newest(evening.ann)["mine"]) == ("new", True)


def test_who_plays_with_another_phone_is_told_so_on_the_first_and_may_come_back_to_it(evening: Evening) -> None:
    evening.looks(evening.ann)
    assert (evening.ask(), evening.answer(evening.ann, True)) == ("", 200)
    evening.looks(evening.again)
    before = you(evening.paul)
    assert (before["elsewhere"], before["again"]) == ([1], [1])
    assert (you(evening.again)["elsewhere"], you(evening.ann)["elsewhere"]) == ([], [])
    assert evening.paul.post("/api/seat/again", json={"seat": 1}).status_code == 200
    knock = you(evening.ann)["knock"]
    assert (knock["name"], knock["again"], knock["away"]) == ("Paul", True, False)
    assert you(evening.again)["knock"] == knock  # with both phones in hand they say so themselves
    answered = evening.again.post("/api/pair/answer", json={"id": knock["id"], "let_in": True})
    assert (answered.status_code, evening.seats()) == (200, [[0], [1], []])
    assert (you(evening.paul)["name"], you(evening.paul)["elsewhere"], you(evening.again)["elsewhere"]) == (
        "Paul", [], [1],
    )  # fmt: skip


def test_no_player_makes_an_owner(evening: Evening) -> None:
    evening.looks(evening.paul)
    assert evening.ask(0) == ""
    knock = you(evening.paul)["knock"]
    assert (knock["name"], knock["owner"]) == ("Ann", False)
    assert evening.paul.post("/api/pair/answer", json={"id": knock["id"], "let_in": True}).status_code == 200
    assert (you(evening.again)["seats"], you(evening.again)["role"]) == ([0], "player")
    assert you(evening.ann)["role"] == "owner"


def test_who_is_alone_gets_the_seat_and_not_the_table(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "LATELY_S", 0.0)
    assert evening.ask(0) == ""
    assert (evening.seats(), you(evening.again)["role"]) == ([[], [1], [0]], "player")
    assert [(each["name"], each["owner"]) for each in you(evening.again)["phones"]] == [
        ("Ann's phone", True), ("Paul", False), ("Ann", False),
    ]  # fmt: skip


def test_who_is_not_believed_has_no_seat_and_may_ask_again_in_a_while(evening: Evening) -> None:
    evening.looks(evening.ann)
    assert evening.ask() == ""
    assert evening.answer(evening.ann, False) == 200
    assert (you(evening.again)["knocking"], evening.seats()) == ("refused", [[0], [1], []])
    assert "Those at the table have just said no" in evening.ask()


def test_a_phone_that_is_there_keeps_its_seat(evening: Evening) -> None:
    evening.looks(evening.ann)
    assert "this one is not" in evening.ask(0)
    assert evening.ask() == ""
    id = you(evening.ann)["knock"]["id"]
    evening.looks(evening.paul)  # back before anybody has answered
    assert (you(evening.ann)["knock"], you(evening.again)["again"]) == (None, [])
    late = evening.ann.post("/api/pair/answer", json={"id": id, "let_in": True})
    assert late.status_code == 409
    assert "is there again" in sentence(late)
    assert evening.seats() == [[0], [1], []]


def test_who_is_alone_goes_on_at_once_and_who_is_not_waits_for_somebody_to_look(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.ann.get("/api/watch").close()  # a moment ago
    assert evening.ask() == "Nobody is there to confirm that it is you: ask the others to open this page."
    monkeypatch.setattr(presence, "LATELY_S", 0.0)
    assert evening.ask() == ""
    assert evening.seats() == [[0], [], [1]]
    told = newest(evening.paul)
    assert (told["what"], told["who"], told["asks"], told["part"]) == ("is_again", "", "Another phone", "old")
    assert newest(evening.again)["mine"]


def test_the_seat_of_a_phone_without_a_name_is_come_back_to_as_well(evening: Evening) -> None:
    third, fourth = phone(evening.table), phone(evening.table)
    assert evening.paul.post("/api/seat", json={"seat": 1, "take": False}).status_code == 200
    assert third.post("/api/seat", json={"seat": 1}).status_code == 200
    evening.looks(evening.ann)
    assert fourth.post("/api/seat/again", json={"seat": 1}).status_code == 200
    assert you(evening.ann)["knock"]["name"] == ""
    assert evening.answer(evening.ann, True) == 200
    assert (you(third)["seats"], you(fourth)["seats"], you(fourth)["named"]) == ([], [1], False)


def test_a_guest_and_who_has_a_seat_ask_for_none(evening: Evening) -> None:
    assert evening.table.app.test_client().post("/api/seat/again", json={"seat": 1}).status_code == 403
    assert evening.paul.post("/api/seat/again", json={"seat": 0}).status_code == 409


# ---- the board plays meanwhile ----


def lends(giver: FlaskClient, seat: int = 1) -> None:
    levels = [int(each == seat) for each in (0, 1)]
    answer = giver.post("/api/order", json={"do": "who_plays", "levels": levels})
    assert answer.status_code == 200, sentence(answer)


def test_a_phone_for_which_the_board_plays_meanwhile_has_its_seat_back_at_once(evening: Evening) -> None:
    evening.looks(evening.ann)
    lends(evening.ann)
    assert evening.seats() == [[0], [], []]
    told = you(evening.paul)
    assert (told["again"], told["lent"]) == ([1], {"1": {"name": "Paul", "you": True}})
    evening.looks(evening.paul)
    assert evening.paul.post("/api/seat/again", json={"seat": 1}).status_code == 200
    assert (evening.seats(), you(evening.paul)["lent"]) == ([[0], [1], []], {})
    news = newest(evening.ann)
    assert (news["who"], news["what"], news["words"]) == ("Paul", "returned", "Black")
    assert evening.paul.post("/api/seat/again", json={"seat": 1}).status_code == 409  # it plays already


def test_who_has_let_the_board_play_for_them_plays_on_themselves(evening: Evening) -> None:
    evening.looks(evening.ann)
    evening.looks(evening.paul)
    lends(evening.paul)
    assert evening.seats() == [[0], [], []]
    assert (you(evening.again)["again"], you(evening.ann)["again"]) == ([], [])  # for Paul is there
    assert "this one is not" in evening.ask()
    assert evening.paul.post("/api/seat/again", json={"seat": 1}).status_code == 200
    assert evening.seats() == [[0], [1], []]


def test_who_comes_with_another_phone_while_the_board_plays_is_asked_about(evening: Evening) -> None:
    evening.looks(evening.ann)
    lends(evening.ann)
    assert you(evening.again)["again"] == [1]
    assert you(evening.again)["lent"] == {"1": {"name": "Paul", "you": False}}
    assert evening.table.app.test_client().post("/api/seat/again", json={"seat": 1}).status_code == 403
    assert evening.ask() == ""
    assert you(evening.ann)["knock"]["name"] == "Paul"
    assert evening.seats() == [[0], [], []]
    assert evening.answer(evening.ann, True) == 200
    assert (evening.seats(), you(evening.again)["name"]) == ([[0], [], [1]], "Paul")
    told = newest(evening.paul)
    assert (told["what"], told["words"], told["part"]) == ("is_again", "Paul", "old")
    assert you(evening.paul)["lent"] == {}  # its person plays elsewhere


def test_who_is_not_believed_does_not_play_in_place_of_the_board(evening: Evening) -> None:
    evening.looks(evening.ann)
    lends(evening.ann)
    assert evening.ask() == ""
    assert evening.answer(evening.ann, False) == 200
    assert (evening.seats(), you(evening.ann)["lent"]) == ([[0], [], []], {"1": {"name": "Paul", "you": False}})


def test_a_seat_that_was_released_and_is_the_boards_now_is_come_back_to_as_well(evening: Evening) -> None:
    evening.looks(evening.ann)
    assert evening.ann.post("/api/seat", json={"seat": 1, "take": False}).status_code == 200
    assert you(evening.paul)["again"] == []  # anybody may take it
    lends(evening.ann)
    assert you(evening.paul)["again"] == [1]


def restarted(evening: Evening, open_table: Callable[..., RealTable]) -> None:
    """Start the board anew; the phones go on with what they have."""
    cookies = [client.get_cookie(COOKIE) for client in (evening.ann, evening.paul, evening.again)]
    evening.table.close()
    evening.table = open_table("first36")
    clients = []
    for cookie in cookies:
        assert cookie is not None
        clients.append(evening.table.app.test_client())
        clients[-1].set_cookie(COOKIE, cookie.value)
    evening.ann, evening.paul, evening.again = clients


def test_after_a_restart_the_board_knows_still_for_whom_it_plays(
    evening: Evening, open_table: Callable[..., RealTable]
) -> None:
    evening.looks(evening.ann)
    lends(evening.ann)
    restarted(evening, open_table)
    assert (you(evening.paul)["again"], you(evening.paul)["lent"]) == ([1], {"1": {"name": "Paul", "you": True}})
    assert you(evening.again)["lent"] == {"1": {"name": "Paul", "you": False}}
    assert evening.paul.post("/api/seat/again", json={"seat": 1}).status_code == 200
    assert evening.seats() == [[0], [1], []]
    lends(evening.ann, seat=2)
    restarted(evening, open_table)
    assert you(evening.paul)["lent"] == {}


def test_a_game_that_begins_in_the_very_moment_of_a_power_cut_is_not_that_of_whoever_had_a_seat_before(
    evening: Evening,
) -> None:
    """The game is on disk, what the phones know of it not yet."""
    evening.looks(evening.ann)
    lends(evening.ann)
    evening.table.running.service.submit(NewGame(game="tides-of-war", opponents=Opponents((0, 1))))
    assert (you(evening.paul)["again"], you(evening.paul)["lent"]) == ([], {})


def test_another_game_and_whoever_sat_down_since_end_what_was_lent(evening: Evening) -> None:
    evening.looks(evening.ann)
    lends(evening.ann)
    lends(evening.ann, seat=2)  # people play all again
    assert evening.again.post("/api/seat", json={"seat": 1}).status_code == 200
    lends(evening.again)
    assert [you(each)["lent"]["1"]["you"] for each in (evening.paul, evening.again)] == [False, True]
    against = {"do": "new_game", "game": "tides-of-war", "opponents": {"levels": [0, 1]}}
    assert evening.ann.post("/api/order", json=against).status_code == 200
    assert (you(evening.again)["again"], you(evening.ann)["lent"]) == ([], {})
