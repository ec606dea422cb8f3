"""The page for the television on a stage: what stands beside the board, told to nobody in particular."""

from __future__ import annotations

from typing import Any

import pytest

from controller.rules.game import Share
from controller.rules.mesh import squares
from controller.table.views.types import LastTurn, LessonView, MatchView, PlyTold, PlyView, SeatView
from tests.web_panel.staged import Stage, geometry, view, you

BOARD = geometry(squares(3, 3))
BEGUN = "1970-01-01 00:00:00"  # when a game of the evening has begun, by the clock of the stage
LARGER = {**geometry(squares(4, 4)), "name": "larger"}


@pytest.fixture
def tv(stage: Stage) -> Stage:
    """Return the television, on which nothing has been shown yet."""
    stage.open("/tv", answers={"board": BOARD})
    stage.send("open")
    stage.send("you", you("guest", held={}))
    return stage


def shown(tv: Stage, **fields: Any) -> None:
    tv.send("view", view(**fields))


def released(tv: Stage) -> None:
    """Let what was asked for arrive."""
    tv.js("async () => { stage.held.shift()(); await stage.settled(); }")


def test_a_new_game_on_another_board_is_told_though_more_happens_before_that_board_is_there(tv: Stage) -> None:
    shown(tv, title="Circle", phase="over", sentence="White wins.", plies=(PlyView(0, "a1-a2"),))
    assert tv.text("#sentence") == "White wins."
    tv.answers(board={"late": LARGER})
    shown(tv, game_id=2, board="larger", title="Giantslayer")
    shown(tv, game_id=2, board="larger", title="Giantslayer", sentence="Black to move.")  # once its pieces stand
    tv.send("you", you("guest", held={}, people={"0": {"name": "Ann", "colour": ""}}))
    released(tv)
    assert tv.text("#title") == "Giantslayer"
    assert "wins" not in tv.text("#sentence")
    assert "Ann" in tv.texts(".seat b")
    assert tv.text("#last") == ""


def test_a_board_that_could_not_be_asked_for_is_asked_for_again(tv: Stage) -> None:
    shown(tv, title="Circle")
    tv.answers(board={"in_turn": ["away", LARGER]})
    shown(tv, game_id=2, board="larger", title="Giantslayer")
    assert tv.text("#title") == "Circle"
    tv.passes(2_000)
    assert tv.text("#title") == "Giantslayer"


NAMED = {"0": {"name": "Ann", "colour": ""}, "1": {"name": "Ben", "colour": ""}, "2": {"name": "Clara", "colour": ""}}
THREE = tuple(SeatView(f"Player {n + 1}", n == 0, 0, colour=n) for n in range(3))


def named(tv: Stage, **more: Any) -> None:
    tv.send("you", you("guest", held={}, people=NAMED, **more))


def acts(tv: Stage) -> list[str]:
    """Return the names of those whose rows say that they are to act."""
    return tv.texts('.seat[aria-current="true"] b')


def test_whose_turn_it_is_is_told_and_no_question_to_a_player(tv: Stage) -> None:
    named(tv)
    shown(tv, question="Which move did you make? Tap it here.", advice="Put White's stone on a1.")
    assert tv.text("#sentence") == "Ann to move."
    assert tv.text("#advice") == "Put White's stone on a1."  # a board of wood, where hands are in the same room
    shown(tv, sentence="Ann may go on.", question="Was this move made?")
    assert tv.text("#sentence") == "Ann may go on."
    shown(tv, proposal="Ben offers a draw: Ann may accept or decline it.")
    assert tv.text("#sentence") == "Ben offers a draw: Ann may accept or decline it."


def test_a_pause_is_told_as_such_and_a_lifted_piece_of_a_simulated_board_is_no_matter(tv: Stage) -> None:
    named(tv)
    tv.send("pieces", {"on": {}, "held": [], "off": [], "moves": 0})
    shown(tv, phase="pause", paused=True, sentence="Paused.", advice="Put Orange's class 1 (drop) on f5.")
    assert tv.text("#sentence") == "Paused."
    assert tv.text("#advice") == ""


def test_while_all_choose_in_secret_it_is_told_who_has_not_yet(tv: Stage) -> None:
    share = Share("bid", 12, ("Player 1", "Player 2", "Player 3"), "")
    bids = {"seats": THREE, "secret": True, "sentence": "Ann shares out 12 units."}
    named(tv)
    shown(tv, **bids, share=share)
    assert tv.text("#sentence") == "Waiting for Ann, Ben and Clara to share out units."
    assert acts(tv) == ["Ben", "Clara", "Ann"]
    named(tv, ready=[1])
    assert tv.text("#sentence") == "Waiting for Ann and Clara to share out units."
    assert acts(tv) == ["Clara", "Ann"]
    shown(tv, **bids)
    assert tv.text("#sentence") == "Waiting for Ann and Clara to set up in secret."
    shown(tv, seats=THREE, sentence="Ann places 12 units.")
    assert tv.text("#sentence") == "Ann places 12 units."
    assert acts(tv) == ["Ann"]


def test_who_is_elsewhere_is_waited_for_in_the_words_of_the_service(tv: Stage) -> None:
    seats = (SeatView("White", True), SeatView("Black", False, colour=1, afar=True))
    shown(tv, seats=seats, secret=True, sentence="All choose in secret.")
    assert tv.text("#sentence") == "All choose in secret."


def test_what_was_shared_out_or_set_up_is_no_move_in_signs(tv: Stage) -> None:
    named(tv)
    shown(tv, seats=THREE, plies=(PlyView(0, "bid 4 4 4", words="Bid 4 for each"),), seating="Received: Ann: 4.")
    assert tv.text("#last") == ""
    assert tv.text("#seated") == "Received: Ann: 4."
    turn = LastTurn(1, 1, (PlyTold("transfers 3 to b1"), PlyTold("builds a beacon"), PlyTold("")))
    made = (PlyView(0, "bid 4 4 4"), *(PlyView(1, text) for text in ("t", "b", "end")))
    shown(tv, seats=THREE, plies=made, last=turn)
    assert tv.text("#last") == "Ben: transfers 3 to b1; builds a beacon"
    lesson = LessonView(1, 2, "Go on.")
    shown(tv, plies=(PlyView(0, "end", words="Ends the turn"),), lesson=lesson)
    assert tv.text("#last") == "White: Ends the turn"


def test_the_round_its_end_and_a_check_are_told(tv: Stage) -> None:
    named(tv)
    lines = ("Ben is in check from the Queen on g9.", "Turns without progress: 3 of 50")
    shown(tv, title="Giantslayer", stage="Round 1 of 2", lines=lines)
    assert tv.text("#title") == "Giantslayer · Round 1 of 2"
    assert tv.texts("#lines li") == list(lines)
    shown(tv, title="Giantslayer", stage="Round 2 of 2", sentence="The next round begins in a moment.",
          seating="The round is over. Points: Ann (6), Ben (0).")  # fmt: skip
    assert tv.text("#sentence") == "The next round begins in a moment."
    assert tv.text("#seated") == "The round is over. Points: Ann (6), Ben (0)."
    shown(tv, phase="over", sentence="Ann wins.", lines=lines)
    assert tv.texts("#lines li") == []


def test_how_a_match_stands_is_told_and_its_end_is_the_headline(tv: Stage) -> None:
    named(tv)
    shown(tv, match=MatchView(2, 2, (1, 0)))
    assert tv.text("#seated") == "Game 2, first to 2: Ann leads 1\u2060–\u20600."
    shown(tv, phase="over", sentence="Ann wins: all others have given up.", match=MatchView(2, 2, (2, 0), 0))
    assert tv.text("#sentence") == "Ann wins the match 2\u2060–\u20600."
    assert tv.text("#seated") == "Ann wins: all others have given up."


def test_the_board_is_called_so_where_it_plays(tv: Stage) -> None:
    seats = (SeatView("First player", True, level=2), SeatView("Second player", False, colour=1))
    last = LastTurn(0, 0, (PlyTold("giant from f3 to g2"),))
    shown(tv, seats=seats, sentence="First player to move.", plies=(PlyView(0, "f3-g2"),), last=last)
    assert tv.text("#sentence") == "The board to move."
    assert tv.text("#last") == "The board: giant from f3 to g2"
    assert "The board" in tv.texts(".seat b")


def test_what_the_board_plays_for_somebody_is_told_as_that(tv: Stage) -> None:
    seats = (SeatView("White", True, level=1), *THREE[1:])
    named(tv, lent={"0": {"name": "Dan", "you": False}})
    last = LastTurn(0, 0, (PlyTold("drop from c9 to c8"),), by_board=True)
    shown(tv, seats=seats, plies=(PlyView(0, "c9-c8"),), last=last)
    assert any("Dan's seat, played by the board" in text for text in tv.texts(".seat small"))
    shown(tv, seats=THREE, plies=(PlyView(0, "c9-c8"),), last=last)
    assert tv.text("#last") == "The board (Player 1): drop from c9 to c8"


LONG = "Everybody has ended a turn without spending: the round is over. Harvest: Ann +2, Ben +1, Clara +2. " * 2
FITS = """() => [...document.querySelectorAll("#beside > *")].filter((e) => e.checkVisibility())
    .every((e) => e.getBoundingClientRect().bottom <= innerHeight && e.getBoundingClientRect().right <= innerWidth)"""


def with_way_in(tv: Stage) -> None:
    """Show how phones get in, which a board does that they reach."""
    tv.js("() => document.querySelector('#beside').insertAdjacentHTML('beforeend', '<p id=way-in><img alt=\"\"><span>"
          "<span id=invites>Watch or join:</span><br><b>http://192.0.2.2:8204</b></span></p>')")  # fmt: skip


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("phase", ["play", "over"])
def test_all_has_room_beside_the_board_and_the_way_in_is_read_whole(
    tv: Stage, width: int, height: int, phase: str
) -> None:
    tv.page.set_viewport_size({"width": width, "height": height})
    evening = {
        "games": [{"title": "Circle", "sentence": "Ann has won.", "started": BEGUN}] * 6,
        "tally": "Won: Ann (6).",
    }
    tv.answers(evening=evening)
    with_way_in(tv)
    named(tv)
    clocked = tuple(SeatView(f"Player {n}", n == 0, 0, 600_000, colour=n, holds=("coffer 13",)) for n in range(2))
    for seats in (clocked, THREE):
        shown(tv, game_id=len(seats), phase=phase, seats=seats, seating=LONG, lines=("Ann is in check.",) * 9,
              sentence="Ben wins: the points decide. 1. Ben (3), 2. Clara (0), 2. Ann (0), 2. Dan (0).",
              plies=(PlyView(0, "a"),), last=LastTurn(0, 0, (PlyTold("places 10 on b5 and 3 on c1"),) * 3))  # fmt: skip
        assert tv.js(FITS), len(seats)
        assert tv.js("() => document.querySelector('#way-in img').width") >= 90
        assert tv.js("() => document.querySelector('#evening .tally')?.getBoundingClientRect().height ?? 0") > 0 or (
            phase == "play"
        )
    shown(tv)
    assert tv.js("() => document.documentElement.style.getPropertyValue('--fit')") == "1.00"


SEEN_GAMES = """() => [...document.querySelectorAll("#evening li")]
    .filter((e) => e.getBoundingClientRect().right <= innerWidth).length"""


def test_of_an_evening_the_newest_four_games_are_seen_beside_the_end_of_one_with_four_players(tv: Stage) -> None:
    tv.page.set_viewport_size({"width": 1280, "height": 720})
    games = [{"title": "Beacons", "sentence": "Player 4 won: all others have given up", "started": BEGUN}] * 6
    tv.answers(evening={"games": games, "tally": "Won: Player 4 (2), the board (2). Drawn: 2."})
    four = tuple(SeatView(f"Player {n + 1}", False, 0, colour=n) for n in range(4))
    shown(tv, title="Beacons", stage="Round 1 of 3", phase="over", seats=four,
          sentence="Player 4 wins: all others have given up.",
          ranking="1. Player 4 (0), 2. Player 1 (0), 2. Player 2 (0), 2. Player 3 (0).")  # fmt: skip
    assert tv.js(SEEN_GAMES) == 4
    assert tv.js(FITS)


@pytest.mark.parametrize("phase", ["over", "idle"])
def test_an_evening_that_is_long_over_is_called_the_last_one_on_a_screen_that_nobody_touches(
    tv: Stage, phase: str
) -> None:
    now = tv.js("() => new Date().toISOString().slice(0, 19).replace('T', ' ')")
    tv.answers(evening={"games": [{"title": "Circle", "sentence": "Clara won.", "started": now}], "tally": ""})
    shown(tv, phase=phase, sentence="Clara wins.", plies=(PlyView(0, "a"),))
    assert tv.texts("#evening h3") == ["This evening"]
    tv.context.clock.fast_forward("12:30:00")
    tv.js("() => stage.settled()")
    assert tv.texts("#evening h3") == ["The last evening"]


def test_the_evening_has_a_row_for_each_person_with_a_crown_for_who_leads(tv: Stage) -> None:
    tv.page.set_viewport_size({"width": 1280, "height": 720})
    people = [
        {"name": "Clara", "games": 4, "won": 2, "best": "Clara slew 6 giants.", "leads": True},
        {"name": "Dan", "games": 4, "won": 1, "best": "", "leads": False},
        {"name": "Ann", "games": 0, "won": 0, "best": "Ann solved a puzzle of Circle.", "leads": False},
    ]
    tv.answers(
        evening={
            "games": [{"title": "Circle", "sentence": "Clara won.", "started": BEGUN}],
            "tally": "",
            "people": people,
        }
    )
    shown(tv, phase="over", sentence="Clara wins.", plies=(PlyView(0, "a"),))
    rows = [text.split() for text in tv.texts("#evening .tonight li")]
    assert [" ".join(row) for row in rows] == [
        "Clara 2 of 4 won Clara slew 6 giants.", "Dan 1 of 4 won", "Ann Ann solved a puzzle of Circle.",
    ]  # fmt: skip
    assert [name.strip() for name in tv.texts("#evening li:has(.crown) b")] == ["Clara"]
    assert tv.js(FITS)


READ_WHOLE = """() => {
    const read = (e) => {
        const { top, left, right, bottom } = e.getBoundingClientRect();
        const below = document.querySelector("#way-in").getBoundingClientRect().top;
        return top >= 0 && left >= 0 && right <= innerWidth && bottom <= below && e.scrollWidth <= e.clientWidth + 1;
    };
    const rows = [...document.querySelectorAll(".tonight li")].filter(read);
    return rows.map((e) => e.querySelector("b").textContent.trim());
}"""
EIGHT = ("Ann", "Ben", "Clara", "Dan", "Oma", "Opa", "Finn", "Greta")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("count", [5, 8])
def test_everybody_of_the_evening_has_a_line_and_stories_and_the_last_move_go_first(
    tv: Stage, width: int, height: int, count: int
) -> None:
    tv.page.set_viewport_size({"width": width, "height": height})
    with_way_in(tv)
    names = EIGHT[:count]
    people = [
        {"name": name, "games": 5, "won": 4 - n // 2, "best": f"{name} was 5 pieces behind and won.", "leads": n == 0}
        for n, name in enumerate(names)
    ]
    games = [{"title": "Beacons", "sentence": "Ben won: the points decide", "started": BEGUN}] * 6
    tv.answers(evening={"games": games, "tally": "", "people": people})
    seats = tuple(SeatView(f"Player {n + 1}", False, 2, colour=n, holds=("1 beacon",)) for n in range(4))
    shown(tv, title="Beacons", stage="Round 2 of 2", phase="over", seats=seats, winner=1,
          sentence="Ben wins: the points decide.",
          ranking="1. Ben (5), 2. Dan (2), 2. Ann (2), 2. Klara (2).",
          seating="The last harvest. Points: Dan +1, Klara +1, Ann +1, Ben +3.",
          plies=(PlyView(0, "a"),), last=LastTurn(1, 0, (PlyTold("passes"),)))  # fmt: skip
    assert tv.js(READ_WHOLE) == [*names]
    assert tv.js(FITS)
    assert float(tv.js("() => document.documentElement.style.getPropertyValue('--fit')")) >= 0.7


def test_who_wants_to_play_next_stands_there_until_they_do(tv: Stage) -> None:
    shown(tv)
    tv.send("you", you("guest", wants_next="Clara and Dan want to play next."))
    assert tv.text("#seated") == "Clara and Dan want to play next."
    tv.passes(10_000)
    assert tv.text("#seated") == "Clara and Dan want to play next."
    tv.send("you", you("guest"))
    assert tv.text("#seated") == ""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_before_the_first_game_it_says_who_is_here_and_invites_with_a_large_picture(
    tv: Stage, width: int, height: int
) -> None:
    tv.page.set_viewport_size({"width": width, "height": height})
    with_way_in(tv)
    shown(tv, title="", phase="idle", sentence="No game is on.", seats=(), game_id=None)
    assert tv.text("#sentence") == "No game is on."
    assert tv.text("#invites") == "Scan to join"
    assert tv.js("() => document.querySelector('#way-in img').width") >= height / 3
    tv.send("you", you("guest", here=["Ann", "Ben", "Clara"]))
    assert tv.text("#sentence") == "Here are Ann, Ben and Clara."
    assert tv.js(FITS)
    named(tv, here=["Ann", "Ben", "Clara"])
    shown(tv)
    assert tv.text("#sentence") == "Ann to move."
    assert tv.text("#invites") == "Watch or join:"
    assert tv.js("() => document.querySelector('#way-in img').width") < height / 6


BEGINS = (
    "Whoever takes units until no other player has two left wins.",
    "Who beats whom: drop → star → arrow → leaf → drop; also star → leaf and arrow → drop.",
    "Clara: 3 actions left this turn.",
)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_as_a_game_begins_it_is_read_how_one_wins_and_who_beats_whom(tv: Stage, width: int, height: int) -> None:
    tv.page.set_viewport_size({"width": width, "height": height})
    with_way_in(tv)
    named(tv)
    four = tuple(SeatView(f"Player {n + 1}", n == 0, colour=n, holds=("3 actions left",)) for n in range(4))
    shown(tv, title="Circle", seats=four, lines=BEGINS, advice="",
          seating="New seats: Clara (White), Dan (Black), Ann (Blue), Ben (Orange).")  # fmt: skip
    seen = (
        "() => [...document.querySelectorAll('#lines li')].filter((e) => e.checkVisibility()).map((e) => e.innerText)"
    )
    assert tv.js(seen) == [*BEGINS]
    assert tv.js(FITS)
