"""Who has joined is asked for a name until there is one, or until nobody wants to be asked."""

from __future__ import annotations

from typing import Any

from controller.rules.game import Share
from tests.web_panel.staged import view, you
from tests.web_panel.staged_panel import BLACK, BOARD, WHITE, Panel
from web_panel.language import JOINED

ME = {"id": "1", "name": "Phone 1", "owner": False, "you": True}
BOX = "#joining button"


def opened(panel: Panel, kept: dict[str, Any] | None = None, **me: Any) -> None:
    panel.open(you("player", WHITE, phones=[ME], **me), kept=kept)
    panel.stage.js("() => stage.settled()")


def test_who_holds_a_seat_without_a_name_is_asked_on_every_day(panel: Panel) -> None:
    opened(panel)
    panel.stage.page.wait_for_selector(BOX)  # its script comes now
    assert panel.stage.texts(BOX) == ["Enter your name", "Play without a name"]
    panel.stage.answers(people=[])
    panel.press("Enter your name", "#joining")
    panel.stage.page.wait_for_selector("#joining input[name=person]")
    panel.stage.js("() => { document.querySelector('#joining input[name=person]').value = 'Ann'; }")
    panel.stage.answers(me={"id": "7", "name": "Ann", "colour": ""})
    panel.stage.asked()
    panel.press("Save", "#joining")
    assert panel.stage.asked()[0] == ["me", {"name": "Ann", "colour": ""}]
    panel.stage.send("you", you("player", WHITE, phones=[ME], profile="7"))
    assert panel.stage.texts(BOX) == []


def test_the_question_stays_until_the_own_first_move_not_only_until_the_others(panel: Panel) -> None:
    panel.open(you("player", BLACK, phones=[ME]))
    panel.stage.page.wait_for_selector(BOX)
    made = [{"seat": WHITE, "text": "c3-c4", "words": "c3 to c4"}]
    panel.shows(plies=made)
    assert panel.stage.texts(BOX) == ["Enter your name", "Play without a name"]
    panel.shows(plies=[*made, {"seat": BLACK, "text": "c6-b5", "words": "c6 to b5"}])
    assert panel.stage.texts(BOX) == []  # now what to do has the room


def test_on_a_low_window_what_to_do_has_the_room_until_the_own_first_move(panel: Panel) -> None:
    panel.stage.page.set_viewport_size({"width": 320, "height": 568})
    panel.open(you("player", BLACK, phones=[ME]))
    panel.stage.js("() => stage.settled()")
    made = [{"seat": seat, "text": "c3-c4", "words": "c3 to c4"} for seat in (WHITE, BLACK)]
    for count, asked in enumerate(([], [], ["Enter your name", "Play without a name"])):
        panel.shows(plies=made[:count])
        assert [text for text in panel.stage.texts(BOX) if text != "Join"] == asked, count
    panel.shows(plies=[*made, *made])
    assert panel.stage.texts(BOX) == []
    panel.stage.page.set_viewport_size({"width": 1000, "height": 900})  # as the stories after this have it


def test_who_has_a_name_is_not_asked(panel: Panel) -> None:
    opened(panel, profile="7")
    assert panel.stage.texts(BOX) == ["Join"]  # the page's own button for guests, which is hidden
    assert panel.stage.text("#joining") == ""


def test_who_wants_no_name_is_not_asked_again(panel: Panel) -> None:
    opened(panel)
    panel.stage.page.wait_for_selector(BOX)
    panel.press("Play without a name", "#joining")
    assert panel.stage.text("#joining") == ""
    assert panel.stage.js("() => JSON.parse(localStorage.beaconboard).nameless")
    opened(panel, kept={"nameless": True})
    panel.stage.page.wait_for_function("() => document.querySelector('#joining').childElementCount === 0")
    assert panel.stage.text("#joining") == ""


LATER_MS = 21_000
FORM = "#joining input[name=person]"
LATER = "#joining .choices button:nth-child(2)"


def joined(panel: Panel, *seats: int, kept: dict[str, Any] | None = None, later_ms: int = LATER_MS) -> None:
    """Let a guest in, who takes the ``seats`` or just watches, and a while pass."""
    panel.open(you("guest", asked={"site": "a1", "label": "a1", "answered": False}), kept=kept, answers={"people": []})
    panel.stage.page.wait_for_selector("#joining [role=status]")
    panel.stage.page.clock.install()
    panel.stage.send("you", you("player", phones=[ME]))
    assert "Play without a name" not in panel.stage.texts(BOX)  # one question at a time
    if seats:
        panel.stage.send("you", you("player", *seats, phones=[ME]))
        panel.waits_for(LATER)
    elif not kept:
        panel.press("Just watch", "#joining")
    panel.stage.page.clock.fast_forward(later_ms)
    panel.stage.js("() => stage.settled()")


def test_a_name_is_asked_until_it_is_given_or_refused(panel: Panel) -> None:
    joined(panel, WHITE)
    assert "You are in." not in panel.stage.text("#joining")
    assert panel.stage.page.locator(FORM).count() == 0  # it would lie over the board of a game
    panel.press("Enter your name", "#joining")
    panel.waits_for(FORM)
    tops = panel.stage.js("() => [...document.querySelectorAll('#joining .swatches input')].map((e) => e.offsetTop)")
    assert (len(tops), len(set(tops))) == (8, 1)  # the colours take one line, so that all else is in sight
    panel.press("Play without a name", "#joining")
    assert panel.stage.page.locator(FORM).count() == 0
    assert panel.stage.js("() => JSON.parse(localStorage.beaconboard).nameless")


def test_the_form_stands_before_a_game_and_folds_as_one_begins_but_for_who_writes(panel: Panel) -> None:
    for writes in (False, True):
        joined(panel)
        panel.shows(phase="idle")
        panel.waits_for(FORM)
        if writes:
            panel.stage.page.locator(FORM).fill("An")
        panel.shows(phase="play")
        assert panel.stage.page.locator(FORM).count() == int(writes)
    assert panel.stage.js("() => document.querySelector('#joining input[name=person]').value") == "An"


def test_who_joins_at_a_game_that_is_over_is_asked_for_a_name_nobody_else_then(panel: Panel) -> None:
    over: dict[str, Any] = {"phase": "over", "game_id": 7}
    asked = {"site": "a1", "label": "a1", "answered": False}
    panel.open(you("guest", asked=asked), answers={"people": []}, **over)
    panel.stage.send("you", you("player", phones=[ME]))
    panel.waits_for(LATER)
    assert panel.stage.texts(BOX) == ["Enter your name", "Play without a name"]
    panel.stage.passes(60_000)  # and stays asked: nobody has answered
    assert panel.stage.texts(BOX) == ["Enter your name", "Play without a name"]
    assert "You are in." not in panel.stage.text("#joining")
    panel.press("Enter your name", "#joining")
    panel.waits_for(FORM)
    panel.open(you("player", phones=[ME]), answers={"people": []}, **over)
    assert panel.stage.text("#joining") == ""  # others have just ended theirs


def test_who_takes_a_seat_is_asked_still(panel: Panel) -> None:
    joined(panel, WHITE)
    assert panel.stage.texts(BOX) == ["Enter your name", "Play without a name"]
    panel.press("Enter your name", "#joining")
    panel.stage.send("you", you("player", WHITE, phones=[ME], profile="7"))
    assert panel.stage.text("#joining") == ""


def test_who_comes_when_a_game_is_over_is_asked_and_who_played_it_is_not(panel: Panel) -> None:
    panel.open(you("guest", asked={"site": "a1", "label": "a1", "answered": False}), phase="over")
    panel.stage.page.wait_for_selector("#joining [role=status]")
    panel.stage.send("you", you("player", phones=[ME]))
    assert panel.stage.texts(BOX) == ["Enter your name", "Play without a name"]
    opened(panel)
    panel.stage.page.wait_for_selector(BOX)
    panel.shows(phase="over")
    assert panel.stage.texts(BOX) == []


def test_who_has_refused_once_is_asked_nothing_on_coming_in_again(panel: Panel) -> None:
    joined(panel, kept={"nameless": True}, later_ms=0)
    assert "You are in." in panel.stage.text("#joining")
    assert panel.stage.page.locator(FORM).count() == 0


def test_the_first_phone_hears_no_more_of_it_than_all_others(panel: Panel) -> None:
    """Whose the table is stands on the page of its people: nobody needs it to play."""
    joined(panel, kept={"nameless": True}, later_ms=0)
    panel.stage.send("you", you("guest"))
    panel.stage.send("you", you("owner", phones=[ME]))
    assert panel.stage.texts("#joining p")[0] == "You are in."


COMPUTER = you("owner")  # the browser of this very machine: it is let in unasked, and is no phone


def test_the_computer_that_runs_the_board_is_asked_as_a_phone_is_until_it_is_answered(panel: Panel) -> None:
    for seats in ((), (WHITE,)):
        me = you("owner", *seats, phones=[{**ME, "id": "local"}] if seats else [])
        panel.open(me)
        assert panel.stage.js("() => document.querySelector('#joining').hidden")  # in a game it is in no one's way
        panel.shows(phase="idle")
        panel.stage.page.wait_for_selector(BOX)  # its script comes now
        assert panel.stage.texts("#joining p") == ["Who plays on this device?"]
        assert panel.stage.texts(BOX) == ["Enter your name", "Play without a name"]  # of sides it is asked nothing
        panel.press("Play without a name", "#joining")
        assert panel.stage.text("#joining") == ""
    panel.open(COMPUTER, kept={"nameless": True})
    assert panel.stage.text("#joining") == ""
    panel.open({**COMPUTER, "profile": "7"})
    assert panel.stage.text("#joining") == ""


def test_the_computer_tells_the_board_after_its_start_who_was_there(panel: Panel) -> None:
    panel.stage.open("/", {"board": BOARD}, {"name": "Ann", "profile": "7"})
    panel.stage.send("open")
    panel.stage.send("you", COMPUTER)
    assert ["me", {"profile": "7"}] in panel.stage.asked()
    panel.stage.send("you", {**COMPUTER, "name": "This computer 2"})
    assert panel.stage.asked() == []
    panel.stage.send("view", view(phase="idle"))
    assert panel.stage.texts(BOX) == ["Enter your name", "Play without a name"]  # if the board no longer knows
    panel.stage.send("you", {**COMPUTER, "profile": "7"})
    assert panel.stage.text("#joining") == ""


def test_who_only_watches_is_not_asked_for_a_name(panel: Panel) -> None:
    both = {"0": "Ann", "1": "Ben"}
    panel.open(you("guest", asked={"site": "a1", "label": "a1", "answered": False}, held=both))
    panel.stage.page.wait_for_selector("#joining [role=status]")
    panel.stage.send("you", you("player", phones=[ME], held=both))  # just let in, and all seats are taken
    panel.stage.page.wait_for_selector("#joining .fetched button")
    panel.press("Just watch", "#joining")
    assert panel.stage.text("#joining") == "You are in."
    panel.stage.send("you", you("player", BLACK, phones=[ME], held=both))
    assert panel.stage.texts(BOX) == ["Enter your name", "Play without a name"]


def test_a_page_that_does_not_watch_the_table_says_while_it_is_seen_that_its_phone_is_here(panel: Panel) -> None:
    """Else the others read that who looks something up is away."""
    stage = panel.stage
    for path in ("/history", "/puzzles", "/afar"):
        stage.open(path)
        stage.asked()
        stage.passes(4_100)
        assert stage.asked().count(["here", {}]) == 1, path
        stage.passes(4_100)
        assert stage.asked() == [["here", {}]]
    stage.js("() => Object.defineProperty(document, 'hidden', { value: true })")
    stage.passes(12_000)
    assert stage.asked() == []
    stage.open("/history", {"here": "away"})  # it is restarted just now
    stage.passes(8_200)
    assert stage.asked().count(["here", {}]) == 2


def test_names_are_told_together_as_people_say_them(panel: Panel) -> None:
    opened(panel)
    told = """async ([lang, joined]) => {
      document.documentElement.lang = lang;
      document.getElementById("messages")?.remove();
      document.body.insertAdjacentHTML("beforeend", `<script type="application/json" id="messages">{}</script>`);
      document.getElementById("messages").dataset.joined = JSON.stringify(joined); // as in the page in that language
      const { all, t } = await import("/static/common/text.js?" + lang);
      const together = [["Ann"], ["Ann", "Ben"], ["Ann", "Ben", "Cid"]].map((names) => all(names));
      return [...together, ...["Ann", "a3"].map((name) => t("place de {name}", { name }))];
    }"""
    en, de, fr = (panel.stage.js(told, lang, JOINED.get(lang, [])) for lang in ("en", "de", "fr"))
    assert en == ["Ann", "Ann and Ben", "Ann, Ben and Cid", "place de Ann", "place de a3"]
    assert de == ["Ann", "Ann und Ben", "Ann, Ben und Cid", "place de Ann", "place de a3"]
    assert fr == ["Ann", "Ann et Ben", "Ann, Ben et Cid", "place d’Ann", "place de a3"]


def test_a_phone_that_comes_from_a_game_of_more_has_no_name_in_one_of_two(panel: Panel) -> None:
    """Its page had ended in an error where the new game was told before which seats the phone has in it."""
    ahead = Share("bid", 12, ("White", "Black"), "Share 12 units among all.", ahead=True)
    panel.open(you("player", 3, phones=[ME]), phase="play", share=ahead)
    panel.shows(winner=WHITE, phase="over")
    assert panel.stage.faults == []
