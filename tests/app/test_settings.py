"""Settings: what is refused and with which words, and that the page about them is the schema's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import inspect

from controller.app import cli, play_command
from controller.app.assembly import SENSORS
from controller.diagnostics.doctor import EXAMINED
from controller.rules.options import describe
from controller.service.preferences import Preferences
from controller.settings import BadSetting, Settings, checked, load, page
from controller.table.views.lights import themes
from hardware.profile import BadProfile
from hardware.profile import load as load_board

ROOT = Path(__file__).parents[2]


def written(tmp_path: Path, text: str | bytes) -> Path:
    file = tmp_path / "settings.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_what_the_file_leaves_out_has_its_default(tmp_path: Path) -> None:
    settings = load(written(tmp_path, 'board = "hex91"\nsettle_ms = 500\n'))
    assert settings == Settings(board="hex91", settle_ms=500)


def test_without_a_file_there_are_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load(None) == Settings()
    (tmp_path / "beaconboard").mkdir()
    (tmp_path / "beaconboard" / "settings.toml").write_text("port = 8123\n")
    assert load(None).port == 8123


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prot = 80", "unknown setting 'prot'; known settings: board, sensors, "),
        ("port = '80'", "port = '80' is not allowed: it must be a whole number from 1 to 65535"),
        ("port = 0", "port = 0 is not allowed: it must be a whole number from 1 to 65535"),
        ("port = true", "port = True is not allowed: it must be a whole number"),
        ("settle_ms = 49", "settle_ms = 49 is not allowed: it must be a whole number from 50 to 5000"),
        ("settle_ms = 300.5", "settle_ms = 300.5 is not allowed"),
        ('sensors = "radar"', "sensors = 'radar' is not allowed: it must be emulated or gpio or serial or simulated"),
        ("board = 144", "board = 144 is not allowed: it must be text"),
        ("[board]\nname = 'hex91'", "is not allowed: it must be text"),
        ("port = ", "is not TOML: "),
        (b"\xff\xfe", "is not TOML: "),
    ],
)
def test_a_bad_setting_is_told_with_file_key_value_and_what_is_allowed(
    tmp_path: Path, text: str | bytes, words: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(BadSetting) as refused:
        load(file)
    assert str(refused.value).startswith(str(file))
    assert words in str(refused.value)


@pytest.mark.parametrize(("name", "why"), [("none.toml", "No such file or directory"), (".", "Is a directory")])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(BadSetting, match=f"cannot be read: {why}"):
        load(tmp_path / name)


def choices(name: str) -> set[str]:
    return set(next(field.choices for field in describe(Settings) if field.name == name))


def test_every_sensor_board_that_can_be_set_is_opened_and_what_has_wires_is_examined() -> None:
    assert choices("sensors") == SENSORS.keys()
    assert choices("sensors") - {"simulated"} == EXAMINED.keys()


def test_every_theme_that_can_be_set_is_there() -> None:
    assert choices("theme") == themes().keys()


def test_options_of_the_command_line_weigh_more_than_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[Settings] = []
    monkeypatch.setattr(play_command, "run", lambda settings, *_: used.append(settings))
    file = written(tmp_path, 'board = "hex91"\nport = 8001\nhost = "0.0.0.0"\nsensors = "serial"\njournal = "a"\n')
    given = ["play", "--settings", str(file), "--board", "square144", "--port", "8002", "--emulated", "--journal", "b"]
    assert CliRunner().invoke(cli.cli, given).exit_code == 0
    assert used == [Settings(board="square144", port=8002, host="0.0.0.0", sensors="emulated", journal="b")]
    assert CliRunner().invoke(cli.cli, given[:3]).exit_code == 0
    assert used[1] == load(file)


def test_the_page_is_the_schemas() -> None:
    made = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert made == page(), "run: beaconboard settings > docs/settings.md"
    assert CliRunner().invoke(cli.cli, ["settings"]).output == made


def test_the_settings_that_come_for_a_pi_are_good() -> None:
    assert load(ROOT / "raspberry" / "settings.toml").sensors == "serial"


def test_files_with_the_emulators_old_name_are_read(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('sensors = "bench"\nbench_folder = "elsewhere"\n')
    assert (load(file).sensors, load(file).emulator_folder) == ("emulated", "elsewhere")


# ---- files that are none ----------------------------------------------------------------------------------

STRANGE = {
    "deep": ("port = " + "[" * 100_000, "nested too deeply"),
    "no text": ("port = \x00", "is not TOML|cannot be read"),
}


@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_file_is_refused_in_one_sentence(tmp_path: Path, kind: str) -> None:
    text, why = STRANGE[kind]
    file = tmp_path / "strange.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSetting, match=why):
        load(file)
    with pytest.raises(BadProfile, match=why):
        load_board(str(file))
    file.rename(tmp_path / "games.settings.toml")
    assert "cannot be read" in Preferences(Settings(), tmp_path / "games.settings.toml").told


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = written(tmp_path, "# " + "x" * 2_000_000)
    with pytest.raises(BadSetting, match="cannot be read: it has more than 1000000 bytes"):
        load(file)
    with pytest.raises(BadProfile, match="it has more than 1000000 bytes"):
        load_board(str(file))


@pytest.mark.parametrize("place", ["/dev/zero", "pipe"])
def test_what_need_not_end_or_begin_is_no_file(tmp_path: Path, place: str) -> None:
    if place == "pipe":
        place = str(tmp_path / "pipe")
        os.mkfifo(place)
    with pytest.raises(BadSetting, match="a device or a pipe, not a file"):
        load(Path(place))
    with pytest.raises(BadProfile, match="a device or a pipe, not a file"):
        load_board(place)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("language", "../../etc/passwd", "it must be auto, or the two or three letters of a language"),
        ("language", "de\n", "it must be auto, or the two or three letters of a language"),
        ("own_colours", "may_go=#0000ff\nlast=#202020", "it must be on one line, lights and their colours, or nothing"),
        ("own_colours", "may_go=#0000ff\n", "it must be on one line, lights and their colours, or nothing"),
    ],
)
def test_what_is_allowed_is_said_of_every_text_that_has_a_form(name: str, value: str, allowed: str) -> None:
    with pytest.raises(BadSetting) as refused:
        checked({name: value}, "settings.toml")
    assert str(refused.value).endswith(allowed)
    assert "\n" not in str(refused.value)


def test_every_text_with_a_form_says_which() -> None:
    info = inspect.type_info(Settings)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        kind = field.type
        if isinstance(kind, inspect.Metadata) and isinstance(kind.type, inspect.StrType) and kind.type.pattern:
            assert "allowed" in (kind.extra or {}), field.name


def test_a_value_without_end_is_told_in_a_line() -> None:
    with pytest.raises(BadSetting) as refused:
        checked({"port": [1] * 100_000}, "settings.toml")
    assert len(str(refused.value)) < 500
