"""What a puzzle says: what is to be found, what came of a try, which ply comes next for who asked.

A pure function of the table.
"""

from __future__ import annotations

from typing import Any

from controller.game_setup import Lesson
from controller.rules.game import AnyGame
from controller.sentences import capital, say, together
from controller.table.puzzle_steps import begins
from controller.table.puzzling import hint_site
from controller.table.state import Play, Table
from controller.table.views.hint_reasons import reason
from controller.table.views.plies_told import way_of
from controller.table.views.types import PlyTold


def puzzle_told(table: Table, play: Play, puzzle: Lesson) -> str:
    """Return what is said of a puzzle: what is to be found, what came of a try, the ply that was asked for."""
    if puzzle.goal:
        return _of_goal(table, play, puzzle)
    session, game = play.session, play.session.game
    state, step, solved = session.positions[0].state, puzzle.steps[0], session.solved is not None
    right = session.plies[0] if solved else step.ply
    words = game.words_of(state, right)
    if solved and play.result.over:
        if session.read_to:
            return say("The move was {ply}.", ply=words)
        return say("Solved: {ply}.", ply=words)
    if (solved or session.read_to) and (why := reason(session.game, state, right, play.seats)):
        words = say("{ply}; {why}", ply=words, why=why)
    if solved and session.read_to:
        return say("The move was {ply}. Play on from here, or choose the next puzzle.", ply=words)
    if solved:
        return say("Solved: {ply}. Play on from here, or choose the next puzzle.", ply=words)
    if session.plies:
        return say("Right so far: {ply}. Go on with it.", ply=game.words_of(state, session.plies[0]))
    if session.read_to:
        return say("The move is {ply}: make it as the lights show.", ply=words)
    task = say("The right move begins on {cell}.", cell=hint_site(session)) if session.hinted else say(step.say)
    if session.tried:
        tried = game.words_of(state, session.tried)
        if begins(game, state, session.tried, step.ply):
            return say("Right so far: {ply}. Make all of the move.", ply=tried)
        back = say("Try another.") if table.by_taps else say("Put the pieces back and try again.")
        wrong = say("Not the best move: {ply}.", ply=tried)
        answered = _answered(game, state, session.tried, session.answer) or _no_mate(game, state, session.tried)
        return together(wrong, answered, back, task)
    return together(_to_move(game, state), task)


def refuted(play: Play) -> tuple[PlyTold, ...]:
    """Return the ply that was tried and the one that wins at once after it; () where there is none, or no more."""
    session = play.session
    if not session.tried or not session.answer or session.solved is not None or session.plies or session.read_to:
        return ()
    game, state = session.game, session.positions[0].state
    after = game.play_text(state, session.tried)
    plies = ((state, session.tried), (after, session.answer))
    return tuple(PlyTold(game.words_of(before, text), way_of(game, before, text)) for before, text in plies)


def _answered(game: AnyGame, state: Any, tried: str, answer: str) -> str:
    """Return how the ply ``tried`` loses at once, "" where it does not."""
    if not answer:
        return ""
    after = game.play_text(state, tried)
    seat = game.seat(after)
    assert seat is not None
    words = game.words_of(after, answer)
    return say("Then {seat} wins at once: {ply}.", seat=say(game.side(after, seat)), ply=words)


def _no_mate(game: AnyGame, state: Any, tried: str) -> str:
    """Return how a check is answered that was tried, rather by taking the piece that gives it; "" of other plies."""
    after = game.play_text(state, tried)
    seat = game.seat(after)
    if seat is None or game.checked is None or not game.checked(after):
        return ""
    end = game.walk(state, game.read(state, tried)).path[-1:]
    answers = [game.text(after, ply) for ply in game.plies(after)]
    takes = (text for text in answers if game.walk(after, game.read(after, text)).path[-1:] == end)
    words = game.words_of(after, next(takes, answers[0]))
    name = say(game.side(after, seat))
    return say("It gives check, and {seat} has an answer: {ply}.", seat=name, ply=words)


def _of_goal(table: Table, play: Play, puzzle: Lesson) -> str:
    """Return what is said of a puzzle whose goal is reached within a turn."""
    session, game, shortest = play.session, play.session.game, len(puzzle.steps)
    assert game.goals is not None
    if (made := session.solved) is not None:
        reached = (
            say("Solved with {count} actions: it cannot be done with fewer.", count=made)
            if made == shortest
            else say("Solved with {count} actions: {shortest} are enough.", count=made, shortest=shortest)
        )
        return together(reached, say("Play on from here, or choose the next puzzle."))
    tried = game.words_of(session.state, session.tried) if session.tried else ""
    first = session.positions[0].state
    task = game.goals.task(first, puzzle.goal)
    if session.shown:
        ply = capital(game.words_of(session.state, session.shown))
        shown = say("{ply}: make it as the lights show.", ply=ply)
        if not tried:
            return shown
        return together(say("No short way leads to the goal after this: {ply}.", ply=tried), shown)
    if tried:
        back = say("Try another.") if table.by_taps else say("Put the pieces back and try another.")
        return together(say("The goal cannot be reached in this turn after this: {ply}.", ply=tried), back, task)
    if len(session.positions) > 1:
        return together(task, say("Actions so far: {made}.", made=len(session.positions) - 1))
    return together(_to_move(game, first), task, say("{count} actions are enough.", count=shortest))


def _to_move(game: AnyGame, state: Any) -> str:
    seat = game.seat(state)
    return "" if seat is None else say("{seat} to move.", seat=game.side(state, seat))  # a puzzle has no players
