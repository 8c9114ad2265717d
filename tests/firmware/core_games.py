"""Whole games of Tau through Table.step, on CPython and on MicroPython alike. A program, run by the test:

    micropython -X heapsize=200k core_games.py ROOT CONFIG SEED GAMES

Prints the durable events, a JSON list a line, then {"free": [bytes free after each game], "plies": n,
"quiet": bytes of heap that 1000 quiet steps take}.
"""

import gc
import json
import sys
from array import array

sys.path.insert(0, sys.argv[1])

from firmware.table import Table  # noqa: E402
from shared_rules import tau  # noqa: E402
from shared_rules.game import Random  # noqa: E402

if hasattr(gc, "threshold"):
    gc.threshold(8192)  # as hal/sim.py does: what stays lies close together

PIECES = ("yo", "or", "rp", "pb", "bg", "gy", "wk")


class Board:
    """Sticks on squares (square -> [token, pole]) and the readings that they make, straight below."""

    def __init__(self, config, seed):
        self.table = Table(config, seed)
        self.own = int(config["kernel"][0][0])
        self.zero = config["zero"]
        self.readings = array("H", [self.zero] * (config["width"] * config["height"]))
        self.now = 0
        self.on = {}

    def wait(self, ms, bits=0):
        for _ in range(ms // 5):
            self.now += 5
            self.table.step(self.now, self.readings, bits, ())
            for durable, event in self.table.events:
                if durable:
                    print(json.dumps([event[key] for key in sorted(event)]))

    def put(self, sq, stick):
        self.on[sq] = stick
        self.readings[sq] = self.zero + (self.own if stick[1] == 1 else -self.own)
        self.wait(100)

    def take(self, sq):
        stick = self.on.pop(sq)
        self.readings[sq] = self.zero
        self.wait(150)
        return stick

    def find(self, token):
        for sq in self.on:
            if self.on[sq][0] == token:
                return sq

    def rack_up(self):
        """Every stick back into its rack hole, one by one."""
        racks = self.table.referee.rack_square
        for token in range(14):
            sq = self.find(token)
            if sq is not None and sq != racks[token]:
                self.take(sq)
                sq = None
            if sq is None:
                self.put(racks[token], [token, 1])
            elif self.on[sq][1] != 1:
                self.take(sq)
                self.put(sq, [token, 1])

    def play(self, move):
        referee = self.table.referee
        kind = tau.parts(move)
        if kind[0] == "place":
            stick = self.take(referee.rack_square[7 * referee.game.turn + kind[1]])
            stick[1] = kind[2] + 1
        else:
            stick = self.take(referee.hole_square[kind[1]])
            if kind[0] == "turn":
                stick[1] = 3 - stick[1]
        self.put(referee.hole_square[kind[-1]], stick)


def main(config, seed, games):
    board = Board(config, seed)
    table = board.table
    hands = Random(seed)
    free = []
    plies = 0
    for _ in range(games):
        board.rack_up()
        assert table.state == "TURN", table.text
        while table.state == "TURN":
            moves = table.referee.game.legal()
            board.play(moves[hands.below(len(moves))])
            if hands.below(6) == 0 and table.state == "TURN":  # two sticks out and back, and OK
                racks = [sq for sq in table.referee.rack_square if sq in board.on]
                if len(racks) > 1:
                    one, other = board.take(racks[0]), board.take(racks[1])
                    board.put(racks[0], one)
                    board.put(racks[1], other)
                    assert table.state == "PENDING", table.text
                    board.wait(350)
                    board.wait(50, 1)
                    board.wait(50)
        assert table.state == "OVER", table.text
        plies += len(table.referee.game.history)
        board.wait(50, 1)
        board.wait(50)
        gc.collect()
        free.append(gc.mem_free() if hasattr(gc, "mem_free") else 0)
    print(json.dumps({"free": free, "plies": plies, "quiet": quiet(board)}))


def quiet(board):
    """Bytes of heap that 1000 steps take in which nothing happens; 0 where the language does not say."""
    board.wait(3000)
    if not hasattr(gc, "mem_alloc"):
        return 0
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    board.wait(5000)
    used = gc.mem_alloc() - before
    gc.enable()
    return used


with open(sys.argv[2]) as file:
    CONFIG = json.load(file)
main(CONFIG, int(sys.argv[3]), int(sys.argv[4]))
