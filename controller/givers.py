"""Who may give an order: said beside each order, read by one function."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto

from controller.sentences import say


class Giver(Flag):
    """Who gives an order."""

    PERSON = auto()  # at the board, or on a phone there
    FAR_PHONE = auto()  # on a phone with a link and no board
    FAR_BOARD = auto()  # which holds seats of a game that is at home here
    ENGINE = auto()  # the board itself, where it plays, helps or coaches
    LINK = auto()  # the service, for what it hears of another board


@dataclass(frozen=True)
class Rights:
    """Who may give an order; whoever is not named is refused.

    ``answer``: a seat answers for itself, so nobody gives it where the board plays. ``between_boards``: it can be done
    in a game that two boards play. ``players``: where all seats are held it is for those who play, or own the table.
    """

    givers: Giver
    answer: bool = False
    between_boards: bool = True
    players: bool = False

    def refusal(self, giver: Giver) -> str:
        """Return why ``giver`` may not give the order, "" where it may."""
        if giver in self.givers:
            return ""
        if giver is Giver.FAR_BOARD:
            return say("this is nothing that another board can order")
        if self.givers == Giver.ENGINE:
            return say("Only the board itself decides what it plays.")
        if Giver.PERSON not in self.givers:
            return say("Only the other board itself says what is played there.")
        return say("This can be done only at the board or on a phone there.")


NOBODY = Rights(Giver(0))
AT_THE_BOARD = Rights(Giver.PERSON)
BY_PLAYERS = Rights(Giver.PERSON, players=True)
ON_ANY_PHONE = Rights(Giver.PERSON | Giver.FAR_PHONE)
FROM_ANYWHERE = Rights(Giver.PERSON | Giver.FAR_PHONE | Giver.FAR_BOARD)
ANSWER = Rights(Giver.PERSON | Giver.FAR_PHONE | Giver.FAR_BOARD, answer=True)
SEALED = Rights(Giver.FAR_PHONE | Giver.FAR_BOARD)
BY_THE_ENGINE = Rights(Giver.ENGINE)
BY_THE_LINK = Rights(Giver.LINK)
