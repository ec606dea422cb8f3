"""Orders: what a person asks for on the panel or in a recording, and what the service asks for in its own name."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from controller.commitments import Committed, Hex
from controller.game_setup import (
    BEST_LEVEL,
    PEOPLE,
    Afar,
    ClockRule,
    Lesson,
    Levels,
    Match,
    Microseconds,
    Opponents,
    PersonId,
    PlyText,
    Reseat,
    Seat,
    Seats,
    VariantTitle,
)
from controller.givers import (
    ANSWER,
    AT_THE_BOARD,
    BY_PLAYERS,
    BY_THE_ENGINE,
    BY_THE_LINK,
    FROM_ANYWHERE,
    NOBODY,
    ON_ANY_PHONE,
    SEALED,
    Giver,
    Rights,
)


class Order(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """What a person asked for on the panel or in a recording; written with its name under ``do``."""

    rights: ClassVar[Rights] = NOBODY


class SeatOrder(Order, frozen=True):
    """What one seat asks for; only who may play that seat gives it."""

    seat: Seat


class Beginning(Order, frozen=True, kw_only=True):
    """What puts another game on the table, ``over`` the one with that number, 0 for none: it is refused where another
    one is there by then, about which nobody was asked. None where nobody looked.
    """

    over: Annotated[int, Meta(ge=-(1 << 53), lt=1 << 53)] | None = None


GameName = Annotated[str, Meta(max_length=60)]
Count = Annotated[int, Meta(ge=0)]


Sitter = Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{1,16}(/([0-9]{1,2})?)?)?$")]
"""Who is to have a seat: the person of the phone with that id; behind it "/" and a seat, who plays that one beside them
now; "/" alone, somebody else with that phone. "" is nobody, so that anybody may take it.
"""


class NewGame(Beginning, frozen=True, tag="new_game", omit_defaults=True):
    """Start a new game, with ``plies`` already played, or a lesson; the old one stays in the journal.

    ``seats`` is for who knows the phones: what becomes of the seats that they hold. Where ``people`` are named, these
    sit there, and draw lots where ``seats`` says so. With a ``match`` it is one game of several.

    The ``variant`` is what people call these ``options``, which are all that counts.
    """

    rights = AT_THE_BOARD
    game: GameName
    options: dict[str, Any] = {}
    seed: Annotated[int, Meta(ge=0, lt=1 << 53)] | None = None
    clock: ClockRule | None = None
    lesson: Lesson | None = None
    plies: Annotated[tuple[PlyText, ...], Meta(max_length=20_000)] = ()
    seats: Reseat = "keep"
    people: Annotated[tuple[Sitter, ...], Meta(max_length=16)] = ()
    opponents: Opponents = PEOPLE
    match: Match | None = None
    variant: VariantTitle = ""


class PlayAgain(Beginning, frozen=True, tag="play_again"):
    """Start the game on the board again, with its options and its clock; ``seats`` and ``people`` as in `NewGame`.

    What becomes of the seats becomes of those that the board plays, too. In a match it is the next game of it, or of a
    new one where that is decided. ``options`` are those that are other than before; so is the ``level`` of the board,
    in all seats that it plays.
    """

    rights = AT_THE_BOARD
    seats: Reseat = "keep"
    people: Annotated[tuple[Sitter, ...], Meta(max_length=16)] = ()
    options: dict[str, Any] = {}
    level: Annotated[int, Meta(ge=1, le=BEST_LEVEL)] | None = None


class WhoPlays(Order, frozen=True, tag="who_plays"):
    """From now on the board plays the seats at these ``levels``, and people those of level 0; the game goes on.

    With "turn" one person and the board change sides: the phone in the seat that is now the board's moves to the other.
    """

    rights = Rights(Giver.PERSON, between_boards=False, players=True)
    levels: Levels = ()
    seats: Literal["keep", "turn"] = "keep"


class StartLesson(Beginning, frozen=True, tag="start_lesson"):
    """Start the lesson of a game for ``learner``; the service knows them and makes a `NewGame` of it."""

    rights = AT_THE_BOARD
    game: GameName
    learner: PersonId = ""


class StartPuzzle(Beginning, frozen=True, tag="start_puzzle"):
    """Set up a puzzle of a game for ``learner``; the service knows them and makes a `NewGame` of it."""

    rights = AT_THE_BOARD
    game: GameName
    puzzle: Annotated[str, Meta(max_length=16)]
    learner: PersonId = ""


class NextStep(Order, frozen=True, tag="next_step"):
    """Go on after a step of a lesson that is only read; in a puzzle, be shown the ply, or where it begins (``hint``).

    The panel fills in the ``learner``: one who said a name after the lesson had begun has done it, too.
    """

    rights = AT_THE_BOARD
    learner: PersonId = ""
    hint: bool = False


PhoneId = Annotated[str, Meta(max_length=16)]
Nonce = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]


class PlayPly(Order, frozen=True, tag="ply"):
    """Make a ply from the panel; the pieces are moved afterwards, led by the lights.

    Which ``phone`` has made it the panel fills in where it is secret, the service a ``nonce`` of 32 bytes where a seat
    is bound to it before others see it.
    """

    rights = FROM_ANYWHERE
    text: PlyText
    seat: int | None = None
    phone: PhoneId = ""
    nonce: Nonce = ""


class BoardPlays(Order, frozen=True, tag="board_plays"):
    """The board has decided the ply of its seat after ``made`` plies: hands make it, led by the lights."""

    rights = BY_THE_ENGINE
    text: PlyText
    made: Count
    nonce: Nonce = ""  # as in `PlayPly`


class PlayPlies(Order, frozen=True, tag="plies"):
    """Make several plies of one seat, all or none; else as `PlayPly`."""

    rights = Rights(Giver.PERSON | Giver.FAR_PHONE, between_boards=False)
    texts: Annotated[tuple[PlyText, ...], Meta(min_length=1, max_length=100)]
    seat: int | None = None
    phone: PhoneId = ""
    nonce: Nonce = ""


class TakeBack(Order, frozen=True, tag="take_back"):
    """Go back to the position after ``to`` plies. None: to the last decision of a person, or one ply back.

    After all plies, the end that the players made is taken back, which comes before any ply.

    ``made`` is how many plies the sender sees: if the number has changed by now, nothing is taken back.
    ``by`` are the seats for which the phone may act, None all of them; the panel fills it in, and whether it ``asks``
    the others first.
    """

    rights = Rights(FROM_ANYWHERE.givers, players=True)
    to: Count | None = None
    made: Count | None = None
    by: Seats | None = None
    asks: bool = False


class Redo(Order, frozen=True, tag="redo"):
    """Make again all plies that were just taken back; ``made`` is how many the sender sees on the board."""

    rights = Rights(Giver.PERSON, between_boards=False, players=True)
    made: Count | None = None


class SetBrightness(Order, frozen=True, tag="brightness"):
    """Set the lights' brightness in percent."""

    rights = AT_THE_BOARD
    percent: Annotated[int, Meta(ge=0, le=100)]


class Resume(Beginning, frozen=True, tag="resume"):
    """Go on with a game of the journal: its options, seed and plies."""

    rights = AT_THE_BOARD
    game_id: Annotated[int, Meta(ge=1, lt=1 << 53)]


class Resign(SeatOrder, frozen=True, tag="resign"):
    """Give up: with two seats the other one wins."""

    rights = ANSWER


class OfferDraw(SeatOrder, frozen=True, tag="offer_draw", omit_defaults=True):
    """Offer a draw, or agree to one: it is a draw when every seat has. The next ply withdraws it.

    ``by`` are all seats of the phone that the same person plays: one word counts for each; the panel fills it in.
    """

    rights = ANSWER
    by: Seats = ()


class RefuseDraw(SeatOrder, frozen=True, tag="refuse_draw"):
    """Say no to a draw that was offered."""

    rights = ANSWER


class AgreeBack(SeatOrder, frozen=True, tag="agree_back", omit_defaults=True):
    """Agree to the take-back that was asked for, which goes back ``to`` so many plies.

    ``by`` are all seats of the phone, whose one word counts for each; the panel fills it in.
    """

    rights = ANSWER
    to: Count
    by: Seats = ()


class RefuseBack(SeatOrder, frozen=True, tag="refuse_back"):
    """Say no to the take-back that was asked for, or ask for it no longer."""

    rights = ANSWER


class ClaimDraw(SeatOrder, frozen=True, tag="claim_draw"):
    """Claim a draw that the rules grant to whoever claims it: for the seat to move."""

    rights = ANSWER


class Pause(Order, frozen=True, tag="pause"):
    """Stop the clocks, or let them go on."""

    rights = BY_PLAYERS
    on: bool


class LeaveLesson(Order, frozen=True, tag="leave_lesson"):
    """Leave the lesson on the table, which is free then while the lesson waits, or go on with the one that waits.

    A puzzle is left for good.
    """

    rights = AT_THE_BOARD
    on: bool


class SetHints(SeatOrder, frozen=True, tag="hints"):
    """Choose what the lights show a seat: nothing, where a lifted piece may go, what else can move, or is in danger."""

    rights = ON_ANY_PHONE
    level: Literal["none", "legal", "movable", "threatened"]


class AskHelp(SeatOrder, frozen=True, tag="ask_help"):
    """Ask the board for help with the ply of ``seat``: what to play, where each time more is told, or what the others
    would do if that seat passed. "nothing" puts out whatever is shown.

    ``made`` is how many plies the sender sees: if the number has changed by now, nothing is shown.
    """

    rights = ON_ANY_PHONE
    about: Literal["move", "threat", "nothing"] = "move"
    made: Count | None = None


class LetCoach(Order, frozen=True, tag="coach"):
    """Let the coach speak from now on in the game that is on, or be silent."""

    rights = BY_PLAYERS
    on: bool


class Hint(Order, frozen=True, tag="hint"):
    """What the board has found for whoever asked after ``made`` plies: a ply, "" where it could not find any."""

    rights = BY_THE_ENGINE
    text: PlyText
    about: Literal["move", "threat"]
    made: Count


class Coached(Order, frozen=True, tag="coached"):
    """The last of ``made`` plies has lost much: it let a forced win go, or it allows one.

    Or it leaves its seat with ``now`` of a ``feature`` that the game's advice names, of which it ``could`` have had so
    many. With "theirs", others have them. ``answer`` is the ply to fear.
    """

    rights = BY_THE_ENGINE
    made: Annotated[int, Meta(ge=1)]
    end: Literal["", "won", "lost"] = ""
    feature: Annotated[str, Meta(max_length=100)] = ""
    now: int = 0
    could: int = 0
    theirs: bool = False
    answer: PlyText = ""


class Commit(SeatOrder, frozen=True, tag="commit"):
    """Bind ``seat``, held at another board, to plies that it has chosen in secret there: see `Committed`.

    This order and `Reveal` are the word of that board's service, or of the page of a phone far away; which ``phone``
    that is the panel fills in.
    """

    rights = SEALED
    made: Annotated[int, Meta(ge=0, lt=1 << 31)]
    commit: Hex
    phone: PhoneId = ""


class Reveal(SeatOrder, frozen=True, tag="reveal"):
    """Show what ``seat`` was bound to, now that all are."""

    rights = SEALED
    nonce: Hex
    plies: Annotated[tuple[PlyText, ...], Meta(max_length=200)]


class ClaimUnrevealed(SeatOrder, frozen=True, tag="claim_unrevealed"):
    """Let those give up who have not shown in time what they were bound to. ``seat`` claims it, which has."""

    rights = AT_THE_BOARD


Wish = PlayPly | TakeBack | Resign | OfferDraw | RefuseDraw | AgreeBack | RefuseBack | ClaimDraw | Commit | Reveal
"""What a far board may ask home for."""


class HoldAfar(Order, frozen=True, tag="hold_afar"):
    """From now on people at another board hold seats of the game on the table, or no longer."""

    rights = BY_THE_LINK
    afar: Afar


class FromAfar(Order, frozen=True, tag="from_afar"):
    """Carry out what a seat that is held at another board asks for. ``left_us`` is what its clock showed there when the
    hand had made the ply, None where there is none.
    """

    rights = BY_THE_LINK
    what: Wish
    left_us: Microseconds | None = None


Score = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 31)]


class HomeEnded(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the players ended a game; one that is not ``over`` says that they did not."""

    over: bool = False
    winner: Seat | None = None
    why: Annotated[str, Meta(max_length=40)] = ""
    scores: Annotated[tuple[Score, ...], Meta(max_length=16)] | None = None
    by: Seats = ()


class HomeBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seats ``by`` ask to go back to ``to`` plies; those have ``agreed``."""

    to: Count
    by: Seats
    agreed: Seats


class HomeNow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What of a game waits for an answer: draws that are offered, and a take-back that is asked for."""

    offers: Seats = ()
    back: HomeBack | None = None


class HomeClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clocks: ``left_us[seat]`` was left when ``running`` began to think, ``ran_us`` ago; nobody thinks where that is
    None.
    """

    left_us: Annotated[tuple[Microseconds, ...], Meta(max_length=16)]
    running: Seat | None = None
    ran_us: Microseconds = 0


class FollowHome(Order, frozen=True, tag="follow_home"):
    """Let the game be as it is at home: after ``at`` plies, which are the same, come ``plies``.

    Seats have ``committed`` themselves in secret, and the first ``settled`` of that is over. ``clock`` is how the
    clocks stand there now, None where there are none, or nothing new is known of them.
    """

    rights = BY_THE_LINK
    at: Count
    plies: Annotated[tuple[PlyText, ...], Meta(max_length=20_000)] = ()
    ended: HomeEnded = HomeEnded()
    now: HomeNow = HomeNow()
    committed: Annotated[tuple[Committed, ...], Meta(max_length=200)] = ()
    settled: Count = 0
    clock: HomeClock | None = None


class NotTaken(Order, frozen=True, tag="not_taken"):
    """Home does not carry out what was asked of it; ``why`` is one sentence."""

    rights = BY_THE_LINK
    why: Annotated[str, Meta(max_length=500)]


AnyOrder = (
    NewGame
    | PlayAgain
    | WhoPlays
    | PlayPly
    | BoardPlays
    | PlayPlies
    | TakeBack
    | Redo
    | SetBrightness
    | Resume
    | Resign
    | OfferDraw
    | RefuseDraw
    | AgreeBack
    | RefuseBack
    | ClaimDraw
    | ClaimUnrevealed
    | Commit
    | Reveal
    | Pause
    | LeaveLesson
    | SetHints
    | AskHelp
    | LetCoach
    | Hint
    | Coached
    | StartLesson
    | StartPuzzle
    | NextStep
    | HoldAfar
    | FromAfar
    | FollowHome
    | NotTaken
)
