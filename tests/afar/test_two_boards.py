"""Two boards and a bad line: one game, whatever gets lost; and what is not believed, each in a sentence."""

from __future__ import annotations

import re

import msgspec
import pytest

from controller.afar.far import Far, Waits
from controller.afar.home import Home
from controller.afar.keys import WATCHES, BadLink, GameLink, read, written
from controller.afar.log import Begun, Log, LogEntry, leading_to
from controller.afar.messages import VERSION, Ask, Declined, LogEntries, LogHello
from controller.afar.phone import phone_text
from controller.afar.sealing import NONCE_BYTES, Envelope, OpenedMessage, Sealing, Unsealed
from controller.afar.seats import HeldSeats
from controller.orders import HomeEnded, OfferDraw, PlayPly, Resign, TakeBack
from tests.afar.soak import open_games, soak
from tests.afar.wire import LINK, Core, Line, Pair

TIDES = "tides-of-war"


def met(seed: int = 1, **bad: float) -> Pair:
    pair = Pair(Core(TIDES), Line(seed, **bad))
    pair.until(lambda: pair.same)
    return pair


def far_ply(text: str) -> PlayPly:
    return PlayPly(text=text, seat=1)


# ---- how a game goes ----


def test_plies_of_both_boards_end_in_one_log() -> None:
    pair = met()
    pair.home_plies("c3-c4")
    pair.until(lambda: pair.same)
    pair.wish(far_ply("c6-b5"))
    assert pair.far.asked is not None
    assert pair.far.log.plies == ("c3-c4",)  # nothing counts before home has it
    pair.until(lambda: pair.far.asked is None)
    assert pair.same
    assert pair.far.log.plies == ("c3-c4", "c6-b5")


def test_an_order_that_is_lost_is_sent_again_and_played_once() -> None:
    pair = met()
    pair.home_plies("c3-c4")
    pair.until(lambda: pair.same)
    pair.line.cut(12)
    pair.wish(far_ply("c6-b5"))
    pair.run(11)
    assert pair.far.asked is not None
    pair.until(lambda: pair.same and pair.far.asked is None)
    assert pair.core.plies == ["c3-c4", "c6-b5"]


def test_an_order_whose_answer_is_lost_is_not_played_again() -> None:
    pair = met()
    pair.home_plies("c3-c4")
    pair.until(lambda: pair.same)
    pair.wish(far_ply("c6-b5"))
    pair.line.now_s += 0.02
    pair.line.deliver()  # home has it
    assert pair.core.plies == ["c3-c4", "c6-b5"]
    pair.line.cut(5)  # and its answer is lost
    pair.until(lambda: pair.same and pair.far.asked is None)
    assert pair.core.plies == ["c3-c4", "c6-b5"]
    assert pair.far.declined == ""


def test_home_goes_on_after_a_restart_with_an_order_that_it_has_carried_out_before() -> None:
    pair = met()
    pair.home_plies("c3-c4")
    pair.until(lambda: pair.same)
    pair.wish(far_ply("c6-b5"))
    pair.line.now_s += 0.02
    pair.line.deliver()
    pair.line.cut(3)
    pair.start_home()
    pair.until(lambda: pair.same and pair.far.asked is None)
    assert pair.core.plies == ["c3-c4", "c6-b5"]
    assert pair.far.declined == ""


def test_a_board_that_was_off_for_a_day_catches_up_by_itself() -> None:
    pair = met()
    pair.line.cut(86_400)
    pair.home_plies("c3-c4")
    assert pair.core.ply("c6-b5", 1) == ""
    pair.grow()
    pair.run(86_400)
    pair.until(lambda: pair.same, 60)
    assert pair.far.log.plies == ("c3-c4", "c6-b5")


def test_a_take_back_and_an_end_cross() -> None:
    pair = met()
    pair.home_plies("c3-c4")
    pair.until(lambda: pair.same)
    pair.wish(far_ply("c6-b5"))
    pair.until(lambda: pair.far.asked is None)
    pair.wish(TakeBack(to=1, by=(1,), asks=True))
    pair.until(lambda: pair.far.asked is None)
    assert pair.far.log.plies == ("c3-c4",)
    pair.wish(Resign(seat=1))
    pair.until(lambda: pair.far.asked is None)
    assert pair.far.log.ended == HomeEnded(True, 0, "resigned", None, (1,))


def test_one_order_at_a_time() -> None:
    pair = met()
    with pytest.raises(Waits, match="has not answered"):
        Far("far").wish(Resign(seat=1), 0)
    pair.wish(OfferDraw(seat=1))
    with pytest.raises(Waits, match="on its way"):
        pair.wish(Resign(seat=1))


# ---- what is not believed ----


def unchanged(pair: Pair) -> tuple[str, str, tuple[str, ...]]:
    assert pair.far.log is not None
    return pair.home.log.head(), pair.far.log.head(), tuple(pair.core.plies)


def test_another_key_opens_nothing() -> None:
    pair = met()
    before = unchanged(pair)
    stranger = Sealing(msgspec.structs.replace(LINK, key=bytes(32)), "up", bytes)
    pair.home_hears(stranger.seal(Ask("x", 0, pair.home.log.head(), 1, Resign(seat=1)), pair.home_seal.name))
    assert pair.said == ["A message was not sealed with the key of this link: it is not heard."]
    assert unchanged(pair) == before


def test_the_key_of_another_seat_opens_nothing() -> None:
    pair = met()
    stranger = Sealing(msgspec.structs.replace(LINK, seat=0), "up", pair.line.chance.randbytes)
    pair.home_hears(stranger.seal(LogHello()))
    assert pair.said == ["A message was not sealed with the key of this link: it is not heard."]


def with_a_ply_taken_back() -> Pair:
    """Return a game of two plies whose second the far board took back; the line has kept all that was said."""
    pair = met()
    pair.line.keep = True
    pair.home_plies("c3-c4")
    pair.until(lambda: pair.same)
    pair.wish(far_ply("c6-b5"))
    pair.until(lambda: pair.far.asked is None)
    pair.wish(TakeBack(to=1, by=(1,), asks=True))
    pair.until(lambda: pair.far.asked is None)
    return pair


def test_what_was_heard_before_is_not_heard_again() -> None:
    pair = with_a_ply_taken_back()
    before = unchanged(pair)
    for data in pair.line.seen:
        pair.home_hears(data)
        pair.far_hears(data)
    pair.run(60)
    assert "A message came a second time, or after a later one: it is not heard." in pair.said
    assert unchanged(pair) == before


def test_an_old_order_is_not_heard_by_a_home_that_was_started_again() -> None:
    pair = with_a_ply_taken_back()
    pair.start_home()
    pair.until(lambda: pair.same)
    before = unchanged(pair)
    for data in pair.line.seen:
        pair.home_hears(data)
    pair.run(60)
    assert "A message was written to this board before its last start: it is not heard." in pair.said
    assert unchanged(pair) == before


def test_a_changed_message_is_not_heard() -> None:
    pair = met()
    data = bytearray(pair.far_seal.seal(LogHello()))
    data[-1] ^= 1
    pair.home_hears(bytes(data))
    pair.home_hears(b"")
    assert pair.said == [
        "A message was not sealed with the key of this link: it is not heard.",
        "A message is too short or too long: it is not heard.",
    ]


def sealed(pair: Pair, what: object, v: int = VERSION) -> bytes:
    """Return ``what`` as an envelope of a far board of another version."""
    from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt

    plain = msgspec.json.encode({"v": v, "from_": "aa", "to": pair.home_seal.name, "n": 9, "what": what})
    nonce = bytes(NONCE_BYTES)
    return nonce + encrypt(plain, LINK.room.encode(), nonce, LINK.way("up"))


def test_another_version_is_named() -> None:
    pair = met()
    before = unchanged(pair)
    pair.home_hears(sealed(pair, {"type": "dance"}, v=VERSION + 1))
    pair.home_hears(sealed(pair, {"type": "dance"}))
    assert pair.said == [
        f"The other board speaks version {VERSION + 1} of play from afar, this one {VERSION}: update both.",
        "A message of the other board cannot be read: update both boards.",
    ]
    assert unchanged(pair) == before


def test_a_forged_head_is_not_believed() -> None:
    pair = met()
    before = unchanged(pair)
    log = pair.home.log
    forged = LogEntries(0, log.head(), (LogEntry(ply="c3-c4"),), "0" * 64, log.begun)
    assert pair.far.hear(forged, 1.0) == ()
    told = "The other board has told something that does not follow from the game: it is not believed."
    assert pair.said == [told]
    nonsense = LogEntries(0, log.head(), (LogEntry(back=7),), log.head(), log.begun)
    pair.far.hear(nonsense, 1.0)
    assert pair.said == [told, told]
    assert unchanged(pair) == before


def test_another_game_takes_the_place_of_none() -> None:
    pair = met()
    before = unchanged(pair)
    other = Log(Begun("giantslayer", {}, 3))
    pair.far.hear(LogEntries(0, other.head(), (), other.head(), other.begun), 1.0)
    assert pair.said == ["The other board has told another game: this one is kept as it is."]
    assert unchanged(pair) == before


def test_unequal_heads_end_in_what_home_has() -> None:
    """Home was put back to an older disk: the far board gives up what home does not know any more."""
    pair = met()
    pair.home_plies("c3-c4")
    pair.until(lambda: pair.same)
    assert pair.core.back(0) == ""
    pair.kept_home.clear()
    pair.start_home()
    pair.until(lambda: pair.same)
    assert pair.far.log.plies == ()
    assert "The other board's record differs from this one: it is told the whole game." in pair.said


@pytest.mark.parametrize(
    "what",
    [PlayPly(text="c3-c4", seat=0), Resign(seat=0), TakeBack(to=0, by=(0,), asks=True), TakeBack(to=0)],
)
def test_an_order_for_another_seat_is_declined(what: PlayPly | Resign | TakeBack) -> None:
    pair = met()
    before = unchanged(pair)
    pair.wish(what)
    pair.until(lambda: pair.far.asked is None)
    assert pair.far.declined == "This link is for another seat."
    assert unchanged(pair) == before


def test_who_only_looks_on_gives_no_orders_whatever_is_claimed() -> None:
    carried_out: list[object] = []

    def carry_out(what: object) -> str:
        carried_out.append(what)
        return ""

    home = Home(Log(Begun(TIDES, {}, 0)), HeldSeats(WATCHES), carry_out)
    answers = home.hear(Ask("x-1", 0, home.log.head(), 0, PlayPly(text="c3-c4", seat=0)))
    (declined,) = answers
    assert isinstance(declined, Declined)
    assert (declined.id, declined.why) == ("x-1", "This link is for looking on.")
    assert carried_out == []


def test_an_order_out_of_turn_is_declined_with_the_rules_word() -> None:
    pair = met()
    pair.wish(far_ply("c6-b5"))
    pair.until(lambda: pair.far.asked is None)
    assert pair.far.declined == "it is not your turn"
    assert pair.said == ["An order of the other board was declined: it is not your turn"]


def test_an_order_for_a_position_that_has_passed_is_declined() -> None:
    pair = met()
    pair.home_plies("c3-c4")
    pair.until(lambda: pair.same)
    pair.line.cut(3)
    pair.wish(far_ply("c6-b5"))
    assert pair.core.back(0) == ""  # home takes its ply back, and nobody could tell the far board
    pair.grow()
    pair.until(lambda: pair.far.asked is None)
    pair.until(lambda: pair.same)
    assert pair.far.declined == "The game has gone on meanwhile: look again."
    assert pair.core.plies == []


# ---- the parts ----


def test_heads_tell_every_difference() -> None:
    logs = [
        Log(Begun(TIDES, {}, 0)), Log(Begun(TIDES, {}, 1)), Log(Begun(TIDES, {"a": 1}, 0)),
        Log(Begun(TIDES, {}, 0, ("c3-c4",))), Log(Begun(TIDES, {}, 0), (LogEntry(ply="c3-c4"),)),
        Log(Begun(TIDES, {}, 0), (LogEntry(ply="c3-c4"), LogEntry(back=0))),
        Log(Begun(TIDES, {}, 0), (LogEntry(ended=HomeEnded(True, 1)),)),
    ]  # fmt: skip
    assert len({log.head() for log in logs}) == len(logs)


@pytest.mark.parametrize(
    ("before", "after", "entries"),
    [
        ("", "a b", [LogEntry(ply="a"), LogEntry(ply="b")]),
        ("a b c", "a", [LogEntry(back=1)]),
        ("a b", "a c", [LogEntry(back=1), LogEntry(ply="c")]),
        ("a b", "a b", []),
    ],
)
def test_what_leads_from_one_record_to_another(before: str, after: str, entries: list[LogEntry]) -> None:
    log = Log(Begun(TIDES, {}, 0), (LogEntry(ply=ply) for ply in before.split()))
    assert list(leading_to(log, after.split(), HomeEnded())) == entries


def test_an_end_that_is_taken_back_is_an_entry() -> None:
    end = HomeEnded(True, 0, "resigned", None, (1,))
    log = Log(Begun(TIDES, {}, 0), (LogEntry(ply="a"), LogEntry(ended=end)))
    assert leading_to(log, ("a",), end) == ()
    assert leading_to(log, ("a",), HomeEnded()) == (LogEntry(ended=HomeEnded()),)
    assert leading_to(log, ("a", "b"), HomeEnded()) == (LogEntry(ended=HomeEnded()), LogEntry(ply="b"))


def test_a_link_is_read_as_it_was_written() -> None:
    link = GameLink("broker.example", 8883, True, 3, bytes(range(32)))
    assert read(f" {written(link)}\n") == link
    looks_on = GameLink("broker.example", 1883, False, WATCHES, bytes(range(32)))
    assert read(written(looks_on)) == looks_on
    assert "#k=" in written(link)
    assert len(written(link).partition("#k=")[2]) == 43
    assert "AAEC" not in repr(link)


ADDRESS = re.compile(r"https://[a-z.]+/[a-z/]*#(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})+")  # as RFC 3986 has it


@pytest.mark.parametrize("host", ["broker.example", "192.168.1.20", "[2001:db8::1]"])
@pytest.mark.parametrize("seat", [WATCHES, 0, 11])
def test_a_link_by_a_relay_is_an_address_that_messengers_leave_whole(host: str, seat: int) -> None:
    for tls, number in ((False, 251), (True, 0)):
        link = GameLink(host, 18883, tls, seat, bytes([number] * 32))
        text = written(link, "https://relay.example/")
        assert ADDRESS.fullmatch(text), text
        assert text.startswith("https://relay.example/board#")
        assert text[-1].isalnum()  # else it might be taken for the end of a sentence
        assert read(text) == read(f" {text[:40]}\n{text[40:60]}\r\n {text[60:]}\n") == link
        assert read(text.replace("/board#", "/board?from=a-messenger#")) == link
        assert read(written(link, "http://192.168.1.20:8080/of/ours")) == link


def test_a_link_for_a_phone_is_none_for_a_board() -> None:
    with pytest.raises(BadLink, match=r"for somebody without a board: open it in a browser"):
        read(phone_text("https://relay.example", bytes(32)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a link"), ("https://example.org/board#k=x", "not a link"),
        (written(LINK, "https://relay.example")[:-3], "incomplete"),
        (written(LINK, "https://relay.example").partition("#")[0], "not a link"),
        ("beaconboard://host/1#k=abc", "incomplete"),
        (written(LINK)[:-3], "incomplete"), (written(LINK).replace("1883", "99999"), "port"),
        (written(LINK).replace("/2#", "/0#"), "not a link"),
    ],
)  # fmt: skip
def test_what_is_no_link_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadLink, match=why):
        read(text)


def test_keys_tell_nothing_of_each_other() -> None:
    found = {LINK.room, LINK.way("up").hex(), LINK.way("down").hex(), LINK.key.hex()}
    assert len(found) == 4
    assert LINK.room != msgspec.structs.replace(LINK, key=bytes(32)).room


def test_a_message_is_heard_by_the_other_end_alone() -> None:
    line = Line(1)
    home, far = (Sealing(LINK, way, line.chance.randbytes) for way in ("down", "up"))
    assert home.open(far.seal(LogHello())) == OpenedMessage(LogHello(), far.name, False)
    assert home.peer == ""
    assert far.open(home.seal(LogHello(), far.name)) == OpenedMessage(LogHello(), home.name, True, True)
    assert far.peer == home.name
    with pytest.raises(Unsealed):
        home.open(home.seal(LogHello()))
    assert Envelope.__struct_fields__ == ("v", "from_", "to", "n", "what")


@pytest.mark.slow
def test_a_thousand_plies_over_a_bad_line() -> None:
    """A sample; `python -m tests.afar.soak 100000 1` is the whole."""
    count = soak(1000, 7)
    assert (count.forks, count.lost, count.twice) == (0, 0, 0)
    assert count.plies >= 1000
    assert count.cuts > 50
    assert len(open_games()) >= 4
