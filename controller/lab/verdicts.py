"""Seven questions that designers ask, answered for one setting of a run: green, amber or red, and why.

Owns the thresholds, each said in its answer's definition. Red is only said for certain: where the whole interval lies
beyond a threshold. Amber says that something is noticeable, or that there are too few games to tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, Literal

import msgspec

from controller.lab.intervals import NOTHING, Estimate, Intervals, quantile, strengths
from controller.lab.plan import WITHOUT
from controller.lab.playing import UNFINISHED
from controller.lab.uses import kind_of

Colour = Literal["green", "amber", "red"]
ORDER: tuple[Colour, ...] = ("green", "amber", "red")
Rows = Sequence[Mapping[str, Any]]

ENDLESS = 0.02  # of all games cut off
UNFAIR = 0.05  # points of a game away from what is fair to a seat
DRAWN = 0.5  # of all games without a winner
FORCED = (0.15, 0.33)  # of a seat's turns with one choice: from where noticeable, and bad
PAYS = 0.1  # points that the next level has to win above what is fair
EARLY = 0.25  # of a game's length, after which half of all games are decided
ALWAYS = 0.85  # of the turns in which something is open beside other things, and chosen
HARDLY = 0.1  # of what chance would choose
OFTEN = 200  # choices by chance, from where it is odd that nobody chooses it
DISPENSABLE = 0.02  # points that a player may lose who does without something that is of no use
CANNOT_DO_WITHOUT = 0.4  # of what is fair: what a player scores at most who does without what decides alone
VISITS = 20  # of a cell, if all were alike, from where it is odd that nothing goes there
DEAD = 0.03  # of all cells to which nothing ever goes


class FigureLine(msgspec.Struct, frozen=True):
    """One figure of an answer: what it is, and how it was found.

    One ``by_turn`` counts turns, of which those of a game are alike: its interval is narrower than it should be, and
    two runs are not told apart by it.
    """

    name: str
    estimate: Estimate
    share: bool = True  # to be written as per cent
    by_turn: bool = False


class RunAnswer(msgspec.Struct, frozen=True):
    """What one question got. ``games`` are keys of the games to watch for it."""

    key: str
    question: str
    colour: Colour
    reasons: tuple[str, ...]
    definition: str
    lines: tuple[FigureLine, ...] = ()
    watch: tuple[str, ...] = ()


class GameKnown(msgspec.Struct, frozen=True):
    """What is known of the game beside its rows: ``kinds`` are all of its pieces, ``own`` those that seats begin with.

    ``cells`` are those without terrain, on which pieces can be. ``levels`` are the players, the weakest first.
    """

    seats: int
    seat_names: tuple[str, ...]
    endings: tuple[str, ...]
    kinds: tuple[str, ...]
    own: tuple[str, ...]
    cells: tuple[str, ...]
    levels: tuple[str, ...]


class _Judged:
    """The worst colour so far, with the reasons for it."""

    def __init__(self) -> None:
        self.colour: Colour = "green"
        self.reasons: list[str] = []

    def found(self, colour: Colour, reason: str) -> None:
        if ORDER.index(colour) > ORDER.index(self.colour):
            self.colour, self.reasons = colour, []
        if colour == self.colour and reason not in self.reasons:
            self.reasons.append(reason)

    def answer(
        self,
        key: str,
        question: str,
        good: str,
        definition: str,
        lines: Sequence[FigureLine],
        watch: Sequence[str] = (),
    ) -> RunAnswer:
        reasons = tuple(self.reasons) if self.reasons else (good,)
        return RunAnswer(key, question, self.colour, reasons[:6], definition, tuple(lines), tuple(watch))


def answers(asked: Mapping[str, Rows], known: GameKnown, intervals: Intervals) -> tuple[RunAnswer, ...]:
    """Return the answers for a setting, whose rows are given by question, in the order in which designers ask."""
    return (
        _ends(asked, intervals),
        _fair(asked, known, intervals),
        _choice(asked, known, intervals),
        _skill(asked, known, intervals),
        _alive(asked, intervals),
        _strong(asked, known, intervals),
        _unused(asked, known),
    )


def per_cent(share: float) -> str:
    """Return a share as people read it."""
    return f"{100 * share:.0f} %" if abs(share) >= 0.1 or share == 0 else f"{100 * share:.1f} %"


def is_found(line: FigureLine) -> bool:
    """Whether there was something to count, so that the line has a figure."""
    return not isnan(line.estimate.value)


def figure(line: FigureLine) -> str:
    """Return the figure of a line as people read it."""
    if not is_found(line):
        return "–"
    return per_cent(line.estimate.value) if line.share else f"{line.estimate.value:.0f}"


def total(rows: Rows, key: str = "count") -> int:
    """Return the sum of what ``rows`` count."""
    return sum(row[key] or 0 for row in rows)


def _ends(asked: Mapping[str, Rows], intervals: Intervals) -> RunAnswer:
    judged, rows = _Judged(), asked["endings"]
    games = total(rows)
    cut = total([row for row in rows if row["ending"] == UNFINISHED])
    endless = intervals.share(cut, games)
    if endless.low > ENDLESS:
        judged.found(
            "red",
            f"{per_cent(endless.value)} of the games had no end within the moves that were allowed",
        )
    elif endless.value > ENDLESS:
        judged.found("amber", f"{per_cent(endless.value)} of the games were cut off")
    elif endless.high > 2 * ENDLESS:
        judged.found("amber", f"too few games to tell that hardly any is endless: {games}")
    names = sorted({row["ending"] for row in rows})
    shown = intervals.shown
    lines = [FigureLine(name, shown.share(total([r for r in rows if r["ending"] == name]), games)) for name in names]
    lengths = histogram(asked["lengths"], "plies")
    middle = intervals.middle(lengths)
    few, many = quantile(lengths, 0.05), quantile(lengths, 0.95)
    lines += [
        FigureLine("moves: 5 of 100 games have at most", _plain(few), share=False),
        FigureLine("moves: half of the games have at most", middle, share=False),
        FigureLine("moves: 95 of 100 games have at most", _plain(many), share=False),
    ]
    definition = f"Red: more than {per_cent(ENDLESS)} of the games are cut off. An ending is a word of the rules."
    return judged.answer(
        "ends", "Does it end, and how?", f"It ends: by {', '.join(names)}", definition, lines, ("longest", "shortest")
    )


def _plain(value: float) -> Estimate:
    return Estimate(value, value, value, 0)


def _fair(asked: Mapping[str, Rows], known: GameKnown, intervals: Intervals) -> RunAnswer:
    judged, lines = _Judged(), []
    fair = 1 / known.seats
    for level in known.levels:
        rows = [row for row in asked["winners"] if row["level"] == level]
        games, drawn = total(rows), total([row for row in rows if row["winner"] is None])
        for seat in range(known.seats):
            won = total([row for row in rows if row["winner"] == seat])
            points = intervals.points(won, drawn, games, fair)
            name = f"{known.seat_names[seat]}, level {level}"
            lines.append(FigureLine(name, points))
            told = (
                f"{known.seat_names[seat]} scores {per_cent(points.value)} of the points among players of level {level}"
            )
            if points.beyond(fair - UNFAIR, fair + UNFAIR):
                judged.found("red", told)
            elif not points.low <= fair <= points.high:
                judged.found("amber", told)
            elif not points.within(fair - 3 * UNFAIR, fair + 3 * UNFAIR):
                judged.found("amber", f"too few games of level {level} to tell: {games}")
    every = asked["winners"]
    drawn_share = intervals.share(total([row for row in every if row["winner"] is None]), total(every))
    lines.append(FigureLine("no winner", drawn_share))
    if drawn_share.low > DRAWN:
        judged.found("amber", f"{per_cent(drawn_share.value)} of the games have no winner")
    definition = (
        f"Points: 1 for a win, {per_cent(fair)} of a game without a winner. Red: a seat is more than "
        f"{per_cent(UNFAIR)} of a game away from {per_cent(fair)}."
    )
    return judged.answer("fair", "Is it fair?", "No seat wins noticeably more than the others", definition, lines)


def _choice(asked: Mapping[str, Rows], known: GameKnown, intervals: Intervals) -> RunAnswer:
    judged, lines = _Judged(), []
    for row in asked["forced"]:
        forced = intervals.share(row["forced"], row["turns"])
        seat = known.seat_names[row["seat"]]
        lines.append(FigureLine(f"turns of {seat} with one choice", forced, by_turn=True))
        told = f"{seat} has only one choice in {per_cent(forced.value)} of its turns"
        if forced.low > FORCED[1]:
            judged.found("red", told)
        elif forced.value > FORCED[0]:
            judged.found("amber", told)
    by_tenth = [histogram([r for r in asked["choices"] if r["tenth"] == tenth], "choices") for tenth in range(10)]
    for tenth, counts in enumerate(by_tenth):
        if counts and tenth in (0, 4, 9):
            name = f"choices of a turn, tenth {tenth + 1} of a game"
            lines.append(FigureLine(name, intervals.shown.middle(counts), share=False, by_turn=True))
    definition = (
        f"Red: a seat has one choice in more than {per_cent(FORCED[1])} of its turns, amber from "
        f"{per_cent(FORCED[0])}. The middle number of choices is that of half of the turns."
    )
    return judged.answer("choice", "Is there a choice?", "Turns have choices", definition, lines)


def _skill(asked: Mapping[str, Rows], known: GameKnown, intervals: Intervals) -> RunAnswer:
    judged, lines = _Judged(), []
    fair = 1 / known.seats
    for weaker, stronger in zip(known.levels, known.levels[1:], strict=False):
        rows = [r for r in asked["meetings"] if r["player"] == stronger and r["both"] == sorted((weaker, stronger))]
        points = _points(rows, intervals, fair)
        lines.append(FigureLine(f"level {stronger} against level {weaker}", points))
        told = f"level {stronger} scores {per_cent(points.value)} against level {weaker}"
        if points.count and points.high < fair + PAYS:
            judged.found("red", told)
        elif points.low <= fair:
            judged.found("amber", told if points.count else f"level {stronger} has not met level {weaker}")
    if not lines:
        judged.found("amber", "only one level has played: give two, as --levels 1,3")
    lines += _strengths(asked["meetings"], known)
    definition = (
        f"Red: the next level wins less than {per_cent(PAYS)} of a game above {per_cent(fair)}. Levels see more, the "
        f"higher they are; of equal players each scores {per_cent(fair)}."
    )
    return judged.answer("skill", "Does skill pay?", "Whoever sees more wins more", definition, lines)


def _strengths(meetings: Rows, known: GameKnown) -> list[FigureLine]:
    """Return how strong all players of a game for two are, also those that do without something."""
    met = [row for row in meetings if row["seats"] == 2 and len(row["both"]) == 2]
    players = [*known.levels, *sorted({row["player"] for row in met} - {*known.levels})]
    if known.seats != 2 or {*players} > {row["player"] for row in met}:
        return []
    points = {
        (row["player"], next(each for each in row["both"] if each != row["player"])): row["won"] + row["drawn"] / 2
        for row in met
    }
    found = strengths(points, players)
    return [
        FigureLine(f"strength of {each} above {players[0]}, in Elo", _plain(found[each]), share=False)
        for each in players[1:]
    ]


def _points(rows: Rows, intervals: Intervals, fair: float) -> Estimate:
    won, drawn, games = (total(rows, key) for key in ("won", "drawn", "games"))
    return intervals.points(won, drawn, games, fair)


def _alive(asked: Mapping[str, Rows], intervals: Intervals) -> RunAnswer:
    judged = _Judged()
    decided = histogram(asked["decided"], "hundredths")
    when = hundredth(intervals.middle(decided))
    changes = histogram(asked["lead_changes"], "lead_changes")
    never = intervals.shown.share(changes.get(0, 0), sum(changes.values()))
    behind = asked["behind"]
    turned = intervals.share(total([row for row in behind if row["tenths"] >= 2]), total(behind))
    lines = [
        FigureLine("half of the games are decided after this part of their moves", when),
        FigureLine("games in which the lead never changes", never),
        FigureLine("games whose winner was once clearly behind", turned),
        FigureLine("lead changes in half of the games, at most", intervals.middle(changes), share=False),
    ]
    if when.count and when.high < EARLY and turned.high < 0.5:
        judged.found("red", f"half of the games are decided after {per_cent(when.value)} of their moves")
    elif when.count and when.value < EARLY:
        judged.found("amber", f"many games are decided early: half of them after {per_cent(when.value)} of their moves")
    elif not when.count:
        judged.found("amber", "nobody has won a game, so none was decided")
    definition = (
        "A game is decided after the last move at which its later winner did not lead. Who leads "
        "is judged by what the game's players count. Red: half of the games are decided after "
        f"less than {per_cent(EARLY)} of their moves, and winners are rarely behind."
    )
    return judged.answer("alive", "Is it alive?", "Games stay open", definition, lines, ("liveliest", "one_sided"))


def hundredth(middle: Estimate) -> Estimate:
    """Return a middle of hundredths as a share."""
    if not middle.count:
        return NOTHING
    return Estimate(middle.value / 100, middle.low / 100, middle.high / 100, middle.count)


def _strong(asked: Mapping[str, Rows], known: GameKnown, intervals: Intervals) -> RunAnswer:
    """Judge by the strongest players alone: chance uses everything, and whoever sees little errs about it."""
    judged, lines = _Judged(), []
    best = known.levels[-1]
    offers = [row for row in asked["offers"] if row["level"] == best]
    several = len({kind_of(row["offer"]) for row in offers}) > 1
    lines += [_offered(row, judged, intervals, several) for row in offers]
    lines += [_without(row, judged, intervals, best, offers) for row in asked["meetings"] if WITHOUT in row["player"]]
    winners = [row for row in asked["winners"] if row["level"] == best]
    lines += [_users(row, judged, intervals, winners) for row in asked["users"] if row["level"] == best]
    definition = (
        f"Of the strongest players ({best}). Red: something is chosen in more than {per_cent(ALWAYS)} of the turns "
        "that offer it beside other things, though chance would choose it less than half as often; or less than "
        f"{per_cent(HARDLY)} as often as by chance; or whoever does without a kind (Jaffe 2012) scores less than "
        f"{per_cent(CANNOT_DO_WITHOUT)} of what is fair."
    )
    good = "Nothing is always chosen, and nothing never"
    return judged.answer("strong", "What is strong?", good, definition, lines)


def _offered(row: Mapping[str, Any], judged: _Judged, intervals: Intervals, several: bool) -> FigureLine:
    """Judge how often something is chosen of the turns that offer it beside other things."""
    name, turns, chosen = row["offer"], row["with_others"], row["chosen_with_others"]
    beside, expected = intervals.share(chosen, turns), row["by_chance_with_others"] or 0
    if several and beside.low > ALWAYS and expected < ALWAYS / 2 * turns:
        judged.found("red", f"{name} is chosen nearly always where it can be: {per_cent(beside.value)}")
    if _hardly_chosen(chosen, expected):
        certain = beside.high * turns < HARDLY * expected
        told = f"{name} is hardly ever chosen: {chosen} times, by chance it would be {round(expected)}"
        judged.found("red" if certain else "amber", told)
    return FigureLine(f"{name}: chosen of the turns that offer it and others", beside, by_turn=True)


def _hardly_chosen(chosen: int, by_chance: float) -> bool:
    return by_chance >= OFTEN and chosen < HARDLY * by_chance


def _without(row: Mapping[str, Any], judged: _Judged, intervals: Intervals, best: str, offers: Rows) -> FigureLine:
    """Judge a player that did without something, if it is one of the strongest."""
    fair = 1 / row["seats"]
    points = intervals.points(row["won"], row["drawn"], row["games"], fair)
    level, _, use = row["player"].partition(WITHOUT)
    if level == best and points.high < CANNOT_DO_WITHOUT * fair:
        # That somebody must take, or move at all, is the game; that one kind decides it alone is a fault.
        kind = use not in {each["offer"] for each in offers}
        told = f"whoever does without {use} scores {per_cent(points.value)}: it decides alone"
        judged.found("red" if kind else "amber", told)
    elif level == best and points.low > fair - DISPENSABLE:
        judged.found("amber", f"whoever does without {use} loses nothing: {per_cent(points.value)}")
    return FigureLine(f"level {level} without {use}", points)


def _users(row: Mapping[str, Any], judged: _Judged, intervals: Intervals, winners: Rows) -> FigureLine:
    """Look whether nearly all games are won by the seats that did something which the others did not."""
    points = intervals.points(row["won"], row["drawn"], row["count"], 1 / row["seats"])
    games = total(winners)
    if points.low > 1 - 2 * UNFAIR and 0.1 * games < row["count"] < 0.75 * games * row["seats"]:
        judged.found("amber", f"{row['use']}: whoever does it wins {per_cent(points.value)} of the games")
    return FigureLine(f"{row['use']}: points of the seats that did it", points)


def _unused(asked: Mapping[str, Rows], known: GameKnown) -> RunAnswer:
    judged, visits = _Judged(), {row["site"]: row["count"] for row in asked["sites"]}
    there = [visits.get(cell, 0) for cell in known.cells]
    dead = [cell for cell, count in zip(known.cells, there, strict=True) if not count]
    enough = sum(there) >= VISITS * len(known.cells)
    lines = [FigureLine("cells that something goes to or comes from", _plain(1 - len(dead) / len(known.cells)))]
    if dead and enough:
        red = len(dead) > max(1, DEAD * len(known.cells))
        judged.found("red" if red else "amber", f"nothing ever goes to {', '.join(dead[:12])}")
    elif not enough:
        judged.found("amber", "too few moves to tell which cells are of no use")
    _idle(asked["offers"], known, judged, enough)
    met = {row["ending"] for row in asked["endings"]}
    never = [ending for ending in known.endings if ending not in met]
    if never:
        judged.found("amber", f"endings that never came in {total(asked['endings'])} games: {', '.join(never)}")
    definition = (
        f"Red: more than {per_cent(DEAD)} of all cells, and more than one, that nothing ever goes to or comes from, "
        f"though each would be {VISITS} times if all were alike; or a kind that seats begin with and never use, or "
        f"that the strongest players ({known.levels[-1]}) use less than {per_cent(HARDLY)} as often as by chance."
    )
    return judged.answer("unused", "What is unused?", "All cells, kinds and endings are met", definition, lines)


def _idle(offers: Rows, known: GameKnown, judged: _Judged, enough: bool) -> None:
    """Judge kinds of pieces that are never used, or hardly ever by those who see most."""
    used = {kind_of(row["offer"]) for row in offers if row["chosen"]}
    if not used & set(known.kinds):
        return
    for kind in known.kinds:
        rows = [row for row in offers if kind_of(row["offer"]) == kind and row["level"] == known.levels[-1]]
        chosen = total(rows, "chosen_with_others")
        if kind not in used:
            judged.found("red" if kind in known.own and enough else "amber", f"never used: {kind}")
        elif _hardly_chosen(chosen, total(rows, "by_chance_with_others")):
            judged.found("red", f"hardly ever used: {kind}, {chosen} times")


def histogram(rows: Rows, key: str) -> dict[int, int]:
    """Return how often each value of ``key`` is counted."""
    found: dict[int, int] = {}
    for row in rows:
        found[row[key]] = found.get(row[key], 0) + row["count"]
    return found
