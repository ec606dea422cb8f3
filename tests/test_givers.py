"""Who may give which order. The table here was written from what people at a board expect, not from the orders."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from controller.givers import Giver, Rights
from controller.orders import AnyOrder, Order, Wish
from controller.refused import Refused
from controller.table.afar.far_orders import JUDGES
from controller.table.orders import CARRIED_OUT
from web_panel.backend import Standing
from web_panel.people.allowed import checked
from web_panel.people.phones import Phones, Visitor

PLAYING = {"ply", "take_back", "resign", "offer_draw", "refuse_draw", "agree_back", "refuse_back", "claim_draw"}
AROUND = {"plies", "hints", "ask_help"}  # for one's own seat, and of no weight for others
SEALED = {"commit", "reveal"}  # only who has no way to choose in secret at the table
AT_THE_TABLE = {
    "new_game", "play_again", "start_lesson", "start_puzzle", "next_step", "redo", "brightness", "resume", "pause",
    "claim_unrevealed", "who_plays", "coach", "leave_lesson",
}  # fmt: skip
MAY = {
    Giver.PERSON: PLAYING | AROUND | AT_THE_TABLE,
    Giver.FAR_PHONE: PLAYING | AROUND | SEALED,
    Giver.FAR_BOARD: PLAYING | SEALED,
    Giver.ENGINE: {"board_plays", "hint", "coached"},
    Giver.LINK: {"hold_afar", "from_afar", "follow_home", "not_taken"},
}
ORDERS = {kind.__struct_config__.tag: kind for kind in get_args(AnyOrder)}


@pytest.mark.parametrize("giver", list(Giver))
def test_who_may_give_what(giver: Giver) -> None:
    assert {tag for tag, kind in ORDERS.items() if not kind.rights.refusal(giver)} == MAY[giver]


@pytest.mark.parametrize("kind", ORDERS.values())
def test_every_order_says_it_itself(kind: type[Order]) -> None:
    assert isinstance(kind.__dict__["rights"], Rights)


def test_an_order_that_says_nothing_is_refused_to_everybody() -> None:
    assert all(Order.rights.refusal(giver) for giver in Giver)


def test_what_another_board_may_ask_for_is_read_and_judged_and_nothing_else() -> None:
    assert set(get_args(Wish)) == set(JUDGES) == {ORDERS[tag] for tag in MAY[Giver.FAR_BOARD]}


def test_the_table_carries_out_all_that_people_ask_of_a_game() -> None:
    asked_of_the_table_itself = {"new_game", "brightness", "hints"}
    asked_of_the_service = {"start_lesson", "start_puzzle", "resume"}
    done = {kind.__struct_config__.tag for kind in CARRIED_OUT}
    assert done == set().union(*MAY.values()) - MAY[Giver.LINK] - asked_of_the_table_itself - asked_of_the_service


def whatever(kind: type[Order]) -> Any:
    """Return an order of a ``kind`` with the first seat, and nothing else that could be refused."""
    fields = {field.name: None for field in msgspec.structs.fields(kind) if field.required}
    return kind(**fields | ({"seat": 0} if "seat" in kind.__struct_fields__ else {}))


@pytest.mark.parametrize("afar", [False, True])
@pytest.mark.parametrize("tag", ORDERS)
def test_the_panel_lets_through_what_its_giver_may_give(tag: str, afar: bool) -> None:
    visitor = Visitor(id="phone", role="player", seats=(0,), afar=afar)
    standing = Standing(seats=("White", "Black"), to_move=0)
    giver = Giver.FAR_PHONE if afar else Giver.PERSON
    if tag in MAY[giver]:
        assert isinstance(checked(whatever(ORDERS[tag]), visitor, Phones(), standing), ORDERS[tag])
    else:
        with pytest.raises(Refused, match=r"^(Only the|This can be done only)"):
            checked(whatever(ORDERS[tag]), visitor, Phones(), standing)
