"""Cyvasse, from 003 ("Mikelepage's Cyvasse, Rules v5.0") and docs/rules/cyvasse.md."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .referee import HEX_DIAGONALS, HEX_EDGES, Cell, Referee, add, apart, cell, cells, hex_board, name

BOARD = hex_board(6)  # 003: "a 91-square hexagonal grid"
MIDDLE = cell("f6")
CORNERS = tuple(cells("f1 k1 k6 f11 a11 a6"))  # in order round the rim
ARMY = {"M": 6, "R": 6, "K": 1, "C": 2, "S": 2, "L": 2, "B": 2, "E": 2, "H": 2, "D": 1}
TIER = {"K": 1, "R": 1, "C": 2, "S": 2, "L": 2, "B": 3, "E": 3, "H": 3, "D": 4}  # 003: "four tier levels"
LINES = {"R": (HEX_EDGES, 1), "K": (HEX_EDGES, 1), "C": (HEX_EDGES, 3), "B": (HEX_EDGES, 99),
         "S": (HEX_DIAGONALS, 2), "E": (HEX_DIAGONALS, 99)}  # 003: movement  # fmt: skip
TILES = {"K": "fortress", "C": "hill", "S": "forest", "L": "grassland"}
HOME_TERRAIN = {"C": "hill", "B": "hill", "S": "forest", "E": "forest", "L": "grassland", "H": "grassland"}
RAISED = {"R": "CSL", "C": "B", "S": "E", "L": "H", "B": "K", "E": "K", "H": "K"}  # 003: "Promotions"
NOBODY = -1  # whose mountains are
STANDARD = "K h2; R g2 i2 g3 h3 e4 i4; M c4 k4 c5 j5 f5 g5; C f4 h4; S f3 i3; L d5 i5; B e3 j3; E f2 j2; H f1 k1"

Piece = tuple[int, str]
Board = dict[Cell, Piece]


class Turn(NamedTuple):
    """A whole ply: corner and promotion before it, and a move; ``start`` is None where the dragon is brought out."""

    start: Cell | None
    end: Cell
    takes: bool
    corner: Cell | None = None
    into: str = ""
    fortress: Cell | None = None

    def text(self) -> str:
        """Return the ply as it is written."""
        parts = [f"@{name(self.corner)}"] if self.corner else []
        parts += [f"{name(self.fortress)}={self.into}"] if self.into and self.fortress else []
        start = name(self.start) if self.start else "D"
        return " ".join([*parts, f"{start}{'x' if self.takes else '-'}{name(self.end)}"])


def ring(centre: Cell, far: int) -> list[Cell]:
    """Return the cells at the distance ``far`` from ``centre``, one after the other, on the board or off it."""
    at, found = add(centre, HEX_EDGES[4], far), []
    for step in HEX_EDGES:
        for _ in range(far):
            found.append(at)
            at = add(at, step)
    return found


def rim() -> list[Cell]:
    """Return the cells on the edge of the board, in order round it."""
    return [at for at in ring(MIDDLE, 5) if at in BOARD]


def home(seat: int) -> list[Cell]:
    """Return the home cells of a seat. Ruling: White's are in the rows 1-5, Black's in 7-11."""
    return [at for at in BOARD if (at[1] < 5 if seat == 0 else at[1] > 5)]


class Cyvasse(Referee):
    """Seat 0 is White. ``centres[s]`` is the fortress of seat s or the corner in its place, None while that is owed."""

    def __init__(self, setup: str = "standard", flank: str = "halves", sea_ports: bool = False) -> None:
        super().__init__(2)
        self.setup, self.flank, self.sea_ports = setup, flank, sea_ports
        self.board: Board = {}
        self.tiles: dict[Cell, str] = {}
        self.fortress: list[Cell | None] = [None, None]
        self.centres: list[Cell | None] = [None, None]
        self.reserve = [True, True]
        self.unplaced = [Counter(ARMY), Counter(ARMY)]
        self.arranging = True
        self.quiet = 0
        self.bereft = False  # whether the king of the one to move has just been captured
        self.turns: dict[str, Turn] = {}
        if setup == "standard":
            self.standard()

    # --- setup ---

    def standard(self) -> None:
        """Put up the array `standard`, both dragons in reserve."""
        for group in STANDARD.split("; "):
            kind, *where = group.split()
            for x, y in cells(" ".join(where)):
                self.put(0, kind, (x, y))
                self.put(1, kind, (10 - x, 10 - y))
        self.begin()

    def put(self, seat: int, kind: str, at: Cell) -> None:
        """Put a piece up, and the tile that lies under it."""
        self.board[at] = (NOBODY if kind == "M" else seat, kind)
        self.unplaced[seat][kind] -= 1
        if kind == "K":
            self.fortress[seat] = self.centres[seat] = at  # 003: "A King always starts in its fortress"
        elif kind in TILES:
            self.tiles[at] = TILES[kind]  # 003: "placed on Forest, Hill and Grassland tiles respectively"
        elif kind == "D":
            self.reserve[seat] = False

    def begin(self) -> None:
        """Let play begin."""
        self.arranging, self.to_move = False, 0
        self.turns = {turn.text(): turn for turn in self.generate()}
        self.thrice(self.position())

    def ready(self, seat: int) -> bool:
        """Return whether the side has set up everything it wants to."""
        return not +self.unplaced[seat]

    def arrange(self, text: str) -> None:
        """Make a ply of the setup."""
        assert self.to_move is not None
        seat = self.to_move
        if text == "end":
            self.unplaced[seat]["D"] = 0  # 003: "The dragon ... does not need to be placed on the board initially"
        else:
            self.put(seat, text[0], cell(text[2:]))
        if self.ready(0) and self.ready(1):
            return self.begin()
        # 003, "Open setup": "players take turns placing pieces"; in secret one side after the other.
        if self.ready(seat) or (self.setup == "open" and not self.ready(1 - seat)):
            self.to_move = 1 - seat
        return None

    def arrangements(self) -> list[str]:
        """Return the plies of the setup."""
        assert self.to_move is not None
        left = +self.unplaced[self.to_move]
        free = [name(at) for at in home(self.to_move) if at not in self.board]
        found = [f"{kind}@{at}" for kind in left for at in free]
        return found + (["end"] if set(left) == {"D"} else [])

    # --- where pieces can go, tiers left out ---

    def reach(self, at: Cell) -> set[Cell]:
        """Return the cells that the piece ``at`` can come to: empty, or with an enemy."""
        seat, kind = self.board[at]
        found: set[Cell] = set()
        if kind in LINES:
            steps, most = LINES[kind]
            for step in steps:
                found |= self.along([add(at, step, n) for n in range(1, min(most, 11) + 1)], seat)
        elif kind == "D":
            found = self.flight(at, seat)
        elif kind in "LH":
            for centre in [centre for centre in self.centres if centre is not None and centre != at]:
                cycle = ring(centre, apart(at, centre))
                here = cycle.index(at)
                way = cycle[here + 1 :] + cycle[:here]
                most = 3 if kind == "L" else len(way)  # 003: "3 spaces "relative to fortress""
                found |= self.along(way[:most], seat) | self.along(way[::-1][:most], seat)
        return found | self.over_sea(at, seat, found) if self.sea_ports else found

    def along(self, way: list[Cell], seat: int) -> set[Cell]:
        """Return how far along ``way`` a piece comes; it may take the first enemy."""
        found = set()
        for at in way:
            if at not in BOARD:
                break
            if at in self.board:
                if self.board[at][0] == 1 - seat:
                    found.add(at)
                break
            found.add(at)
        return found

    def flight(self, start: Cell, seat: int) -> set[Cell]:
        """Return where a dragon comes. 003: "to a range of 4 squares (can jump mountains but ... not ... pieces)"."""
        found: set[Cell] = set()
        been, edge = {start}, {start}
        for _ in range(4):
            new = {add(at, step) for at in edge for step in HEX_EDGES} & BOARD - been
            been |= new
            found |= {at for at in new if at not in self.board or self.board[at][0] == 1 - seat}
            edge = {at for at in new if at not in self.board or self.board[at][0] == NOBODY}
        return found

    def over_sea(self, start: Cell, seat: int, found: set[Cell]) -> set[Cell]:
        """Return the ports to which a move can hop. 003: "can move to either adjacent corner in that same move"."""
        ports = [at for at in rim() if at in CORNERS or at in self.fortress]
        hops: set[Cell] = set()
        for number, port in enumerate(ports):
            if port in found and port not in self.board:
                hops |= {ports[number - 1], ports[(number + 1) % len(ports)]}
        return {at for at in hops if at != start and (at not in self.board or self.board[at][0] == 1 - seat)}

    # --- captures ---

    def defence(self, at: Cell) -> int:
        """Return what an attacker of the piece ``at`` must reach. 003: "+1 improvement in tier level for defence"."""
        seat, kind = self.board[at]
        fits = self.tiles.get(at, "none") == HOME_TERRAIN.get(kind)
        return min(4, TIER[kind] + (kind != "D" and (fits or self.fortress[seat] == at)))

    def takes(self, at: Cell, target: Cell, reaches: dict[Cell, set[Cell]]) -> bool:
        """Return whether the piece ``at`` may capture the one on ``target``."""
        kind = self.board[at][1]
        need = self.defence(target)
        if TIER[kind] >= need:  # 003: "can always capture another piece of the same or lesser tier level"
            return True
        helpers = [self.board[one][1] for one, to in reaches.items() if one != at and target in to]
        if kind != "K":
            lower = [TIER[one] for one in helpers if one != "K" and TIER[one] <= TIER[kind]]
            return TIER[kind] + helpers.count("K") + self.worth(lower, TIER[kind]) >= need
        tiers = [TIER[one] for one in helpers]  # 003: the King as "an equal to the highest ranked piece in the attack"
        return any(top + self.worth([one for one in tiers if one <= top], top) >= need for top in tiers)

    def worth(self, tiers: list[int], top: int) -> float:
        """Return what supporters of these tiers add to an attacker of tier ``top``."""
        if self.flank == "halves":
            return sum(2.0 ** (tier - top) for tier in tiers)  # 003: "each lower ranked ... worth half"
        carried = 0
        for tier in range(1, top):  # Ruling: n of a tier count as n - 1 of the next
            carried = max(0, tiers.count(tier) + carried - 1)
        return tiers.count(top) + carried

    # --- turns ---

    def generate(self) -> Iterator[Turn]:
        """Give the legal turns of the one to move."""
        assert self.to_move is not None
        seat, before, centres = self.to_move, self.board, list(self.centres)
        owed = self.centres[1 - seat] is None  # 003: "The player ruining the fortress places the fortress beside"
        for corner in CORNERS if owed else (None,):
            if corner:
                self.centres[1 - seat] = corner
            for into in self.promotions(seat):
                fortress = self.fortress[seat]
                if into and fortress:
                    self.board = before | {fortress: (seat, into)}
                for turn in list(self.moves(seat)):
                    if not self.bereft or self.crowned(self.moved(turn, seat), seat):
                        yield turn._replace(corner=corner, into=into, fortress=fortress if into else None)
                self.board = before
            self.centres = list(centres)

    def promotions(self, seat: int) -> list[str]:
        """Return what the piece in the own fortress can become; compulsory where there is one. "" is none."""
        at = self.fortress[seat]
        if at is None or at not in self.board or self.board[at][0] != seat:
            return [""]
        standing = Counter(kind for whose, kind in self.board.values() if whose == seat)
        fewer = [one for one in RAISED.get(self.board[at][1], "") if standing[one] < ARMY[one]]
        # 003: "if this is done the turn immediately following the capture of the King"
        return [one for one in fewer if one != "K" or self.bereft] or [""]

    def moves(self, seat: int) -> Iterator[Turn]:
        """Give the moves and the bringing-out of the dragon."""
        reaches = {at: self.reach(at) for at, (whose, _) in self.board.items() if whose == seat}
        for at, to in reaches.items():
            for end in to:
                if end not in self.board:
                    yield Turn(at, end, False)
                elif self.takes(at, end, reaches):
                    yield Turn(at, end, True)
        fortress = self.fortress[seat]
        if self.reserve[seat] and fortress is not None:  # 003: "within one move of home fortress", "may capture"
            for end in [end for end in BOARD if apart(end, fortress) <= 4]:
                if end not in self.board or self.board[end][0] == 1 - seat:
                    yield Turn(None, end, end in self.board)

    def moved(self, turn: Turn, seat: int) -> Board:
        """Return the board after the move alone."""
        board = dict(self.board)
        board[turn.end] = (seat, "D") if turn.start is None else board.pop(turn.start)
        return board

    def crowned(self, board: Board, seat: int) -> Board | None:
        """Return ``board`` with the king that ``seat`` has at the end of its turn, None where it has none."""
        if (seat, "K") in board.values():
            return board
        at = self.fortress[seat]
        if at is not None and at in board and board[at][0] == seat and TIER[board[at][1]] == 3:
            return board | {at: (seat, "K")}  # Ruling: standing there at the end, or promoted to tier 3 before
        return None

    def position(self) -> object:
        """Return everything that bears on play."""
        return (frozenset(self.board.items()), self.to_move, tuple(self.fortress), tuple(self.centres),
                tuple(self.reserve), self.bereft)  # fmt: skip

    def legal(self) -> list[str]:
        if self.over:
            return []
        return self.arrangements() if self.arranging else list(self.turns)

    def play(self, text: str) -> None:
        if self.arranging:
            return self.arrange(text)
        assert self.to_move is not None
        seat, turn = self.to_move, self.turns[text]
        if turn.corner:
            self.centres[1 - seat] = turn.corner
        if turn.into and turn.fortress:
            self.board = self.board | {turn.fortress: (seat, turn.into)}
        stirred = bool(turn.takes or turn.into or turn.start is None)
        self.reserve[seat] = self.reserve[seat] and turn.start is not None
        board = self.moved(turn, seat)
        self.board = self.crowned(board, seat) or board
        own = self.fortress[seat]
        if own is not None and own in self.board and self.board[own][0] == 1 - seat:
            self.fortress[seat] = self.centres[seat] = None  # 003: "the fortress is ruined"
            stirred = True
        self.quiet = 0 if stirred else self.quiet + 1
        self.to_move = 1 - seat
        self.bereft = (1 - seat, "K") not in self.board.values()
        self.turns = {one.text(): one for one in self.generate()}
        return self.test(seat)

    def test(self, seat: int) -> None:
        """Test for the end after a turn of ``seat``."""
        again = self.thrice(self.position())
        if not self.turns:  # 003: "the game ends as soon as the King is captured"; ruling: else a draw
            return self.ends(seat if self.bereft else None, "king" if self.bereft else "stuck")
        if again:
            return self.ends(None, "repetition")
        if self.quiet >= 100:
            return self.ends(None, "100 turns")
        return None

    def pieces(self) -> dict[str, int] | None:
        return self.shown(None)

    def shown(self, seat: int | None) -> dict[str, int]:
        """Return whose pieces ``seat`` sees. 003: "placement of pieces and tiles is done in secret"."""
        hidden = self.setup == "secret" and self.arranging
        own = set(home(seat)) if seat is not None else set()
        return {name(at): whose for at, (whose, _) in self.board.items() if not hidden or at in own}
