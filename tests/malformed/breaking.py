"""Ways to break a message of `tests.malformed.grammar`, each a rule of RFC 9112 that no longer holds; and what never
was a message of HTTP.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.malformed.grammar import CRLF, Message, field_value, message, tls_hello, token

Breaking = Callable[[Random, Message], None]

BLANKS = (b"", b"  ", b"\t", b"\x0b", b"\r", b"\n", b"\x00", b"\xa0", b" \r\n ")
ENDS = (b"\n", b"\r", b"\n\r", b"\r\r\n", b"\r\n\r\n", b"", b"\x00\r\n", b" \r\n", b"\x85", b"\xe2\x80\xa8")
VERSIONS = (
    b"", b"HTTP", b"HTTP/", b"HTTP/1", b"HTTP/1.", b"HTTP/.1", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/9.9", b"HTTP/1.1.1",
    b"HTTP/11",
    b"HTTP/-1.1", b"HTTP/1.\xb2", b"http/1.1", b"HTTP/1.1 x", b"RTSP/1.0", b"SIP/2.0", b"ICY", b"HTTP/" + b"1" * 400,
)  # fmt: skip
LENGTHS = (
    b"", b"-1", b"+5", b"0x5", b"5 5", b"5,5", b"5, 6", b"1e3", b"\xb2", b"5.0", b"_5", b"5_0", b" ",
    b"99999999999999999999999",
    b"9" * 5000, b"18446744073709551616", b"2147483648", b"five", b"0005", b"\x005", b"5\x0b",
)  # fmt: skip
SIZES = (
    b"", b"-1", b"+1", b"0x1", b"g", b"1 ", b" 1", b"1_0", b"ffffffffffffffffffff", b"7fffffffffffffff",
    b"f" * 3000, b"1.0", b"\xb2",
    b"1;" + b"a" * 9000, b"00000000000000000000001", b'1;a="', b"\n1", b"1\x00",
)  # fmt: skip
CODINGS = (
    b"", b"identity", b"gzip", b"chunked, chunked", b"chunked, gzip", b"gzip, chunked", b"xchunked", b"chunked;q=1",
    b"\x0bchunked", b"CHUNKED",
    b"chunked ,", b", chunked", b'"chunked"', b"chunked\x00",
)  # fmt: skip
HOSTS = (
    b"", b" ", b"a b", b"@", b"user@127.0.0.1", b"127.0.0.1:99999", b"[", b"[::1", b"[::1]:x", b"\xff", b"a,b",
    b"/", b"127.0.0.1:",
    b"a" * 9000, b"localhost\x00", b"%00",
)  # fmt: skip
TARGETS = (
    b"", b"x", b"//", b"///x", b"\\", b"/%", b"/%zz", b"/%00", b"/\x00", b"/\xff\xfe", b"/ /", b"/#x",
    b"/../../etc/passwd", b"/%2e%2e%2f",
    b"http://", b"http://[", b"http://[::1/", b"https:/x", b"javascript:x", b"*x", b"/" + b"a" * 70_000,
    b"/?" + b"&" * 30_000, b"://", b"?", b"/;",
    b"http://127.0.0.1:port/", b"http://\xff/", b"/\xc0\xaf", b"/a?b?c#d#e", b"//[::", b"http://a:b@c:d@e/",
)  # fmt: skip


def methods(dice: Random, made: Message) -> None:
    """A method is a token of capital letters."""
    whole = made.start[0]
    noise = dice.randbytes(4)
    made.start[0] = dice.choice(
        (
            b"",
            whole.lower(),
            whole[:-1],
            b" " + whole,
            whole + b"\x00",
            noise,
            b"G\xc9T",
            whole * 900,
            b"(GET)",
            b"\r\n" * 3,
            b"get:",
        )
    )


def targets(dice: Random, made: Message) -> None:
    """A target is one of four forms, of letters that can be seen."""
    made.start[2] = dice.choice(TARGETS)


def versions(dice: Random, made: Message) -> None:
    """A version is HTTP, a slash, a digit, a dot, a digit."""
    made.start[4] = dice.choice(VERSIONS)


def blanks(dice: Random, made: Message) -> None:
    """One blank stands between the three parts of the first line."""
    made.start[dice.choice((1, 3))] = dice.choice(BLANKS)


def start_parts(dice: Random, made: Message) -> None:
    """The first line has three parts."""
    made.start = dice.choice(
        ([], made.start[:1], made.start[:3], made.start[2:], made.start * 2, [b":"], [b" "], [b"\x00"])
    )


def line_ends(dice: Random, made: Message) -> None:
    """A line ends with CR and LF."""
    made.ends = dice.choice(ENDS)


def head_end(dice: Random, made: Message) -> None:
    """A head ends with an empty line."""
    made.after_headers = dice.choice((*ENDS, b" \r\n\r\n", b"\t", b":\r\n\r\n"))


def colons(dice: Random, made: Message) -> None:
    """A colon, and no blank before it, follows a header's name (section 5.1)."""
    where = dice.randrange(len(made.headers))
    name, _, value = made.headers[where]
    made.headers[where] = (
        name,
        dice.choice((b"", b" : ", b"\t:", b"=", b"::", b" ", b"\x00:", b"\r\n:", b":\r\n")),
        value,
    )


def names(dice: Random, made: Message) -> None:
    """A header's name is a token."""
    where = dice.randrange(len(made.headers))
    name, colon, value = made.headers[where]
    bad = (
        b"",
        b" ",
        b"\t" + name,
        name + b"\x00",
        b"\xff" + name,
        b"a b",
        b"(" + name,
        name[:2] + b"\r" + name[2:],
        b"_" + name,
        name * 900,
        b'"',
    )
    made.headers[where] = (dice.choice(bad), colon, value)


def values(dice: Random, made: Message) -> None:
    """A header's value holds no control letters; folding ended with RFC 7230."""
    where = dice.randrange(len(made.headers))
    name, colon, value = made.headers[where]
    bad = (
        b"\x00",
        value + b"\r" + value,
        b"a\nb",
        b"a\r\n b",
        b"a\r\n\tb",
        b"\x7f",
        b"\x1b[2J",
        b"a" * 70_000,
        bytes(range(256)),
        b"\r\n " * 50,
    )
    made.headers[where] = (name, colon, dice.choice(bad))


def folded_first(dice: Random, made: Message) -> None:
    """The first header is no continuation of anything."""
    made.headers.insert(0, (dice.choice((b" ", b"\t")) + token(dice), b": ", field_value(dice)))


def order(dice: Random, made: Message) -> None:
    """Headers stand behind the first line, which stands there once."""
    made.headers.insert(dice.randrange(len(made.headers) + 1), (b"GET", b" ", b"/ HTTP/1.1"))


def hosts(dice: Random, made: Message) -> None:
    """A Host is there, once, and is a host (RFC 9112, 3.2)."""
    where = made.place(b"Host")
    choice = dice.randrange(3)
    if choice == 0 and where is not None and len(made.headers) > 1:
        del made.headers[where]
    elif choice == 1:
        made.headers.append((b"Host", b": ", dice.choice(HOSTS)))
    else:
        made.put(b"Host", dice.choice(HOSTS))


def lengths(dice: Random, made: Message) -> None:
    """A length is digits, once, and not beside chunks."""
    if dice.random() < 0.5:
        made.put(b"Content-Length", dice.choice(LENGTHS))
    else:
        made.headers.append((b"Content-Length", b": ", dice.choice((*LENGTHS, b"5", b"0", b"70000"))))


def codings(dice: Random, made: Message) -> None:
    """Chunked is the last coding, once, and known."""
    if dice.random() < 0.5:
        made.put(b"Transfer-Encoding", dice.choice(CODINGS))
    else:
        made.headers.append((b"Transfer-Encoding", b": ", dice.choice((*CODINGS, b"chunked"))))


def chunk_sizes(dice: Random, made: Message) -> None:
    """A chunk is as long as its size says, in hexadecimal digits, and ends with CR and LF."""
    made.put(b"Transfer-Encoding", b"chunked")
    if not made.body:
        made.body = [b"5", b"", CRLF, b"hello", CRLF, b"0", b"", CRLF, CRLF]
    where = dice.randrange(len(made.body))
    made.body[where] = dice.choice((*SIZES, b"\n", b"\r", b"", b"\x00" * 20))


def body_cut(dice: Random, made: Message) -> None:
    """A body is as long as was said."""
    whole = b"".join(made.body)
    made.body = [
        whole[: dice.randrange(len(whole) + 1)] + dice.choice((b"", b"", dice.randbytes(7), b"GET / HTTP/1.1"))
    ]


def many(dice: Random, made: Message) -> None:
    """A head is not without end."""
    count = dice.choice((200, 2000))
    made.headers += [(b"X-%d" % n, b":", b"y" * dice.choice((0, 1, 100))) for n in range(count)]


def before(dice: Random, made: Message) -> None:
    """Nothing but one empty line stands before a request."""
    made.between = dice.choice(
        (
            b"\r\n" * 50,
            b"\n",
            b"\r",
            b"\x00",
            b" ",
            b"\xef\xbb\xbf",
            b"0\r\n\r\n",
            b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n",
        )
    )


def flipped(dice: Random, made: Message) -> None:
    """All of it arrives as it was sent."""
    whole = bytearray(made.written())
    for _ in range(dice.choice((1, 1, 3, 20))):
        whole[dice.randrange(len(whole))] = dice.randrange(256)
    raw(made, bytes(whole))


def pieces(dice: Random, made: Message) -> None:
    """Nothing of it is missing, doubled or elsewhere."""
    whole = made.written()
    here, there = sorted(dice.randrange(len(whole) + 1) for _ in range(2))
    raw(
        made,
        dice.choice(
            (
                whole[:here] + whole[there:],
                whole[:there] + whole[here:],
                whole[here:] + whole[:here],
                whole[::-1],
                whole[here:there],
            )
        ),
    )


def raw(made: Message, sent: bytes) -> None:
    """Let ``made`` be written as ``sent``, whatever that is."""
    made.start, made.headers, made.body, made.between, made.ends, made.after_headers = [], [], [], sent, b"", b""


BREAKINGS: tuple[Breaking, ...] = (
    methods, targets, versions, blanks, start_parts, line_ends, head_end, colons, names, values, folded_first,
    order, hosts, lengths,
    codings, chunk_sizes, body_cut, many, before,
)  # fmt: skip
WHOLES: tuple[Breaking, ...] = (flipped, pieces)


def broken(dice: Random, host: bytes) -> bytes:
    """Return what is no request, or nearly one: one to three rules broken,
    sometimes none so that others must hold."""
    if dice.random() < 0.12:
        return stranger(dice)
    made = message(dice, host)
    for _ in range(dice.choice((0, 1, 1, 1, 1, 2, 3))):
        if made.headers and len(made.start) == 5:
            dice.choice(BREAKINGS)(dice, made)
    if dice.random() < 0.15 and made.written():
        dice.choice(WHOLES)(dice, made)
    return made.written()


def stranger(dice: Random) -> bytes:
    """Return what is of another protocol, or of none."""
    hello = tls_hello(dice)
    spoilt = bytearray(hello)
    spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
    return dice.choice((
        hello, bytes(spoilt), hello[: dice.randrange(1, len(hello))], hello + b"\r\n\r\n",
        dice.randbytes(dice.choice((1, 30, 900))),
        dice.randbytes(200) + b"\r\n\r\n", bytes(range(256)) + b"\r\n\r\n", b"\r\n" * 1000,
        b"\x00" * 400 + b"\r\n\r\n", b"x\r\n\r\n", b"\n\n", b"\r\r",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + dice.randbytes(20), b"SSH-2.0-x\r\n", b"EHLO x\r\n\r\n",
        b"*1\r\n$4\r\nPING\r\n", b"\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x00",
        b"OPTIONS sip:x SIP/2.0\r\nVia: SIP/2.0/TCP x\r\n\r\n", b"OPTIONS / RTSP/1.0\r\nCSeq: 1\r\n\r\n",
        b"stats\r\n\r\n", b"a" * 300_000, b"GET", b"GET /\r\n\r\n",
    ))  # fmt: skip
