"""What phones far away seal, at a real service: what its files and pictures hold of it, restarts, and the check."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.commitments import commitment
from controller.events import Seating
from controller.orders import Commit, NewGame, Reveal
from controller.refused import Refused
from tests.afar.boards import Families, Family
from tests.afar.secret_soak import any_choice
from tests.afar.test_secrets import SECRET, board_for, choose, everything, opened
from tests.service.evenings import assert_replays, recorded

pytestmark = pytest.mark.realtime

NONCE = "5a" * 32
FAR = Seating(("Ann", "Ben"), far=(1,))


@pytest.fixture(params=SECRET)
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Family:
    family = Family(tmp_path, board_for(request.param), None)
    begin(family, request.param)
    return family


def begin(family: Family, name: str) -> None:
    family.at.service.seated(FAR)
    family.at.order(NewGame(game=name, options=SECRET[name], seed=1))
    family.rest(0.5)


def chosen(family: Family, seat: int, seed: int = 3) -> tuple[str, ...]:
    return any_choice(family.play.session, seat, random.Random(seed))


def sealed(family: Family, texts: tuple[str, ...], seat: int = 1) -> Commit:
    session = family.play.session
    commit = commitment(session.name, session.seed, seat, len(session.plies), texts, NONCE)
    return Commit(seat=seat, made=len(session.plies), commit=commit, phone="far")


def opens(texts: tuple[str, ...], seat: int = 1, nonce: str = NONCE) -> Reveal:
    return Reveal(seat=seat, nonce=nonce, plies=texts)


def verified(file: Path, id: int, folder: Path) -> tuple[int, str, str]:
    """Return how `beaconboard verify` ends, what it says, and the recording."""
    told = recorded(file, id)
    (folder / "evening.jsonl").write_text(told)
    said = CliRunner().invoke(cli, ["verify", str(folder / "evening.jsonl")])
    return said.exit_code, said.output, told


def test_home_holds_nothing_of_a_choice_before_its_own_is_committed_and_all_is_checked_afterwards(
    home: Family, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    texts, own = chosen(home, 1), chosen(home, 0, 9)
    home.at.order(sealed(home, texts))
    home.rest(0.1)
    there = everything(home)
    assert sealed(home, texts).commit.encode() in there
    assert NONCE.encode() not in there
    assert not any(text.encode() in there for text in texts if text != "end")
    for wrong in (opens(texts), opens(own)):
        with pytest.raises(Refused, match="nothing is opened before all have sealed"):
            home.at.order(wrong)
    assert NONCE.encode() not in everything(home)
    choose(home, 0, own)
    assert home.play.session.plies == ()
    other = next(each for seed in range(4, 99) if (each := chosen(home, 1, seed)) != texts)
    for wrong in (opens(other), opens(texts, nonce="00" * 32)):
        with pytest.raises(Refused, match="is not what was sealed"):
            home.at.order(wrong)
    assert not any(text in caplog.text for text in texts if text != "end")
    home.at.order(opens(texts))
    assert home.play.session.plies == own + texts
    id = home.at.seen.game_id or 0
    home.stop()
    assert_replays(tmp_path / "games.sqlite3", id)
    code, said, told = verified(tmp_path / "games.sqlite3", id, tmp_path)
    assert code == 0, said
    assert said.count("(as sealed)") == 2
    forged = tmp_path / "forged.jsonl"
    forged.write_text(told.replace(NONCE, "00" * 32))
    found = CliRunner().invoke(cli, ["verify", str(forged)])
    assert found.exit_code == 1
    assert found.output.count("(WRONG: what was opened is not what was sealed)") == 1


def test_a_restart_of_the_board_in_between_loses_nothing(home: Family, tmp_path: Path) -> None:
    texts, own = chosen(home, 1), chosen(home, 0, 9)
    home.at.order(sealed(home, texts))
    again = home.again()
    again.at.service.seated(FAR)  # as the panel tells when it starts
    again.at.order(sealed(again, texts))  # the page tells it again: nothing is changed by that
    choose(again, 0, own)
    last = again.again()
    last.at.service.seated(FAR)
    last.at.order(opens(texts))
    assert last.play.session.plies == own + texts
    id = last.at.seen.game_id or 0
    last.stop()
    assert_replays(tmp_path / "games.sqlite3", id)
    assert verified(tmp_path / "games.sqlite3", id, tmp_path)[0] == 0


def test_a_phone_holds_a_seat_of_a_board_that_follows_another(tmp_path: Path, port: int) -> None:
    """That board passes on what the phone has sealed, and knows as little of it as home does."""
    two = Families(tmp_path, board_for("beacons"), board_for("beacons"), port)
    two.begin("beacons")
    two.far.at.service.seated(FAR)
    two.far.until(lambda: two.far.play.session.afar.phones == (1,))
    assert two.far.play.session.choosers.keys() == {0, 1}
    texts = ("bid 5 7",)
    two.far.at.order(sealed(two.far, texts))
    two.home.until(lambda: bool(two.home.play.session.promises.pending))
    assert not any(NONCE.encode() in everything(family) for family in (two.home, two.far))
    choose(two.home, 0, ("bid 4 8",))
    two.far.until(lambda: two.far.play.session.promises.have((0, 1)))
    two.far.at.order(opens(texts))
    two.far.until(lambda: opened(two))
    assert two.plies == two.far.play.session.plies == ("bid 4 8", *texts)
    two.stop()
