"""cover.py's answers: from a textbook's sets of squares, plain integers, viper here and viper on the chip."""

import json
import os
import subprocess
import time
from pathlib import Path

import cover_trace
import pytest
from callisto_reference import Table
from lodeboard import micropython
from lodeboard.bench import callisto as bench
from lodeboard.bench import chip_program
from lodeboard.flash import cache

import shared_rules
from shared_rules.game import Random

HERE = Path(__file__).parent
FACTS = json.loads((HERE.parent / "data" / "callisto.json").read_text())["editions"]
ALL_BOARDS = [(edition, players) for edition in ("2009", "2014") for players in (2, 3, 4)]
# Pieces that no edition has: long ones, wide ones, one with a gap in a row, one of eight squares.
ODD = {
    "pieces": {"2": 1, "I5": 1, "C7": 1, "J8": 1, "Y5": 2},
    "shapes": {
        "I5": [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]],
        "C7": [[0, 0], [1, 0], [2, 0], [0, 1], [2, 1], [0, 2], [2, 2]],
        "J8": [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [0, 6], [1, 6]],
        "Y5": [[0, 0], [1, 0], [2, 0], [3, 0], [1, 1]],
    },
}


needs_image = pytest.mark.skipif(
    cache.cached() is None, reason="MicroPython's image for the chip is not here: lodeboard firmware get"
)


def squares_of(game, move):
    return frozenset((square % game.size, square // game.size) for square in game.squares(move))


def mapped(game):
    """The squares of the last map."""
    return {(x, y) for y in range(game.size) for x in range(game.size) if game.cover.map[y] >> x & 1}


def compare(game, table, seat):
    """Every answer about a seat against the textbook's."""
    wanted, asked = table.moves(seat), game.playable(seat)
    moves = game.cover.moves(*asked)
    assert {squares_of(game, move) for move in moves} == wanted
    assert len(moves) == len(wanted)
    assert game.cover.cover(*asked) == len(wanted)
    assert mapped(game) == set().union(*wanted)
    assert game.cover.any(*asked) == bool(wanted)
    return wanted


@pytest.mark.parametrize("edition, players", ALL_BOARDS)
def test_the_answers_are_the_textbooks_in_a_random_game(edition, players):
    game = shared_rules.load("callisto", edition=edition, players=players)
    table = Table(FACTS[edition], edition, players)
    random = Random(players + int(edition))
    while game.turn is not None:
        every = len(game.history) % 7 == 0
        if every:
            for seat in range(players):
                compare(game, table, seat)
        moves = game.legal()
        move = moves[random.below(len(moves))]
        if every:
            compare_growth(game, table, move)
        table.play(game.turn, squares_of(game, move))
        game.play(move)
    assert all(game.out)


def compare_growth(game, table, move):
    """What can still become of one or two of a move's squares, against the list of all moves."""
    seat, hand, _ = game.playable(game.turn)
    every = table.moves(seat)
    for count in (1, 2, 5):
        down = game.squares(move)[:count]
        wanted = frozenset((square % game.size, square // game.size) for square in down)
        larger = [squares for squares in every if squares > wanted]
        assert game.cover.grow(seat, hand, down) == len(larger)
        assert mapped(game) == set().union(*larger)


def test_a_set_of_squares_is_recognised_in_each_orientation_and_nothing_else_is():
    game = shared_rules.load("callisto", edition="2009", players=4)
    for orientation in range(len(game.pieces.cells)):
        move = orientation << 10 | 9 << 5 | 8
        squares = game.squares(move)
        assert game.cover.match(squares) == game.cover.match(squares[::-1]) == move
        assert game.cover.match(squares + [0]) == -1
    assert game.cover.match([]) == -1
    assert game.cover.match([170, 172]) == -1
    assert game.cover.match([170, 191]) == -1  # a corner only


JOBS = [
    [{"edition": "2009", "players": 4}, 1, 1, 999],
    [{"edition": "2009", "players": 3}, 2, 2, 999],
    [{"edition": "2009", "players": 2}, 3, 2, 999],
    [{"edition": "2014", "players": 2}, 4, 1, 999],
    [{"edition": "2014", "players": 4}, 5, 2, 999],
    [{"edition": "2009", "players": 3, "rules": ODD}, 6, 1, 999],
]


def plain(jobs, capsys):
    """What the plain twin prints for these jobs."""
    cover_trace.main(jobs)
    return capsys.readouterr().out


def test_viper_on_this_computer_gives_the_plain_twins_answers(capsys):
    done = subprocess.run(
        [*micropython.command(), str(HERE / "cover_trace.py")],
        input=json.dumps(JOBS),
        capture_output=True,
        text=True,
        env={**os.environ, "MICROPYPATH": f"{Path(shared_rules.__file__).parents[1]}:.frozen"},
    )
    wanted = plain(JOBS, capsys)
    assert wanted.count("\n") > 200
    assert done.stdout == wanted, done.stderr


@needs_image
def test_viper_on_the_emulated_chip_gives_the_plain_twins_answers(capsys):
    jobs = [
        [{"edition": "2009", "players": 2}, 7, 9, 10],
        [{"edition": "2009", "players": 2, "rules": ODD}, 8, 6, 7],
        [{"edition": "2014", "players": 3}, 9, 12, 13],
    ]
    files = chip_program.compiled(*bench.SOURCES)
    files["cover_trace.py"] = (HERE / "cover_trace.py").read_bytes()
    program = f"import json, cover_trace\ncover_trace.main(json.loads({json.dumps(jobs)!r}))"
    printed = chip_program.run(files, program)
    wanted = plain(jobs, capsys)
    assert wanted.count("\n") == 9
    assert printed == wanted


def test_the_plain_twin_is_thirty_times_as_fast_as_the_textbook():
    plies, start = 0, time.perf_counter()
    for seed in (1, 2, 3, 4, 5):
        for game in bench.random_game(seed):
            plies += game.turn is not None
    fast = (time.perf_counter() - start) / plies
    table = Table(FACTS["2009"], "2009", 4)
    start = time.perf_counter()
    for seat, move in game.history:
        table.moves(seat)
        table.play(seat, squares_of(game, move))
    slow = (time.perf_counter() - start) / len(game.history)
    assert slow > 30 * fast


@needs_image
def test_the_chips_costs_are_within_their_bounds_in_the_worst_positions():
    """The whole table is `lodeboard bench callisto`; here the worst position of each kind."""
    found = bench.positions()
    worst = [found[0], next(position for position in found if position["kind"] == "no move left")]
    worst[0]["tries"] = worst[0]["tries"][::3]
    for result in bench.measure(worst):
        for what, key, bound in bench.BOUNDS:
            assert result[key] <= bound, (what, result)
        assert result["moves"] == result["listed"]
    assert len(worst[0]["tries"]) == 3
