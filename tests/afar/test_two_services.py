"""Two whole services with a hand each, over a broker of their own."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from controller.from_profile import placement
from controller.game_setup import ClockRule
from controller.orders import AgreeBack, NewGame, OfferDraw, PlayPly, RefuseBack, Resign, TakeBack
from controller.refused import Refused
from controller.rules.registry import all_games
from hardware.profile import chained, load
from tests.afar.boards import PATIENCE_S, Families, Family
from tests.afar.brokers import PASSWORD, USER, Cable, mosquitto
from tests.service.evenings import assert_replays, kept, recorded
from tests.waiting import until

pytestmark = pytest.mark.realtime  # a broker is a process of its own

TIDES = "tides-of-war"
OTHERS = [
    name
    for name, game in sorted(all_games().items())
    if not (game.secret and game.secret(game.start(game.options(), 0))) and name not in (TIDES, "giantslayer")
]


@contextmanager
def ear(port: int) -> Iterator[list[bytes]]:
    """Hear everything that the broker carries: topics and messages."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

    heard: list[bytes] = []
    there = threading.Event()
    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.on_message = lambda client, data, message: heard.append(message.topic.encode() + bytes(message.payload))
    client.on_subscribe = lambda *told: there.set()
    client.connect("127.0.0.1", port)
    client.loop_start()
    client.subscribe("#")
    assert there.wait(10)
    yield heard
    client.disconnect()
    client.loop_stop()


# ---- whole games ----


def test_both_boards_call_a_variant_by_its_name(two: Families) -> None:
    two.home.at.order(NewGame(game=TIDES, options={"chains": False}, seed=1, variant="One jump a move"))
    two.home.rest(0.5)
    two.far.follows(two.home.afar.invite(1))
    two.move()
    assert two.far.play.session.options["chains"] is False
    assert str(two.far.play.session.title) == str(two.home.play.session.title) == "Tides of War: One jump a move"
    assert '"variant":"One jump a move"' in recorded(two.far.at.path, 1)


@pytest.mark.parametrize(
    ("game", "home", "far"),
    [
        (TIDES, "square144", "first36"),
        pytest.param("giantslayer", "hex91", "hex91", marks=pytest.mark.night),  # between boards that are alike
    ],
)
def test_a_whole_game_with_a_cut_and_a_restart(tmp_path: Path, port: int, game: str, home: str, far: str) -> None:
    """Hands on both sides; the line of the far board is cut in the middle, and that board is started again."""
    cable = Cable(port)
    two = Families(tmp_path, home, far, port, far_port=cable.port, seed=3)
    two.begin(game)
    two.play(4)
    two.together()
    cable.cut()
    until(lambda: "the game waits" in two.far.at.seen.fault)
    session = two.home.play.session
    assert session.game.seat(session.state) == 0
    two.home.make(two.dice.choice(list(session.game.plies(session.state))))
    assert len(two.far.play.session.plies) == 4
    cable.plug_in()
    two.together()
    assert two.far.at.seen.fault == ""
    two.play(3)
    two.together()
    two.far = two.far.again()
    two.far.until(lambda: two.far.play.session.afar.follows)
    two.play(400)
    two.together()
    assert two.home.play.result.over
    ids = [family.at.seen.game_id for family in (two.home, two.far)]
    two.stop()
    files = [family.path / "games.sqlite3" for family in (two.home, two.far)]
    records = [kept(file, id or 0) for file, id in zip(files, ids, strict=True)]
    assert records[0] == records[1] == two.plies
    for file, id in zip(files, ids, strict=True):
        assert_replays(file, id or 0)
    cable.close()


@pytest.mark.parametrize("game", OTHERS)
def test_the_other_open_games_are_played_too(tmp_path: Path, port: int, game: str) -> None:
    board = next(each for each in chained() if placement(load(each), all_games()[game]) is not None)
    two = Families(tmp_path, board, board, port)
    two.begin(game)
    two.play(14)
    assert len(two.plies) >= 14
    two.stop()


def looking_on(path: Path, port: int) -> tuple[Family, Family]:
    """Return a board at which both seats of a game are played, and one that looks on."""
    home, shows = Family(_folder(path / "home"), "square144", port), Family(_folder(path / "shows"), "first36", None)
    home.at.order(NewGame(game=TIDES, seed=1))
    home.rest(0.5)
    shows.afar.join(home.afar.invite(None))
    shows.until(lambda: shows.play is not None and shows.play.session.afar.follows and not shows.play.setting_up)
    return home, shows


def make_some(family: Family, number: int) -> None:
    """Let the hand at ``family`` make so many plies, for whoever is to move."""
    for made in range(number):
        session = family.play.session
        family.make(random.Random(made + len(session.plies)).choice(list(session.game.plies(session.state))))


def test_a_board_that_looks_on_shows_every_move_and_makes_none(tmp_path: Path, port: int) -> None:
    """Both seats are played at home; hands at the board that looks on are led, whatever they try themselves."""
    home, shows = looking_on(tmp_path, port)
    for _ in range(6):
        make_some(home, 1)
        shows.stands(home.play.session.plies)
    assert home.play.session.afar.seats == ()
    session = shows.play.session
    own = session.game.text(session.state, next(iter(session.game.plies(session.state))))
    for order in (PlayPly(text=own), TakeBack(), Resign(seat=1), OfferDraw(seat=0)):
        with pytest.raises(Refused, match="this board looks on"):
            shows.at.order(order)
    home.at.order(TakeBack())
    assert len(home.play.session.plies) == 5
    shows.until(lambda: shows.play.session.plies == home.play.session.plies and shows.right())
    home.at.order(Resign(seat=0))
    shows.until(lambda: shows.play.result.over)
    for family in (home, shows):
        family.stop()


def test_three_boards_play_one_game(tmp_path: Path, port: int) -> None:
    """Two far boards, each with a link of its own."""
    two = Families(tmp_path, "square144", "square144", port)
    two.begin("circle", players=4)
    third = Family(_folder(tmp_path / "third"), "square144", None)
    third.afar.join(two.home.afar.invite(2))
    third.until(lambda: third.play is not None and third.play.session.afar.follows and not third.play.setting_up)
    assert two.home.play.session.afar.seats == (1, 2)
    assert third.play.session.afar.seats == (0, 1, 3)
    families = (two.home, two.far, third)

    def together() -> bool:
        return all(family.play.session.plies == two.plies and family.right() for family in families)

    def wait(true: Callable[[], bool]) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < end_s, "it never came"
            for family in families:
                family.rest(0.1)

    for made in range(1, 9):
        wait(together)
        for family in families:
            family.rest(0.2)
        session = two.home.play.session
        mover = {1: two.far, 2: third}.get(session.game.seat(session.state) or 0, two.home)
        ends = [ply for ply in session.game.plies(session.state) if session.game.text(session.state, ply) == "end"]
        mover.make((ends or list(session.game.plies(session.state)))[0])
        wait(partial(lambda made: len(two.plies) >= made, made))
    assert {position.seat for position in two.home.play.session.positions[1:]} >= {0, 1, 2}
    third.stop()
    two.stop()


def test_home_goes_on_after_a_restart(two: Families) -> None:
    two.begin(TIDES)
    two.play(4)
    two.home = two.home.again()
    assert two.home.play.session.afar.seats == (1,)
    two.play(4)
    assert len(two.plies) == 8


def test_home_that_is_started_twice_within_a_second_is_answered_soon(two: Families) -> None:
    two.begin(TIDES)
    for _ in range(3):
        two.home = two.home.again()
        began_s = time.monotonic()
        until(lambda: two.home.afar.links()[0].there)
        assert time.monotonic() - began_s < 5


def test_a_game_that_has_begun_is_joined_where_it_stands(two: Families) -> None:
    two.home.begin(TIDES)
    for text in ("c3-c4", "c6-b5"):
        two.home.at.order(PlayPly(text=text))
    two.home.rest(0.5)
    two.far.afar.join(two.home.afar.invite(1))
    two.far.until(lambda: two.far.play is not None and two.far.play.session.afar.follows)
    assert two.far.play.session.plies == ("c3-c4", "c6-b5")
    two.play(4)


def test_a_board_that_was_off_is_led_through_what_it_missed(tmp_path: Path, port: int) -> None:
    """Three plies were made at home meanwhile: hands here are led to each of them, without a touch of the phone."""
    home, shows = looking_on(tmp_path, port)
    make_some(home, 1)
    shows.stands(home.play.session.plies)
    shows.stop()
    make_some(home, 3)
    shows = Family(shows.path, shows.name, None)
    assert len(shows.play.session.plies) == 1
    counts = set[int]()

    def caught_up() -> bool:
        counts.add(len(shows.play.session.plies))
        return bool(shows.play.session.plies == home.play.session.plies and shows.right())

    shows.until(caught_up)
    assert counts == {1, 2, 3, 4}
    for family in (home, shows):
        family.stop()


# ---- what people say to each other ----


def test_a_far_take_back_asks_home(two: Families) -> None:
    two.begin(TIDES)
    two.play(2)
    two.far.at.order(TakeBack(by=(0, 1), asks=True))
    two.home.until(lambda: two.home.play.back_asked is not None)
    assert two.home.play.back_asked.by == (1,)
    two.far.until(lambda: two.far.play.back_asked is not None)
    two.home.at.order(AgreeBack(seat=0, to=1))
    two.far.until(lambda: len(two.far.play.session.plies) == 1)
    two.together()
    two.play(4)


def test_a_take_back_at_home_asks_the_far_board_which_may_decline(two: Families) -> None:
    two.begin(TIDES)
    two.play(1)
    two.home.at.order(TakeBack())
    assert len(two.plies) == 1
    two.far.until(lambda: two.far.play.back_asked is not None)
    two.far.at.order(RefuseBack(seat=1))
    two.home.until(lambda: two.home.play.back_asked is None)
    two.far.until(lambda: two.far.play.back_asked is None)
    two.home.at.order(TakeBack())
    two.far.until(lambda: two.far.play.back_asked is not None)
    two.far.at.order(AgreeBack(seat=1, to=0))
    two.home.until(lambda: two.plies == ())
    two.together()


def test_a_draw_is_offered_and_agreed(two: Families) -> None:
    two.begin(TIDES)
    two.play(2)
    two.home.at.order(OfferDraw(seat=0))
    two.far.until(lambda: two.far.play.offers == (0,))
    two.far.at.order(OfferDraw(seat=1))
    two.far.until(lambda: two.far.play.result.over)
    assert two.far.play.outcome.why == two.home.play.outcome.why == "agreed"


def test_a_far_board_resigns(two: Families) -> None:
    two.begin(TIDES)
    two.play(3)
    two.far.at.order(Resign(seat=1))
    two.far.until(lambda: two.far.play.result.over)
    assert two.home.play.result.winner == 0
    two.together()


@pytest.mark.parametrize("order", [Resign(seat=0), OfferDraw(seat=0), PlayPly(text="c3-c4")])
def test_nobody_here_acts_for_the_other_board(two: Families, order: Resign | OfferDraw | PlayPly) -> None:
    two.begin(TIDES)
    two.together()
    with pytest.raises(Refused, match="the other board plays this seat"):
        two.far.at.service.submit(order)


@pytest.fixture
def cut_off(tmp_path: Path, port: int) -> Iterator[tuple[Families, Cable]]:
    """Two boards that have lost each other after one ply."""
    cable = Cable(port)
    two = Families(tmp_path, "square144", "square144", port, far_port=cable.port)
    two.begin(TIDES)
    two.play(1)
    two.together()
    cable.cut()
    yield two, cable
    two.stop()
    cable.close()


def test_nothing_counts_before_home_has_it(cut_off: tuple[Families, Cable]) -> None:
    two, cable = cut_off
    until(lambda: "the game waits" in two.far.at.seen.fault)
    game, state = two.far.play.session.game, two.far.play.session.state
    first, second, *_ = (game.text(state, ply) for ply in game.plies(state))
    two.far.at.order(PlayPly(text=first))
    two.far.rest(0.5)
    assert two.far.play.sent == PlayPly(text=first, seat=1)
    assert len(two.far.play.session.plies) == len(two.plies) == 1
    with pytest.raises(Refused, match="still on its way"):
        two.far.at.service.submit(PlayPly(text=second))
    cable.plug_in()
    two.far.until(lambda: two.far.play.session.plies == two.plies and len(two.plies) == 2)


def test_an_order_is_sent_again_as_soon_as_the_line_is_back(cut_off: tuple[Families, Cable]) -> None:
    """It had been sent so often in vain that by itself it would wait for half a minute."""
    two, cable = cut_off
    two.far.order_any()
    (line,) = two.far.afar._lines.values()
    far = line.at_work._far
    two.far.until(lambda: far.asked is not None)
    far._again_s = far._wait_s = time.monotonic() + 1000
    cable.plug_in()
    two.far.until(lambda: len(two.far.play.session.plies) == 2)


def test_a_knocked_piece_here_does_not_stop_them_there(two: Families) -> None:
    two.begin(TIDES)
    two.play(2)
    lying = next(iter(two.home.hand.pieces()["on"]))
    two.home.hand.lift(lying)
    two.home.at.wait(1000)
    assert two.home.at.table.phase == "fix"
    assert two.far.at.table.phase == "play"
    two.home.finisher.put_back(two.home.held())
    two.home.rest(1)
    two.play(2)


# ---- links ----


def test_an_invitation_is_ended(two: Families) -> None:
    two.begin(TIDES)
    two.play(2)
    two.home.afar.end(two.home.afar.links()[0].room)
    assert two.home.afar.links() == []
    assert two.home.play.session.afar.seats == ()
    two.far.until(lambda: two.far.afar.links() == [])
    assert not two.far.play.session.afar.follows
    until(lambda: two.far.at.seen.fault == "The other board has ended this invitation.")
    two.far.at.order(NewGame(game=TIDES, seed=2))
    until(lambda: two.far.at.seen.fault == "")
    assert not list(two.home.path.rglob("*.link*"))


def test_a_link_is_joined_once(two: Families) -> None:
    two.begin(TIDES)
    link = two.home.afar.links()[0].text
    with pytest.raises(Refused, match="plays this game already"):
        two.far.afar.join(link)
    with pytest.raises(Refused, match="This is not a link"):
        two.far.afar.join("https://example.org")
    with pytest.raises(Refused, match="No broker is set"):
        two.far.afar.invite(0)


def refusal(do: Callable[[], Any]) -> str:
    with pytest.raises(Refused) as refused:
        do()
    return str(refused.value)


def test_what_cannot_be_played_between_two_boards_is_said(two: Families) -> None:
    home = two.home
    assert "Begin a game first" in refusal(lambda: home.afar.invite(1))
    home.at.order(NewGame(game=TIDES, seed=1, clock=ClockRule()))
    home.rest(0.5)
    home.at.order(PlayPly(text="c3-c4"))
    assert "before the first move" in refusal(lambda: home.afar.invite(1))
    home.at.order(NewGame(game=TIDES, seed=1))
    assert "no seat 7" in refusal(lambda: home.afar.invite(6))


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_a_game_that_does_not_fit_on_the_far_board_is_said(tmp_path: Path, port: int) -> None:
    two = Families(tmp_path, "square144", "hex91", port)
    two.home.begin(TIDES)
    two.far.afar.join(two.home.afar.invite(1))
    until(lambda: "cannot be played here" in two.far.afar.links()[0].said)
    two.stop()


# ---- the broker ----


def test_a_broker_that_refuses_the_password_is_a_sentence(tmp_path: Path) -> None:
    with mosquitto(tmp_path / "strict", passwords=True) as port:
        _folder(tmp_path / "home")
        wrong = Family(tmp_path / "home", "square144", port, USER, "guessed")
        wrong.begin(TIDES)
        wrong.afar.invite(1)
        until(lambda: "refuses the user name or the password" in wrong.at.seen.fault)
        wrong.stop()
        right = Family(tmp_path / "home", "square144", port, USER, PASSWORD)
        until(lambda: right.afar.links()[0].state == "The other board has not answered yet.")
        assert right.at.seen.fault == ""
        right.stop()


def test_a_broker_that_cannot_be_reached_is_a_sentence(tmp_path: Path, port: int) -> None:
    cable = Cable(port)
    cable.close()
    _folder(tmp_path / "home")
    home = Family(tmp_path / "home", "square144", cable.port)
    home.begin(TIDES)
    home.afar.invite(1)
    until(lambda: "cannot be reached" in home.at.seen.fault)
    home.stop()


def test_the_broker_learns_nothing(two: Families, port: int) -> None:
    """Neither plies nor cells nor names nor the game go by in clear."""
    with ear(port) as heard:
        two.begin(TIDES)
        two.play(8)
        two.home.at.order(OfferDraw(seat=0))
        two.far.until(lambda: two.far.play.offers == (0,))
    assert len(heard) > 20
    everything = b"\n".join(heard)
    play = two.home.play
    cells = [found for name in play.game_area.bit for found in (f"{name}-".encode(), f"-{name}".encode())]
    words = [b"tides", b"Tides", b"ply", b"draw", b"seat", b"hello", b"entries"]
    seats = [str(name).encode() for name in play.session.game.facts.seats]
    texts = [text.encode() for text in two.plies]
    assert [word for word in (*words, *seats, *texts) if word in everything] == []
    # Two letters and a sign turn up in noise, too: not in more places than in so much noise.
    found = sum(everything.count(cell) for cell in cells)
    assert found <= 5 * (1 + len(everything) * len(cells) / 256**3)
