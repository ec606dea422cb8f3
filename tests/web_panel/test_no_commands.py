"""Nobody at the panel has to type: what it says names no command, but what console and log say does."""

from __future__ import annotations

import re

import pytest

from controller.devices.link.greeting import torn
from controller.sentences import all_of, called, capital, in_language
from controller.service.faults import report, set_aside
from tools.texts import sayings, texts
from web_panel.language import read

COMMAND = re.compile(r"\bbeaconboard [a-z]+|\bsudo\b|\bmake [a-z]+ [A-Z]+=|\bmake install\b|(?<!\w)--[a-z]")
FOR_EXPERTS = (  # where the panel says For experts, and of addresses of pages
    "One command starts both, and shows their two addresses: beaconboard relay.",
    "On the board's own computer, <code>beaconboard doctor</code> goes over",
    "The command that started the board decides who can open the panel: --host {host}.",
)


def on_panel(text: str) -> str:
    return in_language(text, read()["en"].said)


def test_the_console_names_the_command_and_the_panel_what_to_do() -> None:
    assert torn().endswith("Find the place with: beaconboard doctor")
    assert on_panel(torn()).endswith("check the wires one by one: this is gone once the chain is whole.")
    assert report(7) == "Report it with: beaconboard record 7"
    told = set_aside("circle", 7, "KeyError")
    assert told.endswith(". Report it with: beaconboard record 7")
    assert on_panel(told).endswith(". To report this, choose the game under Games played and save the recording.")


def test_it_stays_so_within_another_sentence() -> None:
    for within in (capital(report(7)), called(report(7), {"White": "Ann"}), all_of((report(7), torn()))):
        assert "beaconboard" in within
        assert "beaconboard" not in on_panel(within)
        assert "beaconboard" not in in_language(within, read()["de"].said)


@pytest.mark.slow
def test_no_text_of_the_panel_names_a_command() -> None:
    everything = {*texts(), *sayings()}
    assert [text for text in everything if COMMAND.search(text) and not text.startswith(FOR_EXPERTS)] == []
