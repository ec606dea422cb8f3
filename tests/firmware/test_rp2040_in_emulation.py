"""What the RP2040 alone has, in its emulated chip: fields, USB, muxes, and what its emulator finds out."""

from __future__ import annotations

import random
import resource
import shutil
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

import pytest
from pioemu import State, emulate

from controller.devices.link import framing
from controller.devices.link.messages import PIXELS_AT_ONCE, RESET_CAUSES, Hello, Pixels, SensorField, Status, decode
from controller.devices.sensors.emulated_board import RP2040, Emulator, EmulatorFault, EmulatorFiles
from controller.events import FieldSettled, KindsKnown, Link, Snapshot, Tick, Touch
from controller.from_profile import table_board
from controller.magnet_kinds import MagnetKinds, Strength, Strengths
from controller.orders import NewGame
from controller.table.orders import new_game
from controller.table.state import Table
from controller.table.table import step
from hardware.firmware_table import write
from hardware.profile import Profile, load
from tests.firmware.firmware_rig import FIRMWARE, Rig, fields_of, make, wiring_of
from tests.hands.positions import OPENINGS

RAM_BYTES = 264 * 1024
PIXEL_BITS = 24
WEAKEST_MT = 4.8  # of a disc of 8 × 3 mm, of all draws (docs/build/field.md)
MOST_OF_NEIGHBOURS_MT = 1.2


BOTH = pytest.mark.parametrize("board", ["cell36", "field144"], indirect=True)  # one group of muxes, and three


@pytest.fixture(scope="module")
def board(request: pytest.FixtureRequest) -> Profile:
    return load(getattr(request, "param", "cell36"))


@pytest.fixture(scope="module")
def fields(build: Path, board: Profile) -> EmulatorFiles:
    return fields_of(build, board.name)


@pytest.fixture
def rig(fields: EmulatorFiles, board: Profile) -> Iterator[Rig]:
    with Emulator(fields) as emulator:
        rig = Rig(emulator, wiring_of(board))
        rig.until(Snapshot)
        yield rig


def put(rig: Rig, site: str, field_mt: float) -> None:
    """Put a magnet of that field over ``site``, whichever its pole."""
    rig.emulator.ask(f"field {site} {field_mt}")
    rig.emulator.set_sensor(site, True)


def status(rig: Rig) -> Status:
    rig.run(1100)
    assert rig.talk.status is not None
    return rig.talk.status


@BOTH
def test_either_pole_of_the_weakest_magnet_is_a_piece(rig: Rig) -> None:
    rig.run(250)  # by now each sensor's rest is known
    for site, field_mt in (("a1", WEAKEST_MT), ("f6", -WEAKEST_MT)):
        put(rig, site, field_mt)
        rig.run(20)
    assert rig.occupied() == {"a1", "f6"}
    assert poles(rig) == [("a1", True, -1), ("f6", True, 1)]


def poles(rig: Rig) -> list[tuple[str, bool, int]]:
    """Return what was told of single sensors, with the pole: -1 south, which has a field above 0, and 1 north."""
    return [(event.site, event.on, event.pole) for event in rig.events if isinstance(event, Touch)]


def test_an_exchange_within_a_scan_is_told_as_another_magnet(rig: Rig) -> None:
    put(rig, "c3", 7.3)
    rig.run(20)
    rig.emulator.ask("field c3 -7.3")
    rig.run(20)
    assert poles(rig)[0] == ("c3", True, -1)
    assert set(poles(rig)[1:]) == {("c3", True, 1)}
    rig.emulator.set_sensor("c3", False)
    rig.run(20)
    assert poles(rig)[-1] == ("c3", False, 0)


def test_whoever_comes_later_is_told_the_poles_by_the_snapshot(rig: Rig, board: Profile) -> None:
    put(rig, "a1", -7.3)
    put(rig, "f6", 7.3)
    rig.run(20)
    late = Rig(rig.emulator, wiring_of(board))
    late.until(Snapshot)
    (told,) = [event for event in late.events if isinstance(event, Snapshot)]
    assert told.occupied == {"a1", "-f6"}


def test_a_game_on_the_emulated_board_is_read_with_its_poles(rig: Rig, board: Profile) -> None:
    """Tides of War: c3-d3, then e3 takes it and lands on c3. All that stands there in the end has the right pole."""
    table, _ = new_game(Table(table_board(board)), NewGame(game="tides-of-war"))
    assert table.play is not None
    for site, piece in table.play.settled.position.shape.items():
        put(rig, site, 7.3 if piece.seat else -7.3)
    rig.run(50)
    for site, field_mt in (("c3", 0.0), ("d3", -7.3), ("e3", 0.0), ("d3", 0.0), ("c3", 7.3)):
        if field_mt:
            put(rig, site, field_mt)
        else:
            rig.emulator.set_sensor(site, False)
        rig.run(500)
    for event in rig.events:
        table, _ = step(table, event)
    table, _ = step(table, Tick(table.t_us + 2_000_000))
    assert table.play is not None
    assert table.play.session.plies == ("c3-d3", "e3xc3")
    assert table.now == table.play.settled.position.standing


@pytest.mark.parametrize("board", ["field144"], indirect=True)
@pytest.mark.parametrize(("field_mt", "made"), [(22.8, ["e11xd12=C"]), (7.7, [])])
def test_a_game_on_the_emulated_board_is_read_with_the_kinds_of_its_pieces(
    rig: Rig, board: Profile, field_mt: float, made: list[str]
) -> None:
    """Chess of Tam Ruat: a warrior takes d12 and becomes a chariot or a wizard. A strong magnet is the chariot's."""
    plies = next(plies for _, plies in OPENINGS["tam-ruat-chess"] if "d10xe11" in plies).split("; ")
    table, _ = new_game(Table(table_board(board)), NewGame(game="tam-ruat-chess", plies=tuple(plies)))
    known = (Strength(7.7, 0.6, 18), Strength(11.5, 0.9, 18), Strength(22.8, 1.8, 18))
    table, _ = step(table, KindsKnown(0, MagnetKinds(Strengths(known, (9.5, 17.0)))))
    assert table.play is not None
    rig.run(250)
    for site, piece in table.play.settled.position.shape.items():
        put(rig, site, 7.7 if piece.seat else -7.7)
    rig.run(50)
    for site in ("d12", "e11"):
        rig.emulator.set_sensor(site, False)
        rig.run(400)
    put(rig, "d12", -field_mt)  # north is below 0 there
    rig.run(900)
    for event in rig.events:
        table, _ = step(table, event)
    assert table.play is not None
    assert list(table.play.session.plies[len(plies) :]) == made
    assert [footprint.text for footprint in table.play.verdict.asked] == [
        f"e11xd12={kind}" for kind in "CX" if not made
    ]
    assert table.fields[table.board.bit("d12")] == pytest.approx(field_mt, abs=0.5)


@BOTH
@pytest.mark.parametrize("cc_mv", [920, 1680])  # of a port of 1.5 A, and of 3 A
def test_a_stronger_supply_is_told_and_a_weak_one_within_60_ms_of_when_it_became_so(rig: Rig, cc_mv: int) -> None:
    rig.run(500)
    assert not rig.talk.is_strong
    rig.emulator.ask(f"cc {cc_mv}")
    rig.run(300)
    assert rig.talk.is_strong
    put(rig, "c3", 7.3)
    rig.run(20)
    assert rig.occupied() == {"c3"}, "the sensors are read as before"
    rig.emulator.ask("cc 410")
    rig.run(60)
    assert not rig.talk.is_strong


@BOTH
def test_neighbours_alone_are_no_piece(rig: Rig, board: Profile) -> None:
    rig.run(250)
    for number, site in enumerate(board.sites):
        put(rig, site.name, MOST_OF_NEIGHBOURS_MT if number % 2 else -MOST_OF_NEIGHBOURS_MT)
    rig.run(300)
    assert rig.touches() == []


def test_a_piece_that_sinks_towards_the_release_stays_until_it_is_below(rig: Rig) -> None:
    rig.run(100)
    put(rig, "c3", 5.0)
    rig.run(20)
    rig.emulator.ask("field c3 3.2")  # with noise around the threshold nothing flickers
    rig.run(300)
    assert rig.touches() == [("c3", True)]
    rig.emulator.ask("field c3 0.8")
    rig.run(20)
    assert rig.touches() == [("c3", True), ("c3", False)]


@BOTH
def test_every_site_is_read_by_its_own_input(rig: Rig, board: Profile) -> None:
    poled = [(site.name, True, 1 if site.bit % 2 else -1) for site in board.sites]
    for site, _, pole in poled:
        put(rig, site, -7.3 * pole)
        rig.run(11)
    rig.run(10)
    assert poles(rig) == poled


def test_warmth_before_the_start_does_not_matter(fields: EmulatorFiles, board: Profile) -> None:
    with Emulator(fields) as emulator:
        emulator.ask("warmth 1.0")
        rig = Rig(emulator, wiring_of(board))
        rig.until(Snapshot)
        rig.run(100)
        put(rig, "b2", -WEAKEST_MT)
        rig.run(20)
        assert rig.occupied() == {"b2"}


def told_within_us(board: Profile) -> int:
    """Return how long a change takes at most: until a scan sees it, the debounce, the scan's end and a frame of USB."""
    return 4000 + 2000 * board.scan_ms


@BOTH
def test_from_sensor_to_frame_within_six_milliseconds_or_ten_at_every_input(rig: Rig, board: Profile) -> None:
    """USB frames of 1 ms counted: the host takes what there is only in its turn."""
    dice = random.Random(2)
    latencies = []
    standing: set[str] = set()
    for _ in range(120):
        rig.run(dice.randrange(15, 25) + dice.randrange(10) / 10, step_us=100)
        site = dice.choice(board.sites).name
        standing ^= {site}
        start_us = rig.emulator.now_us
        rig.emulator.set_sensor(site, site in standing)
        before = len(rig.touches())
        while len(rig.touches()) == before:
            rig.run(0.1, step_us=100)
        latencies.append(rig.emulator.now_us - start_us)
    assert min(latencies) >= 3000  # debounced
    assert quantiles(latencies, n=20)[-1] <= told_within_us(board)


def told_fields(rig: Rig) -> dict[str, SensorField]:
    """Ask for the fields and return all of them, once the last part has come."""
    fields: dict[str, SensorField] = {}
    rig.heard_fields = fields.update
    rig.ask_fields()
    rig.run(120)
    return fields


@BOTH
def test_each_field_and_where_each_sensor_rests_is_told(fields: EmulatorFiles, board: Profile) -> None:
    """The emulator has the physics: so many millivolts a millitesla, an offset of each sensor, and noise."""
    magnets_mt = {"a1": 7.3, "b2": -12.1, "c3": 3.4, "f1": -17.3}
    with Emulator(fields) as emulator:
        emulator.ask("iron f6 1.8")  # as a screw adds it
        rig = Rig(emulator, wiring_of(board))
        rig.until(Snapshot)
        rig.run(250)  # by now each sensor's rest is known, also on tiles
        for site, field_mt in magnets_mt.items():
            put(rig, site, field_mt)
        rig.emulator.stick("d4", True)
        rig.run(50)
        told = told_fields(rig)
        rig.emulator.ask("iron f6 0")
        without = told_fields(rig)
    assert set(told) == {site.name for site in board.sites}
    stuck = told.pop("d4")
    assert stuck.field_mt + stuck.rest_mt == pytest.approx(-110, abs=0.1)
    for site, read in told.items():
        assert -read.field_mt == pytest.approx(magnets_mt.get(site, 0.0), abs=0.3)  # there south is above 0
    rests = sorted(abs(read.rest_mt) for read in told.values())
    assert rests[len(rests) // 2] < 0.6  # of a spread of 0.5
    assert without["f6"].field_mt == pytest.approx(1.8, abs=0.3)  # away from where it rested with the screw


def test_once_a_magnet_lies_still_the_host_knows_its_field(rig: Rig) -> None:
    rig.run(100)
    for site, field_mt in (("b2", 7.3), ("e5", -12.1)):
        put(rig, site, field_mt)
        rig.run(300)
    rig.run(600)
    settled = {event.site: event.field_mt for event in rig.events if isinstance(event, FieldSettled)}
    assert settled == {"b2": pytest.approx(-7.3, abs=0.3), "e5": pytest.approx(12.1, abs=0.3)}
    times = [event.t_us for event in rig.events]
    assert times == sorted(times)


FAR_MT = 3.5  # of the 4 that a DRV5055A3 may be off its middle; the emulator adds what its sensors differ by


def far_off(emulator: Emulator, board: Profile) -> Rig:
    """Return a board on which the sensor of c3 rests far off, greeted and watched."""
    emulator.ask(f"iron c3 {FAR_MT}")
    rig = Rig(emulator, wiring_of(board))
    rig.until(Snapshot)
    return rig


def raw(fields: dict[str, SensorField]) -> dict[str, float]:
    return {site: read.field_mt + read.rest_mt for site, read in fields.items()}


def test_a_cell_that_rests_far_off_is_open_once_its_rest_was_told_and_a_piece_on_it_is_seen_at_its_threshold(
    fields: EmulatorFiles, board: Profile
) -> None:
    with Emulator(fields) as emulator:
        rig = far_off(emulator, board)
        rig.run(1000)
        assert rig.occupied() == {"c3"}  # and so for ever: it is never quiet
        rig.rest_at(raw(told_fields(rig)))
        rig.run(100)
        assert rig.touches() == [("c3", False)]
        for field_mt, seen in ((2.2, False), (3.8, True), (-2.2, False), (-3.8, True)):
            rig.emulator.set_sensor("c3", False)
            rig.run(50)
            put(rig, "c3", field_mt)
            rig.run(50)
            assert bool(rig.occupied()) is seen
        told = told_fields(rig)["c3"]
        assert told.field_mt == pytest.approx(3.8, abs=0.3)  # a field below 0 there has a north pole down
        assert told.rest_mt == pytest.approx(-FAR_MT, abs=1.5)
        assert status(rig).bad_frames == 0


@BOTH
def test_a_board_that_starts_or_is_taken_over_is_told_its_rests_before_its_first_snapshot(
    fields: EmulatorFiles, board: Profile
) -> None:
    with Emulator(fields) as emulator:
        rig = far_off(emulator, board)
        rests = raw(told_fields(rig))
        rig.rest_at(rests)
        rig.run(200)
        rig.emulator.restart()
        rig.until(Link, 5000)  # it is gone
        rig.until(Snapshot, 5000)
        assert rig.occupied() == set()
        rig.run(500)
        again = Rig(emulator, wiring_of(board))  # another host, as after an update
        again.rest_at(rests)
        again.until(Snapshot)
        assert again.occupied() == set()
        again.run(1500)
        assert again.touches() == []


@pytest.mark.parametrize("board", ["field144"], indirect=True)
def test_tiles_whose_ground_lies_far_from_the_chip_s_are_open_once_their_rests_were_told(
    fields: EmulatorFiles, board: Profile
) -> None:
    with Emulator(fields) as emulator:
        emulator.ask("warmth 8")  # 120 mV, on all of them
        rig = Rig(emulator, wiring_of(board))
        rig.until(Snapshot)
        rig.run(500)
        assert rig.occupied() == {site.name for site in board.sites}
        rig.rest_at(raw(told_fields(rig)))
        rig.run(300)
        assert rig.occupied() == set()
        put(rig, "e5", WEAKEST_MT)
        rig.run(50)
        assert rig.occupied() == {"e5"}
        assert status(rig).bad_frames == 0


def test_rests_that_were_lost_on_the_line_are_told_with_the_next_heartbeat(
    fields: EmulatorFiles, board: Profile
) -> None:
    with Emulator(fields) as emulator:
        rig = far_off(emulator, board)
        rests = raw(told_fields(rig))
        rig.to_board = lambda data: data[: len(data) // 2]  # cut
        rig.rest_at(rests)
        rig.to_board = bytes
        rig.run(100)
        assert rig.occupied() == {"c3"}
        rig.run(2000)
        assert rig.occupied() == set()


def test_rests_that_no_sensor_has_are_not_taken_and_nothing_else_suffers(fields: EmulatorFiles, board: Profile) -> None:
    with Emulator(fields) as emulator:
        rig = far_off(emulator, board)
        rig.rest_at(raw(told_fields(rig)) | {"c3": 110.0, "f6": 110.0})
        rig.run(1500)
        assert rig.occupied() == {"c3"}
        assert status(rig).bad_frames > 0


def test_nothing_is_told_of_fields_that_nobody_asked_for(rig: Rig) -> None:
    fields: dict[str, SensorField] = {}
    rig.heard_fields = fields.update
    rig.run(1500)
    assert fields == {}


@BOTH
def test_fields_that_are_asked_for_without_a_pause_delay_no_change(rig: Rig, board: Profile) -> None:
    dice = random.Random(3)
    asked, told = 0, list[dict[str, SensorField]]()
    rig.heard_fields = told.append
    latencies = []
    for number in range(120):
        for _ in range(dice.randrange(15, 25)):
            rig.ask_fields()
            asked += 1
            rig.run(1, step_us=100)
        start_us = rig.emulator.now_us
        rig.emulator.set_sensor("c3", number % 2 == 0)
        before = len(rig.touches())
        while len(rig.touches()) == before:
            rig.run(0.1, step_us=100)
        latencies.append(rig.emulator.now_us - start_us)
    assert len(told) > asked / 20  # a part each so many milliseconds, one answer after the other
    assert quantiles(latencies, n=20)[-1] <= told_within_us(board)
    found = status(rig)
    assert found.scans_per_s == pytest.approx(1000 / board.scan_ms, abs=1)
    assert (found.scans_missed, found.bad_frames) == (0, 0)


def colours(rig: Rig) -> tuple[int, bytes]:
    """Return how many frames the pixels have shown, and red, green and blue of each as they shine."""
    count, _, shown = rig.emulator.ask("pixels").partition(" ")
    return int(count), bytes.fromhex(shown)


def tell_pixels(rig: Rig, frame: bytes) -> None:
    for first in range(0, len(frame) // 3, PIXELS_AT_ONCE):
        part = frame[3 * first : 3 * (first + PIXELS_AT_ONCE)]
        rig.emulator.send(rig.talk.tell(Pixels(first, part)).send)


@BOTH
def test_pixels_show_the_colours_that_were_sent(rig: Rig, board: Profile) -> None:
    """The emulator knows each bit by its pulse, and stops at one that a pixel would not understand."""
    dice = random.Random(4)
    assert colours(rig) == (0, b"")
    for count in range(1, 6):
        frame = dice.randbytes(3 * board.light_count)
        tell_pixels(rig, frame)
        rig.run(12)
        assert colours(rig) == (count, frame)


def pulses_by_strangers(program: list[int], word: int) -> list[tuple[int, int]]:
    """Return the cycles that the pin is high and then low for each bit of a word, by rp2040-pio-emulator."""
    changes: list[tuple[int, int]] = []
    steps = emulate(
        program,
        stop_when=lambda _, state: state.clock > PIXEL_BITS * 12,
        initial_state=State(transmit_fifo=deque([word])),
        auto_pull=True,
        pull_threshold=PIXEL_BITS,
        shift_osr_right=False,
        out_count=1,
        set_count=1,
        wrap_top=len(program) - 1,
    )
    for before, after in steps:
        if before.pin_values != after.pin_values:
            changes.append((before.clock, after.pin_values))
    assert [level for _, level in changes] == [1, 0] * PIXEL_BITS
    times = [clock for clock, _ in changes]
    falls = [fall - rise for rise, fall in zip(times[::2], times[1::2], strict=True)]
    return [(high, rise - fall) for high, fall, rise in zip(falls, times[1::2], times[2::2], strict=False)]


def test_the_pulses_are_right_by_a_second_emulator_too(rig: Rig) -> None:
    divider, *program = rig.emulator.ask("machine").split()
    cycle_ns = int(divider) * 1000 / 48
    word = 0b1010_0001_1100_1111_0000_0110
    for bit, (high, low) in enumerate(pulses_by_strangers([int(code, 16) for code in program], word << 8)):
        high_ns, low_ns = high * cycle_ns, low * cycle_ns
        least_ns, most_ns = (580, 1000) if word >> (PIXEL_BITS - 1 - bit) & 1 else (200, 400)
        assert least_ns < high_ns < most_ns
        assert high_ns + low_ns == 1250


def test_lights_of_the_service_shine_on_the_board_and_again_after_its_restart(rig: Rig, board: Profile) -> None:
    frame = bytes(range(3 * board.light_count))
    rig.emulator.send(rig.talk.shine(frame).send)
    rig.run(5)
    assert colours(rig)[1] == frame
    rig.emulator.unplug()
    rig.run(10)
    rig.emulator.plug()
    tell_pixels(rig, bytes(3 * board.light_count))  # nobody is there to hear it
    rig.run(200)
    assert colours(rig)[1] == frame


def test_frames_that_come_too_fast_are_left_out_but_for_the_last(rig: Rig, board: Profile) -> None:
    for shade in range(20):
        tell_pixels(rig, bytes([shade]) * 3 * board.light_count)
    rig.run(20)
    count, shown = colours(rig)
    assert shown == bytes([19]) * 3 * board.light_count
    assert 1 < count < 20
    assert status(rig).scans_missed == 0


@BOTH
def test_pixels_and_scans_do_not_disturb_each_other(rig: Rig, board: Profile) -> None:
    for number in range(100):
        tell_pixels(rig, bytes([number]) * 3 * board.light_count)
        rig.emulator.set_sensor("c3", number % 2 == 0)
        rig.run(16, step_us=1000)
    assert rig.touches() == [("c3", number % 2 == 0) for number in range(100)]
    found = status(rig)
    assert found.scans_per_s == pytest.approx(1000 / board.scan_ms, abs=1)
    assert (found.scans_missed, found.bad_frames) == (0, 0)
    assert found.jitter_us <= 10


def test_pixels_go_dark_when_nobody_speaks_to_them_any_more(rig: Rig, board: Profile) -> None:
    tell_pixels(rig, bytes([200]) * 3 * board.light_count)
    rig.run(10)
    rig.emulator.ask("line off")
    rig.run(20)
    assert colours(rig) == (2, bytes(3 * board.light_count))


@pytest.mark.parametrize("board", ["field144"], indirect=True)
def test_lights_go_dark_when_the_computer_goes_and_the_hub_has_a_supply_of_its_own(rig: Rig, board: Profile) -> None:
    """As it comes back, the board is told anew who speaks, and tells what was put there meanwhile."""
    tell_pixels(rig, bytes([200]) * 3 * board.light_count)
    rig.run(15)
    rig.emulator.ask("host off")
    rig.run(30)
    assert colours(rig) == (2, bytes(3 * board.light_count))
    put(rig, "h7", 7.3)
    rig.until(Link, 5000)  # it is gone
    assert rig.occupied() == set()
    rig.emulator.ask("host on")
    rig.until(Snapshot, 5000)
    assert rig.occupied() == {"h7"}
    assert rig.talk.status is not None
    assert status(rig).scans_missed == 0


def test_whoever_opens_the_line_again_is_greeted_at_once(rig: Rig) -> None:
    rig.run(1000)
    rig.emulator.ask("line off")
    rig.run(50)
    rig.emulator.ask("line on")
    _, frames, faults = framing.feed(b"", rig.emulator.run(10_000))
    assert not faults
    assert isinstance(decode(frames[0]), Hello)


@BOTH
def test_the_device_says_its_name_over_usb(rig: Rig, board: Profile) -> None:
    assert rig.emulator.ask("product") == f"Sensor board {board.name}"


def test_each_board_has_its_own_serial_number_over_usb_from_the_number_of_its_flash(rig: Rig) -> None:
    assert rig.emulator.ask("serial") == "E6605838833F5A2C"
    rig.emulator.ask("flash 0123456789abcdef")
    rig.emulator.restart()
    rig.run(500)
    assert rig.emulator.ask("serial") == "0123456789ABCDEF"


def test_a_board_whose_flash_knows_no_number_plays_without_a_serial_number(rig: Rig) -> None:
    rig.emulator.ask("flash none")
    rig.emulator.restart()
    rig.until(Snapshot)
    assert rig.emulator.ask("serial") == ""
    put(rig, "c3", 7.3)
    rig.run(20)
    assert rig.touches() == [("c3", True)]


@BOTH
def test_the_stack_has_room(rig: Rig, board: Profile) -> None:
    for site in board.sites:
        rig.emulator.set_sensor(site.name, True)
    rig.run(1200)
    assert rig.emulator.stats()["untouched_ram"] >= RAM_BYTES - 20 * 1024


@BOTH
def test_a_second_takes_no_longer_than_three(fields: EmulatorFiles, board: Profile) -> None:
    def used_s() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def cost_s(seconds: int) -> float:
        before = used_s()
        with Emulator(fields) as emulator:
            Rig(emulator, wiring_of(board)).run(1000 * seconds, step_us=2000)
        return used_s() - before

    assert cost_s(3) - cost_s(1) <= 2 * 3  # of the processor's time


def test_a_hall_that_sticks_at_its_rail_reads_a_piece_and_says_so_once(rig: Rig) -> None:
    rig.emulator.stick("d4", True)
    rig.run(300)
    assert rig.touches() == [("d4", True)]


def test_a_hang_with_interrupts_off_is_ended_by_the_watchdog_too(rig: Rig) -> None:
    """The scan's interrupt waits for an ADC that never finishes, and nothing else runs."""
    rig.emulator.hang()
    rig.run(600)
    assert status(rig).reset_cause == RESET_CAUSES["WATCHDOG"]
    rig.emulator.restart()
    assert status(rig).reset_cause == RESET_CAUSES["EXTERNAL"]
    rig.emulator.unplug()
    rig.run(50)
    rig.emulator.plug()
    assert status(rig).reset_cause == RESET_CAUSES["POWER_ON"]


WRONG = {  # what is done wrong in the port: file, what stands there, what stands there instead, what the emulator says
    "an address just before the start": (
        "muxes.c",
        "    ADC_CS = ADC_POWERED | ROUND << ADC_ROUND_SHIFT | ADC_START_MANY;",
        "    set_address(slot ^ 1);\n    ADC_CS = ADC_POWERED | ROUND << ADC_ROUND_SHIFT | ADC_START_MANY;",
        "before they have settled",
    ),
    "address pins that are inputs": (
        "muxes.c",
        "    SIO_DRIVE_SET = ADDRESS_BITS << PIN_ADDRESS;\n",
        "",
        "must be outputs",
    ),
    "DMA to the core's own registers": (
        "muxes.c",
        "DMA_WRITE(CHANNEL) = (uintptr_t)readings;",
        "DMA_WRITE(CHANNEL) = 0xD0000010;",
        "does not reach on the chip",
    ),
    "a round over a fourth input": ("muxes.c", "#define ROUND (BIT(MUXES) - 1)", "#define ROUND 15", "channel 3"),
    "a watchdog for the core alone": ("chip.c", "    PSM_WDSEL = PSM_ALL & ~PSM_OSCILLATORS;\n", "", "set WDSEL"),
    "pulses that are too long": ("pixels.c", "#define DIVIDER 6", "#define DIVIDER 12", "neither 0 nor 1 to a pixel"),
    "packets that do not alternate": ("usb.c", "    send_toggle = !send_toggle;\n", "", "by its toggle"),
    "an address at once": ("usb.c", "        new_address = (uint8_t)setup->value;\n", "", "does not take its address"),
    "requests of makers": (
        "usb.c",
        "WHOSE(setup.kind) == OF_STANDARD",
        "WHOSE(setup.kind) != OF_CLASS",
        "it cannot know",
    ),
    "a longer configuration": ("usb_descriptors.h", "7, ENDPOINT, DATA, BULK", "7, 9, DATA, BULK", "no two endpoints"),
    "a flash that cannot be read": ("start.S", "    str r1, [r0, r2]\n", "", "leaves the flash unreadable"),
}

WRONG_WITH_GROUPS = {
    "a group that stays on": (
        "muxes.c",
        "    SIO_OUT_SET = ENABLE_BITS;\n    SIO_OUT_CLEAR = ",
        "    SIO_OUT_CLEAR = ",
        "two multiplexers of one line are on at once",
    ),
    "pins of groups that are inputs": (
        "muxes.c",
        "    SIO_DRIVE_SET = ENABLE_BITS;\n",
        "",
        "reads while no multiplexer is on",
    ),
    "lines that are not held": (
        "muxes.c",
        "#define LINE_PULL (MUX_GROUPS > 1 ? PAD_PULL_DOWN : 0)",
        "#define LINE_PULL 0",
        "the line of a missing tile, which nothing holds",
    ),
    "a group that is read at once": (
        "muxes.c",
        "    ADC_CS = ADC_POWERED | ROUND << ADC_ROUND_SHIFT | ADC_START_MANY;",
        "    enable_group();\n    ADC_CS = ADC_POWERED | ROUND << ADC_ROUND_SHIFT | ADC_START_MANY;",
        "before they have settled",
    ),
}


def start_and_hang(files: EmulatorFiles, profile: Profile) -> None:
    with Emulator(files) as emulator:
        rig = Rig(emulator, wiring_of(profile))
        if profile.has_tiles:
            emulator.plug_tile(8, False)
        rig.run(100)
        tell_pixels(rig, bytes(3 * profile.light_count))
        rig.run(5)
        emulator.hang()
        rig.run(400)


@pytest.mark.parametrize(
    ("board", "name"),
    [*(("cell36", name) for name in WRONG), *(("field144", name) for name in WRONG_WITH_GROUPS)],
    indirect=["board"],
)
def test_what_would_not_work_on_a_chip_stops_the_emulator(
    build: Path, fields: EmulatorFiles, board: Profile, tmp_path: Path, name: str
) -> None:
    file, right, wrong, sentence = (WRONG | WRONG_WITH_GROUPS)[name]
    firmware = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, firmware, ignore=shutil.ignore_patterns("node_modules"))
    source = firmware / "port_rp2040" / file
    text = source.read_text(encoding="utf-8")
    assert text.count(right) == 1
    source.write_text(text.replace(right, wrong), encoding="utf-8")
    for made in ("hardware", "controller", ".venv"):
        (tmp_path / made).symlink_to(FIRMWARE.parent / made)
    tables = tmp_path / "build" / board.name
    tables.mkdir(parents=True)
    for header in ("messages.h", "field_table.h", f"{board.name}/board_table.h"):  # which are as they were
        shutil.copy(build / header, tables.parent / header)
    make(tables.parent, "firmware", f"BOARD={board.name}", folder=firmware)
    with pytest.raises(EmulatorFault, match=sentence):
        start_and_hang(EmulatorFiles(fields.program, tables / "sensor.uf2", fields.sites), board)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("set z9 on", "there is no such site"),
        ("set a1 maybe", "say on or off"),
        ("iron a1 much", "say what the iron adds, in mT, as a number"),
        ("field a1 strong", "say the magnet's field in mT as a number"),
        ("run -5", "say how many microseconds, at most 60000000"),
        ("dance", "there is no such command"),
        ("tile 1 off", "there is no such tile"),
    ],
)
def test_commands_that_are_none_are_refused(rig: Rig, command: str, sentence: str) -> None:
    with pytest.raises(EmulatorFault, match=sentence):
        rig.emulator.ask(command)
    rig.emulator.set_sensor("a1", True)
    rig.run(20)
    touch = rig.events[-1]
    assert isinstance(touch, Touch)
    assert touch.site == "a1"


def test_without_its_package_the_emulator_says_how_to_get_it(fields: EmulatorFiles, tmp_path: Path) -> None:
    bare = tmp_path / "emulator"
    shutil.copytree(RP2040.parent, bare, ignore=shutil.ignore_patterns("node_modules"))
    with pytest.raises(EmulatorFault, match="rp2040js is missing: npm ci --prefix firmware/emulator_rp2040"):
        Emulator(EmulatorFiles(bare / "emulator.js", fields.firmware, fields.sites))


def test_a_board_with_another_chain_is_refused(fields: EmulatorFiles, tmp_path: Path) -> None:
    write(load("hex91"), tmp_path)
    with pytest.raises(EmulatorFault, match="for another board: it begins with 96 0, not 48 0 or 144 0"):
        Emulator(EmulatorFiles(fields.program, fields.firmware, tmp_path / "sites.txt"))


def test_firmware_for_one_group_reads_nothing_of_tiles(fields: EmulatorFiles, tmp_path: Path) -> None:
    write(load("field144"), tmp_path)
    with (
        Emulator(EmulatorFiles(fields.program, fields.firmware, tmp_path / "sites.txt")) as emulator,
        pytest.raises(EmulatorFault, match="reads while no multiplexer is on"),
    ):
        emulator.run(10_000)


@pytest.mark.parametrize("board", ["field144"], indirect=True)
def test_a_tile_whose_cable_is_out_reads_as_if_each_of_its_cells_were_taken(rig: Rig, board: Profile) -> None:
    """Its line lies on ground then, which is the end of a sensor's range. All others are read as before."""
    rig.emulator.plug_tile(4, False)
    rig.run(20)
    tile = set(board.by_bit()[64:80])
    assert rig.occupied() == tile
    put(rig, "d4", 7.3)
    rig.run(20)
    assert rig.occupied() == tile | {"d4"}
    rig.emulator.plug_tile(4, True)
    rig.run(20)
    assert rig.occupied() == {"d4"}
    for number in ("-1", "9", "1.5"):
        with pytest.raises(EmulatorFault, match="there is no such tile"):
            rig.emulator.ask(f"tile {number} off")
