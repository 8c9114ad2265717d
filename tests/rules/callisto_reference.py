"""Callisto's move generator as a textbook has it: sets of squares, no bits. The reference, and slow."""

from shared_rules.polyomino import SHAPES

EDGES = ((1, 0), (-1, 0), (0, 1), (0, -1))


def turned(cells):
    """All sets of squares that turning and flipping makes of a shape, each with its corner at (0, 0)."""
    found = set()
    for flip in (1, -1):
        for turn in range(4):
            points = [(flip * x, y) for x, y in cells]
            for _ in range(turn):
                points = [(-y, x) for x, y in points]
            left, top = min(x for x, _ in points), min(y for _, y in points)
            found.add(frozenset((x - left, y - top) for x, y in points))
    return found


class Table:
    """A position as sets. options: the game's; play(seat, squares) puts a piece or a column down."""

    def __init__(self, facts, edition, players):
        """facts: callisto.json's object of the edition."""
        board = facts["boards"][str(players)]
        self.edition = edition
        self.size = board["size"]
        self.board = {
            (x, y) for y, (first, last) in enumerate(board["row_spans"]) for x in range(first, last + 1)
        }
        self.dark = {tuple(square) for square in board["dark"]}
        self.hands = [dict(facts["pieces"]) for _ in range(players)]
        self.columns = [set() for _ in range(players)]
        self.own = [set() for _ in range(players)]
        self.turned = {name: turned(SHAPES[name]) for name in facts["pieces"]}
        self.allowed = facts["columns"]

    def free(self):
        return self.board - set().union(*self.own)

    @staticmethod
    def beside(squares):
        return {(x + dx, y + dy) for x, y in squares for dx, dy in EDGES}

    def column_squares(self, seat):
        placed = len(self.columns[seat])
        if placed == self.allowed:
            return set()
        if self.edition == "2009":
            return self.free() - self.dark
        columns = set().union(*self.columns)
        pieces = set().union(*self.own) - columns
        found = set()
        for square in self.free():
            around = self.beside({square})
            at_frame = not around <= self.board
            if around & columns:
                continue
            if at_frame or placed >= 2 and around & pieces:
                found.add(square)
        return found

    def moves(self, seat):
        """The set of all legal moves, each a frozenset of squares."""
        found = {frozenset([square]) for square in self.column_squares(seat)}
        if len(self.columns[seat]) < 2:
            return found
        free = self.free()
        near = self.beside(self.own[seat])
        for name, count in self.hands[seat].items():
            if not count:
                continue
            for shape in self.turned[name]:
                for left in range(self.size):
                    for top in range(self.size):
                        squares = frozenset((left + x, top + y) for x, y in shape)
                        if squares <= free and squares & near:
                            found.add(squares)
        return found

    def play(self, seat, squares):
        self.own[seat] |= squares
        if len(squares) == 1:
            self.columns[seat] |= squares
            return
        left, top = min(x for x, _ in squares), min(y for _, y in squares)
        shape = frozenset((x - left, y - top) for x, y in squares)
        name = next(name for name in self.turned if shape in self.turned[name])
        self.hands[seat][name] -= 1
