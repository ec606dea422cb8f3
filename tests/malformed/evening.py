"""People play while others send what is no request: every page and every order is answered meanwhile."""

from __future__ import annotations

import http.client
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from time import perf_counter

import msgspec

from tests.malformed.sending import lines, say_all

SENDERS = 4
PATIENCE_S = 20.0
BETWEEN_S = 0.02


class EveningRequest(msgspec.Struct, frozen=True):
    """A request of somebody who plays, and the statuses that are an answer."""

    method: str
    path: str
    body: bytes = b""
    kind: str = "application/json"
    host: str = "localhost"


class EveningReport(msgspec.Struct):
    """How an evening went: the ``kinds`` of answers to what was no request, how often people were ``answered`` with
    which status, and what a page took at most.
    """

    kinds: Counter[str]
    answered: Counter[str]
    slowest_ms: float


def evening(
    where: tuple[str, int], played: tuple[EveningRequest, ...], seed: int, count: int, source: str = "127.0.0.2"
) -> EveningReport:
    """Send ``count`` lines to ``where`` while ``played`` is asked again and again, from another address."""
    told = EveningReport(Counter(), Counter(), 0.0)
    host = f"{where[0]}:{where[1]}".encode()
    with ThreadPoolExecutor(SENDERS) as pool:
        futures: list[Future[Counter[str]]] = [
            pool.submit(
                say_all, islice(lines(seed, count, host), n, None, SENDERS), where, (f"127.0.0.{66 + n}", source)
            )
            for n in range(SENDERS)
        ]
        while not all(future.done() for future in futures):
            for asked in played:
                began_s = perf_counter()
                told.answered[f"{asked.path} {_ask(where, asked, source)}"] += 1
                told.slowest_ms = max(told.slowest_ms, (perf_counter() - began_s) * 1000)
            for future in futures:
                if not future.done():
                    _wait(future)
                    break
        for future in futures:
            told.kinds += future.result()
    return told


def _wait(future: Future[Counter[str]]) -> None:
    try:
        future.result(BETWEEN_S)
    except TimeoutError:
        return


def _ask(where: tuple[str, int], asked: EveningRequest, source: str) -> str:
    line = http.client.HTTPConnection(*where, timeout=PATIENCE_S, source_address=(source, 0))
    try:
        line.request(asked.method, asked.path, asked.body or None, {"Content-Type": asked.kind, "Host": asked.host})
        answer = line.getresponse()
        answer.read()
        return str(answer.status)
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__
    finally:
        line.close()
