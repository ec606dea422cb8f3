"""The page of settings: what can be set by whom, what is sent when it is, and what is searched for."""

from __future__ import annotations

import re
from typing import Any

from controller.rules.mesh import squares
from controller.service.preferences import Preferences
from controller.settings import Settings, on_panel
from tests.web_panel.staged import Stage, geometry, seats, view, you
from tests.web_panel.staged_panel import SEATS, sites

BOARD = geometry(squares(3, 3))


def setting(name: str, kind: str, value: Any, panel: str, **more: Any) -> dict[str, Any]:
    plain = {"default": value, "help": f"Help of {name}.", "choices": [], "low": None, "high": None}
    return {"name": name, "kind": kind, "value": value, "panel": panel, **plain, **more}


FIELDS = [
    setting("brightness", "int", 60, "lights", low=1, high=100),
    setting("max_milliamps", "int", 900, "technical", low=100, high=3000),
    setting("theme", "choice", "calm", "lights", choices=["calm", "own"]),
    setting("blink", "bool", True, "lights"),
    setting("own_colours", "text", "last=#00ff00", "lights"),
    setting("settle_ms", "int", 400, "touches", low=50, high=2000, default=300),
    setting("idle_minutes", "int", 10, "lights", low=1, high=90),
    setting("language", "text", "en", "this_board", default="auto"),
    setting("odd_word", "bool", False, "people"),
    setting("house", "bool", False, "house"),
    setting("house_name", "text", "attic", "house"),
    setting("house_password", "text", "", "technical", given=True),
]
COLOURS = {"may_go": "#0072b2", "last": "#ffcc00"}
OWNER = you("owner")
VALUE = "([id]) => { const e = document.getElementById(id); return e.type === 'checkbox' ? e.checked : e.value; }"
SET = """async ([id, value]) => { const e = document.getElementById(id);
  if (e.type === "checkbox") e.checked = value; else e.value = value;
  for (const kind of ["input", "change"]) e.dispatchEvent(new Event(kind, { bubbles: true }));
  await stage.settled(); }"""
LOOK = """([id]) => { const { type, disabled, placeholder = "", min = "", max = "" } = document.getElementById(id);
  return [type, disabled, placeholder, min, max]; }"""
CLICK = "async ([s]) => { document.querySelector(s).click(); await stage.settled(); }"


def form(**values: Any) -> dict[str, Any]:
    """Return what can be set, with these values."""
    return {
        "fields": [{**each, "value": values.get(each["name"], each["value"])} for each in FIELDS],
        "colours": COLOURS,
    }


def opened(stage: Stage, who: Any = OWNER, given: Any = None, **fields: Any) -> None:
    """Open the page for ``who``, with ``fields`` of the view."""
    house = {"on": False, "told": "", "connected": False, "boards": []}
    stage.open("/settings", {"board": BOARD, "settings": given or form(), "people": [], "house": house})
    stage.js("() => stage.settled()")
    if who:
        stage.send("you", who)
        see(stage, **fields)
        stage.page.wait_for_selector("#house-told", state="attached")
        stage.asked()


def see(stage: Stage, **fields: Any) -> None:
    stage.send("view", view(**{"sites": sites({}), "seats": SEATS, **fields}))


def put(stage: Stage, name: str, value: Any) -> list[Any]:
    """Change one setting; returns what was asked of the service then."""
    stage.js(SET, name if "-" in name else f"set-{name}", value)
    return stage.asked()


def shown(stage: Stage, selector: str) -> bool:
    return bool(stage.js("([s]) => document.querySelector(s).checkVisibility()", selector))


# ---- the form ----


def test_the_form_comes_whole_once_all_is_known_that_it_shows(stage: Stage) -> None:
    opened(stage, None)
    assert not shown(stage, "#settings")
    stage.send("you", OWNER)
    assert not shown(stage, "#settings")
    assert not shown(stage, "#search")
    see(stage)
    assert shown(stage, "#settings")
    assert shown(stage, "#search")
    assert stage.text("#role") == OWNED
    assert stage.texts("#lights .setting > label") == [
        "Brightness", "Colours", "Blinking lights", "Dim after (minutes)",
    ]  # fmt: skip
    assert stage.texts("#people .setting > label") == ["odd word"]  # for which the page has no words
    assert stage.texts("#this_board .setting > label") == ["Language"]
    assert stage.texts("#house .setting > label") == ["Tell the house", "Board's name"]
    assert stage.texts("#touches .setting > label") == ["A move counts after (ms)"]
    assert stage.texts("#technical .setting > label") == ["Current limit (mA)", "Password at the broker"]
    assert stage.text("#set-max_milliamps-help") == "Help of max_milliamps. 100 to 3000."
    assert stage.text("#set-brightness-help") == "Help of brightness."  # as far as the slider goes
    assert stage.text("#set-language-help").startswith("Language of the pages")
    described = "() => document.querySelector('#set-blink').getAttribute('aria-describedby')"
    assert stage.text(f"#{stage.js(described)}") == "Help of blink."
    assert stage.js("() => document.querySelector('#row-blink label').control.id") == "set-blink"


def test_what_a_family_sees_has_no_unit_and_no_word_of_networks(stage: Stage) -> None:
    """Of all settings that there are; the others are for experts."""
    given = {"fields": Preferences(Settings(theme="own")).fields(), "colours": COLOURS}
    opened(stage, given=given)
    labels = "() => [...document.querySelectorAll('#settings label')].filter((e) => e.checkVisibility())"
    seen = stage.js(f"{labels}.map((e) => e.textContent)")
    assert len(seen) > 10
    assert [label for label in seen if re.search(r"_|\((ms|mA)\)|[Bb]roker|[Pp]assword|[Uu]ser", label)] == []
    assert [label for label in seen if label in {name.replace("_", " ") for name in on_panel()}] == []
    stage.js("() => { document.querySelector('#expert').open = true; }")
    rows = set(stage.js(f"{labels}.map((e) => e.control.id)"))
    assert {f"set-{name}" for name, heading in on_panel().items() if heading != "afar"} <= rows | {"set-own_colours"}


def test_each_setting_has_the_control_and_the_value_that_it_has(stage: Stage) -> None:
    opened(stage)
    for name, value in (
        ("brightness", "60"),
        ("theme", "calm"),
        ("blink", True),
        ("house_name", "attic"),
        ("language", "en"),
    ):
        assert stage.js(VALUE, f"set-{name}") == value
    looks = {each["name"]: stage.js(LOOK, f"set-{each['name']}") for each in FIELDS if each["name"] != "own_colours"}
    assert looks["brightness"] == ["range", False, "", "1", "100"]
    assert looks["settle_ms"] == ["number", False, "", "50", "2000"]
    assert looks["blink"][0] == "checkbox"
    assert looks["house_name"] == ["text", False, "", "", ""]
    assert looks["house_password"] == ["password", False, "••••••••", "", ""]
    assert stage.js("() => document.querySelector('#set-house_password').autocomplete") == "off"
    languages = stage.texts("#set-language option")
    assert languages[0] == "same as the phone"
    assert "Deutsch" in languages
    assert stage.texts("#set-theme option") == ["calm", "own"]
    fields = [{**each, "given": False} if each["name"] == "house_password" else each for each in FIELDS]
    opened(stage, given={"fields": fields, "colours": COLOURS})
    assert stage.js(LOOK, "set-house_password")[2] == ""


def test_a_change_is_sent_as_what_it_is_and_what_comes_back_is_shown(stage: Stage) -> None:
    opened(stage)
    stage.answers(settings=form(brightness=30))
    assert put(stage, "brightness", "35") == [["settings", {"values": {"brightness": 35}}]]
    assert stage.js(VALUE, "set-brightness") == "30"  # the service has the last word
    assert put(stage, "blink", value=False) == [["settings", {"values": {"blink": False}}]]
    assert put(stage, "house_password", "secret")[0] == ["settings", {"values": {"house_password": "secret"}}]
    assert put(stage, "theme", "own") == [["settings", {"values": {"theme": "own"}}]]
    for bad in ("49", "2001"):
        assert put(stage, "settle_ms", bad) == []
    stage.answers(settings={"refused": "The disk is full."})
    assert put(stage, "settle_ms", "500") == [["settings", {"values": {"settle_ms": 500}}]]
    assert stage.text("#toast") == "The disk is full."
    assert stage.js(VALUE, "set-settle_ms") == "400"
    stage.answers(settings=form(settle_ms=500))
    put(stage, "settle_ms", "500")
    assert stage.text("#toast") == ""


def test_what_is_not_as_it_came_can_be_set_back(stage: Stage) -> None:
    opened(stage)
    back = "() => [...document.querySelectorAll('.reset')].filter((e) => !e.disabled).map((e) => e.ariaLabel)"
    assert stage.js(back) == ["Reset Language", "Reset A move counts after (ms)", "Reset Password at the broker"]
    stage.answers(settings=form(settle_ms=300))
    stage.js(CLICK, "#row-settle_ms .reset")
    assert stage.asked() == [["settings", {"values": {"settle_ms": None}}]]
    assert stage.js(VALUE, "set-settle_ms") == "300"
    assert stage.js(back) == ["Reset Language", "Reset Password at the broker"]
    stage.js("() => { window.stays = true; }")
    with stage.page.expect_navigation():  # the language is among what is set back
        stage.js("() => { document.querySelector('#reset-all').click(); }")
    assert stage.js("() => window.stays ?? null") is None


def test_everything_that_is_set_back_at_once_is_told_by_name(stage: Stage) -> None:
    opened(stage)
    stage.answers(settings={"refused": "Not now."})
    stage.js(CLICK, "#reset-all")
    assert stage.asked()[0] == ["settings", {"values": {each["name"]: None for each in FIELDS}}]
    assert stage.text("#toast") == "Not now."


def test_another_language_opens_the_page_anew_unless_it_was_refused(stage: Stage) -> None:
    opened(stage)
    stage.js("() => { window.stays = true; }")
    stage.answers(settings={"refused": "Not now."})
    put(stage, "language", "de")
    stage.answers(settings=form())
    put(stage, "blink", value=False)
    assert stage.js("() => window.stays")
    with stage.page.expect_navigation():
        stage.js("() => { const e = document.querySelector('#set-language'); e.value = 'de';"
                 " e.dispatchEvent(new Event('change')); }")  # fmt: skip
    assert stage.js("() => window.stays ?? null") is None


def test_the_house_is_looked_at_again_when_its_settings_change(stage: Stage) -> None:
    opened(stage)
    stage.answers(house={"on": True, "told": "Connected.", "connected": True, "boards": []})
    assert ["house", None] not in put(stage, "blink", value=False)
    assert not shown(stage, "#house-told")
    put(stage, "house", value=True)
    assert stage.text("#house-told") == "Connected. The boards of the house"
    stage.answers(house={"on": True, "told": "Not reached.", "connected": False, "boards": []})
    put(stage, "house_name", "cellar")
    assert stage.text("#house-told").startswith("Not reached.")


def test_a_return_in_a_field_does_not_leave_the_page_and_the_field_stays_in_hand(stage: Stage) -> None:
    opened(stage)
    stage.js("() => { window.stays = true; document.querySelector('#set-house_name').focus(); }")
    prevented = "() => !document.querySelector('#settings').dispatchEvent(new Event('submit', { cancelable: true }))"
    assert stage.js(prevented)
    put(stage, "house_name", "cellar")
    assert stage.js("() => document.activeElement.id") == "set-house_name"  # though the form was made anew


def test_what_comes_first_is_no_matter(stage: Stage) -> None:
    house = {"on": False, "told": "", "connected": False, "boards": []}
    stage.open("/settings", {"board": BOARD, "settings": {"late": form()}, "people": [], "house": house})
    see(stage)
    stage.send("you", OWNER)
    stage.page.wait_for_function("() => stage.held.length")
    assert not shown(stage, "#settings")
    stage.js("async () => { stage.held.pop()(); await stage.settled(); }")
    stage.page.wait_for_selector("#settings")
    # How it stands is told from the beginning.
    stage.page.wait_for_function("() => stage.asked.some(([what]) => what === 'house')")


# ---- who may ----

PLACE = "“For whoever set up this board” at the end of this page says how to become one"
OWNED = "You own this table: only you can change these, and whoever joins with the console's code."


def test_who_is_no_owner_looks_and_may_choose_hints(stage: Stage) -> None:
    for role, hints in (("player", False), ("guest", True)):
        opened(stage, you(role, 0) if role == "player" else you(role), given=form(theme="own"))
        assert stage.text("#role") == f"Only an owner of this table can change these. {PLACE}."
        above = "() => Boolean(role.compareDocumentPosition(document.querySelector('#this-phone')) & 2)"
        assert stage.js(above)  # of this device anybody may change all
        enabled = "() => [...settings.querySelectorAll(':is(input, select, button):enabled')].map((e) => e.id)"
        assert stage.js(enabled) == ([] if hints else ["hints-0", "hints-1"])
        assert bool(stage.texts("#this-phone .who")) == (role == "player")  # a guest is nobody yet
        assert stage.texts("#console-code button") == ["Become an owner, too" if role == "player" else "Join"]
    phones = [{"id": name, "name": name, "owner": name == "Mia", "you": name == "Ben"} for name in ("Mia", "Ben")]
    stage.send("you", you("player", phones=phones))
    lost = f"Where that phone is lost, {PLACE}, too."
    assert stage.text("#role") == f"Only an owner of this table can change these: Mia. {lost}"
    stage.send("you", OWNER)  # an owner lets it in
    assert stage.text("#role") == OWNED
    assert stage.js("() => document.querySelector('#console-code').hidden")
    assert stage.js("() => document.querySelectorAll('#settings :disabled:not(.reset)').length") == 0


def test_news_of_this_phone_leave_what_is_being_typed(stage: Stage) -> None:
    opened(stage)
    stage.js("() => { document.querySelector('#set-house_name').value = 'cel';"
             " document.querySelector('#this-phone input').value = 'An'; }")  # fmt: skip
    stage.send("you", {**OWNER, "phones": ["Ben"]})
    see(stage, sentence="Black to move.")
    assert stage.js("() => document.querySelector('#this-phone input').value") == "An"
    assert stage.js(VALUE, "set-house_name") == "cel"


# ---- own colours, hints, the board, the search ----


def test_own_colours_are_shown_where_they_are_in_use_and_sent_all_together(stage: Stage) -> None:
    opened(stage)
    assert not shown(stage, "#own")
    opened(stage, given=form(theme="own"))
    assert shown(stage, "#own")
    assert stage.texts("#own label") == ["may go", "last"]
    assert [stage.js(VALUE, f"colour-{name}") for name in COLOURS] == ["#0072b2", "#00ff00"]
    assert stage.js("() => document.querySelector('#own label').control.id") == "colour-may_go"
    assert put(stage, "colour-may_go", "#ff0000") == [
        ["settings", {"values": {"own_colours": "last=#00ff00 may_go=#ff0000"}}]
    ]  # fmt: skip
    opened(stage, given=form(theme="own", own_colours=""))
    assert stage.js(VALUE, "colour-last") == "#ffcc00"
    assert put(stage, "colour-last", "#112233")[0] == ["settings", {"values": {"own_colours": "last=#112233"}}]


def test_hints_are_chosen_seat_by_seat_and_follow_what_others_choose(stage: Stage) -> None:
    opened(stage)
    assert stage.texts("#hints label") == ["White", "Black"]
    assert stage.js("() => document.querySelectorAll('#hints label')[1].control.id") == "hints-1"
    levels = "() => [...document.querySelectorAll('#hints select')].map((e) => e.value)"
    before = stage.js(levels)
    assert put(stage, "hints-1", "movable") == [["order", {"do": "hints", "seat": 1, "level": "movable"}]]
    stage.js("() => { window.first = document.querySelector('#hints-0'); first.focus(); }")
    see(stage, sentence="Black to move.")
    assert stage.js("() => first.isConnected")  # a list that is open stays open
    see(stage, seats=tuple({**s, "hints": "threatened"} if n else s for n, s in enumerate(map(told_seat, SEATS))))
    assert stage.js(levels) == [before[0], "threatened"]
    assert stage.js("() => document.activeElement.id") == "hints-0"
    stage.send("you", {**OWNER, "people": {"1": {"name": "Ben", "colour": ""}}})
    assert stage.texts("#hints label") == ["White", "Ben"]
    see(stage, seats=())  # the game is over
    assert not shown(stage, "#hints")


def told_seat(seat: Any) -> dict[str, Any]:
    return dict(view(seats=seats(seat))["seats"][0])


def test_the_board_above_shows_its_lights_and_is_only_looked_at(stage: Stage) -> None:
    opened(stage, sites=sites({}, lit="b2"), brightness=100)
    lit = "() => [...document.querySelectorAll('#board .lit')].map((e) => [e.dataset.site, e.dataset.light])"
    assert stage.js(lit) == [["b2", "#0072b2"]]
    assert stage.js("() => document.querySelectorAll('#board .site[tabindex]').length") == 0
    assert stage.js("() => document.querySelectorAll('#board [aria-label]:not([aria-label=\"\"])').length") == 0
    glow = "() => Number(document.querySelector('#board').style.getPropertyValue('--glow'))"
    assert stage.js(glow) == 1
    see(stage, sites=sites({}), brightness=20)
    assert stage.js(lit) == []
    assert stage.js(glow) == 0.4
    see(stage, sites={})  # of another board, just after a restart
    assert stage.js(lit) == []
    blinking = {name: {"label": name, "light": "#ff0000", "blink": name == "a1"} for name in ("a1", "b1")}
    see(stage, sites=blinking, brightness=0)
    assert stage.js("() => [...document.querySelectorAll('#board .blink')].map((e) => e.dataset.site)") == ["a1"]
    assert stage.js(glow) == 0.25  # a light that is nearly off is seen on the screen


def test_a_search_shows_what_has_the_words_in_its_name_or_help(stage: Stage) -> None:
    opened(stage)
    search = """async ([text]) => { const e = document.querySelector("#search input"); e.value = text;
      e.dispatchEvent(new Event("input", { bubbles: true })); await stage.settled(); }"""
    found = (
        "() => [...document.querySelectorAll('#settings .setting')].filter((e) => e.checkVisibility()).map((e) => e.id)"
    )
    everything = stage.js(found)
    assert "row-settle_ms" not in everything  # for experts
    stage.js(search, "  SETTLE ")
    assert stage.js(found) == ["row-settle_ms"]
    empty = "() => [...document.querySelectorAll('fieldset.nothing')].map((e) => e.id)"
    assert sorted(stage.js(empty)) == [
        "hints", "house", "lights", "own", "people", "sound", "technical", "this_board",
    ]  # fmt: skip
    stage.js(search, "help of house_name")
    assert stage.js(found) == ["row-house_name"]
    put(stage, "house_name", "cellar")
    assert stage.js(found) == ["row-house_name"]  # also once it was changed
    stage.js(search, "help of house")
    assert stage.js(found) == ["row-house", "row-house_name", "row-house_password"]
    for words, name in (("idle", "idle_minutes"), ("MAX", "max_milliamps"), ("dim after", "idle_minutes")):
        stage.js(search, words)  # also by what it is called in the settings file
        assert stage.js(found) == [f"row-{name}"]
    stage.js(search, "")
    assert stage.js(found) == [*everything, "row-settle_ms", "row-max_milliamps", "row-house_password"]
    stage.js("() => { document.querySelector('#expert').open = false; }")
    stage.js(search, "")
    assert stage.js(found) == everything
    assert sorted(stage.js(empty)) == ["own", "sound"]
