"""The firmware's portable core on this computer, under sanitizers, and the sizes of what is made for the chip."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from hardware.firmware_table import header, main, table_hash
from hardware.profile import BadProfile, load
from tests.firmware.firmware_rig import FIRMWARE, make

GOLDEN = FIRMWARE.parent / "tests" / "devices" / "golden_frames.txt"
NAMES = [
    line.strip().removeprefix("TEST(").removesuffix("),")
    for line in (FIRMWARE / "test" / "core_tests.c").read_text(encoding="ascii").splitlines()
    if line.strip().startswith("TEST(")
]


@pytest.fixture(scope="session")
def core_tests(build: Path) -> Path:
    make(build, "core-tests", "BOARD=hex91")
    return build / "hex91" / "core_tests"


@pytest.mark.parametrize("name", [name for name in NAMES if "tracker" in name or "round" in name])
def test_the_tracker_in_c(build: Path, name: str) -> None:
    make(build, "core-tests", "BOARD=shell19")
    done = subprocess.run([build / "shell19" / "core_tests", name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session", params=["cell36", "field144"])
def core_tests_of_fields(build: Path, request: pytest.FixtureRequest) -> Path:
    make(build, "core-tests", f"BOARD={request.param}")
    return build / str(request.param) / "core_tests"


@pytest.mark.parametrize("name", NAMES)
def test_the_core_in_c_with_the_table_of_the_rp2040(core_tests_of_fields: Path, name: str) -> None:
    done = subprocess.run([core_tests_of_fields, name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("pixels", "fields", "supply"))])
def test_the_core_in_c(core_tests: Path, name: str) -> None:
    done = subprocess.run([core_tests, name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("board", ["shell19", "cell36"])
def test_strange_bytes_and_messages_do_no_harm(build: Path, board: str) -> None:
    """On the boards with a tracker and with fields, which together take every message that there is."""
    make(build, "fuzz", f"BOARD={board}", "FUZZ_S=5")


def test_the_fuzzer_finds_a_reader_without_its_limit(build: Path, tmp_path: Path) -> None:
    make(build, "firmware", "BOARD=shell19")
    core = shutil.copytree(FIRMWARE / "core", tmp_path / "core")
    link = (core / "link.c").read_text(encoding="ascii")
    limit = "if (reader->size == sizeof reader->raw)"
    assert limit in link
    (core / "link.c").write_text(link.replace(limit, "if (reader->size == 255)"), encoding="ascii")
    where = ["-I", str(core), "-I", str(build), "-I", str(build / "shell19")]
    program = tmp_path / "fuzz_link"
    sources = [str(FIRMWARE / "test" / "fuzz_link.c"), *map(str, core.glob("*.c"))]
    subprocess.run(["gcc", "-g", "-fsanitize=address,undefined", *where, "-o", str(program), *sources], check=True)
    done = subprocess.run([program, "5"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "run it again: fuzz_link 0 " in done.stderr


def test_golden_frames_are_read_and_written_in_c_as_in_the_file(core_tests: Path) -> None:
    lines = [line for line in GOLDEN.read_text(encoding="ascii").splitlines() if not line.startswith("#")]
    wires = "".join(line.split()[0] + "\n" for line in lines)
    done = subprocess.run([core_tests, "golden"], input=wires, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    expected = [f"{text} wire={wire}" for wire, text in (line.split(" ", 1) for line in lines)]
    assert done.stdout.splitlines() == expected


@pytest.mark.parametrize("board", ["square144", "hex91"])
def test_the_firmware_fits_the_chip(build: Path, board: str) -> None:
    said = make(build, "firmware", f"BOARD={board}")
    assert f"{board}: " in said
    assert "too large" not in said


def test_a_firmware_that_is_too_large_is_refused(build: Path) -> None:
    with pytest.raises(AssertionError, match="square144: too large"):
        make(build, "firmware", "BOARD=square144", "RAM_MAX=1000")


def test_the_table_hash_tells_every_difference_that_matters() -> None:
    square, hexagon = load("square144"), load("hex91")
    first, second, *others = hexagon.sites
    swapped = (replace(first, bit=second.bit), replace(second, bit=first.bit))
    moved = replace(first, x_mm=first.x_mm + 1.0)
    profiles = [
        square,
        hexagon,
        replace(hexagon, name="hex92"),
        replace(hexagon, chain_length=104),
        replace(hexagon, poles=True),
        replace(hexagon, sites=(*swapped, *others)),
    ]
    assert len({table_hash(profile) for profile in profiles}) == len(profiles)
    assert table_hash(replace(hexagon, sites=(moved, second, *others))) == table_hash(hexagon)


def test_a_table_for_an_unknown_board_is_refused_with_a_sentence(tmp_path: Path) -> None:
    said = main(["nonesuch", str(tmp_path)])
    assert said is not None
    assert "nonesuch" in said


def test_a_name_that_the_link_cannot_carry_is_refused() -> None:
    with pytest.raises(BadProfile, match="up to 40 letters"):
        header(replace(load("hex91"), name="Großes Brett"))


def test_a_board_file_of_ones_own_is_built_by_its_path(build: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes((FIRMWARE.parent / "hardware" / "boards" / "hex91.toml").read_bytes())
    make(build, "firmware", f"BOARD={mine}")
    assert '#define BOARD_NAME "mine"' in Path(f"{build}/{mine}/board_table.h").read_text(encoding="ascii")
