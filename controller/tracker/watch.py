"""The tracker beside a running service: readings in, a judgement out whenever it changes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from controller.devices.interfaces import Clock
from controller.devices.link.messages import Reading
from controller.fault_report import place
from controller.sentences import say
from controller.table.state import Table
from controller.tracker import judgement as tracker
from controller.tracker.judgement import Judgement
from hardware.tracker_circuit import TrackerCircuit

log = logging.getLogger(__name__)

LOOK_S = tracker.EVERY_MS / 1000


class TrackerWatch:
    """Hand it readings by `take`, from any thread; it gives ``report`` each judgement that differs from the last."""

    def __init__(
        self, circuit: TrackerCircuit, look: Callable[[], Table], report: Callable[[Judgement], None], clock: Clock
    ) -> None:
        self._tracker = tracker.begin(circuit, clock())
        self._look = look
        self._report = report
        self._clock = clock
        self._readings: SimpleQueue[Reading] = SimpleQueue()
        self._said = Judgement()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tracker", daemon=True)

    def take(self, reading: Reading) -> None:
        """Take a reading; returns at once."""
        self._readings.put(reading)

    def start(self) -> None:
        """Begin to judge, twice a second."""
        self._thread.start()

    def stop(self) -> None:
        """Judge no more."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Judge what was read since the last look; what `start` does again and again."""
        table, now_us = self._look(), self._clock()
        if table.link:  # without the sensor board nothing can be read, and the panel says that already
            self._tracker = tracker.begin(self._tracker.circuit, now_us)
        try:
            while True:
                self._tracker = tracker.take(self._tracker, self._readings.get_nowait(), now_us)
        except Empty:
            pass
        judgement = Judgement() if table.link else tracker.judge(self._tracker, tracker.rules_on(table), now_us)
        if judgement != self._said:
            self._said = judgement
            self._report(judgement)

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_S):
            try:
                self.look()
            except Exception as error:  # whatever the rules raise: the costs are then computed
                if not self._said.sentence:
                    log.exception("the tracker's readings cannot be judged")
                self._said = Judgement(say("The tracker's readings cannot be checked ({error}).", error=place(error)))
                self._report(self._said)
