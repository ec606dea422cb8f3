"""Learns a network for a game, from nothing: `python -m tools.learning GAME --games 4000 --nodes 300 --into FILE`.

Games are kept in `--data` as they end, so a run that was stopped goes on where it was. `--learned FILE` plays them with
a network that was learned before: a second round. The curve is printed: how wrong shares are on positions that were
never learned from, without the network and with it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from controller.rules.registry import advice_of
from tools.learning.fit import Course, fitted
from tools.learning.selfplay import Seen, SelfPlay, positions


def main(words: Sequence[str]) -> None:
    """Read the command line, play and fit."""
    asked = _parser().parse_args(words)
    advice = advice_of(asked.game)
    if advice is None or advice.inputs is None:
        sys.exit(f"{asked.game} has no inputs in its advice.py, so no network can be learned")
    learned = asked.learned.read_bytes() if asked.learned else b""
    options = dict(each.split("=", 1) for each in asked.set)
    play(SelfPlay(asked.game, asked.nodes, options, learned), asked)
    seen = [each for file in [asked.data, *asked.more] for game in kept(file) for each in game]
    most = max(len(each.on) for each in seen) + 4
    began = time.monotonic()
    course = Course(**{name: getattr(asked, name) for name in Course.__struct_fields__})
    fit = fitted(seen, advice.inputs, course, print)
    by = f"{asked.nodes} positions a ply, {len(seen)} of them learned from, {asked.epochs} times, seed {asked.seed}"
    made = fit.made(asked.game, most, by, advice.inputs.version)
    asked.into.write_bytes(msgspec.msgpack.encode(made))
    print(f"{len(seen)} positions, {time.monotonic() - began:.0f} s of fitting, {asked.into.stat().st_size} bytes")


def play(how: SelfPlay, asked: argparse.Namespace) -> None:
    """Play the games that `--data` has not yet, until there are enough or the time is over."""
    begun, count = asked.seed * 1_000_000, sum(1 for _ in kept(asked.data))
    ends = time.monotonic() + asked.seconds
    with asked.data.open("ab") as file:
        numbers = range(begun + count, begun + asked.games)
        for seen in positions(how, numbers, asked.jobs) if numbers else ():
            file.write(msgspec.json.encode(seen) + b"\n")
            count += 1
            if count % 200 == 0:
                print(f"{count} games", flush=True)
            if time.monotonic() > ends:
                break
    print(f"{count} games in {asked.data}", flush=True)


def kept(file: Path) -> Iterator[list[Seen]]:
    """Yield the games in ``file``; the last line may be cut off."""
    if not file.exists():
        return
    decoder = msgspec.json.Decoder(list[Seen])
    with file.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                yield decoder.decode(line)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.learning", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seconds", type=float, default=1e9, help="of playing at most")
    parser.add_argument("--nodes", type=int, default=300, help="positions for a ply")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the game")
    parser.add_argument("--learned", type=Path, help="a network to play with")
    parser.add_argument("--data", type=Path, required=True, help="where the games are kept")
    parser.add_argument(
        "--more", type=Path, action="append", default=[], help="games of an earlier round, to learn from"
    )
    parser.add_argument("--into", type=Path, required=True, help="where the network is written")
    for name, value in msgspec.structs.asdict(Course()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
