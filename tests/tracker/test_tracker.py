"""The tracker beside the rules: agreement, disagreement, silence, and what the service says of each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from controller.app.assembly import build
from controller.devices.link.messages import Reading
from controller.from_profile import table_board
from controller.journal.database import Journal
from controller.rules.shells import Cost, adjacencies, cost, cost_map
from controller.settings import Settings
from controller.table.state import Play, Table
from controller.tracker import circuit_model, judgement
from controller.tracker.circuit_model import TrackerFault, TrackerSample
from controller.tracker.judgement import COMPUTED, Judgement, Ruled, Tracker
from controller.tracker.watch import LOOK_S, TrackerWatch
from hardware.profile import load
from hardware.tracker_circuit import TOLERANCE, Seam, circuit_of
from tests.service.evenings import Evening
from tests.waiting import HandClock, until

PROFILE = load("shell19")
CIRCUIT = circuit_of(PROFILE.cells, {site.name: site.bit for site in PROFILE.sites})
HALF_S = 500_000


def random_shells(seed: int) -> dict[str, int]:
    dice = random.Random(seed)
    return {tile: dice.getrandbits(6) for tile in CIRCUIT.registers}


def reading(seam: Seam, shells: Mapping[str, int], fault: TrackerFault | None = None) -> Reading:
    """Return what the board sends where the sensors see ``shells``."""
    a, b = shells[seam.tile_a], shells[seam.tile_b]
    counts = [int(level) for level in circuit_model.levels(CIRCUIT, TrackerSample(a, b, ()), fault)]
    return Reading(0, seam.register_a, seam.register_b, a | 64, b, counts[0], counts[1], counts[2])


def round_of(shells: Mapping[str, int], fault: TrackerFault | None = None) -> list[Reading]:
    return [reading(seam, shells, fault) for seam in CIRCUIT.seams]


def after(readings: list[Reading], rounds: int = judgement.STEADY, start: Tracker | None = None) -> Tracker:
    now = start or judgement.begin(CIRCUIT, 0)
    for _ in range(rounds):
        for each in readings:
            now = judgement.take(now, each, 0)
    return now


def ruled(shells: Mapping[str, int]) -> Ruled:
    """Return what the rules core makes of ``shells``."""
    mesh = PROFILE.cells
    between = adjacencies(mesh, "reflect")
    found = cost_map(between, [shells[tile] for tile in mesh.cells], 6, "reflect")
    pairs = zip(between, found, strict=True)
    return Ruled(shells, {(mesh.cells[a], mesh.cells[b]): price for (a, b, _, _), price in pairs})


def sentence(now: Tracker, shells: Mapping[str, int] | None, now_us: int = 0) -> str:
    return judgement.judge(now, ruled(shells) if shells is not None else None, now_us).sentence


# ---- judging ----------------------------------------------------------------------------------------------


def test_where_all_agree_nothing_is_said_and_every_cost_is_measured() -> None:
    shells = random_shells(1)
    told = judgement.judge(after(round_of(shells)), ruled(shells), 0)
    assert told.sentence == ""
    assert len(told.measured) == 42
    mesh = PROFILE.cells
    for pair, measured in told.measured.items():
        a, b = pair.split("-")
        side = mesh.neighbours[mesh.index(a)].index(mesh.index(b))
        assert measured == str(cost(shells[a], shells[b], side, (side + 3) % 6, 6, "reflect"))


def test_a_node_that_sensors_and_rules_see_otherwise_is_named_with_both_costs() -> None:
    shells = random_shells(1)
    seen = {**shells, "c3": shells["c3"] ^ 1 << 4}
    told = sentence(after(round_of(seen)), shells)
    was, now = ("empty", "occupied") if seen["c3"] >> 4 & 1 else ("occupied", "empty")
    assert told.startswith("Between b3 and c3 the tracker measures H = ")
    assert f"Most likely node c3:4, which reads {now} but is {was} by the rules: check magnet and sensor" in told
    assert ", and at 5 more adjacencies" in told  # all six round c3
    assert told.endswith(COMPUTED)


def test_a_shell_that_a_hand_is_turning_is_no_disagreement_until_it_rests() -> None:
    shells, dice = random_shells(1), random.Random(3)
    now = after(round_of(shells))
    for _ in range(10):
        turning = {**shells, "c3": dice.getrandbits(6)}
        now = after(round_of(turning), judgement.STEADY - 1, now)
        assert sentence(now, shells) == ""
    resting = {**shells, "c3": shells["c3"] ^ 1}
    assert sentence(after(round_of(resting), judgement.STEADY, now), shells) != ""
    assert sentence(after(round_of(shells), 1, now), shells) == ""


def test_a_shell_that_keeps_its_costs_while_a_hand_turns_it_is_no_disagreement_until_it_rests() -> None:
    empty = dict.fromkeys(CIRCUIT.registers, 0)
    now = after(round_of(empty))
    for node in (0, 1, 2, 3, 4, 5) * 2:  # one magnet, that makes one node differ on each side wherever it is
        now = after(round_of({**empty, "c3": 1 << node}), judgement.STEADY - 1, now)
        assert sentence(now, empty) == ""
    assert "node c3:5, which reads occupied" in sentence(after(round_of({**empty, "c3": 1 << 5}), 1, now), empty)


def test_a_piece_on_a_tile_is_none_of_its_shell_and_may_come_and_go() -> None:
    shells = random_shells(1)
    now = after(round_of(shells))
    seen = {**shells, "c3": shells["c3"] ^ 1 << 4}
    for presence in (0, 64, 0):  # bit 6 of a hex's register says whether a piece stands there
        for each in round_of(seen):
            placed = msgspec.structs.replace(each, bits_a=each.bits_a & 63 | presence, bits_b=each.bits_b | presence)
            now = judgement.take(now, placed, 0)
    assert "Most likely node c3:4" in sentence(now, shells)


def test_rules_that_reckon_another_cost_for_the_very_same_shells_are_told_as_such() -> None:
    shells = random_shells(1)
    right = ruled(shells)
    wrong = Ruled(shells, {**right.costs, ("b3", "c3"): Cost(1, 0)})
    told = judgement.judge(after(round_of(shells)), wrong, 0).sentence
    assert f"(cost {right.costs['b3', 'c3']}), the rules compute H = 6 (cost 1:0)" in told
    assert "Sensors and rules agree on the shells, so either the tracker or the rules compute the cost wrongly" in told


@pytest.mark.parametrize(("pairs", "more"), [(1, ""), (2, ", and at another adjacency"), (3, ", and at 2 more")])
def test_of_several_adjacencies_one_is_told_and_how_many_others(pairs: int, more: str) -> None:
    shells = dict.fromkeys(CIRCUIT.registers, 0)
    seams = [CIRCUIT.seam("c3", other) for other in ("b3", "c2", "d3")[:pairs]]
    wrong = {(seam.tile_a, seam.tile_b): Cost(1, 0) for seam in seams}
    told = judgement.judge(after(round_of(shells)), Ruled(shells, {**ruled(shells).costs, **wrong}), 0).sentence
    assert f"the rules compute H = 6 (cost 1:0){more}" in told
    assert ("adjacenc" in told) == (pairs > 1)


@pytest.mark.parametrize(("nodes", "more"), [(3, ""), (4, "1 more"), (6, "3 more")])
def test_of_many_nodes_three_are_named_and_the_others_counted(nodes: int, more: str) -> None:
    empty = dict.fromkeys(CIRCUIT.registers, 0)
    told = sentence(after(round_of({**empty, "c3": (1 << nodes) - 1})), empty)
    assert all((f"c3:{node}" in told) == (node < 3) for node in range(nodes))
    assert told.count(" more: check magnet and sensor") == bool(more)
    assert more in told


def test_a_voltage_that_is_a_little_off_is_told_with_the_right_one() -> None:
    shells = dict.fromkeys(CIRCUIT.registers, 0)
    within = msgspec.structs.replace(reading(CIRCUIT.seams[0], shells), axis_0=TOLERANCE)
    assert sentence(after([within], 2, after(round_of(shells))), shells) == ""
    off = msgspec.structs.replace(within, axis_0=TOLERANCE + 1)
    told = sentence(after([off], 2, after(round_of(shells))), shells)
    assert "axis 0 reads 0.09 V, which is off the voltage for H = 0 (0.00 V)" in told


def test_of_an_axis_from_which_no_cost_is_read_it_is_told_too_but_after_those_that_matter() -> None:
    shells = dict.fromkeys(CIRCUIT.registers, 0)
    seam = CIRCUIT.seams[0]
    assert seam.axis == 0
    unseen = msgspec.structs.replace(reading(seam, shells), axis_1=600)
    told = judgement.judge(after([unseen], 2, after(round_of(shells))), None, 0)
    assert "between a3 and a4 axis 1 reads 2.93 V" in told.sentence
    assert "a3-a4" in told.measured
    seen = msgspec.structs.replace(unseen, axis_0=200)
    told = judgement.judge(after([seen], 2, after(round_of(shells))), None, 0)
    assert "between a3 and a4 axis 0 reads 0.98 V" in told.sentence
    last = CIRCUIT.seams[-1]
    axis = f"axis_{last.axis}"
    other = msgspec.structs.replace(reading(last, shells), **{axis: 200})
    told = judgement.judge(after([unseen, other], 2, after(round_of(shells))), None, 0)
    assert f"between {last.tile_a} and {last.tile_b} axis {last.axis} reads 0.98 V" in told.sentence
    assert ", and at another adjacency" in told.sentence


def test_a_reading_whose_cost_is_spoilt_is_told_before_one_that_is_further_off_where_nobody_looks() -> None:
    shells = {**dict.fromkeys(CIRCUIT.registers, 0), "a3": 0b111111}
    first, last = CIRCUIT.seams[0], CIRCUIT.seams[-1]
    unseen, seen = reading(first, shells), reading(last, shells)
    unseen = msgspec.structs.replace(unseen, axis_1=unseen.axis_1 - 300)
    axis = f"axis_{last.axis}"
    seen = msgspec.structs.replace(seen, **{axis: getattr(seen, axis) + 100})
    told = judgement.judge(after([unseen, seen], 2, after(round_of(shells))), None, 0)
    assert f"between {last.tile_a} and {last.tile_b} axis {last.axis} reads 0.49 V" in told.sentence


def test_without_a_game_the_circuit_is_held_against_the_sensors_alone() -> None:
    shells = random_shells(1)
    assert sentence(after(round_of(shells)), None) == ""
    assert "gate 2 of U3 (node 1, axis 0) is stuck high" in sentence(
        after(round_of(shells, TrackerFault("gate", 0, 1, 1.0))), None
    )


def test_one_bad_reading_alone_is_passed_over() -> None:
    shells = random_shells(1)
    good = after(round_of(shells))
    spoilt = msgspec.structs.replace(reading(CIRCUIT.seams[0], shells), axis_0=600)
    once = judgement.take(good, spoilt, 0)
    assert sentence(once, shells) == ""
    assert "between a3 and a4 axis 0 reads 2.93 V" in sentence(judgement.take(once, spoilt, 0), shells)


def test_a_voltage_between_two_levels_is_told_with_the_nearest() -> None:
    shells = dict.fromkeys(CIRCUIT.registers, 0)
    spoilt = msgspec.structs.replace(reading(CIRCUIT.seams[0], shells), axis_0=250)
    now = after([spoilt], 2, after(round_of(shells)))
    told = judgement.judge(now, ruled(shells), 0)
    said = "axis 0 reads 1.22 V, between H = 1 (0.83 V) and H = 2 (1.67 V), where the sensors give H = 0"
    assert said in told.sentence
    assert "a3-a4" not in told.measured
    assert len(told.measured) == 41


def test_a_tracker_that_answers_nothing_is_told_once_it_has_had_its_time() -> None:
    now = after(round_of(random_shells(1)))
    assert sentence(now, None, judgement.SILENT_US) == ""
    told = judgement.judge(now, None, judgement.SILENT_US + 1)
    assert told.sentence.startswith("The tracker is not responding: check its connector")
    assert told.sentence.endswith(COMPUTED)
    assert told.measured == {}


def test_an_answer_for_the_wrong_pair_is_told_and_forgotten() -> None:
    shells = random_shells(1)
    good = after(round_of(shells))
    strange = msgspec.structs.replace(round_of(shells)[0], register_b=36)
    now = judgement.take(good, strange, 1_000_000)
    told = sentence(now, shells, 1_000_000)
    assert told.startswith("The tracker answered for registers 1 and 37 of the chain, which are not neighbouring tiles")
    at_last = msgspec.structs.replace(now, heard_us=3_000_000)
    assert sentence(at_last, shells, 3_000_000) == told
    assert len(judgement.judge(at_last, None, 3_000_000).measured) == 42
    assert sentence(at_last, shells, 3_000_001) == ""
    later = after(round_of(shells), 1, now)
    later = msgspec.structs.replace(later, heard_us=3_500_000)
    assert sentence(later, shells, 3_500_000) == ""


def test_a_part_that_these_shells_cannot_tell_from_others_is_not_guessed() -> None:
    empty = dict.fromkeys(CIRCUIT.registers, 0)
    told = sentence(after(round_of(empty, TrackerFault("gate", 1, 2, 1.0))), empty)
    assert "most likely a gate of axis 1, but these shells do not show which" in told


@pytest.mark.parametrize("seed", range(5))
def test_an_honest_circuit_is_never_complained_of_whatever_the_shells(seed: int) -> None:
    shells = random_shells(seed)
    dice = random.Random(seed)
    off = TOLERANCE - 2
    noisy = []
    for each in round_of(shells):
        counts = {name: getattr(each, name) + dice.randint(-off, off) for name in ("axis_0", "axis_1", "axis_2")}
        noisy.append(msgspec.structs.replace(each, **{name: max(read, 0) for name, read in counts.items()}))
    assert sentence(after(noisy), shells) == ""


# ---- in the service ---------------------------------------------------------------------------------------


class TrackedEvening(Evening):
    """An evening on shell19 with a tracker that reads what the simulated sensors see, through ``fault``."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, board="shell19", clock=HandClock())
        self.watch = TrackerWatch(CIRCUIT, lambda: self.service.look().table, self.service.judged, self.clock)
        self.fault: TrackerFault | None = None
        self.answers = True

    def rounds(self, count: int = judgement.STEADY + 1) -> str:
        """Let rounds pass; return what is wrong by the service then."""
        for _ in range(count):
            self.wait(judgement.EVERY_MS)
            if self.answers:
                for each in round_of(self.sensed(), self.fault):
                    self.watch.take(each)
            self.watch.look()
        return self.settle().seen.fault

    def sensed(self) -> dict[str, int]:
        return {
            tile: sum(1 << node for node in range(6) if f"{tile}:{node}" in self.magnets) for tile in CIRCUIT.registers
        }


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[TrackedEvening]:
    evening = TrackedEvening(tmp_path / "games.sqlite3")
    evening.start()
    yield evening
    evening.stop()


def costs_of(play: Play) -> dict[str, str]:
    """Return the costs that the rules show, as the tracker writes them."""
    shells = play.session.game.look(play.session.state, None).shells
    assert shells is not None
    return {f"{a}-{b}": cost.text for (a, b), cost in shells.costs.items()}


def test_an_evening_in_which_rules_and_circuit_agree_has_every_measured_cost(evening: TrackedEvening) -> None:
    evening.new_game("beacons", template="trial")
    assert evening.rounds() == ""
    play = evening.table.play
    assert play is not None
    computed = costs_of(play)
    assert evening.seen.measured == computed


def test_a_node_that_loses_its_magnet_is_told_and_mended(evening: TrackedEvening) -> None:
    evening.new_game("beacons", template="trial")
    evening.rounds()
    node = next(site for site in sorted(evening.magnets) if site.startswith("c3:"))
    evening.touch(node, False)
    assert evening.rounds(judgement.STEADY - 1) == ""
    told = evening.rounds()
    assert f"Most likely node {node}, which reads empty but is occupied by the rules" in told
    play = evening.table.play
    assert play is not None
    assert evening.seen.measured != costs_of(play)  # both are shown
    evening.touch(node, True)
    assert evening.rounds() == ""


def test_a_broken_part_is_told_with_a_game_and_without(evening: TrackedEvening) -> None:
    assert evening.rounds() == ""
    evening.fault = TrackerFault("resistor", 1, 3, 0.0)
    evening.new_game("beacons", template="trial")
    assert "resistor R10 (node 3, axis 1) is open" in evening.rounds()
    evening.fault = None
    assert evening.rounds() == ""


def test_a_tracker_that_goes_silent_is_told_until_it_answers(evening: TrackedEvening) -> None:
    assert evening.rounds() == ""
    evening.answers = False
    assert "The tracker is not responding" in evening.rounds(6)
    assert evening.seen.measured == {}
    evening.answers = True
    assert evening.rounds() == ""


def test_while_the_sensor_board_is_gone_the_tracker_is_not_complained_of(evening: TrackedEvening) -> None:
    evening.rounds()
    evening.board.unplug()
    evening.settle()
    evening.answers = False
    assert evening.rounds(10) == ""
    evening.board.replug()
    evening.answers = True
    assert evening.rounds() == ""


def test_a_game_whose_shells_are_turned_is_not_held_against_the_circuit(evening: TrackedEvening) -> None:
    evening.new_game("beacons", mode="rotate", template="trial")
    assert evening.table.play is not None
    assert judgement.rules_on(evening.table) is None
    assert evening.rounds() == ""


def test_while_the_board_is_being_set_up_there_is_nothing_to_compare(evening: TrackedEvening) -> None:
    assert judgement.rules_on(evening.table) is None
    evening.new_game("beacons", template="trial")
    found = judgement.rules_on(evening.table)
    assert found is not None
    assert found.shells == evening.sensed()


def test_the_pis_own_pins_cannot_read_the_tracker_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.app.assembly.rpi_gpio", lambda: None)  # the pins are never touched here
    with ExitStack() as held:
        rig = build(PROFILE, Settings(sensors="gpio"), Journal(tmp_path / "games.sqlite3"), held)
        assert rig.tracker is None
        rig.service.start()
        told = next(seen.fault for seen in rig.service.watch() if seen is not None and seen.fault)
        rig.service.stop()
    assert told == "The Pi's own pins cannot read the tracker (a sensor board can), so costs are computed."


def test_a_simulated_board_has_no_tracker_and_nothing_is_said(tmp_path: Path) -> None:
    with ExitStack() as held:
        rig = build(PROFILE, Settings(), Journal(tmp_path / "games.sqlite3"), held)
        rig.start()
        assert rig.tracker is None
        rig.stop()
        assert rig.service.look().fault == ""


def test_a_judgement_is_told_only_when_it_changes() -> None:
    told: list[Judgement] = []
    clock = HandClock()

    watch = TrackerWatch(CIRCUIT, lambda: Table(table_board(PROFILE)), told.append, clock)
    for _ in range(5):
        for each in round_of(random_shells(1)):
            watch.take(each)
        clock.now_us += HALF_S
        watch.look()
    assert len(told) == 1


def test_rules_that_fail_at_the_readings_are_told_until_they_do_not(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Judgement] = []
    faulty = True

    def rules_on(table: Table) -> None:
        if faulty:
            raise KeyError("c3")

    monkeypatch.setattr(judgement, "rules_on", rules_on)
    monkeypatch.setattr("controller.tracker.watch.LOOK_S", 0.001)
    watch = TrackerWatch(CIRCUIT, lambda: Table(table_board(PROFILE)), told.append, HandClock())
    watch.start()
    until(lambda: len(told) > 2)
    faulty = False
    until(lambda: told[-1] == Judgement())
    watch.stop()
    assert told[0].sentence.startswith("The tracker's readings cannot be checked (KeyError")
    assert caplog.text.count("the tracker's readings cannot be judged") == 1


def test_a_round_is_asked_for_each_half_second_and_judged_as_often() -> None:
    assert (judgement.EVERY_MS, LOOK_S) == (500, 0.5)


def test_a_game_without_shells_has_nothing_to_compare(tmp_path: Path) -> None:
    plain = Evening(tmp_path / "games.sqlite3")
    plain.start()
    plain.new_game()
    assert plain.table.play is not None
    assert not plain.table.play.setting_up
    assert judgement.rules_on(plain.table) is None
    plain.stop()


def test_a_watch_that_never_began_can_be_stopped() -> None:
    TrackerWatch(CIRCUIT, lambda: Table(table_board(PROFILE)), lambda judgement: None, HandClock()).stop()
