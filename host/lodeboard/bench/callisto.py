"""Callisto's bounds, measured on the emulated RP2040 in the worst positions of a hundred random games.

    for row in rows(): print(row["what"], row["measured"], row["bound"], row["unit"])
"""

import json
from pathlib import Path

import shared_rules
from lodeboard import boards
from shared_rules.game import Random

from . import chip_program

OPTIONS = {"edition": "2009", "players": 4}
GAMES = 100
WORST = 3  # positions measured of each kind
TRIES = 8  # placements checked in each
SOURCES = tuple(
    "shared_rules/" + name for name in ("__init__", "game", "callisto", "cover", "polyomino", "piece_set")
)
BOUNDS = (
    ("cover map with the exact number of placements", "cover_us", 4000),
    ("is this placement legal, and which piece is it", "check_us", 1000),
    ("has this seat any move", "any_us", 2000),
    ("list of all moves", "list_us", 60000),
    ("what a piece that is going down can still become", "grow_us", 4000),
    ("tables and position", "game_bytes", 24 * 1024),
)


def random_game(seed):
    """A whole game by legal moves drawn with the rules' own generator; yields it before each move."""
    game, random = shared_rules.load("callisto", **OPTIONS), Random(seed)
    yield game
    while game.turn is not None:
        moves = game.legal()
        game.play(moves[random.below(len(moves))])
        yield game


def _position(game, kind, seat):
    moves = game.legal() if seat == game.turn else []
    step = max(1, len(moves) // TRIES)
    return {
        "kind": kind,
        "options": OPTIONS,
        "seat": seat,
        "moves": [game.text(move) for _, move in game.history],
        "tries": [game.text(move) for move in moves[::step]],
    }


def positions():
    """The positions with most moves, and those with most to search where a seat has no move left."""
    most, none = [], []
    for seed in range(1, GAMES + 1):
        best = (0, None)
        for game in random_game(seed):
            if game.turn is None:
                break
            count = game.cover.cover(*game.playable(game.turn))
            if count > best[0]:
                best = (count, _position(game, "most moves", game.turn))
            for seat in range(game.players):
                if game.out[seat]:
                    none.append((_work(game, seat), seed, len(game.history), seat))
        most.append((best[0], seed, best[1]))
    most.sort(key=lambda entry: (-entry[0], entry[1]))
    none.sort(reverse=True)
    found = [entry[2] for entry in most[:WORST]]
    for _, seed, ply, seat in none[:WORST]:
        for game in random_game(seed):
            if len(game.history) == ply:
                found.append(_position(game, "no move left", seat))
                break
    return found


def _work(game, seat):
    """How much a search that ends with nothing has to go through: orientations in hand, free squares."""
    hand = game.hands[seat]
    first = game.pieces.first
    orientations = sum(first[shape + 1] - first[shape] for shape in range(len(hand)) if hand[shape])
    return orientations * game.owner.count(0)


def measure(found):
    """The chip's answer for each position."""
    files = chip_program.compiled(*SOURCES)
    files["callisto_chip.py"] = Path(__file__).with_name("callisto_chip.py").read_bytes()
    text = "".join(json.dumps(position) + "\n" for position in found)
    files["positions.txt"] = text.encode()
    program = "import callisto_chip\ncallisto_chip.main(open('positions.txt').read())"
    printed = chip_program.run(files, program).splitlines()
    return [json.loads(line) for line in printed if line.startswith("{")]


def large_moves(position, number=3):
    """So many moves of five squares in a row from a position, none of which a larger piece contains."""
    game, found = shared_rules.load("callisto", **position["options"]), []
    for text in position["moves"]:
        game.play(game.parse(text))
    while len(found) < number:
        seat, hand, _ = game.playable(game.turn)
        large = [move for move in game.legal() if len(game.squares(move)) == 5]
        large = [move for move in large if not game.cover.grow(seat, hand, game.squares(move))]
        found.append(game.text(large[len(large) // 2]))
        game.play(game.parse(found[-1]))
    return found


def answers(position):
    """The chip's results for moves by hand: board time from the last changed square to the next frame."""
    job = {
        "config": boards.firmware_config(boards.load("lode20")),
        "options": {**position["options"], "starter": 1},
        "moves": position["moves"],
        "next": large_moves(position),
    }
    files = chip_program.compiled("shared_rules/", "firmware/")
    files["callisto_turn.py"] = Path(__file__).with_name("callisto_turn.py").read_bytes()
    files["job.json"] = json.dumps(job).encode()
    printed = chip_program.run(files, "import callisto_turn\ncallisto_turn.main(open('job.json').read())")
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def rows():
    """What was measured against its bound: dicts with what, measured, bound, unit, ok, position."""
    found = positions()
    measured = measure(found)
    table = []
    for what, key, bound in BOUNDS:
        worst = max(measured, key=lambda result: result[key])
        table.append(
            {
                "what": what,
                "measured": worst[key],
                "bound": bound,
                "unit": "bytes" if key.endswith("bytes") else "us",
                "ok": worst[key] <= bound,
                "position": {name: worst[name] for name in ("kind", "ply", "moves")},
            }
        )
    answered = max(result["answer_us"] for result in answers(found[0]))
    table.append(
        {
            "what": "last changed square to the next turn's lights",
            "measured": answered,
            "bound": 60000,
            "unit": "us",
            "ok": answered <= 60000,
        }
    )
    return table
