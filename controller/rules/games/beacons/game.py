"""Beacons (ruling: docs/rules/beacons.md).

Owns how the parts of the game follow each other. The active phase is in `actions`; setup, harvest and end are in
`rounds`; the written forms are in `text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.rules.game import Credit, Facts, Game
from controller.rules.games.beacons.actions import acted, actions, turn_ended
from controller.rules.games.beacons.bids_told import bids_told
from controller.rules.games.beacons.cards import MOVES, card
from controller.rules.games.beacons.dials import dial, rank, turn
from controller.rules.games.beacons.ended import ending
from controller.rules.games.beacons.goals import GOALS
from controller.rules.games.beacons.harvest_told import news
from controller.rules.games.beacons.hidden import imagine, known
from controller.rules.games.beacons.leaving import after_out, leaves
from controller.rules.games.beacons.made import made, made_alike
from controller.rules.games.beacons.reasons import why_not, why_not_between
from controller.rules.games.beacons.rounds import (
    after_bid,
    after_part,
    after_placing,
    is_bid,
    parts,
    phase_closed,
    result,
    start,
)
from controller.rules.games.beacons.soundness import sound
from controller.rules.games.beacons.state import BOARD, Bid, End, Move, Options, Out, Place, Ply, State, player
from controller.rules.games.beacons.stays import why_not_onto, why_stays
from controller.rules.games.beacons.text import chores, due, glimpse, in_words, offered, opens, read, secret, sure, text
from controller.rules.games.beacons.view import shape, share, view, walk
from controller.rules.mesh import BadMesh, Mesh
from controller.rules.tilings import build, count
from controller.sentences import form, say


def seat(state: State) -> int | None:
    """Return the seat to move."""
    return state.queue[0] if state.queue else None


def moves(state: State) -> list[Ply]:
    """Return the legal plies: the actions of a turn, or what the part of setup or harvest allows."""
    if state.phase == "over":
        return []
    return actions(state) if state.phase == "active" else parts(state)


def legal(state: State, ply: Ply) -> bool:
    """Return whether ``ply`` is legal; bids are computed, not listed."""
    return is_bid(state, ply) if isinstance(ply, Bid) else state.phase != "bid" and ply in moves(state)


def after(state: State, ply: Ply) -> State:
    """Return the state after a legal ``ply``."""
    if isinstance(ply, Bid):
        return after_bid(state, ply)
    if isinstance(ply, Out):
        return after_out(state, ply.seat)
    if isinstance(ply, Place | Move):
        return after_placing(state, ply)
    if not isinstance(ply, End):
        return acted(state, ply)
    return phase_closed(turn_ended(state)) if state.phase == "active" else after_part(state)


def mesh(options: Options) -> Mesh:
    """Return the board that the options name."""
    return build(options.board)


def cells(given: Mapping[str, Any]) -> int:
    """Return how many cells the board has that the options ask for; 0 for one that there is not."""
    try:
        return count(str(given.get("board", BOARD)))
    except BadMesh:
        return 0


CREDIT = Credit(
    say(
        "After 'Game Design Documentation – Mechanisms', a game that its author develops in the open and has "
        "given no name. Its text does not name the author."
    ),
)

GAME = Game(
    facts=Facts(
        name="beacons",
        title="Beacons",
        blurb="Spend units to move through turning shells, and hold the beacons.",
        credit=CREDIT,
        seats=tuple(map(player, range(6))),
        minutes=60,
        complexity=5,
        kinds={"units": say("units"), "beacon": say("beacon"), "node": say("shell node")},
        moves=MOVES,
        signs={"units": "", "beacon": "✦", "node": ""},
        endings=("tally", "last"),
        ends={
            "tally": say("the points decide"),
            "last": say("nobody else is left in the game"),
        },
        moments={
            "scored": form("{person} harvested {count} points at once."),
            "own_beacon": form("{person} won with {count} beacons burning."),
        },
        several=True,
        captures=False,  # a counter stands for any number of units, and none of them is kept
        longest=50_000,  # with transfers alone, of which many are free, on a large board with many units and rounds
        shells=True,
        vertices=True,
        begins=None,
        players_option="players",
        experience_option="experience",
        tiling_option="board",
    ),
    options=Options,
    state=State,
    mesh=mesh,
    start=start,
    seat=seat,
    moves=moves,
    after=after,
    result=result,
    text=text,
    read=read,
    why_not=why_not,
    why_not_between=why_not_between,
    why_stays=why_stays,
    why_not_onto=why_not_onto,
    shape=shape,
    walk=walk,
    view=view,
    aim=lambda state: say("Each beacon brings its holder a point in every harvest. The most points win."),
    glimpse=glimpse,
    secret=secret,
    opens=opens,
    opened=bids_told,
    ending=ending,
    news=news,
    say=in_words,
    offered=offered,
    made=made,
    made_alike=made_alike,
    legal=legal,
    share=share,
    cells=cells,
    sound=sound,
    chores=chores,
    sure=sure,
    leaves=leaves,
    dial=dial,
    due=due,
    turn=turn,
    rank=rank,
    card=card,
    known=known,
    imagine=imagine,
    goals=GOALS,
)
