"""A sensor board that is unavailable on this machine: it says why, and the panel plays without it."""

from __future__ import annotations

from controller.devices.interfaces import Clock, Emit
from controller.events import Link


class AbsentBoard:
    """A `controller.devices.interfaces.SensorBoard` that never answers."""

    def __init__(self, clock: Clock, sentence: str) -> None:
        self._clock = clock
        self._sentence = sentence

    def start(self, emit: Emit) -> None:
        """Say what is wrong."""
        emit(Link(self._clock(), up=False, sentence=self._sentence))

    def stop(self) -> None:
        """There is nothing to stop."""
