"""What a game is to everything else: a bundle of pure functions over frozen values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Literal, TypeVar, get_args

import msgspec

from controller.magnet_kinds import Magnet
from controller.rules.mesh import Mesh
from controller.rules.places import Place
from controller.rules.shells import ShellView
from controller.rules.way_told import site_called, way_told
from controller.sentences import say
from controller.typed import ready

S = TypeVar("S", bound=msgspec.Struct)
P = TypeVar("P")
Opts = TypeVar("Opts", bound=msgspec.Struct)


class Illegal(ValueError):
    """A ply the rules forbid; the text is one sentence that names the rule and where it bites."""


class Unreadable(ValueError):
    """A text that is not a ply of this game; the sentence says what was expected."""


class Piece(msgspec.Struct, frozen=True):
    """What stands on a site. ``seat`` (0-based) is the seat whose colour it has, None for what belongs to nobody.

    ``kind`` is one of the game's `Facts.kinds`. Where players swap sides, the colour stays with the piece.
    """

    seat: int | None
    kind: str


class Walk(msgspec.Struct, frozen=True):
    """How a hand makes a ply: every site the moved piece passes, first to last, and the sites it empties by capture.

    ``path`` starts where the piece stood and ends where it stays, with each site on the way on which it may be set
    down: all cells of a slide, each landing of a chain, never a cell that is jumped over. A piece that comes from
    beside the board has a path of one site. A ply that moves nothing (a class change, `end`) has an empty path, and
    ``at`` names the site it concerns, if there is one.
    A capture on the last site of the path is not listed in ``takes``: the difference of two shapes shows it.
    Whatever else the shapes before and after differ by is a chore. ``concerns`` are further sites at which people look
    for the ply: a phone lists the plies of a site.
    """

    path: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    at: str | None = None
    concerns: tuple[str, ...] = ()

    @property
    def landings(self) -> tuple[str, ...]:
        """Where the moved piece is set down, one after the other: on the cells of a slide it is not."""
        return self.path[1:] if len(self.takes) > 1 else self.path[-1:]

    @property
    def nowhere(self) -> bool:
        """Whether the ply is one of no site, such as the end of a turn."""
        return not (self.path or self.takes or self.at or self.concerns)


class Result(msgspec.Struct, frozen=True):
    """How things stand. ``winner`` is a 0-based seat or None; ``why`` is one of the endings, "" until then.

    ``scores`` has one number a seat, or is None where the game keeps no score.
    """

    over: bool = False
    winner: int | None = None
    why: str = ""
    scores: tuple[int, ...] | None = None


class Share(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ply that shares ``units`` out: the legal ones are ``word`` and a number, 0 or more, for each of ``among``.

    ``sentence`` tells the player what to do; "" in a view where its ``waits`` do. Everybody may know all of this. One
    that is ``ahead`` is not due yet, and for a seat whose turn to share comes, whatever is played until then.
    """

    word: str
    units: int
    among: tuple[str, ...]
    sentence: str
    ahead: bool = False


class Array(msgspec.Struct, frozen=True):
    """A way to set pieces up, ``at`` cells: each with a kind."""

    title: str
    at: Mapping[str, str]


class Arrange(msgspec.Struct, frozen=True):
    """The ``pieces`` (kind → how many) that ``seat`` has to set up in secret on free ``cells``, in plies like ``K@h2``.

    It may do so before its turn comes, for nothing that others do bears on it. What is ``optional`` may be left out:
    ``end`` is the ply that says so. ``arrays`` are offered to begin with.
    """

    seat: int
    pieces: Mapping[str, int]
    cells: tuple[str, ...]
    optional: tuple[str, ...] = ()
    end: str = "end"
    arrays: tuple[Array, ...] = ()
    nobodys: tuple[str, ...] = ()  # kinds that are nobody's once they stand


class Dial(msgspec.Struct, frozen=True, omit_defaults=True):
    """What tells a ply from others of the same title on a dial: a number of ``units``.

    ``title`` says what is chosen, ``told`` what so many mean, ``note`` what holds for all of them, such as a price.
    ``between`` are the two sites whose shells make that price, where that is so.
    """

    title: str
    units: int
    told: str = ""
    note: str = ""
    between: tuple[str, ...] = ()


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to be drawn beside the pieces, ``at`` a site, or for "between" at two. A panel knows these shapes:

    "count", a number on its piece, or several side by side; "between", a short text between two sites; "offer", where
    the player to move may set something that is beside the board. What is drawn between two sites says no more of its
    shape in JSON: there are many of those.
    """

    at: tuple[str, ...]
    shape: Literal["count", "between", "offer"] = "between"
    text: str = ""
    seat: int | None = None  # whose colour it has
    colour: str = ""  # or this one, as "#rrggbb" or "#rgb"; neither: a plain one


class Against(msgspec.Struct, frozen=True):
    """How a piece compares with the enemy on ``site``, whom it reaches: ``text`` such as "2 > 1", and who wins."""

    site: str
    text: str
    takes: bool


class Chore(msgspec.Struct, frozen=True):
    """What a hand has still to put right after a ply, in the game's words, while any of the sites ``at`` is wrong."""

    at: tuple[str, ...]
    sentence: str


class Ring(msgspec.Struct, frozen=True):
    """Which kinds of pieces beat which: what of the lines of a `View` says so, ``told``, and each pair, who beats and
    whom. Kinds beat the next one in the order in which they first stand there, or others besides.
    """

    told: str
    beats: tuple[tuple[str, str], ...]


class View(msgspec.Struct, frozen=True):
    """What one seat (None: a watcher) may know: the pieces it sees, lines to read, marks to draw.

    ``data`` has what programs may want to know, by words of the game. ``share`` is there where the ply of the seat to
    move is such a one, or will be that of the seat that looks; ``shells`` where the game has shells, ``arrange`` where
    the seat sets pieces up in secret. ``places`` come from the game's own function of that name, by `Game.look`.
    ``scores`` is there where more is certain for the seats already than `Result.scores` counts. ``holds`` says in
    a few words each what every seat holds that will count for it, or has left or done of its turn; ``stage`` how far
    the game is, where that is no matter of the board. A ``ring`` is drawn in place of the line that tells it.
    """

    pieces: Mapping[str, Piece]
    lines: tuple[str, ...] = ()
    data: Mapping[str, Any] = {}
    share: Share | None = None
    marks: tuple[Mark, ...] = ()
    shells: ShellView | None = None
    arrange: Arrange | None = None
    places: tuple[Place, ...] = ()
    scores: tuple[int, ...] = ()
    holds: tuple[tuple[str, ...], ...] = ()
    stage: str = ""
    ring: Ring | None = None


Colour = Literal["white", "black", "blue", "orange", "purple", "green", "red"]
COLOURS: tuple[Colour, ...] = get_args(Colour)  # in which pieces are drawn, in the order of seats that choose none


class Credit(msgspec.Struct, frozen=True):
    """Whose game it is: a ``sentence`` with what is known of its author, and addresses by what they show."""

    sentence: str
    links: Mapping[str, str] = {}


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """A game as data, for lists, help and the tests that hold it to what it says."""

    name: str  # of the ruling, as "tides-of-war": the name on the command line
    title: str
    blurb: str  # one line for the list of games
    seats: tuple[str, ...]  # names of the seats at most, in order of their numbers: "White", "Black"
    colours: tuple[Colour, ...] = ()  # of the pieces of each seat, as "Red" and "Blue" want it; (): `COLOURS` in order
    fewest: int = 2  # seats at least
    minutes: int  # of a usual game
    complexity: int = 3  # how much there is to learn, 1 to 5: lists begin with the easiest
    kinds: Mapping[str, str]  # piece kind → readable name; every kind that `shape` can show
    briefly: Mapping[str, str] = {}  # piece kind → its name where many moves are told in a row; else its readable name
    signs: Mapping[str, str] = {}  # piece kind → what stands on such a piece, one or two letters or ""; else its kind
    magnets: Mapping[str, Magnet] = {}  # piece kind → how strong its magnet is, for boards that tell
    moves: Mapping[str, str] = {}  # piece kind → how it moves, in one or two short sentences
    moves_tapped: Mapping[str, str] = {}  # the same where pieces are tapped on a screen, of kinds for which it differs
    fallen: str = say("off the board")  # what becomes of a piece that goes without being taken, before its name
    endings: tuple[str, ...]  # every word that `Result.why` can have
    ends: Mapping[str, str] = {}  # ending → how it came about, as a clause: "the king is taken"; else its word
    moments: Mapping[str, str] = {}  # what an evening's table tells of a {person}: an ending → of who has won so, and
    # with " taking" behind it, by a ply that took something; "kind_" and a kind → of whose opponent has lost {count} of
    # these; "own_" and a kind → of who has won with {count} of these of their own at the end; "taken" → {count} pieces
    # in one ply; "scored" → {count} points at once
    longest: int  # plies within which play at random ends
    shells: bool = False  # whether shell nodes are sites of the game, beside the cells
    vertices: bool = False  # whether shared vertices are
    around: bool = False  # whether seats have a side each, clockwise from the first one's: phones have their own near
    begins: int | None = 0  # the seat that begins; None where play itself settles it
    several: bool = False  # whether a player may make several plies in a row, and so lift the next piece at once
    captures: bool = True  # whether a piece that another takes off the board is captured: counted, and laid beside it
    hold: bool = False  # whether holding a piece and putting it back makes the one ply that concerns its site
    on_panel: Mapping[str, Any] = {}  # options that people begin with other values than programs do
    players_option: str = ""  # the option that says how many seats take part; "": all do
    experience_option: str = ""  # that says how many games each seat has finished, as "3 0 -"; "": it decides nothing
    credit: Credit | None = None  # who made the game
    tiling_option: str = ""  # the option that says on which tiling the game lies; "": on one alone

    def sign(self, kind: str) -> str:
        """Return what stands on a piece of ``kind``."""
        return self.signs.get(kind, kind[:2])

    def colour(self, seat: int) -> int:
        """Return the place in `COLOURS` of the colour in which the pieces of ``seat`` are drawn."""
        return COLOURS.index(self.colours[seat]) if self.colours else seat

    def players(self, options: Mapping[str, Any]) -> int:
        """Return how many seats take part in a game with ``options``."""
        return int(options[self.players_option]) if self.players_option else len(self.seats)


@dataclass(frozen=True)
class Goals(Generic[S, P]):
    """What can be asked for within one turn of several plies. A goal is written, as "rule c3"; unknown ones raise
    `Unreadable`.

    ``asked`` are those worth asking for where a turn begins, and none elsewhere. ``lacks`` gets that beginning, where
    the turn has come to, and a goal: so many plies are needed at least, 0 where it is reached. None says that the turn
    is over without it, or that nothing in it can reach the goal any more. ``serving`` are the legal plies, without the
    end of the turn, of which a shortest way to the goal can consist. ``task`` says it to the seat to move, in a
    sentence; ``sites`` are those that it names. ``theme`` says of what kind a goal is, without naming anything.
    """

    asked: Callable[[S], list[str]]
    lacks: Callable[[S, S, str], int | None]
    serving: Callable[[S, str], list[P]]
    task: Callable[[S, str], str]
    sites: Callable[[S, str], tuple[str, ...]]
    theme: Callable[[str], str]


def seen_once(state: S) -> S:
    """Return a ``state`` that keeps the positions it has ``seen``, as if none had stood before the last of them."""
    return msgspec.structs.replace(state, seen=state.seen[-1:])  # type: ignore[attr-defined]


@dataclass(frozen=True, eq=False)
class Game(Generic[S, P, Opts]):
    """A game's functions. All are pure; states and plies are frozen, hashable values. A game is equal to itself alone.

    ``moves`` lists the legal plies in any order and is empty when the game is over; ``after`` plays one of them
    unchecked: both are for speed, everybody else uses `plies` and `play`. ``why_not`` gets a ply that was read
    but is not legal and returns the sentence. ``read`` raises `Unreadable`.

    Where plies are made in secret, nobody but their seat may be able to find out which of them it was, until a
    ply ``opens`` what was secret: from then on none before it can be taken back.

    ``known`` is the same for all states that a seat cannot tell apart, and ``imagine`` fills in what it left out: all
    that the seat sees stays as it is, the rest is drawn from the seed.

    ``leaves`` is for games of more than two: the ply with which a seat is out while the others play on, None where that
    cannot be. It is none of ``moves``, for nobody makes it by hand, whoever's turn it is; `play` takes it.

    ``passed`` is for games in which turns simply go round, whatever their rules say of passing: the next seat is to
    move, and all pieces stand as before. It is None where that would be no position of the game: a royal is in check, a
    piece is owed, it would be over. It is looked at and never played.

    ``afresh`` is for games that count how often a position stands: in a lesson nobody counts.

    ``cells`` gets options that nobody has checked. Without it every board of the game has as many cells. ``sound`` gets
    any state of the right types, and says no to one that the other functions could stumble over or take long with.

    >>> from controller.rules.registry import game_named
    >>> game = game_named("tides-of-war")
    >>> start = game.start(game.options(), 0)
    >>> game.perft(start, 4)
    60034
    >>> later = game.play_text(start, "c3-c4")
    >>> print(game.facts.seats[game.seat(later)], game.shape(later)["c4"].kind)
    Black stone
    >>> game.walk(start, game.read(start, "c3-c4")).path
    ('c3', 'c4')
    >>> game.play_text(later, "c6-c4")
    Traceback (most recent call last):
        ...
    controller.rules.game.Illegal: c6 and c4 are not neighbours: a stone steps one square
    """

    facts: Facts
    options: type[Opts]
    state: type[S]
    mesh: Callable[[Opts], Mesh]
    start: Callable[[Opts, int], S]  # (options, seed)
    seat: Callable[[S], int | None]  # who is to move; None when over
    moves: Callable[[S], list[P]]
    after: Callable[[S, P], S]
    result: Callable[[S], Result]
    text: Callable[[S, P], str]
    read: Callable[[S, str], P]
    why_not: Callable[[S, P], str]
    shape: Callable[[S], Mapping[str, Piece]]
    walk: Callable[[S, P], Walk]
    view: Callable[[S, int | None], View] | None = None  # None: everything is open
    glimpse: Callable[[S, P, int | None], str] | None = None  # a ply's text as a seat may know it
    secret: Callable[[S], bool] | None = None  # with `glimpse`: whether a ply made now is for its own seat to know
    opens: Callable[[S, P], bool] | None = None  # with it: whether a ply shows something of those made in secret
    lies_open: Callable[[S], bool] | None = None  # whether all may read by now what was made in secret; None: never
    opened: Callable[[S], str] | None = None  # what the secret plies came to, in sentences; "" when it is old news
    ending: Callable[[S], str] | None = None  # how a game came out, as a clause; "" where `Facts.ends` says it all
    news: Callable[[S, P, S], str] | None = (
        None  # (before, ply, after) → what it set off by itself, in sentences, or ""
    )
    say: Callable[[S, P], str] | None = None  # a ply in words, where `words` would not do
    offered: Callable[[S, P], str] | None = (
        None  # a ply on a button, where `words` do not say whose it is; None: they do
    )
    made: Callable[[S, P], str] | None = None  # a ply once made, as a clause after a name: "passes"; "": `words`
    feat: Callable[[S, P], str] | None = None  # what is to be cheered of a ply, as a sentence; "": nothing
    made_alike: Callable[[S, Sequence[P]], str] | None = (
        None  # several plies in a row as one such clause; "": one by one
    )
    colour: Callable[[S, int], int] | None = None  # the colour that a seat plays now; None: that of its number
    card: Callable[[S, str, int | None], tuple[str, ...]] | None = None  # more about the piece on a site, for a seat
    against: Callable[[S, str], tuple[Against, ...]] | None = None  # the enemies in reach of the piece on a site
    sets_up: Callable[[S], bool] | None = None  # whether the board is to be set up again (a next round)
    round_over: Callable[[S, P], S] | None = None  # with it: how the round stood that a ply has ended
    why_not_between: Callable[[S, str, str], str] | None = None  # see `refusal`, where plies are not `a1-a2` or `a1xa2`
    why_stays: Callable[[S, str], str] | None = None  # see `stays`: why a piece on a site takes part in no legal ply
    why_not_onto: Callable[[S, str], str] | None = None  # see `bars`: why nothing can come to a site now
    legal: Callable[[S, P], bool] | None = None  # whether a ply is legal, where that is quicker than `moves`
    share: Callable[[S], Share | None] | None = None  # where the plies share units out: there may be a great many
    cells: Callable[[Mapping[str, Any]], int] | None = None  # of the board that options ask for, computed, not made
    sound: Callable[[S, Opts], bool] | None = None  # whether a state from elsewhere can be one of a game
    checked: Callable[[S], tuple[str, ...]] | None = None  # sites of the royal pieces that are attacked now
    warns: Callable[[S], str] | None = None  # what the seat to move has to mind first, as a sentence: "" for nothing
    leaves: Callable[[S, int], P | None] | None = None  # the ply by which a seat gives up, see below
    claim: Callable[[S], str] | None = None  # why the seat to move may claim a draw, as a sentence; "": it may not
    chores: Callable[[S, P], tuple[Chore, ...]] | None = None  # what a ply leaves to do, in the game's words
    dial: Callable[[S, P], Dial | None] | None = None  # where a ply is one of several that a number tells apart
    turn: Callable[[S, P], int] | None = None  # by how many nodes a ply turns the shell of its site clockwise; 0: none
    due: Callable[[S], str] | None = None  # see `asks`
    rank: Callable[[S, P], int] | None = None  # where a ply stands in a list, least first; None: all are alike
    sure: Callable[[S, P], str] | None = None  # what a legal ply would give away, as a question; "": nothing
    known: Callable[[S, int | None], S] | None = None  # a state without what a seat may not know
    imagine: Callable[[S, int | None, int], S] | None = None  # with it: (what a seat knows, seat, seed) → how it may be
    passed: Callable[[S], S | None] | None = None  # as if the seat to move had passed, to see what others threaten
    afresh: Callable[[S], S] | None = None  # the same position, as if it stood for the first time
    places: Callable[[S], tuple[Place, ...]] | None = None  # cells that the rules treat apart, to be drawn and named
    aim: Callable[[S], str] | None = None  # how one wins, in a sentence or two for everybody who looks on
    goals: Goals[S, P] | None = None  # what a puzzle can ask for, where a turn has several plies

    def plies(self, state: S) -> tuple[P, ...]:
        """Return the legal plies, sorted by their text."""
        return tuple(sorted(self.moves(state), key=partial(self.text, state)))

    def play(self, state: S, ply: P) -> S:
        """Return the state after ``ply``; raises `Illegal` with the rule that forbids it."""
        result = self.result(state)
        if result.over:
            raise Illegal(say("the game is over ({why})", why=say(result.why)))
        legal = self.legal(state, ply) if self.legal else ply in self.moves(state)
        if not legal and self.leaver(state, ply) is None:
            raise Illegal(self.why_not(state, ply))
        return self.after(state, ply)

    def words(self, state: S, ply: P) -> str:
        """Return ``ply`` in words for people, by the names of cells."""
        if self.say:
            return self.say(state, ply)
        walk = self.walk(state, ply)
        if len(walk.path) < 2:
            return self.text(state, ply)
        end = walk.path[-1]
        return way_told(walk.path, walk.takes, end != walk.path[0] and end in self.shape(state))

    def made_words(self, state: S, ply: P) -> str:
        """Return ``ply`` in words once it was made: what follows the name of who made it."""
        return (self.made(state, ply) if self.made else "") or self.words(state, ply)

    def words_of(self, state: S, written: str) -> str:
        """Return the ply ``written`` in words."""
        return self.words(state, self.read(state, written))

    def leaver(self, state: S, ply: P) -> int | None:
        """Return the seat that gives up with ``ply``, None where it is another one."""
        if self.leaves is None:
            return None
        return next((seat for seat in range(len(self.facts.seats)) if self.leaves(state, seat) == ply), None)

    def how_ended(self, state: S, why: str) -> str:
        """Return as a clause how the game came out that ended at ``state`` by the ending ``why``."""
        return (self.ending(state) if self.ending else "") or say(self.facts.ends.get(why, why))

    def colour_of(self, state: S, seat: int) -> int:
        """Return the colour whose pieces ``seat`` plays now."""
        return seat if self.colour is None else self.colour(state, seat)

    def side(self, state: S, seat: int) -> str:
        """Return what the pieces are called that ``seat`` plays now: their colour where players change sides."""
        if self.colour is None:
            return say(self.facts.seats[seat])
        return say(COLOURS[self.facts.colour(self.colour(state, seat))].capitalize())

    def player_of(self, state: S, colour: int | None) -> int | None:
        """Return the seat that plays the pieces of ``colour`` now; None for those that belong to nobody."""
        seats = range(len(self.facts.seats))
        return next((seat for seat in seats if self.colour_of(state, seat) == colour), None)

    def sent(self, state: S, ply: P) -> tuple[str, ...]:
        """Return from which site to which ``ply`` sends a number of units, however many stay; () for any other."""
        dial = self.dial(state, ply) if self.dial else None
        return dial.between if dial else ()

    def play_text(self, state: S, text: str) -> S:
        """Return the state after the ply written ``text``; raises `Unreadable` or `Illegal`."""
        return self.play(state, self.read(state, text.strip()))

    def refusal(self, state: S, start: str, end: str) -> tuple[str, str]:
        """Return how a piece goes from site ``start`` to ``end`` as people read it, and which rule forbids it.

        The rule is "" where such a ply is legal, or the game does not know.
        """
        if self.why_not_between:
            way = way_told((site_called(start), site_called(end)))
            return way, self.why_not_between(state, start, end)
        refused = []
        for written in (f"{start}-{end}", f"{start}x{end}"):
            try:
                self.play_text(state, written)
            except Illegal as illegal:
                refused.append((way_told((start, end)), str(illegal)))
            except Unreadable:
                continue
            else:
                return way_told((start, end)), ""
        return refused[0] if refused else ("", "")

    def stays(self, state: S, site: str) -> str:
        """Return as a clause why the piece on ``site`` cannot move, which takes part in no legal ply; "" if unknown.

        It belongs to the seat to move, or to nobody: of other pieces it is enough to say whose turn it is.
        """
        known = self.why_stays is not None and self.seat(state) is not None and site in self.shape(state)
        return self.why_stays(state, site) if known and self.why_stays else ""

    def bars(self, state: S, site: str) -> str:
        """Return in a sentence why the seat to move can bring nothing to ``site`` now; "" if unknown."""
        return self.why_not_onto(state, site) if self.why_not_onto and self.seat(state) is not None else ""

    def asks(self, state: S) -> str:
        """Return what the seat to move does, as a clause after its name such as "places 7 units", which it reads itself
        as "place your 7 units" (see `to_player`); "" where it is a move.
        """
        return self.due(state) if self.due and self.seat(state) is not None else ""

    def look(self, state: S, seat: int | None) -> View:
        """Return what ``seat`` (None: a watcher) may know of ``state``."""
        view = self.view(state, seat) if self.view else View(self.shape(state))
        if self.places is None:
            return view
        return msgspec.structs.replace(view, places=self.places(self.known(state, seat) if self.known else state))

    def shared(self, state: S) -> Share | None:
        """Return how the plies of ``state`` share units out, None where they do not."""
        return self.share(state) if self.share else None

    def perft(self, state: S, depth: int) -> int:
        """Return the number of ply sequences of length ``depth`` from ``state``; the last ply is only counted."""
        if depth == 0:
            return 1
        moves = self.moves(state)
        if depth == 1:
            return len(moves)
        after, perft = self.after, self.perft
        return sum(perft(after(state, ply), depth - 1) for ply in moves)

    def encode(self, state: S) -> bytes:
        """Return ``state`` as JSON."""
        return msgspec.json.encode(state)

    def decode(self, data: bytes) -> S:
        """Return the state that `encode` wrote; raises `msgspec.ValidationError` where it is none."""
        return msgspec.json.decode(data, type=ready(self.state))

    def taken_over(self, data: bytes, options: Opts) -> S:
        """Return the state in ``data``, whoever wrote it; raises `Illegal` where ``options`` allow none such."""
        try:
            if self.cells and self.cells(_options_in(data)) != self.cells(msgspec.to_builtins(options)):
                raise Illegal(say("its board is not the one given by the options"))
            state = self.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
            raise Illegal(str(wrong)) from wrong
        except RecursionError:
            raise Illegal(say("it is nested too deeply")) from None
        if self.sound and not self.sound(state, options):
            raise Illegal(say("no game with these options can reach it"))
        return state


class _Written(msgspec.Struct, frozen=True):
    """What is read of a state before anything is made of it."""

    options: dict[str, Any] = {}


def _options_in(data: bytes) -> dict[str, Any]:
    return msgspec.json.decode(data, type=ready(_Written)).options


AnyGame = Game[Any, Any, Any]


DECIDES = 1 << 20  # of `Tactics.loud`: always looked behind


@dataclass(frozen=True)
class Tactics(Generic[S, P]):
    """What alpha-beta asks of a game; numbers are thousandths, as in `weights.toml`.

    ``loud`` is about how much a ply gains at once, `DECIDES` where it decides, 0 for a quiet one. ``key`` is what of a
    position decides how it goes on, but for repetitions. ``urgent`` tells a position in which standing still is no
    choice: a check, a piece that is lost. ``mover`` is the seat to move, None where the last ply ended the game; unlike
    `Game.seat` it need not find out whether that seat can move, which takes long in some games. ``swing`` is by how
    much a quiet ply hardly ever changes a position. ``rests`` is set where to pass would hardly ever be the best.
    ``takings`` lists all plies that are loud, in the order of all plies, where that is quicker than to list those. Then
    a position without plies has to be ``urgent``, or one in which the game is over: exchanges see no other end.
    """

    loud: Callable[[S, P], int]
    key: Callable[[S], Hashable]
    urgent: Callable[[S], bool] | None = None
    mover: Callable[[S], int | None] | None = None
    swing: int = 1000
    rests: bool = False
    takings: Callable[[S], list[P]] | None = None


@dataclass(frozen=True)
class Inputs(Generic[S]):
    """What a learned network sees of a position, as the seat to move sees it: which of ``count`` facts hold.

    ``on`` returns their numbers, as "12: a stone of mine on c1". ``version`` goes up whenever a number comes to mean
    something else: what was learned before is then of no use. ``alike`` returns each way in which a board can be turned
    or mirrored so that a position is worth the same: by number the one that takes its place. What is learned holds for
    the game with its usual options; those of ``whatever`` may be others, for they change nothing of it. With others of
    ``unlearned`` the rules are the same, but positions are unlike those that were learned: the counts judge alone.
    """

    count: int
    on: Callable[[S], Sequence[int]]
    version: int = 1
    alike: Callable[[], Sequence[Sequence[int]]] | None = None
    whatever: tuple[str, ...] = ()
    unlearned: tuple[str, ...] = ()


def on_all_planes(places: Sequence[int], count: int) -> list[int]:
    """Return ``count`` numbers of `Inputs.on`, board after board of cells, each cell where ``places`` has it."""
    return [begin + place for begin in range(0, count, len(places)) for place in places]


@dataclass(frozen=True)
class Endgames(Generic[S]):
    """Positions with so few pieces that each can be solved: who wins, and in how many plies.

    ``positions`` yields them, and whatever is made of one by a ply is one, too, or the end of the game. ``number``
    returns which of ``count`` one is, None of a position that is none of them; it is asked of every position that a
    program looks at, so it is quick. Positions that are alike may share a number. ``version`` goes up whenever a number
    comes to mean something else. What is solved holds for the game with its usual options; ``whatever`` is as in
    `Inputs`.
    """

    count: int
    number: Callable[[S], int | None]
    positions: Callable[[], Iterator[S]]
    version: int = 1
    whatever: tuple[str, ...] = ()


OF_A_KIND = "kind_"
OWN_AT_END = "own_"


class Gain(msgspec.Struct, frozen=True):
    """A feature of which more is always good for a seat, or ``fewer``: one of its own, or of ``theirs``, all others'.

    ``clause`` says so of a ply that brings that; "" where its numbers do. It is told only where nobody has fewer by it
    of what it ``holds``: a stone that comes from nearer to its goal has gone away.
    """

    feature: str
    clause: str = ""
    fewer: bool = False
    theirs: bool = False
    holds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Advice(Generic[S, P]):
    """What a program may be told beside the rules: the file `advice.py` in a game's folder has one as ``ADVICE``.

    ``count`` counts in a position, for each seat, as many whole numbers as there are ``names``: what speaks for that
    seat or against it; how much, `weights.toml` beside it says. It is asked of every position that a program looks at,
    so it is quick. ``told`` are names for people of those that anybody could count, as "stones", for hints and the
    coach. Those that begin with `OF_A_KIND` count the pieces of one kind, and are told in the singular. ``stakes`` are
    those that whoever plays feels to be lost, as a piece or a point is, and about what one of them is worth, in
    thousandths: the coach speaks of no others. ``gains`` are what is always good, the weightiest first: a hint names
    one that its ply brings. Where it brings none, ``why`` says as a clause what else is true of a ply and speaks for
    it, "" for nothing. ``book`` gets what the seat to move knows and a seed, and returns a ply that is known to be
    good, or None. With ``tactics`` an open game of two is searched by alpha-beta. With ``inputs`` a network can be
    learned (`tools/learning`), which betters what the counts say; with ``endgames`` positions of few pieces can be
    solved. ``thinks_of`` gets a position and all its plies and returns those worth a thought, at least one: best first
    looks at no others. ``part`` returns in which part of the game a position is: what a part brings to all is no reason
    to call a ply of the one before bad, so the coach compares counts within one alone.

    Where a turn is many plies, ``plan`` is asked what a hint shows, so that one goes on from the other: it gets the
    positions of the turn up to now and the plies between them, and returns the next ply and why, as a clause. None
    where it has no plan: then a search finds what is shown.
    """

    names: tuple[str, ...]
    count: Callable[[S], Sequence[Sequence[int]]]
    book: Callable[[S, int], P | None] | None = None
    told: Mapping[str, str] = field(default_factory=dict)
    stakes: Mapping[str, int] = field(default_factory=dict)
    gains: tuple[Gain, ...] = ()
    tactics: Tactics[S, P] | None = None
    inputs: Inputs[S] | None = None
    endgames: Endgames[S] | None = None
    thinks_of: Callable[[S, Sequence[P]], list[P]] | None = None
    why: Callable[[S, P], str] | None = None
    difference: Callable[[Sequence[int], Sequence[int]], Callable[[S], int]] | None = None
    part: Callable[[S], Any] | None = None
    plan: Callable[[Sequence[S], Sequence[P]], tuple[P, str] | None] | None = None


AnyTactics = Tactics[Any, Any]
AnyAdvice = Advice[Any, Any]
AnyEndgames = Endgames[Any]
