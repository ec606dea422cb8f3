"""Making the pieces of a simulated board stand as the table expects, with the touches of a hand."""

from __future__ import annotations

from collections.abc import Callable, Collection

from controller.devices.sensors.virtual_hand import VirtualHand
from controller.panel.hand import moves
from controller.panel.pieces_needed import same, sites_of, waits, wrong_sites
from controller.rules.game import Piece
from controller.table.state import Play, Table

SWAP_S = 0.18  # an exchange that is no ply: longer than a contact's flicker, shorter than an exchange


def left_behind(hand: VirtualHand, table: Table, play: Play, alone: bool = False) -> bool:
    """Whether touches have left something to put right, now that the table has seen them all and waits for nothing.

    That is a taken piece that was lifted again, a chore, a piece that was lifted and then laid beside the board, or
    one that stands where its like should, which sensors cannot tell. Where people put pieces wrong they are asked about
    it; what is wrong while the pieces were ``alone`` is nobody's doing.
    """
    pieces, shape = hand.pieces(), play.settled.position.shape
    seen = table.board.mask(pieces["on"]) == table.now and not table.arrivals
    phases = ("play", "over", "fix") if alone else ("play", "over")
    if not seen or play.setting_up or table.phase not in phases or waits(table, play) or play.verdict.asked:
        return False
    place = sites_of(table, play)
    names = {where: name for name, where in place.items()}
    if any(same(token, shape.get(names.get(token["from"], ""))) for token in pieces["held"]):
        return False  # somebody is about to move it
    if moves.victims_left(play, table.now):
        return False
    return bool(pieces["held"] or play.verdict.possible or wrong_sites(play, place, pieces, whole=True))


def put_right(hand: VirtualHand, table: Table, play: Play, whole: bool, rest: Callable[[float], None]) -> None:
    """Take off, exchange and bring what is left to do; ``rest`` waits for so many seconds.

    After a ply that leaves alone what hands have begun since; as a ``whole`` it is everything.
    """
    place = sites_of(table, play)
    names = {where: name for name, where in place.items()}
    moved = set()
    for token in hand.pieces()["held"]:
        if not same(token, play.settled.position.shape.get(names.get(token["from"], ""))):
            hand.set_aside(token["id"])
            moved.add(token["id"])
    wrong = wrong_sites(play, place, hand.pieces(), whole)
    on = hand.pieces()["on"]
    lifted = [place[name] for name in wrong if place[name] in on]
    if whole:
        lifted += [site for site in on if site not in names]
    moved |= {on[site]["id"] for site in lifted}
    exchanged = {on[place[name]]["id"] for name, wanted in wrong.items() if place[name] in on and (wanted or whole)}
    for site in lifted:
        hand.set_aside(on[site]["id"])
    if lifted and any(wrong.values()):
        rest(SWAP_S)
    for name, wanted in wrong.items():
        if wanted:
            hand.place(hand.bring(wanted, moved), place[name])
    complete(hand, play, exchanged)


def complete(hand: VirtualHand, play: Play, exchanged: Collection[str] = ()) -> None:
    """Forget those of the ``exchanged`` tokens that became others, and lay taken ones beside that never were here.

    Where nothing is captured, what is off the board is no piece any more.
    """
    if not play.session.game.facts.captures:
        hand.clear_away()
        return
    left = moves.pieces_of(play)
    pieces = hand.pieces()
    tokens = [*pieces["on"].values(), *pieces["held"], *pieces["off"]]
    spare = set()
    for token in sorted(tokens, key=lambda token: token["id"] in exchanged):
        like = Piece(token["seat"], token["kind"])
        if not left[like] and token["id"] in exchanged:
            spare.add(token["id"])
        left[like] -= 1 if left[like] else 0
    hand.clear_away(spare)
    if not play.setting_up:
        for like in left.elements():
            hand.lay_beside(like)
