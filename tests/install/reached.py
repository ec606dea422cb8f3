"""What of a process others can reach, and which files it can write: a line each, as ``tcp 0.0.0.0:80``.

Reads Linux's own lists and needs nothing but Python, so that it runs inside a system that has just been installed.
"""

from __future__ import annotations

import os
import re
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

LISTENS = "0A"  # a state of TCP; UDP has none that says so, and unbound sockets have port 0


def reached(pid: int) -> list[str]:
    """Return the addresses on which the process listens, and the files that it has open for writing."""
    inodes, files = set[str](), set[str]()
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(fd)
            told = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/fdinfo/{fd.name}").read_text().splitlines())
        except FileNotFoundError:  # closed meanwhile
            continue
        if found := re.fullmatch(r"socket:\[(\d+)\]", target):
            inodes.add(found[1])
        elif target.startswith("/") and int(told["flags"], 8) & os.O_ACCMODE != os.O_RDONLY:
            files.add(f"file {target}")
    return sorted({*_internet(pid, inodes), *_unix(pid, inodes), *files})


def _internet(pid: int, inodes: set[str]) -> Iterator[str]:
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/{pid}/net/{kind}").read_text().splitlines()[1:]:
            fields = line.split()
            host, port = fields[1].split(":")
            listens = fields[3] == LISTENS if kind.startswith("tcp") else int(port, 16) > 0
            if fields[9] in inodes and listens:
                yield f"{kind.rstrip('6')} {_address(host)}:{int(port, 16)}"


def _address(written: str) -> str:
    """Return the address that Linux writes as words in the order of this machine's bytes."""
    words = [struct.pack("=I", int(written[at : at + 8], 16)) for at in range(0, len(written), 8)]
    family = socket.AF_INET if len(words) == 1 else socket.AF_INET6
    text = socket.inet_ntop(family, b"".join(words))
    return text if family == socket.AF_INET else f"[{text}]"


def _unix(pid: int, inodes: set[str]) -> Iterator[str]:
    for line in Path(f"/proc/{pid}/net/unix").read_text().splitlines()[1:]:
        fields = line.split(maxsplit=7)
        if fields[6] in inodes and int(fields[3], 16) & 0x10000 and len(fields) > 7:  # it accepts connections
            yield f"unix {fields[7]}"


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in reached(int(sys.argv[1]))))
