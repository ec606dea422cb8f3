"""Games that break one promise each: the check that holds a game to it says which one, and of the sound game nothing.

The games are ours, with one function that tells something else. Whoever writes a game reads these sentences.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from controller.rules.conformance import CHECKS, OF_THE_GAME, Broken, Sample, play_at_random, variants
from controller.rules.conformance.damage import damaged_states_are_harmless, no_state_is_refused
from controller.rules.conformance.facts import check_facts
from controller.rules.conformance.play import (
    passing_changes_only_the_turn,
    play_leaves_the_position,
    plies_are_unique_and_read_back,
    random_play_ends,
    shapes_keep_to_the_facts,
    shares_are_the_legal_plies,
    states_are_taken_over,
    states_survive_encoding,
    walks_tell_what_the_hand_does,
    what_cannot_move_has_a_reason,
)
from controller.rules.conformance.quick import PLIES, broken_promise
from controller.rules.conformance.refusals import wrong_plies_are_refused
from controller.rules.conformance.samples import SAMPLES, is_site
from controller.rules.conformance.secret_play import (
    secret_plies_are_read_by_their_seat_alone,
    secrets_show_in_nothing,
    what_is_imagined_fits_what_is_seen,
)
from controller.rules.game import AnyGame, Game, Illegal, Mark, Piece, Result, View, Walk
from controller.rules.mesh import squares
from controller.rules.places import Place
from controller.rules.registry import game_named
from controller.rules.shells import Cost, ShellView

TIDES = game_named("tides-of-war")
BEACONS = game_named("beacons")
replace = msgspec.structs.replace


@cache
def played(name: str) -> Sample:
    return play_at_random(game_named(name), {"players": 2} if name == "beacons" else {}, 1)


def with_(game: AnyGame, **functions: Any) -> AnyGame:
    return dataclasses.replace(game, **functions)


def facts(**changed: Any) -> AnyGame:
    return with_(TIDES, facts=replace(TIDES.facts, **changed))


class Overruled(Game[Any, Any, Any]):
    """A game that replaces what is the same for all games."""


def overruled(**methods: Callable[..., Any]) -> AnyGame:
    kind: Callable[..., AnyGame] = type("Overruling", (Overruled,), methods)
    return kind(**{field.name: getattr(TIDES, field.name) for field in dataclasses.fields(TIDES)})


def breaks(check: Callable[[Sample], None], game: AnyGame, promise: str, **sample: Any) -> None:
    """Hold ``game`` to a promise that it breaks in a sample that the sound game has played."""
    name = "beacons" if game.facts.name == "beacons" else "tides-of-war"
    check(played(name)._replace(**({} if "last" in sample else sample)))
    with pytest.raises(Broken, match=promise):
        check(played(name)._replace(game=game, **sample))


# ---- how play ends ----------------------------------------------------------------------------------------


def of_the_end(**changed: Any) -> AnyGame:
    return with_(TIDES, result=lambda s: replace(TIDES.result(s), **changed) if s.why else Result())


def at_the_end(**answers: Any) -> AnyGame:
    return with_(TIDES, **{
        name: (lambda s, name=name, answer=answer: answer if s.why else getattr(TIDES, name)(s))
        for name, answer in answers.items()
    })  # fmt: skip


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (with_(TIDES, result=lambda s: Result()), "play at random ends within"),
        (of_the_end(why="boredom"), "every ending is among those of its facts .*: 'boredom'"),
        (facts(endings=("boredom",)), r"every ending is among those of its facts \(boredom\)"),
        (of_the_end(winner=2), "seat 2 has won, and there is none"),
        (of_the_end(winner=-1), "seat -1 has won, and there is none"),
        (at_the_end(seat=0), "nobody is to move when it is over"),
        (at_the_end(moves=TIDES.moves(TIDES.start(TIDES.options(), 0))), "nobody is to move when it is over"),
        (overruled(play=lambda self, s, ply: s), "no ply is played after the end"),
    ],
)
def test_a_game_that_does_not_end_as_it_says_is_told(game: AnyGame, promise: str) -> None:
    breaks(random_play_ends, game, promise)


def test_a_ply_after_the_end_is_to_be_refused_as_one() -> None:
    def play(self: AnyGame, state: Any, ply: Any) -> Any:
        raise Illegal("stones do not like this")

    breaks(random_play_ends, overruled(play=play), "a ply after the end is refused as one")


def test_a_game_may_be_as_long_as_it_says_and_not_a_ply_longer() -> None:
    plies = played("tides-of-war").plies
    random_play_ends(played("tides-of-war")._replace(game=facts(longest=plies)))
    breaks(random_play_ends, facts(longest=plies - 1), f"a game has a ply, and at most {plies - 1}")
    breaks(random_play_ends, with_(TIDES), "a game has a ply", plies=0, last=played("tides-of-war").last)


def test_a_draw_is_won_by_nobody_and_no_broken_promise() -> None:
    random_play_ends(played("tides-of-war")._replace(game=of_the_end(winner=None)))


# ---- plies and their texts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("functions", "promise"),
    [
        ({"moves": lambda s: [*TIDES.moves(s), TIDES.moves(s)[0]]}, "legal plies are unique: .* is there twice"),
        ({"text": lambda s, ply: "c3-c4"}, "legal plies are unique: c3-c4 is there twice"),
        ({"moves": lambda s: []}, "plies are hashable values and unique"),
        ({"read": lambda s, text: TIDES.read(s, "c3-c4")}, "the text of a ply is read back as that ply"),
        ({"read": lambda s, text: TIDES.read(s, "?")}, "the text of a ply is read back as that ply"),
        ({"result": lambda s: Result(over=True)}, "a game that has plies is not over"),
        ({"result": lambda s: Result(winner=0)}, "nobody has won before the end"),
        ({"result": lambda s: Result(why="conquest")}, "nobody has won before the end"),
        ({"seat": lambda s: 2}, "seat 2 is to move, and there is none"),
        ({"seat": lambda s: None}, "seat None is to move, and there is none"),
    ],
)
def test_plies_that_cannot_be_told_apart_or_belong_to_nobody_are_told(functions: Any, promise: str) -> None:
    breaks(plies_are_unique_and_read_back, with_(TIDES, **functions), promise)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("functions", "promise"),
    [
        ({"why_not": lambda s, ply: "no"}, "is refused with a sentence"),
        ({"why_not": lambda s, ply: "this ply is not legal here"}, "is refused with the rule that forbids it"),
        ({"legal": lambda s, ply: True, "after": lambda s, ply: s}, "which is not among the legal plies, is refused"),
        ({"read": lambda s, text: TIDES.moves(s)[0]}, "there are plies that are not legal"),
    ],
)
def test_a_wrong_ply_that_is_taken_or_refused_without_a_reason_is_told(functions: Any, promise: str) -> None:
    breaks(wrong_plies_are_refused, with_(TIDES, **functions), promise)


def test_a_game_of_a_few_plies_is_held_to_it_too() -> None:
    wrong_plies_are_refused(played("tides-of-war")._replace(positions=[(START, FIRST)]))


def test_the_shortest_reason_is_a_sentence_of_eleven_letters() -> None:
    sample = played("tides-of-war")
    wrong_plies_are_refused(sample._replace(game=with_(TIDES, why_not=lambda s, ply: "no, never!!")))
    breaks(wrong_plies_are_refused, with_(TIDES, why_not=lambda s, ply: "no, never!"), "refused with a sentence")


# ---- states -----------------------------------------------------------------------------------------------


class Loose(msgspec.Struct):
    """A state that anybody can change."""

    stones: int = 0


def test_a_state_that_can_be_changed_is_told() -> None:
    breaks(states_survive_encoding, TIDES, "states are frozen", positions=[], last=Loose())


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (
            overruled(decode=lambda self, data: TIDES.start(TIDES.options(), 0)),
            "the same after it was written and read",
        ),
        (overruled(decode=lambda self, data: TIDES.decode(data) if b"no" not in data else None), "what is no state"),
    ],
)
def test_a_state_that_is_another_one_when_it_is_read_is_told(game: AnyGame, promise: str) -> None:
    breaks(states_survive_encoding, game, promise)


def fickle(first: Any, then: Any) -> Callable[..., Any]:
    """Return a function that answers ``then`` from the second time on that it is asked the same."""
    asked: set[Any] = set()

    def answer(*given: Any) -> Any:
        again = given in asked
        asked.add(given)
        return (then if again else first)(*given)

    return answer


@pytest.mark.parametrize(
    ("functions", "promise"),
    [
        ({"moves": fickle(TIDES.moves, lambda s: TIDES.moves(s)[1:])}, "and has the same plies then"),
        ({"result": fickle(TIDES.result, lambda s: Result(scores=(1, 2)))}, "and the same result"),
    ],
)
def test_a_state_that_plays_otherwise_once_it_was_read_is_told(functions: Any, promise: str) -> None:
    breaks(states_survive_encoding, with_(TIDES, **functions), promise)


def test_a_game_that_does_not_know_its_own_states_is_told() -> None:
    refused = (
        r"each state of a game is sound: refused is one of its own \(no game with these options can reach it\): \{"
    )
    breaks(states_are_taken_over, with_(TIDES, sound=lambda s, options: False), refused)
    breaks(states_are_taken_over, with_(TIDES, sound=lambda s, options: not s.why), refused)


@pytest.mark.parametrize(
    ("functions", "promise"),
    [
        ({"after": lambda s, ply: s}, "a ply changes the state: .* does not"),
        ({"after": fickle(TIDES.after, lambda s, ply: s)}, "a ply leads to the same state each time"),
        ({"legal": lambda s, ply: False}, "a ply leads to the same state each time"),
        ({"read": lambda s, text: TIDES.moves(s)[text[0] == " "]}, "a ply leads to the same state each time"),
    ],
)
def test_a_ply_that_leads_nowhere_or_each_time_elsewhere_is_told(functions: Any, promise: str) -> None:
    breaks(play_leaves_the_position, with_(TIDES, **functions), promise)


def test_a_ply_that_changes_the_state_before_it_is_told() -> None:
    once: list[Any] = []

    def after(state: Any, ply: Any) -> Any:
        found = TIDES.after(state, ply)
        once.append(found)
        if len(once) == 3:  # the last time that it is asked at this position
            msgspec.structs.force_setattr(state, "seen", (*state.seen, 1))
        return found

    start = TIDES.start(TIDES.options(), 0)
    sample = played("tides-of-war")
    with pytest.raises(Broken, match="the state before a ply stays: c3-c4 changed it"):
        play_leaves_the_position(
            sample._replace(game=with_(TIDES, after=after), positions=[(start, TIDES.read(start, "c3-c4"))])
        )


@pytest.mark.parametrize("sound", [None, lambda s, options: True])
def test_a_game_that_believes_every_damaged_state_is_told_one_way_or_another(sound: Any) -> None:
    sample = played("tides-of-war")
    damaged_states_are_harmless(sample)
    with pytest.raises(Exception, match=r".") as told:
        damaged_states_are_harmless(sample._replace(game=with_(TIDES, sound=sound)))
    assert not isinstance(told.value, Illegal)


def test_a_game_that_refuses_hardly_any_damaged_state_is_told() -> None:
    start = TIDES.start(TIDES.options(), 0)
    game = overruled(taken_over=lambda self, data, options: start)
    breaks(damaged_states_are_harmless, game, "damaged states are refused: let sound say which can come of a game")


def test_a_game_that_takes_anything_for_a_state_is_told() -> None:
    no_state_is_refused(TIDES)
    with pytest.raises(Broken, match="b'null' is not taken over as a state"):
        no_state_is_refused(overruled(taken_over=lambda self, data, o: data if data else TIDES.taken_over(data, o)))


# ---- what stands where, and how a hand moves --------------------------------------------------------------


MOOR: Any = "moor"


def shaped(**pieces: Piece) -> dict[str, Any]:
    return {"shape": lambda s: {**TIDES.shape(s), **pieces}}


def viewed(**changed: Any) -> dict[str, Any]:
    return {"view": lambda s, seat: View(TIDES.shape(s), **changed)}


def seen_by_black(view: View) -> dict[str, Any]:
    return {"view": lambda s, seat: view if seat == 1 else View(TIDES.shape(s))}


@pytest.mark.parametrize(
    ("functions", "promise"),
    [
        (shaped(c4=Piece(0, "tower")), "'tower' is one of the kinds of piece in the facts"),
        (shaped(c4=Piece(2, "stone")), "the piece on c4 belongs to a seat"),
        (shaped(g9=Piece(0, "stone")), "'g9' is a site of the board"),
        (seen_by_black(View({"g9": Piece(0, "stone")})), "'g9' is a site of the board"),
        (viewed(lines=("one", "")), "lines of a view have text"),
        (seen_by_black(View({}, lines=("",))), "lines of a view have text"),
        (viewed(marks=(Mark(("c3", "g9"), "between"),)), "marks and costs are at sites of it"),
        (viewed(shells=ShellView({}, {("c3", "g9"): Cost(1, 1)}, "reflect")), "marks and costs are at sites of it"),
        ({"places": lambda s: (Place((), "town", "nowhere"),)}, "'nowhere' has cells of the board"),
        ({"places": lambda s: (Place(("g9",), "town", "far away"),)}, "'far away' has cells of the board"),
        ({"places": lambda s: (Place(("a1",), MOOR, "the moor"),)}, "'moor' is one of the kinds of places"),
        ({"places": lambda s: (Place(("a1",), "town", "a third town", 2),)}, "'a third town' belongs to a seat"),
    ],
)  # fmt: skip
def test_what_is_shown_and_is_nothing_of_the_game_is_told(functions: Any, promise: str) -> None:
    breaks(shapes_keep_to_the_facts, with_(TIDES, **functions), promise)


def test_a_piece_may_belong_to_nobody_and_a_place_too() -> None:
    nobodys = with_(TIDES, **shaped(c4=Piece(None, "stone")), places=lambda s: (Place(("c4",), "river", "a ford"),))
    shapes_keep_to_the_facts(played("tides-of-war")._replace(game=nobodys))


def walked(walk: Callable[[Walk, Mapping[str, Piece]], Walk]) -> dict[str, Any]:
    return {"walk": lambda s, ply: walk(TIDES.walk(s, ply), TIDES.shape(s))}


def vacant(shape: Mapping[str, Piece]) -> str:
    return next(cell for cell in squares(6, 6).cells if cell not in shape)


def other(walk: Walk, shape: Mapping[str, Piece]) -> str:
    return next(cell for cell in shape if cell not in (*walk.path, *walk.takes))


@pytest.mark.parametrize(
    ("walk", "promise"),
    [
        (lambda walk, shape: replace(walk, path=(*walk.path, "g9")), "goes over sites of the board: 'g9' is none"),
        (lambda walk, shape: replace(walk, takes=("g9",)), "goes over sites of the board: 'g9' is none"),
        (lambda walk, shape: Walk(at="g9"), "is at a site, and moves nothing: it is at 'g9'"),
        (lambda walk, shape: replace(walk, at="c3"), "is at a site, and moves nothing"),
        (lambda walk, shape: Walk(takes=(vacant(shape),)), "takes pieces that are there: '..' is empty"),
        (lambda walk, shape: Walk((other(walk, shape),), (other(walk, shape),)), "is not among its takes"),
        (lambda walk, shape: replace(walk, path=(*walk.path[:1], *walk.path)), "each step of .* leads to another site"),
        (lambda walk, shape: replace(walk, path=(vacant(shape), walk.path[0])), "begins where a piece stands"),
        (lambda walk, shape: replace(walk, path=(other(walk, shape), walk.path[-1])), "leaves where it stood"),
        (lambda walk, shape: replace(walk, takes=(other(walk, shape),)), "takes is gone after it"),
    ],
)
def test_a_way_that_no_hand_can_go_is_told(walk: Callable[[Walk, Mapping[str, Piece]], Walk], promise: str) -> None:
    breaks(walks_tell_what_the_hand_does, with_(TIDES, **walked(walk)), promise)


def test_a_piece_that_comes_back_or_a_board_that_is_set_up_again_need_not_be_left() -> None:
    there_and_back = walked(
        lambda walk, shape: replace(walk, path=(*walk.path, *walk.path[: walk.path[0] != walk.path[-1]]))
    )
    walks_tell_what_the_hand_does(played("tides-of-war")._replace(game=with_(TIDES, **there_and_back)))
    strange = walked(lambda walk, shape: replace(walk, path=(other(walk, shape), walk.path[-1])))
    again = with_(TIDES, **strange, sets_up=lambda s: True)
    walks_tell_what_the_hand_does(played("tides-of-war")._replace(game=again))


NO_SITES = ["", "g1", "c3:", "c3:x", "g9:1", "a1.b2", "g9.a2.b1.b2"]


def test_cells_their_nodes_and_the_corners_where_cells_meet_are_sites_and_nothing_else_is() -> None:
    mesh = squares(6, 6)
    corner = ".".join(mesh.cells[cell] for cell in mesh.vertices[0])
    assert all(is_site(mesh, site) for site in ["a1", "f6", "c3:0", "c3:5", corner, f"{corner}#1"])
    assert not [site for site in [*NO_SITES, f"{corner}#0", f"{corner}#2"] if is_site(mesh, site)]


# ---- passing, and pieces that stay ------------------------------------------------------------------------


def turned(state: Any) -> Any:
    return None if state.why else replace(state, turn=1 - state.turn)


def test_a_game_that_passes_in_a_way_that_is_no_passing_is_told() -> None:
    def passing(passed: Callable[[Any], Any], promise: str, **functions: Any) -> None:
        sample = played("tides-of-war")._replace(positions=[(START, FIRST)], last=START)
        with pytest.raises(Broken, match=promise):
            passing_changes_only_the_turn(sample._replace(game=with_(TIDES, passed=passed, **functions)))

    passing_changes_only_the_turn(
        played("tides-of-war")._replace(game=with_(TIDES, passed=turned), positions=[(START, FIRST)], last=START)
    )
    later = TIDES.after(START, FIRST)
    with pytest.raises(Broken, match="after passing another seat"):  # though nobody can pass at the start
        passing_changes_only_the_turn(
            played("tides-of-war")._replace(
                game=with_(TIDES, passed=lambda s: None if s == START else s), positions=[(START, FIRST)], last=later
            )
        )
    passing(lambda s: s, "after passing another seat is to move")
    passing(turned, "after passing another seat is to move", seat=lambda s: None)
    passing(lambda s: replace(turned(s), stones=(s.stones[0], s.stones[1] & s.stones[1] - 1)), "passing moves no piece")
    passing(turned, "after passing the game goes on", moves=lambda s: [])
    passing(turned, "after passing the game goes on", result=lambda s: Result(over=True))
    passing(turned, "a position after passing is sound", sound=lambda s, options: s.turn == 0)


START = TIDES.start(TIDES.options(), 0)
FIRST = TIDES.read(START, "c3-c4")


def test_a_piece_that_cannot_move_for_no_reason_is_told() -> None:
    def staying(why: Callable[[Any, str], str]) -> Sample:
        return played("tides-of-war")._replace(game=with_(TIDES, why_stays=why), positions=[(START, FIRST)])

    what_cannot_move_has_a_reason(staying(lambda s, site: "it is hemmed in"))
    told = {site for site in ("b1", "a2", "b2") if TIDES.shape(START)[site].seat == 0}
    assert told  # stones behind others, which cannot move at the start
    with pytest.raises(Broken, match=r"it is said why the stone on [ab][12] cannot move"):
        what_cannot_move_has_a_reason(staying(lambda s, site: "" if site in told else "it is hemmed in"))
    what_cannot_move_has_a_reason(  # of the other seat's it is enough to say whose turn it is
        staying(lambda s, site: "it is hemmed in" if TIDES.shape(s)[site].seat == 0 else "")
    )


# ---- shares and secrets -----------------------------------------------------------------------------------


def bids(**changed: Any) -> AnyGame:
    """Return Beacons in which what is to be shared out is told otherwise, by the game and in every view."""

    def other(share: Any) -> Any:
        return share and replace(share, **changed)

    def view(state: Any, seat: int | None) -> View:
        assert BEACONS.view
        return replace((seen := BEACONS.view(state, seat)), share=other(seen.share))

    return with_(BEACONS, view=view, share=lambda s: other(BEACONS.shared(s)))


def rewritten(text: Callable[[str], str]) -> AnyGame:
    return with_(BEACONS, text=lambda s, ply: text(BEACONS.text(s, ply)) if BEACONS.shared(s) else BEACONS.text(s, ply))


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (bids(units=1), "every way to share is legal"),
        (bids(word="give"), "every way to share is legal"),
        (bids(among=("one",)), "every way to share is legal"),
        (with_(BEACONS, share=lambda s: None), "share and view tell the same of units to be shared out"),
        (rewritten(lambda text: f"{text} 0"), "a share has a number for each"),
        (rewritten(lambda text: text[:-1] + "99"), "a share has all units"),
    ],
)
def test_units_that_are_not_shared_out_as_it_is_said_are_told(game: AnyGame, promise: str) -> None:
    breaks(shares_are_the_legal_plies, game, promise)


def test_who_watches_is_told_of_units_what_the_seats_are_told() -> None:
    def view(state: Any, seat: int | None) -> View:
        assert BEACONS.view
        seen = BEACONS.view(state, seat)
        return replace(seen, share=None) if seat == 1 else seen

    game = with_(BEACONS, view=view)
    breaks(shares_are_the_legal_plies, game, "what is to be shared out now is the same for everybody")


START_OF_BEACONS: Any = BEACONS.start(BEACONS.options(), 0)


def leaking(state: Any, seat: int | None) -> View:
    assert BEACONS.view
    return replace(BEACONS.view(state, seat), data={"state": BEACONS.encode(state)})


def glimpsed(state: Any, ply: Any, seat: int | None) -> str:
    return "something" if BEACONS.secret and BEACONS.secret(state) else BEACONS.text(state, ply)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("check", "functions", "promise"),
    [
        (secret_plies_are_read_by_their_seat_alone, {"opens": None}, "a game with secrets has glimpse, secret"),
        (secret_plies_are_read_by_their_seat_alone, {"glimpse": lambda s, ply, seat: BEACONS.text(s, ply)},
         "is hidden from others alone"),
        (secret_plies_are_read_by_their_seat_alone, {"glimpse": glimpsed}, "is hidden from others alone"),
        (secrets_show_in_nothing, {"view": leaking}, "views of others do not tell a secret ply"),
        (secrets_show_in_nothing, {"known": lambda s, seat: s}, "what a seat knows does not tell a secret ply"),
        (secrets_show_in_nothing, {"opens": lambda s, ply: False}, "play stays secret until a ply opens it"),
        (what_is_imagined_fits_what_is_seen, {"known": None}, "a game has both known and imagine, or neither"),
        (what_is_imagined_fits_what_is_seen, {"known": None, "imagine": None}, "with secrets has known and imagine"),
        (what_is_imagined_fits_what_is_seen, {"known": lambda s, seat: START_OF_BEACONS}, "shows it all that it sees"),
        (what_is_imagined_fits_what_is_seen, {"imagine": lambda s, seat, seed: START_OF_BEACONS},
         "a seat sees the same in what it imagines"),
        (what_is_imagined_fits_what_is_seen, {"sound": lambda s, options: False}, "what is imagined is sound"),
    ],
)  # fmt: skip
def test_a_game_that_gives_a_secret_away_is_told(check: Callable[[Sample], None], functions: Any, promise: str) -> None:
    breaks(check, with_(BEACONS, **functions), promise)


# ---- facts, and the short check ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "promise"),
    [
        ({"name": "Tides"}, "its name 'Tides' is of small letters and hyphens"),
        ({"name": "tides-"}, "its name 'tides-' is of small letters and hyphens"),
        ({"title": ""}, "it has a title"),
        ({"blurb": "A game"}, "its blurb is a sentence"),
        ({"seats": ("White", "White")}, "its seats have a name each, and there are at least 2"),
        ({"fewest": 1}, "there are at least 2"),
        ({"fewest": 3}, "there are at least 3"),
        ({"colours": ("red",)}, "its colours are one for each seat"),
        ({"colours": ("red", "red")}, "its colours are one for each seat"),
        ({"colours": ("red", "pink")}, "its colours are one for each seat"),
        ({"endings": ()}, "its endings are different words"),
        ({"endings": ("conquest", "conquest")}, "its endings are different words"),
        ({"kinds": {}}, "every kind of piece has a name"),
        ({"kinds": {"stone": "stone", "tower": ""}}, "every kind of piece has a name"),
        ({"minutes": 0}, "how many minutes it takes"),
        ({"longest": 0}, "within how many plies play at random ends"),
        ({"players_option": "players"}, "there is an option 'players'"),
        ({"tiling_option": "tiling"}, "there is an option 'tiling'"),
        ({"experience_option": "games"}, "there is an option 'games'"),
        ({"moves": {"tower": "Goes straight."}}, "it says how kinds of piece move"),
        ({"signs": {"tower": "T"}}, "signs are of kinds of piece"),
        ({"signs": {"stone": "Sto"}}, "a sign has two letters at most"),
    ],
)
def test_facts_that_are_not_filled_in_are_told_also_of_a_game_that_is_loaded(changed: Any, promise: str) -> None:
    with pytest.raises(Broken, match=promise):
        check_facts(facts(**changed))
    assert promise in broken_promise(facts(**changed))


def test_the_least_that_facts_may_be() -> None:
    check_facts(facts(minutes=1, longest=1, fewest=2, colours=("red", "blue"), signs={"stone": "St"}))


class Helpless(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of which one has no line of help."""

    begins: Literal["White", "Black"] = "White"


class Chosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of every kind."""

    size: Annotated[int, Meta(ge=3, le=9, description="How large.")] = 5
    begins: Annotated[Literal["White", "Black"], Meta(description="Who begins.")] = "White"
    quick: Annotated[bool, Meta(description="Whether it is quick.")] = False
    motto: Annotated[str, Meta(description="What is said.")] = ""


def test_an_option_without_help_is_told() -> None:
    with pytest.raises(Broken, match="every option has a line of help"):
        check_facts(with_(TIDES, options=Helpless))


def test_other_values_of_each_option_are_tried_one_at_a_time() -> None:
    found = list(variants(with_(TIDES, options=Chosen, start=lambda options, seed: options)))
    assert found == [{}, {"size": 3}, {"size": 6}, {"begins": "Black"}, {"quick": True}]


def test_a_game_that_is_loaded_is_told_by_the_first_promise_it_breaks_or_by_what_it_raises() -> None:
    assert broken_promise(with_(TIDES, read=lambda s, text: FIRST)).startswith("the text of a ply is read back")
    assert broken_promise(with_(TIDES, moves=lambda s: 1 // 0)).startswith("nothing fails in a short game: ZeroDiv")
    assert broken_promise(with_(TIDES, seat=lambda s: 0)).startswith("nobody is to move when it is over")
    assert broken_promise(TIDES) == ""


def test_a_game_for_which_there_is_not_enough_memory_is_not_called_broken() -> None:
    def moves(state: Any) -> list[Any]:
        raise MemoryError

    with pytest.raises(MemoryError):
        broken_promise(with_(TIDES, moves=moves))


# ---- samples ----------------------------------------------------------------------------------------------


def test_a_sample_has_positions_from_the_whole_game_each_with_its_ply() -> None:
    sample = played("tides-of-war")
    assert len(sample.positions) == SAMPLES < sample.plies
    assert all(ply in TIDES.moves(state) for state, ply in sample.positions)
    assert TIDES.result(sample.last).over
    assert sample.states == [*(state for state, _ in sample.positions), sample.last]
    short = play_at_random(TIDES, {}, 1, 3)
    assert (short.plies, len(short.positions)) == (3, 3)
    assert TIDES.after(*short.positions[2]) == short.last
    assert short.positions[0][0] == START
    few = play_at_random(TIDES, {}, 1, PLIES, 4)
    assert len(few.positions) == 4
    assert few.positions[3] != short.positions[2]


def test_games_are_held_to_every_promise_that_is_broken_here() -> None:
    held = {check.__name__ for check in (*CHECKS, *OF_THE_GAME)}
    assert held - {"check_options"} == {name for name in globals() if name in held}
    assert len(held) == len(CHECKS) + len(OF_THE_GAME)
