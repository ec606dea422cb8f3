"""Makes the sensor board's own table from a profile: ``python -m hardware.firmware_table BOARD FOLDER``."""

from __future__ import annotations

import re
import sys
from binascii import crc32
from pathlib import Path

from hardware.profile import BadProfile, Profile, load
from hardware.tracker_circuit import TrackerCircuit, circuit_of

# A closed reed and a conducting open-drain hall switch both pull their input low.
ACTIVE_LOW = {"reed": True, "hall": True}
NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")


def table_hash(profile: Profile) -> int:
    """Return 32 bits over all that both ends must agree on: name, chain, polarity, tracker, poles, bit of each site."""
    facts = [profile.name, str(profile.chain_length), "low" if ACTIVE_LOW[profile.sensor] else "high"]
    if profile.tracker == "circuit":
        facts.append("tracker")
    if profile.poles:
        facts.append("poles")
    wired = sorted((site.bit, site.name) for site in profile.sites)
    return crc32("\n".join([*facts, *(f"{bit} {name}" for bit, name in wired)]).encode())


def header(profile: Profile) -> str:
    """Return ``board_table.h`` for ``profile``. Raises `BadProfile` on a name that the link cannot carry."""
    if not NAME.fullmatch(profile.name):
        raise BadProfile([f"'{profile.name}' cannot be a board's name: use up to 40 letters, digits, - and _"])
    circuit = _circuit(profile)
    pairs = [(seam.register_a, seam.register_b) for seam in circuit.seams] if circuit else []
    used = [0] * (profile.chain_length // 8)
    for site in profile.sites:
        used[site.bit // 8] |= 1 << site.bit % 8
    if profile.poles:
        used *= 2
    return f"""/* Made from the board's profile; do not edit. */
#ifndef BOARD_TABLE_H
#define BOARD_TABLE_H
#define BOARD_NAME "{profile.name}"
#define TABLE_HASH 0x{table_hash(profile):08x}UL
#define CHAIN_BYTES {len(used)}
#define SENSORS {len(profile.sites)}
#define LIGHTS {profile.light_count}
/* A chain is read as a whole each millisecond; of multiplexers so many groups are, one each millisecond. */
#define MUX_GROUPS {profile.mux_groups}
#define SCAN_MS {profile.scan_ms}
#define ACTIVE_LOW {int(ACTIVE_LOW[profile.sensor])}
/* Whether each input has a level for either pole: the second half of the chain are those of south poles. */
#define POLES {int(profile.poles)}
/* Whether its sensors are linear ones, which tell their fields. */
#define LINEAR {int(profile.has_fields)}
/* Whether the board reads at its socket what the supply offers. */
#define SUPPLY_TOLD {int(profile.strong_milliamps > 0)}
/* Whether it has a supply of its own, and stays on while nobody is at its plug. */
#define OWN_SUPPLY {int(profile.has_tiles)}
/* Bit n of the chain is bit n % 8 of byte n / 8; 1 where a sensor is wired. */
#define CHAIN_USED {{ {", ".join(f"0x{byte:02x}" for byte in used)} }}
/* The registers of every two tiles that the tracker compares; TRACKER_PAIRS is 0 without a tracker. */
#define TRACKER_AXES {circuit.axes if circuit else 0}
#define TRACKER_PAIRS {len(pairs)}
#define TRACKER_TABLE {{ {", ".join(f"{{ {a}, {b} }}" for a, b in pairs or [(0, 0)])} }}
#endif
"""


def _circuit(profile: Profile) -> TrackerCircuit | None:
    if profile.tracker == "none":
        return None
    return circuit_of(profile.cells, {site.name: site.bit for site in profile.sites})


def sites_text(profile: Profile) -> str:
    """Return the emulator's list: the chain's length in bits and the nodes of a shell at the tracker (0: none),
    then a line ``NAME BIT`` for each site. The switch of a site that closes at a south pole has - before its name.
    """
    circuit = _circuit(profile)
    inputs = {site.name: site.bit for site in profile.sites}
    if profile.poles and not profile.has_fields:
        inputs |= {f"-{name}": bit + profile.chain_length for name, bit in inputs.items()}
    head = f"{profile.wired_length} {circuit.nodes if circuit else 0}"
    return "\n".join([head, *(f"{name} {bit}" for name, bit in inputs.items())]) + "\n"


def write(profile: Profile, folder: Path) -> None:
    """Write ``board_table.h`` and ``sites.txt`` into ``folder``, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "board_table.h").write_text(header(profile), encoding="ascii")
    (folder / "sites.txt").write_text(sites_text(profile), encoding="utf-8")


def main(arguments: list[str]) -> str | None:
    """Write the table of the board named first into the folder named second; return a sentence where it failed."""
    if len(arguments) != 2:
        return "usage: python -m hardware.firmware_table BOARD FOLDER"
    try:
        write(load(arguments[0]), Path(arguments[1]))
    except BadProfile as error:
        return str(error)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
