"""What a game promises where plies are made in secret: nobody but their seat can know them until a ply reveals them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from controller.rules.conformance.samples import Sample, require

STEPS = 120  # plies of a secret part that are looked at
PLIES = 40  # legal ones in each of its positions


def _secret_part(sample: Sample, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield the positions of a game's beginning while plies are made in secret, with the ply made there."""
    game, rng = sample.game, random.Random(seed)
    state = game.start(sample.options, seed)
    for _ in range(STEPS):
        if not (game.secret and game.secret(state)):
            return
        ply = rng.choice(game.moves(state))
        yield state, ply
        state = game.after(state, ply)


def secret_plies_are_read_by_their_seat_alone(sample: Sample) -> None:
    """A ply made in secret is read by its own seat, and by others all such plies read alike."""
    game = sample.game
    all_or_none = (game.glimpse is None) == (game.secret is None) == (game.opens is None)
    require(all_or_none, "a game with secrets has glimpse, secret and opens")
    if game.glimpse is None or game.secret is None:
        return
    for state, ply in (*sample.positions, *_secret_part(sample, 1)):
        text, mover = game.text(state, ply), game.seat(state)
        for viewer in sample.viewers:
            hidden = game.secret(state) and viewer != mover
            require((game.glimpse(state, ply, viewer) == text) != hidden, f"{text} is hidden from others alone")
            if hidden:
                alike = {game.glimpse(state, other, viewer) for other in game.moves(state)}
                require(len(alike) == 1, "to others, plies made in secret read alike")


def secrets_show_in_nothing(sample: Sample) -> None:
    """What was made in secret shows in nothing of the game to others, until a ply opens it."""
    game, opened, last = sample.game, False, None
    for state, ply in _secret_part(sample, sample.seed):
        assert game.secret is not None
        assert game.opens is not None
        mover, opened, last = game.seat(state), game.opens(state, ply), (state, ply)
        others = [seat for seat in sample.viewers if seat != mover]
        plies = random.Random(sample.seed).sample(game.moves(state), min(PLIES, len(game.moves(state))))
        hiding = [game.after(state, other) for other in plies if not game.opens(state, other)]
        require(all(game.secret(after) for after in hiding), "play stays secret until a ply opens it")
        for after in hiding[1:]:
            seen = [game.look(after, seat) for seat in others]
            require(seen == [game.look(hiding[0], seat) for seat in others], "views of others do not tell a secret ply")
            require(game.shape(after) == game.shape(hiding[0]), "the shape does not tell a secret ply")
            if game.known:
                told = [game.known(after, seat) for seat in others]
                alike = [game.known(hiding[0], seat) for seat in others]
                require(told == alike, "what a seat knows does not tell a secret ply of another one")
            stands = (game.seat(after), game.result(after))
            require(stands == (game.seat(hiding[0]), game.result(hiding[0])), "the result does not tell a secret ply")
    if last is not None:
        require(opened, "a secret part ends with a ply that opens it")
        require(not game.secret(game.after(*last)) if game.secret else True, "after it nothing is secret")


def what_is_imagined_fits_what_is_seen(sample: Sample) -> None:
    """What a seat knows shows it all that it sees, and what it imagines to be hidden changes nothing of that."""
    game = sample.game
    require((game.known is None) == (game.imagine is None), "a game has both known and imagine, or neither")
    require(game.imagine is not None or game.secret is None, "a game with secrets has known and imagine")
    if game.known is None or game.imagine is None:
        return
    for number, (state, _) in enumerate((*sample.positions, *_secret_part(sample, 2))):
        for viewer in sample.viewers:
            seen, known = game.look(state, viewer), game.known(state, viewer)
            require(game.look(known, viewer) == seen, "what a seat knows shows it all that it sees")
            imagined = game.imagine(known, viewer, number)
            require(imagined == game.imagine(known, viewer, number), "one seed imagines one state")
            require(game.look(imagined, viewer) == seen, "a seat sees the same in what it imagines")
            require(game.known(imagined, viewer) == known, "a seat knows as much of what it imagines as before")
            require(game.seat(imagined) == game.seat(state), "what is imagined has the same seat to move")
            require(not game.sound or game.sound(imagined, sample.options), "what is imagined is sound")


SECRETS = (
    secret_plies_are_read_by_their_seat_alone,
    secrets_show_in_nothing,
    what_is_imagined_fits_what_is_seen,
)
