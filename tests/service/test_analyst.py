"""Finished games are looked at once each, beside the game: begun by itself or when asked for, held while hands move."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.game_setup import Opponents
from controller.journal import analyses
from controller.journal.archive import Archive
from controller.journal.database import Journal
from controller.orders import NewGame, Resign
from controller.service.showing.broadcast import ShownTable
from controller.service.thinking.analyst import FEWEST, QUIET_S, Analyst
from tests.service.evenings import TIDES, Evening
from tests.waiting import until

PLIES = ("c3-c4", "c6-b5", "c2-d3", "b6-a6", "b3-c3", "d5-c6")
# A process that writes down what it is told, and answers each game at once.
TOLD = """
import json, sys
for line in sys.stdin:
    open(sys.argv[1], "a").write(line)
    said = json.loads(line)
    if "game" in said:
        print(json.dumps({"done": 1, "of": 7}), flush=True)
        print(json.dumps(ANSWER), flush=True)
"""
FOUND = {"analysis": {"chances": [[0.5, 0.5]], "turns": []}}


class At:
    """An evening with somebody who looks at its games, `follow`ed by the test instead of a thread."""

    def __init__(self, folder: Path, answer: object) -> None:
        self.path, self.log = folder / "games.sqlite3", folder / "told"
        self.log.touch()
        self.evening = Evening(self.path).start()
        self.now_s = 100.0
        script = TOLD.replace("ANSWER", repr(answer))
        command = [sys.executable, "-c", script, str(self.log)]
        self.analyst = Analyst(self.evening.service, self.path, command, lambda: self.now_s)

    def follow(self, seconds: float = 0.0) -> None:
        self.now_s += seconds
        self.analyst.follow(self.evening.service.look())

    @property
    def told(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def played(self, count: int = FEWEST) -> None:
        self.evening.order(NewGame(game=TIDES, seed=1, plies=PLIES[:count])).set_up()
        self.evening.order(Resign(seat=0))

    def known(self, game_id: int = 1) -> bytes | None:
        with closing(Archive(self.path)) as archive:
            return analyses.analysis_of(self.path, archive.saved(game_id))


def at(folder: Path, answer: object) -> Iterator[At]:
    opened = At(folder, answer)
    yield opened
    opened.analyst.close()
    opened.evening.stop()


@pytest.fixture
def finds(tmp_path: Path) -> Iterator[At]:
    yield from at(tmp_path, FOUND)


@pytest.fixture
def works(tmp_path: Path) -> Iterator[At]:
    """It never comes to an end."""
    yield from at(tmp_path, {"done": 2, "of": 7})


@pytest.fixture
def fails(tmp_path: Path) -> Iterator[At]:
    yield from at(tmp_path, {"error": "the rules failed: KeyError"})


def test_a_game_that_ends_is_looked_at_once(finds: At) -> None:
    finds.played()
    finds.follow()
    until(lambda: finds.known() is not None)
    (told,) = finds.told
    assert told == {"game": TIDES, "options": told["options"], "seed": 1, "plies": list(PLIES), "winner": 2}
    assert msgspec.json.decode(finds.known() or b"") == FOUND["analysis"]
    assert finds.analyst.progress(1) is None
    for _ in range(5):
        finds.follow(QUIET_S)
    assert len(finds.told) == 1


def test_a_game_of_a_few_moves_waits_until_it_is_asked_for(finds: At) -> None:
    finds.played(2)
    finds.follow(QUIET_S)
    assert finds.analyst.progress(1) is None
    assert finds.told == []
    finds.analyst.ask(1)
    assert finds.analyst.progress(1) is not None
    finds.follow()
    until(lambda: finds.known() is not None)


def test_nothing_is_begun_while_hands_move_pieces(finds: At) -> None:
    finds.played()
    finds.evening.order(NewGame(game=TIDES, seed=2)).set_up()
    finds.follow(QUIET_S)
    finds.evening.hands("-c3")
    finds.analyst.ask(1)
    finds.follow()
    assert finds.told == []
    finds.follow(QUIET_S / 2)
    assert finds.told == []
    finds.follow(QUIET_S)
    until(lambda: finds.known() is not None)


def test_the_work_holds_as_soon_as_a_hand_moves_something(works: At) -> None:
    works.played()
    works.evening.order(NewGame(game=TIDES, seed=2)).set_up()
    works.follow(QUIET_S)
    works.analyst.ask(1)
    works.follow(QUIET_S)
    until(lambda: works.analyst.progress(1).done == 2)
    works.evening.hands("-c3")
    works.follow()
    until(lambda: works.told[-1] == {"hold": True})
    works.follow(QUIET_S / 2)
    works.follow(QUIET_S)
    until(lambda: works.told[-1] == {"hold": False})
    assert works.known() is None


def test_the_work_holds_while_the_board_thinks_about_its_move(works: At) -> None:
    works.played()
    works.follow(QUIET_S)
    until(lambda: works.analyst.progress(1).done == 2)
    works.evening.order(NewGame(game=TIDES, seed=1, opponents=Opponents((1,)))).set_up()
    works.follow(QUIET_S)
    works.follow(10 * QUIET_S)
    until(lambda: works.told[-1] == {"hold": True})


def test_what_the_disk_does_not_take_is_told_and_may_be_asked_for_again(
    finds: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(analyses, "keep", full)
        finds.played()
        finds.follow()
        until(lambda: finds.analyst.progress(1).error)
        assert finds.analyst.progress(1).error == "the disk does not take it (No space left on device)"
    finds.analyst.ask(1)
    finds.follow()
    until(lambda: finds.known() is not None)


def test_what_was_found_counts_for_these_very_moves_alone(finds: At) -> None:
    finds.played()
    finds.follow()
    until(lambda: finds.known() is not None)
    with closing(Archive(finds.path)) as archive:
        saved = archive.saved(1)
    other = msgspec.structs.replace(saved, left=msgspec.structs.replace(saved.left, plies=PLIES[:4]))
    assert analyses.analysis_of(finds.path, other) is None
    (finds.path.with_name(f"{finds.path.name}.analyses") / "1.json").write_text("half a fi")
    assert finds.known() is None


def test_a_failure_is_told_and_may_be_asked_for_again(fails: At) -> None:
    fails.played()
    fails.follow()
    until(lambda: bool((at := fails.analyst.progress(1)) and at.error))
    assert fails.analyst.progress(1).error == "the rules failed: KeyError"
    fails.analyst.ask(1)
    fails.follow()
    until(lambda: len([line for line in fails.told if "game" in line]) == 2)


def test_a_process_that_dies_is_told_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    dies = At(tmp_path, FOUND)
    dies.analyst = Analyst(dies.evening.service, dies.path, [sys.executable, "-c", "input()"], lambda: dies.now_s)
    dies.played()
    dies.follow()
    until(lambda: bool((at := dies.analyst.progress(1)) and at.error))
    assert "ended" in dies.analyst.progress(1).error
    assert caplog.messages == ["the analysing process ended by itself, with status 0"]
    dies.evening.stop()


def test_a_game_that_is_not_there_is_told_of(finds: At) -> None:
    finds.played()
    finds.analyst.ask(77)
    finds.follow()
    finds.follow()
    assert "no game 77" in finds.analyst.progress(77).error


def test_a_game_that_the_disk_did_not_take_is_not_looked_at(finds: At, tmp_path: Path) -> None:
    empty = tmp_path / "nothing.sqlite3"
    Journal(empty).close()
    analyst = Analyst(finds.evening.service, empty, ("false",))
    finds.played()
    analyst.follow(finds.evening.service.look())
    assert analyst.progress(1) is None


def asked(at: At) -> list[int]:
    """Return which games the process was asked for, by their seeds."""
    return [int(str(line["seed"])) for line in at.told if "game" in line]


def test_games_wait_for_each_other_and_the_process_ends_when_none_waits(finds: At) -> None:
    finds.played()
    finds.evening.order(NewGame(game=TIDES, seed=2, plies=PLIES)).set_up()
    finds.evening.order(Resign(seat=0))
    for game_id in (1, 2, 2):
        finds.analyst.ask(game_id)
    finds.follow(QUIET_S)
    process = finds.analyst._process
    assert process is not None
    until(lambda: finds.known(1) is not None)
    assert asked(finds) == [1]
    finds.follow()
    until(lambda: finds.known(2) is not None)
    until(lambda: finds.analyst._process is None)
    until(lambda: process.returncode == 0)  # somebody has waited for its end, so that nothing of it is left
    assert asked(finds) == [1, 2]
    finds.analyst.ask(1)
    finds.follow()
    until(lambda: asked(finds) == [1, 2, 1])  # by another process


def test_who_asks_for_what_is_being_looked_at_begins_nothing_anew(works: At) -> None:
    works.played()
    works.analyst.ask(1)
    works.follow(QUIET_S)
    until(lambda: works.analyst.progress(1).done == 2)
    works.analyst.ask(1)
    assert works.analyst.progress(1).done == 2
    works.evening.order(NewGame(game=TIDES, seed=2, plies=PLIES)).set_up()
    works.analyst.ask(2)
    assert (works.analyst.progress(2).done, works.analyst.progress(1).done) == (0, 2)
    works.follow(QUIET_S)
    assert asked(works) == [1]


def test_what_was_closed_in_the_middle_is_begun_anew_when_it_is_asked_for(works: At) -> None:
    works.played()
    works.analyst.ask(1)
    works.follow(QUIET_S)
    until(lambda: works.analyst.progress(1).done == 2)
    works.analyst.close()
    assert works.analyst.progress(1) is None
    works.analyst.ask(1)
    works.follow(QUIET_S)
    until(lambda: asked(works) == [1, 1])


def test_the_thread_looks_again_though_nothing_happens_at_the_table(finds: At, monkeypatch: pytest.MonkeyPatch) -> None:
    finds.played()
    seen: list[ShownTable] = []
    monkeypatch.setattr(finds.evening.service, "watch", lambda quiet_s: iter([None]))
    monkeypatch.setattr(finds.analyst, "follow", seen.append)
    finds.analyst._run()
    assert [frame.game_id for frame in seen] == [1]


def test_who_closes_in_the_middle_ends_the_process(works: At) -> None:
    works.played()
    works.analyst.ask(1)
    works.follow(QUIET_S)
    until(lambda: works.analyst.progress(1).done == 2)
    process = works.analyst._process
    assert process is not None
    works.analyst.close()
    assert process.poll() is not None
