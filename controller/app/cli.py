"""The command line: which commands there are, and in which module each of them is.

Owns the list, and that a command loads what it needs and nothing else. Every command reads its arguments, calls one
room, and prints; it ends with status 0, or with 2 and one sentence on the error stream where the input is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

from controller.app.version import installed_version

COMMANDS: Mapping[str, tuple[str, str]] = {  # the word → its module in `controller.app`, and its function there
    "perft": ("rules_commands", "perft"),
    "legal": ("rules_commands", "legal"),
    "result": ("rules_commands", "result"),
    "cost": ("rules_commands", "cost"),
    "new-game": ("rules_commands", "new_game"),
    "match": ("engine_commands", "match"),
    "ladder": ("ladder_command", "ladder"),
    "train": ("engine_commands", "train"),
    "puzzles": ("engine_commands", "puzzles"),
    "lab": ("lab_commands", "lab"),
    "think": ("engine_commands", "think"),
    "analyse": ("analyse_commands", "analyse"),
    "play": ("play_command", "play"),
    "join": ("afar_commands", "join"),
    "relay": ("afar_commands", "relay"),
    "verify": ("verify_command", "verify"),
    "record": ("recording_commands", "record"),
    "replay": ("recording_commands", "replay_file"),
    "settings": ("settings_command", "settings"),
    "variant": ("variant_commands", "variant"),
    "backup": ("backup_commands", "backup"),
    "doctor": ("doctor_command", "doctor"),
    "tracker": ("tracker_command", "tracker"),
    "firmware": ("firmware_commands", "firmware"),
    "flash": ("firmware_commands", "flash"),
    "bench": ("bench_commands", "measure"),
}


class Commands(click.Group):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the words of all commands, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command called so, None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, function = COMMANDS[cmd_name]
        found: click.Command = getattr(import_module(f"controller.app.{module}"), function)
        return found


def print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version that was installed and end; where the files are run as they lie, it is not known."""
    if not wanted:
        return
    click.echo(f"beaconboard, version {installed_version() or 'unknown (not installed)'}")
    context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=print_version,
              help="Print the version.")  # fmt: skip
def cli() -> None:
    """A game board that senses its pieces, lights its cells and knows the rules."""
    from controller.app.package_trial import try_packages

    try_packages()
