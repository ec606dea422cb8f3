"""The noisy hand at a board that follows another: led to what was played there, and heard with its own plies."""

from __future__ import annotations

import msgspec
import pytest

from controller.commitments import Committed, with_plies
from controller.events import Command
from controller.game_setup import Afar as Held
from controller.game_setup import ClockRule, Lesson, LessonStep
from controller.orders import (
    AgreeBack,
    AnyOrder,
    Commit,
    FollowHome,
    FromAfar,
    HoldAfar,
    HomeBack,
    HomeEnded,
    HomeNow,
    NewGame,
    NotTaken,
    OfferDraw,
    Pause,
    PlayPly,
    Redo,
    Resign,
    Reveal,
    TakeBack,
)
from controller.rules.registry import all_games
from controller.table.notes import Refusal
from controller.table.state import BackAsked, Table
from controller.table.table import step
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.afar_tables import begun, given, going
from tests.table.hand import Hand
from tests.table.soak import put_right

TIDES = "tides-of-war"
OPEN = [name for name, game in sorted(all_games().items()) if game.secret is None]
PLIES = 30


def refused(table: Table, order: AnyOrder) -> str:
    after, said = step(table, Command(table.t_us, order))
    assert msgspec.structs.replace(after, t_us=table.t_us) == table
    (refusal,) = said
    assert isinstance(refusal, Refusal)
    return refusal.reason


def words(table: Table) -> str:
    return picture(table, CALM, 1).waits


@pytest.mark.parametrize("game", OPEN)
def test_who_looks_on_says_in_words_that_a_move_was_made_which_no_sensor_could_tell(game: str) -> None:
    hand = Hand(begun(game, Held((0, 1), follows=True)), 3)
    for _ in range(PLIES):
        plies = [ply for ply in hand.game.plies(hand.state) if hand.game.leaver(hand.state, ply) is None]
        if not plies:
            break
        made, ply = len(hand.plies), hand.random.choice(plies)
        text = hand.game.text(hand.state, ply)
        assert "looks on" in refused(hand.table, PlayPly(text=text))
        hand.table = given(hand.table, FollowHome(at=made, plies=(text,)))
        if going(hand.table).session.decided:
            other = next((hand.game.text(hand.state, each) for each in plies if each != ply), "resign")
            assert "looks on" in refused(hand.table, PlayPly(text=other))
            hand.table = given(hand.table, PlayPly(text=text))
        assert len(hand.plies) == made + 1
        put_right(hand)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("game", OPEN)
def test_a_far_board_plays_a_game_with_its_hands(game: str, seed: int) -> None:
    hand = Hand(begun(game, Held((0,), follows=True)), seed)
    for _ in range(PLIES):
        plies = [ply for ply in hand.game.plies(hand.state) if hand.game.leaver(hand.state, ply) is None]
        if not plies:
            break
        ply, before = hand.random.choice(plies), hand.plies
        text, seat = hand.game.text(hand.state, ply), hand.game.seat(hand.state)
        follow = FollowHome(at=len(before), plies=(text,))
        if seat == 0:
            assert going(hand.table).settled.position.footprints == ()
            hand.table = given(hand.table, follow)
            if going(hand.table).session.decided:
                assert "The other board played" in words(hand.table)
                hand.make(ply)
                hand.wait(2400)
                if going(hand.table).verdict.asked:
                    hand.tell(hand.state, ply)
        else:
            hand.table = given(hand.table, PlayPly(text=text, seat=seat))
            assert going(hand.table).sent == PlayPly(text=text, seat=seat)
            assert hand.plies == before
            hand.table = given(hand.table, follow)
            assert going(hand.table).sent is None
        assert hand.plies == (*before, text), (going(hand.table).verdict, hand.table.advice)
        put_right(hand)
        hand.wait(400)


def far(made: tuple[str, ...] = ("c3-c4",)) -> Table:
    table = begun(TIDES, Held((0,), follows=True))
    for n, text in enumerate(made):
        table = given(table, FollowHome(at=n, plies=(text,)))
        if going(table).session.decided:
            table = given(table, FollowHome(at=n, plies=(text,), ended=HomeEnded(True, 1, "resigned", None, (0,))))
            table = given(table, FollowHome(at=n + 1))
    return table


def test_a_ply_by_hand_is_sent_and_waits_for_home() -> None:
    hand = Hand(far(), 1)
    put_right(hand)
    hand.wait(400)
    ply = hand.game.read(hand.state, hand.game.text(hand.state, hand.game.plies(hand.state)[0]))
    hand.make(ply)
    hand.wait(2400)
    sent = going(hand.table).sent
    assert isinstance(sent, PlayPly)
    assert going(hand.table).session.plies == ("c3-c4",)
    assert words(hand.table) == "Sent to the other board: it counts as soon as that has noted it."
    hand.table = given(hand.table, FollowHome(at=1, plies=(sent.text,)))
    assert hand.plies[-1] == sent.text
    assert not going(hand.table).settled.pending_chores


def test_what_home_declines_is_said_and_goes_back() -> None:
    table = far()
    text = going(table).settled.position.footprints[0].text
    table = given(table, PlayPly(text=text))
    assert "still on its way" in refused(table, Resign(seat=1))
    table = given(table, NotTaken(why="it is not your turn"))
    assert going(table).sent is None
    assert table.advice == "The other board: it is not your turn."
    assert words(given(given(far(), PlayPly(text=text)), NotTaken(why="Look again."))).startswith(
        "The other board: Look again. "
    )


def test_a_game_at_home_takes_plies_from_afar_at_once() -> None:
    table = begun(TIDES, Held((1,)))
    table = given(table, PlayPly(text="c3-c4"))
    assert "the other board plays this seat" in refused(table, PlayPly(text="c6-b5"))
    text = "e6-f5"
    game, state = going(table).session.game, going(table).session.state
    text = game.text(state, game.plies(state)[0])
    table = given(table, FromAfar(what=PlayPly(text=text, seat=1)))
    assert going(table).session.plies == ("c3-c4", text)
    assert going(table).settled.pending_chores


def test_a_take_back_asks_the_other_board_even_where_nobody_wants_to_be_asked() -> None:
    table = begun(TIDES, Held((1,)))
    table = given(given(table, PlayPly(text="c3-c4")), TakeBack())
    asked = going(table).back_asked
    assert asked is not None
    assert asked.to == 0
    assert "answers for itself" in refused(table, AgreeBack(seat=1, to=0))
    table = given(table, FromAfar(what=AgreeBack(seat=1, to=0)))
    assert going(table).session.plies == ()
    assert "between two boards" in refused(table, Redo())


def test_what_waits_for_an_answer_at_home_waits_here() -> None:
    table = far()
    now = HomeNow((0,), HomeBack(0, (0,), (0,)))
    table = given(table, FollowHome(at=1, now=now))
    assert going(table).offers == (0,)
    assert going(table).back_asked is not None
    table = given(table, OfferDraw(seat=1))
    assert not going(table).result.over  # it is home that agrees
    table = given(table, FollowHome(at=1, ended=HomeEnded(True, None, "agreed", None, (0, 1))))
    assert going(table).result.why == "agreed"
    assert going(table).sent is None
    table = given(table, FollowHome(at=1))
    assert not going(table).result.over


def test_a_ply_that_was_taken_back_before_hands_made_it_is_forgotten() -> None:
    table = begun(TIDES, Held((0,), follows=True))
    table = given(table, FollowHome(at=0, plies=("c3-c4",)))
    assert going(table).session.decided == "c3-c4"
    assert "glowing" in words(table)
    table = given(table, FollowHome(at=0))
    assert going(table).session.decided == ""
    assert words(table) == "White is to move, at the other board."
    assert "not there yet" in refused(table, FollowHome(at=1))


def test_a_ply_that_hands_are_led_to_can_be_told_in_words() -> None:
    """As where no sensor can tell it: a piece that takes its way round and comes back to its cell."""
    table = begun(TIDES, Held((0,), follows=True))
    table = given(table, FollowHome(at=0, plies=("c3-c4",)))
    assert "the other board plays this seat" in refused(table, PlayPly(text="d2-d3", seat=0))
    table = given(table, PlayPly(text="c3-c4", seat=0))
    assert going(table).session.plies == ("c3-c4",)
    assert going(table).sent is None


def test_a_table_that_follows_nobody_is_told_nothing() -> None:
    table = begun(TIDES, Held((1,)))
    assert "does not follow" in refused(table, FollowHome(at=0))
    assert "no seat 8" in refused(table, HoldAfar(afar=Held((7,))))


# ---- what home cannot have said ---------------------------------------------------------------------------

RESIGNED = HomeEnded(True, 1, "resigned", None, (0,))


@pytest.mark.parametrize(
    "wrong",
    [
        FollowHome(at=1, ended=HomeEnded(True, 1, "resigned", None, (2,))),
        FollowHome(at=1, ended=HomeEnded(True, 2, "resigned", None, (0,))),
        FollowHome(at=1, ended=HomeEnded(True, 1, "resigned", (1, 2, 3), (0,))),
        FollowHome(at=1, ended=HomeEnded(True, 1, "resigned", None, (0, 1))),
        FollowHome(at=1, ended=HomeEnded(True, 1, "bored", None, (0,))),
        FollowHome(at=1, ended=HomeEnded(True, None, "agreed", None, ())),
        FollowHome(at=1, now=HomeNow((2,))),
        FollowHome(at=1, now=HomeNow((0, 1))),  # then it would be a draw
        FollowHome(at=1, now=HomeNow((), HomeBack(0, (2,), (0,)))),
        FollowHome(at=1, now=HomeNow((), HomeBack(0, (0,), (0, 2)))),
        FollowHome(at=1, now=HomeNow((), HomeBack(0, (), ()))),
        FollowHome(at=1, now=HomeNow((), HomeBack(1, (0,), (0,)))),  # there is nothing after that
        FollowHome(at=1, committed=(Committed(seat=0, made=1, commit="c"),)),  # a game without secrets
        FollowHome(at=1, settled=1),
    ],
)
def test_what_cannot_be_in_this_game_is_not_believed(wrong: FollowHome) -> None:
    assert refused(far(), wrong) == "the other board tells what cannot be in this game"


@pytest.mark.parametrize(
    "told",
    [
        FollowHome(at=1, ended=RESIGNED),
        FollowHome(at=1, ended=HomeEnded(True, 1, "resigned", (0, 1), (0,))),
        FollowHome(at=1, ended=HomeEnded(True, None, "agreed", None, (0, 1))),
        FollowHome(at=1, ended=HomeEnded(True, 0, "time", None, (0,))),
        FollowHome(at=1, now=HomeNow((1,))),
        FollowHome(at=1, now=HomeNow((0,), HomeBack(0, (0,), (0, 1)))),
    ],
)
def test_what_can_be_is(told: FollowHome) -> None:
    play = going(given(far(), told))
    assert play.result.over == told.ended.over
    assert play.outcome is None or (play.outcome.winner, play.outcome.by) == (told.ended.winner, told.ended.by)
    assert play.offers == told.now.offers
    back = told.now.back
    assert play.back_asked == (BackAsked(back.to, back.by, back.agreed) if back else None)


def test_an_end_at_home_takes_away_what_was_asked_and_comes_off_again_with_it() -> None:
    table = given(far(), FollowHome(at=1, now=HomeNow((0,), HomeBack(0, (0,), (0,)))))
    table = given(table, OfferDraw(seat=1))
    sent = going(table).sent
    table = given(table, FollowHome(at=1, now=HomeNow((0,), HomeBack(0, (0,), (0,)))))
    assert (going(table).sent, sent) == (sent, OfferDraw(seat=1))  # home has only said what was known already
    table = given(table, FollowHome(at=1, now=HomeNow((0,))))
    assert going(table).sent is None  # it has answered by taking the question away
    table = given(table, FollowHome(at=1, ended=RESIGNED))
    play = going(table)
    assert (play.result.over, play.offers, play.back_asked, play.sent) == (True, (), None, None)
    table = given(table, FollowHome(at=1))
    assert going(table).outcome is None


# ---- what people here cannot ask for ----------------------------------------------------------------------


def test_clocks_between_boards_go_on_and_a_game_without_them_may_pause() -> None:
    timed = begun(TIDES, Held((1,)), clock=ClockRule("sudden", 5))
    assert "cannot be paused" in refused(timed, Pause(on=True))
    assert going(given(begun(TIDES, Held((1,))), Pause(on=True))).paused


def test_nobody_speaks_for_the_seats_of_the_other_board() -> None:
    table = begun(TIDES, Held((1,)))
    for wish in (Resign(seat=1), OfferDraw(seat=1), AgreeBack(seat=1, to=0)):
        assert "answers for itself" in refused(table, wish)
    assert going(given(table, OfferDraw(seat=0))).offers == (0,)
    for seal in (Commit(seat=0, commit="c" * 64, made=0), Reveal(seat=0, plies=("c3-c4",), nonce="n" * 64)):
        assert refused(table, seal) == "nobody holds this seat on a phone far away"


def test_a_take_back_speaks_for_the_seats_here_alone() -> None:
    table = far(("c3-c4",))
    table = given(table, TakeBack(by=(0, 1)))
    assert going(table).sent == TakeBack(to=0, by=(1,), asks=True)
    assert going(given(far(), TakeBack(made=1))).sent == TakeBack(to=0, by=(1,), asks=True)
    ended = given(far(), FollowHome(at=1, ended=RESIGNED))
    assert going(given(ended, TakeBack())).sent == TakeBack(to=None, by=(1,), asks=True)


def test_a_game_of_which_secrets_are_made_is_not_given_away_and_a_lesson_never() -> None:
    lesson = Lesson((LessonStep("Step from c3 to c4.", "c3-c4"),))
    table, _ = step(begun(TIDES, Held()), Command(0, NewGame(game=TIDES, lesson=lesson)))
    assert "lesson" in refused(table, HoldAfar(afar=Held((1,))))
    bids = given(begun("beacons", Held()), PlayPly(text="bid 6 6"))
    assert "secret moves have been made here already" in refused(bids, HoldAfar(afar=Held((1,))))
    assert going(given(begun("beacons", Held()), HoldAfar(afar=Held((1,))))).session.afar.seats == (1,)


def test_who_gives_up_at_home_leaves_no_hand_anything_to_do_but_take_its_pieces_off() -> None:
    table = begun("circle", Held((0,), follows=True), {"players": 4})
    game, state = going(table).session.game, going(table).session.state
    assert game.leaves is not None
    text = game.text(state, game.leaves(state, 0))
    table = given(table, FollowHome(at=0, plies=(text,)))
    assert (going(table).session.plies, going(table).session.decided) == ((text,), "")
    assert 0 not in going(table).in_play


# ---- what home tells of secrets ---------------------------------------------------------------------------

NONCES = ("00" * 32, "11" * 32)


def word(seat: int, bid: str, opened: bool = False) -> Committed:
    """Return what home tells of a bid: that it is sealed, or what it was."""
    sealed = with_plies("beacons", 1, seat, 0, [bid], NONCES[seat])
    return sealed if opened else sealed.veiled


def at_bids() -> Table:
    """Return a board that follows home, which has sealed a bid of its seat; so has the seat that is held here."""
    table = begun("beacons", Held((0,), follows=True))
    table = given(table, FollowHome(at=0, committed=(word(0, "bid 6 6"),)))
    return given(table, PlayPly(text="bid 7 5", seat=1, nonce=NONCES[1]))


def test_bids_that_all_have_opened_are_made_as_home_tells() -> None:
    table = at_bids()
    assert [each.what.seat for each in going(table).session.promises.pending] == [0, 1]
    assert going(table).session.plies == ()
    opened = (word(0, "bid 6 6", opened=True), word(1, "bid 7 5", opened=True))
    table = given(table, FollowHome(at=0, committed=opened))
    assert going(table).session.promises.shown([0, 1])
    assert going(table).session.plies == ()  # home makes them
    table = given(table, FollowHome(at=0, committed=opened, plies=("bid 6 6", "bid 7 5"), settled=2))
    assert going(table).session.plies == ("bid 6 6", "bid 7 5")
    assert going(table).session.promises.pending == ()


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ((word(0, "bid 5 7"),), "what was sealed was changed at the other board"),
        ((), "what was sealed is gone at the other board"),
        ((msgspec.structs.replace(word(0, "bid 6 6", opened=True), plies=("bid 5 7",)),),
         "what was opened is not what was sealed"),
        ((msgspec.structs.replace(word(0, "bid 6 6", opened=True), nonce=NONCES[1]),),
         "what was opened is not what was sealed"),
    ],
)  # fmt: skip
def test_what_was_sealed_at_home_stays_as_it_was(told: tuple[Committed, ...], why: str) -> None:
    assert refused(at_bids(), FollowHome(at=0, committed=told)).startswith(why)


@pytest.mark.parametrize(
    ("told", "plies", "why"),
    [
        ((word(0, "bid 6 6"),), ("bid 6 6", "bid 7 5"), "secret moves that were not sealed and opened"),
        ((word(0, "bid 6 6", opened=True),), ("bid 6 6", "bid 7 5"), "secret moves that were not sealed and opened"),
        ((word(0, "bid 6 6", opened=True), word(1, "bid 7 5", opened=True)), ("bid 6 6", "bid 5 7"),
         "plays otherwise than was sealed"),
        ((word(0, "bid 6 6", opened=True), word(1, "bid 7 5", opened=True)), ("bid 6 6",),
         "plays otherwise than was sealed"),
    ],
)  # fmt: skip
def test_home_makes_nothing_in_secret_but_what_all_have_opened(
    told: tuple[Committed, ...], plies: tuple[str, ...], why: str
) -> None:
    assert why in refused(at_bids(), FollowHome(at=0, committed=told, plies=plies))


def test_what_was_sealed_here_stays_when_home_has_not_heard_of_it_yet() -> None:
    table = given(at_bids(), FollowHome(at=0, committed=(word(0, "bid 6 6", opened=True),)))
    home, own = going(table).session.promises.pending
    assert (home.shown, home.what.plies) == (True, ("bid 6 6",))
    assert (own.shown, own.what.plies) == (False, ("bid 7 5",))
    table = given(table, FollowHome(at=0, committed=(word(0, "bid 6 6"), word(1, "bid 7 5"))))
    assert [each.shown for each in going(table).session.promises.pending] == [True, False]  # nothing is sealed again


def test_while_a_move_is_on_its_way_the_game_may_be_interrupted_here() -> None:
    table = given(far(), PlayPly(text=going(far()).settled.position.footprints[0].text))
    assert going(table).sent is not None
    assert going(given(table, Pause(on=True))).paused
