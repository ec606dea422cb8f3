"""Pieces in the sentences of three languages: with their articles, and in the case that a sentence wants.

How a kind of piece reads there stands in the translations alone. A package brings kinds that these do not have.
"""

from __future__ import annotations

import pytest

from controller.rules.game import Piece
from controller.rules.registry import game_named
from controller.sentences import all_of, capital, in_language, say
from controller.table.pieces_named import piece_called, stays_told
from controller.table.session import begin
from controller.table.views.hint_reasons import reason
from controller.table.views.plies_told import ply_told
from tests.table.scenes import Scene
from tests.table.test_help import asked, found, waits
from web_panel.language import read, typeset

CODES = ("en", "de", "fr")


def read_in(code: str, text: str) -> str:
    """Return ``text`` as a phone in that language shows it, with plain spaces."""
    return typeset(code, in_language(text, read()[code].said)).replace("\xa0", " ").replace("\u202f", " ")


def told(text: str) -> tuple[str, ...]:
    return tuple(read_in(code, text) for code in CODES)


def last_ply(name: str, plies: str, seed: int = 0) -> str:
    session = begin(name, {}, seed)
    for ply in plies.split():
        session = session.played(ply)
    return ply_told(session, len(session.plies), None).words


def test_a_move_says_what_took_what() -> None:
    assert told(capital(last_ply("giantslayer", "g7-g4 f4xh4"))) == (
        "Giant from f4 to h4, takes halogai on g4; slain: giant on h4",
        "Riese von f4 nach h4, schlägt den Halogai auf g4; erschlagen: Riese auf h4",
        "Géant de f4 en h4, prend le halogai en g4 ; abattu : géant en h4",
    )
    assert told(capital(last_ply("cyvasse", "D-e6 c9-e5 i3xe5"))) == (
        "Spears from i3 takes spears on e5",
        "Die Truppe Speere von i3 schlägt die Speere auf e5",
        "La troupe de lances de i3 prend la troupe de lances en e5",
    )


def test_what_a_good_move_threatens_or_takes_is_its_object() -> None:
    game = game_named("giantslayer")
    state = game.play_text(game.start(game.options(), 0), "g7-g4")
    assert told(reason(game, state, "f4xh4", 2)) == (
        "it takes the halogai", "das schlägt den Halogai", "il prend le halogai",
    )  # fmt: skip
    both = all_of(
        say("the {kind} on {cell}", kind=say(kind), cell=cell) for kind, cell in (("giant", "e6"), ("leaf", "a1"))
    )
    assert told(say("it threatens {pieces}", pieces=both)) == (
        "it threatens the giant on e6 and the leaf on a1",
        "das bedroht den Riesen auf e6 und das Blatt auf a1",
        "il menace le géant en e6 et la feuille en a1",
    )


def test_help_speaks_of_a_piece_as_its_players() -> None:
    scene = Scene("tides-of-war", after="c3-c4; c6-b5; d1-e2; b6-a6")
    found(asked(scene), "e1-f1", made=4)
    assert told(waits(scene.run(10))) == (
        "Look at White's stone on e1.", "Achte auf den Stein von Weiß auf e1.", "Regarde la pierre de Blanc en e1.",
    )  # fmt: skip
    mine = say("your {kind} on {cell}", kind=say("giant"), cell="g1")
    assert told(say("You would lose {pieces}.", pieces=mine)) == (
        "You would lose your giant on g1.",
        "Du würdest deinen Riesen auf g1 verlieren.",
        "Tu perdrais ton géant en g1.",
    )
    assert told(say("{piece} can go to {cell}.", piece=capital(mine), cell="h2"))[1:] == (
        "Dein Riese auf g1 kann nach h2 gehen.", "Ton géant en g1 peut aller en h2.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "german", "french"),
    [
        ("E", "Nimm den Elefanten von Weiß von c3 weg.", "Retire l’éléphant de Blanc de c3."),
        ("C", "Nimm die Armbrust von Weiß von c3 weg.", "Retire l’arbalète de Blanc de c3."),
    ],
)
def test_a_hand_is_told_which_piece_to_take_off(kind: str, german: str, french: str) -> None:
    piece = piece_called(game_named("cyvasse"), Piece(0, kind))
    assert told(say("Take {piece} off {cell}.", piece=piece, cell="c3"))[1:] == (german, french)


def test_a_kind_from_a_package_reads_decently_with_its_own_name() -> None:
    assert told(say("it takes the {kind}", kind=say("wolf"))) == (
        "it takes the wolf", "das schlägt die Figur „wolf“", "il prend la pièce « wolf »",
    )  # fmt: skip
    assert told(stays_told(game_named("giantslayer"), "wolf", "c3", "")) == (
        "The piece on c3 cannot move now.",
        "Die Figur auf c3 kann jetzt nicht ziehen.",
        "La pièce en c3 ne peut pas bouger maintenant.",
    )
