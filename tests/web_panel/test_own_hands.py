"""Who moves which piece of a simulated board, over HTTP: the service holds to it, whatever a page would allow."""

from __future__ import annotations

from typing import Any

import pytest

from controller.game_setup import Opponents
from controller.orders import Coached, NewGame, PlayPly
from tests.web_panel.real_table import OpenTable, RealTable
from web_panel.people import presence


class Phone:
    """A phone that has joined and holds ``seats``."""

    def __init__(self, table: RealTable, name: str, *seats: int) -> None:
        self.id = table.phones.ask(f"secret of {name}", name)
        table.phones.admit(self.id)
        for seat in seats:
            table.phones.take(self.id, seat)
        self.client = table.app.test_client()
        self.client.set_cookie("beaconboard", f"secret of {name}")

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(f"/api/{path}", json=body)

    def says(self, path: str, **body: Any) -> str:
        """Return the sentence with which the request is refused."""
        answer = self.post(path, **body)
        assert answer.status_code == 409, answer.get_json()
        return str(answer.get_json()["error"])

    def tap(self, site: str, piece: str = "") -> dict[str, Any]:
        answer = self.post("tap", site=site, piece=piece)
        assert answer.status_code == 200, answer.get_json()
        found: dict[str, Any] = answer.get_json()
        return found


@pytest.fixture
def table(open_table: OpenTable) -> RealTable:
    table = open_table("first36", finishes=True)
    table.new_game("tides-of-war")
    return table


def held(phone: Phone) -> list[str]:
    return [piece["from"] for piece in phone.client.get("/api/pieces").get_json()["held"]]


def made(table: RealTable, count: int) -> tuple[str, ...]:
    for seen in table.running.service.watch(5):
        assert seen is not None, f"there never are {count} plies"
        if len(seen.table.play.session.plies) == count:
            return tuple(seen.table.play.session.plies)
    raise AssertionError


def test_who_taps_while_the_coach_speaks_is_told_that_it_waits_for_them(table: RealTable) -> None:
    ann = Phone(table, "Ann", 0)
    submit = table.running.service.submit
    submit(NewGame(game="tides-of-war", seed=1, opponents=Opponents((0, 1), coach=True)))
    table.set_up()
    ann.tap("c3")
    ann.tap("c4", ann.client.get("/api/pieces").get_json()["held"][0]["id"])
    made(table, 1)
    submit(Coached(made=1, feature="stones", now=12, could=14))
    assert ann.says("tap", site="b3", piece="") == "The coach has a word for you: take the move back, or play on."


def test_what_a_phone_that_is_away_has_in_the_hand_is_put_back_by_whoever_is_there(
    table: RealTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stayed in nobody's hand for ever, and those who waited could do nothing."""
    ann, ben = Phone(table, "Ann", 0), Phone(table, "Ben", 1)
    ann.tap("c3")
    piece = ben.client.get("/api/pieces").get_json()["held"][0]["id"]
    assert ben.says("put_back", piece=piece) == "Ann's pieces are not moved on this phone."
    monkeypatch.setattr(presence, "AWAY_S", 0.0)  # nobody has a page open
    assert ben.post("put_back", piece=piece).status_code == 200
    assert held(ben) == []
    assert ben.client.get("/api/pieces").get_json()["on"]["c3"]["id"] == piece


def test_a_tap_on_the_others_piece_is_a_look_and_lifts_nothing(table: RealTable) -> None:
    ann, ben = Phone(table, "Ann", 0), Phone(table, "Ben", 1)  # Ann joins first and is the owner
    look = ben.tap("c3")["look"]
    assert (look["site"], set(look["sites"])) == ("c3", {"c4", "d3"})
    assert {goal["meaning"] for goal in look["sites"].values()} == {"may_go"}
    assert look["words"] == "Where White's stone could go. It is not yours to move."
    assert held(ben) == []
    ann.tap("c3")
    ann.tap("c4", ann.client.get("/api/pieces").get_json()["held"][0]["id"])
    made(table, 1)
    assert set(ann.tap("f2")["look"]["sites"]) == {"f1", "e2"}
    assert set(ben.tap("c2")["look"]["sites"])  # also when it is not White's turn
    assert held(ann) == []
    assert table.table.play.session.plies == ("c3-c4",)


def test_no_request_of_a_phone_moves_a_piece_of_the_others(table: RealTable) -> None:
    ann, ben = Phone(table, "Ann", 0), Phone(table, "Ben", 1)
    assert ben.says("lift", site="c3") == "Ann's pieces are not moved on this phone."
    (lifted,) = ann.tap("c3")["pieces"]["held"]
    for path, body in (("place", {"site": "c4"}), ("place", {"site": "c3"}), ("set_aside", {}), ("put_back", {})):
        assert ben.says(path, piece=lifted["id"], **body) == "Ann's pieces are not moved on this phone."
    assert ben.says("tap", site="c4", piece=lifted["id"]) == "Ann to move."
    assert ben.says("set_up") == "Ann to move."
    assert held(ann) == ["c3"]
    assert ben.post("order", do="ply", text="c3-c4").status_code == 409
    ann.tap("c4", lifted["id"])
    assert made(table, 1) == ("c3-c4",)


def test_who_holds_no_seat_where_all_are_held_moves_nothing(table: RealTable) -> None:
    Phone(table, "Ann", 0), Phone(table, "Ben", 1)
    cid = Phone(table, "Cid")
    for site in ("c3", "c6"):
        assert "look" in cid.tap(site)
        cid.says("lift", site=site)
    assert held(cid) == []


def test_what_another_phone_does_leaves_a_piece_in_the_hand_of_whoever_lifted_it(table: RealTable) -> None:
    ann, ben, cid = Phone(table, "Ann", 0), Phone(table, "Ben", 1), Phone(table, "Cid")
    ann.tap("c3")
    assert cid.says("lift", site="c4") == "there is no piece on c4"
    for on in (False, True):
        assert cid.post("finish", on=on).status_code == 200
    assert held(ann) == ["c3"]
    assert ben.post("lift", site="c6").status_code == 200  # one's own piece is lifted out of turn, too
    assert held(ann) == ["c3", "c6"]
    assert ben.post("lift", site="d4").status_code == 200  # in place of what he has in the hand
    assert held(ann) == ["c3", "d4"]
    lifted = next(piece for piece in ann.client.get("/api/pieces").get_json()["held"] if piece["from"] == "c3")
    ann.tap("c4", lifted["id"])
    assert made(table, 1) == ("c3-c4",)


def test_a_free_seat_is_moved_by_everybody_and_two_by_who_holds_both(table: RealTable) -> None:
    ann, cid = Phone(table, "Ann", 0), Phone(table, "Cid")
    assert "look" in cid.tap("c3")
    (piece,) = ann.tap("c3")["pieces"]["held"]
    ann.tap("c4", piece["id"])
    made(table, 1)
    (piece,) = cid.tap("f2")["pieces"]["held"]
    cid.tap("f1", piece["id"])
    made(table, 2)
    table.phones.take(ann.id, 1)
    for count, (start, end) in enumerate((("c2", "c3"), ("c6", "b5")), 3):
        (piece,) = ann.tap(start)["pieces"]["held"]
        ann.tap(end, piece["id"])
        made(table, count)
    assert "look" in cid.tap("c3")


def test_a_piece_of_a_free_seat_is_lifted_in_its_turn_alone_while_others_play(table: RealTable) -> None:
    """Else who only watches would hold up what somebody else is about to move."""
    ann, cid = Phone(table, "Ann", 0), Phone(table, "Cid")
    for phone in (ann, cid):
        assert "look" in phone.tap("c6")
        assert phone.says("lift", site="c6") == "Ann to move."
    assert held(cid) == []
    (piece,) = ann.tap("c3")["pieces"]["held"]
    ann.tap("c4", piece["id"])
    made(table, 1)
    assert [piece["from"] for piece in cid.tap("c6")["pieces"]["held"]] == ["c6"]


@pytest.mark.slow
def test_move_every_piece_by_hand_lets_nobody_move_the_others_either(table: RealTable) -> None:
    ann, ben = Phone(table, "Ann", 0), Phone(table, "Ben", 1)
    ann.post("finish", on=False)
    ben.says("lift", site="c3")
    piece = ann.post("lift", site="c3").get_json()["id"]
    ben.says("place", piece=piece, site="c4")
    assert ann.post("place", piece=piece, site="c4").status_code == 200
    assert made(table, 1) == ("c3-c4",)
    ann.says("lift", site="f2")
    ben.says("lift", site="c2")


def test_a_knocked_piece_is_put_right_by_the_other_phone(table: RealTable) -> None:
    ann, ben = Phone(table, "Ann", 0), Phone(table, "Ben", 1)
    ann.post("finish", on=False)
    piece = ann.post("lift", site="c3").get_json()["id"]
    ann.post("place", piece=piece, site="f6")
    for seen in table.running.service.watch(5):
        assert seen is not None
        if seen.table.phase == "fix":
            break
    assert ben.post("set_up").status_code == 200
    assert ben.client.get("/api/pieces").get_json()["on"]["c3"]["id"] == piece


def test_the_answer_that_a_move_was_taken_back_is_for_who_made_it(table: RealTable) -> None:
    ann, ben = Phone(table, "Ann", 0), Phone(table, "Ben", 1)
    ann.post("order", do="ply", text="c3-c4")
    standing = table.backend.standing()
    asked = type(standing)(standing.seats, 1, answers={"take back": 0})
    table.backend.standing = lambda: asked  # type: ignore[method-assign]
    assert "Ann plays White" in ben.says("order", do="ply", text="take back")
    assert "Ann plays White" not in ann.says("order", do="ply", text="take back")  # though nothing is asked


def test_in_a_lesson_every_phone_moves_every_piece(table: RealTable) -> None:
    ann, ben = Phone(table, "Ann", 0), Phone(table, "Ben", 1)
    assert ann.post("order", do="start_lesson", game="tides-of-war").status_code == 200
    table.set_up()
    play = table.table.play
    while not play.session.expected:
        assert ben.post("order", do="next_step").status_code == 200
        play = table.table.play
    before = len(play.session.plies)
    assert ben.post("order", do="ply", text=play.session.expected).status_code == 200
    assert len(made(table, before + 1)) == before + 1


def test_who_plays_the_board_looks_at_its_pieces_and_moves_the_own(open_table: OpenTable) -> None:
    table = open_table("first36", finishes=True, local=True)
    held_by_board = Opponents(levels=(0, 1))
    table.running.service.submit(NewGame(game="tides-of-war", opponents=held_by_board, seed=1))
    table.set_up()
    client = table.app.test_client()
    assert "look" in client.post("/api/tap", json={"site": "c6"}).get_json()
    assert client.post("/api/lift", json={"site": "c6"}).status_code == 409
    assert client.post("/api/tap", json={"site": "c3"}).get_json()["pieces"]["held"][0]["from"] == "c3"


def test_a_store_of_the_board_alone_is_looked_at_though_units_may_go_there(open_table: OpenTable) -> None:
    table = open_table("shell19", finishes=True, local=True)
    stores = {"start": "a3:1x6 a4:2x1 e3:2x6 a3=000000 a4=000000"}  # from a3 to a4 nothing has to be paid
    table.running.service.submit(NewGame(game="beacons", options=stores, opponents=Opponents(levels=(0, 1)), seed=1))
    table.set_up()
    client = table.app.test_client()
    looked = client.post("/api/tap", json={"site": "a4"}).get_json()
    assert looked["look"]["words"] == "The board plays these pieces."
    assert client.post("/api/tap", json={"site": "a3"}).get_json()["pieces"]["held"][0]["from"] == "a3"


def test_one_computer_that_nobody_joined_moves_everything(open_table: OpenTable) -> None:
    table = open_table("first36", finishes=True, local=True)
    table.new_game("tides-of-war")
    client = table.app.test_client()
    for count, (start, end) in enumerate((("c3", "c4"), ("f2", "f1")), 1):
        (piece,) = client.post("/api/tap", json={"site": start}).get_json()["pieces"]["held"]
        assert client.post("/api/tap", json={"site": end, "piece": piece["id"]}).status_code == 200
        made(table, count)


@pytest.mark.parametrize("by_phone", [True, False])
def test_who_takes_over_a_seat_moves_its_pieces_though_somebody_else_or_the_board_made_its_secret_bid(
    open_table: OpenTable, by_phone: bool
) -> None:
    table = open_table("shell19", finishes=True)
    table.new_game("beacons")
    for count, phone in enumerate((Phone(table, "Ann", 0), Phone(table, "Ben", 1)), 1):
        if by_phone:
            phone.post("order", do="ply", text="bid 6 6")
        else:  # as the board bids
            table.running.service.submit(PlayPly("bid 6 6"))
        made(table, count)
    table.phones.free({0, 1})
    cid = Phone(table, "Cid", table.table.play.session.state.queue[0])
    node = next(site for site in cid.client.get("/api/pieces").get_json()["on"] if ":" in site)
    assert "error" not in cid.post("lift", site=node).get_json()
