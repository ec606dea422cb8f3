"""One game at random, held ply by ply against its referee, and the shortest list of plies that shows a difference."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from .beacons_rounds import Beacons
from .cyvasse import Cyvasse
from .program import Answer, CommandLine, InProcess, Refused
from .referee import Referee
from .variants import LONGEST, choose, draw, referee, tastes

Differences = list[tuple[str, Any, Any]]


@dataclass
class Played:
    """A game that was compared. ``differences`` were found after the last of the ``events``.

    Events are plies, `out 3`, and `no a1-a2` where that text is no legal ply and has to be refused.
    """

    game: str
    options: dict[str, Any]
    events: list[str] = field(default_factory=list)
    differences: Differences = field(default_factory=list)
    positions: int = 0
    why: str = ""

    def told(self) -> str:
        """Return the game and its differences as text."""
        options = " ".join(f"--option {key}={str(value).lower()!r}" for key, value in self.options.items())
        lines = [f"{self.game} {options} --after '{'; '.join(self.events)}'"]
        lines += [f"    {what}: by the seed {ours}, by the program {theirs}" for what, ours, theirs in self.differences]
        return "\n".join(lines)


Replay = Callable[[Played, list[str]], Played | None]


class Pair:
    """A game twice: the referee's and the program's."""

    def __init__(self, game: str, options: dict[str, Any], how: str = "rules") -> None:
        self.game, self.options = game, options
        self.inside = InProcess(game, options)
        self.outside = CommandLine(game, options) if how == "command-line" else None
        self.referee = referee(game, options, self.inside)

    def step(self, text: str) -> Differences:
        """Let an event happen to both, and compare."""
        if text.startswith("no "):
            return [] if self.inside.refuses(text[3:]) else [("refused", text[3:], "taken")]
        secret = self.other_secret(text)
        try:
            self.inside.play(text)
            if self.outside:
                self.outside.play(text)
        except Refused as refused:
            return [("refused", text, str(refused))]
        if isinstance(self.referee, Beacons) and self.referee.phase == "bid":
            self.referee.lots = [int(seat) for seat in self.inside.seen(None)["order"]]
        if text.startswith("out "):
            self.referee.out(int(text.split()[1]) - 1)
        else:
            self.referee.play(text)
        return self.unlike() + (self.betrayed(*secret) if secret else [])

    def may(self, event: str) -> bool:
        """Return whether ``event`` can happen now."""
        if event.startswith("no "):
            return not self.may(event[3:])
        return event in self.referee.legal() or event in [f"out {seat + 1}" for seat in self.referee.may_leave()]

    def unlike(self) -> Differences:
        """Return in what the two differ now."""
        found = against(self.referee, self.inside.answer())
        if self.outside:
            found += against(self.referee, self.outside.answer())
        seats = (None, *range(self.referee.players))
        if isinstance(self.referee, Cyvasse) and self.referee.arranging:
            for seat in seats:
                ours, theirs = self.referee.shown(seat), self.inside.pieces(seat)
                found += [(f"pieces, seen by {seat}", ours, theirs)] if ours != theirs else []
        elif isinstance(self.referee, Beacons):
            bidding = self.referee.phase == "bid"
            for seat in seats if bidding else (None,):
                found += self.seen_unlike(seat)
        return found

    def seen_unlike(self, seat: int | None) -> Differences:
        """Return in what the program shows ``seat`` something else than it should."""
        found: Differences = []
        seen = self.inside.seen(seat)
        for word, ours in self.referee.known(seat).items():
            theirs = len(seen[word]) if word == "used" else plain(word, seen[word])
            if theirs != ours:
                found.append((f"{word}, seen by {seat}", ours, theirs))
        return found

    def other_secret(self, text: str) -> tuple[int, InProcess] | None:
        """Return the seat to move, if it plays in secret, and the game as it were with another choice."""
        seat = self.referee.to_move
        hidden = text.startswith("bid ") or ("@" in text and self.options.get("setup") == "secret")
        if not hidden or seat is None or text.startswith("@"):
            return None
        other = next((one for one in self.referee.legal() if one != text and one[:2] == text[:2]), None)
        if other is None:
            return None
        twin = InProcess(self.game, self.options)
        twin.state = self.inside.state
        try:
            twin.play(other)
        except Refused:
            return None
        return seat, twin

    def betrayed(self, seat: int, twin: InProcess) -> Differences:
        """Return who could tell from what it sees which of two secret choices ``seat`` has made."""
        one = self.referee
        secret = (isinstance(one, Beacons) and one.phase == "bid") or (isinstance(one, Cyvasse) and one.arranging)
        if not secret or one.over:
            return []
        others = [other for other in (None, *range(one.players)) if other != seat]
        told = [other for other in others if self.inside.look(other) != twin.look(other)]
        return [("secret of", seat, f"told to {other}") for other in told]


def plain(word: str, value: Any) -> Any:
    """Return what the program shows in the referee's form."""
    if word == "shells":  # with owned nodes a seat stands where a unit is its own; here a node is occupied or not
        return {at: "".join("0" if node == "0" else "1" for node in nodes) for at, nodes in value.items()}
    return value


def against(game: Referee, answer: Answer) -> Differences:
    """Return in what an answer differs from the referee."""
    found: Differences = []
    if answer.legal is not None and sorted(answer.legal) != sorted(game.legal()):
        ours, theirs = set(game.legal()), set(answer.legal)
        twice = len(answer.legal) - len(theirs)
        found.append((f"legal ({twice} twice)", f"also {sorted(ours - theirs)}", f"also {sorted(theirs - ours)}"))
    pairs: Differences = [
        ("to move", game.to_move, answer.to_move),
        ("over", game.over, answer.over),
        ("winner", game.winner, answer.winner),
        ("why", game.why, answer.why),
    ]
    found += [(what, one, other) for what, one, other in pairs if one != other]
    if game.over and game.scores != answer.scores:
        found.append(("scores", game.scores, answer.scores))
    if answer.leavers is not None and answer.leavers != game.may_leave():
        found.append(("who may give up alone", game.may_leave(), answer.leavers))
    if answer.claimable is not None and answer.claimable != game.claimable():
        found.append(("a draw can be claimed", game.claimable(), answer.claimable))
    pieces = game.pieces()
    if answer.pieces is not None and pieces is not None and pieces != answer.pieces:
        found.append(("pieces", sorted(pieces.items()), sorted(answer.pieces.items())))
    return found


def play(game: str, random: Random, how: str = "rules", leaving: int = 0) -> Played:
    """Play a game at random, in which so many give up at most, until its end or the first difference."""
    options = draw(game, random, giving_up=leaving > 0)
    pair = Pair(game, options, how)
    played = Played(game, options, differences=pair.unlike(), positions=1)
    taste = tastes(game, random)
    longest = 25 if how == "command-line" else random.choice(LONGEST[game])
    others = [f"out {number}" for number in range(1, pair.referee.players + 2)]  # plies of other positions, and these
    haste = random.choice((0.01, 0.03, 0.1, 0.3))
    while not played.differences and not pair.referee.over and len(played.events) < longest:
        may = pair.referee.may_leave()
        early = getattr(pair.referee, "phase", "active") != "active"
        if leaving and may and random.random() < (0.12 if early else haste):
            event = f"out {random.choice(may) + 1}"
            leaving -= 1
            haste = random.choice((haste, 0.5))  # now and then several go at once
        elif random.random() < 0.2 and pair.may(f"no {(other := random.choice(others))}"):
            event = f"no {other}"
        else:
            made = [one for one in played.events[-8:] if not one.startswith("no ")]
            event = choose(game, pair.referee.legal(), made, random, taste)
            others.append(event)
        played.events.append(event)
        played.differences = pair.step(event)
        played.positions += not event.startswith("no ")
    played.why = pair.referee.why
    return played


def replayed(played: Played, events: list[str]) -> Played | None:
    """Make those of ``events`` that are legal, up to the first difference; None where there is none."""
    pair = Pair(played.game, played.options)
    again = Played(played.game, played.options, differences=pair.unlike())
    for text in events:
        if again.differences:
            break
        if pair.may(text):
            again.events.append(text)
            again.differences = pair.step(text)
    return again if again.differences else None


def shrunk(played: Played, replay: Replay = replayed, seconds: float = 20.0) -> Played:
    """Return the shortest game with a difference of the same sort that leaving events out leads to."""
    sort = played.differences[0][0]
    best, until = played, time.monotonic() + seconds
    size = max(1, len(best.events) // 2)
    while size and time.monotonic() < until:
        for at in range(len(best.events) - size, -1, -size):
            shorter = replay(best, best.events[:at] + best.events[at + size :])
            if shorter and len(shorter.events) < len(best.events) and shorter.differences[0][0] == sort:
                best = shorter
                break
        else:
            size //= 2
    for key in [key for key in best.options if key != "players"]:
        plainer = replace(best, options={word: value for word, value in best.options.items() if word != key})
        try:
            shorter = replay(plainer, best.events)
        except (ValueError, AssertionError):  # options that do not go together
            continue
        if shorter and shorter.differences[0][0] == sort:
            best = shorter
    return best
