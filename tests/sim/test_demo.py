"""`lodeboard demo`: a match over a serial port into a log, the same on every engine."""

import json

import pytest
from click.testing import CliRunner
from lodeboard.cli.demo import command
from lodeboard.errors import LodeboardError


def demo(*args):
    return CliRunner().invoke(command, [str(a) for a in args], catch_exceptions=False)


def durable(path):
    events = [json.loads(line) for line in path.read_text().splitlines()]
    return [{k: v for k, v in e.items() if k != "h"} for e in events if "n" in e]


def test_a_demo_is_recorded_and_reviewed(tmp_path):
    log = tmp_path / "t.jsonl"
    outcome = demo("--seed", 7, "--log", log, "--json")
    assert outcome.exit_code == 0
    told = json.loads(outcome.stdout)
    assert told["seed"] == 7 and told["engine"] == "python" and told["lost"] == []
    (game,) = told["games"]
    events = durable(log)
    assert [m["move"] for m in game["moves"]] == [e["m"] for e in events if e["t"] == "move"]
    assert [e["n"] for e in events] == list(range(1, len(events) + 1))
    assert events[-1]["t"] == "result"


def test_one_seed_gives_one_game_on_both_engines(tmp_path):
    logs = {}
    for engine in ("python", "micropython"):
        log = tmp_path / f"{engine}.jsonl"
        assert demo("--seed", 5, "--engine", engine, "--errors", 0.3, "--log", log).exit_code == 0
        logs[engine] = durable(log)
    assert logs["python"] == logs["micropython"]
    assert [e for e in logs["python"] if e["t"] == "undo"]  # the mistakes were there


def test_another_seed_gives_another_game(tmp_path):
    games = []
    for seed in (2, 7):
        log = tmp_path / f"{seed}.jsonl"
        demo("--seed", seed, "--log", log)
        games.append([e["m"] for e in durable(log) if e["t"] == "move"])
    assert games[0] != games[1]


def test_a_match_of_two_games_of_calypso(tmp_path):
    log = tmp_path / "c.jsonl"
    outcome = demo("--seed", 3, "--games", 2, "--open", "--log", log, "--json")
    told = json.loads(outcome.stdout)
    assert [g["number"] for g in told["games"]] == [1, 2]
    assert all(g["options"]["open"] for g in told["games"])


def test_without_log_the_review_is_all_that_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = demo("--seed", 2)
    assert outcome.exit_code == 0 and "Result: seat" in outcome.stdout and "Simulated" in outcome.stdout
    assert not list(tmp_path.iterdir())


def test_players_that_go_on_for_ever_are_ended(monkeypatch, tmp_path):
    monkeypatch.setattr("lodeboard.sim.demo.PLIES", 8)
    log = tmp_path / "g.jsonl"
    assert demo("--seed", 7, "--player", "greedy", "--log", log).exit_code == 0
    assert durable(log)[-1]["by"] in ("resign", "win")


WRONG = {
    "game": (["--game", "taw"], "There is no game taw", "Did you mean tau?"),
    "engine": (["--engine", "micropyton"], "There is no engine micropyton", "Did you mean micropython?"),
    "board": (["--board", "lode9"], "There is no board lode9", "Did you mean lode8?"),
    "option": (["--edition", "2009"], "no option edition", "option"),
    "value": (["--players", "3"], "2 players", ""),
    "player": (["--player", "clever"], "clever", "random, greedy"),
    "players": (["--player", "random"] * 3, "3 players are named for 2 seats", "once a seat"),
    "layout": (["--game", "callisto", "--board", "lode8"], "lode8 has no layout for callisto", "lode16"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_wrong_choices_are_named(what):
    args, said, do = WRONG[what]
    with pytest.raises(LodeboardError) as caught:
        demo(*args)
    assert said in caught.value.what and do in str(caught.value) and caught.value.code == 2


def test_a_file_that_is_no_log_is_not_overwritten(tmp_path):
    precious = tmp_path / "thesis.txt"
    precious.write_text("do not lose me\n")
    with pytest.raises(LodeboardError, match="no log"):
        demo("--log", precious)
    assert precious.read_text() == "do not lose me\n"


def test_an_unwritable_log_is_named(tmp_path):
    with pytest.raises(LodeboardError, match="cannot be written|No such file"):
        demo("--log", tmp_path / "no" / "such" / "folder.jsonl")
