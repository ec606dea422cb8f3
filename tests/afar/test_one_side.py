"""One side of a game between boards alone: what a far board asks and when again, and how a log grows."""

from __future__ import annotations

from typing import Any

import pytest

from controller.afar.far import FIRST_S, HELLO_S, MOST_S, Far, Waits
from controller.afar.home import Home
from controller.afar.keys import PORT, TLS_PORT, WATCHES, BadLink, GameLink, read, written
from controller.afar.log import Begun, Log, LogEntry, leading_to
from controller.afar.messages import Ask, Closed, Declined, LogEntries, LogHello
from controller.afar.seats import HeldSeats, seat_of
from controller.commitments import Committed, with_plies
from controller.orders import Commit, HomeEnded, PlayPly, Resign, Reveal, TakeBack

BEGUN = Begun("tides-of-war", {}, 0)
LATE = "The game has gone on meanwhile: look again."
OPEN = LogEntry(ended=HomeEnded())
OVER = HomeEnded(over=True, winner=0, why="resigned")
END = LogEntry(ended=OVER)


def log(*entries: LogEntry) -> Log:
    return Log(BEGUN, entries)


def ply(text: str) -> LogEntry:
    return LogEntry(ply=text)


def whole(of: Log, **more: Any) -> LogEntries:
    """Return the log as home tells all of it."""
    return LogEntries(0, of.head(0), of.since(0), of.head(), BEGUN, **more)


def answer(far: Far) -> str:
    """Return why the last order was not carried out, "" where it was; it waits no longer."""
    assert far.asked is None
    return far.declined


# ---- what is asked, and when again ------------------------------------------------------------------------


def test_home_is_asked_ever_more_rarely_until_it_answers() -> None:
    far, t_s, waits = Far("b"), 0.0, []
    for _ in range(8):
        assert far.pass_time(t_s) == (LogHello(takes=True),)
        assert far.pass_time(t_s) == ()
        waits.append(far.wake_s - t_s)
        t_s = far.wake_s
    assert waits == [FIRST_S, 2, 4, 8, 16, HELLO_S, HELLO_S, HELLO_S]
    far.hear(whole(log()), t_s)
    assert far.wake_s == t_s + HELLO_S
    far.hello(t_s)
    assert far.wake_s == t_s + FIRST_S
    assert far.hello(t_s) == LogHello(0, log().head(), takes=True)
    far.hello_by(t_s + 0.5)
    assert far.wake_s == t_s + 0.5


def test_an_order_is_said_again_ever_more_rarely_until_it_is_answered() -> None:
    far = Far("b", log())
    far.hear(whole(log()), 0.0)
    (ask,) = far.wish(PlayPly("c3-c4", seat=0), 0.0)
    assert ask == Ask("b-1", 0, log().head(), 0, PlayPly("c3-c4", seat=0))
    assert far.wake_s == FIRST_S
    times, t_s = [], 0.0
    while t_s < 200:
        t_s += 0.5
        if ask in far.pass_time(t_s):
            times.append(t_s)
    gaps = [later - earlier for earlier, later in zip([0.0, *times], times, strict=False)]
    assert gaps[:7] == [1, 2, 4, 8, 16, MOST_S, MOST_S]
    with pytest.raises(Waits, match="still on its way"):
        far.wish(PlayPly("c2-c3", seat=0), t_s)


def test_an_order_waits_until_home_has_told_the_game() -> None:
    with pytest.raises(Waits, match="has not answered yet"):
        Far("b").wish(PlayPly("c3-c4", seat=0), 0.0)


def test_a_line_that_is_there_again_repeats_the_order_at_once() -> None:
    far = Far("b", log())
    assert far.met(5.0) == (LogHello(0, log().head(), takes=True),)
    (ask,) = far.wish(Resign(seat=0), 5.0)
    assert far.met(9.0) == (LogHello(0, log().head(), takes=True), ask)


# ---- what home answers ------------------------------------------------------------------------------------


def test_what_home_did_is_done_and_what_it_declined_is_said() -> None:
    far = Far("b", log())
    far.wish(PlayPly("c3-c4", seat=0), 0.0)
    far.hear(Declined("b-9", "of another order"), 1.0)
    assert far.asked is not None
    far.hear(Declined("b-1", "it is not your turn"), 1.0)
    assert answer(far) == "it is not your turn"
    far.wish(PlayPly("c3-c4", seat=0), 2.0)
    assert far.declined == ""
    far.hear(whole(log(ply("c3-c4")), done="b-2"), 3.0)
    assert answer(far) == ""
    assert far.log is not None
    assert far.log.plies == ("c3-c4",)


@pytest.mark.parametrize(("made", "declined"), [("c3-c4", ""), ("c2-d3", LATE)])
def test_an_order_whose_ply_was_made_meanwhile_is_answered_by_that(made: str, declined: str) -> None:
    far = Far("b", log())
    far.wish(PlayPly("c3-c4", seat=0), 0.0)
    far.hear(whole(log(ply(made))), 1.0)
    assert answer(far) == declined


def test_a_choice_in_secret_waits_though_others_have_chosen_meanwhile() -> None:
    far = Far("b", log())
    own, other = (Committed(seat, 0, letter * 64) for seat, letter in ((0, "a"), (1, "b")))
    far.wish(Commit(seat=0, made=0, commit=own.commit), 0.0)
    far.hear(whole(log(LogEntry(committed=other))), 1.0)
    assert far.asked is not None
    far.hear(whole(log(LogEntry(committed=other), LogEntry(committed=own))), 2.0)
    assert answer(far) == ""


def test_what_does_not_follow_is_not_believed_and_another_game_is_not_taken() -> None:
    said: list[str] = []
    far = Far("b", log(ply("c3-c4")), said.append)
    before = far.log
    forged = log(ply("c3-c4"), ply("c6-b5"))
    far.hear(LogEntries(1, log(ply("c3-c4")).head(), (ply("d5-c5"),), forged.head()), 1.0)
    other = Log(Begun("circle", {}, 0))
    far.hear(LogEntries(0, other.head(), (), other.head(), other.begun), 2.0)
    assert far.log is before
    assert ["does not follow" in said[0], "another game" in said[1]] == [True, True]
    unknown = far.hear(LogEntries(3, "00" * 32, (), "00" * 32), 3.0)
    assert unknown == (LogHello(1, log(ply("c3-c4")).head(), takes=True),)
    assert far.hear(Closed(), 4.0) == ()
    assert far.closed


def test_a_board_that_was_made_home_tells_the_other_that_it_is() -> None:
    handed = log(ply("c3-c4"), LogEntry(handed=True), ply("c6-b5"))
    far = Far("b", handed)
    (told,) = far.hear(LogHello(1, log(ply("c3-c4")).head()), 1.0)
    assert isinstance(told, LogEntries)
    assert (told.since, told.entries, told.begun, told.head) == (1, handed.since(1), None, handed.head())
    (all_of_it,) = far.hear(LogHello(1, "00" * 32), 1.0)
    assert isinstance(all_of_it, LogEntries)
    assert (all_of_it.since, all_of_it.begun) == (0, BEGUN)
    assert far.hear(LogHello(3, handed.head()), 1.0) == ()
    assert far.hear(LogHello(9, "00" * 32), 1.0) == (LogHello(3, handed.head(), takes=True),)


# ---- the log ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stands", "plies", "ended", "entries"),
    [
        ((), ("a", "b"), HomeEnded(), (ply("a"), ply("b"))),
        ((ply("a"), ply("b")), ("a", "c"), HomeEnded(), (LogEntry(back=1), ply("c"))),
        ((ply("a"), ply("b")), ("a", "b"), HomeEnded(), ()),
        ((ply("a"),), (), HomeEnded(), (LogEntry(back=0),)),
        ((ply("a"),), ("a",), OVER, (END,)),
        ((ply("a"), END), ("a",), OVER, ()),
        ((ply("a"), END), ("a",), HomeEnded(), (OPEN,)),
        ((ply("a"), END), (), HomeEnded(), (OPEN, LogEntry(back=0))),
        ((ply("a"), END), ("b",), OVER, (OPEN, LogEntry(back=0), ply("b"), END)),
        ((ply("a"), ply("b"), END), ("a",), OVER, (OPEN, LogEntry(back=1), END)),
    ],
)  # fmt: skip
def test_a_log_is_led_to_what_stands(
    stands: tuple[LogEntry, ...], plies: tuple[str, ...], ended: HomeEnded, entries: tuple[LogEntry, ...]
) -> None:
    found = leading_to(log(*stands), plies, ended)
    assert found == entries
    after = log(*stands, *found)
    assert (after.plies, after.ended) == (plies, ended)


def test_an_entry_is_what_becomes_of_a_wish() -> None:
    sealed = with_plies("beacons", 5, 0, 0, ("bid 6 6",), "11" * 32)
    commit = Commit(seat=0, made=0, commit=sealed.commit)
    reveal = Reveal(seat=0, nonce="11" * 32, plies=("bid 6 6",))
    bound, shown = LogEntry(committed=sealed.veiled), LogEntry(committed=sealed)
    assert [each.is_of(commit) for each in (bound, shown, ply("a"))] == [True, False, False]
    assert [each.is_of(reveal) for each in (bound, shown, ply("a"))] == [False, True, False]
    other = with_plies("beacons", 5, 0, 0, ("bid 6 6",), "22" * 32)
    assert not LogEntry(committed=other).is_of(reveal)
    assert [ply("a").is_of(PlayPly(text, seat=0)) for text in ("a", "b")] == [True, False]
    assert not ply("a").is_of(Resign(seat=0))


# ---- links ------------------------------------------------------------------------------------------------


def test_a_link_without_a_port_leads_to_the_usual_one() -> None:
    assert (PORT, TLS_PORT) == (1883, 8883)  # as MQTT has them
    for tls, port in ((False, PORT), (True, TLS_PORT)):
        link = GameLink("broker.example", port, tls, WATCHES, bytes(32))
        assert read(written(link)) == link
        assert read(written(link).replace(f":{port}", "")) == link
    for wrong in ("0", "65536"):
        with pytest.raises(BadLink, match="port"):
            read(written(GameLink("b", 1883, False, 0, bytes(32))).replace(":1883", f":{wrong}"))


# ---- home -------------------------------------------------------------------------------------------------


class HomeAlone:
    """Home of a game whose second seat is far away; what is asked of it is carried out, or why not is said."""

    def __init__(self, *entries: LogEntry, why: str = "", held: HeldSeats | None = None) -> None:
        self.said: list[str] = []
        self.asked: list[Ask] = []
        self.why = why
        self.home = Home(log(*entries), held or HeldSeats(1), self._carry_out, self.said.append)

    def _carry_out(self, ask: Ask) -> str:
        self.asked.append(ask)
        if not self.why and isinstance(ask.what, PlayPly):
            self.home.grown((ply(ask.what.text),), self.home.now)
        return self.why

    def ask(self, id: str, text: str, n: int, seat: int = 1) -> tuple[Any, ...]:
        head = self.home.log.head(n)
        return self.home.hear(Ask(id, n, head, seat, PlayPly(text, seat=seat)))


def test_home_carries_an_order_out_once_though_it_is_sent_again() -> None:
    home = HomeAlone(ply("c3-c4"))
    for _ in range(2):
        (told,) = home.ask("b-1", "c6-b5", 1)
        assert isinstance(told, LogEntries)
        assert (told.done, told.entries, told.since) == ("b-1", (ply("c6-b5"),), 1)
    assert len(home.asked) == 1


def test_an_order_that_was_declined_is_declined_again_where_it_is_sent_again() -> None:
    home = HomeAlone(ply("c3-c4"), why="it is not your turn")
    (declined,) = home.ask("b-1", "c6-b5", 1)
    assert (declined.id, declined.why) == ("b-1", "it is not your turn")
    again, told = home.ask("b-1", "c6-b5", 1)
    assert (again, told.done) == (declined, "")
    assert len(home.asked) == 1
    assert home.said == ["An order of the other board was declined: it is not your turn"]


def test_an_order_for_an_earlier_position_is_declined_unless_it_was_carried_out_before_a_restart() -> None:
    late = HomeAlone(ply("c3-c4"), ply("c6-b5"))
    declined, told = late.ask("b-1", "d5-c5", 1)
    assert (declined.why, told.since) == (LATE, 1)
    done = HomeAlone(ply("c3-c4"), ply("c6-b5"))
    (told,) = done.ask("b-1", "c6-b5", 1)
    assert (told.since, told.entries) == (1, (ply("c6-b5"),))
    assert done.asked == late.asked == []


def test_nobody_orders_for_a_seat_that_is_not_theirs_or_while_looking_on() -> None:
    (declined,) = HomeAlone().ask("b-1", "c3-c4", 0, seat=0)
    assert declined.why == "This link is for another seat."
    (declined,) = HomeAlone(held=HeldSeats(WATCHES)).ask("b-1", "c3-c4", 0)
    assert declined.why == "This link is for looking on."


def test_home_tells_what_follows_and_all_of_it_where_the_other_log_is_another() -> None:
    home = HomeAlone(ply("c3-c4"), ply("c6-b5"))
    (told,) = home.home.hear(LogHello(1, log(ply("c3-c4")).head(), takes=True))
    assert isinstance(told, LogEntries)
    assert (told.since, told.entries, told.begun) == (1, (ply("c6-b5"),), None)
    assert home.home.takes
    (whole_log,) = home.home.hear(LogHello())
    assert isinstance(whole_log, LogEntries)
    assert (whole_log.since, len(whole_log.entries), whole_log.begun) == (0, 2, BEGUN)
    assert home.said == []
    assert not home.home.takes
    home.home.hear(LogHello(1, "00" * 32))
    assert home.said == ["The other board's record differs from this one: it is told the whole game."]
    assert home.home.hello() == LogHello(2, home.home.log.head(), takes=True)


def test_home_tells_only_what_is_new() -> None:
    home = HomeAlone().home
    assert home.grown((), home.now) == ()
    assert len(home.grown((), home.now, clocks=True)) == 1
    (told,) = home.grown((ply("c3-c4"),), home.now)
    assert isinstance(told, LogEntries)
    assert (told.since, told.entries) == (0, (ply("c3-c4"),))
    assert home.hear(Closed()) == ()
    assert home.closed


def test_who_is_held_by_a_link() -> None:
    one, others, nobody, all_of_them = (
        HeldSeats(1),
        HeldSeats(1, others=True),
        HeldSeats(WATCHES),
        HeldSeats(WATCHES, others=True),
    )
    assert [each.of(3) for each in (one, others, nobody, all_of_them)] == [(1,), (0, 2), (), (0, 1, 2)]
    assert [each.looks_on for each in (one, others, nobody, all_of_them)] == [False, False, True, False]
    assert one.may(1, Resign(seat=1))
    assert not one.may(1, Resign(seat=0))
    assert not one.may(0, Resign(seat=0))
    assert others.may(2, TakeBack(by=(0, 2)))
    assert not others.may(2, TakeBack(by=(1, 2)))
    assert not others.may(2, TakeBack(by=()))
    assert [seat_of(each) for each in (TakeBack(by=(2, 1)), TakeBack(), Resign(seat=2))] == [1, 0, 2]
