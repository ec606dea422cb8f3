"""What the doctor concludes: from what was seen at each site to sentences, each with what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

import msgspec

from controller.devices.link.messages import SensorField
from controller.diagnostics.miswiring import (
    Explained,
    Group,
    Mistake,
    Of,
    Order,
    exchanged,
    explain,
    regrouped,
    replugged,
    shifted,
)
from controller.diagnostics.strip_layouts import Turn, laid_round, turns, ways
from controller.sentences import all_of, capital, say, together
from hardware.profile import MUX_INPUTS, REGISTER_BITS, Profile
from hardware.site_layout import coordinates
from hardware.wiring import INPUT_PINS, MUX_PINS

SCANS_PER_S = 1000  # of a chain, or of one group of multiplexers
SCANS_LEAST = 990
MOST_STRANGE = 8  # lights that are reported one by one
SILENT_TAIL = 3  # so many silent sites at the end of the chain are a cut, not so many broken sensors


class Health(msgspec.Struct, frozen=True):
    """What the sensor board says of itself, and whether the Pi saw its supply dip (None: cannot be measured)."""

    scans_per_s: int
    scans_missed: int
    bad_frames: int
    bytes_lost: int
    changes_lost: int
    undervolted: bool | None = None
    board: str = ""  # a sentence: which one it is, and which firmware it has
    strong: bool = True  # whether its supply offers 1.5 A or more, where it reads that


class ExamEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen. Sites under ``heard`` were touched; each has the sites at whose inputs the touch arrived, by the
    profile. ``lit`` has by pixel the site at which it shone, None where it stayed dark.
    """

    stuck: frozenset[str] = frozenset()
    heard: Mapping[str, tuple[str, ...]] = {}
    lit: Mapping[int, str | None] = {}
    link: str = ""  # why there is no link
    drops: tuple[str, ...] = ()  # losses of the link in between
    drops_loaded: tuple[str, ...] = ()  # and while all lights were on
    health: Health | None = None
    rested: Mapping[str, SensorField] = {}  # what linear sensors read with nothing on the board
    touched: Mapping[str, tuple[float, ...]] = {}  # by site, what its own read in mT while a magnet was held there


class Finding(msgspec.Struct, frozen=True):
    """What is wrong, and what to do about it; both whole sentences."""

    what: str
    advice: str


class ExamVerdict(msgspec.Struct, frozen=True):
    """All findings, and the wires as they were found."""

    findings: tuple[Finding, ...]
    chain: Explained
    chain_found: Order
    strip: Explained
    strip_found: Order


def judge(board: Profile, seen: ExamEvidence) -> ExamVerdict:
    """Return what follows from what was seen on ``board``."""
    chain_found = _chain_found(board, seen)
    strip_found = tuple(seen.lit.get(pixel) for pixel in range(board.light_count))
    registers = _groups(board, board.by_bit(), registers=True)
    tiles, likely, round_ = tuple(_tiles(board)), strip_mistakes(board), tuple(_turned_tiles(board))

    def of_tiles(order: Order, found: Order) -> tuple[Mistake, ...]:
        return (*replugged(order, found, tiles), *laid_round(order, tiles, round_))

    chain = explain(
        board.by_bit(), chain_found, lambda order: (*of_tiles(order, chain_found), *regrouped(order, registers))
    )
    strip = explain(board.by_light(), strip_found, lambda order: (*of_tiles(order, strip_found), *likely(order)))
    findings = (
        *_link(seen),
        *_stuck(board, seen),
        *(_chain_mistake(board, mistake) for mistake in chain.mistakes),
        *_strange(board, seen, chain, chain_found),
        *_silent(board, seen, chain),
        *(_strip_mistake(board, mistake) for mistake in strip.mistakes),
        *_strange_lights(strip, strip_found),
        *_dark(board, seen, strip),
        *_health(board, seen),
    )
    findings = tuple(dict.fromkeys(findings))  # sensors and lights of a tile hang on one cable
    return ExamVerdict(findings, chain, chain_found, strip, strip_found)


def _chain_found(board: Profile, seen: ExamEvidence) -> Order:
    bits = {site: bit for bit, site in enumerate(board.by_bit()) if site is not None}
    found: list[str | None] = [None] * board.chain_length
    for site, heard in seen.heard.items():
        if len(heard) == 1 and found[bits[heard[0]]] is None:
            found[bits[heard[0]]] = site
    return tuple(found)


def strip_mistakes(board: Profile) -> Callable[[Order], Iterator[Mistake]]:
    """Return a function that yields the mistakes that a strip on ``board`` may have, the likeliest first."""
    groups = _groups(board, board.by_light(), registers=False)
    lit = [site for site in board.sites if site.light is not None]
    possible, rows = turns(lit), [group for group in groups if group.of == "row"]
    tiles = tuple(_tiles(board))

    def mistakes(order: Order) -> Iterator[Mistake]:
        yield from exchanged(order, tiles)
        yield from regrouped(order, groups)
        yield from shifted(order)
        yield from ways(order, rows, possible)

    return mistakes


def _has_shell_tiles(board: Profile) -> bool:
    return any(site.kind != "cell" for site in board.sites)


def _tiles(board: Profile) -> Iterator[Group]:
    """Yield the tiles of a board that has a multiplexer on each, numbered as the hub's sockets are: from 0.

    Their pixels are in the order of their inputs.
    """
    for number in range(board.chain_length // MUX_INPUTS) if board.has_tiles else ():
        slots = tuple(range(number * MUX_INPUTS, (number + 1) * MUX_INPUTS))
        yield Group(say("tile {number}", number=number), slots, "tile")


def _turned_tiles(board: Profile) -> Iterator[Turn]:
    """Yield the ways in which a tile may lie where another turn of it was meant."""
    sites = {site.bit: site for site in board.sites}
    for tile in _tiles(board):
        yield from turns([sites[slot] for slot in tile.slots if slot in sites], mirrored=False)


def tiles_of(board: Profile, sites: Set[str]) -> Mapping[str, frozenset[str]]:
    """Return the tiles of which all sites are among ``sites``, by their names."""
    tiles = {tile.name: frozenset(filter(None, (board.by_bit()[bit] for bit in tile.slots))) for tile in _tiles(board)}
    return {name: there for name, there in tiles.items() if there <= sites}


def unread(tile: str) -> Finding:
    """Return what is said of a ``tile`` of which no sensor can be read, and not of one sensor after the other."""
    return Finding(
        say("No sensor of {tile} can be read.", tile=tile),
        say("Push its cable in at both ends. If that does not help, measure 5 V and 3.3 V on {tile}.", tile=tile),
    )


def _groups(board: Profile, wire: Order, *, registers: bool) -> tuple[Group, ...]:
    whole = Group(say("chain") if registers else say("strip"), tuple(range(len(wire))), "whole")
    parts = []
    if registers and not board.has_tiles:
        many = MUX_INPUTS if board.has_fields else REGISTER_BITS
        for number, start in enumerate(range(0, len(wire), many), 1):
            mux = board.has_fields
            name = say("multiplexer {number}", number=number) if mux else say("register {number}", number=number)
            parts.append(Group(name, tuple(range(start, start + many)), "register"))
    tiles = _has_shell_tiles(board)
    rows: dict[str, list[int]] = {}
    for slot, site in enumerate(wire):
        if site is not None:
            cell = site.split(".")[0].split(":")[0]
            name = say("tile {cell}", cell=cell) if tiles else say("row {number}", number=coordinates(cell)[1])
            rows.setdefault(name, []).append(slot)
    of: Of = "tile" if tiles else "row"
    return (whole, *parts, *(Group(name, tuple(slots), of) for name, slots in rows.items()))


# ---- the chain --------------------------------------------------------------------------------------------


def pin_of(board: Profile, site: str) -> str:
    """Return where a site's sensor is soldered to, by the profile: ``register 2, input D5 (pin 4)``."""
    if board.has_fields:
        mux, number = divmod(board.by_bit().index(site), MUX_INPUTS)
        pin = MUX_PINS[number]
        if board.has_tiles:
            return say("tile {tile}, input Y{input} (pin {pin})", tile=mux, input=number, pin=pin)
        return say("multiplexer {mux}, input Y{input} (pin {pin})", mux=mux + 1, input=number, pin=pin)
    register, place = divmod(board.by_bit().index(site), REGISTER_BITS)
    data_input = REGISTER_BITS - 1 - place
    pin = INPUT_PINS[data_input]
    return say("register {register}, input D{input} (pin {pin})", register=register + 1, input=data_input, pin=pin)


def _link(seen: ExamEvidence) -> Iterator[Finding]:
    if seen.link:
        yield Finding(say("The sensor board cannot be read."), seen.link)
    if seen.drops:
        yield Finding(
            say("Losses of the connection: {count}. The last one: {why}", count=len(seen.drops), why=seen.drops[-1]),
            say("Try another USB cable, and keep it away from the wires to the lights."),
        )
    if seen.drops_loaded:
        yield Finding(
            say("The sensor board failed while all lights were on: {why}", why=seen.drops_loaded[-1]),
            say(
                "The supply cannot cope: measure 5 V at the last pixel, use thicker wires or a larger supply, or "
                "lower max_milliamps."
            ),
        )


def _stuck(board: Profile, seen: ExamEvidence) -> Iterator[Finding]:
    start, tail = _tail(board, seen.stuck)
    if tail:
        yield Finding(
            say("Every sensor from register {start} on reads closed.", start=start + 1),
            _cut_advice(start, say("has a short to ground")),
        )
    tiles = tiles_of(board, seen.stuck)
    yield from map(unread, tiles)
    for site in sorted(seen.stuck - tail.union(*tiles.values())):
        pin = pin_of(board, site)
        closed = say(
            "Look for a short to ground at {pin}, then for a stuck reed switch: tap it, or replace it.", pin=pin
        )
        field = say(
            "Take magnets and iron away from it and start the board again. If that does not help, {pin} must be at "
            "half of 3.3 V; if it is not, the sensor or its soldering is bad.",
            pin=pin,
        )
        told = say("The sensor of {site} is closed with nothing on it.", site=site)
        yield Finding(told, field if board.has_fields else closed)


def _tail(board: Profile, sites: Set[str]) -> tuple[int, frozenset[str]]:
    """Return the register from which on the chain has only ``sites``, and these; none where they are too few."""
    if board.has_fields:
        return 0, frozenset()  # there is no chain that could be cut
    registers = {site.name: site.bit // REGISTER_BITS for site in board.sites}
    start = max((register for site, register in registers.items() if site not in sites), default=-1) + 1
    tail = frozenset(site for site, register in registers.items() if register >= start)
    return start, tail if len(tail) >= SILENT_TAIL else frozenset()


def _cut_advice(start: int, how: str) -> str:
    if start == 0:
        return say(
            "The data wire from pin 9 of register 1 to the sensor board {how}, or the registers have no power.", how=how
        )
    return say(
        "The wire from pin 9 of {begin} to pin 10 of {end} {how}, or {begin} lacks power, clock (pin 2) or "
        "latch (pin 1).",
        begin=say("register {number}", number=start + 1),
        end=say("register {number}", number=start),
        how=how,
    )


def _replugged(tiles: Sequence[str]) -> Finding:
    return Finding(
        say("The cables of {tiles} are in each other's sockets.", tiles=all_of(tiles)),
        say("Plug each tile's cable into the socket of its own place."),
    )


def _of_tiles(mistake: Mistake) -> Finding | None:
    """Return what is said of tiles that were laid or plugged in wrongly; None where it is another mistake."""
    if mistake.kind == "replugged":
        return _replugged(mistake.what)
    if mistake.kind == "turned":
        return Finding(
            say("{tile} lies turned round.", tile=capital(mistake.what[0])),
            say("Lay it as the others lie: the sockets of all look towards the same side."),
        )
    return None


def _chain_mistake(board: Profile, mistake: Mistake) -> Finding:
    if found := _of_tiles(mistake):
        return found
    keep = say("Either rewire it correctly, or keep the learned profile and flash the sensor board with it.")
    if mistake.kind == "reversed":
        (name,) = mistake.what
        if mistake.of == "register":
            told = say("The sensors of {name} are reversed: its inputs D0 to D7 are in the opposite order.", name=name)
        else:
            told = say("The sensors of {name} are reversed: its sites run the other way.", name=name)
        return Finding(told, keep)
    a, b = mistake.what
    if mistake.of == "register":
        return Finding(say("{a} and {b} are swapped in the chain.", a=capital(a), b=b), keep)
    if mistake.of != "site":
        return Finding(say("The sensors of {a} and {b} are swapped.", a=a, b=b), keep)
    where = say("They belong on {a} and {b}.", a=pin_of(board, a), b=pin_of(board, b))
    return Finding(say("The sensors of {a} and {b} are swapped.", a=a, b=b), together(where, keep))


def _strange(board: Profile, seen: ExamEvidence, chain: Explained, found: Order) -> Iterator[Finding]:
    for site, heard in seen.heard.items():
        if len(heard) > 1:
            yield Finding(
                say("A magnet on {site} closes {sites}.", site=site, sites=all_of(heard)),
                say("Look for a solder bridge between these inputs; if there is none, the magnet is too strong."),
            )
    owners: dict[str, list[str]] = {}
    for site, heard in seen.heard.items():
        if len(heard) == 1:
            owners.setdefault(heard[0], []).append(site)
    for there, sites in owners.items():
        if len(sites) > 1:
            yield Finding(
                say("{sites} are all wired to the same input, that of {there}.", sites=all_of(sites), there=there),
                say("Their wires touch somewhere on the way to {pin}.", pin=pin_of(board, there)),
            )
    for bit in chain.strange:
        meant = board.by_bit()[bit]
        if meant is not None and len(owners.get(meant, ())) == 1:
            site = str(found[bit])
            yield Finding(
                say("{site} is wired to the input of {meant}.", site=site, meant=meant),
                say("Wire it to its own input, {pin}, or keep the learned profile.", pin=pin_of(board, site)),
            )


def _silent(board: Profile, seen: ExamEvidence, chain: Explained) -> Iterator[Finding]:
    reachable = {site for bit, site in enumerate(chain.order) if board.by_bit()[bit] is not None}
    silent = {site for site, heard in seen.heard.items() if not heard} - seen.stuck
    start, tail = _tail(board, silent | {site.name for site in board.sites if site.name not in seen.heard})
    if len(tail & silent) >= SILENT_TAIL:
        yield Finding(
            say("No sensor from register {start} on responds.", start=start + 1), _cut_advice(start, say("is open"))
        )
        silent -= tail
    tiles = tiles_of(board, silent)
    yield from map(unread, tiles)
    silent = silent.difference(*tiles.values())
    for site in (name for name in seen.heard if name in silent):
        if site in reachable:
            pin = pin_of(board, site)
            contact = say(
                "Measure it: with a magnet on it, {pin} must go to 0 V. If it does, the input is bad; if "
                "not, the sensor or its wire is.",
                pin=pin,
            )
            field = say(
                "Measure it: {pin} must be at half of 3.3 V, and move by 0.1 V with a magnet on it. If it does, the "
                "input is bad; if not, the sensor or its soldering is.",
                pin=pin,
            )
            yield Finding(
                say("The sensor of {site} never responds.", site=site), field if board.has_fields else contact
            )
        else:
            yield Finding(
                say("The sensor of {site} is wired to an input that this board does not use.", site=site),
                say("Wire it to {pin}, or flash the learned profile.", pin=pin_of(board, site)),
            )


# ---- lights and health ------------------------------------------------------------------------------------


def _first_two(order: Order) -> str:
    first, *second = filter(None, order[:2])
    return say("{one} to {other}", one=first, other=second[0]) if second else first


def _strip_mistake(board: Profile, mistake: Mistake) -> Finding:
    if found := _of_tiles(mistake):
        return found
    keep = say("Turn or swap the pieces of strip, or keep the learned profile, which needs no flashing.")
    if mistake.kind == "laid":
        begins, meant = _first_two(mistake.order), _first_two(board.by_light())
        return Finding(
            say("The strip is laid differently: it starts at {here}, not at {meant}.", here=begins, meant=meant),
            say("Keep the learned profile, which needs no flashing, or lay the strip again."),
        )
    if mistake.kind == "added":
        site = mistake.what[0]
        return Finding(
            say("The strip has one pixel too many before {site}: from there on, each is one site late.", site=site),
            say("Take that pixel out, or keep the learned profile and accept one dark site."),
        )
    if mistake.kind == "reversed":
        (name,) = mistake.what
        whole = say("The lights of the whole strip run the other way.")
        part = say("The lights of {name} run the other way.", name=name)
        return Finding(whole if mistake.of == "whole" else part, keep)
    if mistake.kind == "skipped":
        site = mistake.what[0]
        return Finding(
            say("The strip skips {site}: from there on, every light is one site too early.", site=site),
            say("Insert a pixel there, or keep the learned profile and accept one dark site."),
        )
    a, b = mistake.what
    return Finding(say("The lights of {a} and {b} are swapped.", a=a, b=b), keep)


def _strange_lights(strip: Explained, found: Order) -> Iterator[Finding]:
    if len(strip.strange) > MOST_STRANGE:
        yield Finding(
            say("{count} lights are in the wrong place, in no known order.", count=len(strip.strange)),
            say("Check every light, then keep the learned profile; or follow the strip's data wire."),
        )
        return
    for pixel in strip.strange:
        there, meant = str(found[pixel]), str(strip.order[pixel])
        yield Finding(
            say("Pixel {pixel} lights up at {site}, not at {meant}.", pixel=pixel, site=there, meant=meant),
            say("Follow the strip's data wire there, or keep the learned profile."),
        )


def _dark(board: Profile, seen: ExamEvidence, strip: Explained) -> Iterator[Finding]:
    skipped = {board.light_count - 1 - k for k in range(sum(m.kind == "skipped" for m in strip.mistakes))}
    skipped |= {strip.order.index(None)} if any(m.kind == "added" for m in strip.mistakes) else set()
    dark = sorted(pixel for pixel, site in seen.lit.items() if site is None and pixel not in skipped)
    if dark and dark == sorted(seen.lit):
        yield Finding(
            say("No light comes on."),
            say(
                "Check 5 V at the strip's start, the data wire to its first pixel's DIN (not DOUT), the level shifter, "
                "and the pin in the settings."
            ),
        )
        return
    used = [pixel for pixel, site in enumerate(board.by_light()) if site is not None]
    if len(dark) > 1 and dark == [p for p in used if p >= dark[0]]:
        last = board.by_light()[used[used.index(dark[0]) - 1]]
        told = say(
            "No light comes on from pixel {pixel} ({site}) onwards.", pixel=dark[0], site=str(strip.order[dark[0]])
        )
        tile = next((tile for tile in _tiles(board) if tile.slots[0] == dark[0]), None)
        if tile is not None:
            cables = say("Push the cable of {tile} in at both ends, then that of the tile before it.", tile=tile.name)
            yield Finding(told, cables)
            return
        yield Finding(
            told,
            say(
                "Check the joint after the light of {site}: data from DOUT to DIN, 5 V, ground; if those are "
                "good, that pixel is dead.",
                site=str(last),
            ),
        )
        return
    for pixel in dark:
        dark_one = say("Pixel {pixel} ({site}) stays dark.", pixel=pixel, site=str(strip.order[pixel]))
        yield Finding(dark_one, say("Replace that pixel."))


def _health(board: Profile, seen: ExamEvidence) -> Iterator[Finding]:
    health = seen.health
    if health is None:
        return
    if health.scans_per_s < SCANS_LEAST // board.scan_ms:
        scans, right = health.scans_per_s, SCANS_PER_S // board.scan_ms
        yield Finding(
            say("The sensor board scans {scans} times a second, not {right}.", scans=scans, right=right),
            say("Check its crystal (16 MHz) and flash it again."),
        )
    lost = health.bad_frames + health.bytes_lost
    if lost:
        damaged = say("Frames or bytes corrupted on the way to the sensor board: {lost}.", lost=lost)
        yield Finding(damaged, say("Try another USB cable."))
    if health.changes_lost:
        changes = say("Changes lost: {lost}.", lost=health.changes_lost)
        yield Finding(changes, say("A sensor chatters: find out which, and replace it."))
    if health.undervolted:
        supply = say("The Pi's supply voltage fell below 4.63 V.")
        yield Finding(supply, say("Use shorter or thicker 5 V wires, or a larger supply."))
    if board.has_tiles and not health.strong:
        yield too_weak()


def too_weak() -> Finding:
    """Return what is said of tiles whose supply offers less than their sensors alone draw."""
    return Finding(
        say("The supply of the tiles offers less than 1.5 A: that is too little for their sensors and lights."),
        say("Plug one of 5 V and 3 A into the hub, by a cable of USB-C at both ends."),
    )
