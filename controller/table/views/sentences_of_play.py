"""What the panel says of a game: how it stands, what is wrong, and in one sentence what the board waits for.

A pure function of the table.
"""

from __future__ import annotations

import msgspec

from controller.sentences import Sentence, all_of, any_of, capital, or_you, say, to_player, together
from controller.table.afar import committing
from controller.table.lesson_guide import Lead, decided_told, decided_words, lead, strayed
from controller.table.lesson_steps import step_on
from controller.table.people.asking_back import askers, waits_for
from controller.table.pieces_named import piece_called
from controller.table.puzzling import hint_site
from controller.table.reading.last_ply import next_landings
from controller.table.reading.questions import answerers, why_wrong
from controller.table.seating import by_name, choosing
from controller.table.state import Play, Table
from controller.table.views import back_told
from controller.table.views.chores_told import chores_told, put_and_take
from controller.table.views.endings_told import ended
from controller.table.views.help_told import help_told
from controller.table.views.kinds_told import other_kind_told
from controller.table.views.puzzle_told import puzzle_told, refuted
from controller.table.views.types import LessonView

replace = msgspec.structs.replace
MOST_NAMED = 5  # cells; the lights show more of them better


def sentence(play: Play) -> str:
    """Return what is going on: ``White to move.``, or how the game ended."""
    game = play.session.game
    result = play.result
    if result.over:
        return ended(play, result)
    if play.setting_up:
        return say("Set up the board.")
    if play.paused:
        return say("Paused.")
    if play.session.bound:
        return say("All choose in secret.")
    seat = play.session.mover
    if seat is None:
        return ""
    name, todo = say(game.facts.seats[seat]), asked(play)
    if not todo:
        return say("{seat} to move.", seat=name)
    # Whoever holds the seat reads its own words, but what is left to do in secret only who does it: `PanelView.asks`.
    hidden = play.session.secret and not game.shared(play.session.state)
    own = say("Choose in secret.") if hidden else todo_of(todo)
    return to_player(name, own, say("{seat} {todo}.", seat=name, todo=todo))


def todo_of(asked: str) -> Sentence:
    """Return what is ``asked`` as the player reads it who is to do it: "Place your 7 units."."""
    own = asked.own[1] if isinstance(asked, Sentence) and asked.own else asked
    return capital(say("{todo}.", todo=own))


def asked(play: Play) -> str:
    """Return what a person at the table does in this part of the game, as a clause; "" where it is a move."""
    session = play.session
    led = session.lesson or session.decided or session.thinking or session.elsewhere
    return "" if led else session.game.asks(session.state)


def advice(table: Table, play: Play) -> str:
    """Return what to do about pieces that stand otherwise than they should, or why a ply is none; "" else."""
    if table.round_us:
        return ""
    if play.setting_up or (play.paused and play.verdict.missing | play.verdict.extra):
        return together(_set_up(play), other_kind_told(table, play))
    weak = play.game_area.names(table.weak)
    if weak:
        return say(
            "The magnet on {cells} is weak or its sensor is loose: the board asks about moves there.", cells=weak
        )
    return capital(table.advice) if table.advice else chores_told(table, play) or other_kind_told(table, play)


def question(play: Play) -> str:
    """Return what the board asks; "" where it asks nothing."""
    wishes = {wish: name for bit, wish in play.menu for name in play.game_area.names(bit)}
    if "help" in wishes:
        return say(
            "Put a piece on: {pause} to pause or resume, {draw} to offer or accept a draw, {resign} to resign, {help} "
            "for help. Or put both pieces back.",
            **wishes,
        )
    if wishes:
        return say(
            "Put a piece on: {pause} to pause or resume, {draw} to offer or accept a draw, {resign} to resign. Or put "
            "both pieces back.",
            **wishes,
        )
    asked, undo = play.verdict.asked, play.verdict.undo is not None
    if not play.choices:  # nothing is lit: the page alone asks
        return _listed(len(asked), undo)
    if len(asked) + undo > 1:
        return say("Which move did you make? Tap it here, or put any piece on its lit cell.")
    if undo:
        return say(
            "Did you take back the last move? Answer here or put a piece on the lit cell; if not, put its piece back."
        )
    if asked:
        return say("Was this move made? Answer here or put a piece on the lit cell; if not, put the pieces back.")
    return ""


def _listed(asked: int, undo: bool) -> str:
    """Return the question whose answers no cell of the board gives."""
    if asked + undo > 1:
        return say("Which move did you make? Tap it here.")
    if undo:
        return say("Did you take back the last move? Answer here; if not, put its piece back.")
    return say("Was this move made? Answer here; if not, put the pieces back.") if asked else ""


def waits(table: Table, seat: int | None = None) -> str:
    """Return in one sentence what the board waits for, for the phone of ``seat``; it is never empty."""
    play = table.play
    if table.link:
        return table.link
    if play is None:
        return say("Choose a game.")
    if play.result.over:
        if table.by_taps:
            return question(play) or say("For another game, choose Play again or New game.")
        return question(play) or say("For another game, choose Play again or New game, or set up the start position.")
    if play.paused:
        return _while_paused(table, play, seat)
    if table.round_us:
        return say("Tap the board to begin it at once.")
    if waiting := _answered_by(table, play, seat):
        return say("Waiting for {seat}.", seat=waiting)
    held = play.help and (play.help.hand or (play.begun(table.now) and question(play)))
    if table.by_taps and held and (helped := help_told(table, play, seat)):
        return helped  # a tap goes on with what is in the hand: no question is asked about it
    told, stray = advice(table, play), play.verdict.missing | play.verdict.extra
    if not play.setting_up and not stray and told and told != (chores := chores_told(table, play)):
        told = together(told, chores or _going_on(table, play, seat))  # news alone are nothing to do
    return question(play) or _with_unused(table, play, told or _going_on(table, play, seat))


def todo(table: Table, play: Play, seat: int | None) -> str:
    """Return what `waits` is to whoever is to move, where to ``seat`` it may only name them; "" else.

    Who has taken up a seat on another phone sees as a watcher, since secrets of that seat stay with the phone before.
    """
    if seat is not None or play.session.secret or not _awaited(table, play, None):
        return ""
    return waits(replace(table, play=replace(play, help=None)), play.session.mover)


def _set_up(play: Play) -> str:
    missing, extra = play.verdict.missing, play.verdict.extra
    if extra & play.game_area.both(missing):
        return put_and_take(play, missing, extra)
    if missing.bit_count() + extra.bit_count() <= MOST_NAMED and (missing or extra):
        return put_and_take(play, missing, extra)
    if missing and extra:
        return say(
            "Pieces to put on: {missing}; pieces to take off: {extra}. The lights show where.",
            missing=missing.bit_count(),
            extra=extra.bit_count(),
        )
    if missing:
        return say("Pieces to put on: {missing}. The lights show where.", missing=missing.bit_count())
    return say("Pieces to take off: {extra}. The lights show where.", extra=extra.bit_count())


def _while_paused(table: Table, play: Play, seat: int | None) -> str:
    if play.verdict.missing | play.verdict.extra:
        return say("The game is paused. To go on: {todo}", todo=_set_up(play))
    if seat is None and any(table.seating.people[: play.seats]):  # who looks on has no such button
        return say("The game is paused until one of the players chooses Continue.")
    return say("The game is paused: choose Continue to go on.")


def _with_unused(table: Table, play: Play, told: str) -> str:
    """Return ``told``, and why nothing happens on a cell beside the game, while a piece is in the hand."""
    outside = table.now & ~play.game_area.area
    lifted = play.settled.position.standing & ~table.now & ~play.settled.pending_chores
    if not outside or not lifted:
        return told
    cells = table.board.where(outside)
    if len(cells) > MOST_NAMED or set(cells) & set(play.game_area.bit):  # a cell of the game may have the same name
        return say("{told} Pieces beside the game's cells do not count.", told=told)
    return say("{told} Not used in this game: {cells}.", told=told, cells=cells)


def _going_on(table: Table, play: Play, seat: int | None) -> str:
    """Return what to do where nothing is wrong: finish what was begun, or begin."""
    verdict = play.verdict
    if play.sent:
        return say("Sent to the other board: it counts as soon as that has noted it.")
    if verdict.missing | verdict.extra:
        names = play.game_area.names
        wrong = strayed(play, verdict.missing, verdict.extra, table.by_taps)
        return capital(wrong or why_wrong(play, names(verdict.missing), names(verdict.extra), table.by_taps))
    if helped := help_told(table, play, seat):
        return by_name(play, helped)
    begun = play.begun(table.now)
    if table.by_taps and (begun or verdict.made or verdict.held) and (name := _awaited(table, play, seat)):
        return say("Waiting for {seat}.", seat=name)
    if verdict.made or verdict.held:
        return say("Wait a moment and the move counts, or go on with it.")
    if begun:
        if play.session.decided:
            return _board_plays(table, play)
        return _half_made(table, play) or say("Finish the move, or put the pieces back.")
    told, landings = _to_begin(table, play, seat), may_land(table, play, seat)
    if not landings:
        return together(told, _may_go_on(table, play))
    if play.session.thinking:
        return say("To go on with the last move, tap {cell}. If you do not, the board answers.", cell=any_of(landings))
    return together(told, say("To go on with the last move, tap {cell}.", cell=any_of(landings)))


def headline(table: Table, play: Play, seat: int | None = None) -> str:
    """Return what is going on, as `sentence` does; while the board waits whether a person goes on, that it does; and
    who waits for the word of ``seat``.
    """
    if _is_asked(play, seat):
        asking = askers(table, play) if play.back_asked else play.offers
        names = [say(play.session.game.facts.seats[each]) for each in asking[:1]]
        return say("Answer {seat}.", seat=names[0]) if names else say("Somebody waits for your answer.")
    mover = play.session.positions[-1].seat
    if table.round_us:
        return say("The next round begins in a moment.")
    if choosing(table, play) and not (play.setting_up or play.paused):
        return say("All choose in secret.")
    if not play.session.thinking or mover is None or not may_land(table, play, mover):
        return sentence(play)
    return say("{seat} may go on.", seat=say(play.session.game.facts.seats[mover]))


def _is_asked(play: Play, seat: int | None) -> bool:
    """Whether ``seat`` is asked to take back, or for a draw, and has not answered."""
    if play.result.over or seat not in play.in_play:
        return False
    return seat in waits_for(play) if play.back_asked else bool(play.offers) and seat not in play.offers


def _may_go_on(table: Table, play: Play) -> str:
    """Return that whoever made the last ply may still go on with it, for those who see its goals lit; "" else."""
    last = play.session.positions[-1].seat
    landings = may_land(table, play, last)
    if last is None or not landings:
        return ""
    return say(
        "{seat} may still go on to {cell}.", seat=say(play.session.game.facts.seats[last]), cell=any_of(landings)
    )


def may_land(table: Table, play: Play, seat: int | None) -> tuple[str, ...]:
    """Return where whoever looks from ``seat`` may go on with the last ply by a tap; nowhere with somebody else's."""
    last, people = play.session.positions[-1].seat, table.seating.people
    if not table.by_taps or (last is not None and seat != last and any(people[last : last + 1])):
        return ()
    return play.game_area.names(next_landings(play))


def _awaited(table: Table, play: Play, seat: int | None) -> str:
    """Return whose move it is, where that is somebody else than who looks from ``seat``; "" where who looks may move.

    For a seat that nobody has, anybody may move. A real board has nobody's screen beside it, which all look at.
    """
    session = play.session
    return "" if session.expected else _somebody_else(table, play, seat, session.mover)


def _answered_by(table: Table, play: Play, seat: int | None) -> str:
    """Return who answers what is asked, where that is not for who looks from ``seat``; "" else."""
    waiting = [_somebody_else(table, play, seat, each) for each in answerers(play).values()]
    return waiting[0] if all(waiting) and waiting and not play.session.lesson else ""


def _somebody_else(table: Table, play: Play, seat: int | None, of: int | None) -> str:
    """Return the name of the seat ``of``, where somebody else holds it than who looks from ``seat``; "" else."""
    people = table.seating.people
    if of is None or seat == of or (seat is None and not table.by_taps):
        return ""
    holder, own = (*people[of : of + 1], "")[0], "" if seat is None else (*people[seat : seat + 1], "")[0]
    return say(play.session.game.facts.seats[of]) if holder and holder != own else ""


def _half_made(table: Table, play: Play) -> str:
    """Return how to go on with a ply of which the hand has made a part; "" where that cannot be said in short."""
    position, area = play.settled.position, play.game_area
    held = position.standing & ~table.now & area.area
    came = table.now & ~position.standing & area.area
    if came:
        whole = [f for f in play.verdict.possible if f.fills == came]
        rests = [rest for f in whole if (rest := f.empties & table.now)]
        if not rests:
            return ""
        shortest = min(rests, key=lambda rest: (rest.bit_count(), rest))
        pieces = tuple(_on(play, name) for name in area.names(shortest))
        return say("The move counts once this is off the board: {pieces}.", pieces=pieces)
    movers = 0
    for footprint in play.verdict.possible:
        movers |= footprint.origin & held
    if held.bit_count() == 1 and movers == held:
        (name,) = area.names(held)
        if table.by_taps:
            silent = (f.text for f in play.settled.position.footprints if f.at & held and f.silent)
            if play.session.game.facts.hold and (text := next(silent, "")):
                ply = play.session.game.words_of(play.session.state, text)
                return say("Tap the cell where it goes, or {cell} again: {ply}.", cell=name, ply=ply)
            return say("Tap the cell where it goes.")
        return say("Put {piece} where it may go, or back on {cell}.", piece=_called(play, name), cell=name)
    if movers:
        pieces = tuple(_on(play, name) for name in area.names(held))
        return say("In the hand: {pieces}. Put the piece that moves on its cell, or all of them back.", pieces=pieces)
    pieces = tuple(_on(play, name) for name in area.names(held))
    return say("In the hand: {pieces}. Make the move that takes it, or put it back.", pieces=pieces)


def _called(play: Play, name: str) -> str:
    return piece_called(play.session.game, play.settled.position.shape.get(name))


def _on(play: Play, name: str) -> str:
    return say("{piece} on {cell}", piece=_called(play, name), cell=name)


def _to_begin(table: Table, play: Play, seat: int | None) -> str:
    """Return what the player to move may do; a question to the others comes first."""
    session, game = play.session, play.session.game
    seats = game.facts.seats[: play.seats]
    if proposed := proposal(table, play, seat):
        return proposed
    if session.bound:
        return committing.waiting_for(play, seat)
    warning = game.warns(session.state) if game.warns else ""
    if session.thinking and sum(map(bool, session.opponents.levels)) == 1:
        return together(warning, say("The board is thinking about its move."))
    if session.thinking:
        return together(warning, say("The board is thinking about {seat}'s move.", seat=say(seats[session.mover or 0])))
    if session.elsewhere:
        return say("{seat} is to move, at the other board.", seat=say(seats[session.mover or 0]))
    if session.decided:
        return _board_plays(table, play)
    if session.lesson:
        return shown(table, play).sentence
    mover = session.mover
    if mover is None:
        return say("Choose New game.")
    name = say(seats[mover])
    if seat is not None and seat not in play.in_play:
        if session.positions[-1].seat == seat and session.gave_up(len(session.positions) - 1):
            return say("You resigned and are out. Take back undoes it.")
        return say("You are out. Waiting for {seat}.", seat=name)
    if seat != mover and (choosers := choosing(table, play)):
        if seat in choosers and (look := game.look(session.state, seat)).share:
            return capital(look.share.sentence)
        return say("Waiting for all who are not ready yet.")
    if session.secret and seat != mover and not game.shared(session.state):
        return say("{seat} moves in secret, on a phone.", seat=name)
    on_a_phone = session.secret and seat is None and any(table.seating.people[mover : mover + 1])
    if on_a_phone or _awaited(table, play, seat):
        return together(warning, say("Waiting for {seat}.", seat=name))
    todo = _to_do(table, play)
    return together(warning, capital(todo) if seat in (None, mover) else say("{seat}: {todo}", seat=name, todo=todo))


def proposal(table: Table, play: Play, seat: int | None) -> str:
    """Return what somebody asks the others, as ``seat`` reads it: to take back, or for a draw; "" where nobody does."""
    if question := back_told.question(table, play, seat):
        return question
    if not play.offers:
        return ""
    seats = play.session.game.facts.seats
    offers = any_of(say(seats[n]) for n in play.offers)
    if seat in play.in_play and seat not in play.offers:
        return say("{offers} offers a draw: you may accept or decline it.", offers=offers)
    return _offered([seats[n] for n in play.offers], [seats[n] for n in play.in_play if n not in play.offers])


def _offered(offering: list[str], others: list[str]) -> str:
    """Return that a draw is offered, and who has not answered: of several, all have to agree."""
    who, whom = any_of(map(say, offering)), all_of(map(or_you, others))
    if len(others) == 1:
        own = say("You offer a draw: {others} may accept or decline it.", others=whom)
        told = say("{offers} offers a draw: {others} may accept or decline it.", offers=who, others=whom)
    else:
        own = say("You offer a draw. Still to agree: {others}.", others=whom)
        told = say("{offers} offers a draw. Still to agree: {others}.", offers=who, others=whom)
    return to_player(offering[0], own, told) if len(offering) == 1 else told


def _to_do(table: Table, play: Play) -> str:
    """Return what the player to move may do, as a clause."""
    share = play.session.game.shared(play.session.state)
    if share:
        return share.sentence
    prints = play.settled.position.footprints
    if not any(f.origin for f in prints):
        if play.session.game.facts.shells:
            if asked(play):
                return say("tap a cell to place units on it.")
            return say("tap a cell of yours to see what can be done there.")
        return say("tap a cell to see what can be done there.")
    if any(f.silent and f.at for f in prints):
        if not table.by_taps:
            return say("lift a piece to see where it may go, or use “What can I do here?”.")
        if play.session.game.facts.shells:
            return say("tap a cell of yours to see where its units may go, or use “What can I do here?”.")
        return say("tap a piece to see where it may go, or use “What can I do here?”.")
    return say("tap a piece to see where it may go.") if table.by_taps else say("lift a piece to see where it may go.")


def _board_plays(table: Table, play: Play) -> str:
    """Return what the hand does next to make the ply that the board has decided."""
    led, names = lead(play, table.now), play.game_area.names
    if play.session.afar.seats:
        return _played_afar(play, led, decided_words(play))
    if table.by_taps:  # a moment later the board's own hand makes it, or taps on what is lit do
        held = play.settled.position.standing & ~table.now & play.game_area.area & ~play.settled.pending_chores
        if not held:
            return decided_told(play)
        back = say("It is made once you tap {cells} to put back what is in the hand.", cells=names(held))
        return together(decided_told(play), back)
    return together(decided_told(play), _to_make(play, led))


def _to_make(play: Play, led: Lead) -> str:
    """Return what the hand does next to make the board's ply."""
    names = play.game_area.names
    if led.touch:
        return say("Lift the glowing piece.")
    if led.go:
        return say("Put its piece on {cell}.", cell=names(led.go))
    (made,) = play.settled.position.footprints
    if replaced := led.take & made.landing:
        return say("Put its piece on {cell} in place of the one there.", cell=names(replaced))
    return say("Take the piece off {cells}.", cells=names(led.take))


def _played_afar(play: Play, led: Lead, ply: str) -> str:
    """Return what the hand does next to make here the ``ply`` that was made at the other board."""
    names = play.game_area.names
    if led.touch:
        return say("The other board played {ply}: lift the glowing piece.", ply=ply)
    if led.go:
        return say("The other board played {ply}: put its piece on {cell}.", ply=ply, cell=names(led.go))
    (made,) = play.settled.position.footprints
    if replaced := led.take & made.landing:
        return say("The other board played {ply}: put its piece on {cell} in place of the one there.",
                   ply=ply, cell=names(replaced))  # fmt: skip
    return say("The other board played {ply}: take the piece off {cells}.", ply=ply, cells=names(led.take))


def shown(table: Table, play: Play) -> LessonView:
    """Return what the panel shows of the lesson that is on the table."""
    session = play.session
    lesson, made = session.lesson, len(session.positions) - 1
    assert lesson is not None
    on, steps = step_on(lesson, made, session.read_to), len(lesson.steps)
    if lesson.puzzle:
        over = session.solved is not None
        return LessonView(1, 1, puzzle_told(table, play, lesson), next=not over and not session.expected, over=over,
                          puzzle=lesson.puzzle, told=session.read_to > 0,
                          hint=not session.hinted and bool(hint_site(session)),
                          seat=session.game.seat(session.positions[0].state), refuted=refuted(play),
                          interrupts=lesson.interrupts)  # fmt: skip
    if on == steps:
        well_done = say("Well done, the lesson is over. Now play: against the board, or with a friend.")
        return LessonView(steps, steps, say(lesson.learnt) if lesson.learnt else well_done, over=True)
    step = lesson.steps[on]
    words = say(step.tap) if table.by_taps and step.tap else say(step.say)
    taps = _taps(play) if table.by_taps and step.ply and not step.tap else ""
    return LessonView(on + 1, steps, together(words, taps), ply=step.ply, next=not step.ply)


def _taps(play: Play) -> str:
    """Return which cells somebody taps to make the move of a lesson's step; "" where a tap on one cell is no move."""
    game, state = play.session.game, play.session.state
    walk = game.walk(state, game.read(state, play.session.expected))
    if len(walk.path) < 2:
        return ""
    told = say("Tap {cell}", cell=walk.path[0])
    for landing in walk.landings:
        told = say("{taps}, then {cell}", taps=told, cell=landing)
    return say("{told}.", told=told)
