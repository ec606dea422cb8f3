"""When the board opens a Wi-Fi of its own, and when it leaves it to try what it knows: a pure reducer.

It opens one after a minute without a network. A router takes longer to start than a Pi after a power cut, so while
nobody uses it, it is left now and then for the Wi-Fis that the board knows.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.appliance.network.questions import Wrong

ALONE_S = 60.0  # without a network, until the board opens its own
UNUSED_S = 300.0  # the own Wi-Fi unused, until known ones are tried
TRY_S = 45.0  # how long those may take
JOIN_S = 60.0  # how long the one may take that somebody has chosen
CABLE_S = 60.0  # the own Wi-Fi unused, until it is closed where there is a cable

Doing = Literal["waiting", "hotspot", "trying", "joining"]
Act = Literal["", "open", "close"]
Outcome = Literal["going", "done"] | Wrong
"""What has come of joining: it goes on, it is done, or why it failed; "" where nothing was joined."""


class NetworkSeen(msgspec.Struct, frozen=True):
    """What there is to see of the network: whether the board is in one by ``cable`` or ``wifi``, has a ``radio`` and
    its own Wi-Fi open, knows others, and what has come of joining one.
    """

    cable: bool = False
    wifi: bool = False
    radio: bool = True
    hotspot: bool = False
    knows: bool = False
    joining: Outcome = ""


class NetworkWatch(msgspec.Struct, frozen=True):
    """What the board is ``doing`` about its network since ``since_s``; somebody used its own Wi-Fi last at ``used_s``.

    ``wrong`` is why it did not get into the Wi-Fi that was chosen last. While it is ``waiting``, ``since_s`` is when it
    was last seen in a network.
    """

    doing: Doing
    since_s: float
    used_s: float
    wrong: Wrong = ""


def at_start(now_s: float) -> NetworkWatch:
    """Return the watch of a board that has just been started."""
    return NetworkWatch("waiting", now_s, now_s)


def used(watch: NetworkWatch, now_s: float) -> NetworkWatch:
    """Note that somebody uses the board's own Wi-Fi."""
    return msgspec.structs.replace(watch, used_s=now_s)


def joins(now_s: float) -> NetworkWatch:
    """Note that the board begins to join a Wi-Fi that somebody has chosen; its own is closed by that."""
    return NetworkWatch("joining", now_s, now_s)


def step(watch: NetworkWatch, seen: NetworkSeen, now_s: float) -> tuple[NetworkWatch, Act]:
    """Return the watch after what was ``seen`` now, and what is to be done about the board's own Wi-Fi."""
    if watch.doing == "joining":
        return _joining(watch, seen, now_s)
    if watch.doing == "hotspot":
        return _in_own(watch, seen, now_s)
    if seen.cable or seen.wifi:
        return msgspec.structs.replace(watch, doing="waiting", since_s=now_s), ""
    limit_s = TRY_S if watch.doing == "trying" else ALONE_S
    if seen.radio and now_s - watch.since_s >= limit_s:
        return _opened(watch, now_s)
    return watch, ""


def _joining(watch: NetworkWatch, seen: NetworkSeen, now_s: float) -> tuple[NetworkWatch, Act]:
    if seen.joining == "done":
        return NetworkWatch("waiting", now_s, now_s), ""
    if seen.joining != "going":
        return _failed(watch, seen, seen.joining or "refused", now_s)
    if now_s - watch.since_s >= JOIN_S:
        return _failed(watch, seen, "too slow", now_s)
    return watch, ""


def _failed(watch: NetworkWatch, seen: NetworkSeen, wrong: Wrong, now_s: float) -> tuple[NetworkWatch, Act]:
    """Return the watch after a Wi-Fi could not be joined. Whoever chose it waits: so the own one is back at once, where
    the board is not in reach by a cable, nor may be by a Wi-Fi that it knows.
    """
    watch = msgspec.structs.replace(watch, wrong=wrong, since_s=now_s)
    if seen.cable or not seen.radio:
        return msgspec.structs.replace(watch, doing="waiting"), ""
    return (msgspec.structs.replace(watch, doing="trying"), "") if seen.knows else _opened(watch, now_s)


def _in_own(watch: NetworkWatch, seen: NetworkSeen, now_s: float) -> tuple[NetworkWatch, Act]:
    if not seen.hotspot:  # it was closed by somebody else, or could not be opened: tried again in a minute
        return msgspec.structs.replace(watch, doing="waiting", since_s=now_s), ""
    unused_s = now_s - max(watch.used_s, watch.since_s)
    if seen.cable and unused_s >= CABLE_S:
        return msgspec.structs.replace(watch, doing="waiting", since_s=now_s), "close"
    if seen.knows and unused_s >= UNUSED_S:
        return msgspec.structs.replace(watch, doing="trying", since_s=now_s), "close"
    return watch, ""


def _opened(watch: NetworkWatch, now_s: float) -> tuple[NetworkWatch, Act]:
    return msgspec.structs.replace(watch, doing="hotspot", since_s=now_s), "open"
