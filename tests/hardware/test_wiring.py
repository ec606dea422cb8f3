"""The wiring list: the pins of a 74HC165, and the way from a bit to an input."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from hardware.profile import load
from hardware.wiring import INPUT_PINS, MUX_PINS, main, wiring, wiring_list


def test_the_inputs_have_the_pins_of_the_data_sheet() -> None:
    assert {f"D{k}": pin for k, pin in enumerate(INPUT_PINS)} == {
        "D0": 11,
        "D1": 12,
        "D2": 13,
        "D3": 14,
        "D4": 3,
        "D5": 4,
        "D6": 5,
        "D7": 6,
    }


def test_the_first_bit_is_d7_of_the_first_register_and_the_last_d0_of_the_last() -> None:
    rows = wiring(load("hex91"))
    assert (rows[0].register, rows[0].data_input, rows[0].pin) == (1, 7, 6)
    assert (rows[7].register, rows[7].data_input, rows[7].pin) == (1, 0, 11)
    assert (rows[8].register, rows[8].data_input) == (2, 7)
    assert (rows[-1].register, rows[-1].data_input) == (12, 0)


def test_no_input_is_wired_twice() -> None:
    rows = wiring(load("square144"))
    assert len({(row.register, row.pin) for row in rows}) == 144
    assert {row.site.name for row in rows if row.site} == {site.name for site in load("square144").sites}


def test_the_list_says_all_of_a_site_in_one_line() -> None:
    lines = [line.split() for line in wiring_list(load("hex91")).splitlines()]
    assert ["1", "D1", "12", "6", "k2", "6", "382.5", "65.0"] in lines
    assert ["12", "D0", "11", "95", "unused"] in lines


def test_a_board_of_fields_lists_the_inputs_of_its_multiplexers() -> None:
    """Pins of a 74HC4067 by its data sheet: Y0 to Y7 run from 9 down to 2, Y8 to Y15 from 23 down to 16."""
    assert (*range(9, 1, -1), *range(23, 15, -1)) == MUX_PINS
    lines = [line.split() for line in wiring_list(load("cell36")).splitlines()]
    assert lines[0][:3] == ["Assembled", "board,", "36"]
    assert ["1", "Y0", "9", "0", "a1", "0", "16.6", "16.6"] in lines
    assert ["2", "Y11", "20", "27", "a4", "23", "16.6", "116.5"] in lines
    assert ["3", "Y15", "16", "47", "unused"] in lines
    assert lines[3][:3] == ["mux", "input", "pin"]


def test_a_board_of_tiles_lists_the_inputs_of_each_tile() -> None:
    lines = [line.split() for line in wiring_list(load("field144")).splitlines()]
    assert lines[3][:3] == ["tile", "input", "pin"]
    assert ["0", "Y15", "16", "15", "a4", "15", "16.6", "116.5"] in lines
    assert ["1", "Y0", "9", "16", "e1", "16", "149.8", "16.6"] in lines
    assert ["8", "Y15", "16", "143", "i12", "143", "283.0", "382.9"] in lines


def test_the_list_tells_how_the_chain_ends() -> None:
    assert "of register 12: to ground" in wiring_list(load("hex91"))


def test_prints_the_list_of_a_board() -> None:
    done = CliRunner().invoke(main, ["square144"])
    assert done.exit_code == 0
    assert done.output.startswith("Square board, 144 sites: 144 bits in 18 registers")


def test_a_bad_board_file_gets_its_sentences(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text('title = "Odd"\n')
    done = CliRunner().invoke(main, [str(file)])
    assert done.exit_code == 1
    assert "odd.toml: the key 'tiling' is missing" in done.output
