"""The sealed line from a page far away: what is said again and what never, and what is heard of the board."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.web_panel.staged import Stage

# A relay and a board as the test has them. What the page posts is opened with the board's end of the same key.
MADE = """async () => {
  const far = await import("/static/far/far_line.js");
  const key = new Uint8Array(32).fill(7), end = new far.Sealing(key);
  [end.in, end.out] = [end.out, end.in];
  class Relay extends EventTarget {
    static CLOSED = 2;
    constructor(url) { super(); Object.assign(this, { url, readyState: 1 }); relays.push(this); }
    close() { this.readyState = 2; this.shut = true; }
  }
  Object.assign(window, { posts: [], relays: [], told: [], answers: [], heard: [], cut: false, slow: [] });
  const fetch = async (url, { method, headers, body }) => {
    if (cut) throw new TypeError("Failed to fetch");
    posts.push({ url, method, kind: headers["Content-Type"], ...end.open(body) });
    if (window.wait) await new Promise((go) => slow.push(go));
  };
  window.line = new far.FarLine(key, (sentence) => told.push(sentence), { fetch, EventSource: Relay });
  window.stands = (is) => relays.at(-1).dispatchEvent(new MessageEvent("stands", { data: String(is) }));
  window.raw = (bytes) => relays.at(-1).onmessage({ data: btoa(String.fromCharCode(...bytes)) });
  window.says = (what, { n = 1, from = "board", to = line.name, v = 1, sealing = end } = {}) =>
    raw(sealing.seal({ v, from_: from, to, n, what }));
  window.other = () => { const sealing = new far.Sealing(new Uint8Array(32).fill(8)); return sealing; };
  window.asks = (name, method, path, body, how) => line.call(method, path, body, how).then(
    (answer) => answers.push([name, answer.status, answer.body]), (error) => answers.push([name, error.name]));
  const Source = far.sourceOver(line);
  window.watches = (name) => {
    const source = new Source();
    for (const kind of ["open", "error", "view"]) source.addEventListener(kind, (event) =>
      heard.push([name, kind, ...(event.data ? [JSON.parse(event.data)] : [])]));
    return source;
  };
  await stage.settled();
}"""
AWAY = {"error": "The board has ended this link."}
AGAIN = {"error": "The board was started again meanwhile: look whether that was done."}
TWICE = "A message came a second time, or after a later one: it is not heard."


@pytest.fixture
def line(stage: Stage) -> Stage:
    """Return a page with a line whose relay has not said yet whether the board is there."""
    stage.open()
    stage.js(MADE)
    return stage


def do(stage: Stage, script: str, *given: Any) -> None:
    stage.js(f"async (given) => {{ {script}; await stage.settled(); }}", *given)


def says(stage: Stage, what: dict[str, Any], n: int = 1, **more: Any) -> None:
    """Let the board say something."""
    do(stage, "says(given[0], given[1])", what, {"n": n, **more})


def sent(stage: Stage) -> list[Any]:
    """Return what the page has said since the last time: kinds, and of calls what they ask."""
    found = stage.js("() => posts.splice(0)")
    return [
        f"{each['what']['method']} {each['what']['path']}" if each["what"]["type"] == "call" else each["what"]["type"]
        for each in found
    ]


def taken(stage: Stage, name: str) -> list[Any]:
    return list(stage.js(f"() => {name}.splice(0)"))


def met(stage: Stage, **more: Any) -> None:
    """Let the board be there and greet."""
    do(stage, "stands(true)")
    says(stage, {"type": "hello"}, **more)
    sent(stage)


# ---- how they meet ----


def test_the_page_greets_the_board_and_then_says_what_waited(line: Stage) -> None:
    url = line.js("() => relays[0].url")
    assert url == f"/line?room={line.js('() => line.sealing.room')}"
    assert len(url.partition("=")[2]) == 32
    do(line, "watches('page'); asks('a', 'GET', '/api/board', ''); stands(false)")
    assert sent(line) == []
    do(line, "stands(true)")
    (hello,) = line.js("() => posts.splice(0)")
    assert hello == {
        "url": url, "method": "POST", "kind": "application/octet-stream", "v": 1, "from_": line.js("() => line.name"),
        "to": "", "n": 1, "what": {"type": "hello"},
    }  # fmt: skip
    assert len(hello["from_"]) == 16
    says(line, {"type": "news", "id": "x", "n": 1}, n=1)  # of a board that has not greeted
    assert sent(line) == []
    says(line, {"type": "hello"}, n=2)
    call, watch = line.js("() => posts.splice(0)")
    assert (call["to"], call["n"], watch["n"]) == ("board", 2, 3)
    assert [len(each["what"]["id"]) for each in (call, watch)] == [16, 16]
    assert call["what"] | {"id": ""} == {
        "type": "call", "id": "", "method": "GET", "path": "/api/board", "body": "", "language": "",
    }  # fmt: skip
    assert watch["what"] | {"id": ""} == {"type": "watch", "id": "", "language": ""}
    assert taken(line, "told") == [""]
    says(line, {"type": "answer", "id": call["what"]["id"], "status": 200, "body": [1]}, n=3)
    assert taken(line, "answers") == [["a", 200, [1]]]
    says(line, {"type": "answer", "id": call["what"]["id"], "status": 200, "body": [2]}, n=4)
    assert taken(line, "answers") == []
    line.passes(3100)
    assert sent(line) == ["watch"]  # of which nothing was heard yet


def test_what_is_not_answered_is_said_again_ever_more_rarely_and_given_up(line: Stage) -> None:
    met(line)
    do(line, "asks('once', 'GET', '/a', ''); asks('ever', 'POST', '/b', '', { again: true })")
    assert sent(line) == ["GET /a", "POST /b"]
    n = 2
    heard = []
    for second in range(1, 46):
        line.passes(1000)
        heard += [(second, each) for each in sent(line)]
        says(line, {"type": "answer", "id": "of nobody"}, n=n)
        n += 1
    waits_s = [1.5, 3, 6, 8, 8, 8]
    for name, times in (("GET /a", 4), ("POST /b", 6)):
        when = [0, *(second for second, each in heard if each == name)]
        assert len(when) == 1 + times
        for (one, other), least_s in zip(pairwise(when), waits_s, strict=False):
            assert least_s <= other - one <= least_s + 2
    assert {each for _, each in heard} == {"GET /a", "POST /b"}
    assert taken(line, "answers") == [["once", "TypeError"]]
    do(line, "asks('c', 'GET', '/c', '')")
    sent(line)
    line.passes(29000)
    assert taken(line, "answers") == []


def test_messages_leave_one_after_the_other_also_over_a_bad_line(line: Stage) -> None:
    met(line)
    do(line, "window.wait = true; asks('a', 'GET', '/a', ''); asks('b', 'GET', '/b', '')")
    assert sent(line) == ["GET /a"]  # what comes after a later message is not heard
    do(line, "slow.pop()()")
    assert sent(line) == ["GET /b"]
    do(line, "window.wait = false; slow.pop()(); cut = true; asks('c', 'GET', '/c', '')")
    do(line, "cut = false; asks('d', 'GET', '/d', '')")
    assert sent(line) == ["GET /d"]
    line.passes(3100)
    assert "GET /c" in sent(line)


# ---- what is not to be believed ----


def test_what_others_say_is_not_heard_and_told_until_the_board_speaks(line: Stage) -> None:
    met(line)
    do(line, "asks('a', 'GET', '/a', '')")
    do(line, "window.id = posts[0].what.id")
    answer = "{ type: 'answer', id, status: 200, body: given[0] }"
    taken(line, "told")
    do(line, f"says({answer}, {{ n: 2, sealing: other() }})", "other key")
    do(line, "raw([1, 2, 3])")
    told = taken(line, "told")
    assert told == ["A message was not sealed with the key of this link: it is not heard."] * 2
    do(line, f"says({answer}, {{ n: 2, v: 2 }})", "other version")
    assert taken(line, "told") == ["The board and this page are of different versions: update the board or the relay."]
    do(line, f"says({answer}, {{ n: 1 }})", "the same number")
    assert taken(line, "told") == [TWICE]
    do(line, f"says({answer}, {{ n: 2, to: 'somebody' }})", "for another page")
    do(line, f"says({answer}, {{ n: 2, from: 'impostor' }})", "from another board")
    assert taken(line, "answers") == []
    assert taken(line, "told") == []
    do(line, f"says({answer}, {{ n: 2 }})", "heard")
    assert taken(line, "answers") == [["a", 200, "heard"]]
    assert taken(line, "told") == [""]
    do(line, f"says({answer}, {{ n: 3 }})", "heard")
    assert taken(line, "told") == []  # nothing to take back
    do(line, f"says({answer}, {{ n: 3 }})", "twice")
    assert taken(line, "told") == [TWICE]


# ---- a board that was started again ----


def test_after_a_restart_nothing_is_done_twice(line: Stage) -> None:
    met(line)
    do(
        line,
        "asks('asked', 'GET', '/a', ''); asks('done', 'POST', '/b', '');"
        " asks('ever', 'POST', '/c', '', { again: true })",
    )
    line.passes(3000)
    sent(line)
    says(line, {"type": "hello"}, to="another page", n=1, **{"from": "board 2"})
    assert sent(line) == []
    says(line, {"type": "hello"}, to="", n=1, **{"from": "board 2"})
    assert sent(line) == ["hello"]
    says(line, {"type": "hello"}, to="", n=1, **{"from": "board 2"})
    assert sent(line) == []  # it was greeted just now
    assert taken(line, "answers") == []
    says(line, {"type": "hello"}, n=1, **{"from": "board 2"})
    assert taken(line, "answers") == [["done", 409, AGAIN]]  # whether it was, nobody knows
    assert sent(line) == ["GET /a", "POST /c"]
    says(line, {"type": "answer", "id": "x"}, n=2)  # of the board as it was
    assert taken(line, "told")[-1] == ""
    line.passes(3000)
    sent(line)
    says(line, {"type": "hello"}, to="", n=9)
    says(line, {"type": "hello"}, to="", n=9, **{"from": "board 2"})
    assert sent(line) == []  # both are known
    line.passes(3000)
    sent(line)
    name = line.js("() => line.name")
    says(line, {"type": "hello"}, n=9)  # one of the two is from before: nothing that was written until now is heard
    assert line.js("() => line.name") != name
    assert sent(line) == ["hello"]
    says(line, {"type": "hello"}, n=1)
    assert taken(line, "told") == [""]
    assert sent(line) == ["GET /a", "POST /c"]


def test_what_was_not_sent_before_a_restart_is_sent_then(line: Stage) -> None:
    do(line, "stands(true); asks('done', 'POST', '/b', '')")
    assert sent(line) == ["hello"]
    says(line, {"type": "hello"}, n=1)
    assert sent(line) == ["POST /b"]
    assert taken(line, "answers") == []


def test_a_board_that_is_silent_is_greeted_again_and_counts_as_away(line: Stage) -> None:
    do(line, "watches('page')")
    do(line, "stands(true)")
    sent(line)
    line.passes(1600)
    assert sent(line) == ["hello"]
    says(line, {"type": "hello"}, n=1)
    says(line, {"type": "news", "id": line.js("() => line.watches.id"), "n": 1, "event": "view", "data": 5}, n=2)
    assert taken(line, "heard") == [["page", "open"], ["page", "view", 5]]
    assert sent(line) == ["watch"]
    line.passes(24000)
    assert taken(line, "heard") == []
    assert set(sent(line)) == {"here"}
    line.passes(2500)
    assert taken(line, "heard") == [["page", "error"]]
    assert "hello" in sent(line)
    do(line, "stands(false)")
    sent(line)
    line.passes(30000)
    assert "hello" not in sent(line)  # the relay says that it is not there


# ---- what there is to see ----


def test_news_are_heard_once_in_their_order_and_asked_for_anew_where_one_is_missing(line: Stage) -> None:
    do(line, "window.page = watches('page')")
    met(line)
    watched = line.js("() => line.watches.id")

    def news(n: int, message: int, of: str = watched) -> None:
        says(line, {"type": "news", "id": of, "n": n, "event": "view", "data": n}, n=message)

    news(1, 2)
    news(2, 3)
    news(2, 4)
    news(1, 5)
    news(3, 6, of="another")
    assert taken(line, "heard") == [["page", "open"], ["page", "view", 1], ["page", "view", 2]]
    says(line, {"type": "still", "id": watched, "n": 2}, n=7)
    assert sent(line) == []
    says(line, {"type": "still", "id": watched, "n": 3}, n=8)
    assert sent(line) == ["watch"]
    says(line, {"type": "still", "id": watched, "n": 9}, n=9)
    assert sent(line) == []  # it is asked for already
    watched = line.js("() => line.watches.id")
    news(1, 10, of=watched)
    assert taken(line, "heard") == [["page", "view", 1]]
    says(line, {"type": "still", "id": "before", "n": 1}, n=11)
    assert sent(line) == ["watch"]
    watched = line.js("() => line.watches.id")
    news(1, 12, of=watched)
    news(3, 13, of=watched)  # the second was lost
    assert taken(line, "heard") == [["page", "view", 1]]
    assert sent(line) == ["watch"]
    line.passes(1400)
    assert sent(line) == []
    line.passes(2000)
    assert sent(line) == ["watch"]
    news(1, 14, of=line.js("() => line.watches.id"))
    line.passes(1600)
    assert sent(line) == ["here"]  # still looked at
    line.passes(7000)
    assert sent(line) == []
    line.passes(3000)
    assert sent(line) == ["here"]
    do(line, "page.close()")
    assert [each["what"] for each in line.js("() => posts.splice(0)")] == [{"type": "here", "id": ""}]
    line.passes(9000)
    assert sent(line) == []
    do(line, "page.lost()")
    assert taken(line, "heard")[1:] == []


def test_one_page_is_shown_what_there_is_at_a_time(line: Stage) -> None:
    met(line)
    do(line, "window.one = watches('one')")
    assert sent(line) == ["watch"]
    first = line.js("() => line.watches.id")
    do(line, "window.two = watches('two')")
    assert line.js("() => [one.readyState, two.readyState]") == [2, 0]
    assert sent(line)[-1] == "watch"
    do(line, "one.close()")
    assert sent(line) == []
    says(line, {"type": "news", "id": first, "n": 1, "event": "view", "data": 1}, n=2)
    assert taken(line, "heard") == []
    says(line, {"type": "news", "id": line.js("() => two.id"), "n": 1, "event": "view", "data": 1}, n=3)
    assert taken(line, "heard") == [["two", "open"], ["two", "view", 1]]


# ---- the relay, and the end ----


def test_a_relay_that_goes_away_is_called_again(line: Stage) -> None:
    do(line, "watches('page')")
    met(line)
    do(line, "relays[0].onerror()")  # which the browser mends by itself
    assert taken(line, "heard") == [["page", "error"]]
    line.passes(2000)
    assert line.js("() => relays.length") == 1
    assert "hello" not in sent(line)
    do(line, "relays[0].readyState = 2; relays[0].onerror()")
    line.passes(1400)
    assert line.js("() => relays.length") == 1
    line.passes(200)
    assert line.js("() => relays.length") == 2
    do(line, "stands(true)")
    assert "hello" in sent(line)
    says(line, {"type": "closed"}, n=2)
    assert line.js("() => relays[1].shut")  # the one that was called again


def test_a_link_that_was_ended_says_and_asks_nothing_any_more(line: Stage) -> None:
    do(line, "window.page = watches('page')")
    met(line)
    do(line, "asks('a', 'POST', '/a', '')")
    sent(line)
    says(line, {"type": "closed"}, n=2)
    assert taken(line, "answers") == [["a", 409, AWAY]]
    assert taken(line, "told")[-1] == "The board has ended this link."
    assert taken(line, "heard") == [["page", "error"]]
    assert line.js("() => [relays[0].shut, document.body.className]") == [True, "ended"]
    do(line, "asks('b', 'GET', '/b', ''); page.close(); watches('again')")
    assert taken(line, "answers") == [["b", 409, AWAY]]
    do(line, "relays[0].onerror()")
    line.passes(60000)
    assert sent(line) == []
    assert line.js("() => relays.length") == 1


def test_a_key_is_read_from_its_link_whole_or_not_at_all(line: Stage) -> None:
    text = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-_8"  # 32 bytes
    read = """async (given) => { const { keyOf } = await import("/static/far/far_line.js");
      return given.map((hash) => keyOf(hash) && [...keyOf(hash)]); }"""
    found = line.js(read, f"#k={text}", f"#k={text}A", f"#k={text[1:]}", f"k={text}", "", f"#k={text[:-1]}+")
    assert found[0] == [0] * 30 + [251, 255]
    assert found[1:] == [None] * 5
