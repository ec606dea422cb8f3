"""A broker of the relay's own: mosquitto, which begins and ends with it.

Owns what mosquitto is told, and that nothing of it is left when the relay is gone, however it went.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import msgspec

from controller.app.addresses import EVERY, Address, address
from controller.app.run import CannotServe
from controller.broker import Broker

log = logging.getLogger(__name__)

PORT, SECURE_PORT = 1884, 8883  # at 1883 Debian starts a mosquitto of its own, which serves only its machine
PLACES = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")  # which are not on everybody's path
ACCOUNTS = ("mosquitto", "nobody")  # as one of whom it runs, where the relay is root
START_S, END_S, LOOK_S = 10.0, 5.0, 0.02
LONGEST = 2000  # letters of a line that it says
TIME = re.compile(r"^\d+: ")  # in seconds, before it knows that nobody wants it
CONNECT, WELCOME = b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x05\x00\x00", b"\x20\x02\x00\x00"  # as MQTT 3.1.1 has them
DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux
CONFIGURATION = "mosquitto.conf"
TOPICS = "topic readwrite bb/+/up\ntopic readwrite bb/+/down\n"
# Nothing is kept for anybody who is gone, and what waits for one who reads slowly is bounded.
RULES = """\
allow_anonymous true
persistence false
persistent_client_expiration 1h
retain_available false
max_packet_size 8500000
max_queued_messages 100
max_queued_bytes 8000000
memory_limit 256000000
sys_interval 0
connection_messages false
log_dest stderr
log_timestamp false
log_type error
log_type warning
"""
MOST_CONNECTIONS = 500  # from outside; the relay has a way of its own


class BrokerPlace(msgspec.Struct, frozen=True):
    """Where the broker listens for boards: on ``host`` and ``port``, with the files of a certificate by TLS."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None

    @property
    def secure(self) -> bool:
        """Whether it speaks TLS."""
        return self.certificate is not None


class BrokerLog:
    """What ``process`` says, handed on to this program's log, which strangers at the broker cannot fill."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._first, self._process = "", process
        self._thread = threading.Thread(target=self._run, name="log of the broker", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as lines:
            while line := lines.readline(LONGEST):
                told = TIME.sub("", line.decode(errors="replace").strip())
                self._first = self._first or told
                log.warning("the broker says: %s", told)

    def why(self) -> str:
        """Return why it has ended, in its own words."""
        self._thread.join(END_S)
        return self._first or f"status {self._process.returncode}"


def is_own(broker: Broker, place: BrokerPlace) -> bool:
    """Whether ``broker``, as a board on this machine has it in its settings, is the one that is to run at ``place``.

    Another one that runs there already is not.
    """
    if (broker.port, broker.tls) != (place.port, place.secure):
        return False
    try:
        _listener(broker.host, broker.port).close()
    except OSError:  # it is another machine's, or somebody listens
        return False
    return True


def board_lines(place: BrokerPlace, relay: Address, name: str | None) -> list[str]:
    """Return what to say of the settings of a board that uses the broker at ``place`` and the page at ``relay``.

    ``name`` is that of this machine, where it is not found by its address.
    """
    page, page_port = _outside(relay)
    host, _ = _outside(address(place.host, place.port))
    if place.secure:
        name = name or socket.getfqdn()
    behind_proxy = place.secure and not relay.shared
    lines = [
        "A board needs these two lines, in its settings or on its page Another board:",
        f'  afar_broker = "mqtt{"s" if place.secure else ""}://{name or host}:{place.port}"',
        f'  afar_relay = "{f"https://{name}" if behind_proxy else f"http://{name or page}:{page_port}"}"',
    ]
    if behind_proxy:
        lines.append(f"A web server with the certificate has to hand on what comes to https://{name}.")
    elif not relay.shared:
        lines.append("Only this computer can reach them: with --host 0.0.0.0 its network can, too.")
    return lines


def _outside(found: Address) -> tuple[str, str]:
    """Return host and port by which others reach what is ``found`` there, if they can."""
    host, _, port = urlsplit((*found.shared, found.here)[0]).netloc.rpartition(":")
    return host, port


class OwnBroker:
    """A mosquitto that runs for ``place``; ``inner`` is where the relay itself finds it."""

    def __init__(self, place: BrokerPlace, inner: Broker, process: subprocess.Popen[bytes]) -> None:
        self.place, self.inner, self._process = place, inner, process
        self._renewed = _changed(place)

    def why_again(self) -> str:
        """Return why relay and broker have to be started again, "" while they need not."""
        status = self._process.poll()
        if status is not None:
            return f"the broker has ended by itself (status {status}): starting again"
        if _changed(self.place) not in (0, self._renewed):
            return "the broker's certificate was renewed: starting again"
        return ""


@contextmanager
def own_broker(place: BrokerPlace) -> Iterator[OwnBroker]:
    """Run a broker that serves the topics of boards and phones and nothing else; raises `CannotServe`.

    On Linux it ends even where this process is killed. It has to be started by the main thread.
    """
    program = shutil.which("mosquitto", path=os.pathsep.join((os.environ.get("PATH", ""), *PLACES)))
    if program is None:
        raise CannotServe(
            "no broker is named, and mosquitto is not installed: sudo apt install mosquitto, or name one by --broker"
        )
    _check_free(place)
    inner = Broker("127.0.0.1", _free_port())
    with tempfile.TemporaryDirectory(prefix="beaconboard-broker-") as folder:
        _configure(place, inner.port, Path(folder))
        process = _started(program, Path(folder))
        said = BrokerLog(process)
        try:
            _await(inner.port, process, said)
        except BaseException:
            _end(process)
            raise
    try:  # it has read all files, so that no copy of a key is left behind, whatever happens
        yield OwnBroker(place, inner, process)
    finally:
        _end(process)


def _configure(place: BrokerPlace, inner: int, folder: Path) -> None:
    """Write into ``folder`` what mosquitto is to know; raises `CannotServe`."""
    lines = ["acl_file topics", f"listener {place.port}{'' if place.host in EVERY else f' {place.host}'}"]
    lines.append(f"max_connections {MOST_CONNECTIONS}")
    files = {"topics": TOPICS.encode()}
    for name, kind, file in (("certificate", "certfile", place.certificate), ("key", "keyfile", place.key)):
        if file is not None:
            files[name] = _content(file)
            lines.append(f"{kind} {name}")
    lines.append(f"listener {inner} 127.0.0.1")  # the last: once it answers, all of it does
    files[CONFIGURATION] = (RULES + "\n".join(lines) + "\n").encode()
    for name, content in files.items():
        with open(os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as written:
            written.write(content)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise CannotServe(f"the broker's certificate cannot be read: {file}: {error.strerror}") from error


def _check_free(place: BrokerPlace) -> None:
    """Raise `CannotServe` where nobody could listen at ``place``."""
    try:
        _listener(place.host, place.port).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(
                f"port {place.port} is taken already: choose another --broker-port, or name the broker that is there "
                "by --broker"
            ) from error
        raise CannotServe(
            f"the broker cannot listen on {place.host}:{place.port} ({error}): choose another --host or --broker-port"
        ) from error


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server(("" if host in EVERY else host, port), family=family)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _started(program: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start mosquitto in ``folder``, where this is root as somebody who may do nothing else; raises `CannotServe`."""
    account = _account() if os.geteuid() == 0 else None
    try:
        if account is not None:
            for each in (folder, *folder.iterdir()):
                os.chown(each, account.pw_uid, account.pw_gid)
        # In a session of its own, an interrupt at the console is left to the relay. Its files are found from within the
        # folder, whoever may see what lies around that.
        return subprocess.Popen(
            [program, "-c", CONFIGURATION], cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
            start_new_session=True, preexec_fn=_bound_to(os.getpid()), user=account and account.pw_uid,
            group=account and account.pw_gid, extra_groups=account and [],
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        raise CannotServe(f"the broker cannot be started ({error}): name another one by --broker") from error


def _account() -> pwd.struct_passwd | None:
    for name in ACCOUNTS:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    return None


def _bound_to(parent: int) -> Callable[[], None] | None:
    """Return what a new process does so that it ends with ``parent``; None where the system knows no such thing.

    It comes after the change of account, which would undo it.
    """
    if sys.platform != "linux":
        return None
    control = ctypes.CDLL(None).prctl

    def bind() -> None:
        control(DIES_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it was gone before
            os._exit(1)

    return bind


def _await(port: int, process: subprocess.Popen[bytes], said: BrokerLog) -> None:
    """Return once the broker lets clients in; raises `CannotServe`."""
    until_s = monotonic() + START_S
    while monotonic() < until_s:
        if process.poll() is not None:
            raise CannotServe(f"the broker cannot begin ({said.why()}): mend that, or name another one by --broker")
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as line:
            line.sendall(CONNECT)
            if line.recv(len(WELCOME)) == WELCOME:
                return
        sleep(LOOK_S)
    raise CannotServe(f"the broker does not answer within {START_S:.0f} seconds: name another one by --broker")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _changed(place: BrokerPlace) -> int:
    """Return when the certificate was written; 0 where there is none, or it is just being replaced."""
    try:
        return place.certificate.stat().st_mtime_ns if place.certificate else 0
    except OSError:
        return 0
