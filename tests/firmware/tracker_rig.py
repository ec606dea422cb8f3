"""An emulated board with its tracker in lock-step: shells set by number, pairs and rounds read at once."""

from __future__ import annotations

from collections.abc import Mapping

from controller.devices.link import framing
from controller.devices.link.messages import Message, Reading, Status, WatchRound, WatchTiles, decode, encode
from controller.devices.sensors.emulated_board import Emulator
from controller.rules.shells import adjacencies, cost_map, ring_of
from controller.tracker.judgement import Ruled
from hardware.profile import Profile
from hardware.tracker_circuit import TrackerCircuit, circuit_of


def circuit(profile: Profile) -> TrackerCircuit:
    return circuit_of(profile.cells, {site.name: site.bit for site in profile.sites})


def ruled(profile: Profile, shells: Mapping[str, int]) -> Ruled:
    """Return what the rules core makes of ``shells``."""
    mesh = profile.cells
    between = adjacencies(mesh, "reflect")
    found = cost_map(between, [shells[tile] for tile in mesh.cells], ring_of(mesh), "reflect")
    pairs = zip(between, found, strict=True)
    return Ruled(shells, {(mesh.cells[a], mesh.cells[b]): price for (a, b, _, _), price in pairs})


class TrackerRig:
    def __init__(self, emulator: Emulator, profile: Profile) -> None:
        self.emulator = emulator
        self.profile = profile
        self.circuit = circuit(profile)
        self.shells: dict[str, int] = dict.fromkeys(self.circuit.registers, 0)
        self._buffer = b""
        self._seq = 0
        self.run(20)

    def set_shells(self, shells: Mapping[str, int]) -> None:
        for tile, shell in shells.items():
            for node in range(self.circuit.nodes):
                if (shell ^ self.shells[tile]) >> node & 1:
                    self.emulator.set_sensor(f"{tile}:{node}", bool(shell >> node & 1))
            self.shells[tile] = shell

    def run(self, ms: float) -> list[Message]:
        self._buffer, frames, faults = framing.feed(self._buffer, self.emulator.run(round(ms * 1000)))
        assert not faults
        return [decode(frame) for frame in frames]

    def tell(self, message: Message) -> None:
        self._seq = (self._seq + 1) % 256
        self.emulator.send(framing.pack(encode(message, self._seq)))

    def pair(self, tile_a: str, tile_b: str) -> Reading:
        registers = self.circuit.registers
        self.tell(WatchTiles(registers[tile_a], registers[tile_b], 0))
        (reading,) = self.first(1, step_ms=1)
        return reading

    def round(self) -> list[Reading]:
        self.tell(WatchRound(0))
        return self.first(len(self.circuit.seams), step_ms=10)

    def first(self, count: int, step_ms: float, at_most_ms: float = 200) -> list[Reading]:
        found: list[Reading] = []
        end_us = self.emulator.now_us + at_most_ms * 1000
        while len(found) < count:
            assert self.emulator.now_us < end_us, f"{len(found)} of {count} readings"
            found += self.readings(step_ms)
        return found

    def readings(self, ms: float) -> list[Reading]:
        return [message for message in self.run(ms) if isinstance(message, Reading)]

    def status(self, ms: float = 2300) -> Status:
        """Return the last heartbeat of so long a time, which is of whole seconds."""
        return [message for message in self.run(ms) if isinstance(message, Status)][-1]
