"""Callisto, editions of 2009 and 2014: polyominoes and columns of two to four colours on one board.

    game = shared_rules.load("callisto", edition="2009", players=4)
    game.play(game.parse("n9"))

Options: edition, players, teams (two players with two colours each on the four-player board of 2009: seats 1
and 3 against 2 and 4; there are four seats), rules (other pieces, see piece_set.py), starter (seat from 1).

Squares are numbered y * size + x, x to the right, y down; their names count the rows from below (a1). A move
is an int, orientation << 10 | y << 5 | x with the corner of its box at (x, y); orientation 0 is a column.
"""

from . import cover
from .game import IllegalMove, check_seats, check_starter, settle_options
from .polyomino import COLUMN, SHAPES, PieceSet

# What else of this folder only this game uses: a chip forgets it with this module.
PARTS = ("cover", "cover_viper", "polyomino", "piece_set")
OPTIONS = {"edition": "2014", "players": 2, "teams": False, "rules": None, "starter": 1}
COLUMNS = 3
COLUMN_ROUNDS = 2
PIECES = {
    # rulebook of 2009: 18 pieces a colour, 68 squares
    "2009": (("2", 2), ("I3", 2), ("V3", 2), ("L4", 2), ("T4", 2), ("Z4", 2), ("O4", 2),
             ("U5", 1), ("T5", 1), ("W5", 1), ("X5", 1)),
    # 13 pieces a colour; the rulebook of 2014 does not draw them, so this is a guess: three colours with
    # their columns fill the 144 squares of the middle board exactly
    "2014": (("2", 2), ("I3", 2), ("V3", 2), ("L4", 2), ("T4", 1), ("Z4", 2), ("O4", 1), ("W5", 1)),
}  # fmt: skip
# size, and the length of the octagon's sides along the frame, by edition and seats
BOARDS = {
    "2009": {2: (16, 2), 3: (20, 2), 4: (20, 6)},
    "2014": {2: (10, 10), 3: (12, 12), 4: (14, 14)},
}
DARK = (6, 2)  # 2009's dark centre: size and side of an octagon in the middle
UNVERIFIED = "the rulebook of 2014 does not draw its pieces; this set is a guess until compared with a box"



def octagon(size, side):
    """Rows of bits (bit x the square in column x) of the octagon in a size x size box with such sides."""
    rows = []
    for y in range(size):
        start = max(0, (size - side) // 2 - min(y, size - 1 - y))
        rows.append(((1 << size - 2 * start) - 1) << start)
    return rows


class Game:
    """A game of Callisto. See game.py for what every game has; beyond that:

    size, pieces          squares along a side; the PieceSet of a colour
    board_key             which of the boards this is, "2009-4"
    cover                 cover.Cover: the fast questions
    hands, columns        of each seat: how many of each shape (bytearray), and of columns, are not placed
    owner                 bytearray, a square each: 0 free, 255 not on the board, 1 + seat under its piece,
                          9 + seat under its column
    out                   of each seat: whether it is out of this game
    ended_by              "end" once all are out, else None
    unverified            a sentence while nobody has compared the pieces with a box, else None
    """

    name = "callisto"

    def __init__(self, **options):
        self._start(options)

    def _start(self, options):
        self.options = options = settle_options(self.name, OPTIONS, options)
        edition = options["edition"] = str(options["edition"])
        if edition not in BOARDS:
            raise ValueError("there are the editions 2009 and 2014, not %s" % edition)
        if options["teams"] not in (True, False):
            raise ValueError("teams is true or false, not %s" % (options["teams"],))
        options["teams"] = bool(options["teams"])
        check_seats(self.name, options["players"], 2, 4)
        if options["teams"]:
            if edition != "2009":
                raise ValueError("teams play on the board of edition 2009")
            if options["players"] == 3:
                raise ValueError("teams are two players with two colours each, not 3 players")
            options["players"] = 4
        check_starter(options)
        self.players = options["players"]
        self.size, side = BOARDS[edition][self.players]
        self.board_key = "%s-%d" % (edition, self.players)
        self._inside = octagon(self.size, side)
        self._light = list(self._inside)
        if edition == "2009":
            edge = (self.size - DARK[0]) // 2
            for y, dark in enumerate(octagon(DARK[0], DARK[1])):
                self._light[edge + y] &= ~(dark << edge)
        self._set_pieces(options["rules"])
        self.cover = cover.make(self.pieces, self.size, self._inside, self._light)
        self.hands = [bytearray(self.pieces.counts) for _ in range(self.players)]
        self.columns = [self._columns_each] * self.players
        self.owner = bytearray(self.size * self.size)
        for y, row in enumerate(self._inside):
            for x in range(self.size):
                if not row >> x & 1:
                    self.owner[y * self.size + x] = 255
        self.out = [False] * self.players
        self.history = []
        self._outs = []  # seats that were out before each ply
        self._pass_to(options["starter"] - 1)

    def _set_pieces(self, rules):
        self.unverified = None
        if rules is None:
            self.pieces, self._columns_each = PieceSet(PIECES[self.options["edition"]], SHAPES), COLUMNS
            if self.options["edition"] == "2014":
                self.unverified = UNVERIFIED
        else:
            from .piece_set import read  # the chip has no use for it in most games

            self.pieces, self._columns_each, verified = read(rules, self.size, self.inside)
            if not verified:
                self.unverified = "the rules file does not say that its pieces were compared with a box"

    # The board

    def inside(self, x, y):
        """Whether a square belongs to the board."""
        return 0 <= x < self.size and 0 <= y < self.size and bool(self._inside[y] >> x & 1)

    def light(self, x, y):
        """Whether a square belongs to the board and not to its dark centre."""
        return self.inside(x, y) and bool(self._light[y] >> x & 1)

    def square_name(self, square):
        """Name of a square on this game's own board, a1 at the bottom left."""
        return "%s%d" % (chr(97 + square % self.size), self.size - square // self.size)

    def squares(self, move):
        """The squares of a move, top row first."""
        corner = (move >> 5 & 31) * self.size + (move & 31)
        return [corner + (cell >> 4) * self.size + (cell & 15) for cell in self.pieces.cells[move >> 10]]

    def shape(self, move):
        """The number of a move's shape in pieces.names; None for a column."""
        shape = self.pieces.shape[move >> 10]
        return None if shape == COLUMN else shape

    # Moves

    def column_rule(self, seat):
        """Which of cover's rules a column of this seat follows now."""
        placed = self._columns_each - self.columns[seat]
        if placed == self._columns_each:
            return cover.NO_COLUMN
        if self.options["edition"] == "2009":
            return cover.LIGHT_SQUARE
        return cover.AT_FRAME if placed < COLUMN_ROUNDS else cover.AT_FRAME_OR_PIECE

    def in_column_round(self, seat):
        """Whether this seat still has to place one of its first two columns."""
        return self._columns_each - self.columns[seat] < COLUMN_ROUNDS

    def playable(self, seat):
        """What cover's questions take for a seat: (seat, hand that it may use now, rule of its column)."""
        return seat, b"" if self.in_column_round(seat) else self.hands[seat], self.column_rule(seat)

    def legal(self):
        return [] if self.turn is None else self.cover.moves(*self.playable(self.turn))

    def census(self):
        """(number of legal moves, how many of them end the game)."""
        if self.turn is None:
            return 0, 0
        count = self.cover.cover(*self.playable(self.turn))
        following = (self.turn + 1) % self.players
        # A column takes away at most five squares from the next seat's column.
        if (
            self.in_column_round(self.turn)
            and self.in_column_round(following)
            and not self.out[following]
            and self.cover.cover(*self.playable(following)) > 5
        ):
            return count, 0
        ends = 0
        for move in self.legal():
            self.play(move)
            ends += self.turn is None
            self.undo()
        return count, ends

    def is_legal(self, move):
        return self.why_not(move) is None

    def why_not(self, move):
        if self.turn is None:
            return "the game is over"
        if not self._is_move(move):
            return "there is no such move"
        if move < 1024:
            return self._why_no_column(move)
        shape = self.pieces.shape[move >> 10]
        if self.in_column_round(self.turn):
            return "the first two rounds are for columns"
        if not self.hands[self.turn][shape]:
            return "no piece %s is left in this hand" % self.pieces.names[shape]
        if not self.cover.fits(move):
            return self._why_no_room(move)
        if not self.cover.touches(self.turn, move):
            if self._corners_touch(move):
                return "a corner is not enough: an edge must touch an own piece"
            return "the piece touches no own piece or column"
        return None

    def _is_move(self, move):
        return isinstance(move, int) and 0 <= move < len(self.pieces.cells) << 10

    def _why_no_room(self, move):
        for cell in self.pieces.cells[move >> 10]:
            x, y = (move & 31) + (cell & 15), (move >> 5 & 31) + (cell >> 4)
            if not self.inside(x, y):
                return "the piece lies beyond the edge of the board"
        for square in self.squares(move):
            if self.owner[square]:
                return "%s is taken" % self.square_name(square)

    def _corners_touch(self, move):
        diagonals = ((1, 1), (1, -1), (-1, 1), (-1, -1))
        return any([self._owned_by(x, y, self.turn) for x, y in self._around(move, diagonals)])

    def _owned_by(self, x, y, seat):
        return 0 <= x < self.size and 0 <= y < self.size and self.owner[y * self.size + x] & 247 == 1 + seat

    def _around(self, move, steps):
        for square in self.squares(move):
            for dx, dy in steps:
                yield square % self.size + dx, square // self.size + dy

    def _why_no_column(self, move):
        x, y = move & 31, move >> 5
        rule = self.column_rule(self.turn)
        if rule == cover.NO_COLUMN:
            return "no column is left in this hand"
        if not self.inside(x, y):
            return "the column stands beyond the edge of the board"
        square = y * self.size + x
        if self.owner[square]:
            return "%s is taken" % self.square_name(square)
        if self.cover.column_fits(move, rule):
            return None
        if rule == cover.LIGHT_SQUARE:
            return "no column in the dark centre"
        for beside_x, beside_y in self._around(move, ((1, 0), (-1, 0), (0, 1), (0, -1))):
            if self.inside(beside_x, beside_y) and self.owner[beside_y * self.size + beside_x] > 8:
                return "no column beside a column"
        if rule == cover.AT_FRAME:
            return "the first two columns stand at the frame"
        return "a column stands at the frame or beside a piece"

    def play(self, move):
        why = self.why_not(move)
        if why:
            raise IllegalMove(why)
        seat = self.turn
        self.history.append((seat, move))
        self._outs.append(list(self.out))
        self._put(seat, move, -1)
        self._pass_to((seat + 1) % self.players)

    def undo(self):
        seat, move = self.history.pop()
        self.out = self._outs.pop()
        self._put(seat, move, 1)
        self.turn, self.ended_by = seat, None
        return move

    def _put(self, seat, move, back):
        """Places a move (back -1) or takes it off again (back 1)."""
        self.cover.put(seat, move)
        shape = self.pieces.shape[move >> 10]
        content = seat + 1
        if shape == COLUMN:
            self.columns[seat] += back
            content = seat + 9
        else:
            self.hands[seat][shape] += back
        if back > 0:
            content = 0
        for square in self.squares(move):
            self.owner[square] = content

    def _pass_to(self, seat):
        """Gives the turn to this seat or the next that has a move; those without one are out for good."""
        self.turn, self.ended_by = None, "end"
        for _ in range(self.players):
            if not self.out[seat]:
                if self.cover.any(*self.playable(seat)):
                    self.turn, self.ended_by = seat, None
                    return
                self.out[seat] = True
            seat = (seat + 1) % self.players

    # Text

    def text(self, move):
        x, y = move & 31, self.size - (move >> 5 & 31)
        names, row, last = [], [], 0
        for cell in self.pieces.cells[move >> 10]:  # top row first: rows go in front of those before
            if cell >> 4 != last:
                names, row, last = row + names, [], cell >> 4
            row.append(chr(97 + x + (cell & 15)) + str(y - last))
        return ",".join(row + names)

    def parse(self, text):
        if not isinstance(text, str):
            raise IllegalMove("a move is a text such as l11,m11,n11,l12")
        squares = []
        for name in text.split(","):
            square = self._square(name)
            if square in squares:
                raise IllegalMove("the square %s is there twice" % name.strip())
            squares.append(square)
        move = self.cover.match(squares)
        if move < 0:
            raise IllegalMove("no piece of this game has the squares %s" % text[:60])
        return move

    def _square(self, name):
        name = name.strip().lower()
        x = ord(name[0]) - 97 if name else -1
        digits = name[1:]
        row = int(digits) if 1 <= len(digits) <= 2 and all(["0" <= digit <= "9" for digit in digits]) else 0
        if not self.inside(x, self.size - row) or digits[0] == "0":
            raise IllegalMove("%s is no square of this board" % (name[:20] or "nothing"))
        return (self.size - row) * self.size + x

    # Results and copies

    def penalty(self):
        """Squares of each seat's pieces that are not placed; columns cost nothing."""
        sizes = self.pieces.sizes
        return [sum([hand[shape] * sizes[shape] for shape in range(len(sizes))]) for hand in self.hands]

    def scores(self):
        """The penalty, negative; with teams each seat has its team's."""
        penalty = self.penalty()
        if self.options["teams"]:
            penalty = [penalty[0] + penalty[2], penalty[1] + penalty[3]] * 2
        return [-points for points in penalty]

    def ranking(self):
        """Fewest points first, and on a tie the seat that is later in this game's order."""
        if self.turn is not None:
            return None
        scores, starter = self.scores(), self.options["starter"] - 1
        if self.options["teams"]:
            first, second = starter % 2, 1 - starter % 2
            best = first if scores[first] > scores[second] else second
            return [[best, best + 2], [1 - best, 3 - best]]
        seats = [(starter + step) % self.players for step in range(self.players)]
        return sorted(seats, key=lambda seat: (-scores[seat], -((seat - starter) % self.players)))

    def snapshot(self):
        return {
            "game": self.name,
            "options": dict(self.options),
            "moves": [self.text(move) for _, move in self.history],
        }

    def restore(self, snapshot):
        self._start(snapshot["options"])
        for text in snapshot["moves"]:
            self.play(self.parse(text))

    def seen_by(self, seat):
        """Nothing is hidden in Callisto."""
        return self.snapshot()
