"""What to light: one language for all games, from the table's state to colours.

Owns the meanings, in the order of their weight, and the themes. A light is a function of the table and of the blink's
half alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from controller.table.lesson_guide import goes_on_to, handed_over, held_rightly, lead, waits
from controller.table.puzzling import hint_site
from controller.table.reading.last_ply import next_landings
from controller.table.state import Play, Table
from controller.table.views.help_lights import HelpLights, help_lights
from controller.table.views.move_costs import cost_layers
from controller.table.views.threats import threatened

Meaning = Literal[
    "may_go",
    "may_take",
    "may_move",
    "blocked",
    "in_danger",
    "lost_much",
    "check",
    "cost_1",
    "cost_2",
    "cost_3",
    "last",
    "chore_off",
    "chore_on",
    "missing",
    "too_much",
    "choice",
    "won",
    "fault",
]
Colour = tuple[int, int, int]


class MeaningLook(msgspec.Struct, frozen=True):
    """How a meaning is shown. What asks for something blinks, so that colour never tells alone.

    A ``wave`` runs over its sites once, when they are first lit; then they are steady.
    """

    colour: Colour
    blink: bool = False
    wave: bool = False


Theme = Mapping[Meaning, MeaningLook]

# Blue, orange and sky stay apart for every common colour blindness; red and green are never set against each other.
CALM: Theme = {
    "may_go": MeaningLook((0, 110, 255)),
    "may_take": MeaningLook((255, 120, 0)),
    "may_move": MeaningLook((0, 50, 110)),
    "blocked": MeaningLook((160, 0, 90)),
    "in_danger": MeaningLook((200, 80, 0), blink=True),
    "lost_much": MeaningLook((255, 170, 0)),
    "check": MeaningLook((255, 40, 170), blink=True),
    "cost_1": MeaningLook((90, 200, 255)),
    "cost_2": MeaningLook((70, 90, 220)),
    "cost_3": MeaningLook((90, 0, 150)),
    "last": MeaningLook((60, 60, 40)),
    "chore_off": MeaningLook((255, 120, 0), blink=True),
    "chore_on": MeaningLook((0, 180, 255), blink=True),
    "missing": MeaningLook((255, 255, 255), blink=True),
    "too_much": MeaningLook((255, 0, 60), blink=True),
    "choice": MeaningLook((255, 220, 0), blink=True),
    "won": MeaningLook((255, 200, 40), wave=True),
    "fault": MeaningLook((255, 0, 60)),
}


# For bright rooms and weak eyes: pure colours at full power, told apart by brightness too.
CONTRAST: Theme = {
    **CALM,
    "may_go": MeaningLook((0, 80, 255)),
    "may_take": MeaningLook((255, 90, 0)),
    "may_move": MeaningLook((0, 60, 60)),
    "blocked": MeaningLook((120, 0, 120)),
    "in_danger": MeaningLook((255, 0, 0), blink=True),
    "lost_much": MeaningLook((255, 190, 0)),
    "check": MeaningLook((255, 0, 200), blink=True),
    "last": MeaningLook((50, 50, 50)),
    "chore_off": MeaningLook((255, 90, 0), blink=True),
    "chore_on": MeaningLook((0, 255, 255), blink=True),
    "missing": MeaningLook((255, 255, 255), blink=True),
    "too_much": MeaningLook((255, 0, 80), blink=True),
    "choice": MeaningLook((255, 255, 0), blink=True),
    "won": MeaningLook((255, 255, 0), wave=True),
    "fault": MeaningLook((255, 0, 0)),
}


def themes() -> dict[str, Theme]:
    """Return the themes by their names in the settings; "own" begins as the calm one."""
    return {"calm": CALM, "contrast": CONTRAST, "own": CALM}


def meanings(table: Table) -> dict[str, Meaning]:
    """Return what each lit site of the board means, by the board's name of it."""
    if table.link:
        return dict.fromkeys(table.board.sites[:1], "fault")
    found: dict[str, Meaning] = {}
    if table.play is None:
        return found
    for mask, meaning in _layers(table, table.play):
        for site in table.board.where(mask):
            found[site] = meaning
    return found


def unkept(table: Table) -> dict[str, Meaning]:
    """Return the sign that games are not kept: the board's last site, while no game is under way.

    It is for people without a phone. All others are told in a sentence, and in a game every light is of the game.
    """
    return dict.fromkeys(table.board.sites[-1:], "fault") if table.play is None or table.phase == "over" else {}


def _layers(table: Table, play: Play) -> Iterator[tuple[int, Meaning]]:
    """Yield what is lit, the weightiest last."""
    verdict, settled = play.verdict, play.settled
    if table.round_us:
        return
    helped = help_lights(table, play)
    if table.phase == "over":
        yield from _ending(play)
    elif table.phase == "play":
        yield _last(play), "last"
        onward = next_landings(play) if table.by_taps and not play.differs(table.now) else 0
        yield onward, "may_go"
        yield from _led(table, play, goal=not onward)
        yield from _hints(table, play) if not (play.session.expected or helped.lead) else ()
        yield from _helped(helped)
        if play.session.hinted:
            yield play.game_area.bit.get(hint_site(play.session), 0), "choice"
        yield _checked(play) & play.game_area.both(table.now), "check"
    if table.phase in ("play", "fix") and not waits(play) and not helped.lead:
        yield from cost_layers(table, play)
    loose = settled.pending_chores & (table.now ^ settled.position.standing)
    yield loose & table.now, "chore_off"
    yield loose & ~table.now, "chore_on"
    for bit, _ in (*play.choices, *play.menu):
        yield bit, "choice"
    if (table.by_taps or handed_over(play)[1]) and held_rightly(play):
        yield goes_on_to(play), "may_go"
    if not verdict.extra and verdict.missing.bit_count() == 1 and not play.setting_up:
        yield verdict.missing, "choice" if held_rightly(play) else "blocked"
    else:
        yield verdict.missing, "missing"
    yield verdict.extra, "too_much"


def _last(play: Play) -> int:
    """Return the sites that the last ply changed; none where the board was set up anew after it."""
    if len(play.standings) < 2 or play.session.sets_up():
        return 0
    return play.standings[-1] ^ play.standings[-2]


def _checked(play: Play) -> int:
    """Return the sites of the pieces that are in check."""
    game = play.session.game
    return sum(play.game_area.bit[name] for name in game.checked(play.session.state)) if game.checked else 0


def _led(table: Table, play: Play, goal: bool) -> Iterator[tuple[int, Meaning]]:
    """Yield what leads through the step of a lesson, or to the board's own ply; where it goes only with ``goal``."""
    led = lead(play, table.now)
    yield led.touch, "choice"
    yield led.go if goal else 0, "may_go"
    yield led.take, "may_take"


def _helped(helped: HelpLights) -> Iterator[tuple[int, Meaning]]:
    """Yield what is shown to who asked for help, or is coached."""
    yield helped.lost, "lost_much"
    yield helped.touch, "choice"
    yield helped.go, "may_go"
    yield helped.take, "may_take"
    yield helped.danger, "in_danger"


def _hints(table: Table, play: Play) -> Iterator[tuple[int, Meaning]]:
    """Yield what the player to move wants to be shown."""
    game, state = play.session.game, play.session.state
    seat = game.seat(state)
    level = "legal" if seat is None else dict(table.hints).get(seat, "legal")
    if level == "none":
        return
    idle = not play.verdict.possible
    if level in ("movable", "threatened") and idle:
        yield play.settled.position.movable, "may_move"
    if level == "threatened" and idle:
        yield sum(play.game_area.bit[name] for name in threatened(game, state)), "in_danger"
    yield from _offers(table, play)
    if held := play.settled.position.standing & ~table.now & ~play.settled.pending_chores:
        yield from _corners(play, held)


def _offers(table: Table, play: Play) -> Iterator[tuple[int, Meaning]]:
    """Yield where the pieces in the hand may go, and whom they take."""
    held = play.settled.position.standing & ~table.now
    for footprint in play.verdict.possible:
        if footprint.origin and not footprint.origin & held:
            # A piece that some ply only leaves to be taken off afterwards says nothing of what is meant.
            if held & (footprint.empties | footprint.refills):
                yield footprint.origin, "may_move"
            continue
        for stop in footprint.path[1:] or footprint.path:
            yield stop & ~table.now, "may_go"
    for footprint in play.verdict.possible:
        if not footprint.origin or footprint.origin & held:
            yield footprint.empties & ~footprint.origin & table.now, "may_take"
            yield footprint.replaced, "may_take"


def _corners(play: Play, held: int) -> Iterator[tuple[int, Meaning]]:
    """Yield where a piece may come to that is paid from several stores at once, one of them lifted.

    What one store pays alone is lit with its price.
    """
    game, state = play.session.game, play.session.state
    lifted = set(play.game_area.names(held))
    for footprint in play.settled.position.footprints:
        if footprint.landing and not footprint.origin:
            paying = game.walk(state, game.read(state, footprint.text)).concerns
            if len(paying) > 1 and lifted & set(paying):
                yield footprint.landing, "may_go"


def _ending(play: Play) -> Iterator[tuple[int, Meaning]]:
    """Yield the winner's pieces; all of them where nobody won."""
    game, state = play.session.game, play.session.state
    winner = play.result.winner
    colour = None if winner is None else game.colour_of(state, winner)
    shape = play.settled.position.shape
    yield play.game_area.mask({n: p for n, p in shape.items() if colour is None or p.seat == colour}), "won"


def colours(table: Table, theme: Theme, lit_half: bool) -> dict[str, Colour]:
    """Return the colour of every lit site; what blinks is dark in the other half."""
    found = {}
    for site, meaning in meanings(table).items():
        look = theme[meaning]
        if lit_half or not look.blink:
            found[site] = look.colour
    return found


def blinks(table: Table, theme: Theme) -> bool:
    """Whether anything that is lit blinks."""
    return any(theme[meaning].blink for meaning in meanings(table).values())
