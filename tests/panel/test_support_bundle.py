"""The support bundle: what is in it, that no secret and no name ever is, and what happens when much is wrong."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from controller.clock import clock_us
from controller.diagnostics.bundle import MOST_BYTES, MOST_OF_ONE, BundleFile, Hidden, bounded, described, settings_told
from controller.diagnostics.machine import Machine
from controller.diagnostics.sensor_health import LastLines, SensorHealth
from controller.diagnostics.stops import Ends
from controller.events import Link, Touch
from controller.panel.health_backend import HealthBackend, Program
from controller.refused import Refused
from controller.settings import Settings
from tests.service.evenings import Evening
from web_panel.backend import Connected

NOW = datetime(2026, 3, 1, 20, 15, 30)
MARK = "Xyzzy"
NOBODY = Connected()
# The files that `beaconboard play` keeps beside the games, and what else lies there.
STATE_FILES = ("games.sqlite3.settings.toml", "games.sqlite3.phones.json", "games.sqlite3.people.json",
               "games.sqlite3.reach.json", "games.sqlite3.house", "games.sqlite3.notices", "games.sqlite3.stops.json",
               "games.sqlite3.afar/link.json", "games.sqlite3.last-words")  # fmt: skip


def no_recording() -> str:
    raise Refused("No game is on the board.")


class Board:
    """A board that is played, with its log and its settings."""

    def __init__(self, evening: Evening, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.log, self.machine = LastLines(), Machine(free_bytes=20_000_000_000)
        self.sensors = SensorHealth((site.name for site in evening.profile.sites), clock_us)
        self.last_minutes: Callable[[], str] = no_recording
        running: Any = SimpleNamespace(
            service=evening.service, scans_per_s=998, introduction="It is this one.", too_weak=False
        )
        preferences: Any = SimpleNamespace(now=self.settings)
        self.health = HealthBackend(
            running, preferences, self.sensors, self.log, lambda: self.machine, lambda: self.last_minutes(),
            lambda: NOW, Program("1.2.3"), Ends("cut", 2, 0),
        )  # fmt: skip

    def write(self, line: str) -> None:
        """Let the service write a line into its log."""
        self.log.handle(logging.makeLogRecord({"msg": line, "levelno": logging.WARNING}))

    def bundle(
        self, recording: bool = False, people: tuple[str, ...] = (), connected: Connected = NOBODY
    ) -> dict[str, str]:
        """Return the texts that are shown, and hold them to what is saved."""
        shown = self.health.bundle(connected, recording, people)
        saved = self.health.saved(shown["number"])
        assert len(saved) == shown["bytes"]
        texts = {each["name"]: each["text"] for each in shown["files"]}
        with zipfile.ZipFile(io.BytesIO(saved)) as archive:
            assert {name: archive.read(name).decode() for name in archive.namelist()} == {
                f"beaconboard/{name}": text for name, text in texts.items()
            }
            assert {entry.date_time for entry in archive.infolist()} == {(2026, 3, 1, 20, 15, 30)}
        return texts


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "games.sqlite3").start()
    yield evening
    evening.stop()


def marked() -> Settings:
    """Return settings of which every text is a mark of its own."""
    usual = Settings()
    texts = {name: f"{MARK}-{name}" for name in usual.__struct_fields__ if isinstance(getattr(usual, name), str)}
    texts["afar_broker"] = f"mqtts://{MARK}.broker.example:8883"
    return msgspec.structs.replace(usual, **texts, brightness=41)


def test_what_helps_is_in_it(evening: Evening) -> None:
    board = Board(evening)
    board.write("the lights do not work")
    board.sensors.take(Link(1, up=False, sentence="Its cable is out."))
    board.sensors.take(Touch(2, "d4", on=True))
    texts = board.bundle()
    assert list(texts) == ["this-board.txt", "health.txt", "settings.txt", "sensors.txt", "log.txt", "figures.txt",
                           "packages.txt"]  # fmt: skip
    assert "Beaconboard 1.2.3, not compiled" in texts["this-board.txt"]
    assert "Power cuts while the board ran: 2." in texts["health.txt"]
    assert "brightness = 60\n" in texts["settings.txt"]
    assert "loss: Its cable is out.\ntouch 1: d4 on\n" in texts["sensors.txt"]
    assert texts["log.txt"].endswith("the lights do not work\n")
    assert "\nFlask 3." in texts["packages.txt"]
    assert len(list(text_string_to_metric_families(texts["figures.txt"]))) > 10


def test_no_text_that_somebody_typed_into_a_setting_is_anywhere_in_it(evening: Evening) -> None:
    """Not even where the log or a fault repeats it."""
    board = Board(evening, marked())
    for name in board.settings.__struct_fields__:
        board.write(f"trouble with {getattr(board.settings, name)}: it was refused")
    board.write(f"connected to the MQTT broker {MARK}.broker.example")
    evening.service.report("afar", f"The broker {MARK}.broker.example does not answer.")
    evening.settle()
    board.last_minutes = lambda: "a recording\n"
    texts = board.bundle(recording=True)
    assert MARK not in "".join(texts.values())
    assert "connected to the MQTT broker [afar_broker]" in texts["log.txt"]
    assert "The broker [afar_broker] does not answer." in texts["health.txt"]
    assert "house_password = (set)\n" in texts["settings.txt"]
    assert "brightness = 41\n" in texts["settings.txt"]


def test_nothing_of_the_files_beside_the_games_is_in_it(evening: Evening, tmp_path: Path) -> None:
    for name in STATE_FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f'{{"secret": "{MARK}"}}')
    board = Board(evening, Settings(journal=str(tmp_path / "games.sqlite3")))
    board.write(f"{tmp_path / 'games.sqlite3'} cannot be written")
    texts = board.bundle()
    assert MARK not in "".join(texts.values())
    assert str(tmp_path) not in "".join(texts.values())


def test_names_of_people_are_replaced_and_who_is_connected_is_left_out(evening: Evening) -> None:
    board = Board(evening)
    board.write("Ann Lee resigns; Annabel and Ann go on")
    texts = board.bundle(people=("Ann", "Ann Lee"), connected=Connected(("Ann", "Ben"), 3))
    assert texts["log.txt"].endswith("[somebody] resigns; Annabel and [somebody] go on\n")
    assert "Ben" not in "".join(texts.values())
    assert "beaconboard_pages 5.0" in texts["figures.txt"]


def test_the_folder_of_whoever_runs_it_is_no_ones_business(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/annabel")
    assert Hidden(Settings()).out_of('File "/home/annabel/rules.py"') == 'File "~/rules.py"'


def test_a_setting_is_told_only_where_its_value_is_a_number_or_from_a_list() -> None:
    text = settings_told(Settings(board="hex91", theme="contrast", house_name="Zoo", lights_pin="D21", house=True)).text
    assert "(set)" not in settings_told(Settings()).text  # what is as it comes, nobody typed
    told = dict(line.split(" = ") for line in text.splitlines())
    assert [told[name] for name in ("board", "theme", "house_name", "lights_pin", "house", "port")] == [
        "hex91", "contrast", "(set)", "(set)", "true", "8000",
    ]  # fmt: skip


def test_a_recording_is_in_it_where_that_is_wished_and_why_not_where_there_is_none(evening: Evening) -> None:
    board = Board(evening)
    board.last_minutes = lambda: '{"game": "tides-of-war"}\n'
    assert "recording.jsonl" not in board.bundle()
    assert board.bundle(recording=True)["recording.jsonl"] == '{"game": "tides-of-war"}\n'
    board.last_minutes = no_recording
    assert board.bundle(recording=True)["recording.txt"] == "There is none: No game is on the board.\n"


def test_only_what_was_shown_last_is_saved(evening: Evening) -> None:
    board = Board(evening)
    with pytest.raises(Refused, match="no longer there"):
        board.health.saved(0)
    first = board.health.bundle(NOBODY, False, ())["number"]
    board.write("a line that nobody has seen")
    kept = board.health.saved(first)
    second = board.health.bundle(NOBODY, False, ())["number"]
    with pytest.raises(Refused, match="no longer there"):
        board.health.saved(first)
    assert board.health.saved(second) != kept


def test_it_never_grows_beyond_its_bound() -> None:
    long, huge = "a" * (MOST_OF_ONE + 50), "ß" * MOST_BYTES
    files = bounded(
        [BundleFile("log.txt", long), BundleFile("recording.jsonl", huge, whole=True), BundleFile("c", "c")]
    )
    assert files[0].text == "…" + "a" * MOST_OF_ONE
    assert files[1].text == "left out: there is no room for it in the bundle\n"
    assert files[2].text == "c"
    fills = BundleFile("recording.jsonl", "a" * MOST_BYTES, whole=True)
    assert bounded([fills, BundleFile("c", "c")])[0].text == fills.text  # just as much as there is room for
    assert bounded([fills, BundleFile("c", "c")])[1].text.startswith("left out")
    assert (
        sum(len(file.text.encode()) for file in bounded([BundleFile(f"{n}", long) for n in range(20)])) < 2_000_000
    )  # as CONTRIBUTING.md says


def test_a_full_card_and_a_journal_that_fails_are_told_in_it(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(evening)
    board.machine = Machine(free_bytes=0)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(evening.journal), "_write", full)
    evening.new_game()
    health = board.bundle()["health.txt"]
    assert "WRONG  There is little room left for games: 0 MB." in health
    assert "WRONG  The game is not being saved: " in health


def test_a_damaged_journal_keeps_nobody_from_a_bundle(tmp_path: Path) -> None:
    path = tmp_path / "damaged.sqlite3"
    path.write_bytes(b"once upon a time\n" * 500)
    evening = Evening(path).start()
    board = Board(evening)
    assert "WRONG  The journal was damaged: it is kept as damaged.sqlite3.damaged-1" in board.bundle()["health.txt"]
    evening.stop()


@pytest.mark.parametrize("on", [False, True])
def test_the_figures_are_told_only_where_the_settings_say_so(evening: Evening, on: bool) -> None:
    board = Board(evening, Settings(metrics=on))
    evening.new_game()
    told = board.health.metrics(Connected(("Ann",), 2))
    if not on:
        assert told is None
        return
    assert told is not None
    families = {each.name: each for each in text_string_to_metric_families(told.decode())}
    assert all(name.startswith("beaconboard_") for name in families)
    values = {name: each.samples[0].value for name, each in families.items()}
    assert (values["beaconboard_games"], values["beaconboard_pages"]) == (1, 3)
    assert (values["beaconboard_scans_per_second"], values["beaconboard_free_bytes"]) == (998, 20e9)
    labels = {label for each in families.values() for sample in each.samples for label in sample.labels}
    assert labels == {"le"}
    assert "Ann" not in told.decode()


def test_a_histogram_is_as_prometheus_wants_it(evening: Evening) -> None:
    board = Board(evening, Settings(metrics=True))
    lift = evening.service.measured.lift_to_light
    for took_us in (900, 4_000, 4_000, 200_000):
        lift.note(took_us, 0)
    families = text_string_to_metric_families((board.health.metrics(NOBODY) or b"").decode())
    samples = next(each for each in families if each.name == "beaconboard_lift_to_light_seconds").samples
    buckets = {each.labels["le"]: each.value for each in samples if each.name.endswith("_bucket")}
    assert (buckets["0.001"], buckets["0.005"], buckets["0.1"], buckets["+Inf"]) == (1, 3, 3, 4)
    assert {each.name: each.value for each in samples if not each.labels} == {
        "beaconboard_lift_to_light_seconds_count": 4,
        "beaconboard_lift_to_light_seconds_sum": pytest.approx(0.2089),
    }


def test_of_a_machine_that_says_nothing_that_is_told(tmp_path: Path) -> None:
    lines = described(Settings(), "", compiled=True, root=tmp_path).text.splitlines()
    assert lines[0] == "Beaconboard of unknown version, compiled"
    assert "Computer: unknown" in lines
    assert lines[-1].startswith("Memory used: unknown.")
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B\0")
    assert "Computer: Raspberry Pi 5 Model B" in described(Settings(), "1.2.3", False, root=tmp_path).text
