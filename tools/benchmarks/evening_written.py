"""How many bytes an evening writes: the journal, its lock, and the backup that is made after it. Linux only.

    python -m tools.benchmarks.evening_written [GAMES] [--behind-s SECONDS] [--folder FOLDER]

People who take their time play GAMES (20) of five kinds on a simulated board, by the real service on its own clock;
then a backup is made. Figures only, in MB: what reached the disk of FOLDER by ``/proc/self/io``, and what the program
handed to the system. A folder in memory has no disk. What is not synced Linux writes SECONDS later (30); with 0 it is
not counted. Where others write much Linux does so sooner, which counts: the least of some runs is the figure.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from controller.backups.copies import copies
from controller.backups.state import BoardState
from controller.limited_process import run_idle
from controller.panel.backup_jobs import COMMAND, MEGABYTES
from tests.panel.finger import Finger
from tests.service.evenings import Evening

BOARDS = {"square144": ("tides-of-war", "circle", "tam-ruat-chess"), "hex91": ("giantslayer", "cyvasse")}
KINDS = sum(map(len, BOARDS.values()))
MOST_PLIES = 80  # of a game that chance does not end
THINKS_S = (4, 30)  # for how long somebody thinks about a move
FIGURES = ("write_bytes", "wchar")


class UnwrittenEvening(Evening):
    """An evening whose helper, too, writes nothing: what others end with has the journal written."""

    def settle(self) -> Evening:
        """Return when everything handed in was dealt with."""
        self.service.unask("nobody")
        return self


class WrittenBehind:
    """What Linux does with changes that nobody syncs: it writes them ``after_s`` of the evening's seconds, 0 for never.

    Another process does it, as the locks of a database would go with any file of it that this one closes.
    """

    def __init__(self, folder: Path, after_s: float) -> None:
        self._folder, self._after_s, self._passed_s = folder, after_s, 0.0

    def passed(self, seconds: float) -> None:
        """Note that ``seconds`` of the evening have gone by."""
        self._passed_s += seconds
        if 0 < self._after_s <= self._passed_s:
            self._passed_s = 0.0
            subprocess.run(["sync", *(each for each in self._folder.iterdir() if each.is_file())], check=True)


def io_figures() -> dict[str, int]:
    """Return how many bytes this process and those that it has awaited have written so far."""
    lines = (line.split(": ") for line in Path("/proc/self/io").read_text(encoding="ascii").splitlines())
    return {name: int(value) for name, value in lines if name in FIGURES}


def play(table: Finger, game: str, dice: random.Random, behind: WrittenBehind) -> int:
    """Play one game by chance with thought between its plies; return how many there were."""
    table.begin(game)
    made = 0
    while made < MOST_PLIES and not table.play.result.over:
        session = table.play.session
        plies = list(session.game.plies(session.state))
        if not plies:
            break
        thinks_s = dice.uniform(*THINKS_S)
        table.at.wait(thinks_s * 1000)
        behind.passed(thinks_s)
        table.make(dice.choice(plies))
        made += 1
    return made


def evening(folder: Path, games: int, behind_s: float, dice: random.Random) -> Iterator[tuple[str, int]]:
    """Play the games on each board in turn; yield the name of each and its plies."""
    behind = WrittenBehind(folder, behind_s)
    for board, names in BOARDS.items():
        table = Finger(folder / "games.sqlite3", board, evening=UnwrittenEvening)
        count = round(games * len(names) / KINDS)
        for number in range(count):
            name = names[number % len(names)]
            yield name, play(table, name, dice, behind)
        table.stop()


@click.command()
@click.argument("games", default=20)
@click.option("--behind-s", default=30.0, help="After how many seconds Linux writes what nobody syncs; 0 for never.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("build"), help="Where it is played.")
def main(games: int, behind_s: float, folder: Path) -> None:
    """Play an evening of GAMES and print what it wrote."""
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        path = Path(place) / "games.sqlite3"
        before, plies = io_figures(), 0
        for name, made in evening(path.parent, games, behind_s, random.Random(7)):
            plies += made
            print(f"{name:16} {made:3} plies", file=sys.stderr)
        played = io_figures()
        run_idle([*COMMAND, str(path.absolute()), str(path.absolute()), "evening", "", ""], MEGABYTES, lambda: "go on")
        (copy,) = copies(BoardState(path, path).copies)
        on_disk, handed = (round((played[each] - before[each]) / 1e6, 2) for each in FIGURES)
        print(f"{games} games, {plies} plies: {on_disk} MB on disk, {handed} MB handed to the system")
        print(f"journal {path.stat().st_size / 1e6:.2f} MB, backup {copy.bytes / 1e6:.3f} MB")


if __name__ == "__main__":
    main()
