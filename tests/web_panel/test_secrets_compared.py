"""Every game with secrets, played twice with only the secret different: whoever may not know it gets the same.

Compared are all addresses of the panel, its streams, the console, the log on the page of board care, the lights, what
refused orders are answered, and which cell is named to somebody who asks to join. See `watched_table`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from controller.events import Event, Touch
from controller.rules.registry import all_games
from controller.service import loop as running
from controller.table.state import Step, Table
from controller.table.table import step
from tests.web_panel.watched_table import Got, WatchedTable

OTHERS = ("guest", "Dan", "Bob", "Cem")  # all but Ann
PROBES = ("bid 12 0 0", "bid 1 1 1", "bid 4 4 4", "K@h2", "K@f1", "R@g2", "end", "h2-h3", "nonsense")


class Planted(Exception):
    """A fault that a test planted."""


def plant(monkeypatch: pytest.MonkeyPatch, site: str) -> None:
    """Let the table fail over a touch of ``site``, with all that it knows in the words of the fault."""

    def faulty(table: Table, event: Event) -> Step:
        if isinstance(event, Touch) and event.site == site:
            raise Planted(f"over {table.play!r} at {event!r}")
        return step(table, event)

    monkeypatch.setattr(running, "step", faulty)


def ply(text: str, **more: Any) -> dict[str, Any]:
    return {"do": "ply", "text": text, **more}


BACK = {"do": "take_back"}


def probed(table: WatchedTable, people: Sequence[str]) -> None:
    """Let ``people`` try what is not theirs: each is refused, and no refusal may tell anything."""
    for name in people:
        for text in PROBES:
            assert table.order(name, ply(text)) in (403, 409)
            assert table.order(name, ply(text, seat=0)) in (403, 409)
        for to in range(len(table.plies)):
            assert table.order(name, {**BACK, "to": to}) in (403, 409)


def handed_round(table: WatchedTable, game: dict[str, Any], viewers: Sequence[str]) -> None:
    """Move Ann's seat to others in every way there is, and let them look and try."""
    assert table.post("Dan", "/api/seat", {"seat": 0, "take": False}) == 200
    assert table.post("Dan", "/api/seat", {"seat": 0}) == 200
    table.look("the owner has taken Ann's seat", viewers)
    probed(table, ["Dan"])
    assert table.post("Dan", "/api/seat", {"seat": 0, "take": False}) == 200
    assert table.post("Ann", "/api/seat", {"seat": 0}) == 200
    table.done("Bob", {**game, "seats": "turn"}, {"do": "resume", "game_id": 1})
    table.look("the seats have moved on, and the game was taken up again", viewers)
    assert table.order("Ann", {"do": "play_again", "seats": "lots"}) == 200
    table.done("Bob", {"do": "resume", "game_id": 1})
    table.look("the seats were drawn by lot, and the game was taken up again", viewers)
    table.restart()
    table.look("after a restart", viewers)
    for seat in range(3):
        table.post("Dan", "/api/seat", {"seat": seat, "take": False})
    table.sit(table.service.look().table.play.seats)


# ---- Beacons: bids ----------------------------------------------------------------------------------------

BEACONS = {"do": "new_game", "game": "beacons", "options": {"players": 3}, "seed": 5}


def bid_of_one(table: WatchedTable, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann bids, and the others have not; only her bid differs."""
    table.done("Dan", BEACONS)
    table.sit(3)
    table.stand()
    table.look("before the first bid", OTHERS)
    probed(table, OTHERS)
    assert table.order("Ann", ply(f"{secret} 1")) == 409  # refused, and quoted to her
    assert table.order("Ann", ply(secret.replace("bid", "bit"))) == 409
    table.look("after bids that were refused", OTHERS)
    table.done("Ann", ply(secret))
    assert table.order("Ann", ply(secret)) == 409
    table.look("after Ann's bid", OTHERS)
    probed(table, ("guest", "Dan", "Cem"))
    table.asks_to_join()
    table.done("Ann", BACK)
    table.look("after Ann took it back", OTHERS)
    table.done("Ann", ply(secret), {"do": "resign", "seat": 0})
    table.look("after Ann resigned", OTHERS)
    table.done("Ann", BACK)
    table.look("after Ann took that back", OTHERS)
    for seat, name in enumerate(("Ann", "Bob", "Cem")):
        table.done(name, {"do": "offer_draw", "seat": seat})
    table.look("after an agreed draw", OTHERS)
    table.done("Cem", BACK, {"do": "pause", "on": True})
    table.look("in a pause", OTHERS)
    table.done("Cem", {"do": "pause", "on": False})
    with monkeypatch.context() as planted:
        plant(planted, table.cell)
        table.touch(table.cell, True)
        table.look("after a fault in the table", OTHERS)
    table.touch(table.cell, False)
    handed_round(table, BEACONS, OTHERS)
    table.done("Bob", ply("bid 1 2 9"))
    table.look("after Bob's bid", ("guest", "Dan", "Cem"))
    assert table.order("Ann", {**BACK, "to": 0}) == 409  # Bob's bid lies above hers
    table.look("at the end", ["Ann"])


def bids_of_two(table: WatchedTable, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann and Bob bid otherwise, but the coffers come out the same: so nobody else ever learns who bid what."""
    first, second = secret.split(";")
    watchers = ("guest", "Dan", "Cem")
    table.done("Dan", BEACONS)
    table.sit(3)
    table.stand()
    table.done("Ann", ply(first))
    table.done("Bob", ply(second))
    table.look("after two bids", (*watchers, "Ann"))
    table.done("Cem", ply("bid 4 4 4"))
    table.look("after the last bid, with the coffers open", watchers)
    for name in ("Ann", "Bob", "Cem", "Dan"):
        for to in (0, 1, 2):
            assert table.order(name, {**BACK, "to": to}) == 409  # what was seen cannot be bid again
    play = table.service.look().table.play
    assert play is not None
    seats = ("Ann", "Bob", "Cem")
    for _ in range(3):
        play = table.service.look().table.play
        assert play is not None
        mover = play.session.game.seat(play.session.state)
        text = next(f.text for f in play.settled.position.footprints if f.text != "end")
        table.done(seats[mover], ply(text))
        table.stand()
    table.look("in play", watchers)
    table.done("Dan", BACK)
    table.look("after a ply was taken back", watchers)
    table.done("Bob", {"do": "resign", "seat": 1})
    table.look("after Bob resigned", watchers)
    table.done("Bob", BACK)
    table.restart()
    table.look("after a restart", watchers)
    table.done("Dan", {**BEACONS, "seats": "turn"})
    table.look("with another game on the table", watchers)
    table.done("Dan", {"do": "resume", "game_id": 1})
    table.look("after that game was taken up again on other seats", ("guest", "Dan"))


# ---- Cyvasse: arrays --------------------------------------------------------------------------------------

CYVASSE = {"do": "new_game", "game": "cyvasse", "options": {"setup": "secret"}, "seed": 5}
ARRAYS = (
    "K@h2; R@g2; R@i2; R@g3; R@h3; R@e4; R@i4; M@c4; M@k4; M@c5; M@j5; M@f5; M@g5; C@f4; C@h4; S@f3; S@i3; L@d5; L@i5; "
    "B@e3; B@j3; E@f2; E@j2; H@f1; H@k1; end",
    "K@f1; R@i2; R@g2; R@h3; R@g3; R@i4; R@e4; M@k4; M@c4; M@j5; M@c5; M@g5; M@f5; C@h4; C@f4; S@i3; S@f3; L@i5; L@d5; "
    "B@j3; B@e3; E@j2; E@f2; H@h2; H@k1; end",
)
BLACK = "K@d10; R@e10; R@c10; R@e9"


def array_of_one(table: WatchedTable, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann sets up in secret, then Bob begins to; only her array differs."""
    array = [ply(text) for text in secret.split("; ")]
    table.done("Dan", CYVASSE)
    table.sit(2)
    table.stand()
    table.look("before the first piece", OTHERS)
    table.done("Ann", *array[:4])
    assert table.order("Ann", array[3]) == 409  # that cell is taken, and she is told so
    table.look("after four pieces", OTHERS)
    probed(table, OTHERS)
    table.done("Ann", BACK, array[3])
    table.look("after one was taken back and put there again", OTHERS)
    for site in ("h2", "f1", "g6"):  # a piece is put down on a home cell: what is kept there shows in nothing
        table.touch(site, True)
        table.look(f"with a piece on {site}", ("guest", "Bob"))
        table.touch(site, False)
    for _ in range(3):
        table.asks_to_join()
    table.done("Ann", {"do": "hints", "seat": 0, "level": "threatened"})
    table.look("with every hint on", ("guest", "Bob"))
    table.done("Ann", {"do": "resign", "seat": 0})
    table.look("after Ann resigned", OTHERS)
    table.done("Ann", BACK)
    with monkeypatch.context() as planted:
        plant(planted, table.cell)
        table.touch(table.cell, True)
        table.look("after a fault in the table", OTHERS)
    table.touch(table.cell, False)
    handed_round(table, CYVASSE, OTHERS)
    table.done("Ann", *array[4:])
    table.look("with Ann ready", OTHERS)
    table.done("Bob", *(ply(text) for text in BLACK.split("; ")))
    table.look("while Bob sets up", ("guest", "Dan", "Cem"))
    assert table.order("Ann", BACK) == 409  # what Bob has made in secret is Bob's
    table.done("Bob", BACK)
    table.look("at the end", ["Ann"])


def last_piece_of_one(table: WatchedTable, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann has set up all but one piece: what is left to do differs."""
    table.done("Dan", CYVASSE)
    table.sit(2)
    table.stand()
    table.done("Ann", *(ply(text) for text in secret.split("; ")))
    table.look("with one piece left", OTHERS)
    assert table.post("Dan", "/api/seat", {"seat": 0, "take": False}) == 200
    assert table.post("Dan", "/api/seat", {"seat": 0}) == 200
    table.look("the owner has taken Ann's seat", OTHERS)
    assert table.post("Dan", "/api/seat", {"seat": 0, "take": False}) == 200
    assert table.post("Ann", "/api/seat", {"seat": 0}) == 200
    table.look("at the end", ["Ann"])


# ---- compared ---------------------------------------------------------------------------------------------

Story = Callable[[WatchedTable, str, pytest.MonkeyPatch], None]
STORIES: list[tuple[str, str, Story, tuple[str, str]]] = [
    ("beacons", "shell19", bid_of_one, ("bid 4 4 4", "bid 12 0 0")),
    ("beacons", "shell19", bids_of_two, ("bid 12 0 0;bid 0 12 0", "bid 6 6 0;bid 6 6 0")),
    ("cyvasse", "hex91", array_of_one, ARRAYS),
    ("cyvasse", "hex91", last_piece_of_one, (ARRAYS[0].removesuffix("; end"), ARRAYS[0].replace("H@k1; end", "D@k1"))),
]


def test_every_game_with_secrets_is_played() -> None:
    assert {story[0] for story in STORIES} == {name for name, game in all_games().items() if game.secret}


def evening(folder: Path, board: str, story: Story, secret: str, monkeypatch: pytest.MonkeyPatch) -> list[Got]:
    """Return all that was got in an evening; every one happens in the same folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    table = WatchedTable(folder, board)
    try:
        story(table, secret, monkeypatch)
    finally:
        table.stop()
    return table.got


# The longest stories are left to the night: of the two with bids the other one tells more of them, and
# `tests/house/test_secrets_at_home.py` tells of arrays by day.
AT_NIGHT = (bid_of_one, array_of_one)
TOLD = [
    pytest.param(*each, id=each[2].__name__, marks=[pytest.mark.night] if each[2] in AT_NIGHT else [])
    for each in STORIES
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "board", "story", "secrets"), TOLD)
def test_who_may_not_know_a_secret_gets_the_same_whatever_it_is(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    board: str,
    story: Story,
    secrets: tuple[str, str],
) -> None:
    one, other = (evening(tmp_path / "evening", board, story, secret, monkeypatch) for secret in secrets)
    assert [(got.moment, got.viewer, got.address) for got in one] == [(g.moment, g.viewer, g.address) for g in other]
    compared = [(a, b) for a, b in zip(one, other, strict=True) if a.viewer != "Ann"]
    differing = [(a, b) for a, b in compared if not a.like(b)]
    assert differing[:1] == []
    own = [(a, b) for a, b in zip(one, other, strict=True) if a.viewer == "Ann" and not a.like(b)]
    assert any(a.address == "/api/watch" for a, _ in own)  # her own phone shows it: the comparing would see it
