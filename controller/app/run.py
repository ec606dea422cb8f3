"""Runs the board with its panel until it is interrupted."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import msgspec
from flask import Flask

from controller import compiled
from controller.app.addresses import EVERY, Address, address, is_loopback, lines
from controller.app.assembly import build
from controller.app.at_home import house_of, in_words, language_of
from controller.app.bounded_log import BoundedLog
from controller.app.flashing import writer
from controller.app.last_words import LastWords, blame
from controller.app.notices_of import notices_of
from controller.app.reach import Reach
from controller.app.secure import secure_pages_of
from controller.app.sensor_firmware import SensorFirmware
from controller.app.simulated_boards import SimulatedBoards
from controller.app.supervisor import SILENT, StartAgain, felt, hanging_at, notify
from controller.app.version import installed_version
from controller.app.wired import Wired, unlit
from controller.appliance.network.questions import DOOR
from controller.appliance.passed import passed
from controller.backups.putting_back import finish
from controller.backups.state import BoardState
from controller.clock import clock_us
from controller.devices.interfaces import Emit
from controller.devices.sensors.serial_board import SerialBoard, port_of
from controller.diagnostics.field_watch import FieldWatch
from controller.diagnostics.machine import boot_id, look
from controller.diagnostics.rest_keeper import RestKeeper
from controller.diagnostics.sensor_health import LastLines, SensorHealth
from controller.diagnostics.stops import Stops
from controller.diagnostics.strength_walk import StrengthWalk
from controller.journal.database import Journal
from controller.lessons.lesson_files import broken_lessons
from controller.lessons.puzzle_files import broken_puzzles
from controller.memory_bound import Growth, limited_data
from controller.notices.notices import Notices
from controller.own_variants import OwnVariants
from controller.own_variants import folder_of as variants_of
from controller.panel.afar_backend import AfarBackend, broker_of, folder_of
from controller.panel.analyses_backend import AnalysesBackend
from controller.panel.backups_backend import BackupsBackend
from controller.panel.diagnostics_backend import DiagnosticsBackend
from controller.panel.health_backend import HealthBackend, Program
from controller.panel.history_backend import HistoryBackend
from controller.panel.network_backend import NetworkBackend
from controller.panel.run_folders import RunFolders
from controller.panel.run_folders import folder_of as runs_of
from controller.panel.runs_backend import RunsBackend
from controller.panel.table_backend import TableBackend
from controller.panel.updates_backend import UpdatesBackend
from controller.panel.variants_backend import VariantsBackend
from controller.refused import Refused
from controller.rules.registry import broken_games
from controller.sentences import say
from controller.service.loop import Service
from controller.service.preferences import Preferences
from controller.service.running_board import RunningBoard
from controller.service.speaker import Speaker, missing
from controller.service.thinking.analyst import Analyst
from controller.settings import Settings
from hardware.profile import BadProfile, Profile, load, names
from web_panel.app import create_app
from web_panel.people.joining import WaysIn
from web_panel.people.phones import Phones
from web_panel.people.profiles import Profiles
from web_panel.people.progress import first_days
from web_panel.serve import Server, listen
from web_panel.serving.proxies import LocalProxy
from web_panel.serving.pulse import PagePulse

SWITCH_S = 0.0005  # the table waits that long, not the usual 5 ms, for each thread that computes an answer
LOOK_S = 1.0  # how often it is seen to that the service still runs


class CannotServe(RuntimeError):
    """The service or its panel could not begin, or ended by itself; the sentence says why and what to do."""


def run(
    settings: Settings, held: ExitStack, ready: Callable[[list[str]], None], host_given: bool = False
) -> None:  # fmt: skip
    """Play until SIGINT or SIGTERM; ``ready`` gets the lines to show once the panel can be opened.

    The page has no say in who can reach the panel where the host was ``host_given`` on the command line. Raises what
    loading the profile, opening the journal and building the board raise, `CannotServe`, and `StartAgain` where work
    within the rules does not come to an end, the panel answers no page, the service has grown too much, or who can
    reach the panel was changed.
    """
    _share_the_machine(held)
    kept = _kept(settings, held, host_given)
    settings, profile, journal, preferences = kept.settings, kept.profile, kept.journal, kept.preferences
    phones, people, variants, reach, wired = kept.phones, kept.people, kept.variants, kept.reach, kept.wired

    def found() -> Address:  # once the server listens
        return address(settings.host, server.shown_port)

    boards = SimulatedBoards(lambda: preferences.now) if settings.becomes_any else None
    board = build(profile, preferences.now, journal, held, boards)
    _tell(board.service, kept.told)
    entry = _entry(settings, phones, people, lambda: found().shared)
    history = HistoryBackend(None if boards else profile, journal.path, people=people)
    watched = _watched(board, profile, settings, history, journal.path.parent, held)
    entry.code.tell = lambda code: ready(lines(found(), code))
    analyst = Analyst(board.service, journal.path)
    analyses = AnalysesBackend(history, analyst, journal.path)
    backend = TableBackend(board, preferences, finishes=True)
    house = house_of(backend, board.service, preferences, lambda: found().shared)
    afar = _afar(board, preferences)
    notices = _notices(board, phones, settings, held)
    how_it_does = _health(board, preferences, watched.health, watched.log, watched.diagnostics, held)
    workshop, runs = VariantsBackend(variants), RunsBackend(RunFolders(runs_of(journal.path)), variants)
    upkeep = _upkeep(board, journal, preferences, settings)
    secure = secure_pages_of(settings, board.service)
    app = create_app(
        backend, own_hosts(settings), entry=entry, history=history, diagnostics=watched.diagnostics,
        analyses=analyses, house=house, afar=afar, notices=notices, reach=reach, variants=workshop, runs=runs,
        health=how_it_does, backups=upkeep.backups, updates=upkeep.updates, firmware=upkeep.firmware,
        network=_network(lambda: found().shared), wired=wired, secure=secure,
    )  # fmt: skip
    server = _listen(app, settings, reach)
    stopping = _stopping()
    board.start(watched.emit)
    speaker = Speaker(board.service, lambda: _voice(preferences.now), in_words)
    for each in (analyst, speaker, *upkeep.all):
        each.start()
    secure.start(server.tls)
    serving = threading.Thread(target=server.run, name="panel")
    serving.start()
    threading.Thread(target=_choose_puzzle, args=(backend, history), name="puzzle of the day", daemon=True).start()
    house.adjust(preferences.now)
    preferences.followers.append(house.adjust)
    ready(lines(found(), entry.code.now))
    notify("READY=1")
    _until_it_ends(
        board, afar, server, serving, stopping, lambda: _asked_for(reach, wired, upkeep.backups),
        (house, history.apart, watched.diagnostics.apart, workshop.apart, runs, *upkeep.all, secure),
    )  # fmt: skip


def _choose_puzzle(backend: TableBackend, history: HistoryBackend) -> None:
    """Let the lights draw the puzzle that phones are offered: which one that is, the journal has to be read for."""
    with suppress(Refused):  # phones are told, and the board draws an easy one
        backend.table_knows(*first_days(history.finished(), history.learnt()))


class Closing(Protocol):
    """What ends with the service."""

    def close(self) -> None:
        """End."""


class _Watched(msgspec.Struct, frozen=True):
    """What looks at how the board does; its events go through ``emit``."""

    health: SensorHealth
    log: LastLines
    diagnostics: DiagnosticsBackend
    emit: Emit


def _watched(
    board: RunningBoard, profile: Profile, settings: Settings, history: HistoryBackend, folder: Path, held: ExitStack
) -> _Watched:  # fmt: skip
    """Return what looks at ``board``, also once that has become another; what it learns lies in ``folder``."""
    health, log = SensorHealth((site.name for site in profile.sites), clock_us), LastLines()
    _keep_log(log, held)
    fields = FieldWatch(lambda: board.sensors, clock_us)
    kinds = StrengthWalk(profile, folder / "kinds", clock_us, board.service.emit)
    rests = RestKeeper(profile, folder / "rests", lambda: board.sensors, fields, clock_us)
    diagnostics = DiagnosticsBackend(
        profile, settings.one_board, health, log, history, board.service, folder, fields, kinds, rests
    )
    board.followers += [health.now_on, diagnostics.now_on, fields.forget, kinds.now_on, rests.now_on]
    return _Watched(health, log, diagnostics, kinds.hearing(health.counting(board.service.emit)))


class _Upkeep(msgspec.Struct, frozen=True):
    """What keeps a board going over the years; ``firmware`` is None where there is no sensor board to write to."""

    backups: BackupsBackend
    updates: UpdatesBackend
    firmware: SensorFirmware | None

    @property
    def all(self) -> tuple[BackupsBackend | UpdatesBackend | SensorFirmware, ...]:
        """Each that is there, to be started and closed."""
        return (self.backups, self.updates, *([self.firmware] if self.firmware else []))


class _Kept(msgspec.Struct, frozen=True):
    """What lies on the disk, read: the ``settings`` as the files beside the journal have them, the board's profile, and
    what keeps each of those files. ``told`` is what was wrong with them, by what it is about; "" where nothing was.
    """

    settings: Settings
    profile: Profile
    journal: Journal
    wired: Wired
    reach: Reach
    preferences: Preferences
    phones: Phones
    people: Profiles
    variants: OwnVariants
    told: dict[str, str]


def _kept(settings: Settings, held: ExitStack, host_given: bool) -> _Kept:
    """Read what lies on the disk, once what was to be put back has taken its place; raises as `run` does."""
    beside = settings.journal_path
    wired = Wired(settings, beside.with_name(f"{beside.name}.wired.json"))
    profile, of_board = _board(wired.settings)
    put_back = finish(beside)
    journal = _journal(wired.settings, held)
    reach = Reach(wired.settings, beside.with_name(f"{beside.name}.reach.json"), host_given)
    settings = msgspec.structs.replace(wired.settings, host=reach.host)
    preferences = Preferences(settings, beside.with_name(f"{beside.name}.settings.toml"))
    phones = Phones(beside.with_name(f"{beside.name}.phones.json"))
    people = Profiles(beside.with_name(f"{beside.name}.people.json"))
    variants = OwnVariants(variants_of(journal.path))
    told = {"board": of_board, "settings": preferences.told, "phones": phones.told, "people": people.told,
            "speaker": missing() if preferences.now.speaker else "", "reach": reach.unread, "backup": put_back,
            "wired": wired.unread, "pixels": unlit(settings, profile), **variants.unread()}  # fmt: skip
    return _Kept(settings, profile, journal, wired, reach, preferences, phones, people, variants, told)


def _until_it_ends(
    board: RunningBoard, afar: AfarBackend, server: Server, serving: threading.Thread, stopping: threading.Event,
    asked: Callable[[], str],
    helpers: Iterable[Closing],
) -> None:  # fmt: skip
    """Watch the service until it is to end, and end it with its ``helpers`` and its panel; raises as `run` does."""
    pulse = felt(server.where, stopping)
    try:
        why = _watch(board.service, stopping, afar, pulse, asked)
    finally:
        for each in helpers:
            each.close()
    board.stop()
    afar.stop()
    _end(server, serving, pulse, stopping)
    if why:
        raise StartAgain(why)
    if not stopping.is_set():
        raise CannotServe("the service crashed (see above); the game is saved: restart it")


def _journal(settings: Settings, held: ExitStack) -> Journal:
    """Open the journal, in which what ended the program before is noted, where that could not be said then."""
    path = settings.journal_path
    journal = Journal(path, boot_id())
    held.callback(journal.close)
    last_words = LastWords(path.with_name(f"{path.name}.last-words"))
    held.callback(last_words.close)
    blame(last_words.found, journal)
    last_words.begin()
    return journal


def _end(server: Server, serving: threading.Thread, pulse: PagePulse, stopping: threading.Event) -> None:
    """End the panel; raises `StartAgain` where it answers no page."""
    if not pulse.answers and not stopping.is_set():
        raise StartAgain(SILENT)  # without the server, of which nobody knows whether it ends
    server.close()
    serving.join()


def _share_the_machine(held: ExitStack) -> None:
    """Let no thread keep the table waiting, and nothing take up all memory."""
    sys.setswitchinterval(SWITCH_S)
    held.enter_context(limited_data())


def _keep_log(log: LastLines, held: ExitStack) -> None:
    bounded = BoundedLog([log])
    logging.getLogger().addHandler(bounded)
    held.callback(logging.getLogger().removeHandler, bounded)
    if compiled.outdated():
        logging.getLogger(__name__).warning(compiled.sentence())


def _stopping() -> threading.Event:
    """Return what is set when the service is told to stop."""
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


def _afar(board: RunningBoard, preferences: Preferences) -> AfarBackend:
    now = preferences.now
    afar = AfarBackend(board.service, folder_of(now.journal_path), broker_of(now), now.afar_relay)
    board.before_sensors.append(afar.start)
    preferences.followers.append(afar.adjust)
    return afar


def _health(
    board: RunningBoard, preferences: Preferences, sensors: SensorHealth, log: LastLines,
    diagnostics: DiagnosticsBackend, held: ExitStack,
) -> HealthBackend:  # fmt: skip
    """Return how the board does; from now on until ``held`` ends, an end of the program is one that nobody wished."""
    games = preferences.now.journal_path
    stops = Stops(games.with_name(f"{games.name}.stops.json"), boot_id())
    held.callback(stops.end)
    program = Program(installed_version(), compiled.used())
    return HealthBackend(
        board, preferences, sensors, log, lambda: look(games.parent), diagnostics.last_minutes, datetime.now, program,
        stops.ends,
    )  # fmt: skip


def _notices(board: RunningBoard, phones: Phones, settings: Settings, held: ExitStack) -> Notices:
    notices = notices_of(board.service, phones, settings)
    board.before_sensors.append(notices.start)
    held.callback(notices.stop)
    return notices


def _entry(settings: Settings, phones: Phones, people: Profiles, addresses: Callable[[], tuple[str, ...]]) -> WaysIn:
    """Return how people come in; ``addresses`` open the panel from other machines, after that of a proxy."""
    # Where a proxy on this machine lets others in, nobody counts as the user of this machine.
    unreached = is_loopback(settings.host) and not settings.panel_address
    alone = settings.on_screen and unreached
    proxied = (settings.panel_address.rstrip("/"),) if settings.panel_address else ()
    return WaysIn(phones, local=alone, addresses=lambda: (*proxied, *addresses()), profiles=people)


def _upkeep(board: RunningBoard, journal: Journal, preferences: Preferences, settings: Settings) -> _Upkeep:
    backups = _backups(board.service, journal, preferences)
    return _Upkeep(backups, _updates(board.service, settings), _firmware(board, settings))


def _backups(service: Service, journal: Journal, preferences: Preferences) -> BackupsBackend:
    settings = preferences.now
    state = BoardState(journal.path.absolute(), settings.journal_path.absolute())
    return BackupsBackend(
        state, service, settings.one_board, installed_version(), wanted=lambda: preferences.now.backups
    )  # fmt: skip


def _updates(service: Service, settings: Settings) -> UpdatesBackend:
    journal = settings.journal_path.absolute()
    return UpdatesBackend(journal, service, installed_version(), address=lambda: settings.updates_from)


def _firmware(board: RunningBoard, settings: Settings) -> SensorFirmware | None:
    """Return who writes the sensor board's firmware, None where there is no such board."""
    sensors, profile = board.sensors, board.profile
    if settings.sensors != "serial" or not isinstance(sensors, SerialBoard):
        return None
    return SensorFirmware(board, sensors, lambda: writer(profile), lambda: port_of(settings.serial_port))


def _network(addresses: Callable[[], tuple[str, ...]]) -> NetworkBackend | None:
    """Return who asks the helper for the network, None where none is installed."""
    return NetworkBackend(DOOR, addresses) if DOOR.exists() else None


def _voice(settings: Settings) -> str:
    """Return the language in which the board speaks, "" where it does not."""
    return language_of(settings) if settings.speaker else ""


def _watch(
    service: Service, stopping: threading.Event, afar: AfarBackend, pulse: PagePulse,
    asked: Callable[[], str],
) -> str:  # fmt: skip
    """Return when the service is to end, has ended, or its panel answers no page: "", or why it is to start again in
    order, as where that was ``asked`` for. Raises `StartAgain`.
    """
    growth = Growth()
    while service.running and pulse.answers and not stopping.wait(LOOK_S):
        if (work := service.heart.stuck()) is not None:
            service.give_up(work)
            raise hanging_at(work)
        if service.heart.beats:
            notify("WATCHDOG=1")
        afar.take_handed()
        if why := asked():
            return why
        if (grown_mb := growth.too_much_mb()) is not None:
            return f"the service has grown to {grown_mb} MB of memory: starting again"
    return ""


def _asked_for(reach: Reach, wired: Wired, backups: BackupsBackend) -> str:
    """Return for what somebody has asked on a page that makes the service start again, "" for nothing."""
    if reach.again:
        return "who can open the panel was changed on its page: starting again"
    if wired.again:
        return "another board was chosen on its page: starting again"
    return "a backup is put back: starting again" if backups.changing else ""


def _tell(service: Service, found: dict[str, str]) -> None:
    """Report what was ``found`` wrong with files before the start, and games whose rules cannot be loaded."""
    for name, error in broken_games().items():
        found[name] = say(
            "The rules in {file} cannot be loaded ({error}): all other games can be played.", file=name, error=error
        )
    for name, error in broken_lessons().items():
        found[name] = say(
            "The lesson {file} cannot be read ({error}): the game can still be played.", file=name, error=error
        )
    for name, error in broken_puzzles().items():
        found[name] = say("The puzzles in {file} cannot be read ({error}): the game can still be played.",
                          file=name, error=error)  # fmt: skip
    for where, sentence in found.items():
        service.tell(where, sentence)


def _board(settings: Settings) -> tuple[Profile, str]:
    """Return the board that the settings name; where a learned one is damaged, the board that it was learned from."""
    try:
        return load(settings.one_board), ""
    except BadProfile as wrong:
        path = Path(settings.one_board)
        if path.parent.name != "learned" or path.stem not in names():
            raise
        told = say("The learned board cannot be read ({why}): learn it again.", why=str(wrong))
        return load(path.stem), told


def own_hosts(settings: Settings) -> tuple[str, ...]:
    """Return the names to which the panel answers beside those of this machine."""
    proxied = urlsplit(settings.panel_address).hostname
    return (settings.host, proxied) if proxied else (settings.host,)


def _listen(app: Flask, settings: Settings, reach: Reach) -> Server:
    try:
        # Where the settings name no proxy, nobody's word counts for where others come from.
        proxy = LocalProxy() if settings.panel_address else None
        doors = passed() if settings.host in EVERY else []
        return listen(app, settings.host, settings.port, proxy=proxy, passed=doors)
    except OSError as error:
        if reach.given_up(error):
            raise StartAgain(f"the panel cannot be opened to phones ({error}): starting again without") from error
        address = f"{settings.host}:{settings.port}"
        raise CannotServe(f"the panel cannot listen on {address} ({error}): choose another --host or --port") from error
