"""The dialog for a new game: what is offered, asked and refused, and what is ordered of the service."""

from __future__ import annotations

from typing import Any

from controller.panel.game_info import field
from controller.rules.options import Described
from tests.web_panel.staged import plies, you
from tests.web_panel.staged import view as panel_view
from tests.web_panel.staged_panel import BLACK, START, WHITE, Panel, told

PLAYERS = field(Described("players", "int", 2, "How many play.", low=2, high=4))
SIDE = field(Described("side", "int", 6, "Cells a side.", low=4, high=12))
GAMES: list[dict[str, Any]] = [
    {"name": "tides-of-war", "title": "Tides of War", "blurb": "Turn the tide.", "minutes": 20, "complexity": 2,
     "seats": ["White", "Black"], "begins": 1, "players_option": "", "options": []},
    {"name": "circle", "title": "Circle", "blurb": "Round and round.", "minutes": 45, "complexity": 3,
     "seats": ["White", "Black", "Blue", "Orange"], "begins": 0, "players_option": "players",
     "options": [
         SIDE, PLAYERS, field(Described("start", "choice", "open", "", choices=("closed", "open", 3))),
         field(Described("swap", "bool", True, "")), field(Described("least", "int", 1, "", low=1)),
     ]},
    {"name": "beacons", "title": "Beacons", "blurb": "Lights on hills.", "minutes": 30, "complexity": 4,
     "seats": ["Player 1", "Player 2"], "begins": None, "players_option": "",
     "options": [SIDE, field(Described("most", "int", 9, "", high=9)), field(Described("free", "int", 0, "")),
                 field(Described("toast", "text", "water", "What to drink to."))]},
    {"name": "moon", "title": "Moon", "blurb": "", "minutes": 5, "complexity": 3, "seats": ["White", "Black"],
     "begins": 0, "players_option": "", "options": [], "fits": False, "boards": ["hex19"]},
]  # fmt: skip
LEVELS = [{"level": 1, "name": "Beginner", "line": "Is easy."}, {"level": 3, "name": "Player", "line": "Looks far."}]
REACHED = {"name": "circle", "level": 2, "lesson": True, "solved": []}
BOTH = {"0": "Ann", "1": "Ben"}
HERE = {"away": False, "seats": []}
NOW = "1970-01-01 00:00:00"  # by the stage's clock
CHECKED = "() => document.querySelector('#games :checked')?.value ?? ''"
SET = """async ([name, value]) => { const e = document.querySelector(`#dialog [name="${name}"]`);
  if (e.type === "checkbox") e.checked = value; else e.value = value;
  for (const kind of ["input", "change"]) e.dispatchEvent(new Event(kind, { bubbles: true }));
  await stage.settled(); }"""
PLAYS = """async ([seat, level]) => { const e = document.querySelectorAll('#players [name=player]')[seat];
  e.value = level; e.dispatchEvent(new Event("change", { bubbles: true })); await stage.settled(); }"""
SHOWN = """([name]) => document.querySelector(`#dialog [name="${name}"]`)?.checkVisibility() ?? false"""


def dialog(
    panel: Panel, games: Any = None, levels: Any = None, progress: Any = None, held: Any = None,
    kept: Any = None, away: Any = (), own: Any = (WHITE,), phones: Any = (), line: Any = (), **fields: Any,
) -> None:  # fmt: skip
    """Open the dialog at a table where ``held`` says which phone holds which seat, with ``fields`` of the view."""
    answers = {"games": GAMES if games is None else games, "levels": LEVELS if levels is None else levels}
    people = {seat: {"name": name, "colour": ""} for seat, name in (held or {}).items()}
    who = you("player", *own, held=held or {}, people=people, away=list(away), phones=list(phones), line=list(line))
    panel.open(who, kept=kept, answers=answers | {"progress": progress}, **fields)
    panel.press("New game")
    panel.waits_for("#dialog[open]")
    panel.waits_for("#learn")
    panel.stage.asked()


def choose(panel: Panel, game: str) -> None:
    panel.stage.js("([value]) => document.querySelector(`#games [value='${value}']`).click()", game)


def put(panel: Panel, **values: Any) -> None:
    """Fill fields of the form in, as a person does."""
    for name, value in values.items():
        panel.stage.js(SET, name, value)


def shown(panel: Panel, *names: str) -> list[bool]:
    return [bool(panel.stage.js(SHOWN, name)) for name in names]


def start(panel: Panel, press: str = "Start") -> Any:
    """Press the button that starts; returns what was ordered, None where nothing was."""
    panel.press(press, "#dialog")
    return next((body for path, body in panel.stage.asked() if path == "order"), None)


def is_open(panel: Panel) -> bool:
    return bool(panel.stage.js("() => document.querySelector('#dialog').open"))


# ---- which game ----


def test_the_game_that_was_played_is_chosen_and_one_that_does_not_fit_cannot_be(panel: Panel) -> None:
    dialog(panel, game="circle", progress={"games": [REACHED], "streak": 0, "today": None})
    assert panel.stage.js(CHECKED) == "circle"
    unfit = "() => [...document.querySelectorAll('.card')].map((e) => [e.matches('.unfit'), e.firstChild.disabled])"
    assert panel.stage.js(unfit) == [[False, False]] * 3 + [[True, True]]
    assert panel.stage.texts("#games .reached") == ["✓ lesson done, level 2 beaten"]
    assert "Circle" in panel.stage.texts("#games label:has(.reached)")[0]
    assert panel.stage.text("#rules") == "How to play"
    address = "() => document.querySelector('#rules').getAttribute('href')"
    assert panel.stage.js(address) == "/rules/circle"
    choose(panel, "beacons")
    assert panel.stage.js(address) == "/rules/beacons"
    panel.press("Cancel", "#dialog")
    assert not is_open(panel)
    assert panel.stage.asked() == []
    dialog(panel, game="moon")  # of another board, say
    assert panel.stage.js(CHECKED) == "tides-of-war"
    dialog(panel, games=GAMES[::-1], game="")
    assert panel.stage.js(CHECKED) == "beacons"  # the first that fits


def test_where_no_game_fits_nothing_can_be_started(panel: Panel) -> None:
    dialog(panel, games=GAMES[3:])
    assert panel.stage.js(CHECKED) == ""
    assert panel.stage.js("() => document.querySelector('#start').disabled")
    assert panel.stage.text("#rules") == ""
    assert panel.stage.text("#blurb") == ""
    assert panel.stage.text("#begins") == ""


def test_a_game_says_how_long_it_takes_who_plays_and_who_begins(panel: Panel) -> None:
    dialog(panel)
    assert panel.stage.text("#blurb") == "Turn the tide. About 20 minutes. Players: White, Black."
    assert panel.stage.text("#begins") == "Black begins, at the bottom of the board."
    choose(panel, "circle")
    assert panel.stage.text("#blurb") == "Round and round. About 45 minutes."  # who plays depends on how many do
    choose(panel, "beacons")
    assert panel.stage.text("#blurb") == "Lights on hills. About 30 minutes."  # "Player 1" says nothing
    assert panel.stage.text("#begins") == "The bids decide who begins."


def test_the_lesson_is_that_of_the_chosen_game(panel: Panel) -> None:
    dialog(panel)
    choose(panel, "circle")
    panel.press("Learn it", "#dialog")
    assert panel.stage.asked() == [["order", {"do": "start_lesson", "over": 1, "game": "circle"}]]
    assert not is_open(panel)


# ---- is it to be left ----


def test_a_game_that_is_being_played_is_left_only_after_a_question(panel: Panel) -> None:
    on = {"plies": plies("c3-d3"), "game": "tides-of-war"}
    dialog(panel, **on)
    assert start(panel) is None
    assert panel.stage.text("#refusal") == (
        "Tides of War is being played: it stays among the games played, and can be resumed. Start another one?"
    )
    choose(panel, "circle")
    assert panel.stage.text("#refusal") == ""
    assert start(panel, "Start anyway")["game"] == "circle"
    assert not is_open(panel)
    panel.press("New game")  # asks anew the next time
    panel.waits_for("#dialog[open]")
    assert start(panel) is None
    lesson = {"sentence": "Lift.", "step": 1, "steps": 3, "next": True, "puzzle": "", "over": False, "told": False}
    for nothing_to_leave in ({"plies": ()}, {"phase": "over"}, {"phase": "idle"}, {"lesson": lesson}):
        dialog(panel, **on | nothing_to_leave)
        assert start(panel)["do"] == "new_game", nothing_to_leave


def test_the_button_that_asks_is_the_bright_one_and_no_other_takes_its_answer(panel: Panel) -> None:
    dialog(panel, plies=plies("c3-d3"), game="tides-of-war")
    bright = (
        "() => [...document.querySelectorAll('#start, #learn, #solo')]"
        ".filter((e) => e.matches('.primary')).map((e) => e.textContent)"
    )
    assert start(panel, "Learn it") is None
    assert panel.stage.text("#refusal").endswith("Begin the lesson?")
    assert panel.stage.js(bright) == ["Learn it anyway"]
    assert start(panel, "Start") is None
    assert panel.stage.text("#refusal").endswith("Start another one?")
    assert panel.stage.js(bright) == ["Start anyway"]
    assert start(panel, "Against the board, level 1") is None
    assert panel.stage.js(bright) == ["Against the board anyway"]
    assert start(panel, "Learn it") is None
    assert start(panel, "Learn it anyway")["do"] == "start_lesson"


def test_nobody_who_has_sat_down_is_unseated_without_a_question(panel: Panel) -> None:
    for held, asks in (({"0": "Ann"}, False), (BOTH, True)):
        dialog(panel, held=held, plies=(), game="circle")
        assert (start(panel, "Against the board, level 1") is None) == is_open(panel) == asks
    assert start(panel, "Against the board anyway")["opponents"]["levels"] == [0, 1]


def test_who_may_not_begin_over_the_game_of_others_is_told_so_at_once(panel: Panel) -> None:
    why = "Mia plays here: only they, or who owns this table, can begin another game."
    until = "Ask them, or wait until they have been away for ten minutes."
    mia = {"held": {"0": "Mia"}, "people": {"0": {"name": "Mia", "colour": ""}}, "again": [0]}
    who = you("player", barred=True, **mia)
    left = {"id": 5, "game": "circle", "title": "Circle", "players": "Ann", "started": "2026-01-02 10:00:00"}
    reached = {"name": "circle", "lesson": True, "level": 2, "solved": []}
    progress = {"games": [reached], "left": [{**left, "count": 4, "others": False}]}
    panel.open(who, answers={"games": GAMES, "levels": LEVELS, "progress": progress}, plies=plies("c3-d3"))
    panel.press("New game")
    panel.waits_for("#dialog[open]")
    assert panel.stage.text("#refusal").startswith(f"{why} {until}")
    panel.waits_for("#games .reached")  # what was left is known by then, too
    assert panel.stage.texts("#left button") == []
    for game in ("circle", "tides-of-war"):
        choose(panel, game)
        open_still = "() => ['#start', '#learn', '#solo', '#solve'].filter((e) => !document.querySelector(e).disabled)"
        assert panel.stage.js(open_still) == [], game
    free = {**who, "barred": False, "held": {}, "people": {}, "again": []}
    panel.stage.send("you", free)  # she has given up while somebody still chooses
    assert panel.stage.js(open_still) == ["#start", "#learn", "#solo", "#solve"]
    assert panel.stage.text("#refusal") == ""
    assert panel.stage.texts("#left button")[0].startswith("Go on with Circle")
    panel.stage.send("you", who)
    assert panel.stage.js(open_still) == []
    assert panel.stage.text("#refusal").startswith(why)
    panel.stage.asked()
    panel.press("I am Mia", "#refusal")  # what this phone can do
    assert panel.stage.asked() == [["seat/again", {"seat": 0}]]
    assert not is_open(panel)


def test_a_game_that_has_just_begun_and_in_which_others_sit_is_swept_away_by_no_lesson_unasked(panel: Panel) -> None:
    others = "Circle has just begun at this board, and others sit at it. Start anyway?"
    answers = {"games": GAMES, "levels": LEVELS}
    on: dict[str, Any] = {"plies": (), "game": "circle", "title": "Circle"}
    for seats, label, asked in (
        ((), "Learn it", True), ((), "Start", True), ((WHITE,), "Learn it", True), ((WHITE,), "Start", False),
        ((WHITE, BLACK), "Learn it", False),  # nobody else has a seat
    ):  # fmt: skip
        panel.open(you("player", *seats, held=BOTH, away=[WHITE, BLACK]), answers=answers, **on)
        panel.press("New game")
        panel.waits_for("#dialog[open]")
        panel.stage.asked()
        assert (start(panel, label) is None) == asked, (seats, label)
        assert panel.stage.text("#refusal") == (others if asked else "")


def test_who_was_asked_about_a_game_is_asked_anew_about_the_one_that_has_come_in_its_place(panel: Panel) -> None:
    meanwhile = "Another game has begun at this board meanwhile: look again."
    answers = {"games": GAMES, "levels": LEVELS, "order": {"refused": meanwhile}}
    panel.open(you("player"), answers=answers, game_id=4, title="Circle", plies=plies("c3-d3"))
    panel.press("New game")
    panel.waits_for("#dialog[open]")
    panel.stage.asked()
    assert start(panel) is None
    assert start(panel, "Start anyway")["over"] == 4
    panel.waits_for("#refusal:not(:empty)")
    assert panel.stage.text("#refusal") == meanwhile
    panel.stage.send("you", you("player", held={"0": "Ben"}))
    panel.shows(game_id=5, title="Beacons", plies=())
    assert start(panel, "Start anyway") is None
    assert panel.stage.text("#refusal").startswith("Beacons has just begun at this board, and others sit at it.")
    panel.stage.answers(order={})
    assert start(panel, "Start anyway")["over"] == 5


def test_what_others_begin_while_the_form_is_open_is_asked_about_too(panel: Panel) -> None:
    panel.open(you("player"), answers={"games": GAMES, "levels": LEVELS}, phase="idle")
    panel.press("New game")
    panel.waits_for("#dialog[open]")
    panel.stage.asked()
    panel.shows(phase="play", game="circle", title="Circle", plies=plies("c3-d3"))
    assert start(panel, "Learn it") is None
    assert panel.stage.text("#refusal").endswith("Begin the lesson?")
    assert start(panel, "Learn it anyway")["do"] == "start_lesson"


def test_a_lesson_that_somebody_else_may_be_in_is_left_only_after_a_question(panel: Panel) -> None:
    lesson = {"sentence": "Lift.", "step": 2, "steps": 3, "next": True, "puzzle": "", "over": False, "told": False}
    phones = [{"id": name, "name": name, "owner": False, "you": name == "Ann", **HERE} for name in BOTH.values()]
    panel.open(you("player", phones=phones), answers={"games": GAMES, "levels": LEVELS}, lesson=lesson, game="circle")
    panel.press("New game")
    panel.waits_for("#dialog[open]")
    panel.stage.asked()
    assert start(panel) is None
    assert panel.stage.text("#refusal") == "A lesson is going on at this board, and would end. Start anyway?"
    assert start(panel, "Start anyway")["game"] == "circle"


def test_also_a_game_that_was_left_takes_the_place_of_another_only_after_a_question(panel: Panel) -> None:
    left = [{"id": 5, "game": "circle", "title": "Circle", "count": 3, "players": "against Ben", "started": ""}]
    progress = {"games": [], "left": left, "streak": 0, "today": None}
    dialog(panel, progress=progress, plies=plies("c3-d3"), game="tides-of-war")
    panel.press("Go on with Circle Against Ben", "#dialog")
    assert panel.stage.text("#sure-question").startswith("Tides of War is being played")
    assert panel.stage.asked() == []
    panel.press("Go on with Circle", "#sure")
    assert panel.stage.asked() == [["order", {"do": "resume", "game_id": 5}]]


def test_a_game_that_others_have_left_goes_on_only_after_a_question(panel: Panel) -> None:
    left = [{"id": 5, "game": "circle", "title": "Circle", "count": 3, "players": "Ben against Cy", "started": ""}]
    dialog(
        panel, progress={"games": [], "left": [{**left[0], "others": True}], "streak": 0, "today": None}, phase="idle"
    )
    panel.press("Go on with Circle Ben against Cy", "#dialog")
    panel.waits_for("#sure")
    assert panel.stage.text("#sure-question") == "Others play this game: Ben against Cy. Go on with it?"
    assert panel.stage.asked() == []
    panel.press("Go on", "#sure")
    assert panel.stage.asked() == [["order", {"do": "resume", "game_id": 5}]]


def test_the_question_over_a_game_names_who_plays_along(panel: Panel) -> None:
    dialog(panel, held=BOTH, plies=plies("c3-d3"), game="tides-of-war")
    assert start(panel) is None
    assert panel.stage.text("#refusal").startswith("Others are playing here: Ben. Tides of War is being played")


def test_two_games_of_one_kind_are_told_apart_by_who_plays_and_when_they_were_begun(panel: Panel) -> None:
    first: dict[str, Any] = {"id": 5, "game": "circle", "title": "Circle", "count": 3, "players": "", "started": NOW}
    second = first | {"id": 6, "players": "against the board (level 2)", "started": "1969-12-31 00:00:00"}
    third = first | {"id": 7, "players": "Ann against Ben", "started": "1969-03-04 00:00:00"}
    dialog(panel, progress={"games": [], "left": [first, second, third], "streak": 0, "today": None})
    clock = panel.stage.js("() => new Date(0).toLocaleTimeString([], { timeStyle: 'short' })")
    day = panel.stage.js("() => new Date('1969-03-04T00:00Z').toLocaleDateString([], { dateStyle: 'medium' })")
    assert panel.stage.texts("#left small") == [
        f"Today, {clock}", f"Against the board (level 2), yesterday, {clock}", f"Ann against Ben, {day}, {clock}",
    ]  # fmt: skip


def test_at_the_start_of_who_has_left_a_lesson_it_is_asked_before_it_ends_for_others(panel: Panel) -> None:
    lesson = {"sentence": "Lift.", "step": 2, "steps": 3, "next": True, "puzzle": "", "over": False, "told": False}
    phones = [{"id": name, "name": name, "owner": False, "you": name == "Ann", **HERE} for name in BOTH.values()]
    who = you("player", phones=phones)
    table: dict[str, Any] = {"lesson": lesson, "game": "circle"}
    panel.open(who, kept={"left": "1"}, answers={"games": GAMES, "levels": LEVELS}, **table)
    panel.waits_for("#lobby:not([hidden])")
    panel.press("Play: Circle", "#lobby")
    panel.stage.page.wait_for_function("stage.sources.length > 1")  # it looks what is on the table now
    panel.stage.send("you", who)
    panel.stage.send("view", panel_view(**table))
    assert panel.stage.text("#sure-question") == "A lesson is going on at this board, and would end. Start anyway?"
    panel.press("Cancel", "#sure")
    panel.press("New game")
    panel.waits_for("#dialog[open]")
    panel.stage.asked()
    assert start(panel) is None


def test_taken_pieces_lie_beside_a_board_and_not_below_the_choice_of_games(panel: Panel) -> None:
    pieces = told(START, off={"c3": ("b2", BLACK, "stone")})
    on = "() => document.querySelector('#tray').checkVisibility({ visibilityProperty: true })"
    panel.open(hand=pieces, answers={"games": GAMES}, phase="play")
    assert panel.stage.js(on)
    panel.shows(phase="idle")
    panel.waits_for("#lobby:not([hidden])")
    assert not panel.stage.js(on)


def test_a_refusal_is_told_in_the_dialog_and_gone_with_the_next_try(panel: Panel) -> None:
    dialog(panel)
    panel.stage.answers(order={"refused": "The board has no pieces."})
    start(panel)
    assert panel.stage.text("#refusal") == "The board has no pieces."
    assert is_open(panel)
    panel.stage.answers(order={"late": {}})
    start(panel)
    assert panel.stage.text("#refusal") == ""
    panel.stage.js("() => stage.held.pop()()")
    panel.stage.js("() => stage.settled()")
    assert not is_open(panel)


# ---- its options ----


def test_options_have_their_bounds_and_are_ordered_as_what_they_are(panel: Panel) -> None:
    dialog(panel, game="circle")
    assert panel.stage.texts("#options > .field > small")[:2] == ["Cells a side. 4 to 12", "How many play. 2 to 4"]
    assert panel.stage.texts("#options summary") == ["More options (2)"]
    assert shown(panel, "side", "players", "start", "swap", "least") == [True, True, True, False, False]
    panel.stage.js("() => { document.querySelector('#options details').open = true; }")
    assert panel.stage.texts("#options details small") == ["", "at least 1"]
    panel.stage.js("() => { document.querySelector('#options details').open = false; }")
    for bad in ({"side": "3"}, {"side": "13"}, {"side": ""}, {"side": "5.5"}, {"side": "6", "least": "0"}):
        put(panel, **bad)
        assert start(panel) is None, bad
    assert shown(panel, "least") == [True]  # what keeps it back is to be seen
    put(panel, side="12", least="500", start="2")
    order = start(panel)
    assert order["options"] == {"side": 12, "players": 2, "start": 3, "swap": True, "least": 500}
    assert not {"clock", "match", "opponents"} & set(order)
    assert order["seats"] == "keep"
    dialog(panel, game="circle")
    put(panel, swap=False)
    assert start(panel)["options"] == {"side": 6, "players": 2, "start": "open", "swap": False, "least": 1}


def test_one_option_more_than_few_needs_no_line_of_its_own(panel: Panel) -> None:
    dialog(panel, game="beacons")
    assert panel.stage.texts("#options summary") == []
    assert panel.stage.texts("#options small") == ["Cells a side. 4 to 12", "at most 9", "", "What to drink to."]
    put(panel, toast="tea", most="-5", free="70")
    assert start(panel)["options"] == {"side": 6, "most": -5, "free": 70, "toast": "tea"}


# ---- clock and match ----


def test_a_clock_asks_for_what_it_needs_and_no_more(panel: Panel) -> None:
    dialog(panel)
    assert shown(panel, "minutes", "seconds") == [False, False]
    put(panel, clock_kind="increment")
    assert shown(panel, "minutes", "seconds") == [True, True]
    for bad in ({"minutes": "0"}, {"minutes": "601"}, {"minutes": ""}, {"minutes": "5", "seconds": "-1"}):
        put(panel, **bad)
        assert start(panel) is None, bad
    put(panel, seconds="")
    assert start(panel) is None
    put(panel, clock_kind="sudden")  # for which the seconds that are missing are no matter
    assert shown(panel, "minutes", "seconds") == [True, False]
    assert start(panel)["clock"] == {"kind": "sudden", "minutes": 5, "seconds": 0}
    dialog(panel)
    put(panel, clock_kind="delay")
    assert shown(panel, "minutes", "seconds") == [True, True]
    assert start(panel)["clock"] == {"kind": "delay", "minutes": 10, "seconds": 10}  # half of its 20
    dialog(panel)
    put(panel, clock_kind="increment", minutes="600", seconds="0")
    assert start(panel)["clock"] == {"kind": "increment", "minutes": 600, "seconds": 0}
    dialog(panel, game="circle")
    put(panel, clock_kind="sudden")
    assert panel.stage.text("#clock small") == "Minutes for the whole game"
    assert panel.stage.texts("#clock .times button") == ["3", "5", "10", "15", "30"]
    assert start(panel)["clock"]["minutes"] == 25
    dialog(panel)
    put(panel, clock_kind="sudden")
    panel.press("3", "#clock .times")
    assert start(panel)["clock"] == {"kind": "sudden", "minutes": 3, "seconds": 0}
    dialog(panel)
    put(panel, clock_kind="sudden", minutes="1", match="3")
    put(panel, clock_kind="")
    assert shown(panel, "minutes", "seconds") == [False, False]
    order = start(panel)
    assert "clock" not in order
    assert order["match"] == {"to": 3}


def test_a_match_is_over_several_games(panel: Panel) -> None:
    dialog(panel)
    told = "() => [...document.querySelectorAll('#dialog [name=match] option')].map((e) => [e.textContent, e.value])"
    assert panel.stage.js(told) == [
        ["A single game", ""], ["Best of three", "2"], ["Best of five", "3"], ["First to five", "5"],
    ]  # fmt: skip
    put(panel, match="2")
    assert start(panel)["match"] == {"to": 2}


# ---- who plays ----


def in_line(name: str, seat: int | None = None, *, away: bool = False) -> dict[str, Any]:
    id = name.lower()
    return {"id": id, "name": name, "seat": seat, "you": name == "Ann", "away": away, "wants": False}


def sitting(panel: Panel) -> list[str]:
    """Return who is chosen for each seat."""
    return panel.stage.js("() => [...document.querySelectorAll('[name=player]')].map((e) => e.selectedOptions[0].text)")


SEATED = [in_line("Ann", WHITE), in_line("Ben", BLACK)]


def test_each_seat_is_given_to_somebody_who_is_here(panel: Panel) -> None:
    dialog(panel, line=[in_line("Dan"), in_line("Ben", BLACK), in_line("Ann", WHITE), in_line("Eve", away=True)])
    assert panel.stage.texts("#players .field:first-of-type option") == [
        "Dan", "Ben", "Ann · you", "Eve · away", "Someone with me", "Anybody", "Board: 1 Beginner", "Board: 3 Player",
    ]  # fmt: skip
    assert sitting(panel) == ["Dan", "Ben"]  # whoever comes first in the line, Ben in the own seat
    assert panel.stage.texts("#seating .note") == ["Without a seat in that game: Ann. They are told so, and can watch."]
    panel.stage.js(PLAYS, 0, "@ben")
    assert sitting(panel) == ["Ben", "Dan"]  # nobody sits in two seats
    panel.stage.js(PLAYS, 1, "@ann")
    order = start(panel)
    assert (order["people"], order["seats"], "opponents" in order) == (["ben", "ann"], "keep", False)


def test_the_same_people_swap_seats_or_draw_lots(panel: Panel) -> None:
    dialog(panel, line=SEATED)
    assert sitting(panel) == ["Ann · you", "Ben"]
    panel.press("Swap seats", "#dialog")
    assert sitting(panel) == ["Ben", "Ann · you"]
    choose(panel, "circle")
    put(panel, players="3")
    assert sitting(panel) == ["Ann · you", "Ben", "Anybody"]
    panel.press("Rotate seats", "#dialog")
    put(panel, lots=True)
    order = start(panel)
    assert (order["people"], order["seats"]) == (["ben", "ann", ""], "lots")
    dialog(panel, line=SEATED[:1])  # where nobody else is here, nothing is asked
    assert sitting(panel) == ["Person", "Person"]
    assert panel.stage.texts("#seating") == [""]
    assert "people" not in start(panel)


def test_how_seats_are_swapped_stands_right_below_who_sits_where(panel: Panel) -> None:
    parts = "[name=player], #seating button, #seating .note, [name=answers], [name=coach]"
    told = f"() => [...document.querySelectorAll('#dialog :is({parts})')].map((e) => e.name || e.textContent)"
    dialog(panel, line=SEATED)
    assert panel.stage.js(told) == ["player", "player", "Swap seats", "coach"]
    panel.stage.js(PLAYS, 0, 1)
    note = "Without a seat in that game: Ann. They are told so, and can watch."
    assert panel.stage.js(told) == ["player", "player", note, "answers", "coach"]


def test_somebody_else_plays_with_this_phone_under_a_name(panel: Panel) -> None:
    dialog(panel, line=SEATED)
    panel.stage.js(PLAYS, 1, "@ann/")
    put(panel, beside="Mamie")
    panel.press("Start", "#dialog")
    asked = panel.stage.asked()
    assert next(body for path, body in asked if path == "order")["people"] == ["ann", "ann/"]
    assert ["seat/person", {"seat": BLACK, "name": "Mamie"}] in [list(each) for each in asked]


def test_against_the_board_whoever_begins_plays_whoever_is_first_in_the_line(panel: Panel) -> None:
    dialog(panel, line=[in_line("Ben", BLACK), in_line("Cid", WHITE), in_line("Ann")])
    order = start(panel, "Against the board, level 1")
    assert order["people"] == ["", "ann"]  # Black begins
    assert order["opponents"]["levels"] == [1, 0]


def phone(name: str, *seats: int, away: bool = False) -> dict[str, Any]:
    return {"id": name, "name": name, "owner": False, "you": name == "Ann", "away": away, "seats": list(seats)}


def test_a_game_for_many_is_proposed_for_all_who_are_here(panel: Panel) -> None:
    """Four phones at the table: nobody means a game of two, and a fifth one that is away waits for none."""
    here = [phone(name) for name in ("Ann", "Ben", "Cid")]
    dialog(panel, phones=[*here, phone("Eve", away=True)], game="circle")
    assert start(panel)["options"]["players"] == 3
    dialog(panel, phones=[*here, phone("Dot"), phone("Eve")], game="circle")
    assert start(panel)["options"]["players"] == 4
    dialog(panel, phones=here[:1], game="circle")
    assert start(panel)["options"]["players"] == 2


def test_a_number_of_players_that_the_game_does_not_have_is_not_proposed(panel: Panel) -> None:
    some = field(Described("players", "choice", 2, "How many play.", choices=(2, 4)))
    games = [{**GAMES[1], "options": [some]}]
    for here, players in (("Ann",), 2), (("Ann", "Ben", "Cid"), 2), (("Ann", "Ben", "Cid", "Dot", "Eve"), 4):
        dialog(panel, games=games, phones=[phone(name) for name in here], game="circle")
        assert panel.stage.texts("#dialog [name=players] option") == ["2", "4"]
        assert start(panel)["options"]["players"] == players


def test_whoever_has_the_board_play_reads_who_is_without_a_seat_then(panel: Panel) -> None:
    note = "Without a seat in that game: {}. They are told so, and can watch."
    dialog(panel, line=[in_line(name, seat) for seat, name in enumerate(("Ann", "Ben", "Cem"))])
    choose(panel, "circle")
    put(panel, players="4")
    assert panel.stage.texts("#seating .note") == []
    panel.stage.js(PLAYS, 2, 3)
    assert panel.stage.texts("#seating .note") == [note.format("Cem")]
    panel.stage.js(PLAYS, 1, 3)
    assert panel.stage.texts("#seating .note") == [note.format("Ben and Cem")]
    dialog(panel, own=(), line=[in_line("Cem", WHITE)])  # at the board's own computer, which needs no seat
    panel.stage.js(PLAYS, 0, 3)
    assert panel.stage.texts("#seating .note") == [note.format("Cem")]


def test_the_seats_are_as_many_as_play(panel: Panel) -> None:
    dialog(panel, game="circle")
    names = "#players .field:has(select) > span"
    assert panel.stage.texts(names) == ["White", "Black"]
    put(panel, player="3")
    put(panel, players="4")
    assert panel.stage.texts(names) == ["White", "Black", "Blue", "Orange"]
    assert panel.stage.texts("#players .field:has(select) small") == ["Looks far.", "", "", ""]
    put(panel, players="40")  # on the way to another number
    assert len(panel.stage.texts(names)) == 4
    put(panel, players="3", side="7")
    order = start(panel)
    assert order["opponents"] == {"levels": [3, 0, 0], "answers": False, "coach": False}
    assert order["options"]["side"] == 7
    dialog(panel, levels=[])
    assert panel.stage.texts(names) == []


def test_the_dialog_opens_with_the_focus_on_the_game_that_is_chosen(panel: Panel) -> None:
    dialog(panel, game="circle")
    assert panel.stage.js("() => document.activeElement?.value") == "circle"


def test_nobody_is_offered_a_level_again_that_was_beaten(panel: Panel) -> None:
    dialog(panel, game="circle", progress={"games": [REACHED], "streak": 0, "today": None})
    put(panel, players="2")
    assert panel.stage.text("#solo") == "Against the board, level 3"
    panel.press("Against the board, level 3", "#dialog")
    (order,) = (body for path, body in panel.stage.asked() if path == "order")
    assert sorted(order["opponents"]["levels"]) == [0, 3]


def test_a_game_against_the_board_takes_one_press(panel: Panel) -> None:
    dialog(panel, kept={"level tides-of-war": 3})
    assert panel.stage.text("#solo") == "Against the board, level 3"
    panel.press("Against the board, level 3", "#dialog")
    (order,) = (body for path, body in panel.stage.asked() if path == "order")
    assert order["opponents"] == {"levels": [3, 0], "answers": False, "coach": False}  # Black begins, who is a person
    dialog(panel, kept={"level tides-of-war": 3})
    put(panel, coach=True)
    panel.press("Against the board, level 3", "#dialog")
    (order,) = (body for path, body in panel.stage.asked() if path == "order")
    assert order["opponents"]["coach"] is True
    dialog(panel, kept={"level tides-of-war": 3})
    choose(panel, "circle")  # who has beaten a level of one game is a beginner in another
    put(panel, players="2")
    assert panel.stage.text("#solo") == "Against the board, level 1"
    dialog(panel)  # never played before: with the coach beside
    panel.press("Against the board, level 1", "#dialog")
    (order,) = (body for path, body in panel.stage.asked() if path == "order")
    assert order["opponents"] == {"levels": [1, 0], "answers": False, "coach": True}
    dialog(panel)
    put(panel, coach=True)
    assert start(panel)["opponents"] == {"levels": [0, 0], "answers": False, "coach": True}


def test_whoever_chooses_a_low_level_has_the_coach_beside_until_they_say_otherwise(panel: Panel) -> None:
    dialog(panel)
    panel.stage.js(PLAYS, 0, 1)
    order = start(panel)
    assert order["opponents"] == {"levels": [1, 0], "answers": False, "coach": True}
    dialog(panel)
    panel.stage.js(PLAYS, 0, 2)
    put(panel, coach=False)
    panel.stage.js(PLAYS, 0, 1)
    assert start(panel)["opponents"]["coach"] is False
    dialog(panel)
    panel.stage.js(PLAYS, 0, 1)
    put(panel, clock_kind="sudden")  # a game with a clock has no coach, and nobody has asked for one
    assert start(panel)["opponents"]["coach"] is False
    dialog(panel)
    put(panel, clock_kind="sudden")
    panel.press("Against the board, level 1", "#dialog")
    (order,) = (body for path, body in panel.stage.asked() if path == "order")
    assert order["opponents"]["coach"] is False
    dialog(panel)
    panel.stage.js(PLAYS, 0, 3)  # a strong one is met by those who know the game
    assert start(panel)["opponents"]["coach"] is False


def test_a_coach_that_was_switched_off_stays_so_in_the_next_games_until_it_is_called_again(panel: Panel) -> None:
    keeps = "() => JSON.parse(localStorage.beaconboard)['no coach'] ?? null"
    dialog(panel)
    panel.stage.js(PLAYS, 0, 1)
    put(panel, coach=False)
    start(panel)
    assert panel.stage.js(keeps) is True
    dialog(panel, kept={"no coach": True})
    assert start(panel, "Against the board, level 1")["opponents"]["coach"] is False
    dialog(panel, kept={"no coach": True})
    panel.stage.js(PLAYS, 0, 1)
    put(panel, coach=True)
    assert start(panel)["opponents"]["coach"] is True
    assert panel.stage.js(keeps) is None


def test_who_has_just_lost_to_the_board_is_offered_no_stronger_one(panel: Panel) -> None:
    progress = {"games": [{**REACHED, "name": "tides-of-war"}], "streak": 0, "today": None}
    dialog(panel, progress=progress, kept={"level tides-of-war": 2})
    assert panel.stage.text("#solo") == "Against the board, level 3"
    dialog(panel, progress=progress, kept={"level tides-of-war": 2, "lost tides-of-war": True})
    assert panel.stage.text("#solo") == "Against the board, level 2"


def test_a_press_against_the_board_is_offered_for_two_people_alone(panel: Panel) -> None:
    dialog(panel, game="circle")
    solo = "() => document.querySelector('#solo').checkVisibility()"
    assert panel.stage.js(solo)
    put(panel, players="3")
    assert not panel.stage.js(solo)
    put(panel, players="2")
    assert panel.stage.js(solo)
    put(panel, player="1")
    assert not panel.stage.js(solo)  # it is against the board already
    dialog(panel, levels=[])
    assert not panel.stage.js(solo)


def test_a_revenge_among_people_begins_with_the_choice_of_who_plays(panel: Panel) -> None:
    """It began a game of two at once, and left out who had won the last one."""
    last = {"what": "lost 7", "sentence": "Last time you lost Circle: ask for revenge.", "game": "circle", "level": 0,
            "puzzle": "", "id": 0, "ply": 0}  # fmt: skip
    progress = {"games": [], "left": [], "streak": 0, "today": None, "welcome": [last]}
    panel.open(you("player"), answers={"games": GAMES, "levels": LEVELS, "progress": progress}, phase="idle")
    panel.waits_for("#welcome button")
    panel.press("Play: Circle", "#welcome")
    panel.waits_for("#dialog[open] #games")
    assert panel.stage.js(CHECKED) == "circle"
    assert not [body for what, body in panel.stage.asked() if what == "order"]
    panel.stage.js("() => document.querySelector('#dialog').close()")
