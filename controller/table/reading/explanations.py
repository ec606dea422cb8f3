"""Reads the board: from what changed, and when, to plies, take-back, and what is wrong.

The first that fits is the one that is shown; it is acted upon once it is sure, and until then nothing is recorded, said
or clocked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import msgspec

from controller.table.gestures.certainty import counts_us, quiet_us
from controller.table.gestures.changes import NEVER_US
from controller.table.gestures.footprints import PlyFootprint
from controller.table.gestures.resolver import STICKS_US, TouchEvidence, Verdict, misfit, proved, set_aside
from controller.table.progress import begin_anew, go_back, set_up
from controller.table.reading.by_kind import preferred, rests_us
from controller.table.reading.context import (
    BOTH_UP_TIMES,
    UNSEEN_TIMES,
    ReadingContext,
    ahead_of,
    answer_after,
    answer_to,
    astray_before,
    came_instead,
    context_of,
    fullest,
    hands_over,
    in_turn,
    let_go,
    made_beside_a_knock,
    pairs,
    silently_made,
    still_up,
    stood_before,
    stopped_between,
    swapped_and_answered,
    swapped_and_refilled,
    swaps,
    unfinished,
    unseen,
)
from controller.table.reading.last_ply import (
    captured_since,
    is_late,
    last_made,
    led_back,
    moved_on,
    put_back,
    reopened,
    victim_aside,
)
from controller.table.reading.meaning import BoardReading, show
from controller.table.reading.questions import lit_answer
from controller.table.reading.second_thoughts import (
    back_again,
    gone_on,
    let_go_late,
    moved_or_aside,
    off_again,
    played_on_from_before,
    stands_again,
)
from controller.table.reading.taking_effect import choose, commit, remake, reopen
from controller.table.state import Ahead, HeldPly, Play, Step, Table

replace = msgspec.structs.replace

Explanation = Callable[[ReadingContext], BoardReading | None]


def read(table: Table) -> Step:
    """Say what the board means now, and do what is sure; plies count one after the other."""
    play = table.play
    if play is None:
        return table, ()
    if play.setting_up:
        return set_up(table, play)
    # Nobody knows what lies on the board, or whether it counts; or a seat is setting up what it has chosen in secret.
    if table.link or play.sent or play.session.bound:
        return _follow(table, play, BoardReading(Verdict()))
    if table.phase == "over":
        return _follow(table, play, _ended(table, play))
    if play.paused:
        wrong = play.differs(table.now)
        return _follow(table, play, BoardReading(Verdict(missing=wrong & ~table.now, extra=wrong & table.now)))
    return _follow(table, play, _explained(context_of(table, play)))


def _follow(table: Table, play: Play, reading: BoardReading) -> Step:
    if reading.act is not None and reading.due_us is not None and table.t_us >= reading.due_us:
        return acted(reading.act, table)
    return show(table, play, reading)


def acted(act: Callable[[Table], Step], table: Table) -> Step:
    """Return what ``act`` makes of the table, with the board read again."""
    table, said = act(table)
    table, more = read(table)
    return table, said + more


# ---- the explanations -------------------------------------------------------------------------------------


def _answer_given(context: ReadingContext) -> BoardReading | None:
    """A piece was put on a lit cell and rests there: that answers the question.

    Not where it may be a piece that was up, and its ply one of two that explain all that was touched.
    """
    play, seen = context.play, context.seen
    found = lit_answer(play, seen)
    if found is None or _came_in_two(context):
        return None
    text, landed_us = found
    came = (f for pair in pairs(context) for f in pair if seen.last_on.get(f.landing) == landed_us)
    if any(f.origin & context.begun & ~seen.now for f in came):
        return None
    due_us = landed_us + context.table.timing.settle_ms * 1000
    return BoardReading(play.verdict, due_us, lambda table: choose(table, play, text), answering=True)


def _came_in_two(context: ReadingContext) -> bool:
    """Whether what was put down last may be the piece that is up, moved twice by its player: that answers nothing."""
    down = context.begun & context.seen.now
    up = [f.origin for f in context.verdict.possible or context.play.verdict.possible]
    return any(stopped_between(context, origin, down) for origin in dict.fromkeys(up) if origin & ~context.seen.now)


def _made_unseen(context: ReadingContext) -> BoardReading | None:
    """Nobody saw how a piece came to where one legal ply alone leads it: that is asked, and made if nobody objects.

    Where plies may have been taken back as well, it is asked for as long as it takes. Where sensors tell sides nobody
    else's piece can lie there: it counts as one that may slide on.
    """
    made = unseen(context)
    if made is None:
        return None
    if not context.play.session.afar.seats and (to := stood_before(context.play, made.done)) is not None:
        return BoardReading(replace(context.verdict, undo=to))
    act = partial(commit, play=context.play, made=made, early=0)
    if context.play.game_area.layer:
        return BoardReading(Verdict(made=made), context.quiet_us(4), act)
    return BoardReading(context.verdict, context.quiet_us(8), act)


def _crossed(context: ReadingContext) -> BoardReading | None:
    """Both players held a piece, and either may have gone to where the other one did: the last ply is read again."""
    made, seen = context.verdict.made, context.seen
    if made is None or seen.last_off.get(made.origin, seen.last_us) >= context.play.settled.since_us:
        return None
    return _otherwise(context)


def _made(context: ReadingContext) -> BoardReading | None:
    """One legal ply fits all that was touched; the next player may have lifted a piece already.

    Where that piece was up before the first one was down, and looks like it, the one that is down may be either: it
    counts later. Where it may have come to the goal after another ply of the first one, it is asked for. One from
    beside the board that seems of another kind may have come from a cell whose contact sticks: it waits for that.
    """
    play, verdict = context.play, context.verdict
    made = verdict.made
    if made is None:
        return None
    due_us = counts_us(verdict, play.settled.position, context.seen, context.table.timing)
    act = partial(commit, play=play, made=made, early=verdict.early)
    due_us = max(due_us, context.seen.last_on.get(made.landing, NEVER_US) + rests_us(context.table, play, made))
    if (to := _perhaps_put_back(context, made)) is not None:
        return _asked_once_sure(context, due_us, Verdict(asked=(made,), undo=to))
    if made in play.verdict.asked and (others := _asked_of_two(context, made)):
        return BoardReading(Verdict(asked=(*others, made)))
    if movers := _moved_by_a_chore(context, made):
        return _asked_once_sure(context, due_us, Verdict(asked=(*movers, made)))
    if between := stopped_between(context, made.origin, made.landing):
        return _asked_once_sure(context, due_us, Verdict(asked=(*between, made)))
    if not verdict.early:
        return BoardReading(verdict, due_us, act)
    if rivals := came_instead(context, made, verdict.early):
        return BoardReading(Verdict(asked=(made, *rivals)))
    either = play.game_area.alike(made.landing, verdict.early)
    if made.path and either and context.answered_us(made, verdict.early) is None:
        due_us = max(due_us, context.quiet_us(BOTH_UP_TIMES))
    ahead = ahead_of(play, made)
    answer = answer_to(context, made, ahead)
    return BoardReading(replace(verdict, possible=answer.possible), due_us, act, ahead=ahead)


def _asked_once_sure(context: ReadingContext, due_us: int, question: Verdict) -> BoardReading:
    """Return the ``question`` from ``due_us`` on; until then the ply is shown as made, and not acted upon."""
    return BoardReading(question) if context.table.t_us >= due_us else BoardReading(context.verdict, due_us)


def _moved_by_a_chore(context: ReadingContext, made: PlyFootprint) -> tuple[PlyFootprint, ...]:
    """Return the plies that end where ``made`` does, of a piece that would be its chore and was lifted before: then the
    piece that ``made`` moves may be one that was knocked off.
    """
    if not made.chores & context.begun & ~context.seen.now:
        return ()
    landed_us = context.seen.last_on.get(made.landing, NEVER_US)
    before = sum(bit for bit, us in context.seen.last_off.items() if bit & made.chores and us < landed_us)
    return tuple(f for f in made_beside_a_knock(context) if f.landing == made.landing and f.origin & before)


def _asked_of_two(context: ReadingContext, made: PlyFootprint) -> tuple[PlyFootprint, ...]:
    """Return the plies besides ``made`` that are asked for, and with one of the next player's still explain it all: a
    chore that is done leaves the question open.
    """
    asked = context.play.verdict.asked
    return tuple(dict.fromkeys(first for first, _ in pairs(context) if first in asked and first is not made))


def _perhaps_put_back(context: ReadingContext, made: PlyFootprint) -> int | None:
    """Return after how many plies the board stood as it does with a piece from beside it: it may have been taken there,
    and be put back now.
    """
    play = context.play
    if play.session.afar.seats or made.origin or not made.fills & made.landing:
        return None
    to = stood_before(play, made.done)
    return to if to is not None and captured_since(play, to) else None


def _answered(context: ReadingContext) -> BoardReading | None:
    """The next player has answered a ply that only waited for quiet, or a turn that could have gone on."""
    play, verdict = context.play, context.verdict
    if verdict.clear or not context.begun:
        return None
    shown: BoardReading | None = None
    for first in silently_made(context):
        held = first is play.held
        if held and astray_before(context, first.made):
            continue
        ahead = ahead_of(play, first.made)
        if hands_over(context, ahead):
            act = partial(commit, play=play, made=first.made, early=context.begun, implied=not held)
            return BoardReading(verdict, context.quiet_us(3), act)
        answer = answer_to(context, first.made, ahead)
        # Nobody ends a turn with a piece in the hand: it may yet take, or has taken too fast to be seen.
        if answer.made and not still_up(context, answer.made, answer.early):
            if rivals := set_aside(first.made, play.settled.position, context.seen):
                return BoardReading(replace(verdict, asked=(first.made, *rivals)))
            early = answer.made.involved & ~first.made.changed
            lift_us = context.answered_us(first.made, context.begun) if held else None
            rests_us = counts_us(answer, ahead.position, context.seen, context.table.timing)
            if (left_by_us := NEVER_US if held else _left_by_us(context, answer.made)) is None:
                return None
            due_us = max(rests_us, left_by_us) if lift_us is None else lift_us
            due_us = max(due_us, _strays_down_us(context, first.made.involved | answer.made.involved))
            act = partial(commit, play=play, made=first.made, early=early, since_us=first.since_us, implied=not held)
            return BoardReading(Verdict(possible=answer.possible), due_us, act, ahead=ahead)
        if answer.possible and not verdict.possible:
            if held and any(pairs(context)):
                return None
            if held:
                return _answer_begun(context, first, ahead, answer)
            shown = BoardReading(Verdict(possible=answer.possible), ahead=ahead)
    return shown


def _strays_down_us(context: ReadingContext, others: int) -> int:
    """Return until when a piece that lay astray may be put down where it belongs, which is not among the ``others``."""
    seen, around = context.seen, others | context.play.settled.position.standing | context.seen.now
    lifted_us = [us for bit, us in seen.last_off.items() if not bit & around and us > seen.last_on.get(bit, us)]
    return max(lifted_us, default=NEVER_US) + 4 * context.table.timing.settle_ms * 1000


def _left_by_us(context: ReadingContext, answer: PlyFootprint) -> int | None:
    """Return until when the turn's own piece may have come to where the ``answer`` puts one down from beside the board.

    The contact of the cell that it left may be stuck: until that is sure, nothing tells that the turn is over. None if
    it has come from there.
    """
    if answer.empties:
        return NEVER_US
    seen = context.seen
    own = [f for f in context.play.settled.position.footprints if f.origin and f.landing == answer.landing]
    if any(not misfit(f, seen) and proved(f, seen, STICKS_US) for f in own):
        return None
    stuck = any(misfit(f, seen) == f.origin for f in own)
    return seen.last_on.get(answer.landing, NEVER_US) + STICKS_US if stuck else NEVER_US


def _answer_begun(context: ReadingContext, first: HeldPly, ahead: Ahead, answer: Verdict) -> BoardReading:
    """Let the ply that waited stand, now that its answer has begun."""
    others = ~first.made.involved
    act = partial(commit, play=context.play, made=first.made, early=others, since_us=first.since_us)
    lift_us = context.answered_us(first.made, others)
    due_us = context.quiet_us(4) if lift_us is None else lift_us
    return BoardReading(Verdict(possible=answer.possible), due_us, act, ahead=ahead)


def _two_at_once(context: ReadingContext) -> BoardReading | None:
    """Two pieces were moved at the same time: both plies are there, one after the other.

    Where either piece may have gone to where the other one stands, and none had rested yet, it is asked for; and where
    a piece may still be on its way.
    """
    play, verdict = context.play, context.verdict
    came = context.begun & context.seen.now
    if verdict.asked or not came:
        return None
    waits_us = context.quiet_us(BOTH_UP_TIMES if verdict.held else 1)
    if context.table.t_us < waits_us:
        return BoardReading(verdict, waits_us) if verdict.held or came.bit_count() > 1 else None
    found = tuple(pairs(context))
    found = tuple(pair for pair in found if in_turn(context, *pair)) or found
    answered_first = all(in_turn(context, second, first) for first, second in found)
    firsts = preferred(context.table, play, fullest(first for first, _ in found))
    if not found:
        return None
    position = play.settled.position
    others = ((*set_aside(f, position, context.seen), *unfinished(f, position)) for f in firsts)
    rivals = tuple(rival for each in others for rival in each)
    same = len({frozenset((first.text, second.text)) for first, second in found if first in firsts}) == 1
    nobody_saw = not context.begun & ~context.seen.unseen
    if rivals and context.table.t_us < context.quiet_us(4):  # what else is taken may yet be lifted
        return BoardReading(verdict, context.quiet_us(4))
    instead = _made_instead(context)
    if rivals or instead or nobody_saw or answered_first or verdict.held or (len(firsts) > 1 and not same):
        asked = (*firsts, *rivals, *instead)
        return BoardReading(replace(verdict, asked=asked, missing=0, extra=0, again=bool(instead)))
    first, early = firsts[0], 0
    for second in (second for each, second in found if each in firsts):
        early |= second.involved & ~first.changed
    return BoardReading(verdict, context.quiet_us(), lambda table: commit(table, play, first, early))


def _made_instead(context: ReadingContext) -> tuple[PlyFootprint, ...]:
    """Return the ply in place of the last one that fits as well: its piece was moved on, and then answered."""
    last = last_made(context.play)
    if last is None or not last.landing & ~context.seen.now or (earlier := reopened(context.play)) is None:
        return ()
    made = _first_that_fits(context_of(context.table, earlier), AT_FIRST_SIGHT).verdict.made
    return (made,) if made and made.origin == last.origin else ()


def _changed_too_fast(context: ReadingContext) -> BoardReading | None:
    """Two pieces may have changed places faster than the sensors can tell: that is asked for.

    The attacker is gone, and the next player has answered already; or its victim let go for a moment; or it is gone
    for seconds. Who plays on once it is answered does not object to it, if it is the only one.
    """
    verdict = context.verdict
    if verdict.clear:
        return None
    if verdict.extra and verdict.missing.bit_count() > 1:
        answered = swapped_and_answered(context)
        if len(answered) == 1 and (due_us := _played_on_us(context, answered[0])) is not None:
            act = partial(commit, play=context.play, made=answered[0], early=~answered[0].involved)
            return BoardReading(Verdict(), due_us, act)
        return BoardReading(replace(verdict, asked=answered)) if answered else None
    fits = tuple(f for f in swaps(context) if not misfit(f, context.seen))
    lets_go = tuple(f for f in fits if let_go(context, f))
    if not fits:
        return None
    asked_us = context.quiet_us(5 if lets_go else UNSEEN_TIMES)
    if context.table.t_us >= asked_us:
        return BoardReading(replace(verdict, asked=lets_go or fits))
    return BoardReading(verdict, asked_us)


def _played_on_us(context: ReadingContext, first: PlyFootprint) -> int | None:
    """Return when it is sure that a hand has begun another ply after the answer to ``first``; None if none has."""
    answer = answer_after(context, first)
    if answer.made is None or still_up(context, answer.made, answer.early) or not first.landing & context.seen.now:
        return None  # a piece that is up is no proof that one stood there
    return context.answered_us(answer.made, answer.early)


def _opened_late(context: ReadingContext) -> BoardReading | None:
    """A piece stood on its goal before the contact that it had left let go: that ply is asked for, and made if it is
    the only one and nobody objects. Where the next hand may have lifted what stood there, both are asked for, later.
    """
    verdict, position = context.verdict, context.play.settled.position
    if verdict.asked:
        return None
    open_now = (f for f in position.footprints if f.origin & context.begun & ~context.seen.now)
    found = tuple(f for f in open_now if not misfit(f, context.seen) and proved(f, context.seen, STICKS_US))
    if not found:
        return None
    asks_us = context.quiet_us(8 if verdict.held else 1)
    if context.table.t_us < asks_us:
        return BoardReading(verdict, asks_us)
    if verdict.held:
        return BoardReading(replace(verdict, held=None, asked=(verdict.held, *found)))
    asked = replace(verdict, asked=found, missing=0, extra=0)
    if len(found) > 1:
        return BoardReading(asked)
    return BoardReading(asked, context.quiet_us(8), partial(commit, play=context.play, made=found[0], early=0))


def _read_again(context: ReadingContext) -> BoardReading | None:
    """What lies there fits no ply that could follow, but another one in place of the last: that was not made.

    A piece that is back where it came from is on the way to be taken back: what it took is still to come.
    """
    play, verdict = context.play, context.verdict
    if not verdict.missing | verdict.extra or not play.settled.changes or _answer_is_up(context):
        return None
    return None if led_back(play, len(play.standings) - 2, context.seen) else _otherwise(context)


def _answer_is_up(context: ReadingContext) -> bool:
    """Whether the next player had lifted a piece, which is still up, before the piece that moved last was lifted again
    after a rest. Its player may have played on already, and the board tells which once the other piece is down.
    """
    seen, last = context.seen, last_made(context.play)
    again_us = seen.last_off.get(last.landing) if last and last.landing & ~seen.now else None
    if again_us is None or again_us - seen.since_us < 4 * context.table.timing.settle_ms * 1000:
        return False
    up = context.begun & ~seen.now
    origins = {f.origin for f in context.play.settled.position.footprints if f.origin & up}
    return any(seen.last_off.get(origin, again_us) < again_us for origin in origins)


def _otherwise(context: ReadingContext) -> BoardReading | None:
    """Return that the last ply is taken back where all that was touched since before it has another meaning too.

    After a lift the piece may be in the hand yet: then the last ply gives way to a question only, or to plies that
    leave nothing open. So it does where the piece seems to stand still, which another one may have been knocked beside,
    and to an earlier position: nobody puts several plies back and leaves a piece up. A late other meaning is asked for.
    """
    table, play = context.table, context.play
    earlier = reopened(play)
    session = play.session
    own = session.mover == session.positions[-1].seat  # whose several plies may look like others
    if earlier is None or own or table.changed_us == table.reopened_us:
        return None
    if table.t_us < context.quiet_us():
        return BoardReading(Verdict(), context.quiet_us())
    other = _first_that_fits(context_of(table, earlier), AT_FIRST_SIGHT)
    if not other.verdict.asked:
        down = play.settled.changes[-1].on
        if other.due_us is None or (other.act is None and not down):
            return None
        if other.act is None:
            return BoardReading(Verdict(), other.due_us) if other.due_us > table.t_us else None
        again = acted(other.act, replace(table, play=earlier, reopened_us=table.changed_us))[0].play
        if again is None or again.session.plies[: len(play.session.plies)] == play.session.plies:
            return None
        instead = _in_place_of_the_last(play, earlier, again)
        if instead and is_late(play, instead, context.seen):
            return BoardReading(replace(context.verdict, made=None, asked=(instead,), again=True))
        further = len(again.session.plies) < len(earlier.session.plies)
        last = last_made(play)
        stays = last is not None and bool(last.landing & context.seen.now)
        if (further or stays or not down) and (again.settled.position.standing ^ context.seen.now) & context.seen.area:
            return None
    return BoardReading(Verdict(), context.quiet_us(), lambda table: reopen(table, play, earlier))


def _in_place_of_the_last(play: Play, earlier: Play, again: Play) -> PlyFootprint | None:
    """Return which ply was made ``again`` from where the game stood ``earlier``, in place of the last of ``play``."""
    made = again.session.positions[len(play.session.positions) - 1 :]
    return next((f for f in earlier.settled.position.footprints if made and f.text == made[0].text), None)


def _refilled(context: ReadingContext) -> BoardReading | None:
    """The answer to a capture that no sensor saw has come to where the attacker had stood: that is asked for."""
    verdict, asked_us = context.verdict, context.quiet_us(UNSEEN_TIMES)
    if verdict.clear or not context.begun & ~context.seen.now:
        return None
    if not (found := swapped_and_refilled(context)):
        return None
    return (
        BoardReading(verdict, asked_us)
        if context.table.t_us < asked_us
        else BoardReading(replace(verdict, asked=found))
    )


EXPLANATIONS: tuple[Explanation, ...] = (
    _answer_given,
    back_again,
    off_again,
    gone_on,
    let_go_late,
    _made_unseen,
    _crossed,
    _made,
    _answered,
    moved_or_aside,
    _two_at_once,
    _changed_too_fast,
    _opened_late,
    _read_again,
    _refilled,
    played_on_from_before,
    stands_again,
)

# Where others play at another board, who has seen a ply is asked before it is taken back: hands alone cannot do that.
FROM_BEFORE = (played_on_from_before, stands_again)
REVERTING = (back_again, off_again, gone_on, let_go_late, _crossed, _read_again, moved_or_aside, *FROM_BEFORE)
AFAR = tuple(explain for explain in EXPLANATIONS if explain not in REVERTING)
LAST_RESORT = (_crossed, _read_again, _refilled, moved_or_aside, *FROM_BEFORE)
AT_FIRST_SIGHT = tuple(explain for explain in EXPLANATIONS if explain not in LAST_RESORT)
IN_A_LESSON = tuple(explain for explain in EXPLANATIONS if explain not in FROM_BEFORE)  # which says itself what is next


def _explained(context: ReadingContext) -> BoardReading:
    """Return what is to be made of what the hands did."""
    session = context.play.session
    return _first_that_fits(context, AFAR if session.afar.seats else IN_A_LESSON if session.lesson else EXPLANATIONS)


def _first_that_fits(context: ReadingContext, told: Iterable[Explanation]) -> BoardReading:
    """Return the first explanation that fits; else what was begun, or is wrong."""
    return next(filter(None, (explain(context) for explain in told)), BoardReading(context.verdict))


# ---- once the game has ended ------------------------------------------------------------------------------


def _ended(table: Table, play: Play) -> BoardReading:
    """The game is over: its last ply may go on or be taken back, and setting up again begins a new game."""
    seen = play.settled.evidence(play.game_area.area, table.now)
    found = (explain(table, play, seen) for explain in AT_THE_END)
    return next(filter(None, found), BoardReading(Verdict()))


def _by_the_rules_here(play: Play) -> bool:
    """Whether the rules have ended the game, and hands alone can take that back: nobody plays at another board."""
    return play.outcome is None and not play.session.afar.seats


def _answered_at_the_end(table: Table, play: Play, seen: TouchEvidence) -> BoardReading | None:
    """A piece rests on a lit cell: that answers the question about the last ply."""
    if play.outcome is not None or not (found := lit_answer(play, seen)):
        return None
    text, landed_us = found
    due_us = landed_us + table.timing.settle_ms * 1000
    return BoardReading(play.verdict, due_us, lambda table: choose(table, play, text), answering=True)


def _last_put_back(table: Table, play: Play, seen: TouchEvidence) -> BoardReading | None:
    """The last ply is taken back."""
    undone = put_back(play, seen) if _by_the_rules_here(play) else None
    if undone is None or undone.to != len(play.standings) - 2 or undone.early:
        return None
    return BoardReading(Verdict(), quiet_us(seen, table.timing), lambda table: go_back(table, play, undone.to, True))


def _last_gone_on(table: Table, play: Play, seen: TouchEvidence) -> BoardReading | None:
    """The piece that made the last ply has gone on, unless that was so late that it may be another hand."""
    if not _by_the_rules_here(play) or last_made(play) is None:
        return None
    other = moved_on(play, seen)
    if other is None or other.early:
        return None
    made = other.made
    if any(is_late(play, f, seen) for f in ((made,) if made else other.asked)):
        return None
    if made is None:
        return BoardReading(other)
    return BoardReading(other, quiet_us(seen, table.timing), lambda table: remake(table, play, made))


def _last_in_doubt(table: Table, play: Play, seen: TouchEvidence) -> BoardReading | None:
    """What lies beside the goal of the last ply is its victim, or its piece: that is asked."""
    doubted, quiet = victim_aside(play, seen) if _by_the_rules_here(play) else None, quiet_us(seen, table.timing)
    if doubted is None:
        return None
    return BoardReading(doubted) if table.t_us >= quiet else BoardReading(Verdict(), quiet)


def _set_up_again(table: Table, play: Play, seen: TouchEvidence) -> BoardReading | None:
    """The position to begin from was set up since: another game begins."""
    first = play.standings[0]
    fresh = [bit for bit, us in seen.last_on.items() if us >= seen.since_us and bit & seen.came]
    if first == play.standings[-1]:  # then a piece is to be lifted, too: one may have come only to end the game so
        fresh = [bit for bit in fresh if seen.last_off.get(bit, NEVER_US) >= seen.since_us]
    if not fresh or first != table.now & play.game_area.area or first & ~play.standings[-1] & ~sum(fresh):
        return None
    return BoardReading(Verdict(), quiet_us(seen, table.timing), lambda table: begin_anew(table, play))


AT_THE_END = (_answered_at_the_end, _last_put_back, _last_gone_on, _last_in_doubt, _set_up_again)
