"""A question to a helper and its answer; and who says nothing, too much, or something else."""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from controller.appliance import asking
from controller.appliance.asking import LINE_BYTES, NoHelper, answer_one, ask


class Sum(msgspec.Struct, frozen=True):
    numbers: tuple[int, ...]


class Told(msgspec.Struct, frozen=True):
    total: int


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "adder.sock"


@pytest.fixture
def door(path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))
        made.listen()
        yield made


def add(asked: Sum) -> Told:
    return Told(sum(asked.numbers))


def test_a_question_is_answered(path: Path, door: socket.socket) -> None:
    helper = threading.Thread(target=answer_one, args=(door, Sum, add, 5))
    helper.start()
    assert ask(path, Sum((1, 2, 39)), Told, 5).total == 42
    helper.join()


def test_nobody_asks(door: socket.socket) -> None:
    assert not answer_one(door, Sum, add, 0.01)


@pytest.mark.parametrize(
    "sent",
    [
        b"what?\n",
        b'{"numbers": ["a"]}\n',
        b"",
        b'{"numbers": [1',
        b"1" * (LINE_BYTES + 2),
        b'{"numbers": [' + b"1," * LINE_BYTES + b"1]}\n",
    ],
)
def test_what_is_no_question_is_hung_up_on_and_the_next_is_answered(
    path: Path, door: socket.socket, sent: bytes
) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(path))
        line.settimeout(5)
        sending = threading.Thread(target=lambda: (line.sendall(sent), line.shutdown(socket.SHUT_WR)))
        sending.start()
        assert not answer_one(door, Sum, add, 5)
        sending.join()
    test_a_question_is_answered(path, door)


def test_no_helper(path: Path, door: socket.socket) -> None:
    with pytest.raises(NoHelper, match="does not answer"):
        ask(path.with_name("other.sock"), Sum(()), Told, 1)
    with pytest.raises(NoHelper, match="does not answer"):  # it is there, and says nothing
        ask(path, Sum(()), Told, 0.05)


@pytest.mark.parametrize(("said", "why"), [(b"", "it hung up"), (b"1" * (LINE_BYTES + 1), "too long")])
def test_a_helper_that_hangs_up_or_talks_on_is_waited_for_no_longer(
    path: Path, door: socket.socket, said: bytes, why: str
) -> None:
    def rude() -> None:
        with door.accept()[0] as line, suppress(OSError):
            line.recv(LINE_BYTES)
            line.sendall(said)

    helper = threading.Thread(target=rude)
    helper.start()
    with pytest.raises(NoHelper, match=rf"^adder\.sock does not answer \({why}\)$"):
        ask(path, Sum((1,)), Told, 20)
    helper.join()


def test_who_sends_a_question_drop_by_drop_is_hung_up_on(
    path: Path, door: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = itertools.count()
    monkeypatch.setattr(asking, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(path))
        line.sendall(b'{"numbers"')
        assert not answer_one(door, Sum, add, 5)
        assert line.recv(1) == b""
    assert next(seconds) == asking.SLOW_S + 1  # one drop, and it was over


def test_who_knocks_and_says_nothing_is_hung_up_on(
    path: Path, door: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "SLOW_S", 0.05)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(path))
        assert not answer_one(door, Sum, add, 5)
        assert line.recv(1) == b""


def test_a_long_question_comes_through_whole(path: Path, door: socket.socket) -> None:
    helper = threading.Thread(target=answer_one, args=(door, Sum, add, 5))
    helper.start()
    numbers = tuple(range(10_000, 20_000))  # some 60,000 bytes
    assert ask(path, Sum(numbers), Told, 5).total == sum(numbers)
    helper.join()
