"""What the panel shows and asks of play with people far away, whoever does the work behind it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.panel.afar_backend import JOIN, AfarBackend, folder_of
from controller.refused import Refused
from controller.service.afar import boards, phones, way_tried
from controller.service.afar.boards import LinkShown
from controller.service.afar.phones import ToldPhone
from controller.service.afar.way_tried import Tried
from controller.settings import Settings
from controller.table.state import Play
from tests.table.scenes import Scene

BOARD = LinkShown("r1", True, True, 1, "circle", "https://link/1", "open", "", False)
LOOKER = ToldPhone("r2", (), "Ann", "https://link/2", "open", "", True)
BROKER: Any = object()


class Worker:
    """Somebody who keeps links, and notes what is asked."""

    made: list[Worker]

    def __init__(self, *given: Any) -> None:
        self.given, self.asked = given, list[str]()
        self.made.append(self)

    def __getattr__(self, asked: str) -> Any:
        def ask(*what: Any) -> Any:
            self.asked.append(asked)
            return f"{asked} {' '.join(map(str, what))}"

        return ask


class Boards(Worker):
    """Links with other boards."""

    made: list[Worker] = []  # noqa: RUF012  emptied before each test

    def links(self) -> tuple[LinkShown, ...]:
        return (BOARD,)


class Phones(Worker):
    """Links with phones."""

    made: list[Worker] = []  # noqa: RUF012

    def links(self) -> tuple[ToldPhone, ...]:
        return (LOOKER,)

    def end(self, room: str) -> bool:
        self.asked.append("end")
        return room == "r2"


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    Boards.made.clear()
    Phones.made.clear()
    monkeypatch.setattr(boards, "BetweenBoards", Boards)
    monkeypatch.setattr(phones, "AfarPhones", Phones)


def backend(folder: Path, play: Play | None = None, broker: Any = BROKER, relay: str = "") -> AfarBackend:
    service: Any = SimpleNamespace(look=lambda: SimpleNamespace(table=SimpleNamespace(play=play)))
    found = AfarBackend(service, folder, broker, relay)
    found.answered_by(SimpleNamespace())
    return found


def test_a_board_that_plays_alone_makes_nobody_work_for_links(tmp_path: Path) -> None:
    page = backend(folder_of(tmp_path / "games.sqlite3"))
    page.start()
    page.stop()
    assert page.stands(owner=True) == {
        "invites": True, "follows": False, "seats": [], "links": [], "relay": False, "phones": [], "owner": True
    }  # fmt: skip
    with pytest.raises(Refused, match="no such invitation"):
        page.link("r1")
    assert (Boards.made, Phones.made) == ([], [])


@pytest.mark.parametrize(
    ("left", "makes"),
    [("a.link", (1, 0)), ("a.phone", (0, 1)), (JOIN, (1, 0)), ("a.old", (0, 0))],
)
def test_what_was_left_by_earlier_runs_is_gone_on_with(tmp_path: Path, left: str, makes: tuple[int, int]) -> None:
    (tmp_path / left).touch()
    page = backend(tmp_path)
    page.start()
    assert (len(Boards.made), len(Phones.made)) == makes
    for made in (*Boards.made, *Phones.made):
        assert made.asked[0] == "start"
        assert ("take_handed" in made.asked) == (left == JOIN)
    page.stop()
    assert all(made.asked[-1] == "stop" for made in (*Boards.made, *Phones.made))


def test_each_seat_of_the_game_on_the_table_can_be_given_away(tmp_path: Path) -> None:
    play = Scene("circle", {"players": 2}).run().play
    assert backend(tmp_path, play).stands(owner=True)["seats"] == [
        {"seat": 0, "name": "White", "afar": False},
        {"seat": 1, "name": "Black", "afar": False},
    ]


def test_links_are_made_by_who_does_the_work_and_shown_to_the_owner_alone(tmp_path: Path) -> None:
    page = backend(tmp_path, relay="https://relay")
    assert page.invite(1) == "invite 1"
    assert page.invite_phone(None, "Ann") == "invite None Ann"
    page.join("https://link/1")
    page.hand_over("r1")
    (made,), (called,) = Boards.made, Phones.made
    assert made.asked == ["start", "invite", "join", "hand_over"]
    assert called.asked == ["start", "invite"]
    owner, guest = page.stands(owner=True), page.stands(owner=False)
    assert owner["relay"]
    assert [(link["title"], link["text"]) for link in owner["links"]] == [("Circle", "https://link/1")]
    assert [(link["title"], link["text"]) for link in guest["links"]] == [("Circle", "")]
    assert [(link["name"], link["text"]) for link in owner["phones"]] == [("Ann", "https://link/2")]
    assert [(link["name"], link["text"]) for link in guest["phones"]] == [("Ann", "")]
    assert (page.link("r1"), page.link("r2")) == ("https://link/1", "https://link/2")
    with pytest.raises(Refused):
        page.link("r3")


def test_a_link_is_ended_by_whoever_keeps_it(tmp_path: Path) -> None:
    page = backend(tmp_path)
    page.invite_phone(0, "Ann")
    page.end("r2")
    assert Boards.made == []
    page.end("r1")
    assert Boards.made[0].asked == ["start", "end"]
    alone = backend(tmp_path)
    alone.end("r2")
    assert Boards.made[1].asked == ["start", "end"]


def test_without_a_broker_nobody_is_invited(tmp_path: Path) -> None:
    told = backend(tmp_path, broker=None, relay="https://relay").stands(owner=True)
    assert (told["invites"], told["relay"]) == (False, False)


def test_another_broker_and_relay_count_at_once_and_whoever_keeps_links_hears_of_them(tmp_path: Path) -> None:
    page = backend(tmp_path, broker=None)
    page.adjust(Settings(afar_broker="host"))
    assert (Boards.made, Phones.made) == ([], [])
    assert (page.stands(owner=True)["invites"], page.stands(owner=True)["relay"]) == (True, False)
    page.invite(1)
    page.invite_phone(None, "Ann")
    page.adjust(Settings(afar_broker="host", afar_relay="https://relay"))
    assert page.stands(owner=True)["relay"]
    assert [made.asked[-1] for made in (*Boards.made, *Phones.made)] == ["adjust", "adjust"]
    page.adjust(Settings())
    assert not page.stands(owner=True)["invites"]


def test_a_seat_of_a_phone_far_away_is_given_to_no_other_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = backend(tmp_path, relay="https://relay")
    page.invite_phone(0, "Ann")
    monkeypatch.setattr(Phones, "links", lambda self: (msgspec.structs.replace(LOOKER, seats=(0,)),))
    with pytest.raises(Refused, match="A phone far away plays this seat"):
        page.invite(0)
    assert page.invite(1) == "invite 1"


@pytest.mark.parametrize(
    ("relay", "well", "told"),
    [("https://relay", True, ["broker", "relay"]), ("", True, ["broker"]), ("https://relay", False, ["broker"])],
)
def test_the_way_is_tried_as_far_as_it_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relay: str, well: bool, told: list[str]
) -> None:
    monkeypatch.setattr(way_tried, "try_broker", lambda broker: Tried(well, "broker"))
    monkeypatch.setattr(way_tried, "try_relay", lambda broker, relay: Tried(True, "relay"))
    assert [each["told"] for each in backend(tmp_path, relay=relay).try_out()] == told
    with pytest.raises(Refused, match="Name a broker first"):
        backend(tmp_path, broker=None, relay=relay).try_out()
