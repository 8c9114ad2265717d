"""Callisto's bounds, measured on the emulated RP2040 in the worst positions of a hundred random games.

    for row in rows(): print(row["what"], row["measured"], row["bound"], row["unit"])
"""

import json
from pathlib import Path

import shared_rules
from shared_rules.game import Random

from . import answer, chip_program

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
    table += answer.callisto()
    return table
