"""An evening: the position, the hands, and the truth, which is settled while the hands move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.strangers.hands import MS, StrangersHand, World
from tests.strangers.positions import Deed, Spot, Standing
from tests.strangers.sensors import CHIP, PINS

BEGINS_US = 1_000_000


class NotHere(Exception):
    """The story needs something that this position has not."""


@dataclass
class Truth:
    """What was really played, and what else nobody could hold against the program.

    ``plies`` were made. Each of ``also`` is another reading that the sensors bear out as well. ``meanwhile`` may stand
    for a while, since it was so for a while. ``asks``: a question is fair.
    """

    plies: list[str] = field(default_factory=list)
    also: list[tuple[str, ...]] = field(default_factory=list)
    meanwhile: list[tuple[str, ...]] = field(default_factory=list)
    asks: bool = False
    anything_meanwhile: bool = False  # what was done and undone can be read in many ways while it lasts
    stood: tuple[str, ...] = ()  # what was made and taken back: where a record that waits for people may still stand


class Evening:
    """What a story tells with. Its state goes on with each deed that is made."""

    def __init__(self, spot: Spot, rng: Random) -> None:
        self.spot, self.rng = spot, rng
        self.game, self.ground = spot.game, spot.ground
        self.now: Standing = spot.standing(spot.state)
        self.world = World(spot.ground, dict(self.now.shape), rng.choice((CHIP, CHIP, CHIP, PINS)), rng)
        self.truth = Truth()
        self.main = StrangersHand(self.world, BEGINS_US + rng.randrange(100_000))
        self.avoid: set[str] = set()  # sites that the players leave alone when they play on
        self.last: Deed | None = spot.last
        self.stood = set(spot.stood)  # what was occupied at any time before: who brings that about takes back

    # ---- choosing ---------------------------------------------------------------------------------------

    @property
    def short_ms(self) -> float:
        """How long a piece may be up that is only straightened: where holding is a move, less than that takes."""
        return 340 if self.game.facts.hold else 700

    def choose(self, fits: Callable[[Deed], Any] = lambda _: True, now: Standing | None = None) -> Deed:
        """Return a deed at random in which a single piece moves and no other looks alike; raises `NotHere`."""
        for deed in (now or self.now).shuffled(self.rng):
            if deed.plain and not self._back(deed) and not self._over(deed) and fits(deed):
                return deed
        raise NotHere

    def after(self, deed: Deed) -> Standing:
        """Return how things stand after a deed."""
        return self.spot.standing(deed.after)

    def answer(self, deed: Deed, fits: Callable[[Deed], Any] = lambda _: True) -> tuple[list[str], Deed]:
        """Return what the next to move may do after ``deed``: plies that nobody sees, and a plain deed."""
        standing, unseen = self.past_end(self.after(deed))
        return unseen, self.choose(
            lambda each: (each.source, each.to) != (deed.to, deed.source) and fits(each), standing
        )

    def past_end(self, standing: Standing) -> tuple[Standing, list[str]]:
        """Where a turn could go on, the next player's lift may end it: in Circle, as often as not."""
        end = standing.named("end") if self.game.facts.hold else None
        if end is not None and self.rng.random() < 0.5:
            return self.spot.standing(end.after), ["end"]
        return standing, []

    def others(self, *busy: Deed, beside: Collection[str] = ()) -> list[str]:
        """Return the pieces that have nothing to do with these deeds, in any order."""
        taken = {site for deed in busy for site in deed.sites} | set(beside)
        found = [site for site in self.ground.cells if site in self.world.on and site not in taken]
        self.rng.shuffle(found)
        return found

    def free(self, *busy: Deed, beside: Collection[str] = ()) -> list[str]:
        """Return the free cells that have nothing to do with these deeds, in any order."""
        taken = {site for deed in busy for site in deed.sites} | set(beside)
        found = [site for site in self.ground.cells if site not in self.world.on and site not in taken]
        self.rng.shuffle(found)
        return found

    def reachable(self, *standings: Standing) -> set[str]:
        """Return all cells where some piece may go."""
        return {site for standing in standings for ends in standing.goals.values() for site in ends}

    def one(self, sites: Collection[str]) -> str:
        """Return one of the sites; raises `NotHere` where there is none."""
        if not sites:
            raise NotHere
        return self.rng.choice(sorted(sites))

    def no_lit_answers(self) -> None:
        """Raise `NotHere` where free cells are lit as answers while a piece is in the hand: what lies there is one."""
        if self.game.facts.shells:
            raise NotHere

    def _back(self, deed: Deed) -> bool:
        """Whether the deed looks like one taken back: the last, or all down to a position of before."""
        if self.last is not None and (self.last.to, self.last.source) == (deed.source, deed.to):
            return True
        return frozenset(self.after(deed).shape) in self.stood

    def _over(self, deed: Deed) -> bool:
        return bool(self.game.result(deed.after).over)

    # ---- making -----------------------------------------------------------------------------------------

    def hand(self, ms: float = 0) -> StrangersHand:
        """Return another hand, that many milliseconds from where the first one is."""
        return StrangersHand(self.world, self.main.t + int(ms * MS))

    def settle(self, deed: Deed, unseen: Collection[str] = ()) -> None:
        """Note that ``deed`` was made."""
        self.truth.plies += [*unseen, deed.text]
        self.stood.add(frozenset(self.now.shape))
        self.now, self.last = self.after(deed), deed

    def make(
        self, deed: Deed, hand: StrangersHand | None = None, unseen: Collection[str] = (), neat: bool = False
    ) -> StrangersHand:
        """Make a deed as people do: in any order, high or low, in one go or pushed; ``neat`` without any of that."""
        hand = hand or self.main
        if deed.to is None:
            self.hold(deed, hand)
        elif deed.source is None:
            self.victims(deed, hand)
            hand.from_box(deed.pole).wait(300, 900).put(deed.to)
        else:
            self.move(deed, hand, neat)
        self.chores(deed, hand)
        self.settle(deed, unseen)
        return hand

    def hold(self, deed: Deed, hand: StrangersHand) -> None:
        """Hold the piece that changes for a while."""
        assert deed.at is not None
        hand.straighten(deed.at, 620, 1_400)

    def victims(self, deed: Deed, hand: StrangersHand) -> None:
        """Take off what is captured."""
        for victim in deed.victims:
            hand.lift(victim).wait(150, 700).aside()

    def move(self, deed: Deed, hand: StrangersHand, neat: bool = False) -> None:
        """Bring the piece to its goal and take off what it captures, in any order."""
        slid = not deed.victims and not neat and self.rng.random() < 0.25
        if slid and not self.game.facts.shells and all(site not in self.world.on for site in deed.path[1:]):
            hand.slide(deed.path)
            return
        before = [victim for victim in deed.victims if self.rng.random() < 0.3]
        for victim in before:
            hand.lift(victim).wait(120, 600).aside()
        assert deed.source
        hand.lift(deed.source).wait(50, 500)
        self.finish(deed, hand, low=not neat and self.rng.random() < 0.3)

    def finish(self, deed: Deed, hand: StrangersHand, low: bool = False) -> None:
        """Do what is left of a deed whose piece is in the hand."""
        assert deed.source
        assert deed.to
        left = [victim for victim in deed.victims if victim in self.world.on]
        first = [victim for victim in left if victim == deed.to or self.rng.random() < 0.3]
        for victim in first:
            hand.wait(100, 500).lift(victim).wait(50, 300).aside()
        hand.carry(deed.source, deed.to, low).put(deed.to)
        for victim in left:
            if victim not in first:
                hand.wait(200, 900).lift(victim).wait(100, 300).aside()

    def chores(self, deed: Deed, hand: StrangersHand) -> None:
        """Do what a deed leaves to do."""
        for site in deed.clears:
            hand.wait(300, 900).lift(site).aside()
        for site, pole in deed.fills:
            hand.wait(300, 900).from_box(pole).put(site)

    def play_on(self, most: int) -> Iterator[Deed]:
        """Yield deeds that two people make afterwards; each is made when the next one is asked for."""
        for _ in range(most):
            standing, unseen = self.past_end(self.now)
            try:
                deed = self.choose(lambda deed: not deed.sites & self.avoid, standing)
            except NotHere:
                return
            self.make(deed, self.main.wait(700, 2_500), unseen, neat=True)
            yield deed
