"""A take-back that is put to the others first: agreed, declined, left, overtaken by a move, or where nobody is."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.journal.recording import afresh
from controller.sentences import called
from controller.table.notes import Refusal
from controller.table.session import begin
from controller.table.views.back_told import since, taken_back
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.scenes import Scene

QUESTION = "Black asks to take back: stone from b6 to a6. Still to agree: White."


def begun() -> Scene:
    return Scene("tides-of-war").hands("-c3 +d3 -b6 +a6")


def asked(*by: int, scene: Scene | None = None, **more: Any) -> Scene:
    return (scene or begun()).order(do="take_back", asks=True, by=list(by), **more)


def refusals(scene: Scene) -> list[str]:
    return [note.reason for _, said in scene.steps() for note in said if isinstance(note, Refusal)]


def test_a_take_back_waits_for_the_others_word_and_is_made_with_it() -> None:
    waiting = asked(1).run()
    assert waiting.play.session.plies == ("c3-d3", "b6-a6")
    view = picture(waiting, CALM, 1)
    assert view.waits == QUESTION
    assert picture(waiting, CALM, 1, 0).waits == "Black asks to take back: stone from b6 to a6. Do you agree?"
    assert msgspec.to_builtins(view.back_asked) == {"to": 1, "by": (1,), "waits_for": (0,)}
    done = asked(1).order(do="agree_back", seat=0, to=1).run()
    assert (done.play.session.plies, done.play.back_asked, done.play.undone) == (("c3-d3",), None, ("b6-a6",))


def test_ones_own_last_move_goes_back_with_the_answer_to_it_and_each_is_told_with_whose_it_is() -> None:
    """White asks after Black has answered: one word of Black's is enough, and White is to move."""
    view = picture(begun().run(), CALM, 1)
    assert (view.back, view.own_backs) == (1, (0, 1))
    waiting = asked(0, to=0).run()
    told = picture(waiting, CALM, 1, 1).waits
    moves = "stone from c3 to d3 (White); stone from b6 to a6 (Black)"
    assert told == f"White asks to take back: {moves}. Do you agree?"
    names = {"White": "Ann", "Black": "Ben"}
    moves = "stone from c3 to d3 (Ann); stone from b6 to a6 (you)"
    assert called(told, names, "Black") == f"Ann asks to take back: {moves}. Do you agree?"
    assert taken_back(waiting.play.session, 0, "").startswith("Taken back: stone from c3 to d3 (White); ")
    done = asked(0, to=0).order(do="agree_back", seat=1, to=0).run()
    assert (done.play.session.plies, done.play.session.mover) == ((), 0)


def test_who_asks_for_a_move_of_somebody_else_names_whose_it_is() -> None:
    told = picture(asked(0, to=1).run(), CALM, 1).waits
    assert told == "White asks to take back: stone from b6 to a6 (Black). Still to agree: Black."


def test_a_turn_that_another_ply_ended_is_not_the_last_move_of_whose_it_was() -> None:
    played = Scene("circle", options={"players": 2}).hands("-c1 +d2 -g9@2000 +f8").run().play.session
    assert [(each.text, each.implied) for each in played.positions[1:3]] == [("c1-d2", False), ("end", True)]
    own = [n for n, each in enumerate(played.positions) if each.seat == 0 and not each.implied]
    assert played.own_back(0) == own[-1] - 1


def test_nobody_takes_back_what_was_shown_or_what_others_made_in_secret_for_the_own_last_move() -> None:
    bids = Scene("beacons", {"players": 2}).order(do="ply", text="bid 6 6", seat=0, phone="ann")
    assert picture(bids.run(), CALM, 1).own_backs == (0, None)
    both = bids.order(do="ply", text="bid 6 6", seat=1, phone="ben").run()
    assert picture(both, CALM, 1).own_backs == (None, None)


def test_one_word_counts_for_all_seats_of_a_phone() -> None:
    scene = Scene("circle", options={"players": 4}, after="a2+; end")
    table = asked(0, scene=scene, to=0).order(do="agree_back", seat=2, by=[2, 3], to=0).run()
    assert picture(table, CALM, 1).back_asked.waits_for == (1,)


def test_of_several_all_have_to_agree_and_each_player_is_told_so_as_themselves() -> None:
    scene = Scene("circle", options={"players": 4}, after="a2+; end")
    table = asked(0, scene=scene, to=0).order(do="agree_back", seat=3, to=0).run()
    told = picture(table, CALM, 1, 0).waits
    assert told.endswith("Still to agree: Black and Blue.")
    names = dict(zip(table.play.session.game.facts.seats, ("Ann", "Ben", "Cid", "Dee"), strict=True))
    mine = called(told, names, table.play.session.game.facts.seats[0])
    assert mine.startswith("You ask to take back: ")
    assert mine.endswith("Still to agree: Ben and Cid.")
    other = called(told, names, table.play.session.game.facts.seats[1])
    assert other.startswith("Ann asks to take back: ")
    assert other.endswith("Still to agree: you and Cid.")


def test_who_declines_is_told_and_the_move_stays() -> None:
    table = asked(1).order(do="refuse_back", seat=0).run()
    assert table.play.session.plies == ("c3-d3", "b6-a6")
    assert table.advice == "White does not agree: the move stays."
    assert table.play.back_asked is None


def test_a_draw_that_is_offered_then_is_read_in_place_of_what_was_declined() -> None:
    table = asked(1).order(do="refuse_back", seat=0).order(do="offer_draw", seat=1).run()
    view = picture(table, CALM, 1, 0)
    assert (view.advice, view.waits) == ("", "Black offers a draw: you may accept or decline it.")


def test_who_asks_may_leave_it_without_a_word() -> None:
    table = asked(1).order(do="refuse_back", seat=1).run()
    assert (table.play.back_asked, table.advice) == (None, "")


def test_the_next_move_ends_the_question_and_a_late_word_takes_nothing_back() -> None:
    scene = asked(1).order(do="ply", text="b3-c3").order(do="agree_back", seat=0, to=1)
    assert scene.run().play.session.plies == ("c3-d3", "b6-a6", "b3-c3")
    assert refusals(scene) == ["nobody asks to take back a move any more"]


def test_an_agreement_to_something_else_takes_nothing_back() -> None:
    scene = asked(1).order(do="agree_back", seat=0, to=0)
    assert scene.plies() == ["c3-d3", "b6-a6"]
    assert refusals(scene) == ["another take-back is asked for now: look again"]


def test_both_who_press_take_back_agree() -> None:
    assert asked(0, scene=asked(1)).plies() == ["c3-d3"]


def test_who_agreed_to_one_take_back_has_not_agreed_to_another() -> None:
    def game() -> Scene:
        scene = Scene("circle", options={"players": 4}, after="a2+; end; a7+; end")
        return asked(0, scene=scene, to=3).order(do="agree_back", seat=1, to=3)

    assert picture(game().run(), CALM, 1).back_asked.waits_for == (2, 3)
    another = asked(0, scene=game(), to=1)
    assert another.run().play.back_asked.agreed == (0,)
    assert picture(another.run(), CALM, 1).back_asked.waits_for == (1, 2, 3)
    another.order(do="agree_back", seat=2, to=1).order(do="agree_back", seat=3, to=1)
    assert another.run().play.back_asked.to == 1  # the second player's word to the first question is none to this
    assert len(another.order(do="agree_back", seat=1, to=1).run().play.session.plies) == 1


def test_nobody_is_asked_where_one_phone_plays_for_all_or_the_setting_is_off() -> None:
    assert asked(0, 1).plies() == ["c3-d3"]
    assert begun().order(do="take_back", by=[1]).plies() == ["c3-d3"]


def test_hands_take_back_without_a_question() -> None:
    scene = Scene("tides-of-war").hands("-c3 +c4").order(do="take_back", asks=True, by=[0]).hands("-c4 +c3")
    table = scene.run()
    assert (table.play.session.plies, table.play.back_asked) == ((), None)


def test_an_ending_ends_the_question() -> None:
    table = asked(1).order(do="resign", seat=0).run()
    assert (table.play.result.winner, table.play.back_asked) == (1, None)


def test_a_restart_asks_no_longer() -> None:
    table, _ = afresh(asked(1).run())
    assert (table.play.session.plies, table.play.back_asked) == (("c3-d3", "b6-a6"), None)


def test_of_many_everybody_else_is_asked_but_who_is_out() -> None:
    def game() -> Scene:
        scene = Scene("circle", options={"players": 4})
        scene.order(do="resign", seat=2)
        return scene.order(do="ply", text="a2+").order(do="take_back", asks=True, by=[0])

    assert picture(game().run(), CALM, 1).back_asked.waits_for == (1, 3)
    one = game().order(do="agree_back", seat=1, to=1)
    assert len(one.plies()) == 2
    assert len(one.order(do="agree_back", seat=3, to=1).plies()) == 1


def test_who_gives_up_among_four_reads_that_it_can_be_undone_and_back_in_it_is_no_move_that_was_taken_back() -> None:
    scene = Scene("circle", options={"players": 4}, after="a2+; end").order(do="resign", seat=1)
    table = scene.run()
    assert picture(table, CALM, 1, 1, tidied=True).waits == "You resigned and are out. Take back undoes it."
    assert taken_back(table.play.session, 2, "Black") == "Black is in the game again."
    later = scene.order(do="ply", text="i8+").run()
    view = picture(later, CALM, 1, 1, tidied=True)
    assert view.waits == f"You are out. Waiting for {next(seat.name for seat in view.seats if seat.to_move)}."


# ---- what is told of a take-back --------------------------------------------------------------------------


def test_up_to_three_moves_that_are_taken_back_are_named_and_more_are_counted() -> None:
    session = begin("tides-of-war", {}, 0).through(["c3-c4", "c6-b5", "d2-e2", "b6-a6"])
    assert taken_back(session, 3, "Ann") == "Ann took back: stone from b6 to a6."
    three = "stone from c6 to b5 (Black); stone from d2 to e2 (White); stone from b6 to a6 (Black)"
    assert taken_back(session, 1, "") == f"Taken back: {three}."
    assert taken_back(session, 0, "Ann") == "Ann took back: 4 moves."


def test_of_many_moves_a_resignation_that_goes_with_them_is_named() -> None:
    session = begin("circle", {"players": 4}, 0).through(["out 2", "a2+", "a2+", "a2+", "g9+", "g9+"])
    assert since(session, 1, None) == "5 moves"
    assert since(session, 0, None) == "6 moves, with the resignation of Black"
    assert called(since(session, 0, 1), {}, "Black") == "6 moves, with your own resignation"
    assert since(session.through(["out 4"]), 0, None) == "7 moves, with the resignation of Black and Orange"


def test_who_gave_up_is_told_to_be_in_the_game_again() -> None:
    session = begin("circle", {"players": 4}, 0).through(["out 2", "out 4"])
    assert taken_back(session, 1, "Ann") == "Orange is in the game again."
    assert taken_back(session, 0, "Ann") == "Black and Orange are in the game again."


def test_of_a_secret_that_is_taken_back_nothing_is_told() -> None:
    assert taken_back(begin("beacons", {}, 1).played("bid 6 6"), 0, "Ann") == ""


def test_who_is_asked_reads_that_somebody_waits_for_an_answer_and_nobody_else_does() -> None:
    for scene in (asked(1), begun().order(do="offer_draw", seat=1)):
        sentences = [picture(scene.run(), CALM, 1, seat).sentence for seat in (0, 1, None)]
        assert sentences == ["Answer Black.", "White to move.", "White to move."]


def test_of_seats_that_ask_together_the_one_at_which_somebody_sits_is_named() -> None:
    scene = Scene("circle", {"players": 4}).order(do="ply", text="a2+")
    scene.lines.append({"t_us": scene.t_ms * 1000, "seating": {"people": ["Ann", "Ben"]}})
    waiting = picture(asked(0, 2, scene=scene).run(), CALM, 1, 1).waits
    assert waiting.startswith("White asks to take back: ")


def test_who_has_no_seat_asks_in_the_name_of_none_that_is_free() -> None:
    """Ann was told to answer Orange, where nobody sat."""
    scene = Scene("circle", {"players": 4}).order(do="ply", text="a2+")
    scene.lines.append({"t_us": scene.t_ms * 1000, "seating": {"people": ["Ann", "Ben"]}})
    asking = asked(2, 3, scene=scene, to=0)
    own, other = (picture(asking.run(), CALM, 1, seat) for seat in (0, None))
    assert own.sentence == "Somebody waits for your answer."
    moves = "a2 becomes class 2 (leaf) (White)"
    assert own.waits == f"Somebody without a seat asks to take back: {moves}. Do you agree?"
    assert other.waits == f"Somebody without a seat asks to take back: {moves}. Still to agree: White and Black."
    of_blue = asked(1, 2, scene=Scene("circle", {"players": 4}).order(do="ply", text="a2+"), to=0)
    of_blue.lines.append({"t_us": of_blue.t_ms * 1000, "seating": {"people": ["Ann", "", "Cid"]}})
    assert picture(of_blue.run(), CALM, 1, 0).sentence == "Answer Blue."  # Black is free: its name came first
