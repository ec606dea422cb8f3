"""The emulated board and the host's side of the link, joined in simulated time."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.devices.link.conversation import Conversation, Debounce, Outcome
from controller.devices.link.greeting import Wiring
from controller.devices.link.messages import SensorField
from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles, built
from controller.events import Link, Snapshot, Touch
from hardware.firmware_table import table_hash
from hardware.profile import Profile
from tests.devices.listener import BoardListener, Event

FIRMWARE = Path(__file__).parents[2] / "firmware"


class Port(msgspec.Struct, frozen=True):
    """The firmware on one of its chips: what the emulator needs, which board that is, and how long a message takes at
    most after its debounce, until the host has it.
    """

    files: EmulatorFiles
    profile: Profile
    telling_us: int


def make(build: Path, *targets: str, folder: Path = FIRMWARE) -> str:
    """Run the firmware's make with its results in ``build``; return what it said. ``folder`` has its sources."""
    command = ["make", "-s", "-C", str(folder), f"BUILD={build}", *targets]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fields_of(build: Path, board: str) -> EmulatorFiles:
    """Return the firmware of a board of linear hall sensors, on the RP2040, built once."""
    make(build, "firmware", f"BOARD={board}")
    return built(build, board, rp2040=True)


def wiring_of(profile: Profile) -> Wiring:
    """Return what `controller.from_profile.wiring` does, reckoned anew."""
    sites = {site.bit: site.name for site in profile.sites}
    south = {site.bit + profile.chain_length: f"-{site.name}" for site in profile.sites} if profile.poles else {}
    return Wiring(profile.name, table_hash(profile), sites | south)


class Rig:
    """The emulated board and the host's side of the link, in simulated time, with the line between them in hand."""

    def __init__(self, emulator: Emulator, wiring: Wiring, debounce: Debounce | None = None) -> None:
        self.emulator = emulator
        self.talk = Conversation(wiring, debounce or Debounce(), "the emulator")
        self.heard = BoardListener()
        self.events = self.heard.events
        self.to_host: Callable[[bytes], bytes] = bytes  # tests put faults here
        self.to_board: Callable[[bytes], bytes] = bytes
        self.heard_fields: Callable[[dict[str, SensorField]], object] | None = None  # each part that is told
        self._pass_on(self.talk.opened(emulator.now_us))

    def run(self, ms: float, step_us: int = 500) -> list[Event]:
        """Let time pass; return what happened in it, by the host's view."""
        before = len(self.events)
        for _ in range(round(ms * 1000 / step_us)):
            data = self.to_host(self.emulator.run(step_us))
            if data:
                self._pass_on(self.talk.received(self.emulator.now_us, data))
            self._pass_on(self.talk.tick(self.emulator.now_us))
        return self.events[before:]

    def until(self, kind: type[Link] | type[Snapshot] | type[Touch], at_most_ms: int = 3000) -> None:
        for _ in range(at_most_ms):
            if any(isinstance(event, kind) for event in self.run(1)):
                return
        raise AssertionError(f"no {kind.__name__} in {at_most_ms} ms")

    def touches(self) -> list[tuple[str, bool]]:
        return self.heard.touches()

    def occupied(self) -> set[str]:
        """What the host believes to be occupied."""
        return set(self.heard.believed)

    def rest_at(self, rests_mt: dict[str, float]) -> None:
        """Have the host tell the board where its sensors rest."""
        self._pass_on(self.talk.rest_at(rests_mt))

    def ask_fields(self) -> None:
        """Have the host ask the board for its fields."""
        self._pass_on(self.talk.ask_fields())

    def _pass_on(self, outcome: Outcome) -> None:
        for event in outcome.events:
            self.heard(event)
        if outcome.fields and self.heard_fields is not None:
            self.heard_fields(dict(outcome.fields))
        self.emulator.send(self.to_board(outcome.send))
