"""Following a board: what is shown, what stays hidden, and the opponent that takes a seat."""

import io
import json

import pytest
from fake_board import FakeBoard, play_record, wait_for
from lodeboard import players
from lodeboard.board import Board
from lodeboard.cli.main import run
from lodeboard.follow import Follower, Opponent
from lodeboard.review import live
from logs import Story, record
from rich.console import Console


def followed(story, **options):
    follower = Follower(**options)
    for event in story.events:
        follower.take({"h": 100.0 + event["at"] / 1000, **event})
    return follower


class Offline:
    """A board that says and takes nothing."""

    port = "/dev/ttyACM0"
    hello = {"board": "lode8", "serial": "7", "sim": True}
    connected = True
    waiting = 0


def shown(follower, now=0.0, opponent=None):
    console = Console(width=100, file=io.StringIO(), color_system=None)
    console.print(live.picture(Offline, follower, opponent, None, now))
    return console.file.getvalue()


STORY = ("1:y/o@C3", "2:r/p@B2", "1:~C3")


def test_players_are_never_shown_a_covered_colour():
    screen = shown(followed(Story().setup().moves(*STORY)))
    assert "1:?/o@C3 2:r/?@B2 1:~C3" in screen
    assert "o1" in screen and "y1" not in screen and "o/y" not in screen and "r/p" not in screen
    line = live.Lines(None, followed(Story().setup().moves(*STORY[:1])), None)
    said = line.line({"h": 1.0, "t": "move", "g": "tau", "s": 1, "m": "y/o@C3", "ply": 1})
    assert "1:y/?@C3" in said and "o@" not in said


def test_a_spectator_sees_all_and_so_do_players_of_calypso():
    for follower in (
        followed(Story().setup().moves(*STORY), spectator=True),
        followed(Story().setup(open=True).moves(*STORY)),
    ):
        assert "1:y/o@C3 2:r/p@B2 1:~C3" in shown(follower)
    assert "o/y1" in shown(followed(Story().setup().moves(*STORY), spectator=True))


def test_the_announcement_is_shown_for_one_and_a_half_seconds():
    follower = followed(Story().setup().moves(STORY[0]).add("shown", q="c3", c="o"))
    told = 103.0
    assert "c3 hides o" in shown(follower, told + 1.4)
    assert "hides" not in shown(follower, told + 1.6)


def test_clocks_run_on_the_board_s_time():
    follower = followed(Story().setup().moves("1:y/o@C3", "2:r/p@B2").add("lift", 5000, q="a1", p="n"))
    assert follower.clocks(108.0) == [1000 + 5000, 1000]
    assert "> seat 1 0:06" in shown(follower, 108.0)


def test_the_board_s_sentence_a_result_and_a_lost_port_are_shown():
    story = Story().game(record()).add("state", s="OVER", seat=None, ply=54, text="Dark wins.")
    follower = followed(story)
    screen = shown(follower)
    assert "OVER: Dark wins." in screen and "Result: seat 2 wins" in screen and "simulated board" in screen
    Offline.connected = False
    try:
        assert "The connection is lost" in shown(follower)
    finally:
        Offline.connected = True


def opponent_at(board, seat=2):
    follower = Follower()
    return follower, Opponent(board, follower, seat, players.make("random", 1), "random")


def feed(board, follower, opponent, seconds=0.2):
    for event in board.events(seconds):
        follower.take(event)
        opponent.take(event)
    opponent.step()


def test_an_opponent_asks_for_a_legal_move_when_it_is_its_turn():
    with FakeBoard() as fake, Board(fake.name) as board:
        follower, opponent = opponent_at(board)
        fake.emit("setup", g="tau", opt={"starter": 1}, match=1, game=1, seed=7)
        fake.emit("state", s="TURN", seat=1, ply=0, text="")
        feed(board, follower, opponent)
        assert [command["c"] for command in fake.commands[1:]] == ["seat"]
        assert fake.commands[1] == {"c": "seat", "i": 2, "s": 2, "by": "host", "name": "random"}
        fake.emit("move", g="tau", s=1, m="y/o@C3", ply=1)
        fake.emit("state", s="TURN", seat=2, ply=1, text="")
        feed(board, follower, opponent)
        feed(board, follower, opponent)
        asked = [command["m"] for command in fake.commands if command["c"] == "play"]
        assert len(asked) == 1 and follower.rules.is_legal(follower.rules.parse(asked[0]))
        opponent.leave()
        assert fake.commands[-1]["by"] == "board"


def test_it_asks_again_after_a_take_back_a_restart_and_a_refusal():
    with FakeBoard() as fake, Board(fake.name) as board:
        follower, opponent = opponent_at(board)

        def asked():
            feed(board, follower, opponent)
            return sum(command["c"] == "play" for command in fake.commands)

        fake.emit("setup", g="tau", opt={"starter": 2}, match=1, game=1, seed=7)
        fake.emit("state", s="TURN", seat=2, ply=0, text="")
        assert asked() == 1
        fake.emit("move", g="tau", s=2, m="y/o@C3", ply=1)
        fake.emit("undo", g="tau", s=2, m="y/o@C3", ply=0)
        fake.emit("state", s="TURN", seat=2, ply=0, text="")
        assert asked() == 2
        fake.emit("note", what="start", boot=2)
        fake.emit("state", s="TURN", seat=2, ply=0, text="")
        assert asked() == 3
        assert sum(command["c"] == "seat" for command in fake.commands) == 2
        fake.answers["play"] = {"err": "a game waits to be resumed"}
        fake.emit("setup", g="tau", opt={"starter": 2}, match=1, game=2, seed=8)
        fake.emit("state", s="TURN", seat=2, ply=0, text="")
        asked()
        assert opponent.trouble == "A game waits to be resumed."
        assert "A game waits to be resumed." in shown(follower, opponent=opponent)


@pytest.mark.parametrize("kept", [False, True])
def test_the_command_follows_and_records(tmp_path, capsys, kept):
    log = tmp_path / "t.jsonl"
    with FakeBoard() as fake:
        play_record(fake, {**record(), "moves": record()["moves"][:6], "ranking": [1, 2]})
        if kept:
            assert run(["log", "--port", fake.name, str(log), "--until-result"]) == 0
        fake.emit("setup", g="tau", opt={"starter": 1}, match=2, game=2, seed=7)

        def end_it(command):
            fake.emit("result", g="tau", ranking=[2, 1], scores=None, by="resign")
            return {}

        fake.answers["play"] = end_it
        arguments = ["play", "--port", fake.name, "--seat", "1", "--log", str(log), "--until-result"]
        assert run(arguments) == 0
        wait_for(lambda: fake.acked == len(fake.journal))
    said = capsys.readouterr().out
    assert "setup tau, seat 1 starts" in said and "result: seat 2 wins by resignation" in said
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["n"] for line in lines if "n" in line] == list(range(1, len(fake.journal) + 1))
