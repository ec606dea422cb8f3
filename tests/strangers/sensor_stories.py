"""Stories of what sensors see badly or not at all. Each docstring is a title."""

from __future__ import annotations

from tests.strangers.evening import Evening, NotHere
from tests.strangers.hands import MS
from tests.strangers.positions import Deed
from tests.strangers.two_hands_stories import done


def sleeve(evening: Evening) -> None:
    """A sleeve sweeps over three cells, while a move is made or before it"""
    deed = evening.choose()
    start, end = evening.rng.sample(sorted(evening.ground.cells), 2)
    t_us = evening.main.t + evening.rng.randrange(800) * MS
    for site in (start, *evening.ground.passed(start, end), end)[:3]:
        if site in evening.world.on and site not in deed.sites:
            evening.world.gone_for(site, t_us, evening.rng.uniform(40, 300))
        t_us += evening.rng.randrange(40, 150) * MS
    evening.make(deed)


def bounced(evening: Evening) -> None:
    """A piece is dropped and bounces, or hops to the next cell and back"""
    deed = evening.choose(lambda deed: not deed.fills and not deed.clears)
    assert deed.source
    assert deed.to
    beside = [site for site in evening.free(deed) if site in evening.ground.near[deed.to]]
    far = [site for site in beside if site not in evening.now.goals[deed.source]]
    evening.main.lift(deed.source).wait(100, 500)
    evening.finish(deed, evening.main)
    if far and evening.rng.random() < 0.5 and deed.victims[:1] in ((), (deed.to,)):
        evening.no_lit_answers()
        hop = evening.one(far)
        evening.main.wait(10, 60).lift(deed.to).wait(5, 30).put(hop).wait(30, 250)
        evening.main.lift(hop).wait(20, 150).put(deed.to)
    else:
        for _ in range(evening.rng.randrange(1, 5)):
            ms = evening.rng.uniform(5, 60)
            evening.world.gone_for(deed.to, evening.main.wait(5, 60).t, ms)
            evening.main.wait(ms, ms)
    evening.settle(deed)


def sticking_contact(evening: Evening) -> None:
    """The contact of the cell that a piece left sticks for up to two seconds"""
    deed = evening.choose(lambda deed: not deed.fills and not deed.clears)
    assert deed.source
    assert deed.to
    evening.truth.asks = True
    evening.truth.meanwhile += [(text,) for look in evening.now.looks if look[1] == (deed.to,) for text in look[4]]
    pole = evening.world.on.pop(deed.source)
    evening.world.edge(evening.main.t + evening.rng.randrange(200, 2_200) * MS, deed.source, -1, pole)
    evening.main.from_box(pole).wait(200, 800)
    evening.finish(deed, evening.main)
    evening.settle(deed)


def power_flickers(evening: Evening) -> None:
    """The power flickers in the middle of a capture"""
    deed = evening.choose(lambda deed: deed.victims)
    evening.truth.asks = True
    begin = evening.main.t
    evening.make(deed, neat=True)
    lost = evening.rng.randrange(begin, max(evening.main.t - 100 * MS, begin + 1))
    back = lost + evening.rng.randrange(400, 3_000) * MS
    evening.world.outages.append((lost, back))
    evening.main.until(back)


def unseen(evening: Evening, deed: Deed) -> None:
    """Make a capture by replacement of which no sensor sees more than that the taker has left."""
    if evening.ground.hall or deed.fills or deed.clears:
        raise NotHere
    assert deed.source
    assert deed.to
    evening.truth.asks = True
    evening.main.lift(deed.source).aside()
    evening.world.on[deed.to] = deed.pole


def replaces(deed: Deed) -> bool:
    """Whether a deed takes what stands on its goal, and nothing else."""
    return deed.victims == (deed.to,)


def victim_pushed_aside(evening: Evening) -> None:
    """The captured piece is taken off last, under the hand: no sensor sees it"""
    deed = evening.choose(replaces)
    unseen(evening, deed)
    evening.main.wait(300, 900)
    evening.settle(deed)


def faster_than_a_scan(evening: Evening) -> None:
    """The pieces change places faster than a contact can tell"""
    deed = evening.choose(replaces)
    unseen(evening, deed)
    evening.main.wait(200, 900)
    assert deed.to
    evening.world.gone_for(deed.to, evening.main.t, evening.rng.uniform(1, 3))
    evening.settle(deed)


def unseen_and_played_on(evening: Evening) -> None:
    """A capture that no sensor saw, and the next player plays on after a few seconds"""
    victim_pushed_aside(evening)
    deed = evening.last
    assert deed
    end, reply = evening.answer(deed)
    evening.make(reply, evening.main.wait(2_500, 6_000), end, neat=True)


def victim_where_taker_stood(evening: Evening) -> None:
    """The captured piece is first put where its taker stood"""
    deed = evening.choose(lambda deed: replaces(deed) and not deed.fills and not deed.clears)
    assert deed.source
    assert deed.to
    evening.truth.asks = True
    taken = evening.hand(evening.rng.uniform(100, 500)).lift(deed.to)
    evening.main.lift(deed.source).until(taken.t).wait(60, 400).put(deed.to)
    taken.until(evening.main.t).wait(60, 500).put(deed.source).wait(500, 3_000).lift(deed.source).aside()
    evening.main.until(taken.t)
    evening.settle(deed)


def victim_parked(evening: Evening) -> None:
    """The captured piece is put on some free cell for a moment before it is taken off"""
    deed = evening.choose(lambda deed: replaces(deed) and not deed.fills and not deed.clears)
    assert deed.source
    assert deed.to
    reach = evening.reachable(evening.now, evening.after(deed))
    parked = evening.one(set(evening.free(deed)) - reach)
    hand = evening.main.lift(deed.source).wait(100, 400).lift(deed.to)
    hand.wait(100, 400).put(parked).wait(60, 400).put(deed.to)
    hand.wait(800, 3_000).lift(parked).aside()
    evening.settle(deed)


def vibration(evening: Evening) -> None:
    """Music on the table: contacts flicker here and there while a move is made"""
    deed = evening.choose()
    begin = evening.main.t
    evening.make(deed)
    for site in evening.others(deed)[:12]:
        for _ in range(evening.rng.randrange(1, 4)):
            evening.world.gone_for(site, evening.rng.randrange(begin, evening.main.t), evening.rng.uniform(5, 40))


def bumped(evening: Evening) -> None:
    """Somebody knocks against the table: several contacts let go at once, in the middle of a move"""
    deed = evening.choose()
    begin = evening.main.t
    evening.make(deed)
    when = evening.rng.randrange(begin, evening.main.t)
    for site in evening.others(deed)[: evening.rng.randrange(3, 9)]:
        evening.world.gone_for(site, when + evening.rng.randrange(30) * MS, evening.rng.uniform(8, 80))


def hovering(evening: Evening) -> None:
    """The piece hovers over its goal before it is put down"""
    deed = evening.choose(lambda deed: not deed.victims)
    assert deed.source
    assert deed.to
    evening.main.lift(deed.source).wait(200, 500)
    for _ in range(evening.rng.randrange(1, 4)):
        ms = evening.rng.uniform(30, 200)
        evening.world.there_for(deed.to, evening.main.t, ms, deed.pole)
        evening.main.wait(ms + 100, ms + 400)
    done(evening, deed, evening.main)


def on_the_line(evening: Evening) -> None:
    """A piece is put down on the line between two cells, and nudged onto its goal"""
    deed = evening.choose(lambda deed: not deed.fills and not deed.clears)
    assert deed.source
    assert deed.to
    beside = [site for site in evening.free(deed) if site in evening.ground.near[deed.to]]
    reach = evening.reachable(evening.now, evening.after(deed))
    other = evening.one([site for site in beside if site not in reach])
    evening.no_lit_answers()
    evening.main.lift(deed.source).wait(100, 500)
    evening.finish(deed, evening.main)
    ms = evening.rng.uniform(300, 2_000)
    evening.world.there_for(other, evening.main.t + evening.rng.randrange(-20, 20) * MS, ms, deed.pole)
    evening.main.wait(ms, ms + 100)
    evening.world.gone_for(deed.to, evening.main.t, evening.rng.uniform(10, 120))
    evening.main.wait(150, 300)
    evening.settle(deed)


def ring_on_the_hand(evening: Evening) -> None:
    """A ring with a magnet on the hand that moves: free cells beside its way close for a moment"""
    deed = evening.choose()
    assert deed.source
    assert deed.to
    begin = evening.main.t
    near = {*evening.ground.near[deed.source], *evening.ground.near[deed.to]}
    free = [site for site in evening.free(deed) if site in near]
    evening.make(deed)
    for site in free[: evening.rng.randrange(1, 4)]:
        evening.world.there_for(site, evening.rng.randrange(begin, evening.main.t), evening.rng.uniform(15, 150))
