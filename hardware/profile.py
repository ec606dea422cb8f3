"""Board profiles: one file that says which sites a board has, where they lie, and which bit and light each has.

Everything else about a board is made from a `Profile`: firmware tables, wiring lists, drawings, the simulator, the
service.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Meta

from controller.magnet_kinds import Magnet
from controller.rules.mesh import BadMesh, Mesh
from controller.toml_text import BadToml, content, parse
from controller.typed import ready
from hardware.site_layout import Kind, SitePlace, coordinates, laid, mesh_of, places, seams
from hardware.tracker_circuit import NoCircuit, circuit_of

BOARDS = Path(__file__).parent / "boards"
UNUSED = "-"  # a bit or a pixel that belongs to no site
REGISTER_BITS = 8  # of a 74HC165
MOST_BITS = 512  # that the firmware scans
MOST_INPUTS = 344  # where sensors tell poles: a snapshot has room for two levels of each
CLOSEST_MM = 6.0  # two sensors nearer than this see each other's magnet
IDLE_MILLIAMPS = 1  # of a dark WS2812
MUXES, MUX_INPUTS = 3, 16  # of 74HC4067 that an RP2040 reads at once, between it and linear hall sensors: a group
MUX_GROUPS = (1, 3)  # that there may be: all on one circuit board, or nine tiles with one multiplexer each
MOST_PIXELS = 255  # that an RP2040 sends to


Chip = Literal["atmega328p", "rp2040"]  # that reads the sensors: by a chain of 74HC165, or linear ones by multiplexers


class BadProfile(ValueError):
    """A board file that describes no board; ``faults`` has one sentence a fault, each naming the file."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


class Site(msgspec.Struct, frozen=True):
    """One sensor with its light. Millimetres from the board's lower left corner, as the first player sees it, y up.

    ``bit`` counts from 0, the first bit of the chain to reach the reader; ``light`` from the strip's first pixel.
    """

    name: str
    kind: Kind
    x_mm: float
    y_mm: float
    bit: int
    light: int | None
    outline: tuple[tuple[float, float], ...]


class Profile(msgspec.Struct, frozen=True, kw_only=True, dict=True):  # ``dict`` for what is worked out once
    """A board. Made by `load` or `bare`, which check it.

    ``chip`` reads the sensors. ``on_phones`` are sites with neither sensor nor light. ``poles`` says that sensors
    tell which pole faces down. ``strong_milliamps`` are for the lights where the board reads that its supply offers
    1.5 A or more; 0: it reads nothing of it. ``facing[seat]`` is the number of the row nearest to that seat.
    ``chain_length`` counts bits and is a multiple of 8. ``games`` has, by game, the board's name of each of its
    sites; None: any game, every site under its own name. ``magnets`` has, by game, how strong a magnet is in a kind of
    piece, where that is not what the game says.
    """

    name: str
    title: str
    tiling: str
    pitch_mm: float
    sensor: Literal["reed", "hall"]
    chip: Chip
    facing: tuple[int, ...]
    sites: tuple[Site, ...]
    chain_length: int
    light_count: int
    max_milliamps: int
    tracker: Literal["none", "circuit"]
    cells: Mesh
    games: Mapping[str, Mapping[str, str]] | None
    poles: bool = False
    strong_milliamps: int = 0
    on_phones: tuple[SitePlace, ...] = ()
    magnets: Mapping[str, Mapping[str, Magnet]] = {}

    @property
    def site_names(self) -> tuple[str, ...]:
        """All sites, also those on phones, which come last."""
        return (*(site.name for site in self.sites), *(place.name for place in self.on_phones))

    @property
    def has_fields(self) -> bool:
        """Whether its sensors are linear ones behind multiplexers, not contacts on a chain of registers."""
        return self.chip == "rp2040"

    @property
    def wired_length(self) -> int:
        """How many inputs there are to solder: where switches tell poles, each site has one for either pole."""
        return self.chain_length * (2 if self.poles and not self.has_fields else 1)

    @property
    def sensor_count(self) -> int:
        """How many sensors there are to buy and solder."""
        return len(self.sites) * self.wired_length // self.chain_length

    @property
    def mux_groups(self) -> int:
        """How many groups of multiplexers the chip reads one after another; 0 where there are none."""
        return self.chain_length // (MUXES * MUX_INPUTS) if self.has_fields else 0

    @property
    def scan_ms(self) -> int:
        """How long its sensor board takes to read all sensors: a chain, or a group of multiplexers, a millisecond."""
        return max(1, self.mux_groups)

    @property
    def has_tiles(self) -> bool:
        """Whether each multiplexer is on a tile of its own, on a cable to the circuit board of the chip."""
        return self.mux_groups > 1

    @property
    def lights_hang_on_sensor_board(self) -> bool:
        """Whether its pixels hang on the chip that reads its sensors, and on no pin of the Pi."""
        return self.has_fields

    @cached_property
    def drawn(self) -> dict[str, Any]:
        """What `geometry` returns."""
        return _drawn(self)

    def most_milliamps(self, own: int, *, strong: bool = False) -> int:
        """Return what the lights may draw: ``own``, which people set, else by this profile where that is 0.

        Where the board reads what its supply offers, and whether it is ``strong``, nobody asks for more than that.
        """
        board = self.strong_milliamps if strong and self.strong_milliamps else self.max_milliamps
        return min(own or board, board) if self.strong_milliamps else own or board

    def mesh(self) -> Mesh:
        """Return the mesh of the board's cells."""
        return self.cells

    def placement(self, game: str) -> Mapping[str, str] | None:
        """Return the board's name of each site of ``game``, or None where the game does not fit on this board."""
        if self.games is None:
            return {site.name: site.name for site in self.sites}
        return self.games.get(game)

    def by_bit(self) -> tuple[str | None, ...]:
        """Return the site at each bit of the chain, in the order in which bits arrive; None: unused."""
        return _at(self.chain_length, ((site.bit, site.name) for site in self.sites))

    def by_light(self) -> tuple[str | None, ...]:
        """Return the site at each pixel of the strip; None: unused."""
        return _at(self.light_count, ((s.light, s.name) for s in self.sites if s.light is not None))

    def turn(self, seat: int) -> int:
        """Return by how many degrees a drawing is turned for ``seat``: 180 for who sits at the last row, else 0."""
        row = self.facing[seat] if seat < len(self.facing) else self.facing[0]
        low, high = _rows(self.cells)
        return 180 if row == high != low else 0


def _at(length: int, pairs: Iterator[tuple[int, str]]) -> tuple[str | None, ...]:
    names: list[str | None] = [None] * length
    for number, name in pairs:
        names[number] = name
    return tuple(names)


def _rows(mesh: Mesh) -> tuple[int, int]:
    numbers = [coordinates(name)[1] for name in mesh.cells]
    return min(numbers), max(numbers)


# ---- the file ---------------------------------------------------------------------------------------------


class _Laying(msgspec.Struct, frozen=True):
    """How a game lies on the board: its own tiling, and how far its names move."""

    tiling: str
    letters: int = 0
    numbers: int = 0


class _BoardKeys(msgspec.Struct, frozen=True):
    """The keys of a board file; docs/boards.md explains them."""

    title: Annotated[str, Meta(min_length=1)]
    tiling: str
    pitch_mm: Annotated[float, Meta(ge=10, le=200)]
    sensor: Literal["reed", "hall"]
    facing: Annotated[tuple[int, ...], Meta(min_length=1)]
    max_milliamps: Annotated[int, Meta(ge=100, le=60_000)]
    chain: tuple[str, ...]
    lights: tuple[str, ...] = ()
    poles: bool = False
    shells: bool = False
    vertices: Literal["none", "shared"] = "none"
    tracker: Literal["none", "circuit"] = "none"
    chip: Chip = "atmega328p"
    strong_milliamps: Annotated[int, Meta(ge=0, le=60_000)] = 0
    on_phones: bool = False
    games: dict[str, dict[str, Any]] = {}
    magnets: dict[str, dict[str, Magnet]] = {}


def names() -> tuple[str, ...]:
    """Return the names of the boards that come with the service, sorted."""
    return tuple(sorted(path.stem for path in BOARDS.glob("*.toml")))


def chained() -> tuple[str, ...]:
    """Return the names of the shipped boards with a chain of registers, sorted: those that are built by hand."""
    return tuple(name for name in names() if not load(name).has_fields)


def load(name_or_path: str) -> Profile:
    """Return the board of that name, or described by the file at that path; raises `BadProfile`."""
    path = BOARDS / f"{name_or_path}.toml" if name_or_path in names() else Path(name_or_path)
    try:
        return read(path.stem, content(path))
    except OSError as error:
        raise BadProfile(
            [
                f"there is no board '{name_or_path}' ({error.strerror}): name one of {', '.join(names())} or the "
                "path of a board file"
            ]
        ) from error


@lru_cache(maxsize=16)
def read(name: str, text: bytes) -> Profile:
    """Return the board called ``name`` from the text of its file; raises `BadProfile`.

    The boards that were read last are kept: a start asks for its board in several places, and checking a large one
    takes as long as opening the journal.
    """
    try:
        data = parse(text)
    except BadToml as error:
        raise BadProfile([f"{name}.toml is not TOML: {error}"]) from error
    faults: list[str] = []
    file = _convert(f"{name}.toml: ", "", data, _BoardKeys, faults)
    if file is None:
        raise BadProfile(faults)
    profile = _build(name, file, faults)
    if faults or profile is None:
        raise BadProfile([f"{name}.toml: {fault}" for fault in faults])
    return profile


T = TypeVar("T", bound=msgspec.Struct)


def _convert(where: str, under: str, data: Mapping[str, Any], schema: type[T], faults: list[str]) -> T | None:
    """Return ``data`` as ``schema``, or None with one sentence a fault added to ``faults``."""
    fields = {field.name: field for field in msgspec.structs.fields(schema)}
    found = [f"there is no key '{under}{key}'; known are {', '.join(fields)}" for key in data if key not in fields]
    values = {}
    for key, field in fields.items():
        if key not in data:
            if field.required:
                found.append(f"the key '{under}{key}' is missing")
            continue
        try:
            values[key] = msgspec.convert(data[key], ready(field.type))
        except msgspec.ValidationError as error:
            found.append(f"{under}{key} = {repr(data[key])[:200]} is not allowed: {_allowed(field.type, error)}")
    faults += [where + sentence for sentence in found]
    return None if found else schema(**values)


def _allowed(kind: Any, error: msgspec.ValidationError) -> str:
    if get_origin(kind) is Literal:
        return f"it must be {' or '.join(map(repr, get_args(kind)))}"
    text = str(error).split(" - at ")[0].replace("`", "")
    return text[:1].lower() + text[1:]


# ---- checks -----------------------------------------------------------------------------------------------


def _build(name: str, file: _BoardKeys, faults: list[str]) -> Profile | None:
    try:
        mesh = mesh_of(file.tiling)
    except BadMesh as error:
        faults.append(str(error))
        return None
    every = places(mesh, file.pitch_mm, shells=file.shells, vertices=file.vertices == "shared")
    found = [place for place in every if place.kind == "cell" or not file.on_phones]
    shown = tuple(place for place in every if place.kind != "cell" and file.on_phones)
    chain, lights = _split(file.chain), _split(file.lights)
    faults += _wire_faults("chain", chain, found)
    faults += _sensor_faults(chain, found)
    faults += _pole_faults(file, chain)
    faults += _light_faults(lights, found, file.max_milliamps)
    faults += _chip_faults(file, chain, lights)
    if file.on_phones and not shown:
        faults.append("on_phones = true has nothing to show on phones: say shells = true or vertices = 'shared'")
    faults += _crowded(found)
    if file.tracker == "circuit" and not faults:
        faults += _tracker_faults(mesh, chain)
    low, high = _rows(mesh)
    strange = [row for row in file.facing if row not in (low, high)]
    faults += [f"facing names row {row}; a seat faces row {low} or {high}" for row in strange]
    games = _games(mesh, file, {place.name for place in every}, faults)
    if faults:
        return None
    bit, light = ({name: number for number, name in enumerate(wire)} for wire in (chain, lights))
    return Profile(
        name=name,
        title=file.title,
        tiling=file.tiling,
        pitch_mm=file.pitch_mm,
        sensor=file.sensor,
        chip=file.chip,
        facing=file.facing,
        sites=_sites(found, bit, light),
        chain_length=len(chain),
        light_count=len(lights),
        max_milliamps=file.max_milliamps,
        tracker=file.tracker,
        cells=mesh,
        games=games,
        on_phones=shown,
        poles=file.poles,
        strong_milliamps=file.strong_milliamps,
        magnets=file.magnets,
    )


def _sites(found: Sequence[SitePlace], bit: Mapping[str, int], light: Mapping[str, int]) -> tuple[Site, ...]:
    return tuple(Site(p.name, p.kind, p.x_mm, p.y_mm, bit[p.name], light.get(p.name), p.outline) for p in found)


def _split(rows: Sequence[str]) -> list[str]:
    return [name for row in rows for name in row.split()]


def _wire_faults(key: str, wire: Sequence[str], found: Sequence[SitePlace]) -> Iterator[str]:
    known = {place.name for place in found}
    first: dict[str, int] = {}
    for number, name in enumerate(wire):
        if name == UNUSED:
            continue
        if name not in known:
            yield f"{key} has '{name}' at number {number}; this board has no such site"
        elif name in first:
            yield f"{key} has '{name}' twice, at numbers {first[name]} and {number}"
        first.setdefault(name, number)


def _sensor_faults(chain: Sequence[str], found: Sequence[SitePlace]) -> Iterator[str]:
    missing = [place.name for place in found if place.name not in set(chain)]
    if missing:
        yield f"chain leaves out {_some(missing)}; every site needs a bit"
    if len(chain) % REGISTER_BITS:
        full = math.ceil(len(chain) / REGISTER_BITS) * REGISTER_BITS
        yield f"chain has {len(chain)} bits; registers have {REGISTER_BITS} inputs, so fill it up with '-' to {full}"
    if len(chain) > MOST_BITS:
        yield f"chain has {len(chain)} bits; the firmware scans {MOST_BITS} at most"


def _chip_faults(file: _BoardKeys, chain: Sequence[str], lights: Sequence[str]) -> Iterator[str]:
    """Yield what a board whose chip is an RP2040 cannot have: it has no chain, but multiplexers."""
    if file.chip != "rp2040":
        if file.strong_milliamps:
            yield "strong_milliamps wants chip = 'rp2040', which reads what the supply offers: leave it out"
        return
    if 0 < file.strong_milliamps <= file.max_milliamps:
        yield f"strong_milliamps = {file.strong_milliamps} is for a stronger supply: say more than max_milliamps"
    if file.sensor != "hall":
        yield f"sensor = '{file.sensor}' cannot be with chip = 'rp2040', which reads linear hall sensors: say 'hall'"
    board, tiles = (groups * MUXES * MUX_INPUTS for groups in MUX_GROUPS)
    if len(chain) not in (board, tiles):
        wanted = f"it has {board}, of three multiplexers, or {tiles}, of nine tiles: fill it up with '-'"
        yield f"chain has {len(chain)} bits; with chip = 'rp2040' {wanted}"
    if not 0 < len(lights) <= MOST_PIXELS:
        yield f"lights has {len(lights)} pixels; with chip = 'rp2040' there are 1 to {MOST_PIXELS}"
    if file.tracker != "none":
        yield f"tracker = '{file.tracker}' cannot be with chip = 'rp2040': it listens to a chain of registers"


def _pole_faults(file: _BoardKeys, chain: Sequence[str]) -> Iterator[str]:
    """Of a board that tells poles, which has two levels for each input."""
    if not file.poles:
        return
    if file.sensor != "hall":
        yield f'sensor = "{file.sensor}" tells no poles; say poles = false, or sensor = "hall"'
    if file.tracker != "none":
        yield "poles = true makes a chain twice as long, which the tracker cannot follow; say tracker = 'none'"
    if MOST_BITS >= len(chain) > MOST_INPUTS:
        yield f"chain has {len(chain)} inputs; where sensors tell poles a snapshot has room for {MOST_INPUTS}"
    if file.chip != "rp2040" and MOST_INPUTS >= len(chain) > MOST_BITS // 2:
        yield f"chain has {len(chain)} inputs; with a switch for either pole the firmware scans {MOST_BITS // 2}"


def _tracker_faults(mesh: Mesh, chain: Sequence[str]) -> Iterator[str]:
    try:
        circuit_of(mesh, {name: bit for bit, name in enumerate(chain)})
    except NoCircuit as wrong:
        yield str(wrong)


def _light_faults(lights: Sequence[str], found: Sequence[SitePlace], max_milliamps: int) -> Iterator[str]:
    yield from _wire_faults("lights", lights, found)
    lit = set(lights)
    for kind in ("cell", "vertex", "node"):
        missing = [place.name for place in found if place.kind == kind and place.name not in lit]
        if missing and any(place.kind == kind and place.name in lit for place in found):
            yield f"lights leaves out {_some(missing)}; light every {kind} or none"
    if max_milliamps < len(lights) * IDLE_MILLIAMPS:
        yield f"max_milliamps = {max_milliamps} is less than {len(lights)} dark pixels draw"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"


def _crowded(found: Sequence[SitePlace]) -> Iterator[str]:
    if len(found) > MOST_BITS:
        return  # such a board is refused in any case, and this would take its time
    for a, b in combinations(found, 2):
        gap = math.dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm))
        if gap < CLOSEST_MM:
            least = f"less than {CLOSEST_MM:g}; make pitch_mm larger"
            yield f"{a.name} and {b.name} overlap: they lie {gap:.1f} mm apart, {least}"
            return  # one pair will do: a pitch that is too small crowds them all


def _games(mesh: Mesh, file: _BoardKeys, known: set[str], faults: list[str]) -> dict[str, dict[str, str]]:
    games = {}
    for game, given in file.games.items():
        laying = _convert("", f"games.{game}.", given, _Laying, faults)
        if laying is None:
            continue
        try:
            names = laid(mesh_of(laying.tiling), mesh, laying.letters, laying.numbers)
        except BadMesh as error:
            faults.append(f"games.{game}: {error}")
        except KeyError as error:
            faults.append(f"games.{game} lies beside the board: there is no cell {error.args[0]} on it")
        else:
            games[game] = {here: there for here, there in names.items() if there in known}
    return games


# ---- made from a profile ----------------------------------------------------------------------------------


def bare(name: str, mesh: Mesh, *, shells: bool = False, vertices: bool = False) -> Profile:
    """Return a board of exactly the cells of ``mesh``, on which every site keeps its name, for play without a board.

    With ``shells`` and ``vertices`` it has those sites too. Bits and lights are in the order of the sites.
    """
    found = places(mesh, 40.0, shells=shells, vertices=vertices)
    number = {place.name: k for k, place in enumerate(found)}
    return Profile(
        name=name,
        title=f"A bare board for {name}",
        tiling="",
        pitch_mm=40.0,
        sensor="reed",
        chip="atmega328p",
        facing=_rows(mesh),
        sites=_sites(found, number, number),
        chain_length=math.ceil(len(found) / REGISTER_BITS) * REGISTER_BITS,
        light_count=len(found),
        max_milliamps=60_000,
        tracker="none",
        cells=mesh,
        games=None,
    )


def geometry(profile: Profile) -> dict[str, Any]:
    """Return the board for drawing, in millimetres, y downwards, the first player at the bottom; nobody may change it.

    ``{"name", "title", "width", "height", "view": [left, top, width, height], "turns": degrees by seat,
    "joined": [[cell, side, other cell, its side], …], "sites": {name: {"kind", "x", "y", "outline": [[x, y], …]}}}``.
    ``view`` leaves room for names round the board. Joined sides are one side that is drawn twice, on a board that is
    drawn unfolded; side k of a cell goes from corner k of its outline to the next.
    """
    return profile.drawn


def _drawn(profile: Profile) -> dict[str, Any]:
    corners = [point for site in profile.sites for point in site.outline]
    width, height = max(x for x, _ in corners), max(y for _, y in corners)
    rim = 1.5 * max(map(inner_mm, profile.sites))
    shown: tuple[Site | SitePlace, ...] = (*profile.sites, *profile.on_phones)
    return {
        "name": profile.name,
        "title": profile.title,
        "width": round(width, 2),
        "height": round(height, 2),
        "view": [round(number, 1) for number in (-rim, -rim, width + 2 * rim, height + 2 * rim)],
        "turns": [profile.turn(seat) for seat in range(len(profile.facing))],
        "joined": [[*seam] for seam in seams(profile.cells)],
        "sites": {
            site.name: {
                "kind": site.kind,
                "x": round(site.x_mm, 2),
                "y": round(height - site.y_mm, 2),
                "outline": [[round(x, 2), round(height - y, 2)] for x, y in site.outline],
            }
            for site in shown
        },
    }


def inner_mm(site: Site) -> float:
    """Return the radius of the largest circle about the middle of a drawn ``site``."""
    corners = site.outline
    middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(corners, corners[1:] + corners[:1], strict=True)]
    return min(math.dist(middle, (site.x_mm, site.y_mm)) for middle in middles)
