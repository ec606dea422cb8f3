"""How long requests can keep an order waiting. Linux only.

    python -m tools.benchmarks.hold [SECONDS] [WORD ...]

The service plays; a player gives orders at intervals while guests fire one kind of costly request after the other, from
four addresses with eight lines each. For each kind: the order's delay, and what the guests got. WORDs choose kinds.
Figures only; who may (root) goes before everything else on the machine, so that they tell of the service alone.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from controller.journal.database import Entry, Journal
from controller.journal.recording import Header, Line
from controller.rules.registry import game_named
from tests.e2e.running import playing
from tools.benchmarks.idle import free_port, memory_mb

ADDRESSES, LINES = ("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"), 8
GUEST = {"Via": "1.1 proxy"}  # a browser of this very machine is let in unasked, one behind a proxy not
EVERY_S = 0.05
ON_SHELLS = ("six bidders", "a huge board")  # Beacons has no place on the other board
LONG = 1000  # plies of the long game in the journal
Request = tuple[str, str, Any, bool]  # method, path, body, whether a player sends it


def loads(long: list[str]) -> dict[str, Request]:
    """Return every kind of costly request."""
    again = '{"game":"tides-of-war"}\n' + '{"t_us":1,"command":{"do":"play_again"}}\n' * 20_000
    bidders = {"do": "new_game", "game": "beacons", "options": {"players": 6, "bid": 20}}
    huge = {"do": "new_game", "game": "beacons", "options": {"board": "torus hex 136 146"}}
    bomb = {"text": '{"game":"beacons","options":{"board":"torus hex 136 146"}}'}
    on = {"do": "new_game", "game": "tam-ruat-chess", "plies": long}
    found: dict[str, Request] = {path: ("GET", path, None, False) for path in (
        "/", "/rules/cyvasse", "/pictures/cyvasse.svg", "/api", "/api/openapi.json", "/api/games", "/api/care",
        "/api/care/recording", "/api/evening", "/api/history", "/api/history/1", "/api/history/1?ply=900",
        "/api/history/1/order?ply=900", "/api/history/1/text", "/api/history/1/recording", "/api/plies?site=a1",
    )}  # fmt: skip
    return found | {
        "stream": ("STREAM", "/api/watch", None, False),
        "idle lines": ("IDLE", "", None, False),
        "pair": ("POST", "/api/pair", {}, False),
        "code": ("POST", "/api/pair/code", {"code": "1"}, False),
        "refused order": ("POST", "/api/order", {"do": "take_back"}, False),
        "import of a huge board": ("POST", "/api/import", bomb, True),
        "import of 20,000 games": ("POST", "/api/import", {"text": again}, True),
        "a huge board": ("POST", "/api/order", huge, True),
        "six bidders": ("POST", "/api/order", bidders, True),
        f"a game of {len(long)} plies": ("POST", "/api/order", on, True),
        "a long game resumed": ("POST", "/api/order", {"do": "resume", "game_id": 1}, True),
    }


def sent(port: int, address: str, load: Request, until_s: float, counted: Any) -> None:
    """Send ``load`` over and over until the time is over; count the answers by their status."""
    method, path, body, player = load
    os.nice(19)  # guests have processors of their own: theirs is not to be taken from the service
    idle: list[http.client.HTTPConnection] = []
    headers = {"Content-Type": "application/json", **({} if player else GUEST)}
    while time.monotonic() < until_s:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
        try:
            if method == "IDLE":
                line.connect()
                idle.append(line)
                time.sleep(0.02)
                status = 0
            else:
                said = None if body is None else json.dumps(body)
                line.request("GET" if method == "STREAM" else method, path, said, headers)
                answer = line.getresponse()
                answer.read(200) if method == "STREAM" else answer.read()
                status = answer.status
        except OSError:
            status = -1
        counted.put(status)
        if method != "IDLE":
            line.close()


def orders(port: int, seconds: float) -> list[float]:
    """Give orders for a while; return their delays in milliseconds, the longest last."""
    line, found = http.client.HTTPConnection("127.0.0.1", port, timeout=60), []
    until_s, percent = time.monotonic() + seconds, 0
    while time.monotonic() < until_s:
        percent = (percent + 1) % 100
        begun_s = time.monotonic()
        line.request("POST", "/api/order", json.dumps({"do": "brightness", "percent": percent}),
                     {"Content-Type": "application/json"})  # fmt: skip
        answer = line.getresponse()
        answer.read()
        if answer.status != 429:
            found.append((time.monotonic() - begun_s) * 1000)
        time.sleep(EVERY_S)
    return sorted(found)


def ahead_of_others(pid: int) -> None:
    """Let the service and this client go before whatever else runs on this machine, where the user may do that."""
    how = os.SCHED_RR | os.SCHED_RESET_ON_FORK
    with suppress(PermissionError):
        for thread in (0, *map(int, os.listdir(f"/proc/{pid}/task"))):
            os.sched_setscheduler(thread, how, os.sched_param(1))


def print_figures(what: str, late: list[float], answers: Counter[int], pid: int) -> None:
    """Print the figures of one kind."""
    cut = statistics.quantiles(late, n=100) if len(late) > 1 else [late[0]] * 99
    report: dict[str, Any] = {"load": what, "orders": len(late)}
    report["late_ms_p50_p95_worst"] = [round(ms, 1) for ms in (cut[49], cut[94], late[-1])]
    report["answers"] = {str(status): count for status, count in sorted(answers.items())}
    report["memory_mb"] = round(memory_mb(pid))
    print(json.dumps(report), flush=True)


def under(port: int, load: Request, seconds: float) -> tuple[list[float], Counter[int]]:
    """Return the delays of orders under ``load``, and what was answered to that."""
    counted: Any = multiprocessing.Queue()
    until_s = time.monotonic() + seconds
    senders = [
        multiprocessing.Process(target=sent, args=(port, address, load, until_s, counted), daemon=True)
        for address in ADDRESSES
        for _ in range(LINES)
    ]
    for sender in senders:
        sender.start()
    late, answers = orders(port, seconds), Counter[int]()
    while any(sender.is_alive() for sender in senders) or not counted.empty():
        while not counted.empty():
            answers[counted.get()] += 1
        time.sleep(0.05)
    return late, answers


def long_game() -> list[str]:
    """Return the plies of a long game played at random."""
    game, dice = game_named("tam-ruat-chess"), random.Random(1)
    while True:
        state, plies = game.start(game.options(), 0), list[str]()
        while len(plies) < LONG and (legal := game.moves(state)):
            ply = dice.choice(legal)
            plies.append(game.text(state, ply))
            state = game.after(state, ply)
        if len(plies) == LONG:
            return plies


def write_journal(path: Path, plies: list[str]) -> None:
    """Write a journal with one long game in it."""
    journal = Journal(path)
    game_id = journal.begin(Header("tam-ruat-chess", board="square144"))
    for number, ply in enumerate(plies):
        journal.enter(game_id, Entry(number, ply=ply))
        for again in range(20):
            journal.note(game_id, Line(number, site="a1", on=again % 2 == 0))
    journal.close()


def main(seconds: float, chosen: Callable[[str], bool]) -> None:
    """Measure each kind that is ``chosen``."""
    plies, port = long_game(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "games.sqlite3"
        write_journal(journal, plies)
        for board, game in (("square144", "tides-of-war"), ("shell19", "beacons")):
            with playing(journal, "--board", board, port=port) as running:
                pid = running.process.pid
                ahead_of_others(pid)
                print_figures(f"nothing, {board}", orders(port, seconds), Counter(), pid)
                for what, load in loads(plies).items():
                    if chosen(what) and (board == "square144") != (what in ON_SHELLS):
                        running.panel.post("order", do="new_game", game=game)
                        print_figures(what, *under(port, load, seconds), pid)


if __name__ == "__main__":
    wanted = sys.argv[2:]
    main(
        float(sys.argv[1]) if len(sys.argv) > 1 else 10.0,
        lambda what: not wanted or any(word in what for word in wanted),
    )
