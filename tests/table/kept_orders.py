"""What phones show while orders are given, as kept; ``python -m tests.table.kept_orders`` keeps it anew.

Each evening is one game. Whatever may be ordered is ordered in turn, drawn from the evening's name, what is refused
too. As of `tests.table.kept_evenings`, a transcript says nothing of what is right.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from controller.events import Command, Event, Seated, Seating, Snapshot, Tick
from controller.from_profile import bare_profile, table_board
from controller.game_setup import Afar, ClockRule, Lesson, LessonStep, Match, Opponents
from controller.orders import (
    AgreeBack,
    AnyOrder,
    AskHelp,
    BoardPlays,
    ClaimDraw,
    Coached,
    FollowHome,
    FromAfar,
    Hint,
    HoldAfar,
    LeaveLesson,
    LetCoach,
    NewGame,
    NextStep,
    NotTaken,
    OfferDraw,
    Pause,
    PlayAgain,
    PlayPly,
    Redo,
    RefuseBack,
    RefuseDraw,
    Resign,
    SetHints,
    TakeBack,
    WhoPlays,
)
from controller.table.notes import AnyNote
from controller.table.state import Play, Table
from controller.table.table import step
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from controller.table.views.types import PanelView
from tests.transcripts import BEGINS, keep

FILE = Path(__file__).with_suffix(".txt")
ORDERS = 30  # of an evening
TIDES = "tides-of-war"
STEPS = (LessonStep("Touch a2.", light=("a2",)), LessonStep("Step.", "c3-c4"), LessonStep("Back.", "c6-b5"))
FOUND = Lesson((LessonStep("Find the move.", "c4xa6"),), plies=("c3-c4", "c6-b5"), puzzle="1")
ANN, BEN = Seating(("Ann", "Ben"), by="lots"), Seating(("Ann", "Ben", "Cem", "Dan"), by="turn")
DUEL = {"template": "duel"}

Begun = tuple[NewGame, Seating, Afar]
EVENINGS: Mapping[str, Begun] = {
    "people": (NewGame(game=TIDES), ANN, Afar()),
    "nobody named": (NewGame(game="tam-ruat-chess"), Seating(("Ann", "Ben"), by="turn", unnamed=(0, 1)), Afar()),
    "a clock": (NewGame(game=TIDES, clock=ClockRule("increment", 1, 5)), ANN, Afar()),
    "a delay": (NewGame(game="circle", clock=ClockRule("delay", 1, 5)), Seating(), Afar()),
    "the board": (
        NewGame(game=TIDES, opponents=Opponents((0, 3), answers=True, coach=True)),
        Seating(("Ann",)),
        Afar(),
    ),
    "the board begins": (NewGame(game="giantslayer", opponents=Opponents((2,))), Seating(), Afar()),
    "a match": (NewGame(game="giantslayer", match=Match(2)), ANN, Afar()),
    "rounds": (NewGame(game="giantslayer", options={"rounds": 2}), ANN, Afar()),
    "two": (NewGame(game="circle"), ANN, Afar()),
    "four": (NewGame(game="circle", options={"players": 4}), BEN, Afar()),
    "four with two boards": (
        NewGame(game="circle", options={"players": 4}, opponents=Opponents((0, 1, 0, 2))),
        BEN,
        Afar(),
    ),
    "bids": (NewGame(game="beacons"), ANN, Afar()),
    "a duel": (NewGame(game="beacons", options=DUEL), Seating(), Afar()),
    "three": (NewGame(game="beacons", options={"players": 3}), BEN, Afar()),
    "an open array": (NewGame(game="cyvasse"), ANN, Afar()),
    "a secret array": (NewGame(game="cyvasse", options={"setup": "secret"}), ANN, Afar()),
    "alone": (NewGame(game="tam-ruat-chess"), Seating(("Ann", "Ann")), Afar()),
    "a lesson": (NewGame(game=TIDES, lesson=Lesson(STEPS)), Seating(("Ann",)), Afar()),
    "a puzzle": (NewGame(game=TIDES, lesson=FOUND), Seating(("Ann",)), Afar()),
    "another board": (NewGame(game=TIDES), Seating(("Ann",)), Afar((1,))),
    "a board that follows": (NewGame(game=TIDES), Seating(("Ann",)), Afar((0,), follows=True)),
    "looked on": (NewGame(game="circle"), Seating(), Afar((0, 1), follows=True)),
    "bids of another board": (NewGame(game="beacons"), Seating(("Ann",)), Afar((1,))),
    "a phone far away": (NewGame(game="beacons", options={"players": 3}), Seating(("Ann", "Ben"), far=(1,)), Afar()),
}


def told(name: str) -> list[str]:
    """Return the transcript of an evening, line by line."""
    return [f"{BEGINS}{name}", *_transcript(random.Random(name), *EVENINGS[name])]


def _transcript(chance: random.Random, new: NewGame, seating: Seating, afar: Afar) -> Iterator[str]:
    table = Table(table_board(bare_profile(new.game, new.options)), by_taps=chance.random() < 0.5)
    before: dict[str, str] = {}
    events: list[Event] = [Seated(0, seating), Command(0, msgspec.structs.replace(new, seed=1))]
    events += [Command(0, HoldAfar(afar=afar))] if afar.seats else []
    for number in range(-len(events), ORDERS):
        event = events[number + len(events)] if number < 0 else _next(chance, table)
        table, said = step(table, event)
        yield from (f"{table.t_us / 1e6:.1f} s {_ordered(event)}", *(f"  {_noted(note)}" for note in said))
        now = _seen(table)
        yield from (f"    {key}: {now.get(key, '')}" for key in {**before, **now} if before.get(key) != now.get(key))
        before = now


def _ordered(event: Event) -> str:
    given = msgspec.to_builtins(event.order) if isinstance(event, Command) else {"do": type(event).__name__}
    told = {key: value for key, value in given.items() if key != "nonce" and value not in ("", None, (), [], {})}
    return " ".join(f"{key}={value}" for key, value in told.items())[:200]


def _noted(note: AnyNote) -> str:
    return f"{type(note).__name__}: {note.sentence} {getattr(note, 'left_us', '') or ''}".strip()


# ---- what is ordered --------------------------------------------------------------------------------------


def _next(chance: random.Random, table: Table) -> Event:
    """Return what happens next: time passes, hands put all right, phones change seats, or something is ordered."""
    after_us = table.t_us + chance.choice((50_000, 700_000, 3_000_000, 12_000_000))
    if table.play is None:
        return Command(after_us, LeaveLesson(on=False))
    if (table.play.setting_up or chance.random() < 0.2) and not table.link:
        return Snapshot(after_us, frozenset(table.board.marks(table.play.settled.position.standing)))
    if chance.random() < 0.1:
        return Tick(after_us)
    if chance.random() < 0.04:
        return Seated(after_us, chance.choice((ANN, BEN, Seating(("Ann",)))))
    return Command(after_us, an_order(chance, table, table.play))


def an_order(chance: random.Random, table: Table, play: Play) -> AnyOrder:
    session, made, seats = play.session, len(play.session.plies), range(play.seats)
    seat, mover = chance.choice(seats), session.game.seat(session.state)
    if play.result.over and chance.random() < 0.6:
        return chance.choice((PlayAgain(), PlayAgain(seats="turn"), TakeBack(), TakeBack(by=(seat,))))
    if mover in session.afar.seats and not session.bound and chance.random() < 0.6:
        ply = PlayPly(text=_ply(chance, play), seat=mover)
        return FollowHome(at=made, plies=(ply.text,)) if session.afar.follows else FromAfar(what=ply)
    if isinstance(play.sent, PlayPly) and chance.random() < 0.6:
        follow = FollowHome(at=made, plies=(play.sent.text,))
        return chance.choice((follow, follow, NotTaken(why="it is too late")))
    if session.thinking and chance.random() < 0.6:
        return BoardPlays(text=_ply(chance, play), made=made)
    if play.help and play.help.sought and chance.random() < 0.7:
        assert play.help.about != "coach"
        return Hint(text=_ply(chance, play), about=play.help.about, made=made)
    if play.back_asked and chance.random() < 0.6:
        return chance.choice((AgreeBack(seat=seat, to=play.back_asked.to), RefuseBack(seat=seat)))
    if play.offers and chance.random() < 0.5:
        return chance.choice((RefuseDraw(seat=seat), OfferDraw(seat=seat)))
    if play.paused and chance.random() < 0.5:
        return Pause(on=False)
    if chance.random() < 0.5:
        return PlayPly(text=_ply(chance, play), seat=chance.choice((mover, mover, mover, seat)), phone="p",
                       nonce="ab" * 32 if session.bound else "")  # fmt: skip
    rest: tuple[Callable[[], AnyOrder], ...] = (
        lambda: TakeBack(by=(seat,), asks=chance.random() < 0.7),
        lambda: TakeBack(to=chance.randrange(max(1, made)), by=(seat,)),
        lambda: TakeBack(),
        lambda: Redo(made=chance.choice((None, made))),
        lambda: Redo(),
        lambda: Resign(seat=seat),
        lambda: OfferDraw(seat=seat),
        lambda: ClaimDraw(seat=seat),
        lambda: Pause(on=True),
        lambda: AskHelp(seat=seat if mover is None else mover, about="move"),
        lambda: AskHelp(seat=seat if mover is None else mover, about="threat"),
        lambda: AskHelp(seat=seat, about="nothing"),
        lambda: LetCoach(on=chance.random() < 0.7),
        lambda: Coached(made=max(1, made), end=chance.choice(("", "won", "lost")), answer=_ply(chance, play)),
        lambda: SetHints(seat=seat, level=chance.choice(("none", "movable", "threatened"))),
        lambda: WhoPlays(levels=tuple(chance.choice((0, 0, 2)) for _ in seats)),
        lambda: NextStep(),
        lambda: LeaveLesson(on=True),
        lambda: PlayAgain(seats=chance.choice(("keep", "turn"))),
    )
    return chance.choice(rest)()


def _ply(chance: random.Random, play: Play) -> str:
    """Return a legal ply, now and then the one that is expected, or none."""
    session = play.session
    if session.expected and chance.random() < 0.7:
        return session.expected
    if (share := session.game.shared(session.state)) is not None:
        given = chance.randrange(share.units + 1)
        return " ".join([share.word, str(given), str(share.units - given), *"0" * (len(share.among) - 2)])
    plies = session.game.plies(session.state)
    return session.game.text(session.state, chance.choice(plies)) if plies and chance.random() < 0.95 else "castle"


# ---- what is seen -----------------------------------------------------------------------------------------


def _seen(table: Table) -> dict[str, str]:
    """Return what the lights show and the first seat's phone, and what is otherwise on those of the second and of who
    looks on.
    """
    lit = defaultdict[str, list[str]](list)
    for site, meaning in meanings(table).items():
        lit[meaning].append(site)
    found = {"lights": "; ".join(f"{meaning} {' '.join(sites)}" for meaning, sites in sorted(lit.items()))}
    first = _fields(picture(table, CALM, 1, 0))
    found |= first
    for name, seat in (("second ", 1), ("watcher ", None)):
        other = _fields(picture(table, CALM, 1, seat))
        found |= {name + key: value for key, value in other.items() if first.get(key) != value}
    return {key: value for key, value in found.items() if value}


def _fields(view: PanelView) -> dict[str, str]:
    pieces = sorted((site.label or name, site.secret) for name, site in view.sites.items() if site.piece)
    small = msgspec.structs.replace(
        view,
        version=0,
        game="",
        title="",
        board="",
        sites={},
        data={},
        kinds={},
        signs={},
        options={},
        marks=(),
        places=(),
        arrange=None,
        plies=view.plies[-1:],
    )
    found = {field: _plain(getattr(small, field)) for field in small.__struct_fields__}
    found |= {"pieces": f"{len(pieces)}, secret {' '.join(label for label, secret in pieces if secret)}"}
    found |= {"form": _plain(view.arrange.pieces) if view.arrange else "", "moves": str(len(view.plies))}
    return found


def _plain(value: Any) -> str:
    """Return ``value`` in short; what is as usual is left out."""
    match value:
        case msgspec.Struct():
            usual = dict(zip(reversed(value.__struct_fields__), reversed(value.__struct_defaults__), strict=False))
            fields = {name: getattr(value, name) for name in value.__struct_fields__}
            return f"({', '.join(_plain(each) for name, each in fields.items() if usual.get(name) != each)})"
        case tuple() | list():
            return "; ".join(map(_plain, value))
        case dict():
            return ", ".join(f"{key} {_plain(each)}" for key, each in sorted(value.items()))
        case False | None | msgspec.UNSET:
            return ""
    return str(value)


if __name__ == "__main__":
    keep(FILE, EVENINGS, told)
