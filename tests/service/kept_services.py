"""What a service shows, tells and writes down, as kept; ``python -m tests.service.kept_services`` keeps it anew.

Each evening is one service on its own journal: hands play, well and badly, orders come, devices fail, people join, the
service is stopped and begins anew, all drawn from the evening's name. As of `tests.table.kept_evenings`, a transcript
says nothing of what is right.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from controller.diagnostics.guided_check import CheckRequest
from controller.events import Event, Link, Seated, Seating, Snapshot, Touch
from controller.game_setup import ClockRule, Opponents
from controller.orders import LeaveLesson, NewGame, PlayPly, Resume, SetBrightness, StartLesson, StartPuzzle, TakeBack
from controller.panel.pieces_needed import expected
from controller.refused import Refused
from controller.service.showing.display import LiveSettings
from controller.service.thinking.board_player import BoardPlayer
from controller.service.thinking.guide import Guide
from controller.service.thinking.process import CoachCost
from controller.service.thinking.shared import SharedThinker
from controller.table.gestures.timing import Timing
from controller.table.views.lights import CALM, CONTRAST, Theme
from controller.tracker.judgement import Judgement
from tests.service.evenings import Evening, entries
from tests.service.evenings import kept as on_disk
from tests.service.opponents import FixedThinker
from tests.table.kept_orders import an_order
from tests.transcripts import BEGINS, keep
from tests.waiting import HandClock

FILE = Path(__file__).with_suffix(".txt")
EVENTS = 60  # of an evening
IDLE_US = 600_000_000

EVENINGS: Mapping[str, tuple[str, NewGame]] = {
    "tides": ("square144", NewGame(game="tides-of-war")),
    "tides with a clock": ("square144", NewGame(game="tides-of-war", clock=ClockRule("increment", 1, 5))),
    "circle": ("square144", NewGame(game="circle")),
    "four in circle": ("square144", NewGame(game="circle", options={"players": 4})),
    "tam ruat": ("square144", NewGame(game="tam-ruat-chess")),
    "giantslayer": ("hex91", NewGame(game="giantslayer")),
    "cyvasse": ("hex91", NewGame(game="cyvasse")),
    "beacons": ("shell19", NewGame(game="beacons", options={"template": "duel"})),
    "bids": ("shell19", NewGame(game="beacons", options={"players": 3})),
    "small": ("first36", NewGame(game="tides-of-war")),
    "tides against the board": ("square144", NewGame(game="tides-of-war", opponents=Opponents((0, 3), True, True))),
    "giants against the board": ("hex91", NewGame(game="giantslayer", opponents=Opponents((2, 0), False, True))),
    "circle against boards": (
        "square144",
        NewGame(game="circle", options={"players": 4}, opponents=Opponents((0, 1, 0, 8), True)),
    ),
    "beacons against the board": (
        "shell19",
        NewGame(game="beacons", options={"players": 2}, opponents=Opponents((0, 4), True, True)),
    ),
}


def told(name: str) -> list[str]:
    """Return the transcript of an evening, line by line."""
    with TemporaryDirectory() as folder:
        teller = _ToldAgainst if EVENINGS[name][1].opponents.levels else _Told
        return [f"{BEGINS}{name}", *teller(name, Path(folder, "games.sqlite3")).lines()]


class _Told:
    """An evening that is told while it goes on."""

    def __init__(self, name: str, path: Path) -> None:
        self.board, self.new = EVENINGS[name]
        self.chance, self.path = random.Random(name), path
        self.at = self._on(path, ())
        self.heard: list[str] = []
        self.shown: dict[str, str] = {}

    def _on(self, path: Path, magnets: Iterable[str], clock: HandClock | None = None) -> Evening:
        return Evening(path, self.board, magnets, clock).start()

    def lines(self) -> Iterator[str]:
        try:
            self.at.service.seated(Seating(("Ann", "Ben"), by="turn"))
            self.at.order(self.new)
            yield from self._seen("begins")
            for _ in range(EVENTS):
                do = self.chance.choice(self._deeds())
                yield from self._seen(f"{do.__name__.strip('_')} {self._done(do)}".strip())
        finally:
            self.at.stop()
        for number in range(1, 1 + (self.at.seen.game_id or 0)):
            if rows := _entries(self.path, number):
                yield f"game {number}: {'; '.join(on_disk(self.path, number))}"
                yield f"  {rows}"

    def _done(self, do: Callable[[], str]) -> str:
        try:
            return do()
        except Refused as refused:
            return f"refused: {refused}"

    def _deeds(self) -> list[Callable[[], str]]:
        most = (self._plays, self._plays, self._plays, self._plays, self._orders, self._orders, self._waits)
        return [*most, *most, self._puts_right, self._puts_right, self._knocks, self._knocks, self._lights, self._wire,
                self._adjusts, self._part, self._joins, self._touches_where_asked, self._checks, self._judges,
                self._begins, self._resumes, self._again, self._learns, self._chatters]  # fmt: skip

    # ---- hands ------------------------------------------------------------------------------------------------

    def _where(self, name: str) -> str:
        play = self.at.table.play
        assert play is not None
        return str(self.at.table.board.where(play.game_area.bit[name])[0])

    def _plays(self) -> str:
        """Hands make a legal ply, or a phone where no hand can; as a rule after all was put right."""
        if self.at.table.phase in ("setup", "fix") and self.chance.random() < 0.8:
            self._puts_right()
        play = self.at.table.play
        if play is None or not (plies := play.session.game.plies(play.session.state)):
            return self._waits()
        return self._makes(play.session.game.text(play.session.state, self.chance.choice(plies)))

    def _makes(self, text: str) -> str:
        assert self.at.table.play is not None
        session = self.at.table.play.session
        game, state = session.game, session.state
        walk = game.walk(state, game.read(state, text))
        if len(walk.path) < 2 or self.chance.random() < 0.2:
            self.at.order(PlayPly(text=text))
            return text
        taken = [*walk.takes, walk.path[-1]] if walk.path[-1] in game.shape(state) else list(walk.takes)
        sites = [f"-{self._where(name)}" for name in (walk.path[0], *taken)] + [f"+{self._where(walk.path[-1])}"]
        self.at.hands(" ".join(sites), self.chance.choice((60, 200, 500)))
        return " ".join(sites)

    def _puts_right(self) -> str:
        """All stands as it should."""
        if self.at.table.play is not None:
            self.at.set_up()
        return ""

    def _knocks(self) -> str:
        """A piece is lifted, or put where none belongs."""
        site = self.chance.choice(self.at.profile.site_names)
        self.at.touch(site, site not in self.at.magnets)
        return site

    def _chatters(self) -> str:
        """A contact chatters."""
        site = self.chance.choice(self.at.profile.site_names)
        for n in range(self.chance.choice((6, 60))):
            self.at.clock.now_us += 7_000
            self.at.service.emit(Touch(self.at.clock.now_us, site, n % 2 == 0))
        self.at.settle()
        return site

    def _waits(self) -> str:
        ms = self.chance.choice((50, 700, 3000, 12_000, 130_000, 700_000))
        self.at.wait(ms)
        return f"{ms} ms"

    # ---- phones -----------------------------------------------------------------------------------------------

    def _orders(self) -> str:
        play = self.at.table.play
        order = an_order(self.chance, self.at.table, play) if play else LeaveLesson(on=False)
        self.at.order(order)
        return type(order).__name__

    def _begins(self) -> str:
        self.at.order(self.new)
        return ""

    def _resumes(self) -> str:
        number = self.chance.randrange(1, 5)
        self.at.order(Resume(game_id=number))
        return str(number)

    def _learns(self) -> str:
        game = self.new.game
        begin = self.chance.choice((StartLesson(game=game), StartPuzzle(game=game, puzzle="1"), TakeBack(to=0)))
        self.at.order(begin)
        return type(begin).__name__

    def _adjusts(self) -> str:
        theme, settle_ms = self.chance.choice((CALM, CONTRAST)), self.chance.choice((300, 450))
        milliamps = self.chance.choice((None, 900))
        self.at.service.adjust(LiveSettings(theme, Timing(settle_ms=settle_ms), milliamps, IDLE_US))
        self.at.service.limit_lights(self.chance.choice((500, 2000)))
        self.at.order(SetBrightness(percent=self.chance.choice((5, 60))))
        return f"{_theme(theme)} {settle_ms}"

    def _joins(self) -> str:
        who = self.chance.choice(("ann", "ben"))
        if self.chance.random() < 0.2:
            self.at.service.unask(who)
            return f"no longer {who}"
        if self.chance.random() < 0.2:
            there = self.chance.random() < 0.5
            self.at.service.watched(who, there)
            return f"{who} {'there' if there else 'gone'}"
        return f"{who} at {self.at.service.ask_touch(who, lambda: self.heard.append(who))}"

    def _touches_where_asked(self) -> str:
        asked = [each.site for each in self.at.seen.joining.requests.values()]
        if not asked:
            return "nowhere"
        site = self.chance.choice(asked)
        self.at.touch(site, True)
        self.at.wait(self.chance.choice((100, 700)))
        self.at.touch(site, False)
        return site

    # ---- devices ----------------------------------------------------------------------------------------------

    def _lights(self) -> str:
        self.at.lights.broken = not self.at.lights.broken
        self.at.wait(2000)
        return "fail" if self.at.lights.broken else "work"

    def _wire(self) -> str:
        """The wire is pulled, and plugged in again later; meanwhile pieces may have been moved."""
        self._emit(Link(self.at.clock.now_us, False, "the sensor board is disconnected"))
        self.at.wait(self.chance.choice((100, 5000)))
        self._emit(Link(self.at.clock.now_us, True))
        if self.at.table.play is not None and self.chance.random() < 0.6:
            self.at.magnets = set(expected(self.at.table))
        self._emit(Snapshot(self.at.clock.now_us, frozenset(self.at.magnets)))
        return ""

    def _emit(self, event: Event) -> None:
        self.at.service.emit(event)
        self.at.settle()

    def _part(self) -> str:
        part, wrong = self.chance.choice(("clock", "disk")), self.chance.choice(("", "it is not as it should be"))
        self.at.service.report(part, wrong)
        self.at.settle()
        return f"{part} {wrong}"

    def _judges(self) -> str:
        wrong = self.chance.choice(("", "a shell does not agree"))
        self.at.service.judged(Judgement(wrong, {"a3-b3": "2:1"} if wrong else {}))
        self.at.settle()
        return wrong

    def _checks(self) -> str:
        check, chance = self.at.seen.check, self.chance
        asked: dict[str, Any] = {
            "what": chance.choice(("begin", "stay", "answer", "answer", "end")),
            "number": check.exam.at if check else 0,
            "site": chance.choice((None, self.at.profile.site_names[0])),
            "of": chance.choice(("sensors", "lights")),
        }
        self.at.service.check(CheckRequest(who="ann", board=self.at.profile, **asked))
        return str(asked["what"])

    def _again(self) -> str:
        """The service ends, and begins anew on the same journal."""
        before = self.at
        before.stop()
        self.at = self._on(self.path, before.magnets, before.clock)
        self.at.wait(500)
        return ""

    # ---- what is seen -----------------------------------------------------------------------------------------

    def _seen(self, done: str) -> Iterator[str]:
        self.at.service.emit(Seated(self.at.clock.now_us, Seating(("Ann", "Ben"), by="turn")))
        self.at.settle()
        now = self._shown()
        yield f"{self.at.clock.now_us / 1e6:.1f} s {done}"
        yield from (f"    {key}: {value}" for key, value in now.items() if self.shown.get(key, "") != value)
        self.shown = now

    def _shown(self) -> dict[str, str]:
        seen, table = self.at.seen, self.at.table
        play, display, frame = table.play, seen.display, self.at.lights.frames[-1:]
        lit = Counter(bytes(colour).hex() for colour in frame[0]) if frame else Counter[str]()
        return {
            "game": f"{seen.game_id} {table.phase}" if play else "",
            "plies": f"{len(play.session.plies)} {' '.join(play.session.plies[-1:])}" if play else "",
            "says": f"{table.link} {table.advice}".strip(),
            "fault": seen.fault,
            "display": f"{_theme(display.theme)} {dict(display.over)} {'idle' if display.idle else ''}",
            "over": f"{sorted(display.alone or ())} {display.over_us}",
            "light": " ".join(f"{colour} {number}" for colour, number in sorted(lit.items())),
            "joining": " ".join(f"{who} {asked.site}" for who, asked in sorted(seen.joining.requests.items())),
            "joined": " ".join(self.heard),
            "check": _check(seen.check),
            "tracker": str(dict(seen.measured) or ""),
            "quiet": f"{self.at.service.quiet_us() // 1_000_000} s {self.at.service.unsaved}",
        }


class _ToldAgainst(_Told):
    """An evening at which the board plays seats; what thinks draws its answers, or fails."""

    def _on(self, path: Path, magnets: Iterable[str], clock: HandClock | None = None) -> Evening:
        at = super()._on(path, magnets, clock)
        self.thinker, seconds = FixedThinker(), lambda: at.clock() / 1e6
        shared = SharedThinker(self.thinker)
        self.guide = Guide(at.service, shared.part(), seconds)
        self.player = BoardPlayer(at.service, shared.part(), seconds, self.guide)
        return at

    def _deeds(self) -> list[Callable[[], str]]:
        return [*super()._deeds(), *[self._thinks] * 20, self._mood, self._mood]

    def _thinks(self) -> str:
        """What thinks gets its time, and what it decided is carried out by hands."""
        for _ in range(self.chance.choice((1, 4, 40))):
            self.at.wait(50)
            self.guide.follow(self.at.seen)
            self.player.follow(self.at.seen)
        play = self.at.table.play
        decided = play.session.decided if play else ""
        if decided:
            self._makes(decided)
        return decided

    def _mood(self) -> str:
        """What thinks begins to fail, to find moves costly, or to be as ever."""
        mood = self.chance.choice(("well", "well", "not at all", "an error", "costly", "lost"))
        wrong = msgspec.structs.replace
        self.thinker.mood = {
            "not at all": lambda said: None,
            "an error": lambda said: wrong(said, error="it has no room"),
            "costly": lambda said: wrong(said, cost=CoachCost(True, feature="stones", now=5, could=7, answer=said.ply)),
            "lost": lambda said: wrong(said, value=-0.99, cost=CoachCost(True, "lost", answer=said.ply)),
        }.get(mood, lambda said: said)
        return mood

    def _shown(self) -> dict[str, str]:
        play, questions = self.at.table.play, self.thinker.questions
        asked = " ".join(f"{q.seat} {q.level} {q.ms} {q.made} {q.turn} {q.number} {q.ahead}" for q in questions[-1:])
        held = play.session if play else None
        return super()._shown() | {
            "asked": f"{len(questions)} {asked} stopped {self.thinker.stopped} closed {self.thinker.closed}",
            "help": str(play.help) if play and play.help else "",
            "decided": f"{held.decided} {held.thinking}" if held else "",
        }


def _theme(theme: Theme) -> str:
    return "calm" if theme == CALM else "contrast"


def _check(check: Any) -> str:
    return f"{check.of} {check.who} {check.exam.at} {check.told} {check.ended}" if check else ""


def _entries(path: Path, number: int) -> str:
    return " ".join(f"{t_us / 1e6:.1f}:{ply or f'back {back}'}" for t_us, ply, back in entries(path, number))


if __name__ == "__main__":
    keep(FILE, EVENINGS, told)
