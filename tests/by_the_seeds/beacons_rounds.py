"""Beacons, the other parts of the game: bids, placing, the harvest, giving up and the end."""

from .beacons import ActivePhase, shares


class Beacons(ActivePhase):
    """The whole game. ``order`` are those in play; bids are open as soon as nobody has to bid any more."""

    # --- bids ---

    def start(self, template: dict[str, list[int]] | None = None, order: list[int] | None = None) -> None:
        """Begin with the bids, or where a ``template`` gives stores and order with the first turn."""
        self.bids: dict[int, list[int]] = {}
        self.lots: list[int] | None = None  # the order that the program has drawn, held to the rules in `opened`
        self.used_cells: dict[int, set[str]] = {}
        self.given: set[int] = set()
        if template is not None and order is not None:
            self.stores |= {at: list(units) for at, units in template.items()}
            self.order, self.phase = list(order), "active"
            self.begin_turn(self.order[0])
        else:
            self.next_bid()

    def next_bid(self) -> None:
        """Let the next seat bid, or open the bids."""
        left = [seat for seat in self.here() if seat not in self.bids]
        self.to_move = left[0] if left else None
        if not left:
            self.open_bids()

    def here(self) -> list[int]:
        """Return who has not given up and is, or may come back to be, in play."""
        buying = self.waiting if self.phase == "buy" else []
        seats = range(self.players) if self.phase == "bid" else sorted({*self.order, *buying})
        return [seat for seat in seats if seat not in self.gone]

    def open_bids(self) -> None:
        """Fill the coffers and order the players. 002: "from least to most number of units"."""
        for shared in self.bids.values():
            self.coffers = [held + units for held, units in zip(self.coffers, shared, strict=True)]
        groups: dict[int, list[int]] = {}
        for seat in self.here():
            groups.setdefault(self.coffers[seat], []).append(seat)
        self.order = [seat for units in sorted(groups) for seat in self.settled(groups[units])]
        # 002: "An additional 1 (or more, depending on established rules) units will be placed into each"
        for seat in range(self.players):
            self.coffers[seat] = 0 if seat in self.gone else self.coffers[seat] + self.setting.bonus
        self.phase, self.waiting = "place", list(self.order)
        self.used_cells = {seat: set() for seat in self.order}
        self.next_part()

    def settled(self, equal: list[int]) -> list[int]:
        """Return those with as many units in order. 002: "the player with the least experience ... shall go last".

        Ruling: lots where it is not known of all of them, or is the same; what the program has drawn is taken for them.
        """
        known = dict(enumerate(self.setting.experience.split()))
        played = {seat: int(known[seat]) for seat in equal if known.get(seat, "-") != "-"}
        drawn = self.lots or list(range(self.players))
        by_lot = sorted(equal, key=lambda seat: drawn.index(seat) if seat in drawn else self.players)
        return sorted(by_lot, key=lambda seat: -played[seat]) if len(played) == len(equal) else by_lot

    # --- parts of setup and harvest that each has in turn ---

    def placings(self) -> list[str]:
        """Return the plies of whoever has a part of setup or harvest, without `end`."""
        seat = self.to_move
        assert seat is not None
        word = "move" if self.phase == "move" else "place"
        found = []
        for at in self.grid.cells:
            if self.phase == "place":
                # 002: "provided that the cell store does not contain another player's units", "floor(total / players)"
                foreign = self.total(at) > self.stores[at][seat]
                most = len(self.grid.cells) // self.players
                fits = not foreign and (at in self.used_cells[seat] or len(self.used_cells[seat]) < most)
            elif self.phase == "move":
                fits = self.stores[at][seat] > 0  # 002: "to any cell store which one occupies already"
            else:
                fits = True  # 002: "regardless if the cell store is already occupied"
            if fits:
                found += [f"{word} {at} {units}" for units in range(1, min(self.coffers[seat], self.room(at)) + 1)]
        return found

    def next_part(self) -> None:
        """Let the first of those who wait place or move; ruling: a part without anything to do is over by itself."""
        while self.waiting:
            self.to_move = self.waiting[0]
            if self.to_move not in self.gone and self.placings():
                return None
            self.close_part()
        self.to_move = None
        return self.after_parts()

    def close_part(self) -> None:
        """End the part of the one to move. 002: "Any remaining units in any coffers shall be discarded"."""
        self.coffers[self.waiting.pop(0)] = 0

    def after_parts(self) -> None:
        """Go on when nobody waits any more."""
        if self.phase == "place":
            self.coffers = [0] * self.players
            self.phase, self.passed = "active", set()
            return self.begin_turn(self.order[0])
        return self.inactive() if self.phase == "move" else self.next_round()

    # --- the harvest ---

    def harvest(self) -> None:
        """002: "Harvest Phase"; the steps are those of the ruling."""
        self.to_move, self.used, self.spent = None, set(), False
        for whose in self.beacons.values():  # (1)
            self.tally[whose] += whose in self.order
        self.scores = tuple(self.tally)
        leads = {at: self.dominant(at) for at in self.grid.cells}  # (2), as it was before the harvest
        occupied = {seat: set(self.occupied(seat)) for seat in self.order}
        self.given = set()
        for at, seat in leads.items():
            if seat is not None:
                grown = 1 + sum(beside in occupied[seat] for beside in self.grid.neighbours(at))
                grown = min(grown, self.room(at))
                self.stores[at][seat] += grown
                if grown:
                    self.given.add(seat)
        self.order = sorted(self.order, key=lambda seat: self.coffers[seat])  # (3), ties as in the order so far
        self.phase, self.waiting = "move", list(self.order)  # (4)
        self.next_part()

    def inactive(self) -> None:
        """(5) Find who is out, take their units off, and let them buy themselves in."""
        leads = {self.dominant(at) for at in self.grid.cells}
        out = [seat for seat in self.order if seat not in self.given and seat not in leads]
        self.lose_units(out)
        self.ranked = list(self.order)
        self.order = [seat for seat in self.order if seat not in out]
        self.phase = "buy"
        self.waiting = out if self.setting.buy_in else []
        for seat in self.waiting:
            self.coffers[seat] = self.setting.buy_in
        self.next_part()

    def lose_units(self, seats: list[int]) -> None:
        """002: "must remove the remaining pieces from any cell store"."""
        for units in self.stores.values():
            for seat in seats:
                units[seat] = 0

    def next_round(self) -> None:
        """Begin the next round, or end the game. 002: "through as many rounds as decided"."""
        if self.round == self.setting.rounds or not self.order:
            return self.by_tally()
        if len(self.order) == 1:
            return self.ends(self.order[0], "last")  # 002: "or if you are the remaining player"
        self.round += 1
        self.phase, self.passed = "active", set()
        return self.begin_turn(self.order[0])

    def by_tally(self) -> None:
        """002: "highest tally/score", ties "by the player who has the highest amount of dominant cells"."""
        leads = [self.dominant(at) for at in self.grid.cells]
        merits = [(self.tally[seat], leads.count(seat)) for seat in range(self.players)]
        best = [seat for seat in range(self.players) if merits[seat] == max(merits)]
        self.ends(best[0] if len(best) == 1 else None, "tally")

    # --- what the harness asks ---

    def legal(self) -> list[str]:
        if self.over:
            return []
        if self.phase == "bid":
            return [f"bid {shared}" for shared in shares(self.setting.bid, self.players)]
        return self.actions() if self.phase == "active" else [*self.placings(), "end"]

    def play(self, text: str) -> None:
        seat = self.to_move
        assert seat is not None
        if self.phase == "active":
            return self.act(text)
        word, *words = text.split()
        if word == "bid":
            self.bids[seat] = [int(units) for units in words]
            return self.next_bid()
        if text == "end":
            self.close_part()
            return self.next_part()
        self.stores[words[0]][seat] += int(words[1])
        self.coffers[seat] -= int(words[1])
        if self.phase == "place":
            self.used_cells[seat].add(words[0])
        elif self.phase == "move":
            self.given.add(seat)
        elif seat not in self.order:
            self.order = [one for one in self.ranked if one in self.order or one == seat]
        return self.next_part()

    def may_leave(self) -> list[int]:
        return [] if self.players == 2 or self.over else self.here()

    def out(self, seat: int) -> None:
        """Ruling, giving up: out at once; whose turn it is keeps it; on one's own turn, that turn ends."""
        was_to_move = self.to_move == seat
        after = [*self.order[self.order.index(seat) + 1 :], *self.order] if seat in self.order else []
        self.gone.add(seat)
        self.lose_units([seat])
        self.coffers[seat] = 0
        left = self.here()
        self.order = [one for one in self.order if one != seat]
        self.passed.discard(seat)
        if len(left) == 1:
            self.ends(left[0], "last")
        elif self.phase == "bid":
            self.next_bid()
        elif self.phase != "active":
            self.waiting = [one for one in self.waiting if one != seat]
            self.next_part()
        elif was_to_move:
            self.used, self.spent = set(), False
            if self.passed >= set(self.order):
                self.harvest()
            else:
                self.begin_turn(next(one for one in after if one in self.order))

    def pieces(self) -> dict[str, int] | None:
        return None

    def known(self, seat: int | None) -> dict[str, object]:
        shells = {at: "".join("0" if held is None else "1" for held in shell) for at, shell in self.shells.items()}
        stores = {at: list(units) for at, units in self.stores.items() if any(units)}
        seen: dict[str, object] = {
            "round": self.round, "stores": stores, "shells": shells, "beacons": dict(self.beacons),
            "tally": list(self.tally), "costs": self.costs(),
        }  # fmt: skip
        if self.phase == "bid" and not self.over:
            # 002: "In secret, one shall select what amount each player, including oneself, receive"
            seen["coffers"] = [0] * self.players
            if seat not in self.gone:
                seen["bid"] = self.bids.get(seat) if seat is not None else None
        elif not self.over:
            seen |= {"coffers": list(self.coffers), "used": len(self.used)}
            if self.phase != "buy":  # until all have bought or not, the program's order has those who may
                seen["order"] = list(self.order)
        return seen

    def costs(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Return the cost of each adjacency, both ways."""
        return {(a, b): self.cost(a, b) for a in self.grid.cells for b in self.grid.neighbours(a)}
