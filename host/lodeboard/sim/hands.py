"""Virtual hands: they lift, carry and set down pieces as people do, in board time.

    hands = Hands(world, seed=7, sloppiness=1.0)
    hands.start(script(hands))
    hands.step(now)                  once a tick: goes on with the script as far as its time has come
    hands.buttons                    bits of the buttons that are down

A script is a generator that yields milliseconds to wait. What hands can do are generators too:

    yield from hands.lift(piece)             up from its place
    yield from hands.carry(piece, x, y)      through the air
    yield from hands.put(piece, x, y)        down, as exactly as `sloppiness` allows
    yield from hands.press(OK)

Everything is drawn from random.Random of the seed and timed by the board's clock, so that one seed gives one
game on every machine. What a hand does wrong, and how it notices, is the stage's to say (sim/stage_tau.py).
"""

import math
import random

OK = 1
UNDO = 2
HINT = 4
MENU = 8

STEP_MS = 10  # between two positions of a moving hand
CARRY_MM = 55.0  # height at which a hand carries: a 40 mm stick clears its neighbours
TREMOR_MM = 0.6  # of a piece in hand, rms
SPEED_MM_S = 350.0  # of a hand that carries, mean
MISPLACED_MM = 1.0  # at sloppiness 1: how far off its square's centre a piece is set down, either way
MISPLACED_DEG = 2.0


class Hands:
    """sloppiness: 0 exact, 1 as a careful player, 3 as far off as the board must bear."""

    def __init__(self, world, seed=0, sloppiness=1.0):
        self.world = world
        self.random = random.Random(f"hands {seed}")
        self.sloppiness = sloppiness
        self.buttons = 0
        self.holding = []
        self._script = None
        self._wake = 0

    @property
    def idle(self):
        """True when there is no script, or it has ended."""
        return self._script is None

    def start(self, script):
        """Let the hands follow a script from the next step on; a script that was under way ends."""
        if self._script is not None:
            self._script.close()
        self._script = script
        self._wake = 0

    def step(self, now):
        """Go on with the script up to the time `now`, ms."""
        while self._script is not None and now >= self._wake:
            try:
                wait = next(self._script)
            except StopIteration:
                self._script = None
                return
            self._wake = max(self._wake, now - STEP_MS) + max(1, round(wait))
            if self._wake > now:
                return

    # What hands do

    def pause(self, low, high):
        """Wait between low and high ms."""
        yield self.random.uniform(low, high)

    def press(self, button, ms=120):
        """Press and release a button."""
        self.buttons |= button
        yield ms
        self.buttons &= ~button
        yield 120

    def lift(self, piece, height=CARRY_MM):
        """Take hold of a piece and lift it; sometimes the hand hesitates while the piece is loose."""
        x, y = piece.x, piece.y
        if self.random.random() < 0.1:
            yield from self._travel(piece, x, y, piece.z + 1.5, 80)
            yield self.random.uniform(50, 400)
        yield from self._travel(piece, x, y, height, self.random.uniform(120, 260))
        if piece not in self.holding:
            self.holding.append(piece)

    def carry(self, piece, x, y, height=CARRY_MM):
        """Carry a piece to (x, y), past it and back a little as hands do."""
        distance = math.hypot(x - piece.x, y - piece.y)
        over = self.random.gauss(0, 0.03) * min(distance, 100)
        ms = 150 + 1000 * distance / (SPEED_MM_S * self.random.uniform(0.7, 1.4))
        yield from self._travel(piece, x + over, y - over, height, ms)
        if abs(over) > 2:
            yield from self._travel(piece, x, y, height, 80)

    def put(self, piece, x, y, yaw=0.0, sloppiness=None, seat=0.0):
        """Set a piece down at (x, y), on what is `seat` mm high; it stands off by what sloppiness allows."""
        slop = self.sloppiness if sloppiness is None else sloppiness
        x += self.random.uniform(-1, 1) * MISPLACED_MM * slop
        y += self.random.uniform(-1, 1) * MISPLACED_MM * slop
        yaw += self.random.uniform(-1, 1) * MISPLACED_DEG * slop
        if self.random.random() < 0.15:  # it stands off for a moment, then is pushed home
            off = self.random.uniform(1, 3)
            yield from self._travel(piece, x, y, seat + off, self.random.uniform(120, 220), yaw, seat)
            yield self.random.uniform(100, 500)
        yield from self._travel(piece, x, y, seat, self.random.uniform(120, 260), yaw, seat)
        self.world.move(piece, x, y, seat, yaw)
        if piece in self.holding:
            self.holding.remove(piece)
        yield 60

    def turn(self, piece):
        """Turn a piece in hand over: the other pole looks down."""
        yield self.random.uniform(150, 300)
        self.world.move(piece, piece.x, piece.y, piece.z, piece.yaw, -piece.pole)
        yield self.random.uniform(100, 200)

    def rotate(self, piece):
        """Turn a piece in hand by a quarter, seen from above, and straight."""
        yaw = (round(piece.yaw / 90) + 1) % 4 * 90.0
        yield from self._travel(piece, piece.x, piece.y, piece.z, self.random.uniform(120, 250), yaw)

    def nudge(self, piece, mm):
        """Bump against a standing piece: it shifts by `mm`."""
        angle = self.random.uniform(0, 2 * math.pi)
        x, y = piece.x + mm * math.cos(angle), piece.y + mm * math.sin(angle)
        self.world.move(piece, x, y, piece.z, piece.yaw)
        yield 200

    def straighten(self, piece, x, y):
        """Push a standing piece back onto its square's centre."""
        yield from self._travel(piece, x, y, 0.0, 200)
        self.world.move(piece, x, y, 0.0, 0.0)

    def rock(self, pieces, mm, times=3):
        """Rock a column of pieces to and fro."""
        places = [(piece, piece.x, piece.y) for piece in pieces]
        for i in range(2 * times):
            for piece, x, y in places:
                self.world.move(piece, x + (mm if i % 2 else -mm), y, piece.z, piece.yaw)
            yield self.random.uniform(60, 110)
        for piece, x, y in places:
            self.world.move(piece, x, y, piece.z, piece.yaw)

    def _travel(self, piece, x, y, z, ms, yaw=None, seat=0.0):
        """Move along a straight line with the speed of a human reach (minimum jerk), trembling in the air.

        seat: height above the board of what the piece comes from or goes to; a hand near it is steady.
        """
        x0, y0, z0, yaw0 = piece.x, piece.y, piece.z, piece.yaw
        yaw = yaw0 if yaw is None else yaw
        steps = max(1, round(ms / STEP_MS))
        gauss = self.random.gauss
        for i in range(1, steps + 1):
            t = i / steps
            s = t * t * t * (10 - 15 * t + 6 * t * t)
            height = z0 + (z - z0) * s
            tremor = TREMOR_MM * min(1.0, abs(height - seat) / 10)
            self.world.move(
                piece,
                x0 + (x - x0) * s + gauss(0, tremor),
                y0 + (y - y0) * s + gauss(0, tremor),
                max(0.0, height),
                yaw0 + (yaw - yaw0) * s,
            )
            yield STEP_MS
