"""Checks a printed part's mesh: closed, on the bed, no wall thinner than the printer can lay, nothing without support.

Needs the extra 'hardware'.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import trimesh

from hardware.height_budget import SKIN_MM
from hardware.printables.geometry import BED_MM, LEAST_WALL_MM

SAMPLES = 1500
HIGH_MM = 200.0
OPPOSITE = -0.8  # cosine between two faces that bound a wall; others meet in an edge
BRIDGE_MM = 12.5  # of plastic between two walls: a cooled strand of PLA spans that without sagging much
LEDGE_MM = 1.0  # that hangs from one wall only
STEEP = -0.75  # of a face's normal: a little flatter than 45 degrees, which prints by itself
WAYS = 12  # directions in which a bridge may go, walls of squares and hexes among them
UNDERSIDES = 120  # points looked at below what hangs
TOLERANCE_MM = 0.06  # of round holes that are drawn with corners


class MeasuredMesh(msgspec.Struct, frozen=True):
    """What a mesh measures, in mm and mm³."""

    size: tuple[float, float, float]
    volume: float
    thinnest: float
    bridge: float
    faults: tuple[str, ...]


def measured(path: Path, wall_mm: float) -> MeasuredMesh:
    """Return what the STL at ``path`` measures, with a sentence for everything that keeps it from being printed.

    ``wall_mm`` is its thinnest wall by design.
    """
    mesh = trimesh.load_mesh(path)
    size = tuple(float(v) for v in mesh.extents)
    thinnest = thinnest_mm(mesh)
    bridge = longest_bridge_mm(mesh)
    faults = [*_faults(mesh, size, thinnest, wall_mm)]
    if bridge > BRIDGE_MM:
        faults.append(f"it needs support: it hangs free over {bridge:.1f} mm; {BRIDGE_MM:g} mm is the limit")
    return MeasuredMesh((size[0], size[1], size[2]), float(mesh.volume), thinnest, bridge, tuple(faults))


def _faults(mesh: trimesh.Trimesh, size: tuple[float, ...], thinnest: float, wall_mm: float) -> Iterator[str]:
    if not mesh.is_watertight:
        yield "the mesh is not closed"
    elif mesh.volume <= 0:
        yield "the mesh is inside out"
    if mesh.body_count > 1:
        yield f"it falls into {mesh.body_count} pieces"
    if max(size[:2]) > BED_MM:
        yield f"it is {size[0]:.1f} × {size[1]:.1f} mm, the bed {BED_MM:g} × {BED_MM:g} mm"
    if size[2] > HIGH_MM:
        yield f"it is {size[2]:.1f} mm high, the printer reaches {HIGH_MM:g} mm"
    least = min(wall_mm, LEAST_WALL_MM) if wall_mm >= LEAST_WALL_MM else min(wall_mm, SKIN_MM)
    if thinnest < least - TOLERANCE_MM:
        yield f"its thinnest wall measures {thinnest:.2f} mm; {least:g} mm is the limit"


def thinnest_mm(mesh: trimesh.Trimesh) -> float:
    """Return the thinnest wall met by rays from points spread over the faces, straight inwards."""
    points, faces = trimesh.sample.sample_surface(mesh, SAMPLES, seed=1)
    inwards = -mesh.face_normals[faces]
    corners, normals = mesh.triangles, mesh.face_normals
    thinnest = float("inf")
    for point, way in zip(points, inwards, strict=True):
        facing = normals @ way > -OPPOSITE
        if not facing.any():
            continue
        reach = _hit(point + way * 1e-4, way, corners[facing])
        thinnest = min(thinnest, reach)
    return thinnest


def longest_bridge_mm(mesh: trimesh.Trimesh) -> float:
    """Return the longest span over which plastic would be laid on air; infinity where it ends on no wall.

    From points under every face that looks down, above the bed, the shortest of the ways to walls on both sides.
    """
    low = mesh.bounds[0][2] + 0.3
    hanging = (mesh.face_normals[:, 2] < STEEP) & (mesh.triangles[:, :, 2].min(axis=1) > low)
    if not hanging.any():
        return 0.0
    weight = mesh.area_faces * hanging
    points, _ = trimesh.sample.sample_surface(mesh, UNDERSIDES, face_weight=weight, seed=1)
    return max(_span(point, mesh.triangles) for point in points)


def _span(point: np.ndarray, corners: np.ndarray) -> float:
    """Return the shortest bridge or ledge through a point of an underside."""
    below = point - (0, 0, 0.1)
    level = corners[(corners[:, :, 2].min(axis=1) < below[2]) & (corners[:, :, 2].max(axis=1) > below[2])]
    over = corners[corners[:, :, 2].max(axis=1) > below[2]]
    shortest = float("inf")
    for turn in np.arange(WAYS) * np.pi / WAYS:
        way = np.array((np.cos(turn), np.sin(turn), 0.0))
        ends = [_reach(below, side * way, level, over) for side in (1, -1)]
        if max(ends) < float("inf"):
            shortest = min(shortest, sum(ends))
        elif min(ends) <= LEDGE_MM:
            shortest = min(shortest, min(ends))
    return shortest


def _reach(below: np.ndarray, way: np.ndarray, level: np.ndarray, over: np.ndarray) -> float:
    """Return how far the wall is that ends an underside this way; infinity where the underside ends before."""
    if not len(level):
        return float("inf")
    out = _hit(below, way, level)
    if out == float("inf"):
        return out
    for share in (0.5, 1.0):
        there = below + way * max(share * out - 0.15, 0.0)
        if _hit(there, np.array((0.0, 0.0, 1.0)), over) > 0.4:
            return float("inf")
    return out


def _hit(start: np.ndarray, way: np.ndarray, corners: np.ndarray) -> float:
    """Return how far the nearest of the triangles is, by Möller and Trumbore; infinity where there is none."""
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = np.cross(way, ac)
    det = np.einsum("ij,ij->i", ab, p)
    inverse = 1 / np.where(np.abs(det) < 1e-12, np.inf, det)
    s = start - a
    u = np.einsum("ij,ij->i", s, p) * inverse
    q = np.cross(s, ab)
    v = q @ way * inverse
    t = np.einsum("ij,ij->i", ac, q) * inverse
    good = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 1e-3)
    return float(t[good].min()) if good.any() else float("inf")
