"""Home is handed over by one entry of the log: never two boards that are home, and in the end always one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.afar.far import Far, Waits
from controller.afar.home import Home
from controller.afar.log import Begun, Log, LogEntry, leading_to
from controller.afar.messages import Ask, LogEntries, LogHello, Message
from controller.afar.sealing import Sealing, Unsealed
from controller.afar.seats import HeldSeats
from controller.game_setup import ClockRule
from controller.orders import HomeEnded, HomeNow, NewGame, PlayPly, Resign
from controller.refused import Refused
from tests.afar.boards import Families
from tests.afar.brokers import Cable
from tests.afar.test_secrets import SECRET, board_for, choose, chosen, opened
from tests.afar.wire import LINK, Core, Line
from tests.service.evenings import assert_replays
from tests.waiting import until

TIDES = "tides-of-war"
SEATS = {"home": 0, "far": 1}  # as each was when the link was made
OTHER = {"home": "far", "far": "home"}


class End:
    """One of two boards. ``kept`` is its log on disk; its game is what that log says."""

    def __init__(self, name: str, line: Line, begun: Begun | None) -> None:
        self.name, self.seat, self.line = name, SEATS[name], line
        self.kept = Log(begun) if begun else None
        self.said: list[str] = []
        line.ends[name] = self.hears
        self.start()

    @property
    def is_home(self) -> bool:
        return self.kept is not None and (self.name == "home") == (self.kept.handed % 2 == 0)

    @property
    def plies(self) -> tuple[str, ...]:
        return self.kept.plies if self.kept else ()

    def start(self) -> None:
        """Begin as after a power cut, with what is on disk."""
        self.seal = Sealing(LINK, "down" if self.name == "home" else "up", self.line.chance.randbytes)
        self.take_role()
        self.send(self.greeting())

    def take_role(self) -> None:
        log = Log(self.kept.begun, self.kept.since(0)) if self.kept else None
        self.role: Home | Far
        if self.is_home:
            assert log is not None
            other = HeldSeats(1, others=self.name == "far")
            self.role = Home(log, other, self.carry_out, self.said.append)
        else:
            self.role = Far(self.seal.name, log, self.said.append)

    def greeting(self) -> tuple[Message, ...]:
        return (self.role.hello() if isinstance(self.role, Home) else self.role.hello(self.line.now_s),)

    def send(self, messages: tuple[Message, ...], to: str | None = None) -> None:
        for message in messages:
            if to or self.seal.peer or isinstance(message, LogHello):
                self.line.send(OTHER[self.name], self.seal.seal(message, to))

    def hears(self, data: bytes) -> None:
        try:
            heard = self.seal.open(data)
        except Unsealed as wrong:
            if wrong.from_:
                self.send(self.greeting(), wrong.from_)
            return
        if isinstance(self.role, Home):
            self.send(self.role.hear(heard.what), heard.from_)
        elif not heard.known:
            self.send(self.greeting(), heard.from_)
        else:
            answers = self.role.met(self.line.now_s) if heard.first else ()
            answers += self.role.hear(heard.what, self.line.now_s)
            self.kept = self.role.log
            self.send(answers)
        if self.is_home != isinstance(self.role, Home):
            self.take_role()
            self.send(self.greeting())

    # ---- what happens in the game

    def write(self, *entries: LogEntry) -> None:
        assert isinstance(self.role, Home)
        assert self.kept is not None
        self.kept = Log(self.kept.begun, (*self.kept.since(0), *entries))
        self.send(self.role.grown(entries, HomeNow()))

    def carry_out(self, ask: Ask) -> str:
        assert isinstance(ask.what, PlayPly)
        return self.play(ask.what.text, ask.seat)

    def play(self, text: str, seat: int) -> str:
        core = core_of(self.plies)
        if why := core.ply(text, seat):
            return why
        assert self.kept is not None
        self.write(*leading_to(self.kept, core.plies, HomeEnded()))
        return ""

    def hand_over(self) -> None:
        self.write(LogEntry(handed=True))
        self.take_role()
        self.send(self.greeting())


def core_of(plies: tuple[str, ...]) -> Core:
    core = Core(TIDES)
    for text in plies:
        assert core.mover is not None
        assert core.ply(text, core.mover) == ""
    return core


class Two:
    def __init__(self, seed: int, **bad: float) -> None:
        self.line = Line(seed, **bad)
        self.home = End("home", self.line, Core(TIDES).begun)
        self.far = End("far", self.line, None)
        self.most: set[int] = set()

    @property
    def ends(self) -> tuple[End, End]:
        return self.home, self.far

    def run(self, seconds: float) -> None:
        end_s = self.line.now_s + seconds
        while True:
            wakes = [end.role.wake_s for end in self.ends if isinstance(end.role, Far)]
            due = min((end_s, *wakes, *([self.line.next_s() or end_s])))
            self.line.now_s = max(self.line.now_s, due)
            self.line.deliver()
            for end in self.ends:
                if isinstance(end.role, Far):
                    end.send(end.role.pass_time(self.line.now_s))
            self.most.add(sum(end.is_home for end in self.ends))
            if self.line.now_s >= end_s:
                return

    def until_agreed(self) -> End:
        """Return who is home, once both boards have the same log, and no order is on its way."""
        end_s = self.line.now_s + 3600
        while True:
            self.run(0.1)
            logs = [end.kept for end in self.ends]
            waits = any(isinstance(end.role, Far) and end.role.asked for end in self.ends)
            if logs[0] and logs[1] and logs[0].head() == logs[1].head() and not waits:
                (home,) = (end for end in self.ends if end.is_home)
                return home
            assert self.line.now_s < end_s, "they never agreed"


def test_the_other_board_is_home_when_it_has_the_entry_and_this_one_from_the_entry_on_is_not() -> None:
    two = Two(1)
    assert two.until_agreed() is two.home
    assert two.home.play("c3-c4", 0) == ""
    two.until_agreed()
    two.home.hand_over()
    assert not two.home.is_home
    assert not two.far.is_home  # it has not heard of it
    assert two.until_agreed() is two.far
    assert two.far.play("c6-b5", 1) == ""
    two.until_agreed()
    assert isinstance(two.home.role, Far)
    two.home.send(two.home.role.wish(PlayPly(text="a5-a6", seat=0), two.line.now_s))
    two.until_agreed()
    assert two.home.plies == two.far.plies == ("c3-c4", "c6-b5", "a5-a6")
    two.far.hand_over()
    assert two.until_agreed() is two.home
    assert two.home.play("e4-d3", 1) == ""
    two.until_agreed()
    assert two.most <= {0, 1}


def test_an_order_to_a_board_that_was_home_before_is_not_carried_out() -> None:
    two = Two(2)
    two.until_agreed()
    two.home.hand_over()
    assert isinstance(two.home.role, Far)
    log = two.home.role.log
    assert log is not None
    for answer in two.home.role.hear(Ask("x-1", log.n, log.head(), 1, PlayPly(text="c3-c4", seat=1)), 0.0):
        assert not isinstance(answer, LogEntries)
    assert two.home.plies == ()


@pytest.mark.parametrize("restarted", ["home", "far", "both"])
def test_a_lost_word_and_a_restart_lose_neither_board_its_place(restarted: str) -> None:
    """The word that hands over never arrives, and one board or both start again: the log tells each what it is."""
    two = Two(3)
    two.until_agreed()
    two.home.play("c3-c4", 0)
    two.until_agreed()
    two.line.cut(60)
    two.home.hand_over()
    for end in two.ends:
        if restarted in (end.name, "both"):
            end.start()
    two.run(30)
    assert [end.is_home for end in two.ends] == [False, False]
    assert two.until_agreed() is two.far


def test_a_board_is_not_made_home_by_less_than_the_whole_log() -> None:
    """The entry comes, but what was played before it does not: it is asked for, and until then nobody is home."""
    two = Two(4)
    two.until_agreed()
    two.line.cut(0.5)
    two.home.play("c3-c4", 0)  # and this is lost
    two.run(1)
    role = two.far.role
    assert isinstance(role, Far)
    assert two.home.kept is not None
    log = Log(two.home.kept.begun, (*two.home.kept.since(0), LogEntry(handed=True)))
    answers = role.hear(LogEntries(1, log.head(1), log.since(1), log.head()), two.line.now_s)
    assert not any(isinstance(answer, LogEntries) for answer in answers)
    assert any(isinstance(answer, LogHello) for answer in answers)
    assert role.log is not None
    assert role.log.handed == 0


def test_a_log_without_the_entry_is_not_believed_by_who_has_it() -> None:
    said: list[str] = []
    begun = Core(TIDES).begun
    far = Far("x", Log(begun, (LogEntry(handed=True),)), said.append)
    other = Log(begun, (LogEntry(ply="c3-c4"),))
    far.hear(LogEntries(0, other.head(0), other.since(0), other.head(), begun), 0.0)
    assert far.log is not None
    assert (far.log.handed, far.log.plies) == (1, ())
    assert said == ["The other board has told something that does not follow from the game: it is not believed."]


@pytest.mark.parametrize("seed", range(8))
def test_a_bad_line_restarts_and_handing_over_to_and_fro(seed: int) -> None:
    """Every ply that was carried out is there, once, on both boards; home went to and fro all the while."""
    dice = random.Random(seed)
    two = Two(seed, loses=0.1, doubles=0.15, slow_s=0.4)
    played, handed = 0, 0
    for _ in range(80):
        what = dice.random()
        home = next((end for end in two.ends if end.is_home), None)
        if what < 0.08:
            two.line.cut(dice.random() * 8)
        elif what < 0.14:
            dice.choice(two.ends).start()
        elif what < 0.3 and home is not None:
            home.hand_over()
            handed += 1
        elif what < 0.7:
            two.until_agreed()
            played += play_one(two, dice)
        two.run(dice.random())
    home = two.until_agreed()
    assert home.is_home
    assert two.home.plies == two.far.plies
    assert len(two.home.plies) == played
    assert two.most <= {0, 1}
    assert handed > 5
    assert played > 5


def play_one(two: Two, dice: random.Random) -> int:
    """Let the seat that is to move play at its board; returns how many plies come of that."""
    core = core_of(two.home.plies)
    if core.mover is None:
        return 0
    game, state = core.game, core.states[-1]
    text = dice.choice([game.text(state, ply) for ply in game.plies(state)])
    end = two.ends[core.mover]
    if end.is_home:
        assert end.play(text, core.mover) == ""
        return 1
    assert isinstance(end.role, Far)
    before = two.home.plies
    try:
        end.send(end.role.wish(PlayPly(text=text, seat=core.mover), two.line.now_s))
    except Waits:
        return 0
    two.until_agreed()
    return len(two.home.plies) - len(before)


# ---- two whole services ----


def hand(two: Families, back: bool = False) -> None:
    """Hand the game over to the far board, or ``back``, as soon as its panel offers that."""
    giving, taking = (two.far, two.home) if back else (two.home, two.far)
    until(lambda: giving.afar.links()[0].hands)
    giving.afar.hand_over(giving.afar.links()[0].room)
    assert giving.play.session.afar.follows
    assert not giving.afar.links()[0].home
    taking.until(lambda: taking.afar.links()[0].home)
    taking.until(lambda: taking.play.session.afar.seats == ((1,) if back else (0,)))


def together(two: Families) -> None:
    """Wait until both tables have the same game and all pieces stand, whichever is home."""

    def same() -> bool:
        two.home.rest(0.05)
        return two.home.play.session.plies == two.far.play.session.plies and two.home.right() and two.far.right()

    two.far.until(same)
    for family in (two.home, two.far):
        family.rest(0.2)


def move(two: Families, plies: int) -> None:
    """Let the hand at each board make its moves."""
    for _ in range(plies):
        together(two)
        session = two.home.play.session
        family = (two.home, two.far)[session.game.seat(session.state)]
        ply = two.dice.choice(list(session.game.plies(session.state)))
        family.make(ply)
    together(two)


@pytest.mark.realtime
def test_the_other_board_has_the_last_word_and_the_game_goes_on(two: Families) -> None:
    two.begin(TIDES)
    two.play(3)
    hand(two)
    assert not two.far.play.session.afar.follows
    move(two, 4)
    assert len(two.plies) == 7
    two.far.at.order(Resign(seat=1))
    two.home.until(lambda: two.home.play.result.over)
    assert two.home.play.result.winner == 0
    two.stop()
    for family in (two.home, two.far):
        assert_replays(family.path / "games.sqlite3", 1)


@pytest.mark.realtime
@pytest.mark.long
def test_both_boards_start_again_in_between_and_home_comes_back(tmp_path: Path, port: int) -> None:
    cable = Cable(port)
    two = Families(tmp_path, "square144", "square144", port, far_port=cable.port)
    two.begin(TIDES)
    two.play(2)
    until(lambda: two.home.afar.links()[0].hands)
    cable.cut()  # the word is lost
    two.home.afar.hand_over(two.home.afar.links()[0].room)
    two.home.rest(0.3)
    two.home, two.far = two.home.again(), two.far.again()
    assert [family.afar.links()[0].home for family in (two.home, two.far)] == [False, False]
    cable.plug_in()
    two.far.until(lambda: two.far.afar.links()[0].home)
    move(two, 2)
    two.home, two.far = two.home.again(), two.far.again()
    move(two, 2)
    hand(two, back=True)
    two.play(2)
    assert len(two.plies) == 8
    assert [family.afar.links()[0].home for family in (two.home, two.far)] == [True, False]
    two.stop()
    cable.close()


@pytest.mark.realtime
@pytest.mark.long
def test_clocks_go_with_home(two: Families) -> None:
    """A flag falls where home is now."""
    two.home.at.order(NewGame(game=TIDES, seed=1, clock=ClockRule("sudden", 1)))
    two.home.rest(0.5)
    two.far.afar.join(two.home.afar.invite(1))
    two.far.until(lambda: two.far.play is not None and two.far.play.session.afar.follows)
    two.far.until(lambda: not two.far.play.setting_up)
    two.play(3)
    hand(two)
    two.home.rest(70)
    assert not two.home.play.result.over
    two.far.rest(70)
    assert (two.far.play.result.winner, two.far.play.result.why) == (0, "time")
    two.home.until(lambda: two.home.play.result.over)


def refusal(two: Families) -> str:
    with pytest.raises(Refused) as refused:
        two.home.afar.hand_over(two.home.afar.links()[0].room)
    return str(refused.value)


@pytest.mark.realtime
def test_what_hinders_is_a_sentence_and_nothing_changes(two: Families) -> None:
    two.begin(TIDES)
    two.play(2)
    until(lambda: two.home.afar.links()[0].hands)
    with pytest.raises(Refused, match="The other board is home already"):
        two.far.afar.hand_over(two.far.afar.links()[0].room)
    two.home.afar.invite(None)
    assert "More boards take part" in refusal(two)
    (watches,) = (link.room for link in two.home.afar.links() if link.seat < 0)
    with pytest.raises(Refused, match="looks on"):
        two.home.afar.hand_over(watches)
    two.home.afar.end(watches)
    two.home.at.order(Resign(seat=0))
    assert refusal(two) == "This game is over."
    two.home.at.order(NewGame(game=TIDES, seed=2))
    assert "Take this game up first" in refusal(two)
    assert two.home.afar.links()[0].home


@pytest.mark.realtime
@pytest.mark.parametrize("game", SECRET)
def test_a_game_is_not_handed_over_before_its_secrets_are_opened(tmp_path: Path, port: int, game: str) -> None:
    two = Families(tmp_path, board_for(game), board_for(game), port)
    two.begin(game, **SECRET[game])
    until(lambda: two.home.afar.links()[0].hands)
    assert "Secret moves are not all opened yet" in refusal(two)
    choose(two.home, 0, chosen(two.home, 0))
    assert "Secret moves are not all opened yet" in refusal(two)
    choose(two.far, 1, chosen(two.far, 1))
    two.far.until(lambda: opened(two))
    for family in (two.home, two.far):
        family.finisher.put_right()
        family.until(family.right)
    hand(two)
    plies = len(two.plies)
    move(two, 3)
    assert len(two.plies) >= plies + 3
    two.stop()


@pytest.mark.realtime
def test_a_board_that_is_gone_is_not_made_home(two: Families) -> None:
    two.begin(TIDES)
    two.far.stop()
    two.home = two.home.again()
    assert "does not answer" in refusal(two)
    assert not two.home.afar.links()[0].hands
