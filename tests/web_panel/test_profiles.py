"""The people on disk: names that are taken as they are seen, two who are one person, and a disk that takes nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from controller import atomic_file
from controller.refused import Refused
from web_panel.people.profiles import MOST_PROFILES, Profiles


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.json"


def names(people: Profiles) -> list[str]:
    return [person.name for person in people.all()]


def test_people_stay_over_a_restart_with_names_colours_and_who_they_once_were(path: Path) -> None:
    people = Profiles(path)
    ann, anna = people.add("Ann", "#e4572e"), people.add("Anna")
    people.add("Ben")
    people.merge(anna.id, ann.id)
    again = Profiles(path)
    assert again.all() == people.all()
    assert names(again) == ["Ann", "Ben"]
    assert again.of(anna.id) == again.of(ann.id)
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("  Ann   Lee ", "Ann Lee"),
        ("<b>Ann</b>", "<b>Ann</b>"),
        ("\u5c0f" * 20, "\u5c0f" * 20),
        ("\u0646" * 40, "\u0646" * 40),
        ("\u0418\u0432\u0430\u043d", "\u0418\u0432\u0430\u043d"),
    ],
)
def test_a_name_in_any_script_is_kept_as_it_is_seen(path: Path, name: str, kept: str) -> None:
    assert Profiles(path).add(name).name == kept
    assert names(Profiles(path)) == [kept]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (" ", "invisible"),
        ("\u200b\u3164", "invisible"),
        ("\u5c0f" * 21, "too long"),
        ("a" * 41, "too long"),
        ("ann", "There is Ann already"),
        ("\u0410nn", "There is Ann already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_half_done(path: Path, name: str, why: str) -> None:
    people = Profiles(path)
    people.add("Ann")
    ben = people.add("Ben")
    before = path.read_bytes()
    both: list[Callable[[], object]] = [lambda: people.add(name), lambda: people.change(ben.id, name, "")]
    for do in both:
        with pytest.raises(Refused, match=why):
            do()
    assert (names(people), path.read_bytes()) == (["Ann", "Ben"], before)


def test_a_person_may_write_the_own_name_otherwise(path: Path) -> None:
    people = Profiles(path)
    ann = people.add("ann")
    assert people.change(ann.id, "Ann", "#3d7dd8").name == "Ann"


def test_who_is_not_there_is_told_so(path: Path) -> None:
    people = Profiles(path)
    ann, ben = people.add("Ann"), people.add("Ben")
    people.remove(ben.id)
    assert people.of(ben.id) is None
    assert people.known_as(ben.id, "Ben") == ""
    assert people.known_as(ann.id, "Ann 2") == "Ann"
    assert people.known_as("", "Phone 3") == "Phone 3"
    for do in (
        lambda: people.merge(ben.id, ann.id),
        lambda: people.merge(ann.id, ben.id),
        lambda: people.remove(ben.id),
        lambda: people.change(ben.id, "Ben", ""),
    ):
        with pytest.raises(Refused, match="no longer in the list"):
            do()
    with pytest.raises(Refused, match="one person already"):
        people.merge(ann.id, ann.id)


@pytest.mark.slow
def test_two_phones_that_merge_the_same_two_at_once_make_one_person(path: Path) -> None:
    people = Profiles(path)
    for _ in range(20):
        ann, anna = people.add("Ann"), people.add("Anna")
        refused: list[str] = []
        begun = threading.Barrier(2)

        def merge(one: str, other: str, told: list[str] = refused, begun: threading.Barrier = begun) -> None:
            begun.wait()
            try:
                people.merge(one, other)
            except Refused as wrong:
                told.append(str(wrong))

        threads = [threading.Thread(target=merge, args=pair) for pair in ((ann.id, anna.id), (anna.id, ann.id))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert refused == ["These two are one person already."]
        (both,) = people.all()
        assert people.of(ann.id) == people.of(anna.id) == both
        people.remove(both.id)


def test_a_disk_that_takes_nothing_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = Profiles(path)
    ann, anna = people.add("Ann"), people.add("Anna")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic_file, "replace", full)
    for do in (lambda: people.add("Ben"), lambda: people.merge(anna.id, ann.id), lambda: people.remove(ann.id)):
        with pytest.raises(Refused, match="cannot be saved: No space left"):
            do()
    assert names(people) == names(Profiles(path)) == ["Ann", "Anna"]


def test_a_file_that_cannot_be_read_gives_the_last_good_one_and_says_so(path: Path) -> None:
    Profiles(path).add("Ann")
    path.write_text("{", encoding="utf-8")
    people = Profiles(path)
    assert names(people) == ["Ann"]
    assert "last good one" in people.told


@pytest.mark.slow
def test_there_is_room_for_a_large_family(path: Path) -> None:
    people = Profiles()
    for n in range(MOST_PROFILES):
        people.add(f"Person {n + 100}")
    with pytest.raises(Refused, match="remove one first"):
        people.add("Ann")
