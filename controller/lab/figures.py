"""The questions to a run's files, as SQL that designers can ask for themselves (docs/workshop.md has them).

Owns the queries. Every answer is a count by something bounded, as the number of moves: nothing is kept for each game.
DuckDB reads the files as a stream, so memory does not grow with the number of games.
"""

from __future__ import annotations

import resource
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from controller.lab.refused import LabRefused
from controller.lab.store import Store

MEMORY = "512MB"
THREADS = 2

# `equal` has the games in which all players are the same; a level says more the higher it is, so all are told apart.
VIEWS = """
CREATE VIEW games AS SELECT *, len(list_distinct(players)) = 1 AS equal, len(players) AS seats
    FROM read_parquet({games});
CREATE VIEW plies AS SELECT * FROM read_parquet({plies});
"""

QUESTIONS: Mapping[str, str] = {
    # how games end: by setting, level and ending
    "endings": """
        SELECT setting, players[1] AS level, ending, count(*) AS count FROM games WHERE equal GROUP BY ALL ORDER BY ALL
    """,
    # how long they last: a histogram of plies
    "lengths": """
        SELECT setting, players[1] AS level, plies, count(*) AS count FROM games WHERE equal GROUP BY ALL ORDER BY ALL
    """,
    # who wins, among equals: by seat, none where nobody does
    "winners": """
        SELECT setting, players[1] AS level, seats, winner, count(*) AS count FROM games WHERE equal
        GROUP BY ALL ORDER BY ALL
    """,
    # how many choices a turn has, by tenth of the game
    "choices": """
        SELECT setting, CAST(floor(10 * ply / games.plies) AS INTEGER) AS tenth, choices, count(*) AS count
        FROM plies JOIN games USING (setting, "case", game) WHERE equal GROUP BY ALL ORDER BY ALL
    """,
    # how often a seat has only one choice
    "forced": """
        SELECT setting, seat, count(*) AS turns, count(*) FILTER (choices = 1) AS forced
        FROM plies JOIN equals USING ("case") GROUP BY ALL ORDER BY ALL
    """,
    # what a player scores against others: games won, drawn (by all seats), and in all
    "meetings": """
        WITH each AS (
            SELECT setting, seats, players, winner, unnest(list_distinct(players)) AS player FROM games WHERE NOT equal)
        SELECT setting, seats, player, list_sort(list_distinct(players)) AS both, count(*) AS games,
            count(*) FILTER (winner IS NULL) AS drawn,
            count(*) FILTER (winner IS NOT NULL AND players[winner + 1] = player) AS won
        FROM each GROUP BY ALL ORDER BY ALL
    """,
    # how a game goes: lead changes
    "lead_changes": """
        SELECT setting, lead_changes, count(*) AS count FROM games WHERE equal GROUP BY ALL ORDER BY ALL
    """,
    # how far the later winner was ever behind, in tenths of the game's worth
    "behind": """
        SELECT setting, CAST(floor(10 * behind) AS INTEGER) AS tenths, count(*) AS count
        FROM games WHERE equal AND winner IS NOT NULL GROUP BY ALL ORDER BY ALL
    """,
    # when it was decided, in hundredths of its length
    "decided": """
        SELECT setting, CAST(floor(100 * decided / plies) AS INTEGER) AS hundredths, count(*) AS count
        FROM games WHERE equal AND winner IS NOT NULL GROUP BY ALL ORDER BY ALL
    """,
    # what was open to whom, what was chosen of it, and what chance would have chosen
    "offers": """
        WITH each AS (
            SELECT setting, level, use, choices, unnest(offered) AS offer, unnest(offered_choices) AS its_choices,
                len(offered) AS different
            FROM plies JOIN equals USING ("case"))
        SELECT setting, level, offer, count(*) AS turns,
            count(*) FILTER (offer = use) AS chosen,
            sum(its_choices / choices) AS by_chance,
            count(*) FILTER (different > 1) AS with_others,
            count(*) FILTER (different > 1 AND offer = use) AS chosen_with_others,
            sum(its_choices / choices) FILTER (different > 1) AS by_chance_with_others
        FROM each GROUP BY ALL ORDER BY ALL
    """,
    # who wins: seats that used something in a game, and all
    "users": """
        WITH seat_of AS (
            SELECT setting, players[1] AS level, seats, winner, unnest(range(seats)) AS seat, used FROM games
            WHERE equal),
        each AS (
            SELECT setting, level, seats, winner, seat, unnest(used[seat + 1]) AS use FROM seat_of)
        SELECT setting, level, use, count(*) AS count, count(*) FILTER (winner = seat) AS won,
            count(*) FILTER (winner IS NULL) AS drawn, first(seats) AS seats
        FROM each GROUP BY ALL ORDER BY ALL
    """,
    # where pieces come from and go to: plies that begin and end on a site
    "sites": """
        WITH each AS (
            SELECT setting, unnest(list_distinct([origin, site])) AS site FROM plies JOIN equals USING ("case"))
        SELECT setting, site, count(*) AS count FROM each WHERE site <> '' GROUP BY ALL ORDER BY ALL
    """,
    # games to watch: the three longest, shortest, liveliest and most one-sided
    "to_watch": """
        WITH each AS (
            SELECT setting, CAST(plies AS HUGEINT) AS plies, lead_changes, decided, winner, game,
                {'case': "case", 'game': game, 'plies': plies, 'ending': ending, 'winner': winner} AS told
            FROM games WHERE equal)
        SELECT setting,
            arg_max(told, plies * 4294967296 - game, 3) AS longest,
            arg_max(told, -plies * 4294967296 - game, 3) AS shortest,
            arg_max(told, CAST(lead_changes AS HUGEINT) * 4294967296 - game, 3) AS liveliest,
            arg_max(told, (1000 - 1000 * decided // plies) * 4294967296 - game, 3)
                FILTER (winner IS NOT NULL) AS one_sided
        FROM each GROUP BY setting ORDER BY setting
    """,
}

Rows = list[dict[str, Any]]


class RunFigures:
    """Answers to the questions about one run; to be closed."""

    def __init__(self, store: Store) -> None:
        """Raises `LabRefused` where nothing was played."""
        if not store.parts():
            raise LabRefused(f"no game was played in {store.folder} yet: run it first")
        self._base = duckdb.connect(
            ":memory:",
            config={
                "memory_limit": _room(),
                "threads": THREADS,
                "temp_directory": str(store.folder / ".duckdb"),
            },
        )
        self._base.execute("SET preserve_insertion_order = false")
        for view in VIEWS.format(games=_glob(store.games), plies=_glob(store.plies)).split(";"):
            if view.strip():
                self._base.execute(view)
        # Small, and joined with instead of all games: which cases have equal players.
        self._base.execute('CREATE TABLE equals AS SELECT DISTINCT "case", players[1] AS level FROM games WHERE equal')

    def ask(self, question: str) -> Rows:
        """Return the rows of one of `QUESTIONS`; raises `LabRefused` where there is too little memory for it."""
        try:
            found = self._base.execute(QUESTIONS[question])
        except duckdb.OutOfMemoryException as wrong:
            raise LabRefused(
                "the report needs more memory than there is for it here: copy the folder to a larger computer, and "
                "write it there with 'beaconboard lab report'"
            ) from wrong
        names = [each[0] for each in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def close(self) -> None:
        """Give back what it holds."""
        self._base.close()


def _room() -> str:
    """Return how much memory questions may have: less where this process is bound, as beside the service of a board."""
    bound = resource.getrlimit(resource.RLIMIT_DATA)[0]
    return MEMORY if bound == resource.RLIM_INFINITY else f"{min(512, (bound >> 20) // 8)}MB"


def _glob(folder: Path) -> str:
    written = str(folder / "*.parquet").replace("'", "''")
    return f"'{written}'"
