"""Callisto on a simulated table: each colour's polyominoes and columns, and what hands do with them.

Keys of the pieces are "1:T4.1", "1:T4.2", "1:column.1". They lie beside the board, each colour at its own
side. A place of a piece is (its first square on the board, all its squares): what stage.py calls a pole is
the squares here.
"""

from lodeboard.sim import polyominoes, stage
from shared_rules import callisto
from shared_rules.polyomino import SHAPES

COLUMN = "column"
ASIDE_MM = 60.0  # from the board's edge to the first row of pieces beside it
ASIDE_STEP_MM = 85.0
ASIDE_ROW = 7
SLIDE_MM = 3.0  # height of a piece that is dragged over the squares
SHADES = ((60, 120, 255), (240, 220, 0), (230, 50, 50), (40, 180, 70))
SIGNS = "1234"


class Stage(stage.Stage):
    """The pieces of all colours, and people who place them."""

    game_name = "callisto"
    mistakes = (
        "no_contact",
        "half_on_the_board",
        "between_squares",
        "slid_into_place",
        "turned_on_the_board",
        "with_a_sleeve",
        "last_lifted",
        "older_lifted",
        "two_pieces",
        "nudged",
    )

    def lay_out(self):
        options = {**self.options, "starter": 1}
        self.rules = callisto.Game(**options)
        self.pitch = self.board.pitch_mm
        self.corner = self._corner()
        self.pieces = {}  # (seat, shape's name or COLUMN) -> Pieces
        self._home = {}  # Piece -> where it lies beside the board
        pieces = self.rules.pieces
        given = (self.rules.options["rules"] or {}).get("shapes", {})
        for seat in range(self.rules.players):
            number = 0
            kinds = [(COLUMN, [(0, 0)], self.rules.columns[seat])]
            for name, count in zip(pieces.names, pieces.counts, strict=True):
                shape = given.get(name, SHAPES.get(name))
                shape = shape["cells"] if isinstance(shape, dict) else shape
                kinds.append((name, [tuple(cell) for cell in shape], count))
            for name, shape, count in kinds:
                for one in range(count):
                    piece = polyominoes.make(self.world, f"{seat + 1}:{name}.{one + 1}", shape, self.pitch)
                    self.pieces.setdefault((seat, name), []).append(piece)
                    self._beside(piece, seat, number)
                    number += 1
        self.magnet = self.world.add("sleeve", [(0.0, 0.0, 0.0)])

    def _corner(self):
        """(column, row) of the game's top left square on the board."""
        wanted = (self.rules.options["edition"], self.rules.players)
        for entry in self.board.data["layouts"]["callisto"]["boards"]:
            if (str(entry["edition"]), entry["players"]) == wanted:
                square = self.board.square(entry["origin"])
                return square % self.board.width, square // self.board.width
        raise ValueError(f"{self.board.name} has no board for {wanted[1]} players of edition {wanted[0]}")

    def _beside(self, piece, seat, number):
        """Lays a piece at its own place beside the board: each seat has a side."""
        along = (number % ASIDE_ROW + 0.5) * ASIDE_STEP_MM
        away = ASIDE_MM + number // ASIDE_ROW * ASIDE_STEP_MM
        right, bottom = self.board.width * self.pitch, self.board.height * self.pitch
        self._home[piece] = (
            (along, bottom + away), (-away, along), (right - along, -away), (right + away, bottom - along)
        )[seat]  # fmt: skip
        self.world.move(piece, *self._home[piece])

    def aside(self, piece):
        if piece is self.magnet:
            return -4 * ASIDE_STEP_MM, -4 * ASIDE_STEP_MM
        return self._home[piece]

    # Squares of the board and of the game

    def squares_of(self, move):
        """The board's squares (x, y) of a move."""
        left, top = self.corner
        size = self.rules.size
        return tuple(sorted((left + sq % size, top + sq // size) for sq in self.rules.squares(move)))

    def _place(self, squares):
        """A place as the base compares it: the first square's number, all squares."""
        first = min(squares, key=lambda square: (square[1], square[0]))
        return first[1] * self.board.width + first[0], tuple(sorted(squares))

    def _covered(self, piece):
        """The board's squares that a piece which stands covers; () while it is in a hand."""
        if not piece.on or piece.z >= 5:
            return ()
        return tuple(sorted(polyominoes.cells(piece, self.pitch)))

    def _on_board(self, squares):
        return any(0 <= x < self.board.width and 0 <= y < self.board.height for x, y in squares)

    def standing(self):
        found = {}
        for piece in self.world.pieces.values():
            squares = self._covered(piece)
            if squares and self._on_board(squares):
                found[piece] = self._place(squares)
        return found

    def square_under(self, piece):
        squares = [sq for sq in self._covered(piece) if self._on_board([sq])]
        return self._place(squares)[0] if squares else None

    def piece_on(self, square):
        at = (square % self.board.width, square // self.board.width)
        for piece in self.world.pieces.values():
            if at in self._covered(piece):
                return piece
        return None

    def places(self):
        """Which piece lies where by the game so far: one that lies right already, else one from beside."""
        if not self.game:
            return {}
        standing = self.standing()
        found, open_places = {}, []
        for seat, move in self.game.history:
            place = self._place(self.squares_of(move))
            for piece in self._kind(seat, move):
                if piece not in found and standing.get(piece) == place:
                    found[piece] = place
                    break
            else:
                open_places.append((seat, move, place))
        for seat, move, place in open_places:
            free = [piece for piece in self._kind(seat, move) if piece not in found]
            free.sort(key=lambda piece: (piece not in standing, piece not in self.hands.holding))
            found[free[0]] = place
        return found

    def _kind(self, seat, move):
        """The pieces of a seat that have a move's shape."""
        shape = self.rules.shape(move)
        return self.pieces[seat, COLUMN if shape is None else self.rules.pieces.names[shape]]

    def legal_positions(self):
        """The one move, if any, that what stands on the board is: others' moves are seen, not guessed."""
        known = {sq for _, move in self.game.history for sq in self.squares_of(move)}
        fresh = {sq for _, squares in self.standing().values() for sq in squares} - known
        left, top = self.corner
        size = self.rules.size
        if not fresh or not all(left <= x < left + size and top <= y < top + size for x, y in fresh):
            return
        move = self.game.cover.match([(y - top) * size + x - left for x, y in fresh])
        if move >= 0 and self.game.is_legal(move):
            yield move, self.standing()

    # How a screen draws it

    def face(self, piece):
        if piece is self.magnet:
            return "?", (160, 160, 160), None
        seat = int(piece.key[0]) - 1
        return ("o" if COLUMN in piece.key else SIGNS[seat]), SHADES[seat], seat

    def words(self, piece):
        if piece is self.magnet:
            return "a loose magnet"
        seat, name = piece.key.split(".")[0].split(":")
        return f"player {seat}'s {name}"

    def marks(self):
        """Dots on the game's squares, and dark ones in the centre of 2009."""
        marks = {}
        for y in range(self.rules.size):
            for x in range(self.rules.size):
                if self.rules.inside(x, y):
                    sq = (self.corner[1] + y) * self.board.width + self.corner[0] + x
                    marks[sq] = "." if self.rules.light(x, y) else ":"
        return marks

    # Moves

    def set_up(self):
        self.game = None
        for piece in list(self.standing()):
            yield from self._to_aside(piece)
        yield 100

    def lay_set_up(self):
        """At the start the board is empty."""

    def make(self, move):
        piece = self._from_hand(move)
        yield from self.bring(piece, *self._place(self.squares_of(move)))

    def _from_hand(self, move, seat=None):
        """A piece of a move's shape that does not lie on the board."""
        standing = self.standing()
        kind = self._kind(self.game.turn if seat is None else seat, move)
        return next((piece for piece in kind if piece not in standing), kind[0])

    def bring(self, piece, square, pole):
        """Lift a piece, turn it as its squares (pole) want it, and set it down there."""
        x, y, yaw, side = polyominoes.pose(piece, pole, self.pitch)
        yield from self.hands.lift(piece)
        if side != piece.pole:
            yield from self.hands.turn(piece)
        yield from self.hands.carry(piece, x, y)
        yield from self.hands.put(piece, x, y, yaw)

    def _put(self, square):
        at = (square % self.board.width, square // self.board.width)
        for piece, place in self.places().items():
            if at in place[1]:
                yield from self.bring(piece, *place)
                return

    def _turn_over(self, square):
        yield from self._take(square)

    def answer(self):
        text = self.eyes.text
        if not text.startswith("Straighten"):
            yield from self.put_home()  # nobody here wants to take back what the board asks about
        for piece, (_, squares) in self.standing().items():
            pose = polyominoes.pose(piece, squares, self.pitch)
            if pose:
                yield from self.hands.straighten(piece, *pose[:2])
                self.world.move(piece, *pose[:2], 0.0, pose[2])

    # What people do wrong. Each returns False when the position gives no occasion.

    def _look(self, low=700, high=1800):
        """The time until a person notices."""
        yield from self.hands.pause(low, high)

    def _free_spot(self, squares):
        """Whether no piece lies on these squares of the board."""
        taken = {sq for _, covered in self.standing().values() for sq in covered}
        return not taken & set(squares)

    def _shifted(self, squares, dx, dy):
        return tuple((x + dx, y + dy) for x, y in squares)

    def no_contact(self, move):
        """Sets the piece down where it touches nothing of its own, or in a place that is not allowed."""
        squares = self.squares_of(move)
        for _ in range(20):
            dx, dy = self.random.randint(-6, 6), self.random.randint(-6, 6)
            there = self._shifted(squares, dx, dy)
            inside = all(0 <= x < self.board.width and 0 <= y < self.board.height for x, y in there)
            if inside and (dx or dy) and self._free_spot(there):
                yield from self.bring(self._from_hand(move), *self._place(there))
                yield from self._look()
                return True
        return False

    def half_on_the_board(self, move):
        """Sets the piece down over the edge of the game's board."""
        squares = self.squares_of(move)
        step = self.random.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        left, top = self.corner
        for n in range(1, 24):
            there = self._shifted(squares, n * step[0], n * step[1])
            inside = [self.rules.inside(x - left, y - top) for x, y in there]
            if not all(inside):
                if not any(inside) or not self._free_spot(there) or not self._physical(there):
                    return False
                yield from self.bring(self._from_hand(move), *self._place(there))
                yield from self._look()
                return True
        return False

    def _physical(self, squares):
        """Whether every square has a sensor: over the board's own rim stands its case."""
        return all(0 <= x < self.board.width and 0 <= y < self.board.height for x, y in squares)

    def between_squares(self, move):
        """Sets the piece down half a square off, looks, and pushes it into place."""
        squares = self.squares_of(move)
        if not self._free_spot([*squares, *self._shifted(squares, 1, 0)]):
            return False
        piece = self._from_hand(move)
        x, y, yaw, side = polyominoes.pose(piece, self.squares_of(move), self.pitch)
        yield from self.hands.lift(piece)
        if side != piece.pole:
            yield from self.hands.turn(piece)
        off = self.random.uniform(6, 10)
        yield from self.hands.carry(piece, x + off, y)
        yield from self.hands.put(piece, x + off, y, yaw, sloppiness=0)
        yield from self._look()
        yield from self.hands.straighten(piece, x, y)
        self.world.move(piece, x, y, 0.0, yaw)
        yield from self._look(500, 700)
        return True

    def slid_into_place(self, move):
        """Drags the piece low over the board, from its edge to the place that is meant."""
        piece = self._from_hand(move)
        x, y, yaw, side = polyominoes.pose(piece, self.squares_of(move), self.pitch)
        yield from self.hands.lift(piece)
        if side != piece.pole:
            yield from self.hands.turn(piece)
        edge_x = -70.0 if self._home[piece][0] < x else self.board.width * self.pitch + 70.0
        yield from self.hands.carry(piece, edge_x, y)
        yield from self.hands.put(piece, edge_x, y, yaw, sloppiness=0)
        self.world.move(piece, edge_x, y, SLIDE_MM, yaw)
        self.hands.holding.append(piece)
        yield from self.hands.carry(piece, x, y, SLIDE_MM)
        yield from self.hands.put(piece, x, y, yaw)
        yield from self._look(600, 900)
        return True

    def turned_on_the_board(self, move):
        """Sets the piece down the wrong way round, lifts it and turns it."""
        squares = self.squares_of(move)
        left, top = min(x for x, _ in squares), min(y for _, y in squares)
        there = tuple((left + y - top, top + x - left) for x, y in squares)
        if sorted(there) == sorted(squares) or not self._free_spot(there) or not self._physical(there):
            return False
        piece = self._from_hand(move)
        yield from self.bring(piece, *self._place(there))
        yield self.random.uniform(50, 300)
        yield from self.bring(piece, *self._place(squares))
        yield from self._look(600, 900)
        return True

    def with_a_sleeve(self, move):
        """Sets the right piece down with a magnet in a sleeve beside it, which then goes away."""
        squares = self.squares_of(move)
        x, y = self.random.choice(squares)
        there = (x + self.random.choice((-1, 1)), y)
        if not self._physical([there]) or not self._free_spot([there, *squares]) or there in squares:
            return False
        if self._is_column(there):
            return False  # a magnet that lies alone where a column may stand is a column to the board
        cx, cy = (there[0] + 0.5) * self.pitch, (there[1] + 0.5) * self.pitch
        magnet = self.magnet
        self.world.move(magnet, cx, cy, 60)
        yield from self.hands.carry(magnet, cx + 4, cy, self.random.uniform(0, 6))
        yield from self.bring(self._from_hand(move), *self._place(squares))
        yield from self._look(200, 900)
        yield from self.hands.carry(magnet, cx, cy, 60)
        self.world.remove(magnet)
        yield from self._look()
        return True

    def _is_column(self, square):
        """Whether a column could be placed on a square of the board."""
        x, y = square[0] - self.corner[0], square[1] - self.corner[1]
        return self.rules.inside(x, y) and self.game.is_legal(y << 5 | x)

    def _last_and_older(self):
        """(the piece of the last move, the others on the board)."""
        places = self.places()
        if not self.game.history:
            return None, []
        last = self._place(self.squares_of(self.game.history[-1][1]))
        return (
            next((piece for piece, place in places.items() if place == last), None),
            [piece for piece, place in places.items() if place != last],
        )

    def _lift_and_back(self, piece):
        place = self.places()[piece]
        yield from self.hands.lift(piece)
        yield from self._look()
        yield from self.bring(piece, *place)
        yield from self._look(300, 500)

    def last_lifted(self, move):
        """Lifts the last piece, and puts it back."""
        piece = self._last_and_older()[0]
        if piece is None:
            return False
        yield from self._lift_and_back(piece)
        return True

    def older_lifted(self, move):
        """Lifts an older piece to see what is under it, and puts it back."""
        older = self._last_and_older()[1]
        if not older:
            return False
        yield from self._lift_and_back(self.random.choice(older))
        return True

    def two_pieces(self, move):
        """Sets a column down somewhere beside the piece that is meant."""
        if self.rules.shape(move) is None:
            return False
        columns = [piece for piece in self.pieces[self.game.turn, COLUMN] if piece not in self.standing()]
        squares = self.squares_of(move)
        spots = [(x + dx, y + dy) for x, y in squares for dx, dy in ((3, 0), (-3, 0), (0, 3), (0, -3))]
        spots = [spot for spot in spots if self._physical([spot]) and self._free_spot([spot, *squares])]
        if not columns or not spots:
            return False
        yield from self.bring(columns[0], *self._place([self.random.choice(spots)]))
        yield from self.bring(self._from_hand(move), *self._place(squares))
        yield from self._look()
        return True

    def nudged(self, move):
        """Bumps against a piece that lies on the board."""
        standing = list(self.standing())
        if not standing:
            return False
        piece = self.random.choice(standing)
        yield from self.hands.nudge(piece, self.random.uniform(1, 3))
        yield from self._look(100, 300)
        place = self.places().get(piece)
        if place and self.standing().get(piece) == place:
            x, y, yaw, _ = polyominoes.pose(piece, place[1], self.pitch)
            self.world.move(piece, x, y, 0.0, yaw)
        return True
