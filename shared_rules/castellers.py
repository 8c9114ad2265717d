"""Castellers: 2 to 4 seats build castells of coloured columns with ascending numbers.

    game = shared_rules.load("castellers", players=3, seed=5)
    game.play(game.draw())

Options: players; seed (of the bag's order); deal (two piece names a seat; drawn from the bag when absent; a
real bag's deal that is absent must be asked for: the game is undealt, and is made anew with it);
starter (seat from 1; when absent the lowest sum of the deal, ties to the seat nearest to the youngest);
bag ("board": the bag's draws come from its seed; "real": each drawn piece is named by who moves); rules (the
entries in which an owner's box differs, see castellers_box.py).

A move is an int, see castellers_moves.py. legal() lists one DRAW; the outcome `draw=r3` is legal when the bag
holds such a piece, and it is the outcome that history and text keep.
"""

from . import castellers_column as col
from . import castellers_moves as notation
from .castellers_column import EMPTY, SHAPE, WHITE
from .castellers_moves import DRAW, END, IS_BUILD, IS_DRAW, IS_END, IS_FALL, IS_GIVE, IS_TAKE, KINDS, UNNAMED
from .game import IllegalMove

ANY = WHITE  # the colour of a castell that takes every colour
_NOBODY = 7
# What is wrong with a move: castellers_why.py has a sentence for each, in this order.
_OVER = 1
_NO_MOVE = 2
_NO_PIECE = 3
_FALL_FIRST = 4
_EXCHANGE_FIRST = 5
_BAG_EMPTY = 6
_NOT_IN_BAG = 7
_NOT_IN_SET = 8
_NO_PLACE = 9
_COLOUR = 10
_TOO_LOW = 11
_NO_RECEIVER = 12
_NOTHING_TO_TAKE = 13
_OTHER_PARTNER = 14
_GIVE_FIRST = 15
_NOT_IN_THEIRS = 16
_TOO_HIGH = 17
_NOTHING_FALLS = 18
_NO_COLUMN = 19
_NOT_HIGHEST = 20
_NO_ACTION = 21


class Game:
    """A game of Castellers. See game.py for what every game has; beyond that:

    ended_by       "castells", "stalemate" or None
    actions        how many of the two actions of this turn are done
    exchange       seat with whom the seat in turn exchanges, or None
    must_fall      whether the seat in turn has drawn a white and owes a fall
    undealt        the deal is asked for: nobody can act
    given_sum      the sum of the numbers that this exchange has given
    most_bases     how many bases there are; ends_at: how many valid castells end the game, and how many
                   castellers one of them needs
    blue, tallest, widest          as in the Box in force
    unverified     a sentence while nobody has compared all entries of the box with a real one, else None

    A castell is a list of columns, ints as in castellers_column.py.
    """

    name = "castellers"

    def __init__(self, **options):
        from .castellers_deal import begin  # a chip needs it at the start only

        begin(self, options)

    def start(self, sets, bag):
        """Nothing has happened yet. sets: a bytearray a seat, how many it has of each piece."""
        self.ended_by = None
        self.actions = 0
        self.must_fall = False
        self._partner = _NOBODY
        self._sum = 0
        self._bases = 0
        self._sets = sets
        self._castells = [[] for _ in sets]
        self._bag = bag  # those before _drawn are out of it
        self._drawn = 0

    @property
    def box(self):
        """The Box in force, made anew: a chip needs its code at the start only."""
        from .castellers_box import Box

        return Box(self.options["rules"], self.players)

    # The bag

    def next_pieces(self, count):
        """The pieces that come next, of which the board's own bag knows."""
        return self._bag[self._drawn : self._drawn + count]

    def receive(self, seat, piece):
        """Takes a piece out of the bag, wherever it lies, into a set; where it lay."""
        bag, at = self._bag, self._drawn
        lay = bag.find(bytes([piece]), at)
        bag[at], bag[lay] = piece, bag[at]
        self._drawn = at + 1
        self._sets[seat][piece] += 1
        return lay

    def in_bag(self, piece):
        """Whether the bag still holds such a piece (a number)."""
        return self._bag.find(bytes([piece]), self._drawn) >= 0

    def bag_left(self):
        """How many pieces the bag holds."""
        return len(self._bag) - self._drawn

    def draw(self):
        """The outcome that the bag gives next, as a move; None with the real bag or an empty one."""
        if self.options["bag"] == "real" or not self.bag_left():
            return None
        return notation.drawn(self._bag[self._drawn])

    # What is where

    @property
    def given_sum(self):
        return self._sum

    @property
    def exchange(self):
        return None if self._partner == _NOBODY else self._partner

    def standing(self):
        """The castells of the seat in turn, lists of columns."""
        return self._castells[self.turn]

    def count(self, seat, piece):
        """How many such pieces (a number) the seat's set holds."""
        return self._sets[seat][piece]

    # host only
    @property
    def pieces(self):
        """The names of all kinds of pieces."""
        return tuple([notation.name(piece) for piece in range(KINDS)])

    # host only
    def set_of(self, seat):
        """The seat's set: piece names, by colour and number, equal ones repeated."""
        names = []
        for piece in range(KINDS):
            for _ in range(self._sets[seat][piece]):
                names.append(notation.name(piece))
        return names

    # host only
    def castells(self, seat):
        """The seat's castells, a list a base used: columns in their order, piece names from the bottom up."""
        return [[[notation.name(p) for p in column] for column in castell] for castell in self.table(seat)]

    def table(self, seat):
        """The seat's castells: columns in their order, pieces from the bottom up."""
        return [[col.pieces(c) for c in castell] for castell in self._castells[seat]]

    def points(self, seat):
        """The seat's points in detail: see castellers_points.py."""
        from .castellers_points import Tables, points  # a chip needs it at the end only

        return points(self, Tables(self), seat)

    # Moves

    def _sites(self):
        """Where the seat in turn can put something, by colour: five lists of packed ints.

        List 0..3 holds the sites that take only this colour and white, list 4 those that take any;
        a site is number of the casteller below << 11 | castell << 7 | column.
        """
        sites = [[], [], [], [], []]
        castells = self._castells[self.turn]
        for at in range(len(castells)):
            castell = castells[at]
            here = sites[_colour(castell)]
            least, most = 99, 0
            for column in castell:
                height = SHAPE[column & 127] & 7
                if height < least:
                    least = height
                if height > most:
                    most = height
            for index in range(len(castell)):
                shape = SHAPE[castell[index] & 127]
                if shape & 7 == least:
                    here.append(shape >> 3 << 11 | at << 7 | index)
            if most < 2:
                here.append(at << 7 | len(castell))
        if self._bases < self.most_bases:
            sites[ANY].append(len(castells) << 7)
        return sites

    def _put_moves(self, kind, piece, sites, moves):
        """Appends the moves of a kind that put a piece on a site; without a list, whether there is one."""
        number, colour = piece % 7 + 1, piece // 7
        first = kind << 17 | piece << 11
        for of in range(5):
            if of == colour or of == ANY or colour == WHITE:
                for site in sites[of]:
                    if site >> 11 < number:
                        if moves is None:
                            return True
                        moves.append(first | site & 0x7FF)
        return False

    def _can_exchange(self, partner, sites):
        """Whether giving everything to a seat would allow to take something and to build it."""
        pieces = self._sets[partner]
        total = _total(self._sets[self.turn])
        for piece in range(KINDS):
            if pieces[piece] and piece % 7 + 1 < total and self._put_moves(IS_TAKE, piece, sites, None):
                return True
        return False

    def _can_act(self):
        """Whether the seat in turn has any action."""
        if self.bag_left():
            return True
        sites, own = self._sites(), self._sets[self.turn]
        for piece in range(KINDS):
            if own[piece] and self._put_moves(IS_BUILD, piece, sites, None):
                return True
        for seat in range(self.players):
            if seat != self.turn and self._can_exchange(seat, sites):
                return True
        return False

    def _given(self):
        """How many of each piece this exchange has given so far."""
        given = bytearray(KINDS)
        for ply in range(len(self.history) - 1, -1, -1):
            move = self.history[ply][1]
            if move >> 17 != IS_GIVE:
                break
            given[move >> 11 & 63] += 1
        return given

    def legal(self):
        moves = []
        if self.turn is None:
            return moves
        if self.must_fall:
            castells = self._castells[self.turn]
            for at in range(len(castells)):
                highest = _highest(castells[at])
                for index in range(len(castells[at])):
                    if SHAPE[castells[at][index] & 127] >> 3 == highest:
                        moves.append(IS_FALL << 17 | at << 7 | index)
            return moves
        own = self._sets[self.turn]
        sites = self._sites()
        if self._partner != _NOBODY:
            given, theirs = self._given(), self._sets[self._partner]
            for piece in range(KINDS):
                if own[piece]:
                    moves.append(notation.give(piece, self._partner))
                if theirs[piece] > given[piece] and piece % 7 + 1 < self._sum:
                    self._put_moves(IS_TAKE, piece, sites, moves)
            return moves
        if self.bag_left():
            moves.append(DRAW)
        partners = [s for s in range(self.players) if s != self.turn and self._can_exchange(s, sites)]
        for piece in range(KINDS):
            if own[piece]:
                self._put_moves(IS_BUILD, piece, sites, moves)
                for seat in partners:
                    moves.append(notation.give(piece, seat))
        if self.actions:
            moves.append(END)
        return moves

    def listed(self, move):
        """The form in which legal() lists a move: DRAW for every outcome of a draw."""
        return DRAW if isinstance(move, int) and 0 <= move < 1 << 17 else move

    def is_legal(self, move):
        return not self._wrong(move)

    def why_not(self, move):
        wrong = self._wrong(move)
        if not wrong:
            return None
        from .castellers_why import sentence  # a chip loads it when it is needed

        return sentence(self, move, wrong)

    def _wrong(self, move):
        """0 when a move is legal, else what is wrong with it."""
        if self.turn is None:
            return _OVER
        if not isinstance(move, int) or not 0 <= move <= END:
            return _NO_MOVE
        kind, piece, at, column = move >> 17, move >> 11 & 63, move >> 7 & 15, move & 127
        if piece >= KINDS and move != DRAW:
            return _NO_PIECE
        if self.must_fall and kind != IS_FALL:
            return _FALL_FIRST
        if self._partner != _NOBODY and kind not in (IS_GIVE, IS_TAKE):
            return _EXCHANGE_FIRST
        if kind == IS_DRAW:
            if at or column:
                return _NO_MOVE
            if not self.bag_left():
                return _BAG_EMPTY
            return 0 if piece == UNNAMED or self.in_bag(piece) else _NOT_IN_BAG
        if kind == IS_BUILD:
            return self._wrong_place(piece, at, column) if self._sets[self.turn][piece] else _NOT_IN_SET
        if kind == IS_GIVE:
            return _NO_MOVE if column else self._wrong_gift(piece, at)
        if kind == IS_TAKE:
            if self._partner == _NOBODY:
                return _GIVE_FIRST
            if self._sets[self._partner][piece] <= self._given()[piece]:
                return _NOT_IN_THEIRS
            return _TOO_HIGH if piece % 7 + 1 >= self._sum else self._wrong_place(piece, at, column)
        if kind == IS_FALL:
            return _NO_MOVE if piece else self._wrong_fall(at, column)
        return 0 if self.actions else _NO_ACTION

    def _wrong_place(self, piece, at, column):
        sites, wanted = self._sites(), at << 7 | column
        for of in range(5):
            for site in sites[of]:
                if site & 0x7FF == wanted:
                    if of not in (ANY, piece // 7) and piece // 7 != WHITE:
                        return _COLOUR
                    return _TOO_LOW if site >> 11 >= piece % 7 + 1 else 0
        return _NO_PLACE

    def _wrong_gift(self, piece, seat):
        if seat >= self.players or seat == self.turn:
            return _NO_RECEIVER
        if not self._sets[self.turn][piece]:
            return _NOT_IN_SET
        if self._partner == _NOBODY:
            return 0 if self._can_exchange(seat, self._sites()) else _NOTHING_TO_TAKE
        return 0 if seat == self._partner else _OTHER_PARTNER

    def _wrong_fall(self, at, column):
        if not self.must_fall:
            return _NOTHING_FALLS
        castells = self._castells[self.turn]
        if at >= len(castells) or column >= len(castells[at]):
            return _NO_COLUMN
        return 0 if SHAPE[castells[at][column] & 127] >> 3 == _highest(castells[at]) else _NOT_HIGHEST

    def play(self, move):
        if self._wrong(move):
            raise IllegalMove(self.why_not(move))
        if move == DRAW:
            move = self.draw()
            if move is None:
                raise IllegalMove("the drawn piece must be named: draw=r3")
        kind, piece, at, column = move >> 17, move >> 11 & 63, move >> 7 & 15, move & 127
        seat, own, castells = self.turn, self._sets[self.turn], self._castells[self.turn]
        state = seat | self.actions << 2 | self._partner << 3 | self.must_fall << 6 | self._sum << 7
        extra = 0  # what the move alone does not say: where a draw lay, what fell, whether a base is new
        done = True
        if kind == IS_DRAW:
            extra = self.receive(seat, piece)
            if piece // 7 == WHITE and any(castells):
                self.must_fall, done = True, False
        elif kind == IS_GIVE:
            own[piece] -= 1
            self._sets[at][piece] += 1
            self._partner, self._sum, done = at, self._sum + piece % 7 + 1, False
        elif kind == IS_FALL:
            extra = col.top(castells[at][column])
            own[extra] += 1
            castells[at][column] = col.less(castells[at][column])
            if castells[at][column] == EMPTY:
                castells[at].pop(column)
                extra |= 64
            self.must_fall = False
        elif kind != IS_END:
            extra = at == len(castells)
            (own if kind == IS_BUILD else self._sets[self._partner])[piece] -= 1
            self._stack(castells, piece, at, column)
            self._partner, self._sum = _NOBODY, 0
        self.history.append((seat, move), state | extra << 17)
        if kind == IS_END:
            self.turn_from(seat + 1)
        elif done:
            self._finish_action()

    def _stack(self, castells, piece, at, column):
        if at == len(castells):
            castells.append([])
            self._bases += 1
        if column == len(castells[at]):
            castells[at].append(EMPTY)
        castells[at][column] = col.added(castells[at][column], piece)

    def _finish_action(self):
        self.actions += 1
        if self._over(self._castells[self.turn]):
            self.turn, self.ended_by = None, "castells"
        elif self.actions == 2 or not self._can_act():
            self.turn_from(self.turn + 1)

    def _over(self, castells):
        """Whether these castells of one player end the game: see castellers_score.py for what is valid."""
        valid = most = 0
        for castell in castells:
            size = short = 0
            for column in castell:
                height = col.height(column)
                size += height
                short += height < 2
            if size >= 4 and not short:
                valid += 1
                most = max(most, size)
        return 0 < valid >= self.ends_at[0] and most >= self.ends_at[1]

    def turn_from(self, first):
        """The turn goes to the first seat that can act, clockwise; when nobody can, the game is over."""
        self.actions = 0
        for seat in range(first, first + self.players):
            self.turn = seat % self.players
            if self._can_act():
                return
        self.turn, self.ended_by = None, "stalemate"

    def undo(self):
        if not self.history:
            raise IndexError("there is no move to undo")
        state = self.history.aside()
        seat, move = self.history.pop()
        kind, piece, at, column = move >> 17, move >> 11 & 63, move >> 7 & 15, move & 127
        extra = state >> 17
        self.turn, self.actions, self.ended_by = seat, state >> 2 & 1, None
        self._partner, self.must_fall, self._sum = state >> 3 & 7, bool(state >> 6 & 1), state >> 7 & 1023
        own, castells = self._sets[seat], self._castells[seat]
        if kind == IS_DRAW:
            self._drawn -= 1
            bag = self._bag
            bag[self._drawn], bag[extra] = bag[extra], bag[self._drawn]
            own[piece] -= 1
        elif kind == IS_GIVE:
            own[piece] += 1
            self._sets[at][piece] -= 1
        elif kind == IS_FALL:
            if extra & 64:
                castells[at].insert(column, EMPTY)
            castells[at][column] = col.added(castells[at][column], extra & 63)
            own[extra & 63] -= 1
        elif kind != IS_END:
            castells[at][column] = col.less(castells[at][column])
            if castells[at][column] == EMPTY:
                castells[at].pop()
            if extra:
                castells.pop()
                self._bases -= 1
            (own if kind == IS_BUILD else self._sets[self._partner])[piece] += 1
        return move

    # Text

    def text(self, move):
        return notation.text(move)

    def parse(self, text):
        return notation.parse(text)

    # Results and copies

    def scores(self):
        from .castellers_points import scores

        return scores(self)

    def ranking(self):
        if self.turn is not None:
            return None
        from .castellers_points import ranking

        return ranking(self)

    # host only
    def snapshot(self):
        return {
            "game": self.name,
            "options": dict(self.options),
            "moves": [self.text(move) for _, move in self.history],
        }

    # host only
    def restore(self, snapshot):
        self.__init__(**snapshot["options"])
        for text in snapshot["moves"]:
            self.play(self.parse(text))

    # host only
    def seen_by(self, seat):
        """What a seat may know: everything but the order of the bag, and the seed that it comes from.

        Keys: game, options, turn, moves, sets, castells (a list a seat), bag (how many are left). None is a
        spectator, who may know all: then options has the seed, and bag is the order in which pieces come.
        """
        seen = self.snapshot()
        seen["turn"] = self.turn
        seen["sets"] = [self.set_of(s) for s in range(self.players)]
        seen["castells"] = [self.castells(s) for s in range(self.players)]
        seen["bag"] = self.bag_left()
        if seat is None:
            seen["bag"] = [notation.name(piece) for piece in self._bag[self._drawn :]]
        else:
            del seen["options"]["seed"]
        return seen


def _total(pieces):
    """The sum of the numbers in a set."""
    total = 0
    for piece in range(KINDS):
        total += pieces[piece] * (piece % 7 + 1)
    return total


def _colour(castell):
    """The colour of a castell; ANY while it holds no coloured casteller."""
    for column in castell:
        if column >> 14 != ANY:
            return column >> 14
    return ANY


def _highest(castell):
    """The highest number in a castell; numbers ascend, so it is on top of a column."""
    highest = 0
    for column in castell:
        highest = max(highest, SHAPE[column & 127] >> 3)
    return highest
