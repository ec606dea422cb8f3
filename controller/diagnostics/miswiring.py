"""Explains a miswired chain or strip: from what was found at each place to the few mistakes that make just that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec

# A mistake with a whole group is believed where it puts more than two places right and leaves few of its own wrong.
WORTH = 3
ALLOWED_WRONG = 0.25

Order = tuple[str | None, ...]  # by bit or by pixel, the site there
Of = Literal["whole", "register", "tile", "row", "site"]  # what a mistake was made with


class Group(msgspec.Struct, frozen=True):
    """Places that belong together: a register's bits, a row's pixels. ``slots`` are in the order of the wire."""

    name: str
    slots: tuple[int, ...]
    of: Of = "row"


class Mistake(msgspec.Struct, frozen=True):
    """One mistake: ``kind`` is *reversed*, *swapped*, *replugged*, *skipped* or *added*; for *laid* and *turned* see
    `strip_layouts`.

    ``what`` are names for people, of groups or of sites as ``of`` says: the two that are swapped, all whose cables are
    in each other's sockets, the one that is left out or comes too late.
    """

    kind: str
    what: tuple[str, ...]
    order: Order  # what the wire is like after this mistake and those before it
    of: Of = "site"


class Explained(msgspec.Struct, frozen=True):
    """``order`` is the wire as it seems to be, also where nothing was found; ``strange`` are the slots that stay
    unexplained.
    """

    mistakes: tuple[Mistake, ...]
    order: Order
    strange: tuple[int, ...]


def explain(meant: Order, found: Order, possible: Callable[[Order], Iterable[Mistake]]) -> Explained:
    """Return the mistakes that turn ``meant`` into ``found``, where None means that nothing was found out.

    The mistake that explains most comes first; each must put more right than wrong. ``possible`` are those that an
    order may have; two sites that are swapped always may.
    """
    order, mistakes = meant, []
    while wrong := _wrong(order, found):
        best = _best(order, found, possible(order), len(wrong))
        if best is None:
            break
        mistakes.append(best)
        order = best.order
    return Explained(tuple(mistakes), order, tuple(_wrong(order, found)))


def _wrong(order: Order, found: Order) -> list[int]:
    return [k for k, (a, b) in enumerate(zip(order, found, strict=True)) if b is not None and a != b]


def _best(order: Order, found: Order, possible: Iterable[Mistake], wrong: int) -> Mistake | None:
    best, most = None, WORTH - 1
    for mistake in possible:
        touched = [k for k, (a, b) in enumerate(zip(order, mistake.order, strict=True)) if a != b]
        still = [k for k in touched if found[k] is not None and found[k] != mistake.order[k]]
        gain = wrong - len(_wrong(mistake.order, found))
        if gain > most and len(still) <= ALLOWED_WRONG * len(touched):
            best, most = mistake, gain
    return best or next((m for m in _pairs(order, found) if len(_wrong(m.order, found)) < wrong), None)


def regrouped(order: Order, groups: Sequence[Group]) -> Iterator[Mistake]:
    """Yield the mistakes that whole ``groups`` of places may have."""
    for group in groups:
        yield Mistake("reversed", (group.name,), _put(order, group.slots, group.slots[::-1]), group.of)
    for a, b in combinations(groups, 2):
        if len(a.slots) == len(b.slots) and not set(a.slots) & set(b.slots):
            there = a.slots + b.slots
            yield Mistake("swapped", (a.name, b.name), _put(order, there, b.slots + a.slots), a.of)
            yield Mistake("swapped", (a.name, b.name), _put(order, there, b.slots[::-1] + a.slots[::-1]), a.of)


def exchanged(order: Order, groups: Sequence[Group]) -> Iterator[Mistake]:
    """Yield the orders in which two of the ``groups``, each on a cable, are in each other's sockets."""
    for a, b in combinations(groups, 2):
        yield Mistake("replugged", (a.name, b.name), _put(order, a.slots + b.slots, b.slots + a.slots), "tile")


def replugged(order: Order, found: Order, groups: Sequence[Group]) -> Iterator[Mistake]:
    """Yield the order in which whole ``groups`` of equal length, each on a cable, are in each other's sockets as found.

    However many they are: a ring of three is no pair that is swapped. Of which nothing was found stays, or is where
    there is room.
    """
    clear = {group: there for group in groups if (there := _plugged(group, order, found, groups)) is not None}
    if len(set(clear.values())) < len(clear):
        return
    unclear = [group for group in groups if group not in clear]
    spare = [group for group in groups if group not in clear.values()]
    stay = [group for group in unclear if group in spare]
    others = zip((g for g in unclear if g not in stay), (g for g in spare if g not in stay), strict=True)
    sources = clear | dict(others)
    moved = [group for group in groups if sources.get(group, group) != group]
    if moved:
        slots = [slot for group in moved for slot in group.slots]
        meant = [slot for group in moved for slot in sources[group].slots]
        yield Mistake("replugged", tuple(group.name for group in moved), _put(order, slots, meant), "tile")


def _plugged(here: Group, order: Order, found: Order, groups: Sequence[Group]) -> Group | None:
    """Return the group whose sites were found at ``here``, for the most part; None where that is not clear."""
    known = [(k, found[slot]) for k, slot in enumerate(here.slots) if found[slot] is not None]
    for group in groups:
        right = sum(order[group.slots[k]] == site for k, site in known)
        if right >= WORTH and right >= (1 - ALLOWED_WRONG) * len(known):
            return group
    return None


def shifted(order: Order) -> Iterator[Mistake]:
    """Yield the orders with one place left out, or one too many: from there on everything is one place off."""
    for k, site in enumerate(order):
        if site is not None:
            yield Mistake("skipped", (site,), (*order[:k], *order[k + 1 :], None))
    for k, site in enumerate(order):
        if site is not None:
            yield Mistake("added", (site,), (*order[:k], None, *order[k:-1]))


def _put(order: Order, slots: Sequence[int], sources: Sequence[int]) -> Order:
    """Return the order with the sites at ``sources`` moved to ``slots``."""
    new = list(order)
    for slot, source in zip(slots, sources, strict=True):
        new[slot] = order[source]
    return tuple(new)


def _pairs(order: Order, found: Order) -> Iterator[Mistake]:
    where = {site: k for k, site in enumerate(order) if site is not None}
    for k in _wrong(order, found):
        other = where.get(found[k] or "")
        here = order[k]
        if other is not None and here is not None and found[other] in (here, None):
            yield Mistake("swapped", (here, found[k] or ""), _put(order, (k, other), (other, k)))


def complete(order: Order, found: Order, sites: Sequence[str]) -> Order:
    """Return a wire with every one of ``sites`` once: as found, else as explained, else wherever there is room."""
    new: list[str | None] = list(found)
    missing = [site for site in sites if site not in set(found)]
    for site in [site for site in missing if site in order]:
        slot = order.index(site)
        if new[slot] is None:
            new[slot] = site
            missing.remove(site)
    free = [k for k, site in enumerate(new) if site is None]
    free.sort(key=lambda k: order[k] is None)  # a place that was meant for a site first
    for site, slot in zip(missing, free, strict=False):
        new[slot] = site
    return tuple(new)
