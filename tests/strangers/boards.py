"""The boards the evenings are played on: where their sites lie, and which sensors they have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from controller.from_profile import placement
from controller.rules.registry import game_named
from hardware.profile import BOARDS, MOST_BITS, Profile, load

# Each game with the boards it lies on.
LAID: Mapping[str, tuple[str, ...]] = {
    "tides-of-war": ("first36", "square144"),
    "giantslayer": ("hex91",),
    "circle": ("square144",),
    "tam-ruat-chess": ("square144",),
    "cyvasse": ("hex91",),
    "beacons": ("shell19",),
}
GAMES = tuple(LAID)


@dataclass(frozen=True)
class Ground:
    """A game laid on a board. ``site`` has the board's name of each site of the game, ``at`` its millimetres."""

    board: str
    hall: bool
    profile: Profile
    site: Mapping[str, str]
    at: Mapping[str, tuple[float, float]]
    cells: tuple[str, ...]  # of the game, by the board's names
    near: Mapping[str, tuple[str, ...]]  # the cells beside a cell

    def passed(self, start: str, end: str) -> tuple[str, ...]:
        """Return the cells over which a hand goes on the straight line between two sites, without these."""
        (x, y), (u, v) = self.at[start], self.at[end]
        pitch = self.profile.pitch_mm
        steps = int(math.dist((x, y), (u, v)) / pitch * 4) + 1
        found: list[str] = []
        for n in range(1, steps):
            here = (x + (u - x) * n / steps, y + (v - y) * n / steps)
            cell = min(self.cells, key=lambda site: math.dist(self.at[site], here))
            if math.dist(self.at[cell], here) < pitch * 0.4 and cell not in (start, end, *found[-1:]):
                found.append(cell)
        return tuple(found)


def may_tell_poles(board: str) -> bool:
    """Whether ``board`` can be made with sensors that tell poles: its firmware scans two bits for each then."""
    return 2 * load(board).chain_length <= MOST_BITS


@cache
def ground(game_name: str, board: str, hall: bool) -> Ground:
    """Return the ground for a game of `LAID` on one of its boards."""
    profile = load(board)
    if hall:
        profile = msgspec.structs.replace(profile, sensor="hall", poles=True)
    game = game_named(game_name)
    site = placement(profile, game)
    assert site is not None, f"{game_name} does not lie on {board}"
    laid = set(site.values())
    cells = tuple(each.name for each in profile.sites if each.kind == "cell" and each.name in laid)
    at = {each.name: (each.x_mm, each.y_mm) for each in profile.sites}
    reach = profile.pitch_mm * 1.45 if "square" in profile.tiling else profile.pitch_mm * 1.1
    near = {a: tuple(b for b in cells if a != b and math.dist(at[a], at[b]) <= reach) for a in cells}
    return Ground(board, hall, profile, site, at, cells, near)


def board_file(where: Ground, folder: str | Path) -> str:
    """Return what a recording calls the board; one with hall sensors is written as a file into ``folder`` first."""
    if not where.hall:
        return where.board
    text = (BOARDS / f"{where.board}.toml").read_text(encoding="utf-8")
    path = Path(folder) / f"{where.board}-hall.toml"
    text = text.replace('sensor = "reed"', 'sensor = "hall"\npoles = true').replace(
        'tracker = "circuit"', 'tracker = "none"'
    )
    path.write_text(text, encoding="utf-8")
    return str(path)
