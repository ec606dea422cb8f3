"""The shell-cost tracker of a board: which register a tile has on the chain, and which tiles face each other how.

On axis d, node j of one tile faces node (2d + n/2 - j) mod n of the other.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from controller.rules.mesh import NONE, Mesh

REGISTER_BITS = 8
RINGS = (4, 6)  # nodes of the shells that there is a circuit for: squares and hexes
ADDING_OHMS = 10_000
# In counts of the ADC, of which the supply has `FULL`. A good circuit is within `TOLERANCE` of its level: with every
# part at its worst end it is 16 off. Beyond `BETWEEN` from every level a reading lies between two; half a gap is 85.
FULL = 1024
TOLERANCE = 17
BETWEEN = 43


class NoCircuit(ValueError):
    """A board on which the circuit cannot work; the sentence says why and what to do."""


class Seam(msgspec.Struct, frozen=True):
    """Two neighbouring tiles, the lesser in cell order first, as the circuit sees them."""

    tile_a: str
    tile_b: str
    register_a: int  # of the chain, from 0
    register_b: int
    axis: int


class TrackerCircuit(msgspec.Struct, frozen=True):
    """The tracker of a board: shells of ``nodes`` nodes, an ADC channel for each of ``axes``, every adjacency once."""

    nodes: int
    axes: int
    registers: Mapping[str, int]  # by tile
    seams: tuple[Seam, ...]

    def facing(self, axis: int, node: int) -> int:
        """Return the node of either tile that faces ``node`` of the other one on ``axis``."""
        return (2 * axis + self.nodes // 2 - node) % self.nodes

    def seam(self, tile: str, other: str) -> Seam:
        """Return the adjacency of two tiles in either order; raises `NoCircuit` where they are no neighbours."""
        for name in (tile, other):
            if name not in self.registers:
                raise NoCircuit(f"there is no tile {name} on this board; tiles are {', '.join(self.registers)}")
        for seam in self.seams:
            if {seam.tile_a, seam.tile_b} == {tile, other}:
                return seam
        raise NoCircuit(f"{tile} and {other} share no side, so there is no cost between them; name two neighbours")


def circuit_of(mesh: Mesh, bits: Mapping[str, int]) -> TrackerCircuit:
    """Return the tracker for the tiles of ``mesh`` whose sites have ``bits`` on the chain; raises `NoCircuit`.

    Each tile needs its nodes in order on the first inputs of a register of its own: the circuit knows a tile only by
    the moment at which its register has passed.
    """
    sizes = {len(row) for row in mesh.neighbours}
    if len(sizes) != 1 or not sizes <= set(RINGS):
        raise NoCircuit('tracker = "circuit" is for boards of squares alone or of hexes alone; say tracker = "none"')
    nodes = sizes.pop()
    registers: dict[str, int] = {}
    for tile in mesh.cells:
        registers[tile] = _register(tile, nodes, bits)
    tile_at: dict[int, str] = {}
    for tile, register in registers.items():
        first = tile_at.setdefault(register, tile)
        if first != tile:
            raise NoCircuit(
                f"the tracker cannot tell tiles {first} and {tile} apart, as both have nodes on register "
                f'{register + 1} of the chain; give each tile a register of its own, or say tracker = "none"'
            )
    seams = tuple(
        Seam(name, mesh.cells[other], registers[name], registers[mesh.cells[other]], side % (nodes // 2))
        for cell, name in enumerate(mesh.cells)
        for side, other in enumerate(mesh.neighbours[cell])
        if other != NONE and cell < other
    )
    return TrackerCircuit(nodes, nodes // 2, registers, seams)


def _register(tile: str, nodes: int, bits: Mapping[str, int]) -> int:
    """Return the register in which the nodes of ``tile`` lie, or the first of those over which they are spread."""
    names = [f"{tile}:{node}" for node in range(nodes)]
    if any(name not in bits for name in names):
        raise NoCircuit('tracker = "circuit" needs a board with shells = true; say tracker = "none"')
    register = bits[names[0]] // REGISTER_BITS
    other = next((bit for name in names if (bit := bits[name] // REGISTER_BITS) != register), None)
    if other is not None:
        raise NoCircuit(
            f"the tracker cannot read tile {tile}, as its nodes are spread over registers {register + 1} and "
            f'{other + 1} of the chain; keep them in one, or say tracker = "none"'
        )
    swapped = next((node for node, name in enumerate(names) if bits[name] % REGISTER_BITS != node), None)
    if swapped is not None:
        raise NoCircuit(
            f"the tracker needs node {swapped} of tile {tile} at bit {swapped} of its register, and it is at bit "
            f'{bits[names[swapped]] % REGISTER_BITS}; put the nodes in order, or say tracker = "none"'
        )
    return register
