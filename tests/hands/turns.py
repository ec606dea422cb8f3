"""Stories of several plies and several hands: chains, chores, early answers, goes at once, held units."""

from __future__ import annotations

from tests.hands.positions import Made
from tests.hands.teller import NotHere, Plies, Teller
from tests.hands.telling import BEACONS, CHESS, CIRCLE, GIANTS, TIDES, Story, chain, moves, takes_beside, travels

CHAINS = (GIANTS, TIDES)
CHORES = (GIANTS, CHESS)


# ---- chains -----------------------------------------------------------------------------------------------


def _legs(t: Teller, ply: Made) -> list[tuple[str, tuple[str, ...], Made | None]]:
    """Return each landing of a chain, the victims that the jump to it took, and the shorter ply that ends there."""
    legs: list[tuple[str, tuple[str, ...], Made | None]] = []
    gone: set[str] = set()
    for n in range(2, len(ply.path) + 1):
        same = [each for each in t.place.made if each.path == ply.path[:n] and set(each.takes) <= set(ply.takes)]
        shorter = same[0] if same and n < len(ply.path) else None
        taken = set(shorter.takes if shorter else ply.takes if n == len(ply.path) else ()) - gone
        gone |= taken
        legs.append((ply.path[n - 1], tuple(sorted(taken)), shorter))
    return legs


def _chain(t: Teller) -> Made:
    return t.pick(lambda ply: chain(ply) and not ply.chores and len(set(ply.path)) == len(ply.path))


def chain_in_stops(t: Teller) -> None:
    """A piece jumps with stops of 60 to 250 ms, and all victims are taken off at the end: the whole chain."""
    ply = _chain(t)
    t.says((ply.text,), ask=t.doubtful(ply))
    at = ply.origin
    for name in ply.path[1:]:
        t.world.shift(at, name, t.between(60, 250))
        at = name
        t.world.wait(t.between(60, 250))
    t.take(ply.takes)


def chain_paused(t: Teller) -> None:
    """A piece jumps with pauses of 1 to 2 s, each victim taken off at once or only later: the whole chain.

    A shorter chain with its victims off has rested as one that was ended, so it may be kept instead; and as people are
    told that a chain counts after 0.3 s of quiet, one that was recorded then may give way to the whole.
    """
    ply = _chain(t)
    legs = _legs(t, ply)
    shorter = [(leg.text,) for _, _, leg in legs if leg]
    t.says((ply.text,), *shorter, undone=shorter, ask=True)
    late = t.chance(0.3)
    at = ply.origin
    standing: list[str] = []
    for name, taken, leg in legs:
        t.world.shift(at, name, t.between(80, 400))
        at = name
        t.world.wait(t.between(150, 300))
        standing += taken
        if not late or t.chance(0.5):
            t.take(standing)
            standing = []
        if leg:
            t.lain((leg.text,), 300 if not standing else 1_000_000)
        t.world.wait(t.between(1000, 2000))
    t.take(standing)


def chain_victims_first(t: Teller) -> None:
    """All victims are taken off, then the piece goes straight to the last landing: the whole chain."""
    ply = _chain(t)
    t.says((ply.text,), ask=t.alike(ply))
    t.make(ply, "first")


def chain_direct(t: Teller) -> None:
    """The piece goes straight to the last landing, then the victims are taken off: the whole chain."""
    ply = _chain(t)
    t.says((ply.text,), ask=t.alike(ply))
    t.make(ply, "last")


def chain_one_by_one(t: Teller) -> None:
    """The piece jumps, its victim is taken off, and so on, without a pause: the whole chain."""
    ply = _chain(t)
    t.says((ply.text,), ask=t.doubtful(ply))
    at = ply.origin
    for name, taken, _ in _legs(t, ply):
        t.world.shift(at, name, t.between(60, 200))
        at = name
        for victim in taken:
            t.world.wait(t.between(60, 120))
            t.world.lift(victim)
        t.world.wait(t.between(60, 140))


# ---- chores -----------------------------------------------------------------------------------------------


def _works(ply: Made) -> bool:
    return bool(ply.chores and ply.origin and ply.origin != ply.landing)


def chores_at_once(t: Teller) -> None:
    """A ply that leaves work is made and the work done: that ply."""
    ply = t.pick(_works)
    t.says((ply.text,), ask=t.alike(ply))
    t.make(ply)


def chores_late(t: Teller) -> None:
    """The other side answers while the work of a ply still waits, and it is done after that: both plies."""
    ply = t.pick(_works)
    texts, answer = t.reply(ply, lambda each: moves(each) and not each.touched & ply.touched)
    t.says(texts, ask=t.alike(ply))
    t.make(ply, chores=False)
    t.world.wait(t.between(400, 2000))
    t.make(answer)
    t.world.wait(t.between(400, 2500))
    t.chores(ply)


def chores_early(t: Teller) -> None:
    """Sites that a ply will clear are cleared before its piece lands: that ply."""
    ply = t.pick(lambda ply: _works(ply) and ply.off and not ply.on and ply.landing not in ply.off)
    t.says((ply.text,), ask=t.alike(ply))
    up = t.chance(0.5)
    if up:
        t.world.lift(ply.origin)
        t.pause()
    t.take((*ply.off, *ply.takes, *filter(None, [ply.victim])))
    if not up:
        t.world.lift(ply.origin)
        t.pause()
    t.world.put(ply.landing, ply.pole)


# ---- two hands --------------------------------------------------------------------------------------------


def _two(t: Teller) -> tuple[Made, Made, Plies]:
    """Choose a ply and an answer that touches none of its sites, and could not be the same hand's."""
    ply = t.pick(moves)
    goals = t.goals(ply.origin)
    texts, answer = t.reply(
        ply, lambda each: moves(each) and not each.touched & ply.touched and each.landing not in goals
    )
    return ply, answer, texts


def early_answer(t: Teller) -> None:
    """The next player lifts a piece before the first one has landed, and sets it down shortly after: both plies."""
    ply, answer, texts = _two(t)
    t.says(texts, ask=t.doubtful(ply))
    pole = t.world.lift(ply.origin)
    t.world.wait(t.between(60, 500))
    theirs = t.world.lift(answer.origin)
    t.world.wait(t.between(30, 300))
    t.world.put(ply.landing, pole)
    t.world.wait(t.between(60, 600))
    t.world.put(answer.landing, theirs)


def quick_answer(t: Teller) -> None:
    """The next player lifts a piece 10 to 80 ms after the first one has landed: both plies."""
    ply, answer, texts = _two(t)
    t.says(texts, ask=t.doubtful(ply))
    pole = t.world.lift(ply.origin)
    t.pause()
    t.world.put(ply.landing, pole)
    t.world.wait(t.between(10, 80))
    theirs = t.world.lift(answer.origin)
    t.world.wait(t.between(80, 400))
    t.world.put(answer.landing, theirs)


def answer_lands_first(t: Teller) -> None:
    """Both players have a piece in the hand, and the second one's lands first: both plies, in turn.

    The second lands where the first cannot go, so it is nobody else's.
    """
    ply, answer, texts = _two(t)
    t.says(texts, ask=True)
    pole = t.world.lift(ply.origin)
    t.world.wait(t.between(100, 500))
    theirs = t.world.lift(answer.origin)
    t.world.wait(t.between(100, 400))
    t.world.put(answer.landing, theirs)
    t.world.wait(t.between(60, 500))
    t.world.put(ply.landing, pole)


def answer_before_the_victim_left(t: Teller) -> None:
    """The next player answers while the victims of the capture still stand: both plies."""
    ply = t.pick(takes_beside)
    goals = t.goals(ply.origin)
    texts, answer = t.reply(
        ply, lambda each: moves(each) and not each.touched & ply.touched and each.landing not in goals
    )
    if any(not each.captures and each.origin == ply.origin and each.landing == ply.landing for each in t.place.made):
        raise NotHere
    t.says(texts, ask=True)
    pole = t.world.lift(ply.origin)
    t.pause()
    t.world.put(ply.landing, pole)
    t.world.wait(t.between(200, 900))
    t.make(answer)
    t.world.wait(t.between(200, 900))
    t.take(ply.takes)


# ---- several goes -----------------------------------------------------------------------------------------


def _goes(t: Teller) -> tuple[Made, Made, list[Plies]]:
    """Choose two plies of one turn with two pieces, each of which could be the first."""
    first = t.pick(travels if t.name == BEACONS else moves)
    state, legal = t.after(first)
    if t.game.seat(state) != first.seat:
        raise NotHere
    both = []
    for each in legal:
        other = next((before for before in t.place.made if before.text == each.text), None)
        if not moves(each) or other is None or each.touched & first.touched or each.over or not other.origin:
            continue
        crossed = {each.landing} & t.goals(first.origin) or {first.landing} & t.goals(each.origin)
        there = {ply.text for ply in t.after(other)[1]}
        if not crossed and first.text in there:
            both.append(other)
    if not both:
        raise NotHere
    second = t.random.choice(both)
    return first, second, [(first.text, second.text), (second.text, first.text)]


def two_goes_at_once(t: Teller) -> None:
    """One player moves two units with two hands: both up, then both down. Either order is as true."""
    first, second, orders = _goes(t)
    t.says(*orders)
    a, b = t.world.lift(first.origin), 0
    t.world.wait(t.between(0, 300))
    b = t.world.lift(second.origin)
    t.world.wait(t.between(100, 600))
    downs = [(first.landing, a), (second.landing, b)]
    t.random.shuffle(downs)
    for name, pole in downs:
        t.world.put(name, pole)
        t.world.wait(t.between(0, 300))


def goes_one_by_one(t: Teller) -> None:
    """One player makes two goes of a turn, then the other side plays: all three, with the `end` they imply."""
    first, second, orders = _goes(t)
    state, legal = t.after(first, second)
    end: Plies = ()
    if t.game.seat(state) == first.seat:
        end = ("end",)
        state, legal = t.after(first, second, next(each for each in legal if each.text == "end"))
    answers = [each for each in legal if moves(each) and not each.over and not t.doubtful(each, legal)]
    answers = [each for each in answers if not each.touched & (first.touched | second.touched)]
    if not answers:
        raise NotHere
    answer = t.random.choice(answers)
    t.says((*orders[0], *end, answer.text))
    for ply in (first, second, answer):
        t.make(ply)
        t.world.wait(t.between(350, 1500))


# ---- Circle's classes -------------------------------------------------------------------------------------


def _own(t: Teller) -> list[tuple[str, str]]:
    """Return the units that may change their class, with the ply that says so."""
    return [(text[:-1], text) for text in (each.text for each in t.place.made) if text.endswith("+")]


def _holdable(t: Teller) -> tuple[str, str]:
    for _ in t.positions:
        if found := [each for each in _own(t) if each[0] != t.place.last]:
            return t.random.choice(found)
        t.at = (t.at + 1) % len(t.positions)
    raise NotHere


def class_changed_by_holding(t: Teller) -> None:
    """A unit is held up for 550 to 1500 ms and put back: its class changes."""
    name, text = _holdable(t)
    t.says((text,))
    t.world.adjust(name, t.between(620, 1500))


def unit_put_back_quickly(t: Teller) -> None:
    """A unit that could change its class is put back within 300 ms: no go."""
    name, _ = _holdable(t)
    t.says(())
    t.world.adjust(name, t.between(40, 300))


STORIES = (
    Story(chain_in_stops, CHAINS),
    Story(chain_paused, CHAINS),
    Story(chain_victims_first, CHAINS),
    Story(chain_direct, CHAINS),
    Story(chain_one_by_one, CHAINS),
    Story(chores_at_once, CHORES),
    Story(chores_late, CHORES),
    Story(chores_early, (GIANTS,)),
    Story(early_answer),
    Story(quick_answer),
    Story(answer_lands_first),
    Story(answer_before_the_victim_left, CHAINS),
    Story(two_goes_at_once, (CIRCLE,)),
    Story(goes_one_by_one, (CIRCLE,)),
    Story(class_changed_by_holding, (CIRCLE,)),
    Story(unit_put_back_quickly, (CIRCLE,)),
)
