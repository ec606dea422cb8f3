"""What leads a hand on a board to the one ply that counts: by light, and by a sentence to who strayed from it.

A lesson waits for such a ply, and so does a seat that the board plays. Owns no state: all follows from the session.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

import msgspec

from controller.game_setup import LessonStep
from controller.rules.game import Illegal
from controller.sentences import any_of, capital, say, together
from controller.table import lesson_steps
from controller.table.board import GameArea
from controller.table.gestures.footprints import PositionFootprints, settled_position
from controller.table.session import Session
from controller.table.state import Play

replace = msgspec.structs.replace


class Lead(msgspec.Struct, frozen=True):
    """Sites to light: what is to be touched, where the piece in the hand goes, and whom it takes."""

    touch: int = 0
    go: int = 0
    take: int = 0


def footprints_of(session: Session, game_area: GameArea) -> PositionFootprints:
    """Return what every legal ply of the session does; the one that is expected is the only one, and while the board
    thinks, or people at another board do, there is none.

    Where no sensor can see that ply, holding the piece that it concerns makes it, whatever the game.
    """
    only = None if session.thinking or session.elsewhere else session.expected
    ahead = settled_position(session.game, session.state, game_area, only)
    return replace(ahead, hold=True) if session.expected else ahead


def lead(play: Play, now: int) -> Lead:
    """Return what to light for the step of the lesson that is on, or for the ply that the board has decided."""
    idle, session = not play.verdict.possible, play.session
    if session.decided:
        return _to_decided(play, now)
    if session.lesson is None:
        return Lead()
    reading = _read_sites(session, play.game_area)
    if session.lesson.goal and not session.expected:
        return Lead(go=_goal(session, play.game_area)) if idle else Lead()
    if not session.expected or (reading is not None and idle):
        return Lead(touch=reading or 0) if idle else Lead()
    (ply,) = play.settled.position.footprints
    start, end = handed_over(play)
    if end:
        area = play.game_area
        return Lead(touch=area.at(start) & now, go=area.bit[end])
    if session.lesson.puzzle and not ply.silent:
        return _to_decided(play, now)  # who asked to be shown the move sees all of it
    if ply.silent or (ply.origin and ply.origin & now and ply.origin & play.settled.position.standing):
        step = _step(session) if idle else None
        return Lead(touch=ply.at if ply.silent else ply.origin, go=_named(step, play.game_area) if step else 0)
    changed = (ply.landing | ply.fills | _still_to_land(play, now)) & ~now
    replaced = ply.replaced
    return Lead(go=changed & ~replaced, take=(ply.empties & ~ply.origin & now) | replaced)


def handed_over(play: Play) -> tuple[str, str]:
    """Return from which site to which the ply that a puzzle shows brings units, where no piece is seen to go all of
    that way; "" for both elsewhere.
    """
    session = play.session
    if session.lesson is None or not session.lesson.puzzle or not session.expected:
        return "", ""
    ply = session.game.read(session.state, session.expected)
    between = session.game.sent(session.state, ply)
    if not between or len(session.game.walk(session.state, ply).path) > 1:
        return "", ""
    start, end = between
    return start, end


def chain_landings(play: Play) -> tuple[int, ...]:
    """Return where the piece of a lesson's ply comes down, one after the other, if each of its steps takes something;
    nothing where it slides, or goes one step.
    """
    session = play.session
    if session.lesson is None or not session.expected:
        return ()
    (ply,) = play.settled.position.footprints
    takes = session.game.walk(session.state, session.game.read(session.state, ply.text)).takes
    return ply.path[1:] if len(takes) == len(ply.path) - 1 > 1 else ()


def _still_to_land(play: Play, now: int) -> int:
    """Return where the piece of a chain comes down after the site on which it stands now."""
    came, landings = now & ~play.settled.position.standing, chain_landings(play)
    done = max((n for n, bit in enumerate(landings, 1) if bit & came), default=0)
    return reduce(or_, landings[done:], 0)


def _to_decided(play: Play, now: int) -> Lead:
    """Return the two steps of a ply that is shown: first this piece, there; then what is taken off."""
    (ply,) = play.settled.position.footprints
    standing = play.settled.position.standing
    came = ply.landing & now & ~standing
    goal = (ply.landing | ply.fills) & ~now
    replaced = ply.replaced
    victims = ply.empties & ~ply.origin & now
    if ply.origin & now & standing and not came:
        round_trip = ply.origin & ply.landing
        return Lead(touch=ply.origin, go=goal & ~replaced, take=replaced | (victims if round_trip else 0))
    if goal & ~replaced:
        return Lead(go=goal)
    return Lead(take=victims | replaced)


def _read_sites(session: Session, game_area: GameArea) -> int | None:
    """Return the sites that are lit while a step is read; None where the step that is on waits for a ply."""
    step = _step(session)
    return None if step is None or step.ply else _named(step, game_area)


def _step(session: Session) -> LessonStep | None:
    """Return the step of the lesson that is on, None where there is none."""
    lesson = session.lesson
    on = lesson_steps.step_on(lesson, len(session.positions) - 1, session.read_to) if lesson else 0
    return lesson.steps[on] if lesson and on < len(lesson.steps) else None


def _goal(session: Session, game_area: GameArea) -> int:
    """Return the sites that the goal of a puzzle names, until it is reached."""
    goals = session.game.goals
    if goals is None or session.lesson is None or session.solved is not None:
        return 0
    return sum(game_area.bit.get(name, 0) for name in goals.sites(session.positions[0].state, session.lesson.goal))


def _named(step: LessonStep, game_area: GameArea) -> int:
    """Return the sites of which a step speaks, beside those of its ply."""
    return reduce(or_, (game_area.bit.get(name, 0) for name in step.light), 0)


def next_step(play: Play) -> Play:
    """Return the play with the step that is on read; raises `Illegal` where it is no lesson or waits for a ply."""
    session = play.session
    if session.lesson is None:
        raise Illegal(say("this is a game, not a lesson: start one with Learn"))
    read_to = lesson_steps.next_step(session.lesson, len(session.positions) - 1, session.read_to)
    session = replace(session, read_to=read_to, tried="", answer="")
    if not session.lesson or not session.lesson.puzzle:
        return replace(play, session=session)
    settled = replace(play.settled, position=footprints_of(session, play.game_area))
    return replace(play, session=session, settled=settled, ahead=None)


def touched(play: Play, bit: int) -> Play:
    """Return the play after a piece was put back on a site: where it is lit while a step is read, that goes on."""
    lit = 0 if play.setting_up else read_by_touch(play)
    return next_step(play) if lit and bit & play.game_area.both(lit) else play


def read_by_touch(play: Play) -> int:
    """Return the sites of which each, once it is touched, turns the page of a lesson; 0 where none does."""
    return _read_sites(play.session, play.game_area) or 0


def waits(play: Play) -> bool:
    """Whether a lesson is at a step that waits for its ply."""
    return bool(play.session.expected) and _read_sites(play.session, play.game_area) is None


def held_rightly(play: Play) -> bool:
    """Whether the one piece that is missing is in the hand because the lesson asks to touch or to hold it."""
    return _asked_for(play, play.verdict.missing, play.verdict.extra)


def goes_on_to(play: Play) -> int:
    """Return the sites that a lesson's ply concerns beside that of the piece which is held for it; 0 for none.

    A hand on a board holds that piece, which no sensor tells apart further; on a page the next one is tapped.
    """
    session, area = play.session, play.game_area
    if not session.expected:
        return 0
    if end := handed_over(play)[1]:
        return area.bit[end]
    concerns = session.game.walk(session.state, session.game.read(session.state, session.expected)).concerns
    return reduce(or_, (area.bit.get(name, 0) for name in concerns), 0) & ~area.both(play.verdict.missing)


def _asked_for(play: Play, missing: int, extra: int) -> bool:
    """Whether the piece that is ``missing``, and nothing else, is one that the lesson asks to touch or to hold."""
    if extra or not missing:
        return False
    reading = _read_sites(play.session, play.game_area)
    if reading is not None:
        return missing & play.game_area.both(reading) == missing
    start = handed_over(play)[0]
    return _to_hold(play, missing) or bool(start and missing & play.game_area.at(start) == missing)


def _to_hold(play: Play, missing: int) -> bool:
    """Whether the lesson waits for a ply that holding the piece from ``missing`` makes."""
    return bool(play.session.expected) and any(f.silent and f.at == missing for f in play.settled.position.footprints)


def _with_piece(play: Play, missing: int, extra: int, by_taps: bool) -> str:
    """Return what to do with the one piece in the hand that the lesson asks to touch or to hold; "" for another."""
    if not _asked_for(play, missing, extra):
        return ""
    if _read_sites(play.session, play.game_area) is not None:
        return say("tap it again to continue.") if by_taps else say("put it back to continue.")
    if by_taps:
        onward = play.game_area.names(goes_on_to(play))
        return say("now tap {cell}.", cell=any_of(onward)) if onward else say("tap it again.")
    end = handed_over(play)[1]
    if not _to_hold(play, missing):
        return say("its units go to {cell}; those that stay go back.", cell=end)
    if end:
        return say("its units go to {cell}: hold it for half a second, then put it back.", cell=end)
    return say("hold it for half a second, then put it back.")


def strayed(play: Play, missing: int, extra: int, by_taps: bool) -> str:
    """Return the sentence for a piece that the lesson has lifted, or for a legal ply that is not the lesson's.

    Pieces are moved by hands on a board, or ``by_taps`` on a page.
    """
    session = play.session
    if held := _with_piece(play, missing, extra, by_taps):
        return held
    if session.thinking and not play.result.over:
        return say("the board is thinking: put the pieces back as they were.")
    if session.elsewhere and not play.result.over:
        return say("the other board is to move: put the pieces back as they were.")
    if not session.expected:
        return ""
    if another := _another_ply(play, missing, extra):
        return another
    return _another_piece(play, missing) if not extra and missing.bit_count() == 1 else ""


def _another_ply(play: Play, missing: int, extra: int) -> str:
    """Return the sentence for a legal ply that was made instead of the one that is to come; "" where there is none."""
    session, placed = play.session, 0
    now = play.settled.position.standing & ~missing | extra
    for change in play.settled.changes:
        placed |= change.bit if change.on else 0
    footprints = settled_position(session.game, session.state, play.game_area).footprints
    made = next((ply for ply in footprints if ply.done == now and ply.landing & placed), None)
    if made is None:
        return ""
    if session.decided and session.afar.seats:
        return say("that is another move: {ply} was played at the other board. Put the pieces back.",
                   ply=decided_words(play))  # fmt: skip
    if session.decided:
        return together(say("that is another move: put the pieces back."), decided_told(play))
    ply = capital(session.game.words_of(session.state, made.text))
    if session.lesson and session.lesson.puzzle:
        return say("“{ply}” is a legal move, but another one was shown: put the pieces back.", ply=ply)
    return say("“{ply}” is a legal move, but the lesson continues with another one: put the pieces back.", ply=ply)


def _another_piece(play: Play, lifted: int) -> str:
    session = play.session
    (name,) = play.game_area.names(lifted)
    if session.decided and session.afar.seats:
        return say("{ply} was played at the other board: put the piece from {cell} back.",
                   ply=decided_words(play), cell=name)  # fmt: skip
    if session.decided:
        return together(say("put the piece from {cell} back.", cell=name), decided_told(play))
    if session.lesson and session.lesson.puzzle:
        return say("the move that was shown is another piece's: put the one from {cell} back.", cell=name)
    return say("the lesson continues with another piece: put the one from {cell} back.", cell=name)


def decided_words(play: Play) -> str:
    """Return the ply that the board has decided, in words."""
    game, state, text = play.session.game, play.session.state, play.session.decided
    return game.words_of(state, text)


def decided_told(play: Play) -> str:
    """Return the ply that the board has decided as a sentence, with whose it is where more than two play."""
    session, ply = play.session, decided_words(play)
    mover = session.mover
    if mover is None or (play.seats == 2 and sum(map(bool, session.opponents.levels)) < 2):
        return say("The board's move: {ply}.", ply=ply)
    return say("{seat}'s move: {ply}.", seat=say(session.game.facts.seats[mover]), ply=ply)
