"""A report is one small page that opens anywhere; its figures are those of the games."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from statistics import median

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from controller.app.cli import cli
from controller.lab.effects import figures_of
from controller.lab.figures import QUESTIONS, RunFigures
from controller.lab.intervals import quantile
from controller.lab.plan import Plan, varied
from controller.lab.report import JudgedRun, compared, judged, known, page
from controller.lab.store import Store
from tests.lab.runs import played, quick, rows


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Store:
    plan = quick(games=40, levels=("random", "1"), without=("stone takes",))
    return played(plan, tmp_path_factory.mktemp("run") / "tides")


@pytest.fixture(scope="module")
def varying(tmp_path_factory: pytest.TempPathFactory) -> Store:
    plan = Plan(game="beacons", vary=varied(["rounds=1,2", "bid=6,12"]), levels=("random",), games=20)
    return played(plan, tmp_path_factory.mktemp("run") / "beacons")


@pytest.fixture(scope="module")
def told(run: Store) -> JudgedRun:
    return judged(run)


@pytest.fixture(scope="module")
def told_of_varying(varying: Store) -> JudgedRun:
    return judged(varying)


def test_every_question_is_answered_from_the_rows_of_the_games(run: Store) -> None:
    games = [row for row in rows(run, "games") if len(set(row["players"])) == 1]
    plies = [row for row in rows(run, "plies") if row["case"] in {game["case"] for game in games}]
    figures = RunFigures(run)
    asked = {question: figures.ask(question) for question in QUESTIONS}
    figures.close()
    assert {(r["level"], r["ending"]): r["count"] for r in asked["endings"]} == Counter(
        (game["players"][0], game["ending"]) for game in games
    )
    lengths = [r["plies"] for r in asked["lengths"] for _ in range(r["count"])]
    assert (sorted(lengths), median(lengths)) == (sorted(g["plies"] for g in games), median(g["plies"] for g in games))
    assert sum(r["count"] for r in asked["choices"]) == len(plies)
    assert {r["seat"]: r["forced"] for r in asked["forced"]} == {
        seat: sum(ply["choices"] == 1 for ply in plies if ply["seat"] == seat) for seat in (0, 1)
    }
    players = {game["case"]: game["players"][0] for game in games}
    assert {(r["level"], r["offer"]): r["chosen"] for r in asked["offers"]} == Counter(
        (players[ply["case"]], ply["use"]) for ply in plies
    )
    assert sum(r["by_chance"] for r in asked["offers"]) == pytest.approx(len(plies))
    assert {r["site"]: r["count"] for r in asked["sites"]} == Counter(
        site for ply in plies for site in {ply["origin"], ply["site"]}
    )
    assert sum(r["won"] for r in asked["users"] if r["use"] == "stone takes") == sum(
        game["winner"] is not None and "stone takes" in game["used"][game["winner"]] for game in games
    )
    meek = next(r for r in asked["meetings"] if r["player"] == "1!stone takes")
    assert meek["games"] == 40


def test_a_page_needs_nothing_else_and_says_the_same_twice(run: Store, told: JudgedRun) -> None:
    written = page([told])
    assert written == page([judged(run)])
    assert len(written.encode()) < 400_000
    assert not re.findall(r"(?:src|href)=\"(?!#)|<script|@import|url\((?!#)", written)
    assert written.count("<svg") == 3


def test_a_run_with_many_settings_has_a_line_for_each(told_of_varying: JudgedRun) -> None:
    assert [setting.told for setting in told_of_varying.settings] == [
        f"rounds={rounds}, bid={bid}" for rounds in (1, 2) for bid in (6, 12)
    ]
    written = page([told_of_varying])
    assert all(f'href="#s{number}"' in written for number in range(4))


def test_the_more_figures_a_report_judges_by_the_wider_are_their_intervals(
    told: JudgedRun, told_of_varying: JudgedRun
) -> None:
    assert 0.95 < told.confidence < told_of_varying.confidence < 1


@pytest.mark.long
def test_two_runs_are_told_apart_where_they_differ_and_only_there(tmp_path: Path) -> None:
    ours = judged(played(quick(games=150), tmp_path / "one"))
    again = judged(played(quick(games=150, seed=2), tmp_path / "two"))
    better = judged(played(quick(games=150, levels=("1",)), tmp_path / "better"))
    told = [each for _, found in compared(ours, again) for each in found if each.told]
    assert not told
    shorter = {each.name: each for _, found in compared(ours, better) for each in found}
    assert shorter["moves: half of the games have at most"].told
    assert "What differs from better" in page([ours, better])


def test_what_a_change_does_is_told_only_where_it_is_certain(tmp_path: Path) -> None:
    plan = quick(games=150, levels=("1",), alone={"side": ("4",), "repeats": ("4",)})
    found = judged(played(plan, tmp_path / "alone"))
    usual, small, patient = found.changed
    assert (usual.told, small.told, patient.told) == ("as it is", "side=4", "repeats=4")
    assert not usual.sentences
    assert not patient.sentences  # hardly any game of this level repeats a position
    moves = next(each for each in small.effects if each.line.name == "moves, half of the games")
    assert (moves.told, moves.line.estimate.value < moves.usual.estimate.value) == (-1, True)
    assert any(each.startswith("side=4: moves, half of the games ") for each in small.sentences)
    assert "What each change does" in page([found])


def test_figures_that_are_put_beside_each_other_are_those_of_the_games(run: Store, told: JudgedRun) -> None:
    setting = told.settings[0]
    lines = figures_of(setting.asked, known(told.plan, told.plan.cases()[0]))
    games = [row for row in rows(run, "games") if len(set(row["players"])) == 1]
    points = [0.5 if row["winner"] is None else float(row["winner"] == 0) for row in games]
    assert lines["points of White"].estimate.value == pytest.approx(sum(points) / len(games))
    assert lines["moves, half of the games"].estimate.value == quantile(Counter(row["plies"] for row in games), 0.5)
    met = [row for row in rows(run, "games") if {*row["players"]} == {"random", "1"}]
    won = [0.5 if row["winner"] is None else float(row["players"][row["winner"]] == "1") for row in met]
    assert lines["points of the next level"].estimate.value == pytest.approx(sum(won) / len(met))
    shares = [lines[ending].estimate.value for ending in ("conquest", "massacre", "stuck", "repetition", "unfinished")]
    assert sum(shares) == pytest.approx(1)


def test_cells_that_terrain_fills_are_not_called_unused() -> None:
    plan = Plan(game="cyvasse")
    cells = known(plan, plan.cases()[0]).cells
    assert (len(cells), "a8" in cells, "h2" in cells) == (91 - 12, False, True)


def test_a_seat_that_begins_with_other_pieces_is_called_by_them() -> None:
    plan = Plan(game="giantslayer")
    assert known(plan, plan.cases()[0]).seat_names == ("First player (halogai)", "Second player (giant)")
    plan = Plan(game="tides-of-war")
    assert known(plan, plan.cases()[0]).seat_names == ("White", "Black")


def test_a_page_says_of_which_games_it_is_and_shows_no_line_without_a_figure(told: JudgedRun) -> None:
    text = page([told])
    met = told.games - sum(setting.games for setting in told.settings)
    assert (told.games, met) == (200, 120)
    assert "Games of equals</th>" in text
    assert f"In {met} games more, different players meet" in text
    assert ">–<" not in text
    assert 'cells that something goes to or comes from</th><td class="number">100 %' in text


def test_a_page_says_each_reason_once_and_where_its_games_to_watch_lie(tmp_path: Path) -> None:
    store = played(quick(games=4), tmp_path / "few games")
    (setting,) = judged(store).settings
    (fair,) = (each for each in setting.answers if each.key == "fair")
    assert fair.reasons == ("too few games of level random to tell: 4",)
    assert f"beaconboard lab show &#39;{store.folder}&#39; 0 " in page([judged(store)])


def test_a_run_takes_its_game_from_the_variant(tmp_path: Path) -> None:
    file = tmp_path / "wide.toml"
    file.write_text('name = "wide"\ntitle = "Wide"\ngame = "tides-of-war"\nabout = "More room."\n[options]\nside = 7\n')
    given = ["--levels", "random", "--games", "1", "--workers", "0"]
    said = CliRunner().invoke(cli, ["lab", "run", "--variant", str(file), *given, "--out", str(tmp_path / "run")])
    assert said.exit_code == 0, said.output
    plan = Store(tmp_path / "run").run().plan
    assert (plan.game, plan.variant, plan.base) == ("tides-of-war", "Wide", {"side": 7})
    said = CliRunner().invoke(cli, ["lab", "run", *given, "--out", str(tmp_path / "other")])
    assert (said.exit_code, "say what is played: --game NAME, or --variant" in said.output) == (2, True)


def test_the_command_writes_the_page_into_the_run(run: Store) -> None:
    said = CliRunner().invoke(cli, ["lab", "report", str(run.folder)])
    assert said.exit_code == 0, said.output
    assert "ends " in said.output
    assert (run.folder / "report.html").stat().st_size > 10_000


def test_the_command_refuses_three_runs_and_none_that_is_there(run: Store, tmp_path: Path) -> None:
    said = CliRunner().invoke(cli, ["lab", "report", *[str(run.folder)] * 3])
    assert (said.exit_code, "one run or about two" in said.output) == (2, True)
    said = CliRunner().invoke(cli, ["lab", "report", str(tmp_path)])
    assert (said.exit_code, "there is no run in" in said.output) == (2, True)


def test_a_game_of_a_run_becomes_a_recording_that_replays(run: Store, tmp_path: Path) -> None:
    shown = CliRunner().invoke(cli, ["lab", "show", str(run.folder), "0", "3"])
    plies = shown.output.strip().split("; ")
    assert plies == [row["text"] for row in rows(run, "plies") if (row["case"], row["game"]) == (0, 3)]
    file = tmp_path / "game.jsonl"
    assert CliRunner().invoke(cli, ["lab", "show", str(run.folder), "0", "3", "--into", str(file)]).exit_code == 0
    replayed = CliRunner().invoke(cli, ["replay", "--plies", str(file)])
    assert replayed.output.strip() == "; ".join(plies)


@pytest.mark.parametrize("width", [320, 1440])
def test_a_report_is_read_at_every_width(
    browser: Browser, told: JudgedRun, told_of_varying: JudgedRun, width: int
) -> None:
    for found in (told, told_of_varying):
        tab = browser.new_page(viewport={"width": width, "height": 800})
        tab.set_content(page([found]))
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.locator("h1").count() == 1
        assert tab.locator("section.answer").count() == 7 * len(found.settings)
        tab.close()
