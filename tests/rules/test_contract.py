"""Every game keeps the contract of shared_rules/game.py, on CPython and on MicroPython."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import contract_check
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lodeboard import micropython, records

import shared_rules

# game, options, seed, how many games on CPython and on MicroPython
TABLES = [
    ("tau", {}, 3, 12, 3),
    ("tau", {"open": True, "starter": 2}, 4, 4, 1),
    ("tau", {"repetition": 2}, 5, 6, 2),
    ("callisto", {"edition": "2009", "players": 2}, 6, 1, 0),
    ("callisto", {"edition": "2009", "players": 4, "teams": True}, 7, 1, 0),
    ("callisto", {"edition": "2014", "players": 2, "starter": 2}, 8, 2, 1),
    ("callisto", {"edition": "2014", "players": 3}, 9, 1, 0),
    ("castellers", {"players": 2, "seed": 0}, 10, 8, 2),
    ("castellers", {"players": 3, "seed": 0, "starter": 3}, 11, 6, 2),
    ("castellers", {"players": 4, "seed": 0}, 12, 6, 3),
]
NAMES = [f"{name}-{'-'.join(str(value) for value in options.values())}" for name, options, *_ in TABLES]


@pytest.mark.parametrize("table", TABLES, ids=NAMES)
def test_the_contract_holds_in_random_games(table):
    name, options, seed, games, _ = table
    checked = contract_check.check(name, dict(options), seed, games)
    assert checked >= 10 * games


@pytest.mark.parametrize("table", [t for t in TABLES if t[4]], ids=lambda t: f"{t[0]}-{t[2]}")
def test_the_contract_holds_on_micropython(table, tmp_path):
    name, options, seed, _, games = table
    records.stage_rules(tmp_path)
    program = shutil.copy(Path(__file__).with_name("contract_check.py"), tmp_path)
    done = subprocess.run(
        [*micropython.command(), "-X", "heapsize=2m", program, json.dumps([name, options, seed, games])],
        capture_output=True,
        text=True,
        env={**os.environ, "MICROPYPATH": f"{tmp_path}:.frozen"},
    )
    assert done.stdout.strip().isdigit(), done.stdout + done.stderr
    # The random numbers, the moves and so the positions are the same on both.
    assert int(done.stdout) == contract_check.check(name, dict(options), seed, games)


@pytest.mark.parametrize("name", shared_rules.GAMES)
def test_an_unknown_option_or_value_is_named(name):
    with pytest.raises(ValueError, match="sandwich"):
        shared_rules.load(name, sandwich=1)
    for bad in (0, 1, 9, -2, "two", 2.5, None, True, [2]):
        with pytest.raises(ValueError, match="players"):
            shared_rules.load(name, players=bad)
    for bad in (0, 7, "lot", 1.5, True):
        with pytest.raises(ValueError, match="starter"):
            shared_rules.load(name, starter=bad)


def test_an_unknown_game_is_named_with_those_that_exist():
    with pytest.raises(ValueError, match="chess.*tau, callisto, castellers"):
        shared_rules.load("chess")


@pytest.mark.parametrize("name", shared_rules.GAMES)
@pytest.mark.parametrize("snapshot", [7, {}, {"game": "go"}, {"game": "tau", "options": 3, "moves": []}])
def test_a_broken_snapshot_is_a_value_error(name, snapshot):
    with pytest.raises(ValueError, match="snapshot"):
        shared_rules.load(name, snapshot=snapshot)


# Texts that look like moves, and texts that do not.
PIECES = "yo@/~-=> .0123456789abcdefABCDErgbpwk,²\x00" + "٣"
WORDS = ["draw=", "draw", "fall ", "give ", "take ", "end", "r3", "w7", "@", "2.1", "C3", "~", "l11", ","]
TEXTS = st.one_of(st.text(), st.text(PIECES, max_size=12), st.lists(st.sampled_from(WORDS)).map("".join))


@pytest.mark.parametrize("name", shared_rules.GAMES)
@given(text=TEXTS)
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_move_or_an_illegal_move(name, text):
    game = GAMES[name]
    try:
        move = game.parse(text)
    except shared_rules.IllegalMove as why:
        assert len(str(why)) > 10 and "\n" not in str(why)
        return
    assert game.parse(game.text(move)) == move
    assert game.is_legal(move) in (True, False)


@pytest.mark.parametrize("name", shared_rules.GAMES)
@given(move=st.one_of(st.integers(), st.none(), st.text(), st.tuples(st.integers())))
@settings(max_examples=300, deadline=None)
def test_any_value_at_all_can_be_asked_about(name, move):
    game = GAMES[name]
    assert game.is_legal(move) == contract_check.expected_legal(game, set(game.legal()), move)


GAMES = {name: shared_rules.load(name) for name in shared_rules.GAMES}
