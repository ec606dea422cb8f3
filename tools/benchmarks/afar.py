"""How long a move takes from one board to the lights of another, over a broker on this machine.

    python -m tools.benchmarks.afar [MOVES]

Two services with simulated boards, in one process, and a mosquitto of their own. Measured is the time from the order
at the board at which the game was begun to the first frame of the other one's lights that shows it. Then the other
way round: there it is on disk at home before it is shown anywhere. Then what the feature costs in memory, in a
process of its own. Figures only.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from controller.orders import PlayPly
from tests.afar.boards import Families, Family
from tests.afar.brokers import mosquitto

GAME = "tides-of-war"
MEMORY = """
import sys
from pathlib import Path
def mb():
    found = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(found[0].split()[1]) / 1000
import controller.app.run
before = mb()
import controller.service.afar.boards
from controller.broker import Broker, BrokerLine
from controller.afar.keys import GameLink
from controller.afar.messages import LogHello
from controller.afar.sealing import Sealing
link = GameLink("127.0.0.1", int(sys.argv[1]), False, 1, bytes(32))
sealing = Sealing(link, "up", bytes)
broker = BrokerLine(Broker("127.0.0.1", int(sys.argv[1])), "", ("a",), lambda message: None, lambda up, why: None)
broker.start()
broker.send("a", sealing.seal(LogHello()))
print(f"{before:.1f} {mb():.1f}")
"""


def timed(here: Family, there: Family, text: str) -> float:
    """Return how many milliseconds after the order ``here`` the lights change ``there``."""
    lit = threading.Event()
    there.at.lights.shown = lit.set
    frames = len(there.at.lights.frames)
    begun_s = time.perf_counter()
    here.at.service.submit(PlayPly(text=text))
    while len(there.at.lights.frames) == frames:
        lit.clear()
        if len(there.at.lights.frames) == frames:
            assert lit.wait(10), "the lights never changed"
    took_ms = (time.perf_counter() - begun_s) * 1000
    there.at.lights.shown = lambda: None
    return took_ms


def line(name: str, took_ms: list[float]) -> str:
    took_ms = sorted(took_ms)
    p50, p95 = took_ms[len(took_ms) // 2], took_ms[int(len(took_ms) * 0.95)]
    return f"{name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms, most {took_ms[-1]:.1f} ms, of {len(took_ms)} moves"


def main(moves: int) -> None:
    with tempfile.TemporaryDirectory() as folder, mosquitto(Path(folder) / "broker") as port:
        out, back = list[float](), list[float]()
        two = Families(Path(folder), "square144", "square144", port)
        while len(out) + len(back) < moves:
            if two.home.play is None or two.home.play.result.over:
                for link in two.home.afar.links():
                    two.home.afar.end(link.room)
                two.begin(GAME)
            two.together()
            session = two.home.play.session
            home = session.game.seat(session.state) == 0
            text = session.game.text(session.state, two.dice.choice(list(session.game.plies(session.state))))
            (out if home else back).append(timed(two.home, two.far, text) if home else timed(two.far, two.home, text))
        two.stop()
        print(line("home to far lights", out))
        print(line("far to home lights", back))
        told = subprocess.run(
            [sys.executable, "-c", MEMORY, str(port)], check=True, capture_output=True, text=True
        ).stdout.split()
        print(f"memory: {told[0]} MB without, {told[1]} MB with play from afar")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
