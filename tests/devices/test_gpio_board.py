"""The Pi's own pins on a chain of 74HC165: the order of the bits, bounce, and wiring that is wrong."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.sensors.debounce import BitChange, Debounced, Holds, debounce
from controller.devices.sensors.gpio_board import ChainKnown, GpioBoard, NoGpio, Pins, read_chain, rpi_gpio, scanned
from controller.events import Link, Snapshot, Touch
from hardware.profile import chained, load
from hardware.wiring import wiring
from tests.devices.chain_of_165 import ChainOf165
from tests.devices.listener import Event
from tests.devices.rigs import Beat, GpioRig
from tests.waiting import HandClock


class Emulator(GpioRig):
    """A started board and what it said."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Event] = []
        self.board.start(self.heard.append)
        self.settle()

    def links(self) -> list[Link]:
        return [event for event in self.heard if isinstance(event, Link)]


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    emulator = Emulator()
    yield emulator
    emulator.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", chained())
def test_a_board_wired_by_its_wiring_list_reads_every_site_right(name: str) -> None:
    profile = load(name)
    where = {row.site.name: (row.register - 1, row.data_input) for row in wiring(profile) if row.site}
    chain = ChainOf165(where, registers=profile.chain_length // 8)
    clock = HandClock()
    beat = Beat(clock)
    heard: list[Event] = []
    board = GpioBoard(chain, profile.by_bit(), clock, halt=beat)
    board.start(heard.append)
    beat.run(1)  # what lies there at the first scan is no touch
    for site in where:
        chain.set_sensor(site, True)
        beat.run(3)
        chain.set_sensor(site, False)
        beat.run(3)
    board.stop()
    told = [(event.site, event.on) for event in heard if isinstance(event, Touch)]
    assert told == [(site, on) for site in where for on in (True, False)]


def test_the_latch_is_low_for_a_microsecond_so_that_the_far_end_of_metres_of_wire_sees_it() -> None:
    chain = ChainOf165({"only": (0, 0)}, registers=1)
    chain.setmode(chain.BCM)
    chain.setup(25, chain.OUT, initial=1)
    chain.setup(24, chain.OUT, initial=1)
    chain.setup(23, chain.IN, pull_up_down=chain.PUD_UP)
    for _ in range(50):
        read_chain(chain, Pins(), 9)
    assert len(chain.latch_ns) > 50
    assert min(chain.latch_ns) >= 1000


def test_the_first_bit_is_d7_of_the_first_register() -> None:
    chain = ChainOf165({"first": (0, 7), "last": (1, 0)}, registers=2)
    chain.setmode(chain.BCM)
    chain.setup(25, chain.OUT)
    chain.setup(24, chain.OUT, initial=1)
    chain.setup(23, chain.IN, pull_up_down=chain.PUD_UP)
    chain.set_sensor("first", True)
    assert read_chain(chain, Pins(), 17) == 0b0_1111_1111_1111_1110
    chain.set_sensor("last", True)
    assert read_chain(chain, Pins(), 17) == 0b0_0111_1111_1111_1110


def test_a_bouncing_contact_is_told_once(emulator: Emulator) -> None:
    for on in (True, False, True, False, True):
        emulator.switch.set_sensor("a1", on)
        emulator.beat.run(1)
    assert not [event for event in emulator.heard if isinstance(event, Touch)]
    emulator.settle()
    touches = [event for event in emulator.heard if isinstance(event, Touch)]
    assert [(touch.site, touch.on) for touch in touches] == [("a1", True)]


def test_a_spark_on_the_wire_is_no_fault(emulator: Emulator) -> None:
    emulator.switch.data_wire = 0
    emulator.beat.run(2)
    emulator.switch.data_wire = None
    emulator.settle()
    assert [link.up for link in emulator.links()] == [True]
    assert not [event for event in emulator.heard if isinstance(event, Touch)]


def test_sparks_now_and_then_do_not_add_up_to_a_fault(emulator: Emulator) -> None:
    for _ in range(5):
        emulator.switch.data_wire = 0
        emulator.beat.run(2)
        emulator.switch.data_wire = None
        emulator.beat.run(1)
    assert [link.up for link in emulator.links()] == [True]


@pytest.mark.parametrize(
    ("wire", "serial_in", "sentence"),
    [
        (1, 0, "reads high everywhere: check the data wire"),
        (0, 0, "reads low everywhere: check the data wire for a short"),
        (None, 1, "reads high everywhere"),
    ],
)
def test_a_dead_wire_is_told_once_and_healed(
    emulator: Emulator, wire: int | None, serial_in: int, sentence: str
) -> None:
    emulator.switch.data_wire, emulator.switch.serial_in = wire, serial_in
    emulator.settle()
    emulator.settle()
    assert [link.up for link in emulator.links()] == [True, False]
    assert sentence in emulator.links()[-1].sentence
    emulator.switch.data_wire, emulator.switch.serial_in = None, 0
    emulator.switch.set_sensor("c3", True)
    emulator.settle()
    assert emulator.heard[-2:] == [
        Link(emulator.heard[-1].t_us, up=True),
        Snapshot(emulator.heard[-1].t_us, frozenset({"c3"})),
    ]


def test_a_chain_that_does_not_end_where_the_profile_says_is_told(emulator: Emulator) -> None:
    emulator.switch.set_sensor("a1", True)
    emulator.switch.serial_in = 1
    emulator.settle()
    assert "does not end after 16 bits" in emulator.links()[-1].sentence


def test_a_board_that_is_wrong_from_the_start_is_told_first() -> None:
    rig = GpioRig()
    rig.switch.power = False
    heard: list[Event] = []
    rig.board.start(heard.append)
    rig.settle()
    rig.close()
    (link,) = heard
    assert isinstance(link, Link)
    assert not link.up


SQUARE = load("square144").by_bit()
ALL_OPEN = (1 << len(SQUARE)) - 1


def told(samples: list[int]) -> list[Event]:
    """Return what a reader of the square board says to these scans, two milliseconds apart."""
    known, heard = ChainKnown(), list[Event]()
    for number, sample in enumerate(samples):
        known, events = scanned(known, sample, 2000 * number, SQUARE, Holds())
        heard += events
    return heard


def with_magnets(*bits: int) -> int:
    return ALL_OPEN & ~sum(1 << bit for bit in bits)


@pytest.mark.parametrize("register", [2, 6, 18])
def test_a_ribbon_on_ground_in_mid_chain_is_no_forest_of_hands(register: int) -> None:
    """All behind it reads closed at once, and the bit past the end is that of ground as in a whole chain."""
    sound, torn = with_magnets(0, 143), with_magnets(0, 143) & ((1 << 8 * (register - 1)) - 1)
    up, before, down, again, after = told([sound] * 10 + [torn] * 20 + [sound] * 10)
    assert isinstance(down, Link)
    assert f"everything from register {register} on reads closed at once" in down.sentence
    assert [type(event) for event in (up, before, again, after)] == [Link, Snapshot, Link, Snapshot]
    assert isinstance(after, Snapshot)
    assert after.occupied == {SQUARE[0], SQUARE[143]}


def test_a_last_register_that_fills_piece_by_piece_is_believed() -> None:
    """And a jolt that opens all of its contacts for a scan is none of its tears."""
    full = with_magnets(*range(136, 144))
    filling = [with_magnets(*range(136, 136 + count)) for count in (2, 4, 6, 8) for _ in range(10)]
    heard = told([ALL_OPEN] * 10 + filling + [ALL_OPEN, full] * 3 + [full] * 10)
    assert [event.on for event in heard if isinstance(event, Touch)] == [True] * 8
    assert [event.up for event in heard if isinstance(event, Link)] == [True]


class LgpioError(Exception):
    """As ``lgpio.error``, which is no RuntimeError."""


@pytest.mark.parametrize("error", [RuntimeError("No access to /dev/mem"), LgpioError("GPIO busy")])
def test_pins_that_cannot_be_used_are_told(error: Exception) -> None:
    rig = GpioRig()
    pins: Any = rig.switch
    pins.lgpio = SimpleNamespace(error=LgpioError)  # rpi-lgpio has it among its names
    rig.switch.broken = error
    heard: list[Event] = []
    rig.board.start(heard.append)
    rig.close()
    (link,) = heard
    assert isinstance(link, Link)
    assert str(error) in link.sentence


def test_pins_that_fail_later_are_told_and_read_no_more(emulator: Emulator) -> None:
    emulator.switch.broken = OSError("I/O error")
    (thread,) = (thread for thread in threading.enumerate() if thread.name == "gpio-board")
    emulator.beat.grant(1)
    thread.join(10)
    assert not thread.is_alive()
    assert "I/O error" in emulator.links()[-1].sentence
    assert not emulator.links()[-1].up


def test_the_pins_are_let_go(emulator: Emulator) -> None:
    assert emulator.switch.direction
    emulator.board.stop()
    assert not emulator.switch.direction


def test_a_machine_without_gpio_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(NoGpio, match="install rpi-lgpio"):
        rpi_gpio()


def test_a_folder_in_which_lgpio_cannot_make_its_pipe_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As lgpio 0.2.2 does when it is imported; in /proc not even root can make a pipe."""
    (tmp_path / "RPi").mkdir()
    (tmp_path / "RPi" / "__init__.py").touch()
    (tmp_path / "RPi" / "GPIO.py").write_text('import os\nos.mkfifo(".lgd-nfy0")\n', encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for module in ("RPi", "RPi.GPIO"):
        monkeypatch.setitem(sys.modules, module, None)  # so that what is imported here is forgotten after the test
        del sys.modules[module]
    monkeypatch.chdir("/proc")
    with pytest.raises(NoGpio, match="start the service in a folder that it may write to"):
        rpi_gpio()


# ---- debouncing

HOLDS = Holds(on_us=3_000, off_us=5_000)


def believe(samples: list[int], step_us: int = 1_000) -> list[tuple[int, BitChange]]:
    """Return the changes that a row of scans makes, with their times."""
    state, found = Debounced(0), []
    for number, sample in enumerate(samples):
        state, changes = debounce(state, sample, number * step_us, HOLDS)
        found += [(number * step_us, change) for change in changes]
    return found


def test_closing_settles_sooner_than_opening() -> None:
    assert believe([0, 1, 1, 1, 1] + [0] * 7) == [(4_000, BitChange(0, True)), (10_000, BitChange(0, False))]


def test_one_scan_to_the_contrary_starts_the_hold_again() -> None:
    assert believe([1, 1, 1, 0, 1, 1, 1, 1]) == [(7_000, BitChange(0, True))]


def test_two_scans_are_needed_however_slow_they_are() -> None:
    assert believe([1, 0, 1, 1], step_us=50_000) == [(150_000, BitChange(0, True))]


def test_two_scans_are_needed_even_without_a_hold() -> None:
    doubting, changes = debounce(Debounced(0), 1, 0, Holds(0, 0))
    assert changes == ()
    assert debounce(doubting, 1, 0, Holds(0, 0)) == (Debounced(1), (BitChange(0, True),))


def test_what_changed_first_is_told_first() -> None:
    assert believe([0b10, 0b11, 0b11, 0b11, 0b11, 0b11]) == [(3_000, BitChange(1, True)), (4_000, BitChange(0, True))]
    late, _ = debounce(Debounced(0, {1: 0, 0: 1_000}), 0b11, 9_000, HOLDS)
    assert late == Debounced(0b11)
    assert debounce(Debounced(0, {1: 0, 0: 1_000}), 0b11, 9_000, HOLDS)[1] == (BitChange(1, True), BitChange(0, True))


@pytest.mark.slow
@given(st.lists(st.integers(0, 7), max_size=60))
def test_changes_of_a_bit_alternate_and_end_at_what_lasts(samples: list[int]) -> None:
    found = believe(samples + [5] * 10)
    for bit in range(3):
        levels = [False, *(change.on for _, change in found if change.bit == bit)]
        assert all(before != after for before, after in pairwise(levels))
        assert levels[-1] == bool(5 >> bit & 1)
