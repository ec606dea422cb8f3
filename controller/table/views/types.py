"""What the panel shows: a picture of the table as plain data, ready to be written as JSON."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from controller.rules.facing import Facing as Facing
from controller.rules.game import Against, Arrange, Dial, Share
from controller.rules.game import Mark as Mark
from controller.rules.game import Piece as Piece
from controller.rules.game import Ring as Ring
from controller.rules.places import Place as Place
from controller.table.phases import Phase

DARK = "#000000"


class SiteView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One site of the board: the board's name is its key. ``label`` is the game's own name of it, "" off it; it is left
    out where the board calls it so, too.

    There are many, mostly dark and empty: what is as here is left out in JSON. For `DARK` that takes the very constant:
    defaults are left out by identity, and a string made anew is sent, though it is equal.
    """

    label: str | UnsetType = UNSET
    on: bool = False  # what the sensor says
    piece: Piece | None = None  # what should stand here
    light: str = DARK  # "#rrggbb", the very colour of the light frame before brightness; this is dark
    meaning: str = ""  # of the light: "may_go", "missing", …; "" dark
    blink: bool = False
    secret: bool = False  # the piece is not on the board yet: this seat alone knows of it


class SeatView(msgspec.Struct, frozen=True):
    """One seat. ``score`` is None where the game keeps none; without a clock there is no ``left_ms``.

    ``left_ms`` is the time left when the view was made; while ``running``, it runs down from there after ``still_ms``.
    """

    name: str
    to_move: bool
    score: int | None = None
    left_ms: int | UnsetType = UNSET
    running: bool = False
    offers_draw: bool = False
    hints: str = "legal"
    level: int = 0  # of the board, which plays this seat; 0: people do
    character: str | UnsetType = UNSET  # that it has, in words
    afar: bool = False  # people at another board hold it
    out: bool = False  # it has no more part in the game, which goes on
    colour: int = 0  # whose pieces it plays now: players may change sides from round to round
    side: str | UnsetType = UNSET  # what those are called, where players change sides
    holds: tuple[str, ...] = ()  # what it holds that will count for it, or has left or done of its turn, in words
    turn: int | UnsetType = UNSET  # by how many degrees the board is turned for it, clockwise, where seats have sides
    still_ms: int | UnsetType = UNSET  # so long its time does not count yet
    chooses: bool | UnsetType = UNSET  # it is still to choose in secret, as others do at once


class PlyView(msgspec.Struct, frozen=True):
    """One ply of the history, as this seat may read it; its seat played the pieces of ``colour`` then.

    ``words`` say it where its text is no way from cell to cell, which anybody reads.
    """

    seat: int
    text: str
    colour: int = 0
    words: str = ""


class PlyTold(msgspec.Struct, frozen=True):
    """A ply in words, and the sites its piece came over, by the game's names, first to last; one where it stays.

    ``feat`` is a sentence that cheers what is rare in it; "" for most.
    """

    words: str
    way: tuple[str, ...] = ()
    feat: str = ""


class LastTurn(msgspec.Struct, frozen=True):
    """What a seat played last, ply by ply, after ``made`` others. A turn's end that nobody made has no words.

    It was played ``by_board`` where the board held the seat then, whoever does now.
    """

    seat: int
    made: int
    plies: tuple[PlyTold, ...]
    by_board: bool = False


class LessonView(msgspec.Struct, frozen=True):
    """The step of a lesson that is on: number ``step`` of ``steps``, from 1.

    ``ply`` is the one that is to be made, "" where the step is only read; then `next_step` goes on (``next``). In a
    puzzle it shows the ply, or the next one.
    """

    step: int
    steps: int
    sentence: str
    ply: str = ""
    next: bool = False
    over: bool = False  # all steps are done; the game may be played on
    puzzle: str = ""  # the number of the puzzle that it is
    told: bool = False  # its ply has been told
    hint: bool = False  # where its ply begins can be told
    seat: int | None = None  # whose ply is to be found in a puzzle
    refuted: tuple[PlyTold, ...] = ()  # a ply tried in a puzzle and the one that wins at once after it
    interrupts: int | None = None  # the number of the game that a puzzle took from the table


class LessonWaits(msgspec.Struct, frozen=True):
    """A lesson that was left at a step, and with which one can go on."""

    game: str
    title: str
    step: int
    steps: int


class Choice(msgspec.Struct, frozen=True):
    """One answer to the open question: the ply it makes, and in words.

    ``sure`` says what the ply would give away, so that a page asks before it is made; "" where nothing is lost. Those
    whose ``dial`` has the same title differ by its number. A ply with a ``turn`` turns the shell of the site that it is
    listed for by so many nodes, clockwise.
    """

    ply: str
    words: str
    sure: str = ""
    dial: Dial | None = None
    turn: int = 0


class Card(msgspec.Struct, frozen=True):
    """What a player wants to know of a piece: its name, how its kind moves, and ``facts`` about where it stands now.

    ``against`` has the enemies in its reach, by the board's sites. ``stays`` says why it takes part in no move now, ""
    where it does, or where that is not known.
    """

    piece: Piece
    name: str
    moves: str = ""
    facts: tuple[str, ...] = ()
    against: tuple[Against, ...] = ()
    stays: str = ""


class MatchView(msgspec.Struct, frozen=True):
    """The match of which this is game number ``game``: whoever has won ``to`` games wins it.

    ``won`` is by seat and has this game once it is over; ``winner`` has won the match.
    """

    to: int
    game: int
    won: tuple[int, ...]
    winner: int | None = None


class BackAskedView(msgspec.Struct, frozen=True):
    """A take-back ``to`` so many plies that the seats ``by`` ask for; those in ``waits_for`` have not answered."""

    to: int
    by: tuple[int, ...]
    waits_for: tuple[int, ...]


class EarlierPosition(msgspec.Struct, frozen=True):
    """The position after ``ply`` plies: pieces and marks at the game's names of sites, and which of those the last ply
    ``changed``; ``seat`` made that one and ``words`` say it, None and "" at the start.
    """

    ply: int
    pieces: dict[str, Piece]
    lines: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    data: dict[str, Any] = {}
    changed: tuple[str, ...] = ()
    seat: int | None = None
    words: str = ""
    places: tuple[Place, ...] = ()


class HelpView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What may be asked of the board now (``offers``: "move", "threat"), and what it shows; ``off`` says why it has
    no help in this game. ``about`` is "move", "threat" or "coach" while something is shown; of which there is ``more``.
    ``coach``: one speaks in this game. ``ply`` is the move that is shown, where no piece goes to be put anywhere; of
    another one ``way`` is where its piece goes, first to last, once that is told.
    """

    offers: tuple[str, ...] = ()
    off: str = ""
    about: str = ""
    more: bool = False
    coach: bool = False
    ply: str = ""
    way: tuple[str, ...] = ()


class SealedView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What everybody may know of a choice of ``seat`` after ``made`` plies; see `controller.commitments.Committed`."""

    seat: int
    made: int
    commit: str
    nonce: str = ""
    plies: tuple[str, ...] = ()


class SealingView(msgspec.Struct, frozen=True):
    """What a phone far away has to know to seal what ``seat`` chooses after ``made`` plies, in the game that began with
    ``seed``: see `controller.commitments`. ``seats`` are those that choose now; ``sealed`` is what everybody may know
    of their choices, or where none choose, of those that were opened last.
    """

    seat: int
    seed: str
    made: int
    seats: tuple[int, ...]
    sealed: tuple[SealedView, ...]


class PanelView(msgspec.Struct, frozen=True):
    """Everything that the panel shows, for one seat or a watcher."""

    version: int  # grows with every change
    phase: Phase
    game: str  # name of the game, "" when idle
    title: str
    sentence: str  # what is going on: "White to move."
    advice: str  # what to do or why not; "" when there is nothing to say
    link: str  # "" while the sensor board answers, else a sentence
    seats: tuple[SeatView, ...]
    plies: tuple[PlyView, ...]
    sites: dict[str, SiteView]  # by the board's names
    waits: str = ""  # the one sentence that names what to do next: never "" from the table; with advice, that
    todo: str = ""  # ``waits`` for who is to move, on a phone that may not see as that seat; else ""
    proposal: str = ""  # what somebody asks the others: to take back, or for a draw; ``waits`` may begin with it
    asks: str = ""  # ``sentence`` for who is to move, where that is more than a move, or has won or lost; else ""
    question: str = ""  # "" where none is open
    choices: tuple[Choice, ...] = ()  # the answers to it
    answerers: tuple[int | None, ...] = ()  # the seat whose each of them is to give, None where that is nobody's
    taps: tuple[Choice, ...] = ()  # plies without a site that no hand can make, and what may be set beside: a few
    lines: tuple[str, ...] = ()  # of the game: goes left, points, reserve
    data: dict[str, Any] = {}  # what a game tells programs, by its own words
    marks: tuple[Mark, ...] = ()  # what is drawn beside the pieces, at the game's own names of sites
    places: tuple[Place, ...] = ()  # cells that the rules treat apart, by the same names
    options: dict[str, Any] = {}  # of the game; those that are as usual are left out
    why: str = ""  # how the game ended
    ranking: str = ""  # then, of more than two with points, who came first, second and so on; else ""
    winner: int | None = None
    paused: bool = False
    brightness: int = 60  # percent
    kinds: dict[str, str] = {}  # piece kind → readable name
    signs: dict[str, str] = {}  # piece kind → what stands on such a piece, "" where its colour tells
    secret: bool = False  # whether what can be played now is for the seat to move alone to know
    lesson: LessonView | None = None  # None outside a lesson
    begins: int | None = None  # the seat that begins this game; None where play itself settles it
    share: Share | None = None  # the ply of the seat to move shares units out, and may be made now
    back: int | None = None  # to so many plies the next take-back leads; None where there is nothing to take back
    own_backs: tuple[int | None, ...] = ()  # by seat, to so many leads that of its own last ply; none after an ending
    end_back_by: tuple[int, ...] = ()  # the seats of which one may take the ending back; none where anybody may
    back_asked: BackAskedView | None = None  # a take-back that others are asked about; None where there is none
    go_on_ms: int = 0  # so long the board still waits whether this seat goes on with the last ply; 0 where it does not
    coach_ms: int = 0  # so long it still waits with its answer, for people to think over what the coach said
    redo: int = 0  # so many moves were just taken back and can be made again
    captures: tuple[tuple[int, Piece], ...] = ()  # pieces taken and not come back, each with the seat that took it
    arrange: Arrange | None = None  # what this seat may set up in secret, now or for its turn
    match: MatchView | None = None  # None where the game is by itself
    no_draws: bool | UnsetType = UNSET  # whether the board plays, and does not answer draw offers
    unrevealed: bool | UnsetType = UNSET  # whether others may be taken to have given up, who show nothing sealed
    claim: str = ""  # why the seat to move may claim a draw now; "" where it may not
    seating: str = ""  # how the people came to sit as they do, or a round ended, until the next ply
    board: str = ""  # the name of the board, whose sites these are
    help: HelpView = HelpView()
    sealing: SealingView | None = None  # for a seat on a phone far away, in games with secrets
    last: LastTurn | None = None  # None before the first ply, and in lessons
    before: tuple[LastTurn, ...] = ()  # the turns before that since one's own, the oldest first
    stage: str = ""  # how far the game is: "Round 2 of 3"; "" where only the board tells
    ring: Ring | UnsetType = UNSET  # which kinds of pieces beat which, where one of the lines tells that
    waiting: LessonWaits | UnsetType = UNSET  # while no game is on, where a lesson waits
    game_id: int | None = None  # the number of the game: moves of two numbers have nothing to do with each other
