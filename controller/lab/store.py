"""The folder of a run: what was asked for, and Parquet files with a row for each game and one for each ply.

Owns that a file is there whole or not at all, that a game is there once, and that no other run is written over. A part
has the games of one case from one number to another: plies first, then games, so that a part counts when its games are
there.
"""

from __future__ import annotations

import fcntl
import io
import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
from pyarrow import parquet

from controller import atomic_file
from controller.lab.files import FILE, GAMES, LOCK, PLIES, CasePart, part_called
from controller.lab.plan import Case, Plan
from controller.lab.playing import GameRow, PliedRow
from controller.lab.refused import LabRefused
from controller.typed import ready

PLAYED_BY = ("controller.rules", "controller.engine")  # the code on which a game depends, with these files of the lab
OWN = ("plan.py", "playing.py", "uses.py", "measures.py")

GAME_COLUMNS = pa.schema(
    [
        ("case", pa.int32()),
        ("setting", pa.int32()),
        ("game", pa.int32()),
        ("seed", pa.int64()),
        ("options", pa.string()),
        ("players", pa.list_(pa.string())),
        ("ending", pa.string()),
        ("winner", pa.int8()),
        ("scores", pa.list_(pa.int32())),
        ("plies", pa.int32()),
        ("lead_changes", pa.int32()),
        ("behind", pa.float32()),
        ("decided", pa.int32()),
        ("forced", pa.int32()),
        ("used", pa.list_(pa.list_(pa.string()))),
        ("ms", pa.float32()),
    ]
)
PLY_COLUMNS = pa.schema(
    [
        ("case", pa.int32()),
        ("setting", pa.int32()),
        ("game", pa.int32()),
        ("ply", pa.int32()),
        ("seat", pa.int8()),
        ("text", pa.string()),
        ("use", pa.string()),
        ("origin", pa.string()),
        ("site", pa.string()),
        ("choices", pa.int32()),
        ("offered", pa.list_(pa.string())),
        ("offered_choices", pa.list_(pa.int32())),
        ("shares", pa.list_(pa.float32())),
        ("ms", pa.float32()),
    ]
)


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `run.json` says: the plan, and which rules and players it was begun with."""

    plan: Plan
    code: str


class Store:
    """The folder of one run; `begun` makes it or goes on with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.games, self.plies = folder / GAMES, folder / PLIES

    def check(self, plan: Plan) -> None:
        """Raise `LabRefused` where something else than this run is there, or somebody plays into it."""
        if (self.folder / FILE).exists():
            self._same(plan)
        elif self.folder.exists() and any(each.name != LOCK for each in self.folder.iterdir()):
            raise LabRefused(f"{self.folder} has other things in it: choose an empty folder")

    @contextmanager
    def begun(self, plan: Plan) -> Iterator[None]:
        """Begin the run or go on with it, and keep all others from writing into it; raises `LabRefused`."""
        try:
            self.games.mkdir(parents=True, exist_ok=True)
            self.plies.mkdir(exist_ok=True)
            lock = open(self.folder / LOCK, "wb")  # noqa: SIM115  closed below; opening it fails for reasons of its own
        except OSError as wrong:
            raise _not_written(self.folder, wrong) from wrong
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if not (self.folder / FILE).exists() or self.run().plan.games < plan.games:
                    atomic_file.write(self.folder / FILE, msgspec.json.format(msgspec.json.encode(Run(plan, code()))))
            except BlockingIOError:
                raise LabRefused(f"another process is playing into {self.folder}: wait for it, or end it") from None
            except OSError as wrong:
                raise _not_written(self.folder, wrong) from wrong
            yield

    def _same(self, plan: Plan) -> None:
        there = self.run()
        if msgspec.structs.replace(there.plan, games=plan.games) != plan:
            raise LabRefused(
                f"{self.folder} has another run: choose another folder, or give what that run was given (only "
                "--games may grow)"
            )
        if there.code != code():
            raise LabRefused(f"{self.folder} was begun with other rules or players than these: choose another folder")

    def run(self) -> Run:
        """Return what was asked for; raises `LabRefused`."""
        file = self.folder / FILE
        try:
            return msgspec.json.decode(file.read_bytes(), type=ready(Run))
        except OSError as wrong:
            raise LabRefused(
                f"there is no run in {self.folder} ({wrong.strerror}): begin one with 'beaconboard lab run'"
            ) from wrong
        except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
            raise LabRefused(f"{file} is damaged ({wrong}): put it back, or begin the run in another folder") from wrong

    def parts(self) -> list[CasePart]:
        """Return what has been played; raises `LabRefused` for a damaged file, or games that are there twice."""
        found = []
        for file in sorted(self.games.glob("*.parquet")):
            if not (part := part_called(file.name)):
                raise LabRefused(f"{file} is none of this run's files: move it elsewhere")
            for each in (file, self.plies / file.name):
                _check(each)
            found.append(part)
        for before, after in itertools.pairwise(found):
            if before.case == after.case and after.first <= before.last:
                raise LabRefused(
                    f"{before.name} and {after.name} have the same games: move one of them elsewhere, and its file in "
                    "plies/"
                )
        return found

    def game(self, case: int, number: int) -> tuple[dict[str, Any], int, list[str]]:
        """Return the options, the seed and the plies of a game; raises `LabRefused` where it was not played."""
        part = next((each for each in self.parts() if each.case == case and each.first <= number <= each.last), None)
        if part is None:
            raise LabRefused(f"{self.folder} has no game {number} of case {case}")
        chosen = [("case", "=", case), ("game", "=", number)]
        played = parquet.read_table(self.games / part.name, filters=chosen).to_pylist()[0]
        plies = parquet.read_table(self.plies / part.name, columns=["ply", "text"], filters=chosen).sort_by("ply")
        return msgspec.json.decode(played["options"]), played["seed"], plies.column("text").to_pylist()

    def add(self, part: CasePart, games: bytes, plies: bytes) -> None:
        """Keep a part; raises `LabRefused` where it cannot be written, and then nothing of it is there."""
        try:
            atomic_file.write(self.plies / part.name, plies)
            atomic_file.write(self.games / part.name, games)
        except OSError as wrong:
            raise _not_written(self.folder, wrong) from wrong


def _check(file: Path) -> None:
    try:
        parquet.ParquetFile(file).close()
    except (OSError, pa.ArrowException) as wrong:
        said = str(wrong).splitlines()[0][:120]
        raise LabRefused(f"{file} cannot be read ({said}): delete it, and the run plays its games again") from wrong


def _not_written(folder: Path, wrong: OSError) -> LabRefused:
    return LabRefused(
        f"{folder} cannot be written ({wrong.strerror}): what was played before is kept; make room, and give "
        "the same command to go on"
    )


def packed(case: Case, rows: Sequence[GameRow]) -> tuple[bytes, bytes]:
    """Return the two files of a part."""
    games = [_game(case, row) for row in rows]
    plies = [_ply(case, row, number, ply) for row in rows for number, ply in enumerate(row.plies)]
    return _file(GAME_COLUMNS, games), _file(PLY_COLUMNS, plies)


def _game(case: Case, row: GameRow) -> Sequence[Any]:
    story, scores = row.story, None if row.scores is None else list(row.scores)
    options = msgspec.json.encode(case.options).decode()
    return (
        case.number, case.setting, row.number, row.seed, options, list(row.players),
        row.ending, row.winner, scores, len(row.plies),
        story.lead_changes, story.behind, story.decided, story.forced, [list(uses) for uses in story.used], row.ms,
    )  # fmt: skip


def _ply(case: Case, row: GameRow, number: int, ply: PliedRow) -> Sequence[Any]:
    return (
        case.number, case.setting, row.number, number,
        ply.seat, ply.text, ply.use, ply.origin, ply.site, ply.plies,
        list(ply.offered), list(ply.offered.values()), list(ply.shares), ply.ms,
    )  # fmt: skip


def _file(schema: pa.Schema, rows: Sequence[Sequence[Any]]) -> bytes:
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in schema]
    table = pa.Table.from_arrays(
        [pa.array(column, each.type) for column, each in zip(columns, schema, strict=True)], schema=schema
    )
    out = io.BytesIO()
    parquet.write_table(table, out, compression="zstd")
    return out.getvalue()


def missing(cases: Sequence[Case], parts: Sequence[CasePart], games: Mapping[int, int]) -> dict[int, list[range]]:
    """Return by case the numbers of the games that are still to be played, of as many as ``games`` says."""
    found: dict[int, list[range]] = {}
    for case in cases:
        begin, most = 0, games[case.number]
        for part in (part for part in parts if part.case == case.number):
            if begin < min(part.first, most):
                found.setdefault(case.number, []).append(range(begin, min(part.first, most)))
            begin = part.last + 1
        if begin < most:
            found.setdefault(case.number, []).append(range(begin, most))
    return found


def code() -> str:
    """Return a fingerprint of the rules, the players and how games are made here: where it is the same, games are."""
    found = blake2b(digest_size=16)
    files = [each for room in PLAYED_BY for each in _sources(resources.files(room), room)]
    for path, file in [*files, *((name, resources.files(__package__) / name) for name in OWN)]:
        found.update(f"{path} {len(data := file.read_bytes())}\n".encode() + data)
    return found.hexdigest()


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir() and each.name != "__pycache__":
            yield from _sources(each, f"{path}/{each.name}")
        elif each.name.endswith((".py", ".toml", ".bin")) and each.name not in ("puzzles.toml", "lesson.toml"):
            yield f"{path}/{each.name}", each
