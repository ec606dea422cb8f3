"""Stories of questions and phones: choices answered, passed over and refused, and plies that are ordered."""

from __future__ import annotations

from tests.hands import seen
from tests.hands.judge import touch_choice
from tests.hands.positions import Made
from tests.hands.teller import Teller
from tests.hands.telling import BEACONS, CHESS, CYVASSE, Story, enters, moves

ASKING = (BEACONS, CHESS, CYVASSE)


def _asked(t: Teller) -> Made:
    """Choose a ply that the pieces alone do not tell."""
    return t.pick(lambda ply: ply.path and t.doubtful(ply))


def choice_answered(t: Teller) -> None:
    """The board asks; a piece is put on the lit cell, rests for 420 to 900 ms and is taken off: the ply it chooses."""
    ply = _asked(t)
    t.says((ply.text,), ask=True)
    t.make(ply)
    t.world.wait(1500)
    site = seen.lit_choices(t.world.table).get(ply.text)
    if site is not None and site not in t.world.lying:
        touch_choice(t, site)


def choice_on_the_phone(t: Teller) -> None:
    """The board asks and is answered on the phone: that ply."""
    ply = _asked(t)
    t.says((ply.text,), ask=True)
    t.make(ply)
    t.world.wait(t.between(500, 1500))
    t.order(ply.text)


def choice_passed_over(t: Teller) -> None:
    """A hand passes low over the lit cells, 10 to 40 ms over each, and the phone answers later: what the phone says."""
    ply = _asked(t)
    t.says((ply.text,), ask=True)
    t.make(ply)
    t.world.wait(1500)
    for text, site in sorted(seen.lit_choices(t.world.table).items()):
        if text != ply.text:
            t.world.pass_over(site, ply.pole, t.between(10, 40))
            t.world.wait(t.between(30, 200))
    t.world.wait(800)
    t.order(ply.text)


def answer_in_passing(t: Teller) -> None:
    """A piece is lifted, and on its way passes low over cells that are lit, 10 to 40 ms over each: that ply."""
    ply = t.pick(moves)
    t.says((ply.text,), ask=t.alike(ply))
    pole = t.world.lift(ply.origin)
    t.world.wait(t.between(350, 480))
    for site in sorted(seen.lit_choices(t.world.table).values())[:3]:
        t.world.pass_over(site, pole, t.between(10, 40))
        t.world.wait(t.between(20, 60))
    t.world.put(ply.landing, pole)


def flicker_while_asked(t: Teller) -> None:
    """While the question is open contacts let go for 3 to 29 ms; then the phone answers: what it says."""
    ply = _asked(t)
    t.says((ply.text,), ask=True)
    t.make(ply)
    t.world.wait(1000)
    for name in [ply.landing, *t.shuffled(t.world.lying)[:3]]:
        t.world.flicker(name, t.between(3, 29))
        t.world.wait(t.between(40, 400))
    t.order(ply.text)


def choice_refused(t: Teller) -> None:
    """The board asks, and the pieces are put back as they were: no ply."""
    ply = t.pick(lambda ply: ply.path and t.doubtful(ply) and (moves(ply) or enters(ply)))
    t.says((), ask=True)
    t.make(ply)
    t.world.wait(t.between(1000, 2500))
    pole = t.world.lift(ply.landing)
    t.world.wait(t.between(100, 400))
    if ply.origin:
        t.world.put(ply.origin, pole)


def _follow(t: Teller, ply: Made) -> None:
    """Move the pieces as the lights lead, in any order in which a site is free before it is filled."""
    lying = t.world.lying
    for name in t.shuffled(name for name, pole in lying.items() if ply.after.get(name) != pole):
        t.world.lift(name)
        t.pause()
    for name in t.shuffled(name for name in ply.after if name not in lying):
        t.world.put(name, ply.after[name])
        t.pause()


def phone_then_lights(t: Teller) -> None:
    """A ply is made on the phone, then the pieces are moved after it: that ply."""
    ply = t.pick(lambda ply: True)
    t.says((ply.text,))
    t.order(ply.text)
    t.world.wait(t.between(300, 3000))
    _follow(t, ply)


def phone_with_the_piece_in_hand(t: Teller) -> None:
    """With the piece in the hand its ply is made on the phone, then it is put down: that ply."""
    ply = t.pick(moves)
    t.says((ply.text,))
    t.world.lift(ply.origin)
    t.world.wait(t.between(200, 450))
    t.order(ply.text)
    t.world.wait(t.between(300, 3000))
    t.world.put(ply.landing, ply.pole)


def phones_then_lights(t: Teller) -> None:
    """Two players make their plies on phones; only then are the pieces moved after both: both plies."""
    ply = t.pick(moves)
    texts, answer = t.reply(ply, lambda each: True)
    t.says(texts)
    for text in texts:
        t.order(text)
        t.world.wait(t.between(300, 2000))
    _follow(t, answer)


def hand_answers_the_phone(t: Teller) -> None:
    """A ply is made on the phone; before its piece is moved the other side plays by hand: both plies."""
    ply = t.pick(moves)
    texts, answer = t.reply(ply, lambda each: moves(each) and not each.touched & ply.touched)
    t.says(texts, ask=True)
    t.order(ply.text)
    t.world.wait(t.between(300, 2000))
    t.make(ply)
    t.world.wait(t.between(100, 1000))
    t.make(answer)


STORIES = (
    Story(choice_answered, ASKING),
    Story(choice_on_the_phone, ASKING),
    Story(choice_passed_over, ASKING),
    Story(answer_in_passing),
    Story(flicker_while_asked, ASKING),
    Story(choice_refused, (BEACONS, CYVASSE)),
    Story(phone_then_lights),
    Story(phone_with_the_piece_in_hand),
    Story(phones_then_lights),
    Story(hand_answers_the_phone),
)
