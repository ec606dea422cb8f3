"""Games that somebody brings are read in a process of its own: bounded, one at a time, ended when nobody waits."""

from __future__ import annotations

import json

import pytest

from controller.limited_process import Limits
from controller.panel.import_process import Apart, packed, unpacked
from controller.refused import Later, Refused
from controller.sentences import Sentence, say

GAME = "game: tides-of-war\nseed: 1\nplies: c2-d3; e4xc2xc4\n"
AGAIN = '{"game":"tides-of-war"}\n' + '{"t_us":1,"command":{"do":"play_again"}}\n' * 50_000  # minutes of work


@pytest.mark.slow
def test_a_game_is_read_apart() -> None:
    order, words = Apart().do("import", GAME)
    assert (order["game"], order["plies"], words) == ("tides-of-war", ["c2-d3", "e4xc2xc4"], "Tides of War, 2 moves")


@pytest.mark.slow
@pytest.mark.parametrize("board", ["hex 50", "torus hex 136 146", "square 20 26"])
def test_a_few_bytes_cannot_ask_for_a_huge_board(board: str) -> None:
    for text in (
        json.dumps({"game": "beacons", "options": {"board": board}}),
        f'game: beacons\noption board: "{board}"',
    ):
        with pytest.raises(Refused, match="cells, and the limit here is 512: choose a smaller board"):
            Apart(Limits(megabytes=160)).do("import", text)


@pytest.mark.slow
def test_a_position_of_no_game_is_refused_with_a_sentence() -> None:
    state = {"stones": [1 << 70, -1], "turn": 9, "seen": []}
    lesson = {"steps": [{"say": "Look."}], "position": json.dumps(state)}
    with pytest.raises(
        Refused, match="start position is not valid in Tides of War: no game with these options can reach it"
    ):
        Apart().do("import", json.dumps({"game": "tides-of-war", "lesson": lesson}))


def test_what_takes_too_long_is_ended_and_told() -> None:
    with pytest.raises(Refused, match="longer than 1 seconds to read; for a long recording, import the game as text"):
        Apart(Limits(seconds=0.6)).do("import", AGAIN)


@pytest.mark.slow
def test_what_takes_too_much_memory_is_ended_and_told() -> None:
    with pytest.raises(Refused, match="more memory than is available"):
        Apart(Limits(megabytes=160)).do("import", "\n" * (30 << 20))


@pytest.mark.slow
def test_a_second_one_is_refused_while_the_first_is_read_and_welcome_afterwards() -> None:
    apart, told = Apart(), []

    def meanwhile() -> bool:
        with pytest.raises(Later) as busy:
            apart.do("import", GAME)
        told.append(str(busy.value))
        return True

    with pytest.raises(Refused, match="nobody is waiting for it any more"):
        apart.do("import", AGAIN, meanwhile)
    assert told == ["The board is reading another game: try again in a moment."]
    assert apart.do("import", GAME)[0]["game"] == "tides-of-war"


def test_it_ends_with_the_service() -> None:
    apart = Apart()
    apart.close()
    with pytest.raises(Refused, match="nobody is waiting"):
        apart.do("import", AGAIN)


def test_a_refusal_can_still_be_told_in_another_language() -> None:
    with pytest.raises(Refused) as refused:
        Apart().do("import", "game: tides-of-war\nplies: a1-f6")
    assert isinstance(refused.value.args[0], Sentence)
    assert refused.value.args[0].template == "move {number}, '{text}': {why}"
    whole = say("{one} {other}", one=say("{n} plies", n=2), other=("a", say("b")))
    assert unpacked(json.loads(json.dumps(packed(whole)))) == whole == "2 plies a, b"
