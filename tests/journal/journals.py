"""A journal of several games to do damage to, and what is held against it afterwards."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from controller.game_setup import ClockRule
from controller.journal.database import Journal, JournalFailed
from controller.journal.recording import write
from controller.orders import NewGame, OfferDraw, Resign
from tests.service.evenings import TIDES, Evening

BESIDE = ("", "-wal", "-shm", ".lock")


def played(path: Path) -> Path:
    """Play three evenings' games: one resigned, one with its clock and a draw, one that is on."""
    evening = Evening(path).start().new_game().ply("c3-c4").set_up().ply("c6-b5").set_up().back(1).ply("b6-a6")
    evening.order(Resign(seat=0))
    clock = ClockRule(kind="increment", minutes=10, seconds=2)
    evening.order(NewGame(game=TIDES, seed=2, clock=clock)).set_up()
    for text in ("c3-c4", "c6-b5", "c2-d3"):
        evening.ply(text).set_up()
    evening.order(OfferDraw(seat=0)).order(OfferDraw(seat=1))
    evening.order(NewGame(game=TIDES, seed=3, clock=clock)).set_up()
    for text in ("c3-c4", "c6-b5", "c2-d3", "b6-a6"):
        evening.ply(text).set_up()
    evening.stop()
    return path


def copied(path: Path, folder: Path) -> Path:
    """Copy a journal with all that lies beside it."""
    folder.mkdir(parents=True)
    for extra in BESIDE:
        beside = path.with_name(path.name + extra)
        if beside.is_file():
            shutil.copyfile(beside, folder / beside.name)
    return folder / path.name


def contents(journal: Journal) -> dict[int, Any]:
    """Return what of each game can be read, and what is told of it: a text for a game that cannot be read."""
    found: dict[int, Any] = {}
    for listed in journal.listed(100):
        try:
            saved = journal.saved(listed.game_id)
            header, lines = journal.recording(listed.game_id)
        except JournalFailed as wrong:
            found[listed.game_id] = str(wrong)
            continue
        whole = msgspec.json.encode((saved.left, saved.seating, saved.t_us, listed.started)), *write(header, lines)
        found[listed.game_id] = (whole, saved.flaw or ("" if listed.started else "no date"))
    return found


def judged(path: Path, sound: dict[int, Any]) -> str:
    """Open a journal that was damaged, and return "whole", "told", or "silent: …" where something is gone untold."""
    with closing(Journal(path)) as journal:
        now = contents(journal)
        told = bool(journal.told)
        try:
            journal.last()
        except JournalFailed:
            told = True
    lost = []
    for game_id, (whole, _) in sound.items():
        if game_id not in now or isinstance(now[game_id], str) or now[game_id][0] != whole:
            lost.append(game_id)
            if not told and (game_id not in now or (isinstance(now[game_id], tuple) and not now[game_id][1])):
                return f"silent: game {game_id} is {now.get(game_id)}"
    return "told" if told or lost else "whole"
