"""A wire that is found in part: what is blamed for it, and that every site has one place on what is learned."""

from __future__ import annotations

from controller.diagnostics.miswiring import Group, complete, explain, regrouped


def test_a_site_that_was_not_found_keeps_its_place_or_takes_one_that_was_meant_for_a_site() -> None:
    meant = ("a", "b", None, "c", "d")
    assert complete(meant, (None, "b", None, None, "d"), "abcd") == ("a", "b", None, "c", "d")
    assert complete(meant, ("b", None, None, "c", "d"), "abcd") == ("b", "a", None, "c", "d")
    assert complete(meant, ("b", "c", None, "a", None), "abcd") == ("b", "c", None, "a", "d")
    assert complete((None, "a", "b"), ("b", None, None), "ab") == ("b", "a", None)


def test_a_whole_group_is_blamed_for_three_places_and_not_for_two() -> None:
    meant = tuple("abcdefgh")
    whole = [Group("strip", tuple(range(8)), "whole")]

    def blamed(known: int) -> list[str]:
        found = tuple(site if k < known else None for k, site in enumerate(reversed(meant)))
        return [mistake.kind for mistake in explain(meant, found, lambda order: regrouped(order, whole)).mistakes]

    assert blamed(3) == ["reversed"]
    assert blamed(2) == ["swapped", "swapped"]


def test_of_a_group_that_explains_most_a_quarter_may_be_wrong() -> None:
    meant = tuple("abcdefgh")
    whole = [Group("strip", tuple(range(8)), "whole")]

    def blamed(found: str) -> list[str]:
        return [m.kind for m in explain(meant, tuple(found), lambda order: regrouped(order, whole)).mistakes]

    assert blamed("hgfedcab") == ["reversed", "swapped"]
    assert "reversed" not in blamed("hgfedbac")
