"""The images that a wheel carries, and how they get onto a board: by avrdude itself, against a bootloader's twin."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from controller.app import flashing
from controller.app.cli import cli
from hardware import firmware_images
from hardware.firmware_images import CannotFlash, collect, image_for, images
from hardware.profile import load, names
from tests.firmware.bootloader_on_a_line import Bootloader
from tests.firmware.firmware_rig import make


@pytest.fixture(scope="module")
def carried(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The images of all shipped boards, as `make wheel` collects them."""
    for board in names():
        make(build, "firmware", f"BOARD={board}")
    folder = tmp_path_factory.mktemp("carried")
    collect(build, folder)
    return folder


def flash_of(image: Path, folder: Path) -> bytes:
    """What an image puts into the flash, by binutils, or by the blocks of its UF2."""
    if image.suffix == ".uf2":
        data = image.read_bytes()
        return b"".join(data[at + 32 : at + 32 + 256] for at in range(0, len(data), 512))
    raw = folder / "raw"
    subprocess.run(["avr-objcopy", "-I", "ihex", "-O", "binary", image, raw], check=True)
    return raw.read_bytes()


@pytest.mark.parametrize("board", names())
def test_every_shipped_board_has_an_image_with_its_name_in_it(carried: Path, tmp_path: Path, board: str) -> None:
    flash = flash_of(image_for(load(board), carried), tmp_path)
    assert board.encode() in flash
    assert len(flash) == images(carried)[board].flash_bytes


def test_avrdude_writes_the_image_and_nothing_else(carried: Path, tmp_path: Path) -> None:
    image = image_for(load("first36"), carried)
    with Bootloader() as board:
        flashing.flash(image, board.port)
    due = flash_of(image, tmp_path)
    assert bytes(board.flash[: len(due)]) == due
    assert set(board.flash[len(due) + 128 :]) == {0xFF}  # the last page of 128 bytes may be filled up


def test_a_worn_flash_is_told(carried: Path) -> None:
    with Bootloader(worn=100) as board, pytest.raises(CannotFlash, match="avrdude ended with status"):
        flashing.flash(image_for(load("first36"), carried), board.port)


def test_a_board_of_ones_own_has_no_image(carried: Path) -> None:
    own = msgspec.structs.replace(load("first36"), name="mine")
    with pytest.raises(
        CannotFlash, match=r"no image for the board mine; there are those of cell36, .*first36, .*make flash BOARD="
    ):
        image_for(own, carried)


def test_a_board_with_another_chain_does_not_get_the_image_of_its_name(carried: Path) -> None:
    board = load("first36")
    a, b, *rest = board.sites
    swapped = (msgspec.structs.replace(a, bit=b.bit), msgspec.structs.replace(b, bit=a.bit), *rest)
    with pytest.raises(CannotFlash, match="made for another chain of sensors"):
        image_for(msgspec.structs.replace(board, sites=swapped), carried)


def test_a_damaged_image_is_not_written(carried: Path, tmp_path: Path) -> None:
    for file in carried.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "first36.hex").write_bytes(b":00000001FF\n")
    with pytest.raises(CannotFlash, match="damaged: install Beaconboard again"):
        image_for(load("first36"), tmp_path)


def test_an_image_that_is_not_built_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotFlash, match=r"sensor\.uf2 is not built: make firmware BOARD=cell36"):
        collect(tmp_path, tmp_path / "carried")


def test_the_source_tree_says_where_images_come_from(tmp_path: Path) -> None:
    with pytest.raises(CannotFlash, match="make flash BOARD"):
        images(tmp_path)


def run(carried: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str]:
    monkeypatch.setattr(firmware_images.images, "__defaults__", (carried,))
    monkeypatch.setattr(firmware_images.image_for, "__defaults__", (carried,))
    done = CliRunner().invoke(cli, arguments)
    return done.exit_code, done.output


def test_the_command_tells_how_to_write_an_image(carried: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [line.split()[0] for line in run(carried, monkeypatch, "firmware")[1].splitlines()] == list(names())
    status, said = run(carried, monkeypatch, "firmware", "hex91")
    file, ours, by_hand = said.splitlines()
    assert status == 0
    assert Path(file) == carried / "hex91.hex"
    assert ours.endswith("beaconboard flash hex91 --port /dev/ttyUSB0")
    assert by_hand.endswith(f"-U flash:w:{file}:i")


def test_a_chip_that_shows_a_drive_gets_its_image_there(
    carried: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, said = run(carried, monkeypatch, "firmware", "cell36")
    assert status == 0
    assert "drag the file onto its drive" in said
    assert "avrdude" not in said
    status, said = run(carried, monkeypatch, "flash", "cell36", "--drive", str(tmp_path))
    assert (status, said) == (0, f"written to {tmp_path}\n")
    assert (tmp_path / "cell36.uf2").read_bytes() == image_for(load("cell36"), carried).read_bytes()


def test_a_drive_that_is_not_there_is_told(carried: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flashing, "DRIVES", (str(tmp_path / "*" / "RPI-RP2"),))
    status, said = run(carried, monkeypatch, "flash", "cell36")
    assert status == 2
    assert "hold its button BOOT down while you plug it in" in said
    status, said = run(carried, monkeypatch, "flash", "cell36", "--drive", str(tmp_path / "gone"))
    assert status == 2
    assert f"could not be copied to {tmp_path}/gone: No such file or directory" in said
    (tmp_path / "stick" / "RPI-RP2").mkdir(parents=True)
    assert run(carried, monkeypatch, "flash", "cell36") == (0, f"written to {tmp_path}/stick/RPI-RP2\n")


def test_without_avrdude_the_command_says_what_to_install(
    carried: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt install avrdude" in run(carried, monkeypatch, "firmware", "hex91")[1]
    status, said = run(carried, monkeypatch, "flash", "hex91", "--port", "/dev/ttyS9")
    assert status == 2
    assert "avrdude is missing: apt install avrdude" in said
    assert "-P /dev/ttyS9" in said


def test_a_port_with_no_board_is_refused(carried: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, said = run(carried, monkeypatch, "flash", "first36", "--port", str(tmp_path / "nothing"))
    assert status == 2
    assert f"is the sensor board at {tmp_path}/nothing" in said


# ---- from the panel, where nobody sees what avrdude says


@pytest.fixture
def from_panel(carried: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(firmware_images.image_for, "__defaults__", (carried,))


@pytest.mark.usefixtures("from_panel")
def test_from_the_panel_the_same_image_is_written_by_avrdude(carried: Path, tmp_path: Path) -> None:
    with Bootloader() as board:
        flashing.writer(load("first36"))(lambda: board.port)
    due = flash_of(image_for(load("first36"), carried), tmp_path)
    assert bytes(board.flash[: len(due)]) == due


@pytest.mark.usefixtures("from_panel")
def test_what_avrdude_could_not_write_is_told_in_words_for_whoever_holds_a_phone() -> None:
    with Bootloader(worn=100) as board, pytest.raises(CannotFlash, match="The firmware could not be written"):
        flashing.writer(load("first36"))(lambda: board.port)


@pytest.mark.usefixtures("from_panel")
def test_why_nothing_can_be_written_from_the_panel_is_told_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(CannotFlash, match="has no firmware for this sensor board"):
        flashing.writer(msgspec.structs.replace(load("first36"), name="mine"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotFlash, match="avrdude, which writes firmware, is missing"):
        flashing.writer(load("first36"))
