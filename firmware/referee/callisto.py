"""The referee of Callisto: a move is the set of squares that became occupied while nothing else changed.

Whose a piece is, is whose turn it is; which piece it is, its shape tells; so only occupied squares count, of
either pole, but one piece shows one pole on all its squares. A set that is a legal piece and that no larger
legal piece contains counts as soon as it was set down (table.settled); any other waits until nothing has
changed for SETTLE_MS, and so does a piece that came over other squares.
"""

from shared_rules import cover

from .. import lights as li
from .base import ANY
from .base import Referee as Base

SETTLE_MS = 400  # a set that could still grow, or that slid, counts when nothing changed for so long
HOLD_MS = 100  # a piece that came to its place is not lit in between
SLID_MS = 500  # a piece that came over other squares left the last of them so shortly before
GRACE_MS = 1500  # a piece that leaves its new squares so soon was still on its way
LATE_MS = 120  # squares that follow a move so soon belong to its piece
HINT_MS = 6000
OUT_MS = 4000

OPTIONS = (
    ("edition", "Edition", ("2014", "2009")),
    ("players", "Players", (2, 3, 4)),
    ("teams", "Two colours each", (False, True)),
)

COLOURS = (li.BLUE, li.YELLOW, li.RED, li.GREEN)  # of the seats, where the lights tell whose a square is


class Referee(Base):
    """Callisto on the table.

    WORK_MS: in place of rest.py's: playing and looking for the next moves takes longer on the chip; a set of
    squares that is a legal piece is better evidence than one stick.
    """

    WORK_MS = 25

    def __init__(self, table, game, layout):
        super().__init__(table, game, layout)
        self.corner, self.side = layout["boards"][game.board_key]
        self.filled_at = 0  # when the first square filled since the board stood right; 0: none did
        self.left_at = 0  # when the first square was emptied since then; 0: none was
        self.emptied_at = -SLID_MS  # when a square was last emptied
        self.told_out = list(game.out)
        self.hint_shape = -1  # the shape that HINT shows; the number of shapes is the column
        self._laid = 0
        self._read = None  # of the squares last read: (what decides, what it means)
        self.has_map = False  # whether cover.map still is of that

    # Squares of the board and of the game

    def board_square(self, square):
        """The board's number of a game's square."""
        return self.corner + square // self.side * self.table.width + square % self.side

    def game_square(self, sq):
        """The game's number of a board's square, or -1 beside the game's board."""
        width = self.table.width
        x = sq % width - self.corner % width
        y = sq // width - self.corner // width
        if not self.game.inside(x, y):
            return -1
        return y * self.side + x

    def place_name(self, sq):
        square = self.game_square(sq)
        if square < 0:
            return "square " + self.table.square_name(sq)
        return self.game.square_name(square)

    def squares_of(self, move):
        """The board's squares of a move."""
        return [self.board_square(square) for square in self.game.squares(move)]

    # The position

    def lay(self):
        game, wanted = self.game, self.wanted
        if len(game.history) == self._laid + 1:
            for sq in self.squares_of(game.history[-1][1]):
                wanted[sq] = ANY
        else:
            self.clear_wanted()
            for square in range(len(game.owner)):
                if 0 < game.owner[square] < 255:
                    wanted[self.board_square(square)] = ANY
        self._laid = len(game.history)

    def lay_setup(self):
        self.clear_wanted()
        self._laid = 0

    def step(self, now, changed, before, edge):
        for sq in changed:
            if before[sq]:
                self.left_at = self.left_at or now
                self.emptied_at = now
            else:
                self.filled_at = self.filled_at or now
        super().step(now, changed, before, edge)

    def stands_right(self):
        """Board and game agree: the next squares are a new piece."""
        self.filled_at = self.left_at = 0
        self.table.track.forget_air()
        self.at_rights()

    # What hands mean

    def judge_turn(self, now):
        if not self.differs():
            self.stands_right()
            self.show_turn(now)
        elif self.put:
            self.lifted(now)
        elif not self.late(now):
            self.arrived(now, self.take)

    def rested(self, now, ms):
        """Whether the board rests and nothing has changed for so long."""
        if now - self.table.changed_at < ms:
            self.wake_at(self.table.changed_at + ms)
            return False
        return self.table.settled

    def came_over_others(self):
        """Whether a square was emptied just before these filled: a slide, or the end of a muddle."""
        return self.filled_at - self.emptied_at < SLID_MS

    def read(self, squares):
        """(move, why not, how many larger legal placements) of occupied squares, for the seat in turn.

        move: None when the squares are no piece; larger: 0 also where nothing may be placed; cover.map then
        has the squares of the larger ones.
        """
        game, seen = self.game, self.table.seen
        own = []
        for sq in squares:
            square = self.game_square(sq)
            if square < 0:
                return None, "there is no board on " + self.table.square_name(sq), 0
            if seen[sq] != seen[squares[0]]:
                return None, "one piece at a time", 0
            own.append(square)
        seat, hand, _ = game.playable(game.turn)
        larger = game.cover.grow(seat, hand, own) if hand else 0
        if self.wish is not None or self.table.seat_by[seat] == "host":
            larger = self.grows_to_wish(own)
        move = game.cover.match(own)
        if move < 0:
            return None, "no piece has this shape" if hand else "the first two rounds are for columns", larger
        return move, game.why_not(move) or self.may_play(move), larger

    def read_once(self, squares):
        """As read() while the board moves; at rest the same question gets the same answer, without its map.

        It spares 3 ms between the last square and the next turn's lights.
        """
        decides = (tuple(squares), len(self.game.history), self.wish, self.table.seat_by[self.game.turn])
        self.has_map = not self.table.settled or self._read is None or self._read[0] != decides
        if self.has_map:
            self._read = decides, self.read(squares)
        return self._read[1]

    def grows_to_wish(self, own):
        """1 where these squares are part of the move that the host asks for; cover.map gets that."""
        rows = self.game.cover.map
        for y in range(self.side):
            rows[y] = 0
        if self.wish is None:
            return 0
        wanted = self.game.squares(self.wish)
        for square in own:
            if square not in wanted:
                return 0
        for square in wanted:
            rows[square // self.side] |= 1 << square % self.side
        return 1 if len(wanted) > len(own) else 0

    def arrived(self, now, squares):
        """Squares filled and nothing else changed: a move, a piece on its way, or something wrong."""
        move, why, larger = self.read_once(squares)
        legal = move is not None and why is None
        at_once = legal and not larger and not self.came_over_others()
        if not (self.table.settled if at_once else self.rested(now, SETTLE_MS)):
            if at_once and self.table.rest.answering(now):
                self.wake_at(now + HOLD_MS)  # a frame now would hold up the next turn's lights, which are near
            elif legal or larger:
                self.show_growing(squares, legal)
            elif not self.left_at:
                self.refuse(now, why, squares, move)
        elif not legal:
            self.refuse(now, why, squares, move)
        elif self.askew(squares):
            self.straighten(squares)
        else:
            self.commit(now, move)

    def askew(self, squares):
        return [sq for sq in self.table.weak if sq in squares]

    def straighten(self, squares):
        self.table.lights.clear()
        for sq in self.askew(squares):
            self.table.lights.role[sq] = li.STRAIGHTEN
        self.show("PENDING", "Straighten the piece on %s." % self.place_name(self.askew(squares)[0]))

    # Taking back by hand

    def last_squares(self):
        return self.squares_of(self.game.history[-1][1]) if self.game.history else []

    def lifted(self, now):
        """Squares of the position are empty: the last piece, taken back or moved on, or an older one."""
        last = self.last_squares()
        for sq in self.put:
            if sq not in last:
                self.guide(now)
                return
        stands = self.take + [sq for sq in last if sq not in self.put]
        if not stands:
            self.question = "back"
            self.ask_back("Take back %s? OK, or put it back." % self.game.text(self.game.history[-1][1]))
        elif not self.take:
            self.partly(now, stands)
        elif not self.table.settled:
            self.wake_at(self.table.changed_at + SETTLE_MS)
        else:
            self.moved_on(now, stands)

    def ask_back(self, text):
        self.table.lights.clear()
        for sq in self.last_squares():
            self.table.lights.role[sq] = li.SOURCE
        self.show("PENDING", text)

    def partly(self, now, stands):
        """Some squares of the last piece do not see it: it is being lifted, or stands askew."""
        if self.rested(now, SETTLE_MS):
            self.guide(now, "Straighten the piece on %s, or take it away." % self.place_name(stands[0]))

    def guide_text(self):
        """An older piece of which some squares are still seen was not taken away: it was pushed aside."""
        if not self.take and self.put:
            for seat, move in self.game.history:
                squares = self.squares_of(move)
                if self.put[0] in squares and any([self.table.seen[sq] for sq in squares]):
                    return "Straighten the piece on %s." % self.place_name(self.put[0])
        return super().guide_text()

    def moved_on(self, now, stands):
        """The last piece stands elsewhere: taken back and played anew."""
        seat = self.game.history[-1][0]
        move = self.instead(stands)
        if move is None or self.table.seat_by[seat] == "host":
            self.guide(now)
        elif self.left_at - self.moved_at <= GRACE_MS:
            self.play_instead(now, move)
        else:
            self.question = move
            self.ask_back("Take back and play %s? OK, or put it back." % self.game.text(move))

    def instead(self, stands):
        """The legal move that these squares are in place of the last, or None."""
        seat, last = self.game.history[-1]
        self.game.undo()
        move, why, _ = self.read(stands)
        if why is not None:
            move = None
        self.game.play(last)
        return move

    def late(self, now):
        """Squares that follow a move at once: the piece was larger than it seemed. Whether that was it."""
        if not self.game.history or self.filled_at - self.moved_at > LATE_MS:
            return False
        seat = self.game.history[-1][0]
        stands = self.take + self.last_squares()
        own = [self.game_square(sq) for sq in stands]
        if min(own) < 0 or self.game.cover.match(own) < 0 or self.table.seat_by[seat] == "host":
            return False
        self.take_last_back(now)
        self.lay()
        self.compare()
        self.arrived(now, self.take)
        return True

    def take_last_back(self, now):
        """The last move is undone in rules and journal; the board shows another already."""
        seat = self.game.history[-1][0]
        move = self.game.undo()
        self.table.emit(
            {"t": "undo", "g": self.game.name, "s": seat + 1, "m": self.game.text(move),
             "ply": len(self.game.history)}, True,
        )

    def play_instead(self, now, move):
        self.take_last_back(now)
        self.lay()
        self.commit(now, move)

    def yes(self, now):
        if self.question == "back":
            self.undo_by_hand(now)
        else:
            self.play_instead(now, self.question)

    def no(self, now):
        self.table.whisper(now, "Put it back")

    # Lights and words of a turn

    def light_map(self, role):
        """Gives the squares of cover.map a role."""
        self.game.cover.mark(self.table.lights.role, self.corner, self.table.width, role)

    def show_turn(self, now):
        table, seat = self.table, self.game.turn
        table.lights.clear()
        for sq in self.last_squares():
            table.lights.role[sq] = li.LAST
        if self.wish is not None:
            for sq in self.squares_of(self.wish):
                table.lights.role[sq] = li.ASK
            text = "%s: %s." % (table.seat_name(seat), self.describe(self.wish))
        elif table.seat_by[seat] == "host":
            text = "%s thinks." % table.seat_name(seat)
        elif self.hint_until > now:
            self.wake_at(self.hint_until)
            text = self.show_hint()
        else:
            text = self.show_allowed(seat)
        for sq in table.weak:
            table.lights.role[sq] = li.STRAIGHTEN
        self.show("TURN", text + self.out_text() + self.unverified_text())

    def show_allowed(self, seat):
        """Lights where the seat may go: column squares, or what its pieces can cover; the turn's sentence."""
        game, name = self.game, self.table.seat_name(seat)
        if game.in_column_round(seat):
            game.cover.cover(*game.playable(seat))
            self.light_map(li.LEGAL)
            return "%s: place a column." % name
        if game.cover.cover(seat, game.hands[seat], cover.NO_COLUMN):
            self.light_map(li.REACH)
            return "%s to move." % name
        game.cover.cover(seat, b"", game.column_rule(seat))
        self.light_map(li.LEGAL)
        return "%s: only the column is left." % name

    def show_growing(self, squares, legal):
        """A piece is going down: lights what it can still become."""
        role = self.table.lights.role
        self.table.lights.clear()
        larger = self._read[1][2] if self.has_map else self.read(squares)[2]
        if larger:
            self.light_map(li.REACH)
        for sq in squares:
            role[sq] = li.LEGAL if legal else li.SOURCE
        self.show("PENDING", "Let go of the piece." if legal else "Set the whole piece down.")

    def describe(self, move):
        shape = self.game.shape(move)
        piece = "column" if shape is None else self.game.pieces.names[shape]
        return "%s on %s" % (piece, self.game.text(move))

    def out_text(self):
        out = [self.table.seat_name(seat) for seat in range(self.game.players) if self.game.out[seat]]
        return " Out: %s." % ", ".join(out) if out else ""

    def unverified_text(self):
        return " Pieces unverified." if self.game.unverified and not self.game.history else ""

    def setup_text(self):
        return super().setup_text() + self.unverified_text()

    def moved(self, now, seat, move):
        """Who is out now is announced."""
        fresh = []
        for other in range(self.game.players):
            if self.game.out[other] and not self.told_out[other]:
                fresh.append(self.table.seat_name(other))
        self.told_out = list(self.game.out)
        if fresh and self.game.turn is not None:
            self.table.whisper(now, "Out now: " + ", ".join(fresh), OUT_MS)

    # HINT: own unplaced shapes, one after the other

    def hint(self, now):
        self.hint_until = now + HINT_MS
        names = len(self.game.pieces.names)
        for _ in range(names + 1):
            self.hint_shape = (self.hint_shape + 1) % (names + 1)
            if self.find_hint():
                return

    def find_hint(self):
        """How many places the hinted shape has; cover.map gets their squares."""
        game, seat = self.game, self.game.turn
        if self.hint_shape == len(game.pieces.names):
            return game.cover.cover(seat, b"", game.column_rule(seat))
        if game.in_column_round(seat) or not game.hands[seat][self.hint_shape]:
            return 0
        alone = bytearray(len(game.pieces.names))
        alone[self.hint_shape] = 1
        return game.cover.cover(seat, alone, cover.NO_COLUMN)

    def show_hint(self):
        places = self.find_hint()
        self.light_map(li.ASK)
        names = self.game.pieces.names
        name = names[self.hint_shape] if self.hint_shape < len(names) else "Column"
        return "%s: %d %s. HINT: next." % (name, places, "place" if places == 1 else "places")

    # The end, and matches

    def extra_result(self):
        return {"penalty": self.game.penalty()}

    def over_text(self):
        by, ranking = self.table.outcome
        if by == "abandon" or not ranking:
            return "Abandoned. OK: next game."
        penalty = self.game.penalty()
        places = []
        for place in ranking:
            seats = place if isinstance(place, (list, tuple)) else [place]
            names = "+".join([self.table.seat_name(seat) for seat in seats])
            places.append("%s %d" % (names, sum([penalty[seat] for seat in seats])))
        text = "Left: %s." % ", ".join(places)
        if by == "resign":
            text = "Resigned. " + text
        return text + self.match_text() + " OK: next game."

    def match_text(self):
        """The points of the whole match, once it has more than one game."""
        totals = self.table.totals
        if self.table.game_number < 2 or len(totals) != self.game.players:
            return ""
        return " Match: %s." % ", ".join([str(-total) for total in totals])

    def light_over(self):
        """Whose each square is."""
        lights, game = self.table.lights, self.game
        for square in range(len(game.owner)):
            content = game.owner[square]
            if 0 < content < 255:
                sq = self.board_square(square)
                lights.role[sq] = li.COLOUR
                lights.colour[sq] = COLOURS[(content & 7) - 1]

    def match_games(self):
        """As many games as players; with teams there are two players."""
        return 2 if self.game.options["teams"] else self.game.players

    def next_starter(self, ranking):
        """Each game another seat begins."""
        return self.game.options["starter"] % self.game.players + 1
