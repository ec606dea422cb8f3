"""Stories of plies that stood for more than a second and are taken back: by hand, in part, or on the phone."""

from __future__ import annotations

from controller.orders import TakeBack
from tests.hands.moves import two_plies
from tests.hands.positions import Made, occupancy
from tests.hands.teller import NotHere, Plies, Teller
from tests.hands.telling import BEACONS, CIRCLE, CYVASSE, TAKING, Story, enters, moves, takes, travels


def _stands(t: Teller) -> None:
    t.world.wait(t.between(1100, 3500))


def _lift_back(t: Teller, ply: Made) -> None:
    """Take a ply back by hand; what it took is put back before or after, where it can be."""
    taken = [*ply.takes, *filter(None, [ply.victim])]
    entered = {each.landing for each in t.after(ply)[1] if len(each.path) == 1} if taken else set[str]()
    early = t.chance(0.5) and not entered & set(taken)  # else it would look like a piece that comes in and takes
    pole = t.world.lift(ply.landing)
    t.pause()
    if early:
        _restore(t, taken)
    if ply.origin:
        t.world.put(ply.origin, pole)
    if not early:
        t.pause()
        _restore(t, taken)


def _restore(t: Teller, taken: list[str]) -> None:
    for name in t.shuffled(taken):
        t.world.put(name, t.place.lying[name])
        t.world.wait(t.between(150, 600))


def take_back_a_move(t: Teller) -> None:
    """A ply stands for seconds, then its piece is put back where it came from: no ply."""
    ply = t.pick(moves)
    t.says((), undone=[(ply.text,)], ask=t.name == BEACONS)
    t.make(ply)
    _stands(t)
    _lift_back(t, ply)


def take_back_a_capture(t: Teller) -> None:
    """A capture stands for seconds, then attacker and victims are put back, in either order: no ply.

    Where a piece of the next player may come in on the origin, contacts cannot tell it from the attacker: then a
    question is acceptable.
    """
    ply = t.pick(takes)
    entered = any(len(each.path) == 1 and each.landing == ply.origin for each in t.after(ply)[1])
    t.says((), undone=[(ply.text,)], ask=entered and not t.hall)
    t.make(ply)
    _stands(t)
    _lift_back(t, ply)


def take_back_an_entry(t: Teller) -> None:
    """A piece that came from beside the board is taken off again after seconds: no ply.

    In Beacons a store that is cleared may mean a payment; then a question is acceptable.
    """
    ply = t.pick(enters)
    back = occupancy(t.place.lying, t.hall)
    paid = any(each.occupies(t.hall) == back for each in t.after(ply)[1])
    t.says((), undone=[(ply.text,)], ask=paid or t.alike(ply))
    t.make(ply)
    _stands(t)
    t.world.lift(ply.landing)


def take_back_and_play(t: Teller) -> None:
    """A ply is taken back by hand after seconds and another is made: that one alone."""
    ply = t.pick(moves)
    others = [each for each in t.usual(t.place.made) if travels(each) and each.text != ply.text]
    others = [each for each in others if not t.doubtful(each)]
    if not others:
        raise NotHere
    other = t.random.choice(others)
    t.says((other.text,), undone=[(ply.text,)], ask=t.name == BEACONS)
    t.make(ply)
    _stands(t)
    _lift_back(t, ply)
    t.world.wait(t.between(300, 1500))
    t.make(other)


def moved_on_after_all(t: Teller) -> None:
    """A ply stands for seconds, then its piece goes straight on to another cell it could have gone to: that one.

    Where the rules allow both, one after the other by the same player, these are as true.
    """
    ply = t.pick(moves)
    others = [each for each in t.usual(t.place.made) if moves(each) and each.origin == ply.origin]
    others = [each for each in others if each.landing != ply.landing]
    if not others:
        raise NotHere
    other = t.random.choice(others)
    two = two_plies(t, other, ply.landing)
    t.says((other.text,), *two, undone=[(ply.text,)], ask=bool(two) or t.doubtful(other))
    t.make(ply)
    _stands(t)
    t.world.shift(ply.landing, other.landing, t.between(100, 500))


def take_back_two(t: Teller) -> None:
    """Both sides have played; after seconds the second ply is taken back by hand, then the first: no ply."""
    ply = t.pick(moves)
    texts, answer = t.reply(ply, lambda each: moves(each) and not each.touched & ply.touched)
    ways: list[Plies] = [texts[:n] for n in range(1, len(texts) + 1)]
    t.says((), undone=ways, ask=t.name == BEACONS)
    t.make(ply)
    t.world.wait(t.between(400, 1500))
    t.make(answer)
    _stands(t)
    _lift_back(t, answer)
    t.world.wait(t.between(1100, 2500))
    _lift_back(t, ply)


def take_back_the_answer(t: Teller) -> None:
    """Only the second of two plies is taken back by hand: the first stays, and no `end` that the second implied."""
    ply = t.pick(moves)
    texts, answer = t.reply(ply, lambda each: moves(each) and not each.touched & ply.touched)
    t.says(texts[:1], undone=[texts, texts[:-1]], ask=t.name == BEACONS)
    t.make(ply)
    t.world.wait(t.between(400, 1500))
    t.make(answer)
    _stands(t)
    _lift_back(t, answer)


def take_back_the_second_go(t: Teller) -> None:
    """A player makes two goes and takes the second back by hand after seconds: the first stays."""
    first = t.pick(moves)
    state, legal = t.after(first)
    if t.game.seat(state) != first.seat:
        raise NotHere
    seconds = [each for each in legal if moves(each) and not each.over and not each.touched & first.touched]
    if not seconds:
        raise NotHere
    second = t.random.choice(seconds)
    t.says((first.text,), undone=[(first.text, second.text)])
    t.make(first)
    t.world.wait(t.between(400, 1500))
    t.make(second)
    _stands(t)
    _lift_back(t, second)


def take_back_on_the_phone(t: Teller) -> None:
    """A ply is taken back on the phone and the pieces are put back as the lights lead: no ply."""
    ply = t.pick(lambda ply: (travels(ply) or takes(ply)) and not t.alike(ply))
    t.says((), undone=[(ply.text,)])
    t.make(ply)
    _stands(t)
    t.world.order(TakeBack(to=len(t.place.plies)))
    t.world.wait(t.between(500, 2000))
    _lift_back(t, ply)


STORIES = (
    Story(take_back_a_move),
    Story(take_back_a_capture, TAKING),
    Story(take_back_an_entry, (BEACONS, CYVASSE)),
    Story(take_back_and_play),
    Story(moved_on_after_all),
    Story(take_back_two),
    Story(take_back_the_answer),
    Story(take_back_the_second_go, (CIRCLE,)),
    Story(take_back_on_the_phone),
)
