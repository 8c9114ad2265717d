"""Castellers' costs, measured where they matter: this module runs on the chip (and on any MicroPython).

    main(path)        a file with a snapshot a line; prints a JSON line each
"""

import gc
import json
import time

from shared_rules import load


def _us(question, argument=None):
    """Microseconds that a question takes."""
    start = time.ticks_us()
    if argument is None:
        question()
    else:
        question(argument)
    return time.ticks_diff(time.ticks_us(), start)


def measure(snapshot):
    """Costs in one position: us of each question, bytes of the heap that the game holds."""
    moves = snapshot["moves"]
    gc.collect()
    before = gc.mem_alloc()
    game = load("castellers", **snapshot["options"])
    play_us = 0
    for ply in range(len(moves)):
        if ply % 8 == 0:
            gc.collect()  # now and then, so that none falls into what is measured
        play_us = max(play_us, _us(game.play, game.parse(moves[ply])))
    gc.collect()
    result = {"game_bytes": gc.mem_alloc() - before, "play_us": play_us}
    result["legal_us"] = _us(game.legal)
    legal = game.legal()
    result["moves"] = len(legal)
    result["is_legal_us"] = max([_us(game.is_legal, move) for move in legal[::5]])
    result["undo_us"] = _us(game.undo)
    return result


def main(path):
    load("castellers")  # its modules are there before anything is measured
    with open(path) as file:
        for line in file:
            print(json.dumps(measure(json.loads(line))))
