"""What the doctor concludes from little: bounds, counts, and where a chain or a strip is cut."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from controller.diagnostics.findings import (
    MOST_STRANGE,
    SCANS_LEAST,
    SILENT_TAIL,
    ExamEvidence,
    Health,
    judge,
    pin_of,
)
from hardware.profile import REGISTER_BITS, load

BOARD = load("square144")
SITES = {site.bit: site.name for site in BOARD.sites}
HEARD = {name: (name,) for name in SITES.values()}
LIT = {pixel: site for pixel, site in enumerate(BOARD.by_light()) if site is not None}
WELL: dict[str, Any] = {"scans_per_s": 1000, "scans_missed": 0, "bad_frames": 0, "bytes_lost": 0, "changes_lost": 0}


def told(**seen: Any) -> list[str]:
    return [finding.what for finding in judge(BOARD, ExamEvidence(**seen)).findings]


def advised(**seen: Any) -> list[str]:
    return [finding.advice for finding in judge(BOARD, ExamEvidence(**seen)).findings]


def test_of_a_board_that_is_well_nothing_is_said() -> None:
    assert told(heard=HEARD, lit=LIT, health=Health(**WELL, undervolted=False)) == []
    assert told() == []


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"scans_per_s": SCANS_LEAST}, []),
        ({"scans_per_s": SCANS_LEAST - 1}, [f"The sensor board scans {SCANS_LEAST - 1} times a second, not 1000."]),
        ({"bad_frames": 1, "bytes_lost": 2}, ["Frames or bytes corrupted on the way to the sensor board: 3."]),
        ({"changes_lost": 1}, ["Changes lost: 1."]),
        ({"undervolted": True}, ["The Pi's supply voltage fell below 4.63 V."]),
        ({"undervolted": None}, []),
        ({"scans_missed": 9}, []),  # a board that is busy for a moment
    ],
)
def test_the_figures_of_the_sensor_board_are_judged(figures: dict[str, Any], said: list[str]) -> None:
    assert told(health=Health(**{**WELL, **figures})) == said


@pytest.mark.parametrize(("scans", "said"), [(333, []), (330, []), (329, ["329 times a second, not 333."])])
def test_a_board_of_tiles_scans_a_third_as_often(scans: int, said: list[str]) -> None:
    health = Health(**{**WELL, "scans_per_s": scans})
    found = judge(load("field144"), ExamEvidence(health=health)).findings
    assert [finding.what.removeprefix("The sensor board scans ") for finding in found] == said


@pytest.mark.parametrize(("board", "said"), [("field144", 1), ("cell36", 0), ("square144", 0)])
def test_only_tiles_want_a_supply_that_offers_more_than_half_an_ampere(board: str, said: int) -> None:
    profile = load(board)
    weak, strong = (
        Health(**{**WELL, "scans_per_s": 1000 // profile.scan_ms}, strong=strong) for strong in (False, True)
    )
    assert judge(profile, ExamEvidence(health=strong)).findings == ()
    findings = judge(profile, ExamEvidence(health=weak)).findings
    assert ["less than 1.5 A" in finding.what and "5 V and 3 A" in finding.advice for finding in findings] == [
        True
    ] * said


def test_a_link_that_was_lost_is_told_with_how_often_and_why_at_last() -> None:
    assert told(link="There is no sensor board.") == ["The sensor board cannot be read."]
    assert told(drops=("a", "b")) == ["Losses of the connection: 2. The last one: b"]
    (loaded,) = advised(drops_loaded=("it fell silent",))
    assert "measure 5 V at the last pixel" in loaded


def tail(count: int) -> list[str]:
    """Return the last sites of the chain."""
    return [SITES[bit] for bit in sorted(SITES)[-count:]]


def test_silent_sensors_at_the_end_of_the_chain_are_a_cut_and_elsewhere_so_many_broken_sensors() -> None:
    last = max(SITES) // REGISTER_BITS
    in_last = [name for bit, name in SITES.items() if bit // REGISTER_BITS == last]
    assert len(in_last) >= SILENT_TAIL
    silent = {**HEARD, **dict.fromkeys(in_last, ())}
    assert told(heard=silent) == [f"No sensor from register {last + 1} on responds."]
    assert f"pin 9 of register {last + 1} to pin 10 of register {last}" in advised(heard=silent)[0]
    one_more = SITES[0]
    assert told(heard={**silent, one_more: ()})[1:] == [f"The sensor of {one_more} never responds."]
    some = in_last[:-1]
    assert len(told(heard={**HEARD, **dict.fromkeys(some, ())})) == len(some)
    (advice,) = advised(heard=dict.fromkeys(HEARD, ()))
    assert advice.startswith("The data wire from pin 9 of register 1 to the sensor board is open")


def test_sensors_that_read_closed_are_a_short_at_the_end_of_the_chain_and_one_by_one_elsewhere() -> None:
    last = max(SITES) // REGISTER_BITS
    in_last = frozenset(name for bit, name in SITES.items() if bit // REGISTER_BITS == last)
    assert told(stuck=in_last) == [f"Every sensor from register {last + 1} on reads closed."]
    assert told(stuck=frozenset({"a1", "b2"})) == [
        "The sensor of a1 is closed with nothing on it.",
        "The sensor of b2 is closed with nothing on it.",
    ]


@pytest.mark.parametrize("silent", [True, False], ids=["never responds", "reads closed"])
def test_the_three_sensors_of_a_last_register_that_is_not_full_are_a_cut_as_well(silent: bool) -> None:
    board = load("hex91")
    sites = [site.name for site in sorted(board.sites, key=lambda site: site.bit)]

    def said(last: list[str]) -> list[str]:
        heard: dict[str, tuple[str, ...]] = {site: (site,) for site in sites}
        seen = ExamEvidence(heard=heard | dict.fromkeys(last, ())) if silent else ExamEvidence(stuck=frozenset(last))
        return [finding.what for finding in judge(board, seen).findings]

    assert len(sites) % REGISTER_BITS == 3
    (cut,) = said(sites[-3:])
    assert "register 12 on" in cut
    assert len(said(sites[-2:])) == 2


@pytest.mark.parametrize("first", [0, 1], ids=["the first", "the second"])
def test_a_strip_whose_rows_do_not_run_to_and_fro_is_one_mistake_whichever_row_begins(first: int) -> None:
    rows: dict[str, list[int]] = {}
    for pixel, site in LIT.items():
        rows.setdefault(site.lstrip("abcdefghijkl"), []).append(pixel)
    there = dict(LIT)
    for row in list(rows.values())[first::2]:
        there |= {pixel: LIT[other] for pixel, other in zip(row, row[::-1], strict=True)}
    assert told(lit=there) == ["The lights of every second row run the other way."]


def test_where_a_sensor_is_soldered_is_told_by_register_input_and_pin() -> None:
    """A register sends its input D7 first; see docs/boards.md and the data sheet of a 74HC165."""
    assert pin_of(BOARD, SITES[0]) == "register 1, input D7 (pin 6)"
    assert pin_of(BOARD, SITES[7]) == "register 1, input D0 (pin 11)"
    assert pin_of(BOARD, SITES[8]) == "register 2, input D7 (pin 6)"


def test_on_a_board_of_fields_it_is_told_by_multiplexer_and_nothing_is_said_of_contacts_or_a_chain() -> None:
    board = load("cell36")
    assert pin_of(board, "a1") == "multiplexer 1, input Y0 (pin 9)"
    assert pin_of(board, "f6") == "multiplexer 3, input Y6 (pin 3)"
    last = frozenset(site.name for site in board.sites if site.bit >= 32)
    found = judge(board, ExamEvidence(stuck=last)).findings
    assert [finding.what for finding in found][:1] == ["The sensor of a5 is closed with nothing on it."]
    assert len(found) == len(last)
    assert "multiplexer 3, input Y0 (pin 9) must be at half of 3.3 V" in found[0].advice
    heard = {site.name: (site.name,) for site in board.sites} | {"b3": ()}
    (silent,) = judge(board, ExamEvidence(heard=heard)).findings
    assert silent.what == "The sensor of b3 never responds."
    assert "move by 0.1 V with a magnet on it" in silent.advice


def test_its_multiplexers_may_be_exchanged() -> None:
    board = load("cell36")
    there = {site.name: board.by_bit()[site.bit ^ 16 if site.bit < 32 else site.bit] for site in board.sites}
    heard = {site: (other,) for site, other in there.items() if other}
    said = [finding.what for finding in judge(board, ExamEvidence(heard=heard)).findings]
    assert said == ["Multiplexer 1 and multiplexer 2 are swapped in the chain."]


def test_a_tile_in_the_socket_of_one_that_is_missing_is_told_as_such() -> None:
    board = load("field144")
    tiles = [board.by_bit()[first : first + 16] for first in range(0, 144, 16)]
    heard: dict[str, tuple[str, ...]] = {site.name: (site.name,) for site in board.sites}
    heard |= {str(here): (str(there),) for here, there in zip(tiles[0], tiles[4], strict=True)}
    heard |= dict.fromkeys(map(str, tiles[4]), ())
    said = [finding.what for finding in judge(board, ExamEvidence(heard=heard)).findings]
    assert said == [
        "The cables of tile 0 and tile 4 are in each other's sockets.", "No sensor of tile 4 can be read.",
    ]  # fmt: skip


def test_cells_of_a_tile_that_does_answer_are_told_one_by_one() -> None:
    board = load("field144")
    heard = {site.name: (site.name,) for site in board.sites} | dict.fromkeys(map(str, board.by_bit()[1:16]), ())
    found = judge(board, ExamEvidence(heard=heard)).findings
    assert len(found) == 15
    assert found[0].what == "The sensor of a2 never responds."
    assert "tile 0, input Y7 (pin 2) must be at half of 3.3 V" in found[0].advice


def test_two_sensors_on_one_input_and_one_magnet_on_two_are_told() -> None:
    one, other = SITES[0], SITES[1]
    both = told(heard={**HEARD, one: (one, other)})
    assert f"A magnet on {one} closes {one} and {other}." in both
    same = told(heard={**HEARD, one: (other,)})
    assert f"{one} and {other} are all wired to the same input, that of {other}." in same


def test_a_strip_that_is_dark_from_somewhere_on_is_cut_there_and_one_dark_pixel_is_that_pixel() -> None:
    assert told(lit=dict.fromkeys(LIT)) == ["No light comes on."]
    pixels = sorted(LIT)
    cut = {pixel: site if pixel < pixels[-2] else None for pixel, site in LIT.items()}
    assert told(lit=cut) == [f"No light comes on from pixel {pixels[-2]} ({LIT[pixels[-2]]}) onwards."]
    assert f"the joint after the light of {LIT[pixels[-3]]}" in advised(lit=cut)[0]
    for pixel in (pixels[-1], pixels[5]):
        assert told(lit={**LIT, pixel: None}) == [f"Pixel {pixel} ({LIT[pixel]}) stays dark."]
    two = told(lit={**LIT, pixels[3]: None, pixels[5]: None})
    assert two == [f"Pixel {pixel} ({LIT[pixel]}) stays dark." for pixel in (pixels[3], pixels[5])]


def test_a_strip_in_no_known_order_is_told_pixel_by_pixel_as_long_as_they_are_few() -> None:
    def rotated(count: int) -> dict[int, str]:
        """Return the lights with so many of them in a circle, far apart."""
        places = [pixel for pixel in sorted(LIT) if pixel % 13 == 0][:count]
        return {**LIT, **{pixel: LIT[places[n - 1]] for n, pixel in enumerate(places)}}

    assert told(lit=rotated(MOST_STRANGE + 1)) == [
        f"{MOST_STRANGE + 1} lights are in the wrong place, in no known order."
    ]
    few = told(lit=rotated(3))
    assert len(few) == 3
    assert all(sentence.startswith("Pixel ") and "lights up at" in sentence for sentence in few)


def test_sensors_that_changed_places_in_a_ring_are_told_one_by_one() -> None:
    a, b, c = SITES[0], SITES[20], SITES[40]
    assert told(heard={**HEARD, a: (b,), b: (c,), c: (a,)}) == [
        f"{c} is wired to the input of {a}.",
        f"{a} is wired to the input of {b}.",
        f"{b} is wired to the input of {c}.",
    ]
    (*_, advice) = advised(heard={**HEARD, a: (b,), b: (c,), c: (a,)})
    assert advice.startswith(f"Wire it to its own input, {pin_of(BOARD, b)}")


def test_a_pixel_too_many_is_told_with_the_site_that_comes_late() -> None:
    pixels = sorted(LIT)
    there: dict[int, str | None] = {pixel: LIT[pixel] for pixel in pixels[:50]}
    there[pixels[50]] = None  # it lies between two sites
    there |= {pixel: LIT[before] for before, pixel in pairwise(pixels[50:])}
    assert told(lit=there) == [
        f"The strip has one pixel too many before {LIT[pixels[50]]}: from there on, each is one site late."
    ]
