"""A home that lies to the board that follows it: each message altered in each field, and logs that hold together.

Home has the last word on the game, so it may tell any that the rules allow. It gets no more: not another game, not what
this board's seat has chosen in secret, and no fault.
"""

from __future__ import annotations

import itertools
from itertools import islice
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from controller.afar import keys
from controller.afar.log import Begun, Log, LogEntry
from controller.afar.messages import LogEntries
from controller.afar.sealing import NONCE_BYTES
from controller.game_setup import ClockRule
from controller.service.afar.far_link import FarLink
from controller.service.afar.files import BoardLinkFile, LinkFile
from controller.table.afar.committing import missing
from controller.table.state import Play
from tests.afar.liars import CYVASSE, TIDES, Liar, Scene, answers, check_log, check_shown, following, told_lies
from tests.afar.lies import ODD, lies
from tests.afar.wire import LINK, Core
from tests.service.evenings import Evening

pytestmark = pytest.mark.usefixtures("quick_disk")
SCENES = [
    (TIDES, 0, False, False), (TIDES, 1, False, False), (TIDES, 3, False, False), (TIDES, 2, True, False),
    (CYVASSE, 0, False, False), (CYVASSE, 0, False, True),
]  # fmt: skip
NOT_TAKEN_BACK = ("'closed'", "'handed': True", "'committed'")  # whatever is said after it
SOME = 17  # of so many lies one is told by day, all by night
PATIENCE_S = 25.0  # of virtual time: the far board says hello every twenty seconds


def check_far(scene: Scene, before: Play) -> None:
    """The far board shows the same game, as the rules allow it and its log has it."""
    play, known = scene.game.far.table.play, scene.game.at_far.known
    assert play is not None
    assert known is not None
    was, now = before.session, play.session
    assert (now.name, now.seed, now.options, now.afar, now.opponents) == (
        was.name, was.seed, was.options, was.afar, was.opponents,
    )  # fmt: skip
    assert now.plies in (was.plies, known.plies[: len(now.plies)])
    own = was.promises.of(1)
    assert own is None or own.what in [each.what for each in now.promises.all]


def opened(liar: Liar, scene: Scene) -> list[Any]:
    """Return what the far board has told home since it was looked last of what it has chosen in secret."""
    sent, scene.game.line.seen[:] = list(scene.game.line.seen), []
    found = []
    for data in sent:
        try:
            plain = liar._decrypt(data[NONCE_BYTES:], liar._about, data[:NONCE_BYTES], liar._in)
        except liar._error:  # it is home's
            continue
        asked = msgspec.json.decode(plain)["what"]
        if asked["type"] == "ask" and asked["what"]["do"] == "reveal":
            found.append(asked["what"])
    return found


def goes_on(scene: Scene) -> bool:
    """Whether both boards have the same game once the true home has spoken again."""
    game = scene.game
    game.at_home.connected()
    game.run(PATIENCE_S)
    logs, session = (game.at_home.known, game.at_far.known), game.far.session
    assert logs[1] is not None
    led = (*session.plies, session.decided) if session.decided else session.plies
    return logs[0].head() == logs[1].head() and logs[0].plies[: len(led)] == led


@pytest.mark.parametrize("every", [SOME, pytest.param(1, marks=pytest.mark.night)])
@pytest.mark.parametrize(("game", "plies", "asking", "chosen"), SCENES)
def test_a_home_that_lies(
    game: Any, plies: int, asking: bool, chosen: bool, every: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scene = Scene(tmp_path, game, plies, asking, chosen)
    liar, count = Liar(scene, to_home=False), 0
    for where, lie in islice(told_lies(liar, answers), 0, None, every):
        scene.game.line.keep = True
        liar.says(lie)
        count += 1
        try:
            before = scene.before[1].play
            assert before is not None
            check_far(scene, before)
            play = scene.game.far.table.play
            assert not opened(liar, scene) or (play is not None and not missing(play))
            if scene.changed:
                check_shown(scene)
                check_log(caplog)
                if not goes_on(scene):
                    assert any(word in repr(lie["what"]) for word in NOT_TAKEN_BACK)
                    scene.again()
                scene.note()
                caplog.clear()
        except (AssertionError, IndexError, KeyError) as wrong:
            raise AssertionError(where, str(lie)[:500]) from wrong
    assert count > 10_000 // every
    check_log(caplog)


# ---- the game that it begins


class Joined:
    """A real service that has joined by a link, and was told nothing yet: of a `Scene` what a `Liar` looks at."""

    def __init__(self, evening: Evening, folder: Path) -> None:
        self.made, self.evening, self.folder = itertools.count(), evening, folder
        self.game = self
        self.again()

    def again(self) -> None:
        folder = self.folder / f"{next(self.made)}"
        folder.mkdir()
        self.file = LinkFile(folder / "links", BoardLinkFile("far", keys.written(LINK)))
        self.file.save(self.file.kept)
        self.sent: list[bytes] = []
        clock_us = self.evening.clock
        self.at_far = FarLink(self.evening.service, self.file, self.sent.append, lambda: clock_us() / 1e6)


@pytest.mark.parametrize("every", [SOME, pytest.param(1, marks=pytest.mark.night)])
def test_a_home_that_lies_about_the_game_it_begins(
    every: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start()
    evening.laid_out("tides-of-war")
    joined = Joined(evening, tmp_path)
    liar = Liar(cast(Scene, joined), to_home=False)
    core = Core("circle", seed=1)
    for _ in range(2):
        core.ply(core.game.text(core.states[-1], next(iter(core.game.plies(core.states[-1])))), core.mover or 0)
    begun = Begun("circle", {"players": 2}, 1, (core.plies[0],), ClockRule("delay", 10, 5))
    log = Log(begun, (LogEntry(ply=core.plies[1]),))
    told, count, games = msgspec.to_builtins(LogEntries(0, log.head(0), log.since(0), log.head(), begun)), 0, 0
    options = (("options", {**told, "begun": {**told["begun"], "options": {"players": odd}}}) for odd in ODD)
    for where, lie in islice((*options, *lies(LogEntries, told)), 0, None, every):
        before = evening.table.play
        liar.says({**liar.envelope(following(lie, log)), "to": joined.at_far.sealing.name})
        count += 1
        play = evening.table.play
        assert play is not None
        if play.session.seed != before.session.seed or play.session.name != before.session.name:
            games += 1
            assert joined.at_far.known is not None
            assert play.session.afar.seats == (0,), where
            assert play.session.plies == joined.at_far.known.plies, where
            evening.laid_out("tides-of-war")
        if joined.at_far.known is not None:
            joined.again()
    assert count > 1000 // every
    assert games > 20 // every
    assert evening.service.running
    assert not [record for record in caplog.records if record.exc_info]
    evening.stop()
