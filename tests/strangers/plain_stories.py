"""Stories of ordinary plies, and of those that are made with a slip of the hand. Each docstring is a title."""

from __future__ import annotations

from tests.strangers.evening import Evening, NotHere
from tests.strangers.positions import Deed


def move(evening: Evening) -> None:
    """A move that takes nothing: lifted, carried high or low, or pushed"""
    evening.make(evening.choose(lambda deed: not deed.victims))


def capture(evening: Evening) -> None:
    """A capture, in any order"""
    evening.make(evening.choose(lambda deed: deed.victims))


def from_the_box(evening: Evening) -> None:
    """A piece comes from beside the board"""
    for deed in evening.now.shuffled(evening.rng):
        if deed.source is None and deed.to and not deed.twins and deed.at is None:
            evening.make(deed)
            return
    raise NotHere


def held(evening: Evening) -> None:
    """A unit is held up for a while and put back: its class changes"""
    for deed in evening.now.shuffled(evening.rng):
        if evening.game.facts.hold and deed.to is None and deed.at is not None:
            evening.make(deed)
            return
    raise NotHere


def put_back(evening: Evening) -> None:
    """A piece is lifted, looked at and put back"""
    piece = evening.one([site for site in evening.now.goals if site is not None])
    evening.truth.asks = evening.game.facts.shells  # what may be done with a store is asked
    evening.main.straighten(piece, 60, evening.short_ms if evening.game.facts.hold else 3_000)


def quick_answer(evening: Evening) -> None:
    """The answer follows at once"""
    deed = evening.choose()
    evening.make(deed)
    unseen, reply = evening.answer(deed)
    evening.make(reply, evening.main.wait(60, 500), unseen)


def three_in_a_row(evening: Evening) -> None:
    """Three plies, each as soon as the one before is down"""
    deed = evening.choose()
    evening.make(deed)
    for _ in range(2):
        unseen, deed = evening.answer(deed)
        evening.make(deed, evening.main.wait(150, 1_200), unseen)


def chains(deed: Deed) -> bool:
    """Whether a deed is a chain of jumps."""
    return len(deed.path) > 2 and any(victim not in deed.path for victim in deed.victims)


def stopping_chain(evening: Evening) -> None:
    """A chain of jumps that stops on every landing"""
    deed = evening.choose(chains)
    jumped(evening, deed, 60, 1_000)
    evening.truth.meanwhile += shorter(evening, deed)
    evening.chores(deed, evening.main)
    evening.settle(deed)


def jumped(evening: Evening, deed: Deed, low_ms: float, high_ms: float) -> None:
    """Jump from landing to landing and then take off what was jumped."""
    hand, left = evening.main, list(deed.victims)
    for start, end in zip(deed.path, deed.path[1:], strict=False):
        if end in left:  # jumped before, and landed on now
            left.remove(end)
            hand.lift(end).wait(60, 250).aside()
        hand.lift(start).wait(150, 500).put(end)
        if end != deed.path[-1]:
            hand.wait(low_ms, high_ms)
            if evening.rng.random() < 0.3:
                between = next((site for site in left if site in evening.ground.passed(start, end)), None)
                if between:
                    left.remove(between)
                    hand.lift(between).wait(60, 250).aside()
    for victim in left:
        hand.wait(200, 700).lift(victim).wait(60, 250).aside()


def shorter(evening: Evening, deed: Deed) -> list[tuple[str, ...]]:
    """Return the plies that are the beginnings of a chain, each as a record that may stand for a while."""
    looks = evening.now.looks
    return [(texts[0],) for _, path, _, _, texts in looks if path and path == deed.path[: len(path)] != deed.path]


def alike(evening: Evening) -> Deed:
    """Return a deed that looks like others."""
    for deed in evening.now.shuffled(evening.rng):
        if deed.twins and deed.to and deed.source != deed.to:
            return deed
    raise NotHere


def chosen(evening: Evening) -> None:
    """A move that looks like another one, such as a promotion: the board has to ask"""
    evening.truth.asks = True
    evening.make(alike(evening))


def question_left_open(evening: Evening) -> None:
    """A question is open, and the next player plays on without an answer"""
    evening.truth.asks = True
    deed = alike(evening)
    evening.make(deed)
    unseen, reply = evening.answer(deed)
    evening.make(reply, evening.main.wait(1_500, 4_000), unseen)


def hesitation(evening: Evening) -> None:
    """The piece rests on another legal cell for 0.35 to 2.5 s, and then goes on"""
    deed = evening.choose(lambda deed: not deed.victims)
    assert deed.source
    assert deed.to
    halt = evening.choose(lambda each: each.source == deed.source and not each.victims and each.to != deed.to)
    if evening.game.facts.several and deed.to in evening.after(halt).goals.get(halt.to, ()):
        raise NotHere  # two plies, to any sensor
    assert halt.to
    evening.main.lift(deed.source).wait(200, 600).put(halt.to).wait(350, 2_500)
    evening.main.lift(halt.to).wait(150, 500).put(deed.to)
    evening.chores(deed, evening.main)
    evening.settle(deed)


def threatened_straightened(evening: Evening) -> None:
    """A threatened piece is straightened while its attacker is in the hand, which then goes elsewhere"""
    deed = evening.choose(lambda deed: not deed.victims)
    assert deed.source
    threatened = [site for site, by in evening.now.takers.items() if deed.source in by and site not in deed.sites]
    victim = evening.one(threatened)
    evening.truth.asks = True
    evening.main.lift(deed.source).wait(200, 600)
    evening.main.straighten(victim, 100, min(evening.short_ms, 600)).wait(400, 1_000)
    evening.finish(deed, evening.main)
    evening.chores(deed, evening.main)
    evening.settle(deed)


def last_hop_back(evening: Evening) -> None:
    """The last hop of a chain is taken back"""
    deed = evening.choose(chains)
    short = evening.choose(lambda each: each.path == deed.path[:-1])
    assert deed.to
    assert short.to
    poles = {site: evening.world.on[site] for site in deed.victims}
    jumped(evening, deed, 60, 600)
    hand = evening.main.wait(300, 1_500)
    hand.lift(deed.to).wait(150, 500).put(short.to)
    for victim in deed.victims:
        if victim not in short.victims:
            hand.wait(200, 700).from_box(poles[victim]).put(victim)
    evening.truth.meanwhile += [(deed.text,), *shorter(evening, deed)]
    evening.truth.asks = True  # where the first landing is flanked, the way back looks like the chore
    evening.chores(short, hand)
    evening.settle(short)


def slid_with_a_rest(evening: Evening) -> None:
    """Units are slid to a neighbour by way of a third cell, with a rest there"""
    if not evening.game.facts.shells:
        raise NotHere
    deed = evening.choose(lambda deed: not deed.victims)
    assert deed.source
    assert deed.to
    near, goals = evening.ground.near, evening.now.goals[deed.source]
    by_way = evening.one([site for site in evening.free(deed) if site in goals and site in near[deed.to]])
    if evening.last and (evening.last.to, evening.last.source) == (deed.source, by_way):
        raise NotHere  # a rest there takes the last ply back
    rest_ms = evening.rng.choice((evening.rng.uniform(100, 250), evening.rng.uniform(320, 600)))
    if rest_ms > 300:  # then a step counts: both readings are true to what was seen
        for step in (each for each in evening.now.shuffled(evening.rng) if each.path == (deed.source, by_way)):
            for text in (step.text, *step.twins):
                evening.truth.meanwhile.append((text,))
                onward = [each for each in evening.after(step).looks if each[1] == (by_way, deed.to)]
                evening.truth.also += [(text, more) for each in onward for more in each[4]]
        evening.truth.asks = True
    evening.main.slide((deed.source, by_way), 20, 40).wait(rest_ms, rest_ms).slide((by_way, deed.to), 20, 40)
    evening.chores(deed, evening.main)
    evening.settle(deed)
