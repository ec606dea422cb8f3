"""The sensor board's firmware, written from the panel or by itself: a board at a terminal, and a service that plays."""

from __future__ import annotations

import os
import pty
import select
import threading
import tty
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.app import sensor_firmware
from controller.app.assembly import build
from controller.app.sensor_firmware import Port, SensorFirmware, Write
from controller.devices.link.framing import feed, pack
from controller.devices.link.greeting import Fit
from controller.devices.link.messages import FIRMWARE, Hello, HelloPlease, Message, Snapshot, Watch, decode, encode
from controller.devices.sensors.serial_board import SerialBoard
from controller.from_profile import wiring
from controller.journal.database import Journal
from controller.orders import NewGame, Pause
from controller.panel.pieces_needed import expected
from controller.refused import Refused
from controller.service.running_board import RunningBoard
from controller.settings import Settings
from hardware.firmware_images import CannotFlash
from hardware.profile import load
from tests.waiting import until

FIRST = load("first36")
OURS = wiring(FIRST).table_hash
VERSIONS = "The sensor board has firmware 1.4; this version comes with 1.4."
WRITING = "The sensor board's firmware is being written: it answers again in about half a minute."

pytestmark = pytest.mark.realtime


class BoardAtALine:
    """A sensor board of 36 cells at a terminal, with the firmware of the table ``table_hash``."""

    def __init__(self, table_hash: int, name: str = "first36") -> None:
        self.table_hash, self.name, self.bits, self.firmware = table_hash, name, 0, FIRMWARE
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        self.port = os.ttyname(self._theirs)
        self._seq = 0
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        self._ends.set()
        self._thread.join()
        os.close(self._ours)
        os.close(self._theirs)

    def _run(self) -> None:
        rest = b""
        while not self._ends.is_set():
            if select.select([self._ours], [], [], 0.02)[0]:
                rest, frames, _ = feed(rest, os.read(self._ours, 4096))
                for frame in frames:
                    self._answer(decode(frame))

    def _answer(self, message: Message) -> None:
        if isinstance(message, HelloPlease):
            self._say(Hello(1, self.firmware, 1, 0, self.table_hash, 36, 1000, self.name))
        if isinstance(message, Watch):
            self._say(Snapshot(2000, 0, 1, message.session, self.bits.to_bytes(5, "little")))

    def _say(self, message: Message) -> None:
        os.write(self._ours, pack(encode(message, self._seq)))
        self._seq = (self._seq + 1) % 256


class Table:
    """A service over such a board, and what is asked to write its firmware: ``written`` counts how often that was."""

    def __init__(self, folder: Path, held: ExitStack, table_hash: int, name: str = "first36") -> None:
        self.line = BoardAtALine(table_hash, name)
        held.callback(self.line.close)
        settings = Settings(board="first36", sensors="serial", serial_port=self.line.port, lights="simulated")
        journal = Journal(folder / "games.sqlite3")
        held.callback(journal.close)
        self.running: RunningBoard = build(FIRST, settings, journal, held)
        sensors = self.running.sensors
        assert isinstance(sensors, SerialBoard)
        self.sensors = sensors
        self.written, self.fails, self.missing = 0, "", ""
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.firmware = SensorFirmware(self.running, sensors, self._writer, lambda: self.line.port)
        self.running.start()
        held.callback(self.running.stop)
        held.callback(self.firmware.close)
        held.callback(self.goes_on.set)

    def _writer(self) -> Write:
        if self.missing:
            raise CannotFlash(self.missing)
        return self._write

    def _write(self, port: Port) -> None:
        assert port() == self.line.port
        assert self.goes_on.wait(10)
        self.written += 1
        if self.fails:
            raise CannotFlash(self.fails)
        self.line.table_hash, self.line.name, self.line.firmware = OURS, "first36", FIRMWARE

    def written_to(self) -> None:
        """Wait until what is being written is written, or has failed."""
        until(lambda: not self.firmware.report()["writes"])

    def stand(self, pieces: Collection[str]) -> None:
        """Have pieces stand on these sites, which the service sees when it opens the port anew."""
        self.line.bits = sum(1 << bit for bit, site in wiring(FIRST).sites.items() if site in pieces)
        self.running.without_sensors("The cable was pulled.", lambda: None)

    def until(self, met: Callable[[], bool]) -> None:
        for seen in self.running.service.watch(5):
            assert seen is not None, self.running.service.look().table.link
            if met():
                return

    def says(self, link: str) -> None:
        self.until(lambda: link in self.running.service.look().table.link)

    def plays(self) -> None:
        self.until(lambda: not self.running.service.look().table.link)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    with ExitStack() as held:
        yield lambda *how: Table(tmp_path, held, *how)


def test_after_an_update_the_firmware_is_written_by_itself_and_the_board_comes_back(
    opened: Callable[..., Table],
) -> None:
    table = opened(OURS + 1)
    table.says("firmware was made from another profile of first36")
    assert table.sensors.firmware() is Fit.OTHER_VERSION
    table.goes_on.clear()
    table.firmware.look()
    table.says(WRITING)
    assert table.firmware.report() == {"told": WRITING, "can": False, "writes": True}
    with pytest.raises(Refused, match="is being written"):
        table.firmware.write()
    table.goes_on.set()
    table.plays()
    table.written_to()
    fits = f"The sensor board's firmware fits this version. {VERSIONS}"
    assert table.firmware.report() == {"told": fits, "can": True, "writes": False}
    table.firmware.look()
    assert table.written == 1


def test_what_failed_is_told_and_not_tried_again_by_itself_but_by_hand(opened: Callable[..., Table]) -> None:
    table = opened(OURS + 1)
    table.says("another profile")
    table.fails = "The firmware could not be written."
    table.firmware.look()
    table.written_to()
    table.says("another profile")
    table.firmware.look()
    assert table.written == 1
    assert table.firmware.report() == {"told": f"{table.fails} {VERSIONS}", "can": True, "writes": False}
    table.fails = ""
    table.firmware.write()
    table.plays()
    table.written_to()
    assert table.written == 2
    assert table.firmware.report()["told"].startswith("The sensor board's firmware fits this version.")


def test_what_is_being_written_when_the_service_ends_is_written_and_nothing_after_it(
    opened: Callable[..., Table],
) -> None:
    table = opened(OURS + 1)
    table.says("another profile")
    table.firmware.write()
    table.firmware.close()
    assert table.written == 1
    table.firmware.write()
    assert not table.firmware.report()["writes"]


def test_the_firmware_of_another_board_is_replaced_only_by_hand(opened: Callable[..., Table]) -> None:
    table = opened(7, "hex91")
    table.says("has firmware for hex91")
    table.firmware.look()
    assert table.written == 0
    assert table.firmware.report()["told"].startswith("The sensor board's firmware is for another board.")
    table.firmware.write()
    table.plays()


def test_an_older_firmware_plays_on_and_the_page_says_so_and_offers_to_write_it(opened: Callable[..., Table]) -> None:
    """Firmware 1.1 has the same protocol and table, and knows nothing of what came later."""
    table = opened(OURS)
    table.plays()
    table.line.firmware = 0x0101
    table.running.without_sensors("The cable was pulled.", lambda: None)
    until(lambda: table.sensors.firmware() is Fit.OLDER)
    table.plays()
    table.firmware.look()
    assert table.written == 0  # people may play with it, so it is for them to say
    told = "The sensor board's firmware is older than this version's: the board plays, but lacks what is new."
    versions = "The sensor board has firmware 1.1; this version comes with 1.4."
    assert table.firmware.report() == {
        "told": f"{told} {versions} Write this version's when nobody plays.", "can": True, "writes": False,
    }  # fmt: skip
    table.firmware.write()
    table.written_to()
    until(lambda: table.sensors.firmware() is Fit.FITS)
    assert table.firmware.report()["told"] == f"The sensor board's firmware fits this version. {VERSIONS}"


def test_during_a_game_nothing_is_written_while_the_board_answers(opened: Callable[..., Table]) -> None:
    table = opened(OURS)
    table.plays()
    table.firmware.look()
    table.running.service.submit(NewGame(game="tides-of-war"))
    table.until(lambda: table.running.service.look().table.phase == "setup")
    table.stand(expected(table.running.service.look().table))
    table.until(lambda: table.running.service.look().table.phase == "play")
    with pytest.raises(Refused, match="A game is being played: pause or end it first, then write the firmware"):
        table.firmware.write()
    table.running.service.submit(Pause(on=True))
    table.until(lambda: table.running.service.look().table.phase == "pause")
    assert table.written == 0
    table.firmware.write()
    table.written_to()
    table.plays()
    assert table.written == 1


def test_a_board_that_is_not_plugged_in_is_told(opened: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(OURS)
    table.plays()

    def gone(port: Port) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(table, "_write", gone)
    table.line.table_hash = OURS + 1
    table.firmware.write()
    table.written_to()
    table.says("another profile")
    told = "The sensor board is not plugged in: connect it to a USB port of the Pi."
    assert table.firmware.report()["told"] == f"{told} {VERSIONS}"


def test_what_it_cannot_write_by_itself_is_logged_once(
    opened: Callable[..., Table], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sensor_firmware, "LOOK_S", 0.01)
    table = opened(OURS + 1)
    table.missing = "The program avrdude is missing."
    table.firmware.start()
    table.says("another profile")
    until(lambda: caplog.records)
    table.missing = ""
    table.firmware.look()
    table.firmware.close()
    assert [record.getMessage() for record in caplog.records] == [
        "the firmware of the sensor board is not written: The program avrdude is missing."
    ]
    assert table.written == 0


def test_where_it_cannot_be_written_the_page_says_why(opened: Callable[..., Table]) -> None:
    table = opened(OURS)
    table.plays()
    table.missing = "The program avrdude is missing."
    told = f"The sensor board's firmware fits this version. {VERSIONS} The program avrdude is missing."
    assert table.firmware.report() == {"told": told, "can": False, "writes": False}
    with pytest.raises(Refused, match="avrdude is missing"):
        table.firmware.write()
