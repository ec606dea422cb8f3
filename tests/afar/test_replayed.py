"""Messages that are lost, doubled, late, out of order and said again long after, through the whole of two links: in the
end both tables have the same game, and nothing in it happened twice.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.afar.log import LogEntry
from controller.events import Snapshot, Tick
from controller.orders import AgreeBack, PlayPly, TakeBack
from controller.refused import Refused
from controller.table.table import step
from tests.afar.secret_soak import Board, Game

TIDES = "tides-of-war"
PLIES = 40
PATIENCE_S = 600.0  # of virtual time
RESTED_S = 3.0


def set_right(board: Board, led: bool) -> None:
    """Let hands set the pieces as they are to stand; with ``led`` as after the ply to which the lights lead."""
    play = board.table.play
    if play is None or (led and not play.session.decided):
        return
    session = play.session.played(play.session.decided) if led else play.session
    bits = sum(play.game_area.bit[name] for name in session.game.shape(session.state))
    board.table, _ = step(board.table, Snapshot(board.now_us(), frozenset(board.table.board.marks(bits))))


class Evening:
    """A game between two boards, and who repeats what was said before. ``told`` is what its log has to be."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.game = Game(folder, TIDES, {}, self.dice)
        self.game.line.loses, self.game.line.doubles, self.game.line.slow_s = 0.1, 0.3, 3.0
        self.game.line.keep = True
        self.told: list[LogEntry] = []
        self.repeated = 0

    def pass_time(self) -> None:
        game, seen = self.game, self.game.line.seen
        game.run(self.dice.random() * 2)
        for _ in range(self.dice.randrange(4) if seen else 0):
            data = self.dice.choice(seen)
            self.repeated += 1
            for end in (game.at_home, game.at_far):
                end.hear(data)
        for led in (False, True):
            for board in (game.home, game.far):
                set_right(board, led)
            game.run(RESTED_S)
            for board in (game.home, game.far):
                board.table, _ = step(board.table, Tick(max(board.now_us(), board.table.t_us)))

    def until(self, plies: tuple[str, ...]) -> None:
        """Wait until both tables have those."""
        end_s = self.game.line.now_s + PATIENCE_S
        while self.plies != (plies, plies) or self.sends:
            assert self.game.line.now_s < end_s, (self.plies, plies)
            self.pass_time()

    @property
    def plies(self) -> tuple[tuple[str, ...] | None, ...]:
        """Those of both tables, None where there is no game yet."""
        plays = self.game.home.table.play, self.game.far.table.play
        return tuple(play.session.plies if play else None for play in plays)

    @property
    def sends(self) -> bool:
        """Whether an order of the far board is on its way."""
        play = self.game.far.table.play
        return play is not None and play.sent is not None

    @property
    def over(self) -> bool:
        play = self.game.home.table.play
        return play is not None and play.result.over

    def ply(self) -> None:
        session = self.game.home.session
        state = session.state
        walks = {session.game.text(state, ply): session.game.walk(state, ply).path for ply in session.game.plies(state)}
        # A piece that comes back to where it was has to be lifted: hands that set all at once cannot show that.
        text = self.dice.choice([text for text, path in walks.items() if path[0] != path[-1]])
        seat = session.game.seat(state)
        (self.game.far if seat == 1 else self.game.home).submit(PlayPly(text=text, seat=seat))
        self.told.append(LogEntry(ply=text))
        self.until((*session.plies, text))

    def back(self) -> None:
        """The far board asks to go back by one ply, and home agrees."""
        to = len(self.game.home.session.plies) - 1
        self.game.far.submit(TakeBack(to=to, by=(1,), asks=True))
        end_s = self.game.line.now_s + PATIENCE_S
        while len(self.game.home.session.plies) > to:
            assert self.game.line.now_s < end_s
            try:
                self.game.home.submit(AgreeBack(seat=0, to=to))
            except Refused:  # it has not come yet
                self.pass_time()
        self.told.append(LogEntry(back=to))
        self.until(self.game.home.session.plies)

    def restart(self) -> None:
        if self.dice.random() < 0.5:
            self.game.home.start_again()
            self.game.start_home()
        else:
            self.game.far.start_again()
            self.game.start_far()
        self.game.run(0.01)  # as a service does before anybody can order anything


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_both_boards_have_one_game_whatever_is_said_again(tmp_path: Path, seed: int) -> None:
    evening = Evening(tmp_path, seed)
    evening.until(())
    while len(evening.told) < PLIES and not evening.over:
        chance = evening.dice.random()
        if chance < 0.1 and evening.plies[0]:
            evening.back()
        elif chance < 0.25:
            evening.restart()
            evening.until(evening.game.home.session.plies)
        else:
            evening.ply()
    logs = evening.game.at_home.known, evening.game.at_far.known
    assert logs[1] is not None
    assert logs[0].since(0) == tuple(evening.told)
    assert logs[0].head() == logs[1].head()
    assert evening.repeated > len(evening.told)
