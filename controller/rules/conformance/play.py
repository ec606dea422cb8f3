"""What a game promises of play: how it ends, plies and their texts, states, what stands where, how a hand moves."""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import Any

import msgspec

from controller.rules.conformance.samples import Broken, Sample, answers, is_site, require
from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.mesh import Mesh
from controller.rules.places import PLACE_KINDS

SHOWN = 160  # letters of a state that are told


def random_play_ends(sample: Sample) -> None:
    """Play at random ends in time, with a word for it that the facts have."""
    game, last = sample.game, sample.last
    result = game.result(last)
    require(result.over, f"play at random ends within {game.facts.longest} plies")
    require(0 < sample.plies <= game.facts.longest, f"a game has a ply, and at most {game.facts.longest}")
    ends(sample)
    try:
        game.play(last, sample.positions[-1][1])
    except Illegal as refused:
        require("the game is over" in str(refused), "a ply after the end is refused as one")
    else:
        require(False, "no ply is played after the end")


def ends(sample: Sample) -> None:
    """A game that is over has an ending of its facts, nobody to move and no plies."""
    game, result = sample.game, sample.game.result(sample.last)
    declared = ", ".join(game.facts.endings)
    require(result.why in game.facts.endings, f"every ending is among those of its facts ({declared}): '{result.why}'")
    require(result.winner is None or result.winner in sample.seats, f"seat {result.winner} has won, and there is none")
    require(not game.moves(sample.last) and game.seat(sample.last) is None, "nobody is to move when it is over")


def shares_are_the_legal_plies(sample: Sample) -> None:
    """Units to be shared out are exactly the legal plies, and no secret."""
    game = sample.game
    for state, _ in sample.positions:
        share = game.look(state, None).share
        for seat in sample.seats:
            theirs = game.look(state, seat).share
            ahead = theirs is not None and theirs.ahead and seat != game.seat(state)
            require(theirs == share or ahead, "what is to be shared out now is the same for everybody")
        require(share == game.shared(state), "share and view tell the same of units to be shared out")
        if share is None:
            continue
        legal = [game.text(state, ply).split() for ply in game.plies(state)]
        wanted = comb(share.units + len(share.among) - 1, share.units)
        require((len(legal), {words[0] for words in legal}) == (wanted, {share.word}), "every way to share is legal")
        require(all(len(words) == 1 + len(share.among) for words in legal), "a share has a number for each")
        require(all(sum(map(int, words[1:])) == share.units for words in legal), "a share has all units")


def plies_are_unique_and_read_back(sample: Sample) -> None:
    """Legal plies and their texts are unique; a text is read back as its ply, and somebody is to move."""
    game = sample.game
    for state, _ in sample.positions:
        plies = game.plies(state)
        texts = [game.text(state, ply) for ply in plies]
        twice = next((a for a, b in pairwise(texts) if a >= b), "")
        require(not twice, f"legal plies are unique: {twice} is there twice")
        require(plies and len(set(plies)) == len(plies) == game.perft(state, 1), "plies are hashable values and unique")
        for text, ply in zip(texts, plies, strict=True):
            require(answers(ply, game.read, state, text), f"the text of a ply is read back as that ply: {text} is not")
        result = game.result(state)
        require(not result.over, "a game that has plies is not over")
        require((result.winner, result.why) == (None, ""), "nobody has won before the end")
        require(game.seat(state) in sample.seats, f"seat {game.seat(state)} is to move, and there is none")


def states_survive_encoding(sample: Sample) -> None:
    """States are frozen values that are the same after they were written and read."""
    game = sample.game
    for state in sample.states:
        try:
            setattr(state, state.__struct_fields__[0], None)
        except AttributeError:
            pass
        else:
            require(False, "states are frozen")
        back = game.decode(game.encode(state))
        require(back == state and hash(back) == hash(state), "a state is the same after it was written and read")
        texts = [game.text(state, ply) for ply in game.plies(state)]
        require([game.text(back, ply) for ply in game.plies(back)] == texts, "and has the same plies then")
        require(game.result(back) == game.result(state), "and the same result")
    try:
        game.decode(b'["no", "state"]')
    except msgspec.ValidationError:
        return
    require(False, "what is no state is not read as one")


def states_are_taken_over(sample: Sample) -> None:
    """Every state of a game is taken over by one with the same options."""
    game, options = sample.game, sample.options
    for state in sample.states:
        written = game.encode(state)
        shown = written.decode(errors="replace")[:SHOWN]
        try:
            taken = game.taken_over(written, options)
        except (Illegal, Unreadable) as refused:
            raise Broken(f"each state of a game is sound: refused is one of its own ({refused}): {shown}") from refused
        require(taken == state, f"each state of a game is sound: one of its own becomes another: {shown}")


def play_leaves_the_position(sample: Sample) -> None:
    """To play leads to another state, and leaves the one before as it was."""
    game = sample.game
    for state, ply in sample.positions:
        before, mark, text = game.encode(state), hash(state), game.text(state, ply)
        after = game.after(state, ply)
        same = answers(after, game.play, state, ply) and answers(after, game.play_text, state, f" {text} ")
        require(same, f"a ply leads to the same state each time: {text} does not")
        require(after != state, f"a ply changes the state: {text} does not")
        require((game.encode(state), hash(state)) == (before, mark), f"the state before a ply stays: {text} changed it")


def shapes_keep_to_the_facts(sample: Sample) -> None:
    """Pieces are of the kinds and seats of the facts and stand on sites of the board, in what each seat sees too."""
    game, mesh = sample.game, sample.mesh
    for state in sample.states:
        for view in [game.shape(state), *(game.look(state, seat).pieces for seat in sample.viewers)]:
            for site, piece in view.items():
                require(piece.kind in game.facts.kinds, f"'{piece.kind}' is one of the kinds of piece in the facts")
                require(piece.seat is None or piece.seat in sample.seats, f"the piece on {site} belongs to a seat")
                require(is_site(mesh, site), f"'{site}' is a site of the board")
        for seat in sample.viewers:
            seen = game.look(state, seat)
            require(all(isinstance(line, str) and line for line in seen.lines), "lines of a view have text")
            costs = seen.shells.costs if seen.shells else {}
            drawn = [*(mark.at for mark in seen.marks), *costs]
            strange = next((site for at in drawn for site in at if not is_site(mesh, site)), None)
            require(strange is None, f"marks and costs are at sites of it: '{strange}' is none")
            for place in seen.places:
                require(place.cells and set(place.cells) <= set(mesh.cells), f"'{place.name}' has cells of the board")
                require(place.kind in PLACE_KINDS, f"'{place.kind}' is one of the kinds of places that are drawn")
                require(place.seat is None or place.seat in sample.seats, f"'{place.name}' belongs to a seat")


def walks_tell_what_the_hand_does(sample: Sample) -> None:
    """A walk has sites of the board, takes what is there, and its piece leaves where it stood."""
    game, mesh = sample.game, sample.mesh
    for state, _ in sample.positions:
        shape = game.shape(state)
        for ply in game.plies(state):
            _check_walk(game, mesh, state, ply, shape)


def _check_walk(game: AnyGame, mesh: Mesh, state: Any, ply: Any, shape: Any) -> None:
    walk, text = game.walk(state, ply), game.text(state, ply)
    strange = next((site for site in (*walk.path, *walk.takes) if not is_site(mesh, site)), None)
    require(strange is None, f"{text} goes over sites of the board: '{strange}' is none")
    require(
        walk.at is None or (is_site(mesh, walk.at) and not walk.path),
        f"{text} is at a site, and moves nothing: it is at '{walk.at}' and moves over {list(walk.path)}",
    )
    absent = next((site for site in walk.takes if site not in shape), None)
    require(absent is None, f"{text} takes pieces that are there: '{absent}' is empty")
    require(not set(walk.takes) & set(walk.path[-1:]), f"what {text} takes on its last site is not among its takes")
    require(all(a != b for a, b in pairwise(walk.path)), f"each step of {text} leads to another site")
    if len(walk.path) > 1:
        _check_move(game, state, ply)


def _check_move(game: AnyGame, state: Any, ply: Any) -> None:
    """The piece at the start of the path leaves it, unless it comes back or all is set up again."""
    walk, before, after, text = game.walk(state, ply), game.shape(state), game.after(state, ply), game.text(state, ply)
    require(walk.path[0] in before, f"{text} begins where a piece stands")
    if walk.path[0] == walk.path[-1] or (game.sets_up and game.sets_up(after)):
        return
    then = game.shape(after)
    require(before[walk.path[0]] != then.get(walk.path[0]), f"the piece of {text} leaves where it stood")
    require(all(before[site] != then.get(site) for site in walk.takes), f"what {text} takes is gone after it")


def passing_changes_only_the_turn(sample: Sample) -> None:
    """Where a game says what a position is like after passing, the pieces are as before and somebody else may play."""
    game = sample.game
    for state in sample.states:
        other = game.passed(state) if game.passed else None
        if other is None:
            continue
        require(game.seat(state) not in (None, game.seat(other)), "after passing another seat is to move")
        require(game.shape(other) == game.shape(state), "passing moves no piece")
        require(game.plies(other) and not game.result(other).over, "after passing the game goes on")
        taken = answers(other, game.taken_over, game.encode(other), sample.options)
        require(taken, "a position after passing is sound")


def what_cannot_move_has_a_reason(sample: Sample) -> None:
    """Where a game says why a piece cannot move, it says so of each that the seat to move, or nobody, could move."""
    game = sample.game
    for state, _ in sample.positions if game.why_stays else ():
        colour = game.colour_of(state, game.seat(state) or 0)
        walks = {game.walk(state, ply) for ply in game.moves(state)}
        concerned = {site for walk in walks for site in (*walk.path[:1], walk.at, *walk.concerns)}
        for site, piece in game.shape(state).items():
            if piece.seat in (colour, None) and site not in concerned:
                require(game.stays(state, site), f"it is said why the {piece.kind} on {site} cannot move")


PLAY = (
    what_cannot_move_has_a_reason,
    passing_changes_only_the_turn,
    random_play_ends,
    shares_are_the_legal_plies,
    plies_are_unique_and_read_back,
    states_survive_encoding,
    states_are_taken_over,
    play_leaves_the_position,
    shapes_keep_to_the_facts,
    walks_tell_what_the_hand_does,
)
