"""What the table adds to the rules: who resigns, draws by agreement, the board that is set up first, and matches."""

from __future__ import annotations

from typing import Any

from .beacons_rounds import Beacons
from .compare import Differences, Played, plain
from .panel import Panel
from .program import InProcess
from .referee import Referee
from .variants import referee


class Table:
    """A game at the table, and after it the next one of the match.

    Its events are plies, `out 2` (player 2 resigns), `draw 2` (player 2 offers a draw, or agrees), `set up` (the
    pieces stand) and `again` (the next game of the match); and two questions, that change nothing: `ask` what the
    phone to move is offered, and `try` what is refused.
    """

    def __init__(self, panel: Panel, game: str, options: dict[str, Any], to: int = 0) -> None:
        self.panel, self.game, self.options, self.to = panel, game, options, to
        panel.begin(game, options, to)
        self.won = [0] * len(panel.holder)
        self.start()

    def start(self) -> None:
        """Begin a game by the referee."""
        self.inside = InProcess(self.game, self.options)
        self.referee: Referee = referee(self.game, self.options, self.inside)
        self.players = self.referee.players
        self.setting_up = self.panel.view()["phase"] == "setup"  # where all pieces stand already it is not
        self.offers: set[int] = set()
        self.plies: list[str] = []
        self.counted = False

    def here(self) -> list[int]:
        """Return who plays on."""
        return self.referee.may_leave() if self.players > 2 else [0, 1]

    def may(self, event: str) -> bool:
        """Return whether ``event`` can happen now."""
        word, *rest = event.split()
        if word in ("out", "draw"):
            can_offer = word == "out" or not self.setting_up
            return not self.referee.over and int(rest[0]) - 1 in self.here() and can_offer
        if event == "set up":
            return self.setting_up and not self.referee.over
        if event in ("ask", "try"):
            return not self.setting_up and not self.referee.over and self.referee.to_move is not None
        if event == "again":
            return bool(self.to) and self.referee.over and max(self.won) < self.to
        return not self.setting_up and event in self.referee.legal()

    def step(self, event: str) -> Differences:
        """Let ``event`` happen on both sides, and compare."""
        word, *rest = event.split()
        if event in ("ask", "try"):
            return self.offered() if event == "ask" else self.strangers()
        if event == "set up":
            self.panel.set_up()
            self.setting_up = False
        elif event == "again":
            self.panel.again()
            self.won = [*self.won[1:], self.won[0]]
            # Experience is of people, who have moved on: the board asks itself for it anew, and knows nobody here.
            self.options = {name: value for name, value in self.options.items() if name != "experience"}
            self.start()
        else:
            refused = self.ordered(word, event, rest)
            if refused:
                return [("refused", event, refused)]
            self.judged(word, event, rest)
        return self.unlike()

    def ordered(self, word: str, event: str, rest: list[str]) -> str:
        """Give the order as the phone of that seat does; return why it is not taken."""
        if word in ("out", "draw"):
            seat = int(rest[0]) - 1
            order = "resign" if word == "out" else "offer_draw"
            return self.panel.post(self.panel.phone(seat), "order", do=order, seat=seat)
        seat = self.referee.to_move or 0
        return self.panel.post(self.panel.phone(seat), "order", do="ply", text=event, seat=seat)

    def judged(self, word: str, event: str, rest: list[str]) -> None:
        """Let the same happen to the referee."""
        one = self.referee
        if word == "draw":
            self.offers.add(int(rest[0]) - 1)
            if self.offers >= set(self.here()):  # a draw needs the agreement of all who play on and of nobody else
                one.ends(None, "agreed")
        elif word == "out" and self.players == 2:
            one.ends(2 - int(rest[0]), "resigned")  # docs/rules, giving up: of two players the other one wins
        else:
            if isinstance(one, Beacons) and one.phase == "bid":
                self.inside.play(event)
                one.lots = [int(seat) for seat in self.panel.view()["data"]["order"]]
            self.offers.clear()  # the next ply withdraws offers
            self.plies.append(event)
            if word == "out":
                one.out(int(rest[0]) - 1)
            else:
                one.play(event)
        if one.over and not self.counted:
            self.counted = True
            if one.winner is not None:  # docs/rules, matches: a draw counts for nobody
                self.won[one.winner] += 1

    def unlike(self) -> Differences:
        """Return in what the panel differs from the referee."""
        view, one = self.panel.view(), self.referee
        found: Differences = []
        phase = "over" if one.over else "setup" if self.setting_up else "play"
        moving = [seat for seat, shown in enumerate(view["seats"]) if shown["to_move"]]
        pairs: list[tuple[str, Any, Any]] = [
            ("phase", phase, view["phase"]),
            ("to move", [] if one.over else [one.to_move], moving),
            ("winner", one.winner, view["winner"]),
            ("why", one.why, view["why"]),
            ("plies", len(self.plies), len(view["plies"])),
        ]
        if self.to:
            pairs.append(("games won", self.won, view["match"]["won"]))
            decided = next((seat for seat, won in enumerate(self.won) if won == self.to), None)
            pairs.append(("match won by", decided, view["match"]["winner"]))
        if one.over and one.scores is not None and one.why not in ("agreed", "resigned"):
            pairs.append(("scores", list(one.scores), [shown["score"] for shown in view["seats"]]))
        found += [(what, ours, theirs) for what, ours, theirs in pairs if ours != theirs]
        if isinstance(one, Beacons) and not one.over:
            for seat in range(self.players) if one.phase == "bid" else (None,):
                found += self.shown(seat)
        return found

    def shown(self, seat: int | None) -> Differences:
        """Return in what the data that the phone of ``seat`` is shown differ."""
        data = self.panel.view(seat)["data"]
        found: Differences = []
        for word, ours in self.referee.known(seat).items():
            if word == "costs":
                continue
            theirs = len(data[word]) if word == "used" else plain(word, data[word])
            if theirs != ours:
                found.append((f"{word}, seen by {seat}", ours, theirs))
        return found

    def offered(self) -> Differences:
        """Return in what the plies that the phone to move is offered differ from the legal ones."""
        seat = self.referee.to_move
        assert seat is not None
        if isinstance(self.referee, Beacons) and self.referee.phase == "bid":  # a form, not a list
            share = self.panel.view(seat)["share"]
            form = (share["units"], len(share["among"])) if share else None
            ruled = (self.referee.setting.bid, self.players)
            return [] if form == ruled else [("units to share out, among", ruled, form)]
        ours, theirs = sorted(self.referee.legal()), self.panel.legal(seat)
        more, less = sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))
        return [("plies offered to the phone", f"also {more}", f"also {less}")] if more or less else []

    def strangers(self) -> Differences:
        """Return what is taken from who is out, or from a phone for a seat that it does not hold."""
        found: Differences = []
        out = [seat for seat in range(self.players) if seat not in self.here()]
        for seat in out:
            for order in ("resign", "offer_draw"):
                if not self.panel.post(self.panel.phone(seat), "order", do=order, seat=seat):
                    found.append(("taken from one who is out", f"{order} refused", f"{order} of {seat} taken"))
        seat = self.here()[0]
        other = (seat + 1) % self.players
        if not self.panel.post(self.panel.phone(other), "order", do="resign", seat=seat):
            found.append(("taken from another phone", "resign refused", f"resignation of {seat} taken"))
        return found


def replayed(panel: Panel, to: int, played: Played, events: list[str]) -> Played | None:
    """Let those of ``events`` that can happen do so, up to the first difference; None where there is none."""
    table = Table(panel, played.game, played.options, to)
    again = Played(played.game, played.options, differences=table.unlike())
    for event in events:
        if again.differences:
            break
        if not table.may(event):
            continue
        again.events.append(event)
        again.differences = table.step(event)
    return again if again.differences else None
