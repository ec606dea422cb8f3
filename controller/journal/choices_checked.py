"""What was chosen in secret in a game between boards, held to what the seats were bound to: from a recording alone.

The check trusts no board but the one that made the recording.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.commitments import Committed, fits
from controller.journal.recording import Recording, replay
from controller.sentences import say
from controller.table.session import Session


class Checked(msgspec.Struct, frozen=True):
    """A choice: of the seat called ``name``, ``bound_us`` and ``shown_us`` after the recording began, the second None
    where it was never shown. ``wrong`` is what is wrong with it, "" where nothing is.
    """

    name: str
    what: Committed
    bound_us: int
    shown_us: int | None
    wrong: str = ""


def checked(recording: Recording) -> list[Checked]:
    """Return every choice of the recording, in the order in which the seats were bound.

    Raises `ValueError` where the recording does not replay.
    """
    bound, shown = dict[str, int](), dict[str, int]()
    whats = dict[str, Committed]()
    session: Session | None = None
    times = [0, *(line.t_us for line in recording.lines)]
    for t_us, (table, _) in zip(times, replay(recording), strict=True):
        if table.play is None:
            continue
        session = table.play.session
        for each in session.promises.all:
            commit = each.what.commit
            whats[commit] = each.public
            bound.setdefault(commit, t_us)
            if each.shown:
                shown.setdefault(commit, t_us)
    if session is None:
        return []
    # What does not fit is not taken when it is replayed; what the board wrote down itself must fit all the same.
    for line in recording.lines:
        for each in line.promises.all if line.promises else ():
            commit = each.what.commit
            bound.setdefault(commit, line.t_us)
            whats.setdefault(commit, each.public)
            if each.shown and commit not in shown:
                shown[commit], whats[commit] = line.t_us, each.what
    names = session.game.facts.seats
    found = []
    for commit, what in whats.items():
        rivals = [other.commit for other in whats.values() if other.made == what.made]
        early = commit in shown and any(bound[other] > shown[commit] for other in rivals)
        wrong = _wrong(session, what, early) if commit in shown else ""
        found.append(Checked(say(names[what.seat]), what, bound[commit], shown.get(commit), wrong))
    return found


def _wrong(session: Session, what: Committed, early: bool) -> str:
    if not fits(session.name, session.seed, what):
        return say("what was opened is not what was sealed")
    if early:
        return say("it was opened before all had sealed")
    played = [each.text for each in session.positions[1:] if each.secret and each.seat == what.seat]
    if played and not _within(list(what.plies), played):
        return say("other moves were played than were sealed")
    return ""


def _within(part: Sequence[str], whole: Sequence[str]) -> bool:
    return any(list(whole[n : n + len(part)]) == list(part) for n in range(len(whole) - len(part) + 1))
