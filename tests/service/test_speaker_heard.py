"""The board's own voice as a room hears it: espeak-ng itself, through a sound server without loudspeakers."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.orders import PlayPly
from controller.service.speaker import Speaker, talk
from tests.web_panel.real_table import RealTable

pytestmark = pytest.mark.realtime  # a sound server and a voice, each a process of its own

RATE = 22_050  # in Hz, that of espeak-ng: what was heard is just what was spoken
PATIENCE_S = 20.0
PART, QUIET = RATE // 8, 20_000.0
PLY, SENTENCE = "c3-d3", "Stone from C three to D three. Black to move."


Sound = Any  # an array of numpy, which mypy skips


class Room:
    """PulseAudio with a sink that nobody hears, and what was played to it."""

    def __init__(self, folder: Path) -> None:
        for program in ("pulseaudio", "parec", "espeak-ng"):
            if shutil.which(program) is None:
                pytest.fail(f"{program} is missing: sudo apt install espeak-ng pulseaudio pulseaudio-utils")
        socket = folder / "socket"
        self.server = f"unix:{socket}"
        self._sounds = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1",
             "-L", f"module-null-sink sink_name=room rate={RATE} channels=1",
             "-L", f"module-native-protocol-unix auth-anonymous=1 socket={socket}"],
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until_s = time.monotonic() + PATIENCE_S
        while not socket.exists():
            assert self._sounds.poll() is None
            assert time.monotonic() < until_s
            time.sleep(0.02)
        command = ["parec", f"--server={self.server}", "-d", "room.monitor", "--format=s16le", f"--rate={RATE}",
                   "--channels=1", "--latency-msec=20"]  # fmt: skip
        self._ear = subprocess.Popen(command, stdout=subprocess.PIPE)
        self._heard = bytearray()
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()
        while not self._heard:
            time.sleep(0.02)

    def _listen(self) -> None:
        assert self._ear.stdout is not None
        while part := self._ear.stdout.read(4096):
            self._heard += part

    def likeness(self, text: str, language: str, folder: Path) -> float:
        """Return how alike what was heard is to ``text``, spoken into a file: 1 is the same, 0 nothing alike.

        Each eighth of a second is looked for by itself, and the middle one counts, since a computer with much to do
        leaves gaps in between, also within some of them.
        """
        file = folder / "spoken.wav"
        subprocess.run(["espeak-ng", "-v", language, "-w", str(file), text], check=True)
        with wave.open(str(file)) as read:
            assert read.getframerate() == RATE
            spoken = np.frombuffer(read.readframes(read.getnframes()), np.int16).astype(float)
        heard = np.frombuffer(bytes(self._heard[: len(self._heard) // 2 * 2]), np.int16).astype(float)
        parts = [spoken[at : at + PART] for at in range(0, len(spoken) - PART, PART)]
        return float(np.median([found(part, heard) for part in parts if np.linalg.norm(part) > QUIET]))

    def close(self) -> None:
        for process in (self._ear, self._sounds):
            process.terminate()
            process.wait()
        self._listener.join()


def found(part: Sound, heard: Sound) -> float:
    """Return how alike ``part`` is to the place of ``heard`` that is most like it."""
    if len(heard) < len(part):
        return 0.0
    length = 1 << (len(heard) + len(part)).bit_length()
    both = np.fft.irfft(np.fft.rfft(heard, length) * np.conj(np.fft.rfft(part, length)), length)
    both = both[: len(heard) - len(part) + 1]
    power = np.cumsum(np.concatenate(([0.0], heard**2)))
    loud = np.sqrt(np.maximum(power[len(part) :] - power[: -len(part)], QUIET**2))
    return float((both / loud).max() / np.linalg.norm(part))


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    folder = tmp_path / "sounds"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    monkeypatch.setenv("HOME", str(folder))
    opened = Room(folder)
    monkeypatch.setenv("PULSE_SERVER", opened.server)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("language", "text", "other"),
    [
        ("en", "Knight from C four takes D six.", "Rook from A one to A five."),
        ("de", "Springer von C vier schlägt D sechs.", "Turm von A eins nach A fünf."),
        ("fr", "Cavalier de C quatre prend D six.", "Tour de A un à A cinq."),
    ],
)
def test_the_room_hears_what_is_said(room: Room, tmp_path: Path, language: str, text: str, other: str) -> None:
    talk(text, language)
    time.sleep(0.5)  # what is on its way
    assert room.likeness(text, language, tmp_path) > 0.9
    assert room.likeness(other, language, tmp_path) < 0.7


def test_the_room_hears_a_move_that_is_made(room: Room, tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    try:
        table.new_game("tides-of-war")
        Speaker(table.running.service, lambda: "en", lambda text, _: text).start()
        time.sleep(0.2)  # it says nothing of what was before
        table.running.service.submit(PlayPly(text=PLY))
        until_s = time.monotonic() + PATIENCE_S
        while room.likeness(SENTENCE, "en", tmp_path) < 0.9:
            assert time.monotonic() < until_s
            time.sleep(0.5)
    finally:
        table.close()
