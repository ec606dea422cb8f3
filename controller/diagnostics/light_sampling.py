"""A few lights reveal the order of all: which pixel to light next, and what the sites seen so far leave possible.

Owns the guesses: orders that the strip may have with no mistake, with one, or with a few of those that the doctor
knows. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from controller.diagnostics.findings import strip_mistakes
from controller.diagnostics.miswiring import ALLOWED_WRONG, Mistake, Order
from hardware.profile import Profile

SURE = 3  # lights that must bear a guess out
MOST_MISTAKES = 3

Lit = Mapping[int, str | None]  # by pixel the site at which it shone, None where it stayed dark
Mistakes = Callable[[Order], Iterator[Mistake]]


def next_pixel(board: Profile, lit: Lit) -> int | None:
    """Return the pixel that reveals most, None once enough was seen. Where no guess fits, every pixel is needed."""
    fits = fitting(board, lit)
    free = [pixel for pixel, site in enumerate(board.by_light()) if site is not None and pixel not in lit]
    spread = {pixel: Counter(order[pixel] for order in fits) for pixel in free}
    telling = [pixel for pixel in free if len(spread[pixel]) > 1]
    if telling:
        return min(telling, key=lambda pixel: sum(count * count for count in spread[pixel].values()))
    return next(iter(free), None) if not fits or len(lit) < SURE else None


def fitting(board: Profile, lit: Lit) -> list[Order]:
    """Return the orders that what was seen leaves possible; a pixel that stays dark may also be broken."""
    shone = {pixel: site for pixel, site in lit.items() if site is not None}
    mistakes, meant = strip_mistakes(board), board.by_light()
    return _fitting(mistakes, meant, lit, MOST_MISTAKES) or _fitting(mistakes, meant, shone, MOST_MISTAKES)


def _fitting(mistakes: Mistakes, order: Order, lit: Lit, most: int) -> list[Order]:
    """Return the guesses of at most ``most`` mistakes beyond ``order`` that fit: first those that need fewest.

    Where only one is left, those that have one mistake more than it: they have to be ruled out too.
    """
    possible = _guesses(mistakes, order)
    fits = [guess for guess in possible if _fits(guess, lit)]
    if most == 0:
        return fits
    if not fits:
        better = (guess for guess in possible if _helps(order, guess, lit))
        return list(dict.fromkeys(fit for guess in better for fit in _fitting(mistakes, guess, lit, most - 1)))
    if len(fits) == 1 and fits[0] != order:
        return _fitting(mistakes, fits[0], lit, most - 1)
    return fits


def _guesses(mistakes: Mistakes, order: Order) -> list[Order]:
    """Return ``order``, and each that has one mistake more, a strip that is dark from some pixel on among them."""
    cut = ((*order[:k], *[None] * (len(order) - k)) for k, site in enumerate(order) if site is not None)
    return list(dict.fromkeys([order, *(mistake.order for mistake in mistakes(order)), *cut]))


def _fits(order: Order, lit: Lit) -> bool:
    return all(order[pixel] == site for pixel, site in lit.items())


def _helps(order: Order, guess: Order, lit: Lit) -> bool:
    """Whether ``guess`` explains more of what was seen than ``order`` does, and little of it wrongly."""
    moved = [pixel for pixel in lit if guess[pixel] != order[pixel]]
    wrong = sum(guess[pixel] != lit[pixel] for pixel in moved)
    right = sum(order[pixel] == lit[pixel] for pixel in moved)
    return len(moved) - wrong > right and wrong <= ALLOWED_WRONG * len(moved)


def concluded(board: Profile, lit: Lit) -> Lit:
    """Return ``lit`` with the other pixels as far as all guesses that fit agree on them."""
    fits: Sequence[Order] = fitting(board, lit)
    used = [pixel for pixel, site in enumerate(board.by_light()) if site is not None]
    agreed = {pixel: fits[0][pixel] for pixel in used if len({order[pixel] for order in fits}) == 1}
    return {**agreed, **lit}
