"""How the game on the table goes on: set up, a ply further, or back."""

from __future__ import annotations

import msgspec

from controller.game_setup import ClockRule, Match
from controller.orders import PlayPly
from controller.table import notes
from controller.table.afar_clocks import shown_until
from controller.table.board import GameArea
from controller.table.clock import Clock, handed_on, left_us, wound
from controller.table.gestures.changes import SiteChange
from controller.table.gestures.resolver import Verdict
from controller.table.helping import goes_on
from controller.table.lesson_guide import footprints_of
from controller.table.matches import following
from controller.table.session import Session, begin
from controller.table.state import Play, Settled, Step, Table

ROUND_US = 4_000_000  # for people to see how a round ended
replace = msgspec.structs.replace


def lay_out(
    table: Table, session: Session, game_area: GameArea, rule: ClockRule | None, match: Match | None = None
) -> Step:
    """Put a new ``session`` before the players: its start position is to be set up."""
    session = session.with_phones(table.seating.far, session.game.facts.players(session.options))
    ahead = footprints_of(session, game_area)
    play = Play(session, game_area, Settled(ahead, since_us=table.t_us), (ahead.standing,), match=match)
    if rule:
        clock = wound(rule, play.seats)
        play = replace(play, clock=clock, left_us=(clock.left_us,))
    seating = replace(table.seating, by="")  # how they came to sit was for the game before
    table, said = set_up(replace(table, play=play, waiting=None, advice="", seating=seating), play)
    return table, (started(table, session, rule, match), *said)


def started(table: Table, session: Session, rule: ClockRule | None, match: Match | None) -> notes.GameStarted:
    """Return the note on a new ``session``, of which the plies that it has were made elsewhere."""
    return notes.GameStarted(
        t_us=table.t_us,
        game=session.name,
        options=dict(session.options),
        seed=session.seed,
        clock=rule,
        lesson=session.lesson,
        plies=session.plies,
        opponents=session.opponents,
        match=match,
        variant=session.variant,
    )


def begin_anew(table: Table, play: Play) -> Step:
    """Put the same game before the players once more."""
    before = play.session
    seed, held = before.seed + 1, before.opponents
    session = begin(before.name, before.options, seed, opponents=held, variant=before.variant)
    return lay_out(
        table, session, play.game_area, play.clock.rule if play.clock else None, following(play, "keep", table.seating)
    )


def set_up(table: Table, play: Play) -> Step:
    """Let play begin once the position stands."""
    if wrong := play.differs(table.now):
        verdict = Verdict(missing=wrong & ~table.now, extra=wrong & table.now)
        return replace(table, play=replace(play, verdict=verdict), due_us=None), ()
    # A contact that has let go of a strange piece for a moment closes again: the piece came before the game began.
    since_us = table.t_us - table.timing.flicker_ms * 1000
    gone = tuple(each for each in play.settled.changes if not each.on and each.t_us >= since_us)
    settled = Settled(play.settled.position, changes=gone, since_us=table.t_us)
    ready = replace(play, setting_up=False, verdict=Verdict(), settled=settled)
    n, left = len(play.standings) - 1, play.left_us[-1] if play.left_us else ()
    return replace(table, play=ready, due_us=None), (notes.BoardStands(t_us=table.t_us, n=n, left_us=left),)


def stand(
    table: Table,
    play: Play,
    session: Session,
    early: int = 0,
    since_us: int | None = None,
    carried: tuple[SiteChange, ...] = (),
) -> Step:
    """Make ``session``, one ply further, the position to go on from; what differs from it is a chore.

    ``early`` are the sites that the next player has touched already, as ``carried`` tells. ``since_us`` is when the
    ply was made, which may have taken a while to be sure; else it is made now.
    """
    made_us = table.t_us if since_us is None else since_us
    game, last = session.game, session.positions[-1]
    known = play.ahead
    ahead = known.position if known and known.session.plies == session.plies else footprints_of(session, play.game_area)
    loose, to_do = _chores(table, play, ahead.standing)
    loose &= ~early
    if since_us is None:  # on the phone: a piece that is taken as soon as it stands is put there by hand yet
        loose |= next((f.chores for f in play.settled.position.footprints if f.text == last.text), 0)
    anew = play.setting_up or session.sets_up()
    settled = Settled(ahead, 0 if anew else loose, carried, made_us, to_do=to_do)
    standings = (*play.standings, ahead.standing)
    going = Play(session, play.game_area, settled, standings, play.settled, setting_up=anew, match=play.match,
                 help=goes_on(play, session, table.t_us))  # fmt: skip
    going = _timed(play, going, made_us)
    said: tuple[notes.AnyNote, ...] = (_made(table, play, going),)
    result = game.result(session.state)
    if result.over:
        said += (notes.GameOver(t_us=table.t_us, winner=result.winner, why=result.why),)
    if anew and table.by_taps and session.round_over is not None:
        going = replace(going, round_us=table.t_us + ROUND_US)
    table = replace(table, play=going, advice="", due_us=None)
    if anew:
        table, more = set_up(table, going)
        said += more
    return table, said


def ask_home(table: Table, play: Play, session: Session, made_us: int) -> Step:
    """Ask home for the last ply of ``session``, which was made at ``made_us``: it counts when that board has it."""
    last = session.positions[-1]
    wish = PlayPly(text=last.text, seat=last.seat)
    going = replace(shown_until(play, made_us), sent=wish, verdict=Verdict(), held=None, choices=())
    return replace(table, play=going, advice="", due_us=None), ()


def stand_unseen(table: Table, play: Play, session: Session) -> Step:
    """Make ``session``, one ply made in secret further, the one to go on from, with another ply to follow at once: what
    the board may do in between is not looked up, which takes a while. No such ply changes what stands on the board.
    """
    going = _timed(play, replace(play, session=session, standings=(*play.standings, play.standings[-1])), table.t_us)
    return replace(table, play=going), (_made(table, play, going),)


def _made(table: Table, play: Play, going: Play) -> notes.PlyMade:
    """Return the note of the ply that leads from ``play`` to ``going``."""
    game, before, last = play.session.game, play.session.state, going.session.positions[-1]
    words = game.words_of(before, last.text)
    n, left = len(going.standings) - 1, going.left_us[-1] if going.left_us else ()
    return notes.PlyMade(
        t_us=table.t_us, n=n, seat=last.seat or 0, text=last.text, words=words, left_us=left, private=last.secret
    )


def _chores(table: Table, play: Play, standing: int) -> tuple[int, int]:
    """Return the sites to be put right so that ``standing`` stands, and those of which nobody knows while no sensor
    answers: all that was to be done before, and by which the position was changed.
    """
    settled, area = play.settled, play.game_area.area
    if not table.link:
        return (table.now ^ standing) & area, 0
    return settled.pending_chores, (settled.to_do ^ settled.position.standing ^ standing) & area


def _timed(play: Play, going: Play, made_us: int) -> Play:
    """Return ``going`` with the clock handed on to who is to move; the first ply starts it."""
    if play.clock is None:
        return going
    session = going.session
    at_us = max(made_us, play.clock.since_us)
    if session.afar.follows:
        clock = play.clock  # home tells how it goes on
    else:
        clock = handed_on(play.clock, None if going.setting_up else session.timed, at_us)
    return replace(going, clock=clock, clock_before=play.clock, left_us=(*play.left_us, left_us(clock, at_us)))


def _left_after_going_back(play: Play, to: int, seat: int | None, t_us: int) -> tuple[int, ...]:
    """Return what the clocks show once ``to`` plies stand and ``seat`` is to move: the others have what they had then.

    What ``seat`` has thought over its own plies stays spent, else it could think for ever; their increments are gone.
    One that was out gets its time back, or it would be out again at once.
    """
    then, positions, clock = play.left_us[to], play.session.positions, play.clock
    if clock is None or seat is None or play.session.afar.follows:
        return then
    undone = range(to + 1, len(positions))
    if any(positions[n].seat == seat and play.session.gave_up(n) for n in undone):
        return then
    gain_us = clock.rule.seconds * 1_000_000 if clock.rule.kind == "increment" else 0
    movers = [play.session.game.seat(each.state) for each in positions]
    spent_us = play.left_us[-1][seat] - left_us(clock, t_us)[seat]
    for n in undone:
        before, after = play.left_us[n - 1][seat], play.left_us[n][seat]
        if before != after:  # else it did not think, or the game was taken up again since, and nobody knows how long
            spent_us += before - after + (gain_us if movers[n - 1] == seat != movers[n] else 0)
    return tuple(us - spent_us if n == seat else us for n, us in enumerate(then))


def go_back(table: Table, play: Play, to: int, by_hand: bool, carried: tuple[SiteChange, ...] = ()) -> Step:
    """Return to the position after ``to`` plies; what then differs on the board is a chore.

    A turn's end that was implied by a ply which is taken back was not made either. By hand, what ``carried`` tells
    has begun already.
    """
    positions = play.session.positions
    while to > play.session.floor and positions[to].implied:
        to -= 1
    session = play.session.back(to)
    ahead = footprints_of(session, play.game_area)
    loose, to_do = (0, 0) if by_hand else _chores(table, play, ahead.standing)
    settled = Settled(ahead, loose, carried, table.t_us, to_do=to_do)
    # Only resignations are made before the board stands: without them it is being set up still.
    anew = play.setting_up and all(play.session.gave_up(n) for n in range(to + 1, len(positions)))
    going = Play(session, play.game_area, settled, play.standings[: to + 1], setting_up=anew, match=play.match)
    if play.clock:
        seat = session.timed if to and not anew else None
        shown = (*play.left_us[:to], _left_after_going_back(play, to, seat, table.t_us))
        clock = play.clock if session.afar.follows else Clock(play.clock.rule, shown[-1], seat, table.t_us)
        going = replace(going, clock=clock, left_us=shown)
    left = going.left_us[-1] if going.left_us else ()
    taken_back = notes.TakenBack(t_us=table.t_us, to=to, left_us=left)
    table = replace(table, play=going, advice="", due_us=None)
    if not anew:
        return table, (taken_back,)
    table, more = set_up(table, going)
    return table, (taken_back, *more)
