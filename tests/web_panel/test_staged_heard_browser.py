"""What a phone lets be heard: which sound a move has, what the voice says, and the warning of a clock."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.rules.mesh import squares
from tests.web_panel.staged import Stage, geometry, you

BOARD = geometry(squares(3, 3))
STONE = {"piece": {"seat": 0, "kind": "stone"}}
MADE = """async ([geometry, sounds, you]) => {
  localStorage.beaconboard = JSON.stringify({ sounds });
  document.body.append(Object.assign(document.createElement("p"), { id: "sentence", textContent: "White to move." }));
  const banner = document.querySelector("#sentence");
  await stage.board(geometry);
  document.body.append(banner);
  banner.style.cssText = "position: fixed; left: 0; top: 700px; width: 300px; height: 40px";
  Object.assign(window, { buzzed: [], spoken: [], stopped: 0, explained: 0, you });
  navigator.vibrate = (how) => buzzed.push(how.length);
  Object.defineProperty(window, "speechSynthesis", { configurable: true, value: {
    speak: ({ text }) => text && spoken.push(text), cancel: () => (stopped += 1) } });
  const { Heard } = await import("/static/play/heard.js");
  window.heard = new Heard(stage.drawn.root, () => ({ view: null, you }), banner, () => (explained += 1));
}"""
SOUND = "async ([was, now]) => (await import('/static/play/heard.js')).soundOf(was, now)"


def position(**more: Any) -> dict[str, Any]:
    sites = {"a1": STONE, "b1": STONE, "c1": {}}
    plain = {"game_id": 1, "phase": "play", "plies": [{}], "sites": sites, "seats": [], "sentence": "White to move."}
    return {**plain, "advice": "", "question": "", **more}


def listen(stage: Stage, sounds: str, **more: Any) -> None:
    stage.open()
    stage.js(MADE, BOARD, sounds, you("player", 0, **more))
    stage.js("([view]) => heard.see(view)", position())
    stage.asked()


def see(stage: Stage, **more: Any) -> None:
    stage.js("async ([view]) => { heard.see(view); await stage.settled(); }", position(**more))


def finger(stage: Stage, kind: str, x: float, y: float) -> None:
    stage.js("async ([kind, x, y]) => { stage.pointer(kind, x, y); await stage.settled(); }", kind, x, y)


CHECK = {"a1": STONE, "b1": {**STONE, "meaning": "check"}}
TAKEN = {"a1": STONE}


@pytest.mark.parametrize(("was", "now", "sound"), [
    ({}, {"plies": [{}, {}]}, "put"),
    ({}, {"plies": [{}, {}], "sites": TAKEN}, "capture"),
    ({}, {"plies": [{}, {}], "sites": {**TAKEN, "a1.a2.b1": STONE}}, "built"),
    ({"sites": {"a1.a2.b1": STONE}}, {"plies": [{}, {}], "sites": {"a1.a2.b1": STONE, "a1": STONE}}, "put"),
    ({}, {"plies": [{}, {}], "sites": CHECK}, "check"),
    ({"sites": CHECK}, {"plies": [{}, {}], "sites": CHECK}, "put"),
    ({}, {"plies": [{}, {}], "phase": "over"}, "end"),
    ({"phase": "over"}, {"phase": "over", "plies": [{}, {}]}, "put"),
    ({}, {"phase": "fix"}, "wrong"),
    ({"phase": "fix"}, {"phase": "fix"}, ""),
    ({}, {}, ""),
    ({}, {"plies": []}, ""),
    ({}, {"plies": [{}, {}], "game_id": 2}, ""),
])  # fmt: skip
def test_each_step_of_a_game_has_its_sound(stage: Stage, was: Any, now: Any, sound: str) -> None:
    assert stage.js(SOUND, position(**was), position(**now)) == sound


def test_with_sounds_a_move_is_felt_and_no_word_is_said(stage: Stage) -> None:
    listen(stage, "sounds")
    see(stage, plies=[{}, {}], sites=TAKEN, sentence="Black to move.")
    assert stage.js("() => [buzzed, spoken]") == [[3], []]
    assert stage.asked() == []
    listen(stage, "off")
    see(stage, plies=[{}, {}])
    assert stage.js("() => [buzzed, spoken]") == [[], []]
    stage.js("async () => { heard.lift('a1'); await stage.settled(); }")
    assert stage.asked() == []


def test_with_speech_a_move_whose_turn_and_what_to_do_are_said_once(stage: Stage) -> None:
    listen(stage, "speech")
    stage.answers(aloud="Stone to b2.")
    see(stage, plies=[{}, {}], sentence="Black to move.", advice="Put it down.")
    assert stage.asked() == [["aloud?move=2", None]]
    assert stage.js("() => spoken") == ["Stone to b2. Black to move. Put it down."]
    assert stage.js("() => document.querySelector('#aloud').getAttribute('aria-live')") == "off"  # not two voices
    see(stage, plies=[{}, {}], sentence="Black to move.", advice="Put it down.", question="Which one?")
    assert stage.js("() => spoken.slice(1)") == ["Which one?"]
    see(stage, plies=[{}, {}, {}, {}], sentence="Black to move.")  # several at once are no move
    see(stage, game_id=2, plies=[{}, {}, {}, {}, {}], sentence="Black to move.")
    assert stage.asked() == []
    assert stage.js("() => spoken.length") == 2


MOVES = [{"seat": 0, "text": "a1-a2", "words": "a1 to a2"}, {"seat": 1, "text": "c1-c2", "words": ""}]


@pytest.mark.parametrize(
    ("who", "said"),
    [({}, ["Taken back: a1 to a2; c1-c2."]), ({"held": {"0": "Ann", "1": "Ben"}}, ["Taken back: a1 to a2; c1-c2."]),
     ({"seats": [1], "held": {"0": "Ann", "1": "Ben"}}, [])],
)  # fmt: skip
def test_what_is_taken_back_is_said_to_whoever_made_it(stage: Stage, who: dict[str, Any], said: list[str]) -> None:
    """The phones of others are told who has taken it back."""
    listen(stage, "speech")
    stage.js("([who]) => Object.assign(you, who)", who)
    see(stage, plies=MOVES)
    see(stage, plies=[])
    assert stage.js("() => spoken") == said


def test_what_is_to_be_set_up_is_said_once_it_stands_and_not_what_the_screen_sets_up_by_itself(stage: Stage) -> None:
    listen(stage, "speech")
    see(stage, game_id=2, plies=[], phase="setup", sentence="Set up the board.", advice="Pieces to put on: 28.")
    see(stage, game_id=2, plies=[], phase="setup", sentence="Set up the board.", advice="Pieces to put on: 27.")
    stage.passes(900)
    assert stage.js("() => spoken") == []
    stage.passes(200)
    assert stage.js("() => spoken") == ["Set up the board.", "Pieces to put on: 27."]
    see(stage, game_id=3, plies=[], phase="setup", sentence="Set up the board", advice="")
    see(stage, game_id=3, plies=[], sentence="Black to move.")
    stage.passes(2000)
    assert stage.js("() => spoken.slice(2)") == ["Black to move."]


def test_a_lifted_piece_and_a_cell_under_a_resting_finger_are_named(stage: Stage) -> None:
    listen(stage, "speech")
    stage.answers(aloud="A white stone.")
    stage.js("async () => { heard.lift('a1'); heard.lift('a1'); await stage.settled(); }")
    assert stage.asked() == [["aloud?site=a1", None]]
    finger(stage, "down", 300, 300)
    stage.passes(500)
    assert stage.asked() == []
    stage.passes(150)
    assert stage.asked() == [["aloud?site=b2", None]]
    assert stage.js("() => stopped") == 1  # at once, in place of what is being said
    finger(stage, "up", 300, 300)
    finger(stage, "down", 300, 300)
    finger(stage, "move", 308, 300)
    stage.passes(650)
    assert len(stage.asked()) == 1  # it trembles
    finger(stage, "up", 308, 300)
    finger(stage, "down", 300, 300)
    finger(stage, "move", 320, 300)
    stage.passes(650)
    finger(stage, "up", 320, 300)
    finger(stage, "down", 300, 300)
    finger(stage, "up", 300, 300)
    stage.passes(650)
    finger(stage, "down", 166, 433)
    stage.passes(650)  # on the piece that is lifted
    assert stage.asked() == []
    stage.js("() => { heard.lift(''); }")
    assert stage.asked() == []


def test_a_finger_that_rests_on_the_sentence_asks_what_the_lights_mean(stage: Stage) -> None:
    listen(stage, "off")
    finger(stage, "down", 20, 720)
    stage.passes(650)
    assert stage.js("() => explained") == 1


def test_by_keyboard_a_screen_reader_is_given_the_words(stage: Stage) -> None:
    listen(stage, "off")
    stage.answers(aloud="A white stone.")
    press = (
        "async ([key]) => { document.querySelector('[data-site=a1]').dispatchEvent("
        "new KeyboardEvent('keydown', { key, bubbles: true })); await stage.settled(); }"
    )
    stage.js(press, "x")
    assert stage.asked() == []
    line = "() => { const e = document.querySelector('#aloud'); return [e.textContent, e.getAttribute('aria-live')]; }"
    stage.js(press, "h")
    assert stage.js(line) == ["A white stone.", "assertive"]
    stage.js(press, "h")
    assert stage.js(line) == ["A white stone.\u00a0", "assertive"]  # said again, it is read again
    assert stage.js("() => spoken") == []
    stage.answers(aloud={"late": "Old."})
    stage.js(press, "h")
    stage.answers(aloud="New.")
    stage.js(press, "h")
    stage.js("async () => { stage.held.shift()(); await stage.settled(); }")
    assert stage.js(line)[0] == "New."  # something else was touched meanwhile
    stage.answers(aloud="away")
    stage.js(press, "h")
    assert stage.js(line)[0] == "New."


def clock(left: int, running: bool = True) -> dict[str, Any]:
    return {"left_ms": left, "running": running}


@pytest.mark.parametrize(("seats", "own", "buzzes"), [
    ([clock(31_000)], [0], 1), ([clock(31_000, running=False)], [0], 0), ([clock(34_000)], [0], 0),
    ([clock(11_000)], [0], 1), ([clock(20_000)], [0], 0), ([clock(31_000)], [1], 0), ([clock(31_000)], [], 1),
    ([{"running": True}], [0], 0),
])  # fmt: skip
def test_a_clock_warns_once_when_little_is_left(stage: Stage, seats: Any, own: list[int], buzzes: int) -> None:
    listen(stage, "sounds")
    stage.js("([seats]) => { you.seats = seats; }", own)
    stage.passes(600)
    see(stage, seats=seats)
    stage.passes(2500)
    assert stage.js("() => buzzed") == [3] * buzzes


# ---- whether there is anything to hear ----

ASKED = "#ask-sounds button"


def first_move(stage: Stage, kept: str = "null", **who: Any) -> None:
    """Let somebody see the first move of a game on a phone that has ``kept`` that choice."""
    stage.open()
    stage.js(MADE.replace("JSON.stringify({ sounds })", kept), BOARD, "", you(**who))
    stage.js("() => { document.body.append(Object.assign(document.createElement('div'), { id: 'foot' })); }")
    stage.js("([view]) => heard.see(view)", position(plies=[]))
    see(stage)


@pytest.mark.parametrize(("answer", "kept"), [("Sounds", "sounds"), ("Sounds and speech", "speech"), ("No", "off")])
def test_with_the_first_move_a_phone_asks_whether_moves_are_to_be_heard_and_never_again(
    stage: Stage, answer: str, kept: str
) -> None:
    first_move(stage, "'{}'")
    stage.page.wait_for_selector(ASKED)
    assert stage.texts(ASKED) == ["Sounds", "Sounds and speech", "No"]
    see(stage, plies=[{}, {}])
    assert len(stage.texts(ASKED)) == 3
    press = (
        "([words]) => [...document.querySelectorAll('#ask-sounds button')].find((e) => e.textContent === words).click()"
    )
    stage.js(press, answer)
    assert stage.texts(ASKED) == []
    assert stage.js("() => [JSON.parse(localStorage.beaconboard).sounds, heard.mode()]") == [kept, kept]
    see(stage, plies=[{}, {}, {}])
    assert stage.texts(ASKED) == []


def test_unanswered_it_asks_once_an_evening(stage: Stage) -> None:
    """Each page that was opened asked again, several times an evening."""
    first_move(stage, "'{}'")
    stage.page.wait_for_selector(ASKED)
    asked = stage.js("() => JSON.parse(localStorage.beaconboard)")
    assert asked["sounds_asked"] == 1
    first_move(stage, f"'{json.dumps(asked)}'")
    stage.js("async () => { await import('/static/play/ask_sounds.js'); await stage.settled(); }")
    assert stage.texts(ASKED) == []
    asked["sounds_asked_ms"] -= 13 * 3_600_000
    first_move(stage, f"'{json.dumps(asked)}'")
    stage.page.wait_for_selector(ASKED)
    assert stage.js("() => JSON.parse(localStorage.beaconboard).sounds_asked") == 2


def test_it_asks_only_while_what_the_card_tells_has_room(stage: Stage) -> None:
    card = """() => document.body.insertAdjacentHTML("beforeend",
      '<div id="told" style="height: 40px; overflow: auto"><p id="tells" style="height: 60px; margin: 0"></p></div>')"""
    stage.open()
    stage.js(MADE.replace("JSON.stringify({ sounds })", "'{}'"), BOARD, "", you())
    stage.js("() => { document.body.append(Object.assign(document.createElement('div'), { id: 'foot' })); }")
    stage.js(card)
    stage.js("([view]) => heard.see(view)", position(plies=[]))
    see(stage)
    stage.page.wait_for_selector("#ask-sounds", state="attached")
    assert not stage.page.locator("#ask-sounds").is_visible()
    stage.js("() => { document.querySelector('#tells').style.height = '20px'; }")
    stage.page.wait_for_selector("#ask-sounds", state="visible")
    stage.js("() => { document.querySelector('#tells').style.height = '50px'; }")
    stage.page.wait_for_selector("#ask-sounds", state="hidden")


@pytest.mark.parametrize(
    ("kept", "who"),
    [
        ('\'{"sounds_asked": 2}\'', {}), ('\'{"sounds": "off"}\'', {}), ('\'{"sounds": "speech"}\'', {}),
        ("'{}'", {"role": "guest"}), ("'{}'", {"panel": {"sounds": True, "turned": False}}),
    ],
)  # fmt: skip
def test_who_has_chosen_who_only_watches_and_who_hears_already_is_not_asked(stage: Stage, kept: str, who: Any) -> None:
    first_move(stage, kept, **who)
    stage.js("async () => { await import('/static/play/ask_sounds.js'); await stage.settled(); }")
    assert stage.texts(ASKED) == []
