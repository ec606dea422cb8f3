"""Settings: what is refused and with which words, and that the page about them is the schema's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.app import cli
from controller.settings import BadSetting, Settings, load, page

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


def test_options_of_the_command_line_weigh_more_than_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[Settings] = []
    monkeypatch.setattr(cli, "run", lambda settings, held, ready: used.append(settings))
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
