"""Callisto's inner loops in viper, a row of the board at a time. cover.py says what they answer.

A board of up to 24 x 24 squares is an array of 32-bit words, a word a row, bit x the column x. One shift and
one AND then test a row of an orientation for all columns at once:

    fit     = AND over the orientation's rows of (runs of free squares >> shift)
    touch   = OR over its rows of (squares beside an own piece, any of the row's, >> shift)
    legal   = fit & touch: bit x says that the orientation with its box's corner in column x is legal
    covered |= legal << shift, row by row

Most rows of most pieces look alike (1, 11, 111, 101), so the runs of each such pattern are made once a call.
cover_plain.py is the twin with the same answers; test_cover.py compares them.
"""

from array import array

import micropython

# In the kernels below 18 is polyomino.PLAN and 8 polyomino.LARGEST: viper takes no module's names.
MOST_COLOURS = 4
# Indices of Cover.sections, 32 words each; the word of row y is y + 1, so a row has both neighbours.
_FREE, _COLUMNS, _LIGHT, _RIM, _BOARD, _OWN = range(6)
# What _scan and _columns do with the legal squares of a row.
_FIRST, _COUNT, _LIST = range(3)


@micropython.viper
def _patterns(free: ptr32, own: ptr32, patterns: ptr8, number: int, runs_of: ptr32, beside_of: ptr32,
              covered_of: ptr32, last: int):
    """Fills a section a pattern: its free runs, the squares beside the colour, and zeros."""
    p = 0
    while p < number:
        runs = ptr32(uint(runs_of) + (p << 7))
        beside = ptr32(uint(beside_of) + (p << 7))
        covered = ptr32(uint(covered_of) + (p << 7))
        y = 1
        while y <= last:
            f = free[y]
            o = own[y]
            n = (own[y - 1] | own[y + 1] | (o << 1) | (o >> 1)) & f
            shift = 1
            bits = patterns[p] >> 1
            run = f
            any_beside = n
            while bits:
                if bits & 1:
                    run &= f >> shift
                    any_beside |= n >> shift
                shift += 1
                bits >>= 1
            runs[y] = run
            beside[y] = any_beside
            covered[y] = 0
            y += 1
        p += 1


# The first three of a viper function's variables live in registers: hence the arguments f, y, h.
@micropython.viper
def _scan(f: int, y: int, h: int, what: int, hand: ptr8, shape: ptr8, plan: ptr8, orientations: int,
          runs: ptr32, beside: ptr32, covered: ptr32, bits_in: ptr8, last: int, out: ptr32,
          count: int) -> int:
    """Goes through the legal placements of the pieces in hand, orientation by orientation, row by row.

    what: _FIRST stops at the first; _COUNT leaves the covered rows in covered; _LIST writes moves into out.
    Gives count + how many.
    """
    to_beside = uint(beside) - uint(runs)
    to_covered = uint(covered) - uint(runs)
    o = 1
    while o < orientations:
        if hand[shape[o]]:
            at = o * 18
            h = plan[at]
            p0 = uint(runs) + 4 + (plan[at + 2] << 7)
            s0 = plan[at + 3]
            p1 = p0
            s1 = 0
            p2 = p0
            s2 = 0
            if h > 1:
                p1 = uint(runs) + 8 + (plan[at + 4] << 7)
                s1 = plan[at + 5]
                if h > 2:
                    p2 = uint(runs) + 12 + (plan[at + 6] << 7)
                    s2 = plan[at + 7]
            end = (last - h) << 2
            y = 0
            while y <= end:
                f = ptr32(p0 + y)[0] >> s0
                if f:
                    if h > 1:
                        f &= ptr32(p1 + y)[0] >> s1
                        if h > 2:
                            f &= ptr32(p2 + y)[0] >> s2
                            row = 3
                            while row < h:
                                p = uint(runs) + (plan[at + 2 + row + row] << 7) + y + 4 + (row << 2)
                                f &= ptr32(p)[0] >> plan[at + 3 + row + row]
                                row += 1
                if f:
                    t = ptr32(p0 + to_beside + y)[0] >> s0
                    if h > 1:
                        t |= ptr32(p1 + to_beside + y)[0] >> s1
                        if h > 2:
                            t |= ptr32(p2 + to_beside + y)[0] >> s2
                            row = 3
                            while row < h:
                                p = uint(runs) + (plan[at + 2 + row + row] << 7) + y + 4 + (row << 2)
                                t |= ptr32(p + to_beside)[0] >> plan[at + 3 + row + row]
                                row += 1
                    f &= t
                    if f:
                        if what == 1:
                            count += bits_in[f & 255] + bits_in[(f >> 8) & 255] + bits_in[f >> 16]
                            p = p0 + to_covered + y
                            ptr32(p)[0] |= f << s0
                            if h > 1:
                                p = p1 + to_covered + y
                                ptr32(p)[0] |= f << s1
                                if h > 2:
                                    p = p2 + to_covered + y
                                    ptr32(p)[0] |= f << s2
                                    row = 3
                                    while row < h:
                                        p = uint(runs) + (plan[at + 2 + row + row] << 7) + y + 4 + (row << 2)
                                        p += to_covered
                                        ptr32(p)[0] |= f << plan[at + 3 + row + row]
                                        row += 1
                        elif what == 0:
                            return 1
                        else:
                            move = (o << 10) | (y << 3)
                            while f:
                                if f & 1:
                                    out[count] = move
                                    count += 1
                                f >>= 1
                                move += 1
                y += 4
        o += 1
    return count


@micropython.viper
def _spread(patterns: ptr8, number: int, covered_of: ptr32, cover: ptr32, last: int):
    """Adds to the map what _scan found covered: each pattern's starts, spread over its squares."""
    p = 0
    while p < number:
        covered = ptr32(uint(covered_of) + (p << 7))
        y = 1
        while y <= last:
            starts = covered[y]
            if starts:
                spread = starts
                shift = 1
                bits = patterns[p] >> 1
                while bits:
                    if bits & 1:
                        spread |= starts << shift
                    shift += 1
                    bits >>= 1
                cover[y - 1] |= spread
            y += 1
        p += 1


@micropython.viper
def _columns(free: ptr32, columns: ptr32, light: ptr32, rim: ptr32, board: ptr32, rule: int, what: int,
             bits_in: ptr8, last: int, cover: ptr32, out: ptr32) -> int:
    """The squares that a column may take: cover gets their rows, out the moves (_LIST). Gives how many."""
    count = 0
    y = 1
    while y <= last:
        f = 0
        if rule:
            f = free[y] & light[y]
        if rule > 1:
            c = columns[y]
            f &= ~(columns[y - 1] | columns[y + 1] | (c << 1) | (c >> 1))
            at = rim[y]
            if rule == 3:
                row = y - 1
                while row <= y + 1:
                    pieces = board[row] & ~free[row] & ~columns[row]
                    if row == y:
                        pieces = (pieces << 1) | (pieces >> 1)
                    at |= pieces
                    row += 1
            f &= at
        cover[y - 1] = f
        if f:
            if what == 2:
                move = (y - 1) << 5
                while f:
                    if f & 1:
                        out[count] = move
                        count += 1
                    f >>= 1
                    move += 1
            else:
                count += bits_in[f & 255] + bits_in[(f >> 8) & 255] + bits_in[f >> 16]
        y += 1
    return count


@micropython.viper
def _fits(free: ptr32, rows: ptr8, move: int, last: int) -> int:
    """Whether every square of a placement is free."""
    at = (move >> 10) << 3
    y = ((move >> 5) & 31) + 1
    row = 0
    while row < 8:
        bits = rows[at + row] << (move & 31)
        if bits:
            if y > last:
                return 0
            if bits & ~free[y]:
                return 0
        y += 1
        row += 1
    return 1


@micropython.viper
def _touches(own: ptr32, rows: ptr8, move: int) -> int:
    """Whether a placement within the board has an edge against the colour."""
    at = (move >> 10) << 3
    y = ((move >> 5) & 31) + 1
    row = 0
    while row < 8:
        bits = rows[at + row] << (move & 31)
        if bits:
            o = own[y]
            if bits & (own[y - 1] | own[y + 1] | (o << 1) | (o >> 1)):
                return 1
        y += 1
        row += 1
    return 0


@micropython.viper
def _mark(section: ptr32, rows: ptr8, move: int):
    """Turns a placement's bits of a section over."""
    at = (move >> 10) << 3
    y = ((move >> 5) & 31) + 1
    row = 0
    while row < 8:
        bits = rows[at + row]
        if bits:
            section[y] ^= bits << (move & 31)
        y += 1
        row += 1


@micropython.viper
def _match(squares: ptr32, rows: ptr8, orientations: int) -> int:
    """The move whose squares are exactly those of the rows of words squares[0..31]; -1: no shape has them."""
    top = 0
    while top < 32 and squares[top] == 0:
        top += 1
    if top == 32:
        return -1
    y = top
    every = 0
    while y < 32:
        if squares[y]:
            if y >= top + 8:
                return -1
            every |= squares[y]
        y += 1
    left = 0
    while not (every >> left) & 1:
        left += 1
    o = 0
    while o < orientations:
        row = 0
        while row < 8 and top + row < 32 and rows[(o << 3) + row] == squares[top + row] >> left:
            row += 1
        if row == 8:
            return (o << 10) | (top << 5) | left
        o += 1
    return -1


@micropython.viper
def _grow(free: ptr32, own: ptr32, hand: ptr8, shape: ptr8, rows: ptr8, plan: ptr8, orientations: int,
          squares: ptr32, x: int, y: int, last: int, cover: ptr32, size: int) -> int:
    """Legal placements that contain all squares (x, y one of them, size how many) and more; cover gets their
    squares. Only the placements through (x, y) are tried: as many an orientation as it has squares."""
    count = 0
    o = 1
    while o < orientations:
        if hand[shape[o]]:
            h = plan[o * 18]
            dy = 0
            while dy < h:
                dx = 0
                while dx < 8:
                    top = y - dy
                    left = x - dx
                    good = (rows[(o << 3) + dy] >> dx) & 1
                    if left < 0 or top < 0 or top + h > last:
                        good = 0
                    if good:
                        touch = 0
                        inside = 0
                        row = 0
                        while row < h:
                            bits = rows[(o << 3) + row] << left
                            at = top + row + 1
                            if bits & ~free[at]:
                                good = 0
                                break
                            c = own[at]
                            touch |= bits & (own[at - 1] | own[at + 1] | (c << 1) | (c >> 1))
                            both = bits & squares[at - 1]
                            while both:
                                both &= both - 1
                                inside += 1
                            row += 1
                        if inside != size or touch == 0:
                            good = 0
                    if good:
                        cells = 0
                        row = 0
                        while row < h:
                            bits = rows[(o << 3) + row]
                            while bits:
                                bits &= bits - 1
                                cells += 1
                            row += 1
                        if cells > size:
                            count += 1
                            row = 0
                            while row < h:
                                cover[top + row] |= rows[(o << 3) + row] << left
                                row += 1
                    dx += 1
                dy += 1
        o += 1
    return count


@micropython.viper
def _mark_map(rows: ptr32, size: int, target: ptr8, at: int, width: int, value: int):
    y = 0
    while y < size:
        bits = rows[y]
        x = at
        while bits:
            if bits & 1:
                target[x] = value
            bits >>= 1
            x += 1
        at += width
        y += 1


@micropython.viper
def _count_bits(table: ptr8):
    """table[v]: how many bits are set in v, for 0..255."""
    value = 1
    while value < 256:
        table[value] = table[value >> 1] + (value & 1)
        value += 1


class Cover:
    """See cover.py. An answer takes at most 3 ms on the RP2040, a list of 1000 moves 8 ms."""

    def __init__(self, pieces, size, inside, light):
        self.pieces = pieces
        self.size = size
        # Small blocks: on a heap in use a large one is hard to find.
        self.sections = [array("I", bytes(4 * 32)) for _ in range(_OWN + MOST_COLOURS)]
        self.map = array("I", bytes(4 * 32))
        self.squares = array("I", bytes(4 * 32))
        self._runs, self._beside, self._covered = [
            bytearray(4 * 32 * len(pieces.patterns)) for _ in range(3)
        ]
        self._none = array("I", [0])
        self._bits_in = bytearray(256)
        _count_bits(self._bits_in)
        for y in range(size):
            row = inside[y]
            self.sections[_BOARD][y + 1] = self.sections[_FREE][y + 1] = row
            self.sections[_LIGHT][y + 1] = light[y]
            inner = (row << 1) & (row >> 1)
            if 0 < y < size - 1:
                inner &= inside[y - 1] & inside[y + 1]
            else:
                inner = 0
            self.sections[_RIM][y + 1] = row & ~inner

    def put(self, colour, move):
        """Marks a placement, or takes a marked one away again."""
        rows = self.pieces.rows
        _mark(self.sections[_FREE], rows, move)
        _mark(self.sections[_OWN + colour], rows, move)
        if move < 1024:
            _mark(self.sections[_COLUMNS], rows, move)

    def _column_squares(self, column, what, out):
        """How many squares a column may take; map gets them, out the moves."""
        free, columns, light, rim, board = self.sections[:_OWN]
        return _columns(
            free, columns, light, rim, board, column, what, self._bits_in, self.size, self.map, out
        )

    def _run(self, what, colour, hand, out, count):
        pieces, last = self.pieces, self.size
        runs, beside, covered = self._runs, self._beside, self._covered
        _patterns(self.sections[_FREE], self.sections[_OWN + colour], pieces.patterns, len(pieces.patterns),
                  runs, beside, covered, last)
        return _scan(0, 0, 0, what, hand, pieces.shape, pieces.plan, len(pieces.cells), runs, beside, covered,
                     self._bits_in, last, out, count)

    def cover(self, colour, hand, column):
        """How many legal moves there are; map gets the squares that one of them covers."""
        count = self._column_squares(column, _COUNT, self._none)
        if hand:
            count = self._run(_COUNT, colour, hand, self._none, count)
            pieces = self.pieces
            _spread(pieces.patterns, len(pieces.patterns), self._covered, self.map, self.size)
        return count

    def any(self, colour, hand, column):
        """Whether there is a legal move."""
        if column and self._column_squares(column, _COUNT, self._none):
            return True
        return bool(hand and self._run(_FIRST, colour, hand, self._none, 0))

    def moves(self, colour, hand, column):
        """List of the legal moves: columns first, then orientation by orientation, row by row."""
        out = array("I", bytes(4 * self.cover(colour, hand, column)))
        count = self._column_squares(column, _LIST, out)
        if hand:
            self._run(_LIST, colour, hand, out, count)
        return list(out)

    def fits(self, move):
        """Whether the squares of a placement are all free."""
        return bool(_fits(self.sections[_FREE], self.pieces.rows, move, self.size))

    def touches(self, colour, move):
        """Whether a placement within the board has an edge against a colour's pieces or columns."""
        return bool(_touches(self.sections[_OWN + colour], self.pieces.rows, move))

    def column_fits(self, move, column):
        """Whether a column may stand there."""
        self._column_squares(column, _COUNT, self._none)
        y = move >> 5
        return y < self.size and bool(self.map[y] >> (move & 31) & 1)

    def _set(self, squares):
        """The rows of squares (numbers y * size + x) into self.squares; how many different ones."""
        rows, size = self.squares, self.size
        for y in range(size):
            rows[y] = 0
        count = 0
        for square in squares:
            bit = 1 << square % size
            if not rows[square // size] & bit:
                rows[square // size] |= bit
                count += 1
        return count

    def match(self, squares):
        """The move whose squares are exactly these numbers; -1 when they are no shape's."""
        self._set(squares)
        return _match(self.squares, self.pieces.rows, len(self.pieces.cells))

    def grow(self, colour, hand, squares):
        """How many legal placements contain these squares and more; map gets their squares."""
        count = self._set(squares)
        for y in range(self.size):
            self.map[y] = 0
        pieces, one = self.pieces, squares[0]
        free, own = self.sections[_FREE], self.sections[_OWN + colour]
        return _grow(free, own, hand, pieces.shape, pieces.rows, pieces.plan, len(pieces.cells), self.squares,
                     one % self.size, one // self.size, self.size, self.map, count)

    def mark(self, target, at, width, value):
        """Writes the value for each square of map into a bytearray with so many bytes a row."""
        _mark_map(self.map, self.size, target, at, width, value)
