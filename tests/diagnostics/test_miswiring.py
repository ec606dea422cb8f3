"""A wire that is found in part: every site has one place on what is learned."""

from __future__ import annotations

from controller.diagnostics.miswiring import complete


def test_a_site_that_was_not_found_keeps_its_place_or_takes_one_that_was_meant_for_a_site() -> None:
    meant = ("a", "b", None, "c", "d")
    assert complete(meant, (None, "b", None, None, "d"), "abcd") == ("a", "b", None, "c", "d")
    assert complete(meant, ("b", None, None, "c", "d"), "abcd") == ("b", "a", None, "c", "d")
    assert complete(meant, ("b", "c", None, "a", None), "abcd") == ("b", "c", None, "a", "d")
    assert complete((None, "a", "b"), ("b", None, None), "ab") == ("b", "a", None)
