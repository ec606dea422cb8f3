"""What is said where pieces stand otherwise than they should, which cells answer a question, and what may be asked."""

from __future__ import annotations

from typing import Any

import pytest

from controller.table.gestures.resolver import Verdict
from controller.table.reading.questions import UNDO, choices, why_wrong
from controller.table.state import Play, Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.scenes import Scene


def at(game: str = "tides-of-war", after: str = "", **more: Any) -> Play:
    play = Scene(game, after=after, **more).run().play
    assert play is not None
    return play


# ---- what is wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("missing", "extra", "words"),
    [
        (
            "c3",
            "c5",
            "c3 to c5 is not allowed. c3 and c5 are not neighbours: a stone steps one square. "
            "Put the piece back on c3.",
        ),
        ("c6", "", "it is White's turn: put Black's stone back on c6."),
        (
            "a2",
            "",
            "this piece cannot move, because the only square open to it is its own town a1, which no stone enters. "
            "Put it back on a2.",
        ),
        ("", "c4", "there is a piece too many on c4."),
        ("", "c4 d3", "there are pieces too many on c4, d3."),
        ("c3 d2", "", "pieces are missing on c3, d2."),
        ("c3 d2", "f1", "pieces are missing on c3, d2. There is a piece too many on f1."),
        ("c3", "f1 a6", "a piece is missing on c3. There are pieces too many on f1, a6."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(missing: str, extra: str, words: str) -> None:
    assert why_wrong(at(), tuple(missing.split()), tuple(extra.split())) == words


def test_where_many_are_wrong_their_number_is_told_and_the_lights_show_where() -> None:
    names = tuple("abcdef")  # five are named
    assert why_wrong(at(), names[:-1], ()).startswith("pieces are missing on")
    told = "pieces missing: {}; pieces too many: {}. The lights show where."
    assert why_wrong(at(), names, ()) == told.format(6, 0)
    assert why_wrong(at(), (), names) == told.format(0, 6)


# ---- cells that answer ------------------------------------------------------------------------------------


def asked(table: Table) -> dict[str, str]:
    """Return the plies that are asked for, by the cell that chooses each."""
    assert table.play is not None
    return {table.play.game_area.names(bit)[0]: text for bit, text in table.play.choices}


@pytest.mark.parametrize(("answers", "lit"), [(0, 0), (1, 1), (12, 12), (13, 0)])
def test_more_lit_cells_than_twelve_help_nobody(answers: int, lit: int) -> None:
    play = at("tam-ruat-chess")
    made = play.settled.position.footprints[:1] * answers
    assert len(choices(Scene("tam-ruat-chess").run(), play, Verdict(asked=made))) == lit


def test_the_cells_that_answer_are_empty_and_no_ply_ends_there() -> None:
    play = at(after="c3-c4")
    prints = play.settled.position.footprints
    table = Scene("tides-of-war", after="c3-c4").run()
    made = tuple(footprint for footprint in prints if footprint.text in ("c5xc3", "c5-b5"))
    found = choices(table, play, Verdict(asked=made, undo=0))
    assert [text for _, text in found] == ["c5xc3", "c5-b5", UNDO] or [text for _, text in found] == [
        "c5-b5",
        "c5xc3",
        UNDO,
    ]
    goals = {name for footprint in made for name in play.game_area.names(footprint.involved)}
    standing = set(play.game_area.names(table.now))
    for bit, _ in found:
        (cell,) = play.game_area.names(bit)
        assert cell not in goals | standing | {"c3"}  # a piece put back on c3 takes the last ply back
    assert len({bit for bit, _ in found}) == 3


# ---- taking back ------------------------------------------------------------------------------------------


def test_a_game_goes_back_to_any_of_its_moves_and_no_further() -> None:
    scene = Scene("tides-of-war", after="").hands("-c3 +c4 -c6 +b5")
    assert scene.plies() == ["c3-c4", "c6-b5"]
    back = Scene("tides-of-war").hands("-c3 +c4 -c6 +b5").order(do="take_back", to=0)
    assert back.plies() == []
    one = Scene("tides-of-war").hands("-c3 +c4 -c6 +b5").order(do="take_back", to=1)
    assert one.plies() == ["c3-c4"]
    for to in (2, 5):
        far = Scene("tides-of-war").hands("-c3 +c4 -c6 +b5").order(do="take_back", to=to)
        assert far.plies() == ["c3-c4", "c6-b5"]


def test_the_panel_says_how_far_back_the_next_step_leads() -> None:
    def back(table: Table) -> int | None:
        return picture(table, CALM, 1, 0).back

    assert back(Scene("tides-of-war").run()) is None
    assert back(Scene("tides-of-war").hands("-c3 +c4").run()) == 0
    assert back(Scene("tides-of-war").hands("-c3 +c4 -c6 +b5").run()) == 1
    ended = Scene("tides-of-war").hands("-c3 +c4 -c6 +b5").order(do="resign", seat=0).run()
    assert back(ended) == 2  # first the end is taken back


# ---- what may be asked for --------------------------------------------------------------------------------


def test_who_is_to_move_may_ask_for_a_move_and_for_what_the_others_threaten() -> None:
    def offers(scene: Scene) -> tuple[str, ...]:
        return picture(scene.run(), CALM, 1, 0).help.offers

    assert offers(Scene("tides-of-war")) == ("move", "threat")
    assert offers(Scene("beacons", {"template": "trial"})) == ("move",)  # passing is a move of its own there
    assert offers(Scene("tides-of-war", opponents={"levels": [1, 0]})) == ()  # the board is to move
    assert offers(Scene("tides-of-war").order(do="resign", seat=0)) == ()
    assert offers(Scene("tides-of-war").order(do="pause", on=True)) == ()


# ---- draws ------------------------------------------------------------------------------------------------


def test_a_draw_is_declined_with_a_word_and_withdrawn_without() -> None:
    offered = Scene("tides-of-war").order(do="offer_draw", seat=0)
    declined = Scene("tides-of-war").order(do="offer_draw", seat=0).order(do="refuse_draw", seat=1).run()
    assert declined.advice == "Black declined the draw."
    assert declined.play is not None
    assert declined.play.offers == ()
    offered_play = offered.run().play
    assert offered_play is not None
    assert offered_play.offers == (0,)
    own = Scene("tides-of-war").order(do="offer_draw", seat=0).order(do="refuse_draw", seat=0).run()
    assert own.advice == ""
    assert own.play is not None
    assert own.play.offers == ()
