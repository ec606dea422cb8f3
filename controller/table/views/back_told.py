"""What is taken back, in words: as others are asked about it, and as they are told of it then."""

from __future__ import annotations

from controller.sentences import all_of, any_of, or_you, say, to_player
from controller.table.people.asking_back import askers, waits_for
from controller.table.session import Session
from controller.table.state import Play, Table
from controller.table.views.last_turn import turn_told
from controller.table.views.plies_told import IN_SECRET

MOST_NAMED = 3  # plies; of more a sentence says how many


def question(table: Table, play: Play, seat: int | None) -> str:
    """Return the question in words, as ``seat`` is asked it or (None) a watcher reads it; "" where nobody asks."""
    asked, others = play.back_asked, waits_for(play)
    if asked is None or not others:
        return ""
    names, asking = play.session.game.facts.seats, askers(table, play)
    moves = since(play.session, asked.to, seat, asking) or say("the last move")
    who = any_of(say(names[seat]) for seat in asking) if asking else say("Somebody without a seat")
    if seat in others:
        return say("{who} asks to take back: {moves}. Do you agree?", who=who, moves=moves)
    whom = all_of(or_you(names[seat]) for seat in others)
    told = say("{who} asks to take back: {moves}. Still to agree: {whom}.", who=who, moves=moves, whom=whom)
    if len(asking) != 1:
        return told
    own = say("You ask to take back: {moves}. Still to agree: {whom}.", moves=moves, whom=whom)
    return to_player(names[asking[0]], own, told)


def since(session: Session, to: int, seat: int | None, by: tuple[int, ...] | None = None) -> str:
    """Return the plies after the first ``to``, as ``seat`` (None: a watcher) may know them: "stone from c3 to d3"; of
    many how many they are, and "" where they are secret. With whose each is, unless all are of those who do it: the
    seats ``by``, where that is not None.
    """
    positions, number = session.positions, to + 1
    makers = {each.seat for each in positions[number:]}
    named = len(makers) > 1 or (by is not None and not makers <= {*by})
    words: list[str] = []
    while number < len(positions):
        last = number
        while last + 1 < len(positions) and positions[last + 1].seat == positions[number].seat:
            last += 1
        told = [ply.words for ply in turn_told(session, number, last, seat).plies if ply.words not in ("", IN_SECRET)]
        whose = or_you(session.game.facts.seats[positions[number].seat or 0])
        words += [say("{moves} ({seat})", moves=each, seat=whose) for each in told] if named else told
        number = last + 1
    if len(words) > MOST_NAMED:
        many = say("{n} moves", n=len(positions) - 1 - to)
        gave_up = [positions[n].seat or 0 for n in range(to + 1, len(positions)) if session.gave_up(n)]
        if not gave_up:
            return many
        seats = [say(session.game.facts.seats[each]) for each in gave_up]
        all_told = say("{moves}, with the resignation of {seats}", moves=many, seats=all_of(seats))
        own = say("{moves}, with your own resignation", moves=many)
        return to_player(seats[0], own, all_told) if len(seats) == 1 else all_told
    line, *more = words or [""]
    for other in more:
        line = say("{one}; {other}", one=line, other=other)
    return line


def taken_back(session: Session, to: int, who: str) -> str:
    """Return what others are told when ``who``, "" where all agreed, takes back the plies after the first ``to``; ""
    where these are secret.
    """
    undone, positions = range(to + 1, len(session.positions)), session.positions
    if undone and all(session.gave_up(number) for number in undone):
        seats = all_of(say(session.game.facts.seats[positions[number].seat or 0]) for number in undone)
        if len(undone) == 1:
            return say("{seat} is in the game again.", seat=seats)
        return say("{seats} are in the game again.", seats=seats)
    moves = since(session, to, None)
    if not moves:
        return ""
    return say("{who} took back: {moves}.", who=who, moves=moves) if who else say("Taken back: {moves}.", moves=moves)
