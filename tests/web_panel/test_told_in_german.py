"""What table, rules and service say, on a German phone beside an English one; and that nothing is said past it."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import polib
import pytest
from flask import Flask

from controller.diagnostics.findings import ExamEvidence, judge
from controller.from_profile import bare_profile, table_board
from controller.orders import NewGame, OfferDraw, Pause, Resign, TakeBack
from controller.rules.game import Illegal, Unreadable
from controller.rules.registry import all_games
from controller.sentences import Sentence, in_language, spoken
from controller.service.running_board import RunningBoard
from controller.table.orders import resume
from controller.table.session import Left
from controller.table.state import Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture, plies_at
from hardware.profile import load
from tests.web_panel.real_backend import real_app
from tools.texts import forms, said_in, sayings
from web_panel.language import FOLDER, SAID, read

ROOT = FOLDER.parents[1]
SAYINGS = sorted(FOLDER.glob(f"*/{SAID}.po"))
STEPS = 40
PLY_WORDS = ("bid", "place", "move", "end")


class Room:
    """The real service behind its panel, and phones of different languages."""

    def __init__(self, app: Flask, running: RunningBoard) -> None:
        self.running = running
        self._client = app.test_client()

    def get(self, language: str, path: str) -> Any:
        return self._client.get(f"/api/{path}", headers={"Accept-Language": language}).get_json()

    def post(self, language: str, path: str, body: Any) -> Any:
        return self._client.post(f"/api/{path}", json=body, headers={"Accept-Language": language}).get_json()

    def order(self, language: str, **order: Any) -> Any:
        return self.post(language, "order", order)

    def set_up(self) -> None:
        """Put every piece where it should stand, and wait until that is seen."""
        self.post("en", "set_up", {})
        next(seen for seen in self.running.service.watch() if seen is not None and stands(seen.table))

    def stream(self, language: str) -> Iterator[dict[str, Any]]:
        """Yield the views that a phone of that ``language`` is sent."""
        told = self._client.get("/api/watch", headers={"Accept-Language": language}, buffered=False)
        for part in told.iter_encoded():
            if part.startswith(b"event: view"):
                yield msgspec.json.decode(part.split(b"data: ", 1)[1])

    def seen(self, language: str) -> dict[str, Any]:
        """Return what such a phone sees that comes now."""
        return next(self.stream(language))


def stands(table: Table) -> bool:
    play = table.play
    if play is None or play.setting_up:
        return False
    return table.now & play.game_area.area == play.settled.position.standing


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as held:
        app, running, _ = real_app("square144", tmp_path, held)
        yield Room(app, running)


def began(room: Room, *plies: str) -> None:
    room.order("en", do="new_game", game="tides-of-war", plies=plies)
    room.set_up()


def test_both_phones_are_told_at_once_each_in_its_own_language(room: Room) -> None:
    german, english = room.stream("de-DE,de;q=0.9"), room.stream("en")
    assert (next(german)["sentence"], next(english)["sentence"]) == (
        "Es läuft keine Partie.", "No game is on.",
    )  # fmt: skip
    began(room)
    german_view, english_view = room.seen("de"), room.seen("en")
    assert (german_view["sentence"], english_view["sentence"]) == ("Weiß ist am Zug.", "White to move.")
    assert [seat["name"] for seat in german_view["seats"]] == ["Weiß", "Schwarz"]
    assert german_view["kinds"] == {"stone": "Stein"}
    assert next(german)["title"] == next(english)["title"] == "Tides of War"


def test_a_stream_stays_in_the_language_that_the_phone_came_with(room: Room) -> None:
    german = room.stream("de")
    next(german)
    began(room)
    room.order("en", do="pause", on=True)
    assert next(view["sentence"] for view in german if view["phase"] == "pause") == "Pause."


def test_a_ply_that_is_not_allowed_says_so_in_german(room: Room) -> None:
    began(room)
    forbidden = {"do": "ply", "text": "c3-c5"}
    assert room.order("de", **forbidden)["error"] == "c3 und c5 sind keine Nachbarn: Ein Stein geht ein Feld weit"
    assert room.order("en", **forbidden)["error"] == "c3 and c5 are not neighbours: a stone steps one square"
    assert room.order("de", do="ply", text="c6-c5")["error"] == "Der Stein auf c6 gehört Schwarz, und am Zug ist Weiß"


def test_a_stone_that_goes_astray_is_explained_in_german(room: Room) -> None:
    began(room)
    assert room.running.hand is not None
    token = room.running.hand.lift("c3")
    room.running.hand.place(token["id"], "a6")
    room.running.service.submit(Pause(on=False))
    views = (view for view in room.stream("de") if view["phase"] == "fix")
    assert next(view["advice"] for view in views if "a6" in view["advice"]) == (
        "c3 nach a6 ist nicht erlaubt. c3 und a6 sind keine Nachbarn: Ein Stein geht ein Feld weit. "
        "Stell die Figur zurück auf c3."
    )


def test_how_a_game_ended_is_told_in_german_and_kept_in_english(room: Room) -> None:
    began(room, "c3-c4")
    room.order("en", do="resign", seat=1)
    assert room.seen("de")["sentence"] == "Schwarz gibt auf. Weiß gewinnt."
    assert room.seen("en")["sentence"] == "Black resigned. White wins."
    assert room.get("de", "history/1")["sentence"] == "Weiß hat gewonnen, durch Aufgabe"
    assert room.get("de", "evening")["tally"] == "Gewonnen: Weiß (1)."
    assert room.get("en", "evening")["tally"] == "Won: White (1)."


def test_the_games_and_their_options_are_told_in_german(room: Room) -> None:
    games = {game["name"]: game for game in room.get("de", "games")}
    assert games["giantslayer"]["boards"] == ["Sechseckbrett, 91 Stellen"]
    (rounds,) = games["giantslayer"]["options"]
    assert (rounds["name"], rounds["title"]) == ("rounds", "Runden")
    victory = next(option for option in games["circle"]["options"] if option["name"] == "victory")
    assert victory["choices"] == ["annihilation", "quick"]
    assert victory["titles"] == ["Vernichtung", "Schnell"]
    french = {game["name"]: game for game in room.get("fr", "games")}["circle"]["options"]
    assert [option["title"] for option in french] == ["Joueurs", "Victoire", "Toute unité"]
    assert games["circle"]["blurb"].startswith("Der Kreis: Einheiten in vier Klassen")


def test_what_the_doctor_found_is_told_in_german() -> None:
    (found,) = judge(load("square144"), ExamEvidence(heard={"a1": ("a1",), "a2": ()})).findings
    told = msgspec.to_builtins(found, enc_hook=spoken(read()["de"].said))
    assert told["what"] == "Der Sensor von a2 antwortet nie."
    assert told["advice"].startswith("Miss nach: Mit einem Magneten muss Register ")
    assert "Eingang" in told["advice"]


def test_a_lesson_speaks_german(room: Room) -> None:
    room.order("de", do="start_lesson", game="tides-of-war")
    assert room.seen("de")["lesson"]["sentence"].startswith("Tides of War. Du gewinnst, wenn ein Stein von dir")
    assert room.seen("en")["lesson"]["sentence"].startswith("Tides of War. You win by bringing a stone into")


# ---- nothing is said past the translations ----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("file", SAYINGS, ids=lambda file: file.parent.name)
def test_every_sentence_is_translated_and_none_is_left_over(file: Path) -> None:
    catalog = polib.pofile(str(file))
    known = {(entry.msgctxt or "", entry.msgid) for entry in catalog}
    untold = [entry.msgid for entry in catalog if not entry.msgstr]
    wanted = {*(("", text) for text in sayings()), *forms(catalog, sayings())}
    assert (untold, sorted(wanted - known), sorted(known - wanted)) == ([], [], []), "run: python -m tools.texts"


@pytest.mark.parametrize("file", SAYINGS, ids=lambda file: file.parent.name)
def test_every_translation_can_be_filled(file: Path) -> None:
    for entry in polib.pofile(str(file)):
        names = re.findall(r"{(\w+)}", entry.msgid)
        told = in_language(Sentence(entry.msgid, dict.fromkeys(names, "x")), {entry.msgid: entry.msgstr})
        assert told.count("{") == 0, entry.msgid


def test_a_sentence_with_blanks_is_written_out_where_it_is_said() -> None:
    """Else nobody could find it to translate it; a single word may come from elsewhere."""
    for file, call in said_in(ROOT / "controller", ROOT / "web_panel"):
        written = call.args and isinstance(call.args[0], ast.Constant)
        where = f"{file}:{call.lineno}"
        assert written or not call.keywords or file == "controller/sentences.py", where
        if written:
            if call.func.id == "form":  # type: ignore[attr-defined]
                continue  # its blanks are filled elsewhere, on purpose
            blanks = set(re.findall(r"{(\w+)}", str(call.args[0].value)))  # type: ignore[attr-defined]
            given = {keyword.arg for keyword in call.keywords}
            assert blanks == given or None in given, where


REFUSALS = (
    "abort", "as_error", "Refused", "Illegal", "Unreadable", "BadOption", "CannotMove", "DoesNotFit", "NoCell",
)  # fmt: skip


@pytest.mark.slow
def test_a_refusal_is_said_and_not_just_written() -> None:
    """What is written there as a plain text no phone gets in its language; the command line is English."""
    past = []
    files = {*(ROOT / "controller").rglob("*.py"), *(ROOT / "web_panel").rglob("*.py")}
    for path in sorted(files - {ROOT / "controller" / "app" / "rules_commands.py"}):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in REFUSALS:
                texts: list[ast.expr] = [arg for arg in node.args if isinstance(arg, ast.JoinedStr | ast.BinOp)]
                texts += [arg for arg in node.args if isinstance(arg, ast.Constant) and " " in str(arg.value)]
                past += [f"{path.relative_to(ROOT)}:{text.lineno}: {ast.unparse(text)}" for text in texts]
    assert past == []


class Marking(Mapping[str, str]):
    """A language that puts into brackets all but what fills the blanks, and so shows what is said past it."""

    def __getitem__(self, template: str) -> str:
        return re.sub(r"[^{}]+(?![^{}]*})", lambda words: f"⟦{words[0]}⟧", template)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def past(text: str) -> list[str]:
    """Return the words in ``text`` that are said past the translation; cells and plies are no words."""
    bare = re.sub("⟦[^⟦⟧]*⟧", "", re.sub("'[^']*'", "", text))
    return [word for word in re.findall("[A-Za-z]{2,}", bare) if word not in PLY_WORDS]


def told_to_people(view: dict[str, Any]) -> Iterator[str]:
    yield from (view[name] for name in ("title", "sentence", "advice", "question", "why", "seating"))
    yield from view["lines"]
    yield from view["kinds"].values()
    yield from (seat["name"] for seat in view["seats"])
    yield from (choice["words"] for choice in (*view["choices"], *view["taps"]) if choice["words"] != choice["ply"])


def random_states(name: str, seed: int) -> Iterator[tuple[Any, tuple[str, ...]]]:
    game, dice = all_games()[name], random.Random(seed)
    texts: tuple[str, ...] = ()
    state = game.start(game.options(), seed)
    for _ in range(STEPS):
        yield state, texts
        plies = game.plies(state)
        if not plies:
            return
        ply = dice.choice(plies)
        texts = (*texts, game.text(state, ply))
        state = game.after(state, ply)


@pytest.mark.slow
@pytest.mark.parametrize("name", all_games())
def test_nothing_in_a_view_is_said_past_the_translation(name: str) -> None:
    board = table_board(bare_profile(name, {}))
    for _, texts in list(random_states(name, 5))[::4]:
        table = resume(Table(board), NewGame(game=name, seed=5), Left(texts))[0]
        for now in (table, msgspec.structs.replace(table, now=table.play.settled.position.standing)):
            for seat in (None, 0):
                seen = picture(now, CALM, 1, seat)
                view = msgspec.to_builtins(seen, enc_hook=spoken(Marking()))
                assert [word for text in told_to_people(view) for word in past(text)] == []
        for choice in plies_at(table, board.sites[len(board.sites) // 2], None):
            told = str(msgspec.to_builtins(choice.words, enc_hook=spoken(Marking())))
            assert told == choice.ply or past(told) == []


@pytest.mark.parametrize("name", all_games())
def test_no_reason_is_given_past_the_translation(name: str) -> None:
    """Plies of other positions are played where they are not legal, and texts that are none."""
    game, dice = all_games()[name], random.Random(9)
    states = list(random_states(name, 9))
    texts = sorted({text for _, plies in states for text in plies})
    reasons = 0
    for state, _ in states:
        for text in [*dice.sample(texts, min(12, len(texts))), "end", "a1-z9", "nonsense", "bid 1", "t a1 a1 0"]:
            try:
                game.play_text(state, text)
            except (Illegal, Unreadable) as refused:
                told = str(msgspec.to_builtins(str(refused), enc_hook=spoken(Marking())))
                assert past(told) == [], told
                reasons += 1
    assert reasons > STEPS


@pytest.mark.slow
@pytest.mark.parametrize("name", all_games())
def test_an_evening_of_every_game_is_written_and_told_without_a_sentence_that_an_encoder_cannot_take(
    name: str, tmp_path: Path
) -> None:
    board = {"beacons": "shell19", "giantslayer": "hex91", "cyvasse": "hex91"}.get(name, "square144")
    with ExitStack() as held:
        app, running, _ = real_app(board, tmp_path, held)
        room, dice = Room(app, running), random.Random(2)
        room.order("de", do="new_game", game=name, seed=2)
        room.set_up()
        for _ in range(12):
            play = running.service.look().table.play
            assert play is not None
            game, state = play.session.game, play.session.state
            room.order("de", do="ply", text=game.text(state, dice.choice(game.plies(state))))
            room.set_up()
            assert "error" in room.order("de", do="ply", text="nonsense")
        running.service.submit(TakeBack())
        running.service.submit(OfferDraw(seat=0))
        assert room.get("de", "plies?site=c3") is not None
        running.service.submit(Resign(seat=0))
        assert room.seen("de")["sentence"] != room.seen("en")["sentence"]
        assert room.get("de", "history/1")["over"]
        # Who resigned may take that back: where bids were made, nobody reads them now.
        status = 409 if play.session.private else 200
        for path in ("history/1/text", "history/1/recording", "care/recording"):
            assert app.test_client().get(f"/api/{path}").status_code == status
        assert room.get("de", "history/1?ply=3")["ply"] == 3


def test_german_has_a_sentence_for_each_and_english_needs_none() -> None:
    languages = read()
    assert languages["en"].said == {}
    assert languages["de"].said["{seat} to move."] == "{seat} ist am Zug."
