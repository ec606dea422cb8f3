"""Name and password of the board's own Wi-Fi: drawn, written, read, and refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.appliance.network.hotspot_card import LETTERS, BadCard, HotspotCard, drawn, main, read, written


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "hotspot.toml"
    for card in (drawn(), HotspotCard('Anna\'s "board" \\ 7', 'a"b\\c#d=e f')):
        path.write_text(written(card), "utf-8")
        assert read(path) == card


def test_no_two_boards_have_the_same_password_and_none_is_hard_to_read() -> None:
    cards = [drawn() for _ in range(200)]
    assert len({card.password for card in cards}) == 200
    assert {letter for card in cards for letter in card.password} <= set(LETTERS)
    assert not set("0o1il") & set(LETTERS)


@pytest.mark.parametrize(
    "text",
    ["", 'name = "x"', 'name = "x"\npassword = "short"', 'name = "🏠"\npassword = "long enough"', "no TOML", "\udcff",
     'name = "x"\npassword = "long enough"\nmore = 1', 'name = ""\npassword = "long enough"'],
)  # fmt: skip
def test_what_is_no_card(tmp_path: Path, text: str) -> None:
    path = tmp_path / "hotspot.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadCard, match=r"hotspot\.toml has no name of 1 to 32 and password of 8 to 63 plain letters: "):
        read(path)
    with pytest.raises(BadCard, match=r"other\.toml cannot be read: No such file"):
        read(tmp_path / "other.toml")


def test_the_installer_gets_a_new_card_as_its_file_has_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hotspot.toml"
    main()
    path.write_text(capsys.readouterr().out, "utf-8")
    card = read(path)
    assert card.name.startswith("Beaconboard ")
    assert len(card.password) == 10
    main()
    path.write_text(capsys.readouterr().out, "utf-8")
    assert read(path).password != card.password
