"""What the service expects of a sensor board, the sentences for another board, and counts of what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

import msgspec

from controller.devices.link.messages import FIRMWARE, PROTOCOL, RESET_CAUSES, Hello
from controller.sentences import all_of, say, tapped_or_typed

_CAUSES = {
    "POWER_ON": say("after a loss of power"),
    "EXTERNAL": say("by its reset pin"),
    "BROWN_OUT": say("after a voltage dip"),
    "WATCHDOG": say("by its watchdog"),
}


REGISTER_BITS = 8


class Wiring(msgspec.Struct, frozen=True):
    """What this service expects of the board: its name, the hash of its table and the site at each wired bit.

    Where sensors tell poles each site has two bits; that of its south pole is named with `SOUTH` before it.
    """

    board: str
    table_hash: int
    sites: Mapping[int, str]


class LinkCounts(msgspec.Struct, frozen=True):
    """What went wrong on the link since the service began, for the panel and for reports."""

    frames_lost: int = 0
    bad_frames: int = 0
    repeated: int = 0  # changes that had come already
    healed: int = 0  # snapshots that stood in for lost changes
    restarts: int = 0


class Fit(Enum):
    """Whether the firmware of a sensor board is the one that this service expects."""

    UNKNOWN = "it has not said"
    FITS = "it is"
    OLDER = "it is an older one with which the board plays on, without what is new"
    OTHER_VERSION = "it is for the same board, of another version"
    OTHER_BOARD = "it is for another board"


def fit(hello: Hello | None, wiring: Wiring) -> Fit:
    """Return whether the firmware that has said ``hello`` fits."""
    if hello is None:
        return Fit.UNKNOWN
    if hello.board != wiring.board:
        return Fit.OTHER_BOARD
    if mismatch(hello, wiring):
        return Fit.OTHER_VERSION
    return Fit.OLDER if hello.firmware < FIRMWARE else Fit.FITS


def introduction(hello: Hello, serial_number: str) -> str:
    """Return which board has said ``hello``, and its firmware beside this version's."""
    its, ours = _version(hello.firmware), _version(FIRMWARE)
    if not serial_number:
        return say("The sensor board has firmware {its}; this version comes with {ours}.", its=its, ours=ours)
    return say(
        "The sensor board with serial number {number} has firmware {its}; this version comes with {ours}.",
        number=serial_number,
        its=its,
        ours=ours,
    )


def _version(firmware: int) -> str:
    return f"{firmware >> 8}.{firmware & 0xFF}"


def cause(bits: int) -> str:
    """Return how a board came to restart, from the bits of its reset cause, to be put after "restarted"."""
    found = [_CAUSES[name] for name, bit in RESET_CAUSES.items() if bits & bit]
    return all_of(found) if found else say("for an unknown reason")


def torn() -> str:
    """Return what is wrong with a board whose chain does not end on ground, and what to do."""
    return say(
        "The sensor chain is interrupted: a data wire between two registers or to pin D12 is loose, some "
        "registers have no power, or pin 10 of the last one is not connected to ground. {find}",
        find=tapped_or_typed(
            say("Push in the plugs and check the wires one by one: this is gone once the chain is whole."),
            "Find the place with: beaconboard doctor",
        ),
    )


def closed_from(levels: int, wiring: Wiring) -> int | None:
    """Return the register, counted from 1, from which on every sensor of the chain is closed; None if it has none."""
    open_bits = [bit for bit in wiring.sites if not levels >> bit & 1]
    last = max(wiring.sites) // REGISTER_BITS
    register = max(open_bits, default=-1) // REGISTER_BITS + 1
    return register + 1 if register <= last else None


def grounded(register: int) -> str:
    """Return what is wrong with a chain that reads closed from ``register`` on, counted from 1, and what to do."""
    return say(
        "The sensor chain is interrupted: everything from register {register} on reads closed at once. Its data wire "
        "(pin 9) touches ground, or it has no power: check the plug and the ribbon there.",
        register=register,
    )


def mismatch(hello: Hello, wiring: Wiring) -> str:
    """Return what is wrong with that board and what to do, or an empty string where all is well."""
    flash = tapped_or_typed(say("write its firmware under Updates."), f"flash it with: make flash BOARD={wiring.board}")
    if hello.protocol != PROTOCOL:
        return say(
            "The sensor board speaks protocol {its}, this service {ours}; {flash}",
            its=hello.protocol,
            ours=PROTOCOL,
            flash=flash,
        )
    if hello.board != wiring.board:
        return say("The sensor board has firmware for {board}; {flash}", board=hello.board, flash=flash)
    if hello.table_hash != wiring.table_hash:
        return say(
            "The sensor board's firmware was made from another profile of {board}; {flash}",
            board=wiring.board,
            flash=flash,
        )
    return ""
