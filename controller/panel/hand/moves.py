"""Which plies a tap from one site to another may mean.

Pure functions of a game on the table. Sites are the game's names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_

import msgspec

from controller.rules.game import Piece, Walk
from controller.table.gestures.footprints import PlyFootprint, settled_position
from controller.table.lesson_guide import chain_landings, handed_over, lead
from controller.table.reading.last_ply import going_on, next_landings
from controller.table.state import Play
from controller.table.views.choices import listed
from controller.table.views.types import Choice


def plies_between(play: Play, origin: str, target: str) -> tuple[PlyFootprint, ...]:
    """Return the legal plies of the piece on ``origin`` that end on ``target``, or give something to it."""
    left, reached = play.game_area.at(origin), play.game_area.at(target)
    found = []
    for footprint in play.settled.position.footprints:
        if footprint.origin:
            if footprint.origin & left and footprint.landing & reached:
                found.append(footprint)
        elif footprint.at & left or footprint.landing & reached:
            walk = _walk(play, footprint)
            ends = {walk.at, *walk.path[-1:]}
            if {origin, target} <= {*ends, *walk.concerns} and origin != target:
                found.append(footprint)
    return tuple(found)


def awaited(play: Play) -> str:
    """Return the ply for which a lesson waits; "" where it waits for none, and outside of lessons."""
    return play.session.expected if play.session.lesson else ""


def strays(play: Play, origin: str, target: str) -> str:
    """Return a legal ply of the piece on ``origin`` that ends on ``target``, where a lesson goes on with another one;
    of several the shortest. "" where there is none.
    """
    if not awaited(play):
        return ""
    legal = plies_between(_unled(play), origin, target)
    return min((f.text for f in legal if f.text != awaited(play)), key=len, default="")


def asked_beside(play: Play, footprint: PlyFootprint) -> tuple[PlyFootprint, ...]:
    """Return the plies of a lesson's position among which a person would choose in play whose piece goes as that of
    ``footprint``: what a turn begins with no move tells. Nothing where it tells all, and in a puzzle, which is shown.
    """
    if play.session.lesson is None or play.session.lesson.puzzle or len(footprint.path) < 2:
        return ()
    same = tuple(f for f in _unled(play).settled.position.footprints if f.path == footprint.path)
    return same if len(same) > 1 else ()


def _unled(play: Play) -> Play:
    """Return ``play`` with every legal ply, whatever its lesson waits for."""
    session = play.session
    free = msgspec.structs.replace(play.settled, position=settled_position(session.game, session.state, play.game_area))
    return msgspec.structs.replace(play, settled=free)


def plies_taking(play: Play, origin: str, victim: str) -> tuple[PlyFootprint, ...]:
    """Return the legal plies of the piece on ``origin`` that take the one on ``victim`` in passing."""
    left, taken = play.game_area.at(origin), play.game_area.at(victim)
    return tuple(
        footprint
        for footprint in play.settled.position.footprints
        if footprint.origin & left and footprint.empties & ~footprint.origin & taken
    )


def end_of_way(play: Play, origin: str, target: str) -> str:
    """Return where the piece on ``origin`` stops that may land on ``target`` on its way; "" where it stops at several
    sites or cannot land there.
    """
    left, reached = play.game_area.at(origin), play.game_area.at(target)
    ends = {
        footprint.landing
        for footprint in play.settled.position.footprints
        if footprint.origin & left and any(bit & reached for bit in footprint.path[1:-1])
    }
    return "".join(play.game_area.names(ends.pop())[:1]) if len(ends) == 1 else ""


def by_landings(play: Play) -> bool:
    """Whether a longer way is made by tapping its landings: between boards the other one has each ply at once."""
    return not play.session.afar.seats


def in_one_step(plies: tuple[PlyFootprint, ...]) -> tuple[PlyFootprint, ...]:
    """Return those of ``plies`` that a finger means which taps no landing on the way; all where there are none such.

    Who means a longer way taps its landings one after the other. A store that stays filled leaves no site, so its ply
    has one landing or none: it is as short as the one that empties the store.
    """
    return tuple(f for f in plies if len(f.path) <= 2) or plies


def ways_by_landing(play: Play, plies: Sequence[PlyFootprint]) -> dict[str, str]:
    """Return which of ``plies`` comes down first on which site, "" where several do; nothing unless that tells some
    apart and each landing may be tapped.
    """
    firsts: dict[int, list[str]] = {}
    for footprint in plies:
        if len(footprint.path) > 2:
            firsts.setdefault(footprint.path[1], []).append(footprint.text)
    origins = {f.origin for f in plies}
    stops = {f.landing for f in play.settled.position.footprints if f.origin in origins and len(f.path) == 2}
    if not firsts.keys() <= stops or len(firsts) < 2:
        return {}
    names = play.game_area.names
    return {name: texts[0] if len(texts) == 1 else "" for bit, texts in firsts.items() for name in names(bit)}


def plies_onto(play: Play, target: str, piece: Piece | None = None) -> tuple[PlyFootprint, ...]:
    """Return the legal plies that put a ``piece`` from beside the board on ``target``, or change what stands there.

    Without a piece those that bring any; what needs a second site is found by `plies_between`.
    """
    reached = play.game_area.at(target)
    found = []
    for footprint in play.settled.position.footprints:
        if footprint.origin or not (footprint.at & reached or footprint.landing & reached):
            continue
        walk = _walk(play, footprint)
        if walk.concerns and walk.at:
            continue
        if piece is None or (walk.path and shape_after(play, footprint.text).get(target) == piece):
            found.append(footprint)
    return tuple(found)


def stays_put(play: Play, site: str) -> bool:
    """Whether the piece on ``site`` has plies but none that takes it or its units anywhere."""
    here = play.game_area.at(site)
    at = [f for f in play.settled.position.footprints if (f.origin | f.at | f.landing) & here]
    goes = any(f.origin & here or _walk(play, f).concerns for f in at if f.origin or f.at & here)
    gives = any(site in _walk(play, f).concerns for f in play.settled.position.footprints if len(f.path) == 1)
    return bool(at) and not goes and not gives


def plies_staying(play: Play, site: str) -> tuple[PlyFootprint, ...]:
    """Return the legal plies of the piece on ``site`` that move no piece: a hand on wood holds it, and puts it back."""
    here = play.game_area.at(site)
    return tuple(f for f in play.settled.position.footprints if f.silent and f.at & here)


def taps_twice(play: Play) -> bool:
    """Whether a piece that is to be held is tapped twice: in play and in a lesson, in no puzzle that is shown."""
    shown = awaited(play) and play.session.lesson and play.session.lesson.puzzle
    return play.session.game.facts.hold and not shown


def may_leave(play: Play, site: str) -> bool:
    """Whether some legal ply takes the piece on ``site`` elsewhere, whatever a lesson waits for."""
    here = play.game_area.at(site)
    return any(f.origin & here for f in (_unled(play) if awaited(play) else play).settled.position.footprints)


def is_led_to_hold(play: Play, site: str) -> bool:
    """Whether a lesson waits for the piece on ``site`` to be held: it is tapped twice."""
    return bool(site and awaited(play) and plies_staying(play, site))


def is_led_to(play: Play, site: str, now: int) -> bool:
    """Whether a lesson lights ``site`` as where something goes or is taken off, by the ply that it waits for."""
    if not awaited(play):
        return False
    led = lead(play, now)
    return bool(play.game_area.at(site) & (led.go | led.take))


def landing_after(play: Play, target: str) -> str:
    """Return where the piece of a lesson lands next after ``target`` on its way; "" where it does not land there."""
    here, names = play.game_area.at(target), play.game_area.names
    return next(("".join(names(other)[:1]) for one, other in pairwise(chain_landings(play)) if one & here), "")


def taken_until(play: Play, target: str) -> tuple[str, ...]:
    """Return whom the piece of a lesson has taken on its way when it lands on ``target``, as `landing_after` has it."""
    here = play.game_area.at(target)
    (footprint,) = play.settled.position.footprints
    jumps = next(n for n, bit in enumerate(chain_landings(play), 1) if bit & here)
    return tuple(_walk(play, footprint).takes[:jumps])


def origin_of_lesson(play: Play) -> str:
    """Return where the piece stands that a lesson's ply moves, whatever else it does; "" where it moves none."""
    if start := handed_over(play)[0]:
        return start
    origin = reduce(or_, (f.origin for f in play.settled.position.footprints), 0) if play.session.expected else 0
    return "".join(play.game_area.names(origin)[:1])


def may_mean_holding(play: Play, site: str) -> bool:
    """Whether lifting the piece on ``site`` and putting it back after a while may be read as a ply of its own."""
    here = play.game_area.at(site)
    return any(
        (f.silent and f.at & here) or (f.refills & here and not f.origin) for f in play.settled.position.footprints
    )


def further(play: Play, target: str) -> str:
    """Return the ply that goes on from the last one to ``target``: who taps the landings of a chain one after the other
    means all of it. "" where no way leads there, or several do.
    """
    reached = play.game_area.at(target)
    if not next_landings(play):
        return ""
    longer = sorted((f for f in going_on(play) if f.landing & reached), key=lambda f: len(f.path))
    if not longer or (len(longer) > 1 and len(longer[1].path) == len(longer[0].path)):
        return ""
    return longer[0].text


def victims_left(play: Play, now: int) -> tuple[str, ...]:
    """Return the sites of pieces that are still to be taken off so that a capture is complete; the rest is done."""
    area = play.game_area
    for footprint in (*play.verdict.possible, *play.verdict.asked):
        differs = (now ^ footprint.done) & area.area & ~play.settled.pending_chores
        moved = footprint.fills & now or footprint.refills & now
        if differs and not differs & ~(footprint.empties & now & ~footprint.origin) and moved:
            return area.names(differs)
    return ()


def choices_of(play: Play, footprints: Sequence[PlyFootprint]) -> list[Choice]:
    """Return these plies as a person chooses among them."""
    return list(listed(play.session.game, play.session.state, [footprint.text for footprint in footprints]))


def has_price(play: Play, footprint: PlyFootprint) -> bool:
    """Whether a person is told what a ply costs before it is made."""
    game, state = play.session.game, play.session.state
    dial = game.dial(state, game.read(state, footprint.text)) if game.dial else None
    return dial is not None and bool(dial.note)


def spends_in_passing(play: Play, held: str, footprint: PlyFootprint) -> bool:
    """Whether a ply is paid by the piece lifted from ``held`` but moves another one: nobody makes it by the way."""
    return not footprint.origin and held in _walk(play, footprint).concerns


def told_apart(
    play: Play, chosen: tuple[PlyFootprint, ...], piece: str, start: str, ply: str
) -> tuple[tuple[PlyFootprint, ...], bool]:
    """Return which plies a tap may mean, and whether that is one and clear enough to be made without a question.

    The tap moves the ``piece`` with that id, which was lifted from ``start``, and may name the ``ply``; each may be "".
    Without a piece it is clear where no piece can be moved: there is nothing but to put one down.
    """
    # In a lesson it is clear what is meant: where there is nothing to choose in play either, nothing is asked.
    led = bool(play.session.expected) and (bool(play.session.lesson) or all(each.silent for each in chosen))
    if led and not ply and len(chosen) == 1:
        chosen = asked_beside(play, chosen[0]) or chosen
    if len(chosen) != 1:
        return chosen, False
    puts_down = bool(chosen[0].path) and not any(each.origin for each in play.settled.position.footprints)
    told = (bool(piece) or puts_down) and not has_price(play, chosen[0])
    return chosen, bool(ply) or led or (told and not spends_in_passing(play, start, chosen[0]))


def shape_after(play: Play, text: str) -> Mapping[str, Piece]:
    """Return what should stand once ``text`` is made."""
    game, state = play.session.game, play.session.state
    return game.shape(game.after(state, game.read(state, text)))


def as_if_made(play: Play, text: str) -> Play:
    """Return ``play`` with the pieces to stand as after the ply ``text``, which nobody has yet."""
    return standing_as(play, shape_after(play, text))


def standing_as(play: Play, shape: Mapping[str, Piece]) -> Play:
    """Return ``play`` with the pieces to stand as in ``shape``."""
    position = msgspec.structs.replace(play.settled.position, shape=shape)
    return msgspec.structs.replace(play, settled=msgspec.structs.replace(play.settled, position=position))


def pieces_of(play: Play) -> Counter[Piece]:
    """Return which pieces there are: those of the position, and those taken in the game that lie beside it."""
    taken = (piece for _, piece in play.session.positions[-1].captures)
    return Counter((*play.settled.position.shape.values(), *taken))


def _walk(play: Play, footprint: PlyFootprint) -> Walk:
    game, state = play.session.game, play.session.state
    return game.walk(state, game.read(state, footprint.text))
