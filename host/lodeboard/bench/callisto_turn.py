"""A move of Callisto on the chip, from the step in which the board rests to the new frame: where its time goes.

This module runs on the chip. main(text): a JSON object {"config", "options", "moves", "next": [texts]}.
"""

import gc
import json
import time
from array import array

TICK_MS = 5


class Desk:
    """A table whose magnets are set square by square, with the nominal field."""

    def __init__(self, config):
        from firmware.table import Table

        self.config = config
        self.width = config["width"]
        self.size = self.width * config["height"]
        self.readings = array("H", [config["zero"]] * self.size)
        self.table = Table(config, 7)
        self.now = 0
        self.longest = 0

    def put(self, squares):
        kernel, width = self.config["kernel"], self.width
        for sq in squares:
            for to in range(self.size):
                dx, dy = abs(to % width - sq % width), abs(to // width - sq // width)
                if dx < len(kernel) and dy < len(kernel):
                    self.readings[to] = max(0, min(4095, int(self.readings[to] + kernel[dy][dx])))

    def run(self, ms):
        """Steps for so long; longest: us of the longest one, and its place in them."""
        self.longest = 0
        until = self.now + ms
        while self.now < until:
            self.now += TICK_MS
            start = time.ticks_us()
            self.table.step(self.now, self.readings, 0, ())
            us = time.ticks_diff(time.ticks_us(), start)
            self.longest = max(self.longest, us)


def main(text):
    job = json.loads(text)
    desk = Desk(job["config"])
    table = desk.table
    table.open_game("callisto", job["options"], 1)
    desk.run(200)
    game = table.referee.game
    for move in job["moves"]:
        desk.put([table.referee.board_square(square) for square in game.squares(game.parse(move))])
        game.play(game.parse(move))
    table.referee.lay()
    desk.run(1000)
    gc.collect()
    print(json.dumps({"state": table.state, "text": table.text, "free": gc.mem_free(), "used": gc.mem_alloc()}))
    desk.run(100)
    idle = desk.longest
    for move in job["next"]:
        ply = len(game.history)
        desk.put([table.referee.board_square(square) for square in game.squares(game.parse(move))])
        gc.collect()
        desk.run(20)
        before = desk.longest
        desk.run(80)
        commit = desk.longest
        desk.run(600)
        print(json.dumps({"move": move, "idle_us": idle, "drop_us": before, "commit_us": commit,
                          "played": len(game.history) - ply}))
