"""The panel's picture of the table: sentences, seats, plies, and the very colours of the lights.

A pure function of the table and of the seat that looks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from controller.rules.characters import titled
from controller.rules.game import AnyGame, Arrange, Piece, Share, View
from controller.rules.options import unusual
from controller.sentences import capital, say
from controller.table.afar.committing import chosen_words, may_claim, missing
from controller.table.afar.committing import to_move as to_choose_for
from controller.table.clock import left_us, still_us
from controller.table.matches import decided, tally
from controller.table.people.arbiter import answers_draws, claim
from controller.table.people.asking_back import waits_for
from controller.table.reading.last_ply import GO_ON_US
from controller.table.reading.questions import UNDO, answerers
from controller.table.seating import (
    by_name,
    choosing,
    news_in_words,
    opened_in_words,
    round_in_words,
    seats_in_words,
)
from controller.table.state import Play, Table
from controller.table.views.choices import listed
from controller.table.views.endings_told import lost, ranking, won
from controller.table.views.help_told import coach_line, help_view
from controller.table.views.last_turn import last_turn, own_feat, turns_before
from controller.table.views.lights import Theme, meanings
from controller.table.views.move_costs import cost_lines
from controller.table.views.plies_told import IN_SECRET
from controller.table.views.sentences_of_play import (
    advice,
    asked,
    headline,
    may_land,
    proposal,
    question,
    shown,
    todo,
    todo_of,
    waits,
)
from controller.table.views.types import (
    DARK,
    BackAskedView,
    Choice,
    LessonView,
    LessonWaits,
    MatchView,
    PanelView,
    PlyView,
    SealedView,
    SealingView,
    SeatView,
    SiteView,
)

MOST_TAPS = 40
MOST_OFFERS = 2  # that have a button each: their rings are seen on the board
replace = msgspec.structs.replace


def picture(table: Table, theme: Theme, version: int, seat: int | None = None, tidied: bool = False) -> PanelView:
    """Return what ``seat`` (None: a watcher) sees. What plies leave to do is nobody's task where it is ``tidied``."""
    play = table.play
    if play is None:
        return _idle(table, theme, version)
    as_told = _done(table, play) if tidied else table
    game, result = play.session.game, play.result
    stood = play.session.round_over if table.round_us else play.session.state  # a round that is over is seen as it was
    seen = game.look(stood, seat) if table.round_us else _seen(play, seat)
    labels = {table.board.site(bit): name for name, bit in play.game_area.bit.items()}
    stands = game.shape(stood) if table.round_us else seen.pieces
    pieces = {name: stands.get(label) for name, label in labels.items()}
    return PanelView(
        version=version,
        phase=table.phase,
        game=play.session.name,
        title=play.session.title,
        sentence=by_name(play, headline(table, play, seat)),
        advice=advice(as_told, play),
        waits=waits(as_told, seat),
        todo=todo(table, play, seat),
        proposal=proposal(table, play, seat),
        asks=_asks(table, play, seat),
        link=table.link,
        seats=_seats(table, play, stood, seat, seen),
        plies=_plies(play, seat),
        sites=_sites(table, theme, labels, pieces),
        question=question(play),
        choices=_choices(play),
        answerers=_answerers(play),
        taps=_taps(play, seat),
        lines=_lines(table, play, seen, seat),
        data=dict(seen.data),
        marks=seen.marks,
        places=seen.places,
        ring=seen.ring or UNSET,
        options=unusual(play.session.game, play.session.options),
        why=say(result.why),
        ranking=ranking(play, result),
        winner=result.winner,
        paused=play.paused,
        brightness=table.brightness,
        kinds={kind: say(name) for kind, name in game.facts.kinds.items()},
        signs={kind: game.facts.sign(kind) for kind in game.facts.kinds},
        secret=table.phase == "play" and not _may_answer(play, None) and not _chosen_afar(play, seat),
        back=_back(play),
        own_backs=() if play.outcome else tuple(play.session.own_back(n) for n in range(play.seats)),
        end_back_by=play.outcome.by if play.outcome else (),
        back_asked=back_asked_view(play),
        go_on_ms=_go_on_ms(table, play, seat),
        coach_ms=_coach_ms(table, play),
        redo=0 if play.outcome or play.paused else len(play.undone),
        captures=play.session.positions[-1].captures,
        lesson=_lesson(table, play),
        share=_share(play, seen, seat) if table.phase in ("play", "fix") and not _led(play) else None,
        begins=game.facts.begins,
        arrange=_arrange(table, play, seen, seat),
        match=match_view(play),
        claim=claim(play) if table.phase in ("play", "fix") else "",
        no_draws=not answers_draws(play) or UNSET,
        unrevealed=may_claim(play) or UNSET,
        seating=seats_in_words(table)
        or round_in_words(play)
        or opened_in_words(play)
        or news_in_words(play, seat)
        or own_feat(table, play, seat),
        board=table.board.name,
        help=help_view(table, play, seat),
        sealing=_sealing(play, seat),
        last=last_turn(play, seat),
        before=turns_before(play, seat),
        stage=game.look(play.session.positions[-2].state, seat).stage if table.round_us else seen.stage,
    )


def _seen(play: Play, seat: int | None) -> View:
    """Return what ``seat`` may know: of a turn within which the game was ended, nothing is left."""
    game, state = play.session.game, play.session.state
    seen = game.look(state, seat)
    return replace(seen, lines=(), holds=()) if play.result.over and not game.result(state).over else seen


def _done(table: Table, play: Play) -> Table:
    """Return the table as it is once a board on the screen has done by itself what the last plies left to do.

    It also exchanges a taken piece for its taker: what is missing of others than the player to move is in its own hand.
    """
    game, state, settled = play.session.game, play.session.state, play.settled
    mover, todo = game.seat(state), settled.pending_chores
    own = None if mover is None else game.colour_of(state, mover)
    for name in play.game_area.names(settled.position.standing & ~table.now & ~todo):
        if settled.position.shape[name].seat not in (None, own):
            todo |= play.game_area.bit[name]
    return replace(table, now=table.now & ~todo | settled.position.standing & todo)


def _asks(table: Table, play: Play, seat: int | None) -> str:
    """Return the sentence for whoever it is about; "" where it is whose move it is, or what another one sets up in
    secret: what is left to do says what is done.
    """
    hidden = not _may_answer(play, seat) and not play.session.game.shared(play.session.state)
    todo = asked(play) if table.phase in ("play", "fix") and not (play.session.secret and hidden) else ""
    if todo:
        return todo_of(todo)
    return (lost(play, seat) if seat is not None else "") or won(play)


def _lines(table: Table, play: Play, seen: View, seat: int | None) -> tuple[str, ...]:
    own = chosen_words(play, seat), _aim(play)
    told = (by_name(play, line) for line in seen.lines)
    return tuple(filter(None, (*own, *told, *cost_lines(table), coach_line(table, play))))


def _go_on_ms(table: Table, play: Play, seat: int | None) -> int:
    if not play.session.thinking or play.clock or not may_land(table, play, seat):
        return 0
    return max(1, min(GO_ON_US, play.settled.since_us + GO_ON_US - table.t_us) // 1000)


def _coach_ms(table: Table, play: Play) -> int:
    waits = play.session.opponents.level(play.session.mover)
    if not waits or play.help is None or play.help.about != "coach":
        return 0
    return max(1, (play.help.until_us - table.t_us) // 1000)


def _aim(play: Play) -> str:
    """Return how one wins, until everybody has made a ply or the game is over; then "", as in a lesson, which tells it,
    and in a puzzle, whose task is all that matters.
    """
    session = play.session
    moved = {position.seat for position in session.positions[1:]}
    if session.lesson or play.result.over or session.game.aim is None or len(moved) >= play.seats:
        return ""
    return session.game.aim(session.state)


def _waiting(table: Table) -> LessonWaits | UnsetType:
    play = table.waiting
    if play is None:
        return UNSET
    told = shown(table, play)
    return LessonWaits(play.session.name, play.session.title, told.step, told.steps)


def _idle(table: Table, theme: Theme, version: int) -> PanelView:
    return PanelView(
        version=version,
        phase="idle",
        game="",
        title="",
        sentence=say("No game is on."),  # a lesson that waits is offered to whose it is
        advice=say("Choose a game."),
        waits=waits(table),
        link=table.link,
        seats=(),
        plies=(),
        sites=_sites(table, theme, {}, {}),
        brightness=table.brightness,
        board=table.board.name,
        waiting=_waiting(table),
    )


def _sites(
    table: Table, theme: Theme, labels: Mapping[str, str], pieces: Mapping[str, Piece | None]
) -> dict[str, SiteView]:
    shape = table.play.settled.position.shape if table.play else {}
    hidden = {site for site, piece in pieces.items() if piece and labels[site] not in shape}
    lit = meanings(table)
    found = {}
    occupied = frozenset(table.board.where(table.now))
    for site in table.board.sites:
        meaning = lit.get(site)
        look = theme[meaning] if meaning else None
        found[site] = SiteView(
            label=UNSET if labels.get(site) == site else labels.get(site, ""),
            on=site in occupied,
            piece=pieces.get(site),
            light="#{:02x}{:02x}{:02x}".format(*look.colour) if look else DARK,
            meaning=meaning or "",
            blink=bool(look and look.blink),
            secret=site in hidden,
        )
    return found


def _share(play: Play, seen: View, seat: int | None) -> Share | None:
    """Return how units are shared out now; where all do so at once, every seat that has not may.

    Who does so in turn reads what to do in what the board waits for.
    """
    if seen.share is None:
        return None
    if not play.session.bound:
        return seen.share if seen.share.ahead else replace(seen.share, sentence="")
    return replace(seen.share, ahead=False) if seat is None or seat in missing(play) else None


def _arrange(table: Table, play: Play, seen: View, seat: int | None) -> Arrange | None:
    if table.phase not in ("play", "fix") or play.session.lesson:
        return None
    return None if play.session.bound and seat not in missing(play) else seen.arrange


def _sealing(play: Play, seat: int | None) -> SealingView | None:
    """Return what the page of ``seat`` needs to seal its choices itself, and to hold others to theirs."""
    session = play.session
    if seat not in session.afar.phones or session.game.secret is None:
        return None
    promises, seats = session.promises, session.choosers if session.bound else ()
    found = (each.public for each in (promises.pending if session.bound else promises.last))
    sealed = tuple(SealedView(each.seat, each.made, each.commit, each.nonce, each.plies) for each in found)
    return SealingView(seat, str(session.seed), len(session.positions) - 1, tuple(seats), sealed)


def _seats(table: Table, play: Play, stood: Any, seat: int | None, seen: View) -> tuple[SeatView, ...]:
    """Return the seats as they stand, with the colours that they have where the game ``stood`` so."""
    game, state, result = play.session.game, play.session.state, play.result
    scores = seen.scores or result.scores or game.look(state, seat).scores
    to_move = None if result.over else game.seat(state)
    if play.session.bound:
        to_move = to_choose_for(play, seat)
    left = left_us(play.clock, table.t_us) if play.clock else ()
    still = still_us(play.clock, table.t_us) if play.clock else 0
    hints, chooses = dict(table.hints), choosing(table, play)
    return tuple(
        SeatView(
            say(name),
            n == to_move,
            scores[n] if scores else None,
            left[n] // 1000 if left else UNSET,
            play.clock is not None and play.clock.running == n,
            n in play.offers,
            hints.get(n, "legal"),
            play.session.opponents.level(n),
            titled(play.session.opponents.character(n)) or UNSET,
            n in play.session.afar.seats,
            not result.over and n not in play.in_play,
            game.colour_of(stood, n),
            game.side(stood, n) if game.colour else UNSET,
            seen.holds[n] if seen.holds else (),
            -360 * n // play.seats % 360 if game.facts.around else UNSET,
            still // 1000 if still and play.clock and play.clock.running == n else UNSET,
            n in chooses or UNSET,
        )
        for n, name in enumerate(game.facts.seats[: play.seats])
    )


def _plies(play: Play, seat: int | None) -> tuple[PlyView, ...]:
    session = play.session
    found = []
    for number, (before, after) in enumerate(pairwise(session.positions), 1):
        mover = after.seat or 0
        text = session.read_by(seat, number)
        words = IN_SECRET if text != after.text else _listed_words(session.game, before.state, text)
        found.append(PlyView(mover, text, session.game.colour_of(before.state, mover), words))
    return tuple(found)


def _listed_words(game: AnyGame, state: Any, text: str) -> str:
    """Return the ply ``text`` in words; "" where a piece goes from cell to cell, which ``c3-c4`` says shortest."""
    ply = game.read(state, text)
    if len(game.walk(state, ply).path) > 1 and not (game.made and game.made(state, ply)):
        return ""
    return capital(game.words(state, ply))


def _back(play: Play) -> int | None:
    """Return to how many plies the next take-back leads: first the end that the players made is taken back."""
    made = len(play.session.positions) - 1
    if play.outcome:
        return made
    to = play.session.own_last
    return to if made and to >= play.session.floor else None


def _lesson(table: Table, play: Play) -> LessonView | None:
    return shown(table, play) if play.session.lesson else None


def _choices(play: Play) -> tuple[Choice, ...]:
    """Return the plies that are asked for; each names the free site that chooses it on the board."""
    site = {text: name for bit, text in play.choices for name in play.game_area.names(bit)}
    # A hand that went on with the last ply did so from the position before it.
    state = play.session.positions[-2 if play.verdict.again else -1].state
    found = list(listed(play.session.game, state, [f.text for f in play.verdict.asked]))
    if play.verdict.undo is not None:
        found.append(Choice(UNDO, say("take back the last move")))
    return tuple(
        replace(c, words=say("{ply} ({cell})", ply=c.words, cell=site[c.ply])) if c.ply in site else c for c in found
    )


def _answerers(play: Play) -> tuple[int | None, ...]:
    """Return the seat that gives each of the `_choices`."""
    seats = answerers(play)
    return tuple(seats.get(choice.ply) for choice in _choices(play))


def _taps(play: Play, seat: int | None) -> tuple[Choice, ...]:
    """Return the plies without a site that only the phone can make, and before them the few that set something where
    that is offered; those of secret phases for their seat alone. In a pause none is: it would be over without a word.

    Where units are shared out, there is a form for that.
    """
    game, state = play.session.game, play.session.state
    look, footprints = game.look(state, seat), play.settled.position.footprints
    if look.share and not _led(play):
        return ()
    texts = [f.text for f in footprints if f.silent and not f.at]
    if play.result.over or play.paused or len(texts) > MOST_TAPS or not _may_answer(play, seat):
        return ()
    sites = sum(play.game_area.at(mark.at[0]) for mark in look.marks if mark.shape == "offer")
    offers = [f.text for f in footprints if f.landing & sites and not f.origin] if sites else []
    return listed(game, state, [*texts, *(offers if len(offers) <= MOST_OFFERS and not _led(play) else ())])


def _led(play: Play) -> bool:
    """Whether nobody chooses what is played now: a lesson does, or the board for its seat."""
    return bool(play.session.expected) or play.session.thinking or play.session.elsewhere


def _may_answer(play: Play, seat: int | None) -> bool:
    """Whether the phone of ``seat`` may see what can be played now; a watcher's, where it is nobody's secret."""
    game, state = play.session.game, play.session.state
    if play.session.expected:  # one phone is enough for a lesson, which has no secrets
        return True
    if play.session.bound:
        return seat in missing(play)
    if seat is not None:
        return seat == game.seat(state)
    return not play.session.secret


def _chosen_afar(play: Play, seat: int | None) -> bool:
    """Whether all are awaited at another board who are still to choose in secret."""
    session = play.session
    return session.bound and to_choose_for(play, seat) in (None, *session.afar.away)


def plies_at(table: Table, site: str, seat: int | None) -> tuple[Choice, ...]:
    """Return the plies that begin, end at or name a site of the board, for the phone of ``seat``; last those that bring
    something there from elsewhere.

    With "" as the site, those without a site that only the phone can make.
    """
    play = table.play
    if play is None or play.setting_up or not _may_answer(play, seat):
        return ()
    if not site:
        return _taps(play, seat)
    if site not in table.board.sites:
        return ()
    bits = play.game_area.both(table.board.bit(site))
    names = set(play.game_area.names(bits))
    game, state = play.session.game, play.session.state
    found = []
    for footprint in play.settled.position.footprints:
        walk = game.walk(state, game.read(state, footprint.text))
        if names & {*walk.path[:1], *walk.path[-1:], *walk.concerns, walk.at}:
            found.append(footprint.text)
    return tuple(sorted(listed(game, state, found), key=lambda choice: _comes_to(names, choice)))


def _comes_to(names: Collection[str], choice: Choice) -> bool:
    return any(site not in names for site in (choice.dial.between[:1] if choice.dial else ()))


def match_view(play: Play) -> MatchView | None:
    """Return the match for the panel, None where the game is none of a match."""
    if play.match is None:
        return None
    return MatchView(play.match.to, play.match.games + 1, tally(play), decided(play))


def back_asked_view(play: Play) -> BackAskedView | None:
    """Return the question for the panel, None where nobody asks."""
    asked = play.back_asked
    return BackAskedView(asked.to, asked.by, waits_for(play)) if asked else None
