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

from . import castellers_moves as notation
from .castellers_box import PIECES, WHITE, Box
from .castellers_moves import (
    DRAW,
    END,
    IS_BUILD,
    IS_DRAW,
    IS_END,
    IS_FALL,
    IS_GIVE,
    IS_TAKE,
    UNNAMED,
    drawn,
    give,
)
from .castellers_score import over
from .game import History, IllegalMove, Random, check_seats, check_starter, settle_options

OPTIONS = {"players": 2, "seed": 0, "deal": None, "starter": None, "bag": "board", "rules": None}

ANY = 4  # colour of a site that takes every colour
NOBODY = 7


class Game:
    """A game of Castellers. See game.py for what every game has; beyond that:

    ended_by       "castells", "stalemate" or None
    actions        how many of the two actions of this turn are done
    exchange       seat with whom the seat in turn exchanges, or None
    must_fall      whether the seat in turn has drawn a white and owes a fall
    undealt        the deal is asked for: nobody can act
    given_sum      the sum of the numbers that this exchange has given
    box            the Box in force
    unverified     a sentence while nobody has compared all entries of the box with a real one, else None
    """

    name = "castellers"
    pieces = PIECES

    def __init__(self, **options):
        self._start(options)

    def _start(self, options):
        self.options = options = settle_options(self.name, OPTIONS, options)
        check_seats(self.name, options["players"], 2, 4)
        self.players = options["players"]
        seed = options["seed"]
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise ValueError("seed is a number, not %s" % (seed,))
        if options["bag"] not in ("board", "real"):
            raise ValueError("bag is board or real, not %s" % (options["bag"],))
        self.box = Box(options["rules"], self.players)
        self.unverified = None
        if self.box.unverified:
            self.unverified = "guesses until compared with a box: " + ", ".join(self.box.unverified)
        if self.box.pieces < 2 * self.players:
            raise ValueError("rules: %d pieces are too few for the deal" % self.box.pieces)
        self.history = History()
        self.ended_by = None
        self.actions = 0
        self.must_fall = False
        self._partner = NOBODY
        self._sum = 0
        self._bases = 0
        self._sets = [bytearray(len(PIECES)) for _ in range(self.players)]
        self._castells = [[] for _ in range(self.players)]
        self._shuffle(seed)
        self.undealt = options["deal"] is None and options["bag"] == "real"
        if self.undealt:
            self.turn = None
            return
        self._deal()
        if options["starter"] is None:
            sums = [_total(pieces) for pieces in self._sets]
            options["starter"] = sums.index(min(sums)) + 1
        check_starter(options)
        self._turn_from(options["starter"] - 1)

    # The bag: the pieces in the order in which they come; those before _drawn are out of it

    def _shuffle(self, seed):
        self._bag = bag = bytearray()
        self._drawn = 0
        for piece in range(len(PIECES)):
            for _ in range(self.box.counts[piece]):
                bag.append(piece)
        random = Random(seed)
        for last in range(len(bag) - 1, 0, -1):
            other = random.below(last + 1)
            bag[last], bag[other] = bag[other], bag[last]

    def _deal(self):
        deal = self.options["deal"]
        if deal is None:
            deal = [[PIECES[self._bag[2 * s]], PIECES[self._bag[2 * s + 1]]] for s in range(self.players)]
            self.options["deal"] = deal
        if not isinstance(deal, (list, tuple)) or len(deal) != self.players:
            raise ValueError("deal has two pieces for each of the %d players" % self.players)
        for seat in range(self.players):
            if not isinstance(deal[seat], (list, tuple)) or len(deal[seat]) != 2:
                raise ValueError("deal has two pieces for seat %d" % (seat + 1))
            for name in deal[seat]:
                if name not in PIECES:
                    raise ValueError("deal has %s, which is no piece; r3 is one" % (name,))
                piece = PIECES.index(name)
                if not self.in_bag(piece):
                    raise ValueError("deal has more %s than the box" % name)
                self._draw(piece)
                self._sets[seat][piece] += 1

    def _draw(self, piece):
        """Takes a piece out of the bag, wherever it lies; where it lay."""
        bag, at = self._bag, self._drawn
        lay = bag.find(bytes([piece]), at)
        bag[at], bag[lay] = piece, bag[at]
        self._drawn = at + 1
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
        return drawn(self._bag[self._drawn])

    # What is where

    @property
    def given_sum(self):
        return self._sum

    @property
    def exchange(self):
        return None if self._partner == NOBODY else self._partner

    def count(self, seat, piece):
        """How many such pieces (a number) the seat's set holds."""
        return self._sets[seat][piece]

    # host only
    def set_of(self, seat):
        """The seat's set: piece names, by colour and number, equal ones repeated."""
        names = []
        for piece in range(len(PIECES)):
            for _ in range(self._sets[seat][piece]):
                names.append(PIECES[piece])
        return names

    # host only
    def castells(self, seat):
        """The seat's castells, a list a base used: columns in their order, piece names from the bottom up."""
        return [[[PIECES[p] for p in column] for column in castell] for castell in self._castells[seat]]

    def points(self, seat):
        """The seat's points in detail: see castellers_score.py."""
        from .castellers_points import points  # a chip needs it at the end only

        return points(self.box, self._castells, seat)

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
                height = len(column)
                if height < least:
                    least = height
                if height > most:
                    most = height
            for index in range(len(castell)):
                column = castell[index]
                if len(column) == least:
                    here.append((column[-1] % 7 + 1) << 11 | at << 7 | index)
            if most < 2:
                here.append(at << 7 | len(castell))
        if self._bases < self.box.bases:
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
        for piece in range(len(PIECES)):
            if pieces[piece] and piece % 7 + 1 < total and self._put_moves(IS_TAKE, piece, sites, None):
                return True
        return False

    def _can_act(self):
        """Whether the seat in turn has any action."""
        if self.bag_left():
            return True
        sites, own = self._sites(), self._sets[self.turn]
        for piece in range(len(PIECES)):
            if own[piece] and self._put_moves(IS_BUILD, piece, sites, None):
                return True
        for seat in range(self.players):
            if seat != self.turn and self._can_exchange(seat, sites):
                return True
        return False

    def _given(self):
        """How many of each piece this exchange has given so far."""
        given = bytearray(len(PIECES))
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
                    if castells[at][index][-1] % 7 == highest:
                        moves.append(IS_FALL << 17 | at << 7 | index)
            return moves
        own = self._sets[self.turn]
        sites = self._sites()
        if self._partner != NOBODY:
            given, theirs = self._given(), self._sets[self._partner]
            for piece in range(len(PIECES)):
                if own[piece]:
                    moves.append(give(piece, self._partner))
                if theirs[piece] > given[piece] and piece % 7 + 1 < self._sum:
                    self._put_moves(IS_TAKE, piece, sites, moves)
            return moves
        if self.bag_left():
            moves.append(DRAW)
        partners = [s for s in range(self.players) if s != self.turn and self._can_exchange(s, sites)]
        for piece in range(len(PIECES)):
            if own[piece]:
                self._put_moves(IS_BUILD, piece, sites, moves)
                for seat in partners:
                    moves.append(give(piece, seat))
        if self.actions:
            moves.append(END)
        return moves

    def listed(self, move):
        """The form in which legal() lists a move: DRAW for every outcome of a draw."""
        return DRAW if isinstance(move, int) and 0 <= move < 1 << 17 else move

    def is_legal(self, move):
        return self.why_not(move) is None

    def why_not(self, move):
        if self.turn is None:
            return "the game is over"
        if not isinstance(move, int) or not 0 <= move <= END:
            return "there is no such move"
        kind, piece, at, column = move >> 17, move >> 11 & 63, move >> 7 & 15, move & 127
        if piece >= len(PIECES) and move != DRAW:
            return "there is no such piece"
        if self.must_fall and kind != IS_FALL:
            return "a white was drawn: first a casteller falls"
        if self._partner != NOBODY and kind not in (IS_GIVE, IS_TAKE):
            return "the exchange is not finished: take a casteller from seat %d" % (self._partner + 1)
        if kind == IS_DRAW:
            if at or column:
                return "there is no such move"
            if not self.bag_left():
                return "the bag is empty"
            if piece == UNNAMED:
                return None
            return None if self.in_bag(piece) else "the bag holds no %s any more" % PIECES[piece]
        if kind == IS_BUILD:
            if not self._sets[self.turn][piece]:
                return "there is no %s in the set" % PIECES[piece]
            return self._why_not_there(piece, at, column)
        if kind == IS_GIVE:
            return "there is no such move" if column else self._why_not_give(piece, at)
        if kind == IS_TAKE:
            return self._why_not_take(piece) or self._why_not_there(piece, at, column)
        if kind == IS_FALL:
            return "there is no such move" if piece else self._why_no_fall(at, column)
        return None if self.actions else "a turn has at least one action"

    def _why_not_there(self, piece, at, column):
        sites, wanted = self._sites(), at << 7 | column
        for of in range(5):
            for site in sites[of]:
                if site & 0x7FF == wanted:
                    if of not in (ANY, piece // 7) and piece // 7 != WHITE:
                        return "castell %d has another colour than %s" % (at + 1, PIECES[piece])
                    if site >> 11 >= piece % 7 + 1:
                        return "%s is not higher than the %d under it" % (PIECES[piece], site >> 11)
                    return None
        castells = self._castells[self.turn]
        if at < len(castells):
            if column < len(castells[at]):
                return "a level is finished before the next: column %d of castell %d must wait" % (
                    column + 1,
                    at + 1,
                )
            if column == len(castells[at]):
                return "castell %d has begun its second level and takes no new column" % (at + 1)
            return "castell %d has no column %d" % (at + 1, column + 1)
        if at == len(castells) and column == 0:
            return "all %d bases are used" % self.box.bases
        return "there is no castell %d with a column %d" % (at + 1, column + 1)

    def _why_not_give(self, piece, seat):
        if seat >= self.players or seat == self.turn:
            return "a casteller is given to another player"
        if not self._sets[self.turn][piece]:
            return "there is no %s in the set" % PIECES[piece]
        if self._partner == NOBODY:
            if not self._can_exchange(seat, self._sites()):
                return "seat %d has nothing that could be taken and built, whatever is given" % (seat + 1)
        elif seat != self._partner:
            return "the exchange is with seat %d" % (self._partner + 1)
        return None

    def _why_not_take(self, piece):
        if self._partner == NOBODY:
            return "before a casteller is taken, something is given"
        if self._sets[self._partner][piece] <= self._given()[piece]:
            return "seat %d had no %s before the exchange" % (self._partner + 1, PIECES[piece])
        if piece % 7 + 1 >= self._sum:
            return "%s is not lower than the sum given, %d" % (PIECES[piece], self._sum)
        return None

    def _why_no_fall(self, at, column):
        if not self.must_fall:
            return "nothing falls now"
        castells = self._castells[self.turn]
        if at >= len(castells) or column >= len(castells[at]):
            return "there is no castell %d with a column %d" % (at + 1, column + 1)
        if castells[at][column][-1] % 7 != _highest(castells[at]):
            return "the highest casteller of castell %d is not on column %d" % (at + 1, column + 1)
        return None

    def play(self, move):
        why = self.why_not(move)
        if why:
            raise IllegalMove(why)
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
            extra = self._draw(piece)
            own[piece] += 1
            if piece // 7 == WHITE and any(castells):
                self.must_fall, done = True, False
        elif kind == IS_GIVE:
            own[piece] -= 1
            self._sets[at][piece] += 1
            self._partner, self._sum, done = at, self._sum + piece % 7 + 1, False
        elif kind == IS_FALL:
            extra = castells[at][column].pop()
            own[extra] += 1
            if not castells[at][column]:
                castells[at].pop(column)
                extra |= 64
            self.must_fall = False
        elif kind != IS_END:
            extra = at == len(castells)
            (own if kind == IS_BUILD else self._sets[self._partner])[piece] -= 1
            self._stack(castells, piece, at, column)
            self._partner, self._sum = NOBODY, 0
        self.history.append((seat, move), state | extra << 17)
        if kind == IS_END:
            self._turn_from(seat + 1)
        elif done:
            self._finish_action()

    def _stack(self, castells, piece, at, column):
        if at == len(castells):
            castells.append([])
            self._bases += 1
        if column == len(castells[at]):
            castells[at].append([])
        castells[at][column].append(piece)

    def _finish_action(self):
        self.actions += 1
        if over(self.box, self._castells[self.turn]):
            self.turn, self.ended_by = None, "castells"
        elif self.actions == 2 or not self._can_act():
            self._turn_from(self.turn + 1)

    def _turn_from(self, first):
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
                castells[at].insert(column, [])
            castells[at][column].append(extra & 63)
            own[extra & 63] -= 1
        elif kind != IS_END:
            castells[at][column].pop()
            if not castells[at][column]:
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
        return [self.points(seat)["total"] for seat in range(self.players)]

    def ranking(self):
        if self.turn is not None:
            return None
        from .castellers_points import white

        scores = self.scores()
        whites = [white(self._castells[s], self._sets[s]) for s in range(self.players)]
        places = []
        for key in sorted({(scores[s], whites[s]) for s in range(self.players)}, reverse=True):
            tied = [s for s in range(self.players) if (scores[s], whites[s]) == key]
            places.append(tied if len(tied) > 1 else tied[0])
        return places

    # host only
    def snapshot(self):
        return {
            "game": self.name,
            "options": dict(self.options),
            "moves": [self.text(move) for _, move in self.history],
        }

    # host only
    def restore(self, snapshot):
        self._start(snapshot["options"])
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
            seen["bag"] = [PIECES[piece] for piece in self._bag[self._drawn :]]
        else:
            del seen["options"]["seed"]
        return seen


def _total(pieces):
    """The sum of the numbers in a set."""
    total = 0
    for piece in range(len(PIECES)):
        total += pieces[piece] * (piece % 7 + 1)
    return total


def _colour(castell):
    """The colour of a castell; ANY while it holds no coloured casteller."""
    for column in castell:
        for piece in column:
            if piece // 7 != WHITE:
                return piece // 7
    return ANY


def _highest(castell):
    """The highest number in a castell, less one; numbers ascend, so it is on top of a column."""
    highest = -1
    for column in castell:
        highest = max(highest, column[-1] % 7)
    return highest
