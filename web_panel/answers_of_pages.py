"""What the addresses of the pages beside the table answer, as types: games played, settings, other boards, board care.

`answers` has those of the table.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from controller.orders import NewGame
from controller.table.views.types import Mark, Piece, Place
from web_panel.answers import Geometry, Role

# ---- the workshop of rules ----


class RulesLookedAt(TypedDict):
    """How a game begins with other options, as an SVG; or by option what is ``wrong``, under "" what is of several."""

    wrong: dict[str, str]
    picture: str


class VariantKept(TypedDict):
    """A variant that is kept under a ``name``, and what its trial found; or by field what is ``wrong``."""

    wrong: dict[str, str]
    name: str
    remarks: list[str]


class OptionTried(TypedDict):
    """An option that a run tries with several values."""

    title: str
    values: list[str]


class RunTold(TypedDict):
    """A run of the workshop: so many games are ``played`` ``of`` all; ``ends`` is while its report is written."""

    name: str
    title: str  # of the game and the variant
    players: list[str]
    varied: list[OptionTried]
    played: int
    of: int
    begun: str  # as "2026-03-01 20:15:00", in UTC
    state: Literal["plays", "ends", "rests"]
    seconds_left: int | None  # None while nothing is known of it
    report: bool


class RunsPage(TypedDict):
    """All runs, the last one first, and the name of the one that is played; ``wrong`` is why the last one failed."""

    runs: list[RunTold]
    installed: bool
    playing: str
    wrong: str
    owner: bool


class RunBegun(TypedDict):
    """A run that has begun, under a ``name``."""

    name: str


# ---- games played ----


class _GameTold(TypedDict):
    id: int
    game: str
    title: str
    started: str  # as "2026-03-01 20:15:00", in UTC
    count: int  # of moves
    over: bool
    winner: str  # a person, "the board" or a seat; "" for a draw, or while it is unfinished
    result: str  # who won against whom; of a game that is not over, that
    sentence: str  # how, too
    players: NotRequired[str]  # who plays against whom, "" where that is not known


class GameLine(_GameTold):
    """A game in the list of games played."""

    seats: NotRequired[list[str]]  # their names, where its rules can read it
    played: NotRequired[bool]  # as there: neither a lesson nor a puzzle


class GamesPlayed(TypedDict):
    """The games begun last, newest first; ``more`` are there that are older."""

    games: list[GameLine]
    more: bool


class PersonTonight(TypedDict):
    """How many of the games of this evening somebody has played and won; who ``leads`` has won the most."""

    name: str
    games: int
    won: int
    best: str  # a sentence about their best moment; "" where there was none worth telling
    leads: bool


class Evening(TypedDict):
    """The games of this evening, who won how many, in a sentence, and the table of people, the best first; no row
    where nobody has said a name.
    """

    games: list[GameLine]
    tally: str
    people: list[PersonTonight]


class LessonLeft(TypedDict):
    """A lesson, and where it was left: so many of its steps with a move were ``made``. Steps that are only read are not
    counted.
    """

    title: str
    made: int
    of: int
    step: int | None  # the number of the step whose move was to come, from 1; null where all were made
    words: str  # what that step says


class BegunAndFinished(TypedDict):
    """How many games or puzzles of a title were begun, and how many of them are finished."""

    title: str
    begun: int
    finished: int


class LastGame(TypedDict):
    """The last game as text, without the people who played it; "" with the sentence ``why`` there is none."""

    id: int | None
    text: str
    why: str


class FirstEvening(TypedDict):
    """What the newest games tell of a first evening. It has no name of anybody."""

    lessons: list[LessonLeft]
    games: list[BegunAndFinished]
    puzzles: list[BegunAndFinished]
    unread: int  # games that cannot be read, and are not counted
    last: LastGame


class CapturedCount(TypedDict):
    """So many pieces of a kind that the seat ``by`` has captured."""

    by: int
    seat: int | None
    kind: str
    count: int


class GameSummedUp(TypedDict):
    """The game that is on the table, or was last, in figures."""

    id: int
    started: str  # as "2026-03-01 20:15:00", in UTC
    over: bool
    sentence: str
    count: int
    minutes: int
    captured: list[CapturedCount]


class PastPly(TypedDict):
    """A ply of a game played; its seat played the pieces of ``colour`` then."""

    seat: int
    colour: int
    text: str
    words: str


class GamePlayed(_GameTold):
    """A game for replaying."""

    seats: list[str]
    minutes: int
    captured: list[CapturedCount]
    people: list[tuple[str, str]]  # each seat, and who sat on it, "" where that is not known
    plies: list[PastPly]
    geometry: Geometry
    kinds: dict[str, str]
    signs: dict[str, str]
    secret: bool  # part of it is, so that it is not played on from a position, and not given out
    ended_by_word: bool  # its players ended it, or their time did, which can be taken back on the table


class NamelessSeat(TypedDict):
    """A seat of a game that was played without a name: whether whoever asks has said that it was them."""

    seat: int
    yours: bool


class PastPosition(TypedDict):
    """How a game played stood after ``ply`` plies."""

    ply: int
    pieces: dict[str, Piece]
    lines: list[str]
    data: dict[str, Any]
    marks: list[Mark]
    places: list[Place]
    sides: list[str]  # what the pieces of each colour are called
    changed: list[str]
    over: bool  # by the rules: nobody is to move


class GameRead(TypedDict):
    """A game that was brought in: the ``order`` that begins it, and what it is."""

    order: NewGame
    words: str


class TurningPoint(TypedDict):
    """A move that lost much: chances before and after, and the sites of its way and of the better one; its sentence
    also in ``parts``, each about one thing.
    """

    ply: int
    seat: int
    before: float
    after: float
    sentence: str
    parts: list[str]
    better: list[str]
    played: list[str]
    puzzle: bool


class OwnPuzzle(TypedDict):
    """A puzzle in game ``id``: the position before move ``ply``, with which ``name`` overlooked what is to be found.

    Phones remember those that were solved by ``game`` and ``number``.
    """

    id: int
    ply: int
    game: str
    number: str
    title: str
    name: str


class Analysed(TypedDict):
    """What is known of who stood better: while it "runs", so many positions are done; "failed" has the sentence,
    and "done" may have one about how the game ended.
    """

    state: Literal["none", "waits", "runs", "failed", "done"]
    sentence: NotRequired[str]
    done: NotRequired[int]
    of: NotRequired[int]
    seats: NotRequired[list[str]]
    chances: NotRequired[list[list[float]]]  # after each ply, by seat
    turns: NotRequired[list[TurningPoint]]
    calm: NotRequired[str]  # how the game slipped away, where no turn is of who lost it


# ---- settings, notices, the house ----


class SettingTold(TypedDict):
    """A setting for a form: its value now, and the heading under which it stands. Of a secret only whether one is
    ``given``.
    """

    name: str
    kind: Literal["int", "bool", "choice", "text"]
    default: Any
    help: str
    choices: list[Any]
    low: int | None
    high: int | None
    panel: str
    value: Any
    given: NotRequired[bool]


class SettingsForm(TypedDict):
    """What can be set, and the colours of the lights by their meaning."""

    fields: list[SettingTold]
    colours: dict[str, str]


class NoticesOffered(TypedDict):
    """The key with which a browser subscribes to notices; "" with the sentence ``why`` there are none."""

    key: str
    why: str


class Subscribed(TypedDict):
    """Whether the phone is told when it is its turn."""

    kept: bool


class BoardOfHouse(TypedDict):
    """A board of the house; ``here`` is this one, ``on`` while it is connected."""

    id: str
    name: str
    address: str  # of its panel, "" where only its own machine opens it
    game: str
    phase: str
    turn: str
    told: str
    on: bool
    here: bool


class HousePage(TypedDict):
    """How the connection stands to the house, in a sentence, and its boards; this phone may forget one that is off."""

    on: bool
    connected: bool
    told: str
    boards: list[BoardOfHouse]
    forgets: bool


class ReachTold(TypedDict):
    """Whether other devices can open the panel, and whether one has since the start; while it is ``changing``, the
    service is about to start again. ``address`` is where others find it, "" where they cannot.
    """

    open: bool
    changing: bool
    seen: bool
    address: str


# ---- other boards and phones far away ----


class SeatOffered(TypedDict):
    """A seat of the game on the table; ``afar`` where people at another board hold it."""

    seat: int
    name: str
    afar: bool


class BoardLink(TypedDict):
    """A link to another board; ``text`` is the link itself, "" where it is not this board's to hand on. This board has
    ``invited`` the other one; it is ``home`` now, and where it ``hands`` can make the other one home.
    """

    room: str
    invited: bool
    home: bool
    seat: int  # that the other board plays, or this one; negative where it only looks on
    game: str
    title: str
    text: str
    state: str
    said: str
    there: bool
    turn: Literal["", "here", "there", "over"]
    game_id: int | None
    on_table: bool
    hands: bool


class FarPhone(TypedDict):
    """A link to a phone far away; ``text`` is the link itself. Without ``seats`` it looks on."""

    room: str
    seats: list[int]
    name: str
    text: str
    state: str
    said: str
    there: bool


class AfarTold(TypedDict):
    """The links to other boards and phones, and the seats to which others can be invited."""

    invites: bool
    follows: bool  # whether another board is home to this game
    seats: list[SeatOffered]
    links: list[BoardLink]
    relay: bool
    phones: list[FarPhone]
    owner: bool  # whether this phone may invite, join, and say where others are met


class WayTried(TypedDict):
    """How one part of the way to others did."""

    well: bool
    told: str


class WayToOthers(TypedDict):
    """The parts of the way to others that were tried, in their order, as far as they came."""

    tried: list[WayTried]


class LinkMade(TypedDict):
    """A link to be sent on."""

    link: str


# ---- board care ----


class SensorTold(TypedDict):
    """What a sensor did."""

    changes: int
    bounces: int
    on: bool
    shortest_ms: int | None
    mean_ms: int | None


class TouchTold(TypedDict):
    """A touch, and the how manieth it was."""

    n: int
    site: str
    on: bool


class LinkTold(TypedDict):
    """How the line to the sensor board stands."""

    up: bool
    losses: int
    snapshots: int
    touches: int
    touches_per_minute: int
    last_losses: list[str]


class FindingTold(TypedDict):
    """What is wrong, and what to do about it; both whole sentences."""

    what: str
    advice: str


class CheckTold(TypedDict):
    """A guided check: question ``number`` of ``count``, from 0, None while nobody knows how many there will be. Once it
    is no longer running it says why it ``ended`` early, and what was found.
    """

    of: Literal["sensors", "lights"]
    running: bool
    yours: bool
    number: int
    count: int | None
    asked: str | None
    pressed: bool
    told: str
    ended: NotRequired[str]
    done: NotRequired[bool]
    all: NotRequired[bool]
    findings: NotRequired[list[FindingTold]]
    learn: NotRequired[bool]


class BoardShown(TypedDict):
    """The board of the report."""

    geometry: Geometry


class KindTold(TypedDict):
    """A kind of pieces by its magnets, and how often it would be taken for each kind, as shares."""

    mean_mt: float
    spread_mt: float
    taken: list[float]


class KindsTold(TypedDict):
    """The walk that measures kinds: the cell ``asked`` for, the ``number`` of ``count`` of that ``kind``, from 0; and
    what is known, the weakest kind first.
    """

    asked: str | None
    kind: int
    number: int
    count: int
    unsaved: str
    known: list[KindTold]


class RestsTold(TypedDict):
    """Where the sensors of the empty board rest: of how many of ``count`` that is ``kept``, and how measuring went.

    ``far`` says that some cells read as if something stood there, and may be left out.
    """

    measuring: bool
    kept: int
    count: int
    told: str
    far: bool


class FieldsTold(TypedDict):
    """What linear sensors read, by site: mT with a sign, above 0 where a north pole faces down; what is wrong by it."""

    sites: dict[str, str]
    findings: list[FindingTold]
    kinds: KindsTold | None
    rests: RestsTold | None


class Care(TypedDict):
    """What each sensor did, which magnets lie badly, the line to the sensor board and the log."""

    sites: dict[str, SensorTold]
    weak: list[str]  # the worst first
    gap_ms: int | None  # the longest for which a magnet that bounced was gone
    recent: list[TouchTold]
    link: LinkTold
    flicker_ms: int
    log: list[str]
    board: BoardShown
    walk: CheckTold | None
    fields: FieldsTold | None  # of a board with linear sensors
    playing: bool
    role: Role


class Learned(TypedDict):
    """What to do with the board file that was written."""

    told: str


# ---- how the board does ----


class HealthLineTold(TypedDict):
    """One sentence, with what to do, "" where there is nothing; *told* is neither good nor bad."""

    state: Literal["well", "watch", "wrong", "told"]
    what: str
    advice: str


class HealthTold(TypedDict):
    """How the board does, in one sentence, and for an ``owner`` in many."""

    state: Literal["well", "watch", "wrong"]
    told: str
    lines: list[HealthLineTold]
    owner: bool


class BundleFileTold(TypedDict):
    """A text of the bundle."""

    name: str
    text: str


class BundleTold(TypedDict):
    """What is in a support bundle; by its ``number`` just this one is saved, as a zip archive of so many ``bytes``."""

    number: int
    bytes: int
    files: list[BundleFileTold]


# ---- backups ----


class BackupHolds(TypedDict):
    """What a backup holds: ``last`` is when its last game began, as "2026-03-01 20:15:00", in UTC, "" for none."""

    made: str  # in UTC
    board: str
    games: int
    last: str
    people: int
    variants: int


class GamesHere(TypedDict):
    """The games of this board, and when the last one began."""

    games: int
    last: str


class BackupCopy(TypedDict):
    """A copy on the board; one that is damaged ``holds`` nothing, and ``wrong`` says so."""

    name: str
    bytes: int
    kind: Literal["evening", "asked", "before"]  # before another was put back
    holds: BackupHolds | None
    wrong: str


class BackupsPage(TypedDict):
    """The copies, the newest first, what is being done now, and why the last thing failed. While it is ``changing``,
    the service is about to start again with what is put back.
    """

    copies: list[BackupCopy]
    here: GamesHere
    doing: Literal["", "evening", "make", "put-back"]
    wrong: str
    changing: bool


class BackupShown(TypedDict):
    """What would be put back, and what is here now."""

    name: str
    holds: BackupHolds
    here: GamesHere


# ---- updates ----


class UpdateEnded(TypedDict):
    """How the last update ended: to which version it was, whether that plays, and if not, why."""

    version: str
    plays: bool
    why: str


class UpdateOffered(TypedDict):
    """What was found at the address: as `UpdateShown`, and not here yet."""

    version: str
    released: str  # a date
    changes: dict[str, list[str]]
    minutes: int


class UpdatesPage(TypedDict):
    """Which ``version`` runs, and which was ``before`` it and can be gone back to, "" for none. What is being done is
    ``to`` a version, of which a ``share`` from 0 to 1 is built; it is exchanged ``when`` that was wished. Where the
    helper is not ``installed``, this board is updated in another way.
    """

    installed: bool
    version: str
    before: str
    doing: Literal["", "build", "built", "trial"]
    to: str
    share: float
    when: Literal["", "now", "quiet"]
    plays: bool  # whether a game is being played
    ended: UpdateEnded | None
    looks: bool  # whether it looks for updates at an address
    offered: UpdateOffered | None
    offer_wrong: str
    fetching: bool


class FirmwareTold(TypedDict):
    """How it stands with the sensor board's firmware, in a sentence, and whether it can be written now."""

    told: str
    can: bool
    writes: bool  # whether it is being written


class UpdateShown(TypedDict):
    """What a file would put on: what it ``changes``, in sentences by language, and how many ``minutes`` that takes."""

    name: str
    version: str
    released: str  # a date
    changes: dict[str, list[str]]
    minutes: int


# ---- network ----


class NetworkFound(TypedDict):
    """A Wi-Fi in reach, or with ``strength`` 0, in percent, one that is ``known`` from before. ``unsuitable`` is one
    that wants more than a password.
    """

    id: str
    name: str
    strength: int
    security: Literal["open", "password", "unsuitable"]
    known: bool


class NetworkTold(TypedDict):
    """How the board's network stands: ``name`` is the Wi-Fi that it is in, ``asked`` the one that it was to join last,
    ``wrong`` a sentence that says why it is not there.

    ``own`` is the board's own Wi-Fi, its ``password`` for owners alone; ``later`` is where the panel is found in the
    home's network.
    """

    radio: bool
    state: Literal["cable", "wifi", "hotspot", "joining", "none"]
    name: str
    asked: str
    wrong: str
    own: str
    password: str
    later: str
    networks: list[NetworkFound]


class BoardToWire(TypedDict):
    """A board that comes along, and the titles of the games that are played on it."""

    name: str
    title: str
    games: list[str]


class SecureTold(TypedDict):
    """Whether the panel is served by https, too, and at which ``address`` for this browser.

    The certificate is the board's own, or was ``given`` by an owner; it ``ends`` on that day. The ``fingerprint`` is
    that of the board's authority, in SHA-256. What is ``wrong`` may mend itself; a ``hindrance`` keeps it off.
    """

    on: bool
    given: bool
    address: str
    names: list[str]
    ends: str
    fingerprint: str
    authority_ends: str
    wrong: str
    hindrance: str


class WayOver(TypedDict):
    """The ``word`` with which a phone goes on by https; "" where it needs none."""

    word: str


class WiredTold(TypedDict):
    """Which ``board`` is wired: one by its name or its file, or ``screen`` where there is none yet. While it is
    ``changing``, the service is about to start again with another.
    """

    board: str
    boards: list[BoardToWire]
    changing: bool
