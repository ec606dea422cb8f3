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


SPEAKS_FOR = [tag for tag in sorted(MAY[Giver.PERSON]) if "by" in ORDERS[tag].__struct_fields__]


@pytest.mark.parametrize("own", [(), (0,)])
@pytest.mark.parametrize("tag", SPEAKS_FOR)
def test_nobody_speaks_for_a_seat_of_another_phone_whatever_the_order_says(tag: str, own: tuple[int, ...]) -> None:
    phones = Phones()
    phones.admit(phones.ask("secret", "Ben"))
    phones.take(phones.who("secret").id, 1)
    standing = Standing(seats=("White", "Black", "Red"), to_move=0)
    said = msgspec.structs.replace(whatever(ORDERS[tag]), by=(0, 1, 2))
    for seat in (0, 2):
        order = msgspec.structs.replace(said, seat=seat) if "seat" in said.__struct_fields__ else said
        judged: Any = checked(order, Visitor(id="phone", role="player", seats=own), phones, standing)
        assert 1 not in judged.by


@pytest.mark.parametrize("kind", [kind for kind in get_args(Wish) if {"by", "seat"} <= {*kind.__struct_fields__}])
def test_another_board_speaks_for_its_own_seat_alone(kind: type[Any]) -> None:
    fields = {"to": 0} if "to" in kind.__struct_fields__ else {}
    play: Any = None  # which does not matter here
    judged: Any = JUDGES[kind](play, kind(seat=1, by=(0, 1), **fields))
    assert (judged.seat, judged.by) == (1, ())
