"""What decided a game: waited for, told move by move, shared as text, and saved as one picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Route

from tests.web_panel.staged import Stage, plies, view

TURNS = [
    {"ply": 3, "sentence": "Move 3, White: gives the town away."},
    {"ply": 8, "sentence": "Move 8, Black: wins it."},
]
MADE = """async ([more]) => {
  const { openDecided } = await import("/static/play/decided.js");
  Object.assign(window, { done: [], copied: [], saved: [], revoked: [] });
  Object.defineProperty(navigator, "share", { value: undefined, configurable: true });
  Object.defineProperty(navigator, "clipboard", { configurable: true,
    value: { writeText: async (text) => void copied.push(text) } });
  HTMLAnchorElement.prototype.click = function () { saved.push([this.href, this.download]); };
  URL.revokeObjectURL = (href) => revoked.push(href);
  openDecided({ id: 7, title: "Tides of War", ended: "Black wins.", done: (order) => done.push(order),
    open: (title, ...parts) => { const head = document.createElement("h2"); head.textContent = title;
      document.body.replaceChildren(head, ...parts); }, ...more });
  await stage.settled();
}"""
PRESS = """async ([text, nth]) => {
  [...document.querySelectorAll("button")].filter((e) => e.textContent === text)[nth].click();
  await stage.settled(); }"""

# What a picture is made of, in the order in which it is drawn.
DRAWN = """async ([turns, game]) => {
  const { drawTurns } = await import("/static/play/share_picture.js");
  const [texts, boards, filled] = [[], [], []], made = CanvasRenderingContext2D.prototype;
  const own = { fillText: made.fillText, drawImage: made.drawImage, fillRect: made.fillRect };
  Object.assign(made, {
    fillText(text, x, y) {
      texts.push({ text, x, y, size: Number(/(\\d+)px/.exec(this.font)[1]), bold: this.font.startsWith("bold"),
        colour: this.fillStyle, from: this.textBaseline, width: this.measureText(text).width }); },
    drawImage(image, x, y, width, height) { boards.push({ src: image.src, x, y, width, height }); },
    fillRect(...place) { filled.push([...place, this.fillStyle, texts.length + boards.length]); },
  });
  document.documentElement.style.cssText = "--table: #102030; --ink: #f0f0f0; --soft: #909090";
  const sizes = [], blob = HTMLCanvasElement.prototype.toBlob;
  HTMLCanvasElement.prototype.toBlob = function (...rest) {
    sizes.push(this.width, this.height);
    blob.apply(this, rest); };
  const picture = await drawTurns(turns, game);
  Object.assign(made, own);
  HTMLCanvasElement.prototype.toBlob = blob;
  return { texts, boards, filled, size: sizes, type: picture?.type };
}"""


@pytest.fixture
def boards(stage: Stage) -> Iterator[dict[str, tuple[int, int]]]:
    """Return by its query how wide and high the picture of a position is; 300 by 300 where nothing is said."""
    sizes: dict[str, tuple[int, int]] = {}

    def picture(route: Route) -> None:
        width, height = sizes.get(route.request.url.partition("?")[2], (300, 300))
        if not width:
            return route.abort()
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        return route.fulfill(body=f'{head}<rect width="9" height="9"/></svg>', content_type="image/svg+xml")

    stage.context.route("**/position.svg*", picture)
    yield sizes
    stage.context.unroute("**/position.svg*")


def opened(stage: Stage, *found: Any, **more: Any) -> None:
    """Open what decided game 7, of which the service says one after the other what is ``found``."""
    stage.open("/blank", {"history/7/analysis": {"in_turn": list(found)}})
    stage.js(MADE, more)


def done(*turns: dict[str, Any]) -> dict[str, Any]:
    return {"state": "done", "turns": list(turns)}


def asked(stage: Stage) -> list[Any]:
    return [body for path, body in stage.asked() if path == "history/7/analysis"]


def press(stage: Stage, text: str, nth: int = 0) -> None:
    stage.js(PRESS, text, nth)


# ---- the sheet ----


def test_it_is_waited_for_as_long_as_the_sheet_is_open(stage: Stage, boards: Any) -> None:
    opened(stage, {"state": "waits"}, {"state": "runs", "done": 3, "of": 10}, {"state": "runs"}, done(*TURNS))
    assert asked(stage) == [{}]  # it is to be looked for
    assert stage.texts("h2, #decided p") == [
        "What decided the game",
        "The analysis waits until the board has time for it.",
    ]
    stage.passes(900)
    assert asked(stage) == []
    stage.passes(200)
    assert asked(stage) == [None]  # only whether it has been found
    assert stage.texts("#decided p") == ["Analysing: 3 of 10 positions."]
    stage.passes(1000)
    assert stage.texts("#decided p") == ["Analysing: 0 of 0 positions."]
    stage.passes(1000)
    assert stage.texts("#decided > p")[0] == "Black wins."
    stage.passes(5000)
    assert asked(stage) == [None, None]  # and no more once it is there
    assert stage.js("() => document.querySelector('#decided').ariaLive") == "polite"
    opened(stage, {"state": "waits"})
    stage.js("() => document.body.replaceChildren()")
    stage.asked()
    stage.passes(5000)
    assert asked(stage) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            {"state": "failed", "sentence": "The rules of this game have changed."},
            "The rules of this game have changed.",
        ),
        ({"refused": "This game is not known."}, "This game is not known."),
    ],
)
def test_why_there_is_nothing_is_told(stage: Stage, found: Any, said: str) -> None:
    opened(stage, found)
    assert stage.texts("#decided p") == [said]
    stage.asked()
    stage.passes(5000)
    assert asked(stage) == []


def test_each_move_has_its_position_its_sentence_and_ways_on(stage: Stage, boards: Any) -> None:
    opened(stage, done(*TURNS))
    assert stage.texts("#decided li p") == [turn["sentence"] for turn in TURNS]
    pictures = "() => [...document.querySelectorAll('#decided img')].map((e) => [e.getAttribute('src'), e.alt])"
    assert stage.js(pictures) == [
        ["/history/7/position.svg?ply=2", "The position before move 3"],
        ["/history/7/position.svg?ply=7", "The position before move 8"],
    ]
    links = "() => [...document.querySelectorAll('#decided a')].map((e) => [e.textContent, e.getAttribute('href')])"
    assert stage.js(links) == [["Show it", "/history/7?ply=2"], ["Show it", "/history/7?ply=7"]]
    stage.answers(**{"history__7__order?ply=7": {"do": "new_game", "plies": 7}})
    press(stage, "Play on from here", 1)
    stage.at_table(view(phase="over"))
    assert stage.js("() => done") == [{"do": "new_game", "plies": 7}]


LESSON = {"sentence": "Lift.", "step": 2, "steps": 3, "next": True, "puzzle": "", "over": False, "told": False}
ENDS = "A lesson is going on at this board, and would end. Start anyway?"
LEFT = "Tides of War is being played: it stays among the games played, and can be resumed. Start another one?"
TITLED = {"title": "Tides of War", "plies": plies("c3-d3")}


@pytest.mark.parametrize(
    ("now", "others", "question"),
    [
        (view(lesson=LESSON), ["Ben"], ENDS),
        (view(lesson=LESSON), [], ""),
        (view(lesson=LESSON | {"over": True}), ["Ben"], ""),
        (view(**TITLED), [], LEFT),
        (view(phase="idle"), ["Ben"], ""),
    ],
)
def test_what_another_phone_has_begun_since_ends_only_after_a_question(
    stage: Stage, boards: Any, now: dict[str, Any], others: list[str], question: str
) -> None:
    opened(stage, done(*TURNS))
    stage.answers(**{"history__7__order?ply=7": {"do": "new_game", "plies": 7}})
    press(stage, "Play on from here", 1)
    stage.at_table(now, *others)
    assert stage.text("#sure-question") == question
    if question:
        assert stage.js("() => done") == []
        press(stage, "Start anyway")
    assert stage.js("() => done") == [{"do": "new_game", "plies": 7}]


def test_it_is_shared_as_text_also_where_no_move_was_decisive(stage: Stage, boards: Any) -> None:
    opened(stage, done(*TURNS))
    press(stage, "Share")
    text = "Tides of War: Black wins.\nMove 3, White: gives the town away.\nMove 8, Black: wins it.\n"
    assert stage.js("() => copied") == [f"{text}http://panel.test/history/7"]
    assert (
        stage.page.get_by_role("status").text_content()
        == "Copied, with the text before it: http://panel.test/history/7"
    )
    assert stage.js("() => document.querySelector('button.primary').textContent") == "Share"
    opened(stage, {"state": "done", "calm": "It slipped away."})
    assert stage.texts("#decided > p") == ["Black wins.", "It slipped away.", ""]
    assert stage.texts("#decided button") == ["Share"]
    press(stage, "Share")
    assert stage.texts("#decided button") == ["Share", "Copy"]
    assert stage.js("() => copied") == ["Tides of War: Black wins.\nIt slipped away.\nhttp://panel.test/history/7"]
    opened(stage, {"state": "done", "sentence": "White resigned too early."})
    assert stage.texts("#decided > p")[:2] == ["Black wins.", "White resigned too early."]
    press(stage, "Share")
    assert "\nWhite resigned too early.\n" in stage.js("() => copied")[-1]


def test_it_is_saved_as_a_picture_which_is_let_go_of_later(stage: Stage, boards: dict[str, tuple[int, int]]) -> None:
    opened(stage, done(*TURNS))
    press(stage, "Save as a picture")
    stage.page.get_by_text("Saved as game-7.png.").wait_for(state="attached")
    ((href, name),) = stage.js("() => saved")
    assert href.startswith("blob:")
    assert name == "game-7.png"
    assert stage.js("() => revoked") == []
    stage.passes(1100)
    assert stage.js("() => revoked") == [href]
    sentence = "This browser makes no picture. Share the text instead."
    stage.js("() => { HTMLCanvasElement.prototype.getContext = () => null; }")
    press(stage, "Save as a picture")
    stage.page.get_by_text(sentence).wait_for(state="attached")
    assert len(stage.js("() => saved")) == 1
    boards["ply=4"] = (0, 0)  # cannot be loaded
    opened(stage, done({"ply": 5, "sentence": "Move 5."}))
    press(stage, "Save as a picture")
    stage.page.get_by_text(sentence).wait_for(state="attached")


# ---- the picture ----


def test_the_picture_has_each_board_beside_its_sentence(stage: Stage, boards: dict[str, tuple[int, int]]) -> None:
    stage.open()
    boards |= {"ply=2": (400, 200), "ply=7": (100, 250)}
    long = "A sentence that is as long as one can be, " * 12 + "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente."
    turns = [*TURNS, {"ply": 9, "sentence": long}]
    ended = "Black wins: a town is conquered, and nobody of the other side is left who could take it back again."
    found = stage.js(DRAWN, turns, {"id": 7, "title": "Tides of War", "ended": ended})
    width, height = found["size"]
    assert (width, found["type"]) == (1080, "image/png")
    assert found["filled"] == [[0, 0, width, height, "#102030", 0]]  # the table, under all else
    title, *texts, name = found["texts"]
    assert (title["text"], title["bold"], title["x"]) == ("Tides of War", True, 40)
    assert (name["text"], name["colour"], name["x"]) == ("Beaconboard", "#909090", 40)
    assert title["size"] > texts[0]["size"]
    for text in (title, *texts, name):
        assert text["from"] == "top"
        assert text["y"] >= 40
        assert text["y"] + text["size"] + 10 <= height
    assert all(not text["bold"] and text["colour"] == "#f0f0f0" for text in texts)
    above = [text for text in texts if text["x"] == 40]
    assert len(above) == 2
    assert " ".join(text["text"] for text in above) == ended
    assert max(text["width"] for text in above) <= 1000
    assert above[0]["width"] > 800  # as much in a line as fits
    assert above[0]["y"] >= title["y"] + title["size"] + 10
    beside = [text for text in texts if text["x"] != 40]
    assert {text["x"] for text in beside} == {510}
    assert all(text["width"] <= 530 or " " not in text["text"] for text in beside)
    one, other, third = found["boards"]
    assert [each["src"].partition("?")[2] for each in found["boards"]] == ["ply=2", "ply=7", "ply=8"]
    assert (one["width"], one["height"]) == pytest.approx((440, 220))  # as large as its place, and not stretched
    assert (other["width"], other["height"]) == pytest.approx((176, 440))
    assert (third["width"], third["height"]) == pytest.approx((440, 440))
    assert [each["x"] for each in found["boards"]] == pytest.approx([40, 40 + (440 - 176) / 2, 40])
    rows: list[list[dict[str, Any]]] = []
    for turn in turns:
        rows.append([])
        while " ".join(text["text"] for text in rows[-1]) != turn["sentence"]:
            rows[-1].append(beside.pop(0))
    assert beside == []
    for board, lines in zip(found["boards"], rows, strict=True):
        middle = (lines[0]["y"] + lines[-1]["y"] + 46) / 2
        assert board["y"] + board["height"] / 2 == pytest.approx(middle, abs=1)
    for lines in (above, *rows):
        assert all(b["y"] - a["y"] == 46 for a, b in pairwise(lines))
    assert len(rows[2]) * 46 > 440  # higher than its board
    places = [(min(b["y"] + b["height"] / 2 - 220, r[0]["y"]), max(b["y"] + b["height"] / 2 + 220, r[-1]["y"] + 46))
              for b, r in zip(found["boards"], rows, strict=True)]  # fmt: skip
    assert places[0][0] == pytest.approx(above[-1]["y"] + 46 + 30)
    assert [b[0] - a[1] for a, b in pairwise(places)] == pytest.approx([30, 30])
    assert name["y"] == pytest.approx(places[-1][1] + 30)
    assert height - name["y"] < 80  # and nothing empty under it
