"""Stories of what disturbs: adjusted pieces, contacts that let go, bumps, strange pieces, knocks and restored ones."""

from __future__ import annotations

from tests.hands.positions import Made, occupancy
from tests.hands.teller import NotHere, Plies, Teller
from tests.hands.telling import BEACONS, CIRCLE, MOVING, TAKING, Story, goals_after_the_turn, moves, takes, travels


def piece_adjusted(t: Teller) -> None:
    """Any piece is lifted a little and put back on its cell: no ply."""
    t.says((), ask=t.name == BEACONS)
    for name in t.shuffled(_pieces(t))[:3]:
        t.world.adjust(name, t.between(60, 280))
        t.world.wait(t.between(200, 1500))


def _pieces(t: Teller) -> list[str]:
    """Return where pieces stand that a hand may lift one by one; nodes of shells are none."""
    return [name for name in t.place.lying if ":" not in name]


def contacts_flicker(t: Teller) -> None:
    """Nobody does anything; contacts under standing pieces let go for 3 to 29 ms: no ply."""
    t.says(())
    for name in t.shuffled(t.place.lying)[:4]:
        t.world.flicker(name, t.between(3, 29))
        t.world.wait(t.between(5, 500))


def flicker_while_moving(t: Teller) -> None:
    """While a piece is in the hand, contacts under others let go for 3 to 29 ms: that ply."""
    ply = t.pick(travels)
    t.says((ply.text,), ask=t.doubtful(ply))
    others = t.shuffled(set(t.place.lying) - ply.touched)[:3]
    pole = t.world.lift(ply.origin) if ply.origin else ply.pole
    for name in others:
        t.world.wait(t.between(10, 300))
        t.world.flicker(name, t.between(3, 29))
    t.world.wait(t.between(0, 200))
    t.world.put(ply.landing, pole)


def flicker_where_it_landed(t: Teller) -> None:
    """The contact under the piece that has just landed lets go for 3 to 29 ms, twice: that ply."""
    ply = t.pick(travels)
    t.says((ply.text,), ask=t.doubtful(ply))
    t.make(ply)
    for _ in range(2):
        t.world.wait(t.between(25, 600))
        t.world.flicker(ply.landing, t.between(3, 29))
        t.world.wait(40)


def flicker_while_taking(t: Teller) -> None:
    """Contacts under other pieces let go for 3 to 29 ms while attacker and victims are up: that capture."""
    ply = t.pick(takes)
    t.says((ply.text,), ask=t.doubtful(ply))
    pole = t.world.lift(ply.origin)
    t.pause()
    t.take([*ply.takes, *filter(None, [ply.victim])])
    t.world.wait(200)
    for name in t.shuffled(set(t.place.lying) - ply.touched)[:2]:
        t.world.flicker(name, t.between(3, 29))
        t.world.wait(t.between(10, 100))
    t.world.put(ply.landing, pole)


def neighbours_bumped(t: Teller) -> None:
    """Setting a piece down, the hand bumps its neighbours, which are off their sensors for 10 to 80 ms: that ply."""
    ply = t.pick(lambda ply: travels(ply) and _beside(t, ply))
    t.says((ply.text,), ask=t.doubtful(ply))
    bumped = t.shuffled(_beside(t, ply))[:3]
    pole = t.world.lift(ply.origin) if ply.origin else ply.pole
    t.pause()
    t.world.put(ply.landing, pole)
    t.world.wait(t.between(0, 30))
    for name in bumped:
        t.world.flicker(name, t.between(10, 80))
        t.world.wait(t.between(0, 40))


def _beside(t: Teller, ply: Made) -> list[str]:
    return [name for name in t.near(ply.landing) if name in t.place.lying and name not in ply.touched]


def _strange(t: Teller, pick: Made) -> str:
    """Return where the piece of ``pick`` may go, if another piece there means nothing."""
    lying = {**t.place.lying, pick.landing: pick.pole}
    shown = occupancy(lying, t.hall)
    ends = [each for each in t.place.made if each.text == "end"]
    theirs = any(each.seen and each.occupies(t.hall) == shown for end in ends for each in t.after(end)[1])
    means = _stood(t, lying) or theirs or pick.landing in t.goals("") or t.explained(lying)
    return "" if means else pick.landing


def _stood(t: Teller, lying: dict[str, int]) -> bool:
    """Whether the board looked so earlier in the game."""
    return occupancy(lying, t.hall) in (occupancy(earlier, t.hall) for earlier in t.place.earlier)


def _lay_strange(t: Teller, name: str, pole: int) -> None:
    """Put a piece where nothing belongs, and leave it there for seconds."""
    t.world.put(name, pole)
    t.world.wait(t.between(2500, 5000))


def strange_piece_and_adjusting(t: Teller) -> None:
    """A strange piece has lain for seconds where a piece could go; that piece is lifted and put back: no ply."""
    ply = t.pick(lambda ply: moves(ply) and _strange(t, ply))
    t.says(())
    _lay_strange(t, ply.landing, ply.pole)
    t.world.adjust(ply.origin, t.between(60, 280))


def strange_piece_and_flicker(t: Teller) -> None:
    """A strange piece has lain for seconds where a piece could go; its contact lets go for 3 to 29 ms: no ply."""
    ply = t.pick(lambda ply: moves(ply) and _strange(t, ply))
    t.says(())
    _lay_strange(t, ply.landing, ply.pole)
    for _ in range(t.random.choice((1, 1, 3))):
        t.world.flicker(ply.origin, t.between(3, 29))
        t.world.wait(t.between(100, 800))


def strange_piece_and_another_ply(t: Teller) -> None:
    """A strange piece lies where one could go while another ply is made, and is taken off later: that other ply."""
    strange = t.pick(lambda ply: moves(ply) and _strange(t, ply))
    plies = [
        each for each in t.usual(t.place.made)
        if moves(each) and not each.touched & strange.touched and strange.landing not in each.path
    ]  # fmt: skip
    if not plies:
        raise NotHere
    ply = t.random.choice(plies)
    t.says((ply.text,), ask=t.doubtful(ply))
    _lay_strange(t, strange.landing, strange.pole)
    t.make(ply)
    t.world.wait(t.between(500, 2000))
    t.world.lift(strange.landing)


def wobble_where_a_piece_left(t: Teller) -> None:
    """A strange piece is taken off and is seen once more for 5 to 15 ms as it goes: no ply."""
    ply = t.pick(lambda ply: moves(ply) and _strange(t, ply))
    t.says(())
    _lay_strange(t, ply.landing, ply.pole)
    t.world.wobble_off(ply.landing)


def wobble_of_the_victim(t: Teller) -> None:
    """Victim and attacker are seen once more for 5 to 15 ms as they leave: that capture."""
    ply = t.pick(takes)
    t.says((ply.text,), ask=t.doubtful(ply))
    for name in (*ply.takes, *filter(None, [ply.victim])):
        t.world.wobble_off(name)
        t.world.wait(t.between(150, 500))
    pole = t.world.wobble_off(ply.origin)
    t.world.wait(t.between(150, 500))
    t.world.put(ply.landing, pole)


def _knocked(t: Teller, *plies: Made) -> str:
    """Return a piece that can be knocked off so that the board looks like no ply, now or after these; or raise.

    One that came from beside the board with the last ply is not: a hand that lifts it takes that ply back.
    """
    touched = frozenset[str]().union(*(ply.touched for ply in plies))
    lying = dict(t.place.lying)
    stages = [lying, *({**ply.after} for ply in plies)]
    # A unit that is off its cell while its player may change its class looks like one that is held.
    held = {each.text[:-1] for each in t.place.made if each.text.endswith("+")} if t.name == CIRCLE else set[str]()
    for name in t.shuffled(set(_pieces(t)) - touched - held):
        without = [{n: p for n, p in stage.items() if n != name} for stage in stages]
        if not any(t.explained(lying) for lying in without) and not _stood(t, without[0]):
            return name
    raise NotHere


def knocked_and_restored(t: Teller) -> None:
    """A piece is knocked off, seconds later put back where the light asks, then a ply is made: that ply alone."""
    ply = t.pick(travels)
    name = _knocked(t, ply)
    t.says((ply.text,), ask=t.doubtful(ply))
    pole = t.world.lift(name)
    t.world.wait(t.between(800, 4000))
    t.world.put(name, pole)
    t.world.wait(t.between(300, 1500))
    t.make(ply)


def restored_while_moving(t: Teller) -> None:
    """A piece is knocked off, and put back while another is in the hand on its way: that ply alone.

    One that the other could take is left alone: to contacts it would look taken.
    """
    ply = t.pick(travels)
    name = _knocked(t, ply)
    if any(name in (each.victim, *each.takes) for each in t.place.made if each.origin == ply.origin):
        raise NotHere
    t.says((ply.text,), ask=t.doubtful(ply))
    theirs = t.world.lift(name)
    t.world.wait(t.between(800, 3000))
    pole = t.world.lift(ply.origin) if ply.origin else ply.pole
    t.world.wait(t.between(300, 900))
    t.world.put(name, theirs)
    t.world.wait(t.between(300, 900))
    t.world.put(ply.landing, pole)


def knocked_while_moving(t: Teller) -> None:
    """The hand that moves a piece knocks another off, which is put back a moment after the ply: that ply alone."""
    ply = t.pick(travels)
    name = _knocked(t, ply)
    t.says((ply.text,), ask=t.doubtful(ply))
    pole = t.world.lift(ply.origin) if ply.origin else ply.pole
    t.world.wait(t.between(100, 400))
    theirs = t.world.lift(name)
    t.world.wait(t.between(100, 400))
    t.world.put(ply.landing, pole)
    t.world.wait(t.between(1000, 4000))
    t.world.put(name, theirs)


def _series(t: Teller) -> tuple[list[Made], Plies]:
    """Choose up to three plies that follow each other, with the `end`s that they imply."""
    first = t.pick(moves)
    texts, second = t.reply(first, lambda each: moves(each) and not each.touched & first.touched)
    return [first, second], texts


def restored_after_plies(t: Teller) -> None:
    """A piece is knocked off, two plies are made, and it is put back where the light asks: these plies alone."""
    plies, texts = _series(t)
    name = _knocked(t, *plies)
    t.says(texts, ask=any(t.doubtful(ply) for ply in plies))
    theirs = t.world.lift(name)
    t.world.wait(t.between(800, 2000))
    for ply in plies:
        t.make(ply)
        t.world.wait(t.between(400, 1500))
    t.world.wait(t.between(500, 4000))
    t.world.put(name, theirs)


def knocked_over_the_board(t: Teller) -> None:
    """A piece is knocked on to a free cell where it may not go, and put back after a ply was made: that ply alone.

    One that has moved last is not knocked to where it came from: that is what a hand does that takes the ply back.
    """
    ply = t.pick(moves)
    name = _knocked(t, ply)
    theirs = t.place.lying[name]
    spots = [spot for spot in t.free(ply.landing, *ply.path) if not _means(t, ply, name, spot)]
    spots = [spot for spot in spots if not _undoes(t, name, spot)]
    if not spots:
        raise NotHere
    t.says((ply.text,), ask=t.doubtful(ply))
    t.world.lift(name)
    t.world.wait(t.between(30, 120))
    t.world.put(spots[0], theirs)
    t.world.wait(t.between(800, 3000))
    t.make(ply)
    t.world.wait(t.between(500, 2000))
    t.world.shift(spots[0], name, t.between(200, 600))


def _undoes(t: Teller, name: str, spot: str) -> bool:
    """Whether the board stands as before the last ply once the piece on ``name`` lies on ``spot``."""
    lying, shown = dict(t.place.lying), occupancy(t.place.lying, t.hall)
    lying[spot] = lying.pop(name)
    before = (occupancy(each, t.hall) for each in reversed(t.place.earlier))
    return occupancy(lying, t.hall) == next((each for each in before if each != shown), None)


def _means(t: Teller, ply: Made, name: str, spot: str) -> bool:
    """Whether some piece that is touched could go to ``spot``, so that it would mean something."""
    goals = t.goals(ply.origin) | t.goals(name) | t.goals("") | goals_after_the_turn(t)
    passed = {site for each in t.place.made if each.origin in (name, ply.origin) for site in each.path}
    return spot in goals | passed


STORIES = (
    Story(piece_adjusted),
    Story(contacts_flicker),
    Story(flicker_while_moving),
    Story(flicker_where_it_landed),
    Story(flicker_while_taking, TAKING),
    Story(neighbours_bumped),
    Story(strange_piece_and_adjusting),
    Story(strange_piece_and_flicker),
    Story(strange_piece_and_another_ply, MOVING),
    Story(wobble_where_a_piece_left),
    Story(wobble_of_the_victim, TAKING),
    Story(knocked_and_restored),
    Story(restored_while_moving),
    Story(knocked_while_moving),
    Story(restored_after_plies),
    Story(knocked_over_the_board),
)
