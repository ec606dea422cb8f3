"""Recordings as files: what is accepted, what is refused and with which words, and that a replay is always the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal.recording import BadRecording, Header, Line, Restart, parse, replay, write
from controller.orders import AnyOrder
from controller.rules.registry import all_games
from controller.sentences import ENGLISH

HEADER = {"game": "tides-of-war"}
MOVE = [{"t_us": 1000000, "site": "c3", "on": False}, {"t_us": 1250000, "site": "c4", "on": True}]
END = {"t_us": 2000000, "end": True}


def text(*lines: Any) -> str:
    return "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)


def plies(recording: str) -> tuple[str, ...]:
    play = list(replay(parse(recording)))[-1][0].play
    return play.session.plies if play else ()


def refusal(recording: str) -> str:
    with pytest.raises(BadRecording) as refused:
        list(replay(parse(recording)))
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


def test_without_occupied_the_start_position_stands_on_a_bare_board() -> None:
    assert plies(text(HEADER, *MOVE, END)) == ("c3-c4",)
    assert len(parse(text(HEADER)).board.sites) == 36


@pytest.mark.parametrize("name", all_games())
def test_every_game_has_a_bare_board_on_which_its_start_stands(name: str) -> None:
    table, _ = list(replay(parse(text({"game": name}))))[-1]
    assert table.phase == "play"
    assert set(table.board.placements[name]) == set(table.board.sites)


def test_a_board_by_name_and_what_stands_on_it() -> None:
    start = [s for s, bit in _start().items() if bit]
    whole = {"board": "square144", "game": "tides-of-war", "options": {}, "occupied": start}
    assert plies(text(whole, *MOVE, END)) == ("c3-c4",)
    missing = {**whole, "occupied": [site for site in start if site != "a2"]}
    assert plies(text(missing, *MOVE, END)) == ()
    late = {"t_us": 500000, "site": "a2", "on": True}
    assert plies(text(missing, late, *MOVE, END)) == ("c3-c4",)


def _start() -> dict[str, bool]:
    table, _ = next(replay(parse(text(HEADER))))
    return {site: bool(table.now >> i & 1) for i, site in enumerate(table.board.sites)}


def test_a_recording_in_which_sensors_tell_poles_is_read_on_such_a_board() -> None:
    """A black piece that comes to where a white one may go is none of white's plies."""
    black = [MOVE[0], {**MOVE[1], "pole": -1}]
    white = [MOVE[0], {**MOVE[1], "pole": 1}]
    assert plies(text(HEADER, *black, END)) == ()
    assert plies(text(HEADER, *white, END)) == ("c3-c4",)
    assert parse(text(HEADER, *white)).board.poles
    assert not parse(text(HEADER, *MOVE)).board.poles


def test_a_snapshot_in_which_sensors_tell_poles_is_read_on_such_a_board() -> None:
    lying = ["-a6", "a1"]
    for line in (
        {"t_us": 1, "occupied": lying},
        {"t_us": 1, "restart": {"occupied": lying, "link": True, "timing": {}}},
    ):
        board = parse(text(HEADER, line)).board
        assert board.poles
    assert parse(text({**HEADER, "occupied": lying})).board.poles


def test_what_a_sensor_read_changes_nothing_and_a_recording_keeps_it() -> None:
    """Beside every touch of a magnet that came there is a line with its field, and one without a piece."""
    read = [{"t_us": 1_450_000, "site": "c4", "field_mt": 7.31}, {"t_us": 1_460_000, "site": "f6", "field_mt": -0.2}]
    recording = parse(text(HEADER, *MOVE, *read, END))
    assert plies(text(HEADER, *MOVE, *read, END)) == plies(text(HEADER, *MOVE, END)) == ("c3-c4",)
    assert [line.field_mt for line in recording.lines] == [None, None, 7.31, -0.2, None]
    again = parse("\n".join(write(recording.header, recording.lines)))
    assert again == recording


def test_blank_lines_and_line_ends_of_other_systems_are_harmless() -> None:
    lines = [json.dumps(line) for line in (HEADER, *MOVE, END)]
    assert plies("\r\n".join(lines) + "\r\n") == ("c3-c4",)
    assert plies("\n\n".join(lines) + "\n \t\n") == ("c3-c4",)
    assert plies("\n" + "\n".join(lines)) == ("c3-c4",)


def test_commands_are_carried_out_at_their_time() -> None:
    ply = {"t_us": 1000000, "command": {"do": "ply", "text": "c3-c4"}}
    back = {"t_us": 1100000, "command": {"do": "take_back"}}
    again = {"t_us": 1300000, "command": {"do": "new_game", "game": "tides-of-war", "seed": 1}}
    assert plies(text(HEADER, ply)) == ("c3-c4",)
    assert plies(text(HEADER, ply, back)) == ()
    assert plies(text(HEADER, *MOVE, again)) == ()
    assert plies(text(HEADER, *MOVE, again, {**ply, "t_us": 1400000})) == ()  # c4 is to be cleared first
    assert plies(text(HEADER, {"t_us": 5, "command": {"do": "resume", "game_id": 3}})) == ()


def test_the_page_about_recordings_tells_the_truth() -> None:
    page = (Path(__file__).parents[2] / "docs" / "recordings.md").read_text(encoding="utf-8")
    header, evening = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert parse(header).board.name == "square144"
    assert plies(evening) == ("c3-c4",)
    fields = {*Header.__struct_fields__, *Line.__struct_fields__, *Restart.__struct_fields__} - {"t_us"}
    orders = {kind.__struct_config__.tag for kind in get_args(AnyOrder)} - {"resume"}
    assert [word for word in fields | orders if f"`{word}`" not in page] == []


def test_the_end_lets_time_pass_for_a_ply_that_waits_for_quiet() -> None:
    chain = [{"t_us": 100000 * n, "site": s, "on": s == "c3"} for n, s in enumerate(["e3", "d3", "c3"])]
    header = {**HEADER, "plies": ["c3-d3"]}
    assert plies(text(header, *chain, {"t_us": 499999, "end": True})) == ("c3-d3",)
    assert plies(text(header, *chain, {"t_us": 500000, "end": True})) == ("c3-d3", "e3xc3")


BAD_LINES = {
    "no JSON": ("b2 off", "JSON is malformed"),
    "not an object": ("[1, 2]", "Expected `object`, got `array`"),
    "no time": ({"site": "b2", "on": True}, "missing required field `t_us`"),
    "a time before 0": ({"t_us": -1, "end": True}, "Expected `int` >= 0"),
    "a time that is no whole number": ({"t_us": 1.5, "end": True}, "Expected `int`, got `float`"),
    "time running backwards": ({"t_us": 999999, "end": True}, "t_us 999999 lies before the line above it (1250000)"),
    "an unknown key": ({"t_us": 2000000, "sites": "b2"}, "unknown field `sites`"),
    "an unknown site": ({"t_us": 2000000, "site": "g7", "on": True}, "has no site 'g7'"),
    "unknown sites in a snapshot": ({"t_us": 2000000, "occupied": ["a2", "z1"]}, "has no site 'z1'"),
    "a site without a level": ({"t_us": 2000000, "site": "b2"}, "must have one of site and on, command"),
    "a level without a site": ({"t_us": 2000000, "on": True}, "must have one of site and on, command"),
    "nothing told": ({"t_us": 2000000}, "must have one of site and on, command"),
    "a pole alone": ({"t_us": 2000000, "pole": 1}, "must have one of site and on, command"),
    "a field without a site": ({"t_us": 2000000, "field_mt": 7.3}, "must have one of site and on, command"),
    "a field and a level": ({"t_us": 2000000, "site": "b2", "on": True, "field_mt": 7.3}, "must have one of site"),
    "both without a site": ({"t_us": 2000000, "on": True, "field_mt": 7.3}, "must have one of site and on"),
    "a field beyond all sensors": ({"t_us": 2000000, "site": "b2", "field_mt": 1e9}, "Expected `float` <= 200"),
    "an end that is none": ({"t_us": 2000000, "end": False}, "must have one of site and on, command"),
    "two things told": ({"t_us": 2000000, "site": "b2", "on": True, "end": True}, "must have one of site and on"),
    "a level that is no truth": ({"t_us": 2000000, "site": "b2", "on": 1}, "Expected `bool"),
    "a pole that no magnet has": ({"t_us": 2000000, "site": "b2", "on": True, "pole": 3}, "Expected `int` <= 1"),
    "an unknown order": ({"t_us": 2000000, "command": {"do": "dance"}}, "Invalid value 'dance'"),
    "an order without its name": ({"t_us": 2000000, "command": {}}, "missing required field `do`"),
    "a restart elsewhere": (
        {"t_us": 2000000, "restart": {"occupied": ["z1"], "link": True, "timing": {}}},
        "has no site 'z1'",
    ),
    "nesting without end": ('{"t_us": 1, "command": ' + '{"a":' * 100_000, "line 4"),
    "text that is none": ('{"t_us": 2000000, "site": "\ud800", "on": true}', "line 4"),
}


@pytest.mark.parametrize("kind", BAD_LINES)
def test_a_bad_line_is_told_with_its_number(kind: str) -> None:
    line, words = BAD_LINES[kind]
    sentence = refusal(text(HEADER, *MOVE, line))
    assert sentence.startswith("line 4: ")
    assert words in sentence


def test_the_number_counts_blank_lines_too() -> None:
    assert refusal(text("", HEADER, "", *MOVE, " ", "{}")).startswith("line 7: ")


def test_a_line_after_the_end_is_refused() -> None:
    assert refusal(text(HEADER, END, {"t_us": 3000000, "site": "b2", "on": True})).startswith("line 3: it follows")


BAD_HEADERS = {
    "nothing at all": ("", "the recording is empty: line 1 must be its header"),
    "blank": (" \n\r\n", "the recording is empty"),
    "no JSON": ("tides-of-war", "JSON is malformed"),
    "no game": ({}, "missing required field `game`"),
    "an unknown game": ({"game": "ludo"}, "unknown game 'ludo'; known games: beacons"),
    "an unknown game on a board": ({"game": "ludo", "board": "square144"}, "unknown game 'ludo'; known games"),
    "an unknown key": ({"game": "tides-of-war", "boards": "square144"}, "unknown field `boards`"),
    "an unknown board": ({"game": "tides-of-war", "board": "round7"}, "there is no board 'round7'"),
    "a board that is a folder": ({"game": "tides-of-war", "board": "."}, "there is no board '.'"),
    "a board that no file can be called": ({"game": "tides-of-war", "board": "a\0b"}, "null"),
    "a board that does not fit": ({"game": "tides-of-war", "board": "hex91"}, "tides-of-war does not fit the board"),
    "an unknown option": ({"game": "circle", "options": {"colour": 1}}, "unknown option 'colour'"),
    "an option out of bounds": ({"game": "circle", "options": {"players": 9}}, "option players=9 is not allowed"),
    "an unknown site": ({"game": "tides-of-war", "occupied": ["a2", "z1"]}, "has no site 'z1'"),
    "an illegal ply": ({"game": "tides-of-war", "plies": ["c3-c4", "c3-c4"]}, "c3"),
    "an unreadable ply": ({"game": "tides-of-war", "plies": ["castle"]}, "castle"),
}


@pytest.mark.parametrize("kind", BAD_HEADERS)
def test_a_bad_header_is_told(kind: str) -> None:
    header, words = BAD_HEADERS[kind]
    sentence = refusal(text(header))
    assert "line 1" in sentence
    assert words in sentence


def test_a_faulty_board_file_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("title = 3\npitch = 4\n")
    assert re.match("line 1: .*pitch", refusal(text({"game": "circle", "board": str(tmp_path / "my.toml")})))


# ---- whatever is touched ----------------------------------------------------------------------------------

ORDERS = st.one_of(
    st.builds(lambda t: {"do": "ply", "text": t}, st.sampled_from(["c3-c4", "c6-b5", "a4-b5", "c3-d3", "e3xc3", "x"])),
    st.builds(lambda n: {"do": "take_back", "to": n}, st.one_of(st.none(), st.integers(0, 4))),
    st.just({"do": "new_game", "game": "tides-of-war", "seed": 1}),
    st.just({"do": "new_game", "game": "cyvasse"}),
    st.just({"do": "brightness", "percent": 30}),
    st.just({"do": "resume", "game_id": 1}),
)


def happenings(sites: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    site = st.sampled_from(sites)
    some = st.lists(site, max_size=40)
    touch = st.builds(lambda s, on: {"site": s, "on": on}, site, st.booleans())
    restart = st.builds(lambda s, up: {"occupied": s, "link": up, "timing": {}}, some, st.booleans())
    return st.one_of(
        touch,
        touch,
        touch,
        ORDERS.map(lambda order: {"command": order}),
        st.booleans().map(lambda up: {"link": up}),
        some.map(lambda s: {"occupied": s}),
        restart.map(lambda r: {"restart": r}),
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", all_games())
@settings(max_examples=6, deadline=None, derandomize=True)
@given(data=st.data())
def test_whatever_is_touched_replays_byte_for_byte_alike(name: str, data: st.DataObject) -> None:
    header: dict[str, Any] = {"game": name, "seed": 5}
    sites = list(parse(text(header)).board.sites)
    if data.draw(st.booleans()):
        header["occupied"] = data.draw(st.lists(st.sampled_from(sites), max_size=40))
    happened = data.draw(st.lists(st.tuples(st.integers(0, 600_000), happenings(sites)), max_size=40))
    lines, t_us = [], 0
    for wait_us, what in happened:
        t_us += wait_us
        lines.append({"t_us": t_us, **what})
    recording = text(header, *lines, {"t_us": t_us + 5_000_000, "end": True})
    assert said(recording) == said(recording)


def said(recording: str) -> bytes:
    told = [(table.now, table.advice, notes) for table, notes in replay(parse(recording))]
    return msgspec.json.encode(told, enc_hook=ENGLISH)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(cut=st.integers(0, 300), flip=st.integers(0, 300), by=st.integers(1, 127))
def test_a_recording_cut_and_garbled_anywhere_is_replayed_or_refused(cut: int, flip: int, by: int) -> None:
    whole = text(HEADER, *MOVE, {"t_us": 1500000, "command": {"do": "take_back"}}, END)
    garbled = [chr(ord(c) ^ by) if n == flip else c for n, c in enumerate(whole[: len(whole) - cut] or whole)]
    try:
        list(replay(parse("".join(garbled))))
    except BadRecording as refused:
        sentence = str(refused)
    else:
        sentence = "line 1: it is a recording still"
    assert re.match(r"line \d+: |the recording is empty", sentence)
