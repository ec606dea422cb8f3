"""Updates beside a board that is played on: a file that is brought, and put on once nobody plays."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import msgspec
import pytest

from controller.appliance.asking import NoHelper
from controller.appliance.updates.asks import Offer, Stand, UpdateAsk, UpdateFound, UpdateOutcome, UpdateSearch
from controller.appliance.updates.manifest import Installed, UpdateMachine
from controller.appliance.updates.told import SentenceTold, heard
from controller.orders import Pause
from controller.panel.updates_backend import UpdatesBackend, found_apart
from controller.refused import Refused
from tests.failing_calls import no_room_beyond
from tests.service.evenings import Evening
from tests.waiting import Pauses, until

MINUTE_MS = 60_000
FOUND = UpdateFound("1.3.0", "2026-11-26", {"en": ("A new game.",)}, 10)


class Helper:
    """A helper that notes what it is asked, and answers as a test wishes."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.stand = Stand("1.2.0", "1.1.0")
        self.refused = self.refuses_to_look = ""
        self.there = True

    def __call__(self, ask: UpdateAsk) -> Stand:
        if not self.there:
            raise NoHelper("none")
        if ask.what != "stand":
            self.asked.append(ask.what)
        if ask.what == "look" and self.refuses_to_look:
            return Stand("1.2.0", refused=SentenceTold(self.refuses_to_look))
        if self.refused:
            return Stand("1.2.0", refused=SentenceTold(self.refused))
        found = FOUND if ask.what == "look" else None
        if ask.what == "build":
            self.stand = Stand("1.2.0", doing="build", to="1.3.0")
        if ask.what == "exchange":
            self.stand = Stand("1.3.0", "1.2.0", "trial", "1.3.0")
        return Stand(self.stand.version, found=found) if found else self.stand


@pytest.fixture
def helper() -> Helper:
    return Helper()


@pytest.fixture
def updates(evening: Evening, helper: Helper) -> UpdatesBackend:
    found = UpdatesBackend(evening.path, evening.service, "1.2.0", helper)
    found.bring("mine.bbupdate", 5)
    found.bring_part(0, b"12345")
    return found


def built(helper: Helper) -> None:
    helper.stand = Stand("1.2.0", "1.1.0", "built", "1.3.0", journal=1)


def test_a_file_is_shown_before_anything_is_done(updates: UpdatesBackend, helper: Helper, evening: Evening) -> None:
    shown = updates.show()
    assert (shown["name"], shown["version"], shown["changes"]["en"]) == ("mine.bbupdate", "1.3.0", ("A new game.",))
    assert helper.asked == ["look"]
    assert (evening.path.parent / "updates" / "brought.bbupdate").read_bytes() == b"12345"


def test_what_was_brought_is_on_the_card_before_it_can_be_put_on(
    updates: UpdatesBackend, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card image lost three of sixteen megabytes by a power cut, and with them what its owner had wished for."""
    synced: dict[str, int] = {}
    sync = os.fsync

    def noted(place: int) -> None:
        sync(place)
        synced[os.readlink(f"/proc/self/fd/{place}")] = os.fstat(place).st_size

    monkeypatch.setattr(os, "fsync", noted)
    path = evening.path.parent / "updates" / "brought.bbupdate"
    updates.bring("large.bbupdate", 6)
    updates.bring_part(0, b"123")
    assert synced == {}
    updates.bring_part(3, b"456")
    assert synced[str(path)] == 6
    assert str(path.parent) in synced


def test_it_is_built_at_once_and_exchanged_half_an_hour_after_the_last_touch(
    updates: UpdatesBackend, helper: Helper, evening: Evening
) -> None:
    evening.ply("c3-c4")
    updates.put_on("quiet")
    assert helper.asked == ["build"]
    assert updates.report()["when"] == "quiet"
    built(helper)
    updates.look()
    evening.wait(29 * MINUTE_MS)
    updates.look()
    assert helper.asked == ["build"]  # somebody thinks
    evening.wait(2 * MINUTE_MS)
    updates.look()
    assert helper.asked == ["build", "exchange"]
    assert not (evening.path.parent / "updates" / "brought.bbupdate").exists()
    updates.look()
    assert helper.asked == ["build", "exchange"]


def test_now_is_not_during_a_game(updates: UpdatesBackend, helper: Helper, evening: Evening) -> None:
    with pytest.raises(Refused, match=r"^A game is being played: pause or end it first, or let the update wait until"):
        updates.put_on("now")
    with pytest.raises(Refused, match=r"^A game is being played: pause or end it first, then go back\.$"):
        updates.go_back()
    assert helper.asked == []
    evening.order(Pause(on=True))
    updates.put_on("now")
    built(helper)
    updates.look()
    assert helper.asked == ["build", "exchange"]


def test_a_game_that_begins_meanwhile_is_waited_for(updates: UpdatesBackend, helper: Helper, evening: Evening) -> None:
    evening.order(Pause(on=True))
    updates.put_on("now")
    built(helper)
    evening.order(Pause(on=False))
    updates.look()
    assert helper.asked == ["build"]
    evening.order(Pause(on=True))
    updates.look()
    assert helper.asked == ["build", "exchange"]


def test_a_helper_that_has_forgotten_it_builds_it_once_more(
    updates: UpdatesBackend, helper: Helper, evening: Evening
) -> None:
    updates.put_on("quiet")
    evening.wait(31 * MINUTE_MS)
    for _ in range(3):
        helper.stand = Stand("1.2.0", "1.1.0")  # as after a power cut
        updates.look()
    assert helper.asked == ["build", "build"]


def test_what_could_not_be_built_is_told_and_not_tried_again(
    updates: UpdatesBackend, helper: Helper, evening: Evening
) -> None:
    updates.put_on("quiet")
    ended = UpdateOutcome("1.3.0", False, SentenceTold("The card has {free} MB free.", {"free": 3}))
    helper.stand = Stand("1.2.0", "1.1.0", to="1.3.0", ended=ended)
    assert updates.report()["ended"] == {"version": "1.3.0", "plays": False, "why": "The card has 3 MB free."}
    evening.wait(31 * MINUTE_MS)
    updates.look()
    updates.look()
    assert helper.asked == ["build"]


def test_the_games_are_kept_for_a_way_back_where_a_later_version_changes_them(
    updates: UpdatesBackend, helper: Helper, evening: Evening
) -> None:
    updates.put_on("quiet")
    helper.stand = Stand("1.2.0", "1.1.0", "built", "1.3.0", journal=2)
    evening.wait(31 * MINUTE_MS)
    updates.look()
    kept = evening.path.with_name("games.sqlite3.version-1")
    with closing(sqlite3.connect(kept)) as db:
        assert db.execute("SELECT count(*) FROM games").fetchone() == (1,)
    assert helper.asked == ["build", "exchange"]


def test_an_update_is_not_put_on_where_the_games_cannot_be_kept_and_that_is_told(
    updates: UpdatesBackend, helper: Helper, evening: Evening
) -> None:
    in_its_way = evening.path.with_name("games.sqlite3.version-1")
    in_its_way.mkdir()
    updates.put_on("quiet")
    helper.stand = Stand("1.2.0", "1.1.0", "built", "1.3.0", journal=2)
    evening.wait(31 * MINUTE_MS)
    updates.look()
    report = updates.report()
    ended = report["ended"]
    assert (ended["version"], ended["plays"], report["doing"]) == ("1.3.0", False, "")
    assert ended["why"].startswith("The update cannot be put on (")
    in_its_way.rmdir()
    updates.look()
    assert helper.asked == ["build"]  # it is not tried again by itself
    updates.put_on("quiet")
    assert updates.report()["ended"] is None
    helper.stand = Stand("1.2.0", "1.1.0", "built", "1.3.0", journal=2)
    updates.look()
    assert helper.asked == ["build", "build", "exchange"]


def test_what_the_helper_refuses_is_one_sentence(updates: UpdatesBackend, helper: Helper, evening: Evening) -> None:
    helper.refused = "mine.bbupdate is damaged or cut off: fetch it again."
    for act in (updates.show, lambda: updates.put_on("quiet")):
        with pytest.raises(Refused, match=r"^mine\.bbupdate is damaged or cut off: fetch it again\.$"):
            act()
    evening.wait(31 * MINUTE_MS)
    updates.look()
    assert helper.asked == ["look", "build"]


def test_a_board_without_a_helper(evening: Evening, helper: Helper) -> None:
    helper.there = False
    updates = UpdatesBackend(evening.path, evening.service, "1.2.0", helper)
    assert updates.report()["installed"] is False
    said = r"^This board cannot put on updates by itself: update it in the way in which it was installed\.$"
    with pytest.raises(Refused, match=said):
        updates.bring("mine.bbupdate", 5)
    evening.order(Pause(on=True))
    with pytest.raises(Refused, match=said):
        updates.go_back()


def test_no_socket_is_no_helper(evening: Evening) -> None:
    assert UpdatesBackend(evening.path, evening.service, "1.2.0").report()["installed"] is False


def test_too_large_or_not_here_yet(updates: UpdatesBackend) -> None:
    with pytest.raises(Refused, match=r"^films\.bbupdate has 10240 MB, and 512 MB are the most that an update may"):
        updates.bring("films.bbupdate", 10 << 30)
    updates.bring("mine.bbupdate", 9)
    with pytest.raises(Refused, match=r"^The file is not here yet: choose it again\.$"):
        updates.show()


def test_a_card_that_fills_up_on_the_way_keeps_no_half_of_a_file(updates: UpdatesBackend, evening: Evening) -> None:
    updates.bring("mine.bbupdate", 9000)
    updates.bring_part(0, b"x" * 4000)
    with no_room_beyond(6000), pytest.raises(Refused, match=r"^mine\.bbupdate cannot be taken in \(.+\): make room"):
        updates.bring_part(4000, b"x" * 5000)
    assert not (evening.path.parent / "updates" / "brought.bbupdate").exists()
    with pytest.raises(Refused, match=r"^The file did not arrive in order: choose it again\.$"):
        updates.bring_part(4000, b"x" * 5000)
    with pytest.raises(Refused, match=r"^The file is not here yet: choose it again\.$"):
        updates.show()


def test_no_file_is_brought_while_one_is_built(updates: UpdatesBackend, helper: Helper) -> None:
    helper.stand = Stand("1.2.0", doing="build", to="1.3.0")
    with pytest.raises(Refused, match="Another update is being put on"):
        updates.bring("other.bbupdate", 9)


def test_going_back(updates: UpdatesBackend, helper: Helper, evening: Evening) -> None:
    evening.order(Pause(on=True))
    assert updates.report()["before"] == "1.1.0"
    updates.go_back()
    assert helper.asked == ["back"]


def test_while_the_board_runs_it_looks_again_and_again_and_no_more_once_it_ends(
    updates: UpdatesBackend, helper: Helper, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    updates.put_on("quiet")
    built(helper)
    evening.wait(31 * MINUTE_MS)
    monkeypatch.setattr(updates, "_closing", Pauses(0))
    updates._watch()
    assert helper.asked == ["build"]
    monkeypatch.setattr(updates, "_closing", Pauses(2))
    updates._watch()
    assert helper.asked == ["build", "exchange"]


def test_after_a_restart_a_file_lies_there_only_if_it_is_to_be_put_on(
    updates: UpdatesBackend, helper: Helper, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought = evening.path.parent / "updates" / "brought.bbupdate"
    updates.put_on("quiet")
    for wished in (True, False):
        again = UpdatesBackend(evening.path, evening.service, "1.2.0", helper)
        monkeypatch.setattr(again, "_closing", Pauses(0))
        again.start()
        assert brought.exists() == wished
        (brought.parent / "wish.json").unlink(missing_ok=True)  # it was put on, or given up


# ---- from the network ----


class Network:
    """Finds what a test wishes, and notes what is looked for."""

    def __init__(self) -> None:
        self.searches: list[UpdateSearch] = []
        self.offer = Offer(FOUND)

    def __call__(self, search: UpdateSearch, _: Callable[[], bool]) -> Offer:
        self.searches.append(search)
        if search.fetch and self.offer.found:
            Path(search.fetch).write_bytes(b"fetched")
        return self.offer


@pytest.fixture
def network() -> Network:
    return Network()


@pytest.fixture
def days() -> list[date]:
    return [date(2026, 11, 26)]


@pytest.fixture
def looking(evening: Evening, helper: Helper, network: Network, days: list[date]) -> UpdatesBackend:
    helper.stand = Stand("1.2.0", here=Installed(UpdateMachine("pi5", "aarch64", "3.13"), "1.2.0", 1), root="{}")
    return UpdatesBackend(
        evening.path, evening.service, "1.2.0", helper, lambda: "https://updates.example", network, lambda: days[0]
    )


def fetched(updates: UpdatesBackend) -> UpdatesBackend:
    updates.fetch()
    until(lambda: not updates.report()["fetching"], "it is never fetched")
    return updates


def test_it_looks_once_a_day_where_an_address_is_set(
    looking: UpdatesBackend, network: Network, days: list[date]
) -> None:
    assert looking.report()["offered"] is None
    for _ in range(3):
        looking.seek()
    assert [search.address for search in network.searches] == ["https://updates.example"]
    assert looking.report()["offered"]["version"] == "1.3.0"
    days[0] = date(2026, 11, 27)
    looking.seek()
    assert len(network.searches) == 2


def test_without_an_address_it_looks_nowhere(evening: Evening, helper: Helper, network: Network) -> None:
    updates = UpdatesBackend(evening.path, evening.service, "1.2.0", helper, find=network)
    updates.seek()
    assert (network.searches, updates.report()["looks"]) == ([], False)
    with pytest.raises(Refused, match=r"^There is nothing to fetch at the moment"):
        updates.fetch()


def test_what_was_fetched_is_shown_and_put_on_like_any_file(looking: UpdatesBackend, helper: Helper) -> None:
    looking.seek()
    assert fetched(looking).show()["name"] == "beaconboard-1.3.0.bbupdate"
    looking.put_on("quiet")
    assert helper.asked == ["look", "build"]


def test_what_goes_wrong_on_the_way_is_told_and_can_be_tried_again(looking: UpdatesBackend, network: Network) -> None:
    looking.seek()
    network.offer = Offer(wrong=SentenceTold("No update can be fetched."))
    report = fetched(looking).report()
    assert (report["offer_wrong"], report["offered"]["version"]) == ("No update can be fetched.", "1.3.0")
    with pytest.raises(Refused, match="not here yet"):
        looking.show()
    network.offer = Offer(FOUND)
    assert fetched(looking).report()["offer_wrong"] == ""


def test_what_runs_by_now_is_no_longer_offered(looking: UpdatesBackend, network: Network) -> None:
    network.offer = Offer(msgspec.structs.replace(FOUND, version="1.2.0"))
    looking.seek()
    assert looking.report()["offered"] is None


def test_a_board_without_a_key_or_a_helper_looks_for_nothing(
    looking: UpdatesBackend, helper: Helper, network: Network, days: list[date]
) -> None:
    helper.stand = Stand("1.2.0")
    looking.seek()
    assert looking.report()["offer_wrong"].startswith("This board knows no key for updates")
    helper.there, days[0] = False, date(2026, 11, 27)
    looking.seek()
    assert network.searches == []


@pytest.mark.realtime
def test_looking_is_done_in_a_process_of_its_own(looking: UpdatesBackend) -> None:
    search = UpdateSearch(
        "http://127.0.0.1:9", "{}", Installed(UpdateMachine("pi5", "aarch64", "3.13"), "1.2.0", 1), "/nonexistent"
    )
    assert heard(found_apart(search, lambda: False).wrong) != ""
