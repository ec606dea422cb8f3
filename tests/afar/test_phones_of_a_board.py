"""The links by which phones far away play at a board: who gets one, what keeps it, and what ends it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.afar.messages import LogHello
from controller.afar.phone import MOST_LETTERS, PHONE_VERSION, Call, phone_link
from controller.afar.sealing import Sealing
from controller.broker import Broker, BrokerLine, BrokerMessage
from controller.refused import Refused
from controller.service.afar.phones import FILES, MOST_LINKS, AfarPhones, PhoneLinkFile, log
from tests.afar.brokers import free_port
from tests.afar.test_phone_link import FakePanel, HomeEnvelope
from tests.waiting import until

RELAY = "https://relay.example"


class Panel(FakePanel):
    """One that notes who was let in, and who was sent away."""

    def __init__(self) -> None:
        super().__init__()
        self.invited: list[tuple[int | None, str]] = []
        self.left: list[str] = []
        self.at_table = True

    def seats(self, secret: str) -> tuple[int, ...] | None:
        return (1,) if self.at_table else None

    def invite(self, seat: int | None, name: str) -> str:
        self.invited.append((seat, name))
        return "" if seat is None else f"secret {len(self.invited)}"

    def leave(self, secret: str) -> None:
        self.left.append(secret)


class Home:
    """A board with its links; ``broker`` is where they lead."""

    def __init__(self, folder: Path, broker: Broker | None, relay: str = RELAY) -> None:
        self.panel, self.folder, self.broker = Panel(), folder, broker
        self.phones = AfarPhones(self.panel, folder, broker, relay)
        self.phones.start()

    def rooms(self) -> list[str]:
        return [link.room for link in self.phones.links()]

    def kept(self) -> PhoneLinkFile:
        """Return the one link as it is kept."""
        (file,) = self.folder.glob(FILES)
        return msgspec.json.decode(file.read_bytes(), type=PhoneLinkFile)

    def again(self) -> Home:
        self.phones.stop()
        return Home(self.folder, self.broker)


@pytest.fixture
def nobody() -> Broker:
    """Where a broker should be, and is none: a link waits for it."""
    return Broker("127.0.0.1", free_port())


@pytest.fixture
def home(tmp_path: Path, nobody: Broker) -> Iterator[Home]:
    home = Home(tmp_path / "afar", nobody)
    yield home
    home.phones.stop()


@pytest.mark.parametrize(("broker", "relay"), [(True, ""), (False, RELAY)])
def test_nobody_is_invited_by_a_link_that_leads_nowhere(
    tmp_path: Path, nobody: Broker, broker: bool, relay: str
) -> None:
    home = Home(tmp_path / "afar", nobody if broker else None, relay)
    with pytest.raises(Refused, match="No relay is set"):
        home.phones.invite(0, "Ada")
    assert (home.panel.invited, home.phones.links()) == ([], [])
    home.phones.stop()


def test_a_board_that_never_invited_a_phone_has_nothing_at_work_for_them(home: Home) -> None:
    home.phones.adjust(None, "")
    assert (home.phones.links(), home.phones.end("no-such-room")) == ([], False)
    assert "phones afar" not in {thread.name for thread in threading.enumerate()}


def test_who_was_invited_is_after_a_restart_by_the_same_link(home: Home) -> None:
    text = home.phones.invite(1, "Ada")
    looks_on = home.phones.invite(None, "Ben")
    assert home.panel.invited == [(1, "Ada"), (None, "Ben")]
    before = {link.name: (link.room, link.seats, link.text) for link in home.phones.links()}
    assert {name: told[1:] for name, told in before.items()} == {"Ada": ((1,), text), "Ben": ((), looks_on)}
    assert {path.stat().st_mode & 0o777 for path in home.folder.iterdir()} == {0o600}
    again = home.again()
    assert {link.name: (link.room, link.seats, link.text) for link in again.phones.links()} == before
    assert again.panel.invited == []  # they hold their seats already
    again.phones.stop()


def test_a_link_that_is_ended_sends_its_phone_away_and_leaves_nothing(home: Home) -> None:
    home.phones.invite(1, "Ada")
    home.phones.invite(None, "Ben")
    ada, ben = (next(link.room for link in home.phones.links() if link.name == name) for name in ("Ada", "Ben"))
    assert home.phones.end(ada)
    assert (home.panel.left, home.rooms()) == (["secret 1"], [ben])
    assert not home.phones.end(ada)
    assert home.phones.end(ben)
    assert home.panel.left == ["secret 1"]  # who looks on holds no seat
    assert list(home.folder.iterdir()) == []


def test_a_link_that_cannot_be_kept_holds_no_seat(home: Home) -> None:
    home.folder.touch()  # a file where the folder should be
    with pytest.raises(Refused, match="the link cannot be kept: File exists"):
        home.phones.invite(1, "Ada")
    assert (home.panel.left, home.phones.links()) == (["secret 1"], [])


def test_there_are_sixteen_links_at_most_until_one_is_ended(home: Home) -> None:
    for _ in range(MOST_LINKS):
        home.phones.invite(None, "")
    with pytest.raises(Refused, match="There are 16 links to phones already: end one first"):
        home.phones.invite(None, "")
    home.phones.end(home.rooms()[0])
    home.phones.invite(None, "")
    assert len(home.rooms()) == MOST_LINKS


def test_links_rest_while_no_broker_is_set_and_are_back_with_one(home: Home, nobody: Broker) -> None:
    home.phones.invite(1, "Ada")
    rooms = home.rooms()
    home.phones.adjust(None, RELAY)
    assert home.rooms() == []
    home.phones.adjust(nobody, RELAY)
    assert home.rooms() == rooms


def test_another_relay_is_for_new_links_alone(home: Home, nobody: Broker) -> None:
    first = home.phones.invite(None, "")
    home.phones.adjust(nobody, "https://other.example")
    second = home.phones.invite(None, "")
    assert first.startswith("https://relay.example/#k=")
    assert second.startswith("https://other.example/#k=")
    assert sorted(link.text for link in home.phones.links()) == sorted((first, second))


def test_a_file_that_is_no_link_is_left_out_and_noted(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    home.phones.invite(None, "Ben")
    rooms = home.rooms()
    (home.folder / FILES.replace("*", "damaged")).write_bytes(b"{")
    again = home.again()
    assert again.rooms() == rooms
    told = [record.getMessage() for record in caplog.records if record.name == log.name]
    assert [sentence.partition(":")[0] for sentence in told] == ["a link of a phone far away cannot be read"]
    again.phones.stop()


def test_a_broker_that_is_not_there_is_told_and_tried_again(home: Home, nobody: Broker) -> None:
    home.phones.invite(1, "Ada")

    def state() -> str:
        return home.phones.links()[0].state

    until(lambda: "tried again" in state())
    assert state() == (
        f"The MQTT broker {nobody.address} cannot be reached (Connection refused). "
        "It is tried again, and the game waits."
    )


# ---- by a broker ----------------------------------------------------------------------------------------------


class FarPage:
    """A page at the other end of a link, by the broker itself."""

    def __init__(self, broker: Broker, kept: PhoneLinkFile) -> None:
        link = phone_link(kept.key)
        self.sealing = Sealing(link, "up", os.urandom, HomeEnvelope, PHONE_VERSION)
        self.came: list[bytes] = []
        self._up, down = f"bb/{link.room}/up", f"bb/{link.room}/down"
        self.line = BrokerLine(
            broker, "", (down,), lambda message: self.came.append(message.payload), lambda up, why: None,
            most_bytes=1 << 20,
        )  # fmt: skip
        self.line.start()

    def say(self, what: msgspec.Struct) -> None:
        self.line.send(BrokerMessage(self._up, self.sealing.seal(what)))

    def knows_home(self) -> None:
        """Say hello until home answers: into no connection nothing goes."""

        def known() -> str:
            self.say(LogHello())
            time.sleep(0.05)
            while self.came:
                self.sealing.open(self.came.pop(0))
            return self.sealing.peer

        until(known)


@pytest.mark.realtime
def test_a_page_may_ask_for_as_much_as_the_panel_takes_in_any_script(tmp_path: Path, port: int) -> None:
    home = Home(tmp_path / "afar", Broker("127.0.0.1", port))
    home.phones.invite(1, "Ada")
    page = FarPage(Broker("127.0.0.1", port), home.kept())
    page.knows_home()
    assert not home.phones.links()[0].there  # a hello may be anybody's
    page.say(Call("0123456789abcdef", "POST", "/api/order", "言" * MOST_LETTERS))
    until(lambda: home.panel.carried_out)
    assert [len(body) for body in home.panel.carried_out] == [MOST_LETTERS]
    assert home.phones.links()[0].there
    page.line.close()
    home.phones.stop()


@pytest.mark.realtime
def test_the_link_of_who_left_the_table_ends_with_the_next_word(tmp_path: Path, port: int) -> None:
    home = Home(tmp_path / "afar", Broker("127.0.0.1", port))
    home.phones.invite(1, "Ada")
    page = FarPage(Broker("127.0.0.1", port), home.kept())
    page.knows_home()
    home.panel.at_table = False
    page.say(Call("0123456789abcdef", "POST", "/api/order", "{}"))
    until(lambda: not home.rooms())
    assert (home.panel.carried_out, list(home.folder.iterdir())) == ([], [])
    page.line.close()
    home.phones.stop()
