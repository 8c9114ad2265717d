"""A simulated table: an engine that runs the firmware, a world of magnets, hands, and a serial port.

    table = SimTable(board, engine, world, [hands], eyes, server)
    table.run_lockstep(done)          as fast as it goes, in the board's own time, until done() is true
    table.run_realtime(speed, done)   at the pace of the clock

Board time goes in ticks of 5 ms. In lockstep a connected host must take every byte before time goes on, so
nothing is lost and one seed gives one game; in real time the board never waits for anybody.
"""

import time
from array import array

TICK_MS = 5
CATCH_UP_S = 0.25  # a real-time table that is further behind gives the lost time up


class SimTable:
    """hands: all Hands at the table. rgb, lines, tone: what the board shows now."""

    def __init__(self, board, engine, world, hands=(), eyes=None, server=None):
        self.board = board
        self.engine = engine
        self.world = world
        self.hands = hands
        self.eyes = eyes
        self.server = server
        self.said = b""  # bytes for the board as if they had come through its port
        self.now = 0
        self.readings = array("H", bytes(2 * board.squares))
        self.rgb = bytes(3 * board.squares)
        self.lines = [""] * 8
        self.tone = 0
        world.read(self.readings)

    def tick(self, lockstep=False):
        """One tick of 5 ms: hands move, sensors are read, the board acts."""
        self.now += TICK_MS
        buttons = 0
        for hands in self.hands:
            hands.step(self.now)
            buttons |= hands.buttons
        self.world.read(self.readings)
        if self.server is not None:
            self.said += self.server.read()
        self._step(buttons, lockstep)

    def greet(self, done):
        """Let the board answer its host until done(), while its clock, its sensors and the hands stand still.

        A host greets a board at a moment of its own: nothing that is drawn from a seed may depend on when. So
        there is one turn of the board to begin with, and one for each command, acknowledgements apart, which
        come when they like.
        """
        self._step(0, True)
        held = b""
        while not done():
            *lines, held = (held + self.server.read()).split(b"\n")
            for line in lines:
                self.said += line + b"\n"
                if b'"c":"ack"' not in line:
                    self._step(0, True)
            self.server.wait(0.002)
        self.said += held

    def _step(self, buttons, lockstep):
        server = self.server
        received, self.said = self.said, b""
        out = self.engine.tick(self.now, self.readings, buttons, received)
        if out.rgb is not None:
            self.rgb = bytes(out.rgb)
        if out.lines is not None:
            self.lines = list(out.lines)
        if out.tone is not None:
            self.tone = out.tone
        if server is not None:
            server.plug(self.engine.plugged)
        if out.tx:
            if self.eyes is not None:
                self.eyes.feed(bytes(out.tx))
            if server is not None:
                self._send(bytes(out.tx), lockstep)
        elif server is not None:
            server.flush()

    def _send(self, data, lockstep):
        if not self.server.write(data) and lockstep and self.server.client:
            self.server.drain()
            self.server.write(data)
        if lockstep:
            self.server.drain()

    def run_lockstep(self, done, limit_ms=None):
        """Tick until done(); False when limit_ms of board time went by before."""
        end = None if limit_ms is None else self.now + limit_ms
        while not done():
            if end is not None and self.now >= end:
                return False
            self.tick(lockstep=True)
        return True

    def run_realtime(self, done, speed=1.0, tick=None):
        """Call tick (self.tick) at `speed` times the clock's pace until done(); sleeps in between."""
        tick = tick or self.tick
        period = TICK_MS / 1000 / speed
        due = time.monotonic()
        while not done():
            tick()
            due += period
            behind = time.monotonic() - due
            if behind < 0:
                time.sleep(-behind)
            elif behind > CATCH_UP_S:
                due += behind
