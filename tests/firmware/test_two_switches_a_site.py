"""A chain whose sites have a hall switch for either pole: the ATmega328P tells whose magnet lies there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles, built
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.events import SOUTH, Link, Snapshot, Touch
from hardware.firmware_table import write
from hardware.manual.joints import by_hand
from hardware.power import budget
from hardware.printables.geometry import parts
from hardware.profile import BadProfile, Profile, load
from hardware.wiring import wiring_list
from tests.devices.listener import BoardListener
from tests.firmware.firmware_rig import Rig, make, wiring_of

SITES = 36
REGISTERS = 10  # five for either pole


@pytest.fixture(scope="module")
def board() -> Profile:
    return msgspec.structs.replace(load("first36"), name="pair36", sensor="hall", poles=True)


@pytest.fixture(scope="module")
def files(build: Path, board: Profile) -> EmulatorFiles:
    write(board, build / "pair36")
    make(build, "firmware", "BOARD=pair36")
    return built(build, "pair36")


@pytest.fixture
def rig(files: EmulatorFiles, board: Profile) -> Iterator[Rig]:
    with Emulator(files) as emulator:
        rig = Rig(emulator, wiring_of(board))
        rig.until(Snapshot)
        rig.run(100)
        yield rig


def seen(rig: Rig) -> list[tuple[str, bool, int]]:
    return [(event.site, event.on, event.pole) for event in rig.events if isinstance(event, Touch)]


def test_each_site_tells_each_pole(rig: Rig, board: Profile) -> None:
    wanted = []
    for number, site in enumerate(board.sites):
        pole = -1 if number % 2 else 1
        rig.emulator.set_sensor(site.name, True, pole)
        rig.run(12)
        rig.emulator.set_sensor(site.name, False)
        rig.run(12)
        wanted += [(site.name, True, pole), (site.name, False, 0)]
    assert seen(rig) == wanted
    assert not rig.talk.has_fields
    rig.run(2000)
    status = rig.talk.status
    assert status is not None
    assert (status.scans_per_s, status.scans_missed, status.bad_frames) == (1000, 0, 0)


def test_an_enemy_s_piece_that_takes_a_place_within_a_scan_is_seen(rig: Rig) -> None:
    rig.emulator.set_sensor("c3", True, 1)
    rig.run(20)
    rig.emulator.set_sensor("c3", True, -1)
    rig.run(20)
    assert seen(rig)[0] == ("c3", True, 1)
    assert seen(rig)[-1] == ("c3", True, -1)
    assert rig.occupied() == {"c3"}


def test_what_stands_there_at_the_start_has_its_poles(files: EmulatorFiles, board: Profile) -> None:
    with Emulator(files) as emulator:
        emulator.set_sensor("a1", True, 1)
        emulator.set_sensor("f6", True, -1)
        rig = Rig(emulator, wiring_of(board))
        rig.until(Snapshot)
        (snapshot,) = [event for event in rig.events if isinstance(event, Snapshot)]
        assert snapshot.occupied == {"a1", SOUTH + "f6"}


@pytest.mark.parametrize("register", [2, 5, 7])
@pytest.mark.parametrize("high", [True, False])
def test_a_torn_wire_among_either_half_is_no_hand(rig: Rig, register: int, high: bool) -> None:
    rig.emulator.cut(register, high=high)
    rig.until(Link, 5000)
    assert [event.up for event in rig.events if isinstance(event, Link)] == [True, False]
    assert seen(rig) == []


# ---- what else knows of the second switch -----------------------------------------------------------------------


def test_the_wiring_list_has_every_switch_and_says_which_pole_closes_it(board: Profile) -> None:
    listed = wiring_list(board)
    assert f"80 bits in {REGISTERS} registers" in listed
    assert "Those of the first 5 registers close where a north pole faces down" in listed
    assert all(listed.count(f"  {site.name} ") == 2 for site in board.sites)


def test_all_its_switches_are_soldered_and_fed(board: Profile) -> None:
    one = msgspec.structs.replace(board, poles=False)
    cards = [by_hand(each)[0].number for each in (one, board)]
    assert cards == [5, REGISTERS]
    assert by_hand(board)[1].number == 2 * by_hand(one)[1].number == 2 * SITES
    assert budget(board).supply_ma >= budget(one).supply_ma


def test_printed_parts_are_refused_as_they_have_room_for_one(board: Profile) -> None:
    with pytest.raises(BadProfile, match="pair36 has two sensors a site, and printed parts have room for one"):
        parts(board)


def test_in_simulation_it_tells_poles_and_no_fields() -> None:
    simulated, heard = SimulatedBoard(("a1",), lambda: 0, hall=True, pair=True), BoardListener()
    simulated.start(heard)
    simulated.set_sensor("a1", True, -1)
    assert not simulated.has_fields()
    assert not simulated.has_rests()
    assert [type(event) for event in heard.events] == [Link, Snapshot, Touch]
    (touch,) = [event for event in heard.events if isinstance(event, Touch)]
    assert touch.pole == -1
