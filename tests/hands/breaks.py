"""Stories in which the table does not see all: restarts and lost wires, and how a game begins."""

from __future__ import annotations

from tests.hands.positions import Made
from tests.hands.teller import NotHere, Teller
from tests.hands.telling import Story, moves, takes, travels


def _single(t: Teller) -> Made:
    """Choose a ply that is the only one to leave the pieces as it does."""
    return t.pick(lambda ply: (travels(ply) or takes(ply)) and not t.alike(ply))


def _blind(t: Teller, ply: Made) -> None:
    t.says((ply.text,), ask=True, blind=True)


def _off(t: Teller, how: str) -> None:
    if how == "power":
        t.world.power_off()
    else:
        t.world.cut()


def _on(t: Teller, how: str) -> None:
    if how == "power":
        t.world.power_on()
    else:
        t.world.plug_in()
    t.world.wait(t.between(20, 2500))


def _in_the_hand(t: Teller, how: str, unseen: bool) -> None:
    """It breaks with the piece in the hand, which is put down before or after the board is back."""
    ply = _single(t)
    _blind(t, ply)
    t.take([*ply.takes, *filter(None, [ply.victim])])
    pole = t.world.lift(ply.origin) if ply.origin else ply.pole
    t.world.wait(t.between(100, 600))
    _off(t, how)
    t.world.wait(t.between(300, 4000))
    if not unseen:
        _on(t, how)
    t.world.put(ply.landing, pole)
    t.world.wait(t.between(100, 1500))
    if unseen:
        _on(t, how)


def restart_in_the_hand(t: Teller) -> None:
    """The service restarts while a piece is in the hand; then it is put down: that ply, or a question about it."""
    _in_the_hand(t, "power", unseen=False)


def restart_over_the_landing(t: Teller) -> None:
    """The piece is lifted before a restart and put down during it: that ply, or a question about it."""
    _in_the_hand(t, "power", unseen=True)


def cut_in_the_hand(t: Teller) -> None:
    """The wire is lost and comes back while a piece is in the hand: that ply, or a question about it."""
    _in_the_hand(t, "wire", unseen=False)


def cut_over_the_landing(t: Teller) -> None:
    """The piece is lifted, and put down while the wire is lost: that ply, or a question about it."""
    _in_the_hand(t, "wire", unseen=True)


def _whole(t: Teller, how: str) -> None:
    ply = _single(t)
    _blind(t, ply)
    _off(t, how)
    t.world.wait(t.between(100, 2000))
    t.make(ply)
    t.world.wait(t.between(100, 2000))
    _on(t, how)


def restart_over_a_ply(t: Teller) -> None:
    """A whole ply is made while the service restarts: that ply, or a question about it."""
    _whole(t, "power")


def cut_over_a_ply(t: Teller) -> None:
    """A whole ply is made while the wire is lost: that ply, or a question about it."""
    _whole(t, "wire")


def _nothing(t: Teller, how: str) -> None:
    ply = t.pick(lambda ply: travels(ply) or takes(ply))
    t.says((ply.text,), ask=t.doubtful(ply), blind=True)
    _off(t, how)
    t.world.wait(t.between(100, 3000))
    _on(t, how)
    t.world.wait(t.between(20, 1500))
    t.make(ply, "first")


def restart_then_a_ply(t: Teller) -> None:
    """The service restarts with all pieces in place, then a ply is made: that ply, without a word."""
    _nothing(t, "power")


def cut_then_a_ply(t: Teller) -> None:
    """The wire is lost with all pieces in place, then a ply is made: that ply, without a word."""
    _nothing(t, "wire")


def restart_with_a_knocked_piece(t: Teller) -> None:
    """A piece is knocked off while the service restarts and put back after it, then a ply is made: that ply alone."""
    ply = t.pick(travels)
    name = _knocked(t, ply)
    t.says((ply.text,), ask=t.doubtful(ply))
    t.world.power_off()
    t.world.wait(t.between(100, 1000))
    pole = t.world.lift(name)
    t.world.wait(t.between(100, 1000))
    t.world.power_on()
    t.world.wait(t.between(500, 2500))
    t.world.put(name, pole)
    t.world.wait(t.between(300, 1500))
    t.make(ply)


def _knocked(t: Teller, ply: Made) -> str:
    """Return a piece that can be knocked off so that the board looks like no ply."""
    for name in t.shuffled(set(t.place.lying) - ply.touched):
        without = {site: pole for site, pole in t.place.lying.items() if site != name}
        if ":" not in name and not t.explained(without):
            return name
    raise NotHere


# ---- beginnings -------------------------------------------------------------------------------------------


def restart_before_the_first_ply(t: Teller) -> None:
    """The position stands, the service restarts, and the first ply is made on the phone: that ply.

    The pieces stood and stand, so it makes no difference whether the sensor board has answered already.
    """
    t.at_the_start()
    ply = t.pick(lambda ply: True)
    t.says((ply.text,), blind=True)
    t.world.power_off()
    t.world.wait(t.between(100, 2000))
    t.world.boot()
    early = t.chance(0.4)
    t.world.wait(t.between(50, 2000))
    if early:
        t.order(ply.text)
        t.world.wait(t.between(50, 500))
    t.world.plug_in()
    t.world.wait(t.between(50, 2000))
    if not early:
        t.order(ply.text)


def restart_before_the_first_hand(t: Teller) -> None:
    """The same, and the first ply is made by hand, its piece lifted before the restart or after: that ply."""
    t.at_the_start()
    ply = t.pick(lambda ply: moves(ply) and not t.alike(ply))
    early = t.chance(0.5)
    t.says((ply.text,), ask=early, blind=True)
    if early:
        t.world.lift(ply.origin)
        t.world.wait(t.between(100, 400))
    t.world.power_off()
    t.world.wait(t.between(100, 2000))
    t.world.power_on()
    t.world.wait(t.between(50, 2000))
    if not early:
        t.world.lift(ply.origin)
        t.pause()
    t.world.put(ply.landing, ply.pole)


def _set_up(t: Teller) -> None:
    """Put all pieces where the game begins, in any order."""
    for name in t.shuffled(t.place.lying):
        t.world.put(name, t.place.lying[name])
        t.world.wait(t.between(5, 60))


def set_up_and_play(t: Teller) -> None:
    """The pieces are set up, and the first ply is made: that ply."""
    t.new_game()
    ply = t.pick(travels)
    t.says((ply.text,), ask=t.doubtful(ply))
    _set_up(t)
    t.world.wait(t.between(100, 2000))
    t.make(ply)


def set_up_with_strange_pieces(t: Teller) -> None:
    """Strange pieces lie about during the set-up and are taken off at last, seen once more as they go: no ply."""
    t.new_game()
    t.says(())
    entries = t.shuffled(t.goals(""))
    strange = (entries[:1] if t.chance(0.6) else []) + t.free(*entries)[:2]
    for name in strange:
        t.world.put(name, t.random.choice((1, -1)))
        t.world.wait(t.between(50, 300))
    _set_up(t)
    t.world.wait(t.between(500, 2000))
    for name in t.shuffled(strange):
        t.world.wobble_off(name)
        t.world.wait(t.between(150, 800))


def strange_piece_stays_at_the_beginning(t: Teller) -> None:
    """A strange piece lies where one could go since before the set-up; that one is adjusted or flickers: no ply.

    It is taken off afterwards, and only then may the game begin.
    """
    t.new_game()
    ply = t.pick(lambda ply: moves(ply) and ply.landing not in t.goals(""))
    t.says(())
    t.world.put(ply.landing, ply.pole)
    t.world.wait(300)
    _set_up(t)
    t.world.wait(t.between(500, 3000))
    if t.chance(0.5):
        t.world.adjust(ply.origin, t.between(60, 280))
    else:
        t.world.flicker(ply.origin, t.between(3, 29))
    t.world.wait(t.between(500, 2000))
    t.world.wobble_off(ply.landing)


STORIES = (
    Story(restart_in_the_hand),
    Story(restart_over_the_landing),
    Story(restart_over_a_ply),
    Story(restart_then_a_ply),
    Story(restart_with_a_knocked_piece),
    Story(cut_in_the_hand),
    Story(cut_over_the_landing),
    Story(cut_over_a_ply),
    Story(cut_then_a_ply),
)
BEGINNINGS = (
    Story(restart_before_the_first_ply),
    Story(restart_before_the_first_hand),
    Story(set_up_and_play),
    Story(set_up_with_strange_pieces),
    Story(strange_piece_stays_at_the_beginning),
)
