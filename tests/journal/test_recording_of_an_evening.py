"""What the service writes down replays to the very same plies at the very same times, whatever happened."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest

from controller.events import KindsKnown
from controller.game_setup import ClockRule
from controller.journal.database import Archive
from controller.magnet_kinds import MagnetKinds, Strength, Strengths
from controller.orders import AnyOrder, NewGame, OfferDraw, Pause, PlayPly, Resign, Resume, SetBrightness, TakeBack
from controller.refused import Refused
from controller.rules.registry import all_games
from controller.table.gestures.timing import Timing
from tests.hands.positions import OPENINGS
from tests.service.evenings import TIDES, Evening, assert_replays, entries, kept, recorded, start_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def lines(path: Path, game_id: int) -> list[dict[str, object]]:
    return [json.loads(line) for line in recorded(path, game_id).splitlines()]


def test_a_game_by_hand_replays_and_its_time_starts_at_zero(path: Path) -> None:
    evening = Evening(path).start().new_game().hands("-c3 +c4 -c6 -c4 +c4 +c6 -c6 +b5").wait(400)
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5")
    assert_replays(path, 1)
    assert "occupied" in lines(path, 1)[0]
    assert lines(path, 1)[1]["t_us"] == 30_000
    assert lines(path, 1)[-1]["end"] is True


def test_a_ply_that_only_quiet_made_is_in_the_recording_that_ends_with_it(path: Path) -> None:
    evening = Evening(path).start().new_game().ply("c3-d3").set_up().hands("-e3 -d3 +c3").wait(400)
    assert evening.plies == ["c3-d3", "e3xc3"]
    evening.stop()
    assert_replays(path, 1)


def test_a_magnet_that_arrives_just_before_the_game_begins_is_in_its_recording(path: Path) -> None:
    evening = Evening(path, magnets=[site for site in start_of(TIDES) if site != "c3"]).start().touch("c3", True)
    evening.order(NewGame(game=TIDES, seed=1), after_ms=3)
    evening.hands("-c3@200 +c4").wait(400)
    evening.stop()
    assert kept(path, 1) == ("c3-c4",)
    assert_replays(path, 1)
    assert lines(path, 1)[1] == {"t_us": 0, "site": "c3", "on": True}


def test_the_kinds_that_a_board_knows_and_what_its_sensors_read_are_in_the_recording(path: Path) -> None:
    """In Chess of Tam Ruat a warrior takes d12, and a chariot is put in its place: its magnet is a strong one."""
    known = (Strength(7.7, 0.6, 18), Strength(11.5, 0.9, 18), Strength(22.8, 1.8, 18))
    plies = next(plies for _, plies in OPENINGS["tam-ruat-chess"] if "d10xe11" in plies)
    evening = Evening(path, board="field144").start()
    evening.service.emit(KindsKnown(evening.clock.now_us, MagnetKinds(Strengths(known, (9.5, 17.0)))))
    evening.order(NewGame(game="tam-ruat-chess", plies=tuple(plies.split("; ")))).set_up().hands("-d12 -e11")
    evening.board.set_field("d12", 22.8)
    evening.board.set_sensor("d12", True, 1)
    evening.wait(400)
    assert evening.plies[-1] == "e11xd12=C"
    evening.stop()
    assert_replays(path, 1)
    first, *later = lines(path, 1)
    assert msgspec.convert(first["kinds"], MagnetKinds).strengths.kinds == known
    assert [line["field_mt"] for line in later if line.get("site") == "d12" and "field_mt" in line] == [-7.3, 22.8]


def test_kinds_that_are_known_only_later_and_pieces_that_lay_there_before_are_in_it_too(path: Path) -> None:
    kinds = MagnetKinds(Strengths((Strength(7.7, 0.6, 18), Strength(16.5, 1.3, 18)), (11.0,)))
    evening = Evening(path, board="field144").start().new_game()
    evening.service.emit(KindsKnown(evening.clock.now_us, kinds))
    evening.hands("-c3 +c4").new_game().stop()
    (told,) = [line["kinds_known"] for line in lines(path, 1) if "kinds_known" in line]
    assert msgspec.convert(told, MagnetKinds) == kinds
    assert_replays(path, 1)
    header, *later = lines(path, 2)
    assert msgspec.convert(header["kinds"], MagnetKinds) == kinds
    assert later[0] == {"t_us": 0, "site": "c4", "field_mt": 7.3}
    assert_replays(path, 2)


def test_take_backs_by_panel_and_by_hand_replay(path: Path) -> None:
    evening = Evening(path).start().new_game().hands("-c3 +c4 -c6 +b5 -b5 +c6")
    assert evening.plies == ["c3-c4"]
    evening.ply("c6-b5").set_up().back(0).set_up().hands("-d2 +d3").wait(400)
    assert evening.plies == ["d2-d3"]
    evening.stop()
    assert [back for _, _, back in entries(path, 1) if back is not None] == [1, 0]
    assert_replays(path, 1)


def test_plies_from_the_panel_replay_and_their_pieces_follow(path: Path) -> None:
    evening = Evening(path).start().new_game().ply("c3-c4").set_up().hands("-c6 +b5").ply("c2-d3").wait(100)
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5", "c2-d3")
    assert_replays(path, 1)


def test_a_loss_of_the_link_replays_with_what_was_moved_meanwhile(path: Path) -> None:
    evening = Evening(path).start().new_game().hands("-c3 +c4")
    evening.board.unplug()
    evening.touch("c6", False).touch("b5", True)  # unseen: no ply
    evening.board.replug()
    evening.settle()
    assert evening.plies == ["c3-c4"]
    # Nobody saw a piece move; the one legal ply that explains it is asked for.
    assert [footprint.text for footprint in evening.table.play.verdict.asked] == ["c6-b5"]
    evening.hands("-b5 +c6 -c6 +b5").wait(400)
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5")
    assert_replays(path, 1)


def test_a_game_begun_while_the_board_did_not_answer_replays(path: Path) -> None:
    evening = Evening(path).start().new_game()
    evening.board.unplug()
    evening.order(NewGame(game=TIDES, seed=2))
    evening.touch("c3", False).touch("c4", True)  # nobody saw that: the game stands as it did
    evening.board.replug()
    evening.settle().hands("-c4 +c3 -d2 +d3").wait(400)
    evening.stop()
    assert kept(path, 2) == ("d2-d3",)
    assert_replays(path, 2)


def test_a_game_replays_across_restarts_with_pieces_moved_meanwhile_and_another_timing(path: Path) -> None:
    first = Evening(path).start().new_game().ply("c3-d3").set_up()
    first.touch("e3", False).touch("d3", False).touch("c3", True).wait(150)
    assert first.plies == ["c3-d3"]  # the capture could go on and is still in the air
    first.stop()
    moved = (first.magnets | {"d3", "e3", "c4"}) - {"c3", "a2"}
    second = Evening(path, magnets=sorted(moved), timing=Timing(settle_ms=2000)).start()
    assert second.table.phase == "fix"
    second.hands("-c4 +a2").hands("-e3 -d3 +c3").wait(400)
    assert second.plies == ["c3-d3"]
    second.wait(2000)
    assert second.plies == ["c3-d3", "e3xc3"]
    second.stop()
    third = Evening(path, magnets=sorted(second.magnets)).start().hands("-b4 +b5").wait(1000)
    third.stop()
    assert_replays(path, 1)
    restarts = [line for line in lines(path, 1) if "restart" in line]
    assert len(restarts) == 2


def test_a_new_game_over_an_old_one_leaves_both_to_replay_apart(path: Path) -> None:
    evening = Evening(path).start().new_game().hands("-c3 +c4").new_game("circle").wait(100)
    evening.order(Resume(game_id=1)).set_up().hands("-c6 +b5").wait(400)
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5")
    assert kept(path, 2) == ()
    assert_replays(path, 1)
    assert_replays(path, 2)


def test_setting_up_again_after_the_end_begins_a_game_of_its_own(path: Path) -> None:
    # A short way to an end: the position after the first ply comes for the third time.
    evening = Evening(path).start().new_game()
    plies = ["d2-d3", *["c6-b5", "c3-c4", "b5-c6", "c4-c3"] * 2]
    for text in plies:
        evening.ply(text).set_up()
    assert evening.table.phase == "over"
    # The last piece to come back completes the start position; nothing is told of it before the same hand goes on.
    evening.hands("-d3 +d2 -d2 +d3").wait(400)
    assert evening.plies == ["d2-d3"]
    evening.stop()
    assert kept(path, 1) == tuple(plies)
    assert kept(path, 2) == ("d2-d3",)
    assert_replays(path, 1)
    assert_replays(path, 2)


class Mischief:
    """Somebody who does anything at any time, and mostly plays."""

    def __init__(self, path: Path, seed: int, board: str) -> None:
        self.path, self.rng, self.board_name = path, random.Random(seed), board
        self.evening = Evening(path, board).start()

    def game(self) -> str:
        placed = self.evening.table.board.placements
        return self.rng.choice([name for name in all_games() if name in placed])

    def act(self) -> None:
        evening, rng = self.evening, self.rng
        kind = rng.choices(
            ["play", "touch", "set_up", "panel", "back", "link", "new", "restart", "resume", "wait", "wish"],
            [40, 14, 8, 8, 6, 3, 1, 2, 1, 8, 3],
        )[0]
        play = evening.table.play
        if kind == "touch":
            site = rng.choice(evening.profile.sites[:90]).name
            evening.touch(site, site not in evening.magnets, rng.choice([0, 1, 5, 9, 40, 400]))
        elif kind == "wait":
            evening.wait(rng.choice([1, 7, 8, 20, 299, 300, 2000]))
        elif kind == "restart":
            self.restart()
        elif kind == "link":
            evening.board.unplug()
            evening.settle()
            site = rng.choice(evening.profile.sites).name
            evening.touch(site, site not in evening.magnets, rng.choice([0, 5, 400]))
            evening.board.replug()
            evening.settle()
        elif play is None or kind == "new":
            clock = rng.choice([None, ClockRule(minutes=1)])
            self.ask(NewGame(game=self.game(), seed=rng.choice([None, 3]), clock=clock))
            if rng.random() < 0.8:
                evening.set_up(rng.choice([1, 9, 30]))
        elif kind == "set_up":
            evening.set_up(rng.choice([1, 9, 30]))
        elif kind == "wish":
            wishes: list[AnyOrder] = [SetBrightness(percent=rng.randrange(101)), Resign(seat=0)]
            wishes += [OfferDraw(seat=1), OfferDraw(seat=0), Pause(on=True), Pause(on=False), Pause(on=False)]
            self.ask(rng.choice(wishes))
        elif kind == "back":
            self.ask(TakeBack(to=rng.choice([None, None, 0, 1, 2])))
        elif kind == "resume":
            self.ask(Resume(game_id=rng.randrange(1, 4)))
        else:
            game, state = play.session.game, play.session.state
            texts = [game.text(state, ply) for ply in game.plies(state)]
            if not texts:
                evening.set_up(9)
            elif kind == "panel" or not play.settled.position.footprints:
                self.ask(PlayPly(text=rng.choice(texts)))
            else:
                self.by_hand()

    def by_hand(self) -> None:
        """Make a legal ply as a hand does, at a pace of its own."""
        evening, play = self.evening, self.evening.table.play
        assert play is not None
        footprint = self.rng.choice(play.settled.position.footprints)
        site = {1 << i: site for i, site in enumerate(evening.table.board.sites)}
        pace = self.rng.choice([2, 12, 60, 350])
        leaving = [site[bit] for bit in site if footprint.empties & bit]
        arriving = [site[bit] for bit in site if (footprint.fills | footprint.refills) & bit]
        refilled = [site[bit] for bit in site if footprint.refills & bit]
        self.rng.shuffle(leaving)
        for name in leaving + refilled:
            if name in evening.magnets:
                evening.touch(name, False, pace)
        for name in arriving:
            if name not in evening.magnets:
                evening.touch(name, True, pace)

    def restart(self) -> None:
        old = self.evening
        old.stop()
        magnets = set(old.magnets)
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            magnets ^= {self.rng.choice(old.profile.sites).name}
        timing = Timing(settle_ms=self.rng.choice([100, 300]))
        self.evening = Evening(self.path, self.board_name, sorted(magnets), old.clock, timing).start()

    def ask(self, order: AnyOrder) -> None:
        try:
            self.evening.order(order, self.rng.choice([0, 3, 400]))
        except Refused:
            self.evening.settle()


@pytest.mark.parametrize("board", ["square144", "hex91"])
@pytest.mark.parametrize("seed", range(3))
def test_any_evening_replays(path: Path, board: str, seed: int) -> None:
    mischief = Mischief(path, seed, board)
    for _ in range(80):
        mischief.act()
    assert mischief.evening.seen.fault == ""
    mischief.evening.stop()
    last = Archive(path).last()
    assert last is not None
    for game_id in range(1, last.game_id + 1):
        assert_replays(path, game_id)


def test_on_a_board_of_linear_sensors_the_field_of_each_magnet_that_came_is_recorded(path: Path) -> None:
    evening = Evening(path, board="cell36").start().new_game()
    evening.board.set_field("c4", 12.1)
    evening.hands("-c3 +c4 -c6")
    evening.board.set_sensor("b5", True, -1)
    evening.wait(400)
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5")
    assert_replays(path, 1)
    read = [(line["site"], line["field_mt"]) for line in lines(path, 1) if "field_mt" in line]
    assert read[-2:] == [("c4", 12.1), ("b5", -7.3)]
