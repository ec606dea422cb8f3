"""The boards that the contract suite holds to the port: each with its far end, and with time at hand.

To add a board, write a rig and name it in `RIGS`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from controller.devices.interfaces import SensorBoard, SensorSwitch
from controller.devices.sensors.gpio_board import GpioBoard
from controller.devices.sensors.simulated_board import SimulatedBoard
from tests.devices.chain_of_165 import ChainOf165
from tests.waiting import HandClock

SITES = ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3")


class Rig(Protocol):
    """A board over `SITES`, not started yet, and what is needed to try it."""

    @property
    def board(self) -> SensorBoard: ...

    @property
    def switch(self) -> SensorSwitch: ...

    def settle(self) -> None:
        """Let time go on until the board has told everything that was done so far."""

    def cut(self) -> None:
        """Cut the board off."""

    def mend(self) -> None:
        """Join it again."""

    def close(self) -> None:
        """Stop everything that runs."""


class SimulatedRig:
    def __init__(self) -> None:
        self.clock = HandClock()
        self.board = self.switch = SimulatedBoard(SITES, self.clock)

    def settle(self) -> None:
        self.clock.now_us += 50_000

    def cut(self) -> None:
        self.board.unplug()

    def mend(self) -> None:
        self.board.replug()

    def close(self) -> None:
        self.board.stop()


class Beat(threading.Event):
    """Stands for the board's halt: its waits take virtual time, and end only as often as the test lets them."""

    def __init__(self, clock: HandClock) -> None:
        super().__init__()
        self.clock = clock
        self._turn = threading.Condition()
        self._granted = 0
        self._waiting = False

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        with self._turn:
            self._waiting = True
            self._turn.notify_all()
            self._turn.wait_for(lambda: self._granted or self.is_set())
            self._waiting = False
            if not self.is_set():
                self._granted -= 1
                self.clock.now_us += round(timeout * 1e6)
            return self.is_set()

    def set(self) -> None:
        super().set()
        with self._turn:
            self._turn.notify_all()

    def grant(self, scans: int) -> None:
        """Let the board scan so many times more."""
        with self._turn:
            self._granted += scans
            self._turn.notify_all()

    def run(self, scans: int) -> None:
        """Let the board scan so many times more; returns when it waits again, at once where it was stopped."""
        with self._turn:
            self.grant(scans)
            if self.is_set():
                return
            assert self._turn.wait_for(lambda: self._waiting and not self._granted, timeout=10)


class GpioRig:
    def __init__(self) -> None:
        self.clock = HandClock()
        self.beat = Beat(self.clock)
        bits = [*SITES[:5], None, *SITES[5:], *[None] * 6]
        where = {site: (bit // 8, 7 - bit % 8) for bit, site in enumerate(bits) if site}
        self.switch = ChainOf165(where, registers=2)
        self.board = GpioBoard(self.switch, bits, self.clock, scan_hz=500, halt=self.beat)

    def settle(self) -> None:
        self.beat.run(12)

    def cut(self) -> None:
        self.switch.power = False

    def mend(self) -> None:
        self.switch.power = True

    def close(self) -> None:
        self.board.stop()


RIGS: dict[str, Callable[[], Rig]] = {"simulated": SimulatedRig, "gpio": GpioRig}
