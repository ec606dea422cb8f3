"""The command line of the workshop: runs of many games, reports on them, one of their games to look at."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from controller import atomic_file
from controller.app.refusal import refuse
from controller.app.variant_commands import options_of, own_variants, variant_called
from controller.lab.extra import is_missing
from controller.lab.files import REPORT
from controller.rules.registry import NoSuchGame, game_named
from controller.rules.variants import BadVariant

if TYPE_CHECKING:
    from controller.lab.plan import Plan

SAY_S = 2.0  # between two lines of progress
MISSING = (
    "the workshop needs packages that are not installed here: "
    f"{shlex.quote(sys.executable)} -m pip install 'beaconboard[workshop]'"
)


@click.group()
def lab() -> None:
    """Play a game or a variant thousands of times, and read what is wrong with it."""
    # Only looked for: a run in one process needs no Dask, and a small board has no room for it.
    if is_missing():
        refuse(MISSING)


@lab.command("run")
@click.option("--game", "name", default="", help="The game; may be left out where a variant of it is named.")
@click.option("--variant", default="", metavar="NAME|FILE", help="A variant of it (docs/variants.md).")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Game option of all games (repeatable).")
@click.option("--vary", multiple=True, metavar="KEY=VALUES", help="Option to try out, as players=2,3 or bid=1..4.")
@click.option("--alone", multiple=True, metavar="KEY=VALUES", help="Option to change alone, the others as they are.")
@click.option("--levels", default="2", show_default=True, help="Levels, as 1,3; or random, greedy, 3-raider.")
@click.option("--without", multiple=True, metavar="USE", help="Also players that never do this, as 'giant takes'.")
@click.option("--games", default=200, show_default=True, type=click.IntRange(1, 10**9), help="Games of each kind.")
@click.option("--until", metavar="SHARE", help="Stop where the winners' shares are known so well, as 2%.")
@click.option(
    "--most-plies",
    default=600,
    show_default=True,
    type=click.IntRange(1, 100_000),
    help="Moves after which a game is cut off.",
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0), help="What the games are drawn from.")
@click.option("--workers", type=click.IntRange(0, 512), help="Processes here; 0: this one. Default: one a core.")
@click.option("--on", "scheduler", default="", metavar="ADDRESS", help="A Dask scheduler, as tls://name:8786.")
@click.option(
    "--certificates", type=click.Path(path_type=Path, file_okay=False), help="Folder with those of the scheduler."
)
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder of the run.")
@click.option("--report", "reports", is_flag=True, help="Write the report, too, once no more is played.")
def run(
    name: str,
    variant: str,
    options: tuple[str, ...],
    vary: tuple[str, ...],
    alone: tuple[str, ...],
    levels: str,
    without: tuple[str, ...],
    games: int,
    until: str | None,
    most_plies: int,
    seed: int,
    workers: int | None,
    scheduler: str,
    certificates: Path | None,
    out: Path,
    reports: bool,
) -> None:
    """Play the games of a run, or go on with it where it was stopped."""
    from controller.lab import plan as plans
    from controller.lab.refused import LabRefused

    try:
        game = game_named(_game_of(name, variant))
        base = {**options_of(game, variant), **dict(option.partition("=")[::2] for option in options)}
        plan = plans.Plan(
            game=game.facts.name,
            variant=variant_called(variant, own_variants()).title if variant else "",
            base=base,
            vary=plans.varied(vary),
            alone=plans.changes(game, base, plans.varied(alone)),
            levels=plans.by_strength(levels),
            without=without,
            games=games,
            until=plans.share(until) if until else 0.0,
            most_plies=most_plies,
            seed=seed,
        )
        play(plan, out, _cores() if workers is None else workers, scheduler, certificates)
        if reports:
            _report_played(out)
    except (LabRefused, BadVariant, NoSuchGame) as refused:
        refuse(refused)


def _game_of(name: str, variant: str) -> str:
    """Return the game that is meant: that of the variant, where no other is named; raises `BadVariant`."""
    if not name and not variant:
        raise BadVariant("say what is played: --game NAME, or --variant NAME or FILE")
    return name or variant_called(variant, own_variants()).game


@lab.command("go-on")
@click.argument("folder", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--workers", type=click.IntRange(0, 512), help="Processes here; 0: this one. Default: one a core.")
@click.option("--report", "reports", is_flag=True, help="Write the report, too, once no more is played.")
def go_on(folder: Path, workers: int | None, reports: bool) -> None:
    """Play what a RUN lacks that was stopped, as it was asked for."""
    from controller.lab.refused import LabRefused
    from controller.lab.store import Store

    try:
        play(Store(folder).run().plan, folder, _cores() if workers is None else workers, "", None)
        if reports:
            _report_played(folder)
    except LabRefused as refused:
        refuse(refused)


def play(plan: Plan, out: Path, workers: int, scheduler: str, certificates: Path | None) -> None:
    """Play ``plan`` into the folder ``out`` and print how far it is; raises `LabRefused`."""
    from controller.lab.pools import pool
    from controller.lab.run import Playthrough, told
    from controller.lab.store import Store

    cases = plan.cases()
    store = Store(out)
    store.check(plan)
    click.echo(f"{len(cases)} kinds of games, {plan.games} of each at most")
    said = time.monotonic()
    with pool(plan, workers, scheduler, certificates) as played_on, store.begun(plan):
        try:
            for progress in Playthrough(store, played_on, time.monotonic).run():
                if time.monotonic() >= said + SAY_S or progress.games == progress.of:
                    click.echo(told(progress))
                    said = time.monotonic()
        except KeyboardInterrupt:
            click.echo("Stopped. What was played is kept: give the same command to go on.")
            return
    click.echo(f"{out}: all games are played; read them with 'beaconboard lab report {out}'")


@lab.command("report")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN [OTHER]")
@click.option("--into", type=click.Path(path_type=Path, dir_okay=False), help="File. Default: report.html in the run.")
def report(folders: tuple[Path, ...], into: Path | None) -> None:
    """Write what the games of a RUN say as one page of HTML; with a second one, also what differs."""
    from controller.lab.refused import LabRefused

    if len(folders) > 2:
        refuse(f"a report is about one run or about two side by side, not {len(folders)}")
    try:
        _report(folders, into or folders[0] / REPORT)
    except LabRefused as refused:
        refuse(refused)


def _report(folders: Sequence[Path], into: Path) -> None:
    """Write the report on the runs in ``folders`` and print their answers; raises `LabRefused`."""
    from controller.lab.refused import LabRefused
    from controller.lab.report import judged, page
    from controller.lab.store import Store

    runs = [judged(Store(folder)) for folder in folders]
    try:
        atomic_file.write(into, page(runs).encode())
    except OSError as wrong:
        raise LabRefused(f"{into} cannot be written ({wrong.strerror})") from wrong
    for setting in runs[0].settings:
        click.echo(f"{setting.told}: " + ", ".join(f"{each.key} {each.colour}" for each in setting.answers))
    for changed in runs[0].changed:
        for sentence in changed.sentences:
            click.echo(f"  {sentence}")
    click.echo(str(into))


def _report_played(folder: Path) -> None:
    """Write the report on a run, unless nothing of it was played yet; raises `LabRefused`."""
    from controller.lab.store import Store

    if Store(folder).parts():
        _report([folder], folder / REPORT)


@lab.command("show")
@click.argument("folder", type=click.Path(path_type=Path), metavar="RUN")
@click.argument("case", type=int)
@click.argument("game", type=int)
@click.option("--into", type=click.Path(path_type=Path, dir_okay=False), help="File for a recording of it.")
def show(folder: Path, case: int, game: int, into: Path | None) -> None:
    """Print a game of a RUN, or write it as a recording, which the panel opens and the board shows in light."""
    from controller.journal.recording import Header
    from controller.lab.refused import LabRefused
    from controller.lab.store import Store

    try:
        plan = Store(folder).run().plan
        options, seed, plies = Store(folder).game(case, game)
    except LabRefused as refused:
        refuse(refused)
    if into is None:
        click.echo("; ".join(plies))
        return
    header = Header(plan.game, options, seed=seed, plies=tuple(plies), variant=plan.variant)
    try:
        atomic_file.write(into, msgspec.json.encode(header) + b"\n")
    except OSError as wrong:
        refuse(f"{into} cannot be written ({wrong.strerror})")
    click.echo(str(into))


@lab.command("certificates")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def certificates(folder: Path) -> None:
    """Make what a scheduler, its workers and those who use them know each other by, in a new FOLDER."""
    from controller.lab.certificates import make
    from controller.lab.refused import LabRefused

    try:
        make(folder)
    except LabRefused as refused:
        refuse(refused)
    click.echo(f"{folder}: copy it to every machine of the cluster, and to nobody else")


def _cores() -> int:
    import os

    return max(1, len(os.sched_getaffinity(0)))
