"""The exchange of versions: wherever the power fails or the card does, one that is whole runs at the next start."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from controller.appliance.updates import switching
from controller.appliance.updates.switching import ABOUT, BUILT, STAYS, TAKEN_BACK, TRIAL, Versions, main, put_on
from tests.failing_calls import FailingCalls, PowerCut

CALLS = ("open", "fsync", "sync", "replace", "symlink", "unlink", "rmdir")
NEVER = 10_000


def version(home: Path, name: str, about: str = ABOUT) -> Path:
    folder = home / name
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").touch()
    (folder / about).write_text("{}")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A board on which version 2 runs and version 1 is kept."""
    versions = Versions(tmp_path / "opt")
    for name in ("1", "2"):
        versions.begin(version(versions.home, name))
        versions.stood()
    return versions.home


def names(home: Path) -> list[str]:
    return sorted(path.name for path in home.iterdir() if path.is_dir() and not path.is_symlink())


def runs(home: Path) -> str:
    found = Versions(home).now
    assert found is not None
    assert (found / "bin" / "python").exists(), "what runs is not whole"
    return found.name


def test_of_three_versions_two_are_kept(home: Path) -> None:
    versions = Versions(home)
    assert (runs(home), versions.before, versions.proven) == ("2", home / "1", home / "2")
    versions.begin(version(home, "3", BUILT))
    assert (runs(home), versions.before, versions.proven, names(home)) == ("3", None, home / "2", ["1", "2", "3"])
    versions.stood()
    assert (runs(home), versions.before, versions.proven, names(home)) == ("3", home / "2", home / "3", ["2", "3"])
    assert not (home / TRIAL).exists()


def test_what_is_taken_back_is_gone_and_nobody_is_offered_it(home: Path) -> None:
    versions = Versions(home)
    versions.begin(version(home, "3", BUILT))
    assert versions.take_back("it does not start")
    assert versions.settled() is None
    assert (runs(home), versions.before, names(home)) == ("2", home / "1", ["1", "2"])


def test_going_back_is_the_same_exchange_and_can_be_undone(home: Path) -> None:
    versions = Versions(home)
    versions.begin(home / "1")
    versions.stood()
    assert (runs(home), versions.before, names(home)) == ("1", home / "2", ["1", "2"])


def test_a_version_that_was_built_and_never_put_on_is_removed(home: Path) -> None:
    version(home, "3", BUILT)
    (home / "4").mkdir()
    assert Versions(home).before == home / "1"
    assert Versions(home).settled() is None
    assert names(home) == ["1", "2"]


def test_a_trial_goes_on_after_a_start_of_the_machine(home: Path) -> None:
    Versions(home).begin(version(home, "3", BUILT))
    trial = Versions(home).settled()
    assert trial is not None
    assert (trial.old, trial.new, runs(home)) == ("2", "3", "3")
    assert "2" in names(home)


def test_a_file_about_the_trial_that_cannot_be_read_is_none(home: Path) -> None:
    (home / TRIAL).write_text('{"old": ')
    assert Versions(home).trial is None
    assert Versions(home).settled() is None
    assert runs(home) == "2"
    assert not (home / TRIAL).exists()


# ---- cuts ----


def exchanged(home: Path, stands: bool) -> None:
    versions = Versions(home)
    try:
        versions.begin(home / "3")
    except OSError as error:
        with suppress(OSError):
            versions.take_back(str(error))
    with suppress(OSError):
        if stands and versions.now == home / "3":
            versions.stood()
        else:
            versions.take_back("it does not start")
    with suppress(OSError):
        versions.settled()


@pytest.mark.slow
@pytest.mark.parametrize("stands", [True, False], ids=["it stands", "it does not"])
@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
@pytest.mark.parametrize("cut", [True, False], ids=["power", "error"])
def test_whatever_fails_a_version_that_is_whole_runs(
    home: Path, tmp_path: Path, cut: bool, before: bool, stands: bool
) -> None:
    version(home, "3", BUILT)
    calls, came = NEVER, []
    for at in [NEVER, *range(1, 200)]:
        if at > calls and at != NEVER:
            break
        shutil.copytree(home, here := tmp_path / "here", symlinks=True)
        for link in ("now", "proven"):  # as in the copy
            (here / link).unlink()
            (here / link).symlink_to(here / "2")
        with pytest.MonkeyPatch.context() as patched, suppress(PowerCut):
            failing = FailingCalls(patched, CALLS, at, cut, before)
            exchanged(here, stands)
        calls = failing.made if at == NEVER else calls
        running = runs(here)  # as the machine starts
        trial = Versions(here).settled()
        assert runs(here) == running or running == "3", f"call {at}"
        assert runs(here) in ("2", "3")
        assert Versions(here).proven in (here / "2", here / "3"), "what takes back is there"
        if trial is None:
            assert not (here / TRIAL).exists()
            assert len(names(here)) <= 2, f"call {at}: {names(here)}"
        elif not stands:  # the helper goes on watching, and takes it back in the end
            assert Versions(here).take_back("it does not start")
            Versions(here).settled()
            assert runs(here) == "2"
        came.append(runs(here))
        shutil.rmtree(here)
    assert calls > 20
    assert came[0] == ("3" if stands else "2")
    if cut:  # "2" up to a moment, and from then on "3"
        assert came[1:] == sorted(came[1:]) if stands else set(came) == {"2"}


# ---- the installer's own


class Systemd:
    """Refuses what begins with one of the words."""

    def __init__(self, *refuses: str) -> None:
        self.refuses, self.asked = refuses, [""]

    def __call__(self, words: Any) -> bool:
        self.asked.append(words[0])
        return words[0] not in self.refuses


def test_the_installer_puts_a_version_on(home: Path) -> None:
    assert put_on(Versions(home), version(home, "3"), Systemd(), lambda: None) == 0
    assert (runs(home), names(home)) == ("3", ["2", "3"])
    main(str(home), "only", str(home / "3"))
    assert names(home) == ["3"]


@pytest.mark.parametrize("verb", ["daemon-reload", "enable", "restart"])
def test_the_installer_takes_back_what_does_not_start(home: Path, verb: str) -> None:
    told: list[str] = []
    systemd = Systemd(verb)
    assert put_on(Versions(home), version(home, "3"), systemd, lambda: told.append(runs(home))) == TAKEN_BACK
    assert (runs(home), told, names(home)) == ("2", ["3"], ["1", "2"])
    assert systemd.asked[-1] == "restart"


def test_the_installer_forgives_one_start_that_failed(home: Path) -> None:
    """The program is not to blame for what systemd stumbled over."""
    starts = iter([False, True])

    def systemctl(words: Any) -> bool:
        return words[0] != "restart" or next(starts)

    assert put_on(Versions(home), version(home, "3"), systemctl, lambda: None) == 0
    assert runs(home) == "3"


def test_the_only_version_stays(tmp_path: Path) -> None:
    assert put_on(Versions(tmp_path), version(tmp_path, "1"), Systemd("restart"), lambda: None) == STAYS
    assert (runs(tmp_path), Versions(tmp_path).proven) == ("1", tmp_path / "1")
    assert not (tmp_path / TRIAL).exists()


def test_an_installation_that_is_ended_leaves_the_old_version(home: Path) -> None:
    Versions(home).begin(version(home, "3"))
    assert main(str(home), "leave", str(home / "3")) == 0
    assert (runs(home), names(home)) == ("2", ["1", "2"])


def test_where_nothing_runs_yet_a_version_is_put_in_place(tmp_path: Path) -> None:
    """As in a system that is being made for a card."""
    assert main(str(tmp_path), "enter", str(version(tmp_path, "1"))) == 0
    assert (runs(tmp_path), Versions(tmp_path).proven, Versions(tmp_path).trial) == ("1", tmp_path / "1", None)


def test_an_installation_that_is_ended_before_anything_was_exchanged_leaves_both_versions(home: Path) -> None:
    assert main(str(home), "leave", str(version(home, "3"))) == 0
    assert (runs(home), names(home), Versions(home).before) == ("2", ["1", "2"], home / "1")


def test_an_installation_that_somebody_interrupts_is_taken_back(home: Path) -> None:
    def interrupted(_: Any) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        put_on(Versions(home), version(home, "3"), interrupted, lambda: None)
    assert runs(home) == "2"
    assert Versions(home).settled() is None
    assert (runs(home), names(home)) == ("2", ["1", "2"])


def test_a_version_that_is_put_on_during_the_trial_of_another_can_be_taken_back_to_that(home: Path) -> None:
    versions = Versions(home)
    versions.begin(version(home, "3"))
    versions.begin(version(home, "4"))
    trial = versions.settled()
    assert trial is not None
    assert (trial.old, trial.new, names(home)) == ("3", "4", ["2", "3", "4"])  # 2 has proved itself
    assert versions.take_back("it does not start")
    assert runs(home) == "3"


def test_an_exchange_leaves_no_file_open(home: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    versions = Versions(home)
    versions.begin(version(home, "3"))
    versions.stood()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_all_of_a_version_is_on_disk_before_anything_leads_to_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at: list[str] = []
    monkeypatch.setattr(os, "sync", lambda: at.append(runs(home)))
    Versions(home).begin(version(home, "3"))
    assert (at, runs(home)) == (["2"], "3")


def test_what_could_not_be_taken_back_at_once_is_at_the_next_start(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> None:
        raise OSError(30, os.strerror(30))

    versions = Versions(home)
    versions.begin(version(home, "3"))
    with monkeypatch.context() as patched:
        patched.setattr(os, "symlink", refuses)
        with pytest.raises(OSError, match="Read-only"):
            versions.take_back("it ends again and again")
    assert runs(home) == "3"
    assert Versions(home).settled() is None
    assert (runs(home), names(home)) == ("2", ["1", "2"])


def test_what_nothing_is_left_to_take_back_to_stays(home: Path) -> None:
    (home / TRIAL).write_text('{"old": "9", "new": "2", "why": "it ends"}')
    assert Versions(home).settled() is None
    assert (runs(home), (home / TRIAL).exists()) == ("2", False)


def test_the_installer_asks_systemd_itself_and_shows_the_end_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, ends in (("systemctl", '[ "$1" = restart ] && exit 1; exit 0'), ("journalctl", "exit 1")):
        (tmp_path / name).write_text(f'#!/bin/sh\necho "{name} $*"\n{ends}\n')
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert switching._systemctl(("enable", "-q", "beaconboard"))
    assert not switching._systemctl(("restart", "beaconboard"))
    assert capfd.readouterr().out == "systemctl enable -q beaconboard\nsystemctl restart beaconboard\n"
    switching._tell()
    assert capfd.readouterr().err == "journalctl -u beaconboard -n 20 --no-pager -o cat\n"  # beside what it says itself
