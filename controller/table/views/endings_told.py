"""How a game ended, in sentences: for everybody, and for whoever won or lost it. A pure function of the game."""

from __future__ import annotations

from itertools import pairwise

from controller.rules.game import Result
from controller.sentences import any_of, say
from controller.table.seating import by_name
from controller.table.state import Play


def ended(play: Play, result: Result) -> str:
    """Return how the game ended: by its rules in the game's own words, or by the players. The `ranking` is apart."""
    return by_name(play, _ended(play, result))


def ranking(play: Play, result: Result) -> str:
    """Return who came first, second and so on, "" where `ended` tells all: "1. Ann (7), 2. Ben (5), 3. Clara (1)."."""
    return by_name(play, _ranking(play, result)) if result.over and not play.outcome else ""


def _ended(play: Play, result: Result) -> str:
    facts = play.session.game.facts
    winner = None if result.winner is None else say(facts.seats[result.winner])
    if play.outcome:
        return _ended_by_players(play, winner)
    why, scores = play.session.how_ended(result.why), _score(play, result)
    if winner is None:
        return say("Draw, {scores}: {why}.", scores=scores, why=why) if scores else say("Draw: {why}.", why=why)
    if scores:
        return say("{winner} wins {scores}: {why}.", winner=winner, scores=scores, why=why)
    return say("{winner} wins: {why}.", winner=winner, why=why)


def won(play: Play) -> str:
    """Return how the game ended, to whoever has won it; "" while nobody has."""
    result, outcome = play.result, play.outcome
    if not result.over or result.winner is None:
        return ""
    if outcome and outcome.why == "resigned":
        return by_name(play, say("You win! {loser} resigned.", loser=_whose(play)))
    if outcome:
        return say("You win on time!")
    why, scores = play.session.how_ended(result.why), _score(play, result)
    return say("You win {scores}: {why}.", scores=scores, why=why) if scores else say("You win: {why}.", why=why)


def lost(play: Play, seat: int) -> str:
    """Return how the game ended, to ``seat``, which has lost it; "" where it has not. A ranking of more than two tells
    each its place: who comes second has not simply lost.
    """
    result, outcome = play.result, play.outcome
    if not result.over or result.winner in (None, seat):
        return ""
    if outcome and outcome.why == "resigned" and seat in outcome.by:
        told = say("You resigned. {winner} wins.", winner=say(play.session.game.facts.seats[result.winner]))
        return by_name(play, told)
    if not outcome and _ranking(play, result):
        return ended(play, result)
    return say("You lose. {ended}", ended=ended(play, result))


def _score(play: Play, result: Result) -> str:
    """Return the points that belong to how the game ended; "" where the `ranking` has them."""
    return "" if _ranking(play, result) else _scores(result)


def _scores(result: Result) -> str:
    """Return the points, the winner's first, as "5:1"; "" where there are none, or they are not why somebody won: "3:3"
    after "wins" reads like a mistake.
    """
    points, winner = list(result.scores or ()), result.winner
    if winner is not None and points:
        if points[winner] < max(points) or (len(points) == 2 and points[0] == points[1]):
            return ""
        points.insert(0, points.pop(winner))
    return ":".join(map(str, points))


def _ranking(play: Play, result: Result) -> str:
    """Return of more than two players who came first, second and so on: "1. Ann (7), 2. Ben (5)."; "" where `_scores`
    tells no points. Who has as many points shares a place, but for the winner.
    """
    points, winner = result.scores or (), result.winner
    if len(points) < 3 or not _scores(result):
        return ""
    order = sorted(range(len(points)), key=lambda seat: (seat != winner, -points[seat], seat))
    places = dict.fromkeys(order, 1)
    for n, (better, seat) in enumerate(pairwise(order), 2):
        shared = points[seat] == points[better] and better != winner
        places[seat] = places[better] if shared else n
    ranked = (
        say(
            "{place}.\N{NO-BREAK SPACE}{seat}\N{NO-BREAK SPACE}({points})",
            place=places[seat],
            seat=say(name),
            points=points[seat],
        )
        for seat, name in ((seat, _seats(play)[seat]) for seat in order)
    )
    return say("{ranking}.", ranking=tuple(ranked))


def _ended_by_players(play: Play, winner: str | None) -> str:
    """Return who gave up, agreed or ran out of time; of more than two players nobody wins by that."""
    outcome = play.outcome
    assert outcome is not None
    if outcome.why == "agreed":
        return say("Draw by agreement.")
    if outcome.why == "claimed":
        return say("Draw, claimed by {seat}.", seat=_whose(play))
    if outcome.why == "resigned":
        if winner is None:
            return say("{loser} resigned. The game ends without a winner.", loser=_whose(play))
        return say("{loser} resigned. {winner} wins.", loser=_whose(play), winner=winner)
    if winner is not None:
        return say("{winner} wins on time.", winner=winner)
    late = any_of(say(name) for n, name in enumerate(_seats(play)) if n not in outcome.by)
    return say("{loser} ran out of time. The game ends without a winner.", loser=late)


def _whose(play: Play) -> str:
    """Return who gave up, or claimed a draw."""
    by = play.outcome.by if play.outcome else ()
    return any_of(say(name) for n, name in enumerate(_seats(play)) if n in by)


def _seats(play: Play) -> tuple[str, ...]:
    return play.session.game.facts.seats[: play.seats]
