"""Where every casteller of a game stands on a board: rack holes, columns on the fields, what lies beside it.

    places = Places(layout, width, size)
    places.follow(game)                the position, from the deal and the moves alone
    places.column(sq)                  [casteller, casteller, ...] from the bottom up

layout: bases, racks (the top left squares of their fields) and field (squares a side), as in config.json.

A casteller is its number in the rules, 0..34; equal ones are one and the same. So that a journal of moves is
enough to find everything again, the board says where things go: each new castell takes the next field; each
new column the next square of its field, every second square first, those on the rim last, because sensors all
around a column that feel no other tell best which one grew; each casteller that comes into a set the first free
rack hole; and what has no hole lies beside the board. Where hands chose another hole, choose() tells.
"""

from array import array

from .castellers_column import EMPTY, added, height, less, pieces, top
from .castellers_moves import IS_BUILD, IS_DRAW, IS_FALL, IS_GIVE, IS_TAKE, number

NOWHERE = 511  # no square: beside the board, or not sensed
BESIDE = -1
BASE = 16  # area of the first field; the areas 1 to 4 are the racks of the seats


def filling(side, width):
    """A field's squares from its top left one, in the order in which columns take them."""
    squares = array("H")
    for odd_x, odd_y in ((1, 1), (0, 0), (1, 0), (0, 1)):
        for y in range(odd_y, side, 2):
            for x in range(odd_x, side, 2):
                squares.append(y * width + x)
    return squares


class Places:
    """racks[seat]: array of the squares of the seat's holes.

    held[seat]     bytearray, the casteller + 1 in each of the holes, or 0
    beside[seat]   list of the castellers of the set that have no hole
    castells[seat] list of [field, column, column, ...]; a column is its int (castellers_column.py) << 9 | its square
    area           bytearray, a square each: 1 + seat of a rack, BASE + number of a field, 0 elsewhere
    plies          moves that the position has; last(): what the last of them did
    """

    def __init__(self, layout, width, size):
        side = layout["field"]
        self._bases = layout["bases"]
        self._order = filling(side, width)
        self._apart = (side // 2) ** 2  # as many squares of it are no neighbours of each other
        self._width = width
        self.area = bytearray(size)
        self.racks = []
        for seat, corners in enumerate(layout["racks"]):
            holes = array("H")
            for corner in corners:
                for at in range(side * side):
                    holes.append(corner + at // side * width + at % side)
            self.racks.append(holes)
            for sq in holes:
                self.area[sq] = 1 + seat
        for field, corner in enumerate(self._bases):
            for at in self._order:
                self.area[corner + at] = BASE + field
        self.plies = 0
        self._last = 0
        self._chosen = {}

    # The position

    def begin(self, game):
        """The deal, and nothing else."""
        self.held = [bytearray(len(holes)) for holes in self.racks]
        self.beside = [[] for _ in self.racks]
        self.castells = [[] for _ in range(game.players)]
        self.opened = 0
        self.plies = 0
        if not game.undealt:
            for seat in range(game.players):
                for name in game.options["deal"][seat]:
                    self._add(seat, number(name), -1)

    def follow(self, game):
        """The position of a game: from where it was followed to, after a take-back from the deal on."""
        history = game.history
        if len(history) < self.plies:
            self.begin(game)
        for ply in range(self.plies, len(history)):
            self._last = self._apply(game, ply, *history[ply])
        self.plies = len(history)

    def choices(self, holes):
        """All that hands chose: (ply from 1, taken, put) each, as choose() takes them."""
        self._chosen = {}
        for ply, taken, put in holes:
            self.choose(ply - 1, taken, put)

    def choose(self, ply, taken, put):
        """Hands took a casteller of move `ply` (from 0) from this hole and put one into that; None: as usual."""
        for key, sq in ((2 * ply, taken), (2 * ply + 1, put)):
            if sq is None:
                self._chosen.pop(key, None)
            else:
                self._chosen[key] = sq

    def last(self):
        """What the last move did: (square it left or NOWHERE, square it came to or NOWHERE, level there); or None.

        level: of the column where a casteller came onto it, or minus the level that it left.
        """
        if not self.plies:
            return None
        packed = self._last
        return packed & 511, packed >> 9 & 511, (packed >> 18) - 8

    def _apply(self, game, ply, seat, move):
        kind, piece, at, column = move >> 17, move >> 11 & 63, move >> 7 & 15, move & 127
        start = goal = NOWHERE
        level = 0
        if kind == IS_DRAW:
            goal = self._add(seat, piece, ply)
        elif kind == IS_GIVE:
            start = self._remove(seat, piece, ply)
            goal = self._add(at, piece, ply)
        elif kind in (IS_BUILD, IS_TAKE):
            owner = seat if kind == IS_BUILD else game.history[ply - 1][1] >> 7 & 15
            start = self._remove(owner, piece, ply)
            goal, level = self._stack(seat, at, column, piece)
        elif kind == IS_FALL:
            columns = self.castells[seat][at]
            start, standing = columns[column + 1] & 511, columns[column + 1] >> 9
            level = -height(standing)
            if level == -1:
                columns.pop(column + 1)
            else:
                columns[column + 1] = less(standing) << 9 | start
            goal = self._add(seat, top(standing), ply)
        return start & 511 | (goal & 511) << 9 | level + 8 << 18

    def _add(self, seat, piece, ply):
        holes, held = self.racks[seat], self.held[seat]
        at = self.hole(seat, self._chosen.get(2 * ply + 1))
        if at < 0 or held[at]:
            at = held.find(b"\0")
        if at < 0:
            self.beside[seat].append(piece)
            return NOWHERE
        held[at] = piece + 1
        return holes[at]

    def _remove(self, seat, piece, ply):
        holes, held = self.racks[seat], self.held[seat]
        sq = self._chosen.get(2 * ply)
        at = self.hole(seat, sq)
        if at < 0 or held[at] != piece + 1:
            at = held.find(bytes([piece + 1]))
        if at < 0 or (sq == BESIDE and piece in self.beside[seat]):
            self.beside[seat].remove(piece)
            return NOWHERE
        held[at] = 0
        return holes[at]

    def _stack(self, seat, at, column, piece):
        sq, level = self.target(seat, at, column)
        castells = self.castells[seat]
        if at == len(castells):
            castells.append([self.opened])
            self.opened += 1
        if column + 1 == len(castells[at]):
            castells[at].append(EMPTY << 9 | sq)
        castells[at][column + 1] = added(castells[at][column + 1] >> 9, piece) << 9 | sq
        return sq, level

    # Looking

    def hole(self, seat, sq):
        """The number of a seat's rack hole on a square, or -1."""
        holes = self.racks[seat]
        for at in range(len(holes)):
            if holes[at] == sq:
                return at
        return -1

    def target(self, seat, at, column):
        """(square, level) where a casteller on this column of the seat's castell would stand.

        (NOWHERE, 1) when its field has no square left for another column.
        """
        castells = self.castells[seat]
        if at == len(castells):
            return self.field(self.opened)[0], 1
        columns = castells[at]
        if column + 1 < len(columns):
            return columns[column + 1] & 511, height(columns[column + 1] >> 9) + 1
        used = self.squares(columns)
        for sq in self.field(columns[0]):
            if sq not in used:
                return sq, 1
        return NOWHERE, 1

    def field(self, number):
        """The squares of a field in the order in which columns take them."""
        corner = self._bases[number]
        apart = [corner + at for at in self._order[: self._apart]]
        first = [sq for sq in apart if not self.on_rim(sq)]
        later = [sq for sq in apart if self.on_rim(sq)]
        return first + later + [corner + at for at in self._order[self._apart :]]

    def on_rim(self, sq):
        """Whether a square lies on the board's rim, where fewer sensors feel what grows."""
        x, last = sq % self._width, len(self.area) - self._width
        return x == 0 or x == self._width - 1 or sq < self._width or sq >= last

    @staticmethod
    def squares(columns):
        """The squares of a castell's columns."""
        return [columns[index] & 511 for index in range(1, len(columns))]

    def column(self, sq):
        """The castellers on a square of a field, from the bottom up."""
        return pieces(self._standing(sq))

    def height(self, sq):
        """How many castellers stand on a square of a field."""
        return height(self._standing(sq))

    def _standing(self, sq):
        found = self.find(sq)
        return self.castells[found[0]][found[1]][found[2] + 1] >> 9 if found and found[2] >= 0 else EMPTY

    def find(self, sq):
        """(seat, castell, column) of a square of a field; column -1 where none stands; None: nobody's field."""
        field = self.area[sq] - BASE
        for seat in range(len(self.castells)):
            for at in range(len(self.castells[seat])):
                columns = self.castells[seat][at]
                if columns[0] == field:
                    for index in range(1, len(columns)):
                        if columns[index] & 511 == sq:
                            return seat, at, index - 1
                    return seat, at, -1
        return None

    def tall(self):
        """The columns of two and more, height << 9 | square each."""
        found = []
        for castells in self.castells:
            for columns in castells:
                for index in range(1, len(columns)):
                    high = height(columns[index] >> 9)
                    if high > 1:
                        found.append(high << 9 | columns[index] & 511)
        return found

    def free_hole(self, seat):
        """The square of the seat's first free rack hole, or NOWHERE."""
        at = self.held[seat].find(b"\0")
        return NOWHERE if at < 0 else self.racks[seat][at]

    def fill(self, wanted, piece, any_end):
        """Writes the position into a referee's wanted and piece (which are empty)."""
        for seat in range(len(self.racks)):
            holes, held = self.racks[seat], self.held[seat]
            for at in range(len(holes)):
                if held[at]:
                    wanted[holes[at]] = any_end
                    piece[holes[at]] = held[at]
        for castells in self.castells:
            for columns in castells:
                for sq in self.squares(columns):
                    wanted[sq] = any_end
