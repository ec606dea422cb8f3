"""What the addresses of the table answer, as types: a view names its answer, and the document of the addresses has it.

What is a struct of its own is not here; `answers_of_pages` has that of the other pages. The types that the
scripts read are made from these by `python -m tools.panel_types`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from flask import Response
from msgspec import Meta

from controller.table.views.types import Choice
from web_panel.backend import AskedCell
from web_panel.serving.http import Nothing

Role = Literal["guest", "player", "owner"]
Done = Annotated[Response, Nothing]
"""The answer of an address that carries something out and has nothing to say of it."""


class Ordered(TypedDict):
    """An order that was carried out."""

    warning: NotRequired[str]  # why it is not on disk


# ---- the board and the games ----


class SiteDrawn(TypedDict):
    """A site for drawing, about its middle."""

    kind: Literal["cell", "vertex", "node"]
    x: float
    y: float
    outline: list[tuple[float, float]]


class Geometry(TypedDict):
    """The board for drawing, in millimetres, y downwards, the first player at the bottom."""

    name: str
    title: str
    width: float
    height: float
    view: list[float]  # left, top, width and height, with room for names round the board
    turns: list[float]  # degrees by seat
    joined: list[tuple[str, int, str, int]]  # sides that are one but drawn twice: a cell, its side, the other, its side
    sites: dict[str, SiteDrawn]


class Option(TypedDict):
    """An option of a game for a form; ``choices`` is empty unless only those values are allowed, ``titles`` are they in
    words.
    """

    name: str
    title: str
    kind: Literal["int", "bool", "choice", "text"]
    default: Any
    help: str
    choices: list[Any]
    titles: list[str]
    low: int | None
    high: int | None


class CharacterTold(TypedDict):
    """How the board may like to play."""

    name: str
    title: str
    line: str


class VariantOffered(TypedDict):
    """A game's options under a name of their own: those that differ from the game's."""

    name: str
    title: str
    about: str  # "" where nobody has said anything
    changes: str  # what is otherwise, in words
    options: dict[str, Any]
    own: bool  # whether people here have made it


class GameOffered(TypedDict):
    """A game as it is offered."""

    name: str
    title: str
    blurb: str
    minutes: int
    complexity: int  # how much there is to learn, 1 to 5
    lesson: bool  # whether it can be learnt here
    seats: list[str]
    begins: int | None  # the seat that begins, None where play settles it
    endings: list[str]
    players_option: str  # the one that says how many seats take part, "" where all do
    characters: list[CharacterTold]
    options: list[Option]
    fits: NotRequired[bool]  # whether this board has room for it
    boards: NotRequired[list[str]]  # those that have
    variants: NotRequired[list[VariantOffered]]  # where its rules can be changed


class LevelTold(TypedDict):
    """A level at which the board can play."""

    level: int
    name: str
    line: str


class PuzzleListed(TypedDict):
    """A puzzle by its number; ``hard`` is 1 to 3, and ``aim`` "win", "gain", "save" or "turn".

    What is to be reached in a turn, ``theme`` says; it is "" for the others.
    """

    number: str
    hard: int
    aim: str
    theme: str


class PuzzlesOfGame(TypedDict):
    """The puzzles of a game that can be played here."""

    name: str
    title: str
    puzzles: list[PuzzleListed]


class GameProgress(TypedDict):
    """How far the person of this phone has come in a game: as `GameRecord`, with the numbers of the puzzles found."""

    name: str
    level: int
    lesson: bool
    solved: list[str]


class PuzzleOfDay(TypedDict):
    """The puzzle of today: one game's, with its ``title`` and how ``hard`` it is; ``asks`` says who moves, and what
    for.
    """

    game: str
    title: str
    number: str
    hard: int
    asks: str
    solved: bool


class GameLeft(TypedDict):
    """A game that is not over, with so many moves made."""

    id: int
    game: str
    title: str
    count: int
    players: str  # who plays against whom, "" where that is not known
    started: str  # as "2026-03-01 20:15:00", in UTC
    others: bool  # whether people play it, and not the one of this phone


class WelcomeTold(TypedDict):
    """What greets somebody who was not here for some hours, and what it leads to.

    That is a ``game`` at a ``level`` of the board, or with somebody where that is 0; else its ``puzzle``. One of a game
    that was played here has the number of that, ``id``, and of the move, ``ply``. With ``id`` and no puzzle it is the
    game of one's own that waits.

    No phone shows the same ``what`` twice in a row where something else is true, too.
    """

    what: str
    sentence: str
    game: str
    level: int
    puzzle: str
    id: int
    ply: int


class ProgressTold(TypedDict):
    """How far the person of this phone has come, nothing where the board does not know that one; today's puzzle, and
    the newest games that were ``left`` before their end, one's own first. ``welcome`` has what may greet that person,
    the best first.
    """

    games: list[GameProgress]
    streak: int
    today: PuzzleOfDay | None
    left: list[GameLeft]
    welcome: list[WelcomeTold]


class PlaceLook(TypedDict):
    """How cells of a kind are drawn: a tint, and a ``sign`` in colour ``line``, in the middle or at the ``foot``."""

    ground: str
    line: str
    sign: str  # a path of SVG within 100 of its middle, "" where there is none
    foot: bool


class DrawingsOfGame(TypedDict):
    """How the pieces of a game are drawn, as paths of SVG of radius 100."""

    seats: list[str]  # the outline of each seat's
    nobody: str  # the outline of nobody's
    rim: float  # the part of an outline at which its line runs
    kinds: dict[str, str]  # the drawing of each kind that has one
    colours: list[int]  # the place of each seat's colour among those that pieces have
    places: dict[str, PlaceLook]  # the look of each kind of cell that games treat apart


# ---- who is at the table ----


class PersonTold(TypedDict):
    """How the person in a seat is called, and the colour of theirs."""

    name: str
    colour: str


class PersonKnown(TypedDict):
    """Somebody whom the board knows."""

    id: str
    name: str
    colour: str


class PersonListed(PersonKnown):
    """Somebody who has played here; ``you`` holds this phone."""

    you: bool


class PersonOffered(PersonListed):
    """Somebody who may hold this phone; who is ``elsewhere`` plays in the game that is on with another one."""

    elsewhere: bool


class RecordLine(TypedDict):
    """So many games with somebody, or of one name."""

    name: str
    games: int
    won: int
    lost: int


class GameRecord(RecordLine):
    """So many games of one name, and how far somebody has come in it.

    ``level`` is the highest one of the board that they have beaten, 0 for none; ``lesson`` says whether they have gone
    through the lesson, ``solved`` how many puzzles they have found.
    """

    level: int
    lesson: bool
    solved: int


class PersonGames(PersonListed):
    """Somebody with all their finished games. ``streak`` is on how many days in a row they have found a puzzle."""

    here: bool  # whether a phone of theirs is at the table, and not away
    may: bool  # whether this phone may change them
    games: int
    won: int
    lost: int
    streak: int
    by_game: list[GameRecord]
    by_opponent: list[RecordLine]


What = Literal[
    "took_back", "agreed_back", "asks_no_longer", "offers", "withdrew", "paused", "other_players", "began",
    "resumed", "lesson", "puzzle", "released", "gave_up", "returned", "is_again", "is_not", "owns", "left_out",
    "next_game",
]  # fmt: skip


class NewsTold(TypedDict):
    """What somebody did beside moving: its ``number`` grows with each, ``mine`` is what this phone did. The ``part`` of
    this phone is "new" where it has got something by that, or asked for it, and "old" where it has lost something.

    Of a take-back ``made`` is how many moves there had been, and ``left`` how many were then; the same for an ending.
    Of a game that was begun ``made`` is how many moves the one before had, which is kept with them; 0 of a lesson.
    ``words`` are the sentence that tells what was taken back, "" where that is secret, or who plays now; or they say
    whose seat was released, which was given up, or who somebody is or is not. ``asks`` is which phone said to be
    theirs; where nobody was there to be asked whether it is, ``who`` is "".
    """

    number: int
    who: str
    what: What
    mine: bool
    part: Literal["", "new", "old"]
    made: int
    left: int
    words: str
    asks: str


class PanelChoices(TypedDict):
    """What the settings say of every page."""

    sounds: NotRequired[bool]
    turned: NotRequired[bool]
    reactions: NotRequired[bool]


Cheer = Literal["clap", "laugh", "wow", "oh_no"]


class CheerTold(TypedDict):
    """What somebody shows the others for some seconds: by name, "" where they gave none, and seat, if they have one."""

    number: int
    what: Cheer
    name: str
    seat: int | None


class PhoneListed(TypedDict):
    """A phone at the table; ``away`` says that it has had no page open for a while."""

    id: str
    name: str
    owner: bool
    you: bool
    away: bool
    seats: list[int]


class InLine(TypedDict):
    """Who may play the next game: with ``id`` an order gives them a ``seat``. They have that one now, None for none."""

    id: str
    name: str
    seat: int | None
    you: bool  # whether with this phone
    away: bool
    wants: bool  # to play next


class KnockTold(TypedDict):
    """A phone that asks those at the table to be let in; the name is "" where none was given.

    One that is in says that it is the person of another phone, and plays ``again``: the name is that person's. The
    other phone is ``away``, else that person has gone on with it for the one that asks. ``owner``: that phone owns the
    table, and so would this one.
    """

    id: str
    name: str
    again: bool
    away: bool
    owner: bool


class SeatLent(TypedDict):
    """For whom the board plays a seat, "" where no name was given, and whether it does so for this phone."""

    name: str
    you: bool


class You(TypedDict):
    """What a browser learns about itself and about who is at the table."""

    role: Role
    name: str
    seats: list[int]  # that this phone holds
    held: dict[str, str]  # seat → name of the phone that holds it
    people: dict[str, PersonTold]  # seat → who has given a name
    barred: bool  # whether others play here, so that this phone cannot put anything in the place of their game
    lying: list[str] | None  # whose game, in which this phone has no seat, is left lying on the table
    away: list[int]  # seats of a simulated board whose phone has had no page open for a while
    last_here: dict[str, str]  # seat → when its phone had a page open last, as times are kept, if that is long ago
    releases: list[int]  # seats that this phone may free
    owner_here: str  # who owns the table and has a page open, "" for nobody
    here: list[str]  # who is at the table, told to a screen there that nobody has joined with alone
    ready: list[int]  # seats that have chosen, while all do so in secret
    told: list[NewsTold]  # the newest last
    afar: bool  # whether a phone far away holds a seat
    named: bool  # whether the name was given by a person
    profile: str  # the id of who holds this phone, "" where that is not known
    shut: bool  # whether the board is about to listen to its own computer alone, which this phone is not
    waits: bool  # whether a lesson that waits is theirs, or of nobody at the table
    asked: AskedCell | None  # the cell to touch, while joining
    knock: KnockTold | None  # about whom this phone is asked
    knocking: Literal["", "waits", "refused"]  # how it stands where this phone asks those at the table
    again: list[int]  # seats that the board plays for this phone, or of other phones, for which it may ask
    elsewhere: list[int]  # seats that the person of this phone plays with another one now
    lent: dict[str, SeatLent]  # seat → for whom the board plays it
    panel: PanelChoices
    phones: list[PhoneListed]  # none for a guest
    cheers: list[CheerTold]  # the newest last
    wants_next: str  # who has asked to play next, "" for nobody
    line: list[InLine]  # who may play next, first who comes first, where anybody else is among them; none for a guest


class CellToTouch(TypedDict):
    """The cell to touch, to be let in; "" where none is free."""

    site: str


# ---- the pieces of a simulated board ----

# The site that it left is called "from", which Python cannot call a field.
_Held = TypedDict("_Held", {"from": NotRequired[Annotated[str, Meta(description="the site that it left, if held")]]})


class Token(_Held):
    """A piece of a simulated board; its ``id`` stays the same for as long as the piece is there."""

    id: str
    seat: NotRequired[int]  # none where it is nobody's
    kind: str


class Pieces(TypedDict):
    """The pieces of a simulated board: on it by site, in the hands, beside it."""

    on: dict[str, Token]
    held: list[Token]
    off: list[Token]
    moves: int  # how many changes there were
    finishes: NotRequired[bool]  # whether a tap is a whole move
    unfinished: NotRequired[bool]  # whether a capture waits to be completed


class PiecesThere(TypedDict):
    """Where all pieces are by now."""

    pieces: Pieces


class LitSite(TypedDict):
    """A site as it is lit on one phone alone."""

    light: str
    blink: bool
    meaning: str


class ShownHere(TypedDict):
    """What one phone alone shows of ``site``, and how ``sites`` are lit there.

    They are where the piece on it could go, which another phone moves. With ``plies`` they are the landings by one of
    which a piece comes to ``site``, each with the ply that goes there first, "" where several do. With ``gone`` the
    piece in the hand has got to ``site`` on its way, and has taken those there.
    """

    site: str
    words: str
    sites: dict[str, LitSite]
    plies: NotRequired[dict[str, str]]
    gone: NotRequired[list[str]]


class Tapped(PiecesThere):
    """What became of a tap: ``choices`` where several plies fit, a ``look`` at what this phone alone shows."""

    choices: NotRequired[list[Choice]]
    look: NotRequired[ShownHere]


class Lifted(PiecesThere, Token):
    """The piece that was lifted, and where all are."""
