"""Parts of the panel by themselves: names that look alike, news, who sits where, drawings, the console's code."""

from __future__ import annotations

import math
import re
import threading
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from controller.game_setup import NAMELESS
from controller.orders import (
    AgreeBack,
    NewGame,
    OfferDraw,
    Pause,
    PlayPly,
    RefuseBack,
    RefuseDraw,
    Resume,
    TakeBack,
    WhoPlays,
)
from controller.refused import Later, Refused
from hardware.profile import load
from web_panel.backend import Standing
from web_panel.people import console_code
from web_panel.people.allowed import moved_by, sight
from web_panel.people.by_name import names_of
from web_panel.people.console_code import GUESSES, GUESSES_EACH, LOCK_S, ROUNDS, ConsoleCode
from web_panel.people.names import MOST_MARKS, cleaned, skeleton, taken, width
from web_panel.people.news import News
from web_panel.people.people import People
from web_panel.people.phones import GUEST, LOCAL, MOST_PHONES, Phones, Visitor
from web_panel.people.phones_file import Beside, Phone
from web_panel.people.presence import AWAY_S, SEEN_S, UNSEEN_S, Pages, Presence
from web_panel.people.profiles import MOST_LETTERS, MOST_PROFILES, Profiles
from web_panel.people.readiness import Readiness
from web_panel.pictures.diagram_svg import MARKS, NOBODY, TONES, WITHIN, with_looks
from web_panel.pictures.ring_svg import APART, HEAD, RADIUS, TOKEN, arrows, drawn, places
from web_panel.serving import pulse
from web_panel.serving.pulse import MISSES, PagePulse
from web_panel.stream import LEAST_EACH, StreamSlots, Written, _thinned

replace = msgspec.structs.replace


# ---- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("  Ann \t of\nthe  Hill ", "Ann of the Hill"),
        ("A\u200bn\u202en\ufe0f", "Ann"),  # what is not seen, or turns the writing round
        ("\u3164\u115f\u180b\u180e\ufe00\U000e01ef", ""),
        ("\u0301Ann", "Ann"),  # an accent on nothing
        ("e" + "\u0316" * (MOST_MARKS + 3), "e" + "\u0316" * MOST_MARKS),
        ("\uff21\uff4e\uff4e", "Ann"),
    ],
)
def test_a_name_is_kept_as_it_is_seen(name: str, seen: str) -> None:
    assert cleaned(name) == seen


def test_a_letter_of_east_asia_takes_the_room_of_two_and_an_accent_none() -> None:
    assert (width("Ann"), width("\u5b89\u5a1c"), width("e\u0316"), width("")) == (3, 4, 1, 0)
    assert cleaned("\u180f\u1810") == "\u1810"  # the digit after the selectors is seen


def test_names_that_look_alike_are_taken_for_each_other_and_others_are_not() -> None:
    assert skeleton("\u0410nn") == skeleton("A n\u0301n") == "ann"
    assert taken("0tto", ["Otto"])
    assert taken("lda", ["Ida"])
    assert not taken("Anna", ["Ann", "Hanna"])
    assert not taken("Ann", [])


def test_two_phones_never_have_names_that_look_alike() -> None:
    phones = Phones()
    names = [_joined(phones, secret, "Ann").name for secret in "abc"]
    assert names == ["Ann", "Ann 2", "Ann 3"]
    assert [_joined(phones, secret, None).name for secret in "de"] == ["Phone 1", "Phone 2"]
    longest = "x" * MOST_LETTERS
    assert _joined(phones, "f", longest).name == longest
    numbered = _joined(phones, "g", longest).name
    assert (width(numbered), numbered[-2:]) == (MOST_LETTERS - 1, " 2")
    with pytest.raises(Refused, match="too long"):
        phones.ask("h", "\u5b89" * (MOST_LETTERS // 2 + 1))
    with pytest.raises(Refused, match="invisible"):
        phones.ask("h", "\u3164")
    ann = phones.who("a")
    phones.call(ann.id, "Ann", "#112233")
    assert phones.who("a").name == "Ann"  # whose own name it is may keep it


def test_who_plays_two_seats_is_called_by_name_in_both_and_by_the_seats_alone_in_all() -> None:
    seats = ("White", "Black", "Blue")
    called = names_of(seats, {0: "Ann", 1: "Clara", 2: "Clara", 7: "Ann"})
    assert called == {"White": "Ann", "Black": "Clara (Black)", "Blue": "Clara (Blue)"}
    assert names_of(seats, {1: "Clara", 2: "Clara"}) == {"Black": "Clara (Black)", "Blue": "Clara (Blue)"}
    assert names_of(seats, dict.fromkeys(range(3), "Clara")) == {}  # all who play share this phone
    assert names_of(seats[:1], {0: "Ann"}) == {"White": "Ann"}
    assert names_of(seats[:2], {0: "Ann"}, [1]) == {"White": "Ann", "Black": "the board"}
    assert names_of(seats[:2], {}, [0, 1]) == {}  # it plays both, and would be called by the same name
    assert names_of(seats, {0: "Ann"}, [1]) == {"White": "Ann"}


# ---- who is at the table ----------------------------------------------------------------------------------


def _joined(phones: Phones, secret: str, name: str | None = "Ann", **more: Any) -> Visitor:
    phones.admit(phones.ask(secret, name, **more))
    return phones.who(secret)


def test_who_waits_to_be_let_in_is_nobody_yet_and_may_be_forgotten() -> None:
    phones = Phones()
    id = phones.ask("a", "Ann")
    assert phones.who("a") == GUEST
    assert (phones.asking("a"), phones.asking("b"), phones.asking("")) == (id, "", "")
    phones.forget("somebody else")
    assert phones.asking("a") == id
    phones.forget(id)
    phones.admit(id)
    assert phones.who("a") == GUEST
    _joined(phones, "a")
    assert phones.asking("a") == ""


def test_the_first_phone_at_the_board_owns_it_and_the_others_do_not() -> None:
    phones = Phones()
    assert _joined(phones, "far", "Far", afar=True).role == "player"
    assert [_joined(phones, secret).role for secret in "ab"] == ["owner", "player"]
    phones.admit(phones.ask("c", "Cem"), owner=True)
    assert phones.who("c").role == "owner"
    assert phones.who("", local=True).role == "owner"
    assert phones.who("") == phones.who("made up") == GUEST


def test_so_many_phones_are_at_the_table_and_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 5
    monkeypatch.setattr("web_panel.people.phones.MOST_PHONES", most)
    phones = Phones()
    waiting = [phones.ask(f"w{number}", None) for number in range(most)]
    phones.ask("one more", None)
    assert phones.asking("w0") == ""  # who has waited longest
    assert phones.asking("w1") == waiting[1]
    for number in range(most - 1):
        _joined(phones, str(number), None)
    phones.ask("the last", None)
    _joined(phones, "the very last", None)
    with pytest.raises(Refused, match=f"already {most} phones"):
        phones.ask("too late", None)
    phones.revoke(phones.who("0").id)
    assert phones.who("0") == GUEST
    phones.ask("in time", None)
    with pytest.raises(Refused, match="not at the table"):
        phones.revoke("nobody")


def test_a_seat_is_one_phones_and_the_board_takes_it_from_whoever_holds_it() -> None:
    phones = Phones()
    ann, ben = _joined(phones, "a"), _joined(phones, "b", "Ben")
    phones.take(ann.id, 1)
    phones.take(ann.id, 1)
    phones.take(ann.id, 0)
    assert phones.who("a").seats == (0, 1)
    with pytest.raises(Refused, match="This seat is held by Ann"):
        phones.take(ben.id, 1)
    phones.leave(ben.id, 1)  # it is not his to give up
    assert phones.who("a").seats == (0, 1)
    phones.free((1, 5))
    assert phones.who("a").seats == (0,)
    phones.take(LOCAL.id, 1)
    assert [phone.id for phone in phones.all()] == [LOCAL.id, ann.id, ben.id]
    assert phones.seating().people == ("Ann", "This computer")
    phones.leave(LOCAL.id, 1)
    assert [phone.id for phone in phones.all()] == [ann.id, ben.id]
    assert phones.seating().people == ("Ann",)


def test_who_begins_alone_sits_in_the_one_seat_that_is_left() -> None:
    phones = Phones()
    ann, ben = _joined(phones, "a"), _joined(phones, "b", "Ben")
    phones.sit_alone(ann.id, (0, 1))
    assert phones.who("a").seats == ()
    phones.sit_alone(ann.id, (1,))
    assert phones.who("a").seats == (1,)
    phones.sit_alone(ben.id, (1,))
    assert (phones.who("a").seats, phones.who("b").seats) == ((), (1,))


def test_who_sits_at_the_boards_own_screen_is_given_a_seat_and_loses_it_like_all_others() -> None:
    phones = Phones()
    ann = _joined(phones, "a")
    for people in ((ann.id, LOCAL.id), (LOCAL.id, ann.id), (ann.id, "")):
        phones.give(people, "keep")
        holders = [phones.holder(seat) for seat in (0, 1)]
        assert tuple(holder.id if holder else "" for holder in holders) == people


def test_seats_move_on_by_one_or_are_drawn_and_those_beyond_the_game_stay() -> None:
    phones = Phones(dice=Random(3))
    ann, ben = _joined(phones, "a"), _joined(phones, "b", "Ben")
    for seat, id in ((0, ann.id), (1, ben.id), (4, ann.id)):
        phones.take(id, seat)
    assert phones.seated_after("keep", 3) == [ann.id, ben.id, ""]
    assert phones.seated_after("turn", 3) == [ben.id, "", ann.id]
    phones.reseat("keep", 3, ["", "", ""])
    assert phones.who("a").seats == (0, 4)
    phones.reseat("turn", 3)
    assert (phones.who("a").seats, phones.who("b").seats) == ((2, 4), (0,))
    phones.reseat("lots", 3, [ann.id, "", ben.id])
    assert (phones.who("a").seats, phones.who("b").seats) == ((0, 4), (2,))
    drawn = {tuple(phones.seated_after("lots", 3)) for _ in range(40)}
    assert len(drawn) == 6


def test_two_who_share_a_phone_change_sides_and_each_keeps_the_own_name() -> None:
    phones = Phones()
    ann = _joined(phones, "a")
    for seat in (0, 1):
        phones.take(ann.id, seat)
    phones.beside(ann.id, [Beside(0, "Mamie")])
    for seat in (1, 0):
        phones.reseat("turn", 2)
        assert [(each.seat, each.name) for each in phones.known(ann.id).beside] == [(seat, "Mamie")]


def test_the_journal_is_told_who_sits_where_as_whom_and_from_afar() -> None:
    phones = Phones()
    told: list[Any] = []
    phones.changed = told.append
    ann = _joined(phones, "a", profile="ann-1")
    far = _joined(phones, "f", "Far", afar=True)
    assert not phones.any_afar()
    phones.take(ann.id, 0)
    assert not phones.any_afar()
    phones.take(far.id, 2)
    assert phones.any_afar()
    seating = told[-1]
    assert (seating.people, seating.profiles[:2], tuple(seating.far)) == (("Ann", "", "Far"), ("ann-1", ""), (2,))
    assert seating.profiles[2].startswith(NAMELESS)  # who says a name later has played it, too
    phones.reseat("turn", 3)
    assert told[-1].people == ("", "Far", "Ann")


# ---- the people -------------------------------------------------------------------------------------------


def test_two_who_are_one_person_keep_the_name_and_a_colour_of_either(tmp_path: Path) -> None:
    profiles = Profiles(tmp_path / "people.json")
    ann, anna, ben = profiles.add("Ann"), profiles.add("Anna", "#112233"), profiles.add("Ben", "#445566")
    one = profiles.merge(anna.id, ann.id)
    assert (one.name, one.colour, one.once) == ("Ann", "#112233", (anna.id,))
    one = profiles.merge(ben.id, ann.id)
    assert (one.colour, one.once) == ("#112233", (anna.id, ben.id))
    assert Profiles(tmp_path / "people.json").all() == profiles.all() == (one,)
    assert profiles.of(ben.id) == profiles.of(anna.id) == one
    with pytest.raises(Refused, match="one person already"):
        profiles.merge(ben.id, ann.id)
    with pytest.raises(Refused, match="no longer in the list"):
        profiles.merge("nobody", ann.id)
    with pytest.raises(Refused, match="no longer in the list"):
        profiles.remove(ben.id)
    assert profiles.known_as(ben.id, "Ben") == "Ann"
    assert profiles.known_as("", "a guest") == "a guest"
    profiles.remove(ann.id)
    assert profiles.known_as(ann.id, "Ann") == ""
    assert profiles.of(ann.id) is None


def test_the_board_knows_so_many_people_and_each_name_once() -> None:
    profiles = Profiles()
    first = profiles.add("Ann")
    version = profiles.version
    with pytest.raises(Refused, match="There is Ann already"):
        profiles.add("\u0410nn")
    assert profiles.version == version
    assert profiles.change(first.id, "ann", "").name == "ann"  # one's own name in another writing
    assert profiles.version != version
    for number in range(MOST_PROFILES - 1):
        profiles.add(f"p{number}x")
    with pytest.raises(Refused, match=f"knows {MOST_PROFILES} people already"):
        profiles.add("Ben")


def test_a_phone_comes_with_the_person_it_names_and_with_nobody_where_that_is_not_sure() -> None:
    phones, profiles = Phones(), Profiles()
    people = People(phones, profiles)
    ann = profiles.add("Ann", "#112233")
    assert people.asking("Somebody", "", ann.id) == ("Ann", "#112233", ann.id)
    assert people.asking("Ben", "#445566", "gone") == ("Ben", "#445566", "")
    assert people.asking(None, "", None) == (None, "", "")
    for secret, name, known in (("a", "Ann", ""), ("b", "Ann", ""), ("c", "Ben", "Ben"), ("d", None, "")):
        phones.admit(phones.ask(secret, name), person=people.known_by_name)
        person = profiles.of(phones.who(secret).profile) if phones.who(secret).profile else None
        assert (person.name if person else "") == known, name
    assert [person.name for person in profiles.all()] == ["Ann", "Ben"]


# ---- news, pages, streams ---------------------------------------------------------------------------------

STANDING = Standing(seats=("White", "Black"), makers=(0, 1, 0, 1))
ANN = Visitor("a", "Ann", "player", (0,), named=True)
OTHER = Visitor("b", "Ben", "player", (1,), named=True)


@pytest.mark.parametrize("by", ["", "gone"])  # the board, or a phone that has left
def test_once_all_is_shown_that_was_chosen_in_secret_a_seat_is_seen_by_who_holds_it(by: str) -> None:
    asked = Standing(seats=("White", "Black"), to_move=0, kept={1: by}, secret=True)
    assert sight(OTHER, None, asked) is None
    assert sight(OTHER, 1, replace(asked, secret=False)) == 1
    assert sight(OTHER, None, replace(asked, secret=False, to_move=None)) == 1  # also once the game is over
    assert sight(replace(OTHER, id=by), None, asked) == 1


def newest(news: News, visitor: Visitor) -> dict[str, Any]:
    return news.to(visitor)[-1]


def test_of_two_things_at_once_both_are_told_and_of_a_game_before_what_concerns_a_phone() -> None:
    """Who owned the table left the game: that she plays no longer was lost, or whose the table is now."""
    news, ann, ben = (
        News(),
        Phone("a", "Ann", "", seats=(0,), named=True),
        Phone("b", "Ben", "", seats=(1,), named=True),
    )
    assert news.gave_up(ann, [0], replace(STANDING, to_move=0))
    news.owns(ben, STANDING)
    assert [(told["what"], told["who"], told["part"]) for told in news.to(OTHER)] == [
        ("gave_up", "Ann", ""), ("owns", "Ben", "new"),
    ]  # fmt: skip
    news.heard(Pause(on=True), ANN, STANDING, 4)
    news.heard(NewGame("circle"), ANN, replace(STANDING, to_move=1), 4)
    assert [(told["number"], told["what"]) for told in news.to(OTHER)] == [(2, "owns"), (4, "began")]
    assert [told["part"] for told in news.to(Visitor("", "", "guest"))] == ["", ""]
    for _ in range(20):
        news.heard(Pause(on=True), ANN, STANDING, 4)
    assert [told["number"] for told in news.to(ANN)] == [19, 20, 21, 22, 23, 24]


def test_a_phone_without_a_name_that_is_sent_away_from_a_seat_of_a_larger_game_is_called_as_a_phone() -> None:
    news = News()
    news.released(OTHER, Phone("c", "Phone 3", "", seats=(2,)), 2, STANDING)
    assert newest(news, OTHER)["words"] == "Phone 3"
    news.released(OTHER, Phone("c", "Phone 3", "", seats=(1,)), 1, STANDING)
    assert newest(news, OTHER)["words"] == "Black"


def test_who_is_ready_with_a_secret_choice_is_so_until_it_is_made_or_the_phone_is_gone() -> None:
    """Where all choose in secret, who waits to send a choice is shown to the others, and never what it is."""
    readiness, black = Readiness(), Phone("b", "Ben", "", seats=(1,))
    choosing = replace(STANDING, secret=True, to_move=0)
    assert readiness.say(1, "b", choosing.made, on=True)
    assert readiness.seats(choosing, [black]) == [1]
    assert readiness.seats(choosing, []) == []
    assert readiness.seats(replace(choosing, makers=(*choosing.makers, 0)), [black]) == [1]  # another one has chosen
    assert readiness.seats(replace(choosing, makers=(*choosing.makers, 0, 1)), [black]) == []
    assert readiness.seats(replace(choosing, makers=choosing.makers[:2]), [black]) == []  # it was of moves taken back
    assert readiness.seats(replace(choosing, kept={0: "a", 1: "b"}), []) == [1]  # the first has sent a part


def test_what_others_did_beside_moving_is_told_with_who_and_how_much() -> None:
    news = News()
    assert not news.heard(PlayPly(text="c3-c4"), ANN, STANDING, 5)
    assert news.to(ANN) == []
    assert news.heard(TakeBack(), ANN, STANDING, 3)
    told = newest(news, ANN)
    assert (told["number"], told["who"], told["what"], told["mine"]) == (1, "Ann", "took_back", True)
    assert (told["made"], told["left"]) == (4, 3)
    assert not newest(news, replace(ANN, id="b"))["mine"]
    news.heard(TakeBack(), ANN, STANDING, 4)  # it is asked for, and nothing has come of it yet
    assert (newest(news, ANN)["made"], newest(news, ANN)["left"]) == (4, 4)
    news.heard(TakeBack(to=1), ANN, STANDING, 4)  # another board has not carried it out yet
    assert (newest(news, ANN)["made"], newest(news, ANN)["left"]) == (4, 1)
    news.heard(TakeBack(to=1, made=6), ANN, STANDING, 6)
    assert (newest(news, ANN)["made"], newest(news, ANN)["left"]) == (6, 1)
    news.heard(TakeBack(to=0), ANN, STANDING, 2)  # what has come of it counts, where something has
    assert newest(news, ANN)["left"] == 2


def test_what_is_agreed_to_is_told_to_everybody_once_it_was_taken_back() -> None:
    news = News()
    assert not news.heard(AgreeBack(seat=1, to=2), ANN, STANDING, 4, "Taken back: stone from c3 to d3.")
    assert news.heard(AgreeBack(seat=1, to=2), ANN, STANDING, 2, "Taken back: stone from c3 to d3.")
    told = newest(news, ANN)
    assert (told["what"], told["mine"], told["words"]) == ("agreed_back", False, "Taken back: stone from c3 to d3.")


@pytest.mark.parametrize(
    ("order", "board", "words"),
    [
        (WhoPlays(levels=(0, 3)), (), "Ann lets the board play Black from now on."),
        (WhoPlays(levels=(2, 3)), (1,), "Ann lets the board play White from now on."),
        (WhoPlays(levels=(0, 0)), (1,), "Ann has changed who plays: Black is for people now."),
        (WhoPlays(levels=(0, 5)), (1,), "Ann has changed how well the board plays."),
        (WhoPlays(levels=(3, 0), seats="turn"), (1,), "Ann has changed sides with the board."),
    ],
)
def test_who_plays_from_now_on_is_told_in_words(order: WhoPlays, board: tuple[int, ...], words: str) -> None:
    backend: Any = None
    standing = replace(STANDING, seats=("White", "Black"), board=frozenset(board))
    assert News().ahead(order, ANN, standing, backend) == words


def test_the_first_offer_of_a_draw_is_told_to_the_others() -> None:
    news = News()
    assert news.heard(OfferDraw(seat=0), ANN, STANDING, 4)
    assert (newest(news, ANN)["what"], newest(news, ANN)["mine"], newest(news, OTHER)["mine"]) == (
        "offers",
        True,
        False,
    )
    assert not news.heard(OfferDraw(seat=1), OTHER, replace(STANDING, offers=frozenset({0})), 4)


def test_a_draw_or_a_take_back_is_withdrawn_by_who_asked_and_the_table_says_that_others_decline() -> None:
    news = News()
    offered = replace(STANDING, offers=frozenset({0}), asking_back=frozenset({0}))
    assert not news.heard(RefuseDraw(seat=1), ANN, offered, 4)
    assert not news.heard(RefuseBack(seat=1), ANN, offered, 4)
    for order, what in (
        (RefuseDraw(seat=0), "withdrew"),
        (RefuseBack(seat=0), "asks_no_longer"),
        (Pause(on=True), "paused"),
        (WhoPlays(levels=(0, 3)), "other_players"),
        (NewGame("circle"), "began"),
        (Resume(3), "resumed"),
    ):
        assert news.heard(order, ANN, replace(offered, to_move=1), 4)
        assert newest(news, ANN)["what"] == what
        kept = 4 if what in ("began", "resumed") else 0
        assert (newest(news, ANN)["made"], newest(news, ANN)["left"]) == (kept, 0)
    assert newest(news, ANN)["number"] == 6
    news.heard(NewGame("circle"), ANN, replace(offered, to_move=1, lesson=True), 0)
    assert (newest(news, ANN)["what"], newest(news, ANN)["made"]) == ("began", 0)  # of a lesson nothing is kept
    assert news.heard(NewGame("circle"), ANN, replace(offered, to_move=None), 4)  # the others look at how it ended
    assert not news.heard(NewGame("circle"), ANN, replace(offered, to_move=None, lesson=True), 4)  # of a lesson
    assert not news.heard(NewGame("circle"), ANN, Standing(), 0)  # on an empty table
    assert not news.heard(RefuseBack(seat=0), ANN, replace(STANDING, asking_back=None), 4)
    news.heard(TakeBack(), replace(ANN, named=False), STANDING, 4)
    assert newest(news, ANN)["who"] == "White"
    news.heard(TakeBack(), replace(ANN, named=False, seats=(7,), name="Phone 1"), STANDING, 4)
    assert newest(news, ANN)["who"] == "Somebody"


def test_who_keeps_a_seat_of_another_game_sees_this_one_as_anybody_does() -> None:
    clara = Visitor("c", "Clara", "player", (2, 3))
    assert sight(clara, None, Standing(seats=("White", "Black"), to_move=0)) is None
    assert sight(clara, 2, Standing(seats=("White", "Black"), to_move=0)) is None
    assert sight(clara, None, Standing(seats=("White", "Black", "Blue"), to_move=0)) == 2


def test_a_phone_far_away_moves_the_pieces_of_its_own_seats_in_this_game_alone() -> None:
    assert moved_by(replace(OTHER, seats=(1, 2), afar=True), Phones(), STANDING) == {1}  # the third is of a larger game
    assert moved_by(OTHER, Phones(), STANDING) == {0, 1}  # at the table hands move what is nobody's


def test_a_phone_of_nobody_is_listed_for_half_an_hour_and_gives_way_where_there_is_no_room() -> None:
    now_s = [0.0]
    presence, phones = Presence(lambda: now_s[0]), Phones()
    phones.unseen = presence.unseen
    for number in range(MOST_PHONES):
        _joined(phones, str(number), "Ann" if number == 1 else None)  # the first one owns the table
    phones.take(phones.who("2").id, 0)
    now_s[0] = UNSEEN_S - 1
    assert presence.unseen(phones.all()) == []
    with pytest.raises(Refused, match="already 32 phones"):
        _joined(phones, "one more")
    now_s[0] = UNSEEN_S
    assert [phones.who(secret).id in {each.id for each in presence.unseen(phones.all())} for secret in "01234"] == [
        False, False, False, True, True,
    ]  # fmt: skip
    page = presence.opened(lambda: phones.who("3"))
    assert phones.who("3").id not in {each.id for each in presence.unseen(phones.all())}
    assert _joined(phones, "one more", None).id
    assert (phones.knows("3"), phones.knows("4")) == (True, False)
    page()


def test_who_has_had_no_page_open_for_a_while_is_away_until_one_is_open_again() -> None:
    now_s = [0.0]
    presence, phones = Presence(lambda: now_s[0]), Phones()
    for seat, name in enumerate(("Ann", "Ben")):
        _joined(phones, name, name)
        phones.take(phones.who(name).id, seat)
    ann = presence.opened(lambda: phones.who("Ann"))
    also = presence.opened(lambda: phones.who("Ann"))
    assert presence.away(phones.all()) == []
    assert presence.watching() == {phones.who("Ann").id}
    now_s[0] = AWAY_S  # Ben has not come back since the start
    assert presence.away(phones.all()) == [1]
    ann()
    now_s[0] += AWAY_S
    assert presence.away(phones.all()) == [1]  # she has another page
    also()
    assert presence.away(phones.all()) == [1]  # she may reload it
    now_s[0] += AWAY_S
    assert presence.away(phones.all()) == [0, 1]
    presence.opened(lambda: phones.who("Ann"))
    assert presence.away(phones.all()) == [1]


def test_who_reads_another_page_is_here_for_as_long_as_that_says_so() -> None:
    now_s = [0.0]
    presence, phones = Presence(lambda: now_s[0]), Phones()
    _joined(phones, "Ann", "Ann")
    phones.take(phones.who("Ann").id, 0)
    presence.opened(lambda: phones.who("Ann"))()  # from the board she goes to the rules
    for _ in range(20):
        now_s[0] += AWAY_S / 2
        presence.seen(phones.who("Ann").id)
        assert presence.watching() == {phones.who("Ann").id}
        assert presence.away(phones.all()) == []
    now_s[0] += SEEN_S
    assert (presence.watching(), presence.away(phones.all())) == (frozenset(), [0])


def test_an_asking_ends_with_its_last_page_alone() -> None:
    pages, told = Pages(), list[tuple[str, bool]]()
    pages.opened("", lambda who, there: told.append((who, there)))()
    assert told == []
    one = pages.opened("ann", lambda who, there: told.append((who, there)))
    other = pages.opened("ann", lambda who, there: told.append((who, there)))
    one()
    assert told == [("ann", True)] * 2
    other()
    assert told[2:] == [("ann", False)]


def test_quiet_times_are_told_only_now_and_then_and_a_change_at_once() -> None:
    change: Any = ("view", 1)
    seen = list(_thinned(iter([None, None, None, None, change, None, None, None]), lambda: False, 3))
    assert seen == [None, change, None]
    assert list(_thinned(iter([None, change]), lambda: False, 1)) == [None, change]
    assert list(_thinned(iter([change, change]), lambda: True, 1)) == []


def test_streams_are_shared_out_by_address_and_by_phone_and_given_back() -> None:
    slots = StreamSlots(4 * (LEAST_EACH + 1))
    taken_slots = [slots.acquire("a") for _ in range(LEAST_EACH + 1)]
    assert all(taken_slots)
    assert slots.acquire("a") is None
    assert slots.acquire("b") is not None
    release = taken_slots[0]
    assert release is not None
    release()
    assert slots.acquire("a") is not None
    assert slots.acquire("a") is None
    by_phone = [slots.acquire(f"w{number}", "ann") for number in range(LEAST_EACH + 1)]
    assert [place is not None for place in by_phone] == [True] * LEAST_EACH + [False]
    small = StreamSlots(2)
    assert small.acquire("a") is not None
    assert small.acquire("b") is not None
    assert small.acquire("c") is None


def test_what_many_phones_see_is_written_once_for_each_language_and_name() -> None:
    written, encoded = Written(), list[object]()

    class Sight:
        pass

    def hook(value: object) -> str:
        encoded.append(value)
        return "seen"

    first, other = Sight(), Sight()
    for words in (("en", {}, ""), ("en", {}, ""), ("de", {}, ""), ("en", {"White": "Ann"}, ""), ("en", {}, "White")):
        assert written.of(words, first, hook) == b'"seen"'
    assert len(encoded) == 4
    written.of(("en", {}, ""), other, hook)
    assert len(encoded) == 5


# ---- the pulse --------------------------------------------------------------------------------------------


def test_a_panel_is_dead_after_four_misses_and_one_answer_makes_up_for_three() -> None:
    answers = iter([True, *[False] * (MISSES - 1), True, *[False] * MISSES])
    beat = PagePulse(lambda: next(answers))
    felt = []
    for _ in range(2 * MISSES + 1):
        beat.feel()
        felt.append(beat.answers)
    assert felt == [True] * (2 * MISSES) + [False]


def test_the_pulse_is_felt_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "EVERY_S", 0.001)
    ended, asked = threading.Event(), list[int]()

    def ask() -> bool:
        asked.append(1)
        if len(asked) == 3:
            ended.set()
        return True

    PagePulse(ask).run(ended)
    assert len(asked) == 3


# ---- the console's code -----------------------------------------------------------------------------------


def test_a_guessed_code_is_replaced_and_its_guessers_wait_and_after_three_rounds_everybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s, told = [1000.0], list[str]()
    monkeypatch.setattr(console_code, "monotonic", lambda: now_s[0])
    code = ConsoleCode("12345678")
    code.tell = told.append

    def guess(address: str, times: int = 1) -> None:
        for _ in range(times):
            with pytest.raises(Refused, match="not the code"):
                code.take("no", address)

    guess("few", GUESSES_EACH - 1)
    guess("many", GUESSES - GUESSES_EACH)
    assert told == []
    guess("few")  # the third of this address, and the twentieth in all
    assert told == [code.now] != ["12345678"]
    for address in ("few", "many"):
        with pytest.raises(Later, match="from this phone"):
            code.take(code.now, address)
    code.take(code.now, "host")
    now_s[0] += LOCK_S - 1
    with pytest.raises(Later):
        code.take(code.now, "few")
    now_s[0] += 1
    code.take(code.now, "few")
    for number in range(ROUNDS - 1):
        guess(f"round {number}", GUESSES)
        code.take(code.now, "host")
    guess("round 9", GUESSES)
    with pytest.raises(Later, match="no code is accepted"):
        code.take(code.now, "host")
    now_s[0] += LOCK_S
    code.take(code.now, "host")


def test_a_right_code_forgets_the_wrong_ones_before_it() -> None:
    code = ConsoleCode("12345678")
    for _ in range(GUESSES - 1):
        with pytest.raises(Refused):
            code.take("no", "a")
    code.take("12345678", "b")
    with pytest.raises(Refused):
        code.take("no", "a")
    assert code.now == "12345678"
    assert re.fullmatch(r"\d{8}", ConsoleCode().now)


# ---- drawings ---------------------------------------------------------------------------------------------


def cell(name: str = "a1", **more: Any) -> dict[str, Any]:
    square = [(90.0, 190.0), (110.0, 190.0), (110.0, 210.0), (90.0, 210.0)]
    return {"name": name, "kind": "cell", "x": 100.0, "y": 200.0, "outline": square, "mark": "", "place": None,
            "piece": False, "colour": None, "sign": "K", "body": "M0 0", "drawing": "", **more}  # fmt: skip


def test_a_cell_reaches_to_the_middle_of_its_nearest_side_and_has_its_ground_within() -> None:
    looks = with_looks(cell())
    assert looks["reach"] == 10
    assert looks["points"] == "90.0,190.0 110.0,190.0 110.0,210.0 90.0,210.0"
    corner = 10 * WITHIN
    assert looks["within"].split()[0] == f"{100 - corner:.1f},{200 - corner:.1f}"
    assert WITHIN < 1
    wide = cell(outline=[(80.0, 195.0), (120.0, 195.0), (120.0, 205.0), (80.0, 205.0)])
    assert with_looks(wide)["reach"] == 5


def test_squares_that_touch_have_two_tones_and_hexes_round_a_corner_three() -> None:
    def tone(name: str, corners: int) -> str:
        outline = [(math.cos(n), math.sin(n)) for n in range(corners)]
        return str(with_looks(cell(name, outline=outline))["fill"])

    assert {tone("a1", 4), tone("a2", 4)} == {tone("a1", 4), tone("b1", 4)} == set(TONES[:2])
    assert tone("a1", 4) == tone("b2", 4) == tone("a3", 4)
    hexes = load("shell19").cells
    for corner in (each for each in hexes.vertices if len(each) == 3):
        assert {tone(hexes.cells[index], 6) for index in corner} == set(TONES)
    assert with_looks(cell("a1:0", kind="node"))["fill"] not in TONES
    assert with_looks(cell(mark="go"))["fill"] == MARKS["go"]


def test_a_piece_has_its_seats_colour_and_what_is_nobodys_a_grey_one() -> None:
    assert with_looks(cell())["token"] is None
    assert with_looks(cell(piece=True))["token"]["body"] == NOBODY
    bodies = [with_looks(cell(piece=True, colour=colour))["token"]["body"] for colour in range(7)]
    assert len({*bodies, NOBODY}) == 8
    assert bodies[0] == with_looks(cell(piece=True, colour=7))["token"]["body"]


def test_the_ground_of_a_place_gives_way_to_a_mark_and_its_line_to_the_colour_of_a_seat() -> None:
    place = {"ground": "#335577", "line": "#f3e6c8", "colour": None, "sign": "M0 0"}
    plain, marked = with_looks(cell(place=place))["place"], with_looks(cell(place=place, mark="go"))["place"]
    assert (plain["ground"], marked["ground"]) == ("#335577", "none")
    assert plain["line"] == "#f3e6c8"
    black = with_looks(cell(place={**place, "colour": 1}))["place"]
    assert black["line"] == with_looks(cell(piece=True, colour=1))["token"]["body"]
    assert plain["edge"] != black["edge"]  # a dark edge round a light line, and a light one round a dark line


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.\d", text)]


def test_kinds_lie_clockwise_on_a_ring_from_the_top() -> None:
    at = places("4321")
    assert [(round(x), round(y)) for x, y in at.values()] == [(0, -100), (100, 0), (0, 100), (-100, 0)]


def test_an_arrow_goes_from_a_piece_to_the_one_that_it_beats_and_touches_neither() -> None:
    at = places("4321")
    along, across, last = arrows("4321", [("4", "3"), ("4", "2"), ("1", "4")])
    for arrow, one, other in ((along, "4", "3"), (across, "4", "2"), (last, "1", "4")):
        found = numbers(arrow.path)
        begin, end, tip = (found[0], found[1]), (found[-2], found[-1]), tuple(numbers(arrow.head)[:2])
        assert math.dist(begin, at[one]) == pytest.approx(TOKEN + APART, abs=1)
        assert math.dist(tip, at[other]) == pytest.approx(TOKEN + APART, abs=1)
        assert math.dist(end, tip) == pytest.approx(HEAD, abs=1)
        left, right = (numbers(arrow.head)[at_ : at_ + 2] for at_ in (2, 4))
        assert math.dist(left, right) == pytest.approx(HEAD, abs=1)
        assert math.dist(left, end) == pytest.approx(HEAD / 2, abs=1)
    assert "A" in along.path
    assert "A" in last.path
    assert "L" in across.path
    assert all(math.hypot(*numbers(arrow.path)[:2]) == pytest.approx(RADIUS, abs=0.1) for arrow in (along, last))


def test_what_a_page_needs_of_a_ring_is_read_from_its_text() -> None:
    ring = drawn("4>3 4>2 3>2 2>4", {"kinds": {"4": "M4", "3": "M3"}, "seats": ["M0", "M1"]})
    assert [(token["kind"], token["drawing"]) for token in ring["tokens"]] == [("4", "M4"), ("3", "M3"), ("2", "")]
    assert ring["beaten"] == {"4": ["3", "2"], "3": ["2"], "2": ["4"]}
    assert len(ring["arrows"]) == 4
    assert (ring["body"], ring["size"]) == ("M0", TOKEN / 100)
