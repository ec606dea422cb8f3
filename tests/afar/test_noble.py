"""The sealing of a page far away is that of the board: every length, in both directions, in Chromium."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator

import pytest
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt
from playwright.sync_api import Browser, Page

from controller.afar.phone import phone_link, phone_text
from tests.afar.relays import relay_at

LENGTHS = [*range(300), 1023, 1024, 1025, 4095, 4096, 4097, 65_535, 65_536]


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with relay_at(1) as relay:  # nobody is there: nothing is sent
        page = browser.new_page()
        page.goto(relay)
        yield page
        page.close()


def test_what_one_seals_is_what_the_other_seals_and_opens_whatever_its_length(page: Page) -> None:
    known = []
    for length in LENGTHS:
        key, nonce, about, plain = os.urandom(32), os.urandom(24), os.urandom(length % 40), os.urandom(length)
        known.append([text(each) for each in (key, nonce, about, plain, encrypt(plain, about, nonce, key))])
    wrong = page.evaluate(
        """async (known) => {
            const { xchacha20poly1305 } = await import("/static/vendor/noble.js");
            const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            const same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);
            return known.flatMap((texts) => {
                const [key, nonce, about, plain, sealed] = texts.map(bytes);
                const cipher = () => xchacha20poly1305(key, nonce, about);
                const right = same(cipher().encrypt(plain), sealed) && same(cipher().decrypt(sealed), plain);
                const changed = sealed.slice();
                changed[plain.length % changed.length] ^= 1 << plain.length % 8;
                try {
                    cipher().decrypt(changed);
                    return [`${plain.length} forged`];
                } catch {
                    return right ? [] : [`${plain.length}`];
                }
            });
        }""",
        known,
    )
    assert wrong == []


def test_a_page_derives_the_room_and_both_keys_from_the_link_as_the_board_does(page: Page) -> None:
    for _ in range(20):
        key = os.urandom(32)
        link = phone_link(key)
        derived = page.evaluate(
            """async (link) => {
                const { Sealing, keyOf } = await import("/static/far/far_line.js");
                const sealing = new Sealing(keyOf(new URL(link).hash));
                return [sealing.room, [...sealing.out], [...sealing.in]];
            }""",
            phone_text("https://relay.example/", key),
        )
        assert derived == [link.room, [*link.way("up")], [*link.way("down")]]
