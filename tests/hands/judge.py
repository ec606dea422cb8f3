"""What became of a story: holds what is on record, and what ever was, against the truth.

Must not know any one story, game or kind of sensor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from controller.orders import PlayPly, TakeBack
from controller.table.notes import PlyMade, TakenBack
from tests.hands import seen
from tests.hands.positions import poles
from tests.hands.teller import Plies, Teller

OUTCOMES = ("right", "asked", "needless", "complained", "withdrawn", "stuck", "wrong")
FAULTS = ("wrong", "withdrawn", "stuck", "complained")
QUIET_MS = 3000
RESTED_US = 1_000_000  # from then on a ply that is on record counts as rested


class Outcome(NamedTuple):
    """``kind`` is one of `OUTCOMES`; ``why`` says what was on record, for who looks at it."""

    kind: str
    why: str = ""


class Spell(NamedTuple):
    """Plies since the story began that were on record, from when until when."""

    plies: Plies
    from_us: int
    until_us: int
    base: bool  # whether the plies before the story stood


def judge(teller: Teller) -> Outcome:
    """Let it rest, answer what is asked, put all right as the lights ask, and say how it was read."""
    world, truth = teller.world, teller.truth
    assert truth is not None, "the truth comes first"
    world.rest(QUIET_MS)
    asked = seen.asks(world.table)
    if asked and _plies(teller) not in truth.finals:
        _answer(teller)
    found = _plies(teller)
    if found not in truth.finals:
        return _missed(teller, found)
    spoilt = _needless_complaint(teller)
    if (fault := _put_right(teller)) is not None:
        return fault
    if (fault := _taken_back(teller)) is not None:
        return fault
    if spoilt:
        return Outcome("complained", spoilt)
    if asked:
        return Outcome("asked" if truth.ask else "needless")
    return Outcome("right")


def _plies(teller: Teller) -> Plies:
    """Return the plies on record since the story began; something else where those before it do not stand."""
    base, on_record = teller.place.plies, seen.plies(teller.world.table)
    return on_record[len(base) :] if on_record[: len(base)] == base else ("taken back too far", *on_record)


def _answer(teller: Teller) -> None:
    """Answer what the board asks with what is true: on the phone, or with a piece on the lit site."""
    world, truth = teller.world, teller.truth
    assert truth is not None
    for _ in range(4):
        so_far = _plies(teller)
        wanted = next((final for final in truth.finals if final[: len(so_far)] == so_far and final != so_far), None)
        again = truth.finals[0][-1:] if so_far in truth.undone else ()  # it may be asked what became of the last ply
        if wanted is None and again and again[0] in seen.asked(world.table):
            world.order(PlayPly(text=again[0]))
            world.wait(700)
            return
        if wanted is None and so_far in truth.undone:
            world.order(TakeBack(to=len(teller.place.plies) + len(truth.finals[0])))
            world.wait(700)
            return
        if wanted is None:
            return
        text = wanted[len(so_far)]
        site = seen.lit_choices(world.table).get(text)
        if site is not None and site not in world.lying and teller.chance(0.5):
            touch_choice(teller, site)
        else:
            world.order(PlayPly(text=text))
        world.wait(700)
        if _plies(teller) in truth.finals:
            return


def touch_choice(teller: Teller, site: str) -> None:
    """Put a piece on a lit site, let it rest there, and take it off."""
    world = teller.world
    world.put(site, teller.random.choice((1, -1)))
    world.wait(teller.between(420, 900))
    world.lift(site)


def _missed(teller: Teller, found: Plies) -> Outcome:
    """Say how bad it is that what is on record is no truth."""
    world, truth = teller.world, teller.truth
    assert truth is not None
    why = f"{'; '.join(found) or 'nothing'} instead of {' or '.join('; '.join(f) or 'nothing' for f in truth.finals)}"
    if not any(final[: len(found)] == found for final in truth.finals):
        return Outcome("wrong", why)
    if truth.blind and seen.complains(world.table):
        return Outcome("complained", f"{why}: {world.table.advice}")
    return Outcome("stuck", f"{why}: {world.table.advice}")


def _needless_complaint(teller: Teller) -> str:
    """Return what the board says against a position that stands as it should."""
    table = teller.world.table
    right = poles(seen.game_of(table).shape(seen.state_of(table)))
    lies = {name: pole if teller.kind.poles else right.get(name) for name, pole in teller.world.lying.items()}
    return table.advice if lies == right and seen.complains(table) else ""


def _put_right(teller: Teller) -> Outcome | None:
    """Do what the lights ask for; return what is wrong with the board then."""
    world, truth = teller.world, teller.truth
    assert truth is not None
    if world.table.phase == "over":
        return None
    right = poles(seen.game_of(world.table).shape(seen.state_of(world.table)))
    for name in teller.shuffled(name for name in world.lying if name not in right):
        world.lift(name)
        world.wait(teller.between(250, 450))
    for name in teller.shuffled(right):
        if world.lying.get(name) == right[name] or (name in world.lying and not teller.kind.poles):
            continue
        if name in world.lying:
            world.lift(name)
            world.wait(teller.between(250, 450))
        world.put(name, right[name])
        world.wait(teller.between(250, 450))
    world.rest(1000)
    if (found := _plies(teller)) not in truth.finals:
        return Outcome("wrong", f"putting right made {'; '.join(found) or 'nothing'}")
    if not seen.stands(world.table):
        return Outcome("stuck", f"the board is never right: {world.table.advice}")
    return None


def _taken_back(teller: Teller) -> Outcome | None:
    """Return what was on record and should not have been, or was withdrawn though it was right."""
    truth, last = teller.truth, teller.world.t_us
    assert truth is not None
    spells = list(_spells(teller))
    for spell, following in zip(spells, [*spells[1:], None], strict=True):
        why = "; ".join(spell.plies) or "nothing"
        kept = any(final[: len(spell.plies)] == spell.plies for final in truth.finals)
        undone = truth.undone.get(spell.plies)
        allowed = undone is not None and spell.from_us >= undone
        if not spell.base or not (kept or undone is not None):
            rested = (following.from_us if following else last) - spell.from_us >= RESTED_US
            return Outcome("wrong" if rested else "withdrawn", f"{why} was on record")
        goes_on = following is None or following.plies[: len(spell.plies)] == spell.plies
        if not goes_on and not allowed:
            return Outcome("withdrawn", f"{why} was withdrawn")
    return None


def _spells(teller: Teller) -> Iterator[Spell]:
    """Yield what was on record, one list of plies after the other."""
    base = teller.place.plies
    record, since = list(base), 0
    for note in teller.world.notes:
        if not isinstance(note, PlyMade | TakenBack):
            continue
        stood = tuple(record[: len(base)]) == base
        yield Spell(tuple(record[len(base) :]), since, note.t_us, stood)
        since = note.t_us
        record = [*record[: note.n - 1], note.text] if isinstance(note, PlyMade) else record[: note.to]
    yield Spell(tuple(record[len(base) :]), since, teller.world.t_us, tuple(record[: len(base)]) == base)
