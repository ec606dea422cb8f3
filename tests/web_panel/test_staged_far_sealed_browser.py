"""What a phone far away chooses in secret: sealed on its page, told as a hash, opened when all are bound."""

from __future__ import annotations

from typing import Any

import pytest

from controller.commitments import commitment
from tests.web_panel.staged import Stage

NONCES = ("22" * 32, "11" * 32)
PLIES = (["bid 3 9"], ["bid 9 3"])
COMMITS = [commitment("beacons", 5, seat, 0, PLIES[seat], NONCES[seat]) for seat in (0, 1)]
OWN: dict[str, Any] = {"plies": PLIES[1], "nonce": NONCES[1]}
SHARE = {"word": "bid", "units": 12, "among": [0, 1]}
ARRANGE = {"pieces": {"K": 1, "P": 2, "X": 0}, "cells": ["a1", "a2", "a3", "a4"], "optional": ["P"], "end": "ready"}
PLACE = "beaconboard sealed room"
MADE = """async ([kept]) => {
  const { Sealer } = await import("/static/far/far_sealed.js");
  if (kept !== null) localStorage[place] = typeof kept === "string" ? kept : JSON.stringify(kept);
  Object.assign(window, { given: [], changed: 0, reply: { status: 200, body: {} } });
  const order = async (what) => (given.push(what), reply);
  window.sealer = new Sealer({ room: "room", changed: () => (changed += 1), order });
}"""
LOST = "What this seat has sealed is not kept in this browser"
DISBELIEF = "do not believe this game."
SEALED = "Your choice is sealed: it cannot be changed any more."
HALF = "This is not a whole choice: make it with the form."


def opened(stage: Stage, kept: Any = None) -> None:
    """Open a page on which this browser has ``kept`` something of the link."""
    stage.open()
    stage.js(MADE.replace("place]", f"'{PLACE}']"), kept)


def view(*sealed: dict[str, Any], seats: tuple[int, ...] = (0, 1), **more: Any) -> dict[str, Any]:
    """Return what the board tells seat 1."""
    sealing = {"seat": 1, "seed": "5", "made": 0, "seats": list(seats), "sealed": list(sealed)}
    shown = {"advice": "Bid.", "waits": "", "lines": ["Round 1"], "share": SHARE, "arrange": None}
    return {"game": "beacons", "phase": "play", "plies": [], "sealing": sealing, **shown, **more}


def told(seat: int, commit: str = "", **more: Any) -> dict[str, Any]:
    return {"seat": seat, "made": 0, "commit": commit or COMMITS[seat], **more}


def see(stage: Stage, shown: dict[str, Any]) -> dict[str, Any]:
    """Let the board tell a view; returns it as this page shows it."""
    script = "async ([view]) => { const seen = sealer.see(view); await stage.settled(); return seen; }"
    return dict(stage.js(script, shown))


def order(stage: Stage, **what: Any) -> Any:
    """Return the page's own answer to an order, None where the board is to give it; a refusal is its sentence."""
    found = stage.js(
        "async ([what]) => { const answer = sealer.answer(what); await stage.settled(); return answer; }", what
    )
    return found and found["body"].get("error", found["status"])


def given(stage: Stage) -> list[dict[str, Any]]:
    return list(stage.js("() => given.splice(0)"))


def kept(stage: Stage) -> dict[str, Any]:
    return dict(stage.js(f"() => JSON.parse(localStorage['{PLACE}'])"))


def bound(stage: Stage) -> bool:
    return bool(stage.js("() => sealer.bound"))


# ---- sealing ----


def test_a_choice_is_kept_here_and_told_as_a_hash_until_the_board_has_it(stage: Stage) -> None:
    opened(stage)
    assert order(stage, do="ply", text="bid 9 3") is None  # there is nothing to see yet
    assert see(stage, view()) == view()
    assert not bound(stage)
    assert order(stage, do="resign", seat=1) is None
    assert order(stage, do="ply", text=" bid 09  3 ") == 200
    assert stage.js("() => changed") == 1
    ((commit, choice),) = kept(stage)["choices"].items()
    assert choice["plies"] == ["bid 9 3"]
    assert commit == commitment("beacons", 5, 1, 0, ["bid 9 3"], choice["nonce"])
    shown = see(stage, view())
    assert (shown["share"], shown["arrange"]) == (None, None)
    assert shown["waits"] == "Your choice is sealed, and on its way to the board."
    assert shown["lines"] == ["You have sealed: bid 9 3.", "Round 1"]
    assert bound(stage)  # this page is needed, also behind others
    see(stage, view())
    assert given(stage) == [{"do": "commit", "seat": 1, "made": 0, "commit": commit}]
    assert order(stage, do="ply", text="bid 8 4") == SEALED
    shown = see(stage, view(told(1, commit)))
    assert shown["lines"] == ["You have sealed: bid 9 3.", "Round 1"]
    assert shown["share"] == SHARE
    assert shown["advice"] == "Bid."
    assert kept(stage)["waiting"] is None
    assert order(stage, do="ply", text="bid 8 4") == SEALED
    assert bound(stage)
    assert given(stage) == []


def test_what_the_board_refuses_is_told_and_can_be_chosen_anew(stage: Stage) -> None:
    opened(stage)
    see(stage, view())
    order(stage, do="ply", text="bid 9 3")
    stage.js("() => { reply = { status: 409, body: { error: 'somebody was quicker.' } }; }")
    see(stage, view())
    assert stage.js("() => changed") == 2
    assert len(given(stage)) == 1
    shown = see(stage, view())
    assert shown["advice"] == "Somebody was quicker."
    assert shown["share"] == SHARE
    assert shown["lines"] == ["Round 1"]
    assert not bound(stage)
    assert see(stage, view(game="circle"))["advice"] == "Bid."  # of another choice nothing was refused
    see(stage, view())
    assert order(stage, do="ply", text="bid 8 4") == 200
    stage.js("() => { reply = { status: 399, body: {} }; }")
    assert see(stage, view())["advice"] == "Bid."
    assert len(given(stage)) == 1


def test_a_choice_of_an_earlier_turn_is_not_told_for_this_one(stage: Stage) -> None:
    opened(stage, {"choices": {COMMITS[1]: OWN}, "waiting": {"at": "beacons 4 1 0", "commit": COMMITS[1]}})
    assert see(stage, view()) == view()
    assert given(stage) == []
    assert order(stage, do="ply", text="bid 8 4") == 200
    opened(stage, {"choices": {COMMITS[1]: OWN}, "waiting": {"at": "beacons 5 1 0", "commit": COMMITS[1]}})
    assert see(stage, view())["lines"][0] == "You have sealed: bid 9 3."
    assert len(given(stage)) == 1  # after a reload too
    opened(stage, {"choices": {}, "waiting": {"at": "beacons 5 1 0", "commit": COMMITS[1]}})
    assert see(stage, view()) == view()
    assert given(stage) == []


def test_who_is_not_asked_now_sees_the_game_as_it_is(stage: Stage) -> None:
    opened(stage, {"choices": {COMMITS[1]: OWN}})
    plain = {key: value for key, value in view().items() if key != "sealing"}
    for shown in (plain, {**plain, "sealing": None}, view(told(0), seats=(0,))):
        assert see(stage, shown) == shown
        assert not bound(stage)
    unsealed = (
        "The board asks for this choice unsealed, and could read it before its own is made:"
        " let a new game be begun there."
    )
    see(stage, view(seats=(0,)))
    assert order(stage, do="ply", text="bid 9 3") == unsealed
    see(stage, {**plain, "share": None, "arrange": ARRANGE})
    assert order(stage, do="plies", texts=["K@a1"]) == unsealed
    see(stage, {**plain, "share": None})
    assert order(stage, do="ply", text="c3-c4") is None  # a move that all see
    assert given(stage) == []


# ---- what this browser has ----


@pytest.mark.parametrize(
    "there",
    [
        "no text of this page", {"choices": {}}, {"choices": {COMMITS[1]: {**OWN, "plies": ["bid 8 4"]}}},
        {"choices": {COMMITS[1]: {**OWN, "nonce": "33" * 32}}}, {"choices": {COMMITS[1]: {**OWN, "nonce": "11" * 31}}},
        {"choices": {COMMITS[1]: {**OWN, "plies": "bid 9 3"}}}, {"choices": {COMMITS[0]: OWN}},
    ],
)  # fmt: skip
def test_who_does_not_have_what_was_sealed_is_told_what_to_do(stage: Stage, there: Any) -> None:
    opened(stage, there)
    assert see(stage, view(told(1), told(0)))["advice"].startswith(LOST)
    assert given(stage) == []
    assert not bound(stage)
    opened_already = view(told(1, **OWN))
    assert see(stage, opened_already) == opened_already  # it is known to all


@pytest.mark.parametrize("broken", ["throw new Error();", ""])
def test_a_browser_that_keeps_nothing_seals_and_opens_nothing(stage: Stage, broken: str) -> None:
    keeps_nothing = f"() => {{ Storage.prototype.setItem = () => {{ {broken} }}; }}"
    opened(stage, {"choices": {COMMITS[1]: OWN}})
    stage.js(keeps_nothing)
    see(stage, view(told(1), told(0)))
    assert given(stage) == []
    opened(stage)
    stage.js(keeps_nothing)
    see(stage, view())
    assert order(stage, do="ply", text="bid 9 3").startswith("This browser keeps nothing")
    assert see(stage, view()) == view()
    assert given(stage) == []


def test_old_choices_make_room_for_new_ones(stage: Stage) -> None:
    opened(stage, {"choices": {f"{n:064x}": OWN for n in range(45)}})
    see(stage, view())
    order(stage, do="ply", text="bid 9 3")
    names = list(kept(stage)["choices"])
    assert len(names) == 40
    assert f"{44:064x}" in names
    assert f"{5:064x}" not in names


# ---- opening ----


def test_a_choice_is_opened_once_all_are_bound_and_again_only_when_there_is_something_else_to_see(stage: Stage) -> None:
    opened(stage, {"choices": {COMMITS[1]: OWN}})
    for early in (view(told(1)), view(told(1), told(0), seats=(0, 1, 2)), view(told(1), seats=(1,))):
        assert see(stage, early)["lines"][0] == "You have sealed: bid 9 3."
        assert bound(stage)
        assert given(stage) == []
    see(stage, view(told(1), seats=(1,), plies=["a move that bound the others"]))
    reveal = {"do": "reveal", "seat": 1, **OWN}
    assert given(stage) == [reveal]
    opened(stage, {"choices": {COMMITS[1]: OWN}})
    stage.js("() => { reply = { status: 400, body: { error: 'not now.' } }; }")
    see(stage, view(told(1), told(0)))
    assert given(stage) == [reveal]
    assert kept(stage)["choices"][COMMITS[1]]["against"] == {"0": COMMITS[0]}
    shown = see(stage, view(told(1), told(0)))
    assert shown["advice"] == "Not now."
    assert given(stage) == []
    see(stage, view(told(1), told(0), phase="setup"))
    assert given(stage) == [reveal]
    stage.js("() => { reply = { status: 200, body: {} }; }")
    see(stage, view(told(1), told(0), plies=["more"]))
    assert given(stage) == [reveal]
    see(stage, view(told(1), told(0), plies=["more", "still"]))
    assert given(stage) == []  # it has it
    shown = see(stage, view(told(1, **OWN), told(0)))
    assert not bound(stage)  # this page is not needed any more
    assert shown["lines"][0] == "You have sealed: bid 9 3."


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (view(told(0, plies=PLIES[0], nonce=NONCES[0]), told(1, **OWN), seats=()), ""),
        (
            view(told(0, plies=["bid 0 12"], nonce=NONCES[0]), told(1, **OWN)),
            "What was opened at the board is not what",
        ),
        (view(told(0, plies=PLIES[0], nonce="22" * 31), told(1, **OWN)), "What was opened at the board is not what"),
        (view(told(0, commit="ab" * 32), told(1)), "What was sealed at the board was changed"),
        (view(told(1)), "What was sealed at the board was changed"),
        (view(told(0), told(1), told(2, commit="cd" * 32)), "What was sealed at the board was changed"),
        (view(told(0), told(1)), ""),
    ],
)
def test_all_are_held_to_what_they_had_sealed_when_this_page_opened(
    stage: Stage, after: dict[str, Any], why: str
) -> None:
    opened(stage, {"choices": {COMMITS[1]: {**OWN, "against": {"0": COMMITS[0]}}}})
    shown = see(stage, after)
    assert (
        shown["advice"] == "Bid."
        if not why
        else shown["advice"].startswith(why) and shown["advice"].endswith(DISBELIEF)
    )
    if why:
        assert given(stage) == []


# ---- what is a whole choice ----


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("bid 12 0", ["bid 12 0"]), ("bid 000012 0", ["bid 12 0"]), ("bid 12", None), ("bid 6 5", None),
        ("bid 7 6", None), ("bid 4 4 4", None), ("pay 6 6", None), ("bid -1 13", None), ("bid 1e1 2", None),
        ("bid 0000000012 0", None), ("", None),
    ],
)  # fmt: skip
def test_units_are_shared_out_whole_or_not_at_all(stage: Stage, text: str, whole: Any) -> None:
    opened(stage)
    see(stage, view())
    assert order(stage, do="plies", texts=[text, text]) == HALF  # two choices are none
    assert order(stage, do="ply", text=text) == (200 if whole else HALF)
    if whole:
        assert [each["plies"] for each in kept(stage)["choices"].values()] == [whole]


@pytest.mark.parametrize(
    ("texts", "whole"),
    [
        (["K@a1", "P@a2", "P@a3"], True), (["P@a4", "K@a1", "ready"], True), (["K@a1", "ready"], True),
        (["K@a1", "P@a2"], False), (["K@a1", "P@a2", "P@a3", "ready"], False), (["P@a1", "P@a2", "ready"], False),
        (["K@a1", "P@a1", "P@a2"], False), (["K@a1", "P@a2", "P@b1"], False), (["K@a1", "K@a2", "P@a3", "P@a4"], False),
        (["K@a1", "P@a2", "P@a3", "P@a4"], False), (["K@a1@a2", "P@a2", "P@a3"], False),
        (["K@a1", "X@a2", "P@a3", "P@a4"], False), (["ready", "K@a1", "P@a2"], False), ([], False),
    ],
)  # fmt: skip
def test_an_array_is_set_up_whole_or_said_to_be_ready(stage: Stage, texts: list[str], whole: bool) -> None:
    opened(stage)
    see(stage, view(share=None, arrange=ARRANGE))
    assert order(stage, do="plies", texts=texts) == (200 if whole else HALF)
    if whole:
        assert [each["plies"] for each in kept(stage)["choices"].values()] == [texts]


def test_where_there_is_no_form_there_is_no_choice(stage: Stage) -> None:
    opened(stage)
    see(stage, view(share=None))
    assert order(stage, do="ply", text="bid 9 3") == HALF
