"""The wiring list: which input of which shift register reads which site, for a person with a soldering iron."""

from __future__ import annotations

import click
import msgspec

from hardware.profile import MUX_INPUTS, REGISTER_BITS, BadProfile, Profile, Site, load

# Package pins of the inputs D0 to D7 (TI calls them A to H), the same in DIP, SO and TSSOP; from the data sheets
# of the 74HC165 (Nexperia) and SN74HC165 (TI).
INPUT_PINS = (11, 12, 13, 14, 3, 4, 5, 6)

# Package pins of the inputs Y0 to Y15 of a 74HC4067 (TI calls them I0 to I15), the same in SO and TSSOP; from the data
# sheets of the 74HC4067 (Nexperia) and CD74HC4067 (TI).
MUX_PINS = (9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16)

FIELDS = """\
{title}: {bits} inputs of {muxes} multiplexers 74HC4067, {lights} lights

Every site's linear hall sensor has its output at the input named here; inputs without a sensor lie on ground.
{each:4} input  pin  bit  site        light   x mm   y mm
"""

HEADER = """\
{title}: {bits} bits in {registers} registers 74HC165, {lights} lights

Register 1 is the one nearest to the reader. Every site's sensor joins its input to ground while a magnet is there;
every input, used or not, has a pull-up of 10 k. The other pins of a register:
  pin 9 (Q7)   to the reader's data line (register 1), else to pin 10 of the register before it
  pin 10 (DS)  from pin 9 of the register after it; of register {registers}: to ground, which marks the chain's end
  pin 1 (PL)   latch, pin 2 (CP) clock, both common to all; pin 7 (Q7 inverted) stays open
  pin 15 (CE) and pin 8 to ground, pin 16 to the reader's supply (3.3 V on a Pi) with 100 nF to ground
"""


SOUTH = """
Each site has two hall switches. Those of the first {first} registers close where a north pole faces down, those behind
them, in the same order, where a south pole does.
"""


class Row(msgspec.Struct, frozen=True):
    """One input. ``register`` counts from 1, ``bit`` from 0; ``site`` is None where nothing is joined to it."""

    bit: int
    register: int
    data_input: int  # 0 to 7: D0 to D7
    pin: int
    site: Site | None


def wiring(profile: Profile) -> tuple[Row, ...]:
    """Return every input of the chain in the order in which the bits reach the reader.

    A 74HC165 shows D7 at Q7 as soon as it is latched and shifts D6 … D0 after it, then what comes in at DS, the
    next register's D7.
    """
    sites = {site.bit: site for site in profile.sites}
    rows = []
    for bit in range(profile.wired_length):
        register, place = divmod(bit, REGISTER_BITS)
        data_input = REGISTER_BITS - 1 - place
        site = sites.get(bit % profile.chain_length)
        rows.append(Row(bit, register + 1, data_input, INPUT_PINS[data_input], site))
    return tuple(rows)


def wiring_list(profile: Profile) -> str:
    """Return the wiring as a table to print: a line an input, millimetres from the lower left corner of the board."""
    if profile.has_fields:
        return _mux_list(profile)
    rows = wiring(profile)
    lines = [
        HEADER.format(
            title=profile.title,
            bits=profile.wired_length,
            registers=profile.wired_length // REGISTER_BITS,
            lights=profile.light_count,
        )
    ]
    if profile.poles:
        lines.append(SOUTH.format(first=profile.chain_length // REGISTER_BITS))
    for row in rows:
        if row.bit % REGISTER_BITS == 0:
            lines.append("register  input  pin  bit  site        light   x mm   y mm")
        lines.append(_line(row))
        if row.bit % REGISTER_BITS == REGISTER_BITS - 1:
            lines.append("")
    return "\n".join(lines)


def _mux_list(profile: Profile) -> str:
    muxes = profile.chain_length // MUX_INPUTS
    each, first = ("tile", 0) if profile.has_tiles else ("mux", 1)
    counts = {"bits": profile.chain_length, "muxes": muxes, "lights": profile.light_count}
    head = FIELDS.format(title=profile.title, each=each, **counts)
    sites = {site.bit: site for site in profile.sites}
    return head + "\n".join(
        f"{bit // MUX_INPUTS + first:3}  {f'Y{bit % MUX_INPUTS}':>5}  {MUX_PINS[bit % MUX_INPUTS]:3}  {bit:3}  "
        + _at_site(sites.get(bit))
        for bit in range(profile.chain_length)
    )


def _line(row: Row) -> str:
    return f"{row.register:8}     D{row.data_input}  {row.pin:3}  {row.bit:3}  " + _at_site(row.site)


def _at_site(site: Site | None) -> str:
    if site is None:
        return "unused"
    light = "none" if site.light is None else str(site.light)
    return f"{site.name:10}  {light:>5}  {site.x_mm:5.1f}  {site.y_mm:5.1f}"


@click.command()
@click.argument("board")
def main(board: str) -> None:
    """Print the wiring list of BOARD: a name, or the path of a board file."""
    try:
        click.echo(wiring_list(load(board)))
    except BadProfile as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
