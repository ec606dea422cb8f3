"""The grid of Beacons, from 002, "Layout", and docs/rules: cells by name, sides clockwise, and the vertices they share.

Hexes and squares are made here. Any other board is taken as names and which side meets which, and its vertices follow.
"""

from dataclasses import dataclass, field

from .referee import HEX_EDGES, add, hex_board, name

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))  # docs/rules: the sides of a square, clockwise from the top


@dataclass
class Grid:
    """``sides[cell][k]`` is the cell beyond side k and that cell's side there, None at the edge of the board.

    ``vertices`` are the cells round each vertex that two or more share, by the vertex' name.
    """

    cells: list[str]
    sides: dict[str, list[tuple[str, int] | None]]
    vertices: dict[str, list[str]] = field(init=False)
    nodes: int = field(init=False)

    def __post_init__(self) -> None:
        self.nodes = max(len(sides) for sides in self.sides.values())
        self.vertices = self.shared()

    def neighbours(self, at: str) -> list[str]:
        """Return the cells that have a side in common with ``at``. 002: "Adjacency"."""
        return [beyond[0] for beyond in self.sides[at] if beyond]

    def facing(self, a: str, b: str) -> tuple[int, int]:
        """Return the nodes on which the side between two cells has its middle: side e of k is at e·n/k."""
        side, beyond = next((k, beyond) for k, beyond in enumerate(self.sides[a]) if beyond and beyond[0] == b)
        return side * self.nodes // len(self.sides[a]), beyond[1] * self.nodes // len(self.sides[b])

    def around(self, corner: tuple[str, int]) -> set[tuple[str, int]]:
        """Return all corners (cell, number) that lie on the vertex of ``corner``; corner k is where side k starts."""
        found, ahead = {corner}, [corner]
        while ahead:
            at, k = ahead.pop()
            before = (k - 1) % len(self.sides[at])
            for side, turned in ((k, 1), (before, 0)):
                beyond = self.sides[at][side]
                if beyond:  # two sides that meet run against each other
                    other = (beyond[0], (beyond[1] + turned) % len(self.sides[beyond[0]]))
                    if other not in found:
                        found.add(other)
                        ahead.append(other)
        return found

    def shared(self) -> dict[str, list[str]]:
        """Return the vertices. Ruling, written: in cell order; the second one with the same cells adds `#2`."""
        found: dict[str, list[str]] = {}
        done: set[tuple[str, int]] = set()
        for at in self.cells:
            for k in range(len(self.sides[at])):
                if (at, k) in done:
                    continue
                corners = self.around((at, k))
                done |= corners
                cells = sorted({one for one, _ in corners}, key=self.cells.index)
                if len(cells) > 1:  # 002: "At every shared vertex of a cell"
                    word, again = ".".join(cells), 1
                    while word + (f"#{again}" if again > 1 else "") in found:
                        again += 1
                    found[word + (f"#{again}" if again > 1 else "")] = cells
        return found


def flat(where: set[tuple[int, int]], steps: tuple[tuple[int, int], ...]) -> Grid:
    """Return the grid of cells in the plane; the side opposite to k is half-way round."""
    half = len(steps) // 2
    ordered = sorted(where)
    sides: dict[str, list[tuple[str, int] | None]] = {}
    for at in ordered:
        beyond = [add(at, step) for step in steps]
        sides[name(at)] = [(name(to), (k + half) % len(steps)) if to in where else None for k, to in enumerate(beyond)]
    return Grid([name(at) for at in ordered], sides)


def grid(board: str) -> Grid | None:
    """Return the grid of a board of hexes or squares, None where it is another one."""
    kind, *sizes = board.split()
    if kind == "hex":
        return flat(hex_board(int(sizes[0])), HEX_EDGES)
    if kind == "square":
        return flat({(x, y) for x in range(int(sizes[0])) for y in range(int(sizes[1]))}, STRAIGHT)
    return None
