"""Games that have ended: by resigning, by an agreed draw, by a fallen flag, by their rules. An ended game takes no ply,
and its end is taken back on purpose or not at all."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from controller.events import Tick, Touch
from controller.journal.recording import afresh
from controller.orders import TakeBack
from controller.rules.game import Result
from controller.table.notes import EndTakenBack, GameOver, PlyMade, Refusal, TakenBack
from controller.table.orders import order
from controller.table.session import Ended
from controller.table.state import Table
from controller.table.table import step
from controller.table.views.endings_told import ended as ended_as_told
from controller.table.views.endings_told import ranking
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.scenes import Scene

MINUTE_US = 60_000_000
CHAIN = "h6-h3; f5-f6; g1-b6; f4-f5; f8-f7"  # of Giantslayer: f6 can jump to f8, and on to h6


def refusals(scene: Scene) -> list[str]:
    return [note.reason for _, said in scene.steps() for note in said if isinstance(note, Refusal)]


def said(scene: Scene, *kinds: type) -> list[str]:
    """Return the names of the notes of these kinds, in their order."""
    return [type(note).__name__ for _, notes in scene.steps() for note in notes if isinstance(note, kinds)]


def resigned(hands: str = "-c3 +c4") -> Scene:
    return Scene("tides-of-war").hands(hands).order(do="resign", seat=1)


def agreed(hands: str = "-c3 +c4") -> Scene:
    return Scene("tides-of-war").hands(hands).order(do="offer_draw", seat=0).order(do="offer_draw", seat=1)


def flagged(hands: str = "-c3 +c4") -> Scene:
    """Return a game in which the seat to move had a minute and thought for longer."""
    scene = Scene("tides-of-war", clock={"kind": "sudden", "minutes": 1}).hands(hands)
    scene.t_ms += 60_500
    return scene


ENDS = pytest.mark.parametrize("ended", [resigned, agreed, flagged])


@ENDS
def test_an_ended_game_takes_no_ply_from_a_phone(ended: Any) -> None:
    scene = ended().order(do="ply", text="c6-b5", seat=1)
    table = scene.run()
    assert table.play.session.plies == ("c3-c4",)
    assert table.phase == "over"
    assert refusals(scene) == [f"the game is over ({table.play.result.why})"]


@ENDS
def test_an_ended_game_takes_no_ply_from_a_hand(ended: Any) -> None:
    assert ended().hands("-c6 +b5").plies() == ["c3-c4"]


@pytest.mark.parametrize(
    ("scene", "all_read", "the_winner_reads"),
    [
        (Scene("tides-of-war"), "White to move.", ""),
        (resigned(), "Black resigned. White wins.", "You win! Black resigned."),
        (flagged(), "White wins on time.", "You win on time!"),
        (agreed(), "Draw by agreement.", ""),
        (
            Scene("tides-of-war", after="c3-d3").hands("-e3 -d3 -b2 +a1"),
            "Black wins: a town is conquered.",
            "You win: a town is conquered.",
        ),
        (  # who gives up has lost nothing to others
            Scene("circle", {"players": 4}, after="out 1; out 3; out 4"),
            "Black wins: all others have given up.",
            "You win: all others have given up.",
        ),
        (
            Scene("beacons", {"players": 3}, after="out 1; out 3"),
            "Player 2 wins: all others have given up.",
            "You win: all others have given up.",
        ),
    ],
)
def test_who_has_won_reads_of_themselves(scene: Scene, all_read: str, the_winner_reads: str) -> None:
    view = picture(scene.run(), CALM, 1)
    assert (view.sentence, view.asks) == (all_read, the_winner_reads)


@ENDS
def test_the_last_piece_put_back_by_hand_revives_nothing(ended: Any) -> None:
    scene = ended("-c3 +c4 -c6 +b5").hands("-b5 +c6@600")
    table = scene.run()
    assert table.phase == "over"
    assert table.play.session.plies == ("c3-c4", "c6-b5")
    assert said(scene, TakenBack, EndTakenBack) == []


def test_the_winning_piece_put_back_by_hand_takes_its_move_and_the_end_back() -> None:
    """What the rules have ended goes on where the hand goes back; the ply before it stays."""
    scene = Scene("tides-of-war", after="c3-d3").hands("-e3 -d3 -b2 +a1")
    assert (scene.plies(), scene.run().phase) == (["e3xc3xa1"], "over")
    scene.hands("-a1 +b2 +d3 +e3")
    assert (scene.run().play.session.plies, scene.run().phase) == (("c3-d3",), "play")
    assert scene.hands("-e3 -d3 +c3").plies() == ["e3xc3"]


@ENDS
def test_a_take_back_takes_the_end_first_and_leaves_the_plies(ended: Any) -> None:
    scene = ended().order(do="take_back")
    table = scene.run(until_ms=100)
    assert table.phase == "play"
    assert table.play.session.plies == ("c3-c4",)
    assert said(scene, GameOver, TakenBack, EndTakenBack) == ["GameOver", "EndTakenBack"]
    assert scene.hands("-c6 +b5").plies(until_ms=400) == ["c3-c4", "c6-b5"]


@ENDS
def test_a_ply_is_not_taken_back_with_the_end(ended: Any) -> None:
    scene = ended().order(do="take_back", to=0)
    assert scene.run(until_ms=100).phase == "over"
    assert "take back the ending before any move" in refusals(scene)[0]
    scene = ended().order(do="take_back", to=1).order(do="take_back", to=0)
    assert scene.run(until_ms=100).play.session.plies == ()


def test_who_resigned_takes_it_back_and_nobody_else() -> None:
    scene = resigned().order(do="take_back", by=[0])
    assert scene.run().phase == "over"
    assert refusals(scene) == ["only Black can take back this ending"]
    assert picture(scene.run(), CALM, 1).end_back_by == (1,)
    assert resigned().order(do="take_back", by=[1]).run().phase == "play"


def test_any_of_those_who_agreed_can_take_a_draw_back() -> None:
    assert agreed().order(do="take_back", by=[0]).run().phase == "play"
    assert agreed().order(do="take_back", by=[1]).run().phase == "play"
    assert agreed().order(do="take_back", by=[]).run().phase == "over"


def test_only_who_won_on_time_can_give_time_back() -> None:
    assert flagged().order(do="take_back", by=[1]).run(until_ms=100).phase == "over"
    table = flagged().order(do="take_back", by=[0]).run(until_ms=0)
    assert table.phase == "play"
    assert table.play.clock.running == 1
    assert table.play.clock.left_us[1] == MINUTE_US


def test_an_ending_of_which_nobody_is_named_is_taken_back_by_anybody() -> None:
    table: Any = resigned().run()
    outcome = msgspec.structs.replace(table.play.outcome, by=())
    ended: Table = msgspec.structs.replace(table, play=msgspec.structs.replace(table.play, outcome=outcome))
    for by in ((0,), (1,), None):
        back, _ = order(ended, TakeBack(by=by))
        assert back.phase == "play"


def test_time_thought_before_resigning_stays_used() -> None:
    scene = Scene("tides-of-war", clock={"kind": "sudden", "minutes": 1}).hands("-c3 +c4")
    scene.t_ms += 20_000
    table = scene.order(do="resign", seat=1).order(do="take_back", by=[1]).run(until_ms=0)
    assert table.play.clock.left_us[1] == pytest.approx(MINUTE_US - 20_400_000, abs=100_000)


def test_pieces_cleared_away_after_the_end_are_asked_for_when_it_is_taken_back() -> None:
    table = resigned().hands("-c6 -b3").order(do="take_back").run()
    assert table.phase == "fix"
    assert table.play.verdict.missing.bit_count() == 2


@pytest.mark.parametrize("order", [{"do": "resign", "seat": 1}, {"do": "resign", "seat": 0}])
def test_a_ply_that_only_waited_for_quiet_is_not_made_after_the_end(order: dict[str, Any]) -> None:
    scene = Scene("giantslayer", after=CHAIN, pace=100).hands("-f6 -f7 +f8")
    table = scene.run(until_ms=50)
    assert table.play.verdict.made is not None  # it waits
    assert len(table.play.session.plies) == 5
    scene.order(**order)
    table = scene.run(until_ms=2000)
    assert len(table.play.session.plies) == 5
    assert table.phase == "over"
    assert said(scene, PlyMade) == []


def test_setting_up_the_start_position_begins_the_next_game_after_a_resignation() -> None:
    scene = resigned("-c3 +c4 -c6 +b5").hands("-c4 +c3 -b5 +c6")
    table = scene.run()
    assert (table.phase, table.play.session.plies) == ("play", ())
    assert said(scene, GameOver, TakenBack, EndTakenBack) == ["GameOver"]


def restarted(table: Table) -> Table:
    return afresh(table)[0]


@ENDS
def test_a_restart_knows_the_end_and_who_may_take_it_back(ended: Any) -> None:
    before = ended().run(until_ms=100)
    after = restarted(before)
    assert after.play.outcome == before.play.outcome
    assert after.phase == "over"
    if before.play.clock:
        assert after.play.clock.left_us == before.play.clock.left_us


def test_the_last_ply_is_named_by_the_order_that_takes_it_back() -> None:
    twice = Scene("tides-of-war").hands("-c3 +c4 -c6 +b5").order(do="take_back", to=1, made=2)
    twice.order(do="take_back", to=1, made=2)
    assert twice.plies() == ["c3-c4"]
    late = Scene("tides-of-war").hands("-c3 +c4 -c6 +b5").order(do="take_back", to=0, made=1)
    assert late.plies() == ["c3-c4", "c6-b5"]
    assert refusals(late) == ["Black has moved meanwhile: look again"]
    assert refusals(twice) == ["something was taken back meanwhile: look again"]


@pytest.mark.parametrize(("floor", "left"), [(0, 1), (1, 1), (2, 2)])
def test_no_hand_takes_back_the_ply_that_has_shown_a_secret(floor: int, left: int) -> None:
    table = Scene("tides-of-war").hands("-c3 +c4 -c6 +b5").run()
    *before, last = table.play.session.positions
    shown = (*before, msgspec.structs.replace(last, floor=floor))
    assert table.play is not None
    session = msgspec.structs.replace(table.play.session, positions=shown)
    table = msgspec.structs.replace(table, play=msgspec.structs.replace(table.play, session=session))
    for after_ms, site, on in ((400, "b5", False), (800, "c6", True)):
        table, _ = step(table, Touch(table.t_us + after_ms * 1000, site, on))
    table, _ = step(table, Tick(table.t_us + 2_000_000))
    assert len(table.play.session.plies) == left


def test_what_is_secret_is_private_in_what_the_table_says() -> None:
    scene = Scene("beacons").order(do="ply", text="bid 12 1").order(do="ply", text="bid 5 7")
    said_of = [note for _, notes in scene.steps() for note in notes if isinstance(note, Refusal | PlyMade)]
    assert [note.private for note in said_of] == [True, True]
    assert not any(digit in "".join(note.logged for note in said_of) for digit in "57")
    open_scene = Scene("beacons", {"template": "trial"}).order(do="ply", text="bid 12 1")
    assert not any(note.private for _, notes in open_scene.steps() for note in notes)


def test_a_secret_ply_is_taken_back_for_its_own_seat_alone() -> None:
    first = Scene("beacons").order(do="ply", text="bid 5 7")
    assert first.order(do="take_back", by=[1]).plies() == ["bid 5 7"]
    assert refusals(first)[0].startswith("Player 1 made this in secret")
    assert first.order(do="take_back", by=[0]).plies() == []


def test_once_a_game_is_over_no_move_of_it_is_offered() -> None:
    scene = Scene("circle").order(do="ply", text="c2-d2")
    assert [tap.ply for tap in picture(scene.run(10), CALM, 1).taps] == ["end"]
    assert picture(scene.order(do="resign", seat=0).run(10), CALM, 1).taps == ()


def test_who_has_lost_or_given_up_reads_so() -> None:
    def asks(scene: Scene, seat: int) -> str:
        return picture(scene.run(), CALM, 1, seat).asks

    assert asks(flagged(), 0) == "You win on time!"
    assert asks(flagged(), 1) == "You lose. White wins on time."
    assert (asks(resigned(), 0), asks(resigned(), 1)) == ("You win! Black resigned.", "You resigned. White wins.")
    assert asks(agreed(), 0) == ""


def of_some(tally: tuple[int, ...], levels: tuple[int, ...] = (0, 0, 1, 1), players: int = 4) -> Table:
    """Return a game of Beacons that is over with these points; Player 2 is dominant in the most cells."""
    start = "a3:1x1 c3:2x9 c4:2x9 e3:3x9 c1:4x9" if players == 4 else "a3:1x1 c3:2x9 c4:2x9"
    scene = Scene("beacons", {"players": players, "rounds": 1, "start": start}, after="; ".join(["end"] * players),
                  opponents={"levels": list(levels)})  # fmt: skip
    table = scene.run()
    assert table.play is not None
    session = table.play.session
    last = msgspec.structs.replace(session.positions[-1], state=msgspec.structs.replace(session.state, tally=tally))
    session = msgspec.structs.replace(session, positions=(*session.positions[:-1], last))
    return msgspec.structs.replace(table, play=msgspec.structs.replace(table.play, session=session))


@pytest.mark.parametrize(
    ("tally", "levels", "told", "ranked"),
    [
        ((3, 7, 5, 5), (0, 0, 1, 1), "Player 2 wins: the points decide.",
         "1. Player 2 (7), 2. Player 3 (5), 2. Player 4 (5), 4. Player 1 (3)."),
        ((3, 2, 7, 5), (0, 0, 1, 0), "Player 3 wins: the points decide.",
         "1. Player 3 (7), 2. Player 4 (5), 3. Player 1 (3), 4. Player 2 (2)."),
        ((2, 2, 2, 0), (0, 0, 1, 1), "Player 2 wins: points are equal at 2, and the most dominant cells decide "
         "(Player 1: 1, Player 2: 2, Player 3: 1).",
         "1. Player 2 (2), 2. Player 1 (2), 2. Player 3 (2), 4. Player 4 (0)."),
    ],
)  # fmt: skip
def test_of_several_players_it_is_told_who_came_first_second_and_so_on(
    tally: tuple[int, ...], levels: tuple[int, ...], told: str, ranked: str
) -> None:
    table, ranked = of_some(tally, levels), re.sub(r"(?<=\d\.) | (?=\(\d+\)[,.])", "\N{NO-BREAK SPACE}", ranked)
    for seat in (None, 0, 1, 2):
        view = picture(table, CALM, 1, seat)
        assert (view.sentence, view.ranking) == (told, ranked)
    winner = 2 if told.startswith("Player 3") else 1
    assert picture(table, CALM, 1, winner).asks == "You win" + told.partition(" wins")[2]
    assert picture(table, CALM, 1, 0).asks == told  # who shares the second place has not simply lost


def test_where_more_than_the_points_decided_between_two_the_score_is_no_reason() -> None:
    table = of_some((3, 3), (0, 0), players=2)
    told = "Player 2 wins: points are equal at 3, and the most dominant cells decide (Player 1: 1, Player 2: 2)."
    assert picture(table, CALM, 1).sentence == told
    assert picture(table, CALM, 1, 0).asks == f"You lose. {told}"


def test_of_a_turn_within_which_somebody_resigned_nothing_is_left_to_tell() -> None:
    scene = Scene("circle", options={"players": 2})
    seen = picture(scene.run(10), CALM, 1)
    assert ("White: 3 actions left this turn." in seen.lines, seen.seats[0].holds) == (True, ("3 actions left",))
    seen = picture(scene.order(do="resign", seat=0).run(10), CALM, 1)
    assert (seen.lines, seen.seats[0].holds) == ((), ())


def test_the_board_is_called_so_where_it_won_against_one_person() -> None:
    table = of_some((2, 5), (0, 1), players=2)
    told = "The board wins 5:2: the points decide."
    assert picture(table, CALM, 1).sentence == told
    assert picture(table, CALM, 1, 0).asks == f"You lose. {told}"
    scene = Scene("tides-of-war", opponents={"levels": [0, 1]}).order(do="resign", seat=0)
    assert picture(scene.run(), CALM, 1, 0).asks == "You resigned. The board wins."


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (Result(True, None, "why", (3, 3)), "Draw, 3:3: why."),
        (Result(True, None, "why"), "Draw: why."),
        (Result(True, 1, "why", (5, 6)), "Black wins 6:5: why."),
        (Result(True, 1, "why", (5, 5)), "Black wins: why."),  # "5:5" after "wins" would read like a mistake
        (Result(True, 1, "why", (6, 5)), "Black wins: why."),
        (
            Result(True, 2, "why", (5, 6, 9, 9)),
            "Blue wins: why.|1. Blue (9), 2. Orange (9), 3. Black (6), 4. White (5).",
        ),
        (Result(True, 1, "why", (5, 6, 9, 9)), "Black wins: why."),
        (Result(True, None, "why", (5, 9, 9, 5)), "Draw: why.|1. Black (9), 1. Blue (9), 3. White (5), 3. Orange (5)."),
        # Of more than two who go on without one of them nobody wins so; older journals have it.
        (Ended(True, None, "time", None, (0, 2, 3)), "Black ran out of time. The game ends without a winner."),
        (Ended(True, None, "time", None, (0, 3)), "Black or Blue ran out of time. The game ends without a winner."),
        (Ended(True, None, "resigned", None, (1,)), "Black resigned. The game ends without a winner."),
    ],
)  # fmt: skip
def test_an_end_is_told_with_its_points_where_they_say_why(result: Result, told: str) -> None:
    of_four = len(result.scores or ()) == 4 or isinstance(result, Ended)
    play = (Scene("circle", {"players": 4}) if of_four else Scene("tides-of-war")).run().play
    assert play is not None
    play = msgspec.structs.replace(play, outcome=result if isinstance(result, Ended) else None)
    said = ended_as_told(play, result), ranking(play, result)
    assert "|".join(filter(None, said)).replace("\N{NO-BREAK SPACE}", " ") == told


def test_points_rank_nobody_while_the_game_goes_on_or_where_players_ended_it() -> None:
    play = Scene("circle", {"players": 4}).run().play
    assert play is not None
    assert ranking(play, Result(False, None, "", (5, 9, 9, 5))) == ""
    assert ranking(play, Result(True, None, "why", (5, 9, 9, 5))) != ""
    agreed = msgspec.structs.replace(play, outcome=Ended(True, None, "agreed", None, ()))
    assert ranking(agreed, Result(True, None, "why", (5, 9, 9, 5))) == ""
