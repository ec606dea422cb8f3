"""What a page shows of kept games, without a browser: their list, each position, and what is secret."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.events import Seating
from controller.game_setup import Lesson, LessonStep, Opponents
from controller.journal.database import Entry, Journal
from controller.journal.game_text import from_text
from controller.journal.recording import Header, Line
from controller.orders import NewGame
from controller.panel import history_backend
from controller.panel.history_backend import PAGE, HistoryBackend
from controller.refused import Later, Refused
from controller.rules.registry import game_named
from controller.table.session import Ended
from hardware.profile import load

TIDES = "tides-of-war"
LINE = ("c3-c4", "c5xc3", "c2xc4")
RESIGNED = Ended(over=True, why="resigned", by=(1,), winner=0)


class KeptGames:
    """A journal to put games into, and the page that shows them."""

    def __init__(self, path: Path, **more: Any) -> None:
        self.journal = Journal(path)
        self.page = HistoryBackend(load("first36"), path, **more)

    def game(self, *plies: str, people: tuple[str, ...] = (), outcome: Ended | None = None, **header: Any) -> int:
        game_id = self.journal.begin(Header(header.pop("game", TIDES), **header))
        for number, text in enumerate(plies, 1):
            self.journal.enter(game_id, Entry(number * 1_000_000, ply=text))
        if people:
            self.journal.note(game_id, Line(1, seating=Seating(people)))
        if outcome:
            self.journal.enter(game_id, Entry(90_000_000, outcome=outcome))
        self.journal.flush()
        return game_id


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptGames]:
    made = KeptGames(tmp_path / "games.sqlite3")
    with closing(made.journal):
        yield made


def refusal(ask: Any, *what: Any) -> str:
    with pytest.raises(Refused) as refused:
        ask(*what)
    return str(refused.value)


# ---- the list ---------------------------------------------------------------------------------------------


def test_the_list_has_so_many_games_and_says_whether_there_are_more(kept: KeptGames) -> None:
    for _ in range(PAGE):
        kept.game("c3-c4")
    assert not kept.page.played()["more"]
    kept.game("c3-c4")
    found = kept.page.played()
    assert ([line["id"] for line in found["games"]], found["more"]) == (list(range(PAGE + 1, 1, -1)), True)
    rest = kept.page.played(before=2)
    assert ([line["id"] for line in rest["games"]], rest["more"]) == ([1], False)


def test_lessons_and_puzzles_are_no_games(kept: KeptGames) -> None:
    led = Lesson((LessonStep("Take.", LINE[0]),))
    kept.game(*LINE[:1], people=("Ann", "Ben"), outcome=RESIGNED)
    for _ in range(PAGE):
        kept.game(*LINE[:1], lesson=led, outcome=RESIGNED)
    kept.game(*LINE[:1], lesson=msgspec.structs.replace(led, puzzle="1"), outcome=RESIGNED)
    found = kept.page.played()
    assert ([line["id"] for line in found["games"]], found["more"]) == ([1], False)
    kept.game(*LINE[:1], people=("Ann", "Ben"), outcome=RESIGNED)
    evening = kept.page.evening()
    assert ([line["id"] for line in evening["games"]], evening["tally"]) == ([PAGE + 3], "Won: Ann (1).")


def test_a_line_is_read_again_where_its_game_has_changed(kept: KeptGames) -> None:
    game = kept.game("c3-c4")
    assert kept.page.played()["games"][0]["count"] == 1
    kept.journal.enter(game, Entry(2, ply="c5xc3"))
    kept.journal.flush()
    assert kept.page.played()["games"][0]["count"] == 2


def test_an_evening_is_summed_up_by_who_won(kept: KeptGames) -> None:
    assert kept.page.evening() == {"games": [], "tally": "No game is over yet.", "people": []}
    kept.game("c3-c4", people=("Ann", "Ben"))
    assert kept.page.evening()["tally"] == "No game is over yet."
    kept.game("c3-c4", people=("Ann", "Ben"), outcome=RESIGNED)
    kept.game("c3-c4", people=("Ben", "Ann"), outcome=RESIGNED)
    kept.game("c3-c4", people=("Ann", "Ben"), outcome=RESIGNED)
    kept.game("c3-c4", outcome=Ended(over=True, why="agreed", by=(0, 1)))
    found = kept.page.evening()
    assert found["tally"] == "Won: Ann (2), Ben (1). Drawn: 1."
    kept.game("c3-c4", opponents=Opponents(levels=(2, 0)), outcome=RESIGNED)
    assert kept.page.evening()["tally"] == "Won: Ann (2), Ben (1), the board (1). Drawn: 1."
    assert len(found["games"]) == 5


def test_games_that_were_left_have_a_move_and_no_end(kept: KeptGames) -> None:
    kept.game()
    left = kept.game("c3-c4", people=("Ann", "Ben"))
    kept.game("c3-c4", outcome=RESIGNED)
    kept.game(*LINE[:1], lesson=Lesson((LessonStep("Take.", LINE[0]),)))
    (only,) = kept.page.left()
    assert (only["id"], only["count"], only["game"]) == (left, 1, TIDES)


# ---- one game ---------------------------------------------------------------------------------------------


def test_a_game_is_shown_with_its_moves_its_people_and_its_board(kept: KeptGames) -> None:
    game = kept.game(*LINE, people=("Ann", "Ben"), outcome=RESIGNED)
    found = kept.page.past(game)
    assert [ply["text"] for ply in found["plies"]] == list(LINE)
    assert [(ply["seat"], ply["colour"]) for ply in found["plies"]] == [(0, 0), (1, 1), (0, 0)]
    assert (found["people"], found["minutes"]) == ((("White", "Ann"), ("Black", "Ben")), 2)
    alone = kept.page.past(kept.game(*LINE, people=("Ann",), opponents=Opponents((0, 2))))
    assert alone["people"] == (("White", "Ann"), ("Black", "the board"))
    assert (found["winner"], found["over"], found["kinds"], found["signs"]) == (
        "Ann",
        True,
        {"stone": "stone"},
        {"stone": ""},
    )
    assert len(found["geometry"]["sites"]) == 36
    assert found["started"]


def test_each_position_of_a_game_is_shown_and_none_beyond_its_end(kept: KeptGames) -> None:
    game = kept.game(*LINE)
    assert set(kept.page.position(game, 0)["pieces"]) == set(
        "a2 a3 a4 a5 b1 b2 b3 b4 c1 c2 c3 d1 d2 e1 b6 c5 c6 d4 d5 d6 e3 e4 e5 e6 f2 f3 f4 f5".split()  # noqa: SIM905
    )
    second = kept.page.position(game, 2)
    assert (second["ply"], second["changed"], second["sides"]) == (2, ("c3", "c4", "c5"), ["White", "Black"])
    assert "There is no position after move 4" in refusal(kept.page.position, game, 4)
    picture = kept.page.position_picture(game, None)
    assert (picture["told"]["ply"], picture["told"]["move"]["text"]) == (3, "c2xc4")
    assert kept.page.position_picture(game, 0)["told"]["move"] is None
    assert "There is no position after move 4" in refusal(kept.page.position_picture, game, 4)


def test_players_who_swapped_colours_are_shown_in_those_that_they_had(kept: KeptGames) -> None:
    game = kept.game("a5-b5", "e4-e3", game="giantslayer")
    assert [(ply["seat"], ply["colour"]) for ply in kept.page.past(game)["plies"]] == [(0, 0), (1, 1)]


def test_a_game_that_there_is_not_or_that_cannot_be_read_is_a_sentence(kept: KeptGames) -> None:
    assert refusal(kept.page.past, 7).startswith("There is no game 7 in the journal games.sqlite3")
    game = kept.game("c3-c9")
    assert refusal(kept.page.past, game).startswith("This game cannot be read under the current rules: ")
    assert kept.page.last() == game


def test_no_game_is_the_last_one_before_the_first(kept: KeptGames) -> None:
    assert kept.page.last() is None
    assert "No game has been played on this board yet" in refusal(kept.page.last_recording)
    kept.game()
    assert kept.page.last() == 1


# ---- out of the journal -----------------------------------------------------------------------------------


def test_a_game_goes_on_from_any_of_its_positions_as_a_new_one(kept: KeptGames) -> None:
    game = kept.game(*LINE, seed=5)
    order = msgspec.convert(kept.page.continued(game, 2), NewGame)
    assert (order.game, order.plies, order.seed) == (TIDES, LINE[:2], 5)


def test_no_game_goes_on_where_the_rules_have_ended_it(kept: KeptGames) -> None:
    rules = game_named(TIDES)
    state, plies, dice = rules.start(rules.options(), 0), [], Random(3)
    while rules.seat(state) is not None:
        ply = dice.choice(rules.plies(state))
        plies.append(rules.text(state, ply))
        state = rules.play(state, ply)
    game = kept.game(*plies)
    assert refusal(kept.page.continued, game, len(plies)).startswith("The game is over there")
    assert not kept.page.position(game, len(plies) - 1)["over"]
    assert kept.page.position(game, len(plies))["over"]
    assert len(kept.page.continued(game, len(plies) - 1)["plies"]) == len(plies) - 1


def test_a_game_against_the_board_goes_on_against_it(kept: KeptGames) -> None:
    game = kept.game(*LINE, opponents=Opponents((0, 2), coach=True))
    assert msgspec.convert(kept.page.continued(game, 2), NewGame).opponents == Opponents((0, 2), coach=True)


def test_a_game_as_text_reads_back_and_says_who_played_and_won(kept: KeptGames) -> None:
    text = kept.page.text(kept.game(*LINE, people=("Ann", "Ben"), outcome=RESIGNED, seed=5))
    assert "player White: Ann\nplayer Black: Ben\n" in text
    assert "result: Ann won as White against Ben, by resignation\n" in text
    assert len(text.split("date: ")[1].splitlines()[0]) == len("2026-03-01")
    assert from_text(text).plies == LINE


BIDS = ("bid 5 7", "bid 5 7")
TINY = {"players": 2, "board": "square 2 1"}


@pytest.mark.parametrize("plies", [(), BIDS[:1], BIDS, (*BIDS, "place a1 3")])
def test_a_game_with_secrets_goes_into_no_file_before_the_rules_have_ended_it(
    kept: KeptGames, plies: tuple[str, ...]
) -> None:
    game = kept.game(*plies, game="beacons", options=TINY)
    for ask in (kept.page.text, kept.page.recording, kept.page.opened):
        assert "Part of this game is secret" in refusal(ask, game)
    secret = "The rules have not ended this game, so what was chosen in secret stays secret: it cannot be"
    assert refusal(kept.page.continued, game, 0) == f"{secret} played on from here."
    assert kept.page.past(game)["secret"]
    assert refusal(kept.page.opened, game, "analyse") == f"{secret} analysed."
    kept.journal.enter(game, Entry(90_000_000, outcome=RESIGNED))  # players may take that back, and play on
    kept.journal.flush()
    assert "Part of this game is secret" in refusal(kept.page.text, game)


def test_a_bid_is_shown_to_nobody_before_all_are_in(kept: KeptGames) -> None:
    game = kept.game(*BIDS[:1], game="beacons", options=TINY)
    (shown,) = kept.page.past(game)["plies"]
    assert (shown["text"], shown["words"]) == ("bid", "chooses in secret")
    both = kept.page.past(kept.game(*BIDS, game="beacons", options=TINY))["plies"]
    assert [ply["text"] for ply in both] == ["bid", "bid"]


def test_once_the_rules_have_ended_it_a_game_with_secrets_is_given_out(kept: KeptGames) -> None:
    game = kept.game(*BIDS, "place a1 3", "end", "end", "end", "end", game="beacons", options=TINY)
    assert "bid 5 7; bid 5 7; place a1 3" in kept.page.text(game)
    assert kept.page.continued(game, 2)["plies"] == BIDS
    assert not kept.page.past(game)["secret"]
    assert [ply["text"] for ply in kept.page.past(game)["plies"]][:2] == ["bid 5 7", "bid 5 7"]
    assert "bid 5 7" not in kept.page.recording(game)  # of which there are no lines here


# ---- in again ---------------------------------------------------------------------------------------------


def test_a_game_that_is_brought_is_read_apart_and_why_not_is_told(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []
    answer: list[Any] = [({"game": TIDES}, "Tides of War, 3 moves"), Later("wait a moment"), Refused("it is empty")]

    def do(work: str, text: str, gone: Any) -> Any:
        asked.append((work, text))
        found = answer.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    apart: Any = SimpleNamespace(do=do)
    made = KeptGames(tmp_path / "games.sqlite3", apart=apart)
    assert made.page.imported("x") == {"order": {"game": TIDES}, "words": "Tides of War, 3 moves"}
    with pytest.raises(Later, match="wait a moment"):
        made.page.imported("y")
    assert refusal(made.page.imported, "z") == "This game cannot be read: it is empty."
    assert asked == [("import", "x"), ("import", "y"), ("import", "z")]
    made.journal.close()


# ---- names, games and rules -------------------------------------------------------------------------------


def test_people_are_called_as_they_are_called_today(tmp_path: Path) -> None:
    people: Any = SimpleNamespace(version=1, known_as=lambda id, name: {"p1": "Anna"}.get(id, name))
    made = KeptGames(tmp_path / "games.sqlite3", people=people)
    game = made.journal.begin(Header(TIDES))
    made.journal.note(game, Line(1, seating=Seating(("Ann", "Ben"), profiles=("p1",))))
    made.journal.flush()
    assert [name for _, name in made.page.past(game)["people"]] == ["Anna", "Ben"]
    people.known_as = lambda id, name: {"p1": "Annie"}.get(id, name)
    assert [name for _, name in made.page.past(game)["people"]] == ["Anna", "Ben"]  # known already
    people.version = 2
    assert [name for _, name in made.page.past(game)["people"]] == ["Annie", "Ben"]
    made.journal.close()


def test_each_game_says_whether_this_board_has_room_for_it_and_which_have(kept: KeptGames, tmp_path: Path) -> None:
    games = {game["name"]: game for game in kept.page.games()}
    assert (games[TIDES]["fits"], games["cyvasse"]["fits"]) == (True, False)
    assert load("hex91").title in games["cyvasse"]["boards"]
    anywhere = HistoryBackend(None, tmp_path / "games.sqlite3")
    assert all(game["fits"] for game in anywhere.games())


def test_rules_pages_diagrams_and_shells_are_there_or_refused(kept: KeptGames) -> None:
    assert "<" in (kept.page.page(TIDES) or "")
    assert kept.page.page("ludo") is None
    shown = kept.page.diagram(TIDES, {}, ["c3-c4"], "c5")
    assert (shown["title"], shown["kind"]) == ("Tides of War", "stone")
    assert "no site z9" in refusal(kept.page.diagram, TIDES, {}, [], "z9")
    assert kept.page.facing(("110000", "000000"), (0, 0), "reflect", (None, None))
    assert refusal(kept.page.facing, ("11", "000000"), (0, 0), "reflect", (None, None)).endswith(".")
    assert kept.page.movable(TIDES)
    assert kept.page.drawings("cyvasse")


def test_a_game_that_brings_no_page_about_its_rules_has_none(
    kept: KeptGames, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_backend, "files_of", lambda game: tmp_path)
    assert kept.page.page(TIDES) is None
    (tmp_path / "how_to_play.html").write_text("<p>Wähle einen Stein.</p>", encoding="utf-8")
    assert kept.page.page(TIDES) == "<p>Wähle einen Stein.</p>"
