"""Callisto's costs, measured where they matter: this module runs on the chip (and on any MicroPython).

    main(text)        a JSON line a position: {"kind", "options", "moves", "tries"}; prints a JSON line each
"""

import gc
import json
import time

from shared_rules import load


def _us(question, argument=None):
    """Longest of three runs, microseconds, and the answer."""
    longest = 0
    for _ in range(3):
        gc.collect()
        start = time.ticks_us()
        answer = question() if argument is None else question(argument)
        longest = max(longest, time.ticks_diff(time.ticks_us(), start))
    return longest, answer


def measure(position):
    """Costs in one position: us of each question, and the heap that the game takes."""
    gc.collect()
    before = gc.mem_alloc()
    start = time.ticks_us()
    game = load("callisto", **position["options"])
    result = {"kind": position["kind"], "ply": len(position["moves"])}
    result["load_us"] = time.ticks_diff(time.ticks_us(), start)
    result["play_us"] = 0
    for text in position["moves"]:
        start = time.ticks_us()
        game.play(game.parse(text))
        result["play_us"] = max(result["play_us"], time.ticks_diff(time.ticks_us(), start))
    gc.collect()
    result["game_bytes"] = gc.mem_alloc() - before
    seat = position["seat"]
    asked = game.playable(seat)
    cover = game.cover
    result["cover_us"], result["moves"] = _us(lambda: cover.cover(*asked))
    result["any_us"], result["any"] = _us(lambda: cover.any(*asked))
    result["list_us"], moves = _us(lambda: cover.moves(*asked))
    result["listed"] = len(moves)
    tries = [game.squares(game.parse(text)) for text in position["tries"]]

    def check(squares):
        move = cover.match(squares)
        return move, game.why_not(move), game.shape(move)

    def grow(squares):
        return cover.grow(asked[0], asked[1], squares[:1])

    result["check_us"] = max([_us(check, squares)[0] for squares in tries] or [0])
    result["grow_us"] = max([_us(grow, squares)[0] for squares in tries] or [0])
    return result


def main(text):
    load("callisto")  # the code is in memory before memory is measured
    for line in text.split("\n"):
        if line:
            print(json.dumps(measure(json.loads(line))))
