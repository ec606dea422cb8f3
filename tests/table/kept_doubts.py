"""How what was once misread is read now, as kept; ``python -m tests.table.kept_doubts`` keeps it anew.

Each is one gesture that was once read wrongly, or one evening of a stranger: when each move was on record or taken
back, what was called wrong, and what was asked. Most of them are the one story for which some condition of the reading
is there. As of `tests.table.kept_gestures`, nothing says that all of it is right: only what became of it is judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.journal.recording import parse, replay
from tests.hands import book
from tests.strangers import telling
from tests.strangers.telling import Name
from tests.table.kept_evenings import moments
from tests.table.kept_gestures import line, noted
from tests.transcripts import BEGINS, keep

FILE = Path(__file__).with_suffix(".txt")

ONCE_WRONG = (
    ("beacons", "an_evening", "clean-hall", 200186),
    ("cyvasse", "capture_swapped_unseen", "slow-hall", 200715),
    ("giantslayer", "knocked_over_the_board", "bad-reed", 200391),
    ("tides-of-war", "knocked_over_the_board", "bad-reed", 201005),
    ("cyvasse", "choice_answered", "bad-reed", 106317),
    ("cyvasse", "take_back_a_capture", "clean-hall", 9103328),
    ("cyvasse", "cut_over_the_landing", "bad-reed", 9100041),
    # A halogai slides on from cells on which it would have been trampled, that is, taken off: it was not set aside.
    ("giantslayer", "slow_slide", "clean-hall", 7101943),
    ("giantslayer", "slow_slide", "slow-hall", 7102405),
    ("giantslayer", "slow_slide", "polarity-hall", 7202197),
    ("giantslayer", "slow_slide", "clean-reed", 7202274),
    # A capture that no sensor saw, then the end of a turn that could have gone on, and the next player's move.
    ("circle", "capture_swapped_unseen", "clean-hall", 8100970),
    ("circle", "capture_swapped_unseen", "bad-reed", 8101609),
    # The piece that moved last is set aside where it could have gone itself, as the victim of a capture.
    ("giantslayer", "an_evening", "clean-hall", 7300754),
    ("tides-of-war", "an_evening", "slow-hall", 30501954),
    # Long after a capture a strange piece lies where a victim was, and the next player moves where the other was.
    ("tides-of-war", "an_evening", "polarity-hall", 30800962),
    # A piece was knocked off before a ply: with the answer to it, another ply of the knocked piece fits as well.
    ("giantslayer", "restored_after_plies", "clean-hall", 30100414),
    # A victim is set aside where its own player's dragon could enter, on the way of the capture that then takes it.
    ("cyvasse", "victim_set_aside", "clean-reed", 2009608),
    # One contact bounces just as the board is looked at again.
    ("tam-ruat-chess", "restart_in_the_hand", "bad-reed", 30502816),
    # A chain of stops ends where a shorter capture would, before all victims are off.
    ("tides-of-war", "chain_in_stops", "bad-reed", 30103193),
    # A piece is put back and another one goes, before the first counts as put back.
    ("tides-of-war", "take_back_and_play", "clean-reed", 30700933),
    # A lit answer lay where the last ply had come from.
    ("beacons", "an_evening", "clean-reed", 30200388),
    # One piece comes to stand where three plies ago another stood.
    ("beacons", "astray_and_back", "bad-reed", 30502124),
    # A piece that is seen at once where it left is no answer that rests.
    ("beacons", "thought_better", "slow-hall", 30903205),
    # Many plies of the same piece look alike but for what is exchanged, or for how many units go.
    ("cyvasse", "take_back_two", "slow-hall", 50102607),
    ("beacons", "an_evening", "bad-reed", 50101147),
    # The answer is there before the victims of a longer chain are off.
    ("tides-of-war", "answer_before_the_victim_left", "bad-reed", 60100142),
    ("tides-of-war", "answer_before_the_victim_left", "bad-reed", 80200692),
    # Of two promotions that look alike one gives check, so that the answer fits the other alone.
    ("tam-ruat-chess", "capture_swapped_unseen", "polarity-hall", 80202850),
    # A contact lets go for 25 ms, and just then a phone makes a move: the piece was never gone.
    ("tam-ruat-chess", "phones_then_lights", "bad-reed", 90002844),
    # A mountain is knocked over to where a dragon could come from beside the board, and the next player moves.
    ("cyvasse", "an_evening", "bad-reed", 60227),
    # The contact under a strange piece lets go for 11 ms as the last of the set-up is put right.
    ("cyvasse", "set_up_with_strange_pieces", "bad-reed", 500229),
    # A question is answered by a piece on a lit cell, where a further ply of the same player would put one.
    ("beacons", "touch_and_go", "slow-hall", 20303086),
    ("beacons", "slow_slide", "clean-reed", 20278540),
    ("beacons", "knocked_and_restored", "bad-reed", 20269174),
    ("beacons", "an_evening", "polarity-hall", 20284199),
    # Two plies, of which the second one was begun or ended first, lead to where the board stood before.
    ("tides-of-war", "answer_lands_first", "clean-hall", 20275867),
    # The piece that moved last plays on before the next player's is down: it may be thought better of, or the answer.
    ("tides-of-war", "an_evening", "clean-reed", 20299255),
    ("tam-ruat-chess", "an_evening", "clean-hall", 20300271),
    # Besides a piece that was knocked off another is knocked to where one stood two plies ago.
    ("tides-of-war", "an_evening", "clean-hall", 20298671),
    # A piece is knocked off while another one is moved, and the board stands as it did some plies ago.
    ("beacons", "knocked_while_moving", "bad-reed", 31004698),
    ("beacons", "knocked_while_moving", "polarity-hall", 20272185),
    ("beacons", "an_evening", "clean-hall", 20277591),
    # A piece comes to where the piece that moved last might have gone on to, while another one is still up.
    ("cyvasse", "an_evening", "clean-reed", 20264183),
    ("cyvasse", "an_evening", "slow-hall", 31004731),
    ("cyvasse", "an_evening", "clean-reed", 20287363),
    ("cyvasse", "an_evening", "slow-hall", 20288351),
    # A knocked piece comes to a lit cell before anybody can have seen its light.
    ("beacons", "astray_and_back", "bad-reed", 31008344),
    # What comes to a lit cell makes the second one of two plies whole.
    ("cyvasse", "slid_while_the_answer_is_up", "slow-hall", 20286056),
    ("tam-ruat-chess", "early_answer", "clean-reed", 31012625),
    # A giant moves while another one is knocked off, which could have come there as well and slain the one that moved.
    ("giantslayer", "restored_after_plies", "clean-hall", 33034908),
    ("giantslayer", "restored_after_plies", "bad-reed", 33046140),
    # A chain comes back to where it has been before; its victims are still to be taken off.
    ("tides-of-war", "capture_victim_last", "polarity-hall", 20271017),
)

ONCE_MISREAD = (
    # A piece is carried low over a cell where it could stay, its first victim off: that was read as two plies.
    Name(57623, "music", "tides-of-war"),
    # A unit makes two goes faster than its turn counts; then the other player's first go seemed to be answered by it.
    Name(50936, "three", "circle"),
    # The moved piece is trampled where it lands, and the next one comes to where it could have gone.
    Name(70318, "telephone", "giantslayer"),
    # The contact that a piece left opens only after the piece has landed: a capture, and where the last ply came from.
    Name(1014, "8", "tides-of-war"),
    Name(1063, "8", "beacons"),
    # A capture that no sensor saw, and the answer comes to where the taker stood, or could have gone.
    Name(1007, "λ", "tam-ruat-chess"),
    Name(1084, "λ", "tam-ruat-chess"),
    # After the answer the capture is taken back, too: what came back was thought to have been set aside.
    Name(1028, "0", "cyvasse"),
    # With its attacker up a piece is straightened; the attacker comes to where a dragon could, or the game had ended.
    Name(1014, "n", "cyvasse"),
    Name(1049, "n", "cyvasse"),
    # The answer is put down where the first piece could have gone, which is up yet.
    Name(1014, "θ", "tides-of-war"),
    Name(1049, "θ", "giantslayer"),
    Name(200431, "n", "cyvasse"),
    # A unit that a cat had pushed aside is up again, and another one has been pushed to where it could go.
    Name(1028, "cat", "circle"),
    # A cat pushes a piece to where a dragon could come, the contact that it left opens late, and then another one.
    Name(200069, "cat", "cyvasse"),
    # The taker is back, what it took is not yet: that looked like two other plies.
    Name(1077, "0", "tides-of-war"),
    # Two plies put back whose way back is two legal plies too: that is asked, and people played on without an answer.
    Name(402405, "0", "cyvasse"),
    # A stuck contact hides where a unit came from, and the next player could have split one off to the same cell.
    Name(401028, "8", "beacons"),
    # The answer is put down and taken off again before the first move is done.
    Name(614270, "θ", "giantslayer"),
    Name(621420, "θ", "giantslayer"),
    # Two captures cross: each victim is lifted last.
    Name(611685, "θ", "tides-of-war"),
    # A capture, and the answer comes to where its taker could have gone as well.
    Name(618670, "θ", "tam-ruat-chess"),
    # A giant that would be slain where it is set down hops on, slowly.
    Name(610287, "chain", "giantslayer"),
    Name(668257, "chain", "giantslayer"),
    # A unit is moved twice, and rests in between for less than its move takes to count.
    Name(627445, "quick", "beacons"),
    Name(663085, "quick", "beacons"),
    Name(644165, "quick", "circle"),
    # A king is straightened while its attacker is in the hand, which goes elsewhere; and a piece that is no king.
    Name(619091, "n", "cyvasse"),
    Name(835351, "n", "circle"),
    # What the last ply took is still missing when an older position seems to stand again.
    Name(649355, "0", "cyvasse"),
    Name(649372, "demonstrated", "cyvasse"),
    # A dragon taken off is put back, as if it were dropped there.
    Name(662280, "0", "cyvasse"),
    # A capture that no sensor saw, and hands that lift a victim before anybody has answered which it was.
    Name(658686, "three", "cyvasse"),
    Name(630974, "I", "cyvasse"),
    Name(658695, "H", "cyvasse"),
    # After a capture that ends no turn by itself the answer comes to where its taker could have gone.
    Name(666521, "λ", "circle"),
    # A cat pushes two pieces at once.
    Name(652444, "cat", "circle"),
)


def told(name: str) -> list[str]:
    """Return how the gesture or evening of that name is read; the second line begins with what became of it."""
    return [f"{BEGINS}{name}", TOLD[name]()]


def gesture(game: str, story: str, sensors: str, seed: int) -> str:
    """Return what became of a gesture, and when."""
    return line(book.tell(game, story, sensors, seed)).partition(": ")[2]


def evening(name: Name) -> str:
    """Return what became of an evening of a stranger, and when."""
    told = telling.tell(name)
    return f"{told.result}: {'; '.join(_happened(told))}"


def _happened(told: telling.ToldEvening) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        steps = list(replay(parse("\n".join(told.recording(folder)))))
    found = [(note.t_us, said) for _, notes in steps for note in notes if (said := noted(note))]
    asked = ""
    for table in moments([table for table, _ in steps]):
        now = " ".join(each.text for each in table.play.verdict.asked) if table.play else ""
        found += [(table.t_us, f"? {now}".strip())] if now != asked else []
        asked = now
    yield from (f"{t_us / 1e6:.3f} {said}" for t_us, said in sorted(found))


TOLD: dict[str, partial[str]] = {
    **{" ".join(map(str, each)): partial(gesture, *each) for each in ONCE_WRONG},
    **{f"{name.game} {name.kind} {name.number}": partial(evening, name) for name in ONCE_MISREAD},
}

if __name__ == "__main__":
    keep(FILE, TOLD, told)
