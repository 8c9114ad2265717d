"""A move of Callisto on the chip: board time from the last square that changed to the next turn's frame.

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

    def put(self, squares):
        kernel, width = self.config["kernel"], self.width
        for sq in squares:
            for to in range(self.size):
                dx, dy = abs(to % width - sq % width), abs(to // width - sq // width)
                if dx < len(kernel) and dy < len(kernel):
                    self.readings[to] = max(0, min(4095, int(self.readings[to] + kernel[dy][dx])))

    def run(self, ms, plies=999):
        """Steps for so long, or until the game has so many plies; gives us of the last step."""
        history = self.table.referee.game.history
        end = self.now + ms
        us = 0
        while self.now < end and len(history) < plies:
            self.now += TICK_MS
            start = time.ticks_us()
            self.table.step(self.now, self.readings, 0, ())
            us = time.ticks_diff(time.ticks_us(), start)
        return us


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
    for move in job["next"]:
        ply = len(game.history)
        desk.put([table.referee.board_square(square) for square in game.squares(game.parse(move))])
        gc.collect()
        us = desk.run(300, ply + 1)
        answer_us = (desk.now - table.changed_at) * 1000 + us
        print(json.dumps({"played": len(game.history) - ply, "step_us": us, "answer_us": answer_us}))
        desk.run(500)
