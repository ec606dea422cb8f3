"""What the panel shows of a game beside the board: clocks, offers, forms, what can be taken back, and who may go on."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from controller.events import Seating
from controller.table.notes import Wrong
from controller.table.state import Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from controller.table.views.spoken import move_aloud, piece_aloud
from controller.table.views.types import PanelView, SeatView
from tests.table.scenes import Scene

BEACONS, CIRCLE, CYVASSE, TIDES = "beacons", "circle", "cyvasse", "tides-of-war"
TASK = (
    "Share 12 units among everybody's coffers, in secret. Keep many to set up with, or give some away: who gets least "
    "begins."
)
BIDS = "bid 6 6; bid 6 6"
SECRET = {"setup": "secret"}


def seen(scene: Scene, seat: int | None = 0, until_ms: int = 1000, **of_table: Any) -> PanelView:
    return picture(msgspec.structs.replace(scene.run(until_ms), **of_table), CALM, 1, seat)


def seats(scene: Scene, until_ms: int = 1000) -> tuple[SeatView, ...]:
    return seen(scene, until_ms=until_ms).seats


# ---- seats ------------------------------------------------------------------------------------------------


def test_each_seat_has_its_clock_and_one_of_them_runs() -> None:
    timed = Scene(TIDES, clock={"kind": "sudden", "minutes": 1})
    assert [(each.left_ms, each.running) for each in seats(timed)] == [(60_000, False), (60_000, False)]
    timed.hands("-c3 +c4 -c6 +b5")
    assert [(each.left_ms, each.running) for each in seats(timed)] == [(59_000, True), (59_200, False)]
    timed.order(do="pause", on=True)
    assert [each.running for each in seats(timed)] == [False, False]
    assert [(each.left_ms, each.running) for each in seats(Scene(TIDES))] == [(UNSET, False), (UNSET, False)]


def test_a_seat_says_how_long_its_time_does_not_count_yet() -> None:
    timed = Scene(TIDES, clock={"kind": "delay", "minutes": 1, "seconds": 5}).hands("-c3 +c4")
    assert [(each.left_ms, each.still_ms) for each in seats(timed)] == [(60_000, UNSET), (60_000, 4_000)]
    assert [each.still_ms for each in seats(timed.order(do="pause", on=True))] == [UNSET, UNSET]


def test_a_seat_shows_what_is_its_own() -> None:
    begun = Scene(TIDES, after="c3-c4", opponents={"levels": [0, 3], "characters": ["", "raider"]})
    white, black = seats(begun.order(do="hints", seat=0, level="none"))
    assert (white.name, white.to_move, white.level, white.character, white.hints) == ("White", False, 0, UNSET, "none")
    assert (black.name, black.to_move, black.level, black.hints) == ("Black", True, 3, "legal")
    assert black.character
    assert (white.colour, black.colour) == (0, 1)
    assert (white.score, white.afar, white.out, white.holds) == (None, False, False, ())
    first, second = seats(Scene(BEACONS, after=BIDS))
    assert (first.score, first.holds, second.score, second.holds) == (0, ("coffer 13",), 0, ("coffer 13",))


def test_what_somebody_asks_the_others_is_said_while_a_piece_is_in_the_hand_too() -> None:
    lifted = Scene(TIDES, after="c3-c4").hands("-c6").order(do="offer_draw", seat=0)
    answer = "White offers a draw: you may accept or decline it."
    assert (seen(lifted, 1).proposal, seen(lifted, 1).waits) == (
        answer,
        "Put Black's stone where it may go, or back on c6.",
    )
    asked = Scene(TIDES, after="c3-c4").hands("-c6").order(do="take_back", to=0, by=[0], asks=True)
    told = "White asks to take back: stone from c3 to c4. Still to agree: Black."
    assert (seen(asked).proposal, seen(Scene(TIDES, after="c3-c4").hands("-c6")).proposal) == (told, "")


def test_each_seat_has_its_own_hints() -> None:
    scene = Scene(TIDES)
    for seat, level in ((0, "none"), (1, "movable"), (0, "threatened")):
        scene.order(do="hints", seat=seat, level=level)
    assert [each.hints for each in seats(scene)] == ["threatened", "movable"]
    assert len(scene.run().hints) == 2


def test_an_offer_of_a_draw_stands_beside_its_seat_until_the_game_is_over() -> None:
    offered = Scene(TIDES).order(do="offer_draw", seat=0)
    assert [each.offers_draw for each in seats(offered)] == [True, False]
    assert seen(offered, 1).waits == "White offers a draw: you may accept or decline it."
    assert [each.offers_draw for each in seats(offered.order(do="offer_draw", seat=1))] == [False, False]
    assert [each.to_move for each in seats(offered)] == [False, False]
    assert not seen(offered).no_draws
    assert seen(Scene(TIDES, opponents={"levels": [0, 3], "answers": False})).no_draws


# ---- who may give what ------------------------------------------------------------------------------------


def test_what_is_bid_is_shared_out_in_a_form_and_who_is_not_to_bid_yet_reads_what_it_is_for() -> None:
    bids = [seen(Scene(BEACONS), seat).share for seat in (0, 1, None)]
    assert [(each.units, each.ahead, each.sentence) for each in bids if each] == [
        (12, False, ""),
        (12, True, TASK),
        (12, False, ""),
    ]
    assert seen(Scene(BEACONS)).waits == TASK
    assert seen(Scene(BEACONS, after=BIDS)).share is None
    assert seen(Scene(BEACONS).order(do="resign", seat=0)).share is None
    assert seen(Scene(BEACONS, opponents={"levels": [3, 0]}), 1).share is None  # the board bids first
    assert seen(Scene(BEACONS).order(do="pause", on=True)).share is None


def test_what_only_a_phone_can_do_is_offered_to_whose_turn_it_is() -> None:
    placing = Scene(BEACONS, after=BIDS)
    assert [[tap.ply for tap in seen(placing, seat).taps] for seat in (0, 1, None)] == [[], ["end"], ["end"]]
    (done,) = seen(placing, 1).taps
    assert done.sure == "Player 2 has 13 units in the coffer. They would be lost."
    assert [tap.ply for tap in seen(Scene(CIRCLE, after="c1-d2")).taps] == ["end"]
    assert seen(Scene(CIRCLE, after="c1-d2").order(do="resign", seat=0)).taps == ()
    assert seen(Scene(BEACONS)).taps == ()  # there is a form


def test_a_beacon_that_can_be_built_has_a_button_of_its_own() -> None:
    start = "a3:1x5 a4:1x5 e3:2x5"
    scene = Scene(BEACONS, {"start": start})
    build, end = seen(scene, 0).taps
    assert (build.ply, build.words) == ("b a3.a4", "Build the beacon a3–a4: 3 each")
    assert end.ply == "end"
    assert seen(scene, 1).taps == ()
    many = Scene(BEACONS, {"start": f"{start} b3:1x5 b4:1x5 c3:1x5"})  # rings on the board say where
    assert [tap.ply for tap in seen(many, 0).taps] == ["end"]


def test_who_sets_up_in_secret_has_a_form_and_sees_its_own_pieces_alone() -> None:
    placed = Scene(CYVASSE, SECRET, after="K@f2")
    views = {seat: seen(placed, seat) for seat in (0, 1, None)}
    secret = {seat: [name for name, site in view.sites.items() if site.secret] for seat, view in views.items()}
    assert secret == {0: ["f2"], 1: [], None: []}
    assert [views[seat].sites["f2"].piece is not None for seat in (0, 1, None)] == [True, False, False]
    forms = {seat: view.arrange for seat, view in views.items()}
    assert forms[None] is None
    assert forms[0] is not None
    assert "K" not in forms[0].pieces
    assert forms[1] is not None
    assert forms[1].pieces["K"] == 1
    assert [view.secret for view in views.values()] == [True, True, True]
    assert seen(placed.order(do="resign", seat=0)).arrange is None
    open_game = seen(Scene(CYVASSE))
    assert not open_game.secret
    assert not any(site.secret for site in open_game.sites.values())


def test_who_is_to_bid_on_a_phone_alone_is_named_to_those_who_look_on() -> None:
    assert seen(Scene(CYVASSE, SECRET), 1).waits == "White moves in secret, on a phone."
    assert seen(Scene(BEACONS), 1).waits == f"Player 1: {TASK}"  # there is a form for who bids in turn
    assert seen(Scene(CYVASSE, SECRET), 0).waits == "Tap a cell to see what can be done there."
    for by_taps in (True, False):  # a bid is made on a phone, whatever the board: who looks on makes none for Ann
        assert seen(Scene(BEACONS), None, seating=Seating(("Ann",)), by_taps=by_taps).waits == "Waiting for Player 1."
        assert seen(Scene(BEACONS), None, by_taps=by_taps).waits == TASK


@pytest.mark.parametrize(("game", "options", "task"), [
    (BEACONS, {"players": 3}, TASK),
    (CYVASSE, SECRET, "Waiting for all who are not ready yet."),  # its form says what to do
])  # fmt: skip
def test_where_all_choose_at_once_each_on_a_phone_nobody_is_waited_for_before_the_others(
    game: str, options: dict[str, Any], task: str
) -> None:
    def look(*people: str) -> list[PanelView]:
        scene, seating = Scene(game, options), Seating(people)
        return [seen(scene, seat, seating=seating) for seat in (1, None)]

    second, watcher = look("Ann", "Ben")
    assert (second.sentence, second.waits) == ("All choose in secret.", task)
    assert (watcher.sentence, watcher.waits) == ("All choose in secret.", "Waiting for all who are not ready yet.")
    assert all(seat.chooses for seat in (*second.seats, *watcher.seats))
    for view in look("Ann", "Ann"):  # one phone goes round
        assert view.sentence != "All choose in secret."
        assert not any(seat.chooses for seat in view.seats)
    assert not any(seat.chooses for seat in seen(Scene(BEACONS, after=BIDS), seating=Seating(("Ann", "Ben"))).seats)


# ---- back and on ------------------------------------------------------------------------------------------


def test_a_take_back_leads_to_the_last_move_of_a_person_and_can_be_undone() -> None:
    assert (seen(Scene(TIDES)).back, seen(Scene(TIDES)).redo) == (None, 0)
    two = Scene(TIDES, after="c3-c4; c6-b5")
    assert (seen(two).back, seen(two).redo) == (1, 0)
    assert seen(Scene(TIDES, after="c3-c4; c6-b5", opponents={"levels": [0, 3]})).back == 0
    for to in (1, 0):
        two.order(do="take_back", to=to)
        assert (seen(two).back, seen(two).redo) == (to - 1 if to else None, 2 - to)
    two.order(do="resign", seat=0)
    assert (seen(two).back, seen(two).redo, seen(two).winner, seen(two).why) == (0, 0, 1, "resigned")


def test_how_a_game_ended_is_told_to_each_side_and_to_who_looks_on() -> None:
    over = Scene(TIDES, after="c3-c4").order(do="resign", seat=0)
    assert [seen(over, seat).asks for seat in (0, 1, None)] == [
        "You resigned. Black wins.",
        "You win! White resigned.",
        "You win! White resigned.",
    ]
    assert seen(over).sentence == "White resigned. Black wins."


def test_who_may_go_on_with_a_chain_sees_for_how_long_the_board_waits() -> None:
    def left_ms(scene: Scene, until_ms: int, seat: int = 0, by_taps: bool = True) -> int:
        return seen(scene, seat, until_ms, by_taps=by_taps).go_on_ms

    against = {"levels": [0, 3]}
    chain = Scene(TIDES, after="c3-c4; c6-b5", opponents=against).order(do="ply", text="c4xa6", seat=0)
    assert [left_ms(chain, at) for at in (0, 1000, 7500, 8000, 9000)] == [8000, 7000, 500, 1, 1]
    assert seen(chain, by_taps=True).sentence == "White may go on."
    assert left_ms(chain, 10, by_taps=False) == 0  # the piece is in the hand still, or is not
    among_people = Scene(TIDES, after="c3-c4; c6-b5").order(do="ply", text="c4xa6", seat=0)
    assert left_ms(among_people, 10) == 0
    minute = {"kind": "sudden", "minutes": 1}
    timed = Scene(TIDES, after="c3-c4; c6-b5", opponents=against, clock=minute).order(do="ply", text="c4xa6", seat=0)
    assert left_ms(timed, 10) == 0


# ---- help -------------------------------------------------------------------------------------------------


def hinted(steps: int) -> Scene:
    scene = Scene(TIDES).order(do="ask_help", seat=0, about="move")
    scene.order(do="hint", text="a5-a6", about="move", made=0)
    for _ in range(1, steps):
        scene.order(do="ask_help", seat=0, about="move")
    return scene


def test_a_hint_has_more_to_tell_until_all_of_it_is_told() -> None:
    assert [seen(hinted(steps)).help.more for steps in (1, 2, 3)] == [True, True, False]
    sought = Scene(TIDES).order(do="ask_help", seat=0, about="move")
    assert (seen(sought).help.about, seen(sought).help.more) == ("move", False)
    threat = Scene(TIDES).order(do="ask_help", seat=0, about="threat")
    threat.order(do="hint", text="a5-a6", about="threat", made=0)
    assert (seen(threat).help.about, seen(threat).help.more) == ("threat", False)


def test_help_is_offered_where_a_person_is_to_move_and_nothing_is_secret() -> None:
    assert seen(Scene(TIDES)).help.offers == ("move", "threat")
    assert seen(Scene(TIDES, opponents={"levels": [3]})).help.offers == ()
    assert seen(Scene(TIDES).order(do="pause", on=True)).help.offers == ()
    assert seen(Scene(CYVASSE, SECRET)).help.offers == ("move",)
    assert seen(Scene(TIDES, clock={"kind": "sudden", "minutes": 1})).help.offers == ()


@pytest.mark.parametrize(("by_taps", "what"), [(True, "Take the move back"), (False, "Put the piece back")])
def test_the_coach_says_what_to_do_about_a_move_as_it_is_done(by_taps: bool, what: str) -> None:
    scene = Scene(TIDES, opponents={"coach": True}).hands("-b3 +c4").order(do="coached", made=1)
    assert seen(scene, by_taps=by_taps).waits.endswith(f"{what}, or play on.")


# ---- aloud ------------------------------------------------------------------------------------------------


def test_what_attacks_a_piece_is_told_while_the_game_is_played() -> None:
    store = Scene(BEACONS, {"template": "duel"}).run()
    assert [piece_aloud(store, site, 0) for site in ("a3", "a4")] == ["A three: Player 1 units. 6.", "A four: empty."]
    safe = Scene(TIDES).run()
    assert piece_aloud(safe, "a2", 0) == "A two: White stone. Nothing attacks it."
    assert piece_aloud(Scene(TIDES).order(do="pause", on=True).run(), "a2", 0) == "A two: White stone."


def test_without_a_game_nothing_is_told_of_a_site_or_a_move() -> None:
    table = Table(Scene(TIDES).run().board)
    assert (piece_aloud(table, "c3", 0), move_aloud(table, 1, 0)) == ("", "")
    begun = Scene(TIDES, after="c3-c4").run()
    assert [bool(move_aloud(begun, number, 0)) for number in (0, 1, 2)] == [False, True, False]
    assert piece_aloud(begun, "z9", 0) == ""


def test_what_is_to_be_done_blinks_and_where_a_piece_may_go_is_steady() -> None:
    lifted, followed = Scene(TIDES).hands("-c3"), Scene(TIDES).order(do="ply", text="c3-c4")
    steady, blinking = seen(lifted).sites["c4"], seen(followed).sites["c4"]
    assert (steady.meaning, steady.blink) == ("may_go", False)
    assert (blinking.meaning, blinking.blink) == ("chore_on", True)
    assert [seen(lifted).sites[site].on for site in ("c3", "c4", "d2")] == [False, False, True]


# ---- a pause ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "todo"),
    [
        # Its piece was to follow a move on a phone; that is no move the other way.
        (Scene(TIDES).order(do="ply", text="c3-c4").order(do="pause", on=True), "Move White's stone from c3 to c4."),
        (Scene(TIDES).order(do="pause", on=True).hands("-c3 +e2"), "Take the piece off e2. Put White's stone on c3."),
        (Scene(TIDES).order(do="pause", on=True).hands("-c3"), "Put White's stone on c3."),
    ],
    ids=["followed", "moved", "lifted"],
)
def test_in_a_pause_nothing_is_called_wrong_and_what_comes_before_going_on_is_said(scene: Scene, todo: str) -> None:
    assert (seen(scene).advice, seen(scene).waits) == (todo, f"The game is paused. To go on: {todo}")
    assert not [note for _, notes in scene.steps() for note in notes if isinstance(note, Wrong)]
    assert seen(Scene(TIDES).order(do="pause", on=True)).advice == ""


def test_in_a_pause_no_button_makes_a_move_that_would_end_it() -> None:
    def offered(scene: Scene) -> tuple[list[str], int]:
        view = seen(scene, until_ms=2000)
        return [each.ply for each in view.taps], view.redo

    turn = Scene("circle").order(do="ply", text="c2-c3").order(do="ply", text="c1-d2").order(do="take_back", by=(0,))
    assert offered(turn) == (["end"], 1)
    assert offered(turn.order(do="pause", on=True)) == ([], 0)
    assert offered(turn.order(do="pause", on=False)) == (["end"], 1)


def test_who_looks_on_in_a_pause_is_told_of_no_button_that_only_players_have() -> None:
    paused, seating = Scene(TIDES).order(do="pause", on=True), Seating(("Ann", "Ben"))
    assert seen(paused, 0, seating=seating).waits == "The game is paused: choose Continue to go on."
    assert seen(paused, None).waits == "The game is paused: choose Continue to go on."  # nobody's phone: anybody may
    watched = seen(paused, None, seating=seating)
    assert watched.waits == "The game is paused until one of the players chooses Continue."


@pytest.mark.parametrize(
    ("seating", "told"),
    [
        (Seating(("Ann", "Ben")), ""),  # as they sat down
        (Seating(("Ann", "Ben"), by="lots"), "Drawn by lot: Ann (White), Ben (Black)."),
        (Seating(("Ann", "Ben"), by="turn"), "New seats: Ann (White), Ben (Black)."),
        (Seating(("Ann", "Ben"), by="turn", unnamed=(0,)), "New seats: Ben (Black)."),
        (Seating(("Ann", "Ben"), by="lots", unnamed=(0, 1)), "The seats were drawn by lot."),
        (Seating(("Ann", "Ben"), by="turn", unnamed=(0, 1)), "Each seat has passed to the next player."),
        (Seating(("", ""), by="lots"), ""),  # all have left
        (Seating(("", "", "Cleo"), by="lots"), ""),  # whose seat this game has not
    ],
)
def test_how_the_seats_were_changed_is_told_until_the_first_move(seating: Seating, told: str) -> None:
    assert seen(Scene(TIDES), seating=seating).seating == told
    assert seen(Scene(TIDES, after="c3-c4"), seating=seating).seating == ""
