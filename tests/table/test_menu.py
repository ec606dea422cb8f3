"""The board's menu: two pieces of one's own kept up, then one of them on a lit cell."""

from __future__ import annotations

from tests.table.scenes import Scene, names, standing


def cells(scene: Scene, until_ms: int = 2500) -> dict[str, str]:
    table = scene.run(until_ms)
    return {wish: names(table, bit).pop() for bit, wish in table.play.menu if bit}


def test_two_pieces_kept_up_open_the_menu_and_putting_them_back_closes_it() -> None:
    scene = Scene("tides-of-war").hands("-a2 -b1")
    assert cells(scene, 1500) == {}
    assert set(cells(scene)) == {"pause", "draw", "resign", "help"}
    scene.hands("+a2@2500")
    assert cells(scene) == {}
    table = scene.hands("+b1").run()
    assert table.phase == "play"
    assert table.play.menu == ()


def test_one_player_resigns_by_hand() -> None:
    scene = Scene("tides-of-war").hands("-a2 -b1")
    table = scene.hands(f"+{cells(scene)['resign']}@2500").run()
    assert (table.play.result.winner, table.play.result.why) == (1, "resigned")


def test_a_draw_by_hand_needs_both() -> None:
    scene = Scene("tides-of-war").hands("-a2 -b1")
    cell = cells(scene)["draw"]
    table = scene.hands(f"+{cell}@2500 -{cell} +a2 +b1").run()
    assert table.play.offers == (0,)
    assert standing(table)
    scene.hands("-e6 -f5")
    table = scene.hands(f"+{cells(scene)['draw']}@2500").run()
    assert table.play.result.why == "agreed"


def test_a_pause_by_hand_and_on_again() -> None:
    scene = Scene("tides-of-war").hands("-a2 -b1")
    cell = cells(scene)["pause"]
    assert scene.hands(f"+{cell}@2500 -{cell} +a2 +b1").run().phase == "pause"
    scene.hands("-a2 -b1")
    cell = cells(scene)["pause"]
    table = scene.hands(f"+{cell}@2500 -{cell} +a2 +b1").run()
    assert table.phase == "play"
    assert scene.hands("-c3 +c4").plies() == ["c3-c4"]


def test_two_pieces_of_both_colours_open_no_menu() -> None:
    assert cells(Scene("tides-of-war").hands("-a2 -f5"), 5000) == {}
