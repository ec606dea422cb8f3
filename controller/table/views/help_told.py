"""What the panel says to who asked for help, or is coached. A pure function of the table."""

from __future__ import annotations

from typing import Any

from controller.rules.game import OF_A_KIND, AnyAdvice, AnyGame, Walk
from controller.rules.registry import advice_of
from controller.rules.way_told import then_to
from controller.sentences import Part, all_of, capital, say, together
from controller.table.help_shown import WHOLE, Help
from controller.table.helping import why_off
from controller.table.pieces_named import piece_called
from controller.table.planned import planned
from controller.table.state import Play, Table
from controller.table.views.hint_reasons import reason
from controller.table.views.plies_told import way_of
from controller.table.views.threats import lost
from controller.table.views.types import HelpView


def help_view(table: Table, play: Play, seat: int | None) -> HelpView:
    """Return what the phone of ``seat`` may ask, and what is shown to it."""
    session, game = play.session, play.session.game
    off = why_off(table, play)
    mover = session.mover
    asks = not off and table.phase in ("play", "fix") and mover is not None and not session.opponents.level(mover)
    threat = asks and game.passed is not None and not session.secret
    help = play.help if play.help and table.phase != "over" and may_see(play.help, play, seat) else None
    return HelpView(
        offers=("move", *(("threat",) if threat else ())) if asks else (),
        off=say("{why}.", why=capital(off)) if off else "",
        about=help.about if help else "",
        coach=session.opponents.coach,
        more=bool(help and 0 < help.step < WHOLE),
        ply=help.ply if help and asks and _can_be_made(table, play, help) else "",
        way=_way(table, play, help) if help else (),
    )


def _way(table: Table, play: Play, help: Help) -> tuple[str, ...]:
    """Return the way of the ply that is shown, as soon as it is said where it goes; none while a hand is elsewhere."""
    begun, game, state = play.begun(table.now), play.session.game, play.session.state
    elsewhere = begun & ~help.touch and begun != help.hand  # what is lifted may pay for something beside it
    if help.private or help.step < 2 or not help.go | help.take or elsewhere:
        return ()
    if help.about == "threat" and game.passed:
        state = game.passed(state)
    return () if begun and help.about != "move" else way_of(game, state, help.cost.answer if help.cost else help.ply)


def _can_be_made(table: Table, play: Play, help: Help) -> bool:
    """Whether the move that is shown may be made by its words.

    On a board of wood that is one that leads no piece anywhere, or some units of many: lights do not say how many.
    What is set up in secret is put on its cells.
    """
    game, state = play.session.game, play.session.state
    led = not table.by_taps and help.go | help.take and not game.facts.shells
    if help.about != "move" or help.step < WHOLE or led:
        return False
    return game.look(state, game.seat(state)).arrange is None


def may_see(help: Help, play: Play, seat: int | None) -> bool:
    """Return whether ``help`` may be shown to ``seat``: that of a secret ply is for who plays it alone."""
    return not help.private or seat == play.session.mover


def coach_line(table: Table, play: Play) -> str:
    """Return why the coach of this game is silent, "" where it is not, or where there is none."""
    off = why_off(table, play) if play.session.opponents.coach else ""
    return say("The coach is silent: {why}.", why=off) if off else ""


def help_told(table: Table, play: Play, seat: int | None) -> str:
    """Return the sentence of the help that is shown to ``seat``, "" where there is none or a hand is at work."""
    help = play.help
    if help is None or table.phase != "play" or play.verdict.made or play.verdict.held:
        return ""
    if not may_see(help, play, seat):
        return ""
    begun = play.begun(table.now)
    if begun and (help.about != "move" or begun != (help.hand or help.touch)):
        return ""
    if help.failed:
        return say("The board found no help this time: ask again.")
    if help.about == "coach":
        return together(_cost(play, help), _offer(table, play))
    if not help.step:
        return (
            say("The board looks for a move to show you.")
            if help.about == "move"
            else say("The board looks at what the others would do.")
        )
    if begun:
        return _in_hand(table, play, help)
    return _threat(play, help) if help.about == "threat" else _move(play, help, seat)


def _move(play: Play, help: Help, seat: int | None) -> str:
    if help.step == WHOLE:
        why = _why(play, help)
        return (
            say("A good move: {ply}; {why}.", ply=help.words, why=why)
            if why
            else say("A good move: {ply}.", ply=help.words)
        )
    piece, own = _piece(play, help), _own(play, help, seat)
    if help.step > 1:
        return _where(play, help, capital(say("your {kind} on {cell}", kind=own[0], cell=own[1]) if own else piece))
    if own:
        return say("Your {kind} on {cell} can make a good move.", kind=own[0], cell=own[1])
    return say("Look at {piece}.", piece=piece)


def _why(play: Play, help: Help) -> str:
    """Return why the move that is shown is a good one: by the game's plan, else as the positions show; of one in
    secret, what the game itself says of sharing units.
    """
    game, state, plan = play.session.game, play.session.state, planned(play.session)
    if plan and plan[0] == help.ply:
        return plan[1]
    if help.private:
        advice = advice_of(play.session.name) if game.shared(state) else None
        return advice.why(state, game.read(state, help.ply)) if advice and advice.why else ""
    return reason(game, state, help.ply, play.seats)


def _where(play: Play, help: Help, piece: str) -> str:
    """Return where the ``piece`` that was shown goes, and what it takes by that."""
    (goal, *more), taken = _walk(play, help).landings, _taken(play, help)
    if not taken:
        return say("{piece} can go to {cell}.", piece=piece, cell=goal)
    if not help.go:
        return say("{piece} can take {others}.", piece=piece, others=all_of(taken))
    way = then_to(say("it goes to {cell}", cell=goal), more)
    return say("{piece} can take {others}: {way}.", piece=piece, others=all_of(taken), way=way)


def _walk(play: Play, help: Help) -> Walk:
    game, state = play.session.game, play.session.state
    return game.walk(state, game.read(state, help.ply))


def _taken(play: Play, help: Help) -> list[str]:
    """Return what the ply that is shown takes, one after the other; by name where pieces are not all alike."""
    game, shape, passed = play.session.game, play.settled.position.shape, _walk(play, help).takes
    sites = (*passed, *(name for name in play.game_area.names(help.take) if name not in passed))
    if len(game.facts.kinds) == 1:
        return list(sites)
    return [say("the {kind} on {cell}", kind=say(game.facts.kinds[shape[site].kind]), cell=site) for site in sites]


def _own(play: Play, help: Help, seat: int | None) -> tuple[str, str] | None:
    """Return the kind and the cell of the piece that was shown where it is one of ``seat``, who asked."""
    game, state = play.session.game, play.session.state
    (cell,) = play.game_area.names(help.touch)[:1]
    piece = play.settled.position.shape.get(cell)
    if seat is None or piece is None or seat != game.seat(state) or piece.seat != game.colour_of(state, seat):
        return None
    return say(game.facts.kinds[piece.kind]), cell


def _in_hand(table: Table, play: Play, help: Help) -> str:
    """Return how to go on with the piece that was shown, or for which help was asked; "" where only the piece was."""
    if help.step < 2:
        return ""
    if help.hand and help.step == WHOLE:
        best = say("The best that this piece can do: {ply}.", ply=help.words)
        return together(best, _hold(play)) if help.touch and not help.go | help.take else best
    game, state = play.session.game, play.session.state
    walk, sent = _walk(play, help), game.sent(state, game.read(state, help.ply))
    if sent and table.by_taps:
        return say("Tap {cell}: {ply}.", cell=sent[-1], ply=help.words)
    if sent and len(walk.path) < 2:  # a hand on wood cannot say so with the piece
        return ""
    if not help.go | help.take:
        return _hold(play)
    (goal, *more), passed = walk.landings, walk.takes
    told = then_to(say("Put it on {cell}", cell=goal), more)
    if table.by_taps or not passed:
        return say("{told}.", told=told)
    return say("{told}; what it takes comes off the board: {cells}.", told=told, cells=passed)


def _hold(play: Play) -> str:
    if not play.session.game.facts.hold:
        return ""
    return say("Hold it for half a second and put it back. On a phone, tap it again.")


def _threat(play: Play, help: Help) -> str:
    game, state = play.session.game, play.session.state
    other = game.passed(state) if game.passed else None
    seat = None if other is None else game.seat(other)
    name = "" if seat is None else say(game.facts.seats[seat])
    told = say("If you did nothing, {seat} would play {ply}.", seat=name, ply=help.words)
    return together(told, _taken_by(game, other, help.ply, game.seat(state)))


def _piece(play: Play, help: Help) -> str:
    (cell,) = play.game_area.names(help.touch)[:1]
    shape = play.settled.position.shape
    if cell not in shape:
        return cell
    return say("{piece} on {cell}", piece=piece_called(play.session.game, shape[cell]), cell=cell)


def _cost(play: Play, help: Help) -> str:
    cost = help.cost
    assert cost is not None
    if help.words:
        return _feared(play, help)
    if cost.end == "won":
        return say("Coach: this lets go a win that could be forced.")
    if cost.end == "lost":
        return _forced(play)
    loss = loss_told(advice_of(play.session.name), help, _other(play))
    return say("Coach: this costs you much. {loss}", loss=loss or say("Another move was far better."))


def _other(play: Play) -> str:
    """Return the seat that plays against the one coached, "" where there are several."""
    seat = play.session.positions[-1].seat
    return "" if play.seats != 2 or seat is None else say(play.session.game.facts.seats[1 - seat])


def loss_told(advice: AnyAdvice | None, help: Help, other: str = "") -> str:
    """Return what the ply of a coach's ``help`` has cost as a sentence; "" where ``advice`` has no name for that.

    The ``other`` is whom "theirs" is of, "" where that may be any of several.
    """
    cost = help.cost
    assert cost is not None
    name = advice.told.get(cost.feature, "") if advice else ""
    if not name:
        return ""
    feature, more = say(name), cost.now > cost.could
    if cost.feature.startswith(OF_A_KIND) and more == cost.theirs:
        if cost.theirs:
            return say("You could have taken a piece: {kind}.", kind=feature)
        fewer = cost.could - cost.now
        if fewer == 1:
            return say("You would soon lose a piece: {kind}.", kind=feature)
        return say("You would soon lose {n} pieces: {kind}.", n=fewer, kind=feature)
    return _changed(more, cost.theirs, other, {"feature": feature, "now": cost.now, "could": cost.could})


def _changed(more: bool, theirs: bool, other: str, figures: dict[str, Part]) -> str:
    """Return what a better move would have led to: as it is told, nobody takes a figure for how things stand now."""
    if theirs and other:
        if more:
            return say("After a better move {seat} would soon have fewer {feature}: {could}, not {now}.", seat=other,
                       **figures)  # fmt: skip
        return say("After a better move {seat} would soon have more {feature}: {could}, not {now}.", seat=other,
                   **figures)  # fmt: skip
    if theirs:
        if more:
            return say("After a better move the others would soon have fewer {feature}: {could}, not {now}.", **figures)
        return say("After a better move the others would soon have more {feature}: {could}, not {now}.", **figures)
    if more:
        return say("After a better move you would soon have fewer {feature}: {could}, not {now}.", **figures)
    return say("After a better move you would soon have more {feature}: {could}, not {now}.", **figures)


def _feared(play: Play, help: Help) -> str:
    """Return how others can answer the last ply, and what that costs."""
    game, cost = play.session.game, help.cost
    assert cost is not None
    answer = say("{seat} can answer “{ply}”", seat=say(game.facts.seats[play.session.mover or 0]), ply=help.words)
    if cost.end == "won":
        return say("Coach: {answer}: you let go a win that you could have forced.", answer=answer)
    if cost.end == "lost":
        if game.result(game.after(play.session.state, game.read(play.session.state, cost.answer))).over:
            return say("Coach: {answer} and win.", answer=answer)
        return say("Coach: {answer} and force a win.", answer=answer)
    coached = play.session.positions[-1].seat
    taken = _taken_by(game, play.session.state, cost.answer, coached)
    loss = taken or loss_told(advice_of(play.session.name), help, _other(play))
    return say("Coach: {answer}. {loss}", answer=answer, loss=loss or say("That costs you much."))


def _taken_by(game: AnyGame, state: Any, answer: str, seat: int | None) -> str:
    """Return which pieces of ``seat`` the ``answer`` takes in ``state``, where pieces are not all alike; else ""."""
    if len(game.facts.kinds) == 1 or state is None or seat is None:
        return ""
    own, stands = game.colour_of(state, seat), game.shape(state)
    sites = sorted(lost(game.walk(state, game.read(state, answer)), set(stands)))
    taken = [site for site in sites if stands[site].seat == own]
    named = (say("your {kind} on {cell}", kind=say(game.facts.kinds[stands[site].kind]), cell=site) for site in taken)
    return say("You would lose {pieces}.", pieces=all_of(named)) if taken else ""


def _forced(play: Play) -> str:
    """Return that the others can force a win after the last ply; by name where there is one other."""
    other = _other(play)
    if not other:
        return say("Coach: after this the others can force a win.")
    return say("Coach: after this {seat} can force a win.", seat=other)


def _offer(table: Table, play: Play) -> str:
    """Return what to do about the move that lost much, "" where it cannot be taken back."""
    if play.session.floor >= len(play.standings) - 1:
        return ""
    return say("Take the move back, or play on.") if table.by_taps else say("Put the piece back, or play on.")
