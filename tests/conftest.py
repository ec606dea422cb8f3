"""What all tests share: how long an example may take, one Chromium for the whole run, and which tests are in real time.

A test that needs the browser, the emulator or the whole program is marked ``realtime``: it waits for other processes,
so that a busy machine can make it late. It alone may be repeated, once, and the summary lists each repeat.
"""

import gc
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import settings
from jinja2 import FileSystemBytecodeCache
from playwright.sync_api import Browser

from controller.rules import registry
from controller.service.sifting import join_by_touch
from controller.service.thinking import process
from tests.chromium import KeptChromium
from tests.known_addresses import KnownAddress

# A slow machine is no failure: how long an example takes is measured elsewhere, never asserted.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# What is tested is Beaconboard as it comes: a game from a package that happens to be installed beside it is imported by
# no process that a test starts, but where the test says so.
os.environ.setdefault(registry.VERDICTS, "{}")

# Hundreds of tests start a panel of their own: its pages are compiled once for all of them.
Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache()}
Flask.url_rule_class = KnownAddress

# A thinking process gives way to all others; beside other tests one would be waited for for half a minute.
process.COMMAND = (sys.executable, "-m", "tests.engine.eager_think")

# A piece that joins a phone lies on its cell for less time, in hundreds of stories.
join_by_touch.PROOF_US = 100_000

# Stories that several files tell lie outside of them; their asserts are to say what they found, too.
pytest.register_assert_rewrite("tests.devices.board_contract")

REALTIME_FOLDERS = ("tests/e2e/", "tests/firmware/")

# Files that `make check` leaves to `make test`, as most of their tests are slow, or so many that they make it so. In
# any other file a slow test is marked where it is.
SLOW_FILES = frozenset(
    f"tests/{name}.py"
    for name in (
        "afar/test_home_lies", "afar/test_way_tried", "diagnostics/test_guided_check", "diagnostics/test_strength",
        "engine/test_analysis", "engine/test_characters", "engine/test_player",
        "engine/test_puzzles", "engine/test_secrets", "hardware/test_bill", "hardware/test_field", "hardware/test_fit",
        "hardware/test_pcb_drawn", "hardware/test_pcb_houses", "hardware/test_printables", "https/test_brought",
        "https/test_secure_pages", "install/test_installer", "journal/test_damaged_journal",
        "journal/test_recording_of_an_evening", "lab/test_run", "panel/test_finishing_hand", "service/test_board_seats",
        "service/test_faulty_games", "service/test_service", "strangers/test_strangers", "table/test_board_seats",
        "table/test_doubt", "table/test_fifteen_stories", "table/test_fifteen_stories_on", "table/test_hands",
        "table/test_kept_doubts", "table/test_kept_evenings", "table/test_lessons", "table/test_never_silent",
        "table/test_soak",
        "web_panel/test_asking_back", "web_panel/test_german_pages",
        "web_panel/test_history_refusals", "web_panel/test_language", "web_panel/test_panel_http",
        "web_panel/test_people", "web_panel/test_workshop",
    )
)  # fmt: skip

# What is round the table: the board and its firmware, the house, phones far away; the panel in each state that it can
# be shown in; evenings by referees from outside. `make test` leaves what is not quick of it to `make full`, which
# .ci/run makes.
FULL = tuple(
    f"tests/{name}"
    for name in (
        "afar/", "appliance/", "by_the_seeds/", "devices/", "diagnostics/", "e2e/", "firmware/", "hardware/", "house/",
        "https/", "install/", "lab/", "notices/", "web_panel/test_staged_",
    )
)  # fmt: skip

# Whole games and evenings in Chromium or the emulator, each page in each language, and how well the board plays: they
# take two thirds of the time of all. Only `make long` tells them.
LONG_FILES = frozenset(
    f"tests/{name}.py"
    for name in (
        "afar/test_afar_browser", "afar/test_bad_line", "afar/test_clocks",
        "afar/test_phone_browser", "afar/test_phone_clocks", "afar/test_phone_sealed_browser",
        "afar/test_secrets", "afar/test_slow_games_browser", "afar/test_two_services",
        "e2e/test_against_the_board_in_emulation", "e2e/test_games_in_emulation", "e2e/test_play_in_the_browser",
        "engine/test_compiled", "firmware/test_rp2040_in_emulation", "firmware/test_tracker_in_emulation",
        "house/test_boards", "house/test_secrets_at_home", "notices/test_notices_browser",
        "outside_game/test_outside_games",
        "service/test_faulty_games", "service/test_speaker_heard",
        "web_panel/test_analysis_browser", "web_panel/test_api", "web_panel/test_arrange_browser",
        "web_panel/test_dial_browser", "web_panel/test_first_load", "web_panel/test_german_pages",
        "web_panel/test_guided_check_page", "web_panel/test_help_browser", "web_panel/test_history_browser",
        "web_panel/test_join_browser",
        "web_panel/test_layout_browser", "web_panel/test_lobby_browser", "web_panel/test_match_browser",
        "web_panel/test_panel_hands_browser", "web_panel/test_people_browser",
        "web_panel/test_play_games", "web_panel/test_ring_browser", "web_panel/test_seats_browser",
        "web_panel/test_secret_hint", "web_panel/test_secrets_compared", "web_panel/test_settings_browser",
        "web_panel/test_share_browser", "web_panel/test_sharing_browser", "web_panel/test_stories_of_players_browser",
        "web_panel/test_tapper_browser", "web_panel/test_taps_browser",
        "web_panel/test_turn_ends_browser",
        "web_panel/test_unseen_browser", "web_panel/test_zoom_browser",
        "afar/test_phone_command", "e2e/test_health_in_the_browser", "engine/test_recaptures",
        "lab/test_planted_faults", "lab/test_report", "web_panel/test_decided_browser",
        "web_panel/test_every_width_browser", "web_panel/test_reach_restart", "engine/test_player",
        "engine/test_puzzles", "engine/test_turn_puzzles",
        "power_cuts/test_power_cuts", "rules/test_tam_ruat_chess_twin",
        "strangers/test_strangers", "web_panel/test_card_browser", "web_panel/test_first_evening_browser",
        "web_panel/test_large_text_browser", "web_panel/test_own_hands_browser", "web_panel/test_play_browser",
        "web_panel/test_runs_browser",
        "https/test_secure_browser", "web_panel/test_costs_browser", "web_panel/test_evening_browser",
        "web_panel/test_film_browser", "web_panel/test_marks_browser", "web_panel/test_network_browser",
        "web_panel/test_progress_browser", "web_panel/test_reach_browser", "web_panel/test_speech_browser",
        "web_panel/test_updates_browser", "web_panel/test_workshop_browser",
    )
)  # fmt: skip


# Stories that take long for what they add to those beside them, and how many of each: every third or fifth, or none
# (0), stays in `make full`; the first name that fits counts, and of a file only what it tells several times over.
# `make long` tells all others, and `make mutants` asks them as well.
THOROUGH = {
    f"tests/{name}": every
    for name, every in {
        "afar/test_home_lies.py": 3,
        "afar/test_lies.py": 3,
        "afar/test_phone_lies.py": 2,
        "backups/test_putting_back.py::test_whatever_fails_the_old_or_the_new_is_there_whole": 4,
        "by_the_seeds/test_by_the_seeds.py::test_phones_play_as_the_texts_say": 0,
        "diagnostics/test_strength.py::": 3,
        "e2e/test_backups_in_the_browser.py::": 0,
        "e2e/test_play_in_emulation.py::test_a_game_begins_on_a_board_that_comes_assembled": 2,
        "engine/test_beacons_turns.py::test_the_best_level_which_helps_people_carries_nothing_to_and_fro": 0,
        "engine/test_endgames.py::test_each_position_is_worth_what_its_plies_lead_to": 0,
        "engine/test_endgames.py::test_the_master_wins_the_longest_ending_as_soon_as_it_can": 0,
        "engine/test_levels.py::test_a_weak_level_of_beacons_lights_beacons_and_does_not_spend_itself": 0,
        "engine/test_secrets.py::test_bids_do_not_follow_the_bids_of_others": 0,
        "firmware/test_board_drive.py::test_firmware_from_before_knows_no_such_request": 0,
        "firmware/test_firmware_contract.py::TestFirmwareOfFields": 3,
        "firmware/test_firmware_core.py::test_strange_bytes_and_messages_do_no_harm": 2,
        "firmware/test_firmware_in_emulation.py::test_a_change_keeps_its_time_however_late_it_is_heard[rp2040]": 0,
        "firmware/test_firmware_in_emulation.py::test_a_terrible_line_and_restarts_end_in_the_truth[rp2040": 0,
        "firmware/test_firmware_in_emulation.py::": 3,
        "hardware/test_bill.py": 3,
        "hardware/test_field.py": 3,
        "hardware/test_fit.py": 3,
        "hardware/test_pcb_boards.py": 2,
        "hardware/test_pcb_drawn.py": 3,
        "hardware/test_pcb_houses.py": 3,
        "hardware/test_printables.py": 3,
        "hardware/test_tray.py": 3,
        "hardware/test_spice_line.py": 3,
        "https/test_brought.py::test_each_wrong_thing_is_one_sentence": 5,
        "https/test_secure_pages.py::test_another_address_is_in_the_certificate_within_a_minute": 0,
        "journal/test_damaged_journal.py::test_damage_in_a_field_is_told_and_the_board_plays": 3,
        "journal/test_recording_of_an_evening.py::test_any_evening_replays": 3,
        "lab/test_run.py::test_a_case_that_is_known_well_enough_is_played_no_further": 0,
        "lab/test_run.py::test_a_scheduler_with_certificates_is_used_by_those_who_have_them_alone": 0,
        "panel/test_finishing_hand.py::test_a_game_is_played_by_taps_alone": 3,
        "panel/test_finishing_hand.py::test_who_takes_time_over_a_lesson_is_told_what_to_tap_next": 5,
        "panel/test_finishing_hand.py::test_whoever_taps_what_a_lesson_says_makes_its_moves": 3,
        "rules/test_beacons.py::test_plays_as_its_twin_does_from_crowded_positions": 0,
        "rules/test_conformance.py::test_a_game_keeps_its_promises": 5,
        "service/test_kept_services.py": 3,
        "table/test_hands.py::test_a_board_that_knows_kinds_asks_less_and_reads_no_worse": 0,
        "table/test_hands.py::test_a_board_that_tells_poles_asks_less_and_reads_no_worse": 0,
        "table/test_hands.py::test_each_story_occurs_in_each_of_its_games_and_is_read_as_it_was_meant": 5,
        "table/test_hint_reasons.py::test_no_stone_is_brought_to_a_town_from_nearer_to_it": 0,
        "table/test_kept_doubts.py": 3,
        "table/test_kept_evenings.py": 3,
        "table/test_kept_gestures.py": 5,
        "web_panel/test_diagnostics_page.py::test_kinds_are_measured_by_a_walk": 0,
        "web_panel/test_feats_browser.py": 2,
        "web_panel/test_left_lying_browser.py::test_a_puzzle_over_a_game_left_lying": 0,
        "web_panel/test_left_lying_browser.py::test_whose_game_made_room": 0,
        "web_panel/test_room_of_the_card_browser.py": 2,
        "web_panel/test_sides_browser.py::test_each_of_four_players_has_the_own_corner_near": 0,
        "web_panel/test_small_phones_browser.py": 2,
    }.items()
}


# What says how programs play by the statistics of many games, whole games told without the screen, what is compiled,
# and what of far play, the house and one chip takes long and hangs on clocks or other programs: `make night`. All else
# must fit into `make full` or `make long`.
NIGHT_FILES = frozenset(
    f"tests/{name}.py"
    for name in (
        "afar/test_bad_line", "afar/test_clocks", "afar/test_phone_clocks", "afar/test_phone_sealed_browser",
        "afar/test_slow_games_browser", "engine/test_characters", "engine/test_compiled",
        "firmware/test_rp2040_in_emulation", "house/test_boards", "notices/test_notices_browser",
        "web_panel/test_unseen_games_browser",
    )
)  # fmt: skip


# One story of each subject whose tests are all slow, or need a browser or the emulator: `make check` tells it, too.
CHECKED = frozenset(
    f"tests/{name}"
    for name in (
        "e2e/test_play_in_emulation.py::test_a_pulled_cable_is_told_and_the_game_goes_on_when_it_is_back",
        "firmware/test_firmware_in_emulation.py::test_a_board_greets_and_tells_what_stands_on_it[atmega328p]",
        "strangers/test_strangers.py::test_an_evening_of_the_same_name_is_the_same",
        "web_panel/test_panel_browser.py::test_it_tells_who_is_to_move_what_happened_and_what_to_do",
    )
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many tests go side by side: more than there are cores, as many wait for a page or another process."""
    return (os.cpu_count() or 1) * 2


def marks_of_file(file: str) -> set[str]:
    """Return the marks that every test of a file has."""
    listed = {"slow": SLOW_FILES, "long": LONG_FILES, "night": NIGHT_FILES}
    marks = {mark for mark, files in listed.items() if file in files}
    return marks | {"realtime"} if file.startswith(REALTIME_FOLDERS) else marks


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even read a file of which the run tells no test, whatever other marks its tests may have."""
    told = config.option.markexpr
    file = collection_path.relative_to(config.rootpath).as_posix()
    marks = marks_of_file(file)
    if not told or not marks or any(name.startswith(f"{file}::") for name in CHECKED):
        return None
    more = {"realtime", "slow", "full", "thorough", "long", "night"} - marks
    for chosen in product((False, True), repeat=len(more)):
        has = defaultdict(bool, zip(more, chosen, strict=True)) | dict.fromkeys(marks, True)
        if eval(told, {"__builtins__": {}}, has):  # its words are Python's own: and, or, not
            return None
    return True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is told when; what takes longest in its run begins before all others."""
    told = Counter[str]()
    for item in items:
        for mark in marks_of_file(item.nodeid.partition("::")[0]):
            item.add_marker(mark)
        if item.nodeid in CHECKED:
            item.add_marker(pytest.mark.checked)
        needs = getattr(item, "fixturenames", ())
        if "browser" in needs or item.get_closest_marker("realtime"):
            item.add_marker("realtime")
            item.add_marker(pytest.mark.flaky(reruns=1))
        if item.nodeid.startswith(FULL) and not quick(item):
            item.add_marker(pytest.mark.full)
        within = next((name for name in THOROUGH if item.nodeid.startswith(name)), None)
        if within and ("[" in item.nodeid or "::" in within):
            if not THOROUGH[within] or told[within] % THOROUGH[within]:
                item.add_marker(pytest.mark.thorough)
            told[within] += 1
    compiles, checked = "tests/engine/test_compiled.py", pytest.mark.checked.name
    items.sort(key=lambda item: not (item.nodeid.startswith(compiles) or item.get_closest_marker(checked)))


def quick(item: pytest.Item) -> bool:
    """Return whether `make check` tells a test."""
    marks = {mark.name for mark in item.iter_markers()}
    return "checked" in marks or not marks & {"realtime", "slow", "long", "night"}


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lasts for the whole run, and look for the rest seldom: a sixth of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(scope="session")
def kept_chromium() -> Iterator[KeptChromium]:
    """One Chromium for the whole run."""
    kept = KeptChromium()
    yield kept
    kept.close()


@pytest.fixture
def browser(kept_chromium: KeptChromium) -> Browser:
    """The Chromium that every folder takes."""
    return kept_chromium.browser()


@pytest.fixture
def games_found_again() -> Iterator[None]:
    """Let the games be looked for again in the test, and once more after it."""

    def forget() -> None:
        for cached in (registry.all_games, registry._loaded):
            cached.cache_clear()

    forget()
    yield
    forget()
