"""The table: matches, pause, power cuts, the menu, watching, latency, and the replay of a log."""

import json
import random

from guided import Careless, Honest
from lodeboard.firmware import replay
from lodeboard.firmware.lights import LETTERS
from lodeboard.firmware.table import Table
from story import CONFIG, HINT, MENU, OK, UNDO, Story

WIN = ("y/o@B1", "o/y@A2", "y/g@C1", "b/p@A3", "r/o@E4", "y/g@D1")  # the second to act wins


def finished(**new):
    story = Story()
    story.send(c="new", g="tau", **new)
    story.rack_up(150)
    story.play(*WIN)
    assert story.state == "OVER"
    return story


# Games and matches


def test_the_lot_is_the_seeds_and_falls_both_ways():
    starters = set()
    for seed in range(8):
        story = Story(seed)
        story.rack_up(150)
        first = story.told("setup")[0]
        starters.add(first["opt"]["starter"])
        again = Story(seed)
        again.rack_up(150)
        assert again.told("setup")[0] == first
    assert starters == {1, 2}


def test_the_loser_starts_the_next_game_of_the_match():
    story = finished(opt={"starter": 1}, games=3).forget()
    story.press(OK)
    assert story.state == "SETUP" and story.table.referee.game.turn == 0
    Honest(story, random.Random(1)).restore()
    setup = story.told("setup")[0]
    assert (setup["game"], setup["match"], setup["opt"]["starter"]) == (2, 3, 1)
    story.play(*WIN).press(OK)
    Honest(story, random.Random(1)).restore()
    assert story.told("setup")[1]["game"] == 3
    story.play(*WIN).press(OK)
    Honest(story, random.Random(1)).restore()
    assert story.told("setup")[2]["game"] == 1  # a new match


def test_setup_of_the_next_game_knows_the_sticks():
    story = finished(opt={"starter": 1})
    story.press(OK)
    story.lift("B1")
    assert story.lit("c") == {"a1"}  # only where this stick belongs
    story.put("f1", "y")
    assert "f1" in story.lit("x")
    Honest(story, random.Random(1)).restore()


def test_a_draw_changes_the_order():
    story = Story()
    story.send(c="new", opt={"starter": 1, "repetition": 2})
    story.rack_up(150)
    story.play("y/o@B1", "y/o@D5", "B1-C1", "D5-C5", "C1-B1", "C5-D5")
    result = story.told("result")[0]
    assert result["by"] == "draw" and result["ranking"] == [[1, 2]]
    story.press(OK)
    assert story.table.referee.game.options["starter"] == 2


def test_resigning():
    story = Story().set_up()
    assert story.send(c="resign", s=1) == {"re": 99, "ok": True}
    result = story.told("result")[0]
    assert result["by"] == "resign" and result["ranking"] == [2, 1]
    assert "Dark wins (resign)" in story.text
    story.press(UNDO)
    assert story.state == "OVER"  # nothing was moved that could be taken back
    story.press(OK)
    assert story.table.referee.game.options["starter"] == 1


def test_a_game_is_not_lost_to_new():
    story = Story().set_up()
    assert "open" in story.send(c="new")["err"]
    assert story.state == "TURN"
    assert story.send(c="new", force=True, opt={"starter": 2})["ok"]
    assert [e["by"] for e in story.told("result")] == ["abandon"]
    story.wait(100)
    assert story.told("setup")[-1]["opt"]["starter"] == 2 and story.state == "TURN"


def test_pause_ignores_hands_and_shows_what_changed():
    story = Story().set_up()
    story.play("y/o@C3").forget()
    story.send(c="pause", on=True)
    assert story.state == "PAUSED" and set(story.table.lights.letters()) == {"."}
    story.move("2y/o", "D3", "y")
    assert story.moves() == [] and story.state == "PAUSED"
    story.move("2y/o", "h4", "y").press(OK)
    assert story.state == "DESYNC" and story.lit("x") == {"h4"}
    story.move("2y/o", "a8", "y")
    assert story.state == "TURN"


# Power cuts


def record(story):
    """What the journal holds of the story's open game."""
    setup = dict([e for e in story.durable() if e["t"] == "setup"][-1])
    game = story.table.referee.game
    setup["moves"] = [f"{seat + 1}:{game.text(move)}" for seat, move in game.history]
    return setup


def after_power_cut(story):
    """The same board and hands with a new table that read the journal."""
    table = Table(CONFIG, 99)
    table.resume(record(story))
    again = Story(table=table)
    again.board, again.sticks, again.hand = story.board, story.sticks, story.hand
    return again


def test_power_cut_offers_to_resume_and_shows_what_differs():
    story = Story().set_up()
    story.play("y/o@C3", "b/p@A2")
    story.lift("1o/r")
    again = after_power_cut(story).wait(200)
    assert again.state == "PAUSED" and "resumes" in again.text and again.lit("p") == {"b1"}
    again.put("b1", "o")
    assert again.lit("p") == set()
    again.press(OK)
    assert again.state == "TURN" and [e["ply"] for e in again.told("note")] == [2]
    assert again.play("C3-D4").moves() == ["C3-D4"]


def test_resuming_with_a_move_half_made_guides_back():
    story = Story().set_up()
    story.play("y/o@C3", "b/p@A2")
    story.lift("1o/r")
    again = after_power_cut(story)
    again.put("B2", "o").press(OK)
    assert again.state == "DESYNC" and again.lit("x") == {"B2"}
    again.lift("B2").put("b1", "o")
    assert again.state == "PENDING"  # nobody saw where the stick came from
    again.wait(300).press(OK)
    assert again.state == "TURN" and again.moves() == []


def test_abandoning_after_a_power_cut():
    story = Story().set_up()
    story.play("y/o@C3")
    again = after_power_cut(story).wait(100)
    assert again.send(c="new")["err"]
    again.press(UNDO, 900)
    assert [(e["t"], e.get("what") or e["by"]) for e in again.durable()] == [
        ("note", "abandon"),
        ("result", "abandon"),
    ]
    assert again.state == "SETUP"


def test_a_journal_that_does_not_replay_is_told():
    table = Table(CONFIG, 1)
    table.resume({"t": "setup", "g": "tau", "opt": {}, "moves": ["1:y/o@C3", "2:y/o@C3"]})
    story = Story(table=table).wait(5)
    assert "does not replay" in story.told("error")[0]["what"]
    assert story.state == "SETUP"


def test_power_cut_at_any_moment():
    rnd = random.Random(5)
    story = Story().set_up()
    for _ in range(12):
        careless = Careless(story, rnd)
        for _ in range(3):
            careless.act()
        story.foreign.clear()
        if story.table.referee.phase != 1:
            break
        again = after_power_cut(story).wait(100)
        again.log[:0] = [(True, e) for e in story.durable() if e["t"] == "setup"][-1:]
        Honest(again, rnd).restore()
        story = again
    assert story.told("note")


# The panel's menu


def choose(story, text):
    for _ in range(12):
        if ">" + text in story.display():
            return story.press(OK)
        story.press(HINT)
    raise AssertionError(story.display())


def test_a_game_chosen_on_the_menu():
    story = Story()
    story.press(MENU)
    choose(story, "New game")
    choose(story, "Colours open: no")
    assert ">Colours open: yes" in story.display()
    choose(story, "Match: no end")
    choose(story, "Start")
    story.rack_up(150)
    setup = story.told("setup")[0]
    assert setup["opt"]["open"] is True and setup["match"] == 1


def test_menu_pauses_resigns_and_abandons():
    story = Story().set_up()
    choose(story.press(MENU), "Pause")
    assert story.state == "PAUSED"
    choose(story.press(MENU), "Go on")
    assert story.state == "TURN"
    choose(story.press(MENU), "Light resigns")
    choose(story, "No")
    choose(story, "Close")
    assert story.state == "TURN" and not story.told("result")
    choose(choose(story.press(MENU), "Abandon this game"), "Yes")
    assert story.told("result")[0]["by"] == "abandon"
    story.wait(200)
    who = story.table.seat_name(story.table.referee.game.turn)
    choose(choose(story.press(MENU), who + " resigns"), "Yes")
    assert story.told("result")[1]["by"] == "resign"


# Watching


def test_lights_and_panel_are_told_while_watched():
    story = Story().set_up()
    assert not story.told("lights") and not story.told("panel")
    story.send(c="watch", on=True)
    whole = story.told("lights")[0]
    assert whole["o"] == 0 and len(whole["m"]) == 64 and set(whole["m"]) <= set(LETTERS)
    assert story.told("panel")[0]["l"][1] == "Light to move."
    story.forget().lift("1y/o")
    assert "s" in story.told("lights")[-1]["m"]
    story.send(c="watch", on=False)
    story.forget().put("C3", "y")
    assert not story.told("lights")


def test_position_comes_in_parts():
    story = Story().set_up()
    rnd = random.Random(2)
    game = story.table.referee.game
    while len(game.history) < 45 and game.turn is not None:
        quiet = []
        for move in game.legal():
            game.play(move)
            if game.turn is not None:
                quiet.append(move)
            game.undo()
        game.play(quiet[rnd.randrange(len(quiet))])
    moves = []
    while True:
        part = story.send(c="position", **{"from": len(moves)})
        assert len(json.dumps(part)) < 480
        moves += part["moves"]
        if len(moves) == part["plies"]:
            break
        assert part["moves"]
    assert len(moves) == 45 and any("?" in move for move in moves)  # what is hidden stays so


# Time


def test_from_the_last_reading_that_changed_to_the_lights():
    """The stick's field is final at 0 ms; the lights of the next turn are up within 60 ms."""
    story = Story().set_up()
    worst = 0
    for text in ("y/o@C3", "y/o@A2", "C3-D4", "~A2", "~D4"):
        hole = text[-2:]
        if text[0] == "~":
            story.lift(hole).wait(100)
            stick = story.hand.pop()
            stick.pole = 3 - stick.pole
        else:
            seat = story.table.referee.game.turn + 1
            story.lift(f"{seat}{text[:3]}" if "@" in text else text[:2])
            stick = story.hand.pop()
        story.board[story.square(hole)] = stick
        ply = len(story.table.referee.game.history)
        before = story.now
        while len(story.table.referee.game.history) == ply:
            story.wait(5)
        assert story.state == "TURN"
        worst = max(worst, story.now - before)
    assert worst <= 60


def test_a_quiet_step_makes_nothing():
    story = Story().set_up()
    story.wait(3000).forget()
    events = story.table.events
    for _ in range(50):
        story.now += 5
        story.table.step(story.now, story.readings, 0, ())
    assert story.table.events is events and events == []


# The replay of a log


def assert_replays(story):
    events = [event for _, event in story.log]
    again = replay.replayed(CONFIG, events)
    durable = [{k: v for k, v in e.items() if k != "at"} for e in replay.replay(CONFIG, events)]
    assert durable == [{k: v for k, v in e.items() if k != "at"} for e in story.durable()]
    assert again.referee.game.snapshot() == story.table.referee.game.snapshot()
    assert (again.state, again.text) == (story.table.state, story.table.text)


def test_a_log_runs_the_core_again():
    for seed in range(4):
        rnd = random.Random(seed)
        story = Story(seed)
        story.rack_up(200)
        careless, honest = Careless(story, rnd), Honest(story, rnd)
        for _ in range(8):
            for _ in range(4):
                careless.act()
            honest.restore()
        assert story.durable()
        assert_replays(story)


def test_a_log_with_commands_runs_the_core_again():
    story = Story(3)
    story.send(c="new", opt={"starter": 2, "repetition": 3}, games=3)
    story.rack_up(150)
    story.send(c="seat", s=2, by="host", name="random")
    story.send(c="play", m="y/o@C3")
    story.play("y/o@C3", "b/p@A2")
    story.send(c="press", b="undo")
    story.wait(50).move("1p/b", "d1", "p")
    story.send(c="resign", s=1)
    story.press(OK)
    Honest(story, random.Random(1)).restore()
    story.send(c="abandon")
    story.wait(6000)
    assert [e["t"] for e in story.durable()] == [
        "setup",
        "move",
        "move",
        "undo",
        "result",
        "setup",
        "result",
        "setup",
    ]
    assert_replays(story)


def test_a_log_after_a_power_cut_runs_the_core_again():
    story = Story().set_up()
    story.play("y/o@C3", "b/p@A2").lift("1o/r")
    held = record(story)
    again = after_power_cut(story).wait(200)
    again.put("B2", "o").press(OK)
    again.lift("B2").put("b1", "o").wait(300).press(OK)
    again.play("C3-D4")
    events = [event for _, event in again.log]
    durable = replay.replay(CONFIG, events, held)
    assert [e.get("m") or e["what"] for e in durable] == ["resume", "C3-D4"]


def test_the_title_keeps_the_whole_number_of_the_ply():
    story = Story().set_up()
    table = story.table
    for match, number, plies in ((0, 1, 7), (0, 1, 183), (0, 12, 1234), (5, 3, 183), (99, 10, 99999)):
        table.match, table.game_number = match, number
        table.referee.game.history = [(0, 0)] * plies
        title = table.title()
        assert len(title) <= 21 and title.split()[-1] == str(plies), title
    assert Story().table.title() == "Tau 1          ply 0"
