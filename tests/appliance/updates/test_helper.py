"""The helper, from the file that was brought to the version that plays, or the one before that plays again."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from controller.appliance.updates.asks import Stand, UpdateAsk
from controller.appliance.updates.building import Places
from controller.appliance.updates.helper import ROOT, ServiceControl, UpdateHelper
from controller.appliance.updates.switching import ABOUT, TRIAL, Versions
from controller.appliance.updates.told import heard
from controller.appliance.updates.trial import ServiceSeen
from controller.appliance.updates.update_file import check
from tests.appliance.updates.makers import PI5, Makers

VERSION_3 = '{"version":"1.3.0","journal":1}'


class Pi:
    """A board whose systemd and Python are of this test; its clock goes on as somebody waits."""

    def __init__(self, folder: Path) -> None:
        (folder / "makers").mkdir()
        self.makers = Makers(folder / "makers")
        home, state = folder / "opt", folder / "state"
        state.mkdir()
        (state / ROOT).write_bytes(self.makers.trust.root)
        self.places = Places(
            home, folder / "updates" / "brought.bbupdate", folder / "s.toml", folder / "g.sqlite3", state
        )
        (folder / "updates").mkdir()
        self.versions = Versions(home)
        for number in ("1", "2"):
            (home / number).mkdir(parents=True)
            (home / number / ABOUT).write_text(f'{{"version":"1.{number}.0","journal":1}}')
            self.versions.begin(home / number)
            self.versions.stood()
        self.now_us, self.restarts, self.journal = 0, 0, 1
        self.seen: Callable[[], ServiceSeen] = lambda: ServiceSeen(True, 0)
        self.ran: list[str] = []
        self.shares: list[float] = []
        self.fails, self.says = "", VERSION_3
        self.at_wait: Callable[[], object] = lambda: None
        self.helper = self.started()

    def started(self) -> UpdateHelper:
        service = ServiceControl(self.restart, lambda: self.seen(), lambda: self.journal)
        return UpdateHelper(self.places, PI5, service, self.run, lambda: self.now_us, self.wait)

    def restart(self) -> None:
        self.restarts += 1

    def wait(self, seconds: float) -> None:
        self.now_us += int(seconds * 1_000_000)
        self.at_wait()

    def run(self, command: Sequence[str], _: float) -> tuple[int, str]:
        text = " ".join(command)
        self.ran.append(text)
        if self.fails and self.fails in text:
            return 1, "Traceback\nError: It does not read the games of this board."
        self.shares.append(self.helper.stand().share)
        if " -m venv " in text:
            (Path(command[-1]) / "bin").mkdir(parents=True)
        if "fingerprint" in text:
            return 0, "abc\n"
        return (0, self.says) if "self_check" in text else (0, "")

    def bring(self, version: str = "1.3.0") -> Path:
        shutil.copy(self.makers.update(version), self.places.brought)
        return self.places.brought

    def asks(self, what: str) -> Stand:
        stand = self.helper.answer(UpdateAsk(what, "mine.bbupdate"))  # type: ignore[arg-type]
        self.helper.join()
        return stand

    def refused(self, what: str) -> str:
        return heard(self.asks(what).refused)

    @property
    def stand(self) -> Stand:
        return self.helper.stand()

    @property
    def why(self) -> str:
        assert self.stand.ended is not None
        return heard(self.stand.ended.why)


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_a_file_is_looked_at_built_and_put_on(pi: Pi) -> None:
    pi.bring()
    found = pi.asks("look").found
    assert found is not None
    assert (found.version, found.minutes, found.changes["de"]) == ("1.3.0", 10, ("Ein neues Spiel.",))
    assert pi.restarts == 0
    pi.asks("build")
    assert (pi.stand.doing, pi.stand.to, pi.stand.version, pi.restarts) == ("built", "1.3.0", "1.2.0", 0)
    pi.asks("exchange")
    stand = pi.stand
    assert (stand.version, stand.before, stand.doing, pi.restarts) == ("1.3.0", "1.2.0", "", 1)
    assert stand.share == 0  # nothing is being done
    assert stand.ended is not None
    assert (stand.ended.version, stand.ended.plays) == ("1.3.0", True)
    assert pi.now_us >= 300 * 1_000_000  # it was watched for five minutes


def test_nothing_is_fetched_or_built_and_every_wheel_is_held_to_its_sum(pi: Pi) -> None:
    pi.bring()
    pi.asks("build")
    (pip,) = [text for text in pi.ran if " pip install " in text]
    for word in ("--no-index", "--no-deps", "--only-binary :all:", "--require-hashes"):
        assert word in pip
    assert not (pi.places.scratch / "wheels").exists()


def test_how_much_of_it_is_done_grows_until_it_waits(pi: Pi) -> None:
    pi.bring()
    pi.asks("build")
    shares = [*pi.shares, pi.stand.share]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[1] < shares[-1] == 1


def test_a_search_that_was_compiled_is_taken_over_where_it_is_of_the_same_sources(pi: Pi) -> None:
    compiled = Path("lib/python3.13/site-packages/controller/.compiled")
    for fingerprint in ("abc", "older"):
        (pi.places.home / "2" / compiled / fingerprint).mkdir(parents=True)
        (pi.places.home / "2" / compiled / fingerprint / "search.so").write_text(fingerprint)
    pi.bring()
    pi.asks("build")
    pi.asks("exchange")
    now = pi.versions.now
    assert now is not None
    assert [path.name for path in (now / compiled).iterdir()] == ["abc"]
    assert (now / compiled / "abc" / "search.so").read_text() == "abc"


def test_a_version_that_says_nothing_of_itself_is_not_gone_back_to(pi: Pi) -> None:
    (pi.places.home / "1" / ABOUT).write_text("{}")
    assert pi.stand.before == ""
    assert "no version to go back to" in pi.refused("back")


def test_a_version_that_does_not_start_is_taken_back_in_two_minutes(pi: Pi) -> None:
    pi.bring()
    pi.asks("build")
    pi.seen = lambda: ServiceSeen(False, 0)
    pi.asks("exchange")
    assert (pi.stand.version, pi.stand.before, pi.restarts) == ("1.2.0", "1.1.0", 2)
    assert pi.why == "Version 1.3.0 does not start here: the version before is back."
    assert pi.stand.ended is not None
    assert not pi.stand.ended.plays
    assert 120 * 1_000_000 <= pi.now_us <= 121 * 1_000_000


def test_one_that_ends_as_it_starts_is_taken_back_at_once(pi: Pi) -> None:
    pi.bring()
    pi.asks("build")
    pi.seen = lambda: ServiceSeen(False, 1)
    pi.asks("exchange")
    assert pi.stand.version == "1.2.0"
    assert pi.now_us <= 2 * 1_000_000


def test_one_that_ends_three_times_in_five_minutes_is_taken_back(pi: Pi) -> None:
    pi.bring()
    pi.asks("build")
    pi.seen = lambda: ServiceSeen(True, pi.now_us // 60_000_000)
    pi.asks("exchange")
    assert pi.stand.version == "1.2.0"
    assert pi.why == "Version 1.3.0 ended again and again: the version before is back."


def test_one_that_was_restarted_twice_stays(pi: Pi) -> None:
    pi.bring()
    pi.asks("build")
    pi.seen = lambda: ServiceSeen(True, min(2, pi.now_us // 60_000_000))
    pi.asks("exchange")
    assert pi.stand.version == "1.3.0"


def test_going_back_by_hand_and_forward_again(pi: Pi) -> None:
    assert pi.stand.before == "1.1.0"
    pi.asks("back")
    assert (pi.stand.version, pi.stand.before, pi.restarts) == ("1.1.0", "1.2.0", 1)
    pi.asks("back")
    assert pi.stand.version == "1.2.0"


def test_nobody_goes_back_to_a_version_that_cannot_read_the_games(pi: Pi) -> None:
    pi.journal = 2
    assert pi.stand.before == ""
    assert "no version to go back to that reads the games" in pi.refused("back")
    assert pi.restarts == 0


def test_an_update_older_than_the_games(pi: Pi) -> None:
    pi.bring()
    pi.journal = 2
    assert "mine.bbupdate is older than the games of this board" in pi.refused("build")
    pi.journal = 1
    assert pi.refused("build") == ""  # nothing was left of the first
    assert pi.stand.doing == "built"


@pytest.mark.parametrize("step", ["venv", "pip", "self_check"])
def test_a_version_that_cannot_be_built_leaves_everything_as_it_was(pi: Pi, step: str) -> None:
    pi.bring()
    pi.fails = step
    pi.asks("build")
    assert (pi.stand.doing, pi.stand.version, pi.restarts) == ("", "1.2.0", 0)
    assert "fails its check on this board and was not put on: It does not read the games of this board." in pi.why
    assert sorted(path.name for path in pi.places.home.iterdir()) == ["1", "2", "now", "proven"]


def test_a_full_card(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    pi.bring()
    usage = shutil.disk_usage(pi.places.home)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=17 << 20))
    pi.asks("build")
    assert pi.why.startswith("The card has 17 MB free, and this update needs 101 MB: make room first.")


def test_an_update_wants_room_for_six_times_its_wheels_and_what_stays_free(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = check(pi.bring(), pi.makers.trust, pi.helper._here()).bytes
    usage, needed = shutil.disk_usage(pi.places.home), 6 * wheels + (100 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=needed - 1))
    pi.asks("build")
    assert pi.why.startswith("The card has 100 MB free, and this update needs 101 MB")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=needed))
    pi.asks("build")
    assert pi.stand.doing == "built"


def test_a_card_that_fills_up_meanwhile(pi: Pi) -> None:
    pi.bring()
    real = pi.run

    def fills(command: Sequence[str], seconds: float) -> tuple[int, str]:
        if "pip" in command:
            raise OSError(28, os.strerror(28))
        return real(command, seconds)

    pi.helper._run = fills
    pi.asks("build")
    assert pi.why.startswith("The update was not put on (No space left on device): make room on the card")
    assert sorted(path.name for path in pi.places.home.iterdir()) == ["1", "2", "now", "proven"]


@pytest.mark.parametrize("call", ["symlink", "replace"])
def test_a_card_that_cannot_be_written(pi: Pi, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    pi.bring()
    pi.asks("build")

    def refuses(*_: object, **__: object) -> None:
        raise OSError(30, os.strerror(30))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, refuses)
        pi.asks("exchange")
    assert (pi.stand.version, pi.stand.doing, pi.restarts) == ("1.2.0", "", 0)
    assert pi.why == "The card cannot be written (Read-only file system): nothing was changed."
    pi.helper = pi.started()
    pi.helper.carry_on()
    assert pi.stand.version == "1.2.0"


def test_a_second_update_while_one_goes(pi: Pi) -> None:
    pi.bring()
    begun, goes_on = threading.Event(), threading.Event()
    real = pi.run

    def slow(command: Sequence[str], seconds: float) -> tuple[int, str]:
        begun.set()
        goes_on.wait(20)
        return real(command, seconds)

    pi.helper._run = slow
    pi.helper.answer(UpdateAsk("build"))
    assert begun.wait(20)
    for what in ("build", "back"):
        assert heard(pi.helper.answer(UpdateAsk(what)).refused).startswith("Another update is being put on")
    assert "Nothing waits to be put on" in heard(pi.helper.answer(UpdateAsk("exchange")).refused)
    goes_on.set()
    pi.helper.join()
    assert pi.stand.doing == "built"


def test_nothing_is_put_on_that_was_not_built(pi: Pi) -> None:
    assert "Nothing waits to be put on" in pi.refused("exchange")


def test_signed_by_others_whatever_the_service_says(pi: Pi, tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    shutil.copy(Makers(tmp_path / "others").update("1.3.0"), pi.places.brought)
    for what in ("look", "build"):
        assert "is not signed by the makers" in pi.refused(what)
    assert pi.ran == []


def test_of_a_long_name_a_sentence_has_the_beginning(pi: Pi) -> None:
    pi.places.brought.write_bytes(b"no update")
    told = heard(pi.helper.answer(UpdateAsk("look", "x" * 1000)).refused)
    assert told.startswith(f"{'x' * 100} is no update of a Beaconboard")


def test_keys_and_numbers_that_came_with_an_update_count_from_then_on(pi: Pi) -> None:
    makers = pi.makers
    makers.key("release-2")
    makers.root(["root-1", "root-2"], ["release-2"], ["root-1"])
    shutil.copy(makers.update("1.3.0", sign="release-2"), pi.places.brought)
    pi.asks("build")
    pi.asks("exchange")
    assert json.loads((pi.places.scratch / ROOT).read_bytes())["signed"]["version"] == 2
    pi.asks("back")
    (makers.roots / "2.root.json").unlink()
    shutil.copy(makers.update("1.4.0", sign="release"), pi.places.brought)
    assert "is not signed by the makers" in pi.refused("look")


def test_after_going_back_none_is_put_on_that_was_made_before_the_last_one(pi: Pi) -> None:
    pi.bring()
    pi.asks("build")
    pi.asks("exchange")
    pi.asks("back")
    pi.helper = pi.started()
    pi.bring("1.2.5")
    assert "was made before the update that this board has had last" in pi.refused("look")
    pi.bring("1.3.0")
    assert pi.refused("look") == ""


def test_power_that_fails_in_a_trial(pi: Pi) -> None:
    pi.bring()
    pi.asks("build")
    pi.versions.begin(next(path for path in pi.places.home.iterdir() if path.name.startswith("20")))
    pi.helper = pi.started()
    pi.helper.carry_on()
    assert pi.helper.busy
    pi.helper.join()
    assert (pi.stand.version, pi.stand.before) == ("1.3.0", "1.2.0")
    assert pi.restarts == 0  # it plays already


def test_power_that_fails_before_anything_was_exchanged(pi: Pi) -> None:
    (pi.places.home / TRIAL).write_text('{"old": "2", "new": "3", "why": ""}')
    (pi.places.home / "3").mkdir()
    (pi.places.home / "3" / ABOUT).write_text(VERSION_3)
    pi.helper = pi.started()
    pi.helper.carry_on()
    assert pi.why.startswith("The update was interrupted, as by a power cut: nothing was changed.")
    assert pi.stand.ended is not None
    assert pi.stand.ended.version == "1.3.0"
    assert sorted(path.name for path in pi.places.home.iterdir()) == ["1", "2", "now", "proven"]


def test_a_trial_that_the_installer_ends_is_not_judged(pi: Pi) -> None:
    (pi.places.home / "3").mkdir()
    pi.versions.begin(pi.places.home / "3")
    pi.at_wait = pi.versions.stood
    pi.helper = pi.started()
    pi.helper.carry_on()
    pi.helper.join()
    assert not pi.helper.busy
    assert pi.stand.ended is None


def test_where_it_stands_is_known_without_a_word_of_the_versions(tmp_path: Path) -> None:
    pi = Pi(tmp_path)
    for number in ("1", "2"):
        (pi.places.home / number / ABOUT).unlink()
    assert (pi.stand.version, pi.stand.before) == ("", "")
