"""Who sits where when a game begins: as seated, moved on by one, or drawn by lot; over HTTP and in the phones' file."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from controller.table.views.types import SeatView
from tests.web_panel.fake_backend import square_backend
from web_panel.app import create_app
from web_panel.backend import Standing
from web_panel.people import presence
from web_panel.people.joining import WaysIn
from web_panel.people.phones import Phones
from web_panel.people.told import you


def seated(*names: str, path: Path | None = None, dice: Random | None = None) -> Phones:
    """Return phones that hold the seats in this order; one name twice is one phone, "" a seat that nobody holds."""
    phones = Phones(path, dice)
    for name in dict.fromkeys(filter(None, names)):
        id = phones.ask(f"secret of {name}", name)
        phones.admit(id)
        for seat, other in enumerate(names):
            if other == name:
                phones.take(id, seat)
    return phones


def people(phones: Phones) -> tuple[str, ...]:
    return phones.seating().people


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("Ann", "Ben"), ("Ben", "Ann")),
        (("Ann",), ("", "Ann")),
        (("", "Ben"), ("Ben",)),
        (("Ann", "Ann"), ("Ann", "Ann")),
        (("Ann", "Ben", "Cid"), ("Ben", "Cid", "Ann")),
        (("Ann", "Ann", "Ben", "Cid"), ("Ann", "Ben", "Cid", "Ann")),
        (("Ann", "", "Ben", "", "Cid", "Dot"), ("", "Ben", "", "Cid", "Dot", "Ann")),
    ],
)
def test_everybody_moves_on_by_one_seat(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    phones = seated(*before)
    phones.reseat("turn", max(2, len(before)))
    assert people(phones) == after


def test_a_seat_that_does_not_take_part_stays_with_its_phone() -> None:
    phones = seated("Ann", "Ben", "Cid", "Dot")
    phones.reseat("turn", 2)
    assert people(phones) == ("Ben", "Ann", "Cid", "Dot")


def test_lots_come_out_each_way_equally_often() -> None:
    phones = seated("Ann", "Ben", "", dice=Random(5))
    drawn = Counter[tuple[str, ...]]()
    for _ in range(1200):
        phones.reseat("lots", 3)
        drawn[people(phones)] += 1
    assert len(drawn) == 6
    assert min(drawn.values()) > 160


def test_lots_move_a_phone_with_two_seats_seat_by_seat() -> None:
    phones = seated("Ann", "Ann", "Ben", dice=Random(2))
    met = set()
    for _ in range(40):
        phones.reseat("lots", 3)
        met.add(people(phones))
    assert met == {("Ann", "Ann", "Ben"), ("Ann", "Ben", "Ann"), ("Ben", "Ann", "Ann")}


def test_the_seats_drawn_outlive_a_restart(tmp_path: Path) -> None:
    phones = seated("Ann", "Ben", "Cid", path=tmp_path / "phones.json")
    phones.reseat("turn", 3)
    assert people(Phones(tmp_path / "phones.json")) == ("Ben", "Cid", "Ann")


def test_no_two_phones_have_the_same_name() -> None:
    phones = Phones()
    for secret in "abc":
        phones.admit(phones.ask(secret, "Ann"))
    phones.admit(phones.ask("d", "This computer"))
    phones.admit(phones.ask("e", None))
    phones.admit(phones.ask("f", None))
    names = [phone.name for phone in phones.all()]
    assert names == ["Ann", "Ann 2", "Ann 3", "This computer 2", "Phone 1", "Phone 2"]


# ---- over HTTP ----


class Table:
    """A panel with Ann's phone at it, and the table that hears of it."""

    def __init__(self, *names: str) -> None:
        self.phones = seated(*names)
        self.backend = square_backend()
        seats = tuple(SeatView(f"Player {n + 1}", n == 0, colour=n) for n in range(len(names)))
        self.backend.view = msgspec.structs.replace(self.backend.view, seats=seats)
        self.entry = WaysIn(self.phones)
        self.client = create_app(self.backend, entry=self.entry).test_client()
        self.client.set_cookie("beaconboard", "secret of Ann")

    def opens(self, *names: str) -> None:
        """Let the phones of these people have a page open."""
        for name in names:
            if not self.phones.knows(f"secret of {name}"):
                self.phones.admit(self.phones.ask(f"secret of {name}", name))
            self.entry.presence.opened(partial(self.phones.who, f"secret of {name}"))

    def order(self, **order: Any) -> Any:
        return self.client.post("/api/order", json=order)


def test_the_table_hears_who_sits_where_from_the_start_on() -> None:
    table = Table("Ann", "Ben")
    assert [(seating.people, seating.by) for seating in table.backend.seatings] == [(("Ann", "Ben"), "")]


@pytest.mark.parametrize("order", [{"do": "new_game", "game": "circle"}, {"do": "play_again"}])
def test_a_new_game_keeps_the_seats_unless_it_says_otherwise(order: Any) -> None:
    table = Table("Ann", "Ben")
    assert table.order(**order).status_code == 200
    assert people(table.phones) == ("Ann", "Ben")
    assert table.order(**order, seats="turn").status_code == 200
    assert people(table.phones) == ("Ben", "Ann")
    before, after = table.backend.seatings[0], table.backend.seatings[-1]
    assert (after.people, after.by, after.profiles) == (("Ben", "Ann"), "turn", before.profiles[::-1])


def test_who_begins_a_game_in_which_others_sit_sits_beside_them_once_the_seats_have_changed() -> None:
    table = Table("Ben", "", "Ann")  # Ann's seat is not one of those that play
    table.backend.view = msgspec.structs.replace(table.backend.view, seats=table.backend.view.seats[:2])
    assert table.order(do="new_game", game="circle", seats="turn").status_code == 200
    assert people(table.phones) == ("Ann", "Ben", "Ann")


@pytest.mark.parametrize(("sensors", "after"), [(True, ("Ann", "Ben")), (False, ("Ann",))])
def test_at_a_board_with_sensors_phones_that_lie_dark_keep_their_seats(
    sensors: bool, after: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWAY_S", "LATELY_S"):
        monkeypatch.setattr(presence, name, 0.0)
    table = Table("Ann", "Ben")
    if sensors:
        table.backend.hand = None
    assert table.order(do="new_game", game="circle").status_code == 200
    assert people(table.phones) == after


@pytest.mark.parametrize("order", [{"do": "new_game", "game": "circle"}, {"do": "play_again"}])
@pytest.mark.parametrize(
    ("here", "after"),
    [
        (("Ann",), ("Ben", "Ann", "Cid")),  # nobody wants their seats
        (("Ann", "Dot"), ("", "Ann", "Cid")),
        (("Ann", "Dot", "Eve", "Fay"), ("", "Ann")),
        (("Ann", "Ben", "Dot"), ("Ben", "Ann")),  # Ben is here
    ],
)
def test_in_a_game_that_begins_anew_who_is_here_without_a_seat_goes_before_who_is_away(
    order: Any, here: tuple[str, ...], after: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "ABSENT_S", 0.0)
    table = Table("Ben", "Ann", "Cid")
    table.opens(*here)
    assert table.order(**order).status_code == 200
    assert people(table.phones) == after


@pytest.mark.parametrize("order", [{"do": "new_game", "game": "circle"}, {"do": "play_again"}])
@pytest.mark.parametrize(
    ("before", "here", "seats", "after"),
    [
        (("Ann", "Ben", "Ben", "Cid"), "Dot", "keep", ("Ann", "Ben", "", "Cid")),  # one of Ben's is of old
        (("Ann", "Ben", "Ben", "Cid"), "", "keep", ("Ann", "Ben", "Ben", "Cid")),  # nobody wants it
        (("Ann", "Ben", "Ben", "Cid"), "Dot", "turn", ("Ben", "", "Cid", "Ann")),
        (("Ann", "Ann"), "Ben Cid Dot", "keep", ("Ann",)),
        (("Ann", "Ann", "Ann", "Ben", "Ben"), "Cid", "keep", ("Ann", "Ann", "", "Ben", "Ben")),
        (("Ann", "", "Ann", "Ben"), "Cid", "keep", ("Ann", "", "Ann", "Ben")),  # one is free already
    ],
)
def test_in_a_game_that_begins_anew_everybody_here_has_a_seat_before_anybody_has_two(
    order: Any, before: tuple[str, ...], here: str, seats: str, after: tuple[str, ...]
) -> None:
    table = Table(*before)
    table.opens(*dict.fromkeys(filter(None, before)), *here.split())
    assert table.order(**order, seats=seats).status_code == 200
    assert people(table.phones) == after


def test_lots_leave_no_phone_two_seats_while_another_one_that_is_here_has_none() -> None:
    table = Table("Ann", "Ben", "Ben", "Cid")
    table.opens("Ann", "Ben", "Cid", "Dot")
    assert table.order(do="play_again", seats="lots").status_code == 200
    assert sorted(filter(None, people(table.phones))) == ["Ann", "Ben", "Cid"]


def test_who_has_only_let_the_phone_go_dark_keeps_the_seat_and_so_do_all_at_a_board_with_sensors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table("Ben", "Ann")
    table.opens("Ann", "Dot")
    assert table.order(do="new_game", game="circle").status_code == 200
    assert people(table.phones) == ("Ben", "Ann")
    monkeypatch.setattr(presence, "ABSENT_S", 0.0)
    table.backend.hand = None
    assert table.order(do="new_game", game="circle").status_code == 200
    assert people(table.phones) == ("Ben", "Ann")


def test_a_game_that_is_refused_moves_nobody() -> None:
    table = Table("Ann", "Ben")
    table.backend.refusal = "There is no such game."
    assert table.order(do="new_game", game="go", seats="turn").status_code == 409
    assert people(table.phones) == ("Ann", "Ben")
    assert len(table.backend.seatings) == 1


def test_another_way_to_sit_is_refused_in_words() -> None:
    answer = Table("Ann", "Ben").order(do="play_again", seats="oldest first")
    assert answer.status_code == 400
    assert "seats" in answer.get_json()["error"]


def test_nobody_tells_the_table_who_sits_where_but_the_phones() -> None:
    assert Table("Ann", "Ben").order(do="seated", people=["Ann"]).status_code == 400


# ---- who is given a seat ----


class Evening(Table):
    """A table of four people with a phone each, whose game is over."""

    def __init__(self, *names: str) -> None:
        super().__init__(*names)
        self.opens("Ann", "Ben", "Clara", "Dan")
        self.end()

    def end(self, seats: int = 2) -> None:
        """A game for so many is on the table, and over."""
        sat = tuple(SeatView(f"Player {n + 1}", False, colour=n) for n in range(seats))
        self.backend.view = msgspec.structs.replace(self.backend.view, seats=sat)

    def id(self, name: str) -> str:
        return next(phone.id for phone in self.phones.everybody() if phone.name == name)

    def begins(self, *people: str, by: str = "Ann", **more: Any) -> Any:
        """Begin a game in which these people sit; "Ann/1" plays seat 1 with Ann's phone now, "Ann/" nobody yet."""
        ids = [self.id(name) + slash + seat if name else "" for name, slash, seat in (p.partition("/") for p in people)]
        self.client.set_cookie("beaconboard", f"secret of {by}")
        return self.order(do="new_game", game="circle", people=ids, **more)

    def as_told(self, name: str) -> Any:
        return you(self.backend, self.entry, self.phones.who(f"secret of {name}"), "")

    def line(self, name: str) -> list[str]:
        return [each["name"] for each in self.as_told(name)["line"]]

    def wants(self, name: str, on: bool = True) -> None:
        self.client.set_cookie("beaconboard", f"secret of {name}")
        assert self.client.post("/api/seat/next", json={"on": on}).status_code == 200


def test_after_a_game_of_four_the_two_who_did_not_win_play_each_other() -> None:
    """Whoever begins a game seats anybody: nobody whom it names has to do anything for that."""
    table = Evening("Clara", "Ann", "Ben", "Dan")
    table.end(seats=2)
    assert table.begins("Ben", "Dan").status_code == 200
    assert people(table.phones) == ("Ben", "Dan")
    assert [table.as_told(name)["seats"] for name in ("Ann", "Ben", "Clara", "Dan")] == [[], [0], [], [1]]
    assert table.backend.seatings[-1].by == "turn"  # all read who sits where
    news = [(told["what"], told["who"], told["part"]) for told in table.as_told("Clara")["told"]]
    assert ("left_out", "Ann", "old") in news
    assert ("left_out", "old") not in [(told["what"], told["part"]) for told in table.as_told("Ben")["told"]]


def test_nobody_is_given_two_seats_nor_one_who_is_not_at_the_table() -> None:
    table = Evening("Ann", "Ben")
    assert "two seats" in table.begins("Clara", "Clara").get_json()["error"]
    answer = table.order(do="new_game", game="circle", people=["nobody", ""])
    assert (answer.status_code, "not at the table" in answer.text) == (409, True)
    assert table.begins("Ann/7", "Ben").status_code == 409  # nobody plays that seat beside Ann
    assert people(table.phones) == ("Ann", "Ben")


def test_two_people_on_one_phone_are_given_seats_each_by_themselves() -> None:
    table = Evening("Ann", "Ben")
    assert table.begins("Ann", "Ann/").status_code == 200
    assert people(table.phones) == ("Ann", "Ann")
    assert table.client.post("/api/seat/person", json={"seat": 1, "name": "Mamie"}).status_code == 200
    assert table.line("Ben")[:3] == ["Ben", "Ann", "Mamie"]
    assert table.begins("Ann/1", "Ben").status_code == 200
    assert people(table.phones) == ("Mamie", "Ben")


def test_whoever_has_a_phone_goes_before_those_who_share_one() -> None:
    """Ann has let Mamie play with her phone: Clara, who plays with her own, and Ann herself do not get up for Mamie."""
    table = Evening("Ann", "Ben")
    assert table.begins("Ann/", "Clara").status_code == 200
    assert table.client.post("/api/seat/person", json={"seat": 0, "name": "Mamie"}).status_code == 200
    for asks in ("Ann", "Clara"):
        assert table.line(asks) == ["Ben", "Ann", "Clara", "Mamie", "Dan"]


def test_lots_are_drawn_among_those_who_were_given_seats() -> None:
    table = Evening("Ann", "Ben")
    met = set()
    for _ in range(24):
        assert table.begins("Clara", "Dan", seats="lots").status_code == 200
        met.add(people(table.phones))
    assert met == {("Clara", "Dan"), ("Dan", "Clara")}
    assert table.backend.seatings[-1].by == "lots"


def test_who_begins_a_game_against_the_board_for_somebody_else_takes_no_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Evening("Ann", "Ben")
    stands = msgspec.structs.replace(table.backend.standing(), board=frozenset({1}))
    monkeypatch.setattr(table.backend, "standing", lambda: stands)
    assert table.begins("Clara", "", by="Ann").status_code == 200
    assert people(table.phones) == ("Clara",)


def test_a_seat_that_anybody_may_take_is_nobodys() -> None:
    table = Evening("Ann", "Ben")
    assert table.begins("", "Dan").status_code == 200
    assert people(table.phones) == ("", "Dan")


def test_who_has_waited_longest_plays_next_after_whoever_asked_to() -> None:
    """A game of two after the other; Dan has only ever watched, and nobody has won."""
    table = Evening("Ann", "Ben")
    assert table.line("Ann") == ["Ann", "Ben", "Clara", "Dan"]
    table.begins("Clara", "Ann")  # Ben waits for one game
    assert table.line("Ann") == ["Ben", "Ann", "Clara", "Dan"]
    table.begins("Clara", "Ben")  # Ann for one
    table.wants("Dan")
    assert table.line("Clara") == ["Dan", "Ann", "Clara", "Ben"]
    for who in ("Clara", "Dan", "nobody"):  # also on the television
        assert table.as_told(who)["wants_next"] == "Dan wants to play next."
    table.wants("Ben")
    assert table.as_told("Clara")["wants_next"] == "Ben and Dan want to play next."
    table.wants("Ben", on=False)
    table.wants("Dan", on=False)
    assert table.as_told("Clara")["wants_next"] == ""
    assert table.line("Clara") == ["Ann", "Clara", "Ben", "Dan"]
    table.wants("Dan")
    table.begins("Dan", "Clara")  # and so has what they asked for
    assert not any(each["wants"] for each in table.as_told("Dan")["line"])


def test_of_those_who_play_the_winner_stays() -> None:
    table = Evening("Clara", "Ann")
    standing, visitor = Standing(("White", "Black"), winner=1), table.phones.who("secret of Clara")
    phones = table.phones.everybody()
    line = table.entry.waiting.line(phones, lambda phone: phone.name, visitor, standing, {"local"}, ())
    assert [(each["name"], each["seat"]) for each in line] == [("Ann", 1), ("Clara", 0)]  # no page of others is open


def test_against_people_the_winner_stays_and_against_the_board_whoever_waits_plays_next() -> None:
    """Ben and Dan want to play, and Dan waits longer. Alone against the board the winner would keep all others out."""
    table = Evening("Clara", "Ann")
    table.begins("Ben", "Ann")
    table.begins("Clara", "Ann")
    table.wants("Ben")
    table.wants("Dan")
    phones, visitor = table.phones.everybody(), table.phones.who("secret of Clara")
    for board, names in ((frozenset[int](), "Ann Dan Ben Clara"), (frozenset({0}), "Dan Ben Ann Clara")):
        standing = Standing(("White", "Black"), winner=1, board=board)
        line = table.entry.waiting.line(
            phones, lambda phone: phone.name, visitor, standing, table.entry.presence.watching(), ()
        )
        assert [each["name"] for each in line] == names.split()


def test_the_same_game_begins_again_with_those_who_are_named() -> None:
    table = Evening("Ann", "Ben")
    assert table.order(do="play_again", people=[table.id("Clara"), table.id("Ann")]).status_code == 200
    assert people(table.phones) == ("Clara", "Ann")
    assert ("left_out", "Ann", "old") in [
        (told["what"], told["who"], told["part"]) for told in table.as_told("Ben")["told"]
    ]
    assert table.order(do="play_again", people=["nobody", ""]).status_code == 409
    met = set()
    for _ in range(24):
        again = table.order(do="play_again", people=[table.id("Dan"), table.id("Ann")], seats="lots")
        assert again.status_code == 200
        met.add(people(table.phones))
    assert met == {("Dan", "Ann"), ("Ann", "Dan")}


def test_a_guest_is_not_told_who_plays_next() -> None:
    table = Evening("Ann", "Ben")
    assert table.as_told("nobody")["line"] == []


# ---- in the middle of a game ----


def test_who_changes_sides_with_the_board_holds_the_other_seat() -> None:
    table = Table("Ann", "")
    assert table.order(do="who_plays", levels=[3, 0], seats="turn").status_code == 200
    assert people(table.phones) == ("", "Ann")


def test_nobody_gives_anothers_seat_to_the_board() -> None:
    table = Table("Ann", "Ben")
    answer = table.order(do="who_plays", levels=[0, 3])
    assert (answer.status_code, "Ben plays Player 2" in answer.text) == (409, True)
    assert table.order(do="who_plays", levels=[3, 0]).status_code == 200
    assert people(table.phones) == ("Ann", "Ben")
