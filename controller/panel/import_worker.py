"""The process beside the service in which games are read that somebody brought: see `controller.panel.import_process`.

Text comes in by its input, out goes a `Report`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

import msgspec

from controller.fault_report import frames
from controller.journal.excerpt import tail
from controller.journal.game_text import from_text
from controller.journal.recording import BadRecording, parse, replay, write
from controller.limited_process import answering
from controller.orders import NewGame
from controller.panel.import_process import Report, packed
from controller.rules.game import Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.sentences import ENGLISH, say
from controller.table.session import begin

LAST_US = 5 * 60 * 1_000_000


def brought(text: str) -> tuple[NewGame, str]:
    """Return the order that begins the game in ``text``, and what it is; raises what reading it raises."""
    order = _from_recording(text) if text.lstrip().startswith("{") else from_text(text)
    begun = begin(order.game, order.options, order.seed or 0, order.lesson, variant=order.variant)
    session = begun.through(order.plies, given=len(order.plies))
    game, count = session.title, len(session.plies)
    one = say("{game}, 1 move", game=game)
    return order, one if count == 1 else say("{game}, {count} moves", game=game, count=count)


def _from_recording(text: str) -> NewGame:
    recording = parse(text, named=True)
    order = recording.header.order
    for table, _ in replay(recording):
        if table.play:
            order = msgspec.structs.replace(order, plies=table.play.session.plies)
    return order


def last_minutes(text: str) -> tuple[str, str]:
    """Return the last minutes of the recording in ``text``; raises `BadRecording`."""
    return "".join(f"{line}\n" for line in write(*tail(parse(text, named=True), LAST_US))), ""


WORKS: dict[str, Callable[[str], tuple[Any, str]]] = {"import": brought, "last-minutes": last_minutes}


def report(work: str, text: str) -> Report:
    """Return the report of ``work`` on ``text``."""
    try:
        found, words = WORKS[work](text)
    except (BadRecording, NoSuchGame, BadOption, Illegal, Unreadable) as wrong:
        return Report(refused=packed(str(wrong)))
    return Report(found, packed(words))


def _tell_fault(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
    """Write the log's part of an internal error: its text would quote the game."""
    sys.stderr.write(frames(error))


def main(limits: str, work: str) -> int:
    """Do ``work``; return the exit status."""
    sys.excepthook = _tell_fault

    def done(text: bytes) -> bytes:
        return msgspec.json.encode(report(work, text.decode(errors="surrogatepass")), enc_hook=ENGLISH)

    return answering(limits, done)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
