"""Keys over the years, rehearsed: published, changed, lost; and what a board does that was off meanwhile."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from controller.appliance.updates.manifest import order
from controller.appliance.updates.signed import NotSigned, newest_root, number_of, signed_list
from controller.appliance.updates.update_file import BadUpdate, Trust, check
from tests.appliance.updates.makers import HERE, TOLD, Makers
from tools.updates.keys import NoKeys, next_root, public_key, signer
from tools.updates.make import NotMade


@pytest.fixture
def makers(tmp_path: Path) -> Makers:
    return Makers(tmp_path)


def takes(makers: Makers, trust: Trust, sign: str = "release") -> bool:
    """Whether a board with that trust takes an update."""
    try:
        check(makers.update(sign=sign), trust, HERE)
    except BadUpdate:
        return False
    return True


def test_an_update_is_published(makers: Makers) -> None:
    assert takes(makers, makers.trust)


def test_a_release_key_is_changed_and_the_old_one_no_longer_counts(makers: Makers) -> None:
    board = makers.trust
    makers.key("release-2")
    makers.root(["root-1", "root-2"], ["release-2"], ["root-1"])
    assert takes(makers, board, "release-2")
    assert not takes(makers, board, "release")  # as whoever found the old one would sign


def test_a_release_key_that_was_lost_is_replaced_in_the_same_way(makers: Makers) -> None:
    board = makers.trust
    (makers.folder / "release.pem").unlink()
    makers.key("release-2")
    makers.root(["root-1", "root-2"], ["release-2"], ["root-2"])  # the other root key does as well
    assert takes(makers, board, "release-2")


def test_a_root_key_that_was_lost_is_replaced_by_the_other_one(makers: Makers) -> None:
    board = makers.trust
    (makers.folder / "root-1.pem").unlink()
    makers.key("root-3")
    makers.root(["root-2", "root-3"], ["release"], ["root-2"])
    assert takes(makers, board)
    with pytest.raises(NoKeys, match="boards would not follow this root"):
        makers.root(["root-2", "root-3"], ["release"], ["release"])  # a key of releases signs no root


def test_with_all_root_keys_lost_boards_take_nothing_until_one_is_installed_by_hand(makers: Makers) -> None:
    board = makers.trust
    makers.key("root-4")
    makers.key("release-2")
    with pytest.raises(NoKeys):
        makers.root(["root-4"], ["release-2"], ["root-4"])
    anew = makers.root(["root-4"], ["release-2"], ["root-4"], anew=True)
    assert not takes(makers, board, "release-2")
    assert number_of(anew.read_bytes()) > number_of(board.root)  # so that an installation takes it over the old one
    assert takes(makers, Trust(anew.read_bytes(), 0), "release-2")


def test_a_board_that_was_off_for_years_follows_root_by_root(makers: Makers) -> None:
    board = makers.trust
    for year in range(1, 12):
        makers.key(f"root-{year + 2}")
        makers.root([f"root-{year + 1}", f"root-{year + 2}"], ["release"], [f"root-{year + 1}"])
    assert takes(makers, board)
    found = check(makers.update(), board, HERE)
    assert number_of(found.trust.root) == 12


def test_a_root_is_left_out(makers: Makers) -> None:
    board = makers.trust
    for _ in range(2):
        makers.root(["root-1", "root-2"], ["release"], ["root-1"])
    (makers.roots / "2.root.json").unlink()
    assert not takes(makers, board)


def test_an_old_root_takes_nothing_back(makers: Makers) -> None:
    """Who has found an old key brings the old root along: the board knows a newer one."""
    first = makers.trust.root
    makers.key("release-2")
    newer = makers.root(["root-1", "root-2"], ["release-2"], ["root-1"]).read_bytes()
    assert newest_root(newer, [first]) == newer
    (makers.roots / "2.root.json").unlink()
    assert not takes(makers, Trust(newer, 0), "release")


def test_a_root_that_asks_for_two_keys_has_them(makers: Makers) -> None:
    keys = [public_key(makers.folder / f"root-{number}.pub") for number in (1, 2)]
    release = [public_key(makers.folder / "release.pub")]
    one, two = (signer(makers.folder / f"root-{number}.pem", "hush") for number in (1, 2))
    with pytest.raises(NoKeys):
        next_root(makers.roots, keys, release, [one], threshold=2)
    assert next_root(makers.roots, keys, release, [one, two], threshold=2).name == "2.root.json"


def test_a_list_is_no_root_and_nonsense_is_neither(makers: Makers) -> None:
    for text in (b"", b"[]", b"{}", b"\xff" * 40):
        with pytest.raises(NotSigned):
            newest_root(makers.trust.root, [text])


def test_a_wrong_passphrase_and_a_language_that_is_missing_are_told(makers: Makers) -> None:
    with pytest.raises(NoKeys, match=r"release\.pem cannot be used to sign"):
        signer(makers.folder / "release.pem", "wrong")
    with pytest.raises(NotMade, match="not told in: fr"):
        makers.manifest(told={"en": TOLD["en"], "de": TOLD["de"]})


def test_private_keys_are_for_their_owner_alone(makers: Makers) -> None:
    assert (makers.folder / "release.pem").stat().st_mode & 0o777 == 0o600
    assert b"ENCRYPTED" in (makers.folder / "release.pem").read_bytes()


def test_a_list_that_is_signed_is_no_root_all_the_same(makers: Makers) -> None:
    with zipfile.ZipFile(makers.update()) as archive, pytest.raises(NotSigned, match="no root, but targets"):
        newest_root(makers.trust.root, [archive.read("list.json")])


def test_a_board_that_does_not_know_its_version_takes_the_first_one(makers: Makers) -> None:
    assert order("") < order("0.0.0") < order("0.0.1.dev0") < order("0.0.1")


def test_a_root_is_no_list_even_where_one_key_signs_both(makers: Makers) -> None:
    both = makers.root(["root-1"], ["root-1"], ["root-1"]).read_bytes()
    with pytest.raises(NotSigned, match="root stands in place of targets"):
        signed_list(both, both)
