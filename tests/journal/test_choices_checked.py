"""What seats sealed and opened, as whoever has only the recording can hold it against what they played."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from controller.commitments import with_plies
from controller.journal.choices_checked import Checked, checked
from controller.journal.recording import parse
from controller.table.promises import Promise, Promises

SEED = 4
NONCES = ("11" * 32, "22" * 32)
SIX, FIVE = "bid 6 6", "bid 5 7"


def sealed(seat: int, ply: str, made: int = 0) -> Promise:
    return Promise(with_plies("beacons", SEED, seat, made, [ply], NONCES[seat]))


def opened(seat: int, ply: str, made: int = 0) -> Promise:
    return msgspec.structs.replace(sealed(seat, ply, made), shown=True)


def swapped(seat: int, ply: str, before: str) -> Promise:
    """Return a choice that was sealed as ``before``, opened as ``ply``."""
    what = msgspec.structs.replace(sealed(seat, before).what, plies=(ply,))
    return Promise(what, shown=True)


def written(*promises: Promise) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(msgspec.json.encode(Promises(promises)))
    return {"promises": found}


def bids(*texts: str) -> list[dict[str, Any]]:
    return [
        {"command": {"do": "ply", "text": text, "seat": seat, "phone": f"phone {seat}"}}
        for seat, text in enumerate(texts)
    ]


def told(*lines: dict[str, Any]) -> list[Checked]:
    """Return what is found in a recording with a line each second."""
    header = {"game": "beacons", "options": {"players": 2}, "seed": SEED}
    timed = [{"t_us": second * 1_000_000, **line} for second, line in enumerate(lines, 1)]
    return checked(parse("\n".join(map(json.dumps, [header, *timed]))))


def wrong(*lines: dict[str, Any]) -> list[str]:
    return [each.wrong for each in told(*lines)]


def test_what_was_sealed_by_all_then_opened_and_played_so_is_right() -> None:
    lines = (
        written(sealed(0, SIX)), written(sealed(0, SIX), sealed(1, FIVE)), written(opened(0, SIX), sealed(1, FIVE)),
        written(opened(0, SIX), opened(1, FIVE)), *bids(SIX, FIVE),
    )  # fmt: skip
    first, second = told(*lines)
    assert (first.bound_us, first.shown_us, first.wrong) == (1_000_000, 3_000_000, "")
    assert (second.bound_us, second.shown_us, second.wrong) == (2_000_000, 4_000_000, "")
    assert (first.what.plies, second.what.plies) == ((SIX,), (FIVE,))
    assert first.name != second.name


def test_who_opens_before_the_other_one_has_sealed_lets_that_one_choose_by_it() -> None:
    early = "it was opened before all had sealed"
    assert wrong(written(opened(0, SIX)), written(opened(0, SIX), opened(1, FIVE))) == [early, ""]


def test_a_choice_of_a_later_round_is_sealed_after_those_of_the_first_were_opened() -> None:
    first = (opened(0, SIX), opened(1, FIVE))
    later = (sealed(0, "end", made=8), sealed(1, "end", made=8))
    assert wrong(written(*first), written(*first, *later)) == ["", "", "", ""]


def test_what_was_not_sealed_like_that_is_told_whoever_wrote_it_down() -> None:
    assert wrong(written(swapped(0, SIX, before=FIVE), opened(1, FIVE))) == [
        "what was opened is not what was sealed",
        "",
    ]


@pytest.mark.parametrize(("played", "found"), [(SIX, ""), (FIVE, "other moves were played than were sealed")])
def test_what_was_played_is_what_was_sealed(played: str, found: str) -> None:
    assert wrong(written(opened(0, SIX), opened(1, FIVE)), *bids(played, FIVE)) == [found, ""]


def test_a_choice_that_was_never_opened_is_listed_and_nothing_is_wrong_with_it() -> None:
    (only,) = told(written(sealed(0, SIX)))
    assert (only.shown_us, only.wrong, only.what.plies) == (None, "", ())


def test_without_a_choice_there_is_nothing_to_check() -> None:
    assert told(*bids(SIX, FIVE)) == []
