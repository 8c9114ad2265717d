"""Polyominoes: the shapes, their orientations, and the tables that Callisto's inner loops read.

    pieces = PieceSet([("2", 2), ("V3", 1)], SHAPES)
    pieces.cells[pieces.first[1]]        the squares of V3's first orientation

An orientation is a distinct set of squares, packed one byte a square (y << 4 | x) with its box at (0, 0).
Orientation 0 is a single square: Callisto's column. Orientations follow in the order of the shapes.
"""

# Rulebook of 2009, its picture of the pieces: [x, y], y down, one of the orientations of each.
SHAPES = {
    "2": ((0, 0), (1, 0)),
    "I3": ((0, 0), (1, 0), (2, 0)),
    "V3": ((0, 0), (1, 0), (0, 1)),
    "L4": ((0, 0), (1, 0), (2, 0), (0, 1)),
    "T4": ((0, 0), (1, 0), (2, 0), (1, 1)),
    "Z4": ((0, 0), (1, 0), (1, 1), (2, 1)),
    "O4": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "U5": ((0, 0), (2, 0), (0, 1), (1, 1), (2, 1)),
    "T5": ((0, 0), (1, 0), (2, 0), (1, 1), (1, 2)),
    "W5": ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2)),
    "X5": ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2)),
}

LARGEST = 8  # squares of a piece: its box fits 8 rows of 8 bits
PLAN = 2 + 2 * LARGEST  # bytes of an orientation in PieceSet.plan
COLUMN = 255  # PieceSet.shape of orientation 0


def packed(cells):
    """Squares (x, y) moved to the corner, one sorted byte a square."""
    left = min([x for x, y in cells])
    top = min([y for x, y in cells])
    return bytes(sorted([(y - top) << 4 | (x - left) for x, y in cells]))


def orientations(cells):
    """Every distinct set of squares that turning and flipping makes of a shape, sorted, packed."""
    found = []
    for _ in range(2):
        for _ in range(4):
            cells = [(-y, x) for x, y in cells]
            one = packed(cells)
            if one not in found:
                found.append(one)
        cells = [(-x, y) for x, y in cells]
    return sorted(found)


def connected(cells):
    """Whether the squares (x, y) hang together by their edges."""
    left = list(cells)
    reached = [left.pop()]
    for x, y in reached:
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in left:
                left.remove(near)
                reached.append(near)
    return not left


def check_cells(key, cells):
    """The squares of a shape from outside as tuples (x, y). ValueError names the key and what is wrong."""
    if not isinstance(cells, (list, tuple)) or not cells:
        raise ValueError("%s: the squares are a list of [x, y]" % key)
    found = []
    for cell in cells:
        if not isinstance(cell, (list, tuple)) or len(cell) != 2:
            raise ValueError("%s: a square is [x, y], not %s" % (key, cell))
        for part in cell:
            if not isinstance(part, int) or isinstance(part, bool) or not -99 <= part <= 99:
                raise ValueError("%s: a square is [x, y] in whole numbers, not %s" % (key, cell))
        if tuple(cell) in found:
            raise ValueError("%s: the square %s is there twice" % (key, list(cell)))
        found.append(tuple(cell))
    if not 2 <= len(found) <= LARGEST:
        raise ValueError("%s: a piece has 2 to %d squares, not %d" % (key, LARGEST, len(found)))
    if not connected(found):
        raise ValueError("%s: the squares do not hang together by their edges" % key)
    return tuple(found)


class PieceSet:
    """A colour's pieces and the tables of their orientations.

    names, counts, sizes      of each shape: its name, how many a colour has, its squares
    first                     of each shape: its first orientation (one more entry: the end)
    cells, shape              of each orientation: its packed squares, its shape (COLUMN for orientation 0)
    patterns                  the distinct rows of all orientations as bits, lowest bit set
    plan                      PLAN bytes an orientation: rows, width, then pattern and shift of each row
    rows                      LARGEST bytes an orientation: the bits of each row
    """

    def __init__(self, pieces, shapes):
        self.names = [name for name, _ in pieces]
        self.counts = bytes([count for _, count in pieces])
        self.sizes = bytes([len(shapes[name]) for name in self.names])
        self.cells = [b"\0"]
        shape = [COLUMN]
        first = []
        for number, name in enumerate(self.names):
            first.append(len(self.cells))
            for one in orientations(shapes[name]):
                self.cells.append(one)
                shape.append(number)
        first.append(len(self.cells))
        self.shape = bytes(shape)
        self.first = bytes(first)
        self.rows = bytearray(len(self.cells) * LARGEST)
        self.plan = bytearray(len(self.cells) * PLAN)
        self.patterns = []
        for number, cells in enumerate(self.cells):
            self._tabulate(number, cells)
        self.patterns = bytes(self.patterns)

    def _tabulate(self, number, cells):
        base = number * LARGEST
        for cell in cells:
            self.rows[base + (cell >> 4)] |= 1 << (cell & 15)
        at = number * PLAN
        self.plan[at] = 1 + max([cell >> 4 for cell in cells])
        self.plan[at + 1] = 1 + max([cell & 15 for cell in cells])
        for row in range(self.plan[at]):
            bits, shift = self.rows[base + row], 0
            while not bits & 1:
                bits >>= 1
                shift += 1
            if bits not in self.patterns:
                self.patterns.append(bits)
            self.plan[at + 2 + 2 * row] = self.patterns.index(bits)
            self.plan[at + 3 + 2 * row] = shift
