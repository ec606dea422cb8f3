"""How a large drawing is spread over sheets of A4, and where tokens lie on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from controller.rules.mesh import Point
from hardware.pieces import Stock
from hardware.site_layout import Kind

A4 = (210.0, 297.0)
MARGIN_MM = 5.0  # that printers leave white at the sides
FOOT_MM = 12.0  # and above and below, with room for a line of words
OVERLAP_MM = 10.0
TOKEN_GAP_MM = 3.0
HEAD_MM = 12.0  # of a sheet of tokens


class PaperPage(msgspec.Struct, frozen=True):
    """A page of a large drawing: which part of it, in the drawing's mm, is printed from the margin's corner on."""

    column: int
    row: int
    left: float
    low: float
    width: float
    height: float


class Disc(msgspec.Struct, frozen=True):
    """A paper token ``across`` mm wide: its middle on its page, in mm from the lower left corner of the sheet."""

    page: int
    at: Point
    across: float
    stock: Stock


def sheets(width: float, height: float) -> tuple[PaperPage, ...]:
    """Return the pages for a drawing of that size, rows from the top down, each overlapping the next by 10 mm."""
    room = A4[0] - 2 * MARGIN_MM, A4[1] - 2 * FOOT_MM
    across, down = (_pages(length, space) for length, space in zip((width, height), room, strict=True))
    return tuple(
        PaperPage(
            column=column,
            row=row,
            left=column * (room[0] - OVERLAP_MM),
            low=(down - 1 - row) * (room[1] - OVERLAP_MM),
            width=min(room[0], width - column * (room[0] - OVERLAP_MM)),
            height=min(room[1], height - (down - 1 - row) * (room[1] - OVERLAP_MM)),
        )
        for row in range(down)
        for column in range(across)
    )


def _pages(length: float, space: float) -> int:
    return 1 if length <= space else 1 + math.ceil((length - space) / (space - OVERLAP_MM))


def discs(stocks: Sequence[Stock], widths: Mapping[Kind, float]) -> tuple[Disc, ...]:
    """Return where every token of a game lies: as wide as ``widths`` says for the kind of site it stands on.

    Each kind of site begins a page, and seats follow one another. Raises ValueError for a token wider than a sheet.
    """
    found: list[Disc] = []
    for place in dict.fromkeys(stock.place for stock in stocks):
        first = found[-1].page + 1 if found else 0
        found += _grid([stock for stock in stocks if stock.place == place], widths[place], first)
    return tuple(found)


def _grid(stocks: Sequence[Stock], across: float, first: int) -> Iterator[Disc]:
    step = across + TOKEN_GAP_MM
    columns = int((A4[0] - 2 * FOOT_MM + TOKEN_GAP_MM) // step)
    rows = int((A4[1] - 2 * FOOT_MM - HEAD_MM + TOKEN_GAP_MM) // step)
    if columns < 1:
        raise ValueError(f"a token of {across:g} mm does not fit on a sheet of {A4[0]:g} mm")
    for number, stock in enumerate(_each(stocks)):
        row, column = divmod(number % (columns * rows), columns)
        x = FOOT_MM + across / 2 + column * step
        y = A4[1] - FOOT_MM - HEAD_MM - across / 2 - row * step
        yield Disc(first + number // (columns * rows), (x, y), across, stock)


def _each(stocks: Sequence[Stock]) -> Iterator[Stock]:
    for seat in sorted({stock.seat for stock in stocks}, key=str):
        for stock in stocks:
            if stock.seat == seat:
                yield from [stock] * stock.number
