"""What an explanation looks at: the game, what the hands have done, what that is by the rules, and what may follow.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest

import msgspec

from controller.table.gestures.certainty import answered_us, lifted_us, quiet_us
from controller.table.gestures.changes import FOREVER_US, NEVER_US
from controller.table.gestures.footprints import PlyFootprint, PositionFootprints
from controller.table.gestures.resolver import LAG_US, TouchEvidence, Verdict, alone, began_us, misfit, proved, resolve
from controller.table.lesson_guide import footprints_of
from controller.table.reading.by_kind import preferred
from controller.table.reading.concerned import concerned
from controller.table.reading.last_ply import goes_on
from controller.table.state import Ahead, HeldPly, Play, Table

replace = msgspec.structs.replace

AT_ONCE_US = 3_000_000  # two plies that are made at once end within this
BOTH_UP_TIMES = 6  # so many times the settling time the other hand is given to put its piece down, too
UNSEEN_TIMES = 10  # so many times the settling time a piece is up before a capture that nobody saw is asked for
MOST_STARTS = 12  # of two plies at once that are looked through: one of each look, then those that look alike


class ReadingContext(msgspec.Struct, frozen=True):
    """What an explanation looks at: the game, what the hands have done, and what that is by the rules.

    The sites that have ``begun`` are not as the position has them.
    """

    table: Table
    play: Play
    seen: TouchEvidence
    verdict: Verdict
    begun: int

    def lifted_us(self, sites: int) -> int:
        return lifted_us(self.seen, self.table.timing, sites)

    def answered_us(self, made: PlyFootprint, sites: int) -> int | None:
        """Return when it is sure that ``made`` was answered by lifting one of the ``sites`` beside its own."""
        return answered_us(self.seen, self.table.timing, made, sites & ~made.involved)

    def quiet_us(self, times: int = 1) -> int:
        return quiet_us(self.seen, self.table.timing, times)


def context_of(table: Table, play: Play) -> ReadingContext:
    weak, settled = table.weak & play.game_area.area, play.settled
    seen = settled.evidence(play.game_area.area & ~weak, table.now)
    seen = replace(seen, loose=seen.loose | weak)
    timing = table.timing
    verdict = resolve(settled.position, seen, timing.hold_ms * 1000, UNSEEN_TIMES * timing.settle_ms * 1000)
    if asked := preferred(table, play, verdict.asked) if len(verdict.asked) > 1 else ():
        verdict = replace(verdict, asked=asked) if len(asked) > 1 else alone(asked[0], settled.position, seen)
    if verdict.made and verdict.made.involved & weak:
        verdict = Verdict(asked=(verdict.made,))  # what hangs on a sensor that is not believed is asked for
    elif longer := goes_on(play, seen, verdict.early):
        verdict = Verdict(held=verdict.made, possible=longer)
    return ReadingContext(table, play, seen, verdict, seen.begun(settled.position.standing))


def unseen(context: ReadingContext) -> PlyFootprint | None:
    """Return the one ply that fits where nobody saw a piece move, if all of it lies there and none goes on from it.

    Where sensors tell sides, it is that player's hand that can go on from it, as from one that was seen.
    """
    asked, position = context.verdict.asked, context.play.settled.position
    if len(asked) != 1 or not asked[0].changed or asked[0].changed & ~context.seen.unseen:
        return None
    made = asked[0]
    longer = not context.play.game_area.layer and position.longer_than(made)
    return None if longer or not made.origin & made.empties or not made.fills else made


def stood_before(play: Play, standing: int) -> int | None:
    """Return after how many plies the board stood so last, before this position; None if it never did."""
    return next((to for to in reversed(range(len(play.standings) - 1)) if play.standings[to] == standing), None)


def silently_made(context: ReadingContext) -> Iterator[HeldPly]:
    """Yield the ply that the next player may have taken as made by answering it: the one held, or the turn's end.

    A turn that goes on ends by the one legal ply that no sensor sees and that concerns no site.
    """
    play = context.play
    if play.held and not context.verdict.possible and (play.held.made.silent or proved(play.held.made, context.seen)):
        yield play.held
    if (end := play.settled.position.turn_end) is not None:
        yield HeldPly(end, NEVER_US)


def ahead_of(play: Play, made: PlyFootprint) -> Ahead:
    """Return the position after ``made``."""
    plies = (*play.session.plies, made.text)
    if play.ahead is not None and play.ahead.session.plies == plies:
        return play.ahead
    session = play.session.played(made.text)
    return Ahead(session, footprints_of(session, play.game_area))


def hands_over(context: ReadingContext, ahead: Ahead) -> bool:
    """Whether a hand holds up a piece of the board's, which answers no turn by a ply of its own: the turn is over.

    Not one that is a store's in which the hand's own seat has units to go on with.
    """
    begun, session = context.begun, ahead.session
    if not session.thinking or context.verdict.possible or begun.bit_count() != 1 or begun & context.seen.now:
        return False
    (name,) = context.play.game_area.names(begun)
    piece, seat = context.play.settled.position.shape.get(name), session.clocked
    colour = session.game.colour(session.state, seat) if session.game.colour and seat is not None else seat
    return piece is not None and piece.seat == colour and not concerned(context.play, name)


def answer_to(context: ReadingContext, first: PlyFootprint, ahead: Ahead) -> Verdict:
    """Return how the board reads if ``first`` was made before what is seen on it."""
    if ahead.session.final:
        return Verdict()
    return resolve(ahead.position, replace(context.seen, loose=first.chores))


def came_instead(context: ReadingContext, made: PlyFootprint, early: int) -> tuple[PlyFootprint, ...]:
    """Return the plies of the same piece after which one of the ``early`` pieces may have come to where ``made`` ends.

    Those end where a piece is taken off at once, or was replaced, or are captures that nobody saw, once they have been
    asked for.
    """
    seen, found = context.seen, []
    up_us = seen.last_on.get(made.landing, NEVER_US) - seen.left.get(made.origin, seen.last_us)
    for first in context.play.settled.position.footprints:
        trampled = first.chores & first.landing and proved(first, seen)
        unseen = first.refills and up_us >= UNSEEN_TIMES * context.table.timing.settle_ms * 1000
        replaced = first.refills and proved(first, seen)
        if first.origin == made.origin and first is not made and (trampled or unseen or replaced):
            answer = answer_after(context, first).made
            if answer and answer.origin & early and answer.landing == made.landing:
                found.append(first)
    return tuple(found)


def stopped_between(context: ReadingContext, origin: int, landing: int) -> tuple[PlyFootprint, ...]:
    """Return the plies after which the same player's piece may have come from ``origin`` to ``landing`` by another one.

    Its hand has set it down where such a ply ends, or carried it low over that site, which sensors do not tell apart.
    Of a piece off a stack, whose ``origin`` is 0, that is known only where it has rested.
    """
    seen, left_us = context.seen, context.seen.last_off.get(origin, NEVER_US)

    def leads_on(first: PlyFootprint) -> bool:
        after = ahead_of(context.play, first).position.footprints
        return any(f.origin == first.landing and f.landing == landing for f in after)

    passed = sum(bit for bit, us in seen.last_on.items() if us >= left_us and bit & ~seen.now)
    if not origin:
        passed &= _rested_on(context)
    goes = (f for f in context.play.settled.position.footprints if f.origin == origin)
    return tuple(first for first in goes if first.landing & passed and leads_on(first))


def _rested_on(context: ReadingContext) -> int:
    """Return the sites on which a piece came to stand for as long as a ply rests, and was lifted again."""
    rests_us, found = context.table.timing.settle_ms * 1000, 0
    came_us: dict[int, int] = {}
    for change in context.seen.changes:
        if change.on:
            came_us[change.bit] = change.t_us
        elif change.t_us - came_us.get(change.bit, change.t_us) >= rests_us:
            found |= change.bit
    return found


def swaps(context: ReadingContext) -> Iterator[PlyFootprint]:
    """Yield the captures by a piece that is gone from where it stood, whose victim stood where it lands."""
    for footprint in context.play.settled.position.footprints:
        if footprint.refills and footprint.origin & context.begun & ~context.seen.now:
            yield footprint


def swapped_and_answered(context: ReadingContext) -> tuple[PlyFootprint, ...]:
    """Return the captures of which nothing was seen but the attacker leaving, if the next player has answered."""
    return tuple(f for f in swaps(context) if answer_after(context, f).made is not None)


def swapped_and_refilled(context: ReadingContext) -> tuple[PlyFootprint, ...]:
    """Return the captures of which nothing was seen but the attacker leaving, if the answer has come to where that one
    had stood: it looks as if the attacker had been put back.
    """
    seen, up = context.seen, context.begun & ~context.seen.now
    lifted_us = min((us for bit, us in seen.last_off.items() if bit & up), default=FOREVER_US)
    back = sum(bit for bit, us in seen.last_on.items() if us > lifted_us and bit & seen.now & seen.lifted)
    fitting = (f for f in context.play.settled.position.footprints if f.refills and f.origin & back & ~f.landing)
    return tuple(f for f in fitting if _comes_to_origin(context, f))


def _comes_to_origin(context: ReadingContext, first: PlyFootprint) -> bool:
    answer = answer_to(context, first, ahead_of(context.play, first))
    return answer.made is not None and not answer.early and answer.made.landing == first.origin


def answer_after(context: ReadingContext, first: PlyFootprint) -> Verdict:
    """Return how the board reads after ``first``, or after that has ended a turn that could go on."""
    ahead = ahead_of(context.play, first)
    answer = answer_to(context, first, ahead)
    if answer.made is not None or (end := ahead.position.turn_end) is None:
        return answer
    session = ahead.session.played(end.text)
    after = Ahead(session, footprints_of(session, context.play.game_area))
    return answer_to(context, first, after)


def made_beside_a_knock(context: ReadingContext) -> tuple[PlyFootprint, ...]:
    """Return the plies that explain all that was touched but one piece or two which are up, perhaps knocked off."""
    seen, found = context.seen, []
    for made in context.play.settled.position.footprints:
        up = misfit(made, seen)
        if up and not up & (seen.now | ~seen.lifted | made.involved) and up.bit_count() <= 2 and proved(made, seen):
            found.append(made)
    return tuple(found)


def still_up(context: ReadingContext, answer: PlyFootprint, early: int) -> bool:
    """Whether one of the ``early`` sites was emptied before the ``answer`` began."""
    answer_us = began_us(answer, context.seen)
    return any(bit & early and t_us < answer_us for bit, t_us in context.seen.last_off.items())


def let_go(context: ReadingContext, swap: PlyFootprint) -> bool:
    """Whether the piece on the goal was gone for a moment while the attacker was up, or nobody saw what happened."""
    seen = context.seen
    if swap.origin & seen.unseen:
        return True
    lifted_us = seen.left.get(swap.origin, NEVER_US) - LAG_US
    back_us = [context.play.settled.blind_us, *(t_us for t_us, _ in seen.gaps.get(swap.landing, ()))]
    back_us += [flicker.t_us for flicker in context.table.flickers if flicker.bit == swap.landing]
    return max(back_us) >= lifted_us


def pairs(context: ReadingContext) -> Iterator[tuple[PlyFootprint, PlyFootprint]]:
    """Yield two plies each that explain together all that was touched; between them a turn may end by itself.

    A piece that is up besides speaks against both: it may be on its way to either goal, or still to be taken. One that
    stood astray before the first hand began is a victim set aside, and no part of an answer.
    """
    play, seen = context.play, context.seen
    starts: dict[PlyFootprint, list[PlyFootprint]] = {}  # by how they look: promotions look alike
    for footprint in play.settled.position.footprints:
        if footprint.path and proved(footprint, seen) and not astray_before(context, footprint):
            starts.setdefault(replace(footprint, text=""), []).append(footprint)
    firsts = (first for each in zip_longest(*starts.values()) for first in each if first is not None)
    for first in islice(firsts, MOST_STARTS):
        ahead = ahead_of(play, first)
        ways = [ahead]
        if (end := ahead.position.turn_end) is not None:
            session = ahead.session.played(end.text)
            ways.append(Ahead(session, footprints_of(session, play.game_area)))
        for way in ways:
            answer = answer_to(context, first, way)
            fitting = (None if answer.early else answer.made, *answer.asked)
            seconds = [f for f in fitting if f and f.path and _together(first, f, seen)]
            yield from ((first, second) for second in seconds)
            if seconds:
                break


def in_turn(context: ReadingContext, first: PlyFootprint, second: PlyFootprint) -> bool:
    """Whether the first piece was lifted first, and had rested when the second one came: so people play."""
    seen, rests_us = context.seen, context.table.timing.settle_ms * 1000
    rested = _came_us(second, seen) - _came_us(first, seen) >= rests_us
    return rested and began_us(first, seen) <= began_us(second, seen)


def _came_us(made: PlyFootprint, seen: TouchEvidence) -> int:
    return seen.last_on.get(made.landing, NEVER_US)


def played_in_turn(context: ReadingContext) -> tuple[PlyFootprint, ...]:
    """Return the plies that explain, with one of the next player's, all that was touched, and were begun or ended
    before that one: who takes both back begins and ends with the later one.
    """
    seen = context.seen

    def before(first: PlyFootprint, second: PlyFootprint) -> bool:
        return began_us(first, seen) <= began_us(second, seen) or _came_us(first, seen) <= _came_us(second, seen)

    return tuple(dict.fromkeys(first for first, second in pairs(context) if before(first, second)))


def unfinished(made: PlyFootprint, position: PositionFootprints) -> tuple[PlyFootprint, ...]:
    """Return the plies that end where ``made`` does and take more: its hand may not be done yet."""
    return tuple(f for f in position.longer_than(made) if f.landing == made.landing)


def fullest(plies: Iterable[PlyFootprint]) -> tuple[PlyFootprint, ...]:
    """Return those of which none explains all that another one does, and more."""
    each = tuple(dict.fromkeys(plies))
    return tuple(f for f in each if not any(f.changed & g.changed == f.changed != g.changed for g in each))


def _together(first: PlyFootprint, second: PlyFootprint, seen: TouchEvidence) -> bool:
    """Whether the second piece landed when the first hand had begun: else it had been astray before.

    One from beside the board came after the first had landed: else it is a victim that was set aside.
    """
    landed_us = seen.last_on.get(first.landing, NEVER_US)
    first_us = began_us(first, seen) if second.origin else landed_us
    second_us = seen.last_on.get(second.landing, NEVER_US)
    return second_us >= max(first_us - LAG_US, landed_us - AT_ONCE_US)


def astray_before(context: ReadingContext, made: PlyFootprint) -> bool:
    """Whether something stood where it does not belong before the hand began that has ``made`` a ply: no answer."""
    seen, before_us = context.seen, began_us(made, context.seen) - LAG_US
    others = context.begun & seen.now & ~(made.changed | made.chores)  # a way over a cell leaves nothing there
    return any(bit & others and us < before_us for bit, us in seen.last_on.items())
