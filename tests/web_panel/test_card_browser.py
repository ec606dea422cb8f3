"""The card: whatever is asked of a person, the button that answers is in sight and under a finger, at every size.

The views are those of real tables: every step of every lesson, and each way in which a game waits for a button.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from controller.from_profile import bare_profile
from controller.lessons.lesson_files import LessonFile, all_lessons
from controller.lessons.puzzle_files import all_puzzles
from controller.orders import NewGame, NextStep, OfferDraw, Pause, PlayPly, Resign, TakeBack
from controller.rules.registry import all_games
from controller.sentences import ENGLISH
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from hardware.profile import geometry
from tests.table.test_lessons import Pupil
from tests.web_panel.staged import Stage, you

SIZES = ((320, 568), (360, 640), (390, 844), (820, 1180), (844, 390), (720, 450), (1280, 800), (1440, 900))

# Shows one view after the other. Of each: the words of the buttons on the card; those of which a corner cannot be
# touched, or that are smaller than a finger; and whether the first line of what is told is in sight.
SHOWN = """async ([views]) => {
  const found = [];
  for (const view of JSON.parse(views)) {
    stage.send("view", view);
    const stands = () => !view.lesson || document.querySelector("#lesson p")?.textContent === view.lesson.sentence;
    do await stage.settled(); while (!stands());
    const buttons = [...document.querySelectorAll("#status button")].filter((button) => button.offsetParent);
    const hidden = buttons.filter((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const corners = [left + 8, right - 8].flatMap((x) => [[x, top + 8], [x, bottom - 8]]);
      const touched = ([x, y]) => document.elementFromPoint(x, y)?.closest("button") === button;
      return bottom - top < 44 || !corners.every(touched);
    });
    const words = document.createRange();
    words.selectNodeContents([...document.querySelectorAll("#told p")].find((p) => p.offsetParent && p.textContent));
    const { left, top, height } = words.getClientRects()[0];
    const told = document.querySelector("#told").contains(document.elementFromPoint(left + 2, top + height - 2));
    found.push([buttons.map((b) => b.textContent), hidden.map((b) => b.textContent), told]);
  }
  return found;
}"""


def view_of(pupil: Pupil, seat: int | None = None) -> dict[str, Any]:
    shown = msgspec.to_builtins(picture(pupil.table, CALM, 1, seat), enc_hook=ENGLISH)
    return {**shown, "board": "staged", "game_id": 1}


def lay_out(stage: Stage, order: NewGame, role: str = "player") -> None:
    """Open the panel on the board of that game, on the phone of the first seat or of a guest."""
    drawn = {**geometry(bare_profile(order.game, order.options)), "name": "staged"}
    stage.open("/", answers={"board": drawn, "drawings": None, "games": [], "levels": []})
    stage.js("() => document.getElementById('geometry')?.remove()")
    stage.send("open")
    stage.send("you", you("player", 0) if role == "player" else you("guest"))
    stage.js("() => import('/static/play/again.js')")  # else the end of a game waits for it


def at_all_sizes(stage: Stage, views: list[dict[str, Any]]) -> list[list[str]]:
    """Return the buttons of each view; fails where one is out of reach, or nothing that is told can be read."""
    told = msgspec.json.encode(views).decode()  # as one text: Playwright hands anything else over field by field
    stage.send("view", views[0])
    stage.passes(2000)  # what few views need is loaded from then on
    shown = []
    for width, height in SIZES:
        stage.page.set_viewport_size({"width": width, "height": height})
        shown = stage.js(SHOWN, told)
        assert [(n, hidden) for n, (_, hidden, _) in enumerate(shown, 1) if hidden] == [], (width, height)
        assert [n for n, (_, _, told) in enumerate(shown, 1) if not told] == [], (width, height)
    return [buttons for buttons, _, _ in shown]


def lesson_param(file: LessonFile) -> Any:
    """Return a lesson as a parameter: the two games with the longest ones are left to `make long`."""
    long = file.game in ("beacons", "cyvasse")
    return pytest.param(file, id=f"{file.game} {file.options}", marks=[pytest.mark.long] if long else [])


@pytest.mark.parametrize("file", [lesson_param(file) for file in all_lessons()])
def test_next_is_in_sight_in_every_step_of_every_lesson_then_the_game(stage: Stage, file: LessonFile) -> None:
    pupil, views = Pupil(file.order).set_up(), []
    for step in file.lesson.steps:
        views.append(view_of(pupil))
        pupil.order(PlayPly(text=step.ply) if step.ply else NextStep())
        pupil.put_right()
    views.append(view_of(pupil))
    lay_out(stage, file.order)
    *shown, over = at_all_sizes(stage, views)
    last = len(file.lesson.steps) - 1
    read = ["" if step.ply else "Done" if n == last else "Next" for n, step in enumerate(file.lesson.steps)]
    assert [next((each for each in ("Next", "Done") if each in buttons), "") for buttons in shown] == read
    assert {"Play with a friend", "Against the board, level 1"} <= set(over)


def offered(pupil: Pupil) -> None:
    pupil.order(OfferDraw(seat=1))


def paused(pupil: Pupil) -> None:
    pupil.order(Pause(on=True))


def resigned(pupil: Pupil) -> None:
    pupil.order(Resign(seat=0))


def taken_back(pupil: Pupil) -> None:
    session = pupil.play.session
    pupil.order(PlayPly(text=session.game.text(session.state, session.game.moves(session.state)[0])))
    pupil.put_right()
    pupil.order(TakeBack(made=1))
    pupil.put_right()


WAITS: tuple[tuple[Callable[[Pupil], None], str], ...] = (
    (offered, "Decline"), (paused, "Continue"), (resigned, "Play again"), (taken_back, "Redo the move"),
)  # fmt: skip


@pytest.mark.parametrize("game", all_games())
def test_what_a_game_waits_for_is_in_sight(stage: Stage, game: str) -> None:
    views, waits = [], WAITS[:3] if game == "beacons" else WAITS  # a sealed bid is not made again
    for wait, _ in waits:
        pupil = Pupil(NewGame(game=game, seed=1)).set_up()
        wait(pupil)
        views.append(view_of(pupil))
    lay_out(stage, NewGame(game=game, seed=1))
    for (wait, button), buttons in zip(waits, at_all_sizes(stage, views), strict=True):
        assert any(each.startswith(button) for each in buttons), (wait.__name__, buttons)


@pytest.mark.parametrize("game", all_puzzles())
def test_what_a_puzzle_offers_is_in_sight(stage: Stage, game: str) -> None:
    order = all_puzzles()[game][0].order
    lay_out(stage, order)
    (buttons,) = at_all_sizes(stage, [view_of(Pupil(order).set_up())])
    assert {"Leave", "Show the move"} <= set(buttons)


@pytest.mark.parametrize("game", all_games())
def test_who_watches_sees_how_to_join(stage: Stage, game: str) -> None:
    order = NewGame(game=game, seed=1)
    lay_out(stage, order, "guest")
    assert at_all_sizes(stage, [view_of(Pupil(order).set_up())]) == [["Join"]]
