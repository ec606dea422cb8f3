"""Stories of several hands: answers that come early, pieces straightened beside a move. Each docstring is a title."""

from __future__ import annotations

from tests.strangers.evening import Evening, NotHere
from tests.strangers.hands import StrangersHand
from tests.strangers.positions import Deed


def pair(evening: Evening, first: Deed, apart: bool = True) -> tuple[list[str], Deed]:
    """Return an answer whose piece has nothing to do with the first deed; ``apart``: nor its goal."""
    return evening.answer(
        first,
        lambda reply: (
            reply.source not in first.sites
            and not (apart and reply.sites & first.sites)
            and evening.now.shape.get(reply.source or "") == reply.pole
        ),
    )


def either_order(evening: Evening, first: Deed, unseen: list[str], second: Deed) -> None:
    """Allow both orders where one player makes both plies and hands overlap: it comes to the same."""
    standing = evening.now.named(second.text)
    if evening.game.facts.several and not unseen and standing is not None:
        after = evening.after(standing).named(first.text)
        if after is not None and after.after == second.after:
            evening.truth.also.append((second.text, first.text))


def done(evening: Evening, deed: Deed, hand: StrangersHand, unseen: list[str] | None = None) -> None:
    """Do what is left of a deed whose piece is in the hand, and note it."""
    evening.finish(deed, hand)
    evening.chores(deed, hand)
    evening.settle(deed, unseen or [])


def answer_lifted_early(evening: Evening) -> None:
    """The answer is lifted before the move is down, and put down after it"""
    deed = evening.choose()
    unseen, reply = pair(evening, deed, apart=evening.rng.random() < 0.7)
    if reply.to == deed.source:
        raise NotHere  # to any sensor one piece may be put back there, and the other one have made the move
    evening.truth.asks = bool(reply.sites & deed.sites)
    either_order(evening, deed, unseen, reply)
    assert deed.source
    assert reply.source
    evening.main.lift(deed.source).wait(100, 500)
    other = evening.hand().lift(reply.source)
    evening.main.wait(100, 700)
    done(evening, deed, evening.main)
    done(evening, reply, other.until(evening.main.t).wait(200, 1_500), unseen)
    evening.main.until(other.t)


def answer_down_first(evening: Evening) -> None:
    """The answer is put down before the move is done"""
    deed = evening.choose()
    unseen, reply = pair(evening, deed)
    evening.truth.asks = True
    crossed(evening, deed, unseen, reply)
    either_order(evening, deed, unseen, reply)
    assert deed.source
    assert reply.source
    evening.main.lift(deed.source).wait(100, 500)
    other = evening.hand().lift(reply.source).wait(100, 400)
    evening.finish(reply, other)
    evening.chores(reply, other)
    done(evening, deed, evening.main.until(other.t).wait(60, 900))
    evening.settle(reply, unseen)


def crossed(evening: Evening, deed: Deed, unseen: list[str], reply: Deed) -> None:
    """Allow the reading in which each of two pieces goes where the other one went: that, too, the sensors bear out."""
    for one in evening.now.shuffled(evening.rng):
        if one.source == deed.source and one.to == reply.to:
            standing = evening.after(one)
            end = standing.named("end") if unseen else None
            standing = evening.spot.standing(end.after) if end else standing
            for look in standing.looks:
                if look[1][:1] == (reply.source,) and look[1][-1] == deed.to:
                    evening.truth.also.append((one.text, *unseen, look[4][0]))


def slid_beside_an_answer(evening: Evening) -> None:
    """A piece is slid while the next player's piece is in the hand"""
    deed = slide_of(evening)
    unseen, reply = pair(evening, deed)
    either_order(evening, deed, unseen, reply)
    assert reply.source
    other = evening.hand().lift(reply.source)
    evening.main.wait(60, 600).slide(deed.path, 35, 200)
    evening.chores(deed, evening.main)
    evening.settle(deed)
    done(evening, reply, other.until(evening.main.t).wait(250, 1_500), unseen)
    evening.main.until(other.t)


def slide_of(evening: Evening) -> Deed:
    """Return a deed in which a piece goes three cells or more on free cells, one beside the other."""
    near, on = evening.ground.near, evening.world.on

    def slides(deed: Deed) -> bool:
        steps = zip(deed.path, deed.path[1:], strict=False)
        free = all(site not in on for site in deed.path[1:])
        return len(deed.path) > 2 and free and not deed.victims and all(b in near[a] for a, b in steps)

    if evening.game.facts.shells:
        raise NotHere
    return evening.choose(slides)


def slid_beside_straightening(evening: Evening) -> None:
    """A piece is slid while the other player straightens one of his"""
    deed = slide_of(evening)
    assert deed.source
    seats, mine = evening.now.seats, evening.now.seat
    safe = [site for site in evening.others(deed) if deed.source not in evening.now.takers.get(site, ())]
    piece = evening.one([site for site in safe if seats[site] not in (mine, None)])
    evening.hand(evening.rng.uniform(-100, 200)).straighten(piece, 80, min(evening.short_ms, 600))
    evening.main.wait(100, 250).slide(deed.path, 60, 200)
    evening.chores(deed, evening.main)
    evening.settle(deed)


def slid_past_others(evening: Evening) -> None:
    """A piece is slid past others, which are pushed a little"""
    deed = slide_of(evening)
    begin = evening.main.t
    evening.main.slide(deed.path, 60, 200)
    beside = {site for cell in deed.path for site in evening.ground.near[cell]}
    for site in [site for site in evening.others(deed) if site in beside][:3]:
        evening.world.gone_for(site, evening.rng.randrange(begin, evening.main.t), evening.rng.uniform(20, 250))
    evening.main.wait(250, 300)
    evening.chores(deed, evening.main)
    evening.settle(deed)


def straightened_while_thinking(evening: Evening) -> None:
    """Pieces are straightened while somebody thinks with one in the hand"""
    deed = evening.choose()
    assert deed.source
    evening.main.lift(deed.source)
    other = evening.hand(300)
    safe = [site for site in evening.others(deed) if deed.source not in evening.now.takers.get(site, ())]
    for site in safe[: evening.rng.randrange(1, 4)]:
        other.straighten(site, 60, evening.short_ms).wait(300, 900)
    done(evening, deed, evening.main.until(other.t).wait(200, 900))


def moved_piece_straightened(evening: Evening) -> None:
    """The moved piece is straightened while the next one is lifted"""
    deed = evening.choose()
    unseen, reply = pair(evening, deed)
    assert deed.to
    assert reply.source
    by = evening.after(deed).takers.get(deed.to, frozenset())
    if reply.source in by or unseen or deed.clears:
        raise NotHere
    evening.make(deed)
    other = evening.hand(evening.rng.uniform(200, 800)).lift(reply.source)
    evening.main.until(other.t).wait(100, 300).straighten(deed.to, 80, min(350, evening.short_ms))
    done(evening, reply, other.until(evening.main.t).wait(200, 900), unseen)
    evening.main.until(other.t)


def child_moves_another(evening: Evening) -> None:
    """A child moves another piece while one is in the hand, and it is put right"""
    deed = evening.choose()
    assert deed.source
    goals, takers = evening.now.goals, evening.now.takers
    toy = evening.one([site for site in evening.others(deed) if deed.source not in takers.get(site, ())])
    if evening.game.facts.hold and evening.now.seats[toy] == evening.now.seat:
        raise NotHere  # a unit of one's own that comes back after a while has changed its class
    wrong = evening.one(set(evening.free(deed)) - goals.get(toy, frozenset()) - goals[deed.source])
    evening.main.lift(deed.source)
    child = evening.hand(evening.rng.uniform(150, 500))
    child.lift(toy).wait(150, 600).put(wrong).wait(500, 2_500).lift(wrong).wait(150, 500).put(toy)
    done(evening, deed, evening.main.until(child.t).wait(200, 900))


def reaching_at_once(evening: Evening) -> None:
    """Two people reach at once; the one whose turn it is not puts back"""
    deed = evening.choose()
    assert deed.source
    seats = evening.now.seats
    safe = [site for site in evening.others(deed) if deed.source not in evening.now.takers.get(site, ())]
    piece = evening.one([site for site in safe if seats[site] not in (evening.now.seat, None)])
    evening.hand(evening.rng.uniform(-150, 150)).straighten(piece, 150, evening.short_ms)
    evening.main.lift(deed.source).wait(200, 500)
    done(evening, deed, evening.main)


def taken_late(evening: Evening) -> None:
    """What was jumped is taken off only after the next player has played"""
    deed = evening.choose(lambda deed: deed.victims and deed.to not in deed.victims and not deed.clears)
    unseen, reply = pair(evening, deed)
    assert deed.source
    assert deed.to
    evening.truth.asks = True
    evening.main.lift(deed.source).wait(200, 600).put(deed.to)
    evening.settle(deed)
    evening.make(reply, evening.main.wait(600, 2_000), unseen, neat=True)
    for victim in deed.victims:
        evening.main.wait(300, 900).lift(victim).aside()
    for site, pole in deed.fills:
        evening.main.wait(300, 900).from_box(pole).put(site)
