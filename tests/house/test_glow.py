"""What a house's light makes of the board, without a broker: what *off* leaves to a game, and what ends it."""

from __future__ import annotations

import msgspec

from controller.house.discovery import Switched
from controller.house.light import BoardLight, Glow
from controller.table.views.types import PanelView
from tests.house.test_telling import view

SETTING = 60


def at(phase: str, brightness: int = SETTING) -> PanelView:
    return msgspec.structs.replace(view(1), phase=phase, brightness=brightness)


def off(light: BoardLight, phase: str, setting: int = SETTING) -> int:
    """Switch it off while the board is in that phase; return how bright it then is."""
    glow = light.switch(Switched("OFF"), at(phase), setting)
    assert not glow.kept, "off is never the setting"
    assert light.look(at(phase, glow.percent), setting) is None
    return glow.percent


def test_off_is_dark_without_a_game_and_a_fifth_with_one() -> None:
    assert off(BoardLight(), "idle") == 0
    assert off(BoardLight(), "over") == 0
    for phase in ("setup", "play", "fix", "pause"):
        light = BoardLight()
        light.look(at(phase), SETTING)
        assert off(light, phase) == 12
    light = BoardLight()
    light.look(at("play"), 0)
    assert off(light, "play", setting=0) == 12, "of the usual brightness, where the settings say dark"
    light.look(at("play"), 7)
    assert off(light, "play", setting=7) == 2, "and never all dark"


def test_a_dimmed_board_counts_as_off_and_an_undimmed_one_as_it_is() -> None:
    light = BoardLight()
    light.look(at("play"), SETTING)
    assert light.percent(at("play")) == 60
    light.switch(Switched("OFF"), at("play"), SETTING)
    assert light.percent(at("play")) == 0, "at once, although the board has not become so dim yet"
    light.look(at("play", 12), SETTING)
    assert light.percent(at("play", 12)) == 0


def test_who_makes_a_dimmed_board_brighter_on_the_panel_has_it_on() -> None:
    light = BoardLight()
    light.look(at("play"), SETTING)
    off(light, "play")
    assert light.look(at("play", 30), SETTING) is None
    assert light.percent(at("play", 30)) == 30
    assert light.percent(at("play", 12)) == 12, "also where it is then made as dim as off had made it"


def test_a_game_that_begins_on_a_dark_board_turns_it_on_and_one_that_goes_on_does_not() -> None:
    light = BoardLight()
    assert light.look(at("idle"), SETTING) is None
    off(light, "idle")
    assert light.look(at("setup", 0), SETTING) == Glow(60, kept=False)
    assert light.look(at("play", 60), SETTING) is None
    assert light.percent(at("play")) == 60
    assert off(light, "play") == 12
    assert light.look(at("fix", 12), SETTING) is None, "it was on already"
    assert light.look(at("over", 12), SETTING) is None
    assert light.look(at("setup", 12), SETTING) == Glow(60, kept=False), "the next game"


def test_a_game_that_begins_on_a_board_that_is_on_changes_no_light() -> None:
    light = BoardLight()
    light.look(at("idle"), SETTING)
    assert light.look(at("setup"), SETTING) is None


def test_off_twice_is_off_once() -> None:
    light = BoardLight()
    light.look(at("play"), SETTING)
    off(light, "play")
    glow = light.switch(Switched("OFF"), at("play", 12), SETTING)
    assert glow == Glow(12, kept=False)
    assert light.percent(at("play", 12)) == 0


def test_on_is_the_setting_again_and_a_brightness_is_the_setting_from_now_on() -> None:
    light = BoardLight()
    off(light, "idle")
    assert light.switch(Switched("ON"), at("idle", 0), SETTING) == Glow(60, kept=False)
    assert light.percent(at("idle")) == 60
    assert light.switch(Switched("ON"), at("idle", 0), 0) == Glow(60, kept=True), "where the settings say dark"
    for asked, becomes in ((25, 25), (0, 1), (100, 100), (255, 100), (33.4, 33)):
        assert light.switch(Switched("ON", asked), at("idle"), SETTING) == Glow(becomes, kept=True)


def test_a_board_that_was_turned_on_again_needs_no_light_from_a_game_that_begins() -> None:
    light = BoardLight()
    off(light, "idle")
    light.switch(Switched("ON", 25), at("idle", 0), SETTING)
    assert light.look(at("setup", 25), 25) is None
