"""The magnets on and around a simulated board, and what its sensors read of them.

    world = World(board, seed=7)
    stick = world.add("1:yo", magnets=[(0, 0, 0), (0, 0, 34)])
    world.move(stick, x, y, z, yaw, pole=+1)
    world.read(readings)             array('H'), ADC counts in the order of squares

Millimetres from the board's top left corner, x right, y down; z is the height of the piece above its seat.
Each sensor has an offset, a sensitivity and a depth of its own, each magnet a strength of its own, all drawn
from the seed; each reading has noise. Only what moved is computed again: a piece keeps its share of the field
of every sensor that it reaches, so a step costs in proportion to the pieces in hands, not to the board.
"""

import math
import random
from array import array
from operator import add

from lodeboard import boards
from lodeboard.sim import field

OFFSET_MT = 0.5  # zero-field output of a sensor, uniform, either way
SENSITIVITY = 0.05  # sensor and magnet tolerances, share, uniform, either way
DEPTH_MM = 0.3  # height of the Hall element, uniform, either way
NOISE_COUNTS = 3.0  # of a single reading, rms
REACH_MM = 75.0  # to the side; beyond it a magnet's field is under 0.02 mT, less than one count
HIGH_MM = 110.0  # the seventh of a column of castellers, 96 mm up, adds 0.015 mT: it counts among many

_NOISE_LENGTH = 8191  # prime, so that boards of any size walk through all of it
_WIDE_CODES = (512, 1536, 2560, 3584)  # the RP2040's converter gives these too often (erratum E11)
_WIDE_COUNTS = 4  # each takes the readings of so many codes on either side
_FINE = 9  # fields are kept in this part of a count, so that noise carries them into averages; odd: no ties


class Piece:
    """Something with magnets. key: the stage's name for it.

    x, y, z in mm, yaw in degrees; pole: +1 north towards the sensor, -1 south; on: it is in the world.
    """

    __slots__ = ("key", "magnets", "x", "y", "z", "yaw", "pole", "on", "share")

    def __init__(self, key, magnets):
        self.key = key
        self.magnets = magnets
        self.x = self.y = self.z = self.yaw = 0.0
        self.pole = 1
        self.on = False
        self.share = ()


class World:
    """Pieces and sensors of one Board; deviations and noise come from `seed`.

    noise: counts rms of one reading. tolerance: 1 for parts as they come, 0 for perfect ones.
    """

    def __init__(self, board, seed=0, noise=NOISE_COUNTS, tolerance=1.0):
        self.board = board
        self.pieces = {}
        self._random = random.Random(f"world {seed}")
        self._tolerance = tolerance
        magnet = board.data["magnet"]
        self._field = field.load(magnet["disc"], magnet["grade"])
        scale = boards.counts_per_mt(board)
        zero = 1 << (board.parts["controller"]["adc_bits"] - 1)
        self._top = 2 * zero - 1
        self._range = board.parts["sensor"]["range_mt"]
        self._centres = [board.centre_mm(sq) for sq in range(board.squares)]
        self._gap = [magnet["gap_mm"] + self._spread(DEPTH_MM) for _ in self._centres]
        self._scale = [scale * (1 + self._spread(SENSITIVITY)) for _ in self._centres]
        self._zero = [zero + scale * self._spread(OFFSET_MT) for _ in self._centres]
        self._mt = [0.0] * board.squares
        self._counts = [0] * board.squares  # and noise: in parts of a count
        self._changed = set(range(board.squares))
        self._stuck = {}
        self._noise = [round(_FINE * self._random.gauss(0, noise)) for _ in range(_NOISE_LENGTH)] * 2
        self._code = _codes(self._top)

    def _spread(self, width):
        """A part's deviation, uniform within `width` either way."""
        return self._tolerance * self._random.uniform(-width, width)

    def add(self, key, magnets):
        """A new Piece, not yet in the world. magnets: [(dx, dy, dz)] in mm from its seat's centre."""
        strong = [(dx, dy, dz, 1 + self._spread(SENSITIVITY)) for dx, dy, dz in magnets]
        piece = self.pieces[key] = Piece(key, strong)
        return piece

    def move(self, piece, x, y, z=0.0, yaw=0.0, pole=None):
        """Put the piece there; hundredths of a millimetre count."""
        piece.x, piece.y, piece.z, piece.yaw = round(x, 2), round(y, 2), round(z, 2), round(yaw, 1)
        if pole is not None and pole != piece.pole:
            piece.pole = pole  # turned over: its mirror image from above
            piece.magnets = [(-dx, dy, dz, strength) for dx, dy, dz, strength in piece.magnets]
        piece.on = True
        self._share(piece, self._shares(piece))

    def remove(self, piece):
        """Take the piece out of the world."""
        piece.on = False
        self._share(piece, ())

    def stick(self, square, counts):
        """A sensor that gives `counts` whatever happens; None mends it. Dead is 0, or the zero level."""
        if counts is None:
            self._stuck.pop(square, None)
        else:
            self._stuck[square] = counts
        self._changed.add(square)

    def read(self, readings):
        """Fill array('H') with one reading of every sensor."""
        counts, code = self._counts, self._code
        for sq in self._changed:
            counts[sq] = self._level(sq)
        self._changed.clear()
        start = int(self._random.random() * _NOISE_LENGTH)
        noisy = map(add, counts, self._noise[start : start + len(counts)])
        readings[:] = array("H", [code[n] for n in noisy])
        for sq, stuck in self._stuck.items():
            readings[sq] = stuck

    def mt(self, square):
        """The field at a sensor, mT, without noise and tolerances of the sensor."""
        return self._mt[square]

    def level(self, square):
        """What a sensor would read on average, counts, before the converter makes whole ones of it."""
        return self._level(square) / _FINE

    def at(self, square, within_mm=9.0):
        """The pieces that stand on a square (z under 5 mm), nearest first."""
        x, y = self._centres[square]
        found = [(math.hypot(p.x - x, p.y - y), p.key, p) for p in self.pieces.values() if p.on and p.z < 5]
        return [p for d, _, p in sorted(found, key=lambda f: f[:2]) if d <= within_mm]

    def _level(self, square):
        """Parts of a count of a sensor before noise. Room for the noise is kept at both ends of the scale."""
        mt = self._mt[square]
        mt = max(-self._range, min(self._range, mt))
        level = round(_FINE * (self._zero[square] + self._scale[square] * mt))
        return max(32 * _FINE, min((self._top - 32) * _FINE, level))

    def _share(self, piece, share):
        """Replace the piece's share of the field."""
        mt, changed = self._mt, self._changed
        for sq, value in piece.share:
            mt[sq] -= value
            changed.add(sq)
        for sq, value in share:
            mt[sq] += value
            changed.add(sq)
        piece.share = share

    def _shares(self, piece):
        """[(square, mT)] of all sensors that the piece reaches."""
        board, gaps, centres = self.board, self._gap, self._centres
        pitch, width = board.pitch_mm, board.width
        look, pole = self._field.mt, piece.pole
        angle = math.radians(piece.yaw)
        cos, sin = math.cos(angle), math.sin(angle)
        share = {}
        for dx, dy, dz, strength in piece.magnets:
            x, y, z = piece.x + cos * dx - sin * dy, piece.y + sin * dx + cos * dy, piece.z + dz
            if z > HIGH_MM:
                continue
            strength *= pole
            left, right = _span(x, pitch, width)
            top, bottom = _span(y, pitch, board.height)
            for row in range(top, bottom):
                for sq in range(row * width + left, row * width + right):
                    cx, cy = centres[sq]
                    value = strength * look(math.sqrt((cx - x) ** 2 + (cy - y) ** 2), z + gaps[sq])
                    share[sq] = share.get(sq, 0.0) + value
        return list(share.items())


def _span(at, pitch, count):
    """First and one past the last of the squares along one axis that a magnet at `at` mm reaches."""
    low = math.ceil((at - REACH_MM) / pitch - 0.5)
    high = math.floor((at + REACH_MM) / pitch - 0.5) + 1
    return max(0, min(count, low)), max(0, min(count, high))


def _codes(top):
    """The converter: the code that it gives for each part of a count up to `top`, wide codes included."""
    codes = [min(top, round(part / _FINE)) for part in range(_FINE * (top + 1))]
    for part, code in enumerate(codes):
        for wide in _WIDE_CODES:
            if abs(code - wide) <= _WIDE_COUNTS:
                codes[part] = wide
    return codes
