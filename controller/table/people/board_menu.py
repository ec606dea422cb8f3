"""The board's menu: pausing, offering a draw, resigning and asking for help by hand.

Who lifts two pieces of one colour and keeps them up is offered three free cells, or four; a piece put on one of them
chooses. No ply of any game begins with two pieces of one's own in the hand, so this is never mistaken for one. Must not
know what the choices do.
"""

from __future__ import annotations

from controller.table.state import Play

WISHES = ("pause", "draw", "resign")
HELP = "help"


def opened(play: Play, now: int, helps: bool) -> tuple[tuple[int, str], ...]:
    """Return a free site for each wish, in the order of the sites; none where the board has no room.

    The last one is for help, where the board ``helps`` and has room for that, too.
    """
    taken = play.game_area.both(now | play.settled.position.standing)
    free = [bit for bit in play.game_area.bit.values() if not bit & taken]
    wishes = (*WISHES, HELP) if helps else WISHES
    return tuple(zip(free, wishes, strict=False)) if len(free) >= len(WISHES) else ()


def wisher(play: Play) -> int | None:
    """Return the seat whose two pieces are in the hand, None where they are of two colours or of nobody."""
    shape = play.settled.position.shape
    colours = {shape[name].seat for name in play.game_area.names(play.verdict.missing) if name in shape}
    game, state = play.session.game, play.session.state
    for seat in range(play.seats):
        if colours == {game.colour_of(state, seat)} and not play.session.opponents.level(seat):
            return seat
    return None
