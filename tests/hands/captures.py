"""Stories of captures: in every order, with victims that linger, and targets that are touched and not taken."""

from __future__ import annotations

from tests.hands.positions import Made, occupancy
from tests.hands.teller import NotHere, Teller
from tests.hands.telling import (
    CHESS,
    CIRCLE,
    CYVASSE,
    GIANTS,
    TAKING,
    TIDES,
    Story,
    goals_after_the_turn,
    moves,
    takes,
    takes_beside,
    takes_there,
)

THERE = (CHESS, CIRCLE, CYVASSE)
QUICK_MS = 250  # a contact sensor cannot tell a faster exchange from a piece that was only adjusted


def _told(t: Teller, ply: Made, gap_ms: float = QUICK_MS) -> None:
    quick = bool(ply.victim) and gap_ms < QUICK_MS and not t.hall
    t.says((ply.text,), ask=t.doubtful(ply) or quick)


def _replace(t: Teller, ply: Made, gap_ms: float) -> None:
    """The victim on the landing is taken off and the attacker, in the hand already, put there."""
    t.world.lift(ply.victim)
    t.world.wait(gap_ms)


def capture_victim_first(t: Teller) -> None:
    """The victims are taken off, then the attacker moves: that capture."""
    ply = t.pick(takes)
    _told(t, ply)
    t.make(ply, "first")


def capture_attacker_first(t: Teller) -> None:
    """The attacker is lifted, then the victims, then it lands: that capture."""
    ply, gap = t.pick(takes), t.random.choice((120, 200, 300, 600, 1500))
    _told(t, ply, gap)
    pole = t.world.lift(ply.origin)
    t.pause()
    t.take(ply.takes)
    if ply.victim:
        _replace(t, ply, gap)
    t.world.put(ply.landing, pole)


def capture_victim_last(t: Teller) -> None:
    """The attacker lands and the victims beside it are taken off afterwards: that capture."""
    ply = t.pick(takes_beside)
    _told(t, ply)
    t.make(ply, "last")


def capture_both_at_once(t: Teller) -> None:
    """Both hands lift attacker and victims in the same moment: that capture."""
    ply, gap = t.pick(takes), t.random.choice((120, 200, 300, 600, 1500))
    _told(t, ply, gap)
    pole = ply.pole
    for name in t.shuffled({ply.origin, *ply.takes, ply.victim} - {""}):
        t.world.lift(name)
        t.world.wait(t.between(0, 5))
    t.world.wait(gap)
    t.world.put(ply.landing, pole)


def capture_swapped_unseen(t: Teller) -> None:
    """The attacker takes the victim's place within one scan, then the other side plays.

    Contacts see only the attacker leave: the board may wait until the answer, and may ask.
    """
    ply = t.pick(takes_there)
    goals = t.goals(ply.origin)
    texts, answer = t.reply(
        ply, lambda each: moves(each) and not each.touched & ply.touched and each.landing not in goals
    )
    t.says(texts, ask=not t.hall or t.doubtful(ply))
    pole = t.world.lift(ply.origin)
    t.pause()
    t.world.swap(ply.landing, pole)
    t.world.wait(t.between(500, 2000))
    t.make(answer)


def _stood_so(t: Teller, ply: Made, aside: str) -> bool:
    """Whether the board stood so before, with a victim on ``aside``: that looks as a ply that is taken back."""
    earlier = {occupancy(each, t.hall) for each in t.place.earlier}
    found = False
    for victim in (*ply.takes, *filter(None, [ply.victim])):
        lying = {**t.place.lying, aside: t.place.lying[victim]}
        lying.pop(victim)
        found = found or occupancy(lying, t.hall) in earlier
    return found


def _ends_of_shorter(t: Teller, ply: Made) -> set[str]:
    """Return where other captures by the same piece end that take nothing but what ``ply`` takes."""
    others = (each for each in t.place.made if each.captures and each.origin == ply.origin and not each.victim)
    return {each.landing for each in others if each.landing != ply.landing and set(each.takes) <= set(ply.takes)}


def victim_set_aside(t: Teller) -> None:
    """The victim is first set down on a free cell, and taken off the board when the capture is made: that capture.

    It may stand meanwhile where the attacker could have gone; then a question is acceptable, but no such ply. It does
    not stand where a shorter chain ends that takes it: the board would show that chain, and its pause.
    """
    ply = t.pick(takes)
    theirs_too = goals_after_the_turn(t)  # where it stands after a ply of its own player, which looks the same
    theirs_too |= _ends_of_shorter(t, ply)
    goals = t.goals(ply.origin) - set(t.place.lying) - {ply.landing} - theirs_too
    free = t.free(ply.landing, *ply.path, *theirs_too)
    aside = t.random.choice(t.shuffled(goals)) if goals and t.chance(0.5) else free[0]
    if _stood_so(t, ply, aside):
        raise NotHere
    t.says((ply.text,), ask=t.doubtful(ply) or aside in goals)
    victim = t.random.choice([*ply.takes, *filter(None, [ply.victim])])
    rest = [name for name in (*ply.takes, ply.victim) if name and name != victim]
    up = t.chance(0.5)
    pole = t.world.lift(ply.origin) if up else ply.pole
    t.pause()
    theirs = t.world.lift(victim)
    t.world.wait(t.between(150, 600))
    t.world.put(aside, theirs)
    t.world.wait(t.between(300, 1500))
    t.take(rest)
    if not up:
        t.world.lift(ply.origin)
        t.pause()
    t.world.put(ply.landing, pole)
    t.world.wait(t.between(300, 2000))
    t.world.lift(aside)


def victim_carried_low(t: Teller) -> None:
    """After the capture the victim is carried away low over origin and other cells, 20 to 40 ms over each."""
    ply = t.pick(takes)
    _told(t, ply, 500)
    victim = t.random.choice([*ply.takes, *filter(None, [ply.victim])])
    theirs = t.place.lying[victim]
    others = [name for name in (*ply.takes, ply.victim) if name and name != victim]
    pole = t.world.lift(ply.origin)
    t.world.wait(t.between(100, 500))
    t.take(others)
    t.world.lift(victim)
    t.world.wait(t.between(200, 600))
    t.world.put(ply.landing, pole)
    t.world.wait(t.between(100, 500))
    for name in (ply.origin, *t.shuffled(t.goals(ply.origin) - {ply.landing})[:2], *t.near(ply.origin)[:1]):
        t.world.pass_over(name, theirs, t.between(20, 40))
        t.world.wait(t.between(20, 100))


def victim_carried_low_first(t: Teller) -> None:
    """The victim is taken off first and carried low over free cells; then the attacker moves: that capture."""
    ply = t.pick(takes)
    _told(t, ply)
    victims = [*ply.takes, *filter(None, [ply.victim])]
    theirs = t.place.lying[victims[0]]
    t.take(victims)
    for name in (*t.shuffled(t.goals(ply.origin) - {ply.landing})[:2], *t.free(ply.landing)[:2]):
        t.world.pass_over(name, theirs, t.between(20, 40))
        t.world.wait(t.between(20, 100))
    pole = t.world.lift(ply.origin)
    t.pause()
    t.world.put(ply.landing, pole)


def capture_begun_and_left(t: Teller) -> None:
    """Attacker and victims are lifted, and both put back where they stood, the attacker first: no ply."""
    ply = t.pick(takes)
    victims = [*ply.takes, *filter(None, [ply.victim])]
    t.says((), ask=not t.hall)
    pole = t.world.lift(ply.origin)
    t.world.wait(t.between(60, 120))
    poles = {name: t.world.lift(name) for name in victims}
    t.world.wait(t.between(100, 200))
    t.world.put(ply.origin, pole)
    for name in victims:
        t.world.wait(t.between(60, 150))
        t.world.put(name, poles[name])


def _spared(t: Teller) -> tuple[Made, Made | None]:
    """Choose a capture that is not made, and where its attacker goes instead: elsewhere, or back (None)."""
    ply = t.pick(lambda ply: takes_there(ply) or takes_beside(ply))
    others = [each for each in t.usual(t.place.made) if moves(each) and each.origin == ply.origin]
    if not others:
        raise NotHere
    return ply, t.random.choice(others) if t.chance(0.6) else None


def target_lets_go(t: Teller) -> None:
    """With the attacker in the hand the target's contact lets go for 5 to 29 ms; then it goes elsewhere or back.

    Nobody took anything, and no hand exchanges two pieces in that time.
    """
    ply, instead = _spared(t)
    target = ply.victim or ply.takes[0]
    t.says((instead.text,) if instead else (), ask=instead is not None and t.doubtful(instead))
    pole = t.world.lift(ply.origin)
    t.world.wait(t.between(60, 200))
    t.world.flicker(target, t.between(5, 29))
    t.world.wait(t.between(60, 170))
    t.world.put(instead.landing if instead else ply.origin, pole)


def target_lets_go_longer(t: Teller) -> None:
    """The same for 30 to 45 ms, and then the attacker stays in the hand for up to a second.

    Contacts could have seen an exchange in that time: the board may ask and may wait, but must not record a capture.
    """
    _target_up(t, 30, 45, "flicker")


def target_adjusted(t: Teller) -> None:
    """With the attacker in the hand the target is lifted and put back within 60 to 150 ms; then the attacker goes
    elsewhere or back. Contacts could have seen an exchange: the board may ask and may wait, never record a capture.
    """
    _target_up(t, 60, 150, "adjust")


def _target_up(t: Teller, low: float, high: float, how: str) -> None:
    ply, instead = _spared(t)
    target = ply.victim or ply.takes[0]
    finals = [(instead.text,), ()] if instead else [()]
    t.says(*(finals if not t.hall else finals[:1]), ask=not t.hall)
    brief = t.name == CIRCLE and instead is None  # a unit that is long in the hand changes its class
    pole = t.world.lift(ply.origin)
    t.world.wait(t.between(60, 100) if brief else t.between(100, 500))
    ms = t.between(low, high)
    if how == "flicker":
        t.world.flicker(target, ms)
        t.world.wait(ms)
    else:
        t.world.adjust(target, ms)
    t.world.wait(t.between(60, 100) if brief else t.between(200, 900))
    t.world.put(instead.landing if instead else ply.origin, pole)


STORIES = (
    Story(capture_victim_first, TAKING),
    Story(capture_attacker_first, TAKING),
    Story(capture_victim_last, (GIANTS, TIDES)),
    Story(capture_both_at_once, TAKING),
    Story(capture_swapped_unseen, THERE),
    Story(victim_set_aside, TAKING),
    Story(victim_carried_low, TAKING),
    Story(victim_carried_low_first, TAKING),
    Story(capture_begun_and_left, TAKING),
    Story(target_lets_go, TAKING),
    Story(target_lets_go_longer, TAKING),
    Story(target_adjusted, TAKING),
)
