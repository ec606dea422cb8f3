"""Help in light, only when asked: a hint in three steps, what the others would do, the coach, and each refusal.

All of it is told by recordings, in which what was thought stands as an order: nobody thinks here.
"""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.orders import Coached
from controller.rules.games.beacons.state import Transfer
from controller.rules.registry import advice_of, all_games, game_named
from controller.sentences import called
from controller.table.help_shown import Help
from controller.table.helping import _answer
from controller.table.notes import Refusal
from controller.table.state import Table
from controller.table.views.help_told import loss_told
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from controller.table.views.sentences_of_play import may_land
from tests.rules.beacons_positions import stand
from tests.table.scenes import Scene, names

TIDES = "tides-of-war"
SOUGHT_MS = SHOWN_MS = 30_000  # half a minute to look for help, and to look at it
FAILED_MS, COACH_MS = 8_000, 40_000  # that nothing was found is told for a moment; the coach leaves time to think again


def alone(**more: Any) -> Scene:
    return Scene(TIDES, **more)


def asked(scene: Scene, about: str = "move", seat: int = 0, **more: Any) -> Scene:
    return scene.order(do="ask_help", seat=seat, about=about, **more)


def found(scene: Scene, text: str, about: str = "move", made: int = 0) -> Scene:
    return scene.order(do="hint", text=text, about=about, made=made)


def lit(table: Table) -> dict[str, str]:
    """Return what is lit by the game's names of sites, but for the last ply."""
    assert table.play is not None
    return {
        names(table, table.board.bit(site)).pop(): meaning
        for site, meaning in meanings(table).items()
        if meaning != "last"
    }


def waits(table: Table, seat: int | None = None) -> str:
    return picture(table, CALM, 1, seat).waits


def refusals(scene: Scene) -> list[str]:
    return [note.reason for _, said in scene.steps(10) for note in said if isinstance(note, Refusal)]


# ---- a hint -----------------------------------------------------------------------------------------------


def test_each_further_ask_says_more() -> None:
    scene = asked(alone())
    assert (lit(scene.run(10)), waits(scene.run(10))) == ({}, "The board looks for a move to show you.")
    table = found(scene, "a5-a6").run(10)
    assert (lit(table), waits(table)) == ({"a5": "choice"}, "Look at White's stone on a5.")
    assert waits(table, 0) == "Your stone on a5 can make a good move."  # on White's own phone
    table = asked(scene).run(10)
    assert (lit(table), waits(table)) == ({"a5": "choice", "a6": "may_go"}, "White's stone on a5 can go to a6.")
    assert [waits(table, seat) for seat in (0, 1)] == [
        "Your stone on a5 can go to a6.",
        "White's stone on a5 can go to a6.",
    ]
    table = asked(scene).run(10)
    assert (lit(table), waits(table)) == (
        {"a5": "choice", "a6": "may_go"},
        "A good move: a5 to a6; most other moves would put one of its own pieces in danger.",
    )
    assert refusals(scene) == []


def test_a_capture_is_lit_with_the_whole_move() -> None:
    scene = found(asked(alone(after="c3-c4"), seat=1), "c5xc3", made=1)
    assert lit(asked(scene, seat=1).run(10)) == {"c5": "choice", "c3": "may_go"}
    assert lit(asked(scene, seat=1).run(10)) == {"c5": "choice", "c3": "may_go", "c4": "may_take"}


def test_a_capture_that_ends_where_it_began_tells_what_it_takes_and_where_it_comes_down() -> None:
    """The landings are lit, not what is jumped over, and the page draws the way once it is told."""
    around = ("d3", "d5", "b5", "d3")
    scene = found(asked(alone(after="c2-d3; d5-c4")), "d3xd5xb5xd3", made=2)
    assert picture(scene.run(10), CALM, 1, 0).help.way == ()
    table = asked(scene).run(10)
    assert waits(table, 0) == "Your stone on d3 can take d4, c5 and c4: it goes to d5, then to b5, then to d3."
    assert lit(table) == {"d3": "choice", "d5": "may_go", "b5": "may_go"}
    assert picture(table, CALM, 1, 0).help.way == around
    in_hand = scene.hands("-d3").run(50)
    assert waits(in_hand, 0) == "Put it on d5, then to b5, then to d3; what it takes comes off the board: d4, c5, c4."
    assert lit(in_hand) == {"d5": "may_go", "b5": "may_go"}
    assert picture(in_hand, CALM, 1, 0).help.way == around
    assert waits(msgspec.structs.replace(in_hand, by_taps=True), 0) == "Put it on d5, then to b5, then to d3."
    other = scene.hands("+d3 -b3").run(50)
    assert picture(other, CALM, 1, 0).help.way == ()


@pytest.mark.parametrize("game", sorted(set(all_games()) - {"beacons"}))
def test_help_says_of_every_capture_what_it_takes_and_of_no_piece_that_one_may_be_put_on_it(game: str) -> None:
    """In a game at random: what a piece only passes is taken, and it comes down on each landing of its way."""
    rules, pick = game_named(game), random.Random(7)
    state, kinds = rules.start(rules.options(), 7), set[tuple[bool, ...]]()
    plies: list[str] = []
    for _ in range(300):
        legal = rules.plies(state)
        for ply in legal:
            walk, stands, text = rules.walk(state, ply), rules.shape(state), rules.text(state, ply)
            replaces = walk.path[-1:] != walk.path[:1] and bool(set(walk.path[-1:]) & set(stands))
            kind = (len(walk.takes) > 1, bool(walk.takes), replaces, walk.path[-1:] == walk.path[:1])
            if len(walk.path) < 2 or not (walk.takes or replaces) or kind in kinds:
                continue
            kinds.add(kind)
            seat, made = rules.seat(state), len(plies)
            assert seat is not None
            scene = found(asked(Scene(game, after="; ".join(plies)), seat=seat), text, made=made)
            table = asked(scene, seat=seat).run(10)
            told, shown = waits(table, seat), lit(table)
            taken = {*walk.takes, *(walk.path[-1:] if replaces else ())}
            before, _, after = told.partition(": it goes to ")
            assert all(site in before.partition(" can take ")[2] for site in taken)
            assert all(site in after for site in walk.landings) or (replaces and not walk.takes)
            free = set(walk.landings) - {walk.path[0]} - taken
            assert {site for site, means in shown.items() if means == "may_go"} == free
            assert picture(table, CALM, 1, seat).help.way == walk.path
        if not legal or len(kinds) > 3:
            break
        takes = [each for each in legal if rules.walk(state, each).takes]
        chosen = pick.choice(takes or list(legal))
        plies.append(rules.text(state, chosen))
        state = rules.after(state, chosen)
    assert kinds


def test_the_piece_that_was_shown_is_led_and_the_move_ends_the_hint() -> None:
    scene = asked(found(asked(alone()), "b4-c4"))
    table = scene.hands("-b4").run(50)
    assert (lit(table), waits(table)) == ({"c4": "may_go"}, "Put it on c4.")
    table = scene.hands("+c4").run()
    assert table.play is not None
    assert (table.play.session.plies, table.play.help, lit(table)) == (("b4-c4",), None, {})


def test_a_move_that_moves_no_piece_is_led_by_words() -> None:
    scene = found(asked(Scene("circle")), "b2+")
    assert waits(scene.run(10)) == "Look at White's class 1 (drop) on b2."
    assert (
        waits(asked(scene).run(10))
        == "A good move: b2 becomes class 2 (leaf); it then beats more of the others' units: 7, not 0."
    )
    table = scene.hands("-b2").run(50)
    assert waits(table) == "Hold it for half a second and put it back. On a phone, tap it again."


def test_a_hand_that_was_shown_the_piece_alone_sees_all_that_it_may_do() -> None:
    table = found(asked(alone()), "b4-c4").hands("-b4").run(50)
    assert lit(table) == {"b5": "may_go", "c4": "may_go"}


def test_another_piece_in_the_hand_is_not_led_and_the_hint_comes_back() -> None:
    scene = asked(found(asked(alone()), "b4-c4"))
    table = scene.hands("-a5").run(50)
    assert lit(table) == {"a6": "may_go", "b5": "may_go"}
    table = scene.hands("+a5").run()
    assert lit(table) == {"b4": "choice", "c4": "may_go"}


def test_a_hint_is_put_out_in_time_and_on_request() -> None:
    scene = found(asked(alone()), "a5-a6")
    assert scene.run(SHOWN_MS - 50).play.help is not None
    table = scene.run(SHOWN_MS + 50)
    assert table.play is not None
    assert (table.play.help, lit(table)) == (None, {})
    assert lit(asked(scene, "nothing").run(10)) == {}
    assert refusals(asked(scene, "nothing")) == ["no help is shown just now"]


def test_help_that_is_not_found_is_told_and_may_be_asked_for_again() -> None:
    scene = asked(alone())
    table = scene.run(SOUGHT_MS + 50)
    assert waits(table) == "The board found no help this time: ask again."
    assert "help" in waits(scene.run(SOUGHT_MS + FAILED_MS - 50))
    assert "help" not in waits(scene.run(SOUGHT_MS + FAILED_MS + 50))
    found(scene, "")
    assert waits(scene.run(10)) == "The board found no help this time: ask again."
    assert "help" in waits(scene.run(FAILED_MS - 50))
    assert "help" not in waits(scene.run(FAILED_MS + 50))
    assert waits(asked(scene).run(10)) == "The board looks for a move to show you."
    assert refusals(scene) == []


def test_something_else_that_is_asked_takes_its_place() -> None:
    scene = asked(found(asked(alone()), "a5-a6"), "threat")
    assert (lit(scene.run(10)), waits(scene.run(10))) == ({}, "The board looks at what the others would do.")
    scene = found(scene, "a5-a6")
    assert refusals(scene) == ["nobody waits for this help any more"]


@pytest.mark.parametrize(("game", "options"), [("circle", {}), ("beacons", {"template": "trial"})])
def test_a_ply_that_moves_no_piece_is_told_in_words(game: str, options: dict[str, Any]) -> None:
    rules = game_named(game)
    scene = Scene(game, options)
    session = scene.run(10).play.session
    silent = next(ply for ply in rules.plies(session.state) if not rules.walk(session.state, ply).path)
    seat, text = rules.seat(session.state), rules.text(session.state, silent)
    assert seat is not None
    table = asked(found(asked(scene, seat=seat), text), seat=seat).run(10)
    assert waits(table, seat).startswith("A good move: ")


def test_who_asks_with_a_piece_in_the_hand_is_helped_with_that_one() -> None:
    scene = asked(alone().hands("-b4"))
    assert waits(scene.run(10), 0) == "The board looks for a move to show you."
    table = found(scene, "b4-c4").run(10)
    assert (lit(table), waits(table, 0)) == ({"c4": "may_go"}, "Put it on c4.")
    assert picture(table, CALM, 1, 0).help.way == ("b4", "c4")
    told = "The best that this piece can do: b4 to c4."
    assert (waits(asked(scene).run(10), 0), refusals(scene)) == (told, [])
    back = scene.hands("+b4").run()
    assert lit(back) == {"b4": "choice", "c4": "may_go"}


def test_another_piece_in_the_hand_is_helped_with_anew() -> None:
    scene = asked(asked(found(asked(alone()), "b4-c4")).hands("-a5"))
    assert waits(scene.run(10), 0) == "The board looks for a move to show you."
    assert lit(found(scene, "a5-b5").run(10)) == {"b5": "may_go"}


def test_a_unit_in_the_hand_that_is_best_changed_is_held() -> None:
    table = found(asked(Scene("circle").hands("-a3")), "a3+").run(10)
    assert waits(table, 0) == (
        "The best that this piece can do: a3 becomes class 2 (leaf). "
        "Hold it for half a second and put it back. On a phone, tap it again."
    )


def test_a_store_in_the_hand_is_helped_with_what_is_paid_from_it() -> None:
    scene = Scene("beacons", {"template": "trial"})
    play = scene.run(10).play
    rules, state = play.session.game, play.session.state
    paid = [rules.text(state, ply) for ply in rules.plies(state) if rules.text(state, ply).startswith("t ")]
    store = paid[0].split()[1]
    seat = rules.seat(state) or 0
    table = found(asked(scene.hands(f"-{store}"), seat=seat), paid[0]).run(10)
    table = msgspec.structs.replace(table, by_taps=True)
    assert waits(table, seat).startswith("The best that this piece can do: transfer ")


@pytest.mark.parametrize(("after", "text", "site"), [("", "b a3.a4", "a3.a4"), ("b a3.a4", "m a3 1 +", "a3:1")])
def test_what_a_store_in_the_hand_pays_for_beside_it_is_marked(after: str, text: str, site: str) -> None:
    scene, made = Scene("beacons", {"start": "a3:1x6 a3=101010 a4:1x6 e3:2x6"}, after=after), int(bool(after))
    table = found(asked(scene.hands("-a3"), made=made), text, made=made).run(10)
    table = msgspec.structs.replace(table, by_taps=True)
    assert waits(table, 0).startswith("The best that this piece can do: ")
    assert [lit_site for lit_site, meaning in lit(table).items() if meaning == "may_go"] == [site]
    assert picture(table, CALM, 1, 0).help.way == (site,)


# ---- what they would do -----------------------------------------------------------------------------------


def test_a_threat_is_lit_and_told() -> None:
    scene = found(asked(alone(after="c3-c4; f2-f1"), "threat", made=2), "c5xc3", "threat", made=2)
    table = scene.run(10)
    assert lit(table) == {"c5": "choice", "c3": "may_go", "c4": "in_danger"}
    assert picture(table, CALM, 1).help.way == ("c5", "c3")  # all at once: who asks again is told no more
    assert waits(table) == "If you did nothing, Black would play c5 to c3, takes c4."
    assert lit(scene.hands("-a5").run(50)) == {"a6": "may_go", "b5": "may_go"}


@pytest.mark.parametrize(
    ("ply", "told"), [("f12xf2", "captures f2. You would lose your Warrior on f2."), ("a11-b10", "a11 to b10.")]
)
def test_a_threat_names_the_piece_that_it_would_take(ply: str, told: str) -> None:
    scene = asked(Scene("tam-ruat-chess", after="d2-d4; f11-e10"), "threat", made=2)
    assert waits(found(scene, ply, "threat", made=2).run(10)).endswith(told)


@pytest.mark.parametrize("game", sorted(all_games()))
def test_the_threat_is_offered_where_turns_go_round(game: str) -> None:
    table = Scene(game).run(10)
    offers = picture(table, CALM, 1, 0).help.offers
    assert table.play is not None
    assert ("threat" in offers) == (game_named(game).passed is not None)


# ---- whatever cannot be -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        (asked(alone(), seat=1), "it is White's turn: ask when it is yours"),
        (asked(alone(), made=3), "the game has gone on meanwhile: look again, then ask"),
        (asked(asked(alone())), "the board is looking for it already: wait a moment"),
        (asked(alone().hands("-a5 -b4")), "you hold several pieces: put them back, then ask once more"),
        (asked(alone().hands("-a2")), "no move begins with what is in your hand: put it back, then ask once more"),
        (asked(alone().hands("-a5"), "threat"), "you hold a piece: put it back, then ask once more"),
        (found(asked(alone().hands("-a5")), "b4-c4"), "nobody waits for this help any more"),
        (asked(alone().order(do="resign", seat=0)), "the game is over: there is no help any more"),
        (asked(alone().order(do="pause", on=True)), "the game is paused: continue it, then ask"),
        (asked(alone(clock={"minutes": 5})), "in a game with a clock there is no help"),
        (asked(alone(opponents={"levels": [3]})), "the board is to move: help is for a move of yours"),
        (found(alone(), "a5-a6"), "nobody waits for this help any more"),
        (found(asked(alone()), "a5-a6", made=4), "nobody waits for this help any more"),
        (found(asked(alone()), "a5-a5"), "a5 and a5 are not neighbours: a stone steps one square"),
        (asked(alone(after="a5-a6").order(do="new_game", game=TIDES)),
         "the board is still being set up: ask once play has begun"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_sentence(scene: Scene, sentence: str) -> None:
    before = scene.run(10)
    assert refusals(scene) == [sentence]
    assert picture(before, CALM, 1).waits


def test_where_turns_do_not_go_round_nobody_says_what_others_would_do() -> None:
    scene = Scene("beacons")
    scene.lines.append({"t_us": 1_000_000, "seating": {"people": ["Ada"]}})
    assert refusals(asked(scene, "threat")) == ["in this game nobody can say what the others would do if you passed"]


def test_among_people_there_is_no_help_and_one_phone_for_both_sides_is_no_people() -> None:
    scene = alone()
    scene.lines.append({"t_us": 1_000_000, "seating": {"people": ["Ada", "Ben"]}})
    asked(scene)
    assert refusals(scene) == ["several people play, and the board helps nobody then"]
    told = picture(scene.run(10), CALM, 1).help
    assert (told.offers, told.off) == ((), "Several people play, and the board helps nobody then.")
    one = alone()
    one.lines.append({"t_us": 1_000_000, "seating": {"people": ["Ada", "Ada"]}})
    assert refusals(asked(one)) == []
    board = alone(opponents={"levels": [0, 3]})
    board.lines.append({"t_us": 1_000_000, "seating": {"people": ["Ada"]}})
    assert refusals(asked(board)) == []


def test_a_shown_move_by_which_no_piece_goes_anywhere_can_be_made_by_its_words() -> None:
    assert picture(found(asked(Scene("circle")), "a3+").run(10), CALM, 1, 0).help.ply == ""  # first its piece is shown
    table = asked(found(asked(Scene("circle")), "a3+")).run(10)
    assert picture(table, CALM, 1, 0).help.ply == "a3+"
    led = found(asked(alone()), "a5-a6")
    for _ in range(2):
        led = asked(led)
    assert waits(led.run(10)).startswith("A good move")
    assert picture(led.run(10), CALM, 1, 0).help.ply == ""  # its lights lead the piece


def placing(after: str) -> Scene:
    """Ada is to place 13 units, as player 2."""
    scene = Scene("beacons", after=f"bid 6 6; bid 6 6; {after}".removesuffix("; "))
    scene.lines.append({"t_us": 1_000_000, "seating": {"people": ["", "Ada"]}})
    return scene


def test_who_places_units_that_all_see_reads_how_many() -> None:
    sentence = picture(placing("place c3 2").run(10), CALM, 1).sentence
    assert called(sentence, {}, "Player 2") == "Place your 11 units."
    assert called(sentence, {}, "Player 1") == "Player 2 places 11 units."


def test_units_are_shown_with_their_cell_at_once_and_whoever_places_them_so_is_shown_the_next() -> None:
    scene = placing("place c3 2")
    table = found(asked(scene, seat=1), "place c3 2", made=3).run(10)
    assert waits(table, 1).startswith("A good move: place 2 on c3; ")  # no light says how many
    shown = picture(table, CALM, 1, 1).help
    assert (shown.ply, shown.more) == ("place c3 2", False)
    table = scene.order(do="ply", text="place c3 2", seat=1).run(10)
    assert waits(table, 1) == "The board looks for a move to show you."
    table = found(scene, "place b3 1", made=4).run(10)
    assert picture(table, CALM, 1, 1).help.ply == "place b3 1"
    table = scene.order(do="ply", text="place c3 1", seat=1).run(10)  # something else than was shown
    assert picture(table, CALM, 1, 1).help.about == ""


def test_the_last_units_that_are_placed_as_shown_end_the_help() -> None:
    scene = placing("place c3 10")
    table = found(asked(scene, seat=1), "place b3 3", made=3).order(do="ply", text="place b3 3", seat=1).run(10)
    assert table.play is not None
    assert table.play.session.plies[-1] == "place b3 3"
    assert table.play.help is None


def test_units_that_are_sent_as_shown_are_sent_by_words() -> None:
    scene = Scene("beacons", {"template": "trial"})
    table = found(asked(scene), "t a3 b2 1").run(10)
    assert waits(table, 0).startswith("A good move: transfer 1 from a3 to b2")
    assert picture(table, CALM, 1, 0).help.ply == "t a3 b2 1"


# Two units on a3 and four on d3, one of the others' beside each.
NEAR = {"start": "a3:1x2 b2:2x1 b3:1x1 b3:2x1 c3:2x1 d3:1x4 e3:2x5"}


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("t d3 c3 1", "d3", "c3"),  # some stay, others go to a cell that holds units
        ("t d3 d4 1", "d3", "d4"),  # some stay, others go to an empty cell
        ("t a3 b2 1", "a3", "b2"),  # the last ones leave for a cell that holds units
        ("t a3 a4 1", "a3", "a4"),  # the last ones leave for an empty cell
    ],
)
def test_units_that_are_sent_are_shown_as_any_other_move_however_many_stay(text: str, start: str, end: str) -> None:
    table = found(asked(Scene("beacons", NEAR)), text).run(10)
    assert lit(table) == {start: "choice", end: "may_go"}
    shown = picture(table, CALM, 1, 0).help
    assert (shown.way, shown.ply, shown.more) == ((start, end), text, False)


def test_the_store_that_help_names_is_led_while_it_is_in_the_hand() -> None:
    scene = found(asked(Scene("beacons", NEAR)), "t d3 d4 1").hands("-d3")
    table = msgspec.structs.replace(scene.run(10), by_taps=True)
    assert waits(table, 0).startswith("Tap d4: transfer 1 from d3 to d4")
    assert lit(table)["d4"] == "may_go"
    assert picture(table, CALM, 1, 0).help.ply == "t d3 d4 1"


def test_nothing_that_stays_is_lit_as_taken() -> None:
    """Every ply of a position of Beacons whose cells hold units of both: orange is for what others lose alone."""
    rules, scene = game_named("beacons"), Scene("beacons", NEAR)
    state = scene.run(10).play.session.state
    for ply in rules.plies(state):
        text, after = rules.text(state, ply), rules.shape(rules.after(state, ply))
        taken = [cell for cell, meaning in lit(found(asked(Scene("beacons", NEAR)), text).run(10)).items() if
                 meaning == "may_take"]  # fmt: skip
        assert [cell for cell in taken if cell in after or rules.shape(state)[cell].seat == 0] == [], text


def test_on_a_page_every_shown_move_can_be_made_by_its_words() -> None:
    table = asked(asked(found(asked(alone()), "a5-a6"))).run(10)
    assert picture(table, CALM, 1, 0).help.ply == ""  # on wood a hand makes it
    assert picture(msgspec.structs.replace(table, by_taps=True), CALM, 1, 0).help.ply == "a5-a6"


def test_a_bid_that_is_shown_stands_in_the_form_of_its_seat_alone() -> None:
    def advised(table: Table, seat: int | None) -> str:
        return picture(table, CALM, 1, seat).help.ply

    scene = Scene("beacons", {"players": 2})
    scene.lines.append({"t_us": 1_000_000, "seating": {"people": ["Ada"]}})
    assert advised(asked(scene).run(10), 0) == ""  # it is still looked for
    table = found(scene, "bid 7 5").run(10)
    assert waits(table, 0) == (
        "A good move: bid 7 for Player 1, 5 for Player 2; it leaves 8 units or more to set up with, and whoever gets "
        "least begins."
    )
    assert [advised(table, seat) for seat in (0, 1, None)] == ["bid 7 5", "", ""]
    scene = Scene("beacons", {"players": 2})
    scene.lines.append({"t_us": 1_000_000, "seating": {"people": ["Ada"]}})
    assert waits(found(asked(scene), "bid 12 0").run(10), 0) == (
        "A good move: bid 12 for Player 1, 0 for Player 2; it leaves 13 units or more to set up with, which are worth "
        "more than beginning."
    )


def test_of_a_secret_move_only_its_own_seat_is_told_and_nothing_is_lit() -> None:
    scene = Scene("cyvasse", {"setup": "secret"})
    assert refusals(asked(scene)) == ["this move is secret: take White on your phone, which alone shows the help"]
    scene = Scene("cyvasse", {"setup": "secret"})
    scene.lines.append({"t_us": 1_000_000, "seating": {"people": ["", "Bo"]}})
    assert refusals(asked(scene)) == ["this move is secret: take White on your phone, which alone shows the help"]
    scene = Scene("cyvasse", {"setup": "secret"})
    scene.lines.append({"t_us": 1_000_000, "seating": {"people": ["Ada"]}})
    table = found(asked(scene), "K@f2").run(10)
    assert lit(table) == {}
    assert (
        waits(table, 0) == "A good move: king on f2."
    )  # without a reason, which would be reckoned from what others hide
    assert "good move" not in waits(table, 1) + waits(table, None)
    assert (picture(table, CALM, 1, 0).help.about, picture(table, CALM, 1, 1).help.about) == ("move", "")
    assert picture(table, CALM, 1, 0).help.ply == ""  # there is a form for setting up


# ---- by hand ----------------------------------------------------------------------------------------------


def test_help_is_asked_for_by_the_menu_of_the_board_too() -> None:
    scene = alone().hands("-a2 -b1")
    menu = {wish: names(scene.run(2500), bit).pop() for bit, wish in scene.run(2500).play.menu if bit}
    assert "for help" in picture(scene.run(2500), CALM, 1).question
    cell = menu["help"]
    scene.hands(f"+{cell}@2500 -{cell}")
    assert scene.run(400).play.help is not None
    found(scene, "a5-a6").hands("+a2 +b1")
    table = scene.run()
    assert (lit(table), waits(table)) == ({"a5": "choice"}, "Look at White's stone on a5.")


def test_the_menu_has_no_help_where_there_is_none() -> None:
    scene = alone(clock={"minutes": 5}).hands("-a2 -b1")
    assert [wish for _, wish in scene.run(2500).play.menu] == ["pause", "draw", "resign"]


# ---- the coach --------------------------------------------------------------------------------------------

COACH = {"coach": True}
STONES = {"do": "coached", "made": 1, "feature": "stones", "now": 12, "could": 14}


def coached(**more: Any) -> Scene:
    return alone(opponents={**COACH, **more}).hands("-b3 +c4")


def test_a_move_that_lost_much_is_amber_with_one_sentence_and_taken_back_by_hand() -> None:
    scene = coached().order(**STONES)
    table = scene.run(10)
    assert lit(table) == {"c4": "lost_much"}
    assert waits(table) == (
        "Coach: this costs you much. "
        "After a better move you would soon have more stones: 14, not 12. Put the piece back, or play on."
    )
    table = scene.hands("-c4 +b3").run()
    assert table.play is not None
    assert (table.play.session.plies, lit(table)) == ((), {})


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ({"now": 0, "could": 1}, "You would soon lose a piece: {kind}."),
        ({"now": 1, "could": 3}, "You would soon lose 2 pieces: {kind}."),
        ({"now": 2, "could": 1, "theirs": True}, "You could have taken a piece: {kind}."),
        ({"now": 2, "could": 1}, "After a better move you would soon have fewer {kind}: 1, not 2."),
    ],
)
def test_a_piece_that_is_lost_is_named(lost: dict[str, Any], told: str) -> None:
    """The scene is of another game, whose advice names no kinds: Cyvasse's is asked for its sentence alone."""
    advice = advice_of("cyvasse")
    assert advice is not None
    help = Help("coach", 0, cost=Coached(made=1, feature="kind_heavy_horse", **lost))
    assert loss_told(advice, help) == told.format(kind=advice.told["kind_heavy_horse"])


def test_the_end_of_a_turn_is_nothing_to_fear() -> None:
    game, state = game_named("beacons"), stand("a3=5/0 b3=0/5")
    play: Any = SimpleNamespace(session=SimpleNamespace(game=game, state=state))
    assert _answer(play, "end") == ""
    assert _answer(play, game.text(state, next(ply for ply in game.plies(state) if isinstance(ply, Transfer))))


def test_where_several_play_against_one_nobody_is_named() -> None:
    advice = advice_of("tides-of-war")
    assert advice is not None
    for now, less in ((2, "fewer"), (0, "more")):
        help = Help("coach", 0, cost=Coached(made=1, feature="prey", now=now, could=1, theirs=True))
        assert loss_told(advice, help) == (
            f"After a better move the others would soon have {less} stones that can be jumped over: 1, not {now}."
        )


def test_the_coach_of_beacons_names_only_what_can_be_counted_on_the_board() -> None:
    advice = advice_of("beacons")
    assert advice is not None
    assert not [words for words in advice.told.values() if "harvests" in words or "rounds to come" in words]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("a11-b10", "You would soon lose a piece: Cleric."),
        ("f12xf2", "You would lose your Warrior on f2."),
    ],
)
def test_a_piece_that_the_answer_takes_is_named_with_its_cell(answer: str, told: str) -> None:
    scene = Scene("tam-ruat-chess", after="d2-d4; f11-e10", opponents=COACH).hands("-c1 +c3")
    order = {"do": "coached", "made": 3, "feature": "kind_cleric", "now": 1, "could": 2}
    assert told in waits(scene.order(**order, answer=answer).run(10))


def test_the_board_waits_with_its_answer_and_the_piece_goes_back_by_hand() -> None:
    scene = coached(levels=[0, 3]).order(**STONES)
    assert waits(scene.run(10)).endswith("Put the piece back, or play on.")
    assert scene.hands("-c4 +b3").plies() == []


def test_the_panel_knows_how_long_the_board_waits_for_what_the_coach_said() -> None:
    scene = coached(levels=[0, 3]).order(**STONES)
    assert COACH_MS - 1000 < picture(scene.run(10), CALM, 1, 0).coach_ms < COACH_MS
    assert picture(scene.run(COACH_MS), CALM, 1, 0).coach_ms == 0
    assert picture(coached().order(**STONES).run(10), CALM, 1, 0).coach_ms == 0  # nobody waits for the board


def test_the_coach_is_done_in_time_with_the_next_move_or_when_told_so() -> None:
    scene = coached().order(**STONES)
    assert lit(scene.run(COACH_MS + 50)) == {}
    assert lit(asked(coached().order(**STONES), "nothing", seat=0).run(10)) == {}
    assert lit(coached().order(**STONES).run(COACH_MS - 50)) == {"c4": "lost_much"}
    assert lit(coached().order(**STONES).hands("-c6 +b5").run()) == {}


def test_a_game_that_somebody_resigns_while_the_coach_speaks_has_no_help_any_longer() -> None:
    assert picture(coached().order(**STONES).run(10), CALM, 1).help.about == "coach"
    table = coached().order(**STONES).order(do="resign", seat=0).run(10)
    assert (picture(table, CALM, 1).help.about, table.phase, lit(table).get("c4", "")) == ("", "over", "")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"end": "won"}, "Coach: this lets go a win that could be forced."),
        ({"end": "lost"}, "Coach: after this Black can force a win."),
        ({}, "Coach: this costs you much. Another move was far better."),
        ({"feature": "prey", "now": 2, "could": 1, "theirs": True},
         "Coach: this costs you much. "
         "After a better move Black would soon have fewer stones that can be jumped over: 1, not 2."),
        ({"feature": "prey", "now": 1, "could": 2, "theirs": True},
         "Coach: this costs you much. "
         "After a better move Black would soon have more stones that can be jumped over: 2, not 1."),
        ({"feature": "prey", "now": 3, "could": 1},
         "Coach: this costs you much. "
         "After a better move you would soon have fewer stones that can be jumped over: 1, not 3."),
        ({"feature": "unheard of"}, "Coach: this costs you much. Another move was far better."),
    ],
)  # fmt: skip
def test_what_the_coach_says(more: dict[str, Any], sentence: str) -> None:
    assert waits(coached().order(do="coached", made=1, **more).run(10)).startswith(sentence)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"end": "won"}, "Coach: Black can answer “c6 to b5”: you let go a win that you could have forced."),
        ({"end": "lost"}, "Coach: Black can answer “c6 to b5” and force a win."),
        ({}, "Coach: Black can answer “c6 to b5”. That costs you much."),
        ({"feature": "prey", "now": 2, "could": 1, "theirs": True},
         "Coach: Black can answer “c6 to b5”. "
         "After a better move Black would soon have fewer stones that can be jumped over: 1, not 2."),
        ({"feature": "stones", "now": 12, "could": 14},
         "Coach: Black can answer “c6 to b5”. After a better move you would soon have more stones: 14, not 12."),
    ],
)  # fmt: skip
def test_the_coach_names_the_answer_to_fear(more: dict[str, Any], sentence: str) -> None:
    told = waits(coached().order(do="coached", made=1, answer="c6-b5", **more).run(10))
    assert told == f"{sentence} Put the piece back, or play on."


@pytest.mark.parametrize(
    ("blunder", "answer", "lights"),
    [
        ("-b3 +c4", "c6-b5", {"c4": "lost_much", "c6": "choice", "b5": "may_go"}),
        ("-c3 +c4", "c5xc3xa1", {"c4": "lost_much", "c5": "choice", "c3": "may_go", "a1": "may_go", "b2": "in_danger"}),
        ("-b3 +c4", "castle", {"c4": "lost_much"}),  # which nobody can play
    ],
)
def test_the_answer_to_fear_is_lit_as_what_they_would_do_is(blunder: str, answer: str, lights: dict[str, str]) -> None:
    """The piece that lost much stays amber, also where it would be taken: it is the one to put back."""
    scene = alone(opponents=COACH).hands(blunder)
    table = scene.order(do="coached", made=1, answer=answer, end="lost").run(10)
    assert lit(table) == lights


def test_whom_the_board_plays_is_called_the_board() -> None:
    """One opponent has one name, as where the board tells what its move has set off."""
    scene = coached(levels=(0, 3))
    prey = {"feature": "prey", "now": 2, "could": 1, "theirs": True}
    told = waits(scene.order(do="coached", made=1, answer="c6-b5", **prey).run(10))
    assert told.startswith(
        "Coach: the board can answer “c6 to b5”. "
        "After a better move the board would soon have fewer stones that can be jumped over: 1, not 2."
    )
    scene = found(asked(alone(opponents={"levels": (0, 3)}), "threat"), "c6-b5", "threat")
    assert waits(scene.run(10)) == "If you did nothing, the board would play c6 to b5."


def test_an_answer_that_wins_at_once_forces_nothing() -> None:
    blundered = alone(opponents=COACH).hands("-c3 +c4")
    told = waits(blundered.order(do="coached", made=1, answer="c5xc3xa1", end="lost").run(10))
    words = "c5 to c3, then to a1, takes c4 and b2"
    assert told == f"Coach: Black can answer “{words}” and win. Put the piece back, or play on."


def test_where_all_pieces_are_alike_a_loss_is_counted_and_none_is_named() -> None:
    blundered = alone(opponents=COACH).hands("-c3 +c4").order(**STONES, answer="c5xc3xa1")
    assert "takes c4 and b2”. After a better move you would soon have more stones: 14, not 12." in waits(
        blundered.run(10)
    )


def test_an_answer_that_cannot_be_made_is_not_named() -> None:
    for answer in ("a5-a6", "castle"):
        assert "answer" not in waits(coached().order(**STONES, answer=answer).run(10))


def test_the_coach_is_silent_about_others_and_about_what_is_gone() -> None:
    assert refusals(alone().hands("-b3 +c4").order(**STONES)) == ["the game has gone on meanwhile"]
    assert refusals(coached().order(**{**STONES, "made": 2})) == ["the game has gone on meanwhile"]
    board = Scene(TIDES, after="b3-c4", opponents={"levels": [3], **COACH})
    assert refusals(board.order(**STONES)) == ["the game has gone on meanwhile"]


def test_among_people_the_coach_says_that_it_is_silent() -> None:
    scene = coached()
    scene.lines.append({"t_us": 2_100_000, "seating": {"people": ["Ada", "Ben"]}})
    assert refusals(scene.order(**STONES)) == ["the game has gone on meanwhile"]
    _, line = picture(scene.run(10), CALM, 1).lines  # before that, how one wins
    assert line == "The coach is silent: several people play, and the board helps nobody then."


def test_with_a_clock_no_coach_is_begun() -> None:
    scene = alone().order(do="new_game", game=TIDES, clock={"minutes": 5}, opponents=COACH)
    assert refusals(scene) == ["with a clock there is no coach: choose one of the two"]


def test_while_the_coach_speaks_nobody_is_told_to_go_on_with_the_move() -> None:
    """What it has judged is over: of two things to do at once neither is read."""
    scene = alone(opponents={**COACH, "levels": [0, 3]}, after="c2-d3; d5-c4").hands("-d3 -d4 +d5")
    before = msgspec.structs.replace(scene.run(), by_taps=True)
    assert before.play is not None
    assert may_land(before, before.play, 0) == ("b5",)
    assert lit(before)["b5"] == "may_go"
    scene.order(do="coached", made=3, feature="stones", now=12, could=14)
    table = msgspec.structs.replace(scene.run(10), by_taps=True)
    assert table.play is not None
    assert (may_land(table, table.play, 0), lit(table)) == ((), {"d5": "lost_much"})
    assert waits(table, 0).startswith("Coach: ")
