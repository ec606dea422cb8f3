"""Commands as they are typed: what one prints, and the sentence with which it refuses."""

from __future__ import annotations

from click.testing import CliRunner, Result

from controller.app.cli import cli


def run(*given: object) -> Result:
    """Return how a command ended."""
    return CliRunner().invoke(cli, list(map(str, given)))


def printed(*given: object) -> str:
    """Return what a command prints that is carried out."""
    result = run(*given)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def refused(*given: object) -> str:
    """Return the one sentence with which a command ends."""
    result = run(*given)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("beaconboard: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("beaconboard: ").rstrip()
