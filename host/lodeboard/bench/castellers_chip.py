"""Castellers' costs, measured where they matter: this module runs on the chip (and on any MicroPython).

    main(path)        a file with a snapshot a line; prints a JSON line each
"""

import gc
import json
import time
from array import array

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


class Sensors:
    """What Stacks asks of the firmware's Squares: a resting board of this config."""

    def __init__(self, config):
        self.width, self.height = config["width"], config["height"]
        self.size = self.width * self.height
        self.counts_per_mt, self.nominal_zero = config["counts_per_mt"], config["zero"]
        self.state = bytearray(self.size)
        self.gain = array("H", [256] * self.size)
        self._sums = array("i", [32 * 2048 + sq for sq in range(self.size)])
        self.listening = self.noise_umt = 0

    def listen(self, scans):
        pass

    def spare(self):
        return array("i", [0] * self.size)

    def heard(self):
        return True

    def total(self, sq):
        return self._sums[sq]

    def summed(self):
        return self._sums


def weigh(path, columns):
    """us of one decision between columns of a board whose config is in a file."""
    from firmware.referee.castellers_stacks import Stacks

    with open(path) as file:
        config = json.load(file)
    sensors = Sensors(config)
    stacks = Stacks(sensors, config["layouts"]["castellers"]["level"], config["kernel"])
    candidates = []
    for at in range(columns):
        sq = (1 + 2 * (at // 6)) * sensors.width + 1 + 2 * (at % 6)
        sensors.state[sq] = 1
        candidates.append((sq, 2 + at % 4, 1))
    stacks.step(True)
    sensors.state[sensors.size - 1] = 1  # a casteller left its hole
    stacks.step(False)
    gc.collect()
    print(json.dumps({"weigh_us": _us(stacks.judge, tuple(candidates))}))


def main(path):
    load("castellers")  # its modules are there before anything is measured
    with open(path) as file:
        for line in file:
            print(json.dumps(measure(json.loads(line))))
