"""The games as they are compared: their options, drawn at random, and how plies are chosen."""

from random import Random
from typing import Any

from .beacons import NODE, Setting
from .beacons_rounds import Beacons
from .circle import Circle
from .cyvasse import Cyvasse
from .giantslayer import Giantslayer
from .grid import Grid, grid
from .program import InProcess
from .referee import Referee
from .tam_ruat_chess import TamRuatChess
from .tides_of_war import TidesOfWar

GAMES = ("tides-of-war", "giantslayer", "circle", "tam-ruat-chess", "cyvasse", "beacons")
# How many plies of a game are looked at, at most: one of these numbers.
LONGEST = {
    "tides-of-war": (300,), "giantslayer": (300,), "circle": (400,),
    "tam-ruat-chess": (60, 60, 60, 60, 900), "cyvasse": (120, 120, 400), "beacons": (400,),
}  # fmt: skip
# Most units that a bid shares out, by the number of players: of these, all ways are listed.
BIDS = {2: 15, 3: 12, 4: 8, 5: 5, 6: 4}
BOARDS = (
    "hex 2", "hex 3", "hex 3", "hex 3", "hex 4", "square 4 4", "square 5 5", "square 1 8", "square 2 3", "triangle 5",
    "4.8.8 3", "3.6.3.6 2", "3.12.12 2", "cylinder hex 6 4", "cylinder square 6 4", "torus hex 4 4", "torus square 5 5",
    "cube", "octahedron", "{5,4} 2",
)  # fmt: skip
TEMPLATES = {2: ("duel", "trial"), 3: ("trio",)}


def draw(game: str, random: Random, giving_up: bool = False) -> dict[str, Any]:
    """Return options for a game; one with players who are to give up alone has more than two."""
    if game == "giantslayer":
        return {"rounds": random.choice((1, 1, 1, 2, 4))}
    if game == "circle":
        players = 4 if giving_up else random.choice((2, 4))
        victory = random.choice(("quick", "annihilation"))
        return {"players": players, "victory": victory, "any_unit": random.random() < 0.4}
    if game == "cyvasse":
        setup = random.choice(("standard", "standard", "secret", "open"))
        return {"setup": setup, "flank": random.choice(("halves", "online")), "sea_ports": random.random() < 0.5}
    return beacons(random, random.randint(3, 6) if giving_up else random.randint(2, 6)) if game == "beacons" else {}


def beacons(random: Random, players: int) -> dict[str, Any]:
    """Return options for Beacons."""
    options: dict[str, Any] = {"players": players, "seed": random.randrange(10000)}
    if players in TEMPLATES and random.random() < 0.3:
        options |= {"template": random.choice(TEMPLATES[players])}
    else:
        boards = [board for board in BOARDS if not (board.startswith(("square 2", "hex 2")) and players > 3)]
        options |= {"board": random.choice(boards), "bid": random.randint(0, BIDS[players])}
        options |= {"bonus": random.choice((0, 1, 1, 3, 8))}
        if random.random() < 0.5:
            options["experience"] = " ".join(random.choice("-00123") for _ in range(players))
    limits = (10, 15) if "template" in options else (2, 4, 6, 10, 10, 15)  # a template has to fit
    options |= {"rounds": random.choice((1, 2, 3, 3)), "limit": random.choice(limits)}
    options |= {"mode": random.choice(("reflect", "reflect", "rotate")), "kinds": random.choice((1, 2, 2, 2, 3, 6))}
    options |= {"owned_nodes": random.random() < 0.3, "buy_in": random.choice((0, 0, 2, 5))}
    for price in ("destroy", "shift", "modify"):
        options[price] = random.choice((1, 1, 1, 2))
    return options | {"beacon": random.choice((1, 1, 2, 3))}


def referee(game: str, options: dict[str, Any], program: InProcess) -> Referee:
    """Return the game at its start. Of Beacons the shells, drawn by lot, and the templates are the program's."""
    if game == "circle":
        return Circle(**options)
    if game == "cyvasse":
        return Cyvasse(**options)
    if game == "giantslayer":
        return Giantslayer(**options)
    if game == "tam-ruat-chess":
        return TamRuatChess()
    return TidesOfWar() if game == "tides-of-war" else beacons_referee(options, program)


def beacons_referee(options: dict[str, Any], program: InProcess) -> Beacons:
    """Return Beacons at its start."""
    of_board = {"board", "seed", "template"}
    board = grid(str(options.get("board", "hex 3"))) or Grid(*program.sides())
    data = program.seen(None)
    shells: dict[str, list[str | int | None]] = {
        at: [NODE if node == "1" else None for node in data["shells"][at]] for at in board.cells
    }
    game = Beacons(board, Setting(**{key: value for key, value in options.items() if key not in of_board}), shells)
    if options.get("template"):
        game.start(data["stores"], data["order"])
    else:
        game.start()
    return game


def choose(game: str, legal: list[str], made: list[str], random: Random, taste: dict[str, float]) -> str:
    """Return one of the legal plies: first its sort by ``taste``, then any of that sort.

    Now and then, as often as ``taste`` has "back", the ply that undoes what this player has just ``made``, so that
    positions repeat.
    """
    if taste.get("back", 0) and len(made) > 1 and random.random() < taste["back"]:
        back = "-".join(reversed(made[-2].split("-")))
        if back in legal:
            return back
    sorts: dict[str, list[str]] = {}
    for text in legal:
        sorts.setdefault(sort_of(game, text), []).append(text)
    words = sorted(sorts)
    word = random.choices(words, [taste.get(one, 1.0) for one in words])[0]
    return random.choice(sorted(sorts[word]))


def sort_of(game: str, text: str) -> str:
    """Return which sort of ply ``text`` is: in Beacons its first word, elsewhere "x", "+", "end" or anything else."""
    if game == "beacons" or text == "end":
        return text.split()[0]
    return "x" if "x" in text else text[-1]


def tastes(game: str, random: Random) -> dict[str, float]:
    """Return how much each sort of ply weighs in a game."""
    if game == "beacons":
        weights = {"t": (0.5, 2, 5), "d": (0.1, 1, 2), "s": (0.2, 1), "m": (1, 3), "b": (3, 8), "p": (0.1, 0.5, 2),
                   "end": (0.3, 1, 3, 10)}  # fmt: skip
        return {sort: float(random.choice(of)) for sort, of in weights.items()}
    weights = {"x": (0.2, 1, 4, 20), "+": (0.1, 1, 3), "end": (0.1, 0.5), "back": (0, 0, 0.2, 0.95)}
    return {sort: float(random.choice(of)) for sort, of in weights.items()}
