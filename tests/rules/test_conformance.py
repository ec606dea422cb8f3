"""What every game promises, held against every game that the registry finds, with its options and a few variants.

Must not name a game but in the table of perft figures.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

import msgspec
import pytest

from controller.rules.game import AnyGame, Facts, Illegal, Unreadable
from controller.rules.mesh import Mesh
from controller.rules.options import BadOption, Described, describe, parse
from controller.rules.registry import NoSuchGame, all_games, game_named

FIGURES = [
    ("beacons", {"template": "trial"}, (26, 606, 10_801)),
    ("circle", {}, (29, 955, 33_155)),
    ("circle", {"players": 4}, (19, 433, 10_529)),
    ("cyvasse", {}, (86, 7_376, 607_726)),
    ("giantslayer", {}, (144, 2_592, 340_902)),
    ("tam-ruat-chess", {}, (45, 2_025, 94_722)),
    ("tides-of-war", {}, (14, 190, 3_290, 60_034)),
]
Given = tuple[tuple[str, Any], ...]  # options that are not the default
SAMPLES = 24  # positions of a game that are looked at closely
WRONG_PLIES = 50  # of each kind and position


def some_values(option: Described) -> list[Any]:
    if option.choices:
        return list(option.choices)
    if option.kind == "bool":
        return [True, False]
    return [option.low, option.default + 1] if option.kind == "int" else []


def variants(game: AnyGame) -> Iterator[dict[str, Any]]:
    """Yield the default options and, one at a time, other values that the game takes."""
    yield {}
    for option in describe(game.options):
        for value in some_values(option):
            if value is not None and value != option.default:
                try:
                    game.start(parse(game.options, {option.name: value}), 1)
                except BadOption:
                    continue
                yield {option.name: value}


TABLES = [(name, tuple(given.items())) for name, game in all_games().items() for given in variants(game)]
EVERY_TABLE = pytest.mark.parametrize(
    ("name", "given"), TABLES, ids=["-".join([name, *(f"{k}={v}" for k, v in given)]) for name, given in TABLES]
)
EVERY_GAME = pytest.mark.parametrize("name", list(all_games()))


class Evening(NamedTuple):
    """A game played at random: its mesh, the positions kept of it with the ply made there, the last one, its length."""

    game: AnyGame
    mesh: Mesh
    positions: list[tuple[Any, Any]]
    last: Any
    plies: int


@cache
def evening(name: str, given: Given, seed: int = 1) -> Evening:
    game = game_named(name)
    options = parse(game.options, dict(given))
    rng, state, plies = random.Random(seed), game.start(options, seed), 0
    kept: list[tuple[Any, Any]] = []
    while (legal := game.moves(state)) and plies <= game.facts.longest:
        ply = rng.choice(legal)
        if len(kept) < SAMPLES:
            kept.append((state, ply))
        elif (place := rng.randint(0, plies)) < SAMPLES:
            kept[place] = (state, ply)
        state, plies = game.after(state, ply), plies + 1
    return Evening(game, game.mesh(options), kept, state, plies)


def is_site(mesh: Mesh, site: str) -> bool:
    """Whether ``site`` is a cell, a node of a cell (``a3:4``) or a vertex (``a3.b2.b3``, ``a3.b2.b3#2``)."""
    cell, colon, node = site.partition(":")
    if colon:
        return cell in mesh.cells and node.isdigit()
    if "." in site:
        cells, _, number = site.partition("#")
        round_it = [v for v in mesh.vertices if tuple(mesh.cells[c] for c in v) == tuple(cells.split("."))]
        return 0 < int(number or 1) <= len(round_it)
    return site in mesh.cells


# ---- facts ------------------------------------------------------------------------------------------------


@EVERY_GAME
def test_facts_are_filled_in(name: str) -> None:
    game = game_named(name)
    facts: Facts = game.facts
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", facts.name)
    assert facts.title
    assert facts.blurb.endswith(".")
    assert 2 <= facts.fewest <= len(facts.seats) == len(set(facts.seats))
    assert len(set(facts.endings)) == len(facts.endings) > 0
    assert all(facts.kinds.values())
    assert facts.minutes > 0
    assert all(option.help for option in describe(game.options))


def test_a_name_that_no_game_has_is_told_with_the_names_there_are() -> None:
    with pytest.raises(NoSuchGame, match=next(iter(all_games()))):
        game_named("ludo")


@EVERY_GAME
def test_options_out_of_bounds_are_refused(name: str) -> None:
    schema = game_named(name).options
    wrong: list[dict[str, Any]] = [{"no_such_option": 1}]
    for option in describe(schema):
        if option.kind != "text":
            wrong.append({option.name: "perhaps"})
        wrong += [{option.name: option.low - 1}] if option.low is not None else []
        wrong += [{option.name: option.high + 1}] if option.high is not None else []
    for given in wrong:
        with pytest.raises(BadOption, match=next(iter(given))):
            parse(schema, given)


@pytest.mark.parametrize(("name", "given", "figures"), FIGURES)
def test_perft_has_the_figures_of_the_ruling(name: str, given: dict[str, Any], figures: tuple[int, ...]) -> None:
    game = game_named(name)
    state = game.start(parse(game.options, given), 0)
    assert tuple(game.perft(state, depth) for depth in range(len(figures) + 1)) == (1, *figures)


# ---- positions --------------------------------------------------------------------------------------------


@EVERY_TABLE
@pytest.mark.parametrize("seed", range(4))
def test_random_play_ends_in_time_with_a_word_for_it(name: str, given: Given, seed: int) -> None:
    game, _, positions, last, plies = evening(name, given, seed)
    result = game.result(last)
    assert result.over
    assert 0 < plies <= game.facts.longest
    assert result.why in game.facts.endings
    assert result.winner is None or 0 <= result.winner < len(game.facts.seats)
    assert game.plies(last) == ()
    assert game.seat(last) is None
    with pytest.raises(Illegal, match="the game is over"):
        game.play(last, positions[-1][1])


@EVERY_TABLE
def test_units_to_be_shared_out_are_exactly_the_legal_plies(name: str, given: Given) -> None:
    game, _, positions, _, _ = evening(name, given)
    for state, _ in positions:
        share = game.look(state, None).share
        shares = [game.look(state, seat).share for seat in range(len(game.facts.seats))]
        assert shares == [share] * len(shares)  # no secret
        if share is None:
            continue
        assert share == game.shared(state)
        legal = [game.text(state, ply).split() for ply in game.plies(state)]
        wanted = comb(share.units + len(share.among) - 1, share.units)
        assert (len(legal), {words[0] for words in legal}) == (wanted, {share.word})
        assert all(len(words) == 1 + len(share.among) for words in legal)
        assert all(sum(map(int, words[1:])) == share.units for words in legal)


@EVERY_TABLE
def test_legal_plies_are_sorted_and_unique_and_texts_are_read_back(name: str, given: Given) -> None:
    game, _, positions, _, _ = evening(name, given)
    for state, _ in positions:
        plies = game.plies(state)
        texts = [game.text(state, ply) for ply in plies]
        assert all(a < b for a, b in pairwise(texts))
        assert len(set(plies)) == len(plies) == game.perft(state, 1) > 0
        assert [game.read(state, text) for text in texts] == list(plies)
        result, seat = game.result(state), game.seat(state)
        assert not result.over
        assert (result.winner, result.why) == (None, "")
        assert seat is not None
        assert 0 <= seat < len(game.facts.seats)


@EVERY_TABLE
def test_states_are_frozen_values_that_survive_encoding(name: str, given: Given) -> None:
    game, _, positions, last, _ = evening(name, given)
    for state in [state for state, _ in positions] + [last]:
        with pytest.raises(AttributeError):
            setattr(state, state.__struct_fields__[0], None)
        back = game.decode(game.encode(state))
        assert back == state
        assert hash(back) == hash(state)
        assert [game.text(back, ply) for ply in game.plies(back)] == [game.text(state, p) for p in game.plies(state)]
        assert game.result(back) == game.result(state)
    with pytest.raises(msgspec.ValidationError):
        game.decode(b'["no", "state"]')


@EVERY_TABLE
def test_every_state_of_a_game_is_taken_over_by_one_with_the_same_options(name: str, given: Given) -> None:
    game, _, positions, last, _ = evening(name, given)
    options = parse(game.options, dict(given))
    for state in [state for state, _ in positions] + [last]:
        assert game.taken_over(game.encode(state), options) == state


def damaged(value: Any, rng: random.Random) -> Any:
    """Return ``value`` with one number or text of it out of all bounds, or a part missing or doubled."""
    if isinstance(value, list | dict) and value:
        place = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if isinstance(value, list) and rng.random() < 0.3:
            return rng.choice([value[:-1], [*value, *value[-1:]], [*value, value[0]]])
        return type(value)({**value, place: damaged(value[place], rng)}) if isinstance(value, dict) else [
            *value[:place], damaged(value[place], rng), *value[place + 1 :]
        ]  # fmt: skip
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([-7, 10**12, -(10**30), 1 << 200])
    return rng.choice(["?", "", f"{value}?"])


@EVERY_TABLE
def test_a_state_that_somebody_damaged_is_refused_or_harmless(name: str, given: Given) -> None:
    """What is taken over can be looked at and played on: nothing fails, and nothing takes without end."""
    game, _, positions, _, _ = evening(name, given)
    options, rng, refused = parse(game.options, dict(given)), random.Random(3), 0
    for state, _ in positions[:: max(1, SAMPLES // 6)]:
        plain = msgspec.json.decode(game.encode(state))
        for _ in range(40):
            try:
                odd = game.taken_over(msgspec.json.encode(damaged(plain, rng)), options)
            except Illegal:
                refused += 1
                continue
            for seat in (None, 0, 1):
                game.look(odd, seat)
            game.shape(odd), game.result(odd), game.seat(odd)
            legal = game.moves(odd)
            assert len(legal) < 100_000
            for ply in legal[:20]:
                game.text(odd, ply), game.walk(odd, ply), game.after(odd, ply)
    assert refused > 20


@EVERY_GAME
@pytest.mark.parametrize("text", [b"", b"null", b"\xff", b"[" * 100_000, b'{"a":' * 5_000 + b"1" + b"}" * 5_000])
def test_what_is_no_state_at_all_is_refused(name: str, text: bytes) -> None:
    game = game_named(name)
    with pytest.raises(Illegal):
        game.taken_over(text, parse(game.options, {}))


@EVERY_TABLE
def test_playing_leaves_the_position_as_it_was(name: str, given: Given) -> None:
    game, _, positions, _, _ = evening(name, given)
    for state, ply in positions:
        before, mark = game.encode(state), hash(state)
        after = game.play(state, ply)
        assert after == game.after(state, ply) == game.play_text(state, f" {game.text(state, ply)} ")
        assert after != state
        assert (game.encode(state), hash(state)) == (before, mark)


@EVERY_TABLE
def test_shapes_and_views_keep_to_the_facts(name: str, given: Given) -> None:
    game, mesh, positions, last, _ = evening(name, given)
    for state in [state for state, _ in positions] + [last]:
        shape = game.shape(state)
        assert {piece.kind for piece in shape.values()} <= set(game.facts.kinds)
        assert {piece.seat for piece in shape.values()} <= {None, *range(len(game.facts.seats))}
        assert all(is_site(mesh, site) for site in shape)
        for seat in (None, *range(len(game.facts.seats))):
            view = game.look(state, seat)
            assert all(is_site(mesh, site) and piece.kind in game.facts.kinds for site, piece in view.pieces.items())
            assert all(isinstance(line, str) and line for line in view.lines)


@EVERY_TABLE
def test_a_walk_tells_what_the_hand_does(name: str, given: Given) -> None:
    game, mesh, positions, _, _ = evening(name, given)
    for state, _ in positions:
        shape = game.shape(state)
        for ply in game.plies(state):
            walk = game.walk(state, ply)
            assert all(is_site(mesh, site) for site in (*walk.path, *walk.takes))
            assert walk.at is None or (is_site(mesh, walk.at) and not walk.path)
            assert all(site in shape for site in walk.takes)
            assert not set(walk.takes) & set(walk.path[-1:])
            assert all(a != b for a, b in pairwise(walk.path))
            if len(walk.path) > 1:
                _moved(game, state, ply)


def _moved(game: AnyGame, state: Any, ply: Any) -> None:
    """Assert that the piece at the start of the path leaves it, unless it comes back or all is set up anew."""
    walk, before, after = game.walk(state, ply), game.shape(state), game.after(state, ply)
    assert walk.path[0] in before
    if walk.path[0] == walk.path[-1] or (game.sets_up and game.sets_up(after)):
        return
    then = game.shape(after)
    assert before[walk.path[0]] != then.get(walk.path[0])
    assert all(before[site] != then.get(site) for site in walk.takes)


# ---- secrets ----------------------------------------------------------------------------------------------

SECRET_STEPS = 120  # plies of a secret part that are looked at
SECRET_PLIES = 40  # legal ones in each of its positions


def secret_part(name: str, given: Given, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield the positions of a game's beginning while plies are made in secret, with the ply made there."""
    game, rng = game_named(name), random.Random(seed)
    state = game.start(parse(game.options, dict(given)), seed)
    for _ in range(SECRET_STEPS):
        if not (game.secret and game.secret(state)):
            return
        ply = rng.choice(game.moves(state))
        yield state, ply
        state = game.after(state, ply)


@EVERY_TABLE
def test_a_secret_ply_is_read_by_its_own_seat_alone(name: str, given: Given) -> None:
    game, _, positions, _, _ = evening(name, given)
    assert (game.glimpse is None) == (game.secret is None) == (game.opens is None)
    if game.glimpse is None or game.secret is None:
        return
    for state, ply in (*positions, *secret_part(name, given, 1)):
        text, mover = game.text(state, ply), game.seat(state)
        for viewer in (None, *range(len(game.facts.seats))):
            hidden = game.secret(state) and viewer != mover
            assert (game.glimpse(state, ply, viewer) == text) != hidden
            if hidden:
                assert len({game.glimpse(state, other, viewer) for other in game.moves(state)}) == 1


@EVERY_TABLE
@pytest.mark.parametrize("seed", range(3))
def test_what_was_made_in_secret_shows_in_nothing_until_a_ply_opens_it(name: str, given: Given, seed: int) -> None:
    game, opened, last = game_named(name), False, None
    for state, ply in secret_part(name, given, seed):
        assert game.secret is not None
        assert game.opens is not None
        mover, opened, last = game.seat(state), game.opens(state, ply), (state, ply)
        others = [seat for seat in (None, *range(len(game.facts.seats))) if seat != mover]
        plies = random.Random(seed).sample(game.moves(state), min(SECRET_PLIES, len(game.moves(state))))
        hiding = [game.after(state, other) for other in plies if not game.opens(state, other)]
        assert all(game.secret(after) for after in hiding)
        for after in hiding[1:]:
            assert [game.look(after, seat) for seat in others] == [game.look(hiding[0], seat) for seat in others]
            assert game.shape(after) == game.shape(hiding[0])
            assert (game.seat(after), game.result(after)) == (game.seat(hiding[0]), game.result(hiding[0]))
    if last is not None:  # it ends with an opening ply, after which nothing is secret any more
        assert opened
        assert not game.secret(game.after(*last))


# ---- refusals ---------------------------------------------------------------------------------------------


def refused(game: AnyGame, state: Any, written: str, legal: set[str]) -> bool:
    """Whether ``written`` is refused, with a sentence of its own; if it is not, it must be a legal ply."""
    try:
        ply = game.read(state, written)
    except Unreadable as unreadable:
        return _is_reason(str(unreadable), written)
    if game.text(state, ply) in legal:
        game.play(state, ply)
        return False
    with pytest.raises(Illegal) as caught:
        game.play(state, ply)
    return _is_reason(str(caught.value), written)


def _is_reason(sentence: str, written: str) -> bool:
    assert len(sentence) > 10, written
    assert "not legal here" not in sentence, written
    return True


def mutations(written: str, mesh: Mesh, letters: str, rng: random.Random) -> Iterator[str]:
    """Yield texts that are a little wrong: other cells, other signs, a letter off, a part missing or doubled."""
    cells = re.findall(r"[a-z][1-9][0-9]?", written)
    for cell in cells:
        yield written.replace(cell, rng.choice(mesh.cells), 1)
    if len(cells) > 1:
        yield written.replace(cells[0], "?").replace(cells[1], cells[0]).replace("?", cells[1])
    yield written.translate(str.maketrans("-x", "x-"))
    place = rng.randrange(len(written))
    yield written[:place] + rng.choice(letters) + written[place + 1 :]
    yield written[:place] + rng.choice(letters) + written[place:]
    yield written[:place] + written[place + 1 :]
    yield written + written[place:]


@EVERY_TABLE
def test_whatever_is_not_legal_is_refused_with_its_reason(name: str, given: Given) -> None:
    game, mesh, positions, _, _ = evening(name, given)
    rng, count = random.Random(5), 0
    texts = {number: [game.text(s, ply) for ply in game.plies(s)] for number, (s, _) in enumerate(positions)}
    others = sorted({text for found in texts.values() for text in found})
    letters = "".join(sorted(set("".join(others))))
    for number, (state, _) in enumerate(positions):
        legal = set(texts[number])
        wrong = rng.sample(others, min(WRONG_PLIES, len(others)))
        for written in rng.choices(texts[number], k=WRONG_PLIES // 5):
            wrong += mutations(written, mesh, letters, rng)
        count += sum(refused(game, state, written, legal) for written in wrong)
    assert count > 10
