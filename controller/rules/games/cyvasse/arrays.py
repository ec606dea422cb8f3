"""Arrays of Cyvasse to set up at once, as White has them; Black's are turned by half. Dragons stay in reserve."""

from __future__ import annotations

from collections import Counter

from controller.rules.game import Arrange, Array
from controller.rules.games.cyvasse.board import CELLS, HOMES
from controller.rules.games.cyvasse.hidden import secret
from controller.rules.games.cyvasse.state import HAND, STANDARD, State
from controller.sentences import say

ARRAYS = (
    (say("Standard"), STANDARD),
    (
        say("Corner"),
        "Kk1 Rj1 Rj2 Rk2 Ri2 Ri3 Re4 Mk4 Mj4 Mi4 Mh4 Mc5 Md5 Cj3 Ck3 Sh3 Sg4 Lf4 Le3 Bi1 Bh2 Eg3 Eg2 Hf3 Hf2",
    ),
    (
        say("Ring"),
        "Kh3 Rh4 Rg4 Ri3 Rg3 Rh2 Ri2 Mc4 Md4 Mb5 Mk4 Mk5 Mj4 Cf4 Ci4 Se4 Sj3 Le5 Li5 Be3 Bk3 Ef2 Ej2 Hg5 Hg1",
    ),
    (
        say("Wall"),
        "Kg2 Rc4 Re4 Rf4 Rh4 Ri4 Rk4 Mc5 Md5 Mf5 Mg5 Mi5 Mj5 Cd4 Cj4 Sg4 Sg3 Le3 Li3 Bd3 Bk3 Ef3 Eh3 Hf2 Hi2",
    ),
)


def arrange(state: State, viewer: int | None) -> Arrange | None:
    """Return what ``viewer`` has still to set up in secret; None where that is nothing."""
    if viewer not in (0, 1) or not secret(state) or state.ready[viewer]:
        return None
    hand = state.reserve[viewer]
    untouched = hand == state.options.hand and hand.replace("D", "") == HAND.replace("D", "")
    free = tuple(CELLS[cell] for cell in sorted(HOMES[viewer]) if state.board[cell] == ".")
    arrays = tuple(Array(title, _placed(array, viewer)) for title, array in ARRAYS) if untouched else ()
    optional = ("D",) if state.options.dragons else ()
    return Arrange(viewer, dict(Counter(hand)), free, optional, "end", arrays, nobodys=("M",))


def _placed(array: str, side: int) -> dict[str, str]:
    """Return by cell which piece of ``array`` stands there."""
    cells = ((CELLS.index(word[1:]), word[0]) for word in array.split())
    return {CELLS[len(CELLS) - 1 - cell if side else cell]: kind for cell, kind in cells}
