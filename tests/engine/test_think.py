"""`beaconboard think`: a line for each line, whatever is in it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.engine.player import MOST_AHEAD, Player
from controller.engine.think import LONGEST, LastPlayer, PipeLines, QuestionLoop
from controller.rules.registry import game_named

ROOT = Path(__file__).parents[2]
FOUR = {"players": 4}


def answers(*lines: bytes) -> list[dict[str, Any]]:
    """Return what is answered to lines that have all been written before it begins."""
    reading, writing = os.pipe()
    out = io.BytesIO()
    feeder = threading.Thread(target=_feed, args=(writing, b"".join(line + b"\n" for line in lines)))
    feeder.start()
    try:
        QuestionLoop(PipeLines(reading), out).run()
    finally:
        feeder.join()
        os.close(reading)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def _feed(writing: int, data: bytes) -> None:
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(data)


def asked(**fields: Any) -> bytes:
    return json.dumps({"id": 1, "game": "tides-of-war", "level": 3, **fields}).encode()


def quick_ends(level: int, plies: list[str], by: str = "plies") -> int:
    """Return in how many of 20 answers Black, for whom the way to the town is open, ends the game.

    It is asked by the plies, or as the board asks, by what is known and how many plies there were.
    """
    game = game_named("tides-of-war")
    state = game.start(game.options(repeats=5), 0)
    for text in plies:
        state = game.play_text(state, text)
    options = {"repeats": 5}
    how = {"plies": plies} if by == "plies" else {"known": json.loads(game.encode(state)), "number": len(plies)}
    found = answers(*(asked(**how, level=level, seed=seed, options=options) for seed in range(20)))
    return sum(game.result(game.play_text(state, each["ply"])).over for each in found)


@pytest.mark.parametrize("by", ["plies", "known"])
def test_beginners_at_the_board_are_not_beaten_after_two_moves(by: str) -> None:
    """`c3-c4` lets Black jump into the town at once."""
    assert [quick_ends(level, ["c3-c4"], by) for level in (1, 2, 3)] == [0, 0, 20]


@pytest.mark.parametrize("by", ["plies", "known"])
def test_after_ten_moves_a_beginner_wins_where_it_sees_how(by: str) -> None:
    there_and_back = ["a5-a6", "f2-f1", "a6-a5", "f1-f2"]
    assert quick_ends(1, [*there_and_back * 2, "c3-c4"], by) == 0
    assert quick_ends(2, [*there_and_back * 3, "c3-c4"], by) > 0


def test_a_question_is_answered_and_the_same_one_alike() -> None:
    first, second = answers(asked(plies=["c3-c4"], seed=7), asked(plies=["c3-c4"], seed=7, id="b"))
    assert (first["id"], second["id"]) == (1, "b")
    assert {**first, "id": 0, "ms": 0} == {**second, "id": 0, "ms": 0}
    game = game_named("tides-of-war")
    state = game.play_text(game.start(game.options(), 0), "c3-c4")
    for text in first["line"]:
        state = game.play_text(state, text)
    assert first["line"][0] == first["ply"]
    assert -1 <= first["value"] <= 1
    assert first["nodes"] > 0


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"x", "no question was found in this line: JSON is malformed: invalid character (byte 0)"),
        (b'{"id": 1, "gme": "circle"}', "no question was found in this line: Object contains unknown field `gme`"),
        (b'{"id": 1, "game": 3}', "no question was found in this line: Expected `str`, got `int` - at `$.game`"),
        (asked(level=9), "there is no level 9: choose 1 to 8"),
        (asked(level=0), "there is no level 0: choose 1 to 8"),
        (asked(nodes=0), "nodes is 0: give at least 1"),
        (asked(ms=-5), "ms is -5: give at least 1"),
        (asked(plies=["a1-a2"]), "move 1, 'a1-a2': there is no stone on a1"),
        (asked(plies=["c3-c4", "?"]),
         "move 2, '?': '?' is not a valid move: write the cells joined by '-', or by 'x' where it captures"),
        (asked(seat=2), "seat 2 is not to move: it is seat 1's turn"),
        (
            asked(options={"players": 3}),
            "unknown option 'players'; known options: "
            "black, chains, diagonals, must_take, repeats, side, stuck, white",
        ),
        (asked(game="circle", options={"players": 3}), "option players=3 is not allowed: it must be 2 or 4"),
        (asked(game="beacons"), "not everything is open in beacons: send what the seat to move knows"),
        (asked(game="cyvasse", options={"setup": "secret"}),
         "not everything is open in cyvasse: send what the seat to move knows"),
        (asked(known={}, plies=["c3-c4"]), "give plies or known, not both"),
        (asked(known={"stones": [1, 1], "turn": 0, "seen": []}), "no game with these options can reach it"),
        (b'{"id": 1, "stop": true}', "nothing with this id is being thought about"),
        (b"[" * 100_000, None),
        (b"\xff\xfe", None),
        (b'"' + b"a" * (LONGEST + 70_000), None),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_sentence_and_it_goes_on(line: bytes, sentence: str | None) -> None:
    refused, then = answers(line, asked(id=2))
    assert set(refused) == {"id", "error"}
    assert sentence is None or refused["error"] == sentence
    assert then["id"] == 2
    assert then["ply"]


def test_an_unknown_game_and_a_game_that_is_over() -> None:
    over = {"stones": [1 << 35, 0], "turn": 1, "seen": [], "why": "conquest", "winner": 0}
    unknown, ended = answers(asked(game="go"), asked(known=over))
    assert unknown["error"].startswith("unknown game 'go'; known games: beacons, ")
    assert ended["error"] == "the game is over (conquest)"


def test_a_game_with_secrets_is_asked_by_what_a_seat_knows() -> None:
    game = game_named("beacons")
    state = game.play_text(game.start(game.options(), 4), "bid 3 9")
    assert game.known is not None
    known = json.loads(game.encode(game.known(state, 1)))
    wrong, (answer,) = {**known, "phase": "?"}, answers(asked(game="beacons", known=known, seat=2))
    assert answer["ply"].startswith("bid ")
    assert answer["line"] == [answer["ply"]]
    assert "error" in answers(asked(game="beacons", known=wrong))[0]


# ---- on its own time, and on that of others -----------------------------------------------------------------------


class LinesLater(PipeLines):
    """Lines of which the second one comes once the first has been thought about for a while."""

    def __init__(self, first: bytes, then: bytes, looks: int = 3) -> None:
        super().__init__(-1)
        self._later, self._looks = [first, then], looks

    def look(self, seconds: float | None) -> None:
        """Count the looks; nothing else comes after the second line."""
        self._looks -= 1
        if seconds is None or self._looks == 0:
            self.over = not self._later
            self.waiting.extend(self._later[:1])
            self._later = self._later[1:]


def after_a_while(first: bytes, then: bytes) -> list[dict[str, Any]]:
    """Return what is answered to a line that comes alone, and to another one that comes while it is thought about."""
    out = io.BytesIO()
    QuestionLoop(LinesLater(first, then), out).run()
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("then", [asked(id=2), asked(id=2, game="circle", made="?"), b"x"])
def test_what_is_thought_ahead_gives_way_to_any_other_line(then: bytes) -> None:
    ahead, answered = after_a_while(asked(ahead=True, level=8, plies=["c3-c4"]), then)
    assert ahead["ply"]
    assert 0 < ahead["nodes"] < MOST_AHEAD
    assert answered["id"] != 1


def test_a_stop_ends_what_is_thought_ahead_and_so_does_the_end_of_the_input() -> None:
    (ahead,) = after_a_while(asked(ahead=True, level=8), b'{"id": 1, "stop": true}')
    assert ahead["ply"]
    (ended,) = answers(asked(ahead=True, level=8))
    assert ended["nodes"] < MOST_AHEAD


def test_only_the_best_level_thinks_ahead_and_only_where_all_is_open() -> None:
    weaker, hidden = answers(asked(ahead=True, level=7), asked(ahead=True, level=8, game="circle", options=FOUR))
    assert weaker["error"] == "only level 8 thinks ahead"
    assert hidden["error"] == "nothing can be thought out ahead here"


@pytest.mark.slow
def test_a_budget_of_positions_is_not_stretched() -> None:
    """Not at a level below the best, nor where their number is given, whatever has been thought before."""
    for fields in ({"level": 3}, {"level": 7}, {"level": 8, "nodes": 900}):
        plain, stretched = answers(
            asked(ahead=True, level=8), asked(**fields), asked(ms=60_000, most_ms=120_000, **fields)
        )[1:]
        assert {**plain, "ms": 0} == {**stretched, "ms": 0}


def test_one_who_plays_on_is_the_same_player_and_for_another_game_there_is_another() -> None:
    last, game = LastPlayer(), game_named("tides-of-war")
    player = last.of(game, game.options(), "")
    assert last.of(game, game.options(), "") is player
    assert last.of(game, game.options(), "raider") is not player
    another = last.of(game, game.options(), "")
    assert another is not player, "only one is kept"
    last.forget()
    assert last.of(game, game.options(), "") is not another


def test_what_is_kept_is_forgotten_where_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = QuestionLoop(LinesLater(asked(ahead=True, level=8), asked(id=2)), io.BytesIO())
    forgotten: list[bool] = []

    def ahead(player: Player, *given: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(Player, "ahead", ahead)
    monkeypatch.setattr(loop.last, "forget", lambda: forgotten.append(True))
    loop.run()
    assert forgotten == [True, True]  # before there is another player, and now


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-m", "controller", "think"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        yield running
        running.kill()


@pytest.mark.realtime
def test_a_stop_ends_it_with_the_best_so_far(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(asked(id=3) + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 3  # it has started, and thinks from here on
    lines = (asked(game="cyvasse", level=8, nodes=80_000), asked(id=2))
    process.stdin.write(b"".join(line + b"\n" for line in lines))
    process.stdin.flush()
    time.sleep(0.3)
    process.stdin.write(b'{"id": 9, "stop": true}\n{"id": 1, "stop": true}\n')
    process.stdin.flush()
    first, second, third = (json.loads(process.stdout.readline()) for _ in range(3))
    assert first["ply"]
    assert first["nodes"] < 80_000
    assert second["id"] == 2
    assert third == {"id": 9, "error": "nothing with this id is being thought about"}
    process.stdin.close()
    assert process.wait(20) == 0


@pytest.mark.realtime
def test_a_budget_of_time_is_kept(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(asked(level=8, ms=1) + b"\n" + asked(level=8, nodes=80_000, ms=300) + b"\n")
    process.stdin.flush()
    json.loads(process.stdout.readline())
    assert 300 <= json.loads(process.stdout.readline())["ms"] < 1500
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        found = dict(line.split(":", 1) for line in status)
    assert int(found["VmHWM"].split()[0]) < 90_000
    assert os.getpriority(os.PRIO_PROCESS, process.pid) >= 10


def test_who_asks_for_the_best_ply_gets_no_other_that_is_nearly_as_good() -> None:
    """In Circle's first turn much is as good, and 300 positions are looked at in an order that is drawn."""
    told = {"game": "circle", "level": 8, "nodes": 300}
    lines = [asked(**told, seed=seed, best=best) for best in (True, False) for seed in range(12)]
    found = answers(*lines)
    best, near = (sum(reply["value"] for reply in some) for some in (found[:12], found[12:]))
    assert best > near


def test_who_asks_about_one_piece_gets_the_best_of_its_plies() -> None:
    """White takes at once with the stone that can; held to another stone, it does what is best with that."""
    plies = ["c2-d3", "d5-c4"]
    (free,) = answers(asked(plies=plies, level=8, nodes=2000))
    assert free["ply"].startswith("d3x") or free["ply"].startswith("b3x")
    (held,) = answers(asked(plies=plies, level=8, nodes=2000, among=["a5-a6", "a5-b5"]))
    assert held["ply"] in ("a5-a6", "a5-b5")
    assert held["line"][0] == held["ply"]
    (wrong,) = answers(asked(plies=plies, among=["a5-a5"]))
    assert "a stone steps one square" in wrong["error"]
    for game, texts in (("circle", ["a3+"]), ("cyvasse", [])):
        (other,) = answers(asked(game=game, level=2, nodes=200, among=texts))
        assert not texts or other["ply"] == texts[0]
