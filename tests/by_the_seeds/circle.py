"""Circle, from 004 and docs/rules/circle.md."""

from .referee import EIGHT, Cell, Referee, add, cell, name

BOARD = {(x, y) for x in range(9) for y in range(9)}
CORNERS = tuple(cell(text) for text in ("a1", "a9", "i9", "i1"))  # Ruling: clockwise from above
BEATS = {4: (3, 2), 3: (2, 1), 2: (1,), 1: (4,)}  # 004: "Class 4 can take Class 3 and Class 2", and so on


class Circle(Referee):
    """Two players or four; units are ``cell: (seat, class)``."""

    def __init__(self, players: int = 2, victory: str = "quick", any_unit: bool = False) -> None:
        super().__init__(players)
        self.victory, self.any_unit = victory, any_unit
        self.units: dict[Cell, tuple[int, int]] = {}
        corners = CORNERS if players == 4 else (CORNERS[0], CORNERS[2])
        # 004: "the first diagonal row of three ... and then the next row of 4"; with four, "of two and three".
        rows = (1, 2) if players == 4 else (2, 3)
        for seat, corner in enumerate(corners):
            for at in BOARD:
                if abs(at[0] - corner[0]) + abs(at[1] - corner[1]) in rows:
                    self.units[at] = (seat, 1)  # 004: "must start with a class of 1"
        self.begun: set[int] = set()
        self.turn(0)

    def turn(self, seat: int) -> None:
        """Begin the turn of ``seat``."""
        self.to_move = seat
        # 004: "A player may take 3 go's on their first turn", "2 go's per turn"
        self.first = seat not in self.begun
        self.begun.add(seat)
        self.goes = 3 if self.first else 2
        self.made = 0
        self.taken = False
        self.had: set[Cell] = set()
        if self.thrice((frozenset(self.units.items()), seat)):
            self.ends(None, "repetition")  # Ruling: a draw for all; first-turn rights do not count

    def next(self) -> None:
        """Begin the turn of the next player who has units. Ruling: one without is skipped."""
        assert self.to_move is not None
        seat = self.to_move
        while True:
            seat = (seat + 1) % self.players
            if self.count(seat):
                return self.turn(seat)

    def count(self, seat: int) -> int:
        """Return how many units ``seat`` has."""
        return sum(whose == seat for whose, _ in self.units.values())

    def legal(self) -> list[str]:
        if self.over:
            return []
        found = ["end"] if self.made else []  # Ruling: after at least one go
        for at, (whose, rank) in self.units.items():
            if at in self.had and not self.first:
                continue  # 004: "A unit may only have one go per turn"
            if whose == self.to_move or self.any_unit:
                found.append(f"{name(at)}+")  # 004: "adding "1" to it's class or, if it's a 4, change it to a 1"
            if whose != self.to_move:
                continue
            for to in [add(at, step) for step in EIGHT]:  # 004: "one square in any direction"
                if to in BOARD and to not in self.units:
                    found.append(f"{name(at)}-{name(to)}")
                elif to in self.units and not self.taken:  # 004: "Only one piece may be taken per turn"
                    other, beaten = self.units[to]
                    if other != whose and beaten in BEATS[rank]:
                        found.append(f"{name(at)}x{name(to)}")
        return found

    def play(self, text: str) -> None:
        if text == "end":
            return self.next()
        if text.endswith("+"):
            at = cell(text[:-1])
            whose, rank = self.units[at]
            self.units[at] = (whose, rank % 4 + 1)
            self.had.add(at)
        else:
            start, end = text.replace("x", "-").split("-")
            self.units[cell(end)] = self.units.pop(cell(start))
            self.had.add(cell(end))
        self.made += 1
        if "x" in text:
            self.taken = True
            if self.decided():
                return None
        if self.made == self.goes:
            return self.next()  # Ruling: when the goes are used up the turn ends by itself
        return None

    def decided(self) -> bool:
        """Look whether the chosen end has come, and end the game then."""
        # 004: "All but one player have one or less units remaining", "units must be taken from the board"
        least = 2 if self.victory == "quick" else 1
        strong = [seat for seat in range(self.players) if self.count(seat) >= least]
        if len(strong) == 1:
            self.ends(strong[0], self.victory)
        return self.over

    def may_leave(self) -> list[int]:
        if self.players == 2 or self.over:
            return []
        return [seat for seat in range(self.players) if self.count(seat)]

    def out(self, seat: int) -> None:
        # Ruling: out with all units as if they had been taken; another player's turn goes on.
        self.gone.add(seat)
        self.units = {at: unit for at, unit in self.units.items() if unit[0] != seat}
        if not self.decided() and self.to_move == seat:
            self.next()

    def pieces(self) -> dict[str, int] | None:
        return {name(at): whose for at, (whose, _) in self.units.items()}
