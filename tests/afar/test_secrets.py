"""The secret part of a game between two boards, over a real broker: nobody reads a choice before all have made theirs,
and nobody changes one afterwards, whatever is cut or started again.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.from_profile import placement
from controller.game_setup import Opponents
from controller.journal.choices_checked import checked
from controller.journal.recording import parse
from controller.orders import ClaimUnrevealed, Commit, FromAfar, NewGame, PlayPlies, PlayPly, Resign, Reveal, TakeBack
from controller.refused import Refused
from controller.rules.registry import all_games
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from hardware.profile import chained, load
from tests.afar.boards import Families, Family
from tests.afar.brokers import Cable
from tests.service.evenings import assert_replays, recorded

pytestmark = pytest.mark.realtime  # a broker is a process of its own

SECRET: dict[str, dict[str, Any]] = {"beacons": {}, "cyvasse": {"setup": "secret"}}


def test_all_games_with_secrets_are_tested() -> None:
    assert set(SECRET) == {name for name, game in all_games().items() if game.secret is not None}


def board_for(name: str) -> str:
    return next(each for each in chained() if placement(load(each), all_games()[name]) is not None)


def chosen(family: Family, seat: int, seed: int = 5) -> tuple[str, ...]:
    """Return anything that ``seat`` may choose in secret now."""
    session, dice = family.play.session, random.Random(seed)
    game, state, texts = session.game, session.choosers[seat], list[str]()
    while game.secret(state) and game.seat(state) == seat:
        ply = dice.choice(game.moves(state))
        texts.append(game.text(state, ply))
        state = game.after(state, ply)
    return tuple(texts)


def choose(family: Family, seat: int, texts: tuple[str, ...]) -> None:
    family.at.order(PlayPlies(texts=texts, seat=seat, phone=f"phone-{seat}"))


@pytest.fixture(params=SECRET)
def two(request: pytest.FixtureRequest, tmp_path: Path, port: int) -> Iterator[Families]:
    name = request.param
    families = Families(tmp_path, board_for(name), board_for(name), port)
    families.begin(name, **SECRET[name])
    yield families
    families.stop()


def opened(two: Families) -> bool:
    return all(not family.play.session.secret for family in (two.home, two.far))


def everything(family: Family) -> bytes:
    """Return all that there is of the game at a board: files, views of every phone, lights, the game on the table.

    What may be played now, by rules that everybody knows, is left out.
    """
    found = [file.read_bytes() for file in family.path.rglob("*") if file.is_file()]
    table = family.at.table
    for seat in (None, *range(table.play.seats if table.play else 0)):
        found.append(repr(picture(table, CALM, 1, seat)).encode())
    known = table.now, table.advice, table.play and (table.play.session, table.play.verdict, table.play.sent)
    return b"\n".join([*found, repr(family.at.lights.frames).encode(), repr(known).encode()])


def made_more(family: Family, plies: int) -> bool:
    return len(family.play.session.plies) > plies


def plays_on(two: Families, most: int = 3) -> None:
    """Let both boards be put right, and a few plies be made by whoever is to move."""
    two.far.until(lambda: two.far.play.session.plies == two.plies)
    for family in (two.home, two.far):
        family.finisher.put_right()
        family.until(family.right)
    for _ in range(most):
        session = two.home.play.session
        family = two.far if session.game.seat(session.state) == 1 else two.home
        ply = two.dice.choice(list(session.game.plies(session.state)))
        family.at.order(PlayPly(text=session.game.text(session.state, ply)))
        for each in (two.home, two.far):
            each.until(partial(made_more, each, len(session.plies)))
            each.finisher.put_right()
            each.until(each.right)


@pytest.mark.parametrize("first", ["home", "far"])
def test_both_choose_and_all_is_opened(two: Families, first: str) -> None:
    texts = chosen(two.home, 0), chosen(two.far, 1, 9)
    sides = [(two.home, 0), (two.far, 1)]
    for family, seat in sides if first == "home" else sides[::-1]:
        choose(family, seat, texts[seat])
    two.far.until(lambda: opened(two))
    assert two.plies == texts[0] + texts[1]
    assert two.far.play.session.plies == two.plies
    plays_on(two)
    files = [(family.path / "games.sqlite3", family.at.seen.game_id or 0) for family in (two.home, two.far)]
    with pytest.raises(Refused, match="revealed secrets"):
        two.home.at.order(TakeBack(to=1, by=(0,)))
    two.stop()
    for file, id in files:
        assert_replays(file, id)
        found = checked(parse(recorded(file, id)))
        told = {each.what.seat: (each.what.plies, each.wrong) for each in found}
        assert told == {0: (texts[0], ""), 1: (texts[1], "")}
        assert all(each.shown_us is not None for each in found)


def test_nothing_of_a_choice_is_at_the_other_board_before_all_have_chosen(
    two: Families, caplog: pytest.LogCaptureFixture
) -> None:
    """Files, views of all seats, lights, the table and the log of each board are searched for what the other chose."""
    caplog.set_level(logging.DEBUG)
    texts = {seat: chosen(family, seat, 3) for seat, family in ((0, two.home), (1, two.far))}
    choose(two.far, 1, texts[1])
    two.home.until(lambda: bool(two.home.play.session.promises.pending))
    nonce = two.far.play.session.promises.all[0].what.nonce
    there = everything(two.home)
    assert nonce.encode() not in there
    assert not any(text.encode() in there for text in texts[1] if text != "end")
    assert two.home.play.session.promises.all[0].what.commit.encode() in there
    two.home.at.order(Resign(seat=0))  # nobody learns it afterwards either
    two.far.until(lambda: two.far.play.result.over)
    two.far.rest(1)
    assert nonce.encode() not in everything(two.home)
    assert nonce not in caplog.text
    assert not any(text in caplog.text for text in texts[1] if text != "end")


def test_home_is_bound_before_it_sees_and_shows_nothing_before(two: Families) -> None:
    texts = {seat: chosen(family, seat, 3) for seat, family in ((0, two.home), (1, two.far))}
    choose(two.home, 0, texts[0])
    two.far.until(lambda: bool(two.far.play.session.promises.pending))
    there = everything(two.far)
    assert two.home.play.session.promises.all[0].what.nonce.encode() not in there
    assert not any(text.encode() in there for text in texts[0] if text != "end")
    own = picture(two.home.at.table, CALM, 1, 0)
    assert own.lines[0].startswith("You have sealed: ")
    assert own.arrange is None
    assert own.share is None
    assert not any("You have sealed" in line for line in picture(two.home.at.table, CALM, 1, 1).lines)
    choose(two.far, 1, texts[1])
    two.far.until(lambda: opened(two))


def test_what_is_sealed_is_not_changed(two: Families) -> None:
    choose(two.home, 0, chosen(two.home, 0, 3))
    with pytest.raises(Refused, match="cannot be changed any more"):
        choose(two.home, 0, chosen(two.home, 0, 4))
    choose(two.far, 1, chosen(two.far, 1, 3))
    two.far.until(lambda: opened(two))


def test_a_choice_is_made_whole_and_for_ones_own_seat(two: Families) -> None:
    texts = chosen(two.home, 0)
    with pytest.raises(Refused, match="answers for itself"):
        choose(two.home, 1, texts)
    with pytest.raises(Refused, match="more moves than"):
        choose(two.home, 0, (*texts, texts[-1]))
    if len(texts) > 1:
        with pytest.raises(Refused, match="not all yet"):
            choose(two.home, 0, texts[:-1])
    assert two.home.play.session.promises.all == ()


def test_a_far_board_cannot_show_something_else(two: Families) -> None:
    """Home is told by a forger who has the far board's link."""
    choose(two.home, 0, chosen(two.home, 0, 3))
    submit, mine = two.home.at.service.submit, two.home.play.session.promises.all[0].what
    with pytest.raises(Refused, match="sealed by another seat"):
        submit(FromAfar(what=Commit(seat=1, made=0, commit=mine.commit)))
    submit(FromAfar(what=Commit(seat=1, made=0, commit="ab" * 32)))
    for commit in ("cd" * 32, mine.commit):
        with pytest.raises(Refused, match="cannot be changed any more"):
            submit(FromAfar(what=Commit(seat=1, made=0, commit=commit)))
    with pytest.raises(Refused, match="is not what was sealed"):
        submit(FromAfar(what=Reveal(seat=1, nonce="00" * 32, plies=chosen(two.home, 1, 3))))
    assert two.plies == ()
    with pytest.raises(Refused, match="cannot be taken back"):
        two.home.at.order(TakeBack(to=0, by=(0,)))


def test_who_does_not_open_what_is_sealed_has_given_up_after_a_day(two: Families) -> None:
    two.far.stop()
    choose(two.home, 0, chosen(two.home, 0, 3))
    two.home.at.service.submit(FromAfar(what=Commit(seat=1, made=0, commit="ab" * 32)))
    with pytest.raises(Refused, match="24 hours"):
        two.home.at.order(ClaimUnrevealed(seat=0))
    two.home.at.wait(25 * 3600 * 1000)
    assert picture(two.home.at.table, CALM, 1, 0).unrevealed
    with pytest.raises(Refused, match="only who has opened"):
        two.home.at.order(ClaimUnrevealed(seat=1))
    two.home.at.order(ClaimUnrevealed(seat=0))
    assert two.home.play.result.over
    assert two.home.play.result.winner == 0
    two.far = Family(two.far.path, two.far.name, None)


@pytest.mark.parametrize("cut", ["home", "far", "both"])
def test_a_choice_outlives_a_restart(two: Families, cut: str) -> None:
    """Each board is started again after it has chosen, and before all is opened."""
    texts = chosen(two.home, 0, 3), chosen(two.far, 1, 3)
    choose(two.far, 1, texts[1])
    two.home.until(lambda: bool(two.home.play.session.promises.pending))
    if cut != "home":
        two.far = two.far.again()
    if cut != "far":
        two.home = two.home.again()
    choose(two.home, 0, texts[0])
    two.far.until(lambda: opened(two))
    assert two.plies == two.far.play.session.plies == texts[0] + texts[1]
    plays_on(two, 1)


def test_what_was_sealed_without_a_line_is_told_later(tmp_path: Path, port: int) -> None:
    cable = Cable(port)
    two = Families(tmp_path, board_for("beacons"), board_for("beacons"), port, far_port=cable.port)
    two.begin("beacons")
    cable.cut()
    choose(two.far, 1, ("bid 5 7",))
    choose(two.home, 0, ("bid 4 8",))
    two.far = two.far.again()
    assert two.home.play.session.secret
    cable.plug_in()
    two.far.until(lambda: opened(two))
    assert two.plies == two.far.play.session.plies == ("bid 4 8", "bid 5 7")
    two.stop()
    cable.close()


def test_the_board_plays_a_seat_against_another_board(tmp_path: Path, port: int) -> None:
    """What its program decides is sealed as well."""
    from controller.service.thinking.board_player import BoardPlayer
    from controller.service.thinking.process import Thinking

    two = Families(tmp_path, "hex91", "hex91", port)
    thinks = BoardPlayer(two.home.at.service, Thinking())
    thinks.start()
    two.home.at.order(NewGame(game="cyvasse", options={"setup": "secret"}, seed=1, opponents=Opponents((1,))))
    two.home.rest(0.5)
    two.far.afar.join(two.home.afar.invite(1))
    two.far.until(lambda: two.far.play is not None and two.far.play.session.afar.follows)
    choose(two.far, 1, chosen(two.far, 1, 3))
    two.far.until(lambda: opened(two))
    assert two.home.play.session.positions[1].seat == 0
    assert two.far.play.session.plies == two.plies
    two.stop()


def test_two_seats_at_one_board_and_one_that_gives_up(tmp_path: Path, port: int) -> None:
    two = Families(tmp_path, board_for("beacons"), board_for("beacons"), port)
    two.begin("beacons", players=4)
    choose(two.home, 2, ("bid 3 3 3 3",))
    choose(two.far, 1, ("bid 12 0 0 0",))
    two.home.until(lambda: len(two.home.play.session.promises.pending) == 2)
    assert "Player 1" in picture(two.home.at.table, CALM, 1, 2).waits
    two.home.at.order(Resign(seat=3))
    assert two.plies == ("out 4",)
    choose(two.home, 0, ("bid 0 0 0 12",))
    two.far.until(lambda: opened(two))
    assert two.plies == two.far.play.session.plies == ("out 4", "bid 0 0 0 12", "bid 12 0 0 0", "bid 3 3 3 3")
    two.stop()


def test_hands_may_set_up_what_they_have_sealed(tmp_path: Path, port: int) -> None:
    """The far board's pieces are put down before they are opened: nothing is asked, and home sees nothing of it."""
    two = Families(tmp_path, "hex91", "hex91", port)
    two.begin("cyvasse", setup="secret")
    texts = chosen(two.far, 1, 3)
    choose(two.far, 1, texts)
    cells = [text.partition("@")[2] for text in texts if "@" in text]
    for cell in cells[:5]:
        two.far.at.touch(two.far.where(cell), True)
    two.far.rest(1)
    assert two.far.at.table.phase == "play"
    assert not two.home.play.verdict.extra
    choose(two.home, 0, chosen(two.home, 0, 3))
    two.far.until(lambda: opened(two))
    play = two.far.play
    own = sum(play.game_area.bit[cell] for cell in cells[:5])
    assert two.far.at.table.now == own
    assert not play.verdict.extra
    assert play.settled.pending_chores == play.standings[-1] & ~own
    two.stop()


def test_secrets_of_one_home_are_not_told_to_who_looks_on(tmp_path: Path, port: int) -> None:
    """Both seats are at home, where they choose one after the other, as without any link."""
    two = Families(tmp_path, "hex91", "hex91", port)
    two.home.at.order(NewGame(game="cyvasse", options={"setup": "secret"}, seed=1))
    two.home.rest(0.5)
    two.far.afar.join(two.home.afar.invite(None))
    two.far.until(lambda: two.far.play is not None and two.far.play.session.afar.follows)
    texts = chosen(two.home, 0, 3)
    choose(two.home, 0, texts)
    two.far.rest(1)
    assert two.plies == texts
    assert not any(text.encode() in everything(two.far) for text in texts if text != "end")
    with pytest.raises(Refused, match="Secret moves have been made here"):
        two.home.afar.invite(1)
    choose(two.home, 1, chosen(two.home, 1, 3))
    two.far.until(lambda: two.far.play.session.plies == two.plies)
    two.stop()


def test_with_nobody_elsewhere_all_choose_anew(two: Families) -> None:
    choose(two.far, 1, chosen(two.far, 1, 3))
    two.home.until(lambda: bool(two.home.play.session.promises.pending))
    two.home.afar.end(two.home.afar.links()[0].room)
    assert not two.home.play.session.bound
    for seat in (0, 1):
        choose(two.home, seat, chosen(two.home, seat, 4))
    assert not two.home.play.session.secret


@pytest.mark.parametrize("first", ["home", "far"])
def test_everybody_can_check_the_recordings_with_one_command(tmp_path: Path, port: int, first: str) -> None:
    two = Families(tmp_path, board_for("beacons"), board_for("beacons"), port)
    two.begin("beacons")
    if first == "far":
        choose(two.far, 1, ("bid 5 7",))
        two.home.until(lambda: bool(two.home.play.session.promises.pending))
    choose(two.home, 0, ("bid 4 8",))
    if first == "home":
        two.far.until(lambda: bool(two.far.play.session.promises.pending))
        choose(two.far, 1, ("bid 5 7",))
    two.far.until(lambda: opened(two))
    ids = [family.at.seen.game_id or 0 for family in (two.home, two.far)]
    two.stop()
    home, far = files = [tmp_path / "home.jsonl", tmp_path / "far.jsonl"]
    for file, family, id in zip(files, (two.home, two.far), ids, strict=True):
        file.write_text(recorded(family.path / "games.sqlite3", id))
    said = CliRunner().invoke(cli, ["verify", *map(str, files)])
    assert said.exit_code == 0, said.output
    assert said.output.count("(as sealed): bid 5 7") == 2
    assert said.output.endswith("Everything that was opened is what was sealed.\n")
    forged = tmp_path / "forged.jsonl"
    for promise in two.far.play.session.promises.all:
        assert promise.what.nonce in home.read_text()
        forged.write_text(home.read_text().replace(promise.what.nonce, "00" * 32))
        said = CliRunner().invoke(cli, ["verify", str(far), str(forged)])
        assert said.exit_code == 1, said.output
        assert "what was opened is not what was sealed" in said.output
        assert "Something is wrong" in said.output
    said = CliRunner().invoke(cli, ["verify", str(home), __file__])
    assert said.exit_code == 2
    forged.write_text("".join(line for line in far.read_text().splitlines(True) if '"nonce"' not in line))
    said = CliRunner().invoke(cli, ["verify", str(forged)])
    assert said.exit_code == 1, said.output
    assert "Nothing was opened" in said.output
    assert "Everything" not in said.output
    said = CliRunner().invoke(cli, ["verify", str(forged), str(far)])  # another recording opens them
    assert (said.exit_code, "Never opened" in said.output) == (0, False), said.output


def test_a_whole_game_after_bids(tmp_path: Path, port: int) -> None:
    two = Families(tmp_path, board_for("beacons"), board_for("beacons"), port)
    two.begin("beacons", rounds=1)
    choose(two.home, 0, chosen(two.home, 0, 3))
    choose(two.far, 1, chosen(two.far, 1, 4))
    two.far.until(lambda: opened(two))
    for _ in range(200):
        if two.home.play.result.over:
            break
        plays_on(two, 1)
    assert two.home.play.session.final
    two.far.until(lambda: two.far.play.result == two.home.play.result)
    assert two.far.play.session.plies == two.plies
    two.stop()
