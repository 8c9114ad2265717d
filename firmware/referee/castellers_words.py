"""Castellers: its position on the squares, its words and its lights. castellers.py judges what hands do."""

from shared_rules import castellers_moves as notation
from shared_rules.castellers_places import BASE, NOWHERE, Places

from .. import lights as li
from ..journal import NO_HOLE
from .base import ANY
from .base import Referee as Base

COLOUR_NAMES = ("red", "green", "blue", "pink", "white")
COLOURS = (li.RED, li.GREEN, li.BLUE, li.PURPLE, li.WHITE)


def name_of(piece):
    """A casteller (0..34) for people: "red 3"."""
    return "%s %d" % (COLOUR_NAMES[piece // 7], piece % 7 + 1)


def _chosen(holes):
    """Yields (ply, from, to) of a record's holes."""
    for at in range(0, len(holes), 3):
        yield [None if value == NO_HOLE else value for value in holes[at : at + 3]]


class Words(Base):
    """places: where everything stands by the moves so far (castellers_places.py)."""

    def __init__(self, table, game, layout):
        super().__init__(table, game, layout)
        self.places = Places(layout, table.width, self.size)
        self.lay_setup()

    # The position

    def lay_setup(self):
        self.places.begin(self.game)
        self._fill()

    def resumed(self, record):
        self.places.choices(_chosen(record.get("holes", ())))
        self.places.begin(self.game)

    def lay(self):
        self.places.follow(self.game)
        self._fill()

    def _fill(self):
        self.clear_wanted()
        self.places.fill(self.wanted, self.piece, ANY)

    def goal(self, move):
        """(square, level) of a legal move that sets a casteller on a column."""
        at, column = move >> 7 & 15, move & 127
        return self.places.target(self.game.turn, at, column)

    def top(self, move):
        """(square, level) of the casteller that a legal fall takes."""
        sq = self.goal(move)[0]
        return sq, self.places.height(sq)

    def told_moves(self):
        """As base: nothing is hidden but the bag, so the moves are told as they are."""
        undone = list(self.undone)
        self.replay_undone()
        game = self.game
        told = ["%d:%s" % (seat + 1, game.text(move)) for seat, move in game.history]
        for _ in undone:
            game.undo()
        self.undone = undone
        return told

    def owner(self, sq):
        """The seat whose rack a square belongs to, or -1."""
        area = self.places.area[sq]
        return area - 1 if 0 < area < BASE else -1

    # Words

    def place_name(self, sq):
        name = self.table.square_name(sq)
        area = self.places.area[sq]
        if not area:
            return "square " + name
        if area < BASE:
            return "%s's rack %s" % (self.table.seat_name(area - 1), name)
        found = self.places.find(sq)
        if found and found[2] >= 0:
            return "castell %d.%d (%s)" % (found[1] + 1, found[2] + 1, name)
        return "base " + name

    def describe(self, move):
        kind, piece, at, _ = notation.parts(move)
        if kind == "draw":
            return "draw"
        if kind == "end":
            return "end the turn"
        if kind == "give":
            return "give %s to %s" % (name_of(piece), self.table.seat_name(at))
        sq = self.goal(move)[0]
        if kind == "fall":
            return "%s from %s" % (name_of(self.places.column(sq)[-1]), self.place_name(sq))
        return "%s%s on %s" % ("take " if kind == "take" else "", name_of(piece), self.place_name(sq))

    def setup_text(self):
        return self.part("setup").text(self)

    def guide_text(self):
        if not self.take and self.put:
            sq = self.put[0]
            if self.piece[sq]:
                return "Put %s into %s." % (name_of(self.piece[sq] - 1), self.place_name(sq))
            standing = self.places.column(sq)
            if standing:
                return "Put %s on %s." % (name_of(standing[0]), self.place_name(sq))
        return super().guide_text()

    def unverified_text(self):
        return " Box unverified." if self.game.unverified and not self.game.history else ""

    # Lights

    def colour(self, sq, piece):
        """Lights a square in a casteller's colour."""
        self.table.lights.role[sq] = li.COLOUR
        self.table.lights.colour[sq] = COLOURS[piece // 7]

    def light_setup(self):
        super().light_setup()
        self.part("setup").light(self)

    def light_last(self):
        """Where the last move's casteller went."""
        last = self.places.last()
        if last is not None and last[1] != NOWHERE:
            self.table.lights.role[last[1]] = li.LAST

    # The end

    def light_over(self):
        self.part("end").light(self)

    def over_text(self):
        return self.part("end").text(self)

    def extra_result(self):
        return self.part("end").result(self)

    def match_games(self):
        return 1
