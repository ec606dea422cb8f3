"""A board's folder with all that a service keeps there, a backup of it, and what of it is there afterwards."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from pathlib import Path

from controller.backups.backup_file import Kind, Manifest, Occasion, write
from controller.backups.state import BoardState
from tests.journal.journals import copied

EVENING = datetime(2026, 11, 26, 23, 10, tzinfo=UTC)
PEOPLE = '{"profiles":[{"id":"a1","name":"Ann"},{"id":"b2","name":"Bea"}]}'
CHOSEN = 'brightness = 40\nhouse_broker = "home.local"\nhouse_password = "hush"\n'
SECRET = ("hush", "key-of-a-phone", "key-of-a-link", "key-of-a-push-service")


def furnished(folder: Path, journal: Path, people: str = PEOPLE, chosen: str = CHOSEN) -> BoardState:
    """Return a board with a copy of that journal and something of all that a service keeps beside it."""
    path = copied(journal, folder)
    state = BoardState(path, path)
    beside = {
        ".people.json": people, ".people.json.last-good": people, ".settings.toml": chosen,
        ".settings.toml.last-good": chosen, ".phones.json": "key-of-a-phone", ".notices.json": "key-of-a-push-service",
    }  # fmt: skip
    for ending, text in beside.items():
        path.with_name(path.name + ending).write_text(text)
    state.links.mkdir()
    (state.links / "old.log").write_text("key-of-a-link")
    for name in ("analyses", "variants", "learned", "kinds", "rests"):
        state.places()[name].mkdir()
    (state.places()["analyses"] / "1.json").write_text('{"of":1,"found":{}}')
    (state.places()["variants"] / "small.toml").write_text('game = "circle"\n')
    (path.parent / "learned" / "square144.toml").write_text('name = "square144"\n')
    (path.parent / "rests" / "cell36.json").write_text('{"board":"cell36","rests_mt":{}}')
    return state


def backed_up(state: BoardState, into: Path, kind: Kind = "asked", number: int = 1) -> tuple[Path, Manifest]:
    """Return a backup of ``state`` and what it says of itself."""
    path = into / "some.backup"
    return path, write(path, state, Occasion(number, kind, EVENING, "square144", "1.2"))


def whole(state: BoardState) -> dict[str, bytes]:
    """Return every file of the board that a backup is about, by its name."""
    found: dict[str, bytes] = {}
    for place in state.places().values():
        files = [*place.glob("*")] if place.is_dir() else [place, place.with_name(f"{place.name}.last-good")]
        found |= {
            each.relative_to(state.beside.parent).as_posix(): each.read_bytes() for each in files if each.exists()
        }
    return found


def parts(path: Path) -> dict[str, bytes]:
    """Return what a backup has in it, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewritten(path: Path, into: Path, changes: dict[str, bytes | None]) -> Path:
    """Write a backup anew with some parts changed, others added, and without those that are None."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**parts(path), **changes}.items():
            if content is not None:
                archive.writestr(name, content)
    return into
