"""Stories of an evening with children, a cat, cups and people who discuss. Each docstring is a title."""

from __future__ import annotations

from tests.strangers.evening import Evening, NotHere
from tests.strangers.hands import MS, StrangersHand
from tests.strangers.positions import Deed
from tests.strangers.two_hands_stories import done, pair


def swapped_by_mistake(evening: Evening) -> None:
    """Two pieces are swapped by mistake and put back in another order"""
    if evening.game.facts.hold:
        raise NotHere  # there a piece that is away for so long and comes back has changed its class
    one = evening.one(evening.others())
    takers, seats = evening.now.takers, evening.now.seats
    two = evening.one([site for site in evening.others() if site != one and seats[site] == seats[one]])
    if one in takers.get(two, ()) or two in takers.get(one, ()):
        raise NotHere
    hand = evening.main.lift(one).wait(80, 400).lift(two).wait(80, 400)
    hand.put(one).wait(80, 400).put(two).wait(1_000, 3_000)
    hand.lift(two).wait(80, 400).lift(one).wait(80, 400).put(two).wait(80, 400).put(one)


def rebuilt(evening: Evening) -> None:
    """A quarter to half of the board is lifted off and built up again"""
    pieces = evening.others()
    pieces = pieces[: max(3, int(len(pieces) * evening.rng.uniform(0.25, 0.5)))]
    poles = [(site, evening.world.on[site]) for site in pieces]
    for site in pieces:
        evening.main.wait(80, 350).lift(site).aside()
    evening.main.wait(200, 2_000)
    evening.rng.shuffle(poles)
    for site, pole in poles:
        evening.main.wait(80, 350).from_box(pole).put(site)


def another_from_the_box(evening: Evening) -> None:
    """The piece falls down, and another one is taken from the box"""
    deed = evening.choose()
    assert deed.source
    evening.main.lift(deed.source).aside().wait(2_000, 6_000).from_box(deed.pole)
    done(evening, deed, evening.main)


def put_right(evening: Evening, before: dict[str, int], hand: StrangersHand, fallen: list[str]) -> None:
    """Bring the pieces back to where they stood, in any order that hands can do it; ``fallen`` stand as before last."""
    world = evening.world
    wrong = {site for site in {*before, *world.on} if before.get(site) != world.on.get(site)}
    homes = sorted(site for site in wrong if site in before)
    evening.rng.shuffle(homes)
    homes.sort(key=lambda site: site in fallen)
    extra = sorted(site for site in wrong if site in world.on)
    evening.rng.shuffle(extra)
    while extra or homes:
        free = [site for site in homes if site not in world.on]
        site = next((site for site in extra if any(before[home] == world.on[site] for home in free)), None)
        if site is not None:
            home = next(home for home in free if before[home] == world.on[site])
            hand.lift(site).wait(200, 600).put(home)
            extra.remove(site)
        elif free and not (extra and evening.rng.random() < 0.5):
            home = free[0]
            hand.from_box(before[home]).put(home)
        elif extra:
            hand.lift(extra.pop()).aside().wait(200, 500)
            continue
        else:
            raise NotHere
        homes.remove(home)
        hand.wait(400, 1_200)


def back_by_two(evening: Evening) -> None:
    """A capture of two moves ago is taken back by hand, in any order"""
    start, before = evening.now, dict(evening.world.on)
    deed = evening.choose(lambda deed: deed.victims)
    evening.make(deed, neat=True)
    unseen, reply = evening.answer(deed)
    evening.make(reply, evening.main.wait(1_500, 3_000), unseen, neat=True)
    evening.truth.stood, evening.truth.plies = tuple(evening.truth.plies), []
    evening.truth.asks = evening.truth.anything_meanwhile = True
    way_back = [(deed.to, deed.source), (reply.to, reply.source)]
    evening.rng.shuffle(way_back)
    hand = evening.main.wait(1_500, 4_000)
    for there, home in way_back * 2:
        assert there
        assert home
        if there in evening.world.on and home not in evening.world.on and before.get(home) == evening.world.on[there]:
            hand.lift(there).wait(200, 700).put(home).wait(400, 1_500)
    put_right(evening, before, hand, [])
    evening.now, evening.last = start, evening.spot.last
    evening.stood = set(evening.spot.stood)


def cat(evening: Evening) -> None:
    """A cat walks over the board and pushes pieces to the next cells; people put them back"""
    goals = evening.now.goals
    pushed: list[tuple[str, str]] = []
    for site in evening.others():
        beside = [cell for cell in evening.free(beside=[to for _, to in pushed]) if cell in evening.ground.near[site]]
        beside = [cell for cell in beside if cell not in goals.get(site, ())]
        here = frozenset(evening.now.shape)
        beside = [cell for cell in beside if here - {site} | {cell} not in evening.stood]  # that would take back
        if beside and len(pushed) < 3:
            pushed.append((site, beside[0]))
    if len(pushed) < 2 or evening.game.facts.shells:
        raise NotHere
    for site, cell in pushed:
        evening.main.wait(60, 400).slide((site, cell))
    evening.main.wait(1_000, 3_000)
    evening.rng.shuffle(pushed)
    for site, cell in pushed:
        evening.main.lift(cell).wait(150, 500).put(site).wait(200, 700)


def strange_cells(evening: Evening, deed: Deed, number: int) -> list[str]:
    """Return free cells side by side where nothing may go, for something that is no piece."""
    ended = [end for end in (evening.now.named("end"), evening.after(deed).named("end")) if end]
    reach = evening.reachable(evening.now, evening.after(deed), *(evening.after(end) for end in ended))
    free = [site for site in evening.free(deed) if site not in reach]
    first = evening.one(free)
    evening.avoid |= {first}
    beside = [site for site in free if site in evening.ground.near[first]][: number - 1]
    evening.avoid |= set(beside)
    return [first, *beside]


def cup(evening: Evening) -> None:
    """A cup with a magnet in its foot stands on free cells for a while; a move is made meanwhile or after"""
    deed = evening.choose()
    ms = evening.rng.uniform(1_000, 5_000)
    for site in strange_cells(evening, deed, 2):
        evening.world.there_for(site, evening.main.t + evening.rng.randrange(30) * MS, ms)
    evening.main.wait(300, 900) if evening.rng.random() < 0.5 else evening.main.wait(ms + 300, ms + 900)
    evening.make(deed)


def telephone(evening: Evening) -> None:
    """A telephone in a magnetic case lies on the board, during two moves"""
    deed = evening.choose()
    unseen, reply = pair(evening, deed)
    sites = strange_cells(evening, deed, 3)
    begin = evening.main.t
    evening.make(deed, evening.main.wait(500, 1_500))
    if reply.sites & set(sites):
        raise NotHere
    evening.make(reply, evening.main.wait(500, 1_500), unseen)
    ms = (evening.main.t - begin) / MS + evening.rng.uniform(200, 2_000)
    for site in sites:
        evening.world.there_for(site, begin + evening.rng.randrange(100) * MS, ms)
    evening.main.until(begin + int(ms * MS))


def child_adds(evening: Evening) -> None:
    """A child puts a spare piece on the board and takes it away again, while one is in the hand"""
    evening.no_lit_answers()
    deed = evening.choose()
    site = strange_cells(evening, deed, 1)[0]
    assert deed.source
    evening.main.lift(deed.source)
    ms = evening.rng.uniform(800, 3_000)
    evening.world.there_for(site, evening.main.t + evening.rng.randrange(600) * MS, ms, evening.rng.choice((1, -1)))
    evening.main.wait(200, ms + 1_000)
    done(evening, deed, evening.main)


def one_way(evening: Evening, deed: Deed) -> None:
    """Raise `NotHere` where the way back of a deed is a ply of its own that the same player may make."""
    if evening.game.facts.several and deed.source in evening.after(deed).goals.get(deed.to, ()):
        raise NotHere


def undo(evening: Evening, deed: Deed, before: dict[str, int]) -> None:
    """Take back a deed that has just been made, in any order."""
    assert deed.source
    assert deed.to
    hand, gone = evening.main, [site for site in deed.victims if site != deed.to]
    evening.rng.shuffle(gone)
    early = gone[: evening.rng.randrange(len(gone) + 1)]
    for site in early:
        hand.from_box(before[site]).put(site).wait(200, 700)
    hand.lift(deed.to).wait(200, 700).put(deed.source)
    for site in deed.victims:
        if site not in early:
            hand.wait(200, 700).from_box(before[site]).put(site)


def demonstrated(evening: Evening) -> None:
    """Somebody explains a move by making it, and puts everything back"""
    deed = evening.choose(lambda deed: not deed.fills and not deed.clears)
    one_way(evening, deed)
    before = dict(evening.world.on)
    assert deed.source
    evening.main.lift(deed.source).wait(200, 600)
    evening.finish(deed, evening.main)
    evening.main.wait(500, 3_000)
    undo(evening, deed, before)
    evening.truth.meanwhile.append((deed.text,))


def taken_back_after_a_word(evening: Evening) -> None:
    """A move is taken back after a discussion in which other pieces were touched, and another one is made"""
    start, before = evening.now, dict(evening.world.on)
    deed = evening.choose(lambda deed: not deed.fills and not deed.clears)
    one_way(evening, deed)
    better = evening.choose(lambda each: each.text != deed.text)
    evening.make(deed, neat=True)
    evening.main.wait(800, 2_500)
    takers = evening.now.takers
    for site in evening.others(deed)[: evening.rng.randrange(1, 3)]:
        evening.main.straighten(site, 100, evening.short_ms).wait(300, 1_200)
    if any(deed.to in by or by & deed.sites for by in takers.values()):
        evening.truth.asks = True
    undo(evening, deed, before)
    evening.truth.meanwhile.append((deed.text,))
    evening.truth.plies, evening.now, evening.last = [], start, evening.spot.last
    evening.stood = set(evening.spot.stood)
    evening.make(better, evening.main.wait(500, 2_000), neat=True)


def two_straightened(evening: Evening) -> None:
    """Two pieces of one player are lifted together and put straight, like a king and his rook"""
    seats, low = evening.now.seats, 60 if evening.game.facts.hold else 200
    one = evening.one(evening.others())
    two = evening.one([site for site in evening.others() if site != one and seats[site] == seats[one]])
    hand = evening.main.lift(one).wait(20, low).lift(two).wait(20, evening.short_ms - 2 * low)
    hand.put(two).wait(20, low).held[-1:] and hand.put(one)


def dropped_and_rolled(evening: Evening) -> None:
    """A piece is dropped on the way, rolls over a cell or two, is picked up and put on its goal"""
    evening.no_lit_answers()
    deed = evening.choose()
    assert deed.source
    goals = evening.now.goals[deed.source]
    free = [site for site in evening.free(deed) if site not in goals]
    here = evening.one(free)
    evening.main.lift(deed.source).wait(200, 600)
    roll = [here, *[site for site in free if site in evening.ground.near[here]][: evening.rng.randrange(3)]]
    for site in roll[:-1]:
        ms = evening.rng.uniform(30, 200)
        evening.world.there_for(site, evening.main.t, ms, deed.pole)
        evening.main.wait(ms, ms + 40)
    evening.main.put(roll[-1]).wait(300, 1_500).lift(roll[-1]).wait(200, 700)
    done(evening, deed, evening.main)


def wrong_cell_first(evening: Evening) -> None:
    """The piece is first put where it may not go, and then put right"""
    evening.no_lit_answers()
    deed = evening.choose()
    assert deed.source
    wrong = evening.one(set(evening.free(deed)) - evening.now.goals[deed.source])
    evening.main.lift(deed.source).wait(200, 600).put(wrong).wait(500, 2_500).lift(wrong).wait(200, 600)
    done(evening, deed, evening.main)


def jumped_the_gun(evening: Evening) -> None:
    """Somebody moves whose turn it is not, and puts back"""
    deed = evening.choose()
    seats, mine = evening.now.seats, evening.now.seat
    piece = evening.one([site for site in evening.others(deed) if seats[site] not in (mine, None)])
    reach = evening.reachable(evening.now)
    cell = evening.one([site for site in evening.free(deed) if site not in reach])
    if evening.game.facts.several:
        raise NotHere  # there a lift may end the turn
    hand = evening.main.lift(piece).wait(200, 600).put(cell).wait(400, 2_000)
    hand.lift(cell).wait(200, 600).put(piece).wait(300, 1_500)
    evening.make(deed)


def undecided(evening: Evening) -> None:
    """A player lifts one piece, then another, and moves a third"""
    deed = evening.choose()
    mine = [site for site in evening.others(deed) if evening.now.seats[site] == evening.now.seat]
    most = evening.short_ms if evening.game.facts.hold else 2_500
    for site in mine[: evening.rng.randrange(1, 3)]:
        evening.main.straighten(site, 150, most).wait(200, 1_500)
    evening.make(deed)


def twisted(evening: Evening) -> None:
    """A piece is turned on its cell before it moves"""
    deed = evening.choose()
    assert deed.source
    for _ in range(evening.rng.randrange(2, 5)):
        ms = evening.rng.uniform(20, 150)
        evening.world.gone_for(deed.source, evening.main.t, ms)
        evening.main.wait(ms + 60, ms + 300)
    evening.make(deed, evening.main.wait(100, 400))


def row_pushed(evening: Evening) -> None:
    """A row of pieces is pushed on by a cell, and pushed back"""
    world, near, goals = evening.world, evening.ground.near, evening.now.goals
    rows = []
    for end in evening.free():
        for last in (site for site in near[end] if site in world.on):
            x, y = (2 * a - b for a, b in zip(evening.ground.at[last], evening.ground.at[end], strict=True))
            first = [site for site in near[last] if site in world.on and abs(evening.ground.at[site][0] - x) < 2]
            first = [site for site in first if abs(evening.ground.at[site][1] - y) < 2]
            if first and end not in goals.get(first[0], ()) and end not in goals.get(last, ()):
                rows.append((first[0], last, end))
    if not rows or evening.game.facts.shells:
        raise NotHere
    first_site, last, end = evening.rng.choice(sorted(rows))
    evening.main.slide((last, end)).wait(5, 60).slide((first_site, last)).wait(500, 2_500)
    evening.main.slide((last, first_site)).wait(5, 60).slide((end, last))
