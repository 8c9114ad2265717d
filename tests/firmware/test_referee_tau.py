"""Stories of Tau at the table: what hands do, what lights, display and log say."""

import pytest
from story import HINT, MENU, OK, UNDO, Story


@pytest.fixture
def story():
    return Story().set_up()


# Setting up


def test_setup_asks_for_each_stick_and_begins_by_itself():
    story = Story()
    story.send(c="new", g="tau", opt={"starter": 2})
    story.wait(100)
    assert story.state == "SETUP"
    assert len(story.lit("c")) == 14  # every rack hole shows the colour that is to be up in it
    assert "rack hole 1" in story.display() and "yellow" in story.display()
    for stick in list(story.sticks.values()):
        assert story.state == "SETUP"
        story.hand.append(stick)
        story.put(story.rack(stick), stick.piece[0])
    assert story.state == "TURN"
    assert story.told("setup")[0]["opt"]["starter"] == 2
    assert story.lit("g") == {"a8", "b8", "c8", "d8", "e8", "f8"}  # the own six; the wild waits


def test_setup_says_which_stick_stands_on_its_head():
    story = Story()
    story.rack_up()
    story.sticks["1r/p"].pole = 2
    story.wait(200)
    assert story.state == "SETUP" and story.lit("t") == {"c1"}
    assert "red up" in story.display()
    story.move("1r/p", "c1", "r")
    assert story.state == "TURN"


def test_setup_names_what_is_in_the_way():
    story = Story()
    story.rack_up()
    story.foreign[story.square("C3")] = 1
    story.wait(200)
    assert story.state == "SETUP" and story.lit("x") == {"C3"}
    story.foreign.clear()
    story.wait(200)
    assert story.state == "TURN"


def test_setup_asks_where_several_sticks_were_in_hands(story):
    """The next game: sticks gathered by the handful come into racks that their poles alone call right."""
    story.play("y/o@B1", "o/y@A2", "y/g@C1", "b/p@A3", "r/o@E4", "y/g@D1").wait(400).press(OK)
    story.lift("B1").lift("E4")
    story.put("a1", "o", "1o/r").put("b1", "y", "1y/o")  # each in the other's rack hole
    for name, rack in (("2o/y", "a8"), ("1g/y", "f1"), ("2b/p", "d8"), ("2g/y", "f8")):
        stick = name if name in story.sticks else name[0] + name[3] + "/" + name[1]
        story.lift(stick).put(rack, story.sticks[stick].piece[0])
    assert story.state == "PENDING" and len(story.told("setup")) == 1
    assert "Light yellow in r1" in story.text and story.lit("c") == {"a1", "b1"}
    story.lift("a1").lift("b1").put("a1", "y", "1y/o").put("b1", "o", "1o/r").wait(300).press(OK)
    assert story.state == "TURN" and len(story.told("setup")) == 2


# Moves


def test_placing_either_end_up(story):
    story.lift("1y/o")
    assert story.state == "LIFTED" and story.role("a1") == "s"
    assert len(story.lit("g")) == 21
    story.put("C3", "o")
    assert story.moves() == ["o/y@C3"]
    assert story.state == "TURN" and story.table.referee.game.turn == 1


def test_the_hidden_colour_is_told_once(story):
    story.play("y/o@C3")
    assert [(e["q"], e["c"]) for e in story.told("shown")] == [("d5", "o")]
    assert story.role("C3") == "c" and "hides orange" in story.display()
    story.wait(1500)
    assert story.role("C3") == "l" and "orange" not in story.display()
    story.forget().wait(3000)
    assert not story.told("shown")


def test_turning_over_and_moving(story):
    story.play("y/o@C3", "y/o@A2", "~C3", "A2-A4")
    assert story.moves() == ["y/o@C3", "y/o@A2", "~C3", "A2-A4"]
    assert [e["c"] for e in story.told("shown")] == ["o", "o", "y", "o"]


def test_putting_back_is_no_move(story):
    story.play("y/o@C3", "y/o@A2").forget()
    story.lift("C3").put("C3", "y")
    assert story.moves() == [] and story.state == "TURN" and not story.told("illegal")
    story.lift("1o/r").put("b1", "r")  # a rack stick may come back either end up
    assert story.moves() == [] and story.state == "TURN" and not story.told("illegal")


def test_a_moved_stick_keeps_its_end_up(story):
    story.play("y/o@C3", "y/o@A2").forget()
    story.move("1y/o", "D4", "o")
    assert story.state == "DESYNC" and story.moves() == []
    assert story.told("desync")[-1]["turn"] == [story.table.square_name(story.square("D4"))]
    assert story.role("D4") == "t"
    story.move("1y/o", "D4", "y")
    assert story.moves() == ["C3-D4"] and story.told("desync")[-1]["turn"] == []


def test_the_wild_waits_for_the_other_six(story):
    story.lift("1w/k")
    assert story.state == "DESYNC" and "waits for the other six" in story.told("illegal")[0]["why"]
    story.put("g1", "w")
    assert story.state == "TURN"
    assert story.role("g1") == "."


def test_a_whole_line_wins_and_glows(story):
    story.play("y/o@B1", "o/y@A2", "y/g@C1", "b/p@A3", "r/o@E4", "y/g@D1")
    result = story.told("result")[0]
    assert result["by"] == "win" and result["ranking"] == [2, 1] and result["line"] == ["B1", "C1", "D1"]
    assert story.state == "OVER" and story.lit("w") == {"B1", "C1", "D1"}
    assert "Dark wins" in story.display()


# Wrong things that people do


def test_lifting_the_opponents_stick(story):
    story.lift("2y/o")
    assert story.state == "DESYNC" and story.told("illegal")[0]["why"] == "it is the turn of Light"
    assert story.lit("p") == {"a8"} and "Put it back" in story.display()
    story.put("a8", "y")
    assert story.state == "TURN" and story.told("desync")[-1] | {"at": 0} == {
        "t": "desync",
        "take": [],
        "put": [],
        "turn": [],
        "at": 0,
    }
    assert story.moves() == []


def test_playing_out_of_turn(story):
    story.move("2y/o", "C3", "y")
    assert story.state == "DESYNC" and story.lit("x") == {"C3"} and story.lit("p") == {"a8"}
    story.move("2y/o", "a8", "y")
    assert story.state == "TURN" and story.moves() == []


def test_two_own_sticks_at_once_are_asked_for_by_their_visible_colours(story):
    story.play("y/o@C3", "y/o@A2", "r/o@B2", "b/p@E2").forget()
    story.lift("C3").lift("B2")
    assert story.state == "DESYNC" and story.lit("p") == {"C3", "B2"}
    story.put("C3", "y", "1y/o").put("B2", "r", "1o/r")
    assert story.state == "PENDING" and story.lit("c") == {"C3", "B2"}
    assert "yellow in C3" in story.text and "red in B2" in story.text
    assert "orange" not in story.text  # hidden under both
    story.wait(300).press(OK)
    assert story.state == "TURN" and story.moves() == []


def test_a_button_held_since_before_the_question_is_no_answer(story):
    story.play("y/o@C3", "y/o@A2", "r/o@B2", "b/p@E2").forget()
    story.lift("C3").lift("B2").put("C3", "y", "1y/o").wait(300, OK)
    story.board[story.square("B2")] = story.hand.pop()
    story.wait(900, OK).wait(100)
    assert story.state == "PENDING"
    story.wait(900, OK).wait(100)
    assert story.state == "TURN"


def test_two_sticks_exchanged_are_changed_back(story):
    story.play("y/o@C3", "y/o@A2", "o/r@B2", "b/p@E2").forget()
    story.lift("C3").lift("B2").put("B2", "y", "1y/o").put("C3", "o", "1o/r")
    assert story.state == "PENDING" and "yellow in C3" in story.text  # people see orange there
    story.wait(300).press(UNDO)
    assert story.state == "PENDING"
    story.lift("C3").lift("B2").put("B2", "o", "1o/r").put("C3", "y", "1y/o").wait(300).press(OK)
    assert story.state == "TURN"
    story.play("C3-D4")
    assert story.moves() == ["C3-D4"]


def test_sticks_that_look_alike_are_told_apart_by_their_pole(story):
    story.play("y/o@C3", "b/p@A2", "y/g@B2", "o/r@E2").forget()  # light shows two yellows
    story.lift("C3").lift("B2").put("B2", "y", "1y/o").put("C3", "y", "1g/y")
    assert story.state == "DESYNC" and "Exchange C3 and B2" in story.display() + story.text
    story.lift("C3").lift("B2").put("C3", "y", "1y/o").put("B2", "y", "1g/y").wait(300).press(OK)
    assert story.state == "TURN"


def test_own_and_opponents_stick_at_once(story):
    story.play("y/o@C3", "y/o@A2").forget()
    story.lift("C3").lift("A2").put("A2", "y", "1y/o").put("C3", "y", "2y/o")
    assert story.state == "PENDING"
    assert "Light yellow in C3" in story.text and "Dark yellow in A2" in story.text


def test_a_stick_dropped_on_the_way_lies_where_it_fell_until_taken(story):
    story.lift("1y/o").put("h4", "y")
    assert story.state == "DESYNC" and story.lit("x") == {"h4"}
    story.move("1y/o", "C3", "y")
    assert story.moves() == ["y/o@C3"]


def test_sliding_across_a_hole_plays_only_where_it_ends(story):
    story.play("y/o@A3", "y/o@A2").forget()
    width = story.config["width"]
    start = story.square("A3")
    stick = story.board.pop(start)
    # 40 mm/s across B3 to C3: the field of a magnet between two squares, a Gaussian of 4 mm beside its axis
    peak = story.config["kernel"][0][0] * (1 if stick.pole == 1 else -1)
    for step in range(0, 200):
        at_mm = 40 * 0.005 * step
        story.sources = None
        story.measure()
        for square in range(3):
            off = (at_mm - 20 * square) / 4
            story.readings[start + square] += round(peak * 2.718281828 ** (-off * off / 2))
        story.now += 5
        story.table.step(story.now, story.readings, 0, [])
        story.log.extend(story.table.events)
        assert start // width == (start + 2) // width
    story.board[start + 2] = stick
    story.sources = None
    story.wait(200)
    assert story.moves() == ["A3-C3"] and not story.told("undo")


def test_a_stick_that_halted_on_its_way_is_played_on(story):
    story.play("y/o@A3", "y/o@A2").forget()
    story.move("1y/o", "B3", "y")
    assert story.moves() == ["A3-B3"]
    story.lift("B3").put("C3", "y")
    assert story.moves() == ["A3-B3", "A3-C3"] and [e["m"] for e in story.told("undo")] == ["A3-B3"]
    assert story.state == "TURN" and story.table.referee.game.turn == 1


def test_a_later_change_of_mind_is_asked(story):
    story.play("y/o@A3", "y/o@A2", "A3-B3").wait(2000).forget()
    story.lift("B3")
    assert story.state == "LIFTED" and story.role("A3") == "p"
    story.put("C3", "y")
    assert story.state == "PENDING" and story.moves() == []
    story.wait(300).press(OK)
    assert story.moves() == ["A3-C3"] and [e["m"] for e in story.told("undo")] == ["A3-B3"]


def test_a_stick_taken_off_the_board_is_asked_for(story):
    story.play("y/o@C3", "y/o@A2").forget()
    story.lift("C3").wait(60000)
    assert story.state == "LIFTED" and story.role("C3") == "s"
    story.put("C3", "y")
    assert story.state == "TURN" and story.moves() == []


def test_a_sleeves_magnet(story):
    story.foreign[story.square("C3")] = 1
    story.wait(200)
    assert story.state == "DESYNC" and story.lit("x") == {"C3"} and story.moves() == []
    story.foreign.clear()
    story.wait(100)
    assert story.state == "TURN"


def test_a_sleeves_magnet_while_a_stick_is_carried(story):
    story.lift("1y/o")
    story.foreign[story.square("B2")] = 1
    story.wait(30)
    story.foreign.clear()
    story.wait(100).put("C3", "y")
    assert story.moves() == ["y/o@C3"]


def test_nudging(story):
    story.play("y/o@C3", "y/o@A2").forget()
    square = story.square("C3")
    stick = story.board.pop(square)
    story.wait(30)
    story.board[square] = stick
    story.wait(100)
    assert story.state == "TURN" and story.moves() == [] and not story.told("illegal")


def test_a_jolt_of_the_table_asks_nothing(story):
    story.play("y/o@C3", "y/o@A2").forget()
    before = dict(story.board)
    story.board.clear()
    story.wait(40)
    story.board.update(before)
    story.wait(100)
    assert story.state == "TURN" and story.moves() == []


def test_a_rack_stick_into_another_rack_hole(story):
    story.play("y/o@C3", "y/o@A2").forget()
    story.move("1o/r", "a1", "o")
    assert story.state == "DESYNC"
    assert story.told("illegal")[0]["why"] == "a stick goes from its rack into a hole"
    story.move("1o/r", "b1", "o")
    assert story.state == "TURN" and story.moves() == []


def test_a_stick_of_the_board_back_to_the_rack(story):
    story.play("y/o@C3", "y/o@A2", "o/r@B2", "b/p@E2").forget()
    story.move("1y/o", "a1", "y")
    assert story.state == "DESYNC" and story.told("illegal")[0]["why"] == "a stick stays on the board"
    story.move("1y/o", "C3", "y")
    assert story.state == "TURN"


def test_after_the_end_nothing_counts(story):
    story.play("y/o@B1", "o/y@A2", "y/g@C1", "b/p@A3", "r/o@E4", "y/g@D1").forget()
    story.move("1r/p", "C3", "r")
    story.move("2r/p", "D3", "r")
    assert story.state == "OVER" and story.durable() == []


# Taking back


def test_undo_is_guided_ply_by_ply(story):
    story.play("y/o@C3", "y/o@A2", "C3-D4", "~A2").wait(2000).forget()
    story.press(UNDO)
    assert story.state == "DESYNC" and story.lit("t") == {"A2"}
    assert "orange" not in story.display() and "yellow" not in story.display()
    story.move("2y/o", "A2", "y")
    assert [e["m"] for e in story.told("undo")] == ["~A2"] and story.state == "TURN"
    story.press(UNDO).press(UNDO)
    assert story.lit("x") == {"D4", "A2"} and "C3" in story.lit("p")
    story.lift("A2")
    assert story.lit("p") == {"a8"}  # a rack hole is told once its stick is in hand
    story.put("a8", "y").move("1y/o", "C3", "y")
    assert [(e["m"], e["ply"]) for e in story.told("undo")[1:]] == [("C3-D4", 2), ("y/o@A2", 1)]
    assert story.table.referee.game.turn == 1 and story.state == "TURN"


def test_undo_does_not_tell_what_is_hidden(story):
    story.play("y/o@C3", "o/y@A2").wait(2000).forget()
    story.press(UNDO).press(UNDO)
    told = [e for e in story.log if e[1].get("t") in ("state", "desync", "lights", "panel")]
    assert not any("orange" in str(e) or "a1" in str(e) for e in told)
    assert story.lit("p") == set()
    story.press(OK)
    assert story.state == "TURN" and story.told("undo") == []


def test_undo_names_no_rack_hole_of_a_stick_that_was_in_hands_and_stands_again(story):
    story.play("y/o@C3", "y/o@A2", "r/o@B2", "b/p@E2").wait(2000).forget()
    story.lift("B2").lift("E2").put("D5", "b", "2p/b").put("D4", "r", "1o/r")  # which is which it cannot know
    story.press(UNDO).wait(500)
    assert story.lit("x") == {"D5", "D4"} and "d8" not in story.lit("p")
    told = [e for e in story.told("desync") + story.told("state") if "d8" in str(e) or "purple" in str(e)]
    assert told == []
    story.lift("D5")
    assert "d8" in story.lit("p")
    story.put("d8", "b").move("D4", "B2", "r").wait(300).press(OK)
    assert story.state == "TURN" and [e["m"] for e in story.told("undo")] == ["b/p@E2"]


def test_undo_with_a_stick_in_the_air(story):
    story.play("y/o@C3", "y/o@A2").forget()
    story.lift("C3").press(UNDO)
    assert story.state == "DESYNC"
    story.put("C3", "y").lift("A2").put("a8", "y")
    assert story.state == "TURN" and [e["m"] for e in story.told("undo")] == ["y/o@A2"]


def test_the_last_move_is_taken_back_by_hand(story):
    story.play("y/o@C3", "y/o@A2").wait(2000).forget()
    story.lift("A2")
    assert story.state == "LIFTED" and story.role("a8") == "p"
    story.put("a8", "o")
    assert [e["m"] for e in story.told("undo")] == ["y/o@A2"]
    story.play("o/y@B2", "~C3").wait(2000).forget()
    story.move("1y/o", "C3", "y")
    assert [e["m"] for e in story.told("undo")] == ["~C3"] and story.state == "TURN"


def test_a_win_is_taken_back(story):
    story.play("y/o@B1", "o/y@A2", "y/g@C1", "b/p@A3", "r/o@E4", "y/g@D1").forget()
    story.press(UNDO)
    story.move("2g/y", "f8", "g")
    assert [e["m"] for e in story.told("undo")] == ["y/g@D1"] and story.state == "TURN"
    story.play("g/y@D1")
    assert story.told("result") == []


def test_nothing_to_take_back(story):
    story.press(UNDO)
    assert story.state == "TURN" and "Nothing to take back" in story.display()


# Hints, the open form, the host


def test_hint_lights_where_three_visible_colours_would_meet(story):
    story.play("y/o@B1", "o/y@A2", "y/g@C1", "b/p@A3")
    story.press(HINT)
    assert story.lit("a") == {"D1"}
    story.wait(3100)
    assert story.lit("a") == set()


def test_open_form_names_both_colours():
    story = Story()
    story.send(c="new", g="tau", opt={"open": True, "starter": 1})
    story.rack_up(150)
    story.play("y/o@C3", "y/o@A2").wait(2000)
    story.lift("C3")
    assert "yellow/orange" in story.text


def test_the_hosts_move_is_shown_and_only_it_is_taken(story):
    story.send(c="seat", s=1, by="host", name="greedy")
    assert "greedy thinks" in story.text and story.lit("g") == set()
    story.lift("1y/o")
    assert story.told("illegal")[-1]["why"] == "wait for the move of greedy"
    story.put("a1", "y")
    assert story.send(c="play", m="o/r@C3") == {"re": 99, "ok": True}
    assert story.lit("a") == {"b1", "C3"} and "orange up" in story.display()
    story.move("1o/r", "D3", "o")
    assert story.moves() == [] and "asked is" in story.told("illegal")[-1]["why"]
    story.move("1o/r", "C3", "o")
    assert story.moves() == ["o/r@C3"]
    assert story.send(c="play", m="o/r@C3")["err"]


def test_a_stick_that_stands_askew_counts_and_is_to_be_straightened(story):
    story.lift("1y/o")
    square = story.square("C3")
    stick = story.hand.pop()
    story.foreign[square] = 0.34  # 11 mT: over the threshold, under what a seated stick reads
    story.wait(200)
    assert story.moves() == ["y/o@C3"]
    story.wait(2200)
    assert story.role("C3") == "f" and story.state == "TURN"
    story.foreign.clear()
    story.board[square] = stick
    story.wait(1200)
    assert story.role("C3") == "l" and story.moves() == ["y/o@C3"]


def test_menu_takes_the_seat_back_from_a_lost_host(story):
    story.send(c="seat", s=1, by="host", name="gone")
    story.press(MENU)
    while ">Host leaves" not in story.display():
        story.press(HINT)
    story.press(OK)
    assert story.text == "Light to move."
    story.play("y/o@C3")
    assert story.moves() == ["y/o@C3"]


# Sensors that die


def menu(story, *choices):
    """Opens the menu and chooses items by the beginning of their text."""
    story.press(MENU)
    for choice in choices:
        for _ in range(12):
            if any(line.startswith(">" + choice) for line in story.table.panel.lines):
                break
            story.press(HINT)
        story.press(OK)
    return story


@pytest.mark.parametrize("where", ["C3", "D5", "g1", "a1", "h4"])
@pytest.mark.parametrize("counts", [0, 4095])
def test_a_sensor_that_dies_is_no_move_and_play_goes_on_without(story, where, counts):
    story.play("y/o@C3", "b/p@A2").forget()
    story.stuck[story.square(where)] = counts
    story.wait(1500)
    assert story.state == "TURN" and story.durable() == [] and len(story.told("error")) == 1
    assert "No sensor" in story.display()
    story.play("r/o@E4", "y/g@D1")
    assert story.moves() == ["r/o@E4", "y/g@D1"] and story.state == "TURN"
    if where == "D5":
        story.lift("2o/r")
        story.put("a8" if story.at("a8") is None else "b8")
        story.lift("1g/y")
        assert "D5" not in story.lit("g") and "D4" in story.lit("g")
        story.put("f1")
        assert story.send(c="play", m="g/y@D5")["err"] == "no sensor answers at D5"
    del story.stuck[story.square(where)]
    story.wait(3000)  # it answers again
    assert story.state == "TURN" and not story.table.squares.muted


@pytest.mark.parametrize("where, counts, item", [
    ("D5", 2900, "Ignore sensor D5"), ("h4", 1200, "Ignore sensor h4"), ("C3", 2048, "Ignore sensor C3"),
    ("g1", 2048, "Ignore sensor r7"), ("a1", 2900, "Ignore sensor r1"),
])  # fmt: skip
def test_a_sensor_that_lies_can_be_ignored(story, where, counts, item):
    story.play("y/o@C3", "b/p@A2").forget()
    story.stuck[story.square(where)] = counts
    story.wait(2000)
    assert story.state in ("DESYNC", "LIFTED") and story.moves() == []
    menu(story, item, "Yes").wait(100)
    assert story.state == "TURN" and "No sensor" in story.display()
    story.play("r/o@E4", "y/g@D1")
    assert story.moves() == ["r/o@E4", "y/g@D1"]
    del story.stuck[story.square(where)]
    menu(story, "Heed").wait(500)
    assert story.state == "TURN" and "No sensor" not in story.display()


def test_a_game_begins_and_resumes_with_a_dead_sensor():
    story = Story()
    story.stuck[story.square("c1")] = 0
    story.send(c="new", g="tau", opt={"starter": 1})
    story.rack_up(300)
    assert story.state == "TURN" and "c1" not in story.lit("g") and "b1" in story.lit("g")
    again = Story()
    again.stuck[again.square("C3")] = 4095
    again.table.resume({"g": "tau", "opt": {"starter": 1}, "moves": ["1:y/o@C3"]})
    again.rack_up()
    again.board[again.square("C3")] = again.board.pop(again.square("a1"))
    again.wait(200).press(OK)
    assert again.state == "TURN"
    again.play("y/o@A2", "r/p@B2")
    assert again.moves() == ["y/o@A2", "r/p@B2"]
