"""What a count of games and plies shows, made without the report: the independent figures of each fault."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from controller.lab.store import Store
from tests.lab.runs import rows


class Counts(msgspec.Struct, frozen=True):
    """Counts of one run, shares in hundredths: of games between equals by the player in them, of others by case."""

    seat_wins: dict[str, tuple[float, ...]]
    beginner_wins: dict[str, float]
    unfinished: dict[str, float]
    endings: dict[str, int]
    plies: float
    forced: dict[str, tuple[float, ...]]  # by player, of each seat's turns
    skill: dict[str, float]  # by "who against whom", of all games
    uses: dict[str, dict[str, tuple[int, int]]]  # by player and use: in how many turns it was made, and could be
    never_entered: tuple[str, ...]
    decided: float  # median, in hundredths of a game


def counted(store: Store, cells: tuple[str, ...]) -> Counts:
    """Return the counts of the run in ``store``."""
    games, plies = rows(store, "games"), rows(store, "plies")
    first = {(row["case"], row["game"]): row["seat"] for row in plies if row["ply"] == 0}
    by_player: dict[str, list[dict[str, Any]]] = {}
    skill: dict[str, list[float]] = {}
    for game in games:
        names = set(game["players"])
        if len(names) == 1:
            by_player.setdefault(game["players"][0], []).append(game)
        else:
            pair = sorted(names, key=lambda name: (name in ("random",), "!" not in name, name))
            won = game["winner"] is not None and game["players"][game["winner"]] == pair[0]
            skill.setdefault(" against ".join(pair), []).append(100.0 * won)
    seats = len(games[0]["players"])
    equals = {name: {(g["case"], g["game"]) for g in those} for name, those in by_player.items()}
    turns: dict[str, list[Counter[bool]]] = {name: [Counter() for _ in range(seats)] for name in by_player}
    uses: dict[str, dict[str, list[int]]] = {name: {} for name in by_player}
    for ply in plies:
        for name, those in equals.items():
            if (ply["case"], ply["game"]) in those:
                turns[name][ply["seat"]][ply["choices"] == 1] += 1
                for use in ply["offered"]:
                    uses[name].setdefault(use, [0, 0])[1] += 1
                uses[name].setdefault(ply["use"], [0, 0])[0] += 1
    settled = sorted(g["decided"] / g["plies"] for g in games if g["decided"] is not None)
    return Counts(
        {n: tuple(_share(g["winner"] == s for g in those) for s in range(seats)) for n, those in by_player.items()},
        {n: _share(g["winner"] == first[g["case"], g["game"]] for g in those) for n, those in by_player.items()},
        {n: _share(g["ending"] == "unfinished" for g in those) for n, those in by_player.items()},
        dict(Counter(g["ending"] for g in games)),
        round(sum(g["plies"] for g in games) / len(games), 1),
        {n: tuple(round(100 * c[True] / max(1, c.total()), 1) for c in row) for n, row in turns.items()},
        {pair: round(sum(won) / len(won), 1) for pair, won in skill.items()},
        {n: {use: (made, could) for use, (made, could) in row.items()} for n, row in uses.items()},
        tuple(cell for cell in cells if cell not in {ply["site"] for ply in plies}),
        round(100 * settled[len(settled) // 2], 1) if settled else 0.0,
    )  # fmt: skip


def _share(found: Any) -> float:
    row = list(found)
    return round(100 * sum(row) / len(row), 1)
