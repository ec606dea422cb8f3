"""The kinds of stories, each by a short name. Letters and figures have no order; the titles say what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tests.strangers import life_stories as life
from tests.strangers import plain_stories as plain
from tests.strangers import sensor_stories as sensor
from tests.strangers import two_hands_stories as hands
from tests.strangers.evening import Evening

Story = Callable[[Evening], None]

KINDS: Mapping[str, Story] = MappingProxyType(
    {
        # what people do all the time
        "move": plain.move,
        "capture": plain.capture,
        "box": plain.from_the_box,
        "held": plain.held,
        "back": plain.put_back,
        "quick": plain.quick_answer,
        "three": plain.three_in_a_row,
        "chain": plain.stopping_chain,
        "chosen": plain.chosen,
        # slips of the hand
        "d": plain.question_left_open,
        "b": plain.hesitation,
        "n": plain.threatened_straightened,
        "o": plain.last_hop_back,
        "c": plain.slid_with_a_rest,
        "I": sensor.victim_pushed_aside,
        "H": sensor.faster_than_a_scan,
        "1": sensor.sleeve,
        "2": hands.answer_lifted_early,
        "3": sensor.victim_where_taker_stood,
        "4": life.swapped_by_mistake,
        "5": hands.child_moves_another,
        "6": life.rebuilt,
        "7": sensor.bounced,
        "8": sensor.sticking_contact,
        "9": sensor.power_flickers,
        "0": life.back_by_two,
        "α": hands.slid_past_others,
        "β": hands.straightened_while_thinking,
        "ε": life.another_from_the_box,
        "ζ": hands.moved_piece_straightened,
        "θ": hands.answer_down_first,
        "λ": sensor.unseen_and_played_on,
        "μ": hands.slid_beside_an_answer,
        "π": hands.slid_beside_straightening,
        # an evening with people, children, a cat
        "cat": life.cat,
        "cup": life.cup,
        "telephone": life.telephone,
        "ring": sensor.ring_on_the_hand,
        "music": sensor.vibration,
        "bump": sensor.bumped,
        "child": life.child_adds,
        "reach": hands.reaching_at_once,
        "demonstrated": life.demonstrated,
        "discussed": life.taken_back_after_a_word,
        "two": life.two_straightened,
        "rolled": life.dropped_and_rolled,
        "wrong-cell": life.wrong_cell_first,
        "too-soon": life.jumped_the_gun,
        "undecided": life.undecided,
        "twisted": life.twisted,
        "row": life.row_pushed,
        "line": sensor.on_the_line,
        "hover": sensor.hovering,
        "parked": sensor.victim_parked,
        "late": hands.taken_late,
    }
)
