"""The stories that every sensor board is held to, on the emulated firmware in simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.devices.interfaces import Emit
from controller.devices.link.conversation import Conversation, Debounce, Outcome
from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles, built
from controller.rules.mesh import squares
from hardware.firmware_table import write
from hardware.profile import Profile, bare, load
from tests.devices.board_contract import BoardContract
from tests.firmware.firmware_rig import make, wiring_of


class LockStepBoard:
    """What `SerialBoard` does in its thread, with the emulator's time."""

    def __init__(self, emulator: Emulator, profile: Profile) -> None:
        self.emulator = emulator
        self.talk = Conversation(wiring_of(profile), Debounce(), "the emulator")
        self.emit: Emit | None = None

    def start(self, emit: Emit) -> None:
        self.run(20)  # the board was there before the service, and debounced what lay on it
        self.emit = emit
        self.follow(self.talk.opened(self.emulator.now_us))

    def stop(self) -> None:
        self.emit = None

    def run(self, ms: int) -> None:
        for _ in range(ms):
            data = self.emulator.run(1000)
            if self.emit is not None:
                self.follow(self.talk.received(self.emulator.now_us, data))
                self.follow(self.talk.tick(self.emulator.now_us))

    def follow(self, outcome: Outcome) -> None:
        for event in outcome.events:
            if self.emit is not None:
                self.emit(event)
        self.emulator.send(outcome.send)


class EmulatorRig:
    def __init__(self, emulator: Emulator, profile: Profile) -> None:
        self.switch = emulator
        self.board = LockStepBoard(emulator, profile)

    def settle(self) -> None:
        self.board.run(250)  # what was not acknowledged would have been sent again twice

    def cut(self) -> None:
        self.switch.unplug()
        self.board.follow(self.board.talk.closed(self.switch.now_us, "The sensor board is not there; plug it in."))

    def mend(self) -> None:
        self.switch.plug()
        self.board.follow(self.board.talk.opened(self.switch.now_us))

    def close(self) -> None:
        self.board.stop()


@pytest.fixture(scope="session")
def tiny() -> Profile:
    return bare("tiny", squares(3, 3))


@pytest.fixture(scope="session")
def tiny_board(build: Path, tiny: Profile) -> EmulatorFiles:
    write(tiny, build / "tiny")
    make(build, "firmware", "BOARD=tiny")
    return built(build, "tiny")


class TestFirmware(BoardContract):
    @pytest.fixture
    def rig(self, tiny_board: EmulatorFiles, tiny: Profile) -> Iterator[EmulatorRig]:
        with Emulator(tiny_board) as emulator:
            yield EmulatorRig(emulator, tiny)


# The sites as they hang on the three muxes, at inputs from the first to the last.
FIELDS = """
title = "Nine fields"
tiling = "square 3 3"
pitch_mm = 33.3
sensor = "hall"
chip = "rp2040"
poles = true
facing = [1, 3]
max_milliamps = 1000
chain = [
  "a1 - - - - b1 - - - - - - - - - c1",
  "- - - a2 - - - b2 - - - - c2 - - -",
  "- a3 - - - - - - - b3 - - - - c3 -",
]
lights = ["a1 b1 c1 a2 b2 c2 a3 b3 c3"]
"""


@pytest.fixture(scope="session")
def nine_fields(build: Path) -> Path:
    path = build / "nine.toml"
    path.write_text(FIELDS, encoding="utf-8")
    make(build, "firmware", f"BOARD={path}")
    return path


class TestFirmwareOfFields(BoardContract):
    @pytest.fixture
    def rig(self, build: Path, nine_fields: Path) -> Iterator[EmulatorRig]:
        with Emulator(built(build, "nine", rp2040=True)) as emulator:
            yield EmulatorRig(emulator, load(str(nine_fields)))
