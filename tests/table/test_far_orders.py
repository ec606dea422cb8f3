"""What another board orders is made anew of what its seat may say; whatever nobody has thought of is refused."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from controller.events import Command
from controller.game_setup import Afar
from controller.orders import AnyOrder, FromAfar, PlayPly, Resign, TakeBack
from controller.rules.game import Illegal
from controller.table.afar.far_orders import JUDGES, judged
from controller.table.notes import Refusal
from controller.table.table import step
from tests.table.afar_tables import begun, given, going

HOME, AWAY = 0, 1


def home() -> Any:
    table = begun("tides-of-war", Afar(seats=(AWAY,)))
    return given(table, PlayPly(text="c3-c4", seat=HOME))


def test_a_ply_is_read_by_the_rules_and_written_as_they_write_it() -> None:
    table = home()
    session = going(table).session
    text = session.game.text(session.state, session.game.plies(session.state)[0])
    assert judged(going(table), PlayPly(text=f"  {text} ", seat=AWAY)) == PlayPly(text=text, seat=AWAY)


@pytest.mark.parametrize("wish", [PlayPly(text="c4-c5", seat=HOME), Resign(seat=HOME), Resign(seat=7),
                                  TakeBack(), TakeBack(by=(HOME,)), TakeBack(by=(HOME, AWAY))])  # fmt: skip
def test_it_speaks_for_no_seat_but_its_own(wish: Any) -> None:
    with pytest.raises(Illegal, match="not played at the other board"):
        judged(going(home()), wish)


def test_whether_the_people_here_are_asked_is_not_its_to_say() -> None:
    wish = TakeBack(to=0, by=(AWAY,), asks=False)
    assert judged(going(home()), wish) == TakeBack(to=0, by=(AWAY,), asks=True)


def test_a_board_that_follows_takes_no_orders() -> None:
    follower = begun("tides-of-war", Afar(seats=(AWAY,), follows=True))
    with pytest.raises(Illegal, match="nothing that another board can order"):
        judged(going(follower), Resign(seat=AWAY))


@pytest.mark.parametrize("kind", sorted(set(get_args(AnyOrder)) - set(JUDGES), key=str))
def test_an_order_without_a_judge_is_refused(kind: type) -> None:
    wish = kind(**{field.name: None for field in msgspec.structs.fields(kind) if field.required})  # whatever it says
    with pytest.raises(Illegal, match="nothing that another board can order"):
        judged(going(home()), wish)


def test_what_is_refused_changes_nothing() -> None:
    table = home()
    after, said = step(table, Command(table.t_us, FromAfar(what=Resign(seat=HOME))))
    assert [note for note in said if isinstance(note, Refusal)]
    assert after.play == table.play
