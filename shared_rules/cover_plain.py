# host only
"""The plain twin of cover_viper.py: the whole board in one integer, a row every 32 bits, bit x the column x.

The twelve or more bits beyond a row's end are never free, so a shift cannot carry a piece from one row into
the next. cover.py says what is answered.
"""

from .cover import AT_FRAME, AT_FRAME_OR_PIECE, NO_COLUMN
from .polyomino import PLAN

_ROW = (1 << 32) - 1
# MicroPython's integers do not know their length.
_length = getattr(int, "bit_length", None) or (lambda value: len(bin(value)) - 2)


def _beside(squares):
    """The squares with an edge against one of these."""
    return squares << 1 | squares >> 1 | squares << 32 | squares >> 32


def _each_bit(bits):
    while bits:
        low = bits & -bits
        yield _length(low) - 1
        bits ^= low


class Cover:
    """See cover.py."""

    def __init__(self, pieces, size, inside, light):
        self.pieces = pieces
        self.size = size
        self.map = [0] * size
        self._own = [0, 0, 0, 0]
        self._columns = 0
        self._board = self._light = 0
        for y in range(size):
            self._board |= inside[y] << 32 * y
            self._light |= light[y] << 32 * y
        outside = (1 << 32 * size) - 1 ^ self._board
        self._rim = self._board & (_beside(outside) | _ROW | _ROW << 32 * (size - 1))
        self._free = self._board
        # Of each orientation its bits at (0, 0), and (pattern, shift) of each row.
        self._shape_bits = []
        self._rows = []
        for number, cells in enumerate(pieces.cells):
            bits = 0
            for cell in cells:
                bits |= 1 << ((cell >> 4) << 5 | cell & 15)
            self._shape_bits.append(bits)
            at = number * PLAN
            self._rows.append(
                [(pieces.plan[at + 2 + 2 * row], row * 32 + pieces.plan[at + 3 + 2 * row])
                 for row in range(pieces.plan[at])]
            )
        self._move_of = {bits: number << 10 for number, bits in enumerate(self._shape_bits)}
        self._shifts = [[k for k in range(1, 8) if pattern >> k & 1] for pattern in pieces.patterns]

    def put(self, colour, move):
        bits = self._shape_bits[move >> 10] << (move & 1023)
        self._free ^= bits
        self._own[colour] ^= bits
        if move < 1024:
            self._columns ^= bits

    def _column_squares(self, column):
        if column == NO_COLUMN:
            return 0
        squares = self._free & self._light
        if column >= AT_FRAME:
            squares &= ~_beside(self._columns)
            at = self._rim
            if column == AT_FRAME_OR_PIECE:
                at |= _beside(self._board & ~self._free & ~self._columns)
            squares &= at
        return squares

    def _legal(self, colour, hand):
        """(orientation, bits of its legal corners) of every shape in hand, those without any left out."""
        free = self._free
        beside = _beside(self._own[colour]) & free
        runs = []
        touching = []
        for shifts in self._shifts:
            run, touch = free, beside
            for shift in shifts:
                run &= free >> shift
                touch |= beside >> shift
            runs.append(run)
            touching.append(touch)
        first = self.pieces.first
        for shape in range(len(hand)):
            if hand[shape]:
                for orientation in range(first[shape], first[shape + 1]):
                    fit, touch = -1, 0
                    for pattern, shift in self._rows[orientation]:
                        fit &= runs[pattern] >> shift
                        touch |= touching[pattern] >> shift
                    fit &= touch
                    if fit:
                        yield orientation, fit

    def cover(self, colour, hand, column):
        covered = self._column_squares(column)
        count = _count(covered)
        for orientation, corners in self._legal(colour, hand):
            count += _count(corners)
            for cell in self.pieces.cells[orientation]:
                covered |= corners << ((cell >> 4) << 5 | cell & 15)
        self._set_map(covered)
        return count

    def any(self, colour, hand, column):
        if self._column_squares(column):
            return True
        for _ in self._legal(colour, hand):
            return True
        return False

    def moves(self, colour, hand, column):
        found = list(_each_bit(self._column_squares(column)))
        for orientation, corners in self._legal(colour, hand):
            base = (orientation << 10) - 1
            while corners:
                low = corners & -corners
                found.append(base + _length(low))
                corners ^= low
        return found

    def fits(self, move):
        bits = self._shape_bits[move >> 10] << (move & 1023)
        return bits & self._free == bits

    def touches(self, colour, move):
        bits = self._shape_bits[move >> 10] << (move & 1023)
        return bool(bits & _beside(self._own[colour]))

    def column_fits(self, move, column):
        return bool(self._column_squares(column) >> move & 1)

    def _bits_of(self, squares):
        bits = 0
        for square in squares:
            bits |= 1 << (square // self.size << 5 | square % self.size)
        return bits

    def match(self, squares):
        if not squares:
            return -1
        top = min(square // self.size for square in squares)
        left = min(square % self.size for square in squares)
        orientation = self._move_of.get(self._bits_of(squares) >> (top << 5 | left), -1)
        return orientation if orientation < 0 else orientation | top << 5 | left

    def grow(self, colour, hand, squares):
        wanted = self._bits_of(squares)
        count = covered = 0
        for orientation, corners in self._legal(colour, hand):
            shape = self._shape_bits[orientation]
            for corner in _each_bit(corners):
                bits = shape << corner
                if bits & wanted == wanted and bits != wanted:
                    count += 1
                    covered |= bits
        self._set_map(covered)
        return count

    def mark(self, target, at, width, value):
        for y in range(self.size):
            for x in _each_bit(self.map[y]):
                target[at + y * width + x] = value

    def _set_map(self, bits):
        for y in range(self.size):
            self.map[y] = bits >> 32 * y & _ROW


def _count(bits):
    return bin(bits).count("1")
