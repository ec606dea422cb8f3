"""Stories of pieces that only move: straight, in stops, low over cells, astray, and not at all."""

from __future__ import annotations

from tests.hands import seen
from tests.hands.positions import Made, occupancy
from tests.hands.teller import NotHere, Plies, Teller
from tests.hands.telling import (
    BEACONS,
    CHESS,
    CIRCLE,
    CYVASSE,
    GIANTS,
    TIDES,
    Story,
    enters,
    moves,
    travels,
    turns,
)

FELT_MS = 300  # a piece that rested longer may have been let go
SLOWEST_MS = 60  # a slow sensor sees a piece for so much longer


def plain_move(t: Teller) -> None:
    """A piece is lifted and put down elsewhere: that ply, and a question only where another looks the same."""
    ply = t.pick(moves)
    t.says((ply.text,), ask=t.doubtful(ply))
    t.make(ply)


def plain_entry(t: Teller) -> None:
    """A piece from beside the board is put down: that ply."""
    ply = t.pick(enters)
    t.says((ply.text,), ask=t.alike(ply))
    t.make(ply)


def pieces_changed(t: Teller) -> None:
    """A shell is turned, a node is set, or a store is cleared: that ply; clearing a store may mean many things.

    Where a shell is turned and its store cleared too, the board looks like other plies in between: not told here. Nor
    is a store whose units change hands, where sensors tell no poles: they see nothing of it.
    """
    still = occupancy(t.place.lying, t.hall)
    ply = t.pick(
        lambda ply: turns(ply) and len({":" in name for name in ply.touched}) == 1 and ply.occupies(t.hall) != still
    )
    t.says((ply.text,), ask=t.alike(ply) or not ply.on)
    t.make(ply)


def _vias(t: Teller, ply: Made) -> list[str]:
    """Return free sites on which the piece may rest on its way: those of its path, else others that it may go to."""
    lying = t.place.lying
    path = [name for name in ply.path[1:-1] if name not in lying]
    return path or t.shuffled(t.goals_of(ply) - {ply.landing} - set(lying))[:2]


def _stopping(t: Teller) -> tuple[Made, list[str]]:
    """Choose a ply on whose way a piece may stop, and the stops."""
    ply = t.pick(lambda ply: travels(ply) and _vias(t, ply))
    return ply, _vias(t, ply)


def _carried(t: Teller, ply: Made, vias: list[str], rest_ms: list[float]) -> None:
    """Take the piece along the stops to its landing. Where it rests for longer than is felt, it may count as put down
    from then on, and is followed.
    """
    pole = t.world.lift(ply.origin) if ply.origin else ply.pole
    t.world.wait(t.between(40, 300))
    for via, ms in zip(vias, rest_ms, strict=True):
        t.world.put(via, pole)
        if ms > FELT_MS - SLOWEST_MS and (stop := t.reached(ply.origin, via)):
            t.lain((stop.text,), FELT_MS)
        t.world.wait(ms)
        t.world.lift(via)
        t.world.wait(t.between(20, 120))
    t.world.put(ply.landing, pole)


def two_plies(t: Teller, ply: Made, via: str) -> list[Plies]:
    """Return the same way as two plies of the same player, where the rules allow them one after the other."""
    first = t.reached(ply.origin, via)
    if first is None:
        return []
    state, legal = t.after(first)
    if t.game.seat(state) != first.seat:
        return []
    return [(first.text, then.text) for then in legal if then.origin == via and then.landing == ply.landing]


def slide_in_stops(t: Teller) -> None:
    """The fingers rest for 60 to 250 ms on cells of the way and never let go: only the last cell counts."""
    ply, vias = _stopping(t)
    t.says((ply.text,), ask=t.doubtful(ply))
    _carried(t, ply, vias, [t.between(60, 250) for _ in vias])


def slow_slide(t: Teller) -> None:
    """The fingers rest up to 900 ms on cells of the way and never let go: only the last cell counts.

    Where the rules allow the same way as two plies of one player, and it rested long, these are as true. A stop of more
    than 0.3 s may be on record until the piece has gone on: no sensor tells that the fingers are on it.
    """
    ply, vias = _stopping(t)
    if t.name in (BEACONS, CIRCLE):  # there two stops may be two plies
        vias = vias[:1]
    rests = [t.between(60, 900) for _ in vias]
    two = two_plies(t, ply, vias[0]) if rests[0] > FELT_MS else []
    ended = [t.reached(ply.origin, via) for via, ms in zip(vias, rests, strict=True) if ms > FELT_MS]
    over = [(stop.text,) for stop in ended if stop and stop.over]  # put down, it has ended the game
    t.says((ply.text,), *two, *over, ask=t.doubtful(ply) or bool(two))
    _carried(t, ply, vias, rests)


def slide_paused(t: Teller) -> None:
    """Thinking, the player holds the piece on a cell of the way for 1 to 3 s, then goes on: the last cell counts.

    It has rested as one that was let go: the ply to the stop may be kept instead; and what is recorded only after it
    had lain for 0.3 s may be taken back, since a hand that goes on then does as one that takes back by hand.
    """
    ply, vias = _stopping(t)
    via = t.random.choice(vias)
    stop, two = t.reached(ply.origin, via), two_plies(t, ply, via)
    finals = [(ply.text,), *([(stop.text,)] if stop else []), *two]
    t.says(*finals, undone=[(stop.text,)] if stop else [], ask=True)
    pole = t.world.lift(ply.origin) if ply.origin else ply.pole
    t.world.wait(t.between(40, 300))
    t.world.put(via, pole)
    if stop:
        t.lain((stop.text,), FELT_MS)
    t.world.wait(t.between(1000, 3000))
    t.world.shift(via, ply.landing, t.between(20, 120))


def touch_and_go(t: Teller) -> None:
    """A piece touches a legal cell for 100 to 250 ms, the fingers on it, and goes to another: only that one counts."""
    ply, vias = _stopping(t)
    others = t.goals_of(ply) - {ply.landing} - set(t.place.lying)
    via = t.random.choice(t.shuffled(others) or vias)
    t.says((ply.text,), ask=t.doubtful(ply))
    _carried(t, ply, [via], [t.between(100, 250)])


def slid_flat(t: Teller) -> None:
    """A piece is pushed over the cells of its way without a stop, 15 to 60 ms over each."""
    ply = t.pick(lambda ply: moves(ply) and any(name not in t.place.lying for name in ply.path[1:-1]))
    t.says((ply.text,), ask=t.doubtful(ply))
    at = ply.origin
    for name in (*ply.path[1:-1], ply.landing):
        if name not in t.world.lying:
            t.world.shift(at, name, t.between(5, 30))
            at = name
            t.world.wait(t.between(15, 60))


def carried_low(t: Teller) -> None:
    """A piece is carried low over other cells, 20 to 40 ms over each, and put down: that ply."""
    ply = t.pick(travels)
    t.says((ply.text,), ask=t.doubtful(ply))
    pole = t.world.lift(ply.origin) if ply.origin else ply.pole
    t.world.wait(t.between(60, 400))
    low = t.free(ply.landing, *t.goals_of(ply))[:2] + t.shuffled(t.goals_of(ply) - {ply.landing})[:2]
    for name in low:
        t.world.pass_over(name, pole, t.between(20, 40))
        t.world.wait(t.between(20, 100))
    t.world.put(ply.landing, pole)


def thought_better(t: Teller) -> None:
    """A piece is lifted, carried low over cells that it may go to, and put back where it stood: no ply.

    In Circle it is back before it counts as held; a store of Beacons that was up for long may have paid: that is asked.
    """
    ply = t.pick(moves)
    t.says((), ask=t.name == BEACONS)
    pole = t.world.lift(ply.origin)
    t.world.wait(t.between(20, 60))
    for name in t.shuffled(t.goals(ply.origin) - set(t.place.lying))[:2]:
        t.world.pass_over(name, pole, t.between(20, 40))
        t.world.wait(t.between(10, 40))
    t.world.wait(t.between(0, 60) if t.name in (CIRCLE, BEACONS) else t.between(0, 3000))
    t.world.put(ply.origin, pole)


def _astray(t: Teller, ply: Made) -> list[str]:
    """Return free cells to which no ply leads that looks like this one's; raises `NotHere`."""
    found = []
    for name in t.free(ply.landing, *t.goals(ply.origin), *t.goals("")):
        lying = {**t.place.lying, name: ply.pole}
        lying.pop(ply.origin)
        passed = any(name in each.path for each in t.place.made if each.origin == ply.origin)
        if not passed and not t.explained(lying) and not t.explained({**t.place.lying, name: ply.pole}):
            found.append(name)
    if not found:
        raise NotHere
    return found


def _put_astray(t: Teller, ply: Made, cells: list[str]) -> str:
    """Lift the piece and put it on the first of the ``cells`` that is not lit as an answer: that would be one."""
    pole = t.world.lift(ply.origin)
    t.world.wait(t.between(100, 400))
    lit = seen.lit_choices(t.world.table).values()
    name = next((cell for cell in cells if cell not in lit), None)
    if name is None:
        raise NotHere
    t.world.put(name, pole)
    return name


def astray_and_back(t: Teller) -> None:
    """A piece is put on a cell where it may not go, stands there, and is put back: no ply."""
    ply = t.pick(moves)
    cells = _astray(t, ply)
    t.says(())
    name = _put_astray(t, ply, cells)
    t.world.wait(t.between(200, 2500))
    # In Circle a unit that was away is no unit that was held: it stood elsewhere meanwhile.
    t.world.shift(name, ply.origin, t.between(60, 250))


def astray_and_on(t: Teller) -> None:
    """A piece is put on a cell where it may not go, and from there straight on to one where it may: that ply."""
    ply = t.pick(moves)
    cells = _astray(t, ply)
    t.says((ply.text,), ask=t.doubtful(ply))
    name = _put_astray(t, ply, cells)
    t.world.wait(t.between(100, 2500))
    t.world.shift(name, ply.landing, t.between(60, 400))


def the_last_ply(t: Teller) -> None:
    """A ply that ends the game is made straight: that ply."""
    for _ in t.positions:
        ending = [each for each in t.place.made if each.over and each.path and each.origin != each.landing]
        if ending:
            ply = t.random.choice(ending)
            t.says((ply.text,), ask=t.doubtful(ply))
            t.make(ply)
            return
        t.at = (t.at + 1) % len(t.positions)
    raise NotHere


def dragon_flies(t: Teller) -> None:
    """A dragon comes in, the other side answers, and the dragon is pushed slowly over three cells or more."""
    ply = t.pick(lambda ply: enters(ply) and ply.text.startswith("D-"))
    texts, answer = t.reply(ply, lambda each: moves(each) and ply.landing not in each.touched)
    _, legal = t.after(ply, answer)
    flights = [each for each in legal if moves(each) and each.origin == ply.landing and len(each.path) > 2]
    flights = [each for each in flights if not each.over]
    if not flights:
        raise NotHere
    flight = t.random.choice(flights)
    t.says((*texts, flight.text))
    t.make(ply)
    t.pause()
    t.make(answer)
    t.world.wait(t.between(300, 1500))
    pole = t.world.lift(flight.origin)
    for name in (*flight.path[1:-1], flight.landing):
        t.world.wait(t.between(20, 60))
        if name != flight.landing:
            t.world.pass_over(name, pole, t.between(20, 60))
    t.world.put(flight.landing, pole)


STORIES = (
    Story(plain_move),
    Story(plain_entry, (BEACONS, CYVASSE)),
    Story(pieces_changed, (BEACONS,)),
    Story(slide_in_stops),
    Story(slow_slide),
    Story(slide_paused),
    Story(touch_and_go),
    Story(slid_flat, (CYVASSE, GIANTS, CHESS)),
    Story(carried_low),
    Story(thought_better),
    Story(astray_and_back),
    Story(astray_and_on),
    Story(the_last_ply, (GIANTS, TIDES)),
    Story(dragon_flies, (CYVASSE,)),
)
