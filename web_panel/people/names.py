"""Names of phones as people type them: what can be seen of them, and which two look alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

MOST_MARKS = 2  # accents on one letter
# What looks like a Latin letter in most fonts: Cyrillic, Greek and Armenian letters, phonetic ones, and signs. They are
# written by their codes, since no eye can distinguish them.
ALIKE = {
    **str.maketrans("\u0410\u0412\u0415\u0417\u041a\u041c\u041d\u041e", "ABE3KMHO"),
    **str.maketrans("\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408", "PCTYXSIJ"),
    **str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455", "aeopcyxs"),
    **str.maketrans("\u0456\u0458\u04bb\u0501\u051b\u051d\u044c\u0433", "ijhdqwbr"),
    **str.maketrans("\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c", "ABEZHIKM"),
    **str.maketrans("\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b9", "NOPTYXai"),
    **str.maketrans("\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0555", "kvoptuxO"),
    **str.maketrans("\u054f\u054d\u0585\u057d\u05780|1", "SUounOll"),
    **str.maketrans("I\u2113\u00a1!\u0131\u0237\u0251\u0261", "llllijag"),
    **str.maketrans("\u029f", "L"),
}
# Letters and marks by their category, of which nothing is seen.
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code)
    for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
    for code in range(first, last + 1)
}


def cleaned(name: str) -> str:
    """Return ``name`` in its usual form, with single blanks, without what cannot be seen or turns the writing round."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFKC", name):
        category = unicodedata.category(letter)
        marks = marks + 1 if category.startswith("M") else 0
        if category.startswith("Z") or letter in "\t\n\r":
            kept.append(" ")
        elif not category.startswith("C") and letter not in UNSEEN and marks <= MOST_MARKS and (kept or not marks):
            kept.append(letter)
    return " ".join("".join(kept).split())


def width(name: str) -> int:
    """Return how wide ``name`` is, in letters: those of East Asia and most pictures take the room of two."""
    seen = (letter for letter in name if not unicodedata.category(letter).startswith("M"))
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in seen)


def skeleton(name: str) -> str:
    """Return the same text for names that look alike."""
    plain = unicodedata.normalize("NFKD", cleaned(name).translate(ALIKE))
    letters = "".join(letter for letter in plain if not unicodedata.category(letter).startswith("M"))
    return letters.translate(ALIKE).casefold().replace(" ", "")


def taken(name: str, others: Iterable[str]) -> bool:
    """Whether ``name`` would be taken for one of the ``others``."""
    return skeleton(name) in {skeleton(other) for other in others}
