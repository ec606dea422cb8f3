"""The tracker's wiring: what it takes from a chain, and the chains on which it cannot work."""

from __future__ import annotations

import pytest

from controller.rules.mesh import NONE, Mesh, hexes, squares
from controller.rules.shells import node_of
from controller.rules.tilings import build
from controller.tracker.circuit_model import TrackerFault, said
from hardware.pcb.boards.tracker import tracker as circuit_board
from hardware.profile import BOARDS, BadProfile, Profile, read
from hardware.tracker_circuit import NoCircuit, TrackerCircuit, circuit_of


def shell19(*changes: tuple[str, str]) -> Profile:
    text = (BOARDS / "shell19.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return read("shell19", text.encode())


def circuit(profile: Profile) -> TrackerCircuit:
    return circuit_of(profile.cells, {site.name: site.bit for site in profile.sites})


def test_every_adjacency_is_there_once_with_its_registers() -> None:
    found = circuit(shell19())
    assert (found.nodes, found.axes, len(found.seams)) == (6, 3, 42)
    assert len({frozenset((seam.tile_a, seam.tile_b)) for seam in found.seams}) == 42
    seam = found.seam("b3", "a3")
    assert (seam.tile_a, seam.tile_b, seam.register_a, seam.register_b, seam.axis) == ("a3", "b3", 0, 8, 1)


@pytest.mark.parametrize(("shape", "n"), [(hexes(3), 6), (squares(4, 4), 4)])
def test_nodes_face_each_other_as_in_the_ruling(shape: Mesh, n: int) -> None:
    bits = {f"{tile}:{node}": 16 * at + node for at, tile in enumerate(shape.cells) for node in range(n)}
    found = circuit_of(shape, bits)
    for seam in found.seams:
        a, b = shape.index(seam.tile_a), shape.index(seam.tile_b)
        side = shape.neighbours[a].index(b)
        first, second = node_of(side, n, n), node_of(shape.facing[a][side], n, n)
        for i in range(n):
            assert found.facing(seam.axis, (first + i) % n) == (second - i) % n
            assert found.facing(seam.axis, (second - i) % n) == (first + i) % n  # the same from the other side
    assert sum(other != NONE for row in shape.neighbours for other in row) == 2 * len(found.seams)


@pytest.mark.parametrize("n", [6, 4])
def test_a_broken_part_has_the_name_that_is_printed_on_the_circuit_board(n: int) -> None:
    parts = {part.ref: part for part in circuit_board(n).circuit.parts}
    rule = TrackerCircuit(n, n // 2, {}, ())
    for axis in range(rule.axes):
        for node in range(n):
            resistor = said(rule, TrackerFault("resistor", axis, node, 0.0)).split()[1]
            assert set(parts[resistor].nets.values()) == {f"X{axis}_{node}", f"AXIS_{axis}"}
            _, number, _, chip, *_ = said(rule, TrackerFault("gate", axis, node, 1.0)).split()
            assert parts[chip].net(f"{number}Y") == f"X{axis}_{node}"
    for tile in (0, 1):
        for node in range(n):
            _, pin, _, chip, *_ = said(rule, TrackerFault("output", tile, node, 1.0)).split()
            assert parts[chip].net(pin) == f"{'AB'[tile]}{node}"


def test_two_tiles_on_one_register_are_refused() -> None:
    nodes = {f"a1:{k}": k for k in range(4)} | {f"a2:{k}": k + 4 for k in range(4)}
    rest = {f"{tile}:{k}": 8 * at + k for at, tile in ((1, "b1"), (2, "b2")) for k in range(4)}
    with pytest.raises(NoCircuit) as refused:
        circuit_of(squares(2, 2), nodes | rest | {f"a2:{k}": k for k in range(4)})
    assert str(refused.value) == (
        "the tracker cannot tell tiles a1 and a2 apart, as both have nodes on register 1 of the chain; "
        'give each tile a register of its own, or say tracker = "none"'
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"a3:0 a3:1', '"a3:1 a3:0'), "the tracker needs node 0 of tile a3 at bit 0 of its register, and it is at"),
        (("a3:5 a3 -   a3.a4 a3", "- a3 a3.a4   a3:5 a3"), "the tracker cannot read tile a3, as its nodes are spr"),
    ],
)
def test_a_board_file_whose_tiles_the_tracker_cannot_read_is_refused(change: tuple[str, str], said: str) -> None:
    with pytest.raises(BadProfile) as refused:
        shell19(change)
    assert str(refused.value).startswith(f"shell19.toml: {said}")
    assert str(refused.value).endswith('or say tracker = "none"')
    assert shell19(change, ('tracker = "circuit"', 'tracker = "none"')).tracker == "none"


def test_a_board_without_shells_or_with_tiles_of_two_kinds_has_no_tracker() -> None:
    with pytest.raises(NoCircuit, match="needs a board with shells = true"):
        circuit_of(hexes(2), {})
    with pytest.raises(NoCircuit, match="squares alone or of hexes alone"):
        circuit_of(build("4.8.8 2"), {})


@pytest.mark.parametrize(
    ("tiles", "said"), [(("a3", "e3"), "share no side"), (("a3", "a3"), "share no side"), (("a3", "z9"), "no tile z9")]
)
def test_tiles_that_are_no_neighbours_are_refused(tiles: tuple[str, str], said: str) -> None:
    with pytest.raises(NoCircuit, match=said):
        circuit(shell19()).seam(*tiles)
