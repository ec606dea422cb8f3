"""A chain of 74HC165 behind the interface of ``RPi.GPIO``, edge by edge as the data sheet has it.

Latch low: every register takes in its inputs, whatever the clock does. Latch high: a rising clock shifts each
register by one, D7 first, and takes in what the next register shows, the last one what lies on its serial input.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence


class ChainOf165:
    """Also the far end: `set_sensor` pulls a site's input to ground. ``where`` has (register, input) by site."""

    BCM, IN, OUT, PUD_UP = 11, 1, 0, 22

    def __init__(self, where: Mapping[str, tuple[int, int]], registers: int) -> None:
        self.where = dict(where)
        self.inputs = [[1] * 8 for _ in range(registers)]
        self.held = [[1] * 8 for _ in range(registers)]
        self.data, self.clock, self.latch = 23, 24, 25
        self.level = {self.clock: 0, self.latch: 1}
        self.mode: int | None = None
        self.direction: dict[int, int] = {}
        self.fell_ns, self.latch_ns = 0, [1 << 30]  # for how long the latch was low, each time
        self.serial_in = 0  # of the last register
        self.data_wire: int | None = None  # a level that the data wire is stuck at
        self.power = True
        self.broken: Exception | None = None  # what the pins themselves complain of

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        register, data_input = self.where[site]
        self.inputs[register][data_input] = 0 if on else 1

    def setmode(self, mode: int) -> None:
        assert mode == self.BCM
        self.mode = mode

    def setup(self, channel: int, direction: int, *, pull_up_down: int = 20, initial: int = -1) -> None:
        if self.broken:
            raise self.broken
        assert self.mode is not None
        assert direction == self.OUT or pull_up_down == self.PUD_UP
        self.direction[channel] = direction
        if initial >= 0:
            self.level[channel] = initial

    def output(self, channel: int, level: int) -> None:
        if self.broken:
            raise self.broken
        assert self.direction[channel] == self.OUT
        rising = level and not self.level[channel]
        if channel == self.latch:
            if rising:
                assert self.level[self.clock], "CP must be high before PL rises: Nexperia 74HC165"
                self.latch_ns.append(time.perf_counter_ns() - self.fell_ns)
            self.fell_ns = time.perf_counter_ns()
        self.level[channel] = level
        if not self.level[self.latch]:
            self.held = [list(levels) for levels in self.inputs]
        elif channel == self.clock and rising:
            arriving = [register[7] for register in self.held[1:]] + [self.serial_in]
            self.held = [[level, *register[:7]] for level, register in zip(arriving, self.held, strict=True)]

    def input(self, channel: int) -> int:
        assert channel == self.data
        assert self.direction[channel] == self.IN
        if not self.power:
            return 1  # nobody drives the wire, the pull-up does
        return self.held[0][7] if self.data_wire is None else self.data_wire

    def cleanup(self, channels: Sequence[int]) -> None:
        for channel in channels:
            del self.direction[channel]
