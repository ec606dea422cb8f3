"""The kit: one zip with all that somebody needs to have a board made, to print its box and to flash it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from hardware.cannot_build import CannotBuild
from hardware.kit import pack
from hardware.profile import load

CELL36 = load("cell36")
MADE = (
    "pcb/cell36/gerbers/cell36-F_Cu.gbr",
    "pcb/cell36/assembly/jlcpcb-bom.csv",
    "pcb/cell36/assembly/jlcpcb-cpl.csv",
    "hardware/print/cell36/tray.stl",
    "hardware/tops/cell36/top-tides-of-war-a4.pdf",
    "firmware/cell36/sensor.uf2",
)


@pytest.fixture
def build(tmp_path: Path) -> Path:
    for name in MADE:
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


def test_a_board_that_is_soldered_by_hand_has_none(build: Path) -> None:
    with pytest.raises(CannotBuild, match=r"square144 does not come assembled: docs/build/README\.md says"):
        pack(build, load("square144"))
