"""Where games are played: in this process, on the cores of this machine, or on a Dask scheduler and its workers.

Owns what Dask is asked for, and nothing that Dask does: queues, retries and workers are its own.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import msgspec

from controller.lab.files import CasePart
from controller.lab.plan import Plan
from controller.lab.playing import played
from controller.lab.refused import LabRefused
from controller.lab.store import code, packed
from controller.typed import ready

KEPT_BUSY = 2  # parts on their way for each worker, so that none waits for the next one
DEATHS = 5  # how often Dask may give a part up, each time after some workers died, before it is the part's own fault
WAITS_S = 10  # for a scheduler to answer


class PlayedPart(msgspec.Struct, frozen=True):
    """A part as a worker returns it: the content of its two files, and how long its games took."""

    part: CasePart
    games: bytes
    plies: bytes
    seconds: float


class Pool(Protocol):
    """Plays parts on so many ``workers``."""

    @property
    def workers(self) -> int:
        """How many there are now, at least 1."""

    def results(self, take: Callable[[], CasePart | None]) -> Iterator[PlayedPart]:
        """Yield parts as they end, and ``take`` the next ones as long as there are any."""


def play_part(plan: bytes, part: CasePart) -> PlayedPart:
    """Play a part of the plan that is given as JSON: what a worker does."""
    read = msgspec.json.decode(plan, type=ready(Plan))
    case = read.cases()[part.case]
    began = time.perf_counter()
    rows = played(read.game, case, read.seed, read.most_plies, range(part.first, part.last + 1))
    return PlayedPart(part, *packed(case, rows), time.perf_counter() - began)


Work = Callable[[bytes, CasePart], PlayedPart]


class OwnProcess:
    """Plays everything here, one part after the other."""

    workers = 1

    def __init__(self, plan: Plan) -> None:
        self._plan = msgspec.json.encode(plan)

    def results(self, take: Callable[[], CasePart | None]) -> Iterator[PlayedPart]:
        """Yield parts as they end."""
        while (part := take()) is not None:
            yield play_part(self._plan, part)


class DaskPool:
    """Plays on whatever workers a Dask scheduler has, now and later."""

    def __init__(self, plan: Plan, client: Any, work: Work = play_part) -> None:
        """``work`` is what is asked of a worker; a measurement gives one that takes no time."""
        self._plan, self._client, self._work = msgspec.json.encode(plan), client, work

    @property
    def workers(self) -> int:
        """The threads of all workers that are there now, at least 1."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def results(self, take: Callable[[], CasePart | None]) -> Iterator[PlayedPart]:
        """Yield parts as they end; raises `LabRefused` where the scheduler is gone."""
        from distributed import CancelledError, as_completed
        from distributed.scheduler import KilledWorker

        waiting = as_completed([], loop=self._client.loop)
        out: dict[Any, tuple[CasePart, int]] = {}

        def submit(part: CasePart, deaths: int) -> None:
            future = self._client.submit(self._work, self._plan, part, pure=False)
            out[future] = part, deaths
            waiting.add(future)

        def fill() -> None:
            while len(out) < KEPT_BUSY * self.workers and (part := take()) is not None:
                submit(part, 0)

        fill()
        while out:
            future = next(waiting)
            part, deaths = out.pop(future)
            try:
                done = future.result()
            except KilledWorker as killed:
                if deaths == DEATHS:
                    raise LabRefused(
                        f"workers die whenever they play games {part.first} to {part.last} of case {part.case}: "
                        "is there too little memory?"
                    ) from killed
                submit(part, deaths + 1)
                continue
            except (CancelledError, OSError) as gone:
                raise LabRefused(
                    "the scheduler is gone: what was played is kept; start it again, and give the same command to go on"
                ) from gone
            yield done
            fill()


@contextmanager
def pool(plan: Plan, workers: int, scheduler: str = "", certificates: Path | None = None) -> Iterator[Pool]:
    """Open where games are played: at ``scheduler`` if there is one, else on so many processes, 0: in this one."""
    if not scheduler and not workers:
        yield OwnProcess(plan)
        return
    with _cluster(workers) if not scheduler else _client(scheduler, certificates) as client:
        _same_code(client)
        yield DaskPool(plan, client)


@contextmanager
def _cluster(workers: int) -> Iterator[Any]:
    """Start processes on this machine, reachable from nowhere else; one that dies is replaced."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs="CRITICAL",
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextmanager
def _client(scheduler: str, certificates: Path | None) -> Iterator[Any]:
    """Connect to a scheduler; raises `LabRefused` where none answers, or it would run what anybody sends."""
    from distributed import Client, Security

    address = urlsplit(scheduler)
    if address.scheme not in ("tcp", "tls") or not address.hostname:
        raise LabRefused(f"'{scheduler}' is no address of a scheduler: write tls://name:8786, or tcp://127.0.0.1:8786")
    security = None
    if address.scheme == "tls":
        if certificates is None:
            raise LabRefused(
                f"{scheduler} wants certificates: give --certificates FOLDER, made by 'beaconboard lab "
                "certificates FOLDER'"
            )
        security = Security(require_encryption=True, **files_of(certificates))
    elif not is_loopback(address.hostname):
        raise LabRefused(
            f"{scheduler} would run whatever anybody in that network sends it: use tls:// with "
            "'beaconboard lab certificates'"
        )
    try:
        client = Client(scheduler, security=security, timeout=WAITS_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as wrong:
        raise LabRefused(
            f"no scheduler answers at {scheduler} ({str(wrong).splitlines()[0][:120]}): is it running?"
        ) from wrong
    with client:
        if not client.nthreads():
            raise LabRefused(
                f"the scheduler at {scheduler} has no workers: start 'dask worker {scheduler}' on each machine"
            )
        yield client


def files_of(certificates: Path) -> dict[str, str]:
    """Return the files in the folder that `certificates` wrote, by what Dask calls them; raises `LabRefused`."""
    files = {"ca": certificates / "ca.pem", "cert": certificates / "lab.pem", "key": certificates / "lab.key"}
    for file in files.values():
        if not file.is_file():
            raise LabRefused(f"there is no {file}: make it with 'beaconboard lab certificates {certificates}'")
    found = {"tls_ca_file": str(files["ca"])}
    for role in ("client", "scheduler", "worker"):
        found |= {f"tls_{role}_cert": str(files["cert"]), f"tls_{role}_key": str(files["key"])}
    return found


def is_loopback(host: str) -> bool:
    """Whether ``host`` is this machine and nothing else."""
    try:
        found = {info[4][0] for info in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return all(ipaddress.ip_address(each).is_loopback for each in found)


def _same_code(client: Any) -> None:
    """Raise `LabRefused` unless every worker plays by the same rules and players as this process."""
    try:
        theirs = client.run(code)
    except Exception as wrong:  # whatever a worker raises of code that it has not, or has in another version
        raise LabRefused(
            f"the workers cannot play ({type(wrong).__name__}: {str(wrong)[:160]}): install the same "
            "beaconboard[workshop] on each"
        ) from wrong
    ours = code()
    others = sorted(worker for worker, each in theirs.items() if each != ours)
    if others:
        raise LabRefused(
            f"these workers have other rules or players than this machine: {', '.join(others[:5])}; install the same"
            " beaconboard on each"
        )
