"""Board files: what the shipped ones say, and a sentence for every way to get one wrong."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest

from controller.devices.link.framing import BODY_MAX
from controller.devices.link.messages import Snapshot, encode
from controller.rules.mesh import hexes, squares
from hardware.profile import (
    BOARDS,
    MOST_BITS,
    MOST_INPUTS,
    BadProfile,
    Profile,
    bare,
    chained,
    geometry,
    load,
    names,
    read,
)

SMALL = """\
title = "Four squares"
tiling = "square 2 2"
pitch_mm = 40
sensor = "reed"
facing = [1, 2]
max_milliamps = 500
chain = ["a1 b1 - -", "b2 a2 - -"]
lights = ["a1 b1", "b2 a2"]

[games]
go = { tiling = "square 1 2", letters = 1 }
"""


def small(*changes: tuple[str, str]) -> Profile:
    """Return the small board with parts of its text replaced."""
    text = SMALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return read("small", text.encode())


def faults(*changes: tuple[str, str]) -> tuple[str, ...]:
    with pytest.raises(BadProfile) as caught:
        small(*changes)
    return caught.value.faults


# ---- the shipped boards


def test_the_square_board_has_144_sites_on_18_registers() -> None:
    board = load("square144")
    assert (len(board.sites), board.chain_length, board.light_count) == (144, 144, 144)
    assert board.mesh() == squares(12, 12)


def test_the_hex_board_has_91_sites_on_12_registers() -> None:
    board = load("hex91")
    assert (len(board.sites), board.chain_length, board.light_count) == (91, 96, 91)
    assert board.mesh() == hexes(6)


def test_the_board_of_fields_has_three_multiplexers_and_no_chain() -> None:
    board = load("cell36")
    assert board.has_fields
    assert (len(board.sites), board.chain_length, board.light_count) == (36, 48, 36)
    assert (board.mux_groups, board.has_tiles) == (1, False)
    assert set(names()) - set(chained()) == {"cell36", "field144"}


def test_the_board_of_tiles_has_nine_multiplexers_with_sixteen_squares_each() -> None:
    board = load("field144")
    assert (len(board.sites), board.chain_length, board.light_count) == (144, 144, 144)
    assert (board.mesh(), board.mux_groups, board.has_tiles) == (squares(12, 12), 3, True)
    assert board.by_bit() == board.by_light()
    tiles = [board.by_bit()[first : first + 16] for first in range(0, 144, 16)]
    assert " ".join(map(str, tiles[0])) == "a1 b1 c1 d1 d2 c2 b2 a2 a3 b3 c3 d3 d4 c4 b4 a4"
    place = {site.name: (site.x_mm, site.y_mm) for site in board.sites}
    corners = [place[str(tile[0])] for tile in tiles]  # lower left, as its first input is
    middle = board.pitch_mm / 2
    expected = [(middle + 4 * board.pitch_mm * (k % 3), middle + 4 * board.pitch_mm * (k // 3)) for k in range(9)]
    for corner, wanted in zip(corners, expected, strict=True):
        assert corner == pytest.approx(wanted)


def test_all_tiles_are_wired_alike() -> None:
    board = load("field144")
    place = {site.name: (site.x_mm, site.y_mm) for site in board.sites}
    tiles = [[place[str(name)] for name in board.by_bit()[first : first + 16]] for first in range(0, 144, 16)]
    shapes = {tuple((round(x - tile[0][0], 3), round(y - tile[0][1], 3)) for x, y in tile) for tile in tiles}
    assert len(shapes) == 1


FIELDS = ('sensor = "reed"', 'sensor = "hall"\nchip = "rp2040"')
INPUTS = ('"b2 a2 - -"', '"b2 a2 - -", "' + "- " * 40 + '"')


def test_a_small_board_of_fields_may_be_described() -> None:
    board = small(FIELDS, INPUTS)
    assert (board.has_fields, board.chain_length) == (True, 48)
    assert (small().has_fields, small().mux_groups) == (False, 0)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ((FIELDS,), "chain has 8 bits; with chip = 'rp2040' it has 48, of three multiplexers, or 144, of nine tiles"),
        (((FIELDS[0], 'sensor = "reed"\nchip = "rp2040"'), INPUTS), "sensor = 'reed' cannot be with chip = 'rp2040'"),
        ((FIELDS, INPUTS, ('lights = ["a1 b1", "b2 a2"]', "")), "lights has 0 pixels; with chip = 'rp2040'"),
        ((FIELDS, INPUTS, ("facing", 'tracker = "circuit"\nfacing')), "tracker = 'circuit' cannot be with chip"),
    ],
)
def test_what_a_board_of_fields_cannot_have_is_told(changes: tuple[tuple[str, str], ...], fault: str) -> None:
    assert any(fault in told for told in faults(*changes)), faults(*changes)


PHONES = ("facing", 'shells = true\nvertices = "shared"\non_phones = true\nfacing')


def test_shells_on_phones_are_drawn_but_have_neither_bit_nor_light() -> None:
    board = small(PHONES)
    assert [site.name for site in board.sites] == ["a1", "a2", "b1", "b2"]
    assert {site.kind for site in board.on_phones} == {"node", "vertex"}
    assert board.site_names == tuple(geometry(board)["sites"])
    assert set(board.site_names) > {"a1", "a1:0", "a1.a2.b1.b2"}
    assert [site for site in board.by_bit() if site] == ["a1", "b1", "b2", "a2"]
    assert small().on_phones == ()


def test_there_must_be_something_for_phones_to_show() -> None:
    (told,) = faults(("facing", "on_phones = true\nfacing"))
    assert "on_phones = true has nothing to show on phones: say shells = true or vertices = 'shared'" in told


@pytest.mark.parametrize("name", names())
def test_bits_and_lights_of_a_shipped_board_name_every_site_once(name: str) -> None:
    board = load(name)
    sites = sorted(site.name for site in board.sites)
    assert sorted(site for site in board.by_bit() if site) == sites
    assert all(board.by_bit()[site.bit] == site.name for site in board.sites)
    assert all(site.light is None or board.by_light()[site.light] == site.name for site in board.sites)


@pytest.mark.parametrize("name", ["square144", "hex91"])
def test_the_strip_runs_on_from_neighbour_to_neighbour(name: str) -> None:
    board = load(name)
    place = {site.name: (site.x_mm, site.y_mm) for site in board.sites}
    strip = [place[site] for site in board.by_light() if site]
    for here, there in pairwise(strip):
        assert math.dist(here, there) == pytest.approx(board.pitch_mm)


def test_square_games_lie_at_the_corner_under_their_own_names() -> None:
    board = load("square144")
    for game, files, cells in (("tam-ruat-chess", 12, 144), ("circle", 9, 81), ("tides-of-war", 6, 36)):
        placement = board.placement(game)
        assert placement is not None
        assert len(placement) == cells
        assert placement == {name: name for name in squares(files, files).cells}


def test_giantslayer_lies_in_the_middle_of_the_hex_board() -> None:
    board = load("hex91")
    placement = board.placement("giantslayer")
    assert placement is not None
    assert placement["e5"] == "f6"
    assert sorted(placement) == sorted(hexes(5).cells)
    mesh = board.mesh()
    rim = {name for name, row in zip(mesh.cells, mesh.neighbours, strict=True) if -1 in row}
    assert set(placement.values()) == set(mesh.cells) - rim


def test_cyvasse_fills_the_hex_board() -> None:
    placement = load("hex91").placement("cyvasse")
    assert placement == {name: name for name in hexes(6).cells}


def test_a_game_that_does_not_fit_has_no_placement() -> None:
    assert load("hex91").placement("circle") is None
    assert load("square144").placement("cyvasse") is None


def test_neighbours_of_a_placed_game_are_neighbours_on_the_board() -> None:
    placement, board, game = load("hex91").placement("giantslayer"), hexes(6), hexes(5)
    assert placement is not None
    for cell, row in enumerate(game.neighbours):
        there = board.neighbours[board.index(placement[game.cells[cell]])]
        for side, neighbour in enumerate(row):
            if neighbour >= 0:
                assert board.cells[there[side]] == placement[game.cells[neighbour]]


# ---- poles


def test_hall_sensors_tell_poles_where_the_file_says_so() -> None:
    hall = ('sensor = "reed"', 'sensor = "hall"')
    assert not small(hall).poles
    assert small(('sensor = "reed"', 'sensor = "hall"\npoles = true')).poles


def test_a_board_that_cannot_tell_poles_is_refused_with_every_reason() -> None:
    told = faults(('sensor = "reed"', 'sensor = "reed"\npoles = true\ntracker = "circuit"'))
    assert any('sensor = "reed" tells no poles; say poles = false, or sensor = "hall"' in fault for fault in told)
    assert any("a chain twice as long, which the tracker cannot follow; say tracker = 'none'" in each for each in told)


def test_a_board_that_tells_poles_has_two_levels_for_each_input() -> None:
    chain = f'chain = ["a1 b1 - -", "b2 a2 - -", "{" -" * 344}"]'
    wide = ('chain = ["a1 b1 - -", "b2 a2 - -"]', chain)
    assert small(wide).chain_length == 352
    told = faults(wide, ('sensor = "reed"', 'sensor = "hall"\npoles = true'))
    assert told == ("small.toml: chain has 352 inputs; where sensors tell poles a snapshot has room for 344",)
    assert len(encode(Snapshot(0, 0, 0, 0, bytes(2 * MOST_INPUTS // 8)), 0).body) <= BODY_MAX
    long = ('chain = ["a1 b1 - -", "b2 a2 - -"]', f'chain = ["a1 b1 - -", "b2 a2 - -", "{" -" * 256}"]')
    told = faults(long, ('sensor = "reed"', 'sensor = "hall"\npoles = true'))
    assert told == ("small.toml: chain has 264 inputs; with a switch for either pole the firmware scans 256",)


# ---- where things lie


def test_a_file_may_say_which_magnets_are_in_the_pieces_of_a_game() -> None:
    magnets = '\n[magnets]\ncyvasse = { K = "strong", R = "weak" }\n'
    assert small(("[games]", f"{magnets}[games]")).magnets == {"cyvasse": {"K": "strong", "R": "weak"}}
    (told,) = faults(("[games]", '\n[magnets]\ncyvasse = { K = "huge" }\n[games]'))
    assert "magnets = {'cyvasse': {'K': 'huge'}} is not allowed" in told


def test_millimetres_count_from_the_lower_left_corner() -> None:
    sites = {site.name: (site.x_mm, site.y_mm) for site in load("square144").sites}
    assert sites["a1"] == pytest.approx((20, 20))
    assert sites["b1"] == pytest.approx((60, 20))
    assert sites["a12"] == pytest.approx((20, 460))


def test_hexes_lie_a_pitch_apart() -> None:
    sites = {site.name: (site.x_mm, site.y_mm) for site in load("hex91").sites}
    for neighbour in ("f7", "g6", "g5", "f5", "e6", "e7"):
        assert math.dist(sites["f6"], sites[neighbour]) == pytest.approx(45)


def test_a_drawing_has_the_first_player_at_the_bottom() -> None:
    drawing = geometry(load("hex91"))
    sites = drawing["sites"]
    assert sites["f1"]["y"] > sites["f11"]["y"]
    assert sites["f1"]["x"] < sites["k1"]["x"]
    assert drawing["turns"] == [0, 180]
    for site in sites.values():
        assert site["kind"] == "cell"
        assert len(site["outline"]) == 6
        assert all(0 <= x <= drawing["width"] and 0 <= y <= drawing["height"] for x, y in site["outline"])


def test_a_drawing_is_as_large_as_the_board() -> None:
    drawing = geometry(load("square144"))
    assert (drawing["width"], drawing["height"]) == (480, 480)
    assert drawing["view"] == [-30, -30, 540, 540]
    assert drawing["sites"]["a1"] == {
        "kind": "cell",
        "x": 20,
        "y": 460,
        "outline": [[0, 440], [40, 440], [40, 480], [0, 480]],
    }


def test_a_watcher_beyond_the_seats_sees_the_board_as_the_first_player() -> None:
    board = load("square144")
    assert [board.turn(seat) for seat in range(3)] == [0, 180, 0]


# ---- shells and vertices

SHELLS = (
    ('"square 2 2"', '"hex 2"'),
    ("pitch_mm = 40", 'pitch_mm = 70\nshells = true\nvertices = "shared"'),
    ("facing = [1, 2]", "facing = [1, 3]"),
    ("max_milliamps = 500", "max_milliamps = 900"),
    ('go = { tiling = "square 1 2", letters = 1 }', 'go = { tiling = "hex 2" }'),
)


def shell_board() -> Profile:
    """Return seven shells with the vertices between them, wired in the order of the sites."""
    wired = bare("seven", hexes(2), shells=True, vertices=True)
    chain = [site.name for site in wired.sites]
    chain += ["-"] * (-len(chain) % 8)
    cells = hexes(2).cells
    return small(
        *SHELLS,
        ('chain = ["a1 b1 - -", "b2 a2 - -"]', f'chain = ["{" ".join(chain)}"]'),
        ('lights = ["a1 b1", "b2 a2"]', f'lights = ["{" ".join(cells)}"]'),
    )


def test_a_shell_board_has_nodes_and_the_vertices_that_cells_share() -> None:
    board = shell_board()
    kinds = [site.kind for site in board.sites]
    assert (kinds.count("cell"), kinds.count("vertex"), kinds.count("node")) == (7, 12, 42)
    known = {site.name: site for site in board.sites}
    assert {"b2:0", "b2:5", "a2.a3.b2"} <= set(known)
    assert known["b2:0"].light is None


def test_nodes_run_clockwise_from_the_upper_right_inside_their_cell() -> None:
    sites = {site.name: site for site in shell_board().sites}
    middle = sites["b2"]
    away = [(node.x_mm - middle.x_mm, node.y_mm - middle.y_mm) for node in (sites[f"b2:{k}"] for k in range(6))]
    assert [round(math.degrees(math.atan2(x, y))) % 360 for x, y in away] == [30, 90, 150, 210, 270, 330]
    assert all(math.hypot(x, y) < 35 for x, y in away)


def test_a_vertex_lies_as_far_from_each_of_its_cells() -> None:
    sites = {site.name: site for site in shell_board().sites}
    vertex = sites["a2.a3.b2"]
    away = [math.dist((vertex.x_mm, vertex.y_mm), (sites[c].x_mm, sites[c].y_mm)) for c in ("a2", "a3", "b2")]
    assert away == pytest.approx([70 / math.sqrt(3)] * 3)


def test_two_vertices_of_the_same_cells_are_told_apart() -> None:
    board = bare("pair", squares(2, 1), vertices=True)
    assert [site.name for site in board.sites] == ["a1", "b1", "a1.b1", "a1.b1#2"]


def test_nodes_and_vertices_go_with_the_cells_of_a_game() -> None:
    board = shell_board()
    assert board.placement("go") == {site.name: site.name for site in board.sites}


def test_where_the_board_has_no_shells_a_game_has_its_cells_alone() -> None:
    assert set(small().placement("go") or ()) == {"a1", "a2"}


def test_beacons_fills_a_board_of_nineteen_shells() -> None:
    board = bare("beacons", hexes(3), shells=True, vertices=True)
    kinds = [site.kind for site in board.sites]
    assert (kinds.count("cell"), kinds.count("vertex"), kinds.count("node")) == (19, 36, 114)


# ---- a bare board


def test_a_bare_board_takes_every_game_as_it_is() -> None:
    board = bare("tides-of-war", squares(6, 6))
    assert board.placement("tides-of-war") == {name: name for name in squares(6, 6).cells}
    assert [site.bit for site in board.sites] == list(range(36))
    assert board.chain_length == 40
    assert board.facing == (1, 6)


# ---- loading


def test_shipped_boards_are_listed() -> None:
    assert {"hex91", "square144"} <= set(names())


def test_a_board_of_ones_own_is_loaded_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(SMALL)
    board = load(str(file))
    assert (board.name, board.title) == ("mine", "Four squares")
    assert board.placement("go") == {"a1": "b1", "a2": "b2"}


def test_swapping_two_names_describes_swapped_wires() -> None:
    bits = {site.name: site.bit for site in small(("a1 b1 - -", "b1 a1 - -")).sites}
    assert bits == {"b1": 0, "a1": 1, "b2": 4, "a2": 5}


def test_a_board_without_lights_is_a_board() -> None:
    board = small(('lights = ["a1 b1", "b2 a2"]', ""))
    assert board.light_count == 0
    assert {site.light for site in board.sites} == {None}


def test_a_pixel_between_two_sites_may_be_left_out() -> None:
    board = small(('"a1 b1", "b2 a2"]', '"a1 - b1", "b2 a2"]'))
    assert board.by_light() == ("a1", None, "b1", "b2", "a2")


def test_an_unknown_name_lists_the_boards_there_are() -> None:
    with pytest.raises(BadProfile, match=r"there is no board 'chess64' .*hex91, .*square144"):
        load("chess64")


# ---- a sentence for every fault


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("= [1, 2]", "= [1, 2"), "small.toml is not TOML"),
        (("facing", "speed = 3\nfacing"), "there is no key 'speed'; known are title, tiling, pitch_mm"),
        (("pitch_mm = 40", ""), "the key 'pitch_mm' is missing"),
        (('"reed"', '"radar"'), "sensor = 'radar' is not allowed: it must be 'reed' or 'hall'"),
        (("pitch_mm = 40", 'pitch_mm = "wide"'), "pitch_mm = 'wide' is not allowed: expected float, got str"),
        (("pitch_mm = 40", "pitch_mm = 9"), "pitch_mm = 9 is not allowed: expected float >= 10"),
        (("= 500", "= 70000"), "max_milliamps = 70000 is not allowed: expected int <= 60000"),
        (("square 2 2", "torus square 4 4"), "tiling 'torus square 4 4' is none of a real board; those are written"),
        (("square 2 2", ""), "tiling '' is none of a real board"),
        (("square 2 2", "square 2"), "there is no board 'square 2'"),
        (("square 2 2", "square 0 2"), "0 is not a size"),
        (("b2 a2 - -", "b2 a2 a1 -"), "chain has 'a1' twice, at numbers 0 and 6"),
        (("b2 a2 - -", "b2 a2 c9 -"), "chain has 'c9' at number 6; this board has no such site"),
        (("b2 a2 - -", "b2 - - -"), "chain leaves out a2; every site needs a bit"),
        (("b2 a2 - -", "b2 a2 -"), "chain has 7 bits; registers have 8 inputs, so fill it up with '-' to 8"),
        (('"b2 a2"]', '"b2 a2 b1"]'), "lights has 'b1' twice, at numbers 1 and 4"),
        (('"b2 a2"]', '"b2"]'), "lights leaves out a2; light every cell or none"),
        (('"b2 a2"]', '"b2 a2 e4"]'), "lights has 'e4' at number 4; this board has no such site"),
        (("facing = [1, 2]", "facing = [1, 3]"), "facing names row 3; a seat faces row 1 or 2"),
        (("letters = 1", "letters = 2"), "games.go lies beside the board: there is no cell c1 on it"),
        (("letters = 1", "numbers = -1"), "games.go lies beside the board: there is no cell a0 on it"),
        (("letters = 1", "letter = 1"), "there is no key 'games.go.letter'; known are tiling, letters, numbers"),
        (("square 1 2", "triangles 3"), "games.go: tiling 'triangles 3' is none of a real board"),
        (('{ tiling = "square 1 2", letters = 1 }', '"a1"'), "games = {'go': 'a1'} is not allowed"),
    ],
)
def test_a_fault_is_told_in_one_sentence(change: tuple[str, str], sentence: str) -> None:
    (told,) = faults(change)
    assert told.startswith("small.toml")
    assert sentence in told


def test_a_chain_longer_than_the_firmware_scans_is_told() -> None:
    (told,) = faults(("b2 a2 - -", "b2 a2 - -" + " -" * MOST_BITS))
    assert f"chain has {MOST_BITS + 8} bits; the firmware scans {MOST_BITS} at most" in told


def test_sites_too_near_each_other_are_told() -> None:
    (told,) = faults(
        ('tiling = "square 2 2"', 'tiling = "square 2 1"\nshells = true'),
        ("pitch_mm = 40", "pitch_mm = 10"),
        ("facing = [1, 2]", "facing = [1]"),
        ('"a1 b1 - -", "b2 a2 - -"', '"a1 a1:0 a1:1 a1:2 a1:3 - - -", "b1 b1:0 b1:1 b1:2 b1:3 - - -"'),
        ('"a1 b1", "b2 a2"', '"a1 b1"'),
        ('go = { tiling = "square 1 2", letters = 1 }', ""),
    )
    assert "a1 and a1:0 overlap: they lie 3.4 mm apart, less than 6; make pitch_mm larger" in told


def test_a_current_below_that_of_dark_pixels_is_told() -> None:
    (told,) = faults(("max_milliamps = 500", "max_milliamps = 100"), ('"b2 a2"]', '"b2 a2' + " -" * 97 + '"]'))
    assert "max_milliamps = 100 is less than 101 dark pixels draw" in told


def test_all_faults_are_told_at_once() -> None:
    told = faults(("b2 a2 - -", "b2 b2 - -"), ("facing = [1, 2]", "facing = [7]"), ("letters = 1", "letters = 5"))
    assert [fault.split(" ")[1] for fault in told] == ["chain", "chain", "facing", "games.go"]


def test_many_missing_sites_are_counted() -> None:
    (told,) = faults(
        ("square 2 2", "square 3 3"),
        ("facing = [1, 2]", "facing = [1, 3]"),
        ("a1 b1 - -", "- - - -"),
        ('lights = ["a1 b1", "b2 a2"]', ""),
    )
    assert "chain leaves out a1, a3, b1, b3, c1 and 2 more" in told


def test_more_current_for_a_strong_supply_wants_a_board_that_can_read_it() -> None:
    assert load("cell36").strong_milliamps == 600
    (told,) = faults(("max_milliamps = 500", "max_milliamps = 500\nstrong_milliamps = 900"))
    assert "strong_milliamps wants chip = 'rp2040'" in told


def test_a_strong_supply_gives_more_than_any_other(tmp_path: Path) -> None:
    text = (BOARDS / "cell36.toml").read_text(encoding="utf-8")
    (tmp_path / "weaker.toml").write_text(text.replace("strong_milliamps = 600", "strong_milliamps = 250"))
    with pytest.raises(BadProfile, match="strong_milliamps = 250 is for a stronger supply"):
        load(str(tmp_path / "weaker.toml"))
