"""The sensor board on a serial port, real or emulated.

What the bytes mean is `serial_protocol`'s.
"""

from __future__ import annotations

import logging
import re
import termios
import threading
from collections.abc import Callable, Mapping
from errno import EACCES, ENOENT, EWOULDBLOCK
from pathlib import Path
from queue import Empty, SimpleQueue

import serial
from serial.tools.list_ports_linux import SysFS

from controller.devices.interfaces import Clock, Emit
from controller.devices.link.conversation import Conversation, Debounce, Outcome
from controller.devices.link.greeting import Fit, LinkCounts, Wiring, fit, introduction
from controller.devices.link.messages import Reading, Status, TakeFields, WatchRound, WatchTiles
from controller.first_in_line import go_first
from controller.sentences import say

log = logging.getLogger(__name__)

BAUD = 500_000
TICK_S = 0.1  # the longest that a read blocks
RETRY_S = 1.0
AUTO = "auto"  # the only port of USB that there is
SERIAL_NUMBER = re.compile("[0-9A-Za-z]{1,32}")  # of those that may be part of a file's name

RestsOf = Callable[[str], Mapping[str, float]]  # where the sensors rest of the board with that serial number, by site


class SerialBoard:
    """A `controller.devices.interfaces.SensorBoard`: firmware of this project behind ``port``.

    Opens the port again each second while it is gone, so unplugging and replugging need nobody.
    """

    def __init__(
        self, port: str, wiring: Wiring, clock: Clock, debounce: Debounce | None = None, *, even_torn: bool = False
    ) -> None:
        """Touch nothing yet. ``clock`` is the service's, in microseconds; ``even_torn`` as of `Conversation`."""
        self._port = port
        self._clock = clock
        self._wiring = wiring
        self._conversation = Conversation(wiring, debounce or Debounce(), port, even_torn=even_torn)
        self._wishes: SimpleQueue[Debounce] = SimpleQueue()
        self._number = ""
        self._lock = threading.Lock()  # around the next six, which other threads use
        self._colours: bytes | None = None  # that the pixels should get; the newest count
        self._rests_of: RestsOf = lambda number: {}
        self._rests_due = False  # the board is to be told them
        self._fields_wanted = False
        self._take_fields: TakeFields | None = None
        self._open: serial.Serial | None = None
        self._take: Callable[[Reading], None] | None = None
        self._ails: Callable[[str], None] | None = None
        self._supplied: Callable[[bool], None] | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, emit: Emit) -> None:
        """Begin to read, in a thread of its own; every fault becomes a `Link` down with a sentence."""
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, args=(emit,), name="sensor-board", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop reading and let go of the port. May be called twice, but not from what `start` was given."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def set_debounce(self, debounce: Debounce) -> None:
        """Use another debounce from now on, also after a restart of the board."""
        self._wishes.put(debounce)

    def has_pixels(self) -> bool | None:
        """Return whether the board has pixels, None while it has not said so yet."""
        return self._conversation.has_pixels

    def shine(self, colours: bytes) -> None:
        """Show red, green and blue of each of the board's pixels, at once or as soon as it is there. Any thread may."""
        with self._lock:
            self._colours = colours
            if self._open is not None:
                self._open.cancel_read()

    def has_fields(self) -> bool | None:
        """Return whether the board has linear sensors and tells what they read, None while it has not said so yet."""
        return self._conversation.has_fields

    def ask_fields(self, take: TakeFields) -> None:
        """Have the board tell ``take`` once what its linear sensors read, part by part, in the board's thread.

        Nothing comes where it has none or the link is down. Any thread may ask; the last ``take`` counts.
        """
        with self._lock:
            self._take_fields, self._fields_wanted = take, True
            if self._open is not None:
                self._open.cancel_read()

    def has_rests(self) -> bool | None:
        """Return whether the board can be told where its sensors rest, None while it has not said so yet."""
        return self._conversation.has_rests

    def rest_at(self, rests_of: RestsOf) -> None:
        """Tell whichever board is plugged in where its linear sensors rest, from now on at each of its starts.

        Any thread may. ``rests_of`` is called in the board's thread.
        """
        with self._lock:
            self._rests_of, self._rests_due = rests_of, True
            if self._open is not None:
                self._open.cancel_read()

    def serial_number(self) -> str:
        """Return the number by which USB tells the board that was plugged in last from others; "" where it has none."""
        return self._number

    def track(self, watch: WatchTiles | WatchRound, take: Callable[[Reading], None]) -> None:
        """Have the tracker read and hand each reading to ``take``, in the board's thread. Call it before `start`."""
        self._take = take
        self._conversation.track(watch)

    def on_trouble(self, ails: Callable[[str], None]) -> None:
        """Hand what ails the link while it is up to ``ails``, "" when that is over. Call it before `start`."""
        self._ails = ails

    def on_supply(self, supplied: Callable[[bool], None]) -> None:
        """Tell ``supplied``, in the board's thread, whenever what its supply offers changes: whether 1.5 A or more.

        Before that it does not. Call it before `start`.
        """
        self._supplied = supplied

    def counts(self) -> LinkCounts:
        """Return what went wrong on the link so far."""
        return self._conversation.counts

    def status(self) -> Status | None:
        """Return the board's last heartbeat, if there was one."""
        return self._conversation.status

    def firmware(self) -> Fit:
        """Return whether the board's firmware fits, by what it said since its port was opened."""
        return fit(self._conversation.hello, self._wiring)

    def introduction(self) -> str:
        """Return in a sentence which board this is and which firmware it has, "" while it has not answered."""
        hello = self._conversation.hello
        return introduction(hello, self._number) if hello else ""

    # ---- the thread

    def _run(self, emit: Emit) -> None:
        go_first()
        while not self._stopping.is_set():
            try:
                path = port_of(self._port)
                with serial.Serial(path, BAUD, timeout=TICK_S, write_timeout=1.0, exclusive=True) as port:
                    self._is_of(serial_number_of(path))
                    self._talk(port, emit)
            except (OSError, termios.error) as error:  # pyserial's own errors are OSErrors
                self._emit(emit, self._conversation.closed(self._clock(), _gone(self._port, error)))
                self._stopping.wait(RETRY_S)
            except Exception as error:  # whatever a driver or a frame brings about: the board is asked again
                log.exception("the link to the sensor board failed")
                told = say("The connection to the sensor board failed ({error}): reconnecting.", error=str(error))
                self._emit(emit, self._conversation.closed(self._clock(), told))
                self._stopping.wait(RETRY_S)

    def _talk(self, port: serial.Serial, emit: Emit) -> None:
        self._has_open(port)
        try:
            self._converse(port, emit)
        finally:
            self._has_open(None)

    def _is_of(self, number: str) -> None:
        """Another board may be plugged in than the one before: it gets its own rests, or none."""
        with self._lock:
            self._number, self._rests_due = number, True

    def _has_open(self, port: serial.Serial | None) -> None:
        with self._lock:
            self._open = port

    def _converse(self, port: serial.Serial, emit: Emit) -> None:
        self._follow(port, emit, self._conversation.opened(self._clock()))
        self._fulfil(port, emit)  # what is known by now goes with the greeting
        while not self._stopping.is_set():
            data = port.read(1)  # wakes with the first byte, then takes what else is there
            if data:
                data += port.read(port.in_waiting)
                self._follow(port, emit, self._conversation.received(self._clock(), data))
            self._follow(port, emit, self._conversation.tick(self._clock()))
            self._fulfil(port, emit)

    def _fulfil(self, port: serial.Serial, emit: Emit) -> None:
        with self._lock:
            colours, self._colours = self._colours, None
            rests_of = self._rests_of if self._rests_due else None
            self._rests_due = False
            fields_wanted, self._fields_wanted = self._fields_wanted, False
        if colours is not None:
            self._follow(port, emit, self._conversation.shine(colours))
        if rests_of is not None:
            self._follow(port, emit, self._conversation.rest_at(rests_of(self._number)))
        if fields_wanted:
            self._follow(port, emit, self._conversation.ask_fields())
        try:
            wish = self._wishes.get_nowait()
        except Empty:
            return
        self._follow(port, emit, self._conversation.set_debounce(wish))

    def _follow(self, port: serial.Serial, emit: Emit, outcome: Outcome) -> None:
        self._emit(emit, outcome)
        if outcome.send:
            port.write(outcome.send)

    def _emit(self, emit: Emit, outcome: Outcome) -> None:
        for event in outcome.events:
            emit(event)
        for reading in outcome.readings:
            if self._take is not None:
                self._take(reading)
        if outcome.fields and self._take_fields is not None:
            self._take_fields(outcome.fields)
        if outcome.trouble is not None and self._ails is not None:
            self._ails(outcome.trouble)
        if outcome.strong is not None and self._supplied is not None:
            self._supplied(outcome.strong)


def port_of(port: str, dev: Path = Path("/dev")) -> str:
    """Return the port to open: that one, or with `AUTO` the only one that there is. Raises OSError."""
    if port != AUTO:
        return port
    there = ports(dev)
    if len(there) == 1:
        return there[0]
    raise FileNotFoundError(ENOENT, "no sensor board is plugged in" if not there else "which one is not clear")


def serial_number_of(port: str) -> str:
    """Return the serial number of the device of USB behind ``port``, "" where it has none or is none of USB."""
    number = SysFS(port).serial_number or ""
    return number if SERIAL_NUMBER.fullmatch(number) else ""


def _gone(port: str, error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == EACCES:
        return say(
            "This user may not open the sensor board's port {port}: add the user to the group dialout.",
            port=port,
        )
    if isinstance(error, OSError) and error.errno == EWOULDBLOCK:
        return say("The sensor board's port {port} is in use by another program: stop that program.", port=port)
    there = ports()
    if port == AUTO and not there:
        return say("No sensor board is plugged in: connect it to a USB port of the Pi.")
    if port == AUTO and len(there) > 1:
        told = ", ".join(there)
        return say(
            "Several devices are at the USB ports ({found}): name one in the settings as serial_port.", found=told
        )
    if not there:
        return say("There is no sensor board at {port}, and no serial port at all: plug it in.", port=port)
    found = ", ".join(there)
    return say(
        "There is no sensor board at {port}: plug it in, or set the port to one of {found}.", port=port, found=found
    )


def ports(dev: Path = Path("/dev")) -> list[str]:
    """Return the serial ports of USB that are there, by the names that stay the same where the system has those."""
    by_id = sorted(dev.glob("serial/by-id/*"))
    real = {path.resolve() for path in by_id}
    plain = [path for kind in ("ttyUSB*", "ttyACM*") for path in sorted(dev.glob(kind)) if path.resolve() not in real]
    return [str(path) for path in (*by_id, *plain)]
