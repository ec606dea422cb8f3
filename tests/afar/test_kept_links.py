"""Links on disk: what a power cut has torn, what cannot be read, who may read them, and whose turn their games are."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.afar import keys
from controller.afar.log import Begun, Log, LogEntry
from controller.broker import Broker, BrokerLine
from controller.orders import HomeEnded, NewGame, Resign
from controller.refused import Refused
from controller.rules.registry import game_named
from controller.service.afar import turns
from controller.service.afar.boards import JOIN, BetweenBoards
from controller.service.afar.files import BoardLinkFile, LinkFile, links
from controller.service.afar.turns import RoomTurns
from tests.afar.brokers import free_port
from tests.afar.wire import LINK
from tests.service.evenings import Evening
from tests.waiting import until

TIDES = Begun("tides-of-war", {}, 0)
KEPT = BoardLinkFile("home", keys.written(LINK), 1, TIDES)
ENTRIES = (LogEntry(ply="c3-c4"), LogEntry(ply="c6-b5"), LogEntry(back=1))
TEXT = keys.written(LINK)


@pytest.fixture
def file(tmp_path: Path) -> LinkFile:
    file = LinkFile(tmp_path / "links", KEPT)
    file.save(KEPT)
    return file


def log_of(file: LinkFile) -> Path:
    return next(iter(links(file._link_path.parent)))._log_path


def plies(file: LinkFile) -> tuple[int, tuple[str, ...]]:
    """Return how many entries are read again after a restart, and what stands after them."""
    (again,) = links(file._link_path.parent)
    known = again.log()
    assert known is not None
    return known.n, known.plies


def test_a_link_and_its_log_are_read_again_and_are_nobody_elses_to_read(file: LinkFile) -> None:
    assert plies(file) == (0, ())
    file.add(ENTRIES[:1])
    file.add(ENTRIES[1:])
    assert plies(file) == (3, ("c3-c4",))
    folder = file._link_path.parent
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    file.rewrite(ENTRIES[:2])
    assert plies(file) == (2, ("c3-c4", "c6-b5"))
    assert log_of(file).stat().st_mode & 0o777 == 0o600
    file.forget()
    assert list(folder.iterdir()) == []
    file.forget()  # it is gone already


def test_what_a_power_cut_left_of_a_log_that_was_written_anew_is_in_no_later_one(file: LinkFile) -> None:
    file.add(ENTRIES)
    log_of(file).with_name(f"{log_of(file).name}.new").write_bytes(b'{"ply":"d5-c6"}\n' * 99)
    file.rewrite(ENTRIES[:2])
    assert plies(file) == (2, ("c3-c4", "c6-b5"))
    assert log_of(file).stat().st_mode & 0o777 == 0o600


def test_a_far_board_that_was_told_nothing_yet_has_no_log(tmp_path: Path) -> None:
    assert LinkFile(tmp_path, BoardLinkFile("far", TEXT)).log() is None


@pytest.mark.parametrize(
    ("torn", "entries"),
    [
        (b'{"ply":"c6-', 1),  # in the middle of a line
        (b'{"ply":"c6-b5"}', 2),  # just before its end
        (b'{"ply":"c6-b5"}\n{"back":7}\n{"back":1}\n', 2),  # an entry that does not follow, and what comes after it
        (b"\xff\xfe\n", 1),
    ],
)
def test_of_a_torn_log_what_comes_before_is_kept_and_written_anew(
    file: LinkFile, torn: bytes, entries: int, caplog: pytest.LogCaptureFixture
) -> None:
    file.add(ENTRIES[:1])
    log_of(file).write_bytes(log_of(file).read_bytes() + torn)
    assert plies(file)[0] == entries
    assert caplog.messages == [f"the log of a game between two boards is torn after {entries} entries"]
    file.add((LogEntry(ply="d3-e4" if entries == 2 else "c6-b5"),))
    assert plies(file)[0] == entries + 1
    assert len(caplog.messages) == 1


def test_a_link_that_cannot_be_read_hides_no_other(file: LinkFile, caplog: pytest.LogCaptureFixture) -> None:
    folder = file._link_path.parent
    (folder / "a.link").write_bytes(b"noise")
    (folder / "z.link").write_bytes(msgspec.json.encode({"role": "far", "link": "https://example.org"}))
    assert [each.kept for each in links(folder)] == [KEPT]
    assert [message.partition(":")[0] for message in caplog.messages] == [
        "a link to a game at another board cannot be read"
    ] * 2


def test_home_goes_to_and_fro_with_each_time_it_is_handed_over(tmp_path: Path) -> None:
    invited = LinkFile(tmp_path, KEPT)
    joined = LinkFile(tmp_path, BoardLinkFile("far", TEXT, 1, TIDES))
    for handed in range(3):
        log = Log(TIDES, [LogEntry(handed=True)] * handed)
        assert (invited.is_home(log), joined.is_home(log)) == ((True, False) if handed % 2 == 0 else (False, True))
    assert (invited.is_home(None), joined.is_home(None)) == (True, False)


# ---- whose turn it is -------------------------------------------------------------------------------------


def test_whose_turn_it_is_goes_by_the_log_and_by_who_sits_where() -> None:
    rooms, log = RoomTurns(), Log(TIDES)
    assert rooms.of("room", None, (1,)) == ""
    assert rooms.of("room", log, (1,)) == "here"
    assert rooms.of("room", log, (0,)) == "there"  # the seats have changed
    log.append(ENTRIES[0])
    assert rooms.of("room", log, (0,)) == "here"
    assert rooms.of("room", log, (0, 1)) == "there"
    log.append(LogEntry(ended=HomeEnded(over=True)))
    assert rooms.of("room", log, (0, 1)) == "over"
    assert rooms.of("other", Log(Begun("tides-of-war", {}, 0, ("c3-d3", "e3xc3xa1"))), ()) == "over"
    assert rooms.of("nobody knows this game", Log(Begun("ludo", {}, 0)), ()) == ""
    assert rooms.of("not legal", Log(Begun("tides-of-war", {}, 0, ("c3-f6",))), ()) == ""


def test_a_choice_in_secret_is_due_from_each_who_is_not_bound() -> None:
    beacons = game_named("beacons")
    options = msgspec.to_builtins(beacons.options(players=2))
    log = Log(Begun("beacons", options, 1))
    assert RoomTurns().of("room", log, (1,)) == "here"
    assert RoomTurns().of("room", log, (0,)) == "here"  # both bid at once
    assert RoomTurns().of("room", log, (0, 1)) == "there"


def test_it_is_found_once_for_each_position_and_a_fault_of_the_rules_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[str] = []

    def begin(game: str, *given: Any) -> None:
        asked.append(game)
        raise KeyError("c3")

    monkeypatch.setattr(turns, "begin", begin)
    rooms, log = RoomTurns(), Log(TIDES)
    assert [rooms.of("room", log, (1,)) for _ in range(3)] == ["", "", ""]
    assert len(asked) == 1
    log.append(ENTRIES[0])
    rooms.of("room", log, (1,))
    assert len(asked) == 2
    rooms.of("other", log, (1,))
    assert len(caplog.messages) == 2  # one for each room
    assert all("whose turn it is" in message and "KeyError" in message for message in caplog.messages)


# ---- a link that is handed over, and what cannot be -------------------------------------------------------


@pytest.fixture
def board(tmp_path: Path) -> Iterator[tuple[Evening, BetweenBoards]]:
    evening = Evening(tmp_path / "games.sqlite3").start()
    (tmp_path / "afar").mkdir()
    between = BetweenBoards(evening.service, tmp_path / "afar", None)
    yield evening, between
    between.stop()
    evening.stop()


def test_what_is_handed_over_and_no_link_is_told_on_the_panel_once(
    board: tuple[Evening, BetweenBoards], tmp_path: Path
) -> None:
    evening, between = board
    file = tmp_path / "afar" / JOIN
    file.write_text("https://example.org")
    between.start()
    assert evening.settle().seen.fault.startswith("This is not a link to a game")
    assert not file.exists()
    assert between.links() == []


def test_what_cannot_be_read_at_all_is_noted_in_the_log(
    board: tuple[Evening, BetweenBoards], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    evening, between = board
    (tmp_path / "afar" / JOIN).write_bytes(b"\xff\xfe")
    with caplog.at_level(logging.WARNING):
        between.take_handed()
    assert [message.partition(":")[0] for message in caplog.messages] == [
        "the link that was handed over cannot be read"
    ]
    assert evening.settle().seen.fault == ""


def test_without_a_broker_or_a_link_there_is_nothing_to_do(board: tuple[Evening, BetweenBoards]) -> None:
    _, between = board
    between.start()
    assert between.links() == []
    assert "afar" not in {thread.name for thread in threading.enumerate()}
    with pytest.raises(Refused, match="No broker is set"):
        between.invite(1)
    for order in (between.end, between.hand_over):
        with pytest.raises(Refused, match="This link has been ended already"):
            order("no-such-room")


def test_an_invitation_is_judged_by_the_links_of_its_own_game(tmp_path: Path) -> None:
    """Home of game 1 was handed to this board, so that nobody more is invited to it; game 2 is this board's own."""
    evening = Evening(tmp_path / "games.sqlite3").start()
    nobody = Broker("127.0.0.1", free_port())
    link = msgspec.structs.replace(LINK, host=nobody.host, port=nobody.port, tls=False)
    kept = BoardLinkFile("far", keys.written(link), 1, TIDES)
    handed = LinkFile(tmp_path / "afar", kept)
    handed.save(kept)
    handed.add((LogEntry(handed=True),))
    evening.order(NewGame(game="tides-of-war", seed=0))
    between = BetweenBoards(evening.service, tmp_path / "afar", nobody)
    between.start()
    try:
        with pytest.raises(Refused, match="The other board plays all other seats"):
            between.invite(0)
        evening.order(NewGame(game="tides-of-war", seed=0))
        assert keys.read(between.invite(0)).seat == 0
        assert sorted(shown.home for shown in between.links()) == [True, True]
        evening.order(Resign(seat=1))
        with pytest.raises(Refused, match="Begin a game first"):
            between.invite(0)
    finally:
        between.stop()
        evening.stop()


def test_with_a_relay_the_link_is_an_address_and_an_old_one_becomes_one_too(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start()
    broker = Broker("127.0.0.1", free_port())
    texts: list[str] = []
    for relay in ("", "https://relay.example"):
        between = BetweenBoards(evening.service, tmp_path / "afar", broker, relay=relay)
        between.start()
        try:
            if not relay:
                evening.order(NewGame(game="tides-of-war", seed=0))
                assert between.invite(1).startswith("beaconboard://127.0.0.1:")
            else:
                assert between.invite(None).startswith("https://relay.example/board#127.0.0.1:")
            texts += [shown.text for shown in between.links() if shown.seat == 1]
        finally:
            between.stop()
    evening.stop()
    old, new = texts
    assert new.startswith("https://relay.example/board#127.0.0.1:")
    assert keys.read(old) == keys.read(new)


def test_a_new_invitation_to_a_seat_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start()
    between = BetweenBoards(evening.service, tmp_path / "afar", Broker("127.0.0.1", free_port()))
    between.start()
    try:
        evening.order(NewGame(game="tides-of-war", seed=0))
        first, looks_on = between.invite(1), between.invite(None)
        second = between.invite(1)
        assert first != second
        texts = {shown.text for shown in between.links()}
        assert texts == {second, looks_on}
        between.invite(None)  # any number of boards can look on
        assert len(between.links()) == 3
    finally:
        between.stop()
        evening.stop()


@pytest.mark.realtime
def test_a_board_that_follows_asks_home_again_until_it_answers(tmp_path: Path, port: int) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start()
    asked: list[bytes] = []
    topic = f"bb/{LINK.room}/up"
    broker = Broker("127.0.0.1", port)
    home = BrokerLine(broker, "", (topic,), lambda message: asked.append(message.payload), lambda up, why: None)
    home.start()
    between = BetweenBoards(evening.service, tmp_path / "afar", None)
    between.start()
    between.join(keys.written(msgspec.structs.replace(LINK, host="127.0.0.1", port=port, tls=False)))
    try:
        until(lambda: len(asked) > 2)  # once as the line is up, and then by itself
        assert [shown.state for shown in between.links()] == ["The other board has not answered yet."]
    finally:
        home.close()
        between.stop()
        evening.stop()
