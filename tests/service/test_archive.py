"""What is read of a journal: games as they were left, their list, and nothing whose sum is not right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.commitments import Committed, with_plies
from controller.events import Seating
from controller.journal import schema
from controller.journal.choices_checked import checked
from controller.journal.database import Archive, Entry, Journal, JournalFailed
from controller.journal.recording import BadRecording, Header, Line, parse
from controller.table.promises import Promise, Promises
from controller.table.session import Ended
from tests.journal.kept_games import kept_game

TIDES = Header("tides-of-war", seed=3)
kept = partial(kept_game, header=TIDES)
RESIGNED = Ended(over=True, why="resigned", by=(1,), winner=0)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path / "games.sqlite3")) as found:
        yield found


def ply(text: str, t_us: int = 1) -> Entry:
    return Entry(t_us, ply=text)


# ---- as it was left ---------------------------------------------------------------------------------------


def test_a_game_is_left_with_the_plies_that_stand(journal: Journal) -> None:
    game = kept(journal, ply("c3-c4"), ply("c6-b5", 9), Entry(7, back_to=1), ply("b6-a6", 8))
    saved = journal.saved(game)
    assert (saved.plies, saved.t_us, saved.flaw, saved.header) == (("c3-c4", "b6-a6"), 9, "", TIDES)
    assert saved.left.outcome is None
    assert [entry.t_us for entry in journal.entries(game)] == [1, 9, 7, 8]


def test_the_players_end_a_game_and_take_that_back(journal: Journal) -> None:
    over = kept(journal, ply("c3-c4"), Entry(5, outcome=RESIGNED))
    assert journal.saved(over).left.outcome == RESIGNED
    assert journal.saved(over).plies == ("c3-c4",)
    back = kept(journal, ply("c3-c4"), Entry(5, outcome=RESIGNED), Entry(6, outcome=Ended()))
    assert journal.saved(back).left.outcome is None
    on = kept(journal, ply("c3-c4"), Entry(5, outcome=RESIGNED), ply("c6-b5", 6))
    assert journal.saved(on).left.outcome is None


def test_a_game_that_came_with_plies_says_how_many_came(journal: Journal) -> None:
    came = Header("tides-of-war", plies=("c3-c4", "c6-b5"))
    assert journal.saved(kept(journal, header=came)).left.given == 2
    assert journal.saved(kept(journal, ply("c2-d3"), header=came)).left.given == 2
    assert journal.saved(kept(journal, Entry(3, back_to=1), header=came)).left.given == 1


def test_the_start_position_stood_where_that_is_the_last_that_is_known(journal: Journal) -> None:
    assert journal.saved(kept(journal, Entry(1, back_to=0))).left.stood
    assert not journal.saved(kept(journal, Entry(1, back_to=0), ply("c3-c4"))).left.stood


def test_who_sat_where_at_last_and_when_the_last_line_was(journal: Journal) -> None:
    first, last = Seating(("Ann", "Ben")), Seating(("Ann", "Cid"))
    lines = (Line(1, seating=first), Line(5, site="c3", on=False), Line(7, seating=last), Line(9, site="c3", on=True))
    game = kept(journal, ply("c3-c4"), lines=lines)
    for saved in (journal.saved(game), journal.saved(game, lines=False)):
        assert (saved.seating, saved.t_us) == (last, 9)
    assert journal.saved(kept(journal, ply("c3-c4", 4)), lines=False).t_us == 4
    header, written = journal.recording(game)
    assert (header, written) == (TIDES, (*lines, Line(9, end=True)))


def test_the_game_on_the_table_last_is_that_of_the_last_line_or_one_that_nobody_has_touched(journal: Journal) -> None:
    assert journal.last() is None
    first = kept(journal, lines=(Line(1, site="c3", on=False),))
    second = kept(journal, lines=(Line(1, site="c3", on=False),))
    found = journal.last()
    assert found is not None
    assert found.game_id == second
    journal.note(first, Line(5, site="c3", on=True))  # it was resumed
    journal.flush()
    found = journal.last()
    assert found is not None
    assert found.game_id == first
    third = kept(journal)
    found = journal.last()
    assert found is not None
    assert found.game_id == third


# ---- the list ---------------------------------------------------------------------------------------------


def test_the_newest_games_come_first_each_with_a_stamp_that_changes_with_it(journal: Journal) -> None:
    one, two, three = (kept(journal) for _ in range(3))
    assert [each.game_id for each in journal.listed(9)] == [three, two, one]
    assert [each.game_id for each in journal.listed(2)] == [three, two]
    assert [each.game_id for each in journal.listed(9, before=three)] == [two, one]
    assert [each.stamp for each in journal.listed(9)] == [0, 0, 0]
    journal.enter(two, ply("c3-c4"))
    journal.flush()
    before = journal.stamp(two)
    assert [each.stamp for each in journal.listed(9)] == [0, before, 0]
    journal.enter(two, ply("c6-b5"))
    journal.flush()
    assert journal.stamp(two) > before
    assert journal.stamp(one) == 0


def test_a_game_that_was_set_aside_is_faulty_until_it_is_on_the_table_again(journal: Journal) -> None:
    game = kept(journal, ply("c3-c4"))
    assert journal.faulty(game) is None
    journal.set_aside(game, "KeyError in circle.py, line 3")
    journal.flush()
    assert journal.faulty(game) == "KeyError in circle.py, line 3"
    journal.note(game, Line(5, site="c3", on=True))
    journal.flush()
    assert journal.faulty(game) is None
    assert journal.faulty(99) is None


# ---- what is not right ------------------------------------------------------------------------------------


def changed(journal: Journal, statement: str, *values: Any) -> Archive:
    """Return the journal after somebody has written into its file."""
    path = journal.path
    journal.close()
    with closing(schema.connect(path)) as db, db:
        db.execute(statement, values)
    return Archive(path)


def test_a_header_that_somebody_has_changed_is_damage_though_it_reads_well(journal: Journal) -> None:
    kept(journal, ply("c3-c4"))
    other = msgspec.json.encode(Header("tides-of-war", seed=4)).decode()
    with closing(changed(journal, "UPDATE games SET header = ?", other)) as archive:
        with pytest.raises(JournalFailed, match="is damaged: this game cannot be read"):
            archive.saved(1)
        with pytest.raises(JournalFailed, match="there is no game 2"):
            archive.saved(2)


def test_a_date_that_somebody_has_changed_is_not_shown(journal: Journal) -> None:
    kept(journal)
    with closing(changed(journal, "UPDATE games SET started = '2026-01-01T00:00:00'")) as archive:
        assert [each.started for each in archive.listed(9)] == [""]


def test_of_a_game_whose_ply_was_changed_the_plies_before_it_count(journal: Journal) -> None:
    kept(journal, ply("c3-c4"), ply("c6-b5"), ply("c2-d3"))
    with closing(changed(journal, "UPDATE entries SET ply = 'b6-a6' WHERE id = 2")) as archive:
        saved = archive.saved(1)
        assert saved.plies == ("c3-c4",)
        assert saved.flaw == "the journal is damaged here: moves of this game that are left: 1"
        assert len(archive.entries(1)) == 1


def test_of_a_recording_whose_line_was_changed_what_precedes_it_is_there(journal: Journal) -> None:
    lines = (Line(1, site="c3", on=False), Line(5, site="c3", on=True), Line(7, site="c3", on=False))
    kept(journal, ply("c3-c4", 6), lines=lines)
    with closing(changed(journal, "UPDATE lines SET line = '{\"t_us\": 6}' WHERE id = 2")) as archive:
        assert archive.saved(1).flaw == "the journal is damaged here: the recording of this game breaks off"
        assert archive.saved(1).plies == ("c3-c4",)
        assert archive.recording(1)[1] == (lines[0], Line(1, end=True))


def test_a_journal_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(JournalFailed, match="there is no journal at"):
        Archive(tmp_path / "none.sqlite3")


# ---- choices in secret ------------------------------------------------------------------------------------

NONCES = "11" * 32, "22" * 32
GAME = '{"game": "beacons", "options": {"template": ""}, "seed": 5}'


def recorded(*told: tuple[int, tuple[Promise, ...]]) -> str:
    lines = [msgspec.json.encode(Line(t_us, promises=Promises(all))).decode() for t_us, all in told]
    return "\n".join([GAME, *lines, '{"t_us": 99, "end": true}'])


def choice(seat: int, shown: bool = False, plies: tuple[str, ...] = ("bid 6 6",), sealed: Any = None) -> Promise:
    what = with_plies("beacons", 5, seat, 0, sealed or plies, NONCES[seat])
    opened = Committed(seat, 0, what.commit, NONCES[seat], plies)
    return Promise(opened if shown else what.veiled, shown=shown)


def told(*lines: tuple[int, tuple[Promise, ...]]) -> list[tuple[str, int, int | None, str]]:
    found = checked(parse(recorded(*lines)))
    return [(each.name, each.bound_us, each.shown_us, each.wrong) for each in found]


def test_choices_that_were_sealed_by_all_and_then_opened_are_right() -> None:
    both = (choice(0), choice(1))
    opened = (choice(0, shown=True), choice(1, shown=True))
    assert told((1, both[:1]), (3, both), (5, opened)) == [("Player 1", 1, 5, ""), ("Player 2", 3, 5, "")]


def test_a_choice_that_was_never_opened_is_not_called_wrong() -> None:
    both = (choice(0), choice(1))
    assert told((1, both), (5, (choice(0, shown=True), both[1]))) == [("Player 1", 1, 5, ""), ("Player 2", 1, None, "")]
    assert told() == []


def test_what_was_opened_before_all_had_sealed_or_is_something_else_is_wrong() -> None:
    early = told((1, (choice(0),)), (2, (choice(0, shown=True),)), (3, (choice(0, shown=True), choice(1))))
    assert [wrong for *_, wrong in early] == ["it was opened before all had sealed", ""]
    other = choice(0, shown=True, plies=("bid 5 7",), sealed=("bid 6 6",))
    both = (choice(0), choice(1))
    found = told((1, both), (5, (other, both[1])))
    assert [wrong for *_, wrong in found] == ["what was opened is not what was sealed", ""]


@pytest.mark.parametrize("line", ['{"t_us": 1, "on": true}', '{"t_us": 1, "site": "c3"}', '{"t_us": 1}'])
def test_a_line_with_half_a_touch_is_refused(line: str) -> None:
    with pytest.raises(BadRecording, match="line 2"):
        parse(f'{{"game": "tides-of-war"}}\n{line}\n{{"t_us": 9, "end": true}}')
