"""Board tops and paper tokens: lines, sheets of A4, and a token for every piece of every game."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from controller.rules.game import AnyGame
from controller.rules.registry import all_games
from hardware.field.kinds import AFTER_A_WALK
from hardware.manual.sheet_drawing import sheet
from hardware.pieces import NEUTRAL, bases, largest_game, marked, stock
from hardware.printables.geometry import parts
from hardware.printables.models import token_widths
from hardware.profile import Profile, load, names
from hardware.tops.drawing import top, top_of_game
from hardware.tops.paper import A4, FOOT_MM, MARGIN_MM, OVERLAP_MM, discs, sheets


@pytest.fixture(params=names())
def board(request: pytest.FixtureRequest) -> Profile:
    return load(request.param)


@pytest.fixture(params=sorted(all_games()))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return all_games()[request.param]


def area(points: tuple[tuple[float, float], ...]) -> float:
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2


def test_one_closed_line_is_cut_and_holds_exactly_the_cells(board: Profile) -> None:
    cut = [path for path in top(board).paths if path.layer == "CUT"]
    assert len(cut) == 1
    assert cut[0].closed
    cells = sum(area(site.outline) for site in board.sites if site.kind == "cell")
    assert area(cut[0].points) == pytest.approx(cells)


def test_every_side_between_two_cells_is_engraved_once(board: Profile) -> None:
    shared = sum(n >= 0 for row in board.mesh().neighbours for n in row) // 2
    assert sum(path.layer == "ENGRAVE" for path in top(board).paths) == shared


def test_every_cell_has_its_name_and_neighbours_have_different_tints(board: Profile) -> None:
    drawn = top(board)
    assert [name.words for name in drawn.names] == list(board.mesh().cells)
    for cell, row in enumerate(board.mesh().neighbours):
        assert all(drawn.tints[cell].grey != drawn.tints[n].grey for n in row if n >= 0)


def cells_of(board: str, game: str) -> dict[str, set[str]]:
    """Return the marked cells of a printed top by the name of their place."""
    found: dict[str, set[str]] = {}
    for each in marked(load(board), all_games()[game]):
        found.setdefault(str(each.name), set()).add(each.cell)
    return found


def test_a_top_of_a_game_has_its_towns_its_river_and_its_centre_where_the_game_lies_on_the_board() -> None:
    assert cells_of("first36", "tides-of-war")["White's town"] == {"a1"}
    assert cells_of("square144", "tides-of-war")["river"] == cells_of("first36", "tides-of-war")["river"]
    assert cells_of("hex91", "giantslayer")["closed centre"] == {"f6"}  # the middle of the large board
    assert marked(load("shell19"), all_games()["tides-of-war"]) == ()


def test_their_signs_are_engraved_within_their_cells_and_their_tints_printed() -> None:
    board = load("first36")
    plain, own = top(board), top_of_game(board, marked(board, all_games()["tides-of-war"]))
    signs = own.paths[len(plain.paths) :]
    assert own.paths[: len(plain.paths)] == plain.paths
    sites = {site.name: site for site in board.sites}
    for name in ("a1", "f6", "c4"):
        x, y = sites[name].x_mm, sites[name].y_mm
        here = [path for path in signs if all(abs(px - x) < 10 and abs(py - y) < 10 for px, py in path.points)]
        assert here
        assert all(path.closed and path.layer == "ENGRAVE" for path in here)
    assert len({tint.colour for tint in own.tints}) == 3  # none, town, river
    assert sum(bool(tint.colour) for tint in own.tints) == 8


@pytest.mark.parametrize(("size", "number"), [((190, 270), 1), ((200, 273), 1), ((201, 273), 2), ((480, 480), 6)])
def test_a_drawing_takes_as_few_sheets_as_it_can(size: tuple[float, float], number: int) -> None:
    assert len(sheets(*size)) == number


@pytest.mark.parametrize("size", [(199.8, 199.8), (480.0, 480.0), (600.0, 554.3), (210.0, 297.0)])
def test_sheets_cover_the_drawing_and_overlap(size: tuple[float, float]) -> None:
    pages = sheets(*size)
    for low, length, far in (("left", "width", size[0]), ("low", "height", size[1])):
        spans = sorted({(getattr(page, low), getattr(page, low) + getattr(page, length)) for page in pages})
        assert spans[0][0] == 0
        assert spans[-1][1] == pytest.approx(far)
        assert all(a[1] - b[0] == pytest.approx(OVERLAP_MM) for a, b in pairwise(spans))
    assert all(page.width <= A4[0] - 2 * MARGIN_MM and page.height <= A4[1] - 2 * FOOT_MM for page in pages)


# ---- pieces


def test_there_is_a_token_for_every_kind_of_piece(game: AnyGame) -> None:
    rows = stock(game)
    assert {row.kind for row in rows} == set(game.facts.kinds)
    assert all(row.number > 0 for row in rows)
    for seat in (0, 1):
        marks = {row.kind: row.mark for row in rows if row.seat == seat}
        assert len(set(marks.values())) == len(marks), "no two kinds with one mark"
        assert all(1 <= len(mark) <= 4 for mark in marks.values())


def test_the_tokens_suffice_for_the_start_and_for_games_at_random(game: AnyGame) -> None:
    most = {(row.seat, row.kind): row.number for row in stock(game, nodes=114)}
    standing = bases(game, nodes=114)
    for seed in range(3):
        dice, state = random.Random(seed), game.start(game.options(), seed)
        for _ in range(60):
            shape = [piece for piece in game.shape(state).values() if piece.kind not in NEUTRAL]
            counted = {(p.seat, p.kind): sum(p == q for q in shape) for p in shape if p.seat is not None}
            assert all(most[key] >= number for key, number in counted.items())
            for seat in {p.seat for p in shape} - {None}:
                there = sum(number for (s, _), number in standing.items() if s == seat)
                assert there >= sum(p.seat == seat for p in shape)
            plies = game.plies(state)
            if not plies:
                break
            state = game.play(state, dice.choice(plies))


def test_tokens_lie_on_their_sheets_and_not_on_one_another(game: AnyGame) -> None:
    placed = discs(stock(game, nodes=114), token_widths(parts(load("hex91"))))
    assert len(placed) == sum(row.number for row in stock(game, nodes=114))
    for k, disc in enumerate(placed):
        x, y = disc.at
        assert disc.across / 2 <= x <= A4[0] - disc.across / 2
        assert disc.across / 2 <= y <= A4[1] - disc.across / 2
        for other in placed[k + 1 : k + 40]:
            if other.page == disc.page:
                apart = ((x - other.at[0]) ** 2 + (y - other.at[1]) ** 2) ** 0.5
                assert apart >= (disc.across + other.across) / 2


def test_there_are_tokens_for_as_many_players_as_a_game_has(game: AnyGame) -> None:
    players = len(game.facts.seats)
    rows = stock(game, nodes=114, seats=players)
    assert {row.seat for row in rows} - {None} == set(range(players))
    assert len({row.edge for row in rows if row.seat is not None}) == players, "each seat has an outline of its own"
    assert all(row.drawing for row in rows), "and every kind is drawn"
    two = [row for row in rows if row.seat in (0, 1, None)]
    assert [(row.seat, row.kind, row.number) for row in two] == [
        (row.seat, row.kind, row.number) for row in stock(game, nodes=114)
    ]


def test_a_token_wider_than_a_sheet_is_refused(game: AnyGame) -> None:
    with pytest.raises(ValueError, match="a token of 250 mm does not fit on a sheet of 210 mm"):
        discs(stock(game), {"cell": 250.0, "node": 250.0, "vertex": 250.0})


@pytest.mark.parametrize(("name", "title"), [("cell36", "Tides of War"), ("field144", "Chess of Tam Ruat")])
def test_the_pages_of_assembled_boards_show_the_sheet_of_their_game(name: str, title: str) -> None:
    profile = load(name)
    game = largest_game(profile)
    assert game.facts.title == title
    drawn = sheet(profile, game)
    assert drawn.count("<polygon") == len(profile.sites)
    tints = top_of_game(profile, marked(profile, game)).tints
    assert all(tint.colour in drawn for tint in tints)
    assert all(f">{site.name}<" in drawn for site in profile.sites)


def test_a_piece_within_the_lines_of_its_cell_is_as_near_its_middle_as_the_figures_of_kinds_allow() -> None:
    profile = load("cell36")
    assert (profile.pitch_mm - parts(profile).tokens["cell"]) / 2 <= AFTER_A_WALK.most_stray_mm
