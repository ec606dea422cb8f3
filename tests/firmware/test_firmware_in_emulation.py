"""The firmware in its emulated chips, in simulated time: what a player does, and what goes wrong meanwhile.

Stories with a `port` or a `rig` are told on each chip; a chain of registers is what the ATmega328P alone has.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from statistics import quantiles

import pytest

from controller.devices.link import framing
from controller.devices.link.conversation import Debounce
from controller.devices.link.messages import RESET_CAUSES, Ack, Change, Hello, Identify, Status, decode, encode
from controller.devices.link.messages import Snapshot as SnapshotMessage
from controller.devices.sensors.emulated_board import Emulator, EmulatorFault, EmulatorFiles
from controller.events import Link, Snapshot, Touch
from hardware.profile import Profile, load
from tests.firmware.firmware_rig import FIRMWARE, Port, Rig, make, wiring_of

STACK = 160  # bytes that firmware/atmega328p.mk keeps for the stack
KEPT = 160  # changes that the firmware keeps (firmware/core/events.h)
SEEDS = (0, pytest.param(1, marks=pytest.mark.long), *(pytest.param(seed, marks=pytest.mark.night) for seed in (2, 3)))


def seen(data: bytes) -> list[object]:
    _, frames, faults = framing.feed(b"", data)
    assert not faults
    return [decode(frame) for frame in frames]


def last_status(rig: Rig) -> Status:
    assert rig.talk.status is not None
    return rig.talk.status


def test_a_board_greets_and_tells_what_stands_on_it(port: Port) -> None:
    standing = {port.profile.sites[0].name, port.profile.sites[-1].name}
    with Emulator(port.files) as emulator:
        for site in standing:
            emulator.set_sensor(site, True)
        emulator.restart()  # it starts with the pieces in place
        rig = Rig(emulator, wiring_of(port.profile))
        rig.until(Snapshot)
        link, snapshot = rig.events
        assert isinstance(link, Link)
        assert link.up
        assert isinstance(snapshot, Snapshot)
        assert snapshot.sites == standing


def test_a_touch_is_known_within_six_milliseconds(rig: Rig) -> None:
    dice = random.Random(1)
    latencies = []
    on = False
    for _ in range(100):
        on = not on
        rig.run(dice.randrange(20, 40) + dice.randrange(10) / 10, step_us=100)
        start_us = rig.emulator.now_us
        rig.emulator.set_sensor("e4", on)
        before = len(rig.events)
        while len(rig.events) == before:
            rig.run(0.1, step_us=100)
        touch = rig.events[-1]
        assert isinstance(touch, Touch)
        assert (touch.site, touch.on) == ("e4", on)
        assert -1000 <= touch.t_us - start_us <= 2000  # the time of the contact, not of the report
        latencies.append(rig.emulator.now_us - start_us)
    assert quantiles(latencies, n=20)[-1] <= 6000


def test_a_bouncing_contact_gives_one_change(rig: Rig) -> None:
    for on in (True, False, True):
        rig.emulator.bounce("c3", on, 5, 300)
        rig.run(30)
    assert rig.touches() == [("c3", True), ("c3", False), ("c3", True)]


def test_a_pulse_shorter_than_the_debounce_is_nothing(rig: Rig) -> None:
    rig.emulator.set_sensor("c3", True)
    rig.run(2.5)
    rig.emulator.set_sensor("c3", False)
    rig.run(50)
    assert rig.touches() == []


@pytest.mark.parametrize(("press", "release"), [(1, 15), (15, 1), (6, 9)])
def test_press_and_release_are_debounced_as_set(port: Port, press: int, release: int) -> None:
    with Emulator(port.files) as emulator:
        rig = Rig(emulator, wiring_of(port.profile), Debounce(press, release))
        rig.until(Snapshot)
        for on, ms in ((True, press), (False, release)):
            start_us = emulator.now_us
            emulator.set_sensor("b2", on)
            while rig.touches()[-1:] != [("b2", on)]:
                rig.run(0.1, step_us=100)
            assert (ms - 1) * 1000 <= emulator.now_us - start_us <= (ms + 1) * 1000 + port.telling_us


def test_a_stuck_sensor_reports_its_one_level_only(rig: Rig) -> None:
    rig.emulator.stick("d4", True)
    for on in (True, False, True, False):
        rig.emulator.set_sensor("d4", on)
        rig.run(20)
    assert rig.touches() == [("d4", True)]
    rig.emulator.stick("d4", None)
    rig.run(20)
    assert rig.touches() == [("d4", True), ("d4", False)]


def named(where: str) -> list[str]:
    """Return what is told besides of a chain that is cut there: the register, where the levels show it."""
    _, after, level = where.split()
    begin = "The sensor chain is interrupted: everything from register"
    return [f"{begin} {int(after) + 1}"] if level == "low" else []


@pytest.mark.parametrize(
    "where", ["cut 0 loose", "cut 0 high", "cut 5 high", "cut 18 high", "cut 0 low", "cut 5 low", "cut 17 low"]
)
def test_a_torn_chain_is_told_and_none_of_its_changes_believed(chain_rig: Rig, where: str) -> None:
    """Behind a wire that reads high the byte past the end is no longer that of ground. One that reads low closes all
    behind it at once. A wire in the air is held by MISO's pull-up, and by one on every card.
    """
    standing = {"a1", "l12", "f7"}
    for site in standing:
        chain_rig.emulator.set_sensor(site, True)
    chain_rig.run(200)
    before = len(chain_rig.events)
    chain_rig.emulator.ask(where)
    down, *more = chain_rig.run(5000, step_us=2000)
    assert isinstance(down, Link)
    assert not down.up
    assert "The sensor chain is interrupted" in down.sentence
    assert "beaconboard doctor" in down.sentence
    assert [event.sentence.split(" on reads")[0] for event in more if isinstance(event, Link)] == named(where)
    chain_rig.emulator.set_sensor("f7", False)
    chain_rig.emulator.cut(None)
    up, snapshot = chain_rig.run(1500)
    assert isinstance(up, Link)
    assert up.up
    assert isinstance(snapshot, Snapshot)
    assert snapshot.occupied == {"a1", "l12"}
    assert not any(isinstance(event, Touch) for event in chain_rig.events[before:])


def test_a_chain_that_is_torn_from_the_start_is_told_apart_from_an_empty_board(square: EmulatorFiles) -> None:
    with Emulator(square) as emulator:
        emulator.ask("cut 0 loose")
        rig = Rig(emulator, wiring_of(load("square144")))
        (down,) = rig.run(5000, step_us=2000)
        assert isinstance(down, Link)
        assert "The sensor chain is interrupted" in down.sentence
        emulator.cut(None)
        assert [type(event) for event in rig.run(1500)] == [Link, Snapshot]


def test_a_spark_on_the_data_wire_is_no_tear(chain_rig: Rig) -> None:
    chain_rig.run(50)
    before = len(chain_rig.events)
    for _ in range(20):
        chain_rig.emulator.ask("cut 0 high")
        chain_rig.run(1.5, step_us=100)  # one or two scans
        chain_rig.emulator.cut(None)
        chain_rig.run(10)
    assert chain_rig.events[before:] == []


def test_a_latch_too_short_for_metres_of_wire_is_found_out(build: Path, square: EmulatorFiles, tmp_path: Path) -> None:
    with pytest.raises(EmulatorFault, match="PL is low for less than 1 us"):
        run_changed(build, square, tmp_path, "    _delay_us(LOAD_US);", "    ;")


def test_a_watchdog_that_resets_the_chip_is_found_out(build: Path, square: EmulatorFiles, tmp_path: Path) -> None:
    """After such a reset the old bootloader runs with the watchdog on, 16 ms at a time, until the power goes."""
    with pytest.raises(EmulatorFault, match="old bootloader"):
        run_changed(build, square, tmp_path, "WDTCSR = _BV(WDIE) | _BV(WDP2);", "WDTCSR = _BV(WDE) | _BV(WDP2);", True)


def test_unused_inputs_that_float_are_never_reported(build: Path) -> None:
    make(build, "firmware", "BOARD=hex91")
    files = EmulatorFiles(build / "emulator", build / "hex91" / "sensor.elf", build / "hex91" / "sites.txt")
    with Emulator(files) as emulator:
        rig = Rig(emulator, wiring_of(load("hex91")))
        rig.run(500)
        assert [type(event) for event in rig.events] == [Link, Snapshot]
        assert last_status(rig).event == 0


def test_after_a_restart_the_board_is_read_anew(rig: Rig) -> None:
    rig.emulator.set_sensor("a1", True)
    rig.run(20)
    rig.emulator.restart()
    rig.emulator.set_sensor("a2", True)
    down, up, snapshot, *more = rig.run(100)
    assert isinstance(down, Link)
    assert not down.up
    assert "restarted by its reset pin" in down.sentence
    assert isinstance(up, Link)
    assert up.up
    assert isinstance(snapshot, Snapshot)
    assert snapshot.sites | {event.site for event in more if isinstance(event, Touch)} == {"a1", "a2"}


def test_a_firmware_that_hangs_is_restarted_by_its_watchdog(rig: Rig) -> None:
    rig.emulator.hang()
    events = rig.run(600)
    assert isinstance(events[0], Link)
    assert "restarted by its watchdog" in events[0].sentence
    assert isinstance(events[-1], Snapshot)
    assert last_status(rig).reset_cause == RESET_CAUSES["WATCHDOG"]
    rig.emulator.set_sensor("a1", True)
    rig.run(20)
    assert rig.touches() == [("a1", True)]
    rig.emulator.hang()  # and again
    rig.run(600)
    assert rig.talk.counts.restarts == 2
    assert rig.occupied() == {"a1"}
    rig.emulator.restart()
    rig.run(1500)
    assert last_status(rig).reset_cause == RESET_CAUSES["EXTERNAL"]


def test_a_restart_whose_hello_is_lost_is_noticed_all_the_same(rig: Rig) -> None:
    rig.emulator.set_sensor("a1", True)
    rig.run(20)
    rig.emulator.restart()
    rig.emulator.run(20_000)  # nobody listens
    rig.emulator.set_sensor("a1", False)
    events = rig.run(1500)
    assert [type(event) for event in events[:3]] == [Link, Link, Snapshot]
    assert rig.occupied() == set()


def test_a_change_is_sent_again_until_it_is_acknowledged(rig: Rig) -> None:
    rig.emulator.run(10_000)
    rig.emulator.set_sensor("f6", True)
    changes = [message for message in seen(rig.emulator.run(300_000)) if isinstance(message, Change)]
    assert len(changes) >= 3
    assert len(set(changes)) == 1
    rig.emulator.send(framing.pack(encode(Ack(changes[0].event), 0)))
    rig.emulator.run(2_000)
    later = [message for message in seen(rig.emulator.run(1_500_000)) if isinstance(message, Change)]
    assert later == []


def test_a_lost_acknowledgement_makes_no_second_touch(rig: Rig) -> None:
    lost = []
    rig.to_board = lambda data: lost.append(data) or b"" if data else b""
    rig.emulator.set_sensor("f6", True)
    rig.run(100)
    rig.to_board = bytes
    rig.run(200)
    assert lost
    assert rig.touches() == [("f6", True)]
    assert rig.talk.counts.repeated >= 1


@pytest.mark.parametrize("seed", SEEDS)
def test_frames_lost_both_ways_change_nothing_in_what_is_told(rig: Rig, port: Port, seed: int) -> None:
    dice = random.Random(seed)
    sites = [site.name for site in port.profile.sites]

    def hurt(data: bytes) -> bytes:
        return bytes(byte ^ 4 if dice.random() < 0.01 else byte for byte in data)

    rig.to_host = rig.to_board = hurt
    expected = []
    standing: set[str] = set()
    for _ in range(60):
        site = dice.choice(sites)
        standing ^= {site}
        expected.append((site, site in standing))
        rig.emulator.set_sensor(site, site in standing)
        rig.run(dice.randrange(6, 30))
    rig.to_host = rig.to_board = bytes
    rig.run(2500)
    assert rig.talk.counts.bad_frames > 0
    assert rig.touches() == expected
    assert rig.occupied() == standing


@pytest.mark.parametrize("seed", SEEDS)
def test_a_terrible_line_and_restarts_end_in_the_truth(rig: Rig, port: Port, seed: int) -> None:
    dice = random.Random(seed)
    sites = [site.name for site in port.profile.sites]

    def hurt(data: bytes) -> bytes:
        kinds = dice.choices(("keep", "lose", "double", "flip"), (97, 1, 1, 1), k=len(data))
        kept = {byte: {"keep": [byte], "lose": [], "double": [byte, byte], "flip": [byte ^ 16]} for byte in data}
        return bytes(part for byte, kind in zip(data, kinds, strict=True) for part in kept[byte][kind])

    rig.to_host = rig.to_board = hurt
    standing: set[str] = set()
    for turn in range(40):
        moved = set(dice.sample(sites, dice.choice((1, 2, 36))))
        standing ^= moved
        for site in sorted(moved):
            rig.emulator.set_sensor(site, site in standing)
        rig.run(dice.randrange(6, 40))
        if turn in (10, 25):
            rig.emulator.restart()
    rig.to_host = rig.to_board = bytes
    rig.run(4000)
    assert rig.talk.counts.bad_frames > 10
    assert rig.occupied() == standing
    times = [event.t_us for event in rig.events]
    assert times == sorted(times)


def test_many_sensors_at_once_lose_nothing(rig: Rig, port: Port) -> None:
    """All but the last of the chain: with it they would be a data wire on ground."""
    sites = {site.name for site in port.profile.sites if site.bit != 143}
    for on in (True, False):
        before = len(rig.touches())
        for site in sites:
            rig.emulator.set_sensor(site, on)
        rig.run(150)
        told = rig.touches()[before:]
        assert sorted(told) == sorted((site, on) for site in sites)
    rig.run(1000)
    assert last_status(rig).changes_lost == 0
    assert last_status(rig).scans_missed == 0


def test_more_changes_than_can_be_kept_are_healed_by_a_snapshot(rig: Rig, port: Port) -> None:
    sites = [site.name for site in port.profile.sites if site.bit != 143]
    deaf_to = rig.to_host
    rig.to_host = lambda data: b""
    for time in range(2 * KEPT // len(sites) | 1):  # an odd number, so that all are on in the end
        for site in sites:
            rig.emulator.set_sensor(site, time % 2 == 0)
        rig.run(100)
    rig.to_host = deaf_to
    rig.run(1500)
    assert rig.occupied() == set(sites)
    assert rig.talk.counts.healed == 1
    assert last_status(rig).changes_lost > 0
    rig.emulator.set_sensor("a1", False)
    rig.run(20)
    assert rig.touches()[-1] == ("a1", False)


def test_a_change_keeps_its_time_however_late_it_is_heard(rig: Rig) -> None:
    rig.run(18_000, step_us=2_000)  # long enough to learn how the clocks drift apart
    rig.run(100)
    start_us = rig.emulator.now_us
    rig.emulator.set_sensor("a1", True)
    rig.to_host = lambda data: b""
    rig.run(1500)
    rig.to_host = bytes
    rig.until(Touch)
    touch = rig.events[-1]
    assert isinstance(touch, Touch)
    assert abs(touch.t_us - start_us) < 3000


@pytest.mark.parametrize("board", ["square", "long_board", "fields"])
def test_a_thousand_scans_a_second_with_little_jitter(
    board: str, request: pytest.FixtureRequest, long_chain: Profile
) -> None:
    files: EmulatorFiles = request.getfixturevalue(board)
    profiles = {"square": load("square144"), "long_board": long_chain, "fields": load("cell36")}
    with Emulator(files) as emulator:
        rig = Rig(emulator, wiring_of(profiles[board]))
        rig.run(2100)
        status = last_status(rig)
        assert status.scans_per_s == 1000
        assert status.scans_missed == 0
        assert status.jitter_us <= 50


def test_the_longest_chain_tells_every_sensor(long_board: EmulatorFiles, long_chain: Profile) -> None:
    with Emulator(long_board) as emulator:
        rig = Rig(emulator, wiring_of(long_chain))
        rig.until(Snapshot)
        for site in long_chain.sites:
            emulator.set_sensor(site.name, True)
            rig.run(2)
        rig.run(20)
        assert rig.touches() == [(site.name, True) for site in long_chain.sites]
        assert 2048 - emulator.stats()["untouched_ram"] <= 1536


def test_the_stack_stays_within_what_is_kept_for_it(chain_rig: Rig, build: Path) -> None:
    for site in load("square144").sites:
        chain_rig.emulator.set_sensor(site.name, True)
    chain_rig.run(1200)
    sections = (
        subprocess.run(
            ["avr-size", str(build / "square144" / "sensor.elf")], capture_output=True, text=True, check=True
        )
        .stdout.split("\n")[1]
        .split()
    )
    static = int(sections[1]) + int(sections[2])
    assert 2048 - chain_rig.emulator.stats()["untouched_ram"] - static <= STACK


def test_the_lamp_blinks_while_a_person_looks_for_the_board(rig: Rig) -> None:
    rig.emulator.send(rig.talk.tell(Identify(2)).send)
    shone = []
    for _ in range(30):
        rig.run(100)
        shone.append(rig.emulator.stats()["lamp"])
    assert {*shone[:20]} == {0, 1}
    assert {*shone[21:]} == {0}


def test_bytes_that_are_no_frame_are_counted_by_the_board(rig: Rig) -> None:
    rig.emulator.send(b"\x05nonsense\x00")
    rig.run(1100)
    assert last_status(rig).bad_frames == 1


def test_lock_step_is_the_same_from_run_to_run(port: Port) -> None:
    def once() -> list[bytes]:
        with Emulator(port.files) as emulator:
            rig = Rig(emulator, wiring_of(port.profile))
            heard: list[bytes] = []
            rig.to_host = lambda data: heard.append(data) or data
            for number, site in enumerate(port.profile.sites[:20]):
                emulator.bounce(site.name, True, 3, 150 + number)
                rig.run(7)
            return heard

    assert once() == once()


def run_changed(
    build: Path, square: EmulatorFiles, folder: Path, right: str, wrong: str, hanging: bool = False
) -> None:
    """Let firmware run with one line of its port changed."""
    source = (FIRMWARE / "port" / "main.c").read_text(encoding="ascii")
    assert right in source
    (folder / "main.c").write_text(source.replace(right, wrong), encoding="ascii")
    core = [str(path) for path in (FIRMWARE / "core").glob("*.c")]
    where = ["-I", str(FIRMWARE / "core"), "-I", str(build), "-I", str(build / "square144")]
    chip = ["-mmcu=atmega328p", "-DF_CPU=16000000UL", "-Os", "-fshort-enums", "-std=gnu11"]
    elf = folder / "sensor.elf"
    subprocess.run(["avr-gcc", *chip, *where, "-o", str(elf), str(folder / "main.c"), *core], check=True)
    with Emulator(EmulatorFiles(square.program, elf, square.sites)) as emulator:
        rig = Rig(emulator, wiring_of(load("square144")))
        rig.run(100)
        if hanging:
            emulator.hang()
            rig.run(600)


@pytest.mark.parametrize("mode", ["", "_BV(CPHA) | ", "_BV(CPOL) | _BV(CPHA) | "])
def test_a_wrong_spi_mode_is_found_out(build: Path, square: EmulatorFiles, tmp_path: Path, mode: str) -> None:
    right = "_BV(MSTR) | _BV(CPOL) | _BV(SPR0)"
    with pytest.raises(EmulatorFault, match="mode 2"):
        run_changed(build, square, tmp_path, right, f"_BV(MSTR) | {mode}_BV(SPR0)")


def test_a_board_with_other_firmware_is_refused_with_what_to_flash(square: EmulatorFiles) -> None:
    with Emulator(square) as emulator:
        rig = Rig(emulator, wiring_of(load("hex91")))
        rig.run(1500)
        (link,) = rig.events
        assert isinstance(link, Link)
        assert not link.up
        assert link.sentence == ("The sensor board has firmware for square144; flash it with: make flash BOARD=hex91")


def test_hello_and_snapshot_say_who_and_what(port: Port) -> None:
    with Emulator(port.files) as emulator:
        messages = seen(emulator.run(3_000_000))
        assert all(isinstance(message, Hello | Status) for message in messages)  # nobody asked for more
        hello = messages[0]
        assert isinstance(hello, Hello)
        assert (hello.board, hello.sensors, hello.reset_cause) == (port.profile.name, len(port.profile.sites), 1)
        assert not any(isinstance(message, SnapshotMessage) for message in messages)
