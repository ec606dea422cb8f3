"""Puts a backup back: whole or not at all, also where the power fails in between.

It is unpacked beside everything and looked through. Then one file says that it is to be; from then on every start
carries on with it, before anything is opened, until it is done. What was there goes aside first and can come back.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from controller import atomic_file
from controller.backups.backup_file import BadBackup, Manifest, check, held, unpack, why
from controller.backups.copies import SPARE_BYTES
from controller.backups.state import (
    FOLDERS,
    GAMES,
    MEASURED,
    PEOPLE,
    SETTINGS,
    BoardState,
    settings_for,
)
from controller.journal import schema
from controller.journal.marker import InUse, JournalLock, JournalMark
from controller.sentences import say
from controller.toml_text import BadToml
from controller.typed import ready

PLAN = "plan.json"
NEW, OLD = "new", "old"
COPY = ".last-good"  # as `atomic_file.copy_of` calls it


class PutBackPlan(msgspec.Struct, frozen=True):
    """That a backup is to be put back: what it ``brings``, by their names among the staged, the name of the
    ``journal``, and how many games and entries that had when this was decided.
    """

    journal: str
    brings: tuple[str, ...]
    games: int
    entries: int


def show(path: Path, name: str = "") -> Manifest:
    """Return what a file holds that is to be put back, once all of it was found sound; raises `BadBackup`."""
    return check(path, name)


def stage(path: Path, state: BoardState) -> Manifest:
    """Unpack a backup beside everything, and look it through; raises `BadBackup`, and then nothing has changed."""
    try:
        return _staged(path, state, state.staging)
    except (OSError, sqlite3.Error, BadToml, schema.NewerJournal) as error:
        _clear(state.staging)
        told = say("{file} cannot be put back ({why}): nothing was changed.", file=path.name, why=why(error))
        raise BadBackup(told) from error
    except BadBackup:
        _clear(state.staging)
        raise


def _staged(path: Path, state: BoardState, staging: Path) -> Manifest:
    if any(state.links.glob("*.link")):
        raise BadBackup(
            say("This board has links to others far away, whose games a backup may not have: end those links first, "
                "under Another board.")
        )  # fmt: skip
    _clear(staging)
    manifest = show(path)
    _check_room(state, manifest)
    new = staging / NEW
    new.mkdir(mode=0o700, parents=True)
    unpack(path, new)
    _made_ready(state, new)
    if schema.is_damaged(new / GAMES) or not _is_journal(new / GAMES):
        raise BadBackup(say("The games in {file} are damaged: choose another backup.", file=path.name))
    return manifest


def _clear(staging: Path) -> None:
    """Remove what was staged, first of all that it is to be put back: half of it must never be."""
    with suppress(OSError):
        (staging / PLAN).unlink(missing_ok=True)
        shutil.rmtree(staging)


def _is_journal(games: Path) -> bool:
    """Whether a database has games, and nothing but rows: nothing in a journal runs by itself."""
    with closing(schema.connect(games)) as db:
        found = db.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    runs = any(
        kind not in ("table", "index") or str(sql).upper().startswith("CREATE VIRTUAL") for kind, _, sql in found
    )
    return not runs and any(name == "games" for _, name, _ in found)


def _check_room(state: BoardState, manifest: Manifest) -> None:
    free, needed = shutil.disk_usage(state.beside.parent).free, manifest.unpacked_bytes + SPARE_BYTES
    if free < needed:
        raise BadBackup(say("The card has {free} MB free, and putting this back needs {needed} MB: make room first.",
                            free=free >> 20, needed=-(-needed >> 20)))  # fmt: skip


def _made_ready(state: BoardState, new: Path) -> None:
    """Give the settings the passwords of this board, and settings and people the copies that stand in for them."""
    settings = new / SETTINGS
    if settings.exists():
        atomic_file.write(settings, settings_for(state.places()[SETTINGS], settings.read_bytes()), 0o600)
    for name in (SETTINGS, PEOPLE):
        if (new / name).exists():
            atomic_file.write(new / (name + COPY), (new / name).read_bytes(), 0o600)


def decide(state: BoardState) -> None:
    """Have what was staged put back by the next `finish`; raises `BadBackup`, and then nothing has changed."""
    try:
        _keep_measured(state)
        now = held(state.journal)
        brings = tuple(name for name in _targets(state) if (state.staging / NEW / name).exists())
        plan = PutBackPlan(str(state.journal), brings, now.games, now.entries)
        atomic_file.sync_folder(state.staging)
        atomic_file.write(state.staging / PLAN, msgspec.json.encode(plan), 0o600)
        atomic_file.sync_folder(state.staging.parent)
    except (OSError, sqlite3.Error) as error:
        _clear(state.staging)
        raise BadBackup(say("Nothing was put back: {why}. Try again.", why=why(error))) from error


def _keep_measured(state: BoardState) -> None:
    """Have what was measured here stay: it is of the boards that are here. Of others comes what the backup has."""
    for name in MEASURED:
        came = state.staging / NEW / name
        for file in state.places()[name].glob("*"):
            if file.is_file():
                came.mkdir(exist_ok=True)
                atomic_file.write(came / file.name, file.read_bytes(), 0o600)
    atomic_file.sync_folder(state.staging / NEW)


def finish(beside: Path) -> str:
    """Carry on with what was decided, if anything was, before anything of the board is opened.

    Returns "", or a sentence where it could not be done: then all is as it was.
    """
    staging = BoardState(beside, beside).staging
    try:
        plan = _plan(staging)
        if plan is None:
            _clear(staging)  # never decided, or done but for this
            return ""
        state = BoardState(Path(plan.journal), beside)
        lock = JournalLock(state.journal)
    except InUse:
        return ""  # a service runs here still: the one that begins is about to say so
    except OSError as error:
        return say("A backup cannot be put back now ({why}): it is tried at the next start.", why=why(error))
    try:
        return _carried_on(state, plan, lock)
    finally:
        lock.close()


def _plan(staging: Path) -> PutBackPlan | None:
    """Return what was decided; raises OSError where that cannot be read: what is aside may be all there is of it."""
    try:
        return msgspec.json.decode((staging / PLAN).read_bytes(), type=ready(PutBackPlan))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None


def _carried_on(state: BoardState, plan: PutBackPlan, lock: JournalLock) -> str:
    begun = (state.staging / OLD).exists()
    if not begun and not all((state.staging / NEW / name).exists() for name in plan.brings):
        _forget(state)
        return say("What was to be put back is gone: nothing was changed. Try again.")
    if not begun and _has_gone_on(state, plan):
        _forget(state)
        return say("A game went on while a backup was about to be put back: nothing was put back. Try again.")
    try:
        _exchange(state, plan)
        # What was known of the games that went is not missing from those that came.
        lock.write(JournalMark(), synced=True)
        _forget(state)
    except OSError as error:
        reason = why(error)
        try:
            _take_back(state, plan)
            _forget(state)
        except OSError:
            return say("A backup was put back in part only ({why}): it goes on at the next start.", why=reason)
        return say("A backup could not be put back ({why}): all is as it was.", why=reason)
    return ""


def _has_gone_on(state: BoardState, plan: PutBackPlan) -> bool:
    """Whether there is more than when this was decided, of which no copy was made."""
    try:
        now = held(state.journal)
    except (OSError, sqlite3.Error):
        return False  # it cannot be read, and is about to be replaced
    return (now.games, now.entries) != (plan.games, plan.entries)


def _targets(state: BoardState) -> dict[str, Path]:
    """Return all that makes room for a backup, by their names among the staged: first the journal, after its log."""
    places = state.places()
    found = {GAMES + extra: places[GAMES].with_name(places[GAMES].name + extra) for extra in schema.EXTRAS}
    found[GAMES] = places[GAMES]
    for name in (SETTINGS, PEOPLE):
        found[name] = places[name]
        found[name + COPY] = atomic_file.copy_of(places[name])
    return found | {name: places[name] for name in FOLDERS}


def _exchange(state: BoardState, plan: PutBackPlan) -> None:
    """Put what there is aside and what comes in its place. What an earlier start has done of it is not done again."""
    new, old = state.staging / NEW, state.staging / OLD
    if not old.is_dir():  # by which the next start knows that this was begun
        old.mkdir(mode=0o700)
        atomic_file.sync_folder(state.staging)
    targets = _targets(state)
    games_came = not (new / GAMES).exists()  # then a log beside them is their own
    for name, place in targets.items():
        if games_came and name.startswith(GAMES):
            continue
        if name == GAMES:
            _keep_names(state, targets)  # no games may come while a log of others can be beside them
        comes = name in plan.brings
        arrived = comes and not (new / name).exists()
        if place.exists() and not arrived and not (old / name).exists():
            place.rename(old / name)
        if comes and not arrived:
            (new / name).rename(place)
    _keep_names(state, targets)


def _keep_names(state: BoardState, targets: dict[str, Path]) -> None:
    """Have on disk what was renamed."""
    for folder in {*(place.parent for place in targets.values()), state.staging / OLD, state.staging / NEW}:
        if folder.is_dir():  # it may have failed before there was one
            atomic_file.sync_folder(folder)


def _take_back(state: BoardState, plan: PutBackPlan) -> None:
    """Put everything back where `_exchange` has taken it."""
    new, old = state.staging / NEW, state.staging / OLD
    came = {name for name in plan.brings if not (new / name).exists()}
    if GAMES in came:
        came |= {GAMES + extra for extra in schema.EXTRAS}
    targets = _targets(state)
    for name, place in reversed(targets.items()):
        if name in came and place.exists():
            place.rename(new / name)
        if (old / name).exists():
            (old / name).rename(place)
    _keep_names(state, targets)


def _forget(state: BoardState) -> None:
    """Let it be over: from here on nothing is carried on with. What is left is removed now, or at the next start.

    Raises OSError, and then it is not over.
    """
    (state.staging / PLAN).unlink(missing_ok=True)
    with suppress(OSError):
        atomic_file.sync_folder(state.staging)
        shutil.rmtree(state.staging)
