"""One end of a link alone: nothing is heard twice, and whoever has the key fills no memory."""

from __future__ import annotations

import os
import tracemalloc
from typing import Any

import msgspec
import pytest

from controller.afar.keys import GameLink
from controller.afar.messages import VERSION, Closed, LogHello
from controller.afar.sealing import MOST_ENDS, NONCE_BYTES, TAG_BYTES, OpenedMessage, Sealing, Unsealed

LINK = GameLink("broker.example", 1883, False, 1, bytes(range(32)))


class Liar(Sealing):
    """Has the key, and writes any envelope."""

    def raw(self, plain: bytes) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._encrypt(plain, self._about, nonce, self._out)

    def envelope(self, **fields: Any) -> bytes:
        whole = {"v": VERSION, "from_": self.name, "to": self.peer, "n": 1, "what": {"type": "hello"}} | fields
        return self.raw(msgspec.json.encode(whole))


def ends() -> tuple[Sealing, Liar]:
    here, there = Sealing(LINK, "down", os.urandom), Liar(LINK, "up", os.urandom)
    there.peer = here.name
    return here, there


def unsealed(here: Sealing, data: bytes) -> Unsealed:
    with pytest.raises(Unsealed) as raised:
        here.open(data)
    return raised.value


def heard(here: Sealing, data: bytes) -> OpenedMessage | None:
    try:
        return here.open(data)
    except Unsealed:
        return None


def test_the_last_message_is_not_heard_again() -> None:
    here, there = ends()
    data = there.seal(LogHello())
    assert here.open(data).known
    assert "came a second time" in str(unsealed(here, data))
    assert here.open(there.seal(LogHello())).known


def test_what_is_too_short_for_a_seal_is_a_sentence_for_every_length() -> None:
    here, _ = ends()
    for length in range(NONCE_BYTES + TAG_BYTES + 3):
        assert unsealed(here, bytes(length))


@pytest.mark.parametrize("name", ["", "a", "0" * 15, "0" * 17, "A" * 16, "0" * 200_000, "0" * 15 + "\n", 7, None, []])
@pytest.mark.parametrize("field", ["from_", "to"])
def test_an_end_is_called_by_sixteen_digits(field: str, name: Any) -> None:
    here, there = ends()
    if (field, name) != ("to", ""):  # as who does not know this end yet
        assert "cannot be read" in str(unsealed(here, there.envelope(**{field: name})))
    assert here._heard == {}


@pytest.mark.parametrize("n", [0, -1, 1.5, "1", None, 1 << 53, 1 << 70])
def test_a_number_is_one_that_can_be_counted(n: Any) -> None:
    here, there = ends()
    assert "cannot be read" in str(unsealed(here, there.envelope(n=n)))
    assert here._heard == {}


@pytest.mark.parametrize(
    "plain",
    [b" ", b"[" * 100_000, b'{"v":' + b"[" * 100_000, b'{"v":2,"what":"\xff"}', b'{"v":"\xff"}', b"1" * 5000,
     b'{"v":' + b"9" * 4000 + b"}", b'{"v":-1}', b'{"v":2,"from_":"\\ud800"}'],
)  # fmt: skip
def test_what_is_no_message_is_a_sentence(plain: bytes) -> None:
    here, there = ends()
    assert "cannot be read" in str(unsealed(here, there.raw(plain)))


def test_ever_new_names_fill_no_memory_and_nothing_old_is_heard_after_them() -> None:
    """Who has met too many ends takes another name itself, so that none that it forgets can be repeated to it."""
    here, there = ends()
    first = there.seal(LogHello())
    assert here.open(first).known
    told = [here.name]
    sent = [first]
    for number in range(5 * MOST_ENDS):
        data = there.envelope(from_=f"{number:016x}", to=here.name)
        sent.append(data)
        heard(here, data)
        if here.name != told[-1]:
            told.append(here.name)
        assert len(here._heard) <= MOST_ENDS
        again = heard(here, first)
        assert again is None or not again.known
    assert len(told) == 5
    repeated = [heard(here, data) for data in sent]
    assert not any(each is not None and each.known for each in repeated)


def test_an_end_that_has_taken_another_name_is_met_again() -> None:
    here, there = ends()
    for number in range(MOST_ENDS):
        here.open(there.envelope(from_=f"{number:016x}", to=here.name))
    wrong = unsealed(here, there.seal(LogHello()))
    assert wrong.from_ == there.name
    answered = there.open(here.seal(LogHello(), wrong.from_))
    assert answered.first
    assert here.open(there.seal(LogHello())).first


def test_who_speaks_again_after_another_is_not_believed_and_whoever_is_there_is_met_anew() -> None:
    """A message that home had sent before it was started again, and that comes when it has been."""
    here, before = ends()
    assert here.open(before.seal(LogHello())).known
    late = before.seal(Closed())
    now = Liar(LINK, "up", os.urandom)
    now.peer = here.name
    assert here.open(now.seal(LogHello())).first
    wrong = unsealed(here, late)
    assert wrong.from_ == before.name
    assert here.peer == now.name
    unsealed(here, late)
    wrong = unsealed(here, now.seal(Closed()))
    assert wrong.from_ == now.name
    assert now.open(here.seal(LogHello(), wrong.from_)).first
    assert here.open(now.seal(LogHello())).known


def test_several_pages_of_one_link_speak_in_turns() -> None:
    here, there = Sealing(LINK, "down", os.urandom, many=True), [Liar(LINK, "up", os.urandom) for _ in range(3)]
    for _ in range(3):
        for each in there:
            assert here.open(each.seal(LogHello(), here.name)).known


@pytest.mark.slow
def test_a_thousand_messages_of_200_kb_leave_nothing() -> None:
    here, there = ends()
    filler = "x" * 200_000
    tracemalloc.start()
    before = 0
    for number in range(1000):
        heard(here, there.envelope(from_=filler + str(number), to=here.name))
        heard(here, there.envelope(from_=f"{number:016x}", to=here.name, more=filler))
        if number == 100:
            before = tracemalloc.get_traced_memory()[0]
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 50_000
