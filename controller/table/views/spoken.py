"""What the table says aloud: a move, and a piece that somebody touches, with cells in words.

Owns how moves and cells sound. A pure function of the table and of the seat that listens: what that seat may not see
is not said to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from controller.rules.game import Piece, View
from controller.rules.places import named
from controller.sentences import Part, Sentence, all_of, capital, say, together
from controller.table.state import Play, Table
from controller.table.views.plies_told import done_by_its_seat, piece_on, ply_told
from controller.table.views.threats import attackers

CELL = re.compile(r"([a-z])([1-9][0-9]?)")
NUMBERS = (
    say("one"), say("two"), say("three"), say("four"), say("five"), say("six"), say("seven"), say("eight"),
    say("nine"), say("ten"), say("eleven"), say("twelve"), say("thirteen"), say("fourteen"), say("fifteen"),
    say("sixteen"), say("seventeen"), say("eighteen"), say("nineteen"), say("twenty"),
)  # fmt: skip


def move_aloud(table: Table, number: int, seat: int | None) -> str:
    """Return the move with that ``number``, from 1, as it is told to ``seat`` (None: a watcher); "" without one."""
    play = table.play
    if play is None or not 1 <= number < len(play.session.positions):
        return ""
    game, after = play.session.game, play.session.positions[number]
    if play.session.read_by(seat, number) != after.text:
        return say("{seat} has moved in secret.", seat=say(game.facts.seats[after.seat or 0]))
    if done := done_by_its_seat(play.session, number):
        return say("{seat} {did}.", seat=capital(say(game.facts.seats[after.seat or 0])), did=aloud(done))
    said = aloud(ply_told(play.session, number, seat).words)
    checks = game.checked is not None and bool(game.checked(after.state))
    return together(say("{move}.", move=capital(said)), say("Check!") if checks else "")


def piece_aloud(table: Table, site: str, seat: int | None) -> str:
    """Return what stands at ``site`` of the board and what attacks it, as ``seat`` may know; "" for no site in play."""
    play = table.play
    if play is None or site not in table.board.sites:
        return ""
    names = play.game_area.names(table.board.bit(site))
    if not names:
        return ""
    view = play.session.game.look(play.session.state, seat)
    seen, marks = view.pieces, _beside(view, names)
    name = next((name for name in names if name in seen), names[0])
    if name not in seen:
        return together(say("{cell}: empty.", cell=capital(aloud(name))), *marks)
    told = say("{cell}: {piece}.", cell=capital(aloud(name)), piece=_owned(play, seen[name]))
    return together(told, *marks, _danger(play, name, seen) if table.phase == "play" else "")


def _beside(view: View, names: Sequence[str]) -> list[str]:
    """Return what is drawn on the site with these ``names``, and the places in which it lies, each as a sentence."""
    counts = [mark.text for mark in view.marks if mark.at[0] in names and mark.shape == "count"]
    told = [*counts, *(place for name in names for place in named(view.places, name))]
    return [say("{mark}.", mark=capital(words)) for words in told if words]


def aloud(text: str) -> str:
    """Return ``text`` with each cell in it in words, as ``C four``, and a path of cells as a move.

    >>> print(aloud(say("{begin} captures {end}", begin="c4", end="d12")))
    C four captures D twelve
    >>> print(aloud("b2xd4xd6"))
    B two takes D four, takes D six
    """
    if isinstance(text, Sentence):
        return Sentence(text.template, {name: _part(part) for name, part in text.parts.items()}, text.capital)
    first, *rest = re.split("([-x])", text)
    if not CELL.fullmatch(first) or not all(CELL.fullmatch(cell) for cell in rest[1::2]):
        return text
    said: str = _cell(first)
    for n, (mark, cell) in enumerate(zip(rest[::2], rest[1::2], strict=True)):
        if mark == "-":
            said = say("{one} to {other}", one=said, other=_cell(cell))
        elif n == 0:
            said = say("{one} takes {other}", one=said, other=_cell(cell))
        else:
            said = say("{one}, takes {other}", one=said, other=_cell(cell))
    return said


def _part(part: Part) -> Part:
    if isinstance(part, tuple):
        return tuple(_part(each) for each in part)
    return aloud(part) if isinstance(part, str) else part


def _cell(name: str) -> str:
    found = CELL.fullmatch(name)
    if found is None:
        return name
    number = int(found[2])
    word = NUMBERS[number - 1] if number <= len(NUMBERS) else found[2]
    return say("{letter} {number}", letter=found[1].upper(), number=word)  # a small "a" would be read as an article


def _owned(play: Play, piece: Piece) -> str:
    game = play.session.game
    kind, owner = say(game.facts.kinds[piece.kind]), game.player_of(play.session.state, piece.seat)
    if owner is None:
        return kind
    return say("{seat} {kind}", seat=game.side(play.session.state, owner), kind=kind)


def _danger(play: Play, name: str, seen: Mapping[str, Piece]) -> str:
    """Return what attacks the piece at ``name``; "" where that is a secret, cannot be told, or nobody owns it."""
    session = play.session
    if session.secret or play.result.over or seen[name].seat is None or session.game.shared(session.state):
        return ""
    found = attackers(session.game, session.state, name)
    if found:
        from_beside = say("a piece from beside the board")
        pieces = all_of(piece_on(session.game, seen, site) if site else from_beside for site in sorted(found))
        return say("Attacked by {pieces}.", pieces=aloud(pieces))
    return say("Nothing attacks it.") if found is not None and play.seats == 2 else ""
