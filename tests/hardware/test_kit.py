"""The kit: one zip with all that somebody needs to have a board made, to print its parts and to flash it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardware.cannot_build import CannotBuild
from hardware.kit import main, pack
from hardware.pcb.boards.catalogue import boards, circuits_of
from hardware.profile import load, names

CELL36 = load("cell36")
MADE = (
    "pcb/cell36/gerbers/cell36-F_Cu.gbr",
    "pcb/cell36/assembly/jlcpcb-bom.csv",
    "pcb/cell36/assembly/jlcpcb-cpl.csv",
    "hardware/print/cell36/tray.stl",
    "hardware/tops/cell36/top-tides-of-war-a4.pdf",
    "firmware/cell36/sensor.uf2",
)


STRIPS = (
    "pcb/strip-square144/gerbers/strip-square144-F_Cu.gbr",
    "pcb/strip-square144/assembly/jlcpcb-bom.csv",
    "pcb/strip-square144/bom.csv",
    "pcb/carrier/gerbers/carrier-F_Cu.gbr",
    "pcb/carrier/assembly/jlcpcb-bom.csv",
    "pcb/carrier/bom.csv",
    "hardware/print/square144/case.stl",
    "hardware/tops/square144/top-circle-a4.pdf",
    "firmware/square144/sensor.hex",
)
TILES = (
    "pcb/tile16/gerbers/tile16-F_Cu.gbr",
    "pcb/tile16/assembly/jlcpcb-bom.csv",
    "pcb/hub9/gerbers/hub9-F_Cu.gbr",
    "pcb/hub9/assembly/jlcpcb-bom.csv",
    "hardware/print/field144/grid.stl",
    "hardware/tops/field144/top-circle-a4.pdf",
    "firmware/field144/sensor.uf2",
)


@pytest.fixture
def build(tmp_path: Path) -> Path:
    for name in (*MADE, *STRIPS, *TILES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def test_somebody_gets_one_zip_with_what_a_house_a_printer_and_the_board_want(build: Path) -> None:
    packed = zipfile.ZipFile(pack(build, CELL36))
    assert sorted(packed.namelist()) == [
        "cell36/order/gerbers.zip",
        "cell36/order/jlcpcb-bom.csv",
        "cell36/order/jlcpcb-cpl.csv",
        "cell36/print/tray.stl",
        "cell36/sensor.uf2",
        "cell36/sheets/top-tides-of-war-a4.pdf",
    ]
    assert packed.read("cell36/sensor.uf2").decode() == "firmware/cell36/sensor.uf2"
    gerbers = zipfile.ZipFile(io.BytesIO(packed.read("cell36/order/gerbers.zip")))
    assert gerbers.namelist() == ["cell36-F_Cu.gbr"]


def test_a_part_that_is_made_no_more_is_not_left_in_it(build: Path) -> None:
    pack(build, CELL36)
    (build / "hardware/print/cell36/tray.stl").rename(build / "hardware/print/cell36/box.stl")
    assert "cell36/print/tray.stl" not in zipfile.ZipFile(pack(build, CELL36)).namelist()


def test_what_was_not_made_is_named_with_the_command_that_makes_it(build: Path) -> None:
    (build / "firmware/cell36/sensor.uf2").unlink()
    (build / "hardware/print/cell36/tray.stl").unlink()
    with pytest.raises(CannotBuild, match=r"nothing for print and sensor\.uf2: make kit BOARD=cell36 makes all of it"):
        pack(build, CELL36)


def test_a_board_of_several_circuit_boards_has_a_folder_for_each_and_says_how_many(build: Path) -> None:
    """144 cells are 18 registers of eight, and a strip has one (docs/build/circuit-boards.md)."""
    packed = zipfile.ZipFile(pack(build, load("square144")))
    assert sorted(packed.namelist()) == [
        "square144/order/carrier/bom.csv",
        "square144/order/carrier/gerbers.zip",
        "square144/order/carrier/jlcpcb-bom.csv",
        "square144/order/how-many.txt",
        "square144/order/strip-square144/bom.csv",
        "square144/order/strip-square144/gerbers.zip",
        "square144/order/strip-square144/jlcpcb-bom.csv",
        "square144/print/case.stl",
        "square144/sensor.hex",
        "square144/sheets/top-circle-a4.pdf",
    ]
    assert packed.read("square144/order/how-many.txt").decode() == "18 strip-square144\n1 carrier\n"
    gerbers = zipfile.ZipFile(io.BytesIO(packed.read("square144/order/carrier/gerbers.zip")))
    assert gerbers.namelist() == ["carrier-F_Cu.gbr"]


def test_assembled_tiles_and_their_hub_have_a_folder_each_and_nothing_to_solder(build: Path) -> None:
    packed = zipfile.ZipFile(pack(build, load("field144")))
    assert sorted(packed.namelist()) == [
        "field144/order/how-many.txt",
        "field144/order/hub9/gerbers.zip",
        "field144/order/hub9/jlcpcb-bom.csv",
        "field144/order/tile16/gerbers.zip",
        "field144/order/tile16/jlcpcb-bom.csv",
        "field144/print/grid.stl",
        "field144/sensor.uf2",
        "field144/sheets/top-circle-a4.pdf",
    ]
    assert packed.read("field144/order/how-many.txt").decode() == "9 tile16\n1 hub9\n"


def test_each_shipped_board_but_the_first_has_one_or_more_circuit_boards_that_are_made() -> None:
    """The tracker of a board of tiles has the shape of these."""
    needs = {name: circuits_of(load(name)) for name in names()}
    assert needs.pop("first36") == {}
    assert needs["shell19"] == {"tile-shell19": 19, "tracker-hex": 1, "carrier": 1}
    assert needs["shellsquare16"] == {"tile-shellsquare16": 16, "tracker-square": 1, "carrier": 1}
    assert set().union(*needs.values()) == set(boards()) - {"hat"}


def test_a_circuit_board_that_was_not_made_is_named(build: Path) -> None:
    with pytest.raises(
        CannotBuild, match=r"nothing for order/strip-hex91 and print and sheets and sensor\.hex: make kit"
    ):
        pack(build, load("hex91"))


def test_a_board_that_is_wired_by_hand_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    asked = CliRunner().invoke(main, ["first36", str(tmp_path), "--needs"])
    assert asked.output == "Error: first36 has no circuit boards: docs/build/README.md says how it is built\n"
    assert asked.exit_code == 1
    assert CliRunner().invoke(main, ["square144", str(tmp_path), "--needs"]).output == "strip-square144 carrier\n"
    assert "there is no board 'square64'" in CliRunner().invoke(main, ["square64", str(tmp_path), "--needs"]).output
