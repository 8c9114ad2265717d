"""Reviews: games of a log under the rules, what happened in them, what was lost, pictures."""

import io
import json
import random
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lodeboard import records
from lodeboard.cli.main import run
from lodeboard.log.collect import collect
from lodeboard.review import draw_tau, show
from lodeboard.review.games import games
from lodeboard.review.step import KEYS, frames, keys, picture
from logs import Story, record
from rich.console import Console

import shared_rules

OPENING = ("1:y/o@C3", "2:r/p@B2", "1:g/b@D4", "2:C3-A2")


def review(story):
    log = collect(io.BytesIO(story.capture()))
    return log, games(log.events)


def reviewed(tmp_path, capsys, story, *options):
    """(exit status, what --json printed) of `lodeboard review`."""
    status = run(["review", story.save(tmp_path / "t.jsonl"), "--json", *options])
    return status, json.loads(capsys.readouterr().out)


def test_every_golden_game_comes_back_as_its_record():
    for line in range(4):
        kept = record("tau", line)
        _, (game,) = review(Story().game(kept))
        assert game.fault is None and game.broken is None
        again = game.record()
        assert all(again[key] == kept[key] for key in ("game", "moves", "legal", "ranking"))
        assert game.result["ranking"] == kept["ranking"]


def test_thinking_times_come_from_the_board_s_clock():
    story = Story().setup().add("move", 2500, g="tau", s=1, m="y/o@C3", ply=1)
    story.add("state", 100, s="PAUSED", seat=2, ply=1, text="").add(
        "state", 60000, s="TURN", seat=2, ply=1, text=""
    )
    story.add("move", 400, g="tau", s=2, m="r/p@B2", ply=2)
    _, (game,) = review(story)
    assert [(move["think_ms"], move["at_least"]) for move in game.moves] == [(2500, False), (500, False)]


def test_a_power_cut_makes_a_time_a_lower_bound():
    story = Story().setup().moves("1:y/o@C3").add("lift", 700, q="a1", p="n")
    story.at = 0
    story.add("note", 20, what="start", boot=2).add("note", 5000, what="resume", ply=1)
    story.add("move", 300, g="tau", s=2, m="r/p@B2", ply=2)
    _, (game,) = review(story)
    assert game.count("power") == 1
    move = game.moves[1]
    assert move["at_least"] and 300 <= move["think_ms"] <= 6000
    assert game.replayable and len(game.rules.history) == 2


def test_logs_of_two_boards_are_told_apart():
    """Neither the other board's clock nor its moves say anything about an open game."""
    first = Story().setup().moves(*OPENING[:3])
    second = Story().setup().moves(*OPENING[:2])
    second.events[0].update(jid="j2", serial="8", at=0)
    data = first.capture() + second.capture()
    log = collect(io.BytesIO(data))
    found = games(log.events)
    assert [len(game.moves) for game in found] == [3, 2] and log.losses == []
    assert [game.count("power") for game in found] == [0, 0]
    torn = data.replace(b'"t":"setup"', b'"t":"sotup"')  # their setups do not fit their checks any more
    assert [len(game.moves) for game in games(collect(io.BytesIO(torn)).events)] == [3, 2]


def test_take_backs_leave_the_line_of_play():
    story = Story().setup().moves("1:y/o@C3", "2:r/p@B2").undo(2, "r/p@B2", 1).undo(1, "y/o@C3", 0)
    story.moves("1:y/o@D4", "2:r/p@B3")
    _, (game,) = review(story)
    assert [move["move"] for move in game.moves] == ["y/o@D4", "r/p@B3"]
    assert game.count("undo") == 2 and game.count("move") == 4 and game.replayable
    assert game.position(1).stick_at(draw_tau.HOLES.index("D4"))


def test_a_result_that_was_taken_back_is_none():
    kept = record()
    seat, last = kept["moves"][-1].split(":")
    story = Story().game(kept).undo(int(seat), last, len(kept["moves"]) - 1)
    _, (game,) = review(story)
    assert game.result is None and game.replayable and game.rules.turn == int(seat) - 1


def test_illegal_tries_and_desyncs_are_in_the_timeline(tmp_path, capsys):
    story = Story().setup().moves("1:y/o@C3")
    story.add("illegal", why="this is not your stick", q=["c3"], m="~C3")
    story.add("desync", take=["c3"], put=[], turn=[]).add("desync", take=["c3"], put=["a1"], turn=[])
    story.add("desync", 3000, take=[], put=[], turn=[]).add("error", what="it hurts")
    status, said = reviewed(tmp_path, capsys, story)
    (game,) = said["games"]
    assert status == 0 and (game["illegal"], game["desyncs"]) == (1, 1)
    desync = next(entry for entry in game["timeline"] if entry["kind"] == "desync")
    assert desync["put"] == ["a1"] and desync["mended_ms"] == 4000
    assert run(["review", str(tmp_path / "t.jsonl")]) == 0
    shown = capsys.readouterr().out
    assert "illegal try ~C3: this is not your stick (c3)" in shown
    assert "take away c3; put back a1; mended after 4.0 s" in shown
    assert "the board reports: it hurts" in shown


@pytest.mark.parametrize(
    "moves, ply, why",
    [
        (OPENING, 4, "C3 is the opponent's"),
        (("1:y/o@C3", "1:r/p@B2"), 2, "seat 2's turn"),
        (("1:w/k@C3",), 1, "waits for the other six"),
        (("1:y/b@C3",), 1, "no stick"),
        (("1:nonsense",), 1, "no move of Tau"),
    ],
)
def test_an_illegal_move_in_a_log_is_named(tmp_path, capsys, moves, ply, why):
    status, said = reviewed(tmp_path, capsys, Story().setup().moves(*moves))
    fault = said["games"][0]["fault"]
    assert status == 1 and fault["ply"] == ply and fault["move"] == moves[-1][2:] and fault["line"] == ply + 3
    assert why in fault["why"]
    assert run(["review", str(tmp_path / "t.jsonl")]) == 1
    assert f"Against the rules: game 1, line {ply + 3}, ply {ply}" in capsys.readouterr().out


def test_a_result_against_the_rules_is_named():
    kept = record()
    _, (game,) = review(Story().game({**kept, "ranking": kept["ranking"][::-1]}))
    assert "the rules" in game.fault["why"]
    _, (game,) = review(Story().game({**kept, "moves": kept["moves"][:-1]}))
    assert "it goes on" in game.fault["why"]


def test_resignation_and_abandonment_need_no_win():
    for by, ranking in (("resign", [2, 1]), ("abandon", None)):
        story = (
            Story().setup().moves(*OPENING[:2]).add("result", g="tau", ranking=ranking, scores=None, by=by)
        )
        _, (game,) = review(story)
        assert game.fault is None and game.result["by"] == by and "ranking" not in game.record()


def test_a_game_of_unknown_rules_is_named(tmp_path, capsys):
    for options in ({"colour": "blue"}, {"starter": 9}, {"snapshot": {}}, {"players": "two"}):
        status, said = reviewed(tmp_path, capsys, Story().setup(**options).moves("1:y/o@C3"))
        assert status == 1 and said["games"][0]["fault"]["ply"] == 0
    status, said = reviewed(tmp_path, capsys, Story().setup("chess"))
    assert "unknown game chess" in said["games"][0]["fault"]["why"]


# What was lost


def test_a_lost_setup_is_assumed_when_the_first_move_is_there():
    log, (game,) = review(Story().setup().moves(*OPENING[:3]).without(1))
    assert game.assumed and game.replayable and game.known == 3


def test_a_lost_beginning_is_told():
    log, (game,) = review(Story().setup().moves(*OPENING[:3]).without(1, 2))
    assert "beginning" in game.broken and [move["ply"] for move in game.moves] == [2, 3] and game.known == 0


def test_lost_moves_end_the_known_positions(tmp_path, capsys):
    kept = record()
    story = Story().game(kept).without(12, 13)
    status, said = reviewed(tmp_path, capsys, story)
    (game,) = said["games"]
    assert status == 0 and "missing after ply 10" in game["broken"] and game["known"] == 10
    assert [(loss["from"], loss["to"]) for loss in said["lost"]] == [(12, 13)]
    assert [move["ply"] for move in game["moves"]] == [*range(1, 11), *range(13, len(kept["moves"]) + 1)]
    assert run(["review", str(tmp_path / "t.jsonl"), "--ply", "10"]) == 0
    assert "Seat 1" in capsys.readouterr().out
    assert run(["review", str(tmp_path / "t.jsonl"), "--ply", "11"]) == 2
    assert "--ply goes up to 10" in capsys.readouterr().err


def test_one_lost_take_back_is_concluded():
    story = Story().setup().moves("1:y/o@C3", "2:r/p@B2").undo(2, "r/p@B2", 1).moves("2:r/p@B3", first=2)
    _, (game,) = review(story.without(4))
    assert game.replayable and [move["move"] for move in game.moves] == ["y/o@C3", "r/p@B3"]
    assert any(entry.get("inferred") for entry in game.timeline)


def test_one_lost_note_is_nothing():
    story = Story().setup().moves("1:y/o@C3").add("note", what="resume", ply=1).moves("2:r/p@B2", first=2)
    _, (game,) = review(story.without(3))
    assert game.replayable and game.known == 2


@given(st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_any_cut_of_any_capture_still_reviews(seed):
    chance = random.Random(seed)
    story = Story().game(record("tau", chance.randrange(4))).game(record("tau", chance.randrange(4)))
    data = story.capture()
    start = chance.randrange(len(data))
    data = data[start : start + chance.randrange(len(data))]
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(data) + 1)
        data = data[:at] + bytes(chance.randrange(256) for _ in range(chance.randrange(30))) + data[at:]
    log = collect(io.BytesIO(data))
    for game in games(log.events):
        assert game.fault is None
        json.dumps(game.summary())
        if game.known:
            game.position(game.known)
            assert records.replay(game.record())["plies"] == game.known


@given(st.lists(st.integers(0, 200), max_size=8), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_events_in_any_disorder_still_review(dropped, seed):
    story = Story().game(record()).without(*dropped)
    random.Random(seed).shuffle(story.events)
    log, found = review(story)
    for game in found:
        json.dumps(game.summary())
        if game.known:
            assert len(game.position(game.known).history) == game.known


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)
EVERYTHING = (
    Story()
    .setup()
    .moves("1:y/o@C3", "2:r/p@B2")
    .undo(2, "r/p@B2", 1)
    .add("illegal", why="no", q=["a1"], m="~C3")
    .add("desync", take=["a1"], put=[], turn=[], more=True)
    .add("desync", take=["a1"], put=["a2"], turn=[])
    .add("desync", take=[], put=[], turn=[])
    .add("state", s="PAUSED", seat=2, ply=1, text="")
    .add("note", what="start", boot=2)
    .add("shown", q="a1", c="y")
    .add("error", what="it hurts")
    .add("result", g="tau", ranking=[2, 1], scores=None, by="resign")
    .events
)


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9), JSON), max_size=4))
@settings(max_examples=120, deadline=None)
def test_whatever_a_log_says_is_reviewed_or_refused(changes):
    events = [dict(event) for event in EVERYTHING]
    for which, key, value in changes:
        event = events[which % len(events)]
        event[sorted(event)[key % len(event)]] = value
    data = "".join(json.dumps({"h": 1.5, **event}) + "\n" for event in events)
    log = collect(io.BytesIO(data.encode()))
    found = games(log.events)
    console = Console(width=100, file=io.StringIO())
    show.overview(console, "x", log, found)
    for number, game in enumerate(found, 1):
        show.game_table(console, number, game)
        json.dumps(game.summary())
        if game.rules is not None:
            frames(game)
            game.record()
            game.position(game.known)
    show.standings(console, found)
    json.dumps(log.summary())


# The command


def test_records_that_verify_accepts(tmp_path, capsys):
    story = Story().game(record("tau", 1)).game(record("tau", 2))
    log, out = story.save(tmp_path / "t.jsonl"), str(tmp_path / "r.jsonl")
    assert run(["review", log, "--record", out]) == 0
    assert run(["verify", out]) == 0
    assert "2 games" in capsys.readouterr().out
    assert run(["review", log, "--game", "2", "--record", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["moves"] == record("tau", 2)["moves"]


def test_wrong_use(tmp_path, capsys):
    log = Story().game(record()).save(tmp_path / "t.jsonl")
    (tmp_path / "empty").write_text("Dear Sir\n")
    for arguments, words in (
        ([log, "--game", "2"], "There is one game in"),
        ([log, "--ply", "99"], "--ply goes up to 54"),
        ([str(tmp_path / "none")], "cannot be read"),
        ([str(tmp_path / "empty")], "holds no events of a Lodeboard"),
        ([log, "--svg", str(tmp_path / "no" / "x.svg")], "cannot be written"),
        ([log, "--step"], "--step needs a terminal"),
        ([log, "--game", "x"], "not a valid integer"),
    ):
        assert run(["review", *arguments]) == 2
        said = capsys.readouterr().err
        assert words in said and said.count("\n") == 1


def test_a_log_without_games_is_no_fault(tmp_path, capsys):
    assert run(["review", Story().save(tmp_path / "t.jsonl")]) == 0
    assert "no game" in capsys.readouterr().out


def test_matches_are_added_up(tmp_path, capsys):
    story = Story()
    for number in (1, 2, 3):
        story.game(record("tau", number), match=3, number=number)
    story.game(record("tau", 0))
    status, said = reviewed(tmp_path, capsys, story)
    wins = [0, 0]
    for number in (1, 2, 3):
        wins[record("tau", number)["ranking"][0] - 1] += 1
    assert [(match["games"], match["wins"]) for match in said["matches"]][0] == ([1, 2, 3], wins)
    assert said["matches"][1]["games"] == [4] and said["matches"][0]["scores"] is None
    assert run(["review", str(tmp_path / "t.jsonl")]) == 0
    assert f"Match of games 1 to 3: won by seat 1 {wins[0]}, seat 2 {wins[1]}" in capsys.readouterr().out


# Pictures


def test_svg_shows_covered_colours_only_on_request(tmp_path, capsys):
    log = Story().setup().moves("1:y/o@C3", "2:r/p@B2").save(tmp_path / "t.jsonl")
    game = shared_rules.load("tau")
    for text in ("y/o@C3", "r/p@B2"):
        game.play(game.parse(text))
    for hidden in (False, True):
        out = tmp_path / "p.svg"
        assert run(["review", log, "--svg", str(out), *(["--hidden"] if hidden else [])]) == 0
        tree = ET.fromstring(out.read_text())
        letters = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
        # Both ends of a stick in a rack are seen: o and p three times in all.
        assert letters.count("o") == 3 + hidden and letters.count("p") == 3 + hidden


def drawn(text):
    console = Console(width=80, file=io.StringIO(), color_system=None)
    console.print(text)
    return console.file.getvalue()


def test_the_board_as_text():
    game = shared_rules.load("tau")
    for text in ("y/o@C3", "r/p@B2", "C3-D4"):
        game.play(game.parse(text))
    plain, told = drawn(draw_tau.text(game)), drawn(draw_tau.text(game, True, game.history[-1][1]))
    assert "y1" in plain and "y/o" not in plain
    assert "(y/o1)" in told and "(.)" in told and "r/p2" in told
    assert "Seat 2 to move" in plain


def test_stepping_goes_through_moves_and_take_backs():
    story = Story().setup().moves("1:y/o@C3", "2:r/p@B2").undo(2, "r/p@B2", 1).moves("2:r/p@B3", first=2)
    _, (game,) = review(story)
    steps = frames(game)
    assert [len(moves) for _, moves in steps] == [0, 1, 2, 1, 2]
    assert "takes back r/p@B2" in steps[3][0]
    assert "r2" in drawn(picture(game, steps[2], False, "3/5"))


def test_keys_that_come_at_once_are_all_taken():
    assert keys("\x1b[C\x1b[C\x1bOD cq") == ["\x1b[C", "\x1b[C", "\x1b[D", " ", "c", "q"]
    assert keys("\x1b[4~\x1bOH") == ["\x1b[4~", "\x1bOH"] and all(key in KEYS for key in keys("\x1b[4~\x1bOH"))
    assert keys("\x1b") == ["\x1b"]


def test_stepping_ends_where_a_log_breaks():
    _, (game,) = review(Story().setup().moves(*OPENING, "1:r/p@A3"))
    assert [len(moves) for _, moves in frames(game)] == [0, 1, 2, 3]
