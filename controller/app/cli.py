"""The command line: every command reads its arguments, calls one room, and prints.

Owns words and exit statuses: 0, or 2 with one sentence on the error stream where the input is wrong. Must not hold
logic of its own.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click
import msgspec

from controller.app import afar_commands, analyse_commands, engine_commands, flashing, ladder_command, verify_command
from controller.app.bounded_log import write_log
from controller.app.new_game import CannotMake
from controller.app.new_game import make as make_game
from controller.app.package_trial import try_packages
from controller.app.run import Ended, run
from controller.app.supervisor import Hanging, Outgrown, start_again
from controller.app.version import installed_version
from controller.benchmarks import latency_live, latency_simulated
from controller.benchmarks.perft import busiest_lines, perft_lines
from controller.devices.lights.limiter import LightsFailed
from controller.devices.sensors.emulated_board import EmulatorFault, EmulatorMissing
from controller.devices.sensors.gpio_board import NoGpio
from controller.diagnostics.doctor import doctor as run_doctor
from controller.diagnostics.planted_faults import FAULTS, BadFault
from controller.journal.database import Archive, JournalFailed, NoGame
from controller.journal.recording import BadRecording, parse, replay, write
from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.options import parse as parse_options
from controller.rules.registry import NoSuchGame, game_named
from controller.rules.shells import BadShell, cost_text
from controller.settings import BadSetting, Settings, page
from controller.settings import load as load_settings
from controller.tracker import measure as tracker_measure
from hardware.firmware_images import NoImage, image_for, images
from hardware.profile import BadProfile
from hardware.profile import load as load_profile
from hardware.tracker_circuit import NoCircuit

F = TypeVar("F", bound=Callable[..., Any])


def print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version that was installed and end; where the files are run as they lie, it is not known."""
    if not wanted:
        return
    click.echo(f"beaconboard, version {installed_version() or 'unknown (not installed)'}")
    context.exit()


def refuse(sentence: str) -> NoReturn:
    """End with status 2 and one sentence."""
    click.echo(f"beaconboard: {sentence}", err=True)
    raise SystemExit(2)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=print_version,
              help="Print the version.")  # fmt: skip
def cli() -> None:
    """A game board that senses its pieces, lights its cells and knows the rules."""
    try_packages()


# ---- rules ------------------------------------------------------------------------------------------------


def position_options(command: F) -> F:
    """Add the arguments of every command about a position: GAME, --after and --option."""
    option = click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Game option (repeatable).")
    command = option(command)
    command = click.option("--after", default="", metavar="'PLY; PLY'", help="Plies played from the start.")(command)
    return click.argument("name", metavar="GAME")(command)


def position(name: str, after: str, options: tuple[str, ...]) -> tuple[AnyGame, Any]:
    """Return the game and the state after the plies ``after``; ends with status 2 where something is wrong."""
    try:
        game = game_named(name)
        state = game.start(parse_options(game.options, _pairs(options)), 0)
    except (NoSuchGame, BadOption) as wrong:
        refuse(str(wrong))
    for number, text in enumerate((t for t in after.split(";") if t.strip()), 1):
        try:
            state = game.play_text(state, text)
        except (Illegal, Unreadable) as wrong:
            refuse(f"move {number}, '{text.strip()}': {wrong}")
    return game, state


def _pairs(options: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise BadOption(f"'{option}' is not a valid option: write it as key=value")
        pairs[key.strip()] = value.strip()
    return pairs


@cli.command()
@position_options
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--divide", is_flag=True, help="Also print the count for each ply.")
def perft(name: str, depth: int, after: str, options: tuple[str, ...], divide: bool) -> None:
    """Count the sequences of DEPTH plies; the number is the last line."""
    game, state = position(name, after, options)
    if divide and depth > 0:
        for ply in game.plies(state):
            click.echo(f"{game.text(state, ply)}: {game.perft(game.after(state, ply), depth - 1)}")
    click.echo(game.perft(state, depth))


@cli.command()
@position_options
def legal(name: str, after: str, options: tuple[str, ...]) -> None:
    """List the legal plies, sorted, one a line."""
    game, state = position(name, after, options)
    for ply in game.plies(state):
        click.echo(game.text(state, ply))


@cli.command()
@position_options
def result(name: str, after: str, options: tuple[str, ...]) -> None:
    """Print the state of the game as one JSON object. Seats are numbered from 1."""
    game, state = position(name, after, options)
    now, to_move = game.result(state), game.seat(state)
    found = {
        "over": now.over,
        "winner": None if now.winner is None else now.winner + 1,
        "why": now.why or None,
        "scores": now.scores,
        "to_move": None if to_move is None else to_move + 1,
    }
    click.echo(msgspec.json.encode(found).decode())


@cli.command()
@click.option("--shell-a", required=True, help="Nodes of cell A from node 0 clockwise: 1 occupied, 0 empty.")
@click.option("--shell-b", required=True, help="Nodes of cell B.")
@click.option("--side-a", required=True, type=int, help="The side of A that meets B.")
@click.option("--side-b", required=True, type=int, help="The side of B that meets A.")
@click.option("--sides-a", type=int, help="How many sides A has, where that is less than its shell has nodes.")
@click.option("--sides-b", type=int, help="How many sides B has, the same.")
@click.option("--mode", default="reflect", type=click.Choice(["reflect", "rotate"]), show_default=True)
def cost(mode: str, **pair: Any) -> None:
    """Print what a move between two cells of Beacons costs: H p m.

    Side s of a cell lies on node s · n / k, where its shell has n nodes and the cell k sides.
    """
    try:
        click.echo(cost_text(mode=mode, **pair))
    except BadShell as wrong:
        refuse(str(wrong))


@cli.command("new-game")
@click.argument("name")
@click.option("--into", "within", default=".", type=click.Path(path_type=Path), help="Folder for the new package.")
def new_game(name: str, within: Path) -> None:
    """Write a package with a small game called NAME, to be made into another one."""
    try:
        folder = make_game(name, within)
    except CannotMake as wrong:
        refuse(str(wrong))
    click.echo(f"{folder} has a game that can be played. Next: pip install -e {folder}, then edit its game.py")


# ---- players that are programs ----------------------------------------------------------------------------

cli.add_command(engine_commands.match)
cli.add_command(ladder_command.ladder)
cli.add_command(engine_commands.train)
cli.add_command(analyse_commands.analyse)
cli.add_command(afar_commands.join)
cli.add_command(afar_commands.relay)
cli.add_command(verify_command.verify)
cli.add_command(engine_commands.puzzles)
cli.add_command(engine_commands.think)


# ---- the tracker -------------------------------------------------------------------------------------------


@cli.command()
@click.argument("tiles", nargs=-1)
@click.option("--board", default="shell19", show_default=True, help="Board profile, or the path of a board file.")
@click.option("--emulated", "--bench", "emulated", is_flag=True, help="Read the emulated sensor board.")
@click.option("--magnet", "magnets", multiple=True, metavar="SITE", help="Magnet on the emulated board, e.g. a3:0.")
@click.option("--port", default=Settings().serial_port, show_default=True, help="Port of the sensor board.")
@click.option("--emulator-folder", default=Settings().emulator_folder, show_default=True,
              type=click.Path(path_type=Path),
              help="Where make has built the firmware and its emulator.")  # fmt: skip
def tracker(tiles: tuple[str, ...], board: str, **how: Any) -> None:
    """Measure the cost between two TILES through the tracker, e.g. a3 b3; without TILES, between all neighbours."""
    with ExitStack() as held:
        try:
            wrong = tracker_measure.run(load_profile(board), tiles, held, click.echo, **how)
        except (BadProfile, EmulatorMissing, EmulatorFault, NoCircuit, tracker_measure.NoReading) as refused:
            refuse(str(refused))
    if wrong:
        refuse(f"{wrong} of these readings do not match any cost")


# ---- playing ----------------------------------------------------------------------------------------------


@cli.command()
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Settings file.")
@click.option("--board", help="Board profile, or the path of a board file.")
@click.option("--emulated", "--bench", "emulated", is_flag=True, help="Play on the emulated sensor board.")
@click.option("--host", help="Address that the panel listens on.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the panel.")
@click.option("--journal", type=click.Path(), help="File in which games are kept.")
def play(file: Path | None, emulated: bool, **given: Any) -> None:
    """Run the service and its panel."""
    chosen = {key: value for key, value in given.items() if value is not None}
    if emulated:
        chosen["sensors"] = "emulated"
    write_log()
    again = False
    with ExitStack() as held:
        try:
            run(msgspec.structs.replace(load_settings(file), **chosen), held, announce)
        except (Hanging, Outgrown) as why:
            click.echo(f"beaconboard: {why}", err=True)
            again = True
        except (
            Ended, BadSetting, BadProfile, EmulatorMissing, EmulatorFault, JournalFailed, NoGpio, LightsFailed,
        ) as wrong:  # fmt: skip
            refuse(str(wrong))
    if again:
        start_again()


def announce(lines: list[str]) -> None:
    """Print where the panel is and how to join."""
    for line in lines:
        click.echo(line)


@cli.command()
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Settings file.")
@click.option("--board", help="Board profile, or the path of a board file.")
@click.option("--port", "serial_port", help="Port of the sensor board, e.g. /dev/ttyUSB0.")
@click.option("--emulated", "--bench", "emulated", is_flag=True,
              help="Examine the emulated sensor board; a simulated hand touches it.")  # fmt: skip
@click.option("--plant", "faults", multiple=True, metavar="FAULT",
              help=f"With --emulated: solder something wrong first: {'; '.join(FAULTS)}.")  # fmt: skip
@click.option("--copy", type=click.Path(path_type=Path), help="Learned profile to write (default learned/BOARD.toml).")
def doctor(file: Path | None, emulated: bool, faults: tuple[str, ...], copy: Path | None, **given: str | None) -> None:
    """Examine a built board: every sensor, every light, the supply, and any wiring faults."""
    chosen: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if emulated or given["serial_port"]:
        chosen["sensors"] = "emulated" if emulated else "serial"
    try:
        settings = msgspec.structs.replace(load_settings(file), **chosen)
        if settings.sensors == "simulated":
            refuse("say which board: --port /dev/ttyUSB0, or --emulated for the emulated one")
        if faults and not emulated:
            refuse("--plant is for the emulated board: add --emulated")
        copy = copy or Path("learned") / f"{load_profile(settings.one_board).name}.toml"
        well = run_doctor(settings, faults, copy, click.echo, input)
    except (BadSetting, BadProfile, BadFault, EmulatorMissing, EmulatorFault, NoGpio, LightsFailed) as wrong:
        refuse(str(wrong))
    raise SystemExit(0 if well else 1)


# ---- the sensor board's firmware ---------------------------------------------------------------------------


@cli.command()
@click.argument("board", required=False)
def firmware(board: str | None) -> None:
    """List the firmware images that came with the installation; with BOARD, the one for it and how to write it."""
    try:
        if board is None:
            for image in images().values():
                click.echo(f"{image.board:16} {image.flash_bytes:6} bytes of flash, table {image.table_hash:08x}")
            return
        file = image_for(load_profile(board))
    except (BadProfile, NoImage) as wrong:
        refuse(str(wrong))
    click.echo(file)
    click.echo(f"write it with: beaconboard flash {board} --port {Settings().serial_port}")
    click.echo(f"or by hand:    {shlex.join(flashing.command(file, Settings().serial_port))}")
    if not flashing.installed():
        click.echo("avrdude, which both need, is missing: apt install avrdude")


@cli.command()
@click.argument("board")
@click.option("--port", default=Settings().serial_port, show_default=True, help="Port of the sensor board.")
@click.option("--baud", default=flashing.BAUD, show_default=True, help="Of its bootloader; the old one has 57600.")
def flash(board: str, port: str, baud: int) -> None:
    """Write the firmware for BOARD to the sensor board, with avrdude."""
    try:
        flashing.flash(image_for(load_profile(board)), port, baud)
    except (BadProfile, NoImage, flashing.NotFlashed) as wrong:
        refuse(str(wrong))


# ---- recordings -------------------------------------------------------------------------------------------


@cli.command()
@click.argument("game_id", type=int)
@click.option("--journal", type=click.Path(path_type=Path), help="File in which games are kept.")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Settings file.")
def record(game_id: int, journal: Path | None, file: Path | None) -> None:
    """Write game GAME_ID of the journal as a recording."""
    try:
        archive = Archive(journal or load_settings(file).journal_path)
        header, lines = archive.recording(game_id)
        flaw = archive.saved(game_id).flaw
    except (BadSetting, JournalFailed, NoGame) as wrong:
        refuse(str(wrong))
    for line in write(header, lines):
        click.echo(line)
    if flaw:
        click.echo(f"beaconboard: game {game_id}: {flaw}", err=True)
        raise SystemExit(1)


@cli.command()
def settings() -> None:
    """Print the reference of all settings (docs/settings.md is generated this way)."""
    click.echo(page(), nl=False)


@cli.command("replay")
@click.argument("file", type=click.File(encoding="utf-8"))
@click.option("--plies", is_flag=True, help="Print only the final list of plies, on one line.")
def replay_file(file: Any, plies: bool) -> None:
    """Run a recording in virtual time and print what the table said."""
    try:
        steps = list(replay(parse(file.read())))
    except (BadRecording, UnicodeDecodeError) as wrong:
        refuse(f"{file.name}: {wrong}")
    if plies:
        play = steps[-1][0].play
        click.echo("; ".join(play.session.plies if play else ()))
        return
    for _, said in steps:
        for note in said:
            click.echo(f"{note.t_us / 1e6:9.3f}  {note.sentence}")


# ---- measuring --------------------------------------------------------------------------------------------


@cli.group("bench")
def measure() -> None:
    """Measure the speed on this machine."""


@measure.command()
@click.option("--board", default=Settings().one_board, show_default=True, help="Board to measure.")
@click.option("--touches", default=200, show_default=True, type=click.IntRange(min=1), help="Touches to measure.")
@click.option("--emulator-folder", default=Settings().emulator_folder, show_default=True,
              type=click.Path(path_type=Path),
              help="Where make has built the firmware and its emulator.")  # fmt: skip
def latency(board: str, touches: int, emulator_folder: Path) -> None:
    """Time every stage from a sensor to the lights and to the ply."""
    try:
        profile = load_profile(board)
    except BadProfile as wrong:
        refuse(str(wrong))
    for stage in latency_live.stages(emulator_folder, profile, touches):
        try:
            for line in latency_simulated.lines(stage):
                click.echo(line)
        except (EmulatorMissing, EmulatorFault) as wrong:
            click.echo(f"not measured: {wrong}")


@measure.command("perft")
@click.option("--games", default=20, show_default=True, type=click.IntRange(min=1), help="Random games per game.")
def perft_speed(games: int) -> None:
    """Time perft of every game beside python-chess's, and find the busiest positions of random games."""
    for line in perft_lines():
        click.echo(line)
    for line in busiest_lines(games):
        click.echo(line)
