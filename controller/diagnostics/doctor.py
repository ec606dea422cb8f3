"""Runs the doctor on real, emulated or simulated devices: events and answers go in, sentences and light come out."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

import msgspec

from controller.clock import clock_us
from controller.devices.interfaces import Clock, Lights, SensorBoard
from controller.devices.lights.limiter import DARK, LimitedLights, SimulatedStrip
from controller.devices.lights.opened import open_strip
from controller.devices.link.messages import FLAGS, SensorField
from controller.devices.sensors.emulated_board import Emulator, built
from controller.devices.sensors.gpio_board import GpioBoard, Pins, rpi_gpio
from controller.devices.sensors.paced_emulator import on_line
from controller.devices.sensors.serial_board import SerialBoard
from controller.diagnostics.examination import (
    Beat,
    EnteredLine,
    Exam,
    ExamPhase,
    Input,
    Output,
    Say,
    Show,
    begin,
    step,
    verdict,
)
from controller.diagnostics.field_watch import FieldWatch
from controller.diagnostics.findings import Health
from controller.diagnostics.learned_profile import advice, learned, source
from controller.diagnostics.machine import undervolted
from controller.diagnostics.planted_faults import SimulatedPerson, world
from controller.diagnostics.rest_keeper import kept_rests
from controller.from_profile import wiring
from controller.memory_bound import holding
from controller.settings import Settings
from hardware.profile import Profile, load

WHITE = (255, 255, 255)
BEAT_S = 0.2
BEAT_US = 200_000
EMULATOR_PAUSE_US = 12_000  # the debounce of the firmware, its scan and the way to here
EMULATOR_LOOK_S = 0.003
VAIN_S = 0.25  # after which a played person takes a touch for unanswered

Print = Callable[[str], None]


class ExaminationDevices(msgspec.Struct, frozen=True):
    """The devices of an examination. ``health`` and ``fields`` are asked at each beat; ``person`` plays the hand,
    None: a real one.

    ``quiet_s`` without an event is a quiet moment; a played person then takes its touch for unanswered.
    """

    board: Profile
    sensors: SensorBoard
    lights: Lights | None
    health: Callable[[], Health | None]
    clock: Clock
    person: SimulatedPerson | None = None
    quiet_s: float = BEAT_S
    fields: Callable[[], Mapping[str, SensorField] | None] = lambda: None
    rests_of: Callable[[], Mapping[str, float]] = dict  # where linear sensors rest, as was told to the board


def examine(clinic: ExaminationDevices, say: Print, lines: Callable[[], str] | None = None) -> Exam:
    """Run an examination to its end and return it. ``lines`` waits for what a real person enters; EOFError ends it."""
    inbox: SimpleQueue[Input] = SimpleQueue()
    if lines is not None:
        threading.Thread(target=_listen, args=(lines, inbox.put), name="answers", daemon=True).start()
    exam, said = begin(clinic.board, lights=clinic.lights is not None)
    _perform(clinic, said, say)
    clinic.sensors.start(inbox.put)
    beaten_us = clinic.clock()
    try:
        while exam.phase is not ExamPhase.OVER:
            happened = _next(inbox, clinic, exam)
            now_us = clinic.clock()
            if now_us - beaten_us >= BEAT_US:
                beaten_us = now_us
                happened.append(Beat(now_us, clinic.health(), clinic.fields() or {}, clinic.rests_of()))
            for event in happened:
                asked = (exam.phase, exam.at)
                exam, said = step(exam, event)
                _perform(clinic, said, say)
                if clinic.person and (exam.phase, exam.at) != asked:
                    _answer(clinic.person, exam, inbox)
    finally:
        clinic.sensors.stop()
        if clinic.lights:
            clinic.lights.close()
    return exam


def _next(inbox: SimpleQueue[Input], clinic: ExaminationDevices, exam: Exam) -> list[Input]:
    """Wait for what happens next, for a quiet moment at most; after that a played person loses patience."""
    try:
        return [inbox.get(timeout=clinic.quiet_s)]
    except Empty:
        if clinic.person:
            _answer(clinic.person, exam, inbox)
        return []


def _answer(person: SimulatedPerson, exam: Exam, inbox: SimpleQueue[Input]) -> None:
    answer = person.act(exam)
    if answer is not None:
        inbox.put(answer)


def _listen(lines: Callable[[], str], put: Callable[[Input], None]) -> None:
    try:
        while True:
            put(EnteredLine(lines().strip().lower()))
    except EOFError:
        return


def _perform(clinic: ExaminationDevices, said: Sequence[Output], say: Print) -> None:
    for output in said:
        if isinstance(output, Say):
            say(output.sentence)
        elif isinstance(output, Show) and clinic.lights:
            shown = set(output.pixels)
            clinic.lights.show([WHITE if k in shown else DARK for k in range(clinic.board.light_count)])


# ---- devices ----------------------------------------------------------------------------------------------


def doctor(settings: Settings, faults: Sequence[str], copy: Path, say: Print, lines: Callable[[], str]) -> bool:
    """Examine the board that the settings name and write the learned profile to ``copy``; return whether all is well.

    On the emulated board a played person does the touching, and ``faults`` are planted. Raises what `assembly.build`
    raises, and `planted_faults.BadFault`.
    """
    board = load(settings.one_board)
    say(holding())
    with ExitStack() as held:
        clinic = EXAMINED[settings.sensors](board, settings, faults, held)
        exam = examine(clinic, say, None if clinic.person else lines)
    found = verdict(exam)
    path = source(settings.one_board)
    new = learned(board, path.read_text(encoding="utf-8"), found)
    if new is not None:
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(new, encoding="utf-8")
        now = load(str(copy))
        say(advice(copy, chain_changed=now.by_bit() != board.by_bit()))
    return not found.findings


def _serial(board: Profile, settings: Settings, faults: Sequence[str], held: ExitStack) -> ExaminationDevices:
    serial = SerialBoard(settings.serial_port, wiring(board), clock_us, even_torn=True)
    rests_of = partial(kept_rests, settings.journal_path.parent / "rests", board)
    serial.rest_at(rests_of)
    lights = _lights(board, settings, serial)
    watch = FieldWatch(lambda: serial, clock_us)
    return ExaminationDevices(
        board,
        serial,
        lights,
        lambda: health(serial, undervolted()),
        clock_us,
        fields=watch.look,
        rests_of=lambda: rests_of(serial.serial_number()),
    )


def _gpio(board: Profile, settings: Settings, faults: Sequence[str], held: ExitStack) -> ExaminationDevices:
    pins = Pins(settings.gpio_data_pin, settings.gpio_clock_pin, settings.gpio_latch_pin)
    gpio = GpioBoard(rpi_gpio(), board.by_bit(), clock_us, pins=pins)
    return ExaminationDevices(board, gpio, _lights(board, settings, gpio), lambda: None, clock_us)


def _lights(board: Profile, settings: Settings, sensors: SensorBoard) -> LimitedLights | None:
    lights = "sensor_board" if board.lights_hang_on_sensor_board else settings.lights
    if lights == "simulated" or not board.light_count:
        return None
    strip = open_strip(lights, settings.lights_pin, board.light_count, sensors)
    return LimitedLights(strip, board.light_count, board.most_milliamps(settings.max_milliamps), 100)


def _emulated(board: Profile, settings: Settings, faults: Sequence[str], held: ExitStack) -> ExaminationDevices:
    real = world(board, faults)
    line = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="beaconboard-"))) / "line"
    files = built(Path(settings.emulator_folder), board.name, rp2040=board.has_fields)
    emulator = held.enter_context(on_line(files, line, clock_us))
    if real.cut is not None:
        emulator.cut(real.cut, high=not real.grounded)
    if board.has_tiles:
        emulator.feed_tiles()
    for tile in real.unplugged:
        emulator.plug_tile(tile, False)
    strip = SimulatedStrip(keep=1)
    lights = LimitedLights(strip, board.light_count, board.max_milliamps, 100) if board.light_count else None
    person = SimulatedPerson(board, real, emulator, lambda: strip.frames[-1], lambda: _pause(emulator))
    serial = SerialBoard(str(line), wiring(board), clock_us, even_torn=True)
    return ExaminationDevices(board, serial, lights, lambda: health(serial, None), clock_us, person, VAIN_S)


# By their names in the settings; a simulated board has nothing to be examined.
EXAMINED: Mapping[str, Callable[[Profile, Settings, Sequence[str], ExitStack], ExaminationDevices]] = {
    "serial": _serial,
    "gpio": _gpio,
    "emulated": _emulated,
}


def _pause(emulator: Emulator) -> None:
    """Wait until time has passed on the emulated board, which on a busy machine may take longer than here."""
    begun_us = emulator.stats()["now_us"]
    while emulator.stats()["now_us"] - begun_us < EMULATOR_PAUSE_US:
        time.sleep(EMULATOR_LOOK_S)


def health(board: SerialBoard, dipped: bool | None) -> Health | None:
    """Return what the sensor board's last heartbeat says, None before the first."""
    status = board.status()
    if status is None:
        return None
    return Health(
        scans_per_s=status.scans_per_s,
        scans_missed=status.scans_missed,
        bad_frames=status.bad_frames,
        bytes_lost=status.bytes_lost,
        changes_lost=status.changes_lost,
        undervolted=dipped,
        board=board.introduction(),
        strong=bool(status.flags & FLAGS["STRONG"]),
    )
