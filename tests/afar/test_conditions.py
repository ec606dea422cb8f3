"""Whom one may invite to a game, and when home may be handed over: each condition has its sentence."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from controller.afar.keys import WATCHES
from controller.game_setup import Afar
from controller.refused import Refused
from controller.service.afar.checks import check_handed, check_invited
from controller.service.afar.home_link import HomeLink
from controller.table.state import Play
from tests.table.scenes import Scene

replace = msgspec.structs.replace
CLOCK = {"kind": "sudden", "minutes": 5}


def playing(game: str = "tides-of-war", after: str = "", **more: Any) -> Play:
    play = Scene(game, after=after, **more).run().play
    assert play is not None
    return play


def follows(play: Play) -> Play:
    return replace(play, session=replace(play.session, afar=Afar((0,), follows=True)))


def link(**more: Any) -> HomeLink:
    """Return a link to a board that has one seat, is there and takes what it is given."""
    one = {"file": SimpleNamespace(invited=True), "there_seats": SimpleNamespace(looks_on=False)}
    return cast(HomeLink, SimpleNamespace(**{**one, "settled": True, "takes": True, **more}))


def no_invitation(play: Play, seat: int = 1, *home: HomeLink) -> str:
    with pytest.raises(Refused) as refused:
        check_invited(play, seat, home)
    return str(refused.value)


def stays_home(play: Play | None, one: HomeLink | None = None, *others: HomeLink) -> str:
    by = one or link()
    with pytest.raises(Refused) as refused:
        check_handed(play, by, (by, *others))
    return str(refused.value)


def test_others_are_invited_to_any_seat_of_a_game_that_people_play_here() -> None:
    for seat in (0, 1, WATCHES):
        check_invited(playing(), seat, ())
        check_invited(playing(after="c3-c4"), seat, ())
        check_invited(playing(clock=CLOCK), seat, (link(),))


def test_there_is_no_seat_beyond_those_of_the_game() -> None:
    assert no_invitation(playing(), 2) == "there is no seat 3 in this game"


def test_who_follows_invites_nobody_and_a_lesson_has_one_board() -> None:
    assert no_invitation(follows(playing())).startswith("Another board is home to this game")
    lesson = playing()
    lesson = replace(lesson, session=replace(lesson.session, lesson=cast(Any, "a lesson")))
    assert no_invitation(lesson) == no_invitation(lesson, WATCHES) == "A lesson cannot be played between two boards."


def test_nobody_is_invited_to_a_seat_that_the_board_plays() -> None:
    play = playing(opponents={"levels": [0, 3]})
    check_invited(play, 0, ())
    assert no_invitation(play, 1).startswith("The board plays this seat")


def test_with_clocks_others_are_invited_before_the_first_move_alone() -> None:
    begun = playing(after="c3-c4", clock=CLOCK)
    assert no_invitation(begun, 1).startswith("With clocks, invite the others before the first move")
    check_invited(begun, WATCHES, ())
    there = replace(begun, session=replace(begun.session, afar=Afar((1,))))
    check_invited(there, 1, ())  # who holds it elsewhere is invited again


def test_where_another_board_plays_all_other_seats_nobody_else_is_invited_to_one() -> None:
    whole = link(file=SimpleNamespace(invited=()))
    assert no_invitation(playing(), 1, link(), whole).startswith("The other board plays all other seats")
    check_invited(playing(), WATCHES, (whole,))


def test_home_is_handed_to_the_one_other_board_of_a_game_that_is_on_the_table() -> None:
    one = link()
    check_handed(playing(after="c3-c4"), one, (one,))


def test_what_keeps_home_here() -> None:
    play = playing(after="c3-c4")
    assert stays_home(play, link(there_seats=SimpleNamespace(looks_on=True))) == "A board that looks on cannot be home."
    assert stays_home(None).startswith("Take this game up first")
    assert stays_home(play, link(settled=False)).startswith("Take this game up first")
    over = playing(after="c3-d3; e3xc3xa1")
    assert stays_home(over) == "This game is over."
    assert stays_home(playing("cyvasse", options={"setup": "secret"})).startswith("Secret moves are not all opened yet")
    assert stays_home(playing(opponents={"levels": [0, 3]})).startswith("The board plays a seat of this game")
    assert stays_home(play, None, link()).startswith("More boards take part in this game")
    assert stays_home(play, link(takes=False)).startswith("The other board does not answer")
